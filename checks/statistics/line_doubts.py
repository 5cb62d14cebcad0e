"""What the samples behind a line show against the model that its verdict rests on.

Replicates are taken as independent, runs that were cut off as noise like the others, and the mean of logarithms as what
the claim speaks of. Each of these is tested on the samples themselves: shared replicates widen the interval; censored
runs of another kind and a mean whose exponent is another withdraw a verdict that would change by them.

*Runs that were cut off.* These should fit the noise of those that arrived: one spread, and no share that never arrives.
A censored point is a normal sample cut off at its limit, with one spread common to all points. Two kinds of data look
like it and are not. Where the noise grows along the axis, the pooled spread is too small where runs are cut off, and so
is the mean that it extrapolates. Where some runs never arrive [a cured share: Boag 1949; Maller and Zhou 1996], no
limit would have let them, and each one pulls its point as if it had arrived soon after.

Both are seen in the runs that arrived. They are normals cut off at the limit, whose mean and variance say how far the
mean lies below it [Cohen 1959]: `arrived` solves for that distance, point by point, and for the common spread. From
it follow how many runs should have been cut off, which is compared with how many were. How the spread moves along the
axis is estimated by the likelihood of all runs, those that were cut off among them [Amemiya 1985].

*Replicates that share data.* Each column of them has an exponent of its own. Where replicate j at one point and
replicate j at the next share a data set, a seed or a run that goes on, column j of the samples has a slope of its own.
The noise of a slope is then that of the columns' slopes, divided by the root of their number; variances taken point by
point miss it, because errors of one column add up along the axis.

The tests compare the scatter of the columns' slopes, and of their means, with what is left of the samples after each
column's own line, by F; what is left may be uneven along the axis. A third asks whether a column errs at one point as
it does at the next. With one sample a point there is nothing to compare: unless somebody says that each is a run of its
own, they are taken as looks at one run (`checks.statistics.serial_noise`). Independent replicates are the rule, so the
tests are strict: they cost them little, and weak sharing passes. The interval is widened at levels that independent
replicates reach once in twenty sets (`MAY_SHARE`), and then only may they share data; that they look so is said at
levels that such replicates reach in less than one set of a hundred (`DO_SHARE`). Whoever knows that replicates are
paired says so (`paired=True`).

*The exponent of a mean.* The mean of logarithms is what was fitted. For samples that are normal on the log scale, log
E[y] = E[log y] + variance / 2. A theorem that speaks of an expectation therefore has the slope of the log means plus
that of half the log variance, the same only where the noise does not move along the axis. The second slope is estimated
from the replicates' own variances; its error is that of normal samples with one variance, which is the case it is
tested against. Few runs tell little of it: eight at each of nine points hardly see that E[y] = n^1.4 where typical runs
follow n. So a claim that is said to be about E[y] is judged with the error of that slope, told from 0 or not. Where
runs lie farther from their points' means than one normal kind does (by their kurtosis), the formula says nothing of the
mean: one run in twenty of another kind may carry it. The slope is then that of the means themselves, with the error of
leaving one run out, and a verdict stands only if it gets it too. A kind that no run shows cannot be tested for, so few
runs speak of a typical run alone: a claim about a mean asks for `RUNS_OF_A_MEAN`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from checks.statistics.delta_rule import DeltaRule, IntervalAt
from checks.statistics.explanation import Clause, Clauses, Topic
from checks.statistics.means import RUNS_OF_A_MEAN, unseen_kinds
from checks.statistics.outcome import Estimand
from checks.statistics.regression import (
    MIN_SPREAD,
    Array,
    Line,
    Noise,
    Points,
    fit_line,
    points_from_samples,
    t_quantile,
)
from checks.statistics.serial_noise import DoubtedMean, OrderedMean, SerialNoise, alike_in_order, serial_noise
from checks.statistics.verdict import Interval, Verdict

# ----------------------------------------------------------------------------------------------- runs that were cut off


NEVER = 6.0
"""Standard errors by which the censored runs must outnumber those that the arrived ones predict."""

LEAST_VARIANCE = 1.0
"""Floor of the variance by which points are weighed: a single run more or less may be chance at any of them."""

TREND = 1.28
"""Root of the likelihood ratio from which a trend of the noise is tried out on the verdict (20 %)."""


@dataclass(frozen=True, eq=False)
class Arrived:
    """What the runs that arrived say of each point that has at least two of them.

    Attributes:
        used: which points they are. [points]
        distance: how many spreads the limit lies above the mean. [used points]
        share: variance of the runs that arrived, relative to that of all. [used points]
        squares: their sum of squares about their mean. [used points]
        seen: how many arrived. [used points]
        spread: standard deviation of one run, common to all points.
    """

    used: Array
    distance: Array
    share: Array
    squares: Array
    seen: Array
    spread: float


@functools.cache
def _table() -> tuple[Array, Array]:
    """Distance of the limit from the mean of all, by that from the mean of those below it; both in spreads of all."""
    distance = np.linspace(-4.0, 12.0, 1601)
    return distance + _mean_below(distance), distance


def _mean_below(distance: Array) -> Array:
    """How far the mean of a standard normal cut off above `distance` lies below 0."""
    return np.exp(-0.5 * distance**2 - 0.5 * math.log(2 * math.pi) - special.log_ndtr(distance))


def arrived(log_samples: Array, log_limit: Array) -> Arrived | None:
    """Solve for the distance of each limit and the common spread; None where too few runs arrived."""
    finite = np.isfinite(log_samples)
    seen = finite.sum(axis=1)
    used = seen >= 2
    if used.sum() < 2:
        return None
    rows, limit, count = (
        np.where(finite, log_samples, np.nan)[used],
        np.minimum(log_limit[used], 1e6),
        seen[used].astype(float),
    )
    mean = np.nanmean(rows, axis=1)
    squares = np.nansum((rows - mean[:, None]) ** 2, axis=1)
    gap, below = _table()
    share = np.ones(len(count))
    distance = np.full(len(count), 12.0)
    spread = MIN_SPREAD
    for _ in range(30):
        updated = max(math.sqrt(float(squares.sum()) / float((count - 1) @ share)), MIN_SPREAD)
        distance = np.interp((limit - mean) / updated, gap, below)
        lost = _mean_below(distance)
        share = np.maximum(1 - distance * lost - lost**2, 0.05)
        if abs(updated - spread) < 1e-4 * updated:
            break
        spread = updated
    return Arrived(used, distance, share, squares, count, spread)


def never_arriving(found: Arrived, n_censored: Array) -> str:
    """Say that more runs were cut off than those that arrived predict, or ""."""
    count, censored = found.seen, n_censored[found.used]
    total = count + censored
    beyond = special.ndtr(-found.distance)
    density = np.exp(-0.5 * found.distance**2) / math.sqrt(2 * math.pi)
    variance = total * beyond * (1 - beyond) + (total * density) ** 2 / (count * found.share)
    weights = 1 / np.maximum(variance, LEAST_VARIANCE)
    excess = float(weights @ (censored - total * beyond))
    # Small counts are skewed: half a run more is asked for than a normal would need.
    if not excess > NEVER * math.sqrt(float(weights**2 @ variance)) + 0.5 * float(weights.max()):
        return ""
    return f"{censored.sum():g} runs were cut off where those that arrived predict {float(total @ beyond):.2g}"


def spread_trend(x: Array, log_samples: Array, log_limit: Array) -> tuple[float, float]:
    """How log spread moves along x, and the signed root of its likelihood ratio, by how many standard errors.

    Samples are normals cut off at their limit, with a mean of each point's own. Points of which fewer than two runs
    arrived say nothing. [maximum likelihood of a censored regression with a spread of its own: Amemiya 1985]

    Args:
        x: signed log axis. [points]
        log_samples: infinite where a run was cut off, NaN where there is none. [points, replicates]
        log_limit: of each point. [points]
    """
    kept = np.isfinite(log_samples).sum(axis=1) >= 2
    if kept.sum() < 2 or np.ptp(x[kept]) == 0:
        return 0.0, 0.0
    model = _MovingSpread(x[kept] - x[kept].mean(), log_samples[kept], log_limit[kept])
    even, _ = model.least(moves=False)
    moving, trend = model.least(moves=True)
    return trend, math.copysign(math.sqrt(2 * max(even - moving, 0.0)), trend)


FAR_OUT, HALF_LOG_TURN = 30.0, 0.5 * math.log(2 * math.pi)
"""Spreads beyond which the hazard of a normal is its argument; minus the logarithm of its density at 0."""


class _MovingSpread:
    """Minus the log likelihood of a mean a point, a log spread, and how the latter moves along the axis."""

    def __init__(self, x: Array, log_samples: Array, log_limit: Array) -> None:
        self._x = x[:, None]
        self._seen, self._cut = np.isfinite(log_samples), np.isposinf(log_samples)
        values = np.where(self._seen, log_samples, np.nan)
        self._means = np.nanmean(values, axis=1)
        self._unit = max(math.sqrt(float(np.nanmean(np.nanvar(values, axis=1)))), MIN_SPREAD)
        self._values = np.where(self._seen, (log_samples - self._means[:, None]) / self._unit, 0.0)
        reach = np.minimum((log_limit - self._means) / self._unit, 1e6)[:, None]
        self._values = np.where(self._cut, reach, self._values)

    def least(self, *, moves: bool) -> tuple[float, float]:
        """Its least value, and the trend there; a trend of 0 unless it `moves`."""
        count = len(self._means)
        start = np.zeros(count + 1 + moves)
        found = optimize.minimize(self._at, start, jac=True, method="BFGS")
        return float(found.fun), float(found.x[count + 1]) if moves else 0.0

    def _at(self, parameters: Array) -> tuple[float, Array]:
        """The value and its gradient; means are distances from those of what arrived."""
        count = len(self._means)
        trend = parameters[count + 1] if len(parameters) > count + 1 else 0.0
        log_spread = np.clip(parameters[count] + trend * self._x, -20.0, 20.0)  # in units of the pooled one
        z = (self._values - parameters[:count, None]) * np.exp(-log_spread)
        near = np.clip(z, -FAR_OUT, FAR_OUT)
        hazard = np.where(z < FAR_OUT, np.exp(-0.5 * near**2 - HALF_LOG_TURN - special.log_ndtr(-near)), z)
        value = np.where(self._seen, log_spread + 0.5 * z**2, np.where(self._cut, -special.log_ndtr(-z), 0.0))
        pull = np.where(self._seen, z, np.where(self._cut, hazard, 0.0))  # minus the slope in z's mean, in spreads
        of_spread = np.where(self._seen, 1 - z**2, np.where(self._cut, -hazard * z, 0.0))
        gradient = [-(pull * np.exp(-log_spread)).sum(axis=1), [of_spread.sum()], [(of_spread * self._x).sum()]]
        return float(value.sum()), np.concatenate(gradient)[: len(parameters)]


def points_with_trend(x: Array, log_samples: Array, log_limit: Array, trend: float) -> Points:
    """Points whose spread moves along x by `trend`: in units of it all spreads are one again."""
    scale = np.exp(trend * (x - x.mean()))
    points = points_from_samples(x, log_samples / scale[:, None], log_limit / scale)
    return replace(
        points,
        y=points.y * scale,
        variance=points.variance * scale**2,
        weight_variance=points.weight_variance * scale**2,
        spread=points.spread * scale,
    )


# ------------------------------------------------------------------------------------------- replicates that share data


@dataclass(frozen=True)
class SharingLevels:
    """Levels of the three tests whether columns share data along the axis.

    Attributes:
        slope: of the columns' slopes; in truth about half of it, since few noisy residuals judge them.
        common: of the columns' means: a column that is high throughout shares something along the axis.
        serial: of neighbouring points of a column.
    """

    slope: float
    common: float
    serial: float


MAY_SHARE = SharingLevels(slope=0.03, common=0.01, serial=0.03)
"""Levels at which an interval is widened, which costs little where it was not needed: it is of one set of independent
replicates in twenty (1 % with two replicates, 4 % with five, 6 % with a hundred), whose words are then "may share"."""

DO_SHARE = SharingLevels(slope=0.004, common=0.002, serial=0.003)
"""Levels at which it is said: of independent replicates, below one set in a hundred over the three tests together, for
normal, squared normal and heavy-tailed noise and 2 to 116 replicates. Five columns that are equal but for noise of a
third of their spread, or walk, are told in over 80 % of sets; two or three columns are too few to say it of."""

MIN_COMPLETE = 4
"""Points without a censored run that the test needs."""

FEWEST = 6, 3
"""Columns that share data, and batches of them, from which on neighbouring columns may share it too: three pairs."""


@dataclass(frozen=True, eq=False)
class SharedNoise(Noise):
    """Noise of a combination of points as the columns of the samples show it, whatever they share along the axis.

    Attributes:
        columns: log(measured / claim). [points, replicates]
        independent: whether somebody says that each column is a run of its own.
    """

    columns: Array
    independent: bool = False

    def standard_error(self, coefficients: Array) -> float:
        """From the columns' own values of the combination."""
        own = coefficients @ self.columns
        return float(own.std(ddof=1)) / math.sqrt(len(own))

    def half_width(self, coefficients: Array, confidence: float) -> float:
        """As of t, and no narrower than what neighbouring columns share makes it, or may share where nobody says."""
        half, own = super().half_width(coefficients, confidence), coefficients @ self.columns
        if alike_in_order([own])[0]:
            half = max(half, OrderedMean(own).half_width(confidence))
        return half if self.independent else max(half, DoubtedMean(own, fewest=FEWEST).half_width(confidence))


