"""How long a plan may compute: CPU seconds of this process, so that it does not matter who else is at work here."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_until: ContextVar[float | None] = ContextVar("until", default=None)


class OutOfTime(Exception):
    """What was to be computed would end later than is allowed."""


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Allow so many CPU seconds from now on, or any number."""
    token = _until.set(None if seconds is None else time.process_time() + seconds)
    try:
        yield
    finally:
        _until.reset(token)


def is_over() -> bool:
    """Whether the time that is allowed has passed."""
    until = _until.get()
    return until is not None and time.process_time() >= until


def go_on() -> None:
    """Raise OutOfTime where it has."""
    if is_over():
        raise OutOfTime
