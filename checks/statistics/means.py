"""Intervals of a mean: of bounded samples by betting, of all others by t with what skewness does to it.

*Means.* No interval of a mean is valid for samples of any kind: one value in a million may carry the mean, and no
sample of twenty shows it [Bahadur and Savage 1956]. Two things can be done about it.

*Where the quantity is bounded by its meaning* (a loss between 0 and 1, a count of at most n) the range is stated, and
the interval is valid whatever the samples follow: the mean is refuted by betting against it [Waudby-Smith and Ramdas
2024]. Samples that all lie at the two ends are counts and have the exact binomial interval.

*Without a range* the t interval is joined with Hall's, which takes the skewness of the samples into account [Hall
1992]; the wider end counts. Samples so skewed that their mean is not yet near normal leave the end open on the side of
the long tail, because there the mean itself depends on values that were not drawn. Skewness is measured twice: by the
third moment, which a few drawn values of the tail carry, and by L-moments, which show it in the body of the samples
where the tail was not drawn [Hosking 1990]; the larger counts. Samples that are all equal say nothing of their scatter,
and fewer than `MIN_REPLICATES` nothing of their tails.

*Evidence without noise.* A simulator's replicates may all say the same at every point. Twenty equal samples at one
point say nothing of how the twenty-first may differ: a rare 1 among zeros is not ruled out. But where all replicates of
every point agree to rounding, while the points differ from each other, what is measured is a function of the point, and
a replicate is that number again. Claims are then exact statements over the points measured: a bound is met or passed
there by numbers known to rounding, and no number of further replicates says more.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from checks.statistics.arguments import finite_rows
from checks.statistics.estimates import exact_interval
from checks.statistics.explanation import Clause, Topic
from checks.statistics.policy import ErrorPolicy
from checks.statistics.regression import Array, t_quantile
from checks.statistics.serial_noise import DoubtedMean, OrderedMean, alike_in_order
from checks.statistics.verdict import Interval, Judgement, Verdict

# ---------------------------------------------------------------------------------------------- samples without a range


MIN_REPLICATES = 20
"""Samples at a point without which their mean carries no verdict where no range is stated."""

RARE_KIND = 0.05
"""Share of runs from which on a kind of its own should show itself before a verdict speaks of a mean."""

RUNS_OF_A_MEAN = math.ceil(math.log(0.05) / math.log(1 - RARE_KIND))
"""Runs in all, 59, of which at least one is of such a kind with 95 %."""

_SAME = 1e-12
"""Samples that scatter by less than this, relative to their mean, are equal: what is left is rounding."""

TAIL_FACTOR = 1.5
"""Few samples show less skewness than they have: at most the root of their number, and about two thirds of that of an
exponential or lognormal truth. Without the factor, 20 lognormal samples (sd 1) miss their mean above in 10 % instead
of 7 % of experiments. Intervals at 99 % with it hold the mean of 20 such samples in 99.4 % of them."""

L_SKEWNESS_SCALE = 4.4
"""Ratio of the two measures of skewness, moments over L-moments: in twenty normal samples they then scatter alike."""

_STAKES = 0.5 ** np.arange(6)
"""Shares of its capital that a gambler puts on each sample: the bets are averaged, so no order of samples matters."""


ALIKE = "samples recorded one after the other are alike, as of one chain or batch: the interval allows for it"
"""What a reason says of samples whose order shows."""

RUNS_OF_THEIR_OWN = "{} if each is a run of its own: say so where it is (--independent, independent=True)"
"""What a reason says where the verdict hangs on that."""


def told_of_order(judgement: Judgement, independent: Callable[[], Judgement]) -> Judgement:
    """An open judgement, with what it would be if nobody doubted that samples are runs of their own."""
    if judgement.verdict is not Verdict.INCONCLUSIVE:
        return judgement
    verdict = independent().verdict
    if verdict is Verdict.INCONCLUSIVE:
        return judgement
    return judgement.adding(adequacy=(Clause(Topic.SHARED_RUNS, RUNS_OF_THEIR_OWN.format(verdict)),))


_ON = 0.2
"""Of the half-width of an interval: to pass such a distance takes 25 times as many trials and more."""


def equality_words(what: str, bound: str, narrow: Interval, value: float, claimed: float) -> str:
    """That no number of trials may decide, where what was measured is not told from its bound; "" where it is.

    Args:
        what, bound: what was measured and what it is claimed against, in words.
        narrow: the interval that would have to pass the bound.
        value, claimed: the figure and the bound.
    """
    half, distance = 0.5 * (narrow.high - narrow.low), abs(value - claimed)
    if not math.isfinite(half) or distance > half:
        return ""
    on = f"the {what} lies on {bound}" if distance <= _ON * half else f"so many if the {what} lies where it was seen"
    return f"{on}: where the bound is met with equality no number decides"


def skew_limit(count: int) -> float:
    """Skewness over the root of the count beyond which no interval is given on the side of the long tail.

    It is what the error of a normal interval is proportional to. At 0.2, lognormal samples of any spread, and Pareto
    ones down to exponent 2.2, miss their mean in at most 5.5 % of experiments instead of 5 % (one-sided). Few normal
    samples exceed 0.2 by chance, hence the second term: with it no more than 1 % do.
    """
    return 0.2 + 48 / count**2


def skewness(samples: Array) -> float:
    """Of samples [replicates], by moments or by L-moments, whichever shows more of it; 0 where they are equal."""
    return SampleMean(samples).skewness


def l_skewness(samples: Array) -> float:
    """Ratio of the third to the second L-moment of samples [replicates, at least 3, not all equal], in (-1, 1).

    The L-moments are unbiased: means of the ordered samples under polynomial weights. [Hosking 1990]
    """
    ordered, count = np.sort(samples), len(samples)
    below = np.arange(count)  # samples below each
    first = float(ordered @ below) / (count * (count - 1))
    second = float(ordered @ (below * (below - 1))) / (count * (count - 1) * (count - 2))
    mean = float(ordered.sum()) / count
    scale = 2 * first - mean
    return (6 * second - 6 * first + mean) / scale if scale > 0 else 0.0


class SampleMean:
    """The mean of samples [replicates] without a stated range, and its interval at any confidence.

    Args:
        samples: in the order of recording, at least one.
        alike: whether those recorded one after the other are alike (`checks.statistics.serial_noise`).
        independent: whether each is a run of its own; else they may be of one chain, or of batches.

    Attributes:
        skewness: as `skewness`: the larger of two measures.
        is_alike: whether the order of recording shows in them.
        heaviest: share of the squares about the mean that one of them has.
    """

    def __init__(self, samples: Array, *, alike: bool = False, independent: bool = True) -> None:
        self.count = len(samples)
        self.is_alike = alike and self.count > 2
        self._in_order = OrderedMean(samples) if self.is_alike else None
        self._doubted = None if independent else DoubtedMean(samples)
        self.value = float(samples.sum()) / self.count
        centred = samples - self.value
        variance = float(centred @ centred) / self.count
        spread = math.sqrt(variance)
        self.heaviest = float((centred**2).max()) / (variance * self.count) if variance else 0.0
        self.is_constant = self.count < 2 or spread <= _SAME * abs(self.value)
        self.error = spread / math.sqrt(self.count - 1) if self.count > 1 else math.inf
        self.skewness = self._body = 0.0
        if not self.is_constant and self.count > 2:
            unit = centred / spread
            moments = float(unit * unit @ unit) / self.count
            most = (self.count - 2) / math.sqrt(self.count - 1)  # that so many samples can show by their moments
            self._body = l_skewness(samples)
            of_body = min(max(L_SKEWNESS_SCALE * self._body, -most), most)
            self.skewness = max(moments, of_body, key=abs)

    @property
    def is_shown(self) -> bool:
        """Whether the samples are more skewed, by L-moments, than `SHOWN_LEVEL` of normal ones."""
        return self.count > _SHAPED[1] or abs(self._body) > _of_normal(self.count).skewed

    @property
    def widening(self) -> float:
        """Times as wide as of independent samples the interval is where neighbours are alike, at least 1."""
        return 1.0 if self._in_order is None else math.sqrt(self._in_order.inflation)

    @property
    def open_side(self) -> int:
        """1 where the samples are too skewed to bound their mean above, -1 where below, 0 where in neither way."""
        too_skewed = abs(self.skewness) > skew_limit(self.count) * math.sqrt(self.count)
        return int(math.copysign(1, self.skewness)) if too_skewed else 0

    def interval(self, confidence: float) -> Interval:
        """As `closed`, but an end is infinite where the samples are too skewed to bound their mean."""
        closed, side = self.closed(confidence), self.open_side
        if side == 0:
            return closed
        return Interval(-math.inf, closed.high) if side < 0 else Interval(closed.low, math.inf)

    def closed(
        self,
        confidence: float,
        *,
        tail_factor: float = TAIL_FACTOR,
        widest: float = math.inf,
        stays: bool = False,
        shown_from: float = math.inf,
    ) -> Interval:
        """The wider of t and Hall's interval at either end, and of serial noise where neighbours are alike.

        Unbounded where the samples are equal.

        Args:
            tail_factor: on the skewness that the samples show.
            widest: distance of an end from the mean, in those of the t interval, beyond which Hall's is not followed.
            stays: Hall's expansion brings an end back where the skewness is large; with this it stays where it was
                furthest out, so that more skewness never gives a narrower interval.
            shown_from: number of samples from which on skewness counts only where it `is_shown`.
        """
        if self.is_constant:
            return Interval(-math.inf, math.inf)
        quantile = t_quantile(self.count - 1, confidence)
        low, high = -quantile, quantile
        if self.skewness and (self.count < shown_from or self.is_shown):
            count = self.count
            unbiased = self.skewness * math.sqrt(count * (count - 1)) / (count - 2)
            slope = tail_factor * unbiased / math.sqrt(count)
            if stays and abs(slope) > (most := _turning_slope(quantile)):
                slope = math.copysign(most, slope)
            of_tail = min(low, -_skewed(quantile, slope)), max(high, -_skewed(-quantile, slope))
            low, high = max(of_tail[0], widest * low), min(of_tail[1], widest * high)
        low, high = low * self.error, high * self.error
        for serial in filter(None, (self._in_order, self._doubted)):
            half = serial.half_width(confidence)
            low, high = min(low, -half), max(high, half)
        return Interval(self.value + low, self.value + high)


def _skewed(quantile: float, slope: float) -> float:
    """The quantile of Student's ratio at a skewness over the root of the count, by the inverse of Hall's cubic."""
    if abs(slope) < 1e-6:  # its limit, where the formula below cancels
        return quantile
    return 3 / slope * (math.cbrt(1 + slope * (quantile - slope / 6)) - 1)


@functools.lru_cache(maxsize=1024)
def _turning_slope(quantile: float) -> float:
    """The skewness over the root of the count at which Hall's end lies furthest out, for a quantile > 0 of t."""
    zero = 2 / (
        math.hypot(quantile, math.sqrt(2 / 3)) + quantile
    )  # where the cube root is 0; the end is furthest soon after
    if zero == 0:
        return math.inf
    found = optimize.minimize_scalar(lambda slope: _skewed(-quantile, slope), bounds=(zero, 3 * zero), method="bounded")
    return float(found.x)


