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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.evidence.comparison import succeeded
from checks.evidence.thresholds import SuccessCurves
from checks.records.rows import Point
from checks.report.escape import plain
from checks.report.figures.gathered import Piece
from checks.report.figures.labels import set_ticks
from checks.report.figures.panel import halo
from checks.report.laws import draw_fit, draw_fit_band, law_through_points, name_of
from checks.report.marks import CLAIMED, MEASURED, mark
from sim.trial import TrialSpec

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from checks.statistics.estimates import Estimate

EVERYWHERE: Mapping[float, bool | None] = {}
NOT_RUN = "#FFF1CC"
HATCH = "#009E73"
_LEGEND_CHARACTERS = 36
_WIDE = 2.0
"""Ratio of the largest to the smallest value from which on an axis is logarithmic."""


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


def as_points(
    estimates: Mapping[float, Estimate], in_regime: Mapping[float, bool | None] = EVERYWHERE
) -> tuple[Point, ...]:
    """Estimates by axis value as points of a picture."""
    found = []
    for value, estimate in estimates.items():
        interval = estimate.confidence_interval
        low, high = (interval.low, interval.high) if interval else (None, None)
        used = in_regime.get(value, True)
        found.append(Point(value, None, estimate.value, low, high, estimate.censored, used, n_trials=estimate.n_trials))
    return tuple(found)


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


def is_log(values: Sequence[float]) -> bool:
    """Whether values span enough, all of them positive, for a logarithmic axis."""
    return min(values) > 0 and max(values) >= _WIDE * min(values)


# ------------------------------------------------------------------------------------------------------------- drawing


def draw_map(axes: Axes, piece: Piece) -> None:
    """Cells, and over them thresholds and laws."""
    cells = cells_of(piece)
    xs, sizes = sorted({cell.x for cell in cells}), sorted({cell.size for cell in cells})
    log_x, log_y = is_log(xs), min(sizes) > 0
    across = dict(zip(xs, edges(xs, log=log_x), strict=True))
    columns = {x: [cell.size for cell in cells if cell.x == x] for x in xs}
    up = {x: dict(zip(column, edges(column, log=log_y), strict=True)) for x, column in columns.items()}
    if log_x:
        axes.set_xscale("log")
    if log_y:
        axes.set_yscale("log")
    ends = [end for column in up.values() for low_high in column.values() for end in low_high]
    axes.set_xlim(across[xs[0]][0], across[xs[-1]][1])
    axes.set_ylim(min(ends), max(ends))
    axes.set_facecolor(NOT_RUN)
    _draw_cells(axes, cells, across, up)
    _label_cells(axes, cells)
    set_ticks(axes.xaxis, xs, log=log_x, apart=0.13)
    set_ticks(axes.yaxis, sizes, log=log_y, apart=0.07)
    with halo(axes):
        _draw_laws(axes, piece)
        shown = points_of(piece)
        for used, words in ((True, ""), (False, ", outside")):
            chosen = [(point.value, point) for point in shown if (point.in_regime is not False) is used]
            style = {"noun": "threshold", "filled": used, "size": 4.2, "confidence": piece.part.confidence}
            mark(axes, chosen, colour=MEASURED, words=words, **style)


def _draw_cells(axes: Axes, cells: Sequence[Cell], across: Mapping, up: Mapping) -> None:
    from matplotlib.patches import Rectangle

    for cell in cells:
        (left, right), (low, high) = across[cell.x], up[cell.x][cell.size]
        place = {"xy": (left, low), "width": right - left, "height": high - low}
        if cell.n_trials:
            axes.add_patch(Rectangle(**place, fc=str(round(cell.share, 4)), ec="#BBBBBB", lw=0.3, gid="cell"))
        if cell.fails:
            axes.add_patch(Rectangle(**place, fc="none", ec=HATCH, lw=0, hatch="////", gid="outside"))


def _label_cells(axes: Axes, cells: Sequence[Cell]) -> None:
    """The legend's words for what the cells look like, with the names of the hypotheses that some of them fail."""
    counts = sorted({cell.n_trials for cell in cells if cell.n_trials})
    said = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    for share, words in ((0.0, f"all {said} trials fail"), (0.5, "half succeed"), (1.0, "all succeed")):
        axes.fill_between([], [], fc=str(share), ec="#BBBBBB", lw=0.5, label=words)
    failed = sorted({name for cell in cells for name in cell.fails})
    if failed:
        style = {"fc": "white", "ec": HATCH, "lw": 0, "hatch": "////"}
        axes.fill_between([], [], label=plain(f"not met: {'; '.join(failed)}", _LEGEND_CHARACTERS), **style)
    if not_run(cells):
        axes.fill_between([], [], fc=NOT_RUN, ec="#BBBBBB", lw=0.5, label="not run")


def not_run(cells: Sequence[Cell]) -> int:
    """How many places of the grid, all sizes at all values of the axis, were not run."""
    return len({cell.x for cell in cells}) * len({cell.size for cell in cells}) - sum(bool(c.n_trials) for c in cells)


def _draw_laws(axes: Axes, piece: Piece) -> None:
    """The claim through the points in its regime, and the fitted slope with its band."""
    row = piece.row
    law = law_through_points(row) if row is not None else None
    if row is None or law is None:
        return
    axes.plot(law.axis, law.bound, color=CLAIMED, lw=1.5, label=f"{name_of(row)}, prefactor fitted", gid="claimed")
    draw_fit(axes, law, row)
    draw_fit_band(axes, law, row)


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
    words += [f"{outside} of {len(cells)} cells outside the hypotheses are hatched"] if outside else []
    words += [f"{blank} of {len(xs) * len(sizes)} places of the grid were not run and are blank"] if blank else []
    return "; ".join(words)
