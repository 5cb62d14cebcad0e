"""The page of a claim: one band for each of its parts, by the kind of the part, and one file for the page.

Calling order: `sheet_of` -> `bands_of` -> the panels of each kind. Like the pictures of rows, pages are made without
pyplot and under a style of their own. `files` puts a page into a file.
"""

from __future__ import annotations

import functools
import math
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from checks.evidence.ratios import PairedThresholds
from checks.evidence.sampled import Scaling
from checks.evidence.thresholds import SuccessCurves
from checks.report.escape import plain
from checks.report.figures import (
    agreements,
    attention_maps,
    courses,
    linear_look,
    mean_differences,
    overlay,
    paired_curves,
    pairs,
    phase_plane,
    rates,
    runs,
    scalings,
    success_maps,
    witnesses,
)
from checks.report.figures.gathered import Piece
from checks.report.figures.labels import height_words, labelled, words
from checks.report.figures.panel import FONT, Band, Panel, heading
from checks.report.plot import draw_curves, draw_points, figures_in_words, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

PAGE_INCHES = 6.8
ONE_PANEL_INCHES = 4.6
PANEL_INCHES = 2.4
MOST_PANELS = 4
"""Panels on one line."""
_CHARACTERS_PER_INCH = 15.0
_TICKS_INCHES = 0.35
_LINE_INCHES = 0.16


# --------------------------------------------------------------------------------------------------------------- bands


def bands_of(pieces: Sequence[Piece]) -> list[Band]:
    """Bands of each part, by its kind; what is small shares a line, and so do thresholds along one axis."""
    return _packed([band for band, _ in bands_with_pieces(pieces)])


def bands_with_pieces(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """Each band by itself, with the pieces that it is drawn from."""
    curves = [piece for piece in pieces if isinstance(piece.part, SuccessCurves)]
    joined = [piece for piece in pieces if pairs.compared(piece)]
    bands: list[tuple[Band, Sequence[Piece]]] = []
    single: list[Piece] = []
    for piece in pieces:
        band = None if piece in joined else _band_of(piece)
        if band is not None:
            bands.append((band, [piece]))
        elif piece not in joined and not mean_differences.rows_of(piece) and rates.is_rate(piece):
            single.append(piece)
    bands += [(_levels_band(piece), [piece]) for piece in curves if overlay.levels_of(piece)]
    by_axis: dict[str, list[Piece]] = {}
    for piece in curves:
        by_axis.setdefault(f"{piece.part.symbol} {piece.part.size}", []).append(piece)  # type: ignore[attr-defined]
    bands += [(_overlay_band(group), group) for group in by_axis.values() if len(group) > 1]
    bands += [(_pairs_band(piece), [piece]) for piece in joined if pairs.paired(piece)]
    for kind in (agreements, mean_differences, witnesses, courses, attention_maps, phase_plane):
        bands += kind.bands(pieces)
    return [*bands, *_rates_bands(single)]


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
        replace(panel, title="\n".join(filter(None, (band.title, panel.title))))
        for band in bands
        for panel in band.panels
    )
    return Band("", panels, "; ".join(f"{band.title}: {band.told}" for band in bands))


def _band_of(piece: Piece) -> Band | None:
    if isinstance(piece.part, SuccessCurves):
        return _threshold_band(piece)
    if isinstance(piece.part, PairedThresholds):
        return _choices_band(piece)
    if isinstance(piece.part, Scaling):
        return _scaling_band(piece)
    if curves := runs.lines_of(piece):
        panels = [
            Panel(
                functools.partial(runs.draw_runs, runs=found), ", ".join(filter(None, (setting, f"{len(found)} runs")))
            )
            for (setting, _), found in curves.items()
        ]
        said = [f"{', '.join(filter(None, names))}: {runs.told(found)}" for names, found in curves.items()]
        return Band(heading(piece), tuple(panels), "; ".join(said), most=3)
    if piece.row is not None and (piece.row.display.curves or piece.row.points):
        drawing = draw_curves if piece.row.display.curves else draw_points
        draw = labelled(functools.partial(drawing, row=piece.row), piece, piece.claim.observable.replace("_", " "))
        panel = Panel(draw, figures_in_words(piece.row))
        return Band(heading(piece), (panel,), figures_in_words(piece.row))
    return None


def _threshold_band(piece: Piece) -> Band:
    panels = [
        Panel(
            labelled(functools.partial(success_maps.draw_map, piece=piece), piece, height_words(piece)), _figures(piece)
        )
    ]
    look = _look_panel(piece, words(piece.part.size), "threshold")  # type: ignore[attr-defined]
    return Band(heading(piece), (*panels, *look), "; ".join([success_maps.told(piece), *_said(piece)]))


def _choices_band(piece: Piece) -> Band:
    part, series = paired_curves.paired_part(piece), paired_curves.choices_of(piece)
    draw = functools.partial(overlay.draw_overlay, series=series, size=part.size)
    panels = [Panel(labelled(draw, piece, ""), f"{part.choices[0]} and {part.choices[1]}")]
    if piece.row is not None and piece.row.points:
        ratio = labelled(functools.partial(draw_points, row=piece.row), piece, f"{part.choices[0]} / {part.choices[1]}")
        panels.append(Panel(ratio, _figures(piece)))
    return Band(heading(piece), tuple(panels), "; ".join(filter(None, (overlay.told(series), _figures(piece)))))


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
    said = linear_look.look_words(linear_look.look_of(piece))
    draw = labelled(functools.partial(linear_look.draw_look, row=piece.row, noun=noun), piece, height, in_step=False)
    return [Panel(draw, f"Linear look: {said}")]


