"""Hostile and malformed stores: a list of ways to spoil a sound one, each from a fixed seed.

A `Case` takes the path of a sound store and spoils what is there. Add to `cases` to have another one go through every
command. `refused` says that at least one command must end with exit code 2; otherwise the file may turn out harmless.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import math
import os
import random
import sqlite3
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SENTINEL = "sentinel"
"""A file of this name in the working folder means that code of a store was run."""
CODE = f"__import__('pathlib').Path('{SENTINEL}').touch()"
PAGE = 4096


@dataclass(frozen=True)
class Case:
    """One way to spoil a store."""

    name: str
    spoil: Callable[[Path], None]
    refused: bool = True


def cases() -> list[Case]:
    """All of them, always the same and in the same order."""
    groups = (_schemas, _columns, _objects, _archives, _leases, _headers, _damage, _files, _journals, _trees, _versions)
    return [case for group in groups for case in group()]


def changed(path: Path, *statements: str, given: Mapping[str, object] | None = None) -> None:
    """Run statements on the file, as whoever made it could."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements:
        connection.execute(statement, given or {})
    connection.close()


def _changing(*statements: str) -> Callable[[Path], None]:
    return lambda path: changed(path, *statements)


# -------------------------------------------------------------------------------------------------------------- schemas

_MOVED = "ALTER TABLE trials RENAME TO hidden"
_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
_COLUMNS = "key, system, fingerprint, parameters, replicate, outcome, observables, seconds, curves, readouts"


def _schemas() -> Iterator[Case]:
    views = {
        "a view for the trials": f"CREATE VIEW trials AS SELECT {_COLUMNS} FROM hidden",
        "an endless view": f"CREATE VIEW trials AS {_ENDLESS} SELECT {_COLUMNS} FROM hidden, n",
        "a view that joins itself": "CREATE VIEW trials AS SELECT h.* FROM hidden h, hidden i, hidden j, hidden k",
        "a view of large blobs": "CREATE VIEW trials AS SELECT key, system, fingerprint, parameters, replicate,"
        " outcome, observables, seconds, zeroblob(999999999) AS curves, readouts FROM hidden",
        "a view that loads code": "CREATE VIEW trials AS SELECT *, load_extension('x') FROM hidden",
        "a view that reads its pages": "CREATE VIEW trials AS SELECT printf('%.*c', 99999999, 'x') AS key FROM hidden",
    }
    for name, statement in views.items():
        yield Case(f"schema: {name}", _changing(_MOVED, statement))
    bodies = {
        "deletes": "DELETE FROM trials",
        "spoils": "UPDATE trials SET observables = '{}'",
        "goes on": f"INSERT INTO leases {_ENDLESS} SELECT hex(i), 'x', 0 FROM n",
        "raises": "SELECT RAISE(ABORT, 'no')",
    }
    for event in ("INSERT ON leases", "DELETE ON leases", "INSERT ON trials", "UPDATE ON leases"):
        for name, body in bodies.items():
            statement = f"CREATE TRIGGER t AFTER {event} BEGIN {body}; END"
            yield Case(f"schema: a trigger on {event} that {name}", _changing(statement))
    extras = {
        "an index": "CREATE INDEX extra ON trials (system)",
        "an index on an expression": "CREATE INDEX extra ON trials (abs(replicate))",
        "a partial index": "CREATE INDEX extra ON trials (system) WHERE replicate > 0",
        "another table": "CREATE TABLE extra (x)",
        "a generated column": "ALTER TABLE trials ADD COLUMN g AS (length(key))",
        "a default": "ALTER TABLE trials ADD COLUMN g TEXT DEFAULT 'x'",
        "a column less": "ALTER TABLE trials DROP COLUMN seconds",
        "a column renamed": "ALTER TABLE trials RENAME COLUMN seconds TO spent",
        "no trials": "DROP TABLE trials",
        "no leases": "DROP TABLE leases",
        "statistics": "ANALYZE",
        "a virtual table": "CREATE VIRTUAL TABLE extra USING fts5(x)",
        "a spatial table": "CREATE VIRTUAL TABLE extra USING rtree(a, b, c)",
        "a view beside": "CREATE VIEW extra AS SELECT * FROM trials",
    }
    for name, statement in extras.items():
        yield Case(f"schema: {name}", _changing(statement))
    columns = "key TEXT PRIMARY KEY, system TEXT, fingerprint TEXT, parameters TEXT, replicate INTEGER, outcome TEXT"
    rest = "observables TEXT, seconds REAL, curves BLOB, readouts TEXT"
    tables = {
        "without types": f"CREATE TABLE trials ({_COLUMNS})",
        "strict": f"CREATE TABLE trials ({columns}, {rest}) STRICT",
        "with a check": f"CREATE TABLE trials ({columns}, {rest}, CHECK (length(key) < 99))",
        "without row numbers": f"CREATE TABLE trials ({columns}, {rest}) WITHOUT ROWID",
        "of another order": f"CREATE TABLE trials ({rest}, {columns})",
        "of virtual kind": "CREATE VIRTUAL TABLE trials USING fts5(key, system, observables)",
    }
    for name, statement in tables.items():
        yield Case(f"schema: a table {name}", _changing(_MOVED, statement, "DROP TABLE hidden"))
    texts = {
        "garbage": "'CREATE \x1b[31m GARBAGE ' || char(7)",
        "null": "NULL",
        "a number": "7",
        "a blob": "x'00ff00ff'",
        "long": "'CREATE TABLE trials (' || hex(zeroblob(300000)) || ')'",
        "another table's": "'CREATE TABLE trials (key)'",
        "deep": "'CREATE TABLE trials (key CHECK (' || replace(hex(zeroblob(5000)), '0', '(') || '))'",
    }
    for name, text in texts.items():
        statement = f"UPDATE sqlite_master SET sql = {text} WHERE name = 'trials'"
        yield Case(f"schema: a text that is {name}", _changing("PRAGMA writable_schema = ON", statement))
    for root in ("0", "1", "4", "-3", "99999999", "'x'", "NULL", "9e18"):
        statement = f"UPDATE sqlite_master SET rootpage = {root} WHERE name = 'trials'"
        yield Case(f"schema: a table at page {root}", _changing("PRAGMA writable_schema = ON", statement))


