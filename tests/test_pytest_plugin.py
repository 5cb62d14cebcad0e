"""The plug-in for pytest: papers in folders are collected, and who tests something else notices nothing of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.catalogue import discover
from checks.records.preset import Preset
from checks.test_claims import built_in, drawn_of
from sim.running.run import run
from sim.store.store import Store
from theoremeter import pytest_lines
from theoremeter_papers import named
from theory.lemma import POINTWISE

ROOT = Path(__file__).resolve().parents[1]

CLAIMS = """
import sympy as sp
from theoremeter import Axis, Claim, Evidence, Inequality, Kind, Source, above, at_least, below

x = sp.Symbol("x", real=True)
n = sp.Symbol("n", positive=True, integer=True)
SQUARE = Claim(
    id="toy.square", source=Source("toy", "Lemma 1"), kind=Kind.INEQUALITY, statement="A square is not negative.",
    observable="", evidence=(Evidence.SYMBOLIC,),
    lemmas=(Inequality("square", at_least(x**2, 0), {x: (-1, 1)}),),
)
FEW = Claim(
    id="toy.few", source=Source("toy", "Lemma 2"), kind=Kind.INEQUALITY, statement="There are fewer than 40.",
    observable="", evidence=(Evidence.SYMBOLIC,),
    lemmas=(Inequality("fewer", below(n, 40), {n: (1, 100)}),),
)
"""
MORE = """
MOST = Claim(
    id="toy.most", source=Source("toy", "Lemma 3"), kind=Kind.INEQUALITY, statement="There are none.",
    observable="", evidence=(Evidence.SYMBOLIC,),
    lemmas=(Inequality("at most", below(n, 1), {n: (1, 100)}),),
)
"""
LINE = "fails at n = 40: left - right = 0"
FINDING = """
[[finding]]
id = "toy.few"
part = "fewer"
verdict = "refuted"
reason = "It was never true."
command = "theoremeter --paper toy table"
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A paper with a true lemma and a false one, and a store that the tests may write."""
    folder = tmp_path / "toy-paper"
    folder.mkdir()
    (folder / "paper.toml").write_text('key = "toy"\ntitle = "Toys"\n')
    (folder / "claims.py").write_text(CLAIMS)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to start pytest in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def fates(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, dict[str, str]]:
    """Exit code and output of pytest in this process, and how each test ended, by the end of its name."""
    capsys.readouterr()
    more = ("-p", "theoremeter.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:jaxtyping", "-v", "-rA")
    code = int(pytest.main([*map(str, words), *more]))
    output = capsys.readouterr().out
    lines = [line.split(" - ")[0].split(" ", 1) for line in output.splitlines() if "::" in line]
    known = ("PASSED", "FAILED", "XFAIL")
    return code, output, {line[1].strip().rpartition("::")[2]: line[0] for line in lines if line[0] in known}


def test_a_folder_gives_one_test_a_claim_one_for_its_lemmas_and_one_a_lemma(
    paper: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = here / "s.sqlite"
    with named([paper]) as found, Store(path) as store:  # proved here, because starting workers takes long
        run([spec for check in discover(found).values() for spec in check.specs(Preset.SMOKE)], store, workers=0)
    code, output, ended = fates(capsys, paper, "--preset", "smoke", "--store", path)
    assert ended == {
        "test_claim[toy.square]": "PASSED",
        "test_claim[toy.few]": "FAILED",
        "test_lemmas[toy.square]": "PASSED",
        "test_lemmas[toy.few]": "FAILED",
        "test_lemma_at_drawn_points[toy.square: square]": "PASSED",
        "test_lemma_at_drawn_points[toy.few: fewer]": "FAILED",
    }
    assert code == 1
    assert f"\n{LINE}\n" in output
    assert "Traceback" not in output
    assert not (here / ".theoremeter").exists()
    summary = output.split("= claims =")[1].split("\nWhy: ")[0].splitlines()
    assert max(map(len, summary)) <= 80
    first = [line for line in summary[1:] if line[:1].strip(" =")]  # what does not fit goes on below, indented
    assert [line.split()[:2] for line in first[:2]] == [["toy.square", "proved"], ["toy.few", "refuted"]]


def test_what_is_recorded_is_an_expected_failure(paper: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (paper / "findings.toml").write_text(FINDING)
    code, _, ended = fates(capsys, paper, "-m", "drawn")
    assert code == 0
    assert ended == {
        "test_lemma_at_drawn_points[toy.square: square]": "PASSED",
        "test_lemma_at_drawn_points[toy.few: fewer]": "XFAIL",
    }


def test_a_line_of_the_short_summary_fits_and_the_reason_stands_elsewhere(
    paper: Path, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line of a real run: 80 columns, or the test's own name; a report in XML has the reason in full."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("CI", "true")  # where pytest shortens nothing by itself
    (paper / "findings.toml").write_text(FINDING)
    rare = CLAIMS.replace("below(n, 40), {n: (1, 100)}", "above((n - 617) ** 2, 0), {n: (1, 1000)}")
    (paper / "claims.py").write_text(rare + MORE)  # false at one point, which five drawn ones miss
    report = here / "report.xml"
    _, output, ended = fates(capsys, paper, "-m", "certified or drawn", "--no-header", f"--junitxml={report}")
    assert ended["test_lemmas[toy.few]"] == "XFAIL"
    assert ended["test_lemma_at_drawn_points[toy.most: at most]"] == "FAILED"
    before, _, summary = output.partition("= short test summary info =")
    lines = [line for line in summary.splitlines()[1:-1] if not line.startswith("PASSED")]
    assert {line.split()[0] for line in lines} == {"SKIPPED", "XFAIL", "FAILED"}
    assert all(len(line) <= 80 or " - " not in line for line in lines), lines
    assert any(line.endswith("test_lemmas[toy.few] - refuted") for line in lines)
    assert any(line.startswith("SKIPPED") and line.endswith(": toy.few: open") for line in lines)
    assert f"theoremeter --paper {paper} explain ID --preset smoke" in before
    assert "fails at n = 1: left - right = " in before
    kept = report.read_text()
    assert "fewer: refuted: Claimed: fewer." in kept
    assert "Re-checked: it fails at a point" in kept


@pytest.mark.parametrize(
    ("room", "least", "short"),
    [
        (33, 5, "test_claims.py::test_x[A.toy: a…]"),
        (31, 5, "test_claims.py::test_x[A.toy…]"),
        (29, 5, ""),
        (29, 1, "test_claims.py::test_x[A.to…]"),
        (20, 1, ""),
    ],
)
def test_of_a_name_that_is_too_long_the_lemma_is_cut_short(room: int, least: int, short: str) -> None:
    found = pytest_lines._shortened("test_claims.py::test_x[A.toy: a bound]", room, least)
    assert found == short
    assert len(found) <= room


def test_a_lemma_of_many_words_leaves_its_line_short(
    paper: Path, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is whole above the summary, and there alone."""
    monkeypatch.setenv("COLUMNS", "100")
    long = "fewer, which is said of every whole number by which anybody might ever wish to count anything at all"
    (paper / "claims.py").write_text(CLAIMS.replace('"fewer"', repr(long)))
    shutil.copytree(paper, here / "p")
    monkeypatch.chdir(here)
    code, output, _ = fates(capsys, Path("p"), "-m", "drawn", "--no-header", f"--rootdir={here}")
    assert code == 1
    _, _, summary = output.partition("= short test summary info =")
    (line,) = [line for line in summary.splitlines() if line.startswith("FAILED")]
    assert "test_lemma_at_drawn_points[toy.few: fewer" in line
    assert line.endswith("…] - news")
    assert len(line) <= 100


