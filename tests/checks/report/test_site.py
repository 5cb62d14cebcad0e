"""Pages of a site ask for nothing, hide nothing, and let no text of a paper or a store become markup."""

from __future__ import annotations

import base64
import gc
import gzip
import json
import posixpath
import re
import shlex
from argparse import Namespace
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import sympy as sp

from benchmarks import site_figures
from checks.cli import main
from checks.commands.options import DEFAULT_STORE
from checks.commands.report import named_store
from checks.evidence.check import Check
from checks.evidence.headline import ProofSteps, Readings
from checks.records.preset import Placement, Preset
from checks.report.pictures.model import DataTable
from checks.report.site import gathering
from checks.report.site import words as site_words
from checks.report.site.bibliography import bibtex_of_program, entry
from checks.report.site.formulas import formula_of, relations_of
from checks.report.site.gathering import Gathered, _commands, deciding_at, page_of
from checks.report.site.letters import letters_said
from checks.report.site.mathml import mathml
from checks.report.site.model import (
    Because,
    ClaimPage,
    Formula,
    HypothesisFound,
    Illustration,
    Outlook,
    PanelPicture,
    PaperPart,
    ProtocolOf,
    Provenance,
    ShownForm,
    ShownLine,
    ShownMending,
    ShownRepair,
    Site,
)
from checks.report.site.outlook import outlook_of
from checks.report.site.pages import Renderer, cut_across, grounds, made_up_of, totals, unique_names, web_address
from checks.report.site.prose import brief, found_of, prose
from checks.report.site.protocols import _without_known
from checks.report.site.words import GROUPS, KIND_WORDS, KINDS, ROLES, VERDICTS, group_of, kinds
from checks.report.writing.from_rows import HEADLINE_WORDS
from checks.statistics.explanation import Clause, Explanation, Limits, NextStep, Topic, clauses_of, next_text
from checks.statistics.verdict import Judgement, Plan, Verdict
from tests.checks.report.test_escape import row_of
from tests.checks.report.test_figures import claim_of
from tests.site_pages import HOSTILE, ReadPage, made_site, read
from theory.checker.replay import replay
from theory.claim import Kind, Role
from theory.display.formulas import MOST_CHARACTERS
from theory.lemma import Conditions
from theory.tried import Tried, Way

CLAIMS = ("toy.mean", "toy.step", "toy.bad", "toy.later")
LOADING = ("src", "srcset", "poster", "data", "action", "formaction", "background", "manifest")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, ReadPage]:
    front = made_site(folder)
    return {str(path.relative_to(front.parent)): read(path) for path in front.parent.rglob("*.html")}


@pytest.fixture(scope="module")
def single(folder: Path, pages: dict[str, ReadPage]) -> ReadPage:
    return read(made_site(folder, single=True))


@pytest.fixture(scope="module")
def everything(pages: dict[str, ReadPage], single: ReadPage) -> list[ReadPage]:
    return [*pages.values(), single]


def test_there_is_a_page_for_every_claim_and_one_of_repairs(pages: dict[str, ReadPage]) -> None:
    own = {f"claims/{name}.html" for name in CLAIMS}
    assert set(pages) == {"index.html", "graph.html", "repairs-toy.html", "theorems-toy.html", *own}


@pytest.mark.usefixtures("pages")
def test_what_was_kept_from_the_search_for_garbage_before_stays_so() -> None:
    assert gc.get_freeze_count() > 1000  # conftest.py keeps all that was imported


def test_no_page_asks_for_anything(everything: list[ReadPage]) -> None:
    for page in everything:
        for tag in page.tags:
            assert not set(LOADING) & set(tag.attributes), tag
            assert tag.name not in ("iframe", "object", "embed", "base", "img", "audio", "video", "form-data"), tag
            if tag.name == "link":
                assert tag.attributes == {"rel": "icon", "href": "data:,"}
            for name in ("href", "xlink:href"):
                address = tag.attributes.get(name, "")
                assert not address.startswith(("//", "http:")), tag
                assert not address.startswith("https:") or tag.name == "a", tag
        styles = "".join(tag.text for tag in page.named("style"))
        assert "url(" not in styles
        assert "@import" not in styles
        scripts = "".join(tag.text for tag in page.named("script"))
        assert not any(word in scripts for word in ("fetch(", "XMLHttpRequest", "import(", "innerHTML", "eval("))
        assert "type" not in page.named("script")[-1].attributes  # a classic script: modules do not load from a folder


def test_texts_of_papers_and_stores_become_no_markup(everything: list[ReadPage]) -> None:
    for page in everything:
        assert len([tag for tag in page.named("script") if tag.attributes.get("type") != "application/gzip"]) == 1
        assert len(page.named("style")) == 1
        for tag in page.tags:
            assert not any(name.startswith("on") for name in tag.attributes), tag
            assert not tag.attributes.get("href", "").lstrip().lower().startswith("javascript:"), tag
        assert not page.named("b") or all("Author" not in tag.text for tag in page.named("b"))
    assert "{{ 7*7 }}" in everything[0].text + everything[-1].text


def test_letters_are_explained_and_their_words_are_inert(pages: dict[str, ReadPage]) -> None:
    text = pages["claims/toy.bad.html"].text
    assert "What the letters mean" in text
    assert "A letter with <script>alert(5)</script> in its words." in text
    assert "What the letters mean" not in pages["claims/toy.later.html"].text  # nobody has described its letters


def test_all_slips_in_print_stand_with_what_is_correct(pages: dict[str, ReadPage], single: ReadPage) -> None:
    front, repairs = pages["index.html"].text, pages["repairs-toy.html"].text
    assert "Slips in print at places that the proof of a theorem uses: 1" in front
    assert "All slips in print: 2" in front
    assert "Correct: n ≥ 2. Theorem 2" in front
    for text in (repairs, single.text):
        assert "Slips in print: 2 (1 needed by a theorem, 1 not needed)" in text
        assert "printed “reducing n”. Correct: raising n. Needed by a theorem: no; a slip of words." in text
        assert "How it is known: toy.mean; the mean rises" in text


