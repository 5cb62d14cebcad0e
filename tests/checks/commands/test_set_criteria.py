"""Criteria that were set after trials had been seen: every table says so, and of fresh trials nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands.objects import table
from checks.records.criteria import Criteria, criteria_path, read_criteria, set_later
from tests.papers import edit, write_paper

RUN = ("--paper", "mine", "run", "--preset", "smoke", "--executor", "serial")
TABLE = ("--paper", "mine", "table", "--preset", "smoke", "toy.mean")
NARROWER = "value=1 / n, margin=sp.Rational(1, 13),"


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A paper whose trials have been run."""
    monkeypatch.chdir(tmp_path)
    folder = write_paper(Path("mine"))
    assert main(RUN) == 0
    capsys.readouterr()
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The line of the claim, as a table prints it."""
    assert main([*TABLE, *words]) == 0
    return " ".join(capsys.readouterr().out.partition("1 claim at")[0].split())


def test_a_margin_that_was_set_before_the_trials_is_not_mentioned(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "trials were seen" not in said(capsys, "--reasons")


def test_a_margin_set_after_trials_were_seen_stands_in_the_headline(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(paper / "claims.py", "value=1 / n,", NARROWER)
    words = "margin of the order 1/13 (before: 1/4) set after 15 of 15 trials were seen"
    assert words in said(capsys)
    assert main(RUN) == 0  # to run again without new trials does not launder it
    capsys.readouterr()
    assert words in said(capsys)
    (row,) = json.loads(said(capsys, "--format", "json"))
    assert words in row["reason"]
    found = table("toy.mean", paper=paper, store=".theoremeter/results.sqlite", preset="smoke")
    assert words in found.lines["toy.mean"][0].judgement.reason
    edit(paper / "claims.py", NARROWER, "value=1 / n,")
    assert "trials were seen" not in said(capsys, "--reasons")


def test_of_more_trials_those_count_that_were_there_before(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(paper / "claims.py", "value=1 / n,", NARROWER)
    edit(paper / "checks.py", "{}, 3)", "{}, 10)")
    assert main(RUN) == 0
    capsys.readouterr()
    assert "set after 15 of 50 trials were seen" in said(capsys)


def test_fresh_replicates_are_no_trials_that_were_seen(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(paper / "claims.py", "value=1 / n,", NARROWER)
    edit(paper / "checks.py", "{}, 3)", "{}, 3, first_replicate=3)")
    assert main(RUN) == 0
    assert "15 trials in" in capsys.readouterr().err
    assert "trials were seen" not in said(capsys, "--reasons")
    edit(paper / "checks.py", "{}, 3, first_replicate=3)", "{}, 6)")
    assert "set after 15 of 30 trials were seen" in said(capsys)


def test_a_part_s_own_criterion_is_one(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(paper / "checks.py", 'name="sizes"', 'name="sizes", ratio_margin=0.2')
    assert "ratio_margin 0.2 (before: 0.05) set after 15 of 15 trials were seen" in said(capsys)


@pytest.mark.parametrize("text", ["", "[[]]", "{", '[{"claim": 1}]', "null", "[" * 100_000])
def test_a_file_that_cannot_be_read_is_none(paper: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = criteria_path(Path(".theoremeter/results.sqlite"))
    assert read_criteria(".theoremeter/results.sqlite")["toy.mean", "sizes"][0].seen == frozenset()
    path.write_text(text, encoding="utf-8")
    assert read_criteria(".theoremeter/results.sqlite") == {}
    edit(paper / "claims.py", "value=1 / n,", NARROWER)
    assert "trials were seen" not in said(capsys)


def test_criteria_that_a_later_version_adds_are_none_that_moved() -> None:
    runs = (Criteria({"margin": "1/4"}),)
    assert set_later(runs, {"margin": "1/4", "new": "3"}, ["ab" * 32]) == ()
    assert set_later((), {"margin": "1/4"}, ["ab" * 32]) == ()
