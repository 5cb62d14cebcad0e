"""Differences of pairs, the interval of their mean and the margins that it is held against: a line a part.

Parts that compare the same two observables share a panel. An interval without an end runs to the edge and has an
arrowhead there.
"""

from __future__ import annotations

import functools
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.evidence.comparison import sane
from checks.evidence.paired import PairedDifference
from checks.report.escape import plain
from checks.report.figures.gathered import Piece
from checks.report.figures.panel import Band, Panel, heading
from checks.report.marks import CLAIMED, MEASURED
from checks.statistics.verdict import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABEL_CHARACTERS = 44
_NOUN_CHARACTERS = 32
_ROOM = 0.08
"""Of the span of all that is drawn, left free on either side."""


@dataclass(frozen=True)
class PairsOfPart:
    """The differences of one part, each with whether it lies as claimed, and what their mean is held against."""

    words: str
    values: tuple[tuple[float, bool], ...]
    margins: tuple[float, ...]
    mean: float
    interval: Interval | None
    level: str

    def __str__(self) -> str:
        end = "" if self.interval is None else f" {self.interval}"
        as_claimed = sum(met for _, met in self.values)
        return f"{self.words}: mean {self.mean:+.3g}{end}, {as_claimed} of {len(self.values)} as claimed"


def rows_of(piece: Piece) -> list[tuple[float, float, bool]]:
    """First, second and whether the difference is as claimed, of each trial with a difference."""
    part = piece.part
    if not isinstance(part, PairedDifference):
        return []
    trials = sane(piece.trials)
    return [(trial.number(part.first), trial.number(part.second), bool(part.met_by(trial))) for trial in trials]


def pairs_of(piece: Piece) -> PairsOfPart | None:
    """What is drawn of a part; None of a part of another kind, or without a trial."""
    part, rows = piece.part, rows_of(piece)
    if not isinstance(part, PairedDifference) or not rows:
        return None
    values = tuple((first - second, met) for first, second, met in rows)
    interval, level = (None, "") if piece.row is None else (piece.row.judgement.confidence_interval, piece.row.level)
    margins = tuple(margin for margin in (part.low, part.high) if math.isfinite(margin))
    mean = sum(value for value, _ in values) / len(values)
    return PairsOfPart(heading(piece), values, margins, mean, interval, level)


def draw_differences(axes: Axes, found: Sequence[PairsOfPart], *, noun: str) -> None:
    """Above each height the mean with its interval, below it a dot a pair; a stroke at each margin."""
    low, high = _span(found)
    heights = list(range(len(found), 0, -1))
    for height, one in zip(heights, found, strict=True):
        for is_met, colour, shape, words in ((True, MEASURED, "o", "a pair"), (False, CLAIMED, "X", "not as claimed")):
            xs = [value for value, met in one.values if met is is_met]
            if xs:
                style = {"ls": "none", "ms": 3.2, "mew": 0.7, "mfc": "white" if is_met else colour, "color": colour}
                axes.plot(xs, [height - 0.2] * len(xs), marker=shape, label=words, gid="pair", **style)
        if one.interval is not None:
            ends = max(one.interval.low, low), min(one.interval.high, high)
            axes.hlines(height + 0.15, *ends, color="black", lw=1.2, gid="interval")
            for end, edge, head in ((one.interval.low, low, "<"), (one.interval.high, high, ">")):
                if math.isinf(end):
                    axes.plot([edge], [height + 0.15], head, ms=4, color="black", clip_on=False, gid="open")
        label = f"mean, {one.level} interval" if one.level else "mean"
        axes.plot([one.mean], [height + 0.15], "D", ms=3.5, color="black", label=label, gid="mean")
        for margin in one.margins:
            axes.vlines(margin, height - 0.38, height + 0.38, color=CLAIMED, lw=1.4, label="margin", gid="reference")
    axes.set_xlim(low, high)
    axes.set_ylim(0.4, len(found) + 0.6)
    names = ["\n".join(textwrap.wrap(plain(one.words), _LABEL_CHARACTERS)[:3]) for one in found]
    axes.set_yticks(heights, names, parse_math=False)
    axes.set_xlabel("\n".join(textwrap.wrap(plain(noun), _NOUN_CHARACTERS)), parse_math=False)


def _span(found: Sequence[PairsOfPart]) -> tuple[float, float]:
    """Ends of the axis that hold all that is finite, with room."""
    all_of_it = [value for one in found for value, _ in one.values] + [m for one in found for m in one.margins]
    for one in found:
        ends = (one.interval.low, one.interval.high) if one.interval is not None else ()
        all_of_it += [end for end in ends if math.isfinite(end)]
    low, high = min(all_of_it), max(all_of_it)
    room = _ROOM * (high - low) or 1.0
    return low - room, high + room


def bands(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """A band for each two observables that parts compare, a line a part."""
    by_names: dict[str, list[tuple[Piece, PairsOfPart]]] = {}
    for piece in pieces:
        if (one := pairs_of(piece)) is not None and isinstance(piece.part, PairedDifference):
            names = " less ".join(name.replace("_", " ") for name in (piece.part.first, piece.part.second))
            by_names.setdefault(names, []).append((piece, one))
    found: list[tuple[Band, Sequence[Piece]]] = []
    for noun, group in by_names.items():
        shown = [one for _, one in group]
        panel = Panel(functools.partial(draw_differences, found=shown, noun=noun), lines=2 * len(shown) + 1)
        band = Band("Mean differences of pairs", (panel,), "; ".join(map(str, shown)), most=1)
        found.append((band, [piece for piece, _ in group]))
    return found
