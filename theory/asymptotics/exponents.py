"""Leading orders, limits and slopes of a formula, derived and then doubted.

Exponents are never typed beside a claim: they are read off its value here. sympy's own `limit` is not used, because
with symbolic exponents it decides comparisons it should refuse: `limit(n**c/(n**c + n - 1), n, oo)` with c > 0 comes
out as 0, while the truth is 0, 1/2 or 1 as c is below, at or above 1.

Every limit is first moved to x -> oo, once for each side from which the symbol can come.
`theory.asymptotics.expansions` derives the leading order there (`theory.asymptotics.special_functions` and
`theory.asymptotics.jumps` know the functions), and raises `Undetermined` where a comparison depends on a symbol;
`theory.asymptotics.zeros` decides what is zero, without trust in simplification. `theory.asymptotics.cross_check`
evaluates the formula rigorously far out. Formula over derived leading order has to tend to 1 and a limit has to be
approached, in a way that a neighbouring power, log degree or value would not show; else there is no answer, but an
`Undetermined` that says what is missing. A contradiction, `WitnessDisagreement`, is a bug.

Parameters of a regime rarely move alone: `along` puts all of them on a path in one scale, and the same functions then
give the exponent along the path. What a finite grid shows is another matter: `theory.asymptotics.local_slopes` gives
slopes, not exponents. Every public call has a hard time limit; one that hangs is an error, never an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theory.asymptotics.approach import Approach, approaches_to, boundary_of, tidied
from theory.asymptotics.cross_check import NumericFinding, finding, instances, ratio_finding
from theory.asymptotics.expansions import Expansion
from theory.asymptotics.series import UNIT, Monomial, NoExpansion
from theory.asymptotics.zeros import Undetermined, is_zero, sign
from theory.dummies import fresh
from theory.intervals import balls
from theory.timeout import TimedOut, within

__all__ = [
    "Cancellation",
    "LeadingOrder",
    "Undetermined",
    "WitnessDisagreement",
    "along",
    "exponent",
    "leading_order",
    "limit",
    "log_degree",
]

CALL_SECONDS = 120.0
"""Hard limit of one derivation with all its witnesses."""

_TRIED, _NEEDED = 12, 2
"""Instances of the other symbols: so many are tried, so many must confirm."""


class WitnessDisagreement(ArithmeticError):
    """Derivation and high-precision evaluation contradict each other: a bug, never an answer."""


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


def leading_order(
    expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity", side: str | None = None
) -> LeadingOrder:
    """Derive the leading order of `expr` in `symbol`, other symbols fixed and generic, confirmed by evaluation.

    Toward "zero" `power` is still the power of `symbol` itself (alpha**-2 gives -2), and logarithms are of 1/symbol;
    toward an exact boundary b, which may contain other symbols, they are those of abs(symbol - b). Both sides of a
    boundary must give the same orders, unless the symbol has one side only or `side` names one; the coefficient is
    then that from above.

    Args:
        side: "above" or "below" a finite boundary; None for every side that the symbol has.

    Raises:
        Undetermined: the answer depends on another symbol or on the side, or evaluation cannot confirm it.
        ValueError: there is no such power (exponential growth, zero), or no expansion is known.
        WitnessDisagreement: high-precision evaluation contradicts the derivation.
        TimedOut: the derivation did not end.
    """
    return within(CALL_SECONDS, _leading_order, expr, symbol, toward, side, True)


def _leading_order(
    expr: sp.Expr, symbol: sp.Symbol, toward: Any, side: str | None, with_cancellations: bool
) -> LeadingOrder:
    first, *others = approaches_to(expr, symbol, boundary_of(toward, symbol), side)
    found = _order_on(first, expr, symbol)
    for other in others:
        opposite = _order_on(other, expr, symbol)
        for name in ("power", "log_degree", "loglog_degree"):
            here, there = getattr(found, name), getattr(opposite, name)
            if not is_zero(here - there):
                words = name.replace("_", " ")
                raise Undetermined(f"the side: {words} {here} {first.side}, {there} {other.side}; name it by side=")
    if with_cancellations:
        found = replace(found, cancellations=tuple(_cancellations(first.moved, first.x, first.scale)))
    return found


def _order_on(way: Approach, expr: sp.Expr, symbol: sp.Symbol) -> LeadingOrder:
    """Derive the leading order on one side, and let evaluation confirm it."""
    try:
        lead = Expansion.lead(way.moved, way.x, strict=False)
    except NoExpansion as error:
        raise NoExpansion(way.named(str(error))) from None
    if lead is None:
        raise ValueError(f"expr must not be zero, got {expr}")
    coefficient, monomial = lead
    if monomial.growth != 0:
        growth = monomial.growth.subs(way.x, way.scale)
        raise ValueError(f"expr must grow like a power of {symbol}, got exp({growth}); its logarithm may have one")
    _confirm_order(way, coefficient, monomial, expr)
    power = way.orientation * monomial.power
    return LeadingOrder(coefficient, tidied(power), monomial.log, monomial.loglog, ())


def _confirm_order(way: Approach, coefficient: sp.Expr, monomial: Monomial, expr: sp.Expr) -> None:
    """Raise unless formula / leading order tends to 1 at instances of the other symbols, and nowhere to else."""
    derived = coefficient * monomial.expression(way.x)
    symbols = way.moved.free_symbols - {way.x}
    _confirm(
        symbols,
        lambda values: ratio_finding(way.moved, derived, way.x, values),
        way.named(f"{expr} ~ {derived.subs(way.x, way.scale)}"),
        way.moved,
    )


def _confirm(symbols: set[sp.Symbol], ask: Any, statement: str, moved: sp.Expr) -> None:
    """Raise unless `ask` finds the statement approached at enough instances, and contradicted at none."""
    confirmed, needed = 0, _NEEDED if symbols else 1
    for values in instances(symbols, _TRIED):
        answer = ask(values)
        if answer is NumericFinding.CONTRADICTED:
            raise WitnessDisagreement(f"{statement} was derived; evaluation at {values or 'far points'} contradicts it")
        confirmed += answer is NumericFinding.APPROACHED
        if confirmed == needed:
            return
    missing = "does not show it within reach" if balls.is_evaluable(moved) else "is not possible for a part of it"
    raise Undetermined(f"an independent second computation: {statement} was derived, but rigorous evaluation {missing}")


def _cancellations(moved: sp.Expr, x: sp.Symbol, scale: sp.Expr) -> Iterator[Cancellation]:
    """Sums inside an expression whose leading order is below that of their terms; x is put back as `scale`."""
    size = Expansion(x, 1, strict=False)
    for part in sp.preorder_traversal(moved):
        if not (part.is_Add and part.has(x)):
            continue
        try:
            left, largest = Expansion.lead(part, x, strict=False), None
            for term in part.args:
                lead = Expansion.lead(term, x, strict=False)
                if lead is not None and (largest is None or size.compare(lead[1], largest) > 0):
                    largest = lead[1]
        except NoExpansion:
            continue  # a bounded part that oscillates has no order; what it is added to has been confirmed all the same
        if largest is not None and (left is None or size.compare(left[1], largest) < 0):
            below = sp.S.Zero if left is None else left[1].expression(x).subs(x, scale)
            yield Cancellation(part.subs(x, scale), largest.expression(x).subs(x, scale), below)


def exponent(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity", side: str | None = None) -> sp.Expr:
    """Derive the exact power of `symbol` in the leading order, other symbols fixed and generic (see `leading_order`).

    Raises:
        Undetermined, ValueError, WitnessDisagreement, TimedOut: as `leading_order`.
    """
    return within(CALL_SECONDS, _leading_order, expr, symbol, toward, side, False).power


def log_degree(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity", side: str | None = None) -> sp.Expr:
    """Derive the power of log(symbol) in the leading order; of log(1/symbol) toward zero, of the distance's toward b.

    Raises:
        Undetermined, ValueError, WitnessDisagreement, TimedOut: as `leading_order`.
    """
    return within(CALL_SECONDS, _leading_order, expr, symbol, toward, side, False).log_degree


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


def limit(expr: sp.Expr, symbol: sp.Symbol, point: Any, *, side: str | None = None) -> sp.Expr:
    """The limit of `expr` as `symbol` tends to `point` (finite or +-oo), confirmed by an independent computation.

    At a finite point both sides must agree, except at 0 for a symbol whose assumptions leave one side.

    Args:
        side: "above" or "below" a finite point, for the limit from there alone.

    Raises:
        Undetermined: the answer depends on another symbol or on the side (`.cases` holds what each regime gives), or
            one of the two computations is missing.
        ValueError: the symbol cannot tend to the point, or a float.
        TimedOut: the derivation did not end.
        WitnessDisagreement: the two computations contradict each other.
    """
    return within(CALL_SECONDS, _limit, sp.sympify(expr), symbol, sp.sympify(point), side, True)


def _limit(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr, side: str | None, with_cases: bool) -> sp.Expr:
    found = []
    for way in approaches_to(expr, symbol, point, side):
        try:
            found.append((way, _limit_on(way, expr)))
        except Undetermined as open_question:
            if with_cases:
                open_question.cases = dict(_cases(expr, symbol, point, side, open_question))
            raise
    (way, value), *others = found
    for other, there in others:
        if value != there and (value.is_infinite or there.is_infinite or not is_zero(value - there)):
            raise Undetermined(f"the side: {value} {way.side}, {there} {other.side}; name it by side=")
    return value


def _limit_on(way: Approach, expr: sp.Expr) -> sp.Expr:
    """Derive the limit on one side, then confirm."""
    try:
        value = _derived_limit(way.moved, way.x)
    except NoExpansion as error:
        raise Undetermined(way.named(f"an expansion that is missing: {error}")) from None
    _confirm(
        way.moved.free_symbols - {way.x},
        lambda values: finding(way.moved, way.x, values, value),
        way.named(f"{expr} -> {value}"),
        way.moved,
    )
    return value


def _derived_limit(moved: sp.Expr, x: sp.Symbol) -> sp.Expr:
    if Expansion.vanishes(moved, x, strict=True):
        return sp.S.Zero
    lead = Expansion.lead(moved, x, strict=True)
    if lead is None:
        return sp.S.Zero
    coefficient, monomial = lead
    size = Expansion(x, 1, strict=True).compare(monomial, UNIT)
    if size < 0:
        return sp.S.Zero
    if size > 0:
        return sign(coefficient) * sp.oo
    return tidied(coefficient)


def _cases(
    expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr, side: str | None, question: Undetermined
) -> Iterator[tuple[str, sp.Expr]]:
    """Answer an open comparison regime by regime: below, at and above the threshold."""
    parameter, threshold = question.symbol, question.threshold
    if parameter is None or threshold is None:
        return
    s = fresh("s", positive=True)
    is_ratio = parameter.is_positive and threshold.is_positive
    below, inverse = (
        (threshold / (1 + s), threshold / parameter - 1) if is_ratio else (threshold - s, threshold - parameter)
    )
    regimes = (("<", below, inverse), ("=", threshold, sp.S.Zero), (">", threshold + s, parameter - threshold))
    for order, value, meaning in regimes:
        try:
            answer = _limit(expr.subs(parameter, value), symbol, point, side, False)
        except (ValueError, TimedOut):
            continue
        yield f"{parameter} {order} {threshold}", tidied(answer.subs(s, meaning))
