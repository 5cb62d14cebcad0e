"""The Delta rule for points along one axis, or several: the line or the plane, and whether the data carry a verdict.

*One axis.* A line goes through the points; where the data do not carry a verdict, it is said what would.

Finite size. A decided verdict is withdrawn where the line is not straight in a way that matters: where it bends as a
whole (`checks.statistics.straightness`), or where its end says something else than all of it. For the latter, points
are dropped one by one, farthest from the limit first, down to four. A drift counts if the remaining slope (1) lies
outside the full interval, (2) differs from the full slope by more than the noise of that very difference allows, the
error shared among the drops, and (3) continued as far again, would leave the region of the verdict. Without (2) noise
alone triggers it, as four points always scatter more than nine; without (3) d log d data would never violate a claim of
order d. An accusation stands all the same where the end of the grid accuses too and nothing with a limit fits
(`checks.statistics.bent_accusation`).

Calling order: `judge_line` -> `fit_line` -> `with_shared_noise` -> `DeltaRule.decide` -> `_finite_size_drift` ->
`_drift_noise`, `bend_of_line`; `doubt_and_note`, which looks at the samples; `_plan`; `_scatter`, which looks at
neighbouring points; `preferred_law`, which adds a clause, and withdraws what passes where it is a logarithm more.

*Several axes.* One plane goes through all points, and each axis has a judgement. A claim such as N ~ alpha_*^-2
(alpha_* - alpha_#)^-2 speaks of two quantities that a grid may vary together. Judged one after the other, each axis is
charged with what the other does. Judged jointly, Delta_j is the slope of log(measured / claim) on axis j with the
others held fixed: their part is regressed out of axis j first, which leaves a slope on what only axis j explains
[Frisch and Waugh 1933]. Grids that vary the axes in step cannot tell them apart, and are refused by name instead of
answered with a huge interval.

Noise is that of a line (`checks.statistics.regression`): replicates and lack of fit, the wider one counts, and so does
that of replicates or levels that share data. Points are not dropped, since no order of them leads to all limits at
once, but each axis has a square of its own: where it bends, a verdict is withdrawn as for a line
(`checks.statistics.straightness`). There is no censoring: fix the other axes and use `judge_scaling` for runs that were
cut off.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from checks.statistics.bent_accusation import accuses_to_the_end
from checks.statistics.claim_form import Rival, form_of
from checks.statistics.delta_rule import (
    MIN_POINTS,
    MIN_SPAN,
    DeltaRule,
    IntervalAt,
    level_noise,
    points_needed,
    power_factor,
    smallest,
    too_few,
    too_narrow,
    unusable_grid,
)
from checks.statistics.explanation import (
    NO_MEASUREMENTS,
    NO_STEP,
    Adequacy,
    Clause,
    Clauses,
    Measurements,
    NextStep,
    Topic,
)
from checks.statistics.laws import PreferredLaw, law_as_likely, preferred_law
from checks.statistics.line_doubts import (
    LineSamples,
    doubt_and_note,
    how_shared,
    judged_as_means,
    mean_shift,
    of_typical_run,
    possible_shift,
    share_over_design,
    shared_noise,
    short_of_a_mean,
    with_serial_noise,
    with_shared_noise,
)
from checks.statistics.logarithm import grown_by_logarithm, what_would_show
from checks.statistics.near_limit import may_near_a_limit
from checks.statistics.outcome import Estimand
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import Array, Line, Noise, Points, fit_line, points_from_samples, t_quantile
from checks.statistics.second_term import second_term
from checks.statistics.serial_noise import neighbours_err_alike, serial_noise
from checks.statistics.straightness import bend_of_line, bend_of_plane, exceeds, shape_of_line, shape_of_plane
from checks.statistics.verdict import Exponents, Judgement, Plan, Verdict

# ------------------------------------------------------------------------------------------------------------- one axis


MIN_ESTIMATES = 3
"""Points that must carry an estimate, not only a bound: two always lie on a line."""
MIN_POINTS_AFTER_DROPPING = 4
"""Points that the search for a drift leaves, dropping from the far end: of three one residual would tell the noise."""

MAX_LOG = 700.0
"""Largest logarithm whose exponential a float holds."""


NO_NOISE = Clause(Topic.SHORTAGE, "no estimate of the noise")


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
        evidence, known: what the caller knows of the points beside their number, and found of the model behind them.
    """
    cut = int(np.sum(points.side != 0)) if samples is None else int(np.isinf(samples.log_ratio).sum())
    runs = each or (n_replicates, n_replicates)
    evidence = replace(evidence, points=len(points.x), replicates=runs, replicate_unit=unit, censored=cut)
    shortage, line = _shortage(points), fit_line(points)
    if line is None or not line.noise:
        least = NextStep(Plan(max(MIN_POINTS, len(points.x)), max(2, n_replicates)), unit)
        return rule.undecided(shortage or NO_NOISE, evidence=evidence, next_step=least)
    points, line, seen = (points, line, ()) if samples is None else _of_samples(points, line, samples, rule)
    grid_exponent = axis_sign * float(line.coefficients @ log_claimed)
    rule = replace(rule, exponent=grid_exponent, is_logarithmic=_is_slow(points, log_claimed))
    verdict = Verdict.INCONCLUSIVE if shortage else rule.decide(rule.of_delta(line.interval))
    drift = None if verdict is Verdict.INCONCLUSIVE else _finite_size_drift(points, line, rule, verdict)
    doubted, told = (None, None) if samples is None else doubt_and_note(samples, line, rule, verdict)
    shape = shape_of_line(points, line, rule, verdict, axis_sign=axis_sign)
    step = _next_of_line(points, line, rule, verdict, has_drift=drift is not None, replicates=(n_replicates, unit))
    scatter, interval = _scatter(line, points, rule, unit)
    hidden = scatter and _hidden_by_scatter(rule, verdict, interval)
    seen = (*seen, scatter, told, _other_law(preferred := preferred_law(points, log_claimed, axis_sign=axis_sign)))
    judgement = rule.judgement(
        verdict,
        delta=rule.delta(line.slope),
        interval=interval,
        kind="profile" if np.any(points.side != 0) else "t",
        sign=axis_sign,
        evidence=evidence,
        adequacy=Adequacy(_tested(line, samples, verdict), (*filter(None, seen), *known)),
        next_step=step,
        shortage=(shortage,) if shortage else (),
        exponents=_exponents(points, line, rule, grid_exponent, axis_sign),
    )
    grown = "" if shortage else _logarithm(points, line, rule, log_claimed, axis_sign, samples)
    show = functools.partial(what_would_show, points, rule, log_claimed, axis_sign=axis_sign)
    judgement = _unless_logarithm(judgement, rule, verdict, preferred, grown, show)
    judgement = _unless_as_likely(judgement, law_as_likely(points, log_claimed, rule.relation, axis_sign=axis_sign))
    bent, left = drift or (shape.clause if shape and not doubted else None), (verdict, judgement.verdict)
    obstacle = _of_the_word(bent, left, points, line, rule, axis_sign) or doubted or hidden
    kept = _unless_near_limit(_borne_out(judgement, obstacle, _limits(samples)), points, line, rule)
    kept = _unless_second_term(kept, points, log_claimed, rule.relation, axis_sign)
    return _or_violated(kept, judgement, grown, samples)


