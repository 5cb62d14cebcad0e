"""How exponents and Delta are rounded: so that the digits printed add up, and show where in its interval Delta lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from checks.statistics.outcome import Interval

FEWEST, MOST = 2, 4
"""Digits behind the point."""


@dataclass(frozen=True)
class Digits:
    """Two exponents and Delta as printed: the difference of the first two, or its negative, is the third."""

    measured: str
    claimed: str
    delta: str


def added_up(measured: float, claimed: float, delta: float, interval: Interval | None) -> Digits:
    """The three figures of a line in digits that add up.

    Each exponent is rounded by itself, so Delta as printed is off by one unit of its last digit at most. A Delta that
    was not made from these exponents is printed as it stands.
    """
    digits = digits_of(interval)
    first, second = rounded(measured, digits), rounded(claimed, digits)
    sign = 1 if (measured - claimed) * delta >= 0 else -1
    printed = float(sign * (Decimal(first) - Decimal(second)))
    is_theirs = abs(printed - delta) <= 1.01 * 10.0**-digits
    return Digits(first, second, rounded(printed if is_theirs else delta, digits, signed=True))


def digits_of(interval: Interval | None) -> int:
    """Digits behind the point that show where in an interval a figure lies: more where it is narrow."""
    width = 1.0 if interval is None else interval.high - interval.low
    if not 0 < width < math.inf:
        return FEWEST
    return min(max(FEWEST, 1 - math.floor(math.log10(width))), MOST)


def rounded(value: float, digits: int = FEWEST, *, signed: bool = False) -> str:
    """A number with so many digits behind the point, and no minus before a zero."""
    near = round(value, digits) + 0.0
    return f"{near:{'+' if signed else ''}.{digits}f}"
