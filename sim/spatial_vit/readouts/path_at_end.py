"""Observables of a path of (alpha, gamma, rho) at its end, and over its records. All times are steps.

Those by the names of curves are the last of these; what overflowed in a diverged run is left out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sim.spatial_vit.readouts import path_along as along
from sim.spatial_vit.readouts import state_along as state
from sim.spatial_vit.readouts.finite import finite
from sim.spatial_vit.reduced import expected_errors
from sim.spatial_vit.reduced.dynamics import ReducedRun
from sim.spatial_vit.reduced.phases import NEVER, name_ending
from sim.trials.readouts import once
from sim.trials.trial import Outcome

Curve = Callable[[ReducedRun], np.ndarray]


def feature_alignment(run: ReducedRun) -> float | None:
    """alpha."""
    return finite(_last(state.feature_alignment, run))


def within_logit(run: ReducedRun) -> float | None:
    """gamma."""
    return finite(_last(state.within_logit, run))


def across_logit(run: ReducedRun) -> float | None:
    """rho."""
    return finite(_last(state.across_logit, run))


def diagonal_logit(run: ReducedRun) -> float | None:
    """beta."""
    return finite(_last(along.diagonal_logit, run))


def softmax_diagonal(run: ReducedRun) -> float | None:
    """Attention of a patch on itself."""
    return finite(_last(along.softmax_diagonal, run))


def softmax_within(run: ReducedRun) -> float | None:
    """On each other patch of its set."""
    return finite(_last(along.softmax_within, run))


def softmax_across(run: ReducedRun) -> float | None:
    """On each patch of other sets."""
    return finite(_last(along.softmax_across, run))


def own_set_weight(run: ReducedRun) -> float | None:
    """On its set as a whole, times D."""
    return finite(_last(along.own_set_weight, run))


def risk(run: ReducedRun) -> float | None:
    """The population risk."""
    return finite(_last(state.risk, run))


def test_error(run: ReducedRun) -> float | None:
    """P[F f* <= 0]."""
    return finite(_last(along.test_error, run))


def label_error(run: ReducedRun) -> float | None:
    """P[y F <= 0]."""
    return finite(_last(along.label_error, run))


def error_uncertainty(run: ReducedRun) -> float | None:
    """By how much either may be off."""
    return finite(_last(along.error_uncertainty, run))


def smallest_eigenvalue(run: ReducedRun) -> float | None:
    """Of A."""
    return finite(_last(along.smallest_eigenvalue, run))


def associated(run: ReducedRun) -> bool:
    """Whether the C largest entries of each row of A are its set. [Theorem 4.1 (1)]"""
    return bool(once(along.associated, run)[-1])


def always_associated(run: ReducedRun) -> bool:
    """Whether they are at every record after the first."""
    return bool(once(along.associated, run)[1:].all())


def first_reversal_step(run: ReducedRun) -> float | None:
    """First step with gamma < rho, -1 for none."""
    return NEVER if run.path.first_reversal is None else finite(run.path.first_reversal / run.per_step)


def last_reversal_step(run: ReducedRun) -> float | None:
    """Last step with gamma < rho, -1 for none."""
    return NEVER if run.path.last_reversal is None else finite(run.path.last_reversal / run.per_step)


def smallest_increment_gap(run: ReducedRun) -> float | None:
    """Least of (gamma's increment - rho's) / eta, over all steps; for the flow, over its records."""
    at_records = float((once(along.within_descent, run) - once(along.across_descent, run)).min())
    return finite(min(run.path.smallest_increment_gap, at_records))


def ending(run: ReducedRun) -> str:
    """Its name; see `sim.spatial_vit.reduced.phases`."""
    return name_ending(
        associated=associated(run),
        gap=_last(state.within_logit, run) - _last(state.across_logit, run),
        error=_last(along.test_error, run),
        threshold=once(_threshold, run),
        diverged=run.outcome is Outcome.DIVERGED,
    )


def structure_threshold(run: ReducedRun) -> float | None:
    """The largest small error; see `expected_errors.structure_threshold`."""
    return finite(once(_threshold, run))


def least_error(run: ReducedRun) -> float | None:
    """P[f* = 0], the least possible test error."""
    return finite(expected_errors.least_error(run.expectation.table, run.setting))


def _last(curve: Curve, run: ReducedRun) -> float:
    return float(once(curve, run)[-1])


def _threshold(run: ReducedRun) -> float:
    return expected_errors.structure_threshold(run.expectation.table, run.setting)
