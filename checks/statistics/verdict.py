"""A verdict with the figures it rests on, and why it is what it is; the words are in `checks.statistics.outcome`.

*Delta.* What it is stands here and nowhere else: in words (`DELTA_WORDS`), which tables and pages quote, and in signs
(`delta_sign`), by which it is made and printed. `Judgement` is what every rule returns; every rule that makes one lives
behind `checks.statistics.judge`.

*Digits.* Exponents and Delta are rounded so that the digits printed add up, and show where in its interval Delta lies.
"""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from checks.statistics.explanation import NOTHING_SAID, Clause, Clauses, Explanation, Topic
from checks.statistics.outcome import FAILING, PASSING, SKIPPING, UNUSABLE, Interval, Plan, Verdict, worst

# ----------------------------------------------------------------------------------------------------------- judgements


__all__ = [
    "FAILING",
    "NO_EFFECT",
    "NO_EXPONENTS",
    "PASSING",
    "SKIPPING",
    "UNUSABLE",
    "Effect",
    "Exponents",
    "Interval",
    "Judgement",
    "Plan",
    "Verdict",
    "worst",
]


DELTA_WORDS = (
    "Δ is positive where it is worse for the claim: by how much faster the measured quantity grows toward the axis's "
    "limit than the claim allows; for a lower bound (≥), by how much slower; where both sides are claimed (=), faster "
    "counts as positive. In exponents: Δ = measured - claimed where the axis grows, Δ = claimed - measured where it "
    "shrinks toward its limit; for ≥ with the sign turned."
)
"""What Delta is: the one definition, quoted wherever Delta is printed.

Exponents are slopes of logarithms over the measured grid: of the measured quantity, and of the claim evaluated at the
same points. Toward a boundary the axis is the distance to it, which shrinks. Where a claim is exponential in the axis,
the exponent is the rate, in units of the claimed one. Rules that have no exponent have no Delta: what their interval is
of, `Quantity` names.
"""

RELATION_SIGNS = {"upper": "≤", "lower": "≥", "tight": "="}
"""How the measured quantity stands to the claimed one, up to a constant, as a table prints it."""


def delta_sign(relation: str, toward: object = "infinity") -> float:
    """The sign s of Delta = s (measured - claimed exponent).

    Args:
        relation: "upper", "lower" or "tight".
        toward: where the axis goes; anything but "infinity" is a limit that it shrinks to, zero or a boundary.
    """
    return (-1.0 if relation == "lower" else 1.0) * (1.0 if toward == "infinity" else -1.0)


class Quantity(StrEnum):
    """What a judgement's intervals are of."""

    DELTA = "Δ"
    RATE = "rate"
    """The share of trials, or of units, that show what is claimed."""
    RATIO = "measured / claimed"
    """Of explicit values and bounds, at the point that decides."""
    CHANGE = "factor from end to end"
    """Of thresholds along an axis, where no order is claimed."""
    DIFFERENCE = "mean difference"
    """Of pairs; it stands where Delta stands elsewhere, with the sign of first - second."""
    LIMIT = "extrapolated limit"
    """Of means at growing sizes, in their own unit."""
    PLACE = "place of a transition"
    """What encloses it, in units of the parameter."""
    THRESHOLD_RATIO = "ratio of thresholds"
    """The geometric mean over the places of an axis."""


@dataclass(frozen=True)
class Effect:
    """What was estimated, and how far off it may be; None where a figure does not apply.

    Attributes:
        delta: Delta (`DELTA_WORDS`); 0 where the claim is exactly right. The mean difference of pairs.
        confidence_interval: of `quantity`.
        equivalence_interval: the same at 1 - 2 (1 - confidence): its ends are one-sided limits at the confidence asked
            for.
        interval_kind: "t", "profile" (censored points), "range" (deterministic), "exact" (binomial), "between trials"
            (counts by trial), "betting" (samples of a stated range), "given".
        margin: practical equivalence of exponents.
        confidence: level of `confidence_interval` as it was used; None where it has none, as a range.
        quantity: what the intervals are of.
        relation: "upper", "lower" or "tight", where one was judged.
        delta_range: least and largest Delta over the admissible values of hidden constants; None where they move none.
    """

    delta: float | None = None
    confidence_interval: Interval | None = None
    equivalence_interval: Interval | None = None
    interval_kind: str | None = None
    margin: float | None = None
    confidence: float | None = None
    quantity: Quantity | None = None
    relation: str | None = None
    delta_range: Interval | None = None

    @property
    def slope(self) -> float | None:
        """The residual slope toward the limit, of log(measured / claimed); None without Delta."""
        return None if self.delta is None else delta_sign(self.relation or "") * self.delta

    @property
    def slope_interval(self) -> Interval | None:
        """The interval of `slope`; None without Delta."""
        interval = self.confidence_interval
        if self.delta is None or interval is None:
            return None
        return interval if delta_sign(self.relation or "") > 0 else -interval


