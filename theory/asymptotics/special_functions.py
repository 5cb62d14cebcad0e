"""Expansions of functions as their argument tends to a regular point, a singular point, a jump or infinity.

A Taylor expansion is used only where the function is certainly analytic at the limit of its argument. Elsewhere an
exact identity leads to what is (gamma(u) = gamma(u + 1) / u at a pole, asin near 1 through a root), or a known
asymptotic expansion is written down (DLMF, chapters 4 to 8, 10, 25). Jumps are decided by the side from which the
argument arrives. A function without a rule, or a part that is not real, is refused by name: `NoExpansion`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from sympy.functions.elementary.hyperbolic import HyperbolicFunction

from theory.asymptotics import fixed_order, jumps
from theory.asymptotics import gamma_functions as gammas
from theory.asymptotics.expander import Expander
from theory.asymptotics.series import LOGLOG, NoExpansion, Series
from theory.asymptotics.taylor import Place, place_of
from theory.asymptotics.zeros import is_zero, sign

_MAX_PRODUCT = 40


def expand_function(expander: Expander, expression: sp.Expr) -> Series:
    """The series of a function of x, from its arguments. Raises NoExpansion where no rule is known."""
    if isinstance(expression, jumps.JUMPS):
        return jumps.expand_jump(expander, expression)
    function, arguments = expression.func, expression.args
    if isinstance(expression, HyperbolicFunction):
        return expander.expand(expression.rewrite(sp.exp))
    if function in _IDENTITIES:
        return expander.expand(_IDENTITIES[function](*arguments))
    if function is sp.polygamma and not arguments[0].has(expander.x):
        return gammas.expand_polygamma(place_of(expander, function, arguments[1]), arguments[0])
    if function in fixed_order.RULES and not arguments[0].has(expander.x):
        return fixed_order.RULES[function](place_of(expander, function, arguments[1]), arguments[0])
    if function not in _RULES or len(arguments) != 1:
        raise NoExpansion(f"no expansion is known for {expression}")
    return _RULES[function](place_of(expander, function, arguments[0]))


# --------------------------------------------------------------------------------------------- elementary functions


def _entire(place: Place) -> Series:
    """Taylor's expansion of a function that is analytic on the whole real line."""
    if place.at.is_infinite:
        raise place.refuse("at infinity")
    return place.analytic(place.function)


def _wave(place: Place) -> Series:
    """Sine and cosine: at infinity all that is known is that they are bounded."""
    return Series((), LOGLOG) if place.at.is_infinite else _entire(place)


def _asin(place: Place) -> Series:
    at, u = place.at, place.inside
    if at.is_infinite:
        raise place.refuse("outside [-1, 1], where it is not real")
    for end in (1, -1):
        if is_zero(at - end):
            root = 2 * sp.asin(sp.sqrt(sp.expand(1 - end * u) / 2))
            if place.function is sp.asin:
                return place.expander.expand(end * (sp.pi / 2 - root))
            return place.expander.expand(root if end == 1 else sp.pi - root)
    if sign(1 - at**2) < 0:
        raise place.refuse("outside [-1, 1], where it is not real")
    return _entire(place)


def _atan(place: Place) -> Series:
    if not place.at.is_infinite:
        return _entire(place)
    return place.expander.expand(sp.sign(place.at) * sp.pi / 2 - sp.atan(1 / place.inside))


def _asinh(place: Place) -> Series:
    if not place.at.is_infinite:
        return _entire(place)
    u = place.inside * sp.sign(place.at)
    return place.expander.expand(sp.sign(place.at) * sp.log(u + sp.sqrt(u**2 + 1)))


def _acosh(place: Place) -> Series:
    at, u = place.at, place.inside
    if at == sp.oo:
        return place.expander.expand(sp.log(u + sp.sqrt(u**2 - 1)))
    if at == -sp.oo or (not is_zero(at - 1) and sign(at - 1) < 0):
        raise place.refuse("below 1, where it is not real")
    if is_zero(at - 1):
        return place.expander.expand(2 * sp.asinh(sp.sqrt(sp.expand(u - 1) / 2)))
    return _entire(place)


# --------------------------------------------------------------------------------- error functions and integrals


def _tail(place: Place, u: sp.Expr, coefficients: Sequence[sp.Expr], front: sp.Expr, power: int) -> Series:
    """front * sum_j coefficients[j] u^(-power j), asymptotic as u -> oo."""
    e = place.expander
    return e.product(e.expand(front), e.compose(e.expand(u**-power), coefficients))


