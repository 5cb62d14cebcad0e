"""Kinds of evidence made of simulator trials: each turns trials into estimates and hands them to the rule of the kind.

`Scaling` (a quantity per trial along an axis), `Excess` (what it has beyond an unknown offset), `LimitValue` (where it
goes there), `LimitLaw` (what its law becomes), `LawDistance` (how fast), `Transition` (where it begins), `Threshold`
(success curves along an axis), `Rate` (an exponent inside each trial), `Range` (exact dynamics, no sampling error),
`Fraction` (counts against an explicit bound), `Behaviour` (a boolean per trial), `Sufficient` (success inside and
outside a condition), `Agreement` (an identity measured as an error). What they share is in
`checks.evidence.comparison`, the verdict rules are in `checks.statistics.judge`; evidence by symbols is in
`checks.evidence.proofs`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import sympy as sp

from checks.evidence.along import EXPLICIT_BOUNDS
from checks.evidence.comparison import (
    OUTSIDE,
    Candidate,
    make_row,
    profile,
    relation_of,
    sane,
    scan,
    setting_words,
)
from checks.evidence.excesses import Excess
from checks.evidence.family import judged_in_family
from checks.evidence.later import estimates, rules, value_rules
from checks.evidence.law_distances import LawDistance
from checks.evidence.limit_laws import LimitLaw
from checks.evidence.limit_values import LimitValue
from checks.evidence.part import Outside, Part
from checks.evidence.pooling import held_by_each
from checks.evidence.pooling import places as places_of
from checks.evidence.scaling import Scaling
from checks.evidence.sufficient import Sufficient
from checks.evidence.thresholds import Threshold
from checks.evidence.trajectories import Range, Rate
from checks.evidence.transitions import Transition
from checks.evidence.translation import Symbols
from checks.evidence.trial_bounds import AtMost
from checks.records.many_trials import each, kept, number, numbers
from checks.records.pictures import Picture
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Outcome, Trial
from theory.claim import Claim, Kind

__all__ = [
    "Agreement",
    "Behaviour",
    "Excess",
    "Fraction",
    "LawDistance",
    "LimitLaw",
    "LimitValue",
    "Range",
    "Rate",
    "Scaling",
    "Sufficient",
    "Threshold",
    "Transition",
]


@dataclass(frozen=True, kw_only=True)
class Fraction(Part):
    """An observed fraction out of a known number, against an explicit bound on it or on the number counted.

    A trial that diverged and recorded both numbers counts as they say: leaving failures out would raise the share.
    """

    count: str
    total: str
    bounds: str
    """What the claim's value bounds: "share", of the units or their probability, or "count", of a trial's units."""
    symbols: Symbols
    of_bound: float = 1.0
    """Multiplies the bound, where the text hides a constant that a reading grants."""
    units_independent: bool = False
    """Set where the units of a trial are drawn independently of each other: all of a point's are then one count."""
    reads_value: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bounds not in ("share", "count"):
            raise ValueError(f"bounds must be 'share' or 'count', got {self.bounds!r} for part {self.name!r}")

    @property
    def has_sampling_error(self) -> bool:
        """Each trial is a draw."""
        return True

    @property
    def outside(self) -> Outside:
        """Settings outside stay on the picture, greyed."""
        return Outside.GREYED

    @property
    def kinds(self) -> frozenset[Kind]:
        """Explicit bounds alone."""
        return EXPLICIT_BOUNDS

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The explicit rule on counts by trial, one comparison per parameter setting."""
        groups, counts, totals = self._counts(trials)
        if not groups:
            empty = obstacle(Topic.LEFT_OUT, "no run was left to count")
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, empty), trials)]
        found, of = (counts, totals) if self.units_independent else self._by_trial(groups)

        def judge(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            if not kept:
                return OUTSIDE
            rule = functools.partial(
                rules.judge_fraction,
                [found[i] for i in kept],
                [of[i] for i in kept],
                [self._of_share(candidate.bound(i), totals[i] / len(groups[i])) for i in kept],
                relation=relation_of(claim.kind),
                independent=True,  # every trial has a seed of its own
            )
            n_trials = sum(len(groups[i]) for i in kept)
            per_trial = sum(totals[i] for i in kept) / n_trials

            def by_trials(confidence: float) -> Judgement:
                return _planned_in_trials(rule(confidence=confidence), per_trial)

            return judged_in_family(self, claim, by_trials, trials=n_trials).placed([places[i] for i in kept])

        places = places_of([group[0] for group in groups])
        grid = [self.point(group[0]) for group in groups]
        judgement, candidate = profile(claim, judge, scan(claim, grid, least=-math.inf))
        points = tuple(
            _counted(
                count,
                total,
                len(group),
                self.confidence,
                bound=None if bound is None else self._of_share(bound, total / len(group)) * total / len(group),
                in_regime=usable,
            )
            for count, total, group, bound, usable in zip(
                counts, totals, groups, candidate.bounds, candidate.usable, strict=True
            )
        )
        return [make_row(self, claim, judgement, trials, points=points)]

    def _of_share(self, bound: float, units: float) -> float:
        """The bound on the share of units, of which a trial has so many."""
        return self.of_bound * (bound if self.bounds == "share" else bound / units)

    def _counts(self, trials: Sequence[Trial]) -> tuple[list[list[Trial]], list[int], list[int]]:
        """Trials of each parameter setting that counted something, what they counted, and out of how many."""
        settings: dict[str, list[Trial]] = {}
        for trial in trials:
            if not {self.count, self.total} <= trial.result.observables.keys():
                continue  # it diverged before anything could be counted
            settings.setdefault(repr(sorted(trial.spec.parameters.items())), []).append(trial)
        groups = list(settings.values())
        counts, totals = ([sum(each) for each in by_trial] for by_trial in self._by_trial(groups))
        return groups, counts, totals

    def _by_trial(self, groups: Sequence[Sequence[Trial]]) -> tuple[list[list[int]], list[list[int]]]:
        """What each trial of each setting counted, and out of how many."""
        counts, totals = (
            [[int(trial.number(name)) for trial in group] for group in groups] for name in (self.count, self.total)
        )
        return counts, totals

    def nears_bound(self, claim: Claim, trials: Sequence[Trial]) -> bool:
        """By the trend of measured / bound along the path, for every choice of hidden constants."""
        groups, counts, totals = self._counts(trials)
        if self.path is None or not groups:
            return False
        grid = [self.point(group[0]) for group in groups]
        places = [float(sp.N(point[self.path.symbol])) for point in grid]

        def nears(candidate: Candidate) -> bool:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            bounds = [self._of_share(candidate.bound(i), totals[i] / len(groups[i])) for i in kept]
            path = [places[i] for i in kept]
            counted = [counts[i] for i in kept], [totals[i] for i in kept]
            toward = self.path.toward if self.path else "infinity"
            return bool(kept) and value_rules.nears_bound(
                path, *counted, bounds, relation=relation_of(claim.kind), toward=toward
            )

        return any(map(nears, scan(claim, grid, least=-math.inf)))


@dataclass(frozen=True, kw_only=True)
class Behaviour(Part):
    """A yes-or-no behaviour of a trial, stated beforehand, and the rate at which it must hold; 1 is every trial.

    A behaviour that is claimed in a limit names the `parameter` that goes `toward` it; it is then judged along the path
    by `checks.statistics.value_rules`, its last third first. `horizon` names the parameter up to whose value the
    run was followed, where the claim is for every later time. `pictures` draws one trial, the first, where the claim is
    about a picture. `compares` has words for two observables, before and after a change, where `shows` compares them.
    `where` keeps the trials that leave something to show, as its `where_words` say: the others are counted and decide
    nothing.
    """

    shows: Callable[[Trial], bool]
    rate: float
    parameter: str = ""
    toward: str | float = "infinity"
    horizon: str = ""
    pictures: Callable[[Trial], tuple[Picture, ...]] | None = None
    compares: Mapping[str, str] = field(default_factory=dict)
    where: Callable[[Trial], bool] | None = None
    where_words: str = ""
    passes_too: Callable[[Sequence[Trial]], str] | None = None
    """What the claim denies and all trials of the part, those that `where` leaves out among them, would show as well,
    and what would tell; "" where they tell it apart. A claim that holds there is inconclusive."""
    excludes: Callable[[Sequence[Trial]], str] | None = None
    """Of a claim that holds: which rivals all these trials tell it from, and which not; "" where that is all."""
    quantity: str = ""
    """What the behaviour is of, in words, where the claim's own observable is something else."""
    constant: str = ""
    """The constant of the claim's own order that these trials have and that is not 1, in words, "(10)'s 10"; a headline
    that stands with constants of 1 excepts it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.rate <= 1:
            raise ValueError(f"rate must lie in (0, 1], got {self.rate} for part {self.name!r}")
        if self.parameter and self.rate == 1:
            raise ValueError(f"rate must be < 1 along a path, got 1 for part {self.name!r}")

    @property
    def has_sampling_error(self) -> bool:
        """Each trial is a draw."""
        return True

    @property
    def continued_parameters(self) -> tuple[str, ...]:
        """The parameter of its path."""
        return (self.parameter,) if self.parameter else ()

    @property
    def kinds(self) -> frozenset[Kind]:
        """Every kind but those whose value a rate cannot be held against."""
        return frozenset(Kind) - EXPLICIT_BOUNDS - {Kind.EXACT, Kind.IDENTITY, Kind.LIMIT, Kind.TRANSITION}

    @property
    def rate_asked(self) -> float:
        """The rate."""
        return self.rate

    def met_by(self, trial: Trial) -> bool | None:
        """Whether a trial shows the behaviour; a diverged trial does not. None where it leaves nothing to show."""
        if trial.result.outcome == Outcome.DIVERGED:
            return False
        return self.shows(trial) if self.where is None or self.where(trial) else None

    def shown(self, trials: Sequence[Trial]) -> list[bool]:
        """Of every trial that takes part, whether it shows the behaviour."""
        return [met for trial in trials if (met := self.met_by(trial)) is not None]

    def judges_limit(self, claim: Claim) -> bool:
        """Along its own parameter it is; a pooled rate is not."""
        return bool(self.parameter)

    @property
    def counts_alone(self) -> bool:
        """Whether its judgement rests on counts by setting alone, whatever else the trials hold and in which order."""
        return not (self.passes_too or self.excludes or self.pictures or self.remark)

    @property
    def counts_lost(self) -> bool:
        """Where no run may leave nothing to show."""
        return self.where is None and not (self.passes_too or self.excludes)

    @property
    def is_monotone(self) -> bool:
        """A pooled rate is, and so is that of each setting; whether a rate rises along a path is not."""
        return not self.parameter

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Exact binomial rule, at once or along the path. The first trial without the behaviour is named."""
        every, met = trials, {id(trial): self.met_by(trial) for trial in each(trials)}
        trials = kept(every, lambda trial: met[id(trial)] is not None)
        shown = number(trials, lambda trial: met[id(trial)])
        words = f"{len(trials)} of {len(every)} trials {self.where_words}"
        if not trials:
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.SELECTION, words)), every)]

        def rule(confidence: float) -> Judgement:
            if self.parameter:
                return self._along_path(trials, met, confidence)
            return rules.judge_behaviour(shown, len(trials), rate=self.rate, confidence=confidence)

        judgement = judged_in_family(self, claim, rule, trials=len(trials))
        if not self.parameter:
            judgement = held_by_each(judgement, trials, self._alone, confidence=self.confidence)
        if self.horizon:
            last = max(float(trial.spec.parameters[self.horizon]) for trial in each(trials))
            followed = f"followed to {self.horizon.replace('_', ' ')} = {last:g}"
            judgement = judgement.adding(limits=(Clause(Topic.HORIZON, followed, {"horizon": last}),))
        if shown < len(trials):
            failing = _failing_words(self.shows, [trial for trial in each(trials) if not met[id(trial)]])
            judgement = judgement.adding(evidence=(Clause(Topic.SETTING, failing),))
        if self.where:
            judgement = judgement.adding(
                choices=(Clause(Topic.SELECTION, words, {"counted": len(trials), "of": len(every)}),)
            )
        if self.passes_too and judgement.verdict is Verdict.HOLDS and (blind := self.passes_too(every)):
            judgement = judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.OTHER_LAW, blind))
        drawn = self.pictures(trials[0]) if self.pictures and trials[0].result.curves else ()
        row = make_row(self, claim, judgement, every, pictures=drawn)
        told = self.excludes(every) if self.excludes and judgement.verdict is Verdict.HOLDS else ""
        shown_of = replace(row.display, quantity=self.quantity)
        return [replace(row, protocol=replace(row.protocol, excludes=told, but_for=self.constant), display=shown_of)]

    def _alone(self, trials: Sequence[Trial], confidence: float) -> Judgement:
        """The rule on trials of one setting."""
        shown = number(trials, self.met_by)
        return rules.judge_behaviour(shown, len(trials), rate=self.rate, confidence=confidence)

    def _along_path(self, trials: Sequence[Trial], met: Mapping[int, bool | None], confidence: float) -> Judgement:
        counts: dict[float, list[int]] = {}
        for trial, times in zip(each(trials), numbers(trials), strict=True):
            count = counts.setdefault(float(trial.spec.parameters[self.parameter]), [0, 0])
            count[0] += times if met[id(trial)] else 0
            count[1] += times
        sizes = sorted(counts)
        judgement = value_rules.judge_path_behaviour(
            sizes,
            [counts[size][0] for size in sizes],
            [counts[size][1] for size in sizes],
            rate=self.rate,
            toward=self.toward,
            confidence=confidence,
        )
        told = judgement.explanation
        told = replace(told, evidence=replace(told.evidence, axis=self.parameter.replace("_", " ")))
        return replace(judgement, explanation=told)


