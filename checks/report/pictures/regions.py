"""What a lemma says, drawn from its formula: both sides, or their difference, over its range.

Over one letter both sides stand in one picture. Over two it is the difference of the sides along the first letter, for
some values of the second, beside the line at zero that it may not cross. Over more letters it is a slice: the others
stay at the point of a refutation, or where the sides come nearest to each other of the places tried. The point of a
refutation is a star; both sides are drawn where they show it. Constants that may be chosen are those that the proof
chose. Conditions are a map of where they hold together (`meetings`), one on a single letter is drawn by its sides, and
an equation that holds is one curve drawn twice. Values are floats: they show what was settled, and settle nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy as sp

from checks.evidence.check import Check, claim_headline
from checks.evidence.proofs import Proof
from checks.records.rows import Row
from checks.report.escape import plain
from checks.report.pictures import approaches, meetings
from checks.report.pictures.approaches import listed, scale
from checks.report.pictures.boxes import Range, number, point_of, spread
from checks.report.pictures.model import (
    CLAIMED,
    FITTED,
    MEASURED,
    SERIES,
    SHAPES,
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
from theory.claim import Claim, Conditions, ForSome, Identity, Inequality, Lemma, Limit, Role
from theory.display.formulas import unicode_line
from theory.prover.expressions.floats import NO_FLOAT, array_modules, function_of

_MOST_TITLE = 110
"""Characters of a relation that stands above its picture."""
_LEFT, _RIGHT = sp.Symbol("left side"), sp.Symbol("right side")
_POINTS, _FEWEST = 49, 8
"""Points of a curve, and points without which a curve says nothing."""
_SETTLED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED, Verdict.SATISFIABLE, Verdict.INCONSISTENT)
_SEEN = 0.05
"""Of the height of a picture, from which on a gap between two curves is seen."""
_TRIED, _KEPT = 512, 8
"""Places that are tried for a slice, and how many of the nearest are looked at until one of them shows enough."""
Values = Callable[..., list[Any]]
"""Left side, right side and conditions, as a function of all letters."""


@dataclass(frozen=True, eq=False)
class Region:
    """Both sides of a relation on what is shown of its range.

    Attributes:
        letters: one or two that vary.
        xs: values of the first letter (n,).
        sides: left and right (n,), by the value of the second letter, None where there is one letter alone. What fails
            a condition of the lemma is no number.
        goes_on: whether the range of the first letter ends where nothing is shown any more.
        point: of a refutation, by letter.
        kept: the letters that stay, with their values.
        is_one: whether the sides are equal everywhere, so that both are drawn and not their difference.
    """

    letters: tuple[sp.Symbol, ...]
    xs: np.ndarray
    sides: Mapping[float | None, tuple[np.ndarray, np.ndarray]]
    goes_on: bool
    point: Mapping[str, float]
    kept: Mapping[str, float] = field(default_factory=dict)
    is_one: bool = False


def region_of(lemma: Inequality | Identity, record: str = "", *, last: Collection[sp.Symbol] = ()) -> Region | None:
    """The sides of a lemma; None where it has no letter, or values that are no floats.

    Args:
        record: the stored certificate; one that is malformed names no point, since pictures judge nothing.
        last: letters that vary in the picture only where there are no others.
    """
    box = lemma.ranges if isinstance(lemma, Identity) else lemma.box
    expressions = [lemma.relation.lhs, lemma.relation.rhs, *lemma.given]
    used = set().union(*(one.free_symbols for one in expressions))
    letters = tuple(sorted(used, key=lambda each: (each in last, _has_few(box[each], each), str(each))))
    values = function_of(letters, expressions, array_modules(expressions))
    if not letters or values is None:
        return None
    point = point_of(record, letters)
    ends = [(number(low), number(high)) for low, high in (box[each] for each in letters)]
    is_whole = len(letters) <= 2 or len(point) == len(letters)
    for place in [point] if is_whole else _nearest(values, letters, ends):
        if sides := _slice(values, letters, ends, place, is_found=bool(point)):
            kept = {each.name: place[each.name] for each in letters[2:]}
            return Region(
                letters[:2], _grid(ends[0], letters[0], place), sides, not math.isfinite(ends[0][1]), point, kept
            )
    return None


def _has_few(ends: tuple[sp.Expr | int, sp.Expr | int], letter: sp.Symbol) -> bool:
    """Whether a whole number has too few values for a curve."""
    low, high = number(ends[0]), number(ends[1])
    return bool(letter.is_integer) and math.isfinite(high - low) and high - low + 1 < _FEWEST


def _slice(
    values: Values, letters: Sequence[sp.Symbol], ends: Sequence[Range], place: Mapping[str, float], *, is_found: bool
) -> dict[float | None, tuple[np.ndarray, np.ndarray]]:
    """Left and right along the first letter, for each value of the second that leaves enough of them.

    Args:
        place: values of letters that stay, and of others that are to be among those shown.
        is_found: whether the second letter stays, too, at the point of a refutation.
    """
    xs, others = _grid(ends[0], letters[0], place), (None,)
    if len(letters) > 1:
        others = _chosen(_grid(ends[1], letters[1], place), place.get(letters[1].name), is_found=is_found)
    found: dict[float | None, tuple[np.ndarray, np.ndarray]] = {}
    for other in others:
        at = [xs, *([] if other is None else [other]), *(place[each.name] for each in letters[2:])]
        left, right = _sides(values, at, xs.shape)
        if np.isfinite(left).sum() >= _FEWEST:
            found[other] = (left, right)
    return found


def _sides(values: Values, at: Sequence[Any], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Both sides at some places; no number where one has no float or a condition fails."""
    try:
        with np.errstate(all="ignore"):
            left, right, *given = values(*at)
            left, right = (np.broadcast_to(np.asarray(side, dtype=float), shape) for side in (left, right))
    except NO_FLOAT:
        return np.full(shape, np.nan), np.full(shape, np.nan)
    met = np.isfinite(left) & np.isfinite(right)
    for condition in given:
        met = met & np.asarray(condition, dtype=bool)
    return np.where(met, left, np.nan), np.where(met, right, np.nan)


