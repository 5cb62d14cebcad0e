"""How often an experiment of a given size would decide: the noise that was measured, sent through the verdict rules.

An `Experiment` holds what a row's trials say of their noise. `power` makes up data of the same noise around a stated
truth and counts how often the rule that will judge the real data (`judge_scaling`, `judge_thresholds`, `judge_rates`,
`judge_behaviour`, `judge_fraction`) says what is then right. Nothing is taken from a formula: finite-size withdrawals,
censoring and the stricter level of the family are all inside.

Delta is the slope of log(measured / claimed) on log axis, so data are made up relative to the claim and the claim
itself cancels. Between points, scatter beyond sampling noise (lack of fit) is drawn anew in each experiment.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.statistics.delta_rule import DeltaRule
from checks.statistics.verdict import Judgement, Plan, Verdict

Array = NDArray[np.float64]
_SEED = 20_230_206
"""One fixed seed: a plan printed twice is the same plan, and designs are compared on common random numbers."""

STEEPEST_STEP = 4.0
"""Largest steepness x step of log N: success then rises from 12 % to 88 % within one step."""
LEAST_NOISE = 1e-6
"""Standard deviation that stands for none: log measured of runs that all agree."""


@dataclass(frozen=True)
class Truth:
    """What the made-up data follow, and the verdicts that are right for it."""

    name: str
    value: float
    right: frozenset[Verdict]


@dataclass(frozen=True, kw_only=True)
class Experiment(ABC):
    """One row's experiment, at any size.

    Attributes:
        size: points and replicates now.
        unit: what a replicate is called.
    """

    size: Plan
    unit: str
    n_simulations: ClassVar[int] = 200
    """Made-up experiments that verify a design: the Monte Carlo error of a power of 0.8 is then 0.03."""

    @abstractmethod
    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """Questions a design must answer: name, and the truths under each of which it must decide rightly."""

    @abstractmethod
    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """The judgement of one made-up experiment."""

    def quick_judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """A cheaper stand-in for `judge`, to search with; what it finds is verified by `judge`."""
        return self.judge(size, truth, generator)

    def power(self, size: Plan, truth: Truth, n_simulations: int, *, quick: bool = False) -> float:
        """Share of made-up experiments that end in a verdict that is right."""
        generator = np.random.default_rng(_SEED)
        judge = self.quick_judge if quick else self.judge
        return sum(judge(size, truth, generator).verdict in truth.right for _ in range(n_simulations)) / n_simulations

    @property
    def least(self) -> Plan:
        """The smallest size that a rule will judge at all."""
        return Plan(self.size.n_points, 2)


def slope_truths(rule: DeltaRule, delta: float | None) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
    """The truths of an exponent: Delta as seen, and the margin's own two: right (0), and wrong by twice the margin.

    A Delta seen within a quarter of the margin from an edge is moved that far off it: no amount of data decides one
    that sits on the edge.
    """
    m = rule.margin
    toward = -1.0 if rule.relation == "lower" else 1.0
    truths: list[tuple[str, tuple[Truth, ...]]] = [
        (
            "the margin",
            (
                Truth("right", 0.0, frozenset({Verdict.TIGHT, Verdict.HOLDS})),
                Truth("wrong by twice the margin", 2 * m * toward, frozenset({Verdict.VIOLATED})),
            ),
        )
    ]
    if delta is not None:
        edges = (m, -m) if rule.relation == "tight" else (toward * m,)
        for edge in edges:
            if abs(delta - edge) < m / 4:
                delta = edge + math.copysign(m / 4, delta - edge)
        decided = (Verdict.VIOLATED, Verdict.TIGHT, Verdict.LOOSE, Verdict.HOLDS)
        right = frozenset(verdict for verdict in decided if rule.admits(verdict, delta))
        truths.insert(0, (f"Delta as seen ({delta:+.2f})", (Truth("as seen", delta, right),)))
    return tuple(truths)


# ------------------------------------------------------------------------------------------------- points on an axis


@dataclass(frozen=True, kw_only=True)
class Line(Experiment):
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
class Samples(Line):
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
            logs[logs > cut[:, None]] = np.nan
            limit = np.exp(cut)
        return judge_scaling(np.exp(x), np.exp(logs), np.ones(len(x)), limit=limit, **self.levels)


@dataclass(frozen=True, kw_only=True)
class Curves(Line):
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

    def sizes(self, x: Array, truth: Truth) -> Array:
        """log sizes that reach a step beyond every threshold."""
        sizes = [float(value) for value in self.log_sizes]
        step = float(np.median(np.diff(sizes))) if len(sizes) > 1 else math.log(2)
        while self.steepness * step > STEEPEST_STEP:
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


# ----------------------------------------------------------------------------------------------- no axis, or inside


@dataclass(frozen=True, kw_only=True)
class Slopes(Experiment):
    """One exponent per seed."""

    rule: DeltaRule
    delta: float
    noise: float

    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """Delta as seen, and the margin."""
        return slope_truths(self.rule, self.delta)

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `judge_rates`."""
        from checks.statistics.judge import judge_rates

        rule = self.rule
        return judge_rates(
            truth.value + self.noise * generator.standard_normal(size.n_replicates),
            0.0,
            relation=rule.relation,
            margin=rule.margin,
            confidence=rule.confidence,
            violation_confidence=rule.violation_confidence,
        )

    @property
    def least(self) -> Plan:
        """Five seeds."""
        from checks.statistics.judge import MIN_SEEDS

        return Plan(1, MIN_SEEDS)


