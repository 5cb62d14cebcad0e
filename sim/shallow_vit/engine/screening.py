"""Which hinges are certainly inactive, known from what a sample's groups of tokens attend to on average.

Late in a training nearly every hinge is inactive, and nearly all time goes into outputs that only show it. With the
mean u of a group and its tokens' u_l, relu being 1-Lipschitz,

    | sum_l a_l . relu(C u_l) - s . relu(C u) |  <=  sum_l |a_l| |C (u_l - u)|,        s = sum_l a_l,

by Cauchy and Schwarz; s is known beforehand, and |C v|^2 = v . (C^T C) v takes d x d numbers. So one product per group
stands for one per token. The bound is widened by all that rounding can do to either side, so that a sample settled here
is one whose hinge the plain computation finds inactive too: it adds nothing to loss or gradient, and no bit changes.
Where the bound does not settle it, the sample is worked out. It is asked only where the hinge was inactive before.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.kernels.simd import (
    absolute,
    fma,
    get,
    inner,
    load,
    put,
    registers,
    splat,
    store,
    total,
    where_greater,
    width,
)
from sim.shallow_vit.engine.choice import INSANE_OUTPUT


class Idle(NamedTuple):
    """What settles a hinge without the neurons of every token.

    Attributes:
        sums: s [n, K, stride], or a itself [1, 1, stride] where all tokens share it; empty where nobody asks.
        length: largest |a_l|, in double precision, an array of one.
        gram: C^T C [d, d]; roots: of its diagonal [d].
        before: [n], 1 where the hinge was inactive when last looked at.
    """

    sums: np.ndarray
    length: np.ndarray
    gram: np.ndarray
    roots: np.ndarray
    before: np.ndarray


@inner
def renew(network, idle, axes):
    """Renew what depends on the weights."""
    readout, stride = network.readout, network.readout.shape[1]
    zero = splat(readout.dtype.type(0))
    for c in range(len(axes)):
        products = registers(axes, zero)
        for start in range(0, stride, width(readout)):
            own = load(readout, c * stride + start)
            for e in range(len(axes)):
                put(products, e, fma(own, load(readout, e * stride + start), get(products, e)))
        for e in range(len(axes)):
            idle.gram[c, e] = total(get(products, e))
        idle.roots[c] = math.sqrt(idle.gram[c, c])


@inner
def _centre(tokens, b, token_stride, scratch):
    """Means of what each group attends to, in `sums`, and the deviations from them, in `errors`."""
    attended = scratch.attended
    for k in range(tokens.bounds.shape[1] - 1):
        first, last = tokens.bounds[b, k], tokens.bounds[b, k + 1]
        for c in range(tokens.rows.shape[2]):
            whole = attended.dtype.type(0)
            for token in range(first, last):
                whole += attended[c * token_stride + token]
            mean = whole / attended.dtype.type(max(last - first, 1))
            scratch.sums[k, c] = mean
            for token in range(first, last):
                scratch.errors[c * token_stride + token] = attended[c * token_stride + token] - mean


@inner
def _spread(tokens, token_stride, idle, axes, scratch, doubt):
    """Mean over tokens of a bound of |C (u_l - u)|, and of sum_c |C_c| |u_lc|, which rounding is measured in.

    `doubt` is the relative error of the products behind a square.
    """
    lanes, length = width(scratch.errors), tokens.rows.shape[1]
    zero = splat(scratch.errors.dtype.type(0))
    for start in range(0, token_stride, lanes):
        square, apart, size = zero, zero, zero
        for c in range(len(axes)):
            deviation = load(scratch.errors, c * token_stride + start)
            along = zero
            for e in range(len(axes)):
                along = fma(splat(idle.gram[c, e]), load(scratch.errors, e * token_stride + start), along)
            square = fma(along, deviation, square)
            apart = fma(splat(idle.roots[c]), absolute(deviation), apart)
            size = fma(splat(idle.roots[c]), absolute(load(scratch.attended, c * token_stride + start)), size)
        store(scratch.partial, start, square)
        store(scratch.partial, token_stride + start, apart)
        store(scratch.partial, 2 * token_stride + start, size)
    spread, whole = 0.0, 0.0
    for token in range(length):
        spread += math.sqrt(max(scratch.partial[token], 0)) + doubt * scratch.partial[token_stride + token]
        whole += scratch.partial[2 * token_stride + token]
    return spread / length, whole / length


@inner
def _mean_output(network, tokens, b, idle, axes, scratch):
    """(1/L) sum over groups of s . relu(C u)."""
    readout, stride = network.readout, network.readout.shape[1]
    zero = splat(readout.dtype.type(0))
    shared = idle.sums.shape[1] == 1
    outputs = zero
    for k in range(tokens.bounds.shape[1] - 1):
        count = tokens.bounds[b, k + 1] - tokens.bounds[b, k]
        if count == 0:
            continue
        row = 0 if shared else (b * idle.sums.shape[1] + k) * stride
        times = splat(readout.dtype.type(count if shared else 1))
        for start in range(0, stride, width(readout)):
            signal = zero
            for c in range(len(axes)):
                signal = fma(splat(scratch.sums[k, c]), load(readout, c * stride + start), signal)
            signal = where_greater(signal, zero, signal, zero)
            outputs = fma(times * load(idle.sums, row + start), signal, outputs)
    return total(outputs) / tokens.rows.shape[1]


@inner
def is_certainly_idle(network, tokens, b, axes, scratch, idle):
    """Whether a sample's hinge is inactive beyond doubt, after its attention.

    Every rounding is at most epsilon times the terms that pass through it; an output's terms pass through no more than
    one sum over tokens, one over lanes of neurons by coordinate, and one over groups.
    """
    epsilon = np.finfo(network.readout.dtype).eps
    token_stride, length, dimension = tokens.columns.shape[2], tokens.rows.shape[1], len(axes)
    vectors, n_groups = network.readout.shape[1] // width(network.readout), tokens.bounds.shape[1] - 1
    doubt = math.sqrt(epsilon * (vectors + 4 * dimension + 64))
    rounding = epsilon * (2 * length + 4 * dimension + (dimension + n_groups) * vectors + 2 * n_groups + 64)
    _centre(tokens, b, token_stride, scratch)
    spread, size = _spread(tokens, token_stride, idle, axes, scratch, doubt)
    bound = 1.001 * idle.length[0] * (spread + rounding * size)
    output = _mean_output(network, tokens, b, idle, axes, scratch)
    return tokens.labels[b] * output - bound > 1 and abs(output) + bound < INSANE_OUTPUT
