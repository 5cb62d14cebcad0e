"""Settle an inequality or identity over a box: proved with a record, refuted by an exact point, or unknown.

The ladder, cheapest rung first:

1. attack: random points and a local search from a fixed seed, in floats; a hit counts only after it has been rounded
   to a rational point of the box that satisfies `given` and been evaluated again exactly, or in Arb with certain sign;
2. interval: the natural enclosure over the box decides;
3. shift: a polynomial is rewritten at a corner (x = lo + t, or x = (lo + hi t)/(1 + t) between finite ends); if no
   coefficient is negative it is nonnegative for all t >= 0, which covers half-infinite boxes;
4. rename: exp, log and roots become variables with their own ranges; lower: a linear `given` becomes t >= 0;
5. factor: the sign of a product follows from the signs of its parts;
6. monotone: where a derivative has certified sign, the worst point lies on a face, and one dimension is gone;
7. branch: bisect, with the rungs above and the mean-value form on every piece.

Everything a proof rests on is a rational number or an Arb end rounded outward; floats only propose. A proof is a tree
of these steps in JSON, replayed by `theory.checker`, which shares no code with this module. Each step speaks of one
goal: `expression` is > 0 (strict) or >= 0 wherever it is defined in the box and all of `given` hold. A monotone step
leaves the region of `given` on its way to the face, so it may not use any.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.timeout import TimedOut, within

_BITS = 64
_SEED = 20221005
_CALL_SECONDS = 8.0
_MAX_DEPTH = 60
_RELATIONS = (sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan, sp.GreaterThan)

Node = dict[str, Any]


@dataclass(frozen=True)
class Proved:
    """The relation holds on the whole box; `record` replays in `theory.checker`."""

    record: Node
    seconds: float


@dataclass(frozen=True)
class Refuted:
    """The relation fails at `counterexample`, an exact point; `value` is left side minus right side there."""

    counterexample: dict[sp.Symbol, sp.Rational]
    value: sp.Expr
    record: Node
    seconds: float


@dataclass(frozen=True)
class Unknown:
    """Neither was found within the budget; `remaining` are the boxes on which nothing is known."""

    remaining: tuple[dict[sp.Symbol, tuple[sp.Expr, sp.Expr]], ...]
    reason: str
    seconds: float


@dataclass(frozen=True)
class Range:
    """Values of one variable: low <= x <= high (Fractions or infinite floats); `is_open` excludes low itself."""

    low: Fraction | float
    high: Fraction | float
    is_open: bool = False

    @property
    def is_point(self) -> bool:
        """Whether low equals high."""
        return self.low == self.high


Box = dict[sp.Symbol, Range]


@dataclass(frozen=True)
class Given:
    """One hypothesis as expression >= 0, or > 0 where strict."""

    expression: sp.Expr
    is_strict: bool


@dataclass(frozen=True)
class Goal:
    """`expression` > 0 (strict) or >= 0 on `box` wherever all of `given` hold."""

    expression: sp.Expr
    is_strict: bool
    box: Box
    given: tuple[Given, ...] = ()


class _Found(Exception):
    """A piece of the box on which the goal certainly fails; carries the piece."""

    def __init__(self, box: Box) -> None:
        super().__init__("refuted")
        self.box = box


def certify(
    relation: sp.Basic,
    box: Mapping[sp.Symbol, tuple[Any, Any]],
    given: Sequence[sp.Basic] = (),
    *,
    budget_s: float = 60,
) -> Proved | Refuted | Unknown:
    """Prove or refute `relation` on the closed `box` where all of `given` hold.

    Args:
        relation: <, <=, >, >= or Eq between sympy expressions, exact. It is meant wherever both sides are defined.
        box: {symbol: (low, high)}, exact numbers, closed at finite ends, +-oo allowed; every free symbol must occur.
        given: inequalities in the same symbols.
        budget_s: hard limit in seconds.

    Raises:
        ValueError: bad box, relation, given or budget.
    """
    started = time.monotonic()
    if not budget_s > 0:
        raise ValueError(f"budget_s must be > 0, got {budget_s}")
    relation, ranges, hypotheses = sp.sympify(relation), _ranges(box), tuple(given)
    _validate(relation, ranges, hypotheses)
    try:
        answer = within(budget_s, _settle, relation, ranges, hypotheses, budget_s)
    except TimedOut:
        answer = Unknown((_exact_box(ranges),), f"nothing was decided within {budget_s:g} s", 0.0)
    return replace(answer, seconds=time.monotonic() - started)


def _ranges(box: Mapping[sp.Symbol, tuple[Any, Any]]) -> Box:
    """The box with exact ends. Raises ValueError on an empty or inexact range."""
    ranges = {}
    for symbol, ends in box.items():
        low, high = (sp.sympify(end) for end in ends)
        for end in (low, high):
            if not (end.is_Rational or end in (sp.oo, -sp.oo)):
                raise ValueError(f"box must have rational or infinite ends, got {end} for {symbol}")
        if low > high or low == sp.oo or high == -sp.oo:
            raise ValueError(f"box must have low <= high, got ({low}, {high}) for {symbol}")
        if (symbol.is_nonnegative and low < 0) or (symbol.is_nonpositive and high > 0):
            raise ValueError(f"box must respect the assumptions on {symbol}, got ({low}, {high})")
        ranges[symbol] = Range(_number(low), _number(high))
    return ranges


def _number(value: sp.Expr) -> Fraction | float:
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else float(value)


def _exact(value: Fraction | float) -> sp.Expr:
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    return sp.oo if value > 0 else -sp.oo


def _exact_box(box: Box) -> dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]:
    return {symbol: (_exact(r.low), _exact(r.high)) for symbol, r in box.items()}


def _validate(relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...]) -> None:
    if not (relation in (sp.true, sp.false) or isinstance(relation, (*_RELATIONS, sp.Eq))):
        raise ValueError(f"relation must be <, <=, >, >= or Eq, got {relation}")
    for hypothesis in given:
        if not (hypothesis in (sp.true, sp.false) or isinstance(hypothesis, _RELATIONS)):
            raise ValueError(f"given must be <, <=, > or >=, got {hypothesis}")
    for part in (relation, *given):
        missing = sorted(str(symbol) for symbol in part.free_symbols - set(box))
        if missing:
            raise ValueError(f"box must contain every symbol of the relation, got none for {', '.join(missing)}")
        if part.atoms(sp.Float):
            raise ValueError(f"relation must be exact (no floats), got {part}")


def _settle(relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...], budget_s: float) -> Proved | Refuted | Unknown:
    """Climb the ladder; `seconds` of the answer is filled in by the caller."""
    deadline = time.monotonic() + 0.97 * budget_s
    record = {
        "relation": sp.srepr(relation),
        "box": [[sp.srepr(s), str(_exact(r.low)), str(_exact(r.high))] for s, r in box.items()],
        "given": [sp.srepr(hypothesis) for hypothesis in given],
    }
    if relation == sp.true:
        return _proved(record, {"by": "interval"}, box)
    attack = _Attack(relation, box, given)
    if isinstance(relation, sp.Eq):
        proof = _identity(relation.lhs - relation.rhs)
        point = None if proof else attack.run()
        left = (box,)
    else:
        point, proof, left = attack.run(), None, (box,)
        if point is None and relation != sp.false:
            goal = Goal(*_as_positive(relation), box, tuple(Given(*_as_positive(g)) for g in given if g != sp.true))
            prover = _Prover(deadline)
            try:
                proof = prover.prove(goal)
                left = prover.remaining or left
            except _Found as found:
                point = attack.inside(found.box)
    if point is not None:
        value = sp.S.Zero if relation == sp.false else _value(relation.lhs - relation.rhs, point)
        pairs = [[sp.srepr(s), str(v)] for s, v in point.items()]
        return Refuted(point, value, _sealed(record | {"verdict": "refuted", "point": pairs}), 0.0)
    if proof is not None:
        return _proved(record, proof, box)
    late = time.monotonic() >= deadline
    reason = f"the budget of {budget_s:g} s is spent" if late else "no rung of the ladder decides"
    return Unknown(tuple(_exact_box(piece) for piece in left[:64]), reason, 0.0)


def _proved(record: Node, proof: Node, box: Box) -> Proved | Unknown:
    """The answer, once the independent checker has replayed it; what it cannot follow is not called proved."""
    from theory.checker import InvalidRecord, replay

    sealed = _sealed(record | {"verdict": "proved", "proof": proof})
    try:
        replay(json.loads(json.dumps(sealed)))
    except InvalidRecord as refusal:
        return Unknown((_exact_box(box),), f"a proof was found that the checker refuses: {refusal}", 0.0)
    return Proved(sealed, 0.0)


def _sealed(record: Node) -> Node:
    """The record with a digest of its content, so that any later change shows."""
    return record | {"digest": hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()}


def _as_positive(relation: sp.Basic) -> tuple[sp.Expr, bool]:
    """(expression, is_strict) with the relation meaning expression > 0 or >= 0."""
    if relation == sp.false:
        return sp.S.NegativeOne, False
    return relation.gts - relation.lts, isinstance(relation, sp.StrictLessThan | sp.StrictGreaterThan)


def _identity(difference: sp.Expr) -> Node | None:
    """A proof that an expression is zero, by normal form first, by simplification only then."""
    for step in (_normal_form, _normal_form_in_exponentials, sp.simplify):
        try:
            if within(_CALL_SECONDS, step, difference) == 0:
                return {"by": "identity"}
        except TimedOut:
            continue
    return None


def _normal_form(expression: sp.Expr) -> sp.Expr:
    return sp.expand(sp.numer(sp.together(expression)))


def _normal_form_in_exponentials(expression: sp.Expr) -> sp.Expr:
    return _normal_form(expression.rewrite(sp.exp))


def _value(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational]) -> sp.Expr:
    value = expression.subs(point)
    return value if value.is_Rational else value.evalf(20)


def _violates(relation: sp.Basic, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether a relation certainly fails at an exact point: by rational arithmetic, Arb, or an exact zero."""
    if relation in (sp.true, sp.false):
        return relation == sp.false
    is_equality = isinstance(relation, sp.Eq)
    difference, is_strict = (relation.lhs - relation.rhs, False) if is_equality else _as_positive(relation)
    value = difference.subs(point)
    if value.is_Rational:
        return value != 0 if is_equality else value < 0 or (is_strict and value == 0)
    sign = _certain_sign(difference, point)
    if sign is not None:
        return is_equality or sign < 0
    if is_strict and value.is_finite is not False:
        try:
            return within(2.0, sp.simplify, value) == 0
        except TimedOut:
            return False
    return False


