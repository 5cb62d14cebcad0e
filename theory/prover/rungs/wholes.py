"""Rungs for what jumps and for whole numbers: a floor by its values or as a symbol, signs, remainders, what is > -1."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.dummies import fresh
from theory.intervals.box import VariableRange, exact
from theory.ordering import in_order
from theory.prover.expressions.evaluation import floor_of
from theory.prover.expressions.rewriting import dyadic, enclose
from theory.prover.goal import Given, Goal, Node, Searching, as_written, restated

_FEW, _MANY, _MAX_MODULUS, _SEARCHED = 6, 64, 64, 12
"""Values of a floor that are tried one by one before it becomes a symbol, and at most."""
_MAX_FLOORS, _FAR = 6, 2**60
_MAX_DEPTH = 3
_SHARE = 0.5


def floor_by_cases(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Each of a few values of a floor in turn: then its argument lies between two whole numbers."""
    goal = _normal(goal)
    found = _least_floor(goal)
    if found is None or _count(found[1]) > _FEW:
        return None
    with search.share(_SHARE):
        return _by_cases(search, goal, *found, depth)


def floor_as_symbol(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A floor as a new whole number t with t <= u < t + 1; its many values one by one where that does not help."""
    goal = _normal(goal)
    found = _least_floor(goal)
    if found is None or search.is_late() or (search.is_plain and _has_equation(goal)):
        return None
    m, r = found
    by_remainders = residues(search, goal, depth) if _is_bent(goal) else None
    if by_remainders is not None:
        return by_remainders
    t = fresh("t", integer=True)
    inner = _with_floor(goal, m, t)
    inner = replace(inner, box=goal.box | {t: r})
    with search.share(_SHARE):
        proof = as_written(inner, _with_whole_bound(search, inner, m.args[0], t, depth))
    proof = proof or _apart(search, goal, m, t, r, depth)
    if proof is not None:
        low, high = str(exact(r.low)), str(exact(r.high))
        return {"by": "floors", "of": sp.srepr(m), "new": sp.srepr(t), "low": low, "high": high, "proof": proof}
    return _by_cases(search, goal, m, r, depth) if _FEW < _count(r) <= _MANY else None


def _has_equation(goal: Goal) -> bool:
    """Whether two givens are an equation, which other rungs put in."""
    sides = {g.expression for g in goal.given}
    return any(-e in sides for e in sides)


def _apart(search: Searching, goal: Goal, m: sp.Expr, t: sp.Symbol, r: VariableRange, depth: int) -> Node | None:
    """With t for floor(s), s is t + f with 0 <= f < 1; other floors of s, less what is whole, then have few values."""
    (s,) = m.args
    floors = {other for other in goal.expression.atoms(sp.floor) if other != m and other.has(s)}
    if not s.is_Symbol or s.is_integer or not floors or any(g.expression.has(sp.floor) for g in goal.given):
        return None
    f, place = fresh("f", real=True), len(goal.given)
    box = {x: v for x, v in goal.box.items() if x != s}
    box |= {t: r, f: VariableRange(Fraction(0), Fraction(1), False, True)}
    given = tuple(replace(g, expression=g.expression.subs(s, t + f)) for g in goal.given)
    expression = _tidied(_put(_put(goal.expression, m, t), s, t + f))
    proof = search.part(Goal(expression, goal.is_strict, box, given), depth + 1) if depth <= _MAX_DEPTH else None
    if proof is None:
        return None
    proof = {"by": "narrow", "given": place, "symbol": sp.srepr(f), "proof": restated(expression, proof)}
    return {
        "by": "lower", "given": place, "symbol": sp.srepr(s), "new": sp.srepr(f), "replacement": sp.srepr(t + f),
        "proof": proof,
    }  # fmt: skip


def _by_cases(search: Searching, goal: Goal, m: sp.Expr, r: VariableRange, depth: int) -> Node | None:
    cases = []
    for k in range(int(r.low), int(r.high) + 1):
        inner = _with_floor(goal, m, sp.Integer(k))
        # Each step removes a floor, so that this does not count as depth.
        proof = None if search.is_late() else search.part(inner, max(depth - 1, 0))
        if proof is None:
            return None
        cases.append([k, as_written(inner, proof)])
    return {"by": "floor", "of": sp.srepr(m), "cases": cases}


def _normal(goal: Goal) -> Goal:
    """The goal with its floors as the checker has them, without whole numbers that are terms of what is in them."""
    given = tuple(replace(g, expression=_floors_of(g.expression)) for g in goal.given)
    return replace(goal, expression=_floors_of(goal.expression), given=given)


def _floors_of(e: sp.Expr) -> sp.Expr:
    if not e.has(sp.floor):
        return e
    arguments = [_floors_of(a) for a in e.args]
    if isinstance(e, sp.floor):
        return floor_of(arguments[0])
    return e if arguments == list(e.args) else e.func(*arguments)


def _least_floor(goal: Goal) -> tuple[sp.Expr, VariableRange] | None:
    """A floor without another one inside, the one of fewest values, and the whole numbers between which it lies."""
    parts = [goal.expression, *(g.expression for g in goal.given)]
    floors = {m for e in parts for m in e.atoms(sp.floor)}
    if not 0 < len(floors) <= _MAX_FLOORS:
        return None
    plain = in_order(m for m in floors if not m.args[0].has(sp.floor))
    found = [(m, r) for m in plain if (r := _values(m, goal)) is not None]
    return min(found, key=lambda pair: (_count(pair[1]), not pair[0].args[0].is_Symbol)) if found else None


def _values(m: sp.Expr, goal: Goal) -> VariableRange | None:
    inside = enclose(m, goal.box)
    if inside is None:
        return None
    low = dyadic(inside.lo) if inside.lo > -_FAR else -math.inf
    high = dyadic(inside.hi) if inside.hi < _FAR else math.inf
    return VariableRange(low, high) if low < math.inf and high > -math.inf else None


def _count(r: VariableRange) -> float:
    return float(r.high - r.low) + 1


def _with_floor(goal: Goal, m: sp.Expr, k: sp.Expr) -> Goal:
    """The goal where floor(u) is k: k <= u < k + 1."""
    u, inner = m.args[0], _with_value(goal, m, k)
    return replace(inner, given=(*inner.given, Given(u - k, False), Given(k + 1 - u, True)))


def _with_value(goal: Goal, part: sp.Expr, value: sp.Expr) -> Goal:
    """The goal with a value in place of a part."""
    given = tuple(replace(g, expression=_put(g.expression, part, value)) for g in goal.given)
    return replace(goal, expression=_put(goal.expression, part, value), given=given)


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
    symbols = in_order(e.free_symbols)
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
    return None if proof is None else {"by": "whole", "times": str(k), "proof": restated(inner.expression, proof)}


def sign_by_cases(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A sign is -1, 0 or 1."""
    signs = in_order(m for m in goal.expression.atoms(sp.sign) if not m.args[0].has(sp.sign))
    if not signs or depth > _MAX_DEPTH:
        return None
    m, proofs = signs[0], {}
    (u,) = m.args
    at = Given(u, False), Given(-u, False)
    for name, value, extra in (("below", -1, (Given(-u, True),)), ("at", 0, at), ("above", 1, (Given(u, True),))):
        inner = _with_value(replace(goal, given=(*goal.given, *extra)), m, sp.Integer(value))
        proofs[name] = None if search.is_late() else as_written(inner, search.part(inner, max(depth - 1, 0)))
        if proofs[name] is None:
            return None
    return {"by": "sign", "of": sp.srepr(m), **proofs}


def residues(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A whole number s = m t + r for each remainder r, where a floor of a polynomial is divided by m."""
    goal = _normal(goal)
    found = _divided(goal)
    if found is None or depth > _MAX_DEPTH:
        return None
    s, m = found
    t, r, proofs = fresh("t", integer=True), goal.box[s], []
    for rest in range(m):
        low = math.ceil((r.low - rest) / m) if isinstance(r.low, Fraction) else r.low
        high = math.floor((r.high - rest) / m) if isinstance(r.high, Fraction) else r.high
        if low > high:
            proofs.append({"by": "empty"})
            continue
        lowest, highest = (Fraction(end) if isinstance(end, int) else end for end in (low, high))
        box = {x: v for x, v in goal.box.items() if x != s} | {t: VariableRange(lowest, highest)}
        inner = _with_value(replace(goal, box=box), s, m * t + rest)
        inner = replace(inner, expression=sp.expand(_tidied(inner.expression)))
        if m > _SEARCHED and not inner.expression.is_number:  # one that needs more takes too long as often
            return None
        proof = None if search.is_late() else search.part(inner, depth + 1)
        if proof is None:
            return None
        proofs.append(restated(inner.expression, proof))
    return {"by": "residues", "symbol": sp.srepr(s), "modulus": m, "new": sp.srepr(t), "proofs": proofs}


def _is_bent(goal: Goal) -> bool:
    """Whether a floor of a polynomial in whole numbers is not of degree one: its remainders tell more than its ends."""
    floors = {m.args[0] for m in goal.expression.atoms(sp.floor) if _multiple(m.args[0]) is not None}
    return any(sp.Poly(u, *in_order(u.free_symbols)).total_degree() > 1 for u in floors)


def _divided(goal: Goal) -> tuple[sp.Symbol, int] | None:
    """A symbol of a floor of a polynomial in whole numbers, and its least denominator."""
    found = []
    for floor in in_order(goal.expression.atoms(sp.floor)):
        k = _multiple(floor.args[0])
        if k is not None and 1 < k <= _MAX_MODULUS:
            found += [(k, s) for s in in_order(floor.args[0].free_symbols) if s in goal.box]
    k, s = min(found, key=lambda row: (row[0], str(row[1])), default=(0, None))
    return None if s is None else (s, k)


def _tidied(e: sp.Expr) -> sp.Expr:
    """An expression whose floors are of sums, without the terms that are whole."""
    if not e.has(sp.floor):
        return e
    arguments = [_tidied(a) for a in e.args]
    if not isinstance(e, sp.floor):
        return e.func(*arguments)
    terms = sp.Add.make_args(sp.expand(arguments[0]))
    whole = sp.Add(*[term for term in terms if _multiple(term) == 1])
    return whole + floor_of(sp.expand(arguments[0]) - whole)
