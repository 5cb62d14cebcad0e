"""A paper's results as one page of markdown, from a store: counts, and a table of claims, a line each.

Everything on it comes from the rows that `theoremeter table` prints and from the paper's `findings.toml`; nothing is
judged here. What each line of evidence says is in the table and on the site. Texts are a paper's, a store's or a
user's: each passes through `markdown` or `_code`, and none stands at the beginning of a line, where markdown has most
of its marks.

Calling order: `render` -> `_made_from`, `_outcome`, `_claims` -> `_why`.
"""

from __future__ import annotations

import functools
import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checks.evidence.check import Check, claim_headline
from checks.evidence.headline import HELD, Headline, ProofSteps
from checks.evidence.repairs import Mending, NoRepair, mending_of
from checks.records.rows import Row, policy_of_rows
from checks.report.escape import file_name, markdown, plain
from checks.report.explanation_words import sentence
from checks.report.front_counts import CountedClaim, front_counts
from checks.report.site.gathering import Gathered
from checks.report.site.model import Provenance
from checks.report.site.words import GROUP_WORDS, GROUPS_TOLD, group_of, kinds
from checks.report.writing import figures as written
from checks.statistics.explanation import counted, seconds_text
from checks.statistics.policy import level_words
from checks.statistics.verdict import Verdict
from theoremeter_papers import Paper
from theory.claim import Role

_MOST_WHY = 420
"""Characters of words on record in the table of claims; the table of verdicts has all of them."""

_OPENING = """\
After this page you know what came out for each claim of this paper at preset {preset}, by which figures, and how to
print the rest. Nobody writes it by hand: `theoremeter report` makes it from stored trials.

- **Headline**: what the paper's own statement came out as, at settings that fail none of its hypotheses. The worst of
  its lines decides. Another interpretation of the text can make it *reading-dependent*, no more, also one that fails
  with *hypotheses: undecidable* where the same hypotheses leave the statement standing. *(full: ...)* is the word at
  preset full, where it is another one. A share *holds* by its one-sided limit; the interval printed has two sides.
{figures}
- **Scope**: which letters of a claimed order were swept, exponents in letters that it lacks, and what the headline
  comes to whatever the hidden constants of the hypotheses are, and with the paper's constants or 1.
- **Why**: the line that decides, in the words on record in `findings.toml` where there are some.

| for more, type | it shows |
| --- | --- |
| `theoremeter explain ID` | how the claim is read, and why its headline is fair |
| `theoremeter table ID --preset {preset} --parts --reasons` | every line of evidence with its figures and its reasons |
| `theoremeter report ID --preset {preset} --out site` | the same as a page for a browser, with pictures |"""


def _figures(level: str) -> str:
    words = markdown(written.figures_words(level))
    return textwrap.fill(f"- **Figures**: {words}", 118, subsequent_indent="  ")


@dataclass(frozen=True)
class _Claim:
    """A claim with its lines and what they come to."""

    check: Check
    rows: Sequence[Row]
    headline: Headline

    @functools.cached_property
    def mending(self) -> Mending:
        """What is true instead."""
        return mending_of(self.rows)

    @property
    def is_put_to(self) -> bool:
        """Whether a line of the statement was put to systems that lack what it is about, and none of them meets any."""
        put_to = any(row.protocol.control for row in self.rows if row.role is Role.STATEMENT)
        return put_to and not self.headline.also_met


@dataclass(frozen=True)
class Judged:
    """What a page is made from: a paper, checks of its claims, and their lines by id."""

    paper: Paper
    checks: Sequence[Check]
    table: Mapping[str, Sequence[Row]]


def render(judged: Judged, given: Gathered, provenance: Provenance, *, command: str) -> str:
    """The page of a paper; `command` is what writes it again."""
    paper, table = judged.paper, judged.table
    rows = [(check, table[check.claim.id]) for check in judged.checks]
    claims = [_Claim(check, found, claim_headline(found)) for check, found in rows]
    policy = policy_of_rows(row for _, found in rows for row in found)
    parts = [
        f"# Results: {markdown(paper.title)}",
        _OPENING.format(preset=given.preset, figures=_figures(level_words(policy.confidence))),
        _made_from(paper, provenance, command),
        f"## What came out\n\n{_first_read(claims)}\n\n{_outcome(claims, given)}",
        f"## Claims\n\n{_claims(claims, given)}",
    ]
    return "\n\n".join(parts) + "\n"


