"""Families of falsehoods that look like identities: constants near zero, few integers, half lines, jumps."""

from __future__ import annotations

import sympy as sp
from flint import arb, ctx

from tests.theory.soundness.oracle import walk
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
    m,
    oo,
    prime,
    product,
    total,
    x,
    y,
)

fails = family(Truth.FAILS)


def small_constant(source: Draw) -> sp.Expr:
    """A positive number of 1e-6 to 1e-60 that no normal form shows to differ from zero."""
    big, j = source.randint(10**4, 10**12), source.randint(20, 200)
    tiny = Q(1, 10 ** source.randint(8, 60))
    machin = 4 * sp.atan(Q(1, 5)) - sp.atan(Q(1, 239)) - sp.pi / 4
    return source.choice(
        (
            sp.acos(Q(big, big + source.randint(1, 9))),
            sp.asin(Q(1, big)),
            sp.log(1 + Q(source.randint(1, 9), 2**j)),
            sp.exp(Q(1, 2**j)) - 1,
            1 - sp.cos(Q(1, big)),
            1 - sp.tanh(Q(source.randint(20, 60))),
            2 * sp.sqrt(big) - sp.sqrt(big + 1) - sp.sqrt(big - 1),
            sp.sqrt(big**2 + 1) - big,
            sp.sqrt(big**2 + 1) - big - Q(1, 2 * big + 1),
            Q(1, big) - sp.sin(Q(1, big)),
            sp.atan(big + tiny) - sp.atan(big),
            machin + tiny,
            4 * sp.atan(Q(1, 5)) - sp.atan(Q(1, 239) - tiny) - sp.pi / 4,
            640320**3 + 744 - sp.exp(sp.pi * sp.sqrt(163)),
            1 + sp.cos(sp.pi * sp.cos(sp.pi * sp.cos(sp.log(sp.pi + 20)))),
            sp.erfc(source.randint(5, 11)),
            sp.log(big + 1) - sp.log(big),
            sp.sqrt(2 + sp.sqrt(3)) - (sp.sqrt(6) + sp.sqrt(2)) / 2 + tiny,
            sp.GoldenRatio**2 - sp.GoldenRatio - 1 + tiny,
        )
    )


@fails
def constant_called_zero(source: Draw) -> Statement:
    c, a = small_constant(source), source.positive()
    relation, point = source.choice(
        (
            (eq(x * c, 0), a),
            (eq(x + c, x), a),
            (eq((x + c) ** 2, x**2), a),
            (eq(sp.exp(x + c, evaluate=False), sp.exp(x)), 0),
            (eq(c * sp.cos(x), 0), 0),
            (eq(sp.sin(x + c), sp.sin(x)), 0),
            (eq(c, 0), 0),
        )
    )
    return Statement(relation, {x: source.around(0, a)}, witness={x: sp.sympify(point)})


@fails
def constant_called_negative(source: Draw) -> Statement:
    c = small_constant(source)
    relation = source.choice((le(c, 0), lt(x**2 + c, x**2), le((x + 1) * c, 0), ge(-c, x**4), gt(x, x + c)))
    return Statement(relation, {x: source.around(0)}, witness={x: sp.S.Zero})


@fails
def constant_off_in_a_late_digit(source: Draw) -> Statement:
    """A number against its decimals, rounded to the wrong side."""
    a, b = source.positive(9, 40) + 1, source.positive(9, 40)
    c = source.choice(
        (sp.log(a), sp.sqrt(a) + sp.cbrt(b + 1), sp.exp(b / 3), sp.pi * sp.sqrt(b), sp.atan(b), sp.gamma(b))
    )
    c = c + sp.sqrt(2) if c.is_rational else c
    digits = source.randint(12, 70)
    with ctx.workprec(800):
        below = Q(int((arb(walk(c, {})) * arb(10) ** digits).floor().unique_fmpz()), 10**digits)
    relation = source.choice((le(c, below), lt(c, below), ge(below, c), eq(c, below), le(x * c, x * below)))
    return Statement(relation, {x: (0, source.positive())}, witness={x: Q(1, 30)})


