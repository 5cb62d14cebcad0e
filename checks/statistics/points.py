"""Points of a grid with their own uncertainty, summarised from replicates of which some may be censored.

Samples are judged on the log scale, where measured / claimed is a difference and noise is roughly even. Without
censoring a point is its mean, with its own variance for intervals and the pooled one for weights: with three
replicates a point's own variance is far too noisy to weigh it by. With censoring the replicates are taken as normal
around their point with one common spread [Tobin 1958]; a point of which no run was seen is only a bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.estimates import Estimate

Array = NDArray[np.float64]

MIN_SPREAD = 1e-6
"""Smallest standard deviation on the log scale: keeps deterministic points from carrying infinite weight."""


@dataclass(frozen=True, eq=False)
class Points:
    """Points to fit, one array entry each.

    Attributes:
        x: abscissa.
        y: estimate, or the bound where `side` is not 0.
        variance: the point's own sampling variance of y.
        freedom: degrees of freedom of `variance`; infinite if known, 0 if there is no such estimate.
        weight_variance: sampling variance that sets the weight; pooled where the noise is taken to be common.
        side: 0 for an estimate, +1 where y is a lower bound (censored above), -1 where it is an upper bound.
        spread: standard deviation of one replicate about its point, for bounds.
        replicates: runs that lie beyond the bound, for bounds.
        inflation: what residuals understate the variance of the slope by, one number; 1 where x is exact.
    """

    x: Array
    y: Array
    variance: Array
    freedom: Array
    weight_variance: Array
    side: Array
    spread: Array
    replicates: Array
    inflation: float = 1.0

    def keep(self, kept: NDArray[np.bool_]) -> Points:
        """The points where `kept` is set."""
        arrays = {name: getattr(self, name)[kept] for name in self.__dataclass_fields__ if name != "inflation"}
        return Points(**arrays, inflation=self.inflation)


def points_from_samples(
    x: Array, log_samples: Array, log_limit: Array | None = None, log_limit_low: Array | None = None
) -> Points:
    """Summarise replicates [points, replicates] of a quantity on the log scale.

    NaN is no run (rows may differ in length), inf a run censored above `log_limit`, -inf one below `log_limit_low`.
    """
    if np.isinf(log_samples).any():
        return _points_from_censored_samples(x, log_samples, log_limit, log_limit_low)
    if np.isnan(log_samples).any():
        return _points_from_rows(x, log_samples)
    n_points, n_replicates = log_samples.shape
    y = log_samples.mean(axis=1)
    none = np.zeros(n_points)
    if n_replicates == 1 or n_points == 0:
        return Points(x, y, none, none, none, none, none, none)
    variance = log_samples.var(axis=1, ddof=1) / n_replicates
    freedom = np.full(n_points, n_replicates - 1.0)
    return Points(x, y, variance, freedom, np.full(n_points, variance.mean()), none, none, none)


def _points_from_rows(x: Array, log_samples: Array) -> Points:
    """Rows of different lengths: weights by the number of runs; a point of one run has the pooled variance."""
    count = (~np.isnan(log_samples)).sum(axis=1).astype(float)
    y = np.nansum(log_samples, axis=1) / count
    squares = np.nansum((log_samples - y[:, None]) ** 2, axis=1)
    none, freedom = np.zeros(len(x)), count - 1
    total = float(freedom.sum())
    if total == 0:
        return Points(x, y, none, none, none, none, none, none)
    pooled = float(squares.sum()) / total
    single = count == 1
    variance = np.where(single, pooled, squares / np.maximum(freedom, 1.0)) / count
    return Points(x, y, variance, np.where(single, total, freedom), pooled / count, none, none, none)


def _points_from_censored_samples(
    x: Array, log_samples: Array, log_limit: Array | None, log_limit_low: Array | None
) -> Points:
    """Maximum likelihood of normal samples with one mean a point and a common spread, by expectation-maximisation."""
    above, below, seen = np.isposinf(log_samples), np.isneginf(log_samples), np.isfinite(log_samples)
    if (above.any() and log_limit is None) or (below.any() and log_limit_low is None):
        raise ValueError("log_limit must be given where samples hold inf, log_limit_low where -inf, got None")
    everywhere = np.zeros(len(x))
    high, low = (
        everywhere if limit is None else np.where(np.isfinite(limit), limit, 0.0)  # no run is beyond an infinite one
        for limit in (log_limit, log_limit_low)
    )
    n_above, n_below, n_seen = (mask.sum(axis=1).astype(float) for mask in (above, below, seen))
    # Runs beyond one limit alone bound a point from one side; beyond both, they hold it between the two.
    estimable = (n_seen > 0) | ((n_above > 0) & (n_below > 0))
    values = np.where(seen, log_samples, 0.0)[estimable]
    mean, information, spread, freedom = _fitted_normals(
        values.sum(axis=1),
        (values**2).sum(axis=1),
        max(float(np.std(log_samples[seen])), MIN_SPREAD) if seen.any() else MIN_SPREAD,
        (n_seen[estimable], n_above[estimable], n_below[estimable]),
        (high[estimable], low[estimable]),
    )
    side = np.where(estimable, 0.0, np.where(n_above > 0, 1.0, -1.0))
    y, variance = np.where(side < 0, low, high), np.zeros(len(x))
    y[estimable] = mean
    variance[estimable] = 1 / information if freedom > 0 else 0.0
    degrees = np.where(estimable, freedom, 0.0)
    return Points(x, y, variance, degrees, variance, side, np.full(len(x), spread), n_above + n_below)


def _fitted_normals(
    total: Array, squares: Array, spread: float, counts: tuple[Array, Array, Array], limits: tuple[Array, Array]
) -> tuple[Array, Array, float, float]:
    """Means, their information, the common spread and its degrees of freedom.

    Args:
        total, squares: sum of the runs seen and of their squares. [points]
        spread: where to start.
        counts: runs seen, above the upper limit, below the lower one. [points]
        limits: upper and lower. [points]
    """
    inside, above, below = counts
    count = inside + above + below
    mean = (total + above * limits[0] + below * limits[1]) / count
    # Far from a limit that cuts nothing off, the ratio of normal tails overflows.
    ends = zip(counts[1:], limits, (1, -1), strict=True)
    sides = [(n, np.where(n > 0, limit, mean), side) for n, limit, side in ends]
    sides, none = [one for one in sides if one[0].any()], np.zeros((3, len(count)))
    freedom = float(count.sum() - len(count))
    spread = spread if freedom > 0 else MIN_SPREAD
    for _ in range(400 if freedom > 0 else 0):
        beyond = sum((_beyond(mean, spread, *side) for side in sides), none)
        updated = (total + beyond[0]) / count
        # Divided by degrees of freedom, not by the count: two or three replicates a point would halve the variance.
        residual = squares + beyond[1] - count * updated**2
        new_spread = max(math.sqrt(max(float(residual.sum()), 0.0) / freedom), MIN_SPREAD)
        change = max(float(np.max(np.abs(updated - mean))), abs(new_spread - spread))
        mean, spread = updated, new_spread
        if change < 1e-9 * max(spread, 1.0):
            break
    beyond = sum((_beyond(mean, spread, *side) for side in sides), none)
    return mean, (inside + beyond[2]) / spread**2, spread, freedom


def _beyond(mean: Array, spread: float, count: Array, limit: Array, side: int) -> Array:
    """Sum, sum of squares, and information in units of spread^-2, of the runs beyond a limit (side 1: above it)."""
    z = side * (mean - limit) / spread
    mills = mills_ratio(z)
    expected = mean + side * spread * mills
    square = spread**2 * (1 - z * mills - mills**2) + expected**2
    return count * np.stack([expected, square, mills * (z + mills)])


def threshold_row(estimate: Estimate) -> tuple[float, float, float] | None:
    """(log value or bound, standard error, side) of a threshold; None where it has neither value nor bound."""
    if estimate.value is not None:
        if not estimate.value > 0:
            raise ValueError(f"estimates must have values > 0, got {estimate.value}")
        if estimate.standard_error is None:
            raise ValueError(f"estimates must carry a standard_error beside a value, got {estimate}")
        return math.log(estimate.value), estimate.standard_error, 0.0
    bound = estimate.confidence_interval
    if estimate.censored is None or bound is None:
        return None
    end = bound.low if estimate.censored == "above" else bound.high
    if not 0 < end < math.inf:
        return None
    return math.log(end), 0.0, 1.0 if estimate.censored == "above" else -1.0


def points_from_thresholds(x: Array, estimates: Sequence[Estimate]) -> tuple[Points, NDArray[np.bool_]]:
    """Points of one threshold each, y = log threshold, and which of the estimates can enter: value or bound known."""
    rows = [threshold_row(estimate) for estimate in estimates]
    used = np.array([row is not None for row in rows], dtype=bool)
    y, error, side = np.array([row for row in rows if row is not None], dtype=float).reshape(-1, 3).T
    typical = float(np.median(error[side == 0])) if np.any(side == 0) else 0.0
    points = Points(
        x=x[used],
        y=y,
        variance=error**2,
        freedom=np.full(len(y), np.inf),
        weight_variance=error**2,
        side=side,
        spread=np.full(len(y), typical),
        replicates=np.ones(len(y)),
    )
    return points, used


def mills_ratio(z: Array) -> Array:
    """phi(z) / Phi(z), also far in the lower tail."""
    return np.exp(-0.5 * z**2 - 0.5 * math.log(2 * math.pi) - special.log_ndtr(z))
