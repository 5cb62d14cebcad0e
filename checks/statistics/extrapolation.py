"""Where a sequence of means goes as its size grows: an interval of the limit over corrections of several shapes.

*Model.* The mean at size d is L + C g(d). The corrections g are d^-p and log(d) d^-p, p free between `LEAST_POWER` and
`MOST_POWER`, and 1 / log d. These are what expansions of random matrices, mean fields and replicas have; a limit read
off without one is the mean at the largest size, which finite size keeps away from it.

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

*Slow approaches.* Powers between `SLOWEST_POWER` and `LEAST_POWER`, powers of 1 / log d up to the first and
1 / log log d are not extrapolated with, since almost any limit goes with them. `Extrapolation.slow` has their
intervals, and those of two terms, of sizes shifted by a multiple of the smallest and of log^2 d / d^p where one term
would do: a limit in one of them cannot be said to be missed, and one that the last two leave cannot be said to be met.
Where small sizes had to be left out, nothing can be said to be missed.

*Growth.* Where log^q d or d^p with a coefficient that is not 0 fits as well, there may be no limit at all, and none is
said to be met (`Extrapolation.grows`).

Calling order: `size_means` -> `extrapolate` -> `_Window` -> `_fits` -> `_Fit.interval`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.arguments import finite_rows, shown
from checks.statistics.means import ROUNDING, without_noise
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import t_quantile
from checks.statistics.serial_noise import OrderedMean, alike_in_order
from checks.statistics.verdict import Interval

Array = NDArray[np.float64]

LEAST_POWER, MOST_POWER, SLOWEST_POWER = 0.25, 3.0, 0.02
"""Powers of the corrections that are extrapolated with, and the slowest that may spare a claim."""
LEAST_OF_TWO = 0.5
"""Least power of the first of two terms that may spare a claim where one would do; slower pairs turn back anywhere."""

REJECTED = 0.01
"""Level at which a correction is left out. It is less than that of other pretests because leaving one out narrows the
interval, and the right one must not be left out."""

MIN_SIZES, MIN_FACTOR, MIN_REPLICATES = 4, 4.0, 3
"""Sizes, largest over smallest of them, and replicates at each, without which nothing is extrapolated."""

LEAST_FREEDOM_OF_LACK = 3
"""Freedom of the residuals from which on their own t quantile counts; with less it is that of nothing known."""
LEAST_FREEDOM_OF_TWO = 2
"""Sizes beyond the parameters that two terms must leave: with one, they fit what noise alone makes of any curve."""

_FINEST, _FINEST_OF_EXACT = 1e-4, 1e-13
"""Step of the power at which a search for the best ends."""
_ZOOMS, _PER_ZOOM, _COARSE, _FINE = 16, 9, 33, 65


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
    """

    size: Array
    mean: Array
    count: Array
    variance: Array
    growth: float
    freedom: float
    is_exact: bool = False

    @property
    def is_constant(self) -> bool:
        """Whether replicates agree that are not known to be without noise: nothing is known of their scatter."""
        return not self.is_exact and bool(np.all(self.variance <= (ROUNDING * np.abs(self.mean).max()) ** 2))

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


def size_means(size: ArrayLike, samples: ArrayLike | Sequence[Sequence[float]], *, exact: bool = False) -> SizeMeans:
    """Means and noise at each size; rows of one size are one.

    Args:
        size: of each row [points], finite and > 1.
        samples: independent measurements [points, replicates], finite; rows may have any lengths.
        exact: whether each sample is a number without noise. All replicates that agree at every size are such numbers.

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
    return SizeMeans(sizes, mean, count, variance, growth, max(float(freedom.sum()) - 1.0, 1.0))


def _smooth_variance(x: Array, squares: Array, freedom: Array) -> tuple[float, Array]:
    """Slope of log variance in log size, and the variance of one replicate at every size."""
    total = float(freedom.sum())
    pooled = float(squares.sum()) / max(total, 1.0)
    known = (freedom > 0) & (squares > 1e-6 * pooled * np.maximum(freedom, 1.0))
    if known.sum() < MIN_SIZES:
        return 0.0, np.full(len(x), max(pooled, 1e-300))
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
        shift: what is added to sizes, in units of the smallest.
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
        if self.form == "power of log":
            return [(x / x[0]) ** -p[:, None]]
        if self.form == "inverse log log":
            return [np.broadcast_to(1 / np.log(x), (len(p), len(x)))]
        if self.form == "growing power of log":
            return [(x / x[0]) ** p[:, None]]
        if self.form == "shifted power":
            return [((np.exp(x - x[0]) + self.shift) / (1 + self.shift)) ** -p[:, None]]
        power = np.exp(-p[:, None] * (x - x[0]))
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
)
"""Too slow to extrapolate with; the last is of sizes above e."""
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
        coefficients: of the terms as `Correction.terms` has them. [powers, terms]
    """

    power: Array
    limit: Array
    unit: Array
    squares: Array
    coefficients: Array


