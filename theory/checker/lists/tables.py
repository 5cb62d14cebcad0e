"""Statements over tables: lists with several indices, entries at any place, totals inside totals, functions by name.

A record says `tables`, rows [a, low, high, places] of a list, the range of its entries, and for each index the first
and the last place; and `parts`, what symbols of the relations stand for. Each part knows the symbols of parts above it:

- ["entry", s, a, places]: the entry of a at these places;
- ["total", s, kind, body, index, first, last]: the sum, product, greatest or least of the body over an index;
- ["value", s, f, argument]: a function by name, one of `functions`, rows [f, is convex].

Places and ends are expressions in the box and in the indices around them. `relation` and `given` know no index; `each`
has rows [relation, [[index, first, last], ...]], which hold at all these places.

There is no rule that proves such a statement. "refuted" names a point of the box, all entries, row by row, and for each
function the coefficients of a polynomial of degree 2 at most. All is written out there, and it is evaluated.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from theory.checker.constants.existence import put_into, rows_of
from theory.checker.domain import value_at
from theory.checker.enclosure import SymbolRange
from theory.checker.limits import require
from theory.checker.lists.lengths import MAX_LENGTH, ReplayTotal, require_names, require_whole
from theory.checker.lists.total_steps import symbols_of
from theory.checker.nodes import Node, number
from theory.checker.parser import Relation, read_expression, read_rational, read_relation, read_symbol
from theory.checker.pieces import put
from theory.checker.statement import Statement, holds_at, read_box, read_givens, read_point, refute_at
from theory.checker.walks import symbols
from theory.checker.zero import ZeroTest

_KEYS = {"tables", "functions", "parts", "each", "relation", "box", "given", "verdict", "at", "digest"}
MAX_TERMS = 20000
"""Terms of all totals that are written out."""
_MAX_INDICES, _MAX_DEGREE = 3, 2
Span = tuple[Node, Node, Node]
"""An index with its first and its last place."""


@dataclass(frozen=True)
class TablePart:
    """What a symbol stands for: `of` is a list or a function, `inside` its places or argument, or a total's body."""

    what: str
    of: Node | None
    inside: tuple[Node, ...]
    total: ReplayTotal | None = None
    span: Span | None = None


@dataclass(frozen=True)
class Tables:
    """A statement over tables; `places` are the ends of the indices of each list."""

    ranges: dict[Node, SymbolRange]
    places: dict[Node, tuple[tuple[Node, Node], ...]]
    is_convex: dict[Node, bool]
    parts: dict[Node, TablePart]
    each: tuple[tuple[Relation, tuple[Span, ...]], ...]
    relation: Relation
    box: dict[Node, SymbolRange]
    given: tuple[Relation, ...]


def verify_tables(record: dict[str, Any]) -> str:
    """Whether the relation fails at what the record names: "refuted". Raises InvalidRecord otherwise."""
    require(record.get("verdict") == "refuted", "there is no rule that proves a statement over tables")
    require(set(record) == _KEYS, "unknown or missing keys")
    _refute(read_tables(record), record["at"])
    return "refuted"


def read_tables(record: dict[str, Any]) -> Tables:
    """The statement of a record. Raises InvalidRecord where it is none."""
    box = read_box(record["box"])
    ranges, places = _read_lists(record["tables"], box)
    is_convex: dict[Node, bool] = {}
    for row in rows_of(record["functions"]):
        require(isinstance(row, list) and len(row) == 2 and type(row[1]) is bool, "functions: no name with its kind")
        is_convex[read_symbol(row[0])] = row[1]
    parts, indices = _read_parts(record["parts"], box, places, is_convex)
    each = []
    for row in rows_of(record["each"]):
        require(isinstance(row, list) and len(row) == 2, "each: no relation with its places")
        spans = tuple(_read_span(span, box, {}) for span in rows_of(row[1]))
        indices |= {index for index, _, _ in spans}
        each.append((read_relation(row[0]), spans))
        require_known(each[-1][0], {*box, *parts, *[index for index, _, _ in spans]})
    relation, given = read_relation(record["relation"]), read_givens(record["given"])
    require_whole((relation, *given, *[r for r, _ in each]))
    for r in (relation, *given):
        require_known(r, {*box, *parts})
    require_names([*box, *ranges, *is_convex, *parts, *indices])
    return Tables(ranges, places, is_convex, parts, tuple(each), relation, box, given)


def require_known(relation: Relation, known: set[Node]) -> None:
    """Raise InvalidRecord where a relation has a symbol that stands for nothing."""
    missing = sorted(s.data.name for s in symbols_of(relation) - known)
    require(not missing, "nothing stands for {}", *missing[:1])


