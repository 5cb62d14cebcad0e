"""Curves over the looks of a training on Gaussian patches, [looks]; none where it diverged."""

from __future__ import annotations

import numpy as np

from sim.spatial_vit.baselines.gaussian_patches import TrainedOnPatches
from sim.spatial_vit.baselines.patch_errors import error_of
from sim.spatial_vit.network import model
from sim.trials.trial import Outcome

Curve = np.ndarray | None


def step(run: TrainedOnPatches) -> Curve:
    """Steps taken by each look: the abscissa of the others."""
    return None if _is_lost(run) else np.array([look.step for look in run.looks], dtype=float)


def risk(run: TrainedOnPatches) -> Curve:
    """Logistic risk of the batch of that step, before it."""
    return None if _is_lost(run) else np.array([look.risk for look in run.looks])


def test_error(run: TrainedOnPatches) -> Curve:
    """Share of the test samples on which the sign of F is not the label."""
    if _is_lost(run):
        return None
    outputs = (model.forward(run.test.patches, look.logits, look.value, run.setting) for look in run.looks)
    return np.array([error_of(each, run.test) for each in outputs])


def final_logits(run: TrainedOnPatches) -> Curve:
    """A at the end, [patches, patches]."""
    return None if _is_lost(run) else run.looks[-1].logits.numpy()


def _is_lost(run: TrainedOnPatches) -> bool:
    return run.outcome is Outcome.DIVERGED
