"""Curves over the looks of a training of the network with its options: attention mass by layer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sim.shallow_vit.stack_reading import masses_of
from sim.shallow_vit.variants import TrainedStack
from sim.trials.readouts import once


def step(run: TrainedStack) -> np.ndarray:
    """Steps taken before each look: the abscissa of all others."""
    return np.array([look.step for look in run.training.looks], dtype=float)


def layers(run: TrainedStack) -> Mapping[str, np.ndarray]:
    """`mass_layer_J`: mass on label-relevant tokens, averaged over queries, heads and samples of the probe."""
    by_layer = np.array(once(masses_of, run)).T
    return {f"mass_layer_{index}": masses for index, masses in enumerate(by_layer, start=1)}
