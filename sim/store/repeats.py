"""Equal results under different seeds: of a simulator that draws real numbers they were copied, or its seed is unused.

One good row under the names of sixty others moves an interval far, and every copy has a sound key. So trials of one
simulator that agree in every observable and curve are named, where one of these numbers is of the kind that no two
draws share. Simulators that draw nothing, or return counts and what follows from their parameters alone, say so
(`System.repeats`); equal results of theirs say nothing.

Means of counts, and whatever is computed from them, meet as well. A group of equal results is therefore named only
where no number of places explains it: draws that hit so few places that so many meet would, with a chance of all but
one in a million, not have left the other results as different as they are. Where the others are too few to say so, or
a setting shows that its results are counted and these lie at an end of them, nothing is said.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from sim.store.replays import bits_of
from sim.trials.trial import Trial

_DENOMINATOR = 10**5
"""A fraction with a smaller one may be a share of a count, which draws have in common."""
_CHANCE = 1e-6
_ROUNDING = 1e-6
"""As a share of the largest value: values of a grid are no farther from it, computed in single precision."""
_OFF = 0.05
"""How far from a whole number of steps gaps of a grid may be; those of no grid all are with 2 `_OFF` to their power."""
_LEAST_VALUES = 8
"""Fewer different results say nothing of how many there may be, nor of which are likely."""
_CONSTANT = 21
"""So many draws agree with a chance below `_CHANCE` where no value has one above 1/2."""
_STEP = 1.05
"""By what factor numbers of places are gone through."""


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
        declared = "a simulator that draws nothing, or returns counts, says System(repeats=True)"
        return f"{of} have the same results under different seeds ({value}); {declared}"


@dataclass(frozen=True)
class Spread:
    """How often each result of a setting, or of a simulator, came out."""

    counts: Counter[str]

    @cached_property
    def n_trials(self) -> int:
        """How many trials."""
        return self.counts.total()

    @cached_property
    def _largest(self) -> list[tuple[str, int]]:
        return self.counts.most_common(4)

    @cached_property
    def tied(self) -> set[str]:
        """Results that came out more than once."""
        return {name for name, count in self.counts.items() if count > 1}

    def without(self, name: str) -> tuple[int, int, int]:
        """Of the other results: trials, different ones, and how often the third most frequent of them came out.

        The third, since whoever copies two rows must not have either explain the other.
        """
        others = [count for other, count in self._largest if other != name]
        third = others[2] if len(others) > 2 else min(others, default=0)
        return self.n_trials - self.counts[name], len(self.counts) - (name in self.counts), third

    def ties_without(self, name: str) -> bool:
        """Whether other results meet, which shows that they are counted (or copied)."""
        n_trials, n_values, _ = self.without(name)
        return n_values < n_trials

    def explains(self, name: str, size: int) -> bool:
        """Whether so many equal results may be due to chance, or too few others are there to say."""
        n_trials, n_values, third = self.without(name)
        return n_values < _LEAST_VALUES or chance_of(size, n_trials, n_values, third) >= _CHANCE


def repeats(trials: Iterable[Trial]) -> list[Repeat]:
    """Groups of finished trials that have the same results, the largest first."""
    systems: dict[str, list[Trial]] = {}
    for trial in trials:
        system, result = trial.spec.system, trial.result
        if not (system.repeats or result.outcome.is_failure or "budget_seconds" in trial.spec.parameters):
            systems.setdefault(system.name, []).append(trial)
    found = [repeat for own in systems.values() for repeat in _repeats_of(own)]
    return sorted(found, key=lambda repeat: -len(repeat.trials))


def copies_among(setting: Sequence[tuple[Trial, int]]) -> Iterator[str]:
    """Of all trials of one setting, each kind of result once with how often it came out: those that were copied."""
    counts: Counter[str] = Counter()
    for trial, count in setting:
        counts[_written(trial)] += count
    spread, trials = Spread(counts), [trial for trial, _ in setting]
    for trial, count in setting:
        drawn, name = _drawn_of(trial) if count > 1 else "", _written(trial)
        if not drawn or spread.explains(name, count):
            continue
        if not (spread.ties_without(name) and _is_least_or_largest(trial, drawn, trials)):
            yield Repeat((trial,) * count, drawn).words


@dataclass(frozen=True, eq=False)
class SimulatorTrials:
    """The trials of one simulator, by setting, with what is asked of all of them for each group of equal ones."""

    trials: Sequence[Trial]

    @cached_property
    def settings(self) -> dict[str, list[Trial]]:
        """The trials of each setting."""
        found: dict[str, list[Trial]] = {}
        for trial in self.trials:
            found.setdefault(_setting(trial), []).append(trial)
        return found

    @cached_property
    def spreads(self) -> dict[str, Spread]:
        """How often each result came out at each setting."""
        return {setting: Spread(Counter(map(_written, own))) for setting, own in self.settings.items()}

    @cached_property
    def whole(self) -> Spread:
        """How often each result came out at any setting."""
        return Spread(Counter(map(_written, self.trials)))

    @cached_property
    def tied(self) -> set[str]:
        """Results that came out more than once at some setting."""
        return {name for spread in self.spreads.values() for name in spread.tied}

    @cached_property
    def is_constant(self) -> bool:
        """Whether every setting has one result, and so many trials agree with it that no chance explains it."""
        n_equal = sum(spread.n_trials - 1 for spread in self.spreads.values())
        return n_equal >= _CONSTANT - 1 and all(len(spread.counts) == 1 for spread in self.spreads.values())


def _repeats_of(trials: Sequence[Trial]) -> Iterator[Repeat]:
    """Groups among the trials of one simulator."""
    alike: dict[str, list[Trial]] = {}
    for trial in trials:
        alike.setdefault(_written(trial), []).append(trial)
    groups = [repeat for group in alike.values() if len(group) > 1 for repeat in _repeats_among(group)]
    own = SimulatorTrials(trials)
    yield from (repeat for repeat in groups if own.is_constant or not _may_meet(repeat, own))


def _may_meet(repeat: Repeat, own: SimulatorTrials) -> bool:
    """Whether chance explains a group: within settings whose results are counted, or among all that it touches.

    A setting that has few other results is no evidence where those of the simulator are counted, which three that meet
    show: it may be one where counts are at their end. Where a group is at the end of all, one or a grid shows it.
    """
    first = repeat.trials[0]
    name = _written(first)
    clumps = Counter(map(_setting, repeat.trials))
    n_tied = len(own.tied - {name})
    counted = n_tied > 2 or (
        _is_least_or_largest(first, repeat.observable, own.trials)
        and (n_tied > 0 or is_on_a_grid(_numbers(own.trials, repeat.observable)))
    )
    unexplained = 0
    for setting, size in clumps.items():
        spread = own.spreads[setting]
        is_small = spread.without(name)[1] < _LEAST_VALUES
        if spread.ties_without(name):
            at_an_end = _is_least_or_largest(first, repeat.observable, own.settings[setting])
            explained = at_an_end or spread.explains(name, size)
        else:
            explained = is_small and counted
        unexplained += 0 if explained else size
    size = unexplained + (unexplained < len(repeat.trials))
    if size < 2:
        return True
    touched = Spread(sum((own.spreads[setting].counts for setting in clumps), Counter()))
    if touched.without(name)[1] >= _LEAST_VALUES and touched.explains(name, size):
        return True
    return own.whole.explains(name, size)


def _is_least_or_largest(trial: Trial, observable: str, among: Iterable[Trial]) -> bool:
    """Whether a result has this observable at an end of where it lies, where counts that have an end pile up."""
    numbers = _numbers(among, observable)
    return trial.result.observables[observable] in (min(numbers), max(numbers))


def _numbers(trials: Iterable[Trial], observable: str) -> list[float]:
    values = (trial.result.observables.get(observable) for trial in trials)
    return [value for value in values if isinstance(value, float) and math.isfinite(value)]


def is_on_a_grid(values: Iterable[float]) -> bool:
    """Whether values are whole steps apart, as means of counts are: as many as draws of another kind seldom are."""
    ordered = sorted(values)
    noise = _ROUNDING * max(map(abs, ordered), default=0.0)
    gaps = [after - before for before, after in pairwise(ordered) if after - before > noise]
    steps = [gap / min(gaps) for gap in gaps]
    return len(gaps) >= _LEAST_VALUES - 1 and all(abs(step - round(step)) <= _OFF for step in steps)


def _drawn_of(trial: Trial) -> str:
    """An observable that no two draws share; "" where there is none, or equal results of its simulator say nothing."""
    if trial.spec.system.repeats or trial.result.outcome.is_failure:
        return ""
    return next((name for name, value in trial.result.observables.items() if _is_drawn(value, trial)), "")


def _repeats_among(group: Sequence[Trial]) -> list[Repeat]:
    """Of trials with the same observables: those with the same curves."""
    drawn = _drawn_of(group[0])
    by_bits: dict[str, list[Trial]] = defaultdict(list)
    for trial in group if drawn else ():
        by_bits[repr(sorted(bits_of(trial.result).items()))].append(trial)
    return [Repeat(tuple(same), drawn) for same in by_bits.values() if len(same) > 1]


def _setting(trial: Trial) -> str:
    return json.dumps(dict(sorted(trial.spec.parameters.items())))


def _written(trial: Trial) -> str:
    return json.dumps([*trial.result.observables.items()])


def chance_of(size: int, n_others: int, n_values: int, third: int = 1) -> float:
    """The chance, at most, that so many draws are equal while the others are so different, whatever their places.

    Places are equally likely, and as many as make the chance largest; where others meet, as likely as the third most
    frequent result if that is more. C(n, size) p^(size - 1) bounds the chance of a group. That draws have at most c
    collisions has, by Chernoff's bound, one of at most exp(-(m - c) + c log(m / c)), m = (n - c)^2 / (2 places),
    where m > c: before the i-th of them at least i - 1 - c places are taken.
    """
    n = n_others + size
    ways = math.lgamma(n + 1) - math.lgamma(size + 1) - math.lgamma(n_others + 1)
    collisions = n_others - n_values
    likely = math.log(third / n_others) if third > 1 else -math.inf
    worst, n_places = -math.inf, n_values + 1.0
    while n_places < 4.0 * n * n:
        group = min(0.0, ways + (size - 1) * max(-math.log(n_places), likely))
        mean = max(0, n_values - 1) * n_values / (2 * n_places)
        spread = 0.0
        if mean > collisions:
            spread = collisions - mean + (collisions * math.log(mean / collisions) if collisions else 0.0)
        worst = max(worst, group + spread)
        n_places *= _STEP
    return math.exp(worst)


def _is_drawn(value: object, trial: Trial) -> bool:
    """Whether a number is of the kind that two draws do not share: no whole number, share of a count or parameter."""
    if not isinstance(value, float) or not math.isfinite(value) or value in trial.spec.parameters.values():
        return False
    return float(Fraction(value).limit_denominator(_DENOMINATOR)) != value
