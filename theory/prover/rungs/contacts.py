"""The rungs that begin where both sides touch: at an end, or at a point inside that becomes an end of both pieces."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp

from theory.dummies import fresh
from theory.intervals.box import VariableRange, exact
from theory.prover.expressions.normal_form import is_small, is_zero
from theory.prover.expressions.rewriting import dyadic, enclose
from theory.prover.expressions.sampling import points, sign_at
from theory.prover.goal import Goal, Node, Searching
from theory.prover.rungs.moves import Move, on_both_sides, toward
from theory.prover.rungs.orders import spread_logs
from theory.prover.rungs.valleys import touching_points, touching_scales

_MAX_DEPTH = 5
_SHARE = 0.35


def split_where_it_touches(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Cut at a point inside at which the expression seems to vanish, so that it is an end of both pieces."""
    for s, places in touching_points(goal).items():
        for at in places:
            if depth <= 2 and goal.box[s].low < at < goal.box[s].high and not s.is_integer:
                return on_both_sides(search, goal, Move(s, exact(at), 0), depth)
    return None


def in_halves(search: Searching, goal: Goal, depth: int) -> Node | None:
    """One symbol between two ends that belong to no point, each with a logarithm of its own: one end at a time."""
    for s, r in goal.box.items():
        is_between = r.is_open and r.is_open_high and math.inf not in (r.high, -r.low) and not s.is_integer
        if depth == 0 and is_between and goal.expression.free_symbols == {s} and goal.expression.has(sp.log):
            return on_both_sides(search, goal, Move(s, (exact(r.low) + exact(r.high)) / 2, 0), depth)
    return None


def scaled_to_contact(search: Searching, goal: Goal, depth: int) -> Node | None:
    """x as c u, where the sides seem to touch at a simple multiple of c, no fraction: x exp(-x^2) at sqrt(1/2)."""
    if depth > 1 or goal.given or goal.expression.is_polynomial(*goal.box):
        return None
    for s, c in touching_scales(goal):
        sign = {"nonnegative": True} if goal.box[s].low >= 0 else {"real": True}
        u, there = fresh("u", **sign), enclose(s / c, goal.box)
        if s.is_integer or there is None:
            return None
        r = VariableRange(dyadic(there.lo), dyadic(there.hi), goal.box[s].is_open and goal.box[s].low == 0)
        form = spread_logs(goal.expression.subs(s, c * u), {u: r})
        proof = search.attempt(Goal(form, goal.is_strict, {u: r}), depth + 1)
        if proof is not None:
            row = [sp.srepr(u), sp.srepr(s / c), str(exact(r.low)), str(exact(r.high)), r.is_open]
            return {"by": "rename", "rows": [row], "expression": sp.srepr(form), "proof": proof}
    return None


def away_from_contact(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The expression vanishes at an end, whatever the other symbols are, and rises from there; or at 0 inside."""
    moving = [s for s, r in goal.box.items() if not r.is_point and s in goal.expression.free_symbols]
    if depth >= _MAX_DEPTH or len(moving) < 2 or goal.expression.is_polynomial(*moving):
        return None
    drawn = points(goal)
    for s in moving:
        r = goal.box[s]
        for at, sign in ((r.low, 1), (r.high, -1), (Fraction(0), 0)):
            is_place = isinstance(at, Fraction) and (sign != 0 or r.low < at < r.high) and not s.is_integer
            if not is_place or not is_small(goal.expression) or not is_zero(goal.expression.subs(s, exact(at)), {}):
                continue
            candidate = Move(s, exact(at), sign)
            if sign == 0:
                return on_both_sides(search, goal, candidate, depth)
            if sign_at(sp.diff(goal.expression, s), goal.box, drawn) in (sign, 0):
                with search.share(_SHARE):
                    found = toward(search, goal, candidate, depth)
                if found is not None:
                    return found
    return None
