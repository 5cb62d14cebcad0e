"""What a law is a product of: letters, sums and differences of two, and logarithms; and the settings they are read at.

A letter is a positive column of the table. A sum or difference of two letters, or of a letter and a number, is a factor
only where the caller names it: "alpha - zeta" means something in a setting where both are of one kind, and a search
over all pairs would find one by chance. Every factor must be positive at every setting, since its logarithm is taken.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.statistics.arguments import rows_of
from checks.statistics.regression import Array, points_from_samples

MAX_FACTORS = 16
"""Letters, sums and differences that one search takes: its shapes grow with the fifth power of their number."""
MIN_SETTINGS = 16
"""Half of them judge the law, and fewer than eight allow no permutation test at the level asked for."""
MAX_LETTERS_OF_NAME = 60
"""Characters of a letter's name."""
LOG_FROM = 1.5
"""A logarithm is offered of a factor that is at least this everywhere, or of its inverse: nearer to 1 one setting
would carry the whole factor."""
LOG_POWERS = (1.0, 0.5, -0.5, -1.0)
"""Powers of the one logarithm: with a free power, log(n)^p can hardly be told from a power of n."""
SAME_SETTING = 1e-9
"""Difference of the logarithms of a letter that is rounding, such as that of 0.3 and 0.1 + 0.2."""
LARGEST = 1e150
"""Of a number whose logarithm is taken, and its inverse the least."""


