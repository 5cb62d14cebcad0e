"""What a file may make sqlite do: nothing but read and write rows of the two tables of a store.

A store may come from anywhere, and sqlite runs what a file says: views, triggers, generated columns and indexes on
expressions are code in the schema; a tree of pages that refers to itself is a query without end; a journal may name
another file, which sqlite then deletes. So a file is opened with little allowed and much bounded (`harden`), its schema
must be the very text that theoremeter writes (`require_own_schema`), and from then on only statements on its two tables
are authorised (`restrict`). https://www.sqlite.org/security.html
"""

from __future__ import annotations

import re
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sim.trials.errors import StoreError

MAX_CELL = 32 * 2**20
"""Bytes of the largest text or blob that is read or written."""
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_CELL,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 32,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 8,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 999,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_SETTINGS = {"DEFENSIVE": True, "ENABLE_TRIGGER": False, "ENABLE_VIEW": False}
_PRAGMAS = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0")
_STEPS_BETWEEN_LOOKS = 20_000
_STEPS = 20_000_000
_STEPS_A_BYTE = 4
_SECONDS = 60.0
_BYTES_A_SECOND = 5e6
_TABLES = frozenset({"trials", "leases"})
_FUNCTIONS = frozenset({"count", "sum", "min", "max"})
_ALLOWED_PRAGMAS = frozenset(
    {"user_version", "page_count", "max_page_count", "cache_size", "busy_timeout", "journal_mode", "wal_checkpoint"}
)
_WRITES = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")  # ends a journal that names another file


class Patience:
    """How much work one statement may take: far more than a sound file of its size needs, and not without end.

    Seconds are those of the processor, for a machine that is busy otherwise does not make a file unsound.
    """

    def __init__(self, size: Callable[[], int]) -> None:
        self._size = size
        self.caught: BaseException | None = None
        self.renew()

    def renew(self) -> None:
        """Begin anew, with the next statement."""
        size = self.bytes = self._size()
        self._steps = _STEPS + _STEPS_A_BYTE * size
        self._end = time.thread_time() + _SECONDS + size / _BYTES_A_SECOND

    def look(self) -> int:
        """Called by sqlite every so many steps; 1 ends the statement."""
        try:
            self._steps -= _STEPS_BETWEEN_LOOKS
            return int(self._steps < 0 or time.thread_time() > self._end)
        except BaseException as error:  # Ctrl-C arrives here while a long statement runs; sqlite would swallow it
            self.caught = error
            return 1


def harden(connection: sqlite3.Connection, patience: Patience) -> None:
    """Bound what the file can ask for, before its first page is read."""
    connection.text_factory = _text
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.set_progress_handler(patience.look, _STEPS_BETWEEN_LOOKS)
    configure = getattr(connection, "setconfig", None)  # Python 3.12
    if configure is not None:
        for name, value in _SETTINGS.items():
            configure(getattr(sqlite3, f"SQLITE_DBCONFIG_{name}"), value)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def require_own_schema(connection: sqlite3.Connection, path: Path, expected: frozenset[tuple[str, str, str]]) -> None:
    """Refuse a file whose schema is not, word by word, one that theoremeter writes.

    Args:
        expected: type, name and text of every entry; see `entry`.
    """
    rows = connection.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master LIMIT 10").fetchall()
    found = [entry(kind, name, sql) for kind, name, _, _, sql in rows]
    if len(found) != len(expected) or set(found) != expected:
        strange = next((f"{kind} {name}" for kind, name, sql in found if (kind, name, sql) not in expected), "less")
        raise StoreError(f"store must have the tables of theoremeter and nothing else, got {strange} in {path}")
    roots = [root for _, _, _, root, _ in rows]
    if len(set(roots)) < len(roots) or not all(isinstance(root, int) and root > 1 for root in roots):
        raise StoreError(f"store must have a place for each table, got one that is shared in {path}")


def entry(kind: object, name: object, sql: object) -> tuple[str, str, str]:
    """An entry of a schema with the layout of its text taken out: old stores were written with another one."""
    words = re.sub(r"\s+", " ", sql if isinstance(sql, str) else "").strip()
    words = re.sub(r"\s*([(),])\s*", r"\1", words).replace('TABLE "trials"', "TABLE trials")
    return str(kind), str(name), words


def restrict(connection: sqlite3.Connection, *, writes: bool) -> None:
    """From now on authorise statements on the two tables alone, none of which stands in a view or a trigger."""

    def allowed(action: int, first: str | None, second: str | None, database: str | None, inside: str | None) -> int:
        if inside is not None or database not in (None, "main"):
            return sqlite3.SQLITE_DENY
        fits = (
            action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_TRANSACTION)
            or (action == sqlite3.SQLITE_READ and first in _TABLES)
            or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS)
            or (action == sqlite3.SQLITE_PRAGMA and first in _ALLOWED_PRAGMAS)
            or (writes and action in _WRITES and first in _TABLES)
        )
        return sqlite3.SQLITE_OK if fits else sqlite3.SQLITE_DENY

    connection.set_authorizer(allowed)


@contextmanager
def unrestricted(connection: sqlite3.Connection) -> Iterator[None]:
    """Allow what `VACUUM` does, within a block: it attaches a file of its own. The schema has been checked."""
    connection.set_authorizer(None)
    attached = connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)
    try:
        yield
    finally:
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, attached)
        restrict(connection, writes=True)


def require_plain_files(path: Path, logs: tuple[Path, Path]) -> None:
    """Refuse what is no file (reading a pipe or a device never ends), and a journal that names another file.

    Args:
        logs: write-ahead log and rollback journal.
    """
    index = logs[0].with_name(logs[0].name.removesuffix("-wal") + "-shm")
    for file in (path, *logs, index):
        try:
            mode = (file.stat() if file is path else file.lstat()).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISDIR(mode):
            raise StoreError(f"store must be a file, got the folder {file}")
        if not stat.S_ISREG(mode):
            raise StoreError(f"store must be a plain file, with plain files beside it, got {file}")
    journal = logs[1]
    if journal.exists():
        with journal.open("rb") as opened:
            size = opened.seek(0, 2)
            opened.seek(max(0, size - len(_SUPER_JOURNAL)))
            if opened.read() == _SUPER_JOURNAL:
                raise StoreError(
                    f"store must be complete in one file, got a journal that names another file, {journal}"
                )


def _text(raw: bytes) -> str:
    """A text as stored; bytes that are no UTF-8 stay recognisable, and whoever reads the column refuses them."""
    return raw.decode("utf-8", "surrogateescape")
