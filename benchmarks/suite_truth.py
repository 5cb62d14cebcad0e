"""What is true: a statement held against points.

No prover is asked. A point is rational; a relation is evaluated there in floats first and in 50 or 400 digits of mpmath
before it counts. Sides that agree in all digits are equal only where they are rational.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
import sympy as sp

from theory.problems.cases import EndRange, ProblemCase, cases_of
from theory.problems.formulas import Comparison, ProblemError, StatedProblem

PRECISIONS = (50, 400)
"""Digits of mpmath's numbers."""
TRIES = 6000
"""Points that are tried for a case; fewer of a large one, by the two bounds below on parts evaluated."""
MAX_CASES = 8
"""A problem that splits into more is not held against points."""
_FLOAT_PARTS, _EXACT_PARTS = 400_000, 24_000

Point = Mapping[str, Fraction]
_CALLS: Mapping[type, str] = {
    sp.exp: "exp", sp.log: "log", sp.sin: "sin", sp.cos: "cos", sp.tan: "tan", sp.sinh: "sinh", sp.cosh: "cosh",
    sp.tanh: "tanh", sp.asin: "asin", sp.acos: "acos", sp.atan: "atan", sp.erf: "erf", sp.erfc: "erfc",
}  # fmt: skip


class NoValue(ArithmeticError):
    """A part of a term has no real value at a point, or none that can be told."""


def value(e: sp.Expr, point: Point, lib: Any) -> Any:
    """A term at a point, in floats (`lib` is math) or in mpmath's numbers. Raises NoValue."""
    if e.is_Symbol:
        return _ratio(point[e.name].numerator, point[e.name].denominator, lib)
    if e.is_Rational:
        return _ratio(int(e.p), int(e.q), lib)
    if e == sp.pi:
        return +lib.pi
    if e == sp.E:
        return +lib.e
    parts = [value(part, point, lib) for part in e.args]
    try:
        return _applied(e, parts, lib)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise NoValue(str(error)) from None


def _ratio(top: int, bottom: int, lib: Any) -> Any:
    if lib is not math:
        return mpmath.mpf(top) / mpmath.mpf(bottom)
    try:
        return top / bottom
    except OverflowError as error:
        raise NoValue(str(error)) from None


def _applied(e: sp.Expr, parts: list[Any], lib: Any) -> Any:
    if e.is_Add:
        return lib.fsum(parts) if lib is math else mpmath.fsum(parts)
    if e.is_Mul:
        return math.prod(parts) if lib is math else mpmath.fprod(parts)
    if type(e) in _CALLS:
        if e.func is sp.log and parts[0] <= 0:
            raise NoValue("log")
        if e.func in (sp.asin, sp.acos) and abs(parts[0]) > 1:
            raise NoValue("asin")
        return getattr(lib, _CALLS[type(e)])(parts[0])
    if isinstance(e, sp.Abs):
        return abs(parts[0])
    if isinstance(e, sp.Max | sp.Min):
        return (max if isinstance(e, sp.Max) else min)(parts)
    if e.is_Pow:
        return _power(parts[0], e.exp, parts[1])
    raise NoValue(type(e).__name__)


def _power(base: Any, exponent: sp.Expr, at: Any) -> Any:
    if exponent.is_Integer:
        if base == 0 and exponent < 0:
            raise NoValue("division by zero")
        return base ** int(exponent)
    if base < 0 or (base == 0 and at <= 0):
        raise NoValue("power")
    return base**at


class Undecided(ArithmeticError):
    """Two values that no precision tells apart, and that are not known to be equal."""


def holds(relation: Comparison, point: Point) -> bool:
    """Whether a relation holds, in 50 digits or 400 unless floats are far from a doubt.

    Raises:
        NoValue: a term has no value there.
        Undecided: the sides agree in all digits, and they are not rational.
    """
    try:
        left, right = value(relation.left, point, math), value(relation.right, point, math)
        if relation.sign != "==" and right - left > 1e-6 * (1 + abs(left) + abs(right)):
            return True
    except NoValue:  # perhaps only in floats
        pass
    sign = _sign_of_gap(relation, point)
    return {"<": sign > 0, "<=": sign >= 0, "==": sign == 0}[relation.sign]