@dataclass(frozen=True)
class Factor:
    """A letter, or a signed sum of two parts of which one is a letter and the other a letter or a number.

    >>> Factor(((1, "alpha"), (-1, "zeta"))).text
    'alpha - zeta'
    """

    parts: tuple[tuple[int, str | float], ...]

    @property
    def cost(self) -> int:
        """How much it adds to the complexity of a law: the number of its parts."""
        return len(self.parts)

    @property
    def text(self) -> str:
        """As it is printed, without brackets."""
        (_, first), *rest = self.parts
        return _shown(first) + "".join(f" {'-' if sign < 0 else '+'} {_shown(part)}" for sign, part in rest)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters in it."""
        return tuple(part for _, part in self.parts if isinstance(part, str))

    def at(self, letters: Mapping[str, Any]) -> Array:
        """Its value at settings."""
        total: Any = 0.0
        for sign, part in self.parts:
            total = total + sign * (np.asarray(letters[part], dtype=float) if isinstance(part, str) else part)
        return total


@dataclass(frozen=True)
class Logarithm:
    """log(factor)^power; `is_inverse`: log(1 / factor)^power."""

    factor: Factor
    power: float
    is_inverse: bool

    @property
    def text(self) -> str:
        """As it is printed, without the power."""
        inside = self.factor.text if not self.is_inverse else f"1/{_bracketed(self.factor)}"
        return f"log({inside})"

    @property
    def power_text(self) -> str:
        """The power as it is printed: "1", "-1/2"."""
        return str(Fraction(self.power).limit_denominator(4))

    @property
    def raised_text(self) -> str:
        """As it is printed, to its power: "log(m)^(1/2)"."""
        return raised(self.text, self.power_text)

    def log_at(self, letters: Mapping[str, Any]) -> Array:
        """The logarithm of its value at settings."""
        inside = np.log(self.factor.at(letters))
        return self.power * np.log(-inside if self.is_inverse else inside)


def raised(base: str, power: str) -> str:
    """A base to a power, as text: "m^2", "m^(-1/2)", "m" to the power 1."""
    return base if power == "1" else f"{base}^({power})" if "/" in power else f"{base}^{power}"


def _shown(part: str | float) -> str:
    return part if isinstance(part, str) else f"{part:g}"


def _bracketed(factor: Factor) -> str:
    return factor.text if factor.cost == 1 else f"({factor.text})"


def read_factor(text: str, letters: Sequence[str]) -> Factor:
    """Read "a - b", "a + b", "1 - a" or "a + 2".

    Raises:
        ValueError: where it is none of these, with the text.
    """
    known = set(letters)
    for place, sign in enumerate(text):
        if sign not in "+-":
            continue
        first, second = (_part(side.strip(), known) for side in (text[:place], text[place + 1 :]))
        if first is not None and second is not None and (isinstance(first, str) or isinstance(second, str)):
            if first == second:
                break
            return Factor(((1, first), (-1 if sign == "-" else 1, second)))
    rule = "a combination must be a sum or difference of two letters, or of a letter and a number"
    raise ValueError(f"{rule}, got {text[:MAX_LETTERS_OF_NAME]!r}; letters are {', '.join(letters)}")


def _part(text: str, known: set[str]) -> str | float | None:
    if text in known:
        return text
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return None
    return number if 0 < number < LARGEST else None


@dataclass(frozen=True, eq=False)
class MeasuredSettings:
    """A table of settings, as a search takes it.

    Attributes:
        letters: name -> value at each setting.
        log_samples: logarithms of what was measured, NaN where a row has ended. [settings, most replicates]
        y: mean logarithm at each setting.
        variance, freedom: of `y` by its replicates; freedom 0 where there are none.
        claimed: the claimed law at each setting, up to a constant; None where there is none.
    """

    letters: Mapping[str, Array]
    log_samples: Array
    y: Array
    variance: Array
    freedom: Array
    claimed: Array | None = None

    def __len__(self) -> int:
        return len(self.y)

    def keep(self, rows: NDArray[np.intp]) -> MeasuredSettings:
        """Some of the settings, by their places."""
        letters = {name: values[rows] for name, values in self.letters.items()}
        arrays = (self.log_samples[rows], self.y[rows], self.variance[rows], self.freedom[rows])
        return MeasuredSettings(letters, *arrays, None if self.claimed is None else self.claimed[rows])


def read_settings(letters: Mapping[str, Any], samples: Any, claimed: Any = None) -> MeasuredSettings:
    """The table, checked; rows that agree in every letter become replicates of one setting.

    Args:
        letters: name -> one positive number a row.
        samples: positive [rows, replicates], rows of any lengths, or one number a row.
        claimed: the claimed law at each row, positive, up to a constant.

    Raises:
        ValueError: on whatever breaks a rule, with the value.
    """
    columns = {_name(name): _column(f"letter {name}", values) for name, values in letters.items()}
    if not columns:
        raise ValueError("letters must name a column or more, got none")
    table = _table(samples)
    lengths = {name: len(values) for name, values in columns.items()}
    wrong = next((name for name, length in lengths.items() if length != len(table)), None)
    if wrong is not None:
        raise ValueError(f"letter {wrong} must have one value per row ({len(table)}), got {lengths[wrong]}")
    bound = None if claimed is None else _column("claimed", claimed)
    if bound is not None and len(bound) != len(table):
        raise ValueError(f"claimed must have one value per row ({len(table)}), got {len(bound)}")
    return _grouped(columns, np.log(table), bound)


def _name(name: str) -> str:
    if not (isinstance(name, str) and name.strip() == name and name and name.isprintable()):
        raise ValueError(f"the name of a letter must be printable text without spaces around it, got {name!r:.80}")
    if len(name) > MAX_LETTERS_OF_NAME:
        raise ValueError(f"the name of a letter must have at most {MAX_LETTERS_OF_NAME} characters, got {name[:80]!r}")
    return name


def _column(what: str, values: Any) -> Array:
    """One positive number a row."""
    if np.iscomplexobj(values) or np.ma.is_masked(values):
        raise ValueError(f"{what} must be real numbers, none of them masked")
    try:
        column = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers, got {values!r:.60}") from None
    if column.ndim != 1:
        raise ValueError(f"{what} must be one number a row, got shape {column.shape}")
    _require_positive(what, column)
    return column


def _require_positive(what: str, values: Array) -> None:
    fits = (values <= LARGEST) & (values >= 1 / LARGEST)
    if not fits.all():
        place = int(np.argmin(fits))
        got = float(np.ravel(values)[place])
        rule = f"between {1 / LARGEST:g} and {LARGEST:g}" if 0 < got < math.inf else "finite and > 0"
        raise ValueError(f"{what} must be {rule} (its logarithm is taken), got {got:g} in row {place + 1}")


def _table(samples: Any) -> Array:
    """Samples [rows, replicates] padded with NaN; NaN within a row, or a masked number, is a lost run."""
    if np.ma.isMaskedArray(samples):
        samples = np.ma.filled(np.ma.asarray(samples, dtype=float), np.nan)
    if isinstance(samples, np.ndarray) and np.iscomplexobj(samples):
        raise ValueError("samples must be real numbers")
    table = np.asarray(samples, dtype=float)[:, None] if _is_flat(samples) else rows_of("samples", samples)[0]
    seen = ~np.isnan(table)
    if not seen.any(axis=1).all():
        raise ValueError(f"samples must hold a run in every row, got none in row {int(seen.any(axis=1).argmin()) + 1}")
    _require_positive("samples", np.where(seen, table, 1.0).ravel())
    return table


def _is_flat(samples: Any) -> bool:
    """Whether it is one number a row."""
    try:
        return np.asarray(samples, dtype=float).ndim == 1
    except (TypeError, ValueError):
        return False


def _grouped(columns: Mapping[str, Array], logs: Array, claimed: Array | None) -> MeasuredSettings:
    """Settings that differ beyond rounding, each with all of its runs, in the order in which they were met."""
    places: dict[tuple[float, ...], list[int]] = {}
    near = (np.round(np.log(values) / SAME_SETTING).tolist() for values in columns.values())
    for row, key in enumerate(zip(*near, strict=True)):
        places.setdefault(key, []).append(row)
    runs = [logs[rows][~np.isnan(logs[rows])] for rows in places.values()]
    first = np.array([rows[0] for rows in places.values()], dtype=np.intp)
    if len(first) < MIN_SETTINGS:
        rule = f"settings must be at least {MIN_SETTINGS} that differ in a letter (half of them judge the law)"
        raise ValueError(f"{rule}, got {len(first)}")
    if claimed is not None and any(np.ptp(claimed[rows]) > 1e-7 * claimed[rows[0]] for rows in places.values()):
        raise ValueError("claimed must be one number at one setting, got two")
    most = max(map(len, runs))
    padded = np.full((len(runs), most), np.nan)
    for place, found in enumerate(runs):
        padded[place, : len(found)] = found
    letters = {name: values[first] for name, values in columns.items()}
    points = points_from_samples(np.arange(float(len(runs))), padded)
    bound = None if claimed is None else claimed[first]
    return MeasuredSettings(letters, padded, points.y, points.variance, points.freedom, bound)


def factors_of(letters: Mapping[str, Array], combinations: Sequence[str]) -> tuple[Factor, ...]:
    """The letters that vary and the combinations asked for, each positive at every setting.

    Raises:
        ValueError: on a combination that is none, is not positive, or stands there twice, or on too many of them.
    """
    varying = [name for name, values in letters.items() if _varies(values)]
    found = [Factor(((1, name),)) for name in varying]
    for text in combinations:
        factor = read_factor(text, list(letters))
        values = factor.at(letters)
        if not np.all(values > 0):
            place = int(np.argmin(values > 0))
            where = ", ".join(f"{name} = {letters[name][place]:g}" for name in factor.letters)
            raise ValueError(f"{factor.text} must be > 0 at every setting, got {values[place]:g} at {where}")
        if any(factor.parts == other.parts or _same_sum(factor, other) for other in found):
            raise ValueError(f"combinations must differ, got {factor.text} twice")
        if _varies(values):
            found.append(factor)
    if len(found) > MAX_FACTORS:
        raise ValueError(f"letters and combinations must be at most {MAX_FACTORS} together, got {len(found)}")
    return tuple(found)


def _same_sum(one: Factor, other: Factor) -> bool:
    return all(sign > 0 for sign, _ in (*one.parts, *other.parts)) and set(one.parts) == set(other.parts)


def _varies(values: Array) -> bool:
    """Whether a positive column is more than one value to rounding."""
    return bool(values.max() > values.min() * (1 + 1e-9))


def logarithms_of(factors: Sequence[Factor], letters: Mapping[str, Array]) -> tuple[Logarithm, ...]:
    """Logarithms that the grammar offers: of each factor that stays away from 1, to each of a few powers."""
    found = []
    for factor in factors:
        values = factor.at(letters)
        is_large, is_small = values.min() >= LOG_FROM, values.max() <= 1 / LOG_FROM
        if is_large or is_small:
            found += [Logarithm(factor, power, bool(is_small)) for power in LOG_POWERS]
    return tuple(found)
