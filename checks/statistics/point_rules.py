"""The rules of the kinds of claim that need no line: explicit bounds, rates, behaviours, conditions, identities.

Exact binomial limits are used wherever the data are counts. A claim is violated when the two-sided 95 % interval
excludes it; it holds when the one-sided 95 % limit (an end of the 90 % interval) meets it. With a rate of 0.99 that
takes 299 trials without a failure, since 0.99^299 < 0.05: fewer can only be inconclusive. Where several points are
judged together, "violated" is shared among them by Bonferroni; "holds" needs every point and no such correction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.estimates import exact_interval
from checks.statistics.regression import t_quantile
from checks.statistics.verdict import Interval, Judgement, Plan, Verdict

MAX_PLANNED = 1_000_000
MIN_REPLICATES = 5

Choice = TypeVar("Choice")


# --------------------------------------------------------------------------------------------------- explicit bounds


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
        measured: samples [points, replicates], whose means are judged with t intervals; or one `Interval` per point,
            at `bonferroni(confidence, points)` if it stems from data, or of width 0 if the quantity is exact.
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
        samples = np.asarray(measured, dtype=float)
        if samples.ndim != 2 or not samples.size or not np.all(np.isfinite(samples)):
            raise ValueError(f"measured must be finite samples [points, replicates], got shape {samples.shape}")
        n_replicates, kind = samples.shape[1], "t"
        values = list(samples.mean(axis=1))
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
    wide = [_exact(*pair, bonferroni(confidence, len(pairs))) for pair in pairs]
    narrow = [_exact(*pair, 2 * confidence - 1) for pair in pairs]
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
    return Judgement(verdict, reason, confidence_interval=ratio, interval_kind="exact", n_points=len(errors))


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
            confidence_interval=ratio,
            equivalence_interval=ratio_narrow,
            plan=plan,
            interval_kind=kind,
            n_points=count,
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
        raise ValueError(f"{name} must be finite numbers [points], got {bound}")
    return bound


def t_interval(row: np.ndarray, confidence: float) -> Interval:
    """t interval of a mean; unbounded where a single sample says nothing about its noise."""
    if len(row) < 2:
        return Interval(-math.inf, math.inf)
    half = t_quantile(len(row) - 1, confidence) * float(row.std(ddof=1)) / math.sqrt(len(row))
    return Interval(float(row.mean()) - half, float(row.mean()) + half)


def _ratio(interval: Interval, bound: float) -> Interval | None:
    return Interval(interval.low / bound, interval.high / bound) if bound > 0 else None


# --------------------------------------------------------------------------------------- behaviours and conditions


def judge_behaviour(successes: int, trials: int, *, rate: float, confidence: float = 0.95) -> Judgement:
    """Judge a yes-or-no behaviour stated beforehand, claimed to show in at least a fraction `rate` of the trials."""
    _require_rate(rate)
    if trials == 0:
        return Judgement(Verdict.INCONCLUSIVE, "no trial", plan=Plan(1, trials_to_decide(1.0, rate)))
    wide, narrow = _exact(successes, trials, confidence), _exact(successes, trials, 2 * confidence - 1)
    plan = None
    if narrow.low >= rate:
        verdict = Verdict.HOLDS
        reason = f"seen in {successes} of {trials} trials, one-sided lower limit {narrow.low:.4g} >= {rate:g}"
    elif wide.high < rate:
        verdict = Verdict.VIOLATED
        reason = f"seen in {successes} of {trials} trials, upper limit {wide.high:.4g} < {rate:g}"
    else:
        plan = Plan(1, trials_to_decide(successes / trials, rate, at_least=trials + 1))
        verdict = Verdict.INCONCLUSIVE
        reason = (
            f"seen in {successes} of {trials} trials, {wide} around {rate:g}; would decide: {plan.n_replicates} trials"
        )
    return Judgement(
        verdict,
        reason,
        confidence_interval=wide,
        equivalence_interval=narrow,
        plan=plan,
        interval_kind="exact",
        n_points=1,
    )


def judge_sufficient(
    inside_successes: int,
    inside_trials: int,
    outside_successes: int,
    outside_trials: int,
    *,
    rate: float,
    confidence: float = 0.95,
) -> Judgement:
    """Judge a sufficient condition: success at `rate` inside it is required, success outside only makes it loose."""
    _require_rate(rate)
    if inside_trials == 0:
        return Judgement(Verdict.OUT_OF_REGIME, f"no trial meets the condition ({outside_trials} do not)")
    inside = judge_behaviour(inside_successes, inside_trials, rate=rate, confidence=confidence)
    text = f"inside the condition: {inside.reason}"
    verdict = inside.verdict
    if verdict is Verdict.HOLDS and outside_trials > 0:
        low = _exact(outside_successes, outside_trials, 2 * confidence - 1).low
        text += f"; outside: {outside_successes} of {outside_trials}, lower limit {low:.4g}"
        if low >= rate:
            verdict, text = Verdict.LOOSE, f"{text}: sufficient, not necessary"
    return Judgement(
        verdict,
        text,
        confidence_interval=inside.confidence_interval,
        equivalence_interval=inside.equivalence_interval,
        plan=inside.plan,
        interval_kind="exact",
        n_points=inside.n_points,
    )


def trials_to_decide(rate_seen: float, claimed: float, *, at_least: int = 1, upper: bool = False) -> int:
    """Trials after which exact limits decide for or against `claimed`, if the rate seen goes on.

    `upper` tells which side of the claim is "holds". A rate seen that sits on the claim is moved off it by a quarter
    of the room above or below, since no number of trials decides it.
    """
    room = min(claimed, 1 - claimed) / 4
    if abs(rate_seen - claimed) < room / 4:
        rate_seen = claimed + (room if rate_seen >= claimed else -room)

    def decides(trials: int) -> bool:
        successes = round(rate_seen * trials)
        below, above = (0.90, 0.95) if upper else (0.95, 0.90)
        return (
            _exact(successes, trials, below).high < claimed
            if rate_seen < claimed
            else _exact(successes, trials, above).low >= claimed
        )

    low, high = at_least - 1, max(at_least, 1)
    while high < MAX_PLANNED and not decides(high):
        low, high = high, min(2 * high, MAX_PLANNED)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


def _exact(successes: int, trials: int, confidence: float) -> Interval:
    return exact_interval(int(successes), int(trials), confidence)


def _require_rate(rate: float) -> None:
    if not 0 < rate < 1:
        raise ValueError(f"rate must lie in (0, 1), got {rate}")


# ------------------------------------------------------------------------------------------ identities, constants


def judge_identity(errors: ArrayLike, tolerance: float) -> Judgement:
    """Judge an identity by its largest error over many inputs; `tolerance` is for floating point only."""
    errors = np.abs(np.atleast_1d(np.asarray(errors, dtype=float)))
    if not errors.size:
        raise ValueError("errors must hold at least one value, got none")
    if not 0 <= tolerance < math.inf:
        raise ValueError(f"tolerance must be finite and >= 0, got {tolerance}")
    flat = np.where(np.isnan(errors), np.inf, errors).ravel()
    index = int(flat.argmax())
    place = index if errors.ndim == 1 else tuple(int(i) for i in np.unravel_index(index, errors.shape))
    holds = bool(flat[index] <= tolerance)
    words = "is" if holds else "is not"
    reason = (
        f"largest error {errors.ravel()[index]:.3g} {words} <= {tolerance:g}, at index {place} of {errors.size} inputs"
    )
    return Judgement(Verdict.HOLDS if holds else Verdict.REFUTED, reason, interval_kind="exact", n_points=errors.size)


def profile_constants(judge: Callable[[Choice], Judgement], candidates: Iterable[Choice]) -> Judgement:
    """Judge a claim over the stated range of its hidden constants: violated only if violated for all of them.

    The claim gets the benefit of the doubt: the mildest verdict counts, and among equals the one of smallest Delta.

    Args:
        judge: the judgement at one choice of constants.
        candidates: choices, as {name: value} or as what prints as one; the reason names the one that counts.
    """
    return profiled_choice(judge, candidates)[0]


def profiled_choice(judge: Callable[[Choice], Judgement], candidates: Iterable[Choice]) -> tuple[Judgement, Choice]:
    """As `profile_constants`, with the choice that counts."""
    judged = [(candidate, judge(candidate)) for candidate in candidates]
    if not judged:
        raise ValueError("candidates must hold at least one choice of constants, got none")

    def favour(pair: tuple[Choice, Judgement]) -> tuple[int, float]:
        delta = pair[1].delta
        return pair[1].verdict.severity, math.inf if delta is None else abs(delta)

    chosen, best = min(judged, key=favour)
    words = ", ".join(f"{k} = {v}" for k, v in chosen.items()) if isinstance(chosen, Mapping) else str(chosen)
    if not words:
        return best, chosen
    every = best.verdict is Verdict.VIOLATED and len(judged) > 1
    scope = f"{best.verdict} for all {len(judged)} choices of the constants, least" if every else "constants chosen:"
    reason = f"{best.reason}; {scope} at {words}" if every else f"{best.reason}; {scope} {words}"
    return replace(best, reason=reason), chosen
