"""Leading orders, limits and slopes of a formula, derived and then doubted.

Exponents are never typed beside a claim: they are read off its value here. sympy's own `limit` cannot be the judge,
because with symbolic exponents it decides comparisons it should refuse: `limit(n**c/(n**c + n - 1), n, oo)` with
c > 0 comes out as 0, while the truth is 0, 1/2 or 1 as c is below, at or above 1.

Every limit is first moved to x -> oo. `theory.series` derives the leading order there, and raises `Undetermined` where
a comparison depends on a symbol; `theory.witness` evaluates the formula rigorously far out and must agree with what
was derived, else `WitnessDisagreement` is raised. Where no expansion is known, sympy's limit is the first witness.

Parameters of a regime rarely move alone: `along` puts all of them on a path in one scale, and the same functions then
give the exponent along the path. What a finite grid shows is another matter: `theory.slopes` gives slopes, not
exponents. Every public call has a hard time limit; one that hangs is an error, never an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.series import UNIT, Expander, Undetermined, Unsupported, is_zero, sign
from theory.timeout import TimedOut, within
from theory.witness import approaches, instances, measured_slope

SECONDS = 10.0
"""Hard limit of one call of sympy's own `limit` or `simplify`."""

CALL_SECONDS = 120.0
"""Hard limit of one derivation with all its witnesses."""


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


@dataclass(frozen=True)
class Cancellation:
    """A sum whose dominant terms cancel: they are of order `terms`, the sum is of order `left` (0 if nothing is)."""

    sum: sp.Expr
    terms: sp.Expr
    left: sp.Expr

    def __str__(self) -> str:
        return f"in {self.sum} terms of order {self.terms} cancel and {self.left} is left"


@dataclass(frozen=True)
class LeadingOrder:
    """coefficient times symbol^power log(symbol)^log_degree loglog(symbol)^loglog_degree, as `exponent` words it.

    `cancellations` names every sum inside the expression whose dominant terms cancel, the outermost first.
    """

    coefficient: sp.Expr
    power: sp.Expr
    log_degree: sp.Expr
    loglog_degree: sp.Expr
    cancellations: tuple[Cancellation, ...]


def leading_order(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity") -> LeadingOrder:
    """Derive the leading order of `expr` in `symbol`, other symbols fixed and generic, checked by local slopes.

    Toward "zero" `power` is still the power of `symbol` itself (alpha**-2 gives -2), and logarithms are of 1/symbol;
    toward an exact boundary b, which may contain other symbols, they are those of |symbol - b|.

    Raises:
        Undetermined: the answer depends on another symbol.
        ValueError: there is no such power (exponential growth, zero), or no expansion is known.
        WitnessDisagreement: high-precision evaluation contradicts the derivation.
        TimedOut: the derivation did not end.
    """
    return within(CALL_SECONDS, _leading_order, expr, symbol, toward, True)


def _leading_order(expression: sp.Expr, symbol: sp.Symbol, toward: Any, with_cancellations: bool) -> LeadingOrder:
    moved, x, orientation = _at_infinity(expression, symbol, toward)
    lead = Expander.lead(moved, x, strict=False)
    if lead is None:
        raise ValueError(f"expr must not be zero, got {expression}")
    coefficient, monomial = lead
    if monomial.growth != 0:
        raise ValueError(f"expr must grow like a power of {symbol}, got exp({monomial.growth.subs(x, symbol)})")
    residual = sp.log(sp.Abs(moved)) - sp.log(monomial.expression(x))
    for values in instances(moved.free_symbols - {x}, 2):
        slope = measured_slope(residual, x, values)
        if slope is not None and abs(slope) > 0.02:
            raise WitnessDisagreement(f"{expression}: x^{monomial.power} derived, its residual slope is {slope:.4g}")
    power = orientation * monomial.power
    power = sp.simplify(power) if power.free_symbols else power
    scale = symbol if orientation > 0 else 1 / (symbol if toward == "zero" else symbol - sp.sympify(toward))
    cancelled = tuple(_cancellations(moved, x, scale)) if with_cancellations else ()
    return LeadingOrder(coefficient, power, monomial.log, monomial.loglog, cancelled)


def _cancellations(moved: sp.Expr, x: sp.Symbol, scale: sp.Expr) -> Iterator[Cancellation]:
    """Sums inside an expression whose leading order is below that of their terms; x is put back as `scale`."""
    size = Expander(x, 1, strict=False)
    for part in sp.preorder_traversal(moved):
        if not (part.is_Add and part.has(x)):
            continue
        left, largest = Expander.lead(part, x, strict=False), None
        for term in part.args:
            lead = Expander.lead(term, x, strict=False)
            if lead is not None and (largest is None or size.compare(lead[1], largest) > 0):
                largest = lead[1]
        if largest is not None and (left is None or size.compare(left[1], largest) < 0):
            below = sp.S.Zero if left is None else left[1].expression(x).subs(x, scale)
            yield Cancellation(part.subs(x, scale), largest.expression(x).subs(x, scale), below)


def exponent(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity") -> sp.Expr:
    """Derive the exact power of `symbol` in the leading order, other symbols fixed and generic (see `leading_order`).

    Raises:
        Undetermined, ValueError, WitnessDisagreement, TimedOut: as `leading_order`.
    """
    return within(CALL_SECONDS, _leading_order, expr, symbol, toward, False).power


def log_degree(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity") -> sp.Expr:
    """Derive the power of log(symbol) in the leading order; of log(1/symbol) toward zero, log(1/|symbol-b|) toward b.

    Raises:
        Undetermined, ValueError, WitnessDisagreement, TimedOut: as `leading_order`.
    """
    return within(CALL_SECONDS, _leading_order, expr, symbol, toward, False).log_degree


def along(expr: sp.Expr, path: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """Put several parameters on a path at once: each symbol of `path` becomes its expression in a common scale.

    `exponent(along(value, {alpha: n**-a, sigma: n**-1}), n)` is the exponent along the path, where `exponent(value,
    alpha, toward="zero")` is the partial one.

    Raises:
        ValueError: a symbol does not occur, an expression is inexact, or still contains a symbol that moves.
    """
    expression = sp.sympify(expr)
    images = {symbol: sp.sympify(image) for symbol, image in path.items()}
    for symbol, image in images.items():
        if symbol not in expression.free_symbols:
            raise ValueError(f"path must move symbols of the expression, got {symbol}")
        if image.atoms(sp.Float) or image.free_symbols & set(images):
            raise ValueError(f"path must be exact and in symbols that do not move, got {symbol} = {image}")
    return expression.subs(images, simultaneous=True)


def limit(expr: sp.Expr, symbol: sp.Symbol, point: Any) -> sp.Expr:
    """Derive the limit of `expr` as `symbol` tends to `point` (finite or +-oo), confirmed by a second witness.

    At a finite point both sides must agree, except at 0 for a symbol whose assumptions leave one side.

    Raises:
        Undetermined: the answer depends on another symbol or on the side; `.cases` holds what each regime gives.
        TimedOut: the derivation did not end.
        WitnessDisagreement: the two witnesses contradict each other.
    """
    return within(CALL_SECONDS, _limit_with_cases, sp.sympify(expr), symbol, sp.sympify(point))


def _limit_with_cases(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr) -> sp.Expr:
    return _limit(expr, symbol, point, with_cases=True)


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
