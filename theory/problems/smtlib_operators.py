"""The operators of SMT-LIB that compute: a closed list, in the spellings of several solvers."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theory.problems import smtlib_whole
from theory.problems.formulas import ProblemError
from theory.problems.sexpr import Expression, line_of, shown
from theory.prover.typed.parts import FUNCTIONS, inverse, plus, raised, times

NAMES = {
    "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "arcsin": "asin",
    "arccos": "acos", "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "log": "log",
    "ln": "log", "sqrt": "sqrt", "abs": "abs",
}  # fmt: skip
"""Spellings of functions of one argument."""
POWERS = ("^", "pow", "**")


def refused(e: Expression, rule: str) -> ProblemError:
    """What is outside the fragment, with its line."""
    line = line_of(e)
    return ProblemError(f"{f'line {line}: ' if line else ''}{rule}, got {shown(e)}")


def operation(name: str, count: int, e: Expression) -> Callable[[list[sp.Expr]], sp.Expr]:
    """What an operator builds of that many arguments. Raises ProblemError on one outside the fragment."""
    if name in ("+", "*", "-") and count >= 1:
        return {"+": plus, "*": times, "-": _minus}[name]
    if name == "/" and count >= 2:
        return lambda parts: times([parts[0], *(_inverse(part, e) for part in parts[1:])])
    if name in POWERS and count == 2:
        return lambda parts: _power(parts[0], parts[1], e)
    if name in ("min", "max") and count >= 1:
        return lambda parts: FUNCTIONS[name][1](*parts)
    if name in NAMES and count == 1:
        return lambda parts: FUNCTIONS[NAMES[name]][1](parts[0])
    if name == "to_real" and count == 1:
        return lambda parts: parts[0]
    if name == "to_int" and count == 1:
        return lambda parts: smtlib_whole.to_int(parts[0])
    if name in ("div", "mod") and count == 2:
        return lambda parts: getattr(smtlib_whole, name)(parts[0], _divisor(parts[1], e))
    known = name in NAMES or name in ("+", "*", "-", "/", "min", "max", "to_real", "is_int", *POWERS)
    known = known or name in smtlib_whole.OPERATORS
    rule = "an operator must have another number of arguments" if known else "an operator must be of the fragment"
    raise refused(e, rule)


def _minus(parts: list[sp.Expr]) -> sp.Expr:
    if len(parts) == 1:
        return times([sp.S.NegativeOne, parts[0]])
    return plus([parts[0], *(times([sp.S.NegativeOne, part]) for part in parts[1:])])


def _divisor(part: sp.Expr, e: Expression) -> sp.Expr:
    if part == 0:
        raise refused(e, "a term must not divide by 0")
    return part


def _inverse(part: sp.Expr, e: Expression) -> sp.Expr:
    return inverse(_divisor(part, e))


def _power(base: sp.Expr, exponent: sp.Expr, e: Expression) -> sp.Expr:
    if base == 0 and exponent.is_Rational and exponent < 0:
        raise refused(e, "a term must not divide by 0")
    return raised(base, exponent)
