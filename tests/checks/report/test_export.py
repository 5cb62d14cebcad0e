"""Names of exported files: harmless whatever a store calls its systems."""

from __future__ import annotations

import pytest

from checks.report.export import file_name


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
