"""How long a plan may compute: CPU seconds of this process, so that it does not matter who else is at work here."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

_until: ContextVar[float | None] = ContextVar("until", default=None)


class OutOfTime(Exception):
    """What was to be computed would end later than is allowed."""


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Allow so many CPU seconds from now on, or any number; never more than are allowed already."""
    ends = [_until.get(), None if seconds is None else time.process_time() + seconds]
    token = _until.set(min((end for end in ends if end is not None), default=None))
    try:
        yield
    finally:
        _until.reset(token)


def is_over() -> bool:
    """Whether the time that is allowed has passed."""
    until = _until.get()
    return until is not None and time.process_time() >= until


def share(among: int) -> AbstractContextManager[None]:
    """Allow an equal share, among so many, of what is left."""
    until = _until.get()
    return within(None if until is None else max(until - time.process_time(), 0.0) / among)


def go_on() -> None:
    """Raise OutOfTime where it has."""
    if is_over():
        raise OutOfTime
