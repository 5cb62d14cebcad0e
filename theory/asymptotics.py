"""Leading orders, limits and slopes of a formula, derived and then doubted.

Exponents are never typed beside a claim: they are read off its value here. sympy's own `limit` cannot be the judge,
because with symbolic exponents it decides comparisons it should refuse: `limit(n**c/(n**c + n - 1), n, oo)` with
c > 0 comes out as 0, while the truth is 0, 1/2 or 1 as c is below, at or above 1.

Every limit is first moved to x -> oo. `theory.series` derives the leading order there, and raises `Undetermined` where
a comparison depends on a symbol; `theory.witness` evaluates the formula rigorously far out and must agree with what
was derived, else `WitnessDisagreement` is raised. Where no expansion is known, sympy's limit is the first witness.

What a finite grid shows is another matter: `grid_exponent` and `local_slope_range` give slopes, not exponents.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp

from theory.intervals import Program
from theory.intervals import interval as over
from theory.series import UNIT, Expander, Monomial, Undetermined, Unsupported, is_zero, sign
from theory.timeout import TimedOut, within
from theory.witness import approaches, enclose, instances, measured_slope

SECONDS = 10.0
"""Hard limit of one symbolic call."""


class WitnessDisagreement(ArithmeticError):
    """Derivation and high-precision evaluation contradict each other: a bug, never an answer."""


def _at_infinity(expression: sp.Expr, symbol: sp.Symbol, toward: Any) -> tuple[sp.Expr, sp.Symbol, int]:
    """Move the limit to x -> oo: (expression in x, x, sign of the power of `symbol` per power of x)."""
    expression = sp.sympify(expression)
    if expression.atoms(sp.Float):
        raise ValueError(f"expr must be exact (no floats), got {expression}")
    x = sp.Dummy("x", positive=True)
    if toward == "infinity":
        return expression.subs(symbol, x), x, 1
    if isinstance(toward, str) and toward != "zero":
        raise ValueError(f"toward must be 'infinity', 'zero' or an exact boundary, got {toward!r}")
    boundary = sp.S.Zero if toward == "zero" else sp.sympify(toward)
    if boundary.has(symbol, sp.Float, sp.oo, -sp.oo):
        raise ValueError(f"toward must be an exact finite boundary without {symbol}, got {boundary}")
    return expression.subs(symbol, boundary + 1 / x), x, -1


def _leading_monomial(expression: sp.Expr, symbol: sp.Symbol, toward: Any) -> tuple[Monomial, int]:
    """Leading monomial, checked against local slopes of rigorous evaluations."""
    moved, x, orientation = _at_infinity(expression, symbol, toward)
    lead = Expander.lead(moved, x, strict=False)
    if lead is None:
        raise ValueError(f"expr must not be zero, got {expression}")
    monomial = lead[1]
    if monomial.growth != 0:
        raise ValueError(f"expr must grow like a power of {symbol}, got exp({monomial.growth.subs(x, symbol)})")
    residual = sp.log(sp.Abs(moved)) - sp.log(monomial.expression(x))
    for values in instances(moved.free_symbols - {x}, 2):
        slope = measured_slope(residual, x, values)
        if slope is not None and abs(slope) > 0.02:
            raise WitnessDisagreement(f"{expression}: x^{monomial.power} derived, its residual slope is {slope:.4g}")
    return monomial, orientation


def exponent(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity") -> sp.Expr:
    """Derive the exact power of `symbol` in the leading order, other symbols fixed and generic.

    Toward "zero" it is still the power of `symbol` itself (alpha**-2 gives -2); toward an exact boundary b, which
    may contain other symbols, the power of |symbol - b|.

    Raises:
        Undetermined: the answer depends on another symbol.
        ValueError: there is no such power (exponential growth, zero), or no expansion is known.
        WitnessDisagreement: high-precision evaluation contradicts the derivation.
    """
    monomial, orientation = _leading_monomial(expr, symbol, toward)
    return sp.simplify(orientation * monomial.power) if monomial.power.free_symbols else orientation * monomial.power


def log_degree(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity") -> sp.Expr:
    """Derive the power of log(symbol) in the leading order; of log(1/symbol) toward zero, log(1/|symbol-b|) toward b.

    Raises:
        Undetermined, ValueError, WitnessDisagreement: as `exponent`.
    """
    return _leading_monomial(expr, symbol, toward)[0].log


def limit(expr: sp.Expr, symbol: sp.Symbol, point: Any) -> sp.Expr:
    """Derive the limit of `expr` as `symbol` tends to `point` (finite or +-oo), confirmed by a second witness.

    At a finite point both sides must agree, except at 0 for a symbol whose assumptions leave one side.

    Raises:
        Undetermined: the answer depends on another symbol or on the side; `.cases` holds what each regime gives.
        TimedOut: a symbolic call did not end.
        WitnessDisagreement: the two witnesses contradict each other.
    """
    return _limit(sp.sympify(expr), symbol, sp.sympify(point), with_cases=True)


def _limit(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr, *, with_cases: bool) -> sp.Expr:
    values = []
    for moved, x in _approaches_to(expr, symbol, point):
        try:
            values.append(_limit_at_infinity(moved, x))
        except Undetermined as open_question:
            if with_cases:
                open_question.cases = dict(_cases(expr, symbol, point, open_question))
            raise
    if len(values) == 2 and values[0] != values[1] and not is_zero(values[0] - values[1]):
        raise Undetermined(f"the side: {values[0]} from above, {values[1]} from below")
    return values[0]


def _approaches_to(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Symbol]]:
    """The expression in x -> oo, once for each side from which `symbol` can reach `point`."""
    if point in (sp.oo, -sp.oo):
        moved, x, _ = _at_infinity(expr if point == sp.oo else expr.subs(symbol, -symbol), symbol, "infinity")
        yield moved, x
        return
    moved, x, _ = _at_infinity(expr, symbol, point)
    at_zero = point.is_zero
    if not (at_zero and symbol.is_nonpositive):
        yield moved, x
    if not (at_zero and symbol.is_nonnegative):
        yield expr.subs(symbol, point - 1 / x), x


def _limit_at_infinity(moved: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """Derive, then confirm. Where no expansion is known, sympy's limit is the first witness."""
    try:
        value = _derived_limit(moved, x)
    except Unsupported:
        value = within(SECONDS, sp.limit, moved, x, sp.oo)
        if value.has(sp.Limit, sp.AccumBounds, sp.nan, x):
            raise Undetermined(f"what sympy leaves open, {value}") from None
    confirmed = 0
    for values in instances(moved.free_symbols - {x}, 6):
        if confirmed == 3:
            break
        verdict = approaches(moved, x, values, value)
        if verdict is False:
            raise WitnessDisagreement(f"{moved} at {values} does not approach {value}, which was derived for {x} -> oo")
        confirmed += verdict is True
    if not confirmed:
        raise Undetermined(f"a second witness: {moved} could not be evaluated near {x} = oo")
    return value


