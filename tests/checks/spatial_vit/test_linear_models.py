"""What the checks of Theorems 3.1 and 3.2, Assumption 1, Definition 2.1 and Figure 2 make of right and wrong trials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from checks.catalogue import discover
from checks.evidence.part import Part
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.verdict import Verdict
from sim.running.run import simulate_spec
from sim.trials.trial import Outcome, Scalar, Trial, TrialResult


def part_of(claim: str, name: str) -> Part:
    (found,) = (part for part in discover()[claim].parts if part.name == name)
    return found


def simulated(claim: str, name: str, n_trials: int | None = None) -> list[Trial]:
    specs = part_of(claim, name).specs(Preset.SMOKE)[:n_trials]
    return [Trial(spec, simulate_spec(spec), 0.0) for spec in specs]


def judged(claim: str, name: str, trials: list[Trial]) -> Row:
    (row,) = part_of(claim, name).judge(discover()[claim].claim, trials)
    return row


def observing(trial: Trial, **changes: Scalar) -> Trial:
    seen = {**trial.result.observables, **changes}
    return replace(trial, result=TrialResult(Outcome.BUDGET, seen, trial.result.curves))


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("C = log2 L, q D = C", Verdict.HOLDS), ("C = 4 at every D, q D = C", Verdict.VIOLATED)],
)
def test_the_labelling_error_beats_the_stated_power_only_where_sets_grow(name: str, verdict: Verdict) -> None:
    row = judged("B.labelling", name, simulated("B.labelling", name))
    assert row.verdict is verdict
    assert "the largest member stated beforehand" in row.judgement.reason
    assert row.axis is not None
    assert row.display.asymptotic_exponent == "-4"


FREQUENCIES = "frequencies and noise energy within exact intervals"


@pytest.mark.parametrize(
    "change",
    [
        lambda seen: {"n_positive_labels": 600},
        lambda seen: {"n_plus": seen["n_plus"] + 300},
        lambda seen: {"n_minus": 0},
        lambda seen: {"n_agree": seen["n_pairs"]},
        lambda seen: {"most_frequent_set": 400},
        lambda seen: {"least_frequent_set": 100},
        lambda seen: {"noise_energy": 1.02 * seen["noise_energy"]},
    ],
)
def test_each_wrong_frequency_is_noticed(change: Callable[[dict[str, float]], dict[str, Scalar]]) -> None:
    part = part_of("B.data", FREQUENCIES)
    assert isinstance(part, Behaviour)
    (trial,) = simulated("B.data", FREQUENCIES, 1)
    assert part.shows(trial)
    assert not part.shows(observing(trial, **change({k: float(v) for k, v in trial.result.observables.items()})))


PARTNERS = "with j != i: partner sets, A = P^T P"


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        ({"least_gap": -1e-9}, "every Top_C (j != i) avoids the set"),
        ({"largest_movement": 0.6}, "real attention moves F by less than half a step"),
        ({"exponents_grow": False}, "-log(error) / log(D) rises at every size"),
        ({"last_exponent": 1.9}, "and ends above 2"),
    ],
)
def test_a_transformer_that_misses_one_condition_is_no_witness(change: dict[str, Scalar], missed: str) -> None:
    (trial,) = simulated("B.no_structure", PARTNERS)
    row = judged("B.no_structure", PARTNERS, [trial])
    assert row.verdict is Verdict.SATISFIABLE
    assert "D = 24, 64, 160, 384" in row.judgement.reason
    row = judged("B.no_structure", PARTNERS, [observing(trial, **change)])
    assert row.verdict is Verdict.INCONCLUSIVE
    assert f"{missed} not met" in row.judgement.reason


@pytest.mark.parametrize(
    ("name", "error", "associated", "shown"),
    [
        ("error below 1/8, no association: P trained, sigma_A = 1", 0.12, False, True),
        ("error below 1/8, no association: P trained, sigma_A = 1", 0.13, False, False),
        ("error below 1/8, no association: P trained, sigma_A = 1", 0.01, True, False),
        ("small error, no association: A trained from entries of size 1", 0.085, False, True),
        ("small error, no association: A trained from entries of size 1", 0.087, False, False),
        ("small error, no association: A trained from entries of size 1", 0.01, True, False),
        ("half the linear error, no association: P trained, sigma_A = 4", 0.05, False, True),
        ("half the linear error, no association: P trained, sigma_A = 4", 0.06, False, False),
        ("half the linear error, no association: P trained, sigma_A = 4", 0.01, True, False),
    ],
)
def test_figure_2_asks_for_a_small_error_and_no_association(
    name: str, error: float, associated: bool, shown: bool
) -> None:
    part = part_of("B.fig2", name)
    assert isinstance(part, Behaviour)
    seen = {"test_error": error, "associated": associated, "linear_error": 0.1, "sum_error": 0.1, "sets_found": 0.0}
    spec = part.specs(Preset.QUICK)[0]
    trial = Trial(spec, TrialResult(Outcome.BUDGET, seen), 0.0)
    assert part.shows(trial) is shown
    (row,) = part.judge(discover()["B.fig2"].claim, [trial])
    assert f"test error {error:.3f} on average, fitted linear 0.100" in row.judgement.reason


def test_an_attack_names_what_was_tried_and_where() -> None:
    name = "phi increasing, q (D - C) >= C^2"
    row = judged("B.glm_fails", name, simulated("B.glm_fails", name)[:2])
    assert row.verdict is Verdict.NOT_REFUTED
    assert "the sign of the sum of all patches at D = 64, C = 4, q = 0.3 errs 0.20" in row.judgement.reason
