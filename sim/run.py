"""Run the trials that a store lacks, on all cores, and commit each as it ends.

Workers are spawned processes with one BLAS thread; they import a simulator by its path and return its result. Only the
coordinating process writes. Interrupting loses at most the trials in flight; running again continues.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context

from sim.store import Store
from sim.trial import Outcome, System, Trial, TrialResult, TrialSpec
from sim.validation import require_integer

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_COMMIT_SECONDS = 1.0


@dataclass(frozen=True)
class Progress:
    """State of a run after some trial ended."""

    done: int
    total: int
    failed: int
    seconds: float
    current: str

    @property
    def seconds_left(self) -> float:
        """Time left at the rate so far."""
        return self.seconds / self.done * (self.total - self.done) if self.done else float("inf")


@dataclass(frozen=True)
class RunReport:
    """What a run did: trials measured now, and the error text of each that failed."""

    measured: int
    failures: tuple[str, ...]
    seconds: float


def simulator(system: System) -> Callable[..., TrialResult]:
    """The function behind a system; importing it may import torch."""
    module, _, name = system.function.partition(":")
    return getattr(importlib.import_module(module), name)


def simulate_spec(spec: TrialSpec) -> TrialResult:
    """Run one trial in this process and let its errors through.

    On one thread, here as in every worker: the number of threads decides the order of sums, and with it the last bits.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return simulator(spec.system)(**spec.parameters, generator=torch.Generator().manual_seed(spec.seed))
    finally:
        torch.set_num_threads(threads)


def run_trial(spec: TrialSpec) -> Trial:
    """Run one trial in this process. An exception of the simulator becomes the outcome FAILED with its text."""
    start = time.perf_counter()
    try:
        simulator(spec.system)  # imports torch, which takes seconds that are not the trial's
        start = time.perf_counter()
        result = simulate_spec(spec)
    except Exception as error:  # the trial fails, the sweep goes on and reports it
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        result = TrialResult(Outcome.FAILED, {"error": text})
    return Trial(spec, result, time.perf_counter() - start)


def run(
    specs: Sequence[TrialSpec],
    store: Store,
    *,
    workers: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> RunReport:
    """Measure what the store lacks. Failed trials are reported, not stored, so that a later run tries them again.

    Args:
        workers: processes; 0 runs in this process; default all cores.
    """
    todo = store.missing(specs)
    start = time.perf_counter()
    pending: list[Trial] = []
    failures: list[str] = []
    last_commit = start
    processes = (os.cpu_count() or 1) if workers is None else workers
    require_integer(least=0, workers=processes)
    try:
        with closing(_finished(todo, processes)) as finished:
            for done, trial in enumerate(finished, start=1):
                spec, result = trial.spec, trial.result
                if result.outcome == Outcome.FAILED:
                    failures.append(f"{spec.system.name} {dict(spec.parameters)}: {result.observables['error']}")
                else:
                    pending.append(trial)
                now = time.perf_counter()
                if now - last_commit > _COMMIT_SECONDS:
                    store.put(pending)
                    pending, last_commit = [], now
                report(Progress(done, len(todo), len(failures), now - start, spec.system.name))
    finally:
        store.put(pending)
    return RunReport(len(todo) - len(failures), tuple(failures), time.perf_counter() - start)


def _finished(specs: Sequence[TrialSpec], workers: int) -> Generator[Trial, None, None]:
    """Trials in the order in which they end."""
    if workers == 0 or not specs:
        yield from map(run_trial, specs)
        return
    for variable in _THREAD_VARIABLES:  # inherited by spawned workers before their BLAS wakes up
        os.environ.setdefault(variable, "1")
    context = get_context("spawn")
    count = min(workers, len(specs))
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        waiting: set[Future[Trial]] = set()
        queue = iter(specs)
        try:
            while True:
                while len(waiting) < 4 * count and (spec := next(queue, None)) is not None:
                    waiting.add(pool.submit(run_trial, spec))
                if not waiting:
                    return
                ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        except BrokenProcessPool:
            raise RuntimeError("a worker process died (out of memory or killed); run again to continue") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
