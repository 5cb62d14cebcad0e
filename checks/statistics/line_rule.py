"""The Delta rule for points along an axis: the line, whether the data carry a verdict, and what would decide it.

Finite size. A decided verdict is withdrawn where the line is not straight in a way that matters: where it bends as a
whole (`checks.statistics.curvature`), or where its end says something else than all of it. For the latter, points are
dropped one by one, farthest from the limit first, down to four. A drift counts if the remaining slope (1) lies outside
the full interval, (2) differs from the full slope by more than the noise of that very difference allows, the error
shared among the drops, and (3) continued as far again, would leave the region of the verdict. Without (2) noise alone
triggers it, as four points always scatter more than nine; without (3) d log d data would never violate a claim of order
d.

Calling order: `judge_line` -> `fit_line` -> `with_shared_noise` -> `DeltaRule.decide` -> `_finite_size_drift` ->
`_drift_noise`, `bend_of_line`; `doubt_and_note`, which looks at the samples; `_plan`; `preferred_law`, which only adds
a clause.
"""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from checks.statistics.curvature import bend_of_line, exceeds
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import NO_MEASUREMENTS, Adequacy, Clause, Clauses, Measurements, NextStep, Topic
from checks.statistics.leverage import unusable_grid
from checks.statistics.line_doubts import LineSamples, doubt_and_note, with_shared_noise
from checks.statistics.model_selection import preferred_law
from checks.statistics.points import Points
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import Line, Noise, fit_line
from checks.statistics.required_size import MAX_PLANNED, power_factor, smallest
from checks.statistics.shortage import MIN_POINTS, too_few, too_narrow
from checks.statistics.verdict import Exponents, Judgement, Plan, Verdict

MIN_ESTIMATES = 3
"""Points that must carry an estimate, not only a bound: two always lie on a line."""
MIN_POINTS_AFTER_DROPPING = 4

MAX_LOG = 700.0
"""Largest logarithm whose exponential a float holds."""


def judge_line(
    points: Points,
    log_claimed: NDArray[np.float64],
    *,
    rule: DeltaRule,
    axis_sign: float,
    n_replicates: int,
    unit: str,
    samples: LineSamples | None = None,
    each: tuple[int, int] | None = None,
    evidence: Measurements = NO_MEASUREMENTS,
    known: Clauses = (),
) -> Judgement:
    """Fit the line, apply the rule, withdraw the verdict where the data do not carry it.

    Args:
        samples: the replicates that the points were made of, where there are any: they are looked at for what they
            share and for what was cut off.
        each: fewest and most runs of a point, where they differ.
        evidence: what the caller knows of the points beside their number.
        known: what the caller found of the model behind the points.
    """
    count = len(points.x)
    cut = int(np.sum(points.side != 0)) if samples is None else int(np.isinf(samples.log_ratio).sum())
    each = each or (n_replicates, n_replicates)
    evidence = replace(evidence, points=count, replicates=each, replicate_unit=unit, censored=cut)
    shortage = _shortage(points)
    line = fit_line(points)
    if line is None or not line.noise:
        plan = Plan(max(MIN_POINTS, count), max(2, n_replicates))
        lacking = shortage or Clause(Topic.SHORTAGE, "no estimate of the noise")
        return rule.undecided(lacking, evidence=evidence, next_step=NextStep(plan, unit))

    line, shared = (line, None) if samples is None else with_shared_noise(line, samples)
    grid_exponent = axis_sign * float(line.coefficients @ log_claimed)
    delta, interval = rule.delta(line.slope), rule.of_delta(line.interval)
    verdict = Verdict.INCONCLUSIVE if shortage else rule.decide(interval)
    drift = None if verdict is Verdict.INCONCLUSIVE else _finite_size_drift(points, line, rule, verdict)
    doubted, told = (None, None) if samples is None else doubt_and_note(samples, line, rule, verdict)
    plan = None
    if drift:
        # Each point dropped to see the drift should be replaced by one nearer to the limit.
        plan = Plan(min(2 * count - MIN_POINTS_AFTER_DROPPING, MAX_PLANNED), n_replicates)
    elif verdict is Verdict.INCONCLUSIVE and not _is_misplaced(points):
        plan = _plan(line, rule, n_points=count, n_replicates=n_replicates)
    seen = (shared, _scatter(line, unit), wide_margin(rule, verdict, grid_exponent), told,
            _other_law(points, log_claimed, axis_sign))  # fmt: skip
    judgement = rule.judgement(
        verdict,
        delta=delta,
        interval=interval,
        kind="profile" if np.any(points.side != 0) else "t",
        sign=axis_sign,
        evidence=evidence,
        adequacy=Adequacy(_tested(line, samples, verdict), (*filter(None, seen), *known)),
        next_step=NextStep(plan, unit),
        shortage=(shortage,) if shortage else (),
        exponents=Exponents(
            grid_exponent + axis_sign * line.slope,
            grid_exponent,
            prefactor=_prefactor(line.intercept + line.slope * float(points.x.mean())),
            local_deltas=tuple(map(rule.delta, _local_slopes(points))),
        ),
    )
    obstacle = drift or doubted
    return judgement.withdrawn(Verdict.INCONCLUSIVE, obstacle) if obstacle else judgement


