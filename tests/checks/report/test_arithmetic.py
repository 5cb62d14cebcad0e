"""The figures of a line add up in the digits printed, on every surface, whatever the relation and the direction."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from checks.cli import main
from checks.evidence.check import Check
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.report import FORMATS, findings_page
from checks.report.findings_page import Judged
from checks.report.site.gathering import Gathered, page_of
from checks.report.site.model import Provenance
from checks.report.table import render
from checks.report.writing import model
from checks.report.writing.figures import exponents, figures, figures_words
from checks.statistics.judge import judge_behaviour, judge_range, judge_rates, judge_scaling, profile_constants
from checks.statistics.policy import CONFIDENCE, level_words
from checks.statistics.verdict import DELTA_WORDS, Interval, delta_sign, rounded
from tests.checks.made_up import made_up
from tests.checks.report.printed import Printed, of_cells, phrases
from tests.papers import write_paper
from theoremeter_papers import Origin, Paper
from theory.claim import Axis, Kind

Table = Mapping[str, Sequence[Row]]

x, b, c = sp.symbols("x b c", positive=True)
KINDS = {Kind.UPPER: "upper", Kind.LOWER: "lower", Kind.TIGHT: "tight"}
LIMITS = {"infinity": "infinity", "zero": "zero", b: 0.5, b + c: 0.5}
MIN_FIGURES = len(KINDS) * len(LIMITS) * 3


@pytest.mark.parametrize(
    ("shown", "words"), [(121, "rate in [0.77, 0.896]"), (137, "rate in [0.902, 0.98]"), (144, "rate in [0.97, 1]")]
)
def test_an_interval_shows_on_which_side_of_what_is_asked_its_ends_lie(shown: int, words: str) -> None:
    row = Row(made_up(Kind.BEHAVIOUR), "runs", judge_behaviour(shown, 144, rate=0.9))
    assert figures(row).text == words


def rows_of(kind: Kind, limit: object, number: int) -> list[Row]:
    """A row by each rule that has exponents, from random samples; the claim is no power on its grid."""
    rng = np.random.default_rng([number, len(str(limit)), list(KINDS).index(kind)])
    toward, order = LIMITS[limit], {"relation": KINDS[kind], "margin": 0.25}
    growth = 1 if toward == "infinity" else -1
    distance = np.geomspace(0.01, 0.3, 6) if growth < 0 else np.geomspace(8, 400, 6)
    axis = distance + (toward if isinstance(toward, float) else 0.0)
    samples = distance[:, None] ** rng.uniform(-3, 3) * np.exp(0.3 * rng.standard_normal((6, 9)))
    claimed = distance**-1.5 * np.log(5 + distance**growth)
    claim = made_up(kind, id=f"A.made_up_{number}", axes=(Axis(x, limit),), value=x**-2)
    judged = {
        "scaling": judge_scaling(axis, samples, claimed, toward=toward, **order),
        "constants": profile_constants(
            lambda shift: judge_scaling(axis, samples, (distance + shift["c"]) ** -2.0, toward=toward, **order),
            [{"c": shift} for shift in (0.0, 0.01, 0.1)],
        ),
        "rates": judge_rates(rng.normal(1.2, 0.3, 12), 1.0, sign=growth, **order),
        "exact": judge_range(rng.normal(0.01, 1e-4, 5), claimed_slope=-2.0 / 3, sign=growth, **order),
    }
    return [Row(claim, name, judgement, axis=claim.axes[0]) for name, judgement in judged.items()]


def table_of() -> dict[str, list[Row]]:
    """Rows of every relation in every direction."""
    pairs = itertools.product(KINDS, LIMITS)
    found = [rows_of(kind, limit, number) for number, (kind, limit) in enumerate(pairs)]
    return {rows[0].claim.id: rows for rows in found}


@pytest.fixture(scope="module")
def table() -> dict[str, list[Row]]:
    return table_of()


# ------------------------------------------------------------------------------------------------------------- surfaces


class _Cells(HTMLParser):
    """The rows of cells of a page."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def of_grid(rows: Sequence[Sequence[str]]) -> list[Printed]:
    """What a table of cells says, by the names of its columns."""
    (names, *lines) = rows
    place = [
        next(i for i, name in enumerate(names) if name.startswith(key)) for key in ("axis", "measured", "claimed", "Δ")
    ]
    return [found for line in lines if len(line) > max(place) and (found := of_cells(*(line[i] for i in place)))]


def of_terminal(table: Table) -> list[Printed]:
    """The columns of a screen without limits."""
    lines = render(table, Preset.QUICK, fmt="terminal").split("\n\n")[0].splitlines()
    starts = [found.start() for found in re.finditer(r"(?:(?<=^)|(?<=  ))\S", lines[0])]
    ends = [*starts[1:], None]
    return of_grid([[line[i:j].strip() for i, j in zip(starts, ends, strict=True)] for line in lines])


