"""Hostile texts through every renderer: what comes out is parsed, and holds the text as text or not at all."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from markdown_it import MarkdownIt

from checks.catalogue import discover
from checks.cli import main
from checks.commands.store import export
from checks.planning.costs import PresetCost
from checks.planning.plan import PlanRow
from checks.records.pictures import Cells, Lines, Matrix
from checks.records.preset import Preset
from checks.records.rows import Display, Point, Protocol, Row
from checks.report import claim_page, plan_table
from checks.report.escape import csv_cell, drawn, file_name, latex, markdown, plain
from checks.report.pictures import files
from checks.report.progress import shown
from checks.report.table import render
from checks.report.writing.from_rows import LINE_COLUMNS
from checks.statistics.explanation import finding
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Verdict
from sim.running.run import Progress, WorkerProgress
from sim.store.store import Store
from sim.systems import systems
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks.terminal import COLOURS
from theory.claim import Axis, Claim, Evidence, Kind, Source

HOSTILE = [
    "\x1b[2J\x1b[1;1Hcleared", "\x1b]0;title\x07x", "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "\x9b31mred",
    "\x90dcs\x9cx", "\x1bPq#0\x1b\\sixel", "\x1bc reset", "\x1b", "\x1b[", "a\rb", "a\nb", "a\r\n\tb",
    "\x00\x07\x08\x7f", "\x85next\x84", "\u202egnp.exe", "\u2066x\u2069\u200f\u061c", "\u200b\ufeff\xad",
    "a\u2028b\u2029c", "\ud800lone\udfff", "\ufffe\uffff", "e" + "\u0301" * 50, "\ufe0f\u2764\ufe0f",
    "\U000e0041\U000e007f", "=HYPERLINK(\"http://evil\",\"x\")", "+1+cmd|' /C calc'!A0", "-2+3+cmd|'x'!A1",
    "@SUM(A1)", "\t=1+1", "\r=1+1", " =1+1", "\uff1d1+1", "=1,\"\n=2", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "]]><script/>--><!--", "&lt;script&gt;&#60;b&#62;", "[x](javascript:alert(1))",
    "![x](http://evil/i.png)", "<javascript:alert(1)>", "[x]: http://evil", "[bold]x[/bold]",
    "[link=http://evil]x[/link]", "[/]", "a | b || c", "`code` ``` ~~~", "\\| \\", "*a* __b__ _c_ ~~d~~", "# h",
    "> q", "$\\frac{1}{0$ $x^{$", "$x_1$", "\\input{/etc/passwd}", "}\\write18{x}", "50 % & # _ ^ ~ {", "_hidden",
    "\u4e2d\u6587\u5b57 | \u4e2d", "../../etc/passwd", "CON", "x" * 300,
]  # fmt: skip
COMMAND = re.compile(r"\\([A-Za-z]+)")
LETTERS = {
    "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar", "texttt", "ensuremath",
    "allowbreak",
}  # fmt: skip
"""Commands that stand for letters."""
PLAIN_PUNCTUATION = "a <= b, c < d & e; [1.5, 2.5] (3 points) 50 % -> #1"

x = sp.Symbol("x", positive=True)


def claim_of(text: str) -> Claim:
    return Claim(
        id="A.made_up", source=Source(text, text), kind=Kind.UPPER, statement=text, observable=text, reading=text,
        evidence=(Evidence.MEASURED,), axes=(Axis(x, "zero"),), value=x**-2,
    )  # fmt: skip


def row_of(text: str) -> Row:
    judgement = Judgement(
        Verdict.VIOLATED,
        finding(text),
        effect=Effect(2.0, Interval(1.5, 2.5), margin=0.25),
        exponents=Exponents(-4.0, -2.0, local_deltas=(1.0,)),
    )
    points = (
        Point(0.1, 100.0, 1e4, 9e3, None, None, True, 5, ((text, 1),)),
        Point(0.2, None, None, 3e3, None, "above", False, 5),
    )
    claim = claim_of(text)
    return Row(claim, text, judgement, claim.axes[0], points=points, protocol=Protocol(3), display=Display(text, text))


def rendered(text: str, **options: object) -> str:
    return render({"A.made_up": [row_of(text)]}, Preset.QUICK, **options)


def assert_inert(text: str) -> None:
    """No character that does anything but stand there; line ends are the renderer's own."""
    rest = COLOURS.sub("", text)
    bad = {c for c in rest if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert bad == set()
    rest.encode()  # and no lone surrogate


# ---------------------------------------------------------------------------------------------------- text and terminal


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_plain_text_is_one_printable_line(text: str) -> None:
    assert_inert(plain(text))
    assert "\n" not in plain(text)
    assert plain(plain(text)) == plain(text)
    assert len(plain(text, 20)) <= 20


def test_harmless_text_is_left_as_it_is() -> None:
    for text in (PLAIN_PUNCTUATION, "Δ = +0.02 × 3, x → ∞", "中文字", "naïve é", "B.gamma_step"):
        assert plain(text) == text
    assert csv_cell(PLAIN_PUNCTUATION) == PLAIN_PUNCTUATION
    assert [csv_cell(value) for value in ("-2", "-1/2", "+1.5e-3", -2.0, True, None)] == [
        *("-2", "-1/2", "+1.5e-3", -2.0, True, None)
    ]
    assert markdown("B.gamma_step 50 % [1.5, 2.5] (3 points) a < b") == "B.gamma_step 50 % [1.5, 2.5] (3 points) a < b"


def test_escape_sequences_go_as_a_whole() -> None:
    assert plain("\x1b[31mred\x1b[0m") == "red"
    assert plain("\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\") == "click"
    assert plain("\x1b]0;title\x07x\x9b2Jy") == "xy"
    assert plain("\x1b[31") == "31"


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("width", [0, 60])
def test_terminal(text: str, width: int) -> None:
    shown_rows = rendered(text, fmt="terminal", points=True, reasons=True, width=width)
    assert_inert(shown_rows)
    if not width:
        assert shown_rows.count("\n") == rendered("harmless", fmt="terminal", points=True, reasons=True).count("\n")
        assert plain(text).replace("\N{NO-BREAK SPACE}", " ").strip() in shown_rows
    check = replace(next(iter(discover().values())), claim=claim_of(text), parts=())
    assert_inert(claim_page.render(check, width=width))
    plan = PlanRow(row_of(text), None, note=text, cost=PresetCost(Preset.FULL, 2, {"a": 1.0}, text))
    assert_inert(plan_table.render([plan, plan], fmt="terminal", workers=2, width=width))
    (item, _) = json.loads(plan_table.render([plan, plan], fmt="json", workers=2))
    assert item["part"] == plain(text)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_messages_and_progress(text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["show", text if not text.startswith("-") else f"A.{text}"]) == 2
    with shown(per_worker=True) as report:
        report(Progress(120, 120, 0, 20.0, text, {text: WorkerProgress(1, 2.0, text)}))
    err = capsys.readouterr().err
    assert_inert(err)
    assert err.count("\n") == 3

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "200")
    with shown(per_worker=True) as report:
        report(Progress(1, 120, 0, 20.0, text, {text: WorkerProgress(1, 2.0, text)}))
    assert "\x1b]" not in terminal.getvalue()
    assert "1/120" in terminal.getvalue()
    if text.startswith("[bold]"):
        assert text in "".join(terminal.getvalue().split("\n"))


def test_a_long_message_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "A." + "x" * 100_000]) == 2
    assert len(capsys.readouterr().err) <= 2001


