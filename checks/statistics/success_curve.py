"""The threshold of a success curve: the shapes that a curve may have, its likelihood, and runs that share something.

*Shapes.* A curve has a link, a rate where it starts and one where it ends; at each threshold the best of these counts.
Success at size N has probability guess + (1 - guess - lapse) F(k (log N - theta) + c), with c such that it is `level`
at theta. Two links F are tried: the logistic one, and the complementary log-log one, which is not symmetric and fits a
chance that any of many things happens (two of k draws agree: 1 - exp(-k^2 / 2n)). A logistic curve through such counts
puts the threshold 3 to 10 % too low, however many trials there are. A guess rate is success that comes without the
samples, a lapse rate failure that they do not cure; left out, either moves the threshold [Wichmann and Hill 2001].

All four are nuisance parameters: at every theta the best is taken. The likelihood has ridges and plateaus where a
local optimiser stalls, so it is looked at on a coarse grid of all of them, and then by a pattern search, which halves
its step, from the best place of that grid [Hooke and Jeeves 1961].

*Threshold.* The threshold, theta on the log scale, is a parameter of the curve, so its profile likelihood gives the
interval without a delta method; steepness, guess rate, lapse rate and link are profiled out. What the data do not tell
of the shape thereby widens the interval, and a wrong shape no longer moves the threshold. Steepness is capped at a
fraction of a grid step, because separable data (all failures, then all successes) leave it unbounded while theta stays
well determined between two grid points.

A curve may also end below the level, or begin above it, and then has no threshold. Where a curve that stays on one side
of the level fits as well as the interval allows, the interval is open on that side; where it fits better, success is
said to saturate.

The interval inverts the likelihood-ratio test. With few trials the ratio exceeds its chi-square by a term of order
1 / trials [Bartlett 1937]; its coefficients come from calibration. Counts that scatter more than binomial ones about
the best of all shapes (Pearson's statistic) come from runs that share something: the ratio is then divided by the
dispersion and compared with F, whose second degree of freedom is that of the dispersion [McCullagh and Nelder 1989,
ch. 4]. Where fewer than `MIN_FREEDOM` residuals tell of the dispersion, F has no useful quantile, and
`estimate_threshold` integrates over it instead (`integrated_fit`).

*Sharp thresholds.* Each run may have one of its own: the same for all, or two where seeds are of two kinds. Success
then jumps, once or twice, and nothing says where in its gap. So the interval reaches over every gap in which one jump
fits as the likelihood allows; and two jumps, where two fit better than any smooth curve.

*Runs that share something.* Their counts scatter more than those of independent runs. Counts are beta-binomial: the
success rate itself varies from point to point with intra-class correlation rho. A curve of ordinary steepness has three
points between all failures and all successes, too few to maximise over rho: profiled, the likelihood takes clumps for
shape, and its interval at 95 % covers 70 to 90 %. So nuisance parameters (steepness, lapse rate, rho) are integrated
out instead, as Bayesian psychometrics does [Schuett, Harmeling, Macke, Wichmann 2016]: what the data cannot tell then
widens the interval. Priors are flat: of the threshold on the searched domain, of the steepness in its logarithm, of
sqrt(rho), which is the relative scatter of the rate, up to its largest; only that of the lapse rate favours few lapses.
Coverage under these priors is measured by calibration.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.verdict import Interval

# --------------------------------------------------------------------------------------------------------------- shapes


Array = NDArray[np.float64]

MAX_SHARE = 0.9
"""Largest lapse rate, in units of 1 - level, and largest guess rate, in units of the level: a curve must cross it."""

MAX_STEEPNESS_PER_STEP = 20.0
"""Largest k times the median grid step: beyond it the curve is a step function to any data on the grid."""

N_STEEPNESSES = 12
"""Steepnesses of the coarse grid, from whose best place a pattern search begins [Hooke and Jeeves 1961]."""
_RATES = np.array([[0.0, 0.0], [0.15, 0.0], [0.0, 0.15], [0.15, 0.15], [0.7, 0.0], [0.0, 0.7], [0.5, 0.5]])
"""Lapse and guess rates of the coarse grid, in units of their largest."""

_OFFSETS = np.stack([axis.ravel() for axis in np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3, indexing="ij")])


@dataclass(frozen=True)
class Link:
    """A distribution function on the line, and its inverse."""

    name: str
    rate: Callable[[Array], Array]
    inverse: Callable[[Array], Array]


def _complementary(u: Array) -> Array:
    """1 - exp(-exp u), in place of which 1 stands far to the right."""
    return -np.expm1(-np.exp(np.minimum(u, 4.0)))


LINKS = (
    Link("logistic", special.expit, special.logit),
    Link("complementary log-log", _complementary, lambda p: np.log(-np.log1p(-p))),
)


@dataclass(frozen=True, eq=False)
class Shapes:
    """The nuisance parameters of one link at each of several thresholds [thetas], and the likelihood they reach."""

    link: Link
    theta: Array
    value: Array
    log_steepness: Array
    lapse: Array
    guess: Array

    def at(self, index: int) -> Shapes:
        """Those of one threshold, still arrays, of length 1."""
        arrays = (self.theta, self.value, self.log_steepness, self.lapse, self.guess)
        return Shapes(self.link, *(array[index : index + 1] for array in arrays))


@dataclass(frozen=True, eq=False)
class ShapeSearch:
    """The likelihood of counts under every shape, maximised at given thresholds.

    Attributes:
        log_n, successes, trials: the counts [points], sorted.
        level: success rate at the threshold.
    """

    log_n: Array
    successes: Array
    trials: Array
    level: float

    @property
    def steepness_range(self) -> tuple[float, float]:
        """Logarithms of the least steepness, nearly flat over the grid, and of the largest, a step."""
        span, step = float(np.ptp(self.log_n)), float(np.median(np.diff(self.log_n)))
        return math.log(0.2 / span), math.log(MAX_STEEPNESS_PER_STEP / step)

    @property
    def most(self) -> tuple[float, float]:
        """Largest lapse rate and largest guess rate."""
        return MAX_SHARE * (1 - self.level), MAX_SHARE * self.level

    def rates(self, link: Link, theta: Array, log_steepness: Array, lapse: Array, guess: Array) -> Array:
        """Success rates [..., points] for parameters of one shape [...]."""
        room = 1 - guess - lapse
        shift = link.inverse((self.level - guess) / room)
        lever = np.exp(log_steepness)[..., None] * (self.log_n - theta[..., None])
        return guess[..., None] + room[..., None] * link.rate(lever + shift[..., None])

    def rates_of(self, one: Shapes) -> Array:
        """Success rates [points] of shapes at one threshold."""
        return self.rates(one.link, one.theta, one.log_steepness, one.lapse, one.guess)[0]

    def likelihood(self, rates: Array) -> Array:
        """log likelihood of success rates [..., points]."""
        p = np.clip(rates, 1e-12, 1 - 1e-12)
        return np.log(p) @ self.successes + np.log1p(-p) @ (self.trials - self.successes)

    def coarse(self, link: Link, theta: Array) -> Shapes:
        """The best of a coarse grid at each theta."""
        grid = np.meshgrid(np.linspace(*self.steepness_range, N_STEEPNESSES), np.arange(len(_RATES)), indexing="ij")
        steepness, pair = (row.ravel() for row in grid)
        lapse, guess = (_RATES[pair.astype(int)] * self.most).T
        every = [np.broadcast_to(row, (len(theta), len(row))) for row in (steepness, lapse, guess)]
        values = self.likelihood(self.rates(link, np.broadcast_to(theta[:, None], every[0].shape), *every))
        best = values.argmax(axis=1)
        return Shapes(link, theta, values[np.arange(len(theta)), best], steepness[best], lapse[best], guess[best])

    def refined(self, link: Link, theta: Array) -> Shapes:
        """The best at each theta, ascending: a pattern search from the coarse grid, then from the best nearby."""
        floor, cap = self.steepness_range
        steps = np.array([0.5 * (cap - floor) / (N_STEEPNESSES - 1), 0.15 * self.most[0], 0.15 * self.most[1]])
        start = self.coarse(link, theta)
        found = np.stack([start.log_steepness, start.lapse, start.guess])
        _, found = self._searched(link, theta, found, steps, halvings=3)
        shared = np.stack([np.roll(found, shift, axis=1) for shift in (0, 1, -1, 3, -3)], axis=2)
        every = np.broadcast_to(theta[:, None], shared.shape[1:])
        best = self.likelihood(self.rates(link, every, *shared)).argmax(axis=1)
        found = shared[:, np.arange(len(theta)), best]
        extra = math.ceil(0.5 * math.log2(max(float(self.trials.sum()) / 500, 1.0)))  # errors shrink with more trials
        value, found = self._searched(link, theta, found, steps / 8, halvings=2 + extra)
        return Shapes(link, theta, value, *found)

    def _searched(self, link: Link, theta: Array, found: Array, steps: Array, *, halvings: int) -> tuple[Array, Array]:
        """A pattern search from the shapes `found` [3, thetas]: the largest log likelihood, and its shapes."""
        floor, cap = self.steepness_range
        lows, highs = np.array([[floor, 0.0, 0.0], [cap, *self.most]])[:, :, None, None]
        rows = np.arange(len(theta))
        best = np.full(len(theta), -np.inf)
        every = np.broadcast_to(theta[:, None], (len(theta), _OFFSETS.shape[1]))
        for _ in range(halvings):
            tried = np.clip(found[:, :, None] + (steps[:, None] * _OFFSETS)[:, None, :], lows, highs)
            values = self.likelihood(self.rates(link, every, *tried))
            place = values.argmax(axis=1)
            best, found = values[rows, place], tried[:, rows, place]
            steps = steps / 2
        return best, found

    def saturated(self) -> tuple[float, float]:
        """The largest log likelihood of logistic curves that never exceed the level, and where that one ends."""
        centre = np.linspace(self.log_n[0], self.log_n[-1], 15)
        steepness = np.linspace(*self.steepness_range, N_STEEPNESSES)
        top = self.level * np.linspace(0.1, 1.0, 10)
        centre, steepness, top = (row[..., None] for row in np.meshgrid(centre, steepness, top, indexing="ij"))
        values = self.likelihood(top * special.expit(np.exp(steepness) * (self.log_n - centre)))
        best = np.unravel_index(values.argmax(), values.shape)
        return float(values[best]), float(top[best][0])


# ----------------------------------------------------------------------------------------------- the profile likelihood


MAX_LAPSE = 0.2
"""Largest lapse rate of a declared over-dispersed curve, whose nuisance parameters are integrated out."""

SMALL_SAMPLE_EXCESS = 12.0
"""A quantile of the likelihood ratio is that of chi-square times 1 + this / trials. Calibrated for intervals at 95 %,
at 35 to 350 trials, steepness 1.5 to 8, lapse rates to 0.1, levels 0.5 and 0.8. Bartlett's term is one factor for the
whole distribution, so other confidences have the same: at 99 % ordinary curves of 70 trials and shallow ones of 140
hold the threshold in 99.6 and 99.2 % of 250 experiments each."""

PLACED_EXCESS = 15.0
"""The same where sizes have different numbers of trials, as they have where trials were placed by what was seen: the
ratio then exceeds its chi-square by more, because which trials there are is itself chance (docs/planning.md)."""

MAX_START = 0.02
"""Success rate at the smallest sizes that is not worth a word."""

NEVER_BEYOND = 60.0
"""2 log LR beyond which no interval reaches, so that curves without a threshold need not be looked for."""

MIN_EXPECTED_VARIANCE = 0.3
"""Binomial variance below which a point says nothing about dispersion: one unlucky run would look like a clump."""

MIN_FREEDOM = 5
"""Degrees of freedom below which a dispersion has no useful F quantile: at 95 % 161 with one, 18.5 with two, 7.7 with
four."""

DISPERSION_LEVEL = 0.10
"""Level of the test that finds counts over-dispersed: a pretest, so not the policy's. It is a mild one, because an
interval that takes clumps for independent runs is too short."""

FLAT_LIKELIHOOD_RATIO = float(special.chdtri(1, 2 * PRETEST_LEVEL))
"""2 log LR below which a rising curve is no better than a constant: one-sided, as slope 0 is a boundary."""

FALLING_LIKELIHOOD_RATIO = float(special.chdtri(1, PRETEST_LEVEL))
"""2 log LR from which success is said to fall with N: a likelihood-ratio test, two-sided at `PRETEST_LEVEL`, stricter
than that of a rise, since it ends in a finding."""

LINK_PREFERRED = 1.0
"""Log likelihood by which another link must be better than the logistic one for the threshold to be taken from it.
The interval is that of both."""

HALF = float(special.chdtri(1, 0.5))
"""2 log LR that is exceeded as often as not."""

END_SHARE = 0.95
"""Share of its rise that a curve has behind it where it is said to have ended, or before it where it begins."""


@dataclass(frozen=True)
class ThresholdFit:
    """Logarithm of the threshold, its interval, and what to know of the curve.

    Attributes:
        theta: of the best curve.
        interval: of theta; an end is infinite where curves beyond what was searched, or without a threshold, fit.
        dispersion: of the counts, where it is not binomial.
        is_clumped: whether it is not, and too few points tell by how much.
        ends_below, begins_above: where the best curve ends or begins, if it stays below or above the level.
        ends: success rates at which the fitted curve begins and ends, where they are seen and not 0 and 1.
    """

    theta: float
    interval: Interval
    dispersion: float | None = None
    is_clumped: bool = False
    ends_below: float | None = None
    begins_above: float | None = None
    ends: tuple[float | None, float | None] = (None, None)


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

    def profile(self, confidence: float, *, nested: bool = False) -> ThresholdFit:
        """Maximise the likelihood over shapes and invert the likelihood-ratio test.

        Args:
            confidence: of the interval.
            nested: whether the same runs are seen at every size; the quantile is then larger (`_nesting`).
        """
        search = ShapeSearch(self.log_n, self.successes, self.trials, self.level)
        coarse = np.linspace(self.domain.low, self.domain.high, 31)
        rough, reach = np.maximum(*(search.coarse(link, coarse).value for link in LINKS)), 12.0
        fine, near = coarse, np.flatnonzero(2 * (rough.max() - rough) < reach)
        while True:
            # Passes where the profile matters, so that resolution follows the data and not the grid.
            fine = np.linspace(fine[max(near[0] - 1, 0)], fine[min(near[-1] + 1, len(fine) - 1)], 31)
            found = [search.refined(link, fine) for link in LINKS]
            values = np.maximum(*(one.value for one in found))
            best = max(found, key=lambda one: float(one.value.max()))
            top = best.at(int(best.value.argmax()))
            rates = search.rates_of(top)
            below, ends_at = self._beyond(rates, float(values.max()))
            above, begins_at = self._mirrored()._beyond(1 - rates[::-1], float(values.max()))
            dispersion, is_clumped, quantile = self._dispersion(rates, top, confidence, is_best=min(below, above) >= 0)
            if nested:
                quantile *= self._nesting(search, top, rates)
            if quantile > reach:  # the interval reaches farther than was looked
                reach, fine = 1.2 * quantile, coarse
                near = np.flatnonzero(2 * (rough.max() - rough) < reach)
                continue
            near = np.flatnonzero(2 * (values.max() - values) < reach)
            if len(near) >= 8:
                break
        interval = self._interval(fine, 2 * (values.max() - values), quantile, below=below, above=above)
        logistic = found[0].value  # where the data do not tell links apart, thresholds are those of one and the same
        theta = _middle(fine, logistic if values.max() - logistic.max() < LINK_PREFERRED else values)
        sharp = self.sharp_gaps(float(values.max()), quantile)
        interval = Interval(min(interval.low, sharp.low), max(interval.high, sharp.high)) if sharp else interval
        return ThresholdFit(
            theta,
            interval if below < 0 or above < 0 else Interval(min(interval.low, theta), max(interval.high, theta)),
            dispersion,
            is_clumped,
            ends_at if below < min(above, 0.0) else None,
            1 - begins_at if above < min(below, 0.0) else None,
            self._ends(search, top),
        )

    def _interval(self, theta, deviance, quantile: float, *, below: float, above: float) -> Interval:
        """Where the deviance from the best of all curves stays within the quantile.

        Args:
            below, above: deviances, from the best with a threshold, of curves that stay below or above the level.
        """
        low, high = -math.inf, math.inf
        least = min(below, above, 0.0)  # negative where a curve without a threshold is the best
        excess = deviance - least
        inside = np.flatnonzero(excess <= quantile)
        if not inside.size:
            return Interval(self.log_n[-1], math.inf) if below < above else Interval(-math.inf, self.log_n[0])
        if inside[0] > 0 and above - least > quantile:
            low = _crossing(theta, excess, quantile, inside[0] - 1)
        if inside[-1] < len(theta) - 1 and below - least > quantile:
            high = _crossing(theta, excess, quantile, inside[-1])
        return Interval(low, high)

    def sharp_gaps(self, most: float, quantile: float) -> Interval | None:
        """Hull of the gaps of the grid that hold the threshold if each run has a sharp one, of one value or of two.

        Success is then constant but for one step or two, each somewhere between two sizes, and nothing tells where.
        None where all such curves are rejected.

        Args:
            most: log likelihood of the best of the smooth curves.
            quantile: of the likelihood ratio.
        """
        count = len(self.log_n)
        won, tried = (np.concatenate([[0.0], np.cumsum(each)]) for each in (self.successes, self.trials))
        first, second = (place.ravel() for place in np.meshgrid(np.arange(1, count), np.arange(1, count)))
        first, second = first[first <= second], second[first <= second]  # points before each of the two steps
        ends = np.stack([np.zeros_like(first), first, second, np.full_like(first, count)])
        hits, runs = np.diff(won[ends], axis=0), np.diff(tried[ends], axis=0)
        rates = hits / np.maximum(runs, 1)
        below, above = np.minimum(rates, self.level), np.maximum(rates, self.level)
        values = [  # the threshold is the first step where the middle reaches the level, else the second
            np.sum(special.xlogy(hits, level) + special.xlogy(runs - hits, 1 - level), axis=0)
            for level in (np.stack([below[0], middle, above[2]]) for middle in (above[1], below[1]))
        ]
        best = max(float(each.max()) for each in values)
        if best < most:  # two steps bend like a smooth curve: they count only where they fit better
            values = [np.where(first == second, each, -np.inf) for each in values]
        least = max(best, most) - quantile / 2
        places = np.concatenate([place[each >= least] for place, each in zip((first, second), values, strict=True)])
        if not len(places):
            return None
        return Interval(float(self.log_n[places.min() - 1]), float(self.log_n[places.max()]))

    def _dispersion(
        self, rates: NDArray[np.float64], shape: Shapes, confidence: float, *, is_best: bool
    ) -> tuple[float | None, bool, float]:
        """Dispersion where the counts reject binomial scatter, and the quantile of the likelihood ratio.

        Between the two: whether they reject it, and too few points tell by how much.
        """
        excess = SMALL_SAMPLE_EXCESS if np.ptp(self.trials) == 0 else PLACED_EXCESS
        plain = float(special.chdtri(1, 1 - confidence)) * (1 + excess / float(self.trials.sum()))
        variance = self.trials * rates * (1 - rates)
        informative = variance > MIN_EXPECTED_VARIANCE
        freedom = int(informative.sum()) - 2  # threshold and steepness
        used = int(shape.guess[0] > MAX_START) + int(shape.lapse[0] > MAX_START)  # which may rest on other points
        freedom = max(freedom - used, min(freedom, 1))
        if freedom < 1 or not is_best:  # about a curve that is not the best of all, scatter is misfit
            return None, False, plain
        residual = (self.successes - self.trials * rates)[informative]
        pearson = float(np.sum(residual**2 / variance[informative]))
        if pearson <= special.chdtri(freedom, DISPERSION_LEVEL):
            return None, False, plain
        dispersion = pearson / freedom
        if freedom < MIN_FREEDOM:
            return dispersion, True, plain
        return dispersion, False, max(plain, dispersion * float(special.fdtri(1, freedom, confidence)))

    def _nesting(self, search: ShapeSearch, best: Shapes, rates: NDArray[np.float64]) -> float:
        """By how much the variance of theta grows where the same runs are seen at every size.

        The counts of two sizes then have covariance n p (1 - q), p the lower of their rates, and the likelihood is a
        composite one: its ratio is divided by what Godambe's information falls short of Fisher's [Varin, Reid and Firth
        2011]. That is so for runs that keep their success at larger sizes; less dependent ones need less.
        """
        step = 1e-4
        moved = [replace(best, theta=best.theta + step), replace(best, log_steepness=best.log_steepness + step)]
        slopes = np.stack([(search.rates_of(one) - rates) / step for one in moved])
        rates = np.clip(rates, 1e-6, 1 - 1e-6)
        weights = slopes / (rates * (1 - rates))
        least, low = np.minimum.outer(self.trials, self.trials), np.minimum.outer(rates, rates)
        shared = weights @ (least * low * (1 - np.maximum.outer(rates, rates))) @ weights.T
        alone = (weights * self.trials * rates * (1 - rates)) @ weights.T
        inverse = np.linalg.pinv(alone)
        return max(1.0, float((inverse @ shared @ inverse)[0, 0] / inverse[0, 0]))

    def _beyond(self, rates: NDArray[np.float64], most: float) -> tuple[float, float]:
        """2 log LR of the best curve over those that never exceed the level, and where the best of these ends."""
        search = ShapeSearch(self.log_n, self.successes, self.trials, self.level)
        own = self.successes / self.trials
        bound = 2 * (most - float(search.likelihood(np.minimum(own, self.level))))
        if bound > NEVER_BEYOND:
            return bound, 1.0  # no curve below the level fits better than each point by itself
        capped = float(search.likelihood(np.minimum(rates, self.level)))
        value, ends_at = search.saturated()
        return 2 * (most - max(capped, value)), ends_at

    def _mirrored(self) -> SuccessCurve:
        """Failures in place of successes, small sizes in place of large ones."""
        failures = (self.trials - self.successes)[::-1]
        return SuccessCurve(-self.log_n[::-1], failures, self.trials[::-1], 1 - self.level)

    def _ends(self, search: ShapeSearch, best: Shapes) -> tuple[float | None, float | None]:
        """Where the curve begins and ends, if points show it to be above `MAX_START` and below `1 - MAX_LAPSE`."""
        guess, lapse = float(best.guess[0]), float(best.lapse[0])
        risen = (search.rates_of(best) - guess) / (1 - guess - lapse)
        start = end = None
        first, last = risen < 1 - END_SHARE, risen > END_SHARE
        if first.any() and self.successes[first].sum():
            limit = special.betaincinv(
                self.successes[first].sum(), (self.trials - self.successes)[first].sum() + 1, PRETEST_LEVEL
            )
            start = guess if limit > MAX_START else None
        if last.any() and (self.trials - self.successes)[last].sum():
            limit = special.betaincinv(
                self.successes[last].sum() + 1, (self.trials - self.successes)[last].sum(), 1 - PRETEST_LEVEL
            )
            end = 1 - lapse if limit < 1 - MAX_LAPSE else None
        return start, end

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

    def _likelihood(self, theta, steepness, lapse) -> NDArray[np.float64]:
        """log likelihood [theta, steepness, lapse]; steepness is given by its logarithm."""
        shift = special.logit(self.level / (1 - lapse))
        lever = np.exp(steepness)[:, :, None] * (self.log_n[None, None, :] - theta[:, None, None])
        p = (1 - lapse[:, None, :, None]) * special.expit(lever[:, :, None, :] + shift[:, None, :, None])
        np.clip(p, 1e-12, 1 - 1e-12, out=p)
        return np.log(p) @ self.successes + np.log1p(-p) @ (self.trials - self.successes)


def _log_likelihood(successes, trials, p) -> NDArray[np.float64]:
    return special.xlogy(successes, p) + special.xlog1py(trials - successes, -p)


def _middle(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """The middle of the interval that holds the parameter as often as not, by the log likelihood y.

    At the peak itself a skew likelihood, as that of a curve with a low plateau, is off to one side more often than to
    the other. Separable data leave a plateau, and this is its middle.
    """
    deviance, best = 2 * (y.max() - y), int(y.argmax())
    inside = np.flatnonzero(deviance <= HALF)
    if inside[0] == 0 or inside[-1] == len(x) - 1:
        return float(x[best])
    ends = _crossing(x, deviance, HALF, inside[0] - 1), _crossing(x, deviance, HALF, inside[-1])
    return 0.5 * (ends[0] + ends[1])


def _crossing(x: NDArray[np.float64], deviance: NDArray[np.float64], quantile: float, left: int) -> float:
    """Where the deviance crosses the quantile between x[left] and x[left + 1]: its root is nearly linear in x."""
    first, second = np.sqrt(np.maximum(deviance[left : left + 2], 0.0)) - math.sqrt(quantile)
    return float(x[left] - first * (x[left + 1] - x[left]) / (second - first))


# -------------------------------------------------------------------------------------------- runs that share something


MAX_SCATTER = 0.7
"""Largest sqrt(rho): beyond it a point is mostly all or nothing, and hardly a threshold can be told."""

_LAPSE_PRIOR = np.array([1.0, 0.8, 0.5, 0.3, 0.15])
_LOG_ODDS = np.linspace(-28.0, 28.0, 561)


def integrated_fit(curve: SuccessCurve, confidence: float) -> ThresholdFit:
    """Posterior median of log threshold and its central interval; ends on the domain's edge are unbounded.

    The dispersion is that of the posterior mean of rho at the median number of trials a point, 1 + (n - 1) rho.
    """
    scatter = np.linspace(0.0, MAX_SCATTER, 8)
    table = np.stack(
        [_log_beta_binomial(*counts, scatter**2) for counts in zip(curve.successes, curve.trials, strict=True)]
    )

    def log_posterior(theta: Array) -> Array:
        steepness, lapse = curve.nuisance_grid(len(_LAPSE_PRIOR))
        rows = [_log_joint(curve, table, value, steepness, lapse) for value in theta]
        return np.stack(rows) + np.log(_LAPSE_PRIOR)

    coarse = np.linspace(curve.domain.low, curve.domain.high, 41)
    rough = log_posterior(coarse).max(axis=(1, 2, 3))
    near = np.flatnonzero(rough > rough.max() - 12.0)  # all but exp(-12) of the mass
    theta = np.linspace(coarse[max(near[0] - 1, 0)], coarse[min(near[-1] + 1, 40)], 81)
    posterior = log_posterior(theta)
    posterior = np.exp(posterior - posterior.max())  # [theta, scatter, steepness, lapse]
    mass = posterior.sum(axis=(1, 2, 3))
    below = (np.cumsum(mass) - mass / 2) / mass.sum()
    low, middle, high = np.interp([0.5 - confidence / 2, 0.5, 0.5 + confidence / 2], below, theta)
    share = posterior.sum(axis=(0, 2, 3)) / mass.sum()
    dispersion = 1 + (float(np.median(curve.trials)) - 1) * float(share @ scatter**2)
    # Within a step of the domain's edge the posterior runs on beyond what was searched.
    step = theta[1] - theta[0]
    low = low if low > curve.domain.low + step else -np.inf
    high = high if high < curve.domain.high - step else np.inf
    return ThresholdFit(float(middle), Interval(low, high), dispersion)


def _log_joint(curve: SuccessCurve, table: Array, theta: float, steepness: Array, lapse: Array) -> Array:
    """log likelihood at one threshold [scatter, steepness, lapse], by linear interpolation in the log odds."""
    p = curve.rates(theta, steepness, lapse)  # [steepness, lapse, points]
    step = _LOG_ODDS[1] - _LOG_ODDS[0]
    place = np.clip((special.logit(np.clip(p, 1e-12, 1 - 1e-12)) - _LOG_ODDS[0]) / step, 0, len(_LOG_ODDS) - 1.001)
    index = place.astype(int)
    part = place - index
    points = np.arange(len(curve.log_n))
    left, right = table[points, :, index], table[points, :, index + 1]  # [steepness, lapse, points, scatter]
    values = left + part[..., None] * (right - left)
    return np.moveaxis(values.sum(axis=2), -1, 0)


def _log_beta_binomial(successes: float, trials: float, rho: Array) -> Array:
    """log probability of one count, up to its binomial coefficient, by rho and by log odds. [rho, log odds]"""
    p = special.expit(_LOG_ODDS)
    rows = [special.xlogy(successes, p) + special.xlogy(trials - successes, special.expit(-_LOG_ODDS))]
    for correlation in rho[1:]:
        total = 1 / correlation - 1
        a, b = total * p, total * special.expit(-_LOG_ODDS)
        rows.append(special.betaln(successes + a, trials - successes + b) - special.betaln(a, b))
    return np.stack(rows)
