"""Whether a coefficient is zero, and its sign: decided by enclosures and normal forms, or refused.

sympy's `simplify(e) == 0` and `e.is_zero` rest on floating-point guesses and on a cache, so the answer may be wrong and
may depend on what was asked before. Here "not zero" is an enclosure that excludes zero, "zero" is a polynomial identity
or, for numbers made of roots, a value below the least one that a nonzero number of that build can have. What neither
settles is refused. Called by `theory.asymptotics.expander` at every step.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import flint
import sympy as sp

from theory.asymptotics.cross_check import instances
from theory.intervals import balls
from theory.ordering import in_order
from theory.timeout import within

_NORMAL_FORM_SECONDS = 10.0
_BITS = (128, 512, 2048, 8192)
_MAX_BITS = 40_000


class Undetermined(ValueError):
    """The answer depends on a symbol, on the side, or on something that no witness could tell.

    Attributes:
        condition: what would have to be known, e.g. "c relative to 1".
        cases: the answers by regime where they could be found, e.g. {"c < 1": 0, "c = 1": 1/2, "c > 1": 1}.
    """

    def __init__(self, condition: str, *, symbol: sp.Symbol | None = None, threshold: sp.Expr | None = None) -> None:
        super().__init__(f"depends on {condition}")
        self.condition, self.symbol, self.threshold = condition, symbol, threshold
        self.cases: dict[str, sp.Expr] = {}

    def __str__(self) -> str:
        listed = "; ".join(f"{value} if {case}" for case, value in self.cases.items())
        return super().__str__() + (f": {listed}" if listed else "")


def is_zero(expression: sp.Expr) -> bool:
    """Whether a coefficient vanishes identically in its symbols.

    Raises:
        Undetermined: neither an enclosure nor a normal form decides.
    """
    expanded = expression if expression.is_Rational else sp.expand(expression)
    if expanded.is_Rational or expanded.is_Symbol:
        return expanded == 0
    if _is_certainly_nonzero(expanded):
        return False
    if within(_NORMAL_FORM_SECONDS, vanishes, expanded):
        return True
    if not expanded.free_symbols:
        decided = _number_sign(expanded)
        if decided is not None:
            return decided == 0
    raise Undetermined(f"whether {expanded} is zero, which neither an enclosure nor a normal form decides")


def _is_certainly_nonzero(expression: sp.Expr) -> bool:
    """Whether an enclosure at some point of its symbols excludes zero."""
    for values in instances(expression.free_symbols, 6):
        if balls.sign_of(balls.ball(expression, values, bits=256)):
            return True
    return False


def vanishes(expression: sp.Expr) -> bool:
    """Whether arithmetic alone shows that an expression is zero: its numerator expands to nothing."""
    return any(sp.expand(sp.numer(sp.together(form))) == 0 for form in _forms(expression))


def _forms(expression: sp.Expr) -> Iterator[sp.Expr]:
    yield expression
    if expression.atoms(sp.Function) or expression.has(sp.Pow):
        yield sp.expand(expression.rewrite(sp.exp))
        yield sp.expand(sp.expand_log(expression))
        yield sp.expand(over_primes(expression))
        yield sp.expand_func(expression)
        yield sp.powsimp(sp.powdenest(expression))


def over_primes(expression: sp.Expr) -> sp.Expr:
    """Logarithms of small positive rationals as sums over primes, so that they cancel where they should."""

    def split(value: sp.Expr) -> sp.Expr:
        if not (value.is_Rational and value.is_positive and max(value.p, value.q) < 10**12):
            return sp.log(value)
        return sp.Add(*[power * sp.log(prime) for prime, power in sp.factorrat(value).items()])

    return expression.replace(sp.log, split)


def sign(expression: sp.Expr) -> int:
    """Sign of an expression without x. Raises Undetermined where assumptions leave it open."""
    form = expression if expression.is_Rational else sp.expand(expression)
    if form.is_Rational:
        return int(form.p > 0) - int(form.p < 0)
    if not form.free_symbols:
        decided = _number_sign(form)
        if decided is None and is_zero(form):
            return 0
        if decided is None:
            raise Undetermined(f"the sign of {form}")
        return decided
    signs = {balls.sign_of(balls.ball(form, values, bits=256)) for values in instances(form.free_symbols, 6)} - {None}
    for shape in (expression, form, sp.together(form), sp.factor_terms(form)):
        claimed = 1 if shape.is_positive else -1 if shape.is_negative else 0
        if claimed and signs <= {claimed}:
            return claimed
    if not signs and within(_NORMAL_FORM_SECONDS, vanishes, form):
        return 0
    raise _open_comparison(form)


def _open_comparison(form: sp.Expr) -> Undetermined:
    """What would have to be known, with a threshold where the expression is linear in a symbol."""
    numerator = sp.numer(sp.together(form))
    for symbol in in_order(numerator.free_symbols):
        slope = sp.expand(sp.diff(numerator, symbol))
        if slope.is_Rational and slope != 0:
            threshold = sp.expand(symbol - numerator / slope)
            return Undetermined(f"{symbol} relative to {threshold}", symbol=symbol, threshold=threshold)
    return Undetermined(f"the sign of {form}")


def _number_sign(value: sp.Expr) -> int | None:
    """Sign of a number, zero included; None where no precision in reach decides."""
    for bits in _BITS:
        found = balls.sign_of(balls.ball(value, {}, bits=bits))
        if found:
            return found
    separation = _separation_bits(value)
    if separation is None or separation > _MAX_BITS:
        return None
    enclosure = balls.ball(value, {}, bits=int(separation) + 256)
    found = balls.sign_of(enclosure)
    if found or enclosure is None:
        return found
    return 0 if enclosure.abs_upper() < flint.arb(2) ** (-math.ceil(separation) - 1) else None


def _separation_bits(value: sp.Expr) -> float | None:
    """b such that a number made of rationals by + - * / and roots is zero or at least 2**-b in size; None otherwise.

    The bound of Burnikel, Fleischer, Mehlhorn and Schirra (2000): with U/L = value in algebraic integers whose
    conjugates are at most u and l, and D the product of the degrees of all roots, a nonzero value is >= 1/(u^(D-1) l).
    """
    degrees: dict[sp.Expr, int] = {}
    bounds = _conjugates(value, degrees)
    if bounds is None:
        return None
    top, bottom = bounds
    degree = math.prod(degrees.values())
    return (degree - 1) * top + bottom if degree <= 4096 else None


def _conjugates(value: sp.Expr, degrees: dict[sp.Expr, int]) -> tuple[float, float] | None:
    """Base-2 logarithms of the bounds (u, l) on the conjugates of numerator and denominator."""
    if value.is_Rational:
        return math.log2(max(1, abs(int(value.p)))) + 1e-9, math.log2(int(value.q)) + 1e-9
    if not (value.is_Add or value.is_Mul or value.is_Pow):
        return None
    if value.is_Pow:
        return _root_conjugates(value, degrees)
    top, bottom = (0.0, 0.0) if value.is_Mul else (-math.inf, 0.0)
    for part in value.args:
        inner = _conjugates(part, degrees)
        if inner is None:
            return None
        u, low = inner
        if value.is_Mul:
            top, bottom = top + u, bottom + low
        else:
            top, bottom = max(top + low, bottom + u) + 1, bottom + low
    return top, bottom


def _root_conjugates(value: sp.Expr, degrees: dict[sp.Expr, int]) -> tuple[float, float] | None:
    base, exponent = value.args
    inner = _conjugates(base, degrees) if exponent.is_Rational else None
    if inner is None:
        return None
    top, bottom = inner if exponent > 0 else inner[::-1]
    if exponent.q > 1:
        degrees[value] = int(exponent.q)
    p, q = abs(int(exponent.p)), int(exponent.q)
    return p * (top + (q - 1) * bottom) / q, p * bottom  # the q-th root of U/L is that of U L^(q-1), over L
