"""Families on boxes without ends, in one and two symbols: which term dominates far out, along a line or a parabola."""

from __future__ import annotations

import sympy as sp

from tests.theory.soundness.statements import Draw, Q, Statement, Truth, family, ge, gt, le, oo, p, q, x, y

PLANE = {x: (-oo, oo), y: (-oo, oo)}
QUADRANT = {p: (0, oo), q: (0, oo)}
_TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17))


@family(Truth.HOLDS)
def dominated_far_out(draw: Draw) -> Statement:
    """Squares whose leading form is definite, one that has the sign of a power of each, and waves."""
    a, b, d = draw.rational(-2, 2, 4), draw.positive(3, 4), draw.positive(3, 9)
    relation = draw.choice((
        gt(sp.expand(((x - a * y) ** 2 - b) ** 2 + (y**2 - x) ** 2) + 1 + sp.sin(x * y), -d),
        gt(sp.expand((x - a * y) ** 2 + (y**2 - b) ** 2), -d),
        gt(sp.expand((x**2 - a * y) ** 2 + (x * y - b) ** 2 + y**2), -d),
        gt(x**2 + y**4 + d, sp.sin(x - y) * x * y**2),
    ))  # fmt: skip
    return Statement(relation, PLANE)


@family(Truth.HOLDS)
def outgrown(draw: Draw) -> Statement:
    """Powers under exponentials and logarithms under powers, with a factor a little above the least."""
    j, a = draw.randint(1, 4), draw.positive(3, 5)
    most = Q(j * 1000, 2718) ** j
    relation, box = draw.choice((
        (le(a * p**j * sp.exp(-p), a * most), {p: (0, oo)}),
        (le((p + q) ** j * sp.exp(-p - q), most), QUADRANT),
        (gt(sp.exp(p) + sp.exp(q), p * q), QUADRANT),
        (le(p * sp.exp(-p) + a * q * sp.exp(-q), Q(1000, 2718) * (1 + a)), QUADRANT),
        (le(sp.log(1 + x**2 + y**2), (x**2 + y**2 - a) / (1 + a) + sp.log(1 + a)), PLANE),
        (le(sp.log(p) + sp.log(q), Q(1000, 2718) * (p + q)), QUADRANT),
    ))  # fmt: skip
    return Statement(relation, box)


@family(Truth.HOLDS)
def bounded_far_out(draw: Draw) -> Statement:
    """Quotients and roots that tend to a number, or to one in each direction."""
    (a, b, c), d = draw.choice(_TRIPLES), draw.positive(3, 9)
    relation = draw.choice((
        gt(sp.sqrt(d + x**2 + y**2), (a * x + b * y) / c),
        le(1 / (1 + x**2) + d / (1 + y**2), 1 + d),
        le(x * y / (d + x**2 + y**2), Q(1, 2)),
        le(sp.Abs(x * y) / (1 + x**2 * y**2), Q(1, 2) + d / 100),
        gt((x**2 + y**2) / (1 + x**2 + y**2), -d),
    ))  # fmt: skip
    return Statement(relation, PLANE)


@family(Truth.FAILS)
def falls_along_a_curve(draw: Draw) -> Statement:
    """The leading form vanishes on a line or a parabola, along which a lesser term falls slowly."""
    a, d, far = draw.rational(-2, 2, 4), draw.tiny(1, 9), 10 ** draw.randint(1, 9)
    at = 2 * far / d
    relation, point = draw.choice((
        (ge(sp.expand((x - a * y) ** 4) - d * y, -far), (a * at, at)),
        (ge(sp.expand((x - a * y) ** 2 * (x**2 + y**2 + 1)) - d * y, -far), (a * at, at)),
        (ge(sp.expand((x - y**2) ** 2) - d * y, -far), (at**2, at)),
        (ge(sp.expand((x - a * y**2) ** 4) + d * y, -far), (a * at**2, -at)),
        (ge(sp.expand((x - a * y) ** 2) + sp.sin(y), -1 + d), (a * at, at)),
        (ge((x * y - 1) ** 2 + x**2, d), (d, 1 / d)),
    ))  # fmt: skip
    if relation.has(sp.sin):
        at = -sp.Rational(1570796326794897, 10**15)
        point = (a * at, at)
    return Statement(relation, PLANE, witness=dict(zip((x, y), map(sp.sympify, point), strict=True)))


