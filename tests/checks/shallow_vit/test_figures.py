"""Figures 1 and 2: what is printed is what is run, cells outside (8) are known, and trials are shared."""

from __future__ import annotations

import pytest
import sympy as sp

from checks.evidence.translation import exact
from checks.records.preset import Preset
from checks.shallow_vit.generalization import A_ITERATIONS
from checks.shallow_vit.iteration_figures import A_FIG_2
from checks.shallow_vit.levels import OTHER_LEVELS
from checks.shallow_vit.sample_figures import A_FIG_1A, A_FIG_1B, TRIALS_A_CELL, meets_condition_8
from checks.shallow_vit.samples import A_SAMPLES, A_SAMPLES_FROZEN
from checks.shallow_vit.setting import symbols
from sim.trials.trial import Outcome, Trial, TrialResult
from theory.claim import Role
from theory.shallow_vit.figures import SETTINGS
from theory.shallow_vit.notation import L, S, alpha, c_0, xi

FIGURES = [(one.claim, part) for one in (A_FIG_1A, A_FIG_1B) for part in one.parts if part.role is not Role.REPAIR]


@pytest.mark.parametrize(("claim", "part"), FIGURES, ids=lambda value: getattr(value, "name", ""))
def test_the_full_preset_has_what_the_paper_prints(claim, part):
    printed = SETTINGS[claim.id]
    for spec in [spec for spec in part.specs(Preset.FULL) if spec.replicate == 0]:
        given = dict(symbols(spec.parameters)) | {
            xi: exact(spec.parameters["neuron_scale"]),
            c_0: exact(spec.parameters["token_noise"]),
        }
        for letter, value in printed.items():
            if letter in given and not (letter == c_0 and spec.parameters["token_noise"] == 0):
                assert given[letter] == sp.sympify(value).subs(alpha, given[alpha]), (letter, part.name)
        assert given[S] == given[L]


def test_statements_have_the_paper_s_noise_and_its_trials_a_cell():
    for claim, part in FIGURES:
        if claim is A_FIG_1A.claim and part.role is Role.STATEMENT:
            specs = part.specs(Preset.FULL)
            assert {spec.parameters["token_noise"] for spec in specs} == {0.01}
            assert {spec.parameters["precision"] for spec in specs} == {"float32"}
        assert {spec.replicate for spec in part.specs(Preset.FULL)} == set(range(TRIALS_A_CELL))


def test_cells_span_the_printed_sizes_and_a_batch_is_never_larger_than_its_samples():
    sizes = {}
    for spec in A_FIG_1A.parts[0].specs(Preset.FULL):
        size = spec.parameters["n_samples"]
        sizes.setdefault(spec.parameters["label_relevant_fraction"], set()).add(size)
        assert spec.parameters["batch_size"] == min(4, size)
    assert all(min(found) == 2 for found in sizes.values())
    assert max(sizes[0.26]) == 4096
    assert max(sizes[0.49]) == 128


def test_the_cells_outside_condition_8_are_known():
    cells = {spec.parameters["label_relevant_fraction"]: spec for spec in A_FIG_1A.parts[1].specs(Preset.FULL)}
    outside = {share for share, spec in cells.items() if not meets_condition_8(spec.parameters)}
    assert outside == {share for share in cells if share < 0.366}
    assert outside
    assert set(cells) - outside
    assert not any(meets_condition_8(spec.parameters) for spec in A_FIG_1B.parts[0].specs(Preset.SMOKE))


@pytest.mark.parametrize("preset", Preset)
def test_figure_2_trains_nothing_that_iterations_does_not(preset):
    of_iterations = {spec.identity for part in A_ITERATIONS.parts for spec in part.specs(preset)}
    assert {spec.identity for part in A_FIG_2.parts for spec in part.specs(preset)} <= of_iterations


def test_levels_of_success_go_from_the_strictest_to_the_weakest():
    (_, loose), (_, weakest) = OTHER_LEVELS.items()

    def trial(test_hinge, test_error):
        spec = A_FIG_1A.parts[0].specs(Preset.SMOKE)[0]
        return Trial(spec, TrialResult(Outcome.CONVERGED, {"test_hinge": test_hinge, "test_error": test_error}), 0.1)

    assert loose(trial(0.009, 0.0))
    assert not loose(trial(0.02, 0.0))
    assert weakest(trial(0.3, 0.0))
    assert not weakest(trial(0.001, 0.01))


def test_every_threshold_of_the_paper_is_shown_at_other_levels():
    for check in (A_SAMPLES, A_SAMPLES_FROZEN, A_FIG_1A, A_FIG_1B):
        for part in check.parts:
            if hasattr(part, "levels") and not getattr(part, "falls", False):  # which asks a reading's trials again
                assert part.levels is OTHER_LEVELS