def shared_noise(columns: Array, *, independent: bool) -> SharedNoise:
    """The noise of columns [points, replicates], at least two of them complete."""
    columns = columns[:, np.isfinite(columns).all(axis=0)]
    count = columns.shape[1]
    return SharedNoise(columns.var(axis=1, ddof=1) / count, float(count - 1), columns, independent)


def share_along_axis(x: Array, columns: Array, levels: SharingLevels = MAY_SHARE) -> bool:
    """Whether columns [points, replicates] share something along the axis that moves their slopes, by three tests.

    Points without a number in every column are left out; too few of them, or a single column, show nothing.
    """
    complete = np.isfinite(columns).all(axis=1)
    if not complete.all():
        x, columns = x[complete], columns[complete]
    if columns.shape[1] < 2 or len(x) < MIN_COMPLETE or x.min() == x.max():
        return False
    centred = x - x.mean()
    slope = centred / (centred @ centred)
    own = columns - columns.mean(axis=1, keepdims=True)
    left = own - own.mean(axis=0) - centred[:, None] * (slope @ own)
    return _are_shared(own, left, 1 / len(x) + slope * centred, slope, levels)


def share_over_design(design: Array, slope: Array, columns: Array, levels: SharingLevels = MAY_SHARE) -> bool:
    """The same for a slope in a plane.

    Args:
        design: of the plane, its first column constant. [points, parameters]
        slope: coefficients of the slope in question. [points]
        columns: complete. [points, replicates], at least two
    """
    projection = design @ np.linalg.pinv(design)
    own = columns - columns.mean(axis=1, keepdims=True)
    return _are_shared(own, own - projection @ own, np.diag(projection), slope, levels)


