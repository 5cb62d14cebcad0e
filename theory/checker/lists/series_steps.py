"""Rules on products, moments of binomials and inverse squares (`theory.checker.lists.lengths`); terms may know n and i.

- *factors*: factors a_i with 0 <= a_i <= exp(e_i), where e_i = F(i) - F(i - 1) + w b_i for a potential F and terms b_i
  of sums S. So the product is at most exp(F(n) - F(first - 1) + w S). "tangent": a_i <= 1 + e_i, which is at most
  exp(e_i). "below": a_i >= exp(e_i), and the product at least that. "log above", "log below": 0 < a_i, and log a_i is
  compared with e_i.
- *falling*: the terms are i (i - 1) ... (i - k + 1) binomial(n, i) c x^i y^(n - i) for i = 0, ..., n, with x >= 0,
  y > 0 and k = 1 or 2, or x > 0 and k = 0. Their sum is c n (n - 1) ... (n - k + 1) x^k (x + y)^(n - k).
- *squares*: terms at most c/i^2, c >= 0, from a first place >= 1 on. Their sum is at most c (pi^2/6 - 1/(n + 1)):
  pi^2/6 is the sum of all 1/i^2 (Euler), and those beyond n are more than 1/(i (i + 1)), whose sum is 1/(n + 1).
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from theory.checker.constants.existence import pairs, rows_of
from theory.checker.limits import require
from theory.checker.lists.total_steps import choose, product
from theory.checker.nodes import MINUS_ONE, ONE, ZERO, Node, number
from theory.checker.parser import Relation, read_expression
from theory.checker.pieces import has_pieces, put
from theory.checker.walks import symbols

_SIDES = {
    "above": ("<=", False), "tangent": ("<=", False), "below": (">=", False),
    "log above": ("<=", True), "log below": (">=", True),
}  # fmt: skip
"""How factors stand to exponentials, and whether their logarithms are compared."""
_PI = Node("constant", (), "pi")


def factors(proof: Any, step: dict[str, Any]) -> None:
    """A product by exponentials of what its factors are at most, or at least."""
    statement, total = proof.statement, proof.total(step["total"])
    require(total.kind == "prod", "factors: no product")
    side, f = step["side"], read_expression(step["potential"])
    require(isinstance(side, str) and side in _SIDES, "factors: neither from below nor from above")
    known = {*statement.outer.box, statement.index}
    require(symbols(f) <= known and not has_pieces(f), "factors: a potential that knows entries, or has cases")
    weighted = []
    for row in rows_of(step["weights"]):
        require(isinstance(row, list) and len(row) == 2, "factors: no pair of a sum and its weight")
        weighted.append((proof.total(row[0]), proof.outside(row[1])))
    are_sums = all((t.kind, t.first) == ("sum", total.first) for t, _ in weighted)
    require(are_sums, "factors: totals that are no sums over the same places")
    index = statement.index
    before = put(f, {index: Node("add", (index, MINUS_ONE))})
    first, last = put(f, {index: number(total.first - 1)}), put(f, {index: statement.length})
    if total.first > statement.least:  # there may be no place, and nothing was shown to have a value
        for part in (first, last, *[w for _, w in weighted]):
            proof.require_value(part)

    def grown(high: Node, low: Node, terms: list[Node]) -> Node:
        return Node("add", (high, product(MINUS_ONE, low), *terms))

    e = grown(f, before, [product(w, t.body) for t, w in weighted])
    sign, by_logs = _SIDES[side]
    asked = [Relation(">=", total.body, ZERO), Relation(sign, total.body, Node("exp", (e,)))]
    if side == "tangent":
        asked[1] = Relation(sign, total.body, Node("add", (ONE, e)))
    if by_logs:
        asked = [Relation(">", total.body, ZERO), Relation(sign, Node("log", (total.body,)), e)]
    for relation, body in pairs(asked, step["proofs"]):
        proof.settled(proof.at_one_place(relation, total.first), body)
    totals = [total, *[t for t, _ in weighted]]
    whole = Node("exp", (grown(last, first, [product(w, t.symbol) for t, w in weighted]),))
    for fact in (Relation(sign, total.symbol, whole), Relation(">=", total.symbol, ZERO)):
        proof.learned(fact, totals)


def falling(proof: Any, step: dict[str, Any]) -> None:
    """Moments by the binomial theorem: i binomial(n, i) = n binomial(n - 1, i - 1)."""
    statement, total, k = proof.statement, proof.total(step["total"]), step["power"]
    n, i = statement.length, statement.index
    require((total.kind, total.first) == ("sum", 0), "falling: no sum from 0 on")
    require(type(k) is int and k in (0, 1, 2), "falling: neither the sum nor the first moment nor the second")
    c, x, y = (proof.outside(step[name]) for name in ("times", "base", "other"))

    def down(s: Node) -> list[Node]:
        return [s, Node("add", (s, MINUS_ONE))][:k]

    left = Node("pow", (y, Node("add", (n, product(MINUS_ONE, i)))))
    term = product(*down(i), choose(n, i), c, Node("pow", (x, i)), left)
    outside = [Relation(">=" if k else ">", x, ZERO), Relation(">", y, ZERO)]
    inside = Relation("==", total.body, term)
    for relation, body in pairs([*outside, inside], step["proofs"]):
        proof.settled(proof.at_all(relation) if relation in outside else proof.at_one_place(relation, 0), body)
    rest = Node("pow", (Node("add", (x, y)), Node("add", (n, number(-k)))))
    whole = product(c, *down(n), Node("pow", (x, number(k))), rest)
    proof.learned(Relation("==", total.symbol, whole), [total])


def squares(proof: Any, step: dict[str, Any]) -> None:
    """Terms that are at most c/i^2."""
    statement, total, c = proof.statement, proof.total(step["total"]), proof.outside(step["times"])
    n, i = statement.length, statement.index
    require(total.kind == "sum" and total.first >= 1, "squares: no sum from 1 on, or later")
    inside = Relation("<=", total.body, product(c, Node("pow", (i, number(-2)))))
    for relation, body in pairs([Relation(">=", c, ZERO), inside], step["proofs"]):
        is_inside = relation is inside
        proof.settled(proof.at_one_place(relation, total.first) if is_inside else proof.at_all(relation), body)
    after = Node("pow", (Node("add", (n, ONE)), MINUS_ONE))
    limit = Node("add", (product(number(fmpq(1, 6)), Node("pow", (_PI, number(2)))), product(MINUS_ONE, after)))
    proof.learned(Relation("<=", total.symbol, product(c, limit)), [total])
