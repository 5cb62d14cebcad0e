"""Axes that hold what was measured and no more: logarithmic where all is positive, and never with a made-up zero."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from checks.report.pictures.model import PanelAxis, is_number

_WIDE = 2.0
"""Ratio of the largest to the smallest value of a grid from which on its axis is logarithmic."""
_EVEN = 0.2
"""Where half of the records lie within this share of the run, steps grow geometrically and the axis is logarithmic."""


def fitted(values: Iterable[float | None], ends: Iterable[float | None] = (), words: str = "") -> PanelAxis:
    """Scale, limits and ticks of an axis. `ends` are shown as long as they at most triple the picture's height."""
    known = [value for value in values if is_number(value)]
    if not known:
        return PanelAxis(words)
    is_logarithmic = min(known) > 0
    low, high = (math.log10(end) if is_logarithmic else end for end in (min(known), max(known)))
    room = max(high - low, 0.3 if is_logarithmic else 0.1 * abs(high) or 1.0)
    finite = [end for end in ends if is_number(end) and (end > 0 or not is_logarithmic)]
    wide = [math.log10(end) if is_logarithmic else end for end in finite]
    low, high = max(min([low, *wide]), low - room), min(max([high, *wide]), high + room)
    pad = 0.08 * max(high - low, room)
    low, high = low - pad, high + pad
    if not is_logarithmic:
        return PanelAxis(words, ends=(low, high))
    steps = () if high - low >= 2.5 else (1, 2, 5) if high - low > 0.8 else (1, 1.5, 2, 3, 4, 6, 8)
    return PanelAxis(words, "log", (10**low, 10**high), steps=steps)


def log_from_zero(values: Iterable[float], words: str = "", *, pad: float = 0.06) -> PanelAxis:
    """A logarithmic axis that holds these values and no more; zeros stand at 0, left of a linear piece.

    A logarithm has no zero, and any place that stands for it would be one where nothing was measured. So below the
    least positive value the axis is linear, and its words say so. What is negative has no place.
    """
    known = [float(value) for value in values if math.isfinite(value) and value >= 0]
    positive = [value for value in known if value > 0]
    if not positive:
        return PanelAxis(words)
    low, high = min(positive), max(positive)
    factor = (high / low) ** pad if high > low else 1.5
    if len(positive) == len(known):
        return PanelAxis(words, "log", (low / factor, high * factor))
    said = f"{words} (linear from 0 to {float(f'{low:.2g}'):g})"
    return PanelAxis(said, "symlog", (-0.15 * low, high * factor), linear_to=low)


def of_steps(longest: Sequence[float], values: Iterable[float], words: str) -> PanelAxis:
    """An axis of steps: logarithmic where they grow geometrically in the longest run."""
    grows = len(longest) > 2 and longest[len(longest) // 2] < _EVEN * longest[-1]
    return log_from_zero(values, words) if grows else PanelAxis(words)


def is_log(values: Sequence[float]) -> bool:
    """Whether values span enough, all of them positive, for a logarithmic axis."""
    return min(values) > 0 and max(values) >= _WIDE * min(values)


def on_grid(
    axis: PanelAxis, values: Sequence[float], *, apart: float, words: Mapping[float, float] | None = None
) -> PanelAxis:
    """The axis with ticks at values of a grid, each at least a share `apart` of its length from the one before.

    Args:
        words: the numbers that stand at the ticks; the values themselves unless given.
    """
    places = [math.log(value) if axis.scale == "log" else value for value in values]
    shown: list[int] = []
    for number, place in enumerate(places):
        if not shown or place - places[shown[-1]] >= apart * (places[-1] - places[0]):
            shown.append(number)
    return replace(axis, ticks=[(values[i], f"{words[values[i]] if words else values[i]:.4g}") for i in shown])


def listed(words: Sequence[str]) -> PanelAxis:
    """A vertical axis of lines under one another, the first on top, at the heights of `heights_of`."""
    return PanelAxis(ends=(0.4, len(words) + 0.6), ticks=list(zip(heights_of(words), words, strict=True)))


def heights_of(lines: Sequence[object]) -> list[int]:
    """Where each line of a list stands."""
    return list(range(len(lines), 0, -1))
