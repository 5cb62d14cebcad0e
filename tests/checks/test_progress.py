"""Progress on stderr: whole lines where nobody can see a bar move, with all that one wants to know."""

from __future__ import annotations

import io
import sys

import pytest

from checks.report.progress import shown
from sim.run import Progress, WorkerProgress

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


def test_workers_are_listed_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    with shown(per_worker=True) as report:
        report(progress(30, 20.0))
    assert capsys.readouterr().err.splitlines()[1:] == [
        "  a:1: 29 trials, busy 75 %, last A.iterations",
        "  b:2: 1 trials, busy 10 %, last A.samples",
    ]


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
