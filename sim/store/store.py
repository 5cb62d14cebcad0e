"""Finished trials in one sqlite file, a row each; and who is at work on which trial.

A row's key is the trial's fingerprint. Changing a simulator therefore never reuses an old result, and never deletes one
either. Curves are an npz blob beside the scalars. A trial that kept failing is a row as well, with its error and
without observables; a finished trial takes its place. Nothing ever takes a finished trial's, but that a search which
ended undecided may be run again with a larger budget.

Readouts are kept with hashes of their own. A finished trial that lacks one which is asked for counts as missing; run
again, it gets what it lacks if it repeats all the rest bit for bit (`sim.store.replays`), and is left as it is if not.

Several processes may work on one store. Each leases the trials it is about to run, for `LEASE_SECONDS`, and renews the
leases while it lives; what nobody holds, what expired, and what a process of this machine held that is gone, anyone may
take. A lease decides who works, never what is kept: were a trial run twice, the second result would be the same one.
"""

from __future__ import annotations

import functools
import json
import math
import os
import re
import socket
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from sim.store import rows as stored_rows
from sim.store.array_codec import pack
from sim.store.fingerprint import TrialKey, fingerprint, key, readout_digests
from sim.store.guard import unrestricted
from sim.store.replays import difference, differs, is_fuller, united
from sim.store.rows import Record, checked, in_use, lacking, origin_of, read_row, readouts_kept, readouts_written
from sim.store.sqlite_file import (
    COLUMNS,
    SCHEMA_VERSION,
    close_writer,
    columns_of,
    open_reader,
    open_writer,
    refusals,
    schema_of,
    sound_rows,
    transaction,
)
from sim.trials.errors import StoreError, printable
from sim.trials.trial import FAILURES, Outcome, Parameters, System, Trial, TrialSpec

__all__ = ["LEASE_SECONDS", "SCHEMA_VERSION", "Claimed", "Record", "Store", "StoreError", "fingerprint", "key"]

LEASE_SECONDS = 60.0
"""How long a lease lasts unless renewed."""
_AT_ONCE = 500
"""sqlite's limit on bound variables is 999 in old builds."""
_FAILURES = str(tuple(map(str, FAILURES)))
"""Outcomes without a result, as sqlite takes them."""
_OWNER = re.compile(r"[A-Za-z0-9_.-]{1,255}:[0-9]{1,10}:[0-9a-f]{8}")


