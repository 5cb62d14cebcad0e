"""One step of SGD as a machine runs it best: a sample at a time, all of it in the first caches.

The formulas are those of `gradients`; what differs is the order of work.

- Attention runs over vectors of query tokens: scores, exp, what is attended and the sum stay in registers while the
  keys pass by.
- Tokens of one group (those of one pattern: sorted, hence contiguous) attend to nearly the same u, so a neuron that is
  open for one of them is nearly always open for all. With the group's mean and the largest deviation r_c of each
  coordinate, |C_i . mean| > sum_c |C_ic| r_c settles the sign of C_i . u_l for all tokens at once. The others, the
  group's *edge*, are worked out token by token. r includes every rounding error of both sides, so the gates are those
  of the plain computation, not an approximation of them.
- The output and the gradient in C need only moments sum_l a_li u_l; pulled-back errors e_l serve the attention's
  gradient alone. A sample with inactive hinge stops after the output.

The hidden layer exists only for edges. Where a group's edge holds more than `dense_above` of the neurons, all of them
are its edge, which is the plain fused computation.

Rows are padded to whole vectors with zero weights, which add nothing anywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from sim.shallow_vit.lanes import (
    absolute,
    exponential,
    first_bit,
    fma,
    get,
    load,
    put,
    registers,
    splat,
    store,
    total,
    unless_greater,
    where_at_least,
    where_greater,
    width,
)

INSANE_OUTPUT = 1e6
"""An output beyond it, or not a number, ends a training as diverged."""
_SAFE_SCORE = 40.0  # exp of scores up to it, and sums of them, stay far from overflow in single precision too
_BLOCK = 32  # vectors of neurons whose weights stay in the first cache while the tokens of a sample pass by


class Tokens(NamedTuple):
    """Samples as the kernels read them; within a sample, tokens are sorted by group.

    Attributes:
        rows: [n, L, d]; columns: the same transposed and padded [n, d, stride].
        bounds: [n, K + 1], tokens bounds[k] to bounds[k + 1] form group k.
        positions: [n, L], place of each token in the sample as drawn, which decides its row of a per-token output.
        reach: [n], largest length of a token.
        attended: [n, d, stride] with frozen attention, otherwise empty.
    """

    rows: np.ndarray
    columns: np.ndarray
    bounds: np.ndarray
    positions: np.ndarray
    reach: np.ndarray
    labels: np.ndarray
    attended: np.ndarray


class Network(NamedTuple):
    """Weights with neurons along the last, padded axis.

    `hidden` W_O^T [m_a, stride], `value` W_V, `key` W_K, `query` W_Q, `output` a [panels, 1 or L, 2 lanes], cut into panels of two vectors; the products
    `readout` (W_O W_V)^T [d, stride] and `scoring` W_K^T W_Q [d, d] follow them.
    """

    hidden: np.ndarray
    value: np.ndarray
    key: np.ndarray
    query: np.ndarray
    output: np.ndarray
    readout: np.ndarray
    scoring: np.ndarray


class Scratch(NamedTuple):
    """Working memory, written before it is read in every sample."""

    weights: np.ndarray  # attention before normalisation [L, tokens]: one row per key
    inverse: np.ndarray  # one over its sums [tokens]
    attended: np.ndarray  # [d, tokens]
    errors: np.ndarray  # e [d, tokens]
    partial: np.ndarray  # sums for e, not yet added over lanes [L, d, lanes]
    sums: np.ndarray  # of attended tokens by group [K, d]
    centre: np.ndarray  # mean of the group at hand [d]
    radius: np.ndarray  # its largest deviations [d]
    gates: np.ndarray  # 1 for neurons open for all tokens of a group [K, neurons]
    edge: np.ndarray  # neurons on a group's edge [K, neurons]
    edge_size: np.ndarray  # how many they are [K]
    edge_readout: np.ndarray  # their weights [K, d, neurons]
    edge_gates: np.ndarray  # a times their gates [L, neurons]
    edge_moments: np.ndarray  # sum over tokens of gates and attended tokens [K, d, neurons]
    moments: np.ndarray  # the same for the other neurons, summed over groups [d, neurons]
    d_readout: np.ndarray  # gradients of the batch [d, neurons]
    d_scoring: np.ndarray  # [d, d, lanes]
    d_value: np.ndarray  # [m_a, d, lanes]


class Progress(NamedTuple):
    """What became of a block of steps: how many ran, the last that moved a weight (-1: none), the last mean hinge."""

    steps: int
    last_move: int
    loss: float
    sane: bool


@njit(forceinline=True)
def _largest_scores(rows, b, z, column_count, axes):
    """Largest score of each query of one vector, over all keys."""
    largest = splat(rows.dtype.type(-np.inf))
    for s in range(column_count):
        score = splat(rows[b, s, 0]) * get(z, 0)
        for c in range(1, len(axes)):
            score = fma(splat(rows[b, s, c]), get(z, c), score)
        largest = where_greater(score, largest, score, largest)
    return largest


@njit(forceinline=True)
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


@njit(forceinline=True)
def _pull_through_attention(rows, columns, b, factor, axes, scratch):
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
                store(scratch.d_scoring, place, fma(get(moved, c), column, load(scratch.d_scoring, place)))


@njit(forceinline=True)
def _summarise(attended, stride, first, last, k, axes, scratch):
    """Sum, mean and largest deviation by coordinate of a group's attended tokens.

    Deviations are widened by all that rounding can do to a product of d terms on either side of the comparison.
    """
    epsilon = np.finfo(attended.dtype).eps
    slack = attended.dtype.type(4 * (len(axes) + 4) * epsilon)
    for c in range(len(axes)):
        low = high = attended[c * stride + first]
        whole = attended.dtype.type(0)
        for token in range(first, last):
            value = attended[c * stride + token]
            whole += value
            low = min(low, value)
            high = max(high, value)
        mean = whole / attended.dtype.type(last - first)
        scratch.sums[k, c] = whole
        scratch.centre[c] = mean
        scratch.radius[c] = max(high - mean, mean - low) + slack * max(abs(low), abs(high))


@njit(forceinline=True)
def _settle_gates(network, k, n_neurons, scratch, axes):
    """Gates that all tokens of a group share, and the edge of the group: neurons whose gate is not certain.

    Returns the lane sums of a_i C_i . mean over certainly open neurons with the first row of `output`.
    """
    readout, stride = network.readout, network.readout.shape[1]
    zero = splat(readout.dtype.type(0))
    one = splat(readout.dtype.type(1))
    opened = zero
    size = 0
    for start in range(0, stride, width(readout)):
        signal = zero
        spread = zero
        for c in range(len(axes)):
            weight = load(readout, c * stride + start)
            signal = fma(splat(scratch.centre[c]), weight, signal)
            spread = fma(splat(scratch.radius[c]), absolute(weight), spread)
        gate = where_greater(signal, spread, one, zero)
        store(scratch.gates, k * stride + start, gate)
        opened = fma(gate * load(network.output, start), signal, opened)
        pending = unless_greater(absolute(signal), spread)
        while pending != 0:
            neuron = start + first_bit(pending)
            pending &= pending - 1
            if neuron < n_neurons:
                scratch.edge[k, size] = neuron
                size += 1
    scratch.edge_size[k] = size
    return opened


@njit(forceinline=True)
def _gather_edge(network, tokens, b, k, per_token, axes, scratch):
    """Copy the weights and outputs of a group's edge together, padded with zeros."""
    readout, stride = network.readout, network.readout.shape[1]
    lanes = width(readout)
    panel = 2 * lanes
    size = scratch.edge_size[k]
    whole = -(-size // lanes) * lanes
    for place in range(whole):
        for c in range(len(axes)):
            found = readout[c, scratch.edge[k, place]] if place < size else readout.dtype.type(0)
            scratch.edge_readout[k, c, place] = found
    for token in range(tokens.bounds[b, k], tokens.bounds[b, k + 1]):
        row = tokens.positions[b, token] if per_token else 0
        for place in range(whole):
            neuron = scratch.edge[k, place] if place < size else 0
            found = network.output[neuron // panel, row, neuron % panel]
            scratch.edge_gates[token, place] = found if place < size else readout.dtype.type(0)
    return whole


@njit(forceinline=True)
def _copy_dense(network, tokens, b, k, per_token, scratch):
    """Make all neurons the edge of a group."""
    stride = network.readout.shape[1]
    scratch.gates[k] = 0
    scratch.edge_readout[k] = network.readout
    panels, _, panel = network.output.shape
    for token in range(tokens.bounds[b, k], tokens.bounds[b, k + 1]):
        row = tokens.positions[b, token] if per_token else 0
        for part in range(panels):
            scratch.edge_gates[token, part * panel : (part + 1) * panel] = network.output[part, row]
    return stride


@njit(forceinline=True)
def _through_edge(k, first, last, whole, attended, token_stride, axes, scratch):
    """Gates and moments of a group's edge, token by token. Returns the lane sums of their outputs."""
    readout, gates, moments = scratch.edge_readout, scratch.edge_gates, scratch.edge_moments
    dimension, stride = readout.shape[1], readout.shape[2]
    zero = splat(readout.dtype.type(0))
    outputs = zero
    for start in range(0, whole, width(readout)):
        weight = registers(axes, zero)
        for c in range(len(axes)):
            put(weight, c, load(readout, (k * dimension + c) * stride + start))
        moment = registers(axes, zero)
        for token in range(first, last):
            signal = zero
            for c in range(len(axes)):
                signal = fma(splat(attended[c * token_stride + token]), get(weight, c), signal)
            gate = where_at_least(signal, zero, load(gates, token * stride + start), zero)
            store(gates, token * stride + start, gate)
            for c in range(len(axes)):
                put(moment, c, fma(splat(attended[c * token_stride + token]), gate, get(moment, c)))
        for c in range(len(axes)):
            store(moments, (k * dimension + c) * stride + start, get(moment, c))
            outputs = fma(get(weight, c), get(moment, c), outputs)
    return outputs


@njit(forceinline=True)
def _moments_per_token(network, tokens, b, attended, token_stride, axes, scratch):
    """Moments sum_l a_li u_l of the certain neurons with per-token outputs. Returns the lane sums of their outputs."""
    readout, output, stride = network.readout, network.output, network.readout.shape[1]
    lanes = width(readout)
    panel = 2 * lanes
    zero = splat(readout.dtype.type(0))
    outputs = zero
    for start in range(0, stride, panel):
        moment = registers(axes, zero)
        second_moment = registers(axes, zero)
        for k in range(tokens.bounds.shape[1] - 1):
            gate = load(scratch.gates, k * stride + start)
            second_gate = load(scratch.gates, k * stride + start + lanes)
            for token in range(tokens.bounds[b, k], tokens.bounds[b, k + 1]):
                row = start * output.shape[1] + tokens.positions[b, token] * panel
                signed = gate * load(output, row)
                second_signed = second_gate * load(output, row + lanes)
                for c in range(len(axes)):
                    value = splat(attended[c * token_stride + token])
                    put(moment, c, fma(value, signed, get(moment, c)))
                    put(second_moment, c, fma(value, second_signed, get(second_moment, c)))
        for c in range(len(axes)):
            place = c * stride + start
            store(scratch.moments, place, get(moment, c))
            store(scratch.moments, place + lanes, get(second_moment, c))
            outputs = fma(get(moment, c), load(readout, place), outputs)
            outputs = fma(get(second_moment, c), load(readout, place + lanes), outputs)
    return outputs


@njit(forceinline=True)
def sum_output(network, tokens, b, attended, token_stride, n_neurons, dense_above, axes, scratch):
    """Sum over tokens of a_l . relu(C u_l) of one sample. Fills all that the gradient needs of the neurons."""
    per_token = network.output.shape[1] > 1
    outputs = splat(network.readout.dtype.type(0))
    for k in range(tokens.bounds.shape[1] - 1):
        first, last = tokens.bounds[b, k], tokens.bounds[b, k + 1]
        scratch.edge_size[k] = 0
        if first == last:
            continue
        if dense_above >= 0:
            _summarise(attended, token_stride, first, last, k, axes, scratch)
            opened = _settle_gates(network, k, n_neurons, scratch, axes)
        if dense_above < 0 or scratch.edge_size[k] > dense_above * n_neurons:
            scratch.edge_size[k] = -1
            whole = _copy_dense(network, tokens, b, k, per_token, scratch)
        else:
            whole = _gather_edge(network, tokens, b, k, per_token, axes, scratch)
            if not per_token:
                outputs = fma(splat(network.readout.dtype.type(last - first)), opened, outputs)
        outputs = outputs + _through_edge(k, first, last, whole, attended, token_stride, axes, scratch)
    if per_token:
        outputs = outputs + _moments_per_token(network, tokens, b, attended, token_stride, axes, scratch)
    return total(outputs)


@njit(forceinline=True)
def _add_to_readout(network, tokens, factor, axes, scratch):
    """Add sum_l g_l u_l^T of one sample, times `factor`, to the gradient of the readout."""
    per_token = network.output.shape[1] > 1
    readout, found, stride = network.readout, scratch.d_readout, network.readout.shape[1]
    lanes, n_groups = width(readout), tokens.bounds.shape[1] - 1
    zero = splat(readout.dtype.type(0))
    for start in range(0, stride, lanes):
        if per_token:
            for c in range(len(axes)):
                place = c * stride + start
                store(found, place, fma(splat(factor), load(scratch.moments, place), load(found, place)))
        else:
            signed = load(network.output, start) * splat(factor)
            moment = registers(axes, zero)
            for k in range(n_groups):
                if scratch.edge_size[k] >= 0:
                    gate = signed * load(scratch.gates, k * stride + start)
                    for c in range(len(axes)):
                        put(moment, c, fma(splat(scratch.sums[k, c]), gate, get(moment, c)))
            for c in range(len(axes)):
                place = c * stride + start
                store(found, place, get(moment, c) + load(found, place))
    for k in range(n_groups):
        if scratch.edge_size[k] < 0:
            for start in range(0, len(axes) * stride, lanes):
                moment = load(scratch.edge_moments, k * len(axes) * stride + start)
                store(found, start, fma(splat(factor), moment, load(found, start)))
        for place in range(scratch.edge_size[k]):
            neuron = scratch.edge[k, place]
            for c in range(len(axes)):
                found[c, neuron] += factor * scratch.edge_moments[k, c, place]


@njit(forceinline=True)
def _errors_shared(network, tokens, b, axes, scratch):
    """Start e with what the certain neurons of each group pull back, where all tokens share one output layer."""
    readout, stride = network.readout, network.readout.shape[1]
    lanes = width(readout)
    zero = splat(readout.dtype.type(0))
    for k in range(tokens.bounds.shape[1] - 1):
        error = registers(axes, zero)
        if scratch.edge_size[k] >= 0:
            for start in range(0, stride, lanes):
                signed = load(network.output, start) * load(scratch.gates, k * stride + start)
                for c in range(len(axes)):
                    put(error, c, fma(signed, load(readout, c * stride + start), get(error, c)))
        for token in range(tokens.bounds[b, k], tokens.bounds[b, k + 1]):
            for c in range(len(axes)):
                store(scratch.partial, (token * len(axes) + c) * lanes, get(error, c))


@njit(forceinline=True)
def _errors_per_token(network, tokens, b, axes, scratch):
    """The same where every token has its own output layer: two tokens at a time, a block of neurons at a time."""
    readout, output, stride = network.readout, network.output, network.readout.shape[1]
    lanes, dimension = width(readout), len(axes)
    panel = 2 * lanes
    zero = splat(readout.dtype.type(0))
    scratch.partial[:] = 0
    for block in range(0, stride, _BLOCK * lanes):
        stop = min(block + _BLOCK * lanes, stride)
        for k in range(tokens.bounds.shape[1] - 1):
            last = tokens.bounds[b, k + 1]
            for token in range(tokens.bounds[b, k], last, 2):
                other = min(token + 1, last - 1)  # an odd last token is its own partner, and the copy is dropped
                row, other_row = tokens.positions[b, token] * panel, tokens.positions[b, other] * panel
                error = registers(axes, zero)
                other_error = registers(axes, zero)
                for start in range(block, stop, panel):
                    for half in (0, lanes):
                        gate = load(scratch.gates, k * stride + start + half)
                        signed = gate * load(output, start * output.shape[1] + row + half)
                        other_signed = gate * load(output, start * output.shape[1] + other_row + half)
                        for c in range(len(axes)):
                            weight = load(readout, c * stride + start + half)
                            put(error, c, fma(signed, weight, get(error, c)))
                            put(other_error, c, fma(other_signed, weight, get(other_error, c)))
                for c in range(len(axes)):
                    place = (token * dimension + c) * lanes
                    store(scratch.partial, place, load(scratch.partial, place) + get(error, c))
                if other > token:
                    for c in range(len(axes)):
                        place = (other * dimension + c) * lanes
                        store(scratch.partial, place, load(scratch.partial, place) + get(other_error, c))


@njit(forceinline=True)
def _finish_errors(tokens, b, token_stride, axes, scratch):
    """Add the edges to e and sum it over lanes."""
    readout, gates = scratch.edge_readout, scratch.edge_gates
    stride, lanes = readout.shape[2], width(readout)
    zero = splat(readout.dtype.type(0))
    for k in range(tokens.bounds.shape[1] - 1):
        size = stride if scratch.edge_size[k] < 0 else scratch.edge_size[k]
        for token in range(tokens.bounds[b, k], tokens.bounds[b, k + 1]):
            error = registers(axes, zero)
            for c in range(len(axes)):
                put(error, c, load(scratch.partial, (token * len(axes) + c) * lanes))
            for start in range(0, size, lanes):
                gate = load(gates, token * stride + start)
                for c in range(len(axes)):
                    put(error, c, fma(gate, load(readout, (k * len(axes) + c) * stride + start), get(error, c)))
            for c in range(len(axes)):
                scratch.errors[c * token_stride + token] = total(get(error, c))


@njit(forceinline=True)
def add_gradient(network, tokens, b, factor, train_attention, token_stride, axes, scratch):
    """Add the gradient of factor * sum_l a_l . relu(C u_l) of one sample, after `sum_output`."""
    _add_to_readout(network, tokens, factor, axes, scratch)
    if train_attention:
        if network.output.shape[1] > 1:
            _errors_per_token(network, tokens, b, axes, scratch)
        else:
            _errors_shared(network, tokens, b, axes, scratch)
        _finish_errors(tokens, b, token_stride, axes, scratch)
        _pull_through_attention(tokens.rows, tokens.columns, b, factor, axes, scratch)


@njit(forceinline=True)
def multiply_out(network, axes):
    """Renew `readout` and `scoring` from their factors."""
    hidden, readout, stride = network.hidden, network.readout, network.readout.shape[1]
    zero = splat(readout.dtype.type(0))
    for start in range(0, stride, width(readout)):
        product = registers(axes, zero)
        for row in range(hidden.shape[0]):
            neuron = load(hidden, row * stride + start)
            for c in range(len(axes)):
                put(product, c, fma(splat(network.value[row, c]), neuron, get(product, c)))
        for c in range(len(axes)):
            store(readout, c * stride + start, get(product, c))
    network.scoring[:] = 0
    for row in range(network.key.shape[0]):
        for c in range(len(axes)):
            for e in range(len(axes)):
                network.scoring[c, e] += network.key[row, c] * network.query[row, e]


@njit(forceinline=True)
def _descend_neurons(network, rate, axes, scratch):
    """W_V and W_O one step down: their gradients are W_O^T dC and dC W_V^T."""
    hidden, found, stride = network.hidden, scratch.d_readout, network.readout.shape[1]
    lanes = width(found)
    zero = splat(found.dtype.type(0))
    down = splat(-rate)
    scratch.d_value[:] = 0
    for block in range(0, stride, _BLOCK * lanes):
        stop = min(block + _BLOCK * lanes, stride)
        for row in range(hidden.shape[0]):
            gradient = registers(axes, zero)
            for start in range(block, stop, lanes):
                neuron = load(hidden, row * stride + start)
                moved = zero
                for c in range(len(axes)):
                    d_readout = load(found, c * stride + start)
                    put(gradient, c, fma(neuron, d_readout, get(gradient, c)))
                    moved = fma(splat(network.value[row, c]), d_readout, moved)
                store(hidden, row * stride + start, fma(down, moved, neuron))
            for c in range(len(axes)):
                place = (row * len(axes) + c) * lanes
                store(scratch.d_value, place, load(scratch.d_value, place) + get(gradient, c))
    for row in range(hidden.shape[0]):
        for c in range(len(axes)):
            network.value[row, c] -= rate * total(load(scratch.d_value, (row * len(axes) + c) * lanes))


@njit(forceinline=True)
def _descend_attention(network, rate, axes, scratch):
    """W_K and W_Q one step down: their gradients are W_Q dA^T and W_K dA."""
    dimension, lanes = len(axes), width(scratch.d_scoring)
    key, query, moved_key, moved_query = network.key, network.query, scratch.centre, scratch.radius
    for place in range(dimension * dimension):
        scratch.d_scoring[place] = total(load(scratch.d_scoring, place * lanes))  # to the front: already passed
    for row in range(key.shape[0]):
        moved_key[:] = 0
        moved_query[:] = 0
        for c in range(dimension):
            for e in range(dimension):
                d_score = scratch.d_scoring[c * dimension + e]
                moved_query[e] += key[row, c] * d_score
                moved_key[c] += query[row, e] * d_score
        for c in range(dimension):
            key[row, c] -= rate * moved_key[c]
            query[row, c] -= rate * moved_query[c]


@njit(forceinline=True)
def sample_output(network, tokens, b, n_neurons, dense_above, axes, scratch):
    """Output F of one sample."""
    token_stride, length = tokens.columns.shape[2], tokens.rows.shape[1]
    if tokens.attended.size:
        scratch.attended[:] = tokens.attended[b].reshape(-1)
    else:
        attend_sample(tokens.rows, tokens.columns, tokens.reach, b, network.scoring, axes, scratch)
    summed = sum_output(network, tokens, b, scratch.attended, token_stride, n_neurons, dense_above, axes, scratch)
    return summed / network.readout.dtype.type(length)


@njit(forceinline=True)
def descend(network, rate, train_attention, axes, scratch):
    """Move all trained weights along the gradient of the batch."""
    _descend_neurons(network, rate, axes, scratch)
    if train_attention:
        _descend_attention(network, rate, axes, scratch)
    multiply_out(network, axes)


@njit(cache=True)
def train(network, tokens, scratch, order, batch_size, first, count, n_neurons, rate, train_attention, dense_above, axes):
    """Run `count` steps, the first on batch number `first` of a pass in the given `order`. Returns a `Progress`."""
    kind = network.readout.dtype.type
    length, token_stride = tokens.rows.shape[1], tokens.columns.shape[2]
    last_move, loss = -1, 0.0
    for step in range(count):
        chosen = order[(first + step) * batch_size : (first + step + 1) * batch_size]
        scratch.d_readout[:] = 0
        scratch.d_scoring[:] = 0
        loss, n_active = 0.0, 0
        for b in chosen:
            output = sample_output(network, tokens, b, n_neurons, dense_above, axes, scratch)
            if not abs(output) < INSANE_OUTPUT:
                return Progress(step, last_move, loss, False)
            slack = kind(1) - tokens.labels[b] * output
            if slack > 0:
                loss += slack
                n_active += 1
                factor = -tokens.labels[b] / kind(len(chosen) * length)
                add_gradient(network, tokens, b, factor, train_attention, token_stride, axes, scratch)
        loss /= len(chosen)
        if n_active:
            descend(network, rate, train_attention, axes, scratch)
            last_move = step
    return Progress(count, last_move, loss, True)


@njit(cache=True)
def outputs(network, tokens, scratch, n_neurons, dense_above, axes, out):
    """Outputs F of all samples."""
    for b in range(len(out)):
        out[b] = sample_output(network, tokens, b, n_neurons, dense_above, axes, scratch)


@njit(cache=True)
def attend_all(network, tokens, scratch, axes, out):
    """What every query of every sample attends to."""
    for b in range(len(out)):
        attend_sample(tokens.rows, tokens.columns, tokens.reach, b, network.scoring, axes, scratch)
        out[b] = scratch.attended.reshape(out.shape[1:])
