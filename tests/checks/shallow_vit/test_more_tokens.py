"""The algebra by which (11) has no constants as |S| grows, against trainings: A.iterations says it in prose."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import torch

from sim.shallow_vit.gradients import hinge_gradient
from sim.shallow_vit.model import Weights, initialize, predict

N, M, ETA = 8, 4, 0.8
COUNTS = {16: (8, 2, 3, 3), 32: (16, 4, 6, 6), 64: (32, 8, 12, 12), 128: (64, 16, 24, 24)}
"""Tokens of each pattern, at |S| tokens: alpha_* = 1/2, alpha_# = 1/8."""


def setting(
    length: int, output_layer: str, seed: int, n_neurons: int = 32, neuron_scale: float = 0.2
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, Weights]:
    """Patterns of tokens [n, L], the tokens, labels in turn, and weights at the start."""
    generator = torch.Generator().manual_seed(seed)
    relevant, confusion, *rest = COUNTS[length]
    labels = torch.tensor([1.0, -1.0] * (N // 2), dtype=torch.float64)
    rows = []
    for label in labels:
        counts = (relevant, confusion, *rest) if label > 0 else (confusion, relevant, *rest)
        row = torch.repeat_interleave(torch.arange(M), torch.tensor(counts))
        rows.append(row[torch.randperm(length, generator=generator)])
    weights = initialize(
        dimension=6, n_neurons=n_neurons, n_tokens=length, value_error=0.1, key_query_error=0.2,
        neuron_scale=neuron_scale,
        output_layer=output_layer, initialization="contraction", generator=generator,
    )  # fmt: skip
    patterns = torch.stack(rows)
    return patterns, torch.eye(6, dtype=torch.float64)[patterns], labels, weights


def mean_signs(patterns: torch.Tensor, output: torch.Tensor) -> float:
    """A: over patterns, the length of the sum of a_(l) over their tokens, over |S|; the largest of all samples."""
    length = patterns.shape[1]
    each = output if output.ndim == 2 else output.expand(length, -1)
    sums = [[float(each[row == pattern].sum(0).norm()) / length for pattern in range(M)] for row in patterns]
    return max(map(sum, sums))


def size(weights: Weights) -> tuple[float, float]:
    return float(torch.linalg.matrix_norm(weights.hidden, 2)), float(torch.linalg.matrix_norm(weights.value, 2))


@pytest.mark.parametrize("output_layer", ["per token", "shared"])
@pytest.mark.parametrize("length", [16, 64])
def test_no_step_and_no_margin_is_larger_than_the_mean_of_signs_allows(length: int, output_layer: str) -> None:
    patterns, tokens, labels, weights = setting(length, output_layer, seed=1)
    bound = mean_signs(patterns, weights.output)
    start, seen = sum(size(weights)), [weights]
    for _ in range(60):
        found = hinge_gradient(tokens, labels, weights)
        if found.gradient is None:
            break
        hidden, value = size(weights)
        assert float(torch.linalg.matrix_norm(found.gradient.hidden, 2)) <= bound * value * (1 + 1e-9)
        assert float(torch.linalg.matrix_norm(found.gradient.value, 2)) <= bound * hidden * (1 + 1e-9)
        assert float(predict(tokens, weights).abs().max()) <= bound * hidden * value * (1 + 1e-9)
        weights = weights.step(found.gradient, ETA, train_attention=True)
        seen.append(weights)
    assert len(seen) > 5
    for before, after in pairwise(seen):
        assert sum(size(after)) <= (1 + bound * ETA) * sum(size(before)) * (1 + 1e-9)
    assert sum(size(seen[-1])) <= start * math.exp(bound * ETA * (len(seen) - 1))


def test_the_bound_falls_as_tokens_grow_where_each_has_a_vector_and_not_with_one_for_all() -> None:
    found = {
        layer: [
            sum(mean_signs(patterns, weights.output) for patterns, _, _, weights in runs) / len(runs)
            for runs in ([setting(length, layer, seed) for seed in range(4)] for length in (16, 64))
        ]
        for layer in ("per token", "shared")
    }
    assert found["shared"] == pytest.approx([1, 1])
    few, many = found["per token"]
    assert many == pytest.approx(few / 2, rel=0.1)  # four times as many tokens
    assert few <= 1.2 * math.sqrt(M / 16)


def steps_to_zero_hinge(length: int, seed: int) -> tuple[int, float]:
    """Steps until no sample has a hinge, and the fewest that the algebra allows, where A w^2 <= 1 at the start."""
    patterns, tokens, labels, weights = setting(length, "per token", seed, n_neurons=8, neuron_scale=0.1)
    bound, start = mean_signs(patterns, weights.output), sum(size(weights))
    assert bound * start**2 <= 1
    steps = 0
    while (found := hinge_gradient(tokens, labels, weights)).gradient is not None:
        weights = weights.step(found.gradient, ETA, train_attention=True)
        steps += 1
        assert steps < 2000
    return steps, math.log(4 / (bound * start**2)) / (2 * bound * ETA)


def test_steps_to_zero_hinge_grow_with_the_root_of_the_tokens_where_the_algebra_reaches() -> None:
    """Inside A w^2 <= 1 a hinge of zero needs A w^2 e^(2 A eta T) / 4 >= 1; four times the tokens, twice T or more."""
    few, many = ([steps_to_zero_hinge(length, seed) for seed in range(3)] for length in (32, 128))
    assert all(steps >= fewest for steps, fewest in (*few, *many))
    assert sum(fewest for _, fewest in many) >= 1.7 * sum(fewest for _, fewest in few)
    assert sum(steps for steps, _ in many) >= 2 * sum(steps for steps, _ in few)
