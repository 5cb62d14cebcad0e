"""What a limit says, drawn from its formula: the expression on the way to the point, beside the value it tends to.

The way goes on until the expression is within a hundredth of its value, or as far as floats do. Letters beside the one
that tends stay at one value each, within the range that another lemma of the claim has for them, since a limit says
none. Values are floats: they settle nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp

from checks.report.escape import plain
from checks.report.pictures.model import CLAIMED, MEASURED, Band, DataTable, Guide, Ink, Mark, Panel, PanelAxis, Trace
from checks.report.pictures.tables import number_of
from checks.report.pictures.words import letter
from theory.display.formulas import unicode_line
from theory.lemma import Limit
from theory.prover.expressions.floats import NO_FLOAT, array_modules, function_of

_POINTS, _FEWEST = 49, 8
_DECADES = 15
"""Powers of ten that a way is at most long: 1 to 10^15 toward infinity, 1 to 10^-15 of a distance."""
_NEAR = 0.01
_WIDE = 100.0
_MOST_TITLE = 110
Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class LimitWay:
    """An expression on its way.

    Attributes:
        xs: where it is looked at (n,). ys: its values there (n,).
        value: what it tends to; an infinity for one.
        kept: the other letters, with their values.
    """

    xs: np.ndarray
    ys: np.ndarray
    value: float
    kept: Mapping[str, float]


def approach_of(lemma: Limit, ranges: Mapping[sp.Symbol, Range] = {}) -> LimitWay | None:
    """The way of a limit; None where its expression has too few floats on it.

    Args:
        ranges: of letters, as other lemmas have them.
    """
    letters = sorted(lemma.expression.free_symbols | lemma.value.free_symbols | {lemma.symbol}, key=str)
    function = function_of(letters, [lemma.expression, lemma.value], array_modules([lemma.expression]))
    if function is None:
        return None
    kept = {each: _usual(each, ranges.get(each)) for each in letters if each != lemma.symbol}
    xs = _way(lemma.symbol, float(lemma.point))
    try:
        with np.errstate(all="ignore"):
            ys, value = function(*(xs if each == lemma.symbol else kept[each] for each in letters))
            ys, value = np.broadcast_to(np.asarray(ys, dtype=float), xs.shape), float(np.ravel(value)[-1])
    except NO_FLOAT:
        return None
    is_shown = np.isfinite(ys)
    xs, ys = xs[is_shown], ys[is_shown]
    size = abs(value) if math.isfinite(value) and value else abs(ys[0]) if len(ys) else 1.0
    near = np.flatnonzero(np.abs(ys - value) <= _NEAR * size)
    far = int(near[0]) + _FEWEST if len(near) and math.isfinite(value) else len(xs)
    names = {each.name: at for each, at in kept.items()}
    return LimitWay(xs[:far], ys[:far], value, names) if len(xs[:far]) >= _FEWEST else None


def _usual(each: sp.Symbol, ends: Range | None) -> float:
    """A value of a letter: the middle of its range, twice the lower end of one without an end, else 1/2 or 2."""
    if ends is None or not math.isfinite(ends[0]):
        return 2.0 if each.is_integer or not each.is_positive else 0.5
    middle = (ends[0] + ends[1]) / 2 if math.isfinite(ends[1]) else 2 * max(ends[0], 0.5)
    return float(round(middle)) if each.is_integer else middle


def _way(symbol: sp.Symbol, point: float) -> np.ndarray:
    """Places on the way to a point, four a power of ten; to a finite one from above unless its letter is negative."""
    steps = 10.0 ** np.linspace(0, _DECADES, 4 * _DECADES + 1)
    if math.isinf(point):
        return math.copysign(1.0, point) * (np.unique(np.round(steps)) if symbol.is_integer else steps)
    return point + (-1 / steps if symbol.is_negative else 1 / steps)


def band_of(lemma: Limit, found: LimitWay) -> Band:
    """The picture of a limit with its values."""
    said = f"{unicode_line(lemma.expression)} → {unicode_line(lemma.value)} as {lemma.symbol} → {_end(lemma.point)}"
    said = plain(said, 400)
    above = [said] if len(said) <= _MOST_TITLE else []
    above += [f"at {listed(found.kept)}"] if found.kept else []
    marks: list[Mark] = [Trace(Ink(MEASURED), "side", "expression", xs=found.xs.tolist(), ys=found.ys.tolist())]
    heights = found.ys.tolist()
    if math.isfinite(found.value):
        ink = Ink(CLAIMED, 1.2, "dashed")
        marks.append(Guide(ink, "claimed", f"the value {found.value:.4g}", axis="y", at=found.value))
        heights.append(found.value)
    x = PanelAxis(f"{letter(lemma.symbol.name)} → {_end(lemma.point)}", scale(found.xs.tolist()))
    panel = Panel(x, PanelAxis("the expression", scale(heights)), marks, title=", ".join(above))
    rows = tuple((number_of(x), number_of(y)) for x, y in zip(found.xs, found.ys, strict=True))
    told = f"{lemma.name}: {said}" + (f"; shown at {listed(found.kept)}" if found.kept else "")
    table = DataTable("On the way", (lemma.symbol.name, "the expression"), rows)
    return Band(f"What it says: {lemma.name}", (panel,), told, most=1, data=(table,))


def _end(point: sp.Expr) -> str:
    return unicode_line(sp.sympify(point))


def listed(at: Mapping[str, float], digits: int = 4) -> str:
    """Letters with their values."""
    return ", ".join(f"{name} = {value:.{digits}g}" for name, value in at.items())


def scale(values: list[float]) -> str:
    """The scale of an axis that holds values: logarithmic where they are positive and span two powers of ten."""
    return "log" if min(values) > 0 and max(values) >= _WIDE * min(values) else "linear"
