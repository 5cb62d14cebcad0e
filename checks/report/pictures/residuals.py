"""What a claimed law leaves over: measured over claimed at each point, on a panel of its own for pages."""

from __future__ import annotations

from dataclasses import replace

from checks.records.rows import Point, Row
from checks.report.pictures.model import CLAIMED, UNUSED, Guide, Ink, Panel, is_number
from checks.report.pictures.points import heights_shown, used_and_not
from checks.report.pictures.scales import fitted
from checks.report.pictures.words import axis_label

TITLE = "Residuals: measured over claimed"


def residuals(row: Row) -> Panel | None:
    """The points of a row, each divided by the claim there; None where the claim gives nothing to divide by.

    The claim of an order carries the prefactor that was fitted, so that its residuals lie about 1.
    """
    placed = [(point.value, _share(point)) for point in row.points if is_number(point.bound) and point.bound > 0]
    if row.axis is None or row.display.curves or len(placed) < 2:
        return None
    x = replace(fitted([at for at, _ in placed]), words=axis_label(row))
    ends = [end for _, point in placed for end in (point.low, point.high)]
    y = replace(fitted([1.0, *heights_shown([point for _, point in placed])], ends), words="measured / claimed")
    style = {"confidence": row.policy.interval_confidence, "outside": ", out of regime", "unused": UNUSED}
    claim = Guide(Ink(CLAIMED, 1.2), "claimed", "claimed", axis="y", at=1.0)
    is_fitted = row.judgement.exponents.prefactor is not None
    title = f"{TITLE}{' with its prefactor fitted' if is_fitted else ''}"
    return Panel(x, y, [claim, *used_and_not(placed, **style)], title)


def _share(point: Point) -> Point:
    """A point in units of what is claimed there."""
    found = (point.measured, point.low, point.high)
    measured, low, high = (value / point.bound if value is not None and point.bound else None for value in found)
    return replace(point, bound=1.0, measured=measured, low=low, high=high)
