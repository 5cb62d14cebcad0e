"""What callers hand to the verdict rules, checked and put on logarithmic axes that increase toward the limit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Toward = str | float
"""The limit a claim speaks of: "infinity" or math.inf, "zero" or 0, or a boundary of the axis."""

MIN_RELIABILITY = 0.5
"""Least share of the axis' variance that must be its own and not error; below it no correction can be trusted."""


def limit_of(toward: Toward) -> Toward:
    """The limit by its one name: "infinity", "zero", or a boundary as a number.

    Raises:
        ValueError: on any other word, minus infinity or NaN.
    """
    if toward in ("infinity", "zero"):
        return toward
    try:
        number = math.nan if isinstance(toward, str | bool) else float(toward)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number) or number == -math.inf:
        raise ValueError(f"toward must be 'infinity' (math.inf), 'zero' (0) or a number, got {toward!r}")
    return "infinity" if number == math.inf else number or "zero"


def sign_of(toward: Toward) -> float:
    """The sign of x against log axis, for x to increase toward the limit."""
    return 1.0 if limit_of(toward) == "infinity" else -1.0


def signed_log_axis(axis: ArrayLike, toward: Toward) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The axis as an array and x, its logarithm signed so that x increases toward the limit.

    Raises:
        ValueError: where the axis is not a list of positive numbers, touches the boundary it should approach or lies on
            both sides of it, which are two limits and not one.
    """
    axis = np.asarray(axis, dtype=float)
    if axis.ndim != 1:
        raise ValueError(f"axis must be finite numbers > 0 [points], got shape {axis.shape}")
    if not np.all(np.isfinite(axis) & (axis > 0)):
        raise ValueError(f"axis must be finite numbers > 0 [points], got {first_bad(axis):g}")
    toward = limit_of(toward)
    if toward == "infinity":
        return axis, np.log(axis)
    if toward == "zero":
        return axis, -np.log(axis)
    distance = axis - float(toward)
    if np.any(distance == 0):
        raise ValueError(f"axis must not touch the boundary {float(toward):g} it approaches, got that value")
    if len(axis) and distance.min() < 0 < distance.max():
        ends = f"{axis.min():g} to {axis.max():g}"
        raise ValueError(f"axis must lie on one side of the boundary {float(toward):g} it approaches, got {ends}")
    return axis, -np.log(np.abs(distance))


def claim_on_grid(claimed: Any, axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """The claim at every axis value; a sympy expression is recognised without importing sympy."""
    if hasattr(claimed, "free_symbols"):
        symbols = sorted(claimed.free_symbols, key=str)
        if len(symbols) > 1:
            raise ValueError(f"claimed must be an expression in one symbol, got {claimed} with {symbols}")
        values = [complex(claimed.evalf(subs=dict.fromkeys(symbols, value))) for value in axis]
        if wrong := [(at, value) for at, value in zip(axis, values, strict=True) if value.imag != 0]:
            at, value = wrong[0]
            raise ValueError(f"claimed must be real and > 0 on the grid, got {claimed} = {value:.4g} at {at:g}")
        claimed = [value.real for value in values]
    values = np.asarray(claimed, dtype=float)
    if values.shape != axis.shape:
        raise ValueError(f"claimed must have one value per axis value ({len(axis)}), got shape {values.shape}")
    if not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(f"claimed must be finite and > 0 on the grid, got {first_bad(values):g}")
    return values


def require_sign(sign: int) -> None:
    """Raise unless the sign is 1 or -1."""
    if sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, got {sign}")


def first_bad(values: NDArray[np.float64]) -> float:
    """The first value that is not finite and > 0, for a message."""
    return float(values[~((values > 0) & np.isfinite(values))][0])


def shown(values: ArrayLike) -> str:
    """Numbers as a message shows them: on one line, however many they are."""
    return np.array2string(np.asarray(values), max_line_width=10_000, threshold=8, edgeitems=3, precision=4)


def calibrated_axis(
    x: NDArray[np.float64], axis_error: ArrayLike | None, log_claimed: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The signed log axis and the log claim at its expected true values, where the axis is itself estimated.

    Errors in the axis flatten a line: values far from the mean are far partly by error. Regression calibration puts
    E[true | estimated] in their place, which shrinks each value toward the mean by its reliability [Carroll, Ruppert,
    Stefanski and Crainiceanu 2006, ch. 4]. What the errors scatter about the line then shows as lack of fit. On few
    points the plain reliability overshoots; with (n - 3) / (n - 1) of the errors' variance the slope is unbiased to
    first order. That the reliability is itself estimated raises the slope's variance by its inverse [Fuller 1987, sec.
    1.2], the third value returned.

    Raises:
        ValueError: where errors are negative, have the wrong length, or are as large as the spread of the axis.
    """
    if axis_error is None:
        return x, log_claimed, 1.0
    error = np.asarray(axis_error, dtype=float)
    if error.shape not in ((), x.shape):
        raise ValueError(f"axis_error must be one number or one per point ({len(x)}), got shape {error.shape}")
    if not np.all(np.isfinite(error) & (error >= 0)):
        wrong = error[~(np.isfinite(error) & (error >= 0))].ravel()[0]
        raise ValueError(f"axis_error must be finite and >= 0, got {wrong:g}")
    variance = np.broadcast_to(error**2, x.shape)
    spread = float(x.var(ddof=1)) if len(x) > 1 else 0.0
    if float(variance.mean()) > (1 - MIN_RELIABILITY) * spread:
        typical = float(variance.mean()) ** 0.5
        raise ValueError(f"axis_error must be small beside the spread {spread**0.5:.3g} of log axis, got {typical:.3g}")
    few = max(len(x) - 3, 0) / (len(x) - 1)
    reliability = 1 - few * variance / spread
    true = x.mean() + reliability * (x - x.mean())
    order = np.argsort(x)
    return true, np.interp(true, x[order], log_claimed[order]), 1 / float(reliability.mean())
