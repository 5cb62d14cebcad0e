"""Differences of pairs, the interval of their mean and the margins that it is held against: a line a part.

Parts that compare the same two observables share a panel. An interval without an end runs to the edge and has an
arrowhead there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence.comparison import sane
from checks.evidence.paired import PairedDifference
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import CLAIMED, MEASURED, Band, DataTable, Ink, Mark, Panel, PanelAxis, Strokes, Trace
from checks.report.pictures.scales import heights_of, listed
from checks.report.pictures.tables import of_row
from checks.report.pictures.words import heading, spoken, wrapped
from checks.statistics.verdict import Interval

_LABEL_CHARACTERS = 44
_NOUN_CHARACTERS = 32
_ROOM = 0.08
"""Of the span of all that is drawn, left free on either side."""
_PAIR = Ink(dash="", shape="circle", size=3.2, edge=0.7)
_INKS = (
    (True, replace(_PAIR, colour=MEASURED, fill="white"), "a pair"),
    (False, replace(_PAIR, colour=CLAIMED, fill=CLAIMED, shape="cross"), "not as claimed"),
)


@dataclass(frozen=True)
class PairsOfPart:
    """The differences of one part, each with whether it lies as claimed, and what their mean is held against."""

    words: str
    values: tuple[tuple[float, bool], ...]
    margins: tuple[float, ...]
    mean: float
    interval: Interval | None
    level: str

    def __str__(self) -> str:
        end = "" if self.interval is None else f" {self.interval}"
        as_claimed = sum(met for _, met in self.values)
        return f"{self.words}: mean {self.mean:+.3g}{end}, {as_claimed} of {len(self.values)} as claimed"


def rows_of(piece: Piece) -> list[tuple[float, float, bool]]:
    """First, second and whether the difference is as claimed, of each trial with a difference."""
    part = piece.part
    if not isinstance(part, PairedDifference):
        return []
    trials = sane(piece.trials)
    return [(trial.number(part.first), trial.number(part.second), bool(part.met_by(trial))) for trial in trials]


def pairs_of(piece: Piece) -> PairsOfPart | None:
    """What is drawn of a part; None of a part of another kind, or without a trial."""
    part, rows = piece.part, rows_of(piece)
    if not isinstance(part, PairedDifference) or not rows:
        return None
    values = tuple((first - second, met) for first, second, met in rows)
    interval, level = (None, "") if piece.row is None else (piece.row.judgement.confidence_interval, piece.row.level)
    margins = tuple(margin for margin in (part.low, part.high) if math.isfinite(margin))
    mean = sum(value for value, _ in values) / len(values)
    return PairsOfPart(heading(piece), values, margins, mean, interval, level)


def panel_of(found: Sequence[PairsOfPart], *, noun: str) -> Panel:
    """Above each height the mean with its interval, below it a dot a pair; a stroke at each margin."""
    ends = _span(found)
    names = [wrapped(one.words, _LABEL_CHARACTERS, 3) for one in found]
    marks = [mark for height, one in zip(heights_of(found), found, strict=True) for mark in _line(height, one, ends)]
    return Panel(PanelAxis(wrapped(noun, _NOUN_CHARACTERS), ends=ends), listed(names), marks, lines=2 * len(found) + 1)


def _line(height: float, one: PairsOfPart, ends: tuple[float, float]) -> list[Mark]:
    marks: list[Mark] = []
    for is_met, ink, words in _INKS:
        xs = [value for value, met in one.values if met is is_met]
        marks += [Trace(ink, "pair", words, xs=xs, ys=[height - 0.2] * len(xs))] if xs else []
    marks += _interval(height + 0.15, one.interval, ends) if one.interval is not None else []
    label = f"mean, {one.level} interval" if one.level else "mean"
    mean = Ink(dash="", fill="black", shape="diamond", size=3.5)
    marks.append(Trace(mean, "mean", label, xs=[one.mean], ys=[height + 0.15]))
    strokes = [(margin, height - 0.38, margin, height + 0.38) for margin in one.margins]
    return [*marks, *([Strokes(Ink(CLAIMED, 1.4), "reference", "margin", ends=strokes)] if strokes else [])]


def _interval(height: float, interval: Interval, ends: tuple[float, float]) -> list[Mark]:
    """A line as far as the interval goes, with an arrowhead at the edge where it has no end."""
    low, high = max(interval.low, ends[0]), min(interval.high, ends[1])
    marks: list[Mark] = [Strokes(Ink(width=1.2), "interval", ends=[(low, height, high, height)])]
    for end, edge, head in ((interval.low, ends[0], "triangle-left"), (interval.high, ends[1], "triangle-right")):
        if math.isinf(end):
            marks.append(Trace(Ink(dash="", fill="black", shape=head, size=4), "open", xs=[edge], ys=[height]))
    return marks


def _span(found: Sequence[PairsOfPart]) -> tuple[float, float]:
    """Ends of the axis that hold all that is finite, with room."""
    all_of_it = [value for one in found for value, _ in one.values] + [m for one in found for m in one.margins]
    for one in found:
        ends = (one.interval.low, one.interval.high) if one.interval is not None else ()
        all_of_it += [end for end in ends if math.isfinite(end)]
    low, high = min(all_of_it), max(all_of_it)
    room = _ROOM * (high - low) or 1.0
    return low - room, high + room


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """A band for each two observables that parts compare, a line a part."""
    by_names: dict[str, list[tuple[Piece, PairsOfPart]]] = {}
    for piece in pieces:
        if (one := pairs_of(piece)) is not None and isinstance(piece.part, PairedDifference):
            names = " less ".join(map(spoken, (piece.part.first, piece.part.second)))
            by_names.setdefault(names, []).append((piece, one))
    return [_band(noun, group) for noun, group in by_names.items()]


def _band(noun: str, group: Sequence[tuple[Piece, PairsOfPart]]) -> Band:
    shown = [one for _, one in group]
    data = tuple(table for piece, _ in group for table in (_table(piece), *of_row(piece.row)))
    said = "; ".join(map(str, shown))
    return Band("Mean differences of pairs", (panel_of(shown, noun=noun),), said, most=1, data=data)


def _table(piece: Piece) -> DataTable:
    names = tuple(spoken(getattr(piece.part, name)) for name in ("first", "second"))
    rows = tuple(
        (f"{number}", f"{first:.4g}", f"{second:.4g}", f"{first - second:+.3g}", "yes" if met else "no")
        for number, (first, second, met) in enumerate(rows_of(piece), start=1)
    )
    return DataTable(piece.part.name, ("pair", *names, "difference", "as claimed"), rows)


KIND = PictureKind(place=40, bands=_bands)
