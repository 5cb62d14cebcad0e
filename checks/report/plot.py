"""One picture a row: claim against measurement, as SVG and PNG at the width of a paper's column.

Everything drawn comes from the row: its points, its judgement and the curves it was read from. No formula is written
here, so a picture cannot say other than the table. What the verdict did not use is grey; what has no value is an
arrow from its bound, or a cross on the frame; the claimed order is drawn only where a prefactor was fitted to it. The
shaded band holds every law whose slope differs from the claim's by less than the margin: a fitted line inside it cannot
be told from the claim.

matplotlib (extra `report`) is imported when a picture is asked for. Figures are made without pyplot and under a style
of their own, so that no state of the process and no personal settings enter them.

Calling order: `write` -> `draw` -> `draw_points` or `draw_curves` -> `set_scales`, `_draw_law`, `mark` -> `_finish`.
A row about a picture of the paper draws its own panels instead, `checks.report.panels`.
"""

from __future__ import annotations

import re
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.records.rows import Point, Row
from checks.report.escape import drawn, file_name, plain
from checks.report.explanation_words import sentence
from checks.report.laws import DrawnLaw, draw_fit, is_law_drawn, law_of, name_of
from checks.report.marks import CLAIMED, MEASURED, UNUSED, is_number, mark, set_scale, set_scales
from checks.report.panels import draw_panels
from checks.statistics.verdict import Verdict
from sim.validation import InvalidParameter
from theory.claim import Kind

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Array = np.ndarray

FORMATS = ("svg", "png")

COLUMN_INCHES = 3.4
PNG_DPI = 200

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
NOTHING_MORE: Mapping[str, Any] = {}
_TITLE_CHARACTERS = 50
_SUBTITLE_CHARACTERS = 48


# --------------------------------------------------------------------------------------------------------------- files


def is_drawable(row: Row) -> bool:
    """Whether a row has anything that a picture can show."""
    return bool(row.points or row.display.curves or row.display.pictures)


def nothing_to_draw(rows: Sequence[Row]) -> str:
    """Why there is no picture of a claim: what its rows lack; "" where one of them can be drawn."""
    if any(map(is_drawable, rows)):
        return ""
    lacking = [row for row in rows if row.verdict is Verdict.NOT_MEASURED_YET]
    lacking.sort(key=lambda row: row.part != "")  # the row of the whole claim says from which preset on it is measured
    return lacking[0].judgement.reason if lacking else "no part of it is measured point by point"


def file_names(rows: Sequence[Row]) -> list[str]:
    """A name without suffix for each row, e.g. `A.samples_alpha-hash-0_alpha-star`; no two are the same."""
    names: list[str] = []
    for row in rows:
        parts = [plain(row.part)[:60], plain(row.axis.symbol.name)[:40] if row.axis else ""]
        base = "_".join([file_name(row.claim.id), *filter(None, map(_slug, parts))])
        copies = sum(re.fullmatch(rf"{re.escape(base)}(-\d+)?", name) is not None for name in names)
        names.append(f"{base}-{copies + 1}" if copies else base)
    return names


