"""Finished trials in one sqlite file, a row each.

A row's key hashes what decides its result: (system, parameters, replicate), the syntax trees of the simulator's sources
(comments and docstrings do not count), and the versions of the libraries it computes with. Changing a simulator therefore never
reuses an old result, and never deletes one either. Curves are an npz blob beside the scalars.
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
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType

from sim.trial import Outcome, System, Trial, TrialResult, TrialSpec

_APPLICATION_ID = 0x7468656F  # "theo": marks the file as ours among sqlite files
SCHEMA_VERSION = 1
_LIBRARIES = ("torch", "numpy", "scipy", "sympy", "python-flint")

_SCHEMA = """
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
) WITHOUT ROWID;
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
        exists = self.path.exists() and self.path.stat().st_size > 0
        if read_only and not exists:
            connection = sqlite3.connect(":memory:")
            connection.executescript(_SCHEMA)
            return connection
        try:
            if exists:
                self._inspect()
            else:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            target = f"{self.path.resolve().as_uri()}?mode={'ro' if read_only else 'rwc'}"
            connection = sqlite3.connect(target, uri=True)
            if not read_only:
                connection.execute("PRAGMA journal_mode = WAL")
            if not exists:
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                connection.executescript(_SCHEMA)
            return connection
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"store must be a readable theoremeter store, got {self.path}: {error}") from None

    def _inspect(self) -> None:
        """Refuse foreign and newer files before anything can touch them."""
        with sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.close()
        if application != _APPLICATION_ID:
            raise StoreError(f"store must be written by theoremeter, got another sqlite file {self.path}")
        if version > SCHEMA_VERSION:
            raise StoreError(f"store must have schema version <= {SCHEMA_VERSION}, got {version} in {self.path}")

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def __len__(self) -> int:
        return self._connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    def put(self, trials: Iterable[Trial]) -> None:
        """Commit finished trials; a trial already there is left as it is."""
        rows = [_row(trial) for trial in trials]
        with self._connection:
            self._connection.executemany("INSERT OR IGNORE INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def get(self, specs: Iterable[TrialSpec]) -> dict[TrialKey, Trial]:
        """Those of `specs` that are finished, by key."""
        found: dict[TrialKey, Trial] = {}
        wanted = {key(spec): spec for spec in specs}
        names = list(wanted)
        for start in range(0, len(names), 500):  # sqlite's limit on bound variables is 999 in old builds
            part = names[start : start + 500]
            query = f"SELECT key, outcome, observables, curves, seconds FROM trials WHERE key IN ({', '.join('?' * len(part))})"
            for name, outcome, observables, curves, seconds in self._connection.execute(query, part):
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
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            node.body = body[1:] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


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


def _unpack(blob: bytes | None) -> dict[str, object]:
    if blob is None:
        return {}
    import numpy as np

    with np.load(io.BytesIO(blob), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
