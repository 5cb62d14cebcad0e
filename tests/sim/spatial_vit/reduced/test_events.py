"""Events followed far: the same flow as the reduced network's, right labels alone, and what is told of its course."""

import itertools

import numpy as np
import pytest
import torch

from sim.spatial_vit.network.labelling import disagreement
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import simulate_reduced
from sim.spatial_vit.reduced.events import follow_events, rightly_labelled
from sim.spatial_vit.reduced.phases import later_course
from sim.spatial_vit.reduced.population import exact_types
from sim.spatial_vit.reduced.wrong_labels import wrong_share
from sim.spatial_vit.systems import SPATIAL_VIT_EVENTS, SPATIAL_VIT_REDUCED
from sim.trials.readouts import observed

AT = {
    "n_patches": 8, "set_size": 2, "spurious_rate": 0.2, "activation_power": 3, "linear_coefficient": 1 / 64,
    "diagonal_logit": 1.0, "learning_rate": 1e-3, "n_steps": 10**7,
}  # fmt: skip


def setting(**changes) -> Setting:
    names = ("n_patches", "set_size", "spurious_rate", "activation_power", "linear_coefficient", "diagonal_logit")
    return Setting(**{**{name: AT[name] for name in names}, "temperature": 1.0, **changes})


def test_on_all_data_it_is_the_flow_of_the_reduced_network():
    ours = observed(SPATIAL_VIT_EVENTS, follow_events(**AT, n_records=20, generator=torch.Generator()))
    path = simulate_reduced(**AT, n_records=20, dynamics="flow", generator=torch.Generator())
    theirs = observed(SPATIAL_VIT_REDUCED, path)
    for name in ("feature_alignment", "within_logit", "across_logit", "risk"):
        np.testing.assert_allclose(ours.curves[name], theirs.curves[name], rtol=1e-12)
    assert ours.observables["overtake_time"] == theirs.observables["overtake_time"]


@pytest.mark.parametrize("size", [(8, 2), (12, 3), (16, 4), (10, 5)])
def test_the_share_of_wrong_labels_is_that_of_the_joint_law(size):
    at = setting(n_patches=size[0], set_size=size[1], spurious_rate=0.3)
    assert wrong_share(at) == pytest.approx(disagreement(at).label_floor, rel=1e-12)


def test_the_share_of_wrong_labels_by_listing_all_signs():
    """D = 6, C = 2: two random sets; both must pass, or one with the opposite sign for a tie."""
    q = 0.3
    by_sign = {0: 1 - q, 1: q / 2, -1: q / 2}
    wrong = 0.0
    for signs in itertools.product((0, 1, -1), repeat=4):
        passed = [s for s in (signs[0] + signs[1], signs[2] + signs[3]) if abs(s) > 1.8]
        wrong += np.prod([by_sign[s] for s in signs]) * (2 + sum(passed) <= 0)
    assert wrong_share(setting(n_patches=6, spurious_rate=q)) == pytest.approx(wrong)


def test_right_labels_keep_the_rows_with_f_star_positive_in_proportion():
    table = exact_types(setting())
    kept = rightly_labelled(table)
    right = table.labelling > 0
    assert kept.weights.sum() == pytest.approx(1.0)
    assert (kept.weights[~right] == 0).all()
    np.testing.assert_allclose(kept.weights[right] * (1 - wrong_share(setting())), table.weights[right], rtol=1e-12)


def test_alpha_rises_again_on_right_labels_and_not_on_all():
    runs = {
        labels: observed(
            SPATIAL_VIT_EVENTS, follow_events(**AT, labels=labels, generator=torch.Generator())
        ).observables
        for labels in ("all", "right")
    }
    assert runs["all"]["second_rise"] == 0
    assert runs["right"]["second_rise"] > 0.1


def test_the_course_of_a_made_up_run():
    """alpha rises, falls to 0.5 at time 3, rises to 1; gamma leads from time 1 and |rho| catches up at time 4."""
    alpha = [1.0, 2.0, 1.0, 0.5, 1.0]
    gamma = [0.0, 1.0, 2.0, 2.0, 1.0]
    rho = [0.0, -0.5, -1.0, -1.9, -2.1]
    found = later_course(np.arange(5.0), np.array([alpha, gamma, rho]).T)
    assert found["low_time"] == 3.0
    assert found["low_alignment"] == 0.5
    assert found["second_rise"] == pytest.approx(np.log(2))
    assert found["lead_time"] == 1.0
    assert found["lost_time"] == 4.0
    never = later_course(np.arange(5.0), np.array([alpha, rho, gamma]).T)
    assert never["lead_time"] == never["lost_time"] == -1.0


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="labels must be one of all, right, got 'some'"):
        follow_events(**AT, labels="some", generator=torch.Generator())
    with pytest.raises(ValueError, match="initial_scale"):
        follow_events(**AT, initial_scale=0.0, generator=torch.Generator())
