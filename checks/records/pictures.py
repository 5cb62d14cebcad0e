"""What a row shows beside its figures: curves inside trials, matrices, lines over an axis, maps of a grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Curve:
    """What one trial recorded along the axis of a row, all arrays [points].

    `judged` is set where the verdict looked. `claimed` carries the trial's own fitted prefactor; it is None where the
    claim was compared by its slope alone.
    """

    axis: Array
    measured: Array
    judged: Array
    claimed: Array | None = None


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix as a heat map, its first row on top."""

    title: str
    values: Array


@dataclass(frozen=True, eq=False)
class Lines:
    """Curves over a positive axis, by name, with one level that they are to be seen against, by name.

    `marks` are places on the axis, by name; `log` asks for a logarithmic height, on which what is negative is gone.
    """

    title: str
    axis_words: str
    axis: Array
    lines: Mapping[str, Array]
    level: tuple[str, float] | None = None
    marks: Mapping[str, float] = field(default_factory=dict)
    log: bool = False


@dataclass(frozen=True, eq=False)
class Cells:
    """A name for each cell of a grid, `names[y][x]`; "" where nothing is known. `legend` orders the names."""

    title: str
    x_words: str
    y_words: str
    xs: Sequence[float]
    ys: Sequence[float]
    names: Sequence[Sequence[str]]
    legend: Sequence[str]


Picture = Matrix | Lines | Cells
