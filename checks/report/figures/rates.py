"""How often trials show a behaviour, by setting, with exact intervals, against the rate asked for and the control."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from checks.report.escape import plain
from checks.report.figures.gathered import Piece, by_setting, settings_of
from checks.report.marks import CLAIMED, MEASURED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SETTINGS = 12
_MOST = 30


def rates_of(piece: Piece) -> dict[str, tuple[int, int]]:
    """Trials that show it, and all, by setting."""
    return {
        setting: (sum(bool(piece.part.met_by(trial)) for trial in trials), len(trials))
        for setting, trials in by_setting(piece.trials).items()
    }


def is_rate(piece: Piece) -> bool:
    """Whether the part has a criterion, and few enough settings to name them."""
    return piece.part.met_by(piece.trials[0]) is not None and len(by_setting(piece.trials)) <= MOST_SETTINGS


def draw_rates(axes: Axes, piece: Piece) -> None:
    """A dot with its interval a setting."""
    from checks.statistics.estimates import exact_interval

    found = rates_of(piece)
    heights = range(len(found), 0, -1)
    for height, (shown, total) in zip(heights, found.values(), strict=True):
        interval = exact_interval(shown, total)
        axes.hlines(height, interval.low, interval.high, color=MEASURED, lw=1.2)
        axes.plot([shown / total], [height], "o", ms=4, color=MEASURED, label="share, 95 % interval", gid="rate")
        axes.annotate(f"{shown}/{total}", (1.02, height), xycoords=("axes fraction", "data"), va="center")
    axes.axvline(piece.part.rate_asked, color=CLAIMED, lw=1.0, ls="--", label="rate asked for", gid="asked")
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(0.4, len(found) + 0.6)
    settings = settings_of(piece.trials)
    axes.set_yticks(list(heights), [plain(", ".join(values), _MOST) for values in settings.groups], parse_math=False)
    axes.set_ylabel("\n".join(textwrap.wrap(", ".join(settings.names), _MOST)), parse_math=False)
    axes.set_xlabel("share of trials")


def told(piece: Piece) -> str:
    """The counts, in words."""
    found = rates_of(piece).items()
    return "; ".join(f"{setting or 'all settings'}: {shown} of {total}" for setting, (shown, total) in found)
