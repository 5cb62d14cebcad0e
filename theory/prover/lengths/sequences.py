"""A statement over a recursion, in sympy: what is asked, what a record says of it, and lists that meet it.

`theory.checker.lists.sequences` has the same statement in its own terms, and the rule that proves one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.prover.expressions.pieces import has_pieces
from theory.prover.goal import Node
from theory.prover.lengths.question import Ends, Total, put

_SEED, _TRIES = 20221109, 400
_GRID = tuple(sp.Rational(n, d) for n, d in ((0, 1), (1, 10), (1, 4), (1, 2), (3, 4), (1, 1), (3, 2), (2, 1), (5, 1)))
_LENGTHS = (0, 1, 1, 2, 2, 3, 5, 8)
_PLACES = ("after", "begin", "end")


@dataclass(frozen=True)
class SequenceQuestion:
    """A relation that is asked for all lists from place `first` to n that meet `next` and `each`.

    Attributes:
        relation, given: in symbols of the box, of totals, and of entries at the first place and at n.
        box: closed ends of all symbols, n among them, but for entries, index and totals.
        entries: the range of each entry, by the symbol that stands for it at place i.
        each, next: relations of the entries at i, and between those at i and at i + 1.
        totals: over i = first, ..., n - 1, whose bodies may know the entries at i + 1.
    """

    relation: sp.Basic
    given: tuple[sp.Basic, ...]
    box: dict[sp.Symbol, Ends]
    length: sp.Symbol
    index: sp.Symbol
    first: int
    entries: dict[sp.Symbol, Ends]
    each: tuple[sp.Basic, ...]
    next: tuple[sp.Basic, ...]
    totals: tuple[Total, ...]

    def __post_init__(self) -> None:
        low = sp.ceiling(self.box[self.length][0])
        low = max(low, sp.S.One) if self.length.is_positive else low
        if not low >= self.first:
            raise ValueError(f"length must be at least {self.first}, where entries begin, got {self.length} from {low}")
        if low == self.first and any(total.kind in ("max", "min") for total in self.totals):
            raise ValueError(
                f"length must be beyond {self.first} where a greatest or least is taken, got {self.length} from {low}"
            )
        self.box[self.length] = low, self.box[self.length][1]
        parts = (self.relation, *self.given, *self.each, *self.next, *[total.body for total in self.totals])
        if has_pieces(parts):
            raise ValueError("a statement over a recursion must be without Piecewise, got one")

    def at(self, place: str) -> dict[sp.Basic, sp.Expr]:
        """Each entry at i with the one "after", at the "begin" or at the "end"."""
        return {u: placed(u, place, self.first) for u in self.entries}

    def rows(self, place: str) -> dict[sp.Symbol, Ends]:
        """The ranges of entries at a place."""
        return {placed(u, place, self.first): ends for u, ends in self.entries.items()}

    @property
    def least(self) -> int:
        """The least n."""
        return int(self.box[self.length][0])

    @property
    def free(self) -> dict[sp.Symbol, Ends]:
        """Totals as real symbols."""
        return {total.symbol: (-sp.oo, sp.oo) for total in self.totals}

    def statement(self) -> Node:
        """What a record says of the statement."""
        rows = [[sp.srepr(u), str(low), str(high), *[sp.srepr(placed(u, place, self.first)) for place in _PLACES]]
                for u, (low, high) in self.entries.items()]  # fmt: skip
        return {
            "sequence": sp.srepr(self.length),
            "first": self.first,
            "index": sp.srepr(self.index),
            "entries": rows,
            "each": [sp.srepr(r) for r in self.each],
            "next": [sp.srepr(r) for r in self.next],
            "totals": [[sp.srepr(t.symbol), t.kind, sp.srepr(t.body)] for t in self.totals],
            "relation": sp.srepr(self.relation),
            "box": [[sp.srepr(s), str(low), str(high)] for s, (low, high) in self.box.items()],
            "given": [sp.srepr(r) for r in self.given],
        }


def placed(u: sp.Symbol, place: str, first: int) -> sp.Symbol:
    """What stands for an entry at another place."""
    name = {"after": f"{u.name}[i+1]", "begin": f"{u.name}[{first}]", "end": f"{u.name}[n]"}[place]
    return sp.Symbol(name, **u._assumptions_orig)


# ---------------------------------------------------------------------------------------------------------------- draws


@dataclass(frozen=True)
class DrawnLists:
    """Numbers of the box, all entries, and what the statement's symbols are there."""

    point: Mapping[sp.Symbol, sp.Rational]
    lists: Mapping[sp.Symbol, Sequence[sp.Rational]]
    values: Mapping[sp.Basic, sp.Expr]


def drawn_lists(question: SequenceQuestion) -> Iterator[DrawnLists]:
    """Lists that meet all that is given, in exact numbers; always the same ones. Equality stands where it may."""
    generator = random.Random(_SEED)
    for _ in range(_TRIES):
        found = _drawn(question, generator)
        if found is not None:
            yield found


