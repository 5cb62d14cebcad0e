"""Where the argument of a function goes, and the Taylor expansion there, for the rules of functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.asymptotics.expander import Expander
from theory.asymptotics.series import UNIT, NeedMore, NoExpansion, Series
from theory.asymptotics.zeros import sign
from theory.dummies import fresh


@dataclass(frozen=True)
class Place:
    """Where the argument goes: to `at` (+-oo or a value without x), as at + small where that is finite."""

    expander: Expander
    function: Any
    inside: sp.Expr
    inner: Series
    at: sp.Expr
    small: Series

    def taylor(self, coefficients: Sequence[sp.Expr]) -> Series:
        """sum_j coefficients[j] small^j."""
        return self.expander.compose(self.small, coefficients)

    def analytic(self, function: Callable[[sp.Expr], sp.Expr]) -> Series:
        """Taylor's expansion of a function that is analytic at the place, which is finite."""
        u = fresh("u")
        derivatives = [function(u)]
        for _ in self.orders(1):
            derivatives.append(sp.diff(derivatives[-1], u))
        return self.taylor([d.subs(u, self.at) / sp.factorial(j) for j, d in enumerate(derivatives)])

    def orders(self, first: int = 0) -> range:
        """Orders of the terms to keep."""
        return range(first, self.expander.order + 1)

    def refuse(self, where: str) -> NoExpansion:
        """The error that names what is missing."""
        return NoExpansion(f"no expansion is known for {self.function.__name__} {where}")


def place_of(expander: Expander, function: Any, inside: sp.Expr) -> Place:
    """Expand the argument and split it into what it tends to and a small rest."""
    inner = expander.expand(inside)
    if inner.terms and expander.compare(inner.terms[0][1], UNIT) > 0:
        at = sign(inner.terms[0][0]) * sp.oo
        return Place(expander, function, inside, inner, at, Series(()))
    if inner.cutoff is not None and expander.compare(inner.cutoff, UNIT) > 0:
        raise NeedMore
    at = sp.Add(*[c for c, m in inner.terms if expander.compare(m, UNIT) == 0])
    small = Series(tuple(t for t in inner.terms if expander.compare(t[1], UNIT) < 0), inner.cutoff)
    return Place(expander, function, inside, inner, at, small)
