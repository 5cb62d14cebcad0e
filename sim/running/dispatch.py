"""Hand trials to an executor and take the blame where it belongs.

A trial fails when it raises, or when its worker dies. What fails is tried again, `ATTEMPTS` times in all, and then ends
with the outcome FAILED and its error; so one that always kills its worker cannot hold up a sweep. The last time it has
a new worker where the executor can give it one, since an earlier trial may have left the others unfit. What was ended
because it took too long or too much memory is not tried again. Executors that break as a whole when one worker dies do
not say which trial did it. They are opened anew, and all trials that were in flight run once more, one at a time, until
the guilty one is alone. Others blame all trials that a dead worker had been given; there a trial counts as failed only
if its last attempt was alone.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType

from sim.running.capacity import memory_limit
from sim.running.executors import Backend
from sim.running.limits import bytes_of, outcome_of
from sim.trials.errors import place_in
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec

ATTEMPTS = 3
"""How often a trial may fail before it counts as failed."""
IN_VAIN = 4
"""After so many new workers in which trials failed with the same words, but for numbers, none is started for these."""
_SHARE_OF_MEMORY = 0.8


@dataclass(frozen=True)
class Measured:
    """A trial that ended, and which worker ran it ("host:pid"; empty where none lived to tell)."""

    trial: Trial
    worker: str


class Dispatcher:
    """Trials waiting and in flight. Use as a context manager; leaving it ends what runs.

    Args:
        backend: opens the executor, again where it breaks.
        measure: runs one trial in a worker; an importable function.
        memory: bytes that all trials in flight may need together, by what their systems state; one alone always runs.
            Default: 80 % of this machine's.
    """

    def __init__(
        self, backend: Backend, measure: Callable[[TrialSpec], Measured], *, memory: float | None = None
    ) -> None:
        self._backend = backend
        self._measure = measure
        self._memory = share_of_memory() if memory is None else memory
        self._queue: deque[TrialSpec] = deque()
        self._suspects: deque[TrialSpec] = deque()
        self._alone = False
        self._flying: dict[Future[Measured], TrialSpec] = {}
        self._attempts: Counter[str] = Counter()
        self._words: dict[str, str] = {}
        self._fresh: set[str] = set()
        self._in_vain: Counter[str] = Counter()
        self._idle_breaks = 0
        self._stack = ExitStack()
        self._executor: Executor | None = None

    def __enter__(self) -> Dispatcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @property
    def room(self) -> int:
        """How many more trials are wanted, so that no worker waits."""
        return max(0, self._backend.in_flight - len(self._queue) - len(self._suspects) - len(self._flying))

    @property
    def oldest(self) -> TrialSpec | None:
        """The trial that was handed out first of those that have not ended."""
        return next(iter(self._flying.values()), None)

    @property
    def busy(self) -> bool:
        """Whether any trial has not ended."""
        return bool(self._queue or self._suspects or self._flying)

    def add(self, specs: Iterable[TrialSpec]) -> None:
        """Take trials to run."""
        self._queue.extend(specs)

    def step(self, timeout: float) -> list[Measured]:
        """Submit what fits, and give back the trials that ended, waiting at most `timeout` seconds for the first.

        Raises:
            BrokenExecutor: the executor breaks again and again while nothing runs in it.
        """
        try:
            self._submit()
        except BrokenExecutor:
            self._idle_breaks += not self._flying
            if self._idle_breaks >= ATTEMPTS:
                raise
            return self._recover()
        done, _ = wait(self._flying, timeout=timeout, return_when=FIRST_COMPLETED)
        ended = [future for future in self._flying if future in done]  # in the order they were submitted
        if any(isinstance(_error(future), BrokenExecutor) for future in ended):
            return self._recover()
        return [answer for future in ended for answer in self._harvest(future, again=self._queue)]

    def salvage(self) -> list[Measured]:
        """What had ended well when the dispatcher was left, and nobody had taken yet."""
        answers = [future.result() for future in self._flying if future.done() and _error(future) is None]
        return [answer for answer in answers if not answer.trial.result.outcome.is_failure]

    def _submit(self) -> None:
        if self._executor is None:
            self._executor = self._stack.enter_context(self._backend.open())
        while spec := self._next():
            self._flying[self._handed(self._executor, spec)] = spec
            self._alone = bool(self._suspects)
            (self._suspects or self._queue).popleft()

    def _handed(self, executor: Executor, spec: TrialSpec) -> Future[Measured]:
        fresh = getattr(executor, "submit_fresh", None)
        words = self._words.get(spec.identity, "")
        if fresh is None or self._attempts[spec.identity] < ATTEMPTS - 1 or self._in_vain[words] >= IN_VAIN:
            return executor.submit(self._measure, spec)
        self._fresh.add(spec.identity)
        return fresh(self._measure, spec)

    def _next(self) -> TrialSpec | None:
        """The trial to submit now, if any may be: a suspect only alone, others while number and memory allow."""
        if not self._flying:
            return (self._suspects or self._queue or [None])[0]
        if self._alone or self._suspects or not self._queue or len(self._flying) >= self._backend.in_flight:
            return None
        needed = sum(map(bytes_of, self._flying.values())) + bytes_of(self._queue[0])
        return self._queue[0] if needed <= self._memory else None

    def _harvest(self, future: Future[Measured], *, again: deque[TrialSpec]) -> list[Measured]:
        """The answer of a future that is done; nothing where the trial goes to `again` to be tried once more."""
        spec = self._flying.pop(future)
        error = _error(future)
        answer = future.result() if error is None else Measured(failed_trial(spec, error), "")
        if answer.trial.result.outcome is not Outcome.FAILED:
            return [answer]
        words = self._words[spec.identity] = _without_numbers(answer.trial)
        self._in_vain[words] += spec.identity in self._fresh
        self._attempts[spec.identity] += 1
        if self._attempts[spec.identity] < ATTEMPTS:
            again.append(spec)
        elif error is not None and self._backend.may_be_a_neighbour(error) and not self._alone:
            self._suspects.append(spec)
        else:
            return [answer]
        return []

    def _recover(self) -> list[Measured]:
        """The executor broke: close it, take what had ended, and put what flew under suspicion, or the blame on one."""
        alone = len(self._flying) == 1
        self._close()
        answers = []
        for future, spec in list(self._flying.items()):
            if future.done() and (alone or not isinstance(_error(future), BrokenExecutor)):
                answers += self._harvest(future, again=self._suspects)
            else:
                del self._flying[future]
                self._suspects.append(spec)
        return answers

    def _close(self) -> None:
        self._executor = None
        self._stack.close()


def failed_trial(spec: TrialSpec, error: BaseException, *, seconds: float = 0.0) -> Trial:
    """The trial as it is kept when it failed: its error in one line, with the line of the user's file that it is of."""
    text = f"{type(error).__name__}: {error}".splitlines()[0]
    if place := place_in(error, spec.system.folder):
        text = f"{place}: {text}"
    return Trial(spec, TrialResult(outcome_of(error), {"error": text}), seconds)


def _without_numbers(failed: Trial) -> str:
    """How a trial failed, so that others of its kind are known."""
    return re.sub(r"[0-9.]+", "#", str(failed.result.observables.get("error")))


def _error(future: Future[Measured]) -> BaseException | None:
    """What a future that is done raises instead of answering."""
    return CancelledError("the executor cancelled it") if future.cancelled() else future.exception()


def share_of_memory() -> float:
    """Bytes that a run may take of the memory of this machine, or of its control group; no limit where neither says."""
    try:
        whole = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        whole = math.inf
    return _SHARE_OF_MEMORY * min(whole, memory_limit())
