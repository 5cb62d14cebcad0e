"""Slopes of curves: local ones over a sliding window, and a rate over a stated window."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks.statistics.arguments import shown


def local_slopes(x: ArrayLike, y: ArrayLike, window: int) -> NDArray[np.float64]:
    """Slopes of log y against log x over every `window` consecutive points, in the order of x. [points - window + 1]

    Raises:
        ValueError: where x or y is not positive, x does not increase, or the window does not fit.
    """
    x, y = require_positive("x", x), require_positive("y", y)
    if x.shape != y.shape or np.any(np.diff(x) <= 0):
        raise ValueError(f"x must increase and have the length of y, got lengths {len(x)} and {len(y)}")
    if not 2 <= window <= len(x):
        raise ValueError(f"window must be between 2 and the number of points {len(x)}, got {window}")
    log_x = np.lib.stride_tricks.sliding_window_view(np.log(x), window)
    log_y = np.lib.stride_tricks.sliding_window_view(np.log(y), window)
    centred = log_x - log_x.mean(axis=1, keepdims=True)
    return np.sum(centred * log_y, axis=1) / np.sum(centred**2, axis=1)


def decay_rate(
    t: ArrayLike, y: ArrayLike, *, window: tuple[float, float], burn_in: float = 0.0, exponential: bool = False
) -> NDArray[np.float64]:
    """Slope per seed of log y against log t over the stated fit window; against t itself where `exponential`. [seeds]

    Points are weighted by the stretch of the abscissa they stand for, so that the answer does not depend on how densely
    a curve was recorded in one part of training.

    Args:
        t: times [times], increasing, > 0 within the window.
        y: positive curves [seeds, times], or one curve [times].
        window: first and last time of the fit.
        burn_in: times below it are left out as well.

    Raises:
        ValueError: where fewer than 3 times remain, or a curve is not positive there.
    """
    t, y = np.asarray(t, dtype=float), np.atleast_2d(np.asarray(y, dtype=float))
    if t.ndim != 1 or y.shape[1] != len(t) or np.any(np.diff(t) <= 0):
        raise ValueError(f"t must increase and y be [seeds, times], got shapes {t.shape} and {y.shape}")
    kept = (t > 0) & (t >= max(window[0], burn_in)) & (t <= window[1])
    if kept.sum() < 3:
        raise ValueError(f"window must hold at least 3 times after burn_in {burn_in:g}, got {window} with {kept.sum()}")
    x, log_y = t[kept] if exponential else np.log(t[kept]), np.log(require_positive("y", y[:, kept]))
    weight = np.gradient(x)
    weight = weight / weight.sum()
    centred = x - weight @ x
    return log_y @ (weight * centred) / (weight @ centred**2)


def require_positive(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """The values as an array, if all are finite and positive. Raises ValueError."""
    values = np.asarray(values, dtype=float)
    if not (values.size and np.all(np.isfinite(values) & (values > 0))):
        raise ValueError(f"{name} must be finite and > 0, got {shown(values)}")
    return values
