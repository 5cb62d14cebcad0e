"""How much data would decide a claim, and what it costs here: `theoremeter plan ID`.

For every part and axis: take the stored trials of the preset (of the next smaller one where the preset has none), read
off their noise and their seconds, and search for the smallest experiment that decides rightly with the power asked for.
Two questions are answered: what would decide if the truth is what the data show so far, which is the figure that an
inconclusive verdict's reason estimates, and what resolves the claim's margin whatever the truth turns out to be. Every
answer is found and verified by simulation (`checks.planning.power`) through the verdict rules themselves; the formula
behind the reason's figure is shown beside it.

Calling order: `plan_check` -> `_basis`, `plan_based` -> `experiment_of` -> `_design` -> `_search`; `Costs`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import numpy as np

from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.evidence.typed import command
from checks.planning.allowance import OutOfTime, go_on, share
from checks.planning.axis_experiments import AxisExperiment
from checks.planning.cost_model import CostModel
from checks.planning.costs import Costs, PresetCost, beyond_words, preset_cost
from checks.planning.experiments import experiment_of
from checks.planning.power import Experiment, Truth
from checks.records.preset import SMALLER, Preset
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic, joined
from checks.statistics.verdict import Plan, Verdict
from sim.store.fingerprint import key
from sim.trials.errors import MissingReadout
from sim.trials.trial import Trial, TrialSpec
from theory.claim import Claim
from theory.tried import in_vain

Passing = Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]
MAX_REPLICATES = 2000
"""Beyond it an experiment is not a plan."""
SEARCH_SIMULATIONS = 50
STRETCHES = (1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
"""How many times as long, in its logarithm, an axis is tried."""


@dataclass(frozen=True)
class Design:
    """An experiment that answers a question, or the largest tried (`enough` is then False).

    Attributes:
        question: what it decides.
        power: least share of right verdicts over the question's truths, by simulation.
        power_now: the same of the experiment as stored.
        formula: what the verdict's own plan says, where the question is the one it answers.
        axis_values: points on the axis; empty where there is no axis. Whole where the axis counts something.
        span: factor between the ends of the axis, by distance from the boundary where it goes toward one; None without.
        wider: factor over which as many points and replicates as now would decide; None where they do, or none does.
        sizes: sample sizes of each success curve; empty where there are none.
        n_trials, n_more: trials in all, and those not stored yet.
        seconds, more_seconds: CPU seconds of either.
        n_measured: at how many of its grid points (axis value and size) seconds are measured; elsewhere predicted.
        beyond: how many times beyond what is stored a power law alone tells seconds; 1 where none does.
    """

    question: str
    size: Plan
    enough: bool
    power: float
    power_now: float
    formula: Plan | None
    axis_values: tuple[float, ...]
    sizes: tuple[int, ...]
    n_trials: int
    n_more: int
    seconds: float
    more_seconds: float
    longest: float
    n_measured: int = 0
    beyond: float = 1.0
    span: float | None = None
    wider: float | None = None

    @property
    def seconds_source(self) -> str:
        """Whether its seconds are measured or predicted."""
        points = max(len(self.axis_values), 1) * max(len(self.sizes), 1)
        if self.n_measured == points:
            return "measured"
        words = f"{self.n_measured} of {points} points measured" if self.n_measured else "predicted"
        return words + beyond_words(self.beyond)

    def wall_seconds(self, workers: int) -> float:
        """Wall time of the trials not stored yet."""
        return max(self.more_seconds / workers, self.longest if self.n_more else 0.0)


@dataclass(frozen=True)
class PlanRow:
    """The plan of one part and axis; `note` says why there is none."""

    row: Row
    preset: Preset | None
    unit: str = ""
    now: Plan | None = None
    seconds_by_point: tuple[tuple[float, float], ...] = ()
    designs: tuple[Design, ...] = ()
    note: str = ""
    cost: PresetCost | None = None
    """What the part's trials cost at the preset asked for."""
    other_placements: bool = False
    """Whether the trials can be placed otherwise than on the grid that a plan is made for."""


