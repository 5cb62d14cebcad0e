"""The store among several processes: leases, what a killed writer leaves, versions, full disks, failed trials."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.running.run import _Sweep, run
from sim.store.store import LEASE_SECONDS, Store, StoreError, key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec

ROOT = Path(__file__).resolve().parents[3]
SYSTEM = System("toy", "toy:simulate", ("sim.trials.validation",), uses_torch=False)
SPECS = Sweep(SYSTEM, grid(size=range(6))).specs()


class Clock:
    """Time that passes when told to."""

    now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trials.sqlite"


@pytest.fixture
def two(path: Path, clock: Clock) -> Iterator[tuple[Store, Store]]:
    """Two stores on one file, as two living processes have them."""
    with Store(path, clock=clock) as first, Store(path, clock=clock) as second:
        yield first, second


def ended(spec: TrialSpec, outcome: Outcome = Outcome.CONVERGED) -> Trial:
    observables = {"error": "broke"} if outcome is Outcome.FAILED else {"loss": 0.1}
    return Trial(spec, TrialResult(outcome, observables), 2.0)


# ----------------------------------------------------------------------------------------------------------- leases


def test_a_leased_trial_is_not_given_twice(two: tuple[Store, Store]) -> None:
    first, second = two
    assert first.claim(SPECS[:3]).granted == tuple(SPECS[:3])
    claimed = second.claim(SPECS[1:5])
    assert (claimed.granted, claimed.elsewhere) == (tuple(SPECS[3:5]), tuple(SPECS[1:3]))
    assert first.claim(SPECS[:3]).granted == tuple(SPECS[:3])  # one's own is no obstacle
    assert first.leases() == {first.owner: 3, second.owner: 2}


def test_an_ended_trial_is_not_leased_and_its_lease_goes_with_the_commit(two: tuple[Store, Store]) -> None:
    first, second = two
    first.claim(SPECS[:3])
    first.put([ended(SPECS[0]), ended(SPECS[1], Outcome.FAILED)])
    claimed = second.claim(SPECS[:3])
    assert (claimed.granted, claimed.finished, claimed.elsewhere) == ((), tuple(SPECS[:2]), (SPECS[2],))
    assert first.leases() == {first.owner: 1}
    assert second.claim(SPECS[:3], retry_failed=True).granted == (SPECS[1],)


def test_a_lease_lasts_as_stated_and_an_expired_one_is_taken_over(two: tuple[Store, Store], clock: Clock) -> None:
    first, second = two
    first.claim(SPECS[:2])
    clock.now += LEASE_SECONDS - 0.001
    assert second.claim(SPECS[:1]).granted == ()
    clock.now += 0.001
    assert second.leases() == {}
    assert second.claim(SPECS[:1]).granted == (SPECS[0],)
    first.renew()  # what was taken over is not the first one's to renew; what was not still is
    assert first.claim(SPECS[:1]).elsewhere == (SPECS[0],)
    assert second.claim(SPECS[1:2]).elsewhere == (SPECS[1],)


def test_renewing_puts_off_the_expiry_and_releasing_ends_it(two: tuple[Store, Store], clock: Clock) -> None:
    first, second = two
    first.claim(SPECS)
    for _ in range(5):
        clock.now += 0.9 * LEASE_SECONDS
        first.renew()
        assert second.claim(SPECS).granted == ()
    first.release()
    assert second.claim(SPECS).granted == tuple(SPECS)


def test_leases_of_a_process_that_is_gone_hold_nothing_up(two: tuple[Store, Store]) -> None:
    first, second = two
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    host, _, token = first.owner.rsplit(":", 2)
    first.owner = f"{host}:{gone.pid}:{token}"
    first.claim(SPECS)
    assert second.leases() == {}
    assert second.claim(SPECS).granted == tuple(SPECS)


def test_leases_of_another_machine_hold_until_they_expire(two: tuple[Store, Store], clock: Clock) -> None:
    first, second = two
    first.owner = "another:1:00000000"
    first.claim(SPECS)
    assert second.claim(SPECS).granted == ()
    clock.now += LEASE_SECONDS
    assert second.claim(SPECS).granted == tuple(SPECS)


@pytest.mark.parametrize("expires", [float("inf"), 1e300, 1e9 + 10 * LEASE_SECONDS])
def test_a_lease_that_would_hold_for_good_holds_for_a_minute(
    path: Path, two: tuple[Store, Store], clock: Clock, expires: float
) -> None:
    first, second = two
    first.owner = "another:1:00000000"
    first.claim(SPECS)
    first._connection.execute("UPDATE leases SET expires = ?", (expires,))
    claimed = second.claim(SPECS)
    assert (claimed.granted, claimed.holders) == ((), ("another:1:00000000",))
    clock.now += LEASE_SECONDS / 2
    assert second.claim(SPECS).granted == ()
    clock.now += LEASE_SECONDS / 2
    assert second.claim(SPECS).granted == tuple(SPECS)


@pytest.mark.parametrize(("column", "value"), [("owner", "x"), ("owner", b"\xff"), ("expires", "soon")])
def test_a_malformed_lease_is_refused_by_store_and_key(two: tuple[Store, Store], column: str, value: object) -> None:
    first, second = two
    first.claim(SPECS[:1])
    first._connection.execute(f"UPDATE leases SET {column} = ?", (value,))
    for look in (lambda: second.claim(SPECS[:1]), second.leases):
        with pytest.raises(StoreError, match=f"store .*, trial {key(SPECS[0])}: (owner|expiry) of a lease must be"):
            look()


def test_a_run_that_only_waits_says_for_whom_and_that_it_can_be_stopped(
    two: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two
    first.owner = "another:1:00000000"
    first.claim(SPECS)
    monkeypatch.setattr("sim.running.run._LOOK_SECONDS", 0.0)
    told: list[str] = []

    def heard(words: str) -> None:
        told.append(words)
        first.put(map(ended, SPECS))

    report = run(SPECS, second, executor="serial", tell=heard)
    assert (report.measured, report.elsewhere) == (0, len(SPECS))
    (words,) = told
    assert words.startswith("waiting for 6 trials (first: toy) that are leased to another:1:00000000")
    assert "Ctrl-C stops waiting and loses nothing" in words


# --------------------------------------------------------------------------------------------------- failed trials


def test_a_failed_trial_is_kept_apart_and_gives_way_to_a_finished_one(path: Path) -> None:
    with Store(path) as store:
        store.put([ended(SPECS[0], Outcome.FAILED), ended(SPECS[1])])
        assert [trial.spec for trial in store.get(SPECS).values()] == [SPECS[1]]
        assert len(store.get(SPECS, failed=True)) == 2
        assert store.failures(SPECS) == [ended(SPECS[0], Outcome.FAILED)]
        assert store.missing(SPECS[:2]) == []
        assert store.missing(SPECS[:2], retry_failed=True) == [SPECS[0]]
        store.put([ended(SPECS[0]), ended(SPECS[1], Outcome.FAILED)])
        assert store.failures(SPECS) == []
        assert [trial.result.outcome for trial in store.get(SPECS).values()] == [Outcome.CONVERGED] * 2


# ---------------------------------------------------------------------------------------------------- one file only


def killed_while_writing(path: Path, *statements: str) -> None:
    """Leave behind what a process does that dies after these statements."""
    lines = "".join(f"c.execute({statement!r})\n" for statement in statements)
    code = f"import os, signal, sqlite3\nc = sqlite3.connect({str(path)!r}, isolation_level=None)\n{lines}"
    done = subprocess.run([sys.executable, "-c", f"{code}os.kill(os.getpid(), signal.SIGKILL)"], check=False)
    assert done.returncode == -signal.SIGKILL


def test_an_open_store_has_a_log_and_a_closed_one_is_one_file(path: Path) -> None:
    with Store(path) as store:
        store.put(map(ended, SPECS))
        log = path.with_name(f"{path.name}-wal")
        assert log.stat().st_size > 0
        with Store(path, read_only=True) as reader:
            assert len(reader) == len(SPECS)
    assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes()[18:20] == b"\x01\x01"  # no log in the header either


def test_the_last_to_close_puts_the_log_away(path: Path) -> None:
    with Store(path) as first:
        with Store(path) as second:
            second.put([ended(SPECS[0])])
        first.put([ended(SPECS[1])])
    assert list(path.parent.iterdir()) == [path]
    with Store(path, read_only=True) as store:
        assert len(store) == 2


def test_a_store_that_speaks_of_a_log_it_has_not_is_read_without_making_one(path: Path) -> None:
    with Store(path) as store:
        store.put(map(ended, SPECS))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    before = path.read_bytes()
    assert before[18:20] == b"\x02\x02"
    with Store(path, read_only=True) as store:
        assert len(store.get(SPECS)) == len(SPECS)
    assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == before


READ = """
import os, sys
from sim.store.store import Store
if os.getuid() == 0:
    os.setuid(65534)  # only now: the interpreter itself may lie where others must not read
