"""Lines of a table as `theoremeter table --format json` writes them, read back: a file may come from anybody.

What is read is checked key by key and becomes frozen lines; what is no such table is refused in a sentence that names
the place. The same lines come from the records of a table at hand, so that a comparison knows one form only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.report.escape import plain
from checks.statistics.verdict import Interval, Verdict

MAX_BYTES = 2**26
_MAX_TEXT = 2000
_OLD_KEY, _OLD_CONFIDENCE = "ci95", 0.95
"""How tables named the interval, and its level, while there was no other."""


@dataclass(frozen=True)
class TableLine:
    """One line of a table, as far as another table can be compared with it.

    Attributes:
        id, part, axis: what names the line; no two lines of a table have all three alike.
        verdict, headline: of the line, and of its claim.
        delta, exponent: residual slope, and the slope that was measured; None where there is none.
        interval: of delta where there is one, else of a rate or of measured over claimed.
        confidence: of the interval; None where it has none, or the table does not say.
        preset: how much was measured.
    """

    id: str
    part: str
    axis: str
    verdict: Verdict
    headline: Verdict
    delta: float | None = None
    exponent: float | None = None
    interval: Interval | None = None
    n_trials: int = 0
    preset: str = ""
    confidence: float | None = None

    @property
    def name(self) -> tuple[str, str, str]:
        """What tells it from the other lines."""
        return self.id, self.part, self.axis


def read(path: Path) -> list[TableLine]:
    """The lines of a table in a file.

    Raises:
        ValueError: the file is no table of `theoremeter table --format json`; says where.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path}: a table must have at most {MAX_BYTES} bytes")
    try:
        records = json.loads(content.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: a table must be JSON: {str(error)[:200] or 'nested too deeply'}") from None
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ValueError(f"{path}: a table must be a list of objects, as `theoremeter table --format json` writes it")
    return lines_of(records, str(path))


def lines_of(records: Iterable[Mapping[str, Any]], origin: str) -> list[TableLine]:
    """Records of a table as lines.

    Args:
        origin: what a message names as their source.

    Raises:
        ValueError: as `read` does.
    """
    found: dict[tuple[str, str, str], TableLine] = {}
    for number, record in enumerate(records):
        try:
            line = _line(record)
        except (KeyError, ValueError, TypeError, OverflowError) as error:
            told = f"must have the key {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"{origin}, line {number} of the table: {told[:300]}") from None
        if line.name in found:
            raise ValueError(f"{origin}: a table must have a line once, got {line.id}, {line.part!r}, twice")
        found[line.name] = line
    return list(found.values())


def _line(record: Mapping[str, Any]) -> TableLine:
    key = _OLD_KEY if _OLD_KEY in record else "confidence_interval"
    ends = record[key]
    interval = None
    if ends is not None:
        if not isinstance(ends, list) or len(ends) != 2:
            raise ValueError(f"{key} must be two ends or null, got {ends!r:.80}")
        low, high = (_number(end, key) for end in ends)
        interval = Interval(-math.inf if low is None else low, math.inf if high is None else high)
    count = record["n_trials"]
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise ValueError(f"n_trials must be a whole number >= 0, got {count!r:.80}")
    return TableLine(
        _text(record["id"], "id"),
        _text(record["part"], "part"),
        "" if record["axis"] is None else _text(record["axis"], "axis"),
        Verdict(record["verdict"]),
        Verdict(record["claim_verdict"]),
        _number(record["delta"], "delta"),
        _number(record["measured_exponent"], "measured_exponent"),
        interval,
        count,
        _text(record["preset"], "preset"),
        _OLD_CONFIDENCE if key == _OLD_KEY else _number(record.get("confidence"), "confidence"),
    )


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise ValueError(f"{name} must be a text of at most {_MAX_TEXT} characters, got {value!r:.80}")
    return plain(value)


def _number(value: object, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number or null, got {value!r:.80}")
    return float(value)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")
