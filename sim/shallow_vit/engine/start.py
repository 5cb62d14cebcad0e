"""Build the engine for a training set. The compiled ones are imported, and compiled, when first needed."""

from __future__ import annotations

import functools
from pathlib import Path
from types import ModuleType

from sim.engine_setting import GPU_ENGINES
from sim.kernels.cache import kernels_kept
from sim.shallow_vit.data import Samples
from sim.shallow_vit.engine.choice import choose
from sim.shallow_vit.engine.interface import Engine, StepRule
from sim.shallow_vit.engine.reference import TorchEngine
from sim.shallow_vit.engine.structure import same_tokens_by_pattern, sums_fit
from sim.shallow_vit.model import Weights


def start(train: Samples, weights: Weights, rule: StepRule) -> Engine:
    """The engine that fits the structure of the training set, or the one that was forced (see `choice`)."""
    name = choose(
        n_tokens=train.tokens.shape[1],
        n_groups=int(train.patterns.max()) + 1,
        dimension=train.tokens.shape[2],
        identical_tokens=same_tokens_by_pattern(train) and sums_fit(train, weights),
    )
    if name == "torch":
        return TorchEngine(train, weights, rule)
    if name in GPU_ENGINES:
        from sim.shallow_vit.engine.gpu import GpuEngine

        return GpuEngine(train, weights, rule, name=name)
    module = compiled()
    if name == "collapsed":
        return module.CollapsedEngine(train, weights, rule)
    return module.FusedEngine(train, weights, rule, grouped=name == "grouped")


@functools.cache
def compiled() -> ModuleType:
    """The module of compiled engines, its kernels bound to their cache."""
    with kernels_kept(Path(__file__).parent):
        from sim.shallow_vit.engine import compiled as module
    return module
