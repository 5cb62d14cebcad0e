"""Whether a descent is compiled here, and the module that does it, imported and compiled when first needed."""

from __future__ import annotations

import functools
from pathlib import Path
from types import ModuleType

from sim import engine_setting
from sim.kernels.cache import kernels_kept


def is_compiled() -> bool:
    """Whether numba is there and nobody forced torch."""
    return engine_setting.setting() != "torch" and engine_setting.numba_is_there()


@functools.cache
def compiled() -> ModuleType:
    """The module of compiled descents, its kernels bound to their cache."""
    with kernels_kept(Path(__file__).parent):
        from sim.spatial_vit.engine import compiled as module
    return module
