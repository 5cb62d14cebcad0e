"""The README's code runs and prints what it says; its commands, and those of the page on commands, exist."""

import re
from pathlib import Path

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.commands.parser import parser
from checks.evidence.comparison import exponent_words, relation_of
from checks.records.rows import Row
from checks.report.escape import markdown
from checks.report.writing.figures import axis_of, figures_words
from checks.report.writing.from_rows import CLAIM_COLUMNS
from checks.statistics.policy import CONFIDENCE, level_words
from checks.statistics.verdict import DELTA_WORDS, RELATION_SIGNS, Judgement, Verdict
from tests.checks.report.printed import phrases
from theory.claim import Axis

README = Path(__file__).parents[1] / "README.md"
COMMANDS = README.parent / "docs" / "commands.md"


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"```(\w*)\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.S)


def test_the_first_python_block_prints_what_its_comment_says(capsys):
    code = next(body for language, body in blocks(README) if language == "python" and "import" in body)
    exec(compile(code, str(README), "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    verdict, delta = first.split()
    assert verdict == "violated"
    assert float(delta) == pytest.approx(2, abs=0.2)
    assert 64 < float(second.split()[0]) < 128


@pytest.mark.parametrize(
    "line",
    [
        line
        for page in (README, COMMANDS)
        for _, body in blocks(page)
        for line in body.splitlines()
        if line.startswith("theoremeter ")
    ],
)
def test_every_command_is_understood(line):
    words = line.split("#")[0].split()[1:]
    assert callable(parser().parse_args(words).command)


def test_every_page_that_is_linked_exists():
    for target in re.findall(r"\]\(([^)h][^)]*)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target.partition("#")[0]).exists(), target


# --------------------------------------------------------------------------------------------------- the table of lines


def table_of(page: str) -> dict[str, dict[str, str]]:
    """The cells of the README's table by claim and heading; a cell may go on below its line."""
    head, *lines = page.partition("<!-- table -->")[2].split("```")[1].strip("\n").splitlines()
    names = re.findall(r"\S+(?: \S+)*", head)
    places = [head.index(name) for name in names]
    rows: dict[str, dict[str, str]] = {}
    for line in lines:
        cells = [line[i:j].strip() for i, j in zip(places, [*places[1:], None], strict=True)]
        row = rows.setdefault(cells[0] or list(rows)[-1], dict.fromkeys(names, ""))
        for name, cell in zip(names, cells, strict=True):
            row[name] = f"{row[name]} {cell}".strip()
    return rows


def wrong_lines(page: str) -> list[str]:
    """Claims of whose line the README says something that the claim, or its own arithmetic, does not bear out.

    Without measuring it is known which relation a claim states, along which axis and to which limit; which exponent a
    pure power has on any grid; and that the figures of a line add up.
    """
    wrong = []
    for name, row in table_of(page).items():
        claim, said = discover()[name].claim, phrases(row["measured for claimed"])
        axes = [axis_of(Row(claim, "", Judgement(Verdict.HOLDS), axis=axis)).text for axis in claim.axes]
        if row["headline"] not in list(Verdict) or (not said and "Δ" in row["measured for claimed"]):
            wrong.append(name)
        for one in said:
            axis = row["measured for claimed"].partition(":")[0]
            fits = one.adds_up and axis in axes and one.relation == RELATION_SIGNS[relation_of(claim.kind)]
            if fits and (power := pure_power(claim.axes[axes.index(axis)], claim)) is not None:
                fits = float(one.claimed) == round(power, len(one.claimed.partition(".")[2]))
            wrong += [] if fits else [name]
    return wrong


def pure_power(axis: Axis, claim: object) -> float | None:
    """The exponent of a claim that is the same on every grid; None where it depends on the grid."""
    words = exponent_words(claim, axis)
    if words is None or not re.fullmatch(r"-?\d+(/\d+)?", words) or not isinstance(axis.toward, str):
        return None
    rest = sp.simplify(claim.value / axis.symbol ** sp.Rational(words))
    return None if axis.symbol in rest.free_symbols else float(sp.Rational(words))


def test_the_table_obeys_the_definition_and_the_claims():
    page = README.read_text(encoding="utf-8")
    rows = table_of(page)
    assert list(next(iter(rows.values()))) == [column.heading for column in CLAIM_COLUMNS[:-2]]
    assert len(rows) == 5
    assert sum(len(phrases(row["measured for claimed"])) for row in rows.values()) >= 4
    assert wrong_lines(page) == []


@pytest.mark.parametrize(
    ("printed", "planted", "name"),
    [
        ("Δ -0.87", "Δ +0.87", "A.samples"),
        ("0.994 for ≥ 0.250, Δ -0.744", "0.994 for ≥ 0.250, Δ +0.744", "B.no_transfer"),
        ("0.994 for ≥ 0.250, Δ -0.744", "0.994 for ≤ 0.250, Δ +0.744", "B.no_transfer"),
        ("alpha_* → 0: -0.80 for = -1.00, Δ -0.20", "alpha_* → ∞: -0.80 for = -1.00, Δ +0.20", "A.fig2"),
        ("-0.80 for = -1.00, Δ -0.20", "-0.80 for = -1.10, Δ -0.30", "A.fig2"),
    ],
)
def test_a_planted_falsehood_in_the_table_is_found(printed, planted, name):
    page = README.read_text(encoding="utf-8")
    assert printed in page
    assert wrong_lines(page.replace(printed, planted)) == [name]


def test_what_delta_is_stands_on_every_page_that_prints_it():
    docs = README.parent / "docs"

    def whole(page):
        return " ".join(page.read_text(encoding="utf-8").split())

    assert figures_words(level_words(CONFIDENCE)) in whole(README)
    for name in ("table", "python", "findings", "shallow_vit", "spatial_vit"):
        assert DELTA_WORDS in whole(docs / f"{name}.md"), name
    for name in ("shallow_vit", "spatial_vit"):
        assert markdown(figures_words(level_words(CONFIDENCE))) in whole(docs / f"{name}.md"), name
    for page in (README, *docs.glob("*.md")):
        assert "measured exponent less" not in whole(page)
    assert all(one.adds_up for one in phrases(figures_words(level_words(CONFIDENCE))))


def test_figures_on_every_page_add_up():
    docs = README.parent / "docs"
    pages = {page.name: page.read_text(encoding="utf-8").replace("\\", "") for page in docs.glob("*.md")}
    found = {name: phrases(text) for name, text in pages.items()}
    for name, least in (("shallow_vit.md", 9), ("spatial_vit.md", 3)):
        lines = [line for line in pages[name].splitlines() if line.startswith("| ") and ", Δ " in line]
        assert len(lines) >= least
        assert all(phrases(line) for line in lines)
    assert [(name, one) for name, several in found.items() for one in several if not one.adds_up] == []
    # The README has the quick preset, as both pages.
    rows = table_of(README.read_text(encoding="utf-8"))
    assert {name[0] for name in rows} == {"A", "B"}
    for name, row in rows.items():
        page = pages["shallow_vit.md" if name.startswith("A.") else "spatial_vit.md"]
        headline = rf"{re.escape(row['headline'])}(?: \(full: [a-z ,-]+\))?"
        assert re.search(rf"\| {re.escape(name)} \| {headline} \| {re.escape(row['measured for claimed'])} \|", page), (
            name
        )
