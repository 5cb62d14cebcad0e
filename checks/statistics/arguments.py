"""What callers hand to the verdict rules, checked: axes, claims and replicates.

*Axes and claims.* Both are put on logarithmic axes that increase toward the limit.

*Replicates.* They come as one row a point; rows may have any lengths, and runs may be lost or cut off. A run that has
no number is one of three things, and a mean that takes one for another is biased. Each has a mark of its own: `inf` is
a run that was cut off above `limit` (its value is larger), `0` one below `limit_low` (its value is smaller than could
be seen), NaN one that was lost (its value may have been any). A lost run can as well be left out, since rows may differ
in length. NaN beside a limit is refused: it would be either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

# ------------------------------------------------------------------------------------------------------ axes and claims


Toward = str | float
"""The limit a claim speaks of: "infinity" or math.inf, "zero" or 0, or a boundary of the axis."""

MIN_RELIABILITY = 0.5
"""Least share of the axis' variance that must be its own and not error; below it no correction can be trusted."""


def limit_of(toward: Toward) -> Toward:
    """The limit by its one name: "infinity", "zero", or a boundary as a number.

    Raises:
        ValueError: on any other word, minus infinity or NaN.
    """
    if toward in ("infinity", "zero"):
        return toward
    try:
        number = math.nan if isinstance(toward, str | bool) else float(toward)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number) or number == -math.inf:
        raise ValueError(f"toward must be 'infinity' (math.inf), 'zero' (0) or a number, got {toward!r}")
    return "infinity" if number == math.inf else number or "zero"


def sign_of(toward: Toward) -> float:
    """The sign of x against log axis, for x to increase toward the limit."""
    return 1.0 if limit_of(toward) == "infinity" else -1.0


def signed_log_axis(axis: ArrayLike, toward: Toward) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The axis as an array and x, its logarithm signed so that x increases toward the limit.

    Raises:
        ValueError: where the axis is not a list of positive numbers, touches the boundary it should approach or lies on
            both sides of it, which are two limits and not one.
    """
    axis = np.asarray(axis, dtype=float)
    if axis.ndim != 1:
        raise ValueError(f"axis must be finite numbers > 0 [points], got shape {axis.shape}")
    if not np.all(np.isfinite(axis) & (axis > 0)):
        raise ValueError(f"axis must be finite numbers > 0 [points], got {first_bad(axis):g}")
    toward = limit_of(toward)
    if toward == "infinity":
        return axis, np.log(axis)
    if toward == "zero":
        return axis, -np.log(axis)
    distance = axis - float(toward)
    if np.any(distance == 0):
        raise ValueError(f"axis must not touch the boundary {float(toward):g} it approaches, got that value")
    if len(axis) and distance.min() < 0 < distance.max():
        ends = f"{axis.min():g} to {axis.max():g}"
        raise ValueError(f"axis must lie on one side of the boundary {float(toward):g} it approaches, got {ends}")
    return axis, -np.log(np.abs(distance))


def claim_on_grid(claimed: Any, axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """The claim at every axis value; a sympy expression is recognised without importing sympy."""
    if hasattr(claimed, "free_symbols"):
        symbols = sorted(claimed.free_symbols, key=str)
        if len(symbols) > 1:
            raise ValueError(f"claimed must be an expression in one symbol, got {claimed} with {symbols}")
        values = [complex(claimed.evalf(subs=dict.fromkeys(symbols, value))) for value in axis]
        if wrong := [(at, value) for at, value in zip(axis, values, strict=True) if value.imag != 0]:
            at, value = wrong[0]
            raise ValueError(f"claimed must be real and > 0 on the grid, got {claimed} = {value:.4g} at {at:g}")
        claimed = [value.real for value in values]
    values = np.asarray(claimed, dtype=float)
    if values.shape != axis.shape:
        raise ValueError(f"claimed must have one value per axis value ({len(axis)}), got shape {values.shape}")
    if not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(f"claimed must be finite and > 0 on the grid, got {first_bad(values):g}")
    return values


def require_sign(sign: int) -> None:
    """Raise unless the sign is 1 or -1."""
    if sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1, got {sign}")


def first_bad(values: NDArray[np.float64]) -> float:
    """The first value that is not finite and > 0, for a message."""
    return float(values[~((values > 0) & np.isfinite(values))][0])


def shown(values: ArrayLike) -> str:
    """Numbers as a message shows them: on one line, however many they are."""
    return np.array2string(np.asarray(values), max_line_width=10_000, threshold=8, edgeitems=3, precision=4)


def require_positive(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """The values as an array, if all are finite and positive. Raises ValueError."""
    values = np.asarray(values, dtype=float)
    if not (values.size and np.all(np.isfinite(values) & (values > 0))):
        raise ValueError(f"{name} must be finite and > 0, got {shown(values)}")
    return values


def calibrated_axis(
    x: NDArray[np.float64], axis_error: ArrayLike | None, log_claimed: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The signed log axis and the log claim at its expected true values, where the axis is itself estimated.

    Errors in the axis flatten a line: values far from the mean are far partly by error. Regression calibration puts
    E[true | estimated] in their place, which shrinks each value toward the mean by its reliability [Carroll, Ruppert,
    Stefanski and Crainiceanu 2006, ch. 4]. What the errors scatter about the line then shows as lack of fit. On few
    points the plain reliability overshoots; with (n - 3) / (n - 1) of the errors' variance the slope is unbiased to
    first order. That the reliability is itself estimated raises the slope's variance by its inverse [Fuller 1987, sec.
    1.2], the third value returned.

    Raises:
        ValueError: where errors are negative, have the wrong length, or are as large as the spread of the axis.
    """
    if axis_error is None:
        return x, log_claimed, 1.0
    error = np.asarray(axis_error, dtype=float)
    if error.shape not in ((), x.shape):
        raise ValueError(f"axis_error must be one number or one per point ({len(x)}), got shape {error.shape}")
    if not np.all(np.isfinite(error) & (error >= 0)):
        wrong = error[~(np.isfinite(error) & (error >= 0))].ravel()[0]
        raise ValueError(f"axis_error must be finite and >= 0, got {wrong:g}")
    variance = np.broadcast_to(error**2, x.shape)
    spread = float(x.var(ddof=1)) if len(x) > 1 else 0.0
    if float(variance.mean()) > (1 - MIN_RELIABILITY) * spread:
        typical = float(variance.mean()) ** 0.5
        raise ValueError(f"axis_error must be small beside the spread {spread**0.5:.3g} of log axis, got {typical:.3g}")
    few = max(len(x) - 3, 0) / (len(x) - 1)
    reliability = 1 - few * variance / spread
    true = x.mean() + reliability * (x - x.mean())
    order = np.argsort(x)
    return true, np.interp(true, x[order], log_claimed[order]), 1 / float(reliability.mean())


# ----------------------------------------------------------------------------------------------------------- replicates


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