def _is_slow(points: Points, log_claimed: Array) -> bool:
    """Whether the claim moves along the axis by a logarithm alone."""
    form = form_of(points.x, log_claimed)
    return form is not None and form.is_slow


def _limits(samples: LineSamples | None) -> Clauses:
    """What a verdict on these samples does not reach."""
    return () if samples is None else of_typical_run(samples.log_ratio, samples.estimand)


def _logarithm(
    points: Points,
    line: Line,
    rule: DeltaRule,
    log_claimed: NDArray[np.float64],
    axis_sign: float,
    samples: LineSamples | None,
) -> Clause | str:
    """That measured / claimed grows by a logarithm, or why that is not said."""
    if samples is not None and (doubt := doubt_and_note(samples, line, rule, Verdict.VIOLATED)[0]):
        return doubt.text
    return grown_by_logarithm(points, line, rule, log_claimed, axis_sign=axis_sign)


def _unless_logarithm(
    judgement: Judgement,
    rule: DeltaRule,
    verdict: Verdict,
    preferred: PreferredLaw | None,
    grown: Clause | str,
    would_show: Callable[[], Clause],
) -> Judgement:
    """The judgement, without what a law of another order denies that the points prefer.

    A bound that leaves room for that law holds, and is not tight. What does not is open: an equality, and a bound that
    the law crosses sooner or later.
    """
    rival = preferred and preferred.other
    if rival is None:
        return judgement
    figures, passes = {"advantage": rival.advantage}, verdict in (Verdict.TIGHT, Verdict.HOLDS)
    if rule.relation == ("lower" if rival.order > 0 else "upper"):
        words = f"the bound holds, and is not tight: the data prefer {rival.law}, which leaves room below it"
        if rule.relation == "lower":
            words = words.replace("below", "above")
        is_tight = verdict is Verdict.TIGHT
        return judgement.withdrawn(Verdict.HOLDS, Clause(Topic.LOGARITHM, words, figures)) if is_tight else judgement
    if rival.order < 0:
        words = f"the data prefer {rival.law}, which the claim outgrows; it never accuses, being convex as a limit is"
        route = Clause(Topic.ROUTE, "a claim of that order would be decided, more runs of this one would not")
    elif isinstance(grown, Clause) or not grown:
        return judgement
    else:
        words, route = f"the data prefer {rival.law}, which outgrows the claim; it does not accuse, since {grown}", None
        if verdict is Verdict.INCONCLUSIVE and rule.stays_open(judgement.delta or 0.0):
            # Runs tell Delta from 0 and no more: they decide nothing.
            told = judgement.explanation
            step = replace(told.next, plan=None, only="", clauses=(would_show(),))
            return replace(judgement, explanation=replace(told, next=step))
    if not passes:
        return judgement
    clause = Clause(Topic.LOGARITHM, words, figures)
    return judgement.withdrawn(Verdict.INCONCLUSIVE, clause, last=True).adding(next=(route or would_show(),))


