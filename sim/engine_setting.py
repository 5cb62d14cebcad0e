"""Which engine a process computes with, and under which name its results are kept. Imports neither torch nor numba.

All engines of a system compute the same numbers up to rounding, so the choice is no parameter of a trial: it must not
change its seed, hence not its data. It is a setting of the process, the environment variable THEOREMETER_ENGINE, which
workers inherit. The last bits do differ, and so `signature` is part of the fingerprint under which a trial is kept.
"""

from __future__ import annotations

import functools
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


@functools.cache
def numba_is_there() -> bool:
    """Whether the compiled engines can run."""
    return importlib.util.find_spec("numba") is not None


def signature() -> str:
    """What tells results of one engine from those of another: its name, and the compiler behind it."""
    name = setting()
    if name == "torch" or not numba_is_there():
        return "torch"
    return f"{name} {compiler()}"


@functools.cache
def compiler() -> str:
    """Versions of what compiles the kernels; asked for with every key of a store, hence looked up once."""
    return " ".join(f"{library}={importlib.metadata.version(library)}" for library in ("numba", "llvmlite"))
