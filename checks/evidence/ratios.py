"""The ratio of two thresholds along an axis: what one choice needs over what another needs, place by place.

Both success curves of a place are measured by trials of their own, so the two thresholds are independent and their
ratio has honest limits (`checks.statistics.comparisons`). A place where either curve does not cross its level has no
ratio and takes no part. `ThresholdRatio` holds the ratios against a claimed order by the Delta rule; `SmallerThreshold`
asks only whether the first choice needs less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from checks.evidence.along import ORDERS, Along
from checks.evidence.comparison import Candidate, in_scaling_family, succeeded
from checks.evidence.later import comparisons, estimates
from checks.evidence.thresholds import against_order, by_size, counted_by_size, is_at
from checks.records.rows import Row
from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import Judgement
from sim.trials.trial import Trial, TrialSpec
from theory.claim import Claim, Kind

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate


@dataclass(frozen=True, kw_only=True)
class PairedThresholds(Along):
    """Sizes at which half of the trials succeed, of two choices at each place of an axis.

    `is_top` says of a trial whether it belongs to the ratio's numerator; `choices` names the two in words. `levels` are
    other criteria of success by their names, as in `checks.evidence.thresholds`: their ratios are said, and decide
    nothing.
    """

    is_top: Callable[[TrialSpec], bool]
    choices: tuple[str, str]
    size: str = "n_samples"
    success: str = "success"
    levels: Mapping[str, Callable[[Trial], bool]] = field(default_factory=dict)

    @property
    def grid_parameters(self) -> tuple[str, ...]:
        """The axis and the sample size."""
        return self.parameter, self.size

    def met_by(self, trial: Trial) -> bool:
        """Whether the trial succeeded."""
        return succeeded(trial, self.success)

    def ratios(self, trials: Sequence[Trial], *, level: Callable[[Trial], bool] | None = None) -> dict[float, Estimate]:
        """The ratio at each place of the axis; at another level of success where one is given."""

        def ratio(group: Sequence[Trial]) -> Estimate:
            both = (self._threshold(group, top=top, level=level) for top in (True, False))
            return comparisons.threshold_ratio(*both, words=self.choices)

        return {value: ratio(group) for value, group in self.groups(trials).items()}

    def _threshold(
        self, trials: Sequence[Trial], *, top: bool, level: Callable[[Trial], bool] | None = None
    ) -> estimates.Estimate:
        """Threshold of one of the two success curves. A diverged trial did not succeed."""

        def shows(trial: Trial) -> bool:
            return self.met_by(trial) if level is None else is_at(level, trial)

        of_choice = [trial for trial in trials if self.is_top(trial.spec) is top]
        if not of_choice:
            return estimates.Estimate(None, reason="not measured here")
        counts = counted_by_size(by_size(of_choice, self.size, shows))
        return estimates.estimate_threshold(*counts, confidence=self.confidence)

    def _told(self, row: Row, found: Mapping[float, Estimate], trials: Sequence[Trial]) -> Row:
        """The row with both thresholds of each place, and why some have no ratio."""
        groups = self.groups(trials)
        said = [
            f"{_shown(self._threshold(groups[value], top=True))} / {_shown(self._threshold(groups[value], top=False))} "
            f"at {value:g}"
            for value in found
        ]
        pairs = f"thresholds, {self.choices[0]} / {self.choices[1]}: {', '.join(said)}"
        row = row.adding(evidence=(Clause(Topic.COUNTS, pairs),))
        for name, level in self.levels.items():
            at_level = self.ratios(trials, level=level).items()
            words = f"at {name}: ratios {', '.join(f'{_shown(one)} at {value:g}' for value, one in at_level)}"
            row = row.adding(evidence=(Clause(Topic.LEVELS, words),))
        return row


@dataclass(frozen=True, kw_only=True)
class ThresholdRatio(PairedThresholds):
    """The ratio of the two thresholds, against a claimed order."""

    @property
    def kinds(self) -> frozenset[Kind]:
        """Orders alone: a ratio's prefactor is left open."""
        return ORDERS

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """Delta rule over ratios with their own uncertainty."""
        found = self.ratios(trials)

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            return against_order(self, claim, candidate, usable, found)

        lost = sum(estimate.value is None for estimate in found.values())
        row = self.row(claim, trials, measured=found, judge=judge).adding(
            left_out=comparisons.without_ratio(lost, len(found))
        )
        return [self._told(row, found, trials)]


@dataclass(frozen=True, kw_only=True)
class SmallerThreshold(PairedThresholds):
    """The first of two choices needs smaller sizes; by how much is not claimed."""

    reads_value: ClassVar[bool] = False

    @property
    def kinds(self) -> frozenset[Kind]:
        """Figures, and behaviours stated in words."""
        return frozenset({Kind.FIGURE, Kind.BEHAVIOUR})

    def judges_limit(self, claim: Claim) -> bool:
        """Places are judged as they stand."""
        return False

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The average of the ratios' logarithms, and each by itself."""
        found = self.ratios(trials)
        judgement = comparisons.judge_smaller(list(found.values()), policy=in_scaling_family(self.policy, claim))
        return [self._told(self.as_measured(claim, judgement, trials, found), found, trials)]


def _shown(estimate: Estimate) -> str:
    if estimate.value is not None:
        return f"{estimate.value:.3g}"
    return f"{estimate.censored} the sizes" if estimate.censored else "none"
