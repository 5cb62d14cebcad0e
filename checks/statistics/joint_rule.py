"""The Delta rule for several axes at once: one plane through all points, one judgement an axis.

A claim such as N ~ alpha_*^-2 (alpha_* - alpha_#)^-2 speaks of two quantities that a grid may vary together. Judged one
after the other, each axis is charged with what the other does. Judged jointly, Delta_j is the slope of
log(measured / claim) on axis j with the others held fixed: their part is regressed out of axis j first, which leaves a
slope on what only axis j explains [Frisch and Waugh 1933]. Grids that vary the axes in step cannot tell them apart, and
are refused by name instead of answered with a huge interval.

Noise is that of a line (`checks.statistics.regression`): replicates and lack of fit, the wider one counts, and so does
that of replicates or levels that share data. Points are not dropped, since no order of them leads to all limits at
once, but each axis has a square of its own: where it bends, a verdict is withdrawn as for a line
(`checks.statistics.curvature`). There is no censoring: fix the other axes and use `judge_scaling` for runs that were
cut off.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from checks.statistics.curvature import bend_of_plane, exceeds
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Adequacy, Clause, Clauses, Measurements, NextStep, Topic
from checks.statistics.line_rule import bent, wide_margin
from checks.statistics.mean_exponent import mean_shift
from checks.statistics.points import Array, Points, points_from_samples
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import Line, Noise
from checks.statistics.shared_levels import level_noise
from checks.statistics.shared_replicates import share_over_design, shared_noise
from checks.statistics.shortage import MIN_POINTS, too_few, too_narrow
from checks.statistics.verdict import Exponents, Judgement, Plan, Verdict

MIN_OWN_SHARE = 0.05
"""Least share of an axis' variance that the other axes may leave unexplained (a variance inflation of 20)."""


def judge_plane(
    axes: Mapping[str, tuple[Array, float]],
    log_ratio: Array,
    log_claimed: Array,
    *,
    rule: DeltaRule,
    paired: bool = False,
    shared_levels: Collection[str] = (),
) -> dict[str, Judgement]:
    """Judge every axis by its own slope in the plane.

    Args:
        axes: name -> (x [points], sign of x against log axis), x increasing toward the limit.
        log_ratio: log(measured / claim), NaN where a row has ended. [points, replicates]
        log_claimed: log claim. [points]
        rule: relation and margin, for every axis.
        paired: replicate j shares data along the axes.
        shared_levels: names of axes of which all points of one value share data.
    """
    x = np.stack([values for values, _ in axes.values()], axis=1)
    plane = _Plane(tuple(axes), x, log_ratio, log_claimed, rule, paired, frozenset(shared_levels))
    return {name: _judge_axis(plane, index, sign) for index, (name, (_, sign)) in enumerate(axes.items())}


@dataclass(frozen=True, eq=False)
class _Plane:
    """What all axes of a judgement share; see `judge_plane`."""

    names: tuple[str, ...]
    x: Array
    log_ratio: Array
    log_claimed: Array
    rule: DeltaRule
    paired: bool
    shared_levels: frozenset[str]

    @functools.cached_property
    def points(self) -> Points:
        """Summarised replicates."""
        return points_from_samples(self.x[:, 0], self.log_ratio, None)

    @functools.cached_property
    def design(self) -> Array:
        """A constant and the axes. [points, 1 + axes]"""
        return np.column_stack([np.ones(len(self.x)), self.x])


def _judge_axis(plane: _Plane, index: int, sign: float) -> Judgement:
    """One axis, the others held fixed."""
    rule, name = plane.rule, plane.names[index]
    n_points, n_replicates = plane.log_ratio.shape
    values, others = plane.x[:, index], np.delete(plane.design, index + 1, axis=1)
    own = values - others @ np.linalg.lstsq(others, values, rcond=None)[0]
    share = float(own @ own) / max(float(np.sum((values - values.mean()) ** 2)), 1e-300)
    shortage = _shortage(values, n_points, len(plane.names), share)
    counts = np.isfinite(plane.log_ratio).sum(axis=1)
    held = ", ".join(other for other in plane.names if other != name)
    evidence = Measurements(
        n_points,
        replicates=(int(counts.min()), n_replicates),
        path=f"{name} with {held} held fixed" if held else name,
    )
    if share < MIN_OWN_SHARE or n_points <= plane.design.shape[1]:
        plan = Plan(max(n_points, MIN_POINTS - 1 + len(plane.names)), n_replicates)
        return rule.undecided(shortage[0], evidence=evidence, next_step=NextStep(plan))
    line, known, notes = _line(plane, index, own / float(own @ own))
    delta, interval = rule.delta(line.slope), rule.of_delta(line.interval)
    verdict = Verdict.INCONCLUSIVE if shortage else rule.decide(interval)
    grid_exponent = sign * float(line.coefficients @ plane.log_claimed)
    margin = wide_margin(rule, verdict, grid_exponent)
    tested = [Topic.SHARED_RUNS, *([Topic.LACK_OF_FIT] if line.sampling else [])]
    drift = doubted = None
    if verdict is not Verdict.INCONCLUSIVE:
        tested += [Topic.STRAIGHTNESS, Topic.MEAN]
        drift = _bend(plane, index, line, known, verdict)
        doubted = drift or _doubt_of_mean(plane, line, verdict)
    judgement = rule.judgement(
        verdict,
        delta=delta,
        interval=interval,
        kind="t",
        sign=sign,
        evidence=evidence,
        adequacy=Adequacy(tuple(tested), (*notes, *filter(None, [margin]))),
        shortage=shortage,
        exponents=Exponents(grid_exponent + sign * line.slope, grid_exponent),
    )
    return judgement.withdrawn(Verdict.INCONCLUSIVE, doubted) if doubted else judgement


