"""Networks without attention: outputs against loops over tokens, gradients against autograd, and eq. (1)'s limit."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.local import LocalNetwork, gradient_of, outputs, simulate_local, summed
from sim.shallow_vit.model import Weights, predict
from sim.shallow_vit.systems import LOCAL_NETWORK
from sim.trials.readouts import observed
from sim.trials.trial import Outcome

D, M, L = 6, 4, 10
OPTIONS = [("identity", 1), ("convolution", 1), ("convolution", 3), ("convolution", 5)]
DATA = TokenModel(
    n_tokens=L, label_relevant_fraction=0.4, confusion_fraction=0.2, dimension=D, n_patterns=M, counts="fluctuating",
    token_noise=0.0,
)  # fmt: skip
_TINY = {
    "n_tokens": 10,
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.1,
    "n_samples": 6,
    "n_neurons": 12,
    "batch_size": 4,
    "learning_rate": 0.5,
    "max_steps": 400,
    "n_test": 40,
}


def drawn(mixing: str, kernel: int, output_layer: str):
    generator = torch.Generator().manual_seed(5)
    samples = DATA.sample(7, generator)
    shape = (7,) if output_layer == "shared" else (L, 7)
    output = torch.randn(shape, generator=generator, dtype=torch.float64).expand(L, 7)
    hidden = torch.randn(7, kernel * D, generator=generator, dtype=torch.float64)
    value = torch.randn(D, D, generator=generator, dtype=torch.float64) if mixing == "identity" else None
    return samples, output, hidden, value


def by_loops(samples, output, hidden, value, kernel: int) -> torch.Tensor:
    """F of every sample, token by token, as it is written."""
    reach, found = kernel // 2, []
    for tokens in samples.tokens:
        total = torch.zeros((), dtype=torch.float64)
        for place in range(L):
            window = [
                tokens[place + shift] if 0 <= place + shift < L else torch.zeros(D, dtype=torch.float64)
                for shift in range(-reach, reach + 1)
            ]
            z = torch.cat(window)
            z = z if value is None else value @ z
            total = total + (output[place] * torch.relu(hidden @ z)).sum()
        found.append(total / L)
    return torch.stack(found)


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
@pytest.mark.parametrize(("mixing", "kernel"), OPTIONS)
def test_outputs_and_gradients_are_those_of_loops_and_autograd(mixing: str, kernel: int, output_layer: str) -> None:
    samples, output, hidden, value = drawn(mixing, kernel, output_layer)
    leaves = [tensor.clone().requires_grad_(True) for tensor in (hidden, value) if tensor is not None]
    plain = by_loops(samples, output, leaves[0], leaves[1] if value is not None else None, kernel)
    labels = plain.detach().sign() * torch.tensor([-1.0, 1, 1, -1, 1, -1, 1])
    exact = torch.autograd.grad((1 - labels * plain).clamp(min=0).mean(), leaves)
    data = summed(type(samples)(samples.tokens, labels, samples.patterns), kernel, D, output.numpy())
    network = LocalNetwork(hidden.numpy(), None if value is None else value.numpy())
    found, gradient = gradient_of(data, network)
    np.testing.assert_allclose(found, plain.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(outputs(data, network), found, atol=1e-12)
    assert gradient is not None
    for mine, theirs in zip((gradient.hidden, gradient.value), exact, strict=False):
        np.testing.assert_allclose(mine, theirs.numpy(), atol=1e-10)


def test_no_gradient_where_no_hinge_is_active() -> None:
    samples, output, hidden, value = drawn("identity", 1, "per token")
    data = summed(samples, 1, D, output.numpy())
    network = LocalNetwork(1e6 * hidden.numpy(), value.numpy())
    right = type(data)(data.windows, data.sums, np.sign(outputs(data, network)))
    assert gradient_of(right, network)[1] is None


def test_identity_attention_is_attention_with_endless_scores() -> None:
    samples, output, hidden, value = drawn("identity", 1, "per token")
    large = 100 * torch.eye(D, dtype=torch.float64)
    exact = predict(samples.tokens, Weights(hidden=hidden, value=value, key=large, query=large, output=output))
    data = summed(samples, 1, D, output.numpy())
    np.testing.assert_allclose(outputs(data, LocalNetwork(hidden.numpy(), value.numpy())), exact.numpy(), atol=1e-12)


@pytest.mark.parametrize(("mixing", "kernel"), OPTIONS[:3])
def test_a_training_fits_its_samples_and_is_the_same_again(mixing: str, kernel: int) -> None:
    first, again = (
        observed(
            LOCAL_NETWORK,
            simulate_local(**_TINY, mixing=mixing, kernel=kernel, generator=torch.Generator().manual_seed(2)),
        )
        for _ in range(2)
    )
    assert first.observables == again.observables
    assert first.outcome in (Outcome.CONVERGED, Outcome.BUDGET)
    assert first.curves["hinge"][-1] < 0.9 * first.curves["hinge"][0]


def test_a_huge_step_diverges() -> None:
    done = simulate_local(**{**_TINY, "learning_rate": 1e12}, generator=torch.Generator().manual_seed(2))
    result = observed(LOCAL_NETWORK, done)
    assert result.outcome is Outcome.DIVERGED
    assert result.observables["success"] is False


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mixing": "softmax"}, "mixing must be one of identity, convolution"),
        ({"mixing": "convolution", "kernel": 2}, "kernel must be odd, got 2"),
        ({"kernel": 3}, "kernel must be 1 with identity attention, got 3"),
        ({"kernel": 0, "mixing": "convolution"}, "kernel must be"),
        ({"batch_size": 7}, "batch_size must be at most n_samples = 6, got 7"),
        ({"learning_rate": math.nan}, "learning_rate must be"),
    ],
)
def test_bad_input_is_one_line(changes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        simulate_local(**{**_TINY, **changes}, generator=torch.Generator().manual_seed(2))