class _Fit:
    """One correction fitted to the means of a window of sizes."""

    def __init__(self, correction: Correction, means: SizeMeans) -> None:
        self.correction, self.means = correction, means
        self.x, self.y = np.log(means.size), means.mean
        self.weight = np.ones(len(self.x)) if means.is_exact else means.count / means.variance
        self.freedom = len(self.x) - correction.parameters
        scale = ROUNDING * float(np.abs(self.y).max())
        self.floor = scale**2 if means.is_exact else 0.0
        self.tried = self._zoomed()
        best = int(self.tried.squares.argmin())
        self.power, self.limit = float(self.tried.power[best]), float(self.tried.limit[best])
        self.coefficients = self.tried.coefficients[best]
        self.squares = float(self.tried.squares[best])

    @property
    def misfit(self) -> float:
        """Mean square of the residuals; about 1 where replicates explain them, that of rounding at least."""
        return max(self.squares / max(self.freedom, 1), self.floor)

    def profile(self, power: Array) -> _Profile:
        """Weighted least squares at each power, by orthogonal terms about their mean."""
        weight, total = self.weight, float(self.weight.sum())
        middle = float(weight @ self.y) / total
        residual = np.broadcast_to(self.y - middle, (len(power), len(self.y)))
        limit, unit = np.full(len(power), middle), np.full(len(power), 1 / total)
        terms = self.correction.terms(self.x, power)
        means = [term @ weight / total for term in terms]
        own = [term - mean[:, None] for term, mean in zip(terms, means, strict=True)]
        slopes = []
        shared = np.zeros(len(power))
        if len(terms) > 1:
            shared = (own[0] * own[1]) @ weight / np.maximum(own[0] ** 2 @ weight, 1e-300)
            own[1] = own[1] - shared[:, None] * own[0]
            means[1] = means[1] - shared * means[0]
        for term, mean in zip(own, means, strict=True):
            size = np.maximum(term**2 @ weight, 1e-300)
            slope = (residual * term) @ weight / size
            residual = residual - slope[:, None] * term
            limit, unit = limit - slope * mean, unit + mean**2 / size
            slopes.append(slope)
        if len(slopes) > 1:
            slopes[0] = slopes[0] - shared * slopes[1]
        return _Profile(power, limit, unit, residual**2 @ weight, np.stack(slopes, axis=1))

    def _zoomed(self) -> _Profile:
        """The profile on a grid of powers, ever finer about the best."""
        low, high = self.correction.low, self.correction.high
        if low == high:
            return self.profile(np.array([low]))
        found = [self.profile(np.geomspace(low, high, _COARSE))]
        for _ in range(_ZOOMS):
            powers = np.concatenate([each.power for each in found])
            squares = np.concatenate([each.squares for each in found])
            best = powers[squares.argmin()]
            below, above = powers[powers < best], powers[powers > best]
            ends = below.max(initial=low), above.min(initial=high)
            if ends[1] - ends[0] <= (_FINEST_OF_EXACT if self.means.is_exact else _FINEST):
                break
            found.append(self.profile(np.linspace(*ends, _PER_ZOOM)))
        arrays = (
            np.concatenate([getattr(each, name) for each in found])
            for name in ("power", "limit", "unit", "squares", "coefficients")
        )
        return _Profile(*arrays)

    def interval(self, allowed: float) -> tuple[Interval, Interval]:
        """Of the limit and of the power: where the profile exceeds the least sum of squares by no more than this."""
        profile = self.tried
        inside = profile.squares <= self.squares + allowed
        powers = profile.power[inside]
        if self.correction.low < self.correction.high:
            ends = float(powers.min()), float(powers.max())
            low = profile.power[profile.power < ends[0]].max(initial=self.correction.low)
            high = profile.power[profile.power > ends[1]].min(initial=self.correction.high)
            fine = self.profile(np.linspace(low, high, _FINE))
            arrays = (
                np.concatenate([getattr(profile, name)[inside], getattr(fine, name)])
                for name in ("power", "limit", "unit", "squares", "coefficients")
            )
            profile = _Profile(*arrays)
            inside = profile.squares <= self.squares + allowed
            powers = profile.power[inside]
        room = np.maximum(self.squares + allowed - profile.squares[inside], 0.0)
        half, limit = np.sqrt(profile.unit[inside] * room), profile.limit[inside]
        limits = Interval(float((limit - half).min()), float((limit + half).max()))
        return limits, Interval(float(powers.min()), float(powers.max()))

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


def _windows(means: SizeMeans) -> Iterator[SizeMeans]:
    """All sizes, and ever fewer of the smallest."""
    for smallest in range(len(means.size) - MIN_SIZES + 1):
        window = means.without(smallest)
        if window.size[-1] >= MIN_FACTOR * window.size[0]:
            yield window


