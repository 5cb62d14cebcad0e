"""When data are too few to carry a verdict on an exponent: points, and the span of the axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_POINTS = 5
"""Points on a line; each further axis of a plane needs one more."""
MIN_SPAN = 4.0
"""Factor between the ends of an axis."""


def too_few(n_points: int, *, n_axes: int = 1) -> str:
    """Why so many points cannot carry a verdict on one of so many axes, or ""."""
    needed = MIN_POINTS - 1 + n_axes
    if n_points >= needed:
        return ""
    return f"only {n_points} points in the regime, {needed} are needed" + (f" for {n_axes} axes" if n_axes > 1 else "")


def too_narrow(x: NDArray) -> str:
    """Why an axis that reaches over these logarithms cannot carry a verdict, or ""."""
    span = math.exp(min(float(x.max() - x.min()), 700.0)) if len(x) else 1.0
    return "" if span >= MIN_SPAN * (1 - 1e-9) else f"the axis spans a factor {span:.3g}, {MIN_SPAN:g} is needed"
