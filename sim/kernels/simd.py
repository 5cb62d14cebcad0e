"""Vectors of 64 bytes inside numba: 8 doubles or 16 singles, one machine register where the machine has them.

numba leaves vectorising to LLVM, which refuses a loop or picks half a register for reasons that change from line to
line. Here a kernel says it itself: `load`, arithmetic on lanes, `store`. Nothing is reordered behind its back: every
product that is added is one fused operation, every sum over lanes is the same tree, so a kernel gives the same bits on
every machine that computes in IEEE arithmetic, whatever the width of its registers.

Offsets count elements from the start of a contiguous array and are not checked: the caller pads its rows with `padded`.
"""

from __future__ import annotations

import math
import operator

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

from sim.kernels.layout import VECTOR_BYTES

kernel = njit(cache=True, no_cfunc_wrapper=True)
"""For what Python calls."""
inner = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For what only kernels call. Entries from Python, which nobody would take, are a third of the time of compiling."""


class Lanes(types.Type):
    """Type of a vector of float32 or float64 lanes."""

    def __init__(self, scalar: types.Float) -> None:
        self.scalar = scalar
        self.count = VECTOR_BYTES * 8 // scalar.bitwidth
        super().__init__(name=f"Lanes({scalar}, {self.count})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind: Lanes) -> None:
        super().__init__(manager, kind, ir.VectorType(manager.lookup(kind.scalar).get_value_type(), kind.count))


class Registers(types.Type):
    """Type of a fixed number of vectors that stay in registers where the loops over them are unrolled."""

    def __init__(self, lanes: Lanes, count: int) -> None:
        self.lanes, self.count = lanes, count
        super().__init__(name=f"Registers({lanes.name}, {count})")


@register_model(Registers)
class _RegistersModel(models.PrimitiveModel):
    def __init__(self, manager, kind: Registers) -> None:
        super().__init__(manager, kind, manager.lookup(kind.lanes).get_value_type().as_pointer())


def _vector(context, kind: Lanes) -> ir.VectorType:
    return context.get_value_type(kind)


def _pointer(context, builder, array_type, array, offset):
    """Address of a vector inside an array."""
    data = context.make_array(array_type)(context, builder, array).data
    scalar = builder.gep(data, [offset])
    return builder.bitcast(scalar, _vector(context, Lanes(array_type.dtype)).as_pointer())


@intrinsic
def width(typingctx, array):
    """Lanes of this array's vectors, a constant of the compiled function."""
    count = Lanes(array.dtype).count

    def generate(context, builder, signature, arguments):
        return context.get_constant(types.intp, count)

    return types.intp(array), generate


