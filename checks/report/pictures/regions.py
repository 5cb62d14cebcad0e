"""What a lemma over one or two letters says, drawn from its formula: both sides, or their difference, over its range.

Over one letter both sides stand in one picture. Over two it is the difference of the sides along the first letter, for
some values of the second, beside the line at zero that it may not cross. The point of a refutation is a star. Values
are floats: they show what was settled, and settle nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import sympy as sp

from checks.evidence.check import Check
from checks.records.rows import Row
from checks.report.escape import plain
from checks.report.pictures.model import (
    CLAIMED,
    FITTED,
    MEASURED,
    SERIES,
    UNUSED,
    Band,
    DataTable,
    Guide,
    Ink,
    Mark,
    Panel,
    PanelAxis,
    Trace,
)
from checks.report.pictures.pavings import records_of
from checks.report.pictures.tables import number_of
from checks.report.pictures.words import letter
from checks.statistics.verdict import Verdict
from sim.trials.trial import Trial
from theory.claim import Inequality, Role
from theory.display.formulas import unicode_line
from theory.prover.expressions.floats import NO_FLOAT, array_modules, function_of

_MOST_TITLE = 110
"""Characters of a relation that stands above its picture."""
_POINTS, _FEWEST = 49, 8
"""Points of a curve, and points without which a curve says nothing."""
_SETTLED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED)
_WIDE, _FAR = 100.0, 10.0
"""Ratio of the ends from which on an axis is logarithmic, and how far a range without an end is shown."""
Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Region:
    """Both sides of a relation on what is shown of its range.

    Attributes:
        letters: one or two.
        xs: values of the first letter (n,).
        sides: left and right (n,), by the value of the second letter, None where there is one letter alone. What fails
            a condition of the lemma is no number.
        goes_on: whether the range of the first letter ends where nothing is shown any more.
        point: of a refutation, by letter.
    """

    letters: tuple[sp.Symbol, ...]
    xs: np.ndarray
    sides: Mapping[float | None, tuple[np.ndarray, np.ndarray]]
    goes_on: bool
    point: Mapping[str, float]


def region_of(lemma: Inequality, record: str = "") -> Region | None:
    """The sides of a lemma; None where it has no letter, more than two, or values that are no floats.

    Args:
        record: the stored certificate; one that is malformed names no point, since pictures judge nothing.
    """
    own = set().union(*(one.free_symbols for one in (lemma.relation, *lemma.given)))
    letters = tuple(sorted(own, key=str))
    if len(letters) not in (1, 2):
        return None
    point = _point(record, letters)
    ends = [(_number(low), _number(high)) for low, high in (lemma.box[each] for each in letters)]
    grids = [
        _grid(pair, point.get(each.name), whole=each.is_integer is True)
        for pair, each in zip(ends, letters, strict=True)
    ]
    sides = _sides(
        lemma, letters, grids[0], _chosen(grids[1], point.get(letters[1].name)) if len(letters) == 2 else (None,)
    )
    return Region(letters, grids[0], sides, not math.isfinite(ends[0][1]), point) if sides else None


def _sides(
    lemma: Inequality, letters: Sequence[sp.Symbol], xs: np.ndarray, others: Sequence[float | None]
) -> dict[float | None, tuple[np.ndarray, np.ndarray]]:
    """Left and right along the first letter, for each value of the second that leaves enough of them."""
    expressions = [lemma.relation.lhs, lemma.relation.rhs, *lemma.given]
    function = function_of(letters, expressions, array_modules(expressions))
    found: dict[float | None, tuple[np.ndarray, np.ndarray]] = {}
    if function is None:
        return found
    for other in others:
        try:
            with np.errstate(all="ignore"):
                left, right, *given = function(xs, *([] if other is None else [other]))
                left, right = (np.broadcast_to(np.asarray(side, dtype=float), xs.shape) for side in (left, right))
        except NO_FLOAT:
            continue
        met = np.isfinite(left) & np.isfinite(right)
        for condition in given:
            met = met & np.asarray(condition, dtype=bool)
        if met.sum() >= _FEWEST:
            found[other] = (np.where(met, left, np.nan), np.where(met, right, np.nan))
    return found


def _point(record: str, letters: Sequence[sp.Symbol]) -> dict[str, float]:
    """The place of a refutation in these letters; {} where the record names none."""
    names = {sp.srepr(each): each.name for each in letters}
    try:
        rows = json.loads(record)["point"]
        return {names[text]: float(Fraction(value)) for text, value in rows if text in names}
    except (ValueError, TypeError, KeyError, OverflowError, ZeroDivisionError, RecursionError):
        return {}


def _number(end: sp.Expr | int) -> float:
    return float(sp.N(sp.sympify(end, strict=True)))  # beyond floats it is an infinity


def _grid(ends: Range, at: float | None, *, whole: bool) -> np.ndarray:
    """Values that are shown of a letter, evenly by their logarithm where its range is wide; a point is among them."""
    low = ends[0] if math.isfinite(ends[0]) else -_FAR
    high = ends[1] if math.isfinite(ends[1]) else max(_FAR, 2 * abs(low), 2 * abs(at or 0.0))
    spread = np.geomspace if low > 0 and high >= _WIDE * low else np.linspace
    grid = spread(low, high, _POINTS) if high > low else np.array([low])
    grid = np.append(np.round(grid) if whole else grid, [] if at is None else [at])
    return np.unique(grid)


def _chosen(grid: np.ndarray, at: float | None) -> tuple[float, ...]:
    """Values of the second letter: that of a refutation, or one near each end and the middle."""
    if at is not None:
        return (at,)
    return tuple(dict.fromkeys(float(grid[round(share * (len(grid) - 1))]) for share in (0.1, 0.5, 0.9)))


# -------------------------------------------------------------------------------------------------------------- drawing


def panel_of(region: Region) -> Panel:
    """Both sides over one letter, or left less right over the first of two."""
    marks: list[Mark] = []
    if None in region.sides:
        ways = (("left side", Ink(MEASURED)), ("right side", Ink(CLAIMED, 1.5, "dashed")))
        for (words, ink), side in zip(ways, region.sides[None], strict=True):
            marks.append(Trace(ink, "side", words, xs=region.xs.tolist(), ys=side.tolist()))
    else:
        second = letter(region.letters[1].name)
        for number, (other, (left, right)) in enumerate(region.sides.items()):
            ink, gap = Ink(SERIES[number], 1.5, ("solid", "dashed", "dotted")[number]), (left - right).tolist()
            marks.append(Trace(ink, "difference", f"{second} = {other:.3g}", xs=region.xs.tolist(), ys=gap))
        marks.append(Guide(Ink(UNUSED, 0.8, "dotted"), "zero", axis="y", at=0.0))
    marks += _star(region)
    heights = [y for mark in marks if isinstance(mark, Trace) for y in mark.ys if math.isfinite(y)]
    words = letter(region.letters[0].name) + (", on to ∞" if region.goes_on else "")
    x = PanelAxis(words, _scale(region.xs.tolist()))
    y = PanelAxis("both sides" if None in region.sides else "left side less right side", _scale(heights))
    return Panel(x, y, marks)


def _star(region: Region) -> list[Mark]:
    """Where the refutation is, on the left side or on the difference."""
    at = region.point.get(region.letters[0].name)
    if at is None:
        return []
    other = None if len(region.letters) == 1 else region.point.get(region.letters[1].name)
    if other not in region.sides:
        return []
    left, right = region.sides[other]
    height = left if other is None else left - right
    (found,) = np.flatnonzero(region.xs == at)
    ink = Ink(FITTED, dash="", fill=FITTED, shape="star", size=9)
    return [Trace(ink, "refuted", "refuted here", xs=[at], ys=[float(height[found])])]


def _scale(values: Sequence[float]) -> str:
    return "log" if min(values) > 0 and max(values) >= _WIDE * min(values) else "linear"


def bands(check: Check, rows: Sequence[Row], trials: Mapping[str, Trial]) -> list[Band]:
    """A band for the lemma of a claim that matters most and can be drawn: a refuted one, one of its statement."""
    settled = [one for one in records_of(check, rows, trials) if one[1].verdict in _SETTLED]
    settled.sort(key=lambda one: (one[1].role is not Role.STATEMENT, one[1].verdict is not Verdict.REFUTED))
    for part, _, record in settled:
        if isinstance(part.lemma, Inequality) and (region := region_of(part.lemma, record)) is not None:
            conditions = "; ".join(map(unicode_line, part.lemma.given))
            said = unicode_line(part.lemma.relation) + (f" where {conditions}" if conditions else "")
            return [band_of(part.name, region, plain(said, 400))]
    return []


def band_of(name: str, region: Region, said: str) -> Band:
    """The picture of a lemma with its values.

    Args:
        said: the relation, with its conditions, as text.
    """
    every = 1 if len(region.sides) == 1 else 4
    rows = [
        tuple(map(number_of, (x, *([] if other is None else [other]), one, two)))
        for other, (left, right) in region.sides.items()
        for x, one, two in zip(region.xs[::every], left[::every], right[::every], strict=True)
        if math.isfinite(one)
    ]
    columns = (*(each.name for each in region.letters), "left side", "right side")
    at = ", ".join(f"{n} = {value:.6g}" for n, value in region.point.items())
    told = f"{name}: {said}" + (f"; refuted at {at}" if at else "")
    panel = replace(panel_of(region), title=said if len(said) <= _MOST_TITLE else "")
    return Band(f"What it says: {name}", (panel,), told, most=1, data=(DataTable("Sides", columns, tuple(rows)),))
