"""Executors: calls come back, workers that die are replaced, and none outlives its executor."""

import itertools
import math
import operator
import os
import pickle
import signal
import stat
import struct
import sys
import threading
import time
from concurrent.futures import wait
from contextlib import suppress

import pytest

from sim.running.executors import CallLimits, NoAnswer, ProcessExecutor, SerialExecutor, WorkerDied, find, importing
from sim.running.limits import BeyondMemory, BeyondSeconds
from sim.running.threads import THREADS as THREADS_OF_A_GPU
from sim.trials.validation import InvalidParameter, require
from tests.patience import PATIENCE_SECONDS

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@pytest.fixture
def pool():
    executor = ProcessExecutor(2)
    yield executor
    executor.kill()


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_calls_come_back_in_order(pool):
    assert list(pool.map(operator.neg, range(20))) == [-number for number in range(20)]
    workers = set(pool.map(operator.methodcaller("__call__"), [os.getpid] * 8))
    assert os.getpid() not in workers
    assert 1 <= len(workers) <= 2


def test_workers_compute_on_one_thread_whatever_the_caller_does(monkeypatch):
    monkeypatch.setenv(THREADS[0], "7")
    monkeypatch.delenv(THREADS[1], raising=False)
    with find("process", workers=1).open() as executor:
        assert [executor.submit(os.getenv, name).result() for name in THREADS] == ["1", "1", "1"]
    assert os.environ[THREADS[0]] == "7"
    assert THREADS[1] not in os.environ


def test_an_error_comes_back_and_the_worker_goes_on(pool):
    (worker,) = set(pool.map(operator.methodcaller("__call__"), [os.getpid]))
    with pytest.raises(ZeroDivisionError):
        pool.submit(operator.truediv, 1, 0).result()
    assert isinstance(pool.submit(sys.exit, 3).exception(), SystemExit)
    assert is_alive(worker)


def test_an_error_that_cannot_be_pickled_is_told_in_words(pool):
    with pytest.raises(RuntimeError, match="InvalidParameter: size must be > 0, got -1"):
        pool.submit(require, False, "size", "be > 0", -1).result()
    with pytest.raises(RuntimeError, match="cannot pickle"):
        pool.submit(memoryview, b"a result").result()


def test_a_call_that_cannot_be_pickled_is_its_own_error(pool):
    with pytest.raises((AttributeError, TypeError)):
        pool.submit(lambda: 1).result()
    assert pool.submit(abs, -1).result() == 1


def test_a_worker_that_dies_costs_its_own_call_only_and_is_replaced(pool):
    calls = [pool.submit(*call) for call in [(abs, -1), (os._exit, 5), (abs, -2), (abs, -3), (abs, -4)]]
    with pytest.raises(WorkerDied, match=r"died \(exit code 5\)"):
        calls.pop(1).result()
    assert [call.result() for call in calls] == [1, 2, 3, 4]
    with pytest.raises(WorkerDied, match=r"died \(SIGKILL\)"):
        pool.submit(signal.raise_signal, signal.SIGKILL).result()
    assert pool.submit(abs, -5).result() == 5


