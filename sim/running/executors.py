"""Where trials run: a name on the command line -> something that opens a `concurrent.futures.Executor`.

`serial` is this process. `process`, the default, is spawned processes of this machine with one BLAS thread each. It is
not the standard library's pool because that one breaks as a whole when a worker dies: the trials of all other workers
are lost, and nobody can tell whose fault it was. Here a dead worker costs the one trial it was running, is replaced,
and leaves the others alone; one whose call takes too long or too much memory is ended (`sim.running.limits`). A worker
leads a process group, which ends with it and with the coordinating process, however that ended, and hears nothing of
Ctrl-C, which is the coordinator's to handle. What leaves the group is known by a mark in its environment, and ends too.

Executors for other machines are in `sim.running.dask_cluster`.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import socket
import struct
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.resource_tracker import ensure_running
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any

from sim.running.limits import BeyondMemory, BeyondSeconds, marked, resident
from sim.running.threads import THREADS, threads
from sim.trials.validation import require_integer

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_FAREWELL_SECONDS = 5.0  # a worker told to end that has not done so by then is killed
_SILENT_SECONDS = 20  # of an answer that has begun something more comes within so long, or never
_LOOK_SECONDS = 0.5  # so often a worker at a call is looked at
_LOOK_AROUND_SECONDS = 2.0  # and so often, for all workers, at every process of the machine
_MOST_BETWEEN_LOOKS = 10 * _LOOK_SECONDS  # more than that passes only where this process was stopped itself
_MARK = "WORKER_OF_THEOREMETER"  # a variable that whatever a worker starts inherits
_IMPORTS, _BEGUN = b"imports", b"begun"  # what a worker says beside its answers, which are pickles
_SPAWN = get_context("spawn")

Opening = Callable[[], AbstractContextManager[Executor]]


def _never(error: BaseException) -> bool:
    return False


def _no_limit(*args: Any) -> float:
    return math.inf


def _no_word(*args: Any) -> None:
    """Nobody wants to hear."""


@dataclass(frozen=True)
class CallLimits:
    """What calls may take in a worker process.

    Attributes:
        seconds: of a call, from its arguments.
        memory: bytes that all workers may hold together; beyond it the largest is ended.
        settling: seconds more while a worker starts or imports a simulator: that is no part of a call.
        bytes_held: that the worker of a call may hold with all that it started, from the call's arguments.
        held: told the call's arguments every now and then while it runs in this process, where nobody else could say.
    """

    seconds: Callable[..., float] = _no_limit
    memory: float = math.inf
    settling: float = 0.0
    bytes_held: Callable[..., float] = _no_limit
    held: Callable[..., None] = _no_word


UNLIMITED = CallLimits()


@dataclass(frozen=True)
class Backend:
    """A way to run trials.

    Attributes:
        open: gives a fresh executor each time, for use in a `with`; leaving it ends what runs, at once.
        in_flight: how many trials to have submitted and not ended: enough that no worker waits for the next one.
        may_be_a_neighbour: whether an error that a call ended with may be another call's doing.
    """

    open: Opening
    in_flight: int
    may_be_a_neighbour: Callable[[BaseException], bool] = _never


def find(name: str, *, workers: int | None = None, limits: CallLimits = UNLIMITED) -> Backend:
    """The backend called `name`: `process`, `serial`, `threads`, `dask`, `dask://host:port` or `dask+tls://…`.

    Args:
        workers: processes; 0 is `serial`; default all cores. Threads are made for trials that share a GPU, and default
            to `sim.running.threads.THREADS`.
        limits: of a call in a process of this machine; what else runs cannot be ended from outside. Of a call in this
            process, its seconds alone (`_Alarm`).
    """
    count = (os.cpu_count() or 1) if workers is None else workers
    require_integer(least=0, workers=count)
    if name == "serial" or (name == "process" and count == 0):
        return Backend(lambda: SerialExecutor(limits), in_flight=1)
    if name == "process":
        return Backend(lambda: _processes(count, limits), in_flight=4 * count)
    if name == "threads":
        number = max(count, 1) if workers is not None else THREADS
        return Backend(lambda: threads(number), in_flight=number)
    from sim.running import dask_cluster as cluster

    if name == "dask":
        number = max(count, 1)
        return Backend(lambda: cluster.local_cluster(number), cluster.in_flight(number), cluster.may_be_a_neighbour)
    cluster.scheduler_address(name)  # a wrong name is found out before anything is opened
    return Backend(lambda: cluster.joined_cluster(name), cluster.IN_FLIGHT_AT_LEAST, cluster.may_be_a_neighbour)


class SerialExecutor(Executor):
    """The calling process; a call is over when `submit` returns."""

    def __init__(self, limits: CallLimits = UNLIMITED) -> None:
        self._limits = limits

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call now. What is no `Exception` (Ctrl-C) goes to the caller; BeyondSeconds to the future."""
        future: Future[Any] = Future()
        try:
            with _Alarm(self._limits, args):
                value = function(*args, **kwargs)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(value)
        return future


