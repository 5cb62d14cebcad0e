"""Families in two and three symbols whose sides come close along a curve inside, which models must enclose."""

from __future__ import annotations

import sympy as sp

from tests.theory.soundness.statements import Draw, Q, Statement, Truth, family, gt, le, x, y, z

_GAPS = (
    (lambda u: sp.exp(u) - 1 - u, 1), (lambda u: u - sp.log(1 + u), 1), (lambda u: sp.cosh(u) - 1, 1),
    (lambda u: 1 + u / 2 - sp.sqrt(1 + u), 1), (lambda u: sp.cos(u) - 1 + u**2 / 2, 1),
    (lambda u: sp.log(1 + sp.exp(u)) - u / 2 - sp.log(2), 1), (lambda u: u * (u - sp.atan(u)), 1),
    (lambda u: 1 / (1 + u) - 1 + u, 1), (lambda u: sp.erf(u) ** 2 + sp.tanh(u) ** 2, 1),
)  # fmt: skip
"""Functions of u > -1 that are never below 0, and are 0 at 0."""


def _gap(draw: Draw) -> tuple[sp.Expr, dict, dict]:
    """A gap of an argument that vanishes on a curve, its box, and a point of the curve."""
    form, _ = draw.choice(_GAPS)
    a, b = draw.rational(-1, 1, 6), draw.rational(-1, 1, 6)
    argument, point = draw.choice((
        ((x - y) / 3, {x: a / 2, y: a / 2}), (x * y / 3, {x: a, y: sp.S.Zero}),
        ((x + y - a) / 4, {x: a / 2, y: a / 2}), ((x - y**2) / 3, {x: b**2, y: b}),
        ((x - y * z) / 4, {x: a * b, y: a, z: b}), ((sp.exp(x) - sp.exp(y)) / 4, {x: b, y: b}),
    ))  # fmt: skip
    return form(argument), {s: (-1, 2) if s is x and (x - y**2) / 3 == argument else (-1, 1) for s in point}, point


@family(Truth.HOLDS)
def above_a_curve(draw: Draw) -> Statement:
    """A gap and a small number."""
    e, box, _ = _gap(draw)
    return Statement(gt(e, -Q(draw.randint(1, 9), 10 ** draw.randint(2, 4))), box)


@family(Truth.FAILS)
def below_on_a_curve(draw: Draw) -> Statement:
    """A gap less a number, small or tiny: false on a curve and beside it."""
    e, box, point = _gap(draw)
    return Statement(gt(e, draw.tiny(2, 30)), box, witness=point)


@family(Truth.FAILS)
def strict_on_a_curve(draw: Draw) -> Statement:
    """A gap that is 0 on a curve."""
    e, box, point = _gap(draw)
    return Statement(gt(e, 0), box, witness=point)


@family(Truth.FAILS)
def error_just_too_large(draw: Draw) -> Statement:
    """An expansion in x y at the corner where it misses most, and a bound just below that."""
    form, tail = draw.choice((
        (sp.exp, 1 + x * y + (x * y) ** 2 / 2), (sp.sinh, x * y + (x * y) ** 3 / 6), (sp.cosh, 1 + (x * y) ** 2 / 2),
    ))  # fmt: skip
    most = form(sp.S.One) - tail.subs({x: 1, y: 1})
    least = Q(str(sp.N(most, 30))) - draw.tiny(3, 20)
    return Statement(le(form(x * y) - tail, least), {x: (-1, 1), y: (-1, 1)}, witness={x: sp.S.One, y: sp.S.One})


@family(Truth.UNDEFINED)
def no_value_on_a_curve(draw: Draw) -> Statement:
    """True wherever it has a value, which it lacks on a curve."""
    _, box, point = _gap(draw)
    a, b = point[x], point[y]
    curve = x - a + draw.randint(1, 3) * (y - b)
    relation = draw.choice(
        (gt(1 / curve**2, 0), gt(sp.exp(x * y) + sp.log(curve**2), -50 - 1 / curve**2), gt(sp.Abs(1 / curve), -1))
    )
    if len(point) == 3:
        box, point = {x: (-1, 1), y: (-1, 1)}, {x: a, y: b}
    return Statement(relation, box, witness=point)
