"""Functions of a fixed order and one argument: Bessel, exponential integrals, polylogarithms (DLMF 10, 8.19, 25.12)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sympy as sp

from theory.asymptotics.series import LOGLOG, Series
from theory.asymptotics.taylor import Place
from theory.asymptotics.zeros import is_zero, sign

_MAX_ORDER = 20
_BESSEL = (sp.besselj, sp.bessely, sp.besseli, sp.besselk)


def vanishing_wave(place: Place, front: sp.Expr) -> Series:
    """What oscillates at infinity within a multiple of `front`, and no more is said of it."""
    return place.expander.product(place.expander.expand(front), Series((), LOGLOG))


def _is_whole(order: sp.Expr, least: int) -> bool:
    return bool(order.is_Integer) and least <= order <= _MAX_ORDER


def _regular(place: Place, order: sp.Expr) -> Series:
    """Taylor's expansion at a finite place > 0, where all of these are analytic."""
    if sign(place.at) < 0:
        raise place.refuse("below zero")
    return place.analytic(partial(place.function, order))


# ------------------------------------------------------------------------------------------------------------ Bessel


def expand_bessel(place: Place, order: sp.Expr) -> Series:
    """J, Y, I or K: waves or exponentials at infinity, their series at zero."""
    if not order.is_Rational or abs(order) > _MAX_ORDER:
        raise place.refuse(f"of order {order}")
    if place.at == sp.oo:
        return _bessel_at_infinity(place, order)
    if place.at == -sp.oo:
        raise place.refuse("at -oo")
    if not is_zero(place.at):
        return _regular(place, order)
    if place.function in (sp.besselj, sp.besseli):
        return _ascending(place, order, -1 if place.function is sp.besselj else 1)
    return _second_kind_at_zero(place, order)


def _bessel_at_infinity(place: Place, order: sp.Expr) -> Series:
    """DLMF 10.17.3-4 as bounds; 10.40.1-2."""
    e, u = place.expander, place.inside
    if place.function in (sp.besselj, sp.bessely):
        return vanishing_wave(place, u**-sp.S.Half)
    turn = -1 if place.function is sp.besseli else 1
    coefficients = [sp.S.One]
    for k in place.orders(1):
        coefficients.append(coefficients[-1] * turn * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k))
    front = sp.exp(u) / sp.sqrt(2 * sp.pi * u) if turn < 0 else sp.exp(-u) * sp.sqrt(sp.pi / (2 * u))
    return e.product(e.expand(front), e.compose(e.expand(1 / u), coefficients))


