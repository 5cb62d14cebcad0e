"""Sweeps survive: killed at every kind of moment, resumed, and the store is that of a run nobody touched.

Each test runs real processes on a simulator that does nothing (survival_toy) and kills them at a point counted in
statements or bytes, never in seconds (survival_driver). What is waited for has happened or will; how fast does not
matter.
"""

from __future__ import annotations

import importlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sim.running.run import run
from sim.store.store import Store
from sim.trials.trial import TrialSpec
from tests.patience import PATIENCE_SECONDS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
STORE, ACKNOWLEDGED = Path("trials.sqlite"), Path("acknowledged.log")
"""How long to wait for what must happen; reaching it is a failure."""

# Transactions of the run, in order: creation; then for each trial its lease and its commit; then the leases given back.
MOMENTS = {
    "the store is half created": "statement:1:CREATE TABLE leases",
    "its creation is not committed": "statement:1:COMMIT",
    "it is created, and has no log yet": "statement:1:PRAGMA journal_mode = WAL",
    "before the first lease": "statement:2:BEGIN",
    "inside the first lease": "statement:1:INSERT OR REPLACE INTO leases",
    "the first lease is not committed": "statement:2:COMMIT",
    "a later lease is not committed": "statement:14:COMMIT",
    "before the first commit": "statement:3:BEGIN",
    "inside the first commit, nothing inserted": "statement:1:INSERT INTO trials",
    "inside the first commit, trial inserted": "statement:1:DELETE FROM leases WHERE key",
    "inside the first commit, at its end": "statement:3:COMMIT",
    "after the first commit": "statement:4:BEGIN",
    "before a later commit": "statement:15:BEGIN",
    "inside a later commit, nothing inserted": "statement:7:INSERT INTO trials",
    "inside a later commit, trial inserted": "statement:7:DELETE FROM leases WHERE key",
    "inside a later commit, at its end": "statement:15:COMMIT",
    "after a later commit": "statement:16:BEGIN",
    "inside the last commit": "statement:25:COMMIT",
    "after the last commit": "statement:1:DELETE FROM leases WHERE owner",
    "before the log is folded in": "statement:1:PRAGMA wal_checkpoint",
    "before the log is put away": "statement:1:PRAGMA journal_mode = DELETE",
}
TORN_WRITES = {
    "inside a write of the creation's journal": 300,
    "inside a write of the creation": 10_000,
    "inside a write of the log's index": 20_000,
    "inside a write of a lease or a commit": 33_000,
    "inside the next page": 37_300,
    "inside a write further on": 60_001,
    "inside a write near the end": 90_001,
}
LIKE_OTHERS = {
    "a later lease is not committed",
    "before a later commit",
    "inside a later commit, nothing inserted",
    "inside a later commit, trial inserted",
    "inside a later commit, at its end",
    "inside the next page",
    "inside a write further on",
}
"""Moments of a later trial that the first has as well, and writes between two others."""
MIGRATION = {
    "before the migration": "statement:2:BEGIN",
    "inside the migration, table renamed": "statement:1:CREATE TABLE trials",
    "inside the migration, rows copied": "statement:1:DROP TABLE",
    "inside the migration, at its end": "statement:1:COMMIT",
}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The simulator's module, in an empty folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(HERE)
    return importlib.import_module("survival_toy")


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple]:
    """What the store of an uninterrupted run holds."""
    folder = tmp_path_factory.mktemp("untouched")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(HERE)
        specs = importlib.import_module("survival_toy").specs()
        assert drive("serial").stdout.split() == [str(len(specs)), "0", "0"]
        found = content(specs)
    assert len(found) == len(specs)
    return found


