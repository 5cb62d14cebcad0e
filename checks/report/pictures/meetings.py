"""Where conditions hold together: a map over two letters whose cells say which condition fails there, if any does.

The two letters are those in most of the conditions; constants that a paper hides come last. All others stay at the
point that was found, or in the middle of their ranges where there is none. The map goes on to the ranges of other
conditions of the claim, and a frame shows its own. Values are floats: they show what was settled, and settle nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from checks.report.escape import drawn, plain
from checks.report.pictures.approaches import listed
from checks.report.pictures.boxes import Range, is_wide, number, point_of, spread
from checks.report.pictures.model import (
    FITTED,
    MEASURED,
    Band,
    Box,
    DataTable,
    Ink,
    Key,
    Mark,
    Panel,
    PanelAxis,
    Strokes,
    Trace,
)
from checks.report.pictures.tables import number_of
from checks.report.pictures.words import letter
from theory.display.formulas import unicode_line
from theory.lemma import Conditions
from theory.prover.expressions.floats import NO_FLOAT, array_modules, function_of

_CELLS = 32
"""Cells along each axis."""
_BEYOND = 1000.0
"""How far the map goes beyond the own ranges of the conditions, as a factor."""
_LOOKS = (("#CCCCCC", "//"), ("#EEEEEE", "xx"), ("#DDDDDD", "\\\\"), ("#BBBBBB", "||"), ("#F4F4F4", "--"))
"""Fill and hatch of cells in which a condition fails, in the order of the conditions."""
_NOWHERE = "no real value"
_LEGEND_CHARACTERS = 44


@dataclass(frozen=True, eq=False)
class Meeting:
    """Which conditions hold over two letters.

    Attributes:
        letters: along x and along y.
        edges: of the cells, ascending, one array (n + 1,) a letter.
        failing: of each cell (n along y, n along x) the number of the first condition that fails; -1 where all hold,
            and one more than the last where a side has no real value.
        own: the ranges of the conditions themselves.
        point: at which all were found to hold, by letter; {} for none. `kept`: where the other letters stay.
    """

    letters: tuple[sp.Symbol, sp.Symbol]
    edges: tuple[np.ndarray, np.ndarray]
    failing: np.ndarray
    own: tuple[Range, Range]
    point: Mapping[str, float]
    kept: Mapping[str, float]


def meeting_of(
    lemma: Conditions, record: str = "", *, beside: Sequence[Conditions] = (), constants: Collection[sp.Symbol] = ()
) -> Meeting | None:
    """The map of conditions; None where they have fewer than two letters that vary and are no whole
    numbers, or no floats.

    Args:
        record: the stored certificate; one that is malformed names no point.
        beside: further conditions of the claim, whose ranges the map spans too.
        constants: letters that are drawn only where there are no others.
    """
    letters = sorted(set().union(*(relation.free_symbols for relation in lemma.relations)), key=str)
    ends = {each: (number(low), number(high)) for each, (low, high) in lemma.box.items()}
    may_vary = [each for each in letters if not each.is_integer and ends[each][0] < ends[each][1]]
    uses = {each: sum(each in relation.free_symbols for relation in lemma.relations) for each in letters}
    may_vary.sort(key=lambda each: (each in constants, -uses[each], str(each)))
    if len(may_vary) < 2:
        return None
    shown = (may_vary[0], may_vary[1])
    point = point_of(record, letters)
    middle = np.array([0.5])
    place = {each: point.get(each.name, float(spread(ends[each], each, middle)[0])) for each in letters}
    shares = np.linspace(0.0, 1.0, _CELLS + 1)
    spans = [_hull(ends[each], [ends[each], *_ranges(each, beside)]) for each in shown]
    edges = tuple(spread(span, each, shares, place[each]) for span, each in zip(spans, shown, strict=True))
    x, y = (_middles(found) for found in edges)
    grid = dict(zip(shown, np.meshgrid(x, y), strict=True))
    failing = _failing(lemma, letters, [grid.get(each, place[each]) for each in letters], (len(y), len(x)))
    if failing is None or not (failing <= len(lemma.relations) - 1).any():
        return None
    kept = {each.name: place[each] for each in letters if each not in shown}
    return Meeting(shown, (edges[0], edges[1]), failing, (ends[shown[0]], ends[shown[1]]), point, kept)


def _ranges(each: sp.Symbol, beside: Sequence[Conditions]) -> list[Range]:
    boxes = [lemma.box for lemma in beside if each in lemma.box]
    return [(number(box[each][0]), number(box[each][1])) for box in boxes]


def _hull(own: Range, others: Sequence[Range]) -> Range:
    """A range that holds all of them, as far as that is at most a factor of `_BEYOND` beyond its own."""
    low, high = min(own[0], *(one for one, _ in others)), max(own[1], *(one for _, one in others))
    return (
        max(low, own[0] / _BEYOND) if own[0] > 0 else low,
        min(high, own[1] * _BEYOND) if own[1] > 0 else high,
    )


def _middles(edges: np.ndarray) -> np.ndarray:
    if is_wide(float(edges[0]), float(edges[-1])):
        return np.sqrt(edges[:-1] * edges[1:])
    return (edges[:-1] + edges[1:]) / 2


def _failing(
    lemma: Conditions, letters: Sequence[sp.Symbol], at: Sequence[object], shape: tuple[int, int]
) -> np.ndarray | None:
    """The number of the first condition that fails at each place."""
    sides = [side for relation in lemma.relations for side in relation.args]
    values = function_of(tuple(letters), sides, array_modules(sides))
    if values is None:
        return None
    try:
        with np.errstate(all="ignore"):
            found = [np.broadcast_to(np.asarray(side, dtype=float), shape) for side in values(*at)]
    except NO_FLOAT:
        return None
    failing = np.full(shape, -1)
    for at_relation, relation in reversed(list(enumerate(lemma.relations))):
        left, right = found[2 * at_relation], found[2 * at_relation + 1]
        is_below = isinstance(relation, sp.StrictLessThan | sp.LessThan)
        failing[~(left <= right if is_below else left >= right)] = at_relation
    failing[~np.isfinite(found).all(axis=0)] = len(lemma.relations)
    return failing


# -------------------------------------------------------------------------------------------------------------- drawing


def panel_of(lemma: Conditions, found: Meeting) -> Panel:
    """Cells in the look of what fails there, the frame of the own ranges, and the point."""
    words = [f"fails: {unicode_line(relation)}" for relation in lemma.relations] + [_NOWHERE]
    marks = _boxes(found, words)
    marks += [
        Key(_ink(state), label="all hold" if state < 0 else drawn(plain(words[state], _LEGEND_CHARACTERS)))
        for state in sorted({int(state) for state in found.failing.flat})
    ]
    marks += _frame(found)
    x, y = (each.name for each in found.letters)
    if x in found.point and y in found.point:
        ink = Ink(FITTED, dash="", fill=FITTED, shape="star", size=9, order=5)
        marks.append(Trace(ink, "point", "all hold here", xs=[found.point[x]], ys=[found.point[y]]))
    axes = [
        PanelAxis(letter(each.name), "log" if is_wide(edges[0], edges[-1]) else "linear", (edges[0], edges[-1]))
        for each, edges in zip(found.letters, found.edges, strict=True)
    ]
    return Panel(axes[0], axes[1], marks, boxed=True)


def _boxes(found: Meeting, words: Sequence[str]) -> list[Mark]:
    (across, up), marks = found.edges, []
    for column in range(found.failing.shape[1]):
        start = 0
        for state, run in itertools.groupby(found.failing[:, column].tolist()):
            end = start + len(list(run))
            place = {"left": float(across[column]), "right": float(across[column + 1])}
            said = "all hold" if state < 0 else words[state]
            marks.append(
                Box(_ink(state), "cell", **place, low=float(up[start]), high=float(up[end]), said=plain(said, 200))
            )
            start = end
    return marks


def _ink(state: int) -> Ink:
    if state < 0:
        return Ink(MEASURED, 0, fill="#9CC9E8")
    fill, hatch = _LOOKS[state % len(_LOOKS)]
    return Ink("#666666", 0, fill=fill, hatch=hatch)


def _frame(found: Meeting) -> list[Mark]:
    """The ranges in which this line asks for the conditions, where the map shows more."""
    (left, right), (low, high) = (
        (max(own[0], edges[0]), min(own[1], edges[-1])) for own, edges in zip(found.own, found.edges, strict=True)
    )
    if all(own == (edges[0], edges[-1]) for own, edges in zip(found.own, found.edges, strict=True)):
        return []
    ends = [(left, low, right, low), (left, high, right, high), (left, low, left, high), (right, low, right, high)]
    return [Strokes(Ink("black", 1.4, "dashed", order=4), "asked", "asked in this range", ends=ends)]


def band_of(lemma: Conditions, found: Meeting) -> Band:
    """The map with its values."""
    said = plain("; ".join(map(unicode_line, lemma.relations)), 400)
    share = float((found.failing < 0).mean())
    told = f"{lemma.name}: {said}; all hold in {share:.0%} of the cells that are shown"
    told += f", and at {listed(found.point, 6)}" if found.point else ""
    told += f"; a slice at {listed(found.kept)}" if found.kept else ""
    x, y = (_middles(edges)[::5] for edges in found.edges)
    names = [*(f"fails: {unicode_line(relation)}" for relation in lemma.relations), _NOWHERE, "all hold"]
    rows = tuple(
        (number_of(one), number_of(other), plain(names[int(found.failing[5 * row, 5 * column])], 120))
        for column, one in enumerate(x)
        for row, other in enumerate(y)
    )
    table = DataTable("Some of the cells", (*(each.name for each in found.letters), "what fails"), rows)
    panel = replace(panel_of(lemma, found), title=f"at {listed(found.kept)}" if found.kept else "")
    return Band(f"What it says: {lemma.name}", (panel,), told, most=1, data=(table,))
