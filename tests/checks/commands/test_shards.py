"""Parts of a sweep, each in a store of its own, merged are the whole; merging again changes nothing."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands import placed_shards
from sim.store.store import Store
from sim.trials.sweep import OfSweep
from tests.papers import edit, write_paper

Command = Callable[..., tuple[int, list[str], list[str]]]
RUN = ("run", "--preset", "smoke", "--executor", "serial")


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(tmp_path)
    write_paper(tmp_path / "mine")

    def call(*words: str) -> tuple[int, list[str], list[str]]:
        code = main(["--paper", "mine", *words])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return call


def keys(name: str) -> list[str]:
    with Store(Path(name), read_only=True) as store:
        return store.every_key()


def test_parts_merged_are_the_whole(command: Command) -> None:
    assert command(*RUN, "--store", "whole.sqlite")[0] == 0
    for part in (1, 2, 3):
        code, _, err = command(*RUN, "--shard", f"{part}/3", "--store", f"{part}.sqlite")
        assert code == 0
        assert f"{part}.sqlite has part {part} of 3 of preset smoke for toy.mean, toy.step" in err[-1]
    parts = [keys(f"{part}.sqlite") for part in (1, 2, 3)]
    assert all(parts)
    assert sorted(name for part in parts for name in part) == keys("whole.sqlite")
    merge = ("store", "merge", "1.sqlite", "2.sqlite", "3.sqlite", "--store", "all.sqlite")
    counts = "0 in place of failures or fewer readouts, {same} that were there, 0 conflicts, "
    code, out, (line,) = command(*merge)
    assert (code, out) == (0, [])
    assert line.startswith(f"16 new, {counts.format(same=0)}")
    assert command(*merge)[2][0].startswith(f"0 new, {counts.format(same=16)}")
    assert keys("all.sqlite") == keys("whole.sqlite")
    digests = {command("store", "digest", "--store", f"{name}.sqlite")[1][0] for name in ("all", "whole")}
    assert len(digests) == 1
    assert command("store", "merge", "all.sqlite", "--store", "1.sqlite")[2][0].startswith(
        f"{16 - len(parts[0])} new, "
    )


def test_two_trials_that_differ_are_a_conflict_and_the_first_stays(command: Command) -> None:
    assert command(*RUN, "--store", "one.sqlite")[0] == 0
    assert command(*RUN, "--store", "other.sqlite")[0] == 0
    with sqlite3.connect("other.sqlite") as connection:
        (name, seen) = connection.execute("SELECT key, observables FROM trials WHERE system = 'toy'").fetchone()
        edited = json.dumps({"mean": 2 * json.loads(seen)["mean"]})
        connection.execute("UPDATE trials SET observables = ? WHERE key = ?", (edited, name))
    connection.close()
    code, (conflict,), (line,) = command("store", "merge", "other.sqlite", "--store", "one.sqlite")
    assert code == 1
    assert conflict == f"conflict: store one.sqlite, trial {name}: other results than in the other store"
    assert line.startswith("0 new, 0 in place of failures or fewer readouts, 15 that were there, 1 conflicts")
    with Store(Path("one.sqlite"), read_only=True) as store:
        (kept,) = store.records([name])
    assert kept.result.observables["mean"] == json.loads(seen)["mean"]


def test_a_finished_trial_takes_the_place_of_a_failure_and_no_failure_that_of_a_trial(command: Command) -> None:
    assert command(*RUN, "--store", "sound.sqlite")[0] == 0
    assert command(*RUN, "--store", "failed.sqlite")[0] == 0
    with sqlite3.connect("failed.sqlite") as connection:
        failure = ("timed out", json.dumps({"error": "BeyondSeconds: no end"}))
        connection.execute("UPDATE trials SET outcome = ?, observables = ? WHERE system = 'toy'", failure)
    connection.close()
    assert command("store", "merge", "failed.sqlite", "--store", "sound.sqlite")[2][0].startswith("0 new, 0 in place")
    assert command("store", "merge", "sound.sqlite", "--store", "failed.sqlite")[2][0].startswith("0 new, 15 in place")
    digests = {command("store", "digest", "--store", f"{name}.sqlite")[1][0] for name in ("sound", "failed")}
    assert len(digests) == 1


def test_a_part_of_very_many_is_run_without_going_through_all(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(Path("mine/checks.py"), "(size=(2, 4, 8, 16, 32)), {}, 3", "(size=range(2, 1_000_002)), {}, 100")
    monkeypatch.setattr(OfSweep, "_each", lambda sweep: pytest.fail("all trials are gone through"))
    code, _, err = command(*RUN, "toy.mean", "--shard", "7/20000000", "--store", "7.sqlite")
    assert (code, len(keys("7.sqlite"))) == (0, 5)
    assert "7.sqlite has part 7 of 20000000 of preset smoke for toy.mean" in err[-1]


def test_a_lemma_that_a_store_lacks_is_said_with_its_claim(command: Command) -> None:
    """What would refute it may have been deleted, and its headline is the better for it."""
    lemma = "evidence=(Evidence.MEASURED, Evidence.SYMBOLIC), lemmas=(Identity('one', n + n, 2 * n),),"
    edit(Path("mine/claims.py"), 'observable="mean", evidence=(Evidence.MEASURED,),', f'observable="mean", {lemma}')
    assert command(*RUN, "--store", "whole.sqlite")[0] == 0
    told = "not asked yet, and not heard in any headline: 1 lemma of toy.mean"
    assert not any(told in line for line in command("table", "--preset", "smoke", "--store", "whole.sqlite")[2])
    with closing(sqlite3.connect("whole.sqlite")) as rows, rows:
        rows.execute("DELETE FROM trials WHERE system = 'proof' AND parameters LIKE '%toy.mean%'")
    assert any(told in line for line in command("table", "--preset", "smoke", "--store", "whole.sqlite")[2])


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1", "a/b", "1/0", "-1/3", "1/2/3", "1/99999999999"])
def test_parts_that_are_none_are_one_line(shard: str, command: Command) -> None:
    code, out, (line,) = command(*RUN, f"--shard={shard}")
    assert (code, out) == (2, [])
    assert line.startswith("theoremeter: argument --shard: must be K/N")


def test_a_part_of_what_depends_on_others_is_refused(command: Command) -> None:
    for more in (["--until-decided"], ["--placement", "adaptive"]):
        code, _, (line,) = command(*RUN, "--shard", "1/2", *more)
        assert (code, line.partition(", got")[0]) == (2, "theoremeter: --shard must go with the whole grid")
    assert command("store", "merge", "none.sqlite", "--store", "x.sqlite")[0] == 2


def test_stores_named_together_are_read_as_one(command: Command) -> None:
    for part in (1, 2):
        command(*RUN, "--shard", f"{part}/2", "--store", f"{part}.sqlite")
    assert command("store", "merge", "1.sqlite", "2.sqlite", "--store", "whole.sqlite")[0] == 0
    parts = ("--store", "1.sqlite", "--store", "2.sqlite")
    table = ("table", "--preset", "smoke", "--format", "json")
    code, out, _ = command(*table, "--store", "whole.sqlite")
    assert (code, out) == command(*table, *parts)[:2]
    assert out != command(*table, "--store", "1.sqlite")[1]
    assert command("plan", "--preset", "smoke", *parts)[0] == 0
    assert command("report", "--preset", "smoke", "--format", "markdown", "--out", "pages", *parts)[0] == 0
    (page,) = Path("pages").glob("*.md")
    assert "--store 1.sqlite --store 2.sqlite --format markdown --out pages" in page.read_text()
    assert command(*table, *parts, "--store", "none.sqlite")[2] == [
        "theoremeter: store must exist to be read, got none.sqlite"
    ]
    code, _, err = command("run", *parts)
    assert (code, err[-1]) == (
        2,
        "theoremeter: argument --store: must be given once here, got 1.sqlite and 2.sqlite",
    )


def test_stores_that_differ_in_a_trial_are_not_read_as_one(command: Command) -> None:
    assert command(*RUN, "--store", "one.sqlite")[0] == 0
    assert command(*RUN, "--store", "other.sqlite")[0] == 0
    with sqlite3.connect("other.sqlite") as connection:
        connection.execute("UPDATE trials SET observables = '{\"mean\": 7.0}' WHERE system = 'toy'")
    connection.close()
    code, out, err = command("table", "--preset", "smoke", "--store", "one.sqlite", "--store", "other.sqlite")
    assert (code, out) == (2, [])
    assert err == [
        "theoremeter: stores read as one must agree, got 15 trials of other.sqlite with other results than before it; "
        "store merge names each and keeps the first"
    ]


def placed(command: Command) -> None:
    """Two parts that one command places are the whole, what is there is not measured again, and a lost part is."""
    run = ("run", "--preset", "smoke", "--shards", "2", "--store", "parts", "--workers", "1")
    code, _, err = command(*run)
    assert code == 0
    assert err[-1].startswith("2 of 2 parts measured in ")
    assert sorted(path.name for path in Path("parts").iterdir()) == ["1-of-2", "2-of-2"]
    assert command(*RUN, "--store", "whole.sqlite")[0] == 0
    assert command("store", "merge", "parts", "--store", "all.sqlite")[2][-1].startswith("16 new, ")
    assert keys("all.sqlite") == keys("whole.sqlite")
    assert command("store", "merge", "parts", "--store", "whole.sqlite")[0] == 0
    assert command(*run)[2][-1].startswith("0 of 2 parts measured in ")
    shutil.rmtree("parts/1-of-2")
    assert command(*run)[2][-1].startswith("1 of 2 parts measured in ")


def test_parts_that_one_command_places_are_the_whole(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="of the extra parquet")
    monkeypatch.setattr(placed_shards, "_called", lambda words: (main(words), ""))
    placed(command)
    monkeypatch.setattr(placed_shards, "_called", lambda words: (2, "theoremeter: the disk is full"))
    code, _, err = command("run", "--preset", "smoke", "--shards", "2", "--store", "others", "--workers", "1")
    assert code == 2
    assert err[0] == "part 1: theoremeter: the disk is full"
    assert not list(Path("others").iterdir())


def test_parts_are_placed_in_processes_of_their_own(command: Command) -> None:
    pytest.importorskip("pyarrow", reason="of the extra parquet")
    placed(command)
