"""Families of statements that hold, by a classical inequality, a square, convexity or an identity with its domain."""

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
    prime,
    product,
    q,
    x,
    y,
    z,
)

holds = family(Truth.HOLDS)
LINE = (-oo, oo)


def boxes(source: Draw, *symbols: sp.Symbol) -> dict:
    """A finite or infinite box around zero."""
    return {s: source.choice((LINE, source.around(0), (-9, 9))) for s in symbols}


@holds
def shifted_square(source: Draw) -> Statement:
    a, b, d = source.rational(), source.rational(), source.tiny(2, 20)
    relation = source.choice(
        (
            ge((x - a) ** 2, 0),
            gt((x - a) ** 2 + d, 0),
            gt(sp.expand((x - a) ** 2), -d),
            ge(sp.expand((x - a) ** 4 + (x - b) ** 2), 0),
            ge(sp.expand((x - a) ** 2 * (x**2 + 1)), 0),
            le(2 * a * x, x**2 + a**2),
            gt(x**2 + x + 1, 0),
            ge(x**4 - 2 * x**2 + 1, 0),
            ge((x**2 - 2) ** 2, 0),
            ge(sp.expand((x**2 - 2) ** 2), 0),
        )
    )
    return Statement(relation, boxes(source, x))


@holds
def sum_of_squares(source: Draw) -> Statement:
    a, b = source.positive(), source.rational()
    relation = source.choice(
        (
            ge(x**2 + y**2, 2 * x * y),
            ge(sp.expand((a * x - y) ** 2 + (x - b) ** 2), 0),
            ge(x**2 + y**2 + z**2, x * y + y * z + z * x),
            ge((x**2 + 1) * (y**2 + 1), (x * y + 1) ** 2),
            ge((x**2 + y**2) * (a**2 + b**2), (a * x + b * y) ** 2),
            ge(x**4 * y**2 + x**2 * y**4 + 1, 3 * x**2 * y**2),
            ge(x**2 / 2 + y**2 / 2 + Q(1, 10**9), x * y),
            gt(x**2 + x * y + y**2 + 1, 0),
            ge(sp.expand((x - a * y) ** 2), 0),
        )
    )
    return Statement(relation, boxes(source, *sorted(relation.free_symbols, key=str)))


@holds
def classical(source: Draw) -> Statement:
    a = source.positive(3)
    relation, box = source.choice(
        (
            (ge(sp.exp(x), 1 + x), boxes(source, x)),
            (le(sp.log(x), x - 1), {x: (Q(1, 100), 9)}),
            (le(sp.log(1 + x), x), {x: (0, oo)}),
            (le(sp.sin(x), x), {x: (0, 3)}),
            (le(sp.Abs(sp.sin(x)), 1), boxes(source, x)),
            (ge(sp.cos(x), 1 - x**2 / 2), {x: (-2, 2)}),
            (ge(sp.cosh(x), 1 + x**2 / 2), {x: (-3, 3)}),
            (le(sp.tanh(x), x), {x: (0, oo)}),
            (le(sp.tanh(x), 1), boxes(source, x)),
            (lt(sp.tanh(x), 1), {x: (-9, 9)}),
            (gt(sp.exp(x), 0), boxes(source, x)),
            (ge((1 + x) ** 5, 1 + 5 * x), {x: (-1, oo)}),
            (ge(x + 1 / x, 2), {x: (Q(1, 9), 9)}),
            (gt(x + 1 / x, Q(19, 10)), {x: (Q(1, 9), oo)}),
            (le(x * (1 - x), Q(1, 4)), {x: LINE}),
            (le(x * sp.exp(-x), sp.exp(-1)), {x: (0, 9)}),
            (gt(1 / (1 + sp.exp(-x)), 0), boxes(source, x)),
            (le(sp.exp(x) / (1 + sp.exp(x)) ** 2, Q(1, 4)), {x: (-5, 5)}),
            (ge((x + y) / 2, sp.sqrt(x * y)), {x: (0, 9), y: (0, 9)}),
            (ge((x + y) * (1 / x + 1 / y), 4), {x: (Q(1, 9), 9), y: (Q(1, 9), 9)}),
            (ge((sp.exp(x) + sp.exp(y)) / 2, sp.exp((x + y) / 2)), {x: (-3, 3), y: (-3, 3)}),
            (le(sp.Abs(x + y), sp.Abs(x) + sp.Abs(y)), boxes(source, x, y)),
            (ge(a * sp.exp(x) + sp.exp(-x) / a, 2), {x: (-3, 3)}),
            (le(sp.atan(x), sp.pi / 2), boxes(source, x)),
            (ge(sp.erf(x), 0), {x: (0, oo)}),
            (ge(sp.sqrt(x + a), sp.sqrt(x)), {x: (0, oo)}),
        )
    )
    return Statement(relation, box)


