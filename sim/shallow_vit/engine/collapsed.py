"""Steps of SGD where tokens of a group are one and the same point: L tokens become K points with their counts.

Equal tokens attend equally, so a sample's output is F = (1/L) sum_k s_k . relu(C u_k) with s_k the sum of a over the
tokens of group k: its count times a where all tokens share one output layer. Then samples with equal counts and labels
are equal as well, and a batch holds each once, with its multiplicity: with exact ratios these are two samples in all.
"""

import math
from typing import NamedTuple

import numpy as np

from sim.kernels.simd import (
    clear,
    fma,
    get,
    inner,
    kernel,
    load,
    put,
    registers,
    splat,
    store,
    total,
    where_at_least,
    width,
)
from sim.shallow_vit.engine.arrays import TrainingProgress
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.engine.descent import descend

_LEAST_SUM = 1e-30
"""A sum of e^(score - largest) above it has lost nothing that single precision would keep."""


class CollapsedPoints(NamedTuple):
    """Distinct samples.

    Attributes:
        rows: points [n, K, d], or [1, K, d] where a pattern is the same point in all samples.
        counts: tokens at each of them [n, K], may be 0.
        output_sums: s [n, K, stride], or a itself [1, 1, stride] where it is shared.
        labels: [n].
        length: L.
    """

    rows: np.ndarray
    counts: np.ndarray
    output_sums: np.ndarray
    labels: np.ndarray
    length: int


class PointScratch(NamedTuple):
    """Working memory.

    `scores` between points and `powers` e^(score - the query's largest) [K, K]; of a sample attention `weights` [K, K],
    `attended` points [K, d], signed `gates` [K, stride] and two rows [d]; `pulled` [K, d], the left factors of the
    gradient of scores, summed over samples that share their points.
    """

    scores: np.ndarray
    powers: np.ndarray
    weights: np.ndarray
    attended: np.ndarray
    scored: np.ndarray
    errors: np.ndarray
    gates: np.ndarray
    pulled: np.ndarray


@inner
def _compare(network, points, b, scratch):
    """Scores between the points of one sample, or of all where they share them."""
    _, n_points, dimension = points.rows.shape
    for query in range(n_points):
        for c in range(dimension):
            scored = points.rows.dtype.type(0)
            for e in range(dimension):
                scored += network.scoring[c, e] * points.rows[b, query, e]
            scratch.scored[c] = scored
        largest = points.rows.dtype.type(-np.inf)
        for key in range(n_points):
            score = points.rows.dtype.type(0)
            for c in range(dimension):
                score += points.rows[b, key, c] * scratch.scored[c]
            scratch.scores[query, key] = score
            largest = max(largest, score)
        for key in range(n_points):
            scratch.powers[query, key] = math.exp(scratch.scores[query, key] - largest)


@inner
def _weigh(points, b, query, scratch):
    """Attention of one query, not yet normalised; its sum."""
    n_points = points.rows.shape[1]
    whole = points.rows.dtype.type(0)
    for key in range(n_points):
        weight = points.counts[b, key] * scratch.powers[query, key]
        scratch.weights[query, key] = weight
        whole += weight
    if whole > points.rows.dtype.type(_LEAST_SUM):
        return whole
    # The largest score is at a point that this sample lacks, and by far.
    largest = points.rows.dtype.type(-np.inf)
    for key in range(n_points):
        if points.counts[b, key] > 0:
            largest = max(largest, scratch.scores[query, key])
    whole = points.rows.dtype.type(0)
    for key in range(n_points):
        weight = points.counts[b, key]
        if weight > 0:
            weight *= math.exp(scratch.scores[query, key] - largest)
        scratch.weights[query, key] = weight
        whole += weight
    return whole


