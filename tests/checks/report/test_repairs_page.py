"""Repairs as people read them: on 80 columns, as JSON, markdown and LaTeX, whatever letters and papers are called."""

from __future__ import annotations

import functools
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from jsonschema import Draft202012Validator
from rich.cells import cell_len

from checks.catalogue import checks_of_key
from checks.evidence.law_search import LawSearch
from checks.evidence.repairs import NO_PROOF, Mending, NoRepair, mending_of
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report import table
from checks.report.repair_forms import records, shown
from checks.report.repairs_page import LACKING, REPAIR_FORMATS, SCREENS, STEPS, PaperRepairs, beside, render
from checks.report.schema import schema_of
from checks.report.site.model import ShownMending
from checks.search.law import SearchedLaw
from checks.search.search import search_law
from checks.statistics.explanation import finding
from checks.statistics.verdict import Interval, Judgement, Verdict
from tests.checks.made_up import made_up
from tests.checks.report.test_escape import COMMAND, HOSTILE, assert_inert
from tests.checks.report.test_latex import UNICODE, compiled
from theory.claim import Axis, Claim, Conditions, Inequality, Kind, Limit, Role, Source

TITLES = {"A": ("made2020", "A made up paper, whose title needs more than one line of a terminal with 80 columns")}
FIELDS = (
    "id", "printed", "repaired", "exponents", "constants", "evidence", "range", "held_out", "rivals", "alternatives",
    "derivation",
)  # fmt: skip


def line(verdict: Verdict, role: Role, part: str, claim: Claim) -> Row:
    return Row(claim, part, Judgement(verdict, finding("why")), role=role)


@functools.cache
def law(*, is_found: bool = True) -> SearchedLaw:
    generator = np.random.default_rng(0)
    letters = {name: 10 ** generator.uniform(0.3, 2, 40) for name in ("alpha_*", "<b>|x|</b>", r"\input{q}")}
    first, second, _ = letters.values()
    values = first**-2 * second if is_found else np.ones(40)
    return search_law(letters, values * np.exp(0.1 * generator.standard_normal(40)), claimed=first, response="T_{99}")


def rows_of(text: str = "made up") -> dict[str, list[Row]]:
    """Claims with all that the page says: by lemma, by a line, by a law, a step, a misprint, and none; `text` is
    whatever a paper wrote, and the name of its letter.
    """
    letter, c = sp.Symbol(text, positive=True), sp.Symbol("c", positive=True)
    box, anywhere = {letter: (0, 2)}, {sp.Symbol("r", real=True): (-sp.oo, sp.oo)}
    lemmas = (
        Conditions(f"false {text}", (letter > 3, letter < 2), box, instead=f"true {text}", role=Role.STATEMENT),
        Inequality(f"true {text}", letter <= 2, box | anywhere, given=(letter > sp.Rational(1, 3),)),
        Inequality(f"printed {text}", letter <= 1, box, instead=f"true {text}", slip=True),
        Inequality(f"step {text}", letter**2 <= 1, box, role=Role.PROOF_STEP),
        Limit(f"limit {text}", 1 / c, c, sp.oo, letter, instead=f"true {text}", role=Role.PROOF_STEP),
    )
    fields = {"source": Source(text, text), "statement": text, "axes": (Axis(letter),), "value": letter}
    claims = [made_up(Kind.UPPER, id=f"A.made_{name}", **fields) for name in ("first", "law", "none", "open", "unrun")]
    first = replace(claims[0], lemmas=lemmas)
    refuted = [line(Verdict.REFUTED, first.role_of(lemma), lemma.name, first) for lemma in lemmas]
    refuted[1] = line(Verdict.PROVED, Role.OWN_QUESTION, lemmas[1].name, first)
    measured = replace(line(Verdict.HOLDS, Role.REPAIR, f"event {text}", first), because=text, ranges={letter: (1, 4)})
    against = line(Verdict.VIOLATED, Role.REPAIR, f"planted {text}", first)
    by_law, nothing = (
        [
            line(Verdict.LOOSE, Role.STATEMENT, text, claim),
            replace(line(Verdict.NO_CLAIM, Role.REPAIR, "search", claim), law=one),
        ]
        for claim, one in zip(claims[1:3], (law(), law(is_found=False)), strict=True)
    )
    is_open = [line(Verdict.INCONCLUSIVE, Role.STATEMENT, text, claims[3])]
    unrun = [line(Verdict.NOT_MEASURED_YET, Role.STATEMENT, text, claims[4])]
    return {rows[0].claim.id: rows for rows in ([*refuted, measured, against], by_law, nothing, is_open, unrun)}


