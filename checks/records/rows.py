"""The lines of the table: one verdict each, with the figures that a table or a page shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.records.cost_of_sizes import seconds_beyond
from checks.records.pictures import Curve, Picture
from checks.records.standing import NOWHERE, Standing, Standings
from checks.statistics.explanation import Clause, Clauses, Explanation, NextStep, Rule, Topic, clauses_of
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy, level_words
from checks.statistics.verdict import Interval, Judgement, Verdict, short_repr
from theory.claim import Axis, Claim, Role

if TYPE_CHECKING:
    from checks.search.law import SearchedLaw


@dataclass(frozen=True)
class Point:
    """One point of a row: claim against measurement. `bound` carries the fitted prefactor of an order."""

    value: float
    bound: float | None
    measured: float | None
    low: float | None = None
    high: float | None = None
    censored: str | None = None
    in_regime: bool | None = True
    """False where the point took no part in the verdict; None where nobody can say, as for a row."""
    n_trials: int = 0
    endings: tuple[tuple[str, int], ...] = ()
    """How trials failed, by name, and how many of them; a trial may have several names, or none."""
    sequence: str = ""
    """Which of a row's sequences it belongs to, in words, as "spike = 1.2"; "" where there is one."""


@dataclass(frozen=True)
class Protocol:
    """What was run for a row.

    Attributes:
        n_trials: trials that it rests on.
        seconds: CPU seconds that they took.
        control: what the control did that must fail the criterion, in words; "" where the part has none.
        also_met: systems that meet the criterion as well and that the statement does not exclude.
        excludes: of a statement that holds, which rivals these trials tell it from and which not; "" where all are.
        but_for: the constant of the claim's own order that they have and that is not 1, in words; "" for none.
        seconds_at: median CPU seconds of a trial by the value of the axis, where the row plans larger sizes.
    """

    n_trials: int = 0
    seconds: float = 0.0
    control: str = ""
    also_met: tuple[str, ...] = ()
    excludes: str = ""
    but_for: str = ""
    seconds_at: Mapping[float, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Display:
    """What a row shows and no rule reads.

    Attributes:
        asymptotic_exponent: the claim's own along the axis, in words.
        axis_words: what the axis is in the simulator's words.
        curves: one a trial, where the axis lies inside each trial.
        pictures: what one of the trials looks like, side by side, where the claim is about a picture.
        quantity: what was measured, where the claim's observable is something else; "" elsewhere.
        height: what the points are, where they are not that either: a distance of what was measured; "" elsewhere.
    """

    asymptotic_exponent: str | None = None
    axis_words: str = ""
    curves: tuple[Curve, ...] = field(default=(), repr=False, compare=False)
    pictures: tuple[Picture, ...] = field(default=(), repr=False, compare=False)
    quantity: str = ""
    height: str = ""


NOTHING_RUN, NOTHING_SHOWN = Protocol(), Display()

BEYOND = "beyond at least", "beyond at most"
"""Names, among the figures of a clause, of the factors between which success goes on beyond a sufficient condition."""
SERVES = "constant that serves"
"""Name of the figure beside them where a condition hides a constant: how small a one serves in place of 1."""


@dataclass(frozen=True, repr=False)
class Row:
    """One verdict: of a claim, by part and axis, with all the figures that a table or a page shows.

    Attributes:
        axis: what is scaled; None where there is no axis.
        toward: the axis's limit as judged: its boundary, where it has one, as a number at the constants that counted.
        points: claim against measurement along the axis.
        role: what the line may do to the claim's headline.
        standing: where its points stand with the claim's hypotheses.
        standings: what it comes to by either way to take hidden constants; None where no hypothesis hides one.
        spans: letters of the claim's value, each with its least and largest number at the line's points.
        beside: letters of the claim's value that are read off the trials beside the axis, and move with it.
        whole: of a line that judges half of an order, the part that asks both halves of its trials; "" elsewhere.
        lacked: the letter that the line moves and the claim's value lacks; None where it moves no such letter.
        law: what a search found in all letters of the setting, a law or none; None where nothing was searched.
        reasons: lemmas of the claim, by name, that give the law a reason, whole or in part.
        aspect: the statement it speaks of, where several parts speak of one.
        because: why its author gave it its role, with the place in the paper.
        ranges: letters at its points, each with its least and largest number: of a repair all, out of regime those
            of the hypotheses that fail.
        expects: of a control, a claim that is false on purpose: the verdict that must come out; None elsewhere.
        policy: under which it was judged; the intervals of its points have its `interval_confidence`.
    """

    claim: Claim
    part: str
    judgement: Judgement
    axis: Axis | None = None
    toward: str | float | None = None
    points: tuple[Point, ...] = ()
    role: Role = Role.STATEMENT
    standing: Standing = NOWHERE
    standings: Standings | None = None
    spans: Mapping[sp.Symbol, tuple[float, float]] = field(default_factory=dict)
    beside: frozenset[sp.Symbol] = frozenset()
    whole: str = ""
    lacked: sp.Symbol | None = None
    law: SearchedLaw | None = None
    reasons: tuple[str, ...] = ()
    aspect: str = ""
    because: str = ""
    ranges: Mapping[sp.Symbol, tuple[float, float]] = field(default_factory=dict)
    protocol: Protocol = NOTHING_RUN
    display: Display = NOTHING_SHOWN
    expects: Verdict | None = None
    policy: ErrorPolicy = DEFAULT_POLICY

    def __repr__(self) -> str:
        place = ", ".join(filter(None, (self.part, self.axis.symbol.name if self.axis else "")))
        return short_repr("Row", f"{self.claim.id}, {place}: {Verdict(self.verdict).value} ({self.role})")

    @property
    def verdict(self) -> Verdict:
        """The row's verdict."""
        return self.judgement.verdict

    @property
    def in_regime(self) -> bool | None:
        """Whether its points meet the claim's hypotheses; None where that is open or nobody looked."""
        return self.standing.in_regime

    @property
    def explanation(self) -> Explanation:
        """Why the verdict is what it is: the judgement's, with what the row knows of trials, hypotheses and costs."""
        told, found = self.judgement.explanation, self.standing
        inside = [point.value for point in self.points if point.in_regime is not False] if self.axis else []
        evidence = replace(
            told.evidence,
            trials=told.evidence.trials or self.protocol.n_trials,
            seconds=self.protocol.seconds,
            axis=self.axis.symbol.name if self.axis else told.evidence.axis,
            axis_range=told.evidence.axis_range or (Interval(min(inside), max(inside)) if inside else None),
        )
        limits = replace(
            told.limits,
            met=found.met,
            not_met=found.not_met,
            undetermined=found.undetermined,
            needed=found.needed,
            left_out=tuple(sorted(found.left_out)),
        )
        told = replace(told, evidence=evidence, limits=limits, next=self._with_seconds(told.next))
        is_said = bool(told.about(Topic.CONTROL))
        return told if is_said else told.adding(limits=clauses_of(Topic.CONTROL, self.protocol.control))

    def _with_seconds(self, step: NextStep) -> NextStep:
        """The step with the CPU time of what would decide: at the mean cost of the row's trials, or by size."""
        plan = step.plan
        # The plan of a share counts what trials hold, not trials.
        counts_trials = self.judgement.explanation.decision.rule is not Rule.SHARE_BOUND
        if plan is None or not self.protocol.n_trials or not counts_trials:
            return replace(step, seconds=None)
        each, known = self.protocol.seconds / self.protocol.n_trials, self.protocol.seconds_at
        sizes = [float(c.figures["size"] or 0) for c in step.clauses if isinstance(c.figures.get("size"), float)]
        if not (known and sizes and max(sizes) > max(known) > 0 and min(known) > 0):
            return replace(step, seconds=plan.n_points * plan.n_replicates * each)
        beyond, last, largest = [], max(known), max(sizes)
        while last < largest:  # as the rule adds them
            last = min(2 * last, largest)
            beyond.append(seconds_beyond(known, last))
        inside = each * max(plan.n_points - len(beyond), 0)
        least, most = (plan.n_replicates * (inside + sum(end)) for end in zip(*beyond, strict=True))
        return replace(step, seconds=least, most_seconds=most)

    def adding(self, **parts: Clauses) -> Row:
        """The row with more clauses in its explanation, as `Explanation.adding` takes them."""
        return replace(self, judgement=self.judgement.adding(**parts))

    def withdrawn(self, verdict: Verdict, *obstacles: Clause) -> Row:
        """The row with another verdict, and why its own does not stand; by either way to take hidden constants."""
        standings = self.standings and self.standings.withdrawn(verdict)
        return replace(self, judgement=self.judgement.withdrawn(verdict, *obstacles), standings=standings)

    def told_tested(self, topic: Topic, words: str) -> Row:
        """The row, of whose model one thing more was tested; `words` say what was found, "" for nothing."""
        told = self.judgement.explanation
        adequacy = replace(told.adequacy, tested=(*told.adequacy.tested, topic))
        told = replace(told, adequacy=adequacy).adding(adequacy=clauses_of(topic, words))
        return replace(self, judgement=replace(self.judgement, explanation=told))

    @property
    def level(self) -> str:
        """Confidence of its interval in words, such as "95 %"; "" where it has none."""
        confidence = self.judgement.effect.confidence
        return "" if confidence is None else level_words(confidence)

    @property
    def interval_words(self) -> str:
        """What its interval is: "range", or "95 % interval"."""
        return "range" if self.judgement.effect.interval_kind == "range" else f"{self.level} interval".lstrip()

    @property
    def own_level(self) -> str:
        """Words such as " at 99 %" where its interval has another confidence than was asked for; "" elsewhere."""
        return "" if self.level in ("", level_words(self.policy.confidence)) else f" at {self.level}"


def policy_of_rows(rows: Iterable[Row]) -> ErrorPolicy:
    """What a table was asked for: its rows have one confidence, whatever share of the error one of them may spend."""
    return replace(next((row.policy for row in rows), DEFAULT_POLICY), family=1, share=1.0, look=None)
