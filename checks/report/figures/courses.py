"""What trials observe over one of their parameters, where nothing is claimed of it: a dot a trial, and a middle line.

An observable that is yes or no is drawn as the share of yes at each place; any other with its median. What else tells
the trials apart is a line of its own.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.evidence.comparison import sane
from checks.evidence.open_parts import Course
from checks.report.escape import drawn
from checks.report.figures.gathered import Piece, by_setting
from checks.report.figures.labels import words
from checks.report.figures.panel import SERIES, SHAPES, Band, Panel, heading
from checks.report.figures.success_maps import is_log
from checks.report.figures.tables import Figures
from sim.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STYLES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class CourseLine:
    """One observable of trials that differ in the axis alone: its values at each place."""

    name: str
    values: Mapping[float, tuple[float, ...]]
    is_share: bool

    @property
    def middle(self) -> dict[float, float]:
        """At each place the share of yes, or the median."""
        centre = statistics.fmean if self.is_share else statistics.median
        return {place: centre(values) for place, values in sorted(self.values.items())}


def series_of(piece: Piece) -> list[CourseLine]:
    """The series of a part that names an axis and what to draw over it; none of any other part."""
    part = piece.part
    if not isinstance(part, Course) or not part.parameter or not part.compares:
        return []
    found = []
    for setting, trials in _apart(sane(piece.trials), part.parameter).items():
        for name, said in part.compares.items():
            by_place: dict[float, list[float]] = {}
            with_it = [trial for trial in trials if name in trial.result.observables]
            for trial in with_it:
                value = trial.result.observables[name]
                number = float(trial.flag(name)) if isinstance(value, bool) else trial.number(name)
                by_place.setdefault(float(trial.spec.parameters[part.parameter]), []).append(number)
            if by_place:
                is_share = isinstance(with_it[0].result.observables[name], bool)
                many = len(part.compares) > 1
                label = ", ".join(filter(None, (setting, said if many or not setting else "")))
                found.append(CourseLine(label, {at: tuple(values) for at, values in by_place.items()}, is_share))
    return found


def _apart(trials: Sequence[Trial], parameter: str) -> dict[str, Sequence[Trial]]:
    """Trials by what tells them apart beside the axis."""
    places: dict[object, list[Trial]] = {}
    for trial in trials:
        places.setdefault(trial.spec.parameters[parameter], []).append(trial)
    groups: dict[str, list[Trial]] = {}
    for group in places.values():
        for setting, alike in by_setting(group).items():
            groups.setdefault(setting, []).extend(alike)
    return dict(groups)


def draw_series(axes: Axes, series: Sequence[CourseLine], *, axis_words: str, height_words: str) -> None:
    """Dots of all trials, and a line through the middle of each place; shares have no dots of their own."""
    for number, one in enumerate(series):
        style = {"color": SERIES[number % len(SERIES)], "marker": SHAPES[number % len(SHAPES)]}
        if not one.is_share:
            dots = [(place, value) for place, values in one.values.items() for value in values]
            axes.plot(*zip(*dots, strict=True), ls="none", ms=2.6, mfc="none", mew=0.5, gid="trial", **style)
        middle = one.middle
        line = {"ls": _STYLES[number % len(_STYLES)], "lw": 1.3, "ms": 4.0}
        axes.plot(list(middle), list(middle.values()), label=drawn(one.name) or None, gid="middle", **line, **style)
    places = sorted({place for one in series for place in one.values})
    if is_log(places):
        axes.set_xscale("log")
    values = [value for one in series for at in one.values.values() for value in at]
    if all(one.is_share for one in series):
        axes.set_ylim(-0.04, 1.04)
    elif min(values) > 0 and max(values) > 100 * min(values):
        axes.set_yscale("log")
    axes.set_xlabel(axis_words, parse_math=False)
    axes.set_ylabel(height_words, parse_math=False)


def bands(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """A band for each such part."""
    return [(_band(piece, found), [piece]) for piece in pieces if (found := series_of(piece))]


def _band(piece: Piece, series: Sequence[CourseLine]) -> Band:
    part = piece.part
    axis, said = words(part.parameter), ", ".join(part.compares.values())  # type: ignore[attr-defined]
    noun = "share of trials" if all(one.is_share for one in series) else "median"
    height = f"{noun}: {said}" if len(part.compares) == 1 else noun  # type: ignore[attr-defined]

    def draw(axes: Axes) -> None:
        draw_series(axes, series, axis_words=axis, height_words=height)

    told = "; ".join(
        f"{one.name or said}: " + ", ".join(f"{value:.3g} at {place:g}" for place, value in one.middle.items())
        for one in series
    )
    return Band(heading(piece), (Panel(draw),), f"{height} over {axis}. {told}", most=2, data=(_table(axis, series),))


def _table(axis: str, series: Sequence[CourseLine]) -> Figures:
    rows = [
        (one.name, f"{place:g}", str(len(one.values[place])), *(f"{value:.4g}" for value in (low, middle, high)))
        for one in series
        for place, middle in one.middle.items()
        for low, high in [(min(one.values[place]), max(one.values[place]))]
    ]
    return Figures("By place", ("line", axis, "trials", "least", "share or median", "largest"), tuple(rows))
