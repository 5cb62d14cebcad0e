"""Success curves that are not logistic from 0 to 1: guess rates, plateaus, another link, runs seen at every size.

A single curve is estimated, or one a point of an axis, where the shape changes from point to point: what moves the
threshold by a different amount at each point bends the line through them.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from checks.calibration.cells import (
    MARGIN,
    CellOutcome,
    CurveCell,
    EstimateCell,
    ThresholdCell,
    interval_outcome,
    slope_error,
)
from checks.statistics.estimates import Estimate, estimate_threshold
from checks.statistics.judge import judge_thresholds
from checks.statistics.success_curve import LINKS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CurveShape:
    """A success curve with a guess rate, a lapse rate and a link, at rate `level` at its threshold."""

    steepness: float = 3.0
    lapse: float = 0.02
    guess: float = 0.0
    link: int = 0
    level: float = 0.5

    def rates(self, distance: NDArray[Any]) -> Array:
        """Success rate at a distance of log N from the threshold; from the middle of a curve that never gets there."""
        room = 1 - self.guess - self.lapse
        share = (self.level - self.guess) / room
        shift = float(LINKS[self.link].inverse(np.array(share if 0 < share < 1 else 0.5)))
        return self.guess + room * LINKS[self.link].rate(self.steepness * distance + shift)

    def draw(
        self, theta: float, rng: np.random.Generator, *, n_replicates: int, nested: bool = False
    ) -> tuple[Array, NDArray[np.integer]]:
        """Seven sizes, each twice the one before, about a threshold; and successes at each."""
        log_n = theta + math.log(2.0) * (np.arange(7) - 3 + rng.uniform(-0.5, 0.5))
        rates = self.rates(log_n - theta)
        if nested:  # a run succeeds from some size on
            return np.exp(log_n), (rng.uniform(size=(n_replicates, 1)) < rates).sum(axis=0)
        return np.exp(log_n), rng.binomial(n_replicates, rates)

    def oracle_error(self, n_replicates: int) -> float:
        """Standard error of log threshold where the shape is known, mid-grid."""
        distance, step = math.log(2.0) * (np.arange(7) - 3.0), 1e-5
        rates = self.rates(distance)
        slope = (self.rates(distance + step) - self.rates(distance - step)) / (2 * step)
        variance = np.maximum(rates * (1 - rates), 1e-12)  # a steep curve reaches 1 to all digits
        return 1 / math.sqrt(float(np.sum(n_replicates * slope**2 / variance)))


@dataclass(frozen=True, kw_only=True)
class ShapedCurve(CurveCell):
    """One curve of another shape; where it never reaches the level, its threshold is infinite."""

    guess: float = 0.0
    link: int = 0
    nested: bool = False

    @functools.cached_property
    def shape(self) -> CurveShape:
        """The truth."""
        return CurveShape(self.steepness, self.lapse, self.guess, self.link, self.level)

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw one curve and estimate its threshold."""
        theta = math.log(50.0)
        n, successes = self.shape.draw(theta, rng, n_replicates=self.n_replicates, nested=self.nested)
        trials = [self.n_replicates] * len(n)
        asked = {"level": self.level, "nested": self.nested and self.declared, "confidence": self.confidence}
        interval = estimate_threshold(n, successes, trials, **asked).confidence_interval
        target = math.exp(theta) if 1 - self.lapse > self.level else math.inf
        return interval_outcome(interval, target, 2 * self.z * self.shape.oracle_error(self.n_replicates))


