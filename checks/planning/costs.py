"""What trials cost on this machine, by grid point: medians of the stored ones, predictions where there are none.

A prediction is the simulator's cost model (`checks.planning.cost_model`) at the point's parameters, for as many steps
as they say or, where a trial may stop early, as a power law through the steps of the stored points does; and as much
higher or lower as the model is off at those points. Where a simulator has no model, it is a power law through the
seconds themselves: that through all of them or, beyond them, that through the near half of the axis, whichever says
more, since what a trial takes at small sizes is not its work; and at least what is left without that
(`checks.records.cost_of_sizes`). How far beyond what was measured is said.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from checks.evidence.part import Part
from checks.planning.cost_model import CostModel
from checks.records.cost_of_sizes import seconds_beyond
from checks.records.preset import Preset
from sim.store.fingerprint import key
from sim.trials.trial import Parameters, Trial, TrialSpec

Place = tuple[float, int]
"""Axis value and size of a grid point; 0 where a part has none."""


@dataclass(frozen=True)
class Costs:
    """What the trials of one part cost.

    Attributes:
        seconds: median CPU seconds by grid point.
        counts: stored trials by grid point.
        steps: median steps by grid point, where the model counts any.
        examples: parameters of one trial of each grid point.
        model: the simulator's cost model.
    """

    part: Part
    seconds: Mapping[Place, float]
    counts: Mapping[Place, int]
    steps: Mapping[Place, float] = field(default_factory=dict)
    examples: Mapping[Place, Parameters] = field(default_factory=dict)
    model: CostModel | None = None

    @classmethod
    def of(cls, part: Part, trials: Sequence[Trial], model: CostModel | None = None) -> Costs:
        """Costs of a part's trials."""
        groups: dict[Place, list[Trial]] = {}
        for trial in trials:
            groups.setdefault(place(part, trial.spec.parameters), []).append(trial)
        taken = model.steps_taken if model else None
        return cls(
            part,
            {point: statistics.median(trial.seconds for trial in group) for point, group in groups.items()},
            {point: len(group) for point, group in groups.items()},
            {point: statistics.median(map(taken, group)) for point, group in groups.items()} if taken else {},
            {point: group[0].spec.parameters for point, group in groups.items()},
            model,
        )

    def by_point(self) -> dict[float, float]:
        """Median seconds by axis value, over sizes the mean."""
        values: dict[float, list[float]] = {}
        for (value, _), seconds in self.seconds.items():
            values.setdefault(value, []).append(seconds)
        return {value: statistics.fmean(group) for value, group in values.items()}

    def stored(self, value: float, size: int) -> int:
        """Trials of a point that need not be run again."""
        return self.counts.get((value, size), 0)

    def is_measured(self, value: float, size: int) -> bool:
        """Whether trials of a point are stored; otherwise its cost is predicted."""
        return (value, size) in self.seconds

    def at(self, value: float, size: int) -> float:
        """CPU seconds of a trial at a point."""
        if (value, size) in self.seconds:
            return self.seconds[value, size]
        predicted = self._by_model(self._parameters((value, size)), (value, size))
        return _extrapolated(self.seconds, (value, size)) if predicted is None else predicted

    def beyond(self, value: float, size: int) -> float:
        """How many times beyond what is stored a power law alone tells a point's seconds; 1 where it need not."""
        if self.is_measured(value, size) or not self.seconds:
            return 1.0
        if self._by_model(self._parameters((value, size)), (value, size)) is not None:
            return 1.0
        return _beyond(self.seconds, (value, size))

    def spec_beyond(self, spec: TrialSpec) -> float:
        """The same of a trial that is not stored."""
        point = place(self.part, spec.parameters)
        is_told = self.has_measured(spec) or self._by_model(spec.parameters, point) is not None
        return 1.0 if is_told or not self._is_on_grid(spec.parameters) else _beyond(self.seconds, point)

    def has_measured(self, spec: TrialSpec) -> bool:
        """Whether replicates of a trial are stored: presets share grid points at other sizes."""
        return spec.parameters == self.examples.get(place(self.part, spec.parameters))

    def of_spec(self, spec: TrialSpec) -> float:
        """CPU seconds of a trial; infinite where nothing is known of its kind."""
        point = place(self.part, spec.parameters)
        if self.has_measured(spec):
            return self.seconds[point]
        predicted = self._by_model(spec.parameters, point)
        if predicted is not None:
            return predicted
        return _extrapolated(self.seconds, point) if self._is_on_grid(spec.parameters) else math.inf

    def _is_on_grid(self, parameters: Parameters) -> bool:
        """Whether parameters differ from stored ones along the part's axis and sizes alone."""
        along = self.part.continued_parameters
        others = {name: value for name, value in parameters.items() if name not in along}
        return any(others.items() <= example.items() for example in self.examples.values())

    def _by_model(self, parameters: Parameters, point: Place) -> float | None:
        if self.model is None:
            return None
        seen = self.steps and self.model.law.may_stop(parameters)
        steps = _power_law(self.steps, point) if seen else self.model.steps_near(parameters)
        predicted = self.model.seconds(parameters, steps)
        return None if predicted is None else predicted * self._level(self.model)

    def _level(self, model: CostModel) -> float:
        """How far the model is off at the points that are stored, by the middle one."""
        known = ((self.seconds[point], model.seconds(p, self.steps[point])) for point, p in self.examples.items())
        ratios = [measured / predicted for measured, predicted in known if predicted and measured]
        return statistics.median(ratios) if ratios else 1.0

    def _parameters(self, point: Place) -> Parameters:
        """Parameters of a point that nobody measured: those of the nearest one that is stored, moved there."""
        logs = [math.log(number) if number > 0 else 0.0 for number in point]

        def distance(other: Place) -> float:
            return sum(abs(math.log(n) - log) if n > 0 else 0.0 for n, log in zip(other, logs, strict=True))

        nearest = self.examples[min(self.examples, key=distance)]
        return {**nearest, **dict(zip(self.part.grid_parameters, point, strict=False))}


