"""Constants that may be chosen, beside totals over a length: "for all eps > 0 some N serves for all n >= N".

Such a record has `before` and `exists`, rows like those of a box, and says that for all numbers of `before` (which may
be none) there are constants such that all `relations` hold for all n, all lists, and all points of the box that meet
the givens. Totals are those of `theory.checker.lists.lengths`; what they add up, the entries and the box know neither
constants nor what comes before. `bounds` are relations of totals that do not either, each shown by `steps` and `last`
for all n, under those of the givens that do not. They show that the terms of all totals have values, too.

"proved" names an expression in the symbols of `before` for each constant. It is shown to lie in its range (`inside`),
and each relation is shown with it put in: by `steps` and `last` of its own, or from the bounds, with totals as real
numbers; multiples of bounds may be taken off before, and of `ahead`, relations without totals that are shown there.
Where n >= k is then given, with a number k, n begins there.

"refuted" names a point of `before`, a number for each of `entries`, the same at all places, and one bound:

- it says that a total u is at least (or at most) an expression without totals;
- `cover` cuts the ranges of the constants as in `theory.checker.constants.existence`. A piece that is not cut has a
  counterexample, n among it, which lies in the box and meets the givens. Its `bound` names an expression e, and shows
  that the bound of u is at least (at most) e there. The relation fails for all real u >= e (u <= e) in place of the
  total, and with it for the total.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from theory.checker.constants.existence import (
    Cover,
    ExistenceStatement,
    above_of,
    membership,
    pairs,
    put_into,
    rows_of,
    shown,
)
from theory.checker.enclosure import SymbolRange
from theory.checker.limits import require
from theory.checker.lists.lengths import (
    MAX_FIRST,
    LengthProof,
    Lengths,
    read_lengths,
    require_names,
    require_whole,
    verify_lengths,
)
from theory.checker.lists.total_steps import ALL, outside_relation, shown_with, symbols_of
from theory.checker.nodes import Node, number
from theory.checker.parser import Relation, read_expression, read_rational, read_relation, read_symbol
from theory.checker.pieces import put
from theory.checker.statement import Statement, holds_at, read_box, read_givens, read_point, require_rows
from theory.checker.walks import symbols
from theory.checker.zero import ZeroTest

_ALWAYS = {
    "before", "exists", "length", "index", "entries", "each", "totals", "relations", "box", "given", "bounds",
    "verdict", "digest",
}  # fmt: skip
_TRUE = Relation("true")


@dataclass(frozen=True)
class ReplayChosen:
    """`about` has totals, entries and box, with what is given that knows no constant and nothing before them."""

    before: dict[Node, SymbolRange]
    constants: dict[Node, SymbolRange]
    about: Lengths
    relations: tuple[Relation, ...]
    given: tuple[Relation, ...]


def verify_over_length(record: dict[str, Any]) -> str:
    """What a record over a length has shown, with constants that may be chosen or without. Raises InvalidRecord."""
    return verify_chosen(record) if "exists" in record else verify_lengths(record)


def verify_chosen(record: dict[str, Any]) -> str:
    """What the record has shown: "proved" or "vacuous" by a choice, or "refuted". Raises InvalidRecord if nothing."""
    verdict = record.get("verdict")
    require(verdict in ("proved", "refuted"), "unknown verdict")
    wanted = {"choice", "inside", "ahead", "parts"} if verdict == "proved" else {"at", "lists", "cover"}
    require(set(record) - {"running"} == _ALWAYS | wanted, "unknown or missing keys")
    statement = _read(record)
    if verdict == "proved":
        return _proved(statement, record)
    _refuted(statement, record)
    return "refuted"


def _read(record: dict[str, Any]) -> ReplayChosen:
    """The statement of a record. Raises InvalidRecord where it is none."""
    before, constants = read_box(record["before"]), read_box(record["exists"])
    require(constants, "no constants")
    texts = rows_of(record["relations"])
    require(texts, "no relations")
    relations, given = tuple(map(read_relation, texts)), read_givens(record["given"])
    about = read_lengths(record | {"relation": "true", "given": []})
    totals, above = [total.symbol for total in about.totals], map(above_of, about.box)
    require_names([*before, *constants, *about.box, *above, *about.entries, about.index, *totals, *about.running])
    require_rows((*relations, *given), before | constants | about.outer.box)
    require_whole((*relations, *given))
    free = tuple(g for g in given if not symbols_of(g) & (before.keys() | constants.keys()))
    return ReplayChosen(before, constants, replace(about, outer=replace(about.outer, given=free)), relations, given)


def _bounds(about: Lengths, rows: Any, *, is_end: bool = False) -> list[Relation]:
    """Relations of totals, each with what shows it; where it must be an end, a total beside an expression without."""
    totals = {total.symbol for total in about.totals}
    found = []
    for row in rows_of(rows):
        require(isinstance(row, dict) and set(row) == {"bound", "steps", "last"}, "bound: unknown or missing keys")
        proof = LengthProof(about)
        for step in rows_of(row["steps"]):
            proof.take(step)
        bound = outside_relation(proof, row["bound"])
        if is_end:
            is_one = bound.sign in (">=", "<=") and bound.left in totals
            require(is_one, "bound: no total with what it is at least or at most")
            require(not symbols(bound.right) & totals, "bound: a total on both sides")
        proof.finish(row["last"], bound)
        found.append(bound)
    return found


# ------------------------------------------------------------------------------------------------------- some choice


def _proved(statement: ReplayChosen, record: dict[str, Any]) -> str:
    """Raise InvalidRecord unless what is named serves; "proved" or "vacuous"."""
    values = _choice(statement, record["choice"])
    asked = [r for s, w in values.items() if not w.is_number for r in membership(s, w, statement.constants[s])]
    for relation, body in pairs(asked, record["inside"]):
        shown(Statement(relation, statement.before, ()), body)
    bounds = _bounds(statement.about, record["bounds"])
    given = tuple(put_into(g, values) for g in statement.given)
    box = statement.before | statement.about.outer.box
    box = _from_where_given(box, statement.about.length, given)
    said = set()
    for row in rows_of(record["ahead"]):
        require(isinstance(row, dict) and set(row) == {"relation", "proof"}, "ahead: unknown or missing keys")
        (relation,) = read_givens([row["relation"]])
        plain = {s: r for s, r in box.items() if s in statement.before or s in statement.about.box}
        require_rows((relation,), plain)
        require_whole((relation,))
        free = tuple(g for g in given if symbols_of(g) <= set(plain))
        shown(Statement(relation, plain, free), row["proof"])
        bounds.append(relation)
    for relation, body in pairs([put_into(r, values) for r in statement.relations], record["parts"]):
        there = Statement(relation, box, given)
        require(isinstance(body, dict), "a proof is no object")
        if "steps" in body:
            require(set(body) == {"steps", "last"}, "steps: unknown or missing keys")
            said.add(LengthProof(replace(statement.about, outer=there)).show(body["steps"], body["last"]))
        else:
            require(record["bounds"], "no bound has shown that the terms of totals have values")
            said.add(shown_with(there, bounds, body))
    return "vacuous" if "vacuous" in said else "proved"


def _choice(statement: ReplayChosen, rows: Any) -> dict[Node, Node]:
    """An expression in what comes before for each constant; numbers lie in their ranges."""
    values: dict[Node, Node] = {}
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 2, "choice: a row that is no pair")
        s, w = read_symbol(row[0]), read_expression(row[1])
        require(s in statement.constants and s not in values, "choice: {} is no constant, or comes twice", s)
        require(symbols(w) <= set(statement.before), "choice: a symbol that does not come before")
        r = statement.constants[s]
        if w.is_number:
            require(r.low <= w.data <= r.high and s.data.allows(w.data), "choice: {} lies outside its range", s)
        else:
            require(not r.is_integer, "choice: {} is a whole number", s)
        values[s] = w
    require(set(statement.constants) <= set(values), "choice: not one for each constant")
    return values


def _from_where_given(box: dict[Node, SymbolRange], n: Node, given: tuple[Relation, ...]) -> dict[Node, SymbolRange]:
    """The box with n from the number on that a condition n >= k names, as far as lengths may begin."""
    low = box[n].low
    for g in given:
        if g.sign == ">=" and g.left == n and g.right.is_number and g.right.data <= MAX_FIRST:
            low = max(low, fmpq(fmpq(g.right.data).ceil()))
    return box | {n: box[n]._replace(low=low)} if low <= box[n].high else box


# --------------------------------------------------------------------------------------------------------- no choice


def _refuted(statement: ReplayChosen, record: dict[str, Any]) -> None:
    """Raise InvalidRecord unless no constants serve at a point of what comes before."""
    point = read_point(Statement(_TRUE, statement.before, ()), record["at"])
    values = {s: number(value) for s, value in point.items()}
    about = _with_lists(statement.about, record["lists"])
    rows = rows_of(record["bounds"])
    require(len(rows) == 1, "bound: not one of them")
    (bound,) = _bounds(about, rows, is_end=True)
    totals = {total.symbol: ALL for total in about.totals}
    given = tuple(put_into(g, values) for g in statement.given)
    require_rows(given, about.box | statement.constants)
    relations = tuple(put_into(r, values) for r in statement.relations)
    asked = ExistenceStatement(relations, Statement(_TRUE, about.box, given), Statement(_TRUE, statement.constants, ()))
    _BoundedCover(asked, totals, bound).walk(record["cover"], statement.constants, 0)


def _with_lists(about: Lengths, rows: Any) -> Lengths:
    """The totals of lists whose entries are one number each."""
    values: dict[Node, fmpq] = {}
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 2, "lists: a row that is no pair")
        s, value = read_symbol(row[0]), read_rational(row[1])
        require(s in about.entries and s not in values, "lists: {} is no list, or comes twice", s)
        r = about.entries[s]
        require(r.low <= value <= r.high and s.data.allows(value), "lists: an entry of {} lies outside its range", s)
        values[s] = value
    require(set(about.entries) <= set(values), "lists: not a number for each of the entries")
    known: dict = {}
    for relation in about.each:
        require(symbols_of(relation) <= set(values), "lists: a condition on more than entries")
        require(holds_at(relation, values, ZeroTest().is_zero, known), "lists: the entries are not as they must be")
    nodes: dict[Node, Node] = {s: number(value) for s, value in values.items()}
    totals = tuple(replace(total, body=put(total.body, dict(nodes))) for total in about.totals)
    found = {total.symbol: total for total in totals}
    running = {s: found[total.symbol] for s, total in about.running.items()}
    return replace(about, entries={}, each=(), totals=totals, running=running)


class _BoundedCover(Cover):
    """Pieces at whose counterexamples a total is at least, or at most, an expression."""

    keys = Cover.keys | {"bound"}

    def __init__(self, statement: ExistenceStatement, totals: Mapping[Node, SymbolRange], bound: Relation) -> None:
        super().__init__(statement)
        self.totals, self.bound = dict(totals), bound

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
