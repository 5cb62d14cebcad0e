"""Words beside a panel: what its axes are, and what else moves with the axis."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from checks.report.escape import plain
from checks.report.figures.gathered import Piece
from checks.report.plot import axis_label, letter

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

_LABEL_CHARACTERS = 30


def labelled(
    draw: Callable[[Axes], None], piece: Piece, height: str, *, in_step: bool = True
) -> Callable[[Axes], None]:
    """The drawing with the words of its axes; those that it has said itself stay."""

    def whole(axes: Axes) -> None:
        draw(axes)
        if not axes.get_xlabel() and piece.row is not None:
            axes.set_xlabel(axis_label(piece.row))
        if not axes.get_ylabel():
            axes.set_ylabel("\n".join(textwrap.wrap(plain(height), _LABEL_CHARACTERS)), parse_math=False)
        if in_step:
            mark_in_step(axes, piece)

    return whole


def set_ticks(
    axis: Axis, values: Sequence[float], *, log: bool, apart: float, words: Mapping[float, float] | None = None
) -> None:
    """Ticks at values of a grid, each at least a share `apart` of its length from the one before.

    Args:
        words: the numbers that stand at the ticks; the values themselves unless given.
    """
    places = [math.log(value) if log else value for value in values]
    length = places[-1] - places[0]
    shown: list[int] = []
    for number, place in enumerate(places):
        if not shown or place - places[shown[-1]] >= apart * length:
            shown.append(number)
    kept = [values[i] for i in shown]
    axis.set_ticks(kept, [f"{words[value] if words else value:.4g}" for value in kept])
    axis.set_ticks([], minor=True)


def height_words(piece: Piece) -> str:
    """What the vertical axis is: the size or the observable of the part, or what its claim speaks of."""
    part = piece.part
    return words(getattr(part, "size", "") or getattr(part, "observable", "") or piece.claim.observable)


def words(name: str) -> str:
    """A parameter or an observable as it is read."""
    return name.removeprefix("n_").replace("_", " ")


def mark_in_step(axes: Axes, piece: Piece) -> None:
    """A second axis on top with the numbers of a letter that moves with the axis: no slope tells the two apart."""
    moving = piece.in_step()
    if not moving:
        return
    numbers = next(iter(moving.values()))
    top = axes.secondary_xaxis("top")
    set_ticks(top.xaxis, sorted(numbers), log=axes.get_xscale() == "log", apart=0.11, words=numbers)
    letters = ", ".join(map(letter, moving))
    top.set_xlabel(f"confounded with {letters}, collinear with the axis")
