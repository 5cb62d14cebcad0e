"""Plans: the size found has the power it promises, costs follow the store, and bad input is one line."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

from checks.catalogue import discover
from checks.cli import main
from checks.commands import planning
from checks.evidence.check import Check
from checks.evidence.comparison import relation_of
from checks.evidence.law_distances import LawDistance
from checks.evidence.part import Part
from checks.evidence.ratios import ThresholdRatio
from checks.evidence.sampled import Fraction, Scaling, Threshold
from checks.evidence.trajectories import Rate
from checks.mutation.made_up_trials import follow
from checks.planning import allowance, power
from checks.planning.allowance import go_on, within
from checks.planning.axis_experiments import MAX_LOGIT_STEP, Curves, SampleExperiment
from checks.planning.costs import Costs
from checks.planning.experiments import POINT_BY_POINT, _scatter, experiment_of
from checks.planning.plan import (
    Basis,
    Design,
    PlanRow,
    _of_longer_axis,
    _told,
    based,
    plan_based,
    plan_check,
    wider_span,
)
from checks.planning.run_noise import RunNoise, run_noise
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report import plan_table
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.judge import judge_scaling
from checks.statistics.policy import POWER
from checks.statistics.verdict import Plan, Verdict
from sim.store.store import Store, key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks import made_up as claims
from tests.sim.made_up_readouts import as_read_off
from theory.claim import Axis, Kind

ITERATIONS = discover()["A.iterations"]


def noisy(spec: TrialSpec, *, scale: float, power_law: float = -1.0) -> Trial:
    """Steps that follow (11) with log-normal noise; a trial at fraction f takes 1 / f seconds."""
    noise = math.exp(scale * np.random.default_rng(spec.seed).standard_normal())
    fraction, rate = (float(spec.parameters[name]) for name in ("label_relevant_fraction", "learning_rate"))
    steps = 40 * fraction**power_law / rate * noise
    return Trial(
        spec,
        TrialResult(Outcome.CONVERGED, {"iterations": steps, "train_hinge_zero": True, "success": True}),
        1 / fraction,
    )


def made_up(preset: Preset, **changes: float) -> dict[str, Trial]:
    return {key(spec): noisy(spec, **changes) for spec in ITERATIONS.parts[0].specs(preset)}


def along_fraction(check: Check) -> Check:
    return replace(check, parts=(replace(check.parts[0], control=None, adversaries=()),))


@functools.cache
def planned(scale: float, power_law: float = -1.0) -> PlanRow:
    """The plan of data with so much noise, made once: power is simulated for some ten seconds."""
    (plan,) = plan_check(
        along_fraction(ITERATIONS), Preset.SMOKE, made_up(Preset.SMOKE, scale=scale, power_law=power_law)
    )
    return plan


def of_controls(preset: Preset) -> list[Trial]:
    """Runs of controls: none learns but those with frozen attention, as (11) says too."""
    trials = [
        noisy(spec, scale=0.02)
        for spec in ITERATIONS.parts[0].control_specs(preset)
        if "learning_rate" in spec.parameters
    ]
    return [
        trial
        if trial.spec.parameters.get("train_attention") is False
        else replace(trial, result=replace(trial.result, observables={**trial.result.observables, "success": False}))
        for trial in trials
    ]


def test_the_reason_of_an_inconclusive_verdict_names_the_command_and_its_plan_agrees() -> None:
    plan = planned(0.6, power_law=-1.1)
    assert plan.row.verdict is Verdict.INCONCLUSIVE
    assert "theoremeter plan A.iterations" in plan.row.judgement.reason
    seen, margin = plan.designs
    assert seen.formula == plan.row.judgement.plan
    assert f"would decide: {seen.formula.n_replicates} replicates" in plan.row.judgement.reason
    assert seen.enough
    assert margin.enough
    assert min(seen.power, margin.power) >= POWER
    assert seen.power_now < POWER
    # The formula knows neither the stricter level of the family nor finite-size withdrawals: the same up to a factor.
    assert 1 / 3 < seen.n_trials / (seen.formula.n_points * seen.formula.n_replicates) < 5
    told = f"the formula of its reason asks for {seen.formula.n_points} x {seen.formula.n_replicates}: simulated, "
    assert (told in plan.note) is (seen.size != seen.formula)


def test_a_plan_has_the_number_of_the_reason_where_that_decides_and_half_of_it_does_not() -> None:
    """2805 trials stood in a reason and 1878 in the plan of the same line."""
    counts = power.Counts(size=Plan(1, 600), unit="trials", rate=0.95, seen=0.9617)
    (_, (truth,)), _ = counts.truths()
    for formula, is_it in ((2805, True), (1000, False), (20_000, False)):
        found = _told(counts, Plan(1, formula), truth, 0.8)
        assert (found is not None) is is_it
        if found is not None:
            assert found[0] == Plan(1, formula)
            assert found[2] >= 0.8


def test_what_the_time_does_not_reach_is_listed_with_its_cost() -> None:
    trials = made_up(Preset.SMOKE, scale=0.6)
    with within(1e-9):
        (plan,) = plan_check(along_fraction(ITERATIONS), Preset.SMOKE, trials)
    formula = plan.row.judgement.plan
    figure = f"by the formula of its reason, {formula.n_points} x {formula.n_replicates}"
    assert plan.note.startswith(f"not simulated, for want of time: a larger --within; {figure}")
    assert plan.designs == ()
    assert plan.seconds_by_point
    assert plan.cost is not None


def test_more_noise_needs_more_and_decided_parts_need_no_more() -> None:
    quiet, loud = planned(0.02), planned(0.3)
    assert quiet.row.verdict is Verdict.TIGHT
    assert quiet.designs[0].n_more == 0
    assert quiet.designs[0].more_seconds == 0
    assert loud.designs[1].n_trials > quiet.designs[1].n_trials


def test_the_preset_falls_back_to_the_smaller_one_and_says_so() -> None:
    with within(1e-9):
        (plan,) = plan_check(along_fraction(ITERATIONS), Preset.FULL, made_up(Preset.SMOKE, scale=0.3))
    assert plan.preset is Preset.SMOKE
    (nothing,) = plan_check(along_fraction(ITERATIONS), Preset.FULL, {})
    assert nothing.preset is None
    assert nothing.designs == ()
    assert nothing.note.endswith("theoremeter run A.iterations --preset smoke")


def test_a_preset_that_is_stored_in_part_is_said_to_be() -> None:
    """It said that no trials are stored beside a cost that counts 18 200 of 19 200 as lacking."""
    some = dict(list(made_up(Preset.SMOKE, scale=0.3).items())[:-3])
    total = len(made_up(Preset.SMOKE, scale=0.3))
    (plan,) = plan_check(along_fraction(ITERATIONS), Preset.SMOKE, some)
    stored = f"{total - 3} of the {total} trials of preset smoke are stored, and a plan starts from all"
    assert plan.note == f"{stored}: theoremeter run A.iterations --preset smoke"


def test_a_power_law_of_costs_leaves_out_an_axis_that_is_0_at_a_point() -> None:
    (part,) = (part for part in discover()["A.fraction"].parts if part.name.startswith("alpha_# from 0"))
    costs = Costs.of(part, [noisy(spec, scale=0.1) for spec in part.specs(Preset.SMOKE)])
    size = part.specs(Preset.SMOKE)[0].parameters["label_relevant_fraction"]
    assert costs.at(0.17, 0) == pytest.approx(1 / float(size))


def test_costs_are_medians_by_grid_point_and_a_power_law_between() -> None:
    part = ITERATIONS.parts[0]
    costs = Costs.of(part, list(made_up(Preset.SMOKE, scale=0.3).values()))
    assert costs.at(0.16, 0) == pytest.approx(1 / 0.16)
    assert costs.at(0.2, 0) == pytest.approx(1 / 0.2)
    assert (costs.stored(0.16, 0), costs.stored(0.2, 0)) == (8, 0)
    plan = planned(0.3)
    assert plan.designs[1].n_more > 0
    for design in plan.designs:
        every = [design.size.n_replicates * costs.at(value, 0) for value in design.axis_values]
        assert design.seconds == pytest.approx(sum(every))
        assert len(design.axis_values) == design.size.n_points
        assert design.wall_seconds(4) == pytest.approx(
            max(design.more_seconds / 4, design.longest * (design.n_more > 0))
        )


RULE = DeltaRule("upper", 0.25)


def test_a_design_has_its_power_in_data_it_has_never_seen() -> None:
    """The power of a Samples design, measured again with another seed and by hand."""
    x = np.log([1.0, 2, 4, 8, 16])
    experiment = SampleExperiment(
        size=Plan(5, 5), unit="replicates", x=x, rule=RULE, delta=0.6, noise=RunNoise(0.4), log_limit=np.full(5, np.inf)
    )
    ((_, (seen,)), _) = experiment.truths()
    claimed = experiment.power(Plan(5, 6), seen, 400)
    generator = np.random.default_rng(1)
    samples = np.exp(0.6 * x[:, None] + 0.4 * generator.standard_normal((400, 5, 6)))
    found = np.mean(
        [
            judge_scaling(np.exp(x), data, np.ones(5), relation="upper", margin=0.25).verdict is Verdict.VIOLATED
            for data in samples
        ]
    )
    assert claimed == pytest.approx(found, abs=0.1)


def of_squared_normals(estimand: str | None) -> SampleExperiment:
    """A plan's experiment from 180 runs whose logarithms are those of squared normals."""
    x, logs = np.log(16 * 2.0 ** np.arange(9)), np.log(np.random.default_rng(3).standard_normal((9, 20)) ** 2)
    noise = run_noise(x, list(logs))
    assert noise is not None
    return SampleExperiment(
        size=Plan(9, 20), unit="", x=x, rule=DeltaRule("tight", 0.15), delta=0.0, noise=noise,
        log_limit=np.full(9, np.inf), estimand=estimand,
    )  # fmt: skip