def test_a_claim_says_which_slips_it_shows_and_whether_a_theorem_rests_on_them(pages: dict[str, ReadPage]) -> None:
    """What rests on a false lemma is often said there alone, since no printed proof names it."""
    (bad,) = [tag.text for tag in pages["claims/toy.bad.html"].named("li") if "a theorem rests on it" in tag.text]
    assert "Theorem 2 (a theorem rests on it)" in bad
    (mean,) = [tag.text for tag in pages["claims/toy.mean.html"].named("li") if "theorem rests" in tag.text]
    assert mean.endswith("a slip of words (no theorem rests on it)")
    assert "theorem rests" not in pages["claims/toy.step.html"].text


def test_what_a_page_does_not_say_stands_with_the_headline_and_commands_at_the_end(pages: dict[str, ReadPage]) -> None:
    text = pages["claims/toy.mean.html"].text
    places = [
        text.rindex(words) for words in ("Why it is fair", "What this does not say", "As stated: the lines that decide")
    ]
    assert places == sorted(places)
    assert pages["claims/toy.mean.html"].named("h2")[-1].text == "The same again"


def test_links_lead_somewhere(pages: dict[str, ReadPage], single: ReadPage, folder: Path) -> None:
    for name, page in [*pages.items(), ("single", single)]:
        assert not [found for found, count in Counter(page.ids).items() if count > 1], name
        for tag in page.tags:
            for label in tag.attributes.get("aria-labelledby", "").split():
                assert label in page.ids, tag
        for tag in page.named("a"):
            path, _, place = tag.attributes["href"].partition("#")
            if path.startswith(("https:", "data:application/gzip;base64,")):
                continue
            target = str((Path(name).parent / path).as_posix()) if path else name
            target = target.removeprefix("claims/../")
            assert target in pages or target == "single", tag
            ids = single.ids if target == "single" else pages[target].ids
            assert not place or place in ids, tag


def rows_of(page: ReadPage) -> list[dict[str, str]]:
    return [tag.attributes for tag in page.named("tr") if "data-id" in tag.attributes]


def test_counts_agree_with_rows(pages: dict[str, ReadPage]) -> None:
    front = pages["index.html"]
    rows = rows_of(front)
    assert {row["data-id"] for row in rows} == set(CLAIMS)
    counted = 0
    for tag in front.named("a"):
        if "data-verdict" in tag.attributes:
            verdict = tag.attributes["data-verdict"]
            own = [row for row in rows if row["data-verdict"] == verdict]
            assert tag.text == f"{len(own)} {verdict}"
            assert own[0]["id"] == tag.attributes["href"].removeprefix("#")
            counted += len(own)
    assert counted == len(rows)


def test_what_is_not_measured_is_shown(pages: dict[str, ReadPage]) -> None:
    (row,) = [row for row in rows_of(pages["index.html"]) if row["data-id"] == "toy.later"]
    assert row["data-verdict"] == "not measured"
    assert "not measured" in pages["claims/toy.later.html"].text
    assert "Nothing was measured" in pages["claims/toy.later.html"].text


def test_a_claim_has_its_sections_in_order(pages: dict[str, ReadPage], single: ReadPage) -> None:
    titles = [tag.text for tag in pages["claims/toy.mean.html"].named("h2")]
    asked = ["Headline", "Why", "What this does not say", "Pictures", "Hypotheses on the grid",
             "As stated: the lines that decide", "Protocol", "Choices: how the text is read", "What would decide",
             "The same again"]  # fmt: skip
    assert [title for title in titles if title in asked] == asked
    for page in pages.values():
        assert page.named("h1")
    for name in CLAIMS:
        assert name in [tag.text.split()[0] for tag in single.named("h1")]


@pytest.mark.parametrize(
    ("headline", "worst", "words"),
    [
        (Verdict.TIGHT, Verdict.TIGHT, "The worst of them is the headline."),
        (Verdict.READING_DEPENDENT, Verdict.INCONSISTENT, "The worst of them is inconsistent; read otherwise"),
        (Verdict.FALSE_AS_PRINTED, Verdict.REFUTED, "The worst of them is refuted; beside it stands a repair"),
        (Verdict.HOLDS, Verdict.TIGHT, "The worst of them is tight; the headline reads holds, for"),
    ],
)
def test_lines_and_headline_agree_in_words(headline: Verdict, worst: Verdict, words: str) -> None:
    """A page said that the worst of its lines is the headline, and the headline was another word."""
    said = ("toy.a", "toy", "Lemma 1", "upper", "It falls.", "", "", "", None, (), headline, "", "", ())
    why = (Because("as stated", "a rate", worst, "It does."),) if headline is Verdict.READING_DEPENDENT else ()
    line = ShownLine("a rate", Role.STATEMENT, worst, "It does.", is_decisive=True)
    page = ClaimPage(*said[:-1], why, Readings.ONE, ProofSteps(), lines=(line,))
    text = Renderer(site_with(page)).claim(page)
    fold = text[text.index('id="numbers"') : text.index('id="choices"')]
    assert words in fold
    assert ('<b><a href="#numbers">As stated</a></b>' in text) == bool(why)


def test_the_front_page_says_what_is_contradicted_and_why(pages: dict[str, ReadPage]) -> None:
    text = pages["index.html"].text
    told = text[text.index("What is contradicted, and why: 1") : text.index("What this was made from")]
    assert "toy.bad" in told
    assert "false as printed" in told
    assert "toy.mean" not in told
    assert "Of 4 claims 1 is contradicted" in text
    assert VERDICTS[Verdict.REFUTED] in text


def test_a_page_names_the_store_and_not_where_it_lay(pages: dict[str, ReadPage], folder: Path) -> None:
    assert "--store s.sqlite" in pages["claims/toy.mean.html"].text
    assert not [name for name, page in pages.items() if str(folder / "s.sqlite") in page.text]


def test_the_usual_store_needs_no_name_in_a_command() -> None:
    def name(*stores: Path) -> str:
        return named_store(Namespace(store=stores[0], stores=list(stores)))

    mine = Path("/home/somebody/mine.sqlite")
    assert name(DEFAULT_STORE) == ""
    assert name(mine) == "mine.sqlite"
    assert name(DEFAULT_STORE, mine) == f"{DEFAULT_STORE.name} and mine.sqlite"