def of_markdown(table: Table) -> list[Printed]:
    """The cells of a table in markdown."""
    tokens = MarkdownIt("commonmark").enable("table").parse(render(table, Preset.QUICK, fmt="markdown"))
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append("".join(child.content for child in token.children or ()))
    return of_grid(rows)


def of_html(table: Table) -> list[Printed]:
    """The cells of a fragment of HTML."""
    return of_grid(_Cells(render(table, Preset.QUICK, fmt="html")).rows)


def of_latex(table: Table) -> list[Printed]:
    """The cells of a longtable."""
    body = render(table, Preset.QUICK, fmt="latex").split(r"\endlastfoot")[1]
    signs = {r"\leq": "≤", r"\geq": "≥", r"\to": "→", r"\infty": "∞", r"\Delta": "Δ", "$": "", r"\\": ""}
    found = []
    for line in body.splitlines():
        for command, letter in signs.items():
            line = line.replace(command, letter)
        cells = [" ".join(cell.split()) for cell in line.split(" & ")]
        if len(cells) == 7 and ", Δ" in cells[5]:
            measured, delta = cells[5].split(", Δ")[:2]
            claimed = re.match(r"[≤≥=] \S+", cells[4])
            found += [of_cells(cells[2], measured, claimed[0] if claimed else "", delta)]
    return [one for one in found if one]


def of_page(table: Table) -> list[Printed]:
    """The page of results."""
    checks = [Check(rows[0].claim, ()) for rows in table.values()]
    given = Gathered(Preset.QUICK, Placement.GRID, {})
    judged = Judged(Paper("A", Path("a"), Origin.NAMED), checks, table)
    page = findings_page.render(judged, given, Provenance(Preset.QUICK, "", ""), command="made up")
    return phrases(page.partition("## What came out")[2].replace("\\", ""))


def of_site(table: Table) -> list[Printed]:
    """The facts of the lines of a site, and their figures in one phrase, which must be the same."""
    given, found = Gathered(Preset.QUICK, Placement.GRID, {}), []
    for rows in table.values():
        for line in page_of(Check(rows[0].claim, ()), rows, (), given).lines:
            facts = dict(line.facts)
            cells = [facts.get(name, "") for name in ("along", "measured exponent", "claimed on this grid", "Δ")]
            found += [one for one in (of_cells(*cells),) if one]
            assert phrases(line.figures) == [one for one in (of_cells(*cells),) if one]
    return found


SURFACES: dict[str, Callable[[Table], list[Printed]]] = {
    "terminal": of_terminal,
    "markdown": of_markdown,
    "html": of_html,
    "latex": of_latex,
    "site": of_site,
}
"""Surfaces with every line, in the order of the table."""


def shown(table: Table) -> list[Printed]:
    """What the cells of the rows say, before any format."""
    return [one for rows in table.values() for row in rows for one in phrases(figures(row).text)]


# ---------------------------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("surface", SURFACES)
def test_delta_is_the_difference_of_the_printed_exponents(surface: str, table: Table) -> None:
    found = SURFACES[surface](table)
    assert len(found) == sum(map(len, table.values())) > MIN_FIGURES
    assert [one for one in found if not one.adds_up] == []
    assert found == shown(table)
    assert {one.relation for one in found} == {"≤", "≥", "="}
    assert {one.limit for one in found} == {"∞", "0"}


def test_a_page_says_the_figures_of_the_table_of_claims(table: Table) -> None:
    found = of_page(table)
    claims = phrases(render(table, Preset.QUICK, fmt="terminal", parts=False).split("\n\n")[0])
    assert len(claims) == len(table)
    assert found == claims
    assert all(one.adds_up for one in found)
    assert set(found) <= set(shown(table))


def test_figures_in_full_add_up(table: Table) -> None:
    rows = [row for group in table.values() for row in group]
    objects = json.loads(render(table, Preset.QUICK, fmt="json"))
    lines = list(csv.DictReader(io.StringIO(render(table, Preset.QUICK, fmt="csv"))))
    for row, item, line, printed in zip(rows, objects, lines, shown(table), strict=True):
        sign = delta_sign(item["relation"], item["toward"])
        assert item["delta"] == pytest.approx(sign * (item["measured_exponent"] - item["grid_exponent"]), abs=1e-9)
        assert [float(line[key]) for key in ("delta", "measured_exponent")] == [
            item["delta"],
            item["measured_exponent"],
        ]
        digits = len(printed.delta.partition(".")[2])
        assert float(printed.measured) == round(item["measured_exponent"], digits)
        assert float(printed.claimed) == round(item["grid_exponent"], digits)
        assert abs(float(printed.delta) - item["delta"]) <= 1.001 * 10**-digits  # half a unit for each exponent
        assert (item["delta_range"] is not None) == (row.part == "constants")


