"""Model selection: which simple law the points follow best, the claim itself or another that a reader would think of.

A slope says how far a claim is off, not what would be right: d log d data against a claim d look like d^1.25. The
others are the claim times another power of the axis (by halves up to two, up and down), times or over a logarithm, and
plus a constant; and, whatever the claim, a constant plus any power of the axis, of which `fit_offset_power` gives the
intervals. Each is also compared with a free power. All are fitted to the same points and compared by AICc [Hurvich and
Tsai 1989], whose penalty for parameters is large where points are few. The noise of a point has its known
sampling variance plus a common one that is fitted for each law, so that no law wins by explaining what replicates show
to be noise.

A preferred law is named in the reason. It never changes a verdict, because it is chosen after the data are seen.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from checks.statistics.offset_power import tried_laws
from checks.statistics.points import MIN_SPREAD, Array, Points
from checks.statistics.shortage import MIN_POINTS

CLEARLY = 6.0
"""AICc by which a law must beat the claim to be named: odds of about 20 to 1. [Burnham and Anderson 2002, ch. 2]"""

POWERS = (-2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0)

OFFSETS = np.geomspace(0.03, 30.0, 31)
"""Constants tried, in units of the claim's geometric mean on the grid."""

_NEARBY = np.meshgrid(np.linspace(-1.0, 1.0, 9), np.linspace(-1.0, 1.0, 9))
_NEARBY_ALPHAS, _NEARBY_OFFSETS = np.exp(0.25 * _NEARBY[0].ravel()), 0.6 * _NEARBY[1].ravel()
"""Where a constant plus a power is looked for again, about the best of those tried; as far as to the next ones."""


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
    known = float(variance.mean())
    centred = x - x @ weights / len(x)
    slope = (weights * centred) @ y / (weights @ centred**2)
    free = _score(y, (slope * x)[None], weights, known, 3)
    # A free power is the same law without its constant, which must be worth having. Where the noise is as large as the
    # misfit, no fit makes up for the penalty of four parameters, and none is tried.
    if min(scores[0][0], free) - _least_score(len(x), known, 4) > CLEARLY:
        offset = _offset_power(y + log_claimed, axis_sign * x, weights, known)
        scores += [offset] if offset[0] < free - CLEARLY else []
    best, law = min(scores)
    advantage = scores[0][0] - best
    if advantage <= CLEARLY or best >= free + CLEARLY:  # the latter is only the least bad of those tried
        return None
    return PreferredLaw(law, advantage)


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


def _least_score(count: int, variance: float, parameters: int) -> float:
    """The AICc of a law that goes through every point."""
    if count - parameters - 1 < 1:
        return math.inf
    return count * math.log(max(variance, MIN_SPREAD**2)) + 2 * parameters * count / (count - parameters - 1)


def _offset_power(y: Array, log_axis: Array, weights: Array, variance: float) -> tuple[float, str]:
    """AICc and words of the best law E + A axis^-alpha with E > 0; y = log measured. [points]"""
    u = log_axis - 0.5 * (log_axis.min() + log_axis.max())
    alphas, log_offsets = _tried(round(float(np.ptp(u)), 6))
    for _ in range(2):
        curves = np.logaddexp(log_offsets[:, None], -alphas[:, None] * u)
        residual = y - curves
        residual -= (residual @ weights / len(y))[:, None]
        best = int((residual**2 @ weights).argmin())
        alpha, log_offset, curve = float(alphas[best]), float(log_offsets[best]), curves[best]
        alphas, log_offsets = alpha * _NEARBY_ALPHAS, log_offset + _NEARBY_OFFSETS
    return _score(y, curve[None], weights, variance, 4), f"constant + axis^{-alpha:+.2g}"


@functools.lru_cache(maxsize=64)
def _tried(span: float) -> tuple[Array, Array]:
    """Powers, and logarithms of offsets, that are tried on a log axis that spans so much."""
    alphas, offsets = tried_laws(span)
    return alphas[offsets > 0], np.log(offsets[offsets > 0])