@holds
def identity(source: Draw) -> Statement:
    a, b = source.positive(3), source.positive(3)
    relation, box = source.choice(
        (
            (eq((x + a) ** 3, sp.expand((x + a) ** 3)), boxes(source, x)),
            (eq(sp.sin(x) ** 2 + sp.cos(x) ** 2, 1), boxes(source, x)),
            (eq(sp.cosh(x) ** 2 - sp.sinh(x) ** 2, 1), boxes(source, x)),
            (eq(sp.exp(x + a), sp.exp(a) * sp.exp(x)), boxes(source, x)),
            (eq(sp.log(a * x), sp.log(a) + sp.log(x)), {x: (Q(1, 9), 9)}),
            (eq(sp.log(p * q), sp.log(p) + sp.log(q)), {p: (0, 9), q: (0, 9)}),
            (eq(sp.sqrt(x**2), sp.Abs(x)), boxes(source, x)),
            (eq(sp.Max(x, y) + sp.Min(x, y), x + y), boxes(source, x, y)),
            (eq(sp.Max(x, y), (x + y + sp.Abs(x - y)) / 2), boxes(source, x, y)),
            (eq(sp.tanh(x), (sp.exp(2 * x) - 1) / (sp.exp(2 * x) + 1)), boxes(source, x)),
            (eq(1 / (1 + sp.exp(-x)), sp.exp(x) / (1 + sp.exp(x))), boxes(source, x)),
            (eq(1 / (1 + sp.exp(-x)) + 1 / (1 + sp.exp(x)), 1), boxes(source, x)),
            (eq((x**2 - a**2) / (x + a), x - a), {x: (0, 9)}),
            (eq(product(x, 1 / x), 1), {x: (Q(1, 9), 9)}),
            (eq(product(p, 1 / p), 1), {p: (0, 9)}),
            (eq(x / (1 + x) + 1 / (1 + x), 1), {x: (0, oo)}),
            (eq(sp.log(sp.exp(x) + sp.exp(y)), x + sp.log(1 + sp.exp(y - x))), {x: (-9, 9), y: (-9, 9)}),
            (eq(sp.sqrt(p) * sp.sqrt(q), sp.sqrt(p * q)), {p: (0, 9), q: (0, 9)}),
            (eq(sp.sin(x + y), sp.sin(x) * sp.cos(y) + sp.cos(x) * sp.sin(y)), boxes(source, x, y)),
            (eq((a * x + b) ** 2 - (a * x - b) ** 2, 4 * a * b * x), boxes(source, x)),
        )
    )
    return Statement(relation, box)


@holds
def identity_of_constants(source: Draw) -> Statement:
    """Zero by a classical identity that no sampling could tell from a near one."""
    c = source.choice(
        (
            4 * sp.atan(Q(1, 5)) - sp.atan(Q(1, 239)) - sp.pi / 4,
            sp.atan(Q(1, 2)) + sp.atan(Q(1, 3)) - sp.pi / 4,
            sp.sqrt(2 + sp.sqrt(3)) - (sp.sqrt(6) + sp.sqrt(2)) / 2,
            sp.log(6) - sp.log(2) - sp.log(3),
            sp.GoldenRatio**2 - sp.GoldenRatio - 1,
            sp.sqrt(5 + 2 * sp.sqrt(6)) - sp.sqrt(2) - sp.sqrt(3),
            sp.atan(1) + sp.atan(2) + sp.atan(3) - sp.pi,
        )
    )
    return Statement(source.choice((eq(c, 0), eq(x * c, 0), ge(c, 0), le(c, 0))), {x: source.around(0)})


@holds
def small_constant_by_its_sign(source: Draw) -> Statement:
    c = small_constant(source)
    relation = source.choice((gt(c, 0), ge(x**2 + c, x**2), gt(x + c, x), lt(-c, 0), ge((1 + x**2) * c, 0)))
    return Statement(relation, {x: source.around(0)})


