"""The Fourier integral against enumeration, draws and brute force; its flow against descent; phases and endings."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import dynamics as reduced
from sim.spatial_vit.reduced import expectation, expected_errors, fourier, fourier_errors, phases, population, steps
from sim.spatial_vit.systems import SPATIAL_VIT_REDUCED
from sim.trials.readouts import observed
from sim.trials.trial import Outcome

NAMES = ("risk", "alignment", "diagonal", "within", "across")
SIZES = [(4, 2), (6, 3), (9, 3), (16, 4), (24, 4), (16, 8)]
STATES = [(0.05, 0.0, 0.0), (0.3, 0.0, 0.0), (0.25, 0.5, -0.1), (0.06, 4.0, -1.3), (0.1, -1.0, 1.0), (-0.2, 0.4, 0.1)]


def setting_of(n_patches, set_size, **changes):
    values = {
        "spurious_rate": 0.35, "activation_power": 3, "linear_coefficient": 0.03, "diagonal_logit": 0.8,
        "temperature": 1.0,
    }  # fmt: skip
    return Setting(n_patches=n_patches, set_size=set_size, **{**values, **changes})


def gradients(table, setting, state):
    at = dict(zip(("alignment", "within", "across"), state, strict=True))
    gradient = population.reduced_gradient(table, setting, **at)
    return np.array([getattr(gradient, name) for name in NAMES])


def errors(table, setting, state):
    at = dict(zip(("alignment", "within", "across"), state, strict=True))
    return expected_errors.errors_at(table, setting, **at)


# ------------------------------------------------------------------------------------------------------- expectations


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("power", [3, 5])
def test_fourier_gradient_equals_enumeration(size, power):
    setting = setting_of(*size, activation_power=power, temperature=1.3)
    integral, table = fourier.fourier_types(setting), population.exact_types(setting)
    for state in STATES:
        np.testing.assert_allclose(gradients(integral, setting, state), gradients(table, setting, state), atol=1e-11)


@given(
    alignment=st.floats(-0.4, 0.4),
    within=st.floats(-3, 5),
    across=st.floats(-3, 3),
    rate=st.floats(0.02, 1.0),
    beta=st.floats(-1, 4),
)
@settings(deadline=None, derandomize=True, max_examples=60)
def test_fourier_gradient_equals_enumeration_anywhere(alignment, within, across, rate, beta):
    setting = setting_of(12, 3, spurious_rate=rate, diagonal_logit=beta)
    state = (alignment, within, across)
    expected = gradients(population.exact_types(setting), setting, state)
    found = gradients(fourier.fourier_types(setting), setting, state)
    np.testing.assert_allclose(found, expected, atol=1e-10 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("name", ["harmonics", "integer_power"])
def test_a_planted_error_in_the_integral_is_caught(name, monkeypatch):
    honest = getattr(fourier, name)
    wrong = {
        "harmonics": lambda phase, first, last: honest(1.001 * phase, first, last),
        "integer_power": lambda base, exponent: honest(base, exponent + 1),
    }[name]
    setting = setting_of(9, 3)
    expected = gradients(population.exact_types(setting), setting, STATES[2])
    monkeypatch.setattr(fourier, name, wrong)
    assert np.abs(gradients(fourier.fourier_types(setting), setting, STATES[2]) - expected).max() > 1e-5


def test_too_few_angles_alias(monkeypatch):
    setting = setting_of(24, 4)
    expected = gradients(population.exact_types(setting), setting, STATES[3])
    monkeypatch.setattr(fourier, "_enough_angles", lambda *arguments: 8)
    assert np.abs(gradients(fourier.fourier_types(setting), setting, STATES[3]) - expected).max() > 1e-6


@pytest.mark.parametrize("beta", [0.0, 1.0])
@pytest.mark.parametrize("size", SIZES[:5])
def test_error_rates_lie_within_their_uncertainty_of_enumeration(size, beta):
    setting = setting_of(*size, diagonal_logit=beta, spurious_rate=0.3)
    integral, table = fourier.fourier_types(setting), population.exact_types(setting)
    for state in STATES:
        exact, found = errors(table, setting, state), errors(integral, setting, state)
        allowed = found.uncertainty + 1e-10
        assert abs(found.test_error - exact.test_error) <= allowed
        assert abs(found.label_error - exact.label_error) <= allowed
        assert found.uncertainty < 1e-3


def test_more_nodes_narrow_the_bracket():
    setting = setting_of(24, 4)
    integral = fourier.fourier_types(setting)
    outputs = population.set_outputs(integral, setting, alignment=0.06, within=4.0, across=-1.3)
    coarse, fine = (fourier_errors.error_rates(integral, outputs, n_nodes=n) for n in (300, 5000))
    assert fine.uncertainty < coarse.uncertainty / 4
    exact = errors(population.exact_types(setting), setting, (0.06, 4.0, -1.3))
    assert abs(fine.test_error - exact.test_error) <= fine.uncertainty


@pytest.mark.parametrize(("size", "set_size"), [((6, 2), 2), ((9, 3), 3), ((16, 4), 4)])
def test_tie_probability_equals_a_naive_loop(size, set_size):
    """Rows whose types, signal set included, are those of their own negative."""
    setting = setting_of(*size)
    types = population.set_types(set_size).tolist()
    chances = dict(zip(map(tuple, types), population.type_probabilities(np.array(types), setting), strict=True))
    total = 0.0
    for chosen in itertools.combinations_with_replacement(map(tuple, types), setting.n_sets - 1):
        row = sorted([(set_size, 0), *chosen])
        if row == sorted((b, a) for a, b in row):
            orders = math.factorial(len(chosen))
            for kind in set(chosen):
                orders //= math.factorial(chosen.count(kind))
            total += orders * math.prod(chances[kind] for kind in chosen)
    assert fourier_errors.tie_probability(fourier.fourier_types(setting)) == pytest.approx(total, rel=1e-12)


def test_events_cover_all_data_points():
    integral = fourier.fourier_types(setting_of(24, 4))
    assert sum(event.probability for event in fourier_errors.events(integral)) == pytest.approx(1, abs=1e-9)


def test_labelling_beyond_one_full_type():
    """At C = 12 a set of eleven like features exceeds 0.9 C as well."""
    setting = setting_of(24, 12, spurious_rate=0.9)
    found = errors(fourier.fourier_types(setting), setting, STATES[2])
    exact = errors(population.exact_types(setting), setting, STATES[2])
    assert abs(found.test_error - exact.test_error) <= found.uncertainty + 1e-10


@pytest.mark.parametrize("size", [(64, 4), (64, 8)])
def test_draws_agree_with_the_integral_beyond_enumeration(size):
    """Monte Carlo over set types, within five standard errors of independent batches."""
    setting = setting_of(*size, spurious_rate=0.15, linear_coefficient=1 / 4096, diagonal_logit=1.0)
    state = (0.05, 0.6, -0.1)
    integral = fourier.fourier_types(setting)
    generator = torch.Generator().manual_seed(7)
    batches = []
    for _ in range(20):
        table = population.sampled_types(setting, n_draws=2000, generator=generator)
        seen = errors(table, setting, state)
        batches.append([*gradients(table, setting, state), seen.test_error, seen.label_error])
    mean, error = np.mean(batches, axis=0), np.std(batches, axis=0, ddof=1) / 20**0.5
    own = errors(integral, setting, state)
    expected = np.array([*gradients(integral, setting, state), own.test_error, own.label_error])
    slack = np.array([0.0] * 5 + [own.uncertainty] * 2)
    assert (np.abs(mean - expected) < 5 * error + slack).all()
    assert (error[:2] < 0.1 * np.abs(mean[:2])).all()  # the comparison has power


def test_increments_sum_to_zero_at_any_size():
    setting = setting_of(128, 8, spurious_rate=0.1)
    _, _, diagonal, within, across = gradients(fourier.fourier_types(setting), setting, (0.02, 0.7, -0.2))
    assert abs(diagonal + 7 * within + 120 * across) < 1e-12
    assert abs(within) > 1e-5


def test_method_is_chosen_by_size():
    generator = torch.Generator()
    chosen = [expectation.expect(setting_of(*size), "exact", n_draws=1, generator=generator).method
              for size in ((16, 4), (28, 4), (32, 4), (64, 4))]  # fmt: skip
    assert chosen == ["enumeration", "enumeration", "fourier", "fourier"]


def test_outputs_beyond_reach_are_an_infinite_risk():
    setting = setting_of(64, 4)
    assert gradients(fourier.fourier_types(setting), setting, (3.0, 1.0, -1.0))[0] == math.inf


def test_ties_under_uniform_attention_are_errors():
    """F is a function of the total alone: P[error] = P[f* z <= 0], and z = 0 must not be decided by rounding."""
    setting = setting_of(24, 4, diagonal_logit=0.0, spurious_rate=1 / 3)
    table = population.exact_types(setting)
    totals = table.counts @ (table.multiplicity[:, 0] - table.multiplicity[:, 1])
    expected = table.weights[totals * table.labelling <= 0].sum()
    for method in (table, fourier.fourier_types(setting)):
        assert errors(method, setting, (0.07, 0.0, 0.0)).test_error == pytest.approx(expected, abs=1e-10)


# ----------------------------------------------------------------------------------------------------------- dynamics

ARGUMENTS = {
    "n_patches": 16, "set_size": 4, "spurious_rate": 0.25, "activation_power": 3, "linear_coefficient": 1 / 256,
    "diagonal_logit": 1.0, "learning_rate": 0.02, "n_steps": 300, "n_records": 10,
}  # fmt: skip


def simulate(**changes):
    done = reduced.simulate_reduced(**{**ARGUMENTS, **changes}, generator=torch.Generator().manual_seed(0))
    return observed(SPATIAL_VIT_REDUCED, done)


def test_dynamics_are_those_of_enumeration():
    for dynamics in ("gradient_descent", "flow"):
        ours, theirs = (simulate(expectation=name, dynamics=dynamics) for name in ("fourier", "enumeration"))
        for name in ("feature_alignment", "within_logit", "across_logit", "risk", "diagonal_descent"):
            np.testing.assert_allclose(ours.curves[name], theirs.curves[name], rtol=1e-5, atol=1e-8)
        assert (ours.observables["expectation_method"], theirs.observables["expectation_method"]) == (
            "fourier", "enumeration",
        )  # fmt: skip


def test_descent_at_a_size_beyond_enumeration_follows_the_flow_at_first_order():
    distances = []
    size = {"n_patches": 40, "spurious_rate": 0.1, "linear_coefficient": 1 / 1600}
    for rate in (0.01, 0.005):
        ends = [
            [run.observables[name] for name in ("feature_alignment", "within_logit", "across_logit")]
            for run in (
                simulate(**size, learning_rate=rate, n_steps=round(0.4 / rate), n_records=2, dynamics=dynamics)
                for dynamics in ("gradient_descent", "flow")
            )
        ]
        distances.append(np.abs(np.subtract(*ends)).max())
    assert distances[0] < 0.02
    assert 1.7 < distances[0] / distances[1] < 2.4


def test_the_saddle_of_uniform_attention_is_never_left():
    run = simulate(diagonal_logit=0.0, dynamics="flow", learning_rate=1e-3, n_steps=10**9)
    assert (run.observables["within_logit"], run.observables["across_logit"]) == (0.0, 0.0)
    assert run.observables["ending"] == "no_association"


# ------------------------------------------------------------------------------------------------- phases and endings


@pytest.mark.parametrize(
    ("changes", "ending"),
    [
        ({}, "structure_learned"),
        ({"learning_rate": 50.0}, "divergence"),
        ({"diagonal_logit": 0.0}, "no_association"),
        ({"spurious_rate": 0.9, "dynamics": "flow", "learning_rate": 1.0, "n_steps": 10**6}, "anti_association"),
        ({"diagonal_logit": -1.0, "dynamics": "flow", "learning_rate": 0.1, "n_steps": 10**6},
         "interpolation_without_structure"),
    ],
)  # fmt: skip
def test_endings_are_recognised_in_runs(changes, ending):
    run = simulate(**changes)
    assert run.observables["ending"] == ending
    assert (run.outcome is Outcome.DIVERGED) == (ending == "divergence")
    json.dumps(dict(run.observables), allow_nan=False)


@pytest.mark.parametrize(
    ("associated", "gap", "error", "diverged", "name"),
    [
        (True, 1.0, 0.1, True, "divergence"),
        (True, 1.0, 0.1, False, "structure_learned"),
        (True, 1.0, 0.3, False, "association_without_generalization"),
        (False, -1.0, 0.1, False, "interpolation_without_structure"),
        (False, -1.0, 0.3, False, "anti_association"),
        (False, 0.0, 0.3, False, "no_association"),
        (False, 1.0, 0.3, False, "no_association"),  # the held diagonal is not above rho
    ],
)
def test_names_of_endings(associated, gap, error, diverged, name):
    assert phases.name_ending(associated=associated, gap=gap, error=error, threshold=1 / 8, diverged=diverged) == name


@pytest.mark.parametrize("enumerated", [True, False])
def test_structure_threshold_lies_between_uniform_attention_and_the_least_error(enumerated):
    setting = setting_of(24, 4, spurious_rate=1 / 3)
    table = population.exact_types(setting) if enumerated else fourier.fourier_types(setting)
    rows = population.exact_types(setting)
    totals = rows.counts @ (rows.multiplicity[:, 0] - rows.multiplicity[:, 1])
    agreement, undecided = totals * rows.labelling, rows.labelling == 0
    floor = rows.weights[undecided].sum()
    uniform = floor + rows.weights[agreement < 0].sum() + rows.weights[(totals == 0) & ~undecided].sum() / 2
    assert expected_errors.structure_threshold(table, setting) == pytest.approx((uniform + floor) / 2, abs=1e-9)
    assert 0 < floor < uniform / 10


def made_up(alignment, within, across):
    setting = setting_of(16, 4)
    return phases.phase_observables(
        setting, np.arange(len(alignment), dtype=float), np.column_stack([alignment, within, across])
    )


def test_phases_of_a_made_up_trajectory():
    found = made_up([1, 3, 4, 3, 2, 2.5, 2.2], [0, 0, 0.1, 0.4, 0.6, 0.7, 0.8], [0, 0, -0.1, -0.3, -0.5, -0.4, -0.3])
    assert (found["half_rise_time"], found["peak_time"], found["peak_alignment"]) == (1, 2, 4)
    assert (found["overtake_time"], found["overtake_alignment"], found["largest_across_logit"]) == (4, 2, 0.5)
    assert found["later_rise"] == pytest.approx(math.log(2.5 / 2))
    assert found["smallest_alignment"] == 1
    assert found["softmax_change_at_half_rise"] == 0 < found["softmax_change_at_peak"] < 0.2


def test_a_rise_before_the_overtaking_is_not_counted():
    assert made_up([1, 2, 3, 2.5, 2], [0, 0, 0.1, 0.4, 0.6], [0, 0, -0.1, -0.2, -0.3])["later_rise"] == 0


def test_what_never_happens_has_no_time():
    found = made_up([1, 2, 3], [0, 0.1, 0.2], [0, -0.2, -0.4])
    assert found["overtake_time"] == -1
    assert "later_rise" not in found
    assert found["peak_time"] == 2  # alpha never falls: the end of the run


def test_phases_of_the_reference_run():
    """Alpha rises alone, gamma overtakes every |rho|, and alpha falls ever after."""
    found = simulate(dynamics="flow", learning_rate=1e-3, n_steps=10**9).observables
    assert found["softmax_change_at_peak"] < 0.01
    assert found["peak_time"] < found["overtake_time"] / 1000
    assert found["later_rise"] == 0
    assert found["feature_alignment"] < found["overtake_alignment"] < found["peak_alignment"]


# -------------------------------------------------------------------------------------------------------- single steps

STEPS = {
    "axis": "n_patches", "last": 64, "n_points": 4, "n_patches": 16, "set_size": 4, "spurious_patches": 4.0,
    "linear_power": 2.0, "activation_power": 3, "diagonal_logit": 1.0,
}  # fmt: skip


def measure(**changes):
    return steps.measure_steps(**{**STEPS, **changes}, generator=torch.Generator())


def test_steps_over_sizes_are_gradients_of_each_size():
    curves = measure().curves
    assert curves["n_patches"].tolist() == [16, 24, 40, 64]
    for index, size in enumerate((16, 24)):
        setting = setting_of(size, 4, spurious_rate=4 / size, linear_coefficient=size**-2.0, diagonal_logit=1.0)
        found = gradients(population.exact_types(setting), setting, (1 / size, 0.0, 0.0))
        seen = [curves[f"{name}_descent"][index] for name in NAMES[1:]]
        np.testing.assert_allclose(seen, -found[1:], rtol=1e-10)


def test_steps_over_alignments():
    curves = measure(axis="alignment_scale", last=10.0, expectation="fourier", within_logit=0.5).curves
    np.testing.assert_allclose(curves["feature_alignment"] * 16, np.geomspace(1, 10, 4))
    setting = setting_of(16, 4, spurious_rate=0.25, linear_coefficient=1 / 256, diagonal_logit=1.0)
    found = gradients(population.exact_types(setting), setting, (10 / 16, 0.5, 0.0))
    assert curves["within_descent"][-1] == pytest.approx(-found[3], rel=1e-9)


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        (
            "axis",
            "seed",
            "axis must be one of n_patches, alignment_scale, spurious_patches, learning_rate, got 'seed'",
        ),
        ("last", 8, "last must be above n_patches, got 8 and 16"),
        ("n_points", 2, "n_points must be >= 3, got 2"),
        ("linear_power", 0.0, "linear_power must be > 0, got 0.0"),
    ],
)
def test_bad_step_arguments_are_named(argument, value, message):
    with pytest.raises(ValueError, match=message):
        measure(**{argument: value})


def test_a_flipped_sign_is_caught_through_the_integral():
    """The tester is tested."""
    setting = setting_of(9, 3)
    integral = fourier.fourier_types(setting)
    wrong = replace(integral, circles=tuple(replace(circle, total=-circle.total) for circle in integral.circles))
    expected = gradients(population.exact_types(setting), setting, STATES[2])
    assert np.abs(gradients(wrong, setting, STATES[2]) - expected).max() > 1e-4
