"""The one place that knows matplotlib: panels of marks become axes, bands become sheets, and both become files.

What differs between a picture in a paper's column, a page of bands and a picture inside a web page is a `SheetLook`.
Figures are made without pyplot and under a style of their own, so that no state of the process and no personal settings
enter them. matplotlib is optional (extra `report`), and slow: this module is imported when something is drawn
(`checks.report.later`), after `looks.require_matplotlib`.
"""

from __future__ import annotations

import copy
import functools
import io
import math
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import matplotlib
import matplotlib.style
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis as MatplotlibAxis
from matplotlib.axis import Tick
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.cbook import is_math_text
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.font_manager import FontProperties
from matplotlib.gridspec import GridSpec
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.markers import TICKDOWN, TICKLEFT, MarkerStyle
from matplotlib.patches import Rectangle
from matplotlib.path import Path as Outline
from matplotlib.patheffects import withStroke
from matplotlib.textpath import TextToPath
from matplotlib.ticker import (
    LogFormatterSciNotation,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
    StrMethodFormatter,
)
from matplotlib.transforms import Bbox, IdentityTransform, ScaledTranslation

from checks.report.escape import plain
from checks.report.pictures.looks import LARGER, MOST_KEY, SheetLook
from checks.report.pictures.model import (
    Area,
    Arrow,
    Band,
    Box,
    Guide,
    Heat,
    Ink,
    Key,
    Mark,
    Note,
    Panel,
    PanelAxis,
    Strokes,
    Trace,
)
from checks.report.pictures.svg import HOVER, in_plain_text

Drawn = list[tuple[Mark, Artist]]

DPI = 72
"""Points of an SVG."""
_DASHES: Mapping[str, Any] = {
    "solid": "-", "dashed": "--", "long-dashed": (0, (4, 2)), "dotted": ":", "dash-dotted": "-.", "": "none",
}  # fmt: skip
_MARKERS = {
    "circle": "o", "square": "s", "diamond": "D", "cross": "X", "plus": "P", "star": "*", "x": "x", "point": ".",
    "stroke": "_", "triangle-up": "^", "triangle-down": "v", "triangle-left": "<", "triangle-right": ">",
}  # fmt: skip
_STYLE = {
    "font.size": 7.5,
    "axes.labelsize": 7.5,
    "axes.titlesize": 7.5,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "legend.fontsize": 7.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "theoremeter",  # the same row gives the same file
}
WEB_STYLE = {**LARGER, "svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans"]}
"""Letters stay text: they can be read aloud, searched and copied, and the page's fonts draw them."""
WEB_INCHES = (2.75, 2.0)
WEB_WIDE_INCHES = 2.5
_WEB_MARGIN = 3.0
_WEB_LEGEND = 46
_MOST_TOLD = 400
"""Marks of a panel that get words."""


