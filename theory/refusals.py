"""What is refused of formulas, in words that say what to write: floats, and symbols that the formula does not have."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable

import sympy as sp


def require_exact(formula: object, place: str) -> None:
    """Raise ValueError where a formula holds a float, or is no formula; it says what to write instead."""
    if not isinstance(formula, sp.Basic):
        instead = _exactly(formula) if isinstance(formula, int | float) and not isinstance(formula, bool) else ""
        raise ValueError(f"{place} must be a sympy expression, got {formula!r}" + (instead and f"; write {instead}"))
    floats = sorted(map(float, formula.atoms(sp.Float)))
    if floats:
        instead = ", ".join(f"{_exactly(number)} for {number!r}" for number in floats)
        raise ValueError(f"{place} must be exact (no floats), got {formula}; write {instead}")


def _exactly(number: float) -> str:
    """How a number is written exactly: 0.1 is meant as 1/10, not as its binary neighbour."""
    if not math.isfinite(number):
        return "sympy.oo"
    meant = sp.Rational(repr(number))
    return f"sympy.Integer({meant})" if meant.is_Integer else f"sympy.Rational({meant.p}, {meant.q})"


def unlike(symbol: object, known: Iterable[sp.Symbol]) -> str:
    """A symbol that is none of the known ones, with the nearest, or with what makes it differ from its namesake."""
    if not isinstance(symbol, sp.Symbol):
        return f"{symbol!r}, which is no sympy Symbol"
    names = {other.name.lower(): other.name for other in sorted(known, key=str)}
    if symbol.name in names.values():
        return f"another {symbol.name!r}, made with other assumptions; use the claim's own symbol"
    near = difflib.get_close_matches(symbol.name.lower(), names, n=1, cutoff=0.0)
    return f"{symbol.name!r}" + (f"; nearest is {names[near[0]]!r}" if near else "")
