"""Evidence for claims that measurement can only refute, or only show by a construction: attempts, one a trial.

`CounterexampleSearch`: a claim about every algorithm is refuted by one that does better, or worse where it bounds what
all of a class err at most. That attempts fail proves
nothing, so the answer is "refuted" with the attempt named, or "not refuted" with the attempts listed. `Construction`: a
claim that something exists is shown by building it and measuring the conditions it must meet. That it was not found
proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from checks.evidence.comparison import OUTSIDE, Candidate, make_row, profile, sane, scan, setting_words
from checks.evidence.later import estimates, means, rules
from checks.evidence.part import Outside, Part
from checks.evidence.translation import Symbols
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Explanation, Measurements, Rule, Ruling, Topic, counted, obstacle
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Effect, Interval, Judgement, Verdict
from sim.trials.trial import Outcome, Trial, TrialResult
from theory.claim import Claim, Kind

BEYOND_ALL = 1e300
"""An error above every bound, and with a minus below."""


def setting_of(trial: Trial) -> str:
    """The parameters of a trial, as one text."""
    return repr(sorted(trial.spec.parameters.items()))


@dataclass(frozen=True, kw_only=True)
class CounterexampleSearch(Part):
    """Attempts by algorithms to err less than the claim grants any of them, each against the bound at its setting.

    Of an explicit upper bound on a class they are attempts to err more: all members are one part. A trial has its error
    exactly, as observable `exact`, or as `count` errors out of `total`. `words` name an attempt in the explanation.

    Attributes:
        member: where the paper bounds "every algorithm in the class", the parameter whose values are the members that
            are tried; a verdict against the claim names the one that fails, and `words` are not needed.
        estimand: "mean" where the claim is on the expected error of an algorithm, so that runs of one setting are one
            attempt, judged by their mean; "each" where it is on every run. To be said where such runs differ.
    """

    symbols: Symbols
    words: Callable[[Trial], str] | None = None
    member: str = ""
    estimand: str = ""
    exact: str = "error"
    count: str = "n_wrong"
    total: str = "n_test"
    reads_value: ClassVar[bool] = True
    contradicts: ClassVar[Verdict] = Verdict.REFUTED

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.words is None and not self.member:
            raise ValueError(f"words or member must say whose attempt it is, got neither for part {self.name!r}")
        if self.estimand not in ("", "mean", "each"):
            raise ValueError(f"estimand must be 'mean' or 'each', got {self.estimand!r} for part {self.name!r}")

    @property
    def outside(self) -> Outside:
        """Attempts outside stay on the picture, greyed."""
        return Outside.GREYED

    @property
    def kinds(self) -> frozenset[Kind]:
        """Claims about every algorithm, and upper bounds on all of a class."""
        return frozenset({Kind.EVERY_ALGORITHM, Kind.EXPLICIT_UPPER})

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Refuted by an attempt whose limits lie beyond the bound, Bonferroni over those with limits."""
        runs = sane(trials)
        if not runs:
            empty = obstacle(Topic.LEFT_OUT, "no attempt was left to count")
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, empty), trials)]
        attempts = self.attempts_of(runs)
        relation = "upper" if claim.kind is Kind.EXPLICIT_UPPER else "lower"
        confidence, intervals = self.limits_confidence(attempts), self.intervals(attempts)

        def judge(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            if not kept:
                return OUTSIDE
            names = self.names_of([attempts[i] for i in kept])
            if unclear := self.unclear([attempts[i] for i in kept], names):
                return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.SHORTAGE, unclear))
            member = self.member
            return rules.judge_attempts(
                [intervals[i] for i in kept],
                [candidate.bound(i) for i in kept],
                names=names,
                members={member: [str(attempts[i][0].spec.parameters[member]) for i in kept]} if member else {},
                relation=relation,
                confidence=confidence,
            )

        grid = [self.point(attempt[0]) for attempt in attempts]
        judgement, candidate = profile(claim, judge, scan(claim, grid, least=-math.inf))
        points = tuple(
            Point(
                value=float(number),
                bound=bound,
                measured=math.fsum(map(self.error, attempt)) / len(attempt),
                low=interval.low,
                high=interval.high,
                in_regime=usable,
                n_trials=len(attempt),
                sequence=str(attempt[0].spec.parameters[self.member]) if self.member else "",
            )
            for number, (attempt, interval, bound, usable) in enumerate(
                zip(attempts, intervals, candidate.bounds, candidate.usable, strict=True), start=1
            )
        )
        return [make_row(self, claim, judgement, trials, points=points)]

    def with_lost(self, left: Sequence[Trial], lost: Sequence[Trial]) -> Iterator[Sequence[Trial]]:
        """Without all runs of settings that lost one, and as if those had refuted the claim, whichever it is.

        A member that lost no run refutes a claim whatever others did.
        """
        gone = {setting_of(trial) for trial in lost}
        whole = [trial for trial in left if setting_of(trial) not in gone]
        if whole:
            yield whole
        for error in (-BEYOND_ALL, BEYOND_ALL):
            result = TrialResult(Outcome.CONVERGED, {self.exact: error})
            yield [*whole, *(replace(trial, result=result) for trial in lost)]

    def attempts_of(self, runs: Sequence[Trial]) -> list[list[Trial]]:
        """One a run; where the claim is on expected errors, or nobody said and runs of one setting differ, one a
        setting.
        """
        settings: dict[str, list[Trial]] = {}
        for trial in runs:
            settings.setdefault(setting_of(trial), []).append(trial)
        if self.estimand == "mean" or (not self.estimand and any(map(self.is_random, settings.values()))):
            return list(settings.values())
        return [[trial] for trial in runs]

    def is_random(self, attempt: Sequence[Trial]) -> bool:
        """Whether runs of one setting have other exact errors than each other."""
        is_exact = all(self.exact in trial.result.observables for trial in attempt)
        return is_exact and len(set(map(self.error, attempt))) > 1

    def unclear(self, attempts: Sequence[Sequence[Trial]], names: Sequence[str]) -> str:
        """Why attempts of several runs each cannot be judged; "" where they can."""
        random = next((i for i, attempt in enumerate(attempts) if len(attempt) > 1 and self.is_random(attempt)), None)
        if random is None:
            return ""
        if not self.estimand:
            return (
                f"runs of one setting err differently ({names[random]}): estimand must say whether the claim is on the "
                "expected error of an algorithm ('mean') or on every run ('each')"
            )
        few = any(len(attempt) < means.MIN_REPLICATES for attempt in attempts if self.is_random(attempt))
        return f"a mean of runs that differ needs {means.MIN_REPLICATES} of each setting, and some have fewer" * few

    def names_of(self, attempts: Sequence[Sequence[Trial]]) -> list[str]:
        """Whose attempt each is: `words`, or the member with the numbers that are not the same for all."""
        if self.words is not None:
            return [self.words(attempt[0]) for attempt in attempts]
        chosen = [attempt[0].spec.parameters for attempt in attempts]
        moved = [name for name in chosen[0] if name != self.member and len({each.get(name) for each in chosen}) > 1]
        settings = [", ".join(f"{name} = {each.get(name)}" for name in moved) for each in chosen]
        pairs = zip(chosen, settings, strict=True)
        return [f"{each[self.member]}{f' ({setting})' if setting else ''}" for each, setting in pairs]

    def error(self, trial: Trial) -> float:
        """An attempt's error, exact or observed."""
        if self.exact in trial.result.observables:
            return trial.number(self.exact)
        return int(trial.number(self.count)) / int(trial.number(self.total))

    def limits_confidence(self, attempts: Sequence[Sequence[Trial]]) -> float:
        """Confidence of the interval of an attempt that has one, the error shared among all of those."""
        n_limited = sum(self.exact not in attempt[0].result.observables or len(attempt) > 1 for attempt in attempts)
        # Only one end is looked at, so each interval may miss by twice its share.
        return 2 * self.policy.each_of(n_limited) - 1

    def intervals(self, attempts: Sequence[Sequence[Trial]]) -> list[Interval]:
        """One an attempt: of width zero where the error is exact, exact binomial where it was counted, of the mean of
        several runs.
        """
        confidence, found = self.limits_confidence(attempts), []
        for attempt in attempts:
            if all(self.exact in trial.result.observables for trial in attempt):
                found.append(self.mean_limits(list(map(self.error, attempt)), confidence))
            else:
                count, total = (sum(int(trial.number(name)) for trial in attempt) for name in (self.count, self.total))
                found.append(estimates.exact_interval(count, total, confidence))
        return found

    @staticmethod
    def mean_limits(errors: Sequence[float], confidence: float) -> Interval:
        """Limits of the mean of exact errors; without a width where all are one number."""
        if len(set(errors)) == 1:
            return Interval(errors[0], errors[0])
        (mean,), _ = means.point_means([list(errors)], ErrorPolicy(confidence), None)
        return mean.wide


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
        """Claims that something exists, and figures that show an example."""
        return frozenset({Kind.EXISTENCE, Kind.FIGURE})

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
        at = setting_words(open_setting[0], leaving_out=self.attempts)
        said = f"no construction among {counted(len(open_setting), 'attempts')} at {at}: {words} not met"
        ruling = Ruling(
            rule=Rule.CONSTRUCTION, obstacles=(Clause(Topic.NO_CONSTRUCTION, said, {"attempts": len(open_setting)}),)
        )
        advice = "an attempt of another kind at this setting would; more of those that failed refute nothing"
        explanation = Explanation(ruling).adding(
            evidence=(Clause(Topic.COUNTS, self.built(open_setting[0])),), next=(Clause(Topic.ROUTE, advice),)
        )
        return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, explanation), trials)]

    def asks(self, trial: Trial) -> object:
        """Whether the construction meets the conditions."""
        return self.meets_all(trial)

    def with_lost(self, left: Sequence[Trial], lost: Sequence[Trial]) -> Iterator[Sequence[Trial]]:
        """As if no lost attempt had built one: what others have built stands."""
        yield [*left, *(replace(trial, result=TrialResult(Outcome.DIVERGED, {})) for trial in lost)]

    def meets_all(self, trial: Trial) -> bool:
        """Whether one trial meets all conditions at once."""
        return trial in sane([trial]) and all(shows(trial) for shows in self.conditions.values())