def _nearest(values: Values, letters: Sequence[sp.Symbol], ends: Sequence[Range]) -> list[dict[str, float]]:
    """Places in the box at which the sides are nearest to each other for their size, the nearest first.

    They are spread evenly by multiples of powers of the root of x^(n+1) = x + 1 [Roberts 2018].
    """
    root = 2.0
    for _ in range(50):
        root = (1 + root) ** (1 / (len(letters) + 1))
    shares = (0.5 + np.outer(root ** -np.arange(1.0, len(letters) + 1), np.arange(1, _TRIED + 1))) % 1
    tried = [spread(pair, each, share) for pair, each, share in zip(ends, letters, shares, strict=True)]
    left, right = _sides(values, tried, (_TRIED,))
    with np.errstate(all="ignore"):
        gaps = np.abs(left - right) / (np.abs(left) + np.abs(right))
    best = [at for at in np.argsort(gaps)[:_KEPT] if np.isfinite(gaps[at])]
    return [{each.name: float(column[at]) for each, column in zip(letters, tried, strict=True)} for at in best]


def _grid(ends: Range, letter: sp.Symbol, place: Mapping[str, float]) -> np.ndarray:
    """Values that are shown of a letter; that of a place is among them."""
    at = place.get(letter.name)
    found = spread(ends, letter, np.linspace(0.0, 1.0, _POINTS), at or 0.0)
    return np.unique(np.append(found, [] if at is None else [at]))


def _chosen(grid: np.ndarray, at: float | None, *, is_found: bool) -> tuple[float, ...]:
    """Values of the second letter: that of a refutation, or one near each end and one between, that of a slice."""
    if at is not None and is_found:
        return (at,)
    near = [float(grid[round(share * (len(grid) - 1))]) for share in (0.1, 0.5, 0.9)]
    return tuple(dict.fromkeys(near if at is None else sorted([near[0], at, near[2]])))


# -------------------------------------------------------------------------------------------------------------- drawing


