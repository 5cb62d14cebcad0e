"""`--confidence` reaches everything: a paper with every kind of noise, judged, planned, printed and drawn at 99 %."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from checks.cli import main
from checks.planning import plan
from checks.planning.power import Experiment
from tests.checks.levels import PRINTED, foreign, spied
from tests.papers import write_paper

CLAIMS = """
import sympy as sp
from theoremeter import Axis, Claim, Evidence, Kind, Source

n = sp.Symbol("n", positive=True)

def claim(name, kind, value):
    return Claim(id=f"toy.{name}", source=Source("toy", "Theorem 1"), kind=kind, statement="A statement.", observable="y",
                 evidence=(Evidence.MEASURED,), axes=(Axis(n),) if value is not None and value.has(n) else (), value=value)

MEAN = claim("mean", Kind.TIGHT, 1 / n)
OPEN = claim("open", Kind.TIGHT, 1 / n)
BOUND = claim("bound", Kind.EXPLICIT_UPPER, 2 / n)
SHARE = claim("share", Kind.EXPLICIT_UPPER, sp.Integer(3))
NEEDED = claim("needed", Kind.UPPER, n)
SHOWN = claim("shown", Kind.BEHAVIOUR, None)
PAIRED = claim("paired", Kind.BEHAVIOUR, None)
"""  # noqa: E501

SIMULATORS = """
import math
from theoremeter import Outcome, System, TrialResult

def simulate(*, size: int, runs: int = 1, noise: float = 0.01, generator) -> TrialResult:
    z = math.exp(noise * generator.gauss(0, 1))
    success = generator.random() < 1 / (1 + (3 * size / runs) ** 2)
    count = sum(generator.random() < 0.2 for _ in range(10))
    values = {"mean": z / size, "success": bool(success), "count": count, "total": 10,
              "first": generator.gauss(0, 1), "second": generator.gauss(0, 1)}
    return TrialResult(Outcome.CONVERGED, values)

TOY = System("toy", simulate, uses_torch=False, libraries=())
"""

CHECKS = """
from theoremeter import Behaviour, Check, Fraction, Preset, Scaling, Sweep, Threshold, grid
from checks.evidence.paired import PairedDifference
from .claims import BOUND, MEAN, NEEDED, OPEN, PAIRED, SHARE, SHOWN, n
from .simulators import TOY

def sweeps(points, replicates, **fixed):
    return {Preset.SMOKE: (Sweep(TOY, points, fixed, replicates),)}

LINE = grid(size=(2, 4, 8, 16, 32))
ALONG = {"symbol": n, "parameter": "size", "symbols": {"size": n}}
MEAN_CHECK = Check(MEAN, (Scaling(name="sizes", observable="mean", sweeps=sweeps(LINE, 3), **ALONG),))
OPEN_CHECK = Check(OPEN, (Scaling(name="noisy", observable="mean", sweeps=sweeps(LINE, 3, noise=0.5), **ALONG),))
BOUND_CHECK = Check(BOUND, (Scaling(name="means", observable="mean", sweeps=sweeps(LINE, 20), **ALONG),))
NEEDED_CHECK = Check(NEEDED, (Threshold(name="curves", size="runs", success="success", **ALONG,
    sweeps=sweeps(grid(size=(2, 4, 8, 16, 32), runs=(2, 8, 32, 128, 512)), 10)),))
SHARE_CHECK = Check(SHARE, (Fraction(name="counts", count="count", total="total", bounds="count", symbols={},
    sweeps=sweeps(({"size": 2},), 12)),))
SHOWN_CHECK = Check(SHOWN, (Behaviour(name="rate", shows=lambda t: t.number("mean") > 0.01, rate=0.9,
    sweeps=sweeps(({"size": 4},), 30)),))
PAIRED_CHECK = Check(PAIRED, (PairedDifference(name="pairs", first="first", second="second", low=-1.0,
    sweeps=sweeps(({"size": 4},), 12)),))
"""

ASKED = ("--confidence", "0.99")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the paper and its measured store."""
    folder = tmp_path_factory.mktemp("confidence")
    write_paper(folder / "toy", claims_py=CLAIMS, simulators_py=SIMULATORS, checks_py=CHECKS)
    assert main([*_named(folder), "run", *_stored(folder), "--executor", "serial", "-q"]) == 0
    return folder


def _named(folder: Path) -> list[str]:
    return ["--paper", str(folder / "toy")]


def _stored(folder: Path) -> list[str]:
    return ["--preset", "smoke", "--store", str(folder / "results.sqlite")]


