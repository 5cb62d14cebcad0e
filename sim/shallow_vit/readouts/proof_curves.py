"""Curves of a proof's training over its looks, those of one kind together. `*_1` and `*_2` are by pattern."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from sim.shallow_vit.course import ProofRun
from sim.shallow_vit.proof_quantities import Quantities
from sim.shallow_vit.proof_reading import (
    is_recorded,
    kept_in_event_of,
    kept_of,
    lucky_in_event_of,
    of_fresh_samples,
    of_neurons,
    of_samples,
    of_values,
)
from sim.trials.readouts import once


def step(run: ProofRun) -> np.ndarray | None:
    """Steps taken before each look: the abscissa of all others."""
    return np.array([look.step for look in run.looks.looks]) if is_recorded(run) else None


def hinge(run: ProofRun) -> np.ndarray | None:
    """Mean hinge of the batch of that step, before it."""
    return np.array([look.hinge for look in run.looks.looks]) if is_recorded(run) else None


def on_probe(run: ProofRun) -> Mapping[str, np.ndarray]:
    """Margins, feature lengths and attention against its bounds."""
    return _curves(of_samples, run)


def on_fresh(run: ProofRun) -> Mapping[str, np.ndarray]:
    """Mean and least margin of fresh samples; none where tokens have noise, which another order does not draw anew."""
    has_noise = bool((run.probe.tokens.square().sum(-1) != 1).any())
    return {} if has_noise else _curves(of_fresh_samples, run)


def projections(run: ProofRun) -> Mapping[str, np.ndarray]:
    """Of neurons on features."""
    return _curves(of_neurons, run)


def kept(run: ProofRun) -> Mapping[str, np.ndarray]:
    """Shares of the groups that are lucky still."""
    return _curves(kept_of, run)


def kept_in_event(run: ProofRun) -> Mapping[str, np.ndarray]:
    """Shares of the neurons in the event of Lemma 3 that are in it still."""
    return _curves(kept_in_event_of, run)


def lucky_in_event(run: ProofRun) -> Mapping[str, np.ndarray]:
    """Shares of the planted groups that are in the event of Lemma 3."""
    return _curves(lucky_in_event_of, run)


def drift(run: ProofRun) -> Mapping[str, np.ndarray]:
    """How value vectors moved."""
    return {name: curve for name, curve in _curves(of_values, run).items() if name != "value_lost"}


def _curves(work: Callable[[ProofRun], Quantities], run: ProofRun) -> Mapping[str, np.ndarray]:
    return {name: values.numpy() for name, values in once(work, run).items()} if is_recorded(run) else {}
