"""The figures that a picture is drawn from, as tables: for who cannot see it and for who wants numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.records.rows import Point, Row
from checks.report.pictures.model import DataTable
from checks.report.writing.from_rows import point_cells, point_names
from checks.statistics.explanation import counted

MOST_ROWS = 240
"""Rows of a table on a page; more are left out, and the table says so."""
_MOST_THINNED = 60
"""Rows that are enough for a curve."""
MOST_TABLES = 12
"""Tables of one drawing."""


def of_row(row: Row | None) -> tuple[DataTable, ...]:
    """The curves and the points of a row, as far as it has any."""
    if row is None:
        return ()
    return (*_curves(row), *([table] if (table := points_table(row)) is not None else []))


def limited(tables: Sequence[DataTable]) -> tuple[DataTable, ...]:
    """The first tables of a drawing, the last of them with a word on the rest."""
    found = [shortened(table) for table in tables]
    more = len(found) - MOST_TABLES
    if more > 0:
        words = f"{counted(more, 'more tables')}; theoremeter store export writes all trials"
        last = found[MOST_TABLES - 1]
        found[MOST_TABLES - 1] = replace(last, left_out="; ".join(filter(None, (last.left_out, words))))
    return tuple(found[:MOST_TABLES])


def shortened(table: DataTable, *, most_columns: int = 0) -> DataTable:
    """The first rows and columns of a table, with a word on the rest."""
    rows, columns = table.rows[:MOST_ROWS], table.columns
    said = [counted(len(table.rows) - MOST_ROWS, "more rows")] if len(table.rows) > MOST_ROWS else []
    if most_columns and len(columns) > most_columns:
        said.append(counted(len(columns) - most_columns, "more columns"))
        rows, columns = tuple(row[:most_columns] for row in rows), columns[:most_columns]
    return DataTable(table.title, columns, rows, "; ".join(filter(None, (table.left_out, *said))))


def points_table(row: Row) -> DataTable | None:
    """Claim against measurement at each point of a row."""
    if not row.points:
        return None
    names = point_names(row)
    rows = tuple((*point_cells(row, point)[:-1], _note(row, point)) for point in row.points)
    return DataTable(row.part, names, rows)


def _note(row: Row, point: Point) -> str:
    standing = {True: "", False: "out of regime", None: "hypotheses undetermined"}[point.in_regime]
    told = point_cells(row, point)[-1].replace("out of regime", "")
    return ", ".join(words for words in (standing, told.strip(", ")) if words)


def _curves(row: Row) -> list[DataTable]:
    """First and last values of the curves inside trials."""
    rows = tuple(
        (str(number), number_of(curve.axis[0]), number_of(curve.measured[0]), number_of(curve.axis[-1]),
         number_of(curve.measured[-1]), str(int(curve.judged.sum())))
        for number, curve in enumerate(row.display.curves, start=1)
        if len(curve.axis)
    )  # fmt: skip
    names = ("run", "from", "measured", "to", "measured", "values judged")
    return [DataTable(row.part, names, rows)] if row.display.curves else []


def thinned(table: DataTable) -> DataTable:
    """Some rows of a long table, evenly among all, and the last."""
    if len(table.rows) <= _MOST_THINNED:
        return table
    every = -(-len(table.rows) // _MOST_THINNED)
    rows = (*table.rows[::every], table.rows[-1])
    return DataTable(table.title, table.columns, rows, f"every {every}th of {len(table.rows)} rows")


def number_of(value: object) -> str:
    """Four digits."""
    return f"{float(value):.4g}"  # type: ignore[arg-type]
