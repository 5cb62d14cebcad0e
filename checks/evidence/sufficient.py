"""A sufficient condition: success inside is required, and how far beyond it success goes on makes it loose.

How far a setting lies beyond is a factor: by how much the side that the condition wants larger falls short of the
other, of several relations the one that falls short most. Settings outside are sorted by it and walked outward from the
condition in bands, each of as many settings as it takes for the rate to show in spite of one failure, or of a single
setting that can show it by itself; settings with too few trials to show it at all go with the next. A band counts as
success where its lower limit meets the rate, and the walk ends at the first that does not: tests in an order fixed
beforehand, each after the last has shown success, share no error. What is loose is so by the least factor of the last
band; a condition whose constant is hidden is loose only by more than that constant absorbs, and which smaller constant
serves is said beside it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import sympy as sp

from checks.evidence.comparison import make_row, succeeded
from checks.evidence.family import judged_in_family
from checks.evidence.later import estimates, rules
from checks.evidence.part import Part
from checks.evidence.pooling import held_by_each
from checks.evidence.regime import met_at
from checks.evidence.translation import Symbols
from checks.records.rows import BEYOND, SERVES, Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim, Hypothesis, Kind, Met, at


@dataclass(frozen=True)
class Beyond:
    """Settings outside a condition, from one factor beyond it to another, pooled."""

    least: float
    most: float
    successes: int
    trials: int


@dataclass(frozen=True, kw_only=True)
class Sufficient(Part):
    """Success inside a condition, which is required, and outside, which makes it loose."""

    symbols: Symbols
    success: str
    rate: float
    condition: Hypothesis
    absorbed: float = 1.0
    """Factor that a hidden constant of the condition absorbs: success has to go on beyond it to make it loose."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.rate < 1:
            raise ValueError(f"rate must lie in (0, 1), got {self.rate} for part {self.name!r}")

    @property
    def has_sampling_error(self) -> bool:
        """Each trial is a draw."""
        return True

    @property
    def kinds(self) -> frozenset[Kind]:
        """Sufficient conditions alone."""
        return frozenset({Kind.SUFFICIENT})

    @property
    def rate_asked(self) -> float:
        """The rate."""
        return self.rate

    def met_by(self, trial: Trial) -> bool | None:
        """Whether the trial succeeded."""
        return succeeded(trial, self.success)

    @property
    def counts_lost(self) -> bool:
        """It counts successes."""
        return True

    def shown(self, trials: Sequence[Trial]) -> list[bool]:
        """Of every trial whose parameters meet the condition, whether it succeeded."""
        return [succeeded(trial, self.success) for trial in trials if self._stands(trial) is Met.MET]

    def _stands(self, trial: Trial) -> Met:
        return met_at(self.condition, self.point(trial))

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Pool trials inside; walk outward over those that are not."""
        by_side: dict[Met, list[Trial]] = {met: [] for met in Met}
        for trial in trials:
            by_side[self._stands(trial)].append(trial)
        inside, outside = by_side[Met.MET], by_side[Met.NOT_MET]
        successes = sum(succeeded(trial, self.success) for trial in inside)
        rule = functools.partial(rules.judge_sufficient, successes, len(inside), 0, 0, rate=self.rate)
        judgement = judged_in_family(self, claim, lambda confidence: rule(confidence=confidence), trials=len(inside))
        judgement = held_by_each(judgement, inside, self._alone, confidence=self.confidence)
        if not inside:
            words = f"no trial meets the condition ({len(outside)} do not)"
            judgement = Judgement(Verdict.OUT_OF_REGIME, obstacle(Topic.REGIME, words, outside=len(outside)))
        elif judgement.verdict is Verdict.HOLDS and outside:
            judgement = self._with_reach(judgement, outside)
        if left := len(by_side[Met.UNDECIDABLE]):
            words = f"whether {left} trials meet the condition is open, and they are left out"
            judgement = judgement.adding(left_out=(Clause(Topic.HYPOTHESES, words, {"trials": left}),))
        return [make_row(self, claim, judgement, trials)]

    def _alone(self, trials: Sequence[Trial], confidence: float) -> Judgement:
        """The rule on trials of one setting inside the condition."""
        successes = sum(succeeded(trial, self.success) for trial in trials)
        return rules.judge_sufficient(successes, len(trials), 0, 0, rate=self.rate, confidence=confidence)

    def _with_reach(self, inside: Judgement, outside: Sequence[Trial]) -> Judgement:
        """The judgement with how far beyond the condition success goes on; loose where that is far enough."""
        bands = self.bands(outside)
        reached: Beyond | None = None
        for band in bands:
            if not self._shows(band.successes, band.trials):
                break
            reached = band
        successes, count = sum(band.successes for band in bands), sum(band.trials for band in bands)
        words = f"outside: {successes} of {count}"
        if reached is None or reached.least <= self.absorbed:
            nowhere = "nowhere" if reached is None else f"up to a factor of {reached.least:.3g}"
            limit = "" if reached is None else f", of which a hidden constant absorbs {self.absorbed:g}"
            told = f"{words}; success at {self.rate:g} is shown {nowhere} beyond the condition{limit}"
            return inside.adding(decision=(Clause(Topic.COUNTS, told),))
        told = (
            f"{words}; success at {self.rate:g} goes on at factors of {reached.least:.3g} to {reached.most:.3g} beyond "
            f"the condition ({reached.successes} of {reached.trials}): sufficient, not necessary"
        )
        figures = {BEYOND[0]: reached.least, BEYOND[1]: reached.most, "successes": successes, "trials": count}
        if self.absorbed > 1:
            figures[SERVES] = 1 / reached.least
        clause = Clause(Topic.COUNTS, told, figures)
        return replace(inside.adding(decision=(clause,)), verdict=Verdict.LOOSE)

    def bands(self, outside: Sequence[Trial]) -> list[Beyond]:
        """Trials outside the condition in bands, outward; which trials share one hangs on no result."""
        settings: dict[float, list[bool]] = {}
        for trial in outside:
            factor = round(beyond(self.condition.relation, self.point(trial)), 9)
            settings.setdefault(factor, []).append(succeeded(trial, self.success))
        found: list[list[tuple[float, list[bool]]]] = []
        for factor, shown in sorted(settings.items()):
            last = [len(each) for _, each in found[-1]] if found else []
            by_itself = any(self._shows(count, count) for count in (len(shown), *last[-1:]))
            can_show = self._shows(sum(last), sum(last))
            if not last or (can_show and (by_itself or self._shows(sum(last) - 1, sum(last)))):
                found.append([])
            found[-1].append((factor, shown))
        return list(map(_pooled, found))

    def _shows(self, successes: int, trials: int) -> bool:
        """Whether so many successes show the rate."""
        level = self.policy.equivalence_confidence
        return trials > 0 and estimates.exact_interval(successes, trials, level).low >= self.rate

    def lines(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Judge both sides of the condition, where all other hypotheses are met or open; apart where one fails."""
        others = replace(claim, regime=tuple(h for h in claim.regime if h.relation != self.condition.relation))
        return [replace(row, claim=claim) for row in super().lines(others, trials)]


def beyond(relation: sp.Basic, point: Mapping[sp.Symbol, sp.Expr]) -> float:
    """The factor by which a point misses a condition, of several relations that which is missed most.

    Infinite where one side is not positive, so that no factor says how far away the point is.
    """
    if relation.func is sp.And:
        return max(beyond(part, point) for part in relation.args)
    smaller, larger = (float(sp.N(at(side, point))) for side in (relation.lts, relation.gts))
    if smaller <= larger:
        return 0.0
    return smaller / larger if larger > 0 else math.inf


def _pooled(settings: Sequence[tuple[float, Sequence[bool]]]) -> Beyond:
    shown = [each for _, group in settings for each in group]
    return Beyond(settings[0][0], settings[-1][0], sum(shown), len(shown))