def write(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Draw every row that can be drawn into `folder`, as SVG and as PNG.

    Raises:
        InvalidParameter: where matplotlib is missing.
        OSError: where the folder cannot be written to.
    """
    require_matplotlib()
    drawable = [row for row in rows if is_drawable(row)]
    if drawable:
        folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for row, name in zip(drawable, file_names(drawable), strict=True):
        with styled(), warnings.catch_warnings():
            figure = draw(row)
            warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a box is drawn in the letter's place
            for suffix in FORMATS:
                path = folder / f"{name}.{suffix}"
                about = {"Title": _title(row), "Description": plain(sentence(row))}
                undated = {"Date": None} if suffix == "svg" else {}
                figure.savefig(path, format=suffix, dpi=PNG_DPI, metadata={**about, **undated})
                paths.append(path)
    return paths


def require_matplotlib() -> None:
    """Raise InvalidParameter, in one line, where the extra `report` is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        rule = 'have matplotlib installed (pip install "theoremeter[report]")'
        raise InvalidParameter("plot", rule, str(error)) from None


def _slug(text: str) -> str:
    spoken = text.replace("*", " star ").replace("#", " hash ")
    return re.sub(r"[^a-z0-9]+", "-", spoken.lower()).strip("-")


def styled(more: Mapping[str, Any] = NOTHING_MORE) -> Any:
    """The style of all pictures, whatever the personal settings are, and `more` of it."""
    import matplotlib.style

    return matplotlib.style.context(["default", {**_STYLE, **more}])


# ------------------------------------------------------------------------------------------------------------ pictures


def draw(row: Row) -> Figure:
    """The picture of one row, not yet in a file."""
    from matplotlib.figure import Figure

    with styled():
        if row.display.pictures:
            return draw_panels(row.display.pictures, title=_title(row))
        figure = Figure(figsize=(COLUMN_INCHES, 3.3), layout="constrained")
        axes = figure.add_subplot()
        if row.display.curves:
            draw_curves(axes, row)
        else:
            draw_points(axes, row)
        _finish(figure, axes, row)
    return figure


def draw_points(axes: Axes, row: Row) -> None:
    """Points with their intervals, each at its axis value; at its number where a row has no axis."""
    judgement = row.judgement
    placed = [(point.value if row.axis else float(number), point) for number, point in enumerate(row.points, start=1)]
    compared = [
        (x, point.bound, point)
        for x, point in sorted(placed, key=lambda pair: pair[0])
        if is_law_drawn(row) and point.in_regime is not False and is_number(point.bound)
    ]
    xs, bounds = [x for x, _, _ in compared], [bound for _, bound, _ in compared]
    limit = [row.toward] if isinstance(row.toward, float) and _is_near(row.toward, placed) else []
    set_scales(axes, row, [x for x, _ in placed] + limit, bounds)
    if row.axis is None:
        if compared:
            style = {"ls": "none", "marker": "_", "ms": 14, "mew": 1.4, "color": CLAIMED}
            axes.plot(xs, bounds, **style, label=name_of(row), gid="claimed")
        axes.set_xticks(range(1, len(placed) + 1))
    elif compared:
        entered = [x for x, _, point in compared if point.measured is not None or point.censored]
        law = law_of(xs, bounds, row, pivots=entered)
        prefactor = judgement.exponents.prefactor
        draw_law(axes, row, law, "" if prefactor is None else f" × {prefactor:.3g}")
        if prefactor is not None:
            draw_fit(axes, law, row)
    for used, colour, words in ((True, MEASURED, ""), (False, UNUSED, ", outside the regime")):
        chosen = [(x, point) for x, point in placed if (point.in_regime is not False) is used]
        mark(axes, chosen, colour=colour, words=words, confidence=row.policy.interval_confidence)
    for x in limit:
        axes.axvline(x, color=UNUSED, lw=0.8, ls=":", label="the limit of the axis")


def _is_near(limit: float, placed: Sequence[tuple[float, Point]]) -> bool:
    """Whether a boundary is within a factor 2 of the grid, so that showing it leaves the points their room."""
    return min(x for x, _ in placed) / 2 <= limit <= 2 * max(x for x, _ in placed)


def draw_curves(axes: Axes, row: Row) -> None:
    """One thin line a trial, grey where the verdict did not look, and the claim along each or through their middle."""
    import numpy as np

    laws = [
        (law_of(curve.axis, curve.claimed, row, pivots=curve.axis), ", fitted run by run")
        for curve in row.display.curves
        if curve.claimed is not None
    ]
    if not laws and row.judgement.exponents.on_grid is not None:
        laws = [(_reference(row, row.judgement.exponents.on_grid), ", slope alone")]
    heights = [value for curve in row.display.curves for value in curve.measured]
    claims = [value for law, _ in laws for value in law.bound]
    places = [x for curve in row.display.curves for x in curve.axis]
    set_scales(axes, row, places, [*heights, *claims])
    if row.axis is None:
        set_scale(axes, "x", places)  # curves have places of their own, where points only have numbers
    height = 2.2 if laws and row.display.curves[0].claimed is not None else 2.6  # one line must not drown in fifty runs
    for law, words in laws:
        draw_law(axes, row, law, words, height=height)
    for curve in row.display.curves:
        if not curve.judged.all():
            label = "outside the fit window"
            axes.plot(curve.axis, curve.measured, color=UNUSED, lw=0.5, label=label, gid="unjudged")
        shown = np.where(curve.judged, curve.measured, np.nan)
        label = f"{len(row.display.curves)} run{'s' if len(row.display.curves) > 1 else ''}"
        axes.plot(curve.axis, shown, color=MEASURED, lw=0.7, alpha=0.8, label=label, zorder=2.4, gid="judged")
    placed = [(point.value, point) for point in row.points]
    mark(axes, placed, colour=MEASURED, words="", confidence=row.policy.interval_confidence, size=2.2)


def _reference(row: Row, slope: float) -> DrawnLaw:
    """A line of the claimed slope over the fit windows, as high as the runs are on average, each counted once."""
    import numpy as np

    judged = [
        (curve.axis[curve.judged], curve.measured[curve.judged]) for curve in row.display.curves if curve.judged.any()
    ]
    middle, height = np.mean([(np.log(x).mean(), np.log(y).mean()) for x, y in judged], axis=0)
    ends = min(x[0] for x, _ in judged), max(x[-1] for x, _ in judged)
    x = np.array([ends[0], np.exp(middle), ends[1]])
    return law_of(x, np.exp(height + slope * (np.log(x) - middle)), row, pivots=x[1:2])


def draw_law(axes: Axes, row: Row, law: DrawnLaw, words: str, *, height: float = 2.2) -> None:
    """The claim as a line and the band of slopes that its margin takes for the same."""
    margin = row.judgement.effect.margin
    axes.plot(law.axis, law.bound, color=CLAIMED, lw=1.2, label=name_of(row) + words, zorder=height, gid="claimed")
    if margin is not None:
        band = {"color": CLAIMED, "alpha": 0.18, "lw": 0, "zorder": 1, "gid": "margin"}
        label = f"slopes within the margin {margin:g}"
        axes.fill_between(law.axis, law.turned(-margin), law.turned(margin), label=label, **band)


# --------------------------------------------------------------------------------------------------------------- words


def _finish(figure: Figure, axes: Axes, row: Row) -> None:
    """Titles, labels and the legend, which stands below so that it hides no point."""
    from matplotlib.lines import Line2D

    axes.set_xlabel(axis_label(row))
    axes.set_ylabel("\n".join(textwrap.wrap(plain(row.claim.observable.replace("_", " ")), 36)), parse_math=False)
    title = textwrap.wrap(_title(row), _TITLE_CHARACTERS)
    figure.suptitle("\n".join(title), x=0.02, ha="left", fontsize=8, fontweight="bold", parse_math=False)
    subtitle = textwrap.wrap(figures_in_words(row), _SUBTITLE_CHARACTERS)
    axes.set_title("\n".join(subtitle), loc="left", parse_math=False)
    legend = {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    shown = figure.legend(list(legend.values()), list(legend), loc="outside lower left", ncols=1, frameon=False)
    for handle in shown.legend_handles:
        if isinstance(handle, Line2D):
            handle.set_markersize(min(float(handle.get_markersize()), 10.0))  # an arrow must not reach the next line
    figure.set_figheight(2.3 + 0.13 * (len(title) + len(subtitle) + len(legend)))


def _title(row: Row) -> str:
    return plain(f"{row.claim.id} ({row.part}): {row.verdict}")


def figures_in_words(row: Row) -> str:
    """The figures of the judgement, as the table prints them."""
    judgement = row.judgement
    interval = judgement.confidence_interval
    words = []
    if judgement.delta is not None:
        kind = row.interval_words.removesuffix(" interval")
        words += [f"Δ = {judgement.delta:+.2f}" + (f" {interval} ({kind})" if interval else "")]
        words += [f"margin {judgement.effect.margin:g}"] if judgement.effect.margin is not None else []
    elif interval is not None and row.points and all(point.bound is None for point in row.points):
        words += [f"a factor in {interval}"]
    elif interval is not None and not row.claim.has_order:
        words += [f"measured / bound at the worst point {interval}"]
    if judgement.exponents.measured is not None and judgement.exponents.on_grid is not None:
        words += [f"slope {judgement.exponents.measured:.3g} measured, {judgement.exponents.on_grid:.3g} claimed"]
    has_bounds = any(point.bound is not None for point in row.points) or row.claim.kind is not Kind.FIGURE
    if (
        row.claim.has_order
        and row.points
        and has_bounds
        and not row.display.curves
        and not judgement.exponents.prefactor
    ):
        words += ["no prefactor could be fitted, so the claimed order is not drawn"]
    return "; ".join(words)


def axis_label(row: Row) -> str:
    """The axis's symbol, what it is in words, and the limit the claim speaks of."""
    if row.axis is None:
        return drawn(row.display.axis_words) if row.display.curves else "setting, numbered as in table --points"
    words = f" ({drawn(row.display.axis_words)})" if row.display.axis_words else ""
    toward = row.axis.toward if row.toward is None else row.toward
    limit = {"infinity": "∞", "zero": "0"}.get(str(toward), "boundary")
    limit = f"{toward:.3g}" if isinstance(toward, float) else limit
    return f"{letter(row.axis.symbol.name)}{words} → {limit}"


def letter(name: str) -> str:
    """A symbol's name as a letter of a formula where it can be one; other names may hold commands of mathtext."""
    import sympy as sp

    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*([_^][A-Za-z0-9*#]+)*'*", name):
        return drawn(name)
    written = sp.latex(sp.Symbol(name)).replace("#", r"\#")
    return f"${written}$"
