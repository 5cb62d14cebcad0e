"""Families for floors, remainders, signs and cases: true up to a jump, false beside it, or without a value there."""

from __future__ import annotations

import sympy as sp

from tests.theory.soundness.statements import (
    Draw,
    Q,
    Statement,
    Truth,
    eq,
    family,
    ge,
    gt,
    k,
    le,
    lt,
    m,
    oo,
    total,
    x,
    y,
)

EVERYWHERE = (-oo, oo)


def _pieces(*cases: tuple) -> sp.Expr:
    return sp.Piecewise(*cases, evaluate=False)


def _affine(draw: Draw) -> tuple[sp.Expr, sp.Rational, sp.Rational]:
    """(c x + d, c, d) with c other than 0."""
    c, d = draw.positive(3, 6) * draw.choice((1, -1)), draw.rational(-2, 2, 6)
    return c * x + d, c, d


def _at(value: sp.Rational, c: sp.Rational, d: sp.Rational) -> sp.Rational:
    """Where c x + d has a value."""
    return (value - d) / c


@family(Truth.HOLDS)
def floor_between(draw: Draw) -> Statement:
    """A floor lies above its argument less 1 and not above it; whole numbers pass through."""
    u, _, _ = _affine(draw)
    w = draw.choice((u, u, x**2, x * y, sp.exp(x), u + y))
    floor, ceiling = sp.floor(w, evaluate=False), sp.ceiling(w, evaluate=False)
    relation = draw.choice((
        le(floor, w), gt(floor, w - 1), ge(ceiling, w), lt(ceiling, w + 1), le(ceiling - floor, 1),
        le(total(floor, sp.floor(-w, evaluate=False)), 0), ge(total(floor, sp.floor(-w, evaluate=False)), -1),
        lt(sp.frac(w, evaluate=False), 1), ge(sp.frac(w, evaluate=False), 0), eq(sp.floor(w + k), total(floor, k)),
        le(sp.floor(floor / 2, evaluate=False), w / 2),
    ))  # fmt: skip
    return _spread(relation, draw)


@family(Truth.HOLDS)
def remainder_between(draw: Draw) -> Statement:
    """A remainder has the sign of the divisor and is less; squares leave few remainders."""
    u, _, _ = _affine(draw)
    c = draw.positive(4)
    relation = draw.choice((
        ge(sp.Mod(u, c, evaluate=False), 0), lt(sp.Mod(u, c, evaluate=False), c),
        le(sp.Mod(u, -c, evaluate=False), 0), gt(sp.Mod(u, -c, evaluate=False), -c),
        le(sp.Mod(k**2, 4, evaluate=False), 1), eq(sp.Mod(k**2 + k, 2, evaluate=False), 0),
        le(sp.Mod(k, 3, evaluate=False), 2), ge(sp.Mod(k, -3, evaluate=False), -2),
        eq(sp.Mod(k**3 - k, 3, evaluate=False), 0), eq(sp.Mod(u + c, c, evaluate=False), sp.Mod(u, c, evaluate=False)),
    ))  # fmt: skip
    return _spread(relation, draw)


@family(Truth.HOLDS)
def pieces_that_meet(draw: Draw) -> Statement:
    """Cases with a bound that each keeps, equal at the boundary or with a piece that has no value beyond it."""
    b = draw.rational(-2, 2, 6)
    relation = draw.choice((
        ge(_pieces((x - b, x > b), (0, True)), 0), lt(_pieces((x, x < b), (b - 1, True)), b),
        eq(_pieces((x - b, x >= b), (b - x, True)), sp.Abs(x - b)),
        le(_pieces((x, x < b), (b, True)), x + sp.Abs(b - x)),
        ge(_pieces((sp.log(x - b) ** 2, x > b), (0, True)), 0), le(_pieces((1 / (x - b), x < b), (-1, True)), 0),
        le(_pieces((sp.sin(x) / x, sp.Ne(x, 0)), (1, True)), 1), eq(_pieces((x, sp.Eq(x, b)), (b, True)), b),
        ge(_pieces((1, (x > b) & (x < b + 1)), (2, (x <= b) | (x > b + 2)), (3, True)), 1),
        le(sp.floor(_pieces((x, x > b), (b, True)), evaluate=False), x + sp.Abs(b - x)),
        ge(_pieces((_pieces((2, y > b), (1, True)), x > b), (3, True)), 1),
    ))  # fmt: skip
    return _spread(relation, draw)


def _spread(relation: sp.Basic, draw: Draw) -> Statement:
    """A statement over a bounded box, or everywhere."""
    ends = draw.choice((EVERYWHERE, draw.around(0, 1), draw.around(-2)))
    return Statement(relation, dict.fromkeys(sorted(relation.free_symbols, key=str), ends))


@family(Truth.FAILS)
def floor_missed(draw: Draw) -> Statement:
    """False at whole numbers alone, or on a strip below them."""
    u, c, d = _affine(draw)
    j, e = sp.Integer(draw.randint(-3, 3)), draw.tiny(2, 11)
    floor = sp.floor(u, evaluate=False)
    relation, value = draw.choice((
        (ge(floor, u - 1 + e), j - e / 2), (lt(floor, u), j), (eq(floor + sp.floor(-u, evaluate=False), -1), j),
        (le(sp.ceiling(u, evaluate=False), u + 1 - e), j + e / 2), (gt(sp.frac(u, evaluate=False), 0), j),
        (eq(sp.ceiling(u, evaluate=False) - floor, 1), j), (le(sp.frac(u, evaluate=False), 1 - e), j - e / 2),
        (eq(sp.sign(u - j) ** 2, 1), j), (le(sp.floor(floor / 2, evaluate=False), u / 2 - e), 2 * j),
        (gt(sp.floor(floor / 2, evaluate=False), floor / 2 - Q(1, 2)), 2 * j + 1),
    ))  # fmt: skip
    at = _at(value, c, d)
    return Statement(relation, {x: draw.around(at)}, witness={x: at})


