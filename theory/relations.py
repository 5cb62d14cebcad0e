"""Relations kept as written.

sympy decides `S/(S + 1) > 0` for a positive S when it is constructed, and spends milliseconds on every relation that it
cannot decide. A statement of a paper must stay a statement until someone judges it, and a catalogue must import fast.
Substituting numbers evaluates such a relation as usual.
"""

from __future__ import annotations

from functools import partial

import sympy as sp

at_least = partial(sp.Ge, evaluate=False)
at_most = partial(sp.Le, evaluate=False)
above = partial(sp.Gt, evaluate=False)
below = partial(sp.Lt, evaluate=False)


def as_positive(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """(expression, is_strict) with the relation meaning expression > 0 or >= 0."""
    if relation in (sp.true, sp.false):
        return (sp.S.One if relation == sp.true else sp.S.NegativeOne), False
    return relation.gts - relation.lts, isinstance(relation, sp.StrictLessThan | sp.StrictGreaterThan)
