"""Observables of a flow that is followed far: what alpha does late, and what labels say. All times are steps."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sim.spatial_vit.readouts import state_along as along
from sim.spatial_vit.readouts.finite import finite, finite_only
from sim.spatial_vit.reduced import wrong_labels
from sim.spatial_vit.reduced.dynamics import ReducedRun
from sim.spatial_vit.reduced.phases import later_course
from sim.trials.readouts import once
from sim.trials.trial import Scalar


def course(run: ReducedRun) -> Mapping[str, Scalar]:
    """What alpha does after its first maximum; see `sim.spatial_vit.reduced.phases.later_course`."""
    return finite_only(once(_course, run))


def first_risk(run: ReducedRun) -> float | None:
    """The population risk at the start."""
    return finite(float(once(along.risk, run)[0]))


def final_risk(run: ReducedRun) -> float | None:
    """The population risk at the end."""
    return finite(float(once(along.risk, run)[-1]))


def low_risk(run: ReducedRun) -> float | None:
    """The population risk at `low_time`, between records."""
    low_time = once(_course, run)["low_time"] * run.learning_rate
    return finite(float(np.interp(low_time, run.path.times, once(along.risk, run))))


def final_within(run: ReducedRun) -> float | None:
    """gamma at the end."""
    return finite(float(run.path.states[-1][1]))


def final_across(run: ReducedRun) -> float | None:
    """rho at the end."""
    return finite(float(run.path.states[-1][2]))


def wrong_share(run: ReducedRun) -> float | None:
    """P[y f* <= 0] before any data are left out."""
    return finite(wrong_labels.wrong_share(run.setting))


def _course(run: ReducedRun) -> dict[str, float]:
    return later_course(run.path.fine_times / run.per_step, run.path.fine_states)
