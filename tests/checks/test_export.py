"""Names and cells of exported files: harmless whatever a store calls its systems and says in its texts."""

from __future__ import annotations

import pytest

from checks.export import cell, file_name


@pytest.mark.parametrize("system", ["toy", "spatial_vit_reduced", "a1"])
def test_a_plain_word_names_its_file(system: str) -> None:
    assert file_name(system) == f"{system}.csv"


STRANGE = [
    "../../x",
    "/etc/passwd",
    "a\0b",
    "con",
    "COM1",
    "nul",
    "Toy",
    "TOY",
    "a.b",
    "a-b",
    "",
    "x" * 500,
    "\x1b[2J",
    "é",
    "..",
    "\ud800",
]


def test_every_other_name_gets_a_hash_and_no_two_are_alike() -> None:
    names = [file_name(system) for system in [*STRANGE, "toy"]]
    assert len({name.lower() for name in names}) == len(names)
    for name in names[:-1]:
        stem, _, ending = name.rpartition("-")
        assert len(ending) == len("0123456789ab.csv")
        assert all(character.islower() or character.isdigit() or character == "_" for character in stem)
        assert len(name) < 80


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-1", "@x", "\t=1", "\r=1", "  =1", "\x1b=1"])
def test_a_text_that_a_spreadsheet_would_compute_is_made_inert(text: str) -> None:
    shown = cell(text)
    assert isinstance(shown, str)
    assert shown.startswith("'")
    assert shown.isprintable()


@pytest.mark.parametrize("value", [-1.5, -3, True, 0.1, "plain text", "a=b", ""])
def test_numbers_and_plain_texts_stay_as_they_are(value: object) -> None:
    assert cell(value) is value or cell(value) == value
