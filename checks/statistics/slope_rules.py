"""Orders with hidden constants where each seed or window brings a slope of its own, by the Delta rule.

*Slopes.* A curve has local ones over a sliding window, or a rate over a stated window.

*Scatter.* Seeds need not scatter normally: some runs get stuck, some take another course. The interval is that of the
mean slope, with what skewness does to it (`checks.statistics.means`). Where the seeds lean to one side, or leave a gap,
mean and typical seed may be two things. Then the interval of the median slope by order statistics, which asks nothing
of the scatter [Hettmansperger and Sheather 1986], is joined, the wider end counts, and a verdict is right of both. Two
courses of equally many seeds have a mean that none of them follows; their median may be either, and no verdict is given
between them. Where seeds show neither, the median is left out: its interval is a quarter wider and more than half as
many seeds again would be needed.
"""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.arguments import require_positive, require_sign, shown
from checks.statistics.delta_rule import DeltaRule, IntervalAt
from checks.statistics.explanation import (
    NOT_TESTED,
    Adequacy,
    Clause,
    Clauses,
    Measurements,
    NextStep,
    Rule,
    Topic,
    finding,
)
from checks.statistics.means import (
    ALIKE,
    GAP_LEVEL,
    LEANING_LEVEL,
    SampleMean,
    median_interval,
    median_rank,
    typical_may_differ,
)
from checks.statistics.policy import CONFIDENCE, ErrorPolicy, policy_of
from checks.statistics.regression import t_quantile
from checks.statistics.serial_noise import alike_in_order
from checks.statistics.shortage import MIN_POINTS, smallest
from checks.statistics.straightness import late_of_windows
from checks.statistics.verdict import NO_EXPONENTS, Effect, Exponents, Interval, Judgement, Plan, Verdict, delta_sign

# ----------------------------------------------------------------------------------------------------- slopes of curves


def local_slopes(x: ArrayLike, y: ArrayLike, window: int) -> NDArray[np.float64]:
    """Slopes of log y against log x over every `window` consecutive points, in the order of x. [points - window + 1]

    Raises:
        ValueError: where x or y is not positive, x does not increase, or the window does not fit.
    """
    x, y = require_positive("x", x), require_positive("y", y)
    if x.shape != y.shape or np.any(np.diff(x) <= 0):
        raise ValueError(f"x must increase and have the length of y, got lengths {len(x)} and {len(y)}")
    if not 2 <= window <= len(x):
        raise ValueError(f"window must be between 2 and the number of points {len(x)}, got {window}")
    log_x = np.lib.stride_tricks.sliding_window_view(np.log(x), window)
    log_y = np.lib.stride_tricks.sliding_window_view(np.log(y), window)
    centred = log_x - log_x.mean(axis=1, keepdims=True)
    return np.sum(centred * log_y, axis=1) / np.sum(centred**2, axis=1)


def decay_rate(
    t: ArrayLike, y: ArrayLike, *, window: tuple[float, float], burn_in: float = 0.0, exponential: bool = False
) -> NDArray[np.float64]:
    """Slope per seed of log y against log t over the stated fit window; against t itself where `exponential`. [seeds]

    Points are weighted by the stretch of the abscissa they stand for, so that the answer does not depend on how densely
    a curve was recorded in one part of training.

    Args:
        t: times [times], increasing, > 0 within the window.
        y: positive curves [seeds, times], or one curve [times].
        window: first and last time of the fit.
        burn_in: times below it are left out as well.

    Raises:
        ValueError: where fewer than 3 times remain, or a curve is not positive there.
    """
    t, y = np.asarray(t, dtype=float), np.atleast_2d(np.asarray(y, dtype=float))
    if t.ndim != 1 or y.shape[1] != len(t) or np.any(np.diff(t) <= 0):
        raise ValueError(f"t must increase and y be [seeds, times], got shapes {t.shape} and {y.shape}")
    kept = (t > 0) & (t >= max(window[0], burn_in)) & (t <= window[1])
    if kept.sum() < 3:
        raise ValueError(f"window must hold at least 3 times after burn_in {burn_in:g}, got {window} with {kept.sum()}")
    x, log_y = t[kept] if exponential else np.log(t[kept]), np.log(require_positive("y", y[:, kept]))
    weight = np.gradient(x)
    weight = weight / weight.sum()
    centred = x - weight @ x
    return log_y @ (weight * centred) / (weight @ centred**2)


# ---------------------------------------------------------------------------------------------------------------- rules


