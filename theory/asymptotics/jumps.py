"""Functions that jump or bend: decided by the side from which their argument arrives.

floor(u) near an integer, |u|, max and min, sign, Heaviside and piecewise definitions are each one of their branches far
out. Which one is the sign of a leading term, so a comparison that a symbol leaves open raises `Undetermined`.
"""

from __future__ import annotations

import sympy as sp

from theory.asymptotics.expander import Expander
from theory.asymptotics.series import LOGLOG, UNIT, NeedMore, NoExpansion, Series
from theory.asymptotics.zeros import is_zero, sign
from theory.intervals import balls

JUMPS = (sp.Abs, sp.sign, sp.Heaviside, sp.Max, sp.Min, sp.floor, sp.ceiling, sp.frac, sp.Mod, sp.Piecewise)


def expand_jump(expander: Expander, expression: sp.Expr) -> Series:
    """The series of the branch that holds as x -> oo."""
    if isinstance(expression, sp.Piecewise):
        return expander.expand(_branch(expander, expression))
    first, *others = expression.args
    if isinstance(expression, sp.Max | sp.Min):
        for other in others:
            larger = _side(expander, other - first) > 0
            first = other if larger == isinstance(expression, sp.Max) else first
        return expander.expand(first)
    if isinstance(expression, sp.Abs):
        return expander.expand(-first if _side(expander, first) < 0 else first)
    if isinstance(expression, sp.sign):
        return expander.constant(sp.Integer(_side(expander, first)))
    if isinstance(expression, sp.Heaviside):
        return expander.expand((sp.S.Zero, others[0], sp.S.One)[_side(expander, first) + 1])
    if isinstance(expression, sp.Mod):
        return expander.expand(first - others[0] * sp.floor(first / others[0]))
    return _rounded(expander, expression, first)


def _side(expander: Expander, difference: sp.Expr) -> int:
    """Sign of an expression far out."""
    lead = expander.lead(sp.expand(difference), expander.x, strict=expander.strict)
    return 0 if lead is None else sign(lead[0])


def _rounded(expander: Expander, expression: sp.Expr, inside: sp.Expr) -> Series:
    """floor, ceiling and frac."""
    inner = expander.expand(inside)
    if inner.cutoff is not None and expander.compare(inner.cutoff, UNIT) > 0:
        raise NeedMore
    if inner.terms and expander.compare(inner.terms[0][1], UNIT) > 0:
        unknown = Series((), LOGLOG)  # what is bounded is o(loglog x)
        return unknown if isinstance(expression, sp.frac) else expander.sum([inner, unknown])
    at = sp.Add(*[c for c, m in inner.terms if expander.compare(m, UNIT) == 0])
    below = _floor(expander, inside, at)
    if isinstance(expression, sp.frac):
        return expander.expand(inside - below)
    if isinstance(expression, sp.floor):
        return expander.constant(sp.Integer(below))
    is_integer = _side(expander, inside - below) == 0
    return expander.constant(sp.Integer(below if is_integer else below + 1))


def _floor(expander: Expander, inside: sp.Expr, at: sp.Expr) -> int:
    """floor(inside) far out, where inside tends to `at`."""
    value = None if at.free_symbols else balls.ball(at, {}, bits=512)
    if value is None:
        raise NoExpansion(f"no expansion is known for floor near {at}")
    nearest = int((value + balls.arb(0.5)).floor().mid().unique_fmpz())
    if is_zero(at - nearest):
        return nearest if _side(expander, inside - nearest) >= 0 else nearest - 1
    return nearest if sign(at - nearest) > 0 else nearest - 1


def _branch(expander: Expander, expression: sp.Expr) -> sp.Expr:
    """The first piece whose condition holds far out."""
    for value, condition in expression.args:
        if _holds(expander, condition):
            return value
    raise NoExpansion(f"no piece of {expression} holds far out")


def _holds(expander: Expander, condition: sp.Basic) -> bool:
    if condition in (sp.true, sp.false):
        return condition == sp.true
    if isinstance(condition, sp.And):
        return all(_holds(expander, part) for part in condition.args)
    if isinstance(condition, sp.Or):
        return any(_holds(expander, part) for part in condition.args)
    if isinstance(condition, sp.Not):
        return not _holds(expander, condition.args[0])
    if type(condition) not in balls.MEETS:
        raise NoExpansion(f"no rule is known for the condition {condition}")
    return _side(expander, condition.lhs - condition.rhs) in balls.MEETS[type(condition)]
