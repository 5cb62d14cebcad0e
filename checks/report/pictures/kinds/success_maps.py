"""Share of successful trials over an axis and N, as the papers draw it, with what such a map leaves out.

A cell is black where all its trials fail and white where all succeed. Over it stand the threshold of each column with
its interval, the claim with its fitted prefactor, and the claim with the slope that was fitted, with the band that the
slope's interval leaves. Cells whose parameters fail a hypothesis are hatched; what was not run is left blank. Columns
meet half way, and so do the cells of one column.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from checks.evidence.comparison import succeeded
from checks.evidence.thresholds import SuccessCurves
from checks.records.rows import Point
from checks.report.escape import drawn, plain
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import OWN, PictureKind
from checks.report.pictures.laws import fit, fit_band, law_through_points, name_of
from checks.report.pictures.linear_look import look_panels, said_of
from checks.report.pictures.model import CLAIMED, Band, Box, DataTable, Ink, Key, Mark, Panel, PanelAxis, Trace, inked
from checks.report.pictures.points import as_points, used_and_not
from checks.report.pictures.scales import is_log, on_grid
from checks.report.pictures.tables import of_row
from checks.report.pictures.words import figures_in_words, heading, height_words, joined, labelled, spoken, words
from sim.trials.trial import TrialSpec

NOT_RUN = "#FFF1CC"
HATCH = "#009E73"
_LEGEND_CHARACTERS = 36
Edges = Mapping[float, tuple[float, float]]


@dataclass(frozen=True)
class Cell:
    """One place of the map. `n_trials` is 0 where it was planned and not run; `fails` are hypotheses, by name."""

    x: float
    size: float
    n_successes: int
    n_trials: int
    fails: frozenset[str]

    @property
    def share(self) -> float:
        """Share of the trials that succeeded; not a number where there are none."""
        return self.n_successes / self.n_trials if self.n_trials else math.nan


def cells_of(piece: Piece) -> list[Cell]:
    """Every cell that was run or planned, by axis value and size."""
    part = curves_part(piece)
    counts: dict[tuple[float, float], list[int]] = {}
    first: dict[tuple[float, float], TrialSpec] = {}
    for trial in piece.trials:
        place = _place(part, trial.spec)
        count = counts.setdefault(place, [0, 0])
        count[0] += succeeded(trial, part.success)
        count[1] += 1
        first.setdefault(place, trial.spec)
    for spec in piece.planned:
        counts.setdefault(_place(part, spec), [0, 0])
        first.setdefault(_place(part, spec), spec)
    return [
        Cell(x, size, counts[x, size][0], counts[x, size][1], piece.fails(first[x, size])) for x, size in sorted(counts)
    ]


def curves_part(piece: Piece) -> SuccessCurves:
    """The piece's part, which must be one."""
    if not isinstance(piece.part, SuccessCurves):
        raise TypeError(f"piece must be of success curves, got {type(piece.part).__name__}")
    return piece.part


def points_of(piece: Piece) -> tuple[Point, ...]:
    """The row's points, or, where it is not judged, the thresholds of the trials that are there."""
    if piece.points:
        return piece.points
    part = curves_part(piece)
    return as_points({value: part.threshold(group) for value, group in part.groups(piece.trials).items()})


def _place(part: SuccessCurves, spec: TrialSpec) -> tuple[float, float]:
    return float(spec.parameters[part.parameter]), float(spec.parameters[part.size])


def edges(values: Sequence[float], *, log: bool) -> list[tuple[float, float]]:
    """Where the cell of each value begins and ends, ascending; a lone value has a cell of its own width."""
    at = [math.log(value) if log else value for value in values]
    between = [(low + high) / 2 for low, high in itertools.pairwise(at)]
    reach = at[1] - at[0] if len(at) > 1 else (0.5 if log else abs(at[0]) / 4 or 1.0)
    last = at[-1] - at[-2] if len(at) > 1 else reach
    ends = [at[0] - reach / 2, *between, at[-1] + last / 2]
    back = math.exp if log else float
    return [(back(low), back(high)) for low, high in itertools.pairwise(ends)]


# --------------------------------------------------------------------------------------------------------------- panel


def map_of(piece: Piece) -> Panel:
    """Cells, and over them thresholds and laws."""
    cells = cells_of(piece)
    xs, sizes = sorted({cell.x for cell in cells}), sorted({cell.size for cell in cells})
    log_x, log_y = is_log(xs), min(sizes) > 0
    across = dict(zip(xs, edges(xs, log=log_x), strict=True))
    columns = {x: [cell.size for cell in cells if cell.x == x] for x in xs}
    up = {x: dict(zip(column, edges(column, log=log_y), strict=True)) for x, column in columns.items()}
    ends = [end for column in up.values() for low_high in column.values() for end in low_high]
    x = PanelAxis(scale="log" if log_x else "linear", ends=(across[xs[0]][0], across[xs[-1]][1]))
    y = PanelAxis(scale="log" if log_y else "linear", ends=(min(ends), max(ends)))
    shown = [(point.value, point) for point in points_of(piece)]
    above = used_and_not(shown, noun="threshold", size=4.2, confidence=piece.part.confidence)
    marks = [*_boxes(cells, across, up), *_keys(cells), *_laws(piece), *inked(above, halo=True)]
    return Panel(on_grid(x, xs, apart=0.13), on_grid(y, sizes, apart=0.07), marks, ground=NOT_RUN)


