"""A quantity that falls to an offset which nobody knows: the order of its excess along an axis, beside a claim.

A loss E + A N^-a with an irreducible part E, a time with a fixed overhead: a slope through logarithms of what was
measured has neither that exponent nor any other. The rule is `checks.statistics.excess_rule`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence.along import Along
from checks.evidence.comparison import Candidate, in_scaling_family, relation_of, sane
from checks.evidence.later import estimates, np, rules
from checks.records.rows import Row
from checks.statistics.explanation import Topic, obstacle
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Trial
from theory.claim import Claim, Kind

MIN_POINTS = 5
"""Sizes that an offset and a power need, as the rule has it; the rule itself takes long to load."""
SAME_POWER = 1e-6
"""By how much the slopes of a power's logarithm between grid points may differ, by rounding."""


@dataclass(frozen=True, kw_only=True)
class Excess(Along):
    """A positive observable per trial that tends to an offset: the claim, a power of its axis, is of what lies beyond.

    Measured is E + A axis^c with any E >= 0 and A > 0, and c is judged.

    Attributes:
        observable: a number > 0 in each trial.
        noise: "relative" (the same share of the value everywhere) or "absolute" (of the same size everywhere).
    """

    observable: str
    noise: str = "relative"

    def __post_init__(self) -> None:
        """Check the noise."""
        super().__post_init__()
        if self.noise not in ("relative", "absolute"):
            raise ValueError(f"noise must be 'relative' or 'absolute', got {self.noise!r} for part {self.name!r}")

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The grid's: all trials at one place are judged together."""
        return self.grid_parameters

    @property
    def kinds(self) -> frozenset[Kind]:
        """Orders of one algorithm."""
        return frozenset({Kind.TIGHT, Kind.UPPER, Kind.LOWER})

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        """The rule on the excess, over the points in the regime."""
        groups = self.groups(trials)
        samples = [np.array([trial.number(self.observable) for trial in sane(group)]) for group in groups.values()]
        axis = list(groups)

        def judge(candidate: Candidate, usable: list[int]) -> Judgement:
            kept = [i for i in usable if len(samples[i])]
            if len({axis[i] for i in kept}) < MIN_POINTS:
                words = f"{len(kept)} points in the regime; an offset and a power need {MIN_POINTS}"
                return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.GRID, words))
            if not all(np.all(samples[i] > 0) for i in kept):
                words = f"{self.observable} must be > 0 in every run for an excess over an offset"
                return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.SELECTION, words))
            exponent = _power([axis[i] for i in kept], [candidate.bound(i) for i in kept])
            if exponent is None or candidate.toward not in ("infinity", "zero"):
                words = f"the claim is no power of {self.symbol}, which is all that is told beyond an unknown offset"
                return Judgement(Verdict.INCONCLUSIVE, obstacle(Topic.GRID, words))
            return rules.judge_excess(
                [axis[i] for i in kept],
                [samples[i] for i in kept],
                exponent,
                relation=relation_of(claim.kind),
                margin=float(claim.margin),
                toward=candidate.toward,
                noise=self.noise,
                checkpoints=False,  # every trial is a run of its own
                policy=in_scaling_family(self.policy, claim).of_choice(candidate.error_share),
            )

        measured = {
            value: estimates.arithmetic_mean(values, confidence=self.confidence)
            if len(values)
            else estimates.Estimate(None, reason="no run was left")
            for value, values in zip(axis, samples, strict=True)
        }
        row = self.row(claim, trials, measured=measured, judge=judge)
        return [_beyond_offset(row, self.observable)]


def _power(axis: Sequence[float], bounds: Sequence[float]) -> float | None:
    """The exponent of a claimed value in its axis; None where it is no power of it."""
    places = sorted(zip(axis, bounds, strict=True))
    slopes = [
        math.log(after[1] / before[1]) / math.log(after[0] / before[0]) for before, after in itertools.pairwise(places)
    ]
    return slopes[0] if max(slopes) - min(slopes) < SAME_POWER else None


def _beyond_offset(row: Row, observable: str) -> Row:
    """The row with points less the fitted offset, and the claimed power scaled to them: what is judged, as drawn."""
    words = observable.replace("_", " ")
    clauses = row.judgement.explanation.adequacy.clauses
    offset = next((float(told) for each in clauses if (told := each.figures.get("offset")) is not None), None)
    if offset is None:
        points = tuple(replace(point, bound=None) for point in row.points)
        return replace(row, points=points, display=replace(row.display, quantity=words))

    def above(value: float | None) -> float | None:
        return None if value is None or value <= offset else value - offset

    points = [
        replace(point, measured=above(point.measured), low=above(point.low), high=above(point.high))
        for point in row.points
    ]
    ratios = [
        math.log(each.measured / each.bound) for each in points if each.measured and each.bound and each.in_regime
    ]
    prefactor = math.exp(sum(ratios) / len(ratios)) if ratios else 1.0
    points = [replace(each, bound=None if each.bound is None else prefactor * each.bound) for each in points]
    exponents = replace(row.judgement.exponents, prefactor=prefactor)
    return replace(
        row,
        points=tuple(points),
        judgement=replace(row.judgement, exponents=exponents),
        display=replace(row.display, quantity=f"{words} beyond its offset, {offset:.4g}"),
    )
