"""A map: a grid whose cells carry a name each, one colour and one letter a name, the same in all maps of a row.

Values along the axes stand at equal distances whatever they are, since a grid is a list of settings and no measure. A
white cell was not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.records.pictures import Cells
from checks.report.escape import drawn, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#999999", "#000000")
"""Okabe and Ito's, in the order of a legend."""
_MOST_LETTERS = 400
"""Cells of a map up to which a letter can be read in each."""
_DARK = 0.5


def draw_cells(axes: Axes, picture: Cells) -> None:
    """Every cell a square in the colour of its name."""
    import numpy as np
    from matplotlib.colors import to_rgb

    white = (1.0, 1.0, 1.0)
    colours = {name: to_rgb(COLOURS[place % len(COLOURS)]) for place, name in enumerate(picture.legend)}
    axes.imshow(
        np.array([[colours.get(name, white) for name in row] for row in picture.names]),
        aspect="auto", interpolation="nearest", origin="lower", gid="cells",
    )  # fmt: skip
    for axis, values in ((axes.xaxis, picture.xs), (axes.yaxis, picture.ys)):
        shown = range(0, len(values), -(-len(values) // 6))
        axis.set_ticks(list(shown), [f"{values[place]:.3g}" for place in shown])
    for edge in range(1, len(picture.xs)):
        axes.axvline(edge - 0.5, color="white", lw=0.4)
    for edge in range(1, len(picture.ys)):
        axes.axhline(edge - 0.5, color="white", lw=0.4)
    if len(picture.xs) * len(picture.ys) <= _MOST_LETTERS:
        _write_letters(axes, picture)
    axes.set_xlabel(plain(picture.x_words), parse_math=False)
    axes.set_ylabel(plain(picture.y_words), parse_math=False)


def _write_letters(axes: Axes, picture: Cells) -> None:
    """The letter of its name in every cell, so that no colour is needed."""
    from matplotlib.colors import to_rgb

    for row, names in enumerate(picture.names):
        for column, name in enumerate(names):
            if name in picture.legend:
                place = list(picture.legend).index(name)
                red, green, blue = to_rgb(COLOURS[place % len(COLOURS)])
                colour = "white" if 0.3 * red + 0.6 * green + 0.1 * blue < _DARK else "black"
                style = {"ha": "center", "va": "center", "fontsize": 6, "color": colour}
                axes.text(column, row, letter_of(place), gid="letter", **style)


def letter_of(place: int) -> str:
    """The letter that stands for a name of a legend, by its place there."""
    return chr(ord("A") + place % 26)


def legend_of(figure: Figure, pictures: Sequence[Cells]) -> None:
    """One legend for all maps of a figure, of the names that occur; none where there is no map."""
    from matplotlib.patches import Patch

    seen = {name for picture in pictures for row in picture.names for name in row}
    legend = {name: place for picture in pictures for place, name in enumerate(picture.legend) if name in seen}
    if legend:
        patches = [
            Patch(color=COLOURS[place % len(COLOURS)], label=f"{letter_of(place)}  {drawn(name.replace('_', ' '))}")
            for name, place in legend.items()
        ]
        figure.legend(handles=patches, loc="outside lower left", ncols=min(2, len(pictures)), frameon=False)
