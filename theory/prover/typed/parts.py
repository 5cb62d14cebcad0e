"""What formulas are made of: functions and constants by name, and expressions kept as they were written.

sympy turns `x/x` into 1 and `0*log(x)` into 0 when it builds them. Here nothing is simplified but arithmetic on numbers
alone, so that a formula still says where it has no value. Every number is bounded before it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import sympy as sp

from theory.prover.typed.size import MAX_BITS, TooLarge, whole_power

Builder = Callable[..., sp.Expr]


def _kept(function: Any) -> Builder:
    return lambda *arguments: function(*arguments, evaluate=False)


def _log(x: sp.Expr, base: sp.Expr | None = None) -> sp.Expr:
    natural = sp.log(x, evaluate=False)
    return natural if base is None else times([natural, inverse(sp.log(base, evaluate=False))])


def _gamma(x: sp.Expr) -> sp.Expr:
    return sp.factorial(plus([x, sp.S.NegativeOne]), evaluate=False)


def binomial(n: sp.Expr, k: sp.Expr) -> sp.Expr:
    """n!/(k! (n - k)!), which has a value where 0 <= k <= n."""
    below = [sp.factorial(part, evaluate=False) for part in (k, plus([n, times([sp.S.NegativeOne, k])]))]
    return times([sp.factorial(n, evaluate=False), *map(inverse, below)])


FUNCTIONS: Mapping[str, tuple[range, Builder]] = {
    "exp": (range(1, 2), _kept(sp.exp)),
    "log": (range(1, 3), _log),
    "ln": (range(1, 2), _log),
    "log2": (range(1, 2), lambda x: _log(x, sp.Integer(2))),
    "log10": (range(1, 2), lambda x: _log(x, sp.Integer(10))),
    "sqrt": (range(1, 2), lambda x: sp.Pow(x, sp.Rational(1, 2), evaluate=False)),
    "abs": (range(1, 2), _kept(sp.Abs)),
    "Abs": (range(1, 2), _kept(sp.Abs)),
    "sign": (range(1, 2), _kept(sp.sign)),
    "sin": (range(1, 2), _kept(sp.sin)),
    "cos": (range(1, 2), _kept(sp.cos)),
    "tan": (range(1, 2), lambda x: times([sp.sin(x, evaluate=False), inverse(sp.cos(x, evaluate=False))])),
    "sinh": (range(1, 2), _kept(sp.sinh)),
    "cosh": (range(1, 2), _kept(sp.cosh)),
    "tanh": (range(1, 2), _kept(sp.tanh)),
    "asin": (range(1, 2), _kept(sp.asin)),
    "acos": (range(1, 2), _kept(sp.acos)),
    "atan": (range(1, 2), _kept(sp.atan)),
    "erf": (range(1, 2), _kept(sp.erf)),
    "erfc": (range(1, 2), _kept(sp.erfc)),
    "factorial": (range(1, 2), _kept(sp.factorial)),
    "gamma": (range(1, 2), _gamma),
    "binomial": (range(2, 3), binomial),
    "floor": (range(1, 2), _kept(sp.floor)),
    "ceil": (range(1, 2), _kept(sp.ceiling)),
    "ceiling": (range(1, 2), _kept(sp.ceiling)),
    "frac": (range(1, 2), _kept(sp.frac)),
    "mod": (range(2, 3), _kept(sp.Mod)),
    "Mod": (range(2, 3), _kept(sp.Mod)),
    "Piecewise": (range(1, 33), _kept(sp.Piecewise)),
    "max": (range(1, 65), _kept(sp.Max)),
    "Max": (range(1, 65), _kept(sp.Max)),
    "min": (range(1, 65), _kept(sp.Min)),
    "Min": (range(1, 65), _kept(sp.Min)),
}
"""Name -> how many arguments, and the expression made of them."""


def _eigenvalue(sign: sp.Expr, a: sp.Expr, b: sp.Expr, c: sp.Expr) -> sp.Expr:
    """Of [[a, b], [b, c]]: (a + c)/2 and the root of ((a - c)/2)^2 + b^2, added or taken off."""
    half = sp.Rational(1, 2)
    apart = times([half, plus([a, times([sp.S.NegativeOne, c])])])
    two = sp.Integer(2)
    root = raised(plus([raised(apart, two), raised(b, two)]), half)
    return plus([times([half, plus([a, c])]), times([sign, root])])


EIGENVALUES: Mapping[str, Builder] = {
    "eigmax": partial(_eigenvalue, sp.S.One),
    "eigmin": partial(_eigenvalue, sp.S.NegativeOne),
}
"""Functions of a symmetric 2 x 2 matrix, by its entries a, b, c."""

CONSTANTS: Mapping[str, sp.Expr] = {"pi": sp.pi, "E": sp.E, "EulerGamma": sp.EulerGamma}
"""Names of numbers."""


def plus(terms: list[sp.Expr]) -> sp.Expr:
    """A sum as written; numbers alone are added."""
    if len(terms) == 1:
        return terms[0]
    if all(term.is_Rational for term in terms):
        total = sp.S.Zero
        for term in terms:
            total = _bounded(total + term)
        return total
    return sp.Add(*terms, evaluate=False)


def times(factors: list[sp.Expr]) -> sp.Expr:
    """A product as written, its numbers in one coefficient."""
    flat = [part for factor in factors for part in (factor.args if factor.is_Mul else (factor,))]
    coefficient = sp.S.One
    for part in flat:
        coefficient = _bounded(coefficient * part) if part.is_Rational else coefficient
    rest = [part for part in flat if not part.is_Rational]
    if not rest or (coefficient == 1 and len(rest) == 1):
        return rest[0] if rest else coefficient
    return sp.Mul(*([] if coefficient == 1 else [coefficient]), *rest, evaluate=False)


def inverse(value: sp.Expr) -> sp.Expr:
    """1 over an expression; a number must not be 0."""
    return 1 / value if value.is_Rational else raised(value, sp.S.NegativeOne)


def raised(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    """A power as written; whole powers of numbers are computed where they are small."""
    if base == sp.E:
        return sp.exp(exponent, evaluate=False)
    if base.is_Rational and exponent.is_Integer:
        return whole_power(base, exponent)
    return sp.Pow(base, exponent, evaluate=False)


def _bounded(value: sp.Rational) -> sp.Rational:
    if max(int(value.p).bit_length(), int(value.q).bit_length()) > MAX_BITS:
        raise TooLarge(f"must have numbers of at most {MAX_BITS} bits, got a larger one")
    return value
