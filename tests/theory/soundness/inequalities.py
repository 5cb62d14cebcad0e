"""Families of inequalities that fail by little, on little, or far out, and of those that a hypothesis does not save."""

from __future__ import annotations

from math import isqrt

import sympy as sp

from tests.theory.soundness.statements import (
    Draw,
    Q,
    Statement,
    Truth,
    eq,
    even,
    family,
    ge,
    gt,
    k,
    le,
    lt,
    oo,
    p,
    q,
    total,
    x,
    y,
    z,
)

fails = family(Truth.FAILS)


def near_root(value: int, digits: int) -> sp.Rational:
    """The square root of an integer to some digits, rounded down."""
    return Q(isqrt(value * 10 ** (2 * digits)), 10**digits)


@fails
def strict_where_it_touches(source: Draw) -> Statement:
    a = source.rational(-3, 3, 10 ** source.choice((1, 2, 5, 9)))
    relation, point = source.choice(
        (
            (gt((x - a) ** 2, 0), a),
            (gt(sp.expand((x - a) ** 2), 0), a),
            (gt(sp.expand((x - a) ** 4), 0), a),
            (gt(sp.expand((x - a) ** 2 * (x**2 + x + 1)), 0), a),
            (gt(sp.exp(x), 1 + x), 0),
            (gt(sp.exp(x - a), 1 + x - a), a),
            (gt(sp.cosh(x), 1 + x**2 / 2), 0),
            (gt(sp.exp(x) + sp.exp(-x), 2), 0),
            (lt(sp.cos(x - a), 1), a),
            (lt(x**2 / (1 + x**4), Q(1, 2)), 1),
            (lt(2 * x / (1 + x**2), 1), 1),
            (gt(x**2 + 1 / (1 + x**2), 1), 0),
            (lt(sp.exp(-((x - a) ** 2)), 1), a),
            (lt(1 / (2 + sp.exp(x) + sp.exp(-x)), Q(1, 4)), 0),
            (gt(sp.sqrt(1 + x**2), 1), 0),
            (lt(sp.tanh(x) ** 2 - x**2, 0), 0),
        )
    )
    point = sp.sympify(point)
    return Statement(relation, {x: source.choice((source.around(point), (-oo, oo)))}, witness={x: point})


@fails
def strict_where_it_touches_at_an_end(source: Draw) -> Statement:
    a, b = source.rational(), source.positive()
    relation, box, point = source.choice(
        (
            (gt(x, a), (a, a + b), a),
            (lt(x, a), (a - b, a), a),
            (gt((x - a) * (x - a + b), 0), (a, oo), a),
            (gt(sp.sqrt(x - a), 0), (a, a + b), a),
            (lt(sp.sin(x), x), (0, b), 0),
            (lt(sp.tanh(x), x), (0, oo), 0),
            (lt(sp.log(1 + x), x), (0, oo), 0),
            (gt(sp.log(x), 1 - 1 / x), (1, 1 + b), 1),
            (lt(sp.atan(x), x), (0, b), 0),
            (gt(sp.exp(x) - 1, x + x**2 / 2), (0, 2), 0),
            (gt(x**2 - 1, 0), (1, oo), 1),
            (gt((b - x) ** 3, 0), (0, b), b),
            (gt(1 / (1 + x), Q(1, 2)), (0, 1), 1),
            (gt(sp.acos(x), 0), (0, 1), 1),
            (gt(sp.log(x), 0), (1, oo), 1),
            (gt((1 + x) ** 7, 1 + 7 * x), (0, b), 0),
        )
    )
    return Statement(relation, {x: box}, witness={x: sp.sympify(point)})


