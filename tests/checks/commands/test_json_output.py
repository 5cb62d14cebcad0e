"""What programs read: the JSON of every command obeys the published schema, and a schema that says too little shows."""

from __future__ import annotations

import argparse
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from checks.cli import main
from checks.commands.parser import parser
from checks.report.schema import schema_of, schemas
from tests.papers import edit
from tests.site_pages import made_store

PAGE = Path(__file__).parents[3] / "docs" / "schema.json"
STORED = ("--preset", "smoke", "--store", "s.sqlite")
CSV = "n,risk\n" + "".join(f"{n},{(1 + 0.01 * k) / n}\n" for n in range(10, 50, 2) for k in (0, 1))
JUDGED = ("risk.csv", "--value", "risk", "--claim", "1/n")
COMMANDS = {
    "list": [("toy",)],
    "show": [("toy", *STORED)],
    "explain": [("toy", *STORED), ("A.samples",)],
    "errata": [("A",)],
    "repairs": [("toy", *STORED)],
    "table": [("toy", *STORED)],
    "plan": [("toy.mean", *STORED, "--within", "0.01")],
    "judge": [(*JUDGED, "--axis", "n", "--relation", "tight"), ("risk.csv", "--search", "--value", "risk")],
    "prove": [("x<=2", "--let", "x=0:1"), ("x<=0", "--let", "x=0:1"), ("list.txt",), ("claim.smt2",)],
    "diff": [("s.sqlite", "s.sqlite", "toy.mean", "--preset", "smoke")],
    "check": [("paper", "--store", "s.sqlite")],
    "check-paper": [("paper",), ("paper", "--static"), ("paper", "--faults")],
    "checklist": [("toy", *STORED, "--venue", "iclr")],
    "store info": [("--store", "s.sqlite")],
    "store digest": [("--store", "s.sqlite")],
    "store verify": [("--store", "s.sqlite", "--sample", "2")],
    "verify": [("a.zip", "--sample", "2")],
}
"""Words behind each command whose JSON has a schema; `simulate` prints what a simulator returns."""
NO_PAPER = ("check", "check-paper", "prove", "judge", "errata")
"""Commands that name a paper themselves, or none."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A paper that was measured, its verdicts recorded, and files of a user."""
    made = made_store(tmp_path_factory.mktemp("json")).parent
    (made / "risk.csv").write_text(CSV, encoding="utf-8")
    (made / "list.txt").write_text("one: x<=2 | x in [0, 1]\n", encoding="utf-8")
    smt = "(set-logic QF_NRA)(declare-const x Real)(assert (and (>= x 0) (<= x 1)))(assert (> x 2))(check-sat)"
    (made / "claim.smt2").write_text(smt, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        assert main(["check", "paper", "--store", "s.sqlite", "--record", "--workers", "1"]) == 0
        assert main(["--paper", "paper", "archive", "a.zip", "toy", *STORED]) == 0
        yield made


def said(folder: Path, name: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    paper = [] if name in NO_PAPER else ["--paper", "paper"]
    assert main([*paper, *name.split(), *words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_command_that_prints_json_has_a_schema() -> None:
    def with_json(read: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
        for action in read._actions:
            if isinstance(action, argparse._SubParsersAction):
                for word, below in action.choices.items():
                    yield from with_json(below, f"{name} {word}".strip())
            elif "--format" in action.option_strings and "json" in (action.choices or ()):
                yield name

    assert sorted(with_json(parser())) == sorted(schemas())
    assert sorted([*COMMANDS, "simulate"]) == sorted(schemas())


def test_parameters_of_a_simulator_are_json_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "shallow_vit", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(Draft202012Validator(schema_of("simulate")).iter_errors(found)) == []
    rows = {one["name"]: (one["type"], one["default"]) for one in found["parameters"]}
    assert rows["n_samples"] == ("int", None)
    assert rows["dimension"] == ("int", 10)


@pytest.mark.parametrize(("name", "words"), [(name, words) for name, several in COMMANDS.items() for words in several])
def test_json_obeys_its_schema(
    folder: Path, name: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    found = said(folder, name, words, capsys)
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert [error.message for error in validator.iter_errors(found)] == []
    first = found[0] if isinstance(found, list) else found
    for change in (lambda one: one.pop(next(iter(one))), lambda one: one.update(unheard_of=1)):
        planted = copy.deepcopy(first)
        change(planted)
        assert not validator.is_valid([planted] if isinstance(found, list) else planted)


def test_the_published_schema_is_that_of_the_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8"), "theoremeter schema > docs/schema.json"
    assert main(["schema", "store info"]) == 0
    assert json.loads(capsys.readouterr().out) == schema_of("store info")
    assert main(["schema", "tabel"]) == 2
    assert capsys.readouterr().err.endswith("got 'tabel'; nearest is table\n")


# --------------------------------------------------------------------------------------------------------------- check


def test_a_changed_verdict_fails_and_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["check", "paper", "--store", "s.sqlite"]
    assert main(words) == 0
    assert capsys.readouterr().out.endswith(" lines at preset smoke, 0 other than in verdicts.json\n")
    record = folder / "paper" / "verdicts.json"
    kept = record.read_text(encoding="utf-8")
    lines = json.loads(kept)
    (mean,) = (line for line in lines if line["part"] == "sizes")
    for line in lines:
        line["claim_verdict"] = "violated" if line["id"] == "toy.mean" else line["claim_verdict"]
    mean["verdict"] = "violated"
    gone = lines.pop(next(number for number, line in enumerate(lines) if line["part"] == "larger sizes"))
    record.write_text(json.dumps(lines), encoding="utf-8")
    try:
        assert main([*words, "--format", "json"]) == 1
        changes = json.loads(capsys.readouterr().out)["changes"]
        assert [(one["id"], one["part"], one["before"]) for one in changes] == [
            ("toy.mean", None, "violated"), ("toy.mean", "sizes", "violated"), ("toy.mean", gone["part"], None),
        ]  # fmt: skip
        assert main(words) == 1
        said = capsys.readouterr().out
        assert "toy.mean: headline " in said
        assert said.endswith(f"{len(lines) + 1} lines at preset smoke, 2 other than in verdicts.json, and 1 headline\n")
    finally:
        record.write_text(kept, encoding="utf-8")


def test_what_cannot_be_compared_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (
        (["paper", "--preset", "quick"], "preset must be that of verdicts.json, which is smoke, got quick"),
        (["nowhere"], "folder must be one that there is, got nowhere"),
        (["."], "folder must have a verdicts.json to compare with, got .; --record writes it"),
    ):
        assert main(["check", *words, "--store", "s.sqlite"]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line == f"theoremeter: {told}"


def test_a_claim_that_the_paper_changes_is_news(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims = folder / "paper" / "claims.py"
    kept = claims.read_text(encoding="utf-8")
    edit(claims, "value=1 / n,", "value=1 / n**2,")
    try:
        assert main(["check", "paper", "--store", "s.sqlite"]) == 1
        assert "toy.mean: headline violated, was tight" in capsys.readouterr().out
    finally:
        claims.write_text(kept, encoding="utf-8")
