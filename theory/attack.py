"""Look for a counterexample: floats propose points, exact arithmetic decides.

Random points and a local search from a fixed seed find where a relation is nearest to failing. A hit counts only
after it has been rounded to a rational point of the box that satisfies every hypothesis and been evaluated again,
exactly or in Arb with certain sign. So nothing here has to be rigorous but `violates` and `holds`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from theory import intervals
from theory.goal import Box, End, approximate, as_positive, exact, middle, middle_integer
from theory.timeout import TimedOut, within

_SEED = 20221005
_KINDS = ("is_integer", "is_even", "is_odd", "is_prime")
"""Assumptions on a symbol that cut holes into a box; a counterexample must meet them."""


class Attack:
    """Search for a point where the relation fails. Floats propose, exact arithmetic decides."""

    def __init__(self, relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...]) -> None:
        self.relation, self.box, self.given = relation, box, given
        self.symbols = list(box)
        self.generator = np.random.default_rng(_SEED)
        self.low = np.array([approximate(r.low) for r in box.values()])
        self.high = np.array([approximate(r.high) for r in box.values()])
        self.is_integer = np.array([bool(s.is_integer) for s in box])
        self._compiled: dict[tuple, Any] = {}
        if relation in (sp.true, sp.false):
            self.parts = []
        elif isinstance(relation, sp.Eq):
            self.parts = [-sp.Abs(relation.lhs - relation.rhs), relation.lhs, relation.rhs]
        else:
            gap = relation.gts - relation.lts
            self.parts = [gap, *sp.Add.make_args(sp.expand(gap) if gap.is_polynomial(*self.symbols) else gap)]
        self.hypotheses = [as_positive(g)[0] for g in given]

    def run(self) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact counterexample, or None."""
        if not self.symbols:
            return {} if self._is_hit({}) else None
        for point in self._simple():
            if self._is_hit(point):
                return point
        points = self._sample(4000)
        gaps = self._gaps(points)
        for _ in range(30):
            points, gaps = self._improve(points, gaps)
        return self._first_exact(points, gaps)

    def _simple(self) -> Iterator[dict[sp.Symbol, sp.Rational]]:
        """Small numbers first: where any point refutes, a reader should get one to check by hand."""
        for start in (Fraction(1), Fraction(0), Fraction(1, 2), Fraction(2), Fraction(-1)):
            values = [start + place for place in range(len(self.symbols))]
            ranges = zip(self.box.values(), values, strict=True)
            if all(r.low < x <= r.high or (r.low == x and not r.is_open) for r, x in ranges):
                yield {symbol: exact(value) for symbol, value in zip(self.symbols, values, strict=True)}

    def inside(self, piece: Box) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact counterexample within a piece where enclosures say that the goal fails."""
        point = {s: exact(middle_integer(r) if s.is_integer else middle(r)) for s, r in piece.items()}
        return point if self._is_hit(point) else None

    def _sample(self, count: int) -> Any:
        """Draw uniform points, log-uniform ones from finite ends, and some with coordinates on faces: [count, d]."""
        shape = (count, len(self.symbols))
        reach = np.exp(self.generator.uniform(-6, 7, shape))
        low, high = np.broadcast_to(self.low, shape), np.broadcast_to(self.high, shape)
        start = np.where(np.isfinite(low), low, np.where(np.isfinite(high), high, 0.0))
        toward = np.where(
            np.isfinite(low), 1.0, np.where(np.isfinite(high), -1.0, self.generator.choice([-1, 1], shape))
        )
        points = start + toward * reach
        finite = np.isfinite(low) & np.isfinite(high)
        width = np.where(finite, high - np.where(finite, low, 0.0), 0.0)
        uniform = np.where(finite, low, 0.0) + width * self.generator.random(shape)
        points = np.where(finite & (self.generator.random(shape) < 0.7), uniform, points)
        pick = self.generator.random(shape)
        points = np.where((pick < 0.12) & np.isfinite(low), low, points)
        points = np.where((pick > 0.88) & np.isfinite(high), high, points)
        return self._admissible(points)

    def _admissible(self, points: Any) -> Any:
        """The nearest points of the box, with integers for integer symbols."""
        return np.clip(np.where(self.is_integer, np.round(points), points), self.low, self.high)

    def _gaps(self, points: Any) -> Any:
        """Tell how far the relation is from failing, relative to its terms; infinite outside `given`: [count]."""
        if not self.parts:
            gaps = np.zeros(len(points))
        else:
            gap, *terms = self._values(self.parts, points)
            with np.errstate(all="ignore"):
                gaps = gap / (sum(np.abs(term) for term in terms) + 1)
        for value in self._values(self.hypotheses, points):
            gaps = np.where(value >= -1e-12, gaps, np.inf)
        return np.where(np.isnan(gaps), np.inf, gaps)

    def _values(self, expressions: list[sp.Expr], points: Any) -> list[Any]:
        if not expressions:
            return []
        key = tuple(expressions)
        try:
            if key not in self._compiled:
                self._compiled[key] = sp.lambdify(self.symbols, expressions, _modules(expressions))
            with np.errstate(all="ignore"):
                found = [_real(value) for value in self._compiled[key](*points.T)]
        except (ArithmeticError, AttributeError, NameError, TypeError, ValueError):
            # Functions that numpy lacks, integers beyond its range: then floats have nothing to propose.
            return [np.full(len(points), np.nan) for _ in expressions]
        return [np.broadcast_to(value, len(points)) for value in found]

    def _improve(self, points: Any, gaps: Any, keep: int = 24, children: int = 12) -> tuple[Any, Any]:
        """Perturb the best points at random scales, one or all coordinates, and keep the best."""
        best = np.argsort(gaps, kind="stable")[:keep]
        parents = np.repeat(points[best], children, axis=0)
        scale = np.exp(self.generator.uniform(-14, 0.5, (len(parents), 1)))
        finite = np.isfinite(self.low) & np.isfinite(self.high)
        span = np.where(finite, self.high - np.where(finite, self.low, 0.0), 1.0 + np.abs(parents))
        mask = self.generator.random(parents.shape) < 0.6
        moved = parents + np.where(mask, scale * span * self.generator.standard_normal(parents.shape), 0.0)
        moved = self._admissible(moved)
        everything = np.concatenate([points[best], moved])
        return everything, np.concatenate([gaps[best], self._gaps(moved)])

    def _first_exact(self, points: Any, gaps: Any) -> dict[sp.Symbol, sp.Rational] | None:
        """Round promising points to rationals, simplest first, until one certainly fails."""
        tried: set[tuple[End, ...]] = set()
        deadline = time.monotonic() + 5.0
        for place in np.argsort(gaps, kind="stable")[:16]:
            if not gaps[place] < 1e-6:
                return None
            for denominator in (1, 12, 1000, 10**6, 10**15):
                candidate = tuple(self._rounded(i, x, denominator) for i, x in enumerate(points[place]))
                if candidate in tried:
                    continue
                if time.monotonic() > deadline:
                    return None
                tried.add(candidate)
                point = {s: exact(v) for s, v in zip(self.symbols, candidate, strict=True)}
                if self._is_hit(point):
                    return point
        return None

    def _rounded(self, place: int, x: float, denominator: int) -> End:
        """The nearest fraction with a small denominator inside the range (an integer for an integer symbol)."""
        symbol, r = self.symbols[place], self.box[self.symbols[place]]
        value = Fraction(float(x)).limit_denominator(1 if symbol.is_integer else denominator)
        return min(max(value, r.low), r.high) if not r.is_point else r.low

    def _is_hit(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        """Whether an exact point satisfies every hypothesis and fails the relation, beyond doubt."""
        if not all(getattr(s, kind) in (None, getattr(value, kind)) for s, value in point.items() for kind in _KINDS):
            return False
        try:
            if not (all(holds(g, point) for g in self.given) and violates(self.relation, point)):
                return False
            return all(_is_defined(relation, point) for relation in (self.relation, *self.given))
        except ValueError:  # sympy has no Max of a complex number, so a side has no value there
            return False


def _modules(expressions: list[sp.Expr]) -> Any:
    """Where lambdify finds its functions; scipy only for those that need it, because importing it takes long."""
    needs_scipy = any(e.atoms(sp.erf, sp.erfc, sp.gamma, sp.loggamma) for e in expressions)
    return ["scipy", "numpy"] if needs_scipy else "numpy"


def _real(value: Any) -> Any:
    """Floats, NaN where the value is not real."""
    array = np.asarray(value)
    if np.iscomplexobj(array):
        return np.where(array.imag == 0, array.real, np.nan)
    return array.astype(float)


def _is_defined(relation: sp.Basic, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether both sides have a value; an enclosure may hide 0 times 1/0, where a relation says nothing."""
    return not any(side.subs(point).has(sp.nan, sp.zoo) for side in relation.args)