def how_shared(declared: str, is_told: Callable[[SharingLevels], bool], along: str = "the axis") -> str:
    """What is said of columns whose interval is widened: as declared, or how seldom independent ones look so.

    A test never says that they share data: of many lines of independent trials it is met by some.
    """
    if declared:
        return f"replicates {declared} along {along}"
    if is_told(DO_SHARE):
        return f"replicates look as if they shared data along {along} (of independent ones one set in 100 does)"
    return f"replicates may share data along {along} (of independent ones one set in 20 looks so)"


def _are_shared(own: Array, left: Array, leverage: Array, slope: Array, levels: SharingLevels) -> bool:
    """The three tests, on columns less their points' means, and on what their own lines leave of them."""
    if _follow_one_another(own, levels.serial):
        return True
    parts = (own.shape[1] - 1) * np.maximum(1 - leverage, 1e-12)
    noise = Noise(np.sum(left**2, axis=1) / parts, parts)
    level = np.full(len(own), 1 / len(own))
    return _scatter_more(slope, own, noise, levels.slope) or _scatter_more(level, own, noise, levels.common)


def _follow_one_another(own: Array, level: float) -> bool:
    """Whether what a column errs by at one point, it tends to err by at the next."""
    products, squares = float(np.sum(own[:-1] * own[1:])), np.sum(own**2, axis=1)
    variance = float(squares[:-1] @ squares[1:]) / (own.shape[1] - 1)
    return products > float(special.ndtri(1 - level)) * math.sqrt(variance)


