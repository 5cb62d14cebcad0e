"""Steps on what jumps and on whole numbers: the values of a floor and of a sign, remainders, what is whole and > -1.

A floor has a value wherever its argument u has one, and is the whole number k with k <= u < k + 1. It jumps, so that no
step with a slope enters it (`theory.checker.domain`); here it is replaced by what it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.domain import Condition, is_integral
from theory.checker.enclosure import SymbolRange, ball, enclose
from theory.checker.goal import Check, Given, ReplayGoal, Step, symbol_of, without
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
    require(ball(r.low) <= found.low and found.high <= ball(r.high), "floors: range of {}", m)
    _require_new(t, goal)
    inner = _with_floor(m, t, goal)
    check(node["proof"], replace(inner, box=goal.box | {t: r}))


def _require_new(t: Node, goal: ReplayGoal) -> None:
    names = {(x.data.name, x.data.index) for x in goal.box}
    require((t.data.name, t.data.index) not in names, "{} is not new", t)
    require(t.data.assumptions == _PLAIN, "{} must be whole, and nothing else", t)


def _floor_of(text: Any, goal: ReplayGoal) -> Node:
    """A floor of the goal."""
    m = normal(read_expression(text))
    require(m.kind == "floor" and _occurs(m, goal), "floor: {} does not occur", m)
    return m


def _occurs(m: Node, goal: ReplayGoal) -> bool:
    """Whether a part is one of the goal's expression or of a given: then it has a value wherever the goal speaks."""
    return contains(goal.e, m) or any(contains(g, m) for g, _ in goal.given)


def _with_floor(m: Node, k: Node, goal: ReplayGoal) -> ReplayGoal:
    """The goal where floor(u) is k: k <= u < k + 1."""
    (u,), inner = m.args, _put(m, k, goal)
    between: tuple[Given, ...] = ((subtract(u, k), False), (add(k, ONE, mul(MINUS_ONE, u)), True))
    return replace(inner, given=(*inner.given, *between))


def _put(part: Node, value: Node, goal: ReplayGoal) -> ReplayGoal:
    """The goal with a value in place of a part."""
    there = {part: value}
    given = tuple((substitute(g, there), strict) for g, strict in goal.given)
    sound = tuple(Condition(substitute(c, there), kind) for c, kind in goal.sound)
    return replace(goal, e=substitute(goal.e, there), given=given, sound=sound)


def sign(node: Step, goal: ReplayGoal, check: Check) -> None:
    """The sign of u is -1, 0 or 1, where u < 0, u = 0 or u > 0."""
    m = normal(read_expression(node["of"]))
    require(m.kind == "sign" and _occurs(m, goal), "sign: {} does not occur", m)
    (u,) = m.args
    less = mul(MINUS_ONE, u)
    for key, value, extra in (
        ("below", -1, ((less, True),)), ("at", 0, ((u, False), (less, False))), ("above", 1, ((u, True),)),
    ):  # fmt: skip
        inner = _put(m, number(value), goal)
        check(node[key], replace(inner, given=(*inner.given, *extra)))


def residues(node: Step, goal: ReplayGoal, check: Check) -> None:
    """A whole number s is m t + r with a whole t, for r = 0, 1, ... m - 1 in turn."""
    s, t, m = symbol_of(node["symbol"], goal.box), read_symbol(node["new"]), node["modulus"]
    r, proofs = goal.box[s], node["proofs"]
    require(r.is_integer, "residues: {} may be no whole number", s)
    require(type(m) is int and 2 <= m <= _MAX_CASES, "residues: a modulus")
    require(isinstance(proofs, list) and len(proofs) == m, "residues: not one proof for each remainder")
    _require_new(t, goal)
    for rest, proof in enumerate(proofs):
        low = fmpq(((r.low - rest) / m).ceil()) if isinstance(r.low, fmpq) else r.low
        high = fmpq(((r.high - rest) / m).floor()) if isinstance(r.high, fmpq) else r.high
        if not low <= high:
            continue  # no number of the range has this remainder
        inner = _put(s, add(mul(number(m), t), number(rest)), goal)
        box = without(goal.box, s) | {t: SymbolRange(low, high, is_integer=True)}
        check(proof, replace(inner, box=box))


def whole(node: Step, goal: ReplayGoal, check: Check) -> None:
    """A multiple of e is whole, so that it is not negative where it is more than -1."""
    k, test = read_rational(node["times"]), ZeroTest(goal.box)
    require(k > 0 and not goal.strict, "whole: not what is >= 0")
    multiple = mul(number(k), goal.e)
    is_whole = is_integral(multiple, goal.box) or is_integral(test.canonical(multiple), goal.box)
    require(is_whole, "whole: {} may be no whole number", multiple)
    check(node["proof"], replace(goal, e=add(multiple, ONE), strict=True))
