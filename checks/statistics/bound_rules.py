"""Explicit bounds: measurements, counts and attempts against a number that the claim states.

A claim is violated when the two-sided 95 % interval excludes it; it holds when the one-sided 95 % limit (an end of the
90 % interval) meets it. Where several points are judged together, "violated" is shared among them by Bonferroni;
"holds" needs every point and no such correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import shown
from checks.statistics.estimates import exact_interval
from checks.statistics.point_rules import trials_to_decide
from checks.statistics.regression import t_quantile
from checks.statistics.replicates import finite_rows
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Verdict

MIN_REPLICATES = 5


def judge_explicit(
    measured: Sequence[Interval] | Sequence[Sequence[float]] | np.ndarray,
    bound: ArrayLike,
    *,
    relation: str,
    confidence: float = 0.95,
    trivial: float | None = None,
) -> Judgement:
    """Judge a bound whose constants are given, point by point.

    Args:
        measured: samples [points, replicates], or a list of lists of any lengths, whose means are judged with t
            intervals; or one `Interval` per point, at `bonferroni(confidence, points)` if it stems from data, or of
            width 0 if the quantity is exact.
        bound: the claimed bound [points].
        relation: "upper" (measured <= bound) or "lower".
        confidence: of the family of points.
        trivial: the value that no measurement can pass anyway; a bound beyond it on the whole grid is vacuous.

    Returns:
        violated, holds, vacuous or inconclusive; the interval is that of measured / bound at the worst point.
    """
    bound = _bounds(bound, relation)
    intervals = [entry for entry in measured if isinstance(entry, Interval)]
    if intervals and len(intervals) == len(measured):
        wide = narrow = intervals
        values = [0.5 * (interval.low + interval.high) for interval in wide]
        n_replicates, kind = None, "given"
    else:
        samples = finite_rows("measured", measured)
        n_replicates, kind = max(map(len, samples)), "t"
        values = [float(row.mean()) for row in samples]
        wide = [t_interval(row, bonferroni(confidence, len(samples))) for row in samples]
        narrow = [t_interval(row, 2 * confidence - 1) for row in samples]
    if len(wide) != len(bound):
        raise ValueError(f"bound must have one value per point ({len(wide)}), got {len(bound)}")
    return _judge_bounds(values, wide, narrow, bound, relation=relation, trivial=trivial, kind=kind, size=n_replicates)


def judge_fraction(
    successes: ArrayLike,
    trials: ArrayLike,
    claimed: ArrayLike,
    *,
    relation: str,
    confidence: float = 0.95,
    trivial: float | None = None,
) -> Judgement:
    """Judge an explicit bound on a probability by exact binomial limits: `successes` out of `trials` per point."""
    bound = _bounds(claimed, relation, name="claimed")
    successes, trials = np.broadcast_arrays(np.atleast_1d(successes), np.atleast_1d(trials))
    if len(successes) != len(bound):
        raise ValueError(f"claimed must have one value per point ({len(successes)}), got {len(bound)}")
    pairs = list(zip(successes, trials, strict=True))
    wide = [exact_interval(*pair, bonferroni(confidence, len(pairs))) for pair in pairs]
    narrow = [exact_interval(*pair, 2 * confidence - 1) for pair in pairs]
    values = [success / trial for success, trial in pairs]
    if trivial is None:
        trivial = 1.0 if relation == "upper" else 0.0
    size = int(min(trials))
    return _judge_bounds(values, wide, narrow, bound, relation=relation, trivial=trivial, kind="exact", size=size)


def judge_attempts(errors: Sequence[Interval], bound: ArrayLike, *, names: Sequence[str]) -> Judgement:
    """Judge a bound that no algorithm is said to pass by attempts to pass it: refuted by one, or not refuted by these.

    Args:
        errors: of each attempt, of width 0 where it is exact; limits of counts at Bonferroni's confidence over those.
        bound: the least error claimed, one for each attempt.
        names: of the attempts, for the reason.
    """
    bound = _bounds(bound, "lower")
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
    ratio = _ratio(errors[best], bound[best])
    return Judgement(verdict, reason, n_points=len(errors), effect=Effect(None, ratio, interval_kind="exact"))


def bonferroni(confidence: float, n_points: int) -> float:
    """Confidence of each of `n_points` intervals such that all of them cover at `confidence`."""
    return 1 - (1 - confidence) / max(n_points, 1)


def _judge_bounds(values, wide, narrow, bound, *, relation, trivial, kind, size) -> Judgement:
    """Apply the explicit rule to per-point intervals: `wide` decide violated, `narrow` decide holds."""
    upper = relation == "upper"
    count = len(bound)
    excess = [value - limit if upper else limit - value for value, limit in zip(values, bound, strict=True)]
    # The worst point in units of its own uncertainty is the one that a reader wants to see.
    widths = [max(interval.high - interval.low, 1e-300) for interval in wide]
    worst = max(range(count), key=lambda i: excess[i] / widths[i] if math.isfinite(widths[i]) else excess[i] * 1e-300)
    ratio, ratio_narrow = (_ratio(intervals[worst], bound[worst]) for intervals in (wide, narrow))
    beyond = [i for i in range(count) if (wide[i].low > bound[i] if upper else wide[i].high < bound[i])]
    within = [narrow[i].high <= bound[i] if upper else narrow[i].low >= bound[i] for i in range(count)]
    figures = (
        f"measured {values[worst]:.4g} {wide[worst]} against {'at most' if upper else 'at least'} {bound[worst]:.4g}"
    )

    def judged(verdict: Verdict, reason: str, plan: Plan | None = None) -> Judgement:
        return Judgement(
            verdict,
            reason,
            plan,
            count,
            effect=Effect(None, ratio, ratio_narrow, kind),
        )

    if beyond:
        return judged(Verdict.VIOLATED, f"at {len(beyond)} of {count} points, worst at index {worst}: {figures}")
    if trivial is not None and all(limit >= trivial if upper else limit <= trivial for limit in bound):
        return judged(
            Verdict.VACUOUS,
            f"the bound is {'at least' if upper else 'at most'} {trivial:g} on the whole grid: it asserts nothing",
        )
    if all(within):
        return judged(Verdict.HOLDS, f"at all {count} points, closest at index {worst}: {figures}")
    plan = None
    if size is not None:
        open_points = [i for i in range(count) if not within[i]]
        plan = Plan(count, max(_explicit_plan(values[i], narrow[i], bound[i], size, kind, upper) for i in open_points))
    would = f"; would decide: {plan.n_replicates} trials at each point" if plan else ""
    undecided = count - sum(within)
    return judged(
        Verdict.INCONCLUSIVE, f"{undecided} of {count} points undecided, worst at index {worst}: {figures}{would}", plan
    )


def _explicit_plan(value: float, interval: Interval, bound: float, size: int, kind: str, upper: bool) -> int:
    """Trials at one point that would decide if the measured value is the true one."""
    if kind == "exact":
        return trials_to_decide(value, bound, at_least=size + 1, upper=upper)
    half = 0.5 * (interval.high - interval.low)
    if not math.isfinite(half):
        return MIN_REPLICATES
    gap = max(abs(value - bound), half / 20)
    return max(MIN_REPLICATES, size + 1, math.ceil(size * (half / gap) ** 2))


def _bounds(bound: ArrayLike, relation: str, *, name: str = "bound") -> np.ndarray:
    if relation not in ("upper", "lower"):
        raise ValueError(f"relation must be 'upper' or 'lower' for an explicit bound, got {relation!r}")
    bound = np.atleast_1d(np.asarray(bound, dtype=float))
    if bound.ndim != 1 or not bound.size or not np.all(np.isfinite(bound)):
        raise ValueError(f"{name} must be finite numbers [points], got {shown(bound)}")
    return bound


def t_interval(row: np.ndarray, confidence: float) -> Interval:
    """t interval of a mean; unbounded where a single sample says nothing about its noise."""
    if len(row) < 2:
        return Interval(-math.inf, math.inf)
    half = t_quantile(len(row) - 1, confidence) * float(row.std(ddof=1)) / math.sqrt(len(row))
    return Interval(float(row.mean()) - half, float(row.mean()) + half)


def _ratio(interval: Interval, bound: float) -> Interval | None:
    return Interval(interval.low / bound, interval.high / bound) if bound > 0 else None
