"""Observables of a pair of ViTs with positional and with vanilla attention."""

from __future__ import annotations

from sim.images.experiments.attention_kinds import AttentionPair
from sim.images.training.course import TrainedNetwork


def accuracy_positional(run: AttentionPair) -> float:
    """On test images, in [0, 1]."""
    return run.positional.accuracy(run.data.test)


def accuracy_vanilla(run: AttentionPair) -> float:
    """On test images, in [0, 1]."""
    return run.vanilla.accuracy(run.data.test)


def loss_positional(run: AttentionPair) -> float:
    """Mean training loss of the last tenth of the steps; 0 without steps."""
    return _late_loss(run, run.positional)


def loss_vanilla(run: AttentionPair) -> float:
    """Mean training loss of the last tenth of the steps; 0 without steps."""
    return _late_loss(run, run.vanilla)


def chance(run: AttentionPair) -> float:
    """What naming one class for all test images reaches."""
    return run.data.chance


def _late_loss(run: AttentionPair, found: TrainedNetwork) -> float:
    last = found.losses[-max(1, run.course.steps // 10) :]
    return float(last.mean()) if len(last) else 0.0