# ----------------------------------------------------------------------------------------------------------------- rows

_VALUES: dict[str, tuple[str, ...]] = {
    "key": (
        "''", "'x'", "x'00ff'", "'../../' || key", "upper(key)", "key || char(10)", "replace(key, '0', '1')", "NULL",
    ),
    "system": (
        "''", "'../../../tmp/x'", "'/etc/passwd'", "'a' || char(0) || 'b'", "char(27) || '[2J'", "x'ff'", "7", "'con'",
        "'=HYPERLINK(1)'", "hex(zeroblob(3000))", "'<script>'",
    ),
    "fingerprint": ("''", "'x'", "x'ff'", "upper(fingerprint) || 'Z'", "fingerprint || fingerprint", "7", "char(13)"),
    "parameters": ("''", "'[]'", "'null'", "'{'", "x'7b7d'", "'{\"a\": [1]}'", "7", "'{}'", "hex(zeroblob(3000000))"),
    "replicate": ("-1", "'x'", "1.5", "9e99", "x'00'", "9223372036854775807"),
    "outcome": ("''", "'proved'", "'Converged'", "x'00'", "7", "'failed'", "char(27) || ']0;x'", "'converged '"),
    "seconds": ("-1", "9e999", "-9e999", "'x'", "x'00'", "'nan'", "1e300"),
    "readouts": (
        "'x'", "'[]'", "'null'", "x'7b7d'", "7", "'{\"a\": \"x\"}'", "'{\"a\": \"0123456789abcdef [7]\"}'",
        "'{\"' || char(27) || '\": \"0123456789abcdef\"}'", "hex(zeroblob(3000000))",
    ),
    "curves": ("''", "x''", "x'504b0304'", "'text'", "7", "zeroblob(40000000)", "randomblob(100)"),
}  # fmt: skip


