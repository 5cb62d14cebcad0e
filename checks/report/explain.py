"""How every claim is read: the statement, the role of each line, why the headline is fair. Markdown, text or JSON.

It comes from the claims and checks themselves: it says how a verdict will be reached, not which one. Where rows of a
store are handed in, each claim's headline stands there too, with what is true instead. In a terminal the claims that
were asked for come first, and what the words mean behind them. The site of the documentation has the page of all.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from checks.evidence import list_lemmas
from checks.evidence.check import Check
from checks.evidence.later import value_rules
from checks.evidence.part import Control, Part
from checks.evidence.repairs import Mending, mending_of
from checks.evidence.sampled import Behaviour, Sufficient
from checks.records.rows import Row
from checks.report import layout, repairs_page
from checks.report.escape import markdown, plain
from checks.report.layout import Column, paragraph
from checks.report.repair_forms import repair_records
from checks.report.writing import from_rows
from checks.statistics.verdict import Verdict
from theory.claim import Claim, Kind, Lemma, OverLists, Role

_WIDTH = 150
_ABOUT = """\
After this page you know, for every claim: the statement as it is read, what each line of the table may do to the
headline, and why the headline is fair to the paper. `theoremeter explain` prints it, `theoremeter table` the
headlines."""
_ROLES = (
    (
        Role.STATEMENT,
        "what the paper asserts, at points that fail none of its hypotheses",
        "the worst of these lines is the headline",
    ),
    (
        Role.READING,
        "another possible interpretation of the text",
        f"*{Verdict.READING_DEPENDENT}*, where its answer has the other sign",
    ),
    (
        Role.REPAIR,
        "the statement with another event, activation, condition or constant",
        f"none, but where the statement is false and this stands it reads *{Verdict.FALSE_AS_PRINTED}*",
    ),
    (Role.PROOF_STEP, "a displayed step or printed formula", "none; counted as hold, corrected, false or open"),
    (Role.OWN_QUESTION, "a criterion or a question that the paper does not ask", "none"),
    (Role.DERIVED, "an exponent of the formula", "none"),
    (Role.OUTSIDE, "points that fail a hypothesis, set apart when the table is made", "none"),
)
_ROLE_COLUMNS = ("role", "what the line is", "what it does to the headline")
_RULES = """\
A misprint with one evident correction is a proof step, and the correction stands for it. Hypotheses with hidden
constants bind both ways: what fails at points that meet them with the paper's constants or 1 does not hold. Such points
make it *undecidable*, and *violated* is said only on a path along which the hypotheses are met from some size on,
whatever the constants. The statement lines of a
paper that draws settle share one error: *violated* is said at 5 % over their number, less those that are violated
already; what holds is wrong in 5 % by itself."""


@dataclass(frozen=True)
class Section:
    """What is said of one claim, as plain text."""

    name: str
    source: str
    kind: str
    read: str
    lines: tuple[str, ...]
    fair: str
    tried: tuple[str, ...]
    mending: Mending | None = None

    @property
    def why(self) -> str:
        """Why the headline is what it is, in full; "" where nothing was judged."""
        return "" if self.mending is None else from_rows.reasons(self.mending.headline)

    @property
    def headline(self) -> str:
        """The headline with its scope; "" where nothing was judged."""
        found = self.mending
        return "" if found is None else "; ".join((found.headline.verdict.value, *found.headline.scope))


def section_of(check: Check, rows: Sequence[Row] = ()) -> Section:
    """What there is to say of a claim before anything is measured; with its rows what is true instead as well."""
    claim = check.claim
    return Section(
        claim.id,
        str(claim.source),
        claim.kind.value,
        " ".join(filter(None, (claim.statement, claim.reading))),
        (*map(_measured, (part for part in check.parts if part.is_measured)), *_steps(claim)),
        fairness_of(check),
        tuple(map(str, claim.tried)),
        mending_of(rows) if rows else None,
    )


def render(
    checks: Sequence[Check],
    *,
    fmt: str = "markdown",
    width: int = 0,
    rows: Mapping[str, Sequence[Row]] = MappingProxyType({}),
    unicode: bool = True,
) -> str:
    """The page for these claims.

    Args:
        fmt: "markdown", "json", or "terminal" for text in lines of at most `width` places (0: unlimited).
        rows: those of a store, by claim; without them nothing is said of headlines.
        unicode: whether letters beyond ASCII can be shown in a terminal.
    """
    sections = [section_of(check, rows.get(check.claim.id, ())) for check in checks]
    if fmt == "json":
        return json.dumps([record_of(one) for one in sections], indent=1, allow_nan=False) + "\n"
    if fmt == "terminal":
        return "\n".join(
            [
                *(line for one in sections for line in _on_screen(one, width, unicode=unicode)),
                *_words_on_screen(width),
                "",
            ]
        )
    return "\n".join([_opening(), *("\n".join(_in_markdown(one)) for one in sections)])


def record_of(said: Section) -> dict[str, Any]:
    """What is said of a claim as one JSON-able object; headline and scope are null where nothing was judged."""
    found = said.mending
    return {
        "id": plain(said.name),
        "source": plain(said.source),
        "kind": said.kind,
        "read": plain(said.read),
        "lines": [plain(line) for line in said.lines],
        "fair": plain(said.fair),
        "tried": [plain(words) for words in said.tried],
        "headline": None if found is None else found.headline.verdict.value,
        "scope": None if found is None else [plain(words) for words in found.headline.scope],
        "why": None if found is None else plain(said.why),
        "repairs": [] if found is None else repair_records(found),
    }


# ------------------------------------------------------------------------------------------------------------ markdown


def _opening() -> str:
    rows = [_ROLE_COLUMNS, ("---",) * len(_ROLE_COLUMNS), *_ROLES]
    table = "\n".join(
        f"| {' | '.join(map(str, row))} |".replace("| --- | --- | --- |", "|---|---|---|") for row in rows
    )
    return f"# How each claim is read\n\n{_ABOUT}\n\n{table}\n\n{_RULES}\n"


def _in_markdown(said: Section) -> list[str]:
    lines = [f"## {said.name}", "", f"[{said.source}], {said.kind}.", ""]
    lines += _paragraph(f"**As read.** {said.read}")
    listed = [f"- {_plain(line)}" for line in said.lines]
    lines += ["**Lines.**", "", *listed, ""] if listed else [f"**Lines.** {_NO_LINES}", ""]
    lines += _paragraph(f"**Why the headline is fair.** {said.fair}")
    if said.mending is not None:
        lines += [f"**Headline.** {markdown(said.headline)}.", ""]
        lines += [f"**Why.** {markdown(said.why)}", ""] if said.why else []
        beside = repairs_page.beside(said.mending)
        lines += [f"**{_INSTEAD}.**", "", *(f"    {plain(line)}" for line in beside), ""] if beside else []
    return lines + (_paragraph(f"**{_TRIED}.** {_in_a_row(said.tried)}") if said.tried else [])


_TRIED = "What was tried where it is open"
_INSTEAD = "What is true instead"


def _in_a_row(tried: Sequence[str]) -> str:
    return " ".join(f"({number}) {words}" for number, words in enumerate(tried, start=1))


_NO_LINES = "None is built yet: the claim is *not measured*."


def _paragraph(text: str) -> list[str]:
    return [*textwrap.wrap(_plain(text), _WIDTH, break_long_words=False, break_on_hyphens=False), ""]


def _plain(text: str) -> str:
    """Text whose letters markdown would take for marks: names of symbols are full of them."""
    return text.replace("alpha_*", "alpha\\_\\*").replace("w*", "w\\*").replace("|", "\\|")


# ------------------------------------------------------------------------------------------------------------ terminal


def _on_screen(said: Section, width: int, *, unicode: bool) -> list[str]:
    """A claim as text: its name, and each thing that is said of it under a heading."""
    texts = layout.text_width(width)
    name = f"{said.name}  (kind of claim: {said.kind})"
    lines = [layout.coloured(line, "bold", width) for line in paragraph(name, texts)]
    lines += [*paragraph(f"[{said.source}]", texts), ""]
    lines += ["As read", *paragraph(said.read, texts, 2), ""]
    listed = [line for one in said.lines or (_unmarked(_NO_LINES),) for line in paragraph(one, texts, 4, first="  ")]
    lines += ["Lines", *listed, "", "Why the headline is fair", *paragraph(said.fair, texts, 2), ""]
    if said.mending is not None:
        lines += ["Headline", *paragraph(said.headline, texts, 2), ""]
        lines += ["Why", *paragraph(said.why, texts, 2), ""] if said.why else []
        beside = repairs_page.beside(said.mending, width=texts, unicode=unicode)
        lines += [_INSTEAD, *beside, ""] if beside else []
    return [*lines, _TRIED, *paragraph(_in_a_row(said.tried), texts, 2), ""] if said.tried else lines


def _words_on_screen(width: int) -> list[str]:
    """What the words of the page mean."""
    texts = layout.text_width(width)
    columns = [Column(name, least=0 if number == 0 else 20) for number, name in enumerate(_ROLE_COLUMNS)]
    rows = [(role.value, what, _unmarked(effect)) for role, what, effect in _ROLES]
    heading = layout.coloured("What the words mean", "bold", width)
    return [heading, *layout.table(columns, rows, width=texts), "", *paragraph(_unmarked(_RULES), texts)]


def _unmarked(text: str) -> str:
    """A text of this page on one line and without the marks of markdown."""
    return " ".join(text.replace("*", "").split())


# -------------------------------------------------------------------------------------------------------- what is said


def _control(control: Control) -> str:
    if reason := control.asserted or control.allowed:
        return f" Put to {control.words} as well, which may meet it: {reason}."
    return f" Control that must fail it: {control.words}."


def _measured(part: Part) -> str:
    because = f": {part.because}" if part.because else ""
    control = "".join(map(_control, part.controls))
    left_out = f" Leaves out: {', '.join(part.exempt)}." if part.exempt else ""
    path = f" Path: {part.path.words}." if part.path else ""
    said = f"{control}{left_out}{path}{_fewest(part)}"
    return f"{part.role.value}: {part.name} ({kind_of(type(part))}){because}.{said}"


def _fewest(part: Part) -> str:
    """How many trials a claim "with probability at least" takes, before any is run."""
    if not isinstance(part, Behaviour | Sufficient):
        return ""
    if part.rate == 1:
        return " A rate of 1 is violated by one trial without it; no number of trials shows that it never fails."
    fewest = value_rules.trials_to_decide(1.0, part.rate, part.policy)
    return f" A rate of {part.rate:g} takes {fewest} trials at least to hold, all of them with it."


def kind_of(part: type[Part]) -> str:
    """The kind of a part in words: the name of its class."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", part.__name__).lower()


