"""The synthetic truths, one frozen cell each: what is planted, and one experiment on it, judged as any other.

A cell knows its target, the slope that noiseless data would give on its very grid, so that a truth with a logarithm or
an offset is judged by what the data can show. Where the target is on the margin's edge both "violated" and "tight" are
wrong, and nothing is harder to get right: most cells sit there. An oracle that knows the noise and fits by its exact
weights gives the width that no honest interval undercuts.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from checks.evidence.interim_analyses import MAX_ANALYSES, first_decided, may_decide
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.estimates import Estimate, estimate_threshold
from checks.statistics.judge import judge_joint, judge_rates, judge_scaling, judge_thresholds
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy
from checks.statistics.verdict import Interval, Judgement, Verdict

Array = NDArray[np.float64]

MARGIN = 0.25
BETWEEN = 0.2
"""Scatter of whole points (lack of fit) in the cells that plant it, standard deviation of the logarithm."""

OUTLIER = 6.0
"""Size of the one outlier in standard deviations of the noise."""


@dataclass(frozen=True)
class CellOutcome:
    """One judged experiment.

    Attributes:
        verdict: of the judgement; None where the cell only estimates.
        covered: whether the interval holds the target; None where no interval was given.
        width: of the interval relative to the oracle's; NaN where none was given.
        used, at_a_fifth: replicates that several looks took, and that five looks at a fifth of the error each would
            have taken, in one unit; 0 where there was one look.
    """

    verdict: Verdict | None
    covered: bool | None
    width: float
    used: float = 0.0
    at_a_fifth: float = 0.0


@dataclass(frozen=True)
class Unseen:
    """Experiments in which no rule can see what is planted.

    Attributes:
        rate: their least share.
        words: why.
    """

    rate: float
    words: str


@dataclass(frozen=True, kw_only=True)
class Planted:
    """A planted truth, and the error policy under which its experiments are judged."""

    name: str
    policy: ErrorPolicy = DEFAULT_POLICY

    @property
    def unseen(self) -> Unseen | None:
        """What of it cannot be seen; None where a rule could always see it."""
        return None

    @property
    def confidence(self) -> float:
        """Of its intervals."""
        return self.policy.interval_confidence

    @property
    def z(self) -> float:
        """Half the width of a normal interval, in standard errors."""
        return float(special.ndtri(0.5 + self.confidence / 2))


@dataclass(frozen=True, kw_only=True)
class _DeltaCell(Planted):
    """A cell whose experiments are judged by the Delta rule; `delta` is its target."""

    delta: float
    relation: str

    @property
    def rule(self) -> DeltaRule:
        """The rule that judges the cell."""
        return DeltaRule(self.relation, MARGIN, self.policy)

    @property
    def slope(self) -> float:
        """The residual slope toward the limit that is planted."""
        return self.rule.delta(self.delta)


@dataclass(frozen=True, kw_only=True)
class ScalingCell(_DeltaCell):
    """Samples around a line of known slope, judged by `judge_scaling`.

    Attributes:
        delta: the target.
        shape: of the truth: "power", "offset" (n + c) or "log" (n log n); the claim is always a power.
        scatter: "normal", "heteroscedastic" (grows fourfold toward the limit), "t3", "outlier" or "between".
        cut: "last", "two" or "first": the points of which about half the runs are censored, or more; "" for none.
        axis_error: standard error of log axis, where the axis is itself estimated.
        interim: analysed until decided, the replicates doubled each time.
    """

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    relation: str = "upper"
    toward: str = "infinity"
    n_points: int = 7
    n_replicates: int = 5
    noise: float = 0.2
    shape: str = "power"
    scatter: str = "normal"
    cut: str = ""
    axis_error: float = 0.0
    interim: bool = False

    @functools.cached_property
    def design(self) -> tuple[Array, Array, Array, Array, float | None, float]:
        """Axis, log truth, log claim and noise [points] each, the censoring limit, and the oracle's width."""
        far, near = (16.0, 512.0) if self.toward == "infinity" else (0.8, 0.025)
        axis = np.geomspace(far, near, self.n_points)
        x = np.log(axis) if self.toward == "infinity" else -np.log(axis)
        scale = axis / axis[0] if self.toward == "infinity" else axis[0] / axis
        log_truth = {
            "power": np.log(scale) * (-1.0 if self.cut == "first" else 1.0),
            "offset": np.log(scale + 2.0),
            "log": np.log(scale * np.log(16 * scale)),
        }[self.shape]
        slope = float(np.polyfit(x, log_truth, 1)[0])
        log_claim = (slope - self.slope) * x
        noise = np.full(self.n_points, self.noise)
        if self.scatter == "heteroscedastic":
            noise = self.noise * np.geomspace(0.5, 2.0, self.n_points)
        cuts = {"last": log_truth[-1], "two": log_truth[-3:-1].mean(), "first": log_truth[0]}
        limit = math.exp(cuts[self.cut]) if self.cut else None
        variance = noise**2 / self.n_replicates + (BETWEEN**2 if self.scatter == "between" else 0.0)
        variance = variance + self.axis_error**2  # of the truth's slope 1
        return axis, log_truth, log_claim, noise, limit, 2 * self.z * slope_error(x, variance)

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples, judge them, compare with the target."""
        if not self.interim:
            judgement = self.judged(self.draw(rng, self.n_replicates), rng, self.policy)
            return _outcome(judgement.verdict, judgement.confidence_interval, self.delta, self.design[-1])
        samples = self.draw(rng, self.n_replicates * 2 ** (MAX_ANALYSES - 1))

        def look(number: int, policy: ErrorPolicy) -> Judgement:
            return self.judged(samples[:, : self.n_replicates * 2**number], rng, policy)

        return over_looks(look, self.policy, self.delta, self.design[-1])

    def draw(self, rng: np.random.Generator, n_replicates: int) -> Array:
        """Samples [points, replicates], inf where censored."""
        _, log_truth, _, noise, limit, _ = self.design
        shape = (self.n_points, n_replicates)
        z = rng.standard_t(3, shape) / math.sqrt(3) if self.scatter == "t3" else rng.standard_normal(shape)
        if self.scatter == "outlier":
            z.flat[rng.integers(z.size)] += OUTLIER
        log_samples = log_truth[:, None] + noise[:, None] * z
        if self.scatter == "between":
            log_samples += BETWEEN * rng.standard_normal((self.n_points, 1))
        samples = np.exp(log_samples)
        if limit is not None:
            samples[samples > limit] = np.inf
        return samples

    def judged(self, samples: Array, rng: np.random.Generator, policy: ErrorPolicy = DEFAULT_POLICY) -> Judgement:
        """The samples through `judge_scaling`, the axis seen with its error."""
        axis, _, log_claim, _, limit, _ = self.design
        if self.axis_error:
            shift = self.axis_error * rng.standard_normal(self.n_points)
            log_claim = log_claim + (1 - self.slope) * (shift if self.toward == "infinity" else -shift)
            axis = axis * np.exp(shift)
        return judge_scaling(
            axis,
            samples,
            np.exp(log_claim),
            relation=self.relation,
            margin=MARGIN,
            toward=self.toward,
            limit=limit,
            axis_error=self.axis_error or None,
            checkpoints=False,
            policy=policy,
        )


@dataclass(frozen=True, kw_only=True)
class JointCell(_DeltaCell):
    """Samples on a grid of two axes, the claim wrong along the first, judged by `judge_joint`.

    Attributes:
        delta: the target, along the first axis.
        tilt: how much the second axis follows the first, in log; 0 is a rectangular grid.
    """

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    relation: str = "tight"
    n_points: int = 4
    n_replicates: int = 5
    noise: float = 0.2
    between: float = 0.0
    tilt: float = 0.0

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples on the grid, judge both axes, compare the first."""
        steps = np.log(np.geomspace(1.0, 16.0, self.n_points))
        first, second = (values.ravel() for values in np.meshgrid(steps, steps, indexing="ij"))
        second = second + self.tilt * first
        count = len(first)
        log_samples = (1 + self.slope) * first - second + self.between * rng.standard_normal(count)
        log_samples = log_samples[:, None] + self.noise * rng.standard_normal((count, self.n_replicates))
        axes = {"first": (np.exp(first), "infinity"), "second": (np.exp(second), "infinity")}
        rule = {"relation": self.relation, "margin": MARGIN, "policy": self.policy}
        judged = judge_joint(axes, np.exp(log_samples), np.exp(first - second), **rule)["first"]
        own = first - np.polyval(np.polyfit(second, first, 1), second)
        error = math.sqrt((self.noise**2 / self.n_replicates + self.between**2) / float(own @ own))
        return _outcome(judged.verdict, judged.confidence_interval, self.delta, 2 * self.z * error)


