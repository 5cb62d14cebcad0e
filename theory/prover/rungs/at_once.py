"""The rungs that decide a goal at once: by an enclosure, by its hypotheses, at a point, by coefficients at a corner."""

from __future__ import annotations

import math

import sympy as sp

from theory.intervals.box import exact
from theory.prover.expressions.factorials import have_values, in_the_least
from theory.prover.expressions.normal_form import is_zero
from theory.prover.expressions.rewriting import is_certain
from theory.prover.goal import Goal, Node, Searching, is_empty
from theory.prover.rungs.bernstein import has_positive_coefficients


def interval(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The natural enclosure over the box decides."""
    if goal.expression == 0 and not goal.is_strict:  # what the checker has there may not be so short
        return {"by": "zero"}
    return {"by": "interval"} if is_certain(goal.expression, goal.is_strict, goal.box) else None


def infeasible(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A hypothesis that fails on all of the box, or a range without a number in it."""
    if any(is_empty(symbol, r) for symbol, r in goal.box.items()):
        return {"by": "empty"}
    for place, hypothesis in enumerate(goal.given):
        if is_certain(-hypothesis.expression, not hypothesis.is_strict, goal.box):
            return {"by": "infeasible", "given": place}
    return None


def zero(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Accept a face on which the expression vanishes, an equality case of the statement."""
    ends = {symbol: exact(r.low) for symbol, r in goal.box.items() if r.is_point}
    has_factorials = goal.expression.has(sp.factorial) and have_values(goal.expression, goal.box)
    if not goal.is_strict and has_factorials and sp.expand(in_the_least(goal.expression)) == 0:
        return {"by": "zero"}
    if goal.is_strict or not ends:
        return None
    is_number = has_factorials and goal.expression.subs(ends) == 0
    return {"by": "zero"} if is_number or is_zero(goal.expression, ends) else None


def shift(search: Searching, goal: Goal, depth: int) -> Node | None:
    """No coefficient of a polynomial at a corner of the box is negative."""
    if not has_positive_coefficients(goal):
        return None
    # A corner is a finite end of every variable, also of one that does not occur.
    endless = [s for s, r in goal.box.items() if math.isinf(r.low) and math.isinf(r.high)]
    node: Node = {"by": "shift"}
    for symbol in endless:
        node = {"by": "split", "symbol": sp.srepr(symbol), "at": "0", "below": node, "above": node}
    return node
