"""Observables of a network without attention on fresh samples; but for `success`, none where it diverged."""

from __future__ import annotations

import numpy as np

from sim.shallow_vit.local import LocalRun, outputs
from sim.shallow_vit.tested import TestLosses
from sim.trials.readouts import once
from sim.trials.trial import Outcome


def test_hinge(run: LocalRun) -> float | None:
    """Mean hinge."""
    found = once(_tested, run)
    return found.hinge if found else None


def test_error(run: LocalRun) -> float | None:
    """Share of samples on the wrong side."""
    found = once(_tested, run)
    return found.error if found else None


def success(run: LocalRun) -> bool:
    """Whether the mean hinge is that of a success. [li2023, section 4.1]"""
    found = once(_tested, run)
    return bool(found and found.success)


def _tested(run: LocalRun) -> TestLosses | None:
    if run.outcome is Outcome.DIVERGED:
        return None
    margins = run.test.labels * outputs(run.test, run.network)
    return TestLosses(float(np.maximum(1 - margins, 0).mean()), float((margins <= 0).mean()))
