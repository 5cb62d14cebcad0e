"""Repeat the experiments of every cell and count how they end.

A cell's trials are cut into blocks, each with a seed of its own derived from the cell's name and the block's number.
Which process runs a block, and when, therefore changes nothing, and neither does leaving other cells out.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from checks.calibration.cells import Cell, CellOutcome
from checks.calibration.grid import all_cells
from checks.statistics.policy import DEFAULT_POLICY, ErrorPolicy
from checks.statistics.verdict import Verdict
from sim.running.executors import find
from sim.running.run import Progress

BLOCK = 250
"""Trials that share a generator: long enough to be worth sending to a process."""


@dataclass(frozen=True)
class Rates:
    """What became of a cell's trials.

    Attributes:
        cell: the truth.
        n_trials: experiments judged.
        verdicts: how many ended in which verdict.
        n_intervals: experiments that gave an interval.
        n_covered: of these, how many held the target.
        width: median width of the interval relative to the oracle's.
        used: replicates that several looks took, over those of five looks at a fifth of the error each; 0 for one look.
    """

    cell: Cell
    n_trials: int
    verdicts: dict[Verdict, int]
    n_intervals: int
    n_covered: int
    width: float
    used: float = 0.0

    @property
    def coverage(self) -> float:
        """Share of the given intervals that hold the target."""
        return self.n_covered / self.n_intervals if self.n_intervals else float("nan")

    def rate(self, verdict: Verdict) -> float:
        """Share of trials that ended in `verdict`."""
        return self.verdicts.get(verdict, 0) / self.n_trials


def select_cells(pattern: str = "*") -> tuple[Cell, ...]:
    """The cells whose name matches a shell pattern, e.g. "censored/*".

    Raises:
        ValueError: where none does.
    """
    chosen = tuple(cell for cell in all_cells() if fnmatch.fnmatchcase(cell.name, pattern))
    if not chosen:
        families = ", ".join(sorted({cell.name.split("/")[0] for cell in all_cells()}))
        raise ValueError(f"cells must match a cell's name, got {pattern!r}; families are {families}")
    return chosen


def trials_of(cell: Cell, trials: int) -> int:
    """Trials of a cell: success curves, slower by far, get a share of those asked for, but no fewer than is useful."""
    return max(min(trials, cell.fewest), round(trials * cell.share))


def calibrate(
    cells: Sequence[Cell],
    *,
    trials: int,
    policy: ErrorPolicy = DEFAULT_POLICY,
    workers: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> list[Rates]:
    """Judge `trials` synthetic experiments a cell; the answer does not depend on `workers`.

    Args:
        policy: under which all are judged.
        workers: processes; 0 runs in this one; default all cores.
    """
    start = time.perf_counter()
    cells = [replace(cell, policy=policy) for cell in cells]
    blocks = [
        (cell, block, min(BLOCK, trials_of(cell, trials) - block * BLOCK))
        for cell in cells
        for block in range(-(-trials_of(cell, trials) // BLOCK))
    ]
    total = sum(size for _, _, size in blocks)
    outcomes: dict[str, list[CellOutcome]] = {cell.name: [] for cell in cells}
    done = 0
    for (cell, _, size), result in zip(blocks, _finished(blocks, workers), strict=True):
        outcomes[cell.name] += result
        done += size
        report(Progress(done, total, 0, time.perf_counter() - start, cell.name))
    return [summarise(cell, outcomes[cell.name]) for cell in cells]


def summarise(cell: Cell, outcomes: Iterable[CellOutcome]) -> Rates:
    """Count the outcomes of one cell."""
    outcomes = list(outcomes)
    given = [outcome for outcome in outcomes if outcome.covered is not None]
    at_a_fifth = sum(outcome.at_a_fifth for outcome in outcomes)
    return Rates(
        cell,
        len(outcomes),
        dict(Counter(outcome.verdict for outcome in outcomes if outcome.verdict is not None)),
        len(given),
        sum(bool(outcome.covered) for outcome in given),
        float(np.median([outcome.width for outcome in given])) if given else float("nan"),
        sum(outcome.used for outcome in outcomes) / at_a_fifth if at_a_fifth else 0.0,
    )


def run_block(cell: Cell, block: int, size: int) -> list[CellOutcome]:
    """The trials of one block, under its own seed."""
    digest = hashlib.sha256(f"{cell.name}#{block}".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(digest[:16], "big"))
    return [cell.trial(rng) for _ in range(size)]


def _finished(blocks: Sequence[tuple[Cell, int, int]], workers: int | None) -> Iterator[list[CellOutcome]]:
    """Results in the order of the blocks."""
    processes = min((os.cpu_count() or 1) if workers is None else workers, len(blocks))
    if processes < 2:
        yield from (run_block(*block) for block in blocks)
        return
    with find("process", workers=processes).open() as pool:
        yield from pool.map(run_block, *zip(*blocks, strict=True))
