"""Words beside a panel: what its axes are, and what else moves with the axis."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

from checks.report.escape import plain
from checks.report.figures.gathered import Piece
from checks.report.plot import axis_label, letter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_TICKS = 6
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
    places = sorted(numbers)
    shown = places[:: -(-len(places) // _MOST_TICKS)]
    top = axes.secondary_xaxis("top")
    top.set_xticks(shown, [f"{numbers[place]:.3g}" for place in shown])
    top.set_xticks([], minor=True)
    letters = ", ".join(map(letter, moving))
    top.set_xlabel(f"confounded with {letters}, {'which moves' if len(moving) == 1 else 'which move'} in step")
