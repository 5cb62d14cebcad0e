"""A terminal of any width: no line is cut, and what does not fit stands below its line.

How important a column is stands here, by its key; one that is not named may leave the line early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.report import layout
from checks.report.layout import Column
from checks.report.writing.model import Document, Options, Sheet, Tone, WrittenCell, WrittenLine, WrittenPoints

_NO_BREAK = "\N{NO-BREAK SPACE}"
_MOST_KEPT = 32
"""Places of a phrase up to which it is not broken."""
_COLOURS = {Tone.FOR: "green", Tone.AGAINST: "red", Tone.OPEN: "yellow", Tone.NOTHING: "dim"}
_OF_CLAIMS = {
    "claim": Column(""),
    "verdict": Column("", coloured=True),
    "other": Column("", priority=2),
    "figures": Column("", priority=1, least=20),
    "steps": Column("", priority=3),
    "readings": Column("", priority=2),
}
_OF_LINES = {
    "claim": Column("", least=24),
    "verdict": Column("", coloured=True),
    "role": Column("", priority=3, label="role"),
    "part": Column("", priority=4, least=24, label=""),
    "axis": Column("", priority=5, least=14),
    "measured": Column("", priority=2),
    "claimed": Column("", priority=2),
    "delta": Column("", priority=1),
    "constants": Column("", priority=8),
    "asymptotic": Column("", priority=7),
    "trials": Column("", priority=9, right=True),
}
_SEQUENCE = Column("", least=14)
_OF_POINTS = (
    Column("", right=True),
    Column("", right=True),
    Column("", right=True),
    Column("", priority=1, right=True),
    Column("", priority=3, right=True),
    Column("", priority=2, right=True),
)


def write(document: Document, wanted: Options) -> str:
    """The table of claims, or of lines, with what to know of it below."""
    every = wanted.parts or wanted.points
    sheet = document.lines if every else document.claims
    lines = _sheet(sheet, _OF_LINES if every else _OF_CLAIMS, wanted)
    for line in sheet.lines if wanted.points else ():
        lines += _points(line.points, wanted.width) if line.points is not None else []
    notes = [line for note in sheet.notes for line in layout.paragraph(note, wanted.width)]
    return "\n".join([*lines, "", *notes]) + "\n"


def _sheet(sheet: Sheet, known: dict[str, Column], wanted: Options) -> list[str]:
    keys = [column for column in sheet.columns if wanted.reasons or column.key != sheet.why]
    lower = (sheet.why, *sheet.below)
    columns = [_column(column.key, column.heading, known, below=column.key in lower) for column in keys]
    rows = [[_shown(line[column.key]) for column in keys] for line in sheet.lines]
    return layout.table(columns, rows, width=wanted.width, colours=[_colour(line) for line in sheet.lines])


def _column(key: str, heading: str, known: dict[str, Column], *, below: bool) -> Column:
    if below:
        return Column(heading, below=True, label="")
    return replace(known.get(key, Column("", priority=10)), name=heading)


def _shown(cell: WrittenCell) -> str:
    """A cell whose short phrases are not broken."""
    phrases = ["".join(piece.text for piece in phrase) for phrase in cell.phrases]
    if len(phrases) == 1:
        return phrases[0]
    return " ".join(text.replace(" ", _NO_BREAK) if len(text) <= _MOST_KEPT else text for text in phrases)


def _colour(line: WrittenLine) -> str:
    return _COLOURS[line.tone]


def _points(points: WrittenPoints, width: int) -> list[str]:
    title = [layout.coloured(line, "bold", width) for line in layout.paragraph(points.title, width)]
    below = layout.paragraph(points.below, width) if points.below else []
    return ["", *title, *_grid(points.headings, points.rows, width), *below]


def _grid(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    of_points = _OF_POINTS if len(headings) == len(_OF_POINTS) else (_SEQUENCE, *_OF_POINTS)
    columns = [replace(column, name=name) for column, name in zip(of_points, headings, strict=True)]
    return layout.table(columns, rows, width=width)
