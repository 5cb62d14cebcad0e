"""`theoremeter store`: what a store holds, its trials in files for other tools, and whether they can be had again.

Reading commands leave the store as it is. `verify` asks the question that everything else rests on: does a stored
trial, run again here and now, give the same bits?
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import random
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from checks.commands.options import (
    Command,
    add_command,
    add_store,
    positive,
    terminal_width,
    typed_path,
    whole,
    workers_of,
)
from checks.report.escape import MAX_LINE, csv_cell, plain
from sim.store import Record, Store, StoreError, fingerprint
from sim.trial import Outcome, System, Trial, TrialResult, TrialSpec


def add_commands(commands: Any) -> None:
    """Declare `store` and what it can do."""
    summary = "look after the store: info, export, verify, prune"
    parser = commands.add_parser("store", help=summary, description=summary)
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=type(parser))

    def add(name: str, function: Command, summary: str) -> argparse.ArgumentParser:
        action = add_command(actions, name, function, summary)
        add_store(action)
        return action

    add("info", _info, "trials by simulator, version and outcome, and who is at work")
    action = add("export", _export, "a csv of scalars for each simulator, and curves.npz")
    action.add_argument("--out", type=typed_path, required=True, help="folder to write to")
    action = add("verify", _verify, "run a random sample again and compare bit for bit; exit 1 on a difference")
    action.add_argument("--sample", type=positive, default=20, help="how many trials (default 20)")
    action.add_argument("--seed", type=whole, default=0, help="which sample (default 0)")
    action.add_argument("--workers", type=positive, default=1, help="processes (default 1)")
    action = add("prune", _prune, "delete trials of simulator versions that are no more")
    action.add_argument("--dry-run", action="store_true", help="say what would be deleted, and delete nothing")


def current_systems() -> dict[str, System]:
    """Every simulator that a check or the command line uses, by the fingerprint of its present version."""
    from checks.check import Preset, discover
    from checks.systems import SYSTEMS

    asked = {
        spec.system
        for check in discover().values()
        for part in check.parts
        for preset in Preset
        for spec in part.specs(preset)
    }
    return {fingerprint(system): system for system in (*SYSTEMS, *asked)}


def current_marks() -> set[str]:
    """Fingerprints of them all with every engine that can run here: a trial of another engine is not stale."""
    from sim.engine_setting import available, forced

    marks: set[str] = set()
    for engine in available():
        with forced(engine):
            marks.update(current_systems())
    return marks


# ---------------------------------------------------------------------------------------------------------------- info


def _info(arguments: argparse.Namespace) -> int:
    from checks.report.layout import Column, paragraph, table

    path: Path = arguments.store
    with Store(path, read_only=True) as store:
        counts, leases, schema = store.counts(), store.leases(), store.schema
    size = path.stat().st_size if path.exists() else 0
    width = terminal_width()
    held = f"{path}: {size} bytes, schema {schema}, {sum(number for number, _ in counts.values())} trials"
    lines = paragraph(held, width)
    current = current_marks()
    by_version: dict[tuple[str, str], dict[str, tuple[int, float]]] = {}
    for (system, mark, outcome), figures in counts.items():
        by_version.setdefault((system, mark), {})[outcome] = figures
    rows = []
    for (system, mark), outcomes in by_version.items():
        told = ", ".join(f"{number} {outcome}" for outcome, (number, _) in outcomes.items())
        seconds = sum(seconds for _, seconds in outcomes.values())
        rows.append((system, mark, "current" if mark in current else "stale", f"{told}, {seconds:.0f} s"))
    columns = (
        Column("simulator", least=24),
        Column("version", priority=2),
        Column("state"),
        Column("trials", priority=1, least=24, label=""),
    )
    lines += table(columns, rows, width=width, header=False)
    for owner, number in leases.items():
        lines += paragraph(f"at work: {owner}, {number} trials leased", width)
    print("\n".join(lines))
    return 0


# -------------------------------------------------------------------------------------------------------------- export


def _export(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.out
    with Store(arguments.store, read_only=True) as store:
        try:
            written = export(store, folder)
        except OSError as error:
            raise StoreError(f"out must be a folder to write to, got {folder}: {error}") from None
    for path, number in written.items():
        print(plain(f"{path}: {number}"))
    return 0


def export(store: Store, folder: Path) -> dict[Path, int]:
    """Write `<system>.csv` with a line a trial, and `curves.npz` with arrays named `<key>/<curve>`; count either.

    Parameters and observables are columns `parameter.<name>` and `observable.<name>`. Nothing is held in memory but one
    trial, so a store may be larger than that.
    """
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    columns: dict[str, dict[str, None]] = {}
    for record in store.records():
        columns.setdefault(record.system, {}).update(dict.fromkeys(_scalars(record)))
    written = dict.fromkeys((folder / f"{system}.csv" for system in columns), 0)
    curves = folder / "curves.npz"
    written[curves] = 0
    files = {system: (folder / f"{system}.csv").open("w", encoding="utf-8", newline="") for system in columns}
    try:
        tables = {system: csv.DictWriter(files[system], list(names)) for system, names in columns.items()}
        for table in tables.values():
            table.writer.writerow([csv_cell(name) for name in table.fieldnames])
        with zipfile.ZipFile(curves, "w", zipfile.ZIP_DEFLATED) as archive:
            for record in store.records():
                tables[record.system].writerow({name: csv_cell(value) for name, value in _scalars(record).items()})
                written[folder / f"{record.system}.csv"] += 1
                for name, curve in record.result.curves.items():
                    with archive.open(f"{record.key}/{name}.npy", "w", force_zip64=True) as file:
                        np.lib.format.write_array(file, np.asanyarray(curve), allow_pickle=False)
                    written[curves] += 1
    finally:
        for file in files.values():
            file.close()
    return written


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


# -------------------------------------------------------------------------------------------------------------- verify


def _verify(arguments: argparse.Namespace) -> int:
    from sim.executors import find
    from sim.run import run_trial

    current = current_systems()
    with Store(arguments.store, read_only=True) as store:
        keys = store.keys(current)
        random.Random(arguments.seed).shuffle(keys)
        lasting = (record for name in keys for record in store.records([name]) if not is_timed(record))
        stored = list(itertools.islice(lasting, arguments.sample))
        other = len(store) - len(keys)
    workers = workers_of(arguments)
    specs = [TrialSpec(current[record.fingerprint], record.parameters, record.replicate) for record in stored]
    with find("process", workers=workers).open() as executor:
        differences = list(compared(stored, executor.map(run_trial, specs)))
    for difference in differences:
        print(plain(difference, MAX_LINE))
    print(f"{len(stored)} of {len(keys)} trials run again, {len(differences)} differ", file=sys.stderr)
    if other:
        print(f"{other} more failed or are of simulator versions that are no more", file=sys.stderr)
    return 1 if differences else 0


def is_timed(record: Record) -> bool:
    """Whether the clock decides the result: the search for a proof has a budget; its record is replayed by `table`."""
    return "budget_seconds" in record.parameters


def compared(stored: Sequence[Record], again: Iterable[Trial]) -> Iterator[str]:
    """One line for each trial that came out otherwise, naming it and the first thing that differs."""
    for record, trial in zip(stored, again, strict=True):
        if difference := _difference(record.result, trial.result):
            setting = {**record.parameters, "replicate": record.replicate}
            yield f"differs: {record.system} {setting} ({record.key[:12]}): {difference}"


def _difference(stored: TrialResult, again: TrialResult) -> str:
    if again.outcome is Outcome.FAILED:
        return f"stored {stored.outcome}, now failed: {again.observables['error']}"
    before, now = _bits(stored), _bits(again)
    for name in [*before, *(name for name in now if name not in before)]:
        if before.get(name) != now.get(name):
            told = [bits if isinstance(bits, str) else "other bits" for bits in (before.get(name), now.get(name))]
            return f"{name} was {told[0]}, is {told[1]}"
    return ""


def _bits(result: TrialResult) -> Mapping[str, object]:
    """Everything a result holds in a form that compares bit for bit; json writes a float so that it reads back."""
    import numpy as np

    curves = {name: np.asanyarray(curve) for name, curve in result.curves.items()}
    return {
        "outcome": result.outcome.value,
        **{name: json.dumps(value) for name, value in result.observables.items()},
        **{f"curve {name}": (curve.dtype.str, curve.shape, curve.tobytes()) for name, curve in curves.items()},
    }


# --------------------------------------------------------------------------------------------------------------- prune


def _prune(arguments: argparse.Namespace) -> int:
    path: Path = arguments.store
    current = current_marks()
    with Store(path, read_only=True) as store:
        stale: dict[tuple[str, str], int] = {}
        for (system, mark, _), (number, _) in store.counts().items():
            if mark not in current:
                stale[system, mark] = stale.get((system, mark), 0) + number
    for (system, mark), number in stale.items():
        print(plain(f"{system} {mark}: {number} trials"))
    total = sum(stale.values())
    if stale and not arguments.dry_run:
        before = path.stat().st_size
        with Store(path) as store:
            store.remove(mark for _, mark in stale)
        print(f"{total} trials deleted, {before - path.stat().st_size} bytes freed", file=sys.stderr)
    else:
        print(f"{total} trials {'would be' if arguments.dry_run else 'were'} deleted", file=sys.stderr)
    return 0
