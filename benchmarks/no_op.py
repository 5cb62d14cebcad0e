"""A simulator that does nothing, or computes for a stated time: what is left is the cost of running and keeping."""

from __future__ import annotations

import time
from typing import Any

from sim.trials.trial import Outcome, System, TrialResult

NO_OP = System("no_op", "benchmarks.no_op:simulate", ("benchmarks.no_op",), uses_torch=False)


def simulate(*, size: int, milliseconds: float = 0.0, generator: Any) -> TrialResult:
    """Compute for so many milliseconds of CPU time, then draw one number."""
    end = time.thread_time() + milliseconds / 1000
    while time.thread_time() < end:
        pass
    return TrialResult(Outcome.CONVERGED, {"size": size, "drawn": generator.random(), "shown": True})
