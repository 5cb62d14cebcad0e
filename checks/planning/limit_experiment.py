"""The experiment behind a limit: the fitted sequence, made up again with its noise at sizes now and larger ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from checks.evidence.comparison import sane
from checks.evidence.family import shared_by
from checks.evidence.limit_values import LimitValue
from checks.planning.power import Array, Experiment, Truth
from checks.records.rows import Row
from checks.statistics.limits import MIN_SIZES, Extrapolation, SizeMeans, extrapolate, limit_verdict, size_means
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy
from checks.statistics.verdict import Judgement, Plan, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim

MOST_MORE_SIZES = 6
"""Doublings of the largest size beyond which an experiment is no plan."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LimitExperiment(Experiment):
    """Means at growing sizes; new sizes double the largest.

    Attributes:
        means: those measured. found: their extrapolation, which made-up sequences follow, moved to the truth's limit.
        claimed, tolerance: of the limit. relation: "tight", or "lower" where it is claimed to be at least so large.
        rate: that the extrapolation assumes, if any.
    """

    means: SizeMeans
    found: Extrapolation
    claimed: float
    tolerance: float
    rate: float | None = None
    relation: str = "tight"
    policy: ErrorPolicy = DEFAULT_POLICY

    def truths(self) -> tuple[tuple[str, tuple[Truth, ...]], ...]:
        """The limit as seen, and the tolerance's own two: right, and wrong by twice the tolerance.

        A limit seen within a quarter of the tolerance from an edge is moved that far off it.
        """
        off, room = self.found.value - self.claimed, self.tolerance / 4
        for edge in (self.tolerance, -self.tolerance):
            if abs(off - edge) < room:
                off = edge + math.copysign(room, off - edge)
        fits, misses = frozenset({Verdict.HOLDS}), frozenset({Verdict.VIOLATED})
        wrong, span = self.claimed + 2 * self.tolerance, self.means.span
        if span is not None and wrong > span[1]:
            wrong = self.claimed - 2 * self.tolerance
        seen = Truth("as seen", self.claimed + off, fits if abs(off) < self.tolerance else misses)
        return (
            (f"limit as seen ({seen.value:.3g})", (seen,)),
            (
                "the tolerance",
                (
                    Truth("right", self.claimed, fits),
                    Truth("wrong by twice the tolerance", wrong, misses),
                ),
            ),
        )

    def judge(self, size: Plan, truth: Truth, generator: np.random.Generator) -> Judgement:
        """Through the limit rule."""
        sizes = np.exp(self.grid(size.n_points))
        more = sizes[len(self.means.size) :]
        later = self.means.reaching(more, self.found.at(more), size.n_replicates) if len(more) else self.means
        mean = self.found.at(sizes) + truth.value - self.found.fit.limit  # which may lie beyond the span
        scatter = generator.standard_normal((len(sizes), size.n_replicates))
        made_up = size_means(sizes, mean[:, None] + np.sqrt(later.variance)[:, None] * scatter)
        return Judgement(self._word(replace(made_up, span=self.means.span)))

    def now(self) -> Verdict:
        """The word for the means that were measured."""
        return self._word(self.means)

    def _word(self, means: SizeMeans) -> Verdict:
        asked: dict = {"relation": self.relation, "rate": self.rate, "policy": self.policy}
        return limit_verdict(means, self.claimed, self.tolerance, **asked)

    def grid(self, n_points: int) -> Array:
        """Logarithms of the sizes now, and of as many doublings as asked for."""
        more = max(n_points - len(self.means.size), 0)
        return np.log(np.concatenate([self.means.size, self.means.size[-1] * np.exp2(np.arange(1.0, more + 1))]))

    @property
    def first_points(self) -> int:
        """As many as now."""
        return max(len(self.means.size), MIN_SIZES)

    @property
    def max_points(self) -> int:
        """A few doublings."""
        return self.first_points + MOST_MORE_SIZES

    @property
    def least(self) -> Plan:
        """The smallest size that the rule judges."""
        return Plan(self.first_points, 3)


def of_part(part: LimitValue, claim: Claim, row: Row, trials: Sequence[Trial]) -> Experiment | str:
    """The experiment of the setting that is the hardest to decide, or why there is none."""
    if part.noiseless:
        return "its values have no noise: replicates change nothing, larger sizes would"
    groups = part.settings(claim, trials)
    if len(groups) != len(row.points):
        return "some of its points are out of regime, on a line of their own"
    sequences: dict[str, list[tuple[float, list[float], float]]] = {}
    for ((name, size), group), point in zip(groups.items(), row.points, strict=True):  # both in one order
        values = [trial.number(part.observable) for trial in sane(group)]
        if values and point.bound is not None and point.in_regime is not False:
            sequences.setdefault(name, []).append((size, values, point.bound))
    policy = part.policy.of_family(shared_by(part, claim))
    found = [each for each in (_experiment(part, each, policy) for each in sequences.values()) if each is not None]
    if not found:
        return "no limit could be extrapolated: " + row.judgement.reason
    return max(found, key=lambda each: (each.found.wide.high - each.found.wide.low) / each.tolerance)


def _experiment(
    part: LimitValue, points: Sequence[tuple[float, list[float], float]], policy: ErrorPolicy
) -> LimitExperiment | None:
    sizes, samples, claimed = zip(*points, strict=True)
    means = size_means(sizes, samples, span=part.range)
    tolerance = part.tolerance or part.margin * abs(claimed[0])
    if len(means.size) < MIN_SIZES or min(map(len, samples)) < 2 or not tolerance or means.is_constant:
        return None
    found = extrapolate(means, policy.violation_confidence, policy.equivalence_confidence, rate=part.rate)
    if found is None:
        return None
    size = Plan(len(means.size), min(map(len, samples)))
    return LimitExperiment(
        size=size, unit="replicates a size", means=means, found=found, claimed=claimed[0], tolerance=tolerance,
        rate=part.rate, policy=policy,
    )  # fmt: skip
