"""A quantity along an axis on logarithmic axes: every run, means with intervals, the claim and the slope fitted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from checks.evidence.sampled import Scaling
from checks.report.figures.gathered import Piece
from checks.report.laws import draw_fit_band, law_through_points
from checks.report.marks import mark_on_frame
from checks.report.plot import draw_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RUN = "#56B4E9"


def draw_scaling(axes: Axes, piece: Piece) -> None:
    """Single runs behind the row's own picture; a run that was cut off is an arrow head where it was."""
    part, row = piece.part, piece.row
    if not isinstance(part, Scaling):
        raise TypeError(f"piece must be of a Scaling, got {type(part).__name__}")
    groups = part.groups(part.counted(piece.trials))
    runs = [(x, part.value(trial)) for x, group in groups.items() for trial in group]
    ended = [(x, y) for x, y in runs if math.isfinite(y)]
    cut = [(x, part.limit(t)) for x, group in groups.items() for t in group if math.isinf(part.value(t))]
    cut = [(x, y) for x, y in cut if math.isfinite(y)]
    if row is not None and row.points:
        draw_points(axes, row)
        law = law_through_points(row)
        if law is not None and row.judgement.exponents.prefactor is not None:
            draw_fit_band(axes, law, row)
    style = {"mew": 0.7, "mec": RUN, "mfc": "none"}
    if axes.get_yscale() == "log":  # a run below all that was looked at is known to be small, and not how small
        label = "runs below the least value seen"
        mark_on_frame(axes, [x for x, y in ended if y <= 0], 0.02, label, {"marker": "v", "ms": 3.5, **style})
        ended = [(x, y) for x, y in ended if y > 0]
    if ended:
        placed = {"ls": "none", "zorder": 2.0, "label": "single runs", "gid": "run"}
        axes.plot(*zip(*ended, strict=True), marker="o", ms=2.2, **placed, **style)
    if cut:
        placed = {"ls": "none", "zorder": 2.0, "label": "runs cut off, lie above", "gid": "cut"}
        axes.plot(*zip(*cut, strict=True), marker="^", ms=3.5, **placed, **style)
    _fit_in(axes, [y for _, y in (*ended, *cut)])


def _fit_in(axes: Axes, heights: list[float]) -> None:
    """Limits that hold every run."""
    low, high = axes.get_ylim()
    if heights and axes.get_yscale() == "log" and min(heights) > 0:
        axes.set_ylim(min(low, min(heights) / 1.2), max(high, max(heights) * 1.2))
    elif heights:
        room = 0.05 * (max(heights) - min(heights))
        axes.set_ylim(min(low, min(heights) - room), max(high, max(heights) + room))
