"""Jensen's inequality for sums (`theory.checker.lists.lengths`), where a second derivative shows a convex function.

- *jensen*: the terms of S are w_i f(a_i), those of M are w_i a_i, w_i >= 0, and W > 0 is what the sum of w_i is shown
  to be, or the number of places where all w_i are 1. All a_i lie in the range of a symbol t, on which f has two
  derivatives. Where f'' >= 0 there, S is at least W f(M/W), and where f'' <= 0 at most that: M/W lies in the range too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.calculus import derivative
from theory.checker.constants.existence import membership, pairs
from theory.checker.domain import open_conditions
from theory.checker.limits import require
from theory.checker.lists.total_steps import product
from theory.checker.nodes import MINUS_ONE, ONE, ZERO, Node, number, subtract
from theory.checker.parser import Relation, read_expression
from theory.checker.pieces import has_pieces, put
from theory.checker.statement import Statement, read_box
from theory.checker.walks import normal, symbols
from theory.checker.zero import ZeroTest

_KINDS = {"real", "positive"}
"""What t may assume: arguments are put in its place, and are shown to be so."""


def jensen(proof: Any, step: dict[str, Any]) -> None:
    """A sum of values of a convex or concave function against the value at a mean."""
    statement, total, mean = proof.statement, proof.total(step["total"]), proof.total(step["mean"])
    of = None if step["weights"] is None else proof.total(step["weights"])
    totals = [total, mean, *([of] if of else [])]
    require(all((t.kind, t.first) == ("sum", total.first) for t in totals), "jensen: no sums over the same places")
    require(of is not None or total.first <= statement.least, "jensen: there may be no term")
    t, box = _argument(proof, step["row"])
    f, bends, a = (read_expression(step[name]) for name in ("of", "bends", "at"))
    require(symbols(f) | symbols(bends) <= set(box), "jensen: a function of more than its argument and what stays")
    inside = {*statement.outer.box, *statement.entries, statement.index}
    require(symbols(a) <= inside, "jensen: an argument with a symbol of no row")
    require(not any(map(has_pieces, (f, bends, a))), "jensen: a function by cases")
    second = second_derivative(f, t, box)
    require(ZeroTest(box).is_zero(subtract(second, normal(bends))), "jensen: not the second derivative")
    require(step["side"] in (">=", "<="), "jensen: neither convex nor concave")
    weight = of.body if of else ONE
    count = Node("add", (statement.length, number(fmpq(1 - total.first))))
    whole = proof.outside(step["whole"]) if of else count
    outside = [Relation(step["side"], bends, ZERO)]
    outside += [Relation(">", whole, ZERO), Relation("==", of.symbol, whole)] if of else []
    at_places = [
        Relation(">=", weight, ZERO), Relation("==", total.body, product(weight, put(f, {t: a}))),
        Relation("==", mean.body, product(weight, a)), *membership(t, a, box[t]),
    ]  # fmt: skip
    for place, (relation, body) in enumerate(pairs([*outside, *at_places], step["proofs"])):
        if place < len(outside):
            asked = proof.at_all(relation)
            proof.settled(replace(asked, box=box) if place == 0 else asked, body)
        else:
            proof.settled(proof.at_one_place(relation, total.first), body)
    there = put(f, {t: product(mean.symbol, Node("pow", (whole, MINUS_ONE)))})
    proof.learned(Relation(step["side"], total.symbol, product(whole, there)), totals)


def _argument(proof: Any, row: Any) -> tuple[Node, dict]:
    """The symbol t, and the box of all that is the same at all places with its range."""
    statement: Statement = proof.statement.outer
    own = read_box([row])
    t = next(iter(own))
    kinds = {kind for kind, _ in t.data.assumptions}
    require(kinds <= _KINDS, "jensen: an argument that assumes more than to be positive")
    taken = {*statement.box, *proof.statement.entries, *proof.statement.running, proof.statement.index}
    names = {(s.data.name, s.data.index) for s in taken}
    require((t.data.name, t.data.index) not in names, "jensen: a symbol that is known already")
    return t, statement.box | own


def second_derivative(f: Node, t: Node, box: dict) -> Node:
    """The second derivative of f in t. Raises InvalidRecord unless f has two over the box, at all of its points."""
    slope = derivative(normal(f), t)
    second = derivative(slope, t)
    for e, is_smooth in ((f, True), (slope, True), (second, False)):
        require(not open_conditions(e, box, smooth=is_smooth), "jensen: a function without two derivatives")
    return second
