"""Names of exported files: harmless whatever a store calls its systems."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from checks.report.export import export, file_name, member_names
from sim.store.store import Store
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec


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


SYSTEM = System("toy", "tests.nowhere:simulate", ("sim.trials.trial",))


def test_curves_whose_names_differ_by_case_unpack_where_case_is_folded(tmp_path: Path) -> None:
    """N and n of one trial were two members of one name there: one was lost, or the archive did not unpack."""
    curves = {"n": np.arange(3.0), "N": np.arange(4.0), "Loss": np.arange(5.0), "aux": np.arange(6.0)}
    with Store(tmp_path / "s.sqlite") as store:
        store.put([Trial(TrialSpec(SYSTEM, {"size": 1}), TrialResult(Outcome.CONVERGED, {}, curves), 0.1)])
        export(store, tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out" / "curves.npz") as archive:
        members = archive.namelist()
    assert len({name.lower() for name in members}) == len(members) == 4
    names = member_names(curves)
    assert (names["n"], names["Loss"]) == ("n", "Loss")
    assert not any(name.lower().endswith("/aux.npy") for name in members)
    with np.load(tmp_path / "out" / "curves.npz") as found:
        key = members[0].split("/")[0]
        for name, values in curves.items():
            assert np.array_equal(found[f"{key}/{names[name]}"], values)
