"""What trials cost on this machine, by grid point: medians of the stored ones, a power law where there are none."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from checks.check import Part
from checks.parts import Scaling, Threshold
from sim.trial import Trial


@dataclass(frozen=True)
class Costs:
    """Median CPU seconds and stored trials by grid point (axis value, size); a point without an axis is (0, 0).

    New points cost what a power law through the measured ones says: seconds ~ axis^a size^b.
    """

    seconds: Mapping[tuple[float, int], float]
    counts: Mapping[tuple[float, int], int]

    @classmethod
    def of(cls, part: Part, trials: Sequence[Trial]) -> Costs:
        """Costs of a part's trials; a trial runs on one thread, so its seconds are CPU seconds."""
        by_point: dict[tuple[float, int], list[float]] = {}
        for trial in trials:
            parameters = trial.spec.parameters
            value = float(parameters[part.parameter]) if isinstance(part, Scaling | Threshold) else 0.0
            size = int(parameters[part.size]) if isinstance(part, Threshold) else 0
            by_point.setdefault((value, size), []).append(trial.seconds)
        return cls(
            {point: statistics.median(group) for point, group in by_point.items()},
            {point: len(group) for point, group in by_point.items()},
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

    def at(self, value: float, size: int) -> float:
        """CPU seconds of a trial at a point."""
        if (value, size) in self.seconds:
            return self.seconds[value, size]

        def row(point: tuple[float, int]) -> list[float]:
            return [1.0, *(math.log(number) for number in point if number > 0)]

        table = np.array([row(point) for point in self.seconds])
        target = np.log(np.maximum(list(self.seconds.values()), 1e-6))
        coefficients, *_ = np.linalg.lstsq(table, target, rcond=None)
        return float(np.exp(np.array(row((value, size))) @ coefficients))
