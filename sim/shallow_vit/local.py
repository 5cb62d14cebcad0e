"""Networks whose tokens do not attend to each other: identity attention, and a CNN of one layer. [li2023, Figure 3]

    F(X) = mean over tokens l of  a_l . relu(W_O z_l)

- `mixing="identity"`: the softmax of eq. (1) is replaced by the identity, z_l = W_V x_l; W_O and W_V are trained.
- `mixing="convolution"`: z_l holds the tokens of a window of `kernel` about l, zeros beyond the ends; W_O, the filters,
  are trained. The order of tokens is drawn anew for every sample, so neighbours say nothing of the label.

Tokens are their patterns here, without noise: a sample is then known by the sums A[w] of the output layer over the
places of each distinct window w, and F = sum over w of A[w] . relu(W_O z_w) / L, whatever L. Training, stopping and
outcomes are those of `sim.shallow_vit.training`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from sim.shallow_vit.data import Samples
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.model import initialize
from sim.shallow_vit.setting import PatternSetting, TrainingRule
from sim.trials.digest import hash_of
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.trial import Outcome, Scalar
from sim.trials.validation import require, require_integer, require_one_of

_RECORD_GROWTH = 1.05
_MAX_ENTRIES = 10**8
"""Numbers in the sums over places: 800 MB."""

Array = np.ndarray


@dataclass(frozen=True, kw_only=True)
class LocalSetting(PatternSetting):
    """A training with an output layer for each token, unless it says otherwise."""

    output_layer: str = "per token"


@flat
def simulate_local(
    *,
    setting: LocalSetting,
    mixing: str = "identity",
    kernel: int = 1,
    n_test: int = 300,
    generator: torch.Generator,
) -> LocalRun:
    """Train one network without attention by SGD until its training hinge is zero.

    Args:
        mixing: "identity" or "convolution".
        kernel: tokens in a window, odd; 1 with identity attention.

    The error of value features is that of W_V at the start, with identity attention.
    """
    require_integer(least=1, n_test=n_test, kernel=kernel)
    require_one_of("mixing", mixing, ("identity", "convolution"))
    require(kernel % 2 == 1, "kernel", "be odd", kernel)
    require(kernel == 1 or mixing == "convolution", "kernel", "be 1 with identity attention", kernel)
    data = setting.data_model()
    drawn = initialize(
        dimension=setting.dimension, n_neurons=setting.n_neurons, n_tokens=setting.n_tokens,
        value_error=setting.value_error, key_query_error=0.0, neuron_scale=setting.neuron_scale,
        output_layer=setting.output_layer, initialization="contraction", generator=generator,
    )  # fmt: skip
    hidden, value = drawn.hidden.numpy(), drawn.value.numpy()
    if mixing == "convolution":
        wide = torch.randn(setting.n_neurons, kernel * setting.dimension, generator=generator, dtype=torch.float64)
        hidden, value = setting.neuron_scale * wide.numpy(), None
    output = drawn.output.expand(setting.n_tokens, setting.n_neurons).numpy()
    train = summed(data.sample(setting.n_samples, generator), kernel, setting.dimension, output)
    outcome, network, iterations, looks = _trained(
        train, LocalNetwork(hidden, value), setting.rule(train_attention=False), generator
    )
    account: dict[str, Scalar] = {"iterations": iterations, "train_hinge_zero": outcome is Outcome.CONVERGED}
    if outcome is not Outcome.DIVERGED:
        account["weights"] = hash_of(network.hidden, *([] if network.value is None else [network.value]))
    test = summed(data.sample(n_test, generator), kernel, setting.dimension, output)
    return LocalRun(outcome=outcome, account=account, network=network, looks=looks, test=test)


@dataclass(frozen=True, eq=False, kw_only=True)
class LocalRun(Run):
    """A training, and fresh samples that its network may be tested on."""

    network: LocalNetwork
    looks: tuple[HingeLook, ...]
    test: Summed


@dataclass(frozen=True)
class HingeLook:
    """A step that was looked at: how many came before, and the mean hinge of its batch."""

    step: int
    hinge: float


@dataclass(frozen=True)
class LocalNetwork:
    """Trained matrices: `hidden` W_O [m, width], `value` W_V [width, width] or None where z_l is the window itself."""

    hidden: Array
    value: Array | None

    def features(self, windows: Array) -> Array:
        """z_w of every window [W, width]."""
        return windows if self.value is None else windows @ self.value.T

    def stepped(self, gradient: LocalNetwork, learning_rate: float) -> LocalNetwork:
        """One step of gradient descent."""
        moved = self.hidden - learning_rate * gradient.hidden
        if self.value is None or gradient.value is None:
            return LocalNetwork(moved, None)
        return LocalNetwork(moved, self.value - learning_rate * gradient.value)


@dataclass(frozen=True)
class Summed:
    """A data set: distinct `windows` [W, width], sums of the output layer over places `sums` [n, W m], `labels` [n].

    `sums` are already divided by the number of tokens, and lie flat, since a step has two products with them.
    """

    windows: Array
    sums: Array
    labels: Array

    def __getitem__(self, index: Array) -> Summed:
        return Summed(self.windows, self.sums.take(index, axis=0), self.labels[index])


def summed(samples: Samples, kernel: int, dimension: int, output: Array) -> Summed:
    """Samples as sums of the output layer [L, m] over the places of each distinct window."""
    patterns = samples.patterns.numpy()
    n, length = patterns.shape
    reach = kernel // 2
    padded = np.full((n, length + 2 * reach), dimension)  # beyond the ends there is no token
    padded[:, reach : reach + length] = patterns
    parts = np.stack([padded[:, shift : shift + length] for shift in range(kernel)], axis=-1)
    distinct, number = np.unique(parts.reshape(-1, kernel), axis=0, return_inverse=True)
    entries = n * len(distinct) * output.shape[1]
    rule = f"be at most {_MAX_ENTRIES // (len(distinct) * output.shape[1])} at this width and kernel"
    require(entries <= _MAX_ENTRIES, "n_samples", rule, n)
    tokens = np.vstack([np.eye(dimension), np.zeros(dimension)])
    at = number.reshape(n, length)
    sums = np.stack([_by_window(row, len(distinct), output) for row in at]) / length
    return Summed(tokens[distinct].reshape(len(distinct), -1), sums.reshape(n, -1), samples.labels.numpy())


def _by_window(row: Array, n_windows: int, output: Array) -> Array:
    """Sum of the output layer over the places of each window, [W, m]."""
    places = np.zeros((n_windows, len(row)))
    places[row, np.arange(len(row))] = 1.0
    return places @ output


def outputs(data: Summed, network: LocalNetwork) -> Array:
    """Outputs F [n]."""
    return data.sums @ np.maximum(network.features(data.windows) @ network.hidden.T, 0.0).ravel()


def gradient_of(data: Summed, network: LocalNetwork) -> tuple[Array, LocalNetwork | None]:
    """Outputs [n] and the gradient of the mean hinge; None where no hinge is active."""
    features = network.features(data.windows)
    before = features @ network.hidden.T
    found = data.sums @ np.maximum(before, 0.0).ravel()
    active = data.labels * found < 1
    if not active.any():
        return found, None
    pulled = (-(data.labels * active) / len(found) @ data.sums).reshape(before.shape) * (before > 0)
    value = None if network.value is None else network.hidden.T @ pulled.T @ data.windows
    return found, LocalNetwork(pulled.T @ features, value)


def _trained(
    train: Summed, network: LocalNetwork, rule: TrainingRule, generator: torch.Generator
) -> tuple[Outcome, LocalNetwork, int, tuple[HingeLook, ...]]:
    """SGD, with the last step that moved; batches of a pass are disjoint, a last partial batch is kept."""
    n, size, rate = len(train.labels), rule["batch_size"], rule["learning_rate"]
    per_pass = math.ceil(n / size)
    step = last_move = 0
    due, order, outcome = 0.0, np.arange(n), Outcome.BUDGET
    looks: list[HingeLook] = []
    while step < rule["max_steps"]:
        if step % per_pass == 0:
            if step - last_move >= per_pass:
                break
            order = torch.randperm(n, generator=generator).numpy()
        start = step % per_pass * size
        batch = train[order[start : start + size]]
        found, gradient = gradient_of(batch, network)
        if not np.abs(found).max() < INSANE_OUTPUT:
            outcome = Outcome.DIVERGED
            break
        if step >= due:
            looks.append(HingeLook(step, float(np.maximum(1 - batch.labels * found, 0).mean())))
            due = max(step + 1, step * _RECORD_GROWTH)
        step += 1
        if gradient is not None:
            network, last_move = network.stepped(gradient, rate), step
    fitted = outcome is not Outcome.DIVERGED and bool((train.labels * outputs(train, network) >= 1).all())
    return (Outcome.CONVERGED if fitted else outcome), network, last_move, tuple(looks)
