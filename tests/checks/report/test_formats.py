"""A format of a table is one file that knows the model alone; none of them lets a text become anything else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from checks.records.preset import Preset
from checks.report import FORMATS, formats
from checks.report.table import render
from checks.report.writing.from_rows import document
from checks.report.writing.model import Figure, Mathematics, Options, Span, Words, WrittenCell
from tests.checks.report.printed import phrases
from tests.checks.report.test_arithmetic import rows_of
from tests.checks.report.test_escape import HOSTILE, assert_inert, row_of
from theory.claim import Kind

NEW = '''"""One line a claim, its figures apart: a format that a test makes up."""

from checks.report.writing.model import Document, Figure, Options


def write(document: Document, wanted: Options) -> str:
    """Id and figures."""
    return "".join(f"{line['claim'].text}; {line['figures'].text}\\n" for line in document.claims.lines)
'''


def test_every_file_is_a_format_and_has_what_a_format_needs() -> None:
    folder = Path(formats.__file__).parent
    assert set(FORMATS) == {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert {"terminal", "markdown", "csv", "html", "json", "latex"} <= set(FORMATS)
    rows = {"A.x": rows_of(Kind.UPPER, "zero", 0)}
    for fmt in FORMATS:
        assert render(rows, Preset.QUICK, fmt=fmt).endswith("\n")
    with pytest.raises(
        ValueError, match="fmt must be one of csv, html, json, latex, macros, markdown, terminal, got 'xml'"
    ):
        render(rows, Preset.QUICK, fmt="xml")


def test_a_new_format_is_one_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made_up_lines.py").write_text(NEW, encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, "made_up_lines"))
    rows = rows_of(Kind.LOWER, "infinity", 1)
    text = render({"A.x": rows}, Preset.QUICK, fmt="made_up_lines")
    (found,) = phrases(text)
    assert text.startswith("A.x; x → ∞: ")
    assert found.relation == "≥"
    assert found.adds_up


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_html_is_a_table_whatever_a_text_holds(text: str) -> None:
    for options in ({"parts": False}, {"points": True, "reasons": True}):
        page, plain = (
            render({"A.made_up": [row_of(words)]}, Preset.QUICK, fmt="html", **options) for words in (text, "harmless")
        )
        assert_inert(page)
        assert _Tags(page).tags == _Tags(plain).tags


def test_what_a_line_shows_is_typed() -> None:
    rows = {"A.x": rows_of(Kind.TIGHT, "zero", 2)}
    found = document(rows, Preset.QUICK, Options())
    for row, line in zip(rows["A.x"], found.lines.lines, strict=True):
        (measured,), (claimed,), (delta,) = (line[key].figures for key in ("measured", "claimed", "delta"))
        assert (measured.unit, claimed.unit, delta.unit) == ("exponent", "exponent", "Δ")
        assert (measured.value, claimed.value) == (row.judgement.exponents.measured, row.judgement.exponents.on_grid)
        assert delta.value == row.judgement.delta
        (span,) = (piece for phrase in line["delta"].phrases for piece in phrase if isinstance(piece, Span))
        assert span.interval == row.judgement.confidence_interval
        assert span.level == ("range" if row.part == "exact" else "95 %")
    assert (
        WrittenCell(((Words("a "), Mathematics("≤", r"\leq")), (Figure(1.0, "1.00", "exponent"),))).text == "a ≤ 1.00"
    )


def test_a_screen_keeps_short_phrases_whole() -> None:
    rows = {"A.x": rows_of(Kind.UPPER, "zero", 3)}
    for width in (60, 80):
        text = re.sub(r"\x1b\[[0-9;]*m", "", render(rows, Preset.QUICK, fmt="terminal", parts=False, width=width))
        assert all(len(line) <= width for line in text.splitlines())
        assert re.search(r"Δ [+-]\d+\.\d+ \[\S+, \S+\]", text)
