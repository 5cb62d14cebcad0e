"""`theoremeter table`: what was judged before is said at once, and what judges is imported only where it must."""

from __future__ import annotations

import argparse
import sys

from checks.commands.evidence import table_judged
from checks.commands.kept_tables import table_said
from checks.commands.options import terminal_width


def table_command(arguments: argparse.Namespace) -> int:
    """Say the table of the store."""
    width = terminal_width()

    def judge() -> tuple[str, int]:
        return table_judged(arguments, width)

    text, code = table_said(arguments, width, judge)
    sys.stdout.write(text)
    return code
