"""Orders along an axis: a formula with hidden constants, a family, or none, by points or by the slopes of seeds.

*Hidden constants.* Independent samples or thresholds on a grid are judged by the Delta rule. Let y = log(measured /
claim evaluated on the measured grid) and x = log axis, signed so that it increases toward the limit the claim speaks
of. Delta is the slope of y on x; it is 0 where the claim is right up to a constant, whatever logarithms or offsets the
claim carries on that grid. A raw slope is never compared with an asymptotic exponent.

`judge_scaling`, `judge_joint` and `judge_thresholds` hand their points to `checks.statistics.line_rule`.

*Families.* A paper may leave the order unspecified: "poly(D)", "polylog(D)", "D^Omega(1)". Such a claim names a family,
not a function, and no finite grid tells a large power of the logarithm from a small power of the axis: (log D)^3 has
slope 0.75 between 16 and 256, so "polylog" never means "exponent 0". The largest degree that the family may have (for
D^Omega(1): the smallest) is therefore stated beforehand, and the data are judged against that member by the Delta rule.
Within it the claim *holds*; there is no *tight*, since the claim names no member, and beyond it the claim is *violated
up to the stated degree*. The explanation says which degree the data show themselves, as a power and as a power of the
logarithm, and which of the two they prefer.

*Rises.* Without a claimed value there is still the exponent that thresholds follow, and whether they rise at all. A
figure may say that more of something needs more samples, and not how many more. `judge_rise` fits a line to log
threshold against the axis as it stands, which may begin at zero, and asks for the sign of its slope: the claim holds
where the one-sided limit of the change from end to end is above none, and is violated where the thresholds fall. A
change that stays within the noise decides nothing, however small it must be: the claim has no size to fall short of.

*Slopes of their own.* A curve has local slopes over a sliding window, or a rate over a stated one (`judge_rates`,
`judge_range`).

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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.arguments import (
    Toward,
    calibrated_axis,
    claim_on_grid,
    finite_rows,
    padded,
    positive_replicates,
    require_positive,
    require_sign,
    rows_of,
    shown,
    sign_of,
    signed_log_axis,
)
from checks.statistics.delta_rule import MIN_POINTS, DeltaRule, IntervalAt, smallest
from checks.statistics.estimates import Estimate, exp_or_inf
from checks.statistics.explanation import (
    NOT_TESTED,
    Adequacy,
    Clause,
    Clauses,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
    finding,
    obstacle,
)
from checks.statistics.line_doubts import LineSamples
from checks.statistics.line_rule import judge_line, judge_plane
from checks.statistics.means import (
    ALIKE,
    GAP_LEVEL,
    LEANING_LEVEL,
    SHOWN_FROM,
    SampleMean,
    median_interval,
    median_rank,
    typical_may_differ,
)
from checks.statistics.outcome import estimand_of
from checks.statistics.policy import CONFIDENCE, FURTHER, ErrorPolicy, level_words, policy_of
from checks.statistics.recorded_runs import distinct_runs, told_of_ends, told_of_lost
from checks.statistics.regression import Line, fit_line, points_from_samples, points_from_thresholds, t_quantile
from checks.statistics.serial_noise import alike_in_order
from checks.statistics.straightness import late_of_windows
from checks.statistics.verdict import (
    NO_EXPONENTS,
    Effect,
    Exponents,
    Interval,
    Judgement,
    Plan,
    Quantity,
    Verdict,
    delta_sign,
    verdict_of_family,
)

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
        window: first and last time of the fit, in the units of t; not shares of the last, as the part `Rate` takes.
        burn_in: times below it are left out as well.

    Raises:
        ValueError: where fewer than 3 times remain, or a curve is not positive there.
    """
    t, y = np.asarray(t, dtype=float), np.atleast_2d(np.asarray(y, dtype=float))
    if t.ndim != 1 or y.shape[1] != len(t) or np.any(np.diff(t) <= 0):
        raise ValueError(f"t must increase and y be [seeds, times], got shapes {t.shape} and {y.shape}")
    kept = (t > 0) & (t >= max(window[0], burn_in)) & (t <= window[1])
    if kept.sum() < 3:
        ends = f", of times from {t[0]:g} to {t[-1]:g}" if len(t) else ""
        raise ValueError(
            f"window must hold at least 3 times after burn_in {burn_in:g}, got {window} with {kept.sum()}{ends}"
        )
    x, log_y = t[kept] if exponential else np.log(t[kept]), np.log(require_positive("y", y[:, kept]))
    weight = np.gradient(x)
    weight = weight / weight.sum()
    centred = x - weight @ x
    return log_y @ (weight * centred) / (weight @ centred**2)


