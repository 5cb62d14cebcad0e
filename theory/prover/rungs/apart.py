"""The rung for sums of parts that have no symbol in common: each part stays above a number of its own.

Floats propose the least value of each part, and what the numbers leave is shared out among the parts, so that none of
them has to touch.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.prover.expressions.sampling import points, value
from theory.prover.goal import Found, Goal, Node, Searching

_MAX_PARTS, _DRAWN = 4, 300
_STEPS = 40


def apart(search: Searching, goal: Goal, depth: int) -> Node | None:
    """One proof for each part, less a number; the numbers add up to something positive."""
    if depth > 1 or goal.given or not goal.expression.is_Add:
        return None
    number, parts = _parts(goal)
    if not 1 < len(parts) <= _MAX_PARTS:
        return None
    drawn = points(goal, _DRAWN)
    least = [_least(part, goal, drawn) for part in parts]
    slack = float(number) + sum(least)
    if not (math.isfinite(slack) and slack > 1e-9):
        return None
    below = [_simple_below(m, slack / (2 * len(parts))) for m in least]
    rows = []
    for part, bound in zip(parts, below, strict=True):
        try:
            proof = search.prove(replace(goal, expression=part - bound, is_strict=False), depth=depth + 1)
        except Found:
            return None
        if proof is None:
            return None
        rows.append([[], sp.srepr(part - bound), proof])
    rest = number + sp.Add(*below)
    return {"by": "combine", "terms": rows, "rest": sp.srepr(rest), "proof": {"by": "interval"}}


def _parts(goal: Goal) -> tuple[sp.Expr, list[sp.Expr]]:
    """The number among the terms, and the sums of those that are linked by symbols of the box."""
    number, groups = sp.S.Zero, []
    for term in goal.expression.args:
        linked = [group for group in groups if group.free_symbols & term.free_symbols]
        if not term.free_symbols:
            number += term
            continue
        groups = [group for group in groups if group not in linked]
        groups.append(sp.Add(term, *linked))
    return number, groups


def _least(part: sp.Expr, goal: Goal, drawn: list[tuple[float, ...]]) -> float:
    """About the least value: the best of random points, followed downhill by halved steps."""
    symbols = tuple(goal.box)
    moving = [place for place, s in enumerate(symbols) if s in part.free_symbols]
    ends = [(float(r.low), float(r.high)) for r in goal.box.values()]
    found = [(value(part, symbols, p), p) for p in drawn]
    found = sorted((pair for pair in found if not math.isnan(pair[0])), key=lambda pair: pair[0])
    if not found:
        return math.nan
    best, at = found[0]
    for step in [0.5**k for k in range(_STEPS)]:
        for place in moving * 2:
            for sign in (1, -1):
                there = min(max(at[place] + sign * step * max(abs(at[place]), 1.0), ends[place][0]), ends[place][1])
                p = (*at[:place], there, *at[place + 1 :])
                if (v := value(part, symbols, p)) < best:
                    best, at = v, p
    return best


def _simple_below(m: float, room: float) -> sp.Rational:
    """A short fraction between m - room and m."""
    unit = 2 ** max(0, math.ceil(1 - math.log2(room)))
    below = Fraction(math.floor((m - room / 4) * unit), unit)
    return sp.Rational(below.numerator, below.denominator)
