"""The rung that bisects with Taylor models in several symbols, where natural enclosures and slopes are too wide.

A model keeps what symbols have in common up to a total degree, so that its error falls by a high power of the width of
a piece. It is asked of the checker, which computes it anyway when it replays the step (`theory.checker.models`); a test
compares models with values at points.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx, fmpq

from theory.checker.enclosure import SymbolRange
from theory.checker.limits import InvalidRecord, metered
from theory.checker.models import least
from theory.checker.parser import read_expression, read_symbol
from theory.checker.walks import normal
from theory.intervals.arithmetic import NoEnclosure
from theory.intervals.box import Box, End
from theory.prover.goal import Found, Goal, Node, Searching
from theory.prover.rungs.branch_and_bound import Branching

_BITS = 128
_ORDERS = {2: (2, 5), 3: (2, 4), 4: (2,)}
"""Total degrees that are tried, by the number of symbols that move, the cheapest first."""
_MAX_OPS = 150
_WITHOUT = (sp.Max, sp.Min, sp.Abs, sp.sign, sp.Heaviside, sp.factorial, sp.Sum)


def modelled(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Bisection of a bounded box in two to four symbols, with models of its pieces."""
    used = [r for s, r in goal.box.items() if s in goal.expression.free_symbols and not r.is_point]
    ends = [end for r in goal.box.values() for end in (r.low, r.high)]
    if len(used) not in _ORDERS or not all(isinstance(end, Fraction) for end in ends):
        return None
    if goal.expression.is_polynomial() or goal.expression.has(*_WITHOUT) or goal.expression.count_ops() > _MAX_OPS:
        return None
    try:
        return _ModelBranching(goal).run(search.deadline)
    except (Found, InvalidRecord, NoEnclosure):
        return None


class _ModelBranching(Branching):
    """Bisection that tries a model of a piece in several symbols."""

    def __init__(self, goal: Goal) -> None:
        super().__init__(goal)
        self.nodes = {s: read_symbol(sp.srepr(s)) for s in goal.box}
        with metered():
            self.expression = normal(read_expression(sp.srepr(goal.expression)))

    def _expansion(self, box: Box) -> Node | None:
        moving = [s for s, r in box.items() if not r.is_point and s in self.goal.expression.free_symbols]
        if len(moving) not in _ORDERS:
            return super()._expansion(box)
        ranges = {self.nodes[s]: SymbolRange(_end(r.low), _end(r.high)) for s, r in box.items()}
        for order in _ORDERS[len(moving)]:
            try:
                with ctx.workprec(_BITS), metered():
                    low = least(self.expression, ranges, order)
            except InvalidRecord:
                return None
            if low > 0 or (not self.goal.is_strict and low >= 0):
                return {"by": "model", "order": order}
        return None


def _end(end: End) -> fmpq:
    return fmpq(*end.as_integer_ratio())
