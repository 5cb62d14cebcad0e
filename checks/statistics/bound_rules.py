"""Explicit bounds: measurements, counts and attempts against a number that the claim states.

A claim is violated when the two-sided interval excludes it; it holds when the one-sided limit (an end of the
equivalence interval) meets it. Where several points are judged together, "violated" is shared among them by Bonferroni;
"holds" needs every point and no such correction. The intervals of means are those of `checks.statistics.means`, counts
are judged in `checks.statistics.fraction_rule`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import shown
from checks.statistics.explanation import (
    NO_STEP,
    Clause,
    Clauses,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
)
from checks.statistics.means import Measured, PointMean, point_means
from checks.statistics.point_rules import trials_to_decide
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict


def judge_explicit(
    measured: Measured,
    bound: ArrayLike,
    *,
    relation: str,
    range: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
    trivial: float | None = None,
) -> Judgement:
    """Judge a bound whose constants are given, point by point.

    >>> zeros = [[0.0] * 5]
    >>> judge_explicit(zeros, [0.1], relation="upper").verdict  # five zeros say nothing of a rare 1
    <Verdict.INCONCLUSIVE: 'inconclusive'>
    >>> judge_explicit([[0.0] * 40], [0.1], relation="upper", range=(0, 1)).verdict
    <Verdict.HOLDS: 'holds'>

    Args:
        measured: samples [points, replicates], or a list of samples for each point, whose means are judged; or one
            `Interval` per point, at `ErrorPolicy(confidence).each_of(points)` if it stems from data, or of width 0 if
            the quantity is exact.
        bound: the claimed bound [points].
        relation: "upper" (measured <= bound) or "lower".
        range: between which numbers a single sample must lie by its meaning: (low, high), or a pair per point
            [points, 2]. The intervals are then valid for any samples, however few (`checks.statistics.means`).
            Without it they are skew-adjusted t intervals, which carry no verdict before 20 replicates, where all
            samples are equal, or on the side of a long tail.
        confidence: of the family of points.
        trivial: the value that no measurement can pass anyway, by default an end of the range; a bound beyond it on
            the whole grid is vacuous.

    Returns:
        violated, holds, vacuous or inconclusive; the interval is that of measured / bound at the point that decides.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    bound = require_bounds(bound, relation)
    policy = ErrorPolicy(confidence)
    means, kind = point_means(measured, policy, range)
    if len(means) != len(bound):
        raise ValueError(f"bound must have one value per point ({len(means)}), got {len(bound)}")
    limits = None if trivial is None else np.full(len(bound), float(trivial))
    if range is not None and trivial is None:
        ends = np.broadcast_to(np.asarray(range, dtype=float), (len(bound), 2))
        limits = ends[:, 1 if relation == "upper" else 0]
    return judge_means(means, bound, relation=relation, trivial=limits, kind=kind, policy=policy)


