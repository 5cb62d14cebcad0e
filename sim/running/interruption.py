"""Ending on request: SIGTERM and SIGHUP (schedulers, closed terminals) end a program the way Ctrl-C does.

Python lets SIGTERM kill a process on the spot, and its workers would compute on for nobody. As an exception it unwinds:
workers are ended, finished trials committed, leases given back.

An exception in the middle of an import goes astray: half of a library is imported, callbacks of the import machinery
print it and drop it, extensions end the process. So a whole process (`interruptible`) ends at once where it imports and
has nothing to unwind, and otherwise raises when the import is over.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

_AGAIN_SECONDS = 0.05
_IMPORTING = "<frozen importlib"
_to_unwind = 0


class Terminated(KeyboardInterrupt):
    """The process was told to end by `signal_number`."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal.Signals(signal_number).name)
        self.signal_number = signal_number


@contextmanager
def terminable() -> Iterator[None]:
    """Raise Terminated in the main thread on SIGTERM and SIGHUP, unless somebody already handles or ignores them."""
    with _handled(_raise, {"SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}):
        yield


@contextmanager
def interruptible(farewell: Callable[[int], str]) -> Iterator[None]:
    """`terminable` for a whole process, Ctrl-C and imports included.

    Args:
        farewell: what to say on stderr where the process ends at once, by the signal.
    """

    def end(number: int, frame: FrameType | None) -> None:
        if not _is_importing(frame):
            _raise(number, frame)
        if _to_unwind:
            again = threading.Timer(_AGAIN_SECONDS, signal.pthread_kill, (threading.get_ident(), number))
            again.daemon = True  # and to this thread, so that it ends what the system has it wait for
            again.start()
            return
        try:
            os.write(2, f"{farewell(number)}\n".encode())
        finally:
            os._exit(128 + number)

    wanted = {"SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL, "SIGINT": signal.default_int_handler}
    with _handled(end, wanted):
        yield


@contextmanager
def unwound() -> Iterator[None]:
    """What runs inside must be unwound when the process is told to end."""
    global _to_unwind
    _to_unwind += 1
    try:
        yield
    finally:
        _to_unwind -= 1


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None], wanted: Mapping[str, Any]) -> Iterator[None]:
    """Handle the signals that are still handled as `wanted` has it; afterwards each of them kills on the spot."""
    mine = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in wanted if mine and hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) is wanted[signal.Signals(number).name]]
    for number in taken:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in taken:  # an exception while the interpreter ends would be printed, and change nothing
            signal.signal(number, signal.SIG_DFL)


def _raise(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether the main thread imports a module just now."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORTING):
            return True
        frame = frame.f_back
    return False
