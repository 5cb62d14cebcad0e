"""Look for a counterexample: floats propose points, exact arithmetic decides.

Random points and a local search from a fixed seed find where a relation is nearest to failing. A hit counts only after
it has been rounded to a rational point of the box that satisfies every hypothesis and been evaluated again, by walking
the tree with exact numbers (`expressions.points`). So nothing here has to be rigorous but `violates` and `holds`.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.facts import InconsistentAssumptions

from theory.intervals.box import Box, End, VariableRange, approximate, exact, middle, middle_integer, number
from theory.prover.counterexamples.proposals import Quadric, quadric
from theory.prover.counterexamples.simpler import simpler_points
from theory.prover.expressions.definedness import Definedness
from theory.prover.expressions.floats import NO_FLOAT, array_modules, function_of
from theory.prover.expressions.normal_form import is_small
from theory.prover.expressions.points import Point, sign
from theory.prover.expressions.values import UndefinedValue
from theory.prover.rungs.equations import paired_equations, solved_equations
from theory.prover.statement import ASSUMPTIONS
from theory.relations import as_positive
from theory.timeout import Contradiction, cpu_clock, reckon

_SEED = 20221005
_KEPT, _CHILDREN = 24, 12
"""Points that survive a round of the local search, and perturbations of each."""
CANDIDATE_S, _ATTACK_S = 0.001, 0.01
"""Seconds at which an exact point is reckoned, and the floats of a whole search."""
_OPERATION_S, _FREE = 0.0005, 400
"""Seconds at which an operation on symbols is reckoned, to compile and to try it, once there are more than so many."""
_ALMOST = sp.Rational(1, 10**9)
"""How nearly an equation must hold in floats for a point to be worth rounding."""
_NEAR = 40
"""How far an even, odd or prime number is looked for."""
_REFUSED, _HALVINGS = 4, 64
"""Counterexamples that the checker refuses from which nearer ones are tried, and how many of each."""
_MAX_ROOTS = 64
"""Combinations of rational roots of equations that are tried."""
_KINDS = tuple(f"is_{name}" for name in ASSUMPTIONS)


class CandidateCounterexamples:
    """Search for a point where the relation fails. Floats propose, exact arithmetic decides."""

    def __init__(
        self,
        relation: sp.Basic,
        box: Box,
        given: tuple[sp.Basic, ...],
        is_followed: Callable[[dict[sp.Symbol, sp.Rational]], bool] = lambda _: True,
    ) -> None:
        """`is_followed` says of a counterexample whether the checker accepts it; nearer ones are tried where not."""
        self.relation, self.box, self.given = relation, box, given
        self.is_followed = is_followed
        self.refused: list[dict[sp.Symbol, sp.Rational]] = []
        self.symbols = list(box)
        self.generator = np.random.default_rng(_SEED)
        self.low = np.array([approximate(r.low) for r in box.values()])
        self.high = np.array([approximate(r.high) for r in box.values()])
        self.is_integer = np.array([bool(s.is_integer) for s in box])
        self.feasible = False
        self.undefined: tuple[dict[sp.Symbol, sp.Rational], sp.Basic] | None = None
        self.nearest: tuple[dict[sp.Symbol, float], float] | None = None  # the least left side minus right side
        self._compiled: dict[tuple, Any] = {}
        self.hypotheses = [_gap(g) for g in given]
        self.is_strict = [isinstance(g, sp.StrictLessThan | sp.StrictGreaterThan) for g in given]
        self.solved = solved_equations(given, self.symbols)
        self.quadrics = [(q, q.functions()) for q in self._quadrics()]

    @functools.cached_property
    def parts(self) -> list[sp.Expr]:
        """What is small where the relation fails, and what it is held against; an identity never asks for it."""
        if self.relation in (sp.true, sp.false):
            return []
        if isinstance(self.relation, sp.Eq):
            left, right = self.relation.args
            return [-sp.Abs(left - right, evaluate=False), left, right]  # sympy asks roots of polynomials for its sign
        gap = self.relation.gts - self.relation.lts
        is_short = gap.is_polynomial(*self.symbols) and is_small(gap)
        return [gap, *sp.Add.make_args(sp.expand(gap) if is_short else gap)]

    def run(self) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact counterexample, or None."""
        reckon(attack_s(self.relation))
        if not self.symbols:
            return {} if self._is_hit({}) else None
        for point in self._simple():
            if self._is_hit(point):
                return point
        return self._search(self.parts, self._is_hit) or self._nearer()

    def _nearer(self) -> dict[sp.Symbol, sp.Rational] | None:
        """A counterexample between one whose numbers are too long for the checker and simple ones."""
        for point in self.refused[:_REFUSED]:
            for k in range(1, _HALVINGS):
                values = {s: self._drawn_in(s, Fraction(int(v.p), int(v.q)), k) for s, v in point.items()}
                near = self._on_equations({s: exact(v) for s, v in values.items()})
                if near is not None and self._is_hit(near):
                    return near
        return None

    def _drawn_in(self, s: sp.Symbol, value: Fraction, k: int) -> Fraction:
        """A number of a symbol's range, nearer to its finite end or to 0 by a power of two."""
        r = self.box[s]
        start = next((end for end in (r.low, r.high) if isinstance(end, Fraction)), Fraction(0))
        drawn = start + (value - start) / 2**k
        return _nearest_admitted(s, Fraction(round(drawn)), r) if s.is_integer else drawn

    def _quadrics(self) -> Iterator[Quadric]:
        """Equations of degree two that are not solved for a symbol."""
        taken = {s for s, _ in self.solved}
        equations = [g for g in (*self.given, *paired_equations(self.given)) if isinstance(g, sp.Eq)]
        for gap in [g.lhs - g.rhs for g in equations]:
            found = None
            if is_small(gap) and not gap.free_symbols & taken:
                found = quadric(sp.expand(gap), self.symbols)
            if found is not None:
                taken |= set(found.symbols)
                yield found

    def find_undefined(self, conditions: Iterable[Definedness]) -> None:
        """Look for a point, kept in `undefined`, where a subterm of the relation has no value."""
        for condition in conditions:
            for way in condition.ways or ((),):
                for expression, _ in way:
                    is_zero_sought = len(condition.ways) > 1
                    if self.undefined is None and self.symbols:
                        self._search([expression], self._is_undefined)
                    if self.undefined is None and self.symbols and is_zero_sought:
                        self._search([sp.Abs(expression)], self._is_undefined)

    def find_admitted(self) -> None:
        """Look for a point, noted in `feasible`, that satisfies every hypothesis."""
        if not self.feasible and self.symbols:
            self._search([], self._is_admitted_noted)

    def _is_admitted_noted(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        self.feasible = self.is_admitted(point)
        return self.feasible

    def _search(self, parts: list[sp.Expr], is_hit: Any) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact hit near where the first of `parts` is least, relative to all of them."""
        points = self._sample(4000)
        gaps = self._gaps(parts, points)
        for _ in range(30):
            points, gaps = self._improve(parts, points, gaps)
        if parts and parts is self.parts and np.isfinite(gaps.min()):
            best = points[np.argsort(gaps, kind="stable")[:1]]
            where = {s: float(v) for s, v in zip(self.symbols, best[0], strict=True)}
            self.nearest = where, float(self._values(parts[:1], best)[0][0])
        return self._first_exact(points, gaps, is_hit)

    def _simple(self) -> Iterator[dict[sp.Symbol, sp.Rational]]:
        """Small numbers first: where any point refutes, a reader should get one to check by hand."""
        for start in (Fraction(1), Fraction(0), Fraction(1, 2), Fraction(2), Fraction(-1)):
            values = [start + place for place in range(len(self.symbols))]
            ranges = zip(self.box.values(), values, strict=True)
            if all(r.contains(x) for r, x in ranges):
                yield {symbol: exact(value) for symbol, value in zip(self.symbols, values, strict=True)}
        yield from self._at_roots()

    def _at_roots(self) -> Iterator[dict[sp.Symbol, sp.Rational]]:
        """Rational roots of equations in one symbol; x^2 = 9 leaves a descent in floats at one of them."""
        roots: dict[sp.Symbol, list[sp.Rational]] = {}
        for gap in (g.lhs - g.rhs for g in self.given if isinstance(g, sp.Eq)):
            if len(gap.free_symbols) == 1 and gap.is_polynomial() and is_small(gap):
                (s,) = gap.free_symbols
                inside = [x for x in sp.Poly(gap, s).ground_roots() if self.box[s].contains(Fraction(x.p, x.q))]
                roots.setdefault(s, sorted(inside))
        if roots:
            others = {s: exact(middle(r)) for s, r in self.box.items() if s not in roots}
            for values in itertools.islice(itertools.product(*roots.values()), _MAX_ROOTS):
                yield {s: (others | dict(zip(roots, values, strict=True)))[s] for s in self.symbols}

    def inside(self, piece: Box) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact counterexample within a piece where enclosures say that the goal fails."""
        point = {s: exact(middle_integer(r) if s.is_integer else middle(r)) for s, r in piece.items()}
        return point if self._is_hit(point) else None

    def readable(self, point: dict[sp.Symbol, sp.Rational] | None) -> dict[sp.Symbol, sp.Rational] | None:
        """A counterexample of simpler numbers near one, if there is any; of what is long none is looked for."""
        is_long = attack_s(self.relation) > _ATTACK_S
        near = simpler_points(point, self.box) if point and not is_long else ()
        return next((p for p in near if self._fails_there(p)), point)

    def _fails_there(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        reckon(CANDIDATE_S)
        try:
            return self.is_admitted(point) and fails(self.relation, point) and self.is_followed(point)
        except (UndefinedValue, Contradiction, InconsistentAssumptions):
            return False

    def admitted_floats(self, count: int) -> list[tuple[float, ...]]:
        """Up to `count` sampled points of the box where every hypothesis seems to hold, as far as floats tell."""
        points = self._sample(4000)
        found = points[np.isfinite(self._gaps([], points))]
        return [tuple(map(float, point)) for point in found[:count]]

    def rounded(self, denominator: int, point: tuple[float, ...]) -> dict[sp.Symbol, sp.Rational]:
        """An exact point of the box near one in floats, of fractions with small denominators."""
        values = (self._rounded(place, x, denominator) for place, x in enumerate(point))
        found = {symbol: exact(value) for symbol, value in zip(self.symbols, values, strict=True)}
        return self._on_equations(found) or found

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
        points = np.clip(np.where(self.is_integer, np.round(points), points), self.low, self.high)
        for found, functions in self.quadrics:
            places = [self.symbols.index(s) for s in found.symbols]
            points[:, places] = np.array(found.moved(list(points[:, places].T), functions)).T
        for symbol, to in self.solved:
            place = self.symbols.index(symbol)
            points[:, place] = self._values([to], points)[0]
        return points

    def _gaps(self, parts: list[sp.Expr], points: Any) -> Any:
        """Tell how far the relation is from failing, relative to its terms; infinite outside `given`: [count]."""
        if not parts:
            gaps = np.zeros(len(points))
        else:
            gap, *terms = self._values(parts, points)
            with np.errstate(all="ignore"):
                gaps = gap / (sum(np.abs(term) for term in terms) + 1)
        for value, is_strict in zip(self._values(self.hypotheses, points), self.is_strict, strict=True):
            gaps = np.where(value > 0 if is_strict else value >= -1e-12, gaps, np.inf)
        return np.where(np.isnan(gaps), np.inf, gaps)

    def _values(self, expressions: list[sp.Expr], points: Any) -> list[Any]:
        if not expressions:
            return []
        key = tuple(expressions)
        if key not in self._compiled:
            self._compiled[key] = function_of(self.symbols, expressions, array_modules(expressions))
        function = self._compiled[key]
        nothing = [np.full(len(points), np.nan) for _ in expressions]
        if function is None:
            return nothing
        try:
            with np.errstate(all="ignore"):
                found = [real(value) for value in function(*points.T)]
        except NO_FLOAT:
            return nothing
        return [np.broadcast_to(value, len(points)) for value in found]

    def _improve(self, parts: list[sp.Expr], points: Any, gaps: Any) -> tuple[Any, Any]:
        """Perturb the best points at random scales, one or all coordinates, and keep the best."""
        best = np.argsort(gaps, kind="stable")[:_KEPT]
        parents = np.repeat(points[best], _CHILDREN, axis=0)
        scale = np.exp(self.generator.uniform(-14, 0.5, (len(parents), 1)))
        finite = np.isfinite(self.low) & np.isfinite(self.high)
        span = np.where(finite, self.high - np.where(finite, self.low, 0.0), 1.0 + np.abs(parents))
        mask = self.generator.random(parents.shape) < 0.6
        moved = parents + np.where(mask, scale * span * self.generator.standard_normal(parents.shape), 0.0)
        moved = self._admissible(moved)
        everything = np.concatenate([points[best], moved])
        return everything, np.concatenate([gaps[best], self._gaps(parts, moved)])

    def _first_exact(self, points: Any, gaps: Any, is_hit: Any) -> dict[sp.Symbol, sp.Rational] | None:
        """Round promising points to rationals, simplest first, until one certainly fails."""
        tried: set[tuple[End, ...]] = set()
        deadline = cpu_clock() + 5.0
        for place in np.argsort(gaps, kind="stable")[:16]:
            if not gaps[place] < 1e-6:
                return None
            for denominator in (1, 12, 1000, 10**6, 10**15):
                if not np.all(np.isfinite(points[place])):
                    continue
                candidate = tuple(self._rounded(i, x, denominator) for i, x in enumerate(points[place]))
                if candidate in tried:
                    continue
                if cpu_clock() > deadline:
                    return None
                reckon(CANDIDATE_S)
                tried.add(candidate)
                point = self._on_equations({s: exact(v) for s, v in zip(self.symbols, candidate, strict=True)})
                if point is not None and is_hit(point):
                    return point
        return None

    def _on_equations(self, point: dict[sp.Symbol, sp.Rational]) -> dict[sp.Symbol, sp.Rational] | None:
        """The point with what equations say of some symbols put in; None where that is no rational number."""
        for found, _ in self.quadrics:
            if not all(point[s].is_Rational for s in found.symbols):  # an end that is no number
                return None
            values = [Fraction(int(point[s].p), int(point[s].q)) for s in found.symbols]
            point |= {s: exact(v) for s, v in zip(found.symbols, found.moved(values), strict=True)}
        for symbol, to in self.solved:
            found = to.xreplace(point)  # all symbols at once; subs goes through the whole for each
            if not found.is_Rational:  # where there is a pole that a numerator of 0 takes away
                found = to.subs(point)
            if not found.is_Rational:
                return None
            point[symbol] = found
        return point

    def _rounded(self, place: int, x: float, denominator: int) -> End:
        """The nearest fraction with a small denominator inside the range (an integer for an integer symbol)."""
        symbol, r = self.symbols[place], self.box[self.symbols[place]]
        if r.is_point:
            return r.low
        value = Fraction(float(x)).limit_denominator(1 if symbol.is_integer else denominator)
        value = min(max(value, r.low), r.high)
        if symbol.is_integer:
            return _nearest_admitted(symbol, Fraction(round(value)), r)
        step = Fraction(1, max(denominator, 10))
        if r.is_open and value == r.low:  # this end is excluded: the search came as close as floats allow
            value = min(r.low + step, middle(r))
        elif r.is_open_high and value == r.high:
            value = max(r.high - step, middle(r))
        return value

    def _is_hit(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        """Whether an exact point satisfies every hypothesis and fails the relation, beyond doubt."""
        if not self.is_admitted(point):
            return False
        self.feasible = True
        try:
            is_hit = fails(self.relation, point)
        except UndefinedValue as gap:
            self.undefined = self.undefined or (point, gap.subterm)
            return False
        if is_hit and not self.is_followed(point):
            self.refused.append(point)
            return False
        return is_hit

    def _is_undefined(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        """Whether an exact point satisfies every hypothesis and leaves a side of the relation without a value."""
        self._is_hit(point)
        return self.undefined is not None

    def is_admitted(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        """Whether an exact point lies in the box, meets all assumptions and satisfies every hypothesis."""
        if not all(self.box[s].contains(number(value)) and fits(s, value) for s, value in point.items()):
            return False
        return all(holds(g, point) for g in self.given)


def attack_s(relation: sp.Basic) -> float:
    """Reckoned seconds of an attack: a sum of two thousand terms takes five, one of numbers nothing to speak of."""
    parts = [part for side in relation.args for part in sp.Add.make_args(side) if part.free_symbols]
    return _ATTACK_S + _OPERATION_S * max(sum(int(part.count_ops()) for part in parts) - _FREE, 0)


def _gap(given: sp.Basic) -> sp.Expr:
    """What is >= 0, as far as floats tell, where a given holds."""
    return _ALMOST - sp.Abs(given.lhs - given.rhs) if isinstance(given, sp.Eq) else as_positive(given)[0]


def _nearest_admitted(symbol: sp.Symbol, value: Fraction, r: VariableRange) -> Fraction:
    """The integer nearest to one in a range that meets the symbol's assumptions, if any is near."""
    near = (value + side * distance for distance in range(_NEAR) for side in (-1, 1))
    return next((number for number in near if r.contains(number) and fits(symbol, exact(number))), value)


def fits(symbol: sp.Symbol, value: sp.Rational) -> bool:
    """Whether a number meets the assumptions on a symbol."""
    return all(getattr(symbol, kind) in (None, getattr(value, kind)) for kind in _KINDS)


def real(value: Any) -> Any:
    """Floats, NaN where the value is not real."""
    array = np.asarray(value)
    if np.iscomplexobj(array):
        return np.where(array.imag == 0, array.real, np.nan)
    return array.astype(float)


def violates(relation: sp.Basic, point: Point) -> bool:
    """Whether both sides of a relation have values at an exact point, and it certainly fails there."""
    try:
        return fails(relation, point)
    except UndefinedValue:
        return False


def fails(relation: sp.Basic, point: Point) -> bool:
    """Whether a relation certainly fails at an exact point. Raises UndefinedValue where a side has no value."""
    if relation in (sp.true, sp.false):
        return relation == sp.false
    if isinstance(relation, sp.Eq):
        return sign(relation.lhs, relation.rhs, point) in (1, -1)
    found = sign(relation.gts, relation.lts, point)
    return found == -1 or (found == 0 and isinstance(relation, sp.StrictLessThan | sp.StrictGreaterThan))


def holds(relation: sp.Basic, point: Point) -> bool:
    """Whether a hypothesis certainly has values on both sides and holds at an exact point."""
    if relation in (sp.true, sp.false):
        return relation == sp.true
    try:
        if isinstance(relation, sp.Eq):
            return sign(relation.lhs, relation.rhs, point) == 0
        found = sign(relation.gts, relation.lts, point)
    except UndefinedValue:
        return False
    return found == 1 or (found == 0 and isinstance(relation, sp.LessThan | sp.GreaterThan))
