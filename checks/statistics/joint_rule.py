"""The Delta rule for several axes at once: one plane through all points, one judgement an axis.

A claim such as N ~ alpha_*^-2 (alpha_* - alpha_#)^-2 speaks of two quantities that a grid may vary together. Judged one
after the other, each axis is charged with what the other does. Judged jointly, Delta_j is the slope of
log(measured / claim) on axis j with the others held fixed: their part is regressed out of axis j first, which leaves a
slope on what only axis j explains [Frisch and Waugh 1933]. Grids that vary the axes in step cannot tell them apart, and
are refused by name instead of answered with a huge interval.

Noise is that of a line (`checks.statistics.regression`): replicates and lack of fit, the wider one counts. There is no
finite-size rule here, since no order of the points leads to all limits at once, and no censoring: fix the other axes
and use `judge_scaling` for runs that were cut off.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.points import Array, points_from_samples
from checks.statistics.regression import Line, Noise
from checks.statistics.required_size import plan_words
from checks.statistics.shortage import MIN_POINTS, too_few, too_narrow
from checks.statistics.verdict import Exponents, Judgement, Plan, Verdict

MIN_OWN_SHARE = 0.05
"""Least share of an axis' variance that the other axes may leave unexplained (a variance inflation of 20)."""


def judge_plane(
    axes: Mapping[str, tuple[Array, float]], log_ratio: Array, log_claimed: Array, *, rule: DeltaRule
) -> dict[str, Judgement]:
    """Judge every axis by its own slope in the plane.

    Args:
        axes: name -> (x [points], sign of x against log axis), x increasing toward the limit.
        log_ratio: log(measured / claim), NaN where a row has ended. [points, replicates]
        log_claimed: log claim. [points]
        rule: relation and margin, for every axis.
    """
    x = np.stack([values for values, _ in axes.values()], axis=1)
    n_points, n_replicates = log_ratio.shape
    points = points_from_samples(x[:, 0], log_ratio)
    counts = np.isfinite(log_ratio).sum(axis=1)
    each = f"{counts.min()} to {n_replicates}" if counts.min() < n_replicates else f"{n_replicates}"
    design = np.column_stack([np.ones(n_points), x])
    judged = {}
    for index, (name, (values, sign)) in enumerate(axes.items()):
        others = np.delete(design, index + 1, axis=1)
        own = values - others @ np.linalg.lstsq(others, values, rcond=None)[0]
        share = float(own @ own) / max(float(np.sum((values - values.mean()) ** 2)), 1e-300)
        shortage = _shortage(values, n_points, len(axes), share)
        freedom = n_points - design.shape[1]
        if share < MIN_OWN_SHARE or freedom < 1:
            plan = Plan(max(n_points, MIN_POINTS - 1 + len(axes)), n_replicates)
            reason = f"{name}: {shortage}{plan_words(plan, 'replicates')}"
            judged[name] = rule.undecided(reason, plan=plan, n_points=n_points)
            continue
        coefficients = own / float(own @ own)
        residual = points.y - design @ np.linalg.lstsq(design, points.y, rcond=None)[0]
        lack_of_fit = Noise(np.full(n_points, float(residual @ residual) / freedom), float(freedom))
        noise = (lack_of_fit,) if not points.freedom.any() else (Noise(points.variance, points.freedom), lack_of_fit)
        line = Line(float(coefficients @ points.y), 0.0, coefficients, noise, n_points, lack_of_fit)
        verdict = Verdict.INCONCLUSIVE if shortage else rule.decide(line.interval)
        grid_exponent = sign * float(coefficients @ log_claimed)
        explained = rule.explain(verdict, line.slope, line.interval, short_of=shortage)
        held = ", ".join(other for other in axes if other != name)
        judged[name] = rule.judgement(
            verdict,
            f"{name}{f' with {held} held fixed' if held else ''}: {explained} ({n_points} points, {each} "
            f"replicates each); exponent {grid_exponent + sign * line.slope:.3g} measured, {grid_exponent:.3g} claimed "
            "on this grid",
            delta=line.slope,
            interval=line.interval,
            kind="t",
            n_points=n_points,
            exponents=Exponents(grid_exponent + sign * line.slope, grid_exponent),
        )
    return judged


def _shortage(x: Array, n_points: int, n_axes: int, share: float) -> str:
    """Why these points cannot carry a verdict on this axis, or ""."""
    if shortage := too_few(n_points, n_axes=n_axes) or too_narrow(x):
        return shortage
    if share < MIN_OWN_SHARE:
        return f"the other axes explain {100 * (1 - share):.3g} % of this one: the grid varies them in step"
    return ""