@pytest.mark.parametrize(
    ("kind", "one"),
    [
        (Kind.IDENTITY, "identity"),
        (Kind.DEFINITION, "set of conditions"),
        (Kind.EXPLICIT_UPPER, "upper bound with constants"),
        (Kind.EVERY_ALGORITHM, "bound for every algorithm"),
        (Kind.UNSPECIFIED_ORDER, "poly or polylog order"),
    ],
)
def test_one_of_a_kind_is_named_as_one(kind: Kind, one: str) -> None:
    assert kinds(kind, 1) == one
    assert kinds(kind, 2) == KINDS[kind]


def test_a_beginning_ends_with_a_word() -> None:
    assert brief("word " * 100, 62) == "word " * 12 + "…"


def test_what_was_found_does_not_say_again_what_was_asked() -> None:
    assert (
        found_of("Read otherwise: a rate. Measured in 7 trials: rate 0.2.", "a rate")
        == "Measured in 7 trials: rate 0.2."
    )
    for words in ("It bounds a rate. No more.", "Claimed: another. Measured.", "Claimed: a rate.", "a rate. Read on."):
        assert found_of(words, "a rate") == words
    assert found_of("Claimed: . Measured.", "") == "Claimed: . Measured."


def test_hypotheses_do_not_bury_what_was_put_to_a_line() -> None:
    """They have a table of their own; controls stood behind up to 900 characters of them."""
    limits = Limits(met={"width": 36}, clauses=clauses_of(Topic.CONTROL, "control (labels by lot): fails in 5 runs"))
    row = row_of("a rate")
    row = replace(row, judgement=replace(row.judgement, explanation=replace(row.explanation, limits=limits)))
    given = Gathered(Preset.SMOKE, Placement.GRID, {})
    page = page_of(Check(row.claim, ()), [row], (), given)
    assert page.controls == (("a rate", "control (labels by lot): fails in 5 runs"),)
    assert "limits" not in dict(page.lines[0].details)  # what has a fold of its own is not told twice


def test_pictures_say_what_they_show_and_have_their_data(pages: dict[str, ReadPage]) -> None:
    page = pages["claims/toy.mean.html"]
    pictures = page.named("svg")
    assert pictures
    assert len(page.named("desc")) == len(page.named("figure")) - 1  # a drawing is told once, the first is shown twice
    assert all(tag.text.strip() for tag in (*page.named("title"), *page.named("desc")))
    hovered = [tag.text for tag in page.named("title") if "id" not in tag.attributes]
    assert sum(words.startswith("2: 0.5") for words in hovered) >= 2  # the mean and the runs at n = 2
    assert "5 points" in page.text
    for picture in pictures:
        assert picture.attributes["role"] == "img"
        assert set(picture.attributes["aria-labelledby"].split()) <= set(page.ids)


def test_the_first_screen_has_the_picture_of_the_line_that_decides(pages: dict[str, ReadPage]) -> None:
    page = pages["claims/toy.mean.html"]
    (first,) = [tag for tag in page.named("section") if "first" in tag.attributes["class"].split()]
    (figure,) = [tag for tag in page.named("figure") if tag.attributes.get("class") == "deciding"]
    assert "tight" in first.text
    assert "Claimed: " in first.text
    assert figure.text.strip().startswith("sizes (tight)")
    (unmeasured,) = [tag for tag in pages["claims/toy.later.html"].named("section") if "class" in tag.attributes]
    assert "not measured" in unmeasured.text
    assert not list(pages["claims/toy.later.html"].named("figure"))


def test_the_first_screen_says_what_it_is_that_fails() -> None:
    """Recorded words speak of "it" or "such a query", which the name of the line introduces."""

    def told(verdict: Verdict, words: str) -> str:
        said = ("toy.a", "toy", "Lemma 1", "inequality", "All of it holds.", "", "", "", None, ())
        why = (Because("", "a query of a third pattern", verdict, words),)
        page = ClaimPage(*said, verdict, "", "", why, Readings.ONE, ProofSteps())
        paper = PaperPart("toy", "Toy", (), 2026, "", (page,), "")
        seen = ReadPage()
        seen.feed(Renderer(Site((paper,), Provenance(Preset.QUICK, "store", "digest"))).claim(page))
        return next(tag.text for tag in seen.named("p") if tag.attributes.get("class") == "why")

    assert told(Verdict.REFUTED, "No weights do.") == "a query of a third pattern: No weights do."
    assert told(Verdict.HOLDS, "All do.") == "All do."
    assert told(Verdict.REFUTED, "Claimed: a query of a third pattern.") == "Claimed: a query of a third pattern."


def test_what_would_decide_says_first_that_more_trials_would_not() -> None:
    said = ("toy.a", "toy", "Figure 1", "figure", "It falls.", "", "", "", None, (), Verdict.INCONCLUSIVE, "", "", ())
    open_line = Outlook("", Verdict.INCONCLUSIVE, "theoremeter plan toy.a finds how many trials decide", "")
    tried = (("more trials", "none would do."), ("a path", "no."))
    page = ClaimPage(*said, Readings.ONE, ProofSteps(), outlook=(open_line,), tried=tried)
    site = Site((PaperPart("toy", "Toy", (), 2026, "", (page,), ""),), Provenance(Preset.QUICK, "store", "digest"))
    text = Renderer(site).claim(page)
    fold = text[text.index('id="outlook"') : text.index('id="again"')]
    assert fold.index("<b>More trials:</b> none would do.") < fold.index("theoremeter plan toy.a")
    assert "a path" not in fold.lower()


@pytest.mark.parametrize(("part", "at"), [("sizes", 0), ("sizes, larger", 1), ("a proof", 2), ("not drawn", -1)])
def test_the_picture_that_decides_is_that_of_the_deciding_part(part: str, at: int) -> None:
    """Not of a part whose name begins alike; of a proof the picture that names it; else none."""

    def piece(name: str) -> SimpleNamespace:
        return SimpleNamespace(part=SimpleNamespace(name=name), row=None)

    drawings = [Illustration(title, (), "") for title in ("sizes", "sizes, larger", "Pieces of a proof: a proof")]
    headline = SimpleNamespace(decisive=SimpleNamespace(part=part))
    assert deciding_at(headline, [piece("sizes"), piece("sizes, larger")], drawings) == at  # type: ignore[arg-type]