def start(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(HERE / "survival_driver.py"), *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def drive(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    process = start(*arguments)
    try:
        stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        process.kill()  # nothing to a process that has ended
    assert process.returncode == code, stderr
    return subprocess.CompletedProcess(arguments, process.returncode, stdout, stderr)


def finish(executor: str) -> list[int]:
    """Run the sweep again, undisturbed, here where all is imported: what `survival_driver` prints."""
    with Store(STORE) as store:
        report = run(importlib.import_module("survival_toy").specs(), store, executor=executor, workers=2)
    return [report.measured, report.elsewhere, len(report.failures)]


def content(specs: list[TrialSpec]) -> dict[str, tuple]:
    """All that a table is made of, read the way a table reads it, which changes nothing."""
    before = {path: path.read_bytes() for path in (STORE, Path(f"{STORE}-wal")) if path.exists()}
    with Store(STORE, read_only=True) as store:
        trials = store.get(specs).values()
        found = {trial.spec.identity: (trial.result.outcome, dict(trial.result.observables)) for trial in trials}
    assert before == {path: path.read_bytes() for path in before}
    return found


def resume_and_compare(toy: Any, untouched: dict[str, tuple], *, executor: str = "serial") -> None:
    """No committed trial is lost or run again, all others run once, and the store ends as if nothing had happened."""
    specs = toy.specs()
    size_of = {spec.identity: spec.parameters["size"] for spec in specs}
    committed = content(specs)
    kept = {size_of[identity] for identity in committed}
    acknowledged = {int(line) for line in ACKNOWLEDGED.read_text().split()} if ACKNOWLEDGED.exists() else set()
    assert acknowledged <= kept
    assert committed == {identity: untouched[identity] for identity in committed}
    ran_before = len(toy.executed())
    measured = len(specs) - len(kept)
    assert finish(executor) == [measured, 0, 0]
    assert Counter(size for size, _ in toy.executed()[ran_before:]) == Counter(set(size_of.values()) - kept)
    assert content(specs) == untouched
    assert sorted(path.name for path in Path().glob("trials*")) == [STORE.name]
    connection = sqlite3.connect(STORE)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("SELECT count(*) FROM leases").fetchall() == [(0,)]
    assert connection.execute("SELECT count(*) FROM trials").fetchall() == [(len(specs),)]
    connection.close()


def wait_until(condition: Any) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


# ----------------------------------------------------------------------------------------------------- killed, resumed


def most_of(moments: dict[str, str] | dict[str, int]) -> list[Any]:
    """All moments; those that are like others are left to `make exhaustive`."""
    return [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in LIKE_OTHERS)) for name in moments]


@pytest.mark.parametrize("moment", most_of(MOMENTS))
def test_a_killed_run_resumes_as_if_nothing_had_happened(moment: str, toy: Any, untouched: dict[str, tuple]) -> None:
    drive("serial", MOMENTS[moment], code=-signal.SIGKILL)
    resume_and_compare(toy, untouched)


@pytest.mark.parametrize("moment", most_of(TORN_WRITES))
def test_a_run_killed_inside_a_write_resumes_as_well(moment: str, toy: Any, untouched: dict[str, tuple]) -> None:
    drive("serial", f"write:{TORN_WRITES[moment]}", code=-signal.SIGXFSZ)
    resume_and_compare(toy, untouched)


@pytest.mark.parametrize(
    "point",
    [
        "3:COMMIT",  # of the first trials that ended; how many come together depends on the machine
        pytest.param("7:INSERT INTO trials", marks=pytest.mark.exhaustive),
        pytest.param("9:DELETE FROM leases WHERE key", marks=pytest.mark.exhaustive),
        "1:DELETE FROM leases WHERE owner",
    ],
)
def test_a_killed_run_with_workers_resumes_and_leaves_no_worker(
    point: str, toy: Any, untouched: dict[str, tuple]
) -> None:
    drive("process", f"statement:{point}", code=-signal.SIGKILL)
    wait_until(lambda: not any(toy.is_alive(process) for _, process in toy.executed()))
    resume_and_compare(toy, untouched, executor="process")


@pytest.mark.parametrize("size", [0, 6, 11])
def test_a_run_killed_while_a_worker_computes_resumes_and_the_worker_ends_by_itself(
    size: int, toy: Any, untouched: dict[str, tuple]
) -> None:
    Path("kill_coordinator").write_text(str(size))
    drive("process", code=-signal.SIGKILL)
    wait_until(lambda: not any(toy.is_alive(process) for _, process in toy.executed()))
    resume_and_compare(toy, untouched)


def test_a_run_killed_again_and_again_gets_there(toy: Any, untouched: dict[str, tuple]) -> None:
    for _ in range(4):
        drive("serial", "statement:3:INSERT INTO trials", code=-signal.SIGKILL)
    assert len(content(toy.specs())) == 8
    resume_and_compare(toy, untouched)


@pytest.mark.parametrize("moment", list(MIGRATION))
def test_a_store_of_version_1_survives_its_migration(moment: str, toy: Any, untouched: dict[str, tuple]) -> None:
    write_version_1()
    old = content(toy.specs())
    assert len(old) == 7
    drive("serial", MIGRATION[moment], code=-signal.SIGKILL)
    assert content(toy.specs()) == old
    resume_and_compare(toy, untouched)


