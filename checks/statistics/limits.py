"""Values claimed in a limit, q(d) -> L as d grows: an interval of the limit, and the rule that judges by it.

*Model of the extrapolation.* The mean at size d is L + C g(d). The corrections g are d^-p and log(d) d^-p, p free
between `LEAST_POWER` and `MOST_POWER`, and 1 / log d. These are what expansions of random matrices, mean fields and
replicas have; a limit read off without one is the mean at the largest size, which finite size keeps away from it.

*Interval.* Least squares weighted by the noise of each size. Given g the model is a straight line, so the sum of
squares at any L is known in closed form, and its least over C and p is the profile. The interval holds the limits whose
profile exceeds the least of all by no more than noise explains, by the quantile of F(1, f) [Bates and Watts 1988, ch.
6], f the freedom of the replicates. Points that scatter about the curve by more than replicates explain widen it by
their reduced chi-square (lack of fit) [Birge 1932].

*Which corrections.* One is left out where the data reject it at `REJECTED`, by an F test of its lack of fit or by its
profile against that of the best. All others count: their intervals are joined. Where the data reject all of them, small
sizes are not yet in the regime of one correction: a second term is tried (d^-2p, a logarithm beside none, 1 / log^2 d),
and then the smallest sizes are left out one by one. Where nothing fits any of these there is no limit to speak of.

*Noise of a size.* Few replicates do not show it, so its logarithm is a line in log d through all of them, which is what
self-averaging quantities have. Numbers without noise have lack of fit alone: all shapes with one or two terms are
fitted to all sizes and again without the smallest ones, the clearly worse are left out, and the rest are joined.

*Slow approaches.* Powers between `SLOWEST_POWER` and `LEAST_POWER`, powers of 1 / log d up to the first, those with
log log d and 1 / log d beside a power are not extrapolated with, since almost any limit goes with them. What
`Extrapolation.sparing` has are their intervals, and those of two terms, of sizes shifted by a multiple of the smallest
and of log^2 d / d^p where one term would do: a limit in one of them cannot be said to be missed, and one that the last
two leave, or one that the data prefer by `BORNE_OUT`, cannot be said to be met. Where small sizes had to be left out,
nothing can be said to be missed.

*Growth.* Where log^q d or d^p with a coefficient that is not 0 fits as well, there may be no limit at all, and none is
said to be met (`Extrapolation.grows`).

Calling order: `size_means` -> `extrapolate` -> `_Window` -> `_fits` -> `_Fit.interval`.

*The rule* (`judge_limit`). A formula that holds in the limit is off at every finite size, so a mean that differs from
it at d = 20, however significantly, says nothing against it. What is judged is the limit of the means, by its interval
over corrections of several shapes, powers and logarithms, that the data do not reject.

- *holds*: the whole interval, over all of these corrections, lies within the tolerance of the claimed value.
- *violated*: the interval excludes everything within the tolerance, and so does every correction that is slower than
  those extrapolated with and that the data do not reject. A sequence that may still creep to the claimed value, by a
  logarithm or a small power, violates nothing.
- *inconclusive* otherwise, with "finite size" and the size from which on sequences like the fitted one would decide.

*A range* (`span`). Samples that cannot leave a range by their meaning have their limit in it: intervals are cut to it,
and a growth without limit ends at its end. Whatever spares a claim stays as it is, so that a range accuses of nothing.

The tolerance is a share of the claimed value, or a number, stated before measuring: no finite sequence shows that its
limit equals a number. Means are arithmetic, since a limit theorem speaks of an expectation.

*What stays assumed.* That the approach is one of those corrections from the sizes at hand on. A crossover beyond the
largest size is in no data, and *holds* rests on no power below `LEAST_POWER`.

*Rates.* A claimed rate, q(d) - L = O(d^-r), is an order of |q - L| and is judged as one, by the Delta rule on |q - L|
(`judge_scaling`) or by an exponent within trials (`judge_rates`). Here it may bound the power (`rate`), only where the
author asks: the extrapolation then assumes what the rate claims. Of an assumption the data must not doubt: where means
move by more than noise, what holds thanks to a rate alone stands only if the approach it allows fits better, by
`BORNE_OUT`, than powers of half the rate or less and than growth without a limit: by so much over all sequences that
move, and in each no worse. 1 / log d looks as a power of 1/2 does over two decades, and is left to who states the rate.
What is missed thanks to a rate alone must fit better by as much than all slow approaches that would not miss it.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.approaches import LEAST_POWER, MOST_POWER
from checks.statistics.arguments import finite_rows, shown
from checks.statistics.estimates import exact_interval
from checks.statistics.explanation import (
    ASSUMED_RATE,
    NO_STEP,
    Adequacy,
    Choices,
    Clause,
    Clauses,
    Explanation,
    Figure,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
    size_words,
)
from checks.statistics.means import ROUNDING, without_noise
from checks.statistics.policy import CONFIDENCE, DEFAULT_POLICY, PRETEST_LEVEL, ErrorPolicy, policy_of
from checks.statistics.regression import t_quantile
from checks.statistics.serial_noise import OrderedMean, alike_in_order
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict

Array = NDArray[np.float64]

SLOWEST_POWER = 0.02
"""The slowest power of a correction that may spare a claim; those extrapolated with are `checks.statistics.approaches`.
"""
LEAST_OF_TWO = 0.5
"""Least power of the first of two terms that may spare a claim where one would do; slower pairs turn back anywhere."""

REJECTED = 0.01
"""Level at which a correction is left out. It is less than that of other pretests because leaving one out narrows the
interval, and the right one must not be left out."""

MIN_SIZES, MIN_FACTOR, MIN_REPLICATES = 4, 4.0, 3
"""Sizes, largest over smallest of them, and replicates at each, without which nothing is extrapolated."""

BORNE_OUT = 1.0
"""By how much the sum of squares in units of the noise, or n times its logarithm of exact numbers, must be less for an
assumed rate than for slower approaches: a likelihood ratio of exp(1/2), at equal numbers of parameters."""

OUTDONE = 2.0
"""By how much an approach that turns far beyond the sizes may be worse and still spare a claim: a ratio of e."""

LETTER = "d"
"""What sizes are called where nobody says."""

LEAST_FREEDOM_OF_LACK = 3
"""Freedom of the residuals from which on their own t quantile counts; with less it is that of nothing known."""
LEAST_FREEDOM_OF_TWO = 2
"""Sizes beyond the parameters that two terms must leave: with one, they fit what noise alone makes of any curve."""

COUNTED_CONFIDENCE = 0.999
"""Of the exact interval at one size, whose noise is taken for that of yes and no: a normal interval with it is as wide
as the exact one, or wider, for equal samples."""
_NO_VARIANCE = 1e-300
"""Variance of replicates that are all equal, less than that of any samples that differ (`_require_size`)."""
_FINEST, _FINEST_OF_EXACT = 1e-4, 1e-13
"""Step of the power at which a search for the best ends."""
_ZOOMS, _PER_ZOOM, _COARSE, _FINE = 16, 9, 33, 65
_STEPS, _FINE_STEPS = np.arange(float(_PER_ZOOM)), np.arange(float(_FINE))
_NO_SIZE = 1e-300
"""Sum of squares of a term that is the same at all sizes."""


# ---------------------------------------------------------------------------------------------------------------- means


@dataclass(frozen=True, eq=False)
class SizeMeans:
    """Means at growing sizes, and their noise.

    Attributes:
        size: ascending, > 1. [sizes]
        mean: of the replicates. [sizes]
        count: replicates. [sizes]
        variance: of one replicate, by a line in log size. [sizes]
        growth: slope of log variance in log size.
        freedom: degrees of freedom of the variance; infinite without noise.
        is_exact: whether the means are numbers without noise.
        letter: of the sizes, in words.
        span: between which numbers samples lie by their meaning, and their limit with them; None where nobody says.
    """

    size: Array
    mean: Array
    count: Array
    variance: Array
    growth: float
    freedom: float
    is_exact: bool = False
    letter: str = LETTER
    span: tuple[float, float] | None = None

    def in_words(self, text: str) -> str:
        """Words about d, as corrections have it, about the letter of these sizes."""
        return re.sub(r"\bd\b", lambda _: self.letter, text)

    @property
    def is_constant(self) -> bool:
        """Whether replicates agree that are not known to be without noise: nothing is known of their scatter."""
        return not self.is_exact and bool(
            np.all(self.variance <= max((ROUNDING * np.abs(self.mean).max()) ** 2, _NO_VARIANCE))
        )

    @functools.cached_property
    def _content(self) -> tuple[object, ...]:
        """All of it, to tell equal means by."""
        arrays = (each.tobytes() for each in (self.size, self.mean, self.count, self.variance))
        return (*arrays, self.growth, self.freedom, self.is_exact, self.letter, self.span)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SizeMeans) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def without(self, smallest: int) -> SizeMeans:
        """Those of all sizes but so many of the smallest."""
        size, mean, count, variance = (each[smallest:] for each in (self.size, self.mean, self.count, self.variance))
        return replace(self, size=size, mean=mean, count=count, variance=variance)

    def reaching(self, size: Array, mean: Array, count: float) -> SizeMeans:
        """With larger sizes, whose noise goes on as it did."""
        variance = self.variance[-1] * (size / self.size[-1]) ** self.growth
        own, added = (self.size, self.mean, self.count, self.variance), (size, mean, 0 * size + count, variance)
        size, mean, counts, variance = (np.concatenate(pair) for pair in zip(own, added, strict=True))
        return replace(self, size=size, mean=mean, count=counts, variance=variance)


def size_means(
    size: ArrayLike,
    samples: ArrayLike | Sequence[Sequence[float]],
    *,
    exact: bool = False,
    span: tuple[float, float] | None = None,
) -> SizeMeans:
    """Means and noise at each size; rows of one size are one.

    Args:
        size: of each row [points], finite and > 1.
        samples: independent measurements [points, replicates], finite; rows may have any lengths.
        exact: whether each sample is a number without noise. All replicates that agree at every size are such numbers.
        span: between which numbers samples lie by their meaning. Where all are one of its ends, no or yes, they are
            counted: the noise is the most that their exact interval at each size admits, so that equal ones tell. A
            limit lies between them too.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    size = np.asarray(size, dtype=float)
    if size.ndim != 1 or not size.size or not np.all(np.isfinite(size) & (size > 1)):
        raise ValueError(f"axis must be finite sizes > 1 [points], got {shown(size)}")
    rows = finite_rows("samples", samples, n_points=len(size))
    sizes, place = np.unique(size, return_inverse=True)
    groups = [np.concatenate([rows[i] for i in np.flatnonzero(place == k)]) for k in range(len(sizes))]
    mean = np.array([float(group.mean()) for group in groups])
    count = np.array([float(len(group)) for group in groups])
    counted = None if span is None or exact else _counted(groups, *span)
    if counted is not None:
        return SizeMeans(sizes, mean, count, counted, 0.0, max(float(np.sum(count - 1)), 1.0), span=span)
    if exact or without_noise(groups) is not None:
        if wrong := [k for k, group in enumerate(groups) if np.ptp(group) > ROUNDING * np.abs(group).max()]:
            raise ValueError(f"samples must agree at each size where they are exact, got others at {sizes[wrong[0]]:g}")
        return SizeMeans(sizes, mean, count, np.zeros(len(sizes)), 0.0, math.inf, is_exact=True)
    freedom = count - 1
    squares = np.array([float(np.sum((group - group.mean()) ** 2)) for group in groups])
    squares *= [
        OrderedMean(group).inflation if alike else 1.0
        for group, alike in zip(groups, alike_in_order(groups), strict=True)
    ]
    growth, variance = _smooth_variance(np.log(sizes), squares, freedom)
    return SizeMeans(sizes, mean, count, variance, growth, max(float(freedom.sum()) - 1.0, 1.0), span=span)


