"""Steps that move a point: to where an expression is smallest in one symbol, or toward an end that it never reaches.

`toward`: from s to a value `to` of the other symbols, along a straight line. At its points s keeps to its range, and
the kept givens hold: those without s, and those that are affine in s and hold at `to`. Where the slope in s has the
sign of s - to all along, e is at least what it is at `to`; where the slope is strictly so, it is more.

`limit`: s goes to an infinite end, or to an excluded 0, and e does not rise on the way: then e is at least its limit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.calculus import derivative
from theory.checker.domain import open_conditions
from theory.checker.enclosure import INFINITY, MINUS_INFINITY, SymbolRange
from theory.checker.goal import (
    Check,
    Given,
    ReplayGoal,
    Step,
    place_of,
    read_part,
    require_defined,
    require_shown,
    symbol_of,
    without,
)
from theory.checker.infinity import limit_of, vanishes
from theory.checker.limits import require
from theory.checker.nodes import MINUS_ONE, ONE, Node, add, mul, number, power, subtract
from theory.checker.walks import substitute, symbols
from theory.checker.zero import ZeroTest


def toward(node: Step, goal: ReplayGoal, check: Check) -> None:
    """e(s) >= e(to), because the slope has the sign of s - to from there to here."""
    s, sign = symbol_of(node["symbol"], goal.box), node["sign"]
    require(type(sign) is int and sign in (1, 0, -1), "toward: a sign is 1, 0 or -1")
    require(type(node["strict"]) is bool, "toward: strict is neither true nor false")
    others, r = without(goal.box, s), goal.box[s]
    to = read_part(node["to"], others)
    require(not open_conditions(to, others), "toward: {} may have no value", to)
    path = r._replace(is_integer=False)
    if to.is_number:  # an end that is excluded is approached, and e is continuous there
        require(r.low <= to.data <= r.high, "toward: {} lies outside the range", to)
        path = path._replace(is_open=r.is_open and to.data != r.low)
        path = path._replace(is_open_above=r.is_open_above and to.data != r.high)
    region = goal.box | {s: path}
    free, bound = _kept(node["keep"], s, region, goal)
    # What holds of the other symbols here holds at `to` as well, so all givens may be used to show it.
    if not to.is_number:
        _require_inside(to, r, node["inside"], goal, check)
    for (g, strict), proof in bound:
        require_shown((substitute(g, {s: to}), strict), proof, goal, check)
    along = ReplayGoal(goal.e, False, region, (*free, *(g for g, _ in bound)))
    require_defined(open_conditions(goal.e, region, smooth=True), node["smooth"], along, check)
    by_slope = goal.strict and node["strict"]
    slope, gap = derivative(goal.e, s), subtract(s, to)
    if sign == 0:
        check(node["slope"], replace(along, e=mul(gap, slope), strict=by_slope))
    else:
        side = mul(number(sign), gap)
        _require_side(sign, to, by_slope, s, node["side"], goal, check)
        extra = () if node["side"] is None and to.is_number else ((side, by_slope),)
        along = replace(along, given=(*along.given, *extra))
        check(node["slope"], replace(along, e=mul(number(sign), slope), strict=by_slope))
    given = (*free, *[(substitute(g, {s: to}), strict) for (g, strict), _ in bound])
    face = substitute(goal.e, {s: to})
    check(node["face"], ReplayGoal(face, goal.strict and not node["strict"], others, given))


def _kept(rows: Any, s: Node, region: dict, goal: ReplayGoal) -> tuple[tuple[Given, ...], list[tuple[Given, Any]]]:
    """The givens that hold on the way: those without s, and those that are affine in s, with their proofs at the end.

    An affine given that holds at both ends of a line holds between them; smoothness on the whole range excludes what
    jumps and has the same slope on both sides.
    """
    require(isinstance(rows, list) and len(rows) <= 100, "the kept givens are no short list")
    free, bound = [], []
    for entry in rows:
        require(isinstance(entry, list) and len(entry) == 2, "a kept given is no pair")
        g, strict = goal.given[place_of(entry[0], goal.given)]
        if s not in symbols(g):
            free.append((g, strict))
            continue
        slope = ZeroTest(region).canonical(derivative(g, s))
        require(s not in symbols(slope), "{} is not affine in {}", g, s)
        closed = region | {s: SymbolRange(region[s].low, region[s].high)}
        require(not open_conditions(g, closed, smooth=True), "{} may jump", g)
        bound.append(((g, strict), entry[1]))
    return tuple(free), bound


def _require_inside(to: Node, r: SymbolRange, proofs: Any, goal: ReplayGoal, check: Check) -> None:
    """Raise InvalidRecord unless `to` lies in the range, and not at an end that is excluded."""
    require(isinstance(proofs, list) and len(proofs) == 2, "inside: no pair of proofs")
    if isinstance(r.low, fmpq):
        require_shown((subtract(to, number(r.low)), r.is_open), proofs[0], goal, check)
    if isinstance(r.high, fmpq):
        require_shown((subtract(number(r.high), to), r.is_open_above), proofs[1], goal, check)


def _require_side(sign: int, to: Node, strict: bool, s: Node, proof: Any, goal: ReplayGoal, check: Check) -> None:
    """Raise InvalidRecord unless sign (s - to) is >= 0, or > 0, wherever the goal speaks."""
    if proof is not None or not to.is_number:
        require_shown((mul(number(sign), subtract(s, to)), strict), proof, goal, check)
        return
    r = goal.box[s]
    end, is_open = (r.low, r.is_open) if sign == 1 else (r.high, r.is_open_above)
    require(to.data == end and (is_open or not strict), "toward: {} may lie on the other side", s)


def limit(node: Step, goal: ReplayGoal, check: Check) -> None:
    """e does not rise on the way to an end that belongs to no point, so that it is at least its limit there."""
    s, end = symbol_of(node["symbol"], goal.box), node["to"]
    r = goal.box[s]
    at_end = {
        "oo": r.high == INFINITY, "-oo": r.low == MINUS_INFINITY, "0+": r.low == 0 and r.is_open,
        "0-": r.high == 0 and r.is_open_above,
    }  # fmt: skip
    require(isinstance(end, str) and at_end.get(end), "limit: the range of {} does not go there", s)
    require(type(node["strict"]) is bool, "limit: strict is neither true nor false")
    region = goal.box | {s: r._replace(is_integer=False)}
    given = tuple((g, strict) for g, strict in goal.given if s not in symbols(g))
    along = ReplayGoal(goal.e, False, region, given)
    require_defined(open_conditions(goal.e, region, smooth=True), node["smooth"], along, check)
    falling = mul(number(-1 if end in ("oo", "0-") else 1), derivative(goal.e, s))
    check(node["slope"], replace(along, e=falling, strict=goal.strict and node["strict"]))
    inward = {"oo": s, "-oo": mul(MINUS_ONE, s), "0+": power(s, MINUS_ONE), "0-": mul(MINUS_ONE, power(s, MINUS_ONE))}
    far = substitute(goal.e, {s: inward[end]})
    others, may_be_zero = without(goal.box, s), node["strict"] or not goal.strict
    least = limit_of(far, s, others)
    is_enough = least.low > 0 or (may_be_zero and (least.low >= 0 or vanishes(far, s, others)))
    require(is_enough, "limit: {} may have a negative limit", goal.e)


def induction(node: Step, goal: ReplayGoal, check: Check) -> None:
    """e holds at the first of some whole numbers, and at n + 1 where it holds at n; it has a value at all of them."""
    s = symbol_of(node["symbol"], goal.box)
    r = goal.box[s]
    require(r.is_integer and isinstance(r.low, fmpq) and r.low.q == 1, "induction: {} has no first whole number", s)
    require(r.high == INFINITY and not r.is_open, "induction: the range of {} has an end", s)
    require(all(s not in symbols(g) for g, _ in goal.given), "induction: a given depends on {}", s)
    require(not open_conditions(goal.e, goal.box), "induction: {} may have no value", goal.e)
    first = substitute(goal.e, {s: number(r.low)})
    check(node["base"], replace(goal, e=first, box=without(goal.box, s), sound=()))
    following = substitute(goal.e, {s: add(s, ONE)})
    check(node["step"], replace(goal, e=following, given=(*goal.given, (goal.e, goal.strict)), sound=()))


def concave(node: Step, goal: ReplayGoal, check: Check) -> None:
    """Where the second slope is never positive, e lies above the chord between its values at the ends of a range.

    More than the chord's least value is known strictly inside: where an end belongs to no point, it need not be strict
    there if it is so at the other.
    """
    s = symbol_of(node["symbol"], goal.box)
    r = goal.box[s]
    require(r.is_bounded and r.low < r.high, "concave: the range of {} has no two ends", s)
    region = goal.box | {s: SymbolRange(r.low, r.high)}
    given = tuple((g, strict) for g, strict in goal.given if s not in symbols(g))
    along = ReplayGoal(goal.e, False, region, given)
    require(not open_conditions(goal.e, region, smooth=True), "concave: {} may jump", goal.e)
    slope = derivative(goal.e, s)  # if it jumps, it has no slope of its own
    check(node["slope"], replace(along, e=mul(MINUS_ONE, derivative(slope, s))))
    loose = node["loose"]
    at_ends = (("low", r.low, r.is_open), ("high", r.high, r.is_open_above))
    require(loose in (None, *(name for name, _, is_open in at_ends if is_open)), "concave: an end that is a point")
    for name, end, _ in at_ends:
        face = replace(along, e=substitute(goal.e, {s: number(end)}), box=without(goal.box, s))
        check(node[name], replace(face, strict=goal.strict and name != loose))
