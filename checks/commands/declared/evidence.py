"""`theoremeter run`, `table` and `plot`: what is typed."""

from __future__ import annotations

import argparse
from typing import Any

from checks.commands.options import (
    add_command,
    add_evidence,
    add_looks,
    add_placement,
    add_selection,
    add_workers,
    positive_number,
    typed_path,
)
from checks.report import FORMATS

MOST_SHARDS = 100_000


def add_commands(commands: Any) -> None:
    """Declare `run`, `table` and `plot`."""
    command = add_command(commands, "run", "evidence:run_command", "measure and prove what the store lacks")
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    add_looks(command)
    add_workers(command)
    _add_execution(command)
    command.add_argument(
        "--headlines",
        action="store_true",
        help="only what decides headlines: no exploratory questions, and no other reading or repair of a claim whose "
        "statement cannot be measured here",
    )
    command.add_argument(
        "--readouts", action="store_true", help="fill every readout, also those that figures draw and no row asks for"
    )
    command.add_argument(
        "--retry-unknown",
        action="store_true",
        help="with --budget: ask again, with so many seconds, for what a proof search left unknown with fewer",
    )
    command.add_argument(
        "--shard",
        type=_shard,
        default=None,
        metavar="K/N",
        help="of the trials in N parts run the K-th, on a machine and in a store of its own; store merge joins them",
    )
    words = (
        "measure N parts, each by one worker (of dask, where --executor says so), into the folder --store as Parquet"
    )
    command.add_argument("--shards", type=_shards, default=None, metavar="N", help=words)
    words = "before measuring, take into the store the trials that come with each paper, those of today's simulators"
    command.add_argument("--from-published", action="store_true", help=words)
    command.add_argument("--per-worker", action="store_true", help="progress of each worker as well")
    command.add_argument(
        "--yes", action="store_true", help="measure without asking what takes more than half a day of a GPU"
    )
    _add_table(commands)
    command = add_command(
        commands,
        "plot",
        "evidence:plot_command",
        "one picture a row of the table, as SVG and PNG; needs the extra report",
    )
    add_selection(command)
    add_evidence(command, published=True)
    add_placement(command)
    add_looks(command)
    command.add_argument("--out", type=typed_path, required=True, help="folder to write to")


def _add_table(commands: Any) -> None:
    """Declare `table`."""
    command = add_command(
        commands, "table", "table:table_command", "the bound-vs-measurement table, from stored trials"
    )
    add_selection(command)
    add_evidence(command, published=True)
    add_placement(command)
    add_looks(command)
    words = f"{', '.join(FORMATS)} (default terminal)"
    command.add_argument("--format", choices=FORMATS, metavar="FORMAT", default="terminal", help=words)
    command.add_argument("--parts", action="store_true", help="every line of every claim, with its role")
    command.add_argument("--points", action="store_true", help="bound against measurement, point by point")
    command.add_argument("--reasons", action="store_true", help="in a terminal: why, below each line")
    command.set_defaults(counts_shards=True)
    command.add_argument("--fresh", action="store_true", help="judge again, whatever is kept; exit 1 if that differs")


def _shards(text: str) -> int:
    """argparse type of how many parts."""
    if not (text.isdecimal() and text.isascii() and 1 <= int(text[:9]) <= MOST_SHARDS and len(text) < 9):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_SHARDS}, got {text[:40]!r}")
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    """argparse type of a part of several."""
    part, slash, parts = text.partition("/")
    if not (slash and part.isdecimal() and parts.isdecimal() and text.isascii() and len(text) < 12):
        raise argparse.ArgumentTypeError(f"must be K/N such as 1/4, got {text[:40]!r}")
    if not 1 <= int(part) <= int(parts):
        raise argparse.ArgumentTypeError(f"must be K/N with 1 <= K <= N, got {text!r}")
    return int(part), int(parts)


def _add_execution(command: Any) -> None:
    """Where trials run, and how long."""
    command.add_argument(
        "--executor",
        default=None,
        help="where trials run: process (default), serial, threads (default with a GPU), dask (a cluster on this "
        "machine), dask://host:port, or dask+tls://host:port with certificates from dask's configuration",
    )
    command.add_argument("--retry-failed", action="store_true", help="run again what is stored as failed")
    command.add_argument(
        "--retry-timeouts", action="store_true", help="run again what is stored as timed out or out of memory, alone"
    )
    command.add_argument(
        "--trial-memory",
        type=positive_number,
        default=None,
        metavar="GIB",
        help="the most GiB that the worker process of a trial may hold, libraries included (default: 2, or four times "
        "what its simulator states; no limit of its own where that states nothing); it then ends as out of memory",
    )
    command.add_argument(
        "--trial-seconds",
        type=positive_number,
        default=None,
        metavar="SECONDS",
        help="the most seconds by the clock that a trial may take in a worker process (default: what its simulator "
        "says, else an hour, or 200 times what is expected); it then ends as timed out",
    )
