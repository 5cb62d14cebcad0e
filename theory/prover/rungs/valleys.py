"""Where a slope vanishes: zeros in one symbol, as expressions in the others, guessed and checked in floats only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, approximate, exact
from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small
from theory.prover.expressions.sampling import Point, value
from theory.prover.goal import Goal
from theory.timeout import Contradiction, TimedOut, within

_SECONDS = 1.0
_MOST = 4
_PLAIN, _FLAT = 12, 1e-2


def valleys(slope: sp.Expr, s: sp.Symbol, box: Box, drawn: list[Point]) -> list[sp.Expr]:
    """Zeros of a slope that lie in the range of s, the simplest first."""
    symbols = tuple(box)
    found: dict[sp.Expr, None] = {}
    for guesses in (_plain(slope, s, box), _solved(slope, s)):
        for to in guesses:
            if s not in to.free_symbols and to not in found and _is_zero_there(slope, s, to, symbols, box, drawn):
                found[to] = None
        if found:
            break
    return sorted(found, key=lambda e: e.count_ops())[:_MOST]


def _plain(slope: sp.Expr, s: sp.Symbol, box: Box) -> Iterator[sp.Expr]:
    """Guesses that need no solving: other symbols and simple forms of them, and a rational number."""
    others = in_order(x for x, r in box.items() if x != s and not r.is_point)
    if slope.free_symbols & set(others):
        for x in others:
            yield from (x, -x, 1 - x, 1 / x)
        for i, x in enumerate(others):
            for y in others[i + 1 :]:
                yield from (x + y, (x + y) / 2, x * y, (1 - x - y), (1 - x - y) / 2, (1 - x) / 2, (1 - y) / 2)
        if others:
            yield sp.Add(*others) / len(others)
    root = _rational_root(slope, s, box)
    if root is not None:
        yield root


def _rational_root(slope: sp.Expr, s: sp.Symbol, box: Box) -> sp.Rational | None:
    """A simple fraction at which a slope in one symbol changes its sign."""
    return next((guess for root in _roots(slope, s, box) if (guess := _fraction_near(root)) is not None), None)


def _fraction_near(x: float, most: int = 1000) -> sp.Rational | None:
    """The simple fraction that a number is, as far as floats tell."""
    guess = Fraction(x).limit_denominator(most)
    return sp.Rational(guess.numerator, guess.denominator) if abs(float(guess) - x) < 1e-9 * (1 + abs(x)) else None


def _roots(slope: sp.Expr, s: sp.Symbol, box: Box) -> Iterator[float]:
    """Where a slope in one symbol changes its sign from below to above, by bisection in floats."""
    if slope.free_symbols != {s}:
        return
    ends = approximate(box[s].low), approximate(box[s].high)
    grid = _grid(*ends)
    known = [(x, value(slope, (s,), (x,))) for x in grid]
    known = [(x, y) for x, y in known if not math.isnan(y)]
    for (low, at_low), (high, at_high) in itertools.pairwise(known):
        if at_low < 0 < at_high or at_low == 0 < at_high:
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (middle, high) if value(slope, (s,), (middle,)) < 0 else (low, middle)
            yield (low + high) / 2


def touching_points(goal: Goal) -> dict[sp.Symbol, tuple[Fraction, ...]]:
    """Simple fractions inside the range of an expression in one symbol at which it seems to touch 0: where to cut."""
    for s, e in _one_moving(goal):
        for root in itertools.islice(_roots(sp.diff(e, s), s, goal.box), _MOST):
            # Where sides touch to a high order, the slope is flat and floats tell its zero to few digits.
            plain = Fraction(root).limit_denominator(_PLAIN)
            at = plain if abs(plain - root) < _FLAT and value(e, (s,), (float(plain),)) == 0 else _fraction_near(root)
            if at is not None and abs(value(e, (s,), (float(at),))) < 1e-9:
                return {s: (Fraction(int(at.numerator), int(at.denominator)),)}
    return {}


def _one_moving(goal: Goal) -> Iterator[tuple[sp.Symbol, sp.Expr]]:
    """The symbol that moves, where there is one alone, and the expression with the others put in."""
    moving = [s for s, r in goal.box.items() if not r.is_point and s in goal.expression.free_symbols]
    fixed = {x: exact(r.low) for x, r in goal.box.items() if r.is_point}
    if len(moving) == 1:
        yield moving[0], goal.expression.subs(fixed)


def touching_scales(goal: Goal) -> Iterator[tuple[sp.Symbol, sp.Expr]]:
    """(s, c): an expression in one symbol seems to touch 0 at a multiple of c, which is no fraction.

    c is a root of a fraction, or pi, or an exponential of a fraction; the multiple is a simple one.
    """
    for s, e in _one_moving(goal):
        for root in itertools.islice(_roots(sp.diff(e, s), s, goal.box), _MOST):
            if root != 0 and _fraction_near(root) is None and abs(value(e, (s,), (root,))) < 1e-9:
                yield from ((s, c) for c in _scales(abs(root)))


def _scales(size: float) -> Iterator[sp.Expr]:
    """What a number may be a simple multiple of."""
    for k in (2, 3, 4):
        power = _fraction_near(size**k, 200)
        if power is not None:
            yield power ** sp.Rational(1, k)
            break
    if _fraction_near(size / math.pi, 24) is not None:
        yield sp.pi
    power = _fraction_near(math.log(size), 12)
    if power is not None:
        yield sp.exp(power)


def _grid(low: float, high: float) -> list[float]:
    steps = [k / 64 for k in range(65)]
    if math.isfinite(low) and math.isfinite(high):
        return [low + (high - low) * u for u in steps]
    reach = [0.0, *[10 ** (6 * u - 3) for u in steps]]
    if math.isfinite(low):
        return [low + x for x in reach]
    if math.isfinite(high):
        return [high - x for x in reversed(reach)]
    return [*(-x for x in reversed(reach)), *reach[1:]]


def _solved(slope: sp.Expr, s: sp.Symbol) -> Iterator[sp.Expr]:
    """What sympy finds, factor by factor."""
    try:
        yield from [to for to in within(_SECONDS, _solve, slope, s) if to.is_real is not False]
    except (TimedOut, Contradiction, NotImplementedError):  # the last where it knows no way to solve an equation
        return


def _solve(slope: sp.Expr, s: sp.Symbol) -> list[sp.Expr]:
    over = sp.fraction(sp.together(slope))[0]
    found: list[sp.Expr] = []
    for factor in sp.Mul.make_args(sp.factor(over) if is_small(over) else over):
        base = factor.base if factor.is_Pow and factor.exp.is_Integer else factor
        if s not in base.free_symbols:
            continue
        if base.is_polynomial(s) and sp.degree(base, s) == 1:
            found.append(sp.cancel(s - base / sp.diff(base, s)))
        else:
            try:
                found += sp.solve(base, s)
            except TypeError:  # sympy asks which of two exponents is less, where one has a symbol of its own
                continue
    return found


def _is_zero_there(
    slope: sp.Expr, s: sp.Symbol, to: sp.Expr, symbols: tuple[sp.Symbol, ...], box: Box, drawn: list[Point]
) -> bool:
    """Whether the slope vanishes where s is `to`, inside its range, at all points where that can be told."""
    place, r = symbols.index(s), box[s]
    low, high = approximate(r.low), approximate(r.high)
    told = 0
    for point in drawn[:20]:
        at = value(to, symbols, point)
        if math.isnan(at) or not low - 1e-9 <= at <= high + 1e-9:
            return False
        there = (*point[:place], at, *point[place + 1 :])
        found = value(slope, symbols, there)
        if math.isnan(found):
            continue
        nearby = value(slope, symbols, (*point[:place], at + 1e-3 * (1 + abs(at)), *point[place + 1 :]))
        if abs(found) > 1e-7 * (1 + (0 if math.isnan(nearby) else abs(nearby))):
            return False
        told += 1
    return told > 0
