"""A rule on products over places (`theory.checker.lists.lengths`), where no term is negative.

- *means*: the terms are at most those of a sum S, so the product is at most (S/c)^c with c places: arithmetic and
  geometric mean.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from theory.checker.constants.existence import pairs
from theory.checker.limits import require
from theory.checker.lists.total_steps import product
from theory.checker.nodes import MINUS_ONE, ZERO, Node, number
from theory.checker.parser import Relation


def means(proof: Any, step: dict[str, Any]) -> None:
    """A product is at most the power of a mean of its terms, or of greater ones."""
    total, other = proof.total(step["total"]), proof.total(step["of"])
    are_apt = (total.kind, other.kind, total.first) == ("prod", "sum", other.first)
    require(are_apt, "means: no product with a sum over the same places")
    require(total.first <= proof.statement.least, "means: there may be no term")
    asked = [Relation(">=", total.body, ZERO), Relation("<=", total.body, other.body)]
    for relation, body in pairs(asked, step["proofs"]):
        proof.settled(proof.at_one_place(relation, total.first), body)
    count = _count(proof, total)
    mean = product(other.symbol, Node("pow", (count, MINUS_ONE)))
    proof.learned(Relation("<=", total.symbol, Node("pow", (mean, count))), [total, other])
    for t in (total, other):
        proof.learned(Relation(">=", t.symbol, ZERO), [t])


def _count(proof: Any, total: Any) -> Node:
    """How many places a total has."""
    shift = 1 - total.first
    return Node("add", (proof.statement.length, number(fmpq(shift)))) if shift else proof.statement.length
