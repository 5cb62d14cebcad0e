"""The claim of a row as a curve, and the same curve with another slope: what a picture draws beside its points.

A row's points carry the claim with its fitted prefactor, and its judgement by how much the measured slope differs. So
everything here is read from the row, and no formula is evaluated: a picture cannot say other than the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from checks.records.rows import Row
from checks.report.marks import FITTED, is_number
from theory.claim import Kind

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes

    Array = np.ndarray

_WORDS = {
    Kind.TIGHT: "claimed order",
    Kind.UPPER: "claimed upper bound",
    Kind.LOWER: "claimed lower bound",
    Kind.EXPLICIT_UPPER: "claimed upper bound",
    Kind.EXPLICIT_LOWER: "claimed lower bound",
    Kind.EVERY_ALGORITHM: "claimed lower bound",
}


@dataclass(frozen=True, eq=False)
class DrawnLaw:
    """The claim along one line of points, all arrays [points], and where on the line its prefactor was fitted.

    `reach` is the distance from there on the signed logarithm of the axis: a slope other by s multiplies the law by
    exp(s reach).
    """

    axis: Array
    bound: Array
    reach: Array

    def turned(self, slope: float) -> Array:
        """The law with another slope, through the same middle."""
        import numpy as np

        return self.bound * np.exp(slope * self.reach)


def law_of(axis: Sequence[float] | Array, bound: Sequence[float] | Array, row: Row, *, pivots: Any) -> DrawnLaw:
    """The claim on a line, its reach counted from the mean of `pivots`, the axis values that the prefactor rests on."""
    import numpy as np

    from checks.statistics.arguments import signed_log_axis

    axis, bound = np.asarray(axis, dtype=float), np.asarray(bound, dtype=float)
    if row.judgement.effect.margin is None or row.axis is None:
        return DrawnLaw(axis, bound, np.zeros_like(axis))
    limit = row.toward if row.toward is not None else row.axis.toward
    toward = limit if isinstance(limit, str | float) else "zero"
    middle = signed_log_axis(pivots, toward)[1].mean()
    return DrawnLaw(axis, bound, signed_log_axis(axis, toward)[1] - middle)


def is_law_drawn(row: Row) -> bool:
    """Whether the claim has a height: what gives no constants has none until a prefactor is fitted to it."""
    claim = row.claim
    has_number = claim.kind.is_explicit or (claim.kind is Kind.EVERY_ALGORITHM and not claim.has_order)
    return row.judgement.exponents.prefactor is not None or has_number


def law_through_points(row: Row) -> DrawnLaw | None:
    """The claim through the points that a verdict may use, ascending; None where there is none to draw."""
    shown = [
        (point.value, point.bound, point)
        for point in sorted(row.points, key=lambda point: point.value)
        if is_law_drawn(row) and point.in_regime is not False and is_number(point.bound)
    ]
    if not shown:
        return None
    entered = [x for x, _, point in shown if point.measured is not None or point.censored]
    return law_of([x for x, _, _ in shown], [bound for _, bound, _ in shown], row, pivots=entered)


def name_of(row: Row) -> str:
    """What the curve is called in a legend."""
    return _WORDS.get(row.claim.kind, "claimed")


def draw_fit(axes: Axes, law: DrawnLaw, row: Row) -> None:
    """The law with the slope that was fitted, where one was."""
    slope = row.judgement.effect.slope
    if slope is not None:
        fit = law.turned(slope)
        axes.plot(law.axis, fit, color=FITTED, lw=1.1, ls=(0, (4, 2)), label="fitted line", zorder=2.5, gid="fitted")


def draw_fit_band(axes: Axes, law: DrawnLaw, row: Row) -> None:
    """What the interval of the fitted slope leaves, where it is finite."""
    interval = row.judgement.effect.slope_interval
    if interval is None or not (is_number(interval.low) and is_number(interval.high)):
        return
    low, high = law.turned(interval.low), law.turned(interval.high)
    band = {"color": FITTED, "alpha": 0.22, "lw": 0, "zorder": 1.5, "gid": "band"}
    axes.fill_between(law.axis, low, high, label=f"{row.interval_words} of its slope", **band)