@fails
def identity_false_at_few_integers(source: Draw) -> Statement:
    low, high, a = source.randint(1, 4), source.randint(2, 9), source.randint(2, 5)
    first, last = source.randint(-3, 1), source.randint(4, 11)
    zeros = sp.Mul(*[k - j for j in range(first, last)])
    relation, box, point = source.choice(
        (
            (eq(sp.binomial(k, k - 1), k), (-low, high), -1),
            (eq(sp.binomial(k, k), 1), (-low, high), -1),
            (eq(sp.binomial(k + 1, k), k + 1), (-low - 1, high), -2),
            (eq(sp.binomial(k, k - 2), k * (k - 1) / 2), (-low, high), -1),
            (eq(sp.binomial(a, k), sp.binomial(a, k + 1)), (0, a), 0),
            (eq(zeros, 0), (first, last), last),
            (eq(zeros, 0), (first - 1, last - 1), first - 1),
            (eq(sp.factorial(k), k**2 - 3 * k + 4 - sp.Mul(k - 1, k - 2)), (1, high + 3), 4),
            (eq(sp.gamma(k), sp.factorial(k)), (1, high), 2),
            (eq(sp.gamma(k + 1), k * sp.factorial(k)), (1, high), 2),
            (eq(sp.Mod(k**2 + k + 41, 41), 0), (40, 42), 42),
            (eq(sp.Mod(2 ** (k - 1), k), 1), (3, 3 + low), 4),
            (eq(sp.Mod(k ** (2 * a), 2 * a + 1), 1), (1, 2 * a + 1), 2 * a + 1),
            (eq(sp.floor(k / 2) * 2, k), (-high, high), 1),
            (eq(sp.floor(sp.sqrt(k)) ** 2, k), (0, high), 2),
            (eq((-1) ** k, 1), (-2, high), 1),
            (eq(sp.cos(sp.pi * k), 1), (0, high), 1),
            (eq(sp.sin(sp.pi * k / 2), 0), (0, high), 1),
            (eq(sp.cos(2 * sp.pi * k / a), 1), (0, a), 1),
        )
    )
    return Statement(relation, {k: box}, witness={k: sp.Integer(point)})


@fails
def inequality_false_at_few_integers(source: Draw) -> Statement:
    a, far = source.randint(-9, 9), source.randint(10, 60)
    relation, box, point = source.choice(
        (
            (ge(2**k, k**2), (0, far), 3),
            (gt(2**k, k**3), (1, far), 5),
            (ge(sp.factorial(k), 3**k), (0, far), 4),
            (ge(sp.factorial(k), 2**k), (0, far), 2),
            (gt((k - a) * (k - a - 1), 0), (a - far, a + far), a + 1),
            (ge((k - a) ** 2, 1), (a - far, a + far), a),
            (ge((2 * k - 2 * a - 1) ** 2, 2), (a - far, oo), a),
            (gt((k - a) ** 2 * (k - a - 7) ** 2, 0), (-oo, oo), a + 7),
            (ge(sp.Mod(k, 7), 1), (1, 8), 7),
            (le(sp.Mod(k, 5), 3), (a, a + 9), a + (4 - a) % 5),
            (ge(sp.binomial(k, 2), k), (0, far), 1),
            (le(sp.Abs(k), k**2 - 1), (-far, far), 1),
            (ge(k**2 + m**2, 1), (-3, 3), 0),
            (lt(sp.floor(k / 3), k / 3), (-far, far), 3),
        )
    )
    second = {m: (-2, 2)} if m in relation.free_symbols else {}
    return Statement(relation, {k: box} | second, witness={k: sp.Integer(point)} | dict.fromkeys(second, sp.S.Zero))


