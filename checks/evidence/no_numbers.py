"""Runs that gave NaN where a part asks for a number: whether its own fields ask, or a function that its author wrote.

`NaN < 1` is False, so a criterion that compares an observable would take a run that gave no number for one that fails.
Such a run is read here with numbers that refuse to be compared. A function that asks `isnan` first knows what NaN means
in its paper, and compares nothing: its run is none that is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from checks.evidence.later import np
from checks.records.many_trials import split
from sim.trials.trial import Outcome, Trial

NUMBERS = "observable", "first", "second", "reference", "exact", "count", "total", "success", "finished", "given"
"""Fields of a part that name observables whose values it compares."""


class ComparedNumbers(ArithmeticError):
    """A number that is none was compared."""


class _NoNumber(float):
    """NaN, or what was computed from it; comparing it says nothing and raises `ComparedNumbers`."""

    __slots__ = ()
    __hash__ = float.__hash__

    def _compared(self, other: object) -> bool:
        raise ComparedNumbers

    def _computed(self, *others: object) -> _NoNumber:
        return _NONE

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _compared  # pyrefly: ignore
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _computed  # pyrefly: ignore
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = _computed  # pyrefly: ignore


_NONE = _NoNumber("nan")


class _ReadNumber(Trial):
    """A trial whose numbers that are none refuse to be compared."""

    def number(self, name: str) -> float:
        value = super().number(name)
        return _NONE if math.isnan(value) else value


def gave_no_number(part: Any, trial: Trial) -> bool:
    """Whether a run gave NaN where a part compares; one that diverged or was cut off is not asked."""
    finished = getattr(part, "finished", None)
    if trial.result.outcome is Outcome.DIVERGED or (finished and trial.result.observables.get(finished) is False):
        return False
    if getattr(part, "knows_nan", False):
        return False
    seen = trial.result.observables
    # A run without NaN is asked for nothing: a control may lack what its part reads of others.
    if any(map(_is_nan, seen.values())) and (
        any(_is_nan(seen.get(name)) for name in _named(part)) or _compares(part.asks, trial)
    ):
        return True
    curve = trial.result.curves.get(part.observable) if getattr(part, "draws", None) else None
    return curve is not None and bool(np.isnan(np.asarray(curve, dtype=float)).any())


def without_number(part: Any, trials: Sequence[Trial]) -> tuple[Sequence[Trial], Sequence[Trial]]:
    """The trials that gave NaN where a part compares, and the others."""
    return split(trials, lambda trial: gave_no_number(part, trial))


def _named(part: object) -> Iterator[str]:
    for field in NUMBERS:
        name = getattr(part, field, None)
        if name and isinstance(name, str):
            yield name


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _compares(asks: Callable[[Trial], object], trial: Trial) -> bool:
    """Whether what a part asks of a trial compares a number that is none."""
    try:
        asks(_ReadNumber(**{own.name: getattr(trial, own.name) for own in fields(trial)}))
    except ComparedNumbers:
        return True
    return False
