"""The rungs that use what is given: as ends of the box, as equations, as sums of products."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.dummies import fresh
from theory.intervals.box import Box, VariableRange, exact
from theory.prover.expressions.rewriting import is_certain, rename_functions
from theory.prover.goal import Given, Goal, Node, Searching
from theory.prover.rungs.smoothness import asked, is_defined


def narrow(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A given in one symbol with numbers alone becomes an end of its range."""
    for place, given in enumerate(goal.given):
        end = _end_of_range(given.expression, goal.box)
        r = _cut(goal.box[end[0]], *end[1:], given.is_strict) if end is not None else None
        if end is None or r is None:
            continue
        s = end[0]
        left = tuple(g for i, g in enumerate(goal.given) if i != place)
        proof = search.attempt(replace(goal, box=goal.box | {s: r}, given=left), depth)
        return None if proof is None else {"by": "narrow", "given": place, "symbol": sp.srepr(s), "proof": proof}
    return None


def required(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A given holds only where it has a value: log(x) >= 0 says x > 0 as well, where that leaves less of the box."""
    for place, given in enumerate(goal.given):
        for c, is_strict in asked(given.expression):
            if not _leaves_less(goal.box, c, strict=is_strict) or not is_defined(c, goal.box):
                continue
            if Given(c, is_strict) in goal.given:  # it has been tried, and again would be without end
                continue
            more = replace(goal, given=(*goal.given, Given(c, is_strict)))
            proof = search.attempt(more, depth)
            if proof is None:
                return None
            return {
                "by": "derive", "fact": sp.srepr(c), "strict": is_strict, "show": {"by": "domain", "given": place},
                "proof": proof,
            }  # fmt: skip
    return None


def _leaves_less(box: Box, c: sp.Expr, *, strict: bool) -> bool:
    """Whether a condition fails on all of the box, or is an end of a range inside it."""
    if is_certain(-c, not strict, box):
        return True
    end = _end_of_range(c, box)
    if end is None:
        return False
    s, at, is_low = end
    r = _cut(box[s], at, is_low, strict)
    return r is not None and r != box[s]


def _end_of_range(c: sp.Expr, box: Box) -> tuple[sp.Symbol, Fraction, bool] | None:
    """(s, end, whether it is the low one) of a condition k s + d with numbers k and d."""
    symbols = c.free_symbols
    if len(symbols) != 1 or not symbols <= set(box):
        return None
    (s,) = symbols
    slope = sp.diff(c, s)
    if not (slope.is_Rational and slope != 0):
        return None
    end = sp.expand(s - c / slope)
    return (s, Fraction(int(end.p), int(end.q)), bool(slope > 0)) if end.is_Rational else None


def first_integer(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The least integer of a range by itself: powers and logarithms often have no value, or touch, there alone."""
    for s, r in goal.box.items():
        is_rough = depth == 0 and any(s in power.exp.free_symbols for power in goal.expression.atoms(sp.Pow))
        if not (
            s.is_integer and is_rough and isinstance(r.low, Fraction) and r.low.denominator == 1 and r.low < r.high
        ):
            continue
        below = search.attempt(replace(goal, box=goal.box | {s: VariableRange(r.low, r.low)}), depth + 1)
        above = below and search.attempt(replace(goal, box=goal.box | {s: replace(r, low=r.low + 1)}), depth + 1)
        if above:
            return {"by": "split", "symbol": sp.srepr(s), "at": str(exact(r.low)), "below": below, "above": above}
    return None


def renamed_givens(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Make exp, log and roots variables of their own in the goal and in what is given."""
    if depth > 2 or not goal.given:
        return None
    marks = [fresh("g", real=True) for _ in goal.given]
    joined = goal.expression + sp.Add(*[m * g.expression for m, g in zip(marks, goal.given, strict=True)])
    box = goal.box | {m: VariableRange(Fraction(0), Fraction(1)) for m in marks}
    renamed = rename_functions(Goal(joined, goal.is_strict, box))
    if renamed is None:
        return None
    whole, pairs, inner = renamed
    expression = whole.subs(dict.fromkeys(marks, 0))
    given = [
        (sp.diff(whole, m), g.is_strict, place) for place, (m, g) in enumerate(zip(marks, goal.given, strict=True))
    ]
    used = expression.free_symbols.union(*(e.free_symbols for e, _, _ in given))
    kept = tuple(Given(e, strict) for e, strict, _ in given)
    proof = search.attempt(
        Goal(expression, goal.is_strict, {s: r for s, r in inner.items() if s in used}, kept), depth + 1
    )
    if proof is None:
        return None
    rows = [
        [sp.srepr(u), sp.srepr(pairs[u]), str(exact(inner[u].low)), str(exact(inner[u].high)), inner[u].is_open]
        for u in pairs
        if u in used
    ]
    again = [[sp.srepr(e), place] for e, _, place in given]
    return {"by": "change", "rows": rows, "expression": sp.srepr(expression), "given": again, "proof": proof}


def _cut(r: VariableRange, end: Fraction, is_low: bool, strict: bool) -> VariableRange | None:
    """The range with one end moved inward, or left out."""
    if is_low and end >= r.low and end <= r.high:
        return replace(r, low=end, is_open=strict or (end == r.low and r.is_open))
    if not is_low and end <= r.high and end >= r.low:
        return replace(r, high=end, is_open_high=strict or (end == r.high and r.is_open_high))
    return None