@dataclass(frozen=True)
class Claimed:
    """What became of a request for trials: given to the asker, finished already (or failed), at work elsewhere.

    `holders` are the owners of the leases of those at work elsewhere.
    """

    granted: tuple[TrialSpec, ...]
    finished: tuple[TrialSpec, ...]
    elsewhere: tuple[TrialSpec, ...]
    holders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Merged:
    """Rows that were new, that took the place of a failure or of fewer readouts, that were here; conflicts in words."""

    new: int = 0
    better: int = 0
    same: int = 0
    conflicts: tuple[str, ...] = ()

    def __add__(self, other: Merged) -> Merged:
        counts = (self.new + other.new, self.better + other.better, self.same + other.same)
        return Merged(*counts, self.conflicts + other.conflicts)


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
        self.owner = f"{_host()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
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
        # Not count(*), which sqlite answers in one step that nothing can interrupt.
        return self._rows("SELECT sum(1) FROM trials")[0][0] or 0

    @contextmanager
    def _careful(self) -> Iterator[None]:
        """Turn refusals into a StoreError, and Ctrl-C in the middle of a statement into what it is."""
        patience = self._connection.patience
        patience.renew()
        try:
            with refusals(self.path):
                yield
        except StoreError:
            caught, patience.caught = patience.caught, None
            if caught is not None:
                raise caught from None
            raise

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All or nothing; refused where the store was opened to be read."""
        if self._read_only:
            raise StoreError(f"store must be opened for writing, got the readonly {self.path}")
        with self._careful(), transaction(self._connection):
            yield

    def _rows(self, query: str, given: Sequence[object] = ()) -> list[tuple]:
        with self._careful():
            return list(sound_rows(self._connection, self.path, query, given))

    # ------------------------------------------------------------------------------------------------------ trials

    def put(self, trials: Iterable[Trial]) -> tuple[str, ...]:
        """Commit trials that ended, and give back their leases. A finished trial already there is left as it is.

        But for readouts that it lacks: those are filled where the trial repeats what is stored bit for bit. And but for
        one undecided that was run again with a larger budget, whose place the new one takes.

        Returns:
            A line for each trial that does not, and of which nothing is kept.
        """
        trials = list(trials)
        rows = [_row(trial) for trial in trials]
        again = {key(trial.spec): trial.spec for trial in trials if not trial.result.outcome.is_failure}
        for row in rows:
            read_row(self.path, row)  # nothing is written that would be refused when read
        columns = COLUMNS.split(", ")
        assigned = ", ".join(f"{name} = excluded.{name}" for name in columns[1:])
        insert = (
            f"INSERT INTO trials ({COLUMNS}) VALUES ({', '.join('?' * len(columns))}) ON CONFLICT (key) DO UPDATE SET"
        )
        with self._writing():
            self._connection.executemany("DELETE FROM trials WHERE key = ?", [(name,) for name in self._outbid(again)])
            filled, refused = self._filled(trials)
            filling = [row for row in rows if row[0] in filled]
            others = [row for row in rows if row[0] not in filled]
            kept = "observables = excluded.observables, curves = excluded.curves, readouts = excluded.readouts"
            self._connection.executemany(f"{insert} {kept}", filling)
            self._connection.executemany(f"{insert} {assigned} WHERE trials.outcome IN {_FAILURES}", others)
            self._connection.executemany("DELETE FROM leases WHERE key = ?", [row[:1] for row in rows])
        return refused

    def _filled(self, trials: Sequence[Trial]) -> tuple[set[TrialKey], tuple[str, ...]]:
        """Keys of the finished trials that get readouts from these replays, and why others do not."""
        replays = {key(trial.spec): trial for trial in trials if readout_digests(trial.spec.system)}
        filled, refused = set(), []
        for record in self._records_of(list(replays)):
            trial = replays[record.key]
            missing = lacking(record, trial.spec.system)
            if record.result.outcome.is_failure or not missing:
                continue
            if said := difference(record, trial.spec.system, trial.result):
                words = (
                    f"a replay must repeat the trial bit for bit, but {said}; {', '.join(sorted(missing))} not filled"
                )
                refused.append(f"{origin_of(self.path, record.key)}: {words}")
            else:
                filled.add(record.key)
        return filled, tuple(refused)

    def get(self, specs: Iterable[TrialSpec], *, failed: bool = False) -> dict[TrialKey, Trial]:
        """Those of `specs` that are finished, by key; those that failed as well where `failed` asks for them."""
        found: dict[TrialKey, Trial] = {}
        wanted = {key(spec): spec for spec in specs}
        for record in self._records_of(list(wanted)):
            if record.key in wanted and (failed or not record.result.outcome.is_failure):  # a broken index may err
                spec = wanted[record.key]
                origin, lacks = origin_of(self.path, record.key), lacking(record, spec.system)
                result = in_use(record, spec.system, lacks)
                found[record.key] = Trial(spec, result, record.seconds, origin=origin, lacking=lacks)
        return found

    def failures(self, specs: Iterable[TrialSpec]) -> list[Trial]:
        """Those of `specs` that failed for good, each once, in their order; their observables say why ("error")."""
        wanted = {key(spec): spec for spec in specs}
        found = {name: outcome for name, outcome in self._outcomes(list(wanted)).items() if outcome in FAILURES}
        trials = self.get((wanted[name] for name in wanted if name in found), failed=True)
        return [trials[name] for name in wanted if name in trials]

    def missing(
        self, specs: Iterable[TrialSpec], *, retry_failed: bool | Collection[Outcome] = False
    ) -> list[TrialSpec]:
        """Those of `specs` that are still to be run, or to be replayed for what they ask for, each once, in order.

        Args:
            retry_failed: those that failed as well, or of them those with one of these outcomes.
        """
        wanted = merged(specs)
        ended = self._ended(wanted, retry_failed=retry_failed)
        return [spec for name, spec in wanted.items() if name not in ended]

    def _ended(
        self, wanted: Mapping[TrialKey, TrialSpec], *, retry_failed: bool | Collection[Outcome]
    ) -> set[TrialKey]:
        outcomes = self._outcomes(list(wanted))
        retried = retry_failed if not isinstance(retry_failed, bool) else FAILURES if retry_failed else ()
        ended = {name for name, outcome in outcomes.items() if outcome not in retried or outcome not in FAILURES}
        asking = [name for name in ended if wanted[name].asked and outcomes[name] not in FAILURES]
        lacking = {name for name, lacks in self._lacking(asking, wanted) if lacks & wanted[name].asked}
        return ended - lacking - self._outbid(wanted)

    def _lacking(
        self, names: Sequence[TrialKey], wanted: Mapping[TrialKey, TrialSpec]
    ) -> Iterator[tuple[TrialKey, frozenset[str]]]:
        """Readouts that finished trials do not have from the sources of today."""
        column = "readouts" if self.schema >= 3 else "''"
        for name, text in self._select(f"SELECT key, {column} FROM trials WHERE key IN ({{}})", names):
            kept, _ = checked(readouts_kept, text, "readouts", origin_of(self.path, name))
            digests = readout_digests(wanted[name].system)
            yield name, frozenset(each for each, digest in digests.items() if kept.get(each) != digest)

    def _outbid(self, wanted: Mapping[TrialKey, TrialSpec]) -> set[TrialKey]:
        """Those that ended undecided on a smaller budget than `retry_budget_s`."""
        budgets = {name: spec.retry_budget_s for name, spec in wanted.items() if spec.retry_budget_s is not None}
        records = (record for record in self._records_of(list(budgets)) if record.key in budgets)
        undecided = (record for record in records if record.result.outcome is Outcome.BUDGET)
        return {record.key for record in undecided if _budget(record) < budgets[record.key]}

    def _outcomes(self, names: Sequence[TrialKey]) -> dict[TrialKey, Outcome]:
        query = "SELECT key, outcome FROM trials WHERE key IN ({})"
        return {
            name: checked(Outcome, outcome, "outcome", origin_of(self.path, name))
            for name, outcome in self._select(query, names)
        }

    def _records_of(self, names: Sequence[TrialKey]) -> Iterator[Record]:
        for row in self._select(f"SELECT {columns_of(self.schema)} FROM trials WHERE key IN ({{}})", names):
            yield read_row(self.path, row)

    def _select(self, query: str, names: Sequence[TrialKey]) -> Iterator[tuple]:
        for start in range(0, len(names), _AT_ONCE):
            part = names[start : start + _AT_ONCE]
            yield from self._rows(query.format(", ".join("?" * len(part))), part)

    # ------------------------------------------------------------------------------------------------------ leases

    def claim(
        self,
        specs: Sequence[TrialSpec],
        *,
        retry_failed: bool | Collection[Outcome] = False,
        seconds: float = LEASE_SECONDS,
    ) -> Claimed:
        """Lease those of `specs` that are neither ended nor at work elsewhere."""
        wanted = merged(specs)
        names = list(wanted)
        with self._writing():
            now = self._clock()
            ended = self._ended(wanted, retry_failed=retry_failed)
            held = {name: owner for name, owner in self._held(names, now).items() if name not in ended}
            granted = [name for name in names if name not in ended | set(held)]
            rows = [(name, self.owner, now + seconds) for name in granted]
            self._connection.executemany("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", rows)
        groups = (set(granted), ended, set(held))
        return Claimed(
            *(tuple(wanted[name] for name in names if name in group) for group in groups),
            holders=tuple(sorted(set(held.values()))),
        )

    def _held(self, names: Sequence[TrialKey], now: float) -> dict[TrialKey, str]:
        """Owners of the leases by others that hold now. One that ends later than any lease may is cut short here.

        Such a lease comes from a clock that is wrong or from a stranger's store. Left as it is, it would hold for good.
        """
        held = {}
        for name, owner, expires in self._select("SELECT key, owner, expires FROM leases WHERE key IN ({})", names):
            owner, expires = _lease(self.path, name, owner, expires)
            if expires > now + LEASE_SECONDS:
                expires = now + LEASE_SECONDS
                self._connection.execute("UPDATE leases SET expires = ? WHERE key = ?", (expires, name))
            if owner != self.owner and expires > now and not _is_gone(owner):
                held[name] = owner
        return held

    def renew(self, *, seconds: float = LEASE_SECONDS) -> None:
        """Put off the expiry of all leases that are still this process's."""
        with self._writing():
            new = (self._clock() + seconds, self.owner)
            self._connection.execute("UPDATE leases SET expires = ? WHERE owner = ?", new)

    def release(self) -> None:
        """Give back all leases of this process."""
        with self._writing():
            self._connection.execute("DELETE FROM leases WHERE owner = ?", (self.owner,))

    # ------------------------------------------------------------------------------------------------ housekeeping

    @property
    def schema(self) -> int:
        """Version of the file's schema; older ones are read as they are and migrated when first written."""
        return schema_of(self._connection)

    def counts(self) -> dict[tuple[str, str, str], tuple[int, float]]:
        """Number of trials and their seconds by (system, fingerprint, outcome)."""
        groups = "system, fingerprint, outcome"
        query = f"SELECT min(key), {groups}, count(*), sum(seconds) FROM trials GROUP BY {groups} ORDER BY {groups}"
        found = {}
        for name, system, digest, outcome, number, seconds in self._rows(query):
            origin = origin_of(self.path, name)
            group = (
                checked(stored_rows.system_name, system, "system", origin),
                checked(stored_rows.fingerprint, digest, "fingerprint", origin),
                checked(Outcome, outcome, "outcome", origin),
            )
            found[group[0], group[1], str(group[2])] = number, checked(stored_rows.duration, seconds, "seconds", origin)
        return found

    def lacking(self, systems: Mapping[str, System]) -> dict[str, Counter[str]]:
        """Of the finished trials of simulators, by fingerprint, how many lack each readout that there is today.

        Args:
            systems: the simulators by fingerprint.
        """
        if self.schema < 3:
            return {}
        found: dict[str, Counter[str]] = {}
        groups = "fingerprint, readouts"
        query = f"SELECT min(key), {groups}, count(*) FROM trials WHERE outcome NOT IN {_FAILURES} GROUP BY {groups}"
        for name, digest, text, number in self._rows(query):
            kept, _ = checked(readouts_kept, text, "readouts", origin_of(self.path, name))
            if digest in systems:
                for each, wanted in readout_digests(systems[digest]).items():
                    if kept.get(each) != wanted:
                        found.setdefault(digest, Counter())[each] += number
        return found

    def leases(self) -> dict[str, int]:
        """Number of leases that hold now, by owner."""
        if self.schema < 2:
            return {}
        now = self._clock()
        found: dict[str, int] = {}
        for row in self._rows("SELECT key, owner, expires FROM leases ORDER BY owner"):
            owner, expires = _lease(self.path, *row)
            if expires > now and not _is_gone(owner):
                found[owner] = found.get(owner, 0) + 1
        return found

    def records(self, keys: Sequence[TrialKey] | None = None) -> Iterator[Record]:
        """Every row, or those of `keys`, in the order of their keys."""
        if keys is not None:
            yield from self._records_of(sorted(keys))
            return
        with self._careful():
            for row in sound_rows(
                self._connection, self.path, f"SELECT {columns_of(self.schema)} FROM trials ORDER BY key"
            ):
                yield read_row(self.path, row)

    def plain_rows(self, keys: Sequence[TrialKey]) -> Iterator[tuple]:
        """The rows of some trials in the order of their keys, in columns as they are stored (`COLUMNS`), checked."""
        for row in self._select(f"SELECT {columns_of(self.schema)} FROM trials WHERE key IN ({{}})", sorted(keys)):
            read_row(self.path, row)
            yield row

    def by_setting(self, system: str, recipe: str) -> Iterator[tuple]:
        """The rows of a simulator of one fingerprint as `plain_rows` gives them, by parameters as text, then replicate.

        The text is what `written_setting` makes of the parameters.
        """
        query = "SELECT parameters, replicate, key FROM trials WHERE system = ? AND fingerprint = ?"
        texts: dict[str, str] = {}  # each once, however many replicates it has
        places = []
        for parameters, replicate, name in self._rows(query, (system, recipe)):
            asked = checked(stored_rows.json_object, parameters, "parameters", origin_of(self.path, name))
            text = written_setting(asked)
            places.append((texts.setdefault(text, text), replicate, name))
        places.sort()
        for start in range(0, len(places), _AT_ONCE):
            names = [name for _, _, name in places[start : start + _AT_ONCE]]
            found = {row[0]: row for row in self.plain_rows(names)}
            yield from (found[name] for name in names)

    def take(self, rows: Iterable[tuple]) -> int:
        """Put rows as they stand in another store, each checked as if it were read; returns how many.

        Raises:
            StoreError: a row that a store would refuse, or one whose key is there already.
        """
        columns = COLUMNS.split(", ")
        insert = f"INSERT OR IGNORE INTO trials ({COLUMNS}) VALUES ({', '.join('?' * len(columns))})"
        count = 0
        with self._writing():
            for row in rows:
                if len(row) != len(columns):
                    raise StoreError(f"{self.path}: a row must have {len(columns)} columns, got {len(row)}")
                record = read_row(self.path, row)
                if not self._connection.execute(insert, row).rowcount:
                    asked = f"{record.system} {record.parameters}, replicate {record.replicate}"
                    raise StoreError(f"each trial must be there once, got two of {printable(asked, most=300)}")
                count += 1
        return count

    def every_key(self) -> list[TrialKey]:
        """Keys of all rows, whatever became of them, sorted."""
        rows = self._rows("SELECT key FROM trials")
        return sorted(checked(stored_rows.key, name, "key", origin_of(self.path, name)) for (name,) in rows)

    def merge(self, rows: Sequence[tuple]) -> Merged:
        """Take rows of another store that this one lacks, all or none of them; taking them again changes nothing.

        A finished trial takes the place of a failure, and of two that have other readouts one with all of them is left.
        Where two finished trials differ the one that is here stays.
        """
        found = {record.key: record for record in map(functools.partial(read_row, self.path), rows)}
        insert = f"INSERT OR REPLACE INTO trials ({COLUMNS}) VALUES ({', '.join('?' * len(COLUMNS.split(', ')))})"
        with self._writing():
            here = {record.key: record for record in self._records_of(list(found))}
            new = {name for name in found if name not in here}
            conflicts = [name for name in here if differs(here[name], found[name])]
            agreeing = here.keys() - conflicts
            better = {name for name in agreeing if is_fuller(found[name], here[name])}
            both = {name: united(here[name], found[name]) for name in agreeing - better}
            more = {name: record for name, record in both.items() if record is not here[name]}
            fuller = [_row_of(record) for record in more.values()]
            self._connection.executemany(insert, [*(row for row in rows if row[0] in new | better), *fuller])
            better |= more.keys()
        lines = (f"{origin_of(self.path, name)}: other results than in the other store" for name in conflicts)
        return Merged(len(new), len(better), len(found) - len(new) - len(better) - len(conflicts), tuple(lines))

    def keys(self, fingerprints: Iterable[str], *, but: Collection[Outcome] = FAILURES) -> list[TrialKey]:
        """Keys of the trials of these simulators, sorted; without those of some outcomes."""
        query = f"SELECT key FROM trials WHERE fingerprint = ? AND outcome NOT IN ({', '.join('?' * len(but))})"
        return sorted(
            checked(stored_rows.key, name, "key", origin_of(self.path, name))
            for digest in set(fingerprints)
            for (name,) in self._rows(query, (digest, *map(str, but)))
        )

    def remove(self, fingerprints: Iterable[str]) -> None:
        """Delete all trials of these simulators and give their room back to the disk."""
        with self._writing():
            digests = [(digest,) for digest in fingerprints]
            self._connection.executemany("DELETE FROM trials WHERE fingerprint = ?", digests)
        with self._careful(), unrestricted(self._connection):
            self._connection.execute("VACUUM")


