"""Whether an expression has a limit that is not negative: asked of the checker, whose answer the step needs anyway.

The checker rests on nothing here, so it stays independent: the prover may ask it what it will accept, as it has it
replay each finished record. What is given up is a second rule beside the checker's. Its place is taken by the attack,
which evaluates the statement at points far out before any proof is looked for, and by a test that compares limits with
values far out.
"""

from __future__ import annotations

import math

import sympy as sp
from flint import ctx, fmpq

from theory.checker.enclosure import INFINITY, MINUS_INFINITY, SymbolRange
from theory.checker.infinity import limit_of, vanishes
from theory.checker.limits import InvalidRecord, metered
from theory.checker.parser import read_expression, read_symbol
from theory.checker.walks import normal
from theory.intervals.box import Box, End

_BITS = 128


def falls_to_a_limit(e: sp.Expr, s: sp.Symbol, end: str, box: Box, *, strict: bool) -> bool:
    """Whether all limits of e, as s goes to an end ("oo", "-oo", "0+" or "0-"), are >= 0, or > 0."""
    inward = {"oo": s, "-oo": -s, "0+": 1 / s, "0-": -1 / s}[end]
    try:
        with ctx.workprec(_BITS), metered():
            others = {read_symbol(sp.srepr(x)): _range(r.low, r.high) for x, r in box.items() if x != s}
            far, symbol = normal(read_expression(sp.srepr(e.subs(s, inward)))), read_symbol(sp.srepr(s))
            least = limit_of(far, symbol, others).low
            if not strict and not least >= 0:
                return vanishes(far, symbol, others)
    except InvalidRecord:
        return False
    return bool(least > 0 if strict else least >= 0)


def _range(low: End, high: End) -> SymbolRange:
    return SymbolRange(_end(low), _end(high))


def _end(end: End) -> object:
    if isinstance(end, float):
        return INFINITY if end == math.inf else MINUS_INFINITY
    return fmpq(end.numerator, end.denominator)
