"""Observables of a finished training: of fresh samples, and of its last look. A public function is an observable."""

from __future__ import annotations

import torch

from sim.shallow_vit.engine.interface import Masses
from sim.shallow_vit.tested import TestLosses, tested
from sim.shallow_vit.training import StepState, TrainedVit
from sim.trials.readouts import once
from sim.trials.trial import Outcome


def test_hinge(run: TrainedVit) -> float | None:
    """Mean hinge of the trained network on fresh samples; a diverged one is asked nothing."""
    found = once(_tested, run)
    return found.hinge if found else None


def test_error(run: TrainedVit) -> float | None:
    """Share of fresh samples on the wrong side."""
    found = once(_tested, run)
    return found.error if found else None


def success(run: TrainedVit) -> bool:
    """Whether the mean test hinge is that of a success. [li2023, §4.1]"""
    found = once(_tested, run)
    return bool(found and found.success)


def _tested(run: TrainedVit) -> TestLosses | None:
    if run.outcome == Outcome.DIVERGED:
        return None
    fresh = run.fresh()
    return tested(run.training.engine.outputs(fresh), fresh.labels)


def mass_label_relevant(run: TrainedVit) -> float | None:
    """Attention mass on label-relevant tokens at the last look, averaged over query tokens and samples."""
    return _last_masses(run).label_relevant if run.training.looks else None


def mass_own_query(run: TrainedVit) -> float | None:
    """The same over label-relevant queries."""
    return _last_masses(run).own_query if run.training.looks else None


def mass_worst_query(run: TrainedVit) -> float | None:
    """The smallest over all queries."""
    return _last_masses(run).worst_query if run.training.looks else None


def query_norm(run: TrainedVit) -> float | None:
    """Length of the query features of pattern 1 at the last look."""
    return _length(_last(run).weights.query) if run.training.looks else None


def key_norm(run: TrainedVit) -> float | None:
    """Length of the key features of pattern 1 at the last look."""
    return _length(_last(run).weights.key) if run.training.looks else None


def _last(run: TrainedVit) -> StepState:
    return run.training.looks[-1]


def _last_masses(run: TrainedVit) -> Masses:
    return _last(run).masses


def _length(matrix: torch.Tensor) -> float:
    return float(matrix[:, 0].norm())
