"""Equations among the givens: solved for a symbol, for the search of points and for the rung that puts them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import exact
from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small
from theory.prover.expressions.rewriting import is_certain
from theory.prover.goal import Given, Goal, Node, Searching
from theory.prover.rungs.smoothness import asked
from theory.prover.statement import RELATIONS

_FIRST_SHARE = 0.5
"""Of the time, the most that one symbol of an equation is put in for, while there is another."""


def solution(g: sp.Expr, s: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """(slope, value) with g = slope (s - value), where g is affine in s."""
    slope = sp.diff(g, s)
    if slope == 0 or s in slope.free_symbols or g.has(sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside):
        return None
    rest = sp.expand(g - slope * s)
    return None if s in rest.free_symbols else (slope, sp.cancel(-rest / slope) if rest != 0 else sp.S.Zero)


def solved_equations(given: Sequence[sp.Basic], symbols: Sequence[sp.Symbol]) -> list[tuple[sp.Symbol, sp.Expr]]:
    """A symbol and what it equals, for each equation that is affine in one; in an order in which they can be put in."""
    found: list[tuple[sp.Symbol, sp.Expr]] = []
    taken: set[sp.Symbol] = set()
    for equation in (*given, *paired_equations(given)):
        if not isinstance(equation, sp.Eq):
            continue
        gap = (equation.lhs - equation.rhs).subs(dict(found))
        for s in sorted(in_order(gap.free_symbols & set(symbols) - taken), key=lambda s: bool(s.is_integer)):
            pair = solution(gap, s)
            if pair is not None:
                found = [(x, to.subs(s, pair[1])) for x, to in found] + [(s, pair[1])]
                taken.add(s)
                break
    return found


def paired_equations(given: Sequence[sp.Basic]) -> list[sp.Eq]:
    """Equations that pairs of opposite inequalities amount to: x <= y and y <= x, or x <= 1 and a root of x - 1."""
    sides = [side for g in given if isinstance(g, RELATIONS) for side in (g.gts, g.lts)]
    gaps = [g.gts - g.lts for g in given if isinstance(g, sp.LessThan | sp.GreaterThan)]
    gaps += [c for side in sides for c, is_strict in asked(side) if not is_strict]
    gaps = [sp.expand(gap).as_content_primitive()[1] for gap in gaps if is_small(gap)]
    pairs = [(a, b) for i, a in enumerate(gaps) for b in gaps[i + 1 :]]
    return [sp.Eq(a, 0, evaluate=False) for a, b in pairs if a != 0 and sp.expand(a + b) == 0]


def eliminate(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Put an equation in that is affine in a symbol: two givens of opposite sign."""
    for i, given in enumerate(goal.given):
        j = next((k for k, other in enumerate(goal.given) if k > i and _are_opposite(given, other)), None)
        if j is None:
            continue
        symbols = in_order(given.expression.free_symbols & set(goal.box), reverse=True)
        ways = [(s, to) for s in symbols if (to := _value_of(s, given.expression, goal)) is not None]
        for place, (s, to) in enumerate(ways):
            with search.share(_FIRST_SHARE if place + 1 < len(ways) else 1.0):
                proof = search.attempt(_without(goal, s, to, (i, j)), depth)
            if proof is not None:
                return {
                    "by": "eliminate", "givens": [i, j], "symbol": sp.srepr(s), "to": sp.srepr(to),
                    "proof": proof,
                }  # fmt: skip
    return None


def _value_of(s: sp.Symbol, g: sp.Expr, goal: Goal) -> sp.Expr | None:
    """What a symbol is where g = 0: by an equation that is affine in it, or that has its square alone."""
    pair = solution(g, s)
    if pair is not None:
        is_sure = is_certain(pair[0], True, goal.box) or is_certain(-pair[0], True, goal.box)
        return pair[1] if is_sure or _is_open_sign(pair[0], goal) else None
    for gap in (g, -g):
        square = sp.expand(s**2 - gap)
        if s not in square.free_symbols and goal.box[s].low >= 0 and square.is_negative is not True:
            return sp.sqrt(square)
    return None


def _is_open_sign(slope: sp.Expr, goal: Goal) -> bool:
    """Whether a product of powers of symbols that are never 0 is never 0."""
    factors = [f.base if f.is_Pow else f for f in sp.Mul.make_args(slope)]
    return all(f.is_Rational or (f in goal.box and (goal.box[f].low > 0 or _excludes_zero(f, goal))) for f in factors)


def _excludes_zero(s: sp.Symbol, goal: Goal) -> bool:
    r = goal.box[s]
    return (r.low == 0 and r.is_open) or (r.high == 0 and r.is_open_high) or r.high < 0


def _are_opposite(a: Given, b: Given) -> bool:
    return not a.is_strict and not b.is_strict and (a.expression + b.expression).expand() == 0


def _without(goal: Goal, s: sp.Symbol, to: sp.Expr, used: tuple[int, int]) -> Goal:
    """The goal with a symbol replaced; the ends of its range become givens."""
    given = [replace(g, expression=g.expression.subs(s, to)) for k, g in enumerate(goal.given) if k not in used]
    r = goal.box[s]
    if isinstance(r.low, Fraction):
        given.append(Given(to - exact(r.low), r.is_open))
    if isinstance(r.high, Fraction):
        given.append(Given(exact(r.high) - to, r.is_open_high))
    box = {x: v for x, v in goal.box.items() if x != s}
    return Goal(goal.expression.subs(s, to), goal.is_strict, box, tuple(given))
