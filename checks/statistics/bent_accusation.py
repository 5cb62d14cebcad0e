"""Whether an accusation outlives a bend: the points bend toward the claim, and their end accuses it all the same.

A bend withdraws a verdict where Delta, drifting as far again beyond the grid, would be another one. For d log d against
a claim of order d that is so from some number of runs on: more runs make the bend visible, and would take away what
fewer said. An accusation stands where three things are so:

1. *The end accuses.* The slope of a parabola, or of a cubic where a parabola leaves more of the points than
   replicates explain (F, 5 %), at the end of the grid lies beyond the margin, at the confidence of an accusation. So
   every straight continuation of the points violates the claim.
2. *Such a curve is adequate* (the same test). What neither fits has an end that neither knows.
3. *No ratio with a limit is adequate*, at the level of an accusation: measured / claimed = L (1 + c axis^-p)^(+-1),
   with p from `LEAST_POWER_OF_BOUNDED` to `MOST_POWER` and c from -1 to `LARGEST` at the first point. Offsets and
   floors are among these: a claim that is right in the limit, and is approached so, is not accused by its bend.

As for a logarithm (`checks.statistics.logarithm`) nothing is said where replicates share something, some were cut off,
or there is one a point: the noise is not known well enough.
"""

from __future__ import annotations

import itertools

import numpy as np

from checks.statistics.approaches import MOST_POWER
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.logarithm import SumOfSquares
from checks.statistics.policy import PRETEST_LEVEL
from checks.statistics.regression import MIN_SPREAD, Array, Line, Noise, Points
from checks.statistics.straightness import exceeds
from checks.statistics.verdict import Interval, Verdict

LEAST_POWER_OF_BOUNDED = 0.5
"""Power of the slowest correction that excuses a bend: 1 / sqrt(d)."""
LARGEST = 100.0
"""Largest correction at the first point, in units of the limit."""
SMALLEST = 1e-3
"""Smallest correction at the first point, or least that is left of the limit there."""
GRID, ROUNDS, ZOOM = np.linspace(-1.0, 1.0, 17), 9, 1 / 2
"""Sizes and powers are sought on a grid that narrows to so much of itself in each round: precise points tell a curve
from its neighbour on a grid."""


def accuses_to_the_end(points: Points, line: Line, rule: DeltaRule) -> bool:
    """Whether every straight continuation of bent points violates the claim, and nothing with a limit fits them.

    Args:
        points: y = log(measured / claim), x = log axis signed toward the limit. [points]
        line: through them.
    """
    if points.side.any() or len(line.sampling) != 1 or not np.all(points.freedom > 0):
        return False
    noise = line.sampling[0]
    slope = _slope_at_end(points, noise)
    if slope is None:
        return False

    def interval(confidence: float) -> Interval:
        half = noise.half_width(slope, confidence)
        value = float(slope @ points.y)
        return Interval(value - half, value + half)

    if rule.decide(rule.of_delta(interval)) is not Verdict.VIOLATED:
        return False
    weights = 1 / np.maximum(points.weight_variance, MIN_SPREAD**2)
    chance = _chance_of_a_limit(points.x, points.y, SumOfSquares(weights / weights.mean(), noise))
    return chance < 1 - rule.strict_confidence


def _slope_at_end(points: Points, noise: Noise) -> Array | None:
    """Coefficients of the slope nearest to the limit, by the first adequate polynomial. [points]"""
    weights = 1 / np.maximum(points.weight_variance, MIN_SPREAD**2)
    root = np.sqrt(weights)
    beyond = points.x - points.x.max()
    for degree in (2, 3):
        freedom = len(np.unique(points.x)) - degree - 1
        if freedom < 1:
            return None
        design = np.vander(beyond, degree + 1, increasing=True)
        inverse = np.linalg.pinv(design * root[:, None]) * root
        left = points.y - design @ (inverse @ points.y)
        scatter = Noise(float(weights @ left**2) / freedom / weights, float(freedom))
        if not exceeds(scatter, noise, inverse[1], PRETEST_LEVEL):
            return inverse[1]
    return None


def _chance_of_a_limit(x: Array, y: Array, squares: SumOfSquares) -> float:
    """That the best ratio with a limit leaves so much of the points."""
    grid = np.stack(np.meshgrid(GRID, GRID), axis=-1).reshape(-1, 2)
    chances = [0.0]
    for is_above, is_inverse in itertools.product((True, False), repeat=2):
        centre, width = np.zeros(2), 1.0
        for _ in range(ROUNDS):
            places = np.clip(centre + width * grid, -1.0, 1.0)
            curves = _with_a_limit(x, places, is_above=is_above) * (-1.0 if is_inverse else 1.0)
            centre, width = places[squares.best(y, curves)], width * ZOOM
            chances.append(squares.chance(y, curves))
    return max(chances)


def _with_a_limit(x: Array, places: Array, *, is_above: bool) -> Array:
    """Logarithms of ratios that tend to a limit, from size and power in (-1, 1). [places, 2] -> [places, points]"""
    most, size, power = LARGEST if is_above else 1.0, *(0.5 + 0.5 * places.T)
    first = SMALLEST * (most / SMALLEST) ** size
    power = LEAST_POWER_OF_BOUNDED * (MOST_POWER / LEAST_POWER_OF_BOUNDED) ** power
    decays = np.exp(-power[:, None] * (x - x.min()))
    # Below the limit what is left at the first point is sought by its logarithm, down to none.
    return np.log1p(first[:, None] * decays if is_above else -np.minimum(1 - first, 1 - SMALLEST)[:, None] * decays)
