"""Explicit bounds on a probability, judged by counts: pooled where units are independent, by trial where they are not.

Counts pooled over a point have the exact binomial interval [Clopper and Pearson 1934]. It is right only where the units
are drawn independently. Units of one trial often are not: samples of one data set, neurons of one start. Such counts
are handed over trial by trial, and the trials are then what was drawn. Their scatter gives the variance of the pooled
share, and so the number of independent units that would scatter as much: at most as many as there are, and fewer by
what Student's t says of so few trials. The exact interval of that many is the wider of both [Korn and Graubard 1998].

Two things that the scatter of few trials cannot show are allowed for. Trials that agree at 0 or at 1 show no scatter
because there was nothing to see: each then counts as one unit. Where shares scatter more than independent units would
and have a long tail, the clumps not drawn are in that tail: that end is the limit by betting on the shares, which is
valid for any share between 0 and 1 (`checks.statistics.means`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.bound_rules import judge_means, require_bounds
from checks.statistics.estimates import exact_interval
from checks.statistics.explanation import Rule
from checks.statistics.means import PointMean, bounded_interval, skewness
from checks.statistics.policy import CONFIDENCE, PRETEST_LEVEL, ErrorPolicy
from checks.statistics.regression import t_quantile
from checks.statistics.verdict import Interval, Judgement

Array = NDArray[np.float64]

Counts = ArrayLike | Sequence[Sequence[float] | np.ndarray | float]
"""One number or one list of numbers for each point."""

MIN_TRIALS = 8
"""Trials without which their scatter carries no verdict: at five, clumps missed by chance let a false bound on a rate
of 0.1 hold in 15 % of experiments."""

_LONG_TAIL = 0.2
"""Skewness of the shares over the root of their number: `checks.statistics.means.skew_limit` of many samples."""


def judge_fraction(
    successes: Counts,
    trials: Counts,
    claimed: ArrayLike,
    *,
    relation: str,
    confidence: float = CONFIDENCE,
    trivial: float | None = None,
) -> Judgement:
    """Judge an explicit bound on a probability by counts.

    >>> judge_fraction([30], [100], [0.4], relation="upper").verdict  # 100 independent units
    <Verdict.HOLDS: 'holds'>
    >>> judge_fraction([[10, 0, 0, 10, 0, 0, 0, 10, 0, 0]], [[10] * 10], [0.4], relation="upper").verdict  # all or none
    <Verdict.INCONCLUSIVE: 'inconclusive'>

    Args:
        successes: of each point: a count of independent units, or a list of counts, one a trial, whose units may share
            something.
        trials: units in the same form: a number per point or, where successes are lists, per point or per trial.
        claimed: the claimed bound on the probability [points].
        relation: "upper" or "lower".
        confidence: of the family of points.
        trivial: as in `judge_explicit`; 1 for upper bounds and 0 for lower ones.

    Raises:
        ValueError: on counts that are not whole numbers between 0 and their units, or lengths that differ.
    """
    bound = require_bounds(claimed, relation, name="claimed")
    points = _counts(successes, trials)
    if len(points) != len(bound):
        raise ValueError(f"claimed must have one value per point ({len(points)}), got {len(bound)}")
    policy = ErrorPolicy(confidence)
    level, narrow = policy.each_of(len(points)), policy.equivalence_confidence
    means = [_point_mean(counts, units, level, narrow) for counts, units in points]
    if trivial is None:
        trivial = 1.0 if relation == "upper" else 0.0
    limits = np.full(len(bound), float(trivial))
    kind = "exact" if all(_are_independent(units) for _, units in points) else "between trials"
    return judge_means(means, bound, relation=relation, trivial=limits, kind=kind, policy=policy, rule=Rule.SHARE_BOUND)


def _point_mean(counts: Array, units: Array, level: float, narrow: float) -> PointMean:
    wide, tight = (share_interval(counts, units, each) for each in (level, narrow))
    rate = float(counts.sum() / units.sum())
    if _are_independent(units):
        return PointMean(rate, wide, tight, int(units.sum()))
    if len(units) >= MIN_TRIALS:
        return PointMean(rate, wide, tight, len(units))
    missing = f"only {len(units)} trials there, and {MIN_TRIALS} are needed where units of a trial may share something"
    return PointMean(rate, wide, tight, len(units), missing, MIN_TRIALS, is_short=True)


def _are_independent(units: Array) -> bool:
    """Whether units are pooled, hence said to be independent, or one in each trial."""
    return units.ndim == 0 or len(units) == units.sum()


def share_interval(successes: ArrayLike, units: ArrayLike, confidence: float) -> Interval:
    """Interval of a probability from a pooled count, or from counts by trial [trials] whose units may share something.

    Where every trial has one unit, the trials are the units and the interval is exact. One trial of many units says
    nothing of what they share.
    """
    successes, units = (np.asarray(values, dtype=float) for values in (successes, units))
    n_success, n_units = float(successes.sum()), float(units.sum())
    if _are_independent(units):
        return exact_interval(int(n_success), int(n_units), confidence)
    n_trials = len(units)
    if n_trials == 1:
        return Interval(0.0, 1.0)
    if n_success in (0.0, n_units):
        return exact_interval(n_trials if n_success else 0, n_trials, confidence)
    rate, tail = n_success / n_units, (1 - confidence) / 2
    residuals = successes - rate * units
    variance = n_trials / (n_trials - 1) * float(residuals @ residuals) / n_units**2
    found = n_units
    if variance > 0:
        quantiles = t_quantile(n_units - 1, confidence) / t_quantile(n_trials - 1, confidence)
        found = min(n_units, rate * (1 - rate) / variance * quantiles**2)
    low = float(special.betaincinv(rate * found, (1 - rate) * found + 1, tail))
    high = float(special.betaincinv(rate * found + 1, (1 - rate) * found, 1 - tail))
    shares = successes / units
    statistic = float(np.sum(residuals**2 / units)) / (rate * (1 - rate))
    if float(special.chdtrc(n_trials - 1, statistic)) < PRETEST_LEVEL:  # units of a trial are not independent
        skewed = skewness(shares)
        if abs(skewed) > _LONG_TAIL * math.sqrt(n_trials):
            betting = bounded_interval(shares, (0.0, 1.0), confidence)
            low, high = (low, max(high, betting.high)) if skewed > 0 else (min(low, betting.low), high)
    return Interval(low, high)


def _counts(successes: Any, trials: Any) -> list[tuple[Array, Array]]:
    """Of each point, successes and units: [trials], or without a shape where they are pooled."""
    rows = [successes] if _is_number(successes) else list(successes)
    units = [trials] * len(rows) if _is_number(trials) else list(trials)
    if len(units) == 1 < len(rows):
        units *= len(rows)
    if len(units) != len(rows):
        raise ValueError(f"trials must have one entry per point ({len(rows)}), got {len(units)}")
    return [_point(row, of) for row, of in zip(rows, units, strict=True)]


def _point(row: Any, of: Any) -> tuple[Array, Array]:
    successes, units = np.asarray(row, dtype=float), np.asarray(of, dtype=float)
    if successes.ndim > 1 or not successes.size or units.shape not in ((), successes.shape):
        raise ValueError(f"successes must be a count or a list of counts per point, got {row} of {of}")
    if not np.all(np.isfinite(units)) or np.any((units != np.floor(units)) | (units < 0)) or units.sum() < 1:
        raise ValueError(f"trials must be whole numbers >= 1, got {of}")
    units = np.broadcast_to(units, successes.shape)
    if np.any((successes != np.floor(successes)) | (successes < 0) | (successes > units)):
        raise ValueError(f"successes must be whole numbers in 0..trials, got {row} of {of}")
    if successes.ndim == 0:
        return successes, units
    return successes[units > 0], units[units > 0]  # a trial without units was none


def _is_number(values: Any) -> bool:
    return isinstance(values, int | float | np.number)