def _unless_as_likely(judgement: Judgement, rival: Rival | None) -> Judgement:
    """The judgement, open where it passes a claim that the points do not tell from a law of another order."""
    if rival is None or judgement.verdict not in (Verdict.TIGHT, Verdict.HOLDS):
        return judgement
    less = "less" if rival.order < 0 else "more"
    words = f"{rival.law} fits as well, so that a logarithm {less}, or half of one, is not excluded"
    route = Clause(Topic.ROUTE, "more runs, or a longer axis, would tell the two apart")
    return judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.LOGARITHM, words)).adding(next=(route,))


def _unless_second_term(
    judgement: Judgement, points: Points, log_claimed: NDArray[np.float64], relation: str, axis_sign: float
) -> Judgement:
    """The judgement, open where it passes a claim that a second term leaves in the end."""
    if judgement.verdict not in (Verdict.TIGHT, Verdict.HOLDS):
        return judgement
    rival = second_term(points, log_claimed, relation, axis_sign=axis_sign)
    if rival is None:
        return judgement
    leaves = "outgrows the claim" if rival.order > 0 else "the claim outgrows"
    words = f"the data tell {rival.law}, which {leaves} in the end; it never accuses, since a floor looks the same"
    route = Clause(Topic.ROUTE, "sizes at which the second term is the larger one would decide")
    return judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.SECOND_TERM, words)).adding(next=(route,))


