"""The rung for a goal and a given of degree two: a sum of squares, by the multiplier of Lagrange.

Where e = k g + a sum of squares with k >= 0, e >= 0 follows from g >= 0; for one given that is all there is (the
S-lemma). The matrix of e - k g, with one row for the constant, has to be positive semidefinite, so k lies between zeros
of its determinant. These are exact, so that sides may touch at an irrational point: x + y <= sqrt(2) where
x^2 + y^2 = 1.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.dummies import fresh
from theory.ordering import in_order
from theory.prover.goal import Goal, Node, Searching

_MAX_SYMBOLS, _MAX_OPS = 3, 60
_ALMOST = 1e-9


def sum_of_squares(_: Searching, goal: Goal, depth: int) -> Node | None:
    """A product of a given and a number, and squares of affine parts."""
    symbols = in_order(goal.expression.free_symbols)
    is_small = not goal.is_strict and 0 < len(symbols) <= _MAX_SYMBOLS and goal.expression.count_ops() <= _MAX_OPS
    if depth > 1 or not is_small or _matrix(goal.expression, symbols) is None:
        return None
    for place, given in enumerate(goal.given):
        if not given.expression.free_symbols <= set(symbols) or given.expression.count_ops() > _MAX_OPS:
            continue
        k = fresh("k", real=True)
        form = _matrix(goal.expression - k * given.expression, symbols)
        if form is None or given.expression.is_number:
            continue
        for value in _multipliers(form, k):
            rest = _squares(form.subs(k, value), symbols)
            if rest is not None:
                terms = [[[place], sp.srepr(value), None]]
                return {"by": "combine", "terms": terms, "rest": sp.srepr(rest), "proof": {"by": "interval"}}
    return None


def _matrix(e: sp.Expr, symbols: list[sp.Symbol]) -> sp.Matrix | None:
    """The symmetric matrix of a polynomial of degree two at most, [symbols + 1, symbols + 1]; None for another one."""
    if not e.is_polynomial(*symbols):
        return None
    poly = sp.Poly(e, *symbols)
    if poly.total_degree() > 2:
        return None
    n = len(symbols)
    form = sp.zeros(n + 1, n + 1)
    for powers, c in poly.terms():
        places = [i for i, power in enumerate(powers) for _ in range(power)] + [n] * (2 - sum(powers))
        i, j = places
        form[i, j] += c / 2
        form[j, i] += c / 2
    return form


def _multipliers(form: sp.Matrix, k: sp.Symbol) -> list[sp.Expr]:
    """Numbers k >= 0 at which the form is positive semidefinite, as far as floats tell: zeros of its determinant."""
    determinant = sp.Poly(sp.expand(form.det(method="berkowitz")), k)
    zeros = [] if determinant.is_zero else list(sp.roots(determinant, k))
    return [v for v in zeros if v.is_real and v >= 0 and _is_semidefinite(form.subs(k, v))]


def _is_semidefinite(form: sp.Matrix) -> bool:
    values = np.linalg.eigvalsh(np.array(form.evalf(), dtype=float))
    return bool(values[0] >= -_ALMOST * (1 + abs(values[-1])))


def _squares(form: sp.Matrix, symbols: list[sp.Symbol]) -> sp.Expr | None:
    """The polynomial of a matrix as a sum of squares and a number, or None where it is none."""
    n, left, total = len(symbols), form.applyfunc(sp.simplify), sp.S.Zero
    ones = [*symbols, sp.S.One]
    for i in range(n + 1):
        pivot = sp.simplify(left[i, i])
        if pivot == 0:
            if any(sp.simplify(left[i, j]) != 0 for j in range(i, n + 1)):
                return None
            continue
        if not pivot.is_positive:
            return None
        row = [sp.simplify(left[i, j] / pivot) for j in range(n + 1)]
        total += pivot * sp.Add(*[row[j] * ones[j] for j in range(i, n + 1)]) ** 2
        left = (left - pivot * sp.Matrix(row) * sp.Matrix([row])).applyfunc(sp.simplify)
    return total