@pytest.mark.parametrize(
    "estimand", [None, *(pytest.param(kind, marks=pytest.mark.exhaustive) for kind in ("mean", "typical"))]
)
def test_a_plan_of_squared_normals_has_the_power_that_fresh_ones_have(estimand: str | None) -> None:
    """9 points x 116 runs were promised to decide in 4 of 5 experiments, from normal noise, and 2 of 16 did."""
    right, experiment = power.Truth("right", 0.0, frozenset({Verdict.TIGHT})), of_squared_normals(estimand)
    x, generator = experiment.x, np.random.default_rng(5)
    for n_runs in (116, 500):
        claimed = experiment.power(Plan(9, n_runs), right, 60)
        drawn = np.exp(x)[:, None] * generator.standard_normal((60, 9, n_runs)) ** 2
        asked = {"relation": "tight", "margin": 0.15, "estimand": estimand, "checkpoints": False}
        found = np.mean([judge_scaling(np.exp(x), each, np.exp(x), **asked).verdict in right.right for each in drawn])
        assert claimed == pytest.approx(found, abs=0.25)
    if estimand == "mean":
        normal = replace(experiment, noise=replace(experiment.noise, residuals=np.array([])))
        # Lognormal runs of that spread have the heavier mean: its error counts, so they are promised less, not more.
        assert normal.power(Plan(9, 500), right, 60) < experiment.power(Plan(9, 500), right, 60) - 0.1


