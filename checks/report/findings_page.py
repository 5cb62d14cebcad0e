"""A paper's findings as one page of markdown, from a store: counts, a table of claims, each claim with its figures.

Everything on it comes from the rows that `theoremeter table` prints and from the paper's `findings.toml`; nothing is
judged here. Texts are a paper's, a store's or a user's: each passes through `markdown` or `_code`, and none stands at
the beginning of a line, where markdown has most of its marks.

Calling order: `render` -> `_made_from`, `_outcome`, `_claims`, `_section` -> `_lines`, `_recorded`.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from checks.evidence.check import Check, claim_headline
from checks.evidence.headline import Headline, ProofSteps
from checks.evidence.part import APART_WORDS
from checks.records.findings import Finding
from checks.records.rows import Point, Row, policy_of_rows
from checks.report.escape import markdown, plain
from checks.report.explanation_words import sentence
from checks.report.site.gathering import Gathered
from checks.report.site.model import Provenance
from checks.report.site.words import GROUP_WORDS, KIND_WORDS, VERDICTS, group_of, kinds
from checks.report.writing import figures as written
from checks.statistics.explanation import Topic, counted, joined, seconds_text
from checks.statistics.policy import level_words
from checks.statistics.verdict import Verdict
from theoremeter_papers import Paper
from theory.claim import Claim, Role

_MOST_POINTS = 16
"""Points of a line; what is longer is said to go on."""
_MOST_WHY = 250
"""Characters of words on record in the table of claims; the claim's own section has all of it."""
_TITLES = {Role.STATEMENT: "Statement", Role.READING: "Read otherwise", Role.OWN_QUESTION: "Exploratory"}
_HEARD = (Role.STATEMENT, Role.READING)

_OPENING = """\
After this page you know what came out for each claim of this paper at preset {preset}, by which figures, and how to
print them yourself. Nobody writes it by hand: `theoremeter report` makes it from stored trials.

- **Headline**: what the paper's own statement came out as, at settings that meet its hypotheses.
{figures}
- **Statement**, **read otherwise**: lines of the table of verdicts. The worst statement is the headline. Another
  interpretation of the text can make the headline *reading-dependent*, no more. Steps of proofs, exploratory lines and
  points outside the hypotheses are in the table alone (`theoremeter table ID --parts --reasons`).
- **On record**: verdicts against a line that are written down in `findings.toml`, beside what this store gives."""


def _figures(level: str) -> str:
    words = markdown(written.figures_words(level))
    return textwrap.fill(f"- **Figures**: {words}", 118, subsequent_indent="  ")


@dataclass(frozen=True)
class _Claim:
    """A claim with its lines and what they come to."""

    check: Check
    rows: Sequence[Row]
    headline: Headline
    anchor: str
    """The name of its section, as a link within the page; "" where two claims share it."""

    @property
    def claim(self) -> Claim:
        """What is claimed."""
        return self.check.claim

    def note(self, row: Row) -> str:
        """What a reader must know of the line's protocol: the note of its part."""
        return joined(clause for clause in row.explanation.choices.clauses if clause.topic is Topic.PROTOCOL)


@dataclass(frozen=True)
class Judged:
    """What a page is made from: a paper, checks of its claims, and their lines by id."""

    paper: Paper
    checks: Sequence[Check]
    table: Mapping[str, Sequence[Row]]


def render(judged: Judged, given: Gathered, provenance: Provenance, *, command: str) -> str:
    """The page of a paper; `command` is what writes it again."""
    paper, table = judged.paper, judged.table
    names = [check.claim.id for check in judged.checks]
    rows = [(check, table[check.claim.id]) for check in judged.checks]
    claims = [_Claim(check, found, claim_headline(found), _anchor(check.claim.id, names)) for check, found in rows]
    policy = policy_of_rows(row for _, found in rows for row in found)
    parts = [
        f"# Findings: {markdown(paper.title)}",
        _OPENING.format(preset=given.preset, figures=_figures(level_words(policy.confidence))),
        _made_from(paper, provenance, command),
        f"## What came out\n\n{_outcome(claims, given)}",
        f"## Claims\n\n{_claims(claims, given)}",
        *("\n\n".join(_section(claim, given)) for claim in claims),
    ]
    return "\n\n".join(parts) + "\n"