with Store(sys.argv[1], read_only=True) as store:
    print(len(store))
"""


def test_a_store_is_read_where_nothing_may_be_written(path: Path) -> None:
    """Closed, left open by a kill with its log, or with a rollback to be done: by a user who may only read."""
    with Store(path) as store:
        store.put(map(ended, SPECS))
    with_log, with_journal = path.with_name("log.sqlite"), path.with_name("journal.sqlite")
    shutil.copy(path, with_log)
    shutil.copy(path, with_journal)
    killed_while_writing(with_log, "PRAGMA journal_mode = WAL", "DELETE FROM trials WHERE key = 'none'", DELETE_ONE)
    with_log.with_name("log.sqlite-shm").unlink()
    killed_while_writing(with_journal, "PRAGMA cache_size = 1", "BEGIN", "DELETE FROM trials", FILL)
    assert with_journal.with_name("journal.sqlite-journal").stat().st_size > 0
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to other users
    try:
        for file in path.parent.iterdir():
            shutil.copy(file, folder)
            (folder / file.name).chmod(0o444)
        before = {file: file.read_bytes() for file in folder.iterdir()}
        folder.chmod(0o555)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        for name, number in ((path.name, 6), ("log.sqlite", 5), ("journal.sqlite", 6)):
            command = [sys.executable, "-c", READ, str(folder / name)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            assert (done.stdout, done.stderr) == (f"{number}\n", ""), name
        assert before == {file: file.read_bytes() for file in folder.iterdir()}
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


DELETE_ONE = "DELETE FROM trials WHERE json_extract(parameters, '$.size') = 0"
FILL = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO leases"
    " SELECT hex(randomblob(900)) || i, 'x', 0 FROM n"
)


# ---------------------------------------------------------------------------------------------------------- versions


@pytest.fixture
def version_1(path: Path) -> Path:
    """Six trials as the first version stored them."""
    with Store(path) as store:
        store.put(map(ended, SPECS))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "CREATE TABLE old (key TEXT PRIMARY KEY, system TEXT NOT NULL, parameters TEXT NOT NULL, replicate INTEGER NOT"
        " NULL, fingerprint TEXT NOT NULL, outcome TEXT NOT NULL, observables TEXT NOT NULL, curves BLOB, seconds REAL"
        " NOT NULL) WITHOUT ROWID; INSERT INTO old SELECT key, system, parameters, replicate, fingerprint, outcome,"
        " observables, curves, seconds FROM trials; DROP TABLE trials; DROP TABLE leases; ALTER TABLE old RENAME TO"
        " trials; PRAGMA user_version = 1; VACUUM"
    )
    connection.close()
    return path


def test_version_1_is_read_as_it_is_and_migrated_when_written(version_1: Path) -> None:
    before = version_1.read_bytes()
    with Store(version_1, read_only=True) as store:
        assert (store.schema, store.leases()) == (1, {})
        old = store.get(SPECS)
        assert [record.result.outcome for record in store.records()] == [Outcome.CONVERGED] * 6
    assert len(old) == 6
    assert version_1.read_bytes() == before
    with Store(version_1) as store:
        assert store.schema == 3
        assert store.get(SPECS) == old
        assert store.claim(SPECS).finished == tuple(SPECS)
    with Store(version_1, read_only=True) as store:
        assert store.get(SPECS) == old


# ---------------------------------------------------------------------------------------------------------- full disk


SIMULATOR = """
from sim.trials.trial import Outcome, TrialResult

