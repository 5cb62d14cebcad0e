"""Read statements over a recursion as people type them: "u[n] <= (1 + a)^n*u[0]" where "u[i+1] <= (1 + a)*u[i]".

Lists run from place 0 or 1 to n: their range ends in "i=0..n", or they run from 1. An entry stands at the index of what
is around it, one place later or before, at the first place, at n, or at n - 1. A condition with an index holds at all
places at which its entries are there. `sum`, `prod`, and with an index `max` and `min`, run over whole lists, or over
all but the last place or the first; `logsumexp(x)`, `mean(x)`, `dot(x, y)`, `norm(x, 1)` and `norm(x, 2)` over whole
lists. A condition at i may have sums and products up to i, `u[i] <= a + sum(b[j]*u[j], j=0..i-1)`: what these are at
each place is one more list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy as sp

from theory.prover.lengths.question import KINDS, Total, put
from theory.prover.lengths.reading import _TOKEN, _TOTALS, _VECTORS, index_ahead
from theory.prover.lengths.sequences import placed
from theory.prover.lengths.shapes import cells
from theory.prover.typed.formula import FormulaError, FormulaParser
from theory.prover.typed.parts import inverse, plus, times

_PLACES = re.compile(r"(.*[\])])\s*,\s*([A-Za-z_]\w*)\s*=\s*(\d+)\s*\.\.\s*([A-Za-z_]\w*)\s*", re.S)
_ELSEWHERE = re.compile(r"\[\s*(?:\d|[A-Za-z_]\w*\s*[-+])")
_SHIFTS = (0, -1, 1, -2, 2)


def range_of(value: Any) -> tuple[Any, int | None, str]:
    """A range, the first place, and the name of the length: "[0, oo), i=0..n"; None of a matrix, or without places."""
    if (matrix := cells(value)) is not None:
        return matrix[1], None, ""
    found = _PLACES.fullmatch(value) if isinstance(value, str) else None
    return (found[1], int(found[3]), found[4]) if found else (value, None, "")


def is_over_sequence(texts: Sequence[Any], pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether lists begin elsewhere than at 1, or entries stand at other places than an index."""
    names = [key.partition("[")[0].strip() for key, _ in pairs if isinstance(key, str) and "[" in key]
    if not names:
        return False
    has_places = any(range_of(value)[1] not in (None, 1) for _, value in pairs)
    lists = "|".join(map(re.escape, names))
    ends = {range_of(value)[2] for _, value in pairs} - {""}
    at_end = re.compile(rf"\b(?:{lists})\s*\[\s*(?:{'|'.join([*map(re.escape, ends), 'n'])})\s*\]")
    elsewhere = re.compile(rf"\b(?:{lists})\s*{_ELSEWHERE.pattern}")
    texts = [text for text in texts if isinstance(text, str)]
    return has_places or any(elsewhere.search(text) or at_end.search(text) for text in texts)


def sequence_length(pairs: Sequence[tuple[Any, Any]], whole: Sequence[str]) -> tuple[str, int]:
    """The name of the length, and the first place.

    Raises:
        FormulaError: lists with other places than the first one, or no length that is a whole number.
    """
    found = [range_of(value) for key, value in pairs if isinstance(key, str) and "[" in key]
    firsts = {1 if first is None else first for _, first, _ in found}
    ends = {end for _, _, end in found if end}
    if len(firsts) > 1 or firsts - {0, 1}:
        raise FormulaError(f"lists must begin at one place, 0 or 1, got {', '.join(map(str, sorted(firsts)))}")
    named = sorted(ends) or list(whole)
    if len(named) != 1 or named[0] not in whole:
        raise FormulaError(f"lists must end at one whole number with a range, got {', '.join(named) or 'none'}")
    return named[0], firsts.pop()