def planned_parts(check: Check, preset: Preset) -> list[Part]:
    """Parts of a claim that trials with noise settle; proofs and exact dynamics need no plan."""
    return [part for part in check.parts if part.has_sampling_error and part.specs(preset)]


def planned_specs(check: Check, preset: Preset) -> Iterator[TrialSpec]:
    """The trials that a plan looks at: of these parts and their controls, at the preset and at smaller ones."""
    for part in planned_parts(check, preset):
        for size in (preset, *SMALLER[preset]):
            yield from part.specs(size)
            yield from part.control_specs(size)


@dataclass(frozen=True)
class Basis:
    """What a plan of one part starts from: the preset whose trials are all stored, rows and trials of it."""

    part: Part
    claim: Claim
    preset: Preset | None
    rows: Sequence[Row]
    trials: Sequence[Trial]


@dataclass(frozen=True)
class _PlannedLine:
    """A row to plan: what its plan has whatever comes of it, and the costs of its trials."""

    basis: Basis
    plan: PlanRow
    costs: Costs
    is_alone: bool = False
    """Whether its claim is the only one that is planned: to plan it by itself is then no advice."""

    @property
    def is_put_off(self) -> bool:
        """Whether nothing is simulated of it before all others are: decided, and its claim one of several."""
        return not self.is_alone and self.plan.row.verdict is not Verdict.INCONCLUSIVE

    @property
    def by_formula(self) -> str:
        """The figure of the row's reason, and what the trials that it lacks cost, as the end of a note; "" for none."""
        formula = self.plan.row.judgement.plan
        if formula is None:
            return ""
        words = f"; by the formula of its reason, {formula.n_points} x {formula.n_replicates}"
        if self.plan.row.judgement.explanation.next.only:
            words += " to see whether Delta stays open, which decides nothing"
        places = list(self.costs.seconds)
        if len(places) != formula.n_points:
            return words
        lacking = [max(formula.n_replicates - self.costs.stored(*place), 0) for place in places]
        seconds = sum(count * self.costs.at(*place) for count, place in zip(lacking, places, strict=True))
        return f"{words}, {sum(lacking)} trials more in {seconds:.3g} CPU s"

    @property
    def seconds_shown(self) -> PlanRow:
        """The plan with the seconds at each point."""
        return replace(self.plan, seconds_by_point=tuple(sorted(self.costs.by_point().items())))


def plan_check(
    check: Check, preset: Preset, trials: Mapping[str, Trial], models: Mapping[str, CostModel] | None = None
) -> list[PlanRow]:
    """Plans of every part of a claim that needs one.

    Args:
        trials: stored trials by key, at least those of `preset` and of the smaller ones.
        models: cost models by the name of the simulator; without one, costs follow stored trials of the part alone.
    """
    return plan_based(based(check, preset, trials), preset, trials, models or {})


def based(check: Check, preset: Preset, trials: Mapping[str, Trial]) -> list[Basis]:
    """What plans of a claim's parts start from."""
    return [_basis(part, check.claim, preset, trials) for part in planned_parts(check, preset)]


def plan_based(
    bases: Sequence[Basis],
    preset: Preset,
    trials: Mapping[str, Trial],
    models: Mapping[str, CostModel],
    passing: Passing = nullcontext,
) -> list[PlanRow]:
    """Plans of parts, and what their trials at the preset cost.

    Where the time is short, lines have equal shares of half of it, so that a costly one leaves time to the others. What
    is left then goes to those that did not get through, the undecided first, which a plan is made for. Of several
    claims, lines that are decided take no share: they have what the others leave.

    Args:
        passing: what lines are drawn from in each round, such as a bar of progress.
    """
    is_alone = len({basis.claim.id for basis in bases}) == 1
    lines = [replace(line, is_alone=is_alone) for basis in bases for line in _lines(basis, preset, trials, models)]
    made: list[PlanRow | None] = [None] * len(lines)
    for shared in (True, False):
        waiting = [i for i, plan in enumerate(made) if plan is None and not (shared and lines[i].is_put_off)]
        waiting.sort(key=lambda i: lines[i].plan.row.verdict is not Verdict.INCONCLUSIVE)
        with passing(waiting) if waiting else nullcontext(()) as each:
            for done, i in enumerate(each):
                with share(2 * (len(waiting) - done) if shared else 1):
                    made[i] = _plan_row(lines[i])
    return [_unreached(line) if plan is None else plan for line, plan in zip(lines, made, strict=True)]


