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


def with_plain_indices(said: sp.Basic) -> sp.Basic:
    """A relation or expression whose sums and products run over indices that are whole and nothing more.

    `Symbol("k", integer=True, positive=True)` in a sum from 1 on says no more than that sum does, and a checker that
    reads the sum has no use for it. What a sum's first index does not bear out stays: a positive index from 0 on.
    """
    if isinstance(said, sp.Rel):
        sides = tuple(map(with_plain_indices, said.args))
        return said if sides == said.args else said.func(*sides, evaluate=False)
    for total in said.atoms(sp.Sum, sp.Product):
        plain = total
        for index, low, _ in (limit for limit in total.limits if len(limit) == 3):
            free = sp.Symbol(index.name, integer=True)
            least = 1 if index.is_positive else 0 if index.is_nonnegative else None
            if index != free and index.is_integer and least is not None and (low - least).is_nonnegative:
                plain = plain.xreplace({index: free}) if free not in total.free_symbols else plain
        if plain != total:
            return with_plain_indices(said.xreplace({total: plain}))
    return said
