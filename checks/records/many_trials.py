"""Very many trials of few kinds: those that a part cannot tell apart stand as one, with how many they are.

Whoever judges trials takes a sequence of them. `Many` is one whose length and items are those of all trials; functions
that look at each by itself take it by `each`, `number`, `kept` and `split`, and cost what its kinds cost.
"""

from __future__ import annotations

import bisect
import itertools
import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import overload

from sim.trials.trial import Trial


class Many(Sequence[Trial]):
    """Trials, each kind of them once in `kinds`, and how many are of it in `counts`."""

    def __init__(self, kinds: Sequence[Trial], counts: Sequence[int]) -> None:
        self.kinds, self.counts = tuple(kinds), tuple(counts)
        self._ends = tuple(itertools.accumulate(self.counts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Trial: ...

    @overload
    def __getitem__(self, index: slice) -> list[Trial]: ...

    def __getitem__(self, index: int | slice) -> Trial | list[Trial]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"place must be below {len(self)}, got {index}")
        return self.kinds[bisect.bisect_right(self._ends, place)]

    def __iter__(self) -> Iterator[Trial]:
        for trial, count in zip(self.kinds, self.counts, strict=True):
            yield from itertools.repeat(trial, count)


def each(trials: Sequence[Trial]) -> Sequence[Trial]:
    """Every trial, or of many every kind."""
    return trials.kinds if isinstance(trials, Many) else trials


def numbers(trials: Sequence[Trial]) -> Sequence[int]:
    """How many trials stand behind each of `each`."""
    return trials.counts if isinstance(trials, Many) else [1] * len(trials)


def number(trials: Sequence[Trial], condition: Callable[[Trial], object]) -> int:
    """How many trials meet a condition."""
    return sum(count for trial, count in zip(each(trials), numbers(trials), strict=True) if condition(trial))


def seconds_of(trials: Sequence[Trial]) -> float:
    """What they took together."""
    return sum(trial.seconds * count for trial, count in zip(each(trials), numbers(trials), strict=True))


def seconds_by_size(trials: Sequence[Trial], parameter: str) -> dict[float, float]:
    """Median CPU seconds of a trial by a parameter that is a number > 0; none where it is not, at one of them."""
    found: dict[float, list[float]] = {}
    for trial in each(trials):
        size = trial.spec.parameters.get(parameter)
        if isinstance(size, bool | str | None) or not 0 < size < math.inf:
            return {}
        found.setdefault(float(size), []).append(trial.seconds)
    return {size: statistics.median(seconds) for size, seconds in sorted(found.items())}


def split(trials: Sequence[Trial], condition: Callable[[Trial], object]) -> tuple[Sequence[Trial], Sequence[Trial]]:
    """Those that meet a condition, which is asked once of each, and the others."""
    answers = [bool(condition(trial)) for trial in each(trials)]
    return _those(trials, answers), _those(trials, [not answer for answer in answers])


def kept(trials: Sequence[Trial], condition: Callable[[Trial], object]) -> Sequence[Trial]:
    """Those that meet a condition."""
    return split(trials, condition)[0]


def by_setting(trials: Sequence[Trial]) -> list[Sequence[Trial]]:
    """Trials of each parameter setting, settings in the order of their first."""
    places: dict[str, list[int]] = {}
    found = each(trials)
    for place, trial in enumerate(found):
        places.setdefault(repr(sorted(trial.spec.parameters.items())), []).append(place)
    if not isinstance(trials, Many):
        return [[found[place] for place in some] for some in places.values()]
    return [
        Many([found[place] for place in some], [trials.counts[place] for place in some]) for some in places.values()
    ]


def _those(trials: Sequence[Trial], wanted: Sequence[bool]) -> Sequence[Trial]:
    if isinstance(trials, Many):
        return Many(list(itertools.compress(trials.kinds, wanted)), list(itertools.compress(trials.counts, wanted)))
    return list(itertools.compress(trials, wanted))
