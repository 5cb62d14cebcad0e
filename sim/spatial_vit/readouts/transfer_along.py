"""Curves over the looks of the worst fine-tuning of a trial, [looks]."""

from __future__ import annotations

import numpy as np

from sim.spatial_vit.sampled.transfer import TransferRun


def step(run: TransferRun) -> np.ndarray:
    """Steps taken before each look: the abscissa of all others."""
    return np.array([look.step for look in run.worst.tuned.looks], dtype=float)


def risk(run: TransferRun) -> np.ndarray:
    """The empirical risk."""
    return np.array([look.risk for look in run.worst.tuned.looks])


def feature_alignment(run: TransferRun) -> np.ndarray:
    """<v, w*>, w* the new feature."""
    return np.array([float(look.value @ run.worst.feature) for look in run.worst.tuned.looks])


def cosine(run: TransferRun) -> np.ndarray:
    """Of v and w*."""
    looks = run.worst.tuned.looks
    return np.array([float(look.value @ run.worst.feature) / float(look.value.norm()) for look in looks])
