"""How often trials show a behaviour, with exact intervals, against the rate asked for: a line a part, or a setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence.regime import met_at
from checks.evidence.sampled import Sufficient
from checks.report.escape import drawn
from checks.report.pictures.gathered import Piece, Settings, settings_of, shown_value
from checks.report.pictures.kinds import PictureKind, mean_differences
from checks.report.pictures.model import (
    CLAIMED,
    MEASURED,
    Band,
    DataTable,
    Ink,
    Mark,
    Note,
    Panel,
    PanelAxis,
    Strokes,
    Trace,
)
from checks.report.pictures.scales import heights_of, listed
from checks.report.pictures.tables import of_row
from checks.report.pictures.words import heading, words, wrapped
from checks.statistics.estimates import exact_interval
from checks.statistics.policy import level_words
from sim.trials.trial import Trial

MOST_SETTINGS = 12
_LABEL_CHARACTERS = 44


@dataclass(frozen=True)
class Share:
    """Trials that show something, of all, the share that is asked for, and the confidence of an interval."""

    words: str
    shown: int
    total: int
    asked: float
    confidence: float

    def __str__(self) -> str:
        return f"{self.words or 'all'}: {self.shown} of {self.total}"


def is_rate(piece: Piece) -> bool:
    """Whether the part has a criterion."""
    return any(piece.part.met_by(trial) is not None for trial in piece.trials)


def groups_of(piece: Piece) -> Settings:
    """A part's trials by setting; where there are too many to name, by what the part itself sorts them by.

    That is the condition of a sufficient one, else the parameter that goes to a limit, else nothing: all are one group.
    """
    parameter = getattr(piece.part, "parameter", None)
    found = settings_of(piece.trials, axis=parameter or "")
    if len(found.groups) <= MOST_SETTINGS:
        return found
    names: tuple[str, ...] = ()
    groups: dict[tuple[str, ...], list[Trial]] = {}
    for trial in sorted(piece.trials, key=lambda one: one.spec.parameters[parameter]) if parameter else piece.trials:
        if isinstance(piece.part, Sufficient):
            met = met_at(piece.part.condition, piece.part.letters(trial.spec))
            names, values = ("the condition is",), (str(met),)
        elif parameter:
            names, values = (words(parameter),), (shown_value(trial.spec.parameters[parameter]),)
        else:
            values = ()
        groups.setdefault(values, []).append(trial)
    return Settings(names, groups) if len(groups) <= MOST_SETTINGS else Settings((), {(): list(piece.trials)})


def rates_of(piece: Piece, *, named: bool = False) -> list[Share]:
    """The rates of a part by setting, the values of the setting as words, or `named` after the part."""
    found = []
    for values, trials in groups_of(piece).groups.items():
        shown = [met for trial in trials if (met := piece.part.met_by(trial)) is not None]
        if shown:
            name = heading(piece) if named else ", ".join(values)
            found.append(Share(name, sum(shown), len(shown), piece.part.rate_asked, piece.part.confidence))
    return found


def panel_of(rates: Sequence[Share], *, title: str = "") -> Panel:
    """A dot with its interval a line, from top to bottom, and a dash where the rate asked for is."""
    marks = [mark for height, rate in zip(heights_of(rates), rates, strict=True) for mark in _line(height, rate)]
    y = listed([wrapped(rate.words or "all", _LABEL_CHARACTERS, 2) for rate in rates])
    x = PanelAxis("share of trials", ends=(-0.03, 1.03))
    return Panel(x, replace(y, words=drawn(title)), marks, lines=len(rates))


def _line(height: float, rate: Share) -> list[Mark]:
    interval = exact_interval(rate.shown, rate.total, rate.confidence)
    dot, label = (
        Ink(MEASURED, dash="", fill=MEASURED, shape="circle", size=4),
        f"{level_words(rate.confidence)} interval",
    )
    return [
        Strokes(Ink(MEASURED, 1.2), "interval", ends=[(interval.low, height, interval.high, height)]),
        Trace(dot, "rate", f"share, {label}", xs=[rate.shown / rate.total], ys=[height]),
        Strokes(
            Ink(CLAIMED, 1.4),
            "reference",
            "rate asked for",
            ends=[(rate.asked, height - 0.35, rate.asked, height + 0.35)],
        ),
        Note(Ink(), words=f"{rate.shown}/{rate.total}", x=1.02, y=height, anchor="beside", share="x"),
    ]


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """Parts with one setting share a panel, a line each; a part with several has its own."""
    alone = [piece for piece in pieces if len(groups_of(piece).groups) == 1]
    bands = [_band(piece) for piece in pieces if piece not in alone]
    if alone:
        found = [rate for piece in alone for rate in rates_of(piece, named=True)]
        data = tuple(table for piece in alone for table in tables_of(piece))
        bands.append(Band("Shares of trials", (panel_of(found),), "; ".join(map(str, found)), most=1, data=data))
    return bands


def _band(piece: Piece) -> Band:
    found = rates_of(piece)
    title, said = ", ".join(groups_of(piece).names), "; ".join(map(str, found))
    return Band(
        heading(piece), (panel_of(found, title=title),), f"{title}: {said}" if title else said, data=tables_of(piece)
    )


def tables_of(piece: Piece) -> tuple[DataTable, ...]:
    """How often each setting is as claimed, where the part has a criterion, and what the row has."""
    if not is_rate(piece):
        return of_row(piece.row)
    rows = tuple(
        (share.words or "all", str(share.shown), str(share.total), f"{share.asked:g}") for share in rates_of(piece)
    )
    setting = ", ".join(groups_of(piece).names) or "setting"
    table = DataTable(piece.part.name, (setting, "as claimed", "of trials", "share asked for"), rows)
    return (table, *of_row(piece.row))


def _takes(piece: Piece) -> bool:
    return not mean_differences.rows_of(piece) and is_rate(piece)


KIND = PictureKind(place=90, asked=4, takes=_takes, bands=_bands)
