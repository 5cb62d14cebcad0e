"""How far two ways to compute one quantity differ, trial by trial, against the tolerance: a line a part.

Differences are relative errors and span many orders, so they stand on a logarithmic axis; two numbers that are equal to
the last bit stand at 0, left of a linear piece.
"""

from __future__ import annotations

import math
import statistics
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.evidence.comparison import sane
from checks.evidence.sampled import Agreement
from checks.report.escape import plain
from checks.report.figures.gathered import Piece
from checks.report.figures.panel import Band, Panel, heading
from checks.report.figures.tables import Figures
from checks.report.marks import CLAIMED, MEASURED, set_log_from_zero, with_zero

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LABEL_CHARACTERS = 44


@dataclass(frozen=True)
class Differences:
    """What the trials of one part differ by, and what they may differ by."""

    words: str
    values: tuple[float, ...]
    tolerance: float

    def __str__(self) -> str:
        within = sum(value <= self.tolerance for value in self.values)
        return (
            f"{self.words}: {within} of {len(self.values)} trials within {self.tolerance:g}, largest "
            f"{max(self.values):.2g}"
        )


def differences_of(piece: Piece) -> Differences | None:
    """The differences of a part that compares two computations; None of any other, and where none can be drawn."""
    part = piece.part
    if not isinstance(part, Agreement):
        return None
    values = [abs(trial.number(part.observable)) for trial in sane(piece.trials)]
    finite = tuple(value for value in values if math.isfinite(value))
    return Differences(heading(piece), finite, part.tolerance) if finite else None


def draw_differences(axes: Axes, found: Sequence[Differences]) -> None:
    """A dot a trial, spread a little upward and downward, and a stroke at each tolerance."""
    set_log_from_zero(axes, "x", [value for one in found for value in (*one.values, one.tolerance)])
    heights = list(range(len(found), 0, -1))
    for height, one in zip(heights, found, strict=True):
        many = len(one.values)
        for is_within, colour, shape, words in (
            (True, MEASURED, "o", "difference of a trial"),
            (False, CLAIMED, "X", "beyond the tolerance"),
        ):
            kept = [(number, v) for number, v in enumerate(one.values) if (v <= one.tolerance) is is_within]
            if kept:
                ys = [height + 0.3 * (number / max(many - 1, 1) - 0.5) for number, _ in kept]
                xs = [value for _, value in kept]
                style = {"ls": "none", "ms": 3.0 if is_within else 5.0, "mew": 0.6, "mfc": "white", "color": colour}
                axes.plot(xs, ys, marker=shape, label=words, gid="difference", **style)
        axes.vlines(
            one.tolerance, height - 0.38, height + 0.38, color="black", lw=1.4, label="tolerance", gid="reference"
        )
    axes.set_ylim(0.4, len(found) + 0.6)
    names = ["\n".join(textwrap.wrap(plain(one.words), _LABEL_CHARACTERS)[:2]) for one in found]
    axes.set_yticks(heights, names, parse_math=False)
    axes.set_xlabel(with_zero(axes, "x", "difference, as a share of the quantity"))


def bands(pieces: Sequence[Piece]) -> list[tuple[Band, Sequence[Piece]]]:
    """One band of all parts that compare two computations, a line each; none where there are none."""
    found = [(piece, one) for piece in pieces if (one := differences_of(piece)) is not None]
    if not found:
        return []
    shown = [one for _, one in found]

    def draw(axes: Axes) -> None:
        draw_differences(axes, shown)

    panel = Panel(draw, lines=len(shown))
    told = "; ".join(map(str, shown))
    return [(Band("Two ways to compute it", (panel,), told, most=1, data=(_table(shown),)), [p for p, _ in found])]


def _table(found: Sequence[Differences]) -> Figures:
    columns = ("part", "trials", "least", "median", "largest", "tolerance")
    rows = [
        (one.words, str(len(one.values)), *(f"{n:.3g}" for n in _three(one.values)), f"{one.tolerance:g}")
        for one in found
    ]
    return Figures("Differences", columns, tuple(rows))


def _three(values: Sequence[float]) -> tuple[float, float, float]:
    return min(values), statistics.median(values), max(values)
