"""Observables of all of a path, in steps."""

from __future__ import annotations

from collections.abc import Mapping

from sim.spatial_vit.readouts.finite import finite, finite_only
from sim.spatial_vit.reduced.dynamics import ReducedRun
from sim.spatial_vit.reduced.phases import phase_observables
from sim.trials.trial import Scalar


def phases(run: ReducedRun) -> Mapping[str, Scalar]:
    """Those of `sim.spatial_vit.reduced.phases.phase_observables`."""
    return finite_only(phase_observables(run.setting, run.path.fine_times / run.per_step, run.path.fine_states))


def smallest_gap(run: ReducedRun) -> float | None:
    """Least gamma - rho over all steps that the integrator took."""
    return finite(run.path.smallest_gap)
