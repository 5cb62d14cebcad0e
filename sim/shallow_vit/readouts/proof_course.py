"""Observables of a proof's training: first, last and extreme values that rows compare with a bound."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from sim.shallow_vit import proof_quantities as read
from sim.shallow_vit.course import ProofRun
from sim.shallow_vit.data import LABEL_RELEVANT
from sim.shallow_vit.proof_reading import event_of, is_recorded, of_neurons, of_samples, of_values, probe_at_end
from sim.trials.readouts import once


def quadrature(run: ProofRun) -> float | None:
    """Largest part of the value vectors' drift that no sum over steps has."""
    return float(once(of_values, run)["value_lost"][-1]) if is_recorded(run) else None


def activity(run: ProofRun) -> Mapping[str, float]:
    """Signs and sizes of the mean V_i, by group."""
    tally = run.looks.tally
    return read.activity_signs(tally.activity / tally.steps, run.looks.groups) if tally and tally.steps else {}


def mass_at_start(run: ProofRun) -> float | None:
    """Mass of label-relevant queries on their own, at the first look."""
    return float(_mass(run)[0]) if is_recorded(run) else None


def mass_at_end(run: ProofRun) -> float | None:
    """The same at the last."""
    return float(_mass(run)[-1]) if is_recorded(run) else None


def mass_missing_at_end(run: ProofRun) -> float | None:
    """What the last lacks to 1."""
    return float(1 - _mass(run)[-1]) if is_recorded(run) else None


def missing_by_query(run: ProofRun) -> Mapping[str, float]:
    """What the mass on label-relevant tokens lacks to 1 at the last look: the worst query, and the mean of all."""
    return read.missing_by_query(*once(probe_at_end, run)) if is_recorded(run) else {}


def query_squared(run: ProofRun) -> float | None:
    """||q_1(T)||^2."""
    return float(once(of_samples, run)["query_1"].numpy()[-1] ** 2) if is_recorded(run) else None


def margin_at_end(run: ProofRun) -> float | None:
    """The least margin at the last look."""
    return float(once(of_samples, run)["margin_least"][-1]) if is_recorded(run) else None


def lucky_gain(run: ProofRun) -> float | None:
    """How far neurons near p_1 of a positive sum of a have moved along it between first and last look, on average."""
    if not is_recorded(run):
        return None
    found = once(of_neurons, run)["projection_1_positive"]
    return float(found[-1] - found[0])


def rest_largest(run: ProofRun) -> float | None:
    """The largest projection of an unlucky neuron on a non-discriminative feature, over all looks."""
    return _largest(run, "rest_largest")


def rest_over_logarithm(run: ProofRun) -> float | None:
    """The largest over sqrt(2 log(100 m M)), which m M standard Gaussians stay below with a probability of 0.99."""
    neurons, patterns = len(run.looks.groups.positive), run.directions.shape[1]
    largest = rest_largest(run)
    return None if largest is None else largest / math.sqrt(2 * math.log(100 * neurons * patterns))


def rest_rms(run: ProofRun) -> float | None:
    """The largest root mean square of these."""
    return _largest(run, "rest_rms")


def unlucky_norm_squared_largest(run: ProofRun) -> float | None:
    """The largest squared length of an unlucky neuron."""
    return _largest(run, "unlucky_norm_squared_largest")


def relevant_tokens(run: ProofRun) -> float | None:
    """Label-relevant tokens of a sample, on average."""
    return float((run.probe.roles == LABEL_RELEVANT).double().sum(1).mean()) if is_recorded(run) else None


def n_event(run: ProofRun) -> int | None:
    """Neurons in the event of Lemma 3 at the start."""
    return int(once(event_of, run)[0].sum()) if is_recorded(run) else None


def n_positive(run: ProofRun) -> int | None:
    """Unlucky neurons that are worth more than zero to the output, counted among the positive."""
    groups = run.looks.groups
    return int((groups.positive & ~groups.unlucky).sum()) if is_recorded(run) else None


def _mass(run: ProofRun) -> np.ndarray:
    return once(of_samples, run)["mass_own_query"].numpy()


def _largest(run: ProofRun, name: str) -> float | None:
    return float(once(of_neurons, run)[name].max()) if is_recorded(run) else None
