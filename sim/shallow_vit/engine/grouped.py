"""Steps of SGD on any tokens: sample by sample, all of a sample in the first caches, neurons by groups of tokens.

The formulas are those of `gradients`; the order of work is not. A sample with inactive hinge stops after its output, or
before it where the hinge is certain (see `idle`).
"""

from __future__ import annotations

from sim.kernels.simd import clear, copy, inner, kernel
from sim.shallow_vit.engine.arrays import TrainingProgress
from sim.shallow_vit.engine.attention import attend_sample, attention_masses, pull_through_attention
from sim.shallow_vit.engine.choice import INSANE_OUTPUT
from sim.shallow_vit.engine.descent import add_lanes, descend
from sim.shallow_vit.engine.neurons import add_to_readout, pull_through_neurons, sum_output
from sim.shallow_vit.engine.screening import is_certainly_idle, renew


@inner
def _attend(network, tokens, b, axes, scratch):
    """What the tokens of one sample attend to."""
    if tokens.attended.size:
        size = scratch.attended.size
        copy(tokens.attended, b * size, scratch.attended, 0, size)
    else:
        attend_sample(tokens.rows, tokens.columns, tokens.reach, b, network.scoring, axes, scratch)


@inner
def _sample_output(network, tokens, b, n_neurons, dense_above, axes, scratch):
    """Output F of one sample, after its attention."""
    token_stride, length = tokens.columns.shape[2], tokens.rows.shape[1]
    summed = sum_output(network, tokens, b, scratch.attended, token_stride, n_neurons, dense_above, axes, scratch)
    return summed / network.readout.dtype.type(length)


@inner
def _add_gradient(network, tokens, b, factor, train_attention, axes, scratch, descent):
    """Add the gradient of factor * sum_l a_l . relu(C u_l) of one sample, after `_sample_output`."""
    add_to_readout(network, tokens, factor, axes, scratch, descent.readout)
    if train_attention:
        pull_through_neurons(network, tokens, b, tokens.columns.shape[2], axes, scratch)
        pull_through_attention(tokens.rows, tokens.columns, b, factor, axes, scratch, descent.scoring)


@kernel
def train(network, tokens, scratch, descent, idle, order, first, count, protocol, axes):
    """Run `count` steps, the first of them on batch number `first` of a pass in the given `order`.

    `protocol` holds the batch size, the number of neurons, the learning rate, whether to train the attention, and the
    share of neurons above which an edge is dense. Returns a `TrainingProgress`.
    """
    batch_size, n_neurons, rate, train_attention, dense_above = protocol
    kind = network.readout.dtype.type
    length = tokens.rows.shape[1]
    stale = True
    last_move, last_loss, first_loss = -1, 0.0, 0.0
    for step in range(count):
        chosen = order[(first + step) * batch_size : (first + step + 1) * batch_size]
        clear(descent.readout, 0, descent.readout.size)
        clear(descent.scoring, 0, descent.scoring.size)
        loss, n_active = 0.0, 0
        for b in chosen:
            _attend(network, tokens, b, axes, scratch)
            if idle.before[b]:
                if stale:
                    renew(network, idle, axes)
                    stale = False
                if is_certainly_idle(network, tokens, b, axes, scratch, idle):
                    continue
            output = _sample_output(network, tokens, b, n_neurons, dense_above, axes, scratch)
            if not abs(output) < INSANE_OUTPUT:
                return TrainingProgress(step, last_move, last_loss, first_loss, False)
            slack = kind(1) - tokens.labels[b] * output
            idle.before[b] = idle.sums.size > 0 and slack <= 0
            if slack > 0:
                loss += slack
                n_active += 1
                factor = -tokens.labels[b] / kind(len(chosen) * length)
                _add_gradient(network, tokens, b, factor, train_attention, axes, scratch, descent)
        last_loss = loss / len(chosen)
        if step == 0:
            first_loss = last_loss
        if n_active > 0:
            add_lanes(descent.scoring, axes)
            descend(network, descent, rate, train_attention, axes)
            last_move = step
            stale = True
    return TrainingProgress(count, last_move, last_loss, first_loss, True)


@kernel
def outputs(network, tokens, scratch, n_neurons, dense_above, axes, out):
    """Outputs F of all samples."""
    for b in range(len(out)):
        _attend(network, tokens, b, axes, scratch)
        out[b] = _sample_output(network, tokens, b, n_neurons, dense_above, axes, scratch)


@kernel
def attend_all(network, tokens, scratch, axes, out):
    """What every query of every sample attends to."""
    for b in range(len(out)):
        attend_sample(tokens.rows, tokens.columns, tokens.reach, b, network.scoring, axes, scratch)
        copy(scratch.attended, 0, out, b * scratch.attended.size, scratch.attended.size)


@kernel
def masses(network, tokens, scratch, roles, axes, out):
    """Attention masses of all samples, a row each.

    Means over queries of the mass on tokens of roles 0, 1 and 2; the mass on role 0 summed over queries of role 0, and
    how many those are; the smallest mass on role 0 of any query.
    """
    for b in range(len(out)):
        attend_sample(tokens.rows, tokens.columns, tokens.reach, b, network.scoring, axes, scratch)
        attention_masses(scratch, tokens, roles, b, tokens.columns.shape[2], out[b])
