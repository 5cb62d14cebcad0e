"""Steps of gradient descent on all logits and the value vector, a vector of data points at a time.

Each lane is a data point: patches lie as [blocks, patches, dimension, lanes], so that no sum runs over lanes but the
last one. Labels are multiplied into patches, and padded data points are zero: their output is 0, which adds log 2 to
the risk and an error each, taken off again, and nothing to a gradient. [jelassi2022, (E), (GD)]

Where a vector is used in many sums, a tile of sums stays in registers. How many of them make a tile is a matter of
speed alone: within each sum the order is that of j, i, c or the blocks, whatever the tile.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from llvmlite.binding import get_host_cpu_features
from numba import njit

from sim.kernels.simd import (
    absolute,
    clear,
    exponential,
    fma,
    get,
    kernel,
    load,
    log_one_plus,
    put,
    registers,
    splat,
    store,
    total,
    where_at_least,
    where_greater,
)

inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)
"""For what only kernels call, in place of a call: that would copy all arrays' shapes and strides, 150 words."""

RUNNING, DIVERGED, CONVERGED = 0, 1, 2
GROUP = 64
"""Blocks whose sums are kept in the precision of the patches."""
STRIDE = GROUP + 1
"""Vectors from a patch of a group to the next; a power of two would put all of a block into one set of the cache."""

_SIDE = 4 if get_host_cpu_features().get("avx512f") else 2  # machines without it have a quarter of the registers
_SQUARE, _COLUMN, _ROW, _ONE = ((0,) * count for count in (_SIDE**2, _SIDE, 2 * _SIDE, 1))


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

    `direction` v [dimension], `mixing` D S and `turned`, its transpose [patches, patches]; by lanes: `seen` <v, X_j>
    and `slopes` dF/du_i, then dL/du_i, of a group's blocks [patches, STRIDE], `pulled` dL/d<v, X_j> [patches], `along`
    [dimension], `losses` risk and errors [2]; in double precision: `scores` S, `by_scores` [patches, patches],
    `by_value` [dimension], `counted` risk and errors [2]. Here u_i = D sum_j S_ij <v, X_j>.
    """

    direction: np.ndarray
    mixing: np.ndarray
    turned: np.ndarray
    seen: np.ndarray
    slopes: np.ndarray
    pulled: np.ndarray
    along: np.ndarray
    losses: np.ndarray
    scores: np.ndarray
    by_scores: np.ndarray
    by_value: np.ndarray
    counted: np.ndarray


@inner
def _attend(problem, rule, room):
    """S by rows, and D S, its transpose and v in the precision of the patches."""
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
            room.mixing[i, j] = room.turned[j, i] = n_patches * room.scores[i, j]
    for c in range(len(problem.value)):
        room.direction[c] = problem.value[c]


@inner
def _see(patches, block, room):
    """<v, X_j> of a block's data points, one patch after the other as they lie in memory."""
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
        store(room.seen, (j * STRIDE + block % GROUP) * lanes, even + odd)


