"""Absolute values and maxima that bound: a diagonal that dominates its row, |a| + |b| <= u, as in Gershgorin's circles.

A maximum becomes a symbol that is no less than each of its arguments, and either sign of what stands in an absolute
value is a part of its own, in which what is given is a formula without it. A form of degree two in some symbols is then
a sum of squares of these, of their sums and of their differences, each times something given; the weights by linear
programming.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.dummies import fresh
from theory.intervals.box import VariableRange
from theory.ordering import in_order
from theory.prover.goal import Given, Goal, Node, Searching, as_written
from theory.prover.rungs.choices import all_choices, cases_of
from theory.prover.rungs.combinations import Product, affine, facts_of, sum_of, weights_of

_MAX_SIGNS = 3  # each doubles the parts
_MAX_VECTOR = 4
_MAX_ARGUMENTS = 4


def signs_apart(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Both signs of each symbol in an absolute value, where the others are linear in what is given."""
    parts = [goal.expression, *(g.expression for g in goal.given)]
    bounds = in_order(m for e in parts for m in e.atoms(sp.Max, sp.Min) if len(m.args) <= _MAX_ARGUMENTS)
    inside = {m.args[0] for e in (*parts[1:], *bounds) for m in e.atoms(sp.Abs)}
    both = [s for s, r in goal.box.items() if s in inside and r.low < 0 < r.high]
    if not 1 < len(both) <= _MAX_SIGNS:
        return None
    if bounds:
        return _without_bound(search, goal, bounds[0])
    return None if goal.expression.has(sp.Abs) else _by_signs(search, goal, both)


def _without_bound(search: Searching, goal: Goal, bound: sp.Expr) -> Node | None:
    """The goal with a symbol for a maximum, no less than what it is of, or for a minimum."""
    u, given, shown = fresh("u", real=True), goal.given, []
    for argument in bound.args:
        fact = Given(bound - argument if isinstance(bound, sp.Max) else argument - bound, False)
        cases = cases_of(Goal(fact.expression, False, goal.box, given), bound)
        proofs = [as_written(case, affine(search, case, 0)) for case in cases]
        if None in proofs:
            return None
        shown.append((fact, {"by": "cases", "of": sp.srepr(bound), "proofs": proofs}))
        given = (*given, fact)
    inner = tuple(Given(_put(g.expression, bound, u), g.is_strict) for g in given)
    box = {**goal.box, u: VariableRange(-math.inf, math.inf)}
    expression = _put(goal.expression, bound, u)
    used = expression.free_symbols.union(*(g.expression.free_symbols for g in inner))
    proof = signs_apart(search, Goal(expression, goal.is_strict, {s: r for s, r in box.items() if s in used}, inner), 0)
    if proof is None:
        return None
    proof = {
        "by": "change", "rows": [[sp.srepr(u), sp.srepr(bound), "-oo", "oo", False]],
        "expression": sp.srepr(expression), "given": [[sp.srepr(g.expression), i] for i, g in enumerate(inner)],
        "proof": proof,
    }  # fmt: skip
    return _after(shown, proof)


def _put(e: sp.Expr, bound: sp.Expr, u: sp.Symbol) -> sp.Expr:
    return e.xreplace({bound: u})


def _by_signs(search: Searching, goal: Goal, symbols: list[sp.Symbol]) -> Node | None:
    """The goal below and above 0 of each of some symbols."""
    if not symbols or search.is_late():
        return None if symbols else _without_signs(search, goal)
    symbol, r = symbols[0], goal.box[symbols[0]]
    sides = []
    for side in (r.below(Fraction(0)), r.above(Fraction(0))):
        proof = _by_signs(search, replace(goal, box=goal.box | {symbol: side}), symbols[1:])
        if proof is None:
            return None
        sides.append(proof)
    return {"by": "split", "symbol": sp.srepr(symbol), "at": "0", "below": sides[0], "above": sides[1]}


def _without_signs(search: Searching, goal: Goal) -> Node | None:
    """The goal with s or -s, whichever is positive, where |s| was given."""
    given, facts, values = goal.given, [], {}
    for absolute in in_order(m for g in given for m in g.expression.atoms(sp.Abs) if m.args[0] in goal.box):
        s = absolute.args[0]
        values[absolute] = s if goal.box[s].low >= 0 else -s
        facts.append((Given(absolute - values[absolute], False), all_choices))
    facts += [(Given(g.expression.xreplace(values), g.is_strict), affine) for g in given if g.expression.has(sp.Abs)]
    shown = []
    for fact, rung in facts:
        show = rung(search, Goal(fact.expression, fact.is_strict, goal.box, given), 0)
        if show is None:
            return None
        shown.append((fact, show))
        given = (*given, fact)
    dropped = [place for place, g in enumerate(given) if g.expression.has(sp.Abs)]
    inner = replace(goal, given=tuple(g for g in given if not g.expression.has(sp.Abs)))
    proof = by_pairs(search, inner, 0) or search.part(inner, 0)
    return None if proof is None else _after(shown, {"by": "drop", "givens": dropped, "proof": proof})


def _after(shown: list[tuple[Given, Node]], proof: Node) -> Node:
    """A proof that comes after some facts."""
    for fact, show in reversed(shown):
        proof = {
            "by": "derive", "fact": sp.srepr(fact.expression), "strict": fact.is_strict, "show": show, "proof": proof,
        }  # fmt: skip
    return proof


def by_pairs(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A form of degree two in some symbols as a sum of squares of them and of pairs, times what is given of others."""
    symbols = [s for s in goal.box if s in goal.expression.free_symbols]
    vector = [s for s in symbols if not any(s in g.expression.free_symbols for g in goal.given)]
    vector = [s for s in vector if goal.box[s].low == -math.inf and goal.box[s].high == math.inf]
    if not 1 < len(vector) <= _MAX_VECTOR or goal.is_strict or not goal.expression.is_polynomial(*symbols):
        return None
    if any(sum(powers) != 2 for powers in sp.Poly(goal.expression, *vector).monoms()):
        return None
    others = [s for s in goal.box if s not in vector]
    pairs = list(itertools.combinations(vector, 2))
    squares = [*(v**2 for v in vector), *((v - w) ** 2 for v, w in pairs), *((v + w) ** 2 for v, w in pairs)]
    products = [Product((), square, sp.expand(square)) for square in squares]
    for fact in facts_of(goal, others):
        products += [Product((fact,), square, sp.expand(fact.expression * square)) for square in squares]
    symbols = list(dict.fromkeys([*symbols, *others]))
    found = weights_of(sp.Poly(sp.expand(goal.expression), *symbols), products, symbols, strict=False)
    return None if found is None else sum_of(found, sp.S.Zero)
