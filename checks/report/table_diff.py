"""What moved between two tables: headlines, verdicts, exponents and intervals, and whether it is more than noise.

A line is compared with the line of the same claim, part and axis. Where both have Delta with its interval, the interval
of the difference says whether it moved beyond noise (`checks.statistics.comparisons`); where both have an interval
alone, of a rate or of measured over claimed, that they do not overlap does. Otherwise nobody can say. Lines of one
table alone are named, never passed over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from checks.report.json_table import TableLine
from checks.report.layout import paragraph
from checks.statistics.comparisons import apart, difference, differs
from checks.statistics.policy import CONFIDENCE, level_words
from checks.statistics.verdict import Interval, Verdict


class Moved(StrEnum):
    """Whether a figure moved, and more than noise would move it."""

    SAME = "same"
    WITHIN = "within noise"
    BEYOND = "beyond noise"
    UNKNOWN = "no interval on both sides"
    """A figure moved, or stands on one side alone, and nothing says how much noise there is."""


@dataclass(frozen=True)
class LineChange:
    """A line of both tables.

    Attributes:
        noise: of its figures.
        difference: interval of after - before of Delta, where it could be formed.
    """

    before: TableLine
    after: TableLine
    noise: Moved
    difference: Interval | None = None

    @property
    def is_news(self) -> bool:
        """Whether its verdict is another one, or its figures moved beyond noise."""
        return self.before.verdict is not self.after.verdict or self.noise is Moved.BEYOND


@dataclass(frozen=True)
class HeadlineChange:
    """A claim whose headline is another one."""

    id: str
    before: Verdict
    after: Verdict


@dataclass(frozen=True)
class TableComparison:
    """What moved from one table to another.

    Attributes:
        headlines: of claims in both, where they differ.
        changes: every line of both, in the order of the second.
        only_before, only_after: lines of one table alone.
    """

    headlines: tuple[HeadlineChange, ...]
    changes: tuple[LineChange, ...]
    only_before: tuple[TableLine, ...]
    only_after: tuple[TableLine, ...]

    @property
    def is_news(self) -> bool:
        """Whether a headline or a verdict is another one, a figure moved beyond noise, or a line is in one alone."""
        return bool(
            self.headlines or self.only_before or self.only_after or any(change.is_news for change in self.changes)
        )


def compare(before: Sequence[TableLine], after: Sequence[TableLine]) -> TableComparison:
    """Compare two tables line by line."""
    old, new = ({line.name: line for line in lines} for lines in (before, after))
    was, now = ({line.id: line.headline for line in lines} for lines in (before, after))
    return TableComparison(
        tuple(HeadlineChange(name, was[name], now[name]) for name in now if name in was and was[name] is not now[name]),
        tuple(_change(old[name], line) for name, line in new.items() if name in old),
        tuple(line for name, line in old.items() if name not in new),
        tuple(line for name, line in new.items() if name not in old),
    )


def _change(before: TableLine, after: TableLine) -> LineChange:
    figures = [(line.delta, line.exponent, line.interval) for line in (before, after)]
    if figures[0] == figures[1]:
        return LineChange(before, after, Moved.SAME)
    if before.interval is None or after.interval is None or (before.delta is None) != (after.delta is None):
        return LineChange(before, after, Moved.UNKNOWN)
    if before.delta is None or after.delta is None:
        beyond = apart(before.interval, after.interval)
        return LineChange(before, after, Moved.BEYOND if beyond else Moved.WITHIN)
    try:
        found = difference(after.delta, after.interval, before.delta, before.interval)
    except ValueError:  # an interval that was profiled apart from its estimate; it still says where Delta may lie
        return LineChange(before, after, Moved.BEYOND if apart(before.interval, after.interval) else Moved.WITHIN)
    beyond = differs(found, max(abs(before.delta), abs(after.delta)))
    return LineChange(before, after, Moved.BEYOND if beyond else Moved.WITHIN, found)


# ---------------------------------------------------------------------------------------------------------------- shown


def render(found: TableComparison, names: tuple[str, str], *, every: bool = False, width: int = 0) -> str:
    """What moved, as text.

    Args:
        names: what the two tables are called.
        every: also lines that moved within noise, or nobody knows how far.
    """
    texts = [f"{headline.id}: headline {headline.after}, was {headline.before}" for headline in found.headlines]
    texts += [_told(change) for change in found.changes if change.is_news or (every and change.noise != Moved.SAME)]
    for name, lines in zip(names, (found.only_before, found.only_after), strict=True):
        texts += [f"in {name} alone: {_named(line)}: {line.verdict}" for line in lines]
    lines = [line for text in texts for line in paragraph(text, width, 4, first="")]
    lines += [""] if lines else []
    return "\n".join([*lines, *(line for text in _summary(found, names) for line in paragraph(text, width))]) + "\n"


def _named(line: TableLine) -> str:
    inside = ", ".join(filter(None, (line.part, line.axis)))
    return f"{line.id} ({inside})" if inside else line.id


def _told(change: LineChange) -> str:
    before, after = change.before, change.after
    verdict = f"{after.verdict}" if before.verdict is after.verdict else f"{after.verdict}, was {before.verdict}"
    if change.noise is Moved.SAME:
        return f"{_named(after)}: {verdict}; figures the same"
    said = [verdict, f"{_figures(after)}, was {_figures(before)}"]
    said += [f"Δ moved by {_signed(change.difference)}"] if change.difference else []
    return f"{_named(after)}: {'; '.join(said)}: {change.noise}"


def _signed(interval: Interval) -> str:
    return f"[{interval.low:+.3g}, {interval.high:+.3g}]"


def _figures(line: TableLine) -> str:
    exponent = "" if line.exponent is None else f"exponent {line.exponent:.3g}"
    delta = "" if line.delta is None else f"Δ {line.delta:+.3g}"
    where = "" if line.interval is None else f"{line.interval}" if line.delta is not None else f"in {line.interval}"
    figures = ", ".join(filter(None, (exponent, " ".join(filter(None, (delta, where))))))
    return figures or "no figures"


def _summary(found: TableComparison, names: tuple[str, str]) -> Iterator[str]:
    tested = [change for change in found.changes if change.noise in (Moved.SAME, Moved.WITHIN, Moved.BEYOND)]
    tested = [change for change in tested if change.after.interval is not None]
    beyond = sum(change.noise is Moved.BEYOND for change in tested)
    moved = sum(change.noise is not Moved.SAME for change in found.changes)
    verdicts = sum(change.before.verdict is not change.after.verdict for change in found.changes)
    yield (
        f"From {names[0]} to {names[1]}: {len(found.headlines)} headlines and {verdicts} verdicts of "
        f"{len(found.changes)} lines in both are others; figures moved on {moved} lines, on {beyond} of {len(tested)} "
        f"with intervals beyond noise. {len(found.only_before)} lines are in {names[0]} alone, "
        f"{len(found.only_after)} in {names[1]} alone."
    )
    if tested:
        formed = [change for change in tested if change.difference or change.noise is Moved.SAME]
        with_delta = [line for change in formed for line in (change.before, change.after) if line.delta is not None]
        levels = {line.confidence for line in with_delta}
        (level,) = levels if len(levels) == 1 else (None,)
        known = "" if level is None else f" {level_words(level)}"
        missed = sum(1 - (change.after.confidence or CONFIDENCE) for change in tested)
        yield (
            f"Beyond noise: the{known} interval of the difference leaves out 0. Were all {len(tested)} estimates "
            f"independent and nothing moved, about {missed:.0f} would; where both rest on the same trials, fewer."
        )
    presets = sorted({(change.before.preset, change.after.preset) for change in found.changes})
    for old, new in (pair for pair in presets if pair[0] != pair[1]):
        yield f"Lines at preset {old} are compared with lines at preset {new}: grids and sizes differ, and so may Δ."


def records(found: TableComparison, names: tuple[str, str]) -> dict[str, Any]:
    """The comparison as one JSON-able object; null where a figure does not apply or an end is infinite."""
    return {
        "before": names[0],
        "after": names[1],
        "differ": found.is_news,
        "headlines": [{"id": h.id, "before": h.before.value, "after": h.after.value} for h in found.headlines],
        "lines": [
            {
                **_names_of(change.after),
                "noise": change.noise.value,
                "difference": _ends(change.difference),
                "before": _record(change.before),
                "after": _record(change.after),
            }
            for change in found.changes
        ],
        "only_before": [{**_names_of(line), "verdict": line.verdict.value} for line in found.only_before],
        "only_after": [{**_names_of(line), "verdict": line.verdict.value} for line in found.only_after],
    }


def _names_of(line: TableLine) -> dict[str, str | None]:
    return {"id": line.id, "part": line.part, "axis": line.axis or None}


def _record(line: TableLine) -> dict[str, Any]:
    return {
        "verdict": line.verdict.value,
        "measured_exponent": line.exponent,
        "delta": line.delta,
        "confidence": line.confidence,
        "confidence_interval": _ends(line.interval),
        "n_trials": line.n_trials,
        "preset": line.preset,
    }


def _ends(interval: Interval | None) -> list[float | None] | None:
    ends = None if interval is None else (interval.low, interval.high)
    return None if ends is None else [end if math.isfinite(end) else None for end in ends]