@contextmanager
def _styled(more: Mapping[str, Any]) -> Iterator[None]:
    """The style of all pictures, whatever the personal settings are, and `more` of it."""
    with matplotlib.style.context(["default", {**_STYLE, **more}]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a box, or the browser's letter, stands there
        yield


# --------------------------------------------------------------------------------------------------------------- marks


def draw(axes: Axes, panel: Panel, *, characters: int = 30) -> Drawn:
    """A panel on axes, all but its title and its legend, unless that stands inside; each mark with what it became."""
    for name, axis in (("x", panel.x), ("y", panel.y)):
        _set_scale(axes, name, axis)
    axes.set_facecolor(panel.ground)
    drawn = [(mark, _DRAWING[type(mark)](axes, mark)) for mark in panel.marks]
    for name, axis in (("x", panel.x), ("y", panel.y)):
        _set_ticks(getattr(axes, f"{name}axis"), axis)
    axes.set_xlabel(_lines(panel.x.words))
    axes.set_ylabel(_lines(panel.y.words, characters))
    if panel.top is not None:
        top = axes.secondary_xaxis("top")
        _set_ticks(top.xaxis, panel.top)
        top.set_xlabel(panel.top.words)
    if panel.boxed:
        axes.spines[["top", "right"]].set_visible(True)
    if panel.legend_inside:
        axes.legend(loc="best", frameon=False, handlelength=1.4)
    return drawn


def _lines(words: str, characters: int = 0) -> str:
    """Words on lines of so many characters; as they are where they hold a formula."""
    if not characters or is_math_text(words):
        return words
    return "\n".join(line for part in words.split("\n") for line in textwrap.wrap(part, characters))


def _set_scale(axes: Axes, name: str, axis: PanelAxis) -> None:
    options: dict[str, Any] = {}
    if axis.scale == "symlog":
        options = {"linthresh": axis.linear_to, "linscale": 0.5}  # the linear piece is half as long as a power of ten
    elif axis.scale == "log" and axis.steps is None:
        options = {"nonpositive": "mask"}
    getattr(axes, f"set_{name}scale")(axis.scale, **options)
    if axis.ends is not None:
        getattr(axes, f"set_{name}lim")(*axis.ends)


def _set_ticks(drawn: MatplotlibAxis, axis: PanelAxis) -> None:
    if axis.ticks is not None:
        drawn.set_ticks([place for place, _ in axis.ticks], [words for _, words in axis.ticks])
        drawn.set_ticks([], minor=True)
    elif axis.whole or axis.most:
        steps = None if axis.whole else [1, 2, 2.5, 5, 10]
        drawn.set_major_locator(MaxNLocator(axis.most or 9, integer=axis.whole, steps=steps))
    if axis.steps:
        drawn.set_major_locator(LogLocator(subs=axis.steps, numticks=20))
        drawn.set_major_formatter(StrMethodFormatter("{x:g}"))
    if axis.steps is not None:
        drawn.set_minor_formatter(NullFormatter())
    if axis.bare:
        drawn.set_tick_params(length=0)


def _named(mark: Mark) -> dict[str, Any]:
    """What every artist of a mark has."""
    found: dict[str, Any] = {"label": mark.label or None, "gid": mark.name or None, "alpha": mark.ink.alpha}
    if mark.ink.order is not None:
        found["zorder"] = mark.ink.order
    if mark.ink.halo:
        found["path_effects"] = [withStroke(linewidth=max(mark.ink.width, 0.8) + 1.6, foreground="white")]
    return found


def _filled(ink: Ink) -> dict[str, Any]:
    return {"fc": ink.fill or "none", "ec": ink.colour, "lw": ink.width, "hatch": ink.hatch or None}


def _aside(axes: Axes, ink: Ink, transform: Any) -> Any:
    return transform + ScaledTranslation(ink.aside / 72, 0, axes.figure.dpi_scale_trans) if ink.aside else transform


def _draw_line(axes: Axes, mark: Trace) -> Artist:
    ink = mark.ink
    place = axes.get_xaxis_transform() if mark.on_frame else axes.transData
    style: dict[str, Any] = {
        "ls": _DASHES[ink.dash],
        "lw": ink.width,
        "color": ink.colour,
        "clip_on": not mark.on_frame,
    }
    if ink.shape:
        style |= {"marker": _marker(ink.shape), "ms": ink.size, "mew": ink.edge, "mec": ink.colour}
        style |= {"mfc": ink.fill or "none", "markevery": None if mark.at is None else list(mark.at)}
    (line,) = axes.plot(mark.xs, mark.ys, **{**style, **_named(mark)})
    if mark.on_frame or ink.aside:
        line.set_transform(_aside(axes, ink, place))
    return line


def _marker(shape: str) -> Any:
    """A marker of matplotlib; of an arrow, whose foot stands on the bound, its outline."""
    if shape in _MARKERS:
        return _MARKERS[shape]
    side, _, foot = shape.partition(", ")
    sign = 1 if side == "above" else -1
    strokes = [(0, 0), (0, 1), (-0.22, 0.65), (0, 1), (0.22, 0.65)]
    codes = [Outline.MOVETO, Outline.LINETO, Outline.MOVETO, Outline.LINETO, Outline.LINETO]
    if not foot:
        strokes, codes = [(-0.25, 0), (0.25, 0), *strokes], [Outline.MOVETO, Outline.LINETO, *codes]
    return Outline([(x, sign * y) for x, y in strokes], codes)


def _draw_strokes(axes: Axes, mark: Strokes) -> Artist:
    ends = [((a, _within(axes, b)), (c, _within(axes, d))) for a, b, c, d in mark.ends]
    lines = LineCollection(ends, colors=mark.ink.colour, linewidths=mark.ink.width, **{"zorder": 2, **_named(mark)})
    axes.add_collection(lines)
    if mark.ink.aside:
        lines.set_transform(_aside(axes, mark.ink, axes.transData))
    return lines


def _within(axes: Axes, height: float) -> float:
    """A height; beyond the frame where it has none."""
    low, high = axes.get_ylim()
    is_log = axes.get_yscale() == "log"
    if math.isfinite(height) and (height > 0 or not is_log):
        return height
    if height > 0:
        return high * 10 if is_log else 2 * high - low
    return low / 10 if is_log else 2 * low - high


def _draw_area(axes: Axes, mark: Area) -> Artist:
    return axes.fill_between(mark.xs, mark.low, mark.high, **_filled(mark.ink), **_named(mark))


def _draw_box(axes: Axes, mark: Box) -> Artist:
    corner, size = (mark.left, mark.low), (mark.right - mark.left, mark.high - mark.low)
    return axes.add_patch(Rectangle(corner, *size, **_filled(mark.ink), **_named(mark)))


def _draw_rule(axes: Axes, mark: Guide) -> Artist:
    rule = axes.axvline if mark.axis == "x" else axes.axhline
    return rule(mark.at, color=mark.ink.colour, lw=mark.ink.width, ls=_DASHES[mark.ink.dash], **_named(mark))


def _draw_heat(axes: Axes, mark: Heat) -> Artist:
    (first, last), rows = mark.ends, len(mark.values)
    least, most = mark.scale or (None, None)
    image = axes.imshow(
        np.ma.masked_invalid(np.array(mark.values, dtype=float)),
        cmap={"grey": "Greys"}.get(mark.colours, mark.colours), interpolation="none", vmin=least, vmax=most,
        extent=(first, last, first + rows, first), gid=mark.name,
    )  # fmt: skip
    if mark.bar == "right":
        axes.figure.colorbar(image, cax=axes.inset_axes((1.04, 0.0, 0.05, 1.0)), label=mark.words)
    elif mark.bar:
        pad = 0.05 if axes.figure.get_layout_engine() else 0.28  # nothing else leaves room for the words above
        axes.figure.colorbar(image, ax=axes, location="bottom", shrink=0.9, aspect=25, pad=pad)
    return image


def _draw_note(axes: Axes, mark: Note) -> Artist:
    place = tuple("axes fraction" if mark.share == axis else "data" for axis in "xy")
    style: dict[str, Any] = {"color": mark.ink.colour, "xycoords": place}
    if mark.anchor == "middle":
        style |= {"ha": "center", "va": "center", "fontsize": mark.ink.size}
    else:
        style |= {"va": "center"} if mark.anchor == "beside" else {"va": "top"}
        style |= {} if mark.anchor == "beside" else {"xytext": (2, -1), "textcoords": "offset points"}
    return axes.annotate(mark.words, (mark.x, mark.y), gid=mark.name or None, **style)


def _draw_arrow(axes: Axes, mark: Arrow) -> Artist:
    style = {"arrowstyle": "->", "color": mark.ink.colour, "lw": mark.ink.width, "shrinkA": 0, "shrinkB": 0}
    return axes.annotate("", mark.end, mark.start, arrowprops=style)


def _draw_key(axes: Axes, mark: Key) -> Artist:
    if mark.ink.shape:
        return _draw_line(axes, Trace(mark.ink, mark.name, mark.label, xs=[], ys=[]))
    return axes.fill_between([], [], **_filled(mark.ink), label=mark.label)


_DRAWING: Mapping[type[Mark], Callable[[Axes, Any], Artist]] = {
    Trace: _draw_line,
    Strokes: _draw_strokes,
    Area: _draw_area,
    Box: _draw_box,
    Guide: _draw_rule,
    Heat: _draw_heat,
    Note: _draw_note,
    Arrow: _draw_arrow,
    Key: _draw_key,
}


# -------------------------------------------------------------------------------------------------------------- sheets


def sheet(title: str, bands: Sequence[Band], look: SheetLook) -> Figure:
    """Bands one under the other, below one title."""
    width = look.width if any(len(band.panels) > 1 for band in bands) else look.narrow
    with _styled(look.style):
        lines = textwrap.wrap(plain(title), int(width * look.title_characters))
        figure = Figure(layout="constrained", figsize=(width, 1.0))
        grid = GridSpec(len(bands), 1, figure=figure)
        heights = [
            _draw_band(figure.add_subfigure(grid[at]), band, replace(look, width=width))
            for at, band in enumerate(bands)
        ]
        grid.set_height_ratios(heights)
        _set_title(figure, lines, look.title_size)
        figure.set_figheight(sum(heights) + 0.02 * look.title_size * len(lines) + 0.08)
    return figure


def _set_title(figure: Figure | SubFigure, lines: Sequence[str], size: float) -> None:
    words = {"ha": "left", "fontsize": size, "fontweight": "bold", "parse_math": False}
    figure.suptitle("\n".join(lines), x=0.01, **words)


def _draw_band(part: SubFigure, band: Band, look: SheetLook) -> float:
    """Panels, titles and legend; returns the inches that they take from top to bottom."""
    characters = max(int((look.width / len(band.panels) - look.ticks) * look.panel_characters), 12)
    lines = 0
    for axes, panel in zip(part.subplots(1, len(band.panels), squeeze=False)[0], band.panels, strict=True):
        draw(axes, panel, characters=look.height_characters)
        wrapped = [line for words in panel.title.split("\n") for line in textwrap.wrap(plain(words), characters)]
        lines = max(lines, len(wrapped) + (2 if panel.top else 0))  # an axis on top has ticks and words
        axes.set_title("\n".join(wrapped), loc="left", parse_math=False)
    if band.title:
        words = textwrap.wrap(plain(band.title), int(look.width * look.title_characters))
        _set_title(part, words, look.title_size - 0.5)
        lines += len(words)
    legend = _legend_of([axes for axes, panel in zip(part.axes, band.panels, strict=False) if not panel.legend_inside])
    if legend:
        fitting = int(look.width * look.title_characters / (max(map(len, legend)) + 8))
        columns = max(min(fitting, look.most_columns), 1)
        placed = part.legend(
            list(legend.values()), list(legend), loc="outside lower left", ncols=columns, frameon=False
        )
        _shrink_markers(placed, look.key)
        lines += math.ceil(len(legend) / columns)
    listed = [panel.lines for panel in band.panels]
    return max(look.panel if n is None else 0.5 + 0.28 * n for n in listed) + look.line * (lines + 1)


def _legend_of(drawn: Sequence[Axes]) -> dict[str, Any]:
    """What the legend of some axes shows, by its words."""
    found: dict[str, Any] = {}
    for axes in drawn:
        found |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    return found


def _shrink_markers(legend: Legend, most: float) -> None:
    for handle in legend.legend_handles:
        if isinstance(handle, Line2D):
            handle.set_markersize(min(float(handle.get_markersize()), most))


def written(figure: Figure, kind: str, *, dpi: int, style: Mapping[str, Any], about: Mapping[str, str] = {}) -> bytes:
    """A figure as a file of a kind that matplotlib knows, without a date: the same figure gives the same file."""
    held = io.BytesIO()
    undated = {"Date": None} if kind == "svg" else {"CreationDate": None} if kind == "pdf" else {}
    with _styled(style):
        figure.savefig(held, format=kind, dpi=dpi, metadata={**about, **undated})
    return held.getvalue()


# ----------------------------------------------------------------------------------------------------- inside web pages


@dataclass(frozen=True)
class Web:
    """A panel as SVG, the part of it to be seen, in points from the upper left corner, and words at its marks."""

    svg: str
    seen: tuple[float, float, float, float]
    hover: Mapping[str, Sequence[str]]


def web(panel: Panel) -> Web:
    """One panel with its legend below. All axes are of one size; the picture ends where the last letter does.

    matplotlib's own layout draws a figure four times to find its margins, and a site has hundreds of panels.
    """
    with _styled(WEB_STYLE):
        width, height = WEB_INCHES if panel.lines is None else (WEB_WIDE_INCHES, 0.4 + 0.3 * panel.lines)
        size = width + 2 * _WEB_MARGIN, height + 2 * _WEB_MARGIN
        figure = Figure(figsize=size, dpi=DPI)
        figure.patch.set_visible(False)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((_WEB_MARGIN / size[0], _WEB_MARGIN / size[1], width / size[0], height / size[1]))
        for axis in (axes.xaxis, axes.yaxis):
            _copy_ticks(axis)
        drawn = draw(axes, panel)
        _set_plain_ticks(axes)
        _settle_ticks(axes)
        axes.patch.set_visible(panel.ground != "white")
        x0, y0, x1, y1 = _extents(axes, _measuring(), panel)
        hover = _hover_of(drawn)
        held = io.StringIO()
        inner = _SvgRenderer(size[0] * DPI, size[1] * DPI, held, image_dpi=DPI, metadata={"Date": None})
        mixed = MixedModeRenderer(figure, *size, DPI, inner)
        figure.draw(mixed)  # pyrefly: ignore
        mixed.finalize()
    high = size[1] * DPI
    return Web(held.getvalue(), (x0 - 2, high - y1 - 2, x1 - x0 + 4, y1 - y0 + 4), hover)


@functools.cache
def _measuring() -> RendererAgg:
    """What measures words: one for all pictures, since matplotlib keeps what it has measured with the renderer."""
    return RendererAgg(1, 1, DPI)


class _SvgRenderer(RendererSVG):
    """Writes an SVG, and measures the same words once for all pictures."""

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        return _measured(s, prop, ismath)


@functools.lru_cache(4096)
def _measured(words: str, font: FontProperties, is_formula: Any) -> tuple[float, float, float]:
    return TextToPath().get_text_width_height_descent(words, font, is_formula)


def _extents(axes: Axes, renderer: Any, panel: Panel) -> tuple[float, float, float, float]:
    """What axes and the legend below them take, in points from the lower left corner; places the legend."""
    shown = Bbox.union([one for each in axes.figure.axes if (one := each.get_tightbbox(renderer)) is not None])
    legend = {} if panel.legend_inside else _legend_of([axes])
    if legend:
        labels = ["\n".join(textwrap.wrap(label, _WEB_LEGEND)) or label for label in legend]
        placed = axes.figure.legend(
            list(legend.values()), labels, loc="upper left", frameon=False, ncols=1 if panel.lines is None else 2,
            bbox_to_anchor=(shown.x0, shown.y0 - 4), bbox_transform=IdentityTransform(), borderaxespad=0.0,
        )  # fmt: skip
        _shrink_markers(placed, MOST_KEY)
        shown = Bbox.union([shown, placed.get_window_extent(renderer)])
    return shown.extents


class _PlainNumbers(LogFormatterSciNotation):
    """Chooses which ticks have a number as its base does."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return in_plain_text(super().__call__(x, pos))


def _set_plain_ticks(axes: Axes) -> None:
    """Let logarithmic axes write their numbers as plain text.

    The parser of formulas takes longer over the ticks of a page's pictures than everything else that matplotlib does
    for them, and what it writes into an SVG is a group of single letters, which is longer and is read aloud letter by
    letter.
    """
    for axis in (axes.xaxis, axes.yaxis):
        if isinstance(axis.get_major_formatter(), LogFormatterSciNotation):
            axis.set_major_formatter(_PlainNumbers(10.0))
        if isinstance(usual := axis.get_minor_formatter(), LogFormatterSciNotation):
            axis.set_minor_formatter(_PlainNumbers(10.0, labelOnlyBase=usual.labelOnlyBase))


def _settle_ticks(axes: Axes) -> None:
    """Let the ticks be found once, and those without a number be marks of one line.

    matplotlib makes five artists for every tick, and asks seven times where the ticks are to lay out and draw one
    picture: together more than half of what it takes for it. Nothing on the axes may change their limits afterwards.
    """
    for axis, name in ((axes.xaxis, "x"), (axes.yaxis, "y")):
        places = axis.get_minorticklocs()
        if len(places) and not any(axis.get_minor_formatter().format_ticks(places.tolist())):
            axis.set_minor_locator(NullLocator())
            low, high = sorted(axis.get_view_interval())
            shown = [place for place in places if low <= place <= high]
            axes.add_artist(_minor_ticks(axes, name, shown))
        found = axis._update_ticks()  # pyrefly: ignore
        axis._update_ticks = lambda found=found: found  # pyrefly: ignore
        _measure_once(axis, found)


def _copy_ticks(axis: MatplotlibAxis) -> None:
    """Let all ticks but the first be copies of it: matplotlib makes each of five artists and takes over its looks."""
    usual = axis._get_tick  # pyrefly: ignore

    def made(major: bool) -> Tick:
        there = vars(axis).get("majorTicks" if major else "minorTicks")
        if not there:
            return usual(major=major)
        tick = copy.copy(there[0])
        for name in ("tick1line", "tick2line", "gridline", "label1", "label2"):
            setattr(tick, name, copy.copy(getattr(tick, name)))
        return tick

    axis._get_tick = made  # pyrefly: ignore
    axis._copy_tick_props = lambda *_: None  # pyrefly: ignore


def _measure_once(axis: MatplotlibAxis, ticks: Sequence[Tick]) -> None:
    """Let what words at ticks take be measured once by each renderer; matplotlib asks for it seven times."""
    measured: dict[Any, Any] = {}
    usual = axis._get_ticklabel_bboxes  # pyrefly: ignore

    def boxes(ticks: Sequence[Tick], renderer: Any) -> Any:
        if renderer not in measured:
            measured[renderer] = usual(ticks, renderer)
        return measured[renderer]

    axis._get_ticklabel_bboxes = boxes  # pyrefly: ignore
    for words in (axis.label, *(tick.label1 for tick in ticks)):
        words._get_layout = functools.cache(words._get_layout)  # pyrefly: ignore


def _minor_ticks(axes: Axes, name: str, places: Sequence[float]) -> Line2D:
    """Strokes below or left of the frame, as matplotlib's own."""
    style = {key: matplotlib.rcParams[f"{name}tick.{key}"] for key in ("color", "minor.size", "minor.width")}
    line = Line2D(
        *((places, [0.0] * len(places)) if name == "x" else ([0.0] * len(places), places)), linestyle="none",
        marker=MarkerStyle(TICKDOWN if name == "x" else TICKLEFT), color=style["color"], markersize=style["minor.size"],
        markeredgewidth=style["minor.width"], clip_on=False, zorder=2.01,
    )  # fmt: skip
    line.set_transform(axes.get_xaxis_transform() if name == "x" else axes.get_yaxis_transform())
    return line


def _hover_of(drawn: Drawn) -> dict[str, tuple[str, ...]]:
    """Names the artists whose marks have words where a pointer rests; the words by name, in the order of the data.

    matplotlib gives the group of an artist in its SVG the name that the artist has.
    """
    n_boxes = sum(isinstance(mark, Box) for mark, _ in drawn)
    all_said = [(artist, _said_at(mark, n_boxes)) for mark, artist in drawn]
    found: dict[str, tuple[str, ...]] = {}
    for artist, said in all_said if sum(len(said) for _, said in all_said) <= _MOST_TOLD else ():
        if said:
            name = f"{HOVER}{len(found)}-"
            artist.set_gid(name)
            found[name] = said
    return found


def _said_at(mark: Mark, n_boxes: int) -> tuple[str, ...]:
    """What a pointer is told at each piece of a mark; a cloud of single runs needs no words."""
    if isinstance(mark, Box):
        return (mark.said,) if mark.said and n_boxes <= _MOST_TOLD else ()
    if not isinstance(mark, Trace) or not mark.ink.shape or mark.at is not None or mark.on_frame:
        return ()
    points = list(zip(map(float, mark.xs), map(float, mark.ys), strict=True))
    is_told = len(points) <= _MOST_TOLD and all(map(math.isfinite, sum(points, ())))
    said = [f" ({words})" if words else "" for words in mark.said] or [""] * len(points)
    return tuple(f"{x:.4g}: {y:.4g}{words}" for (x, y), words in zip(points, said, strict=True)) if is_told else ()
