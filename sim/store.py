"""Finished trials in one sqlite file, a row each; and who is at work on which trial.

A row's key is the trial's fingerprint. Changing a simulator therefore never reuses an old result, and never deletes one
either. Curves are an npz blob beside the scalars. A trial that kept failing is a row as well, with its error and
without observables; a finished trial takes its place, nothing ever takes a finished trial's.

Several processes may work on one store. Each leases the trials it is about to run, for `LEASE_SECONDS`, and renews the
leases while it lives; what nobody holds, what expired, and what a process of this machine held that is gone, anyone may
take. A lease decides who works, never what is kept: were a trial run twice, the second result would be the same one.
"""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from sim.curves import pack, unpack
from sim.fingerprint import TrialKey, fingerprint, key
from sim.store_file import (
    COLUMNS,
    SCHEMA_VERSION,
    StoreError,
    close_writer,
    open_reader,
    open_writer,
    refusals,
    schema_of,
    transaction,
)
from sim.trial import Outcome, Parameters, Trial, TrialResult, TrialSpec

__all__ = ["LEASE_SECONDS", "SCHEMA_VERSION", "Claimed", "Record", "Store", "StoreError", "fingerprint", "key"]

LEASE_SECONDS = 60.0
"""How long a lease lasts unless renewed."""
_AT_ONCE = 500
"""sqlite's limit on bound variables is 999 in old builds."""


@dataclass(frozen=True)
class Claimed:
    """What became of a request for trials: given to the asker, finished already (or failed), at work elsewhere."""

    granted: tuple[TrialSpec, ...]
    finished: tuple[TrialSpec, ...]
    elsewhere: tuple[TrialSpec, ...]


@dataclass(frozen=True)
class Record:
    """A row as stored, of whatever system: for whoever looks after the store rather than at a trial."""

    key: TrialKey
    system: str
    fingerprint: str
    parameters: Parameters
    replicate: int
    result: TrialResult
    seconds: float


