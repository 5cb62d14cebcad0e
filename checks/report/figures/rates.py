"""How often trials show a behaviour, with exact intervals, against the rate asked for: a line a part, or a setting."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.evidence.regime import met_at
from checks.evidence.sampled import Sufficient
from checks.report.escape import plain
from checks.report.figures.gathered import Piece, Settings, settings_of, shown_value
from checks.report.figures.labels import words
from checks.report.figures.panel import heading
from checks.report.marks import CLAIMED, MEASURED
from checks.statistics.policy import level_words
from sim.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    found = settings_of(piece.trials)
    if len(found.groups) <= MOST_SETTINGS:
        return found
    names: tuple[str, ...] = ()
    groups: dict[tuple[str, ...], list[Trial]] = {}
    parameter = getattr(piece.part, "parameter", None)
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


def draw_rates(axes: Axes, rates: Sequence[Share], *, title: str = "") -> None:
    """A dot with its interval a line, from top to bottom, and a dash where the rate asked for is."""
    from checks.statistics.estimates import exact_interval

    heights = list(range(len(rates), 0, -1))
    for height, rate in zip(heights, rates, strict=True):
        interval = exact_interval(rate.shown, rate.total, rate.confidence)
        share = rate.shown / rate.total
        axes.hlines(height, interval.low, interval.high, color=MEASURED, lw=1.2, gid="interval")
        label = f"share, {level_words(rate.confidence)} interval"
        axes.plot([share], [height], "o", ms=4, color=MEASURED, label=label, gid="rate")
        axes.vlines(
            rate.asked, height - 0.35, height + 0.35, color=CLAIMED, lw=1.4, label="rate asked for", gid="reference"
        )
        axes.annotate(f"{rate.shown}/{rate.total}", (1.02, height), xycoords=("axes fraction", "data"), va="center")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(0.4, len(rates) + 0.6)
    names = ["\n".join(textwrap.wrap(plain(rate.words or "all"), _LABEL_CHARACTERS)[:2]) for rate in rates]
    axes.set_yticks(heights, names, parse_math=False)
    axes.set_ylabel("\n".join(textwrap.wrap(title, 30)), parse_math=False)
    axes.set_xlabel("share of trials")
