"""What a proof speaks of: a goal over a box under hypotheses, in exact numbers.

Ends of boxes are Fractions or infinite floats, not sympy numbers: arithmetic on them is what the prover does most.
`attack`, `branching`, `corner`, `rewriting` and `prover` share these words and nothing else with `certify`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.intervals.box import Box

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


class Found(Exception):
    """A piece of the box on which the goal certainly fails; carries the piece."""

    def __init__(self, box: Box) -> None:
        super().__init__("refuted")
        self.box = box