def page_names(papers: Sequence[Paper]) -> dict[str, str]:
    """A file's name for the page of each paper, by its key: that of its folder; with the key where two share it."""
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
    counts = Counter(claim.check.claim.kind for claim in claims)
    asked = ", ".join(f"{count} {kinds(kind, count)}" for kind, count in counts.most_common())
    verdicts = Counter(claim.headline.verdict for claim in claims)
    groups = []
    for group in GROUPS_TOLD:
        counts = {verdict: verdicts[verdict] for verdict in Verdict if group_of(verdict) == group and verdicts[verdict]}
        own = len(counts) > 1 or GROUP_WORDS[group] not in counts
        each = ", ".join(f"{count} *{verdict}*" for verdict, count in counts.items()) if own else ""
        groups += [f"{GROUP_WORDS[group]} {sum(counts.values())}{each and f' ({each})'}"] if counts else []
    steps = [claim.headline.proof_steps for claim in claims]
    total = ProofSteps(*(sum(getattr(one, name) for one in steps) for name in ("hold", "corrected", "false", "open")))
    asked_for = {spec.identity for claim in claims for spec in claim.check.specs(given.preset)}
    trials = [trial for trial in given.trials.values() if trial.spec.identity in asked_for]
    seconds = seconds_text(sum(trial.seconds for trial in trials))
    said = [
        f"{counted(len(claims), 'claims')} ({asked}).",
        f"Headlines: {'; '.join(groups)}.",
        _put_to_others(claims),
        _repaired(claims),
        f"Displayed steps of proofs: {total.total}, of which {total}." if total.total else "",
        f"Lines of evidence: {sum(len(claim.rows) for claim in claims)}.",
        f"They rest on {counted(len(trials), 'trials')}, searches for proofs among them, which took {seconds} of CPU "
        "time.",
    ]
    return " ".join(filter(None, said))


def _first_read(claims: Sequence[_Claim]) -> str:
    """The six counts that a referee reads first, as a table."""
    counts = front_counts(
        CountedClaim(
            one.headline.verdict,
            is_repaired=bool(one.mending.of_statement) and one.mending.lacks is None,
            is_put_to=one.is_put_to,
        )
        for one in claims
    )
    rows = counts, ["---"] * len(counts), map(str, counts.values())
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _put_to_others(claims: Sequence[_Claim]) -> str:
    """Of the claims that hold as measured, how many were put to systems that must fail, and which those meet."""
    decisive = [(one, one.headline.decisive) for one in claims if one.headline.verdict in _HELD]
    measured = [one for one, row in decisive if row is not None and row.judgement.effect.quantity is not None]
    tested = [one for one in measured if one.is_put_to]
    loose = [one.check.claim.id for one in measured if one.headline.also_met]
    agreeing = [one for one in claims if one.headline.verdict is Verdict.CONSISTENT]
    also = [one.check.claim.id for one in agreeing if one.headline.also_met]
    said = f"Of {len(measured)} that hold as measured {len(tested)} were put to systems that must fail"
    said += f"; one that lacks what the claim is about meets {', '.join(loose)} as well" if loose else ""
    met = f"; {len(also)} more that such a system meets as well read *consistent* ({', '.join(also)})" if also else ""
    return f"{said}{met}." if measured else ""


_HELD = (*HELD, Verdict.LOOSE)


def _repaired(claims: Sequence[_Claim]) -> str:
    """How many claims that are false, loose, open or dependent on the reading have a repair, and which have none."""
    wanted = [claim.mending for claim in claims if claim.mending.is_wanted]
    lacking = {why: [one.claim.id for one in wanted if one.lacks is why] for why in NoRepair}
    as_read = [one.claim.id for one in wanted if one.holds_as_read and not one.of_statement]
    repaired = f"{sum(one.lacks is None for one in wanted) - len(as_read)} of {len(wanted)}"
    without = [f"{len(ids)} {why}" + (f" ({', '.join(ids)})" if ids else "") for why, ids in lacking.items()]
    if as_read:
        without.insert(0, f"{len(as_read)} hold as the statement is read here ({', '.join(as_read)})")
    said = f"Beside {repaired} that are false, loose, open or dependent on the reading stands what is true instead"
    return f"{said}; {'; '.join(without)}." if wanted else ""


def _claims(claims: Sequence[_Claim], given: Gathered) -> str:
    """One line a claim."""
    lines = ["| claim | headline | measured against claimed | scope | why |", "| --- | --- | --- | --- | --- |"]
    for one in claims:
        cells = (
            markdown(one.check.claim.id),
            markdown(_word(one, given)),
            markdown(written.headline_figures(one.headline).text),
            markdown("; ".join(one.headline.scope)),
            markdown(_why(one, given)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _word(one: _Claim, given: Gathered) -> str:
    """The headline, and that of another preset where it is another."""
    other = given.other_headline(one.check.claim.id, one.headline.verdict)
    return f"{one.headline.verdict.value} ({other})" if other else one.headline.verdict.value


def _why(one: _Claim, given: Gathered) -> str:
    """The line that decides, and the first that disagrees with it, each cut after a clause."""
    row = one.headline.decisive or next((row for row in one.rows if not row.part), None)
    said = [_why_line(one, other, given) for other in (row, *one.headline.disagreeing[:1]) if other is not None]
    repaired = [f"repaired: {_why_line(one, other, given)}" for other in one.headline.repairs[:1]]
    whole = "; ".join(["; read otherwise, ".join(said), *repaired])
    return whole if not whole or whole.endswith("…") else f"{whole}."


def _why_line(one: _Claim, row: Row, given: Gathered) -> str:
    """A line's name with the words on record, where it came out so, or else its first sentence.

    That it is another reading, or a repair, stands before it on the page.
    """
    said = given.finding(row) or sentence(row).removeprefix("Read otherwise: ").removeprefix("Repaired: ")
    return _brief(said if row.part in said else f"{row.part}: {said}").removesuffix(".")


# --------------------------------------------------------------------------------------------------------------- texts


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
