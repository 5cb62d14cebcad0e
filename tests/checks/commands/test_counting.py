"""A table of files of Parquet, whose large parts are counted as they are read, is that of the store, word by word."""

from __future__ import annotations

import io
import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from pathlib import Path

import pytest

from checks.cli import main
from checks.evidence import folded
from sim.trials import sweep
from tests.papers import TOML, write_paper

pytest.importorskip("pyarrow", reason="of the extra parquet")

Command = Callable[..., tuple[int, list[str], list[str]]]
RUN = ("run", "--preset", "smoke", "--executor", "serial")
TABLE = ("table", "--preset", "smoke", "--parts", "--points", "--format", "json")
CLAIMS = """
import sympy as sp
from theory.claim import Axis, Claim, Evidence, Hypothesis, Kind, Source
from theory.relations import above

n = sp.Symbol("n", positive=True)
UP = Claim(
    id="toy.up", source=Source("toy", "Theorem 1"), kind=Kind.BEHAVIOUR, statement="It falls up.", observable="falls",
    evidence=(Evidence.MEASURED,), axes=(Axis(n),), regime=(Hypothesis("n > 2", above(n, 2)),),
)
"""
SIMULATORS = """
from sim.trials.trial import Outcome, System, TrialResult

def toss(*, n: int, generator) -> TrialResult:
    drawn = generator.random()
    if drawn > 0.99:
        return TrialResult(Outcome.DIVERGED, {"level": float("inf")})
    return TrialResult(Outcome.CONVERGED, {"up": drawn < 1 - 1 / (4 * n), "level": drawn, "third": n % 3})

TOSS = System("toy", toss, uses_torch=False, libraries=())
"""
CHECKS = """
from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from sim.trials.sweep import Sweep, grid
from theory.claim import Role

from .claims import UP, n
from .simulators import TOSS

def part(name, **more):
    sizes = more.pop("sizes", range(1, 8))
    more = {"rate": 0.8, "symbols": {"n": n}, "shows": lambda trial: trial.flag("up")} | more
    return Behaviour(name=name, sweeps={Preset.SMOKE: (Sweep(TOSS, grid(n=sizes), {}, 40),)}, **more)

def own(name, **more):
    return part(name, role=Role.OWN_QUESTION, because="ours", **more)

UP_CHECK = Check(UP, (
    part("all"),
    own("path", parameter="n"),
    own("some", where=lambda trial: trial.number("third") == 1, where_words="of a third"),
    own("no", rate=0.99, horizon="n"),
    own("level", shows=lambda trial: trial.number("level") < 0.9),
    own("runs", passes_too=lambda trials: "" if trials[0].spec.replicate == 0 else "other"),
    own("more", sizes=(3, 20)),
    own("held", control=Control("the same", {Preset.SMOKE: (Sweep(TOSS, grid(n=(1, 2)), {}, 10),)})),
    own("loses", adversaries=(Control("others", {Preset.SMOKE: (Sweep(TOSS, grid(n=(9,)), {}, 5),)}),)),
))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the paper, a store, its two parts, and the folders of each."""
    folder = tmp_path_factory.mktemp("made")
    write_paper(folder / "mine")
    for name, text in (("claims", CLAIMS), ("simulators", SIMULATORS), ("checks", CHECKS)):
        (folder / "mine" / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "mine" / "paper.toml").write_text(TOML.format(key="toy"), encoding="utf-8")
    for name, words in (("whole", ()), ("1", ("--shard", "1/2")), ("2", ("--shard", "2/2"))):
        store = str(folder / f"{name}.sqlite")
        assert main(["--paper", str(folder / "mine"), *RUN, *words, "--store", store]) == 0
        assert main(["store", "export", "--store", store, "--parquet", "--out", str(folder / name)]) == 0
    return folder