def _odd_factorials(place: Place, ratio: sp.Rational) -> list[sp.Expr]:
    return [sp.factorial2(2 * k - 1) * ratio**k for k in place.orders()]


def _erfc_tail(place: Place, v: sp.Expr) -> Series:
    """erfc(v) as v -> oo."""
    front = sp.exp(-sp.expand(v**2)) / (v * sp.sqrt(sp.pi))
    return _tail(place, v, _odd_factorials(place, sp.Rational(-1, 2)), front, 2)


def _erf(place: Place) -> Series:
    """erf and erfc: one minus, or two minus, the tail."""
    if not place.at.is_infinite:
        return _entire(place)
    e, side = place.expander, 1 if place.at == sp.oo else -1
    tail = _erfc_tail(place, side * place.inside)
    if place.function is sp.erfc:
        return tail if side == 1 else e.sum([e.constant(sp.Integer(2)), e.product(e.constant(sp.S.NegativeOne), tail)])
    return e.sum([e.constant(sp.Integer(side)), e.product(e.constant(sp.Integer(-side)), tail)])


def _erfi(place: Place) -> Series:
    if not place.at.is_infinite:
        return _entire(place)
    u = place.inside
    front = sp.exp(sp.expand(u**2)) / (u * sp.sqrt(sp.pi))
    return _tail(place, u, _odd_factorials(place, sp.Rational(1, 2)), front, 2)


def _exponential_integral(place: Place) -> Series:
    e, u = place.expander, place.inside
    if place.at.is_infinite:
        return _tail(place, u, [sp.factorial(k) for k in place.orders()], sp.exp(u) / u, 1)
    if not is_zero(place.at):
        sign(place.at)
        return _entire(place)
    regular = [sp.EulerGamma, *[1 / (k * sp.factorial(k)) for k in place.orders(1)]]
    return e.sum([e.expand(sp.log(sp.Abs(u))), place.taylor(regular)])