def panel_of(region: Region) -> Panel:
    """Both sides over one letter, or left less right over the first of two."""
    marks: list[Mark] = []
    shows_both = region.is_one or _shows_both(region)
    if region.is_one:
        marks += _one_curve(region)
    elif shows_both:
        (sides,) = region.sides.values()
        ways = (("left side", Ink(MEASURED)), ("right side", Ink(CLAIMED, 1.5, "dashed")))
        for (words, ink), side in zip(ways, sides, strict=True):
            marks.append(Trace(ink, "side", words, xs=region.xs.tolist(), ys=side.tolist()))
    else:
        second = letter(region.letters[1].name)
        for at, (other, (left, right)) in enumerate(region.sides.items()):
            ink, gap = Ink(SERIES[at], 1.5, ("solid", "dashed", "dotted")[at]), (left - right).tolist()
            marks.append(Trace(ink, "difference", f"{second} = {other:.3g}", xs=region.xs.tolist(), ys=gap))
        marks.append(Guide(Ink(UNUSED, 0.8, "dotted"), "zero", axis="y", at=0.0))
    marks += _star(region)
    heights = [y for mark in marks if isinstance(mark, Trace) for y in mark.ys if math.isfinite(y)]
    words = letter(region.letters[0].name) + (", on to ∞" if region.goes_on else "")
    x = PanelAxis(words, scale(region.xs.tolist()))
    return Panel(x, PanelAxis("both sides" if shows_both else "left side less right side", scale(heights)), marks)


def _shows_both(region: Region) -> bool:
    """Whether both sides are drawn, and not their difference: over one letter, or where they show a refutation."""
    if None in region.sides:
        return True
    at, (found, *more) = region.point.get(region.letters[0].name), region.sides.values()
    if at is None or more:
        return False
    heights = np.concatenate(found)
    gap = np.abs(found[0] - found[1])[region.xs == at]
    return bool(gap.size and gap[0] >= _SEEN * np.ptp(heights[np.isfinite(heights)]))


def _one_curve(region: Region) -> list[Mark]:
    """The left side as a line and the right side as rings on it, for each value of the second letter."""
    marks: list[Mark] = []
    for at, (other, (left, right)) in enumerate(region.sides.items()):
        words = "" if other is None else f", {letter(region.letters[1].name)} = {other:.3g}"
        ink = Ink(SERIES[at], 1.5, ("solid", "dashed", "dotted")[at])
        rings = Ink(SERIES[at], dash="", shape=SHAPES[at], fill="white", size=5.0)
        marks.append(Trace(ink, "side", f"left side{words}", xs=region.xs.tolist(), ys=left.tolist()))
        marks.append(Trace(rings, "side", f"right side{words}", xs=region.xs[::4].tolist(), ys=right[::4].tolist()))
    return marks


def _star(region: Region) -> list[Mark]:
    """Where the refutation is, on the left side or on the difference."""
    at = region.point.get(region.letters[0].name)
    if at is None:
        return []
    other = None if len(region.letters) == 1 else region.point.get(region.letters[1].name)
    if other not in region.sides:
        return []
    left, right = region.sides[other]
    height = left if _shows_both(region) else left - right
    (found,) = np.flatnonzero(region.xs == at)
    ink = Ink(FITTED, dash="", fill=FITTED, shape="star", size=9)
    return [Trace(ink, "refuted", "refuted here", xs=[at], ys=[float(height[found])])]


def bands(check: Check, rows: Sequence[Row], trials: Mapping[str, Trial]) -> list[Band]:
    """A band for the lemma of a claim that matters most and can be drawn: what decides, else one of its statement.

    An equation that holds, whose sides are one curve, is drawn where it decides or nothing else can be.
    """
    decisive = claim_headline(rows).decisive if rows else None
    records = {part.name: record for part, _, record in records_of(check, rows, trials)}
    by_part = {row.part: row for row in rows if row.verdict in _SETTLED}
    settled = [(part, by_part[part.name]) for part in check.parts if isinstance(part, Proof) and part.name in by_part]
    settled.sort(
        key=lambda one: (
            one[1] is not decisive,
            one[1].role is not Role.STATEMENT,
            one[1].verdict is not Verdict.REFUTED,
        )
    )
    for is_last in (False, True):
        for part, row in settled:
            is_drawn_twice = is_last or row is decisive
            band = _band_of(check.claim, part.lemma, records.get(part.name, ""), row, equations=is_drawn_twice)
            if band is not None:
                return [band]
    return []


def _ranges(lemmas: Sequence[Lemma]) -> dict[sp.Symbol, Range]:
    """Letters with the first range that a lemma gives each."""
    boxes = [lemma.box for lemma in lemmas if isinstance(lemma, Inequality | Identity | ForSome)]
    return {each: (number(low), number(high)) for box in reversed(boxes) for each, (low, high) in box.items()}


