"""Arguments that nobody should type: one line on stderr, exit code 2, no traceback; or else an answer."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from checks.cli import main

SURROGATE = "\udcff.sqlite"
ODD_WORDS = ("", "-", "nan", "A.samples\n", "\x1b[31m", "ünïcode→", "*", "0", "A.samples,B.span", SURROGATE)
ODD_NUMBERS = (
    "",
    "0",
    "-1",
    "1.5",
    "1e3",
    "nan",
    "-inf",
    "many",
    "٣",
    "²",
    "+1",
    " 1",
    "0x10",
    5000 * "9",
    "1" + 30 * "0",
)
ODD_PATHS = ("", "folder", "text", "/dev/full", "nul\0", 5000 * "x", SURROGATE)

NUMBERS = (
    ("run", "--workers"),
    ("run", "--until-decided", "--budget"),
    ("table", "--until-decided", "--budget"),
    ("plan", "--workers"),
    ("calibrate", "--trials"),
    ("calibrate", "--workers"),
    ("simulate", "shallow_vit", "--replicate"),
    ("store", "verify", "--sample"),
    ("store", "verify", "--workers"),
)
CHOICES = (
    ("table", "--preset"),
    ("table", "--format"),
    ("plan", "--format"),
    ("table", "--placement"),
    ("run", "--executor"),
    ("table", "--engine"),
    ("calibrate", "--cells"),
    ("simulate",),
    ("store",),
    (),
)
IDS = (("list",), ("show",), ("run",), ("table",), ("plan",), ("plot", "--out", "pictures"))
PATTERNED = (("calibrate", "--cells"), *IDS)
"""Where `*` names everything."""
STORES = (
    ("table", "B.span"),
    ("plan", "B.span"),
    ("run", "B.span"),
    ("store", "info"),
    ("store", "verify"),
    ("store", "prune"),
    ("store", "export", "--out", "exported"),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("no database, but longer than the header of one: " + 100 * "x", encoding="utf-8")
    return tmp_path


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code and stderr of a command; whatever it raises fails the test, with the command in its name."""
    try:
        code = main(words)
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException as error:
        raise AssertionError(f"theoremeter {words} raised {error!r}") from error
    return code, capsys.readouterr().err


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, err = said(words, capsys)
    assert code == 2, (words, code, err)
    assert err.startswith("theoremeter: "), (words, err)
    assert err.count("\n") == 1, (words, err)
    assert err.strip().isprintable(), (words, err)


def test_odd_numbers(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for command, number in itertools.product(NUMBERS, ODD_NUMBERS):
        if (command[-1], number) != ("--replicate", "0"):
            refused([*command, number], capsys)
    for number in ("nan", "inf", "1.5", "", "-1" + 30 * "0", "0x1"):
        refused(["store", "verify", f"--seed={number}"], capsys)
    assert {path.name for path in folder.iterdir()} == {"folder", "text"}


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_odd_choices_and_words(stride: int, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Every third pair, so that each command and each word has its turn; all where nothing is left out."""
    numbered = itertools.product(enumerate((*CHOICES, *IDS)), enumerate(ODD_WORDS))
    for command, word in ((command, word) for (i, command), (j, word) in numbered if (i + j) % stride == 0):
        if word != "*" or command not in PATTERNED:
            refused([*command, word], capsys)
    assert {path.name for path in folder.iterdir()} == {"folder", "text"}


def test_odd_parameters_of_a_simulator(capsys: pytest.CaptureFixture[str]) -> None:
    for pair in ("", "=", "=1", "n=", "rate", "learning_rate=", "learning_rate=nan", "learning_rate==1", "\n=1"):
        refused(["simulate", "spatial_vit_reduced", pair], capsys)


def test_odd_stores(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """A reader may answer as for a store that is not there; nobody writes to what is no store."""
    for command, path in itertools.product(STORES, ODD_PATHS):
        code, err = said([*command, "--store", path], capsys)
        assert code in (0, 2), (command, path, code, err)
        assert code == 0 or (err.startswith("theoremeter: ") and err.count("\n") == 1), (command, path, err)
        assert "Traceback" not in err
    assert (folder / "text").read_text(encoding="utf-8").startswith("no database")


@pytest.mark.parametrize("out", ["text", "text/below", "", "nul\0", "/proc/nowhere", "/dev/full/x"])
def test_results_go_to_a_folder_that_can_be_written(out: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["plot", "B.span", "--store", "none"], ["store", "export", "--store", "none"]):
        code, err = said([*command, "--out", out], capsys)
        assert code == 2 or command[0] == "plot", (command, out, err)
        assert "Traceback" not in err
    refused(["calibrate", "--trials", "1", "--cells", "nothing", "--out", out], capsys)


def test_the_same_claim_twice_is_told_once_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["list"], ["table", "--store", "none"], ["plan", "--store", "none"]):
        assert said([*command, "B.span", "B.span"], capsys)[0] in (0, 2)


def test_a_folder_that_cannot_be_written_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch, folder: Path
) -> None:
    """The default store would be made in the current folder; a folder of the system refuses root as well."""
    monkeypatch.chdir("/proc/self")
    refused(["run", "B.span", "--preset", "smoke", "--workers", "1"], capsys)
    assert said(["table", "B.span"], capsys)[0] == 0
