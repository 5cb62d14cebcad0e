"""`theoremeter prove`: the verdict on stdout, bad input in one line on stderr, the record in JSON."""

from __future__ import annotations

import json

import pytest

from checks.cli import main
from theory.checker.replay import replay


def test_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "exp(-x) <= 1 - x/2", "--let", "x=0:1", "--given", "x >= 1/2"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "proved: exp(-x) <= 1 - x/2 for x in [0, 1] where x >= 1/2"
    assert said[1] == "    its certificate was re-checked by the independent checker"


def test_a_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "x <= 1", "--let", "x=0:2"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("refuted: x <= 1 for x in [0, 2]\n    at x = 2 the left side minus the right side is 1\n")


def test_whole_numbers_and_an_end_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["prove", "n/x >= 1", "--let", "x=(0, 1]", "--let", "n=1:oo", "--integer", "n"]
    assert main(words) == 0
    assert capsys.readouterr().out.startswith("proved: n/x >= 1 for x in (0, 1], whole n in [1, oo)")


@pytest.mark.parametrize(
    "words",
    [
        ["-x<=1", "--given", "-x<=2", "--let", "x=0:1", "--seconds", "9"],
        ["--given", "-x<=2", "--let", "x=0:1", "-x<=1", "--seconds", "9"],
        ["--let=x=0:1", "--seconds=9", "--given=-x<=2", "-x<=1"],
        ["-q", "--let", "x=0:1", "--given", "-x<=2", "--", "-x<=1"],
    ],
    ids=" ".join,
)
def test_options_stand_in_any_order_and_a_statement_may_begin_with_a_minus(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prove", *words]) == 0
    assert capsys.readouterr().out.startswith("proved: -x<=1 for x in [0, 1] where -x<=2\n")


def test_json_has_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "x <= 1/3", "--let", "x=0:1/2", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "refuted"
    assert told["point"].keys() == {"x"}
    assert replay(told["record"]) == "refuted"


BAD = [
    (["x <= 1"], "statement must have names with a range, got 'x' at column 1"),
    (["-x<=1", "--lot", "x=0:1"], "options must be those of theoremeter prove, got '--lot x=0:1'; nearest is --let"),
    (["-x"], "the following arguments are required: STATEMENT"),
    (["-x<=1", "-y<=1", "--let", "x=0:1"], "no more words must follow for theoremeter prove"),
    (["x <= 1", "--let", "x"], "let must be NAME=LOW:HIGH, got 'x'"),
    (["x <= 1", "--let", "x=0"], "range of x must be low:high"),
    (["x <= 1", "--let", "x=0:1", "--let", "x=0:2"], "let must give each name once, got x twice"),
    (["x <= 1", "--let", "x=0:1", "--given", "x"], "given must be a relation"),
    (["x <= 1", "--let", "x=0:1", "--integer", "y"], "integers must be names with a range, got 'y'"),
    (["x <= 1", "--let", "x=0:1", "--seconds", "0"], "argument --seconds: must be a number of seconds > 0"),
    (["x <= 1", "--let", "x=0:1", "--seconds", "nan"], "argument --seconds: must be a number of seconds > 0"),
    (["9**9**9 > x", "--let", "x=0:1"], "statement must have exponents of at most 10000"),
    (["__import__('os') > x", "--let", "x=0:1"], "statement must have functions that are known"),
    (["x > 0\x1b[31m", "--let", "x=0:1"], "statement must be made of numbers"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[said for _, said in BAD])
def test_bad_input_is_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", *words]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith(f"theoremeter: {said}")
    assert streams.err.count("\n") == 1
    assert streams.err.rstrip("\n").isprintable()


def test_a_constant_that_may_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "x <= c", "--let", "x=0:1", "--exists", "c=0:2"]) == 0
    assert "proved: exists c in [0, 2]: x <= c for x in [0, 1]\n    with c = 2\n" in capsys.readouterr().out
    assert main(["prove", "exists c in [0, 1): forall x in [0, 1]: x <= c", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["constants"]) == ("refuted", {})
    assert replay(told["record"]) == "refuted"
    assert main(["prove", "x <= c", "--let", "x=0:1", "--exists", "c"]) == 2
    assert "exists must be NAME=LOW:HIGH, got 'c'" in capsys.readouterr().err
