"""The rung for what only depends on ratios: e(k x, k y) = k^d e(x, y) for k > 0, so that one symbol may be 1.

sqrt(a b) <= (a - b)/log(a/b) is b times a statement on u = a/b. The new symbols are the quotients of the others by one
that is positive, the expression is b^d g(u), and every given that scales as well says something of u.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory.dummies import fresh
from theory.intervals.box import VariableRange, exact
from theory.ordering import in_order
from theory.prover.expressions.sampling import Point, points, value
from theory.prover.goal import Given, Goal, Node, Searching
from theory.prover.rungs.orders import spread_logs
from theory.prover.rungs.smoothness import is_defined

_MAX_SYMBOLS, _MAX_OPS, _CLOSE = 4, 150, 1e-9
_AT_ONCE: Node = {"by": "interval"}


def by_ratios(search: Searching, goal: Goal, depth: int) -> Node | None:
    """All symbols but one as multiples of it."""
    powers = {s for p in goal.expression.atoms(sp.Pow) if not isinstance(p, sp.exp) for s in p.exp.free_symbols}
    free = goal.expression.free_symbols & set(goal.box) - powers
    symbols = [s for s in in_order(free) if _is_cone(goal.box[s]) and not s.is_integer]
    if depth > 0 or not 2 <= len(symbols) <= _MAX_SYMBOLS or goal.expression.count_ops() > _MAX_OPS:
        return None
    if goal.expression.is_polynomial(*symbols):
        return None
    unit = next((s for s in reversed(symbols) if goal.box[s].low == 0 and goal.box[s].is_open), None)
    drawn = points(goal)
    degrees = [_degree(g.expression, goal, symbols, drawn) for g in goal.given]
    degree = _degree(goal.expression, goal, symbols, drawn)
    if unit is None or degree is None or None in degrees or any(g.expression.has(sp.Abs) for g in goal.given):
        return None
    return _Scaled(goal, unit, [s for s in symbols if s != unit]).proof(search, degree, degrees)


def _is_cone(r: VariableRange) -> bool:
    """Whether a range has all multiples of what it has: the line, or a half line from 0."""
    return r.high == math.inf and r.low in (0, -math.inf)


def _degree(e: sp.Expr, goal: Goal, scaled: list[sp.Symbol], drawn: list[Point]) -> sp.Expr | None:
    """d with e(k x) = k^d e(x) for the scaled symbols, a number or another symbol, as far as floats tell."""
    symbols = tuple(goal.box)
    places, found = [s in scaled for s in symbols], []
    for point in drawn[:8]:
        twice = tuple(2 * x if moves else x for x, moves in zip(point, places, strict=True))
        before, after = value(e, symbols, point), value(e, symbols, twice)
        if math.isnan(before) or math.isnan(after) or abs(before) < _CLOSE or before * after <= 0:
            continue
        found.append((point, math.log2(after / before)))
    numbers = [exact(Fraction(d).limit_denominator(4)) for _, d in found[:1]]
    for guess in (*numbers, *(s for s in symbols if s not in scaled)):
        if all(abs(value(guess, symbols, point) - d) < _CLOSE for point, d in found):
            return guess
    return None


@dataclass(frozen=True)
class _Scaled:
    """A goal, its positive symbol, and the others."""

    goal: Goal
    unit: sp.Symbol
    others: list[sp.Symbol]

    def proof(self, search: Searching, degree: sp.Rational, degrees: list) -> Node | None:
        """The proof of the statement on the quotients, and the steps to it."""
        new = {s: fresh("u", **self._signs(s)) for s in self.others}
        box = {new[s]: self.goal.box[s] for s in self.others}
        box |= {s: r for s, r in self.goal.box.items() if s not in (self.unit, *self.others)}
        given = tuple(Given(self._of_quotients(g.expression, new, box), g.is_strict) for g in self.goal.given)
        g = self._of_quotients(self.goal.expression, new, box)
        if not set(new.values()) & g.free_symbols or not all(is_defined(h.expression, box) for h in given):
            return None
        used = g.free_symbols.union(*(h.expression.free_symbols for h in given))
        inner = Goal(g, self.goal.is_strict, {u: r for u, r in box.items() if u in used}, given)
        proof = search.part(inner, -1)
        if proof is None:
            return None
        parts = [[sp.srepr(self.unit**degree), 1, 1, _AT_ONCE], [sp.srepr(g), 1, 1, proof]]
        proof = {"by": "factor", "parts": parts} if degree != 0 else proof
        place = len(self.goal.given)
        rows = [
            [sp.srepr(u), sp.srepr(s / self.unit), str(exact(box[u].low)), "oo", box[u].is_open] for s, u in new.items()
        ]
        facts = [[sp.srepr(h.expression), place + i] for i, h in enumerate(given)]
        form = sp.srepr(self.unit**degree * g)
        proof = {"by": "change", "rows": rows, "expression": form, "given": facts, "proof": proof}
        back = {u: s / self.unit for s, u in new.items()}
        for i in reversed(range(len(given))):
            terms = [[[i], sp.srepr(self.unit ** -degrees[i]), _AT_ONCE]]
            show = {"by": "combine", "terms": terms, "rest": "Integer(0)", "proof": {"by": "zero"}}
            fact, strict = given[i].expression.xreplace(back), given[i].is_strict
            proof = {"by": "derive", "fact": sp.srepr(fact), "strict": strict, "show": show, "proof": proof}
        return proof

    def _signs(self, s: sp.Symbol) -> dict[str, bool]:
        r = self.goal.box[s]
        return (
            {"positive": True} if r.low == 0 and r.is_open else {"nonnegative": True} if r.low == 0 else {"real": True}
        )

    def _of_quotients(self, e: sp.Expr, new: dict[sp.Symbol, sp.Symbol], box: dict) -> sp.Expr:
        """An expression where the unit is 1."""
        return spread_logs(e.subs(self.unit, 1).xreplace(new), box)
