"""Gradient descent on the full network: equal to the reduced dynamics, and able to learn from samples."""

import json

import numpy as np
import pytest
import torch

from sim.spatial_vit.network import association
from sim.spatial_vit.reduced.dynamics import simulate_reduced
from sim.spatial_vit.reduced.phases import name_ending
from sim.spatial_vit.sampled import training
from sim.spatial_vit.systems import SPATIAL_VIT, SPATIAL_VIT_REDUCED
from sim.trials.readouts import observed
from sim.trials.trial import Outcome

ARGUMENTS = {
    "n_patches": 8, "set_size": 4, "spurious_rate": 0.3, "activation_power": 3, "linear_coefficient": 1 / 64,
    "diagonal_logit": 1.0, "learning_rate": 0.1, "n_steps": 200, "n_records": 6,
}  # fmt: skip


def simulate(seed=0, **changes):
    done = training.simulate_full(**{**ARGUMENTS, **changes}, generator=torch.Generator().manual_seed(seed))
    return observed(SPATIAL_VIT, done)


@pytest.mark.parametrize("permuted", [False, True])
def test_population_descent_follows_the_reduced_dynamics(permuted):
    full = simulate(permuted=permuted)
    small = observed(SPATIAL_VIT_REDUCED, simulate_reduced(**ARGUMENTS, generator=torch.Generator()))
    assert full.curves["step"].tolist() == small.curves["step"].tolist()
    for mine, theirs in (
        ("feature_alignment", "feature_alignment"), ("mean_within_logit", "within_logit"),
        ("mean_across_logit", "across_logit"), ("risk", "risk"), ("test_error", "test_error"),
    ):  # fmt: skip
        np.testing.assert_allclose(full.curves[mine], small.curves[theirs], rtol=1e-9, atol=1e-13)


def test_population_descent_keeps_three_values_and_the_span():
    observables = simulate().observables
    assert observables["largest_deviation"] < 1e-13
    assert observables["largest_orthogonal_value"] < 1e-14
    assert observables["cosine"] == pytest.approx(1)
    assert observables["associated"] is True


def test_diagonal_is_never_trained():
    for risk in ("population", "empirical"):
        run = simulate(risk=risk, n_steps=5, n_samples=50, n_test=50)
        assert np.diag(run.curves["final_logits"]).tolist() == [1.0] * 8


def test_maps_along_are_the_logits_at_their_steps():
    run = simulate()
    maps, within = run.curves["logit_map"].astype(float), run.curves["mean_within_logit"]
    assert maps.shape == (3, 8, 8)
    assert run.curves["map_step"].tolist()[0] == 0
    assert np.abs(maps[-1] - run.curves["final_logits"]).max() < 1e-3
    same = run.curves["sets"][:, None] == run.curves["sets"][None, :]
    inside = same & ~np.eye(8, dtype=bool)
    at = [run.curves["step"].tolist().index(step) for step in run.curves["map_step"]]
    assert maps[:, inside].mean(axis=1) == pytest.approx(within[at], abs=1e-3)


def test_empirical_descent_learns_the_feature_and_the_sets():
    run = simulate(
        n_patches=9, set_size=3, linear_coefficient=1 / 81, learning_rate=0.05, n_steps=600, risk="empirical",
        initialization="gaussian", init_scale=1e-3, n_samples=2000, patch_dimension=16, n_test=2000,
    )  # fmt: skip
    assert run.curves["risk"][-1] < run.curves["risk"][0] / 5
    assert run.observables["cosine"] > 0.9
    assert run.observables["mean_within_logit"] > 0.03 > run.observables["mean_across_logit"]
    assert run.observables["associated_rows"] > 0.5
    assert run.observables["largest_deviation"] > 1e-3  # samples break the symmetry of the population risk
    assert run.observables["test_error"] < 0.05


def test_association_is_strict_and_includes_the_diagonal():
    sets = torch.tensor([0, 0, 1, 1])
    logits = torch.tensor([[1, 0.5, 0, 0], [0.5, 1, 0, 0], [0, 0, 1, 0.5], [0, 0, 0.5, 1]])
    assert association.is_associated(logits, sets)
    tie = logits.clone()
    tie[0, 2] = 0.5
    assert not association.is_associated(tie, sets)
    low_diagonal = logits.clone()
    low_diagonal[3, 3] = -1
    assert not association.is_associated(low_diagonal, sets)


def test_three_value_deviation_sees_one_entry():
    sets = torch.tensor([0, 0, 1, 1])
    logits = torch.zeros(4, 4, dtype=torch.float64)
    assert association.three_value_deviation(logits, sets) == 0
    logits[0, 3] = 0.25
    assert association.three_value_deviation(logits, sets) == 0.25


def test_exact_error_is_the_limit_of_the_sampled_one():
    run = simulate(n_steps=20, n_records=2)
    sampled = simulate(n_steps=20, n_records=2, risk="empirical", n_samples=20, n_test=20_000)
    exact = run.observables["test_error"]
    assert 0 < exact < 0.5
    # The same start, hence the same network at step 0.
    assert run.curves["test_error"][0] == pytest.approx(sampled.curves["test_error"][0], abs=5 * (0.25 / 20_000) ** 0.5)


def test_divergence_and_convergence_are_outcomes():
    diverged = simulate(learning_rate=500.0)
    assert diverged.outcome is Outcome.DIVERGED
    json.dumps(dict(diverged.observables), allow_nan=False)
    stopped = simulate(stop_risk=0.3)
    assert stopped.outcome is Outcome.CONVERGED
    assert stopped.observables["step"] < 200