def _counted(groups: Sequence[Array], low: float, high: float) -> Array | None:
    """The most variance of yes and no that each size's exact interval admits; None of samples between the ends."""
    values = np.concatenate(groups)
    if np.any(outside := (values < low) | (values > high)):
        raise ValueError(f"samples must lie in [{low:g}, {high:g}], got {values[outside][0]:g}")
    if not np.all((values == low) | (values == high)):
        return None
    intervals = [exact_interval(int(np.sum(group == high)), len(group), COUNTED_CONFIDENCE) for group in groups]
    rates = np.array([min(max(0.5, interval.low), interval.high) for interval in intervals])
    return (high - low) ** 2 * rates * (1 - rates)


def _smooth_variance(x: Array, squares: Array, freedom: Array) -> tuple[float, Array]:
    """Slope of log variance in log size, and the variance of one replicate at every size."""
    total = float(freedom.sum())
    pooled = float(squares.sum()) / max(total, 1.0)
    known = (freedom > 0) & (squares > 1e-6 * pooled * np.maximum(freedom, 1.0))
    if known.sum() < MIN_SIZES:
        return 0.0, np.full(len(x), max(pooled, _NO_VARIANCE))
    half = freedom[known] / 2
    log_variance = np.log(squares[known] / (2 * half)) + np.log(half) - special.digamma(half)
    weight = 1 / special.polygamma(1, half)
    centred = x - weight @ x[known] / weight.sum()
    growth = float((weight * centred[known]) @ log_variance / (weight @ centred[known] ** 2))
    shape = np.exp(growth * centred)
    return growth, shape * float(np.sum(squares / shape)) / total


# ---------------------------------------------------------------------------------------------------------- corrections


@dataclass(frozen=True)
class Correction:
    """A shape of g(d), of one term or two.

    Attributes:
        name: how it is printed.
        form: which terms, for `terms`.
        low, high: of its power; equal where it has none.
        parameters: of the model, the limit among them.
        shift: what is added to sizes, in units of the smallest; of "inverse log and a power" the power.
    """

    name: str
    form: str
    low: float
    high: float
    parameters: int
    shift: float = 0.0

    def terms(self, x: Array, p: Array) -> list[Array]:
        """Its terms at log sizes, for each power. [powers, sizes]"""
        if self.form in ("inverse log", "inverse log, two terms"):
            inverse = np.broadcast_to(1 / x, (len(p), len(x)))
            return [inverse, inverse**2][: self.parameters - 1]
        if self.form == "log log over log":
            inverse, first = np.broadcast_to(1 / x, (len(p), len(x))), np.broadcast_to(np.log(x) / x, (len(p), len(x)))
            return [first, inverse][: self.parameters - 1]
        if self.form == "log log log over log log":
            return [np.broadcast_to(np.log(np.log(x)) / np.log(x), (len(p), len(x)))]
        if self.form == "inverse log and a power":
            power = np.exp(-self.shift * (x - x[0]))
            return [np.broadcast_to(1 / x, (len(p), len(x))), np.broadcast_to(power, (len(p), len(x)))]
        if self.form == "power of log":
            return [(x / x[0]) ** -p[:, None]]
        if self.form == "inverse log log":
            return [np.broadcast_to(1 / np.log(x), (len(p), len(x)))]
        if self.form == "growing power of log":
            return [(x / x[0]) ** p[:, None]]
        if self.form == "shifted power":
            return [((np.exp(x - x[0]) + self.shift) / (1 + self.shift)) ** -p[:, None]]
        power = np.exp(-p[:, None] * (x - x[0]))
        if self.form == "slow power and a power":
            return [power, np.broadcast_to(np.exp(-self.shift * (x - x[0])), power.shape)]
        if self.form == "inverse log and power":
            return [np.broadcast_to(1 / x, power.shape), power]
        if self.form == "growing power":
            return [1 / power]
        if self.form in ("log", "log squared"):
            return [x ** (2 if self.form == "log squared" else 1) * power]
        second = {"power": [], "power, two terms": [power**2], "log, two terms": [x * power]}[self.form]
        return [power, *second]

    def at(self, power: float) -> str:
        """Its name with a power in it."""
        return self.name.replace("^p", f"^{power:.2g}").replace("^2p", f"^{2 * power:.2g}")


_BOUNDS = LEAST_POWER, MOST_POWER
ONE_TERM = (
    Correction("C / d^p", "power", *_BOUNDS, 3),
    Correction("C log(d) / d^p", "log", *_BOUNDS, 3),
    Correction("C / log d", "inverse log", 1.0, 1.0, 2),
)
"""Corrections of one term: the profile likelihood of each that the data do not reject enters the interval."""
TWO_TERMS = (
    Correction("A / d^p + B / d^2p", "power, two terms", *_BOUNDS, 4),
    Correction("(A + B log d) / d^p", "log, two terms", *_BOUNDS, 4),
    Correction("A / log d + B / log^2 d", "inverse log, two terms", 1.0, 1.0, 3),
)
"""Corrections of two terms: where the data reject all of one term, for numbers without noise, and to spare a claim."""
SLOW = (
    Correction("C / d^p", "power", SLOWEST_POWER, LEAST_POWER, 3),
    Correction("C / log^p d", "power of log", 0.1, 1.0, 3),
    Correction("A / log d + B / d^p", "inverse log and power", LEAST_OF_TWO, MOST_POWER, 4),
    Correction("C / log log d", "inverse log log", 1.0, 1.0, 2),
    Correction("C log log(d) / log d", "log log over log", 1.0, 1.0, 2),
    Correction("(A log log d + B) / log d", "log log over log", 1.0, 1.0, 3),
    Correction("C log log log(d) / log log d", "log log log over log log", 1.0, 1.0, 2),
    Correction("A / log d + B / d^(1/2)", "inverse log and a power", 1.0, 1.0, 3, 0.5),
    Correction("A / log d + B / d", "inverse log and a power", 1.0, 1.0, 3, 1.0),
    Correction("A / d^p + B / d^(1/2)", "slow power and a power", 0.1, LEAST_POWER, 4, 0.5),
    Correction("A / d^p + B / d", "slow power and a power", 0.1, LEAST_POWER, 4, 1.0),
)
"""Too slow to extrapolate with; those with log log are of sizes above e, and with log log log above e^e. These are of
largest values of many draws [Hall 1979] and of balls in bins [Gonnet 1981]."""
BESIDE = (
    *(Correction("C / (d + c)^p", "shifted power", LEAST_OF_TWO, MOST_POWER, 3, shift) for shift in (1.0, 4.0, 16.0)),
    Correction("C log^2(d) / d^p", "log squared", LEAST_OF_TWO, MOST_POWER, 3),
)
"""As fast as those that are extrapolated with, and less usual: no verdict is given that one of them would not get."""
GROWING = (
    Correction("C log^p d", "growing power of log", 0.1, 1.0, 3),
    Correction("C d^p", "growing power", SLOWEST_POWER, 1.0, 3),
)
"""Without a limit."""


# ----------------------------------------------------------------------------------------------------------------- fits


@dataclass(frozen=True, eq=False)
class _Profile:
    """Of each power: the limit that fits best, its variance in units of the weights, and the sum of squares. [powers]

    Attributes:
        slopes: coefficients of the terms as `Correction.terms` has them, of each term. [powers]
    """

    power: Array
    limit: Array
    unit: Array
    squares: Array
    slopes: tuple[Array, ...]

    def where(self, inside: NDArray[np.bool_]) -> _Profile:
        """That of some of the powers."""
        slopes = tuple(slope[inside] for slope in self.slopes)
        return _Profile(self.power[inside], self.limit[inside], self.unit[inside], self.squares[inside], slopes)


def _joined(profiles: Sequence[_Profile]) -> _Profile:
    """One profile of several of the same correction."""
    return _Profile(
        np.concatenate([each.power for each in profiles]),
        np.concatenate([each.limit for each in profiles]),
        np.concatenate([each.unit for each in profiles]),
        np.concatenate([each.squares for each in profiles]),
        tuple(np.concatenate(parts) for parts in zip(*(each.slopes for each in profiles), strict=True)),
    )


@functools.cache
def _coarse(low: float, high: float) -> Array:
    """The powers that a search begins with."""
    return np.geomspace(low, high, _COARSE)


def _even(low: float, high: float, steps: Array) -> Array:
    """Evenly spaced numbers as `numpy.linspace` has them, which takes three times as long to begin."""
    found = steps * ((high - low) / steps[-1]) + low
    found[-1] = high
    return found


