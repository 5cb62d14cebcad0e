"""The figures that a picture is drawn from, as tables: for who cannot see it and for who wants numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from checks.evidence.thresholds import SuccessCurves
from checks.records.pictures import Cells, Lines, Matrix, Picture
from checks.records.rows import Point, Row
from checks.report.figures import mean_differences, pairs, rates, runs, success_maps
from checks.report.figures.gathered import Piece
from checks.report.site.model import DataTable
from checks.report.writing.from_rows import point_cells, point_names

MOST_ROWS = 60
"""Rows of a table on a page; more are left out, and the table says so."""
MOST_TABLES = 12
"""Tables of one drawing."""
_PLACES = 13


def tables_of(pieces: Sequence[Piece]) -> tuple[DataTable, ...]:
    """Tables of the pieces that one drawing shows."""
    found = [shortened(table) for piece in pieces for table in _tables(piece)]
    more = len(found) - MOST_TABLES
    if more > 0:
        words = f"{more} more tables; theoremeter store export writes all trials"
        last = found[MOST_TABLES - 1]
        found[MOST_TABLES - 1] = replace(last, left_out="; ".join(filter(None, (last.left_out, words))))
    return tuple(found[:MOST_TABLES])


def table_of_picture(picture: Picture) -> DataTable:
    """A matrix, curves or a map of names as a table."""
    if isinstance(picture, Matrix):
        names = ("row", *(f"column {number}" for number in range(1, picture.values.shape[1] + 1)))
        rows = [(str(number), *map(_number, row)) for number, row in enumerate(picture.values, start=1)]
        return shortened(DataTable(picture.title, names, tuple(rows)), most_columns=24)
    if isinstance(picture, Cells):
        names = (f"{picture.y_words} \\ {picture.x_words}", *map(_number, picture.xs))
        rows = [(_number(y), *row) for y, row in zip(picture.ys, picture.names, strict=True)]
        return shortened(DataTable(picture.title, names, tuple(rows)), most_columns=40)
    columns = zip(picture.axis, *picture.lines.values(), strict=True)
    rows = [tuple(map(_number, column)) for column in columns]
    return _thinned(DataTable(picture.title, (picture.axis_words, *picture.lines), tuple(rows)))


def shortened(table: DataTable, *, most_columns: int = 0) -> DataTable:
    """The first rows and columns of a table, with a word on the rest."""
    rows, columns = table.rows[:MOST_ROWS], table.columns
    said = [f"{len(table.rows) - MOST_ROWS} more rows"] if len(table.rows) > MOST_ROWS else []
    if most_columns and len(columns) > most_columns:
        said.append(f"{len(columns) - most_columns} more columns")
        rows, columns = tuple(row[:most_columns] for row in rows), columns[:most_columns]
    return DataTable(table.title, columns, rows, "; ".join(filter(None, (table.left_out, *said))))


def _tables(piece: Piece) -> Iterator[DataTable]:
    name = piece.part.name
    if isinstance(piece.part, SuccessCurves):
        yield _cells(piece)
    elif pairs.compared(piece):
        yield from _pairs(piece)
    elif differences := mean_differences.rows_of(piece):
        yield _differences(piece, differences)
    elif found := runs.lines_of(piece):
        for (setting, title), drawn in found.items():
            yield _medians(": ".join(filter(None, (name, setting, title))), drawn)
    elif rates.is_rate(piece):
        rows = tuple((str(share.words or "all"), str(share.shown), str(share.total), f"{share.asked:g}")
                     for share in rates.rates_of(piece))  # fmt: skip
        yield DataTable(name, ("setting", "as claimed", "of trials", "share asked for"), rows)
    if piece.row is not None and piece.row.display.curves:
        yield _curves(piece)
    points = points_table(piece.row) if piece.row is not None else None
    if points is not None:
        yield points


def points_table(row: Row) -> DataTable | None:
    """Claim against measurement at each point of a row."""
    if not row.points:
        return None
    names = point_names(row)
    rows = tuple((*point_cells(point)[:-1], _note(point)) for point in row.points)
    return DataTable(row.part, names, rows)


def _note(point: Point) -> str:
    standing = {True: "", False: "outside the hypotheses", None: "hypotheses undetermined"}[point.in_regime]
    told = point_cells(point)[-1].replace("out of regime", "")
    return ", ".join(words for words in (standing, told.strip(", ")) if words)


def _cells(piece: Piece) -> DataTable:
    """Successes of all trials at each place of a map."""
    part = success_maps.curves_part(piece)
    rows = tuple(
        (f"{cell.x:.4g}", f"{cell.size:g}", f"{cell.n_successes}", f"{cell.n_trials}", "; ".join(sorted(cell.fails)))
        for cell in success_maps.cells_of(piece)
    )
    names = (part.parameter.replace("_", " "), part.size.replace("_", " "), "succeed", "of trials", "fails")
    return DataTable(part.name, names, rows)


def _pairs(piece: Piece) -> Iterator[DataTable]:
    first, second = pairs.compared(piece) or ("", "")
    for setting, trials in pairs.paired(piece).items():
        words = {True: "yes", False: "no", None: "leaves nothing"}
        rows = tuple(
            (f"{number}", f"{before:.3g}", f"{after:.3g}", words[piece.part.met_by(trial)])
            for number, ((before, after), trial) in enumerate(
                zip(pairs.values_of(piece, trials), trials, strict=True), start=1
            )
        )
        title = ": ".join(filter(None, (piece.part.name, setting)))
        yield DataTable(title, ("run", first.replace("_", " "), second.replace("_", " "), "as claimed"), rows)


def _differences(piece: Piece, found: Sequence[tuple[float, float, bool]]) -> DataTable:
    names = tuple(getattr(piece.part, name).replace("_", " ") for name in ("first", "second"))
    rows = tuple(
        (f"{number}", f"{first:.4g}", f"{second:.4g}", f"{first - second:+.3g}", "yes" if met else "no")
        for number, (first, second, met) in enumerate(found, start=1)
    )
    return DataTable(piece.part.name, ("pair", *names, "difference", "as claimed"), rows)


def _medians(title: str, drawn: Sequence[Lines]) -> DataTable:
    """Least, median and largest value of the runs at some places of the axis."""
    import numpy as np

    columns: list[str] = [drawn[0].axis_words]
    cells: list[Sequence[str]] = []
    for name in drawn[0].lines:
        curves = [(run.axis, run.lines[name]) for run in drawn if name in run.lines and len(run.axis)]
        found = runs.median_and_range(curves)
        place, low, middle, high = (
            array[found.is_recorded] for array in (found.place, found.low, found.middle, found.high)
        )
        kept = np.unique(np.linspace(0, len(place) - 1, min(_PLACES, len(place))).round().astype(int))
        if not cells:
            cells.append([_number(place[at]) for at in kept])
        many = len(curves) > 1
        columns.append(f"{name}, median [range]" if many else name)
        cells.append(
            [_number(middle[at]) + (f" [{_number(low[at])}, {_number(high[at])}]" if many else "") for at in kept]
        )
    shortest = min(map(len, cells))
    rows = tuple(zip(*(column[:shortest] for column in cells), strict=True))
    return DataTable(f"{title} ({len(drawn)} runs)", tuple(columns), rows)


def _curves(piece: Piece) -> DataTable:
    """First and last values of the curves inside trials."""
    row = piece.row
    curves = row.display.curves if row is not None else ()
    rows = tuple(
        (str(number), _number(curve.axis[0]), _number(curve.measured[0]), _number(curve.axis[-1]),
         _number(curve.measured[-1]), str(int(curve.judged.sum())))
        for number, curve in enumerate(curves, start=1)
        if len(curve.axis)
    )  # fmt: skip
    return DataTable(piece.part.name, ("run", "from", "measured", "to", "measured", "values judged"), rows)


def _thinned(table: DataTable) -> DataTable:
    if len(table.rows) <= MOST_ROWS:
        return table
    every = -(-len(table.rows) // MOST_ROWS)
    rows = (*table.rows[::every], table.rows[-1])
    return DataTable(table.title, table.columns, rows, f"every {every}th of {len(table.rows)} rows")


def _number(value: object) -> str:
    return f"{float(value):.4g}"  # type: ignore[arg-type]