@family(Truth.FAILS)
def remainder_missed(draw: Draw) -> Statement:
    """The sign of a negative divisor, a bound that is not reached by much, a remainder of one class."""
    c, e = draw.positive(4), draw.tiny(2, 9)
    j = draw.randint(-3, 3)
    relation, point = draw.choice((
        (ge(sp.Mod(x, -c, evaluate=False), -c / 2), {x: c * j + e * c / 2}),
        (le(sp.Mod(x, c, evaluate=False), c - e * c), {x: c * j - e * c / 2}),
        (gt(sp.Mod(x, c, evaluate=False), 0), {x: c * j}),
        (le(sp.Mod(k**2, 8, evaluate=False), 3), {k: sp.Integer(4 * j + 2)}),
        (eq(sp.Mod(k**3 + k, 6, evaluate=False), 0), {k: sp.Integer(6 * j + 1)}),
        (ge(sp.Mod(x, y, evaluate=False), 0), {x: sp.Integer(1), y: -c - 1}),
    ))  # fmt: skip
    return Statement(relation, {s: draw.around(value) for s, value in point.items()}, witness=point)


@family(Truth.FAILS)
def piece_missed(draw: Draw) -> Statement:
    """False at the one point between two cases, or only on one side of it."""
    b, e = draw.rational(-2, 2, 6), draw.tiny(2, 11)
    relation, at = draw.choice((
        (ge(_pieces((1, x < b), (0, x <= b), (1, True)), 1), b), (gt(_pieces((x - b, x > b), (0, True)), 0), b - 1),
        (le(_pieces((x, x < b), (b - 1, True)), b - e), b - e / 2), (lt(_pieces((x, x <= b), (b - 1, True)), b), b),
        (eq(_pieces((1, sp.Ne(x, b)), (2, True)), 1), b), (ge(_pieces((0, sp.Eq(x, b)), (1, True)), 1), b),
        (ge(_pieces((1, (x > b) | (x < b)), (0, True)), 1), b),
        (ge(_pieces((0, (x >= b) & (x <= b)), (1, True)), 1), b),
        (gt(sp.floor(_pieces((x, x > b), (b - 2, True)), evaluate=False), sp.floor(b - 2)), b - Q(1, 2)),
    ))  # fmt: skip
    return Statement(relation, {x: draw.around(at)}, witness={x: at})


@family(Truth.UNDEFINED)
def without_value_at_a_jump(draw: Draw) -> Statement:
    """A divisor or logarithm of a floor, a remainder by 0, a case that nothing covers, a condition without a value."""
    b, c = draw.rational(-2, 2, 6), draw.positive(3)
    u = c * (x - b)
    floor = sp.floor(u, evaluate=False)
    relation, at = draw.choice((
        (ge(1 / floor**2, 0), b), (ge(sp.log(floor) ** 2, 0), b), (ge(sp.sqrt(floor), 0), b - 1 / (2 * c)),
        (le(_pieces((1, x < b), (2, x > b)), 2), b), (ge(_pieces((1, sp.log(x - b) > 0), (1, True)), 1), b - 1),
        (ge(_pieces((1, (x > b) | (1 / (x - b) > 0)), (2, True)), 1), b),
        (ge(_pieces((sp.sqrt(x - b), x > b - 1), (0, True)), 0), b - Q(1, 2)),
        (le(sp.Mod(2, x - b, evaluate=False), 2), b), (ge(_pieces((1 / x, x >= 0), (1, True)), 0), sp.S.Zero),
    ))  # fmt: skip
    return Statement(relation, {x: draw.around(at)}, witness={x: at})


@family(Truth.VACUOUS)
def no_such_floor(draw: Draw) -> Statement:
    """Conditions on floors and cases that contradict each other."""
    u, _, _ = _affine(draw)
    b = draw.rational(-2, 2, 6)
    given = draw.choice((
        (gt(sp.floor(u, evaluate=False), u),), (lt(sp.frac(u, evaluate=False), 0),),
        (ge(sp.Mod(u, 2, evaluate=False), 2),), (gt(_pieces((1, x < b), (2, True)), 3),),
        (ge(_pieces((x, x < b), (b - 1, True)), b),), (gt(_pieces((x, x > b), (0, True)), 0), lt(x, -3)),
    ))  # fmt: skip
    return Statement(ge(x, 100), {x: EVERYWHERE if draw.random() < 0.5 else (-4, 4)}, given=given)


@family(Truth.HOLDS)
def whole_numbers(draw: Draw) -> Statement:
    """What holds because numbers are whole."""
    relation = draw.choice((
        ge(k**2, k), ge(k**2 + m**2, k * m + sp.Abs(k - m) / 2), ge(sp.floor(k / 2, evaluate=False), (k - 1) / 2),
        eq(sp.floor(k / 2, evaluate=False) + sp.floor((k + 1) / 2, evaluate=False), k), ge(k * (k + 1), 0),
        le(sp.floor(k / 3, evaluate=False) * 3, k),
    ))  # fmt: skip
    return _spread(relation, draw)
