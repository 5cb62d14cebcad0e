"""What the checker knows of an expression over a box, written a second time on purpose.

`enclose` is its own interval arithmetic: `theory.intervals` serves the prover and is built for speed, and
`theory.checker` must not inherit its mistakes. An expression is walked once, each end is an exact Arb number, and what
may be undefined becomes the whole line. `undefined` says where that may be, `zero` whether an expression vanishes
identically, `shifts` whether coefficients at a corner show its sign. A box maps symbols to tuples that begin with
(low, high), sympy rationals or infinities.
"""

import itertools
from functools import reduce

import sympy as sp
from flint import arb, fmpq

INF, ZERO = arb("inf"), arb(0)
CONSTANTS = {sp.pi: arb.pi, sp.E: arb.const_e, sp.EulerGamma: arb.const_euler}
QUARTER = arb.pi() / 2
MONOTONE = {sp.tanh: (-1, 1), sp.erf: (-1, 1), sp.erfc: (2, 0), sp.sinh: (-INF, INF), sp.atan: (-QUARTER, QUARTER)}
"""Functions by their limits at -oo and oo."""
STEPS = (sp.sign, sp.Heaviside)
FUNCTIONS = {sp.exp, sp.log, sp.Abs, sp.Max, sp.Min, sp.sin, sp.cos, sp.cosh, *MONOTONE, *STEPS}


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
    """Enclosure of e over the box; what may be undefined or jump there goes to the list `doubts`, as (argument, where).

    The end of a root's domain counts as well: it is continuous there, but its slope is infinite.
    """
    if e in box or e.is_Rational:
        return hull(*map(ball, box[e][:2] if e in box else [e]))
    if e in CONSTANTS:
        return hull(CONSTANTS[e]())
    doubts = [] if doubts is None else doubts
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
    if e.func in STEPS:
        doubts += [(e.args[0], "at zero")] if low <= 0 <= high else []
        least = -1 if e.func is sp.sign else 0
        return hull(arb(1 if low > 0 else least), arb(least if high < 0 else 1), *(b for end in parts[1:] for b in end))
    return hull(low.exp(), high.exp()) if isinstance(e, sp.exp) else powers(e, doubts, *parts)


def powers(e, doubts, base, exponent=None):
    """Enclosure of a power or, without an exponent, of a logarithm. Below zero only integer exponents give numbers."""
    (low, high), q = base, e.exp if e.is_Pow else sp.S.NaN
    if exponent and exponent[0] == exponent[1] and exponent[0].is_integer():
        q = sp.Integer(int(exponent[0].unique_fmpz()))
    doubts += [(e.args[0], "at zero")] if low <= 0 <= high and not (q.is_Rational and q >= 0) else []
    doubts += [(e.args[0], "below")] if low <= 0 and not q.is_Integer else []
    if not q.is_Rational:
        logarithm = hull(*(-INF if x == 0 else x.log() for x in base)) if low >= 0 and high > 0 else (-INF, INF)
        if exponent is None or low < 0:  # a negative number has powers of either sign
            return logarithm
        return hull(*(x.exp() for x in times(logarithm, exponent)))
    n = arb(2 - int(q) % 2) if q.is_Integer else ball(abs(q))
    ends = [x if x in (0, INF) else x ** ball(abs(q)) if x.is_finite() else INF * (-1) ** n for x in base]
    low, high = hull(*ends, *([ZERO] if low < 0 < high else []))
    if q > 0 or low < 0 < high or low == high == 0:
        return (low, high) if q > 0 else (-INF, INF)
    return hull(INF if low == 0 else 1 / low, -INF if high == 0 else 1 / high)


def zero(e):
    """Whether e vanishes identically."""
    return any(sp.expand(sp.numer(sp.together(f))) == 0 for f in (e, e.rewrite(sp.exp))) or sp.simplify(e) == 0


def shifts(e, strict, box):
    """Whether e in t >= 0, from a corner of the box, has no negative coefficient and, if strict, no zero corner."""
    goal, corners = e, []
    for s, (low, high, is_open) in box.items():
        ends = [x for x in (low, high) if x.is_finite]
        half = low + s if low.is_finite else high - s
        up, down = (low + high * s, 1 + s) if len(ends) == 2 else (half, sp.S.One)
        terms = sp.Poly(e, s).all_coeffs()
        e = sp.expand(sum(c * up ** (len(terms) - 1 - k) * down**k for k, c in enumerate(terms)))
        corners.append(ends if not is_open else [high if high.is_finite else low + 1])
    values = [goal.subs(dict(zip(box, corner, strict=True))) for corner in itertools.product(*corners)]
    return all(c.is_Rational and c >= 0 for c in sp.Poly(e, *box).coeffs()) and (not strict or min(values) > 0)


def undefined(e, box, back=()):
    """Where e may have no value or jump, as pairs of an argument, in old symbols, and its fault; exp is never zero."""
    enclose(e, box, doubts := [])
    found = [(a.subs(back), where) for a, where in doubts]
    return {
        (a.base if a.is_Pow and a.exp.is_Rational and a.exp > 0 else a, where)
        for a, where in found
        if not isinstance(a, sp.exp)
    }


def fits(symbol, value):
    """Whether a number meets the assumptions that cut holes into the range of a symbol."""
    kinds = ("is_integer", "is_even", "is_odd", "is_prime")
    return all(getattr(symbol, kind) in (None, getattr(value, kind)) for kind in kinds)
