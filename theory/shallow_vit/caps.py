"""How likely a Gaussian vector points near a given direction: the exact probability of a cap, and simple forms."""

from __future__ import annotations

import sympy as sp

theta = sp.Symbol("theta", nonnegative=True)


def cap_probability(radius: sp.Expr, dimension: sp.Expr) -> sp.Expr:
    """Exact probability that a Gaussian vector lies within `radius` <= pi/2 of a fixed direction of R^dimension.

    Half the regularized incomplete beta function I_{sin^2 radius}((dimension - 1)/2, 1/2).
    """
    half = sp.Rational(1, 2)
    return sp.betainc_regularized((dimension - 1) / 2, half, 0, sp.sin(radius) ** 2) / 2


CAP_10 = (
    35 * theta
    - 28 * sp.sin(2 * theta)
    + 7 * sp.sin(4 * theta)
    - sp.Rational(4, 3) * sp.sin(6 * theta)
    + sp.Rational(1, 8) * sp.sin(8 * theta)
) / (35 * sp.pi)
"""`cap_probability(theta, 10)`: the integral of sin^8 from 0 to theta over its integral from 0 to pi, 35 pi/128."""

x = sp.Symbol("cos(theta)", nonnegative=True)


def odd_cap(dimension: int) -> sp.Expr:
    """`cap_probability` in an odd dimension, a polynomial in x = cos(theta) of density (1-x^2)^{(dimension-3)/2}."""
    density = sp.expand((1 - x**2) ** ((dimension - 3) // 2))
    antiderivative = sp.integrate(density, x)
    return (antiderivative.subs(x, 1) - antiderivative) / (2 * antiderivative.subs(x, 1))
