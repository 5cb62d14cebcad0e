"""Which engine a process computes with, and under which name its results are kept.

Imports neither numba nor, unless a GPU is asked for, torch.

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
from contextlib import contextmanager, suppress

from sim.trials.validation import InvalidParameter, require_one_of

VARIABLE = "THEOREMETER_ENGINE"
AUTOMATIC = "auto"
GPU_ENGINES = ("gpu", "gpu-tf32")
ENGINES = ("torch", "fused", "grouped", "collapsed", *GPU_ENGINES)
"""What can be forced. Those of the CPU but "torch" need numba, the others a GPU and triton."""


def setting() -> str:
    """The engine asked for, or "auto".

    Raises:
        InvalidParameter: an unknown name, or an engine that cannot run here.
    """
    return checked(os.environ.get(VARIABLE) or AUTOMATIC, argument=VARIABLE)


def checked(name: str, *, argument: str) -> str:
    """The name of an engine that can run here.

    Raises:
        InvalidParameter: an unknown name, or an engine that needs numba or a GPU without it; it speaks of `argument`.
    """
    require_one_of(argument, name, (AUTOMATIC, *ENGINES))
    if name in GPU_ENGINES:
        _require_gpu(name, argument)
    elif name not in (AUTOMATIC, "torch") and not numba_is_there():
        raise InvalidParameter(argument, "be torch or auto without numba (the extra `fast`)", name)
    return name


def available() -> list[str]:
    """All that can be asked for on this machine."""
    found = []
    for name in (AUTOMATIC, *ENGINES):
        with suppress(InvalidParameter):
            found.append(checked(name, argument=VARIABLE))
    return found


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


def gpu_device() -> str:
    """Where a GPU engine computes, as torch calls it: the CPU where Triton is told to interpret its kernels."""
    return "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"


def _require_gpu(name: str, argument: str) -> None:
    if importlib.util.find_spec("triton") is None:
        raise InvalidParameter(argument, "be another without triton (the extra `gpu`)", name)
    if gpu_device() == "cpu":
        return
    import torch  # which knows what its build can use; nobody gets here unless a GPU engine is asked for

    if not torch.cuda.is_available():
        others = ", ".join((AUTOMATIC, *(one for one in ENGINES if one not in GPU_ENGINES)))
        raise InvalidParameter(argument, f"be one of {others} on a machine without a GPU that torch can use", name)


def signature() -> str:
    """What tells results of one engine from those of another: its name, and the compiler behind it."""
    name = setting()
    if name in GPU_ENGINES:
        return f"{name} triton={importlib.metadata.version('triton')} {_gpu_model()}"
    if name == "torch" or not numba_is_there():
        return "torch"
    return f"{name} {compiler()}"


@functools.cache
def _gpu_model() -> str:
    """What the device calls itself: kernels are compiled for it, and sums may group otherwise on another."""
    if gpu_device() == "cpu":
        return "interpreted"
    import torch

    return torch.cuda.get_device_name()


@functools.cache
def compiler() -> str:
    """Versions of what compiles the kernels; asked for with every key of a store, hence looked up once."""
    return " ".join(f"{library}={importlib.metadata.version(library)}" for library in ("numba", "llvmlite"))
