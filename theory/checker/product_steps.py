"""Rules on products over places (`theory.checker.lengths`), where no term is negative.

- *growth*: terms at most exp(w_1 t_1 + ...), with weighted terms t of sums, make a product of at most
  exp(w_1 T_1 + ...), and terms at least that one of at least that. Of positive terms the logarithms may be compared.
- *means*: the terms are at most those of a sum S, so the product is at most (S/c)^c with c places: arithmetic and
  geometric mean.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from theory.checker.limits import require
from theory.checker.nodes import MINUS_ONE, ZERO, Node, number
from theory.checker.parser import Relation
from theory.checker.total_steps import pairs, product, rows_of


def growth(proof: Any, step: dict[str, Any]) -> None:
    """A product against the exponential of weighted sums, by its terms or their logarithms."""
    total, sign, by_logs, weighted = proof.total(step["total"]), step["sign"], step["logs"], []
    require(total.kind == "prod", "growth: no product")
    require(sign in ("<=", ">=") and type(by_logs) is bool, "growth: neither at most nor at least")
    for row in rows_of(step["weights"]):
        require(isinstance(row, list) and len(row) == 2, "growth: no pair of a total and its weight")
        weighted.append((proof.total(row[0]), proof.outside(row[1])))
    sums = [t for t, _ in weighted]
    are_sums = sums and all((t.kind, t.first) == ("sum", total.first) for t in sums)
    require(are_sums, "growth: totals that are no sums over the same places")
    require(len({t.symbol for t in sums}) == len(sums), "growth: a total twice")
    require(total.first <= proof.statement.least, "growth: there may be no term")
    exponent = Node("add", (ZERO, *[product(w, t.body) for t, w in weighted]))
    compared = Relation(sign, total.body, Node("exp", (exponent,)))
    if by_logs:
        compared = Relation(sign, Node("log", (total.body,)), exponent)
    for relation, body in pairs([Relation(">" if by_logs else ">=", total.body, ZERO), compared], step["proofs"]):
        proof.settled(proof.at_one_place(relation, total.first), body)
    whole = Node("exp", (Node("add", (ZERO, *[product(w, t.symbol) for t, w in weighted])),))
    proof.learned(Relation(sign, total.symbol, whole), [total, *sums])
    proof.learned(Relation(">=", total.symbol, ZERO), [total])


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
