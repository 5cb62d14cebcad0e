"""What a picture shows and where: every mark, line and band of its axes, to be held against what was measured.

A mark stands at a measured place. A line or a band lies between the first and the last of them. An axis holds what is
drawn with some room, and not more. What is no measurement, such as a margin, says so by its name `reference`, or has
only one coordinate in units of the data, as a level has; `interval` is the name of one that ends where it ends, and
`open` that of its arrow where it has no end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

ROOM = 0.35
"""Of what is drawn, left free at either end of an axis."""
_NO_MARKER = ("None", None, "", " ")
_FREE = ("reference", "interval", "open")


def marks(axes: Axes, way: int) -> Iterator[float]:
    """Coordinates of all marks along x (0) or y (1), where these are in units of the data."""
    for line in axes.lines:
        in_data = line.get_transform().contains_branch_seperately(axes.transData)[way]
        if in_data and line.get_gid() not in _FREE and line.get_marker() not in _NO_MARKER:
            every = line.get_markevery()
            found = np.asarray(line.get_data()[way], dtype=float)
            yield from found[::every] if isinstance(every, int) else found if every is None else found[every]


def spans(axes: Axes, way: int, *, free: bool = False) -> Iterator[tuple[float, float]]:
    """Ends along x or y of all lines, bands and rectangles; with `free`, of what may end elsewhere as well."""
    for artist in axes.get_children():
        if artist.get_gid() in _FREE and not free:
            continue
        found: Sequence[np.ndarray] = ()
        if isinstance(artist, Line2D) and artist.get_linestyle() not in _NO_MARKER:
            if artist.get_transform().contains_branch_seperately(axes.transData)[way]:
                found = [np.asarray(artist.get_data()[way], dtype=float)]
        elif isinstance(artist, Collection):
            if artist.get_transform().contains_branch_seperately(axes.transData)[way]:
                found = [path.vertices[:, way] for path in artist.get_paths() if len(path.vertices)]
        elif isinstance(artist, Rectangle) and artist is not axes.patch:
            start, length = ((artist.get_x(), artist.get_width()), (artist.get_y(), artist.get_height()))[way]
            found = [np.array([start, start + length])]
        for values in found:
            values = values[np.isfinite(values)]
            if len(values):
                yield float(values.min()), float(values.max())


def require_measured(
    axes: Axes,
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
    for way, known in enumerate((xs, ys)):
        if known is None:
            continue
        places = np.unique(np.asarray(list(known), dtype=float))
        for place in marks(axes, way) if not (way and has_middles) else ():
            near = places[np.abs(places - place).argmin()]
            assert np.isclose(place, near, rtol=1e-9, atol=0), f"a mark at {place:g}, where nothing was measured"
        ends = [(place, place) for place in marks(axes, way)]
        for low, high in [*spans(axes, way), *ends]:
            slack = 1e-9 * max(abs(places[0]), abs(places[-1]))
            told = f"drawn from {low:g} to {high:g}, measured from {places[0]:g} to {places[-1]:g}"
            assert places[0] - slack <= low, told
            assert high <= places[-1] + slack, told
        _require_fitting(axes, way, np.array([*places, *([] if way else holds)]))


def _require_fitting(axes: Axes, way: int, places: np.ndarray) -> None:
    """Assert that an axis reaches no further than what stands on it, or to zero where it is linear."""
    limits = np.asarray((axes.get_xlim(), axes.get_ylim())[way], dtype=float)
    transform = (axes.xaxis, axes.yaxis)[way].get_transform()
    shown = [*places, *(end for low_high in spans(axes, way, free=True) for end in low_high)]
    inside = [place for place in shown if min(limits) <= place <= max(limits)]
    low, high = transform.transform(np.array([min(inside), max(inside)], dtype=float))
    first, last = transform.transform(np.sort(limits))
    least = ROOM * (high - low) if high > low else 1.0
    is_zero = np.sort(limits)[0] == 0 and (axes.get_xscale(), axes.get_yscale())[way] == "linear"
    told = f"an axis from {limits[0]:g} to {limits[1]:g} for places from {min(inside):g} to {max(inside):g}"
    assert is_zero or low - first <= least, told
    assert last - high <= least, told
