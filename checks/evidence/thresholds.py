"""The size at which half of the trials succeed, from success curves along one axis.

`Threshold` holds the sizes against a claimed value. `SuccessCurves` is what it shares with `checks.evidence.rising`,
where a claim says only that more of something needs larger sizes. At which level a trial succeeds is the paper's word
or a choice; `levels` judges the same trials at others as well, which is said and decides nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.along import VALUED, Along
from checks.evidence.comparison import (
    NO_RATIO,
    Candidate,
    in_scaling_family,
    relation_of,
    succeeded,
)
from checks.evidence.family import judged_in_family
from checks.evidence.later import adaptive_design, estimates, rules, special
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic, obstacle, size_words
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Interval, Judgement, Verdict
from sim.trials.trial import Outcome, Trial, TrialSpec
from theory.claim import Claim, Hypothesis, Kind

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate


def by_size(trials: Sequence[Trial], size: str, shows: Callable[[Trial], bool]) -> dict[int, list[bool]]:
    """What each trial of one success curve shows, by its size."""
    found: dict[int, list[bool]] = {}
    for trial in trials:
        found.setdefault(int(trial.spec.parameters[size]), []).append(shows(trial))
    return found


def is_at(level: Callable[[Trial], bool], trial: Trial) -> bool:
    """Whether a trial succeeds at another level of success; a diverged trial succeeds at none."""
    return trial.result.outcome != Outcome.DIVERGED and level(trial)


def counted_by_size(shown: Mapping[int, Sequence[bool]]) -> tuple[list[int], list[int], list[int]]:
    """Sizes, successes and trials of one success curve."""
    return list(shown), [sum(one) for one in shown.values()], [len(one) for one in shown.values()]


def against_order(
    part: Along, claim: Claim, candidate: Candidate, usable: Sequence[int], found: Mapping[float, Estimate]
) -> Judgement:
    """Delta rule over estimates with their own uncertainty, one by place of the axis."""
    places = list(found)
    return rules.judge_thresholds(
        [places[i] for i in usable],
        [found[places[i]] for i in usable],
        [candidate.bound(i) for i in usable],
        relation=relation_of(claim.kind),
        margin=float(claim.margin),
        toward=candidate.toward,
        policy=in_scaling_family(part.policy, claim).of_choice(candidate.error_share),
    )


@dataclass(frozen=True, kw_only=True)
class SuccessCurves(Along):
    """Success against size, one curve at each place of an axis.

    `success` names the boolean observable that decides. `levels` are other criteria of success by their names, applied
    to the same trials: thresholds and exponents at each are said, and decide nothing. `hatched` are
    hypotheses that a claim does not make and its picture shows: cells that fail one are hatched, which decides nothing.
    """

    size: str = "n_samples"
    success: str = "success"
    levels: Mapping[str, Callable[[Trial], bool]] = field(default_factory=dict)
    hatched: tuple[Hypothesis, ...] = ()

    @property
    def grid_parameters(self) -> tuple[str, ...]:
        """The axis and the sample size."""
        return self.parameter, self.size

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The grid's: all trials at one place are judged together."""
        return self.grid_parameters

    @property
    def placements(self) -> frozenset[Placement]:
        """A grid of sizes, or adaptive rounds on a ladder through it."""
        return frozenset(Placement)

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> Sequence[TrialSpec]:
        """The whole grid at once, or the trials that tell most about the thresholds after those before."""
        if placement is Placement.GRID:
            return super().next_round(preset, trials, placement)
        succeeds = functools.partial(succeeded, observable=self.success)
        return adaptive_design.next_specs(self.specs(preset), trials, size=self.size, succeeds=succeeds)

    def met_by(self, trial: Trial) -> bool | None:
        """Whether the trial succeeded."""
        return succeeded(trial, self.success)

    @property
    def counts_lost(self) -> bool:
        """Curves count successes."""
        return True

    def threshold(self, trials: Sequence[Trial]) -> Estimate:
        """Threshold of one success curve. A diverged trial did not succeed."""
        return estimates.estimate_threshold(*self.curve(trials), confidence=self.confidence)

    def curve(
        self, trials: Sequence[Trial], *, level: Callable[[Trial], bool] | None = None
    ) -> tuple[list[int], list[int], list[int]]:
        """Sizes, successes and trials of one success curve."""
        return counted_by_size(self.outcomes(trials, level=level))

    def outcomes(
        self, trials: Sequence[Trial], *, level: Callable[[Trial], bool] | None = None
    ) -> dict[int, list[bool]]:
        """Whether each trial of one success curve succeeded, by size; at another level of success where one is given.

        A diverged trial succeeds at none.
        """

        def shows(trial: Trial) -> bool:
            if level is None:
                return succeeded(trial, self.success)
            return is_at(level, trial)

        return by_size(trials, self.size, shows)

    def at_levels(self, row: Row, groups: Mapping[float, Sequence[Trial]]) -> Row:
        """The row, with what the trials that took part in its verdict show at other levels of success."""
        taking_part = [point.value for point in row.points if point.in_regime is not False]
        for name, level in self.levels.items():
            found = {
                value: estimates.estimate_threshold(*self.curve(groups[value], level=level), confidence=self.confidence)
                for value in taking_part
            }
            told = Clause(Topic.LEVELS, f"at {name}: {_level_words(found, self.confidence)}")
            row = row.adding(evidence=(told,))
        return row