def test_a_broken_claim_fails_alone(paper: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (paper / "checks.py").write_text("raise OSError('no disk')\n")
    code, output, ended = fates(capsys, paper, "-k", "square and drawn or test_claim[toy]")
    assert code == 1
    assert ended == {"test_lemma_at_drawn_points[toy.square: square]": "PASSED", "test_claim[toy]": "FAILED"}
    assert "broken: checks.py, line 1: OSError: no disk" in output


def test_a_folder_that_is_no_paper_is_one_line(paper: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (paper / "paper.toml").write_text("key = 3\n")
    code, output, _ = fates(capsys, paper)
    assert code == 2
    assert "theoremeter: " in output
    assert "key must be" in output
    assert "Traceback" not in output


def test_a_paper_of_the_package_is_collected_where_its_folder_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, output, _ = fates(capsys, ROOT / "checks" / "shallow_vit", "-c", os.devnull, "--collect-only", "-m", "claim")
    assert "test_claim[A.samples]" in output
    assert "test_claim[B." not in output


def test_every_lemma_that_speaks_of_points_is_drawn() -> None:
    lemmas = [lemma for check in built_in().checks.values() for lemma in check.claim.lemmas]
    assert len(drawn_of(built_in())) == sum(isinstance(lemma, POINTWISE) for lemma in lemmas)


@pytest.mark.parametrize(("option", "word"), [("--preset", "tiny"), ("--theoremeter-preset", "")])
def test_a_preset_that_is_none_is_one_line(
    option: str, word: str, paper: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert pytest.main([str(paper), f"{option}={word}", "-p", "theoremeter.pytest_plugin"]) == 4
    assert f"--preset must be one of smoke, quick, full, got {word!r}" in capsys.readouterr().err


def test_workers_are_a_number(paper: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pytest.main([str(paper), "--theoremeter-workers=-1", "-p", "theoremeter.pytest_plugin"]) == 4
    assert "--theoremeter-workers must be at least 0, got -1" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------- tests of somebody else

THEIRS = """
import sys

def test_theirs(request):
    assert request.config.getoption("--store") == "mine"
    heavy = {"torch", "sympy", "theory", "sim", "checks.evidence", "hypothesis", "theoremeter_papers"}
    assert not heavy & set(sys.modules)
"""
OPTIONS = """
def pytest_addoption(parser):
    parser.addoption("--store")
    parser.addoption("--preset", choices=["on", "off"])
"""


@pytest.mark.parametrize("more", [[], ["-n", "1"]], ids=["alone", "xdist"])
def test_options_of_others_stay_theirs_and_nothing_is_imported(more: list[str], here: Path) -> None:
    """Beside a folder `checks` of their own, too."""
    (here / "checks").mkdir()
    (here / "checks" / "__init__.py").write_text("")
    (here / "conftest.py").write_text(OPTIONS)
    (here / "test_theirs.py").write_text(THEIRS)
    plugins = ["-p", "theoremeter.pytest_plugin", "-p", "no:jaxtyping", "-p", "no:cacheprovider", "-W", "error"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HYPOTHESIS_NO_PLUGINS": "1"}
    command = [sys.executable, "-m", "pytest", *plugins, "-p", "no:hypothesispytest", "--store", "mine", *more]
    done = subprocess.run([*command, "--preset=on"], cwd=here, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