# ---------------------------------------------------------------------------------------------- the typical sample

LEANING_LEVEL, GAP_LEVEL = 0.3, 0.1
"""Shares of normal samples that are taken to lean to one side, and to leave a gap. The first is large: ten exponential
slopes show that they are skewed in two of three experiments only."""
SHOWN_LEVEL = 0.1
"""Share of normal samples whose skewness is taken to be more than chance where a rule asks for that."""
SHOWN_FROM = 14
"""Slopes of seeds, or pairs, from which on skewness widens their interval only where it is shown: 14 lognormal slopes
then miss their mean in 6.4 % of experiments. With 12 they would in 8.6 %: so few show little of the skewness that they
have, and what normal ones show by chance, which costs them half as many again, is the price of those that are
skewed."""
_NORMAL_DRAWS = 2000
_SHAPED = 8, 1000
"""Samples from which their shape says anything, and up to which it is looked at."""


def typical_may_differ(ordered: Array) -> bool:
    """Whether samples lean to one side or leave a gap more than normal ones often do: mean and median may then differ.

    Too few for that to show, and very many, count as if they did.

    Args:
        ordered: samples [replicates], ascending.
    """
    count = len(ordered)
    if not _SHAPED[0] <= count <= _SHAPED[1] or ordered[0] == ordered[-1]:
        return True
    normal = _of_normal(count)
    return abs(l_skewness(ordered)) > normal.leaning or _widest_gap(ordered) > normal.gap


