"""Equal results under different seeds: of a simulator that draws real numbers they were copied, or its seed is unused.

One good row under the names of sixty others moves an interval far, and every copy has a sound key. So trials of one
simulator that agree in every observable and curve are named, where one of these numbers is of the kind that no two
draws share. Simulators that draw nothing, or return counts and what follows from their parameters alone, say so
(`System.repeats`); equal results of theirs say nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sim.store.replays import bits_of
from sim.trials.trial import Trial

_DENOMINATOR = 10**5
"""A fraction with a smaller one may be a share of a count, which draws have in common."""
_FEW = 3
"""So many equal trials at different parameters, or two at the same, are named."""


@dataclass(frozen=True)
class Repeat:
    """Trials of one simulator that have the same results under different seeds, and an observable that none shares."""

    trials: tuple[Trial, ...]
    observable: str

    @property
    def words(self) -> str:
        """As a command says it."""
        first = self.trials[0]
        value = f"{self.observable} = {first.result.observables[self.observable]}"
        of = f"{len(self.trials)} trials of {first.spec.system.name}"
        return f"{of} have the same results under different seeds ({value})"


def repeats(trials: Iterable[Trial]) -> list[Repeat]:
    """Groups of finished trials that have the same results, the largest first."""
    alike: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        system, result = trial.spec.system, trial.result
        if not (system.repeats or result.outcome.is_failure or "budget_seconds" in trial.spec.parameters):
            alike.setdefault((system.name, json.dumps([*result.observables.items()])), []).append(trial)
    found = [repeat for group in alike.values() if len(group) > 1 for repeat in _repeats_among(group)]
    return sorted(found, key=lambda repeat: -len(repeat.trials))


def _repeats_among(group: Sequence[Trial]) -> list[Repeat]:
    """Of trials with the same observables: those with the same curves, where chance does not explain them."""
    drawn = next((name for name, value in group[0].result.observables.items() if _is_drawn(value, group[0])), "")
    by_bits: dict[str, list[Trial]] = {}
    for trial in group if drawn else ():
        by_bits.setdefault(repr(sorted(bits_of(trial.result).items())), []).append(trial)
    return [Repeat(tuple(same), drawn) for same in by_bits.values() if _is_many(same)]


def _is_many(same: Sequence[Trial]) -> bool:
    settings = {json.dumps(dict(sorted(trial.spec.parameters.items()))) for trial in same}
    return len(settings) < len(same) or len(same) >= _FEW


def _is_drawn(value: object, trial: Trial) -> bool:
    """Whether a number is of the kind that two draws do not share: no whole number, share of a count or parameter."""
    if not isinstance(value, float) or not math.isfinite(value) or value in trial.spec.parameters.values():
        return False
    return float(Fraction(value).limit_denominator(_DENOMINATOR)) != value
