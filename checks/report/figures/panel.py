"""The pieces that a page is made of: panels in bands, one band under the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.report.figures.gathered import Piece
from checks.report.figures.tables import Figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONT = {
    "font.size": 8.0,
    "axes.labelsize": 8.0,
    "axes.titlesize": 8.0,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "hatch.linewidth": 0.8,
    "svg.fonttype": "path",  # letters look the same everywhere
}
"""Sizes that can be read where a page is 600 pixels wide."""
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, for curves side by side; each has a marker of its own too."""
SHAPES = ("o", "s", "^", "D", "v", "P", "X")


@dataclass(frozen=True)
class Panel:
    """One set of axes: how it is drawn, and its title; of a list of `lines`, which needs less height, how many."""

    draw: Callable[[Axes], None]
    title: str = ""
    lines: int | None = None


@dataclass(frozen=True)
class Band:
    """Panels side by side under one line of words.

    Attributes:
        told: what the band shows, for those who cannot see it.
        most: how many bands of this kind may share a line, where each has one panel.
        data: the figures that it is drawn from, where they are not those of its parts.
    """

    title: str
    panels: tuple[Panel, ...]
    told: str
    most: int = 2
    data: tuple[Figures, ...] = ()


def heading(piece: Piece) -> str:
    """A part's name with its role and its verdict, or how far its trials are."""
    row = piece.row
    if row is None:
        return piece.part.name
    role = "" if row.role.value == "statement" else f"{row.role.value}, "
    return f"{piece.part.name} ({role}{row.verdict})"


@contextmanager
def halo(axes: Axes) -> Iterator[None]:
    """What is drawn within stands out from any background, black or white, by a white edge."""
    import numpy as np
    from matplotlib.patheffects import withStroke

    before = set(map(id, (*axes.lines, *axes.collections)))
    yield
    for artist in (*axes.lines, *axes.collections):
        if id(artist) not in before and artist.get_gid() != "band":
            width = float(np.max(artist.get_linewidth()))  # collections have a list of widths
            artist.set_path_effects([withStroke(linewidth=max(width, 0.8) + 1.6, foreground="white")])


@contextmanager
def shifted(axes: Axes, points: float) -> Iterator[None]:
    """What is drawn within is seen so many points to the right of where it is, so that bars do not hide each other."""
    from matplotlib.transforms import ScaledTranslation

    before = set(map(id, (*axes.lines, *axes.collections)))
    yield
    aside = ScaledTranslation(points / 72, 0, axes.figure.dpi_scale_trans)
    for artist in (*axes.lines, *axes.collections):
        if id(artist) not in before:
            artist.set_transform(artist.get_transform() + aside)