def _band_of(claim: Claim, lemma: Lemma, record: str, row: Row, *, equations: bool) -> Band | None:
    """The picture of one lemma; None where there is none.

    Args:
        equations: whether an equation that holds is drawn.
    """
    if isinstance(lemma, Limit):
        way = approaches.approach_of(lemma, _ranges(claim.lemmas))
        return approaches.band_of(lemma, way) if way is not None else None
    if isinstance(lemma, Conditions):
        beside = [other for other in claim.lemmas if isinstance(other, Conditions)]
        constants = {constant.symbol for constant in claim.constants}
        found = meetings.meeting_of(lemma, record, beside=beside, constants=constants)
        if found is not None or len(lemma.relations) > 1:
            return meetings.band_of(lemma, found) if found is not None else None
        lemma = Inequality(lemma.name, lemma.relations[0], lemma.box)
    chosen: tuple[sp.Symbol, ...] = ()
    if isinstance(lemma, ForSome):
        chosen = tuple(lemma.constants)
        lemma, record = _as_chosen(lemma, record) or _as_open(lemma) or lemma, ""
    holds = isinstance(lemma, Identity) and row.verdict is not Verdict.REFUTED
    if not isinstance(lemma, Inequality | Identity) or (holds and not equations):
        return None
    region = region_of(lemma, record, last=chosen or [constant.symbol for constant in claim.constants])
    if region is None:
        return None
    conditions = "; ".join(map(unicode_line, lemma.given))
    said = unicode_line(lemma.relation) + (f" where {conditions}" if conditions else "")
    briefly = unicode_line(type(lemma.relation)(_LEFT, _RIGHT, evaluate=False))
    return band_of(lemma.name, replace(region, is_one=holds), plain(said, 400), briefly=briefly)


def _as_chosen(lemma: ForSome, record: str) -> Inequality | None:
    """The first relation at the constants that a proof chose; None where the record names none."""
    try:
        rows = dict(json.loads(record)["choice"])
        chosen = {each: sp.Rational(rows[sp.srepr(each)]) for each in lemma.constants}
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    relation, *given = (one.subs(chosen) for one in (lemma.relations[0], *lemma.given))
    at = ", ".join(f"{each} = {value}" for each, value in chosen.items())
    return Inequality(f"{lemma.name}, at {at}", relation, lemma.box, tuple(given))


def _as_open(lemma: ForSome) -> Inequality | None:
    """The one relation with the constants among the letters: a slice has those with which the sides come nearest."""
    if len(lemma.relations) != 1:
        return None
    return Inequality(lemma.name, lemma.relations[0], {**lemma.box, **lemma.constants}, (*lemma.given, *lemma.such))


def band_of(name: str, region: Region, said: str, *, briefly: str = "") -> Band:
    """The picture of a lemma with its values.

    Args:
        said: the relation, with its conditions, as text.
        briefly: what stands above the picture where that is too long.
    """
    every = 1 if len(region.sides) == 1 else 4
    rows = [
        tuple(map(number_of, (x, *([] if other is None else [other]), one, two)))
        for other, (left, right) in region.sides.items()
        for x, one, two in zip(region.xs[::every], left[::every], right[::every], strict=True)
        if math.isfinite(one)
    ]
    columns = (*(each.name for each in region.letters), "left side", "right side")
    told = f"{name}: {said}" + (f"; refuted at {listed(region.point, 6)}" if region.point else "")
    if region.kept and not region.point:
        told += f"; a slice at {listed(region.kept)}"
        told += "" if region.is_one else f", near where the sides come nearest of {_TRIED} places tried"
    above = [said] if len(said) <= _MOST_TITLE else [f"asked: {briefly}"] if briefly else []
    second = next(iter(region.sides)) if _shows_both(region) else None
    stays = {} if second is None else {region.letters[1].name: second}
    above += [f"at {listed({**stays, **region.kept})}"] if stays or region.kept else []
    panel = replace(panel_of(region), title=", ".join(above))
    return Band(f"What it says: {name}", (panel,), told, most=1, data=(DataTable("Sides", columns, tuple(rows)),))
