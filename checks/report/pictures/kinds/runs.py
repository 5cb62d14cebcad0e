"""Curves that trials recorded on the way: one thin line a run, and the median and range of all of them.

The curves of a trial are those of its part's own picture (`pictures` of a Behaviour or a Course). Runs end at different
steps, so the median and the range are of the runs that are still going, as long as half of them are. They stand at
steps that were recorded, and their markers where half of the runs were. As in the papers' figures the first curve of a
picture is red with asterisks and the second blue with squares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from checks.records.pictures import Lines
from checks.report.escape import drawn
from checks.report.pictures.gathered import Piece, by_setting
from checks.report.pictures.kinds import OWN, PictureKind
from checks.report.pictures.model import (
    SERIES,
    UNUSED,
    Area,
    Band,
    DataTable,
    Guide,
    Ink,
    Mark,
    Panel,
    PanelAxis,
    Trace,
)
from checks.report.pictures.scales import log_from_zero, of_steps
from checks.report.pictures.tables import number_of, of_row
from checks.report.pictures.words import heading, joined
from checks.statistics.explanation import counted
from sim.trials.errors import MissingReadout
from sim.trials.trial import Trial

Array = np.ndarray

COLOURS = (SERIES[1], SERIES[0], *SERIES[2:6])
SHAPES = ("star", "square", "triangle-up", "diamond", "triangle-down", "plus")
_N_PLACES = 100
_MOST_RECORDS, _FEWEST_RECORDS = 40, 12
_RECORDS = 800
"""Records that are drawn of all runs, and of one: more would be one line on another, and a large file."""
_N_MARKERS = 8
_TABLE_PLACES = 13
Curves = Sequence[tuple["Array", "Array"]]


def lines_of(piece: Piece) -> dict[tuple[str, str], list[Lines]]:
    """The runs' pictures by panel: one for each setting and each picture with curves, by the titles of both."""
    pictures = getattr(piece.part, "pictures", None)
    panels: dict[tuple[str, str], list[Lines]] = {}
    if pictures is None:
        return panels
    for setting, trials in by_setting(piece.trials).items():
        for lines in _drawn_of(pictures, trials):
            panels.setdefault((setting, lines.title), []).append(lines)
    return panels


def _drawn_of(pictures, trials: Sequence[Trial]) -> list[Lines]:
    """The pictures of the trials that have what they show: published ones keep what verdicts need, and no more."""
    found: list[Lines] = []
    for trial in trials:
        if trial.result.curves:
            with suppress(MissingReadout):
                found += [picture for picture in pictures(trial) if isinstance(picture, Lines)]
    return found


def curves_of(runs: Sequence[Lines], name: str) -> Curves:
    """What the runs recorded under a name, each with its steps."""
    return [(run.axis, run.lines[name]) for run in runs if name in run.lines and len(run.axis)]


def runs_of(runs: Sequence[Lines]) -> Panel:
    """Every run, and over them the median and the range."""
    first, level = runs[0], runs[0].level
    longest = max((np.asarray(run.axis, dtype=float) for run in runs), key=lambda axis: axis[-1] if len(axis) else 0.0)
    x = of_steps(longest.tolist(), [place for run in runs for place in run.axis], drawn(first.axis_words))
    y = PanelAxis(drawn(first.title))
    if first.log:
        heights = [value for run in runs for line in run.lines.values() for value in line]
        y = log_from_zero([*heights, *(run.level[1] for run in runs if run.level is not None)], y.words)
    marks: list[Mark] = []
    for number, name in enumerate(first.lines):
        ink = Ink(COLOURS[number % len(COLOURS)], shape=SHAPES[number % len(SHAPES)])
        marks += _curves(curves_of(runs, name), ink, drawn(name))
    if level is not None:
        marks.append(Guide(Ink(UNUSED, 0.9, "dashed"), "level", drawn(level[0]), axis="y", at=level[1]))
    return Panel(x, y, marks)


