"""Expressions as functions of floats: what they give proposes points and signs, and proves nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp

NO_FLOAT = (ArithmeticError, NameError, TypeError, ValueError)
"""What a compiled expression raises where it has no float: beyond the range of floats or at a division by zero; for a
function that the module lacks (zeta); for an order of complex numbers, whole numbers too long for numpy, or a sum whose
end is no whole number; for a logarithm of a negative number in the module math."""

_SPECIAL = (sp.erf, sp.erfc, sp.gamma, sp.loggamma, sp.factorial, sp.binomial)


def function_of(
    symbols: Sequence[sp.Symbol], expression: sp.Expr | Sequence[sp.Expr], modules: Any
) -> Callable[..., Any] | None:
    """One expression or a list of them as a function of floats, or None where sympy cannot write it as code."""
    try:
        return sp.lambdify(symbols, expression, modules)
    except (KeyError, NotImplementedError, ValueError):  # complex infinity; Subs; a derivative that is not done
        return None


def array_modules(expressions: Sequence[sp.Expr]) -> Any:
    """Where a function of arrays finds its parts; scipy only where one needs it, because importing it takes long."""
    if not any(e.has(*_SPECIAL) for e in expressions):
        return "numpy"
    return [{"factorial": factorial}, "scipy", "numpy"]


def factorial(n: Any) -> Any:
    """scipy's factorial, for arrays of floats without its long look at what they are; searches ask for many."""
    from scipy import special

    if getattr(n, "dtype", "none") != "float64" or n.ndim == 0:
        return special.factorial(n)
    found = special.gamma(n + 1)
    found[n < 0] = 0.0
    return found
