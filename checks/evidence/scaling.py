"""A quantity per trial along one axis of a sweep: orders, explicit and exact values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from checks.evidence.along import ORDERS, VALUED, Along, require_range
from checks.evidence.comparison import (
    NO_RATIO,
    Candidate,
    in_scaling_family,
    relation_of,
    sane,
    setting_words,
    succeeded,
)
from checks.evidence.family import judged_in_family
from checks.evidence.later import estimates, np, rules
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.outcome import estimand_of
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim, Kind

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate

NOTHING_LEFT = Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.LEFT_OUT, "no run was left to measure"))

MAX_LEFT_OUT = 0.2
"""Largest share of a point's runs that a condition on its runs may leave out."""


@dataclass(frozen=True, kw_only=True)
class Scaling(Along):
    """A positive observable per trial along an axis, e.g. iterations against alpha_*.

    `finished` names a boolean observable: where it is False the run was cut off at the parameter `cutoff` and its value
    is censored above. `given` names one that finished runs must show to count at all: a claim about runs that
    generalise says nothing of one that memorised. Where it leaves out more than `MAX_LEFT_OUT` of a point's runs the
    mean is one of a selection, and no verdict is given. `power` is for a claim that gives its value for a power of the
    observable: "iterations like the square root of the value" compares their squares with it. `estimand` is "mean" for
    a claim about E[.], which takes 59 runs in all, and "typical" for one about a typical run; nothing asks for both.
    `side` is "upper" or "lower" where the text grants only that half of an order from both sides along this axis;
    `whole` names the part of the same check that asks both halves of its trials, where one does.
    """

    observable: str
    finished: str | None = None
    cutoff: str | None = None
    given: str = ""
    power: float = 1.0
    estimand: str | None = None
    side: str = ""
    whole: str = ""
    ratio_margin: float = 0.05
    """Practical equivalence of measured / claimed with 1, for values claimed exactly."""
    range: tuple[float, float] | None = None
    """Between which numbers the observable lies by its meaning, e.g. (0, 1): means of explicit values are then bounded
    by betting, however few the trials; `checks.statistics.means`."""
    noiseless: bool = False
    """Whether values have no noise, as of a deterministic sequence: explicit values are then judged as they stand, one
    trial a point, up to rounding."""

    @property
    def quantity(self) -> str:
        """What a power makes of the observable, in words; "" where the claim's own observable is what is measured."""
        if self.power == 1:
            return ""
        return f"{self.observable.replace('_', ' ')} {'squared' if self.power == 2 else f'^ {self.power:g}'}"

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The grid's: all trials at one place are judged together."""
        return self.grid_parameters

    @property
    def kinds(self) -> frozenset[Kind]:
        """Kinds that state a value along an axis, and figures that do."""
        judged = VALUED | {Kind.FIGURE}
        return judged - ORDERS if self.noiseless else judged

    def __post_init__(self) -> None:
        super().__post_init__()
        estimand_of(self.estimand)
        if not (self.finished or self.given) and not all(control.by_rule for control in self.controls):
            raise ValueError(f"control must be of a part with a criterion to meet, got one for {self.name!r}")
        if self.side not in ("", "upper", "lower"):
            raise ValueError(f"side must be 'upper', 'lower' or '', got {self.side!r} for part {self.name!r}")
        if self.side and not self.because:
            raise ValueError(f"because must say why part {self.name!r} judges one side of an order, got none")
        if self.whole and not self.side:
            raise ValueError(f"whole must be of a part that judges one side, got {self.whole!r} for part {self.name!r}")
        if not 0 < self.power < math.inf:
            raise ValueError(f"power must be positive and finite, got {self.power} for part {self.name!r}")
        require_range(self.range, self.name, noiseless=self.noiseless)
        if not 0 < self.ratio_margin < 1:
            raise ValueError(f"ratio_margin must lie in (0, 1), got {self.ratio_margin} for part {self.name!r}")
        if self.range is not None and self.range[0] < 0 and self.power != 1:
            raise ValueError(f"range must begin at 0 or above with a power, got {self.range} for part {self.name!r}")

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over independent points."""
        if claim.kind.is_explicit:
            return [self._explicit_row(claim, trials)]
        groups = self.groups(trials)
        samples = [np.array([self.value(trial) for trial in self.counted(group)]) for group in groups.values()]
        limits = [self.limit(group[0]) for group in groups.values()]
        self._require_positive(groups.values())

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            kept = [i for i in usable if len(samples[i])]
            if not kept:
                return NOTHING_LEFT
            is_cut = any(np.isinf(samples[i]).any() for i in kept)
            return rules.judge_scaling(
                [list(groups)[i] for i in kept],
                [samples[i] for i in kept],
                [candidate.bound(i) for i in kept],
                relation=self.relation(claim),
                margin=float(claim.margin),
                toward=candidate.toward,
                limit=[limits[i] for i in kept] if is_cut else None,
                estimand=self.estimand,
                checkpoints=False,  # every trial is a run of its own
                policy=in_scaling_family(self.policy, claim).of_choice(candidate.error_share),
            )

        measured = {
            value: self.estimate(values, limit) if len(values) else estimates.Estimate(None, reason="no run was left")
            for value, values, limit in zip(groups, samples, limits, strict=True)
        }
        row = self.row(claim, trials, measured=measured, judge=judge)
        row = replace(row, whole=self.whole, display=replace(row.display, quantity=self.quantity))
        return [self._told_of_left_out(row, groups)]

    def _require_positive(self, groups: Iterable[Sequence[Trial]]) -> None:
        """Raise where a run has no logarithm, naming it."""
        for trial in (trial for group in groups for trial in self.counted(group)):
            if self.value(trial) <= 0:
                words = f"got {self.value(trial):g} at {setting_words(trial)}"
                raise ValueError(
                    f"{self.observable} must be > 0 in every run for an order, which is of logarithms, {words}; "
                    "a claim with its constants (an explicit bound, an exact value) takes 0"
                )

    @property
    def has_criterion(self) -> bool:
        """Where runs are asked to finish, or to show something."""
        return bool(self.finished or self.given)

    def met_by(self, trial: Trial) -> bool | None:
        """Whether a run counts: it finished, and shows what is given. None where nothing is asked of a run."""
        asked = [name for name in (self.finished, self.given) if name]
        return all(succeeded(trial, name) for name in asked) if asked else None

    def relation(self, claim: Claim) -> str:
        """How what is measured must stand to the claim: by its kind, or the one side of an order that is granted."""
        return self.side if self.side and claim.kind is Kind.TIGHT else relation_of(claim.kind)

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
        figures = {"left_out": lost, "share": shares[worst]}
        if shares[worst] <= MAX_LEFT_OUT or row.verdict is Verdict.OUT_OF_REGIME:
            return row.adding(left_out=(Clause(Topic.LEFT_OUT, words, figures),))
        words += f", {shares[worst]:.0%} of them at {worst:g}: a mean of those left is one of a selection"
        return row.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.LEFT_OUT, words, figures))

    def _explicit_row(self, claim: Claim, trials: Sequence[Trial]) -> Row:
        """Constants are given, so values are compared as they stand, by arithmetic means: no prefactor is fitted."""
        groups = self.groups(trials)
        samples = [np.array([self.value(trial) for trial in self.counted(group)]) for group in groups.values()]

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            kept = [i for i in usable if len(samples[i])]
            if not kept:
                return NOTHING_LEFT
            if any(np.isinf(samples[i]).any() for i in kept):
                words = "runs were cut off, so means are not known and an explicit value is not judged"
                return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.CENSORING, words))
            values, bounds = [samples[i] for i in kept], [candidate.bound(i) for i in kept]
            if claim.kind is Kind.EXACT and 0.0 in bounds:
                return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.UNDEFINED, NO_RATIO))

            def rule(confidence: float) -> Judgement:
                known = {"range": self.bounds, "exact": self.noiseless}
                asked = {"confidence": confidence, **known, "independent": True}  # every trial is a run of its own
                if claim.kind is Kind.EXACT:
                    return rules.judge_exact(values, bounds, margin=self.ratio_margin, **asked)
                return rules.judge_explicit(values, bounds, relation=relation_of(claim.kind), **asked)

            judgement = judged_in_family(self, claim, rule, trials=sum(map(len, values)))
            return judgement.placed([self.place(group) for i, group in enumerate(groups.values()) if i in kept])

        measured = {
            value: estimates.arithmetic_mean(values, confidence=self.confidence)
            if len(values)
            else estimates.Estimate(None, reason="no run was left")
            for value, values in zip(groups, samples, strict=True)
        }
        return self.row(claim, trials, measured=measured, judge=judge)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between which numbers a trial's value lies by its meaning; None where it has no such range."""
        return None if self.range is None else (self.range[0] ** self.power, self.range[1] ** self.power)

    def estimate(self, values: np.ndarray, limit: float) -> Estimate:
        """What a point of an order shows: the mean where E[.] is judged, the geometric mean of a typical run."""
        asked = {"estimand": self.estimand, "confidence": self.confidence}
        return estimates.mean_or_typical(values, limit=limit, **asked)

    def limit(self, trial: Trial) -> float:
        """Where a trial's value was cut off; infinite where nothing cuts it off."""
        return math.inf if self.cutoff is None else float(trial.spec.parameters[self.cutoff]) ** self.power

    def value(self, trial: Trial) -> float:
        """A trial's value, infinite where it was cut off."""
        if self.finished is not None and not trial.flag(self.finished):
            return math.inf
        return trial.number(self.observable) ** self.power
