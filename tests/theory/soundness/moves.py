"""Families for the rungs that move, expand and use equations: sides that touch at an end or in a valley, or miss."""

from __future__ import annotations

import sympy as sp

from tests.theory.soundness.statements import Draw, Statement, Truth, eq, family, ge, gt, le, lt, oo, p, q, x, y

_TOUCHING = (
    (lambda a: sp.exp(a * p) - 1 - a * p, 2), (lambda a: a * p - sp.log(1 + a * p), 2),
    (lambda a: sp.exp(a * p) - 1, 1), (lambda a: a * p - sp.sin(a * p), 3), (lambda a: sp.cosh(a * p) - 1, 2),
    (lambda a: sp.tan(sp.atan(a * p)) - sp.tanh(a * p), 3),
)  # fmt: skip
"""Expressions in p > 0 that vanish at 0 with some slopes, and are positive beside it."""


@family(Truth.HOLDS)
def touches_at_an_excluded_end(draw: Draw) -> Statement:
    """Strict beside 0, where both sides are equal."""
    form, _ = draw.choice(_TOUCHING)
    return Statement(gt(form(draw.positive(3)), 0), {p: (0, draw.positive(3))})


@family(Truth.FAILS)
def misses_at_an_excluded_end(draw: Draw) -> Statement:
    """Less by a tiny amount, so that it fails close to the end."""
    form, _ = draw.choice(_TOUCHING[:3])
    a, least = draw.positive(2), draw.tiny(3, 9)
    at = sp.Rational(1, 10**12)
    return Statement(gt(form(a), least), {p: (0, draw.positive(3))}, witness={p: min(at, least / 100)})


@family(Truth.HOLDS)
def valley(draw: Draw) -> Statement:
    """a p + b/p is least where both terms are equal."""
    a, b = draw.positive() ** 2, draw.positive() ** 2
    return Statement(ge(a * p + b / p, 2 * sp.sqrt(a * b)), {p: (0, oo)})


@family(Truth.FAILS)
def valley_too_high(draw: Draw) -> Statement:
    """The same, and a tiny amount more."""
    a, b = draw.positive() ** 2, draw.positive() ** 2
    return Statement(ge(a * p + b / p, 2 * sp.sqrt(a * b) + draw.tiny(3, 30)), {p: (0, oo)},
                     witness={p: sp.sqrt(b / a)})  # fmt: skip


@family(Truth.HOLDS)
def on_a_line(draw: Draw) -> Statement:
    """The least square on a line."""
    a, b, c = draw.positive(), draw.positive(), draw.rational()
    box = {x: (-oo, oo), y: (-oo, oo)}
    return Statement(ge(x**2 + y**2, c**2 / (a**2 + b**2)), box, (eq(a * x + b * y, c),))


@family(Truth.FAILS)
def on_a_line_too_high(draw: Draw) -> Statement:
    """The same, and a tiny amount more."""
    a, b, c = draw.positive(), draw.positive(), draw.rational()
    box = {x: (-oo, oo), y: (-oo, oo)}
    least = c**2 / (a**2 + b**2)
    return Statement(ge(x**2 + y**2, least + draw.tiny(3, 30)), box, (eq(a * x + b * y, c),),
                     witness={x: a * c / (a**2 + b**2), y: b * c / (a**2 + b**2)})  # fmt: skip


@family(Truth.FAILS)
def falls_below_far_out(draw: Draw) -> Statement:
    """It falls toward a limit that is just below 0."""
    a, least = draw.positive(), draw.tiny(2, 12)
    return Statement(gt(a / p, least), {p: (1, oo)}, witness={p: 2 * a / least + 1})


@family(Truth.HOLDS)
def falls_to_zero(draw: Draw) -> Statement:
    """It falls toward 0 and stays above."""
    a = draw.positive()
    e = draw.choice((sp.exp(-a * p), a / p, sp.erfc(a * p), sp.log(1 + a / p), sp.pi / 2 - sp.atan(a * p)))
    return Statement(gt(e, 0), {p: (1, oo)})


@family(Truth.HOLDS)
def divergence(draw: Draw) -> Statement:
    """p log(p/q) - p + q, up to a factor, with equality where p = q."""
    a = draw.positive()
    return Statement(ge(a * p * sp.log(p / q), a * (p - q)), {p: (0, oo), q: (0, oo)})


@family(Truth.FAILS)
def divergence_turned(draw: Draw) -> Statement:
    """The same with p and q exchanged on one side."""
    a = draw.positive()
    return Statement(le(a * p * sp.log(p / q), a * (p - q)), {p: (0, oo), q: (0, oo)},
                     witness={p: sp.Integer(2), q: sp.Integer(1)})  # fmt: skip


@family(Truth.VACUOUS)
def no_value_in_range(draw: Draw) -> Statement:
    """A given that has no value where the other one holds."""
    a = draw.positive()
    given = draw.choice(
        (
            (ge(sp.log(x - a), -9), le(x, a)),
            (ge(sp.log(x), sp.log(a)), lt(x, 0)),
            (ge(sp.sqrt(x - a), 0), lt(x, a)),
            (ge(1 / sp.sqrt(a - x), 0), ge(x, a)),
            (le(sp.asin(x), 9), gt(x, 1)),
        )
    )
    return Statement(draw.choice((ge(x**2, 0), ge(x, y), gt(x, 100))), {x: (-9, 9), y: (-9, 9)}, given)


@family(Truth.FAILS)
def one_value_in_range(draw: Draw) -> Statement:
    """Givens that have a value at one point alone, at which the statement fails."""
    a = draw.positive()
    given = draw.choice(
        (
            (ge(sp.sqrt(x - a), 0), le(x, a)),
            (ge(sp.sqrt(a - x), 0), ge(x, a)),
            (le(sp.asin(x / a), 9), ge(x, a)),
            (ge(sp.sqrt(sp.sqrt(x - a)), 0), le(x, a)),
        )
    )
    return Statement(draw.choice((gt(x, a), lt(x, a), gt(x**2, a**2))), {x: (-9, 90)}, given, witness={x: a})
