"""Whether runs that were cut off fit the noise of those that arrived: one spread, and no share that never arrives.

A censored point is a normal sample cut off at its limit, with one spread common to all points. Two kinds of data look
like it and are not. Where the noise grows along the axis, the pooled spread is too small where runs are cut off, and so
is the mean that it extrapolates. Where some runs never arrive [a cured share: Boag 1949; Maller and Zhou 1996], no
limit would have let them, and each one pulls its point as if it had arrived soon after.

Both are seen in the runs that arrived. They are normals cut off at the limit, whose mean and variance say how far the
mean lies below it [Cohen 1959]: `_arrived` solves for that distance, point by point, and for the common spread. From
it follow how many runs should have been cut off, which is compared with how many were, and how the spread moves along
the axis [score test: Cook and Weisberg 1983].
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from checks.statistics.points import MIN_SPREAD, Array, Points, points_from_samples

NEVER = 4.5
"""Standard errors by which the censored runs must outnumber those that the arrived ones predict."""

LEAST_VARIANCE = 1.0
"""Floor of the variance by which points are weighed: a single run more or less may be chance at any of them."""

TREND = 1.28
"""Standard errors from which a trend of the noise is tried out on the verdict (20 %)."""


@dataclass(frozen=True, eq=False)
class Arrived:
    """What the runs that arrived say of each point that has at least two of them.

    Attributes:
        used: which points they are. [points]
        distance: how many spreads the limit lies above the mean. [used points]
        share: variance of the runs that arrived, relative to that of all. [used points]
        squares: their sum of squares about their mean. [used points]
        seen: how many arrived. [used points]
        spread: standard deviation of one run, common to all points.
    """

    used: Array
    distance: Array
    share: Array
    squares: Array
    seen: Array
    spread: float


@functools.cache
def _table() -> tuple[Array, Array]:
    """Distance of the limit from the mean of all, by that from the mean of those below it; both in spreads of all."""
    distance = np.linspace(-4.0, 12.0, 1601)
    return distance + _mean_below(distance), distance


def _mean_below(distance: Array) -> Array:
    """How far the mean of a standard normal cut off above `distance` lies below 0."""
    return np.exp(-0.5 * distance**2 - 0.5 * math.log(2 * math.pi) - special.log_ndtr(distance))


def arrived(log_samples: Array, log_limit: Array) -> Arrived | None:
    """Solve for the distance of each limit and the common spread; None where too few runs arrived."""
    finite = np.isfinite(log_samples)
    seen = finite.sum(axis=1)
    used = seen >= 2
    if used.sum() < 2:
        return None
    rows, limit, count = (
        np.where(finite, log_samples, np.nan)[used],
        np.minimum(log_limit[used], 1e6),
        seen[used].astype(float),
    )
    mean = np.nanmean(rows, axis=1)
    squares = np.nansum((rows - mean[:, None]) ** 2, axis=1)
    gap, below = _table()
    share = np.ones(len(count))
    distance = np.full(len(count), 12.0)
    spread = MIN_SPREAD
    for _ in range(30):
        updated = max(math.sqrt(float(squares.sum()) / float((count - 1) @ share)), MIN_SPREAD)
        distance = np.interp((limit - mean) / updated, gap, below)
        lost = _mean_below(distance)
        share = np.maximum(1 - distance * lost - lost**2, 0.05)
        if abs(updated - spread) < 1e-4 * updated:
            break
        spread = updated
    return Arrived(used, distance, share, squares, count, spread)


def never_arriving(found: Arrived, n_censored: Array) -> str:
    """Say that more runs were cut off than those that arrived predict, or ""."""
    count, censored = found.seen, n_censored[found.used]
    total = count + censored
    beyond = special.ndtr(-found.distance)
    density = np.exp(-0.5 * found.distance**2) / math.sqrt(2 * math.pi)
    variance = total * beyond * (1 - beyond) + (total * density) ** 2 / (count * found.share)
    weights = 1 / np.maximum(variance, LEAST_VARIANCE)
    excess = float(weights @ (censored - total * beyond))
    # Small counts are skewed: half a run more is asked for than a normal would need.
    if not excess > NEVER * math.sqrt(float(weights**2 @ variance)) + 0.5 * float(weights.max()):
        return ""
    return f"{censored.sum():g} runs were cut off where those that arrived predict {float(total @ beyond):.2g}"


def spread_trend(x: Array, found: Arrived) -> tuple[float, float]:
    """How log spread moves along x, and by how many standard errors."""
    freedom = (found.seen - 1) * found.share
    x = x[found.used]
    centred = x - freedom @ x / freedom.sum()
    information = 2 * float(freedom @ (found.share * centred**2))
    score = float(centred @ (found.squares / found.spread**2 - freedom))
    if not information > 0:
        return 0.0, 0.0
    return score / information, score / math.sqrt(information)


def points_with_trend(x: Array, log_samples: Array, log_limit: Array, trend: float) -> Points:
    """Points whose spread moves along x by `trend`: in units of it all spreads are one again."""
    scale = np.exp(trend * (x - x.mean()))
    points = points_from_samples(x, log_samples / scale[:, None], log_limit / scale)
    return replace(
        points,
        y=points.y * scale,
        variance=points.variance * scale**2,
        weight_variance=points.weight_variance * scale**2,
        spread=points.spread * scale,
    )
