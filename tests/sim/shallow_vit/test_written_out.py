"""Eq. (1) written out, against Python's own numbers, and what a deviation looks like."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from checks.shallow_vit import planted
from sim.engine_setting import forced
from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.model import Weights, initialize, predict
from sim.shallow_vit.written_out import MATRICES, measure_model, plain_descent, plain_output
from sim.trials.validation import InvalidParameter

SMALL = {"n_tokens": 5, "n_neurons": 6, "n_samples": 6, "batch_size": 4, "n_steps": 4}


def generator(seed: int = 2) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def measure(seed: int = 2, engine: str = "torch", **arguments) -> dict:
    with forced(engine):
        return dict(
            measure_model(**{**SMALL, "output_layer": "per token", **arguments}, generator=generator(seed)).observables
        )


def in_floats(tokens: list[list[float]], weights: Weights) -> float:
    """F of one sample by sums over numbers: every index of eq. (1) is a loop."""
    value, key, query, hidden = (getattr(weights, name).tolist() for name in ("value", "key", "query", "hidden"))
    signs = weights.output.tolist() if weights.output.dim() == 2 else [weights.output.tolist()] * len(tokens)

    def product(matrix, vector):
        return [sum(entry * x for entry, x in zip(row, vector, strict=True)) for row in matrix]

    total = 0.0
    for place, token in enumerate(tokens):
        asked = product(query, token)
        powers = [math.exp(sum(a * b for a, b in zip(product(key, other), asked, strict=True))) for other in tokens]
        shares = [power / math.fsum(powers) for power in powers]
        values = [product(value, other) for other in tokens]
        mixed = [sum(share * v[c] for share, v in zip(shares, values, strict=True)) for c in range(len(values[0]))]
        total += sum(sign * max(x, 0.0) for sign, x in zip(signs[place], product(hidden, mixed), strict=True))
    return total / len(tokens)


def drawn(output_layer: str, n_tokens: int = 6):
    weights = initialize(
        dimension=10, n_neurons=5, n_tokens=n_tokens, value_error=0.3, key_query_error=0.4, neuron_scale=1.0,
        output_layer=output_layer, initialization="orthonormal", generator=generator(),
    )  # fmt: skip
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=0.5, confusion_fraction=1 / 6, dimension=10, token_noise=0.1
    )
    return weights, data.sample(7, generator(5))


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_the_output_written_out_is_that_of_loops_over_numbers(output_layer):
    weights, samples = drawn(output_layer)
    for tokens, other in zip(samples.tokens, predict(samples.tokens, weights), strict=True):
        exact = in_floats(tokens.tolist(), weights)
        assert float(plain_output(tokens, weights)) == pytest.approx(exact, abs=1e-13)
        assert float(other) == pytest.approx(exact, abs=1e-13)


def test_a_step_written_out_goes_down_the_slope_that_differences_show():
    weights, samples = drawn("per token")
    batch = samples[torch.tensor([0, 1])]

    def loss(of: Weights) -> float:
        return (
            sum(
                max(1 - float(y) * in_floats(x.tolist(), of), 0)
                for x, y in zip(batch.tokens, batch.labels, strict=True)
            )
            / 2
        )

    stepped = plain_descent(batch, weights, 2, 0.1, 1, generator())
    for name in MATRICES:
        matrix, moved = getattr(weights, name), getattr(stepped, name)
        for entry in ((0, 0), (2, 3)):
            change = torch.zeros_like(matrix)
            change[entry] = 1e-6
            rise = loss(replace(weights, **{name: matrix + change})) - loss(replace(weights, **{name: matrix - change}))
            assert float(matrix[entry] - moved[entry]) == pytest.approx(0.1 * rise / 2e-6, abs=1e-8)


@pytest.mark.parametrize("token_noise", [0.0, 0.1])
@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_simulators_agree_with_what_is_written_out(output_layer, token_noise):
    found = measure(output_layer=output_layer, token_noise=token_noise)
    assert max(value for name, value in found.items() if name.startswith("error")) < 1e-12
    assert found["moved"] > 1e-4


def test_a_deviation_shows_where_it_is():
    with planted.scaled("sim.shallow_vit.engine.reference.hinge_gradient", query=2.0):
        assert measure()["error_query"] > 1e-5
    with planted.summed_outputs():
        assert measure()["error_output"] > 0.5
    with planted.large_signs():
        assert measure()["error_signs"] > 0.5


def test_a_batch_larger_than_the_data_is_refused():
    with pytest.raises(InvalidParameter, match="batch_size must be at most n_samples = 6, got 7"):
        measure(batch_size=7)


def test_neurons_that_training_shut_are_compared_as_well():
    """Outputs are then zero, with which no error can be compared."""
    found = measure(11, output_layer="shared", token_noise=0.0, n_neurons=1, learning_rate=5.0)
    assert found["error_engine"] < 1e-10
