"""Experiments along an axis, made up at any size: a quantity per trial, or success curves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from checks.planning.power import Array, Experiment, Truth, slope_truths
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.shortage import MIN_POINTS
from checks.statistics.verdict import Judgement, Plan

MAX_LOGIT_STEP = 4.0
"""Largest steepness x step of log N: success then rises from 12 % to 88 % within one step."""

MAX_POINTS = 25

MIN_NOISE = 1e-6
"""Standard deviation that stands for none: log measured of runs that all agree."""


@dataclass(frozen=True, kw_only=True)
class AxisExperiment(Experiment):
    """Points along an axis.

    Attributes:
        x: log axis, signed toward the limit, of the points now; new points are put among and beyond them by `grid`.
        rule: relation, margin and levels.
        delta: Delta as seen.
        scatter: standard deviation of a point about the line beyond its sampling noise.
        extend: put new points nearer to the limit (finite size, or too short an axis), not between the old ones.
    """

    x: Array
    rule: DeltaRule
    delta: float | None
    scatter: float = 0.0
    extend: bool = False

    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """Delta as seen, and the margin."""
        return slope_truths(self.rule, self.delta)

    @property
    def first_points(self) -> int:
        """As many as now, at least as many as the rule asks for."""
        return max(self.size.n_points, MIN_POINTS)

    @property
    def max_points(self) -> int:
        """A long axis."""
        return MAX_POINTS

    def grid(self, n_points: int) -> Array:
        """The points now and as many more as asked for."""
        x = list(np.sort(self.x))
        step = float(np.median(np.diff(x))) if len(x) > 1 else math.log(2)
        while len(x) < n_points:
            gaps = np.diff(x)
            if self.extend or len(x) < 2:
                x.append(x[-1] + step)
            else:
                widest = int(gaps.argmax())
                x.insert(widest + 1, 0.5 * (x[widest] + x[widest + 1]))
        return np.array(x)

    def about_line(self, x: Array, truth: Truth, generator: np.random.Generator) -> Array:
        """log(measured / claimed) of each point without sampling noise, centred on the points now."""
        return truth.value * (x - self.x.mean()) + self.scatter * generator.standard_normal(len(x))

    @property
    def levels(self) -> dict[str, Any]:
        """What the rule passes on to every judgement."""
        return {
            "relation": self.rule.relation,
            "margin": self.rule.margin,
            "confidence": self.rule.confidence,
            "violation_confidence": self.rule.violation_confidence,
        }


@dataclass(frozen=True, kw_only=True)
class SampleExperiment(AxisExperiment):
    """A quantity per trial: log-normal about the line, cut off at `log_limit` above the line where runs are.

    Attributes:
        noise: standard deviation of log measured from replicate to replicate.
        log_limit: log(limit / fitted line) of each point now; infinite where nothing is cut off.
    """

    noise: float
    log_limit: Array

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `judge_scaling`."""
        return self._judge(size, truth, generator, cut_off=bool(np.isfinite(self.log_limit).any()))

    def quick_judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Without the limit where it would cut off few runs: censored points cost a likelihood each."""
        reach = np.abs(truth.value) * float(np.ptp(self.x)) + 1.65 * self.noise
        return self._judge(size, truth, generator, cut_off=bool((self.log_limit < reach).any()))

    def _judge(self, size: Plan, truth: Truth, generator: np.random.Generator, *, cut_off: bool) -> Judgement:
        from checks.statistics.judge import judge_scaling

        x = self.grid(size.n_points)
        shape = (len(x), size.n_replicates)
        logs = self.about_line(x, truth, generator)[:, None] + self.noise * generator.standard_normal(shape)
        limit = None
        if cut_off:
            order = np.argsort(self.x)
            cut = np.interp(x, self.x[order], np.minimum(self.log_limit, 50.0)[order])
            logs[logs > cut[:, None]] = np.inf
            limit = np.exp(cut)
        return judge_scaling(np.exp(x), np.exp(logs), np.ones(len(x)), limit=limit, **self.levels)


@dataclass(frozen=True, kw_only=True)
class Curves(AxisExperiment):
    """Success curves: a logistic curve about each point's threshold, with a common steepness and lapse rate.

    `size.n_replicates` counts trials at each size of the grid. The grid of sizes goes on beyond its ends, at its own
    ratio, where the thresholds would leave it, and is halved where a curve would rise within one step of it.

    Attributes:
        log_threshold: logarithm of the fitted threshold of each point now, where Delta = 0: the claim's own law.
        log_sizes: logarithm of the sizes now.
        steepness: of success in log N.
        lapse: rate of failure at any N.
    """

    log_threshold: Array
    log_sizes: Array
    steepness: float
    lapse: float
    n_simulations: ClassVar[int] = 60  # one experiment fits a likelihood per point

    def centres(self, x: Array, truth: Truth) -> Array:
        """log threshold at each point under a truth, without scatter."""
        order = np.argsort(self.x)
        law = np.polyfit(self.x, self.log_threshold, 1) if len(self.x) > 1 else np.array([0.0, self.log_threshold[0]])
        inside = (x >= self.x.min()) & (x <= self.x.max())
        base = np.where(inside, np.interp(x, self.x[order], self.log_threshold[order]), np.polyval(law, x))
        return base + truth.value * (x - self.x.mean())

    def sample_sizes(self, n_points: int, truths: Sequence[Truth]) -> tuple[int, ...]:
        """The sizes that all truths ask for."""
        x = self.grid(n_points)
        return tuple(sorted({round(math.exp(size)) for truth in truths for size in self.sizes(x, truth)}))

    def sizes(self, x: Array, truth: Truth) -> Array:
        """log sizes that reach a step beyond every threshold."""
        sizes = [float(value) for value in self.log_sizes]
        step = float(np.median(np.diff(sizes))) if len(sizes) > 1 else math.log(2)
        while self.steepness * step > MAX_LOGIT_STEP:
            sizes = sorted([*sizes, *(0.5 * (low + high) for low, high in itertools.pairwise(sizes))])
            step /= 2
        centres = self.centres(x, truth)
        while sizes[0] > centres.min() - step and sizes[0] - step > 0:
            sizes.insert(0, sizes[0] - step)
        while sizes[-1] < centres.max() + step:
            sizes.append(sizes[-1] + step)
        return np.array(sizes)

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `estimate_threshold` and `judge_thresholds`."""
        from checks.statistics.estimates import estimate_threshold

        x = self.grid(size.n_points)
        log_n = self.sizes(x, truth)
        centres = self.centres(x, truth) + self.scatter * generator.standard_normal(len(x))
        chance = (1 - self.lapse) * special.expit(self.steepness * (log_n - centres[:, None]))
        counts = generator.binomial(size.n_replicates, chance)
        trials = np.full(len(log_n), size.n_replicates)
        return self._judge(x, truth, [estimate_threshold(np.exp(log_n), row, trials) for row in counts])

    def quick_judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Thresholds drawn normally with the error that the likelihood's information gives, instead of fitted."""
        from checks.statistics.estimates import Estimate

        x = self.grid(size.n_points)
        log_n = self.sizes(x, truth)
        centres = self.centres(x, truth)
        errors = self._error(log_n - centres[:, None], size.n_replicates)
        drawn = centres + self.scatter * generator.standard_normal(len(x)) + errors * generator.standard_normal(len(x))
        pairs = zip(drawn.tolist(), errors.tolist(), strict=True)
        trials = size.n_replicates * len(log_n)
        return self._judge(
            x, truth, [Estimate(math.exp(at), standard_error=error, n_trials=trials) for at, error in pairs]
        )

    def _judge(self, x: Array, truth: Truth, estimates: list[Any]) -> Judgement:
        from checks.statistics.judge import judge_thresholds

        claimed = np.exp(self.centres(x, Truth("right", 0.0, truth.right)))
        return judge_thresholds(np.exp(x), estimates, claimed, **self.levels)

    def _error(self, distance: Array, n_replicates: int) -> Array:
        """Standard errors of log thresholds [points]: inverse information of (threshold, steepness)."""
        p = special.expit(self.steepness * distance)
        weight = n_replicates * p * (1 - p)
        a = self.steepness**2 * weight.sum(axis=1) + 1e-6
        b = -self.steepness * (weight * distance).sum(axis=1)
        c = (weight * distance**2).sum(axis=1) + 1e-6
        return np.sqrt(c / (a * c - b**2))


def fit_steepness(outcomes: list[tuple[float, int, int]]) -> tuple[float, float]:
    """Steepness in log N and lapse rate common to success curves, from (log N - log threshold, successes, trials)."""
    distance, successes, trials = np.array(outcomes, dtype=float).T
    grid = [(k, lapse) for k in np.geomspace(0.25, 20.0, 45) for lapse in (0.0, 0.02, 0.05, 0.1, 0.2)]

    def likelihood(pair: tuple[float, float]) -> float:
        p = np.clip((1 - pair[1]) * special.expit(pair[0] * distance), 1e-9, 1 - 1e-9)
        return float(successes @ np.log(p) + (trials - successes) @ np.log1p(-p))

    steepness, lapse = max(grid, key=likelihood)
    return float(steepness), float(lapse)
