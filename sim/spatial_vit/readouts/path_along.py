"""Curves over the records of a path that stand beside its state, [records]: softmax, derivatives, errors.

`*_descent` is minus the derivative, so that an increment of gradient descent is learning rate x descent.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced import phases
from sim.spatial_vit.reduced.dynamics import ReducedRun
from sim.spatial_vit.reduced.path_reading import errors_of, gradients_of, softmax_of, states_of
from sim.trials.readouts import once

Curve = np.ndarray


def step(run: ReducedRun) -> Curve:
    """Steps taken before each record: the abscissa of all others."""
    return run.path.times / run.per_step


def diagonal_logit(run: ReducedRun) -> Curve:
    """beta."""
    return _along(states_of, run, lambda state: state[0].diagonal_logit)


def softmax_diagonal(run: ReducedRun) -> Curve:
    """Attention of a patch on itself."""
    return _along(softmax_of, run, lambda softmax: softmax.diagonal)


def softmax_within(run: ReducedRun) -> Curve:
    """On each other patch of its set."""
    return _along(softmax_of, run, lambda softmax: softmax.within)


def softmax_across(run: ReducedRun) -> Curve:
    """On each patch of other sets."""
    return _along(softmax_of, run, lambda softmax: softmax.across)


def own_set_weight(run: ReducedRun) -> Curve:
    """On its set as a whole, times D."""
    return _along(softmax_of, run, lambda softmax: softmax.own_set)


def alignment_descent(run: ReducedRun) -> Curve:
    """By alpha."""
    return _along(gradients_of, run, lambda gradient: -gradient.alignment)


def within_descent(run: ReducedRun) -> Curve:
    """By one entry of A within a set."""
    return _along(gradients_of, run, lambda gradient: -gradient.within)


def across_descent(run: ReducedRun) -> Curve:
    """By one entry of A across sets."""
    return _along(gradients_of, run, lambda gradient: -gradient.across)


def diagonal_descent(run: ReducedRun) -> Curve:
    """By one entry of the diagonal of A."""
    return _along(gradients_of, run, lambda gradient: -gradient.diagonal)


def test_error(run: ReducedRun) -> Curve:
    """P[F f* <= 0]."""
    return _along(errors_of, run, lambda errors: errors.test_error)


def label_error(run: ReducedRun) -> Curve:
    """P[y F <= 0]."""
    return _along(errors_of, run, lambda errors: errors.label_error)


def error_uncertainty(run: ReducedRun) -> Curve:
    """By how much either may be off."""
    return _along(errors_of, run, lambda errors: errors.uncertainty)


def associated(run: ReducedRun) -> Curve:
    """1 where the C largest entries of each row of A are its set, else 0. [Theorem 4.1 (1)]"""
    return _of_logits(phases.is_associated, run)


def smallest_eigenvalue(run: ReducedRun) -> Curve:
    """Of A; a Gram matrix has none negative."""
    return _of_logits(phases.smallest_eigenvalue, run)


def _along(work: Callable[[ReducedRun], list], run: ReducedRun, read: Callable[..., float]) -> Curve:
    return np.array([float(read(each)) for each in once(work, run)])


def _of_logits(measure: Callable[..., float], run: ReducedRun) -> Curve:
    def measured(state: tuple[Setting, float, float, float]) -> float:
        at, _, within, across = state
        return measure(at, within=within, across=across)

    return _along(states_of, run, measured)