def _curves(curves: Curves, ink: Ink, label: str) -> list[Mark]:
    """One curve of all runs: thin lines, the range, and the median with some markers."""
    records = max(min(_RECORDS // max(len(curves), 1), _MOST_RECORDS), _FEWEST_RECORDS)
    thin = Ink(ink.colour, 0.4, alpha=0.45, order=2)
    marks: list[Mark] = [Trace(thin, "run", xs=xs, ys=ys) for xs, ys in (_thinned(curve, records) for curve in curves)]
    found = median_and_range(curves)
    places = found.place.tolist()
    if len(curves) > 1:
        shade = Ink(ink.colour, 0, fill=ink.colour, alpha=0.15, order=1)
        marks.append(Area(shade, "range", xs=places, low=found.low.tolist(), high=found.high.tolist()))
    marked = np.flatnonzero(found.is_recorded)
    some = np.linspace(0, len(marked) - 1, min(len(marked), _N_MARKERS)).round().astype(int)
    at = [int(place) for place in marked[np.unique(some)]] if len(marked) else []
    thick = replace(ink, width=1.4, fill=ink.colour, size=6.5 if ink.shape == "star" else 3.6, order=3)
    return [*marks, Trace(thick, "median", label, xs=places, ys=found.middle.tolist(), at=at)]


def _thinned(curve: tuple[Array, Array], records: int) -> tuple[list[float], list[float]]:
    """Some of the records of a run, evenly among all, the first and the last with them."""
    kept = np.unique(np.linspace(0, len(curve[0]) - 1, records).round().astype(int))
    return np.asarray(curve[0])[kept].tolist(), np.asarray(curve[1])[kept].tolist()


@dataclass(frozen=True, eq=False)
class Middle:
    """Places on the axis, and there least, median and largest of the runs still going, all arrays [places].

    `is_recorded` is whether half of these runs at least have a record there; others are on the line through theirs.
    """

    place: Array
    low: Array
    middle: Array
    high: Array
    is_recorded: Array


def median_and_range(curves: Curves) -> Middle:
    """What runs have in common at the places of their records, while at least half of them are still going."""
    axes = [np.asarray(axis, dtype=float) for axis, _ in curves]
    place = np.unique(np.concatenate(axes))
    place = place[np.unique(np.linspace(0, len(place) - 1, _N_PLACES).round().astype(int))]
    values = np.array(
        [np.interp(place, axis, y, left=np.nan, right=np.nan) for axis, (_, y) in zip(axes, curves, strict=True)]
    )
    n_going = np.isfinite(values).sum(axis=0)
    n_recorded = np.array([np.isin(place, axis) for axis in axes]).sum(axis=0)
    kept = n_going * 2 >= len(curves)
    values, is_recorded = values[:, kept], n_recorded[kept] * 2 >= n_going[kept]
    low, middle, high = np.nanmin(values, axis=0), np.nanmedian(values, axis=0), np.nanmax(values, axis=0)
    return Middle(place[kept], low, middle, high, is_recorded)


def told(runs: Sequence[Lines]) -> str:
    """Where the curves begin and end, in words: medians over the runs."""
    words = []
    for name in runs[0].lines:
        curves = [np.asarray(values, dtype=float) for _, values in curves_of(runs, name)]
        start, end = (float(np.median([curve[place] for curve in curves])) for place in (0, -1))
        words.append(f"{name} from {start:.3g} to {end:.3g}")
    return f"{counted(len(runs), 'runs')}{'; medians' if len(runs) > 1 else ''}: {', '.join(words)}"


def table_of(title: str, runs: Sequence[Lines]) -> DataTable:
    """Least, median and largest value of the runs at some places of the axis."""
    columns: list[str] = [runs[0].axis_words]
    cells: list[Sequence[str]] = []
    for name in runs[0].lines:
        curves = curves_of(runs, name)
        found = median_and_range(curves)
        place, low, middle, high = (
            array[found.is_recorded] for array in (found.place, found.low, found.middle, found.high)
        )
        kept = np.unique(np.linspace(0, len(place) - 1, min(_TABLE_PLACES, len(place))).round().astype(int))
        if not cells:
            cells.append([number_of(place[at]) for at in kept])
        many = len(curves) > 1
        columns.append(f"{name}, median [range]" if many else name)
        cells.append(
            [number_of(middle[at]) + (f" [{number_of(low[at])}, {number_of(high[at])}]" if many else "") for at in kept]
        )
    shortest = min(map(len, cells))
    rows = tuple(zip(*(column[:shortest] for column in cells), strict=True))
    return DataTable(f"{title} ({counted(len(runs), 'runs')})", tuple(columns), rows)


def tables_of(piece: Piece, found: Mapping[tuple[str, str], Sequence[Lines]]) -> tuple[DataTable, ...]:
    """A table a panel, and what the row has."""
    return (*(table_of(joined(piece.part.name, *n, by=": "), runs) for n, runs in found.items()), *of_row(piece.row))


def _takes(piece: Piece) -> bool:
    return bool(lines_of(piece))


def _band(piece: Piece) -> Band:
    found = lines_of(piece)
    panels = [
        replace(runs_of(runs), title=joined(setting, counted(len(runs), "runs")))
        for (setting, _), runs in found.items()
    ]
    said = "; ".join(f"{joined(*names)}: {told(runs)}" for names, runs in found.items())
    along = str(getattr(piece.part, "symbol", None) or "")
    return Band(heading(piece), tuple(panels), said, most=3, data=tables_of(piece, found), along=along)


KIND = PictureKind(place=OWN, asked=2, takes=_takes, each=_band)
