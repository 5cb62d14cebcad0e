"""Steps of SGD for many trials at once on a GPU: six Triton kernels a step, whatever the number of trials.

The formulas are those of `gradients`. A program holds a tile of tokens against a tile of neurons in registers, for
outputs first and for gradients again; the hidden layer is never written out, only what every token attends to and what
is pulled back to it [L, d]. Tiles are worked out twice because a gradient needs the hinge, which needs all tiles.

Trials of one shape share a launch and nothing else: each has arrays of its own, found through a table of addresses.
Sums run in a fixed order within one program and nothing is added atomically, so a trial's bits do not depend on which
others are in the launch. Rows are padded to `DIM` columns with zeros, which add nothing anywhere.

Under TRITON_INTERPRET=1 the same kernels run on the CPU, one program after another.
"""

import triton
import triton.language as tl

from sim.shallow_vit.engine.choice import INSANE_OUTPUT

ARRAYS = (
    "tokens", "labels", "order", "hidden", "value", "key", "query", "output", "readout", "scoring",
    "attended", "pulled", "partial", "factor", "d_value", "d_scoring",
)  # fmt: skip
"""What a row of the table holds addresses of; then come the first batch and the number of samples."""
COLUMNS = len(ARRAYS) + 2
PROGRESS = ("steps", "last_move", "loss", "first_loss", "stopped", "n_active", "rate")
"""What a row of the progress holds, in float64."""

_TOKENS = tl.constexpr(0)
_LABELS = tl.constexpr(1)
_ORDER = tl.constexpr(2)
_HIDDEN = tl.constexpr(3)
_VALUE = tl.constexpr(4)
_KEY = tl.constexpr(5)
_QUERY = tl.constexpr(6)
_OUTPUT = tl.constexpr(7)
_READOUT = tl.constexpr(8)
_SCORING = tl.constexpr(9)
_ATTENDED = tl.constexpr(10)
_PULLED = tl.constexpr(11)
_PARTIAL = tl.constexpr(12)
_FACTOR = tl.constexpr(13)
_D_VALUE = tl.constexpr(14)
_D_SCORING = tl.constexpr(15)
_FIRST = tl.constexpr(16)
_N_SAMPLES = tl.constexpr(17)
_COLUMNS = tl.constexpr(COLUMNS)

_STEPS = tl.constexpr(0)
_LAST_MOVE = tl.constexpr(1)
_LOSS = tl.constexpr(2)
_FIRST_LOSS = tl.constexpr(3)
_STOPPED = tl.constexpr(4)
_N_ACTIVE = tl.constexpr(5)
_RATE = tl.constexpr(6)
_ENTRIES = tl.constexpr(len(PROGRESS))

_INSANE = tl.constexpr(INSANE_OUTPUT)


@triton.jit
def _array(table, trial, column: tl.constexpr, DTYPE: tl.constexpr):
    """Address of one of a trial's arrays."""
    return tl.load(table + trial * _COLUMNS + column).to(tl.pointer_type(DTYPE))


@triton.jit
def _sample(table, progress, trial, step, slot, BATCH: tl.constexpr):
    """The sample in a slot of the batch; -1 where a last batch is shorter or the trial has stopped."""
    at = (tl.load(table + trial * _COLUMNS + _FIRST) + step) * BATCH + slot
    stopped = tl.load(progress + trial * _ENTRIES + _STOPPED)
    end = tl.where(stopped == 0, tl.load(table + trial * _COLUMNS + _N_SAMPLES), 0)
    return tl.load(_array(table, trial, _ORDER, tl.int64) + at, mask=at < end, other=-1)


@triton.jit
def _tile(rows, columns, DIM: tl.constexpr):
    """Offsets of a tile of a matrix with `DIM` columns."""
    return rows[:, None] * DIM + columns[None, :]


@triton.jit
def _attend(
    queries, keys, scoring, LENGTH: tl.constexpr, KEYS: tl.constexpr, DTYPE: tl.constexpr, PRODUCTS: tl.constexpr
):
    """Attention weights of a tile of query tokens over all keys."""
    scored = tl.dot(queries, tl.trans(scoring), input_precision=PRODUCTS, out_dtype=DTYPE)
    scores = tl.dot(scored, tl.trans(keys), input_precision=PRODUCTS, out_dtype=DTYPE)
    scores = tl.where((tl.arange(0, KEYS) < LENGTH)[None, :], scores, float("-inf"))
    weights = tl.exp(scores - tl.max(scores, 1)[:, None])
    return weights / tl.sum(weights, 1)[:, None]


