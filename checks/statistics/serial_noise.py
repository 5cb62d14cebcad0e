"""Noise of one run that is looked at several times along the axis: each error keeps something of the last one.

A loss curve is one run. Its looks err together, a line through them leaves small residuals, and an interval from these
misses most of the noise. The errors are taken as an autoregression of first order along the axis, of unknown
coefficient r: the error at a point is r times that of the point before it, and something new. The slope is that of
least squares, whose error at each r follows from that r [Grenander and Rosenblatt 1957: no estimator is much better];
r is not estimated but averaged over, each value weighted by the restricted likelihood, in which the line has no part
[Patterson and Thompson 1971; Cooper and Thompson 1977], and by a prior. The interval is that of the mixture of t
distributions.

Few points tell r badly, and what is lost at r near 1 is lost wholly, so the prior leans that way: half of it lies at
the largest r, which on so few points is a random walk, the other half evenly over the logarithm of 1 - r.

Samples of one point may be no independent runs either: states of one chain, or runs of one batch after those of
another. Those recorded one after the other are then alike, which ranks show [Bartels 1982]. The interval of their mean
is then made of the same mixture, with a prior that is even in r: ranks have already told that there is one.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

Array = NDArray[np.float64]

COEFFICIENTS = 24
"""Values of r from 0 to the largest; twice as many change an interval by less than a hundredth."""

EVEN_COEFFICIENTS = 100
"""Values of r where the prior is even in it."""

NEAR_ONE = 0.05
"""The largest r on n points is 1 - this / n: the errors of the first and the last point still are one another's."""

ALL_OF_ONE = 0.5
"""Share of the prior at the largest r."""


@dataclass(frozen=True, eq=False)
class SerialNoise:
    """Errors of an autoregression, its coefficient averaged over; the same use as `checks.statistics.regression.Noise`.

    Attributes:
        coefficients: values of r. [k]
        weights: of each, summing to one. [k]
        scales: variance of one point's error at each. [k]
        freedom: degrees of freedom of the variances.
        order: of the points along the axis.
    """

    coefficients: Array
    weights: Array
    scales: Array
    freedom: float
    order: NDArray[np.intp]

    def errors(self, combination: Array) -> Array:
        """Standard error of sum(combination * y) at each r. [k]"""
        combination = combination[self.order]
        before = np.zeros_like(self.coefficients)
        total = np.full_like(self.coefficients, float(combination @ combination))
        for previous, value in zip(combination[:-1].tolist(), combination[1:].tolist(), strict=True):
            before = self.coefficients * (before + previous)
            total += 2 * value * before
        return np.sqrt(np.maximum(total, 0.0) * self.scales)

    def standard_error(self, combination: Array) -> float:
        """The root of the mean of its squares."""
        return math.sqrt(float(self.weights @ self.errors(combination) ** 2))

    def half_width(self, combination: Array, confidence: float) -> float:
        """Half-width of the interval of sum(combination * y)."""
        errors = self.errors(combination)
        widest = float(special.stdtrit(self.freedom, 0.5 + confidence / 2)) * float(errors.max())
        if not widest > 0:
            return 0.0

        def beyond(width: float) -> float:
            tails = special.stdtr(self.freedom, -width / np.maximum(errors, 1e-300))
            return 2 * float(self.weights @ tails) - (1 - confidence)

        if beyond(widest) >= 0:
            return widest
        # Only with full_output would brentq return more than the root.
        return float(optimize.brentq(beyond, 0.0, widest, xtol=1e-6 * widest))  # pyrefly: ignore[bad-argument-type]

    def freedom_of(self, combination: Array) -> float:
        """Degrees of freedom of any combination."""
        return self.freedom


MIN_IN_ORDER = 8
"""Samples of a point from which their order says anything."""

MANY_IN_ORDER = 5_000
"""Samples of a point beyond which their order is not looked at."""

ALIKE_LEVEL = 0.01
"""Level of the test whether neighbours are alike; less than that of other pretests, since most samples are runs of
their own and an alarm is printed."""

ORDERS = 1000
"""Orders that are drawn to compare with."""