def _sign_of_gap(relation: Comparison, point: Point) -> int:
    """-1, 0 or 1 as the right side is less than, equal to or greater than the left one."""
    for digits in PRECISIONS:
        with mpmath.workdps(digits):
            left, right = value(relation.left, point, mpmath), value(relation.right, point, mpmath)
            if abs(right - left) > mpmath.mpf(10) ** (10 - digits) * (1 + abs(left) + abs(right)):
                return 1 if right > left else -1
    try:
        gap = _exact(relation.right, point) - _exact(relation.left, point)
    except (NoValue, ZeroDivisionError):
        raise Undecided from None
    return (gap > 0) - (gap < 0)


def exact_gap(relation: Comparison, point: Point) -> Any:
    """Right side minus left side in 50 digits. Raises NoValue."""
    with mpmath.workdps(PRECISIONS[0]):
        return value(relation.right, point, mpmath) - value(relation.left, point, mpmath)


def admits(case: ProblemCase, point: Point) -> bool:
    """Whether a point lies in the ranges and every hypothesis holds there; one without a value does not."""
    if any(point[name].denominator != 1 for name in case.whole):
        return False
    if not all(_inside(range_, point[name]) for name, range_ in case.ranges.items()):
        return False
    try:
        return all(_roughly(given, point) and holds(given, point) for given in case.given)
    except (NoValue, Undecided):
        return False


def _roughly(relation: Comparison, point: Point) -> bool:
    left, right = value(relation.left, point, math), value(relation.right, point, math)
    slack = 1e-9 * (1 + abs(left) + abs(right))
    return abs(left - right) <= slack if relation.sign == "==" else left <= right + slack


def _inside(range_: EndRange, at: Fraction) -> bool:
    low = at > range_.low if range_.open_low else at >= range_.low
    return bool(low and (at < range_.high if range_.open_high else at <= range_.high))


# -------------------------------------------------------------------------------------------------------------- points