def _levels_band(piece: Piece) -> Band:
    series = overlay.levels_of(piece)
    draw = functools.partial(overlay.draw_overlay, series=series, size=success_maps.curves_part(piece).size)
    title = f"{piece.part.name}: other levels of success"
    return Band(title, (Panel(labelled(draw, piece, "", in_step=False)),), overlay.told(series), most=3)


def _overlay_band(group: Sequence[Piece]) -> Band:
    series = [overlay.series_of(piece) for piece in group]
    draw = functools.partial(overlay.draw_overlay, series=series, size=success_maps.curves_part(group[0]).size)
    names = "; ".join(one.name for one in series)
    panel = Panel(labelled(draw, group[0], "", in_step=False))
    return Band("All thresholds together", (panel,), f"Thresholds over each other: {names}", most=1)


def _rates_bands(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """Parts with one setting share a panel, a line each; a part with several has its own."""
    alone = [piece for piece in pieces if len(rates.groups_of(piece).groups) == 1]
    bands: list[tuple[Band, Sequence[Piece]]] = [
        (Band(heading(piece), (_rates_panel(found, names),), "; ".join(map(str, found))), [piece])
        for piece in pieces
        if piece not in alone
        for found, names in [(rates.rates_of(piece), ", ".join(rates.groups_of(piece).names))]
    ]
    if alone:
        found = [rate for piece in alone for rate in rates.rates_of(piece, named=True)]
        told = "; ".join(map(str, found))
        bands.append((Band("Shares of trials", (_rates_panel(found, ""),), told, most=1), alone))
    return bands


def _rates_panel(found: Sequence[rates.Share], names: str) -> Panel:
    return Panel(functools.partial(rates.draw_rates, rates=found, title=names), lines=len(found))


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
    look = linear_look.look_of(piece)
    moving = piece.in_step()
    said = [_figures(piece)]
    said += [f"linear look: {linear_look.look_words(look)}"] if look is not None else []
    said += [f"confounded with {', '.join(moving)}"] if moving else []
    return list(filter(None, said))


# ---------------------------------------------------------------------------------------------------------------- page


def sheet_of(pieces: Sequence[Piece]) -> Figure | None:
    """The page of one claim; None where its trials have nothing that can be drawn."""
    from matplotlib.figure import Figure
    from matplotlib.gridspec import GridSpec

    bands = bands_of(pieces)
    if not bands:
        return None
    claim = pieces[0].claim
    width = PAGE_INCHES if any(len(band.panels) > 1 for band in bands) else ONE_PANEL_INCHES
    with styled(FONT):
        title = textwrap.wrap(plain(f"{claim.id}: {claim.source.place}"), int(width * _CHARACTERS_PER_INCH))
        figure = Figure(layout="constrained", figsize=(width, 1.0))
        grid = GridSpec(len(bands), 1, figure=figure)
        heights = [_draw_band(figure.add_subfigure(grid[at]), band, width) for at, band in enumerate(bands)]
        grid.set_height_ratios(heights)
        figure.suptitle("\n".join(title), x=0.01, ha="left", fontsize=9, fontweight="bold", parse_math=False)
        figure.set_figheight(sum(heights) + 0.18 * len(title) + 0.08)
    return figure


def _wrapped(text: str, characters: int) -> list[str]:
    return [line for words in text.split("\n") for line in textwrap.wrap(plain(words), characters)]


def _title_characters(band: Band, width: float) -> int:
    """Characters on a line above a panel, which is narrower than its share of the page by its ticks."""
    return max(int((width / len(band.panels) - _TICKS_INCHES) * _CHARACTERS_PER_INCH), 12)


def _draw_band(part: SubFigure, band: Band, width: float) -> float:
    """Panels, titles and legend; returns the inches that they take from top to bottom."""
    characters = _title_characters(band, width)
    lines = 0
    for axes, panel in zip(part.subplots(1, len(band.panels), squeeze=False)[0], band.panels, strict=True):
        panel.draw(axes)
        wrapped = _wrapped(panel.title, characters)
        lines = max(lines, len(wrapped) + (2 if axes.child_axes else 0))  # an axis on top has ticks and words
        axes.set_title("\n".join(wrapped), loc="left", parse_math=False)
    if band.title:
        words = textwrap.wrap(plain(band.title), int(width * _CHARACTERS_PER_INCH))
        part.suptitle("\n".join(words), x=0.01, ha="left", fontsize=8.5, fontweight="bold", parse_math=False)
        lines += len(words)
    legend: dict[str, Any] = {}
    for axes in part.axes:
        legend |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if legend:
        columns = max(min(int(width * _CHARACTERS_PER_INCH / (max(map(len, legend)) + 8)), 4), 1)
        part.legend(list(legend.values()), list(legend), loc="outside lower left", ncols=columns, frameon=False)
        lines += math.ceil(len(legend) / columns)
    listed = [panel.lines for panel in band.panels]
    return max(PANEL_INCHES if n is None else 0.5 + 0.28 * n for n in listed) + _LINE_INCHES * (lines + 1)
