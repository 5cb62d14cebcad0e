"""Theorem 1's other parts: where their trials stand with the hypotheses, and what their words say."""

import pytest

from checks.catalogue import discover
from checks.evidence.regime import follows, is_met_eventually, met_at
from checks.records.preset import Preset
from checks.shallow_vit import theorem_parts, zero_error
from sim.trials.trial import Outcome, Trial, TrialResult
from theory.claim import Met
from theory.shallow_vit.hypotheses import CONDITION_8, MORE_TOKENS


def part(claim: str, name: str):
    (found,) = (part for part in discover()[claim].parts if part.name == name)
    return found


def succeeding(spec, success: bool, **observables) -> Trial:
    return Trial(spec, TrialResult(Outcome.CONVERGED, {"success": success, **observables}), 0.0)


@pytest.mark.parametrize("preset", [Preset.QUICK, Preset.FULL])
def test_the_statement_of_zero_error_moves_along_its_path(preset):
    per_token = part("A.zero_error", "a per token, |S|, m, N to infinity")
    points = [per_token.letters(spec) for spec in per_token.specs(preset)]
    assert follows(MORE_TOKENS, points)


def test_every_hypothesis_of_theorem_1_is_met_far_out_on_that_path_whatever_its_constant():
    for hypothesis in discover()["A.zero_error"].claim.regime:
        assert is_met_eventually(hypothesis, MORE_TOKENS), hypothesis.name


@pytest.mark.parametrize("preset", list(Preset))
@pytest.mark.parametrize(
    ("claim", "name", "condition"),
    [
        ("A.width", "m against M at N = 512", theorem_parts._WIDE_ENOUGH),
        ("A.batch", "B from 1 to N = 256", theorem_parts._LARGE_ENOUGH),
        ("A.fraction", "alpha_# from 0 to alpha_* = 0.4", CONDITION_8),
    ],
)
def test_a_sufficient_condition_has_trials_on_both_sides_and_none_that_is_open(preset, claim, name, condition):
    found = part(claim, name)
    stands = [met_at(condition, found.letters(spec)) for spec in found.specs(preset)]
    assert set(stands) == {Met.MET, Met.NOT_MET}
    if preset is not Preset.SMOKE:
        assert stands.count(Met.MET) >= 29, "fewer successes cannot show a rate of 0.9"


def test_the_reading_with_two_points_has_as_many_trainings_as_0_99_takes():
    two_points = part("A.zero_error", "one layer for all tokens: two points")
    assert all(len(two_points.specs(preset)) >= 299 for preset in (Preset.QUICK, Preset.FULL))


def test_the_words_on_width_name_where_half_succeed():
    specs = part("A.width", "needed width against M").specs(Preset.QUICK)
    trials = [succeeding(spec, spec.parameters["n_neurons"] >= 4) for spec in specs]
    said = theorem_parts._needed_widths(trials, "n_patterns", "M")
    assert "M = 3: 0/4 at 1, 0/4 at 2, 4/4 at 4, 4/4 at 8, 4/4 at 16 (half from m = 2.83)" in said
    never = theorem_parts._needed_widths([succeeding(spec, False) for spec in specs], "n_patterns", "M")
    assert never.count("no threshold") == 3


def test_the_words_on_batches_name_the_smallest_and_the_steps():
    specs = part("A.batch", "smallest batch, and T against B").specs(Preset.SMOKE)
    trials = [succeeding(spec, int(spec.parameters["batch_size"]) > 1, iterations=7) for spec in specs]
    assert "alpha_* = 0.2: all succeed from B = 16 on, median steps 7 at B = 1 (0/2)" in theorem_parts._needed_batches(
        trials
    )
    failing = [succeeding(spec, False, iterations=7) for spec in specs]
    assert "at no B do all" in theorem_parts._needed_batches(failing)


def test_the_words_on_places_count_zeros():
    specs = part("A.zero_error", "zero at other tokens, widths and samples").specs(Preset.SMOKE)
    trials = [succeeding(spec, True, population_hinge_zero=int(spec.replicate == 0)) for spec in specs]
    assert zero_error._by_place(trials).endswith("1/3 at |S| = 8, m = 16, N = 64")
