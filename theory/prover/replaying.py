"""Whether the checker follows a proof of one goal on the way to a whole one.

The checker puts things in by itself, and it may write the outcome otherwise than sympy does, or ask more of a step than
its rung did. A record that it refuses says little about where; asked about each goal by itself, it says which.
"""

from __future__ import annotations

import sympy as sp
from flint import ctx

from theory.checker.domain import Condition
from theory.checker.enclosure import SymbolRange
from theory.checker.goal import ReplayGoal
from theory.checker.limits import InvalidRecord, metered
from theory.checker.parser import read_end, read_expression, read_symbol
from theory.checker.statement import read_statement
from theory.checker.steps import check
from theory.checker.walks import normal
from theory.intervals.box import End, exact
from theory.prover.goal import Goal, Node

_BITS = 128
"""As `theory.checker.replay` has."""


def unread(statement: Node) -> str:
    """Why the checker does not read a statement, so that it follows no proof of it; "" where it does."""
    try:
        with ctx.workprec(_BITS), metered():
            read_statement(statement)
    except InvalidRecord as refusal:
        return str(refusal)
    return ""


def known_conditions(statement: Node) -> tuple[Condition, ...]:
    """What the parts of a statement's sides ask for to have values; whole proofs of it may use that they do.

    None are known as long as choices among pieces are left, or where the checker does not read the statement.
    """
    try:
        with ctx.workprec(_BITS), metered():
            return read_statement(statement).asked
    except InvalidRecord:
        return ()


def is_followed(proof: Node, goal: Goal, sound: tuple[Condition, ...] = ()) -> bool:
    """Whether the checker accepts a proof of one goal, where conditions are known to be met."""
    try:
        with ctx.workprec(_BITS), metered():
            check(proof, _as_read(goal, sound))
    except InvalidRecord:
        return False
    return True


def _as_read(goal: Goal, sound: tuple[Condition, ...]) -> ReplayGoal:
    box = {
        read_symbol(sp.srepr(s)): SymbolRange(_end(r.low), _end(r.high), r.is_open, r.is_open_high, bool(s.is_integer))
        for s, r in goal.box.items()
    }
    given = tuple((normal(read_expression(sp.srepr(g.expression))), g.is_strict) for g in goal.given)
    return ReplayGoal(normal(read_expression(sp.srepr(goal.expression))), goal.is_strict, box, given, sound)


def _end(end: End) -> object:
    return read_end(str(exact(end)))
