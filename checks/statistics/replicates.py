"""Replicates as callers hand them over: one row a point, rows of any lengths, runs that were lost or cut off.

A run that has no number is one of three things, and a mean that takes one for another is biased. Each has a mark of
its own: `inf` is a run that was cut off above `limit` (its value is larger), `0` one below `limit_low` (its value is
smaller than could be seen), NaN one that was lost (its value may have been any). A lost run can as well be left out,
since rows may differ in length. NaN beside a limit is refused: it would be either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.explanation import Clause, Clauses, Topic

Array = NDArray[np.float64]

SURELY = 1e-6
"""Chance at which columns that differ are no coincidence, where a square array may have been transposed."""
FLAT = 1e-4
"""Chance at which rows that do not differ would seem to."""
TRANSPOSED_LINE = 0.98
"""Share of the columns' scatter that follows the axis, from which on a square array counts as transposed."""

MAX_PADDED = 20_000_000
"""Places of an array that rows of any lengths may fill, where they are 1 % of it or less."""

LEAVE_OUT = "leave a lost run out: rows may differ in length"


@dataclass(frozen=True, eq=False)
class Replicates:
    """Positive samples with what became of the other runs.

    Attributes:
        values: NaN where there is no run, inf above the limit, 0 below the lower one. [points, most runs of a point]
        counts: runs that count, those that were cut off among them. [points]
        lost: runs that were lost. [points]
    """

    values: Array
    counts: NDArray[np.intp]
    lost: NDArray[np.intp]

    @property
    def log(self) -> Array:
        """Logarithms; -inf below the lower limit."""
        if not np.any(self.values == 0):
            return np.log(self.values)
        with np.errstate(divide="ignore"):
            return np.log(self.values)

    @property
    def typical(self) -> int:
        """Runs of a point, their mean where points differ."""
        return max(1, round(float(self.counts.sum()) / max(len(self.counts), 1)))

    @property
    def each(self) -> tuple[int, int]:
        """Fewest and most runs of a point."""
        return int(min(self.counts, default=0)), int(max(self.counts, default=0))


def rows_of(name: str, samples: Any, *, n_points: int | None = None) -> tuple[Array, NDArray[np.intp]]:
    """Samples as one array padded with NaN [points, most runs of a point], and the runs of each point.

    Args:
        name: of the argument, for messages.
        samples: an array [points, replicates], or a list of lists, one a point, of any lengths.
        n_points: points there must be; None for any number.

    Raises:
        ValueError: on any other shape, or a point without a run.
    """
    try:
        table = np.asarray(samples, dtype=float)
        ragged = False
    except (TypeError, ValueError):
        table, ragged = _read_rows(name, samples), True
    points = "" if n_points is None else f" with {n_points} points"
    is_empty = table.shape[1:] == (0,) or (n_points is None and not table.size)
    if table.ndim != 2 or is_empty or (n_points is not None and len(table) != n_points):
        hint = "; are rows and columns exchanged?" if table.ndim == 2 and table.shape[1] == n_points else ""
        hint = hint or ("; one run a point is samples[:, None]" if table.shape == (n_points,) else "")
        shape = f"{len(table)} rows" if ragged else f"shape {table.shape}"
        raise ValueError(f"{name} must be [points, replicates]{points}, got {shape}{hint}")
    counts = np.array([len(row) for row in samples]) if ragged else np.full(len(table), table.shape[1])
    if not counts.all():
        raise ValueError(f"{name} must hold a run at every point, got none at index {int(counts.argmin())}")
    return table, counts


def _read_rows(name: str, samples: Any) -> Array:
    """A list of lists that is no array, as one."""
    try:
        rows = [np.asarray(row, dtype=float) for row in samples]
    except (TypeError, ValueError):
        rows = [np.zeros((0, 0))]
    if any(row.ndim != 1 for row in rows):
        raise ValueError(f"{name} must be numbers [points, replicates], got something else")
    return padded(rows)