@fails
def strict_where_symbols_meet(source: Draw) -> Statement:
    a, b = source.positive(), source.positive()
    relation, box, point = source.choice(
        (
            (gt(x**2 + y**2, 2 * x * y), (-oo, oo), (a, a)),
            (gt((x + y) / 2, sp.sqrt(x * y)), (0, 9), (a, a)),
            (gt((a * x - b * y) ** 2, 0), (-9, 9), (b / 3, a / 3)),
            (gt(sp.expand((a * x - b * y) ** 2 + (x - b) ** 4), 0), (-9, 9), (b, a)),
            (gt(x**4 + y**4, x**3 * y + x * y**3), (-9, 9), (a, a)),
            (gt(x**4 * y**2 + x**2 * y**4 + 1, 3 * x**2 * y**2), (-2, 2), (1, 1)),
            (gt(sp.exp(x) + sp.exp(y), 2 * sp.exp((x + y) / 2)), (-9, 9), (a, a)),
            (gt((x**2 + 1) * (y**2 + 1), (x * y + 1) ** 2), (-9, 9), (a, a)),
            (lt(sp.Abs(sp.tanh(x) - sp.tanh(y)), sp.Abs(x - y)), (-9, 9), (a, a)),
            (gt(x**3 + y**3, x**2 * y + x * y**2), (0, 9), (a, a)),
            (gt(1 / (1 + x) + 1 / (1 + y), 2 / (1 + (x + y) / 2)), (0, 9), (a, a)),
            (gt((x + y) * (1 / x + 1 / y), 4), (Q(1, 99), 9), (a, a)),
            (lt(2 * x * y, (x + y) ** 2 / 2), (0, oo), (a, a)),
        )
    )
    return Statement(relation, {x: box, y: box}, witness=dict(zip((x, y), map(sp.sympify, point), strict=True)))


@fails
def strict_where_it_touches_at_an_irrational(source: Draw) -> Statement:
    """No rational point refutes these; the root certifies that they fail."""
    c = source.choice([value for value in range(2, 90) if isqrt(value) ** 2 != value])
    g = source.choice((x**2 - c, x**3 - c if round(c ** (1 / 3)) ** 3 != c else x**2 - c, x**5 - x - c))
    e = source.choice(
        (g**2, sp.expand(g**2), sp.expand(g**2 * (x**2 + x + 1)), sp.Abs(g), sp.expand(g**4), sp.exp(g**2) - 1)
    )
    return Statement(gt(e, 0), {x: (0, source.randint(10, 99))}, root=g)


@fails
def lowered_below_touching(source: Draw) -> Statement:
    """A tight inequality with a little taken away: false on a tiny region."""
    a, b, d = source.rational(-2, 2, 50), source.rational(-2, 2, 50), source.tiny()
    digits, cube = 45, dict.fromkeys((x, y, z), (-9, 9))
    relation, box, point = source.choice(
        (
            (ge((x - a) ** 2, d), {x: source.around(a)}, {x: a}),
            (ge(sp.expand((x - a) ** 2), d), {x: (-oo, oo)}, {x: a}),
            (ge(sp.exp(x), 1 + x + d), {x: (-2, 2)}, {x: 0}),
            (le(sp.log(x), x - 1 - d), {x: (Q(1, 2), 3)}, {x: 1}),
            (ge((x**2 - 2) ** 2, d), {x: (0, 2)}, {x: near_root(2, digits)}),
            (ge(sp.Abs(x**2 - 3), d), {x: (-2, 2)}, {x: near_root(3, digits)}),
            (ge(x**2 + y**2 + z**2, x * y + y * z + z * x + d), cube, {x: a, y: a, z: a}),
            (ge((x - a) ** 2 + (y - b) ** 2, d), {x: source.around(a), y: source.around(b)}, {x: a, y: b}),
            (ge(sp.expand((x - a) ** 2 + (y - b) ** 2), d), {x: (-oo, oo), y: (-oo, oo)}, {x: a, y: b}),
            (ge(sp.expand((x - a) ** 2 + (x - y + b) ** 2 + (z - 1) ** 2), d), cube, {x: a, y: a + b, z: 1}),
            (ge(x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2, d), {x: (-2, 2), y: (-2, 2)}, {x: 1, y: -1}),
            (ge((x - a) * (x - a - d), 0), {x: source.around(a)}, {x: a + d / 2}),
            (ge(sp.expand((x - a) * (x - a - d) * (x**2 + 1)), 0), {x: source.around(a)}, {x: a + d / 2}),
            (le(1 / (1 + (x - a) ** 2), 1 - d), {x: source.around(a)}, {x: a}),
            (le(sp.sin(x), x - d), {x: (0, 1)}, {x: 0}),
            (ge(sp.sqrt(x), d), {x: (0, 1)}, {x: 0}),
            (ge(x**2 - 2 * x * y + y**2, d), {x: (0, 1), y: (0, 1)}, {x: Q(1, 3), y: Q(1, 3)}),
            (le(x * (1 - x), Q(1, 4) - d), {x: (0, 1)}, {x: Q(1, 2)}),
            (ge(x + 1 / x, 2 + d), {x: (Q(1, 9), 9)}, {x: 1}),
            (le(sp.exp(-x) * x, sp.exp(-1) - d), {x: (0, 9)}, {x: 1}),
        )
    )  # fmt: skip
    return Statement(relation, box, witness={s: sp.sympify(value) for s, value in point.items()})


