"""Constants that may depend on what comes before: for all eps > 0 there is a delta > 0 such that, for all x, ...

Such a record has `before`, rows like those of a box, beside the entries of `theory.checker.constants.existence`:
constants are chosen after the symbols of `before` and ahead of those of `box`.

"proved" names an expression in the symbols of `before` for each constant. It is shown to lie in its range (`inside`),
and each relation is shown with it put in, for all symbols of both boxes. "refuted" names a point of `before`, and is
then a refutation of `theory.checker.constants.existence` with that point put in: no constants serve there.
"""

from __future__ import annotations

from typing import Any

from theory.checker.constants.existence import ExistenceStatement, cover, membership, pairs, put_into, rows_of, shown
from theory.checker.limits import SYMBOLS, require
from theory.checker.nodes import Node, number
from theory.checker.parser import Relation, read_expression, read_relation, read_symbol
from theory.checker.pieces import has_pieces
from theory.checker.statement import Statement, read_box, read_givens, read_point, require_rows
from theory.checker.walks import symbols

_ALWAYS = {"before", "exists", "relations", "box", "given", "verdict", "digest"}


def verify_uniform(record: dict[str, Any]) -> str:
    """What the record has shown: "proved" or "vacuous" by a choice, or "refuted". Raises InvalidRecord if nothing."""
    verdict = record.get("verdict")
    require(verdict in ("proved", "refuted"), "unknown verdict")
    wanted = {"choice", "inside", "parts"} if verdict == "proved" else {"at", "cover"}
    require(set(record) == _ALWAYS | wanted, "unknown or missing keys")
    before, constants, box = (read_box(record[key]) for key in ("before", "exists", "box"))
    every = [*before, *constants, *box]
    names = [(s.data.name, s.data.index) for s in every]
    require(before and constants and len(names) <= SYMBOLS, "no constants, nothing before them, or too many")
    require(len(set(names)) == len(names), "two symbols of one name")
    texts = rows_of(record["relations"])
    require(texts, "no relations")
    relations, given = tuple(map(read_relation, texts)), read_givens(record["given"])
    require_rows((*relations, *given), before | constants | box)
    always = Relation("true")
    if verdict == "refuted":
        point = read_point(Statement(always, before, ()), record["at"])
        values = {s: number(value) for s, value in point.items()}
        there = tuple(put_into(r, values) for r in relations)
        inner = Statement(always, box, tuple(put_into(g, values) for g in given))
        cover(ExistenceStatement(there, inner, Statement(always, constants, ())), record["cover"])
        return "refuted"
    values = _choice(record["choice"], before, constants)
    asked = [Statement(r, before, ()) for s, w in values.items() for r in membership(s, w, constants[s])]
    for statement, (_, body) in zip(asked, pairs([s.relation for s in asked], record["inside"]), strict=True):
        shown(statement, body)
    known = tuple(put_into(g, values) for g in given)
    put = [put_into(r, values) for r in relations]
    said = {shown(Statement(r, before | box, known), body) for r, body in pairs(put, record["parts"])}
    return "vacuous" if "vacuous" in said else "proved"


def _choice(rows: Any, before: dict[Node, Any], constants: dict[Node, Any]) -> dict[Node, Node]:
    """An expression in what comes before for each constant."""
    values: dict[Node, Node] = {}
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 2, "choice: a row that is no pair")
        s, e = read_symbol(row[0]), read_expression(row[1])
        require(s in constants and s not in values, "choice: {} is no constant, or comes twice", s)
        require(not constants[s].is_integer, "choice: {} is a whole number", s)
        require(symbols(e) <= set(before) and not has_pieces(e), "choice: a symbol that does not come before")
        values[s] = e
    require(set(values) == set(constants), "choice: not one for each constant")
    return values