def test_noise_is_normal_where_runs_are_and_moves_where_they_do() -> None:
    x = np.linspace(0.0, 3.0, 6)
    shaped = {"normal": 0, "squared": 0}
    for seed in range(40):
        drawn = np.random.default_rng(seed).standard_normal((6, 12))
        normal, squared = run_noise(x, list(0.5 * drawn)), run_noise(x, list(np.log(drawn**2)))
        assert normal is not None
        assert squared is not None
        shaped["normal"] += len(normal.residuals) > 0
        shaped["squared"] += len(squared.residuals) > 0
        assert normal.size == pytest.approx(0.5, rel=0.35)
    assert shaped["normal"] <= 16
    assert shaped["squared"] >= 37
    moving = run_noise(x, list(np.exp(-x)[:, None] * np.random.default_rng(1).standard_normal((6, 40))))
    assert moving is not None
    assert moving.trend == pytest.approx(-1.0, abs=0.15)
    wide = moving.draw(x, 4000, np.random.default_rng(2)).std(axis=1)
    assert wide == pytest.approx(np.exp(-x), rel=0.2)
    assert run_noise(x, [np.array([1.0])] * 6) is None


def test_a_plan_says_how_well_its_runs_tell_the_noise() -> None:
    few = RunNoise(0.5, n_runs=20).doubt
    assert few.startswith("20 runs cannot tell the power: they show neither the shape of the noise nor a rare kind")
    assert "the replicates that this noise asks for to a factor of 1.6; plan again from 59" in few
    heavy = RunNoise(0.5, residuals=np.array([*np.zeros(78), -6.3, 6.3]), n_runs=80).doubt
    assert heavy.startswith("80 runs tell the replicates that this noise asks for to a factor of")
    assert RunNoise(0.5, n_runs=200).doubt == ""
    assert RunNoise(0.5).doubt == ""