def _sine_integral(place: Place) -> Series:
    """Si and Shi, whose derivatives sin(u)/u and sinh(u)/u are 0/0 at zero; at infinity DLMF 6.12.3 as a bound."""
    e, u = place.expander, place.inside
    if place.at.is_infinite and place.function is sp.Shi:
        return e.expand((sp.Ei(u) - sp.Ei(-u)) / 2)
    if place.at.is_infinite:
        half = sp.pi / 2 if place.at == sp.oo else -sp.pi / 2
        return e.sum([e.constant(half), fixed_order.vanishing_wave(place, 1 / u)])
    if not is_zero(place.at):
        return _entire(place)
    turn = sp.S.NegativeOne if place.function is sp.Si else sp.S.One
    odd = [turn ** (j // 2) / (j * sp.factorial(j)) if j % 2 else sp.S.Zero for j in place.orders(1)]
    return place.taylor([sp.S.Zero, *odd])


def _cosine_integral(place: Place) -> Series:
    e = place.expander
    if place.at == sp.oo:
        return fixed_order.vanishing_wave(place, 1 / place.inside)
    if place.at == -sp.oo or (not is_zero(place.at) and sign(place.at) < 0):
        raise place.refuse(f"at {place.at}")
    if not is_zero(place.at):
        return _entire(place)
    even = [sp.Integer(-1) ** (k // 2) / (k * sp.factorial(k)) if k % 2 == 0 else sp.S.Zero for k in place.orders(1)]
    return e.sum([e.expand(sp.log(place.inside)), place.taylor([sp.EulerGamma, *even])])


# ------------------------------------------------------------------------------------------------------- Lambert W


def _lambert(place: Place) -> Series:
    """The principal branch: at its branch point, at zero, where it is regular, and at infinity."""
    if place.at == sp.oo:
        return _lambert_at_infinity(place)
    if place.at == -sp.oo:
        raise place.refuse("below -1/e, where it is not real")
    if is_zero(place.at):
        powers = [sp.Integer(-k) ** (k - 1) / sp.factorial(k) if k else sp.S.Zero for k in place.orders()]
        return place.taylor(powers)
    if is_zero(sp.E * place.at + 1):
        root = place.expander.expand(sp.sqrt(sp.expand(2 * (sp.E * place.inside + 1))))
        return place.expander.compose(root, _lambert_branch(place.expander.order))
    if sign(sp.E * place.at + 1) < 0:
        raise place.refuse("below -1/e, where it is not real")
    return _entire(place)


def _lambert_branch(order: int) -> list[sp.Rational]:
    """Coefficients of W in p = sqrt(2 (e u + 1)) (Corless et al., "On the Lambert W function", 1996, (4.23))."""
    mu, alpha = [sp.Integer(-1), sp.Integer(1)], [sp.Integer(2), sp.Integer(-1)]
    for k in range(2, order + 1):
        alpha.append(sp.Add(*[mu[j] * mu[k + 1 - j] for j in range(2, k)]))
        first = sp.Rational(k - 1, k + 1) * (mu[k - 2] / 2 + alpha[k - 2] / 4)
        mu.append(first - alpha[k] / 2 - mu[k - 1] / (k + 1))
    return mu[: order + 1]


def _lambert_at_infinity(place: Place) -> Series:
    """w -> log u - log w gains a factor log u at each step, from w = log u."""
    e = place.expander
    first = e.logarithm(place.inner)
    loglog = e.logarithm(first).bound
    found, gained = first, loglog.times(loglog)
    for _ in place.orders(1):
        found = e.sum([first, e.product(e.constant(sp.S.NegativeOne), e.logarithm(found))])
        gained = gained.times(first.bound, sp.S.NegativeOne)
    return e.sum([found, Series((), gained)])


_IDENTITIES: dict[Any, Callable[..., sp.Expr]] = {
    sp.tan: lambda u: sp.sin(u) / sp.cos(u),
    sp.cot: lambda u: sp.cos(u) / sp.sin(u),
    sp.sec: lambda u: 1 / sp.cos(u),
    sp.csc: lambda u: 1 / sp.sin(u),
    sp.sinc: lambda u: sp.sin(u) / u,
    sp.acot: lambda u: sp.atan(1 / u),
    sp.asec: lambda u: sp.acos(1 / u),
    sp.acsc: lambda u: sp.asin(1 / u),
    sp.asech: lambda u: sp.acosh(1 / u),
    sp.acsch: lambda u: sp.asinh(1 / u),
    sp.atanh: lambda u: (sp.log(sp.expand(1 + u)) - sp.log(sp.expand(1 - u))) / 2,
    sp.acoth: lambda u: (sp.log(sp.expand(1 + 1 / u)) - sp.log(sp.expand(1 - 1 / u))) / 2,
    sp.li: lambda u: sp.Ei(sp.log(u)),
    sp.Chi: lambda u: (sp.Ei(u) + sp.Ei(-u)) / 2,
    sp.digamma: lambda u: sp.polygamma(0, u),
    sp.harmonic: lambda u: sp.polygamma(0, u + 1) + sp.EulerGamma,
    sp.factorial: lambda u: sp.gamma(u + 1),
    sp.beta: lambda a, b: sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b),
    sp.RisingFactorial: lambda a, k: sp.gamma(a + k) / sp.gamma(a),
    sp.FallingFactorial: lambda a, k: sp.gamma(a + 1) / sp.gamma(sp.expand(a - k + 1)),
    sp.binomial: lambda a, b: (
        sp.Mul(*[(a - i) / (i + 1) for i in range(b)])
        if b.is_Integer and 0 <= b <= _MAX_PRODUCT
        else sp.gamma(a + 1) / (sp.gamma(b + 1) * sp.gamma(sp.expand(a - b + 1)))
    ),
}
"""Functions by what they are made of, wherever both sides are real."""

_RULES: dict[Any, Callable[[Place], Series]] = {
    sp.sin: _wave,
    sp.cos: _wave,
    sp.asin: _asin,
    sp.acos: _asin,
    sp.atan: _atan,
    sp.asinh: _asinh,
    sp.acosh: _acosh,
    sp.gamma: gammas.expand_gamma,
    sp.loggamma: gammas.expand_loggamma,
    sp.zeta: gammas.expand_zeta,
    sp.erf: _erf,
    sp.erfc: _erf,
    sp.erfi: _erfi,
    sp.Ei: _exponential_integral,
    sp.Si: _sine_integral,
    sp.Shi: _sine_integral,
    sp.Ci: _cosine_integral,
    sp.LambertW: _lambert,
}