@family(Truth.FAILS)
def leading_form_just_below_zero(draw: Draw) -> Statement:
    """A quartic with a large constant, negative far out in one direction."""
    a, d, far = draw.rational(-2, 2, 4), draw.tiny(1, 9), 10 ** draw.randint(1, 9)
    at = sp.Integer(far) / d
    relation = draw.choice((
        ge(sp.expand((x - a * y) ** 4 - d * y**4), -far),
        ge(sp.expand((x - a * y) ** 2 * (x**2 + y**2)) - d * y**4 + x * y, -far),
        ge(sp.expand((x - a * y) ** 4) - d * sp.Abs(y) ** 3 + sp.cos(x), -far),
    ))  # fmt: skip
    return Statement(relation, PLANE, witness={x: a * (at + 9), y: at + 9})


@family(Truth.FAILS)
def outgrows(draw: Draw) -> Statement:
    """The same comparisons of growth the other way round, or with a factor a little below the least."""
    j, far = draw.randint(1, 4), 10 ** draw.randint(1, 9)
    least, late = Q(j * 1000, 2719) ** j, sp.Integer(200)
    relation, box, point = draw.choice((
        (le(p**j * sp.exp(-p), least), {p: (0, oo)}, {p: j}),
        (le((p + q) ** j * sp.exp(-p - q), least), QUADRANT, {p: Q(j, 2), q: Q(j, 2)}),
        (le(sp.exp(p), far * (1 + p**j)), {p: (0, oo)}, {p: late}),
        (le(sp.exp(p) + sp.exp(q), far * (1 + p * q) ** j), QUADRANT, {p: late, q: late}),
        (le(sp.exp(x + y) - sp.exp(x), far * (1 + x**2 + y**2)), PLANE, {x: late, y: late}),
        (ge(sp.exp(x) + y**2, 1 - x - y), PLANE, {x: -1, y: Q(1, 2)}),
        (ge(sp.exp(-p) * p**j, Q(1, far)), {p: (0, oo)}, {p: late}),
        (le(sp.log(1 + x**2 + y**2), 20), PLANE, {x: sp.Integer(10) ** 30, y: 0}),
        (ge(sp.log(p) + sp.log(q), p * q / far - 40 - far), QUADRANT, {p: far**2 * 99, q: far}),
    ))  # fmt: skip
    return Statement(relation, box, witness={s: sp.sympify(v) for s, v in point.items()})


@family(Truth.FAILS)
def tends_below(draw: Draw) -> Statement:
    """Quotients and roots that pass their bound far out, by little."""
    (a, b, c), d = draw.choice(_TRIPLES), draw.tiny(2, 9)
    at = sp.Integer(10) / d
    relation, point = draw.choice((
        (gt(sp.sqrt(9 + x**2 + y**2), (1 + d) * (a * x + b * y) / c), (a * at, b * at)),
        (ge(1 / (1 + x**2) + 1 / (1 + y**2), d), (at, at)),
        (le(x * y / (9 + x**2 + y**2), Q(1, 2) - d), (at, at)),
        (le(sp.Abs(x * y) / (1 + x**2 * y**2), Q(1, 2) - d), (1 / at, at)),
        (le((x**2 + y**2) / (1 + x**2 + y**2), 1 - d), (at, 0)),
        (le(sp.Abs(x) / sp.sqrt(1 + x**2 + y**2), 1 - d), (at, 3)),
    ))  # fmt: skip
    return Statement(relation, PLANE, witness=dict(zip((x, y), map(sp.sympify, point), strict=True)))