def _lines(
    basis: Basis, preset: Preset, trials: Mapping[str, Trial], models: Mapping[str, CostModel]
) -> Iterator[_PlannedLine]:
    """What is to be planned of a part, row by row."""
    part = basis.part
    costs = Costs.of(part, basis.trials, models.get(part.specs(preset)[0].system.name))
    cost = preset_cost(part, preset, costs, trials)
    for row in basis.rows:
        plan = PlanRow(row, basis.preset, cost=cost, other_placements=len(part.placements) > 1)
        yield _PlannedLine(basis, plan, costs)


def _basis(part: Part, claim: Claim, preset: Preset, trials: Mapping[str, Trial]) -> Basis:
    """The largest preset up to the one asked for whose trials are all stored, its rows and trials."""
    for candidate in (preset, *SMALLER[preset]):
        specs = part.specs(candidate)
        if not specs:
            continue
        names = dict.fromkeys(map(key, specs))
        found = [trials[name] for name in names if name in trials]
        if len(found) == len(names):
            return Basis(part, claim, candidate, part.rows(claim, candidate, trials), found)
    return Basis(part, claim, None, part.rows(claim, _smallest_preset(part), trials), ())


def _smallest_preset(part: Part) -> Preset:
    return next(preset for preset in Preset if part.specs(preset))


def _plan_row(line: _PlannedLine) -> PlanRow | None:
    """The plan of a line; None where the time that it has is too short."""
    basis, costs, row = line.basis, line.costs, line.plan.row
    part, preset = basis.part, basis.preset
    if preset is None:
        words = f"{command('run', basis.claim.id)} --preset {_smallest_preset(part)}"
        return replace(line.plan, note=f"{_stored_words(line.plan.cost)}: {words}")
    plan = line.seconds_shown
    if _is_deterministic(part, preset):
        return replace(plan, note="one trial a setting: replicates change nothing, more settings would")
    designs: list[Design] = []
    rest = doubt = ""
    try:
        go_on()
        experiment = experiment_of(part, basis.claim, row, basis.trials)
        if isinstance(experiment, str):
            return replace(plan, note=experiment + line.by_formula)
        plan = replace(plan, unit=experiment.unit, now=experiment.size, note=experiment.unanswered)
        doubt = experiment.doubt
        for question, truths in experiment.truths():
            designs.append(_design(experiment, question, truths, row=row, costs=costs))
    except MissingReadout as lacking:
        return replace(plan, note=f"no plan: {lacking}")
    except OutOfTime:
        if not designs:
            return None
        rest = f"the rest is {_out_of_time(line)}"
    doubt = doubt if any(each.power_now < row.policy.power for each in designs) else ""
    tried = in_vain(basis.claim.tried)
    on_record = f"on record of more trials: {tried}" if tried else ""
    notes = plan.note, rest, doubt, _of_longer_axis(designs, row), on_record, *map(_of_another_size, designs)
    return replace(plan, designs=tuple(designs), note="; ".join(filter(None, notes)))


def _of_another_size(design: Design) -> str:
    """Why a design is not of the size that the verdict's reason gives; "" where it is."""
    told, size = design.formula, design.size
    if told is None or told == size:
        return ""
    fewer = size.n_points * size.n_replicates < told.n_points * told.n_replicates
    why = "simulated, fewer than half of them do" if fewer else "simulated, they are too few"
    return f"the formula of its reason asks for {told.n_points} x {told.n_replicates}: {why}"


def _of_longer_axis(designs: Sequence[Design], row: Row) -> str:
    """What nobody looked at where a design has points beyond those measured; "" where none has."""
    known = [point.value for point in row.points if point.in_regime is not False]
    planned = [value for each in designs for value in each.axis_values]
    if not known or all(min(known) <= value <= max(known) for value in planned):
        return ""
    return "points beyond those measured serve only where the hypotheses leave so much of the axis"


