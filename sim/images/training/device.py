"""Where networks on images are trained: the CPU, or a GPU that a worker process has to itself.

A setting of the process, the environment variable THEOREMETER_DEVICE, which workers inherit, and no parameter of a
trial: it must not change a seed. Results on a GPU differ in more than last bits, so the setting is part of the
fingerprint under which a trial is kept. The default is the CPU, also where there is a GPU: its results can be repeated
bit for bit.

Each worker process takes the first GPU that no other process of this user holds, by a lock on a small file that ends
with the process. Workers beyond the number of GPUs share them. Where workers are started with CUDA_VISIBLE_DEVICES, as
on a cluster, each sees one GPU alone and takes it.
"""

from __future__ import annotations

import functools
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from sim.trials.validation import require, require_one_of

VARIABLE = "THEOREMETER_DEVICE"
DEVICES = ("cpu", "cuda")


def setting() -> str:
    """The kind of device asked for, one of `DEVICES`. Imports no torch.

    Raises:
        InvalidParameter: an unknown kind.
    """
    kind = os.environ.get(VARIABLE) or DEVICES[0]
    require_one_of(VARIABLE, kind, DEVICES)
    return kind


def signature() -> str:
    """What tells results of one kind of device from those of another."""
    return f"device={setting()}"


def device() -> str:
    """The device of this process, as torch calls it: "cpu", or "cuda:0" and so on.

    Raises:
        InvalidParameter: a GPU is asked for, and torch can use none.
    """
    if setting() == "cpu":
        return "cpu"
    import torch

    require(torch.cuda.is_available(), VARIABLE, "be cpu on a machine without a GPU that torch can use", setting())
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    return f"cuda:{_held(torch.cuda.device_count(), f'{os.getuid()}-{visible}'.replace('/', '-'))}"


@functools.cache
def _held(count: int, family: str) -> int:
    """Number of the GPU that this process holds until it ends."""
    return claimed(count, Path(tempfile.gettempdir()), family)[0]


_LOCKS: list[int] = []
"""Open locks of this process, which end with it."""


def claimed(count: int, folder: Path, family: str) -> tuple[int, bool]:
    """The first of `count` GPUs that no process holds, and whether it is free of others; one to share otherwise.

    Args:
        folder: where the locks lie.
        family: opens the names of the locks: processes that number their GPUs alike have the same.
    """
    import fcntl

    for number in range(count):
        path = folder / f"theoremeter-gpu-{family}-{number}.lock"
        with suppress(OSError):
            lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
                continue
            _LOCKS.append(lock)
            return number, True
    return os.getpid() % count, False
