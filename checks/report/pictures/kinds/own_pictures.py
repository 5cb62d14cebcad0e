"""Pictures that a row brings with it: matrices as heat maps, curves, grids of named cells, side by side.

Heat maps of one row share neither scale nor colour bar: each says what it shows with its own. A matrix of zeros and
ones is drawn in grey, any other from its least to its largest entry, and what is not a number is left white. A curve's
level is a dashed line in the colour of what is claimed; an axis that starts at 0 is linear up to its first other value,
and says so, since a logarithm has no zero.

A grid of cells has one colour and one letter a name, the same in all maps of a row. Values along its axes stand at
equal distances whatever they are, since a grid is a list of settings and no measure. A white cell was not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.records.pictures import Cells, Lines, Matrix, Picture
from checks.records.rows import Row
from checks.report.escape import drawn
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import (
    CLAIMED,
    MEASURED,
    SERIES,
    UNUSED,
    Band,
    Box,
    DataTable,
    Guide,
    Heat,
    Ink,
    Key,
    Mark,
    Note,
    Panel,
    PanelAxis,
    Trace,
)
from checks.report.pictures.scales import log_from_zero
from checks.report.pictures.tables import number_of, shortened, thinned
from checks.report.pictures.words import spoken

COLOURS = (SERIES[0], SERIES[5], SERIES[4], SERIES[1], UNUSED, SERIES[6])
"""Of names, in the order of a legend."""
_DASHES = ("solid", "dotted", "dash-dotted", "long-dashed")
_MOST_TICKS = 5  # of a matrix; ten three-figure numbers run into each other
_MOST_LETTERS = 400
"""Cells of a map up to which a letter can be read in each."""
_DARK = 0.5


def panel_of(picture: Picture) -> Panel:
    """One picture of a row."""
    if isinstance(picture, Matrix):
        return _matrix(picture)
    return _cells(picture) if isinstance(picture, Cells) else _lines(picture)


def table_of(picture: Picture) -> DataTable:
    """A matrix, curves or a map of names as a table."""
    if isinstance(picture, Matrix):
        names = ("row", *(f"column {number}" for number in range(1, picture.values.shape[1] + 1)))
        rows = [(str(number), *map(number_of, row)) for number, row in enumerate(picture.values, start=1)]
        return shortened(DataTable(picture.title, names, tuple(rows)), most_columns=24)
    if isinstance(picture, Cells):
        names = (f"{picture.y_words} \\ {picture.x_words}", *map(number_of, picture.xs))
        rows = [(number_of(y), *row) for y, row in zip(picture.ys, picture.names, strict=True)]
        return shortened(DataTable(picture.title, names, tuple(rows)), most_columns=40)
    columns = zip(picture.axis, *picture.lines.values(), strict=True)
    rows = [tuple(map(number_of, column)) for column in columns]
    return thinned(DataTable(picture.title, (picture.axis_words, *picture.lines), tuple(rows)))


def band_of(row: Row) -> Band:
    """All pictures of a row, from left to right."""
    pictures = row.display.pictures
    told = f"Side by side: {', '.join(picture.title for picture in pictures)}"
    data = tuple(map(table_of, pictures))
    return Band(f"{row.part}: one run", tuple(map(panel_of, pictures)), told, most=1, data=data)


def _matrix(picture: Matrix) -> Panel:
    """Every entry a square."""
    rows, columns = picture.values.shape
    is_binary = set(picture.values.flat) <= {0.0, 1.0}
    colours, bar = ("grey", "") if is_binary else ("viridis", "below")
    heat = Heat(Ink(), "matrix", values=picture.values.tolist(), ends=(-0.5, columns - 0.5), colours=colours, bar=bar)
    x, y = (PanelAxis(words, most=_MOST_TICKS, whole=True) for words in ("column", "row"))
    x, y = replace(x, ends=(-0.5, columns - 0.5)), replace(y, ends=(rows - 0.5, -0.5))
    return Panel(x, y, [heat], picture.title, boxed=True)


def _lines(picture: Lines) -> Panel:
    """Every curve by its name, and the level."""
    xs = [float(place) for place in picture.axis]
    level = [] if picture.level is None else [picture.level[1]]
    heights = [float(value) for values in picture.lines.values() for value in values]
    marks: list[Mark] = []
    for number, (name, values) in enumerate(picture.lines.items()):
        ink = Ink(MEASURED, 1.0, _DASHES[number % len(_DASHES)])
        marks.append(Trace(ink, "curve", drawn(name), xs=xs, ys=[float(value) for value in values]))
    if picture.level is not None:
        marks.append(Guide(Ink(CLAIMED, 1.0, "dashed"), "level", drawn(picture.level[0]), axis="y", at=level[0]))
    for name, place in picture.marks.items():
        marks.append(Guide(Ink(UNUSED, 0.8, "dashed"), "mark", axis="x", at=place))
        marks.append(Note(Ink(UNUSED), x=place, y=1, words=drawn(name), share="y"))
    x = log_from_zero([*xs, *picture.marks.values()], drawn(picture.axis_words))
    y = log_from_zero([*heights, *level]) if picture.log else PanelAxis()
    return Panel(x, replace(y, words=""), marks, picture.title, legend_inside=True)


def _cells(picture: Cells) -> Panel:
    """Every cell a square in the colour of its name, with its letter, so that no colour is needed."""
    places = {name: place for place, name in enumerate(picture.legend)}
    has_letters = len(picture.xs) * len(picture.ys) <= _MOST_LETTERS
    marks: list[Mark] = []
    for y, names in enumerate(picture.names):
        for x, name in enumerate(names):
            if name in places:
                marks += _cell(x, y, places[name], spoken(name), has_letter=has_letters)
    seen = {name for row in picture.names for name in row}
    marks += [
        Key(_ink(place), label=f"{letter_of(place)}  {drawn(spoken(name))}")
        for name, place in places.items()
        if name in seen
    ]
    return Panel(_grid(picture.x_words, picture.xs), _grid(picture.y_words, picture.ys), marks, picture.title)


def _cell(x: int, y: int, place: int, name: str, *, has_letter: bool) -> list[Mark]:
    ink = _ink(place)
    box = Box(replace(ink, colour="white"), "named", left=x - 0.5, right=x + 0.5, low=y - 0.5, high=y + 0.5, said=name)
    colour = "white" if _brightness(ink.fill) < _DARK else "black"
    letter = Note(Ink(colour, size=6), "letter", x=x, y=y, words=letter_of(place), anchor="middle")
    return [box, letter] if has_letter else [box]


def _ink(place: int) -> Ink:
    return Ink(COLOURS[place % len(COLOURS)], 0.4, fill=COLOURS[place % len(COLOURS)])


def _brightness(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.3 * red + 0.6 * green + 0.1 * blue


def _grid(words: str, values: Sequence[float]) -> PanelAxis:
    shown = range(0, len(values), -(-len(values) // 6))
    ticks = [(place, f"{values[place]:.3g}") for place in shown]
    return PanelAxis(drawn(words), ends=(-0.5, len(values) - 0.5), ticks=ticks)


def letter_of(place: int) -> str:
    """The letter that stands for a name of a legend, by its place there."""
    return chr(ord("A") + place % 26)


def _of_row(row: Row) -> Band | None:
    return band_of(row) if row.display.pictures else None


KIND = PictureKind(place=100, of_row=_of_row)
