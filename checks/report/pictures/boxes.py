"""The box of a lemma as places to look at: values of a letter, and the point that a record names."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import sympy as sp

_WIDE, _FAR = 100.0, 10.0
"""Ratio of the ends from which on an axis is logarithmic, and how far a range without an end is shown."""
_SYMBOL = re.compile(r"\w+\('([^']+)'")
"""The name of a letter in a certificate."""
Range = tuple[float, float]


def number(end: sp.Expr | int) -> float:
    """An end of a range as a float."""
    return float(sp.N(sp.sympify(end, strict=True)))  # beyond floats it is an infinity


def is_wide(low: float, high: float) -> bool:
    """Whether a range is shown on a logarithmic axis."""
    return low > 0 and high >= _WIDE * low


def spread(ends: Range, letter: sp.Symbol, shares: np.ndarray, at: float = 0.0) -> np.ndarray:
    """Values of a letter at shares of its range, by its logarithm where that is wide; `at` is to be within."""
    low = ends[0] if math.isfinite(ends[0]) else -_FAR
    high = ends[1] if math.isfinite(ends[1]) else max(_FAR, 2 * abs(low), 2 * abs(at))
    found = low * (high / low) ** shares if is_wide(low, high) else low + (high - low) * shares
    return np.round(found) if letter.is_integer else np.minimum(found, high)


def point_of(record: str, letters: Sequence[sp.Symbol]) -> dict[str, float]:
    """The place that a stored certificate names, in these letters; {} where it names none.

    Names tell letters apart, since sympy writes the assumptions of equal symbols in the order in which one was made.
    """
    names = {each.name for each in letters}
    try:
        rows = [(_SYMBOL.match(text), value) for text, value in json.loads(record)["point"]]
        return {found[1]: float(Fraction(value)) for found, value in rows if found and found[1] in names}
    except (ValueError, TypeError, KeyError, OverflowError, ZeroDivisionError, RecursionError):
        return {}
