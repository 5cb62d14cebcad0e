"""A straight line through points that carry their own uncertainty, some of which are only bounds.

Used by `checks.judge` with y = log(measured / claimed) and x = log axis; knows nothing of claims or verdicts.

Two things scatter points about a line: sampling noise, known from replicates, and lack of fit, seen only in the
residuals. Either may dominate, and neither estimate is reliable alone: replicates are blind to lack of fit, few
residuals happen to be small by chance. So a `Line` keeps both sources of noise, each with its own degrees of freedom,
and an interval is the wider of the two t intervals; it covers whenever either source is the true one.

Weights: equal where sampling variances are (OLS: robust, and its target is plain); otherwise 1 / (v_i + tau^2), with
tau^2 between points such that the residuals are as large as they should be. [Paule and Mandel 1982; the lack-of-fit
interval is that of Knapp and Hartung 2003]

Points that are only bounds enter by their likelihood, P(every replicate lies beyond the bound) = P(the least extreme
one does), with the least extreme of r normals taken as normal with its exact mean and variance. That is exact for one
replicate; for more its tail is too heavy on the safe side, so that bounds pull a little less than they could. The
interval then comes from the profile likelihood, because bounds make it lopsided. The log likelihood is concave in
(intercept, slope), so Newton's method cannot go astray.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import optimize, special

from checks.points import MIN_SPREAD, Array, Points, mills_ratio
from checks.verdict import Interval


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
        parts = coefficients**2 * self.variances
        total = float(parts.sum())
        if isinstance(self.freedom, float):
            freedom = self.freedom
        elif (spread := float(np.sum(parts**2 / self.freedom))) > 0:
            freedom = total**2 / spread  # Welch and Satterthwaite: a sum of unequal variances
        else:
            freedom = float(np.sum(self.freedom))
        return t_quantile(freedom, confidence) * math.sqrt(total)


@dataclass(frozen=True, eq=False)
class Line:
    """A fitted line. `coefficients` express the slope as a linear function of y (to first order with bounds)."""

    slope: float
    intercept: float
    coefficients: Array
    noise: tuple[Noise, ...]
    n_estimates: int
    lack_of_fit: Noise | None = None
    _profile: Callable[[float], Interval] | None = field(default=None, repr=False)
    _intervals: dict[float, Interval] = field(default_factory=dict, repr=False)

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


def t_quantile(freedom: float, confidence: float) -> float:
    """Two-sided quantile of Student's t; the normal one at infinite degrees of freedom."""
    tail = 0.5 + confidence / 2
    return float(special.ndtri(tail) if freedom > 1e6 else special.stdtrit(freedom, tail))


@functools.cache
def _least_of_normals(count: int) -> tuple[float, float]:
    """How far the expected minimum of `count` standard normals lies below 0, and its standard deviation."""
    z = np.linspace(-10.0, 10.0, 4001)
    density = np.exp(-0.5 * z**2 + (count - 1) * special.log_ndtr(-z))
    density /= density.sum()
    mean = float(density @ z)
    return -mean, math.sqrt(float(density @ (z - mean) ** 2))


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
    slope, intercept, coefficients, residuals = _weighted(points.x, points.y, weights)
    noise: list[Noise] = []
    if np.all(points.freedom > 0):
        noise.append(Noise(points.variance, points.freedom))
    count = len(points.x)
    lack_of_fit = None
    if count > 2:
        scale = float(weights @ residuals**2) / (count - 2)
        lack_of_fit = Noise(scale / weights, float(count - 2))
        noise.append(lack_of_fit)
    return Line(slope, intercept, coefficients, tuple(noise), count, lack_of_fit)


def _weighted(x: Array, y: Array, weights: Array) -> tuple[float, float, Array, Array]:
    """Slope, intercept, coefficients of the slope, residuals."""
    total = weights.sum()
    centred = x - weights @ x / total
    coefficients = weights * centred / (weights @ centred**2)
    middle = weights @ y / total
    slope = float(coefficients @ y)
    intercept = float(middle - slope * (weights @ x / total))
    return slope, intercept, coefficients, y - intercept - slope * x


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
        return float(weights @ _weighted(points.x, points.y, weights)[3] ** 2) - freedom

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
    likelihoods: dict[float, _Likelihood] = {}

    def at(extra: float) -> _Likelihood:
        return likelihoods.setdefault(extra, _Likelihood(points, extra))

    def excess(extra: float) -> float:
        model = at(extra)
        return model.misfit(*model.maximum()) - freedom

    extra = 0.0
    if freedom > 0:
        # A point without sampling noise has only tau^2 to absorb its residual, so the search starts from the residuals.
        extra = _root_from_zero(excess, start=max(float(np.var(points.y)), MIN_SPREAD**2))
    model = at(extra)
    intercept, slope = model.maximum()
    weights = -model.curvature(intercept + slope * points.x)
    centred = points.x - weights @ points.x / weights.sum()
    coefficients = weights * centred / (weights @ centred**2)
    variances = np.where(weights > 0, 1 / np.maximum(weights, 1e-300), 0.0)
    scale = model.misfit(intercept, slope) / freedom if freedom > 0 else math.inf
    lack_of_fit = Noise(variances * scale, float(freedom)) if freedom > 0 else None
    sampling = Noise(variances, math.inf)

    def profile(confidence: float) -> Interval:
        if freedom < 1:
            return Interval(-math.inf, math.inf)
        quantile = max(t_quantile(math.inf, confidence), t_quantile(freedom, confidence) * math.sqrt(scale))
        return model.profile(quantile)

    noise = (sampling,) if lack_of_fit is None else (sampling, lack_of_fit)
    return Line(slope, intercept, coefficients, noise, n_estimates, lack_of_fit, profile)


