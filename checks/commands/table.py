"""`theoremeter table`: what was judged before is said at once, and what judges is imported only where it must."""

from __future__ import annotations

import argparse
import sys

from checks.commands.evidence import table_and_words, table_judged
from checks.commands.kept_tables import table_said
from checks.commands.notes import note
from checks.commands.options import terminal_width
from checks.commands.published import is_printed, moved, printed


def table_command(arguments: argparse.Namespace) -> int:
    """Say the table of the store."""
    width = terminal_width()
    if arguments.published:
        return published_table(arguments, width)

    def judge() -> tuple[str, int]:
        return table_judged(arguments, width)

    text, code = table_said(arguments, width, judge)
    sys.stdout.write(text)
    return code


def published_table(arguments: argparse.Namespace, width: int) -> int:
    """Say the table that comes with the papers: as it was published, or judged now; exit 1 where a headline moved."""
    if is_printed(arguments):
        sys.stdout.write(printed(arguments, width))
        return 0
    text, code, words = table_and_words(arguments, width)
    sys.stdout.write(text)
    if any((arguments.until_decided, arguments.confidence, arguments.engine, arguments.placement != "grid")):
        return code
    lines = moved(arguments, words)
    for line in lines:
        note(f"theoremeter: {line}")
    return code or int(bool(lines))
