"""A goal as a sum of products of what is given: the weights by linear programming, made exact afterwards.

Every product of a few givens and ends of the box is >= 0, and so is every square. Where the goal is such a sum with
weights >= 0 it is proved (Handelman, Pacific J. Math. 132, 1988); with a positive weight on a product of strict ones,
strictly. Floats find which products are used, and rational elimination their weights; the checker multiplies out.
Where the goal alone is no such sum, a multiple of it may be, by a sum of what is given: x + y - 1 on the unit circle,
times x + y + 1. And -1 is one where affine givens contradict each other (Farkas), as cases of choices do.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import sympy as sp
from flint import fmpq, fmpq_mat

from theory.dummies import fresh
from theory.intervals.box import exact
from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small
from theory.prover.goal import Goal, Node, Searching
from theory.timeout import loaded

_MAX_SIZE = 1e9
_MAX_TERMS, _MAX_ROWS, _MAX_COLUMNS, _MAX_SYMBOLS, _MAX_ATOMS = 60, 250, 600, 6, 30
_MOST_ATOMS = 120
"""Terms of a goal as a sum of givens, once those that nothing cancels are left out."""
_GENERATORS = 40
"""Symbols and the like of a goal as a sum of givens, which nothing factors."""
_MAX_BINOMIALS = 60
_MAX_STEPS = 20_000  # of a linear program; those of a list of handbooks' statements took ten at most


@dataclass(frozen=True)
class Fact:
    """Something that is > 0 or >= 0, and how a step refers to it."""

    expression: sp.Expr
    is_strict: bool
    reference: object


@dataclass(frozen=True)
class Product:
    """Some facts, and a weight that is a square or a power of symbols that are not negative."""

    facts: tuple[Fact, ...]
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
    found = weights_of(target, _alone(goal, symbols), symbols, strict=goal.is_strict)
    products = list(itertools.islice(_products(goal, symbols, target.total_degree()), _MAX_COLUMNS))
    found = found or weights_of(target, products, symbols, strict=goal.is_strict)
    if found is None and (squares := _of_binomials(target, symbols)):
        found = weights_of(target, [*squares, *products][:_MAX_COLUMNS], symbols, strict=goal.is_strict)
    return None if found is None else sum_of(found, sp.S.Zero)


def _alone(goal: Goal, symbols: list[sp.Symbol]) -> list[Product]:
    """Each fact by itself and times the square of a symbol: few, so that many facts of many terms are no burden."""
    squares = [sp.S.One, *(s**2 for s in symbols)]
    found = [Product((), square, square) for square in squares]
    facts = facts_of(goal, symbols)
    return found + [Product((f,), square, sp.expand(f.expression * square)) for f in facts for square in squares]


def _of_binomials(target: sp.Poly, symbols: list[sp.Symbol]) -> list[Product]:
    """Squares of m - k or m + k for monomials m and k of which the target has the product: (a c - b s)^2.

    What they leave, m^2 and k^2, other products must have, so that no power in them exceeds those of the target.
    """
    most = [max(powers) for powers in zip(*target.monoms(), strict=True)]
    found = []
    for powers, c in target.terms():
        if len(found) >= _MAX_BINOMIALS or sum(powers) % 2 or sum(powers) < 4:
            continue
        for left in itertools.product(*(range(power + 1) for power in powers)):
            right = tuple(power - part for power, part in zip(powers, left, strict=True))
            fits = all(2 * max(pair) <= top for *pair, top in zip(left, right, most, strict=True))
            if fits and left < right and sum(left) == sum(right):
                m, k = (sp.Mul(*[s**power for s, power in zip(symbols, part, strict=True)]) for part in (left, right))
                square = (m + sp.sign(c) * k) ** 2
                found.append(Product((), square, sp.expand(square)))
    return found


def sum_of(found: list[tuple[Product, sp.Rational]], rest: sp.Expr, weight: sp.Expr = sp.S.One) -> Node:
    """The step: products with their weights, times another weight that is never negative, and a rest."""
    at_once = {"by": "interval"}
    terms = [
        [[f.reference for f in product.facts], sp.srepr(number * product.weight * weight), at_once]
        for product, number in found
    ]
    return {"by": "combine", "terms": terms, "rest": sp.srepr(rest), "proof": at_once if rest else {"by": "zero"}}


def affine(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The goal as a sum of givens with numbers as weights, whatever their terms are, or a contradiction of these.

    Where they add up to -1, e = ((e + 1)^2/4 + 1) 1 + ((e - 1)^2/4 + 1) (-1) is positive like anything else.
    """
    if search.is_plain or not all(is_small(e, generators=_GENERATORS) for e in _expressions(goal)):
        return None
    e, terms = goal.expression, {}
    target = _in_terms(e, terms)
    facts = facts_of(goal, list(goal.box), is_polynomial=False)
    products = [Product((f,), sp.S.One, _in_terms(f.expression, terms)) for f in facts]
    if len(terms) > _MAX_ATOMS:
        products = _of_use(products, target)
    symbols = [s for s in terms.values() if any(s in part.free_symbols for part in (target, *_expanded(products)))]
    if len(symbols) > _MOST_ATOMS or not (goal.given and symbols and products):
        return sum_of([], sp.S.Zero) if e == 0 and not goal.is_strict else None
    one = Product((), sp.S.One, sp.S.One)
    found = weights_of(sp.Poly(target, *symbols), [one, *products], symbols, strict=goal.is_strict)
    if found is not None:
        return sum_of(found, sp.S.Zero)
    found = weights_of(sp.Poly(-1, *symbols), products, symbols, strict=False)
    return None if found is None else sum_of(found, (e + 1) ** 2 / 4 + 1, (e - 1) ** 2 / 4 + 1)


