"""Whether the points of an axis are points enough: ties and crowds count once, and no point carries the slope alone.

Five points of which four lie side by side say what two say. Values closer than a fiftieth of the axis' logarithmic span
count as one, and a point whose leverage is above 0.95 holds the slope by itself: the others could not contradict it
[Belsley, Kuh and Welsch 1980, ch. 2; five points evenly spaced have at most 0.6].
"""

from __future__ import annotations

import numpy as np

from checks.statistics.points import Array

LEAST_GAP = 0.02
"""Share of the axis' span in log by which two values must differ to be two."""

MAX_LEVERAGE = 0.95

EVEN = 0.2
"""Ratio of the narrowest to the widest gap from which neither rule can apply to five points or more."""


def unusable_grid(x: Array, needed: int) -> str:
    """Why a log axis does not carry a slope though its points and its span would do, or ""."""
    values = np.sort(x)
    gaps = np.diff(values)
    if len(gaps) and gaps.min() >= EVEN * gaps.max():
        return ""  # nearly evenly spaced, as most grids are
    return too_crowded(x, needed) or carried_by_one(x)


def distinct(x: Array) -> int:
    """How many values of a log axis lie apart, counted from its lower end."""
    values = np.unique(x)
    if len(values) < 2:
        return len(values)
    gap = LEAST_GAP * float(values[-1] - values[0]) * (1 - 1e-9)
    count, last = 1, values[0]
    for value in values[1:]:
        if value - last >= gap:
            count, last = count + 1, value
    return count


def too_crowded(x: Array, needed: int) -> str:
    """Why so many points are not as many places, or ""."""
    places = distinct(x)
    if places >= needed or len(np.unique(x)) < needed:
        return ""
    return (
        f"{len(x)} points lie at {places} places that differ by a fiftieth of the axis' span in log, {needed} are "
        "needed; points further apart would decide"
    )


def carried_by_one(x: Array) -> str:
    """Why one point carries the slope alone, or ""."""
    centred = x - x.mean()
    spread = float(centred @ centred)
    if not spread > 0:
        return ""
    leverage = 1 / len(x) + centred**2 / spread
    # Points at one value carry it together.
    values, where = np.unique(x, return_inverse=True)
    total = np.bincount(where, weights=leverage, minlength=len(values))
    if total.max() <= MAX_LEVERAGE or len(values) < 3:
        return ""
    rest = np.delete(values, int(total.argmax()))
    factor = float(np.exp(min(float(rest.max() - rest.min()), 700.0)))
    return (
        f"one end of the axis carries the slope alone (leverage {total.max():.3f}), the other values span a factor "
        f"{factor:.3g}; points between them would decide"
    )
