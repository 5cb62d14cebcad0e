"""Measurements without training: gradients against autograd, and how many neurons are lucky at the start."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from scipy.special import betainc

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.gradients import hinge_gradient
from sim.shallow_vit.model import Gradient, Weights, hinge, initialize, predict
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_non_negative

MATRICES = ("hidden", "value", "key", "query")


def measure_gradients(
    *,
    n_tokens: int,
    n_neurons: int,
    n_samples: int,
    output_layer: str,
    dimension: int = 10,
    n_patterns: int = 5,
    label_relevant_fraction: float = 0.4,
    confusion_fraction: float = 0.2,
    token_noise: float = 0.1,
    value_error: float = 0.3,
    key_query_error: float = 0.4,
    generator: torch.Generator,
) -> TrialResult:
    """Compare the closed-form gradients with float64 autograd at a random point in general position.

    Weights are drawn far from their usual start and W_O is scaled until a typical output is 2: hinges of samples on the
    wrong side are then active, those on the right side inactive.

    Returns:
        Observables `error_hidden`, `error_value`, `error_key`, `error_query`: max |closed - autograd| over max
        |autograd|; `error_key_as_printed`: the same for eq. (167) as printed, which lacks the mean over tokens;
        `n_active`.
    """
    require_integer(least=1, n_samples=n_samples)
    data = TokenModel(
        n_tokens=n_tokens,
        label_relevant_fraction=label_relevant_fraction,
        confusion_fraction=confusion_fraction,
        dimension=dimension,
        n_patterns=n_patterns,
        token_noise=token_noise,
    )
    while True:  # a batch without any active hinge has no gradient to compare
        weights = initialize(
            dimension=dimension,
            n_neurons=n_neurons,
            n_tokens=n_tokens,
            value_error=value_error,
            key_query_error=key_query_error,
            neuron_scale=1.0,
            output_layer=output_layer,
            initialization="orthonormal",
            generator=generator,
        )
        samples = data.sample(n_samples, generator)
        typical = predict(samples.tokens, weights).abs().median()
        weights = replace(weights, hidden=weights.hidden * (2 / typical))
        closed = hinge_gradient(samples.tokens, samples.labels, weights)
        if closed.gradient is not None:
            break
    autograd = autograd_gradient(samples.tokens, samples.labels, weights)
    errors = {f"error_{name}": _deviation(getattr(closed.gradient, name), getattr(autograd, name)) for name in MATRICES}
    errors["error_key_as_printed"] = _deviation(n_tokens * closed.gradient.key, autograd.key)
    return TrialResult(Outcome.CONVERGED, {**errors, "n_active": closed.n_active})


def autograd_gradient(tokens: torch.Tensor, labels: torch.Tensor, weights: Weights) -> Gradient:
    """Gradient of the mean hinge loss by automatic differentiation of eq. (1) as written."""
    leaves = {name: getattr(weights, name).clone().requires_grad_(True) for name in MATRICES}
    loss = hinge(predict(tokens, Weights(**leaves, output=weights.output)), labels).mean()
    return Gradient(**dict(zip(MATRICES, torch.autograd.grad(loss, list(leaves.values())), strict=True)))


def _deviation(found: torch.Tensor, expected: torch.Tensor) -> float:
    return float((found - expected).abs().max() / expected.abs().max())


def count_lucky_neurons(
    *,
    n_neurons: int,
    value_error: float,
    noise_radius: float,
    dimension: int = 10,
    n_patterns: int = 5,
    generator: torch.Generator,
) -> TrialResult:
    """Count lucky neurons of a fresh Gaussian W_O, under the definition and under the event that its proof bounds.

    Returns:
        Observables `n_defined`: neurons within an angle sigma + tau of p_1 [li2023, Definition 2]; `n_in_proof`:
        neurons whose angle to p_1, widened by the error's angle, is below all other angles, narrowed by it [li2023,
        proof of Lemma 3]; `expected_defined`: the exact expectation of the first count; `n_neurons`.
    """
    require_integer(least=1, n_neurons=n_neurons)
    require_integer(least=2, dimension=dimension, n_patterns=n_patterns)
    require(dimension >= n_patterns, "dimension", "be at least n_patterns", dimension)
    require_non_negative(value_error=value_error, noise_radius=noise_radius)
    error = value_error + noise_radius
    neurons = torch.randn(n_neurons, dimension, generator=generator, dtype=torch.float64)
    # Any orthonormal features will do (rotation invariance): the first unit vectors.
    cosines = neurons[:, :n_patterns] / neurons.norm(dim=1, keepdim=True)
    angles = torch.arccos(cosines.clamp(-1, 1))
    widening = 2 * math.asin(min(error / 2, 1.0))
    in_proof = angles[:, 0] + widening <= angles[:, 1:].min(dim=1).values - widening
    return TrialResult(
        Outcome.CONVERGED,
        {
            "n_defined": int((angles[:, 0] <= error).sum()),
            "n_in_proof": int(in_proof.sum()),
            "expected_defined": n_neurons * cap_probability(dimension, error),
            "n_neurons": n_neurons,
        },
    )


def cap_probability(dimension: int, angle: float) -> float:
    """Probability that a Gaussian direction in R^d lies within `angle` of a fixed one: 1/2 I_{sin^2}((d-1)/2, 1/2)."""
    share = 0.5 * float(betainc((dimension - 1) / 2, 0.5, math.sin(min(angle, math.pi)) ** 2))
    return share if angle <= math.pi / 2 else 1 - share
