"""Steps on whole numbers: the values of a floor, and what is whole and > -1.

A floor has a value wherever its argument u has one, and is the whole number k with k <= u < k + 1. It jumps, so that no
step with a slope enters it (`theory.checker.domain`); here it is replaced by what it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.domain import Condition, is_integral
from theory.checker.enclosure import SymbolRange, ball, enclose
from theory.checker.goal import Check, Given, ReplayGoal, Step
from theory.checker.limits import require
from theory.checker.nodes import MINUS_ONE, ONE, Node, add, mul, number, subtract
from theory.checker.parser import read_end, read_expression, read_rational, read_symbol
from theory.checker.walks import contains, normal, substitute
from theory.checker.zero import ZeroTest

_MAX_CASES = 1000
_PLAIN = (("integer", True), ("real", True))


def floor(node: Step, goal: ReplayGoal, check: Check) -> None:
    """The floor of u is each whole number that it may be in turn, from the least to the greatest."""
    m, rows = _floor_of(node["of"], goal), node["cases"]
    require(isinstance(rows, list) and 0 < len(rows) <= _MAX_CASES, "floor: no short list of cases")
    require(all(isinstance(row, list) and len(row) == 2 and type(row[0]) is int for row in rows), "floor: a bad case")
    first = rows[0][0]
    require([row[0] for row in rows] == list(range(first, first + len(rows))), "floor: a whole number is left out")
    found = enclose(m, goal.box)
    require(ball(fmpq(first)) <= found.low and found.high <= ball(fmpq(rows[-1][0])), "floor: {} may be another", m)
    for k, proof in rows:
        check(proof, _with_floor(m, number(k), goal))


def floors(node: Step, goal: ReplayGoal, check: Check) -> None:
    """The floor of u is a new whole number."""
    m, t = _floor_of(node["of"], goal), read_symbol(node["new"])
    r = SymbolRange(read_end(node["low"]), read_end(node["high"]), is_integer=True)
    found = enclose(m, goal.box)
    require(r.low <= r.high and ball(r.low) <= found.low and found.high <= ball(r.high), "floors: range of {}", m)
    names = {(x.data.name, x.data.index) for x in goal.box}
    require((t.data.name, t.data.index) not in names, "floors: {} is not new", t)
    require(t.data.assumptions == _PLAIN, "floors: {} must be whole, and nothing else", t)
    inner = _with_floor(m, t, goal)
    check(node["proof"], replace(inner, box=goal.box | {t: r}))


def _floor_of(text: Any, goal: ReplayGoal) -> Node:
    """A floor that has a value wherever the goal speaks: one of its expression, or of a given."""
    m = normal(read_expression(text))
    require(m.kind == "floor", "floor: {} is none", m)
    require(contains(goal.e, m) or any(contains(g, m) for g, _ in goal.given), "floor: {} does not occur", m)
    return m


def _with_floor(m: Node, k: Node, goal: ReplayGoal) -> ReplayGoal:
    """The goal where floor(u) is k: k <= u < k + 1."""
    (u,), there = m.args, {m: k}
    given = tuple((substitute(g, there), strict) for g, strict in goal.given)
    between: tuple[Given, ...] = ((subtract(u, k), False), (add(k, ONE, mul(MINUS_ONE, u)), True))
    sound = tuple(Condition(substitute(c, there), sign) for c, sign in goal.sound)
    return replace(goal, e=substitute(goal.e, there), given=(*given, *between), sound=sound)


def whole(node: Step, goal: ReplayGoal, check: Check) -> None:
    """A multiple of e is whole, so that it is not negative where it is more than -1."""
    k, test = read_rational(node["times"]), ZeroTest(goal.box)
    require(k > 0 and not goal.strict, "whole: not what is >= 0")
    multiple = mul(number(k), goal.e)
    is_whole = is_integral(multiple, goal.box) or is_integral(test.canonical(multiple), goal.box)
    require(is_whole, "whole: {} may be no whole number", multiple)
    check(node["proof"], replace(goal, e=add(multiple, ONE), strict=True))
