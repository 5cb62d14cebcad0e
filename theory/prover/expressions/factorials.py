"""Factorials whose arguments differ by whole numbers, in terms of one of them."""

from __future__ import annotations

import sympy as sp

from theory.intervals.box import Box
from theory.ordering import in_order
from theory.prover.expressions.rewriting import is_certain

_MAX_SHIFT = 6


def have_values(e: sp.Expr, box: Box) -> bool:
    """Whether all factorials of an expression certainly have values over the box."""
    return all(is_certain(each.args[0] + 1, True, box) for each in e.atoms(sp.factorial))


def in_the_least(e: sp.Expr, *beside: sp.Expr) -> sp.Expr:
    """An expression with (x + c)! as (x + c) ... (x + d + 1) (x + d)!, for the least d that occurs in it or beside it.

    That holds where (x + d)! has a value; the checker asks for it.
    """
    least: dict[sp.Expr, sp.Expr] = {}
    for argument in (f.args[0] for part in (e, *beside) for f in in_order(part.atoms(sp.factorial))):
        constant, rest = sp.expand(argument).as_coeff_Add()
        if constant.is_Integer and rest != 0:
            least[rest] = min(constant, least.get(rest, constant))

    def lowered(argument: sp.Expr) -> sp.Expr:
        constant, rest = sp.expand(argument).as_coeff_Add()
        count = constant - least.get(rest, constant)
        if not 0 < count <= _MAX_SHIFT:
            return sp.factorial(argument)
        factors = [rest + constant - j for j in range(int(count))]
        return sp.Mul(*factors) * sp.factorial(rest + constant - count)

    return e.replace(lambda x: isinstance(x, sp.factorial), lambda x: lowered(x.args[0]))
