"""One step down for all trained weights, and the two products that follow them."""

from __future__ import annotations

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
    width,
)

_BLOCK = 32  # vectors of neurons whose gradients stay in the first cache while the rows of W_O pass by


@kernel
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
    for c in range(len(axes)):
        for e in range(len(axes)):
            network.scoring[c, e] = 0
    for row in range(network.key.shape[0]):
        for c in range(len(axes)):
            for e in range(len(axes)):
                network.scoring[c, e] += network.key[row, c] * network.query[row, e]


@inner
def _descend_neurons(network, descent, rate, axes):
    """W_V and W_O one step down: their gradients are W_O^T dC and dC W_V^T."""
    hidden, found, stride = network.hidden, descent.readout, network.readout.shape[1]
    lanes = width(found)
    zero = splat(found.dtype.type(0))
    down = splat(-rate)
    clear(descent.value, 0, descent.value.size)
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
                store(descent.value, place, load(descent.value, place) + get(gradient, c))
    for row in range(hidden.shape[0]):
        for c in range(len(axes)):
            network.value[row, c] -= rate * total(load(descent.value, (row * len(axes) + c) * lanes))


@inner
def _descend_attention(network, descent, rate, axes):
    """W_K and W_Q one step down: their gradients are W_Q dA^T and W_K dA."""
    dimension, key, query = len(axes), network.key, network.query
    for row in range(key.shape[0]):
        for c in range(dimension):
            descent.key_row[c] = descent.query_row[c] = 0
        for c in range(dimension):
            for e in range(dimension):
                d_score = descent.scoring[c * dimension + e]
                descent.query_row[e] += key[row, c] * d_score
                descent.key_row[c] += query[row, e] * d_score
        for c in range(dimension):
            key[row, c] -= rate * descent.key_row[c]
            query[row, c] -= rate * descent.query_row[c]


@inner
def add_lanes(d_scoring, axes):
    """Sum the gradient of the scoring matrix over lanes, into its front, which by then is no longer needed."""
    for place in range(len(axes) ** 2):
        d_scoring[place] = total(load(d_scoring, place * width(d_scoring)))


@inner
def descend(network, descent, rate, train_attention, axes):
    """Move all trained weights along the gradient of the batch."""
    _descend_neurons(network, descent, rate, axes)
    if train_attention:
        _descend_attention(network, descent, rate, axes)
    multiply_out(network, axes)
