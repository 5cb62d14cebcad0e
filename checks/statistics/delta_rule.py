"""The Delta rule: whether data carry a verdict on an exponent, and from an interval of Delta to a verdict.

Where the interval comes from (a line through points, slopes of seeds, a range over windows) is
`checks.statistics.judge`'s business. Delta is positive where it is worse for the claim (`DELTA_WORDS`); a line, which
knows no relation, has a residual slope toward the limit, and `DeltaRule.delta` makes Delta of it. With margin m, a
bound is, in order:

    violated      the interval of Delta lies above +m
    tight         the equivalence interval lies inside (-m, m)
    loose         the interval lies below -m
    holds         the equivalence interval lies below m
    inconclusive  otherwise

A tight claim is violated on either side, tight by the same test, and otherwise inconclusive. What passes is withdrawn
where the data tell its exponent from the claimed one all the same (`DeltaRule.is_apart`): n^(2/3) lies within 1/4 of
n^(1/2), and is another law; a bound whose exponent is told from a better one holds, and is not tight. So is a law that
moves less than the margin on its grid, or is a power of a logarithm, where Delta is not within half of its exponent
there (`DeltaRule.is_within_half`): a constant would pass for log n, and log n for log log n. The ends of the
equivalence interval are one-sided limits at the confidence of the other one, so that it amounts to two one-sided tests
[Schuirmann 1987]. Levels are those of `checks.statistics.policy`.

*Shortage.* A line needs so many points, one fewer where each has many runs, over so wide an axis.

*Ties, crowds and leverage.* What is tied or crowded counts once, and no point carries the slope alone. Five points of
which four lie side by side say what two say. Values closer than a fiftieth of the axis' logarithmic span count as one,
and a point whose leverage is above 0.95 holds the slope by itself: the others could not contradict it [Belsley, Kuh and
Welsch 1980, ch. 2; five points evenly spaced have at most 0.6].

*Levels that share data.* On a grid of several axes whole levels may share data. Where all points of one width come from
one data set, their common error moves them together, and a plane takes a dozen points for a dozen errors where there
are as many as levels. What an axis' levels scatter about its line, beyond what points of one level differ by, is
compared with that by F [the split-plot analysis: Yates 1935]; where the test says so, or the caller, the slope's noise
is that of the levels, with their number less two as degrees of freedom.

*How much more.* Every rule that may end inconclusive finds what would decide in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

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
from checks.statistics.outcome import MAX_PLANNED
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy, level_words
from checks.statistics.regression import Array, Noise, Points, t_quantile
from checks.statistics.verdict import (
    NO_EXPONENTS,
    Effect,
    Exponents,
    Interval,
    Judgement,
    Plan,
    Quantity,
    Verdict,
    delta_sign,
)

# ------------------------------------------------------------------------------------------------------ points and span


MIN_POINTS = 5
"""Points on a line; each further axis of a plane needs one more."""
MIN_REPLICATED_POINTS, MANY_REPLICATES = 4, 20
"""Points that are enough on a line where each has so many runs, none of them cut off: their own noise is then known,
and tells a bend by the two degrees of freedom that are left."""
MIN_SPAN = 4.0
"""Factor between the ends of an axis."""


def points_needed(points: Points) -> int:
    """How many points a line needs with so many runs at each."""
    runs, is_whole = points.freedom + 1, (points.side == 0) & (points.spread == 0)
    is_known = bool(len(runs) and np.all((runs >= MANY_REPLICATES) & np.isfinite(runs) & is_whole))
    return MIN_REPLICATED_POINTS if is_known else MIN_POINTS


def _past(high: float, margin: float) -> str:
    """That the end of an interval lies past the margin, where the estimate does not."""
    return ", which the interval reaches past" if high > margin else ""


def too_few(n_points: int, needed: int = MIN_POINTS, *, n_axes: int = 1) -> str:
    """Why so many points cannot carry a verdict on one of so many axes, or ""."""
    needed += n_axes - 1
    if n_points >= needed:
        return ""
    return f"only {n_points} points in the regime, {needed} are needed" + (f" for {n_axes} axes" if n_axes > 1 else "")


def too_narrow(x: NDArray) -> str:
    """Why an axis that reaches over these logarithms cannot carry a verdict, or ""."""
    span = math.exp(min(float(x.max() - x.min()), 700.0)) if len(x) else 1.0
    return "" if span >= MIN_SPAN * (1 - 1e-9) else f"the axis spans a factor {span:.3g}, {MIN_SPAN:g} is needed"


# -------------------------------------------------------------------------------------------- ties, crowds and leverage


LEAST_GAP = 0.02
"""Share of the axis' span in log by which two values must differ to be two."""

