"""Evidence that comes with a paper: shown without measuring, marked where it has aged, continued by a run, verified."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands.published import archives
from checks.records.published import PRESETS
from sim.store.store import Store
from tests.checks.commands.test_archive import contents, sealed
from tests.papers import CHECKS, command_on_copy, edit, write_paper
from theoremeter_papers import repository

Command = Callable[..., tuple[int, list[str], list[str]]]
_SMOKE = "Preset.SMOKE: (Sweep(TOY, grid(size=(2, 4, 8, 16, 32)), {}, 3),)"
_BOTH = ", ".join(_SMOKE.replace("SMOKE", name).replace("3)", f"{n})") for name, n in (("QUICK", 3), ("FULL", 4)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A paper that brings its evidence at preset quick, 15 trials and a proof."""
    folder = tmp_path_factory.mktemp("made")
    text = CHECKS.format(key="toy")
    assert _SMOKE in text
    write_paper(folder / "mine", checks_py=text.replace(_SMOKE, _BOTH))
    paper, store = ["--paper", str(folder / "mine")], ["--store", str(folder / "store.sqlite")]
    assert main([*paper, "run", "--executor", "serial", *store]) == 0
    assert main([*paper, "archive", "--published", "--date", "2026-01-02", *store]) == 0
    return folder