def _unless_near_limit(judgement: Judgement, points: Points, line: Line, rule: DeltaRule) -> Judgement:
    """The judgement, open where it accuses a claim that measured / claimed may near a limit of."""
    if judgement.verdict is not Verdict.VIOLATED or not (near := may_near_a_limit(points, line, rule)):
        return judgement
    route = Clause(Topic.ROUTE, "larger sizes would decide, or more runs at these")
    return judgement.withdrawn(Verdict.INCONCLUSIVE, near).adding(next=(route,))


def _or_violated(
    borne_out: Judgement, judgement: Judgement, by_logarithm: Clause | str, samples: LineSamples | None
) -> Judgement:
    """Violated where measured / claimed has no bound, though its exponent is no larger than the margin."""
    if isinstance(by_logarithm, str) or borne_out.verdict is Verdict.VIOLATED:
        return borne_out
    plain = judgement.without(Topic.APART, Topic.MARGIN)
    plain = replace(plain, explanation=replace(plain.explanation, next=NO_STEP))
    return plain.withdrawn(Verdict.VIOLATED, by_logarithm).adding(limits=_limits(samples))


def _of_the_word(
    bent: Clause | None, words: tuple[Verdict, Verdict], points: Points, line: Line, rule: DeltaRule, axis_sign: float
) -> Clause | None:
    """What of a bend or drift against the rule's word stands against the one left: bounds may end better than tight."""
    by_rule, left = words
    if bent is None or left is not Verdict.HOLDS or by_rule is Verdict.HOLDS:
        return bent
    shape = shape_of_line(points, line, rule, left, axis_sign=axis_sign)
    return _finite_size_drift(points, line, rule, left) or (shape.clause if shape else None)


def _borne_out(judgement: Judgement, obstacle: Clause | None, limits: Clauses) -> Judgement:
    """The judgement, withdrawn where something stands against it, with what it does not reach where it decides."""
    if obstacle:
        return _past_shape(judgement.withdrawn(Verdict.INCONCLUSIVE, obstacle), obstacle)
    return judgement if judgement.verdict is Verdict.INCONCLUSIVE else judgement.adding(limits=limits)


def _past_shape(judgement: Judgement, obstacle: Clause) -> Judgement:
    """The judgement with what would decide where a shape stands against it: replicates show the same shape again."""
    if obstacle.topic is not Topic.STRAIGHTNESS:
        return judgement
    words = (
        "a longer axis would decide, with five points or more beyond this shape; more runs at these points would not"
    )
    return judgement.adding(next=(Clause(Topic.ROUTE, words),))


def _of_samples(points: Points, line: Line, samples: LineSamples, rule: DeltaRule) -> tuple[Points, Line, Clauses]:
    """Points and line as the samples behind them ask for, and what is said of that."""
    line, shared = with_shared_noise(line, samples)
    points, line, means = judged_as_means(points, line, samples, rule)
    return points, line, tuple(filter(None, (shared, means)))


def _exponents(points: Points, line: Line, rule: DeltaRule, claimed: float, axis_sign: float) -> Exponents:
    """The exponents measured and claimed, the prefactor in the middle of the grid, and Delta between neighbours."""
    return Exponents(
        claimed + axis_sign * line.slope,
        claimed,
        prefactor=_prefactor(line.intercept + line.slope * float(points.x.mean())),
        local_deltas=tuple(map(rule.delta, _local_slopes(points))),
    )


def _tested(line: Line, samples: LineSamples | None, verdict: Verdict) -> tuple[Topic, ...]:
    """What was looked for in the points and their samples."""
    topics = [] if verdict is Verdict.INCONCLUSIVE else [Topic.STRAIGHTNESS]
    topics += [Topic.LACK_OF_FIT] if line.sampling and line.lack_of_fit is not None else []
    if samples is not None and samples.log_ratio.shape[1] > 1:
        topics += [Topic.SHARED_RUNS, *((Topic.MIXTURE, Topic.SPREAD) if samples.is_censored else (Topic.MEAN,))]
    return (*topics, Topic.OTHER_LAW)


