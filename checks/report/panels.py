"""Panels side by side: matrices as heat maps, curves, grids of named cells. What a claim about a picture looks like.

Heat maps of one row share neither scale nor colour bar: each says what it shows with its own. A matrix of zeros and
ones is drawn in grey, any other from its least to its largest entry, and what is not a number is left white. A curve's
level is a dashed line in the colour of what is claimed; an axis that starts at 0 is linear up to its first other value,
and says so, since a logarithm has no zero.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.records.pictures import Cells, Lines, Matrix, Picture
from checks.report.cells import draw_cells, legend_of
from checks.report.escape import drawn, plain
from checks.report.marks import CLAIMED, MEASURED, UNUSED, set_log_from_zero, with_zero

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL_INCHES = 1.75
_NARROWEST_INCHES = 2.6
_TITLE_CHARACTERS = 26  # to a panel
_MOST_TICKS = 5  # of a matrix; ten three-figure numbers run into each other
_STYLES = ("-", ":", "-.", (0, (5, 1)))


def draw_panels(pictures: Sequence[Picture], *, title: str) -> Figure:
    """Draw the panels from left to right under one title."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(PANEL_INCHES * len(pictures), _NARROWEST_INCHES), 2.3), layout="constrained")
    for axes, picture in zip(figure.subplots(1, len(pictures), squeeze=False)[0], pictures, strict=True):
        if isinstance(picture, Matrix):
            _draw_matrix(figure, axes, picture)
        elif isinstance(picture, Cells):
            draw_cells(axes, picture)
        else:
            _draw_lines(axes, picture)
        axes.set_title("\n".join(textwrap.wrap(plain(picture.title), _TITLE_CHARACTERS)), loc="left", parse_math=False)
    legend_of(figure, [picture for picture in pictures if isinstance(picture, Cells)])
    width = int(_TITLE_CHARACTERS * figure.get_figwidth() / PANEL_INCHES)
    words = "\n".join(textwrap.wrap(plain(title), width))
    figure.suptitle(words, x=0.01, ha="left", fontsize=8, fontweight="bold", parse_math=False)
    return figure


def _draw_matrix(figure: Figure, axes: Axes, picture: Matrix) -> None:
    """Every entry a square."""
    from matplotlib.ticker import MaxNLocator

    binary = set(picture.values.flat) <= {0.0, 1.0}
    image = axes.imshow(picture.values, cmap="Greys" if binary else "viridis", interpolation="nearest", gid="matrix")
    axes.set_xlabel("column")
    axes.set_ylabel("row")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(_MOST_TICKS, integer=True))
    axes.spines[["top", "right"]].set_visible(True)
    if not binary:
        figure.colorbar(image, ax=axes, location="bottom", shrink=0.9, aspect=25)


def _draw_lines(axes: Axes, picture: Lines) -> None:
    """Every curve by its name, and the level."""
    import numpy as np

    x = np.asarray(picture.axis, dtype=float)
    set_log_from_zero(axes, "x", [*x, *picture.marks.values()])
    if picture.log:
        heights = [float(value) for values in picture.lines.values() for value in values]
        set_log_from_zero(axes, "y", [*heights, *([] if picture.level is None else [picture.level[1]])])
    for number, (name, values) in enumerate(picture.lines.items()):
        style = {"ls": _STYLES[number % len(_STYLES)], "lw": 1.0, "color": MEASURED}
        axes.plot(x, values, label=drawn(name), gid="curve", **style)
    if picture.level is not None:
        name, height = picture.level
        axes.axhline(height, color=CLAIMED, lw=1.0, ls="--", label=drawn(name), gid="level")
    for name, place in picture.marks.items():
        axes.axvline(place, color=UNUSED, lw=0.8, ls="--", gid="mark")
        style = {"xytext": (2, -1), "textcoords": "offset points", "va": "top", "color": UNUSED}
        axes.annotate(drawn(name), (place, 1), xycoords=("data", "axes fraction"), **style)
    axes.set_xlabel(with_zero(axes, "x", plain(picture.axis_words)), parse_math=False)
    axes.legend(loc="best", frameon=False, handlelength=1.4)