class _Fit:
    """One correction fitted to the means of a window of sizes."""

    def __init__(self, correction: Correction, means: SizeMeans) -> None:
        self.correction, self.means = correction, means
        self.x, self.y = np.log(means.size), means.mean
        self.weight = np.ones(len(self.x)) if means.is_exact else means.count / means.variance
        self.total = float(self.weight.sum())
        self.middle = float(self.weight @ self.y) / self.total
        self.deviation = self.y - self.middle
        self.freedom = len(self.x) - correction.parameters
        scale = ROUNDING * float(np.abs(self.y).max())
        self.floor = scale**2 if means.is_exact else 0.0
        self.tried = self._zoomed()
        best = int(self.tried.squares.argmin())
        self.power, self.limit = float(self.tried.power[best]), float(self.tried.limit[best])
        self.coefficients = np.array([slope[best] for slope in self.tried.slopes])
        self.squares = float(self.tried.squares[best])

    @property
    def misfit(self) -> float:
        """Mean square of the residuals; about 1 where replicates explain them, that of rounding at least."""
        return max(self.squares / max(self.freedom, 1), self.floor)

    def profile(self, power: Array) -> _Profile:
        """Weighted least squares at each power, by orthogonal terms about their mean."""
        weight, total, residual = self.weight, self.total, self.deviation
        own, means = [], []
        for term in self.correction.terms(self.x, power):
            means.append(mean := term @ weight / total)
            own.append(term - mean[:, None])
        shared = None
        if len(own) > 1:
            shared = (own[0] * own[1]) @ weight / np.maximum(own[0] ** 2 @ weight, _NO_SIZE)
            own[1] = own[1] - shared[:, None] * own[0]
            means[1] = means[1] - shared * means[0]
        limit: Any = self.middle
        unit: Any = 1 / total
        slopes = []
        for term, mean in zip(own, means, strict=True):
            size = np.maximum(term**2 @ weight, _NO_SIZE)
            slope = (residual * term) @ weight / size
            residual = residual - slope[:, None] * term
            limit, unit = limit - slope * mean, unit + mean**2 / size
            slopes.append(slope)
        if shared is not None:
            slopes[0] = slopes[0] - shared * slopes[1]
        return _Profile(power, limit, unit, residual**2 @ weight, tuple(slopes))

    def _zoomed(self) -> _Profile:
        """The profile on a grid of powers, ever finer about the best."""
        low, high = self.correction.low, self.correction.high
        if low == high:
            return self.profile(np.array([low]))
        finest = _FINEST_OF_EXACT if self.means.is_exact else _FINEST
        found = [self.profile(_coarse(low, high))]
        powers, squares = np.empty((2, _COARSE + _ZOOMS * _PER_ZOOM))
        powers[:_COARSE], squares[:_COARSE] = found[0].power, found[0].squares
        for count in range(_COARSE, len(powers), _PER_ZOOM):
            tried = powers[:count]
            best = tried[squares[:count].argmin()]
            below, above = tried[tried < best].max(initial=low), tried[tried > best].min(initial=high)
            if above - below <= finest:
                break
            found.append(self.profile(_even(below, above, _STEPS)))
            powers[count : count + _PER_ZOOM], squares[count : count + _PER_ZOOM] = found[-1].power, found[-1].squares
        return _joined(found)

    def interval(self, allowed: float) -> tuple[Interval, Interval]:
        """Of the limit and of the power: where the profile exceeds the least sum of squares by no more than this."""
        profile, most = self.tried, self.squares + allowed
        inside = profile.squares <= most
        if self.correction.low < self.correction.high:
            powers = profile.power[inside]
            first, last = powers.min(), powers.max()
            low = profile.power[profile.power < first].max(initial=self.correction.low)
            high = profile.power[profile.power > last].min(initial=self.correction.high)
            profile = _joined([profile.where(inside), self.profile(_even(low, high, _FINE_STEPS))])
            inside = profile.squares <= most
        profile = profile.where(inside)
        half = np.sqrt(profile.unit * np.maximum(most - profile.squares, 0.0))
        limits = Interval(float((profile.limit - half).min()), float((profile.limit + half).max()))
        return limits, Interval(float(profile.power.min()), float(profile.power.max()))

    @property
    def words(self) -> str:
        """The correction with its power, about the letter of the sizes."""
        return self.means.in_words(self.correction.at(self.power))

    def at(self, size: Array) -> Array:
        """The fitted mean at any sizes."""
        x = np.concatenate([self.x[:1], np.log(size)])  # terms are in units of the smallest size
        terms = self.correction.terms(x, np.array([self.power]))
        return self.limit + self.coefficients @ np.stack([term[0, 1:] for term in terms])


@dataclass(frozen=True, eq=False)
class _Window:
    """Corrections fitted to the same sizes: those that the data do not reject."""

    means: SizeMeans
    fits: tuple[_Fit, ...]

    @functools.cached_property
    def best(self) -> _Fit:
        """The one that fits best."""
        return min(self.fits, key=lambda fit: fit.misfit)

    def allowed(self, confidence: float) -> float:
        """What a profile may exceed the least sum of squares by."""
        if self.means.is_exact:
            return t_quantile(float(self.best.freedom), confidence) ** 2 * self.best.misfit
        noise = t_quantile(self.means.freedom, confidence) ** 2 * max(1.0, self.best.misfit)
        freedom = float(self.best.freedom)
        lack = t_quantile(freedom, confidence) ** 2 * self.best.misfit if freedom >= LEAST_FREEDOM_OF_LACK else 0.0
        return max(noise, lack)

    def is_admissible(self, fit: _Fit) -> bool:
        """Whether a fit is not clearly worse than the best one."""
        if self.means.is_exact:
            if not self.best.misfit:
                return not fit.misfit
            ratio = fit.misfit / self.best.misfit
            return float(special.fdtrc(fit.freedom, self.best.freedom, ratio)) >= REJECTED
        least = min(each.squares for each in self.fits)
        return fit.squares - least <= self.allowed(1 - REJECTED)

    @property
    def admissible(self) -> list[_Fit]:
        """Those that are not clearly worse than the best one."""
        return [fit for fit in self.fits if self.is_admissible(fit)]


@functools.lru_cache(maxsize=1024)
def _fit(correction: Correction, means: SizeMeans) -> _Fit:
    """A correction fitted to means: a rule, and even more what it says of larger sizes, asks for the same again."""
    return _Fit(correction, means)


def _windows(means: SizeMeans) -> Iterator[SizeMeans]:
    """All sizes, and ever fewer of the smallest."""
    for smallest in range(len(means.size) - MIN_SIZES + 1):
        window = means.without(smallest)
        if window.size[-1] >= MIN_FACTOR * window.size[0]:
            yield window


def _fitted(means: SizeMeans, corrections: Sequence[Correction]) -> Iterator[_Fit]:
    """Corrections that leave residuals to see a misfit by, and that replicates do not reject, one after the other."""
    least = 1 if means.is_exact else LEAST_FREEDOM_OF_TWO
    of_two = {each.name for each in TWO_TERMS}
    room = {each: len(means.size) - each.parameters - (least if each.name in of_two else 1) for each in corrections}
    for fit in (_fit(each, means) for each in corrections if room[each] >= 0):
        if means.is_exact or float(special.fdtrc(fit.freedom, means.freedom, fit.misfit)) >= REJECTED:
            yield fit


def _at_rate(corrections: Sequence[Correction], rate: float | None) -> list[Correction]:
    """Those at least as fast as a rate, if there is one."""
    if rate is None:
        return list(corrections)
    return [replace(each, low=rate) for each in corrections if each.low < each.high]


def _fits(means: SizeMeans, rate: float | None) -> list[_Window]:
    """The windows that count: the first on which replicates do not reject all corrections; all of exact numbers."""
    one, two = _at_rate(ONE_TERM, rate), _at_rate(TWO_TERMS, rate)
    if means.is_exact:
        return [_Window(window, tuple(_fitted(window, (*one, *two)))) for window in _windows(means)]
    for window in _windows(means):
        for corrections in (one, two):
            if fits := tuple(_fitted(window, corrections)):
                return [_Window(window, fits)]
    return []


# ----------------------------------------------------------------------------------------------------- the limit itself


@dataclass(frozen=True, eq=False)
class Extrapolation:
    """What the means say of their limit.

    Attributes:
        value: the limit by the correction that fits best.
        wide, narrow: its intervals at both confidences asked for, over all corrections that are not rejected.
        corrections: names of those that are not rejected, the best first.
        power: interval of the best one's power at the second confidence; None where it has none.
        left_out: the smallest sizes, which no correction fits together with the others.
        fit: the best one.
        doubted: the sizes at which other approaches are tried, as they are asked for; none where a rate is assumed,
            since who assumes one assumes a limit and how it is approached.
        levels: the two confidences.
    """

    value: float
    wide: Interval
    narrow: Interval
    corrections: tuple[str, ...]
    power: Interval | None
    left_out: tuple[float, ...]
    fit: _Fit
    doubted: tuple[_Window, ...]
    levels: tuple[float, float]

    def sparing(self) -> Iterator[Interval]:
        """Limits at the first confidence by other approaches: slow ones, those of two terms, and those of `BESIDE`."""
        for window in self.doubted:
            yield from _slow_limits(window, self.levels[0])
        for window in self.doubted:
            yield from _limits_beside(window, self.levels[0])

    def doubting(self) -> Iterator[Interval]:
        """Limits at the second confidence by slow approaches that the data prefer, and by those of `BESIDE`."""
        for window in self.doubted:
            yield from _slow_limits(window, self.levels[1], preferred=True)
        for window in self.doubted:
            yield from _limits_beside(window, self.levels[1])

    @property
    def span(self) -> tuple[float, float] | None:
        """Between which numbers the limit lies, by what is measured."""
        return self.fit.means.span

    @functools.cached_property
    def grows(self) -> int:
        """1 where growth to infinity fits as well, -1 where a fall to minus infinity does, else 0."""
        return _growth(self.doubted[0]) if self.doubted else 0

    def deciding(self, verdict: Verdict) -> Interval:
        """The interval that decides for a claim, or the one that decides against it and is printed where none does."""
        return self.narrow if verdict is Verdict.HOLDS else self.wide

    def may_be_slower(self, rate: float) -> bool:
        """Whether the power that fits best lies less than a standard error above a rate; 1 / log d has none."""
        if self.power is None:
            return True
        error = 0.5 * (self.power.high - self.power.low) / float(special.ndtri(1 - DEFAULT_POLICY.error))
        return self.fit.power - error <= rate

    def at(self, size: ArrayLike) -> Array:
        """The mean at any sizes by the best correction."""
        return self.fit.at(np.atleast_1d(np.asarray(size, dtype=float)))

    @property
    def words(self) -> str:
        """The best correction, with its power."""
        return self.fit.words


