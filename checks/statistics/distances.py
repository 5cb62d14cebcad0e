"""How far the law of draws is from another one: the Kolmogorov distance, with an error that an order can be held to.

The largest gap between the share of draws and a distribution function is larger than that of their law on average: the
largest of many noisy gaps is sought. So it is sought in one half of the runs and measured in the other, both ways, and
the two are averaged; what is measured at a place chosen elsewhere has no such bias. Its error is that of a share, or
what the runs show where they scatter by more. Where the gap is not well beyond what draws of the other law itself would
have [Dvoretzky, Kiefer and Wolfowitz 1956; Massart 1990], there is no value, but a bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks.statistics.estimates import Estimate
from checks.statistics.policy import CONFIDENCE
from checks.statistics.verdict import Interval

Array = NDArray[np.float64]

LEAST_REACHES = 2.5
"""Times what draws of the other law would have, from which on a distance has a value: its error is a sixth at most."""
LEAST_RUNS = 8
"""Runs of a half from which on their own scatter is looked at."""


def kolmogorov_distance(runs: Sequence[ArrayLike], *, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the Kolmogorov distance of draws from a law.

    >>> levels = np.random.default_rng(0).random((20, 1000)) ** 1.2
    >>> found = kolmogorov_distance(levels)
    >>> 0.055 < found.value < 0.08, found.censored  # of u^(1/1.2) from u: 0.067
    (True, None)
    >>> kolmogorov_distance(levels[:, :10]).censored
    'below'

    Args:
        runs: of each run, the law's distribution function at its draws, which are independent [draws], in [0, 1].
        confidence: of the interval, in (0, 1).

    Returns:
        The distance, its interval and the standard error of its logarithm; n_trials counts runs. Censored "below" where
        it is not told from what chance makes of draws of that law: the interval's upper end is then all there is.
    """
    kept = [np.asarray(run, dtype=float) for run in runs if np.size(run)]
    if not kept:
        return Estimate(None, reason="no draws are left")
    count = sum(map(len, kept))
    distance, ends = gap_and_limits(np.concatenate(kept), confidence)
    bound = Estimate(
        None, Interval(0.0, ends.high), "below", n_trials=len(kept), reason=f"{count} draws do not tell it from 0"
    )
    if distance < LEAST_REACHES * reach_of(count, confidence):
        return bound
    halves = (kept[::2], kept[1::2]) if len(kept) > 1 else ([kept[0][::2]], [kept[0][1::2]])
    value = variance = 0.0
    for own, other in (halves, halves[::-1]):
        gap, own_variance = _gap(own, _farthest(np.concatenate(other))[1])
        weight = sum(map(len, own)) / count
        value, variance = value + weight * gap, variance + weight**2 * own_variance
    if value <= 0:
        return bound
    return Estimate(value, ends, standard_error=math.sqrt(variance) / value, n_trials=len(kept))


def gap_and_limits(levels: Array, confidence: float) -> tuple[float, Interval]:
    """The largest gap of draws, and limits of that of their own law."""
    gap, reach = _farthest(levels)[0], reach_of(len(levels), confidence)
    return gap, Interval(max(gap - reach, 0.0), min(gap + reach, 1.0))


def reach_of(count: int, confidence: float) -> float:
    """How far so many draws may be from their own law, all places together."""
    return math.sqrt(math.log(2 / (1 - confidence)) / (2 * count))


Place = tuple[float, bool]
"""A level, and whether the share at or below it is too large there, or the share below it too small."""


def _farthest(levels: Array) -> tuple[float, Place]:
    """The largest gap, and its place."""
    ordered, steps = np.sort(levels), np.arange(len(levels) + 1) / len(levels)
    above, below = steps[1:] - ordered, ordered - steps[:-1]
    up, down = int(above.argmax()), int(below.argmax())
    if above[up] >= below[down]:
        return float(above[up]), (float(ordered[up]), True)
    return float(below[down]), (float(ordered[down]), False)


def _gap(runs: Sequence[Array], place: Place) -> tuple[float, float]:
    """The gap of runs at a place, and its variance."""
    level, is_above = place
    sizes = np.array([len(run) for run in runs], dtype=float)
    levels, starts = np.concatenate(runs), np.cumsum(sizes[:-1], dtype=int)
    inside = np.add.reduceat(levels <= level if is_above else levels < level, [0, *starts], dtype=float)
    count, share = float(sizes.sum()), float(inside.sum() / sizes.sum())
    smooth = (inside.sum() + 2) / (count + 4)  # a share of none or all has noise too [Agresti and Coull 1998]
    variance = float(smooth * (1 - smooth) / count)
    if len(runs) >= LEAST_RUNS:
        off = inside - share * sizes
        variance = max(variance, float(off @ off) / count**2 * len(runs) / (len(runs) - 1))
    return (share - level) if is_above else (level - share), variance
