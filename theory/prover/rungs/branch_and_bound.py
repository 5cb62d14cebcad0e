"""The last rung of the prover: bisect a box until every piece is decided by rigorous arithmetic.

A piece is decided by its natural enclosure, by a hypothesis that fails on all of it, by monotonicity (the worst face
decides), by the mean-value form, or by coefficients at a corner. What is neither decided nor worth cutting stays open
and is reported, never guessed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import flint
import sympy as sp

from theory.intervals.arithmetic import BITS, WHOLE, add, interval, multiply, subtract
from theory.intervals.box import Box, VariableRange, approximate, contains_integer, exact, middle
from theory.intervals.programs import Program, has_enclosure
from theory.prover.expressions.rewriting import is_positive
from theory.prover.goal import Found, Given, Goal, Node
from theory.prover.rungs.bernstein import has_positive_coefficients
from theory.prover.rungs.series import Expansions
from theory.prover.rungs.valleys import touching_points
from theory.timeout import cpu_clock, reckon

_MAX_DEPTH = 60
_BEGIN_S, _PIECE_S = 0.006, 1e-4
"""Seconds at which slopes and programs are reckoned, and a piece beside its enclosures and expansions."""
_TAIL_DEPTHS = (1, 3, 6)
"""How deep a piece without an end is when other rungs are asked for it."""


class Branching:
    """Bisection of one goal. Derivatives and hypotheses are compiled once, with shared sub-expressions."""

    def __init__(self, goal: Goal, tail: Callable[[Goal], Node | None] | None = None) -> None:
        """`tail` is asked for pieces without an end, which enclosures alone seldom decide."""
        self.goal, self.symbols, self.tail = goal, list(goal.box), tail
        reckon(_BEGIN_S)
        slopes = [sp.diff(goal.expression, symbol) for symbol in self.symbols]
        hypotheses = [g.expression for g in goal.given]
        self.slopes = [slope if has_enclosure(slope, self.symbols) else None for slope in slopes]
        known = [slope for slope in self.slopes if slope is not None]
        self.program = Program([goal.expression, *hypotheses, *known], self.symbols)
        self.value = Program([goal.expression], self.symbols)
        self.is_polynomial = goal.expression.is_polynomial(*self.symbols)
        self.varying = goal.expression.free_symbols
        self.mentioned = self.varying.union(*(expression.free_symbols for expression in hypotheses))
        self.open: list[Box] = []
        self.expansions = Expansions(goal.expression)
        self.touching = touching_points(goal)

    def run(self, deadline: float, most: int | None = None) -> Node | None:
        """The proof tree, or None with the undecided pieces in `open`; cuts no more after `most`. Raises Found."""
        self.deadline, self.pieces, self.most = deadline, 0, math.inf if most is None else most
        self.open = []
        with flint.ctx.workprec(BITS):
            return self._piece(self.goal.box, self.goal.given, 0)

    def _piece(self, box: Box, given: tuple[Given, ...], depth: int) -> Node | None:
        self.pieces += 1
        reckon(_PIECE_S)
        if cpu_clock() >= self.deadline and self.pieces > 1:
            self.open.append(box)
            return None
        if any(symbol.is_integer and not contains_integer(r) for symbol, r in box.items()):
            return {"by": "empty"}
        cells = [interval(r.low, r.high) for r in box.values()]
        value, *rest = self.program(cells)
        hypotheses, known = rest[: len(given)], iter(rest[len(self.goal.given) :])
        slopes = [WHOLE if slope is None else next(known) for slope in self.slopes]
        if is_positive(value, self.goal.is_strict):
            return {"by": "interval"}
        for place, (hypothesis, enclosure) in enumerate(zip(given, hypotheses, strict=True)):
            if enclosure.hi < 0 or (hypothesis.is_strict and enclosure.hi <= 0):
                return {"by": "infeasible", "given": place}
        if value.hi < 0 and all(enclosure.lo > 0 for enclosure in hypotheses):
            raise Found(box)
        if self.value.is_continuous(cells):
            # Hypotheses must not be in the way: the path to the face may leave their region. One that holds on all of
            # the piece is not.
            is_free = all(is_positive(e, g.is_strict) for g, e in zip(given, hypotheses, strict=True))
            collapse = self._collapse(box, slopes) if is_free else None
            is_left_out = collapse is not None and self.goal.is_strict and _is_excluded(box[collapse[0]], collapse[2])
            if collapse is not None and not is_left_out:
                return self._on_face(box, *collapse, depth)
            if self._mean_value(box, cells, slopes):
                return {"by": "mean"}
            expanded = self._expansion(box)
            if expanded is not None:
                return expanded
            if collapse is not None:
                return self._on_face(box, *collapse, depth)
        if self.is_polynomial and has_positive_coefficients(replace(self.goal, box=box)):
            return {"by": "shift"}
        if self.tail is not None and depth in _TAIL_DEPTHS and any(_is_endless(r) for r in box.values()):
            found = self.tail(replace(self.goal, box=box, given=given))
            if found is not None:
                return found
        return self._cut(box, slopes, given, depth)

    def _collapse(self, box: Box, slopes: list) -> tuple[sp.Symbol, int, Fraction] | None:
        """A symbol in which the expression is certainly monotone, the sign of its slope, and its worst end."""
        for symbol, r, slope in zip(self.symbols, box.values(), slopes, strict=True):
            sign = 1 if slope.lo >= 0 else -1 if slope.hi <= 0 else 0
            end = r.low if sign > 0 else r.high
            if sign and isinstance(end, Fraction) and not r.is_point:
                return symbol, sign, end
        return None

    def _on_face(self, box: Box, symbol: sp.Symbol, sign: int, end: Fraction, depth: int) -> Node | None:
        """Decide a box on its worst face; what stays open there is the whole box."""
        before = len(self.open)
        face = self._piece(box | {symbol: VariableRange(end, end)}, (), depth)
        if face is None:
            self.open[before:] = [box]
            return None
        return monotone_node(symbol, sign, {"by": "interval"}, face)

    def _mean_value(self, box: Box, cells: list, slopes: list) -> bool:
        if not all(cell.is_finite for cell in (*cells, *slopes)):
            return False
        centers = [interval((r.low + r.high) / 2) for r in box.values()]
        total = self.value(centers)[0]
        for cell, center, slope in zip(cells, centers, slopes, strict=True):
            total = add(total, multiply(slope, subtract(cell, center)))
        return is_positive(total, self.goal.is_strict)

    def _expansion(self, box: Box) -> Node | None:
        """A Taylor expansion in the only symbol of a bounded piece that still moves."""
        moving = [s for s, r in box.items() if not r.is_point and s in self.varying]
        if len(moving) != 1 or not all(isinstance(end, Fraction) for r in box.values() for end in (r.low, r.high)):
            return None
        return self.expansions.prove(box, moving[0], strict=self.goal.is_strict)

    def _cut(self, box: Box, slopes: list, given: tuple[Given, ...], depth: int) -> Node | None:
        """Bisect where the expression varies most, between integers for an integer; both halves must be decided."""
        symbol = self._widest(box, slopes)
        is_over = self.pieces >= self.most or len(self.open) >= 64 or cpu_clock() >= self.deadline
        if symbol is None or depth >= _MAX_DEPTH or is_over:
            self.open.append(box)
            return None
        r = box[symbol]
        touched = [at for at in self.touching.get(symbol, ()) if r.low < at < r.high]
        at = touched[0] if touched else middle(r)
        after = at = Fraction(math.floor(at)) if symbol.is_integer else at
        after += bool(symbol.is_integer)
        below = self._piece(box | {symbol: r.below(at)}, given, depth + 1)
        above = self._piece(box | {symbol: r.above(after)}, given, depth + 1)
        if below is None or above is None:
            return None
        return {"by": "split", "symbol": sp.srepr(symbol), "at": str(exact(at)), "below": below, "above": above}

    def _widest(self, box: Box, slopes: list) -> sp.Symbol | None:
        scores = {}
        for (symbol, r), slope in zip(box.items(), slopes, strict=True):
            if r.is_point or symbol not in self.mentioned:
                continue
            width = approximate(r.high) - approximate(r.low)
            steepness = max(abs(float(slope.lo)), abs(float(slope.hi)))
            scores[symbol] = (math.inf if math.isinf(width) else width * max(steepness, 1e-9), width)
        return max(scores, key=lambda s: scores[s]) if scores else None


def _is_excluded(r: VariableRange, end: Fraction) -> bool:
    """Whether an end belongs to no point: a strict goal may be an equality there, and rises from it."""
    return (r.is_open and end == r.low) or (r.is_open_high and end == r.high)


def _is_endless(r: VariableRange) -> bool:
    return math.isinf(r.low) or math.isinf(r.high)


def monotone_node(symbol: sp.Symbol, sign: int, slope: Node, face: Node) -> Node:
    """The step to the face of `symbol` on which an expression whose slope has this sign is smallest."""
    return {"by": "monotone", "symbol": sp.srepr(symbol), "sign": sign, "slope": slope, "face": face}
