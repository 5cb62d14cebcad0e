"""Criteria of the rows on exact dynamics: each accepts what it is about and refuses what differs in that alone."""

import numpy as np
import pytest

from checks.spatial_vit import encodings, phases, regimes, steps
from checks.systems import SPATIAL_VIT_ENCODINGS, SPATIAL_VIT_REDUCED, SPATIAL_VIT_STEPS
from sim.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.spatial_vit.dynamics import GAMMA_STEP


def trial(observables=None, curves=None, *, system=SPATIAL_VIT_REDUCED, **parameters):
    result = TrialResult(Outcome.CONVERGED, observables or {}, {k: np.array(v) for k, v in (curves or {}).items()})
    return Trial(TrialSpec(system, parameters), result, 1.0)


LATE = {
    "flow_time": [0.0, 10.0, 1e3, 1e4, 1e5],
    "associated": [0, 0, 1, 1, 1],
    "test_error": [0.5, 0.3, 0.1, 0.1, 0.05],
}


def test_a_claim_for_every_late_time_looks_at_all_of_them_and_at_no_earlier():
    assert regimes.from_then_on(trial(curves=LATE))
    for name, place, value in (("associated", 3, 0), ("associated", 2, 0), ("test_error", 3, 0.125)):
        changed = {**LATE, name: [value if k == place else old for k, old in enumerate(LATE[name])]}
        assert not regimes.from_then_on(trial(curves=changed))


GRAM = {
    "diagonal_smallest": 0.6, "diagonal_largest": 1.9, "across_typical": 0.2, "across_smallest": 0.1,
    "across_largest": 0.9,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "part", "value"),
    [
        ("diagonal_smallest", "every diagonal entry", 0.24),
        ("diagonal_largest", "every diagonal entry", 4.1),
        ("across_smallest", "every off-diagonal entry", 0.00024),
        ("across_largest", "every off-diagonal entry", 260.0),
    ],
)
def test_theta_has_generous_constants_on_either_side(name, part, value):
    (shows,) = [one.shows for one in encodings.B_GRAM_INIT.parts if one.name == part]
    at = {"n_patches": 16, "diagonal_logit": 1.0, "system": SPATIAL_VIT_ENCODINGS}
    assert shows(trial(GRAM, **at))
    assert not shows(trial({**GRAM, name: value}, **at))


def test_definition_2_2_needs_association_and_encodings():
    shows = encodings.EXACT_ASSOCIATION.shows
    assert shows(trial({"associated": True, "smallest_eigenvalue": 0.0}))
    assert not shows(trial({"associated": False, "smallest_eigenvalue": 0.5}))
    assert not shows(trial({"associated": True, "smallest_eigenvalue": -1e-3}))


def test_errors_with_a_free_diagonal_may_differ_by_a_factor_two():
    (shows,) = [one.shows for one in encodings.B_DIAGONAL_WLOG.parts if one.name.startswith("test errors")]
    assert shows(trial({"log_error_ratio": 0.69}))
    assert not shows(trial({"log_error_ratio": 0.70}))
    assert not shows(trial({"log_error_ratio": -0.70}))


def test_the_hidden_factor_divides_by_the_formula_of_the_claim():
    """K = increment / (alpha^p Gamma G^(p-1)), with G = D (Lambda + (C-1) Gamma), worked out by hand."""
    curves = {
        "feature_alignment": [0.5], "softmax_diagonal": [0.2], "softmax_within": [0.1], "own_set_weight": [6.0],
        "within_descent": [0.9],
    }  # fmt: skip
    one = trial(curves=curves, system=SPATIAL_VIT_STEPS, activation_power=3, set_size=3, n_patches=15)
    assert steps.hidden_factor(one)[0] == pytest.approx(0.9 / (0.5**3 * 0.1 * (15 * (0.2 + 2 * 0.1)) ** 2))
    assert steps._claimed(one, GAMMA_STEP, rate=0.1)[0] == pytest.approx(0.1 * 0.5**3 * 0.1 * 36)


def test_the_picture_of_the_phases_marks_only_times_that_came():
    curves = {name: [1.0, 2.0] for name in
              ("flow_time", "feature_alignment", "within_logit", "across_logit", "test_error")}  # fmt: skip
    seen = {"half_rise_time": 40.0, "overtake_time": -1.0, "least_error": 0.01}
    panels = phases.phase_pictures(trial(seen, curves, learning_rate=0.5))
    assert [panel.marks for panel in panels] == [{"$T_0$": 20.0}] * 3
    assert panels[2].level == ("least possible", 0.01)