class SequenceTexts:
    """The texts of one statement: they share symbols, entries and totals."""

    def __init__(
        self, symbols: Mapping[str, sp.Symbol], entries: Mapping[str, sp.Symbol], length: sp.Symbol, first: int
    ) -> None:
        self.symbols, self.entries, self.length, self.first = symbols, entries, length, first
        taken = {*symbols, *entries}
        self.index = sp.Symbol(
            next(name for name in ("i", "j", "k", "i_", "index_") if name not in taken), integer=True
        )
        self.totals: list[Total] = []
        self.before: dict[sp.Symbol, sp.Symbol] = {}
        self.so_far: dict[sp.Symbol, tuple[str, sp.Expr]] = {}

    def one_before(self, u: sp.Symbol) -> sp.Symbol:
        """A list that has at each place what u has at the one before, so that x[n - 1] is its entry at n."""
        taken, name = {*self.symbols, *self.entries}, f"{u.name}_before"
        while name in taken:
            name += "_"
        return self.before.setdefault(u, sp.Symbol(name, **u._assumptions_orig))

    def up_to_here(self, kind: str, body: sp.Expr) -> sp.Symbol:
        """A list that has at each place the sum or product of what comes before it."""
        for s, known in self.so_far.items():
            if known == (kind, body):
                return s
        s = sp.Symbol(f"{kind} {len(self.so_far) + 1}", real=True)  # no name that is typed has a space
        self.so_far[s] = kind, body
        return s

    def ties(self) -> Iterator[tuple[str, sp.Basic]]:
        """How such lists begin, and go on from each place to the next."""
        for s, (kind, body) in self.so_far.items():
            start, parts = (sp.S.Zero, plus) if kind == "sum" else (sp.S.One, times)
            yield "given", sp.Eq(placed(s, "begin", self.first), start, evaluate=False)
            yield "next", sp.Eq(placed(s, "after", self.first), parts([s, body]), evaluate=False)

    def relations(self, text: str, what: str) -> tuple[str, tuple[sp.Basic, ...]]:
        """What a text says, and of what: "given" without an index, "each" of one place, "next" of two."""
        parser = _SequenceParser(text, self, what)
        found = parser.relations()
        offsets = parser.offsets
        if parser.free is None:
            return "given", found
        if what == "statement":
            raise FormulaError(
                f"statement must speak of entries at {self.first}, at {self.length} or within totals, got {parser.free}"
            )
        if parser.has_total or max(offsets) - min(offsets) > 1:
            raise FormulaError(f"given must tie entries at one place or at two that are neighbours, got {text[:60]!r}")
        back = -min(offsets) if len(offsets) > 1 or 0 not in offsets else 0
        return ("next" if len(offsets) > 1 else "each"), tuple(self.moved(r, back) for r in found)

    def moved(self, e: Any, by: int) -> Any:
        """An expression in entries at places around i as said of i + by."""
        values: dict[sp.Basic, sp.Expr] = {}
        for u in self.entries.values():
            values |= {at_offset(u, o, self.first): at_offset(u, o + by, self.first) for o in (-2, -1, 0, 1, 2)}
        if by:
            values[self.index] = sp.Add(self.index, by, evaluate=False)
        return put(e, values)

    def total(self, kind: str, body: sp.Expr) -> sp.Symbol:
        """The symbol of a total over all places but the last."""
        for total in self.totals:
            if (total.kind, total.body) == (kind, body):
                return total.symbol
        taken = {*self.symbols, *self.entries, self.index.name, *[t.symbol.name for t in self.totals]}
        stem = {"sum": "S", "prod": "P", "max": "M", "min": "L"}[kind]
        symbol = sp.Symbol(next(f"{stem}{k}" for k in range(1, 1000) if f"{stem}{k}" not in taken), real=True)
        self.totals.append(Total(symbol, kind, body, self.first))
        return symbol


def at_offset(u: sp.Symbol, offset: int, first: int) -> sp.Symbol:
    """What stands for the entry some places from i on, while a text is read."""
    if offset in (0, 1):
        return placed(u, "after", first) if offset else u
    return sp.Symbol(f"{u.name}[i{offset:+d}]", **u._assumptions_orig)


