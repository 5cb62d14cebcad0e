"""Families for means, finite sums, factorials, roots and points that floats miss: with equality, or just false."""

from __future__ import annotations

import sympy as sp

from tests.theory.soundness.statements import Draw, Statement, Truth, eq, family, ge, gt, le, lt, n, oo, p, q, x, y

j = sp.Symbol("j", integer=True)
_FAR = (1, oo)


def _sum(f: sp.Expr, last: sp.Expr = n) -> sp.Sum:
    return sp.Sum(f, (j, 1, last))


_MEANS = (
    lambda a, b: (a**3 * p**3 + b**3 * q**3 + 1, 3 * a * b * p * q),
    lambda a, b: (a * p / q + b * q / p, 2 * sp.sqrt(a * b)),
    lambda a, b: (p**4 + q**4 + a**4 + b**4, 4 * a * b * p * q),
    lambda a, b: (a**2 * p**4 * q**2 + b**2 * p**2 * q**4 + 1, 3 * (a * b) ** sp.Rational(2, 3) * p**2 * q**2),
    lambda a, b: (sp.exp(a * p) + sp.exp(b * q), 2 * sp.exp((a * p + b * q) / 2)),
)  # fmt: skip
_AT_ONE = (
    (p**3 + q**3 + 1, 3 * p * q), (p**2 / q**2 + q**2, 2 * p), (p**5 + 4 * q**5, 5 * p * q**4),
    (p**2 * q + 1 / (p * q), 2 * sp.sqrt(p)),
)  # fmt: skip
"""Sides that are equal where p = q = 1."""


@family(Truth.HOLDS)
def mean_above(draw: Draw) -> Statement:
    """A sum of positive terms and the multiple of their geometric mean."""
    high, low = draw.choice(_MEANS)(sp.Integer(draw.randint(1, 4)), sp.Integer(draw.randint(1, 4)))
    return Statement(ge(high, low), {p: (0, oo), q: (0, oo)})


@family(Truth.FAILS)
def mean_too_high(draw: Draw) -> Statement:
    """Just above the mean, or strictly above where both are equal."""
    high, low = draw.choice(_AT_ONE)
    relation = draw.choice((gt(high, low), ge(high, low + draw.tiny()), ge(high, low * (1 + draw.tiny()))))
    return Statement(relation, {p: (0, oo), q: (0, oo)}, witness={p: sp.S.One, q: sp.S.One})


@family(Truth.HOLDS)
def finite_sum(draw: Draw) -> Statement:
    """Sums of powers, and bounds by integrals."""
    a = draw.positive()
    relation = draw.choice((
        ge(a * _sum(1 / j), a * sp.log(n + 1)), le(a * _sum(1 / j), a + a * sp.log(n)), le(_sum(1 / j**2), 2 - 1 / n),
        eq(a * _sum(j), a * n * (n + 1) / 2), ge(_sum(j**2), n**3 / 3), ge(_sum(1 / sp.sqrt(j), n + 1), sp.sqrt(n)),
    ))  # fmt: skip
    return Statement(relation, {n: _FAR})


@family(Truth.FAILS)
def finite_sum_missed(draw: Draw) -> Statement:
    """The same, false at one number or from one on."""
    at = sp.Integer(draw.randint(1, 9))
    exact = sp.Add(*[sp.Integer(i) ** 2 for i in range(1, int(at) + 1)])
    relation, where = draw.choice((
        (gt(_sum(j), n * (n + 1) / 2), at), (le(_sum(1 / j), sp.log(n) + 1 - draw.tiny(3, 20)), sp.S.One),
        (gt(_sum(j**2) + (n - at) ** 2, exact), at), (lt(_sum(1 / j**2), 2 - 1 / n), sp.S.One),
        (eq(_sum(j**3), (n * (n + 1) / 2) ** 2 + draw.tiny()), at),
        (ge(_sum(1 / j, n + 1), sp.log(n + 2) + sp.S.Half), sp.S.One),
    ))  # fmt: skip
    return Statement(relation, {n: _FAR}, witness={n: where})


