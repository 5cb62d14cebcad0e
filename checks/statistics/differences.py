"""Whether two estimates of one quantity differ by more than their noise.

The interval of a difference is put together from the two intervals (the method of variance estimates recovery): each
end of it adds the squares of the distances from the estimates to the ends that lie on its side. It needs no standard
error, so it holds for intervals that are not symmetric. [Zou and Donner 2008, Statistics in Medicine 27, 1693-1702]
Estimates from overlapping data are positively correlated, and the interval is then too wide: it errs toward noise.

Two 95 % intervals that do not overlap differ as well, and at a much smaller error than 5 %; that they overlap says
little. [Schenker and Gentleman 2001, The American Statistician 55, 182-186] It is the rule where intervals alone are
known, and no estimates.
"""

from __future__ import annotations

import math

from checks.statistics.verdict import Interval

_SAME = 1e-9
"""Relative difference below which two numbers are one: they came through a file."""


def difference(after: float, after_interval: Interval, before: float, before_interval: Interval) -> Interval:
    """Interval of `after - before`, at the confidence of the two intervals; for independent estimates.

    Raises:
        ValueError: an estimate lies outside its interval by more than rounding.
    """
    for estimate, interval in ((after, after_interval), (before, before_interval)):
        slack = _SAME * max(1.0, abs(estimate))
        if not interval.low - slack <= estimate <= interval.high + slack:
            raise ValueError(f"an estimate must lie in its interval, got {estimate} and {interval}")
    middle = after - before
    below = math.hypot(max(after - after_interval.low, 0.0), max(before_interval.high - before, 0.0))
    above = math.hypot(max(after_interval.high - after, 0.0), max(before - before_interval.low, 0.0))
    return Interval(middle - below, middle + above)


def differs(interval: Interval, scale: float = 1.0) -> bool:
    """Whether an interval of a difference leaves out zero, by more than the rounding of numbers of this scale."""
    slack = _SAME * max(1.0, abs(scale))
    return interval.low > slack or interval.high < -slack


def apart(one: Interval, other: Interval) -> bool:
    """Whether two intervals have no point in common."""
    return one.low > other.high or other.low > one.high
