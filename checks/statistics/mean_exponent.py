"""The exponent of a mean, where the mean of logarithms is what was fitted.

For samples that are normal on the log scale, log E[y] = E[log y] + variance / 2. A theorem that speaks of an
expectation therefore has the slope of the log means plus that of half the log variance, the same only where the noise
does not move along the axis. The second slope is estimated from the replicates' own variances; its error is that of
normal samples with one variance, which is the case it is tested against.
"""

from __future__ import annotations

import math

from scipy import special

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.points import Array
from checks.statistics.verdict import Verdict

MIN_REPLICATES = 3
"""Replicates from which a variance says anything."""

LEVEL = 0.02
"""Two-sided level at which a slope of the variance is told from none."""


def log_variance_slope(coefficients: Array, columns: Array) -> float | None:
    """Slope of half the log variance along the axis; None where it is not told from 0.

    Args:
        coefficients: of the line's slope. [points]
        columns: log(measured / claim), complete. [points, replicates]
    """
    count = columns.shape[1]
    if count < MIN_REPLICATES:
        return None
    variance = columns.var(axis=1, ddof=1)
    slope = 0.5 * float(coefficients @ variance)
    error = 0.5 * float(variance.mean()) * math.sqrt(2 / (count - 1) * float(coefficients @ coefficients))
    return slope if abs(slope) > float(special.ndtri(1 - LEVEL / 2)) * error else None


def mean_words(delta: float, shift: float) -> str:
    """What the mean's exponent does where that of log means is `delta`."""
    return (
        f"log means are judged; the noise moves along the axis, and a mean E[.] would have Delta = {delta + shift:+.3g}"
    )


def moves_verdict(rule: DeltaRule, verdict: Verdict, delta: float, shift: float) -> bool:
    """Whether a verdict on log means would be wrong of the mean."""
    return not rule.admits(verdict, delta + shift)
