"""Random settings that fill a range, for those who can choose where to measure.

A search tells letters apart where they vary independently, and a grid that moves one letter at a time never shows a
product of two. So settings are drawn evenly in the logarithms of the letters: Sobol's points [Sobol 1967], moved by one
random shift [Cranley and Patterson 1976], of which those are kept that meet the hypotheses. The first `count` points
that meet them are taken, so a larger design begins with the smaller one of the same seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping

import numpy as np
from scipy.stats import qmc

MAX_LETTERS = 20
"""Letters of a design."""
MAX_SETTINGS = 100_000
"""Settings of a design."""
_FIRST_POWER, _LAST_POWER = 8, 20
"""Points that are drawn, as powers of two: at least, and at most until enough of them meet the hypotheses."""
LEAST_SHARE = 2.0**-12
"""Share of a box that must meet the hypotheses."""


def space_filling(
    ranges: Mapping[str, tuple[float, float]],
    count: int,
    *,
    admissible: Callable[[Mapping[str, float]], bool] | None = None,
    whole: Collection[str] = (),
    even: Collection[str] = (),
    seed: int = 0,
) -> tuple[dict[str, float], ...]:
    """Settings inside hypotheses, spread evenly in the logarithms of the letters, the same for the same seed.

    Args:
        ranges: letter -> its least and greatest value, both > 0.
        admissible: whether a setting meets the hypotheses; all do where it is None.
        whole: letters that are whole numbers; settings that rounding makes equal are taken once.
        even: letters that are spread evenly as they are, not in their logarithms.
        seed: of the shift.

    Raises:
        ValueError: on a range that is none, a letter that is not among them, or hypotheses that hardly any point meets.

    Example:
        >>> ranges = {"n": (10, 1000), "d": (1, 100)}
        >>> design = space_filling(ranges, 4, admissible=lambda setting: setting["d"] < setting["n"], whole="nd")
        >>> all(setting["d"] < setting["n"] for setting in design), len(design)
        (True, 4)
    """
    _require(ranges, count, whole, even)
    shift = np.random.default_rng(seed).random(len(ranges))
    found: dict[tuple[float, ...], dict[str, float]] = {}
    done = 0
    for power in range(_FIRST_POWER, _LAST_POWER + 1):
        points = (qmc.Sobol(len(ranges), scramble=False).random_base2(power)[done:] + shift) % 1.0
        done += len(points)
        for point in points:
            setting = {
                name: _placed(float(share), *ends, is_whole=name in whole, is_even=name in even)
                for share, (name, ends) in zip(point, ranges.items(), strict=True)
            }
            key = tuple(setting.values())
            if key not in found and (admissible is None or admissible(setting)):
                found[key] = setting
                if len(found) == count:
                    return tuple(found.values())
        if len(found) < LEAST_SHARE * done and done >= 1 / LEAST_SHARE:
            break
    raise ValueError(f"settings must be {count} that meet the hypotheses and differ, got {len(found)} of {done} points")


def _require(
    ranges: Mapping[str, tuple[float, float]], count: int, whole: Collection[str], even: Collection[str]
) -> None:
    if not 1 <= len(ranges) <= MAX_LETTERS:
        raise ValueError(f"ranges must be of 1 to {MAX_LETTERS} letters, got {len(ranges)}")
    if not 1 <= count <= MAX_SETTINGS:
        raise ValueError(f"count must be from 1 to {MAX_SETTINGS}, got {count}")
    for name, (low, high) in ranges.items():
        if not 0 < low <= high < math.inf:
            raise ValueError(f"the range of {name} must have ends > 0 that rise, got {low:g} and {high:g}")
        if name in whole and math.ceil(low) > math.floor(high):
            raise ValueError(f"the range of {name} must hold a whole number, got {low:g} to {high:g}")
    if unknown := [name for name in (*whole, *even) if name not in ranges]:
        raise ValueError(f"whole and even must name letters of the ranges, got {unknown[0]!r}")


def _placed(share: float, low: float, high: float, *, is_whole: bool, is_even: bool) -> float:
    """The value at a share of a range; of whole numbers each end has as much room as those between."""
    if is_whole:
        low, high = math.ceil(low), math.floor(high)
        first, last = low - 0.5, high + 0.5
        drawn = first + share * (last - first) if is_even else first * (last / first) ** share
        return int(min(max(round(drawn), low), high))
    return low + share * (high - low) if is_even else low * (high / low) ** share