def _stored_words(cost: PresetCost | None) -> str:
    """Of a part none of whose presets is stored whole, what is."""
    stored = 0 if cost is None else cost.n_trials - cost.n_missing
    if cost is None or not stored:
        return "no trials of this part are stored"
    return f"{stored} of the {cost.n_trials} trials of preset {cost.preset} are stored, and a plan starts from all"


def _out_of_time(line: _PlannedLine) -> str:
    alone = "" if line.is_alone else f"{command('plan', line.basis.claim.id)}, or "
    return f"not simulated, for want of time: {alone}a larger --within"


def _unreached(line: _PlannedLine) -> PlanRow:
    """The plan of a line that nothing was simulated of, with what is there and with the advice of its reason."""
    row, evidence = line.plan.row, line.plan.row.explanation.evidence
    now = Plan(evidence.points, evidence.replicates[0]) if evidence.points and evidence.replicates else None
    note = _out_of_time(line) + line.by_formula
    if line.is_put_off:
        alone = command("plan", line.basis.claim.id)
        note = f"not simulated, since it is decided and open lines come first: {alone}{line.by_formula}"
    routes = joined(each for each in (*row.explanation.next.first, *row.explanation.next.clauses) if is_route(each))
    return replace(line.seconds_shown, now=now, note=f"{note}; its reason: {routes}" if routes else note)


def is_route(clause: Clause) -> bool:
    """Whether a clause says what would decide, beside numbers of trials."""
    return clause.topic is Topic.ROUTE


def _is_deterministic(part: Part, preset: Preset | None) -> bool:
    """A sweep with one replicate a point declares that there is no noise to average."""
    sweeps = part.sweeps.get(preset, ()) if preset else ()
    return bool(sweeps) and all(sweep.replicates == 1 for sweep in sweeps)


# --------------------------------------------------------------------------------------------------------- the search


def _design(experiment: Experiment, question: str, truths: Sequence[Truth], *, row: Row, costs: Costs) -> Design:
    power = row.policy.power
    formula = row.judgement.plan if len(truths) == 1 else None
    told = None if formula is None else _told(experiment, formula, truths[0], power)
    size, enough, reached = told or _search(experiment, truths, power)
    now = min(experiment.power(experiment.size, truth, SEARCH_SIMULATIONS, quick=True) for truth in truths)
    grid = experiment.grid(size.n_points)
    size = replace(size, n_points=len(grid)) if len(grid) else size  # whole numbers may coincide
    axis_values = _unsigned(grid, row, whole=isinstance(experiment, AxisExperiment) and experiment.whole is not None)
    sizes = experiment.sample_sizes(size.n_points, truths)
    points = [(value, n) for value in axis_values or (0.0,) for n in sizes or (0,)]
    wanted = size.n_replicates * experiment.n_settings
    total = [wanted * costs.at(*point) for point in points]
    more = [max(wanted - costs.stored(*point), 0) for point in points]
    return Design(
        question=question,
        size=size,
        enough=enough,
        power=reached,
        power_now=now,
        formula=formula,
        axis_values=axis_values,
        sizes=sizes,
        n_trials=wanted * len(points),
        n_more=sum(more),
        seconds=sum(total),
        more_seconds=sum(count * costs.at(*point) for count, point in zip(more, points, strict=True)),
        longest=max(costs.at(*point) for point in points),
        n_measured=sum(costs.is_measured(*point) for point in points),
        beyond=max(costs.beyond(*point) for point in points),
        span=math.exp(float(np.ptp(grid))) if len(grid) else None,
        wider=wider_span(experiment, truths, power) if now < power else None,
    )


