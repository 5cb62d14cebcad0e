"""The cost model: laws found back from made-up seconds, steps read off stored trials, timings kept for one machine."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from checks.catalogue import checks_of, discover
from checks.cli import main
from checks.planning import timings
from checks.planning.cost_model import LEAST_SAMPLES, CostModel, Sample, fit_model, samples_of
from checks.planning.costs import Costs, preset_cost
from checks.planning.typical_seconds import typical_seconds
from checks.records.preset import Preset
from sim.running.run import run_trial
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.spatial_vit.systems import SPATIAL_VIT, SPATIAL_VIT_REDUCED
from sim.store.store import Store, key
from sim.systems import systems
from sim.trials.cost_law import CostLaw, law_of
from sim.trials.trial import Outcome, Parameters, System, Trial, TrialResult, TrialSpec
from tests.papers import SIMULATORS, write_paper
from theoremeter_papers import named


def law_named_by(system: System) -> CostLaw:
    law = law_of(system)
    assert law is not None
    return law


LAW = law_named_by(SHALLOW_VIT)
WANTED: Parameters = {
    "n_tokens": 100, "n_neurons": 1000, "batch_size": 16, "n_samples": 64, "label_relevant_fraction": 0.2,
    "confusion_fraction": 0.1, "learning_rate": 0.1, "max_steps": 20_000, "token_noise": 0.01,
    "output_layer": "shared", "dimension": 10,
}  # fmt: skip


def seconds_of(parameters: Parameters, steps: float) -> float:
    """A machine: 1 ms a trial, 2 ns for a token and neuron of a sample, 5 ns for a product of its attention."""
    tokens, neurons = float(parameters["n_tokens"]), float(parameters["n_neurons"])
    seen = steps * float(parameters["batch_size"])
    return 1e-3 + 2e-9 * seen * tokens * neurons + 5e-9 * seen * tokens**2 * float(parameters["dimension"])


def short_trials(change: Callable[[float], float] = lambda seconds: seconds) -> list[Sample]:
    return [
        Sample(example, float(example["max_steps"]), change(seconds_of(example, float(example["max_steps"]))))
        for example in LAW.examples(WANTED)
    ]


def real_trials(factor: Callable[[float], float]) -> list[Sample]:
    steps = [16.0 * 2**power for power in range(LEAST_SAMPLES + 2)]
    return [Sample(WANTED, number, factor(number) * seconds_of(WANTED, number)) for number in steps]


def predicted(model: CostModel, steps: float, **changes: int) -> float:
    seconds = model.seconds({**WANTED, **changes}, steps)
    assert seconds is not None
    return seconds


@pytest.mark.parametrize("changes", [{}, {"n_neurons": 4000}, {"n_tokens": 400}, {"batch_size": 128}])
def test_a_law_is_found_back_and_holds_beyond_the_sizes_that_were_timed(changes: dict[str, int]) -> None:
    model = fit_model(LAW, short_trials(), ())
    assert predicted(model, 500, **changes) == pytest.approx(seconds_of({**WANTED, **changes}, 500), rel=0.02)


def test_noisy_timings_and_one_that_compiled_move_it_little() -> None:
    generator = np.random.default_rng(0)
    samples = short_trials(lambda seconds: seconds * math.exp(0.1 * generator.standard_normal()))
    slow = dataclasses.replace(samples[3], seconds=samples[3].seconds + 20.0)
    model = fit_model(LAW, [*samples[:3], slow, *samples[4:]], ())
    assert predicted(model, 500) == pytest.approx(seconds_of(WANTED, 500), rel=0.2)


def test_a_model_of_the_wrong_sizes_would_be_noticed() -> None:
    """Planted: seconds that grow with the cube of the neurons are no sum of the law's terms; the factor says so."""
    wrong = [
        dataclasses.replace(sample, seconds=1e-9 * sample.steps * float(sample.parameters["n_neurons"]) ** 3)
        for sample in short_trials()
    ]
    (good,), (bad,) = (fit_model(LAW, samples, ()).fits.values() for samples in (short_trials(), wrong))
    assert good.factor < 1.05
    assert bad.factor > 2


def test_stored_trials_set_the_level_by_how_long_they_are() -> None:
    model = fit_model(LAW, short_trials(), real_trials(lambda steps: 3 * steps**-0.25))
    for steps in (100, 1000):
        expected = 3 * steps**-0.25 * seconds_of(WANTED, steps)
        assert predicted(model, steps) == pytest.approx(expected, rel=0.1)


