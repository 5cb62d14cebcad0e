"""Model selection: which simple law the points follow best, the claim itself or another that a reader would think of.

A slope says how far a claim is off, not what would be right: d log d data against a claim d look like d^1.25. The
others are the claim times another power of the axis (by halves up to two, up and down), times or over a logarithm, and
plus a constant. Each is also compared with a free power. All are fitted to the same points and compared by AICc
[Hurvich and Tsai 1989], whose penalty for parameters is large where points are few. The noise of a point has its known
sampling variance plus a common one that is fitted for each law, so that no law wins by explaining what replicates show
to be noise.

A preferred law is named in the reason. It never changes a verdict, because it is chosen after the data are seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checks.statistics.points import MIN_SPREAD, Array, Points
from checks.statistics.shortage import MIN_POINTS

CLEARLY = 6.0
"""AICc by which a law must beat the claim to be named: odds of about 20 to 1. [Burnham and Anderson 2002, ch. 2]"""

POWERS = (-2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0)

OFFSETS = np.geomspace(0.03, 30.0, 31)
"""Constants tried, in units of the claim's geometric mean on the grid."""


@dataclass(frozen=True)
class PreferredLaw:
    """The law preferred to the claim, and by how much AICc."""

    law: str
    advantage: float


def preferred_law(points: Points, log_claimed: Array, *, axis_sign: float) -> PreferredLaw | None:
    """The law that the points clearly prefer to the claim; None where the claim is as good.

    Only points with an estimate are compared: a bound fits too many laws.

    Args:
        points: y = log(measured / claim), x = log axis signed toward the limit. [points]
        log_claimed: log claim, for laws that add to it. [points]
        axis_sign: +1 where x is log axis, -1 where it is minus that.
    """
    estimates = points.side == 0
    if estimates.sum() < MIN_POINTS:
        return None
    x, y, variance, log_claimed = (a[estimates] for a in (points.x, points.y, points.weight_variance, log_claimed))
    claim = log_claimed - log_claimed.mean()
    laws = [("the claim", np.zeros((1, len(x))), 2)]
    laws += [(f"claim x axis^{axis_sign * power:+g}", (power * x)[None], 2) for power in POWERS]
    if x.min() > 0:
        word = "log axis" if axis_sign > 0 else "log 1/axis"
        laws += [(f"claim x {word}", np.log(x)[None], 2), (f"claim / {word}", -np.log(x)[None], 2)]
    if np.ptp(claim) > 0:
        laws.append(("claim + constant", np.log1p(OFFSETS[:, None] * np.exp(np.minimum(-claim, 600.0))), 3))
    weights = 1 / np.maximum(variance, MIN_SPREAD**2)
    weights /= weights.mean()
    scores = [(_score(y, curves, weights, variance.mean(), parameters), law) for law, curves, parameters in laws]
    best, law = min(scores)
    advantage = scores[0][0] - best
    if advantage <= CLEARLY:
        return None
    centred = x - x @ weights / len(x)
    slope = (weights * centred) @ y / (weights @ centred**2)
    free = _score(y, (slope * x)[None], weights, variance.mean(), 3)
    return (
        PreferredLaw(law, advantage) if best < free + CLEARLY else None
    )  # else it is only the least bad of those tried


def _score(y: Array, curves: Array, weights: Array, variance: float, parameters: int) -> float:
    """Smallest AICc over a law's curves [curves, points], the prefactor fitted."""
    count = len(y)
    if count - parameters - 1 < 1:
        return math.inf
    residual = y - curves
    residual = residual - (residual @ weights / count)[:, None]
    squares = float((residual**2 @ weights).min())
    spread = max(squares / count, variance, MIN_SPREAD**2)
    penalty = 2 * parameters * count / (count - parameters - 1)
    return count * math.log(spread) + squares / spread + penalty
