"""Enclosures of one expression over boxes, sharpened by the enclosures of its slopes.

A natural enclosure forgets that a variable which occurs twice is the same twice. Where the expression is continuous,
two more enclosures hold: from the corner that is lowest in every variable of certain slope to the one that is highest,
and the value at the middle plus what slopes can add. The best of the three is returned. `theory.intervals.paving` and
`theory.asymptotics.local_slopes` cut boxes by it; `theory.prover.rungs.branch_and_bound` has its own copy of the idea,
because there each step is a node of a proof.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from theory.intervals.arithmetic import RigorousInterval, add, interval, multiply, subtract
from theory.intervals.box import Box
from theory.intervals.programs import Program, has_enclosure


class Sharpened:
    """Enclosures of `expression` over boxes in `symbols`, at Arb's current precision.

    Attributes:
        steepness: bounds on the absolute slopes over the box looked at last, for choosing where to cut.

    Raises:
        NoEnclosure: the expression has a part without an enclosure.
    """

    def __init__(self, expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> None:
        self.symbols = tuple(symbols)
        slopes = [sp.diff(expression, symbol) for symbol in symbols]
        self._value = Program([expression], symbols)
        self._slopes = Program(slopes, symbols) if all(has_enclosure(slope, symbols) for slope in slopes) else None
        self.steepness = [1.0] * len(self.symbols)

    def enclose(self, box: Box) -> RigorousInterval:
        """The best enclosure over a box."""
        cells = [interval(r.low, r.high) for r in box.values()]
        found = [self._value(cells)[0]]
        if self._slopes is not None and self._value.is_continuous(cells):
            slopes = self._slopes(cells)
            self.steepness = [_size(slope) for slope in slopes]
            found += [self._between_corners(cells, slopes), self._around_the_middle(box, cells, slopes)]
        return RigorousInterval(max(e.lo for e in found), min(e.hi for e in found))

    def side_to_cut(self, box: Box) -> sp.Symbol:
        """The variable along which the expression may vary most over a finite box."""
        widths = [float(r.high - r.low) * steep for r, steep in zip(box.values(), self.steepness, strict=True)]
        return self.symbols[widths.index(max(widths))]

    def _between_corners(self, cells: list[RigorousInterval], slopes: list[RigorousInterval]) -> RigorousInterval:
        lowest, highest = list(cells), list(cells)
        for place, (cell, slope) in enumerate(zip(cells, slopes, strict=True)):
            ends = RigorousInterval(cell.lo, cell.lo), RigorousInterval(cell.hi, cell.hi)
            if slope.lo >= 0:
                lowest[place], highest[place] = ends
            elif slope.hi <= 0:
                highest[place], lowest[place] = ends
        return RigorousInterval(self._value(lowest)[0].lo, self._value(highest)[0].hi)

    def _around_the_middle(
        self, box: Box, cells: list[RigorousInterval], slopes: list[RigorousInterval]
    ) -> RigorousInterval:
        centers = [interval((r.low + r.high) / 2) for r in box.values()]
        total = self._value(centers)[0]
        for cell, center, slope in zip(cells, centers, slopes, strict=True):
            total = add(total, multiply(slope, subtract(cell, center)))
        return total


def _size(slope: RigorousInterval) -> float:
    """Largest absolute slope; bounded, so that a pole does not keep all cuts to itself."""
    return min(max(abs(float(slope.lo)), abs(float(slope.hi)), 1e-6), 1e6)