def _read_lists(
    rows: Any, box: Mapping[Node, Any]
) -> tuple[dict[Node, SymbolRange], dict[Node, tuple[tuple[Node, Node], ...]]]:
    places: dict[Node, tuple[tuple[Node, Node], ...]] = {}
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 4, "tables: a row has not four parts")
        ends = [
            tuple(_read_place(e, box) for e in pair)
            for pair in rows_of(row[3])
            if isinstance(pair, list) and len(pair) == 2
        ]
        require(0 < len(ends) == len(row[3]) <= _MAX_INDICES, "tables: no first and last place for each index")
        places[read_symbol(row[0])] = tuple(ends)  # type: ignore[arg-type]
    return read_box([row[:3] for row in rows]), places


def _read_place(text: Any, known: Mapping[Node, Any]) -> Node:
    """An expression in whole numbers that are known."""
    e = read_expression(text)
    is_whole = all(s in known and s.data.is_integer for s in symbols(e))
    require(is_whole, "a place or an end in what is no whole number of the box or index")
    return e


def _read_span(row: Any, box: Mapping[Node, Any], indices: Mapping[Node, Any]) -> Span:
    require(isinstance(row, list) and len(row) == 3, "no index with its first and last place")
    index = read_symbol(row[0])
    require(index.data.assumptions == (("integer", True), ("real", True)), "an index assumes more than to be whole")
    known = {**box, **indices}
    return index, _read_place(row[1], known), _read_place(row[2], known)


def _read_parts(
    rows: Any, box: Mapping[Node, Any], places: Mapping[Node, Sequence[Any]], functions: Mapping[Node, bool]
) -> tuple[dict[Node, TablePart], set[Node]]:
    """Parts, and the indices that stand in them. An index that nothing runs over is found when all is written out."""
    parts: dict[Node, TablePart] = {}
    indices: dict[Node, None] = {}
    for row in rows_of(rows):
        sizes = {"entry": 4, "total": 7, "value": 4}
        is_part = isinstance(row, list) and row and isinstance(row[0], str) and len(row) == sizes.get(row[0])
        require(is_part, "parts: a row of an unknown kind")
        s = read_symbol(row[1])
        require(s.data.assumptions == (("real", True),) and s not in parts, "parts: a symbol twice, or not just real")
        if row[0] == "total":
            require(row[2] in ("sum", "prod", "max", "min"), "a total of an unknown kind")
            body = read_expression(row[3])
            span = _read_span(row[4:], box, _free_indices((body, *map(read_expression, row[5:]))))
            indices |= {span[0]: None}
            parts[s] = TablePart("total", None, (body,), ReplayTotal(s, row[2], body, 0), span)
        else:
            known, texts = (places, rows_of(row[3])) if row[0] == "entry" else (functions, [row[3]])
            of, inside = read_symbol(row[2]), tuple(map(read_expression, texts))
            require(of in known, "parts: an entry or a value of what has no row")
            is_short = row[0] == "entry" and len(inside) != len(places[of])
            require(not is_short, "parts: not one place for each index")
            parts[s] = TablePart(row[0], of, inside)
        above = {*box, *itertools.islice(parts, len(parts) - 1)}
        unknown = {x for e in parts[s].inside for x in symbols(e)} - above
        require(all(_is_index(x) for x in unknown), "a part knows a symbol that stands for nothing above it")
        indices |= dict.fromkeys(unknown)
    return parts, set(indices)


def _is_index(s: Node) -> bool:
    return s.data.assumptions == (("integer", True), ("real", True))


def _free_indices(parts: Sequence[Node]) -> dict[Node, None]:
    return {s: None for e in parts for s in symbols(e) if _is_index(s)}


# ----------------------------------------------------------------------------------------------------------- refutation


