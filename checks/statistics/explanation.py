"""Why a verdict is what it is: one object, from the rule to the last layer, that every surface renders.

A rule fills in its decision; each layer above it adds clauses to the part that they belong to, with `adding`, and none
reads or edits the text of another. Parts and clauses are typed (`checks.statistics.explanation_parts`), so tables,
pictures and tests take figures from fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from checks.statistics import explanation_text as text
from checks.statistics.explanation_parts import (
    NO_MEASUREMENTS,
    NO_STEP,
    NOT_TESTED,
    Adequacy,
    Choices,
    Clause,
    Clauses,
    Figure,
    Limits,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
)

__all__ = [
    "LABELS",
    "NOTHING_SAID",
    "NOT_TESTED",
    "NO_MEASUREMENTS",
    "NO_STEP",
    "Adequacy",
    "Choices",
    "Clause",
    "Clauses",
    "Explanation",
    "Figure",
    "Limits",
    "Measurements",
    "NextStep",
    "Rule",
    "Ruling",
    "Topic",
    "clauses_of",
    "finding",
    "obstacle",
]


LABELS = ("decision", "evidence", "adequacy", "limits", "choices", "next")
"""Parts of an explanation, in the order of reading."""


@dataclass(frozen=True)
class Explanation:
    """Why a verdict is what it is.

    Attributes:
        decision: the word, the rule and the figures that decided.
        evidence: what it rests on.
        adequacy: what was tested of the model, and with what result.
        limits: hypotheses, controls and what else bounds it.
        choices: what was chosen, and after which look at the data.
        next: what would decide.
        repair: a true form beside the claim; nothing makes one yet.
    """

    decision: Ruling = field(default_factory=Ruling)
    evidence: Measurements = field(default_factory=Measurements)
    adequacy: Adequacy = field(default_factory=Adequacy)
    limits: Limits = field(default_factory=Limits)
    choices: Choices = field(default_factory=Choices)
    next: NextStep = field(default_factory=NextStep)
    repair: None = None

    def adding(self, *, obstacles: Clauses = (), left_out: Clauses = (), **parts: Clauses) -> Explanation:
        """The explanation with more clauses in the parts named; obstacles go before those there are.

        Raises:
            TypeError: a part that has no clauses.
        """
        changed: dict[str, Any] = {}
        for name, clauses in parts.items():
            part = getattr(self, name, None)
            if part is None or not hasattr(part, "clauses"):
                raise TypeError(f"a clause must belong to a part of the explanation, got {name!r}")
            changed[name] = replace(part, clauses=(*part.clauses, *clauses))
        if obstacles:
            decision = changed.get("decision", self.decision)
            changed["decision"] = replace(decision, obstacles=(*obstacles, *decision.obstacles))
        if left_out:
            evidence = changed.get("evidence", self.evidence)
            changed["evidence"] = replace(evidence, left_out=(*evidence.left_out, *left_out))
        return replace(self, **changed)

    @property
    def clauses(self) -> Clauses:
        """Every clause of every part."""
        own = self.decision.obstacles, self.decision.clauses, self.evidence.left_out, self.evidence.clauses
        others = (part.clauses for part in (self.adequacy, self.limits, self.choices, self.next))
        return tuple(clause for clauses in (*own, *others) for clause in clauses)

    def about(self, topic: Topic) -> Clauses:
        """The clauses on one topic."""
        return tuple(clause for clause in self.clauses if clause.topic is topic)

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The parts in full, each under its label; those that say nothing are left out."""
        told = (
            text.decision_text(self.decision),
            text.evidence_text(self.evidence),
            text.adequacy_text(self.adequacy),
            text.limits_text(self.limits),
            text.joined(self.choices.clauses),
            text.next_text(self.next),
        )
        return tuple((label, words) for label, words in zip(LABELS, told, strict=True) if words)

    @property
    def reason(self) -> str:
        """All parts on one line."""
        return "; ".join(words for _, words in self.details)

    @property
    def sentence(self) -> str:
        """The first sentence: what was measured, and the word."""
        return text.measured_sentence(self.decision, self.evidence)


NOTHING_SAID = Explanation()


def finding(words: str, topic: Topic = Topic.FINDING, *, rule: Rule = Rule.NONE, **figures: Figure) -> Explanation:
    """An explanation that is one finding, in words: of a part of your own that no rule decides."""
    return Explanation(Ruling(rule=rule, clauses=(Clause(topic, words, figures),)))


def clauses_of(topic: Topic, words: str, **figures: Figure) -> Clauses:
    """One clause, or none where there are no words."""
    return (Clause(topic, words, figures),) if words else ()


def obstacle(topic: Topic, words: str, **figures: Figure) -> Explanation:
    """An explanation why nothing was decided: one obstacle."""
    return Explanation(Ruling(obstacles=(Clause(topic, words, figures),)))