def _in_terms(e: sp.Expr, terms: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """An affine form in symbols that stand for the terms of an expression, numbers apart."""
    total = sp.S.Zero
    for term, number in sp.expand(e).as_coefficients_dict().items():
        total += number if term == 1 else number * terms.setdefault(term, fresh("t"))
    return total


def _expressions(goal: Goal) -> list[sp.Expr]:
    return [goal.expression, *(g.expression for g in goal.given)]


def _expanded(products: list[Product]) -> list[sp.Expr]:
    return [product.expanded for product in products]


def _of_use(products: list[Product], target: sp.Expr) -> list[Product]:
    """Products without those that have a term which no other has, and not the target, so that nothing cancels it."""
    while True:
        seen = Counter(s for product in products for s in in_order(product.expanded.free_symbols))
        left = [p for p in products if all(seen[s] > 1 or s in target.free_symbols for s in p.expanded.free_symbols)]
        if len(left) == len(products):
            return left
        products = left


def _is_affine(e: sp.Expr, symbols: list[sp.Symbol]) -> bool:
    return bool(e.is_polynomial(*symbols)) and sp.Poly(e, *symbols).total_degree() <= 1


def multiplied(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A multiple m e is a sum of products, where m is a positive sum of 1 and of affine facts that are given."""
    symbols = [s for s in goal.box if s in _symbols(goal)]
    if depth > 3 or not goal.given or not 0 < len(symbols) <= _MAX_SYMBOLS:
        return None
    if not goal.expression.is_polynomial(*symbols) or not is_small(goal.expression):
        return None
    target = sp.Poly(sp.expand(goal.expression), *symbols)
    facts = [f for f in facts_of(goal, symbols) if _is_affine(f.expression, symbols)]
    if target.total_degree() > 3 or len(target.terms()) > _MAX_TERMS or not facts:
        return None
    mark = fresh("m")  # its one row says that the parts of m add up to 1
    parts = [Product((), sp.S.One, sp.S.One), *(Product((f,), sp.S.One, f.expression) for f in facts)]
    columns = [replace(part, expanded=mark - sp.expand(part.expanded * target.as_expr())) for part in parts]
    products = list(itertools.islice(_products(goal, symbols, target.total_degree() + 1), _MAX_COLUMNS))
    found = weights_of(sp.Poly(mark, *symbols, mark), [*columns, *products], [*symbols, mark], strict=False)
    if found is None:
        return None
    own = [(parts[columns.index(product)], number) for product, number in found if product in columns]
    m = sp.Add(*[number * part.expanded for part, number in own])
    total = [(product, number) for product, number in found if product not in columns]
    is_strict = any(product.is_strict for product, _ in total)
    if not any(part.is_strict for part, _ in own) or (goal.is_strict and not is_strict):
        return None
    over = sp.expand(m * target.as_expr())
    rows = [[sp.srepr(over), 1, 1, sum_of(total, sp.S.Zero)], [sp.srepr(m), -1, 1, sum_of(own, sp.S.Zero)]]
    return {"by": "factor", "parts": rows}


def _symbols(goal: Goal) -> set[sp.Symbol]:
    return goal.expression.free_symbols.union(*(g.expression.free_symbols for g in goal.given))


def facts_of(goal: Goal, symbols: list[sp.Symbol], *, is_polynomial: bool = True) -> list[Fact]:
    """What is given and the ends of some symbols' ranges, each as something that is not negative."""
    found = [
        Fact(g.expression, g.is_strict, place)
        for place, g in enumerate(goal.given)
        if not g.expression.is_Rational and (not is_polynomial or g.expression.is_polynomial(*symbols))
    ]
    for s in symbols:
        r = goal.box[s]
        if isinstance(r.low, Fraction):
            found.append(Fact(s - exact(r.low), r.is_open, ["low", sp.srepr(s)]))
        if isinstance(r.high, Fraction):
            found.append(Fact(exact(r.high) - s, r.is_open_high, ["high", sp.srepr(s)]))
    return found


def _products(goal: Goal, symbols: list[sp.Symbol], degree: int) -> Iterator[Product]:
    """Products of facts by size, alone and times squares."""
    facts = facts_of(goal, symbols)
    yield Product((), sp.S.One, sp.S.One)
    squares = [(s - t) ** 2 for s, t in itertools.combinations(symbols, 2)]
    squares += [(s + t) ** 2 for s, t in itertools.combinations(symbols, 2)]
    squares += [s**2 for s in symbols] + [(s - 1) ** 2 for s in symbols]
    for square in squares if degree >= 2 else ():
        yield Product((), square, sp.expand(square))
    most = max(2, min(degree, 4))
    for size in range(1, most + 1):
        for chosen in itertools.combinations_with_replacement(facts, size):
            expanded = sp.expand(sp.Mul(*[f.expression for f in chosen]))
            yield Product(chosen, sp.S.One, expanded)
            if size == 1:
                for square in squares if degree >= 3 else ():
                    yield Product(chosen, square, sp.expand(expanded * square))


def weights_of(
    target: sp.Poly, products: list[Product], symbols: list[sp.Symbol], *, strict: bool
) -> list[tuple[Product, sp.Rational]] | None:
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
    """The x with matrix x = wanted, 0 <= x <= high and least gains x, in floats; None where none is found.

    The solver is one call that no limit of time interrupts, so that its steps are limited.
    """
    loaded("scipy.optimize")
    from scipy.optimize import linprog

    answer = linprog(gains, A_eq=matrix, b_eq=wanted, bounds=(0, high), method=method, options={"maxiter": _MAX_STEPS})
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
