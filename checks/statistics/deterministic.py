"""Evidence without noise: a simulator whose replicates all say the same at every point.

Twenty equal samples at one point say nothing of how the twenty-first may differ: a rare 1 among zeros is not ruled out.
But where all replicates of every point agree to rounding, while the points differ from each other, what is measured is
a function of the point, and a replicate is that number again. Claims are then exact statements over the points
measured: a bound is met or passed there by numbers known to rounding, and no number of further replicates says more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from checks.statistics.points import Array
from checks.statistics.verdict import Interval

MIN_POINTS = 3
"""Points of different values from which equal replicates are no coincidence."""

ROUNDING = 1e-12
"""Relative error of a number that was computed in float64; replicates that differ by less are equal."""

WORDS = "all replicates of every point agree: exact statements at the points measured"


def without_noise(rows: Sequence[Array]) -> list[Interval] | None:
    """The values of evidence without noise, as wide as their rounding; None for any other.

    Args:
        rows: finite samples of each point.
    """
    values = [_common(row) for row in rows]
    known = [value for value in values if value is not None]
    if len(known) < len(rows) or len(rows) < MIN_POINTS or _different(known) < MIN_POINTS:
        return None
    return [Interval(value - ROUNDING * abs(value), value + ROUNDING * abs(value)) for value in known]


def _common(row: Array) -> float | None:
    """The value of all replicates of a point, of which there must be two; None where they differ."""
    return float(row[0]) if len(row) > 1 and np.ptp(row) <= ROUNDING * np.abs(row).max() else None


def _different(values: Sequence[float]) -> int:
    """How many values differ by more than rounding, counted from the least."""
    ordered = np.sort(values)
    return 1 + int((np.diff(ordered) > ROUNDING * np.abs(ordered[1:])).sum())
