"""Trials of archives and of other stores, put into a store that is written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from checks.commands.options import BadInput
from checks.records.published import merge, rows_of
from checks.report.archive_words import MEMBERS
from sim.store.sealed_file import begins_as_archive, read_sealed
from sim.store.shard_paths import are_shards
from sim.store.shards import rows_of_shard, shards_at
from sim.store.store import Merged, Store


def taken_from(store: Store, path: Path, fingerprints: Iterable[str] | None = None) -> Merged:
    """Put the trials of an archive into a store, under the keys that they were measured under.

    Args:
        fingerprints: of the simulators whose trials are wanted; None for all.
    """
    wanted = None if fingerprints is None else frozenset(fingerprints)
    with read_sealed(path, MEMBERS) as archive:
        return merge(store, (row for row in rows_of(archive) if wanted is None or row[2] in wanted))


def taken_from_all(target: Store, paths: Iterable[Path]) -> Merged:
    """Put the trials of stores, archives and files of Parquet into a store, one file after the other.

    Raises:
        BadInput: one of the files is not there; then nothing is taken.
    """
    paths = list(paths)
    if missing := [path for path in paths if not path.exists()]:
        raise BadInput(f"store must exist to be read, got {missing[0]}")
    total = Merged()
    for path in paths:
        if are_shards(path):
            for shard in shards_at(path):
                total += merge(target, rows_of_shard(shard))
            continue
        if begins_as_archive(path):
            total += taken_from(target, path)
            continue
        with Store(path, read_only=True) as source:
            total += merge(target, source.plain_rows(source.every_key()))
    return total
