"""The file behind a store: told from foreign ones, opened, migrated, closed.

Writers use sqlite's write-ahead log: readers never wait for them, and a killed writer leaves nothing to undo. While a
store is written its log lies beside it; the last writer to close folds the log in and puts the rollback journal back,
so that a closed store is one file that can be copied, sent and read on a read-only folder. Without the log (file
systems that lack shared memory) everything works as well, with waiting.

Whatever is refused is refused before the first byte is written. Foreign files are told by the first 100 bytes of
sqlite's format, whose fields stand at fixed offsets. What a file may make sqlite do is in `sim.store.guard`.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.store.guard import MAX_CELL, Patience, entry, harden, require_own_schema, require_plain_files, restrict
from sim.store.rows import read_row
from sim.trials.errors import StoreError

OWN_FOLDER = ".theoremeter"
"""The folder of a store that nobody named."""
_APPLICATION_ID = 0x7468656F  # "theo": marks the file as ours among sqlite files
SCHEMA_VERSION = 3
_BUSY_SECONDS = 60.0  # wait so long for another process that is writing
_UTF_8 = 1  # as sqlite's header says it
_MAX_COPIED = 4 * 2**30
_CACHE_KIBIBYTES = 64 * 1024  # keys are hashes: every insert lands on another page of the index

_COLUMNS_2 = "key, system, fingerprint, parameters, replicate, outcome, observables, seconds, curves"
COLUMNS = f"{_COLUMNS_2}, readouts"
_TRIALS = """
CREATE TABLE trials (
    key TEXT PRIMARY KEY,
    system TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    parameters TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    observables TEXT NOT NULL,
    seconds REAL NOT NULL,
    curves BLOB,
    readouts TEXT NOT NULL
)
"""
_TRIALS_2 = _TRIALS.replace(",\n    readouts TEXT NOT NULL", "")
_TRIALS_1 = """
CREATE TABLE trials (
    key TEXT PRIMARY KEY,
    system TEXT NOT NULL,
    parameters TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    outcome TEXT NOT NULL,
    observables TEXT NOT NULL,
    curves BLOB,
    seconds REAL NOT NULL
) WITHOUT ROWID
"""
_LEASES = """
CREATE TABLE leases (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires REAL NOT NULL
) WITHOUT ROWID
"""


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn what sqlite and the file system refuse into a StoreError."""
    try:
        yield
    except StoreError:
        raise
    except (sqlite3.Error, OSError, ValueError) as error:
        raise StoreError(f"store must be a usable theoremeter store, got {path}: {error}") from None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, alone among writers from the start."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # sqlite has rolled back by itself after some errors
            connection.execute("ROLLBACK")
        raise


_SCHEMAS = {
    1: frozenset({entry("table", "trials", _TRIALS_1)}),
    **{
        version: frozenset(
            {
                entry("table", "trials", trials),
                entry("index", "sqlite_autoindex_trials_1", None),
                entry("table", "leases", _LEASES),
            }
        )
        for version, trials in ((2, _TRIALS_2), (3, _TRIALS))
    },
}


def columns_of(schema: int) -> str:
    """What to select so that rows of a schema read like those of the newest: trials had no readouts before 3."""
    return COLUMNS if schema >= 3 else f"{_COLUMNS_2}, '' AS readouts"


class Connection(sqlite3.Connection):
    """A connection that knows how much work a statement on its file may take."""

    patience: Patience


def _make_folder(folder: Path) -> None:
    """Make the folder of a store. Git is told to leave the one that nobody named alone: it changes with every run, and
    a hook of pre-commit fails where a file that is tracked was changed.
    """
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        if folder.name == OWN_FOLDER:
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def open_writer(path: Path) -> Connection:
    """Open for writing; create the file and its folder, or migrate an older schema, where needed.

    Raises:
        StoreError: the file is not a store, is truncated, or was written by a newer theoremeter.
    """
    with refusals(path):
        if _is_there(path):
            _inspect(path)
        else:
            _make_folder(path.parent)
        connection = _connect(path, "mode=rwc")
        try:
            if not _has_schema(connection):
                _create(connection)
            _admit(connection, path)
            with suppress(sqlite3.OperationalError):  # no shared memory, or just now read by others
                connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
            if schema_of(connection) < SCHEMA_VERSION:
                _migrate(connection, path)
            restrict(connection, writes=True)
        except BaseException:
            connection.close()
            raise
    return connection


def open_reader(path: Path) -> Connection:
    """Open for reading, and leave no file beside the store that was not there; a missing store reads as an empty one.

    Raises:
        StoreError: as for writing.
    """
    with refusals(path):
        if not _is_there(path):
            return _empty()
        _inspect(path)
        connection = None
        try:
            connection = _connect(path, _reading_mode(path))
            has_schema = _has_schema(connection)
            if has_schema:
                _admit(connection, path)
        except sqlite3.OperationalError:
            if connection is not None:
                connection.close()
            if not any(log.exists() for log in _logs(path)):
                raise
            connection = _recovered_copy(path)
            has_schema = _has_schema(connection)
            if has_schema:
                _admit(connection, path)
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        if not has_schema:
            connection.close()
            return _empty()
        restrict(connection, writes=False)
        return connection


def close_writer(connection: sqlite3.Connection) -> None:
    """Fold the log in and close. Where others have the store open, or the disk is full, the log stays, and is whole."""
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()


def schema_of(connection: sqlite3.Connection) -> int:
    """Schema version of an open store."""
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _resolved(path: Path) -> Path:
    """Where the file is: sqlite keeps its logs beside it, not beside a link to it."""
    try:
        return path.resolve()
    except RuntimeError:  # Python 3.11 and 3.12, of links that lead to themselves
        raise StoreError(f"store must be a file, got links without end at {path}") from None