@triton.jit
def _gates(
    attended, readout, output, rows, neurons,
    LENGTH: tl.constexpr, NEURONS: tl.constexpr, PER_TOKEN: tl.constexpr, DTYPE: tl.constexpr, PRODUCTS: tl.constexpr,
):  # fmt: skip
    """a_l * 1[C u_l >= 0] of a tile of tokens and neurons."""
    signals = tl.dot(attended, tl.trans(readout), input_precision=PRODUCTS, out_dtype=DTYPE)
    if PER_TOKEN:
        inside = (rows < LENGTH)[:, None] & (neurons < NEURONS)[None, :]
        signs = tl.load(output + rows[:, None] * NEURONS + neurons[None, :], mask=inside, other=0)
    else:
        signs = tl.load(output + neurons, mask=neurons < NEURONS, other=0)[None, :]
    return tl.where(signals >= 0, signs, 0)


@triton.jit(do_not_specialize=["step"])
def forward(
    table, progress, step,
    BATCH: tl.constexpr, LENGTH: tl.constexpr, NEURONS: tl.constexpr, DIM: tl.constexpr, KEYS: tl.constexpr,
    ROWS: tl.constexpr, BLOCK: tl.constexpr, PER_TOKEN: tl.constexpr, DTYPE: tl.constexpr, PRODUCTS: tl.constexpr,
):  # fmt: skip
    """u_l, e_l and sum_l u_l . e_l for a tile of tokens of one sample: program (trial, slot, tile)."""
    trial, slot, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    sample = _sample(table, progress, trial, step, slot, BATCH)
    if sample >= 0:
        columns = tl.arange(0, DIM)
        rows = part * ROWS + tl.arange(0, ROWS)
        inside = (rows < LENGTH)[:, None]
        tokens = _array(table, trial, _TOKENS, DTYPE) + sample * LENGTH * DIM
        every = tl.arange(0, KEYS)
        keys = tl.load(tokens + _tile(every, columns, DIM), mask=(every < LENGTH)[:, None], other=0)
        queries = tl.load(tokens + _tile(rows, columns, DIM), mask=inside, other=0)
        scoring = tl.load(_array(table, trial, _SCORING, DTYPE) + _tile(columns, columns, DIM))
        weights = _attend(queries, keys, scoring, LENGTH, KEYS, DTYPE, PRODUCTS)
        attended = tl.dot(weights, keys, input_precision=PRODUCTS, out_dtype=DTYPE)
        pulled = tl.zeros([ROWS, DIM], DTYPE)
        output = _array(table, trial, _OUTPUT, DTYPE)
        all_readout = _array(table, trial, _READOUT, DTYPE)
        for start in range(0, NEURONS, BLOCK):
            neurons = start + tl.arange(0, BLOCK)
            readout = tl.load(all_readout + _tile(neurons, columns, DIM), mask=(neurons < NEURONS)[:, None], other=0)
            gates = _gates(attended, readout, output, rows, neurons, LENGTH, NEURONS, PER_TOKEN, DTYPE, PRODUCTS)
            pulled += tl.dot(gates, readout, input_precision=PRODUCTS, out_dtype=DTYPE)
        place = slot * LENGTH * DIM + _tile(rows, columns, DIM)
        tl.store(_array(table, trial, _ATTENDED, DTYPE) + place, attended, mask=inside)
        tl.store(_array(table, trial, _PULLED, DTYPE) + place, pulled, mask=inside)
        summed = tl.sum(tl.sum(tl.where(inside, attended * pulled, 0), 1), 0)
        tl.store(_array(table, trial, _PARTIAL, DTYPE) + slot * tl.cdiv(LENGTH, ROWS) + part, summed)


@triton.jit(do_not_specialize=["step"])
def judge(
    table, progress, step,
    BATCH: tl.constexpr, SLOTS: tl.constexpr, LENGTH: tl.constexpr, ROWS: tl.constexpr, DTYPE: tl.constexpr,
):  # fmt: skip
    """Hinges of a batch, what they weigh in the gradient, and what became of the step: program (trial)."""
    trial = tl.program_id(0)
    slots = tl.arange(0, SLOTS)
    sample = _sample(table, progress, trial, step, slots, BATCH)
    there = (sample >= 0) & (slots < BATCH)
    size = tl.sum(there.to(tl.int32), 0)
    if size > 0:
        parts = tl.cdiv(LENGTH, ROWS)
        outputs = tl.zeros([SLOTS], DTYPE)
        for part in range(parts):
            outputs += tl.load(_array(table, trial, _PARTIAL, DTYPE) + slots * parts + part, mask=there, other=0)
        outputs = outputs / LENGTH
        labels = tl.load(_array(table, trial, _LABELS, DTYPE) + sample, mask=there, other=0)
        slack = 1 - labels * outputs
        active = there & (slack > 0)
        insane = tl.sum((there & ((tl.abs(outputs) < _INSANE) == 0)).to(tl.int32), 0) > 0
        n_active = tl.where(insane, 0, tl.sum(active.to(tl.int32), 0))
        factor = tl.where(active, -labels / (size * LENGTH).to(DTYPE), 0)
        tl.store(_array(table, trial, _FACTOR, DTYPE) + slots, factor, mask=slots < BATCH)
        loss = tl.sum(tl.where(active, slack, 0), 0).to(tl.float64) / size
        row = progress + trial * _ENTRIES
        steps = tl.load(row + _STEPS)
        tl.store(row + _LAST_MOVE, tl.where(n_active > 0, steps, tl.load(row + _LAST_MOVE)))
        tl.store(row + _LOSS, tl.where(insane, tl.load(row + _LOSS), loss))
        tl.store(row + _FIRST_LOSS, tl.where((steps == 0) & (insane == 0), loss, tl.load(row + _FIRST_LOSS)))
        tl.store(row + _STEPS, tl.where(insane, steps, steps + 1))
        tl.store(row + _STOPPED, insane.to(tl.float64))
        tl.store(row + _N_ACTIVE, n_active.to(tl.float64))