_MOST_SHOWN = 3
"""Observables of a trial that are named beside it: more hide the one that counts."""


def _failing_words(shows: Callable[[Trial], bool], failing: Sequence[Trial]) -> str:
    """Where a behaviour does not show, and what stands there: of a bound the trial that misses it by most."""
    ended = [trial for trial in failing if trial.result.outcome is not Outcome.DIVERGED]
    if not isinstance(shows, AtMost) or not ended:
        seen = failing[0].result.observables
        told = ", ".join(f"{name} = {value!r}" for name, value in seen.items()) if len(seen) <= _MOST_SHOWN else ""
        return f"not at {setting_words(failing[0])}{f', where {told}' if told else ''}"
    worst = max(ended, key=shows.above)
    return f"not at {setting_words(worst)}: {shows.words(worst)}"


@dataclass(frozen=True, kw_only=True)
class Agreement(Part):
    """An identity measured as relative errors, against a floating-point tolerance."""

    knows_nan: ClassVar[bool] = True
    """An error that is no number is the worst."""
    observable: str
    tolerance: float = 1e-10

    @property
    def kinds(self) -> frozenset[Kind]:
        """Identities, and definitions that equate two quantities."""
        return frozenset({Kind.IDENTITY, Kind.DEFINITION})

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Every trial's error must stay within the tolerance; the worst is named."""
        measured = sane(trials)
        if not measured:
            empty = obstacle(Topic.LEFT_OUT, "no run was left to compare")
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, empty), trials)]
        errors = [abs(trial.number(self.observable)) for trial in measured]
        judgement = rules.judge_identity(errors, self.tolerance)
        if judgement.verdict is Verdict.REFUTED:
            worst = max(range(len(errors)), key=lambda i: math.inf if math.isnan(errors[i]) else errors[i])
            place = f"worst at {setting_words(measured[worst])}"
            judgement = judgement.adding(evidence=(Clause(Topic.SETTING, place),))
        return [make_row(self, claim, judgement, trials)]


def _planned_in_trials(judgement: Judgement, per_trial: float) -> Judgement:
    """The judgement of pooled units, with what would decide in trials of so many units each: trials are what is run."""
    plan = judgement.plan
    if plan is None or judgement.explanation.next.unit != "units":
        return judgement
    trials = replace(plan, n_replicates=math.ceil(plan.n_replicates / per_trial))
    return judgement.withdrawn(judgement.verdict, plan=trials, unit="trials")


def _counted(
    count: int, total: int, n_trials: int, confidence: float, *, bound: float | None, in_regime: bool
) -> Point:
    """A count per trial with its exact interval, against its bound."""
    size = total / n_trials
    interval = estimates.exact_interval(count, total, confidence)
    return Point(
        value=size,
        bound=bound,
        measured=count / n_trials,
        low=interval.low * size,
        high=interval.high * size,
        in_regime=in_regime,
        n_trials=n_trials,
    )
