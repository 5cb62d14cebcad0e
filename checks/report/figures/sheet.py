"""The page of a claim: one band for each of its parts, by the kind of the part, and one file for the page.

Calling order: `sheet_of` -> `bands_of` -> the panels of each kind. Like the pictures of rows, pages are made without
pyplot and under a style of their own. `files` puts a page into a file.
"""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from checks.evidence.sampled import Scaling, Threshold
from checks.report.escape import plain
from checks.report.figures import linear_look, overlay, pairs, rates, runs, scalings, success_maps
from checks.report.figures.gathered import Piece
from checks.report.figures.labels import height_words, labelled, words
from checks.report.figures.panel import FONT, Band, Panel, heading
from checks.report.plot import draw_curves, draw_points, figures_in_words, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

PAGE_INCHES = 6.8
ONE_PANEL_INCHES = 4.6
PANEL_INCHES = 2.5
MOST_PANELS = 4
"""Panels on one line."""
_CHARACTERS_PER_INCH = 15.0
_TICKS_INCHES = 0.35


# --------------------------------------------------------------------------------------------------------------- bands


def bands_of(pieces: Sequence[Piece]) -> list[Band]:
    """A band a part, and one more that lays thresholds along one axis over each other; what is small shares a line."""
    bands = [band for piece in pieces if not pairs.compared(piece) if (band := _band_of(piece)) is not None]
    by_axis: dict[str, list[Piece]] = {}
    for piece in pieces:
        if isinstance(piece.part, Threshold):
            by_axis.setdefault(f"{piece.part.symbol} {piece.part.size}", []).append(piece)
    bands += [_overlay_band(group) for group in by_axis.values() if len(group) > 1]
    bands += [_pairs_band(piece) for piece in pieces if pairs.compared(piece) and pairs.paired(piece)]
    return _packed(bands)


def _packed(bands: Sequence[Band]) -> list[Band]:
    """Neighbouring bands of one panel on lines of several, each panel then with its band's title; long bands broken."""
    lines: list[list[Band]] = []
    for band in bands:
        last = lines[-1] if lines else []
        fits = last and len(last) < band.most == last[0].most
        if fits and len(band.panels) == len(last[0].panels) == 1:
            last.append(band)
        else:
            lines.append([band])
    return [short for line in lines for short in _broken(_joined(line))]


def _broken(band: Band) -> list[Band]:
    first, *rest = (band.panels[at : at + MOST_PANELS] for at in range(0, len(band.panels), MOST_PANELS))
    return [replace(band, panels=first), *(Band("", panels, "") for panels in rest)]


def _joined(bands: Sequence[Band]) -> Band:
    if len(bands) == 1:
        return bands[0]
    panels = tuple(
        Panel(panel.draw, "\n".join(filter(None, (band.title, panel.title)))) for band in bands for panel in band.panels
    )
    return Band("", panels, "; ".join(f"{band.title}: {band.told}" for band in bands))


def _band_of(piece: Piece) -> Band | None:
    if isinstance(piece.part, Threshold):
        return _threshold_band(piece)
    if isinstance(piece.part, Scaling):
        return _scaling_band(piece)
    if curves := runs.lines_of(piece):
        panels = [
            Panel(functools.partial(runs.draw_runs, runs=found), f"{title}, {len(found)} runs")
            for title, found in curves.items()
        ]
        said = "; ".join(f"{title}: {runs.told(found)}" for title, found in curves.items())
        return Band(heading(piece), tuple(panels), said)
    if piece.row is not None and (piece.row.display.curves or piece.row.points):
        drawing = draw_curves if piece.row.display.curves else draw_points
        draw = labelled(functools.partial(drawing, row=piece.row), piece, piece.claim.observable.replace("_", " "))
        panel = Panel(draw, figures_in_words(piece.row))
        return Band(heading(piece), (panel,), figures_in_words(piece.row))
    if rates.is_rate(piece):
        panel = Panel(functools.partial(rates.draw_rates, piece=piece))
        return Band(heading(piece), (panel,), rates.told(piece))
    return None


def _threshold_band(piece: Piece) -> Band:
    panels = [
        Panel(
            labelled(functools.partial(success_maps.draw_map, piece=piece), piece, height_words(piece)), _figures(piece)
        )
    ]
    look = _look_panel(piece, words(piece.part.size), "threshold")  # type: ignore[attr-defined]
    return Band(heading(piece), (*panels, *look), "; ".join([success_maps.told(piece), *_said(piece)]))


def _scaling_band(piece: Piece) -> Band:
    panels = [
        Panel(
            labelled(functools.partial(scalings.draw_scaling, piece=piece), piece, height_words(piece)), _figures(piece)
        )
    ]
    look = _look_panel(piece, words(piece.part.observable))  # type: ignore[attr-defined]
    said = f"{len(piece.trials)} runs on logarithmic axes"
    return Band(heading(piece), (*panels, *look), "; ".join([said, *_said(piece)]))


