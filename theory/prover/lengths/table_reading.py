"""Read statements over tables as people type them: "sum(a[i,i], i=1..n)^2 <= n*sum(sum(a[i,j]^2, j=1..n), i=1..n)".

The grammar of `typed.formula`, with entries at any places that whole numbers and indices say, `y[n+1-i]` or `a[1,j]`,
totals `sum`, `prod`, `max` and `min` over an index inside each other, `norm`, `dot`, `mean` and `logsumexp` of whole
lists of one index, and the letters f, g and h, where they have no range, as functions of one number, which "convex(f)"
says to be convex. A condition with indices outside of totals holds wherever its entries are there. What other readers
of `lengths` take is left to them, which have rules that prove it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy as sp

from theory.prover.lengths.question import put
from theory.prover.lengths.reading import _TOKEN, _TOTALS, _VECTORS, index_ahead
from theory.prover.lengths.tables import IndexedTotal, Span, TableEntry, ValueOf
from theory.prover.typed.formula import FormulaError, FormulaParser, read_expression
from theory.prover.typed.parts import inverse, times

_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*\[([^\]]*)\]\s*")
_PLACE = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*?)\.\.(.*)", re.S)
_RANGE = re.compile(r"\s*([\[(][^\[\]()]*[\])]|[^,]*)\s*((?:,.*)?)", re.S)
_CONVEX = re.compile(r"\s*convex\s*\(\s*([A-Za-z_]\w*)\s*\)\s*")
_FUNCTIONS = ("f", "g", "h")
_MAX_INDICES = 3
"""Indices of a list; the checker has the same bound."""
Places = tuple[tuple[sp.Expr, sp.Expr], ...]


def list_key(key: Any) -> tuple[str, list[str]] | None:
    """The name and the indices of "a[i,j]"; None of another name."""
    found = _KEY.fullmatch(key) if isinstance(key, str) else None
    return (found[1], [index.strip() for index in found[2].split(",")]) if found else None


def range_and_places(value: Any) -> tuple[Any, list[str]]:
    """A range, and what says the places of indices: "(0, 1], i=1..n, j=1..m"."""
    found = _RANGE.fullmatch(value) if isinstance(value, str) and "=" in value else None
    return (found[1], [part for part in found[2].split(",") if part.strip()]) if found else (value, [])


def places_of(key: str, indices: Sequence[str], said: Sequence[str], whole: Mapping[str, sp.Symbol]) -> Places:
    """First and last place of each index of a list; from 1 to the only whole number where nothing is said.

    Raises:
        FormulaError: an index without a place, or an end that is no expression in whole numbers.
    """
    ends: dict[str, tuple[sp.Expr, sp.Expr]] = {}
    for part in said:
        found = _PLACE.fullmatch(part)
        if found is None or found[1] in ends:
            raise FormulaError(f"range of {key} must end in a place for each index, i=1..n, got {part.strip()!r}")
        low, high = (read_expression(end, whole, what=f"range of {key}") for end in found.groups()[1:])
        ends[found[1]] = low, high
    if not said and len(indices) == 1 and len(whole) == 1:
        ends[indices[0]] = sp.S.One, next(iter(whole.values()))
    if len(set(indices)) != len(indices) or len(indices) > _MAX_INDICES or set(indices) != set(ends):
        got = ", ".join(ends) or "none"
        raise FormulaError(f"range of {key} must end in a place for each index, i=1..n, got {got}")
    return tuple(ends[index] for index in indices)


def convex_functions(conditions: Sequence[Any]) -> tuple[list[Any], set[str]]:
    """Conditions without those that say that functions are convex, and the names of these."""
    found = [_CONVEX.fullmatch(c) if isinstance(c, str) else None for c in conditions]
    names = {match[1] for match in found if match}
    return [c for c, match in zip(conditions, found, strict=True) if not match], names


class TableTexts:
    """The texts of one statement: they share symbols, lists, functions and parts."""

    def __init__(
        self,
        symbols: Mapping[str, sp.Symbol],
        lists: Mapping[str, sp.Symbol],
        places: Mapping[sp.Symbol, Places],
        convex: set[str],
    ) -> None:
        self.symbols, self.lists, self.places = symbols, lists, places
        self.functions: dict[sp.Symbol, bool] = {}
        self.convex = convex
        self.parts: dict[sp.Symbol, TableEntry | IndexedTotal | ValueOf] = {}
        self.indices: dict[str, sp.Symbol] = {}
        for name in sorted(convex):
            self.function(name)

    def function(self, name: str) -> sp.Symbol:
        """What stands for a function by name."""
        s = sp.Symbol(name, real=True)
        self.functions[s] = name in self.convex
        return s

    def index(self, name: str) -> sp.Symbol:
        """What stands for an index."""
        return self.indices.setdefault(name, sp.Symbol(name, integer=True))

    def part(self, found: TableEntry | IndexedTotal | ValueOf) -> sp.Symbol:
        """The symbol of a part; one that was met before has its symbol already."""
        for s, known in self.parts.items():
            if known == found:
                return s
        stem = {TableEntry: "x", IndexedTotal: "S", ValueOf: "v"}[type(found)]
        s = sp.Symbol(f"{stem} {len(self.parts) + 1}", real=True)  # no name that is typed has a space
        self.parts[s] = found
        return s

    def relations(self, text: str, what: str) -> Iterator[tuple[sp.Basic, tuple[Span, ...]]]:
        """The relations that a text says, each with the places at which it holds."""
        parser = _TableParser(text, self, what)
        found = parser.relations()
        if parser.free and what == "statement":
            raise FormulaError(f"statement must have its entries within totals, got index {next(iter(parser.free))}")
        spans = tuple(self._span(name, sorted(ends, key=str)) for name, ends in parser.free.items())
        for relation in found:
            yield relation, spans

    def _span(self, name: str, ends: Sequence[tuple[sp.Expr, sp.Expr]]) -> Span:
        """Where all entries at an index are there."""
        if not ends:
            raise FormulaError(f"given must have entries at index {name}, which say where it holds, got none")
        lows, highs = ({pair[k] for pair in ends} for k in (0, 1))
        low = lows.pop() if len(lows) == 1 else sp.Max(*lows)
        high = highs.pop() if len(highs) == 1 else sp.Min(*highs)
        return self.index(name), low, high

    def bare(self, a: sp.Symbol, index: sp.Symbol) -> sp.Symbol:
        """The entry of a list at an index."""
        return self.part(TableEntry(a, (index,)))


class _TableParser(FormulaParser):
    """One text of a statement over tables."""

    tokens = _TOKEN

    def __init__(self, text: str, texts: TableTexts, what: str) -> None:
        self.texts = texts
        self.around: list[str] = []
        self.free: dict[str, set[tuple[sp.Expr, sp.Expr]]] = {}
        self.over: list[sp.Symbol] | None = None
        super().__init__(text, texts.symbols, what, "names with a range")

    def named(self) -> sp.Expr:
        """An entry, an index, or what the plain grammar has."""
        name, place = self.token, self.start
        if name in self.texts.lists:
            self.advance()
            return self.entry(name, place)
        if name in self.around or name in self.free:
            self.advance()
            return self.texts.index(name)
        return super().named()

    def entry(self, name: str, place: int) -> sp.Expr:
        """a[i,j], or a alone within a total of whole lists."""
        a = self.texts.lists[name]
        if self.over is not None and not self.is_at("["):
            self.over.append(a)
            return self.texts.bare(a, self.texts.index(_OF_LISTS))
        count = len(self.texts.places[a])
        places: list[sp.Expr] = []
        for k in range(count):
            if not self.is_at("[" if k == 0 else ","):
                self.start = place
                indices = ", ".join("ijk"[:count])
                self.refuse(f"must have {name}[{indices}], an index for each of its places", name)
            self.advance()
            places.append(self.place_of(name))
        self.take("]")
        self.met(a, places)
        return self.texts.part(TableEntry(a, tuple(places)))

    def place_of(self, name: str) -> sp.Expr:
        """One place of an entry: an expression in whole numbers and indices; a new name is an index of a condition."""
        start = self.start
        ahead = re.match(r"[^\],]*", self.text[self.start :])
        for found in re.findall(r"[A-Za-z_]\w*", ahead[0] if ahead else ""):
            is_new = found not in {*self.symbols, *self.texts.lists, *self.around} and found not in self.free
            if is_new and self.what != "statement":
                self.free[found] = set()
        where = self.deeper(self.sum)
        if not where.is_integer:
            self.start = start
            self.refuse(f"must have whole numbers as places of {name}", str(where))
        return where

    def met(self, a: sp.Symbol, places: Sequence[sp.Expr]) -> None:
        """Where an index outside of totals must lie for an entry to be there."""
        for where, (low, high) in zip(places, self.texts.places[a], strict=True):
            for name in self.free:
                index = self.texts.index(name)
                step = sp.expand(where - index), sp.expand(where + index)
                bound = {self.texts.index(other) for other in self.around}
                if not (step[0].free_symbols & bound) and index not in step[0].free_symbols:
                    self.free[name].add((sp.expand(low - step[0]), sp.expand(high - step[0])))
                elif not (step[1].free_symbols & bound) and index not in step[1].free_symbols:
                    self.free[name].add((sp.expand(step[1] - high), sp.expand(step[1] - low)))

    def call(self, name: str, place: int) -> sp.Expr:
        """A total, a function by name, or a function of what stands in the parentheses ahead."""
        if name in ("norm", "dot", "mean", "logsumexp"):
            return self.of_lists(name, place)
        index = index_ahead(self.text, self.place - 1) if name in _TOTALS else None
        if index is not None:
            return self.total(name, index, place)
        is_function = name in _FUNCTIONS or name in self.texts.convex
        if is_function and name not in self.symbols:
            self.advance()
            argument = self.deeper(self.sum)
            self.take(")")
            return self.texts.part(ValueOf(self.texts.function(name), argument))
        return super().call(name, place)

    def total(self, kind: str, index: str, place: int) -> sp.Expr:
        """sum(body, i=low..high)."""
        if index in {*self.symbols, *self.texts.lists, *self.around} or index in self.free:
            self.start = place
            self.refuse("must have an index of its own in each total", index)
        self.advance()
        self.around.append(index)
        body = self.deeper(self.sum)
        self.around.pop()
        for sign in (",", index, "="):
            if self.token != sign:
                self.refuse(f"must have the range of {index} here, {index}=1..n")
            self.advance()
        start = self.start
        low = self.deeper(self.sum)
        self.take("..")
        high = self.deeper(self.sum)
        self.take(")")
        if not (low.is_integer and high.is_integer):
            self.start = start
            self.refuse("must have ends of totals that are whole numbers", f"{low}..{high}")
        return self.texts.part(IndexedTotal(kind, body, (self.texts.index(index), low, high)))

    def of_lists(self, name: str, place: int) -> sp.Expr:
        """norm, dot, mean or logsumexp of whole lists, which all have the same places."""
        if self.over is not None:
            self.start = place
            self.refuse("must have functions of whole lists outside of each other", name)
        self.advance()
        self.over = []
        found = [self.deeper(self.sum)]
        while self.is_at(","):
            self.advance()
            is_infinite = self.token == "oo"
            if is_infinite:
                self.advance()
            found.append(sp.oo if is_infinite else self.deeper(self.sum))
        self.take(")")
        places, self.over = {self.texts.places[a] for a in self.over}, None
        if len(found) != _VECTORS[name] or len(places) != 1 or len(one := places.pop()) != 1:
            self.start = place
            self.refuse(f"must give {name} {_VECTORS[name]} arguments in lists that have the same places", name)
        (low, high), index = one[0], self.texts.index(_OF_LISTS)

        def total(kind: str, body: sp.Expr) -> sp.Expr:
            return self.texts.part(IndexedTotal(kind, body, (index, low, high)))

        if name == "dot":
            return total("sum", times(found))
        if name == "mean":
            return times([total("sum", found[0]), inverse(sp.expand(high - low + 1))])
        if name == "logsumexp":
            return sp.log(total("sum", sp.exp(found[0], evaluate=False)), evaluate=False)
        size = sp.Abs(found[0], evaluate=False)
        if found[1] not in (1, 2, sp.oo):
            self.start = place
            self.refuse("must have norms with 1, 2 or oo", str(found[1]))
        if found[1] == 2:
            return sp.sqrt(total("sum", sp.Pow(found[0], 2, evaluate=False)), evaluate=False)
        return total("sum" if found[1] == 1 else "max", size)


_OF_LISTS = "place of lists"
"""The index of functions of whole lists; no name that is typed has a space."""


def entry_relations(texts: TableTexts, excluded: Mapping[sp.Symbol, Sequence[sp.Basic]]) -> list:
    """What leaves out ends of the ranges of entries, at all places of a list."""
    found = []
    for a, relations in excluded.items():
        pairs = texts.places[a]
        spans = tuple((texts.index(f"place {k + 1}"), *pair) for k, pair in enumerate(pairs))
        s = texts.part(TableEntry(a, tuple(span[0] for span in spans)))
        found += [(put(r, {a: s}), spans) for r in relations]
    return found