def _tested(line: Line, samples: LineSamples | None, verdict: Verdict) -> tuple[Topic, ...]:
    """What was looked for in the points and their samples."""
    topics = [] if verdict is Verdict.INCONCLUSIVE else [Topic.STRAIGHTNESS]
    topics += [Topic.LACK_OF_FIT] if line.sampling and line.lack_of_fit is not None else []
    if samples is not None and samples.log_ratio.shape[1] > 1:
        topics += [Topic.SHARED_RUNS, *((Topic.MIXTURE, Topic.SPREAD) if samples.is_censored else (Topic.MEAN,))]
    return (*topics, Topic.OTHER_LAW)


def _is_misplaced(points: Points) -> bool:
    """Whether the grid's places are wrong and nothing else: no number of replicates or points among them mends that."""
    is_enough = not too_few(len(np.unique(points.x)))
    return is_enough and bool(too_narrow(points.x) or unusable_grid(points.x, MIN_POINTS))


def _other_law(points: Points, log_claimed: NDArray[np.float64], axis_sign: float) -> Clause | None:
    """The law that the points clearly prefer to the claim."""
    preferred = preferred_law(points, log_claimed, axis_sign=axis_sign)
    if preferred is None:
        return None
    words = f"the data prefer {preferred.law} (AICc lower by {preferred.advantage:.3g})"
    return Clause(Topic.OTHER_LAW, words, {"law": preferred.law, "advantage": preferred.advantage})


def _prefactor(log_value: float) -> float | None:
    """The prefactor; None where no number of a machine holds it."""
    return math.exp(log_value) if abs(log_value) < MAX_LOG else None


def _scatter(line: Line, unit: str) -> Clause | None:
    """That points scatter about the line by more than replicates explain."""
    replicates = _widest(line)
    if replicates is None or not _exceeds(line, replicates):
        return None
    words = f"points scatter about the line by more than {unit} explain, and the interval is as wide as that"
    return Clause(Topic.LACK_OF_FIT, f"lack of fit: {words}")


def wide_margin(rule: DeltaRule, verdict: Verdict, exponent: float) -> Clause | None:
    """That "tight" says little, because the margin is wider than the claimed exponent itself."""
    if verdict is not Verdict.TIGHT or not 1e-6 < abs(exponent) < rule.margin:
        return None
    words = (
        f"the margin {rule.margin:g} is wider than the claimed exponent {exponent:.3g}: a quantity that does not "
        "depend on the axis would be tight too"
    )
    return Clause(Topic.MARGIN, words, {"margin": rule.margin, "exponent": exponent})


def _local_slopes(points: Points) -> tuple[float, ...]:
    """Residual slopes between neighbouring points that carry an estimate, the pair nearest to the limit last."""
    estimates = points.side == 0
    order = np.argsort(points.x[estimates], kind="stable")
    x, y = points.x[estimates][order], points.y[estimates][order]
    apart = np.diff(x) > 0
    return tuple(float(slope) for slope in np.diff(y)[apart] / np.diff(x)[apart])


def _shortage(points: Points) -> Clause | None:
    """Why these points cannot carry a verdict."""
    words = too_few(len(np.unique(points.x))) or too_narrow(points.x) or unusable_grid(points.x, MIN_POINTS)
    estimable = len(np.unique(points.x[points.side == 0]))
    if not words and estimable < MIN_ESTIMATES:
        words = f"only {estimable} points are not censored, {MIN_ESTIMATES} are needed"
    return Clause(Topic.SHORTAGE, words, {"points": len(points.x), "estimates": estimable}) if words else None


