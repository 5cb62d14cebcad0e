"""A sweep in a process of its own that kills itself at a stated point.

Usage: survival_driver.py EXECUTOR [statement:N:TEXT | write:BYTES | full:BYTES]

`statement:N:TEXT` is SIGKILL just before sqlite executes, for the N-th time, a statement that starts with TEXT, be it
of the creation of the store, a lease, a commit or the closing. `write:BYTES` ends the process inside the system call
that would make a file longer, in the middle of a page, the way the kernel's limit on file sizes does it (SIGXFSZ, no
less final than SIGKILL). `full:BYTES` has the same limit fail as a full disk does.

Every trial is committed by itself, so that the same run passes the same points whatever the machine is doing.
"""

from __future__ import annotations

import itertools
import os
import resource
import signal
import sqlite3
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import survival_toy

import sim.running.run
from sim.store.store import Store, StoreError
from sim.trials.trial import Trial

STORE = Path("trials.sqlite")
ACKNOWLEDGED = Path("acknowledged.log")


def main(executor: str, point: str = "") -> int:
    """Run the sweep; say what was measured."""
    sim.running.run.COMMIT_SECONDS = 0.0
    kind, number, text = (*point.split(":", 2), "", "")[:3]
    if kind == "statement":
        die_before(text, int(number))
    if kind in ("write", "full"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if kind == "write" else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(number), int(number)))
    try:
        with AcknowledgingStore(STORE) as store:
            report = sim.running.run.run(survival_toy.specs(), store, executor=executor, workers=2)
    except StoreError as error:
        print(error, file=sys.stderr)
        return 2
    print(report.measured, report.elsewhere, len(report.failures))
    return 0


class AcknowledgingStore(Store):
    """Notes outside the store what `put` said was committed."""

    def put(self, trials: Iterable[Trial]) -> tuple[str, ...]:
        """Commit, then note."""
        trials = list(trials)
        refused = super().put(trials)
        with ACKNOWLEDGED.open("a") as log:
            log.writelines(f"{trial.spec.parameters['size']}\n" for trial in trials)
        return refused


def die_before(text: str, occurrence: int) -> None:
    """From now on, watch what sqlite is told, and die before the statement."""
    seen = itertools.count(1)
    connect = sqlite3.connect

    def heed(statement: str) -> None:
        if " ".join(statement.split()).startswith(text) and next(seen) == occurrence:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect_and_trace(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection = connect(*args, **kwargs)
        connection.set_trace_callback(heed)
        return connection

    sqlite3.connect = connect_and_trace  # type: ignore[assignment]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
