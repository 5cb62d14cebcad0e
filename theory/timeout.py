"""A hard limit on the seconds of computation that a symbolic call may take.

sympy's `limit`, `factor_list` and `simplify` can run for hours on small input and offer no way to stop them. In the
main thread an interval timer raises inside the call; it fires again until the call has let go, because sympy has
`except` clauses, and the interpreter has destructors, that can swallow one exception. Signals reach only the main
thread, so elsewhere the call runs in the main thread of a fresh interpreter; there the function must be importable and
its arguments must pickle. Neither way ever turns a timeout into a value.

All seconds are those that the calling thread computes (`computed`): what else a machine is busy with stops no call
sooner. Even these differ from run to run, so a search shares out its time by another clock: each of its steps is
reckoned at the seconds that its like takes (`reckon`), and within `by_steps` that is what `cpu_clock` tells. Which step
comes next then hangs on nothing but the statement; the seconds of the budget only say where the search is broken off.

sympy asks for the facts of an expression in an order that it draws, and a rare contradiction between them shows in some
orders only. Every call here begins at the same draw, so that the same question meets the same order. The order hangs on
Python's hashes as well: under some of them whether 1 - n! has a sign led by whether n! - 1 is prime, ten seconds for
one question whose steps are a second and a half. No call here has the primes among long integers told apart.

One C call cannot be interrupted by a signal handler; it ends first. Those of sympy are short.
"""

from __future__ import annotations

import importlib
import math
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import sympy as sp
import sympy.core.random
from sympy.core.facts import InconsistentAssumptions

_REPEAT, _SOON = 0.2, 1e-6
"""Seconds between two firings of the timer, once it has gone off; those of one that is to fire at once."""


_SEED = 20230206
_END: ContextVar[float] = ContextVar("end of the enclosing limit", default=math.inf)
_SLACK = 0.001
"""Seconds before the end of a limit at which it counts as reached."""
_GRACE, _UNLIMITED = 5.0, 1e6
"""Seconds beyond a limit after which a process is ended, and a limit that none reaches."""
_LONGEST_PRIME = 256
"""Bits of an integer beyond which no call asks whether it is prime."""


class Contradiction(ValueError):
    """sympy found that the facts it derives of an expression contradict each other; nothing it says of it counts."""


class TimedOut(TimeoutError):
    """A symbolic call was stopped at its limit; there is no value."""


class _Expired(BaseException):
    """What the timer raises: not an `Exception`, so that few clauses of the interrupted call can catch it."""


class _Spent(BaseException):
    """The reckoned seconds of some steps are spent: raised by a step, and no `Exception`, like `_Expired`."""


class _Steps(threading.local):
    """The reckoned seconds of a search, whether they are its clock, where they end, and which search it is."""

    number = 0
    seconds = 0.0
    is_clock = False
    end = math.inf


_STEPS = _Steps()


class _Elsewhere(threading.local):
    """Seconds of computation that processes took for this thread."""

    seconds = 0.0


_ELSEWHERE = _Elsewhere()


def computed() -> float:
    """Seconds that this thread has computed, with those of processes that did so for it."""
    return time.thread_time() + _ELSEWHERE.seconds


def cpu_clock() -> float:
    """The clock by which a search shares out its time: reckoned seconds within `by_steps`, computed ones elsewhere."""
    return _STEPS.seconds if _STEPS.is_clock else computed()


def reckon(seconds: float) -> None:
    """Count a step of a search as so many seconds, which must hang on nothing but the statement."""
    _STEPS.seconds += seconds
    if _STEPS.is_clock and _STEPS.seconds >= _STEPS.end:
        raise _Spent


def is_by_steps() -> bool:
    """Whether the clock of this thread is that of a search's steps."""
    return _STEPS.is_clock


def search_number() -> int:
    """Which of this thread's searches this is: those within another count as that one."""
    return _STEPS.number


def by_steps(seconds: float, function: Callable[..., Any], *arguments: Any, is_cut: bool = False) -> Any:
    """Return `function(*arguments)` of a search whose clock is that of its steps.

    The outermost one begins at 0, and its course is the same whatever the budget: it has no end, unless it `is_cut`.
    One within another ends after its reckoned seconds, and if it is stopped before, by the seconds that it computes,
    they count as spent.

    Raises:
        TimedOut: these are spent.
    """
    before, end = _STEPS.is_clock, _STEPS.end
    if before:
        _STEPS.end = min(end, _STEPS.seconds + seconds)
    else:
        _STEPS.is_clock, _STEPS.seconds, _STEPS.end = True, 0.0, seconds if is_cut else math.inf
        _STEPS.number += 1
    try:
        return function(*arguments)
    except _Spent:
        if _STEPS.end >= end:
            raise
        _STEPS.seconds = _STEPS.end  # not a part of a step more, so that one who knows the outcome can count the same
        raise TimedOut(f"{_name(function)} did not end within {seconds:.3g} s of its steps") from None
    except _Expired:
        if before:
            _STEPS.seconds = max(_STEPS.seconds, _STEPS.end)
        raise
    finally:
        _STEPS.is_clock, _STEPS.end = before, end