def test_beyond_the_steps_that_were_seen_the_level_stays() -> None:
    samples = real_trials(lambda steps: steps**-0.5)
    model = fit_model(LAW, short_trials(), samples)
    most = max(sample.steps for sample in samples)
    ratio = predicted(model, 2 * most) / predicted(model, most)
    assert ratio == pytest.approx(2, rel=0.05)


def test_without_timings_stored_trials_are_enough_and_without_either_nothing_is_said() -> None:
    model = fit_model(LAW, (), real_trials(lambda steps: 1.0))
    assert predicted(model, 300) == pytest.approx(seconds_of(WANTED, 300), rel=0.1)
    assert fit_model(LAW, (), real_trials(lambda steps: 1.0)[: LEAST_SAMPLES - 1]).seconds(WANTED) is None


def test_another_kind_of_trial_is_not_predicted_from_this_one() -> None:
    model = fit_model(LAW, short_trials(), ())
    for change in ({"token_noise": 0.0}, {"output_layer": "per token"}, {"precision": "float32"}, {"dimension": 16}):
        assert model.seconds({**WANTED, **change}) is None


def test_steps_are_at_most_what_is_allowed() -> None:
    model = fit_model(LAW, short_trials(), ())
    assert model.seconds(WANTED) == predicted(model, 20_000)
    assert predicted(model, 1e9) == predicted(model, 20_000)
    assert model.seconds({**WANTED, "one_pass": True}) == predicted(model, 4)


def test_steps_of_a_finished_training_reach_to_the_end_of_the_pass_that_showed_it() -> None:
    """Against a real training: the engine's own count is in the last point of its curves."""
    parameters = {**WANTED, "n_tokens": 20, "n_neurons": 20, "n_samples": 40, "learning_rate": 0.5, "max_steps": 500}
    trial = run_trial(TrialSpec(SHALLOW_VIT, parameters))
    assert trial.result.outcome is Outcome.CONVERGED
    assert LAW.taken(trial, parameters) == trial.result.curves["step"][-1]


@functools.cache
def trials_with_laws() -> dict[tuple[str, object], TrialSpec]:
    """A trial of each kind that any check asks for, by simulator and kind."""
    parts = [part for check in discover().values() for part in check.parts if part.is_measured]
    found: dict[tuple[str, object], TrialSpec] = {}
    asked: set[str] = set()
    for spec in (spec for part in parts for preset in Preset for spec in part.specs(preset)):
        setting = repr((spec.system.name, spec.parameters))
        if spec.system.cost and setting not in asked:  # replicates of a setting are thousands, and of one kind
            asked.add(setting)
            found[spec.system.name, law_named_by(spec.system).kind(spec.parameters)] = spec
    return found


WITH_LAWS = sorted(system.name for system in systems().values() if system.cost)
"""By name, not by kind: what kinds there are takes a second to find, and every process of a run imports this module."""


def test_every_simulator_whose_trials_have_a_law_is_among_these() -> None:
    assert set() < {name for name, _ in trials_with_laws()} <= set(WITH_LAWS)


@pytest.mark.parametrize("name", WITH_LAWS)
def test_a_law_knows_every_kind_of_trial_that_checks_ask_for(name: str) -> None:
    for spec in (spec for (simulator, _), spec in trials_with_laws().items() if simulator == name):
        knows(law_named_by(spec.system), spec)


def knows(law: CostLaw, spec: TrialSpec) -> None:
    """Its examples are of the kind of the trial, and vary what the trial takes its time for."""
    examples = law.examples(spec.parameters)
    assert len(examples) >= LEAST_SAMPLES
    assert {law.kind(example) for example in examples} == {law.kind(spec.parameters)}
    table = [law.terms(example, law.most(example)) for example in (*examples, spec.parameters)]
    assert all(list(terms) == list(table[0]) and min(terms.values()) >= 0 for terms in table)
    varied = [name for name in table[0] if len({terms[name] for terms in table[:-1]}) > 1]
    assert all(table[-1][name] == 0 or name in {*varied, "trial", "records"} for name in table[0])
    trial = run_trial(TrialSpec(spec.system, examples[0]))
    assert law.taken(trial, examples[0]) == law.most(examples[0])


# ----------------------------------------------------------------------------------------------------- costs of a part


def finished(spec: TrialSpec, steps: float) -> Trial:
    observables = {"iterations": steps, "train_hinge_zero": True, "success": True}
    trial = Trial(spec, TrialResult(Outcome.CONVERGED, observables), 1.0)
    return dataclasses.replace(trial, seconds=seconds_of(spec.parameters, LAW.taken(trial, spec.parameters)))


