"""What a picture can show that says "linear in" something: its correlation, and the powers that look just as linear.

On a short axis every smooth curve is nearly a straight line, so a plot of a measured quantity against alpha^-2 looks
straight where the law is alpha^-1 as well. `linear_look` says how straight the look is, and for which powers of the
axis it is as straight to the eye (a correlation of at least `STRAIGHT`) or straight within the errors of measurement (a
weighted straight line that a chi-square test does not reject). The line may have an offset, as in a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.arguments import shown
from checks.statistics.estimates import Estimate
from checks.statistics.policy import CONFIDENCE
from checks.statistics.verdict import Interval

STRAIGHT = 0.99
"""Correlation from which on a plot is taken to look like a straight line."""

MIN_POINTS = 4
"""Points that a look needs: three are nearly on a line more often than not."""

POWERS = np.round(np.arange(-6.0, 6.001, 0.05), 2)
"""Powers of the axis that are tried; 0 stands for its logarithm."""


@dataclass(frozen=True)
class Look:
    """How straight measured values look against a claimed value, and against which powers of the axis as well.

    Attributes:
        correlation: of measured and claimed values.
        alike: the powers of the axis whose correlation is at least `STRAIGHT`, from the least to the largest.
        fitting: those against which a straight line is within the errors of measurement. None where there is none.
    """

    correlation: float
    alike: Interval | None
    fitting: Interval | None

    @property
    def is_straight(self) -> bool:
        """Whether it looks linear to the eye."""
        return self.correlation >= STRAIGHT


def linear_look(
    axis: ArrayLike, estimates: Sequence[Estimate], claimed: ArrayLike, *, confidence: float = CONFIDENCE
) -> Look | None:
    """How a plot of measured against claimed values looks; None where fewer than `MIN_POINTS` have a value.

    Args:
        axis: the parameter that scales [points], > 0.
        estimates: measured quantities with the standard error of their logarithm; those without a value are left out.
        claimed: the claim on the grid [points], > 0, up to a constant.
        confidence: one less the level at which a straight line is rejected.

    Raises:
        ValueError: where lengths differ, or axis or claim are not finite and > 0.
    """
    axis, claimed = np.asarray(axis, dtype=float), np.asarray(claimed, dtype=float)
    if axis.ndim != 1 or not len(axis) == len(estimates) == len(claimed):
        raise ValueError(f"axis, estimates and claimed must have one length, got {axis.shape} and {len(estimates)}")
    for name, values in (("axis", axis), ("claimed", claimed)):
        if not np.all((values > 0) & np.isfinite(values)):
            raise ValueError(f"{name} must be finite and > 0, got {shown(values)}")
    kept = [i for i, estimate in enumerate(estimates) if estimate.value is not None]
    if len(kept) < MIN_POINTS or np.ptp(axis[kept]) == 0:
        return None
    measured = np.array([estimates[i].value for i in kept], dtype=float)
    errors = np.array([estimates[i].standard_error or 0.0 for i in kept]) * measured
    falls = np.polyfit(np.log(axis[kept]), np.log(claimed[kept]), 1)[0] < 0
    looks = [_power(axis[kept], power) * (-1.0 if falls else 1.0) for power in POWERS]
    alike = np.array([_correlation(measured, look) >= STRAIGHT for look in looks])
    fitting = np.array([_fits(measured, look, errors, 1 - confidence) for look in looks])
    return Look(_correlation(measured, claimed[kept]), _range(alike), _range(fitting))


def _power(axis: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """A power of the axis that rises with it whatever its sign, with the logarithm between. [Box and Cox 1964]"""
    x = axis / np.exp(np.log(axis).mean())
    return np.log(x) if power == 0 else (x**power - 1) / power


def _correlation(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Correlation of two arrays; 0 where one does not vary."""
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale > 0 else 0.0


def _fits(measured: NDArray[np.float64], look: NDArray[np.float64], errors: NDArray[np.float64], level: float) -> bool:
    """Whether a rising straight line passes all points within their errors, by a chi-square test at `level`."""
    if not np.all(errors > 0):
        return False
    design = np.stack([look, np.ones_like(look)], axis=1) / errors[:, None]
    found, *_ = np.linalg.lstsq(design, measured / errors, rcond=None)
    squares = float(np.sum((design @ found - measured / errors) ** 2))
    return bool(found[0] > 0 and squares <= special.chdtri(len(look) - 2, level))


def _range(shown: NDArray[np.bool_]) -> Interval | None:
    """The least and the largest power for which something holds."""
    return Interval(POWERS[shown].min(), POWERS[shown].max()) if shown.any() else None
