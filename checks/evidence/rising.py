"""Thresholds of which a claim says only that they rise along an axis, or that they fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from checks.evidence.comparison import in_scaling_family
from checks.evidence.later import rules
from checks.evidence.thresholds import SuccessCurves
from checks.records.rows import Row
from sim.trials.trial import Trial
from theory.claim import Claim, Kind


@dataclass(frozen=True, kw_only=True)
class Rising(SuccessCurves):
    """The size at which half of the trials succeed rises along an axis; by how much is not claimed.

    Attributes:
        falls: whether it is said to fall instead.
    """

    falls: bool = False
    reads_value: ClassVar[bool] = False

    @property
    def kinds(self) -> frozenset[Kind]:
        """Figures, and behaviours stated in words."""
        return frozenset({Kind.FIGURE, Kind.BEHAVIOUR})

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The sign of a line through the thresholds."""
        groups = self.groups(trials)
        found = {value: self.threshold(group) for value, group in groups.items()}
        judgement = rules.judge_rise(
            list(found),
            list(found.values()),
            policy=in_scaling_family(self.policy, claim),
            falls=self.falls,
        )
        return [self.at_levels(self.as_measured(claim, judgement, trials, found), groups)]
