"""Trials in files of Parquet, for as long as a command takes: counted as they are read, or laid out as a store.

A part of very many trials that its rule only counts is counted (`checks.evidence.folded`), whatever the number of
trials; what the other parts ask for goes into a store that lasts as long as the command.

In one sqlite file a part of a million trials and more is gone through by what the file has of it, and by its settings
(`counted_in_store`): one of a hundred million takes what its stored trials take.
"""

from __future__ import annotations

import gc
import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from checks.commands.notes import note
from checks.commands.several_stores import require_agreement
from checks.commands.store import stale_words
from checks.evidence.check import Check, mistakes_collected
from checks.evidence.folded import Count, Setting, is_foldable, is_very_large
from checks.evidence.part import Part
from checks.records.preset import Placement, Preset
from checks.records.published import merge
from checks.report.escape import MAX_LINE, plain
from sim.store.fingerprint import fingerprint
from sim.store.repeats import copies_among
from sim.store.rows import in_use, read_row
from sim.store.shards import Distinct, Shard, rows_of_shard, windows
from sim.store.store import Store, written_setting
from sim.trials.sweep import Specs, settings_in, systems_in
from sim.trials.trial import Parameters, System, Trial, TrialResult, TrialSpec

_NAMED = 3
"""So many groups of equal trials are named."""


def counted_checks(
    checks: Sequence[Check], preset: Preset, placement: Placement, shards: Sequence[Shard], store: Path
) -> list[Check]:
    """The checks, of which parts of very many trials have been counted; a store gets what the others ask for.

    Raises:
        StoreError: a file is damaged, or two hold other results for one trial.
    """
    counts = {
        (check.claim.id, part.name): Count(part, preset)
        for check in checks
        for part in check.parts
        if is_foldable(part, preset, placement)
    }
    with _imports_unsearched():
        _count(list(counts.values()), preset, shards)
    rest = [part for check in checks for part in check.parts if (check.claim.id, part.name) not in counts]
    _fill(store, rest, [count.part for count in counts.values()], preset, placement, shards)
    if words := stale_words({(one.system, one.recipe, str(one.path)): (one.n_rows, 0.0) for one in shards}):
        note(f"theoremeter: {words.partition(';')[0]}")
    return _with(checks, {name: count.folded() for name, count in counts.items()})


def counted_in_store(checks: Sequence[Check], preset: Preset, placement: Placement, path: Path) -> list[Check]:
    """The checks, of which parts of a million trials and more have been counted, where counts say all.

    A part that its rule does not only count stays as it is where all its trials are there: it needs each of them.
    """
    counts = {
        (check.claim.id, part.name): Count(part, preset, placement)
        for check in checks
        for part in check.parts
        if is_very_large(part, preset, placement)
    }
    if not counts:
        return [*checks]
    asking: dict[System, list[Count]] = defaultdict(list)
    for count in counts.values():
        for system in systems_in(count.part.specs(preset)):
            asking[system].append(count)
    copied: list[str] = []
    with _imports_unsearched(), Store(path, read_only=True) as store:
        for system, some in asking.items():
            for text, rows in groupby(store.by_setting(system.name, fingerprint(system)), _text_of):
                copied += _of_setting(store.path, (system.name, text), system, list(rows), some)
    _tell_copied(copied)
    folded = {name: count.folded() for name, count in counts.items() if count.is_enough}
    return _with(checks, folded)


def _text_of(row: tuple) -> str:
    return written_setting(json.loads(row[3]))


def _of_setting(
    path: Path, setting: Setting, system: System, rows: Sequence[tuple], counts: Sequence[Count]
) -> Iterator[str]:
    """Give rows of a store, of one setting, to those who ask for it; yields what of them was copied."""
    alike: dict[tuple[object, ...], list[tuple]] = {}
    for row in rows:
        alike.setdefault((row[5], row[6], row[9]), []).append(row)
        for count in counts:
            if row[4] < count.asked.get(setting, 0):
                count.keys.append(row[0])
    distinct = []
    for same in alike.values():
        record = read_row(path, same[0])
        result = in_use(record, system)
        spent = sum(row[7] for row in same)
        replicates = [row[4] for row in same]
        distinct.append(Distinct(setting[1], replicates, spent, result.outcome, result.observables, same[0][9]))
    yield from _counted(setting, system, distinct, counts)