def _finite_size_drift(points: Points, line: Line, rule: DeltaRule, verdict: Verdict) -> Clause | None:
    """How Delta drifts toward the limit where that undermines `verdict`; None where it does not."""
    distances = np.unique(points.x)[1:]  # x increases toward the limit: dropping starts at the smallest
    distances = distances[: max(len(distances) + 1 - MIN_POINTS_AFTER_DROPPING, 0)]
    if len(distances) == 0:
        return None
    full, delta = rule.of_delta(line.interval)(rule.confidence), rule.delta(line.slope)
    level = rule.policy.each_of(len(distances))
    for nearest in distances:
        kept = points.x >= nearest
        rest = fit_line(points.keep(kept))
        if rest is None or rest.n_estimates < MIN_ESTIMATES:
            continue
        noise = functools.partial(_drift_noise, points, line, rest, kept, level)
        late = rule.delta(rest.slope)
        if rule.is_undermined(verdict, full, delta=delta, late=late, noise=noise):
            where = f"over the {kept.sum()} points nearest to the limit"
            words = f"finite size: Delta drifts from {delta:+.3g} to {late:+.3g} {where}"
            return Clause(Topic.FINITE_SIZE, words, {"delta": delta, "late": late, "points": int(kept.sum())})
    bend = bend_of_line(points, line, confidence=rule.confidence)
    if bend is not None and bend.undermines(verdict, rule, line.slope):
        return bent(delta, rule.delta(bend.late))
    return None


def bent(delta: float, late: float, words: str = "") -> Clause:
    """That points bend, with Delta over all of them and at the end of the grid; `words` say what would decide."""
    where = f"Delta is {delta:+.3g} over all of them and {late:+.3g} at the end of the grid"
    return Clause(Topic.FINITE_SIZE, f"finite size: the points bend: {where}{words}", {"delta": delta, "late": late})


def _drift_noise(points: Points, line: Line, rest: Line, kept: NDArray[np.bool_], level: float) -> float:
    """Half-width of the interval of (slope of the rest - full slope), which share their points.

    Lack of fit is taken from the rest alone: in the full fit it contains the very drift in question.
    """
    difference = -line.coefficients.copy()
    difference[kept] += rest.coefficients
    width = max((noise.half_width(difference, level) for noise in line.sampling), default=0.0)
    if rest.lack_of_fit is not None:
        typical = float(np.mean(rest.lack_of_fit.variances))
        variances = np.full(len(points.x), typical)
        variances[kept] = rest.lack_of_fit.variances
        width = max(width, Noise(variances, rest.lack_of_fit.freedom).half_width(difference, level))
    return width


def _plan(line: Line, rule: DeltaRule, *, n_points: int, n_replicates: int) -> Plan:
    """The smallest growth of the experiment that would decide if Delta is what it seems.

    Replicates where sampling noise may explain the scatter of the points; more points where an F test says that it
    does not, since replicates cannot average lack of fit away.
    """
    delta = rule.delta(line.slope)
    gap, level = rule.gap(delta), rule.deciding_confidence(delta)
    replicates = _widest(line)
    sampling = math.inf if replicates is None else replicates.standard_error(line.coefficients)
    scatter = line.lack_of_fit.standard_error(line.coefficients) if line.lack_of_fit is not None else 0.0
    n_points_now, n_points = n_points, max(n_points, MIN_POINTS)
    if replicates is not None and not _exceeds(line, replicates):
        error = max(sampling, scatter) * math.sqrt(n_points_now / n_points)
        start = n_replicates if n_points == n_points_now else n_replicates - 1
        factor = power_factor(n_points - 2, level, rule.policy)
        return Plan(n_points, smallest(lambda n: factor * error * math.sqrt(n_replicates / n) <= gap, start))
    scatter = max(scatter, sampling if sampling < math.inf else 0.0)
    start = n_points_now if n_points == n_points_now else n_points - 1
    factors = functools.partial(power_factor, confidence=level, policy=rule.policy)
    enough = smallest(lambda n: factors(n - 2) * scatter * math.sqrt(n_points_now / n) <= gap, start)
    return Plan(enough, n_replicates)


def _widest(line: Line) -> Noise | None:
    """The larger source of the noise that replicates show; None with one replicate."""
    return max(line.sampling, key=lambda noise: noise.standard_error(line.coefficients), default=None)


def _exceeds(line: Line, replicates: Noise) -> bool:
    """Whether points scatter about the line by more than replicates explain, by an F test."""
    return line.lack_of_fit is not None and exceeds(line.lack_of_fit, replicates, line.coefficients, PRETEST_LEVEL)
