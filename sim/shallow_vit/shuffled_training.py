"""The training of `simulate` on labels shuffled among the samples: what a network reaches that can only memorise.

Tokens, network, steps and everything that is read off are those of `sim.shallow_vit.training`; the labels, of fresh
samples as well, are as many of each class and say nothing of the tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.shuffled_labels import ShuffledTokens
from sim.shallow_vit.training import FluctuatingSetting, TrainedVit, simulate
from sim.trials.signature import flat


@dataclass(frozen=True, kw_only=True)
class ShuffledFluctuatingSetting(FluctuatingSetting):
    """The same training on such samples."""

    def data_model(
        self, *, token_noise: float = 0.0, noise: str = "gaussian", noise_radius: float = 0.05
    ) -> TokenModel:
        """The distribution of its samples."""
        drawn = super().data_model(token_noise=token_noise, noise=noise, noise_radius=noise_radius)
        return ShuffledTokens(**vars(drawn))


@flat
def simulate_shuffled(
    *,
    setting: ShuffledFluctuatingSetting,
    noise: str = "gaussian",
    token_noise: float = 0.01,
    noise_radius: float = 0.05,
    one_pass: bool = False,
    train_attention: bool = True,
    n_test: int = 1000,
    precision: str = "float64",
    generator: torch.Generator,
) -> TrainedVit:
    """`simulate` on shuffled labels; arguments as there."""
    return simulate(
        setting=setting, noise=noise, token_noise=token_noise, noise_radius=noise_radius, one_pass=one_pass,
        train_attention=train_attention, n_test=n_test, precision=precision, generator=generator,
    )  # fmt: skip
