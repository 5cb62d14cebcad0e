"""The papers' own look at a law: what was measured against the claimed abscissa, on linear axes.

A straight line on linear axes is weak evidence: over a short range many exponents give one. So the correlation is told
together with every other exponent of the axis whose correlation is as high, or lower by no more than 0.01.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.records.rows import Point, Row
from checks.report.marks import MEASURED, UNUSED, is_number, mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXPONENTS = tuple(step / 4 for step in range(1, 33))
"""Sizes of the exponents that are tried: quarters up to 8."""
AS_STRAIGHT = 0.01
MIN_POINTS = 3
_LONGEST_FORMULA = 48


@dataclass(frozen=True)
class Look:
    """How straight the points are against the claimed abscissa, and between which exponents they are as straight."""

    correlation: float
    lowest: float
    highest: float

    def __str__(self) -> str:
        found = (
            f"as straight against exponents {self.lowest:g} to {self.highest:g}"
            if self.lowest < self.highest
            else f"no other exponent than {self.lowest:g} is as straight"
        )
        return f"r = {self.correlation:.3f}; {found} of the axis"


def abscissa(row: Row) -> list[tuple[float, Point]]:
    """Each point at the claim's own value, without the prefactor that was fitted; points where it has none are out."""
    prefactor = None if row.claim.kind.is_explicit else row.judgement.exponents.prefactor
    return [(point.bound / (prefactor or 1.0), point) for point in row.points if is_number(point.bound)]


def look_of(row: Row) -> Look | None:
    """The look, from points with a value; None where there are fewer than three, or they do not differ."""
    import numpy as np

    placed = [(x, point.value, point.measured) for x, point in abscissa(row) if is_number(point.measured)]
    if len(placed) < MIN_POINTS:
        return None
    claimed, axis, measured = (np.array(column, dtype=float) for column in zip(*placed, strict=True))
    if np.ptp(claimed) == 0 or np.ptp(measured) == 0 or axis.min() <= 0:
        return None

    def straightness(against: np.ndarray) -> float:
        return float(np.corrcoef(against, measured)[0, 1])

    correlation = straightness(claimed)
    sign = 1.0 if (claimed[axis.argmax()] > claimed[axis.argmin()]) else -1.0
    near = [
        sign * size for size in EXPONENTS
        if np.ptp(axis) > 0 and straightness((axis / axis.max()) ** (sign * size)) >= correlation - AS_STRAIGHT
    ]  # fmt: skip
    if not near:
        return Look(correlation, float("nan"), float("nan"))
    return Look(correlation, min(near), max(near))


def draw_look(axes: Axes, row: Row, *, noun: str = "measured") -> None:
    """The points, and the straight line of least squares through those with a value."""
    import numpy as np

    placed = abscissa(row)
    valued = [(x, point.measured) for x, point in placed if is_number(point.measured)]
    highest = [end for _, point in placed for end in (point.measured, point.low) if is_number(end)]
    axes.set_xlim(0, 1.08 * max((x for x, _ in placed), default=1.0))
    axes.set_ylim(0, 1.25 * max(highest, default=1.0))
    if len(valued) >= MIN_POINTS and len({x for x, _ in valued}) > 1:
        xs, ys = (np.array(column, dtype=float) for column in zip(*valued, strict=True))
        slope, start = np.polyfit(xs, ys, 1)
        ends = np.array([xs.min(), xs.max()])
        axes.plot(ends, slope * ends + start, color=UNUSED, lw=1.0, label="straight line fitted", gid="straight")
    for used, words in ((True, ""), (False, ", outside")):
        chosen = [(x, point) for x, point in placed if (point.in_regime is not False) is used]
        mark(axes, chosen, colour=MEASURED, words=words, filled=used, noun=noun, size=4.2)
    axes.set_xlabel(abscissa_words(row))
    axes.locator_params(nbins=5)


def abscissa_words(row: Row) -> str:
    """The claimed value as a formula, where it is short and in the axis alone."""
    import sympy as sp

    claim, axis = row.claim, row.axis
    if claim.value is not None and axis is not None and claim.value.free_symbols == {axis.symbol}:
        formula = sp.latex(claim.value).replace("#", r"\#")
        if len(formula) <= _LONGEST_FORMULA:
            return f"${formula}$"
    return "claimed value"
