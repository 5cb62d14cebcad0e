"""Which conditions each attempt at a construction meets: a mark for each condition and each attempt."""

from __future__ import annotations

from collections.abc import Sequence

from checks.evidence.comparison import sane
from checks.evidence.refutation import Construction
from checks.report.pictures.gathered import Piece, settings_of
from checks.report.pictures.kinds import PictureKind
from checks.report.pictures.model import CLAIMED, MEASURED, Band, DataTable, Ink, Mark, Panel, PanelAxis, Trace
from checks.report.pictures.scales import heights_of, listed
from checks.report.pictures.words import heading, wrapped
from sim.trials.trial import Trial

MOST_ATTEMPTS = 24
_LABEL_CHARACTERS = 34
_INKS = (
    (True, Ink(MEASURED, dash="", fill=MEASURED, shape="circle", size=6), "met"),
    (False, Ink(CLAIMED, dash="", fill=CLAIMED, shape="cross", size=6), "not met"),
)


def met_of(piece: Piece) -> dict[str, list[bool]]:
    """By the words of each condition, which attempts meet it."""
    part = piece.part
    if not isinstance(part, Construction):
        raise TypeError(f"piece must be of a construction, got {type(part).__name__}")
    whole = sane(piece.trials)[:MOST_ATTEMPTS]
    return {words: [bool(shows(trial)) for trial in whole] for words, shows in part.conditions.items()}


def panel_of(met: dict[str, list[bool]]) -> Panel:
    """A filled dot where a condition is met, a cross where it is not."""
    marks: list[Mark] = []
    for height, shown in zip(heights_of(list(met)), met.values(), strict=True):
        for wanted, ink, words in _INKS:
            places = [float(number) for number, is_met in enumerate(shown, start=1) if is_met is wanted]
            marks += [Trace(ink, "condition", words, xs=places, ys=[height] * len(places))] if places else []
    most = max(map(len, met.values()))
    ticks = [(number, f"{number}") for number in range(1, most + 1)]
    names = [wrapped(words, _LABEL_CHARACTERS, 3) for words in met]
    return Panel(
        PanelAxis("attempt", ends=(0.5, max(most, 2) + 0.5), ticks=ticks), listed(names), marks, lines=len(met) + 1
    )


def _bands(pieces: Sequence[Piece]) -> list[Band]:
    """A band for each construction that has been tried."""
    tried = [piece for piece in pieces if isinstance(piece.part, Construction) and sane(piece.trials)]
    return [_band(piece, met_of(piece)) for piece in tried]


def _band(piece: Piece, met: dict[str, list[bool]]) -> Band:
    told = "; ".join(f"{words}: met in {sum(shown)} of {len(shown)} attempts" for words, shown in met.items())
    return Band(heading(piece), (panel_of(met),), told, most=1, data=(_table(piece, met),))


def _table(piece: Piece, met: dict[str, list[bool]]) -> DataTable:
    whole: list[Trial] = list(sane(piece.trials)[:MOST_ATTEMPTS])
    settings = settings_of(whole)
    of_trial = {id(trial): values for values, group in settings.groups.items() for trial in group}
    rows = [
        (str(number), *of_trial[id(trial)], *("met" if shown[number - 1] else "not met" for shown in met.values()))
        for number, trial in enumerate(whole, start=1)
    ]
    return DataTable(piece.part.name, ("attempt", *settings.names, *met), tuple(rows))


KIND = PictureKind(place=50, bands=_bands)
