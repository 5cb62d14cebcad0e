"""Replicates that share data along the axis, each with an exponent of its own.

Where replicate j at one point and replicate j at the next share a data set, a seed or a run that goes on, column j of
the samples has a slope of its own. The noise of a slope is then that of the columns' slopes, divided by the root of
their number; variances taken point by point miss it, because errors of one column add up along the axis.

The tests compare the scatter of the columns' slopes, and of their means, with what is left of the samples after each
column's own line, by F; what is left may be uneven along the axis. Independent replicates are the rule, so the tests
are strict: they cost them little, and weak sharing passes. Whoever knows that replicates are paired says so
(`paired=True`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from checks.statistics.points import MIN_SPREAD, Array
from checks.statistics.regression import Noise

SLOPE_LEVEL = 0.03
"""Level of the test on the columns' slopes; in truth about half of it, since few noisy residuals judge them."""

COMMON_LEVEL = 0.01
"""Level of the test on the columns' means: a column that is high throughout shares something along the axis."""

MIN_COMPLETE = 4
"""Points without a censored run that the test needs."""


@dataclass(frozen=True, eq=False)
class SharedNoise(Noise):
    """Noise of a combination of points as the columns of the samples show it, whatever they share along the axis.

    Attributes:
        columns: log(measured / claim). [points, replicates]
    """

    columns: Array

    def standard_error(self, coefficients: Array) -> float:
        """From the columns' own values of the combination."""
        own = coefficients @ self.columns
        return float(own.std(ddof=1)) / math.sqrt(len(own))


def shared_noise(columns: Array) -> SharedNoise:
    """The noise of columns [points, replicates], at least two of them complete."""
    columns = columns[:, np.isfinite(columns).all(axis=0)]
    count = columns.shape[1]
    return SharedNoise(columns.var(axis=1, ddof=1) / count, float(count - 1), columns)


def share_along_axis(x: Array, columns: Array) -> bool:
    """Whether columns [points, replicates] share something along the axis that moves their slopes, by two F tests.

    Points without a number in every column are left out; too few of them, or a single column, show nothing.
    """
    complete = np.isfinite(columns).all(axis=1)
    if not complete.all():
        x, columns = x[complete], columns[complete]
    if columns.shape[1] < 2 or len(x) < MIN_COMPLETE or x.min() == x.max():
        return False
    centred = x - x.mean()
    slope = centred / (centred @ centred)
    own = columns - columns.mean(axis=1, keepdims=True)
    left = own - own.mean(axis=0) - centred[:, None] * (slope @ own)
    return _are_shared(own, left, 1 / len(x) + slope * centred, slope)


def share_over_design(design: Array, slope: Array, columns: Array) -> bool:
    """The same for a slope in a plane.

    Args:
        design: of the plane, its first column constant. [points, parameters]
        slope: coefficients of the slope in question. [points]
        columns: complete. [points, replicates], at least two
    """
    projection = design @ np.linalg.pinv(design)
    own = columns - columns.mean(axis=1, keepdims=True)
    return _are_shared(own, own - projection @ own, np.diag(projection), slope)


def _are_shared(own: Array, left: Array, leverage: Array, slope: Array) -> bool:
    """The two tests, on columns less their points' means, and on what their own lines leave of them."""
    parts = (own.shape[1] - 1) * np.maximum(1 - leverage, 1e-12)
    noise = Noise(np.sum(left**2, axis=1) / parts, parts)
    level = np.full(len(own), 1 / len(own))
    return _scatter_more(slope, own, noise, SLOPE_LEVEL) or _scatter_more(level, own, noise, COMMON_LEVEL)


def _scatter_more(combination: Array, own: Array, noise: Noise, level: float) -> bool:
    """Whether the columns' values of a combination of points scatter more than `noise` of single samples explains."""
    values = combination @ own
    above = float(len(values) - 1)
    expected = max(noise.standard_error(combination) ** 2, MIN_SPREAD**2 * float(combination @ combination))
    ratio = float(values @ values) / above / expected
    # No quantile of F is that small at these levels: most columns need no table.
    return ratio > 1 and ratio > float(special.fdtri(above, noise.freedom_of(combination), 1 - level))
