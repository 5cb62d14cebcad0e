"""Measurements from a csv file: one row a measurement, several rows with one axis value its replicates.

A run without a number has the mark that Python's rules want: `inf` was cut off above the limit, `0` below the lower
one, and an empty cell was lost. Where a limit is given an empty cell could be either, and is refused.

The file may come from anywhere, so every size is bounded while it is read, and whatever breaks a rule is one line that
names the file, the line and the column. Cells are separated by the one of `,`, `;` and tab that the header has.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TextIO, TypeVar

from checks.commands.options import BadInput, nearest

Read = TypeVar("Read")

MAX_LINE = 100_000
"""Characters of one line."""
MAX_ROWS = 5_000_000
"""Rows of one file."""
MAX_POINTS = 2000
"""Different values of the axis."""
LARGEST = 1e150
"""Of numbers; and where logarithms are taken, its inverse is the least: ratios of two must stay within a float."""
_MOST_COLUMNS, _MOST_LETTERS = 20, 40
"""Columns that a message names, and letters of each."""

_LOOKED_AT = 50
"""Columns beside axis and value that are looked at for a setting."""

_NO_SETTINGS = frozenset(
    (
        *("seed", "seeds", "replicate", "replicates", "rep", "reps", "repeat", "repetition", "run", "runs", "run_id"),
        *("trial", "trials", "id", "index", "idx", "row", "date", "time", "timestamp", "seconds", "bound", "claim"),
        *("claimed", "limit", "limit_low", "standard_error", "stderr", "std", "sem", "error_bar", ""),
    )
)
"""Names of columns that tell rows apart, or stand beside a value, and are no setting; so is one without a name."""

_MISSING = frozenset({"", "nan", "na", "n/a", "none", "null"})


@dataclass(frozen=True)
class CsvSamples:
    """What was measured: axis value -> one number a row, ascending; inf and 0 were cut off, NaN was lost.

    Attributes:
        along: columns that are not read and move with the axis.
        among: columns that are not read and differ among rows of one axis value, but for what looks measured.
    """

    groups: dict[float, list[float]]
    n_rows: int
    along: tuple[str, ...] = ()
    among: tuple[str, ...] = ()

    def unused_words(self, axis: str) -> str:
        """What the columns that are not read may mean for an answer about the axis, or ""."""
        words = []
        if self.along:
            words.append(f"{_listed(self.along)} with {axis}, so that what is found along {axis} may be of that")
        if self.among:
            words.append(f"{_listed(self.among)} among rows of one {axis}, which are taken for runs of one point")
        remedy = "if it is a setting, judge the rows of one value of it at a time"
        return f"columns that are not used: {'; '.join(words)}; {remedy}" if words else ""

    @property
    def axis(self) -> list[float]:
        """The different values of the axis."""
        return list(self.groups)

    @property
    def counts(self) -> tuple[int, int]:
        """Fewest and most rows at a point."""
        counts = [len(values) for values in self.groups.values()]
        return min(counts), max(counts)

    @property
    def rows(self) -> list[list[float]]:
        """The measurements of every point. [points], each of any length"""
        return list(self.groups.values())


@dataclass(frozen=True)
class Marks:
    """What a cell may say instead of a number.

    Attributes:
        above, below: whether a limit was given above, and one below.
        lost: whether a run may be lost.
    """

    above: bool = False
    below: bool = False
    lost: bool = False

    @property
    def hint(self) -> str:
        """What to write into an empty cell where it is refused."""
        if self.above or self.below:
            marks = ["inf where cut off at --limit"] * self.above + ["0 where below --limit-low"] * self.below
            return f"; write {' or '.join(marks)}, and leave out the row of a lost run"
        return "; leave out the row of a lost run"


NO_MARKS = Marks()


def read_samples(path: Path, *, axis: str, value: str, positive: bool, marks: Marks = NO_MARKS) -> CsvSamples:
    """Read two columns of a csv file.

    Args:
        axis, value: names in the header.
        positive: both must be > 0, because logarithms are taken.
        marks: what a cell of `value` may say instead of a number.

    Raises:
        BadInput: on whatever breaks a rule, with its place.
    """
    return _opened(path, lambda reader: reader.samples(axis, value, positive=positive, marks=marks))


@dataclass(frozen=True)
class CsvSettings:
    """What was measured at settings of several letters.

    Attributes:
        letters: their names.
        groups: the letters' values -> one number a row, NaN where a run was lost.
    """

    letters: tuple[str, ...]
    groups: dict[tuple[float, ...], list[float]]
    n_rows: int


def read_settings(path: Path, *, letters: Mapping[str, str], value: str) -> CsvSettings:
    """Read the columns of letters, and one of values, of a csv file; all must be > 0.

    Args:
        letters: name -> its column; every column but that of values where there is none.
        value: a name in the header.

    Raises:
        BadInput: on whatever breaks a rule, with its place.
    """
    return _opened(path, lambda reader: reader.settings(letters, value))


def _opened(path: Path, read: Callable[[_Reader], Read]) -> Read:
    """What is read of a file."""
    try:
        # What is no UTF-8 stays as it is and is refused where it stands in a cell that is read.
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            return read(_Reader(path, file))
    except OSError as error:
        raise BadInput(f"data must be a csv file that can be read, got {path}: {error.strerror or error}") from None


def _listed(names: Sequence[str]) -> str:
    """Names of columns, and that they vary."""
    more = ", ..." if len(names) > _MOST_COLUMNS else ""
    shown = ", ".join(name[:_MOST_LETTERS] for name in names[:_MOST_COLUMNS])
    return f"{shown}{more} {'varies' if len(names) == 1 else 'vary'}"


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


class _OtherColumn:
    """A column that is not read: whether it may be a setting that rows differ in."""

    def __init__(self, name: str, place: int) -> None:
        self.name, self.place = name, place
        self.cells: set[str] = set()
        self.first_cell: dict[float, str] = {}
        self.first: dict[float, float | str] = {}
        self.values: set[float | str] = set()
        self.is_mixed = False

    @property
    def may_be_setting(self) -> bool:
        """By its name."""
        return self.name.lower() not in _NO_SETTINGS

    def see(self, x: float, cell: str) -> None:
        """One row's cell, at this axis value; most have been met, and say nothing new."""
        is_met = cell in self.cells and (self.is_mixed or self.first_cell.get(x) == cell)
        if is_met or len(self.values) > MAX_POINTS:
            return
        self.cells.add(cell)
        self.first_cell.setdefault(x, cell)
        text = cell.strip().lower()
        if text in _MISSING:
            return
        value = _number_or_text(text)
        self.is_mixed = self.is_mixed or self.first.setdefault(x, value) != value
        self.values.add(value)

    def is_setting(self, n_rows: int) -> bool:
        """Whether it varies, and is neither a count of rows nor a measurement, which seldom has a value twice."""
        if len(self.values) < 2:
            return False
        numbers = sorted(value for value in self.values if isinstance(value, float))
        if len(numbers) == n_rows and numbers == [numbers[0] + i for i in range(n_rows)]:
            return False
        is_measured = self.is_mixed and 2 * len(self.values) > n_rows
        return len(self.values) <= MAX_POINTS and not is_measured


