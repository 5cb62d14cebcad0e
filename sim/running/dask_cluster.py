"""Trials on more than one machine, by dask.distributed (extra `cluster`): no transport or scheduler of our own.

`dask` starts a scheduler and single-threaded worker processes on this machine, to try a sweep as it will run on a
cluster; `dask://host:port` joins a scheduler that runs already, with the workers that whoever started it gave it, and
`dask+tls://host:port` one that asks for certificates, with those that dask's configuration names. Only
the coordinating process writes to the store; workers need the same code and libraries as the coordinator, and nothing
else. When a worker dies, the scheduler blames every trial it had given to it, those that only waited there too.
`sim.running.dispatch` tries them all again, and has the last attempt of each run alone, where the blame is sure.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from typing import Any

from sim.trials.validation import InvalidParameter

CONNECT_SECONDS = 10.0
IN_FLIGHT_AT_LEAST = 64
"""Trials submitted at a time on a foreign scheduler, whose workers may come later, started on demand."""
_PER_WORKER = 4
_REPLACEMENT_SECONDS = 20.0
_ADDRESS = re.compile(r"(dask|dask\+tls)://([^/:\s]+|\[[0-9a-fA-F:]+\]):(\d+)", re.ASCII)
_TLS_FILES = ("tls.ca-file", "tls.client.cert", "tls.client.key")

_SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # `sim.running.dispatch` does the counting
    "distributed.worker.daemon": True,
    "distributed.comm.timeouts.connect": "10s",  # of which a dead worker costs all, where it took a result with it
    "distributed.admin.log-format": "%(message)s",
}


@contextmanager
def local_cluster(workers: int) -> Iterator[Executor]:
    """A scheduler and `workers` processes of this machine, ended on leaving."""
    dask, distributed = _dask()
    with (
        dask.config.set(_SETTINGS),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",  # dask checks nobody: whoever reaches a port of its can run code as this user
            dashboard_address="127.0.0.1:0",  # any free port: without one, dask takes 8787 and warns where it is taken
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        try:
            yield ClusterExecutor(client)
        finally:
            with suppress(TimeoutError):  # told to end while it replaces a worker, dask raises and leaves processes
                client.wait_for_workers(workers, timeout=_REPLACEMENT_SECONDS)


@contextmanager
def joined_cluster(name: str) -> Iterator[Executor]:
    """The scheduler at `dask://host:port` or `dask+tls://host:port`, left running on leaving."""
    dask, distributed = _dask()
    address = scheduler_address(name)
    lacking = [file for file in _TLS_FILES if not dask.config.get(f"distributed.comm.{file}", None)]
    if address.startswith("tls:") and lacking:
        names = ", ".join(f"distributed.comm.{file}" for file in lacking)
        raise InvalidParameter("executor", f"have {names} set in dask's configuration", name)
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # the last two on certificates that are none
        raise InvalidParameter("executor", f"name a dask scheduler that answers ({error})", name) from None
    with client:
        yield ClusterExecutor(client)


class ClusterExecutor(Executor):
    """A dask client's calls as standard futures, every one of which ends.

    The client's own executor forgets a future whose result was told of and is lost with its worker before it is
    fetched, and its caller waits for ever.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send the call to the scheduler; the future also ends where the client is closed, cancelled."""
        call = self._client.submit(function, *args, pure=False, **kwargs)
        return asyncio.run_coroutine_threadsafe(_result(call), self._client.loop.asyncio_loop)


async def _result(call: Any) -> Any:
    return await call


def may_be_a_neighbour(error: BaseException) -> bool:
    """Whether a call's error says only that its worker died: of that call, or of another that it was given."""
    _, distributed = _dask()
    return isinstance(error, distributed.KilledWorker)


def in_flight(workers: int) -> int:
    """How many trials to have submitted, so that no worker of a local cluster waits."""
    return _PER_WORKER * workers


def scheduler_address(name: str) -> str:
    """`dask://host:port` or `dask+tls://host:port` as dask writes it.

    Raises:
        InvalidParameter: on anything else.
    """
    match = _ADDRESS.fullmatch(name)
    if match is None or len(match[3]) > 5 or not 0 < int(match[3]) < 65536:
        rule = "be process, serial, threads, dask or dask://host:port or dask+tls://host:port"
        raise InvalidParameter("executor", rule, name)
    return f"{'tls' if match[1] == 'dask+tls' else 'tcp'}://{match[2]}:{match[3]}"


def _dask() -> tuple[Any, Any]:
    try:
        import dask
        import distributed
    except ImportError:
        raise InvalidParameter(
            "executor", 'have dask.distributed installed (pip install "theoremeter[cluster]")', "dask"
        ) from None
    return dask, distributed
