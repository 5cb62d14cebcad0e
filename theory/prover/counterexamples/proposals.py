"""Points worth a second look, where random ones in floats have not refuted a statement.

Floats cannot see a margin of 1e-30 beside an end, or a failure at a point of contact alone. So exact points are
proposed: small numbers on a grid, powers of two toward ends that belong to no point, and what a descent finds. Points
on a quadric, such as c^2 + s^2 = 1, come from lines through one rational point of it: the second point of each is
rational too. Nothing here decides; the search evaluates every point exactly.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from theory.intervals.box import Box, End, VariableRange, exact, middle
from theory.timeout import loaded

Point = dict[sp.Symbol, sp.Rational]

_SMALL = tuple(Fraction(x) for x in (1, 0, 2, -1, "1/2", -2, "-1/2", 3, 10))
_MAX_GRID = 250
_STEPS = (*range(1, 12), *range(12, 48, 4), 60, 80, 100, 128)
"""Exponents of two: how near to an excluded end, or how far out, points are proposed."""
_BASES = tuple(Fraction(x) for x in (0, 1, -1, "1/2", "-1/2", "3/5", "-3/5", "4/5", "-4/5", 2, -2, 3))
_DESCENTS, _ITERATIONS = 3, 300


def grid(box: Box) -> Iterator[dict[sp.Symbol, Fraction]]:
    """Small numbers for every symbol, all combinations while there are few."""
    choices = []
    for s, r in box.items():
        ends = [end for end in (r.low, r.high) if isinstance(end, Fraction)]
        found = [x for x in dict.fromkeys((*_SMALL, *ends)) if r.contains(x)]
        inner = _whole(middle(r), s)
        choices.append(found or [inner])
    count = max(2, int(_MAX_GRID ** (1 / max(len(choices), 1))))
    for values in itertools.islice(itertools.product(*[c[:count] for c in choices]), _MAX_GRID):
        yield dict(zip(box, values, strict=True))


def ladders(box: Box, bases: Sequence[dict[sp.Symbol, Fraction]]) -> Iterator[dict[sp.Symbol, Fraction]]:
    """Points that go toward infinite and excluded ends, one symbol at a time and all together."""
    rungs = {s: list(_toward_ends(r, s)) for s, r in box.items()}
    for base in bases:
        for s, sides in rungs.items():
            for side in sides:
                yield from ({**base, s: x} for x in side)
    sides = [s for s in rungs if rungs[s]]
    if len(sides) > 1 and bases:
        for values in zip(*[rungs[s][-1] for s in sides], strict=True):
            yield {**bases[0], **dict(zip(sides, values, strict=True))}


def _toward_ends(r: VariableRange, s: sp.Symbol) -> Iterator[list[Fraction]]:
    """Toward each end: out to infinity, or near to a finite end."""
    low, high = r.low, r.high
    width = high - low if isinstance(low, Fraction) and isinstance(high, Fraction) else Fraction(1)
    for end, sign in ((low, 1), (high, -1)):
        if r.is_point:
            return
        if isinstance(end, Fraction):
            if not s.is_integer:
                yield [end + sign * min(width / 2, 1) / 2**k for k in _STEPS]
        else:
            start = high if sign == 1 else low
            start = start if isinstance(start, Fraction) else Fraction(0)
            yield [_whole(start - sign * Fraction(2) ** k, s) for k in _STEPS]


def _whole(x: End, s: sp.Symbol) -> Fraction:
    x = x if isinstance(x, Fraction) else Fraction(0)
    return Fraction(math.floor(x)) if s.is_integer else x


def descents(objective: Callable[[Any], float], starts: Any, box: Box) -> Iterator[tuple[float, ...]]:
    """Where a descent from the best points ends."""
    loaded("scipy.optimize")
    from scipy.optimize import minimize

    ends = [(_finite(r.low), _finite(r.high)) for r in box.values()]
    for start in starts[:_DESCENTS]:
        for method in ("L-BFGS-B", "Nelder-Mead"):
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                options = {"maxiter": _ITERATIONS * (1 if method == "L-BFGS-B" else len(ends))}
                found = minimize(objective, start, method=method, bounds=ends, options=options)
            if np.all(np.isfinite(found.x)):
                yield tuple(map(float, found.x))


def _finite(end: End) -> float | None:
    return float(end) if isinstance(end, Fraction) else None


@dataclass(frozen=True)
class Quadric:
    """An equation of degree two in some symbols, and a rational point that satisfies it.

    Attributes:
        symbols: those of the equation.
        base: their values at the point.
        linear: along a direction d, the derivative of the equation there; its symbols are those of the equation.
        square: the part of degree two at d.
    """

    symbols: tuple[sp.Symbol, ...]
    base: tuple[Fraction, ...]
    linear: sp.Expr
    square: sp.Expr

    def moved(self, toward: Sequence[Any], functions: Any = None) -> list[Any]:
        """The other point of the quadric on the line from the base toward a point, in the numbers of that point."""
        d = [x - (b if isinstance(x, Fraction) else float(b)) for x, b in zip(toward, self.base, strict=True)]
        if functions is None:
            values = {s: exact(x) for s, x in zip(self.symbols, d, strict=True)}
            slope, bend = (Fraction(str(e.subs(values))) for e in (self.linear, self.square))
            t = -slope / bend if bend else Fraction(0)
            return [b + t * x for b, x in zip(self.base, d, strict=True)]
        slope, bend = functions(*d)
        with np.errstate(all="ignore"):
            t = -slope / bend
        return [float(b) + t * x for b, x in zip(self.base, d, strict=True)]

    def functions(self) -> Any:
        """The two parts in floats."""
        return sp.lambdify(self.symbols, [self.linear, self.square], "numpy")


def quadric(gap: sp.Expr, symbols: Sequence[sp.Symbol]) -> Quadric | None:
    """The quadric gap = 0, if it is one in two or three symbols and a simple rational point is found on it."""
    own = tuple(s for s in symbols if s in gap.free_symbols)
    if not 2 <= len(own) <= 3 or not gap.is_polynomial(*own) or any(s.is_integer for s in own):
        return None
    poly = sp.Poly(gap, *own)
    if poly.total_degree() != 2 or not all(c.is_Rational for c in poly.coeffs()):
        return None
    value = sp.lambdify(own, gap, "math")
    inside = sorted(itertools.product(_BASES, repeat=len(own)), key=lambda at: sum(map(abs, at)))
    for at in inside:
        if abs(value(*map(float, at))) < 1e-9 and gap.subs(dict(zip(own, map(exact, at), strict=True))) == 0:
            there = dict(zip(own, map(exact, at), strict=True))
            linear = sp.Add(*[sp.diff(gap, s).subs(there) * s for s in own])
            square = sp.Add(*[c * sp.prod(s**k for s, k in zip(own, m, strict=True))
                              for m, c in poly.terms() if sum(m) == 2])  # fmt: skip
            return Quadric(own, at, linear, square)
    return None
