"""A sum of parts that are never negative, each proved by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small
from theory.prover.expressions.sampling import is_plausible, points
from theory.prover.goal import Goal, Node, Searching

_MAX_DEPTH, _MAX_PARTS = 2, 6


def part_by_part(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The goal as a sum of parts none of which is negative: what stands with one monomial, or with one logarithm."""
    if depth > _MAX_DEPTH or not goal.expression.atoms(sp.log) or not is_small(goal.expression):
        return None
    drawn = points(goal)
    if not drawn:
        return None
    for parts in _partitions(goal.expression):
        if not all(is_plausible(part, goal.box, drawn) for part in parts):
            continue
        proof = _of_all(search, goal, parts, depth)
        if proof is not None:
            return proof
    return None


def _of_all(search: Searching, goal: Goal, parts: list[sp.Expr], depth: int) -> Node | None:
    """Proofs of all parts, the last of them as the rest, which has to be positive where the goal has to."""
    *others, rest = parts
    terms = []
    for part in others:
        proof = search.attempt(replace(goal, expression=part, is_strict=False), depth + 1)
        if proof is None:
            return None
        terms.append([[], sp.srepr(part), proof])
    proof = search.attempt(replace(goal, expression=rest), depth + 1)
    return None if proof is None else {"by": "combine", "terms": terms, "rest": sp.srepr(rest), "proof": proof}


def _partitions(e: sp.Expr) -> Iterator[list[sp.Expr]]:
    """Ways to write a sum, two to six parts each; the larger part last."""
    flat = sp.expand(sp.expand_log(e, force=False))
    by_monomial: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(flat):
        monomial = sp.Mul(*[f for f in sp.Mul.make_args(term) if f.is_Symbol or (f.is_Pow and f.base.is_Symbol)])
        by_monomial[monomial] = by_monomial.get(monomial, sp.S.Zero) + term / monomial
    ways = [[monomial * inside for monomial, inside in by_monomial.items()]]
    collected = sp.collect(flat, in_order(flat.atoms(sp.log)), evaluate=False)
    of_logs = [sp.factor(c) * log for log, c in collected.items()]
    ways += [[part, sp.Add(*[other for other in of_logs if other is not part])] for part in of_logs]
    for parts in ways:
        kept = sorted((part for part in parts if part != 0), key=sp.count_ops)
        if 2 <= len(kept) <= _MAX_PARTS:
            yield kept
