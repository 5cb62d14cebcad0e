"""A statement at drawn points: hypothesis draws them from its box and shrinks what fails; exact arithmetic decides.

A test of its own beside the search of `counterexamples.attack`, which no proof rests on and which rests on none:
it asks whether a statement that is said to hold does hold at points that somebody might type. A point counts where it
lies in the box, meets the assumptions on the symbols and satisfies every condition. It is a rational point, evaluated
with fractions and balls of Arb; one where the statement fails is written as a record, and the checker replays it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import HealthCheck, Phase, find, reject, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from theory.intervals.box import VariableRange, exact
from theory.prover.certify import Refuted, Unknown, refutation
from theory.prover.counterexamples.attack import CandidateCounterexamples, fails, fits
from theory.prover.expressions.values import UndefinedValue
from theory.prover.statement import stated

_REACH = 1000
"""How far from the finite end of an infinite range points are drawn; powers of larger numbers have too many digits."""
_DENOMINATOR = 24
_COARSE = (1, 12, 1000)
"""Denominators to which an admitted point of the search is rounded, the simplest first."""
_FLOATS, _PROPOSED = 64, 16
"""How many points of the float search are looked at, and how many different ones are kept."""

_PATIENCE = 4
"""How many points are drawn in vain for one that is asked for, before fewer are settled for."""

DrawnPoint = dict[sp.Symbol, sp.Rational]


@dataclass(frozen=True)
class Drawn:
    """What drawn points say of a statement.

    Attributes:
        admitted: how many points met all conditions.
        refuted: the simplest point that was found where the statement fails, replayed by the checker; or None.
        refusal: why the checker does not follow where exact arithmetic found such a point; empty otherwise.
        undefined: a point and a subterm that has no real value there, or None.
    """

    admitted: int
    refuted: Refuted | None = None
    refusal: str = ""
    undefined: tuple[DrawnPoint, sp.Basic] | None = None


class _Tried:
    """Points of one statement as they are tried."""

    def __init__(self, attack: CandidateCounterexamples, patience: int) -> None:
        self.attack = attack
        self.admitted = 0
        self.patience = patience
        self.undefined: tuple[DrawnPoint, sp.Basic] | None = None

    def fails(self, point: DrawnPoint) -> bool:
        """Whether the statement fails at a point; one that is not admitted is drawn again, while patience lasts."""
        if not self.attack.is_admitted(point):
            self.patience -= 1
            if self.patience >= 0:
                reject()
            return False
        self.admitted += 1
        try:
            return fails(self.attack.relation, point)
        except UndefinedValue as gap:
            self.undefined = self.undefined or (point, gap.subterm)
            return False


def examine(
    relation: sp.Basic,
    box: Mapping[sp.Symbol, tuple[Any, Any]],
    given: Sequence[sp.Basic] = (),
    *,
    max_examples: int,
    shrink: bool = True,
    derandomize: bool = True,
) -> Drawn:
    """Evaluate `relation` at drawn points of `box` where all of `given` hold.

    Args:
        relation: as for `theory.prover.certify.certify`, and so are `box` and `given`.
        max_examples: how many admitted points to try; fewer where conditions are hard to meet.
        shrink: whether to go on from a point that fails to the simplest one.
        derandomize: draw the same points each time.

    Raises:
        ValueError: bad box, relation or given.
    """
    relation, ranges, conditions = stated(relation, box, given)
    attack = CandidateCounterexamples(relation, ranges, conditions)
    tried = _Tried(attack, _PATIENCE * max_examples)
    phases = (Phase.generate, Phase.shrink) if shrink else (Phase.generate,)
    drawing = settings(
        max_examples=max_examples, derandomize=derandomize, phases=phases, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    try:
        point = find(points_of(attack), tried.fails, settings=drawing)
    except (NoSuchExample, Unsatisfiable):
        return Drawn(tried.admitted, undefined=tried.undefined)
    answer = refutation(relation, ranges, conditions, point)
    if isinstance(answer, Unknown):
        return Drawn(tried.admitted, refusal=answer.reason)
    return Drawn(tried.admitted, answer)


def points_of(attack: CandidateCounterexamples) -> st.SearchStrategy[DrawnPoint]:
    """Points of a box that meet the assumptions on its symbols; where there are conditions, many that meet those."""
    drawn = st.fixed_dictionaries({symbol: _numbers(symbol, r) for symbol, r in attack.box.items()})
    proposed = _proposed(attack) if attack.given and attack.box else []
    return st.one_of(drawn, st.sampled_from(proposed)) if proposed else drawn


def _proposed(attack: CandidateCounterexamples) -> list[DrawnPoint]:
    """Admitted points near those of the float search, each rounded as far as the conditions let it."""
    found: dict[tuple[sp.Rational, ...], DrawnPoint] = {}
    for floats in attack.admitted_floats(_FLOATS):
        rounded = (attack.rounded(denominator, floats) for denominator in _COARSE)
        point = next((point for point in rounded if attack.is_admitted(point)), None)
        if point is not None:
            found[tuple(point.values())] = point
        if len(found) == _PROPOSED:
            break
    return sorted(found.values(), key=lambda point: sum(value.q for value in point.values()))


def _numbers(symbol: sp.Symbol, r: VariableRange) -> st.SearchStrategy[sp.Rational]:
    """Rational values of one symbol; hypothesis shrinks toward whole numbers near zero."""
    low, high = _reached(r)
    if symbol.is_integer:
        numbers = st.integers(math.ceil(low), math.floor(high)).map(Fraction)
    else:
        most = max(_DENOMINATOR, low.denominator, high.denominator)
        numbers = st.fractions(low, high, max_denominator=most)
    inside = numbers.filter(r.contains) if r.is_open or r.is_open_high else numbers
    return inside.map(exact).filter(lambda value: fits(symbol, value))


def _reached(r: VariableRange) -> tuple[Fraction, Fraction]:
    """The ends between which points are drawn."""
    low, high = r.low, r.high
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        return low, high
    if isinstance(low, Fraction):
        return low, low + _REACH
    return (high - _REACH, high) if isinstance(high, Fraction) else (Fraction(-_REACH), Fraction(_REACH))
