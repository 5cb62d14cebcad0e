"""The bound-vs-measurement table, in every format from the same rows.

`records` is the contract: one plain object per (id, part, axis). The other formats are views of it. A table never hides
a claim: what has no evidence yet stands there as "not measured yet".
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from checks.check import Point, Preset, Row, claim_headline, claim_verdict
from checks.headline import Headline
from checks.verdict import Interval, Verdict

_COLUMNS = ("claim", "verdict", "part", "axis", "claimed", "on grid", "measured", "Delta [95 %]", "trials", "reason")
_VERDICT_COLUMN = _COLUMNS.index("verdict")
_PART_WIDTH = 46  # characters of a part's name in the terminal format; the others print all of it
_POINT_COLUMNS = ("value", "bound", "measured", "interval", "trials", "note")

_STYLES = {
    Verdict.REFUTED: "red",
    Verdict.VIOLATED: "red",
    Verdict.INCONSISTENT: "red",
    Verdict.VACUOUS: "red",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.UNKNOWN: "yellow",
    Verdict.UNDECIDABLE: "yellow",
    Verdict.OUT_OF_REGIME: "yellow",
    Verdict.NOT_MEASURED_YET: "dim",
}


def records(table: Mapping[str, Sequence[Row]], preset: Preset) -> list[dict[str, Any]]:
    """One JSON-able object per (id, part, axis), keys as in docs/table.md; null where a key does not apply."""
    return [_record(row, claim_headline(rows), preset) for rows in table.values() for row in rows]


def render(
    table: Mapping[str, Sequence[Row]], preset: Preset, *, fmt: str, points: bool = False, width: int = 0
) -> str:
    """The table as text. `width` is the terminal's; 0 means unlimited."""
    if fmt == "json":
        return json.dumps(records(table, preset), indent=1, allow_nan=False) + "\n"
    if fmt == "csv":
        return _csv(records(table, preset), points=points)
    rows = [row for group in table.values() for row in group]
    if fmt == "markdown":
        return _markdown(rows, preset, points=points)
    if fmt == "latex":
        return _latex(rows)
    return _terminal(rows, table, preset, points=points, width=width)


def _record(row: Row, headline: Headline, preset: Preset) -> dict[str, Any]:
    judgement, claim = row.judgement, row.claim
    return {
        "id": claim.id,
        "part": row.part,
        "paper": claim.source.key,
        "source": claim.source.place,
        "kind": claim.kind.value,
        "claimed": None if claim.value is None else str(claim.value),
        "axis": row.axis.symbol.name if row.axis else None,
        "toward": str(row.axis.toward) if row.axis else None,
        "asymptotic_exponent": row.asymptotic_exponent,
        "grid_exponent": _finite(judgement.grid_exponent),
        "measured_exponent": _finite(judgement.measured_exponent),
        "delta": _finite(judgement.delta),
        "ci95": _pair(judgement.confidence_interval),
        "ci90": _pair(judgement.equivalence_interval),
        "margin": _finite(judgement.margin),
        "verdict": row.verdict.value,
        "claim_verdict": headline.verdict.value,
        "role": row.role.value,
        "readings": headline.readings.value,
        "proof_steps": asdict(headline.proof_steps),
        "reason": judgement.reason,
        "in_regime": row.in_regime,
        "hypotheses": {
            "met": dict(row.standing.met),
            "not_met": dict(row.standing.not_met),
            "undetermined": dict(row.standing.undetermined),
            "needed": dict(row.standing.needed),
        },
        "control": row.control or None,
        "n_trials": row.n_trials,
        "preset": preset.value,
        "seconds": round(row.seconds, 3),
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
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _pair(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_finite(interval.low), _finite(interval.high)]


def _cells(row: Row) -> tuple[str, ...]:
    """One line a part, in the order of `_COLUMNS`."""
    judgement = row.judgement
    toward = str(row.axis.toward) if row.axis else ""
    limit = {"infinity": "→ ∞", "zero": "→ 0"}.get(toward, f"→ {toward}" if len(toward) < 12 else "→ boundary")
    interval = f" {judgement.confidence_interval}" if judgement.confidence_interval else ""
    label = " (range)" if judgement.interval_kind == "range" else ""
    return (
        row.claim.id,
        row.verdict.value,
        row.part,
        f"{row.axis.symbol} {limit}" if row.axis else "",
        row.asymptotic_exponent or "",
        _short(judgement.grid_exponent),
        _short(judgement.measured_exponent),
        f"{judgement.delta:+.2f}{interval}{label}" if judgement.delta is not None else "",
        str(row.n_trials) if row.n_trials else "",
        judgement.reason,
    )


def _point_cells(point: Point) -> tuple[str, ...]:
    notes = [f"censored {point.censored}"] if point.censored else []
    notes += [] if point.in_regime else ["out of regime"]
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
    rows: Sequence[Row], table: Mapping[str, Sequence[Row]], preset: Preset, *, points: bool, width: int
) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    buffer = io.StringIO()
    console = Console(file=buffer, width=width or 10_000, force_terminal=bool(width), highlight=False)
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in _COLUMNS:
        most = _PART_WIDTH if name == "part" else None
        grid.add_column(
            name, no_wrap=True, overflow="ellipsis", max_width=most, justify="right" if name == "trials" else "left"
        )
    previous = None
    # What is settled comes first: a newcomer reads verdicts before gaps. Within both, the catalogue's order.
    for row in sorted(rows, key=lambda row: claim_verdict(table[row.claim.id]) is Verdict.NOT_MEASURED_YET):
        cells = list(_cells(row))
        style = _STYLES.get(row.verdict, "green")
        cells[0] = cells[0] if row.claim.id != previous else ""
        previous = row.claim.id
        styles = (style if index == _VERDICT_COLUMN else "" for index in range(len(cells)))
        grid.add_row(*(Text(cell, style=style) for cell, style in zip(cells, styles, strict=True)))
    console.print(grid)
    if points:
        for row in rows:
            if row.points:
                console.print(f"\n{row.claim.id} ({row.part}): bound against measurement", style="bold")
                console.print(_points_table(row))
                if row.judgement.local_deltas:
                    console.print(_local_words(row))
    console.print("\n" + _summary(table, preset))
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _points_table(row: Row) -> Any:
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in _POINT_COLUMNS:
        grid.add_column(row.axis.symbol.name if name == "value" and row.axis else name, justify="right")
    for point in row.points:
        grid.add_row(*_point_cells(point), style="" if point.in_regime else "dim")
    return grid