# ------------------------------------------------------------------------------------------- markdown, csv, LaTeX, json


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_markdown_is_tables_of_text(text: str) -> None:
    page = rendered(text, fmt="markdown", points=True)
    assert_inert(page)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page)
    assert {token.type.removesuffix("_open").removesuffix("_close") for token in tokens} == {
        *("table", "thead", "tbody", "tr", "th", "td", "inline", "paragraph")
    }
    inline = [token for token in tokens if token.type == "inline"]
    leaves = {child.type for token in inline for child in token.children or ()}
    assert leaves <= {"text", "text_special", "strong_open", "strong_close"}
    read = ["".join(child.content for child in token.children or ()) for token in inline]
    assert plain(text).strip() in [cell.strip() for cell in read]
    cells = [token.type for token in tokens].count("td_open")
    assert cells == len(LINE_COLUMNS) + 2 * 6
    assert "<script" not in page.lower()


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("points", [False, True])
def test_csv_has_no_formula(text: str, points: bool) -> None:
    page = rendered(text, fmt="csv", points=points)
    assert_inert(page)
    rows = list(csv.reader(io.StringIO(page)))
    assert {len(row) for row in rows} == {13 if points else len(rows[0])}
    assert len(rows) == (3 if points else 2)
    for cell in rows[-1]:
        assert re.match(r"\s*[=@＝＋－＠]", cell) is None
        assert re.match(r"\s*[-+]", cell) is None or re.fullmatch(r"[-+][\d.e/+-]+", cell)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_latex_is_text(text: str) -> None:
    page, harmless = (rendered(words, fmt="latex") for words in (text, "harmless"))
    assert_inert(page)
    assert page.isascii()
    assert {name for name in COMMAND.findall(page) if name not in COMMAND.findall(harmless)} <= LETTERS
    assert page.count(r"\\") == harmless.count(r"\\")
    body = page.split(r"\endlastfoot")[1]
    assert body.replace(r"\&", "").count("&") == 6
    rest = re.sub(r"\\[&%$#_{}]", "", latex(text))
    assert rest.count("{") == rest.count("}")
    assert re.search(r"[%$#_]|&|\[(?!})|(?<!\{)\[", re.sub(r"\$-\$", "", rest)) is None


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_json_holds_the_plain_text(text: str) -> None:
    page = rendered(text, fmt="json")
    assert page.isascii()
    (item,) = json.loads(page)
    assert item["part"] == item["reason"] == item["source"] == plain(text)
    assert_inert(item["part"])