@pytest.fixture
def command(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in a folder without a store."""
    monkeypatch.chdir(tmp_path)
    return command_on_copy(made / "mine", tmp_path / "mine", capsys)


def words_of(lines: list[str]) -> dict[str, str]:
    """Headlines of a printed table by claim."""
    return {line.split()[0]: line.split()[1] for line in lines if line.startswith("toy.")}


def test_the_table_is_shown_without_a_store_and_is_that_of_the_store(command: Command, made: Path) -> None:
    code, out, err = command("table", "--published")
    assert (code, err) == (0, [])
    assert words_of(out) == words_of(command("table", "--store", str(made / "store.sqlite"))[1])
    assert words_of(out) == {"toy.mean": "tight", "toy.step": "proved"}
    origin = "toy at preset quick: 16 trials, published on 2026-01-02 with theoremeter "
    assert any(line.startswith(origin) for line in out)
    assert not any("changed since" in line for line in out)
    assert not Path(".theoremeter").exists()
    assert list(words_of(command("table", "toy.step", "--published")[1])) == ["toy.step"]


def test_other_questions_are_judged_from_the_trials(command: Command) -> None:
    code, out, _ = command("table", "--published", "--format", "json")
    found = {row["id"]: row["claim_verdict"] for row in json.loads("\n".join(out))}
    assert (code, found) == (0, {"toy.mean": "tight", "toy.step": "proved"})
    assert command("table", "--published", "--fresh")[0] == 0
    shown = command("show", "toy.mean", "--published")[1]
    assert any(line.startswith("verdict ") and "tight at preset quick" in line for line in shown)


def test_a_simulator_that_has_changed_is_named_with_its_claims_and_the_word_stays(command: Command) -> None:
    edit(Path("mine") / "simulators.py", "0.01", "0.02")
    _, out, _ = command("table", "--published")
    assert words_of(out)["toy.mean"] == "tight"
    assert next(line for line in out if line.startswith("toy.mean")).endswith("toy has changed since")
    assert not next(line for line in out if line.startswith("toy.step")).endswith("since")
    assert "toy has changed since its trials were measured: toy.mean." in out
    code, out, err = command("table", "--published", "--fresh")
    assert (code, words_of(out)["toy.mean"]) == (0, "tight")
    assert "theoremeter: toy has changed since its trials were measured: toy.mean" in err
    code, out, _ = command("verify", "--published", "--workers", "1", "--sample", "99")
    assert code == 1
    assert out[-1] == "NOT VERIFIED: 15 of 15 trials run again differ"


def test_a_claim_that_has_changed_is_said_and_judged_on_request(command: Command) -> None:
    edit(Path("mine") / "claims.py", "value=1 / n,", "value=1 / n**2,")
    code, out, _ = command("table", "--published")
    assert (code, words_of(out)["toy.mean"]) == (0, "tight")
    assert "Claims or rules of toy have changed since: --fresh judges by those of today." in out
    code, out, err = command("table", "--published", "--fresh")
    assert (code, words_of(out)["toy.mean"]) == (1, "violated")
    assert "theoremeter: toy.mean: tight as published, violated as judged now" in err


def test_a_run_continues_from_what_is_published(command: Command) -> None:
    run = ("run", "toy.mean", "--preset", "full", "--executor", "serial", "--from-published")
    code, _, err = command(*run)
    assert code == 0
    assert err[0] == "theoremeter: 16 trials taken of 1 published archive"
    assert any(line.startswith("5 trials in ") for line in err), "the fourth replicate at each of five sizes"
    assert command(*run)[2][0] == "theoremeter: 0 trials taken of 1 published archive"
    edit(Path("mine") / "simulators.py", "0.01", "0.02")
    assert any(line.startswith("20 trials in ") for line in command(*run)[2]), "no trial of before is taken for one"


def test_an_archive_is_merged_into_a_store_and_again_changes_nothing(command: Command) -> None:
    merge = ("store", "merge", "mine/published/quick.zip", "--store", "new.sqlite")
    assert command(*merge)[2][-1].startswith("16 new, 0 in place")
    assert command(*merge)[2][-1].startswith("0 new, 0 in place of failures or fewer readouts, 16 that were there, 0 ")
    with Store("new.sqlite", read_only=True) as store:
        assert len(store) == 16


def test_both_presets_stand_side_by_side_where_they_differ(command: Command) -> None:
    assert command("run", "toy", "--preset", "full", "--executor", "serial", "--from-published")[0] == 0
    code, out, _ = command("archive", "--published", "toy")
    assert (code, len(out)) == (0, 2)
    assert "at full" not in command("table", "--published")[1][0]
    full = Path("mine") / "published" / "full.zip"
    members = contents(full)
    said = json.loads(members["headlines.json"])
    next(claim for claim in said["claims"] if claim["claim"] == "toy.mean")["cells"]["verdict"] = ["loose"]
    full.unlink()
    sealed(members | {"headlines.json": json.dumps(said).encode()}, full)
    heading, *lines = command("table", "--published")[1]
    assert heading.split()[:4] == ["claim", "headline", "at", "full"]
    (line,) = (line for line in lines if line.startswith("toy.mean"))
    assert line.split()[1:3] == ["tight", "loose"]
    assert command("report", "--published", "--format", "markdown", "--out", "pages")[0] == 0
    assert "| toy.mean | tight (full: loose) |" in Path("pages/mine.md").read_text(encoding="utf-8")
    code, out, _ = command("verify", "--published", "--workers", "1", "--sample", "1")
    assert (code, out[-1]) == (1, "NOT VERIFIED: headlines.json not as computed here")


def test_every_archive_of_a_paper_is_verified(command: Command) -> None:
    code, out, _ = command("verify", "--published", "--workers", "1")
    assert (code, len(out)) == (0, 2)
    assert out[0].startswith("toy at preset quick: ")
    assert out[1].startswith("VERIFIED: 2 claims judged at preset quick and 95 %, 1 proof re-checked")
    assert command("verify", "--published", "--workers", "1", "toy.mean")[0] == 0
    for name in ("toy", "toy.m*"):
        code, out, _ = command("verify", "--published", "--workers", "1", name)
        assert (code, out[-1].partition(":")[0]) == (0, "VERIFIED")
    code, out, (line,) = command("verify", "--published", "--workers", "1", "none.such")
    assert (code, out) == (2, [])
    assert line.endswith("got none of none.such")


@pytest.mark.parametrize("words", [("table",), ("table", "--preset", "full"), ("verify", "--sample", "1")])
def test_an_archive_in_the_place_of_another_is_one_line(words: tuple[str, ...], command: Command) -> None:
    """Headlines of one preset would be shown as those of the other."""
    folder = Path("mine") / "published"
    shutil.copy(folder / "quick.zip", folder / "full.zip")
    code, _, err = command(words[0], "--published", *words[1:])
    assert code == 2
    assert err[-1].endswith("full.zip: must be of claims of toy at preset full, got an archive of preset 'quick'")


def test_an_archive_of_another_paper_is_one_line(command: Command) -> None:
    path = Path("mine") / "published" / "quick.zip"
    members = contents(path)
    said = json.loads(members["manifest.json"]) | {"claims": ["other.mean", "toy.step"]}
    path.unlink()
    sealed(members | {"manifest.json": json.dumps(said).encode()}, path)
    code, out, (line,) = command("table", "--published")
    assert (code, out) == (2, [])
    assert line.endswith("at preset quick, got an archive of preset 'quick', with claims such as 'other.mean'")


def test_a_claim_that_is_not_published_is_said(command: Command, made: Path) -> None:
    path = Path("mine") / "published" / "quick.zip"
    path.unlink()
    assert command("archive", str(path), "toy.mean", "--store", str(made / "store.sqlite"))[0] == 0
    code, out, _ = command("verify", "--published", "--workers", "1", "--sample", "1")
    assert (code, out[1].partition(":")[0]) == (0, "VERIFIED")
    assert out[0].endswith("published; 1 claim not in it: toy.step")


def test_where_nothing_is_published_it_is_one_line(command: Command) -> None:
    code, out, (line,) = command("table", "--published", "--preset", "full")
    assert (code, out) == (2, [])
    assert line.endswith("at preset full, got toy at quick")
    code, _, (line,) = command("table", "--published", "--store", "some.sqlite")
    assert code == 2


@pytest.mark.parametrize("name", ["headlines.json", "systems.json", "versions.json"])
@pytest.mark.parametrize("text", ["", "[]", '{"toy": 1}', '{"claims": [{}]}', "[" * 9000])
def test_a_member_of_another_form_is_one_line(name: str, text: str, command: Command) -> None:
    path = Path("mine") / "published" / "quick.zip"
    members = contents(path)
    path.unlink()
    sealed(members | {name: text.encode()}, path)
    code, out, err = command("table", "--published")
    if name == "versions.json" and text.startswith("{"):
        assert (code, err) == (0, [])
    else:
        assert (code, out, len(err)) == (2, [], 1)
        assert name in err[0]


def test_what_the_papers_of_the_repository_bring_is_small(capsys: pytest.CaptureFixture[str]) -> None:
    found = archives(repository(), PRESETS)
    assert {paper.key for paper, _, _ in found} == {"A", "B"}
    assert sum(path.stat().st_size for _, _, path in found) < 8 * 2**20
    assert main(["table", "--published", "A.fig2"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("A.fig2 ")


def test_a_checklist_and_what_moved_since_are_of_what_is_published(command: Command, made: Path) -> None:
    code, out, _ = command("checklist", "--venue", "neurips", "--published", "toy")
    assert code == 0
    assert any("published with the paper" in line for line in out)
    assert not any("published-quick.sqlite" in line for line in out)
    code, out, _ = command("diff", "--published", str(made / "store.sqlite"))
    assert code == 0
    assert command("diff", "--published", str(made / "store.sqlite"), str(made / "store.sqlite"))[0] == 2
    code, _, (line,) = command("diff", str(made / "store.sqlite"))
    assert (code, line.partition(",")[0]) == (2, "theoremeter: two stores or tables must be given")


TRAINING = """
from dataclasses import dataclass

from sim.trials.readouts import Run
from sim.trials.trial import Outcome, System


@dataclass(frozen=True, eq=False, kw_only=True)
class Training(Run):
    risks: list


def simulate(*, size: int, generator):
    risks = [2.0 ** (-step) / size * (1 + 0.01 * generator.random()) for step in range(9)]
    return Training(outcome=Outcome.CONVERGED, account={"mean": risks[0]}, risks=risks)


TOY = System("toy", simulate, uses_torch=False, libraries=(), curves=("theoremeter_papers.toy.along",))
"""
ALONG = """
import numpy as np


def step(run) -> np.ndarray:
    return np.arange(len(run.risks))


def risk(run) -> np.ndarray:
    return np.array(run.risks)


def query_norm(run) -> np.ndarray:
    return 0.5 * np.array(run.risks)
"""


def test_the_curves_of_the_training_that_pages_show_are_published_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CHECKS.format(key="toy").replace(_SMOKE, _BOTH)
    folder = write_paper(tmp_path / "mine", checks_py=text, simulators_py=TRAINING)
    (folder / "along.py").write_text(ALONG, encoding="utf-8")
    paper, store = ["--paper", str(folder)], ["--store", str(tmp_path / "store.sqlite")]
    assert main([*paper, "run", "--executor", "serial", *store]) == 0
    assert main([*paper, "archive", "--published", *store]) == 0
    rows = [json.loads(line) for line in contents(folder / "published" / "quick.zip")["trials.jsonl"].splitlines()]
    kept = {(json.loads(row[2])["size"], row[3]): set(row[7]) for row in rows if row[0] == "toy" and row[7]}
    assert kept == {(8, 0): {"step", "risk"}}, "the first run at the middle of the axis, and no curve that is not shown"
    capsys.readouterr()
    assert main([*paper, "verify", "--published", "--workers", "1", "--sample", "99"]) == 0
    assert "15 of 15 trials run again bit for bit" in capsys.readouterr().out