class _Likelihood:
    """log likelihood of a line at a given between-point variance: a sum over points of a function of the line's y."""

    def __init__(self, points: Points, extra: float) -> None:
        self.points = points
        self.estimate = points.side == 0
        self.bound = ~self.estimate
        self.variance = np.maximum(points.weight_variance[self.estimate], MIN_SPREAD**2) + extra
        shift, shrink = np.array([_least_of_normals(int(count)) for count in points.replicates[self.bound]]).T
        spread = np.maximum(points.spread[self.bound], MIN_SPREAD)
        self.side = points.side[self.bound]
        self.threshold = points.y[self.bound] + self.side * shift * spread
        self.width = np.sqrt((shrink * spread) ** 2 + extra)
        self._maximum: tuple[float, float] | None = None

    def terms(self, eta: Array) -> tuple[Array, Array, Array]:
        """log likelihood, first and second derivative, per point, where the line's value is eta."""
        points, estimate, bound = self.points, self.estimate, self.bound
        value, first, second = np.zeros_like(eta), np.zeros_like(eta), np.zeros_like(eta)
        residual = points.y[estimate] - eta[estimate]
        value[estimate] = -0.5 * residual**2 / self.variance
        first[estimate], second[estimate] = residual / self.variance, -1 / self.variance
        if bound.any():
            z = self.side * (eta[bound] - self.threshold) / self.width
            value[bound] = special.log_ndtr(z)
            mills = mills_ratio(z)
            first[bound] = self.side * mills / self.width
            second[bound] = -mills * np.maximum(z + mills, 0.0) / self.width**2
        return value, first, second

    def curvature(self, eta: Array) -> Array:
        return self.terms(eta)[2]

    def misfit(self, intercept: float, slope: float) -> float:
        """Weighted sum of squares; a bound counts where the line contradicts it."""
        points = self.points
        eta = intercept + slope * points.x
        residual = (points.y - eta)[self.estimate]
        contradiction = np.maximum(self.side * (self.threshold - eta[self.bound]), 0.0)
        return float(np.sum(residual**2 / self.variance) + np.sum(contradiction**2 / self.width**2))

    def maximum(self) -> tuple[float, float]:
        """(intercept, slope) of the maximum, by damped Newton steps."""
        if self._maximum is None:
            x = self.points.x
            centre = x.mean()
            slope, intercept, _, _ = _weighted(x[self.estimate], self.points.y[self.estimate], 1 / self.variance)
            start, design = np.array([intercept + slope * centre, slope]), np.stack([np.ones_like(x), x - centre])
            level, slope = self._newton(start, design)
            self._maximum = float(level - slope * centre), float(slope)
        return self._maximum

    def _newton(self, start: Array, design: Array, offset: Array | float = 0.0) -> Array:
        current = start
        value, first, second = self.terms(current @ design + offset)
        for _ in range(60):
            gradient = design @ first
            hessian = (design * second) @ design.T
            step = np.linalg.solve(hessian - 1e-12 * np.eye(len(start)), -gradient)
            decrement = float(gradient @ step)
            if decrement < 1e-10:
                break
            size = 1.0
            while True:
                trial = current + size * step
                terms = self.terms(trial @ design + offset)
                if terms[0].sum() >= value.sum() + 0.1 * size * decrement or size < 1e-6:
                    break
                size /= 2
            current, (value, first, second) = trial, terms
        return current

    def profile(self, quantile: float) -> Interval:
        """Slopes whose profile log likelihood lies within quantile^2 / 2 of the maximum."""
        intercept, slope = self.maximum()
        x = self.points.x
        centre = x.mean()
        top = float(self.terms(intercept + slope * x)[0].sum())
        weights = -self.curvature(intercept + slope * x)
        error = 1 / math.sqrt(weights @ (x - weights @ x / weights.sum()) ** 2)
        level = [intercept + slope * centre]
        ones = np.ones((1, len(x)))

        def excess(candidate: float) -> float:
            offset = candidate * (x - centre)
            level[0] = float(self._newton(np.array(level), ones, offset)[0])
            return 2 * (top - float(self.terms(level[0] + offset)[0].sum())) - quantile**2

        ends = []
        for direction in (-1.0, 1.0):
            level[0] = intercept + slope * centre
            reach = quantile * error
            for _ in range(12):
                if excess(slope + direction * reach) > 0:
                    root = optimize.brentq(excess, slope, slope + direction * reach, xtol=1e-5 * reach)
                    ends.append(float(root))  # pyrefly: ignore[bad-argument-type]  # a tuple only with full_output
                    break
                reach *= 2
            else:
                ends.append(direction * math.inf)
        return Interval(*ends)