def _read(path: Path) -> str:
    """What a reader of a file sees: text of a page without its styles, texts of a picture, which stand in comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".svg":
        return "\n".join(re.findall(r"<!--(.*?)-->", text, re.DOTALL))
    if path.suffix == ".html":
        text = re.sub(r"<(style|script|svg).*?</\1>", "", text, flags=re.DOTALL)
        return re.sub(r"<[^>]*>", "", text)
    return text


@pytest.mark.parametrize(
    "words",
    [
        *(["table", "--parts", "--points", "--reasons", "--format", fmt] for fmt in ("terminal", "markdown")),
        *(["table", "--parts", "--format", fmt] for fmt in ("csv", "json", "latex")),
        ["table", "--until-decided", "--parts", "--reasons"],
        ["plan", "toy.open", "toy.shown", "toy.share"],
        ["plan", "toy.mean", "--format", "json"],
        ["checklist", "--venue", "neurips"],
        ["report", "--format", "markdown", "--out", "pages"],
        ["report", "--single-file", "--out", "site"],
        ["figures", "toy.*", "--out", "figures"],
        ["plot", "toy.*", "--out", "plots"],
    ],
    ids=" ".join,
)
def test_at_99_no_other_level_is_used_or_printed(
    words: list[str],
    measured: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if words[0] in ("figures", "plot") or "--single-file" in words:
        pytest.importorskip("matplotlib")
    if words[0] == "plan":  # what it finds does not matter here; no share of so many is printed like a level
        monkeypatch.setattr(plan, "SEARCH_SIMULATIONS", 7)
        monkeypatch.setattr(Experiment, "n_simulations", 13)
    monkeypatch.chdir(tmp_path)
    with spied(monkeypatch) as asked:
        assert main([*_named(measured), *words, *_stored(measured), *ASKED]) == 0
    assert not foreign(asked)
    files = [path for path in tmp_path.rglob("*") if path.suffix in (".md", ".html", ".svg")]
    said = "\n".join([capsys.readouterr().out, *map(_read, files)])
    assert not [said[max(found.start() - 60, 0) : found.end() + 20] for found in PRINTED.finditer(said)]
    assert re.search(r"99(\\,| )?\\?%|0\.99\b", said), words


def test_two_tables_at_99_are_compared_at_99(
    measured: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(measured / "results.sqlite")
    with spied(monkeypatch) as asked:
        assert main([*_named(measured), "diff", store, store, "--preset", "smoke", *ASKED]) == 0
    assert not foreign(asked)
    said = capsys.readouterr().out
    assert "the 99 % interval of the difference" in said
    assert not PRINTED.search(said)


@pytest.mark.parametrize("relation", ["tight", "explicit-upper", "exact"])
def test_a_file_is_judged_and_drawn_at_99(
    relation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    path, drawn = tmp_path / "file.csv", tmp_path / "drawn.svg"
    rows = [f"{n},{(1 + 0.01 * j) / n}" for n in (2, 4, 8, 16, 32, 64) for j in range(-12, 13)]
    path.write_text("\n".join(["n,y", *rows]), encoding="utf-8")
    words = ["judge", str(path), "--axis", "n", "--value", "y", "--claim", "1/n", "--relation", relation, *ASKED]
    with spied(monkeypatch) as asked:
        assert main([*words, "--plot", str(drawn)]) == 0
        assert main([*words, "--format", "json"]) == 0
    assert not foreign(asked)
    said = capsys.readouterr().out + _read(drawn)
    assert not PRINTED.search(said)
    assert "99 % interval" in said


def test_intervals_at_99_are_wider_and_say_so(measured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    widths = {}
    for level in ("0.95", "0.99"):
        words = ["table", "toy.mean", "--format", "json", *_stored(measured), "--confidence", level]
        assert main([*_named(measured), *words]) == 0
        (line,) = json.loads(capsys.readouterr().out)
        assert line["confidence"] == float(level)
        widths[level] = line["confidence_interval"][1] - line["confidence_interval"][0]
    assert 1.2 < widths["0.99"] / widths["0.95"] < 3


def test_an_analysis_among_several_names_its_own_level(measured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["table", "toy.open", "--until-decided", "--parts", "--reasons", *_stored(measured)]
    assert main([*_named(measured), *words]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Δ [95 %]" in said
    assert "of at most 5, 1.25 % error" in said


def test_a_run_until_decided_names_the_table_that_shows_what_it_decided(
    measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plain table judges the preset alone, whatever else is stored."""
    asked = ["--until-decided", "--budget", "60"]
    words = ["run", "toy.mean", *asked, *_stored(measured), "--executor", "serial"]
    assert main([*_named(measured), *words]) == 0
    said = capsys.readouterr().err.splitlines()[-1]
    assert "nothing was to be added: every part is decided" in said
    shown = shlex.split(said.partition("a plain table does not give: ")[2])
    assert shown[0] == "theoremeter"
    assert shown[shown.index("--budget") + 1] == "60"  # another budget is another criterion
    assert main(shown[1:]) == 0
    assert "of at most 5" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("text", ["99", "1", "0.5", "nan", "high", "0.9_9", ""])
@pytest.mark.parametrize("command", ["table", "plan", "report", "judge", "calibrate", "diff", "checklist"])
def test_a_confidence_that_is_none_is_one_line(command: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--confidence", text]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"--confidence: must be between 0.5 and 1, such as 0.99, got {text!r}" in said


def test_a_run_that_judges_nothing_takes_no_confidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "A.samples", *ASKED]) == 2
    assert "--confidence must go with --until-decided in a run, got 0.99 alone" in capsys.readouterr().err
