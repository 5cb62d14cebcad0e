"""Measured against claimed: the one place that callers take verdicts from.

This module judges orders with hidden constants by the Delta rule (`checks.statistics.delta_rule`) and exports the rules
of every other kind of claim (`checks.statistics.point_rules`, `checks.statistics.order_rule`).

Let y = log(measured / claim evaluated on the measured grid) and x = log axis, signed so that it increases toward the
limit the claim speaks of. Delta is the slope of y on x; it is 0 where the claim is right up to a constant, whatever
logarithms or offsets the claim carries on that grid. A raw slope is never compared with an asymptotic exponent.

`judge_scaling` and `judge_thresholds` hand their points to `checks.statistics.line_rule`, `judge_joint` to
`checks.statistics.joint_rule`; `judge_rates` and `judge_range` bring intervals of their own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import (
    Toward,
    calibrated_axis,
    claim_on_grid,
    first_bad,
    log_limit_of,
    require_sign,
    signed_log_axis,
)
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.estimates import Estimate
from checks.statistics.exact_rule import judge_exact
from checks.statistics.joint_rule import judge_plane
from checks.statistics.line_rule import judge_line
from checks.statistics.order_rule import judge_unspecified
from checks.statistics.path_rule import judge_path_behaviour
from checks.statistics.point_rules import (
    judge_attempts,
    judge_behaviour,
    judge_explicit,
    judge_fraction,
    judge_identity,
    judge_sufficient,
    profile_constants,
    profiled_choice,
)
from checks.statistics.points import Points, points_from_samples, threshold_row
from checks.statistics.regression import t_quantile
from checks.statistics.required_size import plan_words, power_factor, smallest
from checks.statistics.verdict import Interval, Judgement, Plan, Verdict

__all__ = [
    "judge_attempts",
    "judge_behaviour",
    "judge_exact",
    "judge_explicit",
    "judge_fraction",
    "judge_identity",
    "judge_joint",
    "judge_path_behaviour",
    "judge_range",
    "judge_rates",
    "judge_scaling",
    "judge_sufficient",
    "judge_thresholds",
    "judge_unspecified",
    "profile_constants",
    "profiled_choice",
    "signed_log_axis",
]

MIN_SEEDS = 5
MIN_WINDOWS = 2

# ------------------------------------------------------------------------------------------------ the public rules


def judge_scaling(
    axis: ArrayLike,
    samples: ArrayLike,
    claimed: ArrayLike | Any,
    *,
    relation: str,
    margin: float,
    toward: Toward = "infinity",
    limit: ArrayLike | None = None,
    axis_error: ArrayLike | None = None,
    confidence: float = 0.95,
    violation_confidence: float | None = None,
) -> Judgement:
    """Judge a claimed order against independent samples along one axis.

    >>> import numpy as np
    >>> alpha = np.array([0.1, 0.15, 0.2, 0.3, 0.4])
    >>> noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((5, 8)))
    >>> samples = alpha[:, None] ** -4 * noise
    >>> judgement = judge_scaling(alpha, samples, alpha**-2, relation="upper", margin=0.25, toward="zero")
    >>> judgement.verdict, round(judgement.delta, 1)
    (<Verdict.VIOLATED: 'violated'>, 2.0)

    Args:
        axis: the parameter that scales [points], > 0.
        samples: independent measurements [points, replicates], > 0; NaN where a run was censored above `limit`.
        claimed: the claim on the grid [points], > 0 and up to a constant, or a sympy expression in one symbol.
        relation: "upper", "lower" or "tight".
        margin: practical equivalence of exponents, > 0.
        toward: the claim's limit: "infinity", "zero", or a boundary of the axis.
        limit: where each point's runs were cut off [points] or one for all; required where samples hold NaN.
        axis_error: standard error of log axis [points] or one for all, where the axis is itself estimated from data
            independent of `samples`; leave it out where the axis was set.
        confidence: of the interval of Delta; the equivalence interval has 1 - 2 (1 - confidence).
        violation_confidence: of the interval that decides "violated", if stricter: 1 - 0.05 / K in a family of K.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    axis, x = signed_log_axis(axis, toward)
    samples = np.asarray(samples, dtype=float)
    if samples.ndim != 2 or samples.shape[0] != len(axis) or samples.shape[1] == 0:
        raise ValueError(f"samples must be [points, replicates] with {len(axis)} points, got shape {samples.shape}")
    missing = np.isnan(samples)
    if not np.all(missing | ((samples > 0) & np.isfinite(samples))):
        raise ValueError(f"samples must be finite and > 0 (or NaN where censored), got {first_bad(samples[~missing])}")
    x, log_claimed, inflation = calibrated_axis(x, axis_error, np.log(claim_on_grid(claimed, axis)))
    log_limit = log_limit_of(limit, samples, missing)
    points = points_from_samples(
        x, np.log(samples) - log_claimed[:, None], None if log_limit is None else log_limit - log_claimed
    )
    return judge_line(
        replace(points, inflation=inflation),
        log_claimed,
        rule=DeltaRule(relation, margin, confidence, violation_confidence),
        axis_sign=1.0 if toward == "infinity" else -1.0,
        n_replicates=samples.shape[1],
        unit="replicates",
    )


