"""Choices: a Max, Min or absolute value is each of its arguments in turn, where that one is its value."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.dummies import fresh
from theory.ordering import in_order
from theory.prover.goal import Given, Goal, Node, Searching, as_written, restated
from theory.prover.records import read_as
from theory.prover.rungs.combinations import affine, multiplied

_MAX_CHOICES = 8


def choices_of(goal: Goal) -> list[sp.Expr]:
    """The choices of a goal, the simplest first: within it there is none."""
    found = in_order(m for m in goal.expression.atoms(sp.Max, sp.Min, sp.Abs) if m.is_extended_real)
    return sorted(found, key=lambda m: m.count_ops())


def decided(goal: Goal) -> Goal:
    """The goal with choices as the checker reads them: of |n| for n >= 0, n, and of |n log n| for n > 0, n |log n|."""
    values = {m: read_as(m, (*m.args, -m.args[0], *_taken_out(m))) for m in choices_of(goal)}
    expression = goal.expression.xreplace({m: value for m, value in values.items() if value is not None})
    return goal if expression == goal.expression else replace(goal, expression=expression)


def _taken_out(choice: sp.Expr) -> list[sp.Expr]:
    """The absolute value of a product with positive factors before it."""
    inside = choice.args[0]
    if not isinstance(choice, sp.Abs) or not isinstance(inside, sp.Mul):
        return []
    before = [f for f in inside.args if f.is_positive and (f.is_Symbol or (f.is_Pow and f.base.is_Symbol))]
    rest = [f for f in inside.args if f not in before]
    return [sp.Mul(*before, sp.Abs(sp.Mul(*rest), evaluate=False))] if before and rest else []


def cases_of(goal: Goal, choice: sp.Expr) -> list[Goal]:
    """The goal where each argument of a choice in turn is its value."""
    sign = -1 if isinstance(choice, sp.Min) else 1
    values = (choice.args[0], -choice.args[0]) if isinstance(choice, sp.Abs) else choice.args
    found = []
    for value in values:
        wins = tuple(Given(sign * (value - other), False) for other in values if other != value)
        found.append(replace(goal, expression=goal.expression.subs(choice, value), given=(*goal.given, *wins)))
    return found


def is_taken_off(e: sp.Expr, choice: sp.Expr) -> bool:
    """Whether a maximum or absolute value stands in a sum with a negative number, or a minimum with a positive one."""
    mark = fresh("m")
    slope = sp.diff(e.xreplace({choice: mark}), mark)
    return bool(slope.is_number and (slope.is_positive if isinstance(choice, sp.Min) else slope.is_negative))


def is_affine(given: tuple[Given, ...]) -> bool:
    """Whether all that is given is of degree one in the symbols."""
    forms = [(g.expression, in_order(g.expression.free_symbols)) for g in given]
    return all(e.is_polynomial(*xs) and sp.Poly(e, *xs).total_degree() <= 1 for e, xs in forms if xs)


def all_choices(search: Searching, goal: Goal, depth: int) -> Node | None:
    """All choices at once, where they are added up with numbers: each combination is a sum of what is given there."""
    if search.is_plain or not 0 < len(choices_of(goal)) <= _MAX_CHOICES:
        return None
    plain = decided(goal)
    proof = _apart(search, plain) if _is_sum_of_choices(plain.expression) else None
    return proof if plain is goal else restated(plain.expression, proof)


def _is_sum_of_choices(e: sp.Expr) -> bool:
    """Whether choices, inside others as well, have numbers as factors."""
    marks = {m: fresh("m") for m in in_order(e.atoms(sp.Max, sp.Min, sp.Abs))}
    parts = [e, *(part for m in marks for part in m.args)]
    return all(
        sp.diff(form, mark).is_Rational for form in (part.xreplace(marks) for part in parts) for mark in marks.values()
    )


def _apart(search: Searching, goal: Goal) -> Node | None:
    """A choice in its cases, unless what is given does without it."""
    found, choices = affine(search, goal, 0), choices_of(goal)
    if found is not None or search.is_late():
        return found
    if not choices:
        return multiplied(search, goal, 0)
    proofs = []
    for inner in cases_of(goal, choices[0]):
        proof = as_written(inner, _apart(search, inner))
        if proof is None:
            return None
        proofs.append(proof)
    return {"by": "cases", "of": sp.srepr(choices[0]), "proofs": proofs}
