"""`theoremeter prove FILE`: SMT-LIB and lists of statements from files, and bad files in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands import problem_file
from theory.checker.replay import replay

UNSAT = """(set-logic QF_NRA)
(set-info :status unsat)
(declare-fun |the angle| () Real)
(assert (or (> (sin |the angle|) 1) (< (* |the angle| |the angle|) 0)))
(check-sat)
"""


def test_a_file_whose_assertions_contradict_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.smt2").write_text(UNSAT)
    assert main(["prove", str(tmp_path / "a.smt2")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "proved: no values satisfy the assertion of a.smt2",
        "    all 2 certificates were re-checked by the independent checker",
    ]


def test_a_file_that_can_be_satisfied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = UNSAT.replace("1)", "(/ 1 2))").replace("(check-sat)", "(declare-const b Bool)(assert (not b))(check-sat)")
    (tmp_path / "a.smt2").write_text(text)
    assert main(["prove", str(tmp_path / "a.smt2"), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "refuted"
    assert told["point"].keys() == {"the angle", "b"}
    assert told["point"]["b"] == "false"
    assert told["note"] == "the file's own status is unsat, which contradicts this"
    assert [replay(record) for record in told["records"]] == ["refuted"]


def test_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("# mine\nsquare: x^2 >= 0\n\nstrict: x^2 > 0 | x in [0, 1] | proved\n")
    assert main(["prove", str(tmp_path / "a.txt")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "proved: square",
        "    its certificate was re-checked by the independent checker",
        "refuted: strict",
        "    at x = 0",
        "    proved was expected, which contradicts this",
    ]


def test_each_answer_of_a_list_is_printed_before_the_next_is_sought(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("first: x^2 >= 0\nsecond: x^2 >= -1\n")
    printed, settle = [], problem_file.settle
    monkeypatch.setattr(
        problem_file, "settle", lambda *a, **k: (printed.append(capsys.readouterr().out), settle(*a, **k))[1]
    )
    assert main(["prove", str(tmp_path / "a.txt")]) == 0
    assert printed == ["", "proved: first\n    its certificate was re-checked by the independent checker\n"]
    assert capsys.readouterr().out == printed[1].replace("first", "second")


BAD = [
    ("a.smt2", b"(assert (> x 1)", [], "a.smt2: line 1: an opening bracket must be closed"),
    ("a.smt2", b"(set-logic UF)", [], "a.smt2: line 1: the logic must be one of"),
    ("a.smt2", b"\xff\xfe", [], "a.smt2: a file must be UTF-8"),
    ("a.smt2", b"\x00" * 10, [], "a.smt2: line 1: a file must be text, got a NUL"),
    ("a.smt2", b"(" * 5000, [], "a.smt2: line 1: brackets must be at most 400 deep"),
    ("a.txt", b"", [], "a.txt: a list must have a statement, got none"),
    ("a.txt", b"a: x <= y^(1/0)", [], "a.txt: line 1: the statement must not divide by 0"),
    ("a.txt", b"a: x <= 1", ["--let", "x=0:1"], "a file must say all of its statement, got --let"),
    ("none.txt", None, [], "statement must be a formula or a file that exists, got 'none.txt'"),
    ("\x1b[31m.smt2", None, [], "statement must be a formula or a file that exists"),
]


@pytest.mark.parametrize(("name", "data", "words", "said"), BAD, ids=range(len(BAD)))
def test_bad_files_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, data: bytes | None, words: list[str], said: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    assert main(["prove", str(tmp_path / name), *words]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith(f"theoremeter: {said}")
    assert streams.err.count("\n") == 1
    assert streams.err.rstrip("\n").isprintable()


def test_a_file_that_is_too_large(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem_file, "MAX_BYTES", 10)
    (tmp_path / "a.smt2").write_text(UNSAT)
    assert main(["prove", str(tmp_path / "a.smt2")]) == 2
    assert capsys.readouterr().err == "theoremeter: a.smt2: a file must have at most 10 bytes, got more\n"


def test_a_list_with_constants_that_may_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        "a: exists c in [0, 2]: forall x in [0, 1]: x <= c",
        "b: exists c in [0, 1/2]: x <= c | x in [0, 1] | proved",
    ]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    assert main(["prove", str(tmp_path / "a.txt")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "proved: a",
        "    with c = 2",
        "    its certificate was re-checked by the independent checker",
        "refuted: b",
        "    no choice serves: for c in [0, 1/2] it fails at x = 1",
        "    its certificate was re-checked by the independent checker",
        "    proved was expected, which contradicts this",
    ]
