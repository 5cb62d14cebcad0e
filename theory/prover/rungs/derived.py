"""Facts that follow from one given at once: a factor less, or what a logarithm, an exponential or a power says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from theory.prover.expressions.normal_form import is_small
from theory.prover.expressions.rewriting import factors, is_certain
from theory.prover.goal import Given, Goal, Node, Searching
from theory.prover.rungs.smoothness import is_apart_from_zero

_MAX_FACTS = 8


def derive(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Add one new fact to the givens and go on; the facts of the first given that has any."""
    if depth > 2 or len(goal.given) > _MAX_FACTS:
        return None
    known = {g.expression for g in goal.given}
    for place, given in enumerate(goal.given):
        for fact, show in _facts(goal, place, given):
            if fact.expression in known or fact.expression.is_Rational or sp.expand(fact.expression) in known:
                continue
            proof = search.attempt(replace(goal, given=(*goal.given, fact)), depth + 1)
            if proof is None:
                return None
            return {
                "by": "derive", "fact": sp.srepr(fact.expression), "strict": fact.is_strict, "show": show,
                "proof": proof,
            }  # fmt: skip
    return None


def _facts(goal: Goal, place: int, given: Given) -> Iterator[tuple[Given, Node]]:
    yield from _without_a_factor(goal, place, given)
    yield from _through_a_function(goal, place, given)


def _without_a_factor(goal: Goal, place: int, given: Given) -> Iterator[tuple[Given, Node]]:
    """A given that is a product, less its factors of certain sign."""
    roots = {p for p in given.expression.atoms(sp.Pow) if p.base.is_Add and not p.exp.is_Integer}
    # A root of a product is one of its factors' roots only where their signs are known.
    parts = factors(given.expression) if is_small(given.expression) and not roots else None
    if not parts or (len(parts) == 1 and parts[0][1] == 1):
        return
    outside, inside = sp.S.One, sp.S.One
    for part, power in parts:
        if power % 2 == 0:
            if not is_apart_from_zero(part, goal.box) and not is_apart_from_zero(-part, goal.box):
                inside *= part**power
                continue
            outside *= part**power
        elif is_apart_from_zero(part, goal.box):
            outside *= part**power
        elif is_apart_from_zero(-part, goal.box):
            outside *= -((-part) ** power)
        else:
            inside *= part**power
    sign = -1 if is_certain(-outside, False, goal.box) else 1
    inside, outside = sign * inside, sign * outside
    if outside == 1 or inside.is_Rational:
        return
    show = _combined([[place]], 1 / outside)
    yield Given(sp.expand(inside) if inside.is_polynomial() else inside, given.is_strict), show


def _combined(references: list, weight: sp.Expr) -> Node:
    return {
        "by": "combine", "terms": [[references[0], sp.srepr(weight), {"by": "interval"}]], "rest": "Integer(0)",
        "proof": {"by": "zero"},
    }  # fmt: skip


def _through_a_function(goal: Goal, place: int, given: Given) -> Iterator[tuple[Given, Node]]:
    """exp(a) > c gives a > log c; log(a) > c gives a > exp(c); the same with both sides of one kind."""
    terms = sp.Add.make_args(given.expression)
    if len(terms) > 2:
        return
    for one, other in ((terms[0], terms[-1]), (terms[-1], terms[0])):
        other = sp.S.Zero if len(terms) == 1 else other
        sign, left = (-1, -one) if one.could_extract_minus_sign() else (1, one)
        right = -other if sign == 1 else other
        pair = _undone(left, right, goal)
        if pair is None:
            continue
        (a, b), through = pair
        left_side, right_side = (a, b) if sign == 1 else (b, a)
        step = {
            "by": "order", "through": through, "left": sp.srepr(left_side), "right": sp.srepr(right_side),
            "positive": [None, None], "proof": _combined([[place]], sp.S.One),
        }  # fmt: skip
        yield Given(left_side - right_side, given.is_strict), step
        return


def _undone(left: sp.Expr, right: sp.Expr, goal: Goal) -> tuple[tuple[sp.Expr, sp.Expr], str] | None:
    """((a, b), through) with through(a) = left and through(b) = right, where both are certain."""
    if isinstance(left, sp.exp):
        if isinstance(right, sp.exp):
            return (left.args[0], right.args[0]), "exp"
        if right.is_positive and is_certain(right, True, goal.box):
            return (left.args[0], sp.log(right)), "exp"
    if isinstance(left, sp.log) and is_certain(left.args[0], True, goal.box):
        return (left.args[0], sp.exp(right)), "log"
    if isinstance(left, sp.log) and is_apart_from_zero(left.args[0], goal.box):
        return (left.args[0], sp.exp(right)), "log"
    return None