@inner
def _respond(patches, block, rule, room, outputs, i, tile):
    """Add to F what u_i and those after it give, a tile of them; leaves the activation's slopes."""
    _, n_patches, _, lanes = patches.shape
    kind = patches.dtype.type
    zero = splat(kind(0))
    linear, degree = splat(kind(rule.linear)), splat(kind(rule.power))
    first, apart = block % GROUP * lanes, STRIDE * lanes
    even, odd = registers(tile, zero), registers(tile, zero)
    for j in range(0, n_patches - 1, 2):
        left, right = load(room.seen, first + j * apart), load(room.seen, first + (j + 1) * apart)
        for k in range(len(tile)):
            put(even, k, fma(splat(room.turned[j, i + k]), left, get(even, k)))
            put(odd, k, fma(splat(room.turned[j + 1, i + k]), right, get(odd, k)))
    if n_patches % 2:
        last = n_patches - 1
        for k in range(len(tile)):
            put(even, k, fma(splat(room.turned[last, i + k]), load(room.seen, first + last * apart), get(even, k)))
    for k in range(len(tile)):
        mixed = get(even, k) + get(odd, k)
        square = mixed * mixed
        raised = square
        for _ in range((rule.power - 3) // 2):
            raised = raised * square
        outputs = fma(mixed, raised + linear, outputs)
        store(room.slopes, first + (i + k) * apart, fma(degree, raised, linear))
    return outputs


@inner
def _output(patches, block, rule, room):
    """F of a block's data points from what they see."""
    n_patches = patches.shape[1]
    rest = n_patches - n_patches % len(_ROW)
    outputs = splat(patches.dtype.type(0))
    for i in range(0, rest, len(_ROW)):
        outputs = _respond(patches, block, rule, room, outputs, i, _ROW)
    for i in range(rest, n_patches):
        outputs = _respond(patches, block, rule, room, outputs, i, _ONE)
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
def _pull(patches, block, room, j, tile):
    """dL/d<v, X_j> and those after it, a tile of them."""
    n_patches, lanes = patches.shape[1], patches.shape[3]
    pulled = registers(tile, splat(patches.dtype.type(0)))
    for i in range(n_patches):
        by_mixed = load(room.slopes, (i * STRIDE + block % GROUP) * lanes)
        for k in range(len(tile)):
            put(pulled, k, fma(splat(room.mixing[i, j + k]), by_mixed, get(pulled, k)))
    for k in range(len(tile)):
        store(room.pulled, (j + k) * lanes, get(pulled, k))


@inner
def _go_along(patches, block, room, c, tile):
    """Add a block's gradient by v_c and those after it, a tile of them."""
    _, n_patches, dimension, lanes = patches.shape
    zero = splat(patches.dtype.type(0))
    even, odd = registers(tile, zero), registers(tile, zero)
    for k in range(len(tile)):
        put(even, k, load(room.along, (c + k) * lanes))
    first = (block * n_patches * dimension + c) * lanes
    for j in range(0, n_patches - 1, 2):
        left, right = load(room.pulled, j * lanes), load(room.pulled, (j + 1) * lanes)
        for k in range(len(tile)):
            place = first + (j * dimension + k) * lanes
            put(even, k, fma(load(patches, place), left, get(even, k)))
            put(odd, k, fma(load(patches, place + dimension * lanes), right, get(odd, k)))
    if n_patches % 2:
        last = n_patches - 1
        for k in range(len(tile)):
            place = first + (last * dimension + k) * lanes
            put(even, k, fma(load(patches, place), load(room.pulled, last * lanes), get(even, k)))
    for k in range(len(tile)):
        store(room.along, (c + k) * lanes, get(even, k) + get(odd, k))


@inner
def _pull_back(patches, block, by_output, room):
    """Turn slopes into dL/du_i, and add a block's gradient by v."""
    _, n_patches, dimension, lanes = patches.shape
    for i in range(n_patches):
        place = (i * STRIDE + block % GROUP) * lanes
        store(room.slopes, place, by_output * load(room.slopes, place))
    rest = n_patches - n_patches % len(_ROW)
    for j in range(0, rest, len(_ROW)):
        _pull(patches, block, room, j, _ROW)
    for j in range(rest, n_patches):
        _pull(patches, block, room, j, _ONE)
    rest = dimension - dimension % len(_ROW)
    for c in range(0, rest, len(_ROW)):
        _go_along(patches, block, room, c, _ROW)
    for c in range(rest, dimension):
        _go_along(patches, block, room, c, _ONE)


@inner
def _pair(room, shape, i, rows, j, columns, tile):
    """Add the gradients by S_ij of a group, as many as a tile of rows and columns from i and j on holds."""
    n_patches, n_blocks, lanes = shape
    first_row, first_column = i * STRIDE * lanes, j * STRIDE * lanes
    sums = registers(tile, splat(room.seen.dtype.type(0)))
    for block in range(n_blocks):
        for k in range(len(rows)):
            by_mixed = load(room.slopes, first_row + (k * STRIDE + block) * lanes)
            for m in range(len(columns)):
                seen = load(room.seen, first_column + (m * STRIDE + block) * lanes)
                put(sums, k * len(columns) + m, fma(by_mixed, seen, get(sums, k * len(columns) + m)))
    for k in range(len(rows)):
        for m in range(len(columns)):
            room.by_scores[i + k, j + m] += n_patches * total(get(sums, k * len(columns) + m))


@inner
def _pair_rows(room, shape, i, rows, tile):
    """Add the gradients by S_ij of a group for all j; `tile` holds as many as `rows` times a column."""
    n_patches = shape[0]
    rest = n_patches - n_patches % len(_COLUMN)
    for j in range(0, rest, len(_COLUMN)):
        _pair(room, shape, i, rows, j, _COLUMN, tile)
    for j in range(rest, n_patches):
        _pair(room, shape, i, rows, j, _ONE, rows)


@inner
def _flush(room, n_blocks, n_patches, dimension, lanes):
    """Take what the blocks of a group have summed into double precision."""
    shape = n_patches, n_blocks, lanes
    rest = n_patches - n_patches % len(_COLUMN)
    for i in range(0, rest, len(_COLUMN)):
        _pair_rows(room, shape, i, _COLUMN, _SQUARE)
    for i in range(rest, n_patches):
        _pair_rows(room, shape, i, _ONE, _COLUMN)
    for c in range(dimension):
        room.by_value[c] += total(load(room.along, c * lanes))
    for entry in range(2):
        room.counted[entry] += total(load(room.losses, entry * lanes))
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
        outputs = _output(problem.patches, block, rule, room)
        _pull_back(problem.patches, block, _lose(outputs, problem.patches, room), room)
        if (block + 1) % GROUP == 0 or block + 1 == n_blocks:
            _flush(room, block % GROUP + 1, n_patches, dimension, lanes)
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
