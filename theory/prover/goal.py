"""What a proof speaks of: a goal over a box under hypotheses, in exact numbers.

Ends of boxes are Fractions or infinite floats, not sympy numbers: arithmetic on them is what the prover does most.
The search and its rungs share these words.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import sympy as sp

from theory.intervals.box import Box, VariableRange, contains_integer

Node = dict[str, Any]
"""One step of a proof, as it is written to JSON."""


@dataclass(frozen=True)
class Given:
    """One hypothesis as expression >= 0, or > 0 where strict."""

    expression: sp.Expr
    is_strict: bool


@dataclass(frozen=True)
class Goal:
    """`expression` > 0 (strict) or >= 0 on `box` wherever all of `given` hold."""

    expression: sp.Expr
    is_strict: bool
    box: Box
    given: tuple[Given, ...] = ()


def is_empty(symbol: sp.Symbol, r: VariableRange) -> bool:
    """Whether a range holds no integer, where it must, or an excluded end is all that there is."""
    return (bool(symbol.is_integer) and not contains_integer(r)) or (r.is_point and (r.is_open or r.is_open_high))


def moving(goal: Goal) -> int:
    """How many symbols of the expression are not fixed."""
    return sum(not r.is_point and s in goal.expression.free_symbols for s, r in goal.box.items())


class Found(Exception):
    """A piece of the box on which the goal certainly fails; carries the piece."""

    def __init__(self, box: Box) -> None:
        super().__init__("refuted")
        self.box = box


def restated(expression: sp.Expr, proof: Node | None) -> Node | None:
    """The step to another form of what is to be shown, by a proof of that form; None without one."""
    return None if proof is None else {"by": "restate", "expression": sp.srepr(expression), "proof": proof}


def as_written(goal: Goal, proof: Node | None) -> Node | None:
    """A proof of a goal in which something was put: sympy may have turned a choice round, |x - t| to |t - x|."""
    return restated(goal.expression, proof) if goal.expression.has(sp.Abs, sp.Max, sp.Min) else proof


class Searching(Protocol):
    """What a rung may ask of the search that it belongs to.

    Attributes:
        is_plain: whether the first rungs alone are climbed, none of which puts an equation in.
        deadline: in seconds of `theory.timeout.cpu_clock`.
    """

    is_plain: bool
    deadline: float

    def attempt(self, goal: Goal, depth: int) -> Node | None:
        """A proof of another goal without long bisection, or None."""

    def part(self, goal: Goal, depth: int) -> Node | None:
        """A proof of a part of a goal, with all rungs, or None."""

    def prove(self, goal: Goal, *, depth: int) -> Node | None:
        """The same with bisection for a while. Raises Found where it meets a piece on which the goal fails."""

    def share(self, part: float) -> AbstractContextManager[None]:
        """Spend at most a share of the time that is left."""

    def is_late(self) -> bool:
        """Whether the time is up."""
