"""Relations as goals: what is typed, with its arithmetic done, as expressions that are > 0 or >= 0."""

from __future__ import annotations

import sympy as sp

from theory.prover.goal import Given
from theory.prover.records import agree
from theory.relations import as_positive

ROUNDED = (sp.floor, sp.ceiling, sp.frac, sp.Mod)


def in_floors(function: type, arguments: list[sp.Expr]) -> sp.Expr:
    """A rounded value in terms of floors alone."""
    x, m = arguments[0], arguments[-1]
    if function is sp.ceiling:
        return -floor_of(-x)
    if function is sp.frac:
        return x - floor_of(x)
    return x - m * floor_of(x / m) if function is sp.Mod else floor_of(x)


def floor_of(x: sp.Expr) -> sp.Expr:
    """The floor of an expression, with no more taken out of it than a whole number, as the checker has it."""
    if x.is_Rational:
        return sp.floor(x)
    whole = sp.floor(x.as_coeff_Add()[0])
    return whole + sp.floor(x - whole, evaluate=False)


def hypotheses(given: sp.Basic) -> tuple[Given, ...]:
    """What a given says, of an equation that neither side is greater; in the order of the checker."""
    if isinstance(given, sp.Eq):
        sides = evaluated(given.lhs), evaluated(given.rhs)
        return Given(sides[0] - sides[1], False), Given(sides[1] - sides[0], False)
    expression, is_strict = as_positive(given)
    return (Given(evaluated(expression), is_strict),)


def with_choices_as_read(e: sp.Expr) -> tuple[sp.Expr, bool]:
    """An expression with its arithmetic done, and whether a record has to state it so.

    A step on a choice or a floor must find it written as it is there. Of |a| and |-a| with waves in a the checker does
    not always see that they are the same: then the expression stays as it was typed.
    """
    form = evaluated(e)
    if form == e or not e.has(sp.Abs, sp.Max, sp.Min, *ROUNDED):
        return form, False
    return (form, True) if e.has(*ROUNDED) or agree(sp.srepr(form), sp.srepr(e)) else (e, False)


def evaluated(e: sp.Expr) -> sp.Expr:
    """An expression that was kept as typed, with its arithmetic done; that it has a value is shown elsewhere."""
    if not e.args:
        return e
    arguments = [evaluated(a) for a in e.args]
    try:
        found = _applied(e, arguments)
    except (ValueError, ZeroDivisionError):  # of a choice or step at a number that is not real, and of a modulus 0
        return e
    if isinstance(found, sp.binomial):
        n, k = found.args
        found = sp.factorial(n) / (sp.factorial(k) * sp.factorial(n - k))
    return e if found.has(sp.nan, sp.zoo, sp.oo, sp.I) else found


def _applied(e: sp.Expr, arguments: list[sp.Expr]) -> sp.Expr:
    """The outermost operation of an expression on other arguments."""
    if isinstance(e, ROUNDED):
        return in_floors(e.func, arguments)
    if isinstance(e, sp.Max | sp.Min) and e.has(*ROUNDED):  # sympy decides some of these by what it knows of floors
        return e.func(*arguments, evaluate=False)
    return e.func(*arguments)
