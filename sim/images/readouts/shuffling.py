"""Observables of a pair of networks on a permuted grid and on the grid put back."""

from __future__ import annotations

import torch

from sim.images.experiments.shuffling import ShuffledPair


def accuracy_permuted(run: ShuffledPair) -> float:
    """On test images, permuted, in [0, 1]."""
    return run.permuted.accuracy(run.data.test, arrange=run.shuffle)


def accuracy_restored(run: ShuffledPair) -> float:
    """On test images, put back, in [0, 1]."""
    return run.restored.accuracy(run.data.test, arrange=run.put_back)


def chance(run: ShuffledPair) -> float:
    """What naming one class for all test images reaches."""
    return run.data.chance


def is_restored(run: ShuffledPair) -> bool:
    """Whether the inverse gives the images of the data set, pixel by pixel."""
    return all(torch.equal(run.put_back(each.pixels), each.pixels) for each in (run.data.training, run.data.test))


def moved(run: ShuffledPair) -> float:
    """Share of the squares that are elsewhere, in [0, 1]."""
    return float((run.order != torch.arange(len(run.order))).double().mean())