def hang(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def leak(path: str) -> None:
    kept = []
    while not os.path.exists(path):
        kept.append(bytearray(64 * 2**20))
        time.sleep(0.05)


def fork(number: int, path: str) -> str:
    """Children that copy the worker and outlast the call; they write their names first."""
    for _ in range(number):
        if os.fork() == 0:
            with open(path, "a", encoding="ascii") as names:
                names.write(f"{os.getpid()}\n")
            time.sleep(10 * PATIENCE_SECONDS)
    return "the parent"


def fork_and_exit(number: int, path: str) -> None:
    fork(number, path)
    os._exit(7)


def test_a_call_that_hangs_is_ended_and_the_others_are_not():
    with find(
        "process", workers=2, limits=CallLimits(seconds=lambda seconds: 1.0 if seconds > 1 else math.inf)
    ).open() as pool:
        calls = [pool.submit(hang, seconds) for seconds in (10 * PATIENCE_SECONDS, 0.0, 0.1, 0.2)]
        with pytest.raises(BeyondSeconds, match=r"no end after \d+ s, the most is 1$"):
            calls[0].result(PATIENCE_SECONDS)
        assert [call.result(PATIENCE_SECONDS) for call in calls[1:]] == [0.0, 0.1, 0.2]
        assert pool.submit(hang, 0.3).result(PATIENCE_SECONDS) == 0.3


def test_seconds_in_which_the_coordinating_process_stood_still_are_not_counted(monkeypatch):
    """As after Ctrl-Z, or on a laptop that slept: at each look the clock is on by far more than a call may take."""
    with find("process", workers=1, limits=CallLimits(seconds=lambda seconds: 60.0)).open() as pool:
        assert pool.submit(hang, 0.0).result(PATIENCE_SECONDS) == 0.0
        clock = itertools.count(0.0, 1000.0)
        monkeypatch.setattr(time, "monotonic", lambda: next(clock))
        assert pool.submit(hang, 0.6).result() == 0.6


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the machine does not say what a process holds")
def test_a_call_that_leaks_is_ended_before_the_machine_is_full(tmp_path):
    with find("process", workers=2, limits=CallLimits(memory=2**30)).open() as pool:
        leaking, other = pool.submit(leak, str(tmp_path / "end")), pool.submit(hang, 1.0)
        with pytest.raises(BeyondMemory, match=r"the most is 1$"):
            leaking.result(PATIENCE_SECONDS)
        assert other.result(PATIENCE_SECONDS) == 1.0


def leak_in_a_daemon(path: str) -> None:
    """The child that leaks has another parent and leads a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with suppress(MemoryError):
                kept = [bytearray(2**26) for _ in range(24) if time.sleep(0.05) is None]
            time.sleep(10 * PATIENCE_SECONDS * bool(kept))
        os._exit(0)
    os.wait()
    time.sleep(10 * PATIENCE_SECONDS)


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="the machine does not say what a process holds")
@pytest.mark.parametrize("limits", [CallLimits(memory=2**30), CallLimits(bytes_held=lambda path: 2**30)])
def test_what_a_daemon_of_a_call_holds_counts(limits, monkeypatch):
    monkeypatch.setattr("sim.running.executors._LOOK_AROUND_SECONDS", 0.1)
    with find("process", workers=1, limits=limits).open() as pool:
        with pytest.raises(BeyondMemory, match=r"the most is 1$"):
            pool.submit(leak_in_a_daemon, "").result(PATIENCE_SECONDS)
        assert pool.submit(abs, -1).result(PATIENCE_SECONDS) == 1


def write_into_pipes(written: bytes) -> None:
    """What a library does that prints to a descriptor which it takes for another."""
    for descriptor in range(3, 64):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                os.write(descriptor, written)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(b"\0\0\1\0half", id="the beginning of a message"),
        pytest.param(b"\xff\xff\xff\xff", id="the beginning of one of unknown length"),
        pytest.param(b"\0\0\0\4dust", id="a message that is no pickle"),
        pytest.param(struct.pack("!i", 4) + b"K\1.\0", id="a number"),
        pytest.param((lambda one: struct.pack("!i", len(one)) + one)(pickle.dumps((1, 2))), id="a pair"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="pipes are no sockets")
def test_a_call_that_writes_into_the_pipe_costs_itself_alone(written, monkeypatch):
    """Whoever reads half a message must not wait for ever, and no answer may be taken for that of the next call."""
    monkeypatch.setattr("sim.running.executors._SILENT_SECONDS", 1)
    with find("process", workers=1).open() as pool:
        calls = [pool.submit(write_into_pipes, written), *(pool.submit(abs, -number) for number in (1, 2, 3))]
        with pytest.raises(NoAnswer, match=r"sent half an answer and then nothing for 1 s|sent what is no answer"):
            calls[0].result(PATIENCE_SECONDS)
        assert [call.result(PATIENCE_SECONDS) for call in calls[1:]] == [1, 2, 3]


@pytest.mark.parametrize("call", [fork, fork_and_exit])
def test_what_a_call_starts_ends_with_its_worker(call, tmp_path):
    names = tmp_path / "names"
    with find("process", workers=1).open() as pool:
        error = pool.submit(call, 3, str(names)).exception(PATIENCE_SECONDS)
        assert isinstance(error, WorkerDied) is (call is fork_and_exit)
        until = time.monotonic() + PATIENCE_SECONDS
        while not (names.exists() and len(names.read_text().split()) == 3) and call is fork:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert pool.submit(abs, -1).result(PATIENCE_SECONDS) == 1  # the copies answer nothing
    until = time.monotonic() + PATIENCE_SECONDS
    while any(map(is_alive, map(int, names.read_text().split() if names.exists() else ()))):
        assert time.monotonic() < until, "a copy of the worker lives on"
        time.sleep(0.05)


def test_kill_ends_calls_in_the_middle(pool):
    workers = {pool.submit(os.getpid).result() for _ in range(2)}
    calls = [pool.submit(time.sleep, 10 * PATIENCE_SECONDS) for _ in range(5)]
    pool.kill()
    assert not any(map(is_alive, workers))
    wait(calls, timeout=PATIENCE_SECONDS)
    assert all(call.cancelled() or isinstance(call.exception(), (WorkerDied, OSError)) for call in calls)
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(abs, -1)


def test_shutdown_finishes_what_is_queued(pool):
    calls = [pool.submit(operator.neg, number) for number in range(6)]
    pool.shutdown()
    assert [call.result(timeout=0) for call in calls] == [-number for number in range(6)]


@pytest.mark.usefixtures("signals_of_a_terminal")
def test_the_serial_executor_is_this_process_and_lets_ctrl_c_through():
    with find("serial").open() as executor:
        assert isinstance(executor, SerialExecutor)
        assert executor.submit(os.getpid).result(timeout=0) == os.getpid()
        assert isinstance(executor.submit(operator.truediv, 1, 0).exception(timeout=0), ZeroDivisionError)
        with pytest.raises(KeyboardInterrupt):
            executor.submit(signal.raise_signal, signal.SIGINT)


def hang_and_swallow(seconds: float, caught: int) -> int:
    """Sleep for good, and swallow what is raised so often."""
    for _ in range(caught):
        with suppress(Exception):
            time.sleep(PATIENCE_SECONDS)
    time.sleep(PATIENCE_SECONDS * (seconds > 0))
    return caught


@pytest.mark.parametrize("caught", [0, 2])
def test_a_call_in_this_process_ends_with_its_seconds_though_it_swallows_errors(caught):
    held, before = [], signal.getsignal(signal.SIGALRM)
    limits = CallLimits(seconds=lambda seconds, caught: seconds or 60.0, held=lambda *call: held.append(call))
    with find("serial", limits=limits).open() as executor:
        error = executor.submit(hang_and_swallow, 0.02, caught).exception(timeout=0)
        assert isinstance(error, BeyondSeconds)
        assert str(error).endswith("the most is 0.02")
        assert set(held) == {(0.02, caught)}
        assert executor.submit(hang_and_swallow, 0.0, 0).result(timeout=0) == 0
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_importing_is_no_part_of_a_call_in_this_process(monkeypatch):
    def call(seconds: float) -> str:
        monkeypatch.delitem(sys.modules, "colorsys", raising=False)
        with importing("colorsys"):
            time.sleep(3 * seconds)
        return "imported"

    limits = CallLimits(seconds=lambda seconds: seconds, settling=60.0)
    with find("serial", limits=limits).open() as executor:
        assert executor.submit(call, 0.02).result(timeout=0) == "imported"


def test_threads_share_the_process_and_bring_results_and_errors_back():
    with find("threads", workers=3).open() as executor:
        assert list(executor.map(operator.neg, range(20))) == [-number for number in range(20)]
        assert executor.submit(os.getpid).result(PATIENCE_SECONDS) == os.getpid()
        assert isinstance(executor.submit(operator.truediv, 1, 0).exception(PATIENCE_SECONDS), ZeroDivisionError)
        assert isinstance(executor.submit(sys.exit, 3).exception(PATIENCE_SECONDS), SystemExit)
        assert executor.submit(os.getpid).result(PATIENCE_SECONDS) == os.getpid()
    with pytest.raises(RuntimeError, match="cannot submit after shutdown"):
        executor.submit(os.getpid)


def test_threads_are_as_many_as_asked_for():
    barrier = threading.Barrier(3)
    with find("threads", workers=3).open() as executor:
        met = [executor.submit(barrier.wait, PATIENCE_SECONDS) for _ in range(3)]
        assert sorted(call.result(PATIENCE_SECONDS) for call in met) == [0, 1, 2]
    assert find("threads").in_flight == THREADS_OF_A_GPU


def test_leaving_threads_waits_for_nobody():
    begun, go_on = threading.Event(), threading.Event()

    def hold() -> bool:
        begun.set()
        return go_on.wait(PATIENCE_SECONDS)

    with find("threads", workers=1).open() as executor:
        held, queued = executor.submit(hold), executor.submit(os.getpid)
        assert begun.wait(PATIENCE_SECONDS)
    go_on.set()
    assert held.result(PATIENCE_SECONDS)
    wait([queued], timeout=PATIENCE_SECONDS)
    assert queued.cancelled()


def test_no_workers_is_serial_and_nonsense_is_named():
    with find("process", workers=0).open() as executor:
        assert isinstance(executor, SerialExecutor)
    assert find("process", workers=3).in_flight >= 3
    with pytest.raises(
        InvalidParameter, match=r"executor must be process, serial, threads, dask or dask://.*, got 'cloud'"
    ):
        find("cloud")
    with pytest.raises(InvalidParameter, match="workers must be >= 0, got -1"):
        find("serial", workers=-1)