MAX_LEVERAGE = 0.95
"""Leverage beyond which one point holds the slope alone [Belsley, Kuh and Welsch 1980, ch. 2]; of five evenly spaced
points the largest is 0.6."""

EVEN = 0.2
"""Ratio of the narrowest to the widest gap from which neither rule can apply to five points or more."""


def unusable_grid(x: Array, needed: int) -> str:
    """Why a log axis does not carry a slope though its points and its span would do, or ""."""
    values = np.sort(x)
    gaps = np.diff(values)
    if len(gaps) and gaps.min() >= EVEN * gaps.max():
        return ""  # nearly evenly spaced, as most grids are
    return too_crowded(x, needed) or carried_by_one(x)


def distinct(x: Array) -> int:
    """How many values of a log axis lie apart, counted from its lower end."""
    values = np.unique(x)
    if len(values) < 2:
        return len(values)
    gap = LEAST_GAP * float(values[-1] - values[0]) * (1 - 1e-9)
    count, last = 1, values[0]
    for value in values[1:]:
        if value - last >= gap:
            count, last = count + 1, value
    return count


def too_crowded(x: Array, needed: int) -> str:
    """Why so many points are not as many places, or ""."""
    places = distinct(x)
    if places >= needed or len(np.unique(x)) < needed:
        return ""
    return (
        f"{len(x)} points lie at {places} places that differ by a fiftieth of the axis' span in log, {needed} are "
        "needed; points further apart would decide"
    )


def carried_by_one(x: Array) -> str:
    """Why one point carries the slope alone, or ""."""
    centred = x - x.mean()
    spread = float(centred @ centred)
    if not spread > 0:
        return ""
    leverage = 1 / len(x) + centred**2 / spread
    # Points at one value carry it together.
    values, where = np.unique(x, return_inverse=True)
    total = np.bincount(where, weights=leverage, minlength=len(values))
    if total.max() <= MAX_LEVERAGE or len(values) < 3:
        return ""
    rest = np.delete(values, int(total.argmax()))
    factor = float(np.exp(min(float(rest.max() - rest.min()), 700.0)))
    return (
        f"one end of the axis carries the slope alone (leverage {total.max():.3f}), the other values span a factor "
        f"{factor:.3g}; points between them would decide"
    )


# ----------------------------------------------------------------------------------------------- levels that share data


SHARED_LEVEL, STRICT_SHARED_LEVEL = 0.2, 0.05
"""Level of the test: a grid whose points are independent is taken for one of shared levels this often; the stricter one
where three levels leave one degree of freedom, whose interval decides next to nothing."""


def level_noise(x: Array, y: Array, own: int, *, declared: bool) -> Noise | None:
    """Noise of the levels of one axis, for the coefficients of its slope; None where points are independent.

    Args:
        x: signed log axes. [points, axes]
        y: log(measured / claim). [points]
        own: the axis whose levels may share data.
        declared: they are known to.
    """
    count = len(y)
    levels = [np.unique(column, return_inverse=True)[1] for column in x.T]
    number = int(levels[own].max()) + 1
    if not 3 <= number < count:
        return None
    others = [_dummies(level) for axis, level in enumerate(levels) if axis != own and level.max() + 1 < count]
    constant = np.ones((count, 1))
    line = np.column_stack([constant, x[:, own], *others])
    full = np.column_stack([constant, _dummies(levels[own]), *others])
    (about_line, rank), (within, full_rank) = _residual(line, y), _residual(full, y)
    above, below = full_rank - rank, count - full_rank
    if above < 1 or below < 1:
        return None
    between = max(about_line - within, 0.0) / above
    strictness = SHARED_LEVEL if above > 1 else STRICT_SHARED_LEVEL
    if not declared and not between > float(special.fdtri(above, below, 1 - strictness)) * within / below:
        return None
    return Noise(np.full(count, max(between, within / below)), float(above))


def _dummies(level: NDArray[np.intp]) -> Array:
    """One column for each level but the first. [points, levels - 1]"""
    return (level[:, None] == np.arange(1, int(level.max()) + 1)).astype(float)


def _residual(design: Array, y: Array) -> tuple[float, int]:
    """Residual sum of squares and the rank of the design."""
    found, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    residual = y - design @ found
    return float(residual @ residual), int(rank)


# ------------------------------------------------------------------------------------------- how much more would decide


