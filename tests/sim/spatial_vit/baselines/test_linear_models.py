"""Generalized linear models: exact errors against enumeration, optimised weights against a complete search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sim.spatial_vit.baselines import linear_fit, linear_models
from sim.spatial_vit.network.data import contiguous_sets, labelling_function
from sim.spatial_vit.network.lattice import joint_law
from sim.spatial_vit.network.setting import data_setting
from tests.sim.enumeration import data_points, labelled

SMALL = {"n_patches": 8, "set_size": 2, "spurious_rate": 0.3}


def attack(name: str, seed: int = 0, **changes: object) -> dict[str, float]:
    generator = torch.Generator().manual_seed(seed)
    return dict(linear_models.attack_labelling(attack=name, generator=generator, **{**SMALL, **changes}).observables)


def test_errors_of_the_sum_are_those_of_enumeration() -> None:
    wrong = zero = 0.0
    by_total: dict[int, dict[int, float]] = {}
    for sums, probability in data_points(8, 2, 0.3):
        total, value = sum(sums), labelled(sums, 2)
        wrong += probability * (total * value <= 0)
        zero += probability * (value == 0)
        for mirrored in (1, -1):  # both labels
            signs = by_total.setdefault(mirrored * total, {1: 0.0, 0: 0.0, -1: 0.0})
            signs[mirrored * int(np.sign(value))] += probability / 2
    best = sum(signs[0] + min(signs[1], signs[-1]) for signs in by_total.values())
    assert attack("sum") == pytest.approx({"error": wrong, "floor": zero}, rel=1e-12)
    assert attack("function_of_sum") == pytest.approx({"error": best, "floor": zero}, rel=1e-12)


def test_a_mirrored_law_has_the_mirrored_label() -> None:
    """The planted falsehood: without the second label, a table of one class errs nowhere."""
    joint = joint_law(n_patches=8, set_size=2, spurious_rate=0.3)
    one_class = np.minimum(joint[:, :8].sum(axis=1), joint[:, 9:].sum(axis=1)).sum() + joint[:, 8].sum()
    assert linear_models.function_of_sum_error(joint) > one_class + 0.01


def every_data_point(n_patches: int) -> Iterator[tuple[np.ndarray, int, int]]:
    """Signs, sign of f* and number of non-zero random signs of all data points of label 1 with sets of two."""
    for place in range(0, n_patches, 2):
        for random in itertools.product((-1, 0, 1), repeat=n_patches - 2):
            signs = (*random[:place], 1, 1, *random[place:])
            value = labelled([sum(signs[i : i + 2]) for i in range(0, n_patches, 2)], 2)
            yield np.array(signs), int(np.sign(value)), sum(map(abs, random))


def test_free_weights_find_the_best_of_all_small_integer_weights() -> None:
    rows, chances = [], []
    for signs, label, featured in every_data_point(6):
        rows.append(label * signs)
        chances.append(0.2**featured * 0.6 ** (4 - featured) / 3)
    weights = np.array(list(itertools.product(range(1, 6), repeat=6)))
    brute = float(((np.array(rows) @ weights.T <= 0) * np.array(chances)[:, None]).sum(axis=0).min())
    size = {"n_patches": 6, "set_size": 2, "spurious_rate": 0.4}
    assert attack("free_weights", n_starts=10, **size)["error"] == pytest.approx(brute, rel=1e-12)
    assert brute < attack("sum", **size)["error"] - 0.01


def test_a_step_of_the_descent_is_the_best_along_its_coordinate() -> None:
    generator = np.random.default_rng(0)
    signed = generator.integers(-1, 2, (40, 3)).astype(float)
    probability = generator.dirichlet(np.ones(40))
    start = np.array([0.7, 0.2, -0.4])
    found = linear_models.descend_error(signed[:, :1], probability, start[:1], n_sweeps=1)
    tried = [probability[signed[:, 0] * a <= 0].sum() for a in (-1.0, 0.0, 1.0)]
    assert found == pytest.approx(min(tried))
    assert linear_models.descend_error(signed, probability, start, n_sweeps=5) <= probability[signed @ start <= 0].sum()


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=12, max_size=12))
def test_digits_are_read_back(pattern: list[int]) -> None:
    setting = data_setting(n_patches=12, set_size=3, spurious_rate=0.5)
    sets = contiguous_sets(setting)
    total = sum(3**j * x for j, x in enumerate(pattern))
    expected = float(labelling_function(torch.tensor([pattern], dtype=torch.float64), sets))
    assert linear_models._labelled(total, setting, sets) == expected


@pytest.mark.parametrize(("base", "tells"), [(3, True), (2, False)])
def test_powers_of_three_tell_labels_apart_and_powers_of_two_do_not(base: int, tells: bool) -> None:
    labels: dict[int, set[int]] = {}
    for signs, label, _ in every_data_point(6):
        code = sum(base**j * int(x) for j, x in enumerate(signs))
        labels.setdefault(code, set()).add(label)
        labels.setdefault(-code, set()).add(-label)
    assert all(len(found) == 1 for found in labels.values()) is tells


@pytest.mark.parametrize("n_patches", [16, 64])
def test_digits_err_only_where_the_labelling_function_is_zero(n_patches: int) -> None:
    size = {"n_patches": n_patches, "set_size": 2, "spurious_rate": 0.5}
    found = attack("digits", n_test=400, **size)
    assert 0 < found["n_wrong"] < 400
    share = found["n_wrong"] / 400
    assert abs(share - found["floor"]) < 4 * (found["floor"] / 400) ** 0.5


def test_a_table_learns_the_label_without_being_told_the_weights_meaning() -> None:
    few, many = (attack("digits_table", n_samples=n, n_test=1000)["n_wrong"] for n in (50, 20_000))
    assert many < few / 2


def test_logistic_weights_are_a_stationary_point_of_the_penalised_risk() -> None:
    generator = torch.Generator().manual_seed(3)
    features = torch.randn(200, 5, generator=generator, dtype=torch.float64)
    labels = torch.sign(features[:, 0] + torch.randn(200, generator=generator, dtype=torch.float64))
    weights = torch.tensor(linear_fit.fit_logistic(features.numpy(), labels.numpy()), requires_grad=True)
    risk = torch.nn.functional.softplus(-labels * (features @ weights)).mean()
    (gradient,) = torch.autograd.grad(risk + linear_fit.RIDGE / 2 * weights @ weights, weights)
    assert float(gradient.abs().max()) < 1e-10


def test_fitted_steps_follow_what_is_not_monotone() -> None:
    values = np.linspace(-3, 3, 3001)
    labels = np.sign(np.cos(2 * values))
    fitted = linear_fit.fit_steps(values, labels)(values)
    assert (fitted == labels).mean() > 0.95
    assert (np.sign(values) == labels).mean() < 0.6


def test_fitted_models_on_patches_err_like_the_sum() -> None:
    size = {"n_patches": 16, "set_size": 4, "spurious_rate": 0.5}
    exact = attack("function_of_sum", **size)["error"]
    for name in ("logistic", "logistic_step"):
        found = attack(name, patch_dimension=2, n_samples=4000, n_test=4000, **size)
        assert 0.7 * exact < found["n_wrong"] / found["n_test"] < 1.6 * exact


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attack": "magic"}, "attack must be one of"),
        ({"n_test": 0}, "n_test must be >= 1"),
        ({"attack": "free_weights", "n_patches": 24}, "n_patches must leave at most 400000 data points"),
        ({"set_size": 3}, "set_size must divide n_patches"),
    ],
)
def test_bad_arguments_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        attack(**{"name": str(changes.pop("attack", "sum")), **changes})
