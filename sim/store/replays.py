"""A replay: a finished trial run again for the readouts that it lacks, believed only where it is the same trial.

A recipe decides every bit of a trial, and its key says that the sources of the recipe are those of today. So a replay
must repeat its outcome, its own account (which for trainings holds a hash of the final weights) and every readout that
is current. Where one bit differs, the sources were split wrongly, or this machine computes otherwise than the one that
measured; either way what the replay gives belongs to another trial, and nothing of it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sim.store.rows import Record, in_use
from sim.trials.trial import CURVE, System, TrialResult


def difference(record: Record, system: System, again: TrialResult) -> str:
    """What a replay has otherwise than what is in use of a row, in words; "" where it repeats all of it."""
    if again.outcome.is_failure:
        return f"stored {record.result.outcome}, now {again.outcome}: {again.observables['error']}"
    used = in_use(record, system)
    before, now = bits_of(used), bits_of(again)
    new = {value for name, values in again.given.items() if name not in used.given for value in values}
    for name in [*before, *(name for name in now if name not in before and name not in new)]:
        if before.get(name) != now.get(name):
            told = [bits if isinstance(bits, str) else "other bits" for bits in (before.get(name), now.get(name))]
            return f"{name} was {told[0]}, is {told[1]}"
    return ""


def bits_of(result: TrialResult) -> Mapping[str, object]:
    """Everything a result holds in a form that compares bit for bit; json writes a float so that it reads back."""
    import numpy as np

    curves = {name: np.asanyarray(curve) for name, curve in result.curves.items()}
    return {
        "outcome": result.outcome.value,
        **{name: json.dumps(value) for name, value in result.observables.items()},
        **{f"{CURVE}{name}": (curve.dtype.str, curve.shape, curve.tobytes()) for name, curve in curves.items()},
    }
