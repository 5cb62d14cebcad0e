"""Kept tables: the same words at once, and never those of another store, another question or other sources."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from checks import cli
from checks.commands import evidence, kept_tables, process
from checks.commands.parser import parser
from sim.store.disk_cache import DiskCache
from tests.checks.terminal import screen

ROOT = Path(__file__).resolve().parents[3]
STORE = "store.sqlite"
ASKED = ("table", "A.asm3", "--preset", "smoke", "--store", STORE)
FORGED = "everything holds\n"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with what one claim rests on, which is proved in a blink."""
    path = tmp_path_factory.mktemp("measured") / STORE
    assert cli.main(["-q", "run", "A.asm3", "--preset", "smoke", "--store", str(path), "--executor", "serial"]) == 0
    return path


@pytest.fixture(autouse=True)
def kept(measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a copy of the store; where this test's tables are kept."""
    shutil.copyfile(measured, tmp_path / STORE)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(kept_tables, "kept_tables", lambda: DiskCache(folder, kept_tables.MOST))
    return folder


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows with every table that is judged."""
    calls: list[object] = []
    judge = evidence.evaluated
    monkeypatch.setattr(evidence, "evaluated", lambda arguments: calls.append(arguments) or judge(arguments))
    return calls


def table(*words: str, code: int = 0) -> None:
    """Print the table as a process of its own does."""
    assert process.carried_out([*ASKED, *words], own_process=True) == code


def forge(kept: Path, answer: object) -> None:
    """Plant what is kept for the table, well sealed."""
    arguments = parser().parse_args(ASKED)
    arguments.own_process = True
    question = kept_tables._question(arguments, 0)
    assert question is not None
    DiskCache(kept).keep(question, answer)


def changed(statement: str) -> None:
    """Change the store as sqlite does."""
    with sqlite3.connect(STORE) as connection:
        connection.execute(statement)
    connection.close()


# ------------------------------------------------------------------------------------------------------ what is read


def test_the_second_call_says_the_same_and_judges_nothing(
    judged: list[object], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checks.commands.evidence.stale_words", lambda counts: "2 stored trials are not used")
    table()
    first = capsys.readouterr()
    assert "A.asm3" in first.out
    assert first.err == "theoremeter: 2 stored trials are not used\n"
    table()
    assert capsys.readouterr() == first
    table("-q")
    assert capsys.readouterr() == (first.out, "")
    assert len(judged) == 1


def test_every_process_of_its_own_keeps_tables_and_a_program_that_calls_one_does_not(
    kept: Path, judged: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    """There a module may be another than its source: this test's own is."""
    for _ in range(2):
        assert cli.main(ASKED) == 0
    assert len(judged) == 2
    assert not list(kept.iterdir())


# ----------------------------------------------------------------------------------------------------- what is asked


@pytest.mark.parametrize(
    "words",
    [("--points",), ("--parts",), ("--reasons",), ("--format", "json"), ("--preset", "quick"), ("--engine", "torch"),
     ("--placement", "adaptive"), ("--until-decided",)],
    ids=lambda words: words[-1],
)  # fmt: skip
def test_another_question_is_judged_for_itself(words: tuple[str, ...], judged: list[object]) -> None:
    table()
    table(*words)
    table(*words)
    assert len(judged) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE trials SET observables = replace(observables, 'proved', 'refuted')",
        "UPDATE trials SET seconds = seconds + 1",
        "DELETE FROM trials",
    ],
)
def test_another_store_is_judged_for_itself(statement: str, judged: list[object]) -> None:
    """Planted: a stored proof becomes a refutation."""
    table()
    changed(statement)
    process.told([*ASKED], lambda words: process.carried_out(words, own_process=True))
    assert len(judged) == 2


def test_what_is_written_beside_the_store_and_not_yet_in_it_counts(judged: list[object]) -> None:
    """Planted: a log of sqlite's, which whoever reads the store reads as well."""
    table()
    with sqlite3.connect(STORE) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.execute("UPDATE trials SET seconds = 7.5")
        connection.commit()
        content = Path(STORE).read_bytes()
        table()
        connection.execute("UPDATE trials SET seconds = 8.5")
        connection.commit()
        table()
        assert Path(STORE).read_bytes() == content
    connection.close()
    assert len(judged) == 3