def padded(rows: Sequence[Array]) -> Array:
    """Rows of any lengths as one array, NaN where a row has ended. [points, most runs of a point]

    Raises:
        ValueError: where that array would be far larger than the rows.
    """
    lengths = [len(row) for row in rows]
    if len(rows) * max(lengths) > max(MAX_PADDED, 100 * sum(lengths)):
        ends = f"{min(lengths)} to {max(lengths)}"
        raise ValueError(f"samples must have rows of lengths not so far apart, got {ends}: average long ones")
    table = np.full((len(rows), max(map(len, rows))), np.nan)
    for place, row in zip(table, rows, strict=True):
        place[: len(row)] = row
    return table


def finite_rows(name: str, samples: Any, *, n_points: int | None = None) -> list[Array]:
    """Samples of each point, finite, rows of any lengths: for rules that know no censoring.

    Raises:
        ValueError: as `rows_of`, or where a run has no number.
    """
    table, counts = rows_of(name, samples, n_points=n_points)
    rows = [row[:count] for row, count in zip(table, counts, strict=True)]
    for index, row in enumerate(rows):
        if not np.all(np.isfinite(row)):
            raise ValueError(
                f"{name} must be finite samples [points, replicates] ({LEAVE_OUT}), "
                f"got {float(row[~np.isfinite(row)][0])} at index {index}"
            )
    return rows


def positive_replicates(
    axis: Array, x: Array, samples: Any, limit: ArrayLike | None, limit_low: ArrayLike | None
) -> tuple[Replicates, Array | None, Array | None]:
    """Positive samples along an axis, and the logarithm of either limit per point; None where no run was cut off there.

    Raises:
        ValueError: on samples that break a rule, with the value.
    """
    table, counts = rows_of("samples", samples, n_points=len(axis))
    plain = bool(table.min(initial=1.0) > 0) and bool(
        table.max(initial=1.0) < np.inf
    )  # both False where there is a NaN
    lost = none = np.zeros(table.shape, dtype=bool)
    above = below = none
    if not plain:
        rest = np.arange(table.shape[1]) >= counts[:, None]
        lost, above, below = np.isnan(table) & ~rest, np.isposinf(table), table == 0
        _require_marks(table, lost, rest, limit, limit_low)
        _require_runs(lost.sum(axis=1), counts)
    elif table.shape[0] == table.shape[1]:
        _refuse_transposed(np.log(table), x)
    log_limit = _log_limit("limit", limit, table, above)
    log_low = _log_limit("limit_low", limit_low, table, below)
    n_lost = lost.sum(axis=1)
    return Replicates(table, counts - n_lost, n_lost), log_limit, log_low


def _require_marks(
    table: Array, lost: NDArray[np.bool_], rest: NDArray[np.bool_], limit: ArrayLike | None, limit_low: ArrayLike | None
) -> None:
    """Raise on a run that is no number > 0 and carries no mark, or one that its limit does not go with."""
    if lost.any() and not (limit is None and limit_low is None):
        index = int(lost.any(axis=1).argmax())
        raise ValueError(
            "samples must be inf where a run was cut off above limit, 0 where below limit_low, and not NaN beside a "
            f"limit ({LEAVE_OUT}), got NaN at index {index}"
        )
    if np.isposinf(table).any() and limit is None:
        raise ValueError("limit must be given where samples hold inf (runs cut off above it), got None")
    number = table > 0 if limit_low is None else table >= 0
    wrong = ~(number | lost | rest)
    if wrong.any():
        zero = "; 0 is a run below limit_low, which was not given" if table[wrong][0] == 0 else ""
        raise ValueError(f"samples must be finite and > 0 (or inf where cut off), got {table[wrong][0]:g}{zero}")


def _require_runs(n_lost: NDArray[np.intp], counts: NDArray[np.intp]) -> None:
    """Raise where every run of a point was lost."""
    if np.any(n_lost == counts):
        raise ValueError(
            f"samples must hold a run at every point, got none at index {int((n_lost == counts).argmax())}"
        )