@triton.jit
def descend_neurons(
    table, progress,
    BATCH: tl.constexpr, LENGTH: tl.constexpr, NEURONS: tl.constexpr, DIM: tl.constexpr, ROWS: tl.constexpr,
    BLOCK: tl.constexpr, PER_TOKEN: tl.constexpr, DTYPE: tl.constexpr, PRODUCTS: tl.constexpr,
):  # fmt: skip
    """A block of W_O one step down, and its part of the gradient of W_V: program (trial, block)."""
    trial, block = tl.program_id(0), tl.program_id(1)
    if tl.load(progress + trial * _ENTRIES + _N_ACTIVE) > 0:
        columns = tl.arange(0, DIM)
        neurons = block * BLOCK + tl.arange(0, BLOCK)
        inside = (neurons < NEURONS)[:, None]
        place = _tile(neurons, columns, DIM)
        readout = tl.load(_array(table, trial, _READOUT, DTYPE) + place, mask=inside, other=0)
        output = _array(table, trial, _OUTPUT, DTYPE)
        d_readout = tl.zeros([BLOCK, DIM], DTYPE)
        for slot in range(BATCH):
            factor = tl.load(_array(table, trial, _FACTOR, DTYPE) + slot)
            if factor != 0:
                for start in range(0, LENGTH, ROWS):
                    rows = start + tl.arange(0, ROWS)
                    tile = slot * LENGTH * DIM + _tile(rows, columns, DIM)
                    attended = tl.load(
                        _array(table, trial, _ATTENDED, DTYPE) + tile, mask=(rows < LENGTH)[:, None], other=0
                    )
                    gates = _gates(
                        attended, readout, output, rows, neurons, LENGTH, NEURONS, PER_TOKEN, DTYPE, PRODUCTS
                    )
                    d_readout += factor * tl.dot(tl.trans(gates), attended, input_precision=PRODUCTS, out_dtype=DTYPE)
        value = tl.load(_array(table, trial, _VALUE, DTYPE) + _tile(columns, columns, DIM))
        hidden = tl.load(_array(table, trial, _HIDDEN, DTYPE) + place, mask=inside, other=0)
        d_value = tl.dot(tl.trans(hidden), d_readout, input_precision=PRODUCTS, out_dtype=DTYPE)
        tl.store(_array(table, trial, _D_VALUE, DTYPE) + block * DIM * DIM + _tile(columns, columns, DIM), d_value)
        rate = tl.load(progress + trial * _ENTRIES + _RATE).to(DTYPE)
        hidden -= rate * tl.dot(d_readout, tl.trans(value), input_precision=PRODUCTS, out_dtype=DTYPE)
        tl.store(_array(table, trial, _HIDDEN, DTYPE) + place, hidden, mask=inside)


