"""Neurons by groups of tokens: one gate for a whole group wherever it is certain, token by token where it is not.

Tokens of one group (those of one pattern: sorted, hence contiguous) attend to nearly the same u, so a neuron that is
open for one of them is nearly always open for all. With the group's mean and the largest deviation r_c of each
coordinate, |C_i . mean| > sum_c |C_ic| r_c settles the sign of C_i . u_l for all its tokens at once. The other neurons,
the group's *edge*, are worked out token by token. r includes every rounding error of both sides, so the gates are those
of the plain computation, not an approximation of them.

The output and the gradient in C need only the moments sum_l a_li u_l; pulled-back errors e_l serve the attention's
gradient alone. The hidden layer exists only for edges. Where a group's edge would hold more than `dense_above` of the
neurons, all of them are its edge, which is the plain fused computation.
"""

from __future__ import annotations

import numpy as np

from sim.kernels.simd import (
    absolute,
    clear,
    copy,
    first_bit,
    fma,
    get,
    inner,
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

_BLOCK = 32  # vectors of neurons whose weights stay in the first cache while the tokens of a sample pass by


@inner
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


@inner
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


@inner
def _gather_edge(network, tokens, b, k, per_token, axes, scratch):
    """Copy the weights and outputs of a group's edge together, padded with zeros."""
    readout, lanes = network.readout, width(network.readout)
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


@inner
def _copy_dense(network, tokens, b, k, per_token, scratch):
    """Make all neurons the edge of a group."""
    stride = network.readout.shape[1]
    size = network.readout.size
    clear(scratch.gates, k * stride, (k + 1) * stride)
    copy(network.readout, 0, scratch.edge_readout, k * size, size)
    panels, rows, panel = network.output.shape
    for token in range(tokens.bounds[b, k], tokens.bounds[b, k + 1]):
        row = tokens.positions[b, token] if per_token else 0
        for part in range(panels):
            copy(network.output, (part * rows + row) * panel, scratch.edge_gates, token * stride + part * panel, panel)
    return stride


@inner
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


@inner
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


@inner
def sum_output(network, tokens, b, attended, token_stride, n_neurons, dense_above, axes, scratch):
    """Sum over tokens of a_l . relu(C u_l) of one sample. Fills all that the gradient needs of the neurons."""
    per_token = network.output.shape[1] > 1
    outputs = splat(network.readout.dtype.type(0))
    for k in range(tokens.bounds.shape[1] - 1):
        first, last = tokens.bounds[b, k], tokens.bounds[b, k + 1]
        scratch.edge_size[k] = 0
        opened = splat(network.readout.dtype.type(0))
        if first == last:
            stride = network.readout.shape[1]
            clear(scratch.gates, k * stride, (k + 1) * stride)
            for c in range(len(axes)):
                scratch.sums[k, c] = 0
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


@inner
def add_to_readout(network, tokens, factor, axes, scratch, found):
    """Add sum_l g_l u_l^T of one sample, times `factor`, to the gradient of the readout."""
    per_token = network.output.shape[1] > 1
    readout, stride = network.readout, network.readout.shape[1]
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


@inner
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


@inner
def _errors_per_token(network, tokens, b, axes, scratch):
    """The same where every token has its own output layer: two tokens at a time, a block of neurons at a time."""
    readout, output, stride = network.readout, network.output, network.readout.shape[1]
    lanes, dimension = width(readout), len(axes)
    panel = 2 * lanes
    zero = splat(readout.dtype.type(0))
    clear(scratch.partial, 0, scratch.partial.size)
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


@inner
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


@inner
def pull_through_neurons(network, tokens, b, token_stride, axes, scratch):
    """Fill e [d, tokens] of one sample, after `sum_output`."""
    if network.output.shape[1] > 1:
        _errors_per_token(network, tokens, b, axes, scratch)
    else:
        _errors_shared(network, tokens, b, axes, scratch)
    _finish_errors(tokens, b, token_stride, axes, scratch)
