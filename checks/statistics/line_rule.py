"""The Delta rule for points along an axis: the line, whether the data carry a verdict, and what would decide it.

Finite size. A decided verdict is withdrawn where the line is not straight in a way that matters. Points are dropped one
by one, farthest from the limit first, down to four. A drift counts if the remaining slope (1) lies outside the full
interval, (2) differs from the full slope by more than the noise of that very difference allows, at 5 % shared among the
drops, and (3) continued as far again, would leave the region of the verdict. Without (2) noise alone triggers it,
as four points always scatter more than nine; without (3) d log d data would never violate a claim of order d.

Calling order: `judge_line` -> `fit_line` -> `DeltaRule.decide` -> `_finite_size_drift` -> `_drift_noise`; `_plan`;
`preferred_law`, which only adds to the reason.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.model_selection import preferred_law
from checks.statistics.points import MIN_SPREAD, Points
from checks.statistics.regression import Line, Noise, fit_line
from checks.statistics.required_size import MAX_PLANNED, plan_words, power_factor, smallest
from checks.statistics.shortage import MIN_POINTS, too_few, too_narrow
from checks.statistics.verdict import Exponents, Judgement, Plan, Verdict

MIN_ESTIMATES = 3
"""Points that must carry an estimate, not only a bound: two always lie on a line."""
MIN_POINTS_AFTER_DROPPING = 4


def judge_line(
    points: Points,
    log_claimed: NDArray[np.float64],
    *,
    rule: DeltaRule,
    axis_sign: float,
    n_replicates: int,
    unit: str,
    note: str = "",
    each: str = "",
) -> Judgement:
    """Fit the line, apply the rule, withdraw the verdict where the data do not carry it."""
    count = len(points.x)
    shortage = _shortage(points)
    line = fit_line(points)
    if line is None or not line.noise:
        plan = Plan(max(MIN_POINTS, count), max(2, n_replicates))
        reason = f"{shortage or 'no estimate of the noise'}{note}{plan_words(plan, unit)}"
        return rule.undecided(reason, plan=plan, n_points=count)

    grid_exponent = axis_sign * float(line.coefficients @ log_claimed)
    measured_exponent = grid_exponent + axis_sign * line.slope
    verdict = Verdict.INCONCLUSIVE if shortage else rule.decide(line.interval)
    explained = rule.explain(verdict, line.slope, line.interval, short_of=shortage)
    drift = None if verdict is Verdict.INCONCLUSIVE else _finite_size_drift(points, line, rule, verdict)
    plan = None
    if drift is not None:
        verdict = Verdict.INCONCLUSIVE
        explained = f"finite size: {drift}; over all points {explained}"
        # Each point dropped to see the drift should be replaced by one nearer to the limit.
        plan = Plan(min(2 * count - MIN_POINTS_AFTER_DROPPING, MAX_PLANNED), n_replicates)
    elif verdict is Verdict.INCONCLUSIVE:
        # Neither replicates nor points within its ends make an axis longer that is short and nothing else.
        short = bool(shortage) and shortage == too_narrow(points.x)
        plan = None if short else _plan(line, rule, n_points=count, n_replicates=n_replicates)
    preferred = preferred_law(points, log_claimed, axis_sign=axis_sign)
    named = f"; the data prefer {preferred.law} (AICc lower by {preferred.advantage:.3g})" if preferred else ""
    ending = f"{named}{note}{plan_words(plan, unit)}"
    reason = (
        f"{explained} ({count} points, {each or f'{n_replicates} {unit} each'}); exponent "
        f"{measured_exponent:.3g} measured, {grid_exponent:.3g} claimed on this grid{ending}"
    )
    return rule.judgement(
        verdict,
        reason,
        delta=line.slope,
        interval=line.interval,
        kind="profile" if np.any(points.side != 0) else "t",
        n_points=count,
        plan=plan,
        finite_size=drift is not None,
        exponents=Exponents(
            measured_exponent,
            grid_exponent,
            prefactor=math.exp(line.intercept + line.slope * float(points.x.mean())),
            local_deltas=_local_deltas(points),
        ),
    )


def _local_deltas(points: Points) -> tuple[float, ...]:
    """Delta between neighbouring points that carry an estimate, the pair nearest to the limit last."""
    estimates = points.side == 0
    order = np.argsort(points.x[estimates], kind="stable")
    x, y = points.x[estimates][order], points.y[estimates][order]
    apart = np.diff(x) > 0
    return tuple(float(slope) for slope in np.diff(y)[apart] / np.diff(x)[apart])


def _shortage(points: Points) -> str:
    """Why these points cannot carry a verdict, or ""."""
    if shortage := too_few(len(np.unique(points.x))) or too_narrow(points.x):
        return shortage
    estimable = len(np.unique(points.x[points.side == 0]))
    if estimable < MIN_ESTIMATES:
        return f"only {estimable} points are not censored, {MIN_ESTIMATES} are needed"
    return ""


def _finite_size_drift(points: Points, line: Line, rule: DeltaRule, verdict: Verdict) -> str | None:
    """Say how Delta drifts toward the limit where that undermines `verdict`; None where it does not."""
    distances = np.unique(points.x)[1:]  # x increases toward the limit: dropping starts at the smallest
    distances = distances[: max(len(distances) + 1 - MIN_POINTS_AFTER_DROPPING, 0)]
    if len(distances) == 0:
        return None
    full = line.interval(rule.confidence)
    level = 1 - (1 - rule.confidence) / len(distances)
    for nearest in distances:
        kept = points.x >= nearest
        rest = fit_line(points.keep(kept))
        if rest is None or rest.n_estimates < MIN_ESTIMATES:
            continue
        noise = functools.partial(_drift_noise, points, line, rest, kept, level)
        if rule.is_undermined(verdict, full, delta=line.slope, late=rest.slope, noise=noise):
            where = f"over the {kept.sum()} points nearest to the limit"
            return f"Delta drifts from {line.slope:+.3g} to {rest.slope:+.3g} {where}"
    return None


def _drift_noise(points: Points, line: Line, rest: Line, kept: NDArray[np.bool_], level: float) -> float:
    """Half-width of the interval of (slope of the rest - full slope), which share their points.

    Lack of fit is taken from the rest alone: in the full fit it contains the very drift in question.
    """
    difference = -line.coefficients.copy()
    difference[kept] += rest.coefficients
    sources = [noise for noise in line.noise if noise is not line.lack_of_fit]
    width = max((noise.half_width(difference, level) for noise in sources), default=0.0)
    if rest.lack_of_fit is not None:
        typical = float(np.mean(rest.lack_of_fit.variances))
        variances = np.full(len(points.x), typical)
        variances[kept] = rest.lack_of_fit.variances
        width = max(width, Noise(variances, rest.lack_of_fit.freedom).half_width(difference, level))
    return width


def _plan(line: Line, rule: DeltaRule, *, n_points: int, n_replicates: int) -> Plan:
    """The smallest growth of the experiment that would decide if Delta is what it seems.

    Replicates where sampling noise may explain the scatter of the points; more points where an F test at 5 % says
    that it does not, since replicates cannot average lack of fit away.
    """
    gap, level = rule.gap(line.slope), rule.deciding_confidence(line.slope)
    replicates = next((noise for noise in line.noise if noise is not line.lack_of_fit), None)
    sampling = math.inf if replicates is None else replicates.standard_error(line.coefficients)
    scatter = line.lack_of_fit.standard_error(line.coefficients) if line.lack_of_fit is not None else 0.0
    n_points_now, n_points = n_points, max(n_points, MIN_POINTS)
    if replicates is not None and not _exceeds(line, replicates):
        error = max(sampling, scatter) * math.sqrt(n_points_now / n_points)
        start = n_replicates if n_points == n_points_now else n_replicates - 1
        factor = power_factor(n_points - 2, level)
        return Plan(n_points, smallest(lambda n: factor * error * math.sqrt(n_replicates / n) <= gap, start))
    scatter = max(scatter, sampling if sampling < math.inf else 0.0)
    start = n_points_now if n_points == n_points_now else n_points - 1
    enough = smallest(lambda n: power_factor(n - 2, level) * scatter * math.sqrt(n_points_now / n) <= gap, start)
    return Plan(enough, n_replicates)


def _exceeds(line: Line, replicates: Noise) -> bool:
    """Whether points scatter about the line by more than replicates explain, by an F test at 5 %."""
    if line.lack_of_fit is None:
        return False
    ratio = line.lack_of_fit.standard_error(line.coefficients) ** 2
    ratio /= max(replicates.standard_error(line.coefficients) ** 2, MIN_SPREAD**2)
    above, below = (min(noise.freedom_of(line.coefficients), 1e9) for noise in (line.lack_of_fit, replicates))
    return ratio > float(special.fdtri(above, below, 0.95))