@pytest.fixture
def measured(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    shutil.copytree(made, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    monkeypatch.setattr(folded, "FOLDED_FROM", 50)

    def call(*words: str) -> tuple[int, list[str], list[str]]:
        code = main(["--paper", "mine", *words])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    call("list")
    return call


def without_seconds(text: str) -> list[dict[str, object]]:
    """The lines of a table, but for seconds, which every measurement has of its own."""
    return json.loads(re.sub(r'"seconds": [^,}]+', '"seconds": 0', text))


def rows(command: Command, *stores: str) -> list[dict[str, object]]:
    code, out, _ = command(*TABLE, *(word for store in stores for word in ("--store", store)))
    assert code == 0
    return without_seconds("\n".join(out))


@pytest.fixture(scope="module")
def expected(made: Path) -> list[dict[str, object]]:
    """The lines of the store, each trial held."""
    out = io.StringIO()
    with redirect_stdout(out), chdir(made):  # commands that lines print name the paper's folder
        assert main(["--paper", "mine", *TABLE, "--store", "whole.sqlite"]) == 0
    return without_seconds(out.getvalue())


@pytest.mark.parametrize("stores", [("whole",), ("1", "2"), ("1", "whole"), ("1", "2.sqlite")])
def test_the_table_of_files_is_that_of_the_store(
    stores: tuple[str, ...], measured: Command, expected: list[dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len({row["verdict"] for row in expected}) > 2
    counted = set()
    seen = folded.Folded.rows_or_lack
    monkeypatch.setattr(folded.Folded, "rows_or_lack", lambda self, *a: counted.add(self.name) or seen(self, *a))
    assert rows(measured, *stores) == expected
    is_laid_out = "2.sqlite" in stores  # as a store, where any of them is one
    assert counted == (set() if is_laid_out else {"all", "path", "some", "no", "level", "more", "held", "loses"})


def test_what_is_missing_is_counted_and_not_judged(measured: Command) -> None:
    (line, *_) = [row for row in rows(measured, "1") if row["part"] == "all"]
    assert line["verdict"] == "not measured"
    with sqlite3.connect("1.sqlite") as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM trials WHERE json_extract(parameters, '$.n') < 8")
    connection.close()
    assert f"{count} of 280 trials stored; theoremeter" in str(line["reason"])


def test_a_control_that_is_missing_is_said(measured: Command) -> None:
    with sqlite3.connect("whole.sqlite") as connection:
        connection.execute("DELETE FROM trials WHERE json_extract(parameters, '$.n') = 9")
    connection.close()
    assert measured("store", "export", "--store", "whole.sqlite", "--parquet", "--out", "whole")[0] == 0
    (line,) = [row for row in rows(measured, "whole") if row["part"] == "loses"]
    assert (line["verdict"], str(line["reason"])[:27]) == ("not measured", "the control is not measured")


def test_a_file_with_another_result_is_one_line(measured: Command) -> None:
    with sqlite3.connect("2.sqlite") as connection:
        (name, seen) = connection.execute(
            "SELECT key, observables FROM trials WHERE observables LIKE '%true%' LIMIT 1"
        ).fetchone()
        edited = json.dumps(json.loads(seen) | {"up": False})
        connection.execute("UPDATE trials SET observables = ? WHERE key = ?", (edited, name))
    connection.close()
    assert measured("store", "export", "--store", "2.sqlite", "--parquet", "--out", "2")[0] == 0
    code, out, (line,) = measured(*TABLE, "--store", "whole", "--store", "2")
    assert (code, out) == (2, [])
    assert "files that are read as one must have the same results, got 1 trials with others" in line
    assert measured("store", "merge", "2", "--store", "whole.sqlite")[0] == 1


def test_copied_rows_are_named(measured: Command) -> None:
    with sqlite3.connect("whole.sqlite") as connection:
        connection.execute(
            "UPDATE trials SET observables = (SELECT observables FROM trials WHERE json_extract(parameters, '$.n') = 5 "
            "AND observables LIKE '%true%') WHERE json_extract(parameters, '$.n') = 5 AND replicate < 9"
        )
    connection.close()
    measured("store", "export", "--store", "whole.sqlite", "--parquet", "--out", "whole")
    code, _, err = measured(*TABLE, "--store", "whole")
    assert code == 0
    assert any(line.startswith("theoremeter: copied? ") and "of toy have the same results" in line for line in err)


def test_a_criterion_that_raises_breaks_its_claim_alone(measured: Command) -> None:
    text = Path("mine/checks.py").read_text(encoding="utf-8")
    Path("mine/checks.py").write_text(text.replace('trial.flag("up")', 'trial.flag("down")'), encoding="utf-8")
    code, out, _ = measured(*TABLE, "--store", "whole")
    assert code == 2
    (line, *_) = json.loads("\n".join(out))
    assert line["verdict"] == "broken"
    assert "observables must have down" in line["reason"]


def test_other_commands_read_files_too(measured: Command) -> None:
    assert measured("explain", "toy.up", "--preset", "smoke", "--store", "whole")[0] == 0
    code, _, (line,) = measured("table", "--store", "mine")
    assert code == 2
    assert "a folder with files *.parquet" in line


def test_parts_that_cannot_be_placed_are_one_line(measured: Command) -> None:
    for more in (["--shard", "1/2"], ["--until-decided"], ["--executor", "threads"]):
        code, _, (line,) = measured("run", "--preset", "smoke", "--shards", "2", "--store", "parts", *more)
        assert (code, line.partition(" must ")[0][:13]) == (2, "theoremeter: ")
    for number in ("0", "x", "-1", "100001", "9" * 30):
        code, _, (line,) = measured("run", f"--shards={number}", "--store", "parts")
        assert code == 2
        assert "must be a whole number from 1 to 100000, got" in line
    Path("file").write_text("x", encoding="utf-8")
    assert measured("run", "--shards", "2", "--store", "file")[0] == 2


# ----------------------------------------------------------------------------------------------------------- one sqlite


@pytest.fixture
def seen_by_counts(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Parts that are counted, of sweeps of fifty trials and more in a sqlite file."""
    monkeypatch.setattr(folded, "MANY_TRIALS", 50)
    counted: set[str] = set()
    seen = folded.Folded.rows_or_lack
    monkeypatch.setattr(folded.Folded, "rows_or_lack", lambda self, *a: counted.add(self.name) or seen(self, *a))
    return counted


def test_the_table_of_a_store_that_is_counted_is_that_of_its_trials(
    measured: Command, expected: list[dict[str, object]], seen_by_counts: set[str]
) -> None:
    assert rows(measured, "whole.sqlite") == expected
    assert seen_by_counts == {"all", "path", "some", "no", "level", "more", "held", "loses"}, "runs looks at each"


def test_a_part_of_a_store_is_counted_and_says_what_its_trials_say(
    measured: Command, seen_by_counts: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that look at each trial are counted as well, for they are not judged yet."""
    with sqlite3.connect("1.sqlite") as connection:
        connection.execute(
            "UPDATE trials SET outcome = 'failed', observables = '{\"error\": \"E\"}' WHERE rowid IN "
            "(SELECT rowid FROM trials WHERE json_extract(parameters, '$.n') = 3 LIMIT 2)"
        )
    connection.close()
    found = rows(measured, "1.sqlite")
    assert "runs" in seen_by_counts
    monkeypatch.setattr(folded, "MANY_TRIALS", 10**6)
    assert rows(measured, "1.sqlite") == found
    assert ", 2 failed; " in str(found[0]["reason"])


def test_what_was_set_later_is_said_of_a_store_that_is_counted(measured: Command, seen_by_counts: set[str]) -> None:
    """How many trials a part has is no criterion of its author."""
    assert not [row for row in rows(measured, "whole.sqlite") if "set after" in json.dumps(row)]
    text = Path("mine/checks.py").read_text(encoding="utf-8")
    Path("mine/checks.py").write_text(text.replace('"rate": 0.8', '"rate": 0.81'), encoding="utf-8")
    told = [json.dumps(row) for row in rows(measured, "whole.sqlite") if "set after" in json.dumps(row)]
    assert "rate_asked" not in told[0]
    assert "rate 0.81 (before: 0.8) set after 280 of 280 trials were seen" in told[0]


def test_a_sweep_of_a_hundred_million_costs_what_its_store_has(
    measured: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By counts: a table makes a trial for each setting and stored row, and none for those that are not there."""
    text = Path("mine/checks.py").read_text(encoding="utf-8")
    text = text.replace("grid(n=sizes), {}, 40", "grid(n=range(1, 101)), {}, 10**6")
    Path("mine/checks.py").write_text(text, encoding="utf-8")
    assert (
        measured("run", "--preset", "smoke", "--executor", "serial", "--shard", "3/10000000", "--store", "s.sqlite")[0]
        == 0
    )
    made = 0
    real = sweep.TrialSpec

    def counted(*given: object, **named: object) -> object:
        nonlocal made
        made += 1
        return real(*given, **named)

    monkeypatch.setattr(sweep, "TrialSpec", counted)
    found = rows(measured, "s.sqlite")
    assert {row["verdict"] for row in found} == {"not measured"}
    assert all("10 of 100000000 trials stored; " in str(row["reason"]) for row in found)
    assert made < 10_000
