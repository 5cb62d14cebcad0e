"""Whether points bend along an axis, and where the bend leads.

An offset or a crossover makes a line curve smoothly. The interval of its slope then widens by lack of fit, as if the
points scattered at random, and a test that asks whether the end of the grid lies outside that interval is blind. So the
curvature is estimated by itself, as the square term of a parabola, and compared with the noise about the parabola, in
which the bend is not.

Noise. What replicates show decides, unless the points scatter about the parabola by more than that: a preliminary F
test at 25 % says so [Bancroft 1964; that level keeps the error of the final test near its own], and then the wider of
the two counts, that of replicates at half the error and that of the scatter at all of it. Random scatter of whole
points is so rarely taken for a bend. With one replicate the residuals are all there is.

A bend undermines a verdict only if it matters: `late` is the parabola's slope at the end nearest to the limit, and the
verdict must still be right where Delta goes on as far again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.points import MIN_SPREAD, Array, Points
from checks.statistics.regression import Line, Noise
from checks.statistics.verdict import Verdict

PRELIMINARY = 0.25
"""Level of the test whether points scatter about the parabola by more than replicates explain; not the policy's."""


@dataclass(frozen=True)
class Bend:
    """A curvature that noise does not explain, along one axis.

    Attributes:
        late: the parabola's slope at the end nearest to the limit.
        curvature: how its slope changes per unit of log axis.
        width: half-width of the interval of `curvature`.
    """

    late: float
    curvature: float
    width: float

    def undermines(self, verdict: Verdict, rule: DeltaRule, slope: float) -> bool:
        """Whether the slope, drifting as far again beyond the end of the grid, would make a verdict wrong."""
        return not rule.admits(verdict, rule.delta(self.late + (self.late - slope)))


def bend_of_line(points: Points, line: Line, *, confidence: float) -> Bend | None:
    """The bend of points along their axis; None where there is none, or too few points carry an estimate."""
    if points.side.any():
        kept = points.keep(points.side == 0)
        sampling = (Noise(kept.variance, kept.freedom),) if np.all(kept.freedom > 0) else ()
    else:
        kept, sampling = points, line.sampling
    x, weights = kept.x, 1 / np.maximum(kept.weight_variance, MIN_SPREAD**2)
    share = weights / weights.sum()
    centred = x - share @ x
    slope = share * centred / (share @ centred**2)
    raw = centred**2
    tilt = float(slope @ raw)
    rest = raw - share @ raw - tilt * centred  # what of the square the line leaves
    size = float(share @ rest**2)
    if len(x) < 4 or not size > 1e-12 * float(share @ raw**2):
        return None
    square = share * rest / size
    residual = kept.y - share @ kept.y - (slope @ kept.y) * centred - (square @ kept.y) * rest
    fit = _Parabola(slope - tilt * square, square, residual, weights, len(x) - 3.0, float(centred.max()))
    return _bend(fit, kept.y, sampling, confidence)


def bend_of_plane(
    x: Array, y: Array, own: int, *, weights: Array, sampling: Sequence[Noise], confidence: float
) -> Bend | None:
    """The bend along one axis of several, the others (with a square each, where points allow) held fixed.

    Args:
        x: signed log axes. [points, axes]
        y: log(measured / claim). [points]
        own: the axis in question.
        weights: of the points. [points]
        sampling: noise of the points as replicates show it, the widest counts; none with one replicate.
        confidence: of the test that the curvature is not 0.
    """
    count, n_axes = x.shape
    centred = x - weights @ x / weights.sum()
    linear = np.column_stack([np.ones(count), centred])
    squares = centred**2
    others = [axis for axis in range(n_axes) if axis != own]
    full = np.column_stack([linear, squares[:, [own, *others]]])
    design = full if count > full.shape[1] else full[:, : n_axes + 2]
    freedom = count - design.shape[1]
    root = np.sqrt(weights)
    if freedom < 1 or np.linalg.matrix_rank(design * root[:, None]) < design.shape[1]:
        return None
    # Rows of the inverse express each coefficient as a sum over y.
    inverse = np.linalg.pinv(design * root[:, None]) * root
    residual = y - design @ (inverse @ y)
    end = float(centred[:, own].max())
    fit = _Parabola(inverse[1 + own], inverse[n_axes + 1], residual, weights, float(freedom), end)
    return _bend(fit, y, sampling, confidence)


@dataclass(frozen=True, eq=False)
class _Parabola:
    """A fitted parabola: coefficients of its slope at the centre and of its square term, and what it leaves."""

    slope: Array
    square: Array
    residual: Array
    weights: Array
    freedom: float
    end: float


def _bend(fit: _Parabola, y: Array, sampling: Sequence[Noise], confidence: float) -> Bend | None:
    """The bend of a parabola where its square term is told from noise."""
    scatter = Noise(float(fit.weights @ fit.residual**2) / fit.freedom / fit.weights, fit.freedom)
    level = 1 - (1 - confidence) / 2
    square = float(fit.square @ y)
    if sampling:
        known = max(sampling, key=lambda noise: noise.half_width(fit.square, level))
        width = known.half_width(fit.square, level)
        if abs(square) > width and exceeds(scatter, known, fit.square, PRELIMINARY):
            width = max(width, scatter.half_width(fit.square, confidence))
    else:
        width = scatter.half_width(fit.square, level)
    if not abs(square) > width:
        return None
    return Bend(float(fit.slope @ y) + 2 * square * fit.end, 2 * square, 2 * width)


def late_of_windows(deltas: Array, places: Array) -> float:
    """Delta at the window nearest to the limit, from a straight line through all windows: they have no noise.

    Args:
        deltas: local Delta of each window. [windows]
        places: where each lies on the signed log axis, increasing toward the limit. [windows]
    """
    slope, level = np.polyfit(places - places.max(), deltas, 1)
    return float(level) if math.isfinite(float(slope)) else float(deltas.mean())


def exceeds(scatter: Noise, sampling: Noise, coefficients: Array, level: float) -> bool:
    """Whether points scatter by more than replicates explain, by an F test at `level` on one combination of them."""
    ratio = scatter.standard_error(coefficients) ** 2
    ratio /= max(sampling.standard_error(coefficients) ** 2, MIN_SPREAD**2 * float(coefficients @ coefficients))
    above, below = (min(noise.freedom_of(coefficients), 1e9) for noise in (scatter, sampling))
    return ratio > float(special.fdtri(above, max(below, 1e-9), 1 - level)) if math.isfinite(ratio) else True
