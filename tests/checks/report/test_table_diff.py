"""What moved between two tables, and tables from strangers."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path

import pytest

from checks.cli import main
from checks.report.json_table import TableLine, lines_of, read
from checks.report.table_diff import Moved, compare, records, render
from checks.statistics.comparisons import apart, difference, differs
from checks.statistics.verdict import Interval, Verdict
from tests.checks.report.test_escape import HOSTILE, assert_inert

LINE = TableLine("A.made_up", "grid", "n", Verdict.TIGHT, Verdict.TIGHT, 0.1, -1.0, Interval(0.0, 0.2), 40, "quick")
RATE = TableLine(
    "A.rate", "", "", Verdict.HOLDS, Verdict.HOLDS, interval=Interval(0.9, 1.0), n_trials=20, preset="quick"
)
RECORD = {
    "id": "A.made_up", "part": "grid", "axis": "n", "verdict": "tight", "claim_verdict": "tight", "delta": 0.1,
    "measured_exponent": -1.0, "confidence": 0.99, "confidence_interval": [0.0, None], "n_trials": 40,
    "preset": "quick",
}  # fmt: skip


def moved(line: TableLine, **changes: object) -> Moved:
    (change,) = compare([line], [replace(line, **changes)]).changes
    return change.noise


# ----------------------------------------------------------------------------------------------------------- statistics


def test_the_interval_of_a_difference_is_that_of_normal_estimates() -> None:
    one, other = Interval(1 - 0.3, 1 + 0.3), Interval(0 - 0.4, 0 + 0.4)
    found = difference(1.0, one, 0.0, other)
    assert (found.low, found.high) == pytest.approx((0.5, 1.5))


def test_each_end_takes_the_ends_on_its_side() -> None:
    found = difference(0.0, Interval(-3.0, 1.0), 0.0, Interval(-2.0, 4.0))
    assert (found.low, found.high) == pytest.approx((-5.0, math.hypot(1, 2)))
    unbounded = difference(0.0, Interval(-math.inf, 1.0), 5.0, Interval(4.0, 6.0))
    assert (unbounded.low, differs(unbounded)) == (-math.inf, True)
    with pytest.raises(ValueError, match="must lie in its interval"):
        difference(2.0, Interval(0.0, 1.0), 0.0, Interval(-1.0, 1.0))


def test_equal_truths_differ_as_often_as_the_level_says() -> None:
    """2000 pairs of estimates of one number with known standard errors, from a fixed seed."""
    draw = random.Random(0)
    false = 0
    for _ in range(2000):
        a, b = draw.gauss(0, 1), draw.gauss(0, 2)
        false += differs(difference(a, Interval(a - 1.96, a + 1.96), b, Interval(b - 3.92, b + 3.92)))
    assert 70 <= false <= 130  # 100 expected


def test_intervals_apart_have_no_point_in_common() -> None:
    assert apart(Interval(0, 1), Interval(2, 3))
    assert not apart(Interval(0, 1), Interval(1, 3))


# ----------------------------------------------------------------------------------------------------------- comparison


def test_a_figure_moves_within_noise_or_beyond_it() -> None:
    assert moved(LINE) is Moved.SAME
    assert moved(LINE, delta=0.2, interval=Interval(0.1, 0.3)) is Moved.WITHIN
    assert moved(LINE, delta=0.3, interval=Interval(0.2, 0.4)) is Moved.BEYOND
    assert moved(LINE, interval=None) is Moved.UNKNOWN
    assert moved(LINE, delta=0.3, interval=None) is Moved.UNKNOWN
    assert moved(LINE, delta=None) is Moved.UNKNOWN
    assert moved(LINE, delta=0.9) is Moved.WITHIN  # outside its own interval: whether the intervals overlap decides


def test_a_rate_is_beyond_noise_where_the_intervals_no_longer_overlap() -> None:
    assert moved(RATE, interval=Interval(0.5, 0.95)) is Moved.WITHIN
    assert moved(RATE, interval=Interval(0.5, 0.85)) is Moved.BEYOND


def test_a_range_without_noise_moves_beyond_it_by_any_difference_but_rounding() -> None:
    exact = replace(LINE, interval=Interval(0.1, 0.1))
    assert moved(exact, delta=0.1 + 1e-12, interval=Interval(0.1 + 1e-12, 0.1 + 1e-12)) is Moved.WITHIN
    assert moved(exact, delta=0.101, interval=Interval(0.101, 0.101)) is Moved.BEYOND


def test_headlines_verdicts_and_lines_of_one_alone_are_told() -> None:
    after = [replace(LINE, verdict=Verdict.VIOLATED, headline=Verdict.VIOLATED), replace(RATE, part="new")]
    found = compare([LINE, RATE], after)
    assert found.is_news
    text = render(found, ("old.sqlite", "new.sqlite"))
    assert "A.made_up: headline violated, was tight" in text
    assert "A.made_up (grid, n): violated, was tight; figures the same" in text
    assert "in old.sqlite alone: A.rate: holds" in text
    assert "in new.sqlite alone: A.rate (new): holds" in text
    item = json.loads(json.dumps(records(found, ("a", "b")), allow_nan=False))
    assert item["headlines"] == [{"id": "A.made_up", "before": "tight", "after": "violated"}]
    assert [line["part"] for line in item["only_after"]] == ["new"]


def test_noise_is_counted_and_shown_on_request() -> None:
    found = compare([LINE], [replace(LINE, delta=0.12, interval=Interval(0.02, 0.22))])
    assert not found.is_news
    quiet, every = (render(found, ("a", "b"), every=every) for every in (False, True))
    assert "figures moved on 1 lines, on 0 of 1 with intervals beyond noise" in quiet
    assert "grid" not in quiet
    assert "Δ +0.12 [0.02, 0.22], was exponent -1, Δ +0.1 [0, 0.2]; Δ moved by [-0.121, +0.161]: within noise" in every


def test_presets_that_differ_are_named() -> None:
    assert "Lines at preset quick are compared with lines at preset full" in render(
        compare([LINE], [replace(LINE, preset="full")]), ("a", "b")
    )


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_words_are_text(text: str) -> None:
    (line,) = lines_of([{**RECORD, "part": text, "axis": text, "id": text}], "x")
    for width in (0, 40):
        found = compare([LINE, line], [replace(line, verdict=Verdict.LOOSE)])
        assert_inert(render(found, (text, text), every=True, width=width))


# ------------------------------------------------------------------------------------------------- tables from a file

SOUND = json.dumps([RECORD])
BAD = {
    "no JSON": "[{",
    "deep": "[" * 100_000,
    "an object": "[1]",
    "no list": '{"id": 1}',
    "not a number": SOUND.replace("0.1", "NaN"),
    "infinite": SOUND.replace("0.1", "1e999"),
    "endless": SOUND.replace("0.1", "9" * 10_000),
    "a large integer": SOUND.replace("0.1", "9" * 400),
    "a text for a number": SOUND.replace("0.1", '"0.1"'),
    "a flag for a number": SOUND.replace("0.1", "true"),
    "an interval of three": SOUND.replace("[0.0, null]", "[0, 1, 2]"),
    "an interval upside down": SOUND.replace("[0.0, null]", "[1, 0]"),
    "a verdict of their own": SOUND.replace('"tight"', '"\\u001b[2J"'),
    "a verdict that is a list": SOUND.replace('"verdict": "tight"', '"verdict": []'),
    "a key less": SOUND.replace('"part"', '"port"'),
    "a long text": SOUND.replace("grid", "x" * 5000),
    "twice": json.dumps([RECORD, RECORD]),
    "fewer than no trials": SOUND.replace("40", "-1"),
    "no UTF-8": None,
}


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sound.json"
    path.write_text(SOUND, encoding="utf-8")
    return path


def test_a_table_reads_back(table: Path) -> None:
    assert read(table) == [replace(LINE, interval=Interval(0.0, math.inf), confidence=0.99)]


def test_a_table_from_when_all_intervals_had_95_percent_reads_back(table: Path) -> None:
    old = {name: value for name, value in RECORD.items() if "confidence" not in name}
    table.write_text(json.dumps([{**old, "ci95": [0.0, 0.2]}]), encoding="utf-8")
    assert read(table) == [replace(LINE, confidence=0.95)]


@pytest.mark.parametrize("name", BAD)
def test_a_malformed_table_is_refused_in_one_line(name: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = BAD[name]
    bad = table.with_name("bad.json")
    bad.write_bytes(b'[{"id": "\xff"}]' if content is None else content.encode())
    assert main(["diff", "sound.json", "bad.json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("theoremeter: bad.json")
    assert err.count("\n") == 1
    assert err.strip().isprintable()


def test_exit_codes(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.with_name("moved.json").write_text(
        SOUND.replace('"verdict": "tight"', '"verdict": "loose"'), encoding="utf-8"
    )
    assert main(["diff", "sound.json", "sound.json"]) == 0
    assert main(["diff", "sound.json", "moved.json", "--format", "json"]) == 1
    assert capsys.readouterr().err == ""
    for words in (["sound.json", "none"], ["sound.json", "moved.json", "B.what"], ["sound.json"]):
        assert main(["diff", *words]) == 2, words
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["diff", "sound.json", "moved.json", "A", "A.made_up", "A.*"]) == 1


def test_a_table_is_bounded(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.report.json_table.MAX_BYTES", 100)
    with pytest.raises(ValueError, match="at most 100 bytes"):
        read(table)