def _derived_limit(moved: sp.Expr, x: sp.Symbol) -> sp.Expr:
    lead = Expander.lead(moved, x, strict=True)
    if lead is None:
        return sp.S.Zero
    coefficient, monomial = lead
    size = Expander(x, 1, strict=True).compare(monomial, UNIT)
    if size < 0:
        return sp.S.Zero
    if size > 0:
        return sign(coefficient) * sp.oo
    return within(SECONDS, sp.simplify, coefficient) if coefficient.free_symbols else coefficient


def _cases(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr, question: Undetermined) -> Iterator[tuple[str, sp.Expr]]:
    """Answer an open comparison regime by regime: below, at and above the threshold."""
    parameter, threshold = question.symbol, question.threshold
    if parameter is None or threshold is None:
        return
    s = sp.Dummy("s", positive=True)
    is_ratio = parameter.is_positive and threshold.is_positive
    below, inverse = (
        (threshold / (1 + s), threshold / parameter - 1) if is_ratio else (threshold - s, threshold - parameter)
    )
    regimes = (("<", below, inverse), ("=", threshold, sp.S.Zero), (">", threshold + s, parameter - threshold))
    for order, value, meaning in regimes:
        try:
            answer = _limit(expr.subs(parameter, value), symbol, point, with_cases=False)
        except (ValueError, TimedOut):
            continue
        yield f"{parameter} {order} {threshold}", within(SECONDS, sp.simplify, answer.subs(s, meaning))


