"""The command line: reads what was typed, hands it to one of `checks.commands`, and says what went wrong.

stdout carries the result, stderr the progress. Exit 0 whatever the verdicts, 1 if trials failed, 2 on bad input (one
line: argument, rule, value). Listing and showing never import torch or scipy. This module itself imports nothing of
ours at its top, so that Ctrl-C finds somebody to answer it from the start.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing's own costs an import
if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code.

    Without `argv` the process is ours: its words, its standard streams, and the signals that end it.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        from checks.commands import process

        return process.whole_process(words) if argv is None else process.told(words, process.carried_out)
    except KeyboardInterrupt as stop:
        from checks.commands.farewell import farewell

        number = getattr(stop, "signal_number", INTERRUPTED - 128)
        print(farewell(words), file=sys.stderr)
        return 128 + number