def simulate(*, size, generator):
    return TrialResult(Outcome.CONVERGED, {"text": "x" * 3000, "size": size})
"""


def test_a_full_disk_stops_the_run_and_says_how_much_was_not_kept(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sharing_toy.py").write_text(SIMULATOR)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sim.running.run.COMMIT_SECONDS", 0.0)
    specs = Sweep(
        System("toy", "sharing_toy:simulate", ("sharing_toy",), uses_torch=False), grid(size=range(40))
    ).specs()
    with Store(path) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        with pytest.raises(StoreError, match="full; 1 trials that had ended could not be kept") as caught:
            run(specs, store, workers=0)
        assert "\n" not in str(caught.value)
    with Store(path) as store:
        kept = store.get(specs)
        assert 5 < len(kept) < 40
        assert store.leases() == {}
        assert run(specs, store, workers=0).measured == 40 - len(kept)
        assert store.missing(specs) == []


def test_what_does_not_go_in_together_may_go_in_one_by_one(path: Path) -> None:
    with Store(path) as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        trials = [ended(spec) for spec in SPECS]
        large = Trial(SPECS[5], TrialResult(Outcome.CONVERGED, {"text": "x" * 100_000}), 1.0)
        sweep = _Sweep(store, SPECS, retry_failed=False, label=str, report=print)
        sweep._pending = [*trials[:2], large, trials[3]]
        with pytest.raises(StoreError, match="1 trials that had ended could not be kept, all committed ones are"):
            sweep._commit()
        assert store.missing(SPECS) == [SPECS[2], SPECS[4], SPECS[5]]


# ------------------------------------------------------------------------------------------------------ housekeeping


def test_a_store_counts_lists_and_removes_by_simulator(path: Path) -> None:
    other = [TrialSpec(System("other", "toy:simulate", ("sim.trials.sweep",)), {"size": size}) for size in range(3)]
    with Store(path) as store:
        store.put([*map(ended, SPECS), *map(ended, other[:2]), ended(other[2], Outcome.FAILED)])
        counts = store.counts()
        assert {(system, outcome): figures for (system, _, outcome), figures in counts.items()} == {
            ("toy", "converged"): (6, 12.0),
            ("other", "converged"): (2, 4.0),
            ("other", "failed"): (1, 2.0),
        }
        (mark,) = {mark for system, mark, _ in counts if system == "other"}
        assert len(store.keys([mark])) == 2
        records = list(store.records(store.keys([mark])))
        assert [(record.system, record.fingerprint, record.replicate) for record in records] == [("other", mark, 0)] * 2
        assert sorted(record.parameters["size"] for record in records) == [0, 1]
        store.remove([mark])
        assert len(store) == 6
        assert store.missing([*SPECS, *other]) == other
    assert os.listdir(path.parent) == [path.name]
