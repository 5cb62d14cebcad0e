"""Plans as text: one block of lines a part and axis, or one JSON object each."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from checks.planning.costs import PresetCost
from checks.planning.plan import Design, PlanRow
from checks.records.rows import policy_of_rows
from checks.report import layout
from checks.report.escape import plain
from checks.report.layout import Column
from checks.statistics.explanation import size_words
from checks.statistics.policy import level_words

FORMATS = ("terminal", "json")
_COLUMNS = (
    Column("claim", least=24),
    Column("verdict"),
    Column("part", priority=9, least=24, label=""),
    Column("axis", priority=8, least=14),
    Column("to decide", priority=3, least=14),
    Column("needed", priority=1, least=12),
    Column("power", priority=4),
    Column("now", priority=5),
    Column("power now", priority=6),
    Column("wall", priority=2),
    Column("CPU", priority=10, least=24),
    Column("formula", priority=11),
    Column("grid", priority=12, least=24),
    Column("note", below=True, label=""),
)


def render(plans: Sequence[PlanRow], *, fmt: str, workers: int, width: int = 0) -> str:
    """The plans as text; wall times are at `workers` processes, for the trials not stored yet."""
    if fmt == "json":
        return json.dumps([_record(plan, workers) for plan in plans], indent=1, allow_nan=False) + "\n"
    return _terminal(plans, workers=workers, width=width)


def _record(plan: PlanRow, workers: int) -> dict[str, Any]:
    row = plan.row
    return {
        "id": plain(row.claim.id),
        "part": plain(row.part),
        "axis": plain(row.axis.symbol.name) if row.axis else None,
        "verdict": row.verdict.value,
        "preset": plan.preset.value if plan.preset else None,
        "confidence": row.policy.confidence,
        "power": row.policy.power,
        "unit": plan.unit or None,
        "n_points": plan.now.n_points if plan.now else None,
        "n_replicates": plan.now.n_replicates if plan.now else None,
        "seconds_by_point": [list(pair) for pair in plan.seconds_by_point],
        "workers": workers,
        "placement": "grid",
        "preset_cost": _preset_cost(plan.cost),
        "designs": [_design(design, workers) for design in plan.designs],
        "note": plain(plan.note) or None,
    }


def _preset_cost(cost: PresetCost | None) -> dict[str, Any] | None:
    if cost is None:
        return None
    return {
        "preset": cost.preset.value,
        "n_trials": cost.n_trials,
        "n_missing": cost.n_missing,
        "missing_cpu_seconds": round(cost.seconds, 3) if math.isfinite(cost.seconds) else None,
        "source": cost.source,
    }


def _design(design: Design, workers: int) -> dict[str, Any]:
    return {
        "question": design.question,
        "n_points": design.size.n_points,
        "n_replicates": design.size.n_replicates,
        "enough": design.enough,
        "power": design.power,
        "power_now": design.power_now,
        "formula": {"n_points": design.formula.n_points, "n_replicates": design.formula.n_replicates}
        if design.formula
        else None,
        "axis_values": [v if isinstance(v, int) else float(f"{v:.6g}") for v in design.axis_values],
        "span": None if design.span is None else float(f"{design.span:.4g}"),
        "wider_span": None if design.wider is None else float(f"{design.wider:.4g}"),
        "sizes": list(design.sizes),
        "n_trials": design.n_trials,
        "n_more": design.n_more,
        "cpu_seconds": round(design.seconds, 3),
        "more_cpu_seconds": round(design.more_seconds, 3),
        "wall_seconds": round(design.wall_seconds(workers), 3),
        "seconds_source": design.seconds_source,
    }


def _terminal(plans: Sequence[PlanRow], *, workers: int, width: int) -> str:
    rows = []
    for plan in plans:
        row = plan.row
        head = [row.claim.id, row.verdict.value, row.part, row.axis.symbol.name if row.axis else ""]
        if plan.note:
            cells = [""] * (len(_COLUMNS) - len(head) - 1)
            if not plan.designs:
                cells = _unsimulated(plan)
            rows.append([*head, *cells, plan.note])
        for index, design in enumerate(plan.designs):
            # Below the first line of a part only what differs: the claim and its verdict stay, for the reader's eye.
            is_first = index == 0 and not plan.note
            rows.append([*(head if is_first else [*head[:2], "", ""]), *_cells(plan, design, workers), ""])
    lines = layout.table(_COLUMNS, rows, width=width)
    lines += [""] + [line for text in _footer(plans, workers) for line in layout.paragraph(text, width)]
    return "\n".join(lines) + "\n"


def _cells(plan: PlanRow, design: Design, workers: int) -> list[str]:
    """From the question to the grid, in the order of `_COLUMNS`."""
    size = _size(design.size.n_points, design.size.n_replicates)
    values = map(size_words, design.axis_values)
    grid = [", ".join(values)] if design.axis_values else []
    grid += [f"N {', '.join(map(str, design.sizes))}"] if design.sizes else []
    span = f" over a factor {size_words(design.span, 3)}" if design.span and design.span > 1 else ""
    now = _size(plan.now.n_points, plan.now.n_replicates) if plan.now else ""
    wider = f"; or {now} over a factor {size_words(design.wider, 3)}" if design.wider else ""
    return [
        design.question,
        f"{'' if design.enough else 'more than '}{size} {plan.unit}{span}{wider}",
        f"{design.power:.2f}",
        now,
        f"{design.power_now:.2f}",
        _time(design.wall_seconds(workers)),
        f"{_time(design.more_seconds)} more ({_time(design.seconds)} in all), {design.seconds_source}",
        _size(design.formula.n_points, design.formula.n_replicates) if design.formula else "",
        "; ".join(grid),
    ]


def _unsimulated(plan: PlanRow) -> list[str]:
    """The same of a line of which nothing was simulated: what is there, and the figure of its reason."""
    now = _size(plan.now.n_points, plan.now.n_replicates) if plan.now else ""
    step = plan.row.explanation.next
    formula = _size(step.plan.n_points, step.plan.n_replicates) if step.plan else ""
    cost = "" if step.seconds is None else f"{_time(step.seconds)} in all, by the formula"
    if step.seconds is not None and step.most_seconds is not None and _time(step.seconds) != _time(step.most_seconds):
        cost = f"{_time(step.seconds)} to {_time(step.most_seconds)} in all, by the formula"
    return ["not simulated", f"{formula} by the formula" if formula else "", "", now, "", "", cost, formula, ""]


def _size(points: int, replicates: int) -> str:
    return f"{points} x {replicates}" if points > 1 else str(replicates)


def _footer(plans: Sequence[PlanRow], workers: int) -> list[str]:
    """Paragraphs below the table."""
    policy = policy_of_rows(plan.row for plan in plans)
    bases = sorted({plan.preset.value for plan in plans if plan.preset})
    rests = f"Noise and seconds are those of the stored trials of preset {', '.join(bases)}. " if bases else ""
    legend = [
        f"{rests}'needed' is the size that the verdict's reason gives where it decides rightly with "
        f"{level_words(policy.power)} power, and half of it does not, by simulation through the verdict rules at "
        f"{level_words(policy.confidence)}; else the smallest found that does, over the factor between the ends of its "
        "axis; 'or' is what as many points and replicates as now need; 'formula' is the figure of the "
        "verdict's reason (all trials of a point). "
        f"Wall time is for the trials not stored yet, at {workers} workers."
    ]
    if any(plan.other_placements for plan in plans):
        legend += [
            "Plans of success curves are whole grids; run --placement adaptive goes to the same thresholds in "
            "rounds, usually with fewer trials."
        ]
    costs = list(dict.fromkeys(filter(None, map(_cost_words, plans))))
    return [*costs, *([_sum_words(plans, workers)] if len(costs) > 1 else []), *legend]


def _cost_words(plan: PlanRow) -> str:
    """What is still to be run at the preset asked for, in one line a part."""
    cost = plan.cost
    if cost is None or not cost.n_missing:
        return ""
    part = f" ({plan.row.part})" if plan.row.part else ""
    known = f"{_time(cost.seconds)} of CPU, {cost.source}" if math.isfinite(cost.seconds) else "cost not known"
    head = f"{plan.row.claim.id}{part}: preset {cost.preset}"
    return f"{head} lacks {cost.n_missing} of {cost.n_trials} trials: {known}"


def _sum_words(plans: Sequence[PlanRow], workers: int) -> str:
    """What all parts together lack; parts may share trials."""
    costs = [plan.cost for plan in plans if plan.cost]
    missing = {name: seconds for cost in costs for name, seconds in cost.missing.items()}
    known = [seconds for seconds in missing.values() if math.isfinite(seconds)]
    words = f"Parts may share trials. In all, {len(missing)} are to be run: "
    if not known:
        return words + "cost not known"
    bound = "at most " if any(cost.missing and cost.source.endswith("at most") for cost in costs) else ""
    time = f"{bound}{_time(sum(known))} of CPU, {_time(sum(known) / max(workers, 1))} at {workers} workers"
    unknown = len(missing) - len(known)
    return words + time + (f", beside the {unknown} whose cost is not known" if unknown else "")


def _time(seconds: float) -> str:
    if not math.isfinite(seconds):
        return "?"
    if 0 < seconds < 0.5:
        return "under 1 s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
