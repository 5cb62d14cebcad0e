"""Behaviours, conditions and identities: counts of yes and no, at a point or on the way to a limit, and largest errors.

*At a point.* Exact binomial limits are used wherever the data are counts. A claim is violated when the two-sided
interval excludes it; it holds when the one-sided limit (an end of the equivalence interval) meets it. At 95 % and a
rate of 0.99 that takes 299 trials without a failure, since 0.99^299 < 0.05: fewer can only be inconclusive.

*In a limit.* A behaviour that is claimed in a limit is judged by counts of yes and no along a path toward it. "For D
large enough, X happens" is not contradicted by a small D. The last third of the path decides: the claim *holds* where
the rate meets its level there, by the exact binomial limit of the pooled counts. It is *violated* only where the rate
fails its level there and does not rise along the path. Otherwise the path was too short, *inconclusive (finite size)*,
and the explanation names the size at which the fitted curve, logistic in the logarithm of the size, reaches the level.

A rise is looked for by the trend test of Cochran and Armitage on the logarithm of the size. It is one-sided at 1/4:
what may well be a rise speaks for the claim, since a wrong accusation is worse than an open end.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from checks.statistics.arguments import Toward, limit_of, shown, signed_log_axis
from checks.statistics.estimates import exact_interval
from checks.statistics.explanation import Clause, Explanation, Measurements, NextStep, Rule, Ruling, Topic, obstacle
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict

MAX_TRIALS = 1_000_000
"""Trials at which the search for a number that decides ends; what needs more is no plan."""


# --------------------------------------------------------------------------------------- behaviours and conditions


def judge_behaviour(successes: int, trials: int, *, rate: float, confidence: float = CONFIDENCE) -> Judgement:
    """Judge a yes-or-no behaviour stated beforehand, claimed to show in at least a fraction `rate` of the trials."""
    _require_rate(rate)
    policy = ErrorPolicy(confidence)
    if trials == 0:
        plan = NextStep(Plan(1, trials_to_decide(1.0, rate, policy)), "trials")
        return Judgement(Verdict.INCONCLUSIVE, replace(obstacle(Topic.SHORTAGE, "no trial"), next=plan))
    levels = policy.interval_confidence, policy.equivalence_confidence
    wide, narrow = (_exact(successes, trials, level) for level in levels)
    plan, level, decided = None, policy.equivalence_confidence, narrow
    if narrow.low >= rate:
        verdict = Verdict.HOLDS
        against = f"one-sided lower limit {narrow.low:.4g} >= {rate:g}"
    elif wide.high < rate:
        verdict, level, decided = Verdict.VIOLATED, policy.interval_confidence, wide
        against = f"upper limit {wide.high:.4g} < {rate:g}"
    else:
        plan = Plan(1, trials_to_decide(successes / trials, rate, policy, at_least=trials + 1))
        verdict, level, decided = Verdict.INCONCLUSIVE, policy.interval_confidence, wide
        against = f"{wide} around {rate:g}"
    counted = {"successes": int(successes), "trials": int(trials)}
    ruling = Ruling(
        rule=Rule.BINOMIAL,
        relation="lower",
        estimand="rate of success",
        figure=successes / trials,
        interval=decided,
        level=level,
        threshold=rate,
        measured=successes / trials,
        measured_interval=wide,
        measured_level=policy.interval_confidence,
        claimed=rate,
        clauses=(Clause(Topic.FINDING, f"seen in {successes} of {trials} trials, {against}", counted),),
    )
    evidence = Measurements(1, unit="", trials=int(trials))
    explanation = Explanation(ruling, evidence, next=NextStep(plan, "trials"))
    effect = Effect(None, wide, narrow, "exact", confidence=policy.interval_confidence, quantity=Quantity.RATE)
    return Judgement(verdict, explanation, effect=effect)


def judge_sufficient(
    inside_successes: int,
    inside_trials: int,
    outside_successes: int,
    outside_trials: int,
    *,
    rate: float,
    confidence: float = CONFIDENCE,
) -> Judgement:
    """Judge a sufficient condition: success at `rate` inside it is required, success outside only makes it loose."""
    _require_rate(rate)
    if inside_trials == 0:
        words = f"no trial meets the condition ({outside_trials} do not)"
        return Judgement(Verdict.OUT_OF_REGIME, obstacle(Topic.REGIME, words, outside=int(outside_trials)))
    inside = judge_behaviour(inside_successes, inside_trials, rate=rate, confidence=confidence)
    inside = inside.adding(evidence=(Clause(Topic.COUNTS, "trials inside the condition are judged"),))
    if inside.verdict is not Verdict.HOLDS or outside_trials == 0:
        return inside
    low = _exact(outside_successes, outside_trials, ErrorPolicy(confidence).equivalence_confidence).low
    words = f"outside: {outside_successes} of {outside_trials}, lower limit {low:.4g}"
    is_loose = low >= rate
    words += ": sufficient, not necessary" if is_loose else ""
    outside = Clause(Topic.COUNTS, words, {"successes": int(outside_successes), "trials": int(outside_trials)})
    told = inside.adding(decision=(outside,))
    return replace(told, verdict=Verdict.LOOSE) if is_loose else told


def trials_to_decide(
    rate_seen: float, claimed: float, policy: ErrorPolicy, *, at_least: int = 1, upper: bool = False
) -> int:
    """Trials after which exact limits decide for or against `claimed`, if the rate seen goes on.

    `upper` tells which side of the claim is "holds". A rate seen that sits on the claim is moved off it by a quarter
    of the room above or below, since no number of trials decides it.
    """
    room = min(claimed, 1 - claimed) / 4
    if abs(rate_seen - claimed) < room / 4:
        rate_seen = claimed + (room if rate_seen >= claimed else -room)

    def decides(trials: int) -> bool:
        successes = round(rate_seen * trials)
        holds, violated = policy.equivalence_confidence, policy.interval_confidence
        below, above = (holds, violated) if upper else (violated, holds)
        return (
            _exact(successes, trials, below).high < claimed
            if rate_seen < claimed
            else _exact(successes, trials, above).low >= claimed
        )

    low, high = at_least - 1, max(at_least, 1)
    while high < MAX_TRIALS and not decides(high):
        low, high = high, min(2 * high, MAX_TRIALS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


def _exact(successes: int, trials: int, confidence: float) -> Interval:
    return exact_interval(int(successes), int(trials), confidence)


def _require_rate(rate: float) -> None:
    if not 0 < rate < 1:
        raise ValueError(f"rate must lie in (0, 1), got {rate}")


# ------------------------------------------------------------------------------------------------------- identities


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
    largest = float(errors.ravel()[index])
    reason = f"largest error {largest:.3g} {words} <= {tolerance:g}, at index {place} of {errors.size} inputs"
    ruling = Ruling(
        rule=Rule.TOLERANCE,
        relation="upper",
        estimand="largest error",
        figure=largest,
        threshold=float(tolerance),
        measured=largest,
        clauses=(Clause(Topic.FINDING, reason, {"index": index, "inputs": errors.size}),),
    )
    verdict = Verdict.HOLDS if holds else Verdict.REFUTED
    explanation = Explanation(ruling, Measurements(errors.size, "inputs"))
    return Judgement(verdict, explanation, effect=Effect(interval_kind="exact"))


# ----------------------------------------------------------------------------------------------------------- in a limit


MIN_SIZES = 3
"""Sizes along a path, least: the trend test of Cochran and Armitage, and a last third, mean nothing on fewer."""
RISE_LEVEL = 0.25
"""Of the trend test, one-sided. Not the policy's: a stricter one would see fewer rises, and so accuse more."""
_MAX_SIZE = 1e30


