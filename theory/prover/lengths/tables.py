"""A statement over tables, in sympy: lists with one or more indices, totals inside totals, functions by name.

`theory.checker.lists.tables` has the same statement in its own terms. It is refuted and not proved: at small lengths
all is written out, with a symbol for each entry, and the ordinary attack looks for a point. Entries that a condition
says what they are, r[i] = sum(p[i,j], j=1..m), are put in before. A function by name is a polynomial of degree 2, whose
coefficients are looked for as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import sympy as sp

from theory.ordering import in_order
from theory.prover.certify import Refuted, StatementSearch, Unknown, within_budget
from theory.prover.expressions.points import displayed
from theory.prover.goal import Node
from theory.prover.lengths.question import KINDS, Ends, put
from theory.prover.records import replayed_record
from theory.prover.statement import stated
from theory.prover.typed.formula import FormulaError
from theory.timeout import cpu_clock

_MOST_SYMBOLS, _MOST_LENGTHS, _SMALL = 14, 12, 4
"""Symbols of a statement written out, lengths that are tried, and how far these lie above the least ones."""
_LOOKED_AT = 5
"""Lengths at which all must be there."""
_EACH_S = 4.0
_EMPTY = {"sum": sp.S.Zero, "prod": sp.S.One}
Span = tuple[sp.Symbol, sp.Expr, sp.Expr]


@dataclass(frozen=True)
class TableEntry:
    """The entry of a list at some places."""

    of: sp.Symbol
    places: tuple[sp.Expr, ...]


@dataclass(frozen=True)
class IndexedTotal:
    """The sum, product, greatest or least of a body over an index."""

    kind: str
    body: sp.Expr
    span: Span


@dataclass(frozen=True)
class ValueOf:
    """A function by name at an argument."""

    of: sp.Symbol
    argument: sp.Expr


@dataclass(frozen=True)
class TableQuestion:
    """A relation that is asked for all tables; `parts` say what symbols stand for, each in symbols above it.

    Attributes:
        box: closed ends of all numbers.
        lists: the range of entries, by list.
        places: the ends of each index of a list.
        convex: functions, with whether they are given to be convex.
        each: relations that hold at all places of some indices.
    """

    relation: sp.Basic
    given: tuple[sp.Basic, ...]
    each: tuple[tuple[sp.Basic, tuple[Span, ...]], ...]
    box: Mapping[sp.Symbol, Ends]
    lists: Mapping[sp.Symbol, Ends]
    places: Mapping[sp.Symbol, tuple[tuple[sp.Expr, sp.Expr], ...]]
    convex: Mapping[sp.Symbol, bool]
    parts: Mapping[sp.Symbol, TableEntry | IndexedTotal | ValueOf]

    def statement(self) -> Node:
        """What a record says of the statement."""
        return {
            "tables": [[*_row(a, ends), [_texts(pair) for pair in self.places[a]]] for a, ends in self.lists.items()],
            "functions": [[sp.srepr(f), is_convex] for f, is_convex in self.convex.items()],
            "parts": [self._part(s, part) for s, part in self.parts.items()],
            "each": [[sp.srepr(r), [_texts(span) for span in spans]] for r, spans in self.each],
            "relation": sp.srepr(self.relation),
            "box": [_row(s, ends) for s, ends in self.box.items()],
            "given": [sp.srepr(r) for r in self.given],
        }

    def _part(self, s: sp.Symbol, part: TableEntry | IndexedTotal | ValueOf) -> list:
        if isinstance(part, TableEntry):
            return ["entry", sp.srepr(s), sp.srepr(part.of), _texts(part.places)]
        if isinstance(part, ValueOf):
            return ["value", sp.srepr(s), sp.srepr(part.of), sp.srepr(part.argument)]
        return ["total", sp.srepr(s), part.kind, sp.srepr(part.body), *_texts(part.span)]

    @property
    def lengths(self) -> list[sp.Symbol]:
        """Whole numbers that places or ends of indices know."""
        ends = [e for pairs in self.places.values() for pair in pairs for e in pair]
        ends += [e for part in self.parts.values() if isinstance(part, IndexedTotal) for e in part.span[1:]]
        found = {s for e in ends for s in e.free_symbols}
        return [s for s in self.box if s in found]


def _row(s: sp.Symbol, ends: Ends) -> list[str]:
    return [sp.srepr(s), str(ends[0]), str(ends[1])]


def _texts(parts: Sequence[sp.Expr]) -> list[str]:
    return [sp.srepr(e) for e in parts]


class WrittenTables:
    """A statement at some lengths, with a symbol for each entry and for each coefficient of a function."""

    def __init__(self, question: TableQuestion, lengths: Mapping[sp.Symbol, int]) -> None:
        self.question = question
        self.lengths: dict[sp.Basic, sp.Expr] = {s: sp.Integer(k) for s, k in lengths.items()}
        self.entries: dict[sp.Symbol, dict[tuple[int, ...], sp.Symbol]] = {}
        for a, pairs in question.places.items():
            ranges = [range(self.whole(low, {}), self.whole(high, {}) + 1) for low, high in pairs]
            names = {at: f"{a.name}[{','.join(map(str, at))}]" for at in itertools.product(*ranges)}
            self.entries[a] = {at: sp.Symbol(name, **a._assumptions_orig) for at, name in names.items()}
        self.factors: dict[sp.Symbol, list[sp.Symbol]] = {}
        for f, is_convex in question.convex.items():
            bend = sp.Symbol(f"{f.name}2", nonnegative=True) if is_convex else sp.Symbol(f"{f.name}2", real=True)
            self.factors[f] = [*[sp.Symbol(f"{f.name}{k}", real=True) for k in (0, 1)], bend]

    def whole(self, e: sp.Expr, around: Mapping[sp.Basic, sp.Expr]) -> int:
        """A place or an end as a number."""
        found = e.subs({**self.lengths, **around})
        if not found.is_Integer:
            raise FormulaError(f"statement must have whole numbers as places and ends, got {e}, {found} {self.where()}")
        return int(found)

    def where(self) -> str:
        """The lengths, in words."""
        return f"at {', '.join(f'{s} = {k}' for s, k in self.lengths.items())}"

    def out(self, e: sp.Basic, around: Mapping[sp.Basic, sp.Expr]) -> sp.Basic:
        """An expression or relation written out. Raises FormulaError at an entry that is not there."""
        parts = self.question.parts
        values = {**self.lengths, **around}
        values |= {s: self.part(parts[s], around) for s in in_order(e.free_symbols) if s in parts}
        return put(e, values)

    def part(self, part: TableEntry | IndexedTotal | ValueOf, around: Mapping[sp.Basic, sp.Expr]) -> sp.Expr:
        """What a part is where the indices are these numbers."""
        if isinstance(part, TableEntry):
            at = tuple(self.whole(e, around) for e in part.places)
            if at not in self.entries[part.of]:
                shown = f"{part.of.name}[{','.join(map(str, part.places))}]"
                raise FormulaError(f"statement must have entries that are there, got {shown}, none {self.where()}")
            return self.entries[part.of][at]
        if isinstance(part, ValueOf):
            argument = self.out(part.argument, around)
            c0, c1, c2 = self.factors[part.of]
            return c0 + sp.Mul(c1, argument, evaluate=False) + sp.Mul(c2, argument**2, evaluate=False)
        index, low, high = part.span
        places = range(self.whole(low, around), self.whole(high, around) + 1)
        terms = [self.out(part.body, {**around, index: sp.Integer(k)}) for k in places]
        if not terms and part.kind not in _EMPTY:
            raise FormulaError(f"statement must have no {part.kind} of nothing, got one {self.where()}")
        if len(terms) < 2:
            return terms[0] if terms else _EMPTY[part.kind]
        return KINDS[part.kind](*terms, evaluate=False)

    def conditions(self) -> Iterator[sp.Basic]:
        """All that is given, at each place."""
        for r in self.question.given:
            yield self.out(r, {})
        for r, spans in self.question.each:
            ranges = [range(self.whole(low, {}), self.whole(high, {}) + 1) for _, low, high in spans]
            for place in itertools.product(*ranges):
                yield self.out(r, {span[0]: sp.Integer(k) for span, k in zip(spans, place, strict=True)})

    def are_lengths(self) -> bool:
        """Whether these lengths meet what is given of them alone."""
        alone = [put(r, self.lengths) for r in self.question.given if r.free_symbols <= set(self.lengths)]
        return all(bool(r.doit()) for r in alone)

    @property
    def box(self) -> dict[sp.Symbol, Ends]:
        """Ranges of all numbers that are left, of entries and of coefficients."""
        found = {s: ends for s, ends in self.question.box.items() if s not in self.lengths}
        for a, row in self.entries.items():
            found |= dict.fromkeys(row.values(), self.question.lists[a])
        for factors in self.factors.values():
            found |= {c: (sp.S.Zero if c.is_nonnegative else -sp.oo, sp.oo) for c in factors}
        return found


def certify_tables(question: TableQuestion, *, budget_s: float = 60) -> Refuted | Unknown:
    """Look for a point at which the relation fails. Raises FormulaError as `require_entries` does."""
    require_entries(question)
    left_open = partial(Unknown, (), seconds=0.0)
    return within_budget(budget_s, left_open, _settle, question, is_reckoned=True)  # type: ignore[return-value]


def require_entries(question: TableQuestion) -> None:
    """Raise FormulaError at an entry that is not there, or a greatest of nothing, at a length that is tried."""
    for lengths in itertools.islice(small_lengths(question), _LOOKED_AT):
        written = WrittenTables(question, lengths)
        if written.are_lengths():
            list(written.conditions())
            written.out(question.relation, {})


def _settle(question: TableQuestion, budget_s: float) -> Refuted | Unknown:
    end = cpu_clock() + 0.9 * budget_s
    for share in (0.1, 1.0):
        for lengths in small_lengths(question):
            if cpu_clock() < end:
                found = _attacked(question, lengths, min(end, cpu_clock() + share * _EACH_S))
                if found is not None:
                    return found
    return Unknown((), "no counterexample was found, and there is no rule that proves statements over tables", 0.0)


def small_lengths(question: TableQuestion) -> Iterator[dict[sp.Symbol, int]]:
    """Small lengths, the least ones first."""
    rows = []
    for s in question.lengths:
        low, high = question.box[s]
        if low.is_infinite or low < 0:
            raise FormulaError(f"tables must end at whole numbers with a range from 0 or 1 on, got {s.name}")
        low = max(sp.ceiling(low), sp.S.One) if s.is_positive else sp.ceiling(low)
        rows.append([int(k) for k in range(int(low), int(min(low + _SMALL, high)) + 1)])
    chosen = sorted(itertools.product(*rows), key=lambda row: (sum(row), row))
    yield from [dict(zip(question.lengths, row, strict=True)) for row in chosen[:_MOST_LENGTHS]]


def _attacked(question: TableQuestion, lengths: Mapping[sp.Symbol, int], end: float) -> Refuted | None:
    """What the attack finds at some lengths."""
    try:
        written = WrittenTables(question, lengths)
        given = list(written.conditions())
        relation = written.out(question.relation, {})
    except FormulaError:
        return None
    named = _named(given, written.box)
    box = {s: ends for s, ends in written.box.items() if s not in named}
    if len(box) > _MOST_SYMBOLS or relation in (sp.true, sp.false):
        return None
    given = [put(r, named) for r in [*given, *_within(named, written.box)]]
    given = [r for r in given if not (isinstance(r, sp.Eq) and r.lhs == r.rhs)]
    try:
        search = StatementSearch(*stated(put(relation, named), box, given), end)
        search.look_for_counterexample()
    except (ValueError, RecursionError):
        return None
    if search.point is None:
        return None
    point: dict[sp.Basic, sp.Expr] = dict(search.point)
    point |= {s: put(e, point).doit() for s, e in named.items()}
    return _refuted(question, written, point) if all(v.is_Rational for v in point.values()) else None


def _named(given: Sequence[sp.Basic], box: Mapping[sp.Symbol, Ends]) -> dict[sp.Basic, sp.Expr]:
    """Entries that conditions say what they are, in others."""
    named: dict[sp.Basic, sp.Expr] = {}
    for relation in given:
        if not isinstance(relation, sp.Eq):
            continue
        for s, e in (relation.args, relation.args[::-1]):
            e = put(e, named)
            if s in box and s not in named and s not in e.free_symbols:
                named = {k: put(v, {s: e}) for k, v in named.items()} | {s: e}
                break
    return named


def _within(named: Mapping[sp.Basic, sp.Expr], box: Mapping[sp.Symbol, Ends]) -> Iterator[sp.Basic]:
    """That what is put in lies in the range of the entry."""
    for s, e in named.items():
        low, high = box[s]  # type: ignore[index]
        if not low.is_infinite:
            yield (sp.Gt if low == 0 and s.is_positive else sp.Ge)(e, low, evaluate=False)
        if not high.is_infinite:
            yield sp.Le(e, high, evaluate=False)


def _refuted(question: TableQuestion, written: WrittenTables, point: Mapping[sp.Basic, sp.Expr]) -> Refuted | None:
    """The answer that a statement fails at a point, where the checker says so too."""
    outer = {s: written.lengths.get(s, point.get(s)) for s in question.box}
    at = {
        "point": [[sp.srepr(s), str(v)] for s, v in outer.items()],
        "entries": [[sp.srepr(a), [str(point[s]) for s in row.values()]] for a, row in written.entries.items()],
        "functions": [[sp.srepr(f), [str(point[c]) for c in factors]] for f, factors in written.factors.items()],
    }
    record, _ = replayed_record(question.statement() | {"verdict": "refuted", "at": at})
    if record is None:
        return None
    shown = {s: v for s, v in {**outer, **point}.items() if isinstance(s, sp.Symbol)}
    there = put(written.out(question.relation, {}), dict(point))
    return Refuted(shown, displayed(there.lhs, there.rhs, {}), record, 0.0)  # type: ignore[arg-type]
