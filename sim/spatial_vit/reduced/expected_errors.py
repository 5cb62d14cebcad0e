"""Error probabilities of the reduced network, by the method of its expectation, and what they are held against."""

from __future__ import annotations

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import fourier_errors
from sim.spatial_vit.reduced.fourier import FourierTypes
from sim.spatial_vit.reduced.fourier_errors import ErrorRates
from sim.spatial_vit.reduced.population import (
    PopulationTable,
    SetTypes,
    error_rates,
    reduced_outputs,
    set_outputs,
)

STRUCTURE_FREE_ERROR = 1 / 8
ERROR_NODES = 1000
"""Nodes of the smoothed indicator at each total: its bracket is a 70th of the range of F there."""


def structure_threshold(table: PopulationTable, setting: Setting) -> float:
    """Half way from the test error of uniform attention, its ties drawn, to the least possible one; at most 1/8.

    Uniform attention sees the total alone and may err far below 1/8, where few patches are spurious; a network that has
    learned the sets must do better than that. Ties count as errors of a network, but half of them would be right by
    chance, and the least difference of logits breaks them. 1/8 is what Theorem 3.1 grants every generalized linear
    model.
    """
    beta, alpha = setting.diagonal_logit, setting.initial_alignment
    # F is odd in alpha: at -alpha what is right and not a tie is wrong.
    with_ties, right_with_ties = (
        errors_at(table, setting, alignment=sign * alpha, within=beta, across=beta).test_error for sign in (1, -1)
    )
    floor = least_error(table, setting)
    uniform = (with_ties + 1 - right_with_ties + floor) / 2
    return min((uniform + floor) / 2, STRUCTURE_FREE_ERROR)


def least_error(table: PopulationTable, setting: Setting) -> float:
    """P[f* = 0]: the least possible test error, since a tie of the labelling function counts as one."""
    if isinstance(table, FourierTypes):
        return sum(event.probability for event in fourier_errors.events(table) if event.total == -setting.set_size)
    types = _listed(table)
    return float(types.weights[types.labelling == 0].sum())


def errors_at(
    table: PopulationTable, setting: Setting, *, alignment: float, within: float, across: float
) -> ErrorRates:
    """P[F f* <= 0] and P[y F <= 0] at a state."""
    state = {"alignment": alignment, "within": within, "across": across}
    if isinstance(table, FourierTypes):
        return fourier_errors.error_rates(table, set_outputs(table, setting, **state), n_nodes=ERROR_NODES)
    types = _listed(table)
    test_error, label_error = error_rates(types, reduced_outputs(types, setting, **state))
    return ErrorRates(test_error=test_error, label_error=label_error, uncertainty=0.0)


def _listed(table: PopulationTable) -> SetTypes:
    """The table, where it lists types of sets."""
    if not isinstance(table, SetTypes):
        raise TypeError(f"table must list types of sets or be their Fourier integral, got {type(table).__name__}")
    return table
