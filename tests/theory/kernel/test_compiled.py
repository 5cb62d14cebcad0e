"""Which records count as compiled: those on file to the letter, on the library that is here."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import kernel
from theory.kernel import compiled
from theory.kernel.compiled import Compiled, base_library, compiled_by, content_digest, library_digest, on_file

RECORD: dict[str, Any] = {"relation": "LessThan(Symbol('x'), Integer(1))", "proof": {"by": "interval"}, "digest": "a"}
NOTED = Compiled("8.16.1", "4.6.1", library_digest(), frozenset({content_digest(RECORD)}))


def test_a_record_on_file_has_the_word() -> None:
    assert NOTED.word(RECORD) == "Rocq 8.16.1"


@pytest.mark.parametrize(
    "changed",
    [
        RECORD | {"relation": "LessThan(Symbol('x'), Integer(2))"},
        RECORD | {"proof": {"by": "zero"}},
        RECORD | {"more": 1},
    ],
    ids=["statement", "proof", "an entry"],
)
def test_a_changed_record_loses_the_word(changed: dict[str, Any]) -> None:
    assert NOTED.word(changed) == ""
    assert NOTED.word(changed | {"digest": RECORD["digest"]}) == ""


def test_numbers_of_made_symbols_do_not_matter_but_which_is_which_does() -> None:
    def of(*indices: int) -> str:
        return content_digest({"proof": [f"Dummy('u', dummy_index={index})" for index in indices]})

    assert of(7, 9, 7) == of(9, 7, 9) == of(123, 4, 123)
    assert of(7, 9, 7) != of(7, 9, 9)


def test_another_library_takes_all_words() -> None:
    assert replace(NOTED, library="0" * 64).word(RECORD) == ""


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    NOTED.write(tmp_path / "note.json")
    assert on_file(tmp_path / "note.json") == NOTED
    (tmp_path / "note.json").write_text('{"coqc": "8.16.1", "records": [1]}', encoding="utf-8")
    with pytest.raises(ValueError, match="must have coqc"):
        on_file(tmp_path / "note.json")


def test_the_file_beside_speaks_of_the_library_that_is_here() -> None:
    """Where the library was changed and nothing compiled since, every word would be lost without a sound."""
    found = on_file()
    assert found.library == library_digest()
    assert found.records
    assert json.loads(compiled.NOTE.read_text(encoding="utf-8"))["records"] == sorted(found.records)
    assert compiled_by(RECORD) == ""


@pytest.mark.parametrize(("version", "kept"), [("8.16.1", 2), ("8.17.0", 1)])
def test_a_part_joins_what_the_same_coqc_compiled(version: str, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_output", lambda *words: f"{version} 4.13.1")
    monkeypatch.setattr(kernel, "_interval_version", lambda: "4.6.1")
    rows = [
        {"record": RECORD | {"more": 1}, "said": "compiled"},
        {"record": RECORD | {"more": 2}, "said": "no end within 60 s"},
        {"record": RECORD | {"more": 3}, "said": "not exported"},
    ]
    found = kernel.noted(rows, base_library(), NOTED)
    assert found.coqc == version
    assert len(found.records) == kept
    assert found.word(RECORD | {"more": 1}) == f"Rocq {version}"
    assert found.word(RECORD | {"more": 2}) == ""