def test_another_width_and_another_environment_are_judged_for_themselves(
    judged: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # the screen's own width counts
    table()
    for columns in (60, 80):
        with screen(columns) as (found, stream), monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            table()
        assert not found.too_long
    for name in ("THEOREMETER_DEVICE", "NO_COLOR"):
        monkeypatch.setenv(name, "cpu")
        table()
    assert len(judged) == 5


def test_every_file_of_the_program_counts() -> None:
    listed = subprocess.run(
        ["git", "ls-files", *kept_tables._PACKAGES], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a checkout")
    assert {ROOT / name for name in listed.stdout.splitlines()} <= set(kept_tables._sources())


def test_every_installed_library_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.undo()
    monkeypatch.setattr(kept_tables, "disk_cache", lambda package, libraries, **rest: asked.append(libraries))
    kept_tables.kept_tables()
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "sympy-9.9.dist-info").mkdir()
    kept_tables.kept_tables()
    assert any(name.startswith("numpy-") for name in asked[0])
    assert set(asked[1]) - set(asked[0]) == {"sympy-9.9.dist-info"}


# ------------------------------------------------------------------------------------------------------ what is kept


def test_what_depends_on_more_than_can_be_hashed_is_not_kept(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judged: list[object]
) -> None:
    paper = tmp_path / "my-paper"
    assert cli.main(["-q", "init", str(paper)]) == 0
    for words in (["--images", str(tmp_path)], ["--paper", str(paper)]):
        assert process.carried_out([*words, *ASKED], own_process=True) == 0
    monkeypatch.setenv("THEOREMETER_PAPERS", str(paper))
    table()
    assert len(judged) == 3
    assert not list(kept.iterdir())


def test_a_store_without_end_is_left_to_who_reads_stores(kept: Path) -> None:
    os.remove(STORE)
    os.mkfifo(f"{STORE}-wal")
    assert kept_tables._bytes_of(Path(STORE)) is None
    os.remove(f"{STORE}-wal")
    os.mkfifo(STORE)
    assert kept_tables._bytes_of(Path(STORE)) is None
    assert kept_tables._bytes_of(Path("nowhere")) is None


def test_a_table_of_a_store_that_changes_meanwhile_is_not_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = evidence.evaluated
    monkeypatch.setattr(
        evidence,
        "evaluated",
        lambda arguments: (judge(arguments), changed("UPDATE trials SET seconds = 9.5"))[0],
    )
    table()
    assert not list(kept.iterdir())


def test_the_oldest_is_let_go(tmp_path: Path) -> None:
    some = DiskCache(tmp_path / "kept", 3)
    for number in range(5):
        some.keep(f"question {number}", number)
        for path in (tmp_path / "kept").glob("*.json"):
            os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns - 10**9))
    assert [some.kept(f"question {number}") for number in range(5)] == [[], [], [2], [3], [4]]


# ---------------------------------------------------------------------------------------------- what is not believed


def test_a_forged_table_is_found_out_by_judging_again(
    kept: Path, judged: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    """Planted: another verdict, as only somebody can who may write beside the modules; its key covers it once."""
    forge(kept, [FORGED])
    table()
    assert capsys.readouterr().out == FORGED
    assert not judged
    table("--fresh", code=1)
    told = capsys.readouterr()
    assert "A.asm3" in told.out
    assert told.err == "theoremeter: the table that was kept differs from this one, which takes its place\n"
    table("--fresh")
    table()
    assert capsys.readouterr() == (2 * told.out, "")
    assert len(judged) == 2


def test_a_forged_table_is_taken_for_no_other(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forge(kept, [FORGED])
    table("--parts")
    changed("UPDATE trials SET seconds = seconds + 1")
    table()
    assert FORGED not in capsys.readouterr().out


@pytest.mark.parametrize("answer", [[], FORGED, [1], [[FORGED]], {"text": FORGED}, None, [FORGED, 1]], ids=repr)
def test_what_has_not_the_form_of_a_table_is_none(
    answer: object, kept: Path, judged: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    forge(kept, answer)
    table()
    assert len(judged) == 1
    assert FORGED not in capsys.readouterr().out


def test_what_lies_beside_a_store_is_never_read(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a stranger sends tables along with a store, wherever they might be looked for."""
    forge(kept, [FORGED])
    (tmp_path / "__pycache__").mkdir()
    for path in list(kept.iterdir()):
        for folder in (tmp_path, tmp_path / "__pycache__"):
            shutil.copy(path, folder)
        path.unlink()
    table()
    assert FORGED not in capsys.readouterr().out
    monkeypatch.undo()
    where = kept_tables.kept_tables().folder
    assert where is None or where.parent == ROOT / "checks" / "__pycache__"


def test_info_says_what_is_kept(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    info = ["store", "info", "--store", STORE]
    assert process.carried_out(info, own_process=True) == 0
    assert "kept" not in capsys.readouterr().err
    table()
    capsys.readouterr()
    assert process.carried_out(info, own_process=True) == 0
    assert f"1 table is kept as judged before, in {kept}; table --fresh judges again" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------------------- progress


def test_a_terminal_sees_claims_pass(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert cli.main(ASKED) == 0
    assert "reading trials" in terminal.getvalue()
    assert "judging claims" in terminal.getvalue()
    terminal.truncate(0)
    assert cli.main(["-q", *ASKED]) == 0
    assert terminal.getvalue().strip("\0") == ""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert cli.main(ASKED) == 0
    assert sys.stderr.getvalue() == ""
