"""Rigorous arithmetic: inf-sup intervals whose endpoints come from Arb.

An Arb ball (midpoint and radius) is excellent at a point and poor on a wide box: exp over [-50, 50] as a ball
contains negative numbers, so every positivity is lost. Here an interval keeps its two ends; an operation computes
each end as a ball at a point and rounds it outward (`theory.intervals.programs` puts operations together). Ends may be
infinite, never NaN: where an operation is undefined on part of its argument (log or sqrt below zero, division by an
interval that contains zero) the result is the whole line, from which nothing can be concluded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import flint
import sympy as sp
from flint import arb

BITS = 64
"""Working precision of the prover; the checker has twice as many."""

_ZERO, _ONE, _INF = arb(0), arb(1), arb("inf")


class NoEnclosure(ValueError):
    """An expression with a part for which no enclosure is implemented."""


@dataclass(frozen=True, slots=True)
class RigorousInterval:
    """All reals from `lo` to `hi`; both are exact Arb numbers or infinite."""

    lo: arb
    hi: arb

    @property
    def is_finite(self) -> bool:
        """Whether both ends are."""
        return bool(self.lo.is_finite() and self.hi.is_finite())

    def outward(self) -> tuple[float, float]:
        """The ends as floats, rounded outward."""
        low, high = float(self.lo), float(self.hi)
        return (
            low if arb(low) <= self.lo else math.nextafter(low, -math.inf),
            high if arb(high) >= self.hi else math.nextafter(high, math.inf),
        )


WHOLE = RigorousInterval(-_INF, _INF)


def hull(low: arb, high: arb) -> RigorousInterval:
    """The outward-rounded interval from ball `low` to ball `high`; an indeterminate end is infinite."""
    lo, hi = low.lower(), high.upper()
    return RigorousInterval(-_INF if lo.is_nan() else lo, _INF if hi.is_nan() else hi)


def to_ball(value: Any) -> arb:
    """A ball around an exact number: sympy Rational or infinity, Fraction, int."""
    if isinstance(value, Fraction):  # the most common first, and sympy compares slowly
        return arb(flint.fmpq(value.numerator, value.denominator))
    if isinstance(value, sp.Rational):
        return arb(flint.fmpq(int(value.p), int(value.q)))
    if value is sp.oo or value == float("inf"):
        return _INF
    if value is -sp.oo or value == float("-inf"):
        return -_INF
    return arb(value)


def interval(low: Any, high: Any | None = None) -> RigorousInterval:
    """The tightest interval at the current precision around [low, high], or around one exact number."""
    bottom = to_ball(low)
    return hull(bottom, bottom if high is None else to_ball(high))


def _times(a: arb, b: arb) -> arb:
    """Product of two ends, with 0 * inf = 0: an end at infinity stands for arbitrarily large finite numbers."""
    return _ZERO if a.is_zero() or b.is_zero() else a * b


def add(a: RigorousInterval, b: RigorousInterval) -> RigorousInterval:
    """Enclose a + b."""
    return hull(a.lo + b.lo, a.hi + b.hi)


def multiply(a: RigorousInterval, b: RigorousInterval) -> RigorousInterval:
    """Enclose a * b."""
    if a.lo >= _ZERO and b.lo >= _ZERO:
        return hull(_times(a.lo, b.lo), _times(a.hi, b.hi))
    products = [_times(x, y) for x in _ends(a) for y in _ends(b)]
    lows, highs = [p.lower() for p in products], [p.upper() for p in products]
    return RigorousInterval(
        _least([-_INF if low.is_nan() else low for low in lows]),
        _greatest([_INF if high.is_nan() else high for high in highs]),
    )


def _ends(a: RigorousInterval) -> tuple[arb, ...]:
    return (a.lo,) if a.lo == a.hi else (a.lo, a.hi)


def _least(ends: Sequence[arb]) -> arb:
    return reduce(lambda x, y: y if y < x else x, ends)


def _greatest(ends: Sequence[arb]) -> arb:
    return reduce(lambda x, y: y if y > x else x, ends)


def subtract(a: RigorousInterval, b: RigorousInterval) -> RigorousInterval:
    """Enclose a - b."""
    return hull(a.lo - b.hi, a.hi - b.lo)


def reciprocal(a: RigorousInterval) -> RigorousInterval:
    """Enclose 1 / a."""
    if a.lo > 0:
        low = _ZERO if a.hi == _INF else _ONE / a.hi
        return hull(low, _ONE / a.lo if a.lo.is_finite() else _ZERO)
    if a.hi < 0:
        return _negate(reciprocal(_negate(a)))
    if a.lo == 0 and a.hi > 0:
        return hull(_ZERO if a.hi == _INF else _ONE / a.hi, _INF)
    if a.hi == 0 and a.lo < 0:
        return _negate(reciprocal(_negate(a)))
    return WHOLE


def _negate(a: RigorousInterval) -> RigorousInterval:
    return RigorousInterval(-a.hi, -a.lo)


def _end_power(x: arb, exponent: sp.Rational) -> arb:
    """x**exponent at an end x >= 0 (or any x for an integer exponent), exponent > 0."""
    if not x.is_finite():
        return _INF if x > 0 or exponent.p % 2 == 0 else -_INF
    if exponent.q == 1:
        return x ** int(exponent.p)
    return _ZERO if x.is_zero() else x ** to_ball(exponent)


def power(a: RigorousInterval, exponent: sp.Rational) -> RigorousInterval:
    """Enclose a**exponent for an exact rational exponent."""
    p, is_whole = exponent.p, exponent.q == 1  # sympy compares slowly
    if p < 0:
        return reciprocal(power(a, -exponent))
    if p == 0:
        return interval(1)
    if not is_whole and a.lo < _ZERO:
        return WHOLE
    low, high = _end_power(a.lo, exponent), _end_power(a.hi, exponent)
    if not is_whole or p % 2 or a.lo >= _ZERO:
        return hull(low, high)
    if a.hi <= _ZERO:
        return hull(high, low)
    ends = [hull(low, low).hi, hull(high, high).hi]
    return RigorousInterval(_ZERO, _greatest(ends))


def exponential(a: RigorousInterval) -> RigorousInterval:
    """Enclose exp(a)."""
    low = _ZERO if a.lo == -_INF else a.lo.exp()
    if a.hi == -_INF:
        return RigorousInterval(_ZERO, _ZERO)
    result = hull(low, _INF if a.hi == _INF else a.hi.exp())
    return RigorousInterval(_ZERO, result.hi) if result.lo < 0 else result


def logarithm(a: RigorousInterval) -> RigorousInterval:
    """Enclose log(a); the whole line where `a` reaches below zero."""
    if not a.lo >= 0 or a.hi == 0:
        return WHOLE
    return hull(-_INF if a.lo == 0 else _log_end(a.lo), _log_end(a.hi))


def _log_end(x: arb) -> arb:
    return _INF if x == _INF else x.log()


def general_power(a: RigorousInterval, b: RigorousInterval) -> RigorousInterval:
    """a**b = exp(b log a) for a >= 0; a negative number has powers of either sign, at integer exponents."""
    if b.lo == b.hi and b.lo.is_integer():
        return power(a, sp.Integer(int(b.lo.unique_fmpz())))
    return exponential(multiply(b, logarithm(a))) if a.lo >= 0 else WHOLE


def _sign(a: RigorousInterval) -> RigorousInterval:
    """Enclose sign(a), and with it every slope of |a|."""
    return RigorousInterval(_ONE if a.lo > 0 else -_ONE, -_ONE if a.hi < 0 else _ONE)


def _step(a: RigorousInterval, at_zero: RigorousInterval) -> RigorousInterval:
    """Enclose Heaviside(a), and with it every slope of max(a, 0)."""
    low, high = (_ONE if a.lo > 0 else _ZERO), (_ZERO if a.hi < 0 else _ONE)
    return RigorousInterval(_least([low, at_zero.lo]), _greatest([high, at_zero.hi]))


def _bounded(method: str, at_minus: arb, at_plus: arb) -> Callable[[RigorousInterval], RigorousInterval]:
    """An increasing function by the name of its Arb method, with its limits at both infinities."""

    def end(x: arb) -> arb:
        if x.is_finite():
            return getattr(x, method)()
        return at_plus if x > 0 else at_minus

    return lambda a: hull(end(a.lo), end(a.hi))


def _absolute(a: RigorousInterval) -> RigorousInterval:
    if a.lo >= 0:
        return a
    return _negate(a) if a.hi <= 0 else RigorousInterval(_ZERO, _greatest([-a.lo, a.hi]))


def _by_ball(method: str) -> Callable[[RigorousInterval], RigorousInterval]:
    """A function bounded by 1 that is not monotone: its ball over the whole argument is a valid enclosure."""

    def apply(a: RigorousInterval) -> RigorousInterval:
        if not a.is_finite:
            return RigorousInterval(-_ONE, _ONE)
        ball = getattr(a.lo.union(a.hi), method)()
        return RigorousInterval(_greatest([ball.lower(), -_ONE]), _least([ball.upper(), _ONE]))

    return apply


FUNCTIONS: dict[type, Callable[..., RigorousInterval]] = {
    sp.exp: exponential,
    sp.log: logarithm,
    sp.tanh: _bounded("tanh", -_ONE, _ONE),
    sp.sinh: _bounded("sinh", -_INF, _INF),
    sp.atan: lambda a: hull(_atan_end(a.lo), _atan_end(a.hi)),
    sp.asin: lambda a: hull(_arc_end(a.lo), _arc_end(a.hi)),
    sp.acos: lambda a: subtract(hull(arb.pi() / 2, arb.pi() / 2), FUNCTIONS[sp.asin](a)),
    sp.erf: _bounded("erf", -_ONE, _ONE),
    sp.erfc: lambda a: (
        subtract(interval(1), FUNCTIONS[sp.erf](a)) if not a.is_finite else hull(a.hi.erfc(), a.lo.erfc())
    ),
    sp.cosh: lambda a: multiply(
        interval(sp.Rational(1, 2)), add(exponential(_absolute(a)), exponential(_negate(_absolute(a))))
    ),
    sp.Abs: _absolute,
    sp.sign: _sign,
    sp.Heaviside: _step,
    sp.floor: lambda a: hull(_rounded(a.lo, "floor"), _rounded(a.hi, "floor")),
    sp.ceiling: lambda a: hull(_rounded(a.lo, "ceil"), _rounded(a.hi, "ceil")),
    sp.sin: _by_ball("sin"),
    sp.cos: _by_ball("cos"),
    sp.factorial: lambda a: _factorial(a),
    sp.Max: lambda *a: RigorousInterval(_greatest([x.lo for x in a]), _greatest([x.hi for x in a])),
    sp.Min: lambda *a: RigorousInterval(_least([x.lo for x in a]), _least([x.hi for x in a])),
}


def _rounded(x: arb, method: str) -> arb:
    """The whole number below (floor) or above (ceil) an end."""
    return getattr(x, method)() if x.is_finite() else x


def _factorial(a: RigorousInterval) -> RigorousInterval:
    """Enclose a! = Gamma(a + 1) for a > -1, convex, at least 0.885, and rising from 1 on."""
    if not a.lo > -1:
        return WHOLE
    ends = [(end + 1).gamma() if end.is_finite() else _INF for end in (a.lo, a.hi)]
    around = [hull(end, end) for end in ends]
    low = around[0].lo if a.lo >= 1 else hull(_ONE * 885 / 1000, _ONE).lo
    return RigorousInterval(low, _greatest([end.hi for end in around]))


def _arc_end(x: arb) -> arb:
    """asin at an end; beyond its domain there is no value, so the nearest one bounds all that there are."""
    return x.asin() if -1 <= x <= 1 else (arb.pi() / 2 if x > 0 else -arb.pi() / 2)


def _atan_end(x: arb) -> arb:
    half_turn = arb.pi() / 2
    return x.atan() if x.is_finite() else (half_turn if x > 0 else -half_turn)


CONSTANTS = {sp.pi: arb.pi, sp.E: arb.const_e, sp.EulerGamma: arb.const_euler}
