"""Attention maps along a training. A public function is a curve, under its name."""

from __future__ import annotations

import numpy as np

from sim.shallow_vit.attention_by_kind import mapped, maps_of
from sim.shallow_vit.training import TrainedVit


def map_step(run: TrainedVit) -> np.ndarray | None:
    """Steps taken before each map, [maps]."""
    looks = run.training.looks
    return np.array([look.step for look in mapped(looks)], dtype=np.int32) if looks else None


def attention_map(run: TrainedVit) -> np.ndarray | None:
    """Attention between kinds of tokens, [maps, kinds, kinds]; see `attention_by_kind`."""
    looks = run.training.looks
    return maps_of(looks, run.training.probe) if looks else None