@holds
def identity_of_integers(source: Draw) -> Statement:
    a, high = source.randint(-5, 5), source.randint(3, 9)
    relation, box = source.choice(
        (
            (eq(sp.binomial(k, k - 1), k), {k: (0, high)}),
            (eq(sp.binomial(k, 2), k * (k - 1) / 2), {k: (-high, high)}),
            (eq(sp.binomial(n, n - 1), n), {n: (1, high)}),
            (eq(sp.factorial(k), k * sp.factorial(k - 1)), {k: (1, high)}),
            (eq(sp.gamma(n + 1), sp.factorial(n)), {n: (1, high)}),
            (eq(sp.floor(k / 2) + sp.floor((k + 1) / 2), k), {k: (-high, high)}),
            (eq(sp.sin(sp.pi * k), 0), {k: (-high, high)}),
            (eq(sp.cos(2 * sp.pi * k), 1), {k: (-high, oo)}),
            (eq((-1) ** (2 * k), 1), {k: (-oo, oo)}),
            (eq((-1) ** even, 1), {even: (0, high)}),
            (eq((-1) ** odd, -1), {odd: (0, high)}),
            (eq(sp.Mod(k**3 - k, 3), 0), {k: (-high, high)}),
            (eq(sp.Mod(k * (k + 1), 2), 0), {k: (-high, high)}),
            (eq(sp.Mod(odd**2, 8), 1), {odd: (-high, high)}),
            (eq((prime - 2) * (prime - 3) * (prime - 5) * (prime - 7), 0), {prime: (0, 10)}),
            (eq((k - a) * (k - a - 1), 0), {k: (a, a + 1)}),
            (eq(even, 0), {even: (-1, 1)}),
        )
    )
    return Statement(relation, box)


@holds
def inequality_of_integers(source: Draw) -> Statement:
    a, far = source.randint(-9, 9), source.randint(10, 60)
    relation, box = source.choice(
        (
            (ge((k - a) * (k - a - 1), 0), {k: (a - far, a + far)}),
            (ge((k - a) * (k - a - 1), 0), {k: (-oo, oo)}),
            (ge((2 * k - 2 * a - 1) ** 2, 1), {k: (a - far, a + far)}),
            (ge(2**k, k**2), {k: (4, far)}),
            (ge(2**k, k + 1), {k: (0, far)}),
            (ge(sp.factorial(k), 2**k), {k: (4, 12)}),
            (ge(odd**2, 1), {odd: (-far, far)}),
            (ge(prime, 2), {prime: (0, far)}),
            (gt((prime - 4) ** 2 * (prime - 6) ** 2, 0), {prime: (0, 9)}),
            (ge(n, 1), {n: (0, oo)}),
            (gt(n * (n + 1), 1), {n: (0, oo)}),
            (gt(sp.Abs(2 * k - 1), 0), {k: (-far, far)}),
            (le(sp.Mod(k, 5), 4), {k: (-far, far)}),
            (gt(k**2, 2 * (k - 1)), {k: (-oo, oo)}),
            (gt(sp.Abs(k**2 - 2), 0), {k: (-far, far)}),
        )
    )
    return Statement(relation, box)


@holds
def jump(source: Draw) -> Statement:
    a, b = source.rational(-3, 3, 17), source.positive()
    box = source.choice((source.around(a), LINE))
    relation, symbols = source.choice(
        (
            (eq(sp.sign(x - a) * sp.Abs(x - a), x - a), (x,)),
            (le(sp.sign(x - a) ** 2, 1), (x,)),
            (eq(sp.Heaviside(x - a), (1 + sp.sign(x - a)) / 2), (x,)),
            (eq(sp.Heaviside(x - a) + sp.Heaviside(a - x), 1), (x,)),
            (ge(sp.Max(x, a), a), (x,)),
            (ge(sp.Max(x, a), x), (x,)),
            (ge(sp.Abs(x - a) + sp.Abs(x + b), sp.Abs(a + b)), (x,)),
            (gt(sp.floor(x), x - 1), (x,)),
            (le(sp.floor(x), x), (x,)),
            (lt(sp.ceiling(x), x + 1), (x,)),
            (eq(sp.Max(x - a, 0) - sp.Max(a - x, 0), x - a), (x,)),
            (eq(sp.Max(x, y) * sp.Min(x, y), x * y), (x, y)),
            (eq(sp.sign(x * y), sp.sign(x) * sp.sign(y)), (x, y)),
            (le(sp.Abs(sp.Abs(x) - sp.Abs(y)), sp.Abs(x - y)), (x, y)),
            (ge(sp.Max(x, y), sp.Min(x, y)), (x, y)),
            (ge(sp.Max(x, y, 0), 0), (x, y)),
            (le(sp.Max(x + y, 0), sp.Max(x, 0) + sp.Max(y, 0)), (x, y)),
            (le(sp.Abs(sp.Max(x, a) - sp.Max(y, a)), sp.Abs(x - y)), (x, y)),
        )
    )
    return Statement(relation, dict.fromkeys(symbols, box))


