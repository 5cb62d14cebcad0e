"""The rungs that move a point to where the expression is smallest in one symbol: an end, a bound, a valley, infinity.

Floats at random points propose where to; the slope on the way and the value there become goals of their own. A given
stays where it does not mention the symbol, or is affine in it and holds at the place; others are left behind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import VariableRange, exact, number
from theory.ordering import in_order
from theory.prover.expressions.rewriting import is_certain, is_continuous
from theory.prover.expressions.sampling import Point, is_plausible, points, sign_at, value
from theory.prover.goal import Given, Goal, Node, Searching
from theory.prover.rungs.ends import falls_to_a_limit
from theory.prover.rungs.smoothness import rows
from theory.prover.rungs.valleys import valleys

_MAX_DEPTH = 5
_SHARE = 0.6


@dataclass(frozen=True)
class Move:
    """To where, and the sign of s - to (0 where it may have either)."""

    symbol: sp.Symbol
    to: sp.Expr
    sign: int


def plain_move(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A move along a symbol whose slope is a rational function of it."""
    return _moved(search, goal, depth, is_plain=True)


def move(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A move along any other symbol."""
    return _moved(search, goal, depth, is_plain=False)


def _moved(search: Searching, goal: Goal, depth: int, *, is_plain: bool) -> Node | None:
    """A proof by one move, the first that succeeds."""
    if depth >= _MAX_DEPTH:
        return None
    drawn = points(goal)
    if not drawn or not is_plausible(goal.expression, goal.box, drawn):
        return None
    for candidate in _candidates(goal, drawn, is_plain=is_plain):
        if search.is_late():
            return None
        found = None
        with search.share(_SHARE):
            if candidate.sign != 0 or is_plain:
                found = toward(search, goal, candidate, depth)
            if found is None and candidate.sign == 0:
                found = on_both_sides(search, goal, candidate, depth)
        if found is not None:
            return found
    return None


def _is_rational(e: sp.Expr, s: sp.Symbol) -> bool:
    """Whether the slope is a rational function, so that its product with s - to may be factored."""
    return sp.diff(e, s).is_rational_function(s)


def on_both_sides(search: Searching, goal: Goal, candidate: Move, depth: int) -> Node | None:
    """The same move from above and from below, each with a side of its own."""
    s, to = candidate.symbol, candidate.to
    if to.is_Rational:
        if s.is_integer:
            return None
        at, r = Fraction(int(to.p), int(to.q)), goal.box[s]
        if not r.low < at < r.high:
            return None
        above = search.attempt(replace(goal, box=goal.box | {s: r.above(at)}), depth)
        below = search.attempt(replace(goal, box=goal.box | {s: r.below(at)}), depth) if above is not None else None
        step = {"by": "split", "symbol": sp.srepr(s), "at": str(to)}
    else:
        gap = s - to
        if any(g.expression in (gap, -gap) for g in goal.given):
            return None
        above = search.attempt(replace(goal, given=(*goal.given, Given(gap, False))), depth)
        below = None
        if above is not None:
            below = search.attempt(replace(goal, given=(*goal.given, Given(-gap, True))), depth)
        step = {"by": "either", "of": sp.srepr(gap)}
    return None if above is None or below is None else step | {"above": above, "below": below}


def _candidates(goal: Goal, drawn: list[Point], *, is_plain: bool) -> Iterator[Move]:
    """Moves that floats do not contradict: along certain slopes first, then into valleys."""
    symbols = tuple(goal.box)
    moving = [s for s, r in goal.box.items() if not r.is_point and s in goal.expression.free_symbols]
    turning = []
    for s in in_order(moving):
        if _is_rational(goal.expression, s) != is_plain:
            continue
        slope = sp.diff(goal.expression, s)
        sign = sign_at(slope, goal.box, drawn)
        if sign is None:
            turning.append((s, slope))
            continue
        for to in _bounds(goal, s, sign or 1):
            if _is_plausible_at(goal, s, to, drawn):
                yield Move(s, to, sign or 1)
    for s, slope in turning:
        for to in valleys(slope, s, goal.box, drawn):
            gaps = [(value(s - to, symbols, p), value(slope, symbols, p)) for p in drawn]
            falls = [gap * rise < -1e-9 * (1 + abs(gap * rise)) for gap, rise in gaps]
            if not any(falls) and _is_plausible_at(goal, s, to, drawn):
                yield Move(s, to, 0)


def _is_plausible_at(goal: Goal, s: sp.Symbol, to: sp.Expr, drawn: list[Point]) -> bool:
    """Whether the expression is not clearly negative where s is `to`."""
    symbols = tuple(goal.box)
    place = symbols.index(s)
    there = [(*p[:place], value(to, symbols, p), *p[place + 1 :]) for p in drawn]
    return is_plausible(goal.expression.subs(s, to), goal.box, there)


def _bounds(goal: Goal, s: sp.Symbol, sign: int) -> Iterator[sp.Expr]:
    """What s cannot go below (sign 1) or above (-1): affine givens first, then the end of its range."""
    for given in goal.given:
        if s not in given.expression.free_symbols:
            continue
        slope = sp.diff(given.expression, s)
        if s in slope.free_symbols or is_certain(-sign * slope, False, goal.box):
            continue
        to = sp.expand(s - given.expression / slope)
        r = goal.box[s]
        if s not in to.free_symbols and not (to.is_Rational and not r.contains(number(to))):
            yield to
    end = goal.box[s].low if sign > 0 else goal.box[s].high
    if isinstance(end, Fraction):
        yield exact(end)


def toward(search: Searching, goal: Goal, candidate: Move, depth: int) -> Node | None:
    """The step, if the slope and the place can be certified."""
    s, to, r = candidate.symbol, candidate.to, goal.box[candidate.symbol]
    path = _path(r, to)
    box = goal.box | {s: path}
    others = {x: v for x, v in goal.box.items() if x != s}
    kept = _kept(search, goal, candidate, depth)
    if kept is None:
        return None
    keep, along_given, face_given = kept
    face = Goal(goal.expression.subs(s, to), goal.is_strict, others, face_given)
    if face.expression.has(sp.nan, sp.zoo, sp.oo):
        return None
    inside = _inside(search, goal, to, r, depth)
    along = Goal(goal.expression, False, box, along_given)
    smooth = rows(search, along, depth) if inside is not None else None
    if inside is None or smooth is None:
        return None
    is_open = r.is_open if candidate.sign > 0 else r.is_open_high
    is_apart = candidate.sign == 0 or is_open or not _is_end(to, r, candidate.sign)
    for by_slope in (True, False) if goal.is_strict and is_apart else (False,):
        face_proof = search.attempt(replace(face, is_strict=goal.is_strict and not by_slope), depth)
        if face_proof is None:
            continue
        side, slope_proof = _slope(search, goal, along, candidate, strict=by_slope, depth=depth)
        if slope_proof is None:
            continue
        return {
            "by": "toward", "symbol": sp.srepr(s), "to": sp.srepr(to), "sign": candidate.sign, "strict": by_slope,
            "keep": keep, "inside": inside, "smooth": smooth, "side": side, "slope": slope_proof, "face": face_proof,
        }  # fmt: skip
    return None


def _is_end(to: sp.Expr, r: VariableRange, sign: int) -> bool:
    """Whether a place is the end of the range to which this sign goes."""
    end = r.low if sign > 0 else r.high
    return to.is_Rational and isinstance(end, Fraction) and exact(end) == to


def _path(r: VariableRange, to: sp.Expr) -> VariableRange:
    """The range on the way, with an end that is gone to."""
    if not to.is_Rational:
        return r
    is_low, is_high = (isinstance(end, Fraction) and exact(end) == to for end in (r.low, r.high))
    return replace(r, is_open=r.is_open and not is_low, is_open_high=r.is_open_high and not is_high)


def _slope(
    search: Searching, goal: Goal, along: Goal, candidate: Move, *, strict: bool, depth: int
) -> tuple[Node | None, Node | None]:
    """Proofs of the side on which s lies, where one is needed, and of the slope."""
    s, to, sign = candidate.symbol, candidate.to, candidate.sign
    slope, gap = sp.diff(goal.expression, s), s - to
    if sign == 0:
        return None, search.attempt(replace(along, expression=gap * slope, is_strict=strict), depth + 1)
    side = None
    if not _is_end(to, goal.box[s], sign):
        if to.is_Rational or not is_certain(sign * gap, strict, goal.box):
            side = search.attempt(replace(goal, expression=sign * gap, is_strict=strict), depth + 1)
            if side is None:
                return None, None
        along = replace(along, given=(*along.given, Given(sign * gap, strict)))
    return side, search.attempt(replace(along, expression=sign * slope, is_strict=strict), depth + 1)


def _kept(
    search: Searching, goal: Goal, candidate: Move, depth: int
) -> tuple[list, tuple[Given, ...], tuple[Given, ...]] | None:
    """(rows of the step, givens on the way, givens at the place)."""
    s, to = candidate.symbol, candidate.to
    keep, free, bound = [], [], []
    for place, given in enumerate(goal.given):
        if given.expression.free_symbols and s not in given.expression.free_symbols:
            keep.append([place, None])
            free.append(given)
    for place, given in enumerate(goal.given):
        if s not in given.expression.free_symbols:
            continue
        if s in sp.diff(given.expression, s).free_symbols or given.expression.has(sp.Abs, sp.Max, sp.Min, sp.sign):
            continue
        there = Given(given.expression.subs(s, to), given.is_strict)
        if is_certain(there.expression, there.is_strict, goal.box):
            proof = None
        else:
            proof = search.attempt(replace(goal, expression=there.expression, is_strict=there.is_strict), depth + 1)
            if proof is None:
                continue
        keep.append([place, proof])
        bound.append((given, there))
    return keep, (*free, *[g for g, _ in bound]), (*free, *[there for _, there in bound])


def _inside(search: Searching, goal: Goal, to: sp.Expr, r: VariableRange, depth: int) -> list | None:
    """Proofs that `to` lies in the range."""
    proofs: list[Node | None] = [None, None]
    if to.is_Rational:
        return proofs
    ends = ((r.low, r.is_open, 1), (r.high, r.is_open_high, -1))
    for place, (end, is_open, sign) in enumerate(ends):
        if not isinstance(end, Fraction):
            continue
        gap = sign * (to - exact(end))
        if is_certain(gap, is_open, goal.box):
            continue
        proofs[place] = search.attempt(replace(goal, expression=gap, is_strict=is_open), depth + 1)
        if proofs[place] is None:
            return None
    return proofs


def to_infinity(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The expression falls toward an end that belongs to no point, and its limit there is not negative."""
    if depth >= _MAX_DEPTH:
        return None
    drawn = points(goal)
    for s, r in goal.box.items():
        if r.is_point or s not in goal.expression.free_symbols:
            continue
        slope = sp.diff(goal.expression, s)
        sign = sign_at(slope, goal.box, drawn)
        end = _far_end(r, sign or 0)
        if not end:
            continue
        free = tuple(g for g in goal.given if s not in g.expression.free_symbols)
        along = Goal(goal.expression, False, goal.box, free)
        if not falls_to_a_limit(goal.expression, s, end, goal.box, strict=False):
            continue
        smooth = rows(search, along, depth)
        if smooth is None:
            continue
        proof = search.attempt(replace(along, expression=sign * slope, is_strict=goal.is_strict), depth + 1)
        if proof is not None:
            return {
                "by": "limit", "symbol": sp.srepr(s), "to": end, "strict": goal.is_strict, "smooth": smooth,
                "slope": proof,
            }  # fmt: skip
    return None


def _far_end(r: VariableRange, sign: int) -> str:
    """The end to which an expression with this slope falls, if it belongs to no point."""
    if sign < 0:
        return "oo" if r.high == math.inf else "0-" if r.is_open_high and r.high == 0 else ""
    if sign > 0:
        return "-oo" if r.low == -math.inf else "0+" if r.is_open and r.low == 0 else ""
    return ""


def concave(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The expression bends down, so that it is at least the lesser of its values at the ends of a range."""
    if depth >= _MAX_DEPTH:
        return None
    drawn = points(goal)
    for s, r in goal.box.items():
        if r.is_point or s not in goal.expression.free_symbols or not (r.low > -math.inf and r.high < math.inf):
            continue
        bend = sp.diff(goal.expression, s, 2)
        if sign_at(bend, goal.box, drawn) not in (-1, 0):
            continue
        free = tuple(g for g in goal.given if s not in g.expression.free_symbols)
        closed = goal.box | {s: VariableRange(r.low, r.high)}
        others = {x: v for x, v in goal.box.items() if x != s}
        if not (is_continuous(goal.expression, closed) and is_continuous(sp.diff(goal.expression, s), closed)):
            continue
        ends = {"low": (r.low, r.is_open), "high": (r.high, r.is_open_high)}
        faces = {name: Goal(goal.expression.subs(s, exact(end)), goal.is_strict, others, free)
                 for name, (end, _) in ends.items()}  # fmt: skip
        proofs = {name: search.attempt(face, depth) for name, face in faces.items()}
        loose = next((name for name, proof in proofs.items() if proof is None), None)
        if loose is not None and goal.is_strict and ends[loose][1]:
            proofs[loose] = search.attempt(replace(faces[loose], is_strict=False), depth)
        if None in proofs.values():
            continue
        slope = search.attempt(Goal(-bend, False, closed, free), depth + 1)
        if slope is not None:
            return {"by": "concave", "symbol": sp.srepr(s), "slope": slope, "loose": loose, **proofs}
    return None
