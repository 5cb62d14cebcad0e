"""Draws of a number at growing sizes: the order at which their law nears a given one.

A theorem of Berry and Esseen's kind says that the Kolmogorov distance of a law from its limit is of order n^-r. The
distance at each size is estimated from the draws there (`checks.statistics.distances`), and the estimates are held to
the claimed order by the Delta rule, as thresholds are: the order may be violated, and so may its being met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.comparison import Candidate, sane
from checks.evidence.later import distances
from checks.evidence.limit_laws import Draws
from checks.evidence.thresholds import against_order
from checks.records.rows import Row
from checks.statistics.verdict import Judgement
from sim.trials.trial import Trial
from theory.claim import Claim, Kind

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate


@dataclass(frozen=True, kw_only=True)
class LawDistance(Draws):
    """The Kolmogorov distance of the law of draws from `law`, against a claimed order along the axis.

    Attributes:
        law: the distribution function from which the distance is taken, at `variable`, in letters that parameters give.
    """

    law: sp.Expr

    @property
    def kinds(self) -> frozenset[Kind]:
        """Orders, whose prefactor is left open."""
        return frozenset({Kind.TIGHT, Kind.UPPER, Kind.LOWER})

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The Delta rule over distances with their own uncertainty."""
        found = {value: self.distance(group) for value, group in self.groups(trials).items()}

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            return against_order(self, claim, candidate, usable, found)

        return [self.row(claim, trials, measured=found, judge=judge)]

    def distance(self, trials: Sequence[Trial]) -> Estimate:
        """The distance at one place of the axis."""
        levels = self.levels_by(self.law, sane(trials), of=f"law of part {self.name!r}")
        return distances.kolmogorov_distance(levels, confidence=self.confidence)