@fails
def true_of_integers_alone(source: Draw) -> Statement:
    """What holds at all integers, or even, odd or prime ones, said of more."""
    a = source.randint(-5, 5)
    relation, box, point = source.choice(
        (
            (ge((x - a) * (x - a - 1), 0), {x: (a - 3, a + 4)}, {x: Q(1, 2) + a}),
            (eq(sp.sin(sp.pi * x), 0), {x: (0, 5)}, {x: Q(1, 2)}),
            (eq(sp.floor(x) + sp.floor(-x), 0), {x: (a, a + 2)}, {x: Q(1, 3) + a}),
            (eq(sp.floor(x), x), {x: (a, a + 2)}, {x: Q(1, 3) + a}),
            (eq(sp.ceiling(x) - sp.floor(x), 1), {x: (a, a + 2)}, {x: sp.Integer(a)}),
            (ge(sp.Mod(k, 2), 1), {k: (a, a + 3)}, {k: sp.Integer(a + a % 2)}),
            (eq((even - 2) * (even + 2) * even, 0), {even: (-3, 5)}, {even: sp.Integer(4)}),
            (ge(even**2, 4), {even: (-4, 4)}, {even: sp.S.Zero}),
            (eq((prime - 2) * (prime - 3) * (prime - 5) * (prime - 7), 0), {prime: (0, 11)}, {prime: sp.Integer(11)}),
            (eq(sp.Mod(prime, 2), 1), {prime: (2, 50)}, {prime: sp.Integer(2)}),
            (ge(prime, 3), {prime: (0, 50)}, {prime: sp.Integer(2)}),
            (ge(prime**2 - 8 * prime, -14), {prime: (0, 50)}, {prime: sp.Integer(5)}),
        )
    )
    return Statement(relation, box, witness=point)


@fails
def identity_on_a_half_line(source: Draw) -> Statement:
    a, s = source.rational(-3, 3, 9), source.positive(3, 9)
    u = s * (x - a)  # the identity is about u; the box holds u from -2 to 2 and more

    def at(value: sp.Rational) -> dict:
        return {x: a + value / s}

    relation, low, high, point = source.choice(
        (
            (eq(sp.sqrt(u**2), u), -2, 2, -1),
            (eq(sp.Abs(u), u), -2, 2, -1),
            (eq(sp.sqrt(u**4 + 2 * u**2 + 1) * u, (u**2 + 1) * sp.Abs(u)), -2, 2, -1),
            (eq(sp.atan(u) + sp.atan(1 / u), sp.pi / 2), -3, -1, -2),
            (eq(sp.atan(u) + sp.atan(1 / u), sp.pi / 2), -3, 2, -2),
            (eq(sp.acos(sp.cos(u)), u), -1, 2, -1),
            (eq(sp.acos(sp.cos(u)), u), 0, 4, 4),
            (eq(sp.asin(sp.sin(u)), u), -1, 2, 2),
            (eq(sp.atan(sp.tan(u)), u), 0, 2, 2),
            (eq(2 * sp.atan(u), sp.atan(2 * u / (1 - u**2))), Q(1, 2), 3, 2),
            (eq(2 * sp.asin(u), sp.asin(2 * u * sp.sqrt(1 - u**2))), 0, 1, Q(9, 10)),
            (eq(sp.acosh(sp.cosh(u)), u), -2, 2, -1),
            (eq(sp.sqrt(1 - sp.sin(u) ** 2), sp.cos(u)), 0, 2, 2),
            (eq(sp.sqrt(sp.cosh(u) ** 2 - 1), sp.sinh(u)), -2, 2, -1),
            (eq(sp.log(sp.exp(2 * u) - 2 * sp.exp(u) + 1), 2 * sp.log(sp.exp(u) - 1)), 1, 2, None),
            (eq(sp.cbrt(sp.Abs(u) ** 3), u), -2, 2, -1),
            (eq(sp.log(u**2), 2 * sp.log(sp.Abs(u)) + sp.Heaviside(-u)), -2, 2, -1),
            (eq(sp.sign(u) ** 2, 1), -2, 2, 0),
            (eq(sp.atan(u) + sp.atan(2), sp.atan((u + 2) / (1 - 2 * u))), Q(3, 4), 4, 2),
        )
    )
    if point is None:
        relation, point = eq(relation.lhs, relation.rhs + Q(1, 10**9)), 1
    ends = (a + sp.sympify(low) / s, a + sp.sympify(high) / s)
    return Statement(relation, {x: ends}, witness=at(sp.sympify(point)))


