"""What a row says of its claim: points or curves against the claim, drawn where a part has no picture of its own.

Everything comes from the row: its points, its judgement and the curves it was read from. No formula is written here,
so a picture cannot say other than the table. What the verdict did not use is grey; what has no value is an arrow from
its bound, or a cross on the frame; the claimed order is drawn only where a prefactor was fitted to it. The shaded band
holds every law whose slope differs from the claim's by less than the margin: a fitted line inside it cannot be told
from the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from checks.records.rows import Point, Row
from checks.report.escape import drawn
from checks.report.pictures.gathered import Piece
from checks.report.pictures.kinds import OWN, PictureKind
from checks.report.pictures.kinds.rates import tables_of
from checks.report.pictures.laws import DrawnLaw, claimed, compared, fit, law_of, name_of
from checks.report.pictures.model import (
    CLAIMED,
    FITTED,
    MEASURED,
    SERIES,
    UNUSED,
    Area,
    Band,
    Guide,
    Ink,
    Mark,
    Panel,
    PanelAxis,
    Trace,
    is_number,
)
from checks.report.pictures.points import heights_shown, marks_of, used_and_not
from checks.report.pictures.scales import fitted, log_from_zero, on_grid
from checks.report.pictures.words import axis_label, figures_in_words, heading, labelled, observed
from checks.statistics.verdict import Quantity
from theory.claim import Kind

_COLOURS = tuple(colour for colour in SERIES if colour != CLAIMED)
_WIDE = 100.0
"""Ratio of the largest to the least positive height from which on a linear axis hides the small ones."""


def panel_of(row: Row) -> Panel:
    """A row's curves, or its points, with its figures as title."""
    panel = curves(row) if row.display.curves else points(row)
    x, y = replace(panel.x, words=axis_label(row)), replace(panel.y, words=f"{drawn(observed(row))}{panel.y.words}")
    return replace(panel, x=x, y=y, title=figures_in_words(row))


def points(row: Row) -> Panel:
    """Points with their intervals, each at its axis value; at its number where a row has no axis."""
    placed = [(point.value if row.axis else float(number), point) for number, point in enumerate(row.points, start=1)]
    used = compared(row, placed)
    limit = [row.toward] if isinstance(row.toward, float) and _is_near(row.toward, placed) else []
    if row.axis is None:
        around = max(0.6, 0.02 * len(placed))
        x = on_grid(PanelAxis(ends=(1 - around, len(placed) + around)), [number for number, _ in placed], apart=0.08)
    else:
        x = fitted([*(at for at, _ in placed), *limit])
    ends = [end for point in row.points if point.measured is not None for end in (point.low, point.high)]
    found = _limit_interval(row)
    asked = [*_limit_band(row), *(at for _, _, at in _asked_levels(row))]
    y = _upright(
        [*(bound for _, bound, _ in used), *heights_shown(row.points), *found, *asked], [*ends, *found, *asked]
    )
    style = {"confidence": row.policy.interval_confidence, "outside": ", out of regime", "unused": UNUSED}
    rules = [Guide(Ink(UNUSED, 0.8, "dotted"), label="the limit of the axis", axis="x", at=at) for at in limit]
    return Panel(
        x,
        y,
        [
            *_claim_at_points(row, used),
            *_limit_found(row, placed),
            *_sequences(row),
            *used_and_not(placed, **style),
            *rules,
        ],
    )


def _upright(heights: Sequence[float | None], ends: Sequence[float | None]) -> PanelAxis:
    """The axis of points; where some are 0 beside numbers that differ widely, logarithmic above the least of these."""
    known = [height for height in heights if is_number(height)]
    positive = [height for height in known if height > 0]
    is_wide = bool(positive) and max(positive) >= _WIDE * min(positive)
    return log_from_zero(known) if is_wide and min(known) == 0 else fitted(heights, ends)


