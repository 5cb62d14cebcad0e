"""Build the engine for a training set. The compiled ones are imported, and compiled, when first needed.

numba notices a change of a kernel but not of what the kernel calls, so compiled code is kept in a folder named after
all sources of this package: beside them where that can be written, otherwise in the system's temporary folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from sim.shallow_vit.data import Samples
from sim.shallow_vit.engine.choice import choose
from sim.shallow_vit.engine.interface import Engine, StepRule
from sim.shallow_vit.engine.reference import TorchEngine
from sim.shallow_vit.engine.structure import same_tokens_by_pattern
from sim.shallow_vit.model import Weights

_MOST_SUMS_BYTES = 1 << 30


def start(train: Samples, weights: Weights, rule: StepRule) -> Engine:
    """The engine that fits the structure of the training set, or the one that was forced (see `choice`)."""
    name = choose(
        n_tokens=train.tokens.shape[1],
        n_groups=int(train.patterns.max()) + 1,
        dimension=train.tokens.shape[2],
        identical_tokens=same_tokens_by_pattern(train) and _sums_fit(train, weights),
    )
    if name == "torch":
        return TorchEngine(train, weights, rule)
    module = compiled()
    if name == "collapsed":
        return module.CollapsedEngine(train, weights, rule)
    return module.FusedEngine(train, weights, rule, grouped=name == "grouped")


def _sums_fit(train: Samples, weights: Weights) -> bool:
    """Whether the sums of per-token output layers over groups, which collapsing keeps for every sample, fit memory."""
    if weights.output.dim() == 1:
        return True
    n_patterns = int(train.patterns.max()) + 1
    return len(train) * n_patterns * len(weights.hidden) * weights.output.element_size() <= _MOST_SUMS_BYTES


@functools.cache
def compiled() -> ModuleType:
    """The module of compiled engines, its kernels bound to their cache."""
    import numba

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_cache_folder(before))
    try:
        from sim.shallow_vit.engine import compiled as module
    finally:
        numba.config.CACHE_DIR = before
    return module


def _cache_folder(asked_for: str) -> Path:
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(here.glob("*.py")):
        digest.update(path.read_bytes())
    name = f"kernels-{digest.hexdigest()[:16]}"
    if asked_for:
        return Path(asked_for) / name
    beside = here / "__pycache__"
    with suppress(OSError):
        beside.mkdir(exist_ok=True)
    if os.access(beside, os.W_OK):
        return beside / name
    return Path(tempfile.gettempdir()) / f"theoremeter-{os.getuid()}" / name
