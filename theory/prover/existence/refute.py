"""Witnesses against a piece of the constants' ranges: points at which a relation fails whatever constants are taken.

Exact values at a few constants of the piece sort the candidates; only what fails at all of them is put to the prover.
Points that refuted one choice come first, then expressions in the constants.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, VariableRange, exact, middle, middle_integer
from theory.prover.certify import StatementSearch
from theory.prover.counterexamples.attack import fits, holds, violates
from theory.prover.existence.parts import Leaf
from theory.prover.existence.question import ExistenceQuestion, Values
from theory.prover.goal import Node
from theory.timeout import cpu_clock, reckon

Witness = tuple[int, Values]
"""Which relation fails, and where."""

_STOCK, _PATHS, _PATH_PIECES = 12, 400, 30
_PROOF_S, _PATH_S = 3.0, 1.0
"""For each proof over a piece, in reckoned seconds; with a witness that moves it is one of many."""
_PATH_PROOFS = 16
"""How many proofs with a witness that moves have time at least."""
_WITNESS_S = 0.002
"""Seconds at which a witness is reckoned, without proofs."""
_FAR = (Fraction(1, 1000), Fraction(1), Fraction(10), Fraction(1000))


class PieceRefuter:
    """The witnesses known so far, and what they make of a piece."""

    def __init__(self, question: ExistenceQuestion, deadline: float, *, asks_checker: bool = False) -> None:
        self.question, self.deadline, self.asks_checker = question, deadline, asks_checker
        self.stock: list[Witness] = []
        self.tried = {"points": 0, "paths": 0}
        self.path_pieces = 0
        self.each_s = min(_PATH_S, (deadline - cpu_clock()) / _PATH_PROOFS)

    def learn(self, witness: Witness) -> None:
        """Keep a witness; the latest come first."""
        if witness in self.stock:
            self.stock.remove(witness)
        self.stock.insert(0, witness)

    def speaks_against(self, choice: Values) -> bool:
        """Whether some witness that is known fails with these constants."""
        return any(
            violates(self.question.relations[place], {**choice, **values})
            for place, values in self.stock[:_STOCK]
            if all(w.is_Rational for w in values.values())
        )

    def leaf(self, piece: Box) -> Leaf | None:
        """A witness for a whole piece, of those that are known, or None."""
        at = samples(piece, self.question.such)
        # Where no choice is as it must be, any point shows that of the whole piece.
        known = self.stock[:_STOCK] if at else [(0, self._plain())]
        starts = known[:1] or [(place, self._plain()) for place in range(len(self.question.relations))]
        moved = [(place, {**values, s: c}) for place, values in starts for c in piece for s in values]
        for witness in (*known, *moved):
            self.tried["points"] += 1
            found = self.attempt(witness, piece, at, _PROOF_S)
            if found is not None:
                return found
        return None

    def moving_leaf(self, piece: Box) -> Leaf | None:
        """A witness for a whole piece that moves with the constants, or None."""
        at = samples(piece, self.question.such)
        if not at or self.path_pieces >= _PATH_PIECES:
            return None
        self.path_pieces += 1
        return self.moving(piece, at, (cpu_clock() + self.deadline) / 2)  # half of what is left, the rest for others

    def moving(self, piece: Box, at: Sequence[Values], until: float) -> Leaf | None:
        """A witness that moves with the constants, or None."""
        for witness in itertools.islice(self.paths(piece), _PATHS):
            if cpu_clock() > until:
                return None
            self.tried["paths"] += 1
            found = self.attempt(witness, piece, at, self.each_s)
            if found is not None:
                self.learn(witness)
                return found
        return None

    def attempt(self, witness: Witness, piece: Box, at: Sequence[Values], most_s: float) -> Leaf | None:
        """The leaf that a witness makes of a piece, if all that it has to show is proved."""
        place, values = witness
        reckon(_WITNESS_S)
        if not self.question.admits(values):
            return None
        sides = (True, False) if isinstance(self.question.relations[place], sp.Eq) else (True,)
        for above in sides:
            asked, more, sign = self.question.asked(place, values, above=above)
            if not all(self.is_shown_at(asked, more, choice) for choice in at):
                continue
            bodies = []
            for relation in asked:
                until = min(self.deadline, cpu_clock() + most_s)
                body = self.proof_body(relation, piece | more, until)
                if body is None:
                    break
                bodies.append(body)
            else:
                return Leaf(place, values, sign, tuple(bodies))
        return None

    def proof_body(self, relation: sp.Basic, box: Box, until: float) -> Node | None:
        """What a record says of a statement that is proved, without a look for counterexamples; not replayed."""
        such = tuple(self.question.such)
        return StatementSearch(relation, box, such, until, asks_checker=self.asks_checker).proof()

    def is_shown_at(self, asked: Sequence[sp.Basic], more: Box, choice: Values) -> bool:
        """Whether all parts hold at one choice of the constants, as far as exact numbers tell."""
        for fraction in (sp.S.Zero, sp.S.One) if more else (sp.S.Zero,):
            point = {**choice, **dict.fromkeys(more, fraction)}
            # Lines that fail most often come last in the record, so they are asked first here.
            if not all(holds(relation, point) for relation in reversed(asked)):
                return False
        return True

    def paths(self, piece: Box) -> Iterator[Witness]:
        """Witnesses that move with the constants: one symbol of the box at a time, then all together."""
        known = [(place, dict(values)) for place, values in self.stock[:3]]
        starts = known or [(place, self._plain()) for place in range(len(self.question.relations))]
        for c in piece:
            for s, r in self.question.box.items():
                for w in _expressions(c, r):
                    for place, values in starts:
                        yield place, {**values, s: w}
            if len(self.question.box) > 1:
                for w in _expressions(c, next(iter(self.question.box.values()))):
                    for place in range(len(self.question.relations)):
                        yield place, dict.fromkeys(self.question.box, w)

    def _plain(self) -> Values:
        """Some point of the box."""
        return {s: simple_in(s, r) for s, r in self.question.box.items()}


def simple_in(s: sp.Symbol, r: VariableRange) -> sp.Rational:
    """A number of a range, near its middle."""
    return exact(middle_integer(r) if s.is_integer else middle(r) if not r.is_point else r.low)


def samples(piece: Box, such: Sequence[sp.Basic], most: int = 9) -> list[dict[sp.Symbol, sp.Rational]]:
    """A few choices of constants from a piece, its ends among them."""
    rows = [[exact(value) for value in _values(s, r)] for s, r in piece.items()]
    corners = [dict(zip(piece, row, strict=True)) for row in itertools.product(*[(row[0], row[-1]) for row in rows])]
    inner = [dict(zip(piece, row, strict=True)) for row in zip(*[row * 5 for row in rows], strict=False)]
    found = [choice for choice in (*corners, *inner) if all(holds(g, choice) for g in such)]
    unique = [choice for place, choice in enumerate(found) if choice not in found[:place]]
    return unique[:most]


def _values(s: sp.Symbol, r: VariableRange) -> list[Fraction]:
    """Numbers of a range: ends, middle, and far out where it is infinite."""
    low, high = r.low, r.high
    if not isinstance(low, Fraction) and not isinstance(high, Fraction):
        found = [-_FAR[-1], *(-f for f in _FAR[1:3]), Fraction(0), *_FAR[1:]]
    elif not isinstance(high, Fraction):
        found = [low, *(low + f for f in _FAR)]
    elif not isinstance(low, Fraction):
        found = [*(high - f for f in reversed(_FAR)), high]
    else:
        found = [low + (high - low) * Fraction(part, 16) for part in (0, 1, 4, 8, 12, 15, 16)]
    if s.is_integer:
        found = sorted({Fraction(math.floor(value)) for value in found})
    kept = [Fraction(value) for value in found if r.contains(value) and fits(s, exact(value))]
    return kept or [Fraction(middle_integer(r) if s.is_integer else middle(r))]


def _expressions(c: sp.Symbol, r: VariableRange) -> Iterator[sp.Expr]:
    """Expressions in one constant that a symbol's range may hold."""
    low, high = r.low, r.high
    yield c
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        for weight in (sp.Rational(1, 2), sp.Rational(1, 10), sp.Rational(9, 10)):
            yield weight * c + (1 - weight) * exact(high)
            yield weight * c + (1 - weight) * exact(low)
    if isinstance(low, Fraction):
        for step in (1 / (c + 1), 1 / (2 * c), 1 / (2 * c + 2), 1 / (c + 1) ** 2, sp.exp(-c), sp.exp(-2 * c), c / 2):
            yield exact(low) + step
    if isinstance(high, Fraction):
        for step in (1 / (c + 1), 1 / (2 * c + 2), sp.exp(-c), sp.exp(-2 * c)):
            yield exact(high) - step
    if not isinstance(high, Fraction):
        yield from (c + 1, 2 * c, 2 * c + 1, 2 * c + 2, c + 10, 4 * c + 4, c**2 + 1, (c + 1) ** 2, 4 * (c + 1) ** 2)
        yield from (1 / c, 2 / c, 1 + 1 / c, 1 / c**2, 2 + 2 / c**2, sp.exp(c), sp.exp(c) + 1, sp.exp(2 * c + 2))
        yield from (c**3 + 1, c**4 + 1, sp.Integer(10) + 10 * c)
    if not isinstance(low, Fraction):
        yield from (-c, -c - 1, -2 * c - 2, -1 / c, -(c**2) - 1)


def fresh_point(witness: Mapping[sp.Symbol, sp.Expr]) -> str:
    """A witness for readers."""
    return ", ".join(f"{s} = {w}" for s, w in witness.items())
