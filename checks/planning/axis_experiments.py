"""Experiments along an axis, made up at any size: a quantity per trial, or success curves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import special

from checks.planning.power import SEED, Array, Experiment, Truth, slope_truths, unanswered
from checks.planning.run_noise import RunNoise
from checks.statistics.delta_rule import MIN_POINTS, MIN_SPAN, DeltaRule
from checks.statistics.distances import LEAST_REACHES, reach_of
from checks.statistics.estimates import Estimate, estimate_threshold
from checks.statistics.judge import judge_scaling, judge_thresholds
from checks.statistics.verdict import Interval, Judgement, Plan

if TYPE_CHECKING:
    pass

MAX_LOGIT_STEP = 4.0
"""Largest steepness x step of log N: success then rises from 12 % to 88 % within one step."""

MAX_POINTS = 25

POOL = 48
"""Fitted thresholds from which experiments of success curves are drawn, in units of each point's own error: a fit costs
a likelihood, and an experiment would need one a point."""


@dataclass(frozen=True, kw_only=True)
class AxisExperiment(Experiment):
    """Points along an axis.

    Attributes:
        x: log axis, signed toward the limit, of the points now; new points are put among and beyond them by `grid`.
        rule: relation, margin and levels.
        delta: Delta as seen.
        scatter: standard deviation of a point about the line beyond its sampling noise.
        extend: put new points nearer to the limit (finite size, or too short an axis), not between the old ones.
        whole: moves x to where the axis is a whole number, if it must be; points that then coincide are one.
        stretch: how many times as far the points reach from the first one, on the log axis.
    """

    x: Array
    rule: DeltaRule
    delta: float | None
    scatter: float = 0.0
    extend: bool = False
    whole: Callable[[Array], Array] | None = None
    stretch: float = 1.0

    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """Delta as seen, and the margin."""
        return slope_truths(self.rule, self.delta)

    @property
    def unanswered(self) -> str:
        """That Delta as seen stays open."""
        return unanswered(self.rule, self.delta)

    @property
    def first_points(self) -> int:
        """As many as now, at least as many as the rule asks for."""
        return max(self.size.n_points, MIN_POINTS)

    @property
    def max_points(self) -> int:
        """A long axis."""
        return MAX_POINTS

    def grid(self, n_points: int) -> Array:
        """The points now and as many more as asked for; new ones make too short an axis long enough to be judged."""
        x = [float(value) for value in np.sort(self.x)]
        step = float(np.median(np.diff(x))) if len(x) > 1 else math.log(2)
        if n_points > len(x):
            step = max(step, (math.log(MIN_SPAN) - (x[-1] - x[0])) / (n_points - len(x)) + 1e-9)
        beyond = self.extend or len(x) < 2
        while len(x) < n_points:
            if beyond:
                x.append(x[-1] + step)
                continue
            middles = [0.5 * (x[i] + x[i + 1]) for i in np.argsort(-np.diff(x), kind="stable")]
            new = next(
                (place for place in map(self._placed, middles) if np.abs(np.subtract(x, place)).min() > 1e-9), None
            )
            if new is None:
                break  # no whole number is left between those there are
            x = sorted([*x, new])
        return np.unique([self._placed(x[0] + self.stretch * (value - x[0])) for value in x])

    def _placed(self, value: float) -> float:
        """A place on the signed log axis, at a whole number where the axis has only those."""
        return value if self.whole is None else float(self.whole(np.array(value)))

    def about_line(self, x: Array, truth: Truth, generator: np.random.Generator) -> Array:
        """log(measured / claimed) of each point without sampling noise, centred on the points now."""
        return self.rule.delta(truth.value) * (x - self.x.mean()) + self.scatter * generator.standard_normal(len(x))

    def continued(self, logs: Array, x: Array) -> Array:
        """Logarithms known at the points now, at others: between them as a line, beyond them by one through all."""
        order = np.argsort(self.x)
        law = np.polyfit(self.x, logs, 1) if len(self.x) > 1 else np.array([0.0, logs[0]])
        inside = (x >= self.x.min()) & (x <= self.x.max())
        return np.where(inside, np.interp(x, self.x[order], logs[order]), np.polyval(law, x))

    @property
    def levels(self) -> dict[str, Any]:
        """What the rule passes on to every judgement."""
        return {
            "relation": self.rule.relation,
            "margin": self.rule.margin,
            "policy": self.rule.policy,
        }


@dataclass(frozen=True, kw_only=True)
class SampleExperiment(AxisExperiment):
    """A quantity per trial: about the line by the noise of the runs, cut off at `log_limit` above it where runs are.

    Attributes:
        noise: of log measured from replicate to replicate.
        log_limit: log(limit / fitted line) of each point now; infinite where nothing is cut off.
        estimand: what the claim speaks of, as `judge_scaling` takes it.
    """

    noise: RunNoise
    log_limit: Array
    estimand: str | None = None

    @property
    def doubt(self) -> str:
        """What few runs do not tell of their noise."""
        return self.noise.doubt

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `judge_scaling`."""
        return self._judge(size, truth, generator, cut_off=bool(np.isfinite(self.log_limit).any()))

    def quick_judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Without the limit where it would cut off few runs: censored points cost a likelihood each."""
        reach = np.abs(truth.value) * float(np.ptp(self.x)) + 1.65 * float(self.noise.at(self.x).max())
        return self._judge(size, truth, generator, cut_off=bool((self.log_limit < reach).any()))

    def _judge(self, size: Plan, truth: Truth, generator: np.random.Generator, *, cut_off: bool) -> Judgement:
        x = self.grid(size.n_points)
        logs = self.about_line(x, truth, generator)[:, None] + self.noise.draw(x, size.n_replicates, generator)
        limit = None
        if cut_off:
            order = np.argsort(self.x)
            cut = np.interp(x, self.x[order], np.minimum(self.log_limit, 50.0)[order])
            logs[logs > cut[:, None]] = np.inf
            limit = np.exp(cut)
        return judge_scaling(
            np.exp(x), np.exp(logs), np.ones(len(x)),
            limit=limit, estimand=self.estimand, checkpoints=False, **self.levels,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DistanceExperiment(AxisExperiment):
    """Kolmogorov distances of draws from a law: each with the error of a share, and no value where that hides it.

    Attributes:
        log_distance: logarithm of the fitted distance of each point now, where Delta = 0: the claim's own order.
        draws: of a replicate.
        confidence: of the bound that stands for a distance without a value.
    """

    log_distance: Array
    draws: float
    confidence: float

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `judge_thresholds`."""
        x, count = self.grid(size.n_points), round(self.draws * size.n_replicates)
        claimed = np.exp(self.continued(self.log_distance, x))
        error, reach = 0.5 / math.sqrt(count), reach_of(count, self.confidence)
        distances = claimed * np.exp(self.about_line(x, truth, generator)) + error * generator.standard_normal(len(x))
        estimates = [
            Estimate(distance, standard_error=error / distance, n_trials=size.n_replicates)
            if distance >= LEAST_REACHES * reach
            else Estimate(None, Interval(0.0, max(distance, 0.0) + reach), "below", n_trials=size.n_replicates)
            for distance in distances.tolist()
        ]
        return judge_thresholds(np.exp(x), estimates, claimed, **self.levels)


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
        pool: fitted thresholds to draw from, as (log error, standard error), both in units of what information gives,
            and the side on which they are censored; empty where each experiment fits its own.
    """

    log_threshold: Array
    log_sizes: Array
    steepness: float
    lapse: float
    pool: tuple[tuple[float, float, str | None], ...] = ()
    n_simulations: ClassVar[int] = 100

    def centres(self, x: Array, truth: Truth) -> Array:
        """log threshold at each point under a truth, without scatter."""
        base = self.continued(self.log_threshold, x)
        return base + self.rule.delta(truth.value) * (x - self.x.mean())

    def sample_sizes(self, n_points: int, truths: Sequence[Truth]) -> tuple[int, ...]:
        """The sizes that all truths ask for."""
        x = self.grid(n_points)
        return tuple(sorted({round(math.exp(size)) for truth in truths for size in self.sizes(x, truth)}))

    def power(
        self, size: Plan, truth: Truth, n_simulations: int, *, quick: bool = False, at_least: float = 0.0
    ) -> float:
        """As for every experiment; so many likelihoods are fitted, over all points, and experiments drawn from them."""
        if quick:
            return super().power(size, truth, n_simulations, quick=True, at_least=at_least)
        pooled = replace(self, pool=self._pool(size, truth))
        return super(Curves, pooled).power(size, truth, n_simulations, at_least=at_least)

    def _pool(self, size: Plan, truth: Truth) -> tuple[tuple[float, float, str | None], ...]:
        """Fitted thresholds of made-up curves, each point in turn."""
        generator = np.random.default_rng(SEED)
        x = self.grid(size.n_points)
        log_n, centres = self.sizes(x, truth), self.centres(x, truth)
        errors = self._error(log_n - centres[:, None], size.n_replicates)
        trials = np.full(len(log_n), size.n_replicates)
        found = []
        for number in range(POOL):
            centre, error = centres[number % len(x)], errors[number % len(x)]
            chance = (1 - self.lapse) * special.expit(self.steepness * (log_n - centre))
            successes = generator.binomial(size.n_replicates, chance)
            fit = estimate_threshold(np.exp(log_n), successes, trials, confidence=self.rule.confidence)
            if fit.value is None or fit.standard_error is None:
                found.append((0.0, 0.0, fit.censored))
            else:
                found.append(((math.log(fit.value) - centre) / error, fit.standard_error / error, None))
        return tuple(found)

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
        experiment = self if self.pool else replace(self, pool=self._pool(size, truth))
        x = self.grid(size.n_points)
        log_n, centres = self.sizes(x, truth), self.centres(x, truth)
        errors = self._error(log_n - centres[:, None], size.n_replicates)
        centres = centres + self.scatter * generator.standard_normal(len(x))
        ends = {"above": Interval(math.exp(log_n[-1]), math.inf), "below": Interval(0.0, math.exp(log_n[0]))}
        count, found = size.n_replicates * len(log_n), []
        for centre, unit, place in zip(
            centres, errors, generator.integers(len(experiment.pool), size=len(x)), strict=True
        ):
            off, error, side = experiment.pool[place]
            if error:
                found.append(Estimate(math.exp(centre + off * unit), standard_error=error * unit, n_trials=count))
            else:
                found.append(Estimate(None, ends.get(side or ""), side, n_trials=count))
        return self._judge(x, truth, found)

    def quick_judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Thresholds drawn normally with the error that the likelihood's information gives, instead of fitted."""
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