# --------------------------------------------------------------------------------------- exponents of seeds and windows


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
    rule = DeltaRule(relation, margin, policy_of(confidence, policy), float(claimed_slope))
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
        next_step=rule.next_step(plan, "seeds", delta) if plan else NextStep(unit="seeds"),
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
        found = mean.closed(level, tail_factor=_TAIL_FACTOR, widest=_WIDEST, shown_from=SHOWN_FROM)
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

    return Plan(1, max(MIN_SEEDS, smallest(enough, rule.policy.beyond(mean.count))))


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
        claimed_slope: the claim's slope, to report both exponents and to ask more of a slow law (`DeltaRule.is_slow`).
        sign: as in `judge_rates`, only to report the measured exponent.
        n_wrong_sign: measured values <= 0 where the claim is positive. No prefactor reaches them from below, so one
            violates a lower or tight claim; an upper bound it meets.
        places: where each window lies on the signed log axis, increasing toward the limit [windows]. A verdict is then
            withdrawn (finite size) where Delta drifts along them and, as far again, would make it wrong. Without them
            five windows or more are taken in their order, with the limit at either end of it.
    """
    rule = DeltaRule(relation, margin, exponent=None if claimed_slope is None else float(claimed_slope))
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
    if judgement.verdict is not Verdict.INCONCLUSIVE or judgement.explanation.about(Topic.ROUTE):
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


# ----------------------------------------------------------------------------------------- orders with hidden constants


def judge_scaling(
    axis: ArrayLike,
    samples: ArrayLike,
    claimed: ArrayLike | Any,
    *,
    relation: str,
    margin: float,
    toward: Toward = "infinity",
    limit: ArrayLike | None = None,
    limit_low: ArrayLike | None = None,
    axis_error: ArrayLike | None = None,
    paired: bool = False,
    checkpoints: bool | None = None,
    estimand: str | None = None,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> Judgement:
    """Judge a claimed order against independent samples along one axis.

    >>> alpha = np.array([0.1, 0.15, 0.2, 0.3, 0.4])
    >>> noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((5, 8)))
    >>> samples = alpha[:, None] ** -4 * noise
    >>> judge_scaling(alpha, samples, alpha**-2, relation="upper", margin=0.25, toward="zero").verdict
    <Verdict.VIOLATED: 'violated'>

    Args:
        axis: the parameter that scales [points], > 0.
        samples: independent measurements [points, replicates], > 0, a row a point, rows of any lengths. inf is a run
            cut off above `limit`, 0 one below `limit_low`, NaN one that was lost: a verdict that it could have changed
            is withdrawn. A square array with its points in columns is refused where the samples show it.
        claimed: the claim on the grid [points], > 0 and up to a constant, or a sympy expression in one symbol.
        relation, margin: "upper", "lower" or "tight", and the practical equivalence of exponents, > 0.
        toward: the claim's limit: "infinity" (math.inf), "zero" (0), or a boundary with all of the axis on one side.
        limit, limit_low: above, below which runs were not seen [points]; samples equal to one ask for a mark there.
        axis_error: standard error of log axis [points] or one for all, where other data than `samples` estimated it.
        paired: replicate j shares data or a seed along the axis; a test looks for it where it is not said.
        checkpoints: replicate j is one run looked at along the axis; one sample a point is, unless this is False.
        estimand: "typical" (a typical run) or "mean" (E[.], 59 runs in all); not said, a verdict must hold of both.
        confidence: of the interval of Delta; the equivalence interval has 1 - 2 (1 - confidence).
        policy: in place of a confidence, where K claims share the error: ErrorPolicy(confidence, family=K).

    Raises ValueError on input that breaks a rule above.
    """
    axis, x = signed_log_axis(axis, toward)
    replicates, log_limit, log_low = positive_replicates(axis, x, samples, limit, limit_low)
    x, log_claimed, inflation = calibrated_axis(x, axis_error, np.log(claim_on_grid(claimed, axis)))
    distinct = distinct_runs(axis, replicates)
    replicates, kept, x, log_claimed = distinct.replicates, distinct.kept, x[distinct.kept], log_claimed[distinct.kept]
    log_ratio = replicates.log - log_claimed[:, None]
    limits = [None if one is None else one[kept] - log_claimed for one in (log_limit, log_low)]
    rule = DeltaRule(relation, margin, policy_of(confidence, policy))
    told = {"paired": paired, "checkpoints": checkpoints, "estimand": estimand_of(estimand)}
    points = replace(points_from_samples(x, log_ratio, *limits), inflation=inflation)
    judgement = distinct.told(judge_line(
        points, log_claimed, rule=rule, axis_sign=sign_of(toward), n_replicates=replicates.typical, unit="replicates",
        samples=LineSamples(x, log_ratio, *limits, **told), each=replicates.each, evidence=_on_axis(axis),
    ))  # fmt: skip
    if log_limit is None and log_low is None:
        judgement = told_of_ends(judgement, rule, points, replicates.values, log_claimed)
    return told_of_lost(judgement, rule, x, log_ratio, replicates.lost) if replicates.lost.any() else judgement


def _on_axis(values: np.ndarray) -> Measurements:
    """The reach of the axis values that entered."""
    return Measurements(axis_range=Interval(float(values.min()), float(values.max())) if len(values) else None)


def judge_joint(
    axes: Mapping[str, tuple[ArrayLike, Toward]],
    samples: ArrayLike,
    claimed: ArrayLike,
    *,
    relation: str,
    margin: float,
    paired: bool = False,
    shared_levels: Collection[str] = (),
    estimand: str | None = None,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> dict[str, Judgement]:
    """Judge a claimed order along several axes jointly: one judgement an axis, the others held fixed.

    >>> import numpy as np
    >>> a, b = (grid.ravel() for grid in np.meshgrid([0.1, 0.2, 0.4], [1.0, 2.0, 4.0]))
    >>> noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((9, 8)))
    >>> samples = (a**-2 * b)[:, None] * noise
    >>> axes = {"alpha": (a, "zero"), "size": (b, "infinity")}
    >>> judged = judge_joint(axes, samples, a**-2, relation="upper", margin=0.25)
    >>> [str(judgement.verdict) for judgement in judged.values()]
    ['tight', 'violated']

    Args:
        axes: name -> (values [points] > 0, toward); no two of them may be collinear on the grid.
        samples: independent measurements [points, replicates], > 0, none censored, lost runs left out; rows may
            differ in length, as in `judge_scaling`.
        claimed: the claim on the grid [points], > 0 and up to a constant.
        paired: replicate j shares data along the axes; looked for by a test where it is not said.
        shared_levels: axes of which all points of one value share data; looked for by a test as well.
        relation, margin, estimand, confidence, policy: as in `judge_scaling`, for every axis.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    signed = {name: (signed_log_axis(values, toward)[1], sign_of(toward)) for name, (values, toward) in axes.items()}
    counts = {name: len(x) for name, (x, _) in signed.items()}
    if not axes:
        raise ValueError("axes must name at least one axis, got none")
    if len(set(counts.values())) > 1:
        raise ValueError(f"axes must have one length, got {counts}")
    rows = finite_rows("samples", samples, n_points=next(iter(counts.values())))
    if wrong := [float(row.min()) for row in rows if not row.min() > 0]:
        raise ValueError(f"samples must be finite and > 0, none censored, got {wrong[0]:g}")
    samples = padded(rows)
    if unknown := sorted(set(shared_levels) - set(axes)):
        raise ValueError(f"shared_levels must name axes ({', '.join(axes)}), got {', '.join(unknown)}")
    log_claimed = np.log(claim_on_grid(claimed, np.ones(len(samples))))
    return judge_plane(
        signed,
        np.log(samples) - log_claimed[:, None],
        log_claimed,
        rule=DeltaRule(relation, margin, policy_of(confidence, policy)),
        paired=paired,
        shared_levels=shared_levels,
        estimand=estimand_of(estimand),
    )