def _columns() -> Iterator[Case]:
    for column, values in _VALUES.items():
        for value in values:
            statement = f"UPDATE trials SET {column} = {value} WHERE key = (SELECT max(key) FROM trials)"
            yield Case(f"row: {column} = {value}", _changing(statement))


_OBJECTS = {
    "empty text": "",
    "an array": "[1]",
    "null": "null",
    "a number": "1",
    "cut": '{"iterations": 1',
    "trailing": '{"iterations": 1} x',
    "nothing": "{}",
    "infinite": '{"iterations": Infinity}',
    "negative infinite": '{"iterations": -Infinity}',
    "too large": '{"iterations": 1e999}',
    "not a number": '{"iterations": NaN}',
    "huge integer": f'{{"iterations": {"9" * 30}}}',
    "endless integer": f'{{"iterations": {"9" * 100_000}}}',
    "endless fraction": f'{{"iterations": 0.{"9" * 100_000}}}',
    "a text": '{"iterations": "many"}',
    "a numeric text": '{"iterations": "7"}',
    "a flag": '{"iterations": true}',
    "a null": '{"iterations": null}',
    "a list": '{"iterations": [1]}',
    "an object": '{"iterations": {"a": 1}}',
    "twice": '{"iterations": 1, "iterations": 2}',
    "deep": '{"iterations": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "deep objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "code": json.dumps({"iterations": CODE}),
    "a surrogate": '{"iterations": 1, "note": "\\ud800"}',
    "an escape as a name": '{"\\u001b[2J": 1, "iterations": 1}',
    "a path as a name": '{"../../x": 1, "iterations": 1}',
    "an empty name": '{"": 1, "iterations": 1}',
    "many names": json.dumps({f"n{number}": number for number in range(5000)}),
    "another's": '{"exponent": "2", "log_degree": "0"}',
    "negative": '{"iterations": -5}',
    "zero": '{"iterations": 0}',
    "large": '{"iterations": 1e308}',
}
_MAY_PASS = {"negative", "zero", "large"}


def _objects() -> Iterator[Case]:
    for name, text in _OBJECTS.items():
        yield Case(f"observables: {name}", functools.partial(_observe, text=text), name not in _MAY_PASS)
    for name in ("exponent", "log_degree"):
        for value in (7, True, "x" * 100, CODE, "\x1b[31m", "=1+1", "1/0", "2**2**2**2**2", "\u202e"):
            text = json.dumps({"exponent": "2", "log_degree": "0", name: value})
            spoil = functools.partial(_observe, text=text, system="derivation")
            yield Case(f"derivation: {name} = {str(value)[:12]!a}", spoil, refused=False)
    yield Case("derivation: half", functools.partial(_observe, text='{"exponent": "2"}', system="derivation"))


def _observe(path: Path, text: str, system: str = "shallow_vit") -> None:
    where = "key = (SELECT key FROM trials WHERE system = :system ORDER BY parameters, replicate LIMIT 1)"
    changed(path, f"UPDATE trials SET observables = :text WHERE {where}", given={"text": text, "system": system})


# --------------------------------------------------------------------------------------------------------------- curves


