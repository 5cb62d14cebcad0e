"""Checklists of venues: what evidence answers, never more than it says, and hostile texts in them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from checks.cli import main
from checks.commands.declared.checklist import VENUES as NAMED
from checks.commands.parser import parser
from checks.evidence.check import Check
from checks.records.rows import Protocol, Row
from checks.records.standing import Standing
from checks.report.checklist import answers
from checks.report.checklist.facts import Facts, collect
from checks.report.checklist.page import FORMATS, address, render
from checks.report.checklist.venues import VENUES
from checks.statistics.explanation import finding
from checks.statistics.verdict import Effect, Interval, Judgement, Verdict
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from tests.checks.report.test_escape import COMMAND, HOSTILE, LETTERS, QUARTERS, assert_inert, claim_of, row_of
from tests.checks.report.test_latex import compiled
from theory.claim import Claim, Hypothesis, Kind, Role

PAGE = {
    "section", "subsection", "paragraph", "textbf", "begin", "end", "item", "raggedright", "texttt", "href",
}  # fmt: skip
"""Commands that a page has of its own."""
TOY = System("toy", "tests.papers:write_paper", uses_torch=False, libraries=())


def facts_of(*claims: tuple[Claim, list[Row]], store: str = "here.sqlite", n_trials: int = 6) -> Facts:
    specs = [TrialSpec(TOY, {"size": 1 + number % 2}, number // 2) for number in range(n_trials)]
    trials = {f"{number}": Trial(spec, TrialResult(Outcome.CONVERGED, {}), 1.5) for number, spec in enumerate(specs)}
    checks = [Check(claim, ()) for claim, _ in claims]
    table = {claim.id: rows for claim, rows in claims}
    return collect(checks, table, trials, preset="quick", store=store, version="1.2")


def claim(name: str, verdict: Verdict, *, kind: Kind = Kind.UPPER, **changes: object) -> tuple[Claim, list[Row]]:
    """A claim with one measured statement line."""
    made = replace(claim_of("said"), id=f"A.{name}", kind=kind)
    effect = Effect(0.1, Interval(0, 0.2), interval_kind="t")
    row = Row(made, "grid", Judgement(verdict, finding("figures"), effect=effect), protocol=Protocol(6))
    return made, [replace(row, **changes)]


def step(name: str, verdict: Verdict) -> tuple[Claim, list[Row]]:
    made, (row,) = claim(name, Verdict.HOLDS)
    judged = replace(row, part="(7)", role=Role.PROOF_STEP, judgement=Judgement(verdict), protocol=Protocol())
    return made, [row, judged]


# -------------------------------------------------------------------------------------------------------------- answers


def test_every_claim_that_holds_is_yes_and_one_that_does_not_is_partial() -> None:
    assert answers.empirical(facts_of(claim("a", Verdict.TIGHT), claim("b", Verdict.HOLDS))).word == "yes"
    found = answers.empirical(
        facts_of(claim("a", Verdict.TIGHT), claim("b", Verdict.VIOLATED), claim("c", Verdict.INCONCLUSIVE))
    )
    assert found.word == "partial"
    assert found.claims == {
        "hold as measured": ("A.a",), "contradicted or reading-dependent": ("A.b",), "undecided": ("A.c",),
    }  # fmt: skip
    assert answers.empirical(facts_of(claim("b", Verdict.VIOLATED))).word == "no"
    assert answers.empirical(facts_of(claim("b", Verdict.VIOLATED), n_trials=0)).word is None


def test_commands_on_published_trials_can_be_typed() -> None:
    """They named a store 'published with the paper', which is none."""
    facts = facts_of(claim("a", Verdict.HOLDS), store="")
    found = (answers.reproducibility(facts), answers.settings(facts), answers.empirical(facts))
    said = [command for answer in found for command in answer.commands]
    assert said == [
        "theoremeter run A --preset quick",
        "theoremeter table A --preset quick --published",
        "theoremeter verify A --published",
        "theoremeter report --out site A --preset quick --published",
        "theoremeter table --reasons A --preset quick --published",
    ]
    for command in said:
        parser().parse_args(command.split()[1:])


def test_the_number_of_claims_that_are_counted_is_explained() -> None:
    others = claim("q", Verdict.NO_CLAIM, kind=Kind.OPEN), claim("d", Verdict.CONSISTENT, kind=Kind.DEFINITION)
    reason = answers.empirical(facts_of(claim("a", Verdict.HOLDS), *others)).reason
    assert reason.startswith("Of 1 claims that assert something (the other 2: definitions, open questions) 1 hold as ")


def test_what_the_paper_leaves_open_counts_neither_way() -> None:
    assert (
        answers.empirical(facts_of(claim("a", Verdict.HOLDS), claim("q", Verdict.NO_CLAIM, kind=Kind.OPEN))).word
        == "yes"
    )


@pytest.mark.parametrize("verdict", [Verdict.PROVED, Verdict.REFUTED, Verdict.UNKNOWN])
def test_a_proof_is_never_more_than_partial(verdict: Verdict) -> None:
    facts = facts_of(step("a", verdict))
    for question in (answers.proofs, answers.theory):
        assert question(facts).word == "partial"
        assert "does not say that a proof is whole" in question(facts).reason
    for venue in VENUES.values():
        for fmt in FORMATS:
            page = render(venue, facts, fmt=fmt)
            assert re.search(r"proof\s+(is\s+)?complete", page) is None
    assert answers.proofs(facts_of(claim("a", Verdict.HOLDS))).word is None


def test_hypotheses_with_hidden_constants_make_assumptions_partial() -> None:
    made, (row,) = claim("a", Verdict.HOLDS)
    relations = tuple(Hypothesis(name, made.axes[0].symbol > 0) for name in ("one", "two"))
    made = replace(made, regime=relations)
    met = replace(row, claim=made, standing=Standing(met={"one": 3, "two": 3}))
    assert answers.assumptions(facts_of((made, [met]))).word == "yes"
    hidden = replace(met, standing=Standing(met={"one": 3}, undetermined={"two": 3}))
    found = answers.assumptions(facts_of((made, [hidden])))
    assert (found.word, found.claims) == ("partial", {"hypotheses with hidden constants": ("A.a",)})
    assert answers.assumptions(facts_of(claim("a", Verdict.HOLDS))).word is None


def test_error_bars_are_partial_where_a_measured_line_has_none() -> None:
    bare = claim("b", Verdict.HOLDS, judgement=Judgement(Verdict.HOLDS))
    assert answers.error_bars(facts_of(claim("a", Verdict.HOLDS))).word == "yes"
    found = answers.error_bars(facts_of(claim("a", Verdict.HOLDS), bare))
    assert (found.word, found.claims) == ("partial", {"without an interval": ("A.b",)})
    assert "1 of 2 measured lines have a 95 % interval: Student's t over independent runs (1)" in found.reason


def test_eliminated_claims_are_named_or_the_question_does_not_apply() -> None:
    assert answers.eliminated(facts_of(claim("a", Verdict.HOLDS))).word == "NA"
    found = answers.eliminated(facts_of(claim("a", Verdict.VIOLATED), step("b", Verdict.REFUTED)))
    assert found.word == "yes"
    assert found.claims == {"contradicted or reading-dependent": ("A.a",), "with a step false as printed": ("A.b",)}


def test_trials_are_counted_once() -> None:
    facts = facts_of(claim("a", Verdict.HOLDS), claim("b", Verdict.HOLDS))
    assert (facts.n_trials, facts.seconds, facts.replicates) == (6, {"toy": 9.0}, (3, 3, 3))
    assert "6 trials, 3 to 3 of one setting" in answers.runs(facts).reason
    assert "9 s of CPU time" in answers.compute(facts).reason
    assert answers.compute(facts).word == "partial"  # nobody knows the machine
    assert answers.seeds(facts).commands == ("theoremeter store verify --store here.sqlite",)
    assert "was not tried" in answers.seeds(facts).reason
    assert (
        "20 trials drawn at random and run again here gave the same bits"
        in answers.seeds(replace(facts, again=(20, 0))).reason
    )
    differs = replace(facts, again=(20, 3))
    assert "Of 20 trials drawn at random and run again here 3 came out otherwise." in answers.seeds(differs).reason
    assert (answers.reproducibility(facts).word, answers.reproducibility(differs).word) == ("yes", "partial")


# ---------------------------------------------------------------------------------------------------------------- pages


def test_the_help_names_the_venues() -> None:
    assert tuple(VENUES) == NAMED


@pytest.mark.parametrize("venue", VENUES)
@pytest.mark.parametrize("fmt", FORMATS)
def test_every_heading_is_answered_or_left_to_the_authors(venue: str, fmt: str) -> None:
    page = render(VENUES[venue], facts_of(step("made_up", Verdict.PROVED)), fmt=fmt)
    for _, items in VENUES[venue].sections:
        for item in items:
            heading = item.heading.replace("&", r"\&") if fmt == "latex" else item.heading
            assert heading in page
    assert "partial" in page
    assert (r"A.made\_up" if fmt == "latex" else "A.made_up") in page
    assert ("Left to the authors" if fmt != "json" else '"answer": null') in page


def test_claims_link_to_their_pages() -> None:
    facts = facts_of(claim("made_up", Verdict.HOLDS))
    page = render(VENUES["aaai"], facts, fmt="markdown", link="https://x.org/report/{id}.html")
    assert "[A.made_up](<https://x.org/report/A.made_up.html>)" in page
    page = render(VENUES["aaai"], facts, fmt="latex", link="https://x.org/~me/{id}.html")
    assert r"\href{https://x.org/\%7Eme/A.made\_up.html}{A.made\_up}" in page


@pytest.mark.parametrize("texts", QUARTERS, ids=lambda texts: ascii(texts[0]))
def test_hostile_texts_are_text(texts: list[str]) -> None:
    made = replace(claim_of(texts[0]), observable=texts[1])
    facts = facts_of((made, [replace(row_of(texts[0]), claim=made)]), store=texts[2])
    link = f"{texts[3]}{{id}}"
    for venue in VENUES.values():
        page = render(venue, facts, fmt="markdown", link=link)
        assert_inert(page)
        assert json.loads(render(venue, facts, fmt="json", link=link))["venue"] == venue.name
        tokens = MarkdownIt("commonmark").enable("table").parse(page)
        kinds = {token.type for token in tokens} | {child.type for t in tokens for child in t.children or ()}
        assert not kinds & {"html_block", "html_inline", "image", "code_inline", "fence", "code_block", "table_open"}
        targets = {str(c.attrGet("href")) for t in tokens for c in t.children or () if c.type == "link_open"}
        assert all(re.fullmatch(r"[A-Za-z0-9/:.?=&_%~;-]+", target) for target in targets), targets
        page = render(venue, facts, fmt="latex", link=link)
        assert page.isascii()
        assert set(COMMAND.findall(page)) <= LETTERS | PAGE
    assert re.fullmatch(r"[A-Za-z0-9/:.?=&_%-]*", address(link, "A.x"))


def test_hostile_checklists_compile(tmp_path: Path) -> None:
    text = "".join(t for t in HOSTILE if len(t) < 100)
    facts = facts_of((claim_of(text), [row_of(text)]), step("b", Verdict.REFUTED), store=text)
    pages = [render(venue, facts, fmt="latex", link="https://x.org/%s/{id}#_&") for venue in VENUES.values()]
    log = compiled("\n".join(pages), tmp_path, ("hyperref",))
    assert "(/etc/passwd" not in log


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    links = [["--venue", "aaai", "--link", link] for link in ("x", "javascript:{id}")]
    for words in ([], ["--venue", "colt"], *links):
        assert main(["checklist", *words]) == 2
        err = capsys.readouterr().err
        assert err.startswith("theoremeter: ")
        assert err.count("\n") == 1