def _scatter_more(combination: Array, own: Array, noise: Noise, level: float) -> bool:
    """Whether the columns' values of a combination of points scatter more than `noise` of single samples explains."""
    values = combination @ own
    above = float(len(values) - 1)
    expected = max(noise.standard_error(combination) ** 2, MIN_SPREAD**2 * float(combination @ combination))
    ratio = float(values @ values) / above / expected
    # No quantile of F is that small at these levels: most columns need no table.
    return ratio > 1 and ratio > float(special.fdtri(above, noise.freedom_of(combination), 1 - level))


# ----------------------------------------------------------------------------------------------- the exponent of a mean


MIN_SHIFT_REPLICATES = 3
"""Replicates from which a variance says anything."""

SHIFT_LEVEL = 0.02
"""Two-sided level at which a slope of the variance is told from none; a pretest, so not the policy's."""

KIND_LEVEL = 0.0025
"""Level of the test whether all runs are of one kind; a pretest, so not the policy's. Of 140
runs, one in twenty of another kind, it sees 95 % of sets; at 1 % it cost one straight line in sixty its verdict."""

OWN_SPREAD_REPLICATES = 20
"""Replicates from which one run of another kind still lies far out in units of its own point's spread: of n runs the
farthest lies at most (n - 1) / sqrt(n) of them from the mean."""

KIND_DRAWS = 2000
"""Normal draws from which the largest kurtosis of one kind is taken (a Monte Carlo test): 5 of them exceed it."""

MIN_CARRIERS = 10
"""Runs of a kind at a point from which the error of a mean that they carry is taken from what leaving one out changes.
Their number is then known to a third; of one or two, whether there will be any at the next point is not known."""

UNSEEN_RUNS = 4
"""Runs of a kind that a point may be expected to have where one was seen, or none: at least 4 would show none, or one,
in one experiment of ten."""

MAX_FAR = 500.0
"""Distance, in logarithms, beyond which its exponential is taken to be that of this."""

TREND_STEPS = 30
"""Of Fisher's scoring for a trend of variances: the likelihood has one maximum, and each step closes in on it."""

MANY_RUNS = 2000
"""Runs beyond which the kurtosis of normal noise is taken as normal."""


@dataclass(frozen=True)
class MeanShift:
    """What the means add to a slope of log means, and its error; `of_kinds` where runs are of several kinds.

    `is_told` says whether it is told from 0. `error_of` gives the error that so many times as many replicates of these
    kinds would leave; None where it falls as the root of that factor.
    """

    slope: float
    error: float
    of_kinds: bool = False
    error_of: Callable[[float], float] | None = None
    is_told: bool = True

    def clause(self, rule: DeltaRule, slope: float, words: str = "") -> Clause:
        """What the mean's exponent does where log means have this residual slope; `words` say what would decide."""
        delta, moved = rule.delta(slope), rule.delta(slope + self.slope)
        said = f"log means are judged; {self.why}, and E[.] would have Delta = {moved:+.3g}"
        return Clause(Topic.MEAN, f"{said}{words}", {"delta": delta, "delta_of_mean": moved})

    @property
    def why(self) -> str:
        """What moves the means."""
        if self.of_kinds:
            return "some runs are of another kind"
        return f"their noise {'moves' if self.is_told else 'may move'} along the axis"

    def interval(self, slope: float, interval: IntervalAt, level: float) -> Interval:
        """The interval of the means' slope, with the errors of both slopes, where log means have this one."""
        own, quantile = interval(level), float(special.ndtri(0.5 + level / 2))
        low, high = (math.hypot(end - slope, quantile * self.error) for end in (own.low, own.high))
        return Interval(slope + self.slope - low, slope + self.slope + high)

    def moves(self, rule: DeltaRule, verdict: Verdict, slope: float, interval: IntervalAt) -> bool:
        """Whether the mean, with the error of both slopes, would not get the verdict of log means."""
        of_mean = rule.of_delta(functools.partial(self.interval, slope, interval))
        if rule.decide(of_mean) is not verdict:
            return True
        is_apart = rule.is_apart(verdict, rule.delta(slope), rule.of_delta(interval))  # then that is said
        return not is_apart and rule.is_apart(verdict, rule.delta(slope + self.slope), of_mean)


