"""Values of expressions at random points of a goal, in floats: what they propose, certified steps decide."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.intervals.box import Box, approximate
from theory.prover.expressions.floats import NO_FLOAT, function_of
from theory.prover.goal import Goal

_SEED, _POINTS = 20221005, 400
_MISSING = {
    "Heaviside": lambda x, at_zero: (x > 0) + at_zero * (x == 0), "sign": lambda x: (x > 0) - (x < 0),
    "factorial": lambda x: math.gamma(x + 1),
}  # fmt: skip
"""What the module math lacks: slopes of max and |.|, and factorials of all numbers."""
_SMALL = 1e-13

Point = tuple[float, ...]


@lru_cache(maxsize=4096)
def compiled(expression: sp.Expr, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Any] | None:
    """An expression as a function of floats, or None where a part of it has none."""
    return function_of(symbols, expression, [_MISSING, "math"])


def value(expression: sp.Expr, symbols: tuple[sp.Symbol, ...], point: Point) -> float:
    """The value at a point; not a number where there is none."""
    function = compiled(expression, symbols)
    if function is None:
        return math.nan
    if len(point) != len(symbols):
        raise ValueError(f"point must have {len(symbols)} numbers, got {len(point)}")
    try:
        return float(function(*point))
    except NO_FLOAT:
        return math.nan


def points(goal: Goal, count: int = 60) -> list[Point]:
    """Random points of the box at which the givens hold, as far as floats tell."""
    symbols = tuple(goal.box)
    generator, found = random.Random(_SEED), []
    ends = [(approximate(r.low), approximate(r.high)) for r in goal.box.values()]
    for _ in range(_POINTS):
        point = tuple(_drawn(low, high, generator) for low, high in ends)
        if all(value(g.expression, symbols, point) >= 0 for g in goal.given):
            found.append(point)
            if len(found) == count:
                break
    return found


def _drawn(low: float, high: float, generator: random.Random) -> float:
    if math.isfinite(low) and math.isfinite(high):
        share = generator.random()
        share = share**4 if generator.random() < 0.2 else 1 - share**4 if generator.random() < 0.2 else share
        return low + (high - low) * share
    reach = math.exp(generator.uniform(-3, 3))
    if math.isfinite(low):
        return low + reach
    return high - reach if math.isfinite(high) else generator.choice([-1, 1]) * reach


def sign_at(expression: sp.Expr, box: Box, at: Sequence[Point]) -> int | None:
    """The one sign of an expression at points; 0 where it is small at all of them, None where there are two or none."""
    symbols = tuple(box)
    signs = set()
    for point in at:
        found = value(expression, symbols, point)
        if math.isnan(found):
            continue
        signs.add(0 if abs(found) < _SMALL else 1 if found > 0 else -1)
    both = signs - {0}
    return None if len(both) > 1 or not signs else both.pop() if both else 0


def is_plausible(expression: sp.Expr, box: Box, at: Sequence[Point]) -> bool:
    """Whether an expression has a value at some points, and is not clearly negative at any."""
    symbols = tuple(box)
    found = [value(expression, symbols, point) for point in at]
    known = [v for v in found if not math.isnan(v)]
    return bool(known) and all(v >= -1e-9 * (1 + abs(v)) or v >= -1e-11 for v in known)
