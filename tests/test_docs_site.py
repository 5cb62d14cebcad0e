"""The documentation as a site: every page is in its index, every public name on the page of names, both once."""

from __future__ import annotations

import functools
import re
import runpy
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import theoremeter
from checks.catalogue import discover
from checks.records.errata import of_paper
from checks.report.site.prose import prose
from tests.pages import DOCS
from theoremeter_papers import repository, unnamed

RESULTS = ("shallow_vit", "spatial_vit")
"""Pages of results: one a paper, written by `theoremeter report`."""
MOST_LINES_OF_RESULTS, MOST_LINES, MOST_PAGES = 200, 4500, 20


@functools.cache
def generated() -> dict[str, str]:
    """The pages that are written when the site is made, by their name."""
    return runpy.run_path(str(DOCS / "conf.py"))["generated"]()


def test_formulas_in_sentences_of_the_documentation_are_typeset() -> None:
    spelled = runpy.run_path(str(DOCS / "conf.py"))["spelled"]
    shown = str(prose(spelled("T grows like 1/(η α_*^(-3/4)), up to e^-δ; γ >= ρ, and a")))
    assert "1/(<i>η</i> <i>α</i><sub>*</sub><sup>−3/4</sup>)" in shown
    assert "<i>e</i><sup>−<i>δ</i></sup>" in shown
    assert shown.endswith("<i>γ</i> ≥ <i>ρ</i>, and a")


def lines_of(page: Path) -> int:
    return len(page.read_text(encoding="utf-8").splitlines())


def test_every_page_is_in_the_index_once() -> None:
    trees = re.findall(
        r"```\{toctree\}\n(?::\w+:[^\n]*\n)*\n(.*?)```", (DOCS / "index.md").read_text(encoding="utf-8"), flags=re.S
    )
    listed = [page for tree in trees for page in tree.split()]
    written = [page.stem for page in DOCS.glob("*.md") if page.stem != "index"]
    assert sorted(listed) == sorted([*written, *(f"generated/{name}" for name in generated())])


def test_every_public_name_is_on_its_page_once() -> None:
    shown = re.findall(r"^\.\. auto(?:class|function):: theoremeter\.(\w+)$", generated()["api"], flags=re.M)
    assert sorted(shown) == sorted({*theoremeter.__all__, "open"})
    assert generated()["api"].count("```{eval-rst}\n.. ") == generated()["api"].count("\n## ")  # no heading is empty


def test_the_page_of_signatures_is_that_of_the_sources() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    assert page == runpy.run_path(str(DOCS / "conf.py"))["signatures"](), "python docs/conf.py > docs/api.md"
    assert sorted(re.findall(r"^- `(\w+)", page, flags=re.M)) == sorted({*theoremeter.__all__, "open"})
    assert "0x" not in page  # no address of an object


def test_every_page_opens_with_what_its_reader_can_do_afterwards() -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in DOCS.glob("*.md") if page.stem != "index"}
    for name, text in {**pages, **generated()}.items():
        assert "fter this page you" in text[:600], name


def test_pages_that_are_written_have_every_claim_and_every_paper_with_errata() -> None:
    papers = unnamed(repository())
    assert re.findall(r"^## (.+)$", generated()["verdicts"], flags=re.M) == list(discover(papers))
    assert len(re.findall(r"^## ", generated()["errata"], flags=re.M)) == sum(bool(of_paper(paper)) for paper in papers)


def test_what_the_pages_on_rules_cite_is_listed_once() -> None:
    method, listed = (DOCS / "statistics.md").read_text(encoding="utf-8").split("## References")
    pages = method + (DOCS / "assumptions.md").read_text(encoding="utf-8")
    brackets = re.findall(r"\[([^\]]*?\s\d{4}[^\]]*)\](?!\()", pages)
    works = [work for words in brackets for work in re.split(r"(?:; |(?<=\d{4}), )", " ".join(words.split()))]
    cited = {work.split(": ")[-1] for work in works}
    names = re.findall(r"^- (.+? \d{4})\.", listed, flags=re.M)
    assert sorted(names) == sorted(cited)


@pytest.mark.parametrize("name", RESULTS)
def test_a_page_of_results_is_short(name: str) -> None:
    assert lines_of(DOCS / f"{name}.md") <= MOST_LINES_OF_RESULTS


def test_what_is_written_by_hand_is_short() -> None:
    pages = [page for page in DOCS.glob("*.md") if page.stem not in (*RESULTS, "api")]
    assert len([page for page in pages if page.stem != "index"]) <= MOST_PAGES
    assert sum(map(lines_of, pages)) <= MOST_LINES


def test_no_star_of_a_letter_is_taken_for_emphasis() -> None:
    """`α_*^-2 where α_*^-3` would print "α_^-2 where α_^-3" in italics."""
    assert eaten("as x_*^-1 where y_*^-2 is claimed") == ["^-1 where y_"]
    assert eaten("as x\\_\\*^-1 where *y* is") == []
    for page in (*DOCS.glob("*.md"), DOCS.parent / "README.md"):
        assert eaten(page.read_text(encoding="utf-8")) == [], page.name


def eaten(text: str) -> list[str]:
    """What stands in italics though its star belongs to a letter: it begins or ends with a sign of a formula."""
    found = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        inline = token.children or []
        for one, word, end in zip(inline, inline[1:], inline[2:], strict=False):
            between = one.type == "em_open" and end.type == "em_close"
            found += [word.content] if between and (word.content[:1] in "^.,;)/" or word.content[-1:] == "_") else []
    return found


def test_a_formula_is_typeset_without_a_script() -> None:
    formula = runpy.run_path(str(DOCS / "conf.py"))["formula"]
    assert "<msubsup><mi>α</mi>" in formula(r"\alpha_*^{-2}", block=False)
    with pytest.raises(RuntimeError, match="latex2mathml knows"):
        formula(r"\left(", block=True)


def test_every_claimed_formula_is_on_the_page_of_readings() -> None:
    page = generated()["verdicts"]
    for name, check in discover(unnamed(repository())).items():
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert ("```{math}" in section) == (check.claim.value is not None), name