def mean_shift(coefficients: Array, columns: Array) -> MeanShift | None:
    """The shift from log means to means along the axis; None where it is not told from 0.

    Args:
        coefficients: of the line's slope. [points]
        columns: log(measured / claim), NaN where a row has ended. [points, replicates]
    """
    freedom = np.isfinite(columns).sum(axis=1) - 1.0
    if freedom.min() < MIN_SHIFT_REPLICATES - 1:
        return None
    if has_other_kinds(coefficients, columns):
        return _shift_of_means(coefficients, columns)
    variance = np.nanvar(columns, axis=1, ddof=1)
    even = float(variance.mean()) * math.sqrt(0.5 * float(coefficients**2 @ (1 / freedom)))
    slope, error = _shift_of_variances(coefficients, columns)
    return MeanShift(slope, error) if abs(slope) > float(special.ndtri(1 - SHIFT_LEVEL / 2)) * even else None


def possible_shift(coefficients: Array, columns: Array) -> MeanShift:
    """The same for a claim that speaks of means: where the shift is not told from 0, its error counts all the same."""
    untold = MeanShift(*_shift_of_variances(coefficients, columns), is_told=False)
    return mean_shift(coefficients, columns) or untold


def _shift_of_variances(coefficients: Array, columns: Array) -> tuple[float, float]:
    """The slope of half the variances of log values, and its error.

    Points whose variance came out small have a small error by chance, and would say that the slope is known: so the
    error is also that of variances that follow a trend, and the larger one counts.
    """
    freedom = np.isfinite(columns).sum(axis=1) - 1.0
    own = freedom > 0
    coefficients, freedom = coefficients[own], freedom[own]
    variance = np.nanvar(columns[own], axis=1, ddof=1)
    likely = _trend_of_variances(coefficients, variance, freedom)
    error = max(math.sqrt(0.5 * float(coefficients**2 @ (each**2 / freedom))) for each in (variance, likely))
    return 0.5 * float(coefficients @ variance), error


def _trend_of_variances(place: Array, variance: Array, freedom: Array) -> Array:
    """Variances whose logarithm is straight in `place`, by their likelihood: each is a multiple of chi-square.

    Args:
        place: where the points lie, such as the coefficients of a slope. [points]
    """
    pooled = float(freedom @ variance) / float(freedom.sum())
    if not pooled > 0:
        return variance
    design = np.column_stack([np.ones_like(place), place / np.abs(place).max()])
    bread = np.linalg.pinv((design.T * freedom) @ design)
    found, fitted = np.array([math.log(pooled), 0.0]), np.full(len(place), pooled)
    for _ in range(TREND_STEPS):
        step = bread @ (design.T @ (freedom * (variance / fitted - 1)))
        found = found + np.clip(step, -1.0, 1.0)
        fitted = np.exp(design @ found)
    return fitted


def _shift_of_means(coefficients: Array, columns: Array) -> MeanShift:
    """The same from the means themselves, whatever the noise follows.

    A point at which no run of a rare kind was seen may have had one: every error is that of the worst point. Where
    fewer than `MIN_CARRIERS` runs carry a mean, how many there will be at the next point is not known either: it is
    then by how much the slope moves if all points on one side have `UNSEEN_RUNS` of them as far above the others as the
    farthest, or as far below: those take off no more than their share, however small they are.
    """
    shifts, variances, carriers = np.array([_log_of_mean(row[np.isfinite(row)]) for row in columns]).T
    apart = columns - np.nanmedian(columns, axis=1, keepdims=True)
    farthest, lowest = min(float(np.nanmax(apart)), MAX_FAR), float(np.nanmin(apart))
    count = int(np.isfinite(columns).sum(axis=1).min())

    def error_of(more: float) -> float:
        if carriers.min() * more >= MIN_CARRIERS:
            return math.sqrt(float(coefficients @ coefficients * variances.max()) / more)
        share = min(UNSEEN_RUNS / (count * more), 0.5)
        above = np.log1p(share * np.expm1(farthest))
        below = -np.log1p(share * np.expm1(lowest))  # no more than runs of 0 take off
        return float(max(above, below) * np.maximum(coefficients, 0.0).sum())

    return MeanShift(float(coefficients @ shifts), error_of(1.0), of_kinds=True, error_of=error_of)


def _log_of_mean(row: Array) -> tuple[float, float, float]:
    """log E[y] less E[log y] of one point, its variance by leaving one run out each [Miller 1974], and its carriers.

    Its carriers are as many runs as would, equal to each other, carry the variance: the number over the kurtosis.
    """
    count, top = len(row), float(row.max())
    share = np.exp(row - top)
    whole = top + math.log(float(share.mean())) - float(row.mean())
    squares = (share - share.mean()) ** 2
    fourth = float(squares @ squares)
    carriers = float(squares.sum()) ** 2 / fourth if fourth > 0 else float(count)
    return whole, _of_leaving_out(_means_without(row) - (row.sum() - row) / (count - 1)), carriers


