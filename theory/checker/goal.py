"""What a step of a proof has to show, and when another form of an expression loses no points.

A goal is: e > 0 (strict) or e >= 0 at every point of the box where all givens hold and e has a value, which is where
all conditions of its parts are met. A given is (g, strict); where it holds it has a value. `sound` are conditions known
to hold at all these points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from theory.checker.domain import Condition, open_conditions, positive_forms
from theory.checker.enclosure import Box, Enclosure, SymbolRange, enclose
from theory.checker.limits import InvalidRecord, require
from theory.checker.nodes import Node, number, subtract
from theory.checker.parser import read_expression, read_symbol
from theory.checker.walks import normal, symbols
from theory.checker.zero import ZeroTest

Given = tuple[Node, bool]
Step = dict[str, Any]

Check = Callable[[Any, "ReplayGoal"], None]
"""Replays one step: `theory.checker.steps.check`."""


@dataclass(frozen=True)
class ReplayGoal:
    """What a step has to show."""

    e: Node
    strict: bool
    box: Box
    given: tuple[Given, ...] = ()
    sound: tuple[Condition, ...] = ()


def keeps(new: Node, goal: ReplayGoal, test: ZeroTest) -> bool:
    """Whether a new form has a value wherever the goal's has."""
    return all_follow(open_conditions(new, goal.box), goal, test)


def all_follow(asked: Sequence[Condition], goal: ReplayGoal, test: ZeroTest) -> bool:
    """Whether conditions hold wherever the goal's expression has a value."""
    if not asked:
        return True
    given = [*open_conditions(goal.e, goal.box), *goal.sound]
    return all(follows(condition, given, test) for condition in asked)


def follows(condition: Condition, given: Sequence[Condition], test: ZeroTest) -> bool:
    """Whether a condition is among the given ones, or asks a product of factors of theirs not to be 0."""
    c, sign = condition
    enough = {">": (">",), ">=": (">", ">="), "!=": (">", "!=")}[sign]
    known = [g for g in given if g.sign in enough]
    if any(c == g.c for g in known):
        return True
    try:
        if sign != "!=":
            return any(test.is_zero(subtract(c, g.c)) for g in known)
        nonzero = frozenset().union(*(test.irreducible(g.c) for g in known))
        return test.irreducible(c) <= nonzero
    except InvalidRecord:
        return False


def unused(symbol: Node, box: Box, r: SymbolRange) -> bool:
    """Whether a symbol is new and assumes nothing that its range does not show."""
    s = symbol.data
    shown = [
        not s.is_integer and not s.is_nonzero and s.says("integer") is None,
        not s.is_positive or r.low > 0 or (r.low == 0 and r.is_open),
        not s.is_nonnegative or r.low >= 0,
        not s.is_negative or r.high < 0,
        not s.is_nonpositive or r.high <= 0,
    ]
    names = {(x.data.name, x.data.index) for x in box}
    return (s.name, s.index) not in names and all(shown)


def place_of(value: Any, items: Sequence) -> int:
    """The number of a given, if there is one of this number."""
    require(type(value) is int and 0 <= value < len(items), "there is no given of this number")
    return value


def symbol_of(text: Any, box: Box) -> Node:
    """A symbol of the box."""
    s = read_symbol(text)
    require(s in box, "{} has no row in the box", s)
    return s


def shows(found: Enclosure, strict: bool) -> bool:
    """Whether every number of an enclosure is > 0 (strict) or >= 0."""
    return found.is_positive or (not strict and bool(found.low >= 0))


def hypothesis(value: Any, goal: ReplayGoal) -> Given:
    """A given by its number, or an end of the box, ["low", symbol] or ["high", symbol], as what is > 0 or >= 0."""
    if type(value) is int:
        return goal.given[place_of(value, goal.given)]
    require(isinstance(value, list) and len(value) == 2 and value[0] in ("low", "high"), "neither a given nor an end")
    s = symbol_of(value[1], goal.box)
    r = goal.box[s]
    end = r.low if value[0] == "low" else r.high
    require(isinstance(end, fmpq), "{} has no such end", s)
    if value[0] == "low":
        return subtract(s, number(end)), r.is_open
    return subtract(number(end), s), r.is_open_above


def cut(r: SymbolRange, at: fmpq) -> tuple[SymbolRange, SymbolRange]:
    """A range below and above a number strictly inside; of integers: low..at and at + 1..high.

    A cut outside the range would make a piece of it wider, where the symbol is not what it is assumed to be.
    """
    is_inside = (at.q == 1 and r.low <= at < r.high) if r.is_integer else r.low < at < r.high
    require(is_inside, "the pieces of a cut do not cover the range")
    below = r._replace(high=at, is_open_above=False)
    return below, r._replace(low=at + 1 if r.is_integer else at, is_open=False)


def without(box: Box, s: Node) -> Box:
    """The box of the other symbols."""
    return {x: r for x, r in box.items() if x != s}


def read_part(text: Any, box: Box) -> Node:
    """An expression in the symbols of a box, in normal form."""
    e = normal(read_expression(text))
    require(symbols(e) <= set(box), "a symbol without a row")
    return e


def require_shown(condition: tuple[Node, bool], proof: Any, goal: ReplayGoal, check: Check) -> None:
    """Raise InvalidRecord unless an enclosure over the goal's box, or a proof, shows that c is > 0 (strict) or >= 0.

    A proof speaks of where c has a value; who asks has seen to it that c has one wherever the goal speaks.
    """
    c, strict = condition
    if proof is None:
        require(shows(enclose(c, goal.box), strict), "{} may be negative", c)
        require(not open_conditions(c, goal.box), "{} may have no value", c)
    else:
        check(proof, replace(goal, e=c, strict=strict))


def require_defined(asked: Sequence[Condition], rows: Any, goal: ReplayGoal, check: Check) -> None:
    """Raise InvalidRecord unless rows {of, strict, proof}, each over the goal's box and givens, give all conditions.

    A row speaks of where its expression has a value. That of a condition of an innermost part has one, so that the part
    has one, and so on outward.
    """
    require(isinstance(rows, list) and len(rows) <= 100, "the conditions are no short list")
    entries, test = [], ZeroTest(goal.box)
    for entry in rows:
        require(isinstance(entry, dict) and set(entry) == {"of", "strict", "proof"}, "a condition is no row of three")
        require(type(entry["strict"]) is bool, "strict is neither true nor false")
        c = read_part(entry["of"], goal.box)
        check(entry["proof"], replace(goal, e=c, strict=entry["strict"]))
        entries.append((c, entry["strict"]))
    for condition in asked:
        require(any(gives(entry, condition, goal.box, test) for entry in entries),
                "nothing shows that {} {} 0", condition.c, condition.sign)  # fmt: skip


def gives(entry: Given, condition: Condition, box: Box, test: ZeroTest) -> bool:
    """Whether it is known, from c > 0 or c >= 0, that a condition is met."""
    of, strict = entry
    if not strict and condition.sign != ">=":
        return False
    for form in positive_forms(condition):
        if of == form or (test.is_zero(subtract(of, form)) and keeps(of, ReplayGoal(form, strict, box), test)):
            return True
    return False
