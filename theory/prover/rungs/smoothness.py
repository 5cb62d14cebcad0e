"""Where an expression is defined and has a slope: the conditions that plain enclosures leave open, with proofs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, exact
from theory.prover.expressions.rewriting import is_certain
from theory.prover.expressions.sampling import points, sign_at
from theory.prover.goal import Goal, Node, Searching


def rows(search: Searching, goal: Goal, depth: int) -> list[Node] | None:
    """Proofs, over the goal's box and givens, that its expression has a slope; None where one is not found."""
    found: list[Node] = []
    drawn = None
    for c, may_be_negative in _conditions(goal.expression):
        if _is_met(c, goal.box, may_be_negative=may_be_negative):
            continue
        drawn = points(goal) if drawn is None else drawn
        sign = sign_at(c, goal.box, drawn)
        if not sign or (sign < 0 and not may_be_negative):
            return None
        proof = search.attempt(replace(goal, expression=sign * c, is_strict=True), depth + 1)
        if proof is None:
            return None
        found.append({"of": sp.srepr(sign * c), "strict": True, "proof": proof})
    return found


def _conditions(expression: sp.Expr) -> Iterator[tuple[sp.Expr, bool]]:
    """(c, whether c may be negative as well) with c not 0 for every operation that may lack a value or a slope."""
    seen: set[sp.Expr] = set()
    for e in sp.postorder_traversal(expression):
        if e in seen:
            continue
        seen.add(e)
        if isinstance(e, sp.log):
            yield e.args[0], False
        elif isinstance(e, sp.asin | sp.acos):
            yield 1 - e.args[0], False
            yield 1 + e.args[0], False
        elif isinstance(e, sp.factorial):
            yield 1 + e.args[0], False
        elif isinstance(e, sp.sign | sp.Heaviside):
            yield e.args[0], True
        elif isinstance(e, sp.floor | sp.ceiling):
            yield sp.S.NegativeOne, False  # it jumps; the checker takes no slope across it
        elif e.is_Pow and not isinstance(e, sp.exp) and not e.base.is_Rational:
            if e.exp.is_Integer and e.exp < 0:
                yield e.base, True
            elif not e.exp.is_Integer:
                yield e.base, False


def is_defined(expression: sp.Expr, box: Box) -> bool:
    """Whether enclosures show that an expression has a value, and a slope, on all of the box."""
    return all(_is_met(c, box, may_be_negative=sign) for c, sign in _conditions(expression))


def _is_met(c: sp.Expr, box: Box, *, may_be_negative: bool) -> bool:
    return is_apart_from_zero(c, box) or (may_be_negative and is_apart_from_zero(-c, box))


def asked(expression: sp.Expr) -> Iterator[tuple[sp.Expr, bool]]:
    """(c, strict) with c > 0 or c >= 0 wherever an expression has a value, those of inner parts first.

    Not of a power with a symbol in its exponent, which may have a value at a base below 0, nor of a factorial.
    """
    for e in sp.postorder_traversal(expression):
        if isinstance(e, sp.log):
            yield e.args[0], True
        elif isinstance(e, sp.asin | sp.acos):
            yield 1 - e.args[0], False
            yield 1 + e.args[0], False
        elif e.is_Pow and e.exp.is_Rational and not e.exp.is_Integer and not e.base.is_Rational:
            yield e.base, bool(e.exp < 0)


def is_apart_from_zero(c: sp.Expr, box: Box) -> bool:
    """Whether c > 0 is certain, by enclosures, or because c = k s + d vanishes only at an end that is excluded."""
    if isinstance(c, sp.exp) or is_certain(c, True, box):
        return True
    if c.is_Pow:
        sides = [c.base, -c.base] if c.exp.is_Integer and c.exp % 2 == 0 else [c.base]
        return any(is_apart_from_zero(side, box) for side in sides)
    if isinstance(c, sp.factorial):
        return is_certain(c.args[0] + 1, True, box)
    if c.is_Mul and c.as_coeff_Mul()[0] > 0:
        return all(is_apart_from_zero(part, box) for part in c.args)
    symbols = c.free_symbols
    if len(symbols) != 1:
        return False
    (s,) = symbols
    slope, r = sp.diff(c, s), box[s]
    rest = sp.expand(c - slope * s)
    if not (slope.is_Rational and slope != 0 and rest.is_Rational):
        return False
    end = -rest / slope
    if slope > 0:
        return r.is_open and isinstance(r.low, Fraction) and end == exact(r.low)
    return r.is_open_high and isinstance(r.high, Fraction) and end == exact(r.high)
