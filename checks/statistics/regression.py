"""A straight line through points that carry their own uncertainty, some of which are only bounds.

Used by `checks.statistics.judge` with y = log(measured / claimed) and x = log axis; knows nothing of claims or
verdicts.

Two things scatter points about a line: sampling noise, known from replicates, and lack of fit, seen only in the
residuals. Either may dominate, and neither estimate is reliable alone: replicates are blind to lack of fit, few
residuals happen to be small by chance. So a `Line` keeps both sources of noise, each with its own degrees of freedom,
and an interval is the wider of the two t intervals; it covers whenever either source is the true one.

Weights: equal where sampling variances are (OLS: robust, and its target is plain); otherwise 1 / (v_i + tau^2), with
tau^2 between points such that the residuals are as large as they should be. [Paule and Mandel 1982; the lack-of-fit
interval is that of Knapp and Hartung 2003]

Points that are only bounds enter by their likelihood (`checks.statistics.likelihood`). The interval then comes from the
profile likelihood, because bounds make it lopsided.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import optimize, special

from checks.statistics.likelihood import Likelihood, weighted_line
from checks.statistics.points import MIN_SPREAD, Array, Points
from checks.statistics.verdict import Interval

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
    """A fitted line. `coefficients` express the slope as a linear function of y (to first order with bounds)."""

    slope: float
    intercept: float
    coefficients: Array
    noise: tuple[Noise, ...]
    n_estimates: int
    lack_of_fit: Noise | None = None
    _profile: Callable[[float], Interval] | None = field(default=None, repr=False)
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
