"""The bound-vs-measurement table, in every format from the same rows.

`records` is the contract: one plain object per (id, part, axis). The other formats are views of it. A table never hides
a claim: what has no evidence yet stands there as "not measured".
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from checks.evidence.check import claim_headline, claim_verdict
from checks.evidence.headline import Headline
from checks.records.preset import Preset
from checks.records.rows import Point, Row, policy_of_rows
from checks.report import claims_table, latex_table, layout
from checks.report.escape import csv_cell, markdown, plain
from checks.report.explanation_words import as_json, details, sentence
from checks.report.layout import Column
from checks.statistics.policy import level_words
from checks.statistics.verdict import Interval, Verdict

COLUMNS = (
    Column("claim", least=24),
    Column("verdict", coloured=True),
    Column("role", priority=3, label="role"),
    Column("part", priority=4, least=24, label=""),
    Column("axis", priority=5, least=14),
    Column("claimed", priority=2, least=8),
    Column("on grid", priority=6),
    Column("measured", priority=2),
    Column("Delta", priority=1),
    Column("trials", priority=7, right=True),
    Column("reason", below=True, label=""),
)
POINT_COLUMNS = (
    Column("value", right=True),
    Column("bound", right=True),
    Column("measured", right=True),
    Column("interval", priority=1, right=True),
    Column("trials", priority=3, right=True),
    Column("note", priority=2, right=True),
)
_POINT_NAMES = [column.name for column in POINT_COLUMNS]


def columns_of(rows: Sequence[Row]) -> tuple[Column, ...]:
    """The columns, Delta's with the confidence of its intervals."""
    level = level_words(policy_of_rows(rows).confidence)
    return tuple(replace(c, name=f"{c.name} [{level}]") if c.name == "Delta" else c for c in COLUMNS)