def extrapolate(means: SizeMeans, wide: float, narrow: float, *, rate: float | None = None) -> Extrapolation | None:
    """The limit of means at growing sizes; None where no correction fits.

    Args:
        means: at `MIN_SIZES` sizes or more, over a factor of `MIN_FACTOR`.
        wide, narrow: confidences of the two intervals.
        rate: least power, where one is assumed; None for `LEAST_POWER` and 1 / log d as well.
    """
    windows = _fits(means, rate)
    if not windows:
        return None
    first, last = windows[0], windows[-1]
    ends: dict[float, list[Interval]] = {wide: [], narrow: []}
    names: dict[str, None] = {last.best.correction.name: None}
    for window in windows:
        for fit in window.admissible:
            names[fit.correction.name] = None
            for level, found in ends.items():
                found.append(fit.interval(window.allowed(level))[0])
    ends = {level: _inside(found, means.span) for level, found in ends.items()}
    if not ends[wide]:
        return None
    best = last.best if means.is_exact else first.best
    has_power = best.correction.low < best.correction.high
    window = last if means.is_exact else first
    left_out = means.size[: len(means.size) - len(first.means.size)]
    return Extrapolation(
        best.limit if means.span is None else float(np.clip(best.limit, *means.span)),
        _hull(ends[wide]),
        _hull(ends[narrow] or ends[wide]),
        tuple(map(means.in_words, names)),
        best.interval(window.allowed(narrow))[1] if has_power else None,
        tuple(left_out.tolist()),
        best,
        tuple(windows) if rate is None else (),
        (wide, narrow),
    )


_LEAST_SIZE = {
    "inverse log log": math.e,
    "log log over log": math.e,
    "log log log over log log": math.e**math.e,
}
"""Above which sizes a correction is one, by its form."""


_BESIDE_A_POWER = ("inverse log and a power", "slow power and a power")
"""Forms of a slow term beside a power that is given."""


def _turns_back(fit: _Fit) -> bool:
    """Whether a slow term and another, of opposite signs, turn back beyond the largest size: to any limit.

    Where the other is a power that is given, they may turn at the sizes measured (`_moves_back`).
    """
    form, first = fit.correction.form, fit.coefficients[0]
    if form in _BESIDE_A_POWER:
        return not _moves_back(fit, fit.x[-1])
    return form in ("inverse log and power", "log log over log") and bool(min(fit.coefficients * first) <= 0)


def _moves_back(fit: _Fit, x: float) -> bool:
    """Whether a slow term beside a power that is given outweighs it at a log size and moves toward the limit."""
    (first, second), shift = fit.coefficients, fit.correction.shift
    is_log = fit.correction.form == "inverse log and a power"
    slow = 1 / x**2 if is_log else fit.power * math.exp(-fit.power * (x - fit.x[0]))
    return bool(first * (first * slow + second * shift * math.exp(-shift * (x - fit.x[0]))) > 0)


def _is_outdone(fit: _Fit, window: _Window) -> bool:
    """Whether the data prefer another correction to one that turns, at the sizes measured or far beyond them."""
    most = {**dict.fromkeys(_BESIDE_A_POWER, OUTDONE), "log log log over log log": OUTDONE}.get(fit.correction.form)
    if most is None or window.means.is_exact:
        return False
    return fit.squares - window.best.squares > most * max(1.0, window.best.misfit)


def _slow_interval(
    fit: _Fit, window: _Window, confidence: float = DEFAULT_POLICY.interval_confidence
) -> Interval | None:
    """Of the limit; where a slow term stands beside a given power, of limits toward which the last sizes move.

    A sequence that turned between the last two goes no further beyond them than it went at all sizes: None where it
    would have to.
    """
    limits = fit.interval(window.allowed(confidence))[0]
    if fit.correction.form not in _BESIDE_A_POWER:
        return limits
    end = float(fit.at(fit.means.size[-1:])[0])
    far = math.inf if _moves_back(fit, fit.x[-2]) else float(np.ptp(fit.y))
    ends = (end, end + far) if fit.limit > end else (end - far, end)
    low, high = max(limits.low, ends[0]), min(limits.high, ends[1])
    return Interval(low, high) if low <= high else None


def _is_better(slow: _Fit, window: _Window) -> bool:
    """Whether the data prefer a slow correction to those that are extrapolated with, at no more parameters."""
    best = window.best
    if slow.correction.parameters > best.correction.parameters:
        return False
    if window.means.is_exact:
        return slow.misfit < best.misfit
    return best.squares - slow.squares >= BORNE_OUT * max(1.0, best.misfit)


def _slow_limits(window: _Window, confidence: float, *, preferred: bool = False) -> Iterator[Interval]:
    """Of the limit, by each slow correction, and each of two terms, that the data of a window do not reject; or by the
    slow ones alone that they prefer.
    """
    first = float(window.means.size[0])
    corrections = [each for each in SLOW if first > _LEAST_SIZE.get(each.form, 1.0)]
    for fit in _fitted(window.means, corrections if preferred else (*corrections, *_at_rate(TWO_TERMS, LEAST_OF_TWO))):
        is_asked_for = not preferred or _is_better(fit, window)
        if is_asked_for and not _turns_back(fit) and not _is_outdone(fit, window) and window.is_admissible(fit):
            limits = _slow_interval(fit, window, confidence)
            if limits is not None:
                yield limits


def _limits_beside(window: _Window, confidence: float) -> Iterator[Interval]:
    """Of the limit, by each less usual correction that the data of a window do not reject."""
    for fit in _fitted(window.means, BESIDE):
        if window.is_admissible(fit):
            yield fit.interval(window.allowed(confidence))[0]


def _growth(window: _Window) -> int:
    """The sign of a growth without limit that fits a window as well; 0 where none does, or its size may be 0."""
    means = window.means
    for fit in _fitted(means, GROWING):
        middle = float(fit.weight @ means.mean) / float(fit.weight.sum())
        explained = float(fit.weight @ (means.mean - middle) ** 2) - fit.squares
        if window.is_admissible(fit) and explained > window.allowed(1 - PRETEST_LEVEL):
            return int(np.sign(fit.coefficients[0]))
    return 0


def _borne_out_by(means: SizeMeans, rate: float, count: int, is_met_by: Callable[[Interval], bool] | None) -> float:
    """By how much means of one of `count` sequences prefer a rate to slower approaches; infinite where none is a rival,
    and NaN where they move by no more than noise.

    Args:
        is_met_by: of a limit that is missed, whether an interval leaves it standing: rivals are the slow approaches
            that do. None of one that is met: rivals are powers of half the rate and growth.
    """
    windows = _fits(means, rate)
    if not windows:
        return -math.inf
    window = windows[-1]
    own, best, weight = window.means, window.best, window.best.weight
    slower = [*GROWING, replace(SLOW[0], high=rate / 2)] if is_met_by is None else [ONE_TERM[-1], *SLOW]
    slower = [
        each for each in slower if each.parameters <= best.correction.parameters
    ]  # more would hold the rate itself
    rivals = [_fit(each, own) for each in slower if own.size[0] > _LEAST_SIZE.get(each.form, 1.0)]
    if is_met_by is not None:
        rivals = [fit for fit in rivals if not _turns_back(fit) and not _is_outdone(fit, window)]
        rivals = [fit for fit in rivals if (limits := _slow_interval(fit, window)) is not None and is_met_by(limits)]
    least = min((fit.squares for fit in rivals), default=math.inf)
    if own.is_exact:
        floor = len(own.size) * best.floor
        if not best.squares + floor:
            return math.inf
        return len(own.size) * (math.log(least + floor) - math.log(best.squares + floor))
    middle = float(weight @ own.mean) / float(weight.sum())
    moved = float(weight @ (own.mean - middle) ** 2) - min(least, best.squares)
    if moved <= window.allowed(1 - PRETEST_LEVEL / count):
        return math.nan
    return (least - best.squares) / max(1.0, best.misfit)


def _inside(intervals: Sequence[Interval], span: tuple[float, float] | None) -> list[Interval]:
    """What of intervals lies between the numbers that a limit cannot leave; those wholly outside are dropped."""
    if span is None:
        return list(intervals)
    cut = [(max(each.low, span[0]), min(each.high, span[1])) for each in intervals]
    return [Interval(low, high) for low, high in cut if low <= high]


def _hull(intervals: Sequence[Interval]) -> Interval:
    return Interval(min(each.low for each in intervals), max(each.high for each in intervals))


# ------------------------------------------------------------------------------------------------------------- the rule


SMALLEST = 1e-100
"""Least size of samples and tolerances, whose squares a float must hold; its inverse is the largest."""
MARGIN = 0.05
"""Tolerance of a limit as a share of the claimed value, where its author states no other."""

KNOWN_RATES = (0.5, 1.0)
"""Rates that are tried where none is stated and a limit is open: of central limit theorems, and of their means."""

_GROWTH = (2.0, 4.0, 8.0, 16.0, 64.0, 256.0)
"""By what the largest size is multiplied in search of one that decides."""

_MORE_REPLICATES = (4, 16, 64)
"""By what replicates are multiplied where no larger size would decide."""

NOISE_DRAWS, MOST_OPEN = 8, 1
"""Draws of the noise at larger sizes, and how many of them may leave a limit open where these are said to decide."""

_DECIDED = (Verdict.VIOLATED, Verdict.HOLDS)


@dataclass(frozen=True)
class _Aim:
    """What a limit must meet: a value up to a tolerance, from one side or both."""

    value: float
    tolerance: float
    relation: str

    @property
    def band(self) -> Interval:
        """The limits that agree with the claim."""
        low = self.value if self.relation == "reaches" else self.value - self.tolerance
        high = math.inf if self.sense == "lower" else self.value + self.tolerance
        return Interval(-math.inf if self.relation == "upper" else low, high)

    @property
    def sense(self) -> str:
        """The relation in words that rulings know."""
        return "lower" if self.relation == "reaches" else self.relation

    def is_met(self, limit: Interval) -> bool:
        """Whether all of an interval agrees."""
        return limit.low >= self.band.low and limit.high <= self.band.high

    def is_missed(self, limit: Interval) -> bool:
        """Whether none of an interval agrees."""
        return limit.low > self.band.high or limit.high < self.band.low

    def is_left_by(self, grows: int, span: tuple[float, float] | None) -> bool:
        """Whether a growth of this sign, 0 for none, leaves the limits that agree, though it cannot leave a span."""
        low, high = span or (-math.inf, math.inf)
        return (grows > 0 and high > self.band.high) or (grows < 0 and low < self.band.low)

    def __str__(self) -> str:
        sense = {"upper": "at most ", "lower": "at least "}.get(self.sense, "")
        allowed = "" if self.relation == "reaches" else f" +- {self.tolerance:.2g}"
        return f"{sense}{self.value:.4g}{allowed}"


