"""The rung that puts a logarithm of a factorial between the bounds of Stirling's series."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.dummies import fresh
from theory.ordering import in_order
from theory.prover.expressions.rewriting import is_certain
from theory.prover.goal import Goal, Node, Searching
from theory.prover.rungs.orders import spread_logs

_MAX_FACTORIALS, _MAX_DEPTH = 4, 3


def bounds(x: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """(log x! less its lower bound, upper bound less log x!), both > 0 for x > 0; as the checker has them."""
    middle = x * sp.log(x) - x + sp.log(2 * sp.pi * x) / 2 + 1 / (12 * x)
    return sp.log(sp.factorial(x)) - middle + 1 / (360 * x**3), middle - sp.log(sp.factorial(x))


def stirling(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Each logarithm of a factorial at its lesser bound, and a proof of what that leaves."""
    e = sp.expand(goal.expression)
    logs = in_order(f for f in e.atoms(sp.log) if isinstance(f.args[0], sp.factorial))
    if depth > _MAX_DEPTH or not 0 < len(logs) <= _MAX_FACTORIALS:
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


def stirling_apart(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The same for factorials of expressions, of which none is multiplied out: what is >= 0 beside them is apart."""
    if depth > _MAX_DEPTH or all(f.args[0].is_Symbol for f in in_order(goal.expression.atoms(sp.factorial))):
        return None
    sizes = in_order(goal.expression.atoms(sp.Abs))
    return _without_size(search, goal, sizes[0], depth) if sizes else _tails_apart(search, goal, depth)


def _without_size(search: Searching, goal: Goal, size: sp.Abs, depth: int) -> Node | None:
    """With u in the place of |u|, where that takes a part >= 0 off the goal."""
    place = fresh("A", real=True)
    factor = goal.expression.xreplace({size: place}).diff(place)
    if factor.has(place):
        return None
    part, rest = factor * (size - size.args[0]), goal.expression.xreplace({size: size.args[0]})
    above = search.attempt(replace(goal, expression=part, is_strict=False), depth + 1)
    proof = above and stirling_apart(search, replace(goal, expression=rest), depth + 1)
    terms = [[[], sp.srepr(part), above]]
    return proof and {"by": "combine", "terms": terms, "rest": sp.srepr(rest), "proof": proof}


def _tails_apart(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Of log x!, where it stands with a factor > 0, x log x - x: each further term is a part >= 0."""
    logs = in_order(f for f in goal.expression.atoms(sp.log) if isinstance(f.args[0], sp.factorial))
    places = {f: fresh("L", real=True) for f in logs}
    e = goal.expression.xreplace(places)
    factors = {f: e.diff(s) for f, s in places.items()}
    is_certainly_above = all(is_certain(f.args[0].args[0], True, goal.box) for f in logs)
    if not (logs and is_certainly_above and all(w.is_Rational and w > 0 for w in factors.values())):
        return None
    rest = e.xreplace(dict.fromkeys(places.values(), sp.S.Zero))
    if rest.has(sp.factorial):
        return None
    terms, tails = [], []
    for f, factor in factors.items():
        x = f.args[0].args[0]
        terms.append([sp.srepr(x), str(factor)])
        tails += [factor * sp.log(2 * sp.pi * x) / 2, factor * (1 / (12 * x) - 1 / (360 * x**3))]
        rest += factor * (x * sp.log(x) - x)
    parts = []
    for part in [*tails, rest]:
        proof = search.attempt(replace(goal, expression=part, is_strict=False), depth + 1)
        if proof is None:
            return None
        parts.append([[], sp.srepr(part), proof])
    *apart, (_, last, proof) = parts
    split = {"by": "combine", "terms": apart, "rest": last, "proof": proof}
    return {"by": "stirling", "terms": terms, "rest": sp.srepr(sp.Add(*tails, rest)), "proof": split}
