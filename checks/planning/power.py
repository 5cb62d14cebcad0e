"""How often an experiment of a given size would decide: the noise that was measured, sent through the verdict rules.

An `Experiment` holds what a row's trials say of their noise. `power` makes up data of the same noise around a stated
truth and counts how often the rule that will judge the real data (`judge_scaling`, `judge_thresholds`, `judge_rates`,
`judge_behaviour`, `judge_fraction`) says what is then right. Nothing is taken from a formula: finite-size withdrawals,
censoring and the stricter level of the family are all inside.

Delta is the slope of log(measured / claimed) on log axis, so data are made up relative to the claim and the claim
itself cancels. Between points, scatter beyond sampling noise (lack of fit) is drawn anew in each experiment.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from checks.evidence.family import at_shared_error
from checks.planning.allowance import go_on
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.judge import judge_behaviour, judge_fraction, judge_rates
from checks.statistics.order_rules import MIN_SEEDS
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy
from checks.statistics.value_rules import MIN_TRIALS
from checks.statistics.verdict import Judgement, Plan, Verdict

Array = NDArray[np.float64]
SEED = 20_230_206
"""One fixed seed: a plan printed twice is the same plan, and designs are compared on common random numbers."""


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

    def power(
        self, size: Plan, truth: Truth, n_simulations: int, *, quick: bool = False, at_least: float = 0.0
    ) -> float:
        """Share of made-up experiments that end in a verdict that is right.

        Where that falls below `at_least`, the experiments stop as soon as the rest cannot make up for it, and the share
        is the largest that it could still be.
        """
        generator = np.random.default_rng(SEED)
        judge = self.quick_judge if quick else self.judge
        failures = 0
        for _ in range(n_simulations):
            go_on()
            failures += judge(size, truth, generator).verdict not in truth.right
            if n_simulations - failures < at_least * n_simulations:
                break
        return (n_simulations - failures) / n_simulations

    def suffices(self, size: Plan, truth: Truth, n_simulations: int, *, least: float) -> bool:
        """Whether so many quick experiments are right as often as asked, from as few of them as tell."""
        generator = np.random.default_rng(SEED)
        right = wrong = 0
        while right < least * n_simulations and n_simulations - wrong >= least * n_simulations:
            go_on()
            is_right = self.quick_judge(size, truth, generator).verdict in truth.right
            right, wrong = right + is_right, wrong + (not is_right)
        return right >= least * n_simulations

    @property
    def unanswered(self) -> str:
        """Why no size answers what is seen, or ""."""
        return ""

    @property
    def doubt(self) -> str:
        """What the trials do not tell that a design rests on, or ""."""
        return ""

    def grid(self, n_points: int) -> Array:
        """So many points on the signed log axis; none where there is no axis."""
        return np.array([])

    def sample_sizes(self, n_points: int, truths: Sequence[Truth]) -> tuple[int, ...]:
        """Sample sizes of each success curve that reach every threshold under the truths; none without curves."""
        return ()

    @property
    def n_settings(self) -> int:
        """Sequences of points that are measured alike."""
        return 1

    @property
    def first_points(self) -> int:
        """Points to begin a search with."""
        return 1

    @property
    def max_points(self) -> int:
        """Points beyond which an experiment is not a plan."""
        return 1

    @property
    def least(self) -> Plan:
        """The smallest size that a rule will judge at all."""
        return Plan(self.size.n_points, 2)


def slope_truths(rule: DeltaRule, delta: float | None) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
    """The truths of an exponent: Delta as seen, and the margin's own two: right (0), and wrong by twice the margin.

    A Delta seen within a quarter of the margin from an edge is moved that far off it: no amount of data decides one
    that sits on the edge. Beyond a third of the margin a Delta that is seen is told from 0 and passes nothing
    (`DeltaRule.is_apart`): the question is left out, and `unanswered` says so; just below, it is moved as well.
    """
    m = rule.margin
    truths: list[tuple[str, tuple[Truth, ...]]] = [
        (
            "the margin",
            (
                Truth("right", 0.0, frozenset({Verdict.TIGHT, Verdict.HOLDS})),
                Truth("wrong by twice the margin", 2 * m, frozenset({Verdict.VIOLATED})),
            ),
        )
    ]
    if delta is not None and not unanswered(rule, delta):
        if rule.stays_open(delta):
            delta = math.copysign(min(abs(delta), m / 4), delta)
        edges = (m, -m) if rule.relation == "tight" else (m,)
        for edge in edges:
            if abs(delta - edge) < m / 4:
                delta = edge + math.copysign(m / 4, delta - edge)
        decided = (Verdict.VIOLATED, Verdict.TIGHT, Verdict.LOOSE, Verdict.HOLDS)
        right = frozenset(verdict for verdict in decided if rule.admits(verdict, delta))
        truths.insert(0, (f"Delta as seen ({delta:+.2f})", (Truth("as seen", delta, right),)))
    return tuple(truths)


def unanswered(rule: DeltaRule, delta: float | None) -> str:
    """Why no experiment decides a Delta as it is seen, or ""."""
    if delta is None or not rule.is_open_at_any(delta):
        return ""
    return (
        f"Delta as seen ({delta:+.2f}) lies between a third of the margin {rule.margin:g} and the margin: no number "
        "of trials decides it, larger sizes or a smaller margin would"
    )


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

    @property
    def unanswered(self) -> str:
        """That Delta as seen stays open."""
        return unanswered(self.rule, self.delta)

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through `judge_rates`."""
        rule = self.rule
        return judge_rates(
            truth.value + self.noise * generator.standard_normal(size.n_replicates),
            0.0,
            relation=rule.relation,
            margin=rule.margin,
            policy=rule.policy,
        )

    @property
    def least(self) -> Plan:
        """As few seeds as a rule will judge."""
        return Plan(1, MIN_SEEDS)


@dataclass(frozen=True, kw_only=True)
class Counts(Experiment):
    """Trials that show a behaviour or not, claimed at `rate`; `seen` of them did.

    The family of `policy` is the claims that share the error of an accusation. A rate has no margin. Its own two truths
    are the sure behaviour, and one as far below the claimed rate as the sure one is above.
    """

    rate: float
    seen: float
    policy: ErrorPolicy = DEFAULT_POLICY

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
        shown, count = int(generator.binomial(size.n_replicates, truth.value)), size.n_replicates

        def rule(confidence: float) -> Judgement:
            return judge_behaviour(shown, count, rate=self.rate, confidence=confidence)

        return at_shared_error(rule, self.policy, trials=count)


@dataclass(frozen=True, kw_only=True)
class Shares(Experiment):
    """Counts out of a known number per trial, against an explicit bound on their share; as seen only."""

    bound: float
    seen: float
    per_trial: int
    relation: str
    units_independent: bool = False
    policy: ErrorPolicy = DEFAULT_POLICY

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
        """Through `judge_fraction`, trial by trial as the part does."""
        share = min(max(truth.value, 0.0), 1.0)
        counts = generator.binomial(self.per_trial, share, size.n_replicates)
        total = size.n_replicates * self.per_trial
        found, units = (int(counts.sum()), total) if self.units_independent else (counts, self.per_trial)

        def rule(confidence: float) -> Judgement:
            asked = {"relation": self.relation, "independent": True}
            return judge_fraction([found], [units], [self.bound], confidence=confidence, **asked)

        return at_shared_error(rule, self.policy, trials=total)

    @property
    def least(self) -> Plan:
        """One trial counts many, but says nothing of what they share."""
        return Plan(1, 1 if self.units_independent or self.per_trial == 1 else MIN_TRIALS)