@dataclass(frozen=True, eq=False)
class _Setting:
    """One sequence with its claimed limit, what was found of it, and the verdict on it."""

    name: str
    means: SizeMeans
    aim: _Aim
    found: Extrapolation | None
    shortage: Clauses
    verdict: Verdict
    is_doubtful: bool = False
    rate: float | None = None
    is_by_rate: bool = False
    is_slow: bool = False
    borne_out: float = math.nan

    @property
    def distance(self) -> float:
        """How far the limit is from the claimed one, in units of the tolerance; infinite where it is not known."""
        return math.inf if self.found is None else abs(self.found.value - self.aim.value) / self.aim.tolerance


def judge_limit(
    axis: ArrayLike,
    samples: ArrayLike | Sequence[Sequence[float]],
    claimed: ArrayLike,
    *,
    relation: str = "tight",
    margin: float = MARGIN,
    tolerance: float | None = None,
    settings: Sequence[object] | None = None,
    rate: float | None = None,
    exact: bool = False,
    span: tuple[float, float] | None = None,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
    letter: str = LETTER,
) -> Judgement:
    """Judge a value that is claimed in the limit of growing sizes.

    >>> size = np.array([50.0, 100.0, 200.0, 400.0, 800.0, 1600.0])
    >>> noise = 0.002 * np.random.default_rng(0).standard_normal((6, 10))
    >>> samples = 2 - 3 / np.sqrt(size)[:, None] + noise
    >>> judge_limit(size, samples, 2.0).verdict, judge_limit(size, samples, 2.4).verdict
    (<Verdict.HOLDS: 'holds'>, <Verdict.VIOLATED: 'violated'>)
    >>> judge_limit(size[:1], samples[:1], 2.0).verdict  # one size, however far off, is no limit
    <Verdict.INCONCLUSIVE: 'inconclusive'>

    Args:
        axis: the size that grows [points], finite and > 1, since 1 / log d is among the corrections.
        samples: measurements [points, replicates], finite and 0 or of a size between 1e-100 and 1e100; any lengths.
        claimed: the limit, one number, or one for each point [points] that is the same within a setting.
        relation: "tight" (the limit is claimed), "upper" or "lower" (a bound, up to the tolerance), or "reaches" (a
            level that it reaches).
        margin: tolerance as a share of the claimed value, in (0, 1), stated before measuring.
        tolerance: in place of the margin, in units of the samples, > 0; needed where 0 is claimed.
        settings: what each point belongs to [points], where there are several sequences; each is extrapolated alone.
        rate: least power of the corrections, where the claim's own rate is to be assumed, between 1/4 and 3; 1 / log d
            is then left out.
        exact: whether samples have no noise, so that one at each size is enough.
        span: between which numbers samples and limits lie by their meaning; ends alone, yes or no, are counted.
        confidence, policy: of the interval of all limits together; the latter where K claims share the error.
        letter: what the size is called in words.

    Returns:
        violated, holds or inconclusive; the interval is that of the limit of the setting that decides.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    _require_kind(relation, rate)
    aims = _aims(axis, claimed, relation, margin, tolerance)
    policy = policy_of(confidence, policy)
    groups, judged = _groups(len(aims), settings), []
    axis = np.atleast_1d(np.asarray(axis, dtype=float))
    _require_size(rows := finite_rows("samples", samples, n_points=len(axis)))
    for name, places in groups.items():
        if len({aims[i] for i in places}) > 1:
            raise ValueError(f"claimed must be one limit within a setting, got several{f' at {name}' if name else ''}")
        means = replace(size_means(axis[places], [rows[i] for i in places], exact=exact, span=span), letter=letter)
        judged.append(_judged(name, means, aims[places[0]], policy, len(groups), rate))
    return _together(_of_one_rate(judged), policy, rate)


def _require_kind(relation: str, rate: float | None) -> None:
    if relation not in ("tight", "upper", "lower", "reaches"):
        raise ValueError(f"relation must be 'tight', 'upper', 'lower' or 'reaches', got {relation!r}")
    if rate is not None and not LEAST_POWER <= rate < MOST_POWER:
        raise ValueError(f"rate must lie in [{LEAST_POWER:g}, {MOST_POWER:g}), got {rate}")


def _require_size(rows: Sequence[np.ndarray]) -> None:
    """Raise where squares of the samples would leave the range of floats."""
    largest = max(float(np.abs(row).max()) for row in rows)
    if largest and not SMALLEST < largest < 1 / SMALLEST:
        raise ValueError(f"samples must lie within {SMALLEST:g} and {1 / SMALLEST:g} in size, got {largest:g}")


def _aims(axis: ArrayLike, claimed: ArrayLike, relation: str, margin: float, tolerance: float | None) -> list[_Aim]:
    """What is claimed at each point."""
    values, count = np.asarray(claimed, dtype=float), np.size(axis)
    if values.shape not in ((), (count,)) or not np.all(np.isfinite(values)):
        raise ValueError(f"claimed must be one finite limit, or one per point ({count}), got {shown(values)}")
    if not 0 < margin < 1:
        raise ValueError(f"margin must lie in (0, 1), got {margin}")
    if tolerance is not None and not 0 < tolerance < math.inf:
        raise ValueError(f"tolerance must be finite and > 0, got {tolerance}")
    if tolerance is None and np.any(values == 0):
        raise ValueError("tolerance must be given where a limit of 0 is claimed, got None")
    wanted = np.broadcast_to(values, (count,)).tolist()
    aims = [_Aim(value, margin * abs(value) if tolerance is None else tolerance, relation) for value in wanted]
    if not min(aim.tolerance for aim in aims) > SMALLEST:
        raise ValueError(f"tolerance must be > {SMALLEST:g}, got {min(aim.tolerance for aim in aims):g}")
    return aims


def _groups(count: int, settings: Sequence[object] | None) -> dict[str, list[int]]:
    """Indices of the points of each setting."""
    if settings is None:
        return {"": list(range(count))}
    if len(settings) != count:
        raise ValueError(f"settings must have one entry per point ({count}), got {len(settings)}")
    groups: dict[str, list[int]] = {}
    for index, name in enumerate(settings):
        groups.setdefault(str(name), []).append(index)
    return groups


# --------------------------------------------------------------------------------------------------------- one sequence


def _judged(name: str, means: SizeMeans, aim: _Aim, policy: ErrorPolicy, count: int, rate: float | None) -> _Setting:
    """The verdict on one sequence, of so many."""
    shortage = _shortage(means)
    if shortage:
        return _Setting(name, means, aim, None, shortage, Verdict.INCONCLUSIVE)
    found = extrapolate(means, *_levels(policy, count), rate=rate)
    if found is None:
        words = "finite size: no correction fits these sizes, nor the larger ones alone"
        words += " with a limit in the stated range" if means.span else ""
        return _Setting(name, means, aim, None, (Clause(Topic.FINITE_SIZE, words),), Verdict.INCONCLUSIVE)
    if rate is None:
        return _Setting(name, means, aim, found, (), *_verdict(found, aim))
    seen = extrapolate(means, *_levels(policy, count))
    if seen is not None and seen.power is not None and seen.power.high < rate:
        power = f"{seen.power.low:.2g} to {seen.power.high:.2g}"
        words = f"the rate of {rate:g} that the claim states is faster than the data approach, by a power of {power}"
        return _Setting(name, means, aim, None, (Clause(Topic.LACK_OF_FIT, words),), Verdict.INCONCLUSIVE, rate=rate)
    verdict, is_doubtful = _verdict(found, aim)
    judged = _Setting(name, means, aim, found, (), verdict, is_doubtful, rate)
    judged = replace(judged, is_slow=seen is None or seen.may_be_slower(rate))
    if verdict not in _DECIDED or (seen is not None and _verdict(seen, aim)[0] is verdict):
        return judged
    is_met_by = None if verdict is Verdict.HOLDS else lambda limit: not aim.is_missed(limit)
    return replace(judged, is_by_rate=True, borne_out=_borne_out_by(means, rate, count, is_met_by))


def _of_one_rate(judged: Sequence[_Setting]) -> list[_Setting]:
    """Sequences that share a rate, open where they need it and move, and do not bear it out together and each."""
    moving = [each for each in judged if each.is_by_rate and not math.isnan(each.borne_out)]
    kept = [each for each in moving if each.verdict is not Verdict.VIOLATED or each.borne_out >= BORNE_OUT]
    found = [each.borne_out for each in moving if each.verdict is not Verdict.VIOLATED]
    if found and (min(found) < 0 or sum(found) < BORNE_OUT):
        kept = [each for each in kept if each.verdict is Verdict.VIOLATED]
    open_ = {"verdict": Verdict.INCONCLUSIVE, "is_doubtful": True, "is_slow": True, "is_by_rate": False}
    return [replace(each, **open_) if each in moving and each not in kept else each for each in judged]


def _word(means: SizeMeans, aim: _Aim, policy: ErrorPolicy, count: int, rate: float | None) -> Verdict:
    """The word alone."""
    return _of_one_rate([_judged("", means, aim, policy, count, rate)])[0].verdict


def limit_verdict(
    means: SizeMeans,
    claimed: float,
    tolerance: float,
    *,
    relation: str = "tight",
    rate: float | None = None,
    policy: ErrorPolicy = DEFAULT_POLICY,
) -> Verdict:
    """The word of `judge_limit` for one sequence, without the figures and without a search for what would decide."""
    return _word(means, _Aim(claimed, tolerance, relation), policy, 1, rate)


def _levels(policy: ErrorPolicy, count: int) -> tuple[float, float]:
    """Confidence of the interval that decides against a claim, one of `count`, and of the one that decides for it."""
    return _one_of(policy, count).violation_confidence, policy.equivalence_confidence


def _one_of(policy: ErrorPolicy, count: int) -> ErrorPolicy:
    """The policy of one of so many sequences that share its error."""
    return policy.of_family(policy.family * count)


def _verdict(found: Extrapolation, aim: _Aim) -> tuple[Verdict, bool]:
    """The word for a limit, and whether another approach stands in its way."""
    if aim.is_missed(found.wide):
        is_spared = bool(found.left_out) or not all(map(aim.is_missed, found.sparing()))
        return (Verdict.INCONCLUSIVE if is_spared else Verdict.VIOLATED), is_spared
    if not aim.is_met(found.narrow):
        return Verdict.INCONCLUSIVE, False
    is_doubtful = aim.is_left_by(found.grows, found.span) or not all(
        map(aim.is_met, _inside(list(found.doubting()), found.span))
    )
    return (Verdict.INCONCLUSIVE if is_doubtful else Verdict.HOLDS), is_doubtful


def _shortage(means: SizeMeans) -> Clauses:
    """What is missing before anything is extrapolated."""
    sizes, factor = len(means.size), float(means.size[-1] / means.size[0])
    figures = {"sizes": sizes, "factor": factor}
    if sizes < MIN_SIZES or factor < MIN_FACTOR:
        told = f"{sizes} sizes over a factor of {size_words(factor, 3)} show no limit"
        have = told if sizes > 1 else "one size shows no limit"
        words = f"finite size: {have}; {MIN_SIZES} over a factor of {MIN_FACTOR:g} are needed"
        return (Clause(Topic.FINITE_SIZE, words, figures),)
    fewest = int(means.count.min())
    if fewest < MIN_REPLICATES and not means.is_exact:
        words = f"only {fewest} replicates at a size, and {MIN_REPLICATES} are needed to see their noise"
        return (Clause(Topic.SHORTAGE, words, {"replicates": fewest}),)
    if means.is_constant:
        words = "the samples at each size are all equal, which says nothing of their scatter"
        return (Clause(Topic.SHORTAGE, words, {"replicates": fewest}),)
    return ()


def _next_step(setting: _Setting, policy: ErrorPolicy, count: int, rate: float | None) -> NextStep:
    """What would decide: larger sizes; where no rate is stated, or none decides at the stated one, one that is known.

    A sequence that a stated rate does not explain is followed at that rate all the same, since chance may have done it:
    what is advised has to make out at once whether it has, and the limit.
    """
    if setting.rate is not None and setting.found is None:
        followed = extrapolate(setting.means, *_levels(policy, count), rate=rate)
        return _larger_sizes(replace(setting, found=followed), policy, count, rate)
    step = _larger_sizes(setting, policy, count, rate)
    if setting.shortage or (rate is not None and step.plan is not None):
        return step
    letter, faster = setting.means.letter, [known for known in KNOWN_RATES if rate is None or known > rate]
    for known in faster:
        if _word(setting.means, setting.aim, policy, count, known) in _DECIDED:
            return replace(step, first=at_known_rate(known, letter, seen=_approach_seen(setting.found, known)))
    for known in faster[:1]:
        sizes = _larger_sizes(setting, policy, count, known)
        if sizes.plan is not None and (step.plan is None or sizes.plan.n_points < step.plan.n_points):
            largest = next(clause.figures["size"] for clause in sizes.clauses if "size" in clause.figures)
            seen = _approach_seen(setting.found, known)
            return replace(step, first=at_known_rate(known, letter, largest, seen=seen))
    if rate is not None:
        return step
    words = f"a rate that is known, rate = r where the approach is O({letter}^-r), leaves slower ones out"
    return replace(step, clauses=(*step.clauses, Clause(Topic.ROUTE, words)))


def _approach_seen(found: Extrapolation | None, rate: float) -> str:
    """What the sizes themselves show of a rate that is advised; "" where no correction fits."""
    if found is None:
        return ""
    followed = f"the sizes themselves follow {found.words}"
    if found.power is None:
        return f"{followed}, slower than that"
    followed += f", power {found.power.low:.2g} to {found.power.high:.2g}"
    return followed if found.power.low >= rate else f"{followed}, which does not show that rate"


def at_known_rate(rate: float, letter: str, largest: Figure = None, *, seen: str = "") -> Clauses:
    """The advice to state a rate that is known, and where it would decide: here, or at sizes up to the largest.

    Args:
        seen: what the sizes themselves show of it, which an author must know who takes the number from the advice.
    """
    words = (
        f"a rate, if one is known from mathematics: with rate = {rate:g}, where the approach is O({letter}^-{rate:g})"
    )
    if largest is None:
        words = f"{words}, these sizes would decide"
        return (Clause(Topic.ROUTE, f"{words} ({seen})" if seen else words, {"rate": rate}),)
    words = f"{words}, sizes up to {letter} = {size_words(float(largest))} would decide"
    return (Clause(Topic.ROUTE, f"{words} ({seen})" if seen else words, {"rate": rate, "size": largest}),)


def _slowest(means: SizeMeans, found: Extrapolation, rate: float | None) -> _Fit:
    """The sequence that is followed to larger sizes: the fitted one, or one at an assumed rate that fits as well."""
    if rate is None or not (windows := _fits(means, rate)):
        return found.fit
    own = _Fit(replace(ONE_TERM[0], low=rate, high=rate), windows[-1].means)
    return own if windows[-1].is_admissible(own) else found.fit


def _larger_sizes(setting: _Setting, policy: ErrorPolicy, count: int, rate: float | None) -> NextStep:
    """Larger sizes at which a sequence like the fitted one would decide."""
    means, found = setting.means, setting.found
    replicates = max(MIN_REPLICATES, round(float(np.median(means.count)))) if not means.is_exact else 1
    if found is None:
        if setting.shortage and setting.shortage[0].topic is Topic.SHORTAGE:
            if means.is_constant:
                words = "where values are yes or no, a stated range, range = (low, high), has them counted"
                return NextStep(clauses=(Clause(Topic.ROUTE, f"{words}; else replicates that differ"),))
            return NextStep(Plan(len(means.size), replicates))
        largest = max(float(means.size[-1]) * 2, MIN_FACTOR * float(means.size[0]))
        return _sizes(max(MIN_SIZES, len(means.size) + 1), replicates, largest, means.letter)
    fit = _slowest(means, found, rate)
    growth = _growth_that_decides(setting, fit, replicates, policy, count, rate)
    if growth is None:
        return _otherwise(setting, fit, replicates, policy, count, rate)
    last = float(means.size[-1])
    words = f"if they follow {fit.words} as so far"
    if rate is None:
        words += _by_others(
            setting,
            fit,
            growth,
            lambda other, least: _growth_that_decides(setting, other, replicates, policy, count, rate, least=least),
        )
    words += "; once measured, they may ask for more"
    return _sizes(len(means.size) + round(math.log2(growth)), replicates, growth * last, means.letter, words)


@dataclass(frozen=True)
class _Still:
    """A sequence that does not move."""

    mean: float

    def at(self, size: Array) -> Array:
        """Its mean at any sizes."""
        return np.full(len(size), self.mean)


def _still(means: SizeMeans) -> _Still | None:
    """A sequence that stays at the mean of all, where the noise explains what the means differ by."""
    weight = means.count / means.variance
    middle = float(weight @ means.mean) / float(weight.sum())
    squares = float(weight @ (means.mean - middle) ** 2)
    return _Still(middle) if float(special.chdtrc(len(means.size) - 1, squares)) >= REJECTED else None


def _otherwise(
    setting: _Setting, fit: _Fit, replicates: int, policy: ErrorPolicy, count: int, rate: float | None
) -> NextStep:
    """What would decide where no larger size does by the fitted correction: more replicates, or means that stay.

    Means that do not move follow C / log d as well as anything, which hardly any size or number of them decides.
    """
    means, last = setting.means, float(setting.means.size[-1])
    words = f"no size up to {size_words(_GROWTH[-1] * last)} would decide"
    if means.is_exact:
        return replace(NO_STEP, clauses=(Clause(Topic.ROUTE, f"{words}: another tolerance"),))
    best, least = None, math.inf
    for followed in filter(None, (_still(means), fit)):
        for times in (1, *_MORE_REPLICATES)[isinstance(followed, _Fit) :]:  # the fitted one was tried as it is
            sizes = [each for each in (1.0, *_GROWTH)[times == 1 :] if times * each < least]  # trials cost as sizes do
            growth = _growth_that_decides(setting, followed, times * replicates, policy, count, rate, sizes=sizes)
            if growth is not None:
                best, least = (followed, times, growth), times * growth
        if best is not None:
            followed, times, growth = best
            route = f"if they follow {fit.words} as so far; with {replicates} replicates {words}"
            if isinstance(followed, _Still):
                route = f"if they stay at {followed.mean:.4g}, which fits as well; if they follow {fit.words}, {words}"
            route += "; once measured, they may ask for more"
            points = len(means.size) + round(math.log2(growth))
            return _sizes(points, times * replicates, growth * last, means.letter, route)
    words += f" at this noise, nor {_MORE_REPLICATES[-1]} times as many replicates: another tolerance"
    return replace(NO_STEP, clauses=(Clause(Topic.ROUTE, words),))


def _growth_that_decides(
    setting: _Setting,
    fit: _Fit | _Still,
    replicates: int,
    policy: ErrorPolicy,
    count: int,
    rate: float | None,
    *,
    least: float = 1.0,
    sizes: Sequence[float] = _GROWTH,
) -> float | None:
    """By what the largest size is to be multiplied, at least by so much, that a fitted sequence decides; None if by
    nothing that is tried.
    """
    means = setting.means
    fitted = replace(means, mean=fit.at(means.size), count=np.maximum(means.count, replicates))
    kept = np.zeros(len(means.size))
    if isinstance(fit, _Still):  # which was not fitted to what chance made of the runs at hand, and they stay
        kept = means.count / fitted.count
        fitted = replace(fitted, mean=fitted.mean + kept * (means.mean - fitted.mean))
    for growth in (each for each in sizes if each >= least):
        added = float(means.size[-1]) * np.exp2(np.arange(1.0, round(math.log2(growth)) + 1))
        later = fitted.reaching(added, fit.at(added), replicates)
        if _word(later, setting.aim, policy, count, rate) not in _DECIDED:
            continue
        if _decides_mostly(setting, later, kept, policy, count, rate):
            return growth
    return None


def _by_others(setting: _Setting, fit: _Fit, growth: float, growth_of: Callable[[_Fit, float], float | None]) -> str:
    """To what sizes one would have to go if they followed another correction that fits as well; "" for no farther.

    Means that do not move follow C / d^3 as well as C log(d) / d^(1/4), of which the second promises a verdict soon.
    """
    means, last = setting.means, float(setting.means.size[-1])
    farthest, worst = growth, None
    for other in _fits(means, None)[-1].admissible:
        if other.correction.name == fit.correction.name:
            continue
        found = growth_of(other, farthest)
        if found is None:
            return f", none up to {size_words(_GROWTH[-1] * last)} if {other.words}, which fits as well"
        if found > farthest:
            farthest, worst = found, other
    if worst is None:
        return ""
    return f", up to {size_words(farthest * last)} if {worst.words}, which fits as well"


def _decides_mostly(
    setting: _Setting, later: SizeMeans, kept: Array, policy: ErrorPolicy, count: int, rate: float | None
) -> bool:
    """Whether sizes with those that were added decide in nearly all draws of their noise; without noise they did.

    The sequence as fitted is the middle of what may come: it decides where half of the draws do not. The sizes at hand
    are drawn again too. Kept, they agree with the approach that was fitted to them, and promise too much.

    Args:
        kept: share of the replicates at each size at hand that stay. [sizes at hand]
    """
    if later.is_exact:
        return True
    new = len(later.size) - len(setting.means.size)
    error = np.sqrt(later.variance / later.count * (1 - np.append(kept, np.zeros(new))))
    noise, failed = np.random.default_rng(new).standard_normal((NOISE_DRAWS, len(later.size))) * error, 0
    for drawn in noise:
        drawn_means = replace(later, mean=later.mean + drawn)
        failed += _word(drawn_means, setting.aim, policy, count, rate) not in _DECIDED
        if failed > (0 if kept.any() else MOST_OPEN):  # what is kept was fitted to: it promises more than comes
            return False
    return True


def _sizes(points: int, replicates: int, largest: float, letter: str, followed: str = "") -> NextStep:
    """So many sizes up to the largest; `followed` says what of them was assumed."""
    words = f"sizes up to {letter} = {size_words(largest)}{', ' if followed else ''}{followed}"
    return NextStep(Plan(points, replicates), clauses=(Clause(Topic.ROUTE, words, {"size": largest}),))


# -------------------------------------------------------------------------------------------------------- all sequences


def _together(judged: Sequence[_Setting], policy: ErrorPolicy, rate: float | None) -> Judgement:
    """One judgement of all sequences: violated by one, holding by all."""
    against = [each for each in judged if each.verdict is Verdict.VIOLATED]
    undecided = [each for each in judged if each.verdict is Verdict.INCONCLUSIVE]
    worst = max(against or undecided or judged, key=lambda each: each.distance)
    verdict, found = worst.verdict, worst.found
    wide, narrow = _levels(policy, len(judged))
    words, obstacles = _finding(worst), worst.shortage
    if verdict is Verdict.INCONCLUSIVE and found is not None:
        obstacles, words = (Clause(Topic.FINITE_SIZE, f"finite size: {words}", _figures(found)),), ""
    clauses = (Clause(Topic.FINDING, words, _figures(found)),) if words else ()
    if len(judged) > 1:
        counts = f"{len(against)} of {len(judged)} settings violated, {len(undecided)} undecided"
        at = f"{counts}; deciding: {worst.name}"
        clauses += (Clause(Topic.SETTING, at, {"violated": len(against), "undecided": len(undecided)}),)
    decided_by, level = None if found is None else found.deciding(verdict), narrow if verdict is Verdict.HOLDS else wide
    ruling = Ruling(
        rule=Rule.EXTRAPOLATION,
        relation=worst.aim.sense,
        estimand="limit by extrapolation",
        figure=None if found is None else found.value,
        interval=decided_by,
        level=level,
        threshold=None if worst.aim.relation == "reaches" else worst.aim.tolerance,
        measured=None if found is None else found.value,
        measured_interval=decided_by,
        measured_level=level,
        claimed=worst.aim.value,
        clauses=clauses,
        obstacles=obstacles,
    )
    step = _next_step(worst, policy, len(judged), rate) if verdict is Verdict.INCONCLUSIVE else NO_STEP
    effect = Effect(quantity=Quantity.LIMIT, relation=worst.aim.sense)
    if found is not None:
        effect = replace(effect, confidence_interval=decided_by, equivalence_interval=found.narrow)
        effect = replace(effect, interval_kind="profile", confidence=level)
    chosen = Choices(_of_rate(judged, verdict))
    explanation = Explanation(ruling, _measurements(judged), _adequacy(worst), choices=chosen, next=step)
    return Judgement(verdict, explanation, effect=effect)


def _of_rate(judged: Sequence[_Setting], verdict: Verdict) -> Clauses:
    """The rate that was assumed, and whether a verdict rests on it."""
    rate = next((each.rate for each in judged if each.rate is not None), None)
    if rate is None:
        return ()
    deciding = [each for each in judged if each.verdict is verdict]
    needed = [each.is_by_rate for each in deciding]
    is_needed = bool(needed) and (any(needed) if verdict is Verdict.HOLDS else all(needed))
    return _assumed(rate, judged[0].means.letter, is_needed=is_needed)


def _assumed(rate: float, letter: str, *, is_needed: bool) -> Clauses:
    """The choice of a rate, and whether the verdict would be another without it."""
    words = f"assumed: an approach no slower than {letter}^-{rate:g}"
    words += ", without which it is not decided so" if is_needed else ""
    return (Clause(Topic.PROTOCOL, words, {ASSUMED_RATE: rate, "needed": int(is_needed)}),)


def _finding(setting: _Setting) -> str:
    """The limit beside the claimed one."""
    found, aim = setting.found, setting.aim
    if found is None:
        return ""
    stands = {Verdict.HOLDS: "within", Verdict.VIOLATED: "beyond"}.get(setting.verdict, "undecided about")
    means = setting.means
    last = f"mean {means.mean[-1]:.4g} at size {means.letter} = {size_words(float(means.size[-1]))}"
    text = f"limit {found.value:.4g} {found.deciding(setting.verdict)}, {stands} {aim}, from {last} by {found.words}"
    if found.power is not None:
        text += f" (power {found.power.low:.2g} to {found.power.high:.2g})"
    if setting.rate is not None:
        text += f"; taken from the claim: an approach no slower than {means.letter}^-{setting.rate:g}"
        text += ", though a slower approach fits as well" if setting.is_slow else ""
    return text + (means.in_words(_doubt(found, aim, setting.rate)) if setting.is_doubtful else "")


def _doubt(found: Extrapolation, aim: _Aim, rate: float | None) -> str:
    """What stands in the way of a verdict that the usual corrections alone would get."""
    if rate is not None:  # nothing else is doubted of a limit at a rate
        return f", or growth without a limit: these sizes do not prefer d^-{rate:g} to half its power"
    if not aim.is_missed(found.wide):
        return "; growth without a limit fits as well" if found.grows else "; a correction less usual leaves it open"
    if found.left_out:
        return "; sizes that no correction fits with the others were left out, so it is not said to be missed"
    return (
        f"; an approach slower than d^-{LEAST_POWER:g} or 1 / log d, with a second term or a shift may still reach it"
    )


def _figures(found: Extrapolation | None) -> dict[str, float | int | str | None]:
    """The limit with the interval that decides against a claim, whatever the verdict."""
    if found is None:
        return {}
    return {"limit": found.value, "low": found.wide.low, "high": found.wide.high, "power": found.fit.power}


def _adequacy(setting: _Setting) -> Adequacy:
    """Which corrections were not rejected, and sizes that none of them fits."""
    found = setting.found
    if found is None:
        return Adequacy()
    kept = f"corrections that the data do not reject: {', '.join(found.corrections)}"
    clauses: Clauses = (Clause(Topic.REMARK, kept, {"corrections": len(found.corrections)}),)
    if found.left_out:
        sizes = f"{setting.means.letter} = {', '.join(f'{size:g}' for size in found.left_out)}"
        clauses += (Clause(Topic.LACK_OF_FIT, f"no correction fits with {sizes}, which are left out"),)
    return Adequacy((Topic.LACK_OF_FIT,), clauses)


def _measurements(judged: Sequence[_Setting]) -> Measurements:
    counts = np.concatenate([each.means.count for each in judged])
    sizes = np.concatenate([each.means.size for each in judged])
    return Measurements(
        len(sizes),
        unit="sizes",
        replicates=(int(counts.min()), int(counts.max())),
        axis_range=Interval(float(sizes.min()), float(sizes.max())),
    )


# ------------------------------------------------------------------------------------------------------- a transition

SILENT = 2.0**-20
"""Share of the tolerance below which an order parameter is 0 as measured: sixteen times the rounding error of a number
as large as the tolerance in single precision, 2^-24. Values so small at sizes a factor `MIN_FACTOR` apart have a limit
of at most 73 times their size, by the slowest approach that may spare a claim (q = MIN_FACTOR^-`SLOWEST_POWER`,
(1 + q) / (1 - q)): a ten-thousandth of the tolerance. Larger values are judged as they are."""


def judge_transition(
    parameter: ArrayLike,
    axis: ArrayLike,
    samples: ArrayLike | Sequence[Sequence[float]],
    claimed: float,
    *,
    level: float,
    tolerance: float,
    within: float,
    rate: float | None = None,
    exact: bool = False,
    span: tuple[float, float] | None = None,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
    letter: str = LETTER,
) -> Judgement:
    """Judge a transition in the limit: an order parameter tends to 0 below a place, and to a level or more beyond it.

    Each value of the parameter is a sequence, judged as a limit (`judge_limit`). The claim is violated where one is, at
    its share of the error: below the place by a limit that is not 0, beyond it by one under the level. It holds where
    all below some value tend to 0, all from another on reach the level, and the place is claimed between the two, no
    further apart than `within`: sequences in between may be open.

    >>> size, kappa = np.geomspace(50, 3200, 7), np.array([0.5, 0.8, 0.95, 1.05, 1.25, 2.0])
    >>> k, d = (each.ravel() for each in np.meshgrid(kappa, size, indexing="ij"))
    >>> order = np.sqrt(np.maximum(1 - 1 / k, 0)) + 1 / np.sqrt(d)
    >>> samples = order[:, None] + 0.002 * np.random.default_rng(0).standard_normal((len(d), 10))
    >>> asked = {"level": 0.1, "tolerance": 0.05, "within": 0.2}
    >>> [str(judge_transition(k, d, samples, place, **asked).verdict) for place in (1.0, 1.6)]
    ['holds', 'violated']

    Args:
        parameter: in which the transition is, at each point [points], finite.
        axis, samples: the growing size and the measurements, as `judge_limit` takes them.
        claimed: the place; sequences at the place itself are left out.
        level: what the order parameter reaches beyond the place, > 2 * tolerance.
        tolerance: how far from 0 a limit may be and still be 0, in units of the samples, > 0.
        within: how narrowly the place must be bracketed, in units of the parameter, > 0.
        rate, exact, span, confidence, policy, letter: as in `judge_limit`. Samples below the place that are rounding
            alone are 0, but not where all samples are 0 or 1, which may be no and yes.

    Raises ValueError on input that breaks a rule above, or without sequences on both sides.
    """
    values, axis = (np.asarray(each, dtype=float) for each in (parameter, axis))
    _require_place(claimed, level, tolerance, within)
    sides = _sides(values, axis, claimed)
    policy, rows = policy_of(confidence, policy), finite_rows("samples", samples, n_points=len(axis))
    policy = _one_of(policy, len(sides))
    given = {"tolerance": tolerance, "policy": policy, "letter": letter, "exact": exact, "span": span}
    judged = _judge_of_sequences(values, axis, rows, claimed, level, given)

    def word(known: float) -> Verdict:
        return transition_verdict({value: judged(value, known).verdict for value in sides}, claimed, within)

    found = _bracketed({value: judged(value, rate) for value in sides}, claimed, within, level)
    if rate is None:
        return _with_rate_of_all(found, word, letter)
    free = transition_verdict({value: judged(value, None).verdict for value in sides}, claimed, within)
    is_needed = found.verdict in _DECIDED and free is not found.verdict
    return found.adding(choices=_assumed(rate, letter, is_needed=is_needed))


def _judge_of_sequences(
    values: np.ndarray,
    axis: np.ndarray,
    rows: Sequence[np.ndarray],
    claimed: float,
    level: float,
    given: dict[str, Any],
) -> Callable[[float, float | None], Judgement]:
    """What judges the sequence of one value of a parameter, at a rate or at none.

    Args:
        given: what `judge_limit` is asked beside.
    """
    is_yes_no = not given["exact"] and all(np.isin(row, (0.0, 1.0)).all() for row in rows)

    def judged(value: float, rate: float | None) -> Judgement:
        places = np.flatnonzero(values == value)
        asked: dict[str, Any] = {"claimed": 0.0} if value < claimed else {"claimed": level, "relation": "reaches"}
        asked |= {**given, "rate": rate}
        own = [rows[int(i)] for i in places]
        if value < claimed and is_silent(own, given["tolerance"]) and not is_yes_no:
            asked |= {"exact": True, "span": None}
            return judge_limit(axis[places], [[0.0]] * len(own), **asked)
        return judge_limit(axis[places], own, **asked)

    return judged


def _with_rate_of_all(found: Judgement, word: Callable[[float], Verdict], letter: str) -> Judgement:
    """A judgement, where open with the rate at which all sequences decide; what one says of these sizes is no such.

    Args:
        word: the verdict at a rate.
    """
    if found.verdict is not Verdict.INCONCLUSIVE:
        return found
    rate = next((known for known in KNOWN_RATES if word(known) in _DECIDED), None)
    step = found.explanation.next
    sizes = tuple(clause for clause in step.first if "size" in clause.figures)
    step = replace(step, first=sizes if rate is None else at_known_rate(rate, letter, seen=_OF_ALL))
    return replace(found, explanation=replace(found.explanation, next=step))


_OF_ALL = "taken of each sequence, and not read off them"
"""What a transition's sequences show of a rate: each its own."""


