"""Which letters of a claimed order the statement lines sweep, and which not: a tight order is tight in each of them.

An order in k letters is tight only where each of them was swept, one by one or jointly. The letters are those of the
claim's formula, without its hidden constants but with those that the claim has as an axis. Letters that enter by
their sum alone, as sigma and tau by sigma + tau, are swept together. A line sweeps its axis, and what else moves
along it by a factor of `FACTOR` or more, or moves the claimed value so far; a letter that stands in exponents alone is
swept by lines at several of its values. Not one that stands before a power as well: a line's prefactor is free, so
that any lines at several d meet d^7 before n^(-1/d). What a letter does that the formula lacks is said beside.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from checks.statistics.explanation import Rule
from checks.statistics.verdict import Interval, Verdict, worst
from theory.claim import Claim, Kind, Role, at

if TYPE_CHECKING:
    from checks.records.rows import Row

FACTOR = 4.0
"""By what factor a letter must move beside a line's axis to count as swept: as long as an axis must be."""


@dataclass(frozen=True)
class Lacking:
    """A letter that the formula lacks, and the exponent that the claim's own quantity has in it."""

    letter: str
    exponent: float
    between: Interval
    """Least and largest exponent between neighbouring settings."""

    def __str__(self) -> str:
        return f"{self.letter}: {self.exponent:+.2f} ({self.between.low:+.2f} to {self.between.high:+.2f})"


@dataclass(frozen=True)
class Letters:
    """What became of each letter of a claimed order; letters that enter by their sum alone are one."""

    swept: tuple[tuple[str, Verdict], ...] = ()
    """Each letter that was swept, with the worst verdict of the statement lines that sweep it."""
    unswept: tuple[str, ...] = ()
    """Letters that no decided statement line moves."""
    lacking: tuple[Lacking, ...] = ()
    """Letters that the formula lacks, as far as somebody looked."""
    apart: tuple[tuple[str, float], ...] = ()
    """Letters in which the order is tight within the margin and the data tell it from the claimed one, with Delta."""

    @property
    def words(self) -> str:
        """In one phrase; "" where one letter was swept and nothing else is to be said."""
        verdicts = dict.fromkeys(verdict for _, verdict in self.swept)
        deltas = {name: f" (Δ {delta:+.2f})" for name, delta in self.apart}
        said = [
            f"{verdict} in {', '.join(name + deltas.get(name, '') for name, found in self.swept if found is verdict)}"
            for verdict in sorted(verdicts, key=lambda verdict: -verdict.severity)
        ]
        said += [f"not swept: {', '.join(self.unswept)}"] if self.unswept else []
        said = said if len(self.swept) + len(self.unswept) > 1 else []
        moving = [one for one in self.lacking if 0 not in one.between]
        still = [one.letter for one in self.lacking if 0 in one.between]
        said += [f"exponent in letters that the formula lacks: {', '.join(map(str, moving))}"] if moving else []
        said += [f"no exponent seen in {', '.join(still)}, which the formula lacks"] if still else []
        return "; ".join(said)


NO_LETTERS = Letters()


def letters_of(rows: Sequence[Row]) -> Letters:
    """What the rows of one claim sweep; nothing where the claim is no order."""
    claim = rows[0].claim if rows else None
    if claim is None or claim.value is None or claim.by_construction or claim.kind is Kind.OPEN:
        return NO_LETTERS
    if all(row.judgement.explanation.decision.rule is Rule.ATTEMPTS for row in rows):
        return NO_LETTERS  # an attempt is held against the value as it stands: no order is swept
    if not (claim.has_order or claim.kind is Kind.SUFFICIENT):
        return NO_LETTERS
    lines = [row for row in rows if _decides(row)]
    swept, unswept, apart = [], [], []
    chosen = {constant.symbol for constant in claim.constants} - {axis.symbol for axis in claim.axes}
    for group in groups(claim.value, frozenset(chosen)):
        name = " + ".join(symbol.name for symbol in group)
        found = [verdict for symbol in group for verdict in _verdicts(symbol, claim, lines)]
        if found:
            swept.append((name, worst(found)))
            deltas = [delta for symbol in group for delta in _told_apart(symbol, lines)]
            apart += [(name, max(deltas, key=abs))] if deltas and worst(found) is Verdict.TIGHT else []
        else:
            unswept.append(name)
    return Letters(tuple(swept), tuple(unswept), tuple(_lacking(rows)), tuple(apart))