def _widest_gap(ordered: Array) -> float:
    """Between neighbours of ordered samples but those at either end, in spreads; wider gaps are usual near the ends."""
    count, ends = len(ordered), len(ordered) // 5
    below = np.arange(1, count)
    gaps = np.diff(ordered) * np.sqrt(below * (count - below))
    return float(gaps[ends - 1 : count - ends].max() / ordered.std())


class _NormalShape(NamedTuple):
    """What normal samples exceed in L-skewness, at two levels, and in their widest gap."""

    leaning: float
    skewed: float
    gap: float


@functools.lru_cache(maxsize=64)
def _of_normal(count: int) -> _NormalShape:
    """What normal samples exceed in their L-skewness and in their widest gap as often as is said above."""
    draws = np.sort(np.random.default_rng(0).standard_normal((_NORMAL_DRAWS, count)), axis=1)
    leaning, gaps = [abs(l_skewness(row)) for row in draws], [_widest_gap(row) for row in draws]
    levels = np.quantile(leaning, [1 - LEANING_LEVEL, 1 - SHOWN_LEVEL])
    return _NormalShape(float(levels[0]), float(levels[1]), float(np.quantile(gaps, 1 - GAP_LEVEL)))


def median_interval(ordered: Sequence[float], confidence: float) -> Interval:
    """Interval of the median between two order statistics, interpolated to the confidence asked for.

    Where even the smallest and the largest cover it less often, they are the interval: the mean's is then the wider
    one unless the samples are of two kinds.

    Args:
        ordered: samples [replicates], ascending.
    """
    rank, share = median_rank(len(ordered), confidence)
    near = rank + 1 if share else rank
    low = (1 - share) * ordered[rank] + share * ordered[near]
    high = (1 - share) * ordered[-1 - rank] + share * ordered[-1 - near]
    return Interval(low, high)