def test_exported_cells_are_inert(tmp_path: Path) -> None:
    system = next(iter(systems().values()))
    with Store(tmp_path / "results.sqlite") as store:
        for number, text in enumerate(text for text in HOSTILE if text.isprintable()):
            spec = TrialSpec(system, {"word": text}, number)
            store.put([Trial(spec, TrialResult(Outcome.CONVERGED, {"told": text}), 1.0)])
        export(store, tmp_path / "out")
    (page,) = (tmp_path / "out").glob("*.csv")
    rows = list(csv.DictReader(io.StringIO(page.read_text(encoding="utf-8"))))
    assert len(rows) > 20
    assert not any(re.match(r"\s*[=@+-]\D", cell) for row in rows for cell in row.values())


# ------------------------------------------------------------------------------------------------------------- pictures


def pictured(texts: list[str]) -> Row:
    """A row whose title, reason, axes, curves and panels carry the texts."""
    one, two, three, four = texts
    row = row_of(one)
    return replace(
        row,
        part=two,
        claim=replace(row.claim, observable=three),
        judgement=replace(row.judgement, explanation=finding(four)),
        display=Display(one, four),
        axis=Axis(sp.Symbol(one, positive=True), "zero"),
    )


QUARTERS = [(HOSTILE + HOSTILE)[start : start + 4] for start in range(0, len(HOSTILE), 4)]


@pytest.mark.parametrize("texts", QUARTERS, ids=lambda texts: ascii(texts[0]))
def test_svg_is_a_picture_of_text(texts: list[str], tmp_path: Path) -> None:
    assert_picture(files.row_figure(pictured(texts)), texts)


@pytest.mark.parametrize("texts", QUARTERS[::3], ids=lambda texts: ascii(texts[0]))
def test_svg_of_panels_is_a_picture_of_text(texts: list[str]) -> None:
    one, two, three, four = texts
    axis = np.array([1.0, 2.0])
    pictures = (
        Matrix(one, np.eye(2)),
        Lines(two, axis_words=three, axis=axis, lines={four: axis}, level=(one, 1.5), marks={two: 1.5}),
        Cells(three, x_words=four, y_words=one, xs=(1.0,), ys=(1.0,), names=((two,),), legend=(two,)),
    )
    assert_picture(files.row_figure(replace(row_of(one), display=Display(pictures=pictures))), texts)


def assert_picture(figure: object, texts: list[str]) -> None:
    import warnings

    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Title": plain(texts[0])})
    root = ElementTree.fromstring(buffer.getvalue())
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not names & {"script", "a", "foreignObject", "iframe", "animate", "set"}
    links = [value for e in root.iter() for name, value in e.attrib.items() if name.rpartition("}")[2] == "href"]
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert not any(name.lower().startswith("on") for element in root.iter() for name in element.attrib)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_names_of_files_stay_in_their_folder(text: str, tmp_path: Path) -> None:
    for name in (file_name(text), *files.file_names([pictured([text] * 4)])):
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name)
        assert len(name) < 200
        assert (tmp_path / name).resolve().parent == tmp_path.resolve()


def test_written_pictures_carry_plain_words(tmp_path: Path) -> None:
    (svg, png) = files.write_rows([pictured(["\x1b[31m$x$", "中<script>", "\ud800", "\u202e&"])], tmp_path)
    ElementTree.parse(svg)
    assert b"\x1b" not in png.read_bytes().partition(b"IDAT")[0][8:]


def test_dollars_are_no_formula() -> None:
    from matplotlib.cbook import is_math_text

    assert not any(is_math_text(drawn(text)) for text in HOSTILE)
    assert not any(drawn(text).startswith("_") for text in HOSTILE)