def records(table: Mapping[str, Sequence[Row]], preset: Preset) -> list[dict[str, Any]]:
    """One JSON-able object per (id, part, axis), keys as in docs/table.md; null where a key does not apply."""
    return [_record(row, claim_headline(rows), preset) for rows in table.values() for row in rows]


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
        parts: every line of every claim, and not one line a claim; points imply it. csv and json always have it, LaTeX
            has the statement lines without it.
        reasons: why each verdict is what it is, in a sentence and then in full; markdown always has the sentence, json
            and csv both, LaTeX neither.
        width: the terminal's; 0 means unlimited.
    """
    if fmt == "json":
        return json.dumps(records(table, preset), indent=1, allow_nan=False) + "\n"
    if fmt == "csv":
        return _csv(records(table, preset), points=points)
    rows = [row for group in table.values() for row in group]
    if fmt == "latex":
        return latex_table.longtable(table, preset, parts=parts)
    if not (parts or points):
        return _claims(table, preset, markdown=fmt == "markdown", reasons=reasons, width=width)
    if fmt == "markdown":
        return _markdown(rows, points=points, reasons=reasons)
    return _terminal(rows, table, preset, points=points, reasons=reasons, width=width)


def _claims(table: Mapping[str, Sequence[Row]], preset: Preset, *, markdown: bool, reasons: bool, width: int) -> str:
    """One line a claim."""
    if markdown:
        headlines = {name: claim_headline(rows) for name, rows in table.items()}
        return _grid(claims_table.NAMES, [claims_table.cells(name, found) for name, found in headlines.items()])
    text = claims_table.lines(table, reasons=reasons, width=width)
    below = [*_summary(table, preset, reasons)[:1], claims_table.legend()]
    return "\n".join([*text, "", *(line for words in below for line in layout.paragraph(words, width))]) + "\n"


def _grid(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A markdown table; every cell is inert."""
    lines = [names, ["---"] * len(names), *([markdown(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _record(row: Row, headline: Headline, preset: Preset) -> dict[str, Any]:
    judgement, claim, claimed = row.judgement, row.claim, row.display.asymptotic_exponent
    return {
        "id": plain(claim.id),
        "part": plain(row.part),
        "paper": plain(claim.source.key),
        "source": plain(claim.source.place),
        "kind": claim.kind.value,
        "claimed": None if claim.value is None else plain(claim.value),
        "axis": plain(row.axis.symbol.name) if row.axis else None,
        "toward": plain(row.axis.toward) if row.axis else None,
        "asymptotic_exponent": None if claimed is None else plain(claimed),
        "grid_exponent": _finite(judgement.exponents.on_grid),
        "measured_exponent": _finite(judgement.exponents.measured),
        "delta": _finite(judgement.delta),
        "confidence": judgement.effect.confidence,
        "confidence_interval": _pair(judgement.confidence_interval),
        "equivalence_interval": _pair(judgement.effect.equivalence_interval),
        "margin": _finite(judgement.effect.margin),
        "verdict": row.verdict.value,
        "claim_verdict": headline.verdict.value,
        "role": row.role.value,
        "readings": headline.readings.value,
        "proof_steps": asdict(headline.proof_steps),
        "reason": plain(judgement.reason),
        "sentence": plain(sentence(row)),
        "explanation": as_json(row.explanation),
        "in_regime": row.in_regime,
        "hypotheses": {
            "met": dict(row.standing.met),
            "not_met": dict(row.standing.not_met),
            "undetermined": dict(row.standing.undetermined),
            "needed": {name: plain(words) for name, words in row.standing.needed.items()},
        },
        "control": plain(row.protocol.control) or None,
        "n_trials": row.protocol.n_trials,
        "preset": preset.value,
        "seconds": round(row.protocol.seconds, 3),
        "points": [_point(point) for point in row.points],
    }


def _point(point: Point) -> dict[str, Any]:
    return {
        "value": _finite(point.value),
        "bound": _finite(point.bound),
        "measured": _finite(point.measured),
        "low": _finite(point.low),
        "high": _finite(point.high),
        "censored": point.censored,
        "in_regime": point.in_regime,
        "n_trials": point.n_trials,
        "endings": {plain(name): count for name, count in point.endings},
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _pair(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_finite(interval.low), _finite(interval.high)]


def _cells(row: Row) -> tuple[str, ...]:
    """One line a part, in the order of `COLUMNS`."""
    judgement = row.judgement
    toward = str(row.axis.toward) if row.axis else ""
    limit = {"infinity": "→ ∞", "zero": "→ 0"}.get(toward, f"→ {toward}" if len(toward) < 12 else "→ boundary")
    interval = f" {judgement.confidence_interval}{row.own_level}" if judgement.confidence_interval else ""
    label = " (range)" if judgement.effect.interval_kind == "range" else ""
    return (
        row.claim.id,
        row.verdict.value,
        row.role.value,
        row.part,
        f"{row.axis.symbol} {limit}" if row.axis else "",
        row.display.asymptotic_exponent or "",
        _short(judgement.exponents.on_grid),
        _short(judgement.exponents.measured),
        f"{judgement.delta:+.2f}{interval}{label}" if judgement.delta is not None else "",
        str(row.protocol.n_trials) if row.protocol.n_trials else "",
        sentence(row),
    )


def _detailed(row: Row) -> tuple[str, ...]:
    """The cells of a line, and its explanation in full."""
    return (*_cells(row), details(row))


def point_names(row: Row) -> tuple[str, ...]:
    """Names of the columns of `point_cells`, the first the row's axis."""
    first = row.axis.symbol.name if row.axis else POINT_COLUMNS[0].name
    return (first, *(column.name for column in POINT_COLUMNS[1:]))


def point_cells(point: Point) -> tuple[str, ...]:
    """One point's cells, in the order of `POINT_COLUMNS`."""
    notes = [f"censored {point.censored}"] if point.censored else []
    notes += ["out of regime"] if point.in_regime is False else []
    notes += [f"{count} {name}" for name, count in point.endings]
    interval = (
        f"[{_short(point.low) or '0'}, {_short(point.high) or '∞'}]"
        if point.low is not None or point.high is not None
        else ""
    )
    return (
        f"{point.value:.4g}",
        _short(point.bound),
        _short(point.measured),
        interval,
        str(point.n_trials),
        ", ".join(notes),
    )


def _short(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else f"{value:.3g}"


def _terminal(
    rows: Sequence[Row],
    table: Mapping[str, Sequence[Row]],
    preset: Preset,
    *,
    points: bool,
    reasons: bool,
    width: int,
) -> str:
    # What is settled comes first: a newcomer reads verdicts before gaps. Within both, the catalogue's order.
    rows = sorted(rows, key=lambda row: claim_verdict(table[row.claim.id]) is Verdict.NOT_MEASURED_YET)
    columns = (*columns_of(rows), claims_table.DETAILS) if reasons else columns_of(rows)[:-1]
    cells = [_detailed(row)[: len(columns)] for row in rows]
    lines = layout.table(columns, cells, width=width, colours=[claims_table.colour_of(row.verdict) for row in rows])
    for row in rows if points else ():
        if row.points:
            title = layout.paragraph(f"{row.claim.id} ({row.part}): bound against measurement", width)
            lines += ["", *(layout.coloured(line, "bold", width) for line in title), *_points_lines(row, width)]
            lines += layout.paragraph(_local_words(row), width) if row.judgement.exponents.local_deltas else []
    lines += [""] + [line for text in _summary(table, preset, reasons) for line in layout.paragraph(text, width)]
    return "\n".join(lines) + "\n"


def _points_lines(row: Row, width: int) -> list[str]:
    named = [replace(POINT_COLUMNS[0], name=row.axis.symbol.name) if row.axis else POINT_COLUMNS[0], *POINT_COLUMNS[1:]]
    cells = [point_cells(point) for point in row.points]
    return layout.table(named, cells, width=width)


def _local_words(row: Row) -> str:
    """Delta point by point: a drift toward the limit is where the whole slope misleads."""
    deltas = ", ".join(f"{delta:+.2f}" for delta in row.judgement.exponents.local_deltas)
    return f"Delta between neighbours, nearest to the limit last: {deltas}"


def _summary(table: Mapping[str, Sequence[Row]], preset: Preset, reasons: bool) -> list[str]:
    """Paragraphs below the table."""
    from checks.evidence.comparison import scaling_family

    counts = Counter(claim_verdict(rows) for rows in table.values())
    parts = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    noun = "claim" if len(table) == 1 else "claims"
    words = [f"{len(table)} {noun} at preset {preset}: {parts}."]
    if not reasons:
        words += ["--reasons says why, below each line; --format csv and json hold the explanations as well."]
    keys = dict.fromkeys(rows[0].claim.paper for rows in table.values() if rows)
    error = policy_of_rows(row for rows in table.values() for row in rows).error
    levels = ", ".join(f"{error:g}/{scaling_family(key)} for {key}" for key in keys)
    words += [
        f"Statement lines decide a claim's headline. 'violated' is tested at {levels or 'no level'} "
        f"({error:g} over the scaling claims of the paper)."
    ]
    return words


def _markdown(rows: Sequence[Row], *, points: bool, reasons: bool) -> str:
    columns = (*columns_of(rows), claims_table.DETAILS) if reasons else columns_of(rows)
    text = _grid([column.name for column in columns], [_detailed(row)[: len(columns)] for row in rows])
    for row in rows if points else ():
        if row.points:
            text += f"\n**{markdown(row.claim.id)}** ({markdown(row.part)})\n\n"
            text += _grid(_POINT_NAMES, [point_cells(point) for point in row.points])
            text += f"\n{_local_words(row)}\n" if row.judgement.exponents.local_deltas else ""
    return text


def _csv(objects: Sequence[dict[str, Any]], *, points: bool) -> str:
    buffer = io.StringIO()
    flat = [key for key in objects[0] if key != "points"] if objects else []
    if points:
        writer = csv.writer(buffer, lineterminator="\n")
        names = list(_point(Point(0.0, None, None)))
        writer.writerow(["id", "part", "axis", *names])
        for item in objects:
            head = [csv_cell(item[name]) for name in ("id", "part", "axis")]
            for point in item["points"]:
                cells = [point[name] for name in names]
                told = [json.dumps(cell) if isinstance(cell, dict) else csv_cell(cell) for cell in cells]
                writer.writerow([*head, *told])
        return buffer.getvalue()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(flat)
    for item in objects:
        cells = [item[key] for key in flat]
        writer.writerow([json.dumps(cell) if isinstance(cell, list | dict) else csv_cell(cell) for cell in cells])
    return buffer.getvalue()