def _claim_at_points(row: Row, used: Sequence[tuple[float, float, Point]]) -> list[Mark]:
    """The claim through points along an axis, or a stroke at each where there is none."""
    if not used:
        return []
    xs, bounds = [x for x, _, _ in used], [bound for _, bound, _ in used]
    is_several = row.claim.kind is Kind.LIMIT and len(set(bounds)) > 1  # sequences, each with a limit of its own
    if row.axis is None or is_several:
        ink = Ink(CLAIMED, dash="", shape="stroke", size=14, edge=1.4)
        return [Trace(ink, "claimed", name_of(row), xs=xs, ys=bounds)]
    entered = [x for x, _, point in used if point.measured is not None or point.censored]
    law, prefactor = law_of(xs, bounds, row, pivots=entered), row.judgement.exponents.prefactor
    if prefactor is None or row.claim.kind.is_explicit or row.claim.kind is Kind.LIMIT:
        return claimed(row, law, "")
    return [*claimed(row, law, f" × {prefactor:.3g}"), *fit(row, law)]


def _sequences(row: Row) -> list[Mark]:
    """Lines through the points of each of several sequences, with what it is, and what a transition asks of them."""
    names = list(dict.fromkeys(point.sequence for point in row.points if point.measured is not None))
    if len(names) < 2:
        return []
    found: list[Mark] = []
    for number, name in enumerate(names):
        own = [point for point in row.points if point.sequence == name and point.measured is not None]
        xs, ys = [point.value for point in own], [point.measured or 0.0 for point in own]
        dash = ("solid", "long-dashed", "dotted")[number // len(_COLOURS) % 3]
        found.append(Trace(Ink(_COLOURS[number % len(_COLOURS)], 1.1, dash, order=2.1), "sequence", name, xs=xs, ys=ys))
    found += [Guide(Ink(UNUSED, 0.8, dash), label=label, axis="y", at=at) for dash, label, at in _asked_levels(row)]
    return found


def _asked_levels(row: Row) -> list[tuple[str, str, float]]:
    """What a transition asks of limits on either side of its place: dash, words and height."""
    choices = [clause.figures for clause in row.judgement.explanation.choices.clauses if "level" in clause.figures]
    words = {"level": ("dashed", "asked beyond the place"), "tolerance": ("dotted", "as good as 0 below it")}
    heights = {name: choices[0].get(name) for name in words} if choices else {}
    return [(*words[name], float(at)) for name, at in heights.items() if isinstance(at, int | float)]


def _is_one_limit(row: Row) -> bool:
    """Whether the points are one sequence, with the claimed limit; of a law it is that of a share, and no point's."""
    claimed_limit = row.judgement.explanation.decision.claimed
    is_one = row.claim.kind is Kind.LIMIT and len({point.value for point in row.points}) == len(row.points)
    return is_one and all(point.bound == claimed_limit for point in row.points)


def _limit_band(row: Row) -> list[float]:
    """The ends of what is within tolerance of a claimed limit, on the sides that its relation leaves open."""
    decision = row.judgement.explanation.decision
    if not _is_one_limit(row) or decision.claimed is None or not decision.threshold:
        return []
    low = 0.0 if decision.relation == "upper" else decision.threshold
    high = 0.0 if decision.relation == "lower" else decision.threshold
    return [decision.claimed - low, decision.claimed + high]


def _limit_interval(row: Row) -> list[float]:
    """The ends of the interval of an extrapolated limit, where it is one sequence's and bounded."""
    interval, quantity = row.judgement.confidence_interval, row.judgement.effect.quantity
    if interval is None or quantity is not Quantity.LIMIT or not _is_one_limit(row):
        return []
    return [end for end in (interval.low, interval.high) if is_number(end)]


def _limit_found(row: Row, placed: Sequence[tuple[float, Point]]) -> list[Mark]:
    """The interval of the limit to which the points were extrapolated, and what is within the claim's tolerance."""
    if not placed:
        return []
    xs = [min(x for x, _ in placed), max(x for x, _ in placed)]
    looks = (
        (_limit_band(row), "tolerance", "within the tolerance of the limit", Ink(CLAIMED, 0, fill=CLAIMED, alpha=0.1)),
        (_limit_interval(row), "limit", "interval of the limit", Ink(FITTED, 0, fill=FITTED, alpha=0.22, order=1.5)),
    )
    return [
        Area(ink, name, label, xs=xs, low=[ends[0]] * 2, high=[ends[1]] * 2)
        for ends, name, label, ink in looks
        if len(ends) == 2
    ]


def _is_near(limit: float, placed: Sequence[tuple[float, Point]]) -> bool:
    """Whether a boundary is within a factor 2 of the grid, so that showing it leaves the points their room."""
    return min(x for x, _ in placed) / 2 <= limit <= 2 * max(x for x, _ in placed)


def curves(row: Row) -> Panel:
    """One thin line a trial, grey where the verdict did not look, and the claim along each or through their middle."""
    recorded, on_grid = row.display.curves, row.judgement.exponents.on_grid
    own = [curve for curve in recorded if curve.claimed is not None]
    laws = [law_of(curve.axis, curve.claimed, row, pivots=curve.axis) for curve in own if curve.claimed is not None]
    words, order = ", fitted run by run", 2.2 if own and own[0] is recorded[0] else 2.6
    if not laws and on_grid is not None:  # one line must not drown in fifty runs
        laws, words = [_reference(row, on_grid)], ", slope alone"
    marks = [mark for law in laws for mark in claimed(row, law, words, order=order)]
    runs = f"{len(recorded)} run{'s' if len(recorded) > 1 else ''}"
    for curve in recorded:
        axis = curve.axis.tolist()
        if not curve.judged.all():
            ink, label = Ink(UNUSED, 0.5), "outside the fit window"
            marks.append(Trace(ink, "unjudged", label, xs=axis, ys=curve.measured.tolist()))
        shown = np.where(curve.judged, curve.measured, np.nan).tolist()
        marks.append(Trace(Ink(MEASURED, 0.7, alpha=0.8, order=2.4), "judged", runs, xs=axis, ys=shown))
    placed = [(point.value, point) for point in row.points]
    marks += marks_of(placed, confidence=row.policy.interval_confidence, size=2.2)
    heights = [value for curve in recorded for value in curve.measured] + [y for law in laws for y in law.bound]
    ends = [end for point in row.points if point.measured is not None for end in (point.low, point.high)]
    x = fitted([value for curve in recorded for value in curve.axis])
    return Panel(x, fitted([*heights, *heights_shown(row.points)], ends), marks)


def _reference(row: Row, slope: float) -> DrawnLaw:
    """A line of the claimed slope over the fit windows, as high as the runs are on average, each counted once."""
    judged = [
        (curve.axis[curve.judged], curve.measured[curve.judged]) for curve in row.display.curves if curve.judged.any()
    ]
    middle, height = np.mean([(np.log(x).mean(), np.log(y).mean()) for x, y in judged], axis=0)
    ends = min(x[0] for x, _ in judged), max(x[-1] for x, _ in judged)
    x = np.array([ends[0], np.exp(middle), ends[1]])
    return law_of(x, np.exp(height + slope * (np.log(x) - middle)), row, pivots=x[1:2])


def _takes(piece: Piece) -> bool:
    return piece.row is not None and bool(piece.row.display.curves or piece.row.points)


def _band(piece: Piece) -> Band | None:
    if piece.row is None:
        return None
    said, along = figures_in_words(piece.row), getattr(piece.part, "symbol", None)
    panel = labelled(panel_of(piece.row), piece, "")
    return Band(heading(piece), (panel,), said, data=tables_of(piece), along=str(along or ""))


def _of_row(row: Row) -> Band | None:
    panel = panel_of(row) if row.display.curves or row.points else None
    return Band("", (panel,), figures_in_words(row)) if panel is not None else None


KIND = PictureKind(place=OWN, asked=3, takes=_takes, each=_band, of_row=_of_row)
