"""A fragment of HTML, for a page or a notebook: a table with a caption, every cell escaped.

Texts between dollars are no formulas for MathJax: the class says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from checks.report.escape import html
from checks.report.writing.model import Document, Options, Sheet, WrittenPoints
from theory.display.notebook import IGNORED, LEFT


def write(document: Document, wanted: Options) -> str:
    """The table of claims, or of lines; reasons where they are wanted."""
    sheet = document.lines if wanted.parts or wanted.points else document.claims
    points = [line.points for line in sheet.lines if line.points is not None] if wanted.points else []
    legend = f"<p>{html(document.legend)}</p>" if document.legend else ""
    tables = [_sheet(sheet, document.title, reasons=wanted.reasons), legend, *map(_points, points)]
    return f'<div class="{IGNORED}">{"".join(tables)}</div>\n'


def _sheet(sheet: Sheet, title: str, *, reasons: bool) -> str:
    columns = [column for column in sheet.columns if reasons or column.key != sheet.why]
    rows = [[line[column.key].text for column in columns] for line in sheet.lines]
    return _table(title, [column.heading for column in columns], rows)


def _points(points: WrittenPoints) -> str:
    below = f"<p>{html(points.below)}</p>" if points.below else ""
    return _table(points.title, points.headings, points.rows) + below


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th{LEFT}>{html(name)}</th>" for name in headings)
    body = "".join(f"<tr>{''.join(f'<td{LEFT}>{html(cell)}</td>' for cell in row)}</tr>" for row in rows)
    caption = f"<caption>{html(title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
