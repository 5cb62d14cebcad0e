"""The rule for paired differences: is their mean where a claim says, by a margin that was stated beforehand?

A pair is two networks, or two measurements, that share their seed, so that what varies between pairs alone cancels. One
interval of the mean difference answers all three questions: not below a margin (non-inferiority), within two margins
(equivalence, as two one-sided tests), or below zero. The interval is the wider of t and Hall's
(`checks.statistics.means`), because few differences show little of their skewness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from checks.statistics.means import SampleMean
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Verdict

MIN_PAIRS = 5
"""Fewer pairs say too little of the scatter; image experiments are often averaged over five seeds."""
MAX_PAIRS = 100_000


def judge_paired(
    differences: Sequence[float], *, low: float = -math.inf, high: float = math.inf, confidence: float = 0.95
) -> Judgement:
    """Judge that the mean of paired differences lies between two margins stated beforehand.

    >>> str(judge_paired([-0.015, -0.008, -0.002, 0.001, 0.006, 0.012], low=-0.03).verdict)
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
    if not 0.5 < confidence < 1:
        raise ValueError(f"confidence must be above 1/2 and below 1, got {confidence}")
    count = len(values)
    if count < MIN_PAIRS:
        return Judgement(
            Verdict.INCONCLUSIVE,
            f"{count} pairs, and {MIN_PAIRS} are the least that are judged; would decide: more pairs",
            Plan(1, MIN_PAIRS),
            count,
        )
    mean = SampleMean(values)
    wide, narrow = mean.interval(confidence), mean.interval(2 * confidence - 1)
    figures = f"mean difference {mean.value:+.4f} {_signed(wide)} over {count} pairs, {_asked(low, high)}"
    effect = Effect(mean.value, wide, narrow, "t", None if math.isinf(max(-low, high)) else max(-low, high))
    if low <= narrow.low and narrow.high <= high:
        return Judgement(Verdict.HOLDS, figures, n_points=count, effect=effect)
    if wide.high < low or wide.low > high:
        return Judgement(Verdict.VIOLATED, figures, n_points=count, effect=effect)
    plan = Plan(1, _pairs_to_decide(mean, narrow, low=low, high=high))
    if mean.is_constant:
        figures += "; the differences are all equal, which says nothing of their scatter"
    reason = f"{figures}; would decide: {plan.n_replicates} pairs"
    return Judgement(Verdict.INCONCLUSIVE, reason, plan, count, effect=effect)


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
