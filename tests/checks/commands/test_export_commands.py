"""`prove --export coq` and `proofs export`: files for coqc, or one line that names what stands in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.cli import main
from theory.kernel.export import LIBRARY

TYPED = ["prove", "exp(-x) <= 1 - x/2", "--let", "x=0:1", "--export", "coq"]


def test_a_typed_proof_is_written_beside_its_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "new" / "half.v"
    assert main([*TYPED, "--to", str(to)]) == 0
    assert capsys.readouterr().out.startswith("proved: exp(-x) <= 1 - x/2")
    assert "Theorem half : forall x : R," in to.read_text()
    assert {path.name for path in to.parent.iterdir()} == {"half.v", *LIBRARY}


@pytest.mark.parametrize(
    ("statement", "said"),
    [("floor(x) <= x", "floor has no translation"), ("x^2 - x >= 0 - 1/4", ""), ("x >= x^(1/3)", "")],
)
def test_what_is_not_exported_is_named(
    statement: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "it.v"
    code = main(["prove", statement, "--let", "x=0:1", "--seconds", "5", "--export", "coq", "--to", str(to)])
    streams = capsys.readouterr()
    assert code == (1 if said else 0)
    assert streams.err == (f"theoremeter: not exported: {said}\n" if said else "")
    assert to.exists() == (not said)


def test_nothing_shown_is_nothing_to_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["prove", "log(x) <= 0", "--let", "x=-1:1", "--export", "coq", "--to", str(tmp_path / "it.v")]
    assert main(words) == 1
    assert capsys.readouterr().err == "theoremeter: not exported: nothing was shown\n"


def test_a_place_that_cannot_be_written_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main([*TYPED, "--to", str(tmp_path / "file" / "half.v")]) == 2
    assert capsys.readouterr().err.startswith("theoremeter: to must be a file that can be written, got ")


def test_stored_proofs_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, to = tmp_path / "results.sqlite", tmp_path / "proofs"
    assert main(["run", "classical.softplus", "--preset", "smoke", "--store", str(store), "--workers", "1"]) == 0
    capsys.readouterr()
    assert main(["proofs", "export", "classical.softplus", "--store", str(store), "--to", str(to)]) == 0
    written = sorted(path.name for path in to.iterdir())
    assert capsys.readouterr().out == f"{len(written) - len(LIBRARY)} written to {to}, 0 not exported\n"
    assert len(written) > 1
    assert any(name.startswith("classical_softplus_") for name in written)


def test_a_store_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    words = ["proofs", "export", "classical.softplus", "--store", str(tmp_path / "no.sqlite"), "--to", str(tmp_path)]
    assert main(words) == 2