def holds(relation: sp.Basic, values: Mapping[sp.Basic, sp.Expr]) -> bool | None:
    """Whether a relation holds at numbers; None where that is not seen."""
    if relation in (sp.true, sp.false):
        return relation == sp.true
    gap = (relation.lhs - relation.rhs).xreplace(dict(values))
    try:
        number = gap if gap.is_Rational else sp.N(gap, 30)
        if not number.is_real:
            return None
        number = sp.S.Zero if abs(number) < sp.Float("1e-20") else number
    except (TypeError, ValueError, ArithmeticError):
        return None
    sign = 0 if number == 0 else 1 if number > 0 else -1
    return {"<=": sign <= 0, "<": sign < 0, ">=": sign >= 0, ">": sign > 0, "==": sign == 0}[relation.rel_op]


def _drawn(question: SequenceQuestion, generator: random.Random) -> DrawnLists | None:
    low, high = question.box[question.length]
    n = min(low + generator.choice(_LENGTHS), high)
    point = {s: _number(s, ends, generator) for s, ends in question.box.items() if s != question.length}
    point[question.length] = sp.Integer(n)
    lists: dict[sp.Symbol, list[sp.Rational]] = {u: [] for u in question.entries}
    for k in range(int(n) - question.first + 1):
        is_met = _with_place(question, point, lists, k, generator)
        if not is_met:
            return None
    values: dict[sp.Basic, sp.Expr] = dict(point)
    for u, row in lists.items():
        values |= {placed(u, "begin", question.first): row[0], placed(u, "end", question.first): row[-1]}
    for total in question.totals:
        terms = [put(total.body, _here(question, point, lists, k)) for k in range(int(n) - question.first)]
        values[total.symbol] = total.of(terms).doit()
    if not all(holds(g, values) for g in question.given):
        return None
    return DrawnLists(point, lists, values)


def _with_place(
    question: SequenceQuestion, point: Mapping, lists: dict[sp.Symbol, list], k: int, generator: random.Random
) -> bool:
    """Draw the entries at one more place; whether they are as they must be."""
    tied = question.given if k == 0 else question.next
    known = dict(point) if k == 0 else _here(question, point, lists, k - 1)
    here = dict(point) | {question.index: sp.Integer(question.first + k)}
    is_exact = generator.random() < 0.7
    for u, ends in question.entries.items():
        s = placed(u, "begin" if k == 0 else "after", question.first)
        value = _number(u, ends, generator)
        said = [(relation, s, known) for relation in tied] + [(relation, u, here) for relation in question.each]
        for relation, of, values in said:
            bound = _tied(relation, of, values)
            if bound is not None:
                is_up = isinstance(relation, sp.Ge | sp.Gt) == (relation.lhs == of)
                slack = 0 if is_exact or isinstance(relation, sp.Eq) else generator.choice(_GRID) * (1 if is_up else -1)
                value = min(max(bound + slack, ends[0]), ends[1])
        lists[u].append(value)
        known[s] = here[u] = value
    if k and not all(holds(r, known) for r in question.next):
        return False
    return all(holds(r, _here(question, point, lists, k)) for r in question.each)


def _tied(relation: sp.Basic, s: sp.Symbol, known: Mapping) -> sp.Rational | None:
    """What a relation has on the other side of a symbol, if that is a rational number."""
    if relation in (sp.true, sp.false) or s not in relation.args:
        return None
    other = relation.rhs if relation.lhs == s else relation.lhs
    found = other.xreplace(dict(known))
    return found if found.is_Rational else None


def _here(question: SequenceQuestion, point: Mapping, lists: Mapping, k: int) -> dict[sp.Basic, sp.Expr]:
    """What symbols are at one place, counted from the first."""
    found = dict(point) | {u: row[k] for u, row in lists.items()} | {question.index: sp.Integer(question.first + k)}
    return found | {placed(u, "after", question.first): row[k + 1] for u, row in lists.items() if k + 1 < len(row)}


def _number(s: sp.Symbol, ends: Ends, generator: random.Random) -> sp.Rational:
    """A number of a range, often an end or a small one."""
    low, high = ends
    drawn = generator.choice(_GRID)
    if not low.is_infinite and not high.is_infinite:
        drawn = low + (high - low) * min(drawn, sp.S.One)
    elif not low.is_infinite:
        drawn = low + drawn
    elif not high.is_infinite:
        drawn = high - drawn
    else:
        drawn *= generator.choice((1, -1))
    if s.is_integer:
        drawn = sp.floor(drawn)
    is_allowed = not ((s.is_positive and drawn <= 0) or (s.is_negative and drawn >= 0))
    return drawn if is_allowed else (low + 1 if high.is_infinite else (low + high) / 2)


def entries_of(found: DrawnLists) -> list[Any]:
    """The lists as a record has them."""
    return [[sp.srepr(u), [str(v) for v in row]] for u, row in found.lists.items()]
