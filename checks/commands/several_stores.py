"""Several stores, as the shards of a sweep are, read as one for as long as a command takes.

Where two of them hold other results for one trial there is no telling which is right, and nothing is judged. Files of
Parquet, or a folder of them, are read so as well; a table counts the trials of very large parts and lays out no row.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checks.commands.options import BadInput
from checks.commands.taking import taken_from_all
from checks.statistics.explanation import counted
from sim.store.shard_paths import are_shards
from sim.store.shards import shards_at
from sim.store.store import Merged, Store


@contextmanager
def joined(arguments: argparse.Namespace) -> Iterator[None]:
    """Let a command read the stores that it was given as if they were its store.

    Raises:
        BadInput: a store is not there, or two differ in a trial.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "joined.sqlite"
        with Store(path) as target:
            if getattr(arguments, "counts_shards", False) and all(map(are_shards, arguments.stores)):
                arguments.shards = [shard for source in arguments.stores for shard in shards_at(source)]
            else:
                for source in arguments.stores:
                    require_agreement(taken_from_all(target, [source]), source)
        arguments.store = path
        yield


def require_agreement(taken: Merged, source: Path) -> None:
    """Refuse trials that differ from those that were read before them.

    Raises:
        BadInput: there are some.
    """
    if taken.conflicts:
        told = f"{counted(len(taken.conflicts), 'trials')} of {source} with other results than before it"
        raise BadInput(f"stores read as one must agree, got {told}; store merge names each and keeps the first")