def place(part: Part, parameters: Parameters) -> Place:
    """Grid point that a trial of a part belongs to."""
    axis, size, *_ = (*part.grid_parameters, None, None)
    return 0.0 if axis is None else float(parameters[axis]), 0 if size is None else int(parameters[size])


def _power_law(values: Mapping[Place, float], point: Place) -> float:
    """A power law through values at grid points: axis^a size^b, without a coordinate that is 0 at one of them."""
    places = np.array([*values, point])
    logs = np.log(places[:, (places > 0).all(axis=0)])
    table = np.column_stack([np.ones(len(places)), logs])
    target = np.log(np.maximum(list(values.values()), 1e-6))
    coefficients, *_ = np.linalg.lstsq(table[:-1], target, rcond=None)
    return float(np.exp(table[-1] @ coefficients))


def _extrapolated(seconds: Mapping[Place, float], point: Place) -> float:
    """Seconds by the power law through all points; outside them through the near half, where that says more."""
    middle = statistics.median(value for value, _ in seconds)
    near = {at: taken for at, taken in seconds.items() if (at[0] >= middle if point[0] > middle else at[0] <= middle)}
    all_say = _power_law(seconds, point)
    if _beyond(seconds, point) <= 1 or len({value for value, _ in near}) < 2:
        return all_say
    said = max(all_say, _power_law(near, point))
    same = {value: taken for (value, size), taken in seconds.items() if size == point[1] and value > 0}
    return max(said, seconds_beyond(same, point[0])[0]) if len(same) > 1 and point[0] > max(same) else said


def _beyond(seconds: Mapping[Place, float], point: Place) -> float:
    """The factor by which a point lies outside the stored ones, in the coordinate in which that is most."""
    factors = [1.0]
    for coordinate, known in zip(point, zip(*seconds, strict=True), strict=True):
        if coordinate > 0 and min(known) > 0:
            factors += [coordinate / max(known), min(known) / coordinate]
    return max(factors)


def beyond_words(factor: float) -> str:
    """What is said of predictions outside what was measured; "" inside."""
    return f", to {factor:.3g} times beyond what was measured" if factor > 1 else ""


@dataclass(frozen=True)
class PresetCost:
    """What a part of a claim costs at a preset.

    Attributes:
        n_trials: its trials.
        missing: CPU seconds of those that the store lacks, by key; infinite where nothing is known of their kind.
        source: "measured" at the same grid points; "predicted", from stored trials of the same part or where the
            parameters say how many steps there are; "predicted from other parts", which know less of the steps they
            take; "predicted, at most", where no stored trial does. How far beyond what was measured is added.
    """

    preset: Preset
    n_trials: int
    missing: Mapping[str, float]
    source: str

    @property
    def n_missing(self) -> int:
        """Trials that the store lacks."""
        return len(self.missing)

    @property
    def seconds(self) -> float:
        """CPU seconds of the trials that the store lacks."""
        return sum(self.missing.values())


def preset_cost(part: Part, preset: Preset, costs: Costs, trials: Mapping[str, Trial]) -> PresetCost:
    """What the trials of a preset that are not among `trials` cost."""
    specs = {key(spec): spec for spec in part.specs(preset)}
    missing = {name: spec for name, spec in specs.items() if name not in trials}
    measured = all(map(costs.has_measured, missing.values()))
    known = costs.model and not any(costs.model.law.may_stop(spec.parameters) for spec in missing.values())
    if costs.seconds or known:
        source = "measured" if measured else "predicted"
    else:
        source = "predicted from other parts" if costs.model and costs.model.stored else "predicted, at most"
    each: dict[str, float] = {}  # replicates cost the same
    asked = {name: repr((spec.system.name, sorted(spec.parameters.items()))) for name, spec in missing.items()}
    furthest = 1.0
    for name, words in asked.items():
        if words not in each:
            each[words] = costs.of_spec(missing[name])
            furthest = max(furthest, costs.spec_beyond(missing[name]))
    source += beyond_words(furthest)
    return PresetCost(preset, len(specs), {name: each[words] for name, words in asked.items()}, source)