def _archives() -> Iterator[Case]:
    good = np.arange(1.0, 9.0)
    named = {"step": good, "mass_label_relevant": good / 99, "mass_worst_query": good / 99}
    yield from (
        Case(f"curves: {name}", functools.partial(_replace_curves, blob=blob), refused=refused)
        for name, blob, refused in (
            ("none of the names", _npz({"other": _npy(good)}), True),
            ("lengths that differ", _npz({**_all(named), "step": _npy(good[:3])}), True),
            ("too many dimensions", _npz({**_all(named), "step": _npy(good.reshape(2, 2, 2))}), True),
            ("an empty curve", _npz({**_all(named), "mass_worst_query": _npy(good[:0])}), True),
            ("not numbers", _npz({**_all(named), "step": _npy(np.full(8, np.nan))}), False),
            ("negative steps", _npz({**_all(named), "step": _npy(-good)}), False),
            ("no steps", _npz({**_all(named), "step": _npy(0 * good)}), False),
            ("pickled", _npz({"step": _pickled()}), True),
            ("objects", _npz({"step": _header("|O", "(1,)") + b"x" * 8}), True),
            ("texts", _npz({"step": _npy(np.array(["a", "b"]))}), True),
            ("records", _npz({"step": _header("[('a', '<f8')]", "(1,)", quoted=False) + bytes(8)}), True),
            ("times", _npz({"step": _npy(np.array([1, 2], "M8[s]"))}), True),
            ("complex", _npz({"step": _npy(np.array([1j]))}), True),
            ("terabytes", _npz({"step": _header("<f8", "(999999999999,)")}), True),
            ("negative sides", _npz({"step": _header("<f8", "(-1,)")}), True),
            ("many sides", _npz({"step": _header("<f8", "(" + "1, " * 64 + ")") + bytes(8)}), True),
            ("code in the header", _npz({"step": _header("<f8", f"({CODE},)")}), True),
            ("a deep header", _npz({"step": _header("<f8", "(" * 5000 + ")" * 5000)}), True),
            ("fewer bytes than said", _npz({"step": _header("<f8", "(9,)") + bytes(8)}), True),
            ("more bytes than said", _npz({"step": _header("<f8", "(1,)") + bytes(80)}), True),
            ("no header", _npz({"step": b"hello"}), True),
            ("a version to come", _npz({"step": b"\x93NUMPY\x09\x00" + bytes(100)}), True),
            ("a name that climbs", _npz({"../../" + SENTINEL: _npy(good)}), True),
            ("an absolute name", _npz({"/tmp/" + SENTINEL: _npy(good)}), True),
            ("a name with a colour", _npz({"\x1b[31mred": _npy(good)}), True),
            ("a name twice", _twice(_npy(good)), True),
            ("an ending of another kind", _npz({"step": _npy(good)}, ending=".exe"), True),
            ("a bomb", lambda: _npz({"step": _header("|u1", "(200000000,)") + bytes(200_000_000)}), True),
            ("a bomb that lies", lambda: _lying(bytes(100_000_000)), True),
            ("ten thousand members", lambda: _npz({f"c{number}": b"" for number in range(10_000)}), True),
            ("another compression", _npz({"step": _npy(good)}, method=zipfile.ZIP_BZIP2), True),
            ("encrypted", _flagged(_npz(_all(named))), True),
            ("cut", _npz(_all(named))[:-30], True),
            ("no archive", b"PK\x05\x06" + bytes(18), True),
            ("a directory that is elsewhere", b"PK\x05\x06" + bytes(8) + b"\xff" * 8 + bytes(2), True),
        )
    )
    rng = random.Random(1)
    whole = _npz(_all(named))
    for number in range(20):
        spoiled = bytearray(whole)
        for _ in range(1 + number % 4):
            spoiled[rng.randrange(len(spoiled))] ^= 1 << rng.randrange(8)
        spoil = functools.partial(_replace_curves, blob=bytes(spoiled))
        yield Case(f"curves: bits flipped, {number}", spoil, refused=False)


def _replace_curves(path: Path, blob: bytes | Callable[[], bytes]) -> None:
    """What takes long to make is made where it is wanted, not in every process that collects tests."""
    blob = blob() if callable(blob) else blob
    where = "key = (SELECT key FROM trials WHERE system = 'shallow_vit' ORDER BY parameters, replicate LIMIT 1)"
    changed(path, f"UPDATE trials SET curves = :blob WHERE {where}", given={"blob": blob})


