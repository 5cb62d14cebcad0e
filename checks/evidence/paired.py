"""Paired differences: two observables of the same trial, whose mean difference is to lie within stated margins.

A trial trains, or measures, two things with one seed. The part names both observables and the margins, which stand in
the check and so before any trial. A difference says something only where the second of the two, the reference, is
clearly above what chance gives: two networks that have learnt nothing do not differ either. Trials below that `bar`
are counted, and where one is, the part decides nothing.

A statement is accused on as many pairs as any mean without a stated range is judged by, 20. The interval trusts a
handful of differences to be nearly normal; where they are skewed, five of them accuse a true statement several times as
often as stated.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from checks.evidence.comparison import make_row, sane
from checks.evidence.family import judged_in_family, shared_by
from checks.evidence.later import means, rules
from checks.evidence.part import Part
from checks.evidence.pooling import held_by_each
from checks.records.pictures import Picture
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Plan, Verdict
from sim.trials.trial import Outcome, Trial
from theory.claim import Claim, Kind


@dataclass(frozen=True, kw_only=True)
class PairedDifference(Part):
    """The mean of `first` less `second` lies above `low` and below `high`.

    Attributes:
        first, second: observables of a trial, in the same unit.
        low, high: margins stated beforehand; low = -0.03 alone is non-inferiority by 3 points, both are equivalence,
            high = 0 alone says that the first is smaller.
        bar: what the reference of each trial must exceed; a function of the trial where chance differs by trial.
        reference: the observable held against the bar; the second where it is left empty.
        estimand: "mean" for a statement on E[.], which 59 pairs are asked for, "typical" for one on most pairs.
        bounds: what both observables can be at all; a stored trial with another value is refused as damaged.
        pictures: draws the first trial.
    """

    first: str
    second: str
    low: float = -math.inf
    high: float = math.inf
    bar: float | Callable[[Trial], float] = -math.inf
    reference: str = ""
    estimand: str | None = None
    bounds: tuple[float, float] = (-math.inf, math.inf)
    pictures: Callable[[Trial], tuple[Picture, ...]] | None = None

    @property
    def has_sampling_error(self) -> bool:
        """Each trial is a draw."""
        return True

    @property
    def kinds(self) -> frozenset[Kind]:
        """Figures, behaviours and inequalities, which state no value."""
        return frozenset({Kind.FIGURE, Kind.BEHAVIOUR, Kind.INEQUALITY, Kind.OPEN})

    def difference(self, trial: Trial) -> float:
        """The first less the second.

        Raises:
            ValueError: one of them is not finite, or lies outside the bounds.
        """
        return self._value(trial, self.first) - self._value(trial, self.second)

    def _value(self, trial: Trial, name: str) -> float:
        value, (low, high) = trial.number(name), self.bounds
        if not (math.isfinite(value) and low <= value <= high):
            raise ValueError(f"{name} must be finite and from {low:g} to {high:g}, got {value:g}")
        return value

    def is_heard(self, trial: Trial) -> bool:
        """Whether the reference is above the bar, so that a difference says something."""
        bar = self.bar if isinstance(self.bar, int | float) else self.bar(trial)
        return trial.number(self.reference or self.second) > bar

    def met_by(self, trial: Trial) -> bool | None:
        """Whether one trial alone has its reference above the bar and its difference within the margins."""
        if trial.result.outcome == Outcome.DIVERGED:
            return False
        return self.is_heard(trial) and self.low < self.difference(trial) < self.high

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The interval of the mean difference; nothing is decided where runs diverged or learnt nothing."""
        kept = sane(trials)
        mute = sum(not self.is_heard(trial) for trial in kept)
        if mute or not kept:
            words = f"{mute} of {len(kept)} trials have {self.reference or self.second} at or below its bar"
            silent = obstacle(Topic.UNDEFINED, words, below_bar=mute, trials=len(kept))
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, silent), trials)]

        def rule(trials: Sequence[Trial], confidence: float) -> Judgement:
            asked = {"estimand": self.estimand, "confidence": confidence, "independent": True}
            return rules.judge_paired(list(map(self.difference, trials)), low=self.low, high=self.high, **asked)

        judgement = judged_in_family(self, claim, functools.partial(rule, kept), trials=len(kept))
        judgement = held_by_each(judgement, kept, rule, confidence=self.confidence)
        if shared_by(self, claim) > 1:
            judgement = _not_accused_on_few(judgement, len(kept))
        names = " less ".join(name.replace("_", " ") for name in (self.first, self.second))
        judgement = judgement.adding(evidence=(Clause(Topic.FINDING, f"differences are {names}"),))
        if len(kept) < len(trials) and judgement.verdict is not Verdict.INCONCLUSIVE:
            lost = "a run that diverged has no difference, and leaving it out would favour whoever diverges"
            judgement = judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.DIVERGED, lost))
        drawn = self.pictures(kept[0]) if self.pictures and kept[0].result.curves else ()
        return [make_row(self, claim, judgement, trials, pictures=drawn)]


def _not_accused_on_few(judgement: Judgement, count: int) -> Judgement:
    """The judgement of a statement, not "violated" on fewer pairs than show the tails of their differences."""
    if judgement.verdict is not Verdict.VIOLATED or count >= means.MIN_REPLICATES:
        return judgement
    words = f"violated if {count} differences are nearly normal, which so few do not show"
    few = Clause(Topic.SHORTAGE, words, {"pairs": count})
    return judgement.withdrawn(Verdict.INCONCLUSIVE, few, plan=Plan(1, means.MIN_REPLICATES), unit="pairs")
