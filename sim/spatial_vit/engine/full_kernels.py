"""Steps of gradient descent on all logits and the value vector, a vector of data points at a time.

Each lane is a data point: patches lie as [blocks, patches, dimension, lanes], so that no sum runs over lanes but the
last one. Labels are multiplied into patches, and padded data points are zero: their output is 0, which adds log 2 to
the risk and an error each, taken off again, and nothing to a gradient. [jelassi2022, (E), (GD)]
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.kernels.simd import (
    absolute,
    clear,
    exponential,
    fma,
    inner,
    kernel,
    load,
    log_one_plus,
    splat,
    store,
    total,
    where_at_least,
    where_greater,
)

RUNNING, DIVERGED, CONVERGED = 0, 1, 2
_FLUSH = 64  # blocks whose sums are kept in the precision of the patches


class FullProblem(NamedTuple):
    """y X [blocks, patches, dimension, lanes] of `n_samples` data points, and the parameters, changed in place.

    `logits` A [patches, patches], `value` v [dimension].
    """

    patches: np.ndarray
    logits: np.ndarray
    value: np.ndarray
    n_samples: int


class DescentRule(NamedTuple):
    """What a step does; `stop_risk` and `diverged_risk` end a run below and from on."""

    temperature: float
    power: int
    linear: float
    logits_rate: float
    value_rate: float
    stop_risk: float
    diverged_risk: float


class Room(NamedTuple):
    """Working memory. In the precision of the patches, but for what is summed over blocks.

    `direction` v [dimension], `mixing` D S [patches, patches]; by lanes: `seen` <v, X_j>, `slopes` and `pulled`
    dL/d<v, X_j> [patches], `pairs` [patches, patches], `along` [dimension], `losses` risk and errors [2]; in double
    precision: `scores` S, `by_scores` [patches, patches], `by_value` [dimension], `counted` risk and errors [2].
    """

    direction: np.ndarray
    mixing: np.ndarray
    seen: np.ndarray
    slopes: np.ndarray
    pulled: np.ndarray
    pairs: np.ndarray
    along: np.ndarray
    losses: np.ndarray
    scores: np.ndarray
    by_scores: np.ndarray
    by_value: np.ndarray
    counted: np.ndarray


@inner
def _attend(problem, rule, room):
    """S by rows, and D S and v in the precision of the patches."""
    n_patches = problem.logits.shape[0]
    for i in range(n_patches):
        largest = -np.inf
        for j in range(n_patches):
            largest = max(largest, problem.logits[i, j])
        whole = 0.0
        for j in range(n_patches):
            weight = math.exp((problem.logits[i, j] - largest) / rule.temperature)
            room.scores[i, j] = weight
            whole += weight
        for j in range(n_patches):
            room.scores[i, j] /= whole
            room.mixing[i, j] = n_patches * room.scores[i, j]
    for c in range(len(problem.value)):
        room.direction[c] = problem.value[c]


@inner
def _see(patches, block, room):
    """<v, X_j> of a block's data points."""
    _, n_patches, dimension, lanes = patches.shape
    zero = splat(patches.dtype.type(0))
    for j in range(n_patches):
        first = (block * n_patches + j) * dimension * lanes
        even, odd = zero, zero
        for c in range(0, dimension - 1, 2):
            even = fma(load(patches, first + c * lanes), splat(room.direction[c]), even)
            odd = fma(load(patches, first + (c + 1) * lanes), splat(room.direction[c + 1]), odd)
        if dimension % 2:
            last = dimension - 1
            even = fma(load(patches, first + last * lanes), splat(room.direction[last]), even)
        store(room.seen, j * lanes, even + odd)