def power_factor(freedom: float, confidence: float, policy: ErrorPolicy) -> float:
    """Standard errors between Delta and the margin for the policy's power of the end of an interval at `confidence`."""
    return t_quantile(max(freedom, 1.0), confidence) + policy.power_quantile


def smallest(enough: Callable[[int], bool], above: int) -> int:
    """Smallest count > `above` that is enough, at most MAX_PLANNED; `enough` is monotone."""
    low, high = above, above + 1
    while high < MAX_PLANNED and not enough(high):
        low, high = high, min(2 * high, MAX_PLANNED)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


# ------------------------------------------------------------------------------------------------------- the Delta rule


ESTIMAND = "slope of log(measured / claimed) in the logarithm of the axis, toward the limit"

RELATIONS = ("upper", "lower", "tight")

CLOSE = 1 / 3
"""Share of the margin up to which a Delta that is told from 0 is agreement: 1/12 of the default 1/4, the smallest gap
between two exponents with denominators up to four (1/3 and 1/4). Chosen before any row was judged by it."""

GAP = 1 / 12
"""The smallest gap between two exponents with denominators up to four. At the default margin it is the third of it,
which an estimate of a rival's exponent meets as often from below as from above."""

LEAST_MARGIN = GAP / 2
"""The smallest margin that is advised: half of that gap."""

ROOM = 1.0
"""How much below the end of the interval of Delta a margin is advised, as a share of the way from Delta to that end."""

TOLD_APART = 0.4
"""Of the error: how often a claim that is right may be told from itself, 2 % where an interval misses in 5 %."""

NO_EXPONENT = 1e-6
"""Exponents below this are those of a claimed constant, which moves by rounding alone."""

IntervalAt = Callable[[float], Interval]
"""Interval of Delta, or of a residual slope, at a given confidence."""


