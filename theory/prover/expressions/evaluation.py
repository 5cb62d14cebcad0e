"""Relations as goals: what is typed, with its arithmetic done, as expressions that are > 0 or >= 0."""

from __future__ import annotations

import sympy as sp

from theory.prover.goal import Given
from theory.prover.records import agree
from theory.relations import as_positive


def hypotheses(given: sp.Basic) -> tuple[Given, ...]:
    """What a given says, of an equation that neither side is greater; in the order of the checker."""
    if isinstance(given, sp.Eq):
        sides = evaluated(given.lhs), evaluated(given.rhs)
        return Given(sides[0] - sides[1], False), Given(sides[1] - sides[0], False)
    expression, is_strict = as_positive(given)
    return (Given(evaluated(expression), is_strict),)


def with_choices_as_read(e: sp.Expr) -> tuple[sp.Expr, bool]:
    """An expression with its arithmetic done, and whether a record has to state it so.

    A step on a choice must find it written as it is there. Of |a| and |-a| with waves in a the checker does not always
    see that they are the same: then the expression stays as it was typed.
    """
    form = evaluated(e)
    if form == e or not e.has(sp.Abs, sp.Max, sp.Min):
        return form, False
    return (form, True) if agree(sp.srepr(form), sp.srepr(e)) else (e, False)


def evaluated(e: sp.Expr) -> sp.Expr:
    """An expression that was kept as typed, with its arithmetic done; that it has a value is shown elsewhere."""
    try:
        found = e if not e.args else e.func(*[evaluated(a) for a in e.args])
    except (ArithmeticError, ValueError, TypeError, RecursionError):
        return e
    if isinstance(found, sp.binomial):
        n, k = found.args
        found = sp.factorial(n) / (sp.factorial(k) * sp.factorial(n - k))
    return e if found.has(sp.nan, sp.zoo, sp.oo, sp.I) else found
