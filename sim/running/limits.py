"""How long a trial may take, and how much memory trials may take together, before a worker process is ended.

A simulator that hangs would hold its worker for ever, and one that leaks would have the machine end whatever process it
likes. Both are ended by the process that coordinates, since a trial that hangs can no longer look at a clock. Seconds
are by the clock: whoever sleeps spends no CPU time. So limits are generous, and what they end has an outcome of its own
(`Outcome.TIMED_OUT`, `Outcome.OUT_OF_MEMORY`), is tried no second time and says nothing of a claim.

Only worker processes of this machine can be ended so. `serial` runs in the process that asks: an alarm there ends what
takes too many seconds between two steps of Python (`sim.running.executors`), and nothing counts bytes. `threads` and
workers of a cluster have no limit of ours.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

from sim.trials.cost_law import CostLaw, law_of
from sim.trials.trial import Outcome, System, TrialSpec, loaded
from theoremeter_papers import PaperError, cached

MOST_SECONDS = 3600.0
"""What a trial may take where nobody says otherwise and less would be expected."""
IMPORT_SECONDS = 120.0
"""What importing a simulator and its libraries may take beside, on a slow disk: it is no part of the trial."""
TIMES_BUDGET = 10.0
"""How often its budget a search may take, which is of CPU seconds and looked at between steps."""
TIMES_EXPECTED = 200.0
"""How often its expected CPU seconds a trial may take, where that is more: a slow machine under load."""
LEAST_BYTES = 2.0 * 2**30
"""What the worker of a trial may hold at least, libraries included, where its system states bytes of its own."""
TIMES_STATED = 4.0
"""How often the bytes that its system states it may hold, where that is more: who counts forgets copies."""
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_PROC = Path("/proc")


class TrialEnded(RuntimeError):
    """A trial was ended because it took too much; `outcome` says of what."""

    outcome = Outcome.FAILED


class BeyondSeconds(TrialEnded):
    """It took more seconds than it may."""

    outcome = Outcome.TIMED_OUT


class BeyondMemory(TrialEnded):
    """It took more memory than it may."""

    outcome = Outcome.OUT_OF_MEMORY


def seconds_of(
    spec: TrialSpec, expected: Callable[[TrialSpec], float] = lambda spec: 0.0, asked: float | None = None
) -> float:
    """The most seconds of a trial: as asked for, else as its system says, else an hour, or far more than expected.

    A search that has a budget of its own ends by that; it is given time to.
    """
    budget = spec.arguments.get("budget_seconds", 0.0)
    own = IMPORT_SECONDS + TIMES_BUDGET * float(budget) if budget else 0.0
    return max(own, asked or spec.system.seconds or max(MOST_SECONDS, TIMES_EXPECTED * expected(spec)))


def bytes_of(spec: TrialSpec) -> float:
    """Bytes that a trial needs, as its system states them, else as its cost law has them; 0 where neither does.

    Nor do they where parameters make no sense; the trial itself will say so, and a plan of a law that raises.
    """
    stated = spec.system.memory
    try:
        if not stated:
            law = _law(spec.system)
            return float(law.bytes_held(spec.parameters)) if law and law.bytes_held else 0.0
        return float(loaded(stated)(**spec.parameters) if isinstance(stated, str) else stated)
    except (ValueError, TypeError, ArithmeticError, PaperError):
        return 0.0


@cached
def _law(system: System) -> CostLaw | None:
    return law_of(system)


def bytes_held(spec: TrialSpec, asked: float | None = None) -> float:
    """The most bytes that the worker of a trial may hold: as asked for, else far more than stated, else no limit."""
    if asked is not None:
        return asked
    stated = bytes_of(spec)
    return max(LEAST_BYTES, TIMES_STATED * stated) if stated else math.inf


def outcome_of(error: BaseException) -> Outcome:
    """How a trial ended that raised this."""
    if isinstance(error, TrialEnded):
        return error.outcome
    is_refused = isinstance(error, RuntimeError) and "can't allocate memory" in str(error)  # torch's own words
    return Outcome.OUT_OF_MEMORY if isinstance(error, MemoryError) or is_refused else Outcome.FAILED


def resident(process: int, others: Collection[int] = ()) -> float:
    """Bytes of memory that a process and what it started hold; 0 where the machine does not say.

    Args:
        others: that it started as well, though they are no descendants any more.
    """
    return float(sum(map(_resident, {*_with_descendants(process), *others})))


def marked(variable: str) -> dict[str, list[int]]:
    """Processes by what a variable is in the environment that they were started with; none where nobody tells."""
    start = f"{variable}=".encode()
    found: dict[str, list[int]] = {}
    with suppress(OSError):
        for place in _PROC.iterdir():
            with suppress(OSError):
                entries = (place / "environ").read_bytes().split(b"\0") if place.name.isdecimal() else []
                for entry in entries:
                    if entry.startswith(start):
                        found.setdefault(entry[len(start) :].decode("ascii", "replace"), []).append(int(place.name))
    return found


def _with_descendants(process: int) -> Iterator[int]:
    yield process
    with suppress(OSError):
        for task in (_PROC / str(process) / "task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield from _with_descendants(int(child))


def _resident(process: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        return int((_PROC / str(process) / "statm").read_text(encoding="ascii").split()[1]) * _PAGE
    return 0
