"""What callers hand to the verdict rules, checked and put on logarithmic axes that increase toward the limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Toward = str | float
"""The limit a claim speaks of: "infinity", "zero", or a boundary of the axis."""

MIN_RELIABILITY = 0.5
"""Least share of the axis' variance that must be its own and not error; below it no correction can be trusted."""


def signed_log_axis(axis: ArrayLike, toward: Toward) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The axis as an array and x, its logarithm signed so that x increases toward the limit.

    Raises:
        ValueError: where the axis is not a list of positive numbers, or touches the boundary it should approach.
    """
    axis = np.asarray(axis, dtype=float)
    if axis.ndim != 1 or not np.all(np.isfinite(axis) & (axis > 0)):
        raise ValueError(f"axis must be finite numbers > 0 [points], got {axis}")
    if toward == "infinity":
        return axis, np.log(axis)
    if toward == "zero":
        return axis, -np.log(axis)
    if isinstance(toward, str):
        raise ValueError(f"toward must be 'infinity', 'zero' or a number, got {toward!r}")
    distance = np.abs(axis - float(toward))
    if np.any(distance == 0):
        raise ValueError(f"axis must not touch the boundary {float(toward):g} it approaches, got {axis}")
    return axis, -np.log(distance)


def claim_on_grid(claimed: Any, axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """The claim at every axis value; a sympy expression is recognised without importing sympy."""
    if hasattr(claimed, "free_symbols"):
        symbols = sorted(claimed.free_symbols, key=str)
        if len(symbols) > 1:
            raise ValueError(f"claimed must be an expression in one symbol, got {claimed} with {symbols}")
        values = [complex(claimed.evalf(subs=dict.fromkeys(symbols, value))) for value in axis]
        if any(value.imag != 0 for value in values):
            raise ValueError(f"claimed must be real and > 0 on the grid, got {claimed} = {values}")
        claimed = [value.real for value in values]
    values = np.asarray(claimed, dtype=float)
    if values.shape != axis.shape:
        raise ValueError(f"claimed must have one value per axis value ({len(axis)}), got shape {values.shape}")
    if not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(f"claimed must be finite and > 0 on the grid, got {values}")
    return values


def log_limit_of(limit, samples, missing) -> NDArray[np.float64] | None:
    """Logarithm of the censoring limit per point, checked against the samples."""
    if limit is None:
        if missing.any():
            raise ValueError("limit must be given where samples hold NaN (censored runs), got None")
        return None
    limit = np.asarray(limit, dtype=float)
    if limit.ndim > 1 or limit.shape not in ((), samples.shape[:1]):
        raise ValueError(f"limit must be one number or one per point ({len(samples)}), got shape {limit.shape}")
    limit = np.broadcast_to(limit, samples.shape[:1])
    needed = missing.any(axis=1)
    if np.any(needed & ~(np.isfinite(limit) & (limit > 0))):
        raise ValueError(f"limit must be finite and > 0 where samples are censored, got {limit}")
    if np.any(samples > limit[:, None]):
        raise ValueError(f"samples must be <= limit, got {samples[samples > limit[:, None]][0]:g}")
    return np.log(np.where(needed, limit, 1.0))


def require_sign(sign: int) -> None:
    """Raise unless the sign is 1 or -1."""
    if sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, got {sign}")


def first_bad(values: NDArray[np.float64]) -> float:
    """The first value that is not finite and > 0, for a message."""
    return float(values[~((values > 0) & np.isfinite(values))][0])


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
    if error.shape not in ((), x.shape) or not np.all(np.isfinite(error) & (error >= 0)):
        raise ValueError(f"axis_error must be finite and >= 0, one number or one per point ({len(x)}), got {error}")
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