def _variance_of_mean(row: Array) -> float:
    """The variance of log E[y] itself, in the same way: that of what it differs from E[log y] by is much smaller."""
    return _of_leaving_out(_means_without(row))


def _means_without(row: Array) -> Array:
    """Logarithm of the mean of all runs but each in turn, of their logarithms. [replicates]"""
    top = float(row.max())
    share = np.exp(row - top)
    return top + np.log(np.maximum(share.sum() - share, 1e-300) / (len(row) - 1))


def _of_leaving_out(left_out: Array) -> float:
    """The variance of an estimate from its values with one run left out each [Miller 1974]."""
    count = len(left_out)
    return (count - 1) / count * float(np.sum((left_out - left_out.mean()) ** 2))


def has_other_kinds(coefficients: Array, columns: Array) -> bool:
    """Whether the runs lie farther from their points' means than those of one normal kind do, by their kurtosis.

    Noise that grows or falls along the axis is one kind: residuals are taken in units of their spread.

    Args:
        coefficients: of the line's slope. [points]
        columns: on the log scale, NaN where a row has ended. [points, replicates]
    """
    counts = tuple(np.isfinite(columns).sum(axis=1).tolist())
    place = tuple((coefficients / np.abs(coefficients).max()).round(9).tolist())
    return bool(_kurtosis(columns, np.array(place)) > _largest_kurtosis(counts, place))


def _kurtosis(columns: Array, place: Array) -> Array:
    """Of residuals over their spread, a point's own or its trend along the axis. [..., points, replicates] -> [...]"""
    own = columns - np.nanmean(columns, axis=-1, keepdims=True)
    variance = np.nanmean(own**2, axis=-1)
    spread = np.log(np.maximum(variance, np.maximum(1e-6 * variance.max(axis=-1, keepdims=True), 1e-300)))
    if columns.shape[-1] < OWN_SPREAD_REPLICATES:
        spread = (spread @ place / (place @ place))[..., None] * place
    own = own * np.exp(-0.5 * spread)[..., None]
    squares, total = np.nansum(own**2, axis=(-2, -1)), np.isfinite(own).sum(axis=(-2, -1))
    return total * np.nansum(own**4, axis=(-2, -1)) / np.maximum(squares**2, 1e-300)


@functools.lru_cache(maxsize=256)
def _largest_kurtosis(counts: tuple[int, ...], place: tuple[float, ...]) -> float:
    """What normal residuals of so many replicates a point exceed at `KIND_LEVEL`, from draws of a fixed seed."""
    total = sum(counts)
    if total > MANY_RUNS:  # normal, with the variance of a kurtosis
        return 3 + float(special.ndtri(1 - KIND_LEVEL)) * math.sqrt(24 / total)
    draws = np.random.default_rng(0).standard_normal((KIND_DRAWS, len(counts), max(counts)))
    draws[:, np.arange(max(counts)) >= np.array(counts)[:, None]] = np.nan
    return float(np.quantile(_kurtosis(draws, np.array(place)), 1 - KIND_LEVEL))


# ---------------------------------------------------------------------------------------------------------- all of them


@dataclass(frozen=True, eq=False)
class LineSamples:
    """Replicates on the log scale, as a line's points were made of them.

    Attributes:
        x: log axis, signed toward the limit. [points]
        log_ratio: log(measured / claim); inf where cut off above `log_limit`, -inf below `log_limit_low`, NaN where a
            row has ended. [points, replicates]
        log_limit: log(limit / claim); None where nothing was cut off above it. [points]
        log_limit_low: the same below. [points]
        paired: column j is known to share data along the axis.
        checkpoints: whether a column is one run looked at along the axis; None where nobody said.
        estimand: what the claim speaks of; None where nobody said.
    """

    x: Array
    log_ratio: Array
    log_limit: Array | None = None
    log_limit_low: Array | None = None
    paired: bool = False
    checkpoints: bool | None = None
    estimand: Estimand | None = None

    @property
    def is_censored(self) -> bool:
        """Whether any run was cut off."""
        return bool(np.isinf(self.log_ratio).any())

    @property
    def may_be_one_run(self) -> bool:
        """Whether all points may be looks at one run: one sample each, and nobody said that each is a run."""
        return self.log_ratio.shape[1] == 1 and self.checkpoints is not False and not self.is_censored

    @property
    def cut_off(self) -> NDArray[np.bool_]:
        """Which runs were cut off above their limit."""
        return np.isposinf(self.log_ratio)

    @property
    def limit(self) -> Array:
        """`log_limit`, infinite where there is none. [points]"""
        return np.full(len(self.x), math.inf) if self.log_limit is None else self.log_limit