@functools.lru_cache(maxsize=1024)
def median_rank(count: int, confidence: float) -> tuple[int, float]:
    """Rank from 0 of the lower order statistic that bounds a median, and the share to take of the next one.

    The share is not linear in the coverages: it is exact for Laplace samples and nearly so for all others.
    [Hettmansperger and Sheather 1986]
    """
    ranks = np.arange((count + 1) // 2)
    covered = 1 - 2 * special.bdtr(ranks, count, 0.5)
    enough = ranks[covered >= confidence]
    if not len(enough) or enough[-1] == ranks[-1]:
        return 0 if not len(enough) else int(enough[-1]), 0.0
    rank = int(enough[-1])
    part = (covered[rank] - confidence) / (covered[rank] - covered[rank + 1])
    nearest = rank + 1  # counted from 1, as in the paper
    return rank, float((count - nearest) * part / (nearest + (count - 2 * nearest) * part))


# -------------------------------------------------------------------------------------------------- a stated range


def bounded_interval(samples: Array, bounds: tuple[float, float], confidence: float) -> Interval:
    """Interval of the mean of samples [replicates] that cannot leave `bounds`, valid whatever they follow.

    The capital of a gambler who puts a share s of it on "the next sample exceeds m" at odds that are fair if m is the
    mean has expectation 1 if it is, so it exceeds 1 / a with probability a at most; means at which it does are
    excluded. The capitals of several s are averaged, since nobody knows the best one beforehand. [Waudby-Smith and
    Ramdas 2024; Orabona and Jun 2024]
    """
    low, high = bounds
    scaled = (samples - low) / (high - low)
    tail = (1 - confidence) / 2
    if np.all((scaled == 0) | (scaled == 1)):
        ends = exact_interval(int(scaled.sum()), len(scaled), confidence)
    else:
        ends = Interval(_least_mean(scaled, tail), 1 - _least_mean(1 - scaled, tail))
    return Interval(low + (high - low) * ends.low, low + (high - low) * ends.high)


def _least_mean(samples: Array, tail: float) -> float:
    """The smallest mean of samples in [0, 1] that bets at one-sided error `tail` do not exclude."""
    values, counts = np.unique(samples, return_counts=True)
    stakes, goal = _STAKES[:, None], math.log(len(_STAKES) / tail)

    def excess(mean: float) -> float:
        with np.errstate(divide="ignore"):
            capital = np.log(1 - stakes + stakes * (values / mean)) @ counts
        return float(np.logaddexp.reduce(capital)) - goal

    # The capital is 1 on average at the sample mean, or less, and grows without bound toward 0.
    high = float(samples.mean())
    if high == 0:
        return 0.0
    low = high / 2
    while excess(low) < 0:
        high, low = low, low / 2
        if low < 1e-12:
            return 0.0
    return float(optimize.brentq(excess, low, high, xtol=1e-12, rtol=1e-9))  # pyrefly: ignore[bad-argument-type]


# ---------------------------------------------------------------------------------------------------- at every point


@dataclass(frozen=True)
class PointMean:
    """What is known of the mean at one point.

    Attributes:
        value: the mean.
        wide: its interval at the confidence shared among the points: decides against a claim.
        narrow: at 1 - 2 (1 - confidence): decides for it.
        count: samples; None where intervals are given.
        missing: what the samples lack, in words; "" where nothing.
        needed: samples that would do away with it.
        is_short: whether they are too few for any verdict, whatever the intervals.
        note: what else to know of them, in words; "" where nothing.
        are_equal: whether there are enough and all are one number, of which more would say no more.
        heaviest: share of the squares about the mean that one sample has; 0 where it is not known.
    """

    value: float
    wide: Interval
    narrow: Interval
    count: int | None = None
    missing: str = ""
    needed: int = 0
    is_short: bool = False
    note: str = ""
    are_equal: bool = False
    heaviest: float = 0.0


Measured = Sequence[Interval] | Sequence[Sequence[float]] | Sequence[np.ndarray] | np.ndarray


def point_means(
    measured: Measured,
    policy: ErrorPolicy,
    bounds: ArrayLike | None,
    *,
    exact: bool = False,
    independent: bool = False,
) -> tuple[list[PointMean], str]:
    """The mean at every point, and the kind of its intervals: "t", "betting" or "given".

    Args:
        measured: samples [points, replicates], or a list of samples for each point; or one `Interval` a point.
        policy: levels of the family of points.
        bounds: range of a single sample, (low, high) for all points or one pair for each [points, 2]; None for none.
        exact: whether samples are numbers without noise, known to rounding: one at each point is enough.
        independent: whether each sample is a run of its own, as in `SampleMean`.

    Raises:
        ValueError: on samples that are not finite or leave their range, on a range without a width, on samples that
            are said to be exact and differ.
    """
    given = [entry for entry in measured if isinstance(entry, Interval)]
    if given and len(given) == len(measured):
        if bounds is not None:
            raise ValueError(f"range must go with samples, got {bounds} with intervals")
        return [PointMean(0.5 * (each.low + each.high), each, each) for each in given], "given"
    rows = finite_rows("measured", measured)
    level, narrow = policy.each_of(len(rows)), policy.equivalence_confidence
    if exact:
        if wrong := [place for place, row in enumerate(rows) if _common(row) is None]:
            raise ValueError(f"measured must agree at each point where it is exact, got others at index {wrong[0]}")
        return [PointMean(float(row[0]), _rounded(row[0]), _rounded(row[0]), note=EXACT) for row in rows], "given"
    if bounds is None:
        if (numbers := without_noise(rows)) is not None:
            return [PointMean(0.5 * (each.low + each.high), each, each, note=NOISELESS) for each in numbers], "given"
        return [
            _of_samples(SampleMean(row, alike=alike, independent=independent), level, narrow)
            for row, alike in zip(rows, alike_in_order(rows), strict=True)
        ], "t"
    found = []
    for row, ends, alike in zip(rows, _ranges(bounds, rows), alike_in_order(rows), strict=True):
        serial = [*([OrderedMean(row)] if alike and len(row) > 2 else []), *([] if independent else [DoubtedMean(row)])]
        wide, tight = (_bounded(row, ends, each, serial) for each in (level, narrow))
        found.append(PointMean(float(row.mean()), wide, tight, len(row), note=ALIKE if alike else ""))
    return found, "betting"


def _bounded(
    row: Array, ends: tuple[float, float], confidence: float, serial: Sequence[OrderedMean | DoubtedMean]
) -> Interval:
    """As `bounded_interval`, joined with what neighbours that share something make of it: bets are on fresh ones."""
    betting = bounded_interval(row, ends, confidence)
    if not serial:
        return betting
    value, half = float(row.mean()), max(each.half_width(confidence) for each in serial)
    return Interval(max(ends[0], min(betting.low, value - half)), min(ends[1], max(betting.high, value + half)))


def _of_samples(mean: SampleMean, level: float, narrow: float) -> PointMean:
    missing, needed = "", 0
    if mean.count < MIN_REPLICATES:
        needed = MIN_REPLICATES
        missing = f"only {mean.count} samples there, and {needed} are needed where no range is stated"
    elif mean.is_constant:
        missing = f"its {mean.count} samples are all equal, which says nothing of their scatter"
    elif mean.open_side:
        needed = max(2 * mean.count, math.ceil((mean.skewness / 0.2) ** 2))
        end, word = ("above", "upward") if mean.open_side > 0 else ("below", "downward")
        missing = (
            f"its samples are skewed {word} (skewness {mean.skewness:+.2g} of {mean.count}), so that their mean is not "
            f"bounded {end}"
        )
    wide, tight = mean.interval(level), mean.interval(narrow)
    note = ALIKE if mean.is_alike else ""
    is_short = mean.count < MIN_REPLICATES
    are_equal = mean.is_constant and not is_short
    return PointMean(mean.value, wide, tight, mean.count, missing, needed, is_short, note, are_equal, mean.heaviest)


def _ranges(bounds: ArrayLike, rows: Sequence[Array]) -> list[tuple[float, float]]:
    """The range of a sample at every point, checked against the samples."""
    pairs = np.asarray(bounds, dtype=float)
    if pairs.shape not in ((2,), (len(rows), 2)):
        raise ValueError(f"range must be (low, high), or one such pair a point ({len(rows)}), got {bounds}")
    pairs = np.broadcast_to(pairs, (len(rows), 2))
    if not np.all(np.isfinite(pairs)) or np.any(pairs[:, 0] >= pairs[:, 1]):
        raise ValueError(f"range must be two finite numbers, low < high, got {bounds}")
    for row, (low, high) in zip(rows, pairs, strict=True):
        if row.min() < low or row.max() > high:
            beyond = row[(row < low) | (row > high)][0]
            raise ValueError(f"range must hold every sample, got {beyond:g} outside [{low:g}, {high:g}]")
    return [(float(low), float(high)) for low, high in pairs]


# ----------------------------------------------------------------------------------------------- evidence without noise


MIN_NOISELESS = 3
"""Points of different values from which equal replicates are no coincidence."""

ROUNDING = 1e-12
"""Relative error of a number that was computed in float64; replicates that differ by less are equal."""

EXACT = "exact numbers: a statement at the points measured"
NOISELESS = "all replicates of every point agree: exact statements at the points measured"


def without_noise(rows: Sequence[Array]) -> list[Interval] | None:
    """The values of evidence without noise, as wide as their rounding; None for any other.

    Args:
        rows: finite samples of each point.
    """
    known = [value for row in rows if len(row) > 1 and (value := _common(row)) is not None]
    if len(known) < len(rows) or len(rows) < MIN_NOISELESS or _different(known) < MIN_NOISELESS:
        return None
    return [_rounded(value) for value in known]


def _rounded(value: float) -> Interval:
    """What a computed number may be."""
    return Interval(float(value - ROUNDING * abs(value)), float(value + ROUNDING * abs(value)))


def _common(row: Array) -> float | None:
    """The value of all replicates of a point; None where they differ."""
    return float(row[0]) if np.ptp(row) <= ROUNDING * np.abs(row).max() else None


def _different(values: Sequence[float]) -> int:
    """How many values differ by more than rounding, counted from the least."""
    ordered = np.sort(values)
    return 1 + int((np.diff(ordered) > ROUNDING * np.abs(ordered[1:])).sum())


# ------------------------------------------------------------------------------------------------- kinds of runs unseen


def unseen_kinds(count: int, units: str = "runs") -> str:
    """What so many runs, or pairs of them, need not show, in words.

    >>> unseen_kinds(20)
    'kinds of runs rarer than one in 7 need not show in 20, and E[.] may rest on them'
    """
    rarest = math.floor(1 / (1 - 0.05 ** (1 / count)))
    if rarest == 1:
        return f"one {units.removesuffix('s')} shows no other, and E[.] may rest on others"
    return f"kinds of {units} rarer than one in {rarest} need not show in {count}, and E[.] may rest on them"
