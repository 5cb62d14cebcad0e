"""Dynamics of (alpha, gamma, rho): descent against flow, symmetry, outcomes, and what a run reports."""

import json

import numpy as np
import pytest
import torch

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import dynamics as reduced
from sim.spatial_vit.reduced import phases, population
from sim.spatial_vit.systems import SPATIAL_VIT_REDUCED
from sim.trials.readouts import observed
from sim.trials.trial import Outcome

ARGUMENTS = {
    "n_patches": 16, "set_size": 4, "spurious_rate": 0.25, "activation_power": 3, "linear_coefficient": 1 / 256,
    "diagonal_logit": 1.0, "learning_rate": 0.02, "n_steps": 300, "n_records": 20,
}  # fmt: skip


def simulate(**changes):
    done = reduced.simulate_reduced(**{**ARGUMENTS, **changes}, generator=torch.Generator().manual_seed(0))
    return observed(SPATIAL_VIT_REDUCED, done)


def test_first_step_moves_by_the_gradient_at_the_start():
    run = simulate(n_steps=1)
    start = Setting(**{name: ARGUMENTS[name] for name in list(ARGUMENTS)[:6]}, temperature=1.0)
    gradient = population.reduced_gradient(
        population.exact_types(start), start, alignment=1 / 16, within=0.0, across=0.0
    )
    assert run.curves["feature_alignment"].tolist() == pytest.approx([1 / 16, 1 / 16 - 0.02 * gradient.alignment])
    assert run.curves["within_logit"].tolist() == pytest.approx([0, -0.02 * gradient.within])
    assert run.curves["across_logit"].tolist() == pytest.approx([0, -0.02 * gradient.across])


def test_descent_with_small_steps_follows_the_flow_at_first_order():
    """The distance to the flow halves with the step."""
    distances = []
    for rate in (0.004, 0.002):
        n_steps = round(8 / rate)
        ends = [
            np.array([run.observables[name] for name in ("feature_alignment", "within_logit", "across_logit")])
            for run in (
                simulate(learning_rate=rate, n_steps=n_steps),
                simulate(learning_rate=rate, n_steps=n_steps, dynamics="flow"),
            )
        ]
        distances.append(np.abs(ends[0] - ends[1]).max())
    assert distances[0] < 1e-3
    assert 1.8 < distances[0] / distances[1] < 2.2


def test_softmax_values_along_a_run_sum_to_one():
    curves = simulate().curves
    rows = curves["softmax_diagonal"] + 3 * curves["softmax_within"] + 12 * curves["softmax_across"]
    np.testing.assert_allclose(rows, 1, rtol=1e-13)
    own = 16 * (curves["softmax_diagonal"] + 3 * curves["softmax_within"])
    np.testing.assert_allclose(curves["own_set_weight"], own, rtol=1e-13)


def test_increments_sum_to_zero_along_a_run():
    curves = simulate().curves
    total = curves["diagonal_descent"] + 3 * curves["within_descent"] + 12 * curves["across_descent"]
    np.testing.assert_allclose(total, 0, atol=1e-14)


def test_uniform_attention_is_a_fixed_point_of_the_logits():
    """With beta = gamma = rho every row mixes alike and no pair is preferred, up to rounding."""
    run = simulate(diagonal_logit=0.0)
    assert abs(run.observables["within_logit"]) < 1e-12
    assert abs(run.observables["across_logit"]) < 1e-12
    assert run.observables["feature_alignment"] > 2 / 16


def test_curves_have_one_value_a_record_and_include_start_and_end():
    curves = simulate().curves
    assert {len(values) for values in curves.values()} == {len(curves["step"])}
    assert curves["step"][0] == 0
    assert curves["step"][-1] == 300
    np.testing.assert_allclose(curves["flow_time"], 0.02 * curves["step"])


def test_flow_reaches_times_that_steps_cannot():
    run = simulate(dynamics="flow", learning_rate=0.1, n_steps=10**7)
    assert run.outcome is Outcome.BUDGET
    assert run.observables["risk"] < 1e-3
    assert run.observables["associated"] is True


def test_too_large_a_step_diverges_as_an_outcome():
    run = simulate(learning_rate=50.0)
    assert run.outcome is Outcome.DIVERGED
    json.dumps(dict(run.observables), allow_nan=False)
    assert run.observables["n_steps_taken"] < 300


def test_stop_risk_converges_early():
    run = simulate(stop_risk=0.1)
    assert run.outcome is Outcome.CONVERGED
    assert run.observables["risk"] < 0.1
    assert 0 < run.observables["n_steps_taken"] < 300


def test_runs_are_reproducible_and_observables_are_json_scalars():
    first, second = simulate(expectation="monte_carlo", n_draws=500), simulate(expectation="monte_carlo", n_draws=500)
    assert first.observables == second.observables
    assert json.loads(json.dumps(dict(first.observables))) == dict(first.observables)


def test_reversals_are_counted_over_all_steps():
    """A step that throws alpha past its optimum makes gamma fall below rho, whether or not it was recorded."""
    run = simulate(learning_rate=0.08, n_steps=40, n_records=2)
    assert 0 < run.observables["first_reversal_step"] < run.observables["last_reversal_step"] <= 40
    assert run.observables["smallest_gap"] < 0
    calm = simulate(learning_rate=0.02, n_steps=40, n_records=2)
    assert calm.observables["first_reversal_step"] == calm.observables["last_reversal_step"] == -1
    assert calm.observables["smallest_gap"] > 0


def test_association_needs_the_diagonal_as_well():
    setting = Setting(**{name: ARGUMENTS[name] for name in list(ARGUMENTS)[:6]}, temperature=1.0)
    assert phases.is_associated(setting, within=0.1, across=0.0)
    assert not phases.is_associated(setting, within=0.0, across=0.0)
    assert not phases.is_associated(setting, within=2.0, across=1.0)


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("set_size", 5, "set_size must divide n_patches, got 5 and 16"),
        ("learning_rate", -0.1, "learning_rate must be > 0, got -0.1"),
        ("n_steps", 0, "n_steps must be >= 1, got 0"),
        ("n_steps", 2.5, "n_steps must be an integer, got 2.5"),
        ("dynamics", "adam", "dynamics must be one of gradient_descent, flow, got 'adam'"),
        ("expectation", "guess", "expectation must be one of exact, enumeration, fourier, monte_carlo, got 'guess'"),
        ("stop_risk", -1.0, "stop_risk must be >= 0, got -1.0"),
    ],
)
def test_bad_arguments_are_named(argument, value, message):
    with pytest.raises(ValueError, match=message):
        simulate(**{argument: value})
