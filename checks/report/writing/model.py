"""What a line shows, as typed cells: words, signs, formulas, figures and intervals, as printed and as LaTeX.

The model is made from rows in one place (`checks.report.writing.from_rows`), and a format of `checks.report.formats`
turns it into text. A format knows no row, judgement or claim, so a new one is one new file; nothing here is escaped, so
a format escapes each piece once, as it writes it. A cell is a list of phrases, and a phrase a list of pieces that stay
together on a line.

Figures are rounded as the model is made, so that every format prints the same digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from checks.statistics.verdict import Interval, added_up

POINT_KEYS = ("value", "bound", "measured", "low", "high", "censored", "in_regime", "n_trials", "endings", "sequence")
"""What the record of a point has, in this order."""


class Tone(StrEnum):
    """What a line says of its claim, for a colour."""

    FOR = "for"
    AGAINST = "against"
    OPEN = "open"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Words:
    """Text of a paper, a store or ours."""

    text: str


@dataclass(frozen=True)
class Mathematics:
    """A letter, a sign or a formula: in the letters of a terminal, and as LaTeX."""

    text: str
    latex: str


@dataclass(frozen=True)
class Figure:
    """A number as it is printed.

    Attributes:
        value: the number itself.
        text: its digits.
        unit: what it is, "exponent" or "Δ"; counts and seconds are words.
    """

    value: float
    text: str
    unit: str

    @property
    def latex(self) -> str:
        """Its digits as a formula."""
        return self.text


@dataclass(frozen=True)
class Span:
    """An interval as it is printed: `level` is "95 %" or "range", and an end has so many significant `digits`."""

    interval: Interval
    level: str
    digits: int = 3

    @property
    def text(self) -> str:
        """Both ends, rounded."""
        low, high = (f"{end:.{self.digits}g}" for end in (self.interval.low, self.interval.high))
        return f"[{low}, {high}]"

    @property
    def latex(self) -> str:
        """The same as a formula."""
        return self.text.replace("inf", r"\infty")


Piece = Words | Mathematics | Figure | Span
Phrase = tuple[Piece, ...]


@dataclass(frozen=True)
class WrittenCell:
    """Phrases, with a space between them where they are read as one."""

    phrases: tuple[Phrase, ...] = ()

    @property
    def text(self) -> str:
        """The cell as plain text, not escaped for anything."""
        return " ".join("".join(piece.text for piece in phrase) for phrase in self.phrases)

    @property
    def figures(self) -> list[Figure]:
        """The figures in it."""
        return [piece for phrase in self.phrases for piece in phrase if isinstance(piece, Figure)]

    def __bool__(self) -> bool:
        return bool(self.text)

    def __add__(self, other: WrittenCell) -> WrittenCell:
        return WrittenCell(self.phrases + other.phrases)


NOTHING = WrittenCell()


def words(*texts: object) -> WrittenCell:
    """A cell of words, each text a phrase; what is "" or None is left out."""
    return WrittenCell(tuple((Words(str(text)),) for text in texts if text not in ("", None)))


@dataclass(frozen=True)
class WrittenColumn:
    """A column of a table: the key of its cells, and its heading."""

    key: str
    heading: str


@dataclass(frozen=True)
class WrittenPoints:
    """What was measured at each point of a line: headings, cells, and words below."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    below: str = ""


@dataclass(frozen=True)
class WrittenLine:
    """A line of a table.

    Attributes:
        cells: by the key of their columns; a key that is not there is an empty cell.
        tone: what it says of its claim.
        group: the claim; lines of one group stand together.
        decides: whether it is a statement, whose verdict is heard.
        points: what was measured along its axis.
    """

    cells: Mapping[str, WrittenCell]
    tone: Tone
    group: str
    decides: bool = True
    points: WrittenPoints | None = None

    def __getitem__(self, key: str) -> WrittenCell:
        return self.cells.get(key, NOTHING)


@dataclass(frozen=True)
class Sheet:
    """Lines under columns; `notes` are paragraphs below.

    Attributes:
        why: the key of the cell of reasons, which stands below its line where reasons are wanted.
        below: keys of cells that stand below their line wherever lines have a width.
    """

    columns: tuple[WrittenColumn, ...]
    lines: tuple[WrittenLine, ...]
    notes: tuple[str, ...] = ()
    why: str = "why"
    below: tuple[str, ...] = ("scope",)


@dataclass(frozen=True)
class Document:
    """A table in full: one line a claim, every line of every claim, and the records of the lines.

    Attributes:
        title: how many claims, at which preset.
        legend: what the figures are, in one paragraph; "" where there are none.
        records: one JSON-able object a line, in the order of `lines`.
    """

    title: str
    legend: str
    claims: Sheet
    lines: Sheet
    records: tuple[dict[str, Any], ...] = field(repr=False, default=())


@dataclass(frozen=True)
class Options:
    """What of a document is to be shown.

    Attributes:
        parts: every line, and not one line a claim.
        points: what was measured along each line.
        reasons: why each verdict is what it is, where a format leaves that out by itself.
        width: of the screen; 0 is unlimited.
    """

    parts: bool = True
    points: bool = False
    reasons: bool = False
    width: int = 0


# ------------------------------------------------------------------------------------------------------------ rounding


@dataclass(frozen=True)
class Difference:
    """Two exponents and Delta as printed: the digits of the first two give the digits of the third."""

    measured: Figure
    claimed: Figure
    delta: Figure


def difference(measured: float, claimed: float, delta: float, interval: Interval | None) -> Difference:
    """The three figures of a line, rounded so that they add up (`checks.statistics.verdict`)."""
    digits = added_up(measured, claimed, delta, interval)
    return Difference(
        Figure(measured, digits.measured, "exponent"),
        Figure(claimed, digits.claimed, "exponent"),
        Figure(delta, digits.delta, "Δ"),
    )


def short(value: float | None) -> str:
    """Three digits; "" for none."""
    return "" if value is None or not math.isfinite(value) else f"{value:.3g}"


def columns(pairs: Sequence[tuple[str, str]]) -> tuple[WrittenColumn, ...]:
    """Columns from keys and headings."""
    return tuple(WrittenColumn(key, heading) for key, heading in pairs)
