"""Whether points that accuse a claim may near a limit: measured / claimed rises on the grid, and not beyond it.

n / (1 + s / n) is O(n), and so is n (1 - exp(-n / s)). On a grid that ends at 3 s their slope is near that of n^1.5,
and few noisy points show no bend: that a test finds none is no evidence that there is none. So an accusation stands
only where points tell that they do not near a limit. It is withdrawn where one of the ratios of
`checks.statistics.saturating` is such that

1. *it nears its limit on the grid*: at the end it rises by no more than the margin, or by no more than half of what it
   rises by over the grid and twice the margin. A ratio that goes on as it was is none of these, whatever its limit.
2. *it is adequate*: what it leaves of the points may be noise, at the level of an accusation.
3. *the straight line explains no more*, nor a parabola whose end accuses: by less than `TOLD` standard errors, 2 in
   twice the log likelihood where the noise is known. The parabola has a parameter more, and is charged for it. Where
   the line rises by more than `STEEPEST` margins, which a ratio that is near its limit hardly does over a whole grid,
   the ratio must explain no less than it.

No rule does much better. n^1.5 for O(n) on seven points of five runs at log-noise 0.3 over a factor 32 lies 1.7
standard errors from the nearest such ratio. A rule that is wrong of that one in 10 %, as this is, tells the two apart
in 67 % at most [Neyman and Pearson 1933]; this one does in 60 %. Tried in its place: how often points that follow the
best ratio would be accused as clearly (a parametric bootstrap). At the same rates of wrong words it tells 5 or 6 more
of 100 on five and seven points at 0.3, and 4 to 9 fewer on six and nine.

Noise is that of replicates, or what a parabola leaves of the points where that is more (F, 10 %), or where there is one
run a point. Nothing is said where a point is only a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.explanation import Clause, Topic
from checks.statistics.logarithm import SumOfSquares
from checks.statistics.regression import MIN_SPREAD, Array, Line, Noise, Points
from checks.statistics.saturating import rising_to_a_limit, told_from_a_limit
from checks.statistics.straightness import PRELIMINARY, exceeds

NEARING = 0.5
"""Share of its slope on the grid that a ratio has at most at its end."""
PARAMETER = 2.0
"""What a parameter more costs in twice the log likelihood. [Akaike's criterion]"""
FARTHEST = 2.0
"""Margins that its slope at the end is at most: what rises by more there is far from its limit."""
STEEPEST = 3.5
"""Margins of a line that ratios above do not reach where the grid ends at 2 s or 3 s: they rise by 0.55 to 0.75."""


@dataclass(frozen=True, eq=False)
class _Seen:
    """Points that carry an estimate, with weights of mean 1, their noise, and the freedom of a comparison by it."""

    x: Array
    y: Array
    weights: Array
    noise: Noise
    freedom: float


def may_near_a_limit(points: Points, line: Line, rule: DeltaRule) -> Clause | None:
    """That a ratio with a limit, which it nears on the grid, is not told from the line through points that accuse.

    Args:
        points: y = log(measured / claim), x = log axis signed toward the limit. [points]
        line: through them.
    """
    seen = _seen(points)
    if seen is None:
        return None
    x, y, weights = seen.x, np.sign(line.slope) * seen.y, seen.weights
    centred = x - x @ weights / len(x)
    slope = weights * centred / float(weights @ centred**2)
    ratios = rising_to_a_limit(x)
    ends = rule.margin, FARTHEST * rule.margin
    ratios = ratios.keep(ratios.late <= np.clip(NEARING * (ratios.curves @ slope), *ends))
    squares = SumOfSquares(weights, seen.noise)
    left = squares.left(y, ratios.curves)
    best = int(left.argmin())
    chance = squares.chance_of(float(left[best]))
    if chance < 1 - rule.strict_confidence:
        return None
    unit = float(np.mean(weights * seen.noise.variances))
    least = float(np.clip(NEARING * float(slope @ y), *ends))
    straight = float(squares.left(y, float(slope @ y) * x[None])[0])
    accusing = min(straight, _bent(x, y, weights, least) + PARAMETER * unit)
    told = 0.0 if abs(line.slope) > STEEPEST * rule.margin else told_from_a_limit(seen.freedom)
    if (left[best] - accusing) / unit > told:
        return None
    late = float(ratios.late[best]) * float(np.sign(line.slope))
    words = (
        f"finite size: measured / claimed may near a limit, which it does in a claim that is right in the end: a ratio "
        f"whose Delta is {rule.delta(late):+.2g} at the end of the grid, and 0 beyond, fits as well (p = {chance:.2g})"
    )
    return Clause(Topic.FINITE_SIZE, words, {"late": rule.delta(late), "p_value": chance})


def _bent(x: Array, y: Array, weights: Array, least: float) -> float:
    """What a parabola whose slope at the end of the grid is no less than that leaves of the points."""
    root, beyond = np.sqrt(weights), x - x.max()
    design = np.vander(beyond, 3, increasing=True) * root[:, None]
    target = y * root
    found = np.linalg.lstsq(design, target, rcond=None)[0]
    if found[1] < least:
        target, design = (y - least * beyond) * root, design[:, ::2]
        found = np.linalg.lstsq(design, target, rcond=None)[0]
    left = target - design @ found
    return float(left @ left)


def _seen(points: Points) -> _Seen | None:
    """None where some points are only bounds, or where they are too few for a parabola to leave anything of them."""
    x, y = points.x, points.y
    freedom = len(np.unique(x)) - 3.0
    if freedom < 1 or points.side.any():
        return None
    weights = 1 / np.maximum(points.weight_variance, MIN_SPREAD**2)
    weights = weights / weights.mean()
    root = np.sqrt(weights)
    design = np.vander(x - x.mean(), 3)
    inverse = np.linalg.pinv(design * root[:, None]) * root
    left = y - design @ (inverse @ y)
    scatter = Noise(np.maximum(float(weights @ left**2) / freedom / weights, MIN_SPREAD**2), freedom)
    if not np.all(points.freedom > 0):
        return _Seen(x, y, weights, scatter, freedom)
    known = Noise(np.maximum(points.variance, MIN_SPREAD**2), points.freedom)
    noise = scatter if exceeds(scatter, known, inverse[0], PRELIMINARY) else known
    return _Seen(x, y, weights, noise, min(float(points.freedom.sum()), 1e9))
