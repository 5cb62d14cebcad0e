"""The empirical risk (E) and its gradient by hand, on data laid out for many passes over them.

F is odd, so a label can be multiplied into its patches once: y F(X) = F(y X), and no step looks at labels again. What
remains is two passes over the patches (their projections on v, and the gradient by v) and products of D x D matrices;
samples go through in blocks, so that the second pass finds a block where the first left it. `single` precision halves
the time: patches and products are float32, sums over blocks and all parameters float64. [jelassi2022, (E)]
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import Dataset
from sim.spatial_vit.network.setting import Setting

PRECISIONS = {"double": torch.float64, "single": torch.float32}
BLOCK_VALUES = 2**20
"""Patch coordinates that go through at a time: small enough for a cache, large enough for the products."""


@dataclass(frozen=True)
class FullGradient:
    """Risk with its derivatives by every A_ij [patches, patches] and by v [dimension].

    `error` is the share of the data with y F <= 0; None where nobody counted.
    """

    risk: float
    logits: torch.Tensor
    value: torch.Tensor
    error: float | None = None


@dataclass(frozen=True)
class SignedPatches:
    """y X of every data point, [samples, patches, dimension]."""

    patches: torch.Tensor

    @classmethod
    def of(cls, data: Dataset, precision: str = "double") -> SignedPatches:
        """Multiply the labels into the patches."""
        return cls((data.patches * data.labels[:, None, None]).to(PRECISIONS[precision]))

    def gradient(self, logits: torch.Tensor, value: torch.Tensor, setting: Setting) -> FullGradient:
        """Differentiate the mean of log(1 + exp(-F(y X)))."""
        n_samples, n_patches, dimension = self.patches.shape
        direction = value.to(self.patches.dtype)
        by_logits, by_value = torch.zeros_like(logits), torch.zeros_like(value)
        risk, wrong = 0.0, 0
        for block in self.patches.split(max(1, BLOCK_VALUES // (n_patches * dimension))):
            flat = block.reshape(-1, dimension)
            ones = torch.ones(len(block), dtype=block.dtype)
            part = model.risk_gradient(
                (flat @ direction).reshape(-1, n_patches), logits, setting, labels=ones, weights=ones
            )
            by_logits += part.logits
            by_value += part.projections.reshape(-1) @ flat
            risk += float(part.risk)
            wrong += int((part.outputs <= 0).sum())
        return FullGradient(risk / n_samples, by_logits / n_samples, by_value / n_samples, error=wrong / n_samples)