@inner
def attend_points(network, points, b, scratch):
    """Attention between the points of one sample, weighted by their counts; `_compare` has run if they are shared."""
    _, n_points, dimension = points.rows.shape
    at = 0
    if points.rows.shape[0] > 1:
        at = b
        _compare(network, points, b, scratch)
    for query in range(n_points):
        if points.counts[b, query] == 0:
            continue
        share = points.rows.dtype.type(1) / _weigh(points, b, query, scratch)
        for c in range(dimension):
            scratch.attended[query, c] = 0
        for key in range(n_points):
            weight = scratch.weights[query, key] * share
            scratch.weights[query, key] = weight
            if weight > 0:
                for c in range(dimension):
                    scratch.attended[query, c] += weight * points.rows[at, key, c]


@inner
def _point_output(network, points, b, axes, scratch):
    """Output F of one sample; leaves the gates for its gradient."""
    attend_points(network, points, b, scratch)
    readout, stride = network.readout, network.readout.shape[1]
    shared = points.output_sums.shape[1] == 1
    zero = splat(readout.dtype.type(0))
    outputs = zero
    for start in range(0, stride, width(readout)):
        neurons = registers(axes, zero)
        for c in range(len(axes)):
            put(neurons, c, load(readout, c * stride + start))
        for k in range(points.rows.shape[1]):
            if points.counts[b, k] > 0:
                signal = zero
                for c in range(len(axes)):
                    signal = fma(splat(scratch.attended[k, c]), get(neurons, c), signal)
                row = 0 if shared else (b * points.rows.shape[1] + k) * stride
                count = splat(points.counts[b, k] if shared else readout.dtype.type(1))
                gate = where_at_least(signal, zero, count * load(points.output_sums, row + start), zero)
                store(scratch.gates, k * stride + start, gate)
                outputs = fma(gate, signal, outputs)
    return total(outputs) / readout.dtype.type(points.length)


@inner
def _add_to_readout(points, b, factor, axes, scratch, d_readout):
    stride = d_readout.shape[1]
    for start in range(0, stride, width(d_readout)):
        gradient = registers(axes, splat(factor))
        for c in range(len(axes)):
            put(gradient, c, load(d_readout, c * stride + start))
        for k in range(points.rows.shape[1]):
            if points.counts[b, k] > 0:
                gate = splat(factor) * load(scratch.gates, k * stride + start)
                for c in range(len(axes)):
                    put(gradient, c, fma(splat(scratch.attended[k, c]), gate, get(gradient, c)))
        for c in range(len(axes)):
            store(d_readout, c * stride + start, get(gradient, c))


@inner
def _pull(network, points, b, at, k, factor, axes, scratch):
    """Cov_{P_k}(x) e_k of a point k, e_k summed over the tokens there, into `scored`."""
    readout, stride = network.readout, network.readout.shape[1]
    zero = splat(readout.dtype.type(0))
    error = registers(axes, zero)
    for start in range(0, stride, width(readout)):
        gate = load(scratch.gates, k * stride + start)
        for c in range(len(axes)):
            put(error, c, fma(gate, load(readout, c * stride + start), get(error, c)))
    own = readout.dtype.type(0)
    for c in range(len(axes)):
        scratch.errors[c] = factor * total(get(error, c))
        own += scratch.errors[c] * scratch.attended[k, c]
        scratch.scored[c] = 0
    for key in range(points.rows.shape[1]):
        if points.counts[b, key] > 0:
            along = -own
            for c in range(len(axes)):
                along += points.rows[at, key, c] * scratch.errors[c]
            along *= scratch.weights[k, key]
            for c in range(len(axes)):
                scratch.scored[c] += along * points.rows[at, key, c]


@inner
def _add_to_scoring(network, points, b, factor, axes, scratch, d_scoring):
    """Add (Cov_{P_k}(x) e_k) x_k^T over points k; where samples share them, its left factor, to be multiplied once."""
    is_shared = points.rows.shape[0] == 1
    at = 0 if is_shared else b
    for k in range(points.rows.shape[1]):
        if points.counts[b, k] > 0:
            _pull(network, points, b, at, k, factor, axes, scratch)
            for c in range(len(axes)):
                if is_shared:
                    scratch.pulled[k, c] += scratch.scored[c]
                else:
                    for e in range(len(axes)):
                        d_scoring[c * len(axes) + e] += scratch.scored[c] * points.rows[at, k, e]


