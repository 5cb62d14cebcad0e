"""What a picture shows and where: every mark, line and band of a panel, to be held against what was measured.

A mark stands at a measured place. A line or a band lies between the first and the last of them. An axis holds what is
drawn with some room, and not more. What is no measurement, such as a margin, says so by its name `reference`, or has
only one coordinate in units of the data, as a level has; `interval` is the name of one that ends where it ends, and
`open` that of its arrow where it has no end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from checks.report.pictures.model import Area, Box, Guide, Panel, Strokes, Trace
from checks.report.pictures.renderer import draw

ROOM = 0.35
"""Of what is drawn, left free at either end of an axis."""
_FREE = ("reference", "interval", "open")


def axes_of(panel: Panel) -> Axes:
    """The panel as matplotlib draws it, and nowhere else than the panel says."""
    axes = Figure().add_subplot()
    for mark, artist in draw(axes, panel):
        if isinstance(mark, Trace):
            assert isinstance(artist, Line2D)
            assert np.array_equal(np.array(artist.get_data(), dtype=float), [mark.xs, mark.ys], equal_nan=True)
            in_data = artist.get_transform().contains_branch_seperately(axes.transData)
            assert tuple(map(bool, in_data)) == (True, not mark.on_frame)
            assert artist.get_color() == artist.get_markeredgecolor() == mark.ink.colour or not mark.ink.shape
            assert artist.get_markevery() == (None if mark.at is None else list(mark.at))
        elif isinstance(mark, Strokes):
            assert isinstance(artist, LineCollection)
            drawn = np.reshape(artist.get_segments(), (-1, 4))
            for seen, meant in zip(drawn, mark.ends, strict=True):
                is_inside = np.isfinite(meant) & ((np.array(meant) > 0) | (axes.get_yscale() != "log"))
                assert np.array_equal(seen[is_inside], np.array(meant)[is_inside])
        elif isinstance(mark, Area):
            assert isinstance(artist, PolyCollection)
            corners = artist.get_paths()[0].vertices
            assert {tuple(at) for at in corners} == {
                *zip(mark.xs, mark.low, strict=True),
                *zip(mark.xs, mark.high, strict=True),
            }
        elif isinstance(mark, Box):
            assert isinstance(artist, Rectangle)
            assert (artist.get_x(), artist.get_y()) == (mark.left, mark.low)
            assert (artist.get_width(), artist.get_height()) == (mark.right - mark.left, mark.high - mark.low)
    return axes


def marks(panel: Panel, way: int) -> Iterator[float]:
    """Coordinates of all marks along x (0) or y (1), where these are in units of the data."""
    for line in panel.marks:
        if isinstance(line, Trace) and line.ink.shape and line.name not in _FREE and not (way and line.on_frame):
            found = np.asarray((line.xs, line.ys)[way], dtype=float)
            yield from found if line.at is None else found[list(line.at)]


def spans(panel: Panel, way: int, *, free: bool = False) -> Iterator[tuple[float, float]]:
    """Ends along x or y of all lines, bands and rectangles; with `free`, of what may end elsewhere as well."""
    for mark in panel.marks:
        if mark.name in _FREE and not free:
            continue
        found: Sequence[Sequence[float]] = ()
        if isinstance(mark, Trace) and mark.ink.dash and not (way and mark.on_frame):
            found = [(mark.xs, mark.ys)[way]]
        elif isinstance(mark, Strokes):
            found = [ends[way::2] for ends in mark.ends]
        elif isinstance(mark, Area):
            found = [mark.xs] if way == 0 else [mark.low, mark.high]
        elif isinstance(mark, Box):
            found = [(mark.left, mark.right) if way == 0 else (mark.low, mark.high)]
        elif isinstance(mark, Guide) and mark.axis == "xy"[way]:
            found = [(mark.at,)]
        for values in (np.asarray(one, dtype=float) for one in found):
            known = values[np.isfinite(values)]
            if len(known):
                yield float(known.min()), float(known.max())


def require_measured(
    panel: Panel,
    *,
    xs: Sequence[float],
    ys: Sequence[float] | None = None,
    has_middles: bool = False,
    holds: Sequence[float] = (),
) -> None:
    """Assert that nothing is drawn where nothing was measured.

    Args:
        xs, ys: where something was measured along either axis; None where the picture's heights are laws as well.
        has_middles: heights may be those of a middle, which lies between measured ones.
        holds: what the axis along x must hold by its meaning, such as 0 and 1 of a share.
    """
    axes = axes_of(panel)
    for way, known in enumerate((xs, ys)):
        if known is None:
            continue
        places = np.unique(np.asarray(list(known), dtype=float))
        for place in marks(panel, way) if not (way and has_middles) else ():
            near = places[np.abs(places - place).argmin()]
            assert np.isclose(place, near, rtol=1e-9, atol=0), f"a mark at {place:g}, where nothing was measured"
        ends = [(place, place) for place in marks(panel, way)]
        for low, high in [*spans(panel, way), *ends]:
            slack = 1e-9 * max(abs(places[0]), abs(places[-1]))
            told = f"drawn from {low:g} to {high:g}, measured from {places[0]:g} to {places[-1]:g}"
            assert places[0] - slack <= low, told
            assert high <= places[-1] + slack, told
        _require_fitting(panel, axes, way, np.array([*places, *([] if way else holds)]))


def _require_fitting(panel: Panel, axes: Axes, way: int, places: np.ndarray) -> None:
    """Assert that an axis reaches no further than what stands on it, or to zero where it is linear."""
    limits = np.asarray((axes.get_xlim(), axes.get_ylim())[way], dtype=float)
    transform = (axes.xaxis, axes.yaxis)[way].get_transform()
    shown = [*places, *(end for low_high in spans(panel, way, free=True) for end in low_high)]
    inside = [place for place in shown if min(limits) <= place <= max(limits)]
    low, high = transform.transform(np.array([min(inside), max(inside)], dtype=float))
    first, last = transform.transform(np.sort(limits))
    least = ROOM * (high - low) if high > low else 1.0
    is_zero = np.sort(limits)[0] == 0 and (axes.get_xscale(), axes.get_yscale())[way] == "linear"
    told = f"an axis from {limits[0]:g} to {limits[1]:g} for places from {min(inside):g} to {max(inside):g}"
    assert is_zero or low - first <= least, told
    assert last - high <= least, told