class _Reader:
    """One file, line by line."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path, self.file, self.line = path, file, 0

    def refuse(self, rule: str, column: str = "") -> NoReturn:
        """Raise BadInput at the present line."""
        where = f", column {column}" if column else ""
        raise BadInput(f"{self.path}, line {self.line}{where}: {rule}")

    def lines(self, first: str) -> Iterator[str]:
        """Lines of bounded length, `first` having been read."""
        text = first
        while text:
            self.line += 1
            if len(text) > MAX_LINE:
                self.refuse(f"a line must have at most {MAX_LINE} characters, got more")
            yield text
            text = self.file.readline(MAX_LINE + 1)

    def samples(self, axis: str, value: str, *, positive: bool, marks: Marks) -> CsvSamples:
        """The two columns, grouped by the first."""
        groups: dict[float, list[float]] = {}
        rows = self.rows()
        header = next(rows)
        at_axis, at_value = self._column(header, axis, "axis"), self._column(header, value, "value")
        others = [_OtherColumn(name, i) for i, name in enumerate(header) if i not in (at_axis, at_value)]
        others = [other for other in others if other.may_be_setting][:_LOOKED_AT]
        for row in rows:
            x = self._number(row[at_axis], axis, positive=positive, marks=None)
            values = groups.setdefault(x, [])
            values.append(self._number(row[at_value], value, positive=positive, marks=marks))
            if len(groups) > MAX_POINTS:
                self.refuse(f"the axis must have at most {MAX_POINTS} different values, got more; round them", axis)
            for other in others:
                other.see(x, row[other.place])
        n_rows = sum(map(len, groups.values()))
        settings = [other for other in others if other.is_setting(n_rows)]
        along = tuple(other.name for other in settings if not other.is_mixed)
        among = tuple(other.name for other in settings if other.is_mixed)
        return CsvSamples(dict(sorted(groups.items())), n_rows, along, among)

    def settings(self, letters: Mapping[str, str], value: str) -> CsvSettings:
        """The columns of letters and that of values, grouped by the letters."""
        groups: dict[tuple[float, ...], list[float]] = {}
        rows = self.rows()
        header = next(rows)
        at_value = self._column(header, value, "value")
        own = [name for name in header if name != value and name.lower() not in _NO_SETTINGS]
        chosen = letters or {name: name for name in own}
        places = [(self._column(header, column, "letter"), column) for column in chosen.values()]
        for row in rows:
            key = tuple(self._number(row[place], column, positive=True, marks=None) for place, column in places)
            values = groups.setdefault(key, [])
            values.append(self._number(row[at_value], value, positive=True, marks=Marks(lost=True)))
            if len(groups) > MAX_POINTS:
                self.refuse(f"a file must have at most {MAX_POINTS} different settings, got more")
        return CsvSettings(tuple(chosen), groups, sum(map(len, groups.values())))

    def rows(self) -> Iterator[list[str]]:
        """The header, its cells stripped, and then the rows that are not empty, each as long as the header."""
        first = self.file.readline(MAX_LINE + 1)
        separators = [separator for separator in (",", ";", "\t") if separator in first]
        rows = csv.reader(self.lines(first), delimiter=separators[0] if separators else ",", strict=True)
        n_rows = 0
        try:
            header = [cell.strip() for cell in next(rows, [])]
            if not header:
                raise BadInput(f"{self.path}: a csv file must begin with a line of column names, got an empty one")
            yield header
            for row in rows:
                if not row or (len(row) == 1 and not row[0].strip()):
                    continue
                if len(row) != len(header):
                    self.refuse(f"a row must have as many cells as the header ({len(header)}), got {len(row)}")
                n_rows += 1
                if n_rows > MAX_ROWS:
                    self.refuse(f"a file must have at most {MAX_ROWS} rows, got more")
                yield row
        except csv.Error as error:
            self.refuse(f"a line must be csv, got one that is not: {error}")
        if not n_rows:
            raise BadInput(f"{self.path}: a csv file must have a row below the header, got none")

    def _column(self, header: Sequence[str], name: str, what: str) -> int:
        if not all(cell.isprintable() for cell in header):
            self.refuse("column names must be printable text in UTF-8, got something else")
        if header.count(name) > 1:
            self.refuse(f"{what} must name one column, got {name!r}, which {header.count(name)} columns have")
        if name not in header:
            columns = [cell[:_MOST_LETTERS] for cell in header if cell]
            shown = f"{', '.join(columns[:_MOST_COLUMNS])}{', ...' if len(columns) > _MOST_COLUMNS else ''}"
            told = f"columns are {shown}{nearest(name, columns)}"
            self.refuse(f"{what} must be a column of the header, got {name!r}; {told}")
        return header.index(name)

    def _number(self, cell: str, column: str, *, positive: bool, marks: Marks | None) -> float:
        text = cell.strip()
        is_empty = text.lower() in _MISSING
        if marks and marks.lost and is_empty:
            return math.nan
        try:
            number = float(text) if text.isascii() and "_" not in text else math.nan
        except ValueError:
            number = math.nan
        if marks and ((marks.above and number == math.inf) or (marks.below and number == 0)):
            return number
        if abs(number) <= LARGEST and (number >= 1 / LARGEST or not positive):
            return number
        shown = repr(text if len(text) <= 40 else f"{text[:40]}...") if text else "an empty cell"
        if positive:
            is_extreme = math.isfinite(number) and number > 0
            rule = f"between {1 / LARGEST:g} and {LARGEST:g}" if is_extreme else "a number > 0"
            rule += " (its logarithm is taken)"
        else:
            rule = f"a number of at most {LARGEST:g} in size"
        hint = ""
        if marks and is_empty:
            hint = marks.hint
        elif marks and positive and number in (0, math.inf):
            hint = f"; a run that was cut off needs {'--limit' if number else '--limit-low'}"
        return self.refuse(f"a cell must be {rule}, got {shown}{hint}", column)
