"""The games computed twice: by closed forms, by an identity of follow the leader, and by minimax over all signs."""

from __future__ import annotations

import itertools
import math
from types import ModuleType

import numpy as np
import pytest
import torch

from tests.examples.loading import simulators_of

RADIUS, LIPSCHITZ = 2.0, 3.0


@pytest.fixture(scope="module")
def regret() -> ModuleType:
    return simulators_of("regret")


def generator(seed: int = 1) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def played(regret: ModuleType, **changes: object):
    asked = {"dimension": 3, "radius": RADIUS, "lipschitz": LIPSCHITZ, **changes}
    return regret.play_linear(**asked, generator=generator())


def replayed(gradients: list[np.ndarray], learner: str) -> list[float]:
    """Regrets of a learner after each round against given gradients, written anew: sums over all rounds so far."""
    rounds, x, points, found = len(gradients), np.zeros(len(gradients[0])), [], []
    for t, g in enumerate(gradients, start=1):
        points.append(x)
        total = np.sum(gradients[:t], axis=0)
        loss = sum(float(np.dot(a, b)) for a, b in zip(gradients[:t], points, strict=True))
        found.append(loss - min(float(np.dot(total, -RADIUS * total / np.linalg.norm(total))), 0.0))
        if learner == "leader":
            x = -RADIUS * total / np.linalg.norm(total)
            continue
        step = {"root_steps": t**-0.5, "scaled_steps": 2 * RADIUS / LIPSCHITZ * t**-0.5}.get(
            learner, RADIUS / LIPSCHITZ * rounds**-0.5
        )
        x = x - step * g
        x = x / max(1.0, np.linalg.norm(x) / RADIUS)
    return found


@pytest.mark.parametrize("learner", ["root_steps", "scaled_steps", "fixed_step", "leader"])
def test_regret_of_random_losses_is_that_of_a_second_program(regret: ModuleType, learner: str) -> None:
    seen = played(regret, learner=learner, adversary="random", n_rounds=20).curves["regret"]
    draws = generator()
    gradients = []
    for _ in range(20):
        drawn = torch.randn(3, generator=draws, dtype=torch.float64).numpy()
        gradients.append(LIPSCHITZ * drawn / np.linalg.norm(drawn))
    assert seen == pytest.approx(replayed(gradients, learner), rel=1e-9)


@pytest.mark.parametrize("learner", ["root_steps", "scaled_steps", "fixed_step", "leader", "still"])
def test_the_adversary_is_orthogonal_to_the_point_and_to_the_past(regret: ModuleType, learner: str) -> None:
    curves = played(regret, learner=learner, adversary="orthogonal", n_rounds=30).curves
    assert curves["regret"] == pytest.approx([RADIUS * LIPSCHITZ * math.sqrt(t) for t in range(1, 31)], rel=1e-12)


def test_three_dimensions_are_needed_for_it(regret: ModuleType) -> None:
    vectors = [torch.tensor([1.0, 0.0], dtype=torch.float64), torch.tensor([1.0, 1.0], dtype=torch.float64)]
    with pytest.raises(ValueError, match="dimension must exceed the 2 directions to be orthogonal to, got 2"):
        regret.orthogonal_to(vectors, 2)
    found = regret.orthogonal_to([torch.nn.functional.pad(v, (0, 1)) for v in vectors], 3)
    assert found.tolist() == pytest.approx([0, 0, 1], abs=1e-12)


def minimax(n: int, total: float = 0.0) -> float:
    """What nature gains from here on over signs, by going through the game from its end: |sum| at the end."""
    if n == 0:
        return abs(total)
    return (minimax(n - 1, total + 1) + minimax(n - 1, total - 1)) / 2


@pytest.mark.parametrize("rounds", [1, 2, 5, 6])
def test_the_equaliser_has_the_value_of_the_game_on_every_sequence(regret: ModuleType, rounds: int) -> None:
    seen = regret.play_signs(learner="equaliser", n_rounds=rounds, generator=generator()).observables
    assert seen["greatest_regret"] == pytest.approx(minimax(rounds), rel=1e-12)
    assert seen["mean_regret"] == pytest.approx(minimax(rounds), rel=1e-12)