def written_setting(parameters: Parameters) -> str:
    """Parameters as a text that is the same for the same parameters."""
    return json.dumps(dict(sorted(parameters.items())))


def merged(specs: Iterable[TrialSpec]) -> dict[TrialKey, TrialSpec]:
    """Trials by key, each once, asked for all that any of them is asked for."""
    found: dict[TrialKey, TrialSpec] = {}
    for spec in specs:
        name = key(spec)
        known = found.get(name)
        found[name] = (
            spec if known is None or known.asked == spec.asked else replace(spec, asked=known.asked | spec.asked)
        )
    return found


def asked_for_all(specs: Iterable[TrialSpec]) -> list[TrialSpec]:
    """Trials, each asked for every readout that its system has."""
    return [replace(spec, asked=frozenset(readout_digests(spec.system))) for spec in specs]


def _host() -> str:
    """Name of this machine in the letters that an owner may have."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", socket.gethostname())[:255] or "unnamed"


def _lease(path: Path, name: object, owner: object, expires: object) -> tuple[str, float]:
    """Owner and expiry of a lease, checked."""
    if not isinstance(owner, str) or not _OWNER.fullmatch(owner):
        raise StoreError(f"{origin_of(path, name)}: owner of a lease must be host:process:number, got {owner!r:.80}")
    if not isinstance(expires, float | int) or math.isnan(expires):
        raise StoreError(f"{origin_of(path, name)}: expiry of a lease must be a number, got {expires!r:.80}")
    return owner, float(expires)


def _is_gone(owner: str) -> bool:
    """Whether the process behind a lease is known to have ended: it ran on this machine and is no more."""
    host, pid, _ = owner.rsplit(":", 2)
    if host != _host() or os.name != "posix":
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):  # no process has a number that large
        return True
    except PermissionError:  # somebody else's, and alive
        pass
    return False


def _budget(record: Record) -> float:
    """Seconds that a search was allowed; 0 where its row does not say."""
    seconds = record.result.observables.get("budget_s")
    return seconds if isinstance(seconds, int | float) else 0.0


def _row_of(record: Record) -> tuple[object, ...]:
    result = record.result
    return (
        record.key,
        record.system,
        record.fingerprint,
        written_setting(record.parameters),
        record.replicate,
        result.outcome.value,
        json.dumps(dict(result.observables)),
        record.seconds,
        pack(result.curves),
        readouts_written(record.digests, result.given),
    )


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
        readouts_written(readout_digests(spec.system), result.given),
    )