@inner
def _multiply_pulled(points, axes, scratch, d_scoring):
    """The sum over samples that share their points, and `pulled` emptied."""
    for k in range(points.rows.shape[1]):
        for c in range(len(axes)):
            pulled = scratch.pulled[k, c]
            scratch.pulled[k, c] = 0
            for e in range(len(axes)):
                d_scoring[c * len(axes) + e] += pulled * points.rows[0, k, e]


@kernel
def train(network, points, kinds, scratch, descent, order, first, count, protocol, axes):
    """Run `count` steps as `grouped.train` does; `kinds` [N] names each sample's distinct one."""
    batch_size, _, rate, train_attention, _ = protocol
    kind_of = network.readout.dtype.type
    multiplicity = np.zeros(len(points.labels), np.int64)
    last_move, last_loss, first_loss = -1, 0.0, 0.0
    for step in range(count):
        chosen = order[(first + step) * batch_size : (first + step + 1) * batch_size]
        clear(descent.readout, 0, descent.readout.size)
        clear(descent.scoring, 0, descent.scoring.size)
        is_shared = points.rows.shape[0] == 1
        if is_shared:
            _compare(network, points, 0, scratch)
        for sample in chosen:
            multiplicity[kinds[sample]] += 1
        loss, n_active, sane = 0.0, 0, True
        for sample in chosen:
            b = kinds[sample]
            times = multiplicity[b]
            if times == 0:
                continue
            multiplicity[b] = 0
            output = _point_output(network, points, b, axes, scratch)
            sane = sane and abs(output) < INSANE_OUTPUT
            slack = kind_of(1) - points.labels[b] * output
            if slack > 0 and sane:
                loss += times * slack
                n_active += times
                factor = -points.labels[b] * kind_of(times) / kind_of(len(chosen) * points.length)
                _add_to_readout(points, b, factor, axes, scratch, descent.readout)
                if train_attention:
                    _add_to_scoring(network, points, b, factor, axes, scratch, descent.scoring)
        if not sane:
            return TrainingProgress(step, last_move, last_loss, first_loss, False)
        if train_attention and is_shared:
            _multiply_pulled(points, axes, scratch, descent.scoring)
        last_loss = loss / len(chosen)
        if step == 0:
            first_loss = last_loss
        if n_active > 0:
            descend(network, descent, rate, train_attention, axes)
            last_move = step
    return TrainingProgress(count, last_move, last_loss, first_loss, True)


@kernel
def outputs(network, points, scratch, axes, out):
    """Outputs F of all distinct samples."""
    if points.rows.shape[0] == 1:
        _compare(network, points, 0, scratch)
    for b in range(len(out)):
        out[b] = _point_output(network, points, b, axes, scratch)


@kernel
def masses(network, points, scratch, roles, out):
    """Attention masses as `grouped.masses` has them."""
    if points.rows.shape[0] == 1:
        _compare(network, points, 0, scratch)
    for b in range(len(out)):
        attend_points(network, points, b, scratch)
        for entry in range(5):
            out[b, entry] = 0
        out[b, 5] = np.inf
        for query in range(roles.shape[1]):
            times = points.counts[b, query]
            if times == 0:
                continue
            relevant = 0.0
            for key in range(roles.shape[1]):
                mass = scratch.weights[query, key]
                out[b, roles[b, key]] += times * mass / points.length
                if roles[b, key] == 0:
                    relevant += mass
            if roles[b, query] == 0:
                out[b, 3] += times * relevant
                out[b, 4] += times
            out[b, 5] = min(out[b, 5], relevant)
