"""Which engine trains, and under which name its results are kept. Imports neither torch nor numba.

All engines compute the same numbers up to rounding, so the choice is no parameter of a trial: it must not change its
seed, hence not its data. It is a setting of the process, the environment variable THEOREMETER_ENGINE, which workers
inherit. The last bits do differ, and so `signature` is part of the fingerprint under which a trial is kept.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sim.validation import InvalidParameter, require_one_of

VARIABLE = "THEOREMETER_ENGINE"
AUTOMATIC = "auto"
ENGINES = ("torch", "fused", "grouped", "collapsed")
"""What can be forced. All but "torch" need numba."""

INSANE_OUTPUT = 1e6
"""An output beyond it, or not a number, ends a training as diverged."""
_MOST_AXES = 32  # kernels are compiled for each dimension and unroll over it
_LEAST_GROUP = 2  # tokens of a group on average from which on sharing its gates pays


def setting() -> str:
    """The engine asked for, or "auto".

    Raises:
        InvalidParameter: an unknown name, or an engine that needs numba without it.
    """
    name = os.environ.get(VARIABLE) or AUTOMATIC
    require_one_of(VARIABLE, name, (AUTOMATIC, *ENGINES))
    if name not in (AUTOMATIC, "torch") and not numba_is_there():
        raise InvalidParameter(VARIABLE, "be torch or auto without numba (the extra `fast`)", name)
    return name


@contextmanager
def forced(name: str) -> Iterator[None]:
    """Force an engine within a block."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = name
    try:
        setting()
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def numba_is_there() -> bool:
    """Whether the compiled engines can run."""
    return importlib.util.find_spec("numba") is not None


def choose(*, n_tokens: int, n_groups: int, dimension: int, identical_tokens: bool) -> str:
    """The engine for samples of `n_tokens` tokens in `n_groups` groups, within which they may be identical.

    Raises:
        InvalidParameter: "collapsed" was forced and tokens differ.
    """
    name = setting()
    if name == "collapsed" and not identical_tokens:
        raise InvalidParameter(VARIABLE, "be another where tokens of a pattern differ", name)
    if name != AUTOMATIC:
        return name
    if not numba_is_there() or dimension > _MOST_AXES:
        return "torch"
    if identical_tokens:
        return "collapsed"
    return "grouped" if n_tokens >= _LEAST_GROUP * n_groups else "fused"


def signature() -> str:
    """What tells results of one engine from those of another: its name, and the compiler behind it."""
    name = setting()
    if name == "torch" or not numba_is_there():
        return "torch"
    versions = (f"{library}={importlib.metadata.version(library)}" for library in ("numba", "llvmlite"))
    return " ".join((name, *versions))
