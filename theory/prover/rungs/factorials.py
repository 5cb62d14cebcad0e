"""The rung that puts a logarithm of a factorial between the bounds of Stirling's series."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.ordering import in_order
from theory.prover.expressions.rewriting import is_certain
from theory.prover.goal import Goal, Node, Searching
from theory.prover.rungs.orders import spread_logs

_MAX_FACTORIALS = 4


def bounds(x: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """(log x! less its lower bound, upper bound less log x!), both > 0 for x > 0; as the checker has them."""
    middle = x * sp.log(x) - x + sp.log(2 * sp.pi * x) / 2 + 1 / (12 * x)
    return sp.log(sp.factorial(x)) - middle + 1 / (360 * x**3), middle - sp.log(sp.factorial(x))


def stirling(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Each logarithm of a factorial at its lesser bound, and a proof of what that leaves."""
    e = sp.expand(goal.expression)
    logs = in_order(f for f in e.atoms(sp.log) if isinstance(f.args[0], sp.factorial))
    if depth > 3 or not 0 < len(logs) <= _MAX_FACTORIALS:
        return None
    terms, rest = [], e
    for f in logs:
        x, factor = f.args[0].args[0], e.coeff(f, 1)
        if not (factor.is_Rational and factor != 0 and is_certain(x, True, goal.box)):
            return None
        below, above = bounds(x)
        rest -= factor * below if factor > 0 else -factor * above
        terms.append([sp.srepr(x), str(factor)])
    rest = sp.expand(spread_logs(sp.expand(rest), goal.box))
    if rest.has(sp.factorial):
        return None
    proof = search.attempt(replace(goal, expression=rest, is_strict=False), depth + 1)
    return None if proof is None else {"by": "stirling", "terms": terms, "rest": sp.srepr(rest), "proof": proof}
