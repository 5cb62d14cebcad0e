"""Curves over the records of a path of (alpha, gamma, rho), [records]: time, state and risk."""

from __future__ import annotations

import numpy as np

from sim.spatial_vit.reduced.dynamics import ReducedRun
from sim.spatial_vit.reduced.path_reading import gradients_of
from sim.trials.readouts import once

Curve = np.ndarray


def flow_time(run: ReducedRun) -> Curve:
    """Learning rate x steps."""
    return run.path.times if run.is_flow else run.path.times * run.learning_rate


def feature_alignment(run: ReducedRun) -> Curve:
    """alpha."""
    return run.path.states[:, 0].copy()


def within_logit(run: ReducedRun) -> Curve:
    """gamma."""
    return run.path.states[:, 1].copy()


def across_logit(run: ReducedRun) -> Curve:
    """rho."""
    return run.path.states[:, 2].copy()


def risk(run: ReducedRun) -> Curve:
    """The population risk."""
    return np.array([gradient.risk for gradient in once(gradients_of, run)], dtype=float)
