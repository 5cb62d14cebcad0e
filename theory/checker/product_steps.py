"""Rules on products over places (`theory.checker.lengths`), where no term is negative.

- *growth*: terms at most b exp(w_1 t_1 + ...), with b > 0 and weighted terms t of sums, make a product of at most
  b^c exp(w_1 T_1 + ...), with c places. Terms at least that make one that is at least that.
- *means*: the terms are at most those of a sum S, so the product is at most (S/c)^c: arithmetic and geometric mean.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from theory.checker.limits import require
from theory.checker.nodes import MINUS_ONE, ZERO, Node, number
from theory.checker.parser import Relation
from theory.checker.total_steps import pairs, product, rows_of


def growth(proof: Any, step: dict[str, Any]) -> None:
    """A product against powers and exponentials of sums, by its terms."""
    total, sign = proof.total(step["total"]), step["sign"]
    require(total.kind == "prod", "growth: no product")
    require(sign in ("<=", ">="), "growth: neither at most nor at least")
    base, weighted = proof.outside(step["base"]), []
    for row in rows_of(step["weights"]):
        require(isinstance(row, list) and len(row) == 2, "growth: no pair of a total and its weight")
        weighted.append((proof.total(row[0]), proof.outside(row[1])))
    sums = [t for t, _ in weighted]
    are_sums = all((t.kind, t.first) == ("sum", total.first) for t in sums)
    require(are_sums, "growth: totals that are no sums over the same places")
    require(len({t.symbol for t in sums}) == len(sums), "growth: a total twice")
    require(total.first <= proof.statement.least, "growth: there may be no term")
    above = Relation(">=", total.body, ZERO)
    compared = Relation(sign, total.body, _grown(base, [product(w, t.body) for t, w in weighted]))
    proof_base, *at_places = [body for _, body in pairs([Relation(">", base, ZERO), above, compared], step["proofs"])]
    proof.settled(proof.at_all(Relation(">", base, ZERO)), proof_base)
    for relation, body in zip((above, compared), at_places, strict=True):
        proof.settled(proof.at_one_place(relation, total.first), body)
    whole = _grown(Node("pow", (base, _count(proof, total))), [product(w, t.symbol) for t, w in weighted])
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


def _grown(base: Node, exponents: list[Node]) -> Node:
    return product(base, Node("exp", (Node("add", (ZERO, *exponents)),)))


def _count(proof: Any, total: Any) -> Node:
    """How many places a total has."""
    shift = 1 - total.first
    return Node("add", (proof.statement.length, number(fmpq(shift)))) if shift else proof.statement.length
