"""Error rates P[F f* <= 0] and P[y F <= 0] of a network: by enumeration, or estimated on fresh data."""

from __future__ import annotations

import torch

from sim.spatial_vit.network import model
from sim.spatial_vit.network.data import labelling_function, sample_coefficients
from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.enumeration import FullEnumeration

CHUNK_SAMPLES = 4096
"""Test samples drawn and evaluated at a time."""


def exact_error(enumeration: FullEnumeration, *, logits: torch.Tensor, alignment: float) -> tuple[float, float]:
    """Compute P[F f* <= 0] and P[y F <= 0] by enumeration at v = alpha w*."""
    wrong_labelling = wrong_label = 0.0
    for coefficients, probability in enumeration:
        outputs = model.settled_output(alignment * coefficients, logits, enumeration.setting)
        values = labelling_function(coefficients, enumeration.sets)
        wrong_labelling += float(probability[outputs * values <= 0].sum())
        wrong_label += float(probability[outputs <= 0].sum())
    return wrong_labelling, wrong_label


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