@holds
def assumption_that_helps(source: Draw) -> Statement:
    """True because a box's end, or all of its inside, is no value of the symbol."""
    s, r, a = sp.Symbol("s", nonnegative=True), sp.Symbol("r", negative=True), source.positive()
    relation, box = source.choice(
        (
            (gt(p, 0), {p: (0, a)}),
            (gt(p**2, 0), {p: (0, oo)}),
            (gt(1 / p, 0), {p: (0, a)}),
            (gt(1 / (1 + 1 / p), 0), {p: (0, a)}),
            (le(sp.log(p), p - 1), {p: (0, a)}),
            (gt(p + q, 0), {p: (0, a), q: (0, oo)}),
            (gt(p * q, 0), {p: (0, a), q: (0, oo)}),
            (gt(p + s, 0), {p: (0, a), s: (0, 1)}),
            (ge(s, 0), {s: (0, a)}),
            (lt(r, 0), {r: (-a, 0)}),
            (lt(p * r, 0), {r: (-a, 0), p: (0, a)}),
            (sp.Gt(p, 0), {p: (0, a)}),
            (sp.Gt(p / (p + 1), 0), {p: (0, oo)}),
            (sp.Ge(x**2, 0), {x: (-a, a)}),
            (gt(sp.sqrt(p), 0), {p: (0, oo)}),
            (ge(sp.sqrt(s) ** 4 + 1, 1), {s: (0, a)}),
            (gt(sp.exp(-1 / p) + p, 0), {p: (0, a)}),
            (le(p / (p + q), 1), {p: (0, a), q: (0, a)}),
            (gt(sp.log(1 + p), 0), {p: (0, oo)}),
            (lt(sp.tanh(-p), 0), {p: (0, oo)}),
        )
    )
    return Statement(relation, box)


@holds
def domain_kept_by_a_hypothesis(source: Draw) -> Statement:
    """Points at which a hypothesis is undefined are not in range."""
    relation, given = source.choice(
        (
            (ge(sp.sqrt(x), 0), (ge(x, 0),)),
            (ge(sp.sqrt(x), 0), (ge(sp.log(x), -5),)),
            (gt(x, 0), (ge(sp.log(x), -50),)),
            (gt(1 / x, 0), (gt(x, 0),)),
            (gt(1 / x**2, 0), (ge(x, Q(1, 2)),)),
            (gt(1 / x**2, 0), (gt(x**2, 0),)),
            (le(sp.log(x), x - 1), (gt(x, 0),)),
            (ge(x, 0), (ge(sp.sqrt(x), 0),)),
            (ge(sp.sqrt(x - y), 0), (ge(x, y),)),
            (ge(sp.log(1 + x - y), 0), (ge(x, y),)),
            (gt(1 / (x - y), 0), (gt(x, y),)),
            (ge(x**2, 0), (gt(1 / x, -100),)),
        )
    )
    return Statement(relation, {x: (-4, source.positive() + 1), y: (-2, 2)}, given)


@holds
def hypothesis_that_helps(source: Draw) -> Statement:
    a = source.positive()
    relation, box, given = source.choice(
        (
            (le(x * y, Q(1, 4)), (0, 1), (le(x + y, 1),)),
            (le(x + y, Q(3, 2)), (-2, 2), (le(x**2 + y**2, 1),)),
            (le(3 * x + 4 * y, 5), (-2, 2), (le(x**2 + y**2, 1),)),
            (ge(x, y), (-9, 9), (ge(sp.exp(x), sp.exp(y)),)),
            (ge(sp.exp(x), sp.exp(y)), (-9, 9), (ge(x, y),)),
            (gt(1 / (1 + sp.exp(x)), 1 / (1 + sp.exp(y))), LINE, (lt(x, y),)),
            (ge(x**2, y**2), (0, 9), (ge(x, y),)),
            (ge(x**3, y**3), (-9, 9), (ge(x, y),)),
            (gt(x, a / 2), (-9, 20), (ge(x, a), le(y, 3))),
            (ge(x - y, 0), (-9, 9), (ge(x, 0), le(y, 0))),
            (le(x, a), (0, 20), (le(x, a), ge(x, a), le(y, 1))),
            (gt(x + y, 0), (-9, 9), (gt(x, -y),)),
            (ge(x, 0), (-1, 1), (ge(x * 3, y), ge(y, 0))),
            (ge(2 * x + y, 2), (-9, 9), (ge(x, 1), ge(y, 0))),
            (ge(x**2, 0), (-1, 1), (sp.true, ge(y, 0))),
            (le(sp.tanh(x), sp.tanh(y)), LINE, (le(x, y),)),
        )
    )
    return Statement(relation, {x: box, y: box}, given)


