"""The noise of runs about their points, as a plan draws it: its size, how that moves along the axis, and its shape.

Rules judge logarithms, whose mean they take as normal, and ask of the runs whether they are of one normal kind: where
they are not, as the logarithm of a squared normal is not, a verdict may be withheld that normal noise of the same
variance would get. So noise is drawn as the runs show it: normal where their skewness and kurtosis are those of normal
runs, and else from their own residuals, smoothed [Silverman and Young 1987]. Few runs show neither a shape nor a size,
and then that is said (`RunNoise.doubt`).

Calling order: `run_noise` -> `RunNoise.draw`, `RunNoise.doubt`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import special

from checks.planning.power import Array
from checks.statistics.means import RUNS_OF_A_MEAN

MIN_NOISE = 1e-6
"""Standard deviation that stands for none: log measured of runs that all agree."""

SHAPE_LEVEL = 0.25
"""Level of the test whether the runs are normal: one plan in four of normal noise is drawn from their residuals, which
are then nearly so, and of squared normals 89 % at 40 runs and 98 % at 72 (62 and 88 % at a level of 0.05)."""

SHAPE_DRAWS = 2000
"""Normal draws from which that test has its level, for its statistic is far from a chi-square of few runs."""

SMOOTHING = 0.25
"""Of drawn residuals, over the fifth root of their number: enough that no two runs are equal. Twice as much gives the
logarithm of a squared normal a tail that it does not have, and its plans twice the replicates."""

TREND_ERRORS = 3.0
"""Standard errors, as normal runs have them, from which the size of the noise is taken to move along the axis."""

CLEAR_FACTOR = 1.5
"""Factor of replicates up to which a plan is not said to be rough."""

LEAST_FREEDOM = 2
"""Runs beyond one that a point needs to enter the trend of the noise."""


@dataclass(frozen=True, eq=False)
class RunNoise:
    """Noise of log measured from replicate to replicate.

    Attributes:
        size: standard deviation at `centre`.
        trend: by how much its logarithm grows per unit of the signed log axis.
        centre: on that axis.
        residuals: of the runs, of mean 0 and variance 1; empty where noise is normal.
        n_runs: that it was taken from; 0 where it was not taken from runs.
    """

    size: float
    trend: float = 0.0
    centre: float = 0.0
    residuals: Array = field(default_factory=lambda: np.array([]))
    n_runs: int = 0

    def at(self, x: Array) -> Array:
        """Standard deviation at points of the signed log axis; beyond those measured it goes on."""
        return self.size * np.exp(self.trend * (x - self.centre))

    def draw(self, x: Array, n_replicates: int, generator: np.random.Generator) -> Array:
        """Noise of so many replicates at each point. [points, replicates]"""
        shape = (len(x), n_replicates)
        drawn = generator.standard_normal(shape)
        if count := len(self.residuals):
            width = SMOOTHING * count**-0.2
            drawn = (generator.choice(self.residuals, size=shape) + width * drawn) / math.hypot(1.0, width)
        return self.at(x)[:, None] * drawn

    @property
    def doubt(self) -> str:
        """What so few runs do not tell of the noise, or ""."""
        if not self.n_runs or self.size <= MIN_NOISE:
            return ""
        few = self.n_runs < RUNS_OF_A_MEAN
        if not few and self._factor < CLEAR_FACTOR:
            return ""
        size = f"the replicates that this noise asks for to a factor of {self._factor:.1f}"
        more = f"plan again from {max(2 * self.n_runs, RUNS_OF_A_MEAN)}"
        if not few:
            return f"{self.n_runs} runs tell {size}: {more}"
        shown = "show neither the shape of the noise nor a rare kind of run"
        return f"{self.n_runs} runs cannot tell the power: they {shown}, and {size}; {more}"

    @property
    def _factor(self) -> float:
        """Up to what factor the variance may be off, by two standard errors."""
        kurtosis = float(np.mean(self.residuals**4)) if len(self.residuals) else 3.0
        return 1 + 2 * math.sqrt(max(kurtosis - 1, 0.5) / self.n_runs)


def run_noise(x: Array, logs: Sequence[Array]) -> RunNoise | None:
    """The noise that runs show; None where no point has two.

    Args:
        x: signed log axis. [points]
        logs: log measured of the runs that arrived, of each point.
    """
    kept = [i for i, column in enumerate(logs) if len(column) > 1]
    if not kept:
        return None
    groups, place = [logs[i] for i in kept], x[kept]
    size = max(math.sqrt(float(np.mean([group.var(ddof=1) for group in groups]))), MIN_NOISE)
    count = sum(map(len, groups))
    if size <= MIN_NOISE:
        return RunNoise(size, n_runs=count)
    trend, centre = _trend(place, groups)
    spread = np.exp(trend * (place - centre))
    unit = [math.sqrt(len(group) / (len(group) - 1)) * (group - group.mean()) for group in groups]
    own = np.concatenate([part / scale for part, scale in zip(unit, spread, strict=True)])
    size = math.sqrt(float(np.mean(own**2)))
    own = own / size
    normal = _departure([own])[0] <= _largest_departure(tuple(map(len, groups)))
    return RunNoise(size, trend, centre, np.array([]) if normal else own, count)


def _trend(x: Array, groups: Sequence[Array]) -> tuple[float, float]:
    """The slope of log spread along the axis, 0 where it is not told from none, and the axis' centre by weight."""
    freedom = np.array([len(group) - 1.0 for group in groups])
    variance = np.array([group.var(ddof=1) for group in groups])
    kept = (freedom >= LEAST_FREEDOM) & (variance > MIN_NOISE**2)
    if kept.sum() < 3 or np.ptp(x[kept]) == 0:
        return 0.0, float(np.average(x, weights=freedom))
    x, freedom = x[kept], freedom[kept]
    # log of chi-square over its freedom, whose mean and variance are known
    y = 0.5 * (np.log(variance[kept]) - special.digamma(freedom / 2) + np.log(freedom / 2))
    weights = 4 / special.polygamma(1, freedom / 2)
    centre = float(np.average(x, weights=weights))
    sxx = float(weights @ (x - centre) ** 2)
    trend = float(weights @ ((x - centre) * y)) / sxx
    return (trend if abs(trend) * math.sqrt(sxx) > TREND_ERRORS else 0.0), centre


def _departure(samples: Array | Sequence[Array]) -> Array:
    """How far runs are from normal: squares of their skewness and of what their kurtosis exceeds 3 by. [samples]"""
    own = np.asarray(samples)
    second = np.mean(own**2, axis=-1)
    skewness = np.mean(own**3, axis=-1) / second**1.5
    kurtosis = np.mean(own**4, axis=-1) / second**2
    return skewness**2 / 6 + np.maximum(kurtosis - 3, 0.0) ** 2 / 24


@functools.lru_cache(maxsize=64)
def _largest_departure(counts: tuple[int, ...]) -> float:
    """What normal runs of so many replicates a point exceed at `SHAPE_LEVEL`, from draws of a fixed seed."""
    generator, parts = np.random.default_rng(0), []
    for count in counts:
        drawn = generator.standard_normal((SHAPE_DRAWS, count))
        parts.append(math.sqrt(count / (count - 1)) * (drawn - drawn.mean(axis=1, keepdims=True)))
    return float(np.quantile(_departure(np.concatenate(parts, axis=1)), 1 - SHAPE_LEVEL))
