"""Run the trials that a store lacks, wherever they run, and commit them as they end.

Workers import a simulator by its path and return its result; only the coordinating process, the one that called `run`,
writes. It leases trials from the store a few seconds' worth at a time, so that several may work on one store. However
it ends, at most the trials in flight and those of the last second are lost; running again continues.

A trial's result depends on its spec alone: its seed derives from it, and a simulator computes on one thread. Which
executor ran it, with how many workers, in which order and how often it was interrupted therefore changes no bit.
"""

from __future__ import annotations

import functools
import math
import os
import random
import socket
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field

from sim.engine_setting import forced, setting
from sim.running.dispatch import Dispatcher, Measured, failed_trial, share_of_memory
from sim.running.executors import Backend, CallLimits, can_be_interrupted, find, importing
from sim.running.limits import IMPORT_SECONDS, bytes_held, seconds_of
from sim.running.needs import runnable
from sim.running.time_left import Group, TimeLeft, one_of_each
from sim.store.rows import unkeepable
from sim.store.store import LEASE_SECONDS, Store, StoreError
from sim.trials.errors import printable
from sim.trials.readouts import observed
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec, loaded
from theoremeter_papers import locate

COMMIT_SECONDS = 1.0
"""Finished trials are committed about so often; they come in one transaction."""
_RENEW_SECONDS = LEASE_SECONDS / 4
_LOOK_SECONDS = 0.5  # so often we ask what became of trials that another process holds
_MAX_CLAIMED = 1000
_ESTIMATE_SECONDS = 0.2
_SILENCE_SECONDS = 10.0  # after which a run says what it waits for


@dataclass(frozen=True)
class WorkerProgress:
    """What one worker did so far."""

    done: int
    busy_seconds: float
    last: str


@dataclass(frozen=True)
class Progress:
    """State of a run after some trial ended.

    Attributes:
        done, total: trials that ended, here or in another process on the same store, of those lacking at the start.
        failed: how many of them failed for good.
        seconds: since the start.
        current: what the last trial belongs to.
        workers: what each worker did, by name.
        estimate: seconds left, where whoever reports knows better than the rate so far.
    """

    done: int
    total: int
    failed: int
    seconds: float
    current: str
    workers: Mapping[str, WorkerProgress] = field(default_factory=dict)
    estimate: float | None = None

    @property
    def rate(self) -> float:
        """Trials a second so far."""
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float:
        """Time left: as estimated, else at the rate so far."""
        if self.estimate is not None:
            return self.estimate
        return self.seconds / self.done * (self.total - self.done) if self.done else float("inf")


@dataclass(frozen=True)
class RunReport:
    """What a run did.

    Attributes:
        measured: trials measured now.
        elsewhere: trials that another process on the same store ended meanwhile.
        waiting: trials left out, because this machine lacks what they need.
        failures: of all trials asked for, those stored as failed, now or earlier: what and why, in one line each; and
            replays that did not repeat their trials.
        seconds: how long it took.
    """

    measured: int
    failures: tuple[str, ...]
    seconds: float
    elsewhere: int = 0
    waiting: int = 0


def simulator(system: System) -> Callable[..., TrialResult]:
    """The function behind a system; importing it may import torch."""
    locate(system.folder)
    return loaded(system.path)


def simulate_spec(spec: TrialSpec) -> TrialResult:
    """Run one trial in this process and let its errors through.

    On one thread, here as in every worker: the number of threads decides the order of sums, and with it the last bits.
    """
    if not spec.system.uses_torch:
        returned = simulator(spec.system)(**spec.arguments, generator=random.Random(spec.seed))
        return observed(spec.system, returned)
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        returned = simulator(spec.system)(**spec.arguments, generator=torch.Generator().manual_seed(spec.seed))
        return observed(spec.system, returned)
    finally:
        torch.set_num_threads(threads)


