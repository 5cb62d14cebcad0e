"""What a statement says at one exact point, told by arithmetic that shares nothing with `theory`.

The sympy tree is walked as it stands, with real semantics: a subterm without a real value makes the whole point
undefined. Values are exact rationals as long as they can be, and Arb balls from there on; where no precision tells,
`Undecided` is raised, so that doubt is never taken for an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb, isqrt
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq, fmpz

PRECISIONS = (128, 512, 4096)
EXACT_BITS = 100_000
"""Largest size of an exact power; beyond it a ball serves."""
Point = Mapping[sp.Symbol, sp.Rational]


class Undefined(Exception):
    """A subterm has no real value at this point."""


class Undecided(Exception):
    """No precision that was tried tells."""


def judge(relation: sp.Basic, point: Point) -> bool | None:
    """Whether a relation holds at a point; None where a subterm is undefined. Raises Undecided."""
    if relation in (sp.true, sp.false):
        return relation == sp.true
    same = cancels(relation, point)
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            try:
                left, right = (walk(side, point) for side in relation.args)
                return compare(relation, *((fmpq(0),) * 2 if same else (left, right)))
            except Undefined:
                return None
            except Undecided:
                continue
    raise Undecided(f"{relation} at {dict(point)}")


def compare(relation: sp.Basic, left: Any, right: Any) -> bool:
    """Whether two values stand in a relation."""
    gap = left - right
    if gap == 0:
        sign = 0
    elif gap > 0:
        sign = 1
    elif gap < 0:
        sign = -1
    else:
        raise Undecided
    answers = {sp.Eq: sign == 0, sp.Ge: sign >= 0, sp.Gt: sign > 0, sp.Le: sign <= 0, sp.Lt: sign < 0, sp.Ne: sign != 0}
    return answers[relation.func]


def cancels(relation: sp.Basic, point: Point) -> bool:
    """Whether the sides have the same terms once the point is put in, as exp(1) + exp(1) and 2 exp(1) do."""
    left, right = (terms(side, point) for side in relation.args)
    return left == right


def terms(e: sp.Basic, point: Point) -> dict[Any, fmpq]:
    """A sum by its terms, each with a rational factor: equal terms have equal values, whatever these are."""
    found: dict[Any, fmpq] = {}
    if (value := exact_value(e, point)) is not None:
        return {(): value} if value != 0 else {}
    if isinstance(e, sp.Piecewise):
        return {(sp.Piecewise, e): fmpq(1)}
    if isinstance(e, sp.Sum):
        return {(sp.Sum, e.function, e.limits, walk(e.limits[0][2], point)): fmpq(1)}
    if e.func is sp.log and len(inner := terms(e.args[0], point)) == 1:
        return logarithm_terms(*next(iter(inner.items())))
    if e.is_Rational or e.is_Symbol:
        found[()] = fmpq(int(point.get(e, e).p), int(point.get(e, e).q))
    elif e.is_Add:
        for part in e.args:
            for key, factor in terms(part, point).items():
                found[key] = found.get(key, fmpq(0)) + factor
    elif e.is_Mul:
        factor, rest = fmpq(1), []
        for part in (terms(part, point) for part in e.args):
            if set(part) <= {()}:
                factor *= part.get((), fmpq(0))
            else:
                rest.append(frozenset(part.items()))
        if len(rest) == 1:
            return {key: factor * other for key, other in rest[0]} if factor != 0 else {}
        found[("times", *sorted(rest, key=hash)) if rest else ()] = factor
    else:
        parts = [terms(part, point) for part in e.args]
        value = of_exact(parts, FUNCTIONS[e.func]) if e.func in FUNCTIONS else None
        key = () if value is not None else (e.func, *(frozenset(part.items()) for part in parts), None if e.args else e)
        found[key] = fmpq(1) if value is None else value
    return {key: factor for key, factor in found.items() if factor != 0}


def piece_of(e: sp.Piecewise, point: Point) -> Any:
    """The value of the first piece whose condition holds; the relations of a condition all must have values."""
    for piece, condition in e.args:
        if truth_of(condition, point):
            return walk(piece, point)
    raise Undefined


def truth_of(condition: sp.Basic, point: Point) -> bool:
    """Whether a condition holds."""
    if condition in (sp.true, sp.false):
        return condition == sp.true
    if isinstance(condition, sp.And | sp.Or | sp.Not):
        truths = [truth_of(part, point) for part in condition.args]
        return (
            all(truths)
            if isinstance(condition, sp.And)
            else any(truths)
            if isinstance(condition, sp.Or)
            else not truths[0]
        )
    return compare(condition, *(walk(side, point) for side in condition.args))


def of_exact(arguments: list[dict[Any, fmpq]], function: Callable) -> fmpq | None:
    """An exact value of a function whose arguments are exact once their terms have cancelled."""
    if not all(set(argument) <= {()} for argument in arguments):
        return None
    try:
        value = function(*(argument.get((), fmpq(0)) for argument in arguments))
    except (Undefined, Undecided):
        return None
    return value if isinstance(value, fmpq) else None


def logarithm_terms(key: Any, factor: fmpq) -> dict[Any, fmpq]:
    """log(c exp(a)) as log(c) + a, and log(1/c) as -log(c)."""
    found = dict(key[1]) if key and key[0] is sp.exp else {} if key == () else {(sp.log, key): fmpq(1)}
    if factor > 0 and factor != 1:
        found[sp.log, max(factor, 1 / factor)] = fmpq(1 if factor > 1 else -1)
    return found if factor > 0 else {(sp.log, key, factor): fmpq(1)}


def exact_value(e: sp.Basic, point: Point) -> fmpq | None:
    """The value of a tree, where it is an exact fraction."""
    try:
        value = walk(e, point)
    except (Undefined, Undecided):
        return None
    return value if isinstance(value, fmpq) else None


def in_range(point: Point, box: Mapping, given: tuple) -> bool:
    """Whether a point lies in the box, meets every assumption of its symbols and satisfies all of `given`."""
    for symbol, (low, high) in box.items():
        if not (sp.sympify(low) <= point[symbol] <= sp.sympify(high) and admits(symbol, point[symbol])):
            return False
    return all(judge(hypothesis, point) is True for hypothesis in given)


def admits(symbol: sp.Symbol, value: sp.Rational) -> bool:
    """Whether a rational number meets the assumptions that a symbol was made with."""
    p, is_integer = int(value.p), value.q == 1
    facts = {
        "positive": p > 0, "negative": p < 0, "nonnegative": p >= 0, "nonpositive": p <= 0, "zero": p == 0,
        "nonzero": p != 0, "integer": is_integer, "noninteger": not is_integer, "even": is_integer and p % 2 == 0,
        "odd": is_integer and p % 2 == 1, "prime": is_integer and bool(fmpz(p).is_prime()) and p > 1,
        "composite": is_integer and p > 3 and not fmpz(p).is_prime(), "irrational": False, "imaginary": False,
        "infinite": False, "transcendental": False,
    }  # fmt: skip
    return all(facts.get(kind, True) == wanted for kind, wanted in symbol.assumptions0.items() if kind in facts)


def walk(e: sp.Basic, point: Point) -> Any:
    """The value of a tree at a point, a fraction or a ball. Raises Undefined, Undecided."""
    if e.is_Rational:
        return fmpq(int(e.p), int(e.q))
    if e.is_Symbol:
        return walk(point[e], point)
    if e in CONSTANTS:
        return CONSTANTS[e]()
    if isinstance(e, sp.Sum):
        return sum_of(e, point)
    if isinstance(e, sp.Piecewise):
        return piece_of(e, point)
    if not e.args or e.func not in FUNCTIONS:
        if e in (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
            raise Undefined
        raise Undecided(f"the oracle does not know {e}")
    # Every argument is walked, also those that a product with zero or a maximum would not need.
    return FUNCTIONS[e.func](*[walk(part, point) for part in e.args])


def sum_of(e: sp.Sum, point: Point) -> Any:
    """A sum between whole numbers, term by term."""
    ((index, low, high),) = e.limits
    last = walk(high, point)
    if not (is_exact(last) and last.q == 1 and 0 <= last - int(low) + 1 <= 1000):
        raise Undecided
    total = fmpq(0)
    for value in range(int(low), int(last.p) + 1):
        total = total + walk(e.function, {**point, index: sp.Integer(value)})
    return total


CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
}


def is_exact(value: Any) -> bool:
    """Whether a value is a fraction and no ball."""
    return isinstance(value, fmpq)


def ball(value: Any) -> arb:
    """A ball around a value."""
    return arb(value)


def sign_of(value: Any) -> int:
    """The sign of a value. Raises Undecided where the ball contains zero."""
    if value > 0:
        return 1
    if value < 0:
        return -1
    if is_exact(value) or value == 0:
        return 0
    raise Undecided


def finite(value: arb) -> arb:
    """A ball, if it is one. Raises Undecided on balls without bound."""
    if not value.is_finite():
        raise Undecided
    return value


def total(*terms: Any) -> Any:
    value = fmpq(0)
    for term in terms:
        value = value + term
    return value


def product(*factors: Any) -> Any:
    if any(is_exact(factor) and factor == 0 for factor in factors):
        return fmpq(0)
    value = fmpq(1)
    for factor in factors:
        value = value * factor
    return value


def size(value: fmpq) -> int:
    """Bits that an exact number needs."""
    return max(int(value.p).bit_length(), int(value.q).bit_length())


def power(base: Any, exponent: Any) -> Any:
    """A power of reals. Where the base is negative only integers are exponents; 0**0 is left open."""
    if not is_exact(exponent):
        if is_exact(base) and base == 1:
            return base
        sign = sign_of(base)
        if sign < 0:
            if exponent.contains_integer():
                raise Undecided
            raise Undefined
        if sign == 0:
            return power(base, fmpq(sign_of(exponent)))
        return finite((exponent * ball(base).log()).exp())
    if exponent == 0 and sign_of(base) == 0:
        raise Undecided("0**0 is a convention")
    if exponent == 0:
        return fmpq(1)
    if exponent < 0:
        if sign_of(base) == 0:
            raise Undefined
        return 1 / power(base, -exponent)
    if exponent.q == 1:
        n = int(exponent.p)
        return base**n if is_exact(base) and size(base) * n < EXACT_BITS else finite(repeated(ball(base), n))
    sign = sign_of(base)
    if sign < 0:
        raise Undefined
    if sign == 0:
        return fmpq(0)
    exact = root(base, int(exponent.q)) if is_exact(base) else None
    return power(exact, fmpq(exponent.p)) if exact is not None else finite(ball(base) ** ball(exponent))


def repeated(base: arb, n: int) -> arb:
    """A ball to a positive integer power by squaring, also where it contains zero."""
    value = arb(1)
    for bit in bin(n)[2:]:
        value = value * value * (base if bit == "1" else 1)
    return value


def root(value: fmpq, n: int) -> fmpq | None:
    """The exact n-th root of a fraction, or None."""
    if n > 3 or size(value) > 900:
        return None
    top, bottom = (isqrt(int(part)) if n == 2 else round(int(part) ** (1 / 3)) for part in (value.p, value.q))
    found = fmpq(top, max(bottom, 1))
    return found if found**n == value else None


def logarithm(value: Any) -> Any:
    if sign_of(value) <= 0:
        raise Undefined
    return fmpq(0) if is_exact(value) and value == 1 else ball(value).log()


def smooth(
    name: str, at: Mapping[int, int], low: int | None = None, high: int | None = None, *, is_open: bool = False
) -> Callable:
    """A function of Arb by name, its exact values at integers, and the ends of its domain."""

    def value(x: Any) -> Any:
        for end, side in ((low, 1), (high, -1)):
            if end is not None and (sign := sign_of((x - end) * side)) <= 0 and (sign < 0 or is_open):
                raise Undefined
        if is_exact(x) and x.q == 1 and int(x.p) in at:
            return fmpq(at[int(x.p)])
        return finite(getattr(ball(x), name)())

    return value


def floor_of(x: Any) -> fmpq:
    if is_exact(x):
        return fmpq(int(x.p) // int(x.q))
    low, high = x.lower().floor().unique_fmpz(), x.upper().floor().unique_fmpz()
    if low is None or low != high:
        raise Undecided
    return fmpq(low)


def modulo(a: Any, b: Any) -> Any:
    if sign_of(b) == 0:
        raise Undefined
    return a - b * floor_of(a / b)


def gamma(x: Any) -> Any:
    if is_exact(x) and x.q == 1:
        if x <= 0:
            raise Undefined
        if x < 200:
            return fmpq(fmpz.fac_ui(int(x.p) - 1))
    elif not is_exact(x) and x.contains_integer() and not x > 0:
        raise Undecided
    return finite(ball(x).gamma())


def binomial(n: Any, k: Any) -> Any:
    """Of integers as sympy has it: 0 below k = 0, and the polynomial in n for k >= 0."""
    if not (is_exact(n) and is_exact(k) and n.q == k.q == 1) or max(abs(n), abs(k)) > 5000:
        raise Undecided("binomial of other than small integers")
    a, b = int(n.p), int(k.p)
    if b < 0:
        return fmpq(0)
    return fmpq(comb(a, b) if a >= 0 else (-1) ** b * comb(b - a - 1, b))


def extreme(side: int) -> Callable:
    """The greatest (side 1) or least (side -1) of values; balls may overlap, then their union is the answer's."""

    def value(*values: Any) -> Any:
        if all(is_exact(v) for v in values):
            return max(values) if side > 0 else min(values)
        balls = [ball(v) for v in values]
        best = balls[0]
        for other in balls[1:]:
            best = best.max(other) if side > 0 else best.min(other)
        for v in values:
            if all(v is w or (v - w) * side > 0 for w in values):
                return v
        return best

    return value


