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


def points_from_samples(x: Array, log_samples: Array, log_limit: Array | None) -> Points:
    """Summarise replicates [points, replicates] of a quantity on the log scale; NaN are censored above log_limit."""
    n_points, n_replicates = log_samples.shape
    if np.isnan(log_samples).any():
        if log_limit is None:
            raise ValueError("log_limit must be given where samples hold NaN (censored runs), got None")
        return _points_from_censored_samples(x, log_samples, log_limit)
    y = log_samples.mean(axis=1)
    none = np.zeros(n_points)
    if n_replicates == 1 or n_points == 0:
        return Points(x, y, none, none, none, none, none, none)
    variance = log_samples.var(axis=1, ddof=1) / n_replicates
    freedom = np.full(n_points, n_replicates - 1.0)
    return Points(x, y, variance, freedom, np.full(n_points, variance.mean()), none, none, none)


def _points_from_censored_samples(x: Array, log_samples: Array, log_limit: Array) -> Points:
    """Maximum likelihood of normal samples with one mean a point and a common spread, by expectation-maximisation."""
    missing = np.isnan(log_samples)
    n_missing = missing.sum(axis=1)
    n_seen = log_samples.shape[1] - n_missing
    estimable = n_seen > 0
    seen = np.where(missing, 0.0, log_samples)
    limit = log_limit[estimable]
    total, squares = seen[estimable].sum(axis=1), (seen[estimable] ** 2).sum(axis=1)
    inside, beyond = n_seen[estimable].astype(float), n_missing[estimable].astype(float)
    count = inside + beyond
    mean = (total + beyond * limit) / count
    freedom = float(count.sum() - len(count))
    spread = max(float(np.nanstd(log_samples[estimable])), MIN_SPREAD) if freedom > 0 else MIN_SPREAD
    for _ in range(400 if freedom > 0 else 0):
        z = (mean - limit) / spread
        mills = mills_ratio(z)
        expected = mean + spread * mills
        square = spread**2 * (1 - z * mills - mills**2) + expected**2
        updated = (total + beyond * expected) / count
        # Divided by degrees of freedom, not by the count: two or three replicates a point would halve the variance.
        residual = squares + beyond * square - count * updated**2
        new_spread = max(math.sqrt(max(float(residual.sum()), 0.0) / freedom), MIN_SPREAD)
        change = max(float(np.max(np.abs(updated - mean))), abs(new_spread - spread))
        mean, spread = updated, new_spread
        if change < 1e-9 * max(spread, 1.0):
            break
    z = (mean - limit) / spread
    mills = mills_ratio(z)
    information = (inside + beyond * mills * (z + mills)) / spread**2

    y, variance = log_limit.copy(), np.zeros(len(x))
    y[estimable] = mean
    variance[estimable] = 1 / information if freedom > 0 else 0.0
    side = np.where(estimable, 0.0, 1.0)
    degrees = np.where(estimable, freedom, 0.0)
    return Points(x, y, variance, degrees, variance, side, np.full(len(x), spread), n_missing.astype(float))


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
