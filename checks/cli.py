"""The command line: reads what was typed, hands it to one of `checks.commands`, and says what went wrong.

stdout carries the result, stderr the progress. Exit 0 whatever the verdicts, 1 if trials failed, 2 on bad input (one
line: argument, rule, value). Listing and showing never import torch or scipy. This module itself imports next to
nothing, so that Ctrl-C finds somebody to answer it from the start.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing's own costs an import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FINE, BAD_INPUT, CONTRADICTION, INTERRUPTED = 0, 2, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code.

    Without `argv` the process is ours: its words, its standard streams, and the signals that end it.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _whole_process(words) if argv is None else _told(words, _command)
    except KeyboardInterrupt as stop:
        number = getattr(stop, "signal_number", INTERRUPTED - 128)
        print(_farewell(words), file=sys.stderr)
        return 128 + number


def _whole_process(words: list[str]) -> int:
    """Run a command with streams and signals that leave no traceback, not even when the interpreter ends."""
    from checks.commands.streams import Streams
    from sim.running.interruption import interruptible

    def command(words: list[str]) -> int:
        streams.open()
        try:
            code = _command(words, own_process=True)
        except SystemExit as end:  # argparse has told its help or version
            code = int(end.code or FINE)
        sys.stdout.flush()
        return code

    streams = Streams()
    with interruptible(lambda number: _farewell(words)):
        try:
            code = _told(words, command)
        finally:
            streams.end()
        return BAD_INPUT if code == FINE and streams.messages_lost else code


def _command(words: list[str], *, own_process: bool = False) -> int:
    from checks.commands.engine import engine_of
    from checks.commands.notes import quieted
    from checks.commands.parser import parser
    from sim.image_root import rooted
    from sim.running.interruption import terminable
    from theoremeter_papers import named

    arguments = parser().parse_args(words)
    arguments.own_process = own_process
    with (
        terminable(),
        quieted(arguments.quiet),
        named(arguments.papers),
        engine_of(arguments),
        rooted(arguments.images),
    ):
        return arguments.command(arguments)


def _told(words: list[str], command: Callable[[list[str]], int]) -> int:
    """Run a command; say in one line what went wrong. What is none of the user's or the machine's doing is a bug."""
    from checks.report.escape import MAX_LINE, plain

    try:
        return command(words)
    except Exception as error:
        code = _exit_code(error)
        if code is None:
            raise
        if code != FINE:
            kind = "internal contradiction: " if code == CONTRADICTION else ""
            told = f"theoremeter: {kind}{str(error) or type(error).__name__}"
            print(plain(told, MAX_LINE), file=sys.stderr)
        return code


def _exit_code(error: Exception) -> int | None:
    """2 for bad input, 3 for evidence that contradicts itself, None for a bug. Imports what help can do without."""
    from checks.commands.options import BadInput
    from checks.commands.streams import OutputLost, ReaderGone

    if isinstance(error, ReaderGone | BrokenPipeError):  # `theoremeter list | head` is not an error
        return FINE
    if isinstance(error, BadInput | OutputLost | OSError | MemoryError):
        return BAD_INPUT
    from checks.evidence.check import ToolError
    from sim.images.refusals import UnusableImages
    from sim.running.executors import WorkerDied
    from sim.store.store import StoreError
    from sim.validation import InvalidParameter
    from theoremeter_papers import PaperError
    from theory.catalogue import UnknownClaim

    if isinstance(error, UnknownClaim | PaperError | StoreError | InvalidParameter | UnusableImages | WorkerDied):
        return BAD_INPUT
    return CONTRADICTION if isinstance(error, ToolError) else None


def _farewell(words: list[str]) -> str:
    """What an interrupted command leaves behind."""
    if _first(words) != "run":
        return "theoremeter: interrupted"
    import shlex

    from checks.report.escape import plain

    command = shlex.join(["theoremeter", *words])
    return plain(f"theoremeter: interrupted; finished trials are kept. Continue with: {command}")


def _first(words: Sequence[str]) -> str:
    """The command among words that may name papers before it."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        del rest[: 1 if "=" in rest[0] or rest[0] in ("-q", "--quiet") else 2]
    return rest[0] if rest else ""