def step(x: Any, at_zero: Any = None) -> Any:
    sign = sign_of(x)
    return fmpq(sign > 0) if sign else (fmpq(1, 2) if at_zero is None else at_zero)


FUNCTIONS: dict[Any, Callable] = {
    sp.Add: total, sp.Mul: product, sp.Pow: power, sp.exp: smooth("exp", {0: 1}), sp.log: logarithm,
    sp.sin: smooth("sin", {0: 0}), sp.cos: smooth("cos", {0: 1}), sp.tan: smooth("tan", {0: 0}),
    sp.asin: smooth("asin", {0: 0}, -1, 1), sp.acos: smooth("acos", {1: 0}, -1, 1), sp.atan: smooth("atan", {0: 0}),
    sp.sinh: smooth("sinh", {0: 0}), sp.cosh: smooth("cosh", {0: 1}), sp.tanh: smooth("tanh", {0: 0}),
    sp.asinh: smooth("asinh", {0: 0}), sp.acosh: smooth("acosh", {1: 0}, 1),
    sp.atanh: smooth("atanh", {0: 0}, -1, 1, is_open=True), sp.erf: smooth("erf", {0: 0}),
    sp.erfc: smooth("erfc", {0: 1}), sp.LambertW: smooth("lambertw", {0: 0}, 0),
    sp.loggamma: lambda x: logarithm(gamma(x)) if x > 0 else _undefined(), sp.gamma: gamma,
    sp.factorial: lambda x: gamma(x + 1), sp.binomial: binomial, sp.Mod: modulo, sp.floor: floor_of,
    sp.ceiling: lambda x: -floor_of(-x), sp.frac: lambda x: x - floor_of(x), sp.Abs: abs,
    sp.sign: lambda x: fmpq(sign_of(x)), sp.Heaviside: step, sp.Max: extreme(1), sp.Min: extreme(-1),
}  # fmt: skip
FUNCTIONS[sp.exp_polar] = FUNCTIONS[sp.exp]


def _undefined() -> Any:
    raise Undefined