def test_hidden_constants_show_the_range_of_what_they_move(table: Table) -> None:
    for rows in table.values():
        row = next(row for row in rows if row.part == "constants")
        span = row.judgement.effect.delta_range
        assert span is not None
        assert span.low <= row.judgement.delta <= span.high
        assert row.judgement.exponents.on_grid in row.judgement.exponents.on_grid_range
        ends = [rounded(end, signed=True) for end in (span.low, span.high)]
        words = f"({ends[0]} to {ends[1]} over constants)"
        assert (words in figures(row).text) == (ends[0] != ends[1])
    assert sum("over constants" in figures(row).text for rows in table.values() for row in rows) >= len(table) / 2


@pytest.mark.parametrize("surface", [*SURFACES, "page"])
def test_a_planted_sign_or_another_grid_is_found_on_every_surface(surface: str, table: Table) -> None:
    read = SURFACES.get(surface, of_page)
    for rows in (list(table.values())[number] for number in (0, 5, 10)):
        (row, *_) = rows
        judgement, name = row.judgement, row.claim.id
        assert abs(judgement.delta) > 0.05
        turned = replace(judgement, effect=replace(judgement.effect, delta=-judgement.delta))
        other = replace(judgement, exponents=replace(judgement.exponents, on_grid=judgement.exponents.on_grid + 0.1))
        flipped = {"upper": "lower", "lower": "upper", "tight": "lower"}[judgement.effect.relation]
        relation = replace(judgement, effect=replace(judgement.effect, relation=flipped))
        for planted in (turned, other, relation):
            assert not all(one.adds_up for one in read({name: [replace(row, judgement=planted)]})), planted.verdict
        assert all(one.adds_up for one in read({name: [row]}))


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.floats(-30, 30), st.floats(-30, 30), st.sampled_from([1.0, -1.0]), st.floats(1e-7, 5))
def test_rounding_never_hides_more_than_a_unit(measured: float, claimed: float, sign: float, width: float) -> None:
    delta = sign * (measured - claimed)
    interval = Interval(delta - width / 2, delta + width / 2)
    found = model.difference(measured, claimed, delta, interval)
    unit = 10.0 ** -len(found.delta.text.partition(".")[2])
    assert unit in (1e-2, 1e-3, 1e-4)
    assert unit <= max(width, 1e-4)  # so many digits that the interval is not a point
    limit, relation = ("∞", "≤") if sign > 0 else ("0", "≤")
    assert Printed(limit, relation, found.measured.text, found.claimed.text, found.delta.text).adds_up
    assert abs(float(found.delta.text) - delta) <= 1.001 * unit
    assert not re.fullmatch(r"-0\.0+", found.measured.text + found.claimed.text)
    assert not re.fullmatch(r"-0\.0+", found.delta.text)


def test_the_definition_stands_below_every_table_with_figures(table: Table) -> None:
    for fmt in FORMATS:
        text = render(table, Preset.QUICK, fmt=fmt)
        letters = {r"\ensuremath{\Delta}": "Δ", r"\ensuremath{\geq}": "≥", "&#x27;": "'"}
        for written, letter in letters.items():
            text = text.replace(written, letter)
        assert (DELTA_WORDS in text) == (fmt not in ("json", "csv")), fmt


def test_the_axis_is_the_one_whose_exponents_are_printed(table: Table) -> None:
    axes = {rows[0].axis.toward: render({"A.x": rows}, Preset.QUICK, fmt="markdown") for rows in table.values()}
    assert "| x → ∞ |" in axes["infinity"]
    assert "| x → 0 |" in axes["zero"]
    assert r"| \|x - b\| → 0 |" in axes[b]
    assert r"| \|x - (b + c)\| → 0 |" in axes[b + c]
    row = next(rows[0] for rows in table.values() if rows[0].axis.toward == b)
    # The slope in the distance, not in x itself, which hardly moves there.
    assert abs(float(exponents(row).claimed.text)) > 1


def test_a_stored_run_adds_up_on_every_surface(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper, store = write_paper(tmp_path / "toy"), tmp_path / "s.sqlite"
    words, options = ["--paper", str(paper)], ["--preset", "smoke", "--store", str(store)]
    assert main([*words, "run", *options, "--executor", "serial"]) == 0
    assert main([*words, "report", *options, "--format", "markdown", "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "toy.md").read_text(encoding="utf-8").replace("\\", "")
    capsys.readouterr()
    assert main([*words, "table", *options]) == 0
    (line,) = phrases(capsys.readouterr().out.split("\n\n")[0])
    assert main([*words, "table", *options, "--format", "json"]) == 0
    (item,) = (item for item in json.loads(capsys.readouterr().out) if item["grid_exponent"] is not None)
    assert line.adds_up
    assert set(phrases(page.partition("## What came out")[2])) == {line}
    assert set(phrases(page)) - {line} == set(
        phrases(figures_words(level_words(CONFIDENCE)))
    )  # the example of the definition
    assert float(line.measured) == round(item["measured_exponent"], len(line.measured.partition(".")[2]))
    assert item["delta"] == pytest.approx(item["measured_exponent"] - item["grid_exponent"], abs=1e-9)