@triton.jit(do_not_specialize=["step"])
def pull_through_attention(
    table, progress, step,
    BATCH: tl.constexpr, LENGTH: tl.constexpr, DIM: tl.constexpr, KEYS: tl.constexpr, ROWS: tl.constexpr,
    DTYPE: tl.constexpr, PRODUCTS: tl.constexpr,
):  # fmt: skip
    """One sample's part of the gradient of W_K^T W_Q, sum_l (Cov_{P_l}(x) e_l) x_l^T: program (trial, slot)."""
    trial, slot = tl.program_id(0), tl.program_id(1)
    if tl.load(progress + trial * _ENTRIES + _N_ACTIVE) > 0:
        columns = tl.arange(0, DIM)
        square = _tile(columns, columns, DIM)
        d_scoring = tl.zeros([DIM, DIM], DTYPE)
        factor = tl.load(_array(table, trial, _FACTOR, DTYPE) + slot)
        if factor != 0:
            sample = _sample(table, progress, trial, step, slot, BATCH)
            tokens = _array(table, trial, _TOKENS, DTYPE) + sample * LENGTH * DIM
            every = tl.arange(0, KEYS)
            keys = tl.load(tokens + _tile(every, columns, DIM), mask=(every < LENGTH)[:, None], other=0)
            scoring = tl.load(_array(table, trial, _SCORING, DTYPE) + square)
            for start in range(0, LENGTH, ROWS):
                rows = start + tl.arange(0, ROWS)
                inside = (rows < LENGTH)[:, None]
                tile = _tile(rows, columns, DIM)
                queries = tl.load(tokens + tile, mask=inside, other=0)
                pulled = _array(table, trial, _PULLED, DTYPE) + slot * LENGTH * DIM
                errors = tl.load(pulled + tile, mask=inside, other=0)
                weights = _attend(queries, keys, scoring, LENGTH, KEYS, DTYPE, PRODUCTS)
                along = tl.dot(errors, tl.trans(keys), input_precision=PRODUCTS, out_dtype=DTYPE)
                centred = weights * (along - tl.sum(weights * along, 1)[:, None])
                moved = tl.dot(centred, keys, input_precision=PRODUCTS, out_dtype=DTYPE)
                d_scoring += factor * tl.dot(tl.trans(moved), queries, input_precision=PRODUCTS, out_dtype=DTYPE)
        tl.store(_array(table, trial, _D_SCORING, DTYPE) + slot * DIM * DIM + square, d_scoring)


@triton.jit
def descend_shared(
    table, progress,
    BATCH: tl.constexpr, NEURONS: tl.constexpr, DIM: tl.constexpr, BLOCK: tl.constexpr, TRAIN_ATTENTION: tl.constexpr,
    DTYPE: tl.constexpr, PRODUCTS: tl.constexpr,
):  # fmt: skip
    """W_V, W_K and W_Q one step down, and W_K^T W_Q renewed: program (trial)."""
    trial = tl.program_id(0)
    if tl.load(progress + trial * _ENTRIES + _N_ACTIVE) > 0:
        columns = tl.arange(0, DIM)
        square = _tile(columns, columns, DIM)
        rate = tl.load(progress + trial * _ENTRIES + _RATE).to(DTYPE)
        d_value = tl.zeros([DIM, DIM], DTYPE)
        for block in range(tl.cdiv(NEURONS, BLOCK)):
            d_value += tl.load(_array(table, trial, _D_VALUE, DTYPE) + block * DIM * DIM + square)
        value = _array(table, trial, _VALUE, DTYPE) + square
        tl.store(value, tl.load(value) - rate * d_value)
        if TRAIN_ATTENTION:
            d_scoring = tl.zeros([DIM, DIM], DTYPE)
            for slot in range(BATCH):
                d_scoring += tl.load(_array(table, trial, _D_SCORING, DTYPE) + slot * DIM * DIM + square)
            key, query = _array(table, trial, _KEY, DTYPE) + square, _array(table, trial, _QUERY, DTYPE) + square
            old_key, old_query = tl.load(key), tl.load(query)
            d_key = tl.dot(old_query, tl.trans(d_scoring), input_precision=PRODUCTS, out_dtype=DTYPE)
            d_query = tl.dot(old_key, d_scoring, input_precision=PRODUCTS, out_dtype=DTYPE)
            new_key, new_query = old_key - rate * d_key, old_query - rate * d_query
            tl.store(key, new_key)
            tl.store(query, new_query)
            scoring = tl.dot(tl.trans(new_key), new_query, input_precision=PRODUCTS, out_dtype=DTYPE)
            tl.store(_array(table, trial, _SCORING, DTYPE) + square, scoring)


@triton.jit
def multiply_out(
    table, progress,
    NEURONS: tl.constexpr, DIM: tl.constexpr, BLOCK: tl.constexpr, DTYPE: tl.constexpr, PRODUCTS: tl.constexpr,
):  # fmt: skip
    """A block of W_O W_V renewed: program (trial, block)."""
    trial, block = tl.program_id(0), tl.program_id(1)
    if tl.load(progress + trial * _ENTRIES + _N_ACTIVE) > 0:
        columns = tl.arange(0, DIM)
        neurons = block * BLOCK + tl.arange(0, BLOCK)
        inside = (neurons < NEURONS)[:, None]
        place = _tile(neurons, columns, DIM)
        hidden = tl.load(_array(table, trial, _HIDDEN, DTYPE) + place, mask=inside, other=0)
        value = tl.load(_array(table, trial, _VALUE, DTYPE) + _tile(columns, columns, DIM))
        readout = tl.dot(hidden, value, input_precision=PRODUCTS, out_dtype=DTYPE)
        tl.store(_array(table, trial, _READOUT, DTYPE) + place, readout, mask=inside)
