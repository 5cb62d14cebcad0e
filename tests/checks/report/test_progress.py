"""Progress on stderr: whole lines where nobody can see a bar move, with all that one wants to know."""

from __future__ import annotations

import io
import itertools
import math
import re
import sys

import pytest

from checks.report.progress import passing, shown
from sim.running.run import Progress, WorkerProgress
from tests.checks.terminal import screen

TICKS = itertools.count(1)
WORKERS = {"b:2": WorkerProgress(1, 2.0, "A.samples"), "a:1": WorkerProgress(29, 15.0, "A.iterations")}


def progress(done: int, seconds: float, failed: int = 0) -> Progress:
    return Progress(done, 120, failed, seconds, "A.samples", WORKERS)


def test_without_a_terminal_progress_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with shown() as report:
        for done in range(1, 121):
            report(progress(done, done / 4, failed=done // 60))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "40/120 trials, 10 s, 4/s, about 20 s left, now A.samples",
        "80/120 trials, 20 s, 4/s, about 10 s left, 1 failed, now A.samples",
        "120/120 trials, 30 s, 4/s, 2 failed, now A.samples",
    ]


def test_the_time_left_has_two_significant_digits(capsys: pytest.CaptureFixture[str]) -> None:
    with shown() as report:
        for left in (7094.2, 4455.0, 311.0, 94.4, 1_012_000.0, math.inf):
            report(Progress(3, 120, 0, 10.0 * next(TICKS), "A.x", {}, left))
    said = [line.partition("/s, ")[2] for line in capsys.readouterr().err.splitlines()]
    assert said == [f"{about}now A.x" for about in (
        "about 2 h left, ", "about 74 min left, ", "about 5.2 min left, ", "about 94 s left, ", "about 281 h left, ", ""
    )]  # fmt: skip


def test_workers_are_listed_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    with shown(per_worker=True) as report:
        report(progress(30, 20.0))
    assert capsys.readouterr().err.splitlines()[1:] == [
        "  a:1: 29 trials, busy 75 %, last A.iterations",
        "  b:2: 1 trials, busy 10 %, last A.samples",
    ]


def test_a_table_that_takes_long_says_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took 39 s without a word where nobody sees a bar."""
    clock = itertools.count(0.0, 4.0)
    monkeypatch.setattr("checks.report.progress.time.monotonic", lambda: next(clock))
    with passing(range(7), "judging claims", total=7) as things:
        assert list(things) == list(range(7))
    assert capsys.readouterr().err.splitlines() == ["judging claims: 2 of 7, 12 s", "judging claims: 5 of 7, 24 s"]
    with passing(range(7), "judging claims", total=7, quiet=True) as things:
        assert list(things) == list(range(7))
    assert capsys.readouterr().err == ""


def test_nothing_to_do_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with shown():
        pass
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_in_a_terminal_progress_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with shown(per_worker=True) as report:
        report(progress(30, 20.0, failed=2))
    last = terminal.getvalue()
    assert all(text in last for text in ("A.samples, 2 failed", "30/120", "1.5/s", "a:1: 29 trials, busy 75 %"))


def test_an_estimate_before_the_first_trial_is_no_number() -> None:
    assert progress(0, 1.0).seconds_left == float("inf")
    assert Progress(0, 3, 0, 0.0, "").rate == 0.0


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_a_bar_fits_its_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with screen(columns) as (found, stream), monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setenv("COLUMNS", str(columns))
        with shown(per_worker=True) as report:
            report(Progress(12345, 67890, 12, 20_000.0, "A.a_claim_with_a_name_of_some_length", WORKERS))
    last = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", bytes(found.written).decode()).replace("\r", "\n")
    lines = [line for line in last.splitlines() if "67890" in line]
    assert lines
    for line in lines:
        assert len(line) <= columns
        assert all(words in line for words in ("A.", ", 12 failed", "12345/67890", "0.617/s", "0:00:0", "left"))
    assert "  a:1: 29 trials, busy 0 %, last A.iterations" in last