@fails
def false_far_out(source: Draw) -> Statement:
    j = source.randint(4, 30)
    far = sp.Integer(10) ** j
    d = Q(1, far)
    relation, box, point = source.choice(
        (
            (le(x, far), (0, oo), far + 1),
            (ge(x**2, far * x), (1, oo), far / 2),
            (ge(x**3 + far, far * x**2 / 5), (0, oo), far / 10),
            (ge(far - x, 0), (-oo, oo), 2 * far),
            (le(sp.log(1 + x), j), (0, oo), sp.Integer(3) ** (j + 1)),
            (le(sp.atan(x), sp.pi / 2 - d), (0, oo), 10 * far),
            (ge(1 / (1 + x), d), (0, oo), 2 * far),
            (le(x / (1 + x), 1 - d), (0, oo), 2 * far),
            (ge(far * x, 1), (0, oo), d / 2),
            (ge(x, d), (0, oo), 0),
            (le(sp.tanh(x), 1 - d), (0, oo), 3 * j),
            (ge(sp.exp(-x), d), (0, oo), 3 * j),
            (ge(sp.exp(x), x**j), (1, oo), 2 * j),
            (le(sp.sqrt(x), 10**j), (0, oo), far**2 + 1),
            (ge(sp.sqrt(x), sp.log(1 + x) * j / 2), (1, oo), j),
            (gt(sp.log(1 + sp.exp(x)), x + d), (0, oo), 5 * j),
            (ge(sp.Max(x, far), x + 1), (0, oo), far),
            (ge(x**2 - 2 * far * x + far**2, 1), (-oo, oo), far),
            (ge(sp.Abs(x - far), 1), (-oo, oo), far),
            (le(sp.erf(x), 1 - Q(1, 10 ** min(j, 12))), (0, oo), 6),
            (ge((1 + 1 / x) ** 2, 1 + d), (1, oo), 3 * far),
        )
    )  # fmt: skip
    if (relation.func in (sp.Ge,) and relation.has(sp.log) and j <= 3) or (relation.lhs == sp.exp(x) and j <= 3):
        return false_far_out(source)
    return Statement(relation, {x: box}, witness={x: sp.sympify(point)})


@fails
def false_far_out_in_two_symbols(source: Draw) -> Statement:
    far = sp.Integer(10) ** source.randint(2, 20)
    relation, given, point = source.choice(
        (
            (gt(1 / (1 + sp.exp(x)), 1 / (1 + sp.exp(y))), (gt(x, y),), (2, 1)),
            (lt(1 / (1 + sp.exp(x)), 1 / (1 + sp.exp(y))), (lt(x, y),), (1, 2)),
            (lt(sp.tanh(x), sp.tanh(y)), (gt(x, y),), (2, 1)),
            (le(x + y, far), (), (far, 1)),
            (ge(x + y, -far), (), (-far, -1)),
            (ge(x**2 + y**2, x * y + (x + y) * far), (), (far, far)),
            (ge(x**2 - y, -far), (), (0, 2 * far)),
            (le(x * y, x**2 + y**2 / 5), (), (1, 2)),
            (ge(sp.exp(x), y), (), (0, 2)),
            (ge(x**2 + y**2, 2 * x * y + Q(1, far)), (), (far, far)),
            (ge(sp.Max(x, y), 0), (le(x + y, far),), (-1, -2)),
        )
    )
    witness = {x: sp.sympify(point[0]), y: sp.sympify(point[1])}
    return Statement(relation, {x: (-oo, oo), y: (-oo, oo)}, given, witness=witness)


