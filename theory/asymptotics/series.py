"""Terms in the scale exp(E(x)) x^a log(x)^b loglog(x)^c as x -> oo, and sums of a few of them with an unknown rest."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp


class NoExpansion(ValueError):
    """The formula has a part that the scale of powers, logarithms and exponentials does not cover."""


class NeedMore(Exception):
    """The terms kept have cancelled; expand with more of them."""


@dataclass(frozen=True)
class Monomial:
    """exp(growth) x^power log(x)^log loglog(x)^loglog; `growth` is an expression in x that outgrows log(x), or 0."""

    growth: sp.Expr = sp.S.Zero
    power: sp.Expr = sp.S.Zero
    log: sp.Expr = sp.S.Zero
    loglog: sp.Expr = sp.S.Zero

    def parts(self) -> tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr]:
        """The four exponents, the dominating one first."""
        return self.growth, self.power, self.log, self.loglog

    def times(self, other: Monomial, exponent: sp.Expr = sp.S.One) -> Monomial:
        """Multiply by other**exponent."""
        return Monomial(*[_plus(a, b * exponent) for a, b in zip(self.parts(), other.parts(), strict=True)])

    def expression(self, x: sp.Symbol) -> sp.Expr:
        """The monomial as a sympy expression."""
        return sp.exp(self.growth) * x**self.power * sp.log(x) ** self.log * sp.log(sp.log(x)) ** self.loglog


def _plus(a: sp.Expr, b: sp.Expr) -> sp.Expr:
    """a + b, expanded where it is no rational number."""
    total = a + b
    return total if total.is_Rational else sp.expand(total)


UNIT = Monomial()
LOG, LOGLOG = Monomial(log=sp.S.One), Monomial(loglog=sp.S.One)


@dataclass(frozen=True)
class Series:
    """Terms (coefficient, monomial), largest first, plus an unknown rest o(cutoff); exact if cutoff is None."""

    terms: tuple[tuple[sp.Expr, Monomial], ...]
    cutoff: Monomial | None = None

    @property
    def is_zero(self) -> bool:
        """Whether nothing is left, not even an unknown rest."""
        return not self.terms and self.cutoff is None

    @property
    def bound(self) -> Monomial:
        """A monomial that the series does not outgrow. Not for an exact zero."""
        if self.terms:
            return self.terms[0][1]
        if self.cutoff is None:
            raise ValueError("series must not be an exact zero, which has no bound")
        return self.cutoff

    @property
    def is_single(self) -> bool:
        """Whether there is one term, and it is exact."""
        return self.cutoff is None and len(self.terms) == 1