def _without_threshold(value: float, estimate: Estimate) -> Clause:
    """Why a place of the axis cannot enter a line."""
    why = estimate.reason or "success does not depend on N"
    return Clause(Topic.LEFT_OUT, f"without a threshold at axis {value:g} ({why})", {"axis": value})


def judge_thresholds(
    axis: ArrayLike,
    estimates: Sequence[Estimate],
    claimed: ArrayLike | Any,
    *,
    relation: str,
    margin: float,
    toward: Toward = "infinity",
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> Judgement:
    """Judge a claimed order against one threshold per point, each with its own uncertainty.

    Weights come from the estimates' standard errors (of the logarithm); censored thresholds enter as bounds, at the
    inner end of their interval. Estimates with neither value nor bound (success does not depend on N) cannot enter a
    line: they are left out and named in the reason.

    Raises:
        ValueError: as `judge_scaling`, or where an estimate has a value but no standard error.
    """
    axis, x = signed_log_axis(axis, toward)
    if len(estimates) != len(axis):
        raise ValueError(f"estimates must have one entry per axis value ({len(axis)}), got {len(estimates)}")
    log_claimed = np.log(claim_on_grid(claimed, axis))
    points, used = points_from_thresholds(x, estimates)
    points = replace(points, y=points.y - log_claimed[used])
    trials = [estimate.n_trials for estimate in estimates]
    left_out = tuple(
        _without_threshold(value, estimate)
        for value, estimate, kept in zip(axis.tolist(), estimates, used, strict=True)
        if not kept
    )
    clumped = [f"{value:g}" for value, estimate in zip(axis, estimates, strict=True) if estimate.dispersion]
    words = f"over-dispersion: runs scatter by more than independent ones can at axis {', '.join(clumped)}"
    return judge_line(
        points,
        log_claimed[used],
        rule=DeltaRule(relation, margin, policy_of(confidence, policy)),
        axis_sign=sign_of(toward),
        n_replicates=max(1, round(float(np.median(trials)))) if trials else 1,
        unit="trials",
        each=(min(trials), max(trials)) if trials else None,
        evidence=replace(_on_axis(axis[used]), left_out=left_out),
        known=(Clause(Topic.OVERDISPERSION, words, {"points": len(clumped)}),) if clumped else (),
    )


# --------------------------------------------------------------------------------------------------- unspecified orders


FAMILIES = {"polylog": "upper", "poly": "upper", "power": "lower"}
"""Family -> how the measured quantity must stand to its extreme member."""


def judge_unspecified(
    axis: ArrayLike,
    samples: ArrayLike,
    *,
    family: str,
    degree: float,
    margin: float,
    toward: Toward = "infinity",
    limit: ArrayLike | None = None,
    limit_low: ArrayLike | None = None,
    paired: bool = False,
    estimand: str | None = None,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
) -> Judgement:
    """Judge a quantity claimed to be polylog(axis), poly(axis) or axis^Omega(1).

    >>> size = np.array([16.0, 32.0, 64.0, 128.0, 256.0])
    >>> noise = np.exp(0.02 * np.random.default_rng(0).standard_normal((5, 8)))
    >>> judge_unspecified(size, np.log(size)[:, None] ** 2 * noise, family="polylog", degree=3, margin=0.25).verdict
    <Verdict.HOLDS: 'holds'>
    >>> judge_unspecified(size, size[:, None] ** 2 * noise, family="polylog", degree=3, margin=0.25).verdict
    <Verdict.VIOLATED: 'violated'>

    Args:
        axis, samples, margin, toward, limit, limit_low, paired, estimand, confidence, policy: as in `judge_scaling`;
            for
            "polylog" the axis must lie beyond e in its direction, where the logarithm of the logarithm is positive.
        family: "polylog" (at most log^degree), "poly" (at most axis^degree) or "power" (at least axis^degree).
        degree: the largest degree that the family may have, the smallest for "power"; > 0, stated before measuring.

    Raises:
        ValueError: as `judge_scaling`, or on an unknown family, a degree <= 0, a logarithm <= 1.
    """
    if family not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}, got {family!r}")
    if not 0 < degree < math.inf:
        raise ValueError(f"degree must be finite and > 0, got {degree}")
    values, x = signed_log_axis(axis, toward)
    if family == "polylog" and np.any(x <= 1):
        raise ValueError(f"axis must lie beyond e toward its limit for a polylog, got {shown(values)}")
    judgement = judge_scaling(
        values,
        samples,
        x**degree if family == "polylog" else np.exp(degree * x),
        relation=FAMILIES[family],
        margin=margin,
        toward=toward,
        limit=limit,
        limit_low=limit_low,
        paired=paired,
        estimand=estimand,
        confidence=confidence,
        policy=policy,
    )
    judgement = replace(judgement, verdict=verdict_of_family(judgement.verdict))
    member = _extreme_member(family, degree, judgement.verdict)
    return judgement.adding(choices=(member,), adequacy=_shown_degrees(x, samples))


