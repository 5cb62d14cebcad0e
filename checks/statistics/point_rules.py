"""The rules for behaviours, conditions and identities: counts of yes and no, and largest errors.

Exact binomial limits are used wherever the data are counts. A claim is violated when the two-sided interval excludes
it; it holds when the one-sided limit (an end of the equivalence interval) meets it. At 95 % and a rate of 0.99 that
takes 299 trials without a failure, since 0.99^299 < 0.05: fewer can only be inconclusive.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.estimates import exact_interval
from checks.statistics.explanation import Clause, Explanation, Measurements, NextStep, Rule, Ruling, Topic, obstacle
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict

MAX_TRIALS = 1_000_000


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