def _local_words(row: Row) -> str:
    """Delta point by point: a drift toward the limit is where the whole slope misleads."""
    deltas = ", ".join(f"{delta:+.2f}" for delta in row.judgement.local_deltas)
    return f"Delta between neighbours, nearest to the limit last: {deltas}"


def _summary(table: Mapping[str, Sequence[Row]], preset: Preset) -> str:
    from checks.comparison import scaling_family

    counts = Counter(claim_verdict(rows) for rows in table.values())
    parts = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    return (
        f"{len(table)} claims at preset {preset}: {parts}.\n"
        "Names and reasons that are cut here are whole in --format markdown, csv and json.\n"
        f"A claim's verdict is its worst part. 'violated' is tested at 0.05/{scaling_family()} "
        f"({scaling_family()} scaling claims in the catalogue)."
    )


def _markdown(rows: Sequence[Row], preset: Preset, *, points: bool) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    lines = [line(_COLUMNS), line(["---"] * len(_COLUMNS)), *(line(_cells(row)) for row in rows)]
    if points:
        for row in rows:
            if row.points:
                lines += [
                    "",
                    f"**{row.claim.id}** ({row.part})",
                    "",
                    line(_POINT_COLUMNS),
                    line(["---"] * len(_POINT_COLUMNS)),
                ]
                lines += [line(_point_cells(point)) for point in row.points]
                lines += ["", _local_words(row)] if row.judgement.local_deltas else []
    return "\n".join(lines) + "\n"


def _csv(objects: Sequence[dict[str, Any]], *, points: bool) -> str:
    buffer = io.StringIO()
    flat = [key for key in objects[0] if key != "points"] if objects else []
    if points:
        writer = csv.writer(buffer, lineterminator="\n")
        names = list(_point(Point(0.0, None, None)))
        writer.writerow(["id", "part", "axis", *names])
        for item in objects:
            for point in item["points"]:
                writer.writerow([item["id"], item["part"], item["axis"], *(point[name] for name in names)])
        return buffer.getvalue()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(flat)
    for item in objects:
        writer.writerow([json.dumps(item[key]) if isinstance(item[key], list | dict) else item[key] for key in flat])
    return buffer.getvalue()


def _latex(rows: Sequence[Row]) -> str:
    import sympy as sp

    lines = [
        r"\begin{tabular}{lllrrrl}",
        r"\toprule",
        r"claim & part & bound & claimed & measured & $\Delta$ (95\,\%) & verdict \\",
        r"\midrule",
    ]
    for row in rows:
        judgement = row.judgement
        bound = f"${sp.latex(row.claim.value)}$" if row.claim.value is not None else ""
        delta = ""
        if judgement.delta is not None:
            interval = judgement.confidence_interval
            delta = f"${judgement.delta:+.2f}$" + (f" $[{interval.low:.2f}, {interval.high:.2f}]$" if interval else "")
        cells = [
            _tex(row.claim.id),
            _tex(row.part),
            bound,
            f"${row.asymptotic_exponent}$" if row.asymptotic_exponent else "",
            _short(judgement.measured_exponent),
            delta.replace("inf", r"\infty"),
            _tex(row.verdict.value),
        ]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{character: "\\" + character for character in "&%$#_{}"},
    }
)


def _tex(text: str) -> str:
    """Plain text as LaTeX text."""
    return text.translate(_TEX)
