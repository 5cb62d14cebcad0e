"""Observables of two flows, with the diagonal of A fixed and free; none where either diverged."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from sim.spatial_vit.readouts import path_at_end as at_end
from sim.spatial_vit.readouts import state_along
from sim.spatial_vit.readouts.finite import finite, finite_only
from sim.spatial_vit.reduced.diagonal import BothDiagonals
from sim.spatial_vit.reduced.dynamics import ReducedRun
from sim.trials.readouts import once
from sim.trials.trial import Outcome, Scalar


def fixed(run: BothDiagonals) -> Mapping[str, Scalar]:
    """`fixed_*`, of the end of the run with the diagonal fixed."""
    return {} if _is_lost(run) else _ends("fixed", run.fixed)


def free(run: BothDiagonals) -> Mapping[str, Scalar]:
    """`free_*`, of the end of the other."""
    return {} if _is_lost(run) else _ends("free", run.free)


def log_error_ratio(run: BothDiagonals) -> float | None:
    """log of the ratio of the free run's test error to the fixed one's."""
    if _is_lost(run):
        return None
    return finite(math.log(_error(run.free) / _error(run.fixed)))


def largest_alignment_ratio(run: BothDiagonals) -> float | None:
    """The largest |log| of the ratio of alphas at any record."""
    if _is_lost(run):
        return None
    free_alpha, fixed_alpha = (once(state_along.feature_alignment, each) for each in (run.free, run.fixed))
    return finite(float(np.abs(np.log(free_alpha / fixed_alpha)).max()))


def _ends(name: str, run: ReducedRun) -> dict[str, Scalar]:
    read = (
        at_end.associated, at_end.ending, at_end.feature_alignment, at_end.within_logit, at_end.across_logit,
        at_end.diagonal_logit, at_end.test_error, at_end.risk,
    )  # fmt: skip
    found = {f"{name}_{each.__name__}": once(each, run) for each in read}
    return finite_only({key: value for key, value in found.items() if value is not None})


def _error(run: ReducedRun) -> float:
    return float(once(at_end.test_error, run) or math.nan)


def _is_lost(run: BothDiagonals) -> bool:
    return run.outcome is Outcome.DIVERGED
