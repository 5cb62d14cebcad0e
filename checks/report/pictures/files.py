"""Pictures in files: one for a row, one page for a claim, one for measurements of the user's own.

The same rows and trials give the same file: no date, no random names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from checks.records.rows import Row
from checks.report.escape import drawn, file_name, plain, unique_names
from checks.report.explanation_words import sentence
from checks.report.later import renderer
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import band_of_row, bands_of
from checks.report.pictures.looks import COLUMN, PAGE, require_matplotlib, side_by_side
from checks.report.pictures.model import CLAIMED, Band, Ink, Panel, PanelAxis, Trace
from checks.report.pictures.points import as_points, heights_shown, marks_of
from checks.report.pictures.scales import fitted
from checks.report.pictures.svg import of_file
from checks.report.pictures.words import joined, title_of
from checks.statistics.verdict import Verdict
from sim.trials.validation import InvalidParameter

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate

SUFFIXES = (".svg", ".png", ".pdf")
ROW_SUFFIXES = (".svg", ".png")
ROW_DPI, PAGE_DPI = 200, 120
MOST_PANELS = 4
"""Panels on one line of a page."""


# ---------------------------------------------------------------------------------------------------------------- rows


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
    """A name without suffix for each row, e.g. `A.samples_alpha-hash-0_alpha-star`.

    No two are the same, upper or lower case apart: parts "N" and "n" are two, also where a file system folds them.
    """
    bases: list[str] = []
    for row in rows:
        parts = [plain(row.part)[:60], plain(row.axis.symbol.name)[:40] if row.axis else ""]
        bases.append("_".join([file_name(row.claim.id), *filter(None, map(_slug, parts))]))
    return unique_names(bases, most=None)


def _slug(text: str) -> str:
    spoken = text.replace("*", " star ").replace("#", " hash ")
    return re.sub(r"[^a-z0-9]+", "-", spoken.lower()).strip("-")


def row_figure(row: Row) -> renderer.Figure:
    """The picture of one row, not yet in a file."""
    band = band_of_row(row)
    panels = band.panels if band is not None else ()
    look = side_by_side(len(panels)) if row.display.pictures else COLUMN
    return renderer.sheet(title_of(row), [Band("", panels)], look)


def write_rows(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Draw every row that can be drawn into `folder`, as SVG and as PNG, at the width of a paper's column.

    Rows of several claims come in one call: what two calls name alike is overwritten.

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
        figure, about = row_figure(row), {"Title": title_of(row), "Description": plain(sentence(row))}
        for suffix in ROW_SUFFIXES:
            path = folder / f"{name}{suffix}"
            path.write_bytes(renderer.written(figure, suffix[1:], dpi=ROW_DPI, style=COLUMN.style, about=about))
            paths.append(path)
    return paths


# --------------------------------------------------------------------------------------------------------------- pages


def write_page(pieces: Sequence[Piece], folder: Path, *, kind: str = "svg", name: str = "") -> Path | None:
    """Draw one claim's page into a folder, named after the claim unless told; None where there is nothing to draw.

    Raises:
        InvalidParameter: where matplotlib is missing.
        OSError: where the folder cannot be written to.
    """
    require_matplotlib()
    bands = packed(bands_of(pieces))
    if not bands:
        return None
    claim = pieces[0].claim
    title = f"{claim.id}: {claim.source.place}"
    content = renderer.written(renderer.sheet(title, bands, PAGE), kind, dpi=PAGE_DPI, style=PAGE.style)
    if kind == "svg":
        content = of_file(content.decode(), title=title, told=described(claim.statement, bands)).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name or file_name(claim.id)}.{kind}"
    path.write_bytes(content)
    return path


def described(statement: str, bands: Sequence[Band]) -> str:
    """What a page shows, in words."""
    return plain(f"Claimed: {statement} {'. '.join(joined(b.title, b.told, by=': ') for b in bands if b.told)}.")


def packed(bands: Sequence[Band]) -> list[Band]:
    """Neighbouring bands of one panel on lines of several, each panel then with its band's title; long bands broken."""
    lines: list[list[Band]] = []
    for band in bands:
        last = lines[-1] if lines else []
        fits = last and len(last) < band.most == last[0].most
        if fits and len(band.panels) == len(last[0].panels) == 1:
            last.append(band)
        else:
            lines.append([band])
    return [short for line in lines for short in _broken(_on_one_line(line))]


def _broken(band: Band) -> list[Band]:
    first, *rest = (band.panels[at : at + MOST_PANELS] for at in range(0, len(band.panels), MOST_PANELS))
    return [replace(band, panels=first), *(Band("", panels) for panels in rest)]


def _on_one_line(bands: Sequence[Band]) -> Band:
    if len(bands) == 1:
        return bands[0]
    panels = tuple(replace(p, title=joined(band.title, p.title, by="\n")) for band in bands for p in band.panels)
    return Band("", panels, "; ".join(f"{band.title}: {band.told}" for band in bands))


# ---------------------------------------------------------------------------------------------- one's own measurements


def require_suffix(path: Path) -> None:
    """Raise InvalidParameter where a picture cannot be of the kind that a file's name asks for, or nothing can draw."""
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidParameter("plot", f"end in one of {', '.join(SUFFIXES)}", str(path))
    require_matplotlib()


_NARROW = 1.5
"""Factor between the ends of an axis below which a logarithmic one would have numbers at one place or at none."""


def samples_panel(
    *, axis: str, value: str, claim: str, x: Sequence[float], estimates: Sequence[Estimate],
    claimed: Sequence[float], confidence: float, origin: str = "claimed",
) -> Panel:  # fmt: skip
    """Measurements along an axis and the formula they were judged against, times the constant that was fitted.

    Args:
        origin: where the formula is from.
    """
    points = as_points(dict(zip(x, estimates, strict=True)))
    ends = [end for point in points for end in (point.low, point.high)]
    ink = Ink(CLAIMED, 1.2, fill=CLAIMED, shape="stroke" if len(points) == 1 else "")
    law = Trace(ink, "claimed", f"{origin}: {drawn(claim)}", xs=x, ys=claimed)
    placed = [(point.value, point) for point in points]
    heights = fitted([*claimed, *heights_shown(points)], ends, drawn(value))
    low, high = heights.ends or (None, None)
    if heights.scale == "log" and low is not None and high is not None and high < _NARROW * low:
        heights = PanelAxis(heights.words, ends=(low, high))
    return Panel(fitted(x, words=drawn(axis)), heights, [law, *marks_of(placed, confidence=confidence)])


def write_samples(path: Path, panel: Panel, *, title: str) -> None:
    """Draw measurements and the claimed law into a file.

    Raises:
        InvalidParameter: the file cannot be written.
    """
    figure, kind = renderer.sheet(title, [Band("", (panel,))], COLUMN), path.suffix.lower().removeprefix(".")
    try:
        path.write_bytes(renderer.written(figure, kind, dpi=ROW_DPI, style=COLUMN.style))
    except OSError as error:
        raise InvalidParameter("plot", "be a file that can be written", f"{path}: {error.strerror or error}") from None