def judge_attempts(
    errors: Sequence[Interval], bound: ArrayLike, *, names: Sequence[str], confidence: float | None = None
) -> Judgement:
    """Judge a bound that no algorithm is said to pass by attempts to pass it: refuted by one, or not refuted by these.

    Args:
        errors: of each attempt, of width 0 where it is exact; limits of counts at Bonferroni's confidence over those.
        bound: the least error claimed, one for each attempt.
        names: of the attempts.
        confidence: of the intervals that have a width.
    """
    bound = require_bounds(bound, "lower")
    if not len(errors) == len(bound) == len(names):
        lengths = f"{len(errors)}, {len(bound)} and {len(names)}"
        raise ValueError(f"errors, bound and names must be of one length, got {lengths}")
    below = [i for i, interval in enumerate(errors) if interval.high < bound[i]]
    ratios = [interval.high / limit for interval, limit in zip(errors, bound, strict=True)]
    best = min(range(len(errors)), key=lambda i: ratios[i])

    def figures(i: int) -> str:
        limited = "at most " if errors[i].high > errors[i].low else ""
        return f"{names[i]} errs {limited}{errors[i].high:.4g}"

    if below:
        verdict = Verdict.REFUTED
        claimed = f"where at least {bound[best]:.4g} is claimed"
        reason = f"by {len(below)} of {len(errors)} attempts, furthest by this: {figures(best)} {claimed}"
    else:
        verdict = Verdict.NOT_REFUTED
        listed = "; ".join(map(figures, range(len(errors))))
        reason = f"none of {len(errors)} attempts errs less than claimed ({bound[best]:.4g} at the closest): {listed}"
    ruling = Ruling(
        rule=Rule.ATTEMPTS,
        relation="lower",
        estimand="error of the attempt that comes closest",
        figure=errors[best].high,
        threshold=float(bound[best]),
        measured=errors[best].high,
        claimed=float(bound[best]),
        clauses=(Clause(Topic.FINDING, reason, {"below": len(below), "attempts": len(errors), "best": names[best]}),),
    )
    ratio = _ratio(errors[best], bound[best])
    explanation = Explanation(ruling, Measurements(len(errors), "attempts"))
    effect = Effect(
        None, ratio, interval_kind="exact", confidence=confidence, quantity=Quantity.RATIO, relation="lower"
    )
    return Judgement(verdict, explanation, effect=effect)


def judge_means(
    means: Sequence[PointMean],
    bound: np.ndarray,
    *,
    relation: str,
    trivial: np.ndarray | None,
    kind: str,
    policy: ErrorPolicy,
    rule: Rule = Rule.MEAN_BOUND,
) -> Judgement:
    """Apply the explicit rule to the mean at every point: its wide interval decides violated, its narrow one holds.

    Args:
        policy: of the family of points, at which the intervals of `means` were made.
    """
    upper = relation == "upper"
    count = len(bound)
    # Points in units of their own uncertainty: the farthest beyond is the one that a reader wants to see.
    excess = [_excess(mean, limit, upper) for mean, limit in zip(means, bound, strict=True)]
    beyond = [i for i, mean in enumerate(means) if not mean.is_short and _is_beyond(mean.wide, bound[i], upper)]
    undecided = [i for i, mean in enumerate(means) if mean.is_short or not _is_within(mean.narrow, bound[i], upper)]
    worst = max(beyond or undecided or range(count), key=lambda i: excess[i])
    deciding, sense = means[worst], "at most" if upper else "at least"
    against = f"measured {deciding.value:.4g} {deciding.wide} against {sense} {bound[worst]:.4g}"
    ratios = _ratio(deciding.wide, bound[worst]), _ratio(deciding.narrow, bound[worst])
    obstacles, plan = (), None
    if beyond:
        verdict, said = Verdict.VIOLATED, f"at {len(beyond)} of {count} points, worst at index {worst}: {against}"
    elif trivial is not None and np.all(bound >= trivial if upper else bound <= trivial):
        ends = f"{trivial[0]:g}" if np.ptp(trivial) == 0 else "the end of its range"
        verdict = Verdict.VACUOUS
        said = f"the bound is {'at least' if upper else 'at most'} {ends} on the whole grid: it asserts nothing"
    elif not undecided:
        verdict, said = Verdict.HOLDS, f"at all {count} points, closest at index {worst}: {against}"
    else:
        verdict = Verdict.INCONCLUSIVE
        said = f"{len(undecided)} of {count} points undecided, worst at index {worst}: {against}"
        plan = None if kind == "given" else max(_planned(means[i], bound[i], kind, upper, policy) for i in undecided)
        obstacles = lacking(deciding)
    step = next_trials(count, plan, deciding, may_state_range=kind == "t")
    figures = {"index": int(worst), "beyond": len(beyond), "undecided": len(undecided)}
    ruling = replace(
        point_ruling(rule, deciding, verdict, float(bound[worst]), relation=relation, policy=policy, count=count),
        clauses=(Clause(Topic.FINDING, said, figures),),
        obstacles=obstacles,
    )
    effect = Effect(None, *ratios, kind, confidence=policy.each_of(count), quantity=Quantity.RATIO, relation=relation)
    return Judgement(verdict, Explanation(ruling, Measurements(count), next=step), effect=effect)


