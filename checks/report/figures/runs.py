"""Curves that trials recorded on the way: one thin line a run, and the median and range of all of them.

The curves of a trial are those of its part's own picture (`pictures` of a Behaviour or a Course). Runs end at different
steps, so the median and the range are of the runs that are still going, as long as half of them are. They stand at
steps that were recorded, and their markers where half of the runs were. As in the papers' figures the first curve of a
picture is red with asterisks and the second blue with squares.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.records.pictures import Lines
from checks.report.escape import drawn, plain
from checks.report.figures.gathered import Piece, by_setting
from checks.report.marks import UNUSED, set_log_from_zero, with_zero
from sim.trial import Trial

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes

    Array = np.ndarray

COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SHAPES = ("*", "s", "^", "D", "v", "P")
_N_PLACES = 100
_MOST_RECORDS, _FEWEST_RECORDS = 40, 12
_RECORDS = 800
"""Records that are drawn of all runs, and of one: more would be one line on another, and a large file."""
_N_MARKERS = 8
_LABEL_CHARACTERS = 30
_EVEN = 0.2
"""Where half of the records lie within this share of the run, steps grow geometrically and the axis is logarithmic."""


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
    with_curves = [trial for trial in trials if trial.result.curves]
    return [picture for trial in with_curves for picture in pictures(trial) if isinstance(picture, Lines)]


def draw_runs(axes: Axes, runs: Sequence[Lines]) -> None:
    """Every run, and over them the median and the range."""
    import numpy as np

    longest = max((np.asarray(run.axis, dtype=float) for run in runs), key=lambda axis: axis[-1] if len(axis) else 0.0)
    if len(longest) > 2 and longest[len(longest) // 2] < _EVEN * longest[-1]:
        set_log_from_zero(axes, "x", [place for run in runs for place in run.axis])
    if runs[0].log:
        heights = [value for run in runs for line in run.lines.values() for value in line]
        set_log_from_zero(axes, "y", [*heights, *(run.level[1] for run in runs if run.level is not None)])
    for number, name in enumerate(runs[0].lines):
        colour, shape = COLOURS[number % len(COLOURS)], SHAPES[number % len(SHAPES)]
        curves = [(run.axis, run.lines[name]) for run in runs if name in run.lines and len(run.axis)]
        records = max(min(_RECORDS // max(len(curves), 1), _MOST_RECORDS), _FEWEST_RECORDS)
        for axis, values in (_thinned(curve, records) for curve in curves):
            axes.plot(axis, values, color=colour, lw=0.4, alpha=0.45, zorder=2, gid="run")
        found = median_and_range(curves)
        place, middle = found.place, found.middle
        if len(curves) > 1:
            axes.fill_between(place, found.low, found.high, color=colour, alpha=0.15, lw=0, zorder=1, gid="range")
        marked = np.flatnonzero(found.is_recorded)
        some = np.linspace(0, len(marked) - 1, min(len(marked), _N_MARKERS)).round().astype(int)
        every = [int(at) for at in marked[np.unique(some)]] if len(marked) else []
        style = {"marker": shape, "ms": 6.5 if shape == "*" else 3.6, "markevery": every, "lw": 1.4, "zorder": 3}
        axes.plot(place, middle, color=colour, label=drawn(name), gid="median", **style)
    if runs[0].level is not None:
        axes.axhline(runs[0].level[1], color=UNUSED, lw=0.9, ls="--", label=drawn(runs[0].level[0]), gid="level")
    axes.set_xlabel(with_zero(axes, "x", plain(runs[0].axis_words)), parse_math=False)
    height = with_zero(axes, "y", plain(runs[0].title))
    axes.set_ylabel("\n".join(textwrap.wrap(height, _LABEL_CHARACTERS)), parse_math=False)


def _thinned(curve: tuple[Array, Array], records: int) -> tuple[Array, Array]:
    """Some of the records of a run, evenly among all, the first and the last with them."""
    import numpy as np

    kept = np.unique(np.linspace(0, len(curve[0]) - 1, records).round().astype(int))
    return np.asarray(curve[0])[kept], np.asarray(curve[1])[kept]


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


def median_and_range(curves: Sequence[tuple[Array, Array]]) -> Middle:
    """What runs have in common at the places of their records, while at least half of them are still going."""
    import numpy as np

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
    import numpy as np

    words = []
    for name in runs[0].lines:
        curves = [np.asarray(run.lines[name], dtype=float) for run in runs if name in run.lines and len(run.axis)]
        start, end = (float(np.median([curve[place] for curve in curves])) for place in (0, -1))
        words.append(f"{name} from {start:.3g} to {end:.3g}")
    return f"{len(runs)} runs; medians: {', '.join(words)}"
