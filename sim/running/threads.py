"""Trials in threads of one process, which is how trials of the GPU engine meet (see `sim.shallow_vit.engine.gpu`).

Threads are daemons: a thread cannot be killed, so whoever leaves lets them go, and they end with the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

THREADS = 64
"""Trials at once, unless said otherwise: enough programs for a large GPU, with their data in a few GiB."""


@contextmanager
def threads(count: int) -> Iterator[Executor]:
    """Open `count` threads. Leaving takes nothing more from the queue and waits for nobody."""
    executor = ThreadExecutor(count)
    try:
        yield executor
    finally:
        executor.shutdown(wait=False)


class ThreadExecutor(Executor):
    """Daemon threads with a common queue."""

    def __init__(self, count: int) -> None:
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a call."""
        if self._ended.is_set():
            raise RuntimeError("cannot submit after shutdown")
        future: Future[Any] = Future()
        self._calls.put((future, lambda: function(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls and cancel those queued; with `wait`, until those begun are over."""
        self._ended.set()
        for _ in self._threads:  # wakes those that wait
            self._calls.put((Future(), _nothing))
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self) -> None:
        while True:
            future, call = self._calls.get()
            if self._ended.is_set():
                future.cancel()
            if not future.set_running_or_notify_cancel():
                if call is _nothing:
                    return
                continue
            try:
                future.set_result(call())
            except BaseException as error:  # SystemExit included: no call ends a thread by raising
                future.set_exception(error)


def _nothing() -> None:
    """What wakes a thread at the end."""
