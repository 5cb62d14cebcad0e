"""False variants of true statements, each false at a known point, by the evaluation of `benchmarks.suite_truth`."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import mpmath
import sympy as sp

from benchmarks.suite_truth import NoValue, Point, Undecided, admits, exact_gap, fewer, holds, points, value
from theory.problems.cases import ProblemCase, cases_of
from theory.problems.formulas import Comparison, StatedProblem
from theory.prover.typed.parts import plus


def false_variant(problem: StatedProblem, *, seed: int = 0) -> tuple[StatedProblem, Point, str] | None:
    """A false statement beside a true one, a point where it fails, and how it was made; None where no point is found.

    Turned round; tightened by a little more than what is left at a point; or made strict where both sides touch.
    """
    for case in cases_of(problem):
        admitted = list(itertools.islice(points(case, seed), fewer(case, 200)))
        made = [variant for kind in (_touching, _tightened, _turned) if (variant := kind(case, admitted))]
        if made:
            digest = int(hashlib.sha256(problem.name.encode()).hexdigest(), 16)
            goal, point, how = made[digest % len(made)]
            if admits(case, point) and (how == TOUCHES or _is_false(goal, point)):
                return _stated(problem, case, goal, how), point, how
    return None


TOUCHES = "strict where it touches"
"""How a variant was made that is false where sympy's exact value of the difference is 0."""

Variant = tuple[Comparison, Point, str]
_SAME = mpmath.mpf(10) ** -40
_LEAST = 1e-9
"""What is left at a point has to be more than this for a falsehood with a clear margin."""


def _is_false(goal: Comparison, point: Point) -> bool:
    try:
        return not holds(goal, point)
    except (NoValue, Undecided):
        return False


def _gaps(case: ProblemCase, admitted: list[Point]) -> Iterator[tuple[float, Point]]:
    """What is left between the sides at each point, in floats."""
    for point in admitted:
        try:
            yield value(case.goal.right, point, math) - value(case.goal.left, point, math), point
        except NoValue:
            continue


def _touching(case: ProblemCase, admitted: list[Point]) -> Variant | None:
    """Strict where it is an equality: only where sympy's exact value of the difference is 0."""
    if case.goal.sign != "<=":
        return None
    for gap, point in _gaps(case, admitted):
        if abs(gap) < _LEAST and abs(exact_gap(case.goal, point)) < _SAME:
            at = {s: sp.Rational(point[s.name].numerator, point[s.name].denominator) for s in _symbols(case.goal)}
            if sp.sympify(case.goal.left.subs(at).doit() - case.goal.right.subs(at).doit()) == 0:
                return replace(case.goal, sign="<"), point, TOUCHES
    return None


def _tightened(case: ProblemCase, admitted: list[Point]) -> Variant | None:
    """Asked for a little more than what is left at the point where the least is."""
    left = [(gap, point) for gap, point in _gaps(case, admitted) if _LEAST < gap < 10**6]
    if case.goal.sign == "==" or not left:
        return None
    _, point = min(left, key=lambda pair: pair[0])
    more = sp.Rational(str(mpmath.nstr(exact_gap(case.goal, point) * mpmath.mpf("1.01"), 8)))
    return Comparison(plus([case.goal.left, more]), case.goal.sign, case.goal.right), point, "tightened"


def _turned(case: ProblemCase, admitted: list[Point]) -> Variant | None:
    """Turned round, at the point where most is left; an equation becomes a strict relation."""
    if case.goal.sign == "==":
        pairs = list(_gaps(case, admitted))
        return (replace(case.goal, sign="<"), pairs[0][1], "turned round") if pairs else None
    left = [(gap, point) for gap, point in _gaps(case, admitted) if _LEAST < gap < 10**6]
    if not left:
        return None
    _, point = max(left, key=lambda pair: pair[0])
    return Comparison(case.goal.right, case.goal.sign, case.goal.left), point, "turned round"


def _symbols(relation: Comparison) -> set[sp.Symbol]:
    return relation.left.free_symbols | relation.right.free_symbols


def _stated(problem: StatedProblem, case: ProblemCase, goal: Comparison, how: str) -> StatedProblem:
    ranges: list[Comparison] = []
    for name, range_ in case.ranges.items():
        symbol = sp.Symbol(name, real=True)
        if range_.low != -sp.oo:
            ranges.append(Comparison(range_.low, "<" if range_.open_low else "<=", symbol))
        if range_.high != sp.oo:
            ranges.append(Comparison(symbol, "<" if range_.open_high else "<=", range_.high))
    return StatedProblem(f"{problem.name}.false", (*ranges, *case.given), goal, case.whole, "refuted")
