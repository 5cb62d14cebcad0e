"""What one waits for day by day: a table, the tests, a run. CPU seconds and wall time of whole commands.

    python benchmarks/daily_loop.py [--rounds 3] [--store FILE] [--only table test ...]

Each command runs in a process of its own, rounds taking turns, with everything that it starts counted. Printed are
medians with the least and the most of the rounds, as rows of docs/engine.md. `run` measures the quick preset into
a new store, which is what `make table` waits for; `table` reads one that is there. The machine should do nothing else,
so its load is printed first. `check`, `test` and `exhaustive` are those of make.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = (sys.executable, "-m", "theoremeter")


@dataclass(frozen=True)
class Command:
    """A command, and what of the environment it is given."""

    words: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Took:
    """What one command took, in seconds."""

    cpu: float
    wall: float


def commands(store: Path, fresh: Path) -> dict[str, Command]:
    """What is measured, by name, in order.

    Args:
        store: with the trials of the quick preset.
        fresh: a store that is not there yet.
    """
    table = (*PROGRAM, "table", "--store", str(store))
    return {
        "help": Command((*PROGRAM, "--help")),
        "list": Command((*PROGRAM, "list")),
        "table, nothing kept": Command(table, (("THEOREMETER_CACHE", "off"),)),
        "table, judged again": Command((*table, "--fresh")),
        "table, second call": Command(table),
        "run, nothing to do": Command((*PROGRAM, "run", "--store", str(store))),
        "run": Command((*PROGRAM, "run", "--headlines", "--store", str(fresh))),
        "check": Command(("make", "check")),
        "test": Command(("make", "test")),
        "exhaustive": Command(("make", "exhaustive")),
        "ci": Command((".ci/run",)),
    }


def measured(command: Command) -> Took:
    """Run a command to its end; what it says is dropped.

    Raises:
        SystemExit: the command failed, with the end of what it said.
    """
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, **dict(command.environment)}
    done = subprocess.run(command.words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{' '.join(command.words)} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    return Took(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def row(name: str, taken: list[Took]) -> str:
    """A line of the table: medians, with the least and the most."""
    columns = [each.cpu for each in taken], [each.wall for each in taken]
    cells = [f"{statistics.median(each):.3g} ({min(each):.3g} to {max(each):.3g})" for each in columns]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--store", type=Path, default=ROOT / ".theoremeter" / "results.sqlite")
    parser.add_argument("--only", nargs="+", metavar="WORD", default=[], help="measure what begins with one of these")
    options = parser.parse_args()
    taken: dict[str, list[Took]] = {}
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}", file=sys.stderr)
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, command in commands(options.store.resolve(), Path(folder) / "quick.sqlite").items():
                if not options.only or name.startswith(tuple(options.only)):
                    taken.setdefault(name, []).append(measured(command))
                    print(f"round {number + 1}: {name}: {taken[name][-1]}", file=sys.stderr)
    print("| command | CPU seconds | wall seconds |", "|---|---:|---:|", sep="\n")
    print(*(row(name, each) for name, each in taken.items()), sep="\n")


if __name__ == "__main__":
    main()
