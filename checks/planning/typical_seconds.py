"""What a trial typically costs, for the time left that a run shows before it has measured any.

Simulators say it themselves (`System.typical_seconds`): mean CPU seconds of a trial at the quick preset on one core of
2023, to one digit. Nothing but their ratios matters, and those only until trials of the same claim have ended
(`sim.running.time_left`). A plan needs more than this and measures it (`checks.planning.costs`).
"""

from __future__ import annotations

import math

from sim.trials.trial import TrialSpec, loaded

_UNKNOWN = 0.07


def typical_seconds(spec: TrialSpec) -> float:
    """A guess of a trial's CPU seconds, or of a GPU's where it needs one.

    One that fails, of a paper from outside, is no guess and ends no run.
    """
    if on_gpu := gpu_seconds(spec):
        return on_gpu
    seconds = spec.system.typical_seconds
    if isinstance(seconds, str):
        try:
            seconds = float(loaded(seconds)(spec.parameters))
        except Exception:
            if not spec.system.folder:
                raise
            return _UNKNOWN
    return seconds if 0 < seconds < math.inf else _UNKNOWN


def gpu_seconds(spec: TrialSpec) -> float:
    """A guess of how long a GPU works on a trial; 0 where it needs none."""
    return float(loaded(spec.system.gpu_seconds)(spec.parameters)) if spec.system.gpu_seconds else 0.0
