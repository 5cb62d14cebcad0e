"""Commands under a pseudo-terminal: at 60 columns and at 200 the verdict is on the screen, and no line is cut."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

from checks.calibration.measure import Rates, select_cells
from checks.catalogue import discover
from checks.cli import main
from checks.commands import evidence
from checks.evidence.check import claim_verdict
from checks.planning.costs import PresetCost
from checks.planning.plan import Design, PlanRow
from checks.records.preset import Preset
from checks.records.rows import Display, Point, Protocol, Row
from checks.report import plan_table
from checks.report.layout import Column, table, wrap
from checks.statistics.explanation import finding
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Plan, Verdict
from tests.checks.terminal import Screen, screen

ROOT = Path(__file__).resolve().parents[3]
WIDTHS = (60, 80, 120, 200)
REASON = (
    "Delta = +0.677, 95 % interval [-1.45, 2.8] (3 points, 200 trials each); exponent -1.68 measured, -1 claimed on "
    "this grid; would decide: over 10000 trials at each of 5 points"
)
LONG = "alpha_nd = 1/2 and everything else as in the paper, eq. (10)"

Shown = Callable[..., Screen]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Run a command in a terminal of so many columns."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def run(columns: int, *words: str) -> Screen:
        with screen(columns) as (found, stream), monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            assert main(words) in (0, 2)  # where a row is broken
        assert found.too_long == []
        return found

    return run


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store with the trials of one cheap claim."""
    path = tmp_path_factory.mktemp("screen") / "results.sqlite"
    assert main(["run", "A.gradients", "--preset", "smoke", "--executor", "serial", "--store", str(path)]) == 0
    return str(path)


def every_verdict() -> dict[str, list[Row]]:
    """A row with all figures for each claim of the catalogue, the verdicts in turn, and a second one without any."""
    rows = {}
    for number, check in enumerate(discover().values()):
        claim, verdict = check.claim, list(Verdict)[number % len(Verdict)]
        axis = claim.axes[0] if claim.axes else None
        judgement = Judgement(
            verdict,
            finding(REASON),
            effect=Effect(-10.677, Interval(-11.45, -9.81), interval_kind="range", margin=0.25),
            exponents=Exponents(-1.68, -1.25, local_deltas=(0.1, 0.2)),
        )
        points = (
            Point(0.1, 100.0, 1e4, 9e3, None, None, True, 5),
            Point(0.2, None, None, 3e3, None, "above", False, 5),
        )
        figures = {"points": points, "protocol": Protocol(1200), "display": Display("-1/2")}
        rows[claim.id] = [Row(claim, LONG, judgement, axis=axis, **figures), Row(claim, "p", Judgement(verdict))]
    return rows


