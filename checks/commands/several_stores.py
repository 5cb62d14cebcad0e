"""Several stores, as the shards of a sweep are, read as one for as long as a command takes.

Where two of them hold other results for one trial there is no telling which is right, and nothing is judged.
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
from sim.store.store import Store


@contextmanager
def joined(arguments: argparse.Namespace) -> Iterator[None]:
    """Let a command read the stores that it was given as if they were its store.

    Raises:
        BadInput: a store is not there, or two differ in a trial.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "joined.sqlite"
        with Store(path) as target:
            for source in arguments.stores:
                if conflicts := taken_from_all(target, [source]).conflicts:
                    told = f"{counted(len(conflicts), 'trials')} of {source} with other results than before it"
                    raise BadInput(
                        f"stores read as one must agree, got {told}; store merge names each and keeps the first"
                    )
        arguments.store = path
        yield
