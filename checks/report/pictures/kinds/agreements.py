"""How far two ways to compute one quantity differ, trial by trial, against the tolerance: a line a part.

Differences are relative errors and span many orders, so they stand on a logarithmic axis; two numbers that are equal to
the last bit stand at 0, left of a linear piece.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from checks.evidence.comparison import sane
from checks.evidence.sampled import Agreement
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import CLAIMED, MEASURED, Band, DataTable, Ink, Mark, Panel, Strokes, Trace
from checks.report.pictures.scales import heights_of, listed, log_from_zero
from checks.report.pictures.words import heading, wrapped

_LABEL_CHARACTERS = 44
_INKS = (
    (True, Ink(MEASURED, dash="", fill="white", shape="circle", size=3.0, edge=0.6), "difference of a trial"),
    (False, Ink(CLAIMED, dash="", fill="white", shape="cross", size=5.0, edge=0.6), "beyond the tolerance"),
)


@dataclass(frozen=True)
class Differences:
    """What the trials of one part differ by, and what they may differ by."""

    words: str
    values: tuple[float, ...]
    tolerance: float

    def __str__(self) -> str:
        within = sum(value <= self.tolerance for value in self.values)
        return (
            f"{self.words}: {within} of {len(self.values)} trials within {self.tolerance:g}, largest "
            f"{max(self.values):.2g}"
        )


def differences_of(piece: Piece) -> Differences | None:
    """The differences of a part that compares two computations; None of any other, and where none can be drawn."""
    part = piece.part
    if not isinstance(part, Agreement):
        return None
    values = [abs(trial.number(part.observable)) for trial in sane(piece.trials)]
    finite = tuple(value for value in values if math.isfinite(value))
    return Differences(heading(piece), finite, part.tolerance) if finite else None


def panel_of(found: Sequence[Differences]) -> Panel:
    """A dot a trial, spread a little upward and downward, and a stroke at each tolerance."""
    values = [value for one in found for value in (*one.values, one.tolerance)]
    names = [wrapped(one.words, _LABEL_CHARACTERS, 2) for one in found]
    marks = [mark for height, one in zip(heights_of(found), found, strict=True) for mark in _line(height, one)]
    return Panel(
        log_from_zero(values, "difference, as a share of the quantity"), listed(names), marks, lines=len(found)
    )


def _line(height: float, one: Differences) -> list[Mark]:
    marks: list[Mark] = []
    for is_within, ink, words in _INKS:
        kept = [(number, v) for number, v in enumerate(one.values) if (v <= one.tolerance) is is_within]
        ys = [height + 0.3 * (number / max(len(one.values) - 1, 1) - 0.5) for number, _ in kept]
        marks += [Trace(ink, "difference", words, xs=[value for _, value in kept], ys=ys)] if kept else []
    stroke = (one.tolerance, height - 0.38, one.tolerance, height + 0.38)
    return [*marks, Strokes(Ink(width=1.4), "reference", "tolerance", ends=[stroke])]


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """One band of all parts that compare two computations, a line each; none where there are none."""
    found = [one for piece in pieces if (one := differences_of(piece)) is not None]
    if not found:
        return []
    told = "; ".join(map(str, found))
    return [Band("Two ways to compute it", (panel_of(found),), told, most=1, data=(_table(found),))]


def _table(found: Sequence[Differences]) -> DataTable:
    columns = ("part", "trials", "least", "median", "largest", "tolerance")
    rows = [
        (one.words, str(len(one.values)), *(f"{n:.3g}" for n in _three(one.values)), f"{one.tolerance:g}")
        for one in found
    ]
    return DataTable("Differences", columns, tuple(rows))


def _three(values: Sequence[float]) -> tuple[float, float, float]:
    return min(values), statistics.median(values), max(values)


KIND = PictureKind(place=30, bands=_bands)