def test_no_learner_on_a_grid_of_moves_does_better(regret: ModuleType) -> None:
    moves = np.linspace(-1, 1, 21)
    best = min(  # two rounds: x_1, and x_2 after each sign
        max(s * x + r * {1: up, -1: down}[s] + abs(s + r) for s, r in itertools.product((1, -1), repeat=2))
        for x, up, down in itertools.product(moves, repeat=3)
    )
    seen = regret.play_signs(learner="equaliser", n_rounds=2, generator=generator()).observables
    assert seen["greatest_regret"] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("targets", ["alternating", "same", "random"])
def test_square_losses_cost_what_follow_the_leader_pays_round_by_round(regret: ModuleType, targets: str) -> None:
    asked = {"targets": targets, "n_rounds": 40, "curvature": 2.0}
    seen = regret.play_quadratic(**asked, generator=generator()).observables["regret"]
    draws, z = generator(), []
    for t in range(1, 41):
        drawn = torch.randn(2, generator=draws, dtype=torch.float64).numpy() if targets == "random" else None
        sign = (-1) ** t if targets == "alternating" else 1
        z.append(drawn / np.linalg.norm(drawn) if drawn is not None else np.array([sign, 0.0]))
    means = [np.zeros(2), *(np.mean(z[:t], axis=0) for t in range(1, 40))]
    paid = [
        2.0 / (2 * t) * float(np.sum((m - own) ** 2)) for t, (m, own) in enumerate(zip(means, z, strict=True), start=1)
    ]
    assert seen == pytest.approx(sum(paid), rel=1e-10)


def test_sums_of_signs_and_of_directions_have_their_moments(regret: ModuleType) -> None:
    for dimension in (1, 2):
        asked = {"n_rounds": 9, "dimension": dimension, "n_games": 20_000}
        regrets = np.array(regret.draw_sums(**asked, generator=generator()).curves["scaled_regret"])
        assert (regrets**2).mean() == pytest.approx(1.0, abs=0.05)  # E |sum|^2 = T on the line and in the plane
    signs = [abs(sum(each)) for each in itertools.product((-1, 1), repeat=9)]
    asked = {"n_rounds": 9, "dimension": 1, "n_games": 20_000}
    mean = regret.draw_sums(**asked, generator=generator()).observables["mean_regret"]
    assert mean == pytest.approx(np.mean(signs) / 3, rel=0.02)


def test_the_excess_of_the_median_is_that_of_its_function(regret: ModuleType) -> None:
    seen = regret.play_median(n_rounds=50, generator=generator()).observables["excess"]
    high = (torch.rand(50, generator=generator(), dtype=torch.float64) < 0.6).numpy()
    x, points = 0.0, []
    for t, up in enumerate(high, start=1):
        points.append(x)
        x = float(np.clip(x - np.sign(x - 2 if up else x + 2) * 2 / math.sqrt(t), -1, 1))
    at = np.mean(points)
    assert seen == pytest.approx(0.6 * abs(at - 1) + 0.4 * abs(at + 1) - 0.8, abs=1e-12)


@pytest.mark.parametrize(
    ("function", "changes", "message"),
    [
        ("play_linear", {"learner": "oracle", "adversary": "same", "n_rounds": 2, "dimension": 3}, "learner must be"),
        ("play_linear", {"learner": "still", "adversary": "kind", "n_rounds": 2, "dimension": 3}, "adversary must be"),
        ("play_quadratic", {"targets": "none", "n_rounds": 2}, "targets must be"),
        ("draw_sums", {"n_rounds": 2, "dimension": 3}, "dimension must be 1 or 2, got 3"),
    ],
)
def test_bad_words_are_refused(regret: ModuleType, function: str, changes: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        getattr(regret, function)(**changes, generator=generator())
