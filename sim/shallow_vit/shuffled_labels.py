"""The training of `follow_proof` on labels shuffled among the samples: what a network reaches that can only memorise.

Tokens, network, steps and everything that is read off are those of `sim.shallow_vit.course`; the labels are as many of
each class and say nothing of the tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.shallow_vit.course import ProofRun, follow_proof
from sim.shallow_vit.data import Samples, TokenModel
from sim.shallow_vit.setting import PerTokenSetting
from sim.trials.signature import flat


@dataclass(frozen=True)
class ShuffledTokens(TokenModel):
    """Samples whose labels are another sample's."""

    def sample(self, n_samples: int, generator: torch.Generator) -> Samples:
        """Draw samples in float64 and shuffle their labels."""
        drawn = super().sample(n_samples, generator)
        return Samples(drawn.tokens, drawn.labels[torch.randperm(n_samples, generator=generator)], drawn.patterns)


@dataclass(frozen=True, kw_only=True)
class ShuffledSetting(PerTokenSetting):
    """The same training on such samples."""

    def data_model(
        self, *, token_noise: float = 0.0, noise: str = "gaussian", noise_radius: float = 0.05
    ) -> TokenModel:
        """The distribution of its samples."""
        return ShuffledTokens(
            **vars(super().data_model(token_noise=token_noise, noise=noise, noise_radius=noise_radius))
        )


@flat
def follow_shuffled(
    *,
    setting: ShuffledSetting,
    token_noise: float = 0.0,
    train_attention: bool = True,
    n_planted: int = 10,
    generator: torch.Generator,
) -> ProofRun:
    """`follow_proof` on shuffled labels; arguments as there."""
    return follow_proof(
        setting=setting, token_noise=token_noise, train_attention=train_attention, n_planted=n_planted,
        generator=generator,
    )  # fmt: skip
