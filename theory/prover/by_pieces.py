"""Prove a statement with a Piecewise: where a relation of its conditions holds and where it fails, one after the other.

Each part is a statement of its own, with the relation as a given and the choices by it decided; where none is left, the
prover proves it like any other. So a piece is asked for a value only where it is taken. What no condition covers must
be no point of the statement. The relation itself must have a value throughout, which is proved first.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.prover.counterexamples.attack import fails
from theory.prover.counterexamples.attack import holds as holds_at
from theory.prover.expressions.pieces import decided, first_relation, has_pieces, in_choices, otherwise
from theory.prover.expressions.points import Point
from theory.prover.expressions.values import UndefinedValue
from theory.prover.goal import Goal, Node
from theory.prover.search import Prover
from theory.timeout import cpu_clock

_DEFINED_SHARE, _EMPTY_SHARE, _LEAF_SHARE = 0.3, 0.05, 0.7
"""Of the time that is left: what shows that a relation has a value, that a part is empty, or a part itself."""
_POINTS, _DENOMINATOR = 60, 1000
"""Points that tell which parts are not empty, and the denominators of their coordinates."""


def proof_by_pieces(search: Any) -> Node | None:
    """The body of a record, or None with `search.reason` set.

    Args:
        search: a `theory.prover.certify.StatementSearch`; others of its kind are made for the parts.
    """
    attack = search.attack
    points = [attack.rounded(_DENOMINATOR, floats) for floats in attack.admitted_floats(_POINTS)] if search.box else []
    given = tuple(map(in_choices, search.given))
    return _Pieces(search).body(in_choices(search.relation), given, points)


class _Pieces:
    """The parts of one statement."""

    def __init__(self, search: Any) -> None:
        self.search = search

    def body(self, relation: sp.Basic, given: tuple[sp.Basic, ...], points: list[Point]) -> Node | None:
        """What shows a part; `points` are some of its own, as far as they are known."""
        if any(_is_nowhere(g) for g in given):
            return {"vacuous": {"by": "nowhere"}}
        asked = next((r for e in (relation, *given) if (r := first_relation(e)) is not None), None)
        if asked is None:
            return self.leaf(relation, given)
        rows = self.made(asked, given, _DEFINED_SHARE).definedness()
        if rows is None:
            self.search.reason = f"that {asked} has a value everywhere is not proved"
            return None
        parts: list[Node] = []
        for what, holds in ((asked, True), *((other, False) for other in otherwise(asked))):
            there = (*(decided(g, asked, holds) for g in given), what)
            near = [point for point in points if holds_at(what, point)]
            empty = None if near else self.emptiness(there)
            part = {"vacuous": empty} if empty else self.body(decided(relation, asked, holds), there, near)
            if part is None:
                return None
            parts.append(part)
        return {"pieces": {"of": sp.srepr(asked), "defined": rows, "parts": parts}}

    def emptiness(self, given: tuple[sp.Basic, ...]) -> Node | None:
        """A proof, soon found, that a part has no point: of many parts each new relation leaves most of them none."""
        part = self.made(sp.false, given, _EMPTY_SHARE)
        goal = Goal(sp.S.NegativeOne, True, part.proved_on, part.hypotheses)
        return Prover(part.deadline).attempt(goal, 1)

    def leaf(self, relation: sp.Basic, given: tuple[sp.Basic, ...]) -> Node | None:
        """What shows a part without choices; a point that refutes it may refute the whole."""
        is_covered = not relation.has(sp.nan)
        part = self.made(relation if is_covered else sp.false, given, _LEAF_SHARE)
        part.look_for_counterexample()
        body = part.proof() if part.point is None else None
        if body is not None and (is_covered or "vacuous" in body):
            return body
        if part.point is None:
            part.look_closer()
        self.note(part)
        return None

    def note(self, part: Any) -> None:
        """What an open part says of the whole: a point where that fails or has no value, or why it is open."""
        search, undefined = self.search, part.attack.undefined
        search.reason, search.tried = part.reason, part.tried
        for point in (part.point, None if undefined is None else undefined[0]):
            if point is None or not search.attack.is_admitted(point):
                continue
            try:
                is_hit = fails(search.relation, point) and search.attack.is_followed(point)
                search.point = point if is_hit else search.point
            except UndefinedValue as gap:
                search.attack.undefined = search.attack.undefined or (point, gap.subterm)

    def made(self, relation: sp.Basic, given: tuple[sp.Basic, ...], share: float) -> Any:
        """A search for a part, of a share of the time that is left; one that is open leaves the whole open.

        Givens in which choices are left say nothing yet.
        """
        plain = tuple(g for g in given if not (has_pieces([g]) or g.has(sp.nan)))
        now = cpu_clock()
        deadline = now + share * (self.search.deadline - now)
        return type(self.search)(relation, self.search.box, plain, deadline, asks_checker=self.search.asks_checker)


def _is_nowhere(given: sp.Basic) -> bool:
    """Whether a given has no value at any point of a part, as no condition covers it."""
    return given.has(sp.nan) and not has_pieces([given])