def test_every_fold_can_be_linked_to(pages: dict[str, ReadPage]) -> None:
    page = pages["claims/toy.mean.html"]
    folds = [tag for tag in page.named("details") if tag.attributes.get("class") == "fold"]
    inside = [tag.attributes["id"] for tag in page.named("div") if tag.attributes.get("class") == "folded"]
    links = [tag.attributes["href"].removeprefix("#") for tag in page.named("a")]
    assert len(folds) == len(inside) > 6
    assert set(inside) <= set(links)


def test_residuals_are_measured_over_claimed(pages: dict[str, ReadPage]) -> None:
    titles = [
        tag.text for tag in pages["claims/toy.mean.html"].named("p") if "panel-title" in tag.attributes.get("class", "")
    ]
    assert "Residuals: measured over claimed with its prefactor fitted" in titles


def test_a_page_says_which_paper_to_cite(pages: dict[str, ReadPage]) -> None:
    for name in ("claims/toy.mean.html", "repairs-toy.html"):
        said = {
            tag.attributes["name"]: tag.attributes["content"]
            for tag in pages[name].named("meta")
            if "name" in tag.attributes
        }
        cited = {key: words for key, words in said.items() if key.startswith("citation_")}
        assert cited == {
            "citation_title": "A toy", "citation_author": "A. <b>Author</b>", "citation_publication_date": "2026",
            "citation_public_url": "https://example.org/<x>",
        }  # fmt: skip


def test_the_graph_leads_to_every_claim_of_a_proof_and_back(pages: dict[str, ReadPage]) -> None:
    boxes = {tag.attributes["id"]: tag for tag in pages["graph.html"].named("a") if "id" in tag.attributes}
    assert {name: tag.attributes["href"] for name, tag in boxes.items()} == {
        f"g-{name}": f"claims/{name}.html" for name in ("toy.mean", "toy.bad", "toy.later")
    }
    assert boxes["g-toy.bad"].attributes["class"] == "against"
    assert "refuted" in boxes["g-toy.bad"].text
    assert [name for name, tag in boxes.items() if "…" in tag.text] == []  # no words are cut
    assert len(pages["graph.html"].named("path")) == 2
    assert "Used by the printed proofs of" in pages["claims/toy.mean.html"].text
    links = [tag.attributes["href"] for tag in pages["claims/toy.later.html"].named("a")]
    assert {"toy.mean.html", "toy.bad.html", "../graph.html#g-toy.later"} <= set(links)
    assert "Uses and used by" not in pages["claims/toy.step.html"].text


def test_records_on_a_page_replay(pages: dict[str, ReadPage]) -> None:
    links = [tag for tag in pages["claims/toy.bad.html"].named("a") if tag.attributes.get("class") == "certificate"]
    packed = [tag.attributes["href"].removeprefix("data:application/gzip;base64,") for tag in links]
    records = [json.loads(gzip.decompress(base64.b64decode(text))) for text in packed]
    assert {replay(record) for record in records} == {"proved", "refuted"}
    said = pages["claims/toy.bad.html"].text
    assert re.search(r"True instead: true form.{0,99}for\s*2≤n≤3", said, re.S)  # its formula is that of the false one


def test_the_page_says_how_to_have_it_again(pages: dict[str, ReadPage]) -> None:
    text = pages["claims/toy.mean.html"].text
    assert "run toy.mean --preset smoke --store" in text
    assert "trials" in text
    assert "What this does not say" in text
    assert "@misc" in text


def test_a_long_condition_can_be_scrolled_by_keyboard() -> None:
    """On a phone a cell scrolls alone where its formula is wider than the screen."""
    long = formula_of(sum(sp.Symbol(f"B_{number}") for number in range(20)) > 1)
    found = (HypothesisFound("long", long, met=1), HypothesisFound("short", formula_of(sp.Symbol("n") > 1), met=1))
    said = ("toy.a", "toy", "Lemma 1", "inequality", "It holds.", "", "", "", None, (), Verdict.HOLDS, "", "", ())
    page = ClaimPage(*said, Readings.ONE, ProofSteps(), hypotheses=found)
    site = Site((PaperPart("toy", "Toy", (), 2026, "", (page,), ""),), Provenance(Preset.QUICK, "store", "digest"))
    seen = ReadPage()
    seen.feed(Renderer(site).claim(page))
    cells = [tag for tag in seen.named("td") if tag.text[:1] in "Bn"]
    assert [bool(tag.attributes.get("tabindex")) for tag in cells[:2]] == [True, False]


