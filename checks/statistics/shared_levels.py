"""Whole levels of an axis that share data, on a grid of several axes.

Where all points of one width come from one data set, their common error moves them together, and a plane takes a dozen
points for a dozen errors where there are as many as levels. What an axis' levels scatter about its line, beyond what
points of one level differ by, is compared with that by F [the split-plot analysis: Yates 1935]; where the test says so,
or the caller, the slope's noise is that of the levels, with their number less two as degrees of freedom.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.points import Array
from checks.statistics.regression import Noise

LEVEL, STRICT_LEVEL = 0.2, 0.05
"""Level of the test: a grid whose points are independent is taken for one of shared levels this often; the stricter one
where three levels leave one degree of freedom, whose interval decides next to nothing."""


def level_noise(x: Array, y: Array, own: int, *, declared: bool) -> Noise | None:
    """Noise of the levels of one axis, for the coefficients of its slope; None where points are independent.

    Args:
        x: signed log axes. [points, axes]
        y: log(measured / claim). [points]
        own: the axis whose levels may share data.
        declared: they are known to.
    """
    count = len(y)
    levels = [np.unique(column, return_inverse=True)[1] for column in x.T]
    number = int(levels[own].max()) + 1
    if not 3 <= number < count:
        return None
    others = [_dummies(level) for axis, level in enumerate(levels) if axis != own and level.max() + 1 < count]
    constant = np.ones((count, 1))
    line = np.column_stack([constant, x[:, own], *others])
    full = np.column_stack([constant, _dummies(levels[own]), *others])
    (about_line, rank), (within, full_rank) = _residual(line, y), _residual(full, y)
    above, below = full_rank - rank, count - full_rank
    if above < 1 or below < 1:
        return None
    between = max(about_line - within, 0.0) / above
    strictness = LEVEL if above > 1 else STRICT_LEVEL
    if not declared and not between > float(special.fdtri(above, below, 1 - strictness)) * within / below:
        return None
    return Noise(np.full(count, max(between, within / below)), float(above))


def _dummies(level: NDArray[np.intp]) -> Array:
    """One column for each level but the first. [points, levels - 1]"""
    return (level[:, None] == np.arange(1, int(level.max()) + 1)).astype(float)


def _residual(design: Array, y: Array) -> tuple[float, int]:
    """Residual sum of squares and the rank of the design."""
    found, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    residual = y - design @ found
    return float(residual @ residual), int(rank)