@dataclass(frozen=True)
class DeltaRule:
    """One relation at one margin.

    Attributes:
        relation: "upper", "lower" or "tight".
        margin: practical equivalence of exponents, > 0.
        policy: the levels of the intervals.
        exponent: of the claim on the grid that it is judged on, unsigned or not; None where the caller knows none.
        is_logarithmic: the claim is a power of a logarithm, slow whatever it moves on this grid.
    """

    relation: str
    margin: float
    policy: ErrorPolicy = DEFAULT_POLICY
    exponent: float | None = None
    is_logarithmic: bool = False

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
    def confidence_apart(self) -> float:
        """Confidence of the interval that tells a Delta from 0."""
        return 1 - TOLD_APART * self.policy.error

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
            is_near = not self.is_slow or self.relation == "tight" or narrow.low > -self.half_exponent
            return Verdict.TIGHT if is_near else Verdict.HOLDS
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
            return self.against(delta) > self.margin
        if verdict is Verdict.TIGHT:
            return abs(delta) < self.margin
        return delta < (-self.margin if verdict is Verdict.LOOSE else self.margin)

    def against(self, delta: float) -> float:
        """How far a Delta speaks against the claim: it is below 0 where a bound has room to spare."""
        return abs(delta) if self.relation == "tight" else delta

    def is_apart(self, verdict: Verdict, delta: float, interval: IntervalAt) -> bool:
        """Whether a passing verdict is of another exponent than the claimed one, though of one within the margin.

        So where the interval excludes the claimed exponent on the side that accuses, and Delta is more than a third of
        the margin; of half the claimed exponent, where the law moves less than the margin: log^2 and log differ by that
        half, and an offset makes the difference less. (Other powers of log are compared with their rivals one by one.)
        What is better than a bound asks for is agreement. The interval is one that a claim that is exactly right leaves
        in 2 % (of 5), so that it loses no more of its verdicts. And an exponent that may be a nearest rival's (`GAP`)
        is none of the claimed one's, on whichever side of the third its estimate lies.
        """
        if verdict not in (Verdict.TIGHT, Verdict.HOLDS):
            return False
        side = self._side_apart(delta, interval)
        return side > 0 or (self.relation == "tight" and side < 0)

    def is_better(self, verdict: Verdict, delta: float, interval: IntervalAt) -> bool:
        """Whether a tight bound is of an exponent that is told from the measured one, which is better: it holds."""
        return verdict is Verdict.TIGHT and self.relation != "tight" and self._side_apart(delta, interval) < 0

    def _side_apart(self, delta: float, interval: IntervalAt) -> int:
        """+1 where Delta is told from 0 on the side that accuses, -1 where on the other, 0 where it is not."""
        reach = CLOSE * (self.half_exponent if self.is_flat else self.margin)
        if self.half_exponent:  # a margin beyond half the claimed exponent would call any power the claimed one
            reach = min(reach, max(GAP, CLOSE * self.half_exponent))
        rival = max(reach, GAP)
        wide, end = interval(self.confidence_apart), interval(self.equivalence_confidence)
        if wide.low > 0 and (delta > reach or end.high > rival):
            return 1
        return -1 if wide.high < 0 and (-delta > reach or -end.low > rival) else 0

    @property
    def half_exponent(self) -> float:
        """Half of the claimed exponent on the grid; 0 where none is known."""
        return abs(self.exponent or 0.0) / 2

    @property
    def is_flat(self) -> bool:
        """Whether the claimed law moves less on the grid than the margin allows, and yet moves."""
        return NO_EXPONENT < 2 * self.half_exponent < self.margin

    @property
    def is_slow(self) -> bool:
        """Whether the claimed law moves less on the grid than the margin allows, and yet moves; or is a power of log.

        Within such a margin a constant passes for log d, and log d for log log d. A power of log moves more than the
        margin on a short grid, where A log d - B passes for log^2 d. A bound by either is tight only where Delta is
        within half of its exponent, and passes only where Delta is below that half.
        """
        return 2 * self.half_exponent > NO_EXPONENT and (self.is_logarithmic or 2 * self.half_exponent < self.margin)

    def is_within_half(self, interval: IntervalAt) -> bool:
        """Whether Delta lies within half of the claimed exponent on the grid, on the sides that accuse."""
        found, half = interval(self.equivalence_confidence), self.half_exponent
        return found.high < half and (self.relation != "tight" or found.low > -half)

    def stays_open(self, delta: float) -> bool:
        """Whether no number of runs is sure to decide if Delta is what it seems.

        Beyond a third of the margin the claimed exponent is excluded sooner or later, and from a fifth on an estimate
        may lie beyond the third too often for a power of 0.8.
        """
        return self.margin / 5 < self.against(delta) < self.margin

    def is_open_at_any(self, delta: float) -> bool:
        """Whether no number of runs decides if Delta is what it seems: it is told from 0, and passes nothing."""
        return CLOSE * self.margin < self.against(delta) < self.margin

    def next_step(self, plan: Plan, unit: str, delta: float, *, clauses: Clauses = ()) -> NextStep:
        """The step to so many runs, and what to know of them where at Delta as seen they may not decide."""
        if self.is_open_at_any(delta):
            words = (
                f"no number of runs decides a Delta of {delta:+.2g}, between a third of the margin and the margin: "
                "larger sizes would, or a smaller margin fixed for fresh runs; to see whether it stays there"
            )
            return NextStep(plan, unit, only=words, clauses=clauses)
        if not self.stays_open(delta):
            return NextStep(plan, unit, clauses=clauses)
        words = (
            f"so many tell a Delta of {delta:+.2g} from 0; where it comes out beyond a third of the margin, larger "
            "sizes would decide, or a smaller margin fixed for fresh runs"
        )
        return NextStep(plan, unit, clauses=(Clause(Topic.ROUTE, words), *clauses))

    def gap(self, delta: float) -> float:
        """The half-width that would decide: distance from Delta to the nearest margin that matters.

        At least a quarter of the margin, because no amount of data decides a Delta that sits on it. Where no number of
        runs is sure to decide (`stays_open`), at most the distance to 0: then it is seen whether Delta is told from it.
        """
        gap = max(abs(self.against(delta) - self.margin), self.margin / 4)
        return min(gap, abs(delta)) if self.stays_open(delta) else gap

    def deciding_confidence(self, delta: float) -> float:
        """Confidence of the interval that decides if Delta is what it seems."""
        if delta > self.margin or (self.relation == "tight" and delta < -self.margin):
            return self.strict_confidence
        if self.stays_open(delta):
            return self.confidence_apart
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
            sign: of the axis toward its limit; with that of the relation it turns Delta into a difference of exponents.
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
        ruling = replace(
            ruling, sign=int(sign * delta_sign(self.relation)), obstacles=shortage if is_short else ruling.obstacles
        )
        found = Judgement(
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
        return self._unless_slow(self._unless_apart(found, delta, interval), verdict, interval)

    def _unless_apart(self, found: Judgement, delta: float, interval: IntervalAt) -> Judgement:
        """The judgement, withdrawn where it passes another exponent than the claimed one; a better one holds."""
        is_better = self.is_better(found.verdict, delta, interval)
        wide = interval(self.confidence)
        if not is_better and not self.is_apart(found.verdict, delta, interval):
            passes = found.verdict in (Verdict.TIGHT, Verdict.HOLDS) and found.effect.confidence is not None
            is_told = passes and (wide.low > 0 or (self.relation == "tight" and wide.high < 0))
            return found.adding(adequacy=(self._told_from_none(delta, wide),)) if is_told else found
        low, high = sorted(map(abs, (wide.low, wide.high)))
        if is_better:
            words = (
                f"the bound holds, and is not tight: the exponent is better than the claimed one by {abs(delta):.2g} "
                f"({low:.2g} to {high:.2g}), less than the margin of {self.margin:g}{_past(high, self.margin)}"
            )
            return found.withdrawn(Verdict.HOLDS, Clause(Topic.APART, words, {"delta": delta}))
        words = (
            f"the exponent differs from the claimed one by {abs(delta):.2g} ({low:.2g} to {high:.2g}), less than the "
            f"margin of {self.margin:g}{_past(high, self.margin)}: another law, or finite size"
        )
        apart = found.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.APART, words, {"delta": delta}))
        return apart.adding(next=(self._route_apart(delta, interval, found.explanation.evidence.replicates),))

    def _route_apart(self, delta: float, interval: IntervalAt, replicates: tuple[int, int] | None) -> Clause:
        """What decides a Delta that is told from 0 within the margin: a margin to type, where one accuses."""
        strict = interval(self.strict_confidence)
        low = strict.low if delta > 0 else -strict.high
        accuses = low - ROOM * (abs(delta) - low)  # fresh runs scatter about the estimate as these do
        if self.is_flat or accuses < LEAST_MARGIN:
            words = (
                f"larger sizes would decide; on runs like these no margin down to 1/{round(1 / LEAST_MARGIN)} would, "
                "half the gap between powers such as 1/3 and 1/4, and a smaller one takes finite size for another law"
            )
            return Clause(Topic.ROUTE, words)
        parts, first = math.ceil(1 / accuses), "..." if replicates is None else replicates[1]
        words = (
            f"larger sizes would decide, or a smaller margin, fixed for fresh runs (Sweep(first_replicate={first})): "
            f"at margin 1/{parts} (in a claim margin=sympy.Rational(1, {parts})) runs like these mostly accuse; take "
            f"it if a law whose exponent is off by 2/{parts} or more is a wrong one to you, whatever it is"
        )
        return Clause(Topic.ROUTE, words, {"margin": 1 / parts})

    def _told_from_none(self, delta: float, wide: Interval) -> Clause:
        """That a verdict which may pass is of a Delta that is not 0."""
        words = (
            f"Delta is told from 0, with {level_words(self.confidence)} interval {wide}: it agrees up to the margin of "
            f"{self.margin:g}, and a logarithm or a small power more is not excluded"
        )
        return Clause(Topic.APART, words, {"delta": delta})

    def _unless_slow(self, found: Judgement, verdict: Verdict, interval: IntervalAt) -> Judgement:
        """The judgement, withdrawn where it passes a law so slow that the margin tells it from no other."""
        if verdict not in (Verdict.TIGHT, Verdict.HOLDS) or not self.is_slow or self.is_within_half(interval):
            return found
        slow = f"less than the margin of {self.margin:g}"
        words = (
            f"the claimed value moves by an exponent of {2 * self.half_exponent:.2g} on this grid, "
            f"{slow if 2 * self.half_exponent < self.margin else 'as a power of a logarithm'}, and Delta is not within "
            "half of it: a constant, or a law twice as steep, is not excluded"
        )
        figures = {"margin": self.margin, "exponent": 2 * self.half_exponent}
        return found.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.MARGIN, words, figures))

    def undecided(self, shortage: Clause, *, evidence: Measurements, next_step: NextStep) -> Judgement:
        """An open judgement under this rule where nothing could be estimated."""
        ruling = Ruling(rule=Rule.EQUIVALENCE, relation=self.relation, threshold=self.margin, obstacles=(shortage,))
        explanation = Explanation(ruling, evidence, next=next_step)
        return Judgement(Verdict.INCONCLUSIVE, explanation, effect=Effect(margin=self.margin, relation=self.relation))

    def _ruling(self, verdict: Verdict, delta: float, interval: IntervalAt, *, is_range: bool) -> Ruling:
        """The interval that decided, at the confidence at which it did.

        The word is that of this interval: one that scatter widened since need not say what the narrower one did.
        """
        verdict = verdict if verdict is Verdict.INCONCLUSIVE else self.decide(interval)
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
