"""Observables of the data that were drawn: fractions of tokens by role, which fluctuate where counts do."""

from __future__ import annotations

from sim.shallow_vit.data import CONFUSION, LABEL_RELEVANT
from sim.shallow_vit.training import TrainedVit


def realised_label_relevant_fraction(run: TrainedVit) -> float:
    """Share of label-relevant tokens in the training set."""
    return _share(run, LABEL_RELEVANT)


def realised_confusion_fraction(run: TrainedVit) -> float:
    """Share of confusion tokens in the training set."""
    return _share(run, CONFUSION)


def _share(run: TrainedVit, role: int) -> float:
    return float((run.training.train.roles == role).double().mean())
