"""Points of a picture: what is known of each, by its mark, and the scales they stand on.

A dot is a value, and the bar through it its interval, which runs out of the frame where the data do not bound it. An
arrow stands on the bound of a censored point and shows to which side the value lies; it hangs on the frame where there
is no bound either. A cross on the frame is a point without an estimate. Blue took part in the verdict, grey and hollow
did not. Every point of a row is one of these: none is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from checks.records.rows import Point, Row
from checks.statistics.policy import level_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Told apart with any colour vision, and by brightness in print. [Okabe and Ito 2008; the fit is from Tol 2021]
MEASURED = "#0072B2"
CLAIMED = "#D55E00"
FITTED = "#AA3377"
UNUSED = "#999999"

_LINEAR_DECADES = 0.5
"""How long the linear piece of an axis is, in powers of ten."""
ARROW_SIZE = 18.0
"""Size of a marker whose arrow is half as long, in points."""


def mark(
    axes: Axes,
    points: Sequence[tuple[float, Point]],
    *,
    colour: str,
    words: str,
    confidence: float,
    size: float = 3.6,
    noun: str = "measured",
    filled: bool | None = None,
    shape: str = "o",
) -> None:
    """Points of one colour: values with intervals, bounds as arrows, and crosses for what has neither.

    `confidence` is that of the intervals. `filled` and `shape` are those of a value; what took part in a verdict is
    filled unless said otherwise.
    """
    low, high = axes.get_ylim()
    far = (low / 10, high * 10) if axes.get_yscale() == "log" else (2 * low - high, 2 * high - low)
    face = colour if (colour == MEASURED if filled is None else filled) else "white"
    valued = [(x, p.measured, p) for x, p in points if p.censored is None and is_number(p.measured)]
    bars = [
        (x, _end(p.low, far[0]), _end(p.high, far[1])) for x, _, p in valued if p.low is not None or p.high is not None
    ]
    if bars:
        xs, lows, highs = (list(column) for column in zip(*bars, strict=True))
        axes.vlines(xs, lows, highs, color=colour, lw=0.9, zorder=3)
    if valued:
        label = f"{noun}{f', {level_words(confidence)} interval' if bars else ''}{words}"
        style = {"marker": shape, "ms": size, "mew": 0.8, "mec": colour, "mfc": face}
        axes.plot([x for x, _, _ in valued], [y for _, y, _ in valued], ls="none", label=label, zorder=4, **style)
    for side in ("above", "below"):
        beyond = [(x, anchor(point)) for x, point in points if point.censored == side]
        known = [(x, y) for x, y in beyond if y is not None]
        style = {"ms": ARROW_SIZE, "mew": 1.0, "mec": colour, "mfc": "none"}
        if known:
            label = f"lies {side} (censored){words}"
            axes.plot(*zip(*known, strict=True), ls="none", label=label, zorder=4, marker=_arrow(side), **style)
        lost = [x for x, y in beyond if y is None]
        height, label = (0.93 if side == "above" else 0.07), f"lies {side} an unknown bound (censored){words}"
        mark_on_frame(axes, lost, height, label, {"marker": _arrow(side, foot=False), **style})
    empty = [x for x, point in points if point.censored is None and not is_number(point.measured)]
    mark_on_frame(axes, empty, 0.02, f"no estimate{words}", {"marker": "x", "ms": 4, "mew": 1.0, "mec": colour})


def mark_on_frame(axes: Axes, xs: Sequence[float], height: float, label: str, style: dict[str, Any]) -> None:
    """Marks that have a place on the axis and none on the scale of what is measured."""
    if xs:
        place = {"transform": axes.get_xaxis_transform(), "clip_on": False, "zorder": 4}
        axes.plot(xs, [height] * len(xs), ls="none", label=label, **style, **place)


def anchor(point: Point) -> float | None:
    """Where a censored point's arrow starts: the bound it lies beyond; None where nothing bounds it."""
    end = {"above": point.low, "below": point.high}.get(point.censored or "")
    return end if is_number(end) and end != 0 else None


def _end(value: float | None, far: float) -> float:
    """An interval's end; beyond the frame where the data do not bound it."""
    return far if value is None or not math.isfinite(value) or (value == 0 and far > 0) else value