@dataclass(frozen=True)
class Exponents:
    """Measured against claimed along the axis, as slopes; None where there is no line.

    Attributes:
        measured: slope of log measured against log axis, unsigned.
        on_grid: the claim's own slope on the same grid with the same weights, unsigned.
        on_grid_range, measured_range: least and largest value over the admissible hidden constants, which may move a
            boundary and with it the axis; None where they move none.
        prefactor: measured / claimed at the grid's middle, the constant that an order leaves open.
        local_deltas: Delta between neighbouring points, nearest to the limit last; equal on a line, drifting on a bend.
    """

    measured: float | None = None
    on_grid: float | None = None
    prefactor: float | None = None
    local_deltas: tuple[float, ...] = ()
    on_grid_range: Interval | None = None
    measured_range: Interval | None = None


NO_EFFECT, NO_EXPONENTS = Effect(), Exponents()


MOST_REPR = 80
"""Columns of a notebook or a terminal that a `repr` stays within."""


def short_repr(name: str, words: str) -> str:
    """What Python shows of an object, on one line of at most `MOST_REPR` columns."""
    room = MOST_REPR - len(name) - 3
    line = " ".join(words.split())
    return f"<{name} {line if len(line) <= room else f'{line[: room - 3]}...'}>"


@dataclass(frozen=True, repr=False)
class Judgement:
    """A verdict, the figures it rests on, and why.

    Attributes:
        verdict: the finding.
        explanation: why, in typed parts; its decision has the judgement's word.
        effect: what was estimated.
        exponents: the slopes behind it.
    """

    verdict: Verdict
    explanation: Explanation = NOTHING_SAID
    effect: Effect = NO_EFFECT
    exponents: Exponents = NO_EXPONENTS

    def __post_init__(self) -> None:
        if not isinstance(self.explanation, Explanation):
            got = f"{self.explanation!r:.80}"
            raise TypeError(f"explanation must be an Explanation, as finding('...') makes one, got {got}")
        decision = self.explanation.decision
        if decision.word != self.verdict:
            word = Verdict(self.verdict).value
            decision = replace(decision, word=word, by_rule=decision.by_rule or word)
            object.__setattr__(self, "explanation", replace(self.explanation, decision=decision))

    def __repr__(self) -> str:
        """Its word and Delta; `print(judgement.reason)` says all."""
        delta = "" if self.delta is None else f", Delta {self.delta:+.3g}"
        interval = "" if self.confidence_interval is None else f" {self.confidence_interval}"
        return short_repr("Judgement", f"{Verdict(self.verdict).value}{delta}{interval}")

    def adding(self, **parts: Clauses) -> Judgement:
        """The judgement with more clauses in its explanation, as `Explanation.adding` takes them."""
        return replace(self, explanation=self.explanation.adding(**parts))

    def withdrawn(
        self, verdict: Verdict, *obstacles: Clause, plan: Plan | None = None, unit: str = "", last: bool = False
    ) -> Judgement:
        """The judgement with another verdict, and why the rule's own does not stand.

        Args:
            plan: what would decide instead, in this unit; that of the rule where it is None.
            last: whether these obstacles are told after those there are, not before.
        """
        decision = self.explanation.decision
        told = (*decision.obstacles, *obstacles) if last else (*obstacles, *decision.obstacles)
        explanation = replace(self.explanation, decision=replace(decision, obstacles=told))
        if plan is not None:
            explanation = replace(explanation, next=replace(explanation.next, plan=plan, unit=unit))
        return replace(self, verdict=verdict, explanation=explanation)

    def without(self, *topics: Topic) -> Judgement:
        """The judgement without the obstacles of these topics and the ways past them; the rule's word if none is left.

        One without such an obstacle is left as it is.
        """
        told = self.explanation
        kept = tuple(clause for clause in told.decision.obstacles if clause.topic not in topics)
        if len(kept) == len(told.decision.obstacles):
            return self
        steps = tuple(clause for clause in told.next.clauses if clause.topic is not Topic.ROUTE)
        told = replace(
            told, decision=replace(told.decision, obstacles=kept), next=replace(told.next, first=(), clauses=steps)
        )
        verdict = self.verdict if kept else Verdict(told.decision.by_rule)
        return replace(self, verdict=verdict, explanation=told)

    def placed(self, places: Sequence[str]) -> Judgement:
        """The judgement with its points by their places, in words, where the rule knew no more than their index."""

        def named(clause: Clause) -> Clause:
            index = clause.figures.get("index")
            if not isinstance(index, int) or not 0 <= index < len(places):
                return clause
            return replace(clause, text=clause.text.replace(f"at index {index}", f"at {places[index]}"))

        decision = self.explanation.decision
        decision = replace(decision, clauses=tuple(map(named, decision.clauses)))
        return replace(self, explanation=replace(self.explanation, decision=decision))

    @property
    def reason(self) -> str:
        """The explanation on one line."""
        return self.explanation.reason

    @property
    def plan(self) -> Plan | None:
        """What would decide, where the verdict is open and more data would help."""
        return self.explanation.next.plan

    @property
    def n_points(self) -> int:
        """Points, windows or seeds that entered."""
        return self.explanation.evidence.points

    @property
    def finite_size(self) -> bool:
        """Whether a verdict was withdrawn because it may be another one nearer to the limit."""
        return any(clause.topic is Topic.FINITE_SIZE for clause in self.explanation.decision.obstacles)

    @property
    def delta(self) -> float | None:
        """Delta of the effect."""
        return self.effect.delta

    @property
    def confidence_interval(self) -> Interval | None:
        """Confidence interval of the effect."""
        return self.effect.confidence_interval

    def _repr_html_(self) -> str:
        figures = [(name, str(value)) for name, value in self._figures() if value is not None]
        left = ' style="text-align:left"'  # notebooks set cells to the right
        rows = "".join(
            f"<tr><th{left}>{_inert(name)}</th><td{left}>{_inert(value)}</td></tr>" for name, value in figures
        )
        head = f"<p><strong>{_inert(self.verdict)}</strong>. {_inert(self.explanation.sentence)}</p>"
        defined = f"<p>{_inert(DELTA_WORDS)}</p>" if self.effect.quantity is Quantity.DELTA else ""
        parts = "".join(f"<dt>{label}</dt><dd>{_inert(words)}</dd>" for label, words in self.explanation.details)
        fold = f"<details><summary>why</summary><dl>{parts}</dl></details>" if parts else ""
        return f'<div class="tex2jax_ignore mathjax_ignore">{head}<table>{rows}</table>{defined}{fold}</div>'

    def _repr_latex_(self) -> str:
        parts = [rf"\text{{{self.verdict}}}"]
        parts += [] if self.delta is None else [rf"\Delta = {self.delta:+.3g}"]
        interval = self.confidence_interval
        parts += [] if interval is None else [f"[{interval.low:.3g}, {interval.high:.3g}]"]
        formula = r"\quad ".join(parts).replace("inf]", r"\infty]").replace("[-inf", r"[-\infty")
        return f"${formula}$"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        words = " ".join(_printable(self.explanation.sentence).split())
        shown = {"text/plain": words, "text/html": self._repr_html_(), "text/latex": self._repr_latex_()}
        chosen = {kind: text for kind, text in shown.items() if not include or kind in include}
        return {kind: text for kind, text in chosen.items() if kind not in (exclude or ())}

    def _figures(self) -> list[tuple[str, object]]:
        """What a notebook shows below the verdict, by name."""
        measured, claimed, delta = self.exponents.measured, self.exponents.on_grid, self.delta
        interval, shown = self.confidence_interval, None
        if measured is not None and claimed is not None and delta is not None:
            shown = added_up(measured, claimed, delta, interval)
        relation = RELATION_SIGNS.get(self.effect.relation or "", "")
        alone = None if delta is None else rounded(delta, digits_of(interval), signed=True)
        return [
            ("exponent measured", shown.measured if shown else None if measured is None else rounded(measured)),
            ("claimed on the grid", f"{relation} {shown.claimed}".strip() if shown else None),
            (str(self.effect.quantity or Quantity.DELTA), shown.delta if shown else alone),
            ("interval", interval),
            ("points", self.n_points or None),
        ]


