"""Points of a picture: what is known of each, by its mark.

A dot is a value, and the bar through it its interval, which runs out of the frame where the data do not bound it. An
arrow stands on the bound of a censored point and shows to which side the value lies; it hangs on the frame where there
is no bound either. A cross on the frame is a point without an estimate. Blue took part in the verdict, grey and hollow
did not. Every point of a row is one of these: none is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from checks.records.rows import Point
from checks.report.pictures.model import MEASURED, Ink, Mark, Strokes, Trace, is_number
from checks.statistics.policy import level_words

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate

EVERYWHERE: Mapping[float, bool | None] = {}
Placed = Sequence[tuple[float, Point]]


def marks_of(
    points: Placed,
    *,
    colour: str = MEASURED,
    words: str = "",
    confidence: float,
    size: float = 3.6,
    noun: str = "measured",
    is_filled: bool | None = None,
    shape: str = "circle",
) -> list[Mark]:
    """Points of one colour: values with intervals, bounds as arrows, and crosses for what has neither.

    `confidence` is that of the intervals. `is_filled` and `shape` are those of a value; what took part in a verdict is
    filled unless said otherwise.
    """
    face = colour if (colour == MEASURED if is_filled is None else is_filled) else "white"
    valued = [(x, p.measured, p) for x, p in points if p.censored is None and is_number(p.measured)]
    bars = [
        (x, _end(p.low, -math.inf), x, _end(p.high, math.inf))
        for x, _, p in valued
        if p.low is not None or p.high is not None
    ]
    found: list[Mark] = []
    if bars:
        found.append(Strokes(Ink(colour, 0.9, order=3), "interval of a point", ends=bars))
    if valued:
        label = f"{noun}{f', {level_words(confidence)} interval' if bars else ''}{words}"
        ink = Ink(colour, dash="", fill=face, shape=shape, size=size, edge=0.8, order=4)
        found.append(Trace(ink, "value", label, xs=[x for x, _, _ in valued], ys=[y for _, y, _ in valued]))
    for side in ("above", "below"):
        found += _arrows(points, side, Ink(colour, dash="", shape=side, size=18.0, order=4), words)
    empty = [x for x, point in points if point.censored is None and not is_number(point.measured)]
    ink = Ink(colour, dash="", shape="x", size=4.0, order=4)
    return [*found, *on_frame(empty, 0.02, ink, "nothing", f"no estimate{words}")]


def used_and_not(points: Placed, *, outside: str = ", outside", unused: str = MEASURED, **style: object) -> list[Mark]:
    """The marks of points that took part in a verdict, and those of the others, hollow."""
    found: list[Mark] = []
    for is_used, colour, words in ((True, MEASURED, ""), (False, unused, outside)):
        chosen = [(x, point) for x, point in points if (point.in_regime is not False) is is_used]
        given = {"colour": colour, "is_filled": is_used, **style}
        found += marks_of(chosen, words=words, **given)  # type: ignore[arg-type]
    return found


def _arrows(points: Placed, side: str, ink: Ink, words: str) -> list[Mark]:
    """Arrows of the points that lie to one side, on their bounds, or on the frame where nothing bounds them."""
    beyond = [(x, anchor(point)) for x, point in points if point.censored == side]
    known = [(x, y) for x, y in beyond if y is not None]
    xs, ys = [x for x, _ in known], [y for _, y in known]
    found: list[Mark] = [Trace(ink, side, f"lies {side} (censored){words}", xs=xs, ys=ys)] if known else []
    lost, height = [x for x, y in beyond if y is None], 0.93 if side == "above" else 0.07
    footless = replace(ink, shape=f"{side}, no foot")
    return [*found, *on_frame(lost, height, footless, side, f"lies {side} an unknown bound (censored){words}")]


def on_frame(xs: Sequence[float], height: float, ink: Ink, name: str, label: str) -> list[Mark]:
    """Marks that have a place on the axis and none on the scale of what is measured."""
    return [Trace(ink, name, label, xs=xs, ys=[height] * len(xs), on_frame=True)] if xs else []


def anchor(point: Point) -> float | None:
    """Where a censored point's arrow starts: the bound it lies beyond; None where nothing bounds it."""
    end = {"above": point.low, "below": point.high}.get(point.censored or "")
    return end if is_number(end) and end != 0 else None


def heights_shown(points: Sequence[Point]) -> list[float | None]:
    """Values and bounds of points: what a scale must hold."""
    return [*(p.measured for p in points if p.censored is None), *map(anchor, points)]


def _end(value: float | None, far: float) -> float:
    return far if value is None or not math.isfinite(value) else value


def as_points(
    estimates: Mapping[float, Estimate], in_regime: Mapping[float, bool | None] = EVERYWHERE
) -> tuple[Point, ...]:
    """Estimates by axis value as points of a picture."""
    return tuple(_point(value, estimate, in_regime.get(value, True)) for value, estimate in estimates.items())


def _point(value: float, estimate: Estimate, used: bool | None) -> Point:
    interval = estimate.confidence_interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    return Point(value, None, estimate.value, low, high, estimate.censored, used, n_trials=estimate.n_trials)
