"""A goal as a sum of products of what is given: the weights by linear programming, made exact afterwards.

Every product of a few givens and ends of the box is >= 0, and so is every square. Where the goal is such a sum with
weights >= 0 it is proved (Handelman, Pacific J. Math. 132, 1988); with a positive weight on a product of strict ones,
strictly. Floats find which products are used, and rational elimination their weights; the checker multiplies out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import sympy as sp
from flint import fmpq, fmpq_mat

from theory.intervals.box import exact
from theory.prover.expressions.normal_form import is_small
from theory.prover.goal import Goal, Node, Searching
from theory.timeout import loaded

_MAX_SIZE = 1e9
_MAX_TERMS, _MAX_ROWS, _MAX_COLUMNS, _MAX_SYMBOLS = 60, 250, 600, 6


@dataclass(frozen=True)
class _Fact:
    """Something that is > 0 or >= 0, and how a step refers to it."""

    expression: sp.Expr
    is_strict: bool
    reference: object


@dataclass(frozen=True)
class _Product:
    """Some facts, and a weight that is a square or a power of symbols that are not negative."""

    facts: tuple[_Fact, ...]
    weight: sp.Expr
    expanded: sp.Expr

    @property
    def is_strict(self) -> bool:
        """Whether it is > 0."""
        return all(f.is_strict for f in self.facts) and not self.weight.is_Pow and self.weight != 0


def combine(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The step, where linear programming finds one."""
    symbols = [s for s in goal.box if s in _symbols(goal)]
    if depth > 3 or not 0 < len(symbols) <= _MAX_SYMBOLS or not goal.expression.is_polynomial(*symbols):
        return None
    if not is_small(goal.expression) or not all(is_small(g.expression) for g in goal.given):
        return None
    if len(sp.Add.make_args(goal.expression)) > _MAX_TERMS or sp.Poly(goal.expression, *symbols).total_degree() > 8:
        return None
    target = sp.Poly(sp.expand(goal.expression), *symbols)
    products = list(itertools.islice(_products(goal, symbols, target.total_degree()), _MAX_COLUMNS))
    found = _weights(target, products, symbols, strict=goal.is_strict)
    if found is None:
        return None
    terms = [
        [[f.reference for f in product.facts], sp.srepr(weight * product.weight), {"by": "interval"}]
        for product, weight in found
    ]
    return {"by": "combine", "terms": terms, "rest": "Integer(0)", "proof": {"by": "zero"}}


def _symbols(goal: Goal) -> set[sp.Symbol]:
    return goal.expression.free_symbols.union(*(g.expression.free_symbols for g in goal.given))


def _facts(goal: Goal, symbols: list[sp.Symbol]) -> list[_Fact]:
    found = [
        _Fact(g.expression, g.is_strict, place)
        for place, g in enumerate(goal.given)
        if g.expression.is_polynomial(*symbols) and not g.expression.is_Rational
    ]
    for s in symbols:
        r = goal.box[s]
        if isinstance(r.low, Fraction):
            found.append(_Fact(s - exact(r.low), r.is_open, ["low", sp.srepr(s)]))
        if isinstance(r.high, Fraction):
            found.append(_Fact(exact(r.high) - s, r.is_open_high, ["high", sp.srepr(s)]))
    return found


def _products(goal: Goal, symbols: list[sp.Symbol], degree: int) -> Iterator[_Product]:
    """Products of facts by size, alone and times squares."""
    facts = _facts(goal, symbols)
    yield _Product((), sp.S.One, sp.S.One)
    squares = [(s - t) ** 2 for s, t in itertools.combinations(symbols, 2)]
    squares += [(s + t) ** 2 for s, t in itertools.combinations(symbols, 2)]
    squares += [s**2 for s in symbols] + [(s - 1) ** 2 for s in symbols]
    for square in squares if degree >= 2 else ():
        yield _Product((), square, sp.expand(square))
    most = max(2, min(degree, 4))
    for size in range(1, most + 1):
        for chosen in itertools.combinations_with_replacement(facts, size):
            expanded = sp.expand(sp.Mul(*[f.expression for f in chosen]))
            yield _Product(chosen, sp.S.One, expanded)
            if size == 1:
                for square in squares if degree >= 3 else ():
                    yield _Product(chosen, square, sp.expand(expanded * square))


def _weights(
    target: sp.Poly, products: list[_Product], symbols: list[sp.Symbol], *, strict: bool
) -> list[tuple[_Product, sp.Rational]] | None:
    """Exact weights >= 0 of products that add up to the target; a strict target needs a strict one among them."""
    columns = [dict(sp.Poly(product.expanded, *symbols).terms()) for product in products]
    rows = {m: i for i, m in enumerate(dict.fromkeys([m for m, _ in target.terms()] + [m for c in columns for m in c]))}
    if len(rows) > _MAX_ROWS or not all(
        v.is_Rational for v in [*target.coeffs(), *(v for c in columns for v in c.values())]
    ):
        return None
    matrix = np.zeros((len(rows), len(columns)))
    for j, column in enumerate(columns):
        for m, v in column.items():
            matrix[rows[m], j] = float(v)
    wanted = np.zeros(len(rows))
    for m, v in target.terms():
        wanted[rows[m]] = float(v)
    if not (np.abs(matrix).max() < _MAX_SIZE and np.abs(wanted).max() < _MAX_SIZE):
        return None
    sizes = np.maximum(np.abs(matrix).max(axis=0), 1e-9)
    gains = np.array([-1.0 if strict and product.is_strict else 0.01 for product in products])
    weights = solved(gains, matrix / sizes, wanted, high=1e4, method="highs")
    if weights is None:
        return None
    used = [j for j in range(len(columns)) if weights[j] > 1e-9]
    exact_weights = solved_exactly(columns, rows, dict(target.terms()), used)
    if exact_weights is None or (strict and not any(products[j].is_strict and w > 0 for j, w in exact_weights)):
        return None
    return [(products[j], w) for j, w in exact_weights]


def solved(
    gains: np.ndarray, matrix: np.ndarray, wanted: np.ndarray, *, high: float | None, method: str
) -> np.ndarray | None:
    """The x with matrix x = wanted, 0 <= x <= high and least gains x, in floats; None where none is found."""
    loaded("scipy.optimize")
    from scipy.optimize import linprog

    answer = linprog(gains, A_eq=matrix, b_eq=wanted, bounds=(0, high), method=method)
    return answer.x if answer.success else None


def solved_exactly(
    columns: Sequence[Mapping], rows: Mapping, wanted: Mapping, used: list[int]
) -> list[tuple[int, sp.Rational]] | None:
    """A solution that uses these columns alone, in rationals, if it is >= 0; columns and `wanted` hold rationals."""
    table = fmpq_mat(len(rows), len(used) + 1)
    for place, j in enumerate(used):
        for m, v in columns[j].items():
            table[rows[m], place] = _rational(v)
    for m, v in wanted.items():
        table[rows[m], len(used)] = _rational(v)
    reduced, rank = table.rref()
    weights = dict.fromkeys(used, fmpq(0))
    for row in range(rank):
        pivot = next(k for k in range(len(used) + 1) if reduced[row, k] != 0)
        if pivot == len(used):
            return None
        weights[used[pivot]] = reduced[row, len(used)]
    if any(w < 0 for w in weights.values()):
        return None
    return [(j, sp.Rational(int(w.p), int(w.q))) for j, w in weights.items() if w != 0]


def _rational(v: sp.Rational | Fraction) -> fmpq:
    return fmpq(v.numerator, v.denominator) if isinstance(v, Fraction) else fmpq(int(v.p), int(v.q))
