"""Points that carry their own uncertainty, and the straight line through them; some points are only bounds.

*Points.* These are summarised from replicates, of which some may be censored. Samples are judged on the log scale,
where measured / claimed is a difference and noise is roughly even. Without censoring a point is its mean, with its own
variance for intervals and the pooled one for weights: with three replicates a point's own variance is far too noisy to
weigh it by. With censoring the replicates are taken as normal around their point with one common spread [Tobin 1958]; a
point of which no run was seen is only a bound.

*Bounds.* Points that are only bounds enter by the log likelihood of a line, profiled along its slope. A bound enters by
P(every replicate lies beyond the bound) = P(the least extreme one does), with the least extreme of r normals taken as
normal with its exact mean and variance. That is exact for one replicate; for more its tail is too heavy on the safe
side, so that bounds pull a little less than they could. The log likelihood is concave in (intercept, slope), so
Newton's method converges from anywhere.

*Line.* The rules use it with y = log(measured / claimed) and x = log axis; it knows nothing of claims or verdicts. Two
things scatter points about a line: sampling noise, known from replicates, and lack of fit, seen only in the residuals.
Either may dominate, and neither estimate is reliable alone: replicates are blind to lack of fit, few residuals happen
to be small by chance. So a `Line` keeps both sources of noise, each with its own degrees of freedom, and an interval is
the wider of the two t intervals; it covers whenever either source is the true one.

Weights: equal where sampling variances are (OLS: robust, and its target is plain); otherwise 1 / (v_i + tau^2), with
tau^2 between points such that the residuals are as large as they should be. [Paule and Mandel 1982; the lack-of-fit
interval is that of Knapp and Hartung 2003]

With points that are only bounds the interval comes from the profile likelihood, because bounds make it lopsided.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from checks.statistics.estimates import Estimate
from checks.statistics.verdict import Interval

# --------------------------------------------------------------------------------------------------------------- points


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


# ------------------------------------------------------------------------------------------ points that are only bounds


_LOG_ROOT_2_PI = 0.5 * math.log(2 * math.pi)


@functools.cache
def least_of_normals(count: int) -> tuple[float, float]:
    """How far the expected minimum of `count` standard normals lies below 0, and its standard deviation."""
    z = np.linspace(-10.0, 10.0, 4001)
    density = np.exp(-0.5 * z**2 + (count - 1) * special.log_ndtr(-z))
    density /= density.sum()
    mean = float(density @ z)
    return -mean, math.sqrt(float(density @ (z - mean) ** 2))


class Likelihood:
    """log likelihood of a line at a given between-point variance: a sum over points of a function of the line's y.

    Points are kept in an order of their own, estimates before bounds, so that no mask is applied in the inner loop.
    """

    def __init__(self, points: Points, extra: float) -> None:
        self.order = np.argsort(points.side != 0, kind="stable")
        estimate, bound = np.split(self.order, [int(np.sum(points.side == 0))])
        self.centre = float(points.x.mean())
        self.x = points.x[self.order] - self.centre
        self.y = points.y[estimate]
        self.variance = np.maximum(points.weight_variance[estimate], MIN_SPREAD**2) + extra
        shift, shrink = np.array([least_of_normals(int(count)) for count in points.replicates[bound]]).reshape(-1, 2).T
        spread = np.maximum(points.spread[bound], MIN_SPREAD)
        self.side = points.side[bound]
        self.threshold = points.y[bound] + self.side * shift * spread
        self.width = np.sqrt((shrink * spread) ** 2 + extra)
        self._maximum: Array | None = None

    def terms(self, level: float, slope: float) -> tuple[float, Array, Array]:
        """log likelihood; its first and second derivative by the line's value, per point in the order of x."""
        eta = level + slope * self.x
        count = len(self.y)
        residual = self.y - eta[:count]
        pull = residual / self.variance
        z = self.side * (eta[count:] - self.threshold) / self.width
        log_inside = special.log_ndtr(z)
        mills = np.exp(-0.5 * z * z - _LOG_ROOT_2_PI - log_inside)
        value = -0.5 * float(residual @ pull) + float(log_inside.sum())
        first = np.concatenate([pull, self.side * mills / self.width])
        second = np.concatenate([-1 / self.variance, -mills * np.maximum(z + mills, 0.0) / self.width**2])
        return value, first, second

    def weights(self) -> Array:
        """Minus the second derivative at the maximum, in the order of the points given."""
        weights = np.empty(len(self.x))
        weights[self.order] = -self.terms(*self._top())[2]
        return weights

    def misfit(self, intercept: float, slope: float) -> float:
        """Weighted sum of squares; a bound counts where the line contradicts it."""
        eta = intercept + slope * (self.x + self.centre)
        residual = self.y - eta[: len(self.y)]
        contradiction = np.maximum(self.side * (self.threshold - eta[len(self.y) :]), 0.0)
        return float(residual**2 @ (1 / self.variance)) + float(contradiction**2 @ (1 / self.width**2))

    def maximum(self) -> tuple[float, float]:
        """(intercept, slope) of the maximum."""
        level, slope = self._top()
        return float(level - slope * self.centre), float(slope)

    def _top(self) -> Array:
        """(level at the centre, slope) of the maximum, by damped Newton steps."""
        if self._maximum is None:
            slope, level, _, _ = weighted_line(self.x[: len(self.y)], self.y, 1 / self.variance)
            current = np.array([level, slope])
            value, first, second = self.terms(*current)
            for _ in range(60):
                gradient, (a, b, c) = self._gradient(first), self._hessian(second)
                step = np.array([b * gradient[1] - c * gradient[0], b * gradient[0] - a * gradient[1]]) / (
                    a * c - b * b
                )
                decrement = float(gradient @ step)
                if decrement < 1e-10:
                    break
                size = 1.0
                while True:
                    trial = self.terms(*(current + size * step))
                    if trial[0] >= value + 0.1 * size * decrement or size < 1e-6:
                        break
                    size /= 2
                current, (value, first, second) = current + size * step, trial
            self._maximum = current
        return self._maximum

    def _gradient(self, first: Array) -> Array:
        return np.array([first.sum(), first @ self.x])

    def _hessian(self, second: Array) -> tuple[float, float, float]:
        """Second derivatives by level twice, by level and slope, by slope twice."""
        lever = second * self.x
        return float(second.sum()) - 1e-12, float(lever.sum()), float(lever @ self.x) - 1e-12

    def profile(self, quantile: float) -> Interval:
        """Slopes whose profile log likelihood lies within quantile^2 / 2 of the maximum."""
        level, slope = self._top()
        value, _, second = self.terms(level, slope)
        a, b, c = self._hessian(second)
        error = 1 / math.sqrt(max(b * b / a - c, 1e-300))
        ends = []
        for direction in (-1.0, 1.0):
            reach = direction * quantile * error
            start = np.array([level - b / a * reach, slope + reach])
            end = self._end(start, value, quantile)
            if end is None or (end - slope) * direction <= 0:
                end = self._searched_end(value, quantile, reach)
            ends.append(end)
        return Interval(*ends)

    def _end(self, start: Array, top: float, quantile: float) -> float | None:
        """End of the profile interval by Newton's method on (level is best, likelihood is at the quantile).

        The profile is close to a parabola, so a few steps do; None where they do not.
        """
        current = start
        for _ in range(25):
            value, first, second = self.terms(*current)
            gradient, (a, b, _) = self._gradient(first), self._hessian(second)
            short = top - value - 0.5 * quantile**2
            # Rows of the Jacobian: (a, b) for the gradient by level, minus the gradient for the shortfall.
            determinant = b * gradient[0] - a * gradient[1]
            if determinant == 0:
                return None
            change = np.array([gradient[1] * gradient[0] + b * short, -(gradient[0] ** 2) - a * short]) / determinant
            if not np.all(np.isfinite(change)):
                return None
            current = current + change
            if abs(change[1]) <= 1e-7 * abs(start[1] - current[1]) + 1e-9 and abs(short) < 1e-6:
                return float(current[1])
        return None

    def _searched_end(self, top: float, quantile: float, reach: float) -> float:
        """The same by bracketing, sure but slow; infinite where the profile never falls that far."""
        level, slope = (float(part) for part in self._top())

        def excess(candidate: float) -> float:
            return 2 * (top - self._best_at(candidate, level)) - quantile**2

        for _ in range(12):
            if excess(slope + reach) > 0:
                root = optimize.brentq(excess, *sorted((slope, slope + reach)), xtol=1e-5 * abs(reach))
                return float(root)  # pyrefly: ignore[bad-argument-type]  # a tuple only with full_output
            reach *= 2
        return math.copysign(math.inf, reach)

    def _best_at(self, slope: float, level: float) -> float:
        """Largest log likelihood at a given slope, by damped Newton steps in the level."""
        value, first, second = self.terms(level, slope)
        for _ in range(60):
            gradient = float(first.sum())
            step = -gradient / (float(second.sum()) - 1e-12)
            if gradient * step < 1e-10:
                break
            size = 1.0
            while True:
                trial = self.terms(level + size * step, slope)
                if trial[0] >= value + 0.1 * size * gradient * step or size < 1e-6:
                    break
                size /= 2
            level, (value, first, second) = level + size * step, trial
        return value