def _boxes(cells: Sequence[Cell], across: Edges, up: Mapping[float, Edges]) -> list[Mark]:
    found: list[Mark] = []
    for cell in cells:
        (left, right), (low, high) = across[cell.x], up[cell.x][cell.size]
        place = {"left": left, "right": right, "low": low, "high": high}
        if cell.n_trials:
            said = f"{cell.share:.0%} of the trials succeed"
            found.append(Box(_grey(cell.share, 0.3), "cell", said=said, **place))
        if cell.fails:
            found.append(Box(Ink(HATCH, 0, hatch="////"), "outside", **place))
    return found


def _grey(share: float, width: float) -> Ink:
    return Ink("#BBBBBB", width, fill=str(round(share, 4)))


def _keys(cells: Sequence[Cell]) -> list[Mark]:
    """The legend's words for what the cells look like, with the names of the hypotheses that some of them fail."""
    counts = sorted({cell.n_trials for cell in cells if cell.n_trials})
    said = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    shares = ((0.0, f"all {said} trials fail"), (0.5, "half succeed"), (1.0, "all succeed"))
    found: list[Mark] = [Key(_grey(share, 0.5), label=words) for share, words in shares]
    failed = sorted({name for cell in cells for name in cell.fails})
    if failed:
        ink = Ink(HATCH, 0, fill="white", hatch="////")
        found.append(Key(ink, label=drawn(plain(f"not met: {'; '.join(failed)}", _LEGEND_CHARACTERS))))
    return [*found, Key(Ink("#BBBBBB", 0.5, fill=NOT_RUN), label="not run")] if not_run(cells) else found


def not_run(cells: Sequence[Cell]) -> int:
    """How many places of the grid, all sizes at all values of the axis, were not run."""
    return len({cell.x for cell in cells}) * len({cell.size for cell in cells}) - sum(bool(c.n_trials) for c in cells)


def _laws(piece: Piece) -> list[Mark]:
    """The claim through the points in its regime, and the fitted slope with its band."""
    row = piece.row
    law = law_through_points(row) if row is not None else None
    if row is None or law is None:
        return []
    label = f"{name_of(row)}, prefactor fitted"
    bound = Trace(Ink(CLAIMED, 1.5), "claimed", label, xs=law.axis.tolist(), ys=law.bound.tolist())
    return [*inked([bound, *fit(row, law)], halo=True), *fit_band(row, law)]


# --------------------------------------------------------------------------------------------------------------- words


def told(piece: Piece) -> str:
    """What the map shows, in words."""
    cells = cells_of(piece)
    counts = sorted({cell.n_trials for cell in cells if cell.n_trials})
    xs, sizes = sorted({cell.x for cell in cells}), sorted({cell.size for cell in cells})
    outside, blank = sum(bool(cell.fails) for cell in cells), not_run(cells)
    points = [point for point in points_of(piece) if point.measured is not None]
    words = [
        f"Share of successful trials over {len(xs)} values from {xs[0]:g} to {xs[-1]:g} and {len(sizes)} sizes from "
        f"{sizes[0]:g} to {sizes[-1]:g}, {counts[0]}{f' to {counts[-1]}' if len(counts) > 1 else ''} trials a cell"
    ]
    if points:
        words.append(f"thresholds {', '.join(f'{point.measured:.3g} at {point.value:g}' for point in points)}")
    words += [f"{outside} of {len(cells)} cells out of regime are hatched"] if outside else []
    words += [f"{blank} of {len(xs) * len(sizes)} places of the grid were not run and are blank"] if blank else []
    return "; ".join(words)


def tables_of(piece: Piece) -> tuple[DataTable, ...]:
    """Successes of all trials at each place of a map, and the thresholds."""
    part = curves_part(piece)
    rows = tuple(
        (f"{cell.x:.4g}", f"{cell.size:g}", f"{cell.n_successes}", f"{cell.n_trials}", "; ".join(sorted(cell.fails)))
        for cell in cells_of(piece)
    )
    names = (spoken(part.parameter), spoken(part.size), "succeed", "of trials", "fails")
    return (DataTable(part.name, names, rows), *of_row(piece.row))


def _takes(piece: Piece) -> bool:
    return isinstance(piece.part, SuccessCurves)


def _band(piece: Piece) -> Band:
    part = curves_part(piece)
    title = figures_in_words(piece.row) if piece.row is not None and piece.row.points else ""
    panel = replace(labelled(map_of(piece), piece, height_words(piece)), title=title)
    look = look_panels(piece, words(part.size), "threshold")
    said = joined(told(piece), *said_of(piece), by="; ")
    return Band(heading(piece), (panel, *look), said, data=tables_of(piece), along=str(part.symbol))


KIND = PictureKind(place=OWN, takes=_takes, each=_band)