def _look_panel(piece: Piece, height: str, noun: str = "measured") -> list[Panel]:
    if piece.row is None or not linear_look.abscissa(piece.row):
        return []
    look = linear_look.look_of(piece.row)
    said = "too few values for a line" if look is None else str(look)
    draw = labelled(functools.partial(linear_look.draw_look, row=piece.row, noun=noun), piece, height, in_step=False)
    return [Panel(draw, f"linear: {said}")]


def _overlay_band(group: Sequence[Piece]) -> Band:
    draw = labelled(functools.partial(overlay.draw_overlay, pieces=group), group[0], "", in_step=False)
    names = "; ".join(overlay.series_name(piece) for piece in group)
    return Band("All thresholds together", (Panel(draw),), f"Thresholds over each other: {names}", most=1)


def _pairs_band(piece: Piece) -> Band:
    panels = tuple(
        Panel(
            functools.partial(pairs.draw_pairs, piece=piece, trials=trials),
            "; ".join(filter(None, (setting, f"{pairs.counted(piece, trials)} runs as claimed"))),
        )
        for setting, trials in pairs.paired(piece).items()
    )
    return Band(heading(piece), panels, pairs.told(piece), most=MOST_PANELS)


def _figures(piece: Piece) -> str:
    row = piece.row
    if row is None or not row.points:
        return ""
    return figures_in_words(row)


def _said(piece: Piece) -> list[str]:
    """The figures of the judgement and of the linear look, for those who cannot see them."""
    look = linear_look.look_of(piece.row) if piece.row is not None else None
    moving = piece.in_step()
    said = [_figures(piece)]
    said += [f"linear look: {look}"] if look is not None else []
    said += [f"confounded with {', '.join(moving)}"] if moving else []
    return list(filter(None, said))


# ---------------------------------------------------------------------------------------------------------------- page


def sheet_of(pieces: Sequence[Piece]) -> Figure | None:
    """The page of one claim; None where its trials have nothing that can be drawn."""
    from matplotlib.figure import Figure

    bands = bands_of(pieces)
    if not bands:
        return None
    claim = pieces[0].claim
    width = PAGE_INCHES if any(len(band.panels) > 1 for band in bands) else ONE_PANEL_INCHES
    with styled(FONT):
        title = textwrap.wrap(plain(f"{claim.id}: {claim.source.place}"), int(width * _CHARACTERS_PER_INCH))
        figure = Figure(layout="constrained", figsize=(width, 1.0))
        heights = [_height(band, width) for band in bands]
        parts = figure.subfigures(len(bands), 1, height_ratios=heights, squeeze=False)[:, 0]
        for part, band in zip(parts, bands, strict=True):
            _draw_band(part, band, width)
        figure.suptitle("\n".join(title), x=0.01, ha="left", fontsize=9, fontweight="bold", parse_math=False)
        figure.set_figheight(sum(heights) + 0.18 * len(title) + 0.08)
    return figure


def _height(band: Band, width: float) -> float:
    """Inches: the panels, their titles, the band's own line, and a legend of about this many lines."""
    characters = _title_characters(band, width)
    lines = max(len(_wrapped(panel.title, characters)) for panel in band.panels)
    return PANEL_INCHES + 0.14 * lines + (0.2 if band.title else 0.0) + 0.5


def _wrapped(text: str, characters: int) -> list[str]:
    return [line for words in text.split("\n") for line in textwrap.wrap(plain(words), characters)]


def _title_characters(band: Band, width: float) -> int:
    """Characters on a line above a panel, which is narrower than its share of the page by its ticks."""
    return max(int((width / len(band.panels) - _TICKS_INCHES) * _CHARACTERS_PER_INCH), 12)


def _draw_band(part: SubFigure, band: Band, width: float) -> None:
    characters = _title_characters(band, width)
    for axes, panel in zip(part.subplots(1, len(band.panels), squeeze=False)[0], band.panels, strict=True):
        panel.draw(axes)
        axes.set_title("\n".join(_wrapped(panel.title, characters)), loc="left", parse_math=False)
    if band.title:
        lines = textwrap.wrap(plain(band.title), int(width * _CHARACTERS_PER_INCH))
        part.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=8.5, fontweight="bold", parse_math=False)
    legend: dict[str, Any] = {}
    for axes in part.axes:
        legend |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if legend:
        columns = max(min(int(width * _CHARACTERS_PER_INCH / (max(map(len, legend)) + 8)), 3), 1)
        part.legend(list(legend.values()), list(legend), loc="outside lower left", ncols=columns, frameon=False)