def _next_of_line(
    points: Points, line: Line, rule: DeltaRule, verdict: Verdict, *, has_drift: bool, replicates: tuple[int, str]
) -> NextStep:
    """What would decide; no number where the rule decided, or where more points and replicates among them would not."""
    count, (n_replicates, unit) = len(points.x), replicates
    if has_drift:
        # What they cost is not known: those there are lie farther from the limit.
        return NextStep(unit=unit, clauses=(Clause(Topic.ROUTE, "points nearer to the limit would decide"),))
    if verdict is not Verdict.INCONCLUSIVE:
        return NextStep(unit=unit)
    if _is_misplaced(points):
        return NextStep(unit=unit, clauses=(Clause(Topic.ROUTE, _other_places(points)),))
    plan = _plan(line, rule, n_points=count, n_replicates=n_replicates, needed=points_needed(points))
    rough: Clauses = ()
    if line.narrowing is not None and plan.n_replicates > n_replicates:
        rough = (Clause(Topic.ROUTE, "a rough number: few runs carry the means, and others would say another"),)
    if _shortage(points):
        return NextStep(plan, unit, clauses=rough)
    return rule.next_step(plan, unit, rule.delta(line.slope), clauses=rough)


def _is_misplaced(points: Points) -> bool:
    """Whether the grid's places are wrong and nothing else: no number of replicates or points among them mends that."""
    needed = points_needed(points)
    is_enough = not too_few(len(np.unique(points.x)), needed)
    return is_enough and bool(too_narrow(points.x) or unusable_grid(points.x, needed))


def _other_places(points: Points) -> str:
    """What would decide where the places of the grid are wrong."""
    if too_narrow(points.x):
        where = f"points over a factor {MIN_SPAN:g} of the axis"
        return f"{where} would decide, if the hypotheses leave so much of it; more trials at these points would not"
    return "points at other places of the axis would decide; more trials at these would not"


def _other_law(preferred: PreferredLaw | None) -> Clause | None:
    """The law that the points clearly prefer to the claim."""
    if preferred is None:
        return None
    words = f"the data prefer {preferred.law} (AICc lower by {preferred.advantage:.3g})"
    return Clause(Topic.OTHER_LAW, words, {"law": preferred.law, "advantage": preferred.advantage})


def _prefactor(log_value: float) -> float | None:
    """The prefactor; None where no number of a machine holds it."""
    return math.exp(log_value) if abs(log_value) < MAX_LOG else None


def _scatter(line: Line, points: Points, rule: DeltaRule, unit: str) -> tuple[Clause | None, IntervalAt]:
    """That points scatter about the line by more than replicates explain, and the interval of Delta with that."""
    replicates = _widest(line)
    if replicates is None or not _exceeds(line, replicates):
        return None, rule.of_delta(line.interval)
    words = f"points scatter about the line by more than {unit} explain, and the interval is as wide as that"
    known, freedom = float(np.mean(replicates.variances)), float(np.sum(replicates.freedom))
    if neighbours_err_alike(points.x, points.y, known, freedom):
        line = with_serial_noise(line, serial_noise(points.x, points.y))
        words += "; neighbours err alike, and it allows for errors that follow one another"
    return Clause(Topic.LACK_OF_FIT, f"lack of fit: {words}"), rule.of_delta(line.interval)


def _hidden_by_scatter(rule: DeltaRule, verdict: Verdict, interval: IntervalAt) -> Clause | None:
    """That the scatter of neighbours hides a verdict."""
    if verdict is Verdict.INCONCLUSIVE or rule.decide(interval) is verdict:
        return None
    words = "errors of neighbouring points may follow one another; more points, or points farther apart, would decide"
    return Clause(Topic.LACK_OF_FIT, words)


