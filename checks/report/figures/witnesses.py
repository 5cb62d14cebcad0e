"""Which conditions each attempt at a construction meets: a mark for each condition and each attempt."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.evidence.comparison import sane
from checks.evidence.refutation import Construction
from checks.report.escape import plain
from checks.report.figures.gathered import Piece, settings_of
from checks.report.figures.panel import Band, Panel, heading
from checks.report.figures.tables import Figures
from checks.report.marks import CLAIMED, MEASURED
from sim.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ATTEMPTS = 24
_LABEL_CHARACTERS = 34


def met_of(piece: Piece) -> dict[str, list[bool]]:
    """By the words of each condition, which attempts meet it."""
    part = piece.part
    if not isinstance(part, Construction):
        raise TypeError(f"piece must be of a construction, got {type(part).__name__}")
    whole = sane(piece.trials)[:MOST_ATTEMPTS]
    return {words: [bool(shows(trial)) for trial in whole] for words, shows in part.conditions.items()}


def draw_conditions(axes: Axes, met: dict[str, list[bool]]) -> None:
    """A filled dot where a condition is met, a cross where it is not."""
    heights = list(range(len(met), 0, -1))
    for height, shown in zip(heights, met.values(), strict=True):
        for wanted, shape, colour, words in ((True, "o", MEASURED, "met"), (False, "X", CLAIMED, "not met")):
            places = [number for number, is_met in enumerate(shown, start=1) if is_met is wanted]
            if places:
                axes.plot(places, [height] * len(places), shape, ms=6, color=colour, label=words, gid="condition")
    most = max(map(len, met.values()))
    axes.set_xlim(0.5, max(most, 2) + 0.5)
    axes.set_ylim(0.4, len(met) + 0.6)
    axes.set_xticks(range(1, most + 1))
    axes.set_xlabel("attempt")
    axes.set_yticks(
        heights, ["\n".join(textwrap.wrap(plain(words), _LABEL_CHARACTERS)[:3]) for words in met], parse_math=False
    )


def bands(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """A band for each construction that has been tried."""
    tried = [piece for piece in pieces if isinstance(piece.part, Construction) and sane(piece.trials)]
    return [(_band(piece, met_of(piece)), [piece]) for piece in tried]


def _band(piece: Piece, met: dict[str, list[bool]]) -> Band:
    def draw(axes: Axes) -> None:
        draw_conditions(axes, met)

    told = "; ".join(f"{words}: met in {sum(shown)} of {len(shown)} attempts" for words, shown in met.items())
    return Band(heading(piece), (Panel(draw, lines=len(met) + 1),), told, most=1, data=(_table(piece, met),))


def _table(piece: Piece, met: dict[str, list[bool]]) -> Figures:
    whole: list[Trial] = list(sane(piece.trials)[:MOST_ATTEMPTS])
    settings = settings_of(whole)
    of_trial = {id(trial): values for values, group in settings.groups.items() for trial in group}
    rows = [
        (str(number), *of_trial[id(trial)], *("met" if shown[number - 1] else "not met" for shown in met.values()))
        for number, trial in enumerate(whole, start=1)
    ]
    return Figures(piece.part.name, ("attempt", *settings.names, *met), tuple(rows))