def _sides(values: np.ndarray, axis: np.ndarray, claimed: float) -> list[float]:
    """The values of a parameter but for the claimed place, in order; some lie below it and some beyond."""
    if values.shape != axis.shape or values.ndim != 1 or not np.all(np.isfinite(values)):
        raise ValueError(f"parameter must be one finite number per point ({axis.size}), got {shown(values)}")
    sides = [value for value in np.unique(values).tolist() if value != claimed]
    if not sides or sides[0] > claimed or sides[-1] < claimed:
        raise ValueError(f"parameter must have values on both sides of {claimed:g}, got {shown(values)}")
    return sides


def _require_place(claimed: float, level: float, tolerance: float, within: float) -> None:
    """Raise a ValueError where what a transition is asked for is out of range."""
    if not 0 < 2 * tolerance < level < math.inf:
        raise ValueError(f"level must exceed 2 * tolerance > 0, got {level} and {tolerance}")
    if not (math.isfinite(claimed) and 0 < within < math.inf):
        raise ValueError(f"claimed must be finite and within > 0, got {claimed} and {within}")


def is_silent(samples: Sequence[ArrayLike], tolerance: float) -> bool:
    """Whether samples of an order parameter [points, replicates] are no more than rounding."""
    return all(np.abs(np.asarray(row, dtype=float)).max(initial=0.0) <= SILENT * tolerance for row in samples)


