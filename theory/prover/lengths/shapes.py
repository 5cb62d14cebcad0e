"""Statements whose places are not 1 to n, as statements over one length.

- Matrices: "a[i,j]" in "(-oo, oo), i=1..m, j=1..n" has N = m n entries. A total over both indices, of one kind and in
  either order, is one of N terms. N is a whole number of its own, and given to be m n.
- Sums from a symbol on: sum(f(i), i=k..n) is sum(f(k + i), i=0..L), where L = n - k is a whole number of its own, and
  stands in the place of n: where k <= n is given, no statement about n is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theory.prover.expressions.pieces import remade
from theory.prover.lengths.question import LengthQuestion, put
from theory.prover.typed.formula import FormulaError
from theory.prover.typed.parts import plus, times

_CELL = re.compile(r"\s*([A-Za-z_]\w*)\s*\[\s*([A-Za-z_]\w*)\s*,\s*([A-Za-z_]\w*)\s*\]\s*")
_PLACES = re.compile(r"(.*[\])])" + r"\s*,\s*([A-Za-z_]\w*)\s*=\s*1\s*\.\.\s*([A-Za-z_]\w*)" * 2 + r"\s*", re.S)
_FROM = re.compile(r"=\s*([A-Za-z_]\w*)\s*\.\.\s*([A-Za-z_]\w*)\s*\)")
_ORDERED = sp.Le | sp.Ge | sp.Lt | sp.Gt
Pairs = Sequence[tuple[Any, Any]]


@dataclass(frozen=True)
class MatrixShape:
    """Names of the numbers of rows and columns, and of the number of all entries."""

    rows: str
    columns: str
    length: str

    def put_into(self, question: LengthQuestion) -> LengthQuestion:
        """The question with N = m n given."""
        by_name = {s.name: s for s in question.box}
        ends = [by_name[self.rows], by_name[self.columns]]
        product = sp.Eq(question.length, times(ends), evaluate=False)
        relation = _counted(question.relation, ends, question.length)
        return replace(question, relation=relation, given=(*question.given, product))

    def told(self, point: Mapping[sp.Symbol, Any]) -> dict[sp.Symbol, Any]:
        """A point with the places of matrices in two indices, row by row."""
        columns = int(next(value for s, value in point.items() if s.name == self.columns))
        found = {}
        for s, value in point.items():
            place = re.fullmatch(r"(\w+)\[(\d+)\]", s.name)
            if place:
                row, column = divmod(int(place[2]) - 1, columns)
                s = sp.Symbol(f"{place[1]}[{row + 1},{column + 1}]")
            if s.name != self.length:
                found[s] = value
        return found


@dataclass(frozen=True)
class Tail:
    """Names of the first place, of the last one, and of how far they are apart."""

    low: str
    high: str
    length: str

    def put_into(self, question: LengthQuestion) -> LengthQuestion:
        """The question with k + L in the place of n. Raises FormulaError unless k <= n is given."""
        by_name = {s.name: s for s in question.box}
        low, high = by_name[self.low], by_name[self.high]
        if not any(isinstance(r, _ORDERED) and (r.lts, r.gts) == (low, high) for r in question.given):
            raise FormulaError(
                f"sums from {self.low} on must be given {self.low} <= {self.high}, got no such condition"
            )
        box = dict(question.box)
        ends = [end for end in zip((sp.Ge, sp.Le), box.pop(high), strict=True) if not end[1].is_infinite]
        given = [*question.given, *[sign(high, end, evaluate=False) for sign, end in ends]]
        end = {high: plus([low, question.length])}
        totals = tuple(replace(t, body=put(t.body, end)) for t in question.totals)
        return replace(
            question,
            relation=put(question.relation, end),
            given=tuple(put(r, end) for r in given),
            box=box,
            totals=totals,
        )

    def told(self, point: Mapping[sp.Symbol, Any]) -> dict[sp.Symbol, Any]:
        """A point with n."""
        known = {s.name: value for s, value in point.items()}
        rest = {s: value for s, value in point.items() if s.name != self.length}
        return rest | {sp.Symbol(self.high): known[self.low] + known[self.length]}


def cells(value: Any) -> re.Match | None:
    """A range, and of both indices of a matrix the name and the end: "(-oo, oo), i=1..m, j=1..n"."""
    return _PLACES.fullmatch(value) if isinstance(value, str) else None


def of_matrices(pairs: Pairs) -> tuple[list[tuple[Any, Any]], MatrixShape | None]:
    """Ranges with matrices as lists "a[i]" and the shape of these; None without a matrix.

    Raises:
        FormulaError: places that are not those of the indices, two shapes, or a list beside a matrix.
    """
    found, shapes, lists = [], {}, []
    for key, value in pairs:
        cell = _CELL.fullmatch(key) if isinstance(key, str) else None
        if cell is None:
            found.append((key, value))
            lists += [key] if isinstance(key, str) and "[" in key else []
            continue
        name, row, column = cell.groups()
        places = cells(value)
        if places is None or {row, column} != {places[2], places[4]} or row == column:
            raise FormulaError(
                f"range of {key} must end in the places of both indices, (0, 1], {row}=1..m, {column}=1..n, got {value}"
            )
        ends = {places[2]: places[3], places[4]: places[5]}
        shapes[ends[row], ends[column]] = name
        found.append((f"{name}[{row}]", places[1]))
    if not shapes:
        return found, None
    if lists or len(shapes) > 1:
        got = f"{lists[0]} beside {next(iter(shapes.values()))}" if lists else " and ".join(shapes.values())
        raise FormulaError(f"lists must all be matrices of one shape where one is, got {got}")
    rows, columns = next(iter(shapes))
    return found, MatrixShape(rows, columns, _free("N", found))


def of_tails(texts: Sequence[str], pairs: Pairs, whole: Sequence[str]) -> Tail | None:
    """The sums i=k..n of a statement from a whole number on that has a range; None if there are none.

    Raises:
        FormulaError: two such ranges, or lists beside them.
    """
    found = {places.groups() for text in texts for places in _FROM.finditer(text)}
    found = {(low, high) for low, high in found if low in whole and high in whole}
    if not found:
        return None
    lists = [key for key, _ in pairs if isinstance(key, str) and "[" in key]
    if lists or len(found) > 1:
        got = lists[0] if lists else " and ".join(f"{low}..{high}" for low, high in sorted(found))
        raise FormulaError(f"sums from a symbol on must have one range and no lists beside them, got {got}")
    low, high = found.pop()
    return Tail(low, high, _free("L", pairs))


def _free(name: str, pairs: Pairs) -> str:
    taken = {str(key).partition("[")[0].strip() for key, _ in pairs}
    while name in taken:
        name += "_"
    return name


def least_entries(shape: MatrixShape, lows: Mapping[str, sp.Expr]) -> int:
    """How many entries matrices have at least. Raises FormulaError where rows or columns are no whole numbers >= 0."""
    found = 1
    for name in (shape.rows, shape.columns):
        low = lows.get(name)
        if low is None or low.is_infinite or low < 0:
            raise FormulaError(f"matrices must end at whole numbers with a range from 0 or 1 on, got {name}")
        found *= int(sp.ceiling(low))
    return found


def _counted(e: Any, ends: Sequence[sp.Symbol], count: sp.Symbol) -> Any:
    """An expression with the number of entries in the place of rows times columns, where these are factors."""
    if not e.args:
        return e
    arguments = [_counted(a, ends, count) for a in e.args]
    if e == sp.Pow(ends[0], 2, evaluate=False) and ends[0] == ends[1]:
        return count
    if isinstance(e, sp.Mul) and all(arguments.count(end) >= ends.count(end) for end in ends):
        for end in ends:
            arguments.remove(end)
        return times([count, *arguments])
    return remade(e, arguments)