def test_runs_are_reproducible_and_observables_are_json_scalars():
    arguments = {"risk": "empirical", "initialization": "gaussian", "n_steps": 5, "n_samples": 40, "n_test": 100}
    first, second = simulate(3, **arguments), simulate(3, **arguments)
    assert first.observables == second.observables
    assert simulate(4, **arguments).observables != first.observables
    assert json.loads(json.dumps(dict(first.observables))) == dict(first.observables)


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("set_size", 3, "set_size must divide n_patches, got 3 and 8"),
        ("learning_rate", 0.0, "learning_rate must be > 0, got 0.0"),
        ("init_scale", -1.0, "init_scale must be > 0, got -1.0"),
        ("n_samples", 0, "n_samples must be >= 1, got 0"),
        ("risk", "true", "risk must be one of population, empirical, got 'true'"),
        ("precision", "half", "precision must be one of double, single, got 'half'"),
        ("initialization", "zero", "initialization must be one of idealized, gaussian, got 'zero'"),
    ],
)
def test_bad_arguments_are_named(argument, value, message):
    with pytest.raises(ValueError, match=message):
        simulate(**{argument: value})


SAMPLED = {
    "set_size": 2, "spurious_rate": 0.25, "risk": "empirical", "initialization": "gaussian", "learning_rate": 1 / 8,
    "patch_dimension": 8, "n_test": 4000, "precision": "single", "init_scale": 1e-3,
}  # fmt: skip


def test_a_run_that_fits_few_samples_with_many_unknowns_interpolates():
    run = simulate(**{**SAMPLED, "patch_dimension": 64, "n_samples": 60, "n_steps": 800})
    assert run.observables["train_error"] == 0
    assert run.observables["test_error"] > run.observables["structure_level"]
    assert run.observables["associated"] is False
    assert run.observables["ending"] == "interpolation_without_structure"


def test_a_run_on_ample_samples_learns_the_structure_and_reports_it():
    observables = simulate(**{**SAMPLED, "n_samples": 2000, "n_steps": 1024, "n_records": 12}).observables
    assert observables["ending"] == "structure_learned"
    assert all(observables[name] is True for name in ("structured", "error_small", "association_stays"))
    assert 0 < observables["association_step"] < 1024
    assert observables["error_floor"] < observables["test_error"] <= observables["structure_level"]
    assert 0 < observables["asymmetry"] < 1


def test_least_eigenvalue_is_that_of_the_three_valued_logits():
    run = simulate(n_steps=50)
    last = run.observables
    within, across = last["mean_within_logit"], last["mean_across_logit"]
    eigenvalues = (1 - within, 1 + 3 * within - 4 * across, 1 + 3 * within + 4 * across)
    assert last["least_eigenvalue"] == pytest.approx(min(eigenvalues), rel=1e-9)
    assert last["asymmetry"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("case", "name"),
    [
        ({"train_error": 0.0}, "interpolation_without_structure"),
        ({"train_error": 0.0, "error": 0.01}, "interpolation_without_structure"),
        ({"train_error": 0.1, "error": 0.01}, "generalization_without_association"),
        ({"train_error": 0.1}, "no_association"),
        ({"train_error": 0.1, "gap": -1.0}, "anti_association"),
        ({"train_error": 0.0, "associated": True}, "association_without_generalization"),
        ({"error": 0.01}, "interpolation_without_structure"),
    ],
)
def test_endings_of_sampled_runs(case, name):
    usual = {"associated": False, "gap": 0.5, "error": 0.3, "threshold": 0.1, "diverged": False}
    assert name_ending(**{**usual, **case}) == name


TIES = {"risk": "empirical", "n_patches": 8, "set_size": 2, "spurious_rate": 0.5, "n_samples": 300, "n_test": 2000}


@pytest.mark.parametrize("labels", training.LABELS)
def test_labels_of_the_training_data_are_what_was_asked_for(labels, monkeypatch):
    kept = []
    right = training.SignedPatches.of

    def keeping(data, precision):
        kept.append(data)
        return right(data, precision)

    monkeypatch.setattr(training.SignedPatches, "of", staticmethod(keeping))
    simulate(**TIES, n_steps=1, labels=labels)
    (data,) = kept
    sets = torch.arange(8) // 2
    agreed = data.labels * training.labelling_function(data.coefficients, sets) > 0
    carried = data.labels[:, None] == data.coefficients.gather(1, data.signal_set[:, None] * 2)
    assert len(data.labels) == len(data.patches) == len(data.signal_set) == 300
    assert bool(agreed.all()) is (labels == "decided")
    assert bool(carried.all()) is (labels != "shuffled")


def test_errors_on_decided_data_leave_out_what_the_labelling_function_leaves_open():
    """With all data the floor is P[f* = 0], which a perfect network errs too; without such data it is 0."""
    drawn, decided = (simulate(**TIES, n_steps=200, labels=labels).observables for labels in ("drawn", "decided"))
    assert drawn["error_floor"] > 0.1
    assert decided["error_floor"] == 0
    assert decided["label_error"] == decided["test_error"]
    assert 0 < decided["structure_level"] < drawn["structure_level"]
    assert decided["test_error"] < drawn["test_error"] - 0.05


def test_shuffled_labels_teach_nothing():
    assert abs(simulate(**TIES, labels="shuffled", n_steps=50).observables["test_error"] - 0.5) < 0.15


def test_the_population_risk_has_no_labels_to_choose():
    with pytest.raises(ValueError, match="labels must be one of drawn"):
        simulate(labels="decided")
