"""Families of statements that some point of their range leaves undefined, that speak of no point, or of no number."""

from __future__ import annotations

import sympy as sp

from tests.theory.soundness.near_identities import small_constant
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
    n,
    odd,
    oo,
    p,
    power,
    prime,
    product,
    total,
    x,
    y,
)

undefined = family(Truth.UNDEFINED)
vacuous = family(Truth.VACUOUS)
refused = family(Truth.REFUSED)


@undefined
def outside_a_domain(source: Draw) -> Statement:
    """Roots, logs and inverse functions of u, which runs from -b over 0 to b."""
    a, b = source.rational(-3, 3, 9), source.positive(4) + 1
    u = x - a
    relation, point = source.choice(
        (
            (le(sp.cos(sp.sqrt(u)), 1), -1),
            (ge(sp.sqrt(u), 0), -1),
            (ge(sp.sqrt(u), -1), Q(-1, 10**9)),
            (le(sp.log(u), u - 1), 0),
            (le(sp.log(u), b), -1),
            (ge(sp.log(u) ** 2, 0), 0),
            (ge(sp.Abs(sp.log(u)), 0), -1),
            (eq(sp.log(u**2), 2 * sp.log(u)), -1),
            (eq(sp.log(u**2), 2 * sp.log(sp.Abs(u))), 0),
            (eq(sp.cbrt(u**3), u), -1),
            (eq(product(sp.sqrt(u), sp.sqrt(u)), u), -1),
            (eq(power(sp.sqrt(u), 2), u), -1),
            (eq(sp.log(u) - sp.log(2 * u), -sp.log(2)), -1),
            (gt(sp.exp(sp.sqrt(u)), 0), -1),
            (ge(sp.exp(sp.sqrt(u)), 1), -1),
            (gt(total(1, product(0, sp.log(u))), 0), 0),
            (ge(sp.Max(sp.log(u), -5), -5), 0),
            (ge(sp.Max(sp.sqrt(u), 0), 0), -1),
            (ge(sp.asin(u) ** 2, 0), b),
            (ge(sp.atanh(u / b) ** 2, 0), b),
            (ge(sp.acosh(u + b - 1), 0), Q(-1, 2) - b + 1 if b > 1 else -b),
            (gt(2 + sp.cos(sp.acos(u + 1)), 0), 1),
            (gt(power(sp.Abs(u), u - 1), 0), 0),
            (ge(power(0, u + b / 2), 0), -b),
            (le(sp.Abs(sp.sqrt(u)), 9), -1),
            (ge(sp.sqrt(u) * sp.sqrt(u + 1), 0), Q(-1, 2)),
            (ge(product(sp.sqrt(u), sp.sqrt(u)), -b), -1),
            (ge(sp.sign(sp.sqrt(u)), 0), -1),
            (le(sp.tanh(sp.log(u)), 1), -1),
        )
    )
    return Statement(relation, {x: (a - b, a + b)}, witness={x: a + point})