def neighbours_alike(rows: Sequence[Array]) -> bool:
    """Whether samples that were recorded one after the other are alike, at any of the points together.

    The squared differences of neighbours' ranks [Bartels 1982], added over points, against those of the same samples
    in other orders; rows of one length are permuted together, since their columns may share what they err by. Sorted
    rows have lost the order of recording and say nothing. One-sided.

    Args:
        rows: finite samples of each point, in the order of recording.
    """
    ordered = [row for row in rows if MIN_IN_ORDER <= len(row) <= MANY_IN_ORDER and not _is_sorted(row)]
    counts = sorted({len(row) for row in ordered})
    groups = [np.array([stats.rankdata(row) for row in ordered if len(row) == count]) for count in counts]
    if not groups:
        return False
    seen = sum(float(np.sum(np.diff(ranks, axis=1) ** 2)) for ranks in groups)
    usual = sum(2 * float(np.sum((ranks - ranks.mean(axis=1, keepdims=True)) ** 2)) for ranks in groups)
    if seen >= usual:  # as far apart as in any order: no need to draw some
        return False
    rng = np.random.default_rng(0)
    drawn = np.zeros(ORDERS)
    for ranks in groups:
        places = np.argsort(rng.random((ORDERS, ranks.shape[1])), axis=1)
        drawn += sum(np.sum(np.diff(row[places], axis=1) ** 2, axis=1) for row in ranks)
    return float(np.mean(drawn <= seen)) <= ALIKE_LEVEL


def _is_sorted(row: Array) -> bool:
    steps = np.diff(row)
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def serial_mean_half_width(samples: Array, confidence: float) -> float:
    """Half-width of the interval of a mean of samples [replicates, at least 3] each of which keeps some of the last."""
    count = len(samples)
    grid = np.linspace(0.0, 1 - NEAR_ONE / count, EVEN_COEFFICIENTS)
    root = np.sqrt(1 - grid**2)[:, None]
    one, centred = (_whitened(each, grid, root) for each in (np.ones(count), samples - samples.mean()))
    (aa, ay, yy) = (np.einsum("kn,kn->k", *pair) for pair in ((one, one), (one, centred), (centred, centred)))
    squares = np.maximum(yy - ay**2 / aa, 1e-300) / (1 - grid**2)
    freedom = count - 1.0
    log_weight = -0.5 * ((count - 2) * np.log1p(-(grid**2)) + np.log(aa) + freedom * np.log(squares))
    weights = np.exp(log_weight - log_weight.max())
    noise = SerialNoise(grid, weights / weights.sum(), squares / freedom, freedom, np.arange(count))
    return noise.half_width(np.full(count, 1 / count), confidence)


def serial_noise(x: Array, y: Array) -> SerialNoise | None:
    """The noise of points about a line, as looks at one run; None on fewer than four points.

    Args:
        x: log axis. [points]
        y: log(measured / claim). [points]
    """
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    count = len(x)
    if count < 4 or x[0] == x[-1]:
        return None
    grid = _grid(count)
    root = np.sqrt(1 - grid**2)[:, None]
    columns = [_whitened(values, grid, root) for values in (np.ones(count), x - x.mean(), y)]
    (aa, ab, bb, ay, by, yy) = (
        np.einsum("kn,kn->k", columns[i], columns[j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
    )
    determinant = aa * bb - ab**2
    explained = (bb * ay**2 - 2 * ab * ay * by + aa * by**2) / determinant
    squares = np.maximum(yy - explained, 1e-300) / (1 - grid**2)
    freedom = count - 2.0
    # log |R| = (n - 1) log(1 - r^2), and the whitened columns are short of a factor of it.
    log_weight = -0.5 * ((count - 1) * np.log1p(-(grid**2)) + np.log(determinant) - 2 * np.log1p(-(grid**2)))
    log_weight += np.log(_prior()) - 0.5 * freedom * np.log(squares)
    weights = np.exp(log_weight - log_weight.max())
    return SerialNoise(grid, weights / weights.sum(), squares / freedom, freedom, order)


def _whitened(values: Array, grid: Array, root: Array) -> Array:
    """Values less r times the one before, the first one times sqrt(1 - r^2). [k, points]"""
    return np.hstack([root * values[0], values[1:] - grid[:, None] * values[:-1]])


@functools.lru_cache(maxsize=64)
def _grid(count: int) -> Array:
    """Values of r on so many points, from 0 on."""
    return 1 - np.geomspace(1.0, NEAR_ONE / count, COEFFICIENTS)


@functools.cache
def _prior() -> Array:
    """Of each value of r."""
    even = np.full(COEFFICIENTS, (1 - ALL_OF_ONE) / COEFFICIENTS)
    even[-1] += ALL_OF_ONE
    return even
