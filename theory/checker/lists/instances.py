"""Inequalities in symbols of their own, put to use at expressions: log v >= 1 - 1/v at v = p/q.

A proof in the record of a statement over a length may have `instances`, each with a `relation` over a `box` of its own,
its `proof`, and `values`, an expression of the statement for each symbol of that box, with what puts these into their
ranges (`inside`). The relation at these values is then a condition like any other: it is true wherever the statement
speaks. These conditions are taken off with weights, as `theory.checker.lists.total_steps.shown_with` does. Of what is
given the places in `ahead` stay for all that is shown here, and those in `kept` for what is left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from theory.checker.constants.existence import membership, pairs, put_into, rows_of, shown
from theory.checker.limits import require
from theory.checker.lists.total_steps import shown_with
from theory.checker.nodes import Node
from theory.checker.parser import Relation, read_expression, read_relation, read_symbol
from theory.checker.pieces import has_pieces
from theory.checker.statement import Statement, read_box, require_rows
from theory.checker.walks import symbols

_KINDS = {"real", "positive"}
"""What a symbol of an instance may assume: an expression is put in its place, and must be shown to be so."""


@dataclass(frozen=True)
class Instance:
    """A relation that holds at all points of a box of its own, at a point that depends on those of the statement.

    `own` is shown by `proof`; `inside` are statements with proofs, which put the `values` into the ranges.
    """

    own: Statement
    proof: Any
    values: dict[Node, Node]
    inside: tuple[tuple[Statement, Any], ...]

    @property
    def relation(self) -> Relation:
        """What it says at the point."""
        return put_into(self.own.relation, self.values)


def shown_by_instances(statement: Statement, body: dict[str, Any]) -> str:
    """As `shown_with`, with the relations of `instances` as the conditions that may be taken off."""
    inner, found, extra, rest = by_instances(statement, body)
    for one in found:
        shown(one.own, one.proof)
        for part, proof in one.inside:
            shown(part, proof)
    return shown_with(inner, extra, rest)


def by_instances(
    statement: Statement, body: dict[str, Any]
) -> tuple[Statement, list[Instance], tuple[Relation, ...], dict[str, Any]]:
    """The statement under what stays of its givens, the instances, the conditions to take off, and how that is done."""
    keys = {"instances", "ahead", "taken", "kept", "left"}
    require(set(body) == keys, "instances: unknown or missing keys")
    ahead, kept = ([_given(place, statement) for place in rows_of(body[key])] for key in ("ahead", "kept"))
    inner = replace(statement, given=tuple(ahead))
    found = [_instance(inner, row) for row in rows_of(body["instances"])]
    places = [len(found) + k for k in range(len(kept))]
    extra = (*[one.relation for one in found], *kept)
    return inner, found, extra, {"taken": body["taken"], "kept": places, "left": body["left"]}


def _given(place: Any, statement: Statement) -> Relation:
    require(type(place) is int and 0 <= place < len(statement.given), "instances: a place that nothing given has")
    return statement.given[place]


def _instance(statement: Statement, row: Any) -> Instance:
    require(isinstance(row, dict), "instances: a row is no object")
    require(set(row) == {"relation", "box", "proof", "values", "inside"}, "instances: unknown or missing keys")
    box, relation = read_box(row["box"]), read_relation(row["relation"])
    require(all({k for k, _ in s.data.assumptions} <= _KINDS for s in box), "instances: a symbol assumes too much")
    require_rows((relation,), box)
    require(relation.sign not in ("true", "false"), "instances: no relation of two sides")
    values = _values(row["values"], statement, set(box))
    asked = [r for s, e in values.items() for r in membership(s, e, box[s])]
    inside = tuple((replace(statement, relation=r), body) for r, body in pairs(asked, row["inside"]))
    return Instance(Statement(relation, box, ()), row["proof"], values, inside)


def _values(rows: Any, statement: Statement, wanted: set[Node]) -> dict[Node, Node]:
    """An expression of the statement for each symbol, in the order of the rows."""
    found: dict[Node, Node] = {}
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 2, "instances: a value that is no pair")
        s, e = read_symbol(row[0]), read_expression(row[1])
        require(s in wanted and s not in found, "instances: a value of no symbol, or two of one")
        require(symbols(e) <= set(statement.box) and not has_pieces(e), "instances: a value with a symbol of no row")
        found[s] = e
    require(set(found) == wanted, "instances: a symbol without a value")
    return found