def judge_joint(
    axes: Mapping[str, tuple[ArrayLike, Toward]],
    samples: ArrayLike,
    claimed: ArrayLike,
    *,
    relation: str,
    margin: float,
    confidence: float = 0.95,
    violation_confidence: float | None = None,
) -> dict[str, Judgement]:
    """Judge a claimed order along several axes jointly: one judgement an axis, the others held fixed.

    >>> import numpy as np
    >>> a, b = (grid.ravel() for grid in np.meshgrid([0.1, 0.2, 0.4], [1.0, 2.0, 4.0]))
    >>> noise = np.exp(0.05 * np.random.default_rng(0).standard_normal((9, 8)))
    >>> samples = (a**-2 * b)[:, None] * noise
    >>> axes = {"alpha": (a, "zero"), "size": (b, "infinity")}
    >>> judged = judge_joint(axes, samples, a**-2, relation="upper", margin=0.25)
    >>> [str(judgement.verdict) for judgement in judged.values()]
    ['tight', 'violated']

    Args:
        axes: name -> (values [points] > 0, toward); the grid must not vary two of them in step.
        samples: independent measurements [points, replicates], > 0, none censored.
        claimed: the claim on the grid [points], > 0 and up to a constant.
        relation, margin, confidence, violation_confidence: as in `judge_scaling`, for every axis.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    signed = {
        name: (signed_log_axis(values, toward)[1], 1.0 if toward == "infinity" else -1.0)
        for name, (values, toward) in axes.items()
    }
    counts = {name: len(x) for name, (x, _) in signed.items()}
    samples = np.asarray(samples, dtype=float)
    if not axes:
        raise ValueError("axes must name at least one axis, got none")
    if samples.ndim != 2 or not samples.size or set(counts.values()) != {len(samples)}:
        raise ValueError(
            f"samples must be [points, replicates] with the axes' points, got {samples.shape} for {counts}"
        )
    if not np.all(np.isfinite(samples) & (samples > 0)):
        raise ValueError(f"samples must be finite and > 0, none censored, got {first_bad(samples)}")
    log_claimed = np.log(claim_on_grid(claimed, np.ones(len(samples))))
    return judge_plane(
        signed,
        np.log(samples) - log_claimed[:, None],
        log_claimed,
        rule=DeltaRule(relation, margin, confidence, violation_confidence),
    )


def judge_thresholds(
    axis: ArrayLike,
    estimates: Sequence[Estimate],
    claimed: ArrayLike | Any,
    *,
    relation: str,
    margin: float,
    toward: Toward = "infinity",
    confidence: float = 0.95,
    violation_confidence: float | None = None,
) -> Judgement:
    """Judge a claimed order against one threshold per point, each with its own uncertainty.

    Weights come from the estimates' standard errors (of the logarithm); censored thresholds enter as bounds, at the
    inner end of their interval. Estimates with neither value nor bound (success does not depend on N) cannot enter a
    line: they are left out and named in the reason.

    Raises:
        ValueError: as `judge_scaling`, or where an estimate has a value but no standard error.
    """
    axis, x = signed_log_axis(axis, toward)
    if len(estimates) != len(axis):
        raise ValueError(f"estimates must have one entry per axis value ({len(axis)}), got {len(estimates)}")
    log_claimed = np.log(claim_on_grid(claimed, axis))
    rows = [threshold_row(estimate) for estimate in estimates]
    used = np.array([row is not None for row in rows], dtype=bool)
    y, error, side = np.array([row for row in rows if row is not None], dtype=float).reshape(-1, 3).T
    typical = float(np.median(error[side == 0])) if np.any(side == 0) else 0.0
    points = Points(
        x=x[used],
        y=y - log_claimed[used],
        variance=error**2,
        freedom=np.full(len(y), np.inf),
        weight_variance=error**2,
        side=side,
        spread=np.full(len(y), typical),
        replicates=np.ones(len(y)),
    )
    trials = [estimate.n_trials for estimate in estimates]
    left_out = [f"{value:g}" for value, kept in zip(axis, used, strict=True) if not kept]
    note = f"; success does not depend on N at axis {', '.join(left_out)}" if left_out else ""
    return judge_line(
        points,
        log_claimed[used],
        rule=DeltaRule(relation, margin, confidence, violation_confidence),
        axis_sign=1.0 if toward == "infinity" else -1.0,
        n_replicates=max(1, round(float(np.median(trials)))) if trials else 1,
        unit="trials",
        note=note,
    )


def judge_rates(
    slopes: ArrayLike,
    claimed_slope: float,
    *,
    relation: str,
    margin: float,
    sign: int = 1,
    late_slopes: ArrayLike | None = None,
    ended: str = "",
    confidence: float = 0.95,
    violation_confidence: float | None = None,
) -> Judgement:
    """Judge a claimed exponent along an axis inside a trial (time), one fitted slope per independent seed.

    A verdict is withdrawn (finite size) where the curves are no power law over the window in a way that matters, by
    the slope of the later half, `DeltaRule.is_undermined`.

    Args:
        slopes: slope of log measured against log axis [seeds].
        claimed_slope: the claim's slope over the same fit window.
        late_slopes: the same over that half of the window which is nearer to the limit [seeds].
        ended: why no trial can go on, in words; "" where longer runs are possible.
        relation: "upper", "lower" or "tight".
        margin: practical equivalence of exponents, > 0.
        sign: +1 where the claim's limit is at large axis values, -1 where it is at small ones.
        confidence: as in `judge_scaling`.
        violation_confidence: as in `judge_scaling`.
    """
    rule = DeltaRule(relation, margin, confidence, violation_confidence)
    require_sign(sign)
    slopes = np.asarray(slopes, dtype=float)
    if slopes.ndim != 1 or not np.all(np.isfinite(slopes)):
        raise ValueError(f"slopes must be finite numbers [seeds], got {slopes}")
    count = len(slopes)
    if count < 2:
        reason = f"{count} seeds gave a slope; at least {MIN_SEEDS} are needed"
        return Judgement(Verdict.INCONCLUSIVE, reason, margin=rule.margin, plan=Plan(1, MIN_SEEDS), n_points=count)
    measured, error = float(slopes.mean()), float(slopes.std(ddof=1)) / math.sqrt(count)
    delta = sign * (measured - float(claimed_slope))

    def interval(level: float) -> Interval:
        half = t_quantile(count - 1, level) * error
        return Interval(delta - half, delta + half)

    verdict = rule.decide(interval) if count >= MIN_SEEDS else Verdict.INCONCLUSIVE
    plan = None
    if verdict is Verdict.INCONCLUSIVE:
        gap, level = rule.gap(delta), rule.deciding_confidence(delta)
        enough = smallest(lambda n: power_factor(n - 1, level) * error * math.sqrt(count / n) <= gap, count)
        plan = Plan(1, max(MIN_SEEDS, enough))
    short = f"only {count} seeds, {MIN_SEEDS} are needed" if count < MIN_SEEDS else ""
    explained = f"{rule.explain(verdict, delta, interval, short_of=short)} over {count} seeds"
    if late_slopes is not None and verdict is not Verdict.INCONCLUSIVE:
        drifts = sign * (_per_seed("late_slopes", late_slopes, count) - slopes)
        drift, noise = float(drifts.mean()), float(drifts.std(ddof=1)) / math.sqrt(count)
        late = delta + drift
        half_width = t_quantile(count - 1, confidence) * noise
        if rule.is_undermined(verdict, interval(confidence), delta=delta, late=late, noise=lambda: half_width):
            verdict = Verdict.INCONCLUSIVE
            bend = f"Delta drifts from {delta:+.3g} to {late:+.3g} over the later half of the window"
            explained = f"finite size: {bend}; over all of it {explained}; {ended or 'longer runs would decide'}"
    return rule.judgement(
        verdict,
        f"{explained}; exponent {measured:.3g} measured, {float(claimed_slope):.3g} claimed{plan_words(plan, 'seeds')}",
        delta=delta,
        interval=interval,
        kind="t",
        n_points=count,
        plan=plan,
        measured_exponent=measured,
        grid_exponent=float(claimed_slope),
    )


def _per_seed(name: str, values: ArrayLike, count: int) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.shape != (count,) or not np.all(np.isfinite(values)):
        raise ValueError(f"{name} must be finite numbers, one per seed ({count}), got {values}")
    return values


def judge_range(
    local_deltas: ArrayLike,
    *,
    relation: str,
    margin: float,
    claimed_slope: float | None = None,
    sign: int = 1,
    n_wrong_sign: int = 0,
) -> Judgement:
    """Judge a deterministic quantity by the range of its local Deltas over windows stated beforehand.

    Exact dynamics have no sampling error; what varies is the window. The range is no confidence interval and is
    labelled as what it is. It carries no plan: more trials change nothing, only a grid nearer to the limit does.

    Args:
        local_deltas: sign * (local measured slope - local claimed slope) [windows].
        relation: "upper", "lower" or "tight".
        margin: practical equivalence of exponents, > 0.
        claimed_slope: the claim's slope, only to report both exponents.
        sign: as in `judge_rates`, only to report the measured exponent.
        n_wrong_sign: measured values <= 0 where the claim is positive. No prefactor reaches them from below, so one
            violates a lower or tight claim; an upper bound it meets.
    """
    rule = DeltaRule(relation, margin)
    require_sign(sign)
    deltas = np.asarray(local_deltas, dtype=float)
    if deltas.ndim != 1 or len(deltas) == 0 or not np.all(np.isfinite(deltas)):
        raise ValueError(f"local_deltas must be finite numbers [windows], at least one, got {deltas}")
    extent = Interval(float(deltas.min()), float(deltas.max()))
    delta = float(deltas.mean())
    count = len(deltas)

    def at(level: float) -> Interval:
        return extent

    verdict = rule.decide(at) if count >= MIN_WINDOWS else Verdict.INCONCLUSIVE
    if n_wrong_sign and relation != "upper":
        return Judgement(
            Verdict.VIOLATED, f"measured <= 0 at {n_wrong_sign} points where the claim is positive", margin=rule.margin
        )
    short = f"only {count} window, {MIN_WINDOWS} are needed" if count < MIN_WINDOWS else ""
    nearer = "; a grid nearer to the limit would decide" if verdict is Verdict.INCONCLUSIVE else ""
    return rule.judgement(
        verdict,
        f"{rule.explain(verdict, delta, at, kind='range', short_of=short)} over {count} windows{nearer}",
        delta=delta,
        interval=at,
        kind="range",
        n_points=count,
        measured_exponent=None if claimed_slope is None else float(claimed_slope) + sign * delta,
        grid_exponent=None if claimed_slope is None else float(claimed_slope),
    )
