"""What a training asks of an engine, whatever computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch

from sim.shallow_vit.data import Samples
from sim.shallow_vit.model import Weights


@dataclass(frozen=True)
class StepRule:
    """What every step of a training has in common."""

    batch_size: int
    learning_rate: float
    train_attention: bool


@dataclass(frozen=True)
class Advance:
    """What became of a block of steps.

    Attributes:
        steps: how many ran; the next one diverged unless `sane`.
        last_move: the last of them that moved a weight, counted from 0; -1 if none did.
        loss, first_loss: mean hinge of the last and of the first batch, under the weights before their steps.
    """

    steps: int
    last_move: int
    loss: float
    first_loss: float
    sane: bool


@dataclass(frozen=True)
class Masses:
    """Attention masses of a set of samples, averaged over query tokens and samples.

    By role of the attended token; `own_query` is the mass on label-relevant tokens where these are the queries,
    `worst_query` its smallest value over all queries.
    """

    label_relevant: float
    confusion: float
    other: float
    own_query: float
    worst_query: float


class Engine(Protocol):
    """A network in training on one training set."""

    name: str

    def advance(self, order: torch.Tensor, first: int, count: int) -> Advance:
        """Run `count` steps on the batches number `first` and on of a pass in the given order of samples."""
        ...

    def weights(self) -> Weights:
        """Weights as they are now."""
        ...

    def masses(self, n_samples: int) -> Masses:
        """Attention masses on the first training samples."""
        ...

    def outputs(self, samples: Samples) -> torch.Tensor:
        """Outputs F [n] of any samples under the weights as they are now."""
        ...
