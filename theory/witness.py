"""The second witness of `theory.asymptotics`: rigorous evaluation far out, at random values of the other symbols.

A derivation in symbols can be silently wrong; arithmetic cannot in the same way. A formula in x is evaluated in Arb,
with thousands of bits, along x = 2^k at rational values drawn from a fixed seed; what was derived must be approached.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp

from theory import intervals

_DOUBLINGS = (3, 6, 12, 25, 50, 100, 200, 400, 800, 1600, 3200)
_SEED = 20230501


def instances(symbols: set[sp.Symbol], count: int) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """Random rational values that respect the assumptions on each symbol, from a fixed seed."""
    generator = random.Random(_SEED)
    ordered = sorted(symbols, key=lambda symbol: (symbol.name, str(symbol.assumptions0)))
    for _ in range(count if ordered else 1):
        yield {symbol: _instance(symbol, generator) for symbol in ordered}


def _instance(symbol: sp.Symbol, generator: random.Random) -> sp.Rational:
    for _ in range(200):
        size = sp.Rational(generator.randint(1, 30), 1 if symbol.is_integer else generator.choice((7, 11, 13)))
        value = size if generator.random() < 0.5 else -size
        wanted = symbol.assumptions0
        kinds = ("positive", "negative", "integer", "even", "odd", "prime")
        if all(wanted.get(kind) in (None, getattr(value, f"is_{kind}")) for kind in kinds):
            return value
    raise ValueError(f"assumptions must admit a small rational, got {symbol} with {symbol.assumptions0}")


def enclose(expression: sp.Expr, values: Mapping[sp.Symbol, Any], *, bits: int) -> Any:
    """Rigorous enclosure at a point, or None where the expression is undefined there or has no enclosure."""
    try:
        enclosure = intervals.evaluate(expression, values, bits=bits)
    except intervals.Unsupported:
        return None
    return enclosure if enclosure.is_finite else None


def measured_slope(logarithm: sp.Expr, x: sp.Symbol, values: Mapping) -> float | None:
    """Slope of a logarithm against log(x) between the two farthest points that can be evaluated, or None."""
    logarithms = {}
    for doublings in _DOUBLINGS[-5:]:
        enclosure = enclose(logarithm, {x: sp.Integer(2) ** doublings, **values}, bits=4 * doublings + 256)
        if enclosure is not None:
            logarithms[doublings * math.log(2)] = float(enclosure.lo)
    if len(logarithms) < 2:
        return None
    (first, low), (last, high) = list(logarithms.items())[-2:]
    return (high - low) / (last - first)


def approaches(moved: sp.Expr, x: sp.Symbol, values: Mapping, limit_value: sp.Expr) -> bool | None:
    """Whether evaluations along x = 2^k approach `limit_value`; None where too few can be made.

    Finite: the last distance is tiny, or distances shrink by a factor per doubling of log x, as the slowest scale
    that occurs (1/loglog x) still does. Infinite: the right sign, and still growing.
    """
    reached = []
    for doublings in _DOUBLINGS:
        enclosure = enclose(moved, {x: sp.Integer(2) ** doublings, **values}, bits=4 * doublings + 256)
        if enclosure is not None:
            reached.append(enclosure.lo)
    if len(reached) < 3:
        return None
    target = limit_value.subs(values)
    if target in (sp.oo, -sp.oo):
        signed = [value if target == sp.oo else -value for value in reached[-3:]]
        return bool(signed[2] > signed[1] > signed[0]) and bool(signed[2] > 0)
    goal = enclose(target, {}, bits=256)
    if goal is None:
        return None
    distances = [abs(value - goal.lo) for value in reached[-3:]]
    tiny = (1 + abs(goal.lo)) * 2.0**-30
    return bool(distances[2] < tiny) or bool(distances[1] < 0.93 * distances[0] and distances[2] < 0.93 * distances[1])