def _tell_copied(copied: Sequence[str]) -> None:
    for words in copied[:_NAMED]:
        note(plain(f"theoremeter: copied? {words}", MAX_LINE))
    if copied[_NAMED:]:
        note(f"theoremeter: copied? {len(copied) - _NAMED} more groups of equal trials")


def _with(checks: Sequence[Check], folded: Mapping[tuple[str, str], Part]) -> list[Check]:
    """The checks with parts that have been counted in place of those that they stand for."""
    with mistakes_collected():  # what is broken stays so, and is said when the check is used
        return [
            replace(check, parts=tuple(folded.get((check.claim.id, part.name), part) for part in check.parts))
            for check in checks
        ]


@contextmanager
def _imports_unsearched() -> Iterator[None]:
    """Search for circles of garbage in what is made within a block alone.

    A million trials have Python go through all that was imported some fifty times, half of what a table takes.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _count(counts: Sequence[Count], preset: Preset, shards: Sequence[Shard]) -> None:
    """Read what counts ask for, each file once."""
    asking: dict[System, list[Count]] = defaultdict(list)
    for count in counts:
        for system in systems_in(count.part.specs(preset)):
            asking[system].append(count)
    copied: list[str] = []
    for system, some in asking.items():
        recipe = fingerprint(system)
        own = [shard for shard in shards if (shard.system, shard.recipe) == (system.name, recipe)]
        for window in windows(own):
            for text, rows in groupby(window, lambda row: row.setting):
                copied += _counted((system.name, text), system, list(rows), some)
    _tell_copied(copied)


def _counted(setting: Setting, system: System, rows: Sequence[Distinct], counts: Sequence[Count]) -> Iterator[str]:
    """Give rows of one setting to those who ask for it; yields what of them was copied."""
    wanted = [(count, count.asked[setting]) for count in counts if setting in count.asked]
    if not wanted:
        return
    parameters, place = json.loads(setting[1]), f"{system.name} {setting[1]}, replicate "
    seen = []
    for row, trial in zip(rows, _trials(system, parameters, place, rows), strict=True):
        replicates = row.replicates
        n_equal = len(replicates)
        seen.append((trial, n_equal))
        for count, asked in wanted:
            number = n_equal if replicates[-1] < asked else bisect_left(replicates, asked)
            if number:
                count.add(setting, trial, number, row.seconds * number / n_equal)
    if len(seen) < sum(n_equal for _, n_equal in seen):
        yield from copies_among(seen)


def _trials(system: System, parameters: Parameters, place: str, rows: Sequence[Distinct]) -> Iterator[Trial]:
    """The first trial of each row."""
    for row in rows:
        first = row.replicates[0]
        result = TrialResult(row.outcome, row.observables)
        yield Trial(TrialSpec(system, parameters, first), result, row.seconds, origin=f"{place}{first}")


def _fill(
    store: Path,
    parts: Sequence[Part],
    counted: Sequence[Part],
    preset: Preset,
    placement: Placement,
    shards: Sequence[Shard],
) -> None:
    """Put what parts may ask for into a store: of a part in rounds all of its simulators, of those counted controls."""
    wanted: dict[tuple[str, str], set[str]] = defaultdict(set)
    every: set[tuple[str, str]] = set()
    for part, of_part in [*((part, part.specs(preset)) for part in parts), *((part, []) for part in counted)]:
        specs = Specs([of_part, part.control_specs(preset)])
        for spec in settings_in(specs):
            wanted[spec.system.name, fingerprint(spec.system)].add(written_setting(spec.parameters))
        if of_part and not part.one_round(placement):
            every.update((system.name, fingerprint(system)) for system in systems_in(specs))
    asked = {recipe: None if recipe in every else frozenset(wanted[recipe]) for recipe in every | set(wanted)}
    with Store(store) as target:
        for shard in shards:
            if (recipe := (shard.system, shard.recipe)) in asked:
                require_agreement(merge(target, rows_of_shard(shard, asked[recipe])), shard.path)
