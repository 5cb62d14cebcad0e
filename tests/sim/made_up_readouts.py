"""Made-up trials of systems with readouts, as a store keeps what was read off a run."""

from __future__ import annotations

from dataclasses import replace

from sim.trials.readouts import readouts_of
from sim.trials.trial import Trial


def as_read_off(trial: Trial) -> Trial:
    """The trial with its values said to be those of the readouts of the same names."""
    result, readouts = trial.result, readouts_of(trial.spec.system).values()
    given = {
        readout.id: (readout.name,)
        for readout in readouts
        if readout.name in (result.curves if readout.is_curve else result.observables)
    }
    return replace(trial, result=replace(result, given=given))
