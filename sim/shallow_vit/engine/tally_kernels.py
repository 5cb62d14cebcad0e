"""The loops over steps of the compiled engines, with the sums of `tally` taken after each step."""

from __future__ import annotations

from sim.kernels.simd import (
    copy,
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
from sim.shallow_vit.engine import collapsed, grouped
from sim.shallow_vit.engine.arrays import TrainingProgress


@inner
def _add(found, sums, axes):
    """Add one step's dC^T, and what its neurons pulled; `before` is what they were."""
    stride = found.shape[1]
    zero = splat(found.dtype.type(0))
    for pattern in range(len(sums.own)):
        own = registers(axes, zero)
        for start in range(0, sums.members.shape[1], width(found)):
            member = load(found, pattern * stride + start) * load(sums.members, pattern * sums.members.shape[1] + start)
            for c in range(len(axes)):
                put(own, c, fma(member, load(sums.before, c * stride + start), get(own, c)))
        every = registers(axes, zero)
        for start in range(0, stride, width(found)):
            place = pattern * stride + start
            activity = load(found, place)
            store(sums.activity, place, load(sums.activity, place) + activity)
            for c in range(len(axes)):
                put(every, c, fma(activity, load(sums.before, c * stride + start), get(every, c)))
        for c in range(len(axes)):
            sums.own[pattern, c] += total(get(own, c))
            sums.every[pattern, c] += total(get(every, c))


@kernel
def train_collapsed(network, points, kinds, scratch, descent, order, first, count, protocol, axes, sums):
    """Run `count` steps as `collapsed.train` does."""
    last_move, last_loss, first_loss = -1, 0.0, 0.0
    for step in range(count):
        copy(network.hidden, 0, sums.before, 0, network.hidden.size)
        done = collapsed.train(network, points, kinds, scratch, descent, order, first + step, 1, protocol, axes)
        if not done.sane:
            return TrainingProgress(step, last_move, last_loss, first_loss, False)
        last_loss = done.loss
        if step == 0:
            first_loss = done.loss
        if done.last_move == 0:
            last_move = step
            _add(descent.readout, sums, axes)
    return TrainingProgress(count, last_move, last_loss, first_loss, True)


@kernel
def train_grouped(network, tokens, scratch, descent, idle, order, first, count, protocol, axes, sums):
    """Run `count` steps as `grouped.train` does."""
    last_move, last_loss, first_loss = -1, 0.0, 0.0
    for step in range(count):
        copy(network.hidden, 0, sums.before, 0, network.hidden.size)
        done = grouped.train(network, tokens, scratch, descent, idle, order, first + step, 1, protocol, axes)
        if not done.sane:
            return TrainingProgress(step, last_move, last_loss, first_loss, False)
        last_loss = done.loss
        if step == 0:
            first_loss = done.loss
        if done.last_move == 0:
            last_move = step
            _add(descent.readout, sums, axes)
    return TrainingProgress(count, last_move, last_loss, first_loss, True)
