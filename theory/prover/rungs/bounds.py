"""The rung that lets an affine condition bound one symbol by the ranges of the others."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.intervals.box import exact
from theory.ordering import in_order
from theory.prover.expressions.rewriting import dyadic, enclose, is_certain
from theory.prover.goal import Given, Goal, Node, Searching


def bounded(search: Searching, goal: Goal, depth: int) -> Node | None:
    """An affine given bounds a symbol by the ranges of the others: x < y and x > 0 give y > 0."""
    if depth > 2:
        return None
    for place, given in enumerate(goal.given):
        for s in in_order(given.expression.free_symbols & set(goal.box)):
            fact = _bound(goal, given, s)
            if fact is None:
                continue
            slope = sp.diff(given.expression, s)
            rest = sp.expand(fact - given.expression / sp.Abs(slope))
            is_strict = given.is_strict or is_certain(rest, True, goal.box)
            if not is_strict and fact.subs(s, exact(goal.box[s].low if slope > 0 else goal.box[s].high)) == 0:
                continue  # this end is known already
            proof = search.attempt(replace(goal, given=(*goal.given, Given(fact, is_strict))), depth + 1)
            show = {"by": "combine", "terms": [[[place], sp.srepr(1 / sp.Abs(slope)), None]], "rest": sp.srepr(rest),
                    "proof": {"by": "interval"}}  # fmt: skip
            return None if proof is None else {
                "by": "derive", "fact": sp.srepr(fact), "strict": is_strict, "show": show, "proof": proof,
            }  # fmt: skip
    return None


def _bound(goal: Goal, given: Given, s: sp.Symbol) -> sp.Expr | None:
    """s less a bound, or a bound less s, that narrows the range of s; the bound is the worst of what else is in it."""
    slope = sp.diff(given.expression, s)
    if not (slope.is_Rational and slope != 0) or given.expression.free_symbols == {s}:
        return None
    found = enclose(sp.expand(given.expression / sp.Abs(slope) - sp.sign(slope) * s), goal.box)
    if found is None or not found.hi.is_finite():
        return None
    bound = -exact(dyadic(found.hi))  # sign(slope) s >= bound
    r = goal.box[s]
    if slope > 0:
        return s - bound if bound > exact(r.low) or (bound == exact(r.low) and not r.is_open) else None
    return -s - bound if -bound < exact(r.high) or (-bound == exact(r.high) and not r.is_open_high) else None