@dataclass(frozen=True)
class SlopeRange:
    """Certified enclosure [low, high] of every local slope d log(expr) / d log(symbol) on an interval."""

    low: float
    high: float


def local_slope_range(
    expr: sp.Expr, symbol: sp.Symbol, interval: Sequence[Any], fixed: Mapping[sp.Symbol, Any] | None = None
) -> SlopeRange:
    """Enclose d log(expr) / d log(symbol) on [min(interval), max(interval)], the other symbols `fixed`.

    The derivative is exact; interval arithmetic is refined by bisection until the enclosure is within 1 % of what
    points inside already show, so both ends are rigorous and nearly attained.

    Raises:
        ValueError: a symbol has no value, the interval is not positive, or the slope is undefined on it.
    """
    low, high = sp.Rational(min(interval)), sp.Rational(max(interval))
    if not 0 < low <= high:
        raise ValueError(f"interval must be positive, got [{low}, {high}]")
    values = {key: sp.Rational(value) for key, value in (fixed or {}).items()}
    logarithm = sp.expand_log(sp.log(sp.sympify(expr)), force=True)
    program = Program([(symbol * sp.diff(logarithm, symbol)).subs(values)], [_all_fixed(expr, symbol, values)])
    with flint.ctx.workprec(96):
        pieces = [(low, high, program([over(low, high)])[0])]
        seen = [program([over(end)])[0] for end in (low, high)]
        for _ in range(600):
            bottom, top = min(pieces, key=lambda p: p[2].lo), max(pieces, key=lambda p: p[2].hi)
            inner_low, inner_high = min(s.lo for s in seen), max(s.hi for s in seen)
            slack = 0.01 * max(0.1, float(max(abs(inner_low), abs(inner_high))))
            wide = [p for p in (bottom, top) if not (inner_low - p[2].lo < slack and p[2].hi - inner_high < slack)]
            if not wide:
                break
            a, b, _ = wide[0]
            middle = (a + b) / 2
            seen.append(program([over(middle)])[0])
            pieces.remove(wide[0])
            pieces += [(a, middle, program([over(a, middle)])[0]), (middle, b, program([over(middle, b)])[0])]
    if not all(piece[2].is_finite for piece in pieces):
        raise ValueError(f"expr must have a finite slope on [{low}, {high}], got {expr}")
    return SlopeRange(min(p[2].outward()[0] for p in pieces), max(p[2].outward()[1] for p in pieces))


def _all_fixed(expr: sp.Expr, symbol: sp.Symbol, values: Mapping) -> sp.Symbol:
    """`symbol`, once every other symbol of `expr` has a value."""
    missing = sorted(str(s) for s in sp.sympify(expr).free_symbols - set(values) - {symbol})
    if missing:
        raise ValueError(f"fixed must give every symbol but {symbol} a value, got none for {', '.join(missing)}")
    return symbol


def grid_exponent(
    expr: sp.Expr, symbol: sp.Symbol, values: Sequence[Any], fixed: Mapping[sp.Symbol, Any] | None = None
) -> float:
    """Least-squares slope of log(expr) against log(symbol) on a grid: what a finite grid shows of the exponent.

    d log(d) has exponent 1 and slope 1.25 on 16..256; measurements are compared with the latter.

    Raises:
        ValueError: fewer than two distinct positive grid values, a symbol without value, or expr <= 0 on the grid.
    """
    grid = [sp.Rational(value) for value in values]
    if len(set(grid)) < 2 or min(grid) <= 0:
        raise ValueError(f"values must be at least two distinct positive numbers, got {list(values)}")
    given = {key: sp.Rational(value) for key, value in (fixed or {}).items()}
    _all_fixed(expr, symbol, given)
    logarithms = []
    for value in grid:
        enclosure = enclose(sp.log(sp.sympify(expr)), {**given, symbol: value}, bits=128)
        if enclosure is None:
            raise ValueError(f"expr must be > 0 on the grid, got {expr} at {symbol} = {value}")
        logarithms.append(float(enclosure.lo))
    xs = [math.log(value) for value in grid]
    mean_x, mean_y = sum(xs) / len(xs), sum(logarithms) / len(xs)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, logarithms, strict=True))
    return covariance / sum((x - mean_x) ** 2 for x in xs)