def _all(arrays: Mapping[str, np.ndarray]) -> dict[str, bytes]:
    return {name: _npy(array) for name, array in arrays.items()}


def _npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _header(kind: str, shape: str, *, quoted: bool = True) -> bytes:
    text = f"{{'descr': {repr(kind) if quoted else kind}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


class _Touch:
    def __reduce__(self) -> tuple[object, ...]:
        return (eval, (CODE,))


def _pickled() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.array([_Touch()], dtype=object), allow_pickle=True)
    return buffer.getvalue()


def _npz(members: Mapping[str, bytes], *, ending: str = ".npy", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name + ending), content, method)
    return buffer.getvalue()


def _twice(content: bytes) -> bytes:
    return _npz({"step": content, "stop": content}).replace(b"stop.npy", b"step.npy")


def _lying(content: bytes) -> bytes:
    """An archive whose directory says that a large member is small."""
    blob = bytearray(_npz({"step": content}))
    at = blob.index(b"PK\x01\x02")
    blob[at + 24 : at + 28] = struct.pack("<I", 100)
    return bytes(blob)


def _flagged(blob: bytes) -> bytes:
    found = bytearray(blob)
    at = found.index(b"PK\x01\x02")
    found[at + 8] |= 1
    return bytes(found)


# --------------------------------------------------------------------------------------------------------------- leases


def _leases() -> Iterator[Case]:
    sound = "'elsewhere:1:00000000'"
    for expires, refused in (("9e999", False), ("1e300", False), ("-9e999", False), ("'soon'", True), ("x'ff'", True)):
        yield Case(f"lease: until {expires}", _changing(_lease(sound, expires)), refused)
    for owner in (
        "''", "'x'", "'a:b:c'", "x'ff'", "7", "'host:1'", "'host:99999999999999999999:00000000'",
        "char(27) || '[2J:1:00000000'", "'<script>:1:00000000'", "'a' || char(10) || 'b:1:00000000'",
        "hex(zeroblob(1000)) || ':1:00000000'", "'host:-1:00000000'",
    ):  # fmt: skip
        yield Case(f"lease: by {owner}", _changing(_lease(owner, "9e9")))
    yield Case(
        "lease: by a process that cannot be", _changing(_lease("'host:9999999999:00000000'", "9e9")), refused=False
    )


def _lease(owner: str, expires: str) -> str:
    return f"INSERT OR REPLACE INTO leases SELECT key, {owner}, {expires} FROM trials"


# ---------------------------------------------------------------------------------------------------------------- files


def _headers() -> Iterator[Case]:
    fields = {
        "magic": (0, b"SQLite format 4\0"),
        "page size 0": (16, b"\x00\x00"),
        "page size 3": (16, b"\x00\x03"),
        "page size 512": (16, b"\x02\x00"),
        "write version": (18, b"\x09"),
        "read version": (19, b"\x09"),
        "reserved bytes": (20, b"\xff"),
        "schema format": (44, b"\x00\x00\x00\x09"),
        "encoding UTF-16": (56, b"\x00\x00\x00\x02"),
        "encoding UTF-16, the other": (56, b"\x00\x00\x00\x03"),
        "no encoding": (56, b"\x00\x00\x00\x00"),
        "version 0": (60, b"\x00\x00\x00\x00"),
        "version 4": (60, b"\x00\x00\x00\x04"),
        "version -1": (60, b"\xff\xff\xff\xff"),
        "application": (68, b"\x00\x00\x00\x00"),
    }
    for name, (at, content) in fields.items():
        spoil = functools.partial(_overwrite, at=at, content=content)
        yield Case(f"header: {name}", spoil, refused=name != "write version")  # sqlite reads it, and only reads it
    yield Case("header: pages", functools.partial(_overwrite, at=28, content=b"\x7f\xff\xff\xff"), refused=False)
    yield Case(
        "header: free pages", functools.partial(_overwrite, at=32, content=b"\x00\x00\x00\x02" * 2), refused=False
    )


