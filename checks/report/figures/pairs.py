"""Two observables of the same trial side by side, joined: what one change does, run by run.

The axis is logarithmic where values span a factor of ten; zeros stand at 0, below a linear piece.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.evidence.comparison import sane
from checks.evidence.sampled import Behaviour
from checks.report.escape import plain
from checks.report.figures.gathered import Piece, by_setting
from checks.report.marks import CLAIMED, MEASURED, set_log_from_zero, with_zero
from sim.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICK_CHARACTERS = 10
_DECADE = 10.0


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


def is_logarithmic(piece: Piece) -> bool:
    """Whether positive values span a factor of ten: fewer leave a logarithmic axis without two powers of ten."""
    positive = _positive(piece)
    return min(_values(piece)) >= 0 and bool(positive) and max(positive) >= _DECADE * min(positive)


def _values(piece: Piece) -> list[float]:
    return [value for pair in values_of(piece, sane(piece.trials)) for value in pair]


def _positive(piece: Piece) -> list[float]:
    return [value for value in _values(piece) if value > 0 and math.isfinite(value)]


def draw_pairs(axes: Axes, piece: Piece, trials: Sequence[Trial]) -> None:
    """A line a trial, blue with a dot where it shows what the part asks for, orange with a cross where not.

    Grey ones leave nothing to show.
    """
    import statistics

    if is_logarithmic(piece):
        set_log_from_zero(axes, "y", _values(piece))
    else:
        axes.set_ylim(0.0 if min(_values(piece)) >= 0 else None, 1.1 * max(_positive(piece), default=1.0))
    pairs = values_of(piece, trials)
    shows = [piece.part.met_by(trial) for trial in trials]
    for wanted, colour, shape, words in (
        (None, "#aaaaaa", ".", "runs that leave nothing to change"),
        (True, MEASURED, "o", "runs with the claimed change"),
        (False, CLAIMED, "X", "runs without"),
    ):
        label = f"{words}"
        for (before, after), shown in zip(pairs, shows, strict=True):
            if shown is wanted:
                style = {"marker": shape, "ms": 3.2, "mfc": "white" if wanted else colour, "mew": 0.8, "zorder": 3}
                axes.plot([0, 1], [before, after], color=colour, lw=0.7, label=label, gid="pair", **style)
    for place in (0, 1):
        middle = statistics.median(pair[place] for pair in pairs)
        axes.hlines(middle, place - 0.22, place + 0.22, color="black", lw=2.0, zorder=4, label="median")
    axes.set_xlim(-0.4, 1.4)
    words = piece.part.compares  # type: ignore[attr-defined]
    ticks = ["\n".join(textwrap.wrap(plain(name), _TICK_CHARACTERS)) for name in words.values()]
    axes.set_xticks([0, 1], ticks, parse_math=False)
    axes.set_ylabel(with_zero(axes, "y", plain(_noun(*compared(piece) or ("", "")))), parse_math=False)
    axes.tick_params(axis="x", length=0)


def _noun(before: str, after: str) -> str:
    """What both observables are: the words that their names end in alike, else the first name."""
    ends = zip(before.split("_")[::-1], after.split("_")[::-1], strict=False)
    alike = [one for one, _ in itertools.takewhile(lambda both: both[0] == both[1], ends)]
    return " ".join(alike[::-1]) or before.replace("_", " ")


def counted(piece: Piece, trials: Sequence[Trial]) -> str:
    """In how many trials the change is the claimed one, of those that leave one to show."""
    shown = [met for trial in trials if (met := piece.part.met_by(trial)) is not None]
    return f"{sum(shown)} of {len(shown)}"


def told(piece: Piece) -> str:
    """What the panels show, in words: medians and counts by setting."""
    import statistics

    words = []
    for setting, trials in paired(piece).items():
        first, second = (statistics.median(column) for column in zip(*values_of(piece, trials), strict=True))
        place = f"{setting}: " if setting else ""
        words.append(f"{place}median {first:.2g} before and {second:.2g} after, {counted(piece, trials)} as claimed")
    return "; ".join(words)
