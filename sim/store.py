"""Finished trials in one sqlite file, a row each.

A row's key hashes what decides its result: (system, parameters, replicate), the syntax trees of the simulator's
sources (comments and docstrings do not count), and the versions of the libraries it computes with. Changing a simulator
therefore never reuses an old result, and never deletes one either. Curves are an npz blob beside the scalars.

The file keeps sqlite's rollback journal: a write-ahead log would leave two more files beside it, even after mere
reading, and does not work on the network folders of clusters. Foreign files are told by their first 100 bytes, before
sqlite sees them.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import io
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from sim.trial import Outcome, System, Trial, TrialResult, TrialSpec

if TYPE_CHECKING:
    import numpy as np

_APPLICATION_ID = 0x7468656F  # "theo": marks the file as ours among sqlite files
SCHEMA_VERSION = 1
_LIBRARIES = ("torch", "numpy", "scipy", "sympy", "python-flint")

_BUSY_SECONDS = 60.0  # wait so long for another process that is writing

_SCHEMA = f"""
BEGIN IMMEDIATE;
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE IF NOT EXISTS trials (
    key TEXT PRIMARY KEY,
    system TEXT NOT NULL,
    parameters TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    outcome TEXT NOT NULL,
    observables TEXT NOT NULL,
    curves BLOB,
    seconds REAL NOT NULL
) WITHOUT ROWID;
COMMIT;
"""


class StoreError(ValueError):
    """The file cannot serve as a store; the text says why in one line."""


class Store:
    """An open store. Use as a context manager.

    Args:
        path: the sqlite file; created with its folder unless `read_only`.
        read_only: never write; a missing file then reads as an empty store.

    Raises:
        StoreError: the file is not a store, is truncated, or was written by a newer theoremeter.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._connection = self._connect(read_only)

    def _connect(self, read_only: bool) -> sqlite3.Connection:
        if self.path.is_dir():
            raise StoreError(f"store must be a file, got the folder {self.path}")
        with self._errors():
            exists = self.path.exists() and self.path.stat().st_size > 0
            if exists:
                self._inspect()
            elif read_only:
                connection = sqlite3.connect(":memory:")
                connection.executescript(_SCHEMA)
                return connection
            else:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            target = f"{self.path.resolve().as_uri()}?mode={'ro' if read_only else 'rwc'}"
            connection = sqlite3.connect(target, uri=True, timeout=_BUSY_SECONDS)
            try:
                if not exists:
                    connection.executescript(_SCHEMA)  # in one transaction: two may create the same store at once
                connection.execute("SELECT 1 FROM trials LIMIT 1").fetchall()
            except BaseException:
                connection.close()
                raise
        return connection

    def _inspect(self) -> None:
        """Refuse foreign, truncated and newer files by the sqlite header, whose fields stand at fixed offsets."""
        with self.path.open("rb") as file:
            header = file.read(100)
        if not header.startswith(b"SQLite format 3\0"[: len(header)]):
            raise StoreError(f"store must be written by theoremeter, got another file {self.path}")
        page_size = max(int.from_bytes(header[16:18], "big"), 1)  # 1 stands for 65536 and goes unchecked
        if len(header) < 100 or self.path.stat().st_size % page_size:
            raise StoreError(f"store must be complete, got the truncated file {self.path}")
        if int.from_bytes(header[68:72], "big") != _APPLICATION_ID:
            raise StoreError(f"store must be written by theoremeter, got another sqlite file {self.path}")
        version = int.from_bytes(header[60:64], "big")
        if version > SCHEMA_VERSION:
            raise StoreError(f"store must have schema version <= {SCHEMA_VERSION}, got {version} in {self.path}")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn what sqlite and the file system refuse into a StoreError."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"store must be a usable theoremeter store, got {self.path}: {error}") from None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def __len__(self) -> int:
        with self._errors():
            return self._connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    def put(self, trials: Iterable[Trial]) -> None:
        """Commit finished trials; a trial already there is left as it is."""
        rows = [_row(trial) for trial in trials]
        insert = "INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"
        with self._errors(), self._connection:
            self._connection.executemany(insert, rows)

    def get(self, specs: Iterable[TrialSpec]) -> dict[TrialKey, Trial]:
        """Those of `specs` that are finished, by key."""
        found: dict[TrialKey, Trial] = {}
        wanted = {key(spec): spec for spec in specs}
        names = list(wanted)
        for start in range(0, len(names), 500):  # sqlite's limit on bound variables is 999 in old builds
            part = names[start : start + 500]
            marks = ", ".join("?" * len(part))
            query = f"SELECT key, outcome, observables, curves, seconds FROM trials WHERE key IN ({marks})"
            with self._errors():
                rows = self._connection.execute(query, part).fetchall()
            for name, outcome, observables, curves, seconds in rows:
                result = TrialResult(Outcome(outcome), json.loads(observables), _unpack(curves))
                found[name] = Trial(wanted[name], result, seconds)
        return found

    def missing(self, specs: Iterable[TrialSpec]) -> list[TrialSpec]:
        """Those of `specs` that are not finished, each once, in their order."""
        wanted = {key(spec): spec for spec in specs}
        done = self.get(wanted.values())
        return [spec for name, spec in wanted.items() if name not in done]


TrialKey = str


def key(spec: TrialSpec) -> TrialKey:
    """Content hash under which a trial is kept."""
    return hashlib.sha256(f"{spec.identity}\n{fingerprint(spec.system)}".encode()).hexdigest()


@functools.cache
def fingerprint(system: System) -> str:
    """Hash of the simulator's syntax trees and of the libraries it computes with."""
    digest = hashlib.sha256(system.function.encode())
    for source in system.sources:
        for path in _files(source):
            digest.update(ast.dump(_without_docstrings(ast.parse(path.read_text(encoding="utf-8")))).encode())
    for library in _LIBRARIES:
        digest.update(f"{library}={importlib.metadata.version(library)}".encode())
    return digest.hexdigest()[:16]


def _files(source: str) -> list[Path]:
    spec = importlib.util.find_spec(source)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no source for {source}")
    if spec.submodule_search_locations:
        return sorted(Path(spec.submodule_search_locations[0]).glob("*.py"))
    return [Path(spec.origin)]


def _without_docstrings(tree: ast.Module) -> ast.Module:
    """Drop every string that stands as a statement: docstrings, and those below an attribute or a constant."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_string(line)] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _row(trial: Trial) -> tuple[object, ...]:
    spec, result = trial.spec, trial.result
    return (
        key(spec),
        spec.system.name,
        json.dumps(dict(sorted(spec.parameters.items()))),
        spec.replicate,
        fingerprint(spec.system),
        result.outcome.value,
        json.dumps(dict(result.observables)),
        _pack(result.curves),
        trial.seconds,
    )


def _pack(curves: Mapping[str, object]) -> bytes | None:
    if not curves:
        return None
    import numpy as np

    buffer = io.BytesIO()
    np.savez_compressed(buffer, **curves)  # pyrefly: ignore
    return buffer.getvalue()


def _unpack(blob: bytes | None) -> dict[str, np.ndarray]:
    if blob is None:
        return {}
    import numpy as np

    with np.load(io.BytesIO(blob), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
