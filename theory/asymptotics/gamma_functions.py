"""gamma, its logarithm and derivatives, and zeta: at poles, regular points and infinity (DLMF, chapters 5 and 25)."""

from __future__ import annotations

import sympy as sp

from theory.asymptotics.series import UNIT, Series
from theory.asymptotics.taylor import Place
from theory.asymptotics.zeros import is_zero, sign
from theory.intervals import balls

_MAX_SHIFTS = 40


def _shifts(place: Place) -> int:
    """How many steps take a number `at` <= 0 above zero; 0 where it is there already."""
    if place.at == -sp.oo:
        raise place.refuse("at -oo, among its poles")
    if not is_zero(place.at) and sign(place.at) > 0:
        return 0
    value = balls.ball(place.at, {}, bits=256)
    if place.at.is_Rational:
        steps = int(sp.floor(-place.at)) + 1
    elif value is None or not value.floor().is_exact():
        raise place.refuse(f"at {place.at}")
    else:
        steps = -int(value.floor().unique_fmpz())
    if steps > _MAX_SHIFTS:
        raise place.refuse(f"beyond {_MAX_SHIFTS} poles, at {place.at}")
    return steps


def _stirling(place: Place) -> Series:
    """log gamma(u) at infinity."""
    u, e = place.inside, place.expander
    front = e.expand((u - sp.Rational(1, 2)) * sp.log(u) - u + sp.log(2 * sp.pi) / 2)
    odd = [sp.bernoulli(2 * j) / (2 * j * (2 * j - 1)) for j in place.orders(1)]
    tail = e.product(e.expand(1 / u), e.compose(e.expand(u**-2), odd))
    return e.sum([front, tail])


def _loggamma_taylor(place: Place) -> list[sp.Expr]:
    return [sp.polygamma(j - 1, place.at) / sp.factorial(j) for j in place.orders(1)]


def expand_gamma(place: Place) -> Series:
    """Expand gamma, through log gamma; at a pole, shifted to where it has none."""
    e = place.expander
    if place.at == sp.oo:
        return e.exponential(_stirling(place))
    steps = _shifts(place)
    if steps:
        poles = sp.Mul(*[place.inside + i for i in range(steps)])
        return e.expand(sp.gamma(sp.expand(place.inside + steps)) / poles)
    relative = e.exponential(place.taylor([sp.S.Zero, *_loggamma_taylor(place)]))
    return e.product(e.constant(sp.gamma(place.at)), relative)


def expand_loggamma(place: Place) -> Series:
    """Expand log gamma, real."""
    if place.at == sp.oo:
        return _stirling(place)
    if _shifts(place):
        if not is_zero(place.at):
            raise place.refuse("below zero, where it is not real")
        u = place.inside
        return place.expander.expand(sp.loggamma(sp.expand(u + 1)) - sp.log(u))
    return place.taylor([sp.loggamma(place.at), *_loggamma_taylor(place)])


def expand_polygamma(place: Place, order: sp.Expr) -> Series:
    """Expand polygamma of a fixed order."""
    e, u, m = place.expander, place.inside, order
    if not (m.is_Integer and m >= 0):
        raise place.refuse(f"of order {m}")
    if place.at == sp.oo:
        return _polygamma_at_infinity(place, int(m))
    steps = _shifts(place)
    if steps:
        poles = sp.Add(*[(u + i) ** (-m - 1) for i in range(steps)])
        return e.expand(sp.polygamma(m, sp.expand(u + steps)) - (-1) ** m * sp.factorial(m) * poles)
    return place.taylor([sp.polygamma(m + j, place.at) / sp.factorial(j) for j in place.orders()])


def _polygamma_at_infinity(place: Place, m: int) -> Series:
    e, u = place.expander, place.inside
    if m == 0:
        front = sp.log(u) - 1 / (2 * u)
        even = [-sp.bernoulli(2 * j) / (2 * j) for j in place.orders(1)]
    else:
        front = (-1) ** (m + 1) * (sp.factorial(m - 1) / u**m + sp.factorial(m) / (2 * u ** (m + 1)))
        even = [
            (-1) ** (m + 1) * sp.bernoulli(2 * j) * sp.factorial(2 * j + m - 1) / sp.factorial(2 * j)
            for j in place.orders(1)
        ]
    tail = e.product(e.expand(u ** (-m - 2)), e.compose(e.expand(u**-2), even))
    return e.sum([e.expand(front), tail])


def expand_zeta(place: Place) -> Series:
    """Expand zeta of one argument: its pole, infinity, or its value elsewhere."""
    e, u = place.expander, place.inside
    if place.at == sp.oo:
        last = e.expand(sp.Integer(place.expander.order + 1) ** -u)
        terms = [e.expand(sp.Integer(k) ** -u) for k in range(1, e.order + 1)]
        return e.sum([*terms, last, Series((), last.bound)])
    if place.at == -sp.oo:
        raise place.refuse("at -oo, among its zeros")
    if is_zero(place.at - 1):
        regular = [(-1) ** k * sp.stieltjes(k) / sp.factorial(k) for k in place.orders()]
        return e.sum([e.expand(1 / (u - 1)), place.taylor(regular)])
    value = e.constant(sp.zeta(place.at))
    return value if place.small.is_zero else Series(value.terms, UNIT)  # its derivatives have no closed form