@dataclass(frozen=True, kw_only=True)
class Threshold(SuccessCurves):
    """The size at which half of the trials succeed, against a claimed value along an axis."""

    ratio_margin: float = 0.25
    """Practical equivalence of measured / claimed with 1, for thresholds claimed exactly."""
    denies: sp.Expr | None = None
    """An order that a claim from above denies, and that grows no faster than the claim does on a grid: a root of D for
    a power of log D. A claim that holds where the data admit that order too is inconclusive."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.ratio_margin < 1:
            raise ValueError(f"ratio_margin must lie in (0, 1), got {self.ratio_margin} for part {self.name!r}")

    @property
    def kinds(self) -> frozenset[Kind]:
        """Kinds that state a value along an axis, and figures that do."""
        return VALUED | {Kind.FIGURE}

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over thresholds with their own uncertainty."""
        groups = self.groups(trials)
        found = {value: self.threshold(group) for value, group in groups.items()}
        steepness = estimates.common_steepness(
            [self.curve(group) for group in groups.values()], confidence=self.confidence
        )

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            if claim.kind.is_explicit:
                of_usable = [list(found.values())[i] for i in usable]
                places = [self.place(list(groups.values())[i]) for i in usable]
                return self._explicit(claim, of_usable, [candidate.bound(i) for i in usable], places)
            return against_order(self, claim, candidate, usable, found)

        row = self.at_levels(self.row(claim, trials, measured=found, judge=judge), groups)
        if self.denies is not None and row.verdict is Verdict.HOLDS:
            other = self.row(replace(claim, value=self.denies), trials, measured=found, judge=judge)
            row = self._told_apart(row, other.judgement)
        if steepness.value is None:
            return [row]
        return [row.told_tested(Topic.STEEPNESS, steepness.reason if steepness.is_rejected else "")]

    def _told_apart(self, row: Row, against: Judgement) -> Row:
        """The row with whether thresholds grow more slowly than the order that the claim denies; open where not."""
        reach = against.effect.confidence_interval
        words = f"against {self.denies}, which the claim denies, Delta = {reach}"
        if reach is not None and reach.high < 0:
            return row.adding(evidence=(Clause(Topic.OTHER_LAW, f"{words}: slower"),))
        judgement = row.judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.OTHER_LAW, f"{words}: not told apart"))
        return replace(row, judgement=judgement)

    def _explicit(
        self, claim: Claim, estimates: Sequence[Estimate], bounds: Sequence[float], places: Sequence[str] = ()
    ) -> Judgement:
        """Thresholds against values with their constants, accused at a share of the paper's error."""

        def judge(confidence: float) -> Judgement:
            return self._explicit_at(claim, estimates, bounds, places, confidence)

        return judged_in_family(self, claim, judge, trials=sum(estimate.n_trials for estimate in estimates))

    def _explicit_at(
        self,
        claim: Claim,
        estimates: Sequence[Estimate],
        bounds: Sequence[float],
        places: Sequence[str],
        confidence: float,
    ) -> Judgement:
        """The same at a confidence, by each one's interval; no prefactor is fitted."""
        each = ErrorPolicy(confidence).each_of(len(estimates))
        intervals = [_widened(estimate, self.confidence, each) for estimate in estimates]
        each_point = zip(intervals, bounds, (estimate.value for estimate in estimates), strict=True)
        kept = [(interval, bound, value) for interval, bound, value in each_point if interval is not None]
        if not kept:
            return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.UNDEFINED, "no threshold has an interval"))
        found, limits, values = zip(*kept, strict=True)
        asked: dict = {"confidence": confidence, "values": values}
        if claim.kind is Kind.EXACT and 0.0 in limits:
            return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.UNDEFINED, NO_RATIO))
        if claim.kind is Kind.EXACT:
            judgement = rules.judge_exact(found, limits, margin=self.ratio_margin, **asked)
        else:
            judgement = rules.judge_explicit(found, limits, relation=relation_of(claim.kind), **asked)
        found_at = [place for place, interval in zip(places, intervals, strict=False) if interval is not None]
        judgement = judgement.placed(found_at)
        if len(kept) == len(intervals):
            return judgement
        lost = len(intervals) - len(kept)
        words = f"{lost} of {len(intervals)} points have no threshold"
        missing = Clause(Topic.LEFT_OUT, words, {"lost": lost, "points": len(intervals)})
        if judgement.verdict is Verdict.HOLDS:
            return judgement.withdrawn(Verdict.INCONCLUSIVE, missing)
        return judgement.adding(left_out=(missing,))


def _level_words(found: Mapping[float, Estimate], confidence: float) -> str:
    """Thresholds by place, and the exponent of a line through those that were found."""

    def shown(estimate: Estimate) -> str:
        if estimate.value is not None:
            return f"{estimate.value:.3g}"
        return f"{estimate.censored} the sizes" if estimate.censored else "none"

    line = rules.fitted_exponent(list(found), list(found.values()), confidence=confidence)
    said = "no exponent" if line is None else f"exponent {line[0]:+.2f} {line[1]}"
    return f"thresholds {', '.join(f'{shown(one)} at {size_words(value)}' for value, one in found.items())}; {said}"


def _widened(estimate: Estimate, own: float, wanted: float) -> Interval | None:
    """The interval of a threshold, stretched in its logarithm from its own confidence to another.

    One that is censored is a bound at an end of the grid, and stays.
    """
    interval, value = estimate.confidence_interval, estimate.value
    if interval is None or value is None or interval.low <= 0:
        return interval
    stretch = float(special.ndtri(0.5 + wanted / 2) / special.ndtri(0.5 + own / 2))
    return Interval(value * (interval.low / value) ** stretch, value * (interval.high / value) ** stretch)