def points(case: ProblemCase, seed: int) -> Iterator[Point]:
    """Points that a case admits: simple ones, ends, ones near ends, and random ones; equations are solved."""
    draw = random.Random(seed)
    names = sorted(case.ranges)
    solved = _solved(case)
    free = [name for name in names if name not in solved]
    choices = [_candidates(case.ranges[name], draw, name in case.whole) for name in free]
    tries = max(50, min(TRIES, _FLOAT_PARTS // _parts(case)))
    is_small = all(choices) and math.prod(map(len, choices)) <= tries
    drawn = itertools.product(*choices) if is_small else (tuple(map(draw.choice, choices)) for _ in range(tries))
    if not all(choices):
        return
    for numbers in drawn:
        point = dict(zip(free, numbers, strict=True))
        if _complete(point, solved) and admits(case, point):
            yield point


def _parts(case: ProblemCase) -> int:
    """How many parts all terms of a case have."""
    sides = [side for relation in (case.goal, *case.given) for side in (relation.left, relation.right)]
    return sum(1 for side in sides for _ in sp.preorder_traversal(side))


def fewer(case: ProblemCase, most: int) -> int:
    """How many of so many points a large case is evaluated at."""
    return max(10, min(most, _EXACT_PARTS // _parts(case)))


def _solved(case: ProblemCase) -> dict[str, sp.Expr]:
    """Symbols that an equation gives: s == e, or s^2 == e, in terms of others."""
    found: dict[str, sp.Expr] = {}
    for given in case.given:
        for one, other in ((given.left, given.right), (given.right, given.left)) if given.sign == "==" else ():
            base, power = (one.base, one.exp) if one.is_Pow and one.base.is_Symbol else (one, sp.S.One)
            if not base.is_Symbol or base in other.free_symbols or power not in (1, 2) or base.name in found:
                continue
            if any(
                symbol.name in found or base in e.free_symbols for symbol in other.free_symbols for e in found.values()
            ):
                continue
            found[base.name] = other if power == 1 else sp.Pow(other, sp.Rational(1, 2), evaluate=False)
            break
    return found


def _complete(point: dict[str, Fraction], solved: Mapping[str, sp.Expr]) -> bool:
    """Add the solved symbols to a point; False where one has no rational value."""
    for name, e in solved.items():
        if any(symbol.name not in point for symbol in e.free_symbols):
            return False
        is_root = e.is_Pow and e.exp == sp.Rational(1, 2)
        try:
            exact = _exact(e.base if is_root else e, point)
        except (NoValue, ZeroDivisionError, TypeError):
            return False
        if is_root:
            if exact < 0:
                return False
            top, bottom = math.isqrt(exact.numerator), math.isqrt(exact.denominator)
            if top**2 != exact.numerator or bottom**2 != exact.denominator:
                return False
            exact = Fraction(top, bottom)
        point[name] = exact
    return True


def _exact(e: sp.Expr, point: Point) -> Fraction:
    """A rational term at a point. Raises NoValue."""
    if e.is_Symbol:
        return point[e.name]
    if e.is_Rational:
        return Fraction(int(e.p), int(e.q))
    parts = [_exact(part, point) for part in e.args]
    if e.is_Add:
        return sum(parts, Fraction(0))
    if e.is_Mul:
        return math.prod(parts, start=Fraction(1))
    if e.is_Pow and e.exp.is_Integer:
        return parts[0] ** int(e.exp)
    raise NoValue(type(e).__name__)


_SIMPLE = [Fraction(n, d) for n, d in (
    (0, 1), (1, 1000000), (1, 1000), (1, 10), (1, 4), (1, 3), (3, 8), (1, 2), (3, 5), (3, 4), (4, 5), (12, 13), (1, 1),
    (5, 4), (3, 2), (2, 1), (9, 4), (5, 2), (3, 1), (15, 4), (4, 1), (5, 1), (8, 1), (24, 1), (100, 1), (10**6, 1),
)]  # fmt: skip


def _candidates(range_: EndRange, draw: random.Random, whole: bool) -> list[Fraction]:
    low = None if range_.low == -sp.oo else Fraction(int(range_.low.p), int(range_.low.q))
    high = None if range_.high == sp.oo else Fraction(int(range_.high.p), int(range_.high.q))
    found = [*_SIMPLE, *(-number for number in _SIMPLE)]
    if low is not None:
        found += [low, *(low + number for number in _SIMPLE)]
    if high is not None:
        found += [high, *(high - number for number in _SIMPLE)]
    if low is not None and high is not None:
        found += [low + (high - low) * Fraction(draw.randrange(1, 997), 997) for _ in range(40)]
    else:
        found += [Fraction(draw.randrange(-4000, 4000), 997) for _ in range(20)]
    if whole:
        found = [Fraction(round(number)) for number in found]
    return sorted({number for number in found if _inside(range_, number)})


# --------------------------------------------------------------------------------------------------------------- truth


@dataclass(frozen=True)
class Checked:
    """What points say of a problem: "holds" (at all that were tried), "fails" or "undefined" at `point`, or "empty"."""

    finding: str
    point: Point | None
    tried: int


def check(problem: StatedProblem, *, seed: int = 0, most: int = 400) -> Checked:
    """Hold a problem against points of each of its cases. Raises ProblemError where these are too many."""
    tried = 0
    cases = cases_of(problem)
    if len(cases) > MAX_CASES:
        raise ProblemError(f"splits into more than {MAX_CASES} cases")
    for case in cases:
        for point in itertools.islice(points(case, seed), fewer(case, most)):
            tried += 1
            try:
                if not holds(case.goal, point):
                    return Checked("fails", point, tried)
            except NoValue:
                return Checked("undefined", point, tried)
            except Undecided:  # it may well be an identity
                continue
    return Checked("holds" if tried else "empty", None, tried)
