"""Evidence along one axis of a sweep, one value a trial or one threshold a point: orders, explicit and exact values.

`Scaling` is a quantity per trial along an axis, `Threshold` the size at which half of the trials succeed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.comparison import (
    OUTSIDE,
    Candidate,
    exponent_words,
    make_row,
    profile,
    relation_of,
    sane,
    scaled_points,
    scan,
    shown_slopes,
    succeeded,
    violation_confidence,
)
from checks.evidence.part import Outside, Part, Symbols
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.statistics.verdict import Interval, Judgement, Verdict
from sim.trial import Trial, TrialSpec
from theory.claim import Axis, Claim, Kind

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate

ORDERS = frozenset({Kind.UPPER, Kind.LOWER, Kind.TIGHT, Kind.UNSPECIFIED_ORDER, Kind.EVERY_ALGORITHM})
"""Kinds whose value is an order: hidden prefactor, judged by the Delta rule."""
EXPLICIT_BOUNDS = frozenset({Kind.EXPLICIT_UPPER, Kind.EXPLICIT_LOWER})
VALUED = ORDERS | EXPLICIT_BOUNDS | {Kind.EXACT}
"""Kinds that state a value."""
MOST_LEFT_OUT = 0.2
"""Largest share of a point's runs that a condition on its runs may leave out."""