def _local_slopes(points: Points) -> tuple[float, ...]:
    """Residual slopes between neighbouring points that carry an estimate, the pair nearest to the limit last."""
    estimates = points.side == 0
    order = np.argsort(points.x[estimates], kind="stable")
    x, y = points.x[estimates][order], points.y[estimates][order]
    apart = np.diff(x) > 0
    return tuple(float(slope) for slope in np.diff(y)[apart] / np.diff(x)[apart])


def _shortage(points: Points) -> Clause | None:
    """Why these points cannot carry a verdict."""
    needed = points_needed(points)
    words = too_few(len(np.unique(points.x)), needed) or too_narrow(points.x) or unusable_grid(points.x, needed)
    estimable = len(np.unique(points.x[points.side == 0]))
    if not words and estimable < MIN_ESTIMATES:
        words = f"only {estimable} points are not censored, {MIN_ESTIMATES} are needed"
    return Clause(Topic.SHORTAGE, words, {"points": len(points.x), "estimates": estimable}) if words else None


def _finite_size_drift(points: Points, line: Line, rule: DeltaRule, verdict: Verdict) -> Clause | None:
    """How Delta drifts toward the limit where that undermines `verdict`; None where it does not, or accuses as well."""
    drift = _drift_or_bend(points, line, rule, verdict)
    stands = drift is not None and verdict is Verdict.VIOLATED and accuses_to_the_end(points, line, rule)
    return None if stands else drift


def _drift_or_bend(points: Points, line: Line, rule: DeltaRule, verdict: Verdict) -> Clause | None:
    """The first drop of points with a drift that undermines `verdict`, or else a bend that does."""
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
    bend = bend_of_line(points, line, confidence=rule.confidence, margin=rule.margin)
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


def _plan(line: Line, rule: DeltaRule, *, n_points: int, n_replicates: int, needed: int) -> Plan:
    """The smallest growth of the experiment that would decide if Delta is what it seems.

    Replicates where sampling noise may explain the scatter of the points; more points where an F test says that it
    does not, since replicates cannot average lack of fit away.
    """
    delta = rule.delta(line.slope)
    gap, level = rule.gap(delta), rule.deciding_confidence(delta)
    replicates = _widest(line)
    sampling = math.inf if replicates is None else replicates.standard_error(line.coefficients)
    scatter = line.lack_of_fit.standard_error(line.coefficients) if line.lack_of_fit is not None else 0.0
    n_points_now, n_points = n_points, max(n_points, needed)
    if replicates is not None and not _exceeds(line, replicates):
        factor = power_factor(n_points - 2, level, rule.policy) * math.sqrt(n_points_now / n_points)
        quantile = t_quantile(max(n_points_now - 2, 1), level)

        def decides(n: int) -> bool:
            """An interval may be wider than noise makes it, as that of means is which few runs carry."""
            more = n / n_replicates
            own = _half_width(line, level) / math.sqrt(more) if line.narrowing is None else line.narrowing(more, level)
            return factor * max(max(sampling, scatter) / math.sqrt(more), own / quantile) <= gap

        start = rule.policy.beyond(n_replicates) if n_points == n_points_now else n_replicates - 1
        return Plan(n_points, smallest(decides, start))
    scatter = max(scatter, sampling if sampling < math.inf else 0.0)
    start = rule.policy.beyond(n_points_now) if n_points == n_points_now else n_points - 1
    factors = functools.partial(power_factor, confidence=level, policy=rule.policy)
    enough = smallest(lambda n: factors(n - 2) * scatter * math.sqrt(n_points_now / n) <= gap, start)
    return Plan(enough, n_replicates)


def _half_width(line: Line, level: float) -> float:
    interval = line.interval(level)
    return (interval.high - interval.low) / 2


def _widest(line: Line) -> Noise | None:
    """The larger source of the noise that replicates show; None with one replicate."""
    return max(line.sampling, key=lambda noise: noise.standard_error(line.coefficients), default=None)


def _exceeds(line: Line, replicates: Noise) -> bool:
    """Whether points scatter about the line by more than replicates explain, by an F test."""
    return line.lack_of_fit is not None and exceeds(line.lack_of_fit, replicates, line.coefficients, PRETEST_LEVEL)


