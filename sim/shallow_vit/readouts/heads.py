"""Observables of trainings with one head and with several, over seeds; none where one diverged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sim.shallow_vit.readouts.network_at_end import success
from sim.shallow_vit.variants import ComparedHeads, TrainedStack
from sim.trials.readouts import once
from sim.trials.trial import Outcome


def steps(run: ComparedHeads) -> Mapping[str, float]:
    """Of the steps T to zero training hinge: `mean_*`, `variance_*`, and `log_variance_*` of log T, by heads."""
    if run.outcome == Outcome.DIVERGED:
        return {}
    return {f"{name}_{heads}": value for heads, runs in _both(run) for name, value in _of_steps(runs).items()}


def successes(run: ComparedHeads) -> Mapping[str, float]:
    """`success_*`: share of trainings with test hinge below 1e-3, by heads."""
    if run.outcome == Outcome.DIVERGED:
        return {}
    return {f"success_{heads}": float(np.mean([once(success, each) for each in runs])) for heads, runs in _both(run)}


def _both(run: ComparedHeads) -> list[tuple[str, tuple[TrainedStack, ...]]]:
    return [("one", run.one), ("many", run.many)]


def _of_steps(runs: tuple[TrainedStack, ...]) -> dict[str, float]:
    taken = np.array([float(run.account["iterations"]) for run in runs]).clip(min=1)
    return {
        "mean": float(taken.mean()),
        "variance": float(taken.var(ddof=1)),
        "log_variance": float(np.log(taken).var(ddof=1)),
    }
