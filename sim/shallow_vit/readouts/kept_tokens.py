"""Observables of a sparsification: of the training on all tokens at both ends, and of that on the tokens kept."""

from __future__ import annotations

from sim.shallow_vit.readouts.at_end import mass_label_relevant
from sim.shallow_vit.sparsification import TrainedTokens
from sim.shallow_vit.tested import TestLosses, tested
from sim.trials.readouts import once
from sim.trials.trial import Outcome


def mass_start(run: TrainedTokens) -> float | None:
    """Attention mass on label-relevant tokens at the first look of the training on all tokens."""
    return run.training.looks[0].masses.label_relevant if run.training.looks else None


def mass_end(run: TrainedTokens) -> float | None:
    """The same at its last look, under the name that it has for stacks of layers."""
    return mass_label_relevant(run)


def kept_test_hinge(run: TrainedTokens) -> float | None:
    """Mean hinge on fresh samples, sparsified alike."""
    found = once(_tested, run)
    return found.hinge if found else None


def kept_test_error(run: TrainedTokens) -> float | None:
    """Share of them on the wrong side."""
    found = once(_tested, run)
    return found.error if found else None


def kept_success(run: TrainedTokens) -> bool | None:
    """Whether the mean hinge is that of a success; False where that training diverged."""
    if run.kept is None:
        return None
    found = once(_tested, run)
    return bool(found and found.success)


def _tested(run: TrainedTokens) -> TestLosses | None:
    if run.kept is None or run.kept.outcome == Outcome.DIVERGED:
        return None
    return tested(run.kept.engine.outputs(run.fewer_fresh), run.fewer_fresh.labels)
