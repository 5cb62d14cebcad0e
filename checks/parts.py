"""Kinds of evidence made of simulator trials: each turns trials into estimates and hands them to the rule of the kind.

`Scaling` (a quantity per trial along an axis), `Threshold` (success curves along an axis), `Rate` (an exponent inside
each trial), `Range` (exact dynamics, no sampling error), `Fraction` (counts against an explicit bound), `Behaviour` (a
boolean per trial), `Sufficient` (success inside and outside a condition), `Agreement` (an identity measured as an
error). What they share is in `checks.comparison`, the verdict rules are in `checks.judge`; evidence by symbols is in
`checks.proofs`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.check import Part, Picture, Point, Preset, Row
from checks.comparison import (
    OUTSIDE,
    Candidate,
    Symbols,
    exponent_words,
    make_row,
    profile,
    relation_of,
    sane,
    scaled_points,
    scan,
    setting_words,
    shown_slopes,
    succeeded,
    violation_confidence,
)
from checks.curves import Range, Rate
from checks.rounds import Placement
from checks.verdict import Judgement, Verdict
from sim.trial import Outcome, Trial, TrialSpec
from theory.claim import Axis, Claim, Hypothesis, Met

if TYPE_CHECKING:
    from checks.estimate import Estimate

__all__ = ["Agreement", "Behaviour", "Fraction", "Range", "Rate", "Scaling", "Sufficient", "Threshold"]


@dataclass(frozen=True, kw_only=True)
class Along(Part):
    """Common to parts that compare a claimed value along one axis of a sweep."""

    symbol: sp.Symbol
    parameter: str
    symbols: Symbols

    def axes(self, claim: Claim) -> Sequence[Axis | None]:
        """The one axis judged."""
        return [claim.axis(self.symbol)]

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
        from checks.order_rule import judged_as

        groups = self.groups(trials)
        axis = claim.axis(self.symbol)

        def on_usable(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            return judge(candidate, kept) if kept else OUTSIDE

        grid = [self.symbols(group[0].spec.parameters) for group in groups.values()]
        judgement, candidate = profile(on_usable, scan(claim, grid, axis=axis))
        judgement = judged_as(claim.kind, judgement)
        usable = [point for point, ok in zip(grid, candidate.usable, strict=True) if ok]
        slopes = shown_slopes(claim, axis, usable, candidate.constants) if len(usable) > 1 else None
        if slopes and judgement.delta is not None:
            judgement = replace(judgement, reason=f"{judgement.reason}; {slopes}")
        points = scaled_points(candidate, judgement, groups, measured)
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
    is censored above.
    """

    observable: str
    finished: str | None = None
    cutoff: str | None = None

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over independent points."""
        import numpy as np

        from checks.estimate import Estimate, geometric_mean
        from checks.judge import judge_scaling

        groups = self.groups(trials)
        samples = [np.array([self.value(trial) for trial in sane(group)]) for group in groups.values()]
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
        return [self.row(claim, trials, measured=measured, judge=judge)]

    def limit(self, trial: Trial) -> float:
        """Where a trial's value was cut off; infinite where nothing cuts it off."""
        return math.inf if self.cutoff is None else float(trial.spec.parameters[self.cutoff])

    def value(self, trial: Trial) -> float:
        """A trial's value, NaN where it was cut off."""
        observed = trial.result.observables
        if self.finished is not None and not observed[self.finished]:
            return float("nan")
        return float(observed[self.observable])


