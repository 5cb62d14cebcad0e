"""`theoremeter store`: what a store holds, its trials in files for other tools, and whether they can be had again.

Reading commands leave the store as it is. `digest` names the results that a table was printed from. `verify` asks the
question that everything else rests on: does a stored trial, run again here and now, give the same bits?
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.catalogue import checks_of
from checks.commands import kept_tables
from checks.commands.leave import agreed
from checks.commands.notes import note
from checks.commands.options import (
    require_store,
    terminal_width,
)
from checks.commands.taking import taken_from_all
from checks.evidence.check import symbolic
from checks.evidence.recomputed import recomputed
from checks.records.preset import Preset
from checks.report.escape import MAX_LINE, plain
from checks.report.export import export
from checks.report.layout import Column, paragraph, table
from sim.engine_setting import available, forced
from sim.store.replays import bits_of
from sim.store.rows import in_use
from sim.store.shards import write_shards
from sim.store.store import Record, Store, StoreError, fingerprint
from sim.systems import systems
from sim.trials.sweep import systems_in
from sim.trials.trial import System, Trial, TrialSpec
from theoremeter_papers import Paper, cached, papers

if TYPE_CHECKING:
    from checks.evidence.recomputed import Recomputed


def current_systems() -> dict[str, System]:
    """Every simulator that a check or the command line uses, by the fingerprint of its present version."""
    return {fingerprint(system): system for system in _systems()}


@cached
def _systems() -> frozenset[System]:
    return frozenset(systems().values()).union(*map(_asked, papers()))


@cached
def _asked(paper: Paper) -> frozenset[System]:
    """The simulators that the checks of a paper use."""
    specs = (check.specs(preset) for check in checks_of(paper).values() for preset in Preset)
    return frozenset(system for some in specs for system in systems_in(some))


def current_fingerprints() -> set[str]:
    """Fingerprints of them all with every engine that can run here: a trial of another engine is not stale."""
    fingerprints: set[str] = set()
    for engine in available():
        with forced(engine):
            fingerprints.update(current_systems())
    return fingerprints


def is_unknown(system: str, version: str) -> bool:
    """Whether stored trials are of a simulator that is not known here, as those of a paper that is not named now are.

    Then nobody can say whether they are stale.
    """
    used = current_systems()
    return version not in used and system not in {known.name for known in used.values()}


def stale_words(counts: Mapping[tuple[str, str, str], tuple[int, float]]) -> str:
    """How many stored trials are not used and why, in one line; empty where all are used.

    Args:
        counts: what `Store.counts` gives.
    """
    used = current_systems()
    others = {group: number for group, (number, _) in counts.items() if group[1] not in used}
    if not others:
        return ""
    fingerprints = current_fingerprints()
    reasons: Counter[str] = Counter()
    for (system, version, _), number in others.items():
        if version in fingerprints:
            reasons["of another engine (--engine)"] += number
        elif is_unknown(system, version):
            reasons["of simulators not known here, perhaps of a paper that is not named"] += number
        else:
            reasons["stale, the simulator or a library has changed since"] += number
    told = ", ".join(f"{number} {reason}" for reason, number in reasons.items())
    total = sum(number for number, _ in counts.values())
    return f"{sum(others.values())} of {total} stored trials are not used ({told}); see theoremeter store info"


# ---------------------------------------------------------------------------------------------------------------- info


def info_command(arguments: argparse.Namespace) -> int:
    """Say what a store holds."""
    path: Path = arguments.store
    require_store(arguments)
    with Store(path, read_only=True) as store:
        counts, lacking = store.counts(), store.lacking(current_systems())
        again = _recomputed(store)
        held = {
            "store": plain(path),
            "bytes": path.stat().st_size if path.exists() else 0,
            "schema": store.schema,
            "simulators": _by_version(counts),
            "lacking": {current_systems()[version].name: dict(numbers) for version, numbers in lacking.items()},
            "recomputed": plain(again.words),
            "refused": [plain(line) for line in again.refused],
            "leases": {plain(owner): number for owner, number in store.leases().items()},
        }
    if arguments.format == "json":
        print(json.dumps(held, indent=1))
    else:
        print("\n".join(_info_lines(held)))
    if words := stale_words(counts):
        note(f"theoremeter: {words.partition(';')[0]}")
    if words := kept_tables.words(arguments):
        note(f"theoremeter: {words}")
    return 0


def _by_version(counts: Mapping[tuple[str, str, str], tuple[int, float]]) -> list[dict[str, Any]]:
    """Trials by simulator and version: how many ended how, whether a table uses them, and their seconds."""
    current = current_fingerprints()
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for (system, version, outcome), (number, seconds) in counts.items():
        state = "current" if version in current else "unknown" if is_unknown(system, version) else "stale"
        new = {"name": plain(system), "version": plain(version), "state": state, "outcomes": {}, "seconds": 0.0}
        one = found.setdefault((system, version), new)
        one["outcomes"][plain(outcome)] = number
        one["seconds"] += seconds
    return list(found.values())


def _info_lines(held: Mapping[str, Any]) -> list[str]:
    """The same as text."""
    width = terminal_width()
    number = sum(sum(one["outcomes"].values()) for one in held["simulators"])
    lines = paragraph(f"{held['store']}: {held['bytes']} bytes, schema {held['schema']}, {number} trials", width)
    rows = []
    for one in held["simulators"]:
        told = ", ".join(f"{count} {outcome}" for outcome, count in one["outcomes"].items())
        rows.append((one["name"], one["version"], one["state"], f"{told}, {one['seconds']:.0f} s"))
    columns = (
        Column("simulator", least=24),
        Column("version", priority=2),
        Column("state"),
        Column("trials", priority=1, least=24, label=""),
    )
    lines += table(columns, rows, width=width, header=False)
    for name, numbers in held["lacking"].items():
        told = ", ".join(f"{readout} ({count})" for readout, count in sorted(numbers.items()))
        words = f"{name}: readouts that trials lack: {told}; a run replays what a row asks for"
        lines += paragraph(words, width)
    said = [held["recomputed"]] if held["recomputed"] else []
    said += [f"refused: {line}" for line in held["refused"]]
    said += [f"at work: {owner}, {number} trials leased" for owner, number in held["leases"].items()]
    return [*lines, *(line for words in said for line in paragraph(words, width))]


def _recomputed(store: Store) -> Recomputed:
    """What of the store follows from formulas, and whether it does."""
    found = [symbolic(check) for paper in papers() for check in checks_of(paper).values()]
    return recomputed(found, store.get(spec for check in found for spec in check.specs(Preset.SMOKE)))


# -------------------------------------------------------------------------------------------------------------- digest


@dataclass(frozen=True)
class Digest:
    """One hash of all results in use, of how many trials, and how many more have a budget of time."""

    name: str
    n_trials: int
    n_timed: int

    @property
    def words(self) -> str:
        """As it is printed."""
        return f"{self.name} of {self.n_trials} trials"


def digest_of(store: Store, read: Mapping[str, Trial] | None = None) -> Digest:
    """A hash over keys and results in the order of the keys; who measured them, when and how fast is not in it.

    Args:
        read: trials of the store that are read already, by key: whoever has them need not read and check them twice.
    """
    whole_store, known, systems = hashlib.sha256(), read or {}, current_systems()
    keys = store.keys(systems)
    records = store.records([name for name in keys if name not in known])
    number = timed = 0
    for name in keys:
        if name in known:
            asked, result = known[name].spec, known[name].result
        else:
            asked = next(records)
            result = in_use(asked, systems[asked.fingerprint])
        if is_timed(asked):
            timed += 1
            continue
        whole_store.update(f"{name} {sorted(bits_of(result).items())}\n".encode())
        number += 1
    return Digest(whole_store.hexdigest(), number, timed)


def digest_command(arguments: argparse.Namespace) -> int:
    """Say the hash of all results in use."""
    require_store(arguments)
    with Store(arguments.store, read_only=True) as store:
        found = digest_of(store)
    if arguments.format == "json":
        print(json.dumps({"digest": found.name, "trials": found.n_trials, "timed": found.n_timed}, indent=1))
        return 0
    print(found.words)
    if found.n_timed:
        note(f"{found.n_timed} more have a budget of time, so their results need not come out again")
    return 0


# -------------------------------------------------------------------------------------------------------------- export


def export_command(arguments: argparse.Namespace) -> int:
    """Write files for other tools."""
    folder: Path = arguments.out
    require_store(arguments)
    with Store(arguments.store, read_only=True) as store:
        try:
            written = write_shards(store, folder) if arguments.parquet else export(store, folder, current_systems())
        except OSError as error:
            raise StoreError(f"out must be a folder to write to, got {folder}: {error}") from None
    for path, number in written.items():
        print(plain(f"{path}: {number}"))
    return 0


def is_timed(asked: Record | TrialSpec) -> bool:
    """Whether the clock decides the result: the search for a proof has a budget; its record is replayed by `table`."""
    return "budget_seconds" in asked.parameters


# --------------------------------------------------------------------------------------------------------------- merge


def merge_command(arguments: argparse.Namespace) -> int:
    """Put what other stores, or archives, hold into one."""
    with Store(arguments.store) as target:
        total = taken_from_all(target, arguments.sources)
    for line in total.conflicts:
        print(plain(f"conflict: {line}", MAX_LINE))
    told = f"{total.new} new, {total.better} in place of failures or fewer readouts, {total.same} that were there"
    note(f"{told}, {len(total.conflicts)} conflicts, of which the trial stays that was there")
    return 1 if total.conflicts else 0


# --------------------------------------------------------------------------------------------------------------- prune


def prune_command(arguments: argparse.Namespace) -> int:
    """Delete trials of earlier versions."""
    path: Path = arguments.store
    require_store(arguments)
    current = current_fingerprints()
    with Store(path, read_only=True) as store:
        stale: dict[tuple[str, str], int] = {}
        kept = 0
        for (system, version, _), (number, _) in store.counts().items():
            if version in current:
                continue
            if is_unknown(system, version) and not arguments.unknown:
                kept += number
            else:
                stale[system, version] = stale.get((system, version), 0) + number
    if kept:
        words = f"{kept} trials of simulators that are not known here are kept; --unknown deletes them as well"
        note(f"theoremeter: {words}")
    for (system, version), number in stale.items():
        print(plain(f"{system} {version}: {number} trials"))
    total = sum(stale.values())
    if arguments.dry_run or not stale:
        note(f"{total} trials {'would be' if arguments.dry_run else 'were'} deleted")
        return 0
    if not (arguments.yes or agreed(f"delete these {total} trials from {path}?", "prune", "nothing deleted")):
        note("nothing deleted")
        return 0
    before = path.stat().st_size
    with Store(path) as store:
        store.remove(version for _, version in stale)
    note(f"{total} trials deleted, {before - path.stat().st_size} bytes freed")
    return 0