def test_one_run_of_a_protocol_is_a_command(pages: dict[str, ReadPage], capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = [tag.text for tag in pages["claims/toy.mean.html"].named("code") if " simulate " in tag.text]
    assert main(shlex.split(shown)[1:]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "converged"


def test_a_bad_folder_is_one_line(folder: Path, pages: dict[str, ReadPage], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--paper", str(folder / "paper"), "report", "--preset", "smoke", "--store", str(folder / "s.sqlite")]
    assert main([*words, "--out", str(folder / "s.sqlite")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# ------------------------------------------------------------------------------------------------------------ formulas


@pytest.mark.parametrize("name", [HOSTILE, "x^2^2", r"\input{/etc/passwd}", "&#60;script&#62;", "}{", "α", ""])
def test_a_formula_is_inert(name: str) -> None:
    written = str(mathml(formula_of(sp.Symbol(name or "_") ** 2 + 1)))
    page = ReadPage()
    page.feed(written)
    assert page.tags[0].name == "math"
    assert not {"script", "img", "a"} & {tag.name for tag in page.tags}
    assert not any(attribute.startswith("on") for tag in page.tags for attribute in tag.attributes)


def test_a_word_is_one_word_and_a_function_stands_apart() -> None:
    assert "<mi>own</mi>" in mathml(formula_of(sp.Symbol("own")))
    assert "<mtext>P[y f* &lt;= 0]</mtext>" in mathml(formula_of(sp.Symbol("P[y f* <= 0]")))
    n = sp.Symbol("n")
    assert '<mi>n</mi><mspace width="0.17em"></mspace><mi>log</mi>' in mathml(formula_of(n * sp.log(n)))
    assert '<mo lspace="0" rspace="0">polylog</mo>' in mathml(formula_of(sp.Symbol("polylog(d)")))


def test_brackets_grow_around_fractions_alone() -> None:
    n = sp.Symbol("n")
    assert 'stretchy="true"' not in mathml(formula_of(sp.log(n + 1)))
    power = mathml(
        formula_of((n + 1) ** n)
    )  # what a browser takes from the place of a bracket, or a row of one, is not said
    assert '<mo stretchy="false">(</mo>' in power
    assert "<mi>n</mi></msup>" in power
    assert 'fence="true" form="prefix">|</mo>' in mathml(formula_of(sp.Abs(sp.Symbol("x", real=True))))
    assert 'stretchy="true"' in mathml(formula_of(sp.log(n + 1 / n)))


def test_signs_say_what_they_are() -> None:
    written = mathml(formula_of(sp.Symbol("|S|-|S_1|")))
    assert [part.partition('"')[0] for part in written.split('form="')[1:] if "|</mo>" in part] == [
        "prefix", "postfix", "prefix", "postfix",
    ]  # fmt: skip
    assert 'form="prefix">−</mo>' in mathml(formula_of((1 - sp.Symbol("x")) * sp.exp(-sp.Symbol("y"))))
    assert "<mi>∞</mi>" in mathml(formula_of(sp.oo))
    assert 'rspace="0"' not in mathml(formula_of(sp.Mod(sp.Symbol("x"), 3)))
    assert '<mi mathvariant="normal">Θ</mi>' in mathml(formula_of(sp.Symbol("Theta(1)")))


def test_what_cannot_be_typeset_stands_as_text() -> None:
    assert mathml(Formula("1 < 2")) == '<code class="formula">1 &lt; 2</code>'
    assert "<code" in mathml(Formula("broken", r"x^2^2"))
    letters = sp.symbols(f"a:{MOST_CHARACTERS // 8}")
    assert formula_of(sp.Add(*letters)).latex == ""
    assert formula_of(sp.Add(*letters[:9])).latex


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("alpha_*/4", "<i>α</i><sub>*</sub>/4"),
        ("Theta(1) >= eta^-0.5", "Θ(1) ≥ <i>η</i><sup>−0.5</sup>"),
        ("e^{-(delta+tau)}", "<i>e</i><sup>−(<i>δ</i>+<i>τ</i>)</sup>"),
        ("||q_1(T)||^2", "‖<i>q</i><sub>1</sub>(<i>T</i>)‖<sup>2</sup>"),
        ("a claim, I say, of Fig. 1(b) in 3 s", "a claim, I say, of Fig. 1(b) in 3 s"),
        ("the paper's W_O^T", "the paper&#39;s <i>W</i><sub><i>O</i></sub><sup><i>T</i></sup>"),
        ("'for all t', they say", "&#39;for all <i>t</i>&#39;, they say"),
        ("not at n_patterns=5", "not at n_patterns=5"),
        ("A.mass_limit --preset quick", "A.mass_limit --preset quick"),
        ("1 - d^-omega(1)", "1 − <i>d</i><sup>−<i>ω</i>(1)</sup>"),
        (
            "sqrt(2)*log(n)**(1/4), sum_j <w_j, x>",
            "√(2)·log(<i>n</i>)<sup>1/4</sup>, ∑<sub><i>j</i></sub> &lt;<i>w</i><sub><i>j</i></sub>, <i>x</i>&gt;",
        ),
        ("|x-(c'*(1-y))|, (65)-(69)", "|<i>x</i>−(<i>c</i>′·(1−<i>y</i>))|, (65)-(69)"),
        ("c''*(x+y)", "<i>c</i>′′·(<i>x</i>+<i>y</i>)"),
        ("of order 1/(a sqrt B)", "of order 1/(a √<i>B</i>)"),
        ("c_sigma-x-y", "<i>c</i><sub><i>σ</i></sub>−<i>x</i>−<i>y</i>"),
        ("`plan A.x <b>`", "<code>plan A.x &lt;b&gt;</code>"),
        (
            "run B.fig6, appendix G.2 and appendix B, n of B.",
            "run B.fig6, appendix G.2 and appendix B, <i>n</i> of <i>B</i>.",
        ),
        ("-1 for -2, - x", "−1 for −2, − <i>x</i>"),
    ],
)
def test_sentences_are_typeset(text: str, html: str) -> None:
    assert prose(text) == html


def test_long_words_are_cut_at_a_clause() -> None:
    text = f"{'a' * 200}; {'b' * 200}"
    assert brief(text) == f"{'a' * 200} …"
    assert brief("short") == "short"


# --------------------------------------------------------------------------------------------------------------- words


def test_every_verdict_and_kind_has_words() -> None:
    assert set(VERDICTS) == set(Verdict)
    assert set(KINDS) == set(KIND_WORDS) == set(Kind)
    assert {group_of(verdict) for verdict in Verdict} == set(GROUPS)


def test_files_of_claims_have_names_of_their_own() -> None:
    names = unique_names(["A.x", "a.x", "A/x", "A-x"])
    assert len({name.lower() for name in names.values()}) == 4


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "//x.org", "https://", "http://[", "", "ftp://x"]
)
def test_only_addresses_of_the_web_are_links(address: str) -> None:
    assert web_address(address) == ""


def test_bibtex_leaves_out_what_is_not_known() -> None:
    assert entry("misc", "x", {"title": "{T}", "year": ""}) == "@misc{x,\n  title = {{T}},\n}"


def test_a_text_is_no_formula_and_is_never_run(tmp_path: Path) -> None:
    target = tmp_path / "ran"
    assert formula_of(f"open({str(target)!r}, 'w')").latex == ""
    assert not target.exists()


def test_the_front_page_says_how_often_words_may_err(pages: dict[str, ReadPage]) -> None:
    text = " ".join(pages["index.html"].text.split())
    assert "With a probability of at least 95 % measurements contradict no true statement" in text
    assert "errs in at most 5 % each" in text


def test_published_trials_are_shown_again_from_the_paper() -> None:
    claim = claim_of(Kind.UPPER)
    given = Gathered(Preset.QUICK, Placement.GRID, {}, store="published-quick.sqlite", is_published=True)
    measured, shown = _commands(claim, given)
    assert measured == f"theoremeter run {claim.id} --preset quick"
    assert shown == f"theoremeter table {claim.id} --preset quick --published --parts --points --reasons"
    assert "--store" in _commands(claim, replace(given, is_published=False))[1]


def test_a_headline_that_is_another_at_the_other_published_preset_stands_beside() -> None:
    """A referee asks whether larger sizes would say the same."""
    given = Gathered(Preset.QUICK, Placement.GRID, {}, elsewhere={"toy.a": "full: loose"})
    assert given.other_headline("toy.a", Verdict.HOLDS) == "full: loose"
    assert given.other_headline("toy.a", Verdict.LOOSE) == ""
    assert given.other_headline("toy.b", Verdict.HOLDS) == ""

    said = ("toy.a", "toy", "Lemma 1", "inequality", "All of it holds.", "", "", "", None, ())
    page = ClaimPage(*said, Verdict.HOLDS, "", "", (), Readings.ONE, ProofSteps(), elsewhere="full: loose")
    site = Site((PaperPart("toy", "Toy", (), 2026, "", (page,), ""),), Provenance(Preset.QUICK, "store", "digest"))
    for html in (Renderer(site).claim(page), Renderer(site).front()):
        seen = ReadPage()
        seen.feed(html)
        assert "at preset full: loose" in seen.text


def test_the_front_page_says_what_the_counts_rest_on() -> None:
    """Agreement by algebra, beside a system that fails, or loose; contradiction with a repair or without."""

    def page(verdict: Verdict, *protocols: ProtocolOf) -> ClaimPage:
        said = ("toy.a", "toy", "", "upper", "", "", "", "", None, (), verdict, "", "", (), Readings.ONE, ProofSteps())
        return ClaimPage(*said, protocols=protocols)

    run = ProtocolOf("a rate", Role.STATEMENT, "", "", (), "", control="the untrained network")
    alone, reading = replace(run, control=""), replace(run, role=Role.READING)
    site = SimpleNamespace(claims=[
        page(Verdict.PROVED), page(Verdict.HOLDS, run), page(Verdict.TIGHT, alone, reading), page(Verdict.LOOSE, alone),
        page(Verdict.REFUTED), page(Verdict.FALSE_AS_PRINTED, run), page(Verdict.INCONCLUSIVE, run),
    ])  # fmt: skip
    assert grounds(site) == [
        "of the 4 in agreement, 1 by computer algebra alone, 1 against adversaries, all of which fail the criterion, "
        "1 with room to spare (loose), some of which may be among those",
        "of the 2 contradicted, 1 false as printed, beside a repair that stands so far",
    ]
    assert grounds(SimpleNamespace(claims=[page(Verdict.INCONCLUSIVE)])) == []


def test_headlines_of_a_site_are_held_against_an_archive(folder: Path, pages: dict[str, ReadPage]) -> None:
    site = folder / "many"
    wanted = {
        claim: {name: cells.get(column, "") for column, name in site_figures.COLUMNS.items()}
        for claim, cells in site_figures.front(site).items()
    }
    assert set(wanted) == set(CLAIMS)
    assert list(site_figures.differences(site, wanted)) == []
    wanted["toy.mean"]["figures"] += "0"
    wanted["toy.step"]["proof"] = wanted["toy.step"]["readings"] = "differ"
    assert [line.split()[1] for line in site_figures.differences(site, wanted)] == ["measured", "its", "readings"]
    del wanted["toy.bad"]
    assert "toy.bad: only on one side" in site_figures.differences(site, wanted)


def test_an_archive_has_a_word_for_every_claim() -> None:
    found = site_figures.archived([Path("checks/spatial_vit/published/quick.zip")])
    words = {verdict.value.replace(" ", "") for verdict in Verdict}
    assert {cells["verdict"] for cells in found.values()} <= words
    assert any("Δ" in cells["figures"] for cells in found.values())


def test_counts_on_the_front_page_add_up() -> None:
    """One name has one count, and what is counted across the groups says from which it is taken."""

    def page(verdict: Verdict, *, is_put_to: bool = False, lacks: str = "", met: str = "") -> ClaimPage:
        run = ProtocolOf("a rate", Role.STATEMENT, "", "", (), "", control="one step" if is_put_to else "")
        form = ShownForm("It falls.")
        repair = ShownRepair("statement", "a line", (), form, "proved", "By algebra.")
        mending = ShownMending("toy.a", "", "", verdict, () if lacks else (repair,), lacks=lacks)
        said = ("toy.a", "toy", "", "upper", "", "", "", "", None, (), verdict, "", "", (), Readings.ONE, ProofSteps())
        own = mending if group_of(verdict) != "for" else None
        return ClaimPage(*said, protocols=(run,), mending=own, also_met=(met,) if met else ())

    site = SimpleNamespace(claims=[
        page(Verdict.REFUTED, lacks="not searched"), page(Verdict.FALSE_AS_PRINTED), page(Verdict.FALSE_AS_PRINTED),
        page(Verdict.HOLDS, is_put_to=True), page(Verdict.LOOSE, is_put_to=True), page(Verdict.TIGHT),
        page(Verdict.LOOSE, is_put_to=True, met="frozen attention (loose)"),
    ])  # fmt: skip
    made = made_up_of(site)
    assert [(name, count) for name, count, _ in made] == totals(site) == [("against", 3), ("for", 4)]
    assert all(count == sum(part for _, part in own) for _, count, own in made)
    assert dict(made[0][2]) == {Verdict.REFUTED: 1, Verdict.FALSE_AS_PRINTED: 2}
    assert cut_across(site) == [
        "Of the 4 in agreement 2 (1 that hold, 1 that are loose) were put to adversaries, all of which fail their "
        "criterion; toy.a, which is not one of these, is met by frozen attention (loose).",
        "3 are contradicted and 2 are loose: beside 2 of these 5 stands what is true instead. 2 need none as read "
        "here.",
    ]
    assert "2 against adversaries" in grounds(site)[0]


def test_what_has_a_repair_is_counted_from_the_groups_of_the_front_page() -> None:
    """A reader found "28 of 34" beside groups of 7, 15, 8 and 5, which are 35."""

    def page(verdict: Verdict, *, is_mended: bool = False) -> ClaimPage:
        said = ("toy.a", "toy", "", "upper", "", "", "", "", None, (), verdict, "", "", (), Readings.ONE, ProofSteps())
        form = ShownRepair("statement", "a line", (), ShownForm("It falls."), "proved", "By algebra.")
        own = ShownMending("toy.a", "", "", verdict, (form,) if is_mended else ())
        return ClaimPage(*said, mending=own)

    pages = (
        page(Verdict.REFUTED, is_mended=True), page(Verdict.LOOSE, is_mended=True), page(Verdict.READING_DEPENDENT),
    )  # fmt: skip
    (found,) = cut_across(SimpleNamespace(claims=[*pages, page(Verdict.HOLDS)]))
    assert found == (
        "1 is contradicted, 1 depends on the reading and 1 is loose: beside 2 of these 3 stands what is true instead. "
        "1 needs none as read here."
    )


@pytest.mark.parametrize("name", ["toy.mean", "toy.step", "toy.bad", "toy.later"])
def test_every_link_inside_the_site_has_its_target(pages: dict[str, ReadPage], name: str) -> None:
    """15 pages led to places of the graph that were not there: no proof uses what they are about."""
    inside = {"index.html": pages["index.html"], f"claims/{name}.html": pages[f"claims/{name}.html"]}
    for at, page in inside.items():
        for tag in page.named("a"):
            path, _, place = tag.attributes.get("href", "").partition("#")
            if path.startswith(("http", "data:")) or not (path or place):
                continue
            there = posixpath.normpath(posixpath.join(posixpath.dirname(at), path)) if path else at
            assert not place or there not in pages or place in pages[there].ids, (at, tag.attributes["href"])


def test_a_claim_that_stands_in_no_graph_leads_to_the_graph_as_a_whole() -> None:
    said = ("toy.a", "toy", "Figure 7", "figure", "", "", "", "", None, (), Verdict.HOLDS, "", "", (), Readings.ONE)
    alone = ClaimPage(*said, ProofSteps())
    joined = [replace(alone, id="toy.b", uses=("toy.c",)), replace(alone, id="toy.c")]
    renderer = Renderer(site_with(alone, *joined))
    assert renderer.graph_link("toy.a", above=True) == "../graph.html"
    assert renderer.graph_link("toy.b", above=True) == "../graph.html#g-toy.b"


def test_the_front_page_says_where_the_program_is_and_what_repeats(pages: dict[str, ReadPage]) -> None:
    text = " ".join(pages["index.html"].text.split())
    assert 'no public address of it is on record; pip install "PATH[report]" installs it' in text
    assert "The seed of every trial derives from its simulator, its parameters and its replicate" in text


def test_the_front_page_says_what_a_certificate_covers(pages: dict[str, ReadPage]) -> None:
    """A second program was said to have checked again all that is proved: it did not, of limits and derivations."""
    text = " ".join(pages["index.html"].text.split())
    assert "What was proved or refuted was checked again" not in text
    assert "A certificate covers the formulas of its line" in text
    assert "by hand" in VERDICTS[Verdict.INCONSISTENT]


@pytest.mark.parametrize("n_undetermined", [0, 3])
def test_no_page_says_that_points_meet_hypotheses_which_nobody_can_look_up(n_undetermined: int) -> None:
    found = HypothesisFound("width", Formula("m > c"), met=2, undetermined=n_undetermined)
    said = ("toy.a", "toy", "Lemma 1", "upper", "It falls.", "", "", "", None, (), Verdict.HOLDS, "", "", ())
    line = ShownLine("a rate", Role.STATEMENT, Verdict.HOLDS, "It does.")
    page = ClaimPage(*said, Readings.ONE, ProofSteps(), lines=(line,), hypotheses=(found,))
    text = Renderer(site_with(page)).claim(page)
    assert "that meet its hypotheses" not in text
    assert "at points that fail none of its hypotheses" in text
    assert ("whether they meet all of them is undetermined" in text) == bool(n_undetermined)
    for words in (*ROLES.values(), HEADLINE_WORDS):
        assert "meet its hypotheses" not in words


def test_a_table_that_several_pictures_show_stands_once() -> None:
    """A site had 141 kB of tables for the second time."""
    table = DataTable("a rate", ("x", "y"), (("1", "2"),))
    drawings = tuple(Illustration(title, (), "It falls.", (table,)) for title in ("a rate", "other levels"))
    said = ("toy.a", "toy", "Lemma 1", "upper", "It falls.", "", "", "", None, (), Verdict.HOLDS, "", "", ())
    line = ShownLine("a rate", Role.STATEMENT, Verdict.HOLDS, "It does.", points=table)
    with_panel = (replace(drawings[0], panels=(PanelPicture("", "<svg></svg>"),)), drawings[1])
    page = ClaimPage(*said, Readings.ONE, ProofSteps(), lines=(line,), drawings=with_panel)
    text = Renderer(site_with(page)).claim(page)
    assert text.count('<table class="data">') == 1
    assert text.count('href="#data-1-1"') == 2
    assert text.count('id="data-1-1"') == 1


def site_with(*pages: ClaimPage) -> Site:
    paper = PaperPart("toy", "Toy", (), 2026, "", pages, "")
    return Site((paper,), Provenance(Preset.QUICK, "store", "digest"))


def test_no_command_asks_how_many_trials_where_none_would_do() -> None:
    """A reader of A.fig1a had both on one fold."""
    claim = claim_of(Kind.BEHAVIOUR)
    tried = (Tried(Way.MORE_TRIALS, "none would do at these sizes."),)
    for outcome, is_named in ((tried, False), ((), True)):
        check = SimpleNamespace(claim=replace(claim, tried=outcome), parts=("a rate",))
        row = replace(row_of("a rate"), claim=check.claim)
        row = replace(row, judgement=replace(row.judgement, verdict=Verdict.INCONCLUSIVE))
        (found,) = outlook_of(check, [row], (), Preset.QUICK, {})  # type: ignore[arg-type]
        assert ("theoremeter plan" in found.words) == is_named
        assert found.words


def test_what_would_decide_has_one_answer_and_one_cost() -> None:
    """A reader found two: 29 min and 2.7 h for the same 918 trials, and trials that decide where larger sizes would."""
    check = SimpleNamespace(claim=claim_of(Kind.UPPER), parts=("a rate",))
    explanation = Explanation(next=NextStep(Plan(7, 918), "trials"))
    row = replace(row_of("a rate"), claim=check.claim, judgement=Judgement(Verdict.INCONCLUSIVE, explanation))
    row = replace(row, protocol=replace(row.protocol, n_trials=10, seconds=20.0))
    (found,) = outlook_of(check, [row], (), Preset.FULL, {})  # type: ignore[arg-type]
    assert next_text(row.explanation.next) in f"{found.words[0].lower()}{found.words[1:]}"
    assert found.cost == ""
    larger = NextStep(clauses=(Clause(Topic.ROUTE, "larger sizes would decide"),))
    row = replace(row, judgement=Judgement(Verdict.INCONCLUSIVE, Explanation(next=larger)))
    (found,) = outlook_of(check, [row], (), Preset.FULL, {})  # type: ignore[arg-type]
    assert (found.words, found.cost) == ("Larger sizes would decide.", "")


def test_a_protocol_says_what_differs_from_the_first_of_its_simulator() -> None:
    """And a parameter that the first one has and another lacks is not taken for equal."""

    def protocol(part: str, **settings: str) -> ProtocolOf:
        return ProtocolOf(part, Role.STATEMENT, "scaling", "engine", tuple(settings.items()), "1 trial")

    first = protocol("first", size="8", noise="0")
    same = _without_known(protocol("same", size="16", noise="0"), [first])
    assert (same.alike, same.settings) == ("first", (("size", "16"),))
    assert _without_known(protocol("less", size="8"), [first]).alike == ""
    assert _without_known(protocol("none", size="9", noise="1"), [first]).alike == ""


def test_trials_of_a_claim_are_counted_once_however_many_lines_use_them(pages: dict[str, ReadPage]) -> None:
    text = " ".join(pages["claims/toy.mean.html"].text.split())
    told = re.search(r"All of its lines together rest on (\d+) trials", text)
    assert told is not None
    by_part = [int(count) for count in re.findall(r"(\d+) trials: \d+ setting", text)]
    assert max(by_part) <= int(told[1]) <= sum(by_part)


def test_points_that_stand_below_a_picture_are_not_printed_again(pages: dict[str, ReadPage]) -> None:
    page = pages["claims/toy.mean.html"]
    tables = [tag.text for tag in page.named("table") if tag.attributes.get("class") == "data"]
    assert len(set(tables)) == len(tables) > 0
    leads = [tag.attributes["href"][1:] for tag in page.named("a") if tag.text.startswith("Claim against measurement")]
    assert leads
    assert set(leads) <= set(page.ids)


def test_names_inside_a_picture_are_short_where_a_page_has_one_claim_and_no_two_are_the_same(
    pages: dict[str, ReadPage], single: ReadPage
) -> None:
    page = pages["claims/toy.mean.html"]
    assert not [name for name in page.ids if re.fullmatch(r"c\d+[A-Z].*", name)]
    assert [name for name in single.ids if re.fullmatch(r"c\d+[A-Z].*", name)]
    assert len(set(page.ids)) == len(page.ids)


def test_bibtex_of_the_program_has_the_address_that_its_package_names() -> None:
    assert "url = {https://example.org/x}" in bibtex_of_program("1", "https://example.org/x}")
    assert "url" not in bibtex_of_program("1")


def test_a_letter_that_statements_spell_short_is_explained() -> None:
    (found,) = letters_said(["at least eps_S of them"], {"epsilon_S": "A share.", "epsilon": "A number."})
    assert found[1] == "A share."


@pytest.mark.parametrize("relation", [sp.Eq(0, 0, evaluate=False), sp.Le(1, 1, evaluate=False)])
def test_a_relation_that_says_one_number_of_itself_is_not_shown(relation: sp.Basic) -> None:
    """Blocks of formulas read "0 = 0", "1 <= 1" and "1/100 <= 1/100"."""
    x = sp.Symbol("x")
    told = Conditions("points", (relation, sp.Le(x, 1)), {x: (0, 1)})
    assert [formula.text for formula in relations_of(told)] == ["x <= 1"]


def test_what_was_tried_in_vain_is_not_offered_as_what_would_decide() -> None:
    """Points over a factor 4 were said to decide on an axis that the hypotheses end at a factor 2."""
    claim = replace(claim_of(Kind.BEHAVIOUR), tried=(Tried(Way.MORE_TRIALS, "none would do at these sizes."),))
    step = NextStep(clauses=(Clause(Topic.ROUTE, "points over a factor 4 would decide"),))
    judgement = Judgement(Verdict.INCONCLUSIVE, Explanation(next=step))
    row = replace(row_of("a rate"), claim=claim, judgement=judgement)
    (found,) = outlook_of(SimpleNamespace(claim=claim, parts=("a rate",)), [row], (), Preset.FULL, {})  # type: ignore[arg-type]
    assert "factor 4" not in found.words


def test_a_page_of_an_open_claim_does_not_say_that_its_data_agree_with_both() -> None:
    (said, *_) = site_words._by_verdict(SimpleNamespace(verdict=Verdict.INCONCLUSIVE, proof_steps=ProofSteps()))
    assert "agree with the claim and with its opposite" not in said
    (said, *_) = site_words._by_verdict(
        SimpleNamespace(verdict=Verdict.NOT_MEASURED_YET, proof_steps=ProofSteps()), stands_in=True
    )
    assert "Nothing was measured" not in said


def test_an_interval_that_decides_is_named_by_its_own_level() -> None:
    """The table of facts said 90 % of an interval that the decision above it calls 95 %."""
    row = row_of("a rate")
    effect = replace(row.judgement.effect, confidence=0.975)
    told = replace(row, judgement=replace(row.judgement, effect=effect))
    assert gathering._level_of_equivalence(told) == pytest.approx(0.95)
    untold = replace(row, judgement=replace(row.judgement, effect=replace(effect, confidence=None)))
    assert gathering._level_of_equivalence(untold) == row.policy.equivalence_confidence
