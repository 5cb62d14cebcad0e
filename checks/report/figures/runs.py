"""Curves that trials recorded on the way: one thin line a run, and the median and range of all of them.

The curves of a trial are those of its part's own picture (`pictures` of a Behaviour or a Course). Runs end at different
steps, so the median and the range are of the runs that are still going, as long as half of them are. As in the papers'
figures the first curve of a picture is red with asterisks and the second blue with squares.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.records.pictures import Lines
from checks.report.escape import drawn, plain
from checks.report.figures.gathered import Piece, by_setting
from checks.report.marks import UNUSED
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
    is_log = len(longest) > 2 and longest[len(longest) // 2] < _EVEN * longest[-1]
    for number, name in enumerate(runs[0].lines):
        colour, shape = COLOURS[number % len(COLOURS)], SHAPES[number % len(SHAPES)]
        curves = [(run.axis, run.lines[name]) for run in runs if name in run.lines and len(run.axis)]
        records = max(min(_RECORDS // max(len(curves), 1), _MOST_RECORDS), _FEWEST_RECORDS)
        for axis, values in (_thinned(curve, records) for curve in curves):
            axes.plot(axis, values, color=colour, lw=0.4, alpha=0.45, zorder=2, gid="run")
        if len(curves) > 1:
            place, low, middle, high = median_and_range(curves, log=is_log)
            axes.fill_between(place, low, high, color=colour, alpha=0.15, lw=0, zorder=1, gid="range")
        else:
            place, middle = (np.asarray(column, dtype=float) for column in curves[0])
        every = max(len(place) // _N_MARKERS, 1)
        style = {"marker": shape, "ms": 6.5 if shape == "*" else 3.6, "markevery": every, "lw": 1.4, "zorder": 3}
        axes.plot(place, middle, color=colour, label=drawn(name), gid="median", **style)
    if runs[0].level is not None:
        axes.axhline(runs[0].level[1], color=UNUSED, lw=0.9, ls="--", label=drawn(runs[0].level[0]), gid="level")
    if is_log:
        axes.set_xscale("log")
    if runs[0].log:
        axes.set_yscale("log")
    axes.set_xlabel(plain(runs[0].axis_words), parse_math=False)
    axes.set_ylabel("\n".join(textwrap.wrap(plain(runs[0].title), _LABEL_CHARACTERS)), parse_math=False)


def _thinned(curve: tuple[Array, Array], records: int) -> tuple[Array, Array]:
    """Some of the records of a run, evenly among all, the first and the last with them."""
    import numpy as np

    kept = np.unique(np.linspace(0, len(curve[0]) - 1, records).round().astype(int))
    return np.asarray(curve[0])[kept], np.asarray(curve[1])[kept]


def median_and_range(curves: Sequence[tuple[Array, Array]], *, log: bool) -> tuple[Array, Array, Array, Array]:
    """Places on the axis, and there least, median and largest of the runs still going, while at least half are.

    Between its records a run is on the line through them.
    """
    import numpy as np

    last = max(float(axis[-1]) for axis, _ in curves)
    first = max(min(float(axis[0]) for axis, _ in curves), 1e-9 if log else -np.inf)
    spaced = np.geomspace if log and first > 0 else np.linspace
    place = spaced(first, last, _N_PLACES)
    values = np.array([np.interp(place, axis, y, left=np.nan, right=np.nan) for axis, y in curves])
    going = np.isfinite(values).sum(axis=0) * 2 >= len(curves)
    values = values[:, going]
    return place[going], np.nanmin(values, axis=0), np.nanmedian(values, axis=0), np.nanmax(values, axis=0)


def told(runs: Sequence[Lines]) -> str:
    """Where the curves begin and end, in words: medians over the runs."""
    import numpy as np

    words = []
    for name in runs[0].lines:
        curves = [np.asarray(run.lines[name], dtype=float) for run in runs if name in run.lines and len(run.axis)]
        start, end = (float(np.median([curve[place] for curve in curves])) for place in (0, -1))
        words.append(f"{name} from {start:.3g} to {end:.3g}")
    return f"{len(runs)} runs; medians: {', '.join(words)}"
