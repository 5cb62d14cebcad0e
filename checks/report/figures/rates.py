"""How often trials show a behaviour, with exact intervals, against the rate asked for: a line a part, or a setting."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.report.escape import plain
from checks.report.figures.gathered import Piece, settings_of
from checks.report.figures.panel import heading
from checks.report.marks import CLAIMED, MEASURED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SETTINGS = 12
_LABEL_CHARACTERS = 44


@dataclass(frozen=True)
class Share:
    """Trials that show something, of all, and the share that is asked for."""

    words: str
    shown: int
    total: int
    asked: float

    def __str__(self) -> str:
        return f"{self.words or 'all'}: {self.shown} of {self.total}"


def is_rate(piece: Piece) -> bool:
    """Whether the part has a criterion, and few enough settings to name them."""
    has_criterion = any(piece.part.met_by(trial) is not None for trial in piece.trials)
    return has_criterion and len(settings_of(piece.trials).groups) <= MOST_SETTINGS


def rates_of(piece: Piece, *, named: bool = False) -> list[Share]:
    """The rates of a part by setting, the values of the setting as words, or `named` after the part."""
    found = []
    for values, trials in settings_of(piece.trials).groups.items():
        shown = [met for trial in trials if (met := piece.part.met_by(trial)) is not None]
        if shown:
            name = heading(piece) if named else ", ".join(values)
            found.append(Share(name, sum(shown), len(shown), piece.part.rate_asked))
    return found


def draw_rates(axes: Axes, rates: Sequence[Share], *, title: str = "") -> None:
    """A dot with its interval a line, from top to bottom, and a dash where the rate asked for is."""
    from checks.statistics.estimates import exact_interval

    heights = list(range(len(rates), 0, -1))
    for height, rate in zip(heights, rates, strict=True):
        interval = exact_interval(rate.shown, rate.total)
        share = rate.shown / rate.total
        axes.hlines(height, interval.low, interval.high, color=MEASURED, lw=1.2)
        axes.plot([share], [height], "o", ms=4, color=MEASURED, label="share, 95 % interval", gid="rate")
        axes.vlines(rate.asked, height - 0.35, height + 0.35, color=CLAIMED, lw=1.4, label="rate asked for")
        axes.annotate(f"{rate.shown}/{rate.total}", (1.02, height), xycoords=("axes fraction", "data"), va="center")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(0.4, len(rates) + 0.6)
    names = ["\n".join(textwrap.wrap(plain(rate.words or "all"), _LABEL_CHARACTERS)[:2]) for rate in rates]
    axes.set_yticks(heights, names, parse_math=False)
    axes.set_ylabel("\n".join(textwrap.wrap(title, 30)), parse_math=False)
    axes.set_xlabel("share of trials")
