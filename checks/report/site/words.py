"""Sentences of ours: what a verdict, a role and a kind of claim mean, and what a page does not say.

Plain words for a reader who meets the project on this page. What depends on a claim stands with the claim; here is what
holds for all of a sort.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.evidence.check import Check
from checks.evidence.headline import Headline
from checks.records.preset import Preset
from checks.statistics.verdict import FAILING, SKIPPING, UNUSABLE, Verdict
from theory.claim import Evidence, Kind, Role

VERDICTS = {
    Verdict.REFUTED: "A counterexample inside the hypotheses shows that the statement is false.",
    Verdict.VIOLATED: "The measurements contradict the statement beyond its margin.",
    Verdict.INCONSISTENT: "The conditions contradict each other; there is a proof, whose certificate covers the "
    "formulas and not what its page derives by hand.",
    Verdict.FALSE_AS_PRINTED: "The printed statement is false; a repair that stands so far is named beside it.",
    Verdict.BROKEN: "Something of this claim or of its paper cannot be used; that says nothing of the claim.",
    Verdict.READING_DEPENDENT: "The text can be interpreted in two ways, and they come out differently.",
    Verdict.UNINFORMATIVE: "What the statement should exclude meets it as well, so that it is met says nothing.",
    Verdict.INCONCLUSIVE: "The measurements leave it open.",
    Verdict.UNKNOWN: "The search found neither a proof nor a counterexample.",
    Verdict.UNDECIDABLE: "Hidden constants leave it open: nobody can say whether the points meet the hypotheses.",
    Verdict.NOT_MEASURED_YET: "Nothing that decides it is in the store.",
    Verdict.OUT_OF_REGIME: "No measured point meets the hypotheses.",
    Verdict.VACUOUS: "It says no more than what is trivially true: a bound on the whole grid, or a lemma "
    "whose hypotheses nothing meets.",
    Verdict.LOOSE: "It is true with room to spare: far less is needed, or far more is reached, than is claimed.",
    Verdict.HOLDS_MISPRINTED: "It is true, up to a slip in print with one evident correction.",
    Verdict.CONSISTENT: "It agrees, and is no finding: a definition or an identity is met, or others meet it as well.",
    Verdict.HOLDS: "The measurements agree with the statement.",
    Verdict.TIGHT: "The measured exponent is the claimed one, within the margin, from both sides.",
    Verdict.CERTIFIED: "It is proved by rigorous interval arithmetic; a second program has re-checked the certificate.",
    Verdict.PROVED: "It is proved by algebra; a second program has re-checked the certificate.",
    Verdict.SATISFIABLE: "The conditions can hold together; there is a point where they do.",
    Verdict.NOT_REFUTED: "Attempts to refute it have failed; that proves nothing.",
    Verdict.NO_CLAIM: "The paper claims nothing here; what was measured is shown.",
}

ROLES = {
    Role.STATEMENT: (
        "what the paper asserts, at points that fail none of its hypotheses; these lines alone decide the headline"
    ),
    Role.READING: "another possible interpretation of the text; it can make the headline reading-dependent, no more",
    Role.REPAIR: "the statement with another event, activation, condition or constant; it excuses nothing",
    Role.OUTSIDE: "a hypothesis fails at these points; they say nothing for or against the claim",
    Role.PROOF_STEP: "a displayed step of the proof or a printed formula; counted, and not held against the claim",
    Role.OWN_QUESTION: "a criterion or a question that the paper does not ask; it speaks neither for nor against it",
    Role.DERIVED: "an exponent of the claim's own formula",
}

GROUPS = ("against", "reading", "open", "for", "consistent", "none", "unmeasured")
"""What a verdict is to a reader, worst first; `group_of` gives one of them."""

GROUPS_TOLD = ("for", "consistent", "against", "reading", "open", "none", "unmeasured")
"""The same in the order in which a sentence tells them: good news, bad news, open ends, gaps."""

GROUP_WORDS = {
    "against": "contradicted",
    "reading": "depends on the reading",
    "open": "left open",
    "for": "in agreement",
    "consistent": "consistent",
    "none": "no claim made",
    "unmeasured": "not measured",
}
"""The same in words, as they follow a count."""

GROUP_CLAUSES = {
    "against": ("is contradicted", "are contradicted"),
    "reading": ("depends on the reading", "depend on the reading"),
    "open": ("is left open", "are left open"),
    "for": ("is in agreement", "are in agreement"),
    "consistent": ("is consistent", "are consistent"),
    "none": ("claims nothing", "claim nothing"),
    "unmeasured": ("is not measured", "are not measured"),
}
"""The same as the end of a sentence, of one claim and of several."""

KINDS = {
    Kind.IDENTITY: "identities",
    Kind.INEQUALITY: "inequalities",
    Kind.LIMIT: "limits",
    Kind.TRANSITION: "transitions",
    Kind.DEFINITION: "sets of conditions",
    Kind.TIGHT: "orders up to constants",
    Kind.UPPER: "upper bounds up to constants",
    Kind.LOWER: "lower bounds up to constants",
    Kind.EXPLICIT_UPPER: "upper bounds with constants",
    Kind.EXPLICIT_LOWER: "lower bounds with constants",
    Kind.EXACT: "exact values",
    Kind.SUFFICIENT: "sufficient conditions",
    Kind.UNSPECIFIED_ORDER: "poly or polylog orders",
    Kind.EVERY_ALGORITHM: "bounds for every algorithm",
    Kind.EXISTENCE: "constructions",
    Kind.BEHAVIOUR: "behaviours",
    Kind.FIGURE: "figures",
    Kind.OPEN: "open questions",
}
"""Claims of a kind, as they are counted."""

KIND_WORDS = {
    Kind.IDENTITY: "an identity",
    Kind.INEQUALITY: "an inequality",
    Kind.LIMIT: "a limit",
    Kind.TRANSITION: "where, in the limit, something begins",
    Kind.DEFINITION: "conditions, which must be able to hold together",
    Kind.TIGHT: "an order from both sides, up to constants",
    Kind.UPPER: "an upper bound, up to constants",
    Kind.LOWER: "a lower bound, up to constants",
    Kind.EXPLICIT_UPPER: "an upper bound with its constants",
    Kind.EXPLICIT_LOWER: "a lower bound with its constants",
    Kind.EXACT: "an exact value",
    Kind.SUFFICIENT: "a sufficient condition: success is required where it is met, and nothing elsewhere",
    Kind.UNSPECIFIED_ORDER: "an order from a family (poly, polylog), tried as its extreme member",
    Kind.EVERY_ALGORITHM: "a bound for every algorithm, which attempts can refute and not confirm",
    Kind.EXISTENCE: "that something exists",
    Kind.BEHAVIOUR: "a behaviour, asked of each run",
    Kind.FIGURE: "a figure of the paper, with its own protocol",
    Kind.OPEN: "an open question",
}
"""What one claim of a kind asserts, as it stands after "It states"."""


def group_of(verdict: Verdict) -> str:
    """What a verdict is to a reader."""
    if verdict is Verdict.NOT_MEASURED_YET:
        return "unmeasured"
    if verdict is Verdict.READING_DEPENDENT:
        return "reading"
    if verdict is Verdict.NO_CLAIM:
        return "none"
    if verdict is Verdict.CONSISTENT:
        return "consistent"
    if verdict in FAILING | UNUSABLE:
        return "against"
    return "open" if verdict in SKIPPING else "for"


def kinds(kind: Kind, count: int) -> str:
    """The name of a kind as it follows a count."""
    many = KINDS[kind]
    return (
        many if count != 1 else re.sub(r"(\w+?)(ies|s)\b", lambda one: one[1] + "y" * (one[2] == "ies"), many, count=1)
    )


def verdicts_of(group: str) -> tuple[Verdict, ...]:
    """All verdicts that are the same to a reader."""
    return tuple(verdict for verdict in Verdict if group_of(verdict) == group)


# ------------------------------------------------------------------------------------------- what a page does not say


def unsaid(check: Check, headline: Headline, preset: Preset) -> tuple[str, ...]:
    """Where readers overreach: what does not follow from this headline."""
    said = [*_by_verdict(headline, stands_in=any(part.is_measured for part in check.parts)), *_by_kind(check, headline)]
    is_measured = any(part.is_measured for part in check.parts) and headline.verdict is not Verdict.NOT_MEASURED_YET
    if is_measured:
        said.append(
            f"What was measured are simulations at the sizes of preset {preset}, on simulated data. Nothing here "
            "speaks of other sizes, other data or trained models that people use."
        )
    return tuple(said)


def _by_verdict(headline: Headline, *, stands_in: bool = False) -> Iterator[str]:
    verdict = headline.verdict
    if verdict is Verdict.NOT_MEASURED_YET:
        yield (
            "What the paper states here was not measured, so nothing is said for or against the claim; runs of "
            "something near it answer a question of their own."
            if stands_in
            else "Nothing was measured, so nothing is said for or against the claim."
        )
    elif verdict is Verdict.READING_DEPENDENT:
        yield "It does not say that the paper is wrong: under one possible interpretation of its text the claim stands."
    elif verdict in FAILING:
        yield "It does not say that what the paper builds on this claim is false: see which step needs it."
    elif verdict is Verdict.UNDECIDABLE:
        yield "It is not a finding against the claim: points whose hypotheses are undetermined cannot accuse."
    elif verdict is Verdict.UNINFORMATIVE:
        yield "It does not say that the statement is wrong: it is met, and so it is by what it should tell apart."
    elif verdict in SKIPPING:
        yield "Open is not false. By its rule the data neither bear the claim out nor contradict it."
    elif verdict in (Verdict.HOLDS, Verdict.TIGHT, Verdict.LOOSE):
        yield "Agreement on the measured grid is no proof, and says nothing of what happens beyond the grid."
    elif verdict is Verdict.CONSISTENT and headline.also_met:
        yield "It is no finding: a system that lacks what the claim is about meets the statement as well."
    elif verdict is Verdict.CONSISTENT:
        yield "It is no finding: it tests that our simulators or formulas are what the paper defines."
    elif verdict is Verdict.NOT_REFUTED:
        yield "That an attack fails does not make the claim true."
    steps = headline.proof_steps
    if steps.false or steps.corrected:
        yield (
            "A step that is false as printed does not make the theorem false: the corrected step, or another one, may "
            "lead to it."
        )


def _by_kind(check: Check, headline: Headline) -> Iterator[str]:
    kind = check.claim.kind
    if kind is Kind.SUFFICIENT:
        yield "A sufficient condition need not be necessary: success beyond it is no fault, and failure no proof."
    elif kind in (Kind.UPPER, Kind.LOWER) and headline.verdict is not Verdict.NOT_MEASURED_YET:
        yield "A bound that holds need not be the best one, and a loose one is not wrong."
    elif kind is Kind.EVERY_ALGORITHM:
        yield "No number of attempts covers every algorithm."
    elif kind is Kind.FIGURE and headline.verdict is not Verdict.NOT_MEASURED_YET:
        yield "It repeats the figure's protocol as far as the paper gives it; it is not the authors' own run."
    elif kind is Kind.OPEN and headline.verdict is not Verdict.NOT_MEASURED_YET:
        yield "The paper leaves this open; what is measured here settles nothing in its name."
    elif kind is Kind.DEFINITION and headline.verdict is Verdict.SATISFIABLE:
        yield "That conditions can hold together does not say that trained networks meet them."
    if kind.is_scaling and headline.verdict is not Verdict.NOT_MEASURED_YET:
        yield "An exponent is compared, and no constant: whether the bound is of use at a given size is left open."
    if Evidence.MEASURED in check.claim.evidence and headline.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
        yield "What is proved are the formulas; whether networks do as they say is measured by the other lines."