def point_ruling(
    rule: Rule, mean: PointMean, verdict: Verdict, claimed: float, *, relation: str, policy: ErrorPolicy, count: int
) -> Ruling:
    """The figures of the point that decides, of `count`: the interval that did, and that of reports."""
    wide, narrow = policy.each_of(count), policy.equivalence_confidence
    is_narrow = verdict is Verdict.HOLDS
    return Ruling(
        rule=rule,
        relation=relation,
        estimand="mean at the point that decides",
        figure=mean.value,
        interval=mean.narrow if is_narrow else mean.wide,
        level=narrow if is_narrow else wide,
        threshold=claimed,
        measured=mean.value,
        measured_interval=mean.wide,
        measured_level=wide,
        claimed=claimed,
    )


def lacking(mean: PointMean) -> Clauses:
    """What the samples of the point that decides lack for a verdict."""
    return (Clause(Topic.SHORTAGE, mean.missing, {"count": mean.count}),) if mean.missing else ()


def next_trials(count: int, replicates: int | None, mean: PointMean, *, may_state_range: bool) -> NextStep:
    """So many trials at each of `count` points, or a stated range where that is what the samples lack."""
    if replicates is None:
        return NO_STEP
    ranged = (Clause(Topic.ROUTE, "or a stated range"),) if mean.missing and may_state_range else ()
    return NextStep(Plan(count, replicates), "trials", clauses=ranged)


def _is_beyond(interval: Interval, bound: float, upper: bool) -> bool:
    return interval.low > bound if upper else interval.high < bound


def _is_within(interval: Interval, bound: float, upper: bool) -> bool:
    return interval.high <= bound if upper else interval.low >= bound


def _excess(mean: PointMean, bound: float, upper: bool) -> float:
    """How far a mean lies beyond its bound, by the arm of its interval that points to the bound."""
    excess = mean.value - bound if upper else bound - mean.value
    arm = mean.value - mean.wide.low if (excess > 0) == upper else mean.wide.high - mean.value
    return excess / max(arm, 1e-300) if math.isfinite(arm) else excess * 1e-300


def _planned(mean: PointMean, bound: float, kind: str, upper: bool, policy: ErrorPolicy) -> int:
    """Trials at one point that would decide if the measured value is the true one."""
    size = mean.count or 1
    if kind == "exact":
        return trials_to_decide(mean.value, bound, policy, at_least=size + 1, upper=upper)
    half = 0.5 * (mean.narrow.high - mean.narrow.low)
    least = max(mean.needed, size + 1)
    if not math.isfinite(half):
        return least
    gap = max(abs(mean.value - bound), half / 20)
    return max(least, math.ceil(size * (half / gap) ** 2))


def require_bounds(bound: ArrayLike, relation: str, *, name: str = "bound") -> np.ndarray:
    """The claimed bounds [points] as an array.

    Raises:
        ValueError: on bounds that are not finite numbers, or another relation than "upper" or "lower".
    """
    if relation not in ("upper", "lower"):
        raise ValueError(f"relation must be 'upper' or 'lower' for an explicit bound, got {relation!r}")
    bound = np.atleast_1d(np.asarray(bound, dtype=float))
    if bound.ndim != 1 or not bound.size or not np.all(np.isfinite(bound)):
        raise ValueError(f"{name} must be finite numbers [points], got {shown(bound)}")
    return bound


def _ratio(interval: Interval, bound: float) -> Interval | None:
    return Interval(interval.low / bound, interval.high / bound) if bound > 0 else None
