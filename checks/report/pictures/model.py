r"""What is drawn, and nothing of how: marks in coordinates of the data, on two axes, in panels that form bands.

Makers (`checks.report.pictures.kinds`) turn rows and trials into these records, and a renderer
(`checks.report.pictures.renderer`) turns the records into a figure. It is the only module that knows matplotlib, so
what a picture shows can be looked at without drawing it.

Titles are plain text. All other words may hold formulas between dollars; a dollar of a text is written `\$`
(`checks.report.escape.drawn`). Sizes and widths are in points of 1/72 inch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

# Told apart with any colour vision, and by brightness in print. [Okabe and Ito 2008; the fit is from Tol 2021]
MEASURED = "#0072B2"
CLAIMED = "#D55E00"
FITTED = "#AA3377"
UNUSED = "#999999"
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""For curves side by side; each has a marker of its own too."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "plus", "cross")

Values = Sequence[float]


@dataclass(frozen=True)
class PanelAxis:
    """One axis.

    Attributes:
        scale: "linear", "log", or "symlog", which is linear from 0 to `linear_to` and logarithmic beyond.
        ends: what it holds; None, for both or for one of them, leaves that to what is drawn.
        ticks: places with their words; None leaves them to the renderer.
        steps: of a logarithmic axis the digits that have a tick with a number; () for 1 alone, None for the usual ones.
        most: how many ticks at most, about; 0 for the usual number. `whole` asks for whole numbers.
        bare: whether its ticks have words and no strokes.
    """

    words: str = ""
    scale: str = "linear"
    ends: tuple[float | None, float | None] | None = None
    ticks: Sequence[tuple[float, str]] | None = None
    steps: Values | None = None
    linear_to: float = 0.0
    most: int = 0
    whole: bool = False
    bare: bool = False


@dataclass(frozen=True)
class Ink:
    """How a mark looks.

    Attributes:
        dash: "solid", "dashed", "long-dashed", "dotted", "dash-dotted", or "" for no line.
        fill: colour inside a marker, an area or a box; "" for none.
        shape: of a marker, by the names of the renderer; "" for none. `size` and `edge` are its own.
        order: what has a higher one hides what has a lower; None for the usual order of the kind of mark.
        halo: whether a white edge lets it stand out from any background.
        aside: points to the right of its place at which it is seen, so that bars do not hide each other.
    """

    colour: str = "black"
    width: float = 1.5
    dash: str = "solid"
    alpha: float | None = None
    fill: str = ""
    hatch: str = ""
    shape: str = ""
    size: float = 6.0
    edge: float = 1.0
    order: float | None = None
    halo: bool = False
    aside: float = 0.0


@dataclass(frozen=True, eq=False)
class Mark:
    """Anything on a panel: `name` says what it is (claimed, fitted, run, ...), `label` what a legend calls it."""

    ink: Ink
    name: str = ""
    label: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Trace(Mark):
    """Points joined by a line, with markers, or markers alone.

    Attributes:
        at: which points have a marker; None for all.
        on_frame: `ys` are shares of the frame's height, since the points have no place on the scale.
        said: what is told of each point beside its place; none, or one a point.
    """

    xs: Values
    ys: Values
    at: Sequence[int] | None = None
    on_frame: bool = False
    said: Sequence[str] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Strokes(Mark):
    """Straight pieces (x, y, x, y); an end that is infinite, or at zero on a logarithm, lies beyond the frame."""

    ends: Sequence[tuple[float, float, float, float]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Area(Mark):
    """What lies between two lines."""

    xs: Values
    low: Values
    high: Values


@dataclass(frozen=True, eq=False, kw_only=True)
class Box(Mark):
    """A rectangle; `said` is told where a pointer rests on it."""

    left: float
    right: float
    low: float
    high: float
    said: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Guide(Mark):
    """A line through the whole panel at one place of an axis, "x" or "y"."""

    axis: str
    at: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Heat(Mark):
    """A matrix, its first row on top, each entry a square; what is not a number is left white.

    Attributes:
        ends: of the columns (and of the rows, from top to bottom).
        colours: "viridis", or "grey" from white to black.
        bar: where the colours are explained, "right" or "below"; "" for nowhere. `words` stand beside it.
        scale: what the first and the last colour stand for; None for the least and the largest entry.
    """

    values: Sequence[Values]
    ends: tuple[float, float]
    colours: str = "viridis"
    bar: str = ""
    words: str = ""
    scale: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Note(Mark):
    """Words at a place: `middle` puts their middle there, `beside` their start; else their upper left corner.

    `share` names the axis, "x" or "y", along which the place is a share of the frame.
    """

    x: float
    y: float
    words: str
    anchor: str = "corner"
    share: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Arrow(Mark):
    """From one place to another, with a head."""

    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class Key(Mark):
    """What stands in the legend alone: an area, or a line or marker where `ink` has a shape."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One set of axes with its marks, and its title.

    Attributes:
        top: a second axis of x, above.
        lines: of a list, which needs less height, how many lines it has.
        ground: colour behind the marks.
        legend_inside: whether the legend stands where there is room among the marks.
        boxed: whether a frame goes all around.
    """

    x: PanelAxis
    y: PanelAxis
    marks: Sequence[Mark]
    title: str = ""
    top: PanelAxis | None = None
    lines: int | None = None
    ground: str = "white"
    legend_inside: bool = False
    boxed: bool = False

    def named(self, *names: str) -> list[Mark]:
        """The marks of these names."""
        return [mark for mark in self.marks if mark.name in names]


@dataclass(frozen=True)
class DataTable:
    """Figures in columns; the first column names the line. `left_out` says what is not shown, "" for nothing."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: str = ""


@dataclass(frozen=True, eq=False)
class Band:
    """Panels side by side under one line of words.

    Attributes:
        told: what the band shows, for those who cannot see it.
        most: how many bands of this kind may share a line, where each has one panel.
        data: the figures that it is drawn from.
        along: the letter of the axis, where it is of one part that has one.
        note: what whoever looks at it must know beside it; "" for nothing.
    """

    title: str
    panels: tuple[Panel, ...]
    told: str = ""
    most: int = 2
    data: tuple[DataTable, ...] = ()
    along: str = ""
    note: str = ""


def inked(marks: Iterable[Mark], **changes: object) -> list[Mark]:
    """The marks with other ink."""
    return [replace(mark, ink=replace(mark.ink, **changes)) for mark in marks]  # type: ignore[arg-type]


def is_number(value: float | None) -> TypeGuard[float]:
    """Whether a figure is there and finite."""
    return value is not None and math.isfinite(value)
