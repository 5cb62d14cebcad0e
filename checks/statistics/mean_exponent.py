"""The exponent of a mean, where the mean of logarithms is what was fitted.

For samples that are normal on the log scale, log E[y] = E[log y] + variance / 2. A theorem that speaks of an
expectation therefore has the slope of the log means plus that of half the log variance, the same only where the noise
does not move along the axis. The second slope is estimated from the replicates' own variances; its error is that of
normal samples with one variance, which is the case it is tested against.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from checks.statistics.delta_rule import DeltaRule, IntervalAt
from checks.statistics.explanation import Clause, Topic
from checks.statistics.points import Array
from checks.statistics.verdict import Interval, Verdict

MIN_REPLICATES = 3
"""Replicates from which a variance says anything."""

LEVEL = 0.02
"""Two-sided level at which a slope of the variance is told from none; a pretest, so not the policy's."""


@dataclass(frozen=True)
class MeanShift:
    """What half the log variance adds to a slope of log means, and its standard error."""

    slope: float
    error: float

    def clause(self, rule: DeltaRule, slope: float, words: str = "") -> Clause:
        """What the mean's exponent does where log means have this residual slope; `words` say what would decide."""
        delta, moved = rule.delta(slope), rule.delta(slope + self.slope)
        said = f"log means are judged; their noise moves along the axis, and E[.] would have Delta = {moved:+.3g}"
        return Clause(Topic.MEAN, f"{said}{words}", {"delta": delta, "delta_of_mean": moved})

    def moves(self, rule: DeltaRule, verdict: Verdict, slope: float, interval: IntervalAt) -> bool:
        """Whether the mean, with the error of both slopes, would not get the verdict of log means."""

        def of_mean(level: float) -> Interval:
            own, quantile = interval(level), float(special.ndtri(0.5 + level / 2))
            low, high = (math.hypot(end - slope, quantile * self.error) for end in (own.low, own.high))
            return Interval(slope + self.slope - low, slope + self.slope + high)

        return rule.decide(rule.of_delta(of_mean)) is not verdict


def mean_shift(coefficients: Array, columns: Array) -> MeanShift | None:
    """The shift from log means to means along the axis; None where it is not told from 0.

    Args:
        coefficients: of the line's slope. [points]
        columns: log(measured / claim), NaN where a row has ended. [points, replicates]
    """
    freedom = np.isfinite(columns).sum(axis=1) - 1.0
    if freedom.min() < MIN_REPLICATES - 1:
        return None
    variance = columns.var(axis=1, ddof=1) if freedom.min() == columns.shape[1] - 1 else np.nanvar(columns, 1, ddof=1)
    slope = 0.5 * float(coefficients @ variance)
    even = float(variance.mean()) * math.sqrt(0.5 * float(coefficients**2 @ (1 / freedom)))
    if abs(slope) <= float(special.ndtri(1 - LEVEL / 2)) * even:
        return None
    return MeanShift(slope, math.sqrt(0.5 * float(coefficients**2 @ (variance**2 / freedom))))
