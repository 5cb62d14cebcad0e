"""Steps of gradient descent on the value vector alone, attention frozen, a vector of mixed patches at a time.

Each lane is a mixed patch u_i = D sum_j S_ij X_j: they lie as [blocks, dimension, lanes], the patches of a data point
one after the other. Padded ones are zero and add nothing. [jelassi2022, (E) of section 5]
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.kernels.simd import clear, fma, inner, kernel, load, splat, store, total
from sim.spatial_vit.engine.full_kernels import CONVERGED, DIVERGED, RUNNING


class ValueProblem(NamedTuple):
    """u [blocks, dimension, lanes], `labels` y [samples], and `value` v [dimension], which is changed in place."""

    mixed: np.ndarray
    labels: np.ndarray
    value: np.ndarray
    n_patches: int


class ValueRoom(NamedTuple):
    """Working memory: activation and slope of each mixed patch, and the gradient by v, by lanes and summed."""

    responses: np.ndarray
    slopes: np.ndarray
    along: np.ndarray
    by_value: np.ndarray


@inner
def _respond(problem, rule, room):
    """Activation and slope of every mixed patch."""
    n_blocks, dimension, lanes = problem.mixed.shape
    zero = splat(0.0)
    linear, degree = splat(rule.linear), splat(float(rule.power))
    for block in range(n_blocks):
        first = block * dimension * lanes
        even, odd = zero, zero
        for c in range(0, dimension - 1, 2):
            even = fma(load(problem.mixed, first + c * lanes), splat(problem.value[c]), even)
            odd = fma(load(problem.mixed, first + (c + 1) * lanes), splat(problem.value[c + 1]), odd)
        if dimension % 2:
            last = dimension - 1
            even = fma(load(problem.mixed, first + last * lanes), splat(problem.value[last]), even)
        seen = even + odd
        square = seen * seen
        raised = square
        for _ in range((rule.power - 3) // 2):
            raised = raised * square
        store(room.responses, block * lanes, seen * (raised + linear))
        store(room.slopes, block * lanes, fma(degree, raised, linear))


@inner
def _differentiate(problem, rule, room):
    """The mean risk; leaves its gradient by v."""
    n_blocks, dimension, lanes = problem.mixed.shape
    n_samples, n_patches = len(problem.labels), problem.n_patches
    _respond(problem, rule, room)
    risk = 0.0
    for sample in range(n_samples):
        output = 0.0
        for place in range(sample * n_patches, (sample + 1) * n_patches):
            output += room.responses[place]
        margin = problem.labels[sample] * output
        small = math.exp(-abs(margin))
        risk += math.log1p(small) + max(-margin, 0.0)
        by_output = -problem.labels[sample] * (small if margin >= 0 else 1.0) / ((1.0 + small) * n_samples)
        for place in range(sample * n_patches, (sample + 1) * n_patches):
            room.slopes[place] *= by_output
    clear(room.along, 0, room.along.size)
    for block in range(n_blocks):
        pulled = load(room.slopes, block * lanes)
        first = block * dimension * lanes
        for c in range(dimension):
            store(
                room.along, c * lanes, fma(load(problem.mixed, first + c * lanes), pulled, load(room.along, c * lanes))
            )
    for c in range(dimension):
        room.by_value[c] = total(load(room.along, c * lanes))
    return risk / n_samples


@kernel
def descend(problem, rule, room, count):
    """Take at most `count` steps and look at the state reached: steps taken, risk, 0, how it stands."""
    step = 0
    while True:
        risk = _differentiate(problem, rule, room)
        finite = True
        for c in range(len(problem.value)):
            finite = finite and math.isfinite(room.by_value[c])
        if not (finite and risk < rule.diverged_risk):
            return step, risk, 0.0, DIVERGED
        if risk < rule.stop_risk:
            return step, risk, 0.0, CONVERGED
        if step == count:
            return step, risk, 0.0, RUNNING
        for c in range(len(problem.value)):
            problem.value[c] -= rule.value_rate * room.by_value[c]
        step += 1
