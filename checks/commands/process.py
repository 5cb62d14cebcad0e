"""One command from its words to its exit code, with what an interruption finds and what went wrong said in one line."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence

from checks.commands.engine import engine_of
from checks.commands.farewell import farewell
from checks.commands.notes import quieted
from checks.commands.options import BadInput
from checks.commands.parser import parser
from checks.commands.streams import OutputLost, ReaderGone, Streams
from checks.report.escape import MAX_LINE, plain
from sim.image_root import rooted
from sim.running.interruption import interruptible, terminable
from theoremeter_papers import named

_SELDOM = 100_000, 20, 50
"""When to look for garbage: rows and trials stay, so that most looks find them still in use."""
FINE, BAD_INPUT, CONTRADICTION = 0, 2, 3


def whole_process(words: list[str]) -> int:
    """Run a command with streams and signals that leave no traceback, not even when the interpreter ends."""

    def command(words: list[str]) -> int:
        streams.open()
        try:
            code = carried_out(words, own_process=True)
        except SystemExit as end:  # argparse has told its help or version
            code = int(end.code or FINE)
        sys.stdout.flush()
        return code

    gc.set_threshold(*_SELDOM)
    streams = Streams()
    with interruptible(lambda number: farewell(words)):
        try:
            code = told(words, command)
        finally:
            streams.end()
        return BAD_INPUT if code == FINE and streams.messages_lost else code


def carried_out(words: Sequence[str], *, own_process: bool = False) -> int:
    """Read the words of a command and carry it out."""
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


def told(words: list[str], command: Callable[[list[str]], int]) -> int:
    """Run a command; say in one line what went wrong. What is none of the user's or the machine's doing is a bug."""
    try:
        return command(words)
    except Exception as error:
        code = _exit_code(error)
        if code is None:
            raise
        if code != FINE:
            kind = "internal contradiction: " if code == CONTRADICTION else ""
            message = f"theoremeter: {kind}{str(error) or type(error).__name__}"
            print(plain(message, MAX_LINE), file=sys.stderr)
        return code


def _exit_code(error: Exception) -> int | None:
    """2 for bad input, 3 for evidence that contradicts itself, None for a bug."""
    if isinstance(error, ReaderGone | BrokenPipeError):  # `theoremeter list | head` is not an error
        return FINE
    if isinstance(error, BadInput | OutputLost | OSError | MemoryError):
        return BAD_INPUT
    from checks.commands import blame  # it knows the errors of every room, so all of them are imported

    if isinstance(error, blame.BAD_INPUT):
        return BAD_INPUT
    return CONTRADICTION if isinstance(error, blame.CONTRADICTION) else None