def test_a_plan_judges_what_its_part_does() -> None:
    """The mean, or a typical run: a plan of either was simulated as of neither."""
    claim = claims.made_up(Kind.TIGHT, axes=(Axis(N),), value=40 * N)
    for estimand in ("mean", "typical", None):
        part, trials = follow(replace(SCALING, estimand=estimand), claim, Preset.SMOKE)
        (row,) = part.judge(claim, trials)
        found = experiment_of(part, claim, row, trials)
        assert isinstance(found, SampleExperiment)
        assert found.estimand == estimand


def test_scatter_that_the_noise_explains_is_none() -> None:
    """Half of all straight lines seem to scatter by more than the noise, and no replicates would then decide."""
    x = np.arange(6.0)
    found = [_scatter(x, np.random.default_rng(seed).standard_normal(6), np.ones(6), 100.0) for seed in range(100)]
    assert sum(scatter > 0 for scatter in found) <= 12
    assert _scatter(x, 5 * np.random.default_rng(0).standard_normal(6), np.ones(6), 100.0) > 2


def test_a_delta_on_the_edge_is_moved_off_it() -> None:
    ((_, (seen,)), (_, both)) = power.slope_truths(RULE, 0.25)
    assert seen.value == pytest.approx(0.25 + 0.25 / 4)
    assert [truth.value for truth in both] == [0, 0.5]
    ((_, (low,)), (_, (_, wrong))) = power.slope_truths(replace(RULE, relation="lower"), 0.9)
    assert low.right == {Verdict.VIOLATED}
    assert wrong.value == 0.5


def test_new_points_lie_between_the_old_ones_or_beyond_them_toward_the_limit() -> None:
    experiment = SampleExperiment(
        size=Plan(3, 5),
        unit="",
        x=np.log([1.0, 2, 8]),
        rule=RULE,
        delta=0.0,
        noise=RunNoise(0.1),
        log_limit=np.full(3, np.inf),
    )
    assert np.exp(experiment.grid(4)) == pytest.approx([1, 2, 4, 8])
    assert np.exp(replace(experiment, extend=True).grid(4))[-1] > 8


def test_what_is_drawn_has_the_delta_of_its_truth() -> None:
    size, truth = Plan(5, 5), power.Truth("wrong", 0.5, frozenset({Verdict.VIOLATED}))
    for relation in ("upper", "lower", "tight"):
        experiment = SampleExperiment(
            size=size,
            unit="",
            x=np.log([1.0, 2, 4, 8, 16]),
            rule=replace(RULE, relation=relation),
            delta=0.0,
            noise=RunNoise(0.01),
            log_limit=np.full(5, np.inf),
        )
        judgement = experiment.judge(size, truth, np.random.default_rng(0))
        assert judgement.verdict is Verdict.VIOLATED
        assert judgement.delta == pytest.approx(0.5, abs=0.05)


def test_success_curves_get_sizes_that_reach_beyond_every_threshold() -> None:
    experiment = Curves(
        size=Plan(5, 5),
        unit="",
        x=np.log([1.0, 2, 4, 8, 16]),
        rule=RULE,
        delta=0.0,
        log_threshold=np.log([20.0, 40, 80, 160, 320]),
        log_sizes=np.log([32.0, 128, 512]),
        steepness=6.0,
        lapse=0.0,
    )
    (_, (right, wrong)) = experiment.truths()[1]
    for truth in (right, wrong):
        sizes = np.exp(experiment.sizes(experiment.x, truth))
        centres = np.exp(experiment.centres(experiment.x, truth))
        assert sizes[0] < centres.min()
        assert sizes[-1] > centres.max()
        assert 6.0 * np.diff(np.log(sizes)).max() <= MAX_LOGIT_STEP + 1e-9
    few, many = (experiment.power(Plan(5, n), right, 30) for n in (3, 60))
    assert few < many
    assert many >= POWER
    assert experiment.power(Plan(5, 60), right, 30, quick=True) == pytest.approx(many, abs=0.15)