def _arrow(side: str, *, foot: bool = True) -> Any:
    """A marker whose foot stands on the bound and whose head shows where the value lies."""
    from matplotlib.path import Path as Outline

    sign = 1 if side == "above" else -1
    strokes = [(0, 0), (0, 1), (-0.22, 0.65), (0, 1), (0.22, 0.65)]
    codes = [Outline.MOVETO, Outline.LINETO, Outline.MOVETO, Outline.LINETO, Outline.LINETO]
    if foot:
        strokes, codes = [(-0.25, 0), (0.25, 0), *strokes], [Outline.MOVETO, Outline.LINETO, *codes]
    return Outline([(x, sign * y) for x, y in strokes], codes)


def is_number(value: float | None) -> TypeGuard[float]:
    """Whether a figure is there and finite."""
    return value is not None and math.isfinite(value)


# -------------------------------------------------------------------------------------------------------------- scales


def set_scales(axes: Axes, row: Row, xs: Iterable[float], more: Iterable[float | None]) -> None:
    """Logarithmic axes where all is positive, and limits that one wide interval cannot blow up."""
    core = [*more, *(p.measured for p in row.points if p.censored is None), *map(anchor, row.points)]
    ends = [end for point in row.points if point.measured is not None for end in (point.low, point.high)]
    if row.axis is None:
        axes.set_xlim(0.4, len(row.points) + 0.6)
    else:
        set_scale(axes, "x", [x for x in xs if is_number(x)])
    set_scale(axes, "y", [y for y in core if y is not None and is_number(y)], ends)


def set_log_from_zero(axes: Axes, name: str, values: Iterable[float], *, pad: float = 0.06) -> None:
    """A logarithmic axis that holds these values and no more; zeros stand at 0, left of a linear piece.

    A logarithm has no zero, and any place that stands for it would be one where nothing was measured. So below the
    least positive value the axis is linear, which `with_zero` says in its words. What is negative has no place.
    """
    known = [float(value) for value in values if math.isfinite(value) and value >= 0]
    positive = [value for value in known if value > 0]
    if not positive:
        return
    low, high = min(positive), max(positive)
    factor = (high / low) ** pad if high > low else 1.5
    if len(positive) == len(known):
        getattr(axes, f"set_{name}scale")("log", nonpositive="mask")
        low, high = low / factor, high * factor
    else:
        getattr(axes, f"set_{name}scale")("symlog", linthresh=low, linscale=_LINEAR_DECADES)
        low, high = -0.15 * low, high * factor
    getattr(axes, f"set_{name}lim")(low, high)


def with_zero(axes: Axes, name: str, words: str) -> str:
    """The words of an axis, with where it is linear, if `set_log_from_zero` has made it so."""
    axis = getattr(axes, f"{name}axis")
    if axis.get_scale() != "symlog":
        return words
    return f"{words} (linear from 0 to {axis.get_transform().linthresh:.2g})"


def set_scale(axes: Axes, name: str, values: Sequence[float], ends: Iterable[float | None] = ()) -> None:
    """Scale, limits and ticks of one axis. `ends` are shown as long as they at most triple the picture's height."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    if not values:
        return
    log = min(values) > 0
    low, high = (math.log10(end) if log else end for end in (min(values), max(values)))
    room = max(high - low, 0.3 if log else 0.1 * abs(high) or 1.0)
    finite = [end for end in ends if end is not None and math.isfinite(end) and (end > 0 or not log)]
    wide = [math.log10(end) if log else end for end in finite]
    low, high = max(min([low, *wide]), low - room), min(max([high, *wide]), high + room)
    pad = 0.08 * max(high - low, room)
    low, high = low - pad, high + pad
    if log:
        getattr(axes, f"set_{name}scale")("log")
        axis = getattr(axes, f"{name}axis")
        if high - low < 2.5:
            steps = (1, 2, 5) if high - low > 0.8 else (1, 1.5, 2, 3, 4, 6, 8)
            axis.set_major_locator(LogLocator(subs=steps, numticks=20))
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())
        low, high = 10**low, 10**high
    getattr(axes, f"set_{name}lim")(low, high)