def weighted_line(x: Array, y: Array, weights: Array) -> tuple[float, float, Array, Array]:
    """Slope, intercept, coefficients of the slope, residuals."""
    total = weights.sum()
    centred = x - weights @ x / total
    coefficients = weights * centred / (weights @ centred**2)
    middle = weights @ y / total
    slope = float(coefficients @ y)
    intercept = float(middle - slope * (weights @ x / total))
    return slope, intercept, coefficients, y - intercept - slope * x


# ------------------------------------------------------------------------------------------------------------- the line


UNEVEN = 1.96
"""Standard errors from which the residuals of single runs count as uneven along the axis: a pretest at 5 %."""


@dataclass(frozen=True, eq=False)
class Noise:
    """One source of noise: variances of the points' y, and their degrees of freedom (per point, or shared)."""

    variances: Array
    freedom: Array | float

    def standard_error(self, coefficients: Array) -> float:
        """Standard error of sum(coefficients * y)."""
        return math.sqrt(float(coefficients**2 @ self.variances))

    def half_width(self, coefficients: Array, confidence: float) -> float:
        """Half-width of the t interval of sum(coefficients * y)."""
        return t_quantile(self.freedom_of(coefficients), confidence) * self.standard_error(coefficients)

    def freedom_of(self, coefficients: Array) -> float:
        """Degrees of freedom of that standard error. [Welch and Satterthwaite: a sum of unequal variances]"""
        if isinstance(self.freedom, float):
            return self.freedom
        parts = coefficients**2 * self.variances
        spread = float(np.sum(parts**2 / self.freedom))
        return float(parts.sum()) ** 2 / spread if spread > 0 else float(np.sum(self.freedom))