@undefined
def division_by_zero(source: Draw) -> Statement:
    a, b = source.rational(-3, 3, 9), source.positive(4) + 1
    u, d = x - a, source.tiny()
    relation, low, point = source.choice(
        (
            (gt(1 / (1 + 1 / u), 0), 0, 0),
            (eq(product(u, 1 / u), 1), -b, 0),
            (gt(product(u, 1 / u), 0), -b, 0),
            (ge(product(u, 1 / u), 0), 0, 0),
            (gt(1 / u**2, 0), -b, 0),
            (gt(1 / u, 0), 0, 0),
            (ge(sp.Abs(1 / u), 0), -b, 0),
            (eq(power(power(u, -1), -1), u), -b, 0),
            (ge(sp.exp(1 / u), 0), -b, 0),
            (le(sp.exp(-1 / u**2), 1), -b, 0),
            (le(sp.exp(-1 / u), 1), 0, 0),
            (ge(sp.cos(1 / u), -1), -b, 0),
            (le(sp.atan(1 / u), 2), -b, 0),
            (le(sp.tanh(1 / u), 1), -b, 0),
            (eq((u**2 - 1) / (u - 1), u + 1), -b, 1),
            (eq(product(u**2 - 1, 1 / (u - 1)), u + 1), -b, 1),
            (ge(product(0, 1 / u), 0), -b, 0),
            (eq(total(1 / u, product(-1, 1 / u)), 0), -b, 0),
            (gt(1 / (u - d) ** 2, 0), -b, d),
            (ge(1 / sp.Abs(u - d), 0), -b, d),
            (ge(sp.Max(1 / u, 0), 0), -b, 0),
            (ge(sp.Min(1 / u, -1) ** 2, 0), -b, 0),
            (ge(sp.sign(1 / u) + 1, 0), -b, 0),
            (ge(sp.Heaviside(1 / u), 0), -b, 0),
            (ge(sp.log(u) * u, -1), 0, 0),
            (ge(1 / sp.log(u) ** 2, 0), 0, 0),
            (ge(u ** (1 / u), 0), 0, 0),
            (ge(sp.gamma(u) ** 2, 0), -b, 0),
            (gt(sp.sin(u) / u + 2, 0), -b, 0),
            (ge(sp.tanh(u) / u, 0), -b, 0),
            (ge(sp.Mod(1, u) + b, 0), 0, 0),
        )
    )
    if point == 1 and b <= 1:
        return division_by_zero(source)
    return Statement(relation, {x: (a + low, a + b)}, witness={x: a + point})


@undefined
def undefined_on_a_tiny_region(source: Draw) -> Statement:
    a, d = source.rational(-2, 2, 30), source.tiny(3, 30)
    u = x - a
    relation, low, point = source.choice(
        (
            (ge(sp.sqrt(u**2 - d), 0), -2, 0),
            (ge(sp.log(u**2 - d) ** 2, 0), -2, 0),
            (le(sp.cos(sp.log(u + d)), 1), -2 * d, -d),
            (ge(sp.sqrt(u), 0), -d, -d / 2),
            (ge(sp.acos(1 - d + u), 0), -1, 2 * d),
            (ge(sp.sqrt(u * (u - d)), 0), -1, d / 3),
            (gt(sp.exp(1 / (u**2 + u * d)), 0), -1, -d),
            (ge(sp.atanh(u + d) ** 2, 0), -1, -1),
            (ge(sp.acosh(1 + u), 0), -d, -d / 2),
        )
    )
    if relation.has(sp.atanh):
        low, point = -1 - d, -1 - d
    return Statement(
        relation, {x: (a + low, a + 2 if not relation.has(sp.acos, sp.atanh) else a + 3 * d)}, witness={x: a + point}
    )


@undefined
def undefined_at_an_irrational(source: Draw) -> Statement:
    c = source.choice([2, 3, 5, 6, 7, 10, 11, 13])
    g = source.choice((x**2 - c, x**3 - c, x**5 - x - c, sp.exp(x) - c, sp.log(1 + x) - Q(c, 9)))
    relation = source.choice(
        (
            gt(1 / g**2, 0),
            ge(sp.Abs(1 / g), 0),
            ge(sp.log(g**2) ** 2, 0),
            eq(product(g, 1 / g), 1),
            le(sp.exp(-1 / g**2), 1),
            le(sp.tanh(1 / g), 1),
            gt(1 + 1 / (1 + 1 / g**2), 0),
        )
    )
    return Statement(relation, {x: (0, source.randint(4, 9))}, root=g)


@undefined
def undefined_constant(source: Draw) -> Statement:
    c = small_constant(source)
    relation = source.choice(
        (
            ge(sp.sqrt(-c), 0),
            ge(sp.sqrt(-c) + x**2, -1),
            eq(x * sp.log(-c), x * sp.log(-c)),
            ge(sp.sqrt(-c - x**2), 0),
            ge(sp.log(-c - x**2) ** 2, 0),
            le(sp.cos(sp.sqrt(-c - x**4)), 9),
            ge(sp.acos(1 + c + x**2), 0),
        )
    )
    return Statement(relation, {x: source.around(0)}, witness={x: sp.S.Zero})


