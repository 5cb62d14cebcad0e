"""How many worker processes this machine can keep busy: by the cores this process may use, and by free memory.

A container or a batch job has less than the machine, so affinity and the limits of control groups count as well.
"""

from __future__ import annotations

import math
import os
from contextlib import suppress
from pathlib import Path

WORKER_BYTES = 400 * 2**20
"""What a worker needs before it holds any data: Python with torch, sympy and scipy imported."""
MAX_THREADS = 1024
"""Threads that share a GPU; more wait for each other only."""
_CGROUP = Path("/sys/fs/cgroup")
_LIMITS = (("", "memory.max", "memory.current"), ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes"))
"""Of control groups, version 2 and 1: folder, and files with the limit and what is taken."""
_CACHED = "inactive_file "
"""Counted as taken, but given back when asked for."""
_MEMINFO = Path("/proc/meminfo")


def cores(*, cgroup: Path = _CGROUP) -> int:
    """Cores this process may use: those of its affinity, no more than a control group's quota."""
    with suppress(AttributeError, OSError):
        return max(1, math.ceil(min(len(os.sched_getaffinity(0)), _quota(cgroup))))
    return os.cpu_count() or 1


def free_memory(*, cgroup: Path = _CGROUP, meminfo: Path = _MEMINFO) -> float:
    """Bytes that can be had without swapping; infinite where the machine does not say."""
    free = math.inf
    for line in _lines(meminfo):
        if line.startswith("MemAvailable:"):
            free = 1024.0 * int(line.split()[1])
    for folder, most, used in _LIMITS:
        limit, taken = _number(cgroup / folder / most), _number(cgroup / folder / used)
        if math.isfinite(limit) and math.isfinite(taken):
            cached = [line.split()[1] for line in _lines(cgroup / folder / "memory.stat") if line.startswith(_CACHED)]
            free = min(free, max(limit - taken + sum(map(int, cached)), 0.0))
    return free


def memory_limit(*, cgroup: Path = _CGROUP) -> float:
    """Bytes that a control group may take; infinite where none limits."""
    return min(_number(cgroup / folder / most) for folder, most, _ in _LIMITS)


def fitting(workers: int | None, *, n_cores: int | None = None, memory: float | None = None) -> tuple[int, str]:
    """How many worker processes to start where so many are asked for (None: as many as make sense), and why not more.

    Args:
        n_cores, memory: of this machine unless given.
    """
    n_cores = cores() if n_cores is None else n_cores
    memory = free_memory() if memory is None else memory
    wanted = n_cores if workers is None else workers
    by_memory = max(1, int(memory // WORKER_BYTES)) if math.isfinite(memory) else wanted
    count = min(wanted, n_cores, by_memory)
    if count == wanted:
        return count, ""
    if by_memory < n_cores:
        room = f"{memory / 2**30:.1f} GiB of free memory, of which a worker needs {WORKER_BYTES / 2**30:.1f}"
    else:
        room = f"{n_cores} {'core' if n_cores == 1 else 'cores'} to use"
    return count, f"{wanted} workers are more than fit this machine, which has {room}; {count} start"


def _quota(cgroup: Path) -> float:
    """Cores' worth of time that a control group may take."""
    for line in _lines(cgroup / "cpu.max"):
        most, _, period = line.partition(" ")
        with suppress(ValueError):
            return int(most) / int(period)
    quota, period = _number(cgroup / "cpu/cpu.cfs_quota_us"), _number(cgroup / "cpu/cpu.cfs_period_us")
    return quota / period if math.isfinite(quota) and quota > 0 and math.isfinite(period) else math.inf


def _number(path: Path) -> float:
    """The number a file holds, infinite where there is none, or none that limits."""
    for line in _lines(path):
        with suppress(ValueError):
            number = float(int(line))
            return number if number < 2**60 else math.inf
    return math.inf


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return []