class _Written:
    """A statement at one point, with all entries and functions."""

    def __init__(self, statement: Tables, at: dict[str, Any]) -> None:
        self.statement = statement
        self.point = read_point(Statement(Relation("true"), statement.box, ()), at["point"])
        self.is_zero, self.known, self.terms = ZeroTest().is_zero, {}, 0
        self.entries = self._read_entries(at["entries"])
        self.functions = self._read_functions(at["functions"])

    def whole(self, e: Node, around: Mapping[Node, Node]) -> int:
        """A place or an end, which is a whole number of moderate size."""
        value = value_at(put(e, dict(around)), self.point, self.is_zero, self.known).exact
        is_whole = value is not None and value.q == 1 and abs(value) <= MAX_TERMS
        require(is_whole, "a place or end that is not whole")
        return int(value.p)  # type: ignore[union-attr]

    def places_of(self, a: Node) -> list[range]:
        """The places of a list, by index."""
        return [range(self.whole(low, {}), self.whole(high, {}) + 1) for low, high in self.statement.places[a]]

    def _read_entries(self, rows: Any) -> dict[Node, dict[tuple[int, ...], Node]]:
        found: dict[Node, dict[tuple[int, ...], Node]] = {}
        for row in rows_of(rows):
            require(isinstance(row, list) and len(row) == 2 and isinstance(row[1], list), "entries: no list of numbers")
            a, values = read_symbol(row[0]), [read_rational(value) for value in row[1]]
            require(a in self.statement.ranges and a not in found, "entries of what has no row, or twice")
            places, r = self.places_of(a), self.statement.ranges[a]
            count = math.prod(map(len, places))
            require(count == len(values) <= MAX_LENGTH, "not {} numbers for {}, or too many", count, a)
            inside = all(r.low <= value <= r.high and a.data.allows(value) for value in values)
            require(inside, "an entry of {} lies outside its range", a)
            found[a] = dict(zip(itertools.product(*places), map(number, values), strict=True))
        require(set(found) == set(self.statement.ranges), "not the entries of each list")
        return found

    def _read_functions(self, rows: Any) -> dict[Node, list[fmpq]]:
        found: dict[Node, list[fmpq]] = {}
        for row in rows_of(rows):
            require(isinstance(row, list) and len(row) == 2 and isinstance(row[1], list), "functions: no coefficients")
            f, factors = read_symbol(row[0]), [read_rational(value) for value in row[1]]
            is_one = f in self.statement.is_convex and f not in found and 0 < len(factors) <= _MAX_DEGREE + 1
            require(is_one, "functions: one without a row, or no polynomial of degree 2 at most")
            bends_up = len(factors) <= _MAX_DEGREE or factors[_MAX_DEGREE] >= 0
            require(bends_up or not self.statement.is_convex[f], "functions: {} must be convex", f)
            found[f] = factors
        require(set(found) == set(self.statement.is_convex), "functions: not each of them is named")
        return found

    def out(self, e: Node, around: Mapping[Node, Node]) -> Node:
        """An expression with numbers for indices and entries, and what parts stand for."""
        values = dict(around)
        for s in symbols(e) & set(self.statement.parts):
            values[s] = self.part(self.statement.parts[s], around)
        return put(e, values)

    def part(self, part: TablePart, around: Mapping[Node, Node]) -> Node:
        """What a part is where the indices are these numbers."""
        if part.total is not None and part.span is not None:
            index, low, high = part.span
            places = range(self.whole(low, around), self.whole(high, around) + 1)
            self.terms += len(places)
            require(self.terms <= MAX_TERMS, "more than {} terms", MAX_TERMS)
            return part.total.of([self.out(part.inside[0], {**around, index: number(k)}) for k in places])
        if part.what == "value":
            argument, factors = self.out(part.inside[0], around), self.functions[part.of]  # type: ignore[index]
            powers = [Node("pow", (argument, number(k))) if k > 1 else argument for k in range(1, len(factors))]
            terms = [Node("mul", (p,), c) for c, p in zip(factors[1:], powers, strict=True)]
            return Node("add", (number(factors[0]), *terms))
        place = tuple(self.whole(e, around) for e in part.inside)
        entries = self.entries[part.of]  # type: ignore[index]
        require(place in entries, "there is no entry at {}", place)
        return entries[place]

    def relation(self, r: Relation, around: Mapping[Node, Node]) -> Relation:
        """A relation written out."""
        return put_into(r, {**around, **{s: self.part(self.statement.parts[s], around) for s in self.parts_of(r)}})

    def parts_of(self, r: Relation) -> set[Node]:
        """The symbols of a relation that stand for parts."""
        return symbols_of(r) & set(self.statement.parts) if r.sign not in ("true", "false") else set()

    def conditions(self) -> Iterator[Relation]:
        """All that is given, at each place."""
        for r in self.statement.given:
            yield self.relation(r, {})
        for r, spans in self.statement.each:
            ranges = [range(self.whole(low, {}), self.whole(high, {}) + 1) for _, low, high in spans]
            for place in itertools.product(*ranges):
                yield self.relation(r, {index: number(k) for (index, _, _), k in zip(spans, place, strict=True)})


def _refute(statement: Tables, at: Any) -> None:
    """Raise InvalidRecord unless the relation fails at a point, with entries and functions named."""
    require(isinstance(at, dict) and set(at) == {"point", "entries", "functions"}, "at: unknown or missing keys")
    written = _Written(statement, at)
    given = tuple(written.conditions())
    for condition in given:
        require(holds_at(condition, written.point, written.is_zero, written.known), "the conditions are not met")
    refute_at(Statement(written.relation(statement.relation, {}), statement.box, given), written.point)