@intrinsic
def load(typingctx, array, offset):
    """Vector at an offset."""
    kind = Lanes(array.dtype)

    def generate(context, builder, signature, arguments):
        place = _pointer(context, builder, signature.args[0], arguments[0], arguments[1])
        return builder.load(place, align=array.dtype.bitwidth // 8)

    return kind(array, types.intp), generate


@intrinsic
def store(typingctx, array, offset, vector):
    """Write a vector at an offset."""

    def generate(context, builder, signature, arguments):
        place = _pointer(context, builder, signature.args[0], arguments[0], arguments[1])
        builder.store(arguments[2], place, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), generate


def _spread(context, builder, kind: Lanes, scalar):
    nothing = ir.Constant(_vector(context, kind), ir.Undefined)
    first = builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    return builder.shuffle_vector(first, nothing, zeros)


@intrinsic
def splat(typingctx, scalar):
    """All lanes equal to a scalar."""
    kind = Lanes(scalar)

    def generate(context, builder, signature, arguments):
        return _spread(context, builder, kind, arguments[0])

    return kind(scalar), generate


@intrinsic
def constant(typingctx, like, number):
    """All lanes equal to a Python number, in the precision of the vector `like`."""

    def generate(context, builder, signature, arguments):
        return _spread(context, builder, like, context.cast(builder, arguments[1], number, like.scalar))

    return like(like, number), generate


@intrinsic
def registers(typingctx, axes, zero):
    """One vector per entry of the tuple `axes`, all zero."""
    kind = Registers(zero, len(axes))

    def generate(context, builder, signature, arguments):
        vector = _vector(context, kind.lanes)
        place = cgutils.alloca_once(builder, vector, size=kind.count)
        for index in range(kind.count):
            builder.store(arguments[1], builder.gep(place, [ir.Constant(ir.IntType(64), index)]))
        return place

    return kind(axes, zero), generate


@intrinsic
def get(typingctx, held, index):
    """One of the registers."""

    def generate(context, builder, signature, arguments):
        return builder.load(builder.gep(arguments[0], [arguments[1]]))

    return held.lanes(held, types.intp), generate


@intrinsic
def put(typingctx, held, index, vector):
    """Replace one of the registers."""

    def generate(context, builder, signature, arguments):
        builder.store(arguments[2], builder.gep(arguments[0], [arguments[1]]))
        return context.get_dummy_value()

    return types.void(held, types.intp, vector), generate


def _binary(operation: str):
    @intrinsic
    def apply(typingctx, left, right):
        def generate(context, builder, signature, arguments):
            return getattr(builder, operation)(*arguments)

        return left(left, right), generate

    return apply


def _overload_operator(symbol, operation: str) -> None:
    apply = _binary(operation)

    @overload(symbol)
    def chosen(left, right):
        if isinstance(left, Lanes) and isinstance(right, Lanes):
            return lambda left, right: apply(left, right)
        return None


_overload_operator(operator.add, "fadd")
_overload_operator(operator.sub, "fsub")
_overload_operator(operator.mul, "fmul")
_overload_operator(operator.truediv, "fdiv")


def _call(context, builder, name: str, kind: Lanes, arguments):
    """Call one of LLVM's own functions on vectors."""
    vector = _vector(context, kind)
    suffix = f"v{kind.count}f{kind.scalar.bitwidth}"
    signature = ir.FunctionType(vector, [vector] * len(arguments))
    return builder.call(cgutils.get_or_insert_function(builder.module, signature, f"{name}.{suffix}"), arguments)


@intrinsic
def fma(typingctx, left, right, added):
    """Left * right + added, rounded once."""

    def generate(context, builder, signature, arguments):
        return _call(context, builder, "llvm.fma", left, arguments)

    return left(left, right, added), generate


def _unary(name: str):
    @intrinsic
    def apply(typingctx, vector):
        def generate(context, builder, signature, arguments):
            return _call(context, builder, name, vector, arguments)

        return vector(vector), generate

    return apply


absolute = _unary("llvm.fabs")
_nearest = _unary("llvm.rint")


def _comparison(symbol: str):
    @intrinsic
    def apply(typingctx, left, right, then, otherwise):
        def generate(context, builder, signature, arguments):
            return builder.select(builder.fcmp_ordered(symbol, *arguments[:2]), *arguments[2:])

        return left(left, right, then, otherwise), generate

    return apply


where_greater = _comparison(">")
"""`where_greater(left, right, then, otherwise)`; a NaN counts as not greater."""
where_at_least = _comparison(">=")


@intrinsic
def unless_greater(typingctx, left, right):
    """Bit set of the lanes where left > right does not hold; a NaN counts among them."""

    def generate(context, builder, signature, arguments):
        lanes = builder.fcmp_unordered("<=", *arguments)
        return builder.zext(builder.bitcast(lanes, ir.IntType(left.count)), ir.IntType(64))

    return types.int64(left, right), generate


@intrinsic
def first_bit(typingctx, bits):
    """Index of the lowest bit that is set."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(bits), generate


@intrinsic
def total(typingctx, vector):
    """Sum over lanes, halves folded onto each other."""
    scalar = vector.scalar

    def generate(context, builder, signature, arguments):
        value, count = arguments[0], vector.count
        while count > 1:
            count //= 2
            halves = []
            for start in (0, count):
                picks = ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(start, start + count)))
                halves.append(builder.shuffle_vector(value, value, picks))
            value = builder.fadd(*halves)
        return builder.extract_element(value, ir.Constant(ir.IntType(32), 0))

    return scalar(vector), generate


@intrinsic
def _power_of_two(typingctx, vector):
    """2^k for a vector of whole numbers k, by writing the exponent's bits."""
    bits = vector.scalar.bitwidth
    mantissa, bias = (52, 1023) if bits == 64 else (23, 127)

    def generate(context, builder, signature, arguments):
        whole = ir.VectorType(ir.IntType(bits), vector.count)
        exponent = builder.add(builder.fptosi(arguments[0], whole), ir.Constant(whole, [bias] * vector.count))
        shifted = builder.shl(exponent, ir.Constant(whole, [mantissa] * vector.count))
        return builder.bitcast(shifted, _vector(context, vector))

    return vector(vector), generate


_LN2 = {  # ln 2 in two parts, the first so short that its product with k is exact
    types.float64: (6.93147180369123816490e-01, 1.90821492927058770002e-10),
    types.float32: (float.fromhex("0x1.62e4p-1"), math.log(2) - float.fromhex("0x1.62e4p-1")),
}
_DEGREE = {types.float64: 13, types.float32: 7}
_LEAST = {types.float64: -708.0, types.float32: -87.0}


def exponential(vector):
    """exp of every lane, for arguments up to +88 in single and +709 in double precision.

    exp(x) = 2^k exp(r) with k the whole number nearest to x / ln 2 and |r| <= ln 2 / 2. The Taylor polynomial of exp(r)
    of degree n is off by less than 1.2 (ln 2 / 2)^(n+1) / (n+1)!: 5e-18 for n = 13 and 7e-9 for n = 7, both below the
    rounding of its terms. Lanes below exp's smallest normal number are raised to it.
    """
    raise NotImplementedError("only inside a compiled function")


@overload(exponential)
def _exponential(vector):
    scalar = vector.scalar
    (high, low), least, inverse = _LN2[scalar], _LEAST[scalar], 1 / math.log(2)
    terms = tuple(1 / math.factorial(power) for power in range(_DEGREE[scalar], -1, -1))

    def compute(vector):
        floor = constant(vector, least)
        x = where_greater(vector, floor, vector, floor)
        k = _nearest(x * constant(x, inverse))
        r = fma(k, constant(x, -low), fma(k, constant(x, -high), x))
        series = constant(x, terms[0])
        for index in range(1, len(terms)):
            series = fma(series, r, constant(x, terms[index]))
        return series * _power_of_two(k)

    return compute


@inner
def clear(array, start, stop):
    """Zero the entries from `start` to `stop`, whole vectors of them. (Slices say it, and take seconds to compile.)"""
    for place in range(start, stop, width(array)):
        store(array, place, splat(array.dtype.type(0)))


@inner
def copy(source, source_start, target, target_start, count):
    """Copy `count` entries, whole vectors of them."""
    for place in range(0, count, width(source)):
        store(target, target_start + place, load(source, source_start + place))


_LOG_TERMS = {types.float64: 17, types.float32: 8}


def log_one_plus(vector):
    """log(1 + t) of every lane, for t from 0 to 1.

    log(1 + t) = 2 artanh(s) with s = t / (2 + t) <= 1/3. Leaving out s^(2n+1) / (2n+1) and what follows is off by less
    than 2e-18 after 17 terms and 2e-9 after 8, both below the rounding of the sum.
    """
    raise NotImplementedError("only inside a compiled function")


@overload(log_one_plus)
def _log_one_plus(vector):
    terms = tuple(2 / (2 * power + 1) for power in range(_LOG_TERMS[vector.scalar] - 1, -1, -1))

    def compute(vector):
        ratio = vector / (vector + constant(vector, 2.0))
        square = ratio * ratio
        series = constant(vector, terms[0])
        for index in range(1, len(terms)):
            series = fma(series, square, constant(vector, terms[index]))
        return series * ratio

    return compute
