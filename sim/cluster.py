"""Trials on more than one machine, by dask.distributed (extra `cluster`): no transport or scheduler of our own.

`dask` starts a scheduler and single-threaded worker processes on this machine, to try a sweep as it will run on a
cluster; `dask://host:port` joins a scheduler that runs already, with the workers that whoever started it gave it. Only
the coordinating process writes to the store; workers need the same code and libraries as the coordinator, and nothing
else. A worker that dies costs the trials it was running: the scheduler gives them to others, and what killed a worker
is told as a failed call, which `sim.dispatch` tries again and in the end counts as the trial's failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from sim.validation import InvalidParameter

CONNECT_SECONDS = 10.0
IN_FLIGHT_AT_LEAST = 64
"""Trials submitted at a time on a foreign scheduler, whose workers may come later, started on demand."""
_PER_WORKER = 4
_ADDRESS = re.compile(r"dask://([^/:\s]+|\[[0-9a-fA-F:]+\]):(\d+)")

_SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # `sim.dispatch` does the counting
    "distributed.worker.daemon": True,
    "distributed.admin.log-format": "%(message)s",
}


@contextmanager
def local_cluster(workers: int) -> Iterator[Executor]:
    """A scheduler and `workers` processes of this machine, ended on leaving."""
    dask, distributed = _dask()
    with (
        dask.config.set(_SETTINGS),
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client.get_executor(pure=False)


@contextmanager
def joined_cluster(name: str) -> Iterator[Executor]:
    """The scheduler at `dask://host:port`, left running on leaving."""
    _, distributed = _dask()
    try:
        client = distributed.Client(scheduler_address(name), timeout=CONNECT_SECONDS, set_as_default=False)
    except OSError as error:
        raise InvalidParameter("executor", f"name a dask scheduler that answers ({error})", name) from None
    with client:
        yield client.get_executor(pure=False)


def in_flight(workers: int) -> int:
    """How many trials to have submitted, so that no worker of a local cluster waits."""
    return _PER_WORKER * workers


def scheduler_address(name: str) -> str:
    """`dask://host:port` as dask writes it.

    Raises:
        InvalidParameter: on anything else.
    """
    match = _ADDRESS.fullmatch(name)
    if match is None or not 0 < int(match[2]) < 65536:
        raise InvalidParameter("executor", "be process, serial, threads, dask or dask://host:port", name)
    return f"tcp://{match[1]}:{match[2]}"


def _dask() -> tuple[Any, Any]:
    try:
        import dask
        import distributed
    except ImportError:
        raise InvalidParameter(
            "executor", 'have dask.distributed installed (pip install "theoremeter[cluster]")', "dask"
        ) from None
    return dask, distributed
