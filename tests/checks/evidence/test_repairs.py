"""What is true instead: only lines that came out for a repair are one, and what lacks one says truly why."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

from checks.catalogue import checks_of_key
from checks.evidence.check import Check
from checks.evidence.law_search import LawSearch
from checks.evidence.repairs import (
    NO_PROOF,
    Backing,
    Mending,
    NoRepair,
    Repair,
    beats_claimed,
    mending_of,
    wants_repair,
)
from checks.records.rows import Row
from checks.search.law import SearchedLaw
from checks.search.search import search_law
from checks.statistics.explanation import finding
from checks.statistics.verdict import FAILING, SKIPPING, Interval, Judgement, Verdict
from tests.checks.made_up import made_up
from theory.claim import Axis, Claim, ForSome, Inequality, Kind, Role

x, c = sp.symbols("x c", positive=True)
FALSE = Inequality("x <= 1", x <= 1, {x: (0, 2)}, instead="x <= 2", role=Role.STATEMENT)
TRUE = Inequality("x <= 2", x <= 2, {x: (0, 2)})
CLAIM = made_up(Kind.UPPER, axes=(Axis(x),), value=x)
WITH_LEMMAS = replace(CLAIM, lemmas=(FALSE, TRUE))
STEP = replace(FALSE, role=Role.PROOF_STEP)


def row(verdict: Verdict, role: Role = Role.STATEMENT, part: str = "part", claim: Claim = CLAIM) -> Row:
    return Row(claim, part, Judgement(verdict, finding("why")), role=role)


def by_lemma(printed: Verdict, correct: Verdict, *, claim: Claim = WITH_LEMMAS, rest: tuple[Row, ...] = ()) -> Mending:
    """What comes of a lemma and the true form that it names."""
    lines = [
        row(verdict, claim.role_of(lemma), lemma.name, claim)
        for lemma, verdict in zip(claim.lemmas, (printed, correct), strict=True)
    ]
    return mending_of([*lines, *(replace(other, claim=claim) for other in rest)])


@functools.cache
def law(*, is_claimed: bool = False, is_noise: bool = False) -> SearchedLaw:
    """A law of two letters; with a rival that is the law itself, or of nothing but noise."""
    generator = np.random.default_rng(0)
    m, n = 10 ** generator.uniform(0, 2, 40), 10 ** generator.uniform(0, 2, 40)
    true = m**-2 * n
    values = np.exp(generator.standard_normal(40)) if is_noise else true * np.exp(0.05 * generator.standard_normal(40))
    claimed = true if is_claimed else 1 / m
    return search_law({"m": m, "n": n}, values, claimed=claimed, response="T")


def searched(found: SearchedLaw, verdict: Verdict = Verdict.NO_CLAIM, headline: Verdict = Verdict.LOOSE) -> Mending:
    return mending_of([row(headline), replace(row(verdict, Role.REPAIR, "law"), law=found)])


# -------------------------------------------------------------------------------------------------------- lines by role


@pytest.mark.parametrize("false", sorted(FAILING | {Verdict.LOOSE, Verdict.INCONCLUSIVE, Verdict.READING_DEPENDENT}))
def test_a_line_that_came_out_for_a_repair_is_one(false: Verdict) -> None:
    found = mending_of([row(false), row(Verdict.HOLDS, Role.REPAIR, "another event")])
    (repair,) = found.of_statement
    assert (repair.repaired.words, repair.printed.words) == ("another event", CLAIM.statement)
    assert (repair.evidence, repair.derived) == (Backing.MEASURED, NO_PROOF)
    assert found.lacks is None


@pytest.mark.parametrize("verdict", sorted(FAILING | SKIPPING))
def test_a_repair_whose_line_is_against_it_or_open_is_none(verdict: Verdict) -> None:
    found = mending_of([row(Verdict.VIOLATED), row(verdict, Role.REPAIR, "planted")])
    assert found.repairs == ()
    assert [line.part for line in found.tried] == ["planted"]
    assert found.lacks is NoRepair.NOT_SEARCHED


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.REPAIR, Role.STATEMENT}))
def test_no_line_of_another_role_is_a_repair(role: Role) -> None:
    found = mending_of([row(Verdict.VIOLATED), row(Verdict.INCONCLUSIVE, role, "other")])
    assert (found.repairs, found.tried) == ((), ())


@pytest.mark.parametrize("stands", [Verdict.HOLDS, Verdict.TIGHT, Verdict.PROVED, Verdict.NOT_MEASURED_YET])
def test_what_stands_or_was_not_measured_needs_no_repair(stands: Verdict) -> None:
    found = mending_of([row(stands), row(Verdict.HOLDS, Role.REPAIR, "beside it")])
    assert (found.repairs, found.lacks, found.is_wanted) == ((), None, False)


def test_a_measured_repair_says_where_its_letters_were() -> None:
    line = replace(row(Verdict.HOLDS, Role.REPAIR, "line"), ranges={c: (1.0, 1.0), x: (2.0, 8.0)})
    (repair,) = mending_of([row(Verdict.VIOLATED), line]).repairs
    assert repair.range == {"c": Interval(1, 1), "x": Interval(2, 8)}


# --------------------------------------------------------------------------------------------------------------- lemmas


@pytest.mark.parametrize(
    ("correct", "evidence"),
    [
        (Verdict.PROVED, Backing.PROVED),
        (Verdict.CERTIFIED, Backing.CERTIFIED),
        (Verdict.SATISFIABLE, Backing.PROVED),
    ],
)
def test_a_false_lemma_is_repaired_by_the_true_form_that_it_names(correct: Verdict, evidence: Backing) -> None:
    found = by_lemma(Verdict.REFUTED, correct)
    (repair,) = found.of_statement
    assert (repair.printed.stated, repair.repaired.words) == (FALSE, TRUE.name)
    assert (repair.evidence, repair.derived, repair.role) == (evidence, TRUE.name, Role.STATEMENT)
    assert repair.range == {"x": Interval(0, 2)}


@pytest.mark.parametrize("correct", [Verdict.REFUTED, Verdict.UNKNOWN, Verdict.NOT_MEASURED_YET])
def test_a_true_form_that_is_not_proved_repairs_nothing(correct: Verdict) -> None:
    found = by_lemma(Verdict.REFUTED, correct)
    assert (found.repairs, found.lacks) == ((), NoRepair.NOT_SEARCHED)
    stepwise = by_lemma(Verdict.REFUTED, correct, claim=replace(CLAIM, lemmas=(STEP, TRUE)))
    assert [line.part for line in stepwise.unmended] == [STEP.name]


@pytest.mark.parametrize("printed", [Verdict.PROVED, Verdict.UNKNOWN])
def test_a_lemma_that_is_not_refuted_has_no_repair(printed: Verdict) -> None:
    assert by_lemma(printed, Verdict.PROVED).repairs == ()


def test_a_lemma_of_ours_that_is_refuted_is_no_error_of_the_paper() -> None:
    claim = replace(CLAIM, lemmas=(replace(FALSE, role=Role.OWN_QUESTION), TRUE))
    assert by_lemma(Verdict.REFUTED, Verdict.PROVED, claim=claim).repairs == ()


@pytest.mark.parametrize("statement", [Verdict.INCONCLUSIVE, Verdict.LOOSE, Verdict.HOLDS])
def test_what_is_true_instead_of_a_reading_serves_the_statement_only_where_the_headline_depends_on_it(
    statement: Verdict,
) -> None:
    claim = replace(CLAIM, lemmas=(replace(FALSE, role=Role.READING), TRUE))
    found = by_lemma(Verdict.REFUTED, Verdict.PROVED, claim=claim, rest=(row(statement),))
    assert [repair.role for repair in found.of_statement] == [Role.READING]
    divided = found.headline.verdict is Verdict.READING_DEPENDENT
    assert divided is (statement is not Verdict.INCONCLUSIVE)
    assert found.lacks is (None if divided else NoRepair.NOT_SEARCHED)


def test_steps_and_misprints_are_repaired_whatever_the_headline_is() -> None:
    for lemma, is_misprint in ((STEP, False), (replace(FALSE, role=None, slip=True), True)):
        claim = replace(CLAIM, lemmas=(lemma, TRUE))
        found = by_lemma(Verdict.REFUTED, Verdict.PROVED, claim=claim, rest=(row(Verdict.HOLDS),))
        assert [(repair.is_misprint, repair.of_statement) for repair in found.repairs] == [(is_misprint, False)]
        assert (found.lacks, found.unmended) == (None, ())


def test_a_lemma_of_the_role_that_another_names_is_one_repair() -> None:
    claim = replace(CLAIM, lemmas=(FALSE, replace(TRUE, role=Role.REPAIR)))
    assert len(by_lemma(Verdict.REFUTED, Verdict.PROVED, claim=claim).repairs) == 1


def test_the_best_evidence_stands_first() -> None:
    measured = row(Verdict.HOLDS, Role.REPAIR, "measured")
    found = by_lemma(Verdict.REFUTED, Verdict.CERTIFIED, rest=(measured,))
    assert [repair.evidence for repair in found.repairs] == [Backing.CERTIFIED, Backing.MEASURED]
    (first, *_) = mending_of([row(Verdict.VIOLATED), measured]).repairs
    assert isinstance(first, Repair)


def test_constants_of_a_lemma_have_the_range_one_is_chosen_from() -> None:
    true = ForSome(TRUE.name, (x <= c,), {c: (1, 10)}, {x: (0, 2)})
    claim = replace(CLAIM, lemmas=(FALSE, true))
    (repair,) = by_lemma(Verdict.REFUTED, Verdict.PROVED, claim=claim).repairs
    assert repair.constants == {"c": Interval(1, 10)}


# ------------------------------------------------------------------------------------------------- nothing is forgotten

PAGES = {"A": "shallow_vit.md", "B": "spatial_vit.md"}


def on_page(key: str) -> tuple[str, list[str]]:
    """The page of results of a paper, and the claims that it calls false, loose, open or dependent on the reading."""
    text = (Path(__file__).parents[3] / "docs" / PAGES[key]).read_text(encoding="utf-8").replace("\\", "")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith(f"| {key}.")]
    return text, [one.removeprefix("| ") for one, headline, *_ in rows if wants_repair(verdict_of(headline))]


def verdict_of(headline: str) -> Verdict:
    """The word at the preset of the page, without that of full behind it."""
    return Verdict(headline.partition(" (full: ")[0].removesuffix(", misprinted"))


def as_read(text: str) -> list[str]:
    """The claims of a page whose statement holds as it is read, and that only another reading speaks against."""
    found = re.search(r"\d+ hold as the statement is read here \((.*?)\)", text)
    return found[1].split(", ") if found else []


def may_repair(check: Check) -> bool:
    """Whether a line, a search or a lemma may say what is true instead of a statement."""
    lemmas = (lemma for lemma in check.claim.lemmas if check.claim.role_of(lemma) is not Role.PROOF_STEP)
    return any(part.role is Role.REPAIR for part in check.parts) or any(lemma.instead for lemma in lemmas)


def without_repairs(check: Check) -> Check:
    """A planted gap."""
    claim = replace(check.claim, lemmas=())
    return replace(check, claim=claim, parts=tuple(part for part in check.parts if part.role is not Role.REPAIR))


@pytest.mark.parametrize("key", PAGES)
def test_every_claim_that_wants_one_has_a_repair_or_a_search(key: str) -> None:
    checks, (text, wanted) = checks_of_key(key), on_page(key)
    assert len(wanted) >= 5
    assert [one for one in wanted if not may_repair(checks[one])] == as_read(text)
    assert not any(may_repair(without_repairs(checks[one])) for one in wanted)


@pytest.mark.parametrize("key", PAGES)
def test_the_pages_of_results_say_that_none_was_left_unsearched(key: str) -> None:
    """The judged table, as the pages are written from it: what lacks a repair was searched, so that a front is kept."""
    checks, (text, wanted) = checks_of_key(key), on_page(key)
    said = re.search(
        r"Beside (\d+) of (\d+) that are .* instead; .*?(\d+) not searched.*?; (\d+) searched, nothing simpler found"
        r"(?: \((.*?)\))?\.",
        text,
    )
    assert said is not None
    repaired, count, unsearched, nothing = map(int, said.groups()[:4])
    searched = list(filter(None, (said[5] or "").split(", ")))
    assert (count, unsearched, nothing) == (len(wanted), 0, len(searched))
    assert repaired + len(as_read(text)) + nothing == count
    for one in searched:
        assert any(isinstance(part, LawSearch) and part.role is Role.REPAIR for part in checks[one].parts), one


# ----------------------------------------------------------------------------------------------------------------- laws


def test_a_law_that_beats_the_claimed_one_is_a_repair_with_all_that_it_rests_on() -> None:
    found = searched(law())
    (repair,) = found.of_statement
    assert repair.repaired.words == f"T = {law().formula}"
    interval = repair.exponents["m"]
    assert interval is not None
    assert -2.0 in interval
    assert set(repair.exponents) == {"m", "n"} == set(repair.range)
    assert set(repair.constants) == {"constant"}
    assert (repair.held_out, repair.rivals) == (law().held_out, law().rivals)
    assert (repair.evidence, repair.derived) == (Backing.MEASURED, NO_PROOF)


@pytest.mark.parametrize(("verdict", "n_reasons"), [(Verdict.PROVED, 1), (Verdict.UNKNOWN, 0), (Verdict.REFUTED, 0)])
def test_a_law_names_the_lemmas_that_give_it_a_reason_where_they_came_out(verdict: Verdict, n_reasons: int) -> None:
    line = replace(row(Verdict.NO_CLAIM, Role.REPAIR, "law"), law=law(), reasons=("why",))
    lemmas = [row(verdict, Role.OWN_QUESTION, "why"), row(Verdict.PROVED, Role.OWN_QUESTION, "another")]
    (repair,) = mending_of([row(Verdict.LOOSE), line, *lemmas]).of_statement
    assert [(one.part, one.verdict) for one in repair.reasons] == [("why", Verdict.PROVED)] * n_reasons
    assert repair.evidence is Backing.MEASURED


@pytest.mark.parametrize("verdict", sorted(FAILING | {Verdict.BROKEN}))
def test_a_law_whose_line_is_against_it_is_none(verdict: Verdict) -> None:
    assert searched(law(), verdict).repairs == ()


def test_a_law_that_the_claimed_one_beats_is_none() -> None:
    found = law(is_claimed=True)
    rival = next(one for one in found.rivals if one.name == "claimed law")
    assert found.found
    assert not beats_claimed(found)
    assert beats_claimed(law())
    for interval, is_law in ((Interval(0.4, 0.6), False), (Interval(0.9, 1.8), False), (Interval(1.1, 1.8), True)):
        other = replace(found, rivals=(replace(rival, interval=interval),))
        assert beats_claimed(other) is is_law
        assert (searched(other).lacks is NoRepair.NOTHING_FOUND) is not is_law


def test_a_search_that_found_nothing_says_so() -> None:
    nothing = law(is_noise=True)
    assert not nothing.found
    for headline in (Verdict.LOOSE, Verdict.INCONCLUSIVE, Verdict.VIOLATED):
        assert searched(nothing, headline=headline).lacks is NoRepair.NOTHING_FOUND
    assert searched(nothing, headline=Verdict.HOLDS).lacks is None


def test_a_search_without_trials_is_none() -> None:
    line = row(Verdict.NOT_MEASURED_YET, Role.REPAIR, "law")
    found = mending_of([row(Verdict.LOOSE), line])
    assert (found.lacks, found.tried) == (NoRepair.NOT_SEARCHED, (line,))


def test_a_law_of_a_question_of_ours_repairs_nothing() -> None:
    line = replace(row(Verdict.NO_CLAIM, Role.OWN_QUESTION, "law"), law=law())
    found = mending_of([row(Verdict.LOOSE), line])
    assert (found.repairs, found.lacks) == ((), NoRepair.NOT_SEARCHED)