class _SequenceParser(FormulaParser):
    """One text of a statement over a recursion."""

    tokens = _TOKEN

    def __init__(self, text: str, texts: SequenceTexts, what: str) -> None:
        self.texts = texts
        self.inside: str | None = None
        self.free: str | None = None
        self.has_total = False
        self.is_vector = False
        self.offsets: set[int] = set()
        super().__init__(text, texts.symbols, what, "names with a range")

    def named(self) -> sp.Expr:
        """An entry, an index, or what the plain grammar has."""
        name = self.token
        if name in self.texts.entries:
            self.advance()
            if self.is_vector:
                return self.texts.entries[name]
            self.take("[")
            found = self.entry(self.texts.entries[name])
            self.take("]")
            return found
        if name == (self.inside or self.free):
            self.advance()
            return self.texts.index
        return super().named()

    def entry(self, u: sp.Symbol) -> sp.Symbol:
        """The entry at what stands in the brackets."""
        place, first = self.start, self.texts.first
        if self.kind == "name" and self.token not in {*self.symbols, *self.texts.entries} and not self.inside:
            self.free = self.free or self.token
        where = sp.expand(self.deeper(self.sum))
        if where == first:
            return placed(u, "begin", first)
        if where == self.texts.length:
            return placed(u, "end", first)
        if where - self.texts.length == -1 and self.inside is None and self.free is None:
            return placed(self.texts.one_before(u), "end", first)
        offset = where - self.texts.index
        if not (offset.is_Integer and abs(offset) <= 1):
            self.start = place
            self.refuse(
                f"must have entries at the index, one from it, at {first} or at {self.texts.length}", str(where)
            )
        self.offsets.add(int(offset))
        return at_offset(u, int(offset), first)

    def call(self, name: str, place: int) -> sp.Expr:
        """A total, or a function of what stands in the parentheses ahead."""
        if name in _VECTORS and self.inside is None and self.free is None:
            return self.vector(name, place)
        index = index_ahead(self.text, self.place - 1) if name in _TOTALS else None
        if index is None:
            return super().call(name, place)
        if self.inside is not None:
            self.refuse("must have totals outside of what has an index", name)
        is_so_far = self.free is not None
        self.advance()
        self.inside, before, self.offsets, self.has_total = index, self.offsets, set(), not is_so_far
        if index in self.symbols or index in self.texts.entries:
            self.refuse("must have an index of its own in each total", index)
        body = self.deeper(self.sum)
        offsets, self.offsets, self.inside = self.offsets, before, None
        self.take(",")
        self.advance()
        self.take("=")
        low_place = self.start
        low, _ = self.deeper(self.sum), self.take("..")
        high = self.deeper(self.sum)
        self.take(")")
        if is_so_far:
            return self.so_far(name, body, low, high, offsets, low_place)
        return self.over_places(name, body, low, sp.expand(high - self.texts.length), offsets, low_place)

    def so_far(self, kind: str, body: sp.Expr, low: sp.Expr, high: sp.Expr, offsets: set[int], place: int) -> sp.Expr:
        """A sum or product within a condition at i, from the first place to i - 1 or to i."""
        beyond = sp.expand(high - self.texts.index)
        if kind not in ("sum", "prod") or low != self.texts.first or beyond not in (-1, 0) or offsets - {0}:
            self.start = place
            self.refuse("must have sums or products from the first place to the index, or one before", f"{low}..{high}")
        before = self.texts.up_to_here(kind, body)
        return before if beyond == -1 else (plus if kind == "sum" else times)([before, body])

    def vector(self, name: str, place: int) -> sp.Expr:
        """logsumexp, mean, dot or norm of whole lists."""
        self.advance()
        self.is_vector = True
        found = [self.deeper(self.sum)]
        while self.is_at(","):
            self.advance()
            found.append(self.deeper(self.sum))
        self.is_vector = False
        self.take(")")
        is_norm = name == "norm" and found[1:] in ([sp.S.One], [sp.Integer(2)])
        if name == "softmax" or len(found) != _VECTORS[name] or (name == "norm" and not is_norm):
            self.start = place
            self.refuse("must have logsumexp(x), mean(x), dot(x, y) or norm(x, 1 or 2) where lists are tied", name)
        self.has_total = True
        body = {
            "logsumexp": lambda: sp.exp(found[0], evaluate=False),
            "mean": lambda: found[0],
            "dot": lambda: times(found),
            "norm": lambda: sp.Abs(found[0]) if found[1] == 1 else sp.Pow(found[0], 2, evaluate=False),
        }[name]()
        whole = self.over_places("sum", body, sp.Integer(self.texts.first), sp.S.Zero, {0}, place)
        if name == "mean":
            return times([whole, inverse(plus([self.texts.length, sp.Integer(1 - self.texts.first)]))])
        if name == "logsumexp":
            return sp.log(whole, evaluate=False)
        return sp.sqrt(whole, evaluate=False) if name == "norm" and found[1] == 2 else whole

    def over_places(
        self, kind: str, body: sp.Expr, low: sp.Expr, beyond: sp.Expr, offsets: set[int], place: int
    ) -> sp.Expr:
        """A total as one over all places but the last, and perhaps a term there."""
        texts = self.texts
        for shift in _SHIFTS if low.is_Integer and beyond.is_Integer else ():
            # places p = q - shift for q from the first one on
            moved = {o - shift for o in offsets}
            last = beyond + shift
            if low + shift != texts.first or not (last == -1 or (last == 0 and moved <= {0})) or not moved <= {0, 1}:
                continue
            own = texts.moved(body, -shift)
            found: sp.Expr = texts.total(kind, own)
            if last == 0:
                ends: dict[sp.Basic, sp.Expr] = {u: placed(u, "end", texts.first) for u in texts.entries.values()}
                parts = [found, put(own, ends | {texts.index: texts.length})]
                found = plus(parts) if kind == "sum" else times(parts) if kind == "prod" else KINDS[kind](*parts)
            return found
        self.start = place
        return self.refuse("must run over the places of the lists, or all but the last or the first", str(low))