@inner
def _respond(patches, rule, room):
    """F of a block's data points from what they see; leaves the activation's slopes."""
    _, n_patches, _, lanes = patches.shape
    kind = patches.dtype.type
    zero = splat(kind(0))
    linear, degree = splat(kind(rule.linear)), splat(kind(rule.power))
    outputs = zero
    for i in range(n_patches):
        even, odd = zero, zero
        for j in range(0, n_patches - 1, 2):
            even = fma(splat(room.mixing[i, j]), load(room.seen, j * lanes), even)
            odd = fma(splat(room.mixing[i, j + 1]), load(room.seen, (j + 1) * lanes), odd)
        if n_patches % 2:
            even = fma(splat(room.mixing[i, n_patches - 1]), load(room.seen, (n_patches - 1) * lanes), even)
        mixed = even + odd
        square = mixed * mixed
        raised = square
        for _ in range((rule.power - 3) // 2):
            raised = raised * square
        outputs = fma(mixed, raised + linear, outputs)
        store(room.slopes, i * lanes, fma(degree, raised, linear))
    return outputs


@inner
def _lose(outputs, patches, room):
    """Add the loss and the errors of a block; its derivative by F, which is -1 / (1 + e^F)."""
    lanes = patches.shape[3]
    kind = patches.dtype.type
    zero, one = splat(kind(0)), splat(kind(1))
    small = exponential(zero - absolute(outputs))
    loss = log_one_plus(small) + where_greater(zero, outputs, zero - outputs, zero)
    store(room.losses, 0, load(room.losses, 0) + loss)
    wrong = where_at_least(zero, outputs, one, zero)
    store(room.losses, lanes, load(room.losses, lanes) + wrong)
    return zero - where_at_least(outputs, zero, small, one) / (one + small)


@inner
def _pull_back(patches, block, by_output, room):
    """Add a block's gradients by S_ij / D and by v."""
    _, n_patches, dimension, lanes = patches.shape
    clear(room.pulled, 0, n_patches * lanes)
    for i in range(n_patches):
        by_mixed = by_output * load(room.slopes, i * lanes)
        row = i * n_patches * lanes
        for j in range(n_patches):
            place = row + j * lanes
            store(room.pairs, place, fma(by_mixed, load(room.seen, j * lanes), load(room.pairs, place)))
            pulled = fma(splat(room.mixing[i, j]), by_mixed, load(room.pulled, j * lanes))
            store(room.pulled, j * lanes, pulled)
    first = block * n_patches * dimension * lanes
    for c in range(dimension):
        even, odd = load(room.along, c * lanes), splat(patches.dtype.type(0))
        for j in range(0, n_patches - 1, 2):
            place = first + (j * dimension + c) * lanes
            even = fma(load(patches, place), load(room.pulled, j * lanes), even)
            place += dimension * lanes
            odd = fma(load(patches, place), load(room.pulled, (j + 1) * lanes), odd)
        if n_patches % 2:
            place = first + ((n_patches - 1) * dimension + c) * lanes
            even = fma(load(patches, place), load(room.pulled, (n_patches - 1) * lanes), even)
        store(room.along, c * lanes, even + odd)


@inner
def _flush(room, n_patches, dimension, lanes):
    """Take what lanes have summed into double precision."""
    for i in range(n_patches):
        for j in range(n_patches):
            room.by_scores[i, j] += n_patches * total(load(room.pairs, (i * n_patches + j) * lanes))
    for c in range(dimension):
        room.by_value[c] += total(load(room.along, c * lanes))
    for entry in range(2):
        room.counted[entry] += total(load(room.losses, entry * lanes))
    clear(room.pairs, 0, room.pairs.size)
    clear(room.along, 0, room.along.size)
    clear(room.losses, 0, room.losses.size)


@inner
def _differentiate(problem, rule, room):
    """Sums over data points: gradients by S and v, risk and errors."""
    n_blocks, n_patches, dimension, lanes = problem.patches.shape
    room.by_scores[:, :] = 0
    room.by_value[:] = 0
    room.counted[:] = 0
    for block in range(n_blocks):
        _see(problem.patches, block, room)
        outputs = _respond(problem.patches, rule, room)
        _pull_back(problem.patches, block, _lose(outputs, problem.patches, room), room)
        if (block + 1) % _FLUSH == 0 or block + 1 == n_blocks:
            _flush(room, n_patches, dimension, lanes)
    spare = n_blocks * lanes - problem.n_samples
    room.counted[0] -= spare * math.log(2.0)
    room.counted[1] -= spare


@inner
def _turn_into_logits(problem, rule, room):
    """Softmax backward: `by_scores` becomes the mean risk's gradient by A; whether all of it is finite."""
    finite = True
    n_patches = problem.logits.shape[0]
    for i in range(n_patches):
        mean = 0.0
        for j in range(n_patches):
            mean += room.by_scores[i, j] * room.scores[i, j]
        for j in range(n_patches):
            found = room.scores[i, j] * (room.by_scores[i, j] - mean) / (rule.temperature * problem.n_samples)
            room.by_scores[i, j] = found
            finite = finite and math.isfinite(found)
    return finite


@kernel
def descend(problem, rule, room, count):
    """Take at most `count` steps and look at the state reached: steps taken, risk, share of errors, how it stands."""
    step = 0
    while True:
        _attend(problem, rule, room)
        _differentiate(problem, rule, room)
        risk, errors = room.counted[0] / problem.n_samples, room.counted[1] / problem.n_samples
        if not (_turn_into_logits(problem, rule, room) and risk < rule.diverged_risk):
            return step, risk, errors, DIVERGED
        if risk < rule.stop_risk:
            return step, risk, errors, CONVERGED
        if step == count:
            return step, risk, errors, RUNNING
        n_patches = problem.logits.shape[0]
        for i in range(n_patches):
            for j in range(n_patches):
                if i != j:
                    problem.logits[i, j] -= rule.logits_rate * room.by_scores[i, j]
        for c in range(len(problem.value)):
            problem.value[c] -= rule.value_rate * room.by_value[c] / problem.n_samples
        step += 1
