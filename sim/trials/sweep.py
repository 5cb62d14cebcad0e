"""A sweep: the trials of a grid. Points are explicit: tied parameters (alpha_# = 1/2 - alpha_*) need no language.

Neither a grid nor the trials of sweeps are lists: both are counted, and any of them is made, without the others. So a
sweep of 10^8 trials costs what its axes cost.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, overload

from sim.trials.trial import Parameters, Scalar, System, TrialSpec

Item = TypeVar("Item", covariant=True)
MANY_TRIALS = 1_000_000
KEPT_TRIALS = 20_000
"""Fewer trials of a sweep are made once and kept."""
MOST_TRIALS = 10**12
"""Of a sweep; nobody runs so many."""


class Counted(Sequence[Item], Generic[Item]):
    """Items by their number, made when they are asked for. A slice is a list, as is what is added to another."""

    def _item(self, number: int) -> Item:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...

    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self._item(number) for number in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        if not 0 <= number < len(self):
            raise IndexError(f"number must be below {len(self)}, got {index}")
        return self._item(number)

    def __iter__(self) -> Iterator[Item]:
        return map(self._item, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Iterable[Any]) -> Sequence[Any]:
        return [*self, *other]

    def __radd__(self, other: Iterable[Any]) -> Sequence[Any]:
        return [*other, *self]

    def __mul__(self, times: int) -> Sequence[Any]:
        return [*self] * times

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {len(self)}"


class Grid(Counted[Parameters]):
    """The cartesian product of named axes, last axis fastest."""

    def __init__(self, axes: Mapping[str, Iterable[Scalar]]) -> None:
        self.axes = {name: values if isinstance(values, range) else tuple(values) for name, values in axes.items()}
        self._len = math.prod(map(len, self.axes.values()))
        if self._len > MOST_TRIALS:
            raise ValueError(f"a grid must have at most {MOST_TRIALS} points, got {self._len}")

    def __len__(self) -> int:
        return self._len

    def _item(self, number: int) -> Parameters:
        found = []
        for name, values in reversed(self.axes.items()):
            number, place = divmod(number, len(values))
            found.append((name, values[place]))
        return dict(reversed(found))

    def __iter__(self) -> Iterator[Parameters]:
        return (dict(zip(self.axes, values, strict=True)) for values in itertools.product(*self.axes.values()))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Grid) and self.axes == other.axes and [*self.axes] == [*other.axes]:
            return True
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Iterable[Any]) -> Sequence[Any]:
        return (*self, *other)

    def __radd__(self, other: Iterable[Any]) -> Sequence[Any]:
        return (*other, *self)


class Specs(Counted[TrialSpec]):
    """Trials of several sequences, one after the other, each made when it is asked for."""

    def __init__(self, parts: Iterable[Sequence[TrialSpec]]) -> None:
        self.parts = tuple(part for part in parts if len(part))
        self._ends = tuple(itertools.accumulate(map(len, self.parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _item(self, number: int) -> TrialSpec:
        place = bisect.bisect_right(self._ends, number)
        return self.parts[place][number - (self._ends[place - 1] if place else 0)]

    def __iter__(self) -> Iterator[TrialSpec]:
        return itertools.chain.from_iterable(self.parts)


@dataclass(frozen=True)
class Sweep:
    """`replicates` trials of `system` at every point; `fixed` parameters are shared, a point's own ones win.

    Replicates count from `first_replicate`: from 40 on, they are fresh where 40 have been looked at.
    """

    system: System
    points: Sequence[Parameters]
    fixed: Parameters = field(default_factory=dict)
    replicates: int = 1
    first_replicate: int = 0

    def specs(self) -> Sequence[TrialSpec]:
        """Every trial of the sweep, replicates of one point side by side."""
        return self._specs

    @functools.cached_property
    def _specs(self) -> OfSweep:
        """Those of few are made once, since each knows its identity from the second time on."""
        return OfSweep(self)

    @property
    def names(self) -> set[frozenset[str]]:
        """The names that points set, once each; of a grid they are those of its axes."""
        if isinstance(self.points, Grid):
            return {frozenset(self.points.axes)} if len(self.points) else set()
        return {frozenset(point) for point in self.points}

    def values(self) -> Iterator[tuple[str, Scalar]]:
        """Names with values that they are given, `fixed` first: all kinds of values, not every number of a range."""
        yield from self.fixed.items()
        if isinstance(self.points, Grid):
            for name, values in self.points.axes.items():
                yield from ((name, value) for value in (values[:1] if isinstance(values, range) else values))
        else:
            yield from (item for point in self.points for item in point.items())

    def sample(self, most: int) -> Iterator[Parameters]:
        """The points; of a larger grid than `most` those that differ in one axis from the first, some of each axis."""
        if not isinstance(self.points, Grid) or len(self.points) <= most:
            yield from self.points
            return
        first = self.points[0]
        yield first
        for name, values in self.points.axes.items():
            step = -(-len(values) * len(self.points.axes) // most)
            yield from ({**first, name: value} for value in values[1::step])


class OfSweep(Counted[TrialSpec]):
    """The trials of one sweep; replicates of a point share its parameters."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self._made: tuple[TrialSpec, ...] | None = None

    def __len__(self) -> int:
        return len(self.sweep.points) * self.sweep.replicates

    def _item(self, number: int) -> TrialSpec:
        if len(self) < KEPT_TRIALS:
            return self._all()[number]
        place, replicate = divmod(number, self.sweep.replicates)
        first = self.sweep.first_replicate
        return TrialSpec(self.sweep.system, {**self.sweep.fixed, **self.sweep.points[place]}, first + replicate)

    def __iter__(self) -> Iterator[TrialSpec]:
        return iter(self._all()) if len(self) < KEPT_TRIALS else self._each()

    def _all(self) -> tuple[TrialSpec, ...]:
        if self._made is None:
            self._made = tuple(self._each())
        return self._made

    def _each(self) -> Iterator[TrialSpec]:
        first = self.sweep.first_replicate
        numbers = range(first, first + self.sweep.replicates)
        for point in self.sweep.points:
            asked = {**self.sweep.fixed, **point}
            yield from (TrialSpec(self.sweep.system, asked, number) for number in numbers)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, OfSweep) and self.sweep == other.sweep:
            return True
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]


