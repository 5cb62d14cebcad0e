"""A verdict with the figures it rests on, and why it is what it is; the words are in `checks.statistics.outcome`.

`Judgement` is what every rule returns; every rule that makes one lives behind `checks.statistics.judge`.
"""

from __future__ import annotations

import html
from collections.abc import Collection
from dataclasses import dataclass, replace

from checks.statistics.explanation import NOTHING_SAID, Clause, Clauses, Explanation, Topic
from checks.statistics.outcome import (
    FAILING,
    PASSING,
    SKIPPING,
    UNUSABLE,
    Interval,
    Plan,
    Verdict,
    worst,
)

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


@dataclass(frozen=True)
class Effect:
    """What was estimated, and how far off it may be; None where a figure does not apply.

    Attributes:
        delta: residual scaling slope, signed toward the claim's limit; 0 where the claim is exactly right.
        confidence_interval: of delta; for counts, of the rate; for explicit bounds, of measured / bound at the worst
            point.
        equivalence_interval: the same at 1 - 2 (1 - confidence): its ends are one-sided limits at the confidence asked
            for.
        interval_kind: "t", "profile" (censored points), "range" (deterministic), "exact" (binomial), "between trials"
            (counts by trial), "betting" (samples of a stated range), "given".
        margin: practical equivalence of exponents.
        confidence: level of `confidence_interval` as it was used; None where it has none, as a range.
    """

    delta: float | None = None
    confidence_interval: Interval | None = None
    equivalence_interval: Interval | None = None
    interval_kind: str | None = None
    margin: float | None = None
    confidence: float | None = None


@dataclass(frozen=True)
class Exponents:
    """Measured against claimed along the axis, as slopes; None where there is no line.

    Attributes:
        measured: slope of log measured against log axis, unsigned.
        on_grid: the claim's own slope on the same grid with the same weights, unsigned.
        prefactor: measured / claimed at the grid's middle, the constant that an order leaves open.
        local_deltas: Delta between neighbouring points, nearest to the limit last; equal on a line, drifting on a bend.
    """

    measured: float | None = None
    on_grid: float | None = None
    prefactor: float | None = None
    local_deltas: tuple[float, ...] = ()


NO_EFFECT, NO_EXPONENTS = Effect(), Exponents()


@dataclass(frozen=True)
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

    def adding(self, **parts: Clauses) -> Judgement:
        """The judgement with more clauses in its explanation, as `Explanation.adding` takes them."""
        return replace(self, explanation=self.explanation.adding(**parts))

    def withdrawn(self, verdict: Verdict, *obstacles: Clause, plan: Plan | None = None, unit: str = "") -> Judgement:
        """The judgement with another verdict, and why the rule's own does not stand.

        Args:
            plan: what would decide instead, in this unit; that of the rule where it is None.
        """
        explanation = self.explanation.adding(obstacles=obstacles)
        if plan is not None:
            explanation = replace(explanation, next=replace(explanation.next, plan=plan, unit=unit))
        return replace(self, verdict=verdict, explanation=explanation)

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
        rows = "".join(f"<tr><th{left}>{name}</th><td{left}>{_inert(value)}</td></tr>" for name, value in figures)
        head = f"<p><strong>{_inert(self.verdict)}</strong>. {_inert(self.explanation.sentence)}</p>"
        told = "".join(f"<dt>{label}</dt><dd>{_inert(words)}</dd>" for label, words in self.explanation.details)
        fold = f"<details><summary>why</summary><dl>{told}</dl></details>" if told else ""
        return f'<div class="tex2jax_ignore mathjax_ignore">{head}<table>{rows}</table>{fold}</div>'

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
        measured, claimed = self.exponents.measured, self.exponents.on_grid
        return [
            ("&Delta;", None if self.delta is None else f"{self.delta:+.3g}"),
            ("interval", self.confidence_interval),
            ("exponent measured", None if measured is None else f"{measured:.3g}"),
            ("claimed on the grid", None if claimed is None else f"{claimed:.3g}"),
            ("points", self.n_points or None),
        ]


def _inert(text: object) -> str:
    """Text within HTML."""
    return html.escape(_printable(str(text)))


def _printable(text: str) -> str:
    """Text without characters that control anything."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
