"""Simulators of descents against closed forms and naive loops, and what all simulators of known truths refuse."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import torch

from sim.classical import systems as declared
from sim.classical.online import simulate_online
from sim.classical.optimisation import simulate_convex_descent, simulate_descent, simulate_noisy_descent
from sim.trials.trial import Outcome, System
from sim.trials.validation import InvalidParameter


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_descent_follows_the_closed_form() -> None:
    found = simulate_descent(n_modes=50, decay=2.0, learning_rate=0.5, n_steps=300, generator=seeded())
    eigenvalues = np.arange(1, 51) ** -2.0
    steps = found.curves["step"]
    expected = [(eigenvalues * (1 - 0.5 * eigenvalues) ** (2 * step)).sum() / 2 for step in steps]
    assert steps[0] == 1
    assert steps[-1] == 300
    np.testing.assert_allclose(found.curves["loss"], expected, rtol=1e-10)


def test_convex_descent_follows_the_closed_form_from_its_random_start() -> None:
    found = simulate_convex_descent(dimension=4, condition=8.0, learning_rate=0.9, n_steps=50, generator=seeded())
    start = torch.randn(4, generator=seeded(), dtype=torch.float64).numpy()
    eigenvalues = np.linspace(1 / 8, 1, 4)
    expected = [
        (eigenvalues * start**2 * (1 - 0.9 * eigenvalues) ** (2 * step)).sum() / 2 for step in found.curves["step"]
    ]
    np.testing.assert_allclose(found.curves["loss"], expected, rtol=1e-10)


def test_a_step_that_is_too_large_diverges() -> None:
    found = simulate_convex_descent(dimension=4, condition=8.0, learning_rate=2.5, n_steps=50, generator=seeded())
    assert found.outcome is Outcome.DIVERGED


def test_noisy_descent_reads_what_a_naive_loop_reads() -> None:
    again, x, squares = seeded(), np.zeros(3), []
    for gap in range(12):  # of two steps each; ten are left out, two read
        for noise in torch.randn(2, 3, generator=again, dtype=torch.float64).numpy():
            x = 0.5 * x - 0.5 * noise
        squares += [x**2] if gap >= 10 else []
    found = simulate_noisy_descent(learning_rate=0.5, n_times=2, n_chains=3, generator=seeded())
    assert found.observables["mean_square"] == pytest.approx(np.mean(squares))


@pytest.mark.parametrize("method", ["adam", "amsgrad"])
def test_online_methods_follow_their_recursion_written_with_arrays(method: str) -> None:
    n, steepness, rate = 60, 3.0, 0.4
    gradients = np.where(np.arange(n) % 3 == 0, steepness, -1.0)
    weights = 0.1 ** np.arange(n)  # beta_2 = 1 / (1 + C^2)
    moments = np.array([0.9 * (weights[: t + 1][::-1] * gradients[: t + 1] ** 2).sum() for t in range(n)])
    divisors = np.sqrt(np.maximum.accumulate(moments) if method == "amsgrad" else moments)
    points = [1.0]
    for t in range(n):
        points.append(float(np.clip(points[-1] - rate / np.sqrt(t + 1) * gradients[t] / divisors[t], -1, 1)))
    regret = np.cumsum(gradients * (np.array(points[:-1]) + 1))
    found = simulate_online(method=method, steepness=steepness, rate=rate, n_steps=n, generator=seeded())
    np.testing.assert_allclose(found.curves["regret"], regret[found.curves["step"].astype(int) - 1], rtol=1e-10)
    assert found.observables["last_point"] == pytest.approx(points[-1])


def test_adam_goes_to_the_worst_point_and_amsgrad_to_the_best() -> None:
    ends = {
        method: simulate_online(method=method, steepness=3.0, rate=0.5, n_steps=9000, generator=seeded())
        for method in ("adam", "amsgrad")
    }
    assert ends["adam"].observables["last_point"] == 1.0
    assert ends["amsgrad"].observables["last_point"] < -0.98


ARGUMENTS: dict[str, dict[str, Any]] = {
    "least_squares": {"n_samples": 6, "dimension": 2, "n_draws": 2},
    "ridge": {"n_samples": 6, "dimension": 2, "penalty": 1.0, "n_draws": 2},
    "gaussian_maximum": {"n_variables": 3, "n_draws": 2},
    "coupons": {"n_coupons": 3, "n_draws": 2},
    "birthdays": {"n_days": 9, "n_people": 3},
    "random_graph": {"n_vertices": 4, "n_edges": 3},
    "quicksort": {"n_items": 5, "n_draws": 2},
    "subsequence": {"n_items": 5, "n_draws": 2},
    "exit": {"below": 2, "above": 3, "n_draws": 2},
    "singular_values": {"n_rows": 3, "n_columns": 2, "n_draws": 2},
    "percolation": {"width": 4, "n_draws": 2},
    "descent": {"n_modes": 5, "decay": 2.0, "learning_rate": 0.5, "n_steps": 9},
    "convex_descent": {"dimension": 3, "condition": 4.0, "learning_rate": 0.5, "n_steps": 9},
    "noisy_descent": {"learning_rate": 0.5, "n_times": 2, "n_chains": 2},
    "online": {"method": "adam", "steepness": 3.0, "rate": 0.5, "n_steps": 9},
}
SYSTEMS = {system.name: system for system in vars(declared).values() if isinstance(system, System)}


def simulator(name: str) -> Any:
    module, function = SYSTEMS[name].function.split(":")
    return getattr(importlib.import_module(module), function)


def test_every_simulator_is_tried() -> None:
    assert ARGUMENTS.keys() == SYSTEMS.keys()


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_seed_decides_the_result(name: str) -> None:
    first, second = (simulator(name)(**ARGUMENTS[name], generator=seeded(3)) for _ in range(2))
    assert first.observables == second.observables
    assert all(np.array_equal(first.curves[curve], second.curves[curve]) for curve in first.curves)


@pytest.mark.parametrize(
    ("name", "argument"),
    [(name, argument) for name, arguments in ARGUMENTS.items() for argument in arguments],
)
def test_bad_input_is_refused_by_name(name: str, argument: str) -> None:
    with pytest.raises(InvalidParameter, match=f"^{argument} must "):
        simulator(name)(**{**ARGUMENTS[name], argument: -1}, generator=seeded())


@pytest.mark.parametrize(
    ("name", "changes", "argument"),
    [
        ("ridge", {"dimension": 9}, "n_samples"),
        ("least_squares", {"signal": -1.0}, "signal"),
        ("random_graph", {"n_edges": 7}, "n_edges"),
        ("percolation", {"open_rate": 0.0}, "open_rate"),
        ("noisy_descent", {"learning_rate": 2.0}, "learning_rate"),
        ("online", {"steepness": 2.0}, "steepness"),
        ("online", {"start": 2.0}, "start"),
    ],
)
def test_bad_combinations_are_refused_by_name(name: str, changes: dict[str, Any], argument: str) -> None:
    with pytest.raises(InvalidParameter, match=f"^{argument} must "):
        simulator(name)(**{**ARGUMENTS[name], **changes}, generator=seeded())
