"""Orders with hidden constants against independent samples or thresholds on a grid, by the Delta rule.

Let y = log(measured / claim evaluated on the measured grid) and x = log axis, signed so that it increases toward the
limit the claim speaks of. Delta is the slope of y on x; it is 0 where the claim is right up to a constant, whatever
logarithms or offsets the claim carries on that grid. A raw slope is never compared with an asymptotic exponent.

`judge_scaling` and `judge_thresholds` hand their points to `checks.statistics.line_rule`, `judge_joint` to
`checks.statistics.joint_rule`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from checks.statistics.arguments import (
    Toward,
    calibrated_axis,
    claim_on_grid,
    sign_of,
    signed_log_axis,
)
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.estimates import Estimate
from checks.statistics.explanation import Clause, Measurements, Topic
from checks.statistics.joint_rule import judge_plane
from checks.statistics.line_doubts import LineSamples
from checks.statistics.line_rule import judge_line
from checks.statistics.lost_runs import told_of_lost
from checks.statistics.points import points_from_samples, points_from_thresholds
from checks.statistics.policy import CONFIDENCE, ErrorPolicy, policy_of
from checks.statistics.replicates import crowded_end, finite_rows, padded, positive_replicates
from checks.statistics.verdict import Interval, Judgement


def judge_scaling(
    axis: ArrayLike,
    samples: ArrayLike,
    claimed: ArrayLike | Any,
    *,
    relation: str,
    margin: float,
    toward: Toward = "infinity",
    limit: ArrayLike | None = None,
    limit_low: ArrayLike | None = None,
    axis_error: ArrayLike | None = None,
    paired: bool = False,
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
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
        samples: independent measurements [points, replicates], > 0, a row a point, rows of any lengths. inf is a run
            cut off above `limit`, 0 one below `limit_low`, NaN one that was lost: a verdict that it could have changed
            is withdrawn. A square array with its points in columns is refused where the samples show it.
        claimed: the claim on the grid [points], > 0 and up to a constant, or a sympy expression in one symbol.
        relation, margin: "upper", "lower" or "tight", and the practical equivalence of exponents, > 0.
        toward: the claim's limit: "infinity" (math.inf), "zero" (0), or a boundary with all of the axis on one side.
        limit, limit_low: above, below which runs were not seen [points]; samples equal to one ask for a mark there.
        axis_error: standard error of log axis [points] or one for all, where other data than `samples` estimated it.
        paired: replicate j shares data or a seed along the axis; a test looks for it where it is not said.
        confidence: of the interval of Delta; the equivalence interval has 1 - 2 (1 - confidence).
        policy: in place of a confidence, where K claims share the error: ErrorPolicy(confidence, family=K).

    Raises:
        ValueError: on input that breaks a rule above.
    """
    axis, x = signed_log_axis(axis, toward)
    replicates, log_limit, log_low = positive_replicates(axis, x, samples, limit, limit_low)
    x, log_claimed, inflation = calibrated_axis(x, axis_error, np.log(claim_on_grid(claimed, axis)))
    log_ratio = replicates.log - log_claimed[:, None]
    limits = [None if one is None else one - log_claimed for one in (log_limit, log_low)]
    rule = DeltaRule(relation, margin, policy_of(confidence, policy))
    judgement = judge_line(
        replace(points_from_samples(x, log_ratio, *limits), inflation=inflation),
        log_claimed,
        rule=rule,
        axis_sign=sign_of(toward),
        n_replicates=replicates.typical,
        unit="replicates",
        samples=LineSamples(x, log_ratio, *limits, paired=paired),
        each=replicates.each,
        evidence=Measurements(axis_range=Interval(float(axis.min()), float(axis.max())) if len(axis) else None),
        known=crowded_end(replicates, limited=(limit is not None, limit_low is not None)),
    )
    return told_of_lost(judgement, rule, x, log_ratio, replicates.lost) if replicates.lost.any() else judgement


def judge_joint(
    axes: Mapping[str, tuple[ArrayLike, Toward]],
    samples: ArrayLike,
    claimed: ArrayLike,
    *,
    relation: str,
    margin: float,
    paired: bool = False,
    shared_levels: Collection[str] = (),
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
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
        samples: independent measurements [points, replicates], > 0, none censored, lost runs left out; rows may
            differ in length, as in `judge_scaling`.
        claimed: the claim on the grid [points], > 0 and up to a constant.
        paired: replicate j shares data along the axes; looked for by a test where it is not said.
        shared_levels: axes of which all points of one value share data; looked for by a test as well.
        relation, margin, confidence, policy: as in `judge_scaling`, for every axis.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    signed = {name: (signed_log_axis(values, toward)[1], sign_of(toward)) for name, (values, toward) in axes.items()}
    counts = {name: len(x) for name, (x, _) in signed.items()}
    if not axes:
        raise ValueError("axes must name at least one axis, got none")
    if len(set(counts.values())) > 1:
        raise ValueError(f"axes must have one length, got {counts}")
    rows = finite_rows("samples", samples, n_points=next(iter(counts.values())))
    if wrong := [float(row.min()) for row in rows if not row.min() > 0]:
        raise ValueError(f"samples must be finite and > 0, none censored, got {wrong[0]:g}")
    samples = padded(rows)
    if unknown := sorted(set(shared_levels) - set(axes)):
        raise ValueError(f"shared_levels must name axes ({', '.join(axes)}), got {', '.join(unknown)}")
    log_claimed = np.log(claim_on_grid(claimed, np.ones(len(samples))))
    return judge_plane(
        signed,
        np.log(samples) - log_claimed[:, None],
        log_claimed,
        rule=DeltaRule(relation, margin, policy_of(confidence, policy)),
        paired=paired,
        shared_levels=shared_levels,
    )


def _without_threshold(value: float, estimate: Estimate) -> Clause:
    """Why a place of the axis cannot enter a line."""
    why = estimate.reason or "success does not depend on N"
    return Clause(Topic.LEFT_OUT, f"without a threshold at axis {value:g} ({why})", {"axis": value})


def judge_thresholds(
    axis: ArrayLike,
    estimates: Sequence[Estimate],
    claimed: ArrayLike | Any,
    *,
    relation: str,
    margin: float,
    toward: Toward = "infinity",
    confidence: float = CONFIDENCE,
    policy: ErrorPolicy | None = None,
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
    points, used = points_from_thresholds(x, estimates)
    points = replace(points, y=points.y - log_claimed[used])
    trials = [estimate.n_trials for estimate in estimates]
    left_out = tuple(
        _without_threshold(value, estimate)
        for value, estimate, kept in zip(axis.tolist(), estimates, used, strict=True)
        if not kept
    )
    clumped = [f"{value:g}" for value, estimate in zip(axis, estimates, strict=True) if estimate.dispersion]
    words = f"over-dispersion: runs scatter by more than independent ones can at axis {', '.join(clumped)}"
    inside = axis[used]
    return judge_line(
        points,
        log_claimed[used],
        rule=DeltaRule(relation, margin, policy_of(confidence, policy)),
        axis_sign=sign_of(toward),
        n_replicates=max(1, round(float(np.median(trials)))) if trials else 1,
        unit="trials",
        evidence=Measurements(
            axis_range=Interval(float(inside.min()), float(inside.max())) if len(inside) else None, left_out=left_out
        ),
        known=(Clause(Topic.OVERDISPERSION, words, {"points": len(clumped)}),) if clumped else (),
    )