@fails
def jump_missed(source: Draw) -> Statement:
    """Max, Min, |.|, sign, Heaviside and floor, wrong at their corner or jump, or on a thin strip beside it."""
    a, d = source.rational(-3, 3, 17), source.tiny()
    relation, point = source.choice(
        (
            (eq(sp.sign(x - a) ** 2, 1), a),
            (gt(sp.Abs(x - a), 0), a),
            (eq(sp.Heaviside(x - a) ** 2, sp.Heaviside(x - a)), a),
            (eq(sp.sign(x - a), 2 * sp.Heaviside(x - a + d) - 1), a - d / 2),
            (eq(sp.Max(x, a), sp.Max(x, a + d)), a),
            (le(sp.Max(x - a, 0) + sp.Max(a - x, 0), sp.Abs(x - a) - d), a),
            (gt(sp.Max(x - a, a - x), 0), a),
            (ge(sp.Max(x - a, a + d - x), d), a + d / 2),
            (lt(sp.Min(x - a, a - x), 0), a),
            (ge(sp.floor(x), x - Q(1, 2)), sp.floor(a) + Q(9, 10)),
            (le(sp.floor(x), sp.floor(x - d)), sp.floor(a)),
            (le(sp.ceiling(x), x + 1 - d), sp.floor(a) + d / 3),
            (eq(sp.Abs(x - a) + sp.Abs(x - a - d), sp.Abs(2 * x - 2 * a - d)), a + d / 3),
            (ge(sp.sign(x - a), sp.sign(x - a + d)), a - d / 2),
            (le(sp.Abs(x) * x, x**2 - d), 0),
        )
    )
    point = sp.sympify(point)
    return Statement(relation, {x: source.around(point, a)}, witness={x: point})


@fails
def jump_missed_in_two_symbols(source: Draw) -> Statement:
    a, b, d = source.positive(), source.positive(), source.tiny(3, 12)
    relation, point = source.choice(
        (
            (eq(sp.Abs(x + y), sp.Abs(x) + sp.Abs(y)), (a, -b)),
            (le(sp.Max(x, y), (x + y) / 2 + sp.Abs(x - y) / 2 - d), (a, b)),
            (eq(sp.Max(x, y) + sp.Max(-x, -y), 0), (a, -b)),
            (gt(sp.Max(x, y), sp.Min(x, y)), (a, a)),
            (eq(sp.Max(x, y), x), (-a, b)),
            (eq(sp.sign(x + y), sp.sign(sp.sign(x) + sp.sign(y))), (a, -a / 2)),
            (ge(sp.Max(x, 0) * sp.Max(y, 0), x * y), (-a, -b)),
            (eq(sp.Max(x, y, 0), sp.Max(x, 0) + sp.Max(y, 0)), (a, b)),
            (eq(sp.floor(x + y), sp.floor(x) + sp.floor(y)), (Q(1, 2), Q(2, 3))),
            (eq(sp.Heaviside(x - y) + sp.Heaviside(y - x), sp.sign(x - y) ** 2), (a, a)),
            (lt(sp.Abs(sp.Abs(x) - sp.Abs(y)), sp.Abs(x - y)), (a, b)),
        )
    )
    box = {s: source.around(value, 0) for s, value in zip((x, y), point, strict=True)}
    return Statement(relation, box, witness=dict(zip((x, y), point, strict=True)))


@fails
def equality_with_rare_exceptions(source: Draw) -> Statement:
    a, d = source.rational(), source.tiny()
    far = 10 ** source.randint(3, 30)
    relation, box, point = source.choice(
        (
            (eq(sp.Max(x - far, 0), 0), (0, oo), 2 * far),
            (eq(sp.Abs(x - a), x - a), (a - d, a + 5), a - d / 2),
            (eq(sp.sign(x - a), 1), (a, a + 4), a),
            (eq(sp.Max(d - x, 0) * sp.exp(x), 0), (0, 3), d / 2),
            (eq(sp.floor(x), 0), (0, 1), 1),
            (eq((x - a) ** 2, 0), (a - d, a + d), a + d / 2),
            (eq(x**2, 2), (1, 2), 1),
            (eq(x**2 - x, 0), (0, 1), Q(1, 2)),
            (eq(x, a), (a - 1, a + 1), a + 1),
            (eq(x * (x**2 - 2), 0), (0, 2), 1),
            (eq(sp.Min(x, far), x), (0, 10 * far), far + 1),
            (eq(product(x, total(1, d)), x), (0, 1), 1),
            (eq(sp.tanh(x), 1), (30, 60), 30),
            (eq(sp.erf(x), 1), (7, 20), 7),
            (eq(x + sp.exp(-x), x), (100, 200), 100),
        )
    )
    return Statement(relation, {x: box}, witness={x: sp.sympify(point)})
