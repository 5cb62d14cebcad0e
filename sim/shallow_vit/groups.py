"""Groups of neurons that the proof of Lemma 2 tells apart. [li2023, Definition 2]"""

from __future__ import annotations

from dataclasses import dataclass

import torch

DISCRIMINATIVE = (0, 1)
"""Patterns that a label may hang on."""


@dataclass(frozen=True)
class Groups:
    """Neurons that lie near p_1 (`first`) and near p_2 (`second`) at the start, and all others (`unlucky`).

    Masks [m]. `positive` marks neurons whose output coefficients add up to more than zero.
    """

    first: torch.Tensor
    second: torch.Tensor
    positive: torch.Tensor

    @property
    def unlucky(self) -> torch.Tensor:
        """Neurons near neither."""
        return ~(self.first | self.second)

    def of(self, pattern: int) -> torch.Tensor:
        """Neurons near the feature of one discriminative pattern."""
        return (self.first, self.second)[pattern]

    def signs(self) -> tuple[tuple[str, torch.Tensor], ...]:
        """Neurons by the sign of what each is worth to the output."""
        return ("positive", self.positive), ("negative", ~self.positive)


def grouped(output: torch.Tensor, n_planted: int) -> Groups:
    """The planted groups of neurons, and the sign of what each is worth to the output."""
    total = output if output.dim() == 1 else output.sum(0)
    number = torch.arange(len(total))
    return Groups(number < n_planted, (number >= n_planted) & (number < 2 * n_planted), total > 0)