def within(seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return `function(*arguments)`, or raise TimedOut after `seconds` of computation; of nested calls the first wins.

    Raises:
        ValueError: seconds is not > 0.
        TimedOut: the limit was reached.
        Contradiction: sympy contradicted itself on the way.
    """
    if not seconds > 0:
        raise ValueError(f"seconds must be > 0, got {seconds}")
    if threading.current_thread() is threading.main_thread():
        return _under_timer(seconds, function, arguments)
    return _in_subprocess(seconds, function, arguments)


def loaded(module: str) -> float:
    """Import a module with the clock of the limit stopped; what `cpu_clock` says it took, 0.0 where it was there.

    For what takes long to import and is seldom needed: a limit that breaks an import off leaves half a module behind,
    and a statement's time is not for loading. Only the innermost limit stops its clock; those around it count on.
    """
    if module in sys.modules:
        return 0.0
    started = computed()
    is_timed = threading.current_thread() is threading.main_thread()
    left, repeat = signal.setitimer(signal.ITIMER_REAL, 0) if is_timed else (0.0, 0.0)
    try:
        importlib.import_module(module)
    finally:
        if left or repeat:
            signal.setitimer(signal.ITIMER_REAL, max(left, _SOON), repeat)
    return 0.0 if _STEPS.is_clock else computed() - started


def _unless_long(fact: str) -> None:
    """Have sympy answer None, not known, to whether a long integer is prime or composite, within a limit.

    Both: where one is not known sympy asks for the other, without an end.
    """
    known = sp.Integer._prop_handler[fact]

    def told(number: sp.Integer) -> bool | None:
        is_long = _END.get() < math.inf and int(number).bit_length() > _LONGEST_PRIME
        return None if is_long else known(number)

    sp.Integer._prop_handler[fact] = told


for _fact in ("prime", "composite"):
    _unless_long(_fact)


def _seeded(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """The call, from the first of sympy's draws."""
    sympy.core.random.seed(_SEED)
    try:
        return function(*arguments)
    except InconsistentAssumptions as error:
        raise Contradiction(f"sympy's facts of an expression contradict each other: {str(error)[:200]}") from None


def _under_timer(seconds: float, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run with ITIMER_REAL armed; an enclosing timer gets what is left of its time back afterwards.

    A thread computes no more seconds than pass, so the timer asks the clock whenever the limit may be reached. (The
    timers of the kernel that count seconds of computation fire late by as much as a second on some machines.)
    """
    expired = _Expired()
    armed = False  # until the call begins: an enclosing timer that fires before then meets this handler, and waits

    def expire(signum: int, frame: object) -> None:
        if not armed:
            return
        left = end - computed()
        if left < _SLACK:
            raise expired
        signal.setitimer(signal.ITIMER_REAL, left, _REPEAT)  # the machine did something else as well

    end = min(computed() + seconds, _END.get())
    own = end - computed()
    token = _END.set(end)
    outer_left, outer_repeat = signal.getitimer(signal.ITIMER_REAL)
    started = time.monotonic()  # as the timer counts
    outer_handler, outer_hook = signal.signal(signal.SIGALRM, expire), sys.unraisablehook
    sys.unraisablehook = _without_expiry(outer_hook)
    try:
        try:
            armed = True
            signal.setitimer(signal.ITIMER_REAL, max(own, _SLACK), _REPEAT)
            return _seeded(function, arguments)
        finally:
            armed = False
    except _Expired as reached:
        armed = False
        if reached is not expired:
            raise
        raise TimedOut(f"{_name(function)} did not end within {own:.3g} s") from None
    finally:
        _END.reset(token)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer_handler)
        sys.unraisablehook = outer_hook
        if outer_left or outer_repeat:  # a timer that has fired and whose signal is on its way has 0 seconds left
            left = outer_left - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, _SOON), outer_repeat)


def _without_expiry(hook: Callable[[Any], object]) -> Callable[[Any], object]:
    """`hook` for all exceptions that destructors and gc callbacks swallow but our own: the timer fires again."""
    return lambda unraisable: None if isinstance(unraisable.exc_value, _Expired) else hook(unraisable)


def _in_subprocess(seconds: float, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run in a fresh interpreter (starting it and importing sympy costs about a second, which does not count)."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.curdir for path in sys.path)}
    # -P: a file of the user's called theory.py in the current folder is not ours.
    command = [sys.executable, "-P", "-c", "from theory.timeout import _serve; _serve()"]
    question = pickle.dumps((seconds, function, arguments))
    done = subprocess.run(command, input=question, capture_output=True, env=environment)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        _ELSEWHERE.seconds += seconds
        raise TimedOut(f"{_name(function)} did not end within {seconds:.3g} s")
    if done.returncode:
        raise RuntimeError(f"{_name(function)} failed in its own process: {done.stderr.decode().strip()[-500:]}")
    succeeded, value, spent = pickle.loads(done.stdout)
    _ELSEWHERE.seconds += spent
    if not succeeded:
        raise value
    return value


def _serve() -> None:
    """Answer one call read from stdin on stdout, as (succeeded, value or exception, seconds)."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    seconds, function, arguments = pickle.load(sys.stdin.buffer)
    started = time.process_time()
    # A call in C that no signal interrupts ends the process.
    most = math.ceil(started + seconds + _GRACE) if seconds < _UNLIMITED else resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    try:
        result = (True, _under_timer(seconds, function, arguments))
    except Exception as error:
        result = (False, error)
    with answer:
        pickle.dump((*result, time.process_time() - started), answer)


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", repr(function))
