"""What fresh samples say of a trained network."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.shallow_vit.model import hinge

SUCCESS_TEST_HINGE = 1e-3
"""A trial succeeds when its mean test hinge is below this. [li2023, §4.1]"""


@dataclass(frozen=True)
class FreshTest:
    """Mean hinge on fresh samples, the share of them on the wrong side, and whether that is a success."""

    hinge: float
    error: float

    @property
    def success(self) -> bool:
        """Whether the mean hinge is low enough."""
        return self.hinge < SUCCESS_TEST_HINGE


def tested(outputs: torch.Tensor, labels: torch.Tensor) -> FreshTest:
    """Of outputs F [n] and labels [n]."""
    return FreshTest(float(hinge(outputs, labels).mean()), float((labels * outputs <= 0).double().mean()))
