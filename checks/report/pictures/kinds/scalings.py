"""A quantity along an axis on logarithmic axes: every run, means with intervals, the claim and the slope fitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from checks.evidence.sampled import Scaling
from checks.report.pictures.gathered import Piece, said_name, settings_of
from checks.report.pictures.kinds import OWN, PictureKind
from checks.report.pictures.kinds.rates import tables_of
from checks.report.pictures.kinds.rows import points
from checks.report.pictures.laws import fit_band, law_through_points
from checks.report.pictures.linear_look import look_panels, said_of
from checks.report.pictures.model import Band, Ink, Mark, Panel, PanelAxis, Trace
from checks.report.pictures.points import on_frame
from checks.report.pictures.words import figures_in_words, heading, height_words, joined, labelled, words

RUN = Ink("#56B4E9", dash="", shape="circle", size=2.2, edge=0.7, order=2.0)
Places = Sequence[tuple[float, float, str]]
"""Place, value, and which run it is, in words."""


def scaling_of(piece: Piece) -> Panel:
    """Single runs behind the row's own picture; a run that was cut off is an arrow head where it was."""
    row = piece.row
    ended, cut = _runs_of(piece)
    panel = points(row) if row is not None and row.points else Panel(PanelAxis(), PanelAxis(), [])
    marks = [*panel.marks]
    law = law_through_points(row) if row is not None and row.points else None
    if row is not None and law is not None and row.judgement.exponents.prefactor is not None:
        marks += fit_band(row, law)
    if panel.y.scale == "log":  # a run below all that was looked at is known to be small, and not how small
        ink = replace(RUN, shape="triangle-down", size=3.5, order=4)
        marks += on_frame([x for x, y, _ in ended if y <= 0], 0.02, ink, "nothing", "runs below the least value seen")
        ended = [place for place in ended if place[1] > 0]
    marks += _dots(ended, RUN, "run", "single runs")
    marks += _dots(cut, replace(RUN, shape="triangle-up", size=3.5), "cut", "runs cut off, lie above")
    return replace(panel, y=_holding(panel.y, [y for _, y, _ in (*ended, *cut)]), marks=marks)


def _runs_of(piece: Piece) -> tuple[Places, Places]:
    """Place and value of the runs that ended, and place and limit of those that were cut off."""
    part = piece.part
    if not isinstance(part, Scaling):
        raise TypeError(f"piece must be of a Scaling, got {type(part).__name__}")
    groups = part.groups(part.counted(piece.trials))
    named = settings_of(piece.trials, axis=part.parameter)
    first = int(named.names[:1] == (said_name(part.parameter),))  # a run's place says where on the axis it is
    said = {
        id(trial): joined(
            f"run {trial.spec.replicate}", *map(" = ".join, zip(named.names[first:], values[first:], strict=True))
        )
        for values, group in named.groups.items()
        for trial in group
    }
    runs = [(x, part.value(trial), said.get(id(trial), "")) for x, group in groups.items() for trial in group]
    cut = [
        (x, part.limit(t), said.get(id(t), ""))
        for x, group in groups.items()
        for t in group
        if math.isinf(part.value(t))
    ]
    return [run for run in runs if math.isfinite(run[1])], [run for run in cut if math.isfinite(run[1])]


def _dots(places: Places, ink: Ink, name: str, label: str) -> list[Mark]:
    if not places:
        return []
    xs, ys, said = map(list, zip(*places, strict=True))
    return [Trace(ink, name, label, xs=xs, ys=ys, said=said)]


def _holding(axis: PanelAxis, heights: Sequence[float]) -> PanelAxis:
    """The axis with limits that hold every run."""
    low, high = axis.ends or (None, None)
    if not heights or low is None or high is None:
        return axis
    if axis.scale == "log" and min(heights) > 0:
        return replace(axis, ends=(min(low, min(heights) / 1.2), max(high, max(heights) * 1.2)))
    room = 0.05 * (max(heights) - min(heights))
    return replace(axis, ends=(min(low, min(heights) - room), max(high, max(heights) + room)))


def _takes(piece: Piece) -> bool:
    return isinstance(piece.part, Scaling)


def _band(piece: Piece) -> Band:
    figures = figures_in_words(piece.row) if piece.row is not None and piece.row.points else ""
    panel = replace(labelled(scaling_of(piece), piece, height_words(piece)), title=figures)
    look = look_panels(piece, words(piece.part.observable))  # type: ignore[attr-defined]
    said = joined(f"{len(piece.trials)} runs on logarithmic axes", *said_of(piece), by="; ")
    along = str(piece.part.symbol)  # type: ignore[attr-defined]
    return Band(heading(piece), (panel, *look), said, data=tables_of(piece), along=along)


KIND = PictureKind(place=OWN, takes=_takes, each=_band)