@dataclass(frozen=True, eq=False)
class Line:
    """A fitted line. `coefficients` express the slope as a linear function of y (to first order with bounds).

    `narrowing` gives, for a factor of replicates and a confidence, the half-width that the interval would have; None
    where it falls as the root of the factor.
    """

    slope: float
    intercept: float
    coefficients: Array
    noise: tuple[Noise, ...]
    n_estimates: int
    lack_of_fit: Noise | None = None
    _profile: Callable[[float], Interval] | None = field(default=None, repr=False)
    narrowing: Callable[[float, float], float] | None = field(default=None, repr=False)
    _intervals: dict[float, Interval] = field(default_factory=dict, repr=False)

    @property
    def sampling(self) -> tuple[Noise, ...]:
        """The sources of noise that replicates show."""
        return tuple(noise for noise in self.noise if noise is not self.lack_of_fit)

    def half_width(self, confidence: float, coefficients: Array | None = None) -> float:
        """The widest source's half-width; infinite where no source of noise is known."""
        coefficients = self.coefficients if coefficients is None else coefficients
        return max((noise.half_width(coefficients, confidence) for noise in self.noise), default=math.inf)

    def interval(self, confidence: float) -> Interval:
        """Confidence interval of the slope; asked for by rule, reason and plan, worked out once."""
        found = self._intervals.get(confidence)
        if found is None:
            if self._profile is not None:
                found = self._profile(confidence)
            else:
                half = self.half_width(confidence)
                found = Interval(self.slope - half, self.slope + half)
            self._intervals[confidence] = found
        return found


@functools.lru_cache(maxsize=4096)
def t_quantile(freedom: float, confidence: float) -> float:
    """Two-sided quantile of Student's t; the normal one at infinite degrees of freedom."""
    tail = 0.5 + confidence / 2
    return float(special.ndtri(tail) if freedom > 1e6 else special.stdtrit(freedom, tail))


# ------------------------------------------------------------------------------------------------------------- fits


def fit_line(points: Points) -> Line | None:
    """Fit a line; None where fewer than two distinct abscissae carry an estimate."""
    estimates = points.x if not points.side.any() else points.x[points.side == 0]
    if len(estimates) < 2 or estimates.min() == estimates.max():
        return None
    if len(estimates) < len(points.x):
        return _fit_with_bounds(points)
    extra = _between_variance(points)
    weights = 1 / (np.maximum(points.weight_variance, MIN_SPREAD**2) + extra)
    slope, intercept, coefficients, residuals = weighted_line(points.x, points.y, weights)
    noise: list[Noise] = []
    if np.all(points.freedom > 0):
        noise.append(Noise(points.variance, points.freedom))
    count = len(points.x)
    lack_of_fit = None
    if count > 2:
        scale = float(weights @ residuals**2) / (count - 2)
        # A reliability that is itself estimated costs a degree of freedom like any other parameter.
        freedom = count - 2 - (points.inflation > 1)
        if freedom > 0:
            lack_of_fit = Noise(points.inflation * scale / weights, float(freedom))
            if not noise:
                lack_of_fit = _no_less_than_uneven(lack_of_fit, points, coefficients, residuals)
            noise.append(lack_of_fit)
    return Line(slope, intercept, coefficients, tuple(noise), count, lack_of_fit)


