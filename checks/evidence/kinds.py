"""What each kind of claim lets a verdict of the Delta rule say."""

from __future__ import annotations

from checks.statistics.explanation import Clause, Topic
from checks.statistics.verdict import Judgement, Verdict, verdict_of_family
from theory.claim import Kind


def verdict_of_algorithms(verdict: Verdict) -> Verdict:
    """The verdict on a lower bound for every algorithm from that on one of them, the attack.

    An algorithm that needs less refutes the bound; one that needs as much or more says nothing of the others.
    """
    if verdict is Verdict.VIOLATED:
        return Verdict.REFUTED
    return Verdict.NOT_REFUTED if verdict in (Verdict.TIGHT, Verdict.LOOSE, Verdict.HOLDS) else verdict


def verdict_of(kind: Kind, verdict: Verdict) -> Verdict:
    """The verdict that a kind of claim allows, whatever evidence it comes from."""
    if kind is Kind.UNSPECIFIED_ORDER:
        return verdict_of_family(verdict)
    return verdict_of_algorithms(verdict) if kind is Kind.EVERY_ALGORITHM else verdict


def judged_as(kind: Kind, judgement: Judgement) -> Judgement:
    """A judgement by the Delta rule against the extreme member of what the kind of claim speaks of."""
    members = {
        Kind.UNSPECIFIED_ORDER: "the largest member stated beforehand",
        Kind.EVERY_ALGORITHM: "one algorithm, the attack",
    }
    if kind not in members:
        return judgement
    return judgement.adding(choices=(Clause(Topic.EXTREME_MEMBER, f"judged against {members[kind]}"),))
