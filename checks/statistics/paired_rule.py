"""The rule for paired differences: is their mean where a claim says, by a margin that was stated beforehand?

A pair is two networks, or two measurements, that share their seed, so that what varies between pairs alone cancels. One
interval of the mean difference answers all three questions: not below a margin (non-inferiority), within two margins
(equivalence, as two one-sided tests), or below zero. At either end it is the widest of t, Hall's and that of the median
by order statistics, as for slopes of seeds (`checks.statistics.slope_rules`), because few differences show little of
their skewness. Where they show much, their mean is not bounded on the side of the tail, and nothing is said of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from checks.statistics.explanation import (
    Clause,
    Clauses,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
    obstacle,
)
from checks.statistics.means import SampleMean, skew_limit
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.slope_rules import median_interval
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict

MIN_PAIRS = 8
"""As for slopes of seeds: of fewer, the median's interval at 95 % is their whole range.

At 99 % eight normal pairs are held in 99.2 % of experiments, lognormal ones in 97.4 % (at 95 %: 97.7 and 96.4 %)."""
MAX_PAIRS = 100_000
_TAIL_FACTOR = 2.0
"""On the skewness that pairs show, as for slopes of seeds."""
_OPEN_FROM = 0.4
"""Skewness over the root of the number of pairs from which on their mean is not bounded on that side.

At 8 to 20 pairs lognormal differences of any spread then "hold" wrongly in 5.5 % of experiments at most
(docs/statistics.md). The price: 8 normal pairs exceed it on a given side in 10 % of experiments, 12 in 2 %. From 16
pairs on the limit of all means is the smaller one."""


def judge_paired(
    differences: Sequence[float], *, low: float = -math.inf, high: float = math.inf, confidence: float = CONFIDENCE
) -> Judgement:
    """Judge that the mean of paired differences lies between two margins stated beforehand.

    >>> str(judge_paired([-0.015, -0.008, -0.005, -0.002, 0.001, 0.003, 0.006, 0.012], low=-0.03).verdict)
    'holds'

    Args:
        differences: one a pair, finite.
        low, high: margins; an infinite one asks for nothing on its side.
        confidence: of the interval that must lie beyond a margin for "violated"; both one-sided limits of "holds" are
            at this confidence.

    Raises:
        ValueError: differences that are not finite, margins in the wrong order or without any, or another confidence.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"differences must be finite numbers [pairs], got {list(differences)[:5]}")
    if not low < high or (math.isinf(low) and math.isinf(high)):
        raise ValueError(f"low and high must be margins, low < high, got {low} and {high}")
    policy = ErrorPolicy(confidence)
    count = len(values)
    if count < MIN_PAIRS:
        short = obstacle(Topic.SHORTAGE, f"{count} pairs, and {MIN_PAIRS} are the least that are judged", pairs=count)
        step = NextStep(Plan(1, MIN_PAIRS), "pairs")
        return Judgement(Verdict.INCONCLUSIVE, replace(short, evidence=Measurements(count, "pairs"), next=step))
    mean, ordered = SampleMean(values), np.sort(values).tolist()
    levels = policy.interval_confidence, policy.equivalence_confidence
    wide, narrow = (_interval(mean, ordered, level) for level in levels)
    verdict, plan = Verdict.INCONCLUSIVE, None
    if low <= narrow.low and narrow.high <= high:
        verdict = Verdict.HOLDS
    elif wide.high < low or wide.low > high:
        verdict = Verdict.VIOLATED
    else:
        plan = Plan(1, _pairs_to_decide(mean, narrow, low=low, high=high))
    figures = f"mean difference {mean.value:+.4f} {_signed(wide)} over {count} pairs, {_asked(low, high)}"
    is_narrow = verdict is Verdict.HOLDS
    ruling = Ruling(
        rule=Rule.PAIRED,
        relation="upper" if math.isinf(low) else "lower" if math.isinf(high) else "tight",
        estimand="mean of paired differences",
        figure=mean.value,
        interval=narrow if is_narrow else wide,
        level=policy.equivalence_confidence if is_narrow else policy.interval_confidence,
        threshold=high if math.isinf(low) else low,
        measured=mean.value,
        measured_interval=wide,
        measured_level=policy.interval_confidence,
        clauses=(Clause(Topic.FINDING, figures, {"low": _finite(low), "high": _finite(high)}),),
        obstacles=_missing(mean) if verdict is Verdict.INCONCLUSIVE else (),
    )
    margin = None if math.isinf(max(-low, high)) else max(-low, high)
    effect = Effect(
        mean.value, wide, narrow, "t", margin, confidence=policy.interval_confidence, quantity=Quantity.DIFFERENCE
    )
    explanation = Explanation(ruling, Measurements(count, "pairs"), next=NextStep(plan, "pairs"))
    return Judgement(verdict, explanation, effect=effect)


def _finite(end: float) -> float | None:
    return float(end) if math.isfinite(end) else None


def _interval(mean: SampleMean, ordered: Sequence[float], confidence: float) -> Interval:
    """The wider end of the mean's interval and the median's; infinite where pairs are too skewed to tell."""
    of_mean = mean.closed(confidence, tail_factor=_TAIL_FACTOR, stays=True)
    of_median = median_interval(ordered, confidence)
    low, high = min(of_mean.low, of_median.low), max(of_mean.high, of_median.high)
    side = _open_side(mean)
    return Interval(-math.inf if side < 0 else low, math.inf if side > 0 else high)


def _open_side(mean: SampleMean) -> int:
    """1 where the pairs are too skewed to bound their mean above, -1 where below, 0 where in neither way."""
    limit = min(_OPEN_FROM, skew_limit(mean.count)) * math.sqrt(mean.count)
    return 0 if abs(mean.skewness) <= limit else int(math.copysign(1, mean.skewness))


def _missing(mean: SampleMean) -> Clauses:
    """What the differences lack for a verdict."""
    if mean.is_constant:
        words = "the differences are all equal, which says nothing of their scatter"
        return (Clause(Topic.SHORTAGE, words),)
    side = _open_side(mean)
    if not side:
        return ()
    word, end = ("upward", "above") if side > 0 else ("downward", "below")
    words = f"the differences are skewed {word} (skewness {mean.skewness:+.2g}) and do not bound their mean {end}"
    return (Clause(Topic.SKEWNESS, words, {"skewness": mean.skewness}),)


def _asked(low: float, high: float) -> str:
    if math.isinf(high):
        return f"claimed above {low:+g}"
    return f"claimed below {high:+g}" if math.isinf(low) else f"claimed between {low:+g} and {high:+g}"


def _signed(interval: Interval) -> str:
    return f"[{interval.low:+.4f}, {interval.high:+.4f}]"


def _pairs_to_decide(mean: SampleMean, narrow: Interval, *, low: float, high: float) -> int:
    """Pairs that would decide if the mean is where it was seen, its error falling with their root."""
    half = 0.5 * (narrow.high - narrow.low)
    gap = min(abs(mean.value - end) for end in (low, high) if math.isfinite(end))
    if not math.isfinite(half):
        return 2 * mean.count
    wanted = mean.count * (half / max(gap, half / 100)) ** 2
    return min(MAX_PAIRS, max(mean.count + 1, math.ceil(wanted)))