def stored_part(preset: Preset) -> tuple[Costs, dict[str, Trial]]:
    part = discover()["A.iterations"].parts[0]
    trials = {
        key(spec): finished(spec, 40 / float(spec.parameters["label_relevant_fraction"])) for spec in part.specs(preset)
    }
    model = fit_model(LAW, short_trials(), samples_of(LAW, trials.values()))
    return Costs.of(part, list(trials.values()), model), trials


def test_a_preset_that_is_not_stored_is_predicted_from_one_that_is() -> None:
    costs, trials = stored_part(Preset.SMOKE)
    part = costs.part
    cost = preset_cost(part, Preset.FULL, costs, trials)
    actual = [
        finished(spec, 40 / float(spec.parameters["label_relevant_fraction"])) for spec in part.specs(Preset.FULL)
    ]
    assert cost.n_missing == len([trial for trial in actual if key(trial.spec) not in trials])
    assert cost.source == "predicted"
    expected = sum(trial.seconds for trial in actual if key(trial.spec) not in trials)
    assert cost.seconds == pytest.approx(expected, rel=0.25)


def test_where_parameters_say_how_many_steps_there_are_no_trial_is_asked() -> None:
    """Sampled descent to a fixed number of steps: stored trials took 64, those of the preset take their own number."""
    law = law_named_by(SPATIAL_VIT)
    part = discover()["B.realistic"].parts[0]
    specs = part.specs(Preset.FULL)
    spec = max(specs, key=lambda spec: law.most(spec.parameters))
    short = [Sample(example, law.most(example), 1e-6 * law.most(example)) for example in law.examples(spec.parameters)]
    model = fit_model(law, short, [Sample(example, 64.0, 64e-6) for example in [spec.parameters] * LEAST_SAMPLES])
    assert model.steps_near(spec.parameters) == law.most(spec.parameters)
    assert model.steps_near({**spec.parameters, "stop_risk": 0.1}) == pytest.approx(64)
    cost = preset_cost(part, Preset.FULL, Costs.of(part, [], model), {})
    assert cost.source == "predicted"
    assert cost.seconds == pytest.approx(1e-6 * sum(law.most(spec.parameters) for spec in specs), rel=0.3)


def test_what_is_stored_is_measured_and_costs_nothing_more() -> None:
    costs, trials = stored_part(Preset.SMOKE)
    cost = preset_cost(costs.part, Preset.SMOKE, costs, trials)
    assert (cost.n_missing, cost.seconds, cost.source) == (0, 0.0, "measured")
    kept = dict(list(trials.items())[::2])
    half = preset_cost(costs.part, Preset.SMOKE, costs, kept)
    assert half.n_missing == len(trials) - len(kept)
    assert half.source == "measured"


def test_a_part_without_trials_says_how_much_is_known_of_its_steps() -> None:
    part = discover()["A.iterations"].parts[0]
    _, trials = stored_part(Preset.SMOKE)
    timed, both = (fit_model(LAW, short_trials(), samples_of(LAW, some)) for some in ((), trials.values()))
    at_most, nearby, unknown = (
        preset_cost(part, Preset.QUICK, Costs.of(part, [], model), {}) for model in (timed, both, None)
    )
    assert at_most.source == "predicted, at most"
    assert nearby.source == "predicted from other parts"
    assert nearby.seconds < at_most.seconds
    assert unknown.seconds == math.inf


def test_without_a_law_only_the_same_grid_is_extrapolated() -> None:
    costs, trials = stored_part(Preset.SMOKE)
    blind = dataclasses.replace(costs, model=None)
    spec = next(iter(trials.values())).spec
    moved = dataclasses.replace(spec, parameters={**spec.parameters, "label_relevant_fraction": 0.21})
    larger = dataclasses.replace(spec, parameters={**moved.parameters, "n_neurons": 5000})
    assert 0 < blind.of_spec(moved) < math.inf
    assert blind.of_spec(larger) == math.inf
    assert blind.at(0.21, 0) == blind.of_spec(moved)


