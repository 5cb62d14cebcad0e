"""The rule of claims that state a value exactly: an equality of expectations, on arithmetic means, by equivalence.

No finite sample shows that two numbers are equal, only that they differ by less than a margin stated beforehand. Every
point has the interval of measured / claimed. The claim *holds* where all equivalence intervals lie within the margin of
1; it is *violated* where one interval, its error shared among the points by Bonferroni, lies wholly beyond the margin.
No prefactor is fitted: a claim that is wrong by a constant factor is wrong.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import shown
from checks.statistics.bound_rules import lacking, next_trials, point_ruling
from checks.statistics.explanation import Clause, Explanation, Measurements, Rule, Topic
from checks.statistics.means import Measured, PointMean, point_means
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Quantity, Verdict


def judge_exact(
    measured: Measured,
    claimed: ArrayLike,
    *,
    margin: float,
    range: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
) -> Judgement:
    """Judge values claimed exactly, point by point.

    >>> samples = 3 + 0.01 * np.random.default_rng(0).standard_normal((4, 50))
    >>> judge_exact(samples, [3, 3, 3, 3], margin=0.05).verdict, judge_exact(samples, [3, 3, 3, 4], margin=0.05).verdict
    (<Verdict.HOLDS: 'holds'>, <Verdict.VIOLATED: 'violated'>)

    Args:
        measured: samples [points, replicates], or a list of samples for each point, whose arithmetic means are
            judged, since they are what an expectation is of; or one `Interval` per point.
        claimed: the values claimed [points], none of them 0.
        margin: practical equivalence of measured / claimed with 1, between 0 and 1.
        range: between which numbers a single sample must lie by its meaning, as in `judge_explicit`.
        confidence: of the family of points.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    claimed = np.atleast_1d(np.asarray(claimed, dtype=float))
    if claimed.ndim != 1 or not claimed.size or not np.all(np.isfinite(claimed) & (claimed != 0)):
        raise ValueError(f"claimed must be finite numbers other than 0 [points], got {shown(claimed)}")
    if not 0 < margin < 1:
        raise ValueError(f"margin must lie in (0, 1), got {margin}")
    policy = ErrorPolicy(confidence)
    means, kind = point_means(measured, policy, range)
    if len(means) != len(claimed):
        raise ValueError(f"claimed must have one value per point ({len(means)}), got {len(claimed)}")
    means = [_over(mean, value) for mean, value in zip(means, claimed, strict=True)]
    low, high = 1 - margin, 1 + margin
    count = len(means)
    beyond = [i for i, mean in enumerate(means) if not mean.is_short and (mean.wide.high < low or mean.wide.low > high)]
    undecided = [i for i, mean in enumerate(means) if mean.is_short or not _is_within(mean.narrow, low, high)]
    worst = max(beyond or undecided or np.arange(count), key=lambda i: _distance(means[i].value))
    deciding = means[worst]
    farthest = f"measured / claimed = {deciding.value:.4g} {deciding.wide} at index {worst}"
    obstacles, plan = (), None
    if beyond:
        verdict, said = Verdict.VIOLATED, f"beyond 1 +- {margin:g} at {len(beyond)} of {count} points: {farthest}"
    elif not undecided:
        verdict, said = Verdict.HOLDS, f"within 1 +- {margin:g} at all {count} points, farthest: {farthest}"
    else:
        verdict, obstacles = Verdict.INCONCLUSIVE, lacking(deciding)
        said = f"{len(undecided)} of {count} points undecided about 1 +- {margin:g}: {farthest}"
        plan = None if kind == "given" else max(_planned(means[i], margin) for i in undecided)
    figures = {"index": int(worst), "beyond": len(beyond), "undecided": len(undecided)}
    ruling = replace(
        point_ruling(Rule.RATIO, deciding, verdict, 1.0, relation="tight", policy=policy, count=count),
        estimand="measured / claimed at the point that decides",
        threshold=float(margin),
        clauses=(Clause(Topic.FINDING, said, figures),),
        obstacles=obstacles,
    )
    step = next_trials(count, plan, deciding, may_state_range=True)
    effect = Effect(
        None,
        deciding.wide,
        deciding.narrow,
        kind,
        margin,
        confidence=policy.each_of(count),
        quantity=Quantity.RATIO,
        relation="tight",
    )
    exponents = Exponents(prefactor=_prefactor(means))
    return Judgement(verdict, Explanation(ruling, Measurements(count), next=step), effect=effect, exponents=exponents)


def _is_within(interval: Interval, low: float, high: float) -> bool:
    return interval.low >= low and interval.high <= high


def _distance(ratio: float) -> float:
    return abs(ratio - 1) if math.isfinite(ratio) else math.inf


def _prefactor(means: list[PointMean]) -> float | None:
    """Measured / claimed on the geometric mean of the points; those without a logarithm are left out."""
    ratios = [abs(mean.value) for mean in means if math.isfinite(mean.value) and mean.value != 0]
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else None


def _over(mean: PointMean, value: float) -> PointMean:
    """The mean and its intervals in units of the claimed value."""

    def over(interval: Interval) -> Interval:
        ends = interval.low / value, interval.high / value
        return Interval(min(ends), max(ends))

    return replace(mean, value=mean.value / value, wide=over(mean.wide), narrow=over(mean.narrow))


def _planned(mean: PointMean, margin: float) -> int:
    """Trials at one point that would decide if the measured ratio is the true one."""
    size = mean.count or 1
    half, room = 0.5 * (mean.narrow.high - mean.narrow.low), abs(margin - abs(mean.value - 1))
    least = max(mean.needed, size + 1)
    return max(least, math.ceil(size * (half / max(room, margin / 20)) ** 2)) if math.isfinite(half) else least
