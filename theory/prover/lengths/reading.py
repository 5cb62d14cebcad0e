"""Read statements over a length as people type them: "sum(p[i]*log(1/p[i]), i=1..n) <= log(n)".

The grammar of `typed.formula` with totals beside its functions:

    total := ("sum" | "prod" | "max" | "min") "(" sum "," index "=" whole ".." sum ")"
           | ("sum" | "prod" | "max" | "min" | "mean" | "norm" | "dot" | "logsumexp") "(" vector ("," vector)* ")"
           | "E" "[" vector "]"
    entry := (name | "softmax" "(" vector ")") "[" index "]"

`norm(x, 1)`, `norm(x, 2)`, `norm(x, oo)`, `dot(x, y)`, `mean(x)` and `logsumexp(x)` take expressions in whole vectors,
where a bare name stands for its entry: `norm(x - y, 1)`. The upper end is n, or n plus or minus a whole number; the
index is then shifted so that it ends at n. A total within a total over i runs to n, or to i, i - 1 or from i + 1.
Where an entry stands outside of all totals, x[i] <= max(x), the statement is meant at each i. E[f(X)] is the mean of
f(X) over finitely many values of X with positive weights, the same for all E of a statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from theory.dummies import fresh
from theory.ordering import in_order
from theory.prover.lengths.question import Total, put
from theory.prover.lengths.shapes import MatrixShape, Tail
from theory.prover.typed.formula import FormulaError, FormulaParser
from theory.prover.typed.parts import inverse, plus, times

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>\*\*|<=|>=|==|!=|\.\.|[-+*/^(),<>=\[\]!]))"
)
_TOTALS = ("sum", "prod", "max", "min")
_VECTORS = {"norm": 2, "dot": 2, "mean": 1, "logsumexp": 1, "softmax": 1}
"""Functions of whole lists, with the number of their arguments."""
_MAX_EARLY = 8
"""Terms before the first entry, which an index of a sum over n alone may have."""


_ENTRY = re.compile(r"([A-Za-z_]\w*)\s*\[\s*([A-Za-z_]\w*)(?:\s*,\s*[A-Za-z_]\w*)?\s*\]")
_END = re.compile(r"\.\.\s*([A-Za-z_]\w*)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_INDEX = re.compile(r",\s*([A-Za-z_]\w*)\s*=(?!=)")
_MEAN = re.compile(r"\bE\s*\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")


def entry_name(name: str) -> str | None:
    """The x of "x[i]", which stands for all entries; None of another name."""
    found = _ENTRY.fullmatch(name.strip()) if isinstance(name, str) else None
    return found[1] if found else None


def index_ahead(text: str, at: int) -> str | None:
    """The name of the index whose range ends the parentheses that open at a place, if there is one."""
    depth = 0
    while at < len(text):
        character = text[at]
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return None
        found = re.match(r",\s*([A-Za-z_]\w*)\s*=(?!=)", text[at:]) if depth == 1 and character == "," else None
        if found:
            return found[1]
        at += 1
    return None


def is_over_length(texts: Sequence[Any], pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether a statement has lists of entries, or totals over an index."""
    named = any(isinstance(key, str) and entry_name(key) for key, _ in pairs)
    return named or any(
        isinstance(text, str) and bool(_ENTRY.search(text) or ".." in text or _MEAN.search(text)) for text in texts
    )


def random_names(texts: Sequence[Any]) -> set[str]:
    """Names that stand in E[...] alone: those of random variables, and of functions.

    Raises:
        FormulaError: one that stands outside as well.
    """
    inside: set[str] = set()
    outside = ""
    for text in [text for text in texts if isinstance(text, str)]:
        inside |= {name for found in _MEAN.finditer(text) for name in _NAME.findall(found[1])}
        outside += f" {_ENTRY.sub(' ', _MEAN.sub(' ', text))}"
    return inside - set(_NAME.findall(outside))


def length_name(texts: Sequence[str], whole: Sequence[str]) -> str:
    """The name of the length: the end of a range of an index, or the only whole number.

    Raises:
        FormulaError: none, several, or one that is not declared as a whole number.
    """
    indices = {found[1] for text in texts for found in _INDEX.finditer(text)}
    places = {found[1]: found.start(1) + 1 for text in texts for found in _END.finditer(text)}
    ends = sorted(set(places) - indices)
    if len(ends) > 1:
        raise FormulaError(f"statement must have one length, got {ends[0]} and {ends[1]}")
    if ends and ends[0] not in whole:
        raise FormulaError(
            f"length must be a whole number with a range, got {ends[0]} at column {places[ends[0]]}, which is not one"
        )
    if not ends and len(whole) != 1:
        raise FormulaError(f"statement must have one whole number, the length, got {len(whole)}")
    return ends[0] if ends else whole[0]


