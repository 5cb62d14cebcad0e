"""Exact population risk of the full network with v in span(w*), for any logits, by all configurations of features.

Where v = alpha w*, the noise drops out and the risk is an expectation over feature coefficients in {-1, 0, 1}. F is
odd in X and the distribution is symmetric under (X, y) -> (-X, -y), so y = 1 alone gives the risk: all 3^(D - C)
configurations of the random sets for each of the L signal sets, in chunks. [jelassi2022, section 4.1]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from sim.spatial_vit.network import model
from sim.spatial_vit.network.setting import Setting
from sim.trials.validation import require

CHUNK_ENTRIES = 2**22
"""Feature coefficients held at a time in the full enumeration (32 MiB of float64)."""

MAX_CONFIGURATIONS = 3**17
"""Most configurations that the full enumeration accepts; one pass over them takes minutes."""


@dataclass(frozen=True)
class PopulationGradient:
    """Risk of the full network with v = alpha w*, and its derivatives by every A_ij [patches, patches] and by alpha."""

    risk: float
    logits: torch.Tensor
    alignment: float


Chunk = tuple[torch.Tensor, torch.Tensor]
"""Feature coefficients [chunk, patches] of label 1 and their probabilities [chunk]."""


@dataclass(frozen=True)
class FullEnumeration:
    """All configurations of label 1, iterated in chunks; kept in memory where one chunk would hold them all."""

    setting: Setting
    sets: torch.Tensor
    held: tuple[Chunk, ...] | None

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self.held) if self.held is not None else _generate(self.setting, self.sets)


def enumerate_fully(setting: Setting, sets: torch.Tensor) -> FullEnumeration:
    """Prepare the enumeration of every configuration of the random sets for each signal set.

    Raises:
        ValueError: where L 3^(D - C) is more than can be enumerated.
    """
    n_random = setting.n_patches - setting.set_size
    n_rows = setting.n_sets * 3**n_random
    rule = f"leave at most {MAX_CONFIGURATIONS} configurations L 3^(D - C) to enumerate"
    require(n_rows <= MAX_CONFIGURATIONS, "n_patches", rule, n_rows)
    fits = n_rows * setting.n_patches <= CHUNK_ENTRIES
    return FullEnumeration(setting, sets, held=tuple(_generate(setting, sets)) if fits else None)


def _generate(setting: Setting, sets: torch.Tensor) -> Iterator[Chunk]:
    """Yield the configurations as base-3 numbers, one signal set after the other within a range of numbers."""
    n_random = setting.n_patches - setting.set_size
    powers = 3 ** torch.arange(n_random)
    chunk = max(1, CHUNK_ENTRIES // setting.n_patches)
    q = setting.spurious_rate
    by_digit = torch.tensor([1 - q, q / 2, q / 2], dtype=torch.float64)
    value = torch.tensor([0.0, 1.0, -1.0], dtype=torch.float64)
    for start in range(0, 3**n_random, chunk):
        digits = torch.arange(start, min(start + chunk, 3**n_random))[:, None] // powers % 3
        probability = by_digit[digits].prod(dim=1) / setting.n_sets
        for signal in range(setting.n_sets):
            coefficients = torch.ones(len(digits), setting.n_patches, dtype=torch.float64)
            coefficients[:, sets != signal] = value[digits]
            yield coefficients, probability


def population_gradient(enumeration: FullEnumeration, *, logits: torch.Tensor, alignment: float) -> PopulationGradient:
    """Exact risk and gradient of the full network with v = alpha w*, by complete enumeration."""
    risk, by_alignment = 0.0, 0.0
    by_logits = torch.zeros_like(logits)
    for coefficients, probability in enumeration:
        part = model.risk_gradient(
            alignment * coefficients, logits, enumeration.setting,
            labels=torch.ones_like(probability), weights=probability,
        )  # fmt: skip
        risk += float(part.risk)
        by_logits += part.logits
        by_alignment += float((part.projections * coefficients).sum())
    return PopulationGradient(risk=risk, logits=by_logits, alignment=by_alignment)
