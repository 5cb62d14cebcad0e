"""Piecewise expressions as choices between two by one relation each, and what is left where a relation is decided.

The checker reads a Piecewise in the same way (`theory.checker.pieces`): a condition must have a value, and so must each
of its relations, even where another one decides; a piece that is not taken need have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp

_OTHERWISE = {
    sp.Gt: (sp.Le,), sp.Ge: (sp.Lt,), sp.Lt: (sp.Ge,), sp.Le: (sp.Gt,), sp.Eq: (sp.Lt, sp.Gt),
}  # fmt: skip
_MAX_LEAVES = 8


def remade(e: sp.Basic, arguments: Sequence[sp.Basic]) -> sp.Basic:
    """An operation on other arguments, as written: what has no value keeps none."""
    if isinstance(e, sp.functions.elementary.piecewise.ExprCondPair):
        return e.func(*arguments)
    if e.is_Pow and not isinstance(e, sp.exp):
        return sp.Pow(*arguments, evaluate=False)
    return e.func(*arguments, evaluate=False)


def has_pieces(parts: Iterable[sp.Basic]) -> bool:
    """Whether some part is a Piecewise."""
    return any(part.has(sp.Piecewise) for part in parts)


def in_choices(e: sp.Basic) -> sp.Basic:
    """An expression or relation with every Piecewise as choices between two: Piecewise((one, relation), (other, True)).

    Raises:
        ValueError: a condition that is no relation and not made of some, or one of too many.
    """
    if not e.has(sp.Piecewise):
        return e
    if not isinstance(e, sp.Piecewise):
        return remade(e, [in_choices(a) for a in e.args])
    found: sp.Basic = sp.nan
    for piece, condition in reversed(e.args):
        if _leaves(condition) > _MAX_LEAVES:
            raise ValueError(f"a condition must have at most {_MAX_LEAVES} relations, got more")
        found = _branch(condition, in_choices(piece), found)
    return found


def _leaves(condition: sp.Basic) -> int:
    """How many relations a condition has; each doubles what is written."""
    return sum(map(_leaves, condition.args)) if isinstance(condition, sp.And | sp.Or | sp.Not) else 1


def _branch(condition: sp.Basic, one: sp.Basic, other: sp.Basic) -> sp.Basic:
    if condition in (sp.true, sp.false):
        return one if condition == sp.true else other
    if isinstance(condition, sp.Not):
        return _branch(condition.args[0], other, one)
    if isinstance(condition, sp.Or):
        one, other = other, one
    if isinstance(condition, sp.Or | sp.And):
        return _joined(list(condition.args), one, other, turned=isinstance(condition, sp.Or))
    if isinstance(condition, sp.Ne):
        return _choice(sp.Eq(*condition.args, evaluate=False), other, one)
    if condition.func in _OTHERWISE:
        return _choice(condition, one, other)
    raise ValueError(f"a condition must be made of relations, got {condition.func}")


def _joined(conditions: list[sp.Basic], one: sp.Basic, other: sp.Basic, *, turned: bool) -> sp.Basic:
    """`one` where all conditions hold (turned: where none does); each is asked for, whatever the others are."""
    if not conditions:
        return one
    inner = _joined(conditions[1:], one, other, turned=turned)
    outer = _joined(conditions[1:], other, other, turned=turned)
    return _branch(conditions[0], outer, inner) if turned else _branch(conditions[0], inner, outer)


def _choice(relation: sp.Basic, one: sp.Basic, other: sp.Basic) -> sp.Basic:
    relation = remade(relation, [in_choices(side) for side in relation.args])
    return sp.Piecewise((one, relation), (other, True), evaluate=False)


def first_relation(e: sp.Basic) -> sp.Basic | None:
    """The relation of a choice that lies in no other one's pieces, and has no choice in itself."""
    if not e.has(sp.Piecewise):
        return None
    if isinstance(e, sp.Piecewise):
        relation = e.args[0].cond
        return first_relation(relation) or relation
    return next(found for found in map(first_relation, e.args) if found is not None)


def otherwise(relation: sp.Basic) -> tuple[sp.Basic, ...]:
    """What may hold where a relation between real numbers fails, in the checker's order."""
    return tuple(kind(*relation.args, evaluate=False) for kind in _OTHERWISE[relation.func])


def decided(e: sp.Basic, asked: sp.Basic, holds: bool) -> sp.Basic:
    """An expression in choices where a relation holds or fails."""
    if not e.has(sp.Piecewise):
        return e
    if isinstance(e, sp.Piecewise) and _turned(e.args[0].cond) == _turned(asked):
        return decided(e.args[0].expr if holds else e.args[1].expr, asked, holds)
    return remade(e, [decided(a, asked, holds) for a in e.args])


def _turned(relation: sp.Basic) -> tuple:
    """A relation with > and >= for < and <=."""
    if isinstance(relation, sp.Lt | sp.Le):
        return (sp.Gt if isinstance(relation, sp.Lt) else sp.Ge, relation.rhs, relation.lhs)
    return relation.func, *relation.args