def _steps(claim: Claim) -> list[str]:
    return [f"{claim.role_of(lemma).value}: {lemma.name}{_lemma_words(lemma)}" for lemma in claim.lemmas]


def _lemma_words(lemma: Lemma) -> str:
    said = f": {list_lemmas.words(lemma)}" if isinstance(lemma, OverLists) else ""
    if lemma.slip:
        return f"{said} (a misprint; correct: {lemma.instead})"
    return f"{said} (true instead: {lemma.instead})" if lemma.instead else said


def fairness_of(check: Check) -> str:
    """Why the headline of a claim is one that the paper's authors would accept."""
    claim, is_measured = check.claim, any(part.is_measured for part in check.parts)
    general = {
        Kind.OPEN: "Nothing is claimed: the question is open, so whatever is measured, nothing is said against it.",
        Kind.EVERY_ALGORITHM: "Attempts inside the hypotheses can refute the claim; that they fail proves nothing.",
    }.get(claim.kind, "")
    unsaid = (
        "No reason is written down; an author writes one as `fairness` of the `Claim`."
        if is_measured
        else _unmeasured(claim)
    )
    told = f"It cannot come out otherwise: {claim.by_construction}." if claim.by_construction else ""
    return " ".join(filter(None, (told, claim.fairness, general, _chained(check)))) or unsaid


def _chained(check: Check) -> str:
    """Which claims are judged in the same regime."""
    chain = check.siblings
    if chain is None:
        return ""
    others = ", ".join(name for name in chain.claims if name != check.claim.id)
    return f"Judged in one regime with {others}, which {chain.place} uses together with it."


def _unmeasured(claim: Claim) -> str:
    """What the headline of a claim that nothing measures rests on: its lemmas, or a measurement that it waits for."""
    if claim.kind.states_a_step and claim.lemmas:
        return (
            "Its lemmas are its statement, and nothing is measured: proved or certified where a certificate re-checks, "
            "refuted where a point that meets all conditions breaks it, open where neither is found."
        )
    words = f"The headline waits for a measurement of {claim.observable.replace('_', ' ')}"
    limits = [f"{axis.symbol} toward {axis.toward}" for axis in claim.axes]
    words += f", along {' and '.join(limits)}" if limits else ""
    words += "; until then nothing is held against the paper."
    if claim.regime:
        names = "; ".join(hypothesis.name for hypothesis in claim.regime)
        words += f" Points that fail one of its hypotheses do not count: {names}."
    return words