VERSION_1 = """
ALTER TABLE trials RENAME TO new;
DROP TABLE leases;
CREATE TABLE trials (
    key TEXT PRIMARY KEY, system TEXT NOT NULL, parameters TEXT NOT NULL, replicate INTEGER NOT NULL,
    fingerprint TEXT NOT NULL, outcome TEXT NOT NULL, observables TEXT NOT NULL, curves BLOB, seconds REAL NOT NULL
) WITHOUT ROWID;
INSERT INTO trials
SELECT key, system, parameters, replicate, fingerprint, outcome, observables, curves, seconds FROM new
WHERE json_extract(parameters, '$.size') < 7;
DROP TABLE new;
PRAGMA user_version = 1;
"""


def write_version_1() -> None:
    """A store of seven trials as the first version wrote it, made from one of today."""
    drive("serial")
    connection = sqlite3.connect(STORE, isolation_level=None)
    connection.executescript(VERSION_1)
    connection.close()
    ACKNOWLEDGED.unlink()


def test_a_lost_trial_is_noticed(toy: Any, untouched: dict[str, tuple]) -> None:
    drive("serial", MOMENTS["after a later commit"], code=-signal.SIGKILL)
    connection = sqlite3.connect(STORE, isolation_level=None)
    connection.execute("DELETE FROM trials WHERE json_extract(parameters, '$.size') = 2")
    connection.close()
    with pytest.raises(AssertionError, match="Extra items in the left set"):
        resume_and_compare(toy, untouched)


def test_a_repeated_trial_is_noticed(toy: Any, untouched: dict[str, tuple], monkeypatch: pytest.MonkeyPatch) -> None:
    drive("serial", MOMENTS["after a later commit"], code=-signal.SIGKILL)
    honest = toy.executed
    monkeypatch.setattr(toy, "executed", lambda: honest() + honest()[:1] * (len(honest()) >= 12))
    with pytest.raises(AssertionError, match="Counter"):
        resume_and_compare(toy, untouched)


# ----------------------------------------------------------------------------------------- workers and trials that fail


def test_a_killed_worker_is_replaced_and_only_its_trial_runs_again(toy: Any, untouched: dict[str, tuple]) -> None:
    Path("kill_worker").write_text("5")
    assert drive("process").stdout.split() == ["12", "0", "0"]
    assert content(toy.specs()) == untouched
    assert Counter(size for size, _ in toy.executed()) == Counter([*range(12), 5])


def test_a_trial_that_always_kills_its_worker_fails_alone(toy: Any, untouched: dict[str, tuple]) -> None:
    Path("kill_worker").write_text("5 always")
    specs = toy.specs()
    assert drive("process").stdout.split() == ["11", "0", "1"]
    assert Counter(size for size, _ in toy.executed()) == Counter([*range(12), 5, 5])
    with Store(STORE, read_only=True) as store:
        (failure,) = store.failures(specs)
    assert failure.spec == specs[5]
    assert "SIGKILL" in failure.result.observables["error"]
    assert content(specs) == {spec.identity: untouched[spec.identity] for spec in specs if spec != specs[5]}


# ------------------------------------------------------------------------------------------------- two runs, one store


@pytest.mark.parametrize("executor", ["serial", "process"])
def test_two_runs_share_a_store_and_run_every_trial_once(executor: str, toy: Any, untouched: dict[str, tuple]) -> None:
    """Neither goes on before both are at work, so both are."""
    Path("meet").touch()
    runs = [start(executor), start(executor)]
    counts = [list(map(int, run.communicate(timeout=PATIENCE_SECONDS)[0].split())) for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sum(measured for measured, _, _ in counts) == 12
    assert Counter(size for size, _ in toy.executed()) == Counter(range(12))
    assert content(toy.specs()) == untouched


# ------------------------------------------------------------------------------------------------------------ full disk


@pytest.mark.parametrize("room", [33_000, 60_001])
def test_a_full_disk_ends_the_run_in_one_line_and_loses_nothing_committed(
    room: int, toy: Any, untouched: dict[str, tuple]
) -> None:
    stopped = drive("serial", f"full:{room}", code=2)
    assert stopped.stderr.count("\n") == 1
    assert stopped.stderr.startswith("store must be a usable theoremeter store")
    assert 0 < len(content(toy.specs())) < 12
    resume_and_compare(toy, untouched)