def with_shared_noise(line: Line, samples: LineSamples) -> tuple[Line, Clause | None]:
    """The line with the noise between columns where replicates share data along the axis, and a clause that says so."""
    if samples.may_be_one_run:
        return _as_one_run(line, samples)
    count = samples.log_ratio.shape[1]
    if not samples.is_censored:
        count = int(np.isfinite(samples.log_ratio).all(axis=0).sum())
    declared = samples.paired or bool(samples.checkpoints)
    if count < 2 or not (declared or share_along_axis(samples.x, samples.log_ratio)):
        return line, None
    if samples.is_censored:
        error, how = _jackknife_error(samples), " by leaving one out"
        shared = _no_narrower(line, _about(line.slope, lambda confidence: t_quantile(count - 1, confidence) * error))
    else:
        noise = shared_noise(samples.log_ratio, independent=declared)
        how = "" if declared or count < FEWEST[0] else ", wider since neighbouring ones may share it too"
        error = noise.standard_error(line.coefficients)
        shared = replace(line, noise=(*line.noise, noise), _intervals={})
    said = "are runs looked at" if samples.checkpoints else "are paired" if samples.paired else ""
    seen = how_shared(said, functools.partial(share_along_axis, samples.x, samples.log_ratio))
    words = f"{seen}: the interval is that of {count} slopes, one each, standard error"
    return shared, Clause(Topic.SHARED_RUNS, f"{words} {error:.2g}{how}", {"slopes": count, "standard_error": error})


def _as_one_run(line: Line, samples: LineSamples) -> tuple[Line, Clause | None]:
    """The line with the noise of looks at one run, whose errors follow one another."""
    noise = serial_noise(samples.x, samples.log_ratio[:, 0])
    if noise is None:
        return line, None
    said = "" if samples.checkpoints else "; where each is a run of its own, say so (--independent, checkpoints=False)"
    words = f"one run a point, taken as looks at one run whose errors follow one another{said}"
    error = noise.standard_error(line.coefficients)
    return with_serial_noise(line, noise), Clause(Topic.SHARED_RUNS, words, {"standard_error": error})


def with_serial_noise(line: Line, noise: SerialNoise | None) -> Line:
    """The line with an interval no narrower than errors that follow one another along the axis make it."""
    if noise is None:
        return line
    return _no_narrower(line, _about(line.slope, functools.partial(noise.half_width, line.coefficients)))


def _jackknife_error(samples: LineSamples) -> float:
    """Standard error of the slope from fits that leave one column out each [Miller 1974]; infinite below three."""
    count = samples.log_ratio.shape[1]
    if count < 3:
        return math.inf
    limits = samples.log_limit, samples.log_limit_low
    rest = [np.delete(samples.log_ratio, column, axis=1) for column in range(count)]
    lines = [fit_line(points_from_samples(samples.x, left, *limits)) for left in rest]
    slopes = np.array([math.nan if line is None else line.slope for line in lines])
    error = math.sqrt((count - 1) / count * float(np.sum((slopes - slopes.mean()) ** 2)))
    return error if math.isfinite(error) else math.inf


def _no_narrower(line: Line, within: IntervalAt) -> Line:
    """The line with an interval that reaches at least as far on either side."""

    def interval(confidence: float) -> Interval:
        own, other = line.interval(confidence), within(confidence)
        return Interval(min(own.low, other.low), max(own.high, other.high))

    return replace(line, _profile=interval, _intervals={})


def _about(slope: float, half_width: Callable[[float], float]) -> IntervalAt:
    """The interval of so large a half-width about a slope."""
    return lambda confidence: Interval(slope - half_width(confidence), slope + half_width(confidence))


def judged_as_means(
    points: Points, line: Line, samples: LineSamples, rule: DeltaRule
) -> tuple[Points, Line, Clause | None]:
    """Points and line of the means, where the claim speaks of them.

    The interval is the one of their line, no narrower than that of the slope of log means with the shift from these to
    means: runs of a kind that a point has not shown are in that alone, and so is how little few runs say of a noise
    that moves along the axis. Where it does so is not told, but not excluded either: its error counts all the same.
    """
    if samples.estimand is not Estimand.MEAN or samples.is_censored or not points.freedom.any():
        return points, line, None
    shift = possible_shift(line.coefficients, samples.log_ratio)
    rows = [row[np.isfinite(row)] for row in samples.log_ratio]
    shifts = np.array([_log_of_mean(row)[0] for row in rows])
    variance = np.array([_variance_of_mean(row) for row in rows])
    points = replace(
        points, y=points.y + shifts, variance=variance, weight_variance=np.full(len(shifts), variance.mean())
    )
    fitted = fit_line(points)
    if fitted is None:
        return points, line, None
    shared = tuple(noise for noise in line.noise if isinstance(noise, SharedNoise))
    fitted = replace(fitted, noise=(*fitted.noise, *shared))
    delta, moved = rule.delta(line.slope), rule.delta(fitted.slope)
    words = f"means are judged: {shift.why}, and log means have Delta = {delta:+.3g}"
    clause = Clause(Topic.MEAN, words, {"delta": moved, "delta_of_log_means": delta})

    def within(confidence: float, more: float = 1.0) -> Interval:
        error = shift.error / math.sqrt(more) if shift.error_of is None else shift.error_of(more)
        return replace(shift, error=error).interval(line.slope, _narrowed(line, more), confidence)

    def narrowing(more: float, confidence: float) -> float:
        own, of_shift = _narrowed(fitted, more)(confidence), within(confidence, more)
        half_width = max(fitted.slope - of_shift.low, of_shift.high - fitted.slope)
        return max((own.high - own.low) / 2, half_width)

    of_means = replace(_no_narrower(fitted, within), narrowing=narrowing)
    is_same = rule.decide(rule.of_delta(line.interval)) is rule.decide(rule.of_delta(of_means.interval))
    return points, of_means, None if is_same and not shift.is_told else clause


