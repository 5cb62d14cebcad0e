"""The sign of a polynomial on a box, read off its coefficients at a corner.

With x = low + t, high - t, or (low + high t)/(1 + t) between finite ends (then the coefficients are Bernstein's), the
box becomes the orthant t >= 0. If no coefficient is negative, the polynomial is nonnegative there: the one argument of
the ladder that covers half-infinite boxes exactly.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Any

import flint
import sympy as sp

from theory.intervals.box import End, VariableRange
from theory.prover.expressions.normal_form import NoNormalForm, is_short, normal_form
from theory.prover.goal import Goal


def has_positive_coefficients(goal: Goal) -> bool:
    """Whether a polynomial goal, rewritten in t >= 0 at a corner of its box, shows its sign in its coefficients.

    Between finite ends these are Bernstein coefficients. Strictness: every vertex of the closed part of the box must
    carry a positive coefficient; then so does every face, and on a face's interior all its monomials are positive.
    """
    symbols = tuple(goal.box)
    if any(r.low == -math.inf and r.high == math.inf for s, r in goal.box.items() if s in goal.expression.free_symbols):
        return False
    terms = _polynomial_terms(goal.expression, symbols)
    if terms is None:
        return False
    vertices = []
    for place, symbol in enumerate(symbols):
        r = goal.box[symbol]
        degree = max((powers[place] for powers in terms), default=0)
        terms = _rewrite(terms, place, degree, r)
        vertices.append(_vertex_indices(r, 0 if r.is_point else degree))
    if any(value < 0 for value in terms.values()):
        return False
    if not goal.is_strict:
        return True
    support = [powers for powers, value in terms.items() if value > 0]
    return all(
        any(all(want is None or want == have for want, have in zip(vertex, powers, strict=True)) for powers in support)
        for vertex in itertools.product(*vertices)
    )


@lru_cache(maxsize=256)
def _polynomial_terms(expression: sp.Expr, symbols: tuple[sp.Symbol, ...]) -> dict[tuple[int, ...], flint.fmpq] | None:
    """Coefficients by exponents, or None unless a rational polynomial of moderate size."""
    if not expression.is_polynomial(*symbols) or not is_short(expression):
        return None
    try:
        form = normal_form(expression)
    except NoNormalForm:
        return None
    terms: dict[tuple[int, ...], flint.fmpq] = {}
    for monomial, value in form.over.items():
        powers = dict(monomial)
        if form.under or not set(powers) <= set(symbols) or any(p < 0 or p.denominator > 1 for p in powers.values()):
            return None
        terms[tuple(int(powers.get(symbol, 0)) for symbol in symbols)] = _rational(value)
    return None if len(terms) > 400 or any(sum(powers) > 40 for powers in terms) else terms


def _rational(value: End) -> Any:
    """A number as FLINT has it, whose arithmetic takes a tenth of the time of Python's fractions; infinity stays."""
    return value if isinstance(value, float) else flint.fmpq(value.numerator, value.denominator)


def _rewrite(terms: dict, place: int, degree: int, r: VariableRange) -> dict[tuple[int, ...], flint.fmpq]:
    """Put x = low + t, high - t, or (low + high t)/(1 + t) times (1 + t)**degree, in one variable."""
    images = [_image(power, degree, r) for power in range(degree + 1)]
    result: dict[tuple[int, ...], flint.fmpq] = {}
    for powers, value in terms.items():
        for index, factor in enumerate(images[powers[place]]):
            if factor:
                key = (*powers[:place], index, *powers[place + 1 :])
                result[key] = result.get(key, 0) + value * factor
    return result


def _image(power: int, degree: int, r: VariableRange) -> list[flint.fmpq]:
    """Coefficients in t of what becomes of x**power."""
    one = flint.fmpq(1)
    if r.is_point:
        return [_rational(r.low) ** power]
    if r.high == math.inf:
        return _product([[_rational(r.low), one]] * power)
    if r.low == -math.inf:
        return _product([[_rational(r.high), -one]] * power)
    return _product([[_rational(r.low), _rational(r.high)]] * power + [[one, one]] * (degree - power))


def _product(linear: list[list[flint.fmpq]]) -> list[flint.fmpq]:
    result = [flint.fmpq(1)]
    for constant, slope in linear:
        shifted = [0, *[slope * c for c in result]]
        result = [a + constant * b for a, b in itertools.zip_longest(shifted, result, fillvalue=0)]
    return result


def _vertex_indices(r: VariableRange, degree: int) -> tuple[int | None, ...]:
    """Indices of t that must occur with a positive coefficient; None stands for any."""
    if r.is_point:
        return (0,)
    if math.inf in (r.high, -r.low):
        return (None,) if r.is_open or r.is_open_high else (0,)
    ends = ({0} if not r.is_open else set()) | ({degree} if not r.is_open_high else set())
    return tuple(ends) or (None,)
