"""The table in every format: nothing hidden, nothing that JSON or LaTeX cannot carry."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.check import evaluate
from checks.records.preset import Preset
from checks.records.rows import Display, Point, Protocol, Row
from checks.records.standing import Standing, Standings
from checks.report import FORMATS
from checks.report.escape import markdown
from checks.report.table import records, render
from checks.statistics.explanation import finding
from checks.statistics.verdict import DELTA_WORDS, Effect, Exponents, Interval, Judgement, Quantity, Verdict
from tests.checks.made_up import made_up
from theory.claim import Axis, Kind

KEYS = [
    *("id", "part", "paper", "source", "kind", "claimed", "axis", "toward", "asymptotic_exponent", "relation"),
    *("grid_exponent", "grid_exponent_range", "measured_exponent", "measured_exponent_range", "delta", "delta_range"),
    *("quantity", "confidence", "confidence_interval", "equivalence_interval"),
    *("margin", "verdict", "claim_verdict", "expects", "role", "readings", "letters", "claim_standings"),
    *(
        "proof_steps",
        "repairs",
        "tried",
        "reason",
        "sentence",
        "explanation",
        "in_regime",
        "hypotheses",
        "standings",
        "law",
        "control",
        "also_met",
        "excludes",
    ),
    *("n_trials", "preset", "seconds", "points"),
]
POINT_KEYS = ["value", "bound", "measured", "low", "high", "censored", "in_regime", "n_trials", "endings", "sequence"]

x = sp.Symbol("x_#", positive=True)
CLAIM = made_up(Kind.UPPER, axes=(Axis(x, "zero"),), value=x**-2)
MEASURED = Row(
    CLAIM,
    r"50 % of {a} | b_c \ ~",
    Judgement(
        Verdict.VIOLATED,
        finding("Delta = +2 | beyond"),
        effect=Effect(
            2.0,
            Interval(1.5, math.inf),
            Interval(1.75, 2.25),
            margin=0.25,
            quantity=Quantity.DELTA,
            relation="upper",
            delta_range=Interval(2.0, 2.5),
        ),
        exponents=Exponents(-4.0, -2.0),
    ),
    axis=CLAIM.axes[0],
    points=(
        Point(0.1, 100.0, 1e4, 9e3, math.inf, None, True, 5),
        Point(0.2, None, None, 3e3, None, "above", False, 5),
    ),
    standing=Standing(not_met={"a hypothesis": 1}),
    protocol=Protocol(10, 1.23456),
    display=Display("-2"),
)
OPEN = Row(CLAIM, "", Judgement(Verdict.NOT_MEASURED_YET, finding("later")))
TABLE = {CLAIM.id: [MEASURED, OPEN]}


@pytest.fixture(scope="module")
def empty() -> dict[str, list[Row]]:
    return evaluate(discover().values(), Preset.QUICK, {})


def parsed(text: str) -> list[dict[str, object]]:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_has_exactly_the_keys_of_the_contract(empty: dict[str, list[Row]]) -> None:
    for item in (*parsed(render(empty, Preset.QUICK, fmt="json")), *parsed(render(TABLE, Preset.QUICK, fmt="json"))):
        assert list(item) == KEYS
        assert all(list(point) == POINT_KEYS for point in item["points"])


@pytest.mark.parametrize(
    "preset", [pytest.param(preset, marks=[pytest.mark.exhaustive] * (preset is Preset.FULL)) for preset in Preset]
)
def test_json_has_one_object_per_id_part_and_axis(preset: Preset) -> None:
    items = records(evaluate(discover().values(), preset, {}), preset)
    names = [(item["id"], item["part"], item["axis"]) for item in items]
    assert len(names) == len(set(names))


def test_what_does_not_apply_is_null_and_never_nan() -> None:
    measured, later = parsed(render(TABLE, Preset.FULL, fmt="json"))
    assert measured["confidence_interval"] == [1.5, None]
    assert measured["equivalence_interval"] == [1.75, 2.25]
    assert (measured["delta_range"], measured["grid_exponent_range"]) == ([2.0, 2.5], None)
    assert (measured["quantity"], measured["relation"]) == ("Δ", "upper")
    point = [0.1, 100.0, 1e4, 9e3, None, None, True, 5, {}, ""]
    assert measured["points"][0] == dict(zip(POINT_KEYS, point, strict=True))
    assert measured["points"][1] == dict(
        zip(POINT_KEYS, [0.2, None, None, 3e3, None, "above", False, 5, {}, ""], strict=True)
    )
    assert (measured["axis"], measured["toward"], measured["asymptotic_exponent"]) == ("x_#", "zero", "-2")
    assert (measured["preset"], measured["seconds"]) == ("full", 1.235)
    estimated = ("grid_exponent", "measured_exponent", "delta", "confidence", "confidence_interval")
    unknown = ("axis", "toward", "asymptotic_exponent", *estimated, "equivalence_interval")
    assert all(later[name] is None for name in (*unknown, "margin", "in_regime"))
    assert (later["points"], later["n_trials"]) == ([], 0)
    assert measured["claim_verdict"] == later["claim_verdict"] == "violated"


def test_letters_and_standings_are_fields(empty: dict[str, list[Row]]) -> None:
    sure = replace(MEASURED, standings=Standings(Verdict.UNDECIDABLE, Verdict.VIOLATED))
    (told,) = parsed(render({CLAIM.id: [sure]}, Preset.SMOKE, fmt="json"))
    assert told["letters"] == {"swept": {"x_#": "violated"}, "not_swept": [], "lacking": {}}
    both = {"whatever_the_constants": "undecidable", "own_settings": "violated"}
    assert (told["standings"], told["claim_standings"], told["also_met"]) == (both, both, [])
    for fmt in ("terminal", "markdown", "html"):
        words = "whatever the constants: undecidable; with the paper's constants or 1: violated"
        text = render({CLAIM.id: [sure]}, Preset.SMOKE, fmt=fmt, parts=False)
        assert words in text.replace("&#x27;", "'").replace("&#39;", "'").replace("\\", "")


def test_not_a_number_becomes_null() -> None:
    row = Row(
        CLAIM,
        "p",
        Judgement(Verdict.INCONCLUSIVE, effect=Effect(math.nan)),
        points=(Point(1.0, math.nan, math.inf),),
    )
    (item,) = parsed(render({CLAIM.id: [row]}, Preset.SMOKE, fmt="json"))
    assert item["delta"] is None
    assert (item["points"][0]["bound"], item["points"][0]["measured"]) == (None, None)


@pytest.mark.parametrize(("points", "fmt"), [*((False, fmt) for fmt in FORMATS), (True, "terminal"), (True, "json")])
def test_every_claim_stands_in_every_format_as_not_measured_yet(
    empty: dict[str, list[Row]], fmt: str, points: bool
) -> None:
    text = render(empty, Preset.QUICK, fmt=fmt, points=points)
    for name in discover():
        assert (name.replace("_", r"\_") if fmt == "latex" else name) in text
    assert text.count("not measured") >= len(discover())
    assert text.endswith("\n")


@pytest.mark.parametrize("fmt", FORMATS)
def test_every_format_carries_figures_and_verdict(fmt: str) -> None:
    text = render(TABLE, Preset.QUICK, fmt=fmt)
    assert "violated" in text
    assert "-2" in text
    assert "nan" not in text.lower()


def test_terminal_summary_counts_claims_by_their_worst_part(empty: dict[str, list[Row]]) -> None:
    assert "1 claim at preset quick: 1 violated." in render(TABLE, Preset.QUICK, fmt="terminal")
    expected = f"{len(discover())} claims at preset quick: {len(discover())} not measured."
    assert expected in render(empty, Preset.QUICK, fmt="terminal")


def test_terminal_points_mark_what_is_censored_or_out_of_regime() -> None:
    text = render(TABLE, Preset.QUICK, fmt="terminal", points=True)
    (line,) = (line for line in text.splitlines() if "censored above" in line)
    assert "out of regime" in line
    assert "[3e+03, ∞]" in line
    assert "bound against measurement" in text


def test_terminal_respects_its_width() -> None:
    assert "\x1b[" not in render(TABLE, Preset.QUICK, fmt="terminal")
    assert "\x1b[" in render(TABLE, Preset.QUICK, fmt="terminal", width=200)


def test_markdown_is_one_table_with_cells_that_do_not_break_it() -> None:
    lines = render(TABLE, Preset.QUICK, fmt="markdown").splitlines()
    table, (empty, legend) = lines[:4], lines[4:]
    assert len({line.replace("\\|", "").count("|") for line in table}) == 1
    assert empty == ""
    assert markdown(DELTA_WORDS) in legend
    assert "**A.made_up (" in render(TABLE, Preset.QUICK, fmt="markdown", points=True)


def test_csv_has_a_line_a_row_or_a_line_a_point() -> None:
    rows = list(csv.DictReader(io.StringIO(render(TABLE, Preset.QUICK, fmt="csv"))))
    assert [row["verdict"] for row in rows] == ["violated", "not measured"]
    assert list(rows[0]) == [key for key in KEYS if key not in ("points", "repairs")]
    assert json.loads(rows[0]["confidence_interval"]) == [1.5, None]
    points = list(csv.DictReader(io.StringIO(render(TABLE, Preset.QUICK, fmt="csv", points=True))))
    assert list(points[0]) == ["id", "part", "axis", *POINT_KEYS]
    assert [float(point["value"]) for point in points] == [0.1, 0.2]


def test_latex_escapes_text_and_typesets_formulas() -> None:
    text = render(TABLE, Preset.QUICK, fmt="latex")
    row = next(line for line in text.splitlines() if line.startswith(r"A.made\_up"))
    assert r"50 \% of \{a\} \textbar{} b\_c \textbackslash{} \textasciitilde{}" in row
    claimed = r"$x_{\#} \to 0$ & $\frac{1}{x_{\#}^{2}}$ & $\leq$ $-2.00$"
    measured = r"$-4.00$, $\Delta$ $+2.00$ $[1.5, \infty]$, over constants: $\Delta$ $+2.00$ to $+2.50$"
    assert f"{claimed} & {measured} & violated" in row
    body = text.split(r"\endlastfoot")[1].split(r"\end{longtable}")[0].strip().splitlines()
    assert all(line.replace(r"\&", "").count("&") == 6 and line.endswith(r"\\") for line in body)