def _narrowed(line: Line, more: float) -> IntervalAt:
    """The line's interval of a slope, at so many times as many replicates, by the root of their number."""

    def interval(confidence: float) -> Interval:
        found, root = line.interval(confidence), math.sqrt(more)
        return Interval(line.slope - (line.slope - found.low) / root, line.slope + (found.high - line.slope) / root)

    return interval


def doubt_and_note(
    samples: LineSamples, line: Line, rule: DeltaRule, verdict: Verdict
) -> tuple[Clause | None, Clause | None]:
    """Why the samples do not carry a decided verdict, with what would decide, and what to know of them beside it."""
    if short := short_of_a_mean(samples.log_ratio, samples.estimand, verdict):
        return short, None
    if samples.may_be_one_run:
        return None, None
    if samples.log_ratio.shape[1] == 1:
        return None, Clause(Topic.REPLICATION, "one run a point: the noise is known from residuals alone")
    if samples.is_censored:
        return (None if verdict is Verdict.INCONCLUSIVE else _doubt_of_censored(samples, rule, verdict)), None
    is_of_means = samples.estimand is Estimand.MEAN  # then the line is that of the means
    shift = None if is_of_means else mean_shift(line.coefficients, samples.log_ratio)
    if shift is None:
        return None, None
    binds = samples.estimand is None and verdict is not Verdict.INCONCLUSIVE
    if not (binds and shift.moves(rule, verdict, line.slope, line.interval)):
        return None, None if shift.of_kinds else shift.clause(rule, line.slope)
    return shift.clause(
        rule, line.slope, "; a claim about means is judged where the noise is small or does not move"
    ), None


def short_of_a_mean(columns: Array, estimand: Estimand | None, verdict: Verdict) -> Clause | None:
    """Why so many runs carry no verdict on a mean, where that is what the claim speaks of.

    Args:
        columns: on the log scale, infinite where a run was cut off, NaN where a row has ended. [points, replicates]
        estimand: what the claim speaks of; None where nobody said.
        verdict: what the rule says; an undecided one needs no doubt.
    """
    if estimand is not Estimand.MEAN or verdict is Verdict.INCONCLUSIVE:
        return None
    if np.isinf(columns).any():
        return Clause(Topic.MEAN, "runs were cut off, and nobody knows their mean: a higher limit would tell")
    runs = int(np.isfinite(columns).sum())
    if runs >= RUNS_OF_A_MEAN:
        return None
    words = f"{unseen_kinds(runs)}; {RUNS_OF_A_MEAN} runs would speak of it"
    return Clause(Topic.MEAN, words, {"runs": runs, "needed": RUNS_OF_A_MEAN})


def of_typical_run(columns: Array, estimand: Estimand | None) -> Clauses:
    """What a verdict on so many runs does not reach: kinds of runs that they need not show.

    So few speak of a typical run alone, where nobody said what the claim speaks of; of a mean no number speaks wholly.
    Values that were computed without chance have no other kinds. One run a point, which may be such a value, and which
    identical replicates count as, does not tell.
    """
    runs = int((np.isfinite(columns) | np.isinf(columns)).sum())
    if estimand is Estimand.MEAN:
        return (Clause(Topic.MEAN, unseen_kinds(runs), {"runs": runs}),)
    if estimand is not None or runs >= RUNS_OF_A_MEAN:
        return ()
    typical = "of a typical run, if chance is in it" if columns.shape[1] == 1 else "of a typical run"
    return (Clause(Topic.MEAN, f"{typical}: {unseen_kinds(runs)}", {"runs": runs}),)


def _doubt_of_censored(samples: LineSamples, rule: DeltaRule, verdict: Verdict) -> Clause | None:
    """Why censored runs do not carry a decided verdict."""
    if np.isneginf(samples.log_ratio).any():
        return None  # runs cut off below as well: what arrived says nothing of either limit alone
    runs = arrived(samples.log_ratio, samples.limit)
    if runs is None:
        return None
    if words := never_arriving(runs, samples.cut_off.sum(axis=1)):
        return Clause(
            Topic.MIXTURE,
            f"{words}: some never arrive, or noise is larger where runs are cut off; a higher limit would tell, "
            "and a claim about runs that arrive is judged on those alone",
        )
    trend, errors = spread_trend(samples.x, samples.log_ratio, samples.limit)
    if abs(errors) < TREND:
        return None
    line = fit_line(points_with_trend(samples.x, samples.log_ratio, samples.limit, trend))
    moved = "no line"
    if line is not None:
        interval = rule.of_delta(line.interval)
        if rule.decide(interval) is verdict:
            return None
        moved = f"Delta = {rule.delta(line.slope):+.3g} {interval(rule.confidence)}"
    words = (
        f"the noise moves along the axis (log spread by {trend:+.2g} per unit of log axis, {abs(errors):.1f} standard "
        f"errors), and with it the runs that were cut off give {moved}; a higher limit would decide"
    )
    return Clause(Topic.SPREAD, words, {"trend": trend, "standard_errors": errors})
