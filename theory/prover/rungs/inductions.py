"""Whole numbers one after another: a statement at the first, and at n + 1 wherever it holds at n."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, exact
from theory.ordering import in_order
from theory.prover.expressions.factorials import in_the_least
from theory.prover.expressions.sums import written_out
from theory.prover.goal import Given, Goal, Node, Searching
from theory.prover.rungs.orders import spread_logs
from theory.prover.rungs.smoothness import is_apart_from_zero


def induction(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The step, where e(n + 1) is a positive multiple of e(n) and a rest that can be certified."""
    if depth > 2:
        return None
    for s, r in goal.box.items():
        is_first = s.is_integer and isinstance(r.low, Fraction) and r.low.denominator == 1 and r.high == math.inf
        if (
            not is_first
            or any(s in g.expression.free_symbols for g in goal.given)
            or not _asks(goal.expression, s, goal.box)
        ):
            continue
        others = {x: v for x, v in goal.box.items() if x != s}
        first = replace(goal, expression=written_out(goal.expression.subs(s, exact(r.low))), box=others)
        base = search.attempt(first, depth + 1)
        if base is None:
            continue
        for weight in _weights(goal.expression, s):
            following = written_out(in_the_least(goal.expression.subs(s, s + 1), goal.expression))
            rest = sp.expand(sp.powsimp(sp.expand(spread_logs(following, goal.box) - weight * goal.expression)))
            # A sum has no value in floats: a given that holds everywhere takes its place.
            at_n = sp.S.One if goal.expression.has(sp.Sum) else goal.expression
            known = (*goal.given, Given(at_n, goal.is_strict))
            left = replace(goal, expression=_tidy(rest, goal.box), is_strict=False, given=known)
            proof = search.attempt(left, depth + 1)
            if proof is not None:
                step = {
                    "by": "combine", "terms": [[[len(goal.given)], sp.srepr(weight), None]],
                    "rest": sp.srepr(_tidy(rest, goal.box)), "proof": proof,
                }  # fmt: skip
                return {"by": "induction", "symbol": sp.srepr(s), "base": base, "step": step}
    return None


def counts(e: sp.Expr) -> bool:
    """Whether an expression has factorials, sums or powers with a symbol in the exponent."""
    powers = any(power.exp.free_symbols for power in e.atoms(sp.Pow) if not isinstance(power, sp.exp))
    return powers or e.has(sp.factorial, sp.Sum)


def _asks(e: sp.Expr, s: sp.Symbol, box: Box) -> bool:
    """Whether the expression has a factorial of s, a sum up to s, or a power of a positive part with exponent s."""
    powers = _powers(e, s)
    if not all(power.exp.is_integer or is_apart_from_zero(power.base, box) for power in powers):
        return False
    return bool(powers) or any(s in f.free_symbols for f in e.atoms(sp.factorial, sp.Sum))


def _powers(e: sp.Expr, s: sp.Symbol) -> list[sp.Pow]:
    return in_order(p for p in e.atoms(sp.Pow) if s in p.exp.free_symbols and s not in p.base.free_symbols)


def _weights(e: sp.Expr, s: sp.Symbol) -> Iterator[sp.Expr]:
    """1, and the bases of powers: b^(n + 1) is b b^n for b > 0."""
    yield sp.S.One
    yield from (power.base for power in _powers(e, s) if sp.diff(power.exp, s) == 1)


def _tidy(e: sp.Expr, box: Box) -> sp.Expr:
    """A rest with the logarithms of multiples of one symbol in one form."""
    return sp.expand(spread_logs(e, box))
