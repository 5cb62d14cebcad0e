"""Whole numbers in SMT-LIB: to_int, div and mod, with the remainder that is never negative.

For a divisor n other than 0, m = n (div m n) + (mod m n) with 0 <= (mod m n) < |n|: so div is the floor of m/n where
n > 0, and the ceiling where n < 0. At n = 0 SMT-LIB leaves the value open; here there is none.
"""

from __future__ import annotations

import sympy as sp

from theory.prover.typed.parts import inverse, plus, times

OPERATORS = ("to_int", "div", "mod")
KEEP_WHOLE = ("+", "-", "*", "abs", "min", "max", *OPERATORS)
"""What makes whole numbers of whole numbers."""


def to_int(x: sp.Expr) -> sp.Expr:
    """The greatest whole number up to x."""
    return x if x.is_Integer else sp.floor(x, evaluate=False)


def div(m: sp.Expr, n: sp.Expr) -> sp.Expr:
    """The whole quotient; n is a number other than 0, or an expression that has no value where it is 0."""
    if n.is_Rational:
        quotient = to_int(times([m, inverse(abs(n))]))
        return quotient if n > 0 else times([sp.S.NegativeOne, quotient])
    size = sp.Abs(n, evaluate=False)
    return times([sp.sign(n, evaluate=False), to_int(times([m, inverse(size)]))])


def mod(m: sp.Expr, n: sp.Expr) -> sp.Expr:
    """The remainder, from 0 to |n|."""
    return plus([m, times([sp.S.NegativeOne, n, div(m, n)])])
