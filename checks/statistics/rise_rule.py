"""Thresholds along an axis without a claimed value: the exponent they follow, and whether they rise at all.

A figure may say that more of something needs more samples, and not how many more. `judge_rise` fits a line to log
threshold against the axis as it stands, which may begin at zero, and asks for the sign of its slope: the claim holds
where the one-sided limit of the change from end to end is above none, and is violated where the thresholds fall. A
change that stays within the noise decides nothing, however small it must be: the claim has no size to fall short of.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import shown
from checks.statistics.estimates import Estimate, exp_or_inf
from checks.statistics.explanation import (
    Clause,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
    obstacle,
)
from checks.statistics.points import points_from_thresholds
from checks.statistics.policy import CONFIDENCE, ErrorPolicy, level_words, policy_of
from checks.statistics.regression import Line, fit_line
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict

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
    found = _line(axis, estimates)
    count = sum(estimate.value is not None for estimate in estimates)
    if found is None or count < MIN_THRESHOLDS:
        few = obstacle(Topic.SHORTAGE, f"{count} thresholds were found, {MIN_THRESHOLDS} are needed", thresholds=count)
        return Judgement(Verdict.INCONCLUSIVE, replace(few, evidence=Measurements(count, "thresholds")))
    line, span = found

    def change(level: float) -> Interval:
        interval = line.interval(level)
        return Interval(interval.low * span, interval.high * span)

    levels = policy.violation_confidence, policy.interval_confidence, policy.equivalence_confidence
    strict, wide, narrow = (change(level) for level in levels)
    rose, fell = (Verdict.VIOLATED, Verdict.HOLDS) if falls else (Verdict.HOLDS, Verdict.VIOLATED)
    verdict = Verdict.INCONCLUSIVE
    if (strict if falls else narrow).low > 0:
        verdict = rose
    elif (narrow if falls else strict).high < 0:
        verdict = fell
    factor, ratio, ratio_narrow = exp_or_inf(line.slope * span), _factors(wide), _factors(narrow)
    words = {rose: "it rises", fell: "it falls"}.get(verdict, "neither a rise nor a fall is shown")
    level = {rose: levels[0] if falls else levels[2], fell: levels[2] if falls else levels[0]}.get(verdict, levels[1])
    decided = _factors(change(level))
    reason = (
        f"from {axis.min():g} to {axis.max():g} the threshold changes by a factor {factor:.3g}, "
        f"{level_words(level)} interval {decided}: {words}"
    )
    ruling = Ruling(
        rule=Rule.TREND,
        relation="upper" if falls else "lower",
        estimand="factor from the least to the largest axis value",
        figure=factor,
        threshold=1.0,
        interval=decided,
        level=level,
        measured=factor,
        measured_interval=ratio,
        measured_level=policy.interval_confidence,
        clauses=(Clause(Topic.FINDING, reason),),
    )
    evidence = Measurements(len(estimates), "thresholds", axis_range=Interval(float(axis.min()), float(axis.max())))
    plan = _plan(line, estimates, policy) if verdict is Verdict.INCONCLUSIVE else None
    effect = Effect(None, ratio, ratio_narrow, "t", confidence=policy.interval_confidence, quantity=Quantity.CHANGE)
    return Judgement(verdict, Explanation(ruling, evidence, next=NextStep(plan, "trials")), effect=effect)


def _factors(change: Interval) -> Interval:
    """Factors of changes of a logarithm."""
    return Interval(exp_or_inf(change.low), exp_or_inf(change.high))


def fitted_exponent(
    axis: ArrayLike, estimates: Sequence[Estimate], *, confidence: float = CONFIDENCE
) -> tuple[float, Interval] | None:
    """The exponent of thresholds in a positive axis with its interval; None where too few were found."""
    axis = np.asarray(axis, dtype=float)
    if not np.all(axis > 0) or sum(estimate.value is not None for estimate in estimates) < MIN_THRESHOLDS:
        return None
    found = _line(np.log(axis), estimates)
    return None if found is None else (found[0].slope, found[0].interval(confidence))


def _line(x: np.ndarray, estimates: Sequence[Estimate]) -> tuple[Line, float] | None:
    """The line of log threshold against x, and the length of x; None where no line, or no noise, can be had."""
    points, _ = points_from_thresholds(x, estimates)
    line = fit_line(points)
    return None if line is None or not line.noise else (line, float(np.ptp(x)))


def _plan(line: Line, estimates: Sequence[Estimate], policy: ErrorPolicy) -> Plan | None:
    """So many trials a point would show the change that is seen; None where that is out of reach."""
    interval = line.interval(policy.equivalence_confidence)
    half = 0.5 * (interval.high - interval.low)
    growth = (half / abs(line.slope)) ** 2 if line.slope else math.inf
    if not growth <= MAX_GROWTH:
        return None
    trials = float(np.median([estimate.n_trials for estimate in estimates]))
    return Plan(len(estimates), math.ceil(max(growth, 1.0) * trials) + 1)
