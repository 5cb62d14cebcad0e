"""What readouts of a path of (alpha, gamma, rho) share, one value a record: gradients, softmax values, error rates."""

from __future__ import annotations

import numpy as np

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import dynamics
from sim.spatial_vit.reduced.dynamics import ReducedRun, setting_at
from sim.spatial_vit.reduced.expected_errors import errors_at
from sim.spatial_vit.reduced.fourier_errors import ErrorRates
from sim.spatial_vit.reduced.population import ReducedGradient, SoftmaxValues, softmax_values


def gradients_of(run: ReducedRun) -> list[ReducedGradient]:
    """Risk and derivatives."""
    with np.errstate(over="ignore", invalid="ignore"):
        return [dynamics.gradient_at(run.expectation.table, run.setting, state) for state in run.path.states]


def softmax_of(run: ReducedRun) -> list[SoftmaxValues]:
    """Values of the attention in its three classes."""
    with np.errstate(over="ignore", invalid="ignore"):
        return [softmax_values(at, within=within, across=across) for at, _, within, across in states_of(run)]


def errors_of(run: ReducedRun) -> list[ErrorRates]:
    """Error probabilities, which take most of the time at large D."""
    with np.errstate(over="ignore", invalid="ignore"):
        return [
            errors_at(run.expectation.table, at, alignment=alignment, within=within, across=across)
            for at, alignment, within, across in states_of(run)
        ]


def states_of(run: ReducedRun) -> list[tuple[Setting, float, float, float]]:
    """The setting with the diagonal of the record, alpha, gamma, rho."""
    states = run.path.states
    return [(setting_at(run.setting, state), float(state[0]), float(state[1]), float(state[2])) for state in states]
