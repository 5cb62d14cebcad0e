"""Ending on request: SIGTERM and SIGHUP (schedulers, closed terminals) end a program the way Ctrl-C does.

Python lets SIGTERM kill a process on the spot, and its workers would compute on for nobody. As an exception it unwinds:
workers are ended, finished trials committed, leases given back.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Terminated(KeyboardInterrupt):
    """The process was told to end by `signal_number`."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal.Signals(signal_number).name)
        self.signal_number = signal_number


@contextmanager
def terminable() -> Iterator[None]:
    """Raise Terminated in the main thread on SIGTERM and SIGHUP, unless somebody already handles or ignores them."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [getattr(signal, name) for name in names]
    mine = threading.current_thread() is threading.main_thread()
    taken = [number for number in numbers if mine and signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _raise)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _raise(number: int, frame: object) -> None:
    raise Terminated(number)