@dataclass(frozen=True, kw_only=True)
class SharpCurve(EstimateCell):
    """Runs that each have a sharp threshold: one and the same, or seeds of two kinds.

    Attributes:
        first: share of the runs whose threshold is the curve's.
        gap: by which that of the others is larger, in log N.
        step: of the grid, in log N.
    """

    n_replicates: int
    first: float = 1.0
    gap: float = 0.0
    step: float = math.log(2.0)

    def draw(self, theta: float, rng: np.random.Generator) -> tuple[NDArray[np.float64], list[int]]:
        """Sizes that straddle the threshold at random, and how many runs succeed at each."""
        log_n = theta + self.step * (np.arange(9) - 4 + rng.uniform(-0.5, 0.5))
        own = theta + self.gap * (rng.random((9, self.n_replicates)) >= self.first)
        return np.exp(log_n), (log_n[:, None] > own).sum(axis=1).tolist()

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw one curve and estimate its threshold."""
        theta = math.log(50.0)
        n, successes = self.draw(theta, rng)
        found = estimate_threshold(n, successes, [self.n_replicates] * len(n), confidence=self.confidence)
        return interval_outcome(found.confidence_interval, math.exp(theta), self.step)


@dataclass(frozen=True, kw_only=True)
class ShapedThresholds(ThresholdCell):
    """Curves whose guess rate or plateau moves along the axis, and a line through their thresholds.

    Attributes:
        last_guess, last_lapse: at the last point; at the first there is none.
        links: of the first and the second half of the points.
    """

    last_guess: float = 0.0
    last_lapse: float = 0.0
    links: tuple[int, int] = (0, 0)
    n_points: int = 6
    fewest: ClassVar[int] = 500

    def shapes(self) -> list[CurveShape]:
        """The truth at each point."""
        way = np.linspace(0.0, 1.0, self.n_points)
        return [
            CurveShape(self.steepness, float(self.last_lapse * t), float(self.last_guess * t), self.links[int(t > 0.5)])
            for t in way
        ]

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw a success curve a point, estimate its threshold, judge the line through them."""
        axis = np.geomspace(1.0, 32.0, self.n_points)
        thetas = np.log(50 * axis ** (1 + self.delta))
        shapes = self.shapes()
        estimates: list[Estimate] = []
        for theta, shape in zip(thetas, shapes, strict=True):
            n, successes = shape.draw(float(theta), rng, n_replicates=self.n_replicates)
            trials = [self.n_replicates] * len(n)
            estimates.append(estimate_threshold(n, successes, trials, confidence=self.confidence))
        rule = {"relation": self.relation, "margin": MARGIN, "policy": self.policy}
        judgement = judge_thresholds(axis, estimates, axis, **rule)
        variance = np.array([shape.oracle_error(self.n_replicates) ** 2 for shape in shapes])
        interval, oracle = judgement.confidence_interval, 2 * self.z * slope_error(np.log(axis), variance)
        if interval is None:
            return CellOutcome(judgement.verdict, None, math.nan)
        return CellOutcome(judgement.verdict, self.delta in interval, (interval.high - interval.low) / oracle)


def shape_cells() -> list[EstimateCell | ShapedThresholds]:
    """Curves of other shapes, and lines through thresholds of such."""
    shapes: dict[str, dict[str, Any]] = {
        "guess 0.1": {"guess": 0.1},
        "guess 0.25": {"guess": 0.25},
        "plateau 0.7": {"lapse": 0.3},
        "plateau 0.6": {"lapse": 0.4},
        "plateau 0.4": {"lapse": 0.6},
        "guess 0.1, plateau 0.9": {"guess": 0.1, "lapse": 0.1},
        "log-log shallow": {"link": 1, "steepness": 1.0, "lapse": 0.0},
        "log-log": {"link": 1, "steepness": 2.0, "lapse": 0.0},
        "nested shallow/declared": {"steepness": 1.5, "nested": True, "declared": True},
        "nested/declared": {"nested": True, "declared": True},
    }
    kinds = {"all or nothing": (1.0, 0.0), "two kinds of seeds": (0.6, 1.0), "a rarer kind of seeds": (0.8, 1.0)}
    steps = ("", math.log(2.0)), (" on a fine grid", math.log(1.3))
    cells: list[EstimateCell | ShapedThresholds] = [
        *(SharpCurve(name=f"shaped/{word}{of}/{number}", n_replicates=number, step=step, first=first, gap=gap)
          for word, (first, gap) in kinds.items() for of, step in steps
          for number in (5, 10, 50)),
    ]  # fmt: skip
    cells += [
        ShapedCurve(name=f"shaped/{word}/{number}", n_replicates=number, **values)
        for word, values in shapes.items()
        for number in (10, 50)
    ]
    cells.append(ShapedCurve(name="shaped/nested shallow, undeclared/50", n_replicates=50, steepness=1.5, nested=True))
    cells += [
        ShapedThresholds(name="shaped/line, guess to 0.25/20", delta=MARGIN, n_replicates=20, last_guess=0.25),
        ShapedThresholds(name="shaped/line, plateau to 0.65/20", delta=MARGIN, n_replicates=20, last_lapse=0.35),
        ShapedThresholds(name="shaped/line, both links/20", delta=MARGIN, n_replicates=20, links=(1, 0)),
        ShapedThresholds(
            name="shaped/line, guess to 0.25/20/0", delta=0.0, n_replicates=20, last_guess=0.25, relation="tight"
        ),
    ]
    return cells