def found(text: str = "made up") -> dict[str, list[Mending]]:
    return {"A": [mending_of(rows) for rows in rows_of(text).values()]}


def written(fmt: str, text: str = "made up", **look: object) -> str:
    return render(found(text), TITLES, fmt=fmt, **look)


# ----------------------------------------------------------------------------------------------------------------- text


@pytest.mark.parametrize("width", [0, 40, 80, 200])
@pytest.mark.parametrize("text", ["made up", *HOSTILE, UNICODE], ids=ascii)
def test_text_is_at_most_80_columns_and_inert(text: str, width: int) -> None:
    page = written("text", text, width=width).replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert max(map(cell_len, page.splitlines())) <= min(width or 80, 80)
    assert_inert(page)


def test_text_says_what_is_true_instead_and_what_has_no_repair() -> None:
    page = written("text")
    words = " ".join(page.split())
    assert words.count("instead ") >= 4
    assert "Of 5 claims 1 is contradicted, 2 are loose, 1 is left open, 1 is not measured." in words
    assert "Beside 2 of these 4 stands what is true instead (1 proved, 1 measured)." in words
    assert "false false made up at one point: made up > 3 and made up < 2 instead true made up" in words
    assert "measured why" in words
    assert NO_PROOF in words
    assert f"instead search T_{{99}} = {law().formula}" in words
    assert "claimed law errs" in words
    assert "no repair: not searched: A.made_open (inconclusive)" in words
    constant = law(is_found=False)
    assert (
        f"no repair: searched, nothing simpler found; no law of T_{{99}}, which is {constant.constant:.3g} [" in words
    )
    assert ": A.made_none (loose)" in words
    assert page.index("A.made_first") < page.index(f"\n{STEPS}\n") < page.index(f"\n{LACKING}\n")


def test_what_needs_no_correction_is_not_said_to_be_corrected() -> None:
    """A loose bound is true; and a count that is another one on the front page says how it comes from that one."""
    for fmt in ("text", "markdown", "latex"):
        for brief in (True, False):
            page = written(fmt, brief=brief)
            assert page.index("True, but loose") > page.index("To be corrected: contradicted") > 0
    split, missing = Verdict.READING_DEPENDENT, "not searched"
    stated = ((split, missing), (split, ""), (split, ""), (Verdict.INCONCLUSIVE, missing), (Verdict.HOLDS, ""))
    claims = tuple(ShownMending("A.a", "1", "s", verdict, lacks=lacks) for verdict, lacks in stated)
    said = PaperRepairs("A", "A", claims).summary
    assert "1 depends on the reading (beside 2 more that hold as they are read here), 1 is left open." in said


def test_a_repair_whose_line_is_against_it_is_named_as_tried_in_every_format() -> None:
    words = " ".join(written("text").split())
    assert "tried planted made up: violated" in words
    assert "instead planted" not in words
    told = json.loads(written("json"))
    assert {"part": "planted made up", "verdict": "violated"} in told[0]["tried"]
    for page in (written("markdown"), written("latex"), written("json")):
        assert not re.search(r"(Instead:\}|\"repaired\":|\| ) *\"?planted", page)


def test_an_exponent_outside_its_own_interval_is_told() -> None:
    """The fitting half chose it, a simple fraction perhaps; the other half judges."""
    (row, search) = rows_of()["A.made_law"]
    first, *rest = law().terms
    assert "exclude" not in written("text")
    off = replace(law(), form=replace(law().form, terms=(replace(first, interval=Interval(5, 6)), *rest)))
    page = render({"A": [mending_of([row, replace(search, law=off)])]}, TITLES)
    told = f"The held-out settings alone exclude {first.exponent_text} as the exponent of {first.factor.text}."
    assert told in " ".join(page.split())


def test_a_lemma_that_gives_a_law_a_reason_is_told_in_every_format() -> None:
    (row, search) = rows_of()["A.made_law"]
    lemma = line(Verdict.CERTIFIED, Role.OWN_QUESTION, "a root of signs", row.claim)
    mendings = [mending_of([row, replace(search, reasons=("a root of signs",)), lemma])]
    for fmt in ("text", "markdown", "latex"):
        page = " ".join(render({"A": mendings}, TITLES, fmt=fmt).split())
        assert "eason: a root of signs (certified)" in page
    told = json.loads(render({"A": mendings}, TITLES, fmt="json"))
    assert told[0]["reasons"] == [{"part": "a root of signs", "verdict": "certified"}]
    assert told[0]["derivation"] == NO_PROOF


def test_without_letters_beyond_ascii() -> None:
    assert written("text", unicode=False).isascii()
    assert "≤" in written("text")


