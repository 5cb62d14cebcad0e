"""Attention of one sample and its gradient, over vectors of query tokens.

Scores, exp, what is attended and the sums stay in registers while the keys pass by; only the weights are stored, for
the gradient: Cov_{P_l}(x) e_l = sum_s P_ls (x_s . e_l - u_l . e_l) x_s.
"""

from __future__ import annotations

import numpy as np

from sim.kernels.simd import (
    exponential,
    fma,
    get,
    inner,
    load,
    put,
    registers,
    splat,
    store,
    unless_greater,
    where_greater,
    width,
)

_SAFE_SCORE = 40.0  # exp of scores up to it, and sums of them, stay far from overflow in single precision too


@inner
def _largest_scores(rows, b, z, column_count, axes):
    """Largest score of each query of one vector, over all keys."""
    largest = splat(rows.dtype.type(-np.inf))
    for s in range(column_count):
        score = splat(rows[b, s, 0]) * get(z, 0)
        for c in range(1, len(axes)):
            score = fma(splat(rows[b, s, c]), get(z, c), score)
        largest = where_greater(score, largest, score, largest)
    return largest


@inner
def attend_sample(rows, columns, reach, b, scoring, axes, scratch):
    """Fill `weights`, `inverse` and `attended` for one sample."""
    _, length, dimension = rows.shape
    stride = columns.shape[2]
    zero = splat(rows.dtype.type(0))
    one = splat(rows.dtype.type(1))
    safe = splat(rows.dtype.type(_SAFE_SCORE**2))
    for start in range(0, stride, width(rows)):
        z = registers(axes, zero)
        norm = zero
        for c in range(len(axes)):
            value = zero
            for e in range(len(axes)):
                value = fma(splat(scoring[c, e]), load(columns, (b * dimension + e) * stride + start), value)
            put(z, c, value)
            norm = fma(value, value, norm)
        shift = zero
        if unless_greater(safe, norm * splat(reach[b] * reach[b])) != 0:
            shift = zero - _largest_scores(rows, b, z, length, axes)
        attended = registers(axes, zero)
        whole = zero
        for s in range(length):
            score = shift
            for c in range(len(axes)):
                score = fma(splat(rows[b, s, c]), get(z, c), score)
            weight = exponential(score)
            store(scratch.weights, s * stride + start, weight)
            whole = whole + weight
            for c in range(len(axes)):
                put(attended, c, fma(splat(rows[b, s, c]), weight, get(attended, c)))
        inverse = one / whole
        store(scratch.inverse, start, inverse)
        for c in range(len(axes)):
            store(scratch.attended, c * stride + start, get(attended, c) * inverse)


@inner
def pull_through_attention(rows, columns, b, factor, axes, scratch, d_scoring):
    """Add (Cov_{P_l}(x) e_l) x_l^T, summed over queries and times `factor`, to the gradient of the scoring matrix."""
    _, length, dimension = rows.shape
    stride = columns.shape[2]
    lanes = width(rows)
    zero = splat(rows.dtype.type(0))
    for start in range(0, stride, lanes):
        scale = load(scratch.inverse, start) * splat(factor)
        e = registers(axes, zero)
        own = zero
        for c in range(len(axes)):
            put(e, c, load(scratch.errors, c * stride + start) * scale)
            own = fma(get(e, c), load(scratch.attended, c * stride + start), own)
        moved = registers(axes, zero)
        for s in range(length):
            along = zero - own
            for c in range(len(axes)):
                along = fma(splat(rows[b, s, c]), get(e, c), along)
            centred = along * load(scratch.weights, s * stride + start)
            for c in range(len(axes)):
                put(moved, c, fma(splat(rows[b, s, c]), centred, get(moved, c)))
        for e_axis in range(len(axes)):
            column = load(columns, (b * dimension + e_axis) * stride + start)
            for c in range(len(axes)):
                place = (c * dimension + e_axis) * lanes
                store(d_scoring, place, fma(get(moved, c), column, load(d_scoring, place)))


@inner
def attention_masses(scratch, tokens, roles, b, token_stride, out):
    """Masses by role of the attended token in one sample, after `attend_sample`: see `grouped.masses`."""
    length = tokens.rows.shape[1]
    for entry in range(5):
        out[entry] = 0
    out[5] = np.inf
    for query_group in range(roles.shape[1]):
        for query in range(tokens.bounds[b, query_group], tokens.bounds[b, query_group + 1]):
            relevant = 0.0
            for k in range(roles.shape[1]):
                mass = 0.0
                for s in range(tokens.bounds[b, k], tokens.bounds[b, k + 1]):
                    mass += scratch.weights[s * token_stride + query]
                mass *= scratch.inverse[query]
                out[roles[b, k]] += mass / length
                if roles[b, k] == 0:
                    relevant += mass
            if roles[b, query_group] == 0:
                out[3] += relevant
                out[4] += 1
            out[5] = min(out[5], relevant)
