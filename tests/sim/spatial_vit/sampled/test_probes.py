"""Measurements without training: counts by loops, outputs at the start by finite differences."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch

from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import Dataset, sample
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.sampled import probes
from tests.sim.enumeration import data_points, labelled

DATA = {"n_patches": 12, "set_size": 3, "spurious_rate": 0.4, "patch_dimension": 7, "n_samples": 300}


def test_counts_are_those_of_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[tuple[Dataset, torch.Tensor]] = []

    def keeping(*arguments: Any, **options: Any) -> Dataset:
        drawn = sample(*arguments, **options)
        kept.append((drawn, arguments[1]))
        return drawn

    monkeypatch.setattr(probes, "sample", keeping)
    found = probes.measure_data(generator=torch.Generator().manual_seed(2), **DATA).observables
    drawn, sets = kept[0]
    plus = minus = agree = pairs = 0
    times = [0] * 4
    for row in range(300):
        signal = int(drawn.signal_set[row])
        times[signal] += 1
        random = [int(x) for j, x in enumerate(drawn.coefficients[row]) if int(sets[j]) != signal]
        plus += random.count(1)
        minus += random.count(-1)
        neighbours = [a * b for a, b in itertools.pairwise(random) if a * b]
        agree, pairs = agree + neighbours.count(1), pairs + len(neighbours)
    assert (found["n_plus"], found["n_minus"], found["n_random"]) == (plus, minus, 300 * 9)
    assert (found["n_agree"], found["n_pairs"]) == (agree, pairs)
    assert (found["most_frequent_set"], found["least_frequent_set"]) == (max(times), min(times))
    total = float(drawn.patches.square().sum())
    energy = 7 * (total - float(drawn.coefficients.square().sum()))
    assert found["noise_energy"] == pytest.approx(energy, rel=1e-10)
    assert found["noise_freedom"] == 300 * 12 * 6
    assert float(found["structure_deviation"]) < 1e-13


@pytest.mark.parametrize(
    "spoil",
    [
        lambda drawn: drawn.patches.mul_(1.01),
        lambda drawn: drawn.labels.neg_(),
        lambda drawn: drawn.patches.add_(1e-6),
    ],
)
def test_data_that_break_the_structure_are_noticed(monkeypatch: pytest.MonkeyPatch, spoil: Any) -> None:
    def spoilt(*arguments: Any, **options: Any) -> Dataset:
        drawn = sample(*arguments, **options)
        spoil(drawn)
        return drawn

    monkeypatch.setattr(probes, "sample", spoilt)
    found = probes.measure_data(generator=torch.Generator().manual_seed(2), **DATA).observables
    assert float(found["structure_deviation"]) > 1e-8


def test_the_labelling_error_along_sizes_is_that_of_enumeration() -> None:
    found = probes.measure_labelling(growth="log", first_doubling=2, last_doubling=3, generator=torch.Generator())
    assert found.curves["n_patches"].tolist() == [8, 24]
    assert found.curves["set_sizes"].tolist() == [2, 3]
    naive = sum(probability for sums, probability in data_points(8, 2, 2 / 8) if labelled(sums, 2) <= 0)
    assert found.curves["error"][0] == pytest.approx(naive, rel=1e-12)


@pytest.mark.parametrize(("growth", "sizes"), [("fixed", [5, 5, 5]), ("log", [3, 4, 5]), ("log_squared", [2, 4, 6])])
def test_sets_grow_by_their_rule(growth: str, sizes: list[int]) -> None:
    found = probes.measure_labelling(
        growth=growth, set_size=5, first_doubling=3, last_doubling=5, generator=torch.Generator()
    )
    assert found.curves["set_sizes"].tolist() == sizes
    assert found.curves["n_patches"].tolist() == [size * 2**k for size, k in zip(sizes, (3, 4, 5), strict=True)]


def start(beta: float) -> dict[str, float]:
    found = probes.measure_start(
        n_patches=6, set_size=3, activation_power=3, linear_coefficient=0.1, diagonal_logit=beta,
        generator=torch.Generator().manual_seed(1),
    )  # fmt: skip
    return {name: float(value) for name, value in found.observables.items()}


def test_the_outputs_of_two_data_points_of_one_sum_are_those_of_naive_sums() -> None:
    diagonal, rest = np.exp(1.0) / (np.exp(1.0) + 5), 1 / (np.exp(1.0) + 5)
    for name, x in (("lone_output", [1, 0, 0, 0, 0, 0]), ("spread_output", [1, 1, -1, 0, 0, 0])):
        total = 0.0
        for i in range(6):
            u = 6 * sum((diagonal if i == j else rest) * x[j] for j in range(6))
            total += u**3 + 0.1 * u
        assert start(1.0)[name] == pytest.approx(total, rel=1e-12)


def test_with_activation_only_equal_rows_make_a_generalized_linear_model() -> None:
    tilted, even = start(1.0), start(0.0)
    assert min(tilted["sum_deviation"], tilted["gradient_turn"]) > 0.01
    assert abs(tilted["lone_output"] - tilted["spread_output"]) > 1
    assert max(even["sum_deviation"], even["gradient_turn"]) < 1e-12
    for found in (tilted, even):
        assert max(found["linear_sum_deviation"], found["linear_gradient_turn"]) < 1e-12


def test_the_turn_of_gradients_is_that_of_finite_differences() -> None:
    setting = Setting(
        n_patches=6, set_size=3, spurious_rate=0.0, activation_power=3, linear_coefficient=0.1, diagonal_logit=1.0,
        temperature=1.0,
    )  # fmt: skip
    generator = torch.Generator().manual_seed(1)
    points = torch.randn(20, 6, generator=generator, dtype=torch.float64)
    steps = 1e-5 * torch.eye(6, dtype=torch.float64)
    logits = torch.eye(6, dtype=torch.float64)
    rows = [
        (model.output(points + step, logits, setting) - model.output(points - step, logits, setting)) / 2e-5
        for step in steps
    ]
    unit = torch.stack(rows, dim=1)
    unit = unit / unit.norm(dim=1, keepdim=True)
    sine = float((1 - (unit @ unit[0]).square()).clamp(min=0).sqrt().max())
    assert start(1.0)["gradient_turn"] == pytest.approx(sine, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: probes.measure_data(**{**DATA, "n_samples": 0}, generator=g), "n_samples must be >= 1"),
        (
            lambda g: probes.measure_labelling(growth="odd", first_doubling=2, last_doubling=4, generator=g),
            "growth must be one of fixed, log, log_squared",
        ),
        (
            lambda g: probes.measure_labelling(growth="log", first_doubling=4, last_doubling=4, generator=g),
            "last_doubling must be >= 5",
        ),
    ],
)
def test_bad_arguments_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(torch.Generator())


def test_data_can_be_drawn_at_another_rate_than_the_one_named() -> None:
    def featured(**changes: float) -> float:
        seen = probes.measure_data(generator=torch.Generator().manual_seed(2), **{**DATA, **changes}).observables
        return (int(seen["n_plus"]) + int(seen["n_minus"])) / int(seen["n_random"])

    assert featured() == featured(drawn_rate=0.4) == featured(spurious_rate=0.1, drawn_rate=0.4)
    assert featured(drawn_rate=0.8) == pytest.approx(0.8, abs=0.03)
