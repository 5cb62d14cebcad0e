"""The checker's own interval arithmetic: enclosures of expressions over boxes, written a second time on purpose.

`theory.intervals` serves the prover and is built for speed; `theory.checker` must not inherit its mistakes. Here an
expression is walked once, each end is an exact Arb number, and what may be undefined becomes the whole line. A box maps
symbols to tuples that begin with (low, high), sympy rationals or infinities.
"""

from functools import reduce

import sympy as sp
from flint import arb, fmpq

INF, ZERO = arb("inf"), arb(0)
CONSTANTS = {sp.pi: arb.pi, sp.E: arb.const_e, sp.EulerGamma: arb.const_euler}
QUARTER = arb.pi() / 2
MONOTONE = {sp.tanh: (-1, 1), sp.erf: (-1, 1), sp.erfc: (2, 0), sp.sinh: (-INF, INF), sp.atan: (-QUARTER, QUARTER)}
"""Functions by their limits at -oo and oo."""
FUNCTIONS = {sp.exp, sp.log, sp.Abs, sp.Max, sp.Min, sp.sin, sp.cos, sp.cosh, *MONOTONE}


class NoEnclosure(ValueError):
    """An expression with a part whose range is not known."""


def ball(q):
    """A ball around an exact number, finite or not."""
    return INF * int(sp.sign(q)) if q.is_infinite else arb(fmpq(int(q.p), int(q.q)))


def hull(*balls):
    """The least interval, with exact ends, around balls; the whole line if one is indeterminate."""
    known = not any(b.is_nan() for b in balls)
    return (min(b.lower() for b in balls), max(b.upper() for b in balls)) if known else (-INF, INF)


def times(a, b):
    """Product of two intervals; an infinite end stands for arbitrarily large numbers, so 0 times it is 0."""
    return hull(*(ZERO if x == 0 or y == 0 else x * y for x in a for y in b))


def enclose(e, box, doubts=None):
    """Enclosure of e over the box; operations that may be undefined or jump there are added to the list `doubts`."""
    if e in box or e.is_Rational:
        return hull(*map(ball, box[e][:2] if e in box else [e]))
    if e in CONSTANTS:
        return hull(CONSTANTS[e]())
    parts = [enclose(part, box, doubts) for part in e.args]
    if not (parts and (e.is_Add or e.is_Mul or e.is_Pow or e.func in FUNCTIONS)):
        raise NoEnclosure(f"no enclosure of {e} is known")
    if e.func in (sp.Max, sp.Min):
        return tuple(map(max if e.func is sp.Max else min, *parts))
    if e.is_Add:
        return reduce(lambda a, b: hull(a[0] + b[0], a[1] + b[1]), parts)
    if e.is_Mul:
        return reduce(times, parts)
    low, high = parts[0]
    if e.func in (sp.Abs, sp.cosh):
        low, high = hull(abs(low), abs(high), *([ZERO] if low < 0 < high else []))
        return (low, high) if e.func is sp.Abs else hull(low.cosh(), high.cosh() if high.is_finite() else INF)
    if e.func in (sp.sin, sp.cos):
        wave = getattr(low.union(high), e.func.__name__)()
        return max(wave.lower(), arb(-1)), min(wave.upper(), arb(1))
    if e.func in MONOTONE:
        limits, f = MONOTONE[e.func], getattr(arb, e.func.__name__)
        return hull(*(f(x) if x.is_finite() else arb(limits[x > 0]) for x in (low, high)))
    if isinstance(e, sp.exp):
        return hull(low.exp(), high.exp())
    q = e.exp if e.is_Pow else sp.S.NaN
    if doubts is not None and not (low > 0 or (q.is_Integer and (q > 0 or high < 0))):
        doubts.append(e)
    if not q.is_Rational:
        logarithm = hull(*(-INF if x == 0 else x.log() for x in (low, high))) if high > 0 else (-INF, INF)
        return logarithm if isinstance(e, sp.log) else hull(*(x.exp() for x in times(logarithm, parts[1])))
    n = arb(2 - int(q) % 2) if q.is_Integer else ball(abs(q))
    ends = [x if x in (0, INF) else x ** ball(abs(q)) if x.is_finite() else INF * (-1) ** n for x in (low, high)]
    low, high = hull(*ends, *([ZERO] if low < 0 < high else []))
    if q > 0 or low < 0 < high or low == high == 0:
        return (low, high) if q > 0 else (-INF, INF)
    return hull(INF if low == 0 else 1 / low, -INF if high == 0 else 1 / high)
