"""The log likelihood of a line through points, some of which are only bounds, and its profile along the slope.

A bound enters by P(every replicate lies beyond the bound) = P(the least extreme one does), with the least extreme of r
normals taken as normal with its exact mean and variance. That is exact for one replicate; for more its tail is too
heavy on the safe side, so that bounds pull a little less than they could. The log likelihood is concave in (intercept,
slope), so Newton's method converges from anywhere.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from scipy import optimize, special

from checks.statistics.points import MIN_SPREAD, Array, Points
from checks.statistics.verdict import Interval

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
