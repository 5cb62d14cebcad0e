"""Samples, counts and slopes that are not what a t interval or a binomial count takes for granted.

Means of skewed, heavy-tailed and two-valued samples against a number; shares of units that have something in common;
exponents of seeds that scatter to one side, take one of two courses or are all the same. A cell on the edge plants a
mean that is the claimed number itself, so that the claim is neither violated nor held by any margin: both words count
as wrong.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from checks.calibration.cells import MARGIN, CellOutcome, Planted, Unseen, none_drawn
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.judge import judge_exact, judge_explicit, judge_fraction, judge_rates
from checks.statistics.verdict import Judgement, Verdict

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Array]


@dataclass(frozen=True)
class DrawnSamples:
    """Samples of one kind: how they are drawn, their mean and deviation, their range by meaning."""

    draw: Draw
    mean: float
    deviation: float
    range: tuple[float, float] | None = None


def _lognormal(spread: float) -> DrawnSamples:
    mean = math.exp(spread**2 / 2)
    return DrawnSamples(
        lambda rng, shape: np.exp(spread * rng.standard_normal(shape)), mean, mean * math.sqrt(math.expm1(spread**2))
    )


def _zero_one(rate: float) -> DrawnSamples:
    return DrawnSamples(
        lambda rng, shape: (rng.random(shape) < rate).astype(float), rate, math.sqrt(rate * (1 - rate)), (0.0, 1.0)
    )


def _pareto(exponent: float) -> DrawnSamples:
    mean = exponent / (exponent - 1)
    deviation = math.sqrt(exponent / (exponent - 2)) / (exponent - 1)
    return DrawnSamples(lambda rng, shape: 1 + rng.pareto(exponent, shape), mean, deviation)


def _mixed(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """One part in ten at about 6, the others about 1."""
    return 1 + 0.3 * rng.standard_normal(shape) + 5.0 * (rng.random(shape) < 0.1)


def _chained(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """States of one chain, each 0.7 times the last and something new."""
    states = rng.standard_normal(shape)
    for place in range(1, shape[-1]):
        states[..., place] = 0.7 * states[..., place - 1] + math.sqrt(1 - 0.7**2) * states[..., place]
    return 1 + 0.3 * states


def _in_batches(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Four after the other share half of their variance."""
    batch = np.repeat(rng.standard_normal((*shape[:-1], -(-shape[-1] // 4))), 4, axis=-1)[..., : shape[-1]]
    return 1 + 0.3 * math.sqrt(0.5) * (batch + rng.standard_normal(shape))


def _in_turn(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """As many machines as batches of four, which take one sample each in turn and share half of its variance."""
    machines = -(-shape[-1] // 4)
    own = rng.standard_normal((*shape[:-1], machines))[..., np.arange(shape[-1]) % machines]
    return 1 + 0.3 * math.sqrt(0.5) * (own + rng.standard_normal(shape))


def _waving(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """A third of the variance is a wave, of a phase at random, of which the samples see three quarters of a period."""
    phase = 0.75 * np.arange(shape[-1]) / shape[-1] + rng.random((*shape[:-1], 1))
    wave = math.sqrt(2) * np.cos(2 * math.pi * phase)
    return 1 + 0.3 * (math.sqrt(1 / 3) * wave + math.sqrt(2 / 3) * rng.standard_normal(shape))


SAMPLES = {
    "normal": DrawnSamples(lambda rng, shape: 1 + 0.3 * rng.standard_normal(shape), 1.0, 0.3),
    "uniform": DrawnSamples(lambda rng, shape: rng.random(shape), 0.5, 1 / math.sqrt(12), (0.0, 1.0)),
    "t3": DrawnSamples(lambda rng, shape: 1 + 0.3 * rng.standard_t(3, shape) / math.sqrt(3), 1.0, 0.3),
    "exponential": DrawnSamples(lambda rng, shape: rng.exponential(1.0, shape), 1.0, 1.0),
    "lognormal 0.5": _lognormal(0.5),
    "lognormal 1": _lognormal(1.0),
    "lognormal 1.5": _lognormal(1.5),
    "lognormal 2": _lognormal(2.0),
    "pareto 2.2": _pareto(2.2),
    "coin 0.02": _zero_one(0.02),
    "coin 0.1": _zero_one(0.1),
    "coin 0.5": _zero_one(0.5),
    "losses": DrawnSamples(lambda rng, shape: rng.beta(0.2, 1.8, shape), 0.1, 0.3 / math.sqrt(3), (0.0, 1.0)),
    "two kinds": DrawnSamples(_mixed, 1.5, math.sqrt(0.3**2 + 25 * 0.09)),
    "chain": DrawnSamples(_chained, 1.0, 0.3),
    "batches of 4": DrawnSamples(_in_batches, 1.0, 0.3),
    "machines in turn": DrawnSamples(_in_turn, 1.0, 0.3),
    "slow wave": DrawnSamples(_waving, 1.0, 0.3),
}


DEPENDENT = ("chain", "batches of 4", "machines in turn", "slow wave")
"""Kinds of which samples share something; the rule is not told that they do not."""

UNSAID = ", not said to be independent"
"""Ends the name of a cell of independent samples of which the rule is not told so."""


class NumberRule(DeltaRule):
    """The words for a claim with its constant: a mean beyond the margin violates it, one within lets it hold.

    Delta is measured / claimed, less 1, on a scale on which the margin's edge is where no verdict is right.
    """

    def admits(self, verdict: Verdict, delta: float) -> bool:
        """Whether a true Delta of this size makes a decided verdict correct."""
        size = abs(delta) if self.relation == "tight" else -delta if self.relation == "lower" else delta
        if verdict is Verdict.VIOLATED:
            return size > self.margin
        return verdict is Verdict.HOLDS and size < self.margin


@dataclass(frozen=True, kw_only=True)
class MeanCell(Planted):
    """Samples of known mean against a number, judged by `judge_explicit` or `judge_exact`.

    Attributes:
        kind: of the samples, a name in `SAMPLES`.
        relation: "upper", "lower", or "exact" with the margin 0.25.
        factor: mean / claimed at every point; on the edge 1, or 1.25 with exact.
        ranged: whether the range of a sample is stated.
        independent: whether the rule is told that each sample is a run of its own.
    """

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    kind: str
    relation: str = "upper"
    n_replicates: int = 20
    n_points: int = 1
    factor: float | None = None
    ranged: bool = False
    independent: bool = True

    @property
    def rule(self) -> NumberRule:
        """The rule that judges the cell."""
        return NumberRule("tight" if self.relation == "exact" else self.relation, MARGIN, self.policy)

    @property
    def unseen(self) -> Unseen | None:
        """Experiments in which no sample is of the rarer kind."""
        draws = self.n_replicates * self.n_points
        return none_drawn(0.1, draws, "samples is of the rarer kind") if self.kind == "two kinds" else None

    @property
    def delta(self) -> float:
        """The target; the margin on the edge."""
        if self.relation == "exact":
            return self._factor - 1
        edge = -MARGIN if self.relation == "lower" else MARGIN
        return edge + self._factor - 1

    @property
    def _factor(self) -> float:
        if self.factor is not None:
            return self.factor
        return 1 + MARGIN if self.relation == "exact" else 1.0

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples and judge their means."""
        samples = SAMPLES[self.kind]
        drawn = samples.draw(rng, (self.n_points, self.n_replicates))
        claimed = np.full(self.n_points, samples.mean / self._factor)
        bounds = samples.range if self.ranged else None
        told = {"range": bounds, "confidence": self.confidence, "independent": self.independent}
        if self.relation == "exact":
            judged = judge_exact(drawn, claimed, margin=MARGIN, **told)
        else:
            judged = judge_explicit(drawn, claimed, relation=self.relation, **told)
        oracle = 2 * self.z * samples.deviation / math.sqrt(self.n_replicates) / claimed[0]
        return _outcome(judged, self._factor, oracle)


@dataclass(frozen=True, kw_only=True)
class ShareCell(Planted):
    """Counts by trial of units that share something, judged by `judge_fraction`.

    Attributes:
        rate: of success, over all trials.
        correlation: of two units of a trial (beta-binomial); 1 where all of them agree.
        factor: rate / claimed; 1 on the edge.
        batch: trials one after the other that have one rate.
        independent: whether the rule is told that each trial is a run of its own.
    """

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    n_trials: int
    rate: float
    correlation: float
    n_units: int = 100
    relation: str = "upper"
    factor: float = 1.0
    batch: int = 1
    independent: bool = True

    @property
    def rule(self) -> NumberRule:
        """The rule that judges the cell."""
        return NumberRule(self.relation, MARGIN, self.policy)

    @property
    def delta(self) -> float:
        """The target; the margin on the edge."""
        return (-MARGIN if self.relation == "lower" else MARGIN) + self.factor - 1

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw counts and judge their share."""
        number = -(-self.n_trials // self.batch)
        rates = np.full(number, self.rate)
        if self.correlation == 1:
            rates = (rng.random(number) < self.rate).astype(float)
        elif self.correlation:
            total = 1 / self.correlation - 1
            rates = rng.beta(self.rate * total, (1 - self.rate) * total, number)
        rates = np.repeat(rates, self.batch)[: self.n_trials]
        counts = rng.binomial(self.n_units, rates)
        claimed = self.rate / self.factor
        asked = {"relation": self.relation, "confidence": self.confidence, "independent": self.independent}
        judged = judge_fraction([counts], [self.n_units], [claimed], **asked)
        of_batch = self.batch * self.n_units
        each = self.rate * (1 - self.rate) / of_batch * (1 + (of_batch - 1) * self.correlation) * self.batch
        return _outcome(judged, self.factor, 2 * self.z * math.sqrt(each / self.n_trials) / claimed)


@dataclass(frozen=True, kw_only=True)
class ShapedRateCell(Planted):
    """One slope a seed, of a scatter that is not normal, judged by `judge_rates`.

    Attributes:
        delta: the margin where no verdict is right, else the target.
        shape: "exponential" or "lognormal" (to one side), "two courses" (half of the seeds each) or "same" (all).
        at: what is planted at `delta`: the "mean" or the "median" of the slopes.
    """

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    relation: ClassVar[str] = "tight"
    delta: float
    shape: str
    at: str = "mean"
    n_replicates: int = 10
    noise: float = 0.2

    @property
    def rule(self) -> DeltaRule:
        """The rule that judges the cell."""
        return DeltaRule(self.relation, MARGIN, self.policy)

    @functools.cached_property
    def median(self) -> float:
        """Of the scatter, whose mean is 0 and deviation 1."""
        if self.shape == "exponential":
            return math.log(2) - 1
        if self.shape == "lognormal":
            return (1 - SAMPLES["lognormal 1"].mean) / SAMPLES["lognormal 1"].deviation
        return 0.0

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw a slope a seed and judge them."""
        z = self.scatter(rng) - (self.median if self.at == "median" else 0.0)
        # Two courses are a margin and a half off on either side, so that no seed is where their mean is.
        target = 0.0 if self.shape == "two courses" else self.delta
        rule = {"relation": self.relation, "margin": MARGIN, "policy": self.policy}
        judged = judge_rates(-1.0 + target + self.noise * z, -1.0, **rule)
        oracle = 2 * self.z * self.noise / math.sqrt(self.n_replicates)
        interval = judged.confidence_interval
        if interval is None:
            return CellOutcome(judged.verdict, None, math.nan)
        return CellOutcome(judged.verdict, target in interval, (interval.high - interval.low) / oracle)

    def scatter(self, rng: np.random.Generator) -> Array:
        """Standardised scatter of the seeds."""
        count = self.n_replicates
        if self.shape == "same":
            return np.full(count, rng.standard_normal())
        if self.shape == "two courses":
            return 2 * rng.integers(0, 2, count) - 1 + 0.1 * rng.standard_normal(count)
        samples = SAMPLES["exponential" if self.shape == "exponential" else "lognormal 1"]
        return (samples.draw(rng, (count,)) - samples.mean) / samples.deviation


def _outcome(judged: Judgement, target: float, oracle: float) -> CellOutcome:
    interval = judged.confidence_interval
    if interval is None:
        return CellOutcome(judged.verdict, None, math.nan)
    return CellOutcome(judged.verdict, target in interval, (interval.high - interval.low) / oracle)


# ----------------------------------------------------------------------------------------------------------- the grid


def skewed_cells() -> tuple[Any, ...]:
    """Every cell of this module, family by family."""
    return (*_means(), *_ranged(), *_shares(), *_rates())


def _means() -> list[Any]:
    kinds = [name for name in SAMPLES if name != "losses"]
    long = ("normal", "exponential", "lognormal 1", "lognormal 1.5", "pareto 2.2", *DEPENDENT)
    cells: list[Any] = [
        MeanCell(name=f"means/{kind}/{count}", kind=kind, n_replicates=count, independent=kind not in DEPENDENT)
        for count, some in ((20, kinds), (100, long))
        for kind in some
    ]
    cells += [
        MeanCell(name=f"means/{kind}/{count}/exact", kind=kind, n_replicates=count, relation="exact", independent=False)
        for kind, count in itertools.product(DEPENDENT, (20, 100))
    ]
    unsaid: dict[str, Any] = {"kind": "normal", "independent": False}
    cells += [
        MeanCell(name=f"means/normal/20{UNSAID}", **unsaid),
        MeanCell(name=f"means/normal/20/at 0.75 of it{UNSAID}", factor=0.75, **unsaid),
        MeanCell(name=f"means/normal/20/at 1.4 of it{UNSAID}", factor=1.4, **unsaid),
        MeanCell(name=f"means/normal/20/exact, right{UNSAID}", relation="exact", factor=1.0, **unsaid),
    ]
    return [
        *cells,
        MeanCell(name="means/coin 0.1/5", kind="coin 0.1", n_replicates=5),
        MeanCell(name="means/lognormal 1.5/5", kind="lognormal 1.5", n_replicates=5),
        MeanCell(name="means/normal/20/lower", kind="normal", relation="lower"),
        MeanCell(name="means/lognormal 1/20/lower", kind="lognormal 1", relation="lower"),
        MeanCell(name="means/exponential/20/5 points", kind="exponential", n_points=5),
        MeanCell(name="means/lognormal 1/20/lower/5 points", kind="lognormal 1", relation="lower", n_points=5),
        MeanCell(name="means/normal/20/exact", kind="normal", relation="exact"),
        MeanCell(name="means/lognormal 1/20/exact", kind="lognormal 1", relation="exact"),
        MeanCell(name="means/normal/20/at 0.75 of it", kind="normal", factor=0.75),
        MeanCell(name="means/normal/20/at 1.4 of it", kind="normal", factor=1.4),
        MeanCell(name="means/normal/20/exact, right", kind="normal", relation="exact", factor=1.0),
        MeanCell(name="means/exponential/100/at 0.5 of it", kind="exponential", n_replicates=100, factor=0.5),
    ]


def _ranged() -> list[Any]:
    cells: list[Any] = [
        MeanCell(name=f"ranged/{kind}/{number}", kind=kind, n_replicates=number, ranged=True)
        for kind, number in itertools.product(("coin 0.02", "coin 0.1", "coin 0.5", "losses", "uniform"), (5, 50))
    ]
    return [
        *cells,
        MeanCell(name="ranged/losses/50/lower", kind="losses", relation="lower", n_replicates=50, ranged=True),
        MeanCell(name="ranged/losses/200/at 0.4 of it", kind="losses", n_replicates=200, factor=0.4, ranged=True),
        MeanCell(name="ranged/losses/200/at 2 of it", kind="losses", n_replicates=200, factor=2.0, ranged=True),
        MeanCell(name="ranged/coin 0.1/99/at 0.5 of it", kind="coin 0.1", n_replicates=99, factor=0.5, ranged=True),
    ]  # fmt: skip


def _shares() -> list[Any]:
    cells: list[Any] = [
        ShareCell(name=f"shares/{number}/{rate:g}/{word}", n_trials=number, rate=rate, correlation=correlation)
        for number, rate, (word, correlation) in itertools.product(
            (8, 20), (0.1, 0.5), (("independent", 0.0), ("a little", 0.02), ("clumped", 0.3), ("all or none", 1.0))
        )
    ]
    return [
        *cells,
        ShareCell(name="shares/5/0.1/clumped", n_trials=5, rate=0.1, correlation=0.3),
        ShareCell(name="shares/20/0.02/clumped", n_trials=20, rate=0.02, correlation=0.3),
        ShareCell(name="shares/20/0.5/clumped/lower", n_trials=20, rate=0.5, correlation=0.3, relation="lower"),
        ShareCell(name="shares/20/0.5/independent/at 0.9 of it", n_trials=20, rate=0.5, correlation=0.0, factor=0.9),
        ShareCell(name="shares/20/0.5/a little/at 1.3 of it", n_trials=20, rate=0.5, correlation=0.02, factor=1.3),
        *(
            ShareCell(
                name=f"shares/20/{rate:g}/{word}in batches of 4",
                n_trials=20,
                rate=rate,
                correlation=correlation,
                batch=4,
                independent=False,
            )
            for rate, word, correlation in ((0.1, "a little, ", 0.02), (0.5, "", 0.1))
        ),
        ShareCell(
            name=f"shares/20/0.5/independent/at 0.9 of it{UNSAID}",
            n_trials=20,
            rate=0.5,
            correlation=0.0,
            factor=0.9,
            independent=False,
        ),
    ]


def _rates() -> list[Any]:
    cells: list[Any] = [
        ShapedRateCell(name=f"slopes/{number}/{shape}", delta=MARGIN, shape=shape, n_replicates=number)
        for number, shape in itertools.product((8, 10, 20), ("exponential", "lognormal"))
    ]
    cells += [
        ShapedRateCell(
            name=f"slopes/{number}/{shape}, median", delta=-MARGIN, shape=shape, n_replicates=number, at="median"
        )
        for number, shape in itertools.product((10, 50), ("exponential", "lognormal"))
    ]
    apart = 1.5 * MARGIN
    cells += [
        ShapedRateCell(
            name=f"slopes/{number}/two courses", delta=MARGIN, shape="two courses", n_replicates=number, noise=apart
        )
        for number in (8, 20, 50)
    ]
    return [
        *cells,
        ShapedRateCell(name="slopes/5/same", delta=MARGIN, shape="same", n_replicates=5),
        ShapedRateCell(name="slopes/20/same", delta=MARGIN, shape="same", n_replicates=20),
    ]
