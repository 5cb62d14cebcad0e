"""Whose fault it is when trials cannot be judged: a stranger's store may hold values that no simulator returns.

`sim.store.rows` checks that a row is well formed, and `Trial.number` and its like that a value is of its kind. What is
left are values of the right kind that make no sense together: curves of different lengths, a negative error. They
surface as an exception in the middle of an evaluation, which must end in one line that names the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sim.trials.errors import MissingValueError, StoreError, WrongKindError, printable
from sim.trials.trial import Trial
from theoremeter_papers import PaperError

if TYPE_CHECKING:
    import numpy as np


class Unjudgeable(StoreError):
    """Trials of one claim make no sense to its evidence; other claims may be judged all the same."""


@contextmanager
def blamed(trials: Sequence[Trial], evaluation: str) -> Iterator[None]:
    """Turn an error of an evaluation into Unjudgeable where its trials were read from a store.

    The error stays attached as the cause. Trials that were never stored are a programmer's, and so is their error.

    Args:
        evaluation: what is evaluated, in words.
    """
    try:
        yield
    except (MissingValueError, WrongKindError) as error:  # the part asks for what this simulator does not return
        raise Unjudgeable(f"{evaluation}: {error}") from error
    except (StoreError, PaperError):
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, Warning) as error:
        if not any(trial.origin for trial in trials):
            raise
        said = printable(f"{type(error).__name__}: {error}", most=200)
        raise Unjudgeable(f"{_suspect(trials)}: trials must make sense to {evaluation}, got {said}") from error


def _suspect(trials: Sequence[Trial]) -> str:
    """The trial that differs from most of its system in what it holds, or the first."""
    stored = [trial for trial in trials if trial.origin]
    forms = {trial.origin: (trial.spec.system.name, *_form(trial)) for trial in stored}
    frequent = Counter(forms.values())
    return min(stored, key=lambda trial: frequent[forms[trial.origin]]).origin


def _form(trial: Trial) -> tuple[object, ...]:
    """Names and kinds of a trial's observables, and whether its curves are as long as each other."""
    kinds = tuple(sorted((name, type(value).__name__) for name, value in trial.result.observables.items()))
    return kinds, _curve_form(trial.result.curves)


def _curve_form(curves: Mapping[str, np.ndarray]) -> tuple[object, ...]:
    dimensions = tuple(sorted((name, curve.ndim) for name, curve in curves.items()))
    return dimensions, len({curve.shape[:1] for curve in curves.values()})
