"""Expansions of whole formulas as x -> oo: sums, products and powers by `Expander`, functions by their own rules."""

from __future__ import annotations

import sympy as sp

from theory.asymptotics.expander import Expander
from theory.asymptotics.series import Series
from theory.asymptotics.special_functions import expand_function


class Expansion(Expander):
    """Expansion of expressions in x -> oo, functions included."""

    def function(self, expression: sp.Expr) -> Series:
        """The series of a function of x. Raises NoExpansion where no rule is known."""
        return expand_function(self, expression)
