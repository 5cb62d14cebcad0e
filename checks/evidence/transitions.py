"""An order parameter at growing sizes, on both sides of the place where it is claimed to begin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from checks.evidence.along import Along, require_range, require_rate
from checks.evidence.comparison import OUTSIDE, Candidate, make_row, profile, sane, scan
from checks.evidence.family import shared_by
from checks.evidence.later import estimates, rules
from checks.evidence.scaling import NOTHING_LEFT
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim, Kind


@dataclass(frozen=True, kw_only=True)
class Transition(Along):
    """An observable that tends to 0 where the parameter `moving` lies below the claim's value, and to `level` or more
    beyond it.

    Each value of `moving` is a sequence along the axis, extrapolated by itself. The others of the claim's letters must
    be the same in all trials, so that there is one place.
    """

    observable: str
    moving: str
    """The parameter whose values are compared with the claim's."""
    level: float
    """What the limit reaches beyond the place, more than twice the tolerance, stated beforehand."""
    tolerance: float
    """How far from 0 a limit may lie and still count as 0."""
    within: float
    """How narrowly the place must be enclosed for the claim to hold, in units of the parameter."""
    rate: float | None = None
    """Power r, where it is known that every sequence comes near its limit as O(n^-r), as for `LimitValue`."""

    noiseless: bool = False
    """Whether one trial at a size is the number without noise, as of a deterministic sequence."""
    range: tuple[float, float] | None = None
    """Between which numbers a trial's value lies by its meaning; its ends alone, yes or no, are counted."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_range(self.range, self.name, noiseless=self.noiseless)
        require_rate(self.rate, self.name)
        if not 0 < 2 * self.tolerance < self.level < math.inf:
            raise ValueError(f"level must exceed 2 * tolerance > 0, got {self.level} for part {self.name!r}")
        if not 0 < self.within < math.inf:
            raise ValueError(f"within must be finite and > 0, got {self.within} for part {self.name!r}")

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The axis, and what is compared with the place."""
        return self.parameter, self.moving

    @property
    def kinds(self) -> frozenset[Kind]:
        """Transitions alone."""
        return frozenset({Kind.TRANSITION})

    def judges_limit(self, claim: Claim) -> bool:
        """It does."""
        return True

    def sequences(self, trials: Sequence[Trial]) -> dict[tuple[float, float], list[Trial]]:
        """Trials by the value of `moving` and by size, ascending."""
        groups: dict[tuple[float, float], list[Trial]] = {}
        for trial in trials:
            place = float(trial.spec.parameters[self.moving]), float(trial.spec.parameters[self.parameter])
            groups.setdefault(place, []).append(trial)
        return dict(sorted(groups.items()))

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The rule of transitions on the sequences of all values of the parameter."""
        groups = self.sequences(trials)
        values = [[trial.number(self.observable) for trial in sane(group)] for group in groups.values()]

        def judge(candidate: Candidate) -> Judgement:
            usable = [i for i, ok in enumerate(candidate.usable) if ok]
            kept = [i for i in usable if values[i]]
            if not kept:
                return NOTHING_LEFT if usable else OUTSIDE
            claimed = {candidate.bound(i) for i in kept}
            return self._judged(claim, candidate, claimed, [list(groups)[i] for i in kept], [values[i] for i in kept])

        axis = claim.axis(self.symbol)
        grid = [self.point(group[0]) for group in groups.values()]
        judgement, candidate = profile(claim, judge, scan(claim, grid, axis=axis, least=-math.inf))
        points = []
        for ((moved, size), group), own, usable in zip(groups.items(), values, candidate.usable, strict=True):
            mean = estimates.arithmetic_mean(own, confidence=self.confidence) if own else None
            ends = mean.confidence_interval if mean else None
            low, high = (ends.low, ends.high) if ends else (None, None)
            measured = mean.value if mean else None
            sequence = f"{self.moving.replace('_', ' ')} = {moved:.6g}"
            at = Point(size, None, measured, low, high, in_regime=usable, n_trials=len(group), sequence=sequence)
            points.append(at)
        words = self.parameter.replace("_", " ")
        row = make_row(
            self, claim, judgement, trials, points=tuple(points), axis=axis, toward="infinity", axis_words=words
        )
        return [row]

    def _judged(
        self,
        claim: Claim,
        candidate: Candidate,
        claimed: set[float],
        places: Sequence[tuple[float, float]],
        values: Sequence[Sequence[float]],
    ) -> Judgement:
        """The rule, where the trials have one place between them."""
        if len(claimed) > 1:
            found = ", ".join(f"{place:.4g}" for place in sorted(claimed))
            words = f"transitions at several places ({found}) in one part; give each a part of its own"
            return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.UNDEFINED, words))
        (place,) = claimed
        moved = [value for value, _ in places]
        if not min(moved) < place < max(moved):
            words = f"{self.moving} from {min(moved):g} to {max(moved):g} lies on one side of the claimed {place:.4g}"
            return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.SHORTAGE, words))
        judgement = rules.judge_transition(
            moved,
            [size for _, size in places],
            values,
            place,
            level=self.level,
            tolerance=self.tolerance,
            within=self.within,
            rate=self.rate,
            exact=self.noiseless,
            span=self.range,
            letter=str(self.symbol),
            policy=self.policy.of_family(shared_by(self, claim)).of_choice(candidate.error_share),
        )
        words = (
            f"stated beforehand: 0 within {self.tolerance:g} below the place, {self.level:g} or more beyond it, the "
            f"place enclosed within {self.within:g}"
        )
        figures = {"tolerance": self.tolerance, "level": self.level, "within": self.within}
        return judgement.adding(choices=(Clause(Topic.MARGIN, words, figures),))
