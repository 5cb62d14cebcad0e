"""`check-paper --static`: read, never run; hostile folders end in lines, soon, and in nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands import static_paper
from checks.commands.static_paper import read_paper
from tests.papers import edit, write_paper

RUNS = "from pathlib import Path\nPath('ran').touch()\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_paper(Path("mine"))


def test_nothing_of_a_paper_is_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("__init__.py", "claims.py", "simulators.py", "checks.py", "faults.py"):
        path = folder / name
        path.write_text(RUNS + (path.read_text(encoding="utf-8") if path.exists() else ""), encoding="utf-8")
    assert main(["check-paper", "mine", "--static"]) == 0
    out, err = capsys.readouterr()
    assert out == (
        "toy: 2 claims, 1 system by their literal ids; 5 files read, none imported; reaches beyond the usual: pathlib\n"
    )
    assert err == ""
    assert not Path("ran").exists()
    main(["check-paper", "mine"])
    assert "a paper is code" in capsys.readouterr().err
    assert Path("ran").exists()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("claims.py", "Claim(id='other.x')", "claims.py, line 1: id must be 'toy.<name>', got 'other.x'"),
        (
            "claims.py",
            "Claim(id='toy.x')\nClaim('toy.x')",
            "claims.py, line 2: claim ids must be unique, got toy.x again",
        ),
        ("claims.py", "def", "claims.py, line 1: SyntaxError: "),
        ("simulators.py", "System('other')", "simulators.py, line 1: names of systems must be toy or begin with toy."),
        (
            "simulators.py",
            "import sympy",
            "simulators must not know the formula that they test, got an import of sympy",
        ),
        ("simulators.py", "from . import claims", "got an import of .claims"),
        ("simulators.py", "def f():\n    from theory import claim", "line 2: simulators must not know the formula"),
        ("more.py", "x = '\x00'", "more.py, line 0: SyntaxError: source code string cannot contain null bytes"),
        ("more.py", "x = " + "(" * 9000, "more.py, line 1: SyntaxError: too many nested parentheses"),
        ("more.py", "x = " + "1+" * 9000 + "1", "more.py: cannot be read: "),
        ("more.py", "x = " + "-" * 90_000 + "1", "more.py: cannot be read: "),
        ("more.py", "x=1\n" * 130_000, "more.py: must have at most 500000 bytes"),
        ("more.py", "x=1;" * 110_000, "more.py: cannot be read: must be at most 300000 pieces of syntax"),
        ("findings.toml", "a = " + "[" * 9000, "findings.toml: cannot be read: "),
    ],
)
def test_what_can_be_seen_is_a_line(folder: Path, name: str, text: str, told: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    assert [line for line in read_paper(folder).problems if told in line], read_paper(folder).problems


def test_what_a_simulator_imports_beside_it_is_read_too(folder: Path) -> None:
    edit(folder / "simulators.py", "from sim.trials", "from .helper import x\nfrom sim.trials")
    (folder / "helper.py").write_text("from .deeper import x", encoding="utf-8")
    (folder / "deeper.py").write_text("import sympy as x", encoding="utf-8")
    (line,) = read_paper(folder).problems
    assert line.startswith("deeper.py, line 1: simulators must not know the formula")


def link(folder: Path) -> None:
    (folder / "more.py").symlink_to("/etc/hostname")


def loop(folder: Path) -> None:
    (folder / "more").symlink_to(".")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "more.py")


def binary(folder: Path) -> None:
    (folder / "more.py").write_bytes(b"\xff\xfe\x00")


def deep(folder: Path) -> None:
    (folder / Path(*"more" * 9)).mkdir(parents=True)


def many(folder: Path) -> None:
    for number in range(static_paper.MOST_FILES):
        (folder / f"more{number}.txt").touch()


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (link, "more.py: must be a file or a folder of the paper, got a link, which is not followed"),
        (loop, "more: must be a file or a folder of the paper, got a link, which is not followed"),
        (pipe, "more.py: must be a plain file, got another kind"),
        (binary, "more.py: must be text in UTF-8, got byte 0xff at 0"),
        (deep, "folders must be at most 8 deep, got more"),
        (many, "a paper must have at most 400 files, got more; the rest is not read"),
    ],
)
def test_a_hostile_folder_is_a_line(folder: Path, made: Callable[[Path], None], told: str) -> None:
    made(folder)
    (line,) = read_paper(folder).problems
    assert line.endswith(told)


def test_a_folder_that_is_no_paper_is_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "claims.py").unlink()
    assert read_paper(folder).problems == ["claims.py: must be there, got none"]
    (folder / "paper.toml").rename(folder / "real.toml")
    (folder / "paper.toml").symlink_to("real.toml")
    assert read_paper(folder).problems == ["paper.toml: must be a file of the paper, got a link"]
    assert main(["check-paper", "nowhere", "--static"]) == 2
    assert main(["check-paper", "mine", "--static", "--faults"]) == 2
    assert capsys.readouterr().err.endswith("--faults must go without --static, which runs nothing, got both\n")


def test_ids_that_are_computed_are_counted_apart(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / "claims.py").read_text(encoding="utf-8")
    (folder / "claims.py").write_text(
        f"{text}\nMORE = [Claim(id=f'toy.{{name}}') for name in 'abc']\n", encoding="utf-8"
    )
    assert main(["check-paper", "mine", "--static"]) == 0
    assert (
        "2 claims, 1 system by their literal ids, and 1 claim or more whose ids are computed;"
        in capsys.readouterr().out
    )
