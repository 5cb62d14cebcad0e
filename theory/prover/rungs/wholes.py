"""Rungs for floors and whole numbers: a floor by its values or as a symbol of its own, and what is whole and > -1."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import VariableRange
from theory.prover.expressions.evaluation import floor_of
from theory.prover.expressions.rewriting import dyadic, enclose
from theory.prover.goal import Given, Goal, Node, Searching

_FEW, _MANY = 6, 64
"""Values of a floor that are tried one by one before it becomes a symbol, and at most."""
_MAX_FLOORS = 6
_MAX_DEPTH = 3
_SHARE = 0.5


def floor_by_cases(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Each of a few values of a floor in turn: then its argument lies between two whole numbers."""
    found = _least_floor(goal)
    return None if found is None or _count(found[1]) > _FEW else _by_cases(search, goal, *found, depth)


def floor_as_symbol(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A floor as a new whole number t with t <= u < t + 1; its many values one by one where that does not help."""
    found = _least_floor(goal)
    if found is None:
        return None
    m, r = found
    t = sp.Dummy("t", integer=True)
    inner = _with_floor(goal, m, t)
    inner = replace(inner, box=goal.box | {t: r})
    with search.share(_SHARE):
        proof = _with_whole_bound(search, inner, m.args[0], t, depth)
    if proof is not None:
        ends = [str(end) if isinstance(end, Fraction) else "oo" if end > 0 else "-oo" for end in (r.low, r.high)]
        node = {"by": "floors", "of": sp.srepr(m), "new": sp.srepr(t), "low": ends[0], "high": ends[1]}
        return node | {"proof": proof}
    return _by_cases(search, goal, m, r, depth) if _FEW < _count(r) <= _MANY else None


def _by_cases(search: Searching, goal: Goal, m: sp.Expr, r: VariableRange, depth: int) -> Node | None:
    cases = []
    for k in range(int(r.low), int(r.high) + 1):
        inner = _with_floor(goal, m, sp.Integer(k))
        # Each step removes a floor, so that this does not count as depth.
        proof = None if search.is_late() else search.part(inner, max(depth - 1, 0))
        if proof is None:
            return None
        cases.append([k, proof])
    return {"by": "floor", "of": sp.srepr(m), "cases": cases}


def _least_floor(goal: Goal) -> tuple[sp.Expr, VariableRange] | None:
    """A floor without another one inside, the one of fewest values, and the whole numbers between which it lies."""
    parts = [goal.expression, *(g.expression for g in goal.given)]
    floors = {m for e in parts for m in e.atoms(sp.floor)}
    if not 0 < len(floors) <= _MAX_FLOORS:
        return None
    plain = sorted((m for m in floors if not m.args[0].has(sp.floor)), key=str)
    found = [(m, r) for m in plain if (r := _values(m, goal)) is not None]
    return min(found, key=lambda pair: _count(pair[1])) if found else None


def _values(m: sp.Expr, goal: Goal) -> VariableRange | None:
    inside = enclose(m, goal.box)
    if inside is None:
        return None
    low, high = dyadic(inside.lo), dyadic(inside.hi)
    return VariableRange(low, high) if low < math.inf and high > -math.inf else None


def _count(r: VariableRange) -> float:
    return r.high - r.low + 1


def _with_floor(goal: Goal, m: sp.Expr, k: sp.Expr) -> Goal:
    """The goal where floor(u) is k: k <= u < k + 1."""
    u = m.args[0]
    given = [replace(g, expression=_put(g.expression, m, k)) for g in goal.given]
    between = Given(u - k, False), Given(k + 1 - u, True)
    return replace(goal, expression=_put(goal.expression, m, k), given=(*given, *between))


def _put(e: sp.Expr, m: sp.Expr, k: sp.Expr) -> sp.Expr:
    """An expression with k for m; floors around it as the checker has them."""
    if e == m:
        return k
    if not e.has(m):
        return e
    arguments = [_put(a, m, k) for a in e.args]
    return floor_of(arguments[0]) if isinstance(e, sp.floor) else e.func(*arguments)


def _with_whole_bound(search: Searching, goal: Goal, u: sp.Expr, t: sp.Symbol, depth: int) -> Node | None:
    """A proof of the goal; where k u is whole, k u < k (t + 1) says k u <= k (t + 1) - 1."""
    k = _multiple(u)
    if k is None:
        return search.part(goal, max(depth - 1, 0))
    gap, place = sp.expand(k * (t + 1 - u)), len(goal.given) - 1
    proof = search.part(replace(goal, given=(*goal.given, Given(gap - 1, False))), max(depth - 1, 0))
    if proof is None:
        return None
    weighted = [[[place], sp.srepr(sp.Integer(k)), None]]
    above = {"by": "combine", "terms": weighted, "rest": sp.srepr(sp.S.Zero), "proof": {"by": "zero"}}
    show = {"by": "whole", "times": "1", "proof": above}
    return {"by": "derive", "fact": sp.srepr(gap - 1), "strict": False, "show": show, "proof": proof}


def _multiple(e: sp.Expr) -> int | None:
    """The least k > 0 for which k e is seen to be whole: a polynomial in whole numbers; or None."""
    symbols = sorted(e.free_symbols, key=str)
    if not symbols or not all(s.is_integer for s in symbols) or not e.is_polynomial(*symbols):
        return None
    coefficients = sp.Poly(e, *symbols).coeffs()
    if not all(c.is_Rational for c in coefficients):
        return None
    return math.lcm(*[int(c.q) for c in coefficients])


def whole(search: Searching, goal: Goal, depth: int) -> Node | None:
    """What is whole, or has a whole multiple, is >= 0 where it is > -1."""
    k = None if goal.is_strict or depth > _MAX_DEPTH or len(str(goal.expression)) > 2000 else _multiple(goal.expression)
    if k is None:
        return None
    inner = replace(goal, expression=sp.expand(k * goal.expression) + 1, is_strict=True)
    proof = search.attempt(inner, depth + 1)
    return None if proof is None else {"by": "whole", "times": str(k), "proof": proof}