def _overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def _damage() -> Iterator[Case]:
    for number in range(30):
        yield Case(f"damage: bits flipped, {number}", functools.partial(_flip, seed=number), refused=False)
    for number in range(10):
        yield Case(f"damage: a page of noise, {number}", functools.partial(_noise, seed=number), refused=False)
    for kept in (1, 50, 99, 100, 512, PAGE, PAGE + 1, 2 * PAGE, -PAGE, -1):
        yield Case(f"damage: cut to {kept}", functools.partial(_cut, kept=kept))
    yield Case("damage: a page too many", lambda path: path.write_bytes(path.read_bytes() + bytes(PAGE)), refused=False)


def _flip(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    content = bytearray(path.read_bytes())
    for _ in range(1 + 5 * (seed % 3)):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def _noise(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    size = path.stat().st_size
    _overwrite(path, at=PAGE * rng.randrange(1, size // PAGE), content=rng.randbytes(PAGE))


def _cut(path: Path, kept: int) -> None:
    path.write_bytes(path.read_bytes()[:kept])


def _files() -> Iterator[Case]:
    def instead(make: Callable[[Path], object]) -> Callable[[Path], None]:
        def spoil(path: Path) -> None:
            path.unlink()
            make(path)

        return spoil

    yield Case("file: a folder", instead(Path.mkdir))
    yield Case("file: a pipe", instead(os.mkfifo))
    yield Case("file: an endless device", instead(lambda path: path.symlink_to("/dev/zero")))
    yield Case("file: a terminal", instead(lambda path: path.symlink_to("/dev/tty")))
    yield Case("file: a link to itself", instead(lambda path: path.symlink_to(path.name)))
    yield Case("file: a link to nothing", instead(lambda path: path.symlink_to("nowhere")), refused=False)
    yield Case("file: a link to the password file", instead(lambda path: path.symlink_to("/etc/passwd")))
    yield Case("file: text", instead(lambda path: path.write_text("key,system\n" * 100)))
    yield Case("file: zeros", instead(lambda path: path.write_bytes(bytes(10 * PAGE))))
    yield Case("file: empty", instead(Path.touch), refused=False)
    yield Case("file: another database", instead(_changing("CREATE TABLE trials (key)")))


def _journals() -> Iterator[Case]:
    for ending in ("-wal", "-journal", "-shm"):

        def beside(path: Path, ending: str = ending) -> Path:
            return path.with_name(path.name + ending)

        yield Case(f"beside: a folder {ending}", lambda path, at=beside: at(path).mkdir())
        yield Case(f"beside: a pipe {ending}", lambda path, at=beside: os.mkfifo(at(path)))
        yield Case(f"beside: a device {ending}", lambda path, at=beside: at(path).symlink_to("/dev/zero"))
        noise = random.Random(ending).randbytes(3 * PAGE)
        yield Case(
            f"beside: noise {ending}", lambda path, at=beside, n=noise: at(path).write_bytes(n) and None, refused=False
        )
    yield Case("beside: a journal that names another file", _super_journal)
    yield Case("beside: a log of another schema", _log_left, refused=False)


def _super_journal(path: Path) -> None:
    victim = str(path.with_name("victim").resolve()).encode()
    path.with_name("victim").write_bytes(b"x")
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 1, 1, 512, PAGE)
    sums = struct.pack(">II", len(victim), sum(victim))
    content = header.ljust(512, b"\0") + struct.pack(">I", 1) + victim + sums + bytes.fromhex("d9d505f920a163d7")
    path.with_name(f"{path.name}-journal").write_bytes(content)


def _log_left(path: Path) -> None:
    """The log of a writer that died after it had put a trigger there."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TRIGGER t AFTER INSERT ON leases BEGIN DELETE FROM trials; END")
    kept = {file.name: file.read_bytes() for file in path.parent.glob(f"{path.name}*")}
    connection.close()
    for name, content in kept.items():
        path.with_name(name).write_bytes(content)


def _trees() -> Iterator[Case]:
    for name in ("itself", "one child", "its parent"):
        for table in ("trials", "sqlite_autoindex_trials_1"):
            yield Case(f"tree: {table} leads to {name}", functools.partial(_tangle, kind=name, table=table))


def _tangle(path: Path, kind: str, table: str) -> None:
    """Make the pages of a large table refer to each other, so that walking it never ends."""
    rows = (
        "INSERT INTO trials SELECT hex(randomblob(31)) || printf('%02d', i), system, fingerprint, parameters,"
        " replicate, outcome, observables, seconds, NULL, readouts FROM trials, (WITH RECURSIVE n(i) AS (SELECT 1"
        " UNION ALL"
        " SELECT i + 1 FROM n WHERE i < 60) SELECT i FROM n)"
    )  # fmt: skip
    changed(path, rows)
    connection = sqlite3.connect(path)
    ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
    connection.close()
    content = bytearray(path.read_bytes())
    at = (root - 1) * PAGE
    assert content[at] in (2, 5), "the root must have children"
    cells = struct.unpack(">H", content[at + 3 : at + 5])[0]
    target = {"itself": root, "one child": struct.unpack(">I", content[at + 8 : at + 12])[0], "its parent": 1}[kind]
    content[at + 8 : at + 12] = struct.pack(">I", target)
    for number in range(cells):
        cell = at + struct.unpack(">H", content[at + 12 + 2 * number : at + 14 + 2 * number])[0]
        content[cell : cell + 4] = struct.pack(">I", target)
    path.write_bytes(content)


def _versions() -> Iterator[Case]:
    rows = (
        "CREATE TABLE old (key TEXT PRIMARY KEY, system TEXT NOT NULL, parameters TEXT NOT NULL, replicate INTEGER NOT"
        " NULL, fingerprint TEXT NOT NULL, outcome TEXT NOT NULL, observables TEXT NOT NULL, curves BLOB, seconds REAL"
        " NOT NULL) WITHOUT ROWID",
        "INSERT INTO old SELECT key, system, parameters, replicate, fingerprint, outcome, observables, curves, seconds"
        " FROM trials",
        "DROP TABLE trials",
        "DROP TABLE leases",
        "ALTER TABLE old RENAME TO trials",
        "PRAGMA user_version = 1",
    )
    yield Case("version 1: sound", _changing(*rows), refused=False)
    extras = {
        "a trigger": "CREATE TRIGGER t AFTER INSERT ON trials BEGIN DELETE FROM trials; END",
        "a view": "CREATE VIEW leases AS SELECT * FROM trials",
        "a table too many": "CREATE TABLE trials_1 (x)",
        "a changed row": "UPDATE trials SET parameters = '{}'",
        "a wrong type": "UPDATE trials SET seconds = 'x'",
        "an unknown outcome": "UPDATE trials SET outcome = 'x'",
        "an infinite observable": "UPDATE trials SET observables = '{\"iterations\": 1e999}'",
    }
    for name, statement in extras.items():
        yield Case(f"version 1: {name}", _changing(*rows, statement))


def digest(path: Path) -> str:
    """Content of a file, or what else is there."""
    if path.is_symlink():
        return f"link to {os.readlink(path)}"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "no plain file"


def masses(number: int) -> dict[str, np.ndarray]:
    """Curves that a training of A.concentration could have recorded."""
    step = np.unique(np.geomspace(1, 2000, 40).astype(int)).astype(float)
    mass = 0.7 - 0.2 * (1 + 0.01 * number) / np.sqrt(step) - math.pi / 100
    return {"step": step, "mass_label_relevant": mass, "mass_worst_query": mass - 0.01}
