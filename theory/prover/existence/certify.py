"""Settle a statement with constants that may be chosen: for some c in [a, b], for all points of a box.

`certify_exists` looks for a choice that serves, and for a proof that none does. The second is a cover of the ranges of
the constants by pieces. Each piece has its witness, a point of the box at which a relation is false whatever constants
of the piece are taken: numbers, or expressions in the constants (x = c + 1), which an infinite range asks for. A choice
serves if with it put in all relations are proved; one at which a part of a relation has no value somewhere serves as
little as one that fails, but it is not refuted by that, so the statement then stays open.

The order of work is that of hope (`theory.prover.existence.search`). The record is that of the ordinary prover with the
constants put in, or such records over the pieces; `theory.checker.constants.existence` puts them in by itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from theory.checker.replay import InvalidRecord, replay
from theory.failures import Failure, count
from theory.intervals.box import Box, exact, exact_box
from theory.prover.certify import Unknown, stage_ends, within_budget
from theory.prover.existence.parts import ChosenParts, Leaf, Tree, leaves
from theory.prover.existence.question import ExistenceQuestion
from theory.prover.existence.search import ExistenceSearch
from theory.prover.goal import Node
from theory.prover.records import sealed
from theory.prover.replaying import unread
from theory.prover.statement import stated
from theory.timeout import cpu_clock

_LEFT = 64
_IN_TIME = 0.95
"""The part of a stage after which no step is begun."""


@dataclass(frozen=True)
class Serves:
    """With `constants` put in, every relation is proved; `vacuous`: because no point then satisfies the givens."""

    constants: dict[sp.Symbol, sp.Rational]
    record: Node
    seconds: float
    vacuous: bool = False
    failures: tuple[Failure, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class RefutedPiece:
    """Constants between `ranges` do not serve: `relation` is false at `witness`, whichever of them are taken.

    What `witness` says of a whole number n is an expression w: a whole number between w and w + 1 is meant.
    """

    ranges: dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]
    witness: dict[sp.Symbol, sp.Expr]
    relation: sp.Basic


@dataclass(frozen=True)
class NoneServes:
    """No choice of the constants that is `such` serves; the pieces cover their ranges."""

    pieces: tuple[RefutedPiece, ...]
    record: Node
    seconds: float
    such: tuple[sp.Basic, ...] = ()
    failures: tuple[Failure, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class ExistenceUnknown(Unknown):
    """Neither was found; `remaining` are the ranges of constants on which nothing is known."""

    promising: tuple[dict[sp.Symbol, sp.Rational], ...] = field(default=(), kw_only=True)


def certify_exists(
    relations: sp.Basic | Sequence[sp.Basic],
    constants: Mapping[sp.Symbol, tuple[Any, Any]],
    box: Mapping[sp.Symbol, tuple[Any, Any]],
    given: Sequence[sp.Basic] = (),
    *,
    such: Sequence[sp.Basic] = (),
    budget_s: float = 60,
) -> Serves | NoneServes | ExistenceUnknown:
    """Find constants in their ranges with which all relations hold on the box under the givens, or show there are none.

    Args:
        relations: one or several, as `certify` takes them; one choice must serve for all.
        constants: {symbol: (low, high)}, closed at finite ends; a positive symbol leaves out 0.
        box: ranges of all other symbols.
        given: conditions under which the relations must hold; constants may occur.
        such: conditions in the constants alone, which a choice must meet.
        budget_s: hard limit in seconds.

    Raises:
        ValueError: no constant, one that is also in the box, or whatever `certify` refuses.
    """
    question = _question(relations, constants, box, given, such)
    at_work: list[ExistenceSearch] = []

    def left_open(reason: str) -> ExistenceUnknown:
        lines = at_work[0].explanation() if at_work else ()
        left = tuple(exact_box(piece) for search in at_work for piece in search.left()[:_LEFT])
        return ExistenceUnknown(left or (exact_box(question.constants),), reason, 0.0, explanation=lines)

    return within_budget(budget_s, left_open, _settle, question, at_work, is_reckoned=True)


def _question(relations: Any, constants: Any, box: Any, given: Any, such: Any) -> ExistenceQuestion:
    """The statement in exact terms. Raises ValueError."""
    if not constants:
        raise ValueError("constants must name at least one symbol that may be chosen, got none")
    if shared := sorted(str(s) for s in set(constants) & set(box)):
        raise ValueError(f"constants must not be in the box too, got {shared[0]}")
    listed = [relations] if isinstance(relations, sp.Basic | bool) else list(relations)
    if not listed:
        raise ValueError("relations must have at least one, got none")
    _, ranges, hypotheses = stated(sp.true, {**constants, **box}, given)
    _, chosen, conditions = stated(sp.true, constants, such)
    kept = tuple(stated(relation, {**constants, **box}, ())[0] for relation in listed)
    return ExistenceQuestion(kept, chosen, conditions, {s: ranges[s] for s in box}, hypotheses)


def _settle(
    question: ExistenceQuestion, at_work: list[ExistenceSearch], budget_s: float
) -> Serves | NoneServes | ExistenceUnknown:
    """Search, and have the checker replay what is found; `seconds` is filled in by the caller.

    The search is put into `at_work`, so that one that is stopped can still say what it tried.
    """
    started, end, asks_checker = cpu_clock(), 0.0, False
    answer: Any = ExistenceUnknown((exact_box(question.constants),), "", 0.0)
    rows = {"box": _rows(question.constants | question.box), "given": [sp.srepr(given) for given in question.given]}
    if refusal := next(filter(None, (unread(rows | {"relation": sp.srepr(r)}) for r in question.relations)), ""):
        return replace(answer, reason=f"the checker does not read the statement: {refusal}")
    for end in stage_ends():
        answer = _searched(question, started + _IN_TIME * end, at_work, asks_checker=asks_checker)
        if isinstance(answer, _RefusedRecord):
            asks_checker = True
            answer = _searched(question, started + _IN_TIME * end, at_work, asks_checker=True)
        is_open = isinstance(answer, ExistenceUnknown)
        if not is_open or (end >= budget_s and cpu_clock() < started + _IN_TIME * end):
            break
    return answer


@dataclass(frozen=True)
class _RefusedRecord(ExistenceUnknown):
    """The checker refused what was found."""


def _searched(
    question: ExistenceQuestion, deadline: float, at_work: list[ExistenceSearch], *, asks_checker: bool
) -> Serves | NoneServes | ExistenceUnknown:
    """What one search answers."""
    search = ExistenceSearch(question, deadline, asks_checker=asks_checker)
    at_work[:] = [search]
    found = search.run()
    if found is None:
        left = tuple(exact_box(piece) for piece in search.left()[:_LEFT])
        promising = tuple(dict(choice) for choice in search.promising)
        return ExistenceUnknown(left, search.reason(), 0.0, explanation=search.explanation(), promising=promising)
    record = _record(question, found)
    try:
        return _answer(question, found, record, replay(json.loads(json.dumps(record))))
    except InvalidRecord as error:
        count("replay of a proof", error)
        kind = "a choice with a proof" if isinstance(found, ChosenParts) else "a refutation"
        words = f"{kind} was found that the checker refuses: {error}"
        return _RefusedRecord((exact_box(question.constants),), words, 0.0)


def _answer(question: ExistenceQuestion, found: ChosenParts | Tree, record: Node, shown: str) -> Serves | NoneServes:
    """The answer that a record has shown."""
    if isinstance(found, ChosenParts):
        return Serves(dict(found.choice), record, 0.0, shown == "vacuous")
    pieces = tuple(_refuted(question, piece, leaf) for piece, leaf in leaves(found, question))
    return NoneServes(pieces, record, 0.0, question.such)


def _refuted(question: ExistenceQuestion, piece: Box, leaf: Leaf) -> RefutedPiece:
    return RefutedPiece(exact_box(piece), dict(leaf.witness), question.relations[leaf.place])


def _record(question: ExistenceQuestion, found: ChosenParts | Tree) -> Node:
    body: Node = {
        "exists": _rows(question.constants),
        "such": [sp.srepr(condition) for condition in question.such],
        "relations": [sp.srepr(relation) for relation in question.relations],
        "box": _rows(question.box),
        "given": [sp.srepr(hypothesis) for hypothesis in question.given],
    }
    if isinstance(found, ChosenParts):
        pairs = [[sp.srepr(s), str(value)] for s, value in found.choice.items()]
        return sealed(body | {"verdict": "proved", "choice": pairs, "parts": list(found.bodies)})
    return sealed(body | {"verdict": "refuted", "cover": found.as_json()})


def _rows(box: Box) -> list[list[str]]:
    return [[sp.srepr(s), str(exact(r.low)), str(exact(r.high))] for s, r in box.items()]
