"""Points near a counterexample that people can read: -1/2 in the place of -955494272289710/955494277282833.

Whether the relation fails there as well the checker says; nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, VariableRange

_LONG = 1000
"""What numerators and denominators have at most that need no simpler number."""
_AWAY = tuple(Fraction(1, 2**k) for k in (0, 1, 2, 4, 7, 10, 14, 20, 30, 34, 40))
"""How far from a coordinate a simpler number may lie, as a share of the greater of its size and 1; far ones first."""
_INSIDE = Fraction(1, 64)
"""The share of that distance by which the number stays away from the ends of the range, where these are near."""


def simpler_points(point: Mapping[sp.Symbol, sp.Rational], box: Box) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """The point with its long coordinates changed: all at once, from far to near, then the first one alone."""
    long = [s for s, v in point.items() if max(abs(v.p), v.q) > _LONG and not s.is_integer]
    told: set[tuple] = set()
    for some in dict.fromkeys((tuple(long), *[(s,) for s in long])) if long else ():
        for share in _AWAY:
            found = dict(point) | {s: _near(point[s], share, box[s]) for s in some}
            if tuple(found.values()) not in told and found != point:
                told.add(tuple(found.values()))
                yield found


def _near(value: sp.Rational, share: Fraction, r: VariableRange) -> sp.Rational:
    """The simplest number at most so far from another, and within the range."""
    x = Fraction(int(value.p), int(value.q))
    away = share * max(abs(x), Fraction(1))
    low, high = x - away, x + away
    inside = _INSIDE * away
    if r.low > low:
        low = min(Fraction(r.low) + inside, x)
    if r.high < high:
        high = max(Fraction(r.high) - inside, x)
    found = simplest(low, high)
    return sp.Rational(found.numerator, found.denominator)


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator between two numbers."""
    low, high = min(low, high), max(low, high)
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = low.__ceil__()
    if whole <= high:
        return Fraction(whole)
    floor = low.__floor__()
    return floor + 1 / simplest(1 / (high - floor), 1 / (low - floor))