def _line(plane: _Plane, index: int, coefficients: Array) -> tuple[Line, tuple[Noise, ...], Clauses]:
    """The slope with every source of its noise, those among them that know of no bend, and what is shared.

    Levels that scatter about the line may do so because it bends, so their noise judges no bend unless it is declared.
    """
    points, design = plane.points, plane.design
    n_points = len(plane.log_ratio)
    freedom = n_points - design.shape[1]
    residual = points.y - design @ np.linalg.lstsq(design, points.y, rcond=None)[0]
    lack_of_fit = Noise(np.full(n_points, float(residual @ residual) / freedom), float(freedom))
    noise: list[Noise] = [Noise(points.variance, points.freedom)] if points.freedom.any() else []
    complete = plane.log_ratio[:, np.isfinite(plane.log_ratio).all(axis=0)]
    notes: list[Clause] = []
    if noise and exceeds(lack_of_fit, noise[0], coefficients, PRETEST_LEVEL):
        words = "lack of fit: points scatter about the plane by more than replicates explain"
        notes.append(Clause(Topic.LACK_OF_FIT, words))
    if complete.shape[1] > 1 and (plane.paired or share_over_design(design, coefficients, complete)):
        noise.append(shared_noise(complete))
        how = "are paired" if plane.paired else "share data"
        words = f"replicates {how} along the axes: the interval is that of {complete.shape[1]} slopes, one each"
        notes.append(Clause(Topic.SHARED_RUNS, words, {"slopes": complete.shape[1]}))
    declared = plane.names[index] in plane.shared_levels
    levels = level_noise(plane.x, points.y, index, declared=declared)
    known = (*noise, *([levels] if levels is not None and declared else []))
    if levels is not None:
        noise.append(levels)
        number = len(np.unique(plane.x[:, index]))
        words = f"points of one value share data: the interval is that of {number} values"
        notes.append(Clause(Topic.SHARED_RUNS, words, {"values": number}))
    slope = float(coefficients @ points.y)
    return Line(slope, 0.0, coefficients, (*noise, lack_of_fit), n_points, lack_of_fit), known, tuple(notes)


def _bend(plane: _Plane, index: int, line: Line, known: Sequence[Noise], verdict: Verdict) -> Clause | None:
    """How the axis bends where that undermines a verdict."""
    bend = bend_of_plane(
        plane.x,
        plane.points.y,
        index,
        weights=np.ones(len(plane.x)),
        sampling=known,
        confidence=plane.rule.confidence,
    )
    if bend is None or not bend.undermines(verdict, plane.rule, line.slope):
        return None
    return bent(plane.rule.delta(line.slope), plane.rule.delta(bend.late), "; points nearer to the limit would decide")


def _doubt_of_mean(plane: _Plane, line: Line, verdict: Verdict) -> Clause | None:
    """Why a verdict on log means is withdrawn where it would be wrong of the mean."""
    shift = mean_shift(line.coefficients, plane.log_ratio)
    if shift is None or not shift.moves(plane.rule, verdict, line.slope, line.interval):
        return None
    return shift.clause(plane.rule, line.slope)


def _shortage(x: Array, n_points: int, n_axes: int, share: float) -> Clauses:
    """Why these points cannot carry a verdict on this axis."""
    words = too_few(n_points, n_axes=n_axes) or too_narrow(x)
    if not words and share < MIN_OWN_SHARE:
        words = f"the other axes explain {100 * (1 - share):.3g} % of this one: the grid varies them in step"
    return (Clause(Topic.SHORTAGE, words, {"points": n_points, "own_share": share}),) if words else ()
