"""A quantity per trial at growing sizes, against the value that a claim gives for its limit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.evidence.along import Along, require_range, require_rate
from checks.evidence.comparison import OUTSIDE, Candidate, make_row, profile, sane, scan
from checks.evidence.endings import counted
from checks.evidence.family import shared_by
from checks.evidence.later import estimates, rules
from checks.evidence.scaling import NOTHING_LEFT
from checks.evidence.translation import written
from checks.records.rows import Point, Row
from checks.statistics.explanation import Clause, Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Scalar, Trial
from theory.claim import Claim, Kind

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate


@dataclass(frozen=True, kw_only=True)
class LimitValue(Along):
    """An observable per trial as the axis grows, and the number that its mean is claimed to tend to.

    The claim is of kind limit: its one axis goes to infinity and its value does not contain it. Trials whose value has
    the same letters, and that agree in words, in True and False and in numbers that take the same several values at
    every size, are one sequence; each is extrapolated by itself. `checks.statistics.limits` judges them.
    """

    observable: str
    margin: float = 0.05
    """Tolerance of the limit as a share of the claimed value, between 0 and 1, stated beforehand."""
    tolerance: float | None = None
    """Tolerance in units of the observable, in place of a share; needed where 0 is claimed."""
    rate: float | None = None
    """The claim's own rate r of q(d) - L = O(d^-r), where the extrapolation may assume it."""
    noiseless: bool = False
    """Whether a trial's value has no noise, so that one trial at each size is enough."""
    range: tuple[float, float] | None = None
    """Between which numbers a trial's value lies by its meaning; its ends alone, yes or no, are counted."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.margin < 1:
            raise ValueError(f"margin must lie in (0, 1), got {self.margin} for part {self.name!r}")
        require_range(self.range, self.name, noiseless=self.noiseless)
        require_rate(self.rate, self.name)
        if self.tolerance is not None and not 0 < self.tolerance < math.inf:
            raise ValueError(f"tolerance must be finite and > 0, got {self.tolerance} for part {self.name!r}")

    @property
    def kinds(self) -> frozenset[Kind]:
        """Limits alone."""
        return frozenset({Kind.LIMIT})

    @property
    def has_sampling_error(self) -> bool:
        """Each trial is a draw."""
        return True

    def judges_limit(self, claim: Claim) -> bool:
        """It does."""
        return True

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The limit rule on the sizes of every setting."""
        groups = self.settings(claim, trials)
        values = [[trial.number(self.observable) for trial in sane(group)] for group in groups.values()]

        def judge(candidate: Candidate) -> Judgement:
            usable = [i for i, ok in enumerate(candidate.usable) if ok]
            kept = [i for i in usable if values[i]]
            if not kept:
                return NOTHING_LEFT if usable else OUTSIDE
            return self._judged(claim, candidate, groups, values, kept)

        grid = [self.point(group[0]) for group in groups.values()]
        axis = claim.axis(self.symbol)
        judgement, candidate = profile(claim, judge, scan(claim, grid, axis=axis, least=-math.inf))
        measured = [
            estimates.arithmetic_mean(each, confidence=self.confidence)
            if each
            else estimates.Estimate(None, reason="no run was left")
            for each in values
        ]
        points = _points(groups, candidate, measured)
        words = self.parameter.replace("_", " ")
        return [make_row(self, claim, judgement, trials, points=points, axis=axis, toward="infinity", axis_words=words)]

    def _judged(
        self,
        claim: Claim,
        candidate: Candidate,
        groups: dict[tuple[str, float], list[Trial]],
        values: Sequence[Sequence[float]],
        kept: Sequence[int],
    ) -> Judgement:
        """The rule on the points of these indices."""
        claimed = [candidate.bound(i) for i in kept]
        if self.tolerance is None and 0.0 in claimed:
            words = "a limit claimed to be 0 has no share of it to be near; state a tolerance"
            return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.UNDEFINED, words))
        names = list(groups)
        policy = self.policy.of_family(shared_by(self, claim)).of_choice(candidate.error_share)
        judgement = rules.judge_limit(
            [names[i][1] for i in kept],
            [values[i] for i in kept],
            claimed,
            margin=self.margin,
            settings=[names[i][0] for i in kept],
            tolerance=self.tolerance,
            rate=self.rate,
            exact=self.noiseless,
            span=self.range,
            letter=str(self.symbol),
            policy=policy,
        )
        allowed = judgement.explanation.decision.threshold
        if allowed is None:
            return judgement
        words = f"tolerance stated beforehand: {allowed:.3g}"
        return judgement.adding(choices=(Clause(Topic.MARGIN, words, {"tolerance": allowed}),))

    def settings(self, claim: Claim, trials: Sequence[Trial]) -> dict[tuple[str, float], list[Trial]]:
        """Trials by the sequence that they belong to, in words, and by their size."""
        letters = sorted(claim.formula.free_symbols - {constant.symbol for constant in claim.constants}, key=str)
        named = self.symbols if isinstance(self.symbols, Mapping) else {}
        told = {name for name, letter in named.items() if letter in letters}
        crossed, found = self._crossed(trials), dict[tuple[str, float], list[Trial]]()
        for trial in trials:
            point = self.point(trial)
            words = [f"{letter} = {written(point[letter])}" for letter in letters if letter in point]
            parameters = sorted(trial.spec.parameters.items())
            words += [
                f"{name} = {value}"
                for name, value in parameters
                if name not in told and (isinstance(value, str | bool) or name in crossed)
            ]
            found.setdefault((", ".join(words), float(trial.spec.parameters[self.parameter])), []).append(trial)
        return dict(sorted(found.items()))

    def _crossed(self, trials: Sequence[Trial]) -> set[str]:
        """Parameters with the same several values at every size: what moves along the axis has others at each."""
        seen: dict[str, dict[Scalar, set[Scalar]]] = {}
        for trial in trials:
            size = trial.spec.parameters[self.parameter]
            for name, value in trial.spec.parameters.items():
                seen.setdefault(name, {}).setdefault(size, set()).add(value)
        sets = {name: list(values.values()) for name, values in seen.items() if name != self.parameter}
        return {name for name, found in sets.items() if len(found[0]) > 1 and all(each == found[0] for each in found)}


def _points(
    groups: dict[tuple[str, float], list[Trial]], candidate: Candidate, measured: Sequence[Estimate]
) -> tuple[Point, ...]:
    """A point of the row for each size of each setting."""
    points = []
    each = zip(groups.items(), candidate.bounds, candidate.usable, measured, strict=True)
    for ((setting, size), trials), bound, usable, estimate in each:
        ends = estimate.confidence_interval
        points.append(
            Point(
                value=size,
                bound=bound,
                measured=estimate.value,
                low=ends.low if ends else None,
                high=ends.high if ends else None,
                in_regime=usable,
                n_trials=len(trials),
                endings=tuple(counted(trials).items()),
                sequence=setting,
            )
        )
    return tuple(points)