def run_trial(spec: TrialSpec) -> Trial:
    """Run one trial in this process. Whatever the simulator raises becomes the outcome FAILED with its text.

    Only an interruption ends the run; `sys.exit()` in somebody's simulator does not.

    Its seconds are CPU seconds of the one thread it computes on, so that they say what a trial costs, whoever else is
    at work on the machine.
    """
    start = time.thread_time()
    try:
        with importing(spec.system.module):  # torch as well, which takes seconds that are not the trial's
            simulator(spec.system)
        start = time.thread_time()
        result = simulate_spec(spec)
        if rule := unkeepable(result):  # the simulator's failure, not the run's
            raise ValueError(rule)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the trial fails, the sweep goes on and reports it
        return failed_trial(spec, error, seconds=time.thread_time() - start)
    return Trial(spec, result, time.thread_time() - start)


def measure(spec: TrialSpec, *, engine: str | None = None) -> Measured:
    """Run one trial, with the engine that the coordinating process has set, and say who did.

    Workers of this machine inherit the setting; those elsewhere have an environment of their own.
    """
    with nullcontext() if engine is None or engine == setting() else forced(engine):
        return Measured(run_trial(spec), f"{socket.gethostname()}:{os.getpid()}")


def run(
    specs: Sequence[TrialSpec],
    store: Store,
    *,
    executor: str | Callable[[], AbstractContextManager[Executor]] = "process",
    workers: int | None = None,
    retry_failed: bool | Collection[Outcome] = False,
    memory: float | None = None,
    trial_seconds: float | None = None,
    trial_bytes: float | None = None,
    label: Callable[[TrialSpec], str] = lambda spec: spec.system.name,
    expected: Callable[[TrialSpec], float] = lambda spec: 1.0,
    report: Callable[[Progress], None] = lambda progress: None,
    tell: Callable[[str], None] = lambda words: None,
) -> RunReport:
    """Measure what the store lacks, sharing the work with whoever else does; return when all of `specs` have ended.

    Args:
        executor: a name that `sim.running.executors.find` knows, or a function that opens any
        `concurrent.futures.Executor`;
            it is called again where the executor breaks.
        workers: how many work at a time; 0 runs in this process; default all cores.
        retry_failed: run again what the store holds as failed, or only what has one of these outcomes.
        memory: bytes that trials in flight may need together, and that worker processes may hold; default 80 % of this
            machine's.
        trial_seconds: the most seconds by the clock that a trial may take in a worker process (`sim.running.limits`);
            default as its system says, else an hour, or far more than expected.
        trial_bytes: the most memory that the worker of a trial may hold; default far more than its system states.
        label: what a trial belongs to, for the progress.
        expected: a guess of a trial's CPU seconds, for the time left; only their ratios count after a while.
        tell: told in a line, each time that changes, whom the run waits for; and, once each, what this machine lacks
            for trials that are left out, and how many trials run again for readouts that they lack.

    Raises:
        StoreError: the store takes no more; what was committed is kept, and the text counts what was not.
    """
    memory = share_of_memory() if memory is None else memory
    most_seconds = functools.partial(seconds_of, expected=expected, asked=trial_seconds)
    most_bytes = functools.partial(bytes_held, asked=trial_bytes)
    limits = CallLimits(most_seconds, memory, IMPORT_SECONDS, most_bytes, lambda spec: sweep.say_who_holds(spec))
    backend = find(executor if isinstance(executor, str) else "process", workers=workers, limits=limits)
    if not isinstance(executor, str):
        backend = Backend(executor, in_flight=max(1, backend.in_flight))
    todo, waiting = runnable(store.missing(specs, retry_failed=retry_failed), tell, label)
    if words := _replay_words(todo, store):
        tell(words)
    is_here = executor == "serial" or (executor == "process" and workers == 0)
    can_end = can_be_interrupted() if is_here else executor == "process"  # nothing else can be ended from outside
    sweep = _Sweep(
        store,
        todo,
        retry_failed=retry_failed,
        label=label,
        expected=expected,
        report=report,
        tell=tell,
        most_seconds=most_seconds if can_end else None,
    )
    if todo:
        sweep.run(Dispatcher(backend, functools.partial(measure, engine=setting()), memory=memory))
    failures = (*map(_describe, store.failures(specs)), *sweep.refused)
    return RunReport(sweep.measured, failures, sweep.clock(), sweep.elsewhere, waiting)


