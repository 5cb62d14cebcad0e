"""Expressions by cases: what a Piecewise is read as, and what is left of one where a relation holds or fails.

A Piecewise becomes choices between two: Node("choice", (left, right, one, other), sign) is `one` where left stands in
the relation `sign` (>, >= or ==) to right, and `other` elsewhere. Where no case applies stands Node("nowhere"), which
has no value. A piece that is not taken need have none either; a condition must, and each of its relations, even where
another one decides. No step of a proof enters a choice: a statement is taken apart first, case by case
(`theory.checker.statement`), until none is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from theory.checker.limits import require
from theory.checker.nodes import PIECES, Node
from theory.checker.walks import walk

NOWHERE = Node("nowhere")
_MAX_LEAVES = 8
"""Of one condition; each doubles what is written."""


class PieceCondition(NamedTuple):
    """A relation (of two sides), "not" (of one part), "and" or "or" (of parts), "true" or "false"."""

    kind: str
    parts: tuple


def choices(cases: Sequence[tuple[Node, PieceCondition]]) -> Node:
    """What a list of pieces with conditions is: the first whose condition holds."""
    found = NOWHERE
    for piece, condition in reversed(cases):
        require(_leaves(condition) <= _MAX_LEAVES, "a condition has more than {} relations", _MAX_LEAVES)
        found = _branch(condition, piece, found)
    return found


def _leaves(condition: PieceCondition) -> int:
    return sum(map(_leaves, condition.parts)) if condition.kind in ("not", "and", "or") else 1


def _branch(condition: PieceCondition, one: Node, other: Node) -> Node:
    """`one` where a condition holds and `other` elsewhere; every relation in it is asked for."""
    kind, parts = condition
    if kind in ("true", "false"):
        return one if kind == "true" else other
    if kind == "not":
        return _branch(parts[0], other, one)
    if kind == "or":
        return _branch(PieceCondition("and", tuple(PieceCondition("not", (part,)) for part in parts)), other, one)
    if kind == "and":
        rest = PieceCondition("and", parts[1:])
        return _branch(parts[0], _branch(rest, one, other), _branch(rest, other, other)) if parts else one
    left, right = parts
    return choice(kind, left, right, one, other)


def choice(sign: str, left: Node, right: Node, one: Node, other: Node) -> Node:
    """`one` where a relation holds and `other` elsewhere; < and != are turned round."""
    if sign == "!=":
        return choice("==", left, right, other, one)
    if sign in ("<", "<="):
        return choice({"<": ">", "<=": ">="}[sign], right, left, one, other)
    return Node("choice", (left, right, one, other), sign)


def has_pieces(e: Node) -> bool:
    """Whether a choice is left in an expression."""
    return any(part.kind in PIECES for part in walk(e))


def is_nowhere(e: Node) -> bool:
    """Whether an expression has no value at any point: what no case covers is a part of it, outside of all choices."""
    kinds = {part.kind for part in walk(e)}
    return "nowhere" in kinds and "choice" not in kinds


def decided(e: Node, asked: Node, holds: bool, known: dict[Node, Node]) -> Node:
    """An expression where the condition of `asked`, a choice, holds or fails; otherwise as written."""
    found = known.get(e)
    if found is None:
        if e.kind == "choice" and (e.data, e.args[:2]) == (asked.data, asked.args[:2]):
            found = decided(e.args[2 if holds else 3], asked, holds, known)
        else:
            args = tuple([decided(a, asked, holds, known) for a in e.args])
            found = Node(e.kind, args, e.data) if e.args else e
        known[e] = found
    return found


def put(e: Node, known: dict[Node, Node]) -> Node:
    """An expression with other things in place of parts, otherwise as written: what has no value keeps none."""
    found = known.get(e)
    if found is None:
        found = known[e] = Node(e.kind, tuple([put(a, known) for a in e.args]), e.data) if e.args else e
    return found