def _no_less_than_uneven(even: Noise, points: Points, coefficients: Array, residuals: Array) -> Noise:
    """Lack of fit where one run a point leaves only residuals, and the noise may be uneven along the axis.

    Where a score test at 5 % [Cook and Weisberg 1983] says that it is, the larger of the common variance and of HC3:
    each residual's own square, blown up by its leverage. [MacKinnon and White 1985; Long and Ervin 2000] Without the
    test HC3 on five to nine points would cost straight data a quarter of their verdicts.
    """
    centred = points.x - points.x.mean()
    count, spread = len(centred), float(centred @ centred)
    leverage = 1 / count + centred**2 / spread
    left = np.eye(count) - 1 / count - np.outer(centred, centred) / spread
    trend = left @ ((centred / np.maximum(1 - leverage, 1e-3))[:, None] * left)
    freedom, total = count - 2.0, float(residuals @ residuals)
    if not total > 0:
        return even
    # A ratio of two quadratic forms in the same normals, of which the lower one spans the residuals: exact moments.
    mean = float(np.trace(trend)) / freedom
    square = (2 * float(np.sum(trend**2)) + float(np.trace(trend)) ** 2) / (freedom * (freedom + 2))
    ratio = float(residuals @ (centred / np.maximum(1 - leverage, 1e-3) * residuals)) / total
    if abs(ratio - mean) <= UNEVEN * math.sqrt(max(square - mean**2, 0.0)):
        return even
    own = Noise(points.inflation * residuals**2 / np.maximum(1 - leverage, 1e-3) ** 2, even.freedom)
    return own if own.standard_error(coefficients) > even.standard_error(coefficients) else even


def _between_variance(points: Points) -> float:
    """tau^2 such that the weighted residual sum equals its degrees of freedom; 0 where it is already below.

    With equal sampling variances it changes no weight and is not needed.
    """
    variance = np.maximum(points.weight_variance, MIN_SPREAD**2)
    freedom = len(points.x) - 2
    if freedom < 1 or np.ptp(variance) <= 1e-9 * variance.max():
        return 0.0

    def excess(extra: float) -> float:
        weights = 1 / (variance + extra)
        return float(weights @ weighted_line(points.x, points.y, weights)[3] ** 2) - freedom

    return _root_from_zero(excess, start=float(variance.max()))


def _root_from_zero(excess: Callable[[float], float], *, start: float) -> float:
    """Root >= 0 of a decreasing function; 0 where it starts below zero."""
    if excess(0.0) <= 0:
        return 0.0
    high = start
    while excess(high) > 0:
        high *= 4
    # Only with full_output would brentq return more than the root.
    return float(optimize.brentq(excess, 0.0, high, rtol=1e-6, xtol=1e-12))  # pyrefly: ignore[bad-argument-type]


def _fit_with_bounds(points: Points) -> Line | None:
    """Maximum likelihood with bounds; the interval from the profile likelihood, at the wider of both t quantiles."""
    n_estimates = int(np.sum(points.side == 0))
    freedom = n_estimates - 2
    likelihoods: dict[float, Likelihood] = {}

    def at(extra: float) -> Likelihood:
        return likelihoods.setdefault(extra, Likelihood(points, extra))

    def excess(extra: float) -> float:
        model = at(extra)
        return model.misfit(*model.maximum()) - freedom

    extra = 0.0
    if freedom > 0:
        # A point without sampling noise has only tau^2 to absorb its residual, so the search starts from the residuals.
        extra = _root_from_zero(excess, start=max(float(np.var(points.y)), MIN_SPREAD**2))
    model = at(extra)
    intercept, slope = model.maximum()
    weights = model.weights()
    centred = points.x - weights @ points.x / weights.sum()
    coefficients = weights * centred / (weights @ centred**2)
    variances = np.where(weights > 0, 1 / np.maximum(weights, 1e-300), 0.0)
    scale = points.inflation * model.misfit(intercept, slope) / freedom if freedom > 0 else math.inf
    lack_of_fit = Noise(variances * scale, float(freedom)) if freedom > 0 else None
    sampling = Noise(variances, math.inf)

    def profile(confidence: float) -> Interval:
        if freedom < 1:
            return Interval(-math.inf, math.inf)
        quantile = max(t_quantile(math.inf, confidence), t_quantile(freedom, confidence) * math.sqrt(scale))
        return model.profile(quantile)

    noise = (sampling,) if lack_of_fit is None else (sampling, lack_of_fit)
    return Line(slope, intercept, coefficients, noise, n_estimates, lack_of_fit, profile)