def page_names(papers: Sequence[Paper]) -> dict[str, str]:
    """A file's name for the page of each paper, by its key: that of its folder; with the key where two share it."""
    from checks.report.escape import file_name

    folders = Counter(paper.folder.name for paper in papers)
    return {
        paper.key: file_name(
            paper.folder.name if folders[paper.folder.name] == 1 else f"{paper.folder.name}-{paper.key}"
        )
        for paper in papers
    }


# --------------------------------------------------------------------------------------------------------- the opening


def _made_from(paper: Paper, provenance: Provenance, command: str) -> str:
    """Who wrote the paper, and what the page was made from."""
    versions = ", ".join(f"{name} {version}" for name, version in provenance.versions.items())
    facts = [
        ("paper", ", ".join(filter(None, (*paper.authors, str(paper.year or ""))))),
        ("preset", str(provenance.preset)),
        ("store", provenance.digest),
        ("versions", versions),
    ]
    told = "".join(f"| {name} | {markdown(words)} |\n" for name, words in facts if words)
    return f"| made from | |\n| --- | --- |\n{told}\nMade by {_code(command)}."


def _outcome(claims: Sequence[_Claim], given: Gathered) -> str:
    """One paragraph of counts."""
    counts = Counter(claim.claim.kind for claim in claims)
    asked = ", ".join(f"{count} {kinds(kind, count)}" for kind, count in counts.most_common())
    verdicts = Counter(claim.headline.verdict for claim in claims)
    groups = []
    for group in ("for", "against", "reading", "open", "none", "unmeasured"):
        counts = {verdict: verdicts[verdict] for verdict in Verdict if group_of(verdict) == group and verdicts[verdict]}
        each = ", ".join(f"{count} *{verdict}*" for verdict, count in counts.items()) if len(counts) > 1 else ""
        groups += [f"{GROUP_WORDS[group]} {sum(counts.values())}{each and f' ({each})'}"] if counts else []
    steps = [claim.headline.proof_steps for claim in claims]
    total = ProofSteps(*(sum(getattr(one, name) for one in steps) for name in ("hold", "corrected", "false", "open")))
    asked_for = {spec.identity for claim in claims for spec in claim.check.specs(given.preset)}
    trials = [trial for trial in given.trials.values() if trial.spec.identity in asked_for]
    seconds = seconds_text(sum(trial.seconds for trial in trials))
    said = [
        f"{counted(len(claims), 'claims')} ({asked}).",
        f"Headlines: {'; '.join(groups)}.",
        f"Displayed steps of proofs: {total.total}, of which {total}." if total.total else "",
        f"Lines of evidence: {sum(len(claim.rows) for claim in claims)}.",
        f"They rest on {counted(len(trials), 'trials')}, searches for proofs among them, which took {seconds} of CPU "
        "time.",
    ]
    return " ".join(filter(None, said))


