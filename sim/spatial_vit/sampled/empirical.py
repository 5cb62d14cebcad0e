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
from sim.spatial_vit.network.data import Dataset, labelling_function, sample_coefficients
from sim.spatial_vit.network.setting import Setting

PRECISIONS = {"double": torch.float64, "single": torch.float32}
BLOCK_VALUES = 2**20
"""Patch coordinates that go through at a time: small enough for a cache, large enough for the products."""
CHUNK_SAMPLES = 4096
"""Test samples drawn and evaluated at a time."""


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


def sampled_error(
    setting: Setting, sets: torch.Tensor, logits: torch.Tensor, value: torch.Tensor, *,
    feature: torch.Tensor, n_samples: int, generator: torch.Generator, projected: bool = True, decided: bool = False,
) -> tuple[float, float]:  # fmt: skip
    """Estimate P[F f* <= 0] and P[y F <= 0] on fresh data, f* being that of the coefficients without noise.

    Where `decided`, both are given that f* gets the label right, y f* > 0: the other data points are not counted.

    The network sees a patch through <v, X_j> alone, which given its coefficient is Gaussian around that times <v, w*>,
    with variance |v|^2 / d, less the part along w* where noise is projected: D numbers are drawn instead of D d.
    """
    along = float(value @ feature)
    seen = value - along * feature if projected else value
    spread = float(seen.norm()) / feature.numel() ** 0.5
    wrong_labelling = wrong_label = n_counted = 0
    for start in range(0, n_samples, CHUNK_SAMPLES):
        count = min(CHUNK_SAMPLES, n_samples - start)
        coefficients, labels, _ = sample_coefficients(setting, sets, n_samples=count, generator=generator)
        noise = torch.randn(coefficients.shape, generator=generator, dtype=torch.float64)
        outputs = model.settled_output(along * coefficients + spread * noise, logits, setting)
        values = labelling_function(coefficients, sets)
        counted = labels * values > 0 if decided else torch.ones_like(labels, dtype=torch.bool)
        wrong_labelling += int((outputs * values <= 0)[counted].sum())
        wrong_label += int((outputs * labels <= 0)[counted].sum())
        n_counted += int(counted.sum())
    return wrong_labelling / max(1, n_counted), wrong_label / max(1, n_counted)
