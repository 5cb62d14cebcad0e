"""Markdown: a table with inert cells, what its figures are below it, and points line by line where they are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from checks.report.escape import markdown
from checks.report.writing.model import Document, Options, WrittenPoints


def write(document: Document, wanted: Options) -> str:
    """The table of claims, or of lines; reasons always."""
    sheet = document.lines if wanted.parts or wanted.points else document.claims
    rows = ([line[column.key].text for column in sheet.columns] for line in sheet.lines)
    text = grid([column.heading for column in sheet.columns], rows)
    points = [line.points for line in sheet.lines if line.points is not None] if wanted.points else []
    legend = f"\n{markdown(document.legend)}\n" if document.legend else ""
    return text + "".join(map(_points, points)) + legend


def _points(points: WrittenPoints) -> str:
    below = f"\n{markdown(points.below)}\n" if points.below else ""
    return f"\n**{markdown(points.title)}**\n\n{grid(points.headings, points.rows)}{below}"


def grid(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a text of others becomes no markup in it."""
    head = [list(map(markdown, headings)), ["---"] * len(headings)]
    lines = [*head, *([markdown(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
