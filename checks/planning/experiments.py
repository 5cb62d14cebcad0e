"""What a row's stored trials say of their noise, as an `Experiment` that can be made up at any size.

One function a kind of evidence: spread between replicates, scatter of points beyond it, cut-offs, steepness of success
curves, spread of slopes, rates.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from scipy import special

from checks.evidence.along import Along
from checks.evidence.comparison import in_scaling_family, relation_of, sane
from checks.evidence.family import shared_by
from checks.evidence.law_distances import LawDistance
from checks.evidence.limit_laws import LimitLaw
from checks.evidence.paired import PairedDifference
from checks.evidence.part import Part
from checks.evidence.ratios import SmallerThreshold, ThresholdRatio
from checks.evidence.rising import Rising
from checks.evidence.sampled import Behaviour, Excess, Fraction, LimitValue, Scaling, Sufficient, Threshold
from checks.evidence.trajectories import Rate
from checks.evidence.transitions import Transition
from checks.planning import limit_experiment, power, transition_experiment
from checks.planning.axis_experiments import Curves, DistanceExperiment, SampleExperiment, fit_steepness
from checks.planning.power import Experiment
from checks.planning.run_noise import MIN_NOISE, RunNoise, run_noise
from checks.records.rows import Row
from checks.statistics.delta_rule import MIN_SPAN, DeltaRule
from checks.statistics.judge import signed_log_axis
from checks.statistics.order_rules import expected_half_width
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.verdict import Plan
from sim.trials.trial import Trial
from theory.claim import Claim

POINT_BY_POINT = "it is judged point by point, and power is simulated for the slope of an order alone"
"""Of a value with its constants."""

KNOWN = 1e6
"""Degrees of freedom of an error that counts tell, not the scatter of a few runs."""


@functools.singledispatch
def experiment_of(part: Part, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    """The experiment behind a row, or why it cannot be planned: by the kind of part, each registered below."""
    return f"there is no experiment to plan for evidence of kind {type(part).__name__}"


@experiment_of.register(Behaviour)
@experiment_of.register(Sufficient)
def _counts(part: Behaviour | Sufficient, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    shown = part.shown(trials)
    if not shown:
        return "no trial lies in the claim's regime"
    if part.rate == 1:
        return "one trial without it decides against a rate of 1, and no number of trials for it"
    return power.Counts(
        size=Plan(1, len(shown)),
        unit="trials",
        rate=part.rate,
        seen=sum(shown) / len(shown),
        policy=part.policy.of_family(shared_by(part, claim)),
    )


@experiment_of.register
def _excess(part: Excess, claim: Claim, row: Row, trials: Sequence[Trial]) -> str:
    return "power is simulated for a line, and not for a power beyond an offset that is fitted as well"


def _rule(part: Part, claim: Claim) -> DeltaRule:
    return DeltaRule(relation_of(claim.kind), float(claim.margin), in_scaling_family(part.policy, claim))


def _axis(row: Row) -> tuple[np.ndarray, np.ndarray]:
    """Signed log axis and log bound of the points in the regime."""
    kept = [point for point in row.points if point.in_regime is not False and point.bound is not None]
    _, x = signed_log_axis([point.value for point in kept], "infinity" if row.toward is None else row.toward)
    return x, np.log([point.bound for point in kept if point.bound is not None])


def _extends(row: Row, x: np.ndarray) -> bool:
    """Whether new points must lie nearer to the limit: the axis is too short, or Delta drifts along it."""
    return math.exp(float(np.ptp(x))) < MIN_SPAN or row.judgement.finite_size


def _whole_numbers(part: Along, row: Row, trials: Sequence[Trial]) -> Callable[[np.ndarray], np.ndarray] | None:
    """What moves signed logarithms of the axis to whole numbers; None where its values need not be whole."""
    toward = "infinity" if row.toward is None else row.toward
    if not isinstance(toward, str) or not all(isinstance(t.spec.parameters[part.parameter], int) for t in trials):
        return None
    sign = 1.0 if toward == "infinity" else -1.0
    return lambda x: sign * np.log(np.maximum(np.round(np.exp(sign * x)), 1.0))


@experiment_of.register
def _samples(part: Scaling, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    if claim.kind.is_explicit:
        return POINT_BY_POINT
    groups = part.groups(trials)
    values = [point.value for point in row.points if point.in_regime is not False and point.bound is not None]
    if not values:
        return "no grid point lies in the claim's regime"
    x, log_bound = _axis(row)
    logs = [np.log([part.value(trial) for trial in sane(groups[value])]) for value in values]
    logs = [column[np.isfinite(column)] for column in logs]
    noise = run_noise(x, logs)
    if noise is None:
        return "no point has two runs that arrived: the noise is not known"
    freedom = sum(len(column) - 1 for column in logs if len(column) > 1)
    means = np.array([column.mean() if len(column) else np.nan for column in logs])
    y, replicates = means - log_bound, min(len(groups[value]) for value in values)
    limits = np.log([part.limit(groups[value][0]) for value in values])
    return SampleExperiment(
        size=Plan(len(x), replicates),
        unit="replicates a point",
        x=x,
        rule=_rule(part, claim),
        delta=row.judgement.delta,
        scatter=_scatter(x, y, noise.at(x) / math.sqrt(replicates), freedom),
        extend=_extends(row, x),
        whole=_whole_numbers(part, row, trials),
        noise=noise,
        log_limit=limits - log_bound,
        estimand=part.estimand,
    )


def _scatter(x: np.ndarray, y: np.ndarray, error: np.ndarray, freedom: float) -> float:
    """Standard deviation of points about their line beyond their own errors; 0 where these explain it, by an F test.

    As in the rules: where errors of so many degrees of freedom may explain it, replicates are what decides.
    """
    kept = np.isfinite(y) & np.isfinite(error)
    if kept.sum() < 4:
        return 0.0
    slope, intercept = np.polyfit(x[kept], y[kept], 1)
    residual = y[kept] - slope * x[kept] - intercept
    above, own = kept.sum() - 2.0, float(np.mean(error[kept] ** 2))
    found = float(residual @ residual) / above
    if found <= own * float(special.fdtri(above, max(freedom, 1.0), 1 - PRETEST_LEVEL)):
        return 0.0
    return math.sqrt(found - own)


@experiment_of.register
def _limits(part: LimitValue, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    return limit_experiment.of_part(part, claim, row, trials)


@experiment_of.register
def _transitions(part: Transition, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    return transition_experiment.of_part(part, claim, row, trials)


@experiment_of.register
def _laws(part: LimitLaw, claim: Claim, row: Row, trials: Sequence[Trial]) -> str:
    return "it is several limits, and its reason says which sizes would decide the one that is open"


@experiment_of.register
def _distances(part: LawDistance, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    kept = [point for point in row.points if point.in_regime is not False and point.bound is not None]
    groups = part.groups(trials)
    found = [part.distance(groups[point.value]) for point in kept]
    if not any(estimate.value for estimate in found):
        return "no distance is told from 0: it needs more draws, or smaller sizes"
    x, log_bound = _axis(row)
    logs = np.array([math.log(estimate.value) if estimate.value else np.nan for estimate in found])
    errors = np.array([estimate.standard_error or np.nan for estimate in found])
    return DistanceExperiment(
        size=Plan(len(x), min(len(groups[point.value]) for point in kept)),
        unit="replicates a point",
        x=x,
        rule=_rule(part, claim),
        delta=row.judgement.delta,
        scatter=_scatter(x, logs - log_bound, errors, KNOWN),
        extend=False,  # the nearer to the limit, the less of a distance is left
        whole=_whole_numbers(part, row, trials),
        log_distance=log_bound + float(np.nanmean(logs - log_bound)),
        draws=float(np.median([len(part.draws(trial)) for trial in sane(trials)])),
        confidence=part.confidence,
    )


@experiment_of.register
def _curves(part: Threshold, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    if claim.kind.is_explicit:
        return POINT_BY_POINT
    kept = [point for point in row.points if point.in_regime is not False and point.bound is not None]
    if not kept:
        return "no grid point lies in the claim's regime"
    x, log_bound = _axis(row)
    groups = part.groups(trials)
    estimates = [part.threshold(groups[point.value]) for point in kept]
    measured = np.array([np.nan if e.value is None else math.log(e.value) for e in estimates])
    error = np.array([np.nan if e.standard_error is None else e.standard_error for e in estimates])
    if not np.isfinite(measured).any():
        beyond = {e.censored for e in estimates}
        ends = {"above": "larger", "below": "smaller"}
        words = " and ".join(word for side, word in ends.items() if side in beyond) or "other"
        return f"no threshold lies on the grid of sizes: it needs {words} sizes before replicates"
    outcomes = {point.value: part.outcomes(groups[point.value]) for point in kept}
    steepness, lapse = fit_steepness(
        [
            (math.log(size) - centre, sum(shown), len(shown))
            for point, centre in zip(kept, measured, strict=True)
            if math.isfinite(centre)
            for size, shown in outcomes[point.value].items()
        ]
    )
    sizes = sorted({size for by_size in outcomes.values() for size in by_size})
    offset = float(np.nanmean(measured - log_bound))
    return Curves(
        size=Plan(len(x), min(len(shown) for by_size in outcomes.values() for shown in by_size.values())),
        unit="replicates a size",
        x=x,
        rule=_rule(part, claim),
        delta=row.judgement.delta,
        scatter=_scatter(x, measured - log_bound, error, KNOWN),
        extend=_extends(row, x),
        whole=_whole_numbers(part, row, trials),
        log_threshold=log_bound + offset,
        log_sizes=np.log(sizes),
        steepness=steepness,
        lapse=lapse,
    )


@experiment_of.register
def _ratios(part: ThresholdRatio, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    """As for samples: a replicate of both curves is one draw of the ratio's logarithm, with the error that it has."""
    kept = [point for point in row.points if point.in_regime is not False and point.bound is not None]
    found = part.ratios(trials)
    errors = [error for point in kept if (error := found[point.value].standard_error) is not None]
    if not errors:
        return "no place has a ratio: it needs other sizes before replicates"
    x, log_bound = _axis(row)
    at_size = Counter(
        (part.is_top(t.spec), t.spec.parameters[part.parameter], t.spec.parameters[part.size]) for t in trials
    )
    replicates = min(at_size.values())
    logs = np.array([math.log(found[point.value].value or math.nan) for point in kept])
    noise = max(float(np.median(errors)) * math.sqrt(replicates), MIN_NOISE)
    return SampleExperiment(
        size=Plan(len(x), replicates),
        unit="replicates a size",
        x=x,
        rule=_rule(part, claim),
        delta=row.judgement.delta,
        scatter=_scatter(x, logs - log_bound, np.full(len(x), noise / math.sqrt(replicates)), KNOWN),
        extend=_extends(row, x),
        whole=_whole_numbers(part, row, trials),
        noise=RunNoise(noise),
        log_limit=np.full(len(x), math.inf),
    )


