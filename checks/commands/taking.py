"""Trials of an archive, put into a store that is written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from checks.records.published import merge, rows_of
from checks.report.archive_words import MEMBERS
from sim.store.sealed_file import read_sealed
from sim.store.store import Merged, Store


def taken_from(store: Store, path: Path, fingerprints: Iterable[str] | None = None) -> Merged:
    """Put the trials of an archive into a store, under the keys that they were measured under.

    Args:
        fingerprints: of the simulators whose trials are wanted; None for all.
    """
    wanted = None if fingerprints is None else frozenset(fingerprints)
    with read_sealed(path, MEMBERS) as archive:
        return merge(store, (row for row in rows_of(archive) if wanted is None or row[2] in wanted))