def _log_limit(name: str, limit: ArrayLike | None, table: Array, beyond: NDArray[np.bool_]) -> Array | None:
    """Logarithm of one limit per point, checked against the samples; None where no run lies beyond it.

    Infinite at points where nothing cuts off.
    """
    if limit is None:
        return None
    limit = np.asarray(limit, dtype=float)
    if limit.ndim > 1 or limit.shape not in ((), table.shape[:1]):
        raise ValueError(f"{name} must be one number or one per point ({len(table)}), got shape {limit.shape}")
    limit = np.broadcast_to(limit, table.shape[:1])
    needed = beyond.any(axis=1)
    if np.any(wrong := needed & ~(np.isfinite(limit) & (limit > 0))):
        raise ValueError(f"{name} must be finite and > 0 where samples are censored, got {limit[wrong][0]:g}")
    seen = ~beyond  # and NaN where a row has ended, which compares with nothing
    side, mark = (">=", 0) if name == "limit_low" else ("<=", "inf")
    outside = seen & ((table < limit[:, None]) if name == "limit_low" else (table > limit[:, None]))
    if outside.any():
        raise ValueError(f"samples must be {side} {name}, or {mark} where cut off there, got {table[outside][0]:g}")
    equal = seen & (table == limit[:, None])
    if equal.any() and not beyond.any():
        # Where some runs carry the mark, the others were told apart from them.
        raise ValueError(
            f"samples must be {mark} where a run was cut off at {name}, got {int(equal.sum())} equal to it "
            f"({table[equal][0]:g}) and none that is {mark}; leave {name} out where none was cut off"
        )
    return np.log(np.where(limit > 0, limit, np.inf)) if needed.any() else None


def _refuse_transposed(logs: Array, x: Array) -> None:
    """Raise where a square array varies along its columns as samples do along the axis, and along its rows not at all.

    Runs of one column may share something (a seed), but not the order of the axis.
    """
    count = len(logs)
    if count < 5 or np.ptp(x) == 0:
        return
    rows, columns = logs.mean(axis=1), logs.mean(axis=0)
    rest = logs - rows[:, None] - columns + logs.mean()
    noise = max(float(np.sum(rest**2)) / (count - 1) ** 2, 1e-24)
    by_row, by_column = (count * float(means.var(ddof=1)) / noise for means in (rows, columns))
    above = float(count - 1), float((count - 1) ** 2)
    if special.fdtrc(*above, by_column) > SURELY or special.fdtrc(*above, by_row) < FLAT:
        return
    if np.corrcoef(columns, x)[0, 1] ** 2 > TRANSPOSED_LINE:
        raise ValueError(
            f"samples must be [points, replicates], got {count} x {count} numbers that follow the axis along each row: "
            "rows and columns are exchanged"
        )


def crowded_end(replicates: Replicates, *, limited: Sequence[bool]) -> Clauses:
    """A clause where many runs share the largest or the smallest value and no limit was given; none elsewhere.

    Args:
        limited: whether a limit above and one below were given.
    """
    values = replicates.values
    seen = np.sort(values[np.isfinite(values)])
    if len(seen) < 3 or seen[0] == seen[-1] or (seen[2] > seen[0] and seen[-3] < seen[-1]):
        return ()
    ends = (("largest", float(seen[-1]), "limit"), ("smallest", float(seen[0]), "limit_low"))
    for (word, end, name), is_limited in zip(ends, limited, strict=True):
        runs = values == end
        places, times = int(runs.any(axis=1).sum()), int(runs.sum())
        if not is_limited and times >= 3 and places >= 2:
            words = f"the {word} value, {end:g}, stands {times} times at {places} points"
            advice = f"give {name} where runs were cut off there"
            return (Clause(Topic.CENSORING, f"{words}: {advice}", {"value": end, "times": times, "points": places}),)
    return ()
