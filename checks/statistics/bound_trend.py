"""Bounds with their constants that are kept at every point, and kept less and less along the axis.

"For every n" is asked of the sizes that were measured. Where measured / claimed climbs toward 1 there, as a straight
line in the logarithm of the axis it would pass 1 somewhere. It may as well bend and never do: of a sharp bound it does.
So this takes no verdict away. It is said where that place is no farther beyond the last point than the first is before
it, and where the climb is more than noise: the last interval lies beyond the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from checks.statistics.arguments import Toward, signed_log_axis
from checks.statistics.explanation import Clause, Topic, size_words
from checks.statistics.verdict import Interval, Judgement, Verdict

LEAST_POINTS = 4
"""Points below which a climb is not told."""
_LAST = 3
"""So many of the last points give the line: a climb that slows down is straight on them alone."""


def told_of_climb(
    judgement: Judgement,
    axis: Sequence[float],
    values: Sequence[float],
    intervals: Sequence[Interval],
    bound: Sequence[float],
    *,
    relation: str,
    letter: str,
    toward: Toward = "infinity",
) -> Judgement:
    """A bound that holds at all points, with where measured / claimed would reach 1 beyond them; others as they are.

    Args:
        axis, values, intervals, bound: of each point; what was measured, with its limits, and what is claimed.
        relation: "upper" (measured <= bound) or "lower".
        letter: the axis, in words.
        toward: where the claim's axis goes.
    """
    is_told = judgement.verdict is Verdict.HOLDS and len(axis) >= LEAST_POINTS and toward in ("infinity", "zero")
    if not is_told or min(bound) <= 0:
        return judgement
    x = signed_log_axis(axis, toward)[1]
    order = np.argsort(x, kind="stable")
    x, ratio = x[order], (np.array(values) / np.array(bound))[order]
    first, last, upper = int(order[0]), int(order[-1]), relation == "upper"
    low, high = (last, first) if upper else (first, last)
    apart = intervals[low].low / bound[low] > intervals[high].high / bound[high]
    slope, height = np.polyfit(x[-_LAST:], ratio[-_LAST:], 1)
    left = 1 - (height + slope * x[-1])
    rises = slope > 0 if upper else slope < 0
    if not (apart and rises and 0 < left / slope <= x[-1] - x[0]):
        return judgement
    reach = math.exp((1 if toward == "infinity" else -1) * (x[-1] + left / slope))
    words = (
        f"measured / claimed {'rises' if upper else 'falls'} along {letter}, {ratio[0]:.3g} to {ratio[-1]:.3g}: going "
        f"on as on the last {_LAST} points it would reach 1 near {letter} = {size_words(reach, 2)}, and later or never "
        "where it slows down; beyond what was measured nothing is said"
    )
    return judgement.adding(limits=(Clause(Topic.GRID, words, {"reach": float(reach)}),))