def _inert(text: object) -> str:
    """Text within HTML."""
    return html.escape(_printable(str(text)))


def _printable(text: str) -> str:
    """Text without characters that control anything."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


# --------------------------------------------------------------------------------------------------------------- digits


FEWEST_DIGITS, MOST_DIGITS = 2, 4
"""Digits behind the point."""


@dataclass(frozen=True)
class Digits:
    """Two exponents and Delta as printed: the difference of the first two, or its negative, is the third."""

    measured: str
    claimed: str
    delta: str


def added_up(measured: float, claimed: float, delta: float, interval: Interval | None) -> Digits:
    """The three figures of a line in digits that add up.

    Each exponent is rounded by itself, so Delta as printed is off by one unit of its last digit at most. A Delta that
    was not made from these exponents is printed as it stands.
    """
    digits = digits_of(interval)
    first, second = rounded(measured, digits), rounded(claimed, digits)
    sign = 1 if (measured - claimed) * delta >= 0 else -1
    printed = float(sign * (Decimal(first) - Decimal(second)))
    is_theirs = abs(printed - delta) <= 1.01 * 10.0**-digits
    return Digits(first, second, rounded(printed if is_theirs else delta, digits, signed=True))


def digits_of(interval: Interval | None) -> int:
    """Digits behind the point that show where in an interval a figure lies: more where it is narrow."""
    width = 1.0 if interval is None else interval.high - interval.low
    if not 0 < width < math.inf:
        return FEWEST_DIGITS
    return min(max(FEWEST_DIGITS, 1 - math.floor(math.log10(width))), MOST_DIGITS)


def rounded(value: float, digits: int = FEWEST_DIGITS, *, signed: bool = False) -> str:
    """A number with so many digits behind the point, and no minus before a zero."""
    near = round(value, digits) + 0.0
    return f"{near:{'+' if signed else ''}.{digits}f}"


def verdict_of_family(verdict: Verdict) -> Verdict:
    """The verdict on a family from that on its extreme member: a family names no member, so nothing is tight to it."""
    return Verdict.HOLDS if verdict in (Verdict.TIGHT, Verdict.LOOSE) else verdict
