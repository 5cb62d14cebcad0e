"""Boxes: a range of exact numbers for every variable.

Ends are Fractions or infinite floats, not sympy numbers: arithmetic on them is what the prover does most.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

End = Fraction | float
"""An exact end of a range, or an infinite float."""

_MAX_END = 1e150


@dataclass(frozen=True)
class VariableRange:
    """Values of one variable: low <= x <= high (Fractions or infinite floats).

    `is_open` excludes low itself and `is_open_high` high: zero, for a symbol that is positive or negative.
    """

    low: End
    high: End
    is_open: bool = False
    is_open_high: bool = False

    @property
    def is_point(self) -> bool:
        """Whether low equals high."""
        return self.low == self.high

    def contains(self, value: End) -> bool:
        """Whether a number lies in the range."""
        if value == self.low:
            return not self.is_open and (value != self.high or not self.is_open_high)
        return self.low < value < self.high or (value == self.high and not self.is_open_high)

    def below(self, at: End) -> VariableRange:
        """The part up to `at`, an inner point."""
        return replace(self, high=at, is_open_high=False)

    def above(self, at: End) -> VariableRange:
        """The part from `at`, an inner point."""
        return replace(self, low=at, is_open=False)


Box = dict[sp.Symbol, VariableRange]


def number(value: sp.Expr) -> End:
    """A sympy number as the end of a range."""
    return Fraction(int(value.p), int(value.q)) if value.is_Rational else float(value)


def exact(value: End) -> sp.Expr:
    """The end of a range as a sympy number."""
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    return sp.oo if value > 0 else -sp.oo


def approximate(value: End) -> float:
    """The end of a range as a float; finite ends stay finite, and so do differences and products of two of them."""
    if not isinstance(value, Fraction):
        return value
    return -_MAX_END if value < -_MAX_END else _MAX_END if value > _MAX_END else float(value)


def exact_box(box: Box) -> dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]:
    """A box as `certify` takes it."""
    return {symbol: (exact(r.low), exact(r.high)) for symbol, r in box.items()}


def middle(r: VariableRange) -> End:
    """An interior point where to cut: zero if inside, geometric over decades, doubling toward infinity."""
    low, high = r.low, r.high
    if low < 0 < high:
        return Fraction(0)
    if high == math.inf:
        return 2 * max(low, Fraction(0)) + 1
    if low == -math.inf:
        return 2 * min(high, Fraction(0)) - 1
    if min(abs(low), abs(high)) > 0 and max(abs(low), abs(high)) > 16 * min(abs(low), abs(high)):
        size = Fraction(2) ** round((_log2(Fraction(low)) + _log2(Fraction(high))) / 2)
        return size if low > 0 else -size
    return (low + high) / 2


def contains_integer(r: VariableRange) -> bool:
    """Whether an integer lies between the ends."""
    return math.inf in (r.high, -r.low) or math.floor(r.high) >= math.ceil(r.low)


def at_integers(box: Box) -> Box:
    """The same points, with the ends of each integer symbol at integers; a range without an integer stays.

    A face of a box is one of its ends, and a face between integers holds no point: it shows nothing.
    """
    return {s: _between_integers(r) if s.is_integer else r for s, r in box.items()}


def _between_integers(r: VariableRange) -> VariableRange:
    low, high = r.low, r.high
    if isinstance(low, Fraction):
        low = Fraction(math.ceil(low) + (r.is_open and low.denominator == 1))
    if isinstance(high, Fraction):
        high = Fraction(math.floor(high) - (r.is_open_high and high.denominator == 1))
    return VariableRange(low, high) if low <= high else r


def middle_integer(r: VariableRange) -> Fraction:
    """An integer near the middle of a range that contains one."""
    at = middle(r)
    return Fraction(math.ceil(at) if math.ceil(at) <= r.high else math.floor(at))


def _log2(value: Fraction) -> float:
    """Logarithm of |value|, which may lie outside the range of floats."""
    return math.log2(abs(value.numerator)) - math.log2(value.denominator)
