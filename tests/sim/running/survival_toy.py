"""A simulator for the kill tests: no torch, no time, a log of who ran what, and told by files how to misbehave.

Files in the working folder are the seam, because parameters decide the seed and the key: a sweep that is killed and one
that is not must be the same sweep. Each tells what happens when the trial of the size it holds is run; it is consumed,
unless it says "always".
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, TrialResult, TrialSpec

LOG = Path("executions.log")
SYSTEM = System("survival_toy", "survival_toy:simulate", ("survival_toy",), uses_torch=False)
PATIENCE_SECONDS = 600.0
spoiled = False
"""Whether a trial has left this process unfit for others."""


def specs(number: int = 12) -> list[TrialSpec]:
    """The sweep of the kill tests."""
    return Sweep(SYSTEM, grid(size=range(number))).specs()


def simulate(*, size: int, generator: Any) -> TrialResult:
    """Log, misbehave if told to, and draw."""
    with LOG.open("a") as log:
        log.write(f"{size} {os.getpid()}\n")
    if _told("kill_coordinator", size):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(10 * PATIENCE_SECONDS)  # only its own watch over the coordinator ends this worker earlier
    if _told("kill_worker", size):
        os.kill(os.getpid(), signal.SIGKILL)
    if _told("raise", size):
        raise ValueError("told to\nfail")
    global spoiled
    if spoiled:
        raise OSError("the process is unfit")
    spoiled = _told("spoil", size)
    if _told("exit", size):
        raise SystemExit(3)
    if _told("hang", size):
        time.sleep(10 * PATIENCE_SECONDS)
    if Path("meet").exists():
        _wait_for_another_process()
    return TrialResult(Outcome.CONVERGED, {"total": sum(generator.random() for _ in range(size)), "size": size})


def executed() -> list[tuple[int, int]]:
    """Size and process of every trial that was started, in order."""
    lines = LOG.read_text().splitlines() if LOG.exists() else []
    return [(int(size), int(process)) for size, process in map(str.split, lines)]


def is_alive(process: int) -> bool:
    """Whether a process may still compute: a zombie does not, its parent has yet to take note."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not (stat.exists() and stat.read_text().rsplit(")")[-1].split()[0] == "Z")


def _told(what: str, size: int) -> bool:
    order = Path(what)
    words = order.read_text().split() if order.exists() else []
    if str(size) not in words:
        return False
    if "always" not in words:
        order.unlink()
    return True


def _wait_for_another_process() -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while len({process for _, process in executed()}) < 2:
        assert time.monotonic() < end, "the other process never ran a trial"
        time.sleep(0.01)