class Store:
    """An open store. Use as a context manager, in one thread.

    Args:
        path: the sqlite file; created with its folder unless `read_only`.
        read_only: never write; a missing file then reads as an empty store.
        clock: seconds since the epoch, by which leases expire.

    Raises:
        StoreError: the file is not a store, is truncated, or was written by a newer theoremeter.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False, clock: Callable[[], float] = time.time) -> None:
        self.path = Path(path)
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._clock = clock
        self._read_only = read_only
        self._connection = open_reader(self.path) if read_only else open_writer(self.path)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._read_only:
            self._connection.close()
        else:
            close_writer(self._connection)

    def __len__(self) -> int:
        with refusals(self.path):
            return self._connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    # ------------------------------------------------------------------------------------------------------ trials

    def put(self, trials: Iterable[Trial]) -> None:
        """Commit trials that ended, and give back their leases. A finished trial already there is left as it is."""
        rows = [_row(trial) for trial in trials]
        columns = COLUMNS.split(", ")
        insert = (
            f"INSERT INTO trials ({COLUMNS}) VALUES ({', '.join('?' * len(columns))})"
            f" ON CONFLICT (key) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in columns[1:])}"
            f" WHERE trials.outcome = '{Outcome.FAILED}'"
        )
        with refusals(self.path), transaction(self._connection):
            self._connection.executemany(insert, rows)
            self._connection.executemany("DELETE FROM leases WHERE key = ?", [row[:1] for row in rows])

    def get(self, specs: Iterable[TrialSpec], *, failed: bool = False) -> dict[TrialKey, Trial]:
        """Those of `specs` that are finished, by key; those that failed as well where `failed` asks for them."""
        found: dict[TrialKey, Trial] = {}
        wanted = {key(spec): spec for spec in specs}
        query = "SELECT key, outcome, observables, curves, seconds FROM trials WHERE key IN ({})"
        for name, outcome, observables, curves, seconds in self._select(query, list(wanted)):
            if failed or outcome != Outcome.FAILED:
                result = TrialResult(Outcome(outcome), json.loads(observables), unpack(curves))
                found[name] = Trial(wanted[name], result, seconds)
        return found

    def failures(self, specs: Iterable[TrialSpec]) -> list[Trial]:
        """Those of `specs` that failed for good, each once, in their order; their observables say why ("error")."""
        wanted = {key(spec): spec for spec in specs}
        found = {name: outcome for name, outcome in self._outcomes(list(wanted)).items() if outcome == Outcome.FAILED}
        trials = self.get((wanted[name] for name in wanted if name in found), failed=True)
        return [trials[name] for name in wanted if name in trials]

    def missing(self, specs: Iterable[TrialSpec], *, retry_failed: bool = False) -> list[TrialSpec]:
        """Those of `specs` that are still to be run, each once, in their order."""
        wanted = {key(spec): spec for spec in specs}
        ended = self._ended(list(wanted), retry_failed=retry_failed)
        return [spec for name, spec in wanted.items() if name not in ended]

    def _ended(self, names: Sequence[TrialKey], *, retry_failed: bool) -> set[TrialKey]:
        outcomes = self._outcomes(names)
        return {name for name, outcome in outcomes.items() if not (retry_failed and outcome == Outcome.FAILED)}

    def _outcomes(self, names: Sequence[TrialKey]) -> dict[TrialKey, str]:
        return dict(self._select("SELECT key, outcome FROM trials WHERE key IN ({})", names))

    def _select(self, query: str, names: Sequence[TrialKey]) -> Iterator[tuple]:
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            with refusals(self.path):
                rows = self._connection.execute(query.format(", ".join("?" * len(part))), part).fetchall()
            yield from rows

    # ------------------------------------------------------------------------------------------------------ leases

    def claim(
        self, specs: Sequence[TrialSpec], *, retry_failed: bool = False, seconds: float = LEASE_SECONDS
    ) -> Claimed:
        """Lease those of `specs` that are neither ended nor at work elsewhere."""
        wanted = {key(spec): spec for spec in specs}
        names = list(wanted)
        with refusals(self.path), transaction(self._connection):
            now = self._clock()
            ended = self._ended(names, retry_failed=retry_failed)
            leases = self._select("SELECT key, owner, expires FROM leases WHERE key IN ({})", names)
            held = {name for name, owner, expires in leases if self._holds(owner, expires, now)} - ended
            granted = [name for name in names if name not in ended | held]
            rows = [(name, self.owner, now + seconds) for name in granted]
            self._connection.executemany("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", rows)
        return Claimed(
            *(tuple(wanted[name] for name in names if name in group) for group in (set(granted), ended, held))
        )

    def renew(self, *, seconds: float = LEASE_SECONDS) -> None:
        """Put off the expiry of all leases that are still this process's."""
        with refusals(self.path), transaction(self._connection):
            new = (self._clock() + seconds, self.owner)
            self._connection.execute("UPDATE leases SET expires = ? WHERE owner = ?", new)

    def release(self) -> None:
        """Give back all leases of this process."""
        with refusals(self.path), transaction(self._connection):
            self._connection.execute("DELETE FROM leases WHERE owner = ?", (self.owner,))

    def _holds(self, owner: str, expires: float, now: float) -> bool:
        return owner != self.owner and expires > now and not _is_gone(owner)

    # ------------------------------------------------------------------------------------------------ housekeeping

    @property
    def schema(self) -> int:
        """Version of the file's schema; older ones are read as they are and migrated when first written."""
        return schema_of(self._connection)

    def counts(self) -> dict[tuple[str, str, str], tuple[int, float]]:
        """Number of trials and their seconds by (system, fingerprint, outcome)."""
        groups = "system, fingerprint, outcome"
        query = f"SELECT {groups}, count(*), sum(seconds) FROM trials GROUP BY {groups} ORDER BY {groups}"
        with refusals(self.path):
            return {(row[0], row[1], row[2]): (row[3], row[4]) for row in self._connection.execute(query)}

    def leases(self) -> dict[str, int]:
        """Number of leases that hold now, by owner."""
        if self.schema < 2:
            return {}
        query = "SELECT owner, max(expires), count(*) FROM leases WHERE expires > ? GROUP BY owner ORDER BY owner"
        with refusals(self.path):
            rows = self._connection.execute(query, (self._clock(),)).fetchall()
        return {owner: number for owner, _, number in rows if not _is_gone(owner)}

    def records(self, keys: Sequence[TrialKey] | None = None) -> Iterator[Record]:
        """Every row, or those of `keys`, in the order of their keys."""
        query = f"SELECT {COLUMNS} FROM trials"
        with refusals(self.path):
            if keys is None:
                rows: Iterable[tuple] = self._connection.execute(f"{query} ORDER BY key")
            else:
                rows = self._select(f"{query} WHERE key IN ({{}})", sorted(keys))
            for name, system, mark, parameters, replicate, outcome, observables, seconds, curves in rows:
                result = TrialResult(Outcome(outcome), json.loads(observables), unpack(curves))
                yield Record(name, system, mark, json.loads(parameters), replicate, result, seconds)

    def keys(self, fingerprints: Iterable[str]) -> list[TrialKey]:
        """Keys of the finished trials of these simulators, sorted."""
        query = "SELECT key FROM trials WHERE fingerprint = ? AND outcome <> ?"
        with refusals(self.path):
            return sorted(
                name
                for mark in set(fingerprints)
                for (name,) in self._connection.execute(query, (mark, str(Outcome.FAILED)))
            )

    def remove(self, fingerprints: Iterable[str]) -> None:
        """Delete all trials of these simulators and give their room back to the disk."""
        with refusals(self.path):
            with transaction(self._connection):
                marks = [(mark,) for mark in fingerprints]
                self._connection.executemany("DELETE FROM trials WHERE fingerprint = ?", marks)
            self._connection.execute("VACUUM")


def _is_gone(owner: str) -> bool:
    """Whether the process behind a lease is known to have ended: it ran on this machine and is no more."""
    host, pid, _ = owner.rsplit(":", 2)
    if host != socket.gethostname() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:  # somebody else's, and alive
        pass
    return False


def _row(trial: Trial) -> tuple[object, ...]:
    spec, result = trial.spec, trial.result
    return (
        key(spec),
        spec.system.name,
        fingerprint(spec.system),
        json.dumps(dict(sorted(spec.parameters.items()))),
        spec.replicate,
        result.outcome.value,
        json.dumps(dict(result.observables)),
        trial.seconds,
        pack(result.curves),
    )
