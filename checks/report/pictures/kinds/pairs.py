"""Two observables of the same trial side by side, joined: what one change does, run by run.

The axis is logarithmic where values span a factor of ten; zeros stand at 0, below a linear piece.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import replace

from checks.evidence.comparison import sane
from checks.evidence.sampled import Behaviour
from checks.report.escape import drawn
from checks.report.pictures.gathered import Piece, by_setting
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import CLAIMED, MEASURED, Band, DataTable, Ink, Mark, Panel, PanelAxis, Strokes, Trace
from checks.report.pictures.scales import log_from_zero
from checks.report.pictures.tables import of_row
from checks.report.pictures.words import heading, joined, spoken, wrapped
from sim.trials.trial import Trial

_TICK_CHARACTERS = 10
_DECADE = 10.0
_MOST_PANELS = 4
_PAIR = Ink(width=0.7, size=3.2, edge=0.8, order=3)
_INKS = (
    (None, replace(_PAIR, colour="#aaaaaa", fill="#aaaaaa", shape="point"), "runs that leave nothing to change"),
    (True, replace(_PAIR, colour=MEASURED, fill="white", shape="circle"), "runs with the claimed change"),
    (False, replace(_PAIR, colour=CLAIMED, fill=CLAIMED, shape="cross"), "runs without"),
)


def compared(piece: Piece) -> tuple[str, str] | None:
    """The two observables that a part's trials compare; None where it compares none."""
    before, after, *_ = [*(piece.part.compares if isinstance(piece.part, Behaviour) else ()), None, None]
    return None if before is None or after is None else (before, after)


def paired(piece: Piece) -> dict[str, Sequence[Trial]]:
    """The trials with both observables, by setting."""
    names = compared(piece) or ()
    whole = [trial for trial in sane(piece.trials) if all(name in trial.result.observables for name in names)]
    return by_setting(whole)


def values_of(piece: Piece, trials: Sequence[Trial]) -> list[tuple[float, float]]:
    """Before and after, trial by trial."""
    first, second = compared(piece) or ("", "")
    return [(trial.number(first), trial.number(second)) for trial in trials]


def _axis(piece: Piece) -> PanelAxis:
    """Logarithmic where positive values span a factor of ten: fewer leave it without two powers of ten."""
    values = [value for pair in values_of(piece, sane(piece.trials)) for value in pair]
    positive = [value for value in values if value > 0 and math.isfinite(value)]
    words = drawn(_noun(*compared(piece) or ("", "")))
    if min(values) >= 0 and positive and max(positive) >= _DECADE * min(positive):
        return log_from_zero(values, words)
    return PanelAxis(words, ends=(0.0 if min(values) >= 0 else None, 1.1 * max(positive, default=1.0)))


def pairs_of(piece: Piece, trials: Sequence[Trial]) -> Panel:
    """A line a trial, blue with a dot where it shows what the part asks for, orange with a cross where not.

    Grey ones leave nothing to show.
    """
    pairs = values_of(piece, trials)
    shows = [piece.part.met_by(trial) for trial in trials]
    marks: list[Mark] = [
        Trace(ink, "pair", words, xs=(0, 1), ys=pair)
        for wanted, ink, words in _INKS
        for pair, shown in zip(pairs, shows, strict=True)
        if shown is wanted
    ]
    middles = [statistics.median(pair[place] for pair in pairs) for place in (0, 1)]
    ends = [(place - 0.22, middle, place + 0.22, middle) for place, middle in enumerate(middles)]
    marks.append(Strokes(Ink(width=2.0, order=4), "median", "median", ends=ends))
    names = piece.part.compares.values()  # type: ignore[attr-defined]
    ticks = [(place, wrapped(name, _TICK_CHARACTERS)) for place, name in zip((0, 1), names, strict=False)]
    return Panel(PanelAxis(ends=(-0.4, 1.4), ticks=ticks, bare=True), _axis(piece), marks)


def _noun(before: str, after: str) -> str:
    """What both observables are: the words that their names end in alike, else the first name."""
    ends = zip(before.split("_")[::-1], after.split("_")[::-1], strict=False)
    alike = [one for one, _ in itertools.takewhile(lambda both: both[0] == both[1], ends)]
    return " ".join(alike[::-1]) or spoken(before)


def counted(piece: Piece, trials: Sequence[Trial]) -> str:
    """In how many trials the change is the claimed one, of those that leave one to show."""
    shown = [met for trial in trials if (met := piece.part.met_by(trial)) is not None]
    return f"{sum(shown)} of {len(shown)}"


def told(piece: Piece) -> str:
    """What the panels show, in words: medians and counts by setting."""
    words = []
    for setting, trials in paired(piece).items():
        first, second = (statistics.median(column) for column in zip(*values_of(piece, trials), strict=True))
        place = f"{setting}: " if setting else ""
        words.append(f"{place}median {first:.2g} before and {second:.2g} after, {counted(piece, trials)} as claimed")
    return "; ".join(words)


def _table(piece: Piece, setting: str, trials: Sequence[Trial]) -> DataTable:
    first, second = compared(piece) or ("", "")
    words = {True: "yes", False: "no", None: "leaves nothing"}
    rows = tuple(
        (f"{number}", f"{before:.3g}", f"{after:.3g}", words[piece.part.met_by(trial)])
        for number, ((before, after), trial) in enumerate(zip(values_of(piece, trials), trials, strict=True), start=1)
    )
    columns = ("run", spoken(first), spoken(second), "as claimed")
    return DataTable(joined(piece.part.name, setting, by=": "), columns, rows)


def _takes(piece: Piece) -> bool:
    return compared(piece) is not None


def _band(piece: Piece) -> Band | None:
    found = paired(piece)
    panels = tuple(
        replace(pairs_of(piece, trials), title=joined(setting, f"{counted(piece, trials)} runs as claimed", by="; "))
        for setting, trials in found.items()
    )
    data = (*(_table(piece, setting, trials) for setting, trials in found.items()), *of_row(piece.row))
    return Band(heading(piece), panels, told(piece), most=_MOST_PANELS, data=data) if panels else None


KIND = PictureKind(place=20, asked=1, takes=_takes, each=_band)