def test_nothing_judged_is_told_truly() -> None:
    unrun = [mendings for mendings in found()["A"] if mendings.headline.verdict is Verdict.NOT_MEASURED_YET]
    page = render({"A": unrun}, TITLES)
    assert "Of 1 claim 1 is not measured." in " ".join(page.split())
    assert json.loads(render({"A": unrun}, TITLES, fmt="json")) == []
    for fmt in REPAIR_FORMATS:
        assert render({}, {}, fmt=fmt)


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match=f"format must be one of {', '.join(REPAIR_FORMATS)}, got 'html'"):
        written("html")


# ---------------------------------------------------------------------------------------------------------- two screens


def test_a_brief_page_says_what_is_true_instead_and_by_which_factor_or_proof() -> None:
    page = written("text", brief=True)
    assert max(map(cell_len, page.splitlines())) <= 80
    loose = "True, but loose: what can be said instead:"
    assert page.index("To be corrected: contradicted:") < page.index("A.made_first") < page.index(loose)
    first, by_law, *_ = [
        " ".join(words.split()) for words in re.split(r"\n(?=A\.made|True)", page)[1:] if words[0] == "A"
    ]
    assert first == "A.made_first, made up, false as printed: false made up = true made up (proved)"
    rival = law().claimed_rival
    assert rival is not None
    times = f"{rival.factor_text}x, at least {math.floor(100 * rival.interval.low) / 100:.3g}x"
    assert by_law == f"A.made_law, made up, loose: made up = T_{{99}} = {law().formula} ({times}) {STEPS}:"
    for step in ("printed made up", "limit made up"):
        assert f"A.made_first: {step}" in page or step == "limit made up"
    assert "A.made_first: no true form is known: step made up" in page
    assert f"A.made_none, loose: {NoRepair.NOTHING_FOUND}; no law of T_{{99}}" in page


@pytest.mark.parametrize("fmt", ["text", "markdown", "latex"])
def test_a_brief_page_has_the_same_entries_in_every_format(fmt: str) -> None:
    brief, whole = (written(fmt, brief=brief) for brief in (True, False))
    assert len(brief) < len(whole) / 2
    name = (lambda one: one.replace("_", r"\_")) if fmt == "latex" else str
    for one in ("A.made_first", "A.made_law", "A.made_none", "A.made_open"):
        assert name(one) in brief
    for words in ("true made up", "at least 25.4x", "no true form is known", NoRepair.NOTHING_FOUND.value):
        assert words in brief
    assert "by complexity" not in brief
    assert "by complexity" in whole


def test_first_comes_what_an_author_should_change_first() -> None:
    """False before loose, loose before open; and what is proved before what is measured."""
    mendings = found()["A"]
    pages = {render({"A": some}, TITLES, brief=True) for some in (mendings, mendings[::-1])}
    for page in pages:
        assert page.index("A.made_first, made up, false as printed") < page.index("A.made_law, made up, loose")
        assert page.index("A.made_none, loose") < page.index("A.made_open, inconclusive")


def test_what_does_not_fit_on_a_brief_page_is_cut_and_said_to_be() -> None:
    page = written("text", "word " * 200, brief=True)
    assert page.count(" ...\n") >= 4


def worst_case(key: str) -> list[Mending]:
    """Every claim of a paper, all of whose repairs have come out: each false lemma refuted, each search a law."""
    found = []
    for check in checks_of_key(key).values():
        claim = check.claim
        rows = [
            line(Verdict.REFUTED if lemma.instead else Verdict.PROVED, claim.role_of(lemma), lemma.name, claim)
            for lemma in claim.lemmas
        ]
        for part in check.parts:
            if isinstance(part, LawSearch):
                rows.append(replace(line(Verdict.NO_CLAIM, part.role, part.name, claim), law=law()))
            elif part.role is Role.REPAIR:
                rows.append(line(Verdict.HOLDS, part.role, part.name, claim))
        is_repaired = any(row.role is Role.REPAIR for row in rows)
        rows.append(line(Verdict.LOOSE if is_repaired else Verdict.HOLDS, Role.STATEMENT, "statement", claim))
        found.append(mending_of(rows))
    return found


@pytest.mark.parametrize("key", ["A", "B"])
def test_a_papers_page_is_two_screens_long_even_if_all_repairs_come_out(key: str) -> None:
    """Two screens are 60 lines of 80 columns each."""
    mendings = worst_case(key)
    page = render({key: mendings}, {key: ("made2020", "Made up")}, brief=True)
    entries = sum(bool(one.of_statement) for one in mendings)
    assert entries >= 8
    assert len(page.splitlines()) <= SCREENS == 120


