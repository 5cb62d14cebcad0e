"""Equal results under different seeds: of a simulator that draws real numbers they were copied, or its seed is unused.

One good row under the names of sixty others moves an interval far, and every copy has a sound key. So trials of one
simulator that agree in every observable and curve are named, where one of these numbers is of the kind that no two
draws share. Simulators that draw nothing, or return counts and what follows from their parameters alone, say so
(`System.repeats`); equal results of theirs say nothing. Means of counts lie on a grid and meet on it: equal ones are
named only where so many have a chance below one in a million.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from sim.store.replays import bits_of
from sim.trials.trial import Trial

_DENOMINATOR = 10**5
"""A fraction with a smaller one may be a share of a count, which draws have in common."""
_FEW = 3
"""So many equal trials at different parameters, or two at the same, are named."""
_CHANCE = 1e-6
_ROUNDING = 1e-6
"""As a share of the largest value: values of a grid are no farther from it, computed in single precision."""
_OFF = 0.05
"""How far from a whole number of steps gaps of a grid may be."""
_LEAST_VALUES = 8
"""Draws that lie on no grid pass for a grid of so many values with a chance of 2 `_OFF` to the power of the gaps."""


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
    by_setting: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        system, result = trial.spec.system, trial.result
        if not (system.repeats or result.outcome.is_failure or "budget_seconds" in trial.spec.parameters):
            alike.setdefault((system.name, json.dumps([*result.observables.items()])), []).append(trial)
            by_setting.setdefault((system.name, _setting(trial)), []).append(trial)
    groups = [repeat for group in alike.values() if len(group) > 1 for repeat in _repeats_among(group)]
    found = [repeat for repeat in groups if not _meet_on_a_grid(repeat, by_setting)]
    return sorted(found, key=lambda repeat: -len(repeat.trials))


def copies_among(setting: Sequence[tuple[Trial, int]]) -> Iterator[str]:
    """Of all trials of one setting, each kind of result once with how often it came out: those that were copied."""
    n_trials = sum(count for _, count in setting)
    for trial, count in setting:
        if count < 2 or not (drawn := _drawn_of(trial)):
            continue
        values = [other.result.observables.get(drawn) for other, _ in setting]
        if not _may_meet(values, n_trials, count):
            yield Repeat((trial,) * count, drawn).words


def _drawn_of(trial: Trial) -> str:
    """An observable that no two draws share; "" where there is none, or equal results of its simulator say nothing."""
    if trial.spec.system.repeats or trial.result.outcome.is_failure:
        return ""
    return next((name for name, value in trial.result.observables.items() if _is_drawn(value, trial)), "")


def _may_meet(values: Iterable[object], n_trials: int, size: int) -> bool:
    """Whether values lie on a grid on which so many of the trials may well be equal."""
    n_places = places(value for value in values if isinstance(value, float))
    return n_places > 0 and math.comb(n_trials, size) / n_places ** (size - 1) >= _CHANCE


def _repeats_among(group: Sequence[Trial]) -> list[Repeat]:
    """Of trials with the same observables: those with the same curves, where chance does not explain them."""
    drawn = next((name for name, value in group[0].result.observables.items() if _is_drawn(value, group[0])), "")
    by_bits: dict[str, list[Trial]] = {}
    for trial in group if drawn else ():
        by_bits.setdefault(repr(sorted(bits_of(trial.result).items())), []).append(trial)
    return [Repeat(tuple(same), drawn) for same in by_bits.values() if _is_many(same)]


def _is_many(same: Sequence[Trial]) -> bool:
    settings = set(map(_setting, same))
    return len(settings) < len(same) or len(same) >= _FEW


def _setting(trial: Trial) -> str:
    return json.dumps(dict(sorted(trial.spec.parameters.items())))


def _meet_on_a_grid(repeat: Repeat, by_setting: Mapping[tuple[str, str], Sequence[Trial]]) -> bool:
    """Whether trials of one setting are equal because its values lie on a grid, where so many of them may well meet."""
    first = repeat.trials[0]
    settings = set(map(_setting, repeat.trials))
    every = by_setting[first.spec.system.name, _setting(first)]
    values = [trial.result.observables.get(repeat.observable) for trial in every]
    return len(settings) == 1 and _may_meet(values, len(every), len(repeat.trials))


def places(values: Iterable[float]) -> float:
    """Of the grid that values lie on, how many places they are drawn from, about; 0 where they lie on none.

    A fourth of those between the least and the largest: draws prefer the middle.
    """
    ordered = sorted(filter(math.isfinite, values))
    noise = _ROUNDING * max((abs(value) for value in ordered), default=0.0)
    gaps = [after - before for before, after in pairwise(ordered) if after - before > noise]
    if len(gaps) < _LEAST_VALUES - 1:
        return 0.0
    steps = [gap / min(gaps) for gap in gaps]
    if any(abs(step - round(step)) > _OFF for step in steps):
        return 0.0
    return max(1.0, sum(steps) / 4)


def _is_drawn(value: object, trial: Trial) -> bool:
    """Whether a number is of the kind that two draws do not share: no whole number, share of a count or parameter."""
    if not isinstance(value, float) or not math.isfinite(value) or value in trial.spec.parameters.values():
        return False
    return float(Fraction(value).limit_denominator(_DENOMINATOR)) != value