@family(Truth.HOLDS)
def factorial_bound(draw: Draw) -> Statement:
    """Stirling's bounds, weakened or not."""
    a = draw.positive()
    whole = sp.log(sp.factorial(n))
    series = n * sp.log(n) - n + sp.log(2 * sp.pi * n) / 2
    relation = draw.choice((
        gt(whole, series), lt(whole, series + 1 / (12 * n)), ge(a * whole, a * (n * sp.log(n) - n)),
        ge(sp.factorial(n), sp.sqrt(2 * sp.pi * n) * n**n * sp.exp(-n)), ge(sp.binomial(2 * n, n), 4**n / (2 * n + 1)),
    ))  # fmt: skip
    return Statement(relation, {n: _FAR})


@family(Truth.FAILS)
def factorial_bound_missed(draw: Draw) -> Statement:
    """The next term of the series, taken where it is too much: false from a small number on."""
    whole, at = sp.log(sp.factorial(n)), draw.randint(1, 6)
    series = n * sp.log(n) - n + sp.log(2 * sp.pi * n) / 2
    relation = draw.choice((
        gt(whole, series + 1 / (12 * n)), lt(whole, series + 1 / (12 * n) - 1 / (360 * n**3)), lt(whole, series),
        ge(whole, n * sp.log(n) - n + sp.log(8 * n) / 2),
    ))  # fmt: skip
    return Statement(relation, {n: _FAR}, witness={n: sp.Integer(at)})


@family(Truth.HOLDS)
def difference_of_roots(draw: Draw) -> Statement:
    """Roots beside each other, and one root of a product."""
    a = draw.positive()
    relation, box = draw.choice((
        (le(sp.sqrt(p + a) - sp.sqrt(p), a / (2 * sp.sqrt(p))), {p: (0, oo)}),
        (le(sp.sqrt(1 + x) + sp.sqrt(1 - x), 2), {x: (-1, 1)}), (le(sp.sqrt(1 + x) * sp.sqrt(1 - x), 1), {x: (-1, 1)}),
    ))  # fmt: skip
    return Statement(relation, box)


@family(Truth.FAILS)
def difference_of_roots_missed(draw: Draw) -> Statement:
    """Equal at 0, or beyond by a tiny amount there."""
    side = draw.choice((sp.sqrt(1 + x) + sp.sqrt(1 - x), 2 * sp.sqrt(1 + x) * sp.sqrt(1 - x), 2 * sp.sqrt(1 - x**2)))
    relation = draw.choice((lt(side, 2), le(side, 2 - draw.tiny())))
    return Statement(relation, {x: (-1, 1)}, witness={x: sp.S.Zero})


@family(Truth.FAILS)
def misses_on_a_circle(draw: Draw) -> Statement:
    """The least value on a circle, at a rational point of it, is not reached strictly."""
    a, b, c = draw.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (1, 0, 1)))
    relation = draw.choice((gt(a * x + b * y, -c), ge(a * x + b * y, draw.tiny(3, 12) - c)))
    at = {x: -sp.Rational(a, c), y: -sp.Rational(b, c)}
    return Statement(relation, {x: (-oo, oo), y: (-oo, oo)}, (eq(x**2 + y**2, 1),), witness=at)


@family(Truth.FAILS)
def misses_close_to_an_end(draw: Draw) -> Statement:
    """A margin far below what floats see, beside an excluded end."""
    least = draw.tiny(20, 38)
    form = draw.choice((sp.sin(p) - p + p**3 / 6, sp.exp(p) - 1 - p - p**2 / 2, p - sp.atan(p)))
    return Statement(gt(form, least), {p: (0, 1)}, witness={p: sp.Rational(1, 10**14)})


@family(Truth.HOLDS)
def whole_power(draw: Draw) -> Statement:
    """Bernoulli's inequality down to the base 0, with another factor."""
    a = draw.positive()
    return Statement(ge(a * (1 + x) ** n, a + a * n * x), {x: (-1, oo), n: _FAR})


@family(Truth.FAILS)
def whole_power_missed(draw: Draw) -> Statement:
    """The same below the range in which it holds, or strictly."""
    relation, box, at = draw.choice((
        (gt((1 + x) ** n, 1 + n * x), {x: (-1, oo), n: _FAR}, {x: sp.S.Zero, n: sp.Integer(draw.randint(1, 9))}),
        (ge((1 + x) ** n, 1 + n * x), {x: (-9, oo), n: _FAR}, {x: sp.Integer(-6), n: sp.Integer(3)}),
        (gt(x ** (n - 1), 0), {x: (0, 1), n: _FAR}, {x: sp.S.Zero, n: sp.Integer(2)}),
    ))  # fmt: skip
    return Statement(relation, box, witness=at)
