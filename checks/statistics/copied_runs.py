"""Runs recorded more than once: copies count once, and the same runs under several axis values decide nothing.

A row that was pasted three times, or a simulator that ignores its seed, brings no new noise, and an interval from so
many runs is too narrow. Numbers of a continuous quantity do not agree by chance. Counts and shares do, so single ties
say nothing; what is looked for is a pattern that ties do not make:

- every value of every row stands there the same number of times, at least twice, and no value stands in two rows:
  replicates are copies of each other;
- two columns agree at every point, while other columns agree nowhere: one is a copy of the other;
- rows of one axis value agree, wherever an axis value occurs more than once: points were pasted;
- rows of different axis values hold the same runs in the same order: they belong to one of them at most.

For the last two, how often any two runs agree says how likely the pattern is by chance; `SURELY` is the limit.

Copies are left out and the judgement rests on what is left. Runs that stand under several axis values withdraw it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from checks.statistics.explanation import Clause, Topic
from checks.statistics.points import Array
from checks.statistics.replicates import Replicates, padded
from checks.statistics.verdict import Judgement, Verdict

MIN_DISTINCT = 3
"""Different values that there must be at least, for agreement to say anything."""

SURELY = 1e-3
"""Chance at which rows that agree do so by no coincidence."""


@dataclass(frozen=True, eq=False)
class DistinctRuns:
    """Runs without copies.

    Attributes:
        replicates: what is left, of the points that are left.
        kept: which points are left. [points]
        words: what was left out, for the reason; "" where nothing was.
        doubt: why what is left decides nothing; "" where it may.
    """

    replicates: Replicates
    kept: NDArray[np.bool_]
    words: str = ""
    doubt: str = ""

    def told(self, judgement: Judgement) -> Judgement:
        """A judgement of these runs, with what was left out, withdrawn where they decide nothing."""
        if self.words:
            judgement = judgement.adding(left_out=(Clause(Topic.LEFT_OUT, self.words),))
        if not self.doubt or judgement.verdict is Verdict.INCONCLUSIVE:
            return judgement
        return judgement.withdrawn(Verdict.INCONCLUSIVE, Clause(Topic.SHARED_RUNS, self.doubt))


def distinct_runs(x: Array, replicates: Replicates) -> DistinctRuns:
    """The runs without copies of each other.

    Args:
        x: axis values, in any unit. [points]
        replicates: runs as they were handed over.
    """
    rows = [row[: int(n)] for row, n in zip(_leading(replicates.values), replicates.counts, strict=True)]
    kept = _without_pasted_points(x, rows)
    told = [f"{(~kept).sum()} points are copies of others and left out"] if not kept.all() else []
    replicates = _at(replicates, kept)
    x, rows = x[kept], [row for row, keep in zip(rows, kept, strict=True) if keep]
    if (multiple := _copies_each(rows)) > 1:
        values = padded([np.unique(row) for row in rows])
        replicates = Replicates(values, replicates.counts // multiple, replicates.lost)
        runs = f"{multiple} replicates are identical at every point, under whatever seeds"
        told.append(f"{runs}: they count as one")
    elif (columns := _first_of_equal(replicates)).sum() < len(columns):
        told.append(f"{(~columns).sum()} replicates are copies of others at every point and left out")
        counts = replicates.counts - int((~columns).sum())
        replicates = Replicates(replicates.values[:, columns], counts, replicates.lost)
    shared = _shared_among_points(x, rows)
    doubt = f"the same runs are recorded under {shared} axis values; runs of their own would decide" if shared else ""
    return DistinctRuns(replicates, kept, "; ".join(told), doubt)


def _leading(values: Array) -> Array:
    """Rows with what is NaN at their end."""
    if not np.isnan(values).any():
        return values
    return np.take_along_axis(values, np.argsort(np.isnan(values), axis=1, kind="stable"), axis=1)


def _at(replicates: Replicates, kept: NDArray[np.bool_]) -> Replicates:
    """The runs of some points."""
    return Replicates(replicates.values[kept], replicates.counts[kept], replicates.lost[kept])


def _seen(row: Array) -> Array:
    """The runs of a row that were not cut off: all that were stand for the same number."""
    return row[np.isfinite(row) & (row > 0)]


def _without_pasted_points(x: Array, rows: list[Array]) -> NDArray[np.bool_]:
    """The first of each axis value, where every point of a value that occurs again holds the same runs; else all."""
    first: dict[float, int] = {}
    kept = np.ones(len(rows), dtype=bool)
    for index, place in enumerate(x.tolist()):
        if place in first:
            kept[index] = False
            if not np.array_equal(np.sort(rows[index]), np.sort(rows[first[place]])):
                return np.ones(len(rows), dtype=bool)
        first.setdefault(place, index)
    copied = int(sum(len(_seen(rows[index])) for index in np.flatnonzero(~kept)))
    alone = [row for row, keep in zip(rows, kept, strict=True) if keep]
    return kept if copied and _tie_rate(alone) ** copied < SURELY else np.ones(len(rows), dtype=bool)


def _tie_rate(rows: list[Array]) -> float:
    """How often two runs agree, from all pairs of them and one more that does. [Laplace's rule of succession]"""
    _, times = np.unique(np.concatenate([_seen(row) for row in rows]), return_counts=True)
    pairs = times.sum() * (times.sum() - 1) / 2
    return float((times * (times - 1) / 2).sum() + 1) / (pairs + 1)


def _copies_each(rows: list[Array]) -> int:
    """How often each value of each row stands there, where that is one number for all; else 1."""
    found: set[int] = set()
    different: list[float] = []
    for row in rows:
        values, times = np.unique(row, return_counts=True)
        found |= set(times.tolist())
        different += values.tolist()
        if len(found) > 1 or 1 in found or len(_seen(row)) < len(row):
            return 1
    return found.pop() if MIN_DISTINCT <= len(different) == len(set(different)) else 1


def _first_of_equal(replicates: Replicates) -> NDArray[np.bool_]:
    """Columns less those that equal an earlier one at every point, where columns that differ agree at no point."""
    values = replicates.values
    n_points, count = values.shape
    kept = np.ones(count, dtype=bool)
    if not np.all(np.isfinite(values)) or n_points < MIN_DISTINCT:
        return kept
    agree = (values[:, :, None] == values[:, None, :]).sum(axis=0)
    if np.any((agree > 0) & (agree < n_points)):
        return kept
    return ~np.any(np.triu(agree == n_points, 1), axis=0)


def _shared_among_points(x: Array, rows: list[Array]) -> int:
    """At how many axis values the same runs stand in the same order; 0 where chance may have made it so."""
    places: dict[tuple[float, ...], set[float]] = {}
    for place, row in zip(x.tolist(), rows, strict=True):
        places.setdefault(tuple(_seen(row).tolist()), set()).add(place)
    shared = {runs: found for runs, found in places.items() if len(found) > 1 and len(set(runs)) >= MIN_DISTINCT}
    copied = sum(len(runs) * (len(found) - 1) for runs, found in shared.items())
    n_pairs = len(x) * (len(x) - 1) / 2
    if not shared or not n_pairs * _tie_rate([np.array(runs) for runs in places]) ** copied < SURELY:
        return 0
    return sum(len(found) for found in shared.values())