def _extreme_member(family: str, degree: float, verdict: Verdict) -> Clause:
    """Which member of the family the data were judged against."""
    word = f"log^{degree:g}" if family == "polylog" else f"axis^{degree:g}"
    is_largest = family != "power"
    if verdict is Verdict.HOLDS:
        said = f"{'at most' if is_largest else 'at least'} {word}, the degree stated beforehand"
    else:
        said = f"against {word}, the {'largest' if is_largest else 'smallest'} degree stated beforehand"
    return Clause(Topic.EXTREME_MEMBER, said, {"degree": float(degree)})


def _shown_degrees(x: np.ndarray, samples: ArrayLike) -> Clauses:
    """The degrees that the points show, as a power and as a power of the logarithm, and which line is straighter."""
    table, _ = rows_of("samples", samples)
    complete = ~((table == 0) | np.isposinf(table)).any(axis=1)
    if complete.sum() < 3 or np.ptp(x[complete]) == 0:
        return ()
    y, x = np.nanmean(np.log(table[complete]), axis=1), x[complete]
    power, residual = _straight(x, y)
    said, figures = f"the data look like axis^{power:.2g}", {"power": power}
    if np.all(x > 0):
        log_degree, log_residual = _straight(np.log(x), y)
        closer = "the latter is closer" if log_residual < residual else "the former is closer"
        said += f" or log^{log_degree:.2g}, {closer}"
        figures["log_degree"] = log_degree
    return (Clause(Topic.OTHER_LAW, said, figures),)


