"""The logits A of a training of the full network at a few looks, first to last. A public function is a curve."""

from __future__ import annotations

import numpy as np

from sim.spatial_vit.sampled.training import NetworkLook, TrainedSpatialVit


def map_step(run: TrainedSpatialVit) -> np.ndarray:
    """Steps taken before each map, [maps]."""
    return np.array([look.step for look in _shown(run)], dtype=np.int32)


def logit_map(run: TrainedSpatialVit) -> np.ndarray:
    """A at each, in half precision, [maps, patches, patches]; what is beyond that, in a diverged run, is infinite."""
    with np.errstate(over="ignore"):
        return np.stack([look.logits.numpy() for look in _shown(run)]).astype(np.float16)


def _shown(run: TrainedSpatialVit) -> list[NetworkLook]:
    """The first look, the last, and the nearest to half of the steps between."""
    looks, steps = run.looks, np.array([look.step for look in run.looks])
    return [looks[place] for place in sorted({0, int(abs(steps - steps[-1] / 2).argmin()), len(looks) - 1})]