MIN_SEEDS = 8
"""With six seeds the interval of a median at 95 % is their whole range; with eight one of them may lie outside.

At 99 % the range of eight holds it in 99.2 % of experiments. The joined interval of eight slopes then holds the mean of
exponential ones in 98.1 %, of lognormal ones in 96.9 % (at 95 %: 96.9 and 94.0 %), of 20 lognormal ones in 99.4 %."""
MIN_WINDOWS = 2
"""Windows without which a range of local slopes has no width: `judge_range`, which knows no sampling error."""
_TAIL_FACTOR = 2.0
"""More than for means alone (`checks.statistics.means`), since here no end is left open: the median bounds it too."""
_WIDEST = 2.6
"""Of the mean's interval, in half-widths of t. In ten normal slopes a skewness by chance would otherwise put an end
several times as far, and one true exponent in fifteen would stay undecided."""


def judge_rates(
    slopes: ArrayLike,
    claimed_slope: float,
    *,
    relation: str,
    margin: float,
    sign: int = 1,
    late_slopes: ArrayLike | None = None,
    own_units: bool = False,
    ended: str = "",
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> Judgement:
    """Judge a claimed exponent along an axis inside a trial (time), one fitted slope per independent seed.

    A verdict is withdrawn (finite size) where the curves are no power law over the window in a way that matters, by
    the slope of the later half, `DeltaRule.is_undermined`.

    Args:
        slopes: slope of log measured against log axis [seeds].
        claimed_slope: the claim's slope over the same fit window.
        late_slopes: the same over that half of the window which is nearer to the limit [seeds].
        own_units: set where each slope is in units of itself, as of a claimed rate with a hidden constant: all are then
            equal by construction, which is no lack of scatter, and only late slopes speak against the claim.
        ended: why no trial can go on, in words; "" where longer runs are possible.
        sign: +1 where the claim's limit is at large axis values, -1 where it is at small ones.
        relation, margin, confidence, policy: as in `judge_scaling`.
    """
    rule = DeltaRule(relation, margin, policy_of(confidence, policy))
    require_sign(sign)
    slopes = _finite_slopes(slopes)
    count = len(slopes)
    late_slopes = None if late_slopes is None else _per_seed("late_slopes", late_slopes, count)
    if count < 2:
        return _without_scatter(rule, count)
    mean = SampleMean(sign * slopes, alike=alike_in_order([slopes])[0])
    measured, delta = sign * mean.value, rule.delta(mean.value - sign * float(claimed_slope))
    fixed = own_units and mean.is_constant
    interval = rule.of_delta(_interval(mean, sign * slopes, claimed=sign * float(claimed_slope), fixed=fixed))
    verdict = rule.decide(interval) if count >= MIN_SEEDS else Verdict.INCONCLUSIVE
    plan = None if verdict is not Verdict.INCONCLUSIVE or mean.is_constant else _plan(rule, delta, mean)
    is_tested = verdict is not Verdict.INCONCLUSIVE
    drifts = delta_sign(relation) * sign * (late_slopes - slopes) if late_slopes is not None and is_tested else None
    bend = None if drifts is None else _bend(drifts, rule, verdict, mean, delta)
    judgement = rule.judgement(
        verdict,
        delta=delta,
        interval=interval,
        kind="t",
        sign=sign,
        evidence=Measurements(count, "seeds"),
        adequacy=_adequacy(is_tested, mean),
        next_step=NextStep(plan, "seeds"),
        shortage=() if fixed else _shortage(mean),
        exponents=Exponents(measured, float(claimed_slope)),
    )
    if bend is None:
        return judgement
    longer = Clause(Topic.ROUTE, ended or "longer runs would decide")
    return judgement.withdrawn(Verdict.INCONCLUSIVE, bend).adding(next=(longer,))


def _adequacy(is_tested: bool, mean: SampleMean) -> Adequacy:
    """What was tested of the seeds."""
    found = Adequacy((Topic.STRAIGHTNESS,)) if is_tested else NOT_TESTED
    return replace(found, clauses=(*found.clauses, Clause(Topic.SHARED_RUNS, ALIKE))) if mean.is_alike else found


def _without_scatter(rule: DeltaRule, count: int) -> Judgement:
    """Open, since fewer than two seeds gave a slope."""
    few = Clause(Topic.SHORTAGE, f"{count} seeds gave a slope; at least {MIN_SEEDS} are needed", {"seeds": count})
    step = NextStep(Plan(1, MIN_SEEDS), "seeds")
    return rule.undecided(few, evidence=Measurements(count, "seeds"), next_step=step)


def _interval(mean: SampleMean, slopes: np.ndarray, *, claimed: float, fixed: bool) -> IntervalAt:
    """Of the residual slope: the wider end of the mean's interval and the median's, once for each confidence."""
    ordered = np.sort(slopes)
    with_median = not fixed and typical_may_differ(ordered)

    @functools.cache
    def interval(level: float) -> Interval:
        if fixed:
            return Interval(mean.value - claimed, mean.value - claimed)
        found = mean.closed(level, tail_factor=_TAIL_FACTOR, widest=_WIDEST)
        if with_median:
            of_median = median_interval(ordered.tolist(), level)
            found = Interval(min(found.low, of_median.low), max(found.high, of_median.high))
        return Interval(found.low - claimed, found.high - claimed)

    return interval


def expected_half_width(count: int, confidence: float) -> float:
    """Half the width of the interval where slopes are normal, in standard deviations of one slope, on average."""
    rank, share = median_rank(count, confidence)
    of_median = -float(special.ndtri((rank + share + 1 - 0.375) / (count + 0.25)))  # Blom's normal scores
    of_mean, joined = t_quantile(count - 1, confidence) / math.sqrt(count), LEANING_LEVEL + GAP_LEVEL
    return of_mean + joined * max(of_median - of_mean, 0.0)


def _shortage(mean: SampleMean) -> Clauses:
    """What the slopes lack for a verdict."""
    figures = {"seeds": mean.count}
    if mean.count < MIN_SEEDS:
        return (Clause(Topic.SHORTAGE, f"only {mean.count} seeds, {MIN_SEEDS} are needed", figures),)
    if mean.is_constant:
        words = f"all {mean.count} seeds have the same slope, which says nothing of their scatter"
        return (Clause(Topic.SHORTAGE, words, figures),)
    return ()


def _plan(rule: DeltaRule, delta: float, mean: SampleMean) -> Plan:
    """So many seeds would decide, if Delta is what it seems and seeds scatter as these do."""
    gap, level = rule.gap(delta), rule.deciding_confidence(delta)
    spread, power = mean.error * math.sqrt(mean.count) * mean.widening, rule.policy.power_quantile

    def enough(count: int) -> bool:
        return spread * (expected_half_width(count, level) + power / math.sqrt(count)) <= gap

    return Plan(1, max(MIN_SEEDS, smallest(enough, mean.count)))


def _finite_slopes(slopes: ArrayLike) -> np.ndarray:
    values = np.asarray(slopes, dtype=float)
    if values.ndim != 1 or not np.all(np.isfinite(values)):
        raise ValueError(f"slopes must be finite numbers [seeds], got {shown(values)}")
    return values


def _bend(drifts: np.ndarray, rule: DeltaRule, verdict: Verdict, mean: SampleMean, delta: float) -> Clause | None:
    """How Delta drifts over the later half where that undermines a verdict, from each seed's drift; None elsewhere."""
    count, late = len(drifts), delta + float(drifts.mean())
    half = t_quantile(count - 1, rule.confidence) * mean.error
    full = Interval(delta - half, delta + half)  # not the joined one: a drift must not hide in what skewness adds
    noise = t_quantile(count - 1, rule.confidence) * float(drifts.std(ddof=1)) / math.sqrt(count)
    if not rule.is_undermined(verdict, full, delta=delta, late=late, noise=lambda: noise):
        return None
    words = f"finite size: Delta drifts from {delta:+.3g} to {late:+.3g} over the later half of the window"
    return Clause(Topic.FINITE_SIZE, words, {"delta": delta, "late": late})


def _per_seed(name: str, values: ArrayLike, count: int, *, each: str = "seed") -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.shape != (count,) or not np.all(np.isfinite(values)):
        raise ValueError(f"{name} must be finite numbers, one per {each} ({count}), got {shown(values)}")
    return values


def judge_range(
    local_slopes: ArrayLike,
    *,
    relation: str,
    margin: float,
    claimed_slope: float | None = None,
    sign: int = 1,
    n_wrong_sign: int = 0,
    places: ArrayLike | None = None,
) -> Judgement:
    """Judge a deterministic quantity by the range of its local Deltas over windows stated beforehand.

    Exact dynamics have no sampling error; what varies is the window. The range is no confidence interval and is
    labelled as what it is. It carries no plan: more trials change nothing, only a grid nearer to the limit does.

    Args:
        local_slopes: residual slopes toward the limit, sign * (local measured slope - local claimed slope) [windows].
        relation: "upper", "lower" or "tight".
        margin: practical equivalence of exponents, > 0.
        claimed_slope: the claim's slope, only to report both exponents.
        sign: as in `judge_rates`, only to report the measured exponent.
        n_wrong_sign: measured values <= 0 where the claim is positive. No prefactor reaches them from below, so one
            violates a lower or tight claim; an upper bound it meets.
        places: where each window lies on the signed log axis, increasing toward the limit [windows]. A verdict is then
            withdrawn (finite size) where Delta drifts along them and, as far again, would make it wrong. Without them
            five windows or more are taken in their order, with the limit at either end of it.
    """
    rule = DeltaRule(relation, margin)
    require_sign(sign)
    slopes = np.asarray(local_slopes, dtype=float)
    if slopes.ndim != 1 or len(slopes) == 0 or not np.all(np.isfinite(slopes)):
        raise ValueError(f"local_slopes must be finite numbers [windows], at least one, got {shown(slopes)}")
    deltas = delta_sign(relation) * slopes + 0.0  # no minus before a zero
    extent = Interval(float(deltas.min()), float(deltas.max()))
    delta, count = float(deltas.mean()), len(deltas)

    def at(level: float) -> Interval:
        return extent

    if n_wrong_sign and relation != "upper":
        return _violated_by_sign(rule, n_wrong_sign, count)
    verdict = rule.decide(at) if count >= MIN_WINDOWS else Verdict.INCONCLUSIVE
    drift = None if verdict is Verdict.INCONCLUSIVE else _drift(rule, verdict, deltas, places)
    judgement = rule.judgement(
        verdict,
        delta=delta,
        interval=at,
        kind="range",
        sign=sign,
        evidence=Measurements(count, "windows"),
        adequacy=NOT_TESTED if places is None or verdict is Verdict.INCONCLUSIVE else Adequacy((Topic.STRAIGHTNESS,)),
        shortage=_few_windows(count),
        exponents=NO_EXPONENTS
        if claimed_slope is None
        else Exponents(float(claimed_slope) + sign * rule.delta(delta), float(claimed_slope)),
    )
    judgement = judgement if drift is None else judgement.withdrawn(Verdict.INCONCLUSIVE, drift)
    if judgement.verdict is not Verdict.INCONCLUSIVE:
        return judgement
    return judgement.adding(next=(Clause(Topic.ROUTE, "a grid nearer to the limit would decide"),))


def _violated_by_sign(rule: DeltaRule, n_wrong_sign: int, count: int) -> Judgement:
    """Violated by values that no prefactor reaches from a positive claim."""
    words = f"measured <= 0 at {n_wrong_sign} points where the claim is positive"
    told = finding(words, Topic.COUNTS, rule=Rule.LOCAL_RANGE, points=n_wrong_sign)
    told = replace(told, evidence=Measurements(count, "windows"))
    return Judgement(Verdict.VIOLATED, told, effect=Effect(margin=rule.margin, relation=rule.relation))


def _few_windows(count: int) -> Clauses:
    """That there are too few windows for a range, where there are."""
    words = f"only {count} window, {MIN_WINDOWS} are needed"
    return (Clause(Topic.SHORTAGE, words, {"windows": count}),) if count < MIN_WINDOWS else ()


def _drift(rule: DeltaRule, verdict: Verdict, deltas: np.ndarray, places: ArrayLike | None) -> Clause | None:
    """How local Deltas drift toward the limit where that undermines a verdict; None elsewhere.

    Without places so many windows as a line needs points are taken as evenly spread in their order, and the limit as at
    either end of it.
    """
    if places is None and len(deltas) < MIN_POINTS:
        return None
    where = (
        np.arange(len(deltas), dtype=float)
        if places is None
        else _per_seed("places", places, len(deltas), each="window")
    )
    if np.ptp(where) == 0:
        return None
    delta = float(deltas.mean())
    ends = [late_of_windows(deltas, where)] + ([late_of_windows(deltas, -where)] if places is None else [])
    wrong = [late for late in ends if not rule.admits(verdict, 2 * late - delta)]
    if not wrong:
        return None
    place = "the end" if places is not None else "one end (places were not given)"
    drift = f"local Delta drifts from {delta:+.3g} on average to {wrong[0]:+.3g} at {place}"
    words = f"finite size: {drift}, as far again is another verdict"
    return Clause(Topic.FINITE_SIZE, words, {"delta": delta, "late": wrong[0]})
