"""What a finite range shows of a formula: local slopes, not exponents.

d log(d) has exponent 1, and every local slope of it on 16..256 lies in [1.18, 1.37]. A least-squares slope, on any
grid and with any weights, is a weighted mean of the slopes between pairs of points, and each of these is a mean of
local slopes in between. So a rigorous enclosure of the local slopes over a box speaks of every sweep inside it: no
measurement of the formula, without noise, can show a slope outside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp

from theory.asymptotics.cross_check import enclose
from theory.intervals.arithmetic import NoEnclosure, RigorousInterval
from theory.intervals.box import Box, VariableRange, exact, middle, number
from theory.intervals.centered_forms import Sharpened

_MAX_CUTS = 600
_SLACK = 0.01


@dataclass(frozen=True)
class SlopeRange:
    """Certified enclosure [low, high] of every local slope d log(expr) / d log(symbol) on a box."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"[{self.low:.3g}, {self.high:.3g}]"


def slope_range(expr: sp.Expr, symbol: sp.Symbol, box: Mapping[sp.Symbol, tuple[Any, Any]]) -> SlopeRange:
    """Enclose every local slope of log(expr) against log(symbol) on a box of the other symbols too.

    The derivative is exact. Interval arithmetic is refined by bisection until the enclosure is within 1 % of what
    points inside already show, or 600 pieces are spent; both ends are rigorous either way.

    Args:
        box: {symbol: (low, high)}, exact; equal ends fix a symbol. `symbol` itself must be positive on it.

    Raises:
        ValueError: a symbol has no range, a range is empty or inexact, or the slope may be undefined on the box.
    """
    expression = sp.sympify(expr)
    ranges = _ranges(expression, symbol, box)
    logarithm = sp.expand_log(sp.log(expression), force=True)
    slope = symbol * sp.diff(logarithm, symbol)
    fixed = {s: exact(r.low) for s, r in ranges.items() if r.is_point}
    moving = {s: r for s, r in ranges.items() if not r.is_point}
    try:
        value = Sharpened(slope.subs(fixed), tuple(moving))
    except NoEnclosure as error:
        raise ValueError(f"expr must have slopes that can be enclosed, got {expression}: {error}") from None
    with flint.ctx.workprec(96):
        found = _refined(value, moving)
    if not found.is_finite:
        raise ValueError(f"expr must have a finite slope on the box, got {expression}")
    return SlopeRange(*found.outward())


def _refined(value: Sharpened, box: Box) -> RigorousInterval:
    """Bisect the piece with the lowest or the highest enclosure until points inside come close to it."""
    pieces = [(box, value.enclose(box))]
    seen = [value.enclose(_point(box, lambda r: r.low)), value.enclose(_point(box, lambda r: r.high))]
    for _ in range(_MAX_CUTS if box else 0):
        bottom, top = min(pieces, key=lambda p: p[1].lo), max(pieces, key=lambda p: p[1].hi)
        inner_low, inner_high = min(s.lo for s in seen), max(s.hi for s in seen)
        slack = _SLACK * max(0.1, float(max(abs(inner_low), abs(inner_high))))
        wide = [p for p, gap in ((bottom, inner_low - bottom[1].lo), (top, top[1].hi - inner_high)) if not gap < slack]
        if not wide:
            break
        piece = wide[0][0]
        seen.append(value.enclose(_point(piece, middle)))
        value.enclose(piece)
        symbol = value.side_to_cut(piece)
        at, r = middle(piece[symbol]), piece[symbol]
        halves = [piece | {symbol: VariableRange(r.low, at)}, piece | {symbol: VariableRange(at, r.high)}]
        pieces = [p for p in pieces if p[0] is not piece] + [(half, value.enclose(half)) for half in halves]
    return RigorousInterval(min(p[1].lo for p in pieces), max(p[1].hi for p in pieces))


def _point(box: Box, place: Any) -> Box:
    return {symbol: VariableRange(place(r), place(r)) for symbol, r in box.items()}


def _ranges(expression: sp.Expr, symbol: sp.Symbol, box: Mapping[sp.Symbol, tuple[Any, Any]]) -> Box:
    """The box with exact finite ends. Raises ValueError."""
    missing = sorted(str(s) for s in (expression.free_symbols | {symbol}) - set(box))
    if missing:
        raise ValueError(f"box must contain every symbol, got none for {', '.join(missing)}")
    ranges = {}
    for key, ends in box.items():
        low, high = map(sp.Rational, ends)
        if not low <= high:
            raise ValueError(f"box must have low <= high, got ({low}, {high}) for {key}")
        ranges[key] = VariableRange(number(low), number(high))
    if not ranges[symbol].low > 0:
        raise ValueError(f"box must be positive for {symbol}, got {exact(ranges[symbol].low)}")
    return ranges


def local_slope_range(
    expr: sp.Expr, symbol: sp.Symbol, interval: Sequence[Any], fixed: Mapping[sp.Symbol, Any] | None = None
) -> SlopeRange:
    """Enclose d log(expr) / d log(symbol) on [min(interval), max(interval)], the other symbols `fixed`.

    Raises:
        ValueError: a symbol has no value, the interval is not positive, or the slope is undefined on it.
    """
    low, high = sp.Rational(min(interval)), sp.Rational(max(interval))
    if not 0 < low <= high:
        raise ValueError(f"interval must be positive, got [{low}, {high}]")
    values = {key: sp.Rational(value) for key, value in (fixed or {}).items()}
    _all_fixed(expr, symbol, values)
    return slope_range(expr, symbol, {symbol: (low, high)} | {key: (value, value) for key, value in values.items()})


def _all_fixed(expr: sp.Expr, symbol: sp.Symbol, values: Mapping) -> None:
    """Raise ValueError unless every other symbol of `expr` has a value."""
    missing = sorted(str(s) for s in sp.sympify(expr).free_symbols - set(values) - {symbol})
    if missing:
        raise ValueError(f"fixed must give every symbol but {symbol} a value, got none for {', '.join(missing)}")


def grid_exponent(
    expr: sp.Expr, symbol: sp.Symbol, values: Sequence[Any], fixed: Mapping[sp.Symbol, Any] | None = None
) -> float:
    """Least-squares slope of log(expr) against log(symbol) on a grid: what a finite grid shows of the exponent.

    d log(d) has exponent 1 and slope 1.25 on 16..256; measurements are compared with the latter.

    Raises:
        ValueError: fewer than two distinct positive grid values, a symbol without value, or expr <= 0 on the grid.
    """
    grid = [sp.Rational(value) for value in values]
    if len(set(grid)) < 2 or min(grid) <= 0:
        raise ValueError(f"values must be at least two distinct positive numbers, got {list(values)}")
    given = {key: sp.Rational(value) for key, value in (fixed or {}).items()}
    _all_fixed(expr, symbol, given)
    logarithms = []
    for value in grid:
        enclosure = enclose(sp.log(sp.sympify(expr)), {**given, symbol: value}, bits=128)
        if enclosure is None:
            raise ValueError(f"expr must be > 0 on the grid, got {expr} at {symbol} = {value}")
        logarithms.append(float(enclosure.lo))
    xs = [math.log(value) for value in grid]
    mean_x, mean_y = sum(xs) / len(xs), sum(logarithms) / len(xs)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, logarithms, strict=True))
    return covariance / sum((x - mean_x) ** 2 for x in xs)
