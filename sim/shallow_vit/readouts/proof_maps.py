"""Attention maps along a proof's training. A public function is a curve, under its name."""

from __future__ import annotations

import numpy as np

from sim.shallow_vit.attention_by_kind import mapped, maps_of
from sim.shallow_vit.course import ProofRun
from sim.shallow_vit.proof_reading import is_recorded


def map_step(run: ProofRun) -> np.ndarray | None:
    """Steps taken before each map, [maps]."""
    looks = run.looks.looks
    return np.array([look.step for look in mapped(looks)], dtype=np.int32) if is_recorded(run) else None


def attention_map(run: ProofRun) -> np.ndarray | None:
    """Attention between kinds of tokens, [maps, kinds, kinds]; see `attention_by_kind`."""
    return maps_of(run.looks.looks, run.probe) if is_recorded(run) else None
