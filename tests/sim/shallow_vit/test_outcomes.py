"""Names of how trainings fail: one real tiny training for each, and the controls that must not have the name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from sim.shallow_vit.outcomes import FALLEN, FROZEN, MEMORISED, MOVED, NOT_FALLING, UNIFORM, names_of
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.shallow_vit.training import simulate
from sim.trials.readouts import observed
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec

_TINY: dict[str, Any] = {
    "n_tokens": 20,
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.1,
    "n_samples": 8,
    "n_neurons": 20,
    "batch_size": 8,
    "learning_rate": 0.5,
    "max_steps": 60,
    "counts": "exact",
    "token_noise": 0.0,
    "n_test": 50,
}
_PER_TOKEN = {"output_layer": "per token", "initialization": "contraction", "max_steps": 3000}
_LITERAL = {"initialization": "literal", "learning_rate": 1e-4, "max_steps": 40}


def trained(**changes: Any) -> Trial:
    parameters = {**_TINY, **changes}
    result = observed(SHALLOW_VIT, simulate(**parameters, generator=torch.Generator().manual_seed(1)))
    return Trial(TrialSpec(SHALLOW_VIT, parameters), result, 0.0)


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({}, None),
        (_PER_TOKEN, (MEMORISED,)),
        (_LITERAL, (FROZEN,)),
        ({**_LITERAL, "train_attention": False}, ()),
        ({**_LITERAL, "key_query_error": 1e-3, "value_error": 0.01, "learning_rate": 0.5}, (FROZEN, UNIFORM)),
        ({"learning_rate": 1e-5}, (FROZEN, NOT_FALLING)),
        ({"max_steps": 1}, ()),
    ],
)
def test_a_training_has_the_names_of_its_failure(changes: dict[str, Any], names: tuple[str, ...] | None) -> None:
    assert names_of(trained(**changes)) == names


def test_a_training_cut_short_while_it_learns_has_no_name() -> None:
    trial = trained(**{**_PER_TOKEN, "max_steps": 120})
    assert trial.result.outcome is Outcome.BUDGET
    assert names_of(trial) == ()


def test_a_diverged_training_has_no_other_name() -> None:
    trial = Trial(TrialSpec(SHALLOW_VIT, _TINY), TrialResult(Outcome.DIVERGED, {"train_hinge_zero": False}), 0.0)
    assert names_of(trial) == ()


def made_up(mass_end: float, late_hinge: float) -> Trial:
    steps = np.arange(10.0)
    curves = {
        "step": steps,
        "hinge": np.where(steps >= 4.5, late_hinge, 1.0),
        "mass_label_relevant": np.where(steps > 0, mass_end, 0.3),
    }
    result = TrialResult(Outcome.BUDGET, {"train_hinge_zero": False, "success": False}, curves)
    return Trial(TrialSpec(SHALLOW_VIT, _TINY), result, 0.0)


def test_criteria_turn_at_their_numbers() -> None:
    assert names_of(made_up(0.3 + 0.9 * MOVED, FALLEN + 0.01)) == (FROZEN, NOT_FALLING)
    assert names_of(made_up(0.3 + 1.1 * MOVED, FALLEN - 0.01)) == ()


def test_without_curves_nothing_is_said_of_them() -> None:
    trial = made_up(0.3, 1.0)
    assert names_of(replace(trial, result=replace(trial.result, curves={}))) == ()
