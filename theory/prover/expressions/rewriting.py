"""Other forms of a goal's expression: functions as variables of their own, products as parts, the sign samples show.

None of these is believed as it stands: a proof node states the form, and the checker multiplies or substitutes back.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import flint
import sympy as sp

from theory.dummies import fresh
from theory.intervals import arithmetic as intervals
from theory.intervals import programs
from theory.intervals.arithmetic import BITS
from theory.intervals.box import Box, End, VariableRange, approximate
from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small, is_zero
from theory.prover.expressions.sampling import value
from theory.prover.goal import Goal
from theory.timeout import Contradiction, TimedOut, reckon, within

_SEED = 20221005
_CALL_SECONDS = 8.0
_FACTORING_S, _SIGNS_S = 4e-4, 0.001
"""Seconds at which factoring is reckoned for each operation of an expression, and the signs at random points."""
_LONGEST = 512
"""Bits of a number in what is factored: of longer ones next to no time is reckoned, and sympy looks for long primes."""
_MAX_ROOTS = 2  # square roots of numbers over which a polynomial is factored


def enclose(expression: sp.Expr, box: Box) -> Any:
    """Enclosure over a box, or None where an operation has none."""
    try:
        with flint.ctx.workprec(BITS):
            program = programs.Program([expression], list(box))
            return program([intervals.interval(r.low, r.high) for r in box.values()])[0]
    except intervals.NoEnclosure:
        return None


def is_certain(expression: sp.Expr, is_strict: bool, box: Box) -> bool:
    """Whether a plain enclosure over the box shows that the expression is > 0 (strict) or >= 0."""
    enclosure = enclose(expression, box)
    return enclosure is not None and is_positive(enclosure, is_strict)


def is_positive(enclosure: Any, is_strict: bool) -> bool:
    """Whether every number of an enclosure is > 0 (strict) or >= 0."""
    return bool(enclosure.lo > 0) or (not is_strict and bool(enclosure.lo >= 0))


def is_continuous(expression: sp.Expr, box: Box) -> bool:
    """Whether the expression is certainly defined and continuous on all of the box, so that slopes decide."""
    try:
        with flint.ctx.workprec(BITS):
            program = programs.Program([expression], list(box))
            return program.is_continuous([intervals.interval(r.low, r.high) for r in box.values()])
    except intervals.NoEnclosure:
        return False


def rename_functions(goal: Goal) -> tuple[sp.Expr, dict[sp.Symbol, sp.Expr], Box] | None:
    """(expression, {variable: what it stands for}, box), or None where there is nothing to rename."""
    if goal.expression.has(sp.factorial):  # a factorial of a square is none that the checker takes apart
        return None
    if any(f.args[0].has(sp.exp, sp.log) for f in goal.expression.atoms(sp.exp, sp.log)):
        return None
    if not all(is_small(f.args[0]) for f in goal.expression.atoms(sp.exp)):
        return None
    units = _exponential_units(goal.expression)
    if not all(_is_split(f.args[0], units) for f in goal.expression.atoms(sp.exp)):
        return None
    variables = {unit: fresh("u", positive=True) for unit in units}
    expression = goal.expression.replace(
        lambda e: isinstance(e, sp.exp), lambda e: sp.Mul(*[variables[u] ** k for u, k in _split(e.args[0], units)])
    )
    pairs = {variable: sp.exp(unit) for unit, variable in variables.items()}
    for function in in_order(expression.atoms(sp.log, sp.NumberSymbol)):
        pairs[fresh("u", real=True)] = function
    roots: dict[sp.Symbol, int] = {}
    for power in in_order(expression.atoms(sp.Pow)):
        if power.base in goal.box and power.exp.is_Rational and not power.exp.is_Integer:
            roots[power.base] = math.lcm(roots.get(power.base, 1), int(power.exp.q))
    for variable, function in pairs.items():
        expression = expression.subs(function, variable)
    box = dict(goal.box)
    for symbol, degree in roots.items():
        if goal.box[symbol].low >= 0:
            root = fresh("u", nonnegative=True)
            pairs[root] = symbol ** sp.Rational(1, degree)
            expression = expression.subs(symbol, root**degree)
    if not pairs:
        return None
    for variable, function in pairs.items():
        enclosure = enclose(function, goal.box)
        if enclosure is None:
            return None
        is_open = isinstance(function, sp.exp) and not enclosure.lo > 0
        box[variable] = VariableRange(dyadic(enclosure.lo), dyadic(enclosure.hi), is_open)
    if not is_zero(sp.Add(expression.subs(pairs), -goal.expression, evaluate=False)):
        return None
    used = expression.free_symbols
    kept = {variable: function for variable, function in pairs.items() if variable in used}
    return expression, kept, {symbol: r for symbol, r in box.items() if symbol in used}


def _exponential_units(expression: sp.Expr) -> list[sp.Expr]:
    """Exponents e_i such that every exp in the expression is a product of integer powers of exp(e_i)."""
    sizes: dict[sp.Expr, list[sp.Rational]] = {}
    for function in in_order(expression.atoms(sp.exp)):
        for term in sp.Add.make_args(sp.expand(function.args[0])):
            coefficient, rest = term.as_coeff_Mul()
            if coefficient.is_Rational:
                sizes.setdefault(rest, []).append(coefficient)
    return [sp.Mul(sp.gcd_list([abs(c) for c in found]), rest) for rest, found in sizes.items()]


def _is_split(exponent: sp.Expr, units: list[sp.Expr]) -> bool:
    """Whether every term is an integer multiple of a unit, in the form to which sympy expands it."""
    return all(any((term / u).is_Integer for u in units) for term in sp.Add.make_args(sp.expand(exponent)))


def _split(exponent: sp.Expr, units: list[sp.Expr]) -> Iterator[tuple[sp.Expr, sp.Integer]]:
    for term in sp.Add.make_args(sp.expand(exponent)):
        unit = next(u for u in units if (term / u).is_Integer)
        yield unit, term / unit


def dyadic(end: Any) -> End:
    """An Arb end as an exact fraction, or an infinite float."""
    if not end.is_finite():
        return math.inf if end > 0 else -math.inf
    mantissa, exponent = (int(part) for part in end.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def factors(expression: sp.Expr) -> list[tuple[sp.Expr, int]] | None:
    """Parts and integer powers whose product is the expression, or None where factoring takes too long.

    Square roots of numbers in a polynomial may stand in its factors: x^3 - 6 x + 4 sqrt(2) has (x - sqrt(2))^2. The
    root of a sum stays whole: sympy takes sqrt(1 - 4 x^2) apart where 1 + 2 x > 0, and the checker does not.
    """
    found, whole = _factors(expression), _bases_of_roots([expression])
    if found is None or set(_bases_of_roots(base for base, _ in found)) <= set(whole):
        return found
    marks = {base: fresh("r", positive=True) for base in whole}
    marked = expression.replace(
        lambda p: p.is_Pow and p.base in marks and p.exp.is_Rational,
        lambda p: marks[p.base] ** (p.exp * whole[p.base]),
    )
    roots = {mark: sp.Pow(base, sp.Rational(1, whole[base])) for base, mark in marks.items()}
    found = _factors(marked)
    return found and [(base.xreplace(roots), power) for base, power in found]


def _factors(expression: sp.Expr) -> list[tuple[sp.Expr, int]] | None:
    """As sympy has them."""
    if not is_small(expression) or _has_long_number(expression):
        return None
    reckon(_FACTORING_S * expression.count_ops())
    roots = in_order(p for p in expression.atoms(sp.Pow) if p.exp == sp.S.Half and p.base.is_Integer)
    is_over_roots = 0 < len(roots) <= _MAX_ROOTS and expression.is_polynomial(*in_order(expression.free_symbols))
    try:
        factored = within(_CALL_SECONDS, partial(sp.factor, extension=roots if is_over_roots else None), expression)
    except (TimedOut, Contradiction, sp.PolynomialError):  # the last where a part is no polynomial in any symbol
        return None
    parts = []
    for part in sp.Mul.make_args(factored):
        base, power = part.as_base_exp()
        if isinstance(part, sp.exp) or not power.is_Integer:
            base, power = part, sp.S.One
        parts.append((base, int(power)))
    return parts


def _bases_of_roots(expressions: Iterable[sp.Expr]) -> dict[sp.Expr, int]:
    """The sums that stand under a root, each with the least common denominator of its exponents."""
    found: dict[sp.Expr, int] = {}
    for p in in_order({p for e in expressions for p in e.atoms(sp.Pow)}):
        if p.base.is_Add and p.exp.is_Rational and not p.exp.is_Integer:
            found[p.base] = math.lcm(found.get(p.base, 1), int(p.exp.q))
    return found


def _has_long_number(expression: sp.Expr) -> bool:
    """Whether a number in an expression is long, written out or as the share of a number in a power: 2^(t + 1879)."""
    if any(max(abs(number.p), number.q).bit_length() > _LONGEST for number in expression.atoms(sp.Rational)):
        return True
    for power in in_order(expression.atoms(sp.Pow)):
        shift = power.exp.as_coeff_Add()[0]
        is_number = power.base.is_Rational and shift.is_Rational
        if is_number and abs(shift) * max(abs(power.base.p), power.base.q).bit_length() > _LONGEST:
            return True
    return False


def sampled_sign(expression: sp.Expr, goal: Goal) -> int:
    """The one sign an expression shows at random points of the box that satisfy `given`; 0 if it shows none or two."""
    signs = _signs(expression, goal)
    return signs.pop() if len(signs) == 1 else 0


def looks_false(goal: Goal) -> bool:
    """Whether the goal fails at a random point, in floats: then a proof is not worth looking for."""
    return -1 in _signs(goal.expression, goal)


def _signs(expression: sp.Expr, goal: Goal) -> set[int]:
    symbols = tuple(goal.box)
    generator, signs = random.Random(_SEED), set()
    reckon(_SIGNS_S)
    ends = [(approximate(r.low), approximate(r.high)) for r in goal.box.values()]
    for _ in range(200):
        point = tuple(_random_in(low, high, generator) for low, high in ends)
        at = value(expression, symbols, point)
        if abs(at) > 1e-13 and all(value(g.expression, symbols, point) >= 0 for g in goal.given):
            signs.add(1 if at > 0 else -1)
        if len(signs) == 2:
            break
    return signs


def _random_in(low: float, high: float, generator: random.Random) -> float:
    if math.isfinite(low) and math.isfinite(high):
        return generator.uniform(low, high)
    reach = math.exp(generator.uniform(-3, 3))
    if math.isfinite(low):
        return low + reach
    return high - reach if math.isfinite(high) else generator.choice([-1, 1]) * reach