def _bracketed(judged: dict[float, Judgement], claimed: float, within: float, level: float) -> Judgement:
    """One judgement of all values of the parameter, in order."""
    said = {value: each.verdict for value, each in judged.items()}
    low, high = bracket_of(said, claimed)
    figures = {"claimed": claimed, **{k: v for k, v in (("low", low), ("high", high)) if math.isfinite(v)}}
    verdict = transition_verdict(said, claimed, within)

    def farthest(word: Verdict) -> float:
        return max((value for value in said if said[value] is word), key=lambda value: abs(value - claimed))

    if verdict is Verdict.VIOLATED:
        place = farthest(verdict)
        asked = "below it 0 is" if place < claimed else f"beyond it {level:g} or more is"
        words = f"at {place:g}, of a transition claimed at {claimed:g}: {asked} claimed in the limit"
        return judged[place].adding(decision=(Clause(Topic.SETTING, words, {**figures, "place": place}),))
    if verdict is Verdict.HOLDS:
        return _enclosed(judged, Interval(low, high), claimed, within, figures)
    if _is_narrow(low, high, within):
        span = f"the range of the parameter that was measured, {max(said) - min(said):g}"
        words = (
            f"a transition between {low:g} and {high:g}; within = {within:g} is wider than {span}, and places nothing"
        )
        return judged[high].withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.SHORTAGE, words, figures))
    if Verdict.INCONCLUSIVE in said.values():
        place, count = farthest(verdict), list(said.values()).count(verdict)
        others = f" and {count - 1} more" if count > 1 else ""
        words = f"open at {place:g}{others}, of a transition claimed at {claimed:g}"
        return judged[place].adding(decision=(Clause(Topic.SETTING, words, {**figures, "place": place}),))
    more = " and ".join(size_words(place) for place in places_needed(low, high, claimed, within))
    words = f"a transition between {low:g} and {high:g}, not yet within {within:g}: measure between, at {more}"
    return judged[high].withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.SHORTAGE, words, figures))


