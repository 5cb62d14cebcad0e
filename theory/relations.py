"""Relations kept as written.

sympy decides `S/(S + 1) > 0` for a positive S when it is constructed, and spends milliseconds on every relation that it
cannot decide. A statement of a paper must stay a statement until someone judges it, and a catalogue must import fast.
Substituting numbers evaluates such a relation as usual.
"""

from __future__ import annotations

import sympy as sp


def at_least(left: sp.Expr | float, right: sp.Expr | float) -> sp.Rel:
    """The relation left >= right, kept as written."""
    return sp.Ge(left, right, evaluate=False)


def at_most(left: sp.Expr | float, right: sp.Expr | float) -> sp.Rel:
    """The relation left <= right, kept as written."""
    return sp.Le(left, right, evaluate=False)


def above(left: sp.Expr | float, right: sp.Expr | float) -> sp.Rel:
    """The relation left > right, kept as written."""
    return sp.Gt(left, right, evaluate=False)


def below(left: sp.Expr | float, right: sp.Expr | float) -> sp.Rel:
    """The relation left < right, kept as written."""
    return sp.Lt(left, right, evaluate=False)


def as_positive(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """(expression, is_strict) with the relation meaning expression > 0 or >= 0."""
    if relation in (sp.true, sp.false):
        return (sp.S.One if relation == sp.true else sp.S.NegativeOne), False
    return relation.gts - relation.lts, isinstance(relation, sp.StrictLessThan | sp.StrictGreaterThan)