def _straight(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope of a least-squares line and its residual sum of squares."""
    slope, intercept = np.polyfit(x, y, 1)
    return float(slope), float(np.sum((y - intercept - slope * x) ** 2))


# ----------------------------------------------------------------------------------------------------------- what rises


MIN_THRESHOLDS = 3
"""Points that must carry a threshold: two always lie on a line."""

MAX_GROWTH = 16
"""Most replicates that are planned for, in units of those there are."""


def judge_rise(
    axis: ArrayLike,
    estimates: Sequence[Estimate],
    *,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
    falls: bool = False,
) -> Judgement:
    """Judge that thresholds rise along an axis, by the change from its one end to the other along a fitted line.

    >>> from checks.statistics.estimates import Estimate
    >>> rising = [Estimate(value, standard_error=0.1, n_trials=60) for value in (20.0, 27.0, 41.0, 55.0)]
    >>> judge_rise([0.0, 0.1, 0.2, 0.3], rising).verdict
    <Verdict.HOLDS: 'holds'>

    Args:
        axis: what is said to need more [points]; zero is allowed.
        estimates: one threshold a point, each with its uncertainty; those that are censored enter as bounds.
        confidence: of the interval; or a `policy`, where the error is shared with other claims.
        falls: whether they are said to fall instead.

    Raises:
        ValueError: where lengths differ, the axis is not finite, or a threshold has no standard error.
    """
    axis = np.asarray(axis, dtype=float)
    if axis.ndim != 1 or len(axis) != len(estimates) or not np.all(np.isfinite(axis)):
        raise ValueError(f"axis must be finite numbers, one per estimate ({len(estimates)}), got {shown(axis)}")
    policy = policy_of(confidence, policy)
    found = _line_of_thresholds(axis, estimates)
    count = sum(estimate.value is not None for estimate in estimates)
    if found is None or count < MIN_THRESHOLDS:
        few = obstacle(Topic.SHORTAGE, f"{count} thresholds were found, {MIN_THRESHOLDS} are needed", thresholds=count)
        return Judgement(Verdict.INCONCLUSIVE, replace(few, evidence=Measurements(count, "thresholds")))
    line, span = found

    def change(level: float) -> Interval:
        interval = line.interval(level)
        return Interval(interval.low * span, interval.high * span)

    strict, usual, narrow = policy.violation_confidence, policy.interval_confidence, policy.equivalence_confidence
    of_rise, of_fall = (strict, narrow) if falls else (narrow, strict)
    rose, fell = (Verdict.VIOLATED, Verdict.HOLDS) if falls else (Verdict.HOLDS, Verdict.VIOLATED)
    verdict, level, words = Verdict.INCONCLUSIVE, usual, "neither a rise nor a fall is shown"
    if change(of_rise).low > 0:
        verdict, level, words = rose, of_rise, "it rises"
    elif change(of_fall).high < 0:
        verdict, level, words = fell, of_fall, "it falls"
    factor, ratio, ratio_narrow = exp_or_inf(line.slope * span), _factors(change(usual)), _factors(change(narrow))
    ruling = replace(
        _change_of_thresholds(axis, factor, _factors(change(level)), level, words),
        relation="upper" if falls else "lower",
        measured_interval=ratio,
        measured_level=policy.interval_confidence,
    )
    evidence = Measurements(len(estimates), "thresholds", axis_range=Interval(float(axis.min()), float(axis.max())))
    asked = of_rise if line.slope > 0 else of_fall
    plan = _plan_of_rise(line, estimates, asked) if verdict is Verdict.INCONCLUSIVE else None
    effect = Effect(None, ratio, ratio_narrow, "t", confidence=policy.interval_confidence, quantity=Quantity.CHANGE)
    return Judgement(verdict, Explanation(ruling, evidence, next=NextStep(plan, "trials")), effect=effect)


def _factors(change: Interval) -> Interval:
    """Factors of changes of a logarithm."""
    return Interval(exp_or_inf(change.low), exp_or_inf(change.high))


def _change_of_thresholds(axis: np.ndarray, factor: float, decided: Interval, level: float, words: str) -> Ruling:
    """The change from end to end, and what it shows, in words, beside the interval that decided it."""
    reason = (
        f"from {axis.min():g} to {axis.max():g} the threshold changes by a factor {factor:.3g}, "
        f"{level_words(level)} interval {decided}: {words}"
    )
    return Ruling(
        rule=Rule.TREND,
        estimand="factor from the least to the largest axis value",
        figure=factor,
        threshold=1.0,
        interval=decided,
        level=level,
        measured=factor,
        clauses=(Clause(Topic.FINDING, reason),),
    )


def fitted_exponent(
    axis: ArrayLike, estimates: Sequence[Estimate], *, confidence: float = CONFIDENCE
) -> tuple[float, Interval] | None:
    """The exponent of thresholds in a positive axis with its interval; None where too few were found."""
    axis = np.asarray(axis, dtype=float)
    if not np.all(axis > 0) or sum(estimate.value is not None for estimate in estimates) < MIN_THRESHOLDS:
        return None
    found = _line_of_thresholds(np.log(axis), estimates)
    return None if found is None else (found[0].slope, found[0].interval(confidence))


def _line_of_thresholds(x: np.ndarray, estimates: Sequence[Estimate]) -> tuple[Line, float] | None:
    """The line of log threshold against x, and the length of x; None where no line, or no noise, can be had."""
    points, _ = points_from_thresholds(x, estimates)
    line = fit_line(points)
    return None if line is None or not line.noise else (line, float(np.ptp(x)))


def _plan_of_rise(line: Line, estimates: Sequence[Estimate], level: float) -> Plan | None:
    """So many trials a point would show the change that is seen; None where that is out of reach.

    Args:
        level: of the interval that must leave no change out: an accusation asks for a wider one than what holds.
    """
    interval = line.interval(level)
    half = 0.5 * (interval.high - interval.low)
    growth = ErrorPolicy().times_as_many(half, abs(line.slope), level) if line.slope else math.inf
    if not growth <= MAX_GROWTH:
        return None
    trials = float(np.median([estimate.n_trials for estimate in estimates]))
    return Plan(len(estimates), math.ceil(max(growth, FURTHER) * trials))