def test_far_beyond_what_was_measured_the_larger_of_two_laws_counts_and_the_factor_is_said() -> None:
    costs, trials = stored_part(Preset.SMOKE)
    cubic = {(float(size), 0): 0.01 + 1e-8 * size**3 for size in (25, 50, 100, 200)}
    blind = dataclasses.replace(costs, model=None, seconds=cubic)
    through_all = np.polyfit(np.log([size for size, _ in cubic]), np.log([*cubic.values()]), 1)
    assert blind.at(6400.0, 0) > 3 * np.exp(np.polyval(through_all, np.log(6400.0)))
    assert (blind.beyond(6400.0, 0), blind.beyond(150.0, 0), blind.beyond(200.0, 0)) == (32.0, 1.0, 1.0)
    assert blind.at(70.0, 0) == pytest.approx(np.exp(np.polyval(through_all, np.log(70.0))))
    spec = next(iter(trials.values())).spec
    moved = dataclasses.replace(spec, parameters={**spec.parameters, "label_relevant_fraction": 0.9})
    blind = dataclasses.replace(costs, model=None)
    furthest = 0.9 / max(value for value, _ in blind.seconds)
    assert blind.spec_beyond(moved) == pytest.approx(furthest)
    assert blind.spec_beyond(spec) == 1.0
    assert costs.beyond(0.9, 0) == 1.0  # the law of its work says how long a trial takes, whatever the size


def test_a_plan_reads_the_number_that_a_simulator_enumerates_up_to() -> None:
    from sim.spatial_vit import costs
    from sim.spatial_vit.reduced.expectation import ENUMERATED_ROWS

    assert costs._most_enumerated() == ENUMERATED_ROWS


# ------------------------------------------------------------------------------------------------------------- timings