def _replay_words(todo: Sequence[TrialSpec], store: Store) -> str:
    """How many of the trials to be run have ended before, and what they took; "" for none."""
    ended = store.get(spec for spec in todo if spec.asked)
    if not ended:
        return ""
    took = sum(trial.seconds for trial in ended.values())
    lacking = sorted({name for spec in todo if spec.asked for name in spec.asked})
    named = f"{', '.join(lacking[:3])}{f' and {len(lacking) - 3} more' if len(lacking) > 3 else ''}"
    return (
        f"{len(ended)} of {len(todo)} trials have ended before and run again for readouts that the store lacks "
        f"({named}), as in trials taken of an archive; they took {took:.0f} s of CPU"
    )


def _describe(trial: Trial) -> str:
    return printable(
        f"{trial.spec.system.name} {dict(trial.spec.parameters)}: {trial.result.observables['error']}", most=2000
    )


class _Sweep:
    """One run: trials not yet leased, leased and dispatched, held by others, and ended but not yet committed."""

    def __init__(
        self,
        store: Store,
        todo: Sequence[TrialSpec],
        *,
        retry_failed: bool | Collection[Outcome],
        label: Callable[[TrialSpec], str],
        report: Callable[[Progress], None],
        expected: Callable[[TrialSpec], float] = lambda spec: 1.0,
        tell: Callable[[str], None] = lambda words: None,
        most_seconds: Callable[[TrialSpec], float] | None = None,
    ) -> None:
        self._most_seconds = most_seconds
        self.measured = self.elsewhere = self.failed = 0
        self.refused: tuple[str, ...] = ()
        self._store, self._total, self._retry_failed = store, len(todo), retry_failed
        self._label, self._report, self._tell_words = label, report, tell
        self._expected = expected
        todo = one_of_each(todo, self._group)
        self._left = TimeLeft((self._group(spec), expected(spec)) for spec in todo)
        self._estimate = math.inf, -math.inf
        self._holders: set[str] = set()
        self._told = ""
        self._granted = False  # anything since the last look
        self._waiting = deque(todo)
        self._held: list[TrialSpec] = []
        self._pending: list[Trial] = []
        self._workers: dict[str, WorkerProgress] = {}
        self._start = self._committed = self._renewed = self._looked = time.perf_counter()
        self._last_end = self._last_word = self._start
        self._block = 1

    def clock(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._start

    def run(self, dispatcher: Dispatcher) -> None:
        """Go on until every trial has ended, here or elsewhere; whatever happens, end the workers, then commit."""
        try:
            with dispatcher:
                while self._waiting or self._held or dispatcher.busy:
                    self._look_after_held(idle=not (dispatcher.busy or self._waiting), busy=bool(dispatcher.busy))
                    if dispatcher.room and self._waiting:
                        dispatcher.add(self._claim(dispatcher.room))
                    for measured in dispatcher.step(COMMIT_SECONDS):
                        self._take(measured)
                    self.say_who_holds(dispatcher.oldest)
                    self._keep()
        finally:
            self._pending += [measured.trial for measured in dispatcher.salvage()]
            self._commit()
            with suppress(StoreError):  # no harm: leases of a process that is gone do not count
                self._store.release()

    def _claim(self, room: int) -> Sequence[TrialSpec]:
        """Lease the next trials: as many as there is room for, or about a second's worth, whichever is more."""
        number = min(len(self._waiting), max(room, self._block))
        claimed = self._store.claim([self._waiting.popleft() for _ in range(number)], retry_failed=self._retry_failed)
        self._granted = self._granted or bool(claimed.granted)
        self._held += claimed.elsewhere
        self._holders.update(claimed.holders)
        self.elsewhere += len(claimed.finished)
        for spec in claimed.finished:
            self._end(spec, None)
        if claimed.finished:
            self._tell(claimed.finished[-1])
        return claimed.granted

    def _look_after_held(self, *, idle: bool, busy: bool) -> None:
        """Ask again, now and then, for trials at work elsewhere: they have ended, or their leases have."""
        now = time.perf_counter()
        wait = self._looked + _LOOK_SECONDS - now
        if not self._held or (wait > 0 and not idle):
            return
        if not (busy or self._granted):
            self._say_for_whom()
        self._granted = False
        if wait > 0:
            time.sleep(wait)
        self._looked = time.perf_counter()
        self._waiting.extend(self._held)
        self._held, self._holders = [], set()

    def _say_for_whom(self) -> None:
        """Nothing is left to do here but to wait: say for what, once as long as it is the same."""
        holders = ", ".join(sorted(self._holders))
        if holders != self._told:
            self._told = holders
            first = self._label(self._held[0])
            left = self._total - self.measured - self.failed - self.elsewhere
            self._tell_words(
                f"waiting for {left} trials (first: {first}) that are leased to {holders}; a lease ends "
                f"{LEASE_SECONDS:.0f} s after its owner was last heard of. Ctrl-C stops waiting and loses nothing"
            )

    def say_who_holds(self, oldest: TrialSpec | None) -> None:
        """Where nothing has ended for a while: say which trial is waited for, and again as long as nothing does."""
        now = time.perf_counter()
        if oldest is None or now - max(self._last_end, self._last_word) < _SILENCE_SECONDS:
            return
        self._last_word = now
        asked = ", ".join(f"{name}={value}" for name, value in oldest.parameters.items())
        place = f"{oldest.system.name}({asked}), replicate {oldest.replicate}"
        silence = f"no trial has ended for {now - self._last_end:.0f} s"
        limit = f" (stopped if it takes {self._most_seconds(oldest):.0f} s)" if self._most_seconds else ""
        self._tell_words(printable(f"{silence}; the oldest{limit} is of {self._label(oldest)}: {place}", most=400))

    def _take(self, measured: Measured) -> None:
        trial = measured.trial
        self._last_end = time.perf_counter()
        self._pending.append(trial)
        failed = trial.result.outcome.is_failure
        self.failed += failed
        self.measured += not failed
        if measured.worker:
            before = self._workers.get(measured.worker, WorkerProgress(0, 0.0, ""))
            now = WorkerProgress(before.done + 1, before.busy_seconds + trial.seconds, self._label(trial.spec))
            self._workers[measured.worker] = now
        self._end(trial.spec, trial.seconds)
        self._tell(trial.spec)

    def _group(self, spec: TrialSpec) -> Group:
        """Trials that cost alike, as far as one can say beforehand."""
        claim, system = self._label(spec), spec.system
        if system.typical_seconds or system.gpu_seconds:
            return claim, system.name
        return claim, system.name, str(sorted(spec.parameters.items()))

    def _end(self, spec: TrialSpec, took: float | None) -> None:
        self._left.ended(self._group(spec), self._expected(spec), took=took, elapsed=self.clock())

    def _tell(self, last: TrialSpec) -> None:
        done, elapsed = self.measured + self.failed + self.elsewhere, self.clock()
        label, left = self._label(last), self._seconds_left(elapsed, is_over=done >= self._total)
        self._report(Progress(done, self._total, self.failed, elapsed, label, self._workers, left))

    def _seconds_left(self, elapsed: float, *, is_over: bool) -> float:
        """The estimate, anew a few times a second: it goes through all groups."""
        left, at = self._estimate
        if is_over or elapsed - at >= _ESTIMATE_SECONDS:
            self._estimate = left, at = self._left.seconds(elapsed), elapsed
        return max(left - (elapsed - at), 0.0)

    def _keep(self) -> None:
        """Commit and renew when it is time."""
        now = time.perf_counter()
        if self._pending and now - self._committed >= COMMIT_SECONDS:
            self._block = min(_MAX_CLAIMED, len(self._pending))
            self._commit()
            self._committed = now
        if now - self._renewed >= _RENEW_SECONDS:
            self._store.renew()
            self._renewed = now

    def _commit(self) -> None:
        """Put what is pending. What does not go in at once may go in one by one; what is left is counted out loud."""
        if not self._pending:
            return
        try:
            self.refused += self._store.put(self._pending)
            self._pending = []
        except StoreError as error:
            lost = []
            for trial in self._pending:
                try:
                    self.refused += self._store.put([trial])
                except StoreError:
                    lost.append(trial)
            self._pending = []
            if lost:
                told = f"{error}; {len(lost)} trials that had ended could not be kept, all committed ones are"
                raise StoreError(told) from None
