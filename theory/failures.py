"""Failures of our own code within a search: counted by step and type, named where a statement stays open.

A search asks many steps, and a step that fails must not end the others. But a misspelt attribute must not pass for a
step that does not apply either: each failure is kept with the line that raised it, and `Failures.are_raised` lets it
through. The tests turn that on, so that no failure of a step is missed there. What sympy, scipy or a function compiled
from a formula is known to raise is caught where it is called, by name, and is no failure.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import ClassVar


@dataclass(frozen=True)
class Failure:
    """A step of a search that failed.

    Attributes:
        step: what was tried, by its name in the search.
        kind: the type of the exception.
        count: how often.
        place: module and line that raised the first one.
        message: what that one said, in one line.
    """

    step: str
    kind: str
    count: int
    place: str
    message: str

    def __str__(self) -> str:
        times = "once" if self.count == 1 else f"{self.count} times"
        return f"{self.step} failed {times} with {self.kind}, first at {self.place}: {self.message}"


class Failures:
    """The failures of one search.

    Attributes:
        are_raised: whether a failure ends the search instead; for tests.
    """

    are_raised: ClassVar[bool] = False

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Failure] = {}

    def listed(self) -> tuple[Failure, ...]:
        """Every kind of failure of every step, the most frequent first."""
        return tuple(sorted(self._known.values(), key=lambda failure: -failure.count))

    def add(self, step: str, error: Exception) -> None:
        """Count one."""
        kind = type(error).__name__
        known = self._known.get((step, kind)) or Failure(step, kind, 0, _place(error), _line(error))
        self._known[step, kind] = replace(known, count=known.count + 1)


_RECORDER: ContextVar[Failures | None] = ContextVar("failures", default=None)


@contextmanager
def recorded() -> Iterator[Failures]:
    """Where the failures of what is done here are counted; of a search within another, with those of the outer one."""
    outer = _RECORDER.get()
    failures = Failures() if outer is None else outer
    token = _RECORDER.set(failures)
    try:
        yield failures
    finally:
        _RECORDER.reset(token)


@contextmanager
def caught(step: str, *answers: type[Exception]) -> Iterator[None]:
    """Count a failure of a step and go on after it. Raises it where no search counts, or failures are to be raised.

    `answers` are no failures and go through, as do the ends of a limit, of time or of the stack.
    """
    try:
        yield
    except (TimeoutError, RecursionError, *answers):
        raise
    except Exception as error:
        count(step, error)


def count(step: str, error: Exception) -> None:
    """Count a failure of a step, or raise it, as `caught` does."""
    failures = _RECORDER.get()
    if failures is None or failures.are_raised:
        raise error
    failures.add(step, error)


def _place(error: Exception) -> str:
    """Module and line that raised an exception."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{'/'.join(frames[-1].filename.split('/')[-3:])}:{frames[-1].lineno}"


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
