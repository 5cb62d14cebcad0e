"""The value of a formula at one exact point, as an Arb ball: what the witnesses of `theory.asymptotics.exponents`
measure.

The tree is walked as it stands, without `subs`, which would let sympy evaluate what it should not. Semantics are real:
a part that is no real number there (a logarithm below zero, gamma at a pole, 1/0) leaves the whole without a value.
`theory.intervals.arithmetic` encloses over boxes and knows few functions; at a point Arb knows nearly all of them. A
ball that is not finite means that the formula has no value at the point, or that the precision is too low to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import flint
import sympy as sp
from flint import acb, arb

_NAN = arb("nan")
_MAX_POWER = 1 << 20


class NoValue(ValueError):
    """A part of the formula that cannot be evaluated anywhere."""


def ball(expression: sp.Expr, values: Mapping[sp.Symbol, Any], *, bits: int) -> arb | None:
    """Enclosure of a formula at a point of exact rationals, or None where it has no finite one at this precision."""
    with flint.ctx.workprec(bits):
        known = {symbol: _rational(sp.Rational(value)) for symbol, value in values.items()}
        try:
            found = _walk(expression, known)
        except (NoValue, OverflowError, ZeroDivisionError):
            return None
    return found if found.is_finite() else None


def is_evaluable(expression: sp.Expr) -> bool:
    """Whether every part of a formula has a rule here; it may still have no value at some points."""
    if expression.is_Symbol or expression.is_Rational or expression in _CONSTANTS:
        return True
    if isinstance(expression, sp.Piecewise):
        return all(is_evaluable(value) for value, _ in expression.args)
    known = expression.is_Add or expression.is_Mul or expression.is_Pow or expression.func in _RULES
    return known and all(is_evaluable(part) for part in expression.args)


def sign_of(value: arb | None) -> int | None:
    """-1 or 1 where a ball says it, else None."""
    if value is None:
        return None
    return 1 if value > 0 else -1 if value < 0 else None


def _rational(value: sp.Rational) -> arb:
    return arb(flint.fmpq(int(value.p), int(value.q)))


def _walk(expression: sp.Basic, known: dict[sp.Basic, arb]) -> arb:
    """The value of a part; shared parts are evaluated once."""
    if expression not in known:
        known[expression] = _value(expression, known)
    return known[expression]


def _value(expression: sp.Basic, known: dict[sp.Basic, arb]) -> arb:
    if isinstance(expression, sp.Rational):
        return _rational(expression)
    if expression in _CONSTANTS:
        return _CONSTANTS[expression]()
    if isinstance(expression, sp.Piecewise):
        return _piecewise(expression, known)
    parts = [_walk(part, known) for part in expression.args]
    if not parts:
        raise NoValue(f"no value is known for {expression}")
    if any(not part.is_finite() for part in parts):
        return _NAN
    if expression.is_Add:
        return reduce(lambda a, b: a + b, parts)
    if expression.is_Mul:
        return reduce(lambda a, b: a * b, parts)
    if expression.is_Pow and not isinstance(expression, sp.exp):
        return _power(expression, *parts)
    rule = _RULES.get(expression.func)
    if rule is None:
        raise NoValue(f"no value is known for {expression}")
    return rule(*parts)


def _power(expression: sp.Expr, base: arb, exponent: arb) -> arb:
    """base**exponent, real: a root of a negative number has no value; an integer exponent may have any base."""
    q = expression.args[1]
    if exponent.is_integer() and (q.is_Integer or not base > 0):
        n = int(exponent.unique_fmpz())
        if abs(n) > _MAX_POWER:
            return (exponent * base.log()).exp() if base > 0 else _NAN
        return base**n if n >= 0 else 1 / base ** (-n)
    if base == 0:
        return arb(0) if exponent > 0 else _NAN
    if q == sp.S.Half:
        return base.sqrt()
    return (exponent * base.log()).exp() if base > 0 else _NAN


def _piecewise(expression: sp.Piecewise, known: dict[sp.Basic, arb]) -> arb:
    """The first branch that holds, where all conditions before it are certainly decided."""
    for value, condition in expression.args:
        holds = _holds(condition, known)
        if holds is None:
            return _NAN
        if holds:
            return _walk(value, known)
    return _NAN


def _holds(condition: sp.Basic, known: dict[sp.Basic, arb]) -> bool | None:
    """Whether a condition holds at the point; None where it is not certain."""
    if condition in (sp.true, sp.false):
        return condition == sp.true
    if isinstance(condition, sp.And | sp.Or):
        truths = [_holds(part, known) for part in condition.args]
        deciding = isinstance(condition, sp.Or)
        return deciding if deciding in truths else None if None in truths else not deciding
    if isinstance(condition, sp.Not):
        inner = _holds(condition.args[0], known)
        return None if inner is None else not inner
    if not isinstance(condition, sp.core.relational.Relational):
        raise NoValue(f"no value is known for {condition}")
    left, right = (_walk(part, known) for part in condition.args)
    difference = left - right
    side = 1 if difference > 0 else -1 if difference < 0 else 0 if difference == 0 else None
    return None if side is None else side in MEETS[type(condition)]


MEETS = {sp.Gt: (1,), sp.Ge: (1, 0), sp.Lt: (-1,), sp.Le: (-1, 0), sp.Eq: (0,), sp.Ne: (1, -1)}
"""The signs of left - right at which a relation holds."""


def _by(method: str) -> Callable[..., arb]:
    return lambda a: getattr(a, method)()


def _sign(a: arb) -> arb:
    return arb(0) if a == 0 else arb(1) if a > 0 else arb(-1) if a < 0 else _NAN


def _heaviside(a: arb, at_zero: arb = arb(0.5)) -> arb:  # noqa: B008 - an immutable number
    return at_zero if a == 0 else arb(1) if a > 0 else arb(0) if a < 0 else _NAN


def _rounded(method: str) -> Callable[..., arb]:
    """Floor or ceiling where the ball certainly lies between two jumps."""

    def apply(a: arb) -> arb:
        found = getattr(a, method)()
        return found if found.is_exact() else _NAN

    return apply


def _polygamma(order: arb, a: arb) -> arb:
    if order == 0:
        return a.digamma()
    if not order.is_integer() or not order > 0:
        return _NAN
    return _real(acb(a).polygamma(acb(order)))


def _real(value: acb) -> arb:
    return value.real if value.imag.contains(0) else _NAN


def _zeta(a: arb, shift: arb | None = None) -> arb:
    """The sum of k^-a, which needs few terms where a is large; Arb takes minutes for some of those."""
    if shift is not None and shift != 1:
        return _NAN
    if not a > 2 + flint.ctx.prec // 6:
        return a.zeta()
    terms = [(-a * arb(k).log()).exp() for k in range(1, 65)]
    rest = terms[-1] * 64 / (a - 1)  # the integral of t^-a beyond 64
    return reduce(lambda u, v: u + v, terms) + rest.union(arb(0))


def _expint(order: arb, a: arb) -> arb:
    return a.expint(order) if a > 0 else _NAN


def _bessel(method: str, *, is_entire: bool) -> Callable[..., arb]:
    """J and I of whole order are real everywhere, all others for arguments > 0 only."""
    return lambda order, a: getattr(a, method)(order) if a > 0 or (is_entire and order.is_integer()) else _NAN


def _polylog(order: arb, a: arb) -> arb:
    return a.polylog(order) if a < 1 else _NAN


def _lambertw(a: arb, branch: arb = arb(0)) -> arb:  # noqa: B008 - an immutable number
    return a.lambertw(0) if branch == 0 else a.lambertw(-1) if branch == -1 else _NAN


def _stieltjes(order: arb, shift: arb | None = None) -> arb:
    return acb.stieltjes(int(order.unique_fmpz())).real if shift is None or shift == 1 else _NAN


def _binomial(a: arb, b: arb) -> arb:
    """gamma(a+1) / (gamma(b+1) gamma(a-b+1)), whose reciprocal gammas vanish at poles."""
    return (a + 1).gamma() * (b + 1).rgamma() * (a - b + 1).rgamma()


def _modulo(a: arb, b: arb) -> arb:
    return a - b * _rounded("floor")(a / b)


_CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
    sp.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
}

_RULES: dict[Any, Callable[..., arb]] = {
    **{f: _by(f.__name__) for f in (sp.exp, sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc)},
    **{f: _by(f.__name__) for f in (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)},
    **{f: _by(f.__name__) for f in (sp.asin, sp.acos, sp.atan, sp.asinh, sp.acosh, sp.atanh)},
    **{f: _by(f.__name__) for f in (sp.erf, sp.erfc, sp.erfi, sp.gamma, sp.digamma, sp.li)},
    sp.log: _by("log"),
    sp.acot: lambda a: (1 / a).atan(),
    sp.asec: lambda a: (1 / a).acos(),
    sp.acsc: lambda a: (1 / a).asin(),
    sp.asech: lambda a: (1 / a).acosh(),
    sp.acsch: lambda a: (1 / a).asinh(),
    sp.acoth: lambda a: (1 / a).atanh(),
    sp.sinc: _by("sinc"),
    sp.Ei: _by("ei"),
    sp.Si: _by("si"),
    sp.Ci: lambda a: a.ci() if a > 0 else _NAN,
    sp.Shi: _by("shi"),
    sp.Chi: lambda a: a.chi() if a > 0 else _NAN,
    sp.expint: _expint,
    sp.besselj: _bessel("bessel_j", is_entire=True),
    sp.bessely: _bessel("bessel_y", is_entire=False),
    sp.besseli: _bessel("bessel_i", is_entire=True),
    sp.besselk: _bessel("bessel_k", is_entire=False),
    sp.polylog: _polylog,
    sp.loggamma: _by("lgamma"),
    sp.factorial: lambda a: (a + 1).gamma(),
    sp.polygamma: _polygamma,
    sp.harmonic: lambda a: (a + 1).digamma() + arb.const_euler(),
    sp.zeta: _zeta,
    sp.stieltjes: _stieltjes,
    sp.beta: lambda a, b: a.gamma() * b.gamma() * (a + b).rgamma(),
    sp.binomial: _binomial,
    sp.RisingFactorial: lambda a, k: (a + k).gamma() * a.rgamma(),
    sp.FallingFactorial: lambda a, k: (a + 1).gamma() * (a - k + 1).rgamma(),
    sp.LambertW: _lambertw,
    sp.floor: _rounded("floor"),
    sp.ceiling: _rounded("ceil"),
    sp.frac: lambda a: a - _rounded("floor")(a),
    sp.Mod: _modulo,
    sp.Abs: abs,
    sp.sign: _sign,
    sp.Heaviside: _heaviside,
    sp.Max: lambda *a: reduce(lambda u, v: u.max(v), a),
    sp.Min: lambda *a: reduce(lambda u, v: u.min(v), a),
}