# --------------------------------------------------------------------------------------------------------- several axes


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
    estimand: Estimand | None = None,
) -> dict[str, Judgement]:
    """Judge every axis by its own slope in the plane.

    Args:
        axes: name -> (x [points], sign of x against log axis), x increasing toward the limit.
        log_ratio: log(measured / claim), NaN where a row has ended. [points, replicates]
        log_claimed: log claim. [points]
        rule: relation and margin, for every axis.
        paired: replicate j shares data along the axes.
        shared_levels: names of axes of which all points of one value share data.
        estimand: what the claim speaks of; None where nobody said.
    """
    x = np.stack([values for values, _ in axes.values()], axis=1)
    plane = _Plane(tuple(axes), x, log_ratio, log_claimed, rule, paired, frozenset(shared_levels), estimand)
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
    estimand: Estimand | None

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
    shortage = _shortage_of_axis(values, n_points, len(plane.names), share)
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
    line, known, notes = _line_of_axis(plane, index, own / float(own @ own))
    grid_exponent = sign * float(line.coefficients @ plane.log_claimed)
    rule = replace(rule, exponent=grid_exponent)
    delta, interval = rule.delta(line.slope), rule.of_delta(line.interval)
    verdict = Verdict.INCONCLUSIVE if shortage else rule.decide(interval)
    tested = [Topic.SHARED_RUNS, *([Topic.LACK_OF_FIT] if line.sampling else [])]
    drift = doubted = None
    if verdict is not Verdict.INCONCLUSIVE:
        tested += [Topic.STRAIGHTNESS, Topic.MEAN]
        drift = _bend_of_axis(plane, index, line, known, verdict)
        shape = shape_of_plane(plane.x, plane.points.y, index, rule, verdict, sampling=known, axis_sign=sign)
        doubted = drift or (shape.clause if shape else None) or _doubt_of_mean(plane, line, verdict)
    judgement = rule.judgement(
        verdict,
        delta=delta,
        interval=interval,
        kind="t",
        sign=sign,
        evidence=evidence,
        adequacy=Adequacy(tuple(tested), notes),
        shortage=shortage,
        exponents=Exponents(grid_exponent + sign * line.slope, grid_exponent),
    )
    return _borne_out(judgement, doubted, of_typical_run(plane.log_ratio, plane.estimand))


def _line_of_axis(plane: _Plane, index: int, coefficients: Array) -> tuple[Line, tuple[Noise, ...], Clauses]:
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
        noise.append(shared_noise(complete, independent=plane.paired))
        told = functools.partial(share_over_design, design, coefficients, complete)
        how = how_shared("are paired" if plane.paired else "", told, "the axes")
        words = f"{how}: the interval is that of {complete.shape[1]} slopes, one each"
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


def _bend_of_axis(plane: _Plane, index: int, line: Line, known: Sequence[Noise], verdict: Verdict) -> Clause | None:
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
    if short := short_of_a_mean(plane.log_ratio, plane.estimand, verdict):
        return short
    if plane.estimand is Estimand.TYPICAL:
        return None
    find = possible_shift if plane.estimand is Estimand.MEAN else mean_shift
    shift = find(line.coefficients, plane.log_ratio)
    if shift is None or not shift.moves(plane.rule, verdict, line.slope, line.interval):
        return None
    return shift.clause(plane.rule, line.slope)


def _shortage_of_axis(x: Array, n_points: int, n_axes: int, share: float) -> Clauses:
    """Why these points cannot carry a verdict on this axis."""
    words = too_few(n_points, n_axes=n_axes) or too_narrow(x)
    if not words and share < MIN_OWN_SHARE:
        words = f"the other axes explain {100 * (1 - share):.3g} % of this one: they are collinear on the grid"
    return (Clause(Topic.SHORTAGE, words, {"points": n_points, "own_share": share}),) if words else ()
