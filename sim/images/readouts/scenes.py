"""Observables of a training on scenes, or of two."""

from __future__ import annotations

from sim.images.experiments.scene_training import ScenesRun, Trained
from sim.trials.readouts import once


def accuracy(run: ScenesRun) -> float:
    """On test images, sparsified like those for training, in [0, 1]."""
    return _accuracy(run, run.found)


def success(run: ScenesRun) -> bool:
    """Whether it is at least the target."""
    return not run.found.diverged and once(accuracy, run) >= run.target_accuracy


def alpha(run: ScenesRun) -> float:
    """alpha_*, the mean share of label-relevant tokens."""
    return run.found.alpha


def beside_accuracy(run: ScenesRun) -> float | None:
    """That of the second training."""
    return None if run.beside is None else _accuracy(run, run.beside)


def beside_alpha(run: ScenesRun) -> float | None:
    """That of the second training."""
    return None if run.beside is None else run.beside.alpha


def _accuracy(run: ScenesRun, trained: Trained) -> float:
    return trained.learner.accuracy(run.data.test.images, keep=trained.keep)