def _decides(row: Row) -> bool:
    """Whether a line is a statement, measured, and judged by the claim's formula."""
    reads = row.judgement.delta is not None if row.claim.has_order else bool(row.spans)
    is_measured = row.verdict not in (Verdict.NOT_MEASURED_YET, Verdict.OUT_OF_REGIME)
    return row.role is Role.STATEMENT and reads and is_measured


def _verdicts(symbol: sp.Symbol, claim: Claim, lines: Sequence[Row]) -> list[Verdict]:
    """The verdicts of the lines that sweep a letter: along it, or else jointly, or at several of its values."""
    along = [row.verdict for row in lines if row.axis is not None and row.axis.symbol == symbol]
    if along:
        return along
    jointly = [row.verdict for row in lines if symbol in row.beside or _moves(symbol, row)]
    if jointly or symbol not in in_exponents_alone(claim.formula):
        return jointly
    with_value = [row for row in lines if symbol in row.spans]
    several = {row.axis for row in with_value if len({o.spans[symbol] for o in with_value if o.axis == row.axis}) > 1}
    return [row.verdict for row in with_value if row.axis in several]


def _told_apart(symbol: sp.Symbol, lines: Sequence[Row]) -> Iterator[float]:
    """Delta of each line along a letter whose interval leaves out agreement."""
    for row in lines:
        delta, between = row.judgement.delta, row.judgement.confidence_interval
        is_along = row.axis is not None and row.axis.symbol == symbol
        if is_along and delta is not None and between is not None and 0 not in between:
            yield delta


def _moves(symbol: sp.Symbol, row: Row) -> bool:
    """Whether a letter moves far at the points of a line: by itself, or in what the claimed value makes of it alone."""
    low, high = row.spans.get(symbol, (1.0, 1.0))
    if low == high:
        return False
    if low <= 0 or high >= FACTOR * low * (1 - 1e-9):
        return True
    values = [value for end in (low, high) if (value := _value(row, {symbol: end})) is not None]
    return len(values) == 2 and max(values) >= FACTOR * min(values) > 0


def _value(row: Row, chosen: Mapping[sp.Symbol, float]) -> float | None:
    """The claimed value with some letters chosen, the others at their least, and constants in the middle."""
    constants = {constant.symbol: (constant.low + constant.high) / 2 for constant in row.claim.constants}
    least = {letter: low for letter, (low, _) in row.spans.items()}
    found = sp.N(at(row.claim.formula, {**constants, **least, **chosen}))
    return float(found) if found.is_number and found.is_real and found.is_finite else None


def _lacking(rows: Sequence[Row]) -> Iterator[Lacking]:
    """Letters that the formula lacks, from lines that claim nothing and say which one they move."""
    for row in rows:
        between = row.judgement.explanation.decision.interval
        if row.lacked is not None and between is not None and row.judgement.exponents.measured is not None:
            yield Lacking(row.lacked.name, row.judgement.exponents.measured, between)


@functools.cache
def groups(value: sp.Expr, constants: frozenset[sp.Symbol]) -> tuple[tuple[sp.Symbol, ...], ...]:
    """The letters of a formula without its constants; those that enter by their sum alone stand together."""
    found: list[list[sp.Symbol]] = []
    for symbol in sorted(value.free_symbols - constants, key=lambda symbol: symbol.name):
        home = next((group for group in found if _enters_by_sum(value, group[0], symbol)), None)
        if home is None:
            found.append([symbol])
        else:
            home.append(symbol)
    return tuple(map(tuple, found))


def _enters_by_sum(value: sp.Expr, first: sp.Symbol, second: sp.Symbol) -> bool:
    """Whether a formula is one of first + second and of other letters."""
    together = value.subs(first, sp.Dummy("sum") - second)
    return second not in together.free_symbols or second not in sp.expand(together).free_symbols


@functools.cache
def in_exponents_alone(value: sp.Expr) -> frozenset[sp.Symbol]:
    """Letters that stand in exponents of a formula and nowhere else in it."""
    raised = value.atoms(sp.Pow)
    elsewhere = value.subs({power: power.base ** sp.Dummy() for power in raised if not power.exp.is_number})
    return frozenset().union(*(power.exp.free_symbols for power in raised)) - elsewhere.free_symbols
