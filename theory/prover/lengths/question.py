"""A statement over a length, in sympy: what is asked, what it says at one length, and what a record says of it.

`theory.checker.lists.lengths` has the same statement in its own terms, and the rules that prove one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from theory.prover.expressions.pieces import has_pieces, remade
from theory.prover.goal import Node

Ends = tuple[sp.Expr, sp.Expr]
MAX_FIRST, MAX_LENGTH, MAX_POWER = 64, 2000, 12
"""The least n of a statement, the entries of a counterexample, and the power to which sides are raised, at most; the
checker has the same bounds."""
KINDS: Mapping[str, Any] = {"sum": sp.Add, "prod": sp.Mul, "max": sp.Max, "min": sp.Min}
"""Kind of a total -> the operation."""
_EMPTY = {"sum": sp.S.Zero, "prod": sp.S.One}


@dataclass(frozen=True)
class Total:
    """`symbol` stands for a total over i = first, ..., n of `body`, an expression in entries, i and other symbols."""

    symbol: sp.Symbol
    kind: str
    body: sp.Expr
    first: int = 1

    def of(self, terms: Sequence[sp.Expr]) -> sp.Expr:
        """The total of some terms, as written."""
        if not terms:
            return _EMPTY[self.kind]
        return terms[0] if len(terms) == 1 else KINDS[self.kind](*terms, evaluate=False)


@dataclass(frozen=True)
class LengthQuestion:
    """A relation that is asked for all entries in their ranges, all points of the box, and all n.

    Attributes:
        relation, given: with the symbols of totals in the place of totals.
        box: closed ends of all symbols, n among them, but for entries, index and totals.
        entries: the range of each entry x_i, by the symbol that stands for it in bodies and in `each`.
        each: relations that the entries of one place meet.
        running: symbols that stand in bodies for a total from its first term to the place at hand, with its place.
    """

    relation: sp.Basic
    given: tuple[sp.Basic, ...]
    box: dict[sp.Symbol, Ends]
    length: sp.Symbol
    index: sp.Symbol
    entries: dict[sp.Symbol, Ends]
    each: tuple[sp.Basic, ...]
    totals: tuple[Total, ...]
    running: Mapping[sp.Symbol, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        low = sp.ceiling(self.box[self.length][0])
        low = max(low, sp.S.One) if self.length.is_positive else low
        if not (low.is_Integer and 0 <= low <= MAX_FIRST):
            raise ValueError(
                f"length must have a range that begins at 0 to {MAX_FIRST}, got {self.length} from {low} on"
            )
        self.box[self.length] = low, self.box[self.length][1]
        if low == 0 and any(total.kind in ("max", "min") for total in self.totals):
            raise ValueError(
                f"length must be at least 1 where a greatest or least is taken, got {self.length} from 0 on"
            )
        if has_pieces((self.relation, *self.given, *self.each, *[total.body for total in self.totals])):
            raise ValueError("a statement over a length must be without Piecewise, got one")

    @property
    def least(self) -> int:
        """The least n."""
        return int(self.box[self.length][0])

    @property
    def outer(self) -> dict[sp.Symbol, Ends]:
        """The box with all totals as real symbols."""
        return self.box | {total.symbol: (-sp.oo, sp.oo) for total in self.totals}

    def statement(self) -> Node:
        """What a record says of the statement."""
        running = {"running": [[sp.srepr(s), place] for s, place in self.running.items()]} if self.running else {}
        return running | {
            "length": sp.srepr(self.length),
            "index": sp.srepr(self.index),
            "entries": _rows(self.entries),
            "each": [sp.srepr(relation) for relation in self.each],
            "totals": [[sp.srepr(t.symbol), t.kind, sp.srepr(t.body), t.first] for t in self.totals],
            "relation": sp.srepr(self.relation),
            "box": _rows(self.box),
            "given": [sp.srepr(relation) for relation in self.given],
        }

    def written_out(self, n: int, places: Mapping[sp.Symbol, Sequence[sp.Expr]]) -> tuple[sp.Basic, list[sp.Basic]]:
        """The relation and all that is given at one n; `places` are expressions for all entries."""
        values = self.totals_at(n, places, Total.of)
        each = [put(put(r, values), self.at_place(i, places)) for i in range(1, n + 1) for r in self.each]
        return put(self.relation, values), [put(g, values) for g in self.given] + each

    def totals_at(
        self, n: int, places: Mapping[sp.Symbol, Sequence[sp.Expr]], of: Callable[[Total, Sequence[sp.Expr]], sp.Expr]
    ) -> dict[sp.Basic, sp.Expr]:
        """The length and all totals at one n; `of` makes a total of its terms."""
        values: dict[sp.Basic, sp.Expr] = {self.length: sp.Integer(n)}
        written: dict[sp.Symbol, list[sp.Expr]] = {}
        for total in self.totals:
            body, terms = put(total.body, values), []
            inside = {s: self.totals[p] for s, p in self.running.items() if s in body.free_symbols}
            for count, i in enumerate(range(total.first, n + 1), 1):
                so_far = {s: of(t, written[t.symbol][:count]) for s, t in inside.items()}
                terms.append(put(body, so_far | self.at_place(i, places)))
            values[total.symbol], written[total.symbol] = of(total, terms), terms
        return values

    def at_place(self, i: int, places: Mapping[sp.Symbol, Sequence[sp.Expr]]) -> dict[sp.Basic, sp.Expr]:
        """What index and entries are at one place."""
        found: dict[sp.Basic, sp.Expr] = {s: e[i - 1] for s, e in places.items()} if i >= 1 else {}
        return found | {self.index: sp.Integer(i)}


def entry(s: sp.Symbol, place: int) -> sp.Symbol:
    """The entry at one place, with what is assumed of all of them."""
    return sp.Symbol(f"{s.name}[{place}]", **s._assumptions_orig)


def put(e: Any, values: Mapping[sp.Basic, sp.Expr]) -> Any:
    """An expression or relation with other things in the place of symbols, otherwise as written."""
    if e in values:
        return values[e]
    if not e.args:
        return e
    arguments = [put(a, values) for a in e.args]
    return e if all(a is b for a, b in zip(arguments, e.args, strict=True)) else remade(e, arguments)


def _rows(box: Mapping[sp.Symbol, Ends]) -> list[list[str]]:
    return [[sp.srepr(s), str(low), str(high)] for s, (low, high) in box.items()]