def _told(experiment: Experiment, formula: Plan, truth: Truth, power: float) -> tuple[Plan, bool, float] | None:
    """The size that the verdict's reason gives, so that both say one number; None if it is not enough, or half is."""
    least = experiment.least.n_replicates
    if not max(experiment.first_points, 1) <= formula.n_points <= experiment.max_points or formula.n_replicates < least:
        return None
    half = Plan(formula.n_points, formula.n_replicates // 2)
    if half.n_replicates >= least and experiment.suffices(half, truth, SEARCH_SIMULATIONS, least=power):
        return None
    if not experiment.suffices(formula, truth, SEARCH_SIMULATIONS, least=power):
        return None
    reached = experiment.power(formula, truth, experiment.n_simulations, at_least=power)
    return (formula, True, reached) if reached >= power else None


def wider_span(experiment: Experiment, truths: Sequence[Truth], power: float) -> float | None:
    """The least factor found over which the points there are decide, spread evenly from the first; None if none does.

    The error of a slope falls with the length of the axis as with the root of the number of points, so that a longer
    axis is often the cheapest way to decide, and for scatter that replicates cannot average away the only other one.
    """
    if not isinstance(experiment, AxisExperiment):
        return None
    points = max(experiment.size.n_points, experiment.first_points)
    now = replace(experiment, extend=True)
    for stretch in STRETCHES:
        wider = replace(now, stretch=stretch)
        size = Plan(points, experiment.size.n_replicates)
        if all(wider.suffices(size, truth, SEARCH_SIMULATIONS, least=power) for truth in truths):
            return math.exp(float(np.ptp(wider.grid(points))))
    return None


def _search(experiment: Experiment, truths: Sequence[Truth], power: float) -> tuple[Plan, bool, float]:
    """About the fewest trials of enough power, adding points while that saves a tenth of them; then verified."""

    def least_power(size: Plan, count: int) -> float:
        found = 1.0
        for truth in truths:
            found = min(found, experiment.power(size, truth, count, at_least=power))
            if found < power:
                break
        return found

    def enough(points: int) -> Callable[[int], bool]:
        def suffice(n: int) -> bool:
            size = Plan(points, n)
            return all(experiment.suffices(size, truth, SEARCH_SIMULATIONS, least=power) for truth in truths)

        return functools.cache(suffice)

    points, last = experiment.first_points, experiment.max_points
    least, best = experiment.least.n_replicates, None
    while best is None or best.n_replicates > least:
        most = MAX_REPLICATES if best is None else best.n_points * best.n_replicates * 9 // (10 * points)
        decides = enough(points)
        if most >= least and decides(most):
            best = Plan(points, _about_smallest(decides, least, most))
        elif best is not None or points >= last:
            break
        if points >= last:
            break
        points = min(math.ceil(1.25 * points), last)
    if best is None:
        size = Plan(points, MAX_REPLICATES)
        least = min(experiment.power(size, truth, SEARCH_SIMULATIONS, quick=True) for truth in truths)
        return size, False, least
    points, replicates = best.n_points, best.n_replicates
    while True:
        size = Plan(points, replicates)
        reached = least_power(size, experiment.n_simulations)
        if reached >= power or replicates >= MAX_REPLICATES:
            return size, reached >= power, reached
        replicates = min(math.ceil(1.2 * replicates), MAX_REPLICATES)


def _about_smallest(enough: Callable[[int], bool], least: int, most: int) -> int:
    """Smallest count that is enough, to a tenth; `most` is."""
    low, high = least - 1, least
    while high < most and not enough(high):
        low, high = high, min(2 * high, most)
    while high - low > max(1, low // 10):
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _unsigned(x: np.ndarray, row: Row, *, whole: bool) -> tuple[float, ...]:
    """Axis values of signed logarithms, on the side of the boundary where the measured points are."""
    toward = "infinity" if row.toward is None else row.toward
    if not len(x):
        return ()
    if toward == "infinity":
        values = np.exp(x)
    elif toward == "zero":
        values = np.exp(-x)
    else:
        side = 1.0 if row.points[0].value > float(toward) else -1.0
        values = float(toward) + side * np.exp(-x)
    if whole:
        return tuple(sorted(round(value) for value in values))
    known = [point.value for point in row.points]
    snapped = [min(known, key=lambda k: abs(k - v)) for v in values]
    return tuple(
        sorted(float(s) if math.isclose(s, v, rel_tol=1e-9) else float(v) for s, v in zip(snapped, values, strict=True))
    )
