"""The Delta rule itself: from an interval of Delta to a verdict, and what else follows from the margin.

Where the interval comes from (a line through points, slopes of seeds, a range over windows) is
`checks.statistics.judge`'s business. Delta is positive where it is worse for the claim (`DELTA_WORDS`); a line, which
knows no relation, has a residual slope toward the limit, and `DeltaRule.delta` makes Delta of it. With margin m, a
bound is, in order:

    violated      the interval of Delta lies above +m
    tight         the equivalence interval lies inside (-m, m)
    loose         the interval lies below -m
    holds         the equivalence interval lies below m
    inconclusive  otherwise

A tight claim is violated on either side, tight by the same test, and otherwise inconclusive. The ends of the
equivalence interval are one-sided limits at the confidence of the other one, so that it amounts to two one-sided tests
[Schuirmann 1987]. Levels are those of `checks.statistics.policy`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from checks.statistics.explanation import (
    NO_STEP,
    NOT_TESTED,
    Adequacy,
    Clause,
    Clauses,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
)
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy, level_words
from checks.statistics.verdict import (
    NO_EXPONENTS,
    Effect,
    Exponents,
    Interval,
    Judgement,
    Quantity,
    Verdict,
    delta_sign,
)

ESTIMAND = "slope of log(measured / claimed) in the logarithm of the axis, toward the limit"

RELATIONS = ("upper", "lower", "tight")

IntervalAt = Callable[[float], Interval]
"""Interval of Delta, or of a residual slope, at a given confidence."""


@dataclass(frozen=True)
class DeltaRule:
    """One relation at one margin.

    Attributes:
        relation: "upper", "lower" or "tight".
        margin: practical equivalence of exponents, > 0.
        policy: the levels of the intervals.
    """

    relation: str
    margin: float
    policy: ErrorPolicy = DEFAULT_POLICY

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise ValueError(f"relation must be one of {', '.join(RELATIONS)}, got {self.relation!r}")
        if not 0 < float(self.margin) < math.inf:
            raise ValueError(f"margin must be finite and > 0, got {self.margin}")
        object.__setattr__(self, "margin", float(self.margin))  # claims keep exact rationals

    @property
    def confidence(self) -> float:
        """Confidence of the reported interval, and of every test but those below."""
        return self.policy.interval_confidence

    @property
    def equivalence_confidence(self) -> float:
        """Confidence of the interval whose ends are one-sided limits at `confidence`."""
        return self.policy.equivalence_confidence

    @property
    def strict_confidence(self) -> float:
        """Confidence of the interval that decides "violated"."""
        return self.policy.violation_confidence

    def delta(self, slope: float) -> float:
        """Delta of a residual slope toward the limit, and the slope of a Delta: a lower bound asks for growth."""
        return 0.0 + delta_sign(self.relation) * slope  # no minus before a zero

    def of_delta(self, of_slope: IntervalAt) -> IntervalAt:
        """The interval of Delta from that of a residual slope toward the limit."""
        return (lambda level: -of_slope(level)) if delta_sign(self.relation) < 0 else of_slope

    def decide(self, interval: IntervalAt) -> Verdict:
        """Apply the rule to the interval of Delta."""
        m = self.margin
        strict, wide, narrow = map(interval, (self.strict_confidence, self.confidence, self.equivalence_confidence))
        if strict.low > m or (self.relation == "tight" and strict.high < -m):
            return Verdict.VIOLATED
        if -m < narrow.low and narrow.high < m:
            return Verdict.TIGHT
        if self.relation == "tight":
            return Verdict.INCONCLUSIVE
        if wide.high < -m:
            return Verdict.LOOSE
        return Verdict.HOLDS if narrow.high < m else Verdict.INCONCLUSIVE

    def is_undermined(
        self, verdict: Verdict, full: Interval, *, delta: float, late: float, noise: Callable[[], float]
    ) -> bool:
        """Whether finite size undermines a verdict: nearer to the limit Delta is another one, in a way that matters.

        So if that Delta, `late`, lies outside the interval of the full one, would leave the verdict's region if it went
        on drifting as far again, and differs by more than `noise`, which is worked out only then.
        """
        drift = late - delta
        return late not in full and not self.admits(verdict, late + drift) and abs(drift) > noise()

    def admits(self, verdict: Verdict, delta: float) -> bool:
        """Whether a true Delta of this size makes a decided verdict correct."""
        if verdict is Verdict.VIOLATED:
            return (abs(delta) if self.relation == "tight" else delta) > self.margin
        if verdict is Verdict.TIGHT:
            return abs(delta) < self.margin
        return delta < (-self.margin if verdict is Verdict.LOOSE else self.margin)

    def gap(self, delta: float) -> float:
        """Distance from Delta to the nearest margin that matters: the half-width that would decide.

        At least a quarter of the margin, because no amount of data decides a Delta that sits on it.
        """
        m = self.margin
        return max(abs((abs(delta) if self.relation == "tight" else delta) - m), m / 4)

    def deciding_confidence(self, delta: float) -> float:
        """Confidence of the interval that decides if Delta is what it seems."""
        if delta > self.margin or (self.relation == "tight" and delta < -self.margin):
            return self.strict_confidence
        return self.confidence if delta < -self.margin else self.equivalence_confidence

    def judgement(
        self,
        verdict: Verdict,
        *,
        delta: float,
        interval: IntervalAt,
        kind: str,
        sign: float,
        evidence: Measurements,
        adequacy: Adequacy = NOT_TESTED,
        next_step: NextStep = NO_STEP,
        shortage: Clauses = (),
        exponents: Exponents = NO_EXPONENTS,
    ) -> Judgement:
        """A judgement under this rule, with both intervals and the one that decided.

        Args:
            verdict: what the rule says; inconclusive where there is a `shortage`.
            sign: of the axis toward its limit, which turns Delta into a difference of exponents.
        """
        ruling = self._ruling(verdict, delta, interval, is_range=kind == "range")
        if exponents.on_grid is not None:
            of_slope = self.of_delta(interval)(self.confidence)
            turned = of_slope if sign > 0 else -of_slope
            ruling = replace(
                ruling,
                measured=exponents.measured,
                measured_interval=Interval(exponents.on_grid + turned.low, exponents.on_grid + turned.high),
                measured_level=None if kind == "range" else self.confidence,
                claimed=exponents.on_grid,
            )
        is_short = bool(shortage) and verdict is Verdict.INCONCLUSIVE
        ruling = replace(ruling, sign=int(sign), obstacles=shortage if is_short else ruling.obstacles)
        return Judgement(
            verdict,
            Explanation(ruling, evidence, adequacy, next=next_step),
            effect=Effect(
                delta,
                interval(self.confidence),
                interval(self.equivalence_confidence),
                kind,
                margin=self.margin,
                confidence=None if kind == "range" else self.confidence,
                quantity=Quantity.DELTA,
                relation=self.relation,
            ),
            exponents=exponents,
        )

    def undecided(self, shortage: Clause, *, evidence: Measurements, next_step: NextStep) -> Judgement:
        """An open judgement under this rule where nothing could be estimated."""
        ruling = Ruling(rule=Rule.EQUIVALENCE, relation=self.relation, threshold=self.margin, obstacles=(shortage,))
        explanation = Explanation(ruling, evidence, next=next_step)
        return Judgement(Verdict.INCONCLUSIVE, explanation, effect=Effect(margin=self.margin, relation=self.relation))

    def _ruling(self, verdict: Verdict, delta: float, interval: IntervalAt, *, is_range: bool) -> Ruling:
        """The interval that decided, at the confidence at which it did."""
        level = {
            Verdict.VIOLATED: self.strict_confidence,
            Verdict.TIGHT: self.equivalence_confidence,
            Verdict.HOLDS: self.equivalence_confidence,
        }.get(verdict, self.confidence)
        obstacles: Clauses = ()
        wide = interval(self.confidence)
        if verdict is Verdict.INCONCLUSIVE and (
            wide.low > self.margin or (self.relation == "tight" and wide.high < -self.margin)
        ):
            words = f"not at the stricter {level_words(self.strict_confidence)} of the family"
            obstacles = (Clause(Topic.STRICTER, words, {"level": self.strict_confidence}),)
        return Ruling(
            by_rule=verdict.value,
            rule=Rule.LOCAL_RANGE if is_range else Rule.EQUIVALENCE,
            relation=self.relation,
            estimand=ESTIMAND,
            figure=delta,
            interval=interval(level),
            level=None if is_range else level,
            threshold=self.margin,
            obstacles=obstacles,
        )
