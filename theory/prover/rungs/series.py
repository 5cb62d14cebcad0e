"""Taylor expansions in one symbol with certified remainders: what bisection asks where enclosures are too wide.

The bracket of `e = h^m (c_m + ... + R h^(n-m))` is enclosed over a piece; m > 0 where e vanishes at an end of the piece
with m - 1 slopes, which a normal form shows. Coefficients are Arb's power series, other symbols are balls.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, arb_series, ctx

from theory.intervals.arithmetic import CONSTANTS, RigorousInterval, add, hull, multiply, to_ball
from theory.intervals.box import Box, VariableRange, exact
from theory.prover.expressions.normal_form import is_zero
from theory.timeout import reckon

ORDERS = (4, 10)
"""Numbers of terms that are tried, the cheapest first."""
_MAX_ZEROS = 8
_MANY_BITS = 1000
_TINY = 1e-12
_PART_S, _ZERO_S = 5e-6, 1.5e-3
"""Seconds at which the series of one part of an expression is reckoned, and the question whether a derivative is 0."""


class NotAnalytic(ValueError):
    """An operation without a power series, or one that is not analytic on the piece."""


class Expansions:
    """Expansions of one expression around points of boxes."""

    def __init__(self, expression: sp.Expr) -> None:
        self.expression = expression
        self._zeros: dict[tuple[sp.Symbol, Fraction], int] = {}

    def prove(self, box: Box, symbol: sp.Symbol, *, strict: bool) -> dict[str, Any] | None:
        """The step `taylor` on a piece, around an end at which the expression vanishes or else around the middle."""
        r = box[symbol]
        if not (isinstance(r.low, Fraction) and isinstance(r.high, Fraction)):
            return None
        for at in (r.low, r.high, (r.low + r.high) / 2):
            zeros = self._zeros_at(symbol, at, box) if at in (r.low, r.high) else 0
            is_end = at == r.low or at == r.high
            if (is_end and not zeros) or (zeros and strict and not (r.is_open if at == r.low else r.is_open_high)):
                continue
            for order in ORDERS:
                if order > zeros and self._is_positive(box, symbol, at, (order, zeros), strict=strict):
                    return {
                        "by": "taylor", "symbol": sp.srepr(symbol), "at": str(exact(at)), "order": order,
                        "zeros": zeros,
                    }  # fmt: skip
        return None

    def _zeros_at(self, symbol: sp.Symbol, at: Fraction, box: Box) -> int:
        """How many derivatives, from the expression itself on, vanish identically at an end of the range."""
        key = symbol, at
        if key not in self._zeros:
            self._zeros[key] = 0
            try:
                others = {s: _ball(r) for s, r in box.items() if s != symbol}
                near = coefficients(self.expression, symbol, to_ball(at), others, _MAX_ZEROS + 1)
                if near[0].contains(0):  # a number beside a contact is no zero, and many bits say so at once
                    with ctx.workprec(_MANY_BITS):
                        near = coefficients(self.expression, symbol, to_ball(at), others, _MAX_ZEROS + 1)
            except NotAnalytic:
                return 0
            e = self.expression
            for k in range(_MAX_ZEROS):
                if not (near[k].contains(0) and abs(float(near[k].mid())) < _TINY and float(near[k].rad()) < _TINY):
                    break
                reckon(_ZERO_S)
                if not is_zero(e.subs(symbol, exact(at))):
                    break
                self._zeros[key] = k + 1
                e = sp.diff(e, symbol)
        return self._zeros[key]

    def _is_positive(self, box: Box, symbol: sp.Symbol, at: Fraction, shape: tuple[int, int], *, strict: bool) -> bool:
        n, m = shape
        r = box[symbol]
        try:
            others = {s: _ball(v) for s, v in box.items() if s != symbol}
            near = coefficients(self.expression, symbol, to_ball(at), others, n)
            far = coefficients(self.expression, symbol, _ball(r), others, n + 1)
        except NotAnalytic:
            return False
        h = hull(to_ball(r.low - at), to_ball(r.high - at))
        total = hull(far[n], far[n])
        for k in reversed(range(m, n)):
            total = add(multiply(total, h), hull(near[k], near[k]))
        if m % 2 and at == r.high:
            total = RigorousInterval(-total.hi, -total.lo)
        return bool(total.lo > 0) or (not strict and bool(total.lo >= 0))


def _ball(r: VariableRange) -> arb:
    return to_ball(r.low).union(to_ball(r.high))


def coefficients(e: sp.Expr, symbol: sp.Symbol, at: arb, others: dict[sp.Symbol, arb], count: int) -> list[arb]:
    """The first Taylor coefficients of e at every point of a ball. Raises NotAnalytic."""
    before = ctx.cap
    ctx.cap = count
    known: dict[sp.Basic, Any] = {}
    try:
        known |= {s: arb_series([v], prec=count) for s, v in others.items()}
        known[symbol] = arb_series([at, 1], prec=count)
        series = _series(e, known)
        if series.prec < count:
            raise NotAnalytic("coefficients are missing")
        found = list(series.coeffs())[:count]
    finally:
        ctx.cap = before
        reckon(_PART_S * len(known))
    found += [arb(0)] * (count - len(found))
    if not all(c.is_finite() for c in found):
        raise NotAnalytic("a coefficient is not finite")
    return found


def _series(e: sp.Basic, known: dict[sp.Basic, Any]) -> Any:
    if e not in known:
        known[e] = _value(e, known)
    return known[e]


def _value(e: sp.Basic, known: dict[sp.Basic, Any]) -> Any:
    if e.is_Rational:
        return arb_series([to_ball(e)], prec=ctx.cap)
    if e in CONSTANTS:
        return arb_series([CONSTANTS[e]()], prec=ctx.cap)
    parts = [_series(a, known) for a in e.args]
    if not parts:
        raise NotAnalytic(f"no expansion of {e}")
    if e.is_Add:
        return sum(parts[1:], parts[0])
    if e.is_Mul:
        total = parts[0]
        for part in parts[1:]:
            total = total * part
        return total
    if e.is_Pow and not isinstance(e, sp.exp):
        return _power(e, *parts)
    rule = _RULES.get(e.func)
    if rule is None:
        raise NotAnalytic(f"no expansion of {e.func}")
    return rule(parts[0])


def _power(e: sp.Expr, base: Any, exponent: Any) -> Any:
    if e.exp.is_Integer and abs(e.exp) <= 200:
        n = int(e.exp)
        total, square = arb_series([1], prec=ctx.cap), base if n > 0 else base.inv()
        n = abs(n)
        while n:
            total, square, n = total * square if n % 2 else total, square * square, n // 2
        return total
    return (base.log() * exponent).exp()


def _absolute(x: Any) -> Any:
    first = x.coeffs()[0] if x.length() else arb(0)
    if not (first > 0 or first < 0):
        raise NotAnalytic("an absolute value bends here")
    return x if first > 0 else -x


def _tanh(x: Any) -> Any:
    twice = (x + x).exp()
    return (twice - 1) * (twice + 1).inv()


_RULES: dict[type, Callable[[Any], Any]] = {
    sp.exp: lambda x: x.exp(), sp.log: lambda x: x.log(), sp.sin: lambda x: x.sin(), sp.cos: lambda x: x.cos(),
    sp.atan: lambda x: x.atan(), sp.asin: lambda x: x.asin(), sp.acos: lambda x: x.acos(), sp.erf: lambda x: x.erf(),
    sp.erfc: lambda x: x.erfc(), sp.tanh: _tanh, sp.sinh: lambda x: (x.exp() - (-x).exp()) / 2,
    sp.cosh: lambda x: (x.exp() + (-x).exp()) / 2, sp.Abs: _absolute,
}  # fmt: skip
