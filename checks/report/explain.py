"""How every claim is read: the statement, the role of each line, and why the headline is fair. A page in markdown.

Everything on it comes from the claims and checks themselves, nothing from a store: it says how a verdict will be
reached, not which one. `theoremeter explain > docs/verdicts.md` writes the page of the repository; a test compares
them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from checks.evidence.check import Check
from checks.evidence.part import Part
from theory.claim import Claim, Kind, Lemma

_WIDTH = 150
_OPENING = """# How each claim is read

After this page you know, for every claim: the statement as it is read, what each line of the table may do to the
headline, and why the headline is fair to the paper. `theoremeter explain` prints it, `theoremeter table` the headlines.

| role | what the line is | what it does to the headline |
|---|---|---|
| statement | what the paper asserts, at points that meet its hypotheses | the worst of these lines is the headline |
| reading | another admissible reading of the text | *reading-dependent*, where its answer has the other sign |
| proof step | a displayed step or printed formula | none; counted as hold, corrected, false or open |
| own question | a criterion or a question of ours | none |
| derived | an exponent of the formula | none |
| outside | points that fail a hypothesis, set apart when the table is made | none |

A misprint with one evident correction is a proof step, and the correction stands for it. Points whose hypotheses hang
on hidden constants may speak for a claim. They speak against it only on a path along which the hypotheses are met from
some size on, whatever the constants; otherwise the worst that they give is *undecidable*.
"""


def render(checks: Sequence[Check]) -> str:
    """The page for these claims."""
    return "\n".join([_OPENING, *("\n".join(_section(check)) for check in checks)])


def _section(check: Check) -> list[str]:
    claim = check.claim
    lines = [f"## {claim.id}", "", f"[{claim.source}], {claim.kind.value}.", ""]
    lines += _paragraph(f"**As read.** {' '.join(filter(None, (claim.statement, claim.reading)))}")
    said = [*map(_measured, (part for part in check.parts if part.is_measured)), *_steps(claim)]
    lines += (
        ["**Lines.**", "", *said, ""] if said else ["**Lines.** None is built yet: the claim is *not measured*.", ""]
    )
    lines += _paragraph(f"**Why the headline is fair.** {fairness_of(check)}")
    return lines


def _measured(part: Part) -> str:
    because = f": {part.because}" if part.because else ""
    control = f" Control that must fail it: {part.control.words}." if part.control else ""
    left_out = f" Leaves out: {', '.join(part.exempt)}." if part.exempt else ""
    path = f" Path: {part.path.words}." if part.path else ""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(part).__name__).lower()
    return f"- {part.role.value}: {_plain(part.name)} ({kind}){_plain(because)}.{control}{left_out}{path}"


def _steps(claim: Claim) -> list[str]:
    return [f"- {claim.role_of(lemma).value}: {_plain(lemma.name)}{_lemma_words(lemma)}" for lemma in claim.lemmas]


def _lemma_words(lemma: Lemma) -> str:
    if lemma.slip:
        return f" (a misprint; correct: {_plain(lemma.instead)})"
    return f" (true instead: {_plain(lemma.instead)})" if lemma.instead else ""


def fairness_of(check: Check) -> str:
    """Why the headline of a claim is one that the paper's authors would accept."""
    claim, is_measured = check.claim, any(part.is_measured for part in check.parts)
    general = {
        Kind.OPEN: "The paper leaves the question open, so whatever is measured, nothing is said against it.",
        Kind.EVERY_ALGORITHM: "Attempts inside the hypotheses can refute the claim; that they fail proves nothing.",
    }.get(claim.kind, "")
    unsaid = "The claim's author gives no reason (`fairness`)." if is_measured else _unmeasured(claim)
    return " ".join(filter(None, (claim.fairness, general))) or unsaid


def _unmeasured(claim: Claim) -> str:
    """What the headline of a claim that nothing measures waits for."""
    words = f"The headline waits for a measurement of {claim.observable.replace('_', ' ')}"
    limits = [f"{axis.symbol} toward {axis.toward}" for axis in claim.axes]
    words += f", along {' and '.join(limits)}" if limits else ""
    words += "; until then nothing is held against the paper."
    if claim.regime:
        names = "; ".join(hypothesis.name for hypothesis in claim.regime)
        words += f" Points must meet its hypotheses to count: {names}."
    return words


def _paragraph(text: str) -> list[str]:
    return [*textwrap.wrap(_plain(text), _WIDTH, break_long_words=False, break_on_hyphens=False), ""]


def _plain(text: str) -> str:
    """Text whose letters markdown would take for marks: names of symbols are full of them."""
    return text.replace("alpha_*", "alpha\\_\\*").replace("w*", "w\\*").replace("|", "\\|")