def _enclosed(
    judged: dict[float, Judgement], ends: Interval, claimed: float, within: float, figures: dict[str, float]
) -> Judgement:
    """A transition between two values of the parameter, with what the sequences at these two tend to."""
    words = f"a transition between {ends.low:g} and {ends.high:g}, claimed at {claimed:g}"
    clauses: Clauses = (Clause(Topic.FINDING, words, figures),)
    for side, value in (("below", ends.low), ("beyond", ends.high)):
        found = judged[value].explanation.decision
        figures_of = dict(found.clauses[0].figures)
        clauses += (
            Clause(Topic.SETTING, f"{side}, at {value:g}: limit {found.figure:.4g} {found.interval}", figures_of),
        )
    explanation = judged[ends.high].explanation
    ruling = Ruling(
        rule=Rule.ENCLOSURE,
        relation="tight",
        estimand="where a transition lies",
        interval=ends,
        threshold=within,
        claimed=claimed,
        clauses=clauses,
    )
    effect = Effect(confidence_interval=ends, interval_kind="enclosure", quantity=Quantity.PLACE, relation="tight")
    return Judgement(Verdict.HOLDS, replace(explanation, decision=ruling), effect=effect)


def transition_verdict(said: Mapping[float, Verdict], claimed: float, within: float) -> Verdict:
    """The word for a transition from those for its sequences, by values of the parameter."""
    if Verdict.VIOLATED in said.values():
        return Verdict.VIOLATED
    low, high = bracket_of(said, claimed)
    return Verdict.HOLDS if _is_narrow(low, high, within) and not _is_idle(said, within) else Verdict.INCONCLUSIVE


def _is_idle(said: Mapping[float, Verdict], within: float) -> bool:
    """Whether a transition is to be placed no more narrowly than in all that was measured, which any place is."""
    return within > (max(said) - min(said)) * (1 + 1e-9)


def _is_narrow(low: float, high: float, within: float) -> bool:
    """Whether a bracket is narrow enough, up to rounding: 1.1 - 0.9 is more than 0.2 to a machine."""
    return high - low <= within * (1 + 1e-9)


def bracket_of(said: Mapping[float, Verdict], claimed: float) -> tuple[float, float]:
    """The values nearest to the place up to which, from the outermost inward on either side, all sequences hold.

    Infinite where the outermost does not.
    """
    ordered = sorted(said)

    def held(inward: Iterable[float]) -> list[float]:
        return list(itertools.takewhile(lambda value: said[value] is Verdict.HOLDS, inward))

    below, beyond = held(v for v in ordered if v < claimed), held(v for v in reversed(ordered) if v > claimed)
    return below[-1] if below else -math.inf, beyond[-1] if beyond else math.inf


def places_needed(low: float, high: float, claimed: float, within: float) -> list[float]:
    """The fewest values between those that enclose a claimed place at which a transition is enclosed narrowly enough.

    They lie as far from the place as that allows, since sequences near a transition creep.

    >>> places_needed(0.5, 2.0, 1.0, 0.2), places_needed(0.95, 2.0, 1.0, 0.2), places_needed(0.95, 1.1, 1.0, 0.2)
    ([0.9, 1.1], [1.15], [])
    """
    if _is_narrow(low, high, within):
        return []
    if claimed - low < within:
        return [low + within]
    return [high - within] if high - claimed < within else [claimed - within / 2, claimed + within / 2]
