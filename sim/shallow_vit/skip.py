"""Gradients with a skip connection against the closed forms without one, taken at the skip's gates. [li2023, eq. (250)]

With a skip, F = mean_l a_l . relu(W_O (W_V u_l + x_l)) where u_l is what query l attends to. Given the open gates of
this network, the closed forms of eq. (1) for W_V, W_K and W_Q need no other change; that of W_O gains the term x_l.
"""

from __future__ import annotations

import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.model import attention
from sim.shallow_vit.network import MATRICES, Stack, initialize_network, loss_of, outputs_of
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer, require_one_of


def measure_skip_gradients(
    *,
    n_tokens: int,
    n_neurons: int,
    n_samples: int,
    output_layer: str,
    gates_of: str = "skip",
    dimension: int = 10,
    n_patterns: int = 5,
    label_relevant_fraction: float = 0.4,
    confusion_fraction: float = 0.2,
    token_noise: float = 0.1,
    value_error: float = 0.3,
    key_query_error: float = 0.4,
    generator: torch.Generator,
) -> TrialResult:
    """Compare autograd of the network with a skip with the forms of eq. (1) at its gates, at a random point.

    Args:
        gates_of: whose gates and active hinges the forms are taken at: of the network with its "skip", or of the same
            network "without" it, for which they do not hold.

    Returns:
        Observables `error_value`, `error_key`, `error_query`, `error_hidden`: max |form - autograd| over max
        |autograd|, W_O's form with the term x_l; `error_hidden_without`: W_O's form as without a skip; `n_active`
        hinges.
    """
    require_integer(least=1, n_samples=n_samples)
    require_one_of("gates_of", gates_of, ("skip", "without"))
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, token_noise=token_noise,
    )  # fmt: skip
    network = initialize_network(
        dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, n_heads=1, head_join="sum", skip=True,
        n_outputs=1, n_layers=1, value_error=value_error, key_query_error=key_query_error, neuron_scale=10.0,
        output_layer=output_layer, initialization="orthonormal", generator=generator,
    )  # fmt: skip
    tokens = data.sample(n_samples, generator).tokens
    labels = outputs_of(tokens, network).sign()
    labels[::2] *= -1  # half of the samples on the wrong side, where the hinge is active whatever its size
    leaves = {name: getattr(network, name).clone().requires_grad_(True) for name in MATRICES}
    loss = loss_of(outputs_of(tokens, Stack(**{**vars(network), **leaves})), labels, "joint")
    exact = dict(zip(MATRICES, torch.autograd.grad(loss.mean(), list(leaves.values())), strict=True))
    forms = forms_at_gates(tokens, labels[:, 0], network, gates_of)
    errors = {f"error_{name}": _deviation(forms[name], exact[name].reshape(forms[name].shape)) for name in MATRICES}
    errors["error_hidden_without"] = _deviation(forms["hidden_without"], exact["hidden"])
    return TrialResult(Outcome.CONVERGED, {**errors, "n_active": int((loss > 0).sum())})


def forms_at_gates(
    tokens: torch.Tensor, labels: torch.Tensor, network: Stack, gates_of: str = "skip"
) -> dict[str, torch.Tensor]:
    """(81), (125), (167) and (195) of the mean hinge, at the gates and active hinges of the network with a skip.

    `hidden` has the term x_l, `hidden_without` has not. (167) is taken with the mean over tokens that it lacks as
    printed.
    """
    n, length, _ = tokens.shape
    value, key, query = (getattr(network, name)[0, 0] for name in ("value", "key", "query"))
    weight = attention(tokens, key.T @ query)
    attended = weight @ tokens
    features = attended @ value.T
    before = (features + tokens if gates_of == "skip" else features) @ network.hidden.T
    signed = network.output[0] * (before > 0)
    active = labels * (signed * before).sum((1, 2)) / length < 1
    pulled = -(labels * active)[:, None, None] / (n * length) * signed
    back = pulled @ network.hidden @ value
    spread = tokens[:, None, :, :] - attended[:, :, None, :]
    centred = torch.einsum("nls,nlsd,nlse,nle->nld", weight, spread, spread, back)
    by_scoring = torch.einsum("nld,nle->de", centred, tokens)
    return {
        "hidden": torch.einsum("nlm,nld->md", pulled, features + tokens),
        "hidden_without": torch.einsum("nlm,nld->md", pulled, features),
        "value": torch.einsum("nlm,md,nle->de", pulled, network.hidden, attended),
        "key": query @ by_scoring.T,
        "query": key @ by_scoring,
    }


def _deviation(found: torch.Tensor, expected: torch.Tensor) -> float:
    return float((found - expected).abs().max() / expected.abs().max())