@undefined
def undefined_at_integers(source: Draw) -> Statement:
    a = source.randint(2, 6)
    relation, box, point = source.choice(
        (
            (eq(sp.factorial(k), k * sp.factorial(k - 1)), {k: (0, a)}, {k: 0}),
            (ge(sp.factorial(k), 0), {k: (-1, a)}, {k: -1}),
            (ge(sp.gamma(k) ** 2, 0), {k: (-a, a)}, {k: 0}),
            (eq(sp.gamma(k + 1), k * sp.gamma(k)), {k: (0, a)}, {k: 0}),
            (ge(1 / (k - a) ** 2, 0), {k: (0, 2 * a)}, {k: a}),
            (ge(1 / (2 * k - 1) / (k - a) ** 2 * (2 * k - 1), 0), {k: (0, 2 * a)}, {k: a}),
            (ge(sp.sqrt((k - a) * (k - a - 1) - 1), 0), {k: (a - 3, a + 3)}, {k: a}),
            (ge(sp.log(k * (k - 1)) ** 2, 0), {k: (1, 5)}, {k: 1}),
            (ge(1 / even**2, 0), {even: (-2, a)}, {even: 0}),
            (ge(1 / (odd - 3) ** 2, 0), {odd: (-2, 4)}, {odd: 3}),
            (ge(1 / (prime - 2), 0), {prime: (0, 20)}, {prime: 2}),
            (ge(1 / sp.sin(sp.pi * (n - 1) / a) ** 2, 0), {n: (1, a)}, {n: 1}),
            (ge(sp.sqrt(n - 2) + 1, 0), {n: (1, oo)}, {n: 1}),
        )
    )
    return Statement(relation, box, witness={s: sp.Integer(value) for s, value in point.items()})


@undefined
def undefined_in_two_symbols(source: Draw) -> Statement:
    a = source.positive()
    relation, given, point = source.choice(
        (
            (ge(sp.sqrt(x * y), 0), (), (a, -a)),
            (gt(1 / (x - y) ** 2, 0), (), (a, a)),
            (eq(sp.sqrt(x) * sp.sqrt(y), sp.sqrt(x * y)), (), (-a, -a)),
            (eq(product(x - y, 1 / (x - y)), 1), (), (a, a)),
            (ge(sp.log(x**2 + y**2) ** 2, 0), (), (0, 0)),
            (ge(sp.exp(x * sp.log(y)), 0), (), (a, -a)),
            (ge(sp.Abs(x) ** y, 0), (), (0, -a)),
            (ge(sp.sqrt(x - y), 0), (ge(x, -y),), (a / 2, a)),
            (ge(sp.sqrt(x - y), 0), (ge(x, y - Q(1, 10**6)),), (a, a + Q(1, 10**7))),
            (ge(sp.log(x) ** 2 + y, y), (ge(x, 0),), (0, 0)),
            (gt(1 / (x * y) ** 2, 0), (ge(x + y, 0),), (0, a)),
            (eq((x**2 - y**2) / (x + y), x - y), (), (a, -a)),
            (le(x**2 / (x**2 + y**2), 1), (), (0, 0)),
            (ge((x - y) ** 2 / sp.Abs(x - y), 0), (), (a, a)),
        )
    )
    return Statement(
        relation, {x: (-20, 20), y: (-20, 20)}, given, witness={x: sp.sympify(point[0]), y: sp.sympify(point[1])}
    )


