"""What trials observe over one of their parameters, where nothing is claimed of it: a dot a trial, and a middle line.

An observable that is yes or no is drawn as the share of yes at each place; any other with its median. What else tells
the trials apart is a line of its own.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checks.evidence.comparison import sane
from checks.evidence.open_parts import Course
from checks.report.escape import drawn
from checks.report.pictures.gathered import Piece, by_setting
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import SERIES, SHAPES, Band, DataTable, Ink, Mark, Panel, PanelAxis, Trace
from checks.report.pictures.scales import is_log
from checks.report.pictures.words import heading, joined, words
from sim.trials.trial import Trial

_DASHES = ("solid", "dashed", "dash-dotted", "dotted")


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
                label = joined(setting, said if many or not setting else "")
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


def panel_of(series: Sequence[CourseLine], *, across: str, height: str) -> Panel:
    """Dots of all trials, and a line through the middle of each place; shares have no dots of their own."""
    marks = [mark for number, one in enumerate(series) for mark in _line(number, one)]
    places = sorted({place for one in series for place in one.values})
    x = PanelAxis(drawn(across), "log" if is_log(places) else "linear")
    values = [value for one in series for at in one.values.values() for value in at]
    if all(one.is_share for one in series):
        return Panel(x, PanelAxis(drawn(height), ends=(-0.04, 1.04)), marks)
    is_wide = min(values) > 0 and max(values) > 100 * min(values)
    return Panel(x, PanelAxis(drawn(height), "log" if is_wide else "linear"), marks)


def _line(number: int, one: CourseLine) -> list[Mark]:
    colour, shape = SERIES[number % len(SERIES)], SHAPES[number % len(SHAPES)]
    dots = [(place, value) for place, values in one.values.items() for value in values]
    dot = Ink(colour, dash="", shape=shape, size=2.6, edge=0.5)
    marks: list[Mark] = [] if one.is_share else [Trace(dot, "trial", xs=[x for x, _ in dots], ys=[y for _, y in dots])]
    middle, dash = one.middle, _DASHES[number % len(_DASHES)]
    ink = Ink(colour, 1.3, dash, fill=colour, shape=shape, size=4.0)
    return [*marks, Trace(ink, "middle", drawn(one.name), xs=list(middle), ys=list(middle.values()))]


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """A band for each such part."""
    return [_band(piece, found) for piece in pieces if (found := series_of(piece))]


def _band(piece: Piece, series: Sequence[CourseLine]) -> Band:
    part = piece.part
    axis, said = words(part.parameter), ", ".join(part.compares.values())  # type: ignore[attr-defined]
    noun = "share of trials" if all(one.is_share for one in series) else "median"
    height = f"{noun}: {said}" if len(part.compares) == 1 else noun  # type: ignore[attr-defined]
    told = "; ".join(
        f"{one.name or said}: " + ", ".join(f"{value:.3g} at {place:g}" for place, value in one.middle.items())
        for one in series
    )
    panel, along = panel_of(series, across=axis, height=height), str(getattr(part, "symbol", None) or "")
    return Band(heading(piece), (panel,), f"{height} over {axis}. {told}", data=(_table(axis, series),), along=along)


def _table(axis: str, series: Sequence[CourseLine]) -> DataTable:
    rows = [
        (one.name, f"{place:g}", str(len(one.values[place])), *(f"{value:.4g}" for value in (low, middle, high)))
        for one in series
        for place, middle in one.middle.items()
        for low, high in [(min(one.values[place]), max(one.values[place]))]
    ]
    return DataTable("By place", ("line", axis, "trials", "least", "share or median", "largest"), tuple(rows))


KIND = PictureKind(place=60, bands=_bands)
