"""Criteria of the rows on exact dynamics: each accepts what it is about and refuses what differs in that alone."""

import numpy as np
import pytest
import sympy as sp

from checks.evidence.open_parts import Course
from checks.evidence.regime import is_met_eventually, standing
from checks.spatial_vit import encodings, phase_words, phases, regimes, steps
from checks.spatial_vit.setting import logarithmic, logarithmic_path, setting, symbols
from checks.statistics.verdict import Verdict
from sim.spatial_vit.systems import SPATIAL_VIT_ENCODINGS, SPATIAL_VIT_REDUCED, SPATIAL_VIT_STEPS
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.claim import Met, Path
from theory.spatial_vit import notation
from theory.spatial_vit.assumptions import MODEL, PARAMETRIZATION
from theory.spatial_vit.dynamics import GAMMA_STEP


def trial(observables=None, curves=None, *, system=SPATIAL_VIT_REDUCED, **parameters):
    result = TrialResult(Outcome.CONVERGED, observables or {}, {k: np.array(v) for k, v in (curves or {}).items()})
    return Trial(TrialSpec(system, parameters), result, 1.0)


LATE = {
    "flow_time": [0.0, 10.0, 1e3, 1e4, 1e5],
    "associated": [0, 0, 1, 1, 1],
    "test_error": [0.5, 0.3, 0.1, 0.1, 0.05],
}


FLOOR = {"least_error": 0.05}


def test_what_is_reached_must_hold_at_every_later_record():
    """Half way from 0.3, the first record, to 0.05 is 0.175: reached at the third record."""
    assert regimes.reached_at(trial(FLOOR, LATE)) == 2
    assert regimes.from_then_on(trial(FLOOR, LATE))
    for name, place, value in (("associated", 3, 0), ("associated", 4, 0), ("test_error", 3, 0.18)):
        changed = {**LATE, name: [value if k == place else old for k, old in enumerate(LATE[name])]}
        assert not regimes.from_then_on(trial(FLOOR, changed))
    early = {name: values[:2] for name, values in LATE.items()}
    assert not regimes.from_then_on(trial(FLOOR, early))


def test_an_error_is_held_against_the_untrained_networks_and_the_floor():
    for error, expected in ((0.17, True), (0.18, False), (0.3, False)):
        assert regimes.half_way(trial({**FLOOR, "test_error": error}, LATE)) is expected


def test_events_two_and_three_are_told_from_their_times():
    assert phase_words.stays_ahead(trial({"lead_time": 3.0, "lost_time": -1.0}))
    assert not phase_words.stays_ahead(trial({"lead_time": 3.0, "lost_time": 9.0}))
    assert not phase_words.stays_ahead(trial({"lead_time": -1.0, "lost_time": -1.0}))
    assert phase_words.rises(trial({"second_rise": 0.02}))
    assert not phase_words.rises(trial({"second_rise": 0.005}))


def test_the_time_of_loss_is_set_against_the_share_of_wrong_labels():
    """Times 1, 100, 10^4 at shares 0.1, 0.01, 0.001 follow the power -2."""
    runs = [
        trial({"lost_time": 10.0 ** (3 + 2 * k), "wrong_share": 10.0 ** -(1 + k)}, n_patches=8, set_size=2,
              spurious_rate=0.1 * k, learning_rate=1e-3)
        for k in range(3)
    ]  # fmt: skip
    assert (
        "as P[y f* <= 0]^-2.00 before any choice of labels, correlation of the logarithms -1.00"
        in phase_words.lead_words(runs)
    )
    assert phase_words.lead_words([trial({"lost_time": -1.0})]) == ""


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


def test_a_comparison_without_a_control_gives_figures_and_no_verdict():
    (part,) = [one for one in encodings.B_DIAGONAL_WLOG.parts if one.name.startswith("test errors")]
    assert isinstance(part, Course)
    seen = {
        "log_error_ratio": 0.7,
        "largest_alignment_ratio": 0.1,
        "free_diagonal_logit": 1.0,
        "free_within_logit": 0.5,
    }
    (row,) = part.judge(encodings.B_DIAGONAL_WLOG.claim, [trial(seen)])
    assert row.verdict is Verdict.NO_CLAIM
    assert "over the error with a fixed one 2.01" in row.judgement.reason


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


def test_d_is_the_number_of_patches_where_nothing_has_a_dimension():
    assert symbols({"n_patches": 16})[notation.d] == 16
    assert symbols({"n_patches": 16})[notation.sigma] == sp.Rational(1, 4)
    assert symbols({"n_patches": 16, "patch_dimension": 9})[notation.d] == 9


@pytest.mark.parametrize(("power", "met"), [(3, Met.MET), (7, Met.MET), (4, Met.NOT_MET), (1, Met.NOT_MET)])
def test_the_activations_power_is_evaluated(power, met):
    assert MODEL[0].evaluate({notation.p: sp.Integer(power)}) is met


def test_on_the_path_the_appliers_exponents_leave_nothing_open():
    """The data's polynomials are met from some size on; those of eta and T are the theorem's and stay open."""
    points = [
        symbols(setting(logarithmic(*size), linear_coefficient=size[0] ** -2)) for size in ((8, 2), (18, 3), (28, 4))
    ]
    found = standing(PARAMETRIZATION, points, path=logarithmic_path(2))
    assert not found.not_met
    assert set(found.undetermined) - found.eventually == {
        "eta < 1/poly(d)",
        "T >= poly(d)/eta",
        "sigma_A = polyloglog(d)",
    }


def test_a_nu_that_is_constant_or_beyond_every_power_is_not_one_over_a_polynomial():
    (nu,) = [one for one in MODEL if one.name == "nu = 1/poly(d)"]
    for moved, expected in ((notation.D**-2, True), (1 / notation.D, True), (sp.Rational(1, 2), False)):
        path = Path("", notation.D, "infinity", {notation.d: notation.D, notation.nu: moved})
        assert is_met_eventually(nu, path) is expected
