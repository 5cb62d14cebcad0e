"""Statements over a length: x has n entries, and sums, products, greatest and least of them stand in the statement.

A record says `length` n, a whole number with a row in `box`; `index` i; `entries`, rows as of a box, the range of each
of x_1 to x_n; `each`, relations that the entries of one place meet; and `totals`, rows [u, kind, body, first]. The
symbol u stands in `relation` and `given` for the sum (or product, or greatest, or least) over i = first, ..., n of the
body, an expression in the entries at i, in i itself, in symbols of the box and in totals of rows above. Where there is
`running`, rows [u, place], a symbol u stands in bodies below for what the total at that place is from its first to i.

"refuted" names n, all entries and a point of the box. The totals are written out there, and it is evaluated.

"proved" is a list of `steps`, each of which shows facts about the totals, and `last`, which shows the relation from
these facts. Totals are real symbols there, and n a whole number.

- *induction*: claims about totals whose terms know neither n nor other totals. At the least n all entries are written
  out; from n to n + 1 each total takes one more term, and every claim at n is given.
- *termwise*: weighted terms of sums are at most an expression at each place, so the weighted sums at most n times that.
  Weights may know n and the totals: with the tangent at the mean it is Jensen's inequality. *exact*: with = throughout.
- *extreme*: what bounds all terms bounds their greatest; elsewhere each term is bounded by it.
- *products*: Cauchy-Schwarz.
- *claim*: a relation that follows from what is known, as the last one does; it is known from then on.
- *walk*, *holder*, *binomial*, *member*, *attained*: `theory.checker.lists.total_steps`; terms may know n, and i.
- *factors*, *falling*, *squares*: `theory.checker.lists.series_steps`, likewise.
- *means*: products, in `theory.checker.lists.product_steps`; *jensen*: in `theory.checker.lists.convex_steps`.

In the place of the last proof may stand two, `squared`: low <= high as high >= 0 and low^2 <= high^2. Or `raised`, with
another power `to`.

Each step also shows that the terms of its totals have values, wherever the givens hold; every total needs one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from flint import fmpq

from theory.checker.constants.existence import pairs, put_into, rows_of, shown
from theory.checker.domain import open_conditions
from theory.checker.enclosure import INFINITY, SymbolRange
from theory.checker.limits import SYMBOLS, require
from theory.checker.lists.convex_steps import jensen
from theory.checker.lists.instances import shown_by_instances
from theory.checker.lists.product_steps import means
from theory.checker.lists.series_steps import factors, falling, squares
from theory.checker.lists.total_steps import (
    ALL,
    attained,
    binomial,
    holder,
    member,
    outside_relation,
    shown_with,
    symbols_of,
    walk,
)
from theory.checker.nodes import ONE, ZERO, Node, number
from theory.checker.parser import Relation, Symbol, read_expression, read_rational, read_relation, read_symbol
from theory.checker.pieces import has_pieces, put
from theory.checker.statement import (
    Statement,
    holds_at,
    read_box,
    read_givens,
    read_point,
    refute_at,
    require_rows,
)
from theory.checker.walks import symbols
from theory.checker.zero import ZeroTest

_ALWAYS = {"length", "index", "entries", "each", "totals", "relation", "box", "given", "verdict", "digest"}
MAX_LENGTH = 2000
"""Entries of a counterexample."""
MAX_FIRST = 64
"""The least n of an induction, and the place where totals begin."""
MAX_POWER = 12
"""The power to which both sides of a relation may be raised."""
_KINDS = {"sum": ("add", ZERO), "prod": ("mul", ONE), "max": ("Max", None), "min": ("Min", None)}
"""Kind of a total -> the operation, and the total of no terms."""


@dataclass(frozen=True)
class ReplayTotal:
    """`symbol` stands for a total over i = first, ..., n of `body`."""

    symbol: Node
    kind: str
    body: Node
    first: int

    def of(self, terms: Sequence[Node]) -> Node:
        """The total of some terms, as written."""
        operation, empty = _KINDS[self.kind]
        if not terms:
            require(empty is not None, "a greatest or least of nothing")
            return empty  # type: ignore[return-value]
        if len(terms) == 1:
            return terms[0]
        return Node(operation, tuple(terms), fmpq(1) if operation == "mul" else None)


@dataclass(frozen=True)
class Lengths:
    """A statement over a length; `outer` has relation, box and givens, with the totals as symbols of the box."""

    length: Node
    index: Node
    entries: dict[Node, SymbolRange]
    each: tuple[Relation, ...]
    totals: tuple[ReplayTotal, ...]
    outer: Statement
    running: dict[Node, ReplayTotal]

    @property
    def box(self) -> dict[Node, SymbolRange]:
        """The ranges of all symbols that are no totals."""
        taken = {total.symbol for total in self.totals}
        return {s: r for s, r in self.outer.box.items() if s not in taken}

    @property
    def least(self) -> int:
        """The least n."""
        return int(self.outer.box[self.length].low.p)


def verify_lengths(record: dict[str, Any]) -> str:
    """What the record has shown: "proved", "vacuous" or "refuted". Raises InvalidRecord if nothing."""
    verdict = record.get("verdict")
    require(verdict in ("proved", "refuted"), "unknown verdict")
    wanted = {"steps", "last"} if verdict == "proved" else {"at"}
    require(set(record) - {"running"} == _ALWAYS | wanted, "unknown or missing keys")
    statement = read_lengths(record)
    if verdict == "refuted":
        _refute(statement, record["at"])
        return "refuted"
    return LengthProof(statement).show(record["steps"], record["last"])


def read_lengths(record: dict[str, Any]) -> Lengths:
    """The statement of a record. Raises InvalidRecord where it is none."""
    box, entries = read_box(record["box"]), read_box(record["entries"])
    length, index = read_symbol(record["length"]), read_symbol(record["index"])
    plain = {"integer", "real", "positive", "nonnegative"}
    is_length = length in box and length.data.is_integer and {k for k, _ in length.data.assumptions} <= plain
    require(is_length, "the length is no whole number of the box, or more than that")
    low = box[length].low
    is_small = isinstance(low, fmpq) and low.q == 1 and 0 <= low <= MAX_FIRST
    require(is_small, "the least length is no whole number from 0 to {}", MAX_FIRST)
    require(index.data.assumptions == (("integer", True), ("real", True)), "the index assumes more than to be whole")
    known = set(box) | set(entries) | {index}
    places = _read_running(record.get("running", []))
    totals = _read_totals(record["totals"], known, entries, int(low.p), places)
    running = {s: totals[place] for s, place in places.items()}
    require_names([*box, *entries, index, *running, *[total.symbol for total in totals]])
    each = read_givens(record["each"])
    require_rows(each, box | entries | {index: ALL})
    outer = box | {total.symbol: ALL for total in totals}
    relation, given = read_relation(record["relation"]), read_givens(record["given"])
    require_rows((relation, *given), outer)
    require_whole((relation, *given, *each))
    return Lengths(length, index, entries, each, totals, Statement(relation, outer, given), running)


def require_names(found: Sequence[Node]) -> None:
    """Raise InvalidRecord where two symbols have one name."""
    names = [(s.data.name, s.data.index) for s in found]
    require(len(names) <= SYMBOLS and len(set(names)) == len(names), "two symbols of one name, or too many")


def require_whole(relations: Sequence[Relation]) -> None:
    """Raise InvalidRecord where a relation has pieces: of one that is not taken nothing would be asked."""
    sides = [side for r in relations if r.sign not in ("true", "false") for side in (r.left, r.right)]
    require(not any(map(has_pieces, sides)), "a Piecewise stands in a statement over a length")


def _read_running(rows: Any) -> dict[Node, int]:
    """Symbols of totals from their first term to the place at hand, with the places of these totals."""
    found: dict[Node, int] = {}
    for row in rows_of(rows):
        require(isinstance(row, list) and len(row) == 2 and type(row[1]) is int, "running: no symbol with a place")
        s = read_symbol(row[0])
        require(s.data.assumptions == (("real", True),), "running: a symbol assumes more than to be real")
        require(s not in found, "running: two rows for {}", s)
        found[s] = row[1]
    return found


def _read_totals(
    rows: Any, known: set[Node], entries: Mapping[Node, Any], least: int, running: Mapping[Node, int]
) -> tuple[ReplayTotal, ...]:
    """Totals, each of whose bodies knows what is known, the totals above it, and those as far as the place at hand."""
    require(isinstance(rows, list) and 0 < len(rows) <= SYMBOLS, "no short list of totals")
    totals: list[ReplayTotal] = []
    for row in rows:
        require(isinstance(row, list) and len(row) == 4, "a total has not four entries")
        symbol, kind, body, first = read_symbol(row[0]), row[1], read_expression(row[2]), row[3]
        require(isinstance(kind, str) and kind in _KINDS, "a total of an unknown kind")
        require(symbol.data.assumptions == (("real", True),), "a total assumes more than to be real")
        require(type(first) is int and -MAX_FIRST <= first <= least + 1, "a total that may begin after its end")
        require(first == 1 or not symbols(body) & set(entries), "a total of entries does not begin at 1")
        require(first <= least or _KINDS[kind][1] is not None, "a greatest or least of nothing")
        so_far = {s for s, place in running.items() if 0 <= place < len(totals) and totals[place].first == first}
        inside = symbols(body) - known - so_far - {total.symbol for total in totals}
        require(not inside, "a total knows {}, which has no row", *[s.data.name for s in inside][:1])
        totals.append(ReplayTotal(symbol, kind, body, first))
    require(all(0 <= place < len(totals) for place in running.values()), "running: a place that no total has")
    return tuple(totals)


# ----------------------------------------------------------------------------------------------------------- refutation


def _refute(statement: Lengths, at: Any) -> None:
    """Raise InvalidRecord unless the relation fails at one n, with entries and a point named."""
    require(isinstance(at, dict) and set(at) == {"point", "entries"}, "at: unknown or missing keys")
    point = read_point(Statement(Relation("true"), statement.box, ()), at["point"])
    n = int(point[statement.length].p)
    require(n <= MAX_LENGTH, "a counterexample of more than {} entries", MAX_LENGTH)
    places = _read_entries(statement, at["entries"], n)
    is_zero, known = ZeroTest().is_zero, {}
    for i in range(1, n + 1):
        for relation in statement.each:
            here = put_into(relation, _at_place(statement, places, i))
            require(holds_at(here, point, is_zero, known), "the entries are not as they must be")
    values = _totals_at(statement, places, n)
    given = tuple(put_into(g, values) for g in statement.outer.given)
    refute_at(Statement(put_into(statement.outer.relation, values), statement.box, given), point)


def _totals_at(statement: Lengths, places: Mapping[Node, Sequence[fmpq]], n: int) -> dict[Node, Node]:
    """All totals, written out at one n."""
    values: dict[Node, Node] = {}
    written: dict[Node, list[Node]] = {}
    for total in statement.totals:
        body, terms = put(total.body, dict(values)), []
        for count, i in enumerate(range(total.first, n + 1), 1):
            known = {s: t.of(written[t.symbol][:count]) for s, t in statement.running.items() if s in symbols(body)}
            terms.append(put(body, known | _at_place(statement, places, i)))
        values[total.symbol], written[total.symbol] = total.of(terms), terms
    return values


def _read_entries(statement: Lengths, rows: Any, n: int) -> dict[Node, list[fmpq]]:
    """n numbers for each of the entries, within their ranges."""
    require(isinstance(rows, list) and len(rows) == len(statement.entries), "not one list for each of the entries")
    places: dict[Node, list[fmpq]] = {}
    for row in rows:
        require(isinstance(row, list) and len(row) == 2 and isinstance(row[1], list), "entries: no pair with a list")
        s, values = read_symbol(row[0]), [read_rational(value) for value in row[1]]
        require(s in statement.entries and s not in places and len(values) == n, "not {} numbers for {}", n, s)
        r = statement.entries[s]
        inside = all(r.low <= value <= r.high and s.data.allows(value) for value in values)
        require(inside, "an entry of {} lies outside its range", s)
        places[s] = values
    return places


def _at_place(statement: Lengths, places: Mapping[Node, Sequence[fmpq]], i: int) -> dict[Node, Node]:
    """What index and entries are at one place."""
    found = {s: number(values[i - 1]) for s, values in places.items() if 1 <= i <= len(values)}
    return found | {statement.index: number(i)}


# ---------------------------------------------------------------------------------------------------------------- proof


class LengthProof:
    """What is known of the totals: relations that are true (`facts`), and those whose terms have values (`covered`)."""

    def __init__(self, statement: Lengths) -> None:
        self.statement = statement
        self.facts: list[Relation] = []
        self.covered: set[Node] = set()
        self.members: set[Node] = set()
        self.places = {total.symbol: total for total in statement.totals}

    def show(self, steps: Any, last: Any) -> str:
        """Raise InvalidRecord unless the steps and the last one show the relation; "proved" or "vacuous"."""
        for step in rows_of(steps):
            self.take(step)
        return self.finish(last)

    def take(self, step: Any) -> None:
        """Learn what one step shows."""
        rules = {
            "induction": (self.induction, {"totals", "claims", "start", "steps"}),
            "termwise": (self.termwise, {"weights", "rest", "proof"}),
            "exact": (partial(self.termwise, sign="=="), {"weights", "rest", "proof"}),
            "extreme": (self.extreme, {"total", "rest", "proof"}),
            "products": (self.products, {"total", "first", "second", "proofs"}),
            "walk": (partial(walk, self), {"totals", "from", "claims", "start", "steps"}),
            "holder": (partial(holder, self), {"total", "first", "second", "power", "proofs"}),
            "binomial": (partial(binomial, self), {"total", "of", "terms", "times", "base", "exact", "proofs"}),
            "member": (partial(member, self), {"total", "proof"}),
            "factors": (partial(factors, self), {"total", "side", "potential", "weights", "proofs"}),
            "falling": (partial(falling, self), {"total", "power", "times", "base", "other", "proofs"}),
            "squares": (partial(squares, self), {"total", "times", "proofs"}),
            "means": (partial(means, self), {"total", "of", "proofs"}),
            "claim": (self.claim, {"relation", "proof"}),
            "attained": (partial(attained, self), {"total", "relation", "proof"}),
            "jensen": (
                partial(jensen, self),
                {"total", "mean", "weights", "whole", "row", "of", "bends", "at", "side", "proofs"},
            ),
        }
        require(isinstance(step, dict) and step.get("by") in rules, "a step of an unknown kind")
        rule, keys = rules[step["by"]]
        require(set(step) == {"by"} | keys, "{}: unknown or missing keys", step["by"])
        rule(step)

    def finish(self, last: Any, relation: Relation | None = None) -> str:
        """Raise InvalidRecord unless the relation, or another, follows from the facts; "proved" or "vacuous"."""
        missing = set(self.places) - self.covered
        require(not missing, "no step has shown that the terms of {} have values", *[s.data.name for s in missing][:1])
        return self.concluded(relation or self.statement.outer.relation, last)

    def concluded(self, relation: Relation, last: Any) -> str:
        """Raise InvalidRecord unless a relation follows from the facts; "proved" or "vacuous"."""
        if isinstance(last, dict) and set(last) in ({"squared"}, {"raised", "to"}):
            proofs, to = (last["squared"], 2) if "squared" in last else (last["raised"], last["to"])
            parts = pairs(_raised(relation, to), proofs)
            said = [self.settled(self.at_all(r), p) for r, p in parts]
            return "vacuous" if "vacuous" in said else "proved"
        return self.settled(self.at_all(relation), last)

    def settled(self, statement: Statement, body: Any) -> str:
        """As `shown`; with multiples of what is given of totals taken off before, where the proof has `taken`.

        Or with multiples of `instances`, where it has these.
        """
        if isinstance(body, dict) and "instances" in body:
            return shown_by_instances(statement, body)
        if not (isinstance(body, dict) and "taken" in body):
            return shown(statement, body)
        spoken = [g for g in statement.given if symbols_of(g) & set(self.places)]
        others = tuple(g for g in statement.given if not symbols_of(g) & set(self.places))
        return self.settled_with(replace(statement, given=others), spoken, body)

    def settled_with(self, statement: Statement, extra: Sequence[Relation], body: Any) -> str:
        """As `shown_with`; or by `instances`, where the conditions are given like all others."""
        if isinstance(body, dict) and "instances" in body:
            return shown_by_instances(replace(statement, given=(*statement.given, *extra)), body)
        return shown_with(statement, extra, body)

    def total(self, place: Any) -> ReplayTotal:
        """A total of the statement, by its place."""
        is_place = type(place) is int and 0 <= place < len(self.statement.totals)
        require(is_place, "a place that no total has")
        return self.statement.totals[place]

    def learned(self, fact: Relation, totals: Sequence[ReplayTotal]) -> None:
        """Keep a fact, and that the terms of some totals have values. All that they know must have values by now."""
        own = {total.symbol for total in totals}
        parts = {s for total in totals for s in symbols(total.body)} | symbols_of(fact)
        parts |= {total.symbol for s, total in self.statement.running.items() if s in parts}
        require(parts & set(self.places) <= self.covered | own, "a total whose terms are not known to have values")
        self.facts.append(fact)
        self.covered |= own

    def claim(self, step: dict[str, Any]) -> None:
        """A relation between totals that are known to have values, by what is known of them."""
        relation = outside_relation(self, step["relation"])
        self.concluded(relation, step["proof"])
        self.learned(relation, [])

    # ------------------------------------------------------------------------------------------------------ induction

    def induction(self, step: dict[str, Any]) -> None:
        """All claims at the least n, and from n to n + 1."""
        totals = [self.total(place) for place in rows_of(step["totals"])]
        own = {total.symbol for total in totals}
        require(len(own) == len(totals) and own, "induction: no totals, or one twice")
        apart = {*self.places, *self.statement.running, self.statement.length}
        for total in totals:
            require(not symbols(total.body) & apart, "induction: terms that depend on n or on other totals")
        claims = read_givens(step["claims"])
        require_whole(claims)
        require_rows(claims, self.statement.box | dict.fromkeys(own, ALL))
        said = {s for claim in claims if claim.sign not in ("true", "false") for s in symbols_of(claim)}
        require(own <= said, "induction: a total of which nothing is claimed")
        for claim, proof in pairs(claims, step["start"]):
            self.settled(self._start(claim, totals), proof)
        for claim, proof in pairs(claims, step["steps"]):
            self.settled_with(self.after(claim, totals), claims, proof)
        for claim in claims:
            self.learned(claim, totals)

    def _start(self, claim: Relation, totals: Sequence[ReplayTotal]) -> Statement:
        """A claim at the least n, all entries written out."""
        statement, n = self.statement, self.statement.least
        places = [{s: entry_at(s, i) for s in statement.entries} for i in range(1, n + 1)]
        written = {place[s]: r for place in places for s, r in statement.entries.items()}
        names = [(s.data.name, s.data.index) for s in (*statement.box, *written)]
        require(len(set(names)) == len(names), "induction: a symbol has an entry's name")
        box = statement.box | written
        values = {statement.length: number(n)}
        here = [place | {statement.index: number(i)} for i, place in enumerate(places, 1)]
        for total in totals:
            at = [here[i - 1] if i >= 1 else {statement.index: number(i)} for i in range(total.first, n + 1)]
            values[total.symbol] = total.of([put(total.body, dict(place)) for place in at])
        each = tuple(put_into(r, place) for place in here for r in self._lasting(statement.each))
        return Statement(put_into(claim, values), box, (*self._lasting(statement.outer.given), *each))

    def after(self, claim: Relation, totals: Sequence[ReplayTotal]) -> Statement:
        """A claim at n + 1; the new entries are the symbols of `entries`."""
        statement = self.statement
        box = statement.box | statement.entries | {total.symbol: ALL for total in totals}
        after = Node("add", (statement.length, ONE))
        values = {statement.length: after}
        for total in totals:
            values[total.symbol] = total.of((total.symbol, put(total.body, {statement.index: after})))
        each = tuple(put_into(r, {statement.index: after}) for r in self._lasting(statement.each))
        given = (*self._lasting(statement.outer.given), *each)
        return Statement(put_into(claim, values), box, given)

    def _lasting(self, relations: Sequence[Relation]) -> tuple[Relation, ...]:
        """Relations that speak neither of n nor of totals: what is given of the whole is not given on the way to it."""
        apart = set(self.places) | {self.statement.length}
        return tuple(r for r in relations if not symbols_of(r) & apart)

    # ------------------------------------------------------------------------------------------------ term by term

    def at_one_place(self, relation: Relation, first: int) -> Statement:
        """A relation at any one place i; what a greatest or least says of each of its terms is given."""
        statement = self.statement
        index = {statement.index: SymbolRange(fmpq(first), INFINITY, is_integer=True)}
        box = statement.outer.box | dict.fromkeys(statement.running, ALL) | index
        box |= statement.entries if first == 1 else {}
        given = [*statement.outer.given, *self.facts, Relation("<=", statement.index, statement.length)]
        given += statement.each if first == 1 else ()
        return Statement(relation, box, (*given, *self.said_by_extremes(first)))

    def said_by_extremes(self, first: int) -> list[Relation]:
        """What a greatest or least that is known to have a value says of its term at each place from `first` on."""
        found = []
        for total in self.statement.totals:
            is_member = total.kind in ("max", "min") or total.symbol in self.members
            is_known = total.symbol in self.covered and is_member and total.first <= first
            if is_known and not symbols(total.body) & set(self.statement.running):
                found.append(Relation(">=" if total.kind == "min" else "<=", total.body, total.symbol))
        return found

    def at_all(self, relation: Relation) -> Statement:
        """A relation of what is the same at all places, with all that is known of the totals."""
        outer = self.statement.outer
        return replace(outer, relation=relation, given=(*outer.given, *self.facts))

    def outside(self, text: Any) -> Node:
        """An expression that is the same at all places."""
        e = read_expression(text)
        require(symbols(e) <= set(self.statement.outer.box), "an expression that is not the same at all places")
        return e

    def termwise(self, step: dict[str, Any], sign: str = "<=") -> None:
        """Of sums: weighted terms are at most, or equal to, `rest` at each place, so the sums are to n times that."""
        weighted = []
        for row in rows_of(step["weights"]):
            require(isinstance(row, list) and len(row) == 2, "termwise: no pair of a total and its weight")
            weighted.append((self.total(row[0]), self.outside(row[1])))
        totals, rest = [total for total, _ in weighted], self.outside(step["rest"])
        require(totals and len({total.symbol for total in totals}) == len(totals), "termwise: no totals, or one twice")
        first = totals[0].first
        are_sums = all((total.kind, total.first) == ("sum", first) for total in totals)
        require(are_sums, "termwise: totals that are no sums over the same places")
        if first > self.statement.least:  # there may be no place, and nothing was shown to have a value
            for e in (rest, *[weight for _, weight in weighted]):
                self.require_value(e)
        terms = tuple(Node("mul", (weight, total.body), fmpq(1)) for total, weight in weighted)
        self.settled(self.at_one_place(Relation(sign, Node("add", terms), rest), first), step["proof"])
        count = Node("add", (self.statement.length, number(1 - first)))
        sums = tuple(Node("mul", (weight, total.symbol), fmpq(1)) for total, weight in weighted)
        self.learned(Relation(sign, Node("add", sums), Node("mul", (count, rest), fmpq(1))), totals)

    def require_value(self, e: Node) -> None:
        """Raise InvalidRecord unless intervals show that an expression has a value wherever the statement speaks."""
        require(not open_conditions(e, self.statement.outer.box), "{} may have no value where there is no term", e)

    def extreme(self, step: dict[str, Any]) -> None:
        """The greatest of terms that are at most `rest` is at most that, and the least likewise."""
        total, rest = self.total(step["total"]), self.outside(step["rest"])
        require(total.kind in ("max", "min"), "extreme: neither a greatest nor a least")
        sign = "<=" if total.kind == "max" else ">="
        self.settled(self.at_one_place(Relation(sign, total.body, rest), total.first), step["proof"])
        self.learned(Relation(sign, total.symbol, rest), [total])

    def products(self, step: dict[str, Any]) -> None:
        """Cauchy-Schwarz: c^2 <= a b of sums whose terms are so at each place, those of a and b not negative."""
        c, a, b = (self.total(step[name]) for name in ("total", "first", "second"))
        are_sums = all((total.kind, total.first) == ("sum", c.first) for total in (c, a, b))
        require(are_sums, "products: totals that are no sums over the same places")
        asked = [
            Relation(">=", a.body, ZERO),
            Relation(">=", b.body, ZERO),
            Relation("<=", Node("pow", (c.body, number(2))), Node("mul", (a.body, b.body), fmpq(1))),
        ]
        for relation, proof in pairs(asked, step["proofs"]):
            self.settled(self.at_one_place(relation, c.first), proof)
        square, product = Node("pow", (c.symbol, number(2))), Node("mul", (a.symbol, b.symbol), fmpq(1))
        self.learned(Relation("<=", square, product), [c, a, b])
        for total in (a, b):
            self.learned(Relation(">=", total.symbol, ZERO), [total])


def _raised(relation: Relation, to: Any) -> list[Relation]:
    """What low <= high follows from: high >= 0 and low^k <= high^k."""
    require(relation.sign in ("<=", ">="), "raised: neither <= nor >=")
    require(type(to) is int and 2 <= to <= MAX_POWER, "raised: no power from 2 to {}", MAX_POWER)
    low, high = (relation.left, relation.right) if relation.sign == "<=" else (relation.right, relation.left)
    powers = [Node("pow", (side, number(to))) for side in (low, high)]
    return [Relation(">=", high, ZERO), Relation("<=", *powers)]


def entry_at(s: Node, place: int) -> Node:
    """The entry at one place, with what is assumed of all of them."""
    return Node("symbol", (), Symbol(f"{s.data.name}[{place}]", s.data.index, s.data.assumptions))
