"""Curves over the looks of a training without attention."""

from __future__ import annotations

import numpy as np

from sim.shallow_vit.local import LocalRun


def step(run: LocalRun) -> np.ndarray:
    """Steps taken before each look."""
    return np.array([look.step for look in run.looks], dtype=float)


def hinge(run: LocalRun) -> np.ndarray:
    """Mean hinge of the batch of that step, before it."""
    return np.array([look.hinge for look in run.looks])