def _fitted(means: SizeMeans, corrections: Sequence[Correction]) -> tuple[_Fit, ...]:
    """Corrections that leave residuals to see a misfit by, and that replicates do not reject."""
    least = 1 if means.is_exact else LEAST_FREEDOM_OF_TWO
    of_two = {each.name for each in TWO_TERMS}
    room = {each: len(means.size) - each.parameters - (least if each.name in of_two else 1) for each in corrections}
    fits = [_Fit(each, means) for each in corrections if room[each] >= 0]
    if means.is_exact:
        return tuple(fits)
    return tuple(fit for fit in fits if float(special.fdtrc(fit.freedom, means.freedom, fit.misfit)) >= REJECTED)


def _at_rate(corrections: Sequence[Correction], rate: float | None) -> list[Correction]:
    """Those at least as fast as a rate, if there is one."""
    if rate is None:
        return list(corrections)
    return [replace(each, low=rate) for each in corrections if each.low < each.high]


def _fits(means: SizeMeans, rate: float | None) -> list[_Window]:
    """The windows that count: the first on which replicates do not reject all corrections; all of exact numbers."""
    one, two = _at_rate(ONE_TERM, rate), _at_rate(TWO_TERMS, rate)
    if means.is_exact:
        return [_Window(window, _fitted(window, (*one, *two))) for window in _windows(means)]
    for window in _windows(means):
        for corrections in (one, two):
            if fits := _fitted(window, corrections):
                return [_Window(window, fits)]
    return []


# ----------------------------------------------------------------------------------------------------- the limit itself


@dataclass(frozen=True, eq=False)
class Extrapolation:
    """What the means say of their limit.

    Attributes:
        value: the limit by the correction that fits best.
        wide, narrow: its intervals at both confidences asked for, over all corrections that are not rejected.
        slow: those of corrections that are slow or have a second term, and that the data do not reject, at the first.
        beside: those of `BESIDE` that the data do not reject, at both confidences.
        grows: 1 where growth to infinity fits as well, -1 where a fall to minus infinity does, else 0.
        corrections: names of those that are not rejected, the best first.
        power: interval of the best one's power at the second confidence; None where it has none.
        left_out: the smallest sizes, which no correction fits together with the others.
        fit: the best one.
    """

    value: float
    wide: Interval
    narrow: Interval
    slow: tuple[Interval, ...]
    beside: tuple[tuple[Interval, Interval], ...]
    grows: int
    corrections: tuple[str, ...]
    power: Interval | None
    left_out: tuple[float, ...]
    fit: _Fit

    def at(self, size: ArrayLike) -> Array:
        """The mean at any sizes by the best correction."""
        return self.fit.at(np.atleast_1d(np.asarray(size, dtype=float)))

    @property
    def words(self) -> str:
        """The best correction, with its power."""
        return self.fit.correction.at(self.fit.power)


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
    doubted = windows if rate is None else []  # who assumes a rate assumes a limit and how it is approached
    best = last.best if means.is_exact else first.best
    has_power = best.correction.low < best.correction.high
    window = last if means.is_exact else first
    left_out = means.size[: len(means.size) - len(first.means.size)]
    return Extrapolation(
        best.limit,
        _hull(ends[wide]),
        _hull(ends[narrow]),
        tuple(each for window in doubted for each in _slow_intervals(window, wide)),
        tuple(each for window in doubted for each in _beside(window, wide, narrow)),
        _growth(first) if doubted else 0,
        tuple(names),
        best.interval(window.allowed(narrow))[1] if has_power else None,
        tuple(left_out.tolist()),
        best,
    )


def _slow_intervals(window: _Window, confidence: float) -> list[Interval]:
    """Of the limit, by each slow correction, and each of two terms, that the data of a window do not reject.

    A logarithm and a power of opposite signs turn back beyond the largest size and would reach any limit.
    """
    corrections = SLOW if window.means.size[0] > math.e else SLOW[:-1]
    fits = _fitted(window.means, (*corrections, *_at_rate(TWO_TERMS, LEAST_OF_TWO)))
    kept = [
        fit
        for fit in fits
        if fit.correction.form != "inverse log and power" or min(fit.coefficients * fit.coefficients[0]) > 0
    ]
    return [fit.interval(window.allowed(confidence))[0] for fit in kept if window.is_admissible(fit)]


def _beside(window: _Window, wide: float, narrow: float) -> list[tuple[Interval, Interval]]:
    """Of the limit at two confidences, by each less usual correction that the data of a window do not reject."""
    fits = [fit for fit in _fitted(window.means, BESIDE) if window.is_admissible(fit)]
    return [(fit.interval(window.allowed(wide))[0], fit.interval(window.allowed(narrow))[0]) for fit in fits]


def _growth(window: _Window) -> int:
    """The sign of a growth without limit that fits a window as well; 0 where none does, or its size may be 0."""
    means = window.means
    for fit in _fitted(means, GROWING):
        middle = float(fit.weight @ means.mean) / float(fit.weight.sum())
        explained = float(fit.weight @ (means.mean - middle) ** 2) - fit.squares
        if window.is_admissible(fit) and explained > window.allowed(1 - PRETEST_LEVEL):
            return int(np.sign(fit.coefficients[0]))
    return 0


def _hull(intervals: Sequence[Interval]) -> Interval:
    return Interval(min(each.low for each in intervals), max(each.high for each in intervals))
