"""Eq. (1) and Algorithm 1 written out token by token, against what the simulators of trainings compute.

`plain_output` is eq. (1) with a sum for every sum sign and nothing shared between tokens; `plain_descent` is Algorithm
1 with gradients of that by automatic differentiation. Both are far too slow to train with. [li2023, eq. (1)-(4)]
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch

from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.model import Weights, initialize, predict
from sim.shallow_vit.training import train_weights
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_positive

MATRICES = ("hidden", "value", "key", "query")


def measure_model(
    *,
    n_tokens: int,
    n_neurons: int,
    n_samples: int,
    batch_size: int,
    n_steps: int,
    output_layer: str,
    token_noise: float = 0.1,
    learning_rate: float = 0.3,
    dimension: int = 10,
    n_patterns: int = 5,
    label_relevant_fraction: float = 0.4,
    confusion_fraction: float = 0.2,
    value_error: float = 0.3,
    key_query_error: float = 0.4,
    generator: torch.Generator,
) -> TrialResult:
    """Compare outputs, and the weights after `n_steps` steps, with those of eq. (1) and Algorithm 1 written out.

    W_O is scaled until a typical output is 1/2, so that hinges are active and steps large.

    Returns:
        Observables, each relative to its largest entry: `error_output` of the plain forward pass, `error_engine` of the
        engine's outputs after training (to the largest before it, since trained neurons may all be shut),
        `error_hidden`, `error_value`, `error_key`, `error_query` of the trained matrices; `error_signs`: of a against
        +-1/sqrt(m), and of its entries after training against those before;
        `moved`: the least relative distance that a matrix came; `engine`.
    """
    require_integer(least=1, n_samples=n_samples, batch_size=batch_size, n_steps=n_steps)
    require_positive(learning_rate=learning_rate)
    require(batch_size <= n_samples, "batch_size", f"be at most n_samples = {n_samples}", batch_size)
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, counts="exact", token_noise=token_noise,
    )  # fmt: skip
    weights, samples = _drawn(
        data, n_samples,
        dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, value_error=value_error,
        key_query_error=key_query_error, neuron_scale=1.0, output_layer=output_layer, initialization="orthonormal",
        generator=generator,
    )  # fmt: skip
    state = generator.get_state()
    run = train_weights(
        samples, weights, batch_size=batch_size, learning_rate=learning_rate, max_steps=n_steps, train_attention=True,
        generator=generator,
    )  # fmt: skip
    plain = plain_descent(samples, weights, batch_size, learning_rate, n_steps, torch.Generator().set_state(state))
    first = plain_outputs(samples, weights)
    trained = run.engine.outputs(samples) - plain_outputs(samples, plain)
    found = {
        "error_output": _deviation(predict(samples.tokens, weights), first),
        "error_engine": float(trained.abs().max() / first.abs().max()),
        **_deviations(weights, run.weights, plain),
        "engine": run.engine.name,
    }
    return TrialResult(Outcome.CONVERGED, found)


def _drawn(data: TokenModel, n_samples: int, *, generator: torch.Generator, **options: Any) -> tuple[Weights, Samples]:
    """Weights and samples, the typical output scaled to 1/2; drawn again where no neuron is open for most samples."""
    while True:
        weights = initialize(generator=generator, **options)
        samples = data.sample(n_samples, generator)
        typical = predict(samples.tokens, weights).abs().median()
        if typical > 0:
            return replace(weights, hidden=weights.hidden / (2 * typical)), samples


def _deviations(start: Weights, trained: Weights, plain: Weights) -> dict[str, float]:
    """Errors of the trained matrices and of the output layer, and how far the matrices came."""
    size = len(start.hidden) ** -0.5
    signs = torch.maximum((start.output.abs() - size).abs(), (trained.output - start.output).abs())
    return {
        **{f"error_{name}": _deviation(getattr(trained, name), getattr(plain, name)) for name in MATRICES},
        "error_signs": float(signs.max() / size),
        "moved": min(_deviation(getattr(plain, name), getattr(start, name)) for name in MATRICES),
    }


def plain_output(tokens: torch.Tensor, weights: Weights) -> torch.Tensor:
    """F of one sample [L, d]: for every token its scores, their softmax, the sum of values, and the neurons."""
    length = len(tokens)
    total = torch.zeros((), dtype=tokens.dtype)
    for place in range(length):
        query = weights.query @ tokens[place]
        powers = [torch.exp((weights.key @ tokens[s]) @ query) for s in range(length)]
        whole = sum(powers)
        attended = sum(power / whole * (weights.value @ tokens[s]) for s, power in enumerate(powers))
        neurons = (weights.hidden @ attended).clamp(min=0)
        output = weights.output if weights.output.dim() == 1 else weights.output[place]
        total = total + sum(output[i] * neurons[i] for i in range(len(output)))
    return total / length


def plain_outputs(samples: Samples, weights: Weights) -> torch.Tensor:
    """F of every sample [n]."""
    return torch.stack([plain_output(tokens, weights) for tokens in samples.tokens])


def plain_descent(
    samples: Samples, weights: Weights, batch_size: int, learning_rate: float, n_steps: int, generator: torch.Generator
) -> Weights:
    """Algorithm 1: each epoch goes through the samples in a fresh random order, batch by batch."""
    n_batches, order = math.ceil(len(samples) / batch_size), torch.arange(len(samples))
    for step in range(n_steps):
        if step % n_batches == 0:
            order = torch.randperm(len(samples), generator=generator)
        start = step % n_batches * batch_size
        leaves = {name: getattr(weights, name).clone().requires_grad_(True) for name in MATRICES}
        moving = replace(weights, **leaves)
        batch = order[start : start + batch_size].tolist()
        losses = [(1 - samples.labels[i] * plain_output(samples.tokens[i], moving)).clamp(min=0) for i in batch]
        gradients = torch.autograd.grad(torch.stack(losses).mean(), list(leaves.values()))
        stepped = {
            name: (leaf - learning_rate * slope).detach()
            for (name, leaf), slope in zip(leaves.items(), gradients, strict=True)
        }
        weights = replace(weights, **stepped)
    return weights


def _deviation(found: torch.Tensor, expected: torch.Tensor) -> float:
    return float((found - expected).abs().max() / expected.abs().max())