@dataclass(frozen=True, kw_only=True)
class RateCell(_DeltaCell):
    """One slope a seed, judged by `judge_rates`; `heavy` draws them from Student's t with three degrees of freedom."""

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    relation: str = "tight"
    n_replicates: int = 10
    noise: float = 0.1
    heavy: bool = False

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw a slope a seed and judge them."""
        count = self.n_replicates
        z = rng.standard_t(3, count) / math.sqrt(3) if self.heavy else rng.standard_normal(count)
        rule = {"relation": self.relation, "margin": MARGIN, "policy": self.policy}
        judged = judge_rates(-1.0 + self.slope + self.noise * z, -1.0, **rule)
        oracle = 2 * self.z * self.noise / math.sqrt(count)
        return _outcome(judged.verdict, judged.confidence_interval, self.delta, oracle)


@dataclass(frozen=True, kw_only=True)
class ThresholdCell(_DeltaCell):
    """Success curves whose thresholds follow a line of known slope, judged by `judge_thresholds`."""

    share: ClassVar[float] = 0.1
    fewest: ClassVar[int] = 500
    relation: str = "upper"
    n_points: int = 6
    n_replicates: int = 10
    steepness: float = 3.0
    lapse: float = 0.0
    between: float = 0.0
    overdispersion: float = 0.0
    declared: bool = False

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw a success curve a point, estimate its threshold, judge the line through them."""
        axis = np.geomspace(1.0, 32.0, self.n_points)
        thetas = np.log(50 * axis ** (1 + self.slope)) + self.between * rng.standard_normal(self.n_points)
        shape = self.n_replicates, self.steepness, self.lapse, self.overdispersion, 0.5, self.declared
        curves = [_Curve(*shape) for _ in axis]
        estimates = [curve.estimate(theta, rng, self.confidence) for curve, theta in zip(curves, thetas, strict=True)]
        rule = {"relation": self.relation, "margin": MARGIN, "policy": self.policy}
        judgement = judge_thresholds(axis, estimates, axis, **rule)
        variance = np.full(self.n_points, curves[0].oracle_error ** 2 + self.between**2)
        oracle = 2 * self.z * slope_error(np.log(axis), variance)
        return _outcome(judgement.verdict, judgement.confidence_interval, self.delta, oracle)


