"""The page of errata: up to date, entries that nobody can break out of, and what a selection leaves of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from checks.cli import main
from checks.records.errata import Erratum, Needed, of_paper
from checks.report.errata_page import _COLUMNS, render
from checks.report.escape import markdown
from tests.checks.report.screens import SCREENS, require_readable
from tests.papers import write_paper
from theoremeter_papers import Origin, Paper, papers


def rows(page: str) -> list[str]:
    """The entries of a page: what stands at an item, up to the next one or the next paper."""
    return [entry.partition("\n## ")[0] for entry in page.split("\n- **")[1:] if "\n  as printed: " in entry]


def test_the_page_of_all_papers_has_a_row_for_each_erratum_in_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errata", "--format", "markdown"]) == 0
    found = [erratum for paper in papers() if paper.origin is Origin.REPOSITORY for erratum in of_paper(paper)]
    shown = rows(capsys.readouterr().out)
    assert len(shown) == len(found) > 20
    for entry, erratum in zip(shown, found, strict=True):
        for words in (erratum.place, erratum.printed, erratum.correct):
            assert markdown(words) in entry
        assert [line.partition(": ")[0].strip() for line in entry.splitlines()[2:6]] == list(_COLUMNS[1:])


def test_a_selection_leaves_what_concerns_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errata", "A.lucky_monotone", "--format", "markdown"]) == 0
    found = rows(capsys.readouterr().out)
    assert found
    assert all("A.lucky_monotone" in line for line in found)
    assert main(["errata", "A.fig2", "--format", "markdown"]) == 0
    assert not rows(capsys.readouterr().out)
    assert main(["errata", "A.fig2"]) == 0
    assert capsys.readouterr().out.startswith("No erratum is recorded for these claims.\n")


def test_what_a_claims_equations_rest_on_is_among_its_errata(capsys: pytest.CaptureFixture[str]) -> None:
    """(10) of A.samples loses a logarithm at (66) to (69); what another equation needs is not its own."""
    assert main(["errata", "A.samples"]) == 0
    shown = capsys.readouterr().out
    assert "(66) to (69)" in shown
    assert "(58) to (60)" not in shown


@pytest.mark.parametrize("width", SCREENS)
def test_every_erratum_is_text_on_a_screen_its_place_first(width: int) -> None:
    errata = {paper: of_paper(paper) for paper in papers()}
    names = {paper.key: paper.key for paper in errata}
    page = render(errata, names, fmt="terminal", width=width)
    require_readable(page, render(errata, names, fmt="terminal"), width)
    for erratum in (erratum for found in errata.values() for erratum in found):
        assert " ".join(erratum.place.split()) in " ".join(page.split())
    assert page.index("Needed by a theorem") < page.index("What the words mean")


def test_text_of_a_paper_stays_in_its_entry() -> None:
    paper = Paper("toy", Path("toy"), Origin.NAMED, title="A | toy")
    erratum = Erratum("a | b", "<script>", "[x](http://y)", Needed.OPEN, "`c`", (("toy.mean", ""),), "d")
    page = render({paper: [erratum]}, {"toy": "toy2020"})
    (entry,) = rows(page)
    assert len(entry.strip().splitlines()) == 2 + len(_COLUMNS[1:])
    assert "<script>" not in page
    assert "](http" not in page
    assert [token.tag for token in MarkdownIt("commonmark").parse(entry) if token.type == "html_block"] == []
    assert "0 yes, 1 open, 0 no" in page


def test_a_row_that_does_not_exist_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_paper(tmp_path / "mine")
    text = '[[erratum]]\nplace = "p"\nprinted = "a"\ncorrect = "b"\nneeded = "no"\nwhy = "w"\nrows = ["toy.step: {}"]\n'
    (folder / "errata.toml").write_text(text.format("square"))
    assert main(["--paper", str(folder), "errata"]) == 0
    assert "toy.step, 'square'" in capsys.readouterr().out
    (folder / "errata.toml").write_text(text.format("squares"))
    assert main(["--paper", str(folder), "errata"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("errata.toml: part must be one of toy.step, got 'squares'; nearest is square")
    assert main(["--paper", str(folder), "check-paper", str(folder)]) == 2
    assert "errata.toml: part must be one of toy.step" in capsys.readouterr().out
