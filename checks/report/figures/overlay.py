"""Thresholds of several parts of one claim in one panel: trained against frozen, one reading against another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.report.escape import drawn
from checks.report.figures.gathered import Piece
from checks.report.figures.labels import words
from checks.report.figures.panel import SERIES, SHAPES
from checks.report.figures.success_maps import points_of
from checks.report.laws import law_through_points
from checks.report.marks import is_number, mark, set_scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_overlay(axes: Axes, pieces: Sequence[Piece]) -> None:
    """One colour and shape a part: its thresholds with intervals, and dashed the slope fitted to them."""
    shown = [points_of(piece) for piece in pieces]
    xs = [point.value for points in shown for point in points]
    heights = [
        end for points in shown for point in points for end in (point.measured, point.low, point.high)
        if is_number(end) and end > 0
    ]  # fmt: skip
    set_scale(axes, "y", heights)
    set_scale(axes, "x", xs)
    for number, (piece, points) in enumerate(zip(pieces, shown, strict=True)):
        colour, shape = SERIES[number % len(SERIES)], SHAPES[number % len(SHAPES)]
        inside = [(point.value, point) for point in points if point.in_regime is not False]
        outside = [(point.value, point) for point in points if point.in_regime is False]
        style = {"colour": colour, "shape": shape, "size": 4.2}
        mark(axes, inside, words="", noun=series_name(piece), filled=True, **style)
        mark(axes, outside, words=", outside", noun=series_name(piece), filled=False, **style)
        _draw_fit(axes, piece, colour)
    first = pieces[0].part
    axes.set_ylabel(f"{words(first.size)} at the threshold", parse_math=False)  # type: ignore[attr-defined]


def _draw_fit(axes: Axes, piece: Piece, colour: str) -> None:
    law = law_through_points(piece.row) if piece.row is not None else None
    if law is None or piece.row is None or piece.row.judgement.delta is None:
        return
    fit = law.turned(piece.row.judgement.delta)
    axes.plot(law.axis, fit, color=colour, lw=1.0, ls=(0, (4, 2)), gid="fitted")


def series_name(piece: Piece) -> str:
    """The part, with the slope that was fitted to it."""
    row = piece.row
    slope = row.judgement.exponents.measured if row is not None else None
    return drawn(piece.part.name) + ("" if slope is None else f" (slope {slope:+.2f})")