def _is_there(path: Path) -> bool:
    require_plain_files(path, _logs(path))
    return path.exists() and path.stat().st_size > 0


def _inspect(path: Path) -> None:
    """Refuse foreign, truncated and newer files."""
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(b"SQLite format 3\0"[: len(header)]):
        raise StoreError(f"store must be written by theoremeter, got another file {path}")
    page_size = max(int.from_bytes(header[16:18], "big"), 1)  # 1 stands for 65536 and goes unchecked
    mended = any(log.exists() for log in _logs(path))  # sqlite makes good what a killed writer left half written
    if len(header) < 100 or (path.stat().st_size % page_size and not mended):
        raise StoreError(f"store must be complete, got the truncated file {path}")
    if int.from_bytes(header[68:72], "big") != _APPLICATION_ID:
        raise StoreError(f"store must be written by theoremeter, got another sqlite file {path}")
    version = int.from_bytes(header[60:64], "big")
    if not 1 <= version <= SCHEMA_VERSION:
        raise StoreError(f"store must have schema version <= {SCHEMA_VERSION}, got {version} in {path}")
    encoding = int.from_bytes(header[56:60], "big")
    if encoding != _UTF_8:
        raise StoreError(f"store must be encoded in UTF-8, got sqlite's encoding {encoding} in {path}")


def _connect(path: Path, mode: str) -> Connection:
    connection = sqlite3.connect(
        f"{_resolved(path).as_uri()}?{mode}", uri=True, timeout=_BUSY_SECONDS, isolation_level=None, factory=Connection
    )
    try:
        return _hardened(connection, lambda: _size(path))
    except BaseException:
        connection.close()
        raise


def _hardened(connection: sqlite3.Connection, size: Callable[[], int]) -> Connection:
    if not isinstance(connection, Connection):
        raise TypeError("sqlite3.connect ignored the factory")
    connection.patience = Patience(size)
    harden(connection, connection.patience)
    return connection


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, *_logs(path)) if file.exists())


def _reading_mode(path: Path) -> str:
    """A header that speaks of a log, without a log: nobody writes, and sqlite is told so, or it would create one."""
    with path.open("rb") as file:
        logged = file.read(19)[18:] == b"\x02"
    return "mode=ro&immutable=1" if logged and not _logs(path)[0].exists() else "mode=ro"


def _logs(path: Path) -> tuple[Path, Path]:
    """Write-ahead log and rollback journal."""
    path = _resolved(path)
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-journal")


def _has_schema(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall())


def _admit(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse another schema than ours, and make sqlite read a row, to find out what is cut or has to be undone."""
    require_own_schema(connection, path, _SCHEMAS[schema_of(connection)])
    connection.execute("SELECT 1 FROM trials LIMIT 1").fetchall()


def _create(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        if not _has_schema(connection):  # another process may have been first
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.execute(_TRIALS)
            connection.execute(_LEASES)


def _migrate(connection: Connection, path: Path) -> None:
    """From versions 1 and 2: keys and rows are the same, with no readouts apart.

    Rows of version 1 move to a table ordered by insertion, and leases come new.
    """
    with transaction(connection):
        schema = schema_of(connection)
        if schema < SCHEMA_VERSION:  # another process may have been first
            for row in sound_rows(connection, path, f"SELECT {columns_of(schema)} FROM trials ORDER BY key"):
                read_row(path, row)
            connection.execute("ALTER TABLE trials RENAME TO trials_before")
            connection.execute(_TRIALS)
            order = "key" if schema == 1 else "rowid"
            connection.execute(
                f"INSERT INTO trials ({COLUMNS}) SELECT {columns_of(schema)} FROM trials_before ORDER BY {order}"
            )
            connection.execute("DROP TABLE trials_before")
            if schema == 1:
                connection.execute(_LEASES)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def sound_rows(connection: Connection, path: Path, query: str, given: Sequence[object] = ()) -> Iterator[tuple]:
    """The rows of a query, no more of them than the file can hold: pages that refer to each other repeat themselves."""
    connection.patience.renew()
    left = 2 * connection.patience.bytes + MAX_CELL
    for row in connection.execute(query, given):
        left -= sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
        if left < 0:
            raise StoreError(f"store must be a usable theoremeter store, got {path}: more rows than the file can hold")
        yield row


def _empty() -> Connection:
    connection = _in_memory(lambda: 0)
    _create(connection)
    connection.execute("PRAGMA query_only = 1")
    restrict(connection, writes=False)
    return connection


def _in_memory(size: Callable[[], int]) -> Connection:
    return _hardened(sqlite3.connect(":memory:", isolation_level=None, factory=Connection), size)


def _recovered_copy(path: Path) -> Connection:
    """Read what a killed writer left where we may not tidy up: recover a copy, and keep it in memory."""
    path, size = _resolved(path), _size(path)
    if size > _MAX_COPIED:
        raise StoreError(
            f"store must be at most {_MAX_COPIED} bytes where it cannot be tidied up, got {size} in {path}"
        )
    memory = _in_memory(lambda: size)
    with tempfile.TemporaryDirectory() as folder:
        for file in (path, *_logs(path)):
            if file.exists():
                shutil.copyfile(file, Path(folder, file.name))
        connection = _connect(Path(folder, path.name), "mode=rw")
        try:
            pages, page_size = (
                connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
            )
            if pages * page_size > size:
                raise StoreError(f"store must be complete, got a log that asks for more than it has beside {path}")
            connection.backup(memory)
        finally:
            connection.close()
    memory.execute("PRAGMA query_only = 1")
    return memory
