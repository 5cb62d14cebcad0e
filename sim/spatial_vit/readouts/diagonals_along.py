"""Curves of two flows, with the diagonal of A fixed and free, [records]; none where either diverged."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sim.spatial_vit.readouts import path_along, state_along
from sim.spatial_vit.reduced.diagonal import BothDiagonals
from sim.spatial_vit.reduced.dynamics import ReducedRun
from sim.trials.readouts import once
from sim.trials.trial import Outcome


def flow_time(run: BothDiagonals) -> np.ndarray | None:
    """Learning rate x steps, of both."""
    return None if run.outcome is Outcome.DIVERGED else state_along.flow_time(run.fixed)


def fixed(run: BothDiagonals) -> Mapping[str, np.ndarray]:
    """`fixed_*`: state, test error and risk of the run with the diagonal fixed."""
    return {} if run.outcome is Outcome.DIVERGED else _curves("fixed", run.fixed)


def free(run: BothDiagonals) -> Mapping[str, np.ndarray]:
    """`free_*`: those of the other."""
    return {} if run.outcome is Outcome.DIVERGED else _curves("free", run.free)


def _curves(name: str, run: ReducedRun) -> dict[str, np.ndarray]:
    read = (
        state_along.feature_alignment, state_along.within_logit, state_along.across_logit, path_along.diagonal_logit,
        path_along.test_error, state_along.risk,
    )  # fmt: skip
    return {f"{name}_{each.__name__}": once(each, run) for each in read}