@fails
def softmax_entropy_divergence(source: Draw) -> Statement:
    a, d = source.rational(-3, 3, 9), source.tiny(3, 30)
    share = Q(source.randint(2, 8), 10)
    log_sum = sp.log(sp.exp(x) + sp.exp(y))
    divergence = x * sp.log(x / y) + (1 - x) * sp.log((1 - x) / (1 - y))
    entropy = -x * sp.log(x) - (1 - x) * sp.log(1 - x)
    inner = (Q(1, 20), Q(19, 20))
    half = Q(1, 2)
    relation, box, point = source.choice(
        (
            (ge(log_sum, sp.Max(x, y) + sp.log(2)), (-9, 9), (a, a + 1)),
            (le(log_sum, sp.Max(x, y) + sp.log(2) - d), (-9, 9), (a, a)),
            (lt(log_sum, sp.Max(x, y) + sp.log(2)), (-9, 9), (a, a)),
            (le(log_sum, (x + y) / 2 + sp.log(2)), (-9, 9), (a, a + 1)),
            (ge(1 / (1 + sp.exp(y - x)), half), (-9, 9), (a, a + 1)),
            (le(sp.exp(x) / (sp.exp(x) + sp.exp(y)), half), (-9, 9), (a + 1, a)),
            (ge(divergence, (2 + d) * (x - y) ** 2 + d**2 / 100), inner, (share, share)),
            (gt(divergence, 2 * (x - y) ** 2), inner, (share, share)),
            (ge(divergence, d), inner, (share, share)),
            (ge(divergence, 5 * (x - y) ** 2), inner, (half, Q(2, 5))),
            (le(entropy, sp.log(2) - d), inner, (half, half)),
            (lt(entropy, sp.log(2)), inner, (half, half)),
            (le(entropy, 4 * x * (1 - x) * sp.log(2)), inner, (Q(1, 10), half)),
            (le(log_sum, sp.Max(x, y)), (-9, 9), (a, a - 5)),
            (ge(sp.exp(x) / (sp.exp(x) + sp.exp(y)) ** 2 * sp.exp(y), half**2), (-9, 9), (a, a + 1)),
            (ge(sp.log((sp.exp(x) + sp.exp(y)) / 2), (x + y) / 2 + d), (-9, 9), (a, a)),
        )
    )
    return Statement(relation, {x: box, y: box}, witness={x: point[0], y: point[1]})


@fails
def hypothesis_that_does_not_help(source: Draw) -> Statement:
    a, d = source.positive(), source.tiny(3, 25)
    relation, box, given, point = source.choice(
        (
            (le(x * y, Q(1, 4) - d), (0, 1), (le(x + y, 1),), (Q(1, 2), Q(1, 2))),
            (lt(x * y, Q(1, 4)), (0, 1), (le(x + y, 1),), (Q(1, 2), Q(1, 2))),
            (lt(x * y, Q(1, 4)), (0, 1), (ge(1 - x - y, 0),), (Q(1, 2), Q(1, 2))),
            (le(x + y, Q(7, 5)), (-2, 2), (le(x**2 + y**2, 1),), (Q(12, 17), Q(12, 17))),
            (le(3 * x + 4 * y, 5 - d), (-2, 2), (le(x**2 + y**2, 1),), (Q(3, 5), Q(4, 5))),
            (lt(3 * x + 4 * y, 5), (-2, 2), (le(x**2 + y**2, 1),), (Q(3, 5), Q(4, 5))),
            (gt(x, a), (0, 20), (ge(x, a), le(x, a), le(y, a)), (a, a)),
            (lt(x, y), (0, 20), (le(x, y),), (a, a)),
            (gt(x, 0), (-1, 1), (le(x**2, 0),), (0, 0)),
            (gt(x**2 + y**2, 0), (-1, 1), (le(x**2 + y**2, d),), (0, 0)),
            (ge(x, y + d), (-9, 9), (ge(sp.exp(x), sp.exp(y)),), (1, 1)),
            (gt(x, y), (0, 9), (ge(sp.sqrt(x), sp.sqrt(y)),), (1, 1)),
            (ge(x, 0), (-9, 9), (ge(x * y, 0),), (-1, -1)),
            (ge(x - y, 0), (-9, 9), (ge(x**2, y**2),), (-2, 1)),
            (ge(x, 1), (-9, 9), (ge(x * (x - 1), 0), ge(y, 0)), (-1, 1)),
            (gt(x * y, 0), (0, 1), (ge(sp.log(x), -5 - y),), (Q(1, 2), 0)),
            (ge(x, y), (-1, 1), (ge(sp.sign(x), sp.sign(y)),), (Q(1, 2), 1)),
            (le(x, 1 - d), (0, 1), (ge(x, 1 - 2 * d),), (1, 0)),
            (ge(1 / x, y), (-2, 2), (ge(y, x),), (-1, 0)),
            (le(x, Q(1, 2)), (0, 1), (sp.true, ge(y, 0)), (1, 0)),
            (ge(x, Q(1, 2)), (0, 1), (gt(p, 0), le(x, p)), (0, 1)),
        )
    )
    boxes = {x: box, y: box} | ({p: (0, 1)} if any(g.has(p) for g in given) else {})
    witness = {x: sp.sympify(point[0]), y: sp.sympify(point[1])} | ({p: sp.S.One} if p in boxes else {})
    return Statement(relation, boxes, given, witness=witness)


