"""Several threshold curves in one panel: trained against frozen, one reading or level of success against another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.records.rows import Point, Row
from checks.report.escape import drawn
from checks.report.figures.gathered import Piece
from checks.report.figures.labels import set_ticks, words
from checks.report.figures.panel import SERIES, SHAPES, shifted
from checks.report.figures.success_maps import as_points, curves_part, is_log, points_of
from checks.report.laws import law_through_points
from checks.report.marks import is_number, mark, set_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_APART = 3.5
"""Points by which curves stand aside, which may have the same places."""


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """One curve: its points, the confidence of their intervals, and the row whose fitted slope is drawn, if any."""

    name: str
    points: tuple[Point, ...]
    confidence: float
    row: Row | None = None


def series_of(piece: Piece) -> ThresholdCurve:
    """A part's thresholds, named after the part with the slope that was fitted."""
    row = piece.row
    slope = row.judgement.exponents.measured if row is not None else None
    name = piece.part.name + ("" if slope is None else f" (slope {slope:+.2f})")
    return ThresholdCurve(name, points_of(piece), piece.part.confidence, row)


def levels_of(piece: Piece) -> list[ThresholdCurve]:
    """The thresholds of one part at every level of success that it looks at, its own first; none where it has one."""
    from checks.statistics.estimates import estimate_threshold

    part = curves_part(piece)
    if not part.levels:
        return []
    own = points_of(piece)
    used = {point.value: point.in_regime for point in own}
    groups = part.groups(piece.trials)
    found = [ThresholdCurve(f"{words(part.success)} as judged", own, part.confidence, piece.row)]
    for name, level in part.levels.items():
        estimates = {
            value: estimate_threshold(*part.curve(group, level=level), confidence=part.confidence)
            for value, group in groups.items()
        }
        found.append(ThresholdCurve(name, as_points(estimates, used), part.confidence))
    return found


def draw_overlay(axes: Axes, series: Sequence[ThresholdCurve], *, size: str) -> None:
    """One colour and shape a curve: thresholds with intervals, and dashed the slope fitted to them."""
    xs = [point.value for one in series for point in one.points]
    heights = [
        end for one in series for point in one.points for end in (point.measured, point.low, point.high)
        if is_number(end) and end > 0
    ]  # fmt: skip
    set_scale(axes, "y", heights)
    if is_log(xs):
        set_scale(axes, "x", xs)
    else:
        set_ticks(axes.xaxis, sorted(set(xs)), log=False, apart=0.1)
    for number, one in enumerate(series):
        colour, shape = SERIES[number % len(SERIES)], SHAPES[number % len(SHAPES)]
        style = {"colour": colour, "shape": shape, "size": 4.2, "noun": drawn(one.name)}
        with shifted(axes, _APART * (number - (len(series) - 1) / 2)):
            for used, told in ((True, ""), (False, ", outside")):
                chosen = [(point.value, point) for point in one.points if (point.in_regime is not False) is used]
                mark(axes, chosen, words=told, confidence=one.confidence, filled=used, **style)
        law = law_through_points(one.row) if one.row is not None else None
        slope = one.row.judgement.effect.slope if one.row is not None else None
        if law is not None and slope is not None:
            fit = law.turned(slope)
            axes.plot(law.axis, fit, color=colour, lw=1.0, ls=(0, (4, 2)), gid="fitted")
    axes.set_ylabel(f"{words(size)} at the threshold", parse_math=False)


def told(series: Sequence[ThresholdCurve]) -> str:
    """Each curve with its thresholds, in words."""

    def shown(point: Point) -> str:
        found = f"{point.measured:.3g}" if point.measured is not None else point.censored or "no threshold"
        return f"{found} at {point.value:g}"

    return "; ".join(f"{one.name}: {', '.join(map(shown, one.points))}" for one in series)
