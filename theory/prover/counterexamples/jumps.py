"""Points at a jump and close to it on both sides: where a floor, a remainder, a sign or a case changes its value.

A statement such as floor(x) >= x - 1 + 1e-12 fails only just below whole numbers, where random points do not fall.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, exact
from theory.ordering import in_order
from theory.prover.expressions.sampling import value

_STEPS = (*range(2, 12, 3), *range(12, 60, 8), 60, 80, 100, 128)
"""Exponents of two: how near to a jump points are proposed."""
_ITERATIONS, _MAX_LEVELS = 12, 12

Point = dict[sp.Symbol, Fraction]


def near_jumps(parts: Iterable[sp.Basic], box: Box, bases: Sequence[Point]) -> Iterator[Point]:
    """Points that differ from a base in one symbol and lie at a jump of some part, or close to one."""
    levels = list(itertools.islice(dict.fromkeys(row for part in parts for row in _levels(part)), _MAX_LEVELS))
    for base, (u, is_whole) in itertools.product(bases, levels):
        for s in in_order(u.free_symbols & set(box)):
            if s.is_integer or box[s].is_point:
                continue
            for at in _places(u, s, base, box, is_whole=is_whole):
                moves = [Fraction(0), *(side * Fraction(1, 2**k) for k in _STEPS for side in (-1, 1))]
                yield from (base | {s: at + move} for move in moves if box[s].contains(at + move))


def _levels(part: sp.Basic) -> Iterator[tuple[sp.Expr, bool]]:
    """(u, whole): something jumps where u is 0, or where u is any whole number."""
    for e in sp.preorder_traversal(part):
        if isinstance(e, sp.floor | sp.ceiling | sp.frac):
            yield e.args[0], True
        elif isinstance(e, sp.Mod):
            yield e.args[0] / e.args[1], True
        elif isinstance(e, sp.sign | sp.Heaviside):
            yield e.args[0], False
        elif isinstance(e, sp.Piecewise):
            for relation in in_order(e.atoms(sp.core.relational.Relational)):
                yield relation.lhs - relation.rhs, False


def _places(u: sp.Expr, s: sp.Symbol, base: Point, box: Box, *, is_whole: bool) -> Iterator[Fraction]:
    """Values of s at which u is a whole number near its value at the base, or 0."""
    symbols = tuple(box)
    start = value(u, symbols, tuple(map(float, base.values())))
    if math.isnan(start):
        return
    targets = dict.fromkeys((math.floor(start), math.floor(start) + 1, 0, 1, -1)) if is_whole else (0,)
    slope = sp.diff(u, s)
    is_affine = slope.is_Rational and slope != 0
    others = {x: exact(v) for x, v in base.items() if x != s}
    for target in targets:
        here = u.subs({**others, s: exact(base[s])})
        if is_affine and here.is_Rational:
            yield base[s] + (target - _fraction(here)) / _fraction(slope)
            continue
        near = _root(u, s, base, symbols, target)
        if near is not None:
            yield near


def _fraction(e: sp.Rational) -> Fraction:
    return Fraction(int(e.p), int(e.q))


def _root(u: sp.Expr, s: sp.Symbol, base: Point, symbols: tuple[sp.Symbol, ...], target: int) -> Fraction | None:
    """Where u is near a number, by secants in floats; a fraction of small denominator where that is as near."""
    place, at = symbols.index(s), [float(x) for x in base.values()]

    def gap(x: float) -> float:
        return value(u, symbols, (*at[:place], x, *at[place + 1 :])) - target

    before, here = at[place], at[place] + 1e-3 * (1 + abs(at[place]))
    for _ in range(_ITERATIONS):
        rise = gap(here) - gap(before)
        if math.isnan(rise) or rise == 0:
            break
        before, here = here, here - gap(here) * (here - before) / rise
    if math.isnan(here) or math.isinf(here) or not abs(gap(here)) < 1e-6:
        return None
    simple = Fraction(here).limit_denominator(1000)
    return simple if abs(float(simple) - here) < 1e-12 * (1 + abs(here)) else Fraction(here)