def _ascending(place: Place, order: sp.Expr, turn: int) -> Series:
    """J or I (turn -1 or 1) of any order that is no negative whole number, which sympy turns round (DLMF 10.2.2)."""
    e = place.expander
    even = [turn ** (j // 2) / (sp.factorial(j // 2) * sp.gamma(order + j // 2 + 1) * 2**j) if j % 2 == 0 else sp.S.Zero
            for j in place.orders()]  # fmt: skip
    return e.product(e.expand((place.inside / 2) ** order), place.taylor(even))


def _second_kind_at_zero(place: Place, order: sp.Expr) -> Series:
    """Y and K, by both of J and I (DLMF 10.2.3, 10.27.4), or with a logarithm (10.8.1, 10.31.1)."""
    e, u, is_y = place.expander, place.inside, place.function is sp.bessely
    turn = -1 if is_y else 1
    if not order.is_integer:
        one, other = _ascending(place, order, turn), _ascending(place, -order, turn)
        a, b = (sp.cot(order * sp.pi), -1 / sp.sin(order * sp.pi)) if is_y else (
            -sp.pi / (2 * sp.sin(order * sp.pi)), sp.pi / (2 * sp.sin(order * sp.pi)))  # fmt: skip
        return e.sum([e.product(e.constant(a), one), e.product(e.constant(b), other)])
    n, factorial = abs(int(order)), sp.factorial
    flip = sp.S.NegativeOne**n if order < 0 and is_y else sp.S.One  # Y(-n, u) = (-1)^n Y(n, u), K(-n, u) = K(n, u)
    poles = [(-turn) ** k * factorial(n - k - 1) / factorial(k) * (u / 2) ** (2 * k - n) for k in range(n)]
    psi = [
        (sp.polygamma(0, j // 2 + 1) + sp.polygamma(0, n + j // 2 + 1)) * turn ** (j // 2)
        / (factorial(j // 2) * factorial(n + j // 2) * 2**j) if j % 2 == 0 else sp.S.Zero
        for j in place.orders()
    ]  # fmt: skip
    log, pole, rest = (2 / sp.pi, -1 / sp.pi, -1 / sp.pi) if is_y else (
        sp.S.NegativeOne ** (n + 1), sp.S.Half, sp.S.NegativeOne**n / 2)  # fmt: skip
    found = [
        e.product(e.expand(log * sp.log(u / 2)), _ascending(place, sp.Integer(n), turn)),
        e.expand(pole * sp.Add(*poles)),
        e.product(e.expand(rest * (u / 2) ** n), place.taylor(psi)),
    ]
    return e.product(e.constant(flip), e.sum(found))


# ----------------------------------------------------------------------------- exponential integrals, polylogarithms


def expand_expint(place: Place, order: sp.Expr) -> Series:
    """E_n: exp(-u)/u and falling powers at infinity (DLMF 8.20.2), its series with a logarithm at zero (8.19.8)."""
    e, u = place.expander, place.inside
    if place.at == sp.oo:
        falling = [sp.S.NegativeOne**k * sp.rf(order, k) for k in place.orders()]
        return e.product(e.expand(sp.exp(-u) / u), e.compose(e.expand(1 / u), falling))
    if place.at == -sp.oo or not _is_whole(order, 1):
        raise place.refuse(f"of order {order} at {place.at}")
    if not is_zero(place.at):
        return _regular(place, order)
    n = int(order)
    powers = [sp.S.Zero if k == n - 1 else -(sp.S.NegativeOne**k) / ((k - n + 1) * sp.factorial(k))
              for k in place.orders()]  # fmt: skip
    front = (-u) ** (n - 1) / sp.factorial(n - 1) * (sp.polygamma(0, n) - sp.log(u))
    return e.sum([e.expand(front), place.taylor(powers)])


def expand_polylog(place: Place, order: sp.Expr) -> Series:
    """Li_s: powers at zero, t = -log u at one (DLMF 25.12.12), and the like of Li_2's inversion at -oo (25.12.4)."""
    e, u = place.expander, place.inside
    if not order.is_Rational or not 1 < order <= _MAX_ORDER:
        raise place.refuse(f"of order {order}")
    if place.at == -sp.oo and order.is_Integer:
        log = sp.log(-u)
        etas = [
            sp.S.Half,
            *[(1 - sp.Integer(2) ** (1 - 2 * k)) * sp.zeta(2 * k) for k in range(1, int(order) // 2 + 1)],
        ]
        powers = [eta * log ** (order - 2 * k) / sp.factorial(order - 2 * k) for k, eta in enumerate(etas)]
        return e.expand(-2 * sp.Add(*powers) - sp.S.NegativeOne**order * sp.polylog(order, 1 / u))
    if place.at.is_infinite:
        raise place.refuse(f"at {place.at}")
    if is_zero(place.at):
        return place.taylor([sp.S.Zero, *[sp.Integer(k) ** -order for k in place.orders(1)]])
    if is_zero(place.at - 1):
        return _polylog_at_one(place, order)
    if sign(1 - place.at) < 0:
        raise place.refuse("above 1, where it is not real")
    return place.analytic(partial(sp.polylog, order))


def _polylog_at_one(place: Place, order: sp.Expr) -> Series:
    """In t = -log u > 0: beyond 1 it is not real, and neither is log t."""
    e, t = place.expander, -sp.log(sp.expand(place.inside))
    small = e.expand(t)
    powers = [sp.S.Zero if k == order - 1 else sp.zeta(order - k) * sp.S.NegativeOne**k / sp.factorial(k)
              for k in place.orders()]  # fmt: skip
    if order.is_Integer:
        n = int(order)
        front = (-t) ** (n - 1) / sp.factorial(n - 1) * (sp.harmonic(n - 1) - sp.log(t))
    else:
        front = sp.gamma(1 - order) * t ** (order - 1)
    return e.sum([e.expand(front), e.compose(small, powers)])


RULES: dict[Any, Callable[[Place, sp.Expr], Series]] = {
    **dict.fromkeys(_BESSEL, expand_bessel),
    sp.expint: expand_expint,
    sp.polylog: expand_polylog,
}
"""Functions whose first argument is an order without x."""