@dataclass(frozen=True, kw_only=True)
class EstimateCell(Planted):
    """A cell whose experiments are estimated and not judged: only its coverage is looked at."""

    share: ClassVar[float] = 0.1
    fewest: ClassVar[int] = 1000
    rule: ClassVar[None] = None
    delta: ClassVar[None] = None

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw one experiment and estimate its target."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class CurveCell(EstimateCell):
    """One success curve with a known threshold, estimated by `estimate_threshold`."""

    n_replicates: int
    steepness: float = 3.0
    lapse: float = 0.02
    overdispersion: float = 0.0
    level: float = 0.5
    declared: bool = False

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw one curve and estimate its threshold."""
        curve = _Curve(self.n_replicates, self.steepness, self.lapse, self.overdispersion, self.level, self.declared)
        theta = math.log(50.0)
        interval = curve.estimate(theta, rng, self.confidence).confidence_interval
        return interval_outcome(interval, math.exp(theta), 2 * self.z * curve.oracle_error)


Cell = ScalingCell | JointCell | RateCell | ThresholdCell | EstimateCell


@dataclass(frozen=True)
class _Curve:
    """A logistic success curve on seven sizes, each twice the one before, that straddle its threshold at random."""

    n_replicates: int
    steepness: float
    lapse: float
    overdispersion: float
    level: float
    declared: bool

    def rates(self, distance: NDArray[np.floating]) -> NDArray[np.floating]:
        """Success rate at a distance of log N from the threshold."""
        reached = self.level / (1 - self.lapse)
        return (1 - self.lapse) / (1 + np.exp(-self.steepness * distance) * (1 / reached - 1))

    def estimate(self, theta: float, rng: np.random.Generator, confidence: float) -> Estimate:
        """The threshold estimated from one draw."""
        log_n = theta + math.log(2.0) * (np.arange(7) - 3 + rng.uniform(-0.5, 0.5))
        rates = self.rates(log_n - theta)
        if self.overdispersion:  # beta-binomial: variance n p (1-p) (1 + (n-1) rho)
            total = 1 / self.overdispersion - 1
            rates = rng.beta(np.maximum(rates * total, 1e-9), np.maximum((1 - rates) * total, 1e-9))
        successes = rng.binomial(self.n_replicates, rates)
        trials = [self.n_replicates] * 7
        asked = {"level": self.level, "overdispersed": self.declared, "confidence": confidence}
        return estimate_threshold(np.exp(log_n), successes, trials, **asked)

    @functools.cached_property
    def oracle_error(self) -> float:
        """Standard error of log threshold where steepness, lapse and over-dispersion are known, mid-grid."""
        distance, step = math.log(2.0) * (np.arange(7) - 3.0), 1e-5
        rates = self.rates(distance)
        slope = (self.rates(distance + step) - self.rates(distance - step)) / (2 * step)
        inflation = 1 + (self.n_replicates - 1) * self.overdispersion
        return 1 / math.sqrt(float(np.sum(self.n_replicates * slope**2 / (rates * (1 - rates)))) / inflation)


def over_looks(look: Callable[[int, ErrorPolicy], Judgement], policy: ErrorPolicy, target: float, oracle: float):
    """An experiment analysed until decided, as `run --until-decided` does; the target must lie in all intervals.

    Args:
        look: the judgement of an analysis, by its number from 0, under a policy.
    """
    judged = _until_decided(lambda number: look(number, replace(policy, look=number)))
    fifths = _until_decided(lambda number: look(number, replace(policy, share=policy.share / MAX_ANALYSES)))
    last = judged[first_decided(judged)]
    intervals = [judgement.confidence_interval for judgement in judged]
    covered = all(interval is None or target in interval for interval in intervals)
    found = _outcome(last.verdict, last.confidence_interval, target, oracle)
    return replace(found, covered=covered, used=2.0 ** len(judged), at_a_fifth=2.0 ** len(fifths))


def _until_decided(look: Callable[[int], Judgement]) -> list[Judgement]:
    """The analyses up to the first that decides, or that more replicates would not help."""
    judged: list[Judgement] = []
    for number in range(MAX_ANALYSES):
        judged.append(look(number))
        if not may_decide(judged[-1]):
            break
    return judged


def none_drawn(rate: float, draws: int, what: str) -> Unseen:
    """That no draw is of a kind that one in `1 / rate` is."""
    chance = float((1 - rate) ** draws)
    return Unseen(chance, f"none of {draws} {what} in {100 * chance:.0f} %")


def slope_error(x: Array, variance: Array) -> float:
    """Standard error of the weighted slope where the variances are known."""
    weights = 1 / variance
    return 1 / math.sqrt(float(weights @ (x - weights @ x / weights.sum()) ** 2))


def interval_outcome(interval: Interval | None, target: float, oracle: float) -> CellOutcome:
    """A bare estimate against its target; `oracle` is the width of the oracle's interval of its logarithm."""
    if interval is None:
        return CellOutcome(None, None, math.nan)
    covered = interval.low <= target <= interval.high
    low, high = (math.log(end) if 0 < end < math.inf else end for end in (interval.low, interval.high))
    width = high - low if low != 0 and high < math.inf else math.inf
    return CellOutcome(None, covered, width / oracle)


def _outcome(verdict, interval, target: float, oracle: float) -> CellOutcome:
    if interval is None:
        return CellOutcome(verdict, None, math.nan)
    return CellOutcome(verdict, target in interval, (interval.high - interval.low) / oracle)
