"""A paper's page of results: what the command writes from a store, what docs/ has, and no markup by a text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from checks.catalogue import discover
from checks.cli import main
from checks.evidence.check import Check, claim_headline, evaluate
from checks.records.findings import Finding, of_paper
from checks.records.preset import Placement, Preset
from checks.report.escape import markdown, plain
from checks.report.findings_page import Judged, page_names, render
from checks.report.site.gathering import Gathered
from checks.report.site.model import Provenance
from checks.report.writing.figures import headline_figures
from checks.statistics.verdict import Verdict
from sim.store.store import Store
from tests.checks.report.test_escape import HOSTILE, assert_inert, claim_of, row_of
from tests.papers import write_paper
from theoremeter_papers import Origin, Paper, named
from theory.claim import Role

DOCS = Path(__file__).parents[3] / "docs"
FINDINGS = (
    '[[finding]]\nid = "toy.mean"\npart = "sizes"\nverdict = "{}"\nreason = "Made up."\ncommand = "theoremeter table"\n'
)


def claims_of(page: str) -> list[tuple[str, str, str, str, str]]:
    """Claim, headline, figures, scope and reason of each line of the table of claims."""
    lines = re.split(r"^## Claims$", page, flags=re.M)[1].strip().splitlines()[2:]
    return [tuple(re.split(r" (?<!\\)\| ?", line.removeprefix("| "))[:5]) for line in lines]


# ---------------------------------------------------------------------------------------------------------- the command


def written(folder: Path, verdict: str) -> tuple[str, Path, Path]:
    """The page that the command writes of a toy paper, with its store and its folder."""
    paper, store = write_paper(folder / "toy"), folder / "s.sqlite"
    (paper / "findings.toml").write_text(FINDINGS.format(verdict), encoding="utf-8")
    words, options = ["--paper", str(paper)], ["--preset", "smoke", "--store", str(store)]
    assert main([*words, "run", *options, "--executor", "serial"]) == 0
    assert main([*words, "report", *options, "--format", "markdown", "--out", str(folder / "out")]) == 0
    return (folder / "out" / "toy.md").read_text(encoding="utf-8"), store, paper


def test_a_page_is_what_the_store_gives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, path, folder = written(tmp_path, "violated")
    assert capsys.readouterr().out.splitlines()[-1] == str(tmp_path / "out" / "toy.md")
    made = re.search(r"^Made by `(.*)`\.$", page, re.M)
    assert made is not None
    with named([folder]) as (paper,), Store(path, read_only=True) as store:
        checks = list(discover([paper]).values())
        specs = [spec for check in checks for spec in check.specs(Preset.SMOKE)]
        trials = store.get(specs, failed=True)
        table = evaluate(checks, Preset.SMOKE, trials)
        given = Gathered(Preset.SMOKE, Placement.GRID, trials, findings=of_paper(paper))
        again = render(Judged(paper, checks, table), given, Provenance(Preset.SMOKE, "", ""), command=made[1])
    assert page.partition("## What came out")[2] == again.partition("## What came out")[2]
    figures = markdown(headline_figures(claim_headline(table["toy.mean"])).text)
    ((claim, verdict, measured, _, why), _) = claims_of(page)
    assert (claim, verdict, measured) == ("toy.mean", "tight", figures)
    assert why.startswith("sizes: Claimed: ")
    assert main(["--paper", str(folder), "store", "digest", "--store", str(path)]) == 0
    assert f"| store | {capsys.readouterr().out.strip()} |" in page
    assert "| preset | smoke |" in page
    assert re.search(r"^\| versions \| theoremeter .*numpy .* \|$", page, re.M)
    typed = f"--paper {folder} report toy --preset smoke --store {path} --format markdown --out {tmp_path / 'out'}"
    assert made[1] == f"theoremeter {typed}"
    assert "Made up." not in page  # on record is another verdict than came out


def test_words_on_record_are_the_reason_where_the_line_came_out_so(tmp_path: Path) -> None:
    page, _, _ = written(tmp_path, "tight")
    ((_, _, _, _, why), _) = claims_of(page)
    assert why == "sizes: Made up."


def test_a_record_that_cannot_be_read_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_paper(tmp_path / "toy")
    (folder / "findings.toml").write_text("finding = 1", encoding="utf-8")
    assert main(["--paper", str(folder), "report", "toy", "--format", "markdown", "--out", str(tmp_path)]) == 2
    assert "findings.toml: findings must be tables [[finding]]" in capsys.readouterr().err.splitlines()[-1]


def test_one_file_is_html(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--format", "markdown", "--single-file", "--out", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--single-file must go with --format html" in line


def test_papers_in_folders_of_one_name_have_pages_of_their_own() -> None:
    papers = [Paper("one", Path("a/mine"), Origin.NAMED), Paper("two", Path("b/mine"), Origin.NAMED)]
    assert page_names(papers) == {"one": "mine-one", "two": "mine-two"}
    assert page_names([*papers[:1], Paper("B", Path("c/../x y"), Origin.NAMED)]) == {"one": "mine", "B": "x-y"}


# ----------------------------------------------------------------------------------------------------------- the texts


def page_of(text: str) -> str:
    """A page on which every text is this one."""
    row = row_of(text)
    rows = [
        row,
        replace(row, role=Role.READING, judgement=replace(row.judgement, verdict=Verdict.HOLDS)),
        replace(row, role=Role.PROOF_STEP),
    ]
    finding = Finding("A.made_up", text, Verdict.REFUTED, text, text)
    given = Gathered(Preset.QUICK, Placement.GRID, {}, text, (finding, replace(finding, part="elsewhere")))
    paper = Paper("A", Path(text.replace("\x00", "")), Origin.NAMED, title=text, authors=(text,), url=text)
    provenance = Provenance(Preset.QUICK, text, text, {text: text}, text)
    judged = Judged(paper, [Check(claim_of(text), ())], {"A.made_up": rows})
    return render(judged, given, provenance, command=text)


@pytest.mark.parametrize(
    "text", [*HOSTILE, "```{raw} html", ":::{include} /etc/passwd", "(x)=", "% c", "+++", "http://x.y/z", "www.x.y"],
    ids=ascii,
)  # fmt: skip
def test_a_text_becomes_no_markup(text: str) -> None:
    page = page_of(text)
    assert_inert(page)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page)
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert kinds == {
        *("heading", "paragraph", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th", "td", "inline")
    }
    harmless = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page_of("harmless"))
    assert [token.type for token in tokens] == [token.type for token in harmless]
    leaves = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in leaves} <= {
        *("text", "text_special", "softbreak", "code_inline"),
        *(f"{name}_{end}" for name in ("strong", "em", "link") for end in ("open", "close")),
    }
    assert not any(child.type == "link_open" for child in leaves)
    shown = [token.children for token in tokens if token.type == "inline"]
    assert "".join(child.content for child in shown[0]) == f"Results: {plain(text)}".strip()
    codes = [child.content for child in leaves if child.type == "code_inline"]
    assert codes[-1].strip() == plain(text).strip()
    assert not re.search(r"\w://|www\.", re.sub("`[^`]*`", "", page))  # GitHub makes links of bare addresses


# ---------------------------------------------------------------------------------------------------------- the pages


@pytest.mark.parametrize(("key", "name"), [("A", "shallow_vit"), ("B", "spatial_vit")])
def test_the_pages_in_docs_are_of_these_claims(key: str, name: str) -> None:
    """A new claim may lack its line until the page is written again; none may be of no claim."""
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    words = rf"theoremeter report {key} --preset (\w+) --published --format markdown --out docs"
    made = re.search(rf"^Made by `{words}`\.$", page, re.M)
    assert made is not None
    assert f"| preset | {Preset(made[1])} |" in page
    claims = [markdown(id) for id, check in discover().items() if check.claim.paper == key]
    own = [claim for claim, *_ in claims_of(page)]
    assert len(own) > 30
    assert own == [claim for claim in claims if claim in own]
    found = {word for _, headline, *_ in claims_of(page) for word in re.split(r" \(full: |\)$", headline) if word}
    assert found <= set(Verdict)