def can_be_interrupted() -> bool:
    """Whether what this thread computes can be ended by its own alarm: of the main thread alone, where there is one."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


class _Alarm:
    """Raises BeyondSeconds in a call of this thread that takes too long, and again while the call goes on all the same.

    It is raised between two steps of Python, so a call that hangs in compiled code is not ended. Seconds in which this
    process was stopped are not counted, nor is importing, which has seconds of its own. Another timer that was there
    rings later.
    """

    def __init__(self, limits: CallLimits, arguments: Sequence[Any]) -> None:
        self._limits, self._arguments = limits, arguments
        self._seconds = self._most = limits.seconds(*arguments) if can_be_interrupted() else math.inf
        self._took, self._looked = 0.0, time.monotonic()
        self._before: tuple[Any, tuple[float, float]] | None = None

    def __enter__(self) -> None:
        global _tell
        if math.isfinite(self._seconds):
            tick = min(_LOOK_SECONDS, max(self._seconds / 4, 0.001))
            handler, _tell = signal.signal(signal.SIGALRM, self._ring), self._hear
            self._before = handler, signal.setitimer(signal.ITIMER_REAL, tick, tick)

    def __exit__(self, *raised: object) -> None:
        global _tell
        if self._before is not None:
            handler, timer = self._before
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, *timer)
            _tell = _to_nobody

    def _hear(self, words: bytes) -> None:
        self._took, self._most = 0.0, self._seconds + self._limits.settling * (words == _IMPORTS)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        before, self._looked = self._looked, time.monotonic()
        self._took += min(self._looked - before, _MOST_BETWEEN_LOOKS)
        if frame is None or frame.f_code.co_filename == __file__:
            return  # the call has not begun, or is over
        self._limits.held(*self._arguments)
        if self._took >= self._most:
            raise BeyondSeconds(f"no end after {self._took:.0f} s, the most is {self._seconds:g}")


class WorkerDied(RuntimeError):
    """The process that ran a call ended before the call did: killed, out of memory, crashed."""


class NoAnswer(RuntimeError):
    """A worker sent what is no answer: its call wrote into the pipe, or the process was stopped while it sent."""


@contextmanager
def _processes(count: int, limits: CallLimits) -> Iterator[Executor]:
    """Worker processes that inherit one thread for BLAS, which reads its variables when it is first loaded."""
    with _environment(dict.fromkeys(_THREAD_VARIABLES, "1")):
        executor = ProcessExecutor(count, limits)
        try:
            yield executor
        finally:
            executor.kill()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Variables that processes started meanwhile inherit."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class ProcessExecutor(Executor):
    """Spawned processes, one call at a time each, started when first needed and replaced when they die.

    A thread serves each process: it takes a call from the common queue, sends it, and waits for the answer, the end of
    the process or a limit, whichever is first.
    """

    def __init__(self, workers: int, limits: CallLimits = UNLIMITED) -> None:
        self._limits = limits
        self._resident: dict[int, float] = {}
        self._marked: dict[str, list[int]] = {}
        self._look_again = -math.inf
        self._calls: SimpleQueue[tuple[Future[Any], Any, bool] | None] = SimpleQueue()
        self._processes: set[Any] = set()
        self._lock = threading.Lock()
        self._ended = self._killed = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a call; function, arguments and result must pickle.

        Its future raises WorkerDied where the worker died of it, BeyondSeconds or BeyondMemory where it was ended.
        """
        return self._queued(function, args, kwargs, fresh=False)

    def submit_fresh(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """As `submit`, for a worker that has run nothing: an earlier call may have left another unfit."""
        return self._queued(function, args, kwargs, fresh=True)

    def _queued(self, function: Callable[..., Any], args: Any, kwargs: Any, *, fresh: bool) -> Future[Any]:
        if self._ended:
            raise RuntimeError("cannot submit after shutdown")
        future: Future[Any] = Future()
        self._calls.put((future, (function, args, kwargs), fresh))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; finish those queued, or cancel them, and end the workers."""
        self._ended = True
        if cancel_futures:
            self._cancel_queued()
        for _ in self._threads:
            self._calls.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """End all workers now, in the middle of whatever they do."""
        with self._lock:
            self._ended = self._killed = True
            for process in self._processes:
                _kill(process)
        self.shutdown(cancel_futures=True)

    def _cancel_queued(self) -> None:
        with suppress(Empty):
            while True:
                item = self._calls.get_nowait()
                if item is not None and item[0].cancel():
                    item[0].set_running_or_notify_cancel()  # only then do those who wait for it hear of it

    def _serve(self) -> None:
        if hasattr(signal, "pthread_sigmask"):  # signals are the main thread's; and workers inherit the mask
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        worker: tuple[Any, Connection] | None = None
        while (item := self._calls.get()) is not None:
            future, call, fresh = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                message = pickle.dumps(call)
            except Exception as error:  # it cannot be pickled
                future.set_exception(error)
                continue
            try:
                if worker and fresh:
                    self._end(worker, at_once=True)
                    worker = None
                worker = worker or self._start()
                worker[1].send_bytes(message)
                succeeded, value = self._answer(worker, *call[1])
            except (EOFError, OSError) as error:
                future.set_exception(self._end(worker) if worker else error)
                worker = None
            except Exception as error:  # what is left in the pipe would answer the next call
                if worker:
                    self._end(worker, at_once=True)
                future.set_exception(error)
                worker = None
            else:
                (future.set_result if succeeded else future.set_exception)(value)
        if worker:
            self._end(worker)

    def _answer(self, worker: tuple[Any, Connection], *arguments: Any) -> tuple[bool, Any]:
        """Whether a call succeeded, and what it returned or raised, as its worker says.

        Seconds in which this process was stopped (Ctrl-Z) are not counted.

        Raises:
            EOFError: it ended first. What it started may hold its pipes open, so the process itself is asked.
            BeyondSeconds, BeyondMemory: it went beyond a limit.
            NoAnswer: what it sent is none.
        """
        process, connection = worker
        seconds, held = self._limits.seconds(*arguments), self._limits.bytes_held(*arguments)
        took, looked, most = 0.0, time.monotonic(), seconds + (self._limits.settling if process.is_fresh else 0.0)
        while True:
            wait_for([connection, process.sentinel], min(_LOOK_SECONDS, max(most - took, 0.0)))
            if connection.poll():
                if (message := _received(connection)) not in (_IMPORTS, _BEGUN):
                    return _read(message)
                process.is_fresh = False
                took, looked, most = 0.0, time.monotonic(), seconds + self._limits.settling * (message == _IMPORTS)
                continue
            if not self._is_alive(process):
                raise EOFError
            before, looked = looked, time.monotonic()
            took += min(looked - before, _MOST_BETWEEN_LOOKS)
            if took >= most:
                raise BeyondSeconds(f"no end after {took:.0f} s, the most is {most:g}")
            self._require_room(process, held)

    def _is_alive(self, process: Any) -> bool:
        with self._lock:  # starting a process looks after dead ones too, and two must not do so at once
            return process.is_alive()

    def _require_room(self, process: Any, held: float) -> None:
        """Raise BeyondMemory where this worker holds too much, or all of them do and this one the most."""
        if not math.isfinite(min(self._limits.memory, held)):
            return
        own = resident(process.pid, self._started_by(process.mark))
        if own > held:
            raise BeyondMemory(f"it held {own / 2**30:.3g} GiB, the most is {held / 2**30:.3g}")
        with self._lock:
            self._resident[process.pid] = own
            total, most = sum(self._resident.values()), max(self._resident.values())
        if total > self._limits.memory and own == most:
            words = f"it held {own / 2**30:.3g} GiB, all workers together {total / 2**30:.3g}"
            raise BeyondMemory(f"{words}, the most is {self._limits.memory / 2**30:.3g}")

    def _started_by(self, mark: str) -> Sequence[int]:
        """What a worker started, daemons too, as a look at all processes of the machine said a moment ago."""
        with self._lock:
            now = time.monotonic()
            if now >= self._look_again:
                self._marked, self._look_again = marked(_MARK), now + _LOOK_AROUND_SECONDS
            return self._marked.get(mark, ())

    def _start(self) -> tuple[Any, Connection]:
        with self._lock:
            if self._killed:
                raise OSError("no worker starts after the end")
            ours, theirs = _SPAWN.Pipe()
            _wait_at_most(ours, _SILENT_SECONDS)
            process: Any = _SPAWN.Process(target=_work, args=(theirs,))
            process.mark, process.is_fresh = uuid.uuid4().hex, True
            ensure_running()  # what all workers share would else be started with the first of them, and its mark
            with _environment({_MARK: process.mark}):
                process.start()
            self._processes.add(process)
        theirs.close()
        return process, ours

    def _end(self, worker: tuple[Any, Connection], *, at_once: bool = False) -> WorkerDied:
        """Let a worker go, dead or alive, with whatever it started, and say how it ended."""
        process, connection = worker
        connection.close()
        if not at_once and self._is_alive(process):
            wait_for([process.sentinel], _FAREWELL_SECONDS)
        with self._lock:
            _kill(process)
            process.join()
            self._processes.discard(process)
            self._resident.pop(process.pid, None)
        code = process.exitcode
        how = signal.Signals(-code).name if code and -code in set(signal.Signals) else f"exit code {code}"
        return WorkerDied(f"the worker process died ({how})")


def _wait_at_most(connection: Connection, seconds: int) -> None:
    """Let reading fail where so long nothing comes; else half a message would hold whoever reads it for ever."""
    if os.name == "posix":  # elsewhere pipes are no sockets
        with socket.socket(fileno=os.dup(connection.fileno())) as same:
            same.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", seconds, 0))


def _received(connection: Connection) -> bytes:
    """A message that has begun to come."""
    try:
        return connection.recv_bytes()
    except (BlockingIOError, MemoryError):  # nothing more comes, or more is announced than there can be
        raise NoAnswer(f"the worker sent half an answer and then nothing for {_SILENT_SECONDS} s") from None


def _read(message: bytes) -> tuple[bool, Any]:
    """What an answer says."""
    try:
        succeeded, value = pickle.loads(message)
    except Exception as error:
        raise NoAnswer(f"the worker sent what is no answer ({type(error).__name__})") from None
    if type(succeeded) is not bool or not (succeeded or isinstance(value, BaseException)):
        raise NoAnswer("the worker sent what is no answer")
    return succeeded, value


def _kill(process: Any) -> None:
    """Kill a worker and what it started, which may be there though the worker has ended."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # it does not lead its group yet, or nothing is left of it
            os.killpg(process.pid, signal.SIGKILL)
    if process.exitcode is None:
        process.kill()
    _kill_marked(process.mark)


def _kill_marked(mark: str) -> None:
    """Kill what a worker started and what left its group since (a daemon), where the machine tells who has a mark."""
    for other in marked(_MARK).get(mark, ()):
        if other != os.getpid():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(other, signal.SIGKILL)


@contextmanager
def importing(module: str) -> Iterator[None]:
    """Where a module is imported that a call needs: the seconds of the call, in a worker, count from the end of it."""
    is_new = module not in sys.modules
    if is_new:
        _tell(_IMPORTS)
    yield
    if is_new:
        _tell(_BEGUN)


def _to_nobody(words: bytes) -> None:
    """No worker: nobody waits."""


_tell: Callable[[bytes], None] = _to_nobody


def _work(connection: Connection) -> None:
    """Life of a worker: answer calls until nobody asks any more."""
    global _tell
    if hasattr(os, "setsid"):
        os.setsid()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    own = os.getpid()
    is_fresh = True
    _tell = connection.send_bytes
    while True:
        try:
            message = connection.recv_bytes()
        except EOFError:
            return
        try:
            function, args, kwargs = pickle.loads(message)
            if is_fresh:
                _tell(_BEGUN)
                is_fresh = False
            answer = _sendable(True, function(*args, **kwargs))
        except BaseException as error:  # SystemExit included: no call ends a worker by raising
            answer = _sendable(False, error)
        if os.getpid() != own:  # a copy that the call made of this process, and that has no business here
            os._exit(1)
        connection.send_bytes(answer)


def _sendable(succeeded: bool, value: object) -> bytes:
    """Pickle an answer; an exception that would not come out of its pickle is told in words."""
    try:
        message = pickle.dumps((succeeded, value))
        if not succeeded:
            pickle.loads(message)
    except Exception as error:
        told = error if succeeded else value
        message = pickle.dumps((False, RuntimeError(f"{type(told).__name__}: {told}")))
    return message


def _end_with_parent() -> None:
    """Wait for the end of the coordinating process, then end this one and what it started."""
    parent = parent_process()
    if parent is None:
        raise RuntimeError("only a process that another one started ends with it")
    mark = os.environ[_MARK]
    parent.join()
    _kill_marked(mark)
    if hasattr(os, "killpg"):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    os._exit(1)