@vacuous
def no_point_in_range(source: Draw) -> Statement:
    a, d = source.rational(), source.tiny(3, 20)
    s = sp.Symbol("s", negative=True)
    real = {x: (-9, 9), y: (-9, 9)}
    relation = source.choice((ge(x, y), gt(x, 100), le(x**2, -1), eq(x, y), ge(x**2, 0)))
    given, box = source.choice(
        (
            ((ge(x, a), le(x, a - d)), real),
            ((gt(x, a), lt(x, a)), real),
            ((gt(x, a), le(x, a)), real),
            ((gt(x, y), gt(y, x)), real),
            ((gt(x, y), le(x, y)), real),
            ((le(x**2 + 1, 0),), real),
            ((lt(x**2, 0),), real),
            ((lt(sp.exp(x), 0),), real),
            ((lt(sp.sqrt(x), 0),), real),
            ((ge(x**2 + y**2, 200),), real),
            ((le(x**2 + y**2, -d),), real),
            ((ge(x, 10),), real),
            ((gt(x, 9),), real),
            ((sp.false,), real),
            ((ge(x, y + d), ge(y, x)), real),
            ((gt(sp.Abs(x), 9),), real),
            ((ge(sp.log(x), 0), le(x, 0)), real),
            ((), real | {p: (0, 0)}),
            ((), real | {s: (0, 0)}),
            ((), real | {k: (Q(1, 3), Q(2, 3))}),
            ((), real | {odd: (0, Q(9, 10))}),
            ((), real | {even: (1, 1)}),
            ((), real | {prime: (8, 10)}),
            ((), real | {prime: (0, 1)}),
        )
    )
    return Statement(relation, box, given)


@refused
def symbol_of_another_kind(source: Draw) -> Statement:
    """No point of a box is imaginary or infinite, so no statement about one can be read."""
    kind = source.choice(
        ({"imaginary": True}, {"infinite": True}, {"extended_real": True, "finite": False}, {"real": False})
    )
    s = sp.Symbol("s", **kind)
    a = source.positive()
    relation = source.choice((ge(s**2, 0), eq(s - s + 1, 1), ge(s * s, -a), eq(s, a), eq(s**2, s), eq(s + a, a)))
    return Statement(relation, {s: (-a, a)})


@family(Truth.FAILS)
def assumption_that_cuts_holes(source: Draw) -> Statement:
    """Nonzero, composite, noninteger: read correctly, or refused."""
    free, composite = sp.Symbol("s", real=True, nonzero=True), sp.Symbol("c", composite=True)
    between = sp.Symbol("f", real=True, integer=False)
    d = source.tiny()
    relation, box, point = source.choice(
        (
            (ge(free, 0), {free: (-1, 1)}, {free: Q(-1, 2)}),
            (ge(free**2, d), {free: (-1, 1)}, {free: d / 2}),
            (eq(free / sp.Abs(free), 1), {free: (-1, 1)}, {free: -1}),
            (ge(composite, 5), {composite: (0, 20)}, {composite: 4}),
            (eq(sp.Mod(composite, 2), 0), {composite: (0, 10)}, {composite: 9}),
            (ge(between, sp.Integer(1)), {between: (0, 5)}, {between: Q(1, 2)}),
            (ge(sp.Abs(between - 1), d), {between: (0, 5)}, {between: 1 + d / 2}),
        )
    )
    return Statement(relation, box, witness={s: sp.sympify(value) for s, value in point.items()})


@family(Truth.HOLDS)
def assumption_that_cuts_the_hole(source: Draw) -> Statement:
    """What is true because of a hole: proved, left open, or its symbol refused."""
    free, composite = sp.Symbol("s", real=True, nonzero=True), sp.Symbol("c", composite=True)
    a = source.positive()
    relation, box = source.choice(
        (
            (gt(free**2, 0), {free: (-a, a)}),
            (gt(1 / free**2, 0), {free: (-a, a)}),
            (ge(composite, 4), {composite: (0, 20)}),
            (gt((composite - 3) ** 2 * (composite - 5) ** 2, 0), {composite: (0, 9)}),
        )
    )
    return Statement(relation, box)