@pytest.fixture
def two_examples(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A law whose examples are two short descents; what is told."""
    law = law_named_by(SPATIAL_VIT_REDUCED)
    short = dataclasses.replace(law, examples=lambda p: law.examples(p)[:1] * 2)
    monkeypatch.setattr(timings, "law_of", lambda system: short if system == SPATIAL_VIT_REDUCED else law_of(system))
    return []


REDUCED: Parameters = {
    "n_patches": 8, "set_size": 2, "spurious_rate": 0.25, "activation_power": 3, "linear_coefficient": 0.01,
    "diagonal_logit": 1.0, "learning_rate": 0.01, "n_steps": 20,
}  # fmt: skip


def timed(path: Path, told: list[str], *, measure: bool = True) -> list[Sample]:
    law = timings.law_of(SPATIAL_VIT_REDUCED)
    assert law is not None
    return timings.timed(SPATIAL_VIT_REDUCED, law, REDUCED, path, measure=measure, tell=told.append)


def test_timings_are_taken_once_on_each_machine(
    tmp_path: Path, two_examples: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite.timings.json"
    assert timed(path, two_examples, measure=False) == []
    first = timed(path, two_examples)
    assert [sample.steps for sample in first] == [20, 20]
    assert all(sample.seconds > 0 for sample in first)
    assert timed(path, two_examples) == first == timed(path, two_examples, measure=False)
    assert len(two_examples) == 1
    monkeypatch.setattr(timings, "machine", lambda: "another one")
    assert timed(path, two_examples, measure=False) == []
    timed(path, two_examples)
    assert len(two_examples) == 2


def test_timings_go_on_where_they_stopped_for_want_of_time(
    tmp_path: Path, two_examples: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite.timings.json"
    over = iter([False, False, True])  # asked before the whole and before each example
    monkeypatch.setattr(timings, "is_over", lambda: next(over))
    assert timed(path, two_examples) == []
    monkeypatch.setattr(timings, "is_over", lambda: True)
    assert timed(path, two_examples) == []
    monkeypatch.setattr(timings, "is_over", lambda: False)
    first = timed(path, two_examples)
    assert [words.split()[1] for words in two_examples] == ["2", "1"]
    assert len(first) == 2
    assert timed(path, two_examples) == first


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_timings_that_cannot_be_read_are_taken_again(text: str, tmp_path: Path, two_examples: list[str]) -> None:
    path = tmp_path / "results.sqlite.timings.json"
    path.write_text(text, encoding="utf-8")
    assert len(timed(path, two_examples)) == 2
    assert timed(path, two_examples, measure=False)


def test_timings_that_cannot_be_kept_are_used_all_the_same(tmp_path: Path, two_examples: list[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert len(timed(tmp_path / "file" / "timings.json", two_examples)) == 2


def test_the_command_measures_nothing_unless_told_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], two_examples: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path):
        pass
    monkeypatch.setattr(timings, "_time", lambda system, law, examples: [Sample(p, 1.0, 1.0) for p in examples])
    arguments = ["plan", "A.iterations", "--preset", "smoke", "--store", str(path), "--format", "json"]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert json.loads(captured.out)[0]["preset_cost"]["missing_cpu_seconds"] is None
    assert not timings.timings_path(path).exists()
    assert main([*arguments, "--timings"]) == 0
    captured = capsys.readouterr()
    assert "once on this machine" in captured.err
    item = json.loads(captured.out)[0]
    assert item["preset_cost"]["source"] == "predicted, at most"
    assert item["preset_cost"]["missing_cpu_seconds"] > 0
    assert timings.timings_path(path).exists()
    assert main(arguments) == 0
    assert capsys.readouterr().err == ""


def test_trials_that_parts_share_are_counted_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figure 4 is asked three questions a protocol; every trial of it takes a second here."""
    with Store(tmp_path / "results.sqlite"):
        pass
    arguments = ["plan", "B.fig4", "--preset", "full", "--store", str(tmp_path / "results.sqlite"), "--workers", "3"]
    distinct = {key(spec): spec for part in discover()["B.fig4"].parts for spec in part.specs(Preset.FULL)}
    assert main(arguments) == 0
    in_all = f"Parts may share trials. In all, {len(distinct)} are to be run: "
    assert in_all + "cost not known\n" in capsys.readouterr().out
    monkeypatch.setattr(Costs, "of_spec", lambda self, spec: 1.0 if "n_samples" in spec.parameters else math.inf)
    assert main(arguments) == 0
    expected = f"{len(distinct)} s of CPU, {len(distinct) // 3} s at 3 workers\n"
    assert in_all + expected in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------- papers from outside


def with_cost(folder: Path, told: str, law: str = "") -> Path:
    """The toy paper whose simulator says this of its costs, beside a module with this law."""
    simulators_py = SIMULATORS.replace("uses_torch=False", f"uses_torch=False, {told}").format(key="toy")
    return write_paper(folder, simulators_py=simulators_py, costs_py=law)


LAW_OF_TOY = """
from sim.trials.cost_law import CostLaw

def terms(parameters, steps):
    return {"trial": 1.0, "sizes": steps * parameters["size"]}

LAW = CostLaw(
    kind=lambda parameters: (), terms=terms, taken=lambda trial, parameters: 1.0, most=lambda parameters: 1.0,
    examples=lambda parameters: [{"size": 2 + size} for size in range(8)],
)

def seconds(parameters):
    return parameters["size"]
"""
AT = "theoremeter_papers.toy.costs"


def test_a_paper_from_outside_says_what_its_trials_cost(tmp_path: Path) -> None:
    folder = with_cost(tmp_path, f'cost="{AT}:LAW", typical_seconds="{AT}:seconds"', LAW_OF_TOY)
    with named([folder]) as (paper,), Store(tmp_path / "results.sqlite") as store:
        specs = checks_of(paper)["toy.mean"].specs(Preset.SMOKE)
        assert [typical_seconds(spec) for spec in specs] == [spec.parameters["size"] for spec in specs]
        models = timings.cost_models(specs, store, measure=True, tell=lambda words: None)
        assert models["toy"].seconds(specs[0].parameters) is not None


@pytest.mark.parametrize("told", ['cost="nowhere:LAW"', 'cost="math:pi"', 'typical_seconds="nowhere:f"'])
def test_a_law_that_is_none_breaks_its_claim_in_one_line(tmp_path: Path, told: str) -> None:
    with named([with_cost(tmp_path, told)]) as (paper,):
        (reason,) = checks_of(paper)["toy.mean"].broken
        assert reason.startswith(f"system toy: {told.partition('=')[0]} must name what can be imported, got ")


def test_a_law_that_raises_is_one_line_and_a_guess_that_raises_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = LAW_OF_TOY.replace('["size"]', '["sise"]')
    folder = with_cost(tmp_path, f'cost="{AT}:LAW", typical_seconds="{AT}:seconds"', wrong)
    words = ["--paper", str(folder)]
    store = ["--preset", "smoke", "--store", str(tmp_path / "results.sqlite")]
    assert main([*words, "run", *store, "--executor", "serial"]) == 0
    capsys.readouterr()
    assert main([*words, "plan", "toy.mean", *store, "--timings"]) == 2
    captured = capsys.readouterr()
    line = "theoremeter: the cost law of toy must work for its trials, got KeyError: 'sise'"
    assert captured.err.splitlines()[-1] == line
    assert "Traceback" not in captured.err
