"""What a command says beside its result, on stderr: nothing with `--quiet`, apart from what went wrong.

A note is about what was done or left out. An error, a trial that failed or a broken claim is no note, and is said
either way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from checks.report.escape import MAX_LINE, plain

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_heard: ContextVar[list[str] | None] = ContextVar("heard", default=None)


@contextmanager
def quieted(quiet: bool) -> Iterator[None]:
    """Say no notes within a block, where `quiet`."""
    token = _quiet.set(quiet)
    try:
        yield
    finally:
        _quiet.reset(token)


def is_quiet() -> bool:
    """Whether notes, and with them progress, are left out."""
    return _quiet.get()


@contextmanager
def heard() -> Iterator[list[str]]:
    """Yield a list of the notes within a block, those that `quieted` leaves unsaid as well."""
    lines: list[str] = []
    token = _heard.set(lines)
    try:
        yield lines
    finally:
        _heard.reset(token)


def note(line: str) -> None:
    """Say a line on stderr, unless notes are left out."""
    if (lines := _heard.get()) is not None:
        lines.append(line)
    if not _quiet.get():
        print(plain(line, MAX_LINE), file=sys.stderr, flush=True)
