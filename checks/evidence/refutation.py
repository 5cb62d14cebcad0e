"""Evidence for claims that measurement can only refute, or only show by a construction: attempts, one a trial.

`CounterexampleSearch`: a claim about every algorithm is refuted by one that does better. That attempts fail proves
nothing, so the answer is "refuted" with the attempt named, or "not refuted" with the attempts listed. `Construction`: a
claim that something exists is shown by building it and measuring the conditions it must meet. That it was not found
proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from checks.evidence.comparison import OUTSIDE, Candidate, make_row, profile, sane, scan, setting_words
from checks.evidence.later import estimates, rules
from checks.evidence.part import Outside, Part
from checks.evidence.translation import Symbols
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Explanation, Measurements, Rule, Ruling, Topic, obstacle
from checks.statistics.verdict import Effect, Interval, Judgement, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim, Kind


@dataclass(frozen=True, kw_only=True)
class CounterexampleSearch(Part):
    """Attempts by algorithms to err less than the claim grants any of them, each against the bound at its setting.

    A trial has its error exactly, as observable `exact`, or as `count` errors out of `total`. `words` name an attempt
    in the explanation.
    """

    symbols: Symbols
    words: Callable[[Trial], str]
    exact: str = "error"
    count: str = "n_wrong"
    total: str = "n_test"
    reads_value: ClassVar[bool] = True

    @property
    def outside(self) -> Outside:
        """Attempts outside stay on the picture, greyed."""
        return Outside.GREYED

    @property
    def kinds(self) -> frozenset[Kind]:
        """Claims about every algorithm alone."""
        return frozenset({Kind.EVERY_ALGORITHM})

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Refuted by the first attempt whose upper limit lies below the bound, Bonferroni over those with limits."""
        attempts = sane(trials)
        if not attempts:
            empty = obstacle(Topic.LEFT_OUT, "no attempt was left to count")
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, empty), trials)]
        confidence, intervals = self.limits_confidence(attempts), self.intervals(attempts)

        def judge(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            if not kept:
                return OUTSIDE
            return rules.judge_attempts(
                [intervals[i] for i in kept],
                [candidate.bound(i) for i in kept],
                names=[self.words(attempts[i]) for i in kept],
                confidence=confidence,
            )

        grid = [self.point(trial) for trial in attempts]
        judgement, candidate = profile(claim, judge, scan(claim, grid, least=-math.inf))
        points = tuple(
            Point(
                value=float(number),
                bound=bound,
                measured=self.error(trial),
                low=interval.low,
                high=interval.high,
                in_regime=usable,
                n_trials=1,
            )
            for number, (trial, interval, bound, usable) in enumerate(
                zip(attempts, intervals, candidate.bounds, candidate.usable, strict=True), start=1
            )
        )
        return [make_row(self, claim, judgement, trials, points=points)]

    def error(self, trial: Trial) -> float:
        """An attempt's error, exact or observed."""
        if self.exact in trial.result.observables:
            return trial.number(self.exact)
        return int(trial.number(self.count)) / int(trial.number(self.total))

    def limits_confidence(self, trials: Sequence[Trial]) -> float:
        """Confidence of the interval of an attempt whose errors were counted, the error shared among all of those."""
        n_counted = sum(self.exact not in trial.result.observables for trial in trials)
        # Only the upper end is looked at, so each interval may miss by twice its share.
        return 2 * self.policy.each_of(n_counted) - 1

    def intervals(self, trials: Sequence[Trial]) -> list[Interval]:
        """One a trial: of width zero where the error is exact, exact binomial where it was counted."""
        confidence, found = self.limits_confidence(trials), []
        for trial in trials:
            if self.exact in trial.result.observables:
                found.append(Interval(trial.number(self.exact), trial.number(self.exact)))
            else:
                count, total = (int(trial.number(name)) for name in (self.count, self.total))
                found.append(estimates.exact_interval(count, total, confidence))
        return found


@dataclass(frozen=True, kw_only=True)
class Construction(Part):
    """Constructions for an existence claim: at every setting a trial must build one that meets all stated `conditions`.

    Attributes:
        conditions: by the words that name each, what a trial must show.
        built: what was built and measured, in words.
        attempts: parameters that whoever builds may choose; trials that differ in them alone are of one setting. "For
            every learner there are losses": the losses are an attempt, the learner is part of the setting.
    """

    conditions: Mapping[str, Callable[[Trial], bool]]
    built: Callable[[Trial], str]
    attempts: tuple[str, ...] = ()

    @property
    def kinds(self) -> frozenset[Kind]:
        """Claims that something exists."""
        return frozenset({Kind.EXISTENCE})

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Satisfiable where each setting has a trial that meets all conditions; else the first failure is named."""
        settings: dict[str, list[Trial]] = {}
        for trial in trials:
            setting = [item for item in sorted(trial.spec.parameters.items()) if item[0] not in self.attempts]
            settings.setdefault(repr(setting), []).append(trial)
        first_built = [next(filter(self.meets_all, group), None) for group in settings.values()]
        constructions = [trial for trial in first_built if trial is not None]
        if constructions and len(constructions) == len(first_built):
            clauses = tuple(Clause(Topic.FINDING, f"built: {self.built(trial)}") for trial in constructions)
            explanation = Explanation(
                Ruling(rule=Rule.CONSTRUCTION, clauses=clauses), Measurements(len(constructions), "settings")
            )
            judgement = Judgement(Verdict.SATISFIABLE, explanation, effect=Effect(interval_kind="exact"))
            return [make_row(self, claim, judgement, trials)]
        open_setting = list(settings.values())[first_built.index(None)]
        missed = [name for name, shows in self.conditions.items() if not any(map(shows, sane(open_setting)))]
        words = " and ".join(missed) or "all conditions at once"
        said = (
            f"no construction among {len(open_setting)} attempts at {setting_words(open_setting[0])}: {words} not met"
        )
        ruling = Ruling(
            rule=Rule.CONSTRUCTION, obstacles=(Clause(Topic.NO_CONSTRUCTION, said, {"attempts": len(open_setting)}),)
        )
        explanation = Explanation(ruling).adding(evidence=(Clause(Topic.COUNTS, self.built(open_setting[0])),))
        return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, explanation), trials)]

    def meets_all(self, trial: Trial) -> bool:
        """Whether one trial meets all conditions at once."""
        return trial in sane([trial]) and all(shows(trial) for shows in self.conditions.values())