def grid(**axes: Iterable[Scalar]) -> Grid:
    """The cartesian product of named axes, last axis fastest."""
    return Grid(axes)


def shard_of(specs: Sequence[TrialSpec], part: int, parts: int) -> Sequence[TrialSpec]:
    """Those trials that are the k-th part of several: by their seeds, so that claims share them as ever.

    Of a sweep of a million and more, by their numbers: nobody looks at all others to find out.
    """
    if isinstance(specs, Specs):
        return Specs(shard_of(some, part, parts) for some in specs.parts)
    if isinstance(specs, OfSweep) and len(specs) >= MANY_TRIALS:
        return Numbered(specs, range(part - 1, len(specs), parts))
    return [spec for spec in specs if spec.seed % parts == part - 1]


class Numbered(Counted[TrialSpec]):
    """Some trials of a sequence, by their numbers there."""

    def __init__(self, specs: Sequence[TrialSpec], numbers: range) -> None:
        self._specs, self._numbers = specs, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def _item(self, number: int) -> TrialSpec:
        return self._specs[self._numbers[number]]


def settings_in(specs: Sequence[TrialSpec]) -> Iterator[TrialSpec]:
    """The first trial of each point of sweeps, and every trial of a list."""
    if isinstance(specs, Specs):
        yield from (spec for part in specs.parts for spec in settings_in(part))
    elif isinstance(specs, OfSweep):
        yield from (TrialSpec(spec.system, spec.parameters) for spec in replace(specs.sweep, replicates=1).specs())
    else:
        yield from specs


def replicates_in(specs: Sequence[TrialSpec]) -> Iterator[tuple[System, Parameters, int]]:
    """The points of sweeps, with how many replicates each is asked for.

    Raises:
        TypeError: there are trials that belong to no sweep, or one whose replicates do not begin at 0.
    """
    if isinstance(specs, Specs):
        for part in specs.parts:
            yield from replicates_in(part)
    elif isinstance(specs, OfSweep):
        sweep = specs.sweep
        if sweep.first_replicate:
            raise TypeError(f"replicates that are counted must begin at 0, got {sweep.first_replicate}")
        yield from ((sweep.system, {**sweep.fixed, **point}, sweep.replicates) for point in sweep.points)
    elif specs:
        raise TypeError(f"trials must be those of sweeps, got a list of {len(specs)}")


def are_swept(specs: Sequence[TrialSpec]) -> bool:
    """Whether trials are those of sweeps, and not a list."""
    return all(map(are_swept, specs.parts)) if isinstance(specs, Specs) else isinstance(specs, OfSweep)


def begins_later(specs: Sequence[TrialSpec]) -> bool:
    """Whether replicates of a sweep do not begin at 0."""
    if isinstance(specs, Specs):
        return any(map(begins_later, specs.parts))
    return isinstance(specs, OfSweep) and specs.sweep.first_replicate > 0


def systems_in(specs: Sequence[TrialSpec]) -> set[System]:
    """The simulators of trials."""
    if isinstance(specs, Specs):
        return {system for part in specs.parts for system in systems_in(part)}
    return {specs.sweep.system} if isinstance(specs, OfSweep) else {spec.system for spec in specs}
