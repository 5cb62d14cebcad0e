"""Pictures of a claim as SVG that stands inside a page: one for each panel, so that a narrow screen can stack them.

What is drawn is decided by `checks.report.pictures`, from the same rows and trials as the files of `theoremeter plot`
and `theoremeter figures`. Here the words above a panel become text of the page, identifiers get a prefix that no other
picture of the page has, and each picture says in its title and description what it shows.
"""

from __future__ import annotations

import hashlib
import pickle
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from checks.records.rows import Row
from checks.report.later import renderer
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import band_of_row, bands_of
from checks.report.pictures.model import Band, Panel
from checks.report.pictures.residuals import residuals
from checks.report.pictures.svg import of_page
from checks.report.pictures.tables import limited
from checks.report.pictures.vega_lite import specification
from checks.report.pictures.words import heading, joined
from checks.report.site.model import Illustration, PanelPicture

if TYPE_CHECKING:
    from checks.report.pictures.renderer import Web

_OVER_TRAINING = re.compile(r"\b(SGD steps?|steps?|iterations?|epochs?) *$|^\(?(SGD )?steps?\b|\bOne training\b")
"""Of what a panel has below it, or of the words above: time of a training."""
_MOST_KEPT = 1000
MOST_PANELS = 6
"""Panels of one drawing; further settings are in its table, and `theoremeter figures` draws them all."""


def drawings_of(
    pieces: Sequence[Piece], rows: Sequence[Row], *, prefix: str, more: Sequence[Band] = ()
) -> tuple[Illustration, ...]:
    """Everything that can be drawn of a claim, the parts in the order of its check.

    Args:
        prefix: begins the identifiers of these pictures and of no others on the page; what follows are capitals.
        more: what is drawn after them, of proofs.
    """
    own = [row for row in rows if any(not hasattr(picture, "lines") for picture in row.display.pictures)]
    bands = [
        *_with_residuals(bands_of(pieces), pieces),
        *more,
        *(band for row in own if (band := band_of_row(row)) is not None),
    ]
    return tuple(_drawing(band, f"{prefix}{_capitals(number)}") for number, band in enumerate(bands))


def _with_residuals(bands: Sequence[Band], pieces: Sequence[Piece]) -> list[Band]:
    """The bands of parts, each with what the claimed law leaves over as a second panel."""
    left = {heading(piece): panel for piece in pieces if piece.row and (panel := residuals(piece.row)) is not None}
    return [
        replace(band, panels=(*band.panels[:1], left[band.title], *band.panels[1:])) if band.title in left else band
        for band in bands
    ]


def _drawing(band: Band, prefix: str) -> Illustration:
    panels = []
    for number, panel in enumerate(band.panels[:MOST_PANELS]):
        drawn = _svg(panel, band.title, "" if number else band.told, f"{prefix}{_capitals(number)}")
        panels.append(PanelPicture(panel.title, drawn, panel.lines is not None, specification(panel)))
    more = len(band.panels) - MOST_PANELS
    said = f"{more} more settings are not drawn here; `theoremeter figures` draws them" if more > 0 else ""
    title = joined(band.title, band.along and f"along {band.along}")
    over_training = any(_OVER_TRAINING.search(f"{panel.x.words} {band.title}") for panel in band.panels)
    return Illustration(title, tuple(panels), band.told, limited(band.data), said, over_training, band.note)


def _capitals(number: int) -> str:
    """A number in few letters: pictures of a site refer to their own pieces tens of thousands of times."""
    return (_capitals(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


_drawn: dict[bytes, Web] = {}
"""Panels as drawn, by their contents: one in ten of a site stands in the drawings of several parts or claims."""


def _web(panel: Panel) -> Web:
    contents = hashlib.sha256(pickle.dumps(panel)).digest()
    if contents not in _drawn:
        if len(_drawn) >= _MOST_KEPT:
            _drawn.clear()
        _drawn[contents] = renderer.web(panel)
    return _drawn[contents]


def _svg(panel: Panel, title: str, told: str, prefix: str) -> str:
    drawn = _web(panel)
    title = joined(title, panel.title, by=": ")
    return of_page(drawn.svg, title=title, told=told, prefix=prefix, seen=drawn.seen, words=drawn.hover)