def _claims(claims: Sequence[_Claim], given: Gathered) -> str:
    """One line a claim."""
    lines = ["| claim | headline | measured against claimed | why |", "| --- | --- | --- | --- |"]
    for one in claims:
        name = markdown(one.claim.id)
        cells = (
            f"[{name}](#{one.anchor})" if one.anchor else name,
            markdown(one.headline.verdict),
            markdown(written.headline_figures(one.headline).text),
            markdown(_why(one, given)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _why(one: _Claim, given: Gathered) -> str:
    """The line that decides, and the first that disagrees with it, each cut after a clause."""
    row = one.headline.decisive or next((row for row in one.rows if not row.part), None)
    said = [_why_line(one, other, given) for other in (row, *one.headline.disagreeing[:1]) if other is not None]
    return "; read otherwise, ".join(said)


def _why_line(one: _Claim, row: Row, given: Gathered) -> str:
    """A line's name with the words on record, where it came out so, or else its first sentence."""
    return _brief(": ".join(filter(None, (row.part, given.finding(row) or sentence(row)))))


# ---------------------------------------------------------------------------------------------------------- each claim


def _section(one: _Claim, given: Gathered) -> Iterator[str]:
    """A claim: what it says, what came out, the lines that are heard, and what is on record."""
    claim, headline = one.claim, one.headline
    yield f"## {markdown(claim.id)}"
    yield f"Claimed ({markdown(claim.source.place)}; {KIND_WORDS[claim.kind]}): {markdown(claim.statement)}"
    steps = f" Proof steps: {headline.proof_steps}." if headline.proof_steps.total else ""
    yield f"Came out: **{markdown(headline.verdict)}**. {VERDICTS[headline.verdict]}{steps}"
    is_heard = any(row.role in _HEARD and row.part for row in one.rows)
    for role in _HEARD if is_heard else (Role.OWN_QUESTION,):
        if rows := [row for row in one.rows if row.role is role and row.part]:
            yield f"{_TITLES[role]}:"
            yield "\n".join(_line(one, row) for row in rows)
    if found := [finding for finding in given.findings if finding.id == claim.id]:
        yield "On record:"
        yield "\n".join(_recorded(finding, one.rows) for finding in found)


def _line(one: _Claim, row: Row) -> str:
    """One line of the table of verdicts: its verdict, its figures, what was measured, and why."""
    figures = ", ".join(filter(None, (written.figures(row).text, _trials(row))))
    along = f", along {row.axis.symbol.name}" if row.axis is not None else ""
    told = [f"- *{markdown(row.verdict)}*: {markdown(row.part + along)}{f' ({markdown(figures)})' if figures else ''}."]
    shown = [point for point in row.points if point.measured is not None or point.censored]
    if row.axis is not None and shown:
        more = f"; {len(shown) - _MOST_POINTS} more" if len(shown) > _MOST_POINTS else ""
        told.append(f"Measured at {row.axis.symbol.name} = {'; '.join(map(_point, shown[:_MOST_POINTS]))}{more}.")
    told += [
        f"{label}: {words.rstrip('.')}."
        for label, words in (("Note", one.note(row)), ("Why", sentence(row)), *_details(row))
        if words
    ]
    return "\n  - ".join([told[0], *map(markdown, told[1:])])


def _details(row: Row) -> list[tuple[str, str]]:
    """The parts of the explanation, but for notes, which stand by themselves."""
    told = row.explanation
    others = tuple(clause for clause in told.choices.clauses if clause.topic is not Topic.PROTOCOL)
    told = replace(told, choices=replace(told.choices, clauses=others))
    return [(label.capitalize(), words) for label, words in told.details]


def _trials(row: Row) -> str:
    return counted(row.protocol.n_trials, "trials") if row.protocol.n_trials else ""


def _point(point: Point) -> str:
    """A point's value, what was measured there, and the interval."""
    if point.measured is None:
        return f"{_number(point.value)}: {point.censored} the grid"
    low, high = (_number(end) if end is not None else none for end, none in ((point.low, "0"), (point.high, "∞")))
    is_bounded = point.low is not None or point.high is not None
    return f"{_number(point.value)}: {_number(point.measured)}{f' [{low}, {high}]' if is_bounded else ''}"


def _number(value: float) -> str:
    """Three digits; without an exponent up to a million."""
    return f"{float(f'{value:.3g}'):.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"


def _recorded(finding: Finding, rows: Sequence[Row]) -> str:
    """A finding on record beside the verdict of its line here."""
    parts = {row.part: row for row in rows}
    row = parts.get(finding.part) or parts.get(finding.part.removesuffix(APART_WORDS))
    here = "and here" if row is not None and row.verdict is finding.verdict else "no such line here"
    if row is not None and row.verdict is not finding.verdict:
        here = f"here *{markdown(row.verdict)}*"
    words = f"- *{markdown(finding.verdict)}* on record, {here}: {markdown(finding.part)}. {markdown(finding.reason)}"
    return f"{words} Shown by {_code(finding.command)}."


# --------------------------------------------------------------------------------------------------------------- texts


def _anchor(name: str, names: Sequence[str]) -> str:
    """The name that GitHub and myst give the section of a claim; "" where another section has it as well."""
    slugs = Counter(other.lower().replace(".", "") for other in names)
    slug = name.lower().replace(".", "")
    return slug if slugs[slug] == 1 else ""


def _brief(text: str) -> str:
    """The beginning of a text, to the end of a clause."""
    words = plain(text)
    if len(words) <= _MOST_WHY:
        return words
    ends = [found.start() for found in re.finditer(r"[;.](?= )", words[:_MOST_WHY])]
    return f"{words[: ends[-1] if ends and ends[-1] > _MOST_WHY // 4 else _MOST_WHY]} …"


def _code(text: str) -> str:
    """Text as code in a line: a fence of more backticks than it has, with nothing else that ends it."""
    words = plain(text) or " "
    fence = "`" * (max((len(run) for run in re.findall("`+", words)), default=0) + 1)
    space = " " if "`" in words else ""
    return f"{fence}{space}{words}{space}{fence}"
