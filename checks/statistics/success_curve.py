"""The likelihood of a success curve, and the threshold it implies.

The success curve is p(N) = (1 - lapse) expit(k (log N - theta) + c), with c such that p(exp theta) = level: theta, the
quantity wanted, is a parameter of the model, so its profile likelihood gives the interval without a delta method. The
lapse rate absorbs runs that fail at any N; without it one unlucky run at large N drags the threshold far to the right
(Wichmann and Hill 2001). Steepness is capped at a fraction of a grid step, because separable data (all failures, then
all successes) leave it unbounded while theta stays well determined between two grid points.

The interval inverts the likelihood-ratio test, at a quantile corrected twice. With few trials the ratio exceeds its
chi-square by a term of order 1 / trials [Bartlett 1937]; its coefficients come from calibration. And where Pearson's
statistic rejects binomial scatter (runs that share something: over-dispersion), the ratio is divided by the dispersion
and compared with F, whose second degree of freedom is that of the dispersion [McCullagh and Nelder 1989, ch. 4].

The likelihood is maximised over steepness and lapse rate on grids that zoom in, for all theta at once: it has ridges
and plateaus where a local optimiser stalls, and three parameters make an exhaustive search cheap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.verdict import Interval

MAX_LAPSE = 0.2
"""Largest fraction of runs that may fail whatever N; more than that is a property of the learner, not a lapse."""

MAX_STEEPNESS_PER_STEP = 20.0
"""Largest k times the median grid step: beyond it the curve is a step function to any data on the grid."""

SMALL_SAMPLE_EXCESS = 10.0
"""The 95 % quantile of the likelihood ratio is that of chi-square times 1 + this / trials. Calibrated at 35 to 140
trials, steepness 1.5 to 8, lapse rates to 0.1: coverage rises from 0.905..0.945 to 0.943..0.965."""

PLACED_EXCESS = 15.0
"""The same where sizes have different numbers of trials, as they have where trials were placed by what was seen: the
ratio then exceeds its chi-square by more, because which trials there are is itself chance (docs/adaptive.md)."""

MIN_EXPECTED_VARIANCE = 0.3
"""Binomial variance below which a point says nothing about dispersion: one unlucky run would look like a clump."""

FLAT_LIKELIHOOD_RATIO = float(special.chdtri(1, 0.10))
"""2 log LR below which a rising curve is no better than a constant: one-sided 5 %, as slope 0 is a boundary."""

FALLING_LIKELIHOOD_RATIO = float(special.chdtri(1, 0.05))


@dataclass(frozen=True)
class ThresholdFit:
    """Logarithm of the threshold, its 95 % interval, and the dispersion of the counts where it is not binomial."""

    theta: float
    interval: Interval
    dispersion: float | None


@dataclass(frozen=True, eq=False)
class SuccessCurve:
    """Success counts against log N, sorted and pooled, with the likelihood of the logistic curve."""

    log_n: NDArray[np.float64]
    successes: NDArray[np.float64]
    trials: NDArray[np.float64]
    level: float

    @property
    def span(self) -> float:
        """Length of the grid in log N."""
        return float(self.log_n[-1] - self.log_n[0])

    @property
    def domain(self) -> Interval:
        """Where theta is searched: one grid span beyond either end. An interval that leaves it is unbounded there."""
        return Interval(self.log_n[0] - self.span, self.log_n[-1] + self.span)

    def trend(self) -> Literal["rising", "flat", "falling"]:
        """Compare a two-parameter logistic curve of free sign with a constant by likelihood ratio."""
        rate = self.successes.sum() / self.trials.sum()
        if self.span == 0 or rate in (0.0, 1.0):
            return "flat"
        centred = self.log_n - self.log_n @ self.trials / self.trials.sum()
        constant = float(np.sum(_log_likelihood(self.successes, self.trials, np.full_like(self.log_n, rate))))
        cap = MAX_STEEPNESS_PER_STEP / float(np.median(np.diff(self.log_n)))
        offset, slope, best = special.logit(rate), 0.0, constant
        for _ in range(30):  # Newton on a concave function; separable data push the slope to its cap
            p = special.expit(offset + slope * centred)
            weight = self.trials * p * (1 - p) + 1e-9
            score = self.successes - self.trials * p
            hessian = np.array([[weight.sum(), weight @ centred], [weight @ centred, weight @ centred**2]])
            step = np.linalg.solve(hessian, np.array([score.sum(), score @ centred]))
            step *= min(1.0, 4.0 / max(np.max(np.abs(step[0] + step[1] * centred)), 1e-12))
            offset, slope = offset + step[0], float(np.clip(slope + step[1], -cap, cap))
            p = special.expit(offset + slope * centred)
            best = max(best, float(np.sum(_log_likelihood(self.successes, self.trials, p))))
            if np.max(np.abs(step)) < 1e-6:
                break
        ratio = 2 * (best - constant)
        if slope < 0 and ratio > FALLING_LIKELIHOOD_RATIO:
            return "falling"
        return "rising" if slope > 0 and ratio > FLAT_LIKELIHOOD_RATIO else "flat"

    def profile(self) -> ThresholdFit:
        """Maximise the likelihood and invert the likelihood-ratio test."""
        coarse = np.linspace(self.domain.low, self.domain.high, 61)
        rough = self._maximised(coarse, zooms=0)[0]
        reach = 12.0
        while True:
            # Second pass where the profile matters, so that resolution follows the data and not the grid.
            near = np.flatnonzero(2 * (rough.max() - rough) < reach)
            fine = np.linspace(coarse[max(near[0] - 1, 0)], coarse[min(near[-1] + 1, len(coarse) - 1)], 71)
            values = self.profile_likelihood(fine)
            theta = _peak(fine, values)
            dispersion, quantile = self._dispersion(theta)
            if quantile <= reach:
                break
            reach = 1.2 * quantile  # over-dispersed counts: the interval reaches farther than was looked
        excess = 2 * (values.max() - values) - quantile
        inside = np.flatnonzero(excess <= 0)
        low, high = -math.inf, math.inf
        if inside[0] > 0:
            low = _crossing(fine, excess, inside[0] - 1)
        if inside[-1] < len(fine) - 1:
            high = _crossing(fine, excess, inside[-1])
        return ThresholdFit(theta, Interval(min(low, theta), max(high, theta)), dispersion)

    def _dispersion(self, theta: float) -> tuple[float | None, float]:
        """Dispersion where the counts reject binomial scatter (10 %), and the 95 % quantile of the likelihood ratio."""
        excess = SMALL_SAMPLE_EXCESS if np.ptp(self.trials) == 0 else PLACED_EXCESS
        plain = float(special.chdtri(1, 0.05)) * (1 + excess / float(self.trials.sum()))
        _, log_steepness, lapse = self._maximised(np.array([theta]))
        shift = special.logit(self.level / (1 - lapse))
        p = (1 - lapse) * special.expit(np.exp(log_steepness) * (self.log_n - theta) + shift)
        variance = self.trials * p * (1 - p)
        informative = variance > MIN_EXPECTED_VARIANCE
        freedom = int(informative.sum()) - 2  # threshold and steepness; the lapse rate rests on the other points
        if freedom < 1:
            return None, plain
        residual = (self.successes - self.trials * p)[informative]
        pearson = float(np.sum(residual**2 / variance[informative]))
        if pearson <= special.chdtri(freedom, 0.10):
            return None, plain
        dispersion = pearson / freedom
        return dispersion, max(plain, dispersion * float(special.fdtri(1, freedom, 0.95)))

    def profile_likelihood(self, theta: NDArray[np.float64]) -> NDArray[np.float64]:
        """log likelihood maximised over steepness and lapse rate at each theta."""
        return self._maximised(theta)[0]

    def steepness_likelihood(self, log_steepness: NDArray[np.float64]) -> NDArray[np.float64]:
        """log likelihood maximised over threshold and lapse rate at each log steepness, on a grid."""
        theta = np.linspace(self.log_n[0], self.log_n[-1], 61)
        lapse = np.linspace(0.0, min(MAX_LAPSE, (1 - self.level) / 2), 5)
        shape = len(theta), len(log_steepness)
        values = self._likelihood(theta, np.broadcast_to(log_steepness, shape), np.broadcast_to(lapse, (len(theta), 5)))
        return values.max(axis=(0, 2))

    def nuisance_grid(self, n_lapses: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Log steepness, from nearly flat over the grid to a step, and lapse rates, from none to the largest."""
        cap = math.log(MAX_STEEPNESS_PER_STEP / float(np.median(np.diff(self.log_n))))
        max_lapse = min(MAX_LAPSE, (1 - self.level) / 2)
        return np.linspace(math.log(0.2 / self.span), cap, 14), np.linspace(0.0, max_lapse, n_lapses)

    def rates(
        self, theta: float, log_steepness: NDArray[np.float64], lapse: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Success rates of one threshold [steepness, lapse, points]."""
        shift = special.logit(self.level / (1 - lapse))[None, :, None]
        lever = np.exp(log_steepness)[:, None, None] * (self.log_n - theta)
        return (1 - lapse)[None, :, None] * special.expit(lever + shift)

    def _maximised(self, theta: NDArray[np.float64], *, zooms: int = 2) -> tuple[NDArray[np.float64], ...]:
        """Largest log likelihood, log steepness and lapse rate at each theta: a grid, then zooms about its best."""
        every_steepness, every_lapse = self.nuisance_grid(5)
        floor, cap, max_lapse = every_steepness[0], every_steepness[-1], every_lapse[-1]
        steepness = np.broadcast_to(every_steepness, (len(theta), 14))
        lapse = np.broadcast_to(every_lapse, (len(theta), 5))
        half_steepness, half_lapse = (cap - floor) / 13, max_lapse / 4
        best = np.full(len(theta), -np.inf)
        best_steepness, best_lapse = np.empty_like(theta), np.empty_like(theta)
        for _ in range(1 + zooms):
            values = self._likelihood(theta, steepness, lapse)
            flat = values.reshape(len(theta), -1)
            row, column = np.unravel_index(flat.argmax(axis=1), values.shape[1:])
            best = np.maximum(best, flat.max(axis=1))
            at = np.arange(len(theta))
            best_steepness, best_lapse = steepness[at, row], lapse[at, column]
            steepness = np.clip(best_steepness[:, None] + half_steepness * np.linspace(-1, 1, 5), floor, cap)
            lapse = np.clip(best_lapse[:, None] + half_lapse * np.linspace(-1, 1, 5), 0.0, max_lapse)
            half_steepness, half_lapse = half_steepness / 3, half_lapse / 3
        return best, best_steepness, best_lapse

    def _likelihood(self, theta, steepness, lapse) -> NDArray[np.float64]:
        """log likelihood [theta, steepness, lapse]; steepness is given by its logarithm."""
        shift = special.logit(self.level / (1 - lapse))
        lever = np.exp(steepness)[:, :, None] * (self.log_n[None, None, :] - theta[:, None, None])
        p = (1 - lapse[:, None, :, None]) * special.expit(lever[:, :, None, :] + shift[:, None, :, None])
        np.clip(p, 1e-12, 1 - 1e-12, out=p)
        return np.log(p) @ self.successes + np.log1p(-p) @ (self.trials - self.successes)


def _log_likelihood(successes, trials, p) -> NDArray[np.float64]:
    return special.xlogy(successes, p) + special.xlog1py(trials - successes, -p)


def _peak(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Where y is largest, between grid points; the middle of a plateau, which separable data leave."""
    plateau = x[y > y.max() - 1e-6]
    best = int(y.argmax())
    if len(plateau) > 1 or best in (0, len(x) - 1):
        return float(0.5 * (plateau[0] + plateau[-1]))
    left, middle, right = y[best - 1 : best + 2]
    return float(x[best] + 0.5 * (left - right) / (left - 2 * middle + right) * (x[1] - x[0]))


def _crossing(x: NDArray[np.float64], y: NDArray[np.float64], left: int) -> float:
    """Zero of the chord of y between x[left] and x[left + 1]."""
    return float(x[left] - y[left] * (x[left + 1] - x[left]) / (y[left + 1] - y[left]))
