"""Constants that may be chosen, beside totals over a length: that no choice serves, as of "sum(1/i, i=1..n) <= c".

Such a record has `exists`, rows like those of a box, and says that for some constants in their ranges the relation
holds for all n, and all points of the box that meet the givens. Totals are those of `theory.checker.lists.lengths`,
without entries; their terms and the box know no constant. Only "refuted" is told of it:

- `steps`, `bound` and `last` show, for all n, that a total u is at least (or at most) an expression without totals;
- `cover` cuts the ranges of the constants as in `theory.checker.constants.existence`. A piece that is not cut has a
  counterexample, n among it, which lies in the box and meets the givens. Its `bound` names an expression e, and shows
  that the bound of u is at least (at most) e there. The relation fails for all real u >= e (u <= e) in place of the
  total, and with it for the total.
"""

from __future__ import annotations

from typing import Any

from theory.checker.constants.existence import Cover, ExistenceStatement, above_of, put_into, shown
from theory.checker.enclosure import SymbolRange
from theory.checker.limits import require
from theory.checker.lists.lengths import LengthProof, read_lengths, require_names, require_whole, verify_lengths
from theory.checker.lists.total_steps import ALL, outside_relation
from theory.checker.nodes import Node
from theory.checker.parser import Relation, read_expression, read_relation
from theory.checker.statement import Statement, read_box, read_givens, require_rows
from theory.checker.walks import symbols

_KEYS = {
    "exists", "length", "index", "totals", "relation", "box", "given", "steps", "bound", "last", "cover", "verdict",
    "digest",
}  # fmt: skip


def verify_over_length(record: dict[str, Any]) -> str:
    """What a record over a length has shown, with constants that may be chosen or without. Raises InvalidRecord."""
    return verify_unbounded(record) if "exists" in record else verify_lengths(record)


def verify_unbounded(record: dict[str, Any]) -> str:
    """What the record has shown: "refuted". Raises InvalidRecord otherwise."""
    require(record.get("verdict") == "refuted", "unknown verdict")
    require(set(record) == _KEYS, "unknown or missing keys")
    constants, relation, given = read_box(record["exists"]), read_relation(record["relation"]), record["given"]
    about = read_lengths(record | {"entries": [], "each": [], "relation": "true", "given": []})
    totals = {total.symbol: ALL for total in about.totals}
    require_names([*constants, *about.box, *map(above_of, about.box), about.index, *totals])
    require(constants, "no constants")
    conditions = read_givens(given)
    require_rows((relation,), about.box | constants | totals)
    require_rows(conditions, about.box | constants)
    require_whole((relation, *conditions))
    proof = LengthProof(about)
    for step in record["steps"]:
        proof.take(step)
    bound = outside_relation(proof, record["bound"])
    require(bound.sign in (">=", "<=") and bound.left in totals, "bound: no total with what it is at least or at most")
    require(not symbols(bound.right) & set(totals), "bound: a total on both sides")
    proof.finish(record["last"], bound)
    always = Relation("true")
    asked = ExistenceStatement((relation,), Statement(always, about.box, conditions), Statement(always, constants, ()))
    _BoundedCover(asked, totals, bound).walk(record["cover"], constants, 0)
    return "refuted"


class _BoundedCover(Cover):
    """Pieces at whose counterexamples a total is at least, or at most, an expression."""

    keys = Cover.keys | {"bound"}

    def __init__(self, statement: ExistenceStatement, totals: dict[Node, SymbolRange], bound: Relation) -> None:
        super().__init__(statement)
        self.totals, self.bound = totals, bound

    def beside(
        self, node: dict[str, Any], values: dict[Node, Node], box: dict[Node, SymbolRange]
    ) -> tuple[dict[Node, SymbolRange], tuple[Relation, ...]]:
        """The totals as real numbers, with what bounds one of them."""
        row, sign = node["bound"], self.bound.sign
        require(isinstance(row, dict) and set(row) == {"by", "shown"}, "bound: unknown or missing keys")
        end = read_expression(row["by"])
        require(symbols(end) <= set(box), "bound: by an expression of something else")
        there = put_into(self.bound, values).right
        shown(Statement(Relation(sign, there, end), box, ()), row["shown"])
        return self.totals, (Relation(sign, self.bound.left, end),)
