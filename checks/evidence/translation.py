"""A trial's parameters, which are words and JSON numbers, become the paper's letters and exact numbers."""

from __future__ import annotations

import math

import sympy as sp


def exact(value: object) -> sp.Expr:
    """A JSON number as an exact sympy number: 0.3 is 3/10, not its binary neighbour. No text is ever read as a formula.

    Raises:
        ValueError: on anything that is no finite number.
    """
    if isinstance(value, sp.Expr):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return sp.Rational(repr(value))
    if isinstance(value, int):
        return sp.Integer(int(value))
    raise ValueError(f"value must be a finite number, got {str(value)[:80]!r}")