@experiment_of.register
def _smaller(part: SmallerThreshold, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    return "a difference of no stated size has no margin: replicates narrow its interval by the root of their number"


@experiment_of.register
def _paired(part: PairedDifference, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    return "its interval narrows by the root of the number of pairs"


@experiment_of.register
def _rise(part: Rising, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    return "a rise of no stated size has no margin: replicates narrow its interval by the root of their number"


@experiment_of.register
def _slopes(part: Rate, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    judgement = row.judgement
    interval = judgement.confidence_interval
    if judgement.delta is None or interval is None or judgement.n_points < 2:
        return "no slope could be fitted: " + judgement.reason
    half = 0.5 * (interval.high - interval.low)
    if not math.isfinite(half):
        return "the scatter of the slopes is not known: " + judgement.reason
    noise = half / expected_half_width(judgement.n_points, row.policy.interval_confidence)
    return power.Slopes(
        size=Plan(1, judgement.n_points), unit="seeds", rule=_rule(part, claim), delta=judgement.delta, noise=noise
    )


@experiment_of.register
def _shares(part: Fraction, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    kept = [
        (point.bound, point.measured, point)
        for point in row.points
        if point.in_regime is not False and point.bound is not None and point.measured is not None
    ]
    if not kept:
        return "no grid point lies in the claim's regime"
    bound, measured, point = min(kept, key=lambda three: abs(math.log(max(three[1], 1e-9) / max(three[0], 1e-9))))
    return power.Shares(
        size=Plan(1, point.n_trials),
        unit="trials",
        bound=bound / point.value,
        seen=measured / point.value,
        per_trial=round(point.value),
        relation=relation_of(claim.kind),
        units_independent=part.units_independent,
        policy=part.policy.of_family(shared_by(part, claim)),
    )
