"""Sequences that go to a known limit with a known correction, judged by `judge_limit`.

The limit is 1 and the correction -0.3 at the smallest size, so that every mean lies below it and they rise. A claim
"ahead" is above the limit, where the means are going, and one "behind" is below. The target is the true limit over the
claimed one, less 1; on the edge it is the margin, and no verdict is right.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from checks.calibration.cells import Array, CellOutcome, Planted
from checks.calibration.skewed import SAMPLES, NumberRule
from checks.statistics.judge import judge_limit
from checks.statistics.limits import MARGIN

START = -0.3
"""The correction at the smallest size, in units of the limit."""

CORRECTIONS: dict[str, Callable[[Array], Array]] = {
    "d^-1/2": lambda d: d**-0.5,
    "d^-1": lambda d: 1 / d,
    "d^-2": lambda d: d**-2.0,
    "log d / d": lambda d: np.log(d) / d,
    "1 / log d": lambda d: 1 / np.log(d),
    "two terms": lambda d: d**-0.5 + 2 / d,
    "1 / log log d": lambda d: 1 / np.log(np.log(d)),
    "none": lambda d: 0.0 * d,
}

TARGETS = {"right": 0.0, "edge ahead": -MARGIN, "edge behind": MARGIN, "ahead": -0.25, "behind": 0.25}
"""True limit over the claimed one, less 1."""


@dataclass(frozen=True, kw_only=True)
class LimitCell(Planted):
    """Samples of a sequence, judged by `judge_limit` at its own margin.

    Attributes:
        delta: the target, see `TARGETS`.
        correction: a name in `CORRECTIONS`.
        noise: standard deviation of a sample at the smallest size, in units of the limit; 0 for exact numbers.
        growth: power of the size by which it grows.
        scatter: of a sample, a name in `checks.calibration.skewed.SAMPLES`.
        between: scatter of whole sizes.
        factor: largest size over the smallest, 16.
    """

    share: ClassVar[float] = 0.2
    fewest: ClassVar[int] = 200
    delta: float = 0.0
    correction: str = "d^-1"
    n_points: int = 7
    n_replicates: int = 10
    noise: float = 0.01
    growth: float = 0.0
    scatter: str = "normal"
    between: float = 0.0
    factor: float = 64.0

    @property
    def rule(self) -> NumberRule:
        """The rule that judges the cell."""
        return NumberRule("tight", MARGIN, self.policy)

    @functools.cached_property
    def design(self) -> tuple[Array, Array, Array, float]:
        """Sizes, means and noise [points] each, and the width of an oracle who knows the correction and the noise."""
        size = np.round(16.0 * np.geomspace(1.0, self.factor, self.n_points))
        shape = CORRECTIONS[self.correction](size)
        mean = 1 + START * shape / shape[0] if shape.any() else 1 + shape
        noise = self.noise * (size / size[0]) ** self.growth
        weight = 1 / np.maximum(noise**2 / self.n_replicates + self.between**2, 1e-20)
        columns = np.stack([np.ones_like(size), shape], axis=1)[:, : 1 + bool(shape.any())]
        error = math.sqrt(float(np.linalg.inv((columns.T * weight) @ columns)[0, 0]))
        return size, mean, noise, 2 * self.z * error

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw a sequence and judge its limit."""
        size, mean, noise, oracle = self.design
        samples = SAMPLES[self.scatter]
        drawn = samples.draw(rng, (self.n_points, self.n_replicates if self.noise else 1))
        scatter = noise[:, None] * (drawn - samples.mean) / samples.deviation
        scatter = scatter + self.between * rng.standard_normal((self.n_points, 1))
        judged = judge_limit(
            size, mean[:, None] + scatter, 1 / (1 + self.delta), exact=not self.noise, policy=self.policy
        )
        interval = judged.confidence_interval
        if interval is None:
            return CellOutcome(judged.verdict, None, math.nan)
        return CellOutcome(judged.verdict, 1.0 in interval, (interval.high - interval.low) / oracle)


@dataclass(frozen=True, kw_only=True)
class ExactLimitCell(LimitCell):
    """The same without noise: every experiment is the same one."""

    share: ClassVar[float] = 0.0
    fewest: ClassVar[int] = 1
    noise: float = 0.0


def limit_cells() -> list[Any]:
    """All of them, in the order of the table."""
    shapes = ("d^-1/2", "d^-1", "d^-2", "log d / d", "1 / log d")
    cells = [
        LimitCell(name=f"limit/{shape}/{word}", correction=shape, delta=target)
        for shape, (word, target) in itertools.product(shapes, TARGETS.items())
    ]
    variants: dict[str, dict[str, Any]] = {
        "log-normal": {"scatter": "lognormal 1"},
        "t3": {"scatter": "t3"},
        "3 replicates": {"n_replicates": 3},
        "5 sizes": {"n_points": 5},
        "4 sizes over 4": {"n_points": 4, "factor": 4.0},
        "noise falls": {"growth": -0.5, "noise": 0.05},
        "noise grows": {"growth": 0.5, "noise": 0.003},
        "loud": {"noise": 0.1},
        "between": {"between": 0.005},
        "quiet": {"noise": 0.0005},
        "two terms": {"correction": "two terms"},
        "no correction": {"correction": "none"},
        "slower than any": {"correction": "1 / log log d"},
    }
    cells += [
        LimitCell(name=f"limit/{variant}/{word}", delta=TARGETS[word], **changed)
        for variant, changed in variants.items()
        for word in ("right", "edge ahead", "ahead")
    ]
    cells += [
        ExactLimitCell(name=f"limit/exact, {shape}/{word}", delta=TARGETS[word], correction=shape)
        for shape in (*shapes, "two terms", "1 / log log d")
        for word in ("right", "edge ahead", "ahead")
    ]
    return cells
