"""Pictures of a claim as SVG that stands inside a page: one for each panel, so that a narrow screen can stack them.

What is drawn is decided by `checks.report.figures` and `checks.report.plot`, from the same rows and trials as their
files. Here the words above a panel become text of the page, letters stay letters, identifiers get a prefix that no
other picture of the page has, and each picture says in its title and description what it shows.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from checks.records.rows import Row
from checks.report.escape import plain
from checks.report.figures.gathered import Piece
from checks.report.figures.panel import FONT, Band, Panel
from checks.report.figures.sheet import bands_with_pieces
from checks.report.panels import draw_panels
from checks.report.plot import styled
from checks.report.site import hover, scales, ticks
from checks.report.site.compact import compact
from checks.report.site.data_tables import shortened, table_of_picture, tables_of
from checks.report.site.model import DataTable, Illustration, PanelPicture

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.transforms import Bbox

NOTHING_SAID: Mapping[str, Sequence[str]] = {}
AXES_INCHES = (2.75, 2.0)
WIDE_INCHES = 2.5
_MARGIN_INCHES = 3.0
_DPI = 72
"""Points of an SVG."""
STYLE = {**FONT, "svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans"], "axes.titlesize": 8.0}
"""Letters stay text: they can be read aloud, searched and copied, and the page's fonts draw them."""
MOST_PANELS = 6
"""Panels of one drawing; further settings are in its table, and `theoremeter figures` draws them all."""
_LEGEND_CHARACTERS = 46
_HEAD = re.compile(r"^.*?<svg", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_DIGITS = re.compile(r"-?\d+\.\d{2,}(?![\de])")
_PLACES = re.compile(r' (?:d|x|y|x1|y1|x2|y2|width|height|transform)="[^"]*"')
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_STYLE_ELEMENT = re.compile(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)
"""Of an element inside a page it would be a style of the whole page."""
_USED_STYLE = re.compile(r'(<use [^>]*?) style="(?![^"]*fill)[^"]*"')
"""A tick is styled where it is defined, and again wherever it is used."""
_LETTER = re.compile(r'<tspan x="([^"]*)"[^>]*>([^<]*)</tspan>')
_LETTERS = re.compile(
    r'<tspan x="[^" ]*" y="(?P<y>[^"]*)" style="(?P<style>[^"]*)">(?:[^<&]|&[a-z]+;)</tspan>\s*'
    r'(?:<tspan x="[^" ]*" y="(?P=y)" style="(?P=style)">(?:[^<&]|&[a-z]+;)</tspan>\s*)+'
)
_MOST_TOLD = 600
_FONTS = re.compile(r"font: ?([0-9.]+)px [^;\"]*|font-family: [^;\"]*")


def drawings_of(
    pieces: Sequence[Piece], rows: Sequence[Row], *, prefix: str, more: Sequence[Band] = ()
) -> tuple[Illustration, ...]:
    """Everything that can be drawn of a claim, the parts in the order of its check.

    Args:
        prefix: letters that begin the identifiers of these pictures and of no others on the page.
        more: what is drawn after them, of proofs.
    """
    bands = [*bands_with_pieces(pieces), *((band, ()) for band in more)]
    drawn = [_drawing(band, used, f"{prefix}{number}") for number, (band, used) in enumerate(bands)]
    shown = [row for row in rows if any(not hasattr(picture, "lines") for picture in row.display.pictures)]
    drawn += [_pictures(row, f"{prefix}p{number}") for number, row in enumerate(shown)]
    return tuple(drawn)


def _drawing(band: Band, pieces: Sequence[Piece], prefix: str) -> Illustration:
    panels = []
    for number, panel in enumerate(band.panels[:MOST_PANELS]):
        title = ": ".join(filter(None, (band.title, panel.title)))
        svg = _panel_svg(panel, title=title, told=band.told, prefix=f"{prefix}-{number}-")
        panels.append(PanelPicture(panel.title, svg, wide=panel.lines is not None))
    more = len(band.panels) - MOST_PANELS
    said = f"{more} more settings are not drawn here; `theoremeter figures` draws them" if more > 0 else ""
    symbol = getattr(pieces[0].part, "symbol", None) if len(pieces) == 1 else None
    title = f"{band.title}, along {symbol}" if symbol is not None else band.title
    data = tuple(shortened(DataTable(table.title, table.columns, table.rows)) for table in band.data)
    return Illustration(title, tuple(panels), band.told, data or tables_of(pieces), said)


def _panel_svg(panel: Panel, *, title: str, told: str, prefix: str) -> str:
    """One panel with its legend below. All axes are of one size; the picture ends where the last letter does.

    matplotlib's own layout draws a figure four times to find its margins, and a site has hundreds of panels.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox, IdentityTransform

    with styled(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # the browser has another font
        width, height = AXES_INCHES if panel.lines is None else (WIDE_INCHES, 0.4 + 0.3 * panel.lines)
        figure = Figure(figsize=(width + 2 * _MARGIN_INCHES, height + 2 * _MARGIN_INCHES), dpi=_DPI)
        renderer = FigureCanvasAgg(figure).get_renderer()
        size = figure.get_size_inches()
        axes = figure.add_axes((_MARGIN_INCHES / size[0], _MARGIN_INCHES / size[1], width / size[0], height / size[1]))
        panel.draw(axes)
        ticks.set_plain_ticks(axes)
        if axes.get_facecolor()[:3] == (1.0, 1.0, 1.0):
            axes.patch.set_visible(False)
        shown = axes.get_tightbbox(renderer) or axes.get_window_extent(renderer)
        legend = {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        if legend:
            labels = ["\n".join(textwrap.wrap(label, _LEGEND_CHARACTERS)) or label for label in legend]
            placed = figure.legend(
                list(legend.values()), labels, loc="upper left", frameon=False, ncols=1 if panel.lines is None else 2,
                bbox_to_anchor=(shown.x0, shown.y0 - 4), bbox_transform=IdentityTransform(), borderaxespad=0.0,
            )  # fmt: skip
            _shrink_arrows(placed)
            shown = Bbox.union([shown, placed.get_window_extent(renderer)])
        scale = scales.named(axes)  # a map is known by the names of its cells, which `hover` changes
        words = hover.named(axes)
        return svg_of(figure, title=title, told=told, prefix=prefix, shown=shown, words=words, scale=scale)


def _shrink_arrows(legend: Legend) -> None:
    """An arrow in a legend must not reach the next line."""
    from matplotlib.lines import Line2D

    for handle in legend.legend_handles:
        if isinstance(handle, Line2D):
            handle.set_markersize(min(float(handle.get_markersize()), 10.0))


def _pictures(row: Row, prefix: str) -> Illustration:
    """The pictures of a row that are matrices or maps, side by side."""
    panels, data = [], []
    for number, picture in enumerate(row.display.pictures):
        with styled(STYLE):
            figure = draw_panels([picture], title="")
        figure.axes[0].set_title("")
        table = table_of_picture(picture)
        told = f"{picture.title}; {len(table.rows)} rows of data below"
        panels.append(
            PanelPicture(picture.title, svg_of(figure, title=picture.title, told=told, prefix=f"{prefix}-{number}-"))
        )
        data.append(table)
    titles = ", ".join(picture.title for picture in row.display.pictures)
    return Illustration(f"{row.part}: one run", tuple(panels), f"Side by side: {titles}", tuple(data))


def _rounded(number: re.Match[str]) -> str:
    """A tenth of a point is less than anyone sees."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


def _one_word(letters: re.Match[str]) -> str:
    """Letters of a formula that follow each other on one line and in one style, in one element with all their places.

    Spaces do not break and so do not melt into one, which would move the letters behind them.
    """
    found = _LETTER.findall(letters[0])
    places, shown = " ".join(x for x, _ in found), "".join(letter for _, letter in found).replace(" ", "\xa0")
    return f'<tspan x="{places}" y="{letters["y"]}" style="{letters["style"]}">{shown}</tspan>\n'


def svg_of(
    figure: Figure,
    *,
    title: str,
    told: str,
    prefix: str,
    shown: Bbox | None = None,
    words: Mapping[str, Sequence[str]] = NOTHING_SAID,
    scale: str = "",
) -> str:
    """A figure as an `svg` element for the inside of a page.

    Args:
        shown: the part of it that is to be seen, in points from the lower left corner; all of it by default.
        words: what the mouse is told at each mark, by the name of the group of marks.
        scale: what a script must know to show it on linear axes.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    held = io.BytesIO()
    figure.patch.set_visible(False)
    with styled(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        FigureCanvasSVG(figure).print_svg(held, metadata={"Date": None})
    svg = _METADATA.sub("", _HEAD.sub("<svg", held.getvalue().decode(), count=1))
    svg = scales.with_scale(hover.with_words(svg, words), scale)
    svg = _FONTS.sub(lambda found: f"font-size:{found[1]}px" if found[1] else "", svg)
    svg = _USED_STYLE.sub(r"\1", _STYLE_ELEMENT.sub("", _COMMENT.sub("", svg)))
    svg = _PLACES.sub(lambda place: _DIGITS.sub(_rounded, place[0]), svg)
    svg = compact(_LETTERS.sub(_one_word, svg), prefix=prefix)
    svg = "\n".join(line.strip() for line in svg[svg.index(">") + 1 :].splitlines() if line.strip())
    width, height = (inches * _DPI for inches in figure.get_size_inches())
    x, y, wide, high = 0.0, 0.0, width, height
    if shown is not None:
        x, y, wide, high = shown.x0 - 2, height - shown.y1 - 2, shown.width + 4, shown.height + 4
    known = f'data-height="{height:g}" ' if scale else ""
    head = (
        f'<svg class="plot" {known}viewBox="{x:.1f} {y:.1f} {wide:.1f} {high:.1f}" width="{wide * 4 / 3:.0f}" '
        f'height="{high * 4 / 3:.0f}" role="img" aria-labelledby="{prefix}t {prefix}d" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink">'
    )
    about = escape(plain(told, _MOST_TOLD))
    return f'{head}<title id="{prefix}t">{escape(plain(title))}</title><desc id="{prefix}d">{about}</desc>{svg}'
