"""Statements over recursions: u has entries at all places from the first one to n, and each is tied to the next.

A record says `sequence` n, a whole number with a row in `box`; `first`, 0 or 1; `index` i; `entries`, rows [u, low,
high, after, begin, end] of symbols that stand for the entry at i, at i + 1, at the first place and at n; `each`,
relations that hold at every place, in entries at i; `next`, relations between entries at i and at i + 1, for i = first
to n - 1; `totals`, rows [s, kind, body], where s stands for the sum, product, greatest or least of the body over these
i. `relation` and `given` speak of the box, of entries at the first place and at n, and of totals.

"refuted" names n, all entries and a point of the box; everything is written out there, and evaluated.

"proved" has `claims` about entries at i, those at the first place, and totals as far as i. Each is shown at the first
place, where totals have no term (`start`); from i to i + 1, by `next` and by all claims at i (`steps`); and the
relation by the claims at n (`last`). Claims name every total, so that steps show that all of its terms have values.
A greatest or least has no value without a term: n is then beyond the first place, and there its claims are shown
whatever number stands for it. With the first term for that number, the greatest of both is this term.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from theory.checker.constants.existence import pairs, put_into, rows_of
from theory.checker.enclosure import INFINITY, SymbolRange
from theory.checker.limits import require
from theory.checker.lists.lengths import MAX_LENGTH, ReplayTotal, require_names, require_whole
from theory.checker.lists.total_steps import ALL, shown_with, symbols_of
from theory.checker.nodes import ONE, Node, number
from theory.checker.parser import Relation, read_expression, read_rational, read_relation, read_symbol
from theory.checker.pieces import has_pieces, put
from theory.checker.statement import Statement, holds_at, read_box, read_givens, read_point, refute_at, require_rows
from theory.checker.walks import symbols
from theory.checker.zero import ZeroTest

_ALWAYS = {
    "sequence", "first", "index", "entries", "each", "next", "totals", "relation", "box", "given", "verdict", "digest",
}  # fmt: skip
_EMPTY = ("sum", "prod")
"""Kinds of totals that have a value without a term."""
Box = dict[Node, SymbolRange]


@dataclass(frozen=True)
class ListPlaces:
    """What stands for an entry at the next place, at the first one and at n; all have one range."""

    after: Node
    begin: Node
    end: Node


@dataclass(frozen=True)
class Sequences:
    """A statement over a recursion; `box` has neither entries nor totals."""

    length: Node
    first: int
    index: Node
    entries: dict[Node, ListPlaces]
    ranges: Box
    each: tuple[Relation, ...]
    next: tuple[Relation, ...]
    totals: tuple[ReplayTotal, ...]
    relation: Relation
    box: Box
    given: tuple[Relation, ...]

    def rows(self, place: str) -> Box:
        """The ranges of all entries at "after", "begin" or "end"."""
        return {getattr(entry, place): self.ranges[u] for u, entry in self.entries.items()}

    def at(self, relations: Sequence[Relation], place: str, index: Node) -> tuple[Relation, ...]:
        """Relations in entries at i as they are said of another place."""
        values = self.moved(place) | {self.index: index}
        return tuple(put_into(r, values) for r in relations)

    def moved(self, place: str) -> dict[Node, Node]:
        """Each entry at i with the one at another place."""
        return {u: getattr(entry, place) for u, entry in self.entries.items()}

    @property
    def lasting(self) -> tuple[Relation, ...]:
        """What is given neither of totals nor of entries at n."""
        apart = {*[t.symbol for t in self.totals], *self.rows("end")}
        return tuple(g for g in self.given if not symbols_of(g) & apart)


def verify_sequences(record: dict[str, Any]) -> str:
    """What the record has shown: "proved", "vacuous" or "refuted". Raises InvalidRecord if nothing."""
    verdict = record.get("verdict")
    require(verdict in ("proved", "refuted"), "unknown verdict")
    wanted = {"claims", "start", "steps", "last"} if verdict == "proved" else {"at"}
    require(set(record) == _ALWAYS | wanted, "unknown or missing keys")
    statement = read_sequences(record)
    if verdict == "refuted":
        _refute(statement, record["at"])
        return "refuted"
    return _show(statement, record)


def read_sequences(record: dict[str, Any]) -> Sequences:
    """The statement of a record. Raises InvalidRecord where it is none."""
    box, length, index = read_box(record["box"]), read_symbol(record["sequence"]), read_symbol(record["index"])
    first = record["first"]
    require(type(first) is int and first in (0, 1), "the first place is neither 0 nor 1")
    plain = {"integer", "real", "positive", "nonnegative"}
    is_length = length in box and length.data.is_integer and {k for k, _ in length.data.assumptions} <= plain
    require(is_length, "the length is no whole number of the box, or more than that")
    require(box[length].low >= first, "the length may end before the first place")
    require(index.data.assumptions == (("integer", True), ("real", True)), "the index assumes more than to be whole")
    entries, ranges = _read_entries(record["entries"])
    totals = _read_totals(record["totals"], first)
    has_terms = all(t.kind in _EMPTY for t in totals) or box[length].low > first
    require(has_terms, "a greatest or least of nothing where the length is the first place")
    around = [s for entry in entries.values() for s in (entry.after, entry.begin, entry.end)]
    require_names([*box, *entries, *around, index, *[total.symbol for total in totals]])
    each, ties = read_givens(record["each"]), read_givens(record["next"])
    relation, given = read_relation(record["relation"]), read_givens(record["given"])
    require_whole((relation, *given, *each, *ties))
    found = Sequences(length, first, index, entries, ranges, each, ties, totals, relation, box, given)
    here = box | ranges | {index: ALL}
    require_rows(each, here)
    require_rows(ties, here | found.rows("after"))
    for total in totals:
        inside = symbols(total.body) <= set(here | found.rows("after"))
        require(inside and not has_pieces(total.body), "a total knows a symbol without a row, or has cases")
    require_rows((relation, *given), box | found.rows("begin") | found.rows("end") | _free(totals))
    return found


def _read_entries(rows: Any) -> tuple[dict[Node, ListPlaces], Box]:
    """Entries and their ranges; all symbols of one entry assume the same."""
    require(bool(rows_of(rows)), "no entries")
    entries: dict[Node, ListPlaces] = {}
    for row in rows:
        require(isinstance(row, list) and len(row) == 6, "entries: a row has not six parts")
        u, *others = (read_symbol(row[k]) for k in (0, 3, 4, 5))
        is_alike = all(s.data.assumptions == u.data.assumptions for s in others)
        require(is_alike and u not in entries, "entries: a symbol twice, or one that assumes something else")
        entries[u] = ListPlaces(*others)
    return entries, read_box([row[:3] for row in rows])


def _read_totals(rows: Any, first: int) -> tuple[ReplayTotal, ...]:
    totals = []
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 3, "a total has not three parts")
        symbol = read_symbol(row[0])
        require(symbol.data.assumptions == (("real", True),), "a total assumes more than to be real")
        require(row[1] in (*_EMPTY, "max", "min"), "a total of an unknown kind")
        totals.append(ReplayTotal(symbol, row[1], read_expression(row[2]), first))
    return tuple(totals)


def _free(totals: Sequence[ReplayTotal]) -> Box:
    return {total.symbol: ALL for total in totals}


# ---------------------------------------------------------------------------------------------------------------- proof


def _show(statement: Sequences, record: dict[str, Any]) -> str:
    """Raise InvalidRecord unless the claims are shown from place to place, and the relation by them."""
    *before, last = sequence_obligations(statement, record)
    for asked in before:
        shown_with(*asked)
    return shown_with(*last)


def sequence_obligations(
    statement: Sequences, record: dict[str, Any]
) -> list[tuple[Statement, Sequence[Relation], Any]]:
    """What is asked for, each with conditions beside it and its proof: claims at first and on the way, the relation."""
    claims = read_givens(record["claims"])
    require_whole(claims)
    totals, begin = _free(statement.totals), statement.rows("begin")
    index = {statement.index: SymbolRange(fmpq(statement.first), INFINITY, is_integer=True)}
    require_rows(claims, statement.box | begin | statement.ranges | index | totals)
    said = {s for claim in claims for s in symbols_of(claim)}
    require(set(totals) <= said, "a total of which nothing is claimed")
    found: list[tuple[Statement, Sequence[Relation], Any]] = []
    for claim, body in pairs(claims, record["start"]):
        found.append((_at_start(statement, claim), (), body))
    for claim, body in pairs(claims, record["steps"]):
        has_multiples = isinstance(body, dict) and "taken" in body
        extra = (*statement.next, *claims, *(statement.each if has_multiples else ()))
        found.append((_at_next(statement, claim), extra, body))
    known = statement.at(claims, "end", statement.length)
    box = statement.box | begin | statement.rows("end") | totals
    given = (*statement.given, *_at_first(statement), *statement.at(statement.each, "end", statement.length))
    found.append((Statement(statement.relation, box, given), known, record["last"]))
    return found


def _at_first(statement: Sequences) -> tuple[Relation, ...]:
    """What holds at the first place as at every other."""
    return statement.at(statement.each, "begin", number(statement.first))


def _at_start(statement: Sequences, claim: Relation) -> Statement:
    """A claim at the first place, where totals have no term: a greatest or least may be any number there."""
    values = statement.moved("begin") | {statement.index: number(statement.first)}
    values |= {total.symbol: total.of(()) for total in statement.totals if total.kind in _EMPTY}
    box = statement.box | statement.rows("begin") | _free([t for t in statement.totals if t.kind not in _EMPTY])
    return Statement(put_into(claim, values), box, (*statement.lasting, *_at_first(statement)))


def _at_next(statement: Sequences, claim: Relation) -> Statement:
    """A claim at i + 1, where i is not the last place."""
    after = Node("add", (statement.index, ONE))
    values = statement.moved("after") | {statement.index: after}
    values |= {total.symbol: total.of((total.symbol, total.body)) for total in statement.totals}
    index = {statement.index: SymbolRange(fmpq(statement.first), INFINITY, is_integer=True)}
    box = statement.box | statement.rows("begin") | statement.ranges | statement.rows("after") | index
    each = (*statement.each, *statement.at(statement.each, "after", after))
    goes_on = Relation("<=", after, statement.length)
    given = (*statement.lasting, *_at_first(statement), *each, goes_on)
    return Statement(put_into(claim, values), box | _free(statement.totals), given)


# ----------------------------------------------------------------------------------------------------------- refutation


def _refute(statement: Sequences, at: Any) -> None:
    """Raise InvalidRecord unless the relation fails at one n, with entries and a point named."""
    require(isinstance(at, dict) and set(at) == {"point", "entries"}, "at: unknown or missing keys")
    point = read_point(Statement(Relation("true"), statement.box, ()), at["point"])
    count = int(point[statement.length].p) - statement.first + 1
    require(count <= MAX_LENGTH, "a counterexample of more than {} entries", MAX_LENGTH)
    lists = _read_lists(statement, at["entries"], count)
    is_zero, known = ZeroTest().is_zero, {}
    for k in range(count):
        relations = statement.each if k == count - 1 else (*statement.each, *statement.next)
        for relation in relations:
            here = put_into(relation, _at_place(statement, lists, k))
            require(holds_at(here, point, is_zero, known), "the entries are not as they must be")
    values: dict[Node, Node] = {}
    for total in statement.totals:
        values[total.symbol] = total.of([put(total.body, _at_place(statement, lists, k)) for k in range(count - 1)])
    ends = {s: row[k] for k, place in ((0, "begin"), (-1, "end")) for s, row in _named(statement, lists, place)}
    given = tuple(put_into(g, values) for g in statement.given)
    box = statement.box | statement.rows("begin") | statement.rows("end")
    refute_at(Statement(put_into(statement.relation, values), box, given), point | ends)


def _named(statement: Sequences, lists: Mapping[Node, Sequence[fmpq]], place: str) -> list[tuple[Node, Sequence[fmpq]]]:
    return [(getattr(entry, place), lists[u]) for u, entry in statement.entries.items()]


def _at_place(statement: Sequences, lists: Mapping[Node, Sequence[fmpq]], k: int) -> dict[Node, Node]:
    """What index and entries are at one place, counted from the first, and what entries are at the next."""
    values = {u: number(row[k]) for u, row in lists.items()} | {statement.index: number(statement.first + k)}
    return values | {s: number(row[k + 1]) for s, row in _named(statement, lists, "after") if k + 1 < len(row)}


def _read_lists(statement: Sequences, rows: Any, count: int) -> dict[Node, list[fmpq]]:
    """Numbers for each of the entries, within their ranges."""
    lists: dict[Node, list[fmpq]] = {}
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 2 and isinstance(row[1], list), "entries: no pair with a list")
        u, values = read_symbol(row[0]), [read_rational(value) for value in row[1]]
        require(u in statement.entries and u not in lists and len(values) == count, "not {} numbers for {}", count, u)
        r = statement.ranges[u]
        inside = all(r.low <= value <= r.high and u.data.allows(value) for value in values)
        require(inside, "an entry of {} lies outside its range", u)
        lists[u] = values
    require(set(lists) == set(statement.entries), "not one list for each of the entries")
    return lists