@fails
def assumption_that_does_not_help(source: Draw) -> Statement:
    """Positive, negative and nonnegative symbols whose box comes close to, or contains, the excluded end."""
    d = source.tiny()
    s, r = sp.Symbol("s", nonnegative=True), sp.Symbol("r", negative=True)
    relation, box, point = source.choice(
        (
            (ge(p, d), {p: (0, 1)}, {p: d / 2}),
            (gt(p**2, d), {p: (0, oo)}, {p: d}),
            (gt(s, 0), {s: (0, 1)}, {s: 0}),
            (gt(sp.sqrt(s), 0), {s: (0, oo)}, {s: 0}),
            (le(r, -d), {r: (-1, 0)}, {r: -d / 2}),
            (le(1 / p, 1 / d), {p: (0, 1)}, {p: d / 2}),
            (ge(sp.log(p), sp.log(d)), {p: (0, 1)}, {p: d / 2}),
            (ge(p, q), {p: (0, 1), q: (0, 1)}, {p: Q(1, 2), q: 1}),
            (gt(p + q, Q(1, 2)), {p: (0, 1), q: (0, 1)}, {p: Q(1, 9), q: Q(1, 9)}),
            (gt(p * s, 0), {p: (0, 1), s: (0, 1)}, {p: 1, s: 0}),
            (ge(p * r, -d), {p: (0, 1), r: (-1, 0)}, {p: 1, r: -1}),
            (sp.Lt(p, 0), {p: (0, 1)}, {p: Q(1, 2)}),
            (sp.Ge(r, 0), {r: (-1, 0)}, {r: Q(-1, 2)}),
            (sp.Eq(p, -p), {p: (0, 5)}, {p: 1}),
            (sp.Gt(x, x + 1), {x: (-oo, oo)}, {x: 0}),
            (sp.Gt(sp.Integer(2), 3), {}, {}),
            (sp.Lt(sp.exp(x), 0), {x: (-1, 1)}, {x: 0}),
            (eq(total(p, d), p), {p: (0, 1)}, {p: 1}),
        )
    )
    return Statement(relation, box, witness={symbol: sp.sympify(value) for symbol, value in point.items()})


@fails
def slope_that_is_positive_at_integers_alone(source: Draw) -> Statement:
    """A step down between two integers, where a proof from slopes at integers does not look."""
    a, top = source.rational(0, 1, 10**7), source.choice((Q(1, 2), Q(4, 3), Q(3, 2)))
    steep, start = 10 ** source.randint(6, 14), source.randint(-2, 2)
    symbol = source.choice((k, even))
    step = 1 if symbol is k else 2
    down = (symbol - start * step) / 3 - sp.atan(steep * (symbol - start * step - Q(1, 3)))
    hidden = 10 ** source.choice((20, 40, 60)) * (x - a) ** 2
    box = {symbol: (start * step, start * step + step), x: (0, 1)}
    return Statement(ge(down + hidden, top), box, witness={symbol: sp.Integer(start * step + step), x: a})
