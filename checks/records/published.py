"""Evidence that comes with a paper: archives in its folder, a preset each, so that a table needs no measurement.

A trial of an archive was measured by some version of its simulator, with some libraries. Where those here are others,
its key is another, and no store of today would use it. What is published is shown all the same: its trials are read as
if they were of today's version (`rekeyed`), and whoever shows them says which simulators have changed since
(`changed`). A run never takes a trial so.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from checks.records.preset import Preset
from sim.store.array_codec import pack, unpack
from sim.store.fingerprint import fingerprint, readout_digests, source_digest
from sim.store.rows import canonical_of, json_object, read_row, readouts_kept, readouts_written
from sim.store.sealed_file import Sealed
from sim.store.store import Merged, Store
from sim.trials.errors import StoreError, printable
from sim.trials.trial import System, identity_said, key_of
from theoremeter_papers import Paper

if TYPE_CHECKING:
    import numpy as np

PRESETS = (Preset.QUICK, Preset.FULL)
"""Presets of which a paper may bring an archive."""
CURVES_COLUMN, READOUTS_COLUMN = 8, 9
RECOMPUTED = frozenset({"proof", "derivation"})
"""Systems whose results are checked against the formulas each time they are read, whoever found them."""
_KIND = re.compile(r"[<>|][biuf][0-9]{1,2}")
_AT_ONCE = 500
"""Rows that are merged in one transaction."""
_SYSTEM_COLUMN, _FINGERPRINT_COLUMN, _PARAMETERS_COLUMN = 1, 2, 3


def archive_of(paper: Paper, preset: Preset) -> Path:
    """Where the archive of a paper is, if it brings one."""
    return paper.folder / "published" / f"{preset}.zip"


def rows_of(archive: Sealed) -> Iterator[tuple]:
    """Rows of an archive, as a store takes them; keys are hashes of the other columns, and are left out of its lines.

    Raises:
        StoreError: a line is no row.
    """
    for number, line in enumerate(archive.lines("trials.jsonl"), 1):
        try:
            row = json.loads(line)
            if not isinstance(row, list) or len(row) != READOUTS_COLUMN:
                raise ValueError(f"must have {READOUTS_COLUMN} columns")
            system, version, parameters, replicate, *_, curves, _ = row
            if curves is not None:
                row[CURVES_COLUMN - 1] = pack({name: _array_of(*said) for name, said in curves.items()})
            name = key_of(identity_said(system, canonical_of(json_object(parameters), parameters), replicate), version)
        except (ValueError, TypeError, AttributeError, RecursionError, binascii.Error) as error:
            said = printable(str(error), most=200)
            raise StoreError(f"{archive.path}: trials.jsonl, line {number}: {said}") from None
        yield (name, *row)


def line_of(path: Path, row: tuple) -> str:
    """A row of a store as a line of an archive, its curves not packed each by itself: the archive packs them together.

    Args:
        path: of the store.
    """
    curves = row[CURVES_COLUMN]
    told = None if curves is None else {name: _said_of(curve) for name, curve in unpack(curves, str(path)).items()}
    return json.dumps([*row[1:CURVES_COLUMN], told, *row[CURVES_COLUMN + 1 :]]) + "\n"


def _said_of(curve: np.ndarray) -> list[object]:
    """Type, shape and bytes of a curve in base64: the first byte of all values, then the second, which packs better."""
    import numpy as np

    flat = np.frombuffer(np.ascontiguousarray(curve).tobytes(), np.uint8).reshape(-1, curve.dtype.itemsize)
    return [curve.dtype.str, list(curve.shape), base64.b64encode(flat.T.tobytes()).decode("ascii")]


def _array_of(kind: str, shape: Sequence[int], text: str) -> np.ndarray:
    """The curve of which `_said_of` says so.

    Raises:
        ValueError, TypeError: there is none.
    """
    import numpy as np

    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise ValueError(f"curves must be arrays of numbers, got {kind!r:.60}")
    dtype = np.dtype(kind)
    flat = np.frombuffer(base64.b64decode(text, validate=True), np.uint8).reshape(dtype.itemsize, -1)
    return np.frombuffer(flat.T.tobytes(), dtype).reshape(shape)


def rekeyed(archive: Sealed, systems: Mapping[str, System]) -> Iterator[tuple]:
    """Rows of an archive as if today's simulators had measured them; without those of simulators that are no more.

    Args:
        systems: by name.
    """
    known: dict[str, tuple[Mapping[str, str], str]] = {}
    for row in rows_of(archive):
        record = read_row(archive.path, row)
        system = systems.get(record.system)
        if system is None:
            continue
        if system.name not in known:
            known[system.name] = readout_digests(system), fingerprint(system)
        today, version = known[system.name]
        _, given = readouts_kept(row[READOUTS_COLUMN])
        readouts = readouts_written(today, {name: given[name] for name in given if name in today})
        asked = canonical_of(record.parameters, row[_PARAMETERS_COLUMN])
        name = key_of(identity_said(record.system, asked, record.replicate), version)
        yield (name, row[_SYSTEM_COLUMN], version, *row[_FINGERPRINT_COLUMN + 1 : READOUTS_COLUMN], readouts)


def merge(store: Store, rows: Iterable[tuple]) -> Merged:
    """Put rows of another store or of an archive into a store, some at a time."""
    total, rest = Merged(), iter(rows)
    while some := list(itertools.islice(rest, _AT_ONCE)):
        total += store.merge(some)
    return total


def described(systems: Iterable[System]) -> str:
    """Which versions of simulators measured, as a member of an archive: fingerprints, hashes of sources, readouts."""
    told = {
        system.name: {
            "fingerprint": fingerprint(system),
            "sources": source_digest(system),
            "readouts": dict(readout_digests(system)),
        }
        for system in systems
    }
    return json.dumps(told, indent=1, sort_keys=True) + "\n"


@dataclass(frozen=True)
class Changes:
    """Names of the simulators that are not what measured an archive.

    Attributes:
        code: whose sources, or readouts, are others or no more; their trials may come out otherwise now.
        libraries: of the same sources, with other versions of libraries or another engine.
    """

    code: frozenset[str]
    libraries: frozenset[str]


def changed(archive: Sealed, systems: Mapping[str, System]) -> Changes:
    """How the simulators that measured an archive differ from those of today, by name.

    Raises:
        StoreError: the archive does not say in the form of `described`.
    """
    code, libraries = set(), set()
    try:
        for name, said in json.loads(archive.text("systems.json")).items():
            system, sources, version = systems.get(name), said["sources"], said["fingerprint"]
            if name in RECOMPUTED:
                continue
            if system is None or sources != source_digest(system) or _reads_otherwise(said, system):
                code.add(name)
            elif version != fingerprint(system):
                libraries.add(name)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise StoreError(f"{archive.path}: systems.json must have the versions of simulators") from None
    return Changes(frozenset(code), frozenset(libraries))


def _reads_otherwise(said: Mapping[str, Mapping[str, str]], system: System) -> bool:
    """Whether a readout of the archive is computed from other code by now."""
    today = readout_digests(system)
    return any(today.get(name) != digest for name, digest in said["readouts"].items())