class LengthTexts:
    """The texts of one statement: they share symbols, entries and totals."""

    def __init__(self, symbols: Mapping[str, sp.Symbol], entries: Mapping[str, sp.Symbol], length: sp.Symbol) -> None:
        self.symbols, self.entries, self.length = symbols, entries, length
        taken = {*symbols, *entries}
        self.index = sp.Symbol(
            next(name for name in ("i", "j", "k", "i_", "index_") if name not in taken), integer=True
        )
        self.totals: list[Total] = []
        self.running: dict[sp.Symbol, int] = {}
        self.over: str | None = None
        self.weight: sp.Symbol | None = None
        self.outside: dict[sp.Symbol, sp.Symbol] = {}
        self.separate: set[sp.Symbol] = set()
        self.shape: MatrixShape | None = None
        self.tail: Tail | None = None
        self.rows: dict[sp.Symbol, tuple[str, sp.Expr]] = {}

    def further_out(self, s: sp.Symbol) -> sp.Symbol:
        """What stands, within a total, for the index or an entry of the total around it."""
        return self.outside.setdefault(s, fresh(s.name, **s._assumptions_orig))

    def require_range(self, low: str, high: str) -> str | None:
        """The other range that entries were given before, or None."""
        said = f"{low}..{high}".replace(" ", "")
        if self.over is None:
            self.over = said
        return None if self.over == said else self.over

    def relations(self, text: str, what: str, *, each: bool = False) -> tuple[sp.Basic, ...]:
        """The relations that a text says, with symbols of totals in the place of totals.

        Args:
            each: whether it speaks of the entries of one place, "x[i] <= y[i]".
        """
        parser = _LengthParser(text, self, what)
        named = re.search(r"\[\s*([A-Za-z_]\w*)\s*\]", text) if each else None
        parser.inside = named[1] if named else None
        found = parser.relations()
        return found if each else tuple(map(self._at_every_place, found))

    def _at_every_place(self, relation: sp.Basic) -> sp.Basic:
        """A relation of entries outside of totals is one of the greatest of a difference."""
        if not relation.free_symbols & {*self.entries.values(), self.index}:
            return relation
        low, high = relation.args if isinstance(relation, sp.Le | sp.Lt | sp.Eq) else reversed(relation.args)
        gap = plus([low, times([sp.S.NegativeOne, high])])
        if isinstance(relation, sp.Eq):
            gap = sp.Abs(gap, evaluate=False)
        func = sp.Lt if isinstance(relation, sp.Lt | sp.Gt) else sp.Le
        return func(self.total("max", gap), sp.S.Zero, evaluate=False)

    def is_of_one_place(self, text: str) -> bool:
        """Whether a condition speaks of the entries of one place, and of no total."""
        return ".." not in text and any(found[1] in self.entries for found in _ENTRY.finditer(text))

    def total(self, kind: str, body: sp.Expr, first: int = 1) -> sp.Symbol:
        """The symbol of a total; one that was met before has its symbol already."""
        for total in self.totals:
            if (total.kind, total.body, total.first) == (kind, body, first):
                return total.symbol
        symbol = self._new({"sum": "S", "prod": "P", "max": "M", "min": "L"}[kind])
        self.totals.append(Total(symbol, kind, body, first))
        return symbol

    def so_far(self, kind: str, body: sp.Expr, first: int) -> sp.Symbol:
        """The symbol of a total from its first term to the place at hand."""
        symbol = self.total(kind, body, first)
        place = [total.symbol for total in self.totals].index(symbol)
        for known, at in self.running.items():
            if at == place:
                return known
        found = self._new("R")
        self.running[found] = place
        return found

    def first_of(self, s: sp.Symbol) -> int:
        """Where a total that runs to the place at hand begins."""
        return self.totals[self.running[s]].first

    def _new(self, stem: str) -> sp.Symbol:
        taken = {*self.symbols, *self.entries, self.index.name}
        taken |= {s.name for s in [*self.running, *[t.symbol for t in self.totals]]}
        return sp.Symbol(next(f"{stem}{k}" for k in range(1, 1000) if f"{stem}{k}" not in taken), real=True)


