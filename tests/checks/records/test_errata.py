"""The files of errata: a closed list of keys, bounds, one line for what is wrong, and rows that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.catalogue import checks_of
from checks.records.errata import MAX_TEXT, Erratum, Needed, load, of_paper
from checks.records.toml_tables import MAX_BYTES, MAX_ENTRIES
from checks.report.errata_page import unknown_rows
from theoremeter_papers import Origin, Paper, papers

ENTRY = """
[[erratum]]
place = "(3)"
printed = "a < b"
correct = "a <= b"
needed = "no"
why = "a misprint"
rows = ["toy.mean", "toy.step: square"]
"""
READ = Erratum("(3)", "a < b", "a <= b", Needed.NO, "a misprint", (("toy.mean", ""), ("toy.step", "square")))


def written(folder: Path, text: str) -> Path:
    path = folder / "errata.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_load(tmp_path: Path) -> None:
    assert load(written(tmp_path, ENTRY)) == (READ,)
    assert load(written(tmp_path, "")) == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('why = "a misprint"\n', "", "erratum 1: why must be one line of text, at most 600 characters, got none"),
        ("why =", "reason =", "keys must be among place, printed, .* got 'reason'"),
        ('"no"', '"perhaps"', "needed must be one of yes, open, no, got 'perhaps'"),
        ('"no"', "[1]", "needed must be one line of text"),
        ('"(3)"', "7", "place must be one line of text, at most 600 characters, got 7"),
        ('"(3)"', '" "', "place must be one line of text"),
        ('"(3)"', r'"\u001b[2J"', "place must be one line of text"),
        ('"(3)"', r'"a\nb"', "place must be one line of text"),
        ('"(3)"', f'"{"x" * (MAX_TEXT + 1)}"', "place must be one line of text"),
        ('["toy.mean", "toy.step: square"]', "[]", "rows must be 1 to 8 texts 'claim' or 'claim: part', got"),
        ('["toy.mean", "toy.step: square"]', '["two words"]', "rows must be"),
        ('["toy.mean", "toy.step: square"]', '["toy.mean"]', "derivation must say how it is known"),
        ('["toy.mean", "toy.step: square"]', "{ a = 1 }", "rows must be"),
        ("[[erratum]]", "[erratum]", r"errata must be tables \[\[erratum\]\], got"),
        ("[[erratum]]", "[[mistake]]", r"errata must be tables \[\[erratum\]\], got \['mistake'\]"),
        ("[[erratum]]", "[[erratum", "errata must be TOML in UTF-8"),
    ],
)
def test_bad_entries_are_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load(written(tmp_path, ENTRY.replace(old, new)))
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_and_its_entries_have_bounds(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"at most {MAX_BYTES} bytes long"):
        load(written(tmp_path, "#" * (MAX_BYTES + 1)))
    with pytest.raises(ValueError, match=f"at most {MAX_ENTRIES}, got {MAX_ENTRIES + 1}"):
        load(written(tmp_path, "[[erratum]]\n" * (MAX_ENTRIES + 1)))
    with pytest.raises(ValueError, match="errata must be TOML in UTF-8"):
        load(written(tmp_path, "x = " + "[" * 100_000))
    (tmp_path / "errata.toml").write_bytes(b"\xff")
    with pytest.raises(ValueError, match="errata must be TOML in UTF-8"):
        load(tmp_path / "errata.toml")


def test_a_paper_records_its_own(tmp_path: Path) -> None:
    written(tmp_path, ENTRY)
    assert of_paper(Paper("toy", tmp_path, Origin.NAMED)) == (READ,)
    with pytest.raises(ValueError, match=r"errata\.toml: an erratum must name rows of this paper, got 'toy\.mean'"):
        of_paper(Paper("other", tmp_path, Origin.NAMED))
    assert of_paper(Paper("toy", tmp_path / "nowhere", Origin.NAMED)) == ()


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.key)
def test_recorded_errata_name_claims_and_parts_that_exist(paper: Paper) -> None:
    recorded = of_paper(paper)
    assert list(unknown_rows(recorded, checks_of(paper))) == []
    assert len({(erratum.place, erratum.printed) for erratum in recorded}) == len(recorded)
