"""A store's trials in files for other tools: a csv of scalars for each system, and the curves in one archive.

Stored names are text of unknown origin. A file is named after its system only where that is a plain word; every other
name gets a hash, so that names which differ in case alone, or which a system keeps for itself, stay apart and harmless.
"""

from __future__ import annotations

import csv
import hashlib
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from checks.evidence.later import np
from checks.report.escape import csv_cell
from sim.store.rows import in_use
from sim.store.store import Record, Store
from sim.trials.trial import System

_PLAIN = re.compile(r"[a-z][a-z0-9_]{0,63}")
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")
"""Names that Windows keeps for devices, whatever the ending."""


def export(store: Store, folder: Path, systems: Mapping[str, System] = MappingProxyType({})) -> dict[Path, int]:
    """Write `<system>.csv` with a line a trial, and `curves.npz` with arrays named `<key>/<curve>`; count either.

    Curves of a trial whose names differ in case alone have a hash after it, so that the archive unpacks anywhere.

    Of trials of `systems` (by fingerprint), readouts from other sources than today's are left out.

    Parameters and observables are columns `parameter.<name>` and `observable.<name>`. Nothing is held in memory but one
    trial, so a store may be larger than that.

    Raises:
        StoreError: a row that is malformed; nothing is written then but what came before it.
    """

    def records() -> Iterator[Record]:
        for record in store.records():
            known = systems.get(record.fingerprint)
            yield record if known is None else replace(record, result=in_use(record, known))

    columns: dict[str, dict[str, None]] = {}
    for record in records():
        columns.setdefault(record.system, {}).update(dict.fromkeys(_scalars(record)))
    folder.mkdir(parents=True, exist_ok=True)
    paths = {system: folder / file_name(system) for system in columns}
    written = dict.fromkeys(paths.values(), 0)
    curves = folder / "curves.npz"
    written[curves] = 0
    files = {system: path.open("w", encoding="utf-8", newline="") for system, path in paths.items()}
    try:
        tables = {system: csv.DictWriter(files[system], list(names)) for system, names in columns.items()}
        for table in tables.values():
            table.writeheader()
        with zipfile.ZipFile(curves, "w", zipfile.ZIP_DEFLATED) as archive:
            for record in records():
                tables[record.system].writerow({name: csv_cell(value) for name, value in _scalars(record).items()})
                written[paths[record.system]] += 1
                names = member_names(record.result.curves)
                for name, curve in record.result.curves.items():
                    with archive.open(f"{record.key}/{names[name]}.npy", "w", force_zip64=True) as file:
                        np.lib.format.write_array(file, np.asanyarray(curve), allow_pickle=False)
                    written[curves] += 1
    finally:
        for file in files.values():
            file.close()
    return written


def file_name(system: str) -> str:
    """The csv file of a system: different for different systems, on every file system."""
    if _PLAIN.fullmatch(system) and not _RESERVED.fullmatch(system):
        return f"{system}.csv"
    word = re.sub(r"[^a-z0-9_]", "_", system.lower())[:40]
    return f"{word}-{_hash(system)}.csv"


def member_names(curves: Iterable[str]) -> dict[str, str]:
    """What each curve of a trial is called in an archive, whose members may become files that fold case.

    >>> list(member_names(["loss", "n", "N", "aux"]).values())
    ['loss', 'n', 'N-8ce86a6ae65d', 'aux-321f68140efc']
    """
    names = list(curves)
    folded = Counter(map(str.lower, names))
    return {
        name: f"{name}-{_hash(name)}"
        if (folded[name.lower()] > 1 and name != name.lower()) or _RESERVED.fullmatch(name.lower().partition(".")[0])
        else name
        for name in names
    }


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _scalars(record: Record) -> dict[str, object]:
    return {
        "key": record.key,
        "fingerprint": record.fingerprint,
        "replicate": record.replicate,
        "outcome": record.result.outcome.value,
        "seconds": record.seconds,
        **{f"parameter.{name}": value for name, value in record.parameters.items()},
        **{f"observable.{name}": value for name, value in record.result.observables.items()},
    }