def _certain_sign(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational]) -> int | None:
    """+1 or -1 where Arb excludes zero, else None (undefined, no enclosure, or too close to zero)."""
    from theory import intervals

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


class _Attack:
    """Search for a point where the relation fails. Floats propose, exact arithmetic decides."""

    def __init__(self, relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...]) -> None:
        import numpy as np

        self.relation, self.box, self.given = relation, box, given
        self.symbols = list(box)
        self.generator = np.random.default_rng(_SEED)
        self.low = np.array([float(r.low) for r in box.values()])
        self.high = np.array([float(r.high) for r in box.values()])
        if relation in (sp.true, sp.false):
            self.parts = []
        elif isinstance(relation, sp.Eq):
            self.parts = [-sp.Abs(relation.lhs - relation.rhs), relation.lhs, relation.rhs]
        else:
            gap = relation.gts - relation.lts
            self.parts = [gap, *sp.Add.make_args(sp.expand(gap) if gap.is_polynomial(*self.symbols) else gap)]
        self.hypotheses = [_as_positive(g)[0] for g in given]

    def run(self) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact counterexample, or None."""
        if not self.symbols:
            return {} if self._is_hit({}) else None
        points = self._sample(4000)
        gaps = self._gaps(points)
        for _ in range(30):
            points, gaps = self._improve(points, gaps)
        return self._first_exact(points, gaps)

    def inside(self, piece: Box) -> dict[sp.Symbol, sp.Rational] | None:
        """An exact counterexample within a piece where enclosures say that the goal fails."""
        middle = {s: _exact(_middle(r)) for s, r in piece.items()}
        return middle if self._is_hit(middle) else None

    def _sample(self, count: int) -> Any:
        """Uniform points, log-uniform ones from finite ends, and points with coordinates on faces. [count, d]"""
        import numpy as np

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
        return np.clip(points, self.low, self.high)

    def _gaps(self, points: Any) -> Any:
        """How far the relation is from failing, relative to its terms; infinite outside `given`. [count]"""
        import numpy as np

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
        import numpy as np

        if not expressions:
            return []
        if not hasattr(self, "_compiled"):
            self._compiled: dict[tuple, Any] = {}
        key = tuple(expressions)
        if key not in self._compiled:
            needs_scipy = any(e.atoms(sp.erf, sp.erfc, sp.gamma, sp.loggamma) for e in expressions)
            self._compiled[key] = sp.lambdify(self.symbols, expressions, ["scipy", "numpy"] if needs_scipy else "numpy")
        with np.errstate(all="ignore"):
            found = self._compiled[key](*points.T)
        return [np.real_if_close(np.broadcast_to(np.asarray(v, dtype=float), len(points))) for v in found]

    def _improve(self, points: Any, gaps: Any, keep: int = 24, children: int = 12) -> tuple[Any, Any]:
        """Perturb the best points at random scales, one or all coordinates, and keep the best."""
        import numpy as np

        best = np.argsort(gaps, kind="stable")[:keep]
        parents = np.repeat(points[best], children, axis=0)
        scale = np.exp(self.generator.uniform(-14, 0.5, (len(parents), 1)))
        finite = np.isfinite(self.low) & np.isfinite(self.high)
        span = np.where(finite, self.high - np.where(finite, self.low, 0.0), 1.0 + np.abs(parents))
        mask = self.generator.random(parents.shape) < 0.6
        moved = parents + np.where(mask, scale * span * self.generator.standard_normal(parents.shape), 0.0)
        moved = np.clip(moved, self.low, self.high)
        everything = np.concatenate([points[best], moved])
        return everything, np.concatenate([gaps[best], self._gaps(moved)])

    def _first_exact(self, points: Any, gaps: Any) -> dict[sp.Symbol, sp.Rational] | None:
        """Round promising points to rationals, simplest first, until one certainly fails."""
        import numpy as np

        tried: set[tuple[Fraction, ...]] = set()
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
                point = {s: _exact(v) for s, v in zip(self.symbols, candidate, strict=True)}
                if self._is_hit(point):
                    return point
        return None

    def _rounded(self, place: int, x: float, denominator: int) -> Fraction:
        """The nearest fraction with a small denominator inside the range (an integer for an integer symbol)."""
        symbol, r = self.symbols[place], self.box[self.symbols[place]]
        value = Fraction(float(x)).limit_denominator(1 if symbol.is_integer else denominator)
        return min(max(value, r.low), r.high) if not r.is_point else r.low

    def _is_hit(self, point: dict[sp.Symbol, sp.Rational]) -> bool:
        """Whether an exact point satisfies every hypothesis and fails the relation, beyond doubt."""
        if any(symbol.is_integer and not value.is_integer for symbol, value in point.items()):
            return False
        return all(_holds(g, point) for g in self.given) and _violates(self.relation, point)


def _holds(relation: sp.Basic, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether a hypothesis certainly holds at an exact point."""
    if relation in (sp.true, sp.false):
        return relation == sp.true
    expression, is_strict = _as_positive(relation)
    value = expression.subs(point)
    if value.is_Rational:
        return value > 0 or (value == 0 and not is_strict)
    return _certain_sign(expression, point) == 1