@dataclass(frozen=True, kw_only=True)
class Along(Part):
    """Common to parts that compare a claimed value along one axis of a sweep."""

    symbol: sp.Symbol
    parameter: str
    symbols: Symbols

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

    @property
    def outside(self) -> Outside:
        """Points outside stay on the picture, greyed."""
        return Outside.GREYED

    @property
    def kinds(self) -> frozenset[Kind]:
        """Kinds that state a value along an axis."""
        return VALUED

    def judges_limit(self, claim: Claim) -> bool:
        """Orders are; explicit values are compared point by point."""
        return not claim.kind.is_explicit

    def groups(self, trials: Sequence[Trial]) -> dict[float, list[Trial]]:
        """Trials by the value of the axis parameter, ascending."""
        by_value: dict[float, list[Trial]] = {}
        for trial in trials:
            by_value.setdefault(float(trial.spec.parameters[self.parameter]), []).append(trial)
        return dict(sorted(by_value.items()))

    def row(
        self,
        claim: Claim,
        trials: Sequence[Trial],
        *,
        measured: Mapping[float, Estimate],
        judge: Callable[[Candidate, list[int]], Judgement],
    ) -> Row:
        """Judge the usable points of every choice of hidden constants and report the choice that counts.

        Args:
            measured: one estimate per axis value.
            judge: the judgement of a candidate on the points of these indices.
        """
        from checks.evidence.kinds import judged_as

        groups = self.groups(trials)
        axis = claim.axis(self.symbol)

        def on_usable(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            return judge(candidate, kept) if kept else OUTSIDE

        grid = [self.symbols(group[0].spec.parameters) for group in groups.values()]
        least = -math.inf if claim.kind.is_explicit else 0.0  # orders are compared by logarithms
        judgement, candidate = profile(claim, on_usable, scan(claim, grid, axis=axis, least=least))
        judgement = judged_as(claim.kind, judgement)
        usable = [point for point, ok in zip(grid, candidate.usable, strict=True) if ok]
        slopes = shown_slopes(claim, axis, usable, candidate.constants) if len(usable) > 1 else None
        if slopes and judgement.delta is not None:
            judgement = replace(judgement, reason=f"{judgement.reason}; {slopes}")
        points = scaled_points(claim, candidate, judgement, groups, measured)
        return make_row(
            self,
            claim,
            judgement,
            trials,
            points=points,
            axis=axis,
            exponent=exponent_words(claim, axis),
            toward=candidate.toward,
            axis_words=self.parameter.replace("_", " "),
        )


@dataclass(frozen=True, kw_only=True)
class Scaling(Along):
    """A positive observable per trial along an axis, e.g. iterations against alpha_*.

    `finished` names a boolean observable: where it is False the run was cut off at the parameter `cutoff` and its value
    is censored above. `given` names one that finished runs must show to count at all: a claim about runs that
    generalise says nothing of one that memorised. Where it leaves out more than `MOST_LEFT_OUT` of a point's runs the
    mean is one of a selection, and no verdict is given.
    """

    observable: str
    finished: str | None = None
    cutoff: str | None = None
    given: str = ""
    ratio_margin: float = 0.05
    """Practical equivalence of measured / claimed with 1, for values claimed exactly."""

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over independent points."""
        import numpy as np

        from checks.statistics.estimates import Estimate, geometric_mean
        from checks.statistics.judge import judge_scaling

        if claim.kind.is_explicit:
            return [self._explicit_row(claim, trials)]
        groups = self.groups(trials)
        samples = [np.array([self.value(trial) for trial in self.counted(group)]) for group in groups.values()]
        limits = [self.limit(group[0]) for group in groups.values()]

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            kept = [i for i in usable if len(samples[i])]
            if not kept:
                return Judgement(Verdict.INCONCLUSIVE, "no run was left to measure")
            width = min(len(samples[i]) for i in kept)
            return judge_scaling(
                [list(groups)[i] for i in kept],
                np.array([samples[i][:width] for i in kept]),
                [candidate.bound(i) for i in kept],
                relation=relation_of(claim.kind),
                margin=float(claim.margin),
                toward=candidate.toward,
                limit=[limits[i] for i in kept] if self.cutoff else None,
                confidence=self.confidence,
                violation_confidence=violation_confidence(self.error_share),
            )

        measured = {
            value: geometric_mean(values, limit=limit) if len(values) else Estimate(None, reason="no run was left")
            for value, values, limit in zip(groups, samples, limits, strict=True)
        }
        return [self._told_of_left_out(self.row(claim, trials, measured=measured, judge=judge), groups)]

    def counted(self, trials: Sequence[Trial]) -> list[Trial]:
        """The trials that count: those that did not diverge and, where they finished, show what is `given`."""
        return [trial for trial in sane(trials) if not self._is_left_out(trial)]

    def _is_left_out(self, trial: Trial) -> bool:
        has_finished = self.finished is None or trial.flag(self.finished)
        return bool(self.given) and has_finished and not trial.flag(self.given)

    def _told_of_left_out(self, row: Row, groups: Mapping[float, Sequence[Trial]]) -> Row:
        """The row with how many runs `given` left out, its verdict withdrawn where they are too many at a point."""
        if not self.given:
            return row
        shares = {value: sum(map(self._is_left_out, group)) / len(group) for value, group in groups.items()}
        lost = sum(self._is_left_out(trial) for group in groups.values() for trial in group)
        words = f"{lost} of {sum(map(len, groups.values()))} runs finished without {self.given} and are left out"
        worst = max(shares, key=lambda value: shares[value])
        if shares[worst] <= MOST_LEFT_OUT or row.verdict is Verdict.OUT_OF_REGIME:
            return row.saying(words)
        reason = f"{words}, {shares[worst]:.0%} of them at {worst:g}: a mean of those left is one of a selection"
        judgement = replace(row.judgement, verdict=Verdict.INCONCLUSIVE, reason=f"{reason}; {row.judgement.reason}")
        return replace(row, judgement=judgement)

    def _explicit_row(self, claim: Claim, trials: Sequence[Trial]) -> Row:
        """Constants are given, so values are compared as they stand, by arithmetic means: no prefactor is fitted."""
        import numpy as np

        from checks.statistics.estimates import Estimate, arithmetic_mean
        from checks.statistics.judge import judge_exact, judge_explicit

        groups = self.groups(trials)
        samples = [np.array([self.value(trial) for trial in self.counted(group)]) for group in groups.values()]

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            kept = [i for i in usable if len(samples[i])]
            if not kept:
                return Judgement(Verdict.INCONCLUSIVE, "no run was left to measure")
            if any(np.isnan(samples[i]).any() for i in kept):
                return Judgement(
                    Verdict.INCONCLUSIVE,
                    "runs were cut off, so means are not known and an explicit value is not judged",
                )
            width = min(len(samples[i]) for i in kept)
            values, bounds = np.array([samples[i][:width] for i in kept]), [candidate.bound(i) for i in kept]
            if claim.kind is Kind.EXACT and 0.0 in bounds:
                return Judgement(Verdict.INCONCLUSIVE, "a value claimed to be 0 has no ratio to judge by")
            if claim.kind is Kind.EXACT:
                return judge_exact(values, bounds, margin=self.ratio_margin, confidence=self.confidence)
            return judge_explicit(values, bounds, relation=relation_of(claim.kind), confidence=self.confidence)

        measured = {
            value: arithmetic_mean(values) if len(values) else Estimate(None, reason="no run was left")
            for value, values in zip(groups, samples, strict=True)
        }
        return self.row(claim, trials, measured=measured, judge=judge)

    def limit(self, trial: Trial) -> float:
        """Where a trial's value was cut off; infinite where nothing cuts it off."""
        return math.inf if self.cutoff is None else float(trial.spec.parameters[self.cutoff])

    def value(self, trial: Trial) -> float:
        """A trial's value, NaN where it was cut off."""
        if self.finished is not None and not trial.flag(self.finished):
            return float("nan")
        return trial.number(self.observable)


@dataclass(frozen=True, kw_only=True)
class Threshold(Along):
    """The size at which half of the trials succeed, from success curves along an axis."""

    size: str = "n_samples"
    success: str = "success"
    ratio_margin: float = 0.25
    """Practical equivalence of measured / claimed with 1, for thresholds claimed exactly."""

    @property
    def placements(self) -> frozenset[Placement]:
        """A grid of sizes, or adaptive rounds on a ladder through it."""
        return frozenset(Placement)

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> list[TrialSpec]:
        """The whole grid at once, or the trials that tell most about the thresholds after those before."""
        if placement is Placement.GRID:
            return super().next_round(preset, trials, placement)
        from checks.sampling.adaptive_design import next_specs

        succeeds = functools.partial(succeeded, observable=self.success)
        return next_specs(self.specs(preset), trials, size=self.size, succeeds=succeeds)

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over thresholds with their own uncertainty."""
        from checks.statistics.estimates import common_steepness
        from checks.statistics.judge import judge_thresholds

        groups = self.groups(trials)
        estimates = {value: self.threshold(group) for value, group in groups.items()}
        steepness = common_steepness([self.curve(group) for group in groups.values()])

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            values = [list(groups)[i] for i in usable]
            if claim.kind.is_explicit:
                return self._explicit(
                    claim, [estimates[value] for value in values], [candidate.bound(i) for i in usable]
                )
            return judge_thresholds(
                values,
                [estimates[value] for value in values],
                [candidate.bound(i) for i in usable],
                relation=relation_of(claim.kind),
                margin=float(claim.margin),
                toward=candidate.toward,
                confidence=self.confidence,
                violation_confidence=violation_confidence(self.error_share),
            )

        row = self.row(claim, trials, measured=estimates, judge=judge)
        return [row.saying(steepness.reason) if steepness.value and steepness.reason else row]

    def _explicit(self, claim: Claim, estimates: Sequence[Estimate], bounds: Sequence[float]) -> Judgement:
        """Thresholds against values with their constants, by each one's interval; no prefactor is fitted."""
        from checks.statistics.judge import judge_exact, judge_explicit
        from checks.statistics.point_rules import bonferroni

        intervals = [_widened(estimate, bonferroni(self.confidence, len(estimates))) for estimate in estimates]
        kept = [(interval, bound) for interval, bound in zip(intervals, bounds, strict=True) if interval is not None]
        if not kept:
            return Judgement(Verdict.INCONCLUSIVE, "no threshold has an interval")
        found, limits = zip(*kept, strict=True)
        if claim.kind is Kind.EXACT and 0.0 in limits:
            return Judgement(Verdict.INCONCLUSIVE, "a value claimed to be 0 has no ratio to judge by")
        if claim.kind is Kind.EXACT:
            judgement = judge_exact(found, limits, margin=self.ratio_margin, confidence=self.confidence)
        else:
            judgement = judge_explicit(found, limits, relation=relation_of(claim.kind), confidence=self.confidence)
        if len(kept) == len(intervals):
            return judgement
        reason = f"{len(intervals) - len(kept)} of {len(intervals)} points have no threshold; {judgement.reason}"
        verdict = Verdict.INCONCLUSIVE if judgement.verdict is Verdict.HOLDS else judgement.verdict
        return replace(judgement, verdict=verdict, reason=reason)

    def met_by(self, trial: Trial) -> bool | None:
        """Whether the trial succeeded."""
        return succeeded(trial, self.success)

    def threshold(self, trials: Sequence[Trial]) -> Estimate:
        """Threshold of one success curve. A diverged trial did not succeed."""
        from checks.statistics.estimates import estimate_threshold

        return estimate_threshold(*self.curve(trials))

    def curve(self, trials: Sequence[Trial]) -> tuple[list[int], list[int], list[int]]:
        """Sizes, successes and trials of one success curve."""
        by_size = self.outcomes(trials)
        return list(by_size), [sum(shown) for shown in by_size.values()], [len(shown) for shown in by_size.values()]

    def outcomes(self, trials: Sequence[Trial]) -> dict[int, list[bool]]:
        """Whether each trial of one success curve succeeded, by size."""
        by_size: dict[int, list[bool]] = {}
        for trial in trials:
            by_size.setdefault(int(trial.spec.parameters[self.size]), []).append(succeeded(trial, self.success))
        return by_size


def _widened(estimate: Estimate, confidence: float) -> Interval | None:
    """The 95 % interval of a threshold, stretched in its logarithm to the confidence of one of several.

    One that is censored is a bound at an end of the grid, and stays.
    """
    from scipy import special

    interval, value = estimate.confidence_interval, estimate.value
    if interval is None or value is None or interval.low <= 0:
        return interval
    stretch = float(special.ndtri(0.5 + confidence / 2) / special.ndtri(0.975))
    return Interval(value * (interval.low / value) ** stretch, value * (interval.high / value) ** stretch)
