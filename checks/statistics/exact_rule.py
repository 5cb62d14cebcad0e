"""The rule of claims that state a value exactly: an equality of expectations, on arithmetic means, by equivalence.

No finite sample shows that two numbers are equal, only that they differ by less than a margin stated beforehand. Every
point has the interval of measured / claimed. The claim *holds* where all 90 % intervals lie within the margin of 1; it
is *violated* where one interval, at 95 % shared among the points by Bonferroni, lies wholly beyond the margin. No
prefactor is fitted: a claim that is wrong by a constant factor is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import shown
from checks.statistics.bound_rules import MIN_REPLICATES, bonferroni, t_interval
from checks.statistics.replicates import finite_rows
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Plan, Verdict


def judge_exact(
    measured: Sequence[Interval] | Sequence[Sequence[float]] | np.ndarray,
    claimed: ArrayLike,
    *,
    margin: float,
    confidence: float = 0.95,
) -> Judgement:
    """Judge values claimed exactly, point by point.

    >>> samples = 3 + 0.01 * np.random.default_rng(0).standard_normal((4, 50))
    >>> judge_exact(samples, [3, 3, 3, 3], margin=0.05).verdict, judge_exact(samples, [3, 3, 3, 4], margin=0.05).verdict
    (<Verdict.HOLDS: 'holds'>, <Verdict.VIOLATED: 'violated'>)

    Args:
        measured: samples [points, replicates], or a list of lists of any lengths, whose means are judged with t
            intervals; or one `Interval` per point.
        claimed: the values claimed [points], none of them 0.
        margin: practical equivalence of measured / claimed with 1, between 0 and 1.
        confidence: of the family of points.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    claimed = np.atleast_1d(np.asarray(claimed, dtype=float))
    if claimed.ndim != 1 or not claimed.size or not np.all(np.isfinite(claimed) & (claimed != 0)):
        raise ValueError(f"claimed must be finite numbers other than 0 [points], got {shown(claimed)}")
    if not 0 < margin < 1:
        raise ValueError(f"margin must lie in (0, 1), got {margin}")
    values, wide, narrow, size, kind = _intervals(measured, confidence)
    if len(values) != len(claimed):
        raise ValueError(f"claimed must have one value per point ({len(values)}), got {len(claimed)}")
    wide, narrow = (
        [_over(interval, value) for interval, value in zip(group, claimed, strict=True)] for group in (wide, narrow)
    )
    ratios = np.array(values) / claimed
    low, high = 1 - margin, 1 + margin
    beyond = [i for i, interval in enumerate(wide) if interval.high < low or interval.low > high]
    within = [interval.low >= low and interval.high <= high for interval in narrow]
    worst = max(
        beyond or range(len(ratios)), key=lambda i: abs(ratios[i] - 1) if math.isfinite(ratios[i]) else math.inf
    )
    middle = ratios[np.isfinite(ratios) & (ratios != 0)]  # the others have no logarithm
    prefactor = float(np.exp(np.log(np.abs(middle)).mean())) if len(middle) else None
    figures = f"measured / claimed = {ratios[worst]:.4g} {wide[worst]} at index {worst}"
    plan = None
    if beyond:
        verdict, reason = (
            Verdict.VIOLATED,
            f"beyond 1 +- {margin:g} at {len(beyond)} of {len(ratios)} points: {figures}",
        )
    elif all(within):
        verdict, reason = Verdict.HOLDS, f"within 1 +- {margin:g} at all {len(ratios)} points, farthest: {figures}"
    else:
        verdict = Verdict.INCONCLUSIVE
        reason = f"{len(ratios) - sum(within)} of {len(ratios)} points undecided about 1 +- {margin:g}: {figures}"
        if size is not None:
            plan = Plan(len(ratios), _planned(narrow, ratios, margin, size))
            reason += f"; would decide: {plan.n_replicates} trials at each point"
    effect = Effect(None, wide[worst], narrow[worst], kind, margin)
    return Judgement(verdict, reason, plan, len(ratios), effect=effect, exponents=Exponents(prefactor=prefactor))


def _intervals(
    measured: Sequence[Interval] | Sequence[Sequence[float]] | np.ndarray, confidence: float
) -> tuple[list[float], list[Interval], list[Interval], int | None, str]:
    given = [entry for entry in measured if isinstance(entry, Interval)]
    if given and len(given) == len(measured):
        return [0.5 * (i.low + i.high) for i in given], given, given, None, "given"
    samples = finite_rows("measured", measured)
    wide = [t_interval(row, bonferroni(confidence, len(samples))) for row in samples]
    narrow = [t_interval(row, 2 * confidence - 1) for row in samples]
    return [float(row.mean()) for row in samples], wide, narrow, max(map(len, samples)), "t"


def _over(interval: Interval, value: float) -> Interval:
    ends = interval.low / value, interval.high / value
    return Interval(min(ends), max(ends))


def _planned(narrow: Sequence[Interval], ratios: np.ndarray, margin: float, size: int) -> int:
    """Replicates after which the widest interval would fit between its ratio and the nearer end of the margin."""
    needed = size + 1
    for interval, ratio in zip(narrow, ratios, strict=True):
        half, room = 0.5 * (interval.high - interval.low), abs(margin - abs(ratio - 1))
        if math.isfinite(half):
            needed = max(needed, math.ceil(size * (half / max(room, margin / 20)) ** 2))
    return max(MIN_REPLICATES, needed)
