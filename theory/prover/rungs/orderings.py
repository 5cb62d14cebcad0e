"""Polynomials that are least where symbols are equal: every order of the symbols in turn, as sums of steps upward.

With a >= b >= c, a = c + t + u and b = c + t, and a polynomial in c, t and u whose coefficients are not negative is not
negative. The proof asks of two symbols at a time which is greater, and puts the order that this leaves in.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.dummies import fresh
from theory.intervals.box import VariableRange, exact
from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small
from theory.prover.goal import Given, Goal, Node, Searching
from theory.prover.rungs.bernstein import has_positive_coefficients

_MAX_SYMBOLS, _MAX_DEGREE = 4, 12


def ordered(search: Searching, goal: Goal, depth: int) -> Node | None:
    """All orders of the symbols of a polynomial on the positive orthant."""
    symbols = in_order(goal.expression.free_symbols & set(goal.box))
    if depth > 3 or not 2 <= len(symbols) <= _MAX_SYMBOLS or not goal.expression.is_polynomial(*symbols):
        return None
    if not is_small(goal.expression):
        return None
    if not all(goal.box[s].low == 0 and goal.box[s].high == math.inf for s in symbols):
        return None
    if sp.Poly(goal.expression, *symbols).total_degree() > _MAX_DEGREE:
        return None
    return _sorted_in(search, goal, [symbols[0]], symbols[1:])


def homogenised(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A polynomial as one of which all terms have the same degree, in one more symbol, which is 1 here.

    What holds for every value of that symbol says how the others stand to 1, which orders of them alone do not.
    """
    symbols = in_order(goal.expression.free_symbols & set(goal.box))
    if depth > 1 or goal.given or not 2 <= len(symbols) < _MAX_SYMBOLS or not is_small(goal.expression):
        return None
    if not goal.expression.is_polynomial(*symbols) or goal.is_strict:
        return None
    form, is_half = sp.Poly(goal.expression, *symbols), all(goal.box[s].low == 0 for s in symbols)
    if form.is_homogeneous or form.total_degree() > _MAX_DEGREE or not all(_is_unbounded(goal.box[s]) for s in symbols):
        return None
    if not is_half and (form.total_degree() % 2 or any(goal.box[s].low == 0 for s in symbols)):
        return None
    u = fresh("u", **({"nonnegative": True} if is_half else {"real": True}))
    r = VariableRange(Fraction(0) if is_half else -math.inf, math.inf)
    same = form.homogenize(u).as_expr()
    proof = search.attempt(Goal(same, False, goal.box | {u: r}), depth + 1)
    row = [sp.srepr(u), "Integer(1)", str(exact(r.low)), "oo", False]
    return proof and {"by": "rename", "rows": [row], "expression": sp.srepr(same), "proof": proof}


def _is_unbounded(r: VariableRange) -> bool:
    return r.high == math.inf and r.low in (0, -math.inf)


def _sorted_in(search: Searching, goal: Goal, chain: list[sp.Symbol], left: list[sp.Symbol]) -> Node | None:
    """The proof once `chain` is in descending order; the others are sorted in, one after another."""
    if search.is_late():
        return None
    if not left:
        return _lowered(goal, chain)
    return _inserted(search, goal, chain, left, 0)


def _inserted(search: Searching, goal: Goal, chain: list[sp.Symbol], left: list[sp.Symbol], at: int) -> Node | None:
    """Ask whether the next symbol stands above the one at a place of the chain."""
    s, rest = left[0], left[1:]
    if at == len(chain):
        return _sorted_in(search, goal, [*chain, s], rest)
    gap = s - chain[at]
    with_gap = replace(goal, given=(*goal.given, Given(gap, False)))
    above = _sorted_in(search, with_gap, [*chain[:at], s, *chain[at:]], rest)
    if above is None:
        return None
    below = _inserted(search, replace(goal, given=(*goal.given, Given(-gap, True))), chain, left, at + 1)
    return None if below is None else {"by": "either", "of": sp.srepr(gap), "above": above, "below": below}


def _lowered(goal: Goal, chain: list[sp.Symbol]) -> Node | None:
    """Each symbol as the next lower one plus t >= 0, and the signs of all coefficients."""
    if len(chain) == 1:
        return _shifted(goal)
    high, low = chain[:2]
    place = next((i for i, g in enumerate(goal.given) if g.expression == high - low), None)
    if place is None:
        return None
    t = fresh("t", real=True)
    box = {s: r for s, r in goal.box.items() if s != high}
    box[t] = VariableRange(Fraction(0), math.inf, goal.given[place].is_strict)
    others = tuple(
        replace(g, expression=g.expression.subs(high, low + t)) for i, g in enumerate(goal.given) if i != place
    )
    proof = _lowered(Goal(goal.expression.subs(high, low + t), goal.is_strict, box, others), chain[1:])
    if proof is None:
        return None
    return {
        "by": "lower", "given": place, "symbol": sp.srepr(high), "new": sp.srepr(t), "replacement": sp.srepr(low + t),
        "proof": proof,
    }  # fmt: skip


def _shifted(goal: Goal) -> Node | None:
    inner = replace(goal, expression=sp.expand(goal.expression))
    return {"by": "shift"} if has_positive_coefficients(inner) else None