@dataclass(frozen=True, kw_only=True)
class Threshold(Along):
    """The size at which half of the trials succeed, from success curves along an axis."""

    size: str = "n_samples"
    success: str = "success"

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
        from checks.placement import next_specs

        succeeds = functools.partial(succeeded, observable=self.success)
        return next_specs(self.specs(preset), trials, size=self.size, succeeds=succeeds)

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over thresholds with their own uncertainty."""
        from checks.estimate import common_steepness
        from checks.judge import judge_thresholds

        groups = self.groups(trials)
        estimates = {value: self.threshold(group) for value, group in groups.items()}
        steepness = common_steepness([self.curve(group) for group in groups.values()])

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            values = [list(groups)[i] for i in usable]
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

    def threshold(self, trials: Sequence[Trial]) -> Estimate:
        """Threshold of one success curve. A diverged trial did not succeed."""
        from checks.estimate import estimate_threshold

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


@dataclass(frozen=True, kw_only=True)
class Fraction(Part):
    """An observed fraction out of a known number, against an explicit bound."""

    count: str
    total: str
    symbols: Symbols

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The explicit rule on exact binomial intervals, one comparison per parameter setting."""
        from checks.judge import judge_fraction

        settings: dict[str, list[Trial]] = {}
        for trial in sane(trials):
            settings.setdefault(repr(sorted(trial.spec.parameters.items())), []).append(trial)
        groups = list(settings.values())
        if not groups:
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, "no run was left to count"), trials)]
        counts, totals = (
            [sum(int(trial.result.observables[name]) for trial in group) for group in groups]
            for name in (self.count, self.total)
        )

        def judge(candidate: Candidate) -> Judgement:
            kept = [i for i, ok in enumerate(candidate.usable) if ok]
            if not kept:
                return OUTSIDE
            return judge_fraction(
                [counts[i] for i in kept],
                [totals[i] for i in kept],
                [candidate.bound(i) * len(groups[i]) / totals[i] for i in kept],
                relation=relation_of(claim.kind),
                confidence=self.confidence,
            )

        grid = [self.symbols(group[0].spec.parameters) for group in groups]
        judgement, candidate = profile(judge, scan(claim, grid, least=-math.inf))
        points = tuple(
            _counted(count, total, len(group), bound=bound, in_regime=usable)
            for count, total, group, bound, usable in zip(
                counts, totals, groups, candidate.bounds, candidate.usable, strict=True
            )
        )
        return [make_row(self, claim, judgement, trials, points=points)]


@dataclass(frozen=True, kw_only=True)
class Behaviour(Part):
    """A yes-or-no behaviour of a trial, stated beforehand, and the rate at which it must hold.

    `pictures` draws one trial, the first, where the claim is about a picture.
    """

    shows: Callable[[Trial], bool]
    rate: float
    pictures: Callable[[Trial], tuple[Picture, ...]] | None = None

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Exact binomial rule; a diverged trial does not show the behaviour. The first trial without it is named."""
        from checks.judge import judge_behaviour

        shown = [trial.result.outcome != Outcome.DIVERGED and self.shows(trial) for trial in trials]
        judgement = judge_behaviour(sum(shown), len(trials), rate=self.rate, confidence=self.confidence)
        if not all(shown):
            first = setting_words(trials[shown.index(False)])
            judgement = replace(judgement, reason=f"{judgement.reason}; not at {first}")
        row = make_row(self, claim, judgement, trials)
        drawn = self.pictures(trials[0]) if self.pictures and trials[0].result.curves else ()
        return [replace(row, pictures=drawn)]


@dataclass(frozen=True, kw_only=True)
class Sufficient(Part):
    """Success inside a condition, which is required, and outside, which makes it loose."""

    symbols: Symbols
    success: str
    rate: float
    condition: Hypothesis

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Pool trials by whether the condition is met at their parameters."""
        from checks.judge import judge_sufficient

        counts = {True: [0, 0], False: [0, 0]}
        for trial in trials:
            met = self.condition.evaluate(self.symbols(trial.spec.parameters)) is Met.MET
            counts[met][0] += succeeded(trial, self.success)
            counts[met][1] += 1
        judgement = judge_sufficient(*counts[True], *counts[False], rate=self.rate, confidence=self.confidence)
        return [make_row(self, claim, judgement, trials)]


@dataclass(frozen=True, kw_only=True)
class Agreement(Part):
    """An identity measured as relative errors, against a floating-point tolerance."""

    observable: str
    tolerance: float = 1e-10

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Every trial's error must stay within the tolerance; the worst is named."""
        from checks.judge import judge_identity

        measured = sane(trials)
        if not measured:
            return [make_row(self, claim, Judgement(Verdict.INCONCLUSIVE, "no run was left to compare"), trials)]
        errors = [abs(float(trial.result.observables[self.observable])) for trial in measured]
        judgement = judge_identity(errors, self.tolerance)
        if judgement.verdict is Verdict.REFUTED:
            worst = max(range(len(errors)), key=lambda i: math.inf if math.isnan(errors[i]) else errors[i])
            judgement = replace(judgement, reason=f"{judgement.reason}, {setting_words(measured[worst])}")
        return [make_row(self, claim, judgement, trials)]


def _counted(count: int, total: int, n_trials: int, *, bound: float | None, in_regime: bool) -> Point:
    """A count per trial with its exact interval, against its bound."""
    from checks.estimate import exact_interval

    size = total / n_trials
    interval = exact_interval(count, total)
    return Point(
        value=size,
        bound=bound,
        measured=count / n_trials,
        low=interval.low * size,
        high=interval.high * size,
        in_regime=in_regime,
        n_trials=n_trials,
    )