def test_counts_need_29_sure_trials_for_nine_in_ten() -> None:
    experiment = power.Counts(size=Plan(1, 5), unit="trials", rate=0.9, seen=1.0)
    ((_, (sure,)), _) = experiment.truths()
    assert experiment.power(Plan(1, 28), sure, 20) == 0
    assert experiment.power(Plan(1, 29), sure, 20) == 1


def test_the_command_prints_every_part_as_text_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.put(map(as_read_off, made_up(Preset.SMOKE, scale=0.02).values()))
        store.put(map(as_read_off, of_controls(Preset.SMOKE)))
    plans: dict[str, list[PlanRow]] = {}

    def planned_once(bases: Sequence[Basis], *others: Any) -> list[PlanRow]:
        name = bases[0].claim.id
        return plans[name] if name in plans else plans.setdefault(name, plan_based(bases, *others))

    monkeypatch.setattr(planning, "plan_based", planned_once)
    arguments = ["plan", "A.iterations", "--preset", "smoke", "--store", str(path), "--workers", "2", "--within", "999"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "the margin" in text
    assert "preset smoke" in text
    assert main([*arguments, "--format", "json"]) == 0
    items = json.loads(capsys.readouterr().out)
    name = ITERATIONS.parts[0].name
    by_axis = {item["axis"]: item for item in items if item["part"] == name}
    assert [design["question"] for design in by_axis["alpha_*"]["designs"]][-1] == "the margin"
    assert by_axis["alpha_*"]["seconds_by_point"][0] == [0.04, 25.0]
    assert by_axis["eta"]["designs"] == []
    assert "no trials of this part are stored" in by_axis["eta"]["note"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["A.iteration"], "id must be a known claim, got 'A.iteration'; nearest is A.iterations"),
        (["--workers", "0"], "must be a whole number >= 1, got '0'"),
        (["--preset", "huge"], "huge"),
        (["--format", "latex"], "latex"),
        (["--store", "."], "store must be a file"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert said in captured.err


def test_a_short_axis_is_made_long_enough_and_whole_numbers_stay_whole() -> None:
    short = SampleExperiment(
        size=Plan(5, 5), unit="", x=np.log([10.0, 12, 14, 17, 20]), rule=RULE, delta=0.0, noise=RunNoise(0.1),
        log_limit=np.full(5, np.inf), extend=True,
    )  # fmt: skip
    assert np.exp(np.ptp(short.grid(6))) >= 4
    whole = replace(short, x=np.log([1.0, 2, 4, 8, 16]), extend=False, whole=lambda x: np.log(np.round(np.exp(x))))
    for count, expected in ((7, 7), (25, 16)):  # there are sixteen whole numbers and no more
        values = np.exp(whole.grid(count))
        assert values == pytest.approx(np.round(values))
        assert len(values) <= expected
        assert set(np.round(values)) >= {1, 2, 4, 8, 16}
    assert len(whole.grid(7)) == 7


def test_a_plan_names_the_span_that_would_decide() -> None:
    experiment = SampleExperiment(
        size=Plan(5, 5), unit="", x=np.log([1.0, 2, 4, 8, 16]), rule=RULE, delta=0.0, noise=RunNoise(0.6),
        log_limit=np.full(5, np.inf),
    )  # fmt: skip
    ((_, seen), _) = experiment.truths()
    span = wider_span(experiment, seen, POWER)
    assert 16 < span < 16**4
    wider = replace(experiment, x=np.log(np.geomspace(1, span, 5)))
    assert wider.power(Plan(5, 5), seen[0], 100) >= POWER - 0.1
    assert experiment.power(Plan(5, 5), seen[0], 100) < POWER
    assert wider_span(power.Counts(size=Plan(1, 5), unit="trials", rate=0.9, seen=1.0), (), POWER) is None


@pytest.mark.parametrize("relation", ["upper", "tight"])
def test_a_delta_that_stays_open_is_not_planned_for(relation: str) -> None:
    """However many seeds, an exponent between a third of the margin and the margin ends open, which a plan says."""
    seeds = power.Slopes(size=Plan(1, 10), unit="seeds", rule=DeltaRule(relation, 0.25), delta=0.17, noise=0.1)
    ((question, _),) = seeds.truths()
    assert question == "the margin"
    assert "Delta as seen (+0.17) lies between a third of the margin 0.25 and the margin" in seeds.unanswered
    decided = frozenset({Verdict.TIGHT, Verdict.HOLDS, Verdict.VIOLATED})
    assert seeds.power(Plan(1, 400), power.Truth("as seen", 0.17, decided), 50) == 0

    near = replace(seeds, delta=0.08)
    (name, (truth,)), _ = near.truths()
    assert (near.unanswered, name) == ("", "Delta as seen (+0.06)")
    assert near.power(Plan(1, 400), truth, 100) >= POWER


N = sp.Symbol("n", positive=True)
SWEEP = Sweep(claims.SYSTEM, grid(n_samples=(10, 20, 40, 80, 160), size=(1,)), {}, 20)
ALONG_N: dict[str, Any] = {
    "name": "along n",
    "symbol": N,
    "parameter": "n_samples",
    "symbols": {"n_samples": N},
    "sweeps": {Preset.SMOKE: (SWEEP,)},
}
SCALING = Scaling(**ALONG_N, observable="error")
THRESHOLD = Threshold(**ALONG_N, size="size", success="success")
OF_EVERY_KIND = [
    pytest.param(part, kind, id=f"{type(part).__name__} {kind}")
    for part, kinds in ((SCALING, SCALING.kinds), (THRESHOLD, {kind for kind in THRESHOLD.kinds if kind.is_explicit}))
    for kind in sorted(kinds)
]


@pytest.mark.parametrize(("part", "kind"), OF_EVERY_KIND)
def test_a_part_is_planned_for_every_kind_of_claim_that_it_judges(part: Scaling | Threshold, kind: Kind) -> None:
    """A value with its constants ended in a KeyError of a stored trial's, on the paper that `init` writes."""
    claim = claims.made_up(kind, axes=(Axis(N),), value=40 * N)
    followed, trials = follow(part, claim, Preset.SMOKE)
    (row,) = followed.judge(claim, trials)
    found = experiment_of(followed, claim, row, trials)
    assert isinstance(found, str) is kind.is_explicit, found
    assert not isinstance(found, str) or "judged point by point" in found


def test_a_value_that_is_judged_point_by_point_has_the_figure_of_its_reason_and_its_cost() -> None:
    """`plan` said that the reason says how many trials would decide, and the reason that `plan` does."""
    claim = claims.made_up(Kind.EXACT, axes=(Axis(N),), value=40 * N)
    followed, trials = follow(SCALING, claim, Preset.SMOKE)
    (row,) = followed.judge(claim, trials)
    wanted = Plan(len(row.points), 1000)
    open_ = row.judgement.withdrawn(Verdict.INCONCLUSIVE, plan=wanted, unit="trials")
    basis = Basis(followed, claim, Preset.SMOKE, [replace(row, judgement=open_)], trials)
    (plan,) = plan_based([basis], Preset.SMOKE, {}, {})
    more = 1000 * len(row.points) - len(trials)
    figure = f"by the formula of its reason, {len(row.points)} x 1000, {more} trials more in "
    assert plan.note.startswith(f"{POINT_BY_POINT}; {figure}")


def test_points_beyond_those_measured_are_promised_only_inside_the_hypotheses() -> None:
    """A plan doubled an axis that its own hypotheses end."""
    trials = made_up(Preset.SMOKE, scale=0.02)
    (basis,) = based(along_fraction(ITERATIONS), Preset.SMOKE, trials)
    (row,) = basis.rows
    values = tuple(point.value for point in row.points)
    inside = Design("the margin", Plan(5, 8), True, 0.8, 0.8, None, values, (), 40, 0, 1.0, 0.0, 1.0)
    assert _of_longer_axis([inside], row) == ""
    longer = replace(inside, axis_values=(min(values) / 2, *values))
    assert "only where the hypotheses leave so much of the axis" in _of_longer_axis([inside, longer], row)


@pytest.mark.parametrize("part", [Fraction, LawDistance, Rate, ThresholdRatio])
def test_what_is_planned_by_a_relation_has_one_for_every_kind_that_it_judges(part: type[Part]) -> None:
    judged = part.kinds.fget(None)
    assert all(relation_of(kind) for kind in judged)


def test_a_costly_line_leaves_time_to_the_others_and_to_the_undecided_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a claim before the others that would take all the time that several have."""
    trials = made_up(Preset.SMOKE, scale=0.02)
    (basis,) = based(along_fraction(ITERATIONS), Preset.SMOKE, trials)
    (row,) = basis.rows
    clock, spent = [0.0], list[str]()
    takes = {"costly": 9.0, "decided": 6.0, "open": 3.0}

    def design(experiment: object, question: str, truths: object, *, row: Row, costs: Costs) -> Design:
        clock[0] += min(takes[row.part], remaining())
        go_on()
        spent.append(row.part)
        return Design(question, Plan(5, 8), True, 0.8, 0.8, None, (), (), 40, 0, 1.0, 0.0, 1.0)

    def remaining() -> float:
        return allowance._until.get() - clock[0]

    monkeypatch.setattr("checks.planning.allowance.time.process_time", lambda: clock[0])
    monkeypatch.setattr("checks.planning.plan._design", design)
    bases = [
        replace(basis, rows=[replace(row, part=name, judgement=replace(row.judgement, verdict=word))])
        for name, word in {"costly": Verdict.TIGHT, "decided": Verdict.TIGHT, "open": Verdict.INCONCLUSIVE}.items()
    ]
    with within(16.0):
        costly, decided, open_ = plan_based(bases, Preset.SMOKE, trials, {})
    assert spent == ["open"]
    assert len(open_.designs) == 1
    assert open_.note.startswith("the rest is not simulated, for want of time")
    assert [plan.designs for plan in (costly, decided)] == [(), ()]
    assert [plan.row.part for plan in (costly, decided)] == ["costly", "decided"]


def test_of_several_claims_decided_lines_have_what_the_undecided_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a decided line that is quick, and an open one that needs more than its share of both."""
    trials = made_up(Preset.SMOKE, scale=0.02)
    (basis,) = based(along_fraction(ITERATIONS), Preset.SMOKE, trials)
    (row,) = basis.rows
    clock, spent = [0.0], list[str]()

    def design(experiment: object, question: str, truths: object, *, row: Row, costs: Costs) -> Design:
        clock[0] += min({"quick": 1.0, "open": 3.0}[row.part], allowance._until.get() - clock[0])
        go_on()
        spent.append(row.part)
        return Design(question, Plan(5, 8), True, 0.8, 0.8, None, (), (), 40, 0, 1.0, 0.0, 1.0)

    monkeypatch.setattr("checks.planning.allowance.time.process_time", lambda: clock[0])
    monkeypatch.setattr("checks.planning.plan._design", design)
    other = replace(basis, claim=replace(basis.claim, id="A.samples"))
    rows = {
        name: replace(row, part=name, judgement=replace(row.judgement, verdict=word))
        for name, word in {"quick": Verdict.TIGHT, "open": Verdict.INCONCLUSIVE}.items()
    }
    bases = [replace(other, rows=[rows["quick"]]), replace(basis, rows=[rows["open"]])]
    with within(7.9):
        quick, open_ = plan_based(bases, Preset.SMOKE, trials, {})
    assert spent[0] == "open"
    assert open_.designs
    assert spent.index("open") < spent.index("quick")
    with within(0.0):
        left = plan_based(bases, Preset.SMOKE, trials, {})
    assert left[0].note.startswith("not simulated, since it is decided and open lines come first: theoremeter plan A.s")
    assert left[1].note.startswith("not simulated, for want of time")
    said = plan_table.render(left, fmt="terminal", workers=1)
    now = f"{quick.now.n_points} x {quick.now.n_replicates}"
    assert all("not simulated" in line and now in line for line in said.splitlines()[1:3])  # no empty row


def test_few_claims_have_time_each_and_many_share_what_loading_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.commands.planning.time.process_time", lambda: 6.9)
    assert planning._allowed(1) == planning.SECONDS_ALONE
    assert planning._allowed(5) == 5 * planning.SECONDS_EACH
    assert planning._allowed(40) == planning.LEAST_SECONDS


def test_what_takes_no_second_is_said_to_take_less_than_one() -> None:
    """It read "0 s to 0 s in all, by the formula"."""
    assert [plan_table._time(seconds) for seconds in (0.0, 0.04, 0.6, 300.0)] == ["0 s", "under 1 s", "1 s", "5 min"]
