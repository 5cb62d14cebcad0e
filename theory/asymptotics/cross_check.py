"""The second witness of `theory.asymptotics.exponents`: rigorous evaluation far out, at random values of the other
symbols.

A derivation in symbols can be silently wrong; arithmetic cannot in the same way. A formula in x is evaluated in Arb,
with as many bits as its cancellations ask for, at x near 2^k for k that double, at rational values of the other symbols
drawn from a fixed seed. What was derived must be approached: the distance has to shrink from each point to the next, as
even the slowest scale that occurs (1/loglog x) still does, so a neighbouring power, log degree, loglog degree or factor
is told apart. Where too few points can be evaluated, or the approach does not show within reach, there is no witness.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import partial
from itertools import pairwise
from typing import Any

import flint
import sympy as sp
from flint import arb

from theory.intervals import arithmetic as intervals
from theory.intervals import balls, programs
from theory.ordering import in_order

_DOUBLINGS = (3200, 1600, 800, 400, 200, 100, 50, 25, 12, 6, 4, 3, 2)
"""x is near 2 to these powers, farthest first; neighbours lie a factor of about two in log x apart."""

_ENOUGH = 4
_NEAR = 14
"""Up to this power of two, more bits are tried: towers of exponentials have values there only."""
_SHRINKS = 0.93
_GROWS = 1.05
_SEED = 20230501
_KEEP_BITS = 8
_SETTLED_BITS = 100
"""An alarm needs values that agree to so many bits, and not with what was derived."""
_SMALL_CONSTANTS_BITS = 160
"""Nor is there an alarm where the constants of a formula are so long that they may hide a scale beyond all points."""


class NumericFinding(Enum):
    """What evaluation says of a derived value: approached, contradicted (it settles elsewhere), or nothing."""

    APPROACHED = "approached"
    CONTRADICTED = "contradicted"
    OPEN = "open"


def instances(symbols: set[sp.Symbol], count: int) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """Random rational values that respect the assumptions on each symbol, from a fixed seed; every other one small."""
    generator = random.Random(_SEED)
    ordered = in_order(symbols)
    for number in range(count if ordered else 1):
        yield {symbol: _instance(symbol, generator, is_small=number % 2 == 1) for symbol in ordered}


def _instance(symbol: sp.Symbol, generator: random.Random, *, is_small: bool) -> sp.Rational:
    wanted = {kind: truth for kind, truth in symbol.assumptions0.items() if kind != "commutative"}
    for _ in range(400):
        scale = 1 if symbol.is_integer else generator.choice((7, 11, 13)) * (16 if is_small else 1)
        size = sp.Rational(generator.randint(0 if symbol.is_zero else 1, 30), scale)
        value = size if generator.random() < 0.5 else -size
        if all(getattr(value, f"is_{kind}", None) in (truth, None) for kind, truth in wanted.items()):
            return value
    raise ValueError(f"assumptions must admit a small rational, got {symbol} with {symbol.assumptions0}")


def enclose(expression: sp.Expr, values: Mapping[sp.Symbol, Any], *, bits: int) -> Any:
    """Rigorous enclosure at a point, or None where the expression is undefined there or has no enclosure."""
    try:
        enclosure = programs.evaluate(expression, values, bits=bits)
    except intervals.NoEnclosure:
        return None
    return enclosure if enclosure.is_finite else None


def far_points(x: sp.Symbol) -> Iterator[tuple[int, dict[sp.Symbol, sp.Integer]]]:
    """Integers near 2^k, farthest first, with random bits: a power of two would hide what is periodic."""
    generator = random.Random(_SEED)
    for doublings in _DOUBLINGS:
        yield doublings, {x: sp.Integer((1 << doublings) + generator.getrandbits(doublings) % (1 << doublings))}


def _resolved(measure: Callable[[int], arb | None], doublings: int) -> arb | None:
    """A measure with a few certain digits; what is below 2^-k at the highest precision counts as zero."""
    most = 4 * doublings + 512
    for bits in (128, 512, most // 4, most):
        found = _at(measure, bits)
        if found is not None and found.rel_accuracy_bits() >= _KEEP_BITS:
            return found
    if doublings <= _NEAR:
        found = _at(measure, 16_000)
    if found is None or not found.abs_upper() < arb(2) ** -(doublings + 64):
        return found if found is not None and found.rel_accuracy_bits() >= _KEEP_BITS else None
    return arb(0)


def _at(measure: Callable[[int], arb | None], bits: int) -> arb | None:
    with flint.ctx.workprec(bits):
        return measure(bits)


def _measured(measure: Callable[[Mapping, int], arb | None], x: sp.Symbol, values: Mapping) -> list[arb]:
    """The measure at the farthest points where it has a value, nearest first; at most `_ENOUGH` of them."""
    found: list[arb] = []
    for doublings, place in far_points(x):
        at = _resolved(partial(measure, {**place, **values}), doublings)
        if at is not None:
            found.append(at)
        elif found and len(found) < 3:
            found = []  # isolated points far out say nothing: the tail has to be seen as a whole
        if len(found) == _ENOUGH:
            break
    return found[::-1]


def approaches(moved: sp.Expr, x: sp.Symbol, values: Mapping, limit_value: sp.Expr) -> bool | None:
    """Whether evaluations toward x = oo approach `limit_value`; None where too few can be made."""
    target = limit_value.subs(values)
    if target in (sp.oo, -sp.oo):
        return _grows(_measured(lambda at, bits: balls.ball(moved, at, bits=bits), x, values), target == sp.oo)
    return _shrinks(_measured(partial(_difference, moved, target), x, values))


def _difference(moved: sp.Expr, target: sp.Expr, at: Mapping, bits: int) -> arb | None:
    value, goal = balls.ball(moved, at, bits=bits), balls.ball(target, at, bits=bits)
    return None if value is None or goal is None else value - goal


def finding(moved: sp.Expr, x: sp.Symbol, values: Mapping, limit_value: sp.Expr) -> NumericFinding:
    """What evaluations say of a derived limit at one choice of the other symbols."""
    verdict = approaches(moved, x, values, limit_value)
    if verdict:
        return NumericFinding.APPROACHED
    if verdict is False and _settles_elsewhere(moved, x, values, limit_value):
        return NumericFinding.CONTRADICTED
    return NumericFinding.OPEN


def _settles_elsewhere(moved: sp.Expr, x: sp.Symbol, values: Mapping, limit_value: sp.Expr) -> bool:
    """Whether the values at the far points agree with each other to many bits, and not with the derived limit."""
    if _constant_bits(moved) > _SMALL_CONSTANTS_BITS:
        return False
    seen = []
    for doublings, place in far_points(x):
        value = balls.ball(moved, {**place, **values}, bits=4 * doublings + 512)
        if value is None or len(seen) == 3:
            break
        seen.append(value)
    if len(seen) < 3:
        return False
    target = limit_value.subs(values)
    goal = None if target in (sp.oo, -sp.oo) else balls.ball(target, {}, bits=512)
    with flint.ctx.workprec(512):
        small = (1 + abs(seen[0])) * arb(2) ** -_SETTLED_BITS
        if not all(abs(value - seen[0]) < small for value in seen[1:]):
            return False
        return goal is None or bool(abs(seen[0] - goal) > (1 + abs(goal)) * arb(2) ** -20)


def _constant_bits(expression: sp.Expr) -> int:
    return sum(int(q.p).bit_length() + int(q.q).bit_length() for q in expression.atoms(sp.Rational))


def _shrinks(distances: list[arb]) -> bool | None:
    """Whether each distance is certainly below the one before, the last one below 1/2; None for fewer than three."""
    if len(distances) < 3:
        return None
    last = [abs(distance) for distance in distances[-3:]]
    small = all(far == 0 or far < _SHRINKS * near for near, far in pairwise(last))
    return bool(small and last[-1] < 0.5)


def _grows(reached: list[arb], is_positive: bool) -> bool | None:
    if len(reached) < 3:
        return None
    last = [value if is_positive else -value for value in reached[-3:]]
    return bool(last[0] > 0 and all(far > _GROWS * near for near, far in pairwise(last)))


def ratio_finding(moved: sp.Expr, lead: sp.Expr, x: sp.Symbol, values: Mapping) -> NumericFinding:
    """Whether moved / lead tends to 1, so that power, log degrees and coefficient are right together."""

    def distance(at: Mapping, bits: int) -> arb | None:
        top, bottom = balls.ball(moved, at, bits=bits), balls.ball(lead, at, bits=bits)
        if top is None or bottom is None or bottom.contains(0):
            return None
        found = top / bottom - 1
        return found if found.is_finite() else None

    if _shrinks(_measured(distance, x, values)):
        return NumericFinding.APPROACHED
    slopes = _ratio_slopes(moved, lead, x, values)
    is_steady = len(slopes) == 3 and max(slopes) - min(slopes) < 1e-3 * max(map(abs, slopes))
    is_contradicted = is_steady and abs(slopes[0]) > 0.02 and _constant_bits(moved) <= _SMALL_CONSTANTS_BITS
    return NumericFinding.CONTRADICTED if is_contradicted else NumericFinding.OPEN


def _ratio_slopes(moved: sp.Expr, lead: sp.Expr, x: sp.Symbol, values: Mapping) -> list[float]:
    """Slopes of log |moved / lead| in log x between the far points."""
    seen: list[tuple[float, float]] = []
    for doublings, place in far_points(x):
        at, bits = {**place, **values}, 4 * doublings + 512
        top, bottom = balls.ball(moved, at, bits=bits), balls.ball(lead, at, bits=bits)
        if len(seen) == 4 or top is None or bottom is None or top.contains(0) or bottom.contains(0):
            break
        with flint.ctx.workprec(128):
            seen.append((float(arb(int(place[x])).log()), float(abs(top).log() - abs(bottom).log())))
    return [(high - low) / (last - first) for (last, high), (first, low) in pairwise(seen)]
