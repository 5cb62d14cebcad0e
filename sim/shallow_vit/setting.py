"""What trainings of the shallow ViT share: data, network and SGD, validated once at the border.

A simulator takes one of these and is called with its fields (`sim.trials.signature.flat`). A training without attention
has no key, query or choice of initialisation, and one that compares heads leaves the rest at its defaults: hence three.
Where a simulator starts from another default, it extends a setting and says so. [li2023, section 4.1, Algorithm 1]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.model import Weights, initialize
from sim.trials.validation import require, require_integer, require_positive


class TrainingRule(TypedDict):
    """Parameters of SGD, by the names that trainings take them under."""

    batch_size: int
    learning_rate: float
    max_steps: int
    train_attention: bool


@dataclass(frozen=True, kw_only=True)
class TrainingSetting:
    """Sizes of a training.

    Attributes:
        n_tokens: L, tokens of a sample.
        label_relevant_fraction: alpha_*, share of a sample's tokens of the pattern of its label.
        confusion_fraction: alpha_#, share of the pattern of the other label.
        n_samples: N, of the training set.
        n_neurons: m, of the ReLU layer.
        batch_size: B, samples of a step of SGD.
        learning_rate: eta, step size of SGD.
        max_steps: T, steps after which a training is stopped.
        output_layer: "shared" draws one sign of a per neuron, "per token" one per neuron and token.

    Raises:
        InvalidParameter: naming the field, the rule and the value, where a rule is broken.
    """

    n_tokens: int
    label_relevant_fraction: float
    confusion_fraction: float
    n_samples: int
    n_neurons: int
    batch_size: int
    learning_rate: float
    max_steps: int
    output_layer: str = "shared"

    def __post_init__(self) -> None:
        require_integer(least=1, n_samples=self.n_samples, batch_size=self.batch_size, max_steps=self.max_steps)
        require_positive(learning_rate=self.learning_rate)
        rule = f"be at most n_samples = {self.n_samples}"
        require(self.batch_size <= self.n_samples, "batch_size", rule, self.batch_size)

    def rule(self, *, train_attention: bool) -> TrainingRule:
        """How it is trained; without its attention, keys and queries stay."""
        return {
            "batch_size": self.batch_size,
            "learning_rate": self.learning_rate,
            "max_steps": self.max_steps,
            "train_attention": train_attention,
        }


@dataclass(frozen=True, kw_only=True)
class PatternSetting(TrainingSetting):
    """A training with its patterns and its neurons.

    Attributes:
        dimension: d, of a token.
        n_patterns: M, of which two are discriminative.
        counts: "exact" or "fluctuating" fractions of tokens; see `sim.shallow_vit.data`.
        value_error: sigma, length of the error of every value feature at the start.
        neuron_scale: xi, standard deviation of the entries of W_O at the start.
    """

    dimension: int = 10
    n_patterns: int = 5
    counts: str = "exact"
    value_error: float = 0.1
    neuron_scale: float = 0.01

    def data_model(
        self, *, token_noise: float = 0.0, noise: str = "gaussian", noise_radius: float = 0.05
    ) -> TokenModel:
        """The distribution of its samples, with token noise as `TokenModel` has it."""
        return TokenModel(
            n_tokens=self.n_tokens, label_relevant_fraction=self.label_relevant_fraction,
            confusion_fraction=self.confusion_fraction, dimension=self.dimension, n_patterns=self.n_patterns,
            counts=self.counts, noise=noise, token_noise=token_noise, noise_radius=noise_radius,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class AttentionSetting(PatternSetting):
    """A training with its attention.

    Attributes:
        initialization: how features begin; see `sim.shallow_vit.model.initialize`.
        key_query_error: delta, length of the error of every key and query feature at the start.
    """

    initialization: str = "contraction"
    key_query_error: float = 0.2

    def initial_weights(self, generator: torch.Generator) -> Weights:
        """Draw initial weights."""
        return initialize(
            dimension=self.dimension, n_neurons=self.n_neurons, n_tokens=self.n_tokens, value_error=self.value_error,
            key_query_error=self.key_query_error, neuron_scale=self.neuron_scale, output_layer=self.output_layer,
            initialization=self.initialization, generator=generator,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PerTokenSetting(AttentionSetting):
    """The same with an output layer for each token, unless it says otherwise."""

    output_layer: str = "per token"