@holds
def softmax_and_divergence(source: Draw) -> Statement:
    a = source.positive(4)
    log_sum = sp.log(sp.exp(x) + sp.exp(y))
    divergence = x * sp.log(x / y) + (1 - x) * sp.log((1 - x) / (1 - y))
    entropy = -x * sp.log(x) - (1 - x) * sp.log(1 - x)
    relation, box = source.choice(
        (
            (gt(log_sum, sp.Max(x, y)), (-a, a)),
            (le(log_sum, sp.Max(x, y) + sp.log(2)), (-a, a)),
            (ge(log_sum, (x + y) / 2 + sp.log(2)), (-a, a)),
            (lt(sp.exp(x) / (sp.exp(x) + sp.exp(y)), 1), (-a, a)),
            (gt(sp.exp(x) / (sp.exp(x) + sp.exp(y)), 0), LINE),
            (ge(divergence, 2 * (x - y) ** 2), (Q(1, 10), Q(9, 10))),
            (ge(divergence, 0), (Q(1, 10), Q(9, 10))),
            (le(entropy, sp.log(2)), (Q(1, 20), Q(19, 20))),
            (ge(entropy, 4 * x * (1 - x) * sp.log(2)), (Q(1, 10), Q(2, 5))),
            (gt(sp.log(1 + sp.exp(x)), x), LINE),
            (le(sp.Abs(sp.tanh(x) - sp.tanh(y)), sp.Abs(x - y)), (-2, 2)),
            (le(1 / (1 + sp.exp(x)), sp.exp(-x)), (-a, a)),
        )
    )
    return Statement(relation, {x: box, y: box})


@holds
def true_far_out(source: Draw) -> Statement:
    far = sp.Integer(10) ** source.randint(2, 30)
    d = 1 / far
    relation, box = source.choice(
        (
            (le(x, far), (0, far)),
            (ge(x**2 + far**2, 2 * far * x), (0, oo)),
            (gt(x + d, 0), (0, oo)),
            (gt(1 / (far + x), 0), (0, oo)),
            (lt(x / (far + x), 1), (0, oo)),
            (le(1 / x, d), (far, oo)),
            (ge(x**2, far * x), (far, oo)),
            (gt(sp.exp(x) + d, 0), (-oo, oo)),
            (ge(sp.exp(x), 1 + x - d), (-2, 2)),
            (ge(sp.log(far + x), 0), (0, oo)),
            (gt(x**2 - x + 1, d), (-oo, oo)),
            (ge(sp.sqrt(x + d), d), (0, oo)),
            (lt(sp.tanh(x), 1 + d), (-oo, oo)),
            (gt(sp.pi / 2 + d, sp.atan(x)), (-oo, oo)),
            (ge(sp.Max(x, far), far), (-oo, oo)),
        )
    )
    return Statement(relation, {x: box})


@holds
def monotone_composition(source: Draw) -> Statement:
    """An increasing function of the two sides of something true."""
    a = source.positive(3)
    base, box = source.choice(
        (
            ((x**2, 2 * a * x - a**2), {x: (-3, 3)}),
            ((x**2 + y**2, 2 * x * y), {x: (-2, 2), y: (-2, 2)}),
            ((sp.exp(x), 1 + x), {x: (-2, 2)}),
            ((x + a, x), {x: (-4, 4)}),
            ((sp.Abs(x), x), {x: (-4, 4)}),
            ((x, sp.tanh(x)), {x: (0, 4)}),
            ((x + 1, sp.log(1 + x)), {x: (0, 9)}),
        )
    )
    f = source.choice((sp.exp, sp.atan, sp.tanh, lambda e: e**3, lambda e: 2 * e + 1, lambda e: e + sp.exp(e), sp.erf))
    return Statement(ge(f(base[0]), f(base[1])), box)
