"""The bound-vs-measurement table, in every format from the same rows.

`records` is the contract: one plain object per (id, part, axis). Every format is a view of one model
(`checks.report.writing`). A table never hides a claim: what has no evidence yet stands there as "not measured".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report import formats
from checks.report.writing.from_rows import document
from checks.report.writing.model import Options


def records(table: Mapping[str, Sequence[Row]], preset: Preset) -> list[dict[str, Any]]:
    """One JSON-able object per (id, part, axis), keys as in `checks.report.schema`; null where a key does not apply."""
    return list(document(table, preset, Options()).records)


def render(
    table: Mapping[str, Sequence[Row]],
    preset: Preset,
    *,
    fmt: str,
    parts: bool = True,
    points: bool = False,
    reasons: bool = False,
    width: int = 0,
) -> str:
    """The table as text.

    Args:
        fmt: the name of a file of `checks.report.formats`.
        parts: every line of every claim, and not one line a claim; points imply it. csv and json always have it, LaTeX
            has the statement lines without it.
        reasons: why each verdict is what it is, in full, and in a terminal and in HTML in a sentence as well; markdown
            always has the sentence, json and csv both, LaTeX neither.
        width: the terminal's; 0 means unlimited.
    """
    wanted = Options(parts=parts, points=points, reasons=reasons, width=width)
    return formats.write(document(table, preset, wanted), fmt, wanted)