def judge_path_behaviour(
    axis: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    rate: float,
    toward: Toward = "infinity",
    confidence: float = CONFIDENCE,
) -> Judgement:
    """Judge a yes-or-no behaviour claimed to show in at least a fraction `rate` of the trials, in a limit of `axis`.

    >>> judge_path_behaviour([8, 16, 32, 64, 128], [0, 2, 5, 30, 30], [10, 10, 10, 30, 30], rate=0.9).verdict
    <Verdict.HOLDS: 'holds'>
    >>> judge_path_behaviour([8, 16, 32, 64], [9, 6, 2, 0], [10, 10, 10, 10], rate=0.9).verdict
    <Verdict.VIOLATED: 'violated'>

    Args:
        axis: the sizes along the path [points], > 0.
        successes, trials: counts at each size [points].
        toward: the limit, as in `judge_scaling`.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    values, x = signed_log_axis(axis, toward)
    successes, trials = (np.asarray(counts, dtype=int) for counts in (successes, trials))
    if successes.shape != x.shape or trials.shape != x.shape:
        counts = f"{shown(successes)}, {shown(trials)}"
        raise ValueError(f"successes and trials must have one count per axis value ({len(x)}), got {counts}")
    if np.any(trials < 1) or np.any(successes < 0) or np.any(successes > trials):
        counts = f"{shown(successes)} of {shown(trials)}"
        raise ValueError(f"successes must lie between 0 and trials, trials be > 0, got {counts}")
    x, first, place = np.unique(x, return_index=True, return_inverse=True)  # equal sizes are one
    values = values[first]
    successes, trials = (np.bincount(place, counts).astype(int) for counts in (successes, trials))
    if len(x) < MIN_SIZES:
        short = obstacle(Topic.SHORTAGE, f"only {len(x)} sizes along the path, {MIN_SIZES} are needed", sizes=len(x))
        return Judgement(Verdict.INCONCLUSIVE, replace(short, evidence=Measurements(len(x), "sizes")))
    last = slice(len(x) - math.ceil(len(x) / 3), None)
    end = judge_behaviour(int(successes[last].sum()), int(trials[last].sum()), rate=rate, confidence=confidence)
    end = _along_path(end, values, successes, trials)
    if end.verdict is not Verdict.VIOLATED:
        return end
    late = slice(min(len(x) // 2, len(x) - MIN_SIZES), None)  # what dips first and rises then rises toward the limit
    if not any(_rises(x[part], successes[part], trials[part]) for part in (slice(None), late)):
        return end.adding(evidence=(Clause(Topic.COUNTS, "the rate does not rise along the path"),))
    size = _size_at_level(x, successes, trials, rate, limit_of(toward))
    reached = f"the fitted curve reaches {rate:g} at {size}" if size else f"no fitted size reaches {rate:g}"
    rising = Clause(Topic.FINITE_SIZE, f"finite size: the rate rises; {reached}", {"size": size or None})
    return end.withdrawn(Verdict.INCONCLUSIVE, rising)


def _along_path(end: Judgement, values: np.ndarray, successes: np.ndarray, trials: np.ndarray) -> Judgement:
    """The judgement of the last third of a path, with the counts of all of it."""
    counts = ", ".join(f"{k}/{n} at {v:g}" for v, k, n in zip(values, successes, trials, strict=True))
    explanation = replace(
        end.explanation,
        decision=replace(end.explanation.decision, rule=Rule.PATH_END),
        evidence=replace(
            end.explanation.evidence,
            points=len(values),
            unit="sizes",
            axis_range=Interval(float(values.min()), float(values.max())),
        ),
    )
    along = Clause(Topic.COUNTS, f"along the path {counts}; its last third decides")
    return replace(end, explanation=explanation.adding(evidence=(along,)))


def nears_bound(
    axis: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    bound: ArrayLike,
    *,
    relation: str,
    toward: Toward = "infinity",
) -> bool:
    """Whether shares that break a bound may come nearer to it along a path: by how much they miss it, trend test.

    A share that falls toward its bound may meet it farther out, as a rate that rises may. The test is that of
    `judge_path_behaviour`, on measured / bound (on measured - bound where a bound is not positive).

    Args:
        axis: the sizes along the path [points], > 0.
        successes, trials, bound: counts and the claimed share at each point [points].
        relation: "upper" or "lower".

    Returns:
        False where there are fewer than `MIN_SIZES` sizes: a trend cannot be told.
    """
    _, x = signed_log_axis(axis, toward)
    successes, trials, bound = (np.asarray(values, dtype=float) for values in (successes, trials, bound))
    if not x.shape == successes.shape == trials.shape == bound.shape:
        raise ValueError(f"successes, trials and bound must have one entry per axis value ({len(x)}), got {bound}")
    if len(np.unique(x)) < MIN_SIZES:
        return False
    unit = bound if np.all(bound > 0) else np.ones_like(bound)
    pooled = successes.sum() / trials.sum()
    excess = (successes / trials - bound) / unit
    centred = x - (trials * x).sum() / trials.sum()
    trend = float((trials * centred * excess).sum())
    spread = math.sqrt(float((trials * (centred / unit) ** 2).sum()) * max(pooled * (1 - pooled), 1e-12))
    return bool(special.ndtr((trend if relation == "upper" else -trend) / spread) < RISE_LEVEL)


def _rises(x: np.ndarray, successes: np.ndarray, trials: np.ndarray) -> bool:
    """Whether the rate may rise toward the limit: trend test, one-sided."""
    total, pooled = trials.sum(), successes.sum() / trials.sum()
    if pooled in (0.0, 1.0):
        return False
    center = (trials * x).sum() / total
    trend = (successes * (x - center)).sum()
    spread = math.sqrt(pooled * (1 - pooled) * (trials * (x - center) ** 2).sum())
    return bool(special.ndtr(-trend / spread) < RISE_LEVEL)


def _size_at_level(x: np.ndarray, successes: np.ndarray, trials: np.ndarray, rate: float, toward: Toward) -> str:
    """Where the logistic curve through the counts reaches `rate`, in the axis's own units; "" where it never does."""
    odds = np.log((successes + 0.5) / (trials - successes + 0.5))
    weight = 1 / (1 / (successes + 0.5) + 1 / (trials - successes + 0.5))
    slope, height = np.polyfit(x, odds, 1, w=np.sqrt(weight))
    if slope <= 0:
        return ""
    reach = (math.log(rate / (1 - rate)) - height) / slope
    if abs(reach) > math.log(_MAX_SIZE):
        return ""
    if toward == "infinity":
        return f"{math.exp(reach):.3g}"
    distance = math.exp(-reach)
    return f"{distance:.3g}" if toward == "zero" else f"a distance of {distance:.3g} from {toward}"
