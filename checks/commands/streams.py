"""stdout and stderr of a whole process, made so that what cannot be written is one line or nothing, never a traceback.

Python's own streams raise an OSError that a command may take for its own, raise it once more when the interpreter ends,
and refuse characters that the encoding lacks. Here a stream that takes no more says so once and then takes everything
for nothing; characters that the encoding lacks are spelled in ASCII.
"""

from __future__ import annotations

import codecs
import io
import os
import select
import sys
from contextlib import suppress

_SPELLED = {
    "→": "->",
    "∞": "oo",
    "…": "...",
    "×": "x",
    "Δ": "Delta",
    "§": "section ",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "±": "+/-",
    "−": "-",
    "–": "-",
    "—": "-",
    "─": "-",
    "━": "-",
    "│": "|",
}
_ERRORS = "theoremeter.spelled"


class OutputLost(Exception):
    """The result could not be written. No OSError: a command must not take it for trouble with a file of its own."""


class ReaderGone(Exception):
    """Whoever read stdout wants no more, as `head` does."""


class _Raw(io.FileIO):
    """A standard stream's descriptor; after a first failure it takes everything and writes nothing."""

    lost = False
    by_line = False

    def write(self, data: bytes | bytearray | memoryview, /) -> int:  # pyrefly: ignore [bad-override]
        """Write some of the bytes, all of them where the stream is lost."""
        while not self.lost:
            try:
                written = super().write(data)
            except OSError as error:
                self.lost = True
                self.fail(error)
            else:
                if written is not None:
                    return written
                select.select([], [self], [])  # a descriptor that does not block and is full
        return len(data)

    def fail(self, error: OSError) -> None:
        """Called once, with what went wrong."""


class _Result(_Raw):
    """stdout."""

    def fail(self, error: OSError) -> None:
        """Raise: without its result a command is nothing."""
        if isinstance(error, BrokenPipeError):
            raise ReaderGone from None
        raise OutputLost(f"stdout must take the result, got: {error.strerror or error}") from None


class _Messages(_Raw):
    """stderr. What it does not take ends no command, whose work may be hours; `failed` is for the exit code."""

    by_line = True
    failed = False

    def fail(self, error: OSError) -> None:
        """Remember, unless the reader has only gone."""
        self.failed = not isinstance(error, BrokenPipeError)


class Streams:
    """stdout and stderr of this process, replaced; others that stand in for them, those of a test, are left alone."""

    def __init__(self) -> None:
        self._messages: _Messages | None = None
        self._result: _Result | None = None

    def open(self) -> None:
        """Replace them.

        Raises:
            OutputLost: where stdout is closed.
        """
        codecs.register_error(_ERRORS, _spell)
        closed = _hold_descriptors()
        if 2 in closed:
            sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace")
        elif before := _own(sys.stderr, 2):
            self._messages = _Messages(2, "w", closefd=False)
            sys.stderr = _text(before, self._messages, errors="backslashreplace")
        if 1 in closed:
            raise OutputLost("stdout must be open, got a closed one")
        if before := _own(sys.stdout, 1):
            self._result = _Result(1, "w", closefd=False)
            sys.stdout = _text(before, self._result, errors=_ERRORS)

    @property
    def messages_lost(self) -> bool:
        """Whether stderr took less than everything."""
        return self._messages is not None and self._messages.failed

    def end(self) -> None:
        """Leave nothing for the interpreter's last flush to stumble over; what matters was flushed before."""
        if self._result is not None:
            with suppress(Exception):
                sys.stdout.flush()
            self._result.lost = True


def _hold_descriptors() -> set[int]:
    """Put the null device in place of closed standard streams; a file opened later would else become one of them."""
    closed = set()
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            closed.add(number)
    return closed


def _own(stream: object, number: int) -> io.TextIOWrapper | None:
    """The stream, if it is Python's own for a descriptor; consoles of Windows are left to Python."""
    is_own = os.name != "nt" and isinstance(stream, io.TextIOWrapper) and stream.fileno() == number
    return stream if is_own else None


def _text(before: io.TextIOWrapper, raw: _Raw, *, errors: str) -> io.TextIOWrapper:
    before.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(raw),  # pyrefly: ignore [bad-specialization]
        encoding=before.encoding,
        errors=errors,
        line_buffering=raw.by_line or before.line_buffering or before.write_through,  # the last of these by python -u
    )


def _spell(error: UnicodeError) -> tuple[str, int]:
    """Characters that an encoding lacks, in ASCII."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_SPELLED.get(c) or c.encode("ascii", "backslashreplace").decode() for c in lacking), error.end