def _middle(r: Range) -> Fraction:
    """An interior point where to cut: zero if inside, geometric over decades, doubling toward infinity."""
    low, high = r.low, r.high
    if low < 0 < high:
        return Fraction(0)
    if high == math.inf:
        return 2 * max(low, Fraction(0)) + 1
    if low == -math.inf:
        return 2 * min(high, Fraction(0)) - 1
    if min(abs(low), abs(high)) > 0 and max(abs(low), abs(high)) > 16 * min(abs(low), abs(high)):
        size = Fraction(2) ** round(math.log2(math.sqrt(abs(low) * abs(high))))
        return size if low > 0 else -size
    return (low + high) / 2


class _Prover:
    """Search for a proof tree before `deadline`; `remaining` are the pieces a top-level branching left open."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.remaining: tuple[Box, ...] = ()

    def prove(self, goal: Goal, *, depth: int = 0, may_branch: bool = True) -> Node | None:
        """A proof of `goal`, or None. Raises _Found where branching meets a piece on which it fails."""
        rungs = [self._interval, self._shift]
        if depth < 4:
            rungs += [self._lower, self._rename, self._factor]
        for rung in rungs:
            if self._is_late:
                return None
            proof = rung(goal) if rung in rungs[:2] else rung(goal, depth)
            if proof is not None:
                return proof
        if depth < 3:
            proof = self._monotone(goal, depth)
            if proof is not None:
                return proof
        return self._branch(goal, is_top=depth == 0) if may_branch else None

    @property
    def _is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def _interval(self, goal: Goal) -> Node | None:
        enclosure = _enclose(goal.expression, goal.box)
        return {"by": "interval"} if enclosure is not None and _is_positive(enclosure, goal.is_strict) else None

    def _shift(self, goal: Goal) -> Node | None:
        return {"by": "shift"} if _has_positive_coefficients(goal) else None

    def _lower(self, goal: Goal, depth: int) -> Node | None:
        """Replace a symbol bounded by a linear hypothesis: x = bound +- t with t >= 0."""
        for place, hypothesis in enumerate(goal.given):
            for symbol in sorted(hypothesis.expression.free_symbols & set(goal.box), key=str, reverse=True):
                slope = sp.diff(hypothesis.expression, symbol)
                if not (slope.is_Rational and slope != 0):
                    continue
                t = sp.Dummy("t", real=True)
                replacement = sp.expand(symbol + (t - hypothesis.expression) / slope)
                box = {s: r for s, r in goal.box.items() if s != symbol}
                box[t] = Range(Fraction(0), math.inf, hypothesis.is_strict)
                others = tuple(
                    replace(g, expression=g.expression.subs(symbol, replacement))
                    for i, g in enumerate(goal.given)
                    if i != place
                )
                inner = Goal(goal.expression.subs(symbol, replacement), goal.is_strict, box, others)
                proof = self.prove(inner, depth=depth + 1, may_branch=False)
                if proof is not None:
                    return {
                        "by": "lower",
                        "given": place,
                        "symbol": sp.srepr(symbol),
                        "new": sp.srepr(t),
                        "replacement": sp.srepr(replacement),
                        "proof": proof,
                    }
        return None

    def _rename(self, goal: Goal, depth: int) -> Node | None:
        """Make exp, log and roots variables of their own; what they have in common is forgotten."""
        renamed = _rename_functions(goal)
        if renamed is None:
            return None
        expression, pairs, box = renamed
        proof = self.prove(Goal(expression, goal.is_strict, box), depth=depth + 1, may_branch=False)
        if proof is None:
            return None
        rows = [
            [sp.srepr(s), sp.srepr(pairs[s]), str(_exact(box[s].low)), str(_exact(box[s].high)), box[s].is_open]
            for s in pairs
        ]
        return {"by": "rename", "rows": rows, "expression": sp.srepr(expression), "proof": proof}

    def _factor(self, goal: Goal, depth: int) -> Node | None:
        """Certify the parts of a product, each with the sign it shows at sample points."""
        parts = _factors(goal.expression)
        if parts is None or (len(parts) == 1 and parts[0][1] == 1):
            return None
        proved, total = [], 1
        for part, power in parts:
            if power > 0 and power % 2 == 0 and not goal.is_strict:
                proved.append([sp.srepr(part), power, 0, None])
                continue
            sign = _sampled_sign(part, goal)
            if sign == 0 or self._is_late:
                return None
            is_strict = goal.is_strict or power < 0
            inner = replace(goal, expression=sign * part, is_strict=is_strict)
            proof = self._prove_part(inner, depth)
            if proof is None:
                return None
            total *= sign**power
            proved.append([sp.srepr(part), power, sign, proof])
        return {"by": "factor", "parts": proved} if total == 1 else None

    def _prove_part(self, goal: Goal, depth: int) -> Node | None:
        try:
            return self.prove(goal, depth=depth + 1)
        except _Found:
            return None

    def _monotone(self, goal: Goal, depth: int) -> Node | None:
        """Move to the face where the expression is smallest, if a derivative has certified sign."""
        if not _is_continuous(goal.expression, goal.box):
            return None
        for symbol, r in goal.box.items():
            if r.is_point or r.is_open or symbol not in goal.expression.free_symbols:
                continue
            slope = sp.diff(goal.expression, symbol)
            free = Goal(slope, False, goal.box)
            sign = _sampled_sign(slope, free)
            end = r.low if sign > 0 else r.high
            if sign == 0 or not isinstance(end, Fraction):
                continue
            slope_proof = self.prove(replace(free, expression=sign * slope), depth=depth + 1, may_branch=False)
            if slope_proof is None:
                continue
            face = Goal(goal.expression, goal.is_strict, goal.box | {symbol: Range(end, end)})
            face_proof = self._prove_part(face, depth)
            if face_proof is not None:
                return _monotone_node(symbol, sign, slope_proof, face_proof)
        return None

    def _branch(self, goal: Goal, *, is_top: bool) -> Node | None:
        """Bisect until every piece is decided; give up at the deadline or a piece too small to cut."""
        try:
            search = _Branching(goal)
        except ValueError:
            return None
        now = time.monotonic()
        tree = search.run(self.deadline if is_top else now + (self.deadline - now) / 3)
        if is_top and search.open:
            self.remaining = tuple(search.open)
        return tree


def _monotone_node(symbol: sp.Symbol, sign: int, slope: Node, face: Node) -> Node:
    return {"by": "monotone", "symbol": sp.srepr(symbol), "sign": sign, "slope": slope, "face": face}


def _is_positive(enclosure: Any, is_strict: bool) -> bool:
    return bool(enclosure.lo > 0) or (not is_strict and bool(enclosure.lo >= 0))


def _enclose(expression: sp.Expr, box: Box) -> Any:
    """Enclosure over a box, or None where an operation has none."""
    import flint

    from theory import intervals

    try:
        with flint.ctx.workprec(_BITS):
            program = intervals.Program([expression], list(box))
            return program([intervals.interval(r.low, r.high) for r in box.values()])[0]
    except intervals.Unsupported:
        return None


def _is_continuous(expression: sp.Expr, box: Box) -> bool:
    """Whether the expression is certainly defined and continuous on all of the box, so that slopes decide."""
    import flint

    from theory import intervals

    try:
        with flint.ctx.workprec(_BITS):
            program = intervals.Program([expression], list(box))
            return program.is_continuous([intervals.interval(r.low, r.high) for r in box.values()])
    except intervals.Unsupported:
        return False


def _has_positive_coefficients(goal: Goal) -> bool:
    """Whether a polynomial goal, rewritten in t >= 0 at a corner of its box, shows its sign in its coefficients.

    Between finite ends these are Bernstein coefficients. Strictness: every vertex of the closed part of the box must
    carry a positive coefficient; then so does every face, and on a face's interior all its monomials are positive.
    """
    symbols = list(goal.box)
    if any(r.low == -math.inf and r.high == math.inf for s, r in goal.box.items() if s in goal.expression.free_symbols):
        return False
    terms = _polynomial_terms(goal.expression, symbols)
    if terms is None:
        return False
    vertices = []
    for place, symbol in enumerate(symbols):
        r = goal.box[symbol]
        degree = max((powers[place] for powers in terms), default=0)
        terms = _rewrite(terms, place, degree, r)
        vertices.append(_vertex_indices(r, 0 if r.is_point else degree))
    if any(value < 0 for value in terms.values()):
        return False
    if not goal.is_strict:
        return True
    support = [powers for powers, value in terms.items() if value > 0]
    return all(
        any(all(want is None or want == have for want, have in zip(vertex, powers, strict=True)) for powers in support)
        for vertex in itertools.product(*vertices)
    )


def _polynomial_terms(expression: sp.Expr, symbols: list[sp.Symbol]) -> dict[tuple[int, ...], Fraction] | None:
    """Coefficients by exponents, or None unless a rational polynomial of moderate size."""
    if not expression.is_polynomial(*symbols):
        return None
    polynomial = sp.Poly(expression, *symbols)
    if not polynomial.domain.is_ZZ and not polynomial.domain.is_QQ:
        return None
    if polynomial.total_degree() > 40 or len(polynomial.terms()) > 400:
        return None
    return {powers: _number(sp.Rational(value)) for powers, value in polynomial.terms()}


def _rewrite(terms: dict, place: int, degree: int, r: Range) -> dict[tuple[int, ...], Fraction]:
    """Put x = low + t, high - t, or (low + high t)/(1 + t) times (1 + t)**degree, in one variable."""
    images = [_image(power, degree, r) for power in range(degree + 1)]
    result: dict[tuple[int, ...], Fraction] = {}
    for powers, value in terms.items():
        for index, factor in enumerate(images[powers[place]]):
            if factor:
                key = (*powers[:place], index, *powers[place + 1 :])
                result[key] = result.get(key, Fraction(0)) + value * factor
    return result


def _image(power: int, degree: int, r: Range) -> list[Fraction]:
    """Coefficients in t of what becomes of x**power."""
    if r.is_point:
        return [r.low**power]
    if r.high == math.inf:
        return _product([[r.low, Fraction(1)]] * power)
    if r.low == -math.inf:
        return _product([[r.high, Fraction(-1)]] * power)
    return _product([[r.low, r.high]] * power + [[Fraction(1), Fraction(1)]] * (degree - power))


def _product(linear: list[list[Fraction]]) -> list[Fraction]:
    result = [Fraction(1)]
    for constant, slope in linear:
        shifted = [Fraction(0), *[slope * c for c in result]]
        result = [a + constant * b for a, b in itertools.zip_longest(shifted, result, fillvalue=Fraction(0))]
    return result


def _vertex_indices(r: Range, degree: int) -> tuple[int | None, ...]:
    """Indices of t that must occur with a positive coefficient; None stands for any."""
    if r.is_point:
        return (0,)
    is_half = math.inf in (r.high, -r.low)
    if r.is_open:
        return (None,) if is_half else (degree,)
    return (0,) if is_half else tuple({0, degree})


def _rename_functions(goal: Goal) -> tuple[sp.Expr, dict[sp.Symbol, sp.Expr], Box] | None:
    """(expression, {variable: what it stands for}, box), or None where there is nothing to rename."""
    if any(f.args[0].has(sp.exp, sp.log) for f in goal.expression.atoms(sp.exp, sp.log)):
        return None
    units = _exponential_units(goal.expression)
    variables = {unit: sp.Dummy("u", positive=True) for unit in units}
    expression = goal.expression.replace(
        lambda e: isinstance(e, sp.exp), lambda e: sp.Mul(*[variables[u] ** k for u, k in _split(e.args[0], units)])
    )
    pairs = {variable: sp.exp(unit) for unit, variable in variables.items()}
    for function in sorted(expression.atoms(sp.log, sp.NumberSymbol), key=str):
        pairs[sp.Dummy("u", real=True)] = function
    roots: dict[sp.Symbol, int] = {}
    for power in expression.atoms(sp.Pow):
        if power.base in goal.box and power.exp.is_Rational and not power.exp.is_Integer:
            roots[power.base] = math.lcm(roots.get(power.base, 1), int(power.exp.q))
    for variable, function in pairs.items():
        expression = expression.subs(function, variable)
    box = dict(goal.box)
    for symbol, degree in roots.items():
        if goal.box[symbol].low >= 0:
            root = sp.Dummy("u", positive=True)
            pairs[root] = symbol ** sp.Rational(1, degree)
            expression = expression.subs(symbol, root**degree)
    if not pairs:
        return None
    for variable, function in pairs.items():
        enclosure = _enclose(function, goal.box)
        if enclosure is None:
            return None
        is_open = isinstance(function, sp.exp) and not enclosure.lo > 0
        box[variable] = Range(_dyadic(enclosure.lo), _dyadic(enclosure.hi), is_open)
    used = expression.free_symbols
    kept = {variable: function for variable, function in pairs.items() if variable in used}
    return expression, kept, {symbol: r for symbol, r in box.items() if symbol in used}


def _exponential_units(expression: sp.Expr) -> list[sp.Expr]:
    """Exponents e_i such that every exp in the expression is a product of integer powers of exp(e_i)."""
    sizes: dict[sp.Expr, list[sp.Rational]] = {}
    for function in expression.atoms(sp.exp):
        for term in sp.Add.make_args(sp.expand(function.args[0])):
            coefficient, rest = term.as_coeff_Mul()
            if coefficient.is_Rational:
                sizes.setdefault(rest, []).append(coefficient)
    return [sp.Mul(sp.gcd_list([abs(c) for c in found]), rest) for rest, found in sizes.items()]


def _split(exponent: sp.Expr, units: list[sp.Expr]) -> Iterator[tuple[sp.Expr, sp.Integer]]:
    for term in sp.Add.make_args(sp.expand(exponent)):
        unit = next(u for u in units if (term / u).is_Integer)
        yield unit, term / unit


def _dyadic(end: Any) -> Fraction | float:
    """An Arb end as an exact fraction, or an infinite float."""
    if not end.is_finite():
        return math.inf if end > 0 else -math.inf
    mantissa, exponent = (int(part) for part in end.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _factors(expression: sp.Expr) -> list[tuple[sp.Expr, int]] | None:
    """Parts and integer powers whose product is the expression, or None where factoring takes too long."""
    try:
        factored = within(_CALL_SECONDS, sp.factor, expression)
    except (TimedOut, sp.PolynomialError):
        return None
    parts = []
    for part in sp.Mul.make_args(factored):
        base, power = part.as_base_exp()
        if isinstance(part, sp.exp) or not power.is_Integer:
            base, power = part, sp.S.One
        parts.append((base, int(power)))
    return parts


def _sampled_sign(expression: sp.Expr, goal: Goal) -> int:
    """The one sign an expression shows at random points of the box that satisfy `given`; 0 if it shows none or two."""
    symbols = list(goal.box)
    try:
        function = sp.lambdify(symbols, [expression, *[g.expression for g in goal.given]], "math")
    except (TypeError, ValueError, SyntaxError):
        return 0
    generator, signs = random.Random(_SEED), set()
    for _ in range(200):
        try:
            value, *hypotheses = function(*[_random_in(r, generator) for r in goal.box.values()])
        except (ArithmeticError, ValueError, TypeError):
            continue
        if all(h >= 0 for h in hypotheses) and abs(value) > 1e-13:
            signs.add(1 if value > 0 else -1)
        if len(signs) == 2:
            return 0
    return signs.pop() if signs else 0


def _random_in(r: Range, generator: random.Random) -> float:
    low, high = float(r.low), float(r.high)
    if math.isfinite(low) and math.isfinite(high):
        return generator.uniform(low, high)
    reach = math.exp(generator.uniform(-3, 3))
    if math.isfinite(low):
        return low + reach
    return high - reach if math.isfinite(high) else generator.choice([-1, 1]) * reach


class _Branching:
    """Bisection of one goal. Derivatives and hypotheses are compiled once, with shared sub-expressions."""

    def __init__(self, goal: Goal) -> None:
        from theory.intervals import Program

        self.goal, self.symbols = goal, list(goal.box)
        slopes = [sp.diff(goal.expression, symbol) for symbol in self.symbols]
        hypotheses = [g.expression for g in goal.given]
        self.program = Program([goal.expression, *slopes, *hypotheses], self.symbols)
        self.value = Program([goal.expression], self.symbols)
        self.is_polynomial = goal.expression.is_polynomial(*self.symbols)
        self.open: list[Box] = []

    def run(self, deadline: float) -> Node | None:
        """The proof tree, or None with the undecided pieces in `open`. Raises _Found."""
        import flint

        self.deadline, self.pieces = deadline, 0
        with flint.ctx.workprec(_BITS):
            return self._piece(self.goal.box, self.goal.given, 0)

    def _piece(self, box: Box, given: tuple[Given, ...], depth: int) -> Node | None:
        from theory.intervals import interval

        self.pieces += 1
        cells = [interval(r.low, r.high) for r in box.values()]
        value, *rest = self.program(cells)
        slopes, hypotheses = rest[: len(self.symbols)], rest[len(self.symbols) :] if given else []
        if _is_positive(value, self.goal.is_strict):
            return {"by": "interval"}
        for place, (hypothesis, enclosure) in enumerate(zip(given, hypotheses, strict=True)):
            if enclosure.hi < 0 or (hypothesis.is_strict and enclosure.hi <= 0):
                return {"by": "infeasible", "given": place}
        if value.hi < 0 and all(enclosure.lo > 0 for enclosure in hypotheses):
            raise _Found(box)
        if self.value.is_continuous(cells):
            # Hypotheses must not be in the way: the path to the face may leave their region.
            collapse = None if given else self._collapse(box, slopes)
            if collapse is not None:
                return self._on_face(box, *collapse, depth)
            if self._mean_value(box, cells, slopes):
                return {"by": "mean"}
        if self.is_polynomial and _has_positive_coefficients(replace(self.goal, box=box)):
            return {"by": "shift"}
        return self._cut(box, slopes, given, depth)

    def _collapse(self, box: Box, slopes: list) -> tuple[sp.Symbol, int, Fraction] | None:
        """A symbol in which the expression is certainly monotone, the sign of its slope, and its worst end."""
        for symbol, r, slope in zip(self.symbols, box.values(), slopes, strict=True):
            sign = 1 if slope.lo >= 0 else -1 if slope.hi <= 0 else 0
            end = r.low if sign > 0 else r.high
            if sign and isinstance(end, Fraction) and not (r.is_point or r.is_open):
                return symbol, sign, end
        return None

    def _on_face(self, box: Box, symbol: sp.Symbol, sign: int, end: Fraction, depth: int) -> Node | None:
        """Decide a box on its worst face; what stays open there is the whole box."""
        before = len(self.open)
        face = self._piece(box | {symbol: Range(end, end)}, (), depth)
        if face is None:
            self.open[before:] = [box]
            return None
        return _monotone_node(symbol, sign, {"by": "interval"}, face)

    def _mean_value(self, box: Box, cells: list, slopes: list) -> bool:
        from theory.intervals import add, interval, multiply, subtract

        if not all(cell.is_finite for cell in (*cells, *slopes)):
            return False
        middles = [interval((r.low + r.high) / 2) for r in box.values()]
        total = self.value(middles)[0]
        for cell, middle, slope in zip(cells, middles, slopes, strict=True):
            total = add(total, multiply(slope, subtract(cell, middle)))
        return _is_positive(total, self.goal.is_strict)

    def _cut(self, box: Box, slopes: list, given: tuple[Given, ...], depth: int) -> Node | None:
        """Bisect where the expression varies most; both halves must be decided."""
        symbol = self._widest(box, slopes)
        if symbol is None or depth >= _MAX_DEPTH or time.monotonic() >= self.deadline or len(self.open) >= 64:
            self.open.append(box)
            return None
        at, r = _middle(box[symbol]), box[symbol]
        below = self._piece(box | {symbol: replace(r, high=at)}, given, depth + 1)
        above = self._piece(box | {symbol: Range(at, r.high)}, given, depth + 1)
        if below is None or above is None:
            return None
        return {"by": "split", "symbol": sp.srepr(symbol), "at": str(_exact(at)), "below": below, "above": above}

    def _widest(self, box: Box, slopes: list) -> sp.Symbol | None:
        scores = {}
        for (symbol, r), slope in zip(box.items(), slopes, strict=True):
            if r.is_point or symbol not in self.goal.expression.free_symbols | _symbols(self.goal.given):
                continue
            width = float(r.high) - float(r.low)
            steepness = max(abs(float(slope.lo)), abs(float(slope.hi)))
            scores[symbol] = (math.inf if math.isinf(width) else width * max(steepness, 1e-9), width)
        return max(scores, key=lambda s: scores[s]) if scores else None


def _symbols(given: tuple[Given, ...]) -> set[sp.Symbol]:
    return set().union(*[g.expression.free_symbols for g in given])
