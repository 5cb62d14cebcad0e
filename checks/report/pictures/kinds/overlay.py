"""Several threshold curves in one panel: trained against frozen, one reading or level of success against another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from checks.evidence.thresholds import SuccessCurves
from checks.records.rows import Point, Row
from checks.report.escape import drawn
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.kinds.success_maps import curves_part, points_of, tables_of
from checks.report.pictures.laws import law_through_points
from checks.report.pictures.model import SERIES, SHAPES, Band, Ink, Mark, Panel, PanelAxis, Trace, inked, is_number
from checks.report.pictures.points import as_points, used_and_not
from checks.report.pictures.scales import fitted, is_log, on_grid
from checks.report.pictures.words import labelled, words
from checks.statistics.estimates import estimate_threshold

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


def overlaid(series: Sequence[ThresholdCurve], *, size: str) -> Panel:
    """One colour and shape a curve: thresholds with intervals, and dashed the slope fitted to them."""
    xs = [point.value for one in series for point in one.points]
    heights = [
        end for one in series for point in one.points for end in (point.measured, point.low, point.high)
        if is_number(end) and end > 0
    ]  # fmt: skip
    x = fitted(xs) if is_log(xs) else on_grid(PanelAxis(), sorted(set(xs)), apart=0.1)
    marks = [mark for number, one in enumerate(series) for mark in _curve(number, one, len(series))]
    return Panel(x, fitted(heights, words=drawn(f"{words(size)} at the threshold")), marks)


def _curve(number: int, one: ThresholdCurve, count: int) -> list[Mark]:
    colour, shape = SERIES[number % len(SERIES)], SHAPES[number % len(SHAPES)]
    placed = [(point.value, point) for point in one.points]
    style = {"colour": colour, "unused": colour, "shape": shape, "size": 4.2, "noun": drawn(one.name)}
    marks = inked(used_and_not(placed, confidence=one.confidence, **style), aside=_APART * (number - (count - 1) / 2))
    law = law_through_points(one.row) if one.row is not None else None
    slope = one.row.judgement.effect.slope if one.row is not None else None
    if law is not None and slope is not None:
        ink, heights = Ink(colour, 1.0, "long-dashed"), law.turned(slope).tolist()
        marks.append(Trace(ink, "fitted", xs=law.axis.tolist(), ys=heights))
    return marks


def told(series: Sequence[ThresholdCurve]) -> str:
    """Each curve with its thresholds, in words."""

    def shown(point: Point) -> str:
        found = f"{point.measured:.3g}" if point.measured is not None else point.censored or "no threshold"
        return f"{found} at {point.value:g}"

    return "; ".join(f"{one.name}: {', '.join(map(shown, one.points))}" for one in series)


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """Levels of success of one part, and all parts along one axis."""
    curves = [piece for piece in pieces if isinstance(piece.part, SuccessCurves)]
    by_axis: dict[tuple[object, str], list[Piece]] = {}
    for piece in curves:
        by_axis.setdefault((curves_part(piece).symbol, curves_part(piece).size), []).append(piece)
    together = [_together(group) for group in by_axis.values() if len(group) > 1]
    return [*(_levels(piece, found) for piece in curves if (found := levels_of(piece))), *together]


def _levels(piece: Piece, series: Sequence[ThresholdCurve]) -> Band:
    part = curves_part(piece)
    panel = labelled(overlaid(series, size=part.size), piece, "", in_step=False)
    title = f"{part.name}: other levels of success"
    return Band(title, (panel,), told(series), most=3, data=tables_of(piece), along=str(part.symbol))


def _together(group: Sequence[Piece]) -> Band:
    series = [series_of(piece) for piece in group]
    panel = labelled(overlaid(series, size=curves_part(group[0]).size), group[0], "", in_step=False)
    said = f"Thresholds over each other: {'; '.join(one.name for one in series)}"
    data = tuple(table for piece in group for table in tables_of(piece))
    return Band("All thresholds together", (panel,), said, most=1, data=data)


KIND = PictureKind(place=10, bands=_bands)
