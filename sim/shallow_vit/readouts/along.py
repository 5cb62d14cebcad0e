"""Curves over the looks of a training, one value a look. A public function is a curve, under its name.

Masses are those of attention on the probe, averaged over query tokens and samples, by role of the attended token.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from sim.shallow_vit.training import StepState, TrainedVit
from sim.trials.readouts import once

Curve = np.ndarray | None


def step(run: TrainedVit) -> Curve:
    """Steps taken before each look: the abscissa of all others."""
    return _along(run, lambda look: look.step)


def hinge(run: TrainedVit) -> Curve:
    """Mean hinge of the batch of that step, before it."""
    return _along(run, lambda look: look.hinge)


def mass_label_relevant(run: TrainedVit) -> Curve:
    """Mass on label-relevant tokens."""
    return _along(run, lambda look: look.masses.label_relevant)


def mass_confusion(run: TrainedVit) -> Curve:
    """Mass on confusion tokens."""
    return _along(run, lambda look: look.masses.confusion)


def mass_other(run: TrainedVit) -> Curve:
    """Mass on all others."""
    return _along(run, lambda look: look.masses.other)


def mass_own_query(run: TrainedVit) -> Curve:
    """Mass on label-relevant tokens where these are the queries."""
    return _along(run, lambda look: look.masses.own_query)


def mass_worst_query(run: TrainedVit) -> Curve:
    """The smallest over all queries: Proposition 2 speaks of every token l."""
    return _along(run, lambda look: look.masses.worst_query)


def query_norm(run: TrainedVit) -> Curve:
    """Length of the query features of pattern 1."""
    return _along(run, lambda look: float(look.weights.query[:, 0].norm()))


def key_norm(run: TrainedVit) -> Curve:
    """Length of the key features of pattern 1."""
    return _along(run, lambda look: float(look.weights.key[:, 0].norm()))


def projection_first(run: TrainedVit) -> Curve:
    """Largest projection of a neuron on the value features of pattern 1."""
    return _along_features(run, lambda onto: float(onto[:, 0].abs().max()))


def projection_rest(run: TrainedVit) -> Curve:
    """Largest projection of a neuron on those of the non-discriminative patterns."""
    return _along_features(run, lambda onto: float(onto[:, 2:].abs().max()) if onto.shape[1] > 2 else 0.0)


def _along(run: TrainedVit, read: Callable[[StepState], float]) -> Curve:
    return np.array([read(look) for look in run.training.looks]) if run.training.looks else None


def _along_features(run: TrainedVit, read: Callable[[torch.Tensor], float]) -> Curve:
    onto = once(_projections, run)
    return np.array([read(each) for each in onto]) if onto else None


def _projections(run: TrainedVit) -> list[torch.Tensor]:
    """Every neuron on the value features of every pattern of the probe at the start, at each look [m, M]."""
    training = run.training
    features = training.start.value[:, : int(training.probe.patterns.max()) + 1]
    return [look.weights.hidden @ features for look in training.looks]