@dataclass(frozen=True, kw_only=True)
class Counts(Experiment):
    """Trials that show a behaviour or not, claimed at `rate`; `seen` of them did.

    A rate has no margin. Its own two truths are the sure behaviour, and one as far below the claimed rate as the sure
    one is above.
    """

    rate: float
    seen: float
    confidence: float = 0.95

    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """The rate as seen, and the claimed rate's own two."""
        room = min(self.rate, 1 - self.rate) / 4
        seen = (
            self.seen if abs(self.seen - self.rate) >= room else self.rate + math.copysign(room, self.seen - self.rate)
        )
        fits, breaks = frozenset({Verdict.HOLDS}), frozenset({Verdict.VIOLATED})
        return (
            (f"rate as seen ({seen:.2f})", (Truth("as seen", seen, fits if seen >= self.rate else breaks),)),
            (
                "the rate",
                (
                    Truth("sure", 1.0, fits),
                    Truth("as far below", max(2 * self.rate - 1, 0.0), breaks),
                ),
            ),
        )

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `judge_behaviour`."""
        from checks.statistics.judge import judge_behaviour

        shown = int(generator.binomial(size.n_replicates, truth.value))
        return judge_behaviour(shown, size.n_replicates, rate=self.rate, confidence=self.confidence)


@dataclass(frozen=True, kw_only=True)
class Shares(Experiment):
    """Counts out of a known number per trial, against an explicit bound on their share; as seen only."""

    bound: float
    seen: float
    per_trial: int
    relation: str

    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """The share as seen, a twentieth of the bound off it where it sits on it."""
        gap = self.bound / 20
        seen = (
            self.seen if abs(self.seen - self.bound) >= gap else self.bound + math.copysign(gap, self.seen - self.bound)
        )
        fits = (seen <= self.bound) == (self.relation == "upper")
        right = frozenset({Verdict.HOLDS if fits else Verdict.VIOLATED})
        return ((f"share as seen ({seen:.3g})", (Truth("as seen", seen, right),)),)

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `judge_fraction`."""
        from checks.statistics.judge import judge_fraction

        total = size.n_replicates * self.per_trial
        count = int(generator.binomial(total, min(max(truth.value, 0.0), 1.0)))
        return judge_fraction([count], [total], [self.bound], relation=self.relation)

    @property
    def least(self) -> Plan:
        """One trial counts many."""
        return Plan(1, 1)