# ----------------------------------------------------------------------------------------------------------------- JSON


def test_json_of_laws_and_their_rivals_obeys_the_published_schema() -> None:
    told = json.loads(written("json"))
    assert any(one["rivals"] for one in told)
    assert [error.message for error in Draft202012Validator(schema_of("repairs")).iter_errors(told)] == []


def test_json_has_every_field() -> None:
    told = json.loads(written("json"))
    assert all(list(one) == list(told[0]) for one in told)
    assert set(FIELDS) <= set(told[0])
    by_law = next(one for one in told if one["id"] == "A.made_law")
    assert set(by_law["exponents"]) == {"alpha_*", "<b>|x|</b>"}
    low, high = by_law["exponents"]["alpha_*"]
    assert low < -2 < high
    assert by_law["held_out"]["settings"] == law().held_out.settings
    assert by_law["held_out"]["error"] == law().held_out.error
    assert [rival["name"] for rival in by_law["rivals"]] == [rival.name for rival in law().rivals]
    assert (by_law["evidence"], by_law["derivation"], by_law["no_repair"]) == ("measured", NO_PROOF, None)
    proved = told[0]
    assert (proved["evidence"], proved["derivation"]) == ("proved", "true made up")
    assert proved["range"] == {"made up": [0.0, 2.0], "r": [None, None]}
    assert proved["repaired_formulas"] == ["made up <= 2"]
    assert "made up > 1/3" in proved["conditions"]
    assert [one["of"] for one in told if one["id"] == "A.made_first"] == [
        "statement", "statement", "misprint", "proof step",
    ]  # fmt: skip
    lacking = {one["id"]: one["no_repair"] for one in told if one["repaired"] is None}
    assert lacking == {"A.made_none": NoRepair.NOTHING_FOUND, "A.made_open": NoRepair.NOT_SEARCHED}
    (searched,) = next(one["searched"] for one in told if one["id"] == "A.made_none")
    assert [level["cost"] for level in searched["front"]] == [point.cost for point in law(is_found=False).front]


@pytest.mark.parametrize("text", [*HOSTILE, UNICODE], ids=ascii)
def test_json_is_inert_and_the_same_beside_the_table(text: str) -> None:
    told = json.loads(written("json", text))
    assert_inert(json.dumps(told, ensure_ascii=False))
    rows = rows_of(text)
    lines = table.records(rows, Preset.QUICK)
    for name, some in rows.items():
        repairs = [one for one in records(mending_of(some)) if one["no_repair"] is None]
        assert all(record["repairs"] == repairs for record in lines if record["id"] == name)


# --------------------------------------------------------------------------------------------------- markdown and LaTeX


@pytest.mark.parametrize("text", [*HOSTILE, UNICODE], ids=ascii)
def test_markdown_is_inert(text: str) -> None:
    page = written("markdown", text)
    assert_inert(page)
    assert not re.search(r"(?<!\\)<(?=[A-Za-z/!?])", page)
    for row in (one for one in page.splitlines() if one.startswith("|")):
        assert len(re.findall(r"(?<!\\)\|", row)) == 5


@pytest.mark.parametrize("text", [*HOSTILE, UNICODE], ids=ascii)
def test_latex_has_no_command_of_a_text(text: str) -> None:
    page = written("latex", text)
    assert set(COMMAND.findall(page)).isdisjoint({"input", "write", "immediate", "script"})
    assert page.isascii()


@pytest.mark.parametrize("number", range(4))
def test_latex_compiles(number: int, tmp_path: Path) -> None:
    texts = ["made up", *HOSTILE, UNICODE][number::4]
    compiled("\n".join(written("latex", text) for text in texts), tmp_path)


# --------------------------------------------------------------------------------------------------- beside a headline


def test_beside_a_headline_stands_the_same() -> None:
    first, _, nothing, is_open, unrun = found()["A"]
    words = " ".join(" ".join(beside(first, width=80)).split())
    assert "instead true made up" in words
    assert "tried planted made up: violated" in words
    assert " ".join(" ".join(beside(nothing)).split()).startswith(
        f"none no repair: {NoRepair.NOTHING_FOUND}; no law of"
    )
    assert [one.split() for one in beside(is_open)] == [f"none no repair: {NoRepair.NOT_SEARCHED}".split()]
    assert beside(unrun) == []


def test_what_one_line_repairs_in_several_places_is_said_once() -> None:
    told = shown(found()["A"][0])
    assert [len(repair.printed) for repair in told.of_steps] == [2]
    assert list(told.unmended) == ["step made up"]