def violates(relation: sp.Basic, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether a relation certainly fails at an exact point: by rational arithmetic, Arb, or an exact zero."""
    if relation in (sp.true, sp.false):
        return relation == sp.false
    is_equality = isinstance(relation, sp.Eq)
    difference, is_strict = (relation.lhs - relation.rhs, False) if is_equality else as_positive(relation)
    sign = certain_sign(difference, point)
    if sign is not None:
        return is_equality or sign < 0
    value = difference.subs(point)
    if value.is_Rational:
        return value != 0 if is_equality else value < 0 or (is_strict and value == 0)
    if is_strict and value.is_finite is not False:
        try:
            return within(2.0, sp.simplify, value) == 0
        except TimedOut:
            return False
    return False


def holds(relation: sp.Basic, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether a hypothesis certainly holds at an exact point."""
    if relation in (sp.true, sp.false):
        return relation == sp.true
    expression, is_strict = as_positive(relation)
    sign = certain_sign(expression, point)
    if sign is not None:
        return sign > 0
    value = expression.subs(point)
    return bool(value.is_Rational) and (value > 0 or (value == 0 and not is_strict))


def certain_sign(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational]) -> int | None:
    """+1 or -1 where Arb excludes zero, else None (undefined, no enclosure, or too close to zero)."""
    for bits in (128, 1024):
        try:
            enclosure = intervals.evaluate(expression, point, bits=bits)
        except intervals.Unsupported:
            return None
        if enclosure.lo > 0:
            return 1
        if enclosure.hi < 0:
            return -1
    return None
