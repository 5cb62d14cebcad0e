"""What became of a problem, and the symbols in which its cases are put to the prover."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from theory.problems.cases import EndRange
from theory.prover.prove import Decision

SIGNS = {"<": sp.Lt, "<=": sp.Le, "==": sp.Eq}


@dataclass(frozen=True)
class Settled:
    """What became of a problem.

    Attributes:
        verdict: "proved", "vacuous" (proved, but no point meets the hypotheses), "refuted", "undefined" or "unknown".
        point: exact numbers by name at which all hypotheses hold and the conclusion fails, where it is refuted.
        reason: why it is none; "" where it is proved or refuted; of constants, what refutes every choice.
        decisions: the prover's answers, each with its record.
        seconds: how long it took.
        constants: the choice that serves, by name.
    """

    verdict: str
    point: Mapping[str, sp.Rational]
    reason: str
    decisions: tuple[Decision, ...]
    seconds: float
    constants: Mapping[str, sp.Rational] = field(default_factory=dict)


def symbol_in(name: str, range_: EndRange, *, whole: bool) -> sp.Symbol:
    """A symbol that assumes what its range says of its sign."""
    facts = {"integer": True} if whole else {"real": True}
    if range_.low > 0 or (range_.low == 0 and range_.open_low):
        facts["positive"] = True
    elif range_.high < 0 or (range_.high == 0 and range_.open_high):
        facts["negative"] = True
    elif range_.low == 0 and range_.high > 0:
        facts["nonnegative"] = True
    elif range_.high == 0 and range_.low < 0:
        facts["nonpositive"] = True
    return sp.Symbol(name, **facts)
