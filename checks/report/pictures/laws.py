"""The claim of a row as a curve, and the same curve with another slope: what a picture draws beside its points.

A row's points carry the claim with its fitted prefactor, and its judgement by how much the measured slope differs. So
everything here is read from the row, and no formula is evaluated: a picture cannot say other than the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from checks.records.rows import Point, Row
from checks.report.pictures.model import CLAIMED, FITTED, Area, Ink, Mark, Trace, is_number
from checks.statistics.arguments import signed_log_axis
from theory.claim import Kind

Array = np.ndarray

_WORDS = {
    Kind.TIGHT: "claimed order",
    Kind.UPPER: "claimed upper bound",
    Kind.LOWER: "claimed lower bound",
    Kind.EXPLICIT_UPPER: "claimed upper bound",
    Kind.EXPLICIT_LOWER: "claimed lower bound",
    Kind.EVERY_ALGORITHM: "claimed lower bound",
    Kind.LIMIT: "claimed limit",
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
        return self.bound * np.exp(slope * self.reach)


def law_of(axis: Sequence[float] | Array, bound: Sequence[float] | Array, row: Row, *, pivots: Any) -> DrawnLaw:
    """The claim on a line, its reach counted from the mean of `pivots`, the axis values that the prefactor rests on."""
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
    has_number = (
        claim.kind.is_explicit
        or claim.kind is Kind.LIMIT
        or (claim.kind is Kind.EVERY_ALGORITHM and not claim.has_order)
    )
    return row.judgement.exponents.prefactor is not None or has_number


def compared(row: Row, placed: Sequence[tuple[float, Point]]) -> list[tuple[float, float, Point]]:
    """Place, bound and point of all points that a verdict may use, ascending; none where no law is drawn."""
    return [
        (x, point.bound, point)
        for x, point in sorted(placed, key=lambda pair: pair[0])
        if is_law_drawn(row) and point.in_regime is not False and is_number(point.bound)
    ]


def law_through_points(row: Row) -> DrawnLaw | None:
    """The claim through the points that a verdict may use; None where there is none to draw."""
    shown = compared(row, [(point.value, point) for point in row.points])
    if not shown:
        return None
    entered = [x for x, _, point in shown if point.measured is not None or point.censored]
    return law_of([x for x, _, _ in shown], [bound for _, bound, _ in shown], row, pivots=entered)


def name_of(row: Row) -> str:
    """What the curve is called in a legend."""
    return _WORDS.get(row.claim.kind, "claimed")


def claimed(row: Row, law: DrawnLaw, words: str, *, order: float = 2.2) -> list[Mark]:
    """The claim as a line and the band of slopes that its margin takes for the same."""
    margin = row.judgement.effect.margin
    found: list[Mark] = [_line(law, law.bound, Ink(CLAIMED, 1.2, order=order), "claimed", name_of(row) + words)]
    if margin is not None and not row.claim.kind.is_explicit:
        label = f"slopes within the margin {margin:g}"
        found.append(
            _between(law, -margin, margin, Ink(CLAIMED, 0, fill=CLAIMED, alpha=0.18, order=1), "margin", label)
        )
    return found


def fit(row: Row, law: DrawnLaw) -> list[Mark]:
    """The law with the slope that was fitted, where one was."""
    slope = row.judgement.effect.slope
    ink = Ink(FITTED, 1.1, "long-dashed", order=2.5)
    return [] if slope is None else [_line(law, law.turned(slope), ink, "fitted", "fitted line")]


def fit_band(row: Row, law: DrawnLaw) -> list[Mark]:
    """What the interval of the fitted slope leaves, where it is finite."""
    interval = row.judgement.effect.slope_interval
    if interval is None or not (is_number(interval.low) and is_number(interval.high)):
        return []
    ink, label = Ink(FITTED, 0, fill=FITTED, alpha=0.22, order=1.5), f"{row.interval_words} of its slope"
    return [_between(law, interval.low, interval.high, ink, "band", label)]


def _line(law: DrawnLaw, heights: Array, ink: Ink, name: str, label: str) -> Mark:
    return Trace(ink, name, label, xs=law.axis.tolist(), ys=heights.tolist())


def _between(law: DrawnLaw, low: float, high: float, ink: Ink, name: str, label: str) -> Mark:
    xs, lows, highs = (values.tolist() for values in (law.axis, law.turned(low), law.turned(high)))
    return Area(ink, name, label, xs=xs, low=lows, high=highs)