class _LengthParser(FormulaParser):
    """One text of a statement over a length."""

    tokens = _TOKEN

    def __init__(self, text: str, texts: LengthTexts, what: str) -> None:
        self.texts = texts
        self.inside: str | None = None
        self.around: str | None = None
        self.free: str | None = None
        self.row: str | None = None
        self.free_row: str | None = None
        self.is_vector = False
        super().__init__(text, texts.symbols, what, "names with a range")

    def named(self) -> sp.Expr:
        """A symbol, an entry, or what the plain grammar has."""
        name, place = self.token, self.start
        if name in self.texts.entries:
            self.advance()
            return self.entry(name, place)
        if not self.is_vector and name == (self.inside or self.free):
            self.advance()
            return self.texts.index
        if not self.is_vector and name == self.around:
            self.advance()
            return self.texts.further_out(self.texts.index)
        if name == "E" and self.text[self.place :].lstrip().startswith("["):
            self.advance()
            return self.mean(place)
        return super().named()

    def entry(self, name: str, place: int) -> sp.Expr:
        """x[i] within a total over i, or at any i; x alone within a norm."""
        if self.texts.shape is not None:
            return self.cell(name, place)
        if self.is_at("["):
            if self.at_index(name) and self.around:
                return self.texts.further_out(self.texts.entries[name])
        elif not self.is_vector:
            self.start = place
            self.refuse(f"must have an index after {name}, whose entries are given", name)
        return self.texts.entries[name]

    def cell(self, name: str, place: int) -> sp.Expr:
        """a[i,j] within totals over i and j, or at any i and j."""
        rule = f"must have {name} at the indices of the totals around it, as in sum(sum({name}[i,j], j=1..n), i=1..m)"
        found = []
        for sign in "[,":
            if self.is_vector or not self.is_at(sign):
                self.start = place
                self.refuse(rule, name)
            self.advance()
            found.append(self.token)
            self.advance()
        self.take("]")
        around = {self.inside, self.around} if self.inside else set(found)
        row = self.row if self.inside else self.free_row
        if set(found) != around or len(around) < 2 or row not in (None, found[0]):
            self.start = place
            self.refuse(rule, name)
        if self.inside:
            self.row = found[0]
        else:
            self.free_row = found[0]
        return self.texts.entries[name]

    def at_index(self, name: str) -> bool:
        """Step over [i]; whether i is the index of the total around the one at hand."""
        self.advance()
        is_own = self.kind == "name" and self.token not in self.symbols and self.token not in self.texts.entries
        if self.inside is None and self.free is None and is_own and not self.is_vector:
            self.free = self.token
        is_further_out = self.around is not None and self.token == self.around
        if self.is_vector or not is_own or not (is_further_out or self.token == (self.inside or self.free)):
            self.refuse(f"must have entries at the index of the total around them ({name}[i] in sum(..., i=1..n))")
        self.advance()
        self.take("]")
        return is_further_out

    def mean(self, place: int) -> sp.Expr:
        """E[f(X)]."""
        if self.texts.weight is None or self.inside is not None or self.is_vector:
            self.start = place
            self.refuse("must have E[...] of a random variable outside of all totals", "E")
        self.is_vector = True
        self.advance()
        body = self.deeper(self.sum)
        self.is_vector = False
        self.take("]")
        return self.texts.total("sum", times([self.texts.weight, body]))

    def call(self, name: str, place: int) -> sp.Expr:
        """A total, or a function of what stands in the parentheses ahead."""
        if name in _VECTORS:
            return self.vector(name, place)
        if name in _TOTALS:
            index = index_ahead(self.text, self.place - 1)
            if index is not None:
                return self.ranged(name, index, place)
            if self.has_bare_entry_ahead() and not self.is_vector:
                return self.whole(name, place)
            if name in ("sum", "prod"):
                self.start = place
                self.refuse(f"must have an index with its range in {name}, as in {name}(x[i], i=1..n)", name)
        return super().call(name, place)

    def has_bare_entry_ahead(self) -> bool:
        """Whether one expression in whole vectors stands in the parentheses ahead: max(x), max(softmax(x))."""
        depth, text = 0, self.text[self.place - 1 :]
        for at, character in enumerate(text):
            depth += (character == "(") - (character == ")")
            if (character == "," and depth == 1) or character == "[":
                return False
            if depth == 0:
                return any(name in self.texts.entries for name in _NAME.findall(text[:at]))
        return False

    def ranged(self, name: str, index: str, place: int) -> sp.Expr:
        """sum(body, i=1..n), or within a total over j sum(body, i=1..j)."""
        around, further = self.inside, self.around
        if index in self.symbols or index in self.texts.entries or index in (around, self.free):
            self.start = place
            self.refuse("must have an index of its own in each total", index)
        self.advance()
        self.inside, self.around = index, around or self.free
        body = self.deeper(self.sum)
        self.take(",")
        self.advance()
        self.take("=")
        self.inside, self.around = around, further
        low_place = self.start
        low, _ = self.deeper(self.sum), self.take("..")
        high = self.deeper(self.sum)
        end = self.text[low_place : self.start].rstrip()
        self.take(")")
        self.start = low_place
        if self.row is not None:
            return self.over_cells(name, index, body, low, high)
        further = {s: known for known, s in self.texts.outside.items() if s in body.free_symbols}
        is_apart = name == "sum" and body.free_symbols & self.texts.separate
        if not further and is_apart and self.is_polynomial(body):
            further = {s: s for s in in_order(body.free_symbols & {self.texts.length, *self.texts.separate})}
        if not further:
            return self.over(name, body, low, high, end, low_place)
        count = sp.expand(high - low + 1) if low in (0, 1) else None
        return self.separated(name, body, further, count, lambda part: self.over(name, part, low, high, end, low_place))

    def over_cells(self, kind: str, index: str, body: sp.Expr, low: sp.Expr, high: sp.Expr) -> sp.Expr:
        """A total over one index of matrices within one over the other, or the total over both."""
        texts = self.texts
        end = texts.shape.rows if index == self.row else texts.shape.columns  # type: ignore[union-attr]
        if (low, high) != (1, self.symbols[end]):
            self.refuse(f"must run over all places of {index}, {index}=1..{end}")
        rows, places = body.free_symbols & set(texts.rows), {texts.index, *texts.outside.values()}
        if self.inside is not None and not rows and not body.free_symbols & places:
            row = fresh("row", real=True)
            texts.rows[row] = kind, body
            return row
        if self.inside is not None or texts.rows.get(body, ("",))[0] != kind:
            self.refuse("must have totals of one kind over both indices of a matrix, and nothing but entries in them")
        self.row = None
        return texts.total(kind, texts.rows[body][1])

    def separated(
        self,
        kind: str,
        body: sp.Expr,
        outside: Mapping[sp.Symbol, sp.Symbol],
        count: sp.Expr | None,
        of: Callable[[sp.Expr], sp.Expr],
    ) -> sp.Expr:
        """A sum whose terms know entries of the total around it: by products of what knows these and what does not.

        Args:
            outside: what stands in the terms for the same at all places, and what it stands for.
            count: how many places it has, if that is known; a constant is taken so often.
            of: the sum of what knows its own entries alone.
        """
        moving = {*outside, *self.texts.entries.values(), self.texts.index}
        if kind != "sum" or not self.is_polynomial(body):
            self.refuse("must be a sum of polynomials where it has entries of the total around it", kind)
        terms = []
        for term in sp.Add.make_args(sp.expand(body)):
            factor, term = term.as_coeff_Mul()
            still, own = term.as_independent(*outside, as_Add=False)
            is_constant = count is not None and not still.free_symbols & moving
            whole = times([still, count]) if is_constant else of(still)
            self.texts.separate |= {t.symbol for t in self.texts.totals} & whole.free_symbols
            terms.append(times([factor, put(own, outside), whole]))
        return plus(terms)

    def is_polynomial(self, body: sp.Expr) -> bool:
        """Whether terms are a polynomial in all that they know, and 1/n: no part without a value is lost from it."""
        length = self.texts.length
        share: dict[sp.Basic, sp.Expr] = {sp.Pow(length, -1): fresh("share")} if length.is_positive else {}
        return bool(put(body, share).is_polynomial())

    def over(self, name: str, body: sp.Expr, low: sp.Expr, high: sp.Expr, end: str, low_place: int) -> sp.Expr:
        """A total over a range of places."""
        if self.inside is not None and self.texts.index in low.free_symbols | high.free_symbols:
            return self.partial(name, body, low, high)
        if body.free_symbols & set(self.texts.entries.values()):
            other = self.texts.require_range(*end.split("..", 1))
            if other:
                self.refuse(f"must have one range for all entries ({other})", end)
        return self.shifted(name, body, low, high, low_place)

    def partial(self, kind: str, body: sp.Expr, low: sp.Expr, high: sp.Expr) -> sp.Expr:
        """A total within one over i: to i, to i - 1, or from i + 1 to n."""
        index, length = self.texts.index, self.texts.length
        before, after = sp.expand(high - index), sp.expand(low - index)
        if low.is_Integer and int(low) != 1 and body.free_symbols & set(self.texts.entries.values()):
            self.refuse("must begin at the first entry, i=1", f"{low}..{high}")
        begins_early = bool(low.is_Integer) and abs(low) <= _MAX_EARLY
        if begins_early and (before == 0 or (before == -1 and kind == "sum")):
            found = self.texts.so_far(kind, body, int(low))
            return found if before == 0 else plus([found, times([sp.S.NegativeOne, body])])
        if kind == "sum" and after == 1 and high == length:
            whole = self.texts.total(kind, body)
            return plus([whole, times([sp.S.NegativeOne, self.texts.so_far(kind, body, 1)])])
        return self.refuse("must end at the index around it, one before, or begin one after it", f"{low}..{high}")

    def shifted(self, kind: str, body: sp.Expr, low: sp.Expr, high: sp.Expr, place: int) -> sp.Expr:
        """The total with its index ending at n."""
        beyond = sp.expand(high - self.texts.length)
        self.start = place
        if self.texts.tail is not None:
            return self.from_symbol(kind, body, low, high, self.texts.tail)
        if not beyond.is_Integer or abs(beyond) > _MAX_EARLY:
            self.refuse(f"must end at {self.texts.length}, or a whole number away from it", str(high))
        if not low.is_Integer or abs(low) > _MAX_EARLY:
            self.refuse("must begin at a whole number that is small", str(low))
        first = int(low - beyond)
        running = body.free_symbols & set(self.texts.running)
        if running and (beyond or any(self.texts.first_of(s) != first for s in running)):
            self.refuse(
                f"must begin where the totals within it begin, and end at {self.texts.length}", f"{low}..{high}"
            )
        if beyond:
            body = put(body, {self.texts.index: sp.Add(self.texts.index, beyond, evaluate=False)})
        if first != 1 and body.free_symbols & set(self.texts.entries.values()):
            self.refuse("must run over all entries, i=1..n", f"{low}..{high}")
        return self.texts.total(kind, body, first)

    def from_symbol(self, kind: str, body: sp.Expr, low: sp.Expr, high: sp.Expr, tail: Tail) -> sp.Expr:
        """A total from a symbol on, with its index counted from there."""
        begin, index = self.symbols[tail.low], self.texts.index
        if (low, high) != (begin, self.symbols[tail.high]):
            self.refuse(f"must run from {tail.low} to {tail.high} in all totals", f"{low}..{high}")
        return self.texts.total(kind, put(body, {index: plus([begin, index])}), 0)

    def arguments(self) -> list[sp.Expr]:
        """Expressions in whole vectors."""
        before, self.is_vector = self.is_vector, True
        self.advance()
        found = [self.deeper(self.sum)]
        while self.is_at(","):
            self.advance()
            if self.kind == "name" and self.token == "oo":
                self.advance()
                found.append(sp.oo)
            else:
                found.append(self.deeper(self.sum))
        self.take(")")
        self.is_vector = before
        return found

    def vector(self, name: str, place: int) -> sp.Expr:
        """norm, dot, mean or logsumexp of whole vectors, or a softmax."""
        found = self.arguments()
        if len(found) != _VECTORS[name]:
            self.start = place
            self.refuse(f"must give {name} {_VECTORS[name]} arguments", name)
        total: Callable[..., sp.Expr] = self.texts.total
        if name == "softmax":
            if not self.is_vector:
                if not self.is_at("["):
                    self.refuse("must have an index after softmax(...)")
                self.at_index("softmax(x)")
            size = sp.exp(found[0], evaluate=False)
            return times([size, inverse(total("sum", size))])
        if name == "dot":
            return total("sum", sp.Mul(*found, evaluate=False))
        if name == "mean":
            return sp.Mul(total("sum", found[0]), sp.Pow(self.texts.length, -1), evaluate=False)
        if name == "logsumexp":
            return sp.log(total("sum", sp.exp(found[0], evaluate=False)), evaluate=False)
        size = sp.Abs(found[0], evaluate=False)
        if found[1] == sp.oo:
            return total("max", size)
        if found[1] == 1:
            return total("sum", size)
        if found[1] == 2:
            return sp.sqrt(total("sum", sp.Pow(found[0], 2, evaluate=False)), evaluate=False)
        self.start = place
        return self.refuse("must have norms with 1, 2 or oo", str(found[1]))

    def whole(self, name: str, place: int) -> sp.Expr:
        """sum(x), prod(x), max(x) or min(x) of a whole vector."""
        found = self.arguments()
        if len(found) != 1:
            self.start = place
            self.refuse(f"must give {name} one vector", name)
        return self.texts.total(name, found[0])