# ----------------------------------------------------------------------------------------------------------- the table


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("options", [("--parts",), ("--parts", "--reasons"), ("--points",)])
def test_every_claim_shows_its_id_and_whole_verdict_on_one_line(
    columns: int, options: tuple[str, ...], shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = every_verdict()
    monkeypatch.setattr(evidence, "evaluated", lambda arguments: rows)
    found = shown(columns, "table", *options)
    for name, group in rows.items():
        lines = [line for line in found.lines if line.startswith(f"{name} ")]
        assert any(f"  {group[0].verdict.value}" in line for line in lines), name
    whole = " ".join(" ".join(found.lines).split())
    assert whole.count("-10.68 [-11.4, -9.81] (range)") == len(rows)
    assert whole.count("-1.68") >= len(rows)
    assert whole.count(REASON) == (len(rows) if "--reasons" in options else 0)


def test_a_wide_screen_has_one_line_a_row(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = every_verdict()
    monkeypatch.setattr(evidence, "evaluated", lambda arguments: rows)
    lines = shown(220, "table", "--parts").lines
    assert lines.index("") == 1 + sum(map(len, rows.values()))


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_measured_store_is_legible(columns: int, shown: Shown, store: str) -> None:
    words = ("A.gradients", "--preset", "smoke", "--store", store)
    lines = shown(columns, "table", "--parts", *words).lines
    verdicts = [line.split("  ")[1].strip() for line in lines if line.startswith("A.gradients  ")]
    assert verdicts == ["holds"] * 4 + ["refuted"] + ["proved"] * 4 + ["refuted"]
    assert "re-checked" not in " ".join(lines)
    assert " ".join(shown(columns, "table", "--parts", *words, "--reasons").lines).count("re-checked") == 4


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_claim_is_one_line_and_its_headline_is_whole(
    columns: int, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = every_verdict()
    monkeypatch.setattr(evidence, "evaluated", lambda arguments: rows)
    lines = shown(columns, "table").lines
    for name, group in rows.items():
        (line,) = (line for line in lines if line.startswith(f"{name} "))
        assert f"  {claim_verdict(group)}" in line
    if columns >= 100:
        assert sum(not line.startswith(" ") for line in lines[: lines.index("")]) == 1 + len(rows)
    told = " ".join(shown(columns, "table", "--reasons").lines)
    assert REASON in " ".join(told.split())


# --------------------------------------------------------------------------------------------------- the other commands


@pytest.mark.parametrize("columns", WIDTHS)
def test_list_has_every_claim_with_its_whole_statement(columns: int, shown: Shown) -> None:
    lines = shown(columns, "list").lines
    assert [line.split()[0] for line in lines if line[:1].strip()] == list(discover())
    if columns == 60:  # where the statement stands below
        whole = " ".join(" ".join(lines).split())
        assert all(" ".join(check.claim.statement.split()) in whole for check in discover().values())


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("name", ["A.samples", "B.gamma_step", "A.open_L"])
def test_show_wraps(columns: int, name: str, shown: Shown) -> None:
    assert shown(columns, "show", name).lines[0].startswith(f"{name}  (")


@pytest.mark.parametrize("columns", WIDTHS)
def test_what_a_store_holds_is_legible(columns: int, shown: Shown, store: str) -> None:
    lines = shown(columns, "store", "info", "--store", store).lines
    assert any(line.startswith("shallow_vit_gradients") and "current" in line for line in lines)
    shown(columns, "simulate", "shallow_vit")
    Path(f"{store}.empty").touch()
    shown(columns, "plan", "A.iterations", "--store", f"{store}.empty")


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_plan_shows_claim_verdict_and_what_is_needed(columns: int) -> None:
    design = Design(
        "Delta as seen (+0.33)", Plan(9, 240), True, 0.85, 0.05, Plan(8, 219), tuple(map(float, range(1, 20))), (8, 16),
        2160, 2000, 1e4, 9e3, 20.0, 5,
    )  # fmt: skip
    cost = PresetCost(Preset.FULL, 1000, {str(number): 2.0 for number in range(500)}, "predicted from other parts")
    rows = [group[0] for group in every_verdict().values()]
    plans = [PlanRow(row, Preset.QUICK, "replicates", Plan(7, 30), (), (design,), cost=cost) for row in rows]
    plans.append(PlanRow(rows[0], None, note="no trials of this part are stored: theoremeter run A.x --preset smoke"))
    lines = plan_table.render(plans, fmt="terminal", workers=8, width=columns).splitlines()
    assert [line for line in lines if cell_len(line) > columns and "\x1b" not in line] == []
    for row in rows:
        (line, *_) = (line for line in lines if line.startswith(f"{row.claim.id} "))
        assert f"  {row.verdict.value}  " in line
        assert "9 x 240" in line


@pytest.mark.parametrize("columns", WIDTHS)
def test_calibration_is_legible(columns: int, shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        Rates(cell, 40, {Verdict.VIOLATED: 5, Verdict.TIGHT: 30, Verdict.INCONCLUSIVE: 5}, 40, 30, 1.5)
        for cell in select_cells("s*")
    ]
    monkeypatch.setattr("checks.commands.calibration.calibrate", lambda *_, **__: found)
    lines = shown(columns, "calibrate", "--cells", "s*").lines
    assert sum("75.0 %" in line for line in lines) >= len(found)
    assert not any("**" in line or line.startswith("|") for line in lines)


def test_a_process_of_its_own_reads_the_width_of_its_terminal() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with screen(60) as (found, stream):
        command = [sys.executable, "-m", "checks", "list", "A.samples", "B.gamma_step"]
        subprocess.run(command, stdout=stream, check=True, cwd=ROOT, env=environment)
    assert found.too_long == []
    assert len(found.lines) > 4
    assert found.lines[0].startswith("A.samples")


@pytest.mark.parametrize(("told", "columns"), [("100", 100), ("0", 60), ("wide", 60)])
def test_the_user_may_say_how_wide_the_screen_is(
    told: str, columns: int, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    from checks.commands.options import terminal_width

    with screen(60) as (_, stream), monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        patch.setenv("COLUMNS", told)
        assert terminal_width() == columns


# ---------------------------------------------------------------------------------------------------------- the layout


def test_columns_of_least_priority_leave_the_line_first() -> None:
    columns = (Column("id"), Column("a", priority=1), Column("b", priority=2), Column("note", below=True, label=""))
    rows = [("x", "aaaa", "bbbb", "why so"), ("y", "", "bb", "")]
    assert table(columns, rows, width=14, header=False) == ["x  aaaa  bbbb", "    why so", "y        bb"]
    assert table(columns, rows, width=12, header=False) == ["x  aaaa", "    b bbbb", "    why so", "y", "    b bb"]
    assert table(columns, rows, header=False) == ["x  aaaa  bbbb  why so", "y        bb"]


def test_letters_of_two_places_and_accents_keep_columns_aligned() -> None:
    rows = [("中文字", "1"), ("é" * 6, "2"), ("e\u0301" * 6, "3"), ("abcdef", "4")]
    lines = table((Column("id"), Column("n")), rows, width=40, header=False)
    assert {cell_len(line) for line in lines} == {9}
    assert wrap("中文字 中文字", 7) == ["中文字", "中文字"]
    assert all(cell_len(line) <= 5 for line in wrap("中文字中文字 e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", 5))


@pytest.mark.parametrize("columns", [7, 12, 20, 39])
def test_a_very_narrow_screen_cuts_no_word_away(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    words = (Column("claim", least=24), Column("verdict"), Column("part", priority=1, least=24, label=""))
    lines = table(words, [("A.a_long_name", "not measured yet", "some words and a loooooooooooong one")], width=columns)
    assert all(cell_len(line) <= columns for line in lines)
    letters = "".join("".join(line.split()) for line in lines)
    assert sorted(letters) == sorted("claimverdictA.a_long_namenotmeasuredyetsomewordsandaloooooooooooongone")


def test_colours_are_left_out_where_nobody_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    column = (Column("verdict", coloured=True),)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31mrefuted\x1b[0m" in table(column, [("refuted",)], width=80, colours=["red"])
    monkeypatch.setenv("NO_COLOR", "1")
    assert table(column, [("refuted",)], width=80, colours=["red"]) == ["verdict", "refuted"]


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_claim_shows_its_verdict_where_there_is_a_store(columns: int, shown: Shown, store: str) -> None:
    lines = shown(columns, "show", "A.gradients", "--preset", "smoke", "--store", store).lines
    (line,) = (line for line in lines if line.startswith("verdict"))
    assert "holds, misprinted" in " ".join(" ".join(lines).split())
    assert lines.index(line) < next(number for number, text in enumerate(lines) if text.startswith("observable"))


def test_a_formula_takes_several_lines_where_there_is_room(shown: Shown) -> None:
    wide, narrow = shown(100, "show", "A.fig2").lines, shown(16, "show", "A.noise_scaling").lines
    place = next(number for number, line in enumerate(wide) if line.startswith("claimed"))
    assert [line[13:] for line in wide[place - 1 : place + 2]] == [" 1", "───", "α_*"]
    assert not any("─" in line for line in narrow)
