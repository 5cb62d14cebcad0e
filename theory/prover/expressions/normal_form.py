"""Whether an expression is identically zero, by a normal form in which every step is an identity.

An expression becomes a quotient of sums of products. What is no sum, product or rational power stands in it as a
generator of its own, keyed by the normal forms of its arguments, after the rules below have been applied. If all terms
cancel, the expression is zero wherever all of its subterms have values; if they do not, nothing is claimed.

Rules. exp(a + b) = exp(a) exp(b), and exp(q a) = exp(a)^q for rational q; exp(log a) = a. Hyperbolic functions are
written in exp(x), circular ones in exp(i x), with i^2 = -1 and exp(i pi) = -1. Roots of integers go through their
primes. (a b)^q = a^q b^q where at most one of the bases may be negative. b^(c + d) = b^c b^d for b > 0, and for b = -1
at integer exponents, where only the parity counts. log(a b) = log a + log b for a, b > 0. |a|^2 = a^2,
acos = pi/2 - asin, erfc = 1 - erf, min(a, b) = a + b - max(a, b).

sympy's own simplifiers are not asked: they take small numbers for zero, and their polynomials can end the process.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import sympy as sp

from theory.prover.expressions.terms import (
    HALF,
    IMAGINARY,
    ONE,
    PI,
    Arithmetic,
    Monomial,
    NoNormalForm,
    Quotient,
    constant,
    is_integral,
    is_nonnegative,
    is_one_base,
    is_positive,
    is_positive_sum,
    primes,
    single,
    split_content,
)

_MAX_SPREAD = 2000


def is_zero(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational] | None = None) -> bool:
    """Whether the expression (at `point`, where given) is certainly zero wherever its subterms have values."""
    try:
        return not normal_form(expression, point).over
    except (NoNormalForm, RecursionError):
        return False


def normal_form(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational] | None = None) -> Quotient:
    """The quotient that an expression is. Raises NoNormalForm."""
    return _Normal(point or {}).of(expression)


@lru_cache(maxsize=512)
def is_small(expression: sp.Expr, *, degree: int = 60, terms: int = 300, generators: int = 14) -> bool:
    """Whether sympy may safely factor an expression: few terms, and exponents that are small multiples of a unit."""
    if not is_short(expression):
        return False
    try:
        form = normal_form(expression)
    except (NoNormalForm, RecursionError):
        return False
    sums = [form.over, *(dict(factor) for factor in form.under)]
    exponents: dict[Any, set[Fraction]] = {}
    for total in sums:
        for monomial in total:
            for generator, power in monomial:
                exponents.setdefault(generator, set()).add(power)
    if max(map(len, sums)) > terms or len(exponents) > generators or max(form.under.values(), default=0) > 20:
        return False
    return all(max(map(abs, found)) / _unit(found) <= degree for found in exponents.values())


def is_short(expression: sp.Expr) -> bool:
    """Whether no power of a sum in an expression has thousands of terms."""
    return all(_spread(power) <= _MAX_SPREAD for power in expression.atoms(sp.Pow))


def _spread(power: sp.Pow) -> int:
    """How many terms a whole power of a sum has when it is multiplied out."""
    if not (power.base.is_Add and power.exp.is_Integer):
        return 1
    n = abs(int(power.exp))
    return comb(n + len(power.base.args) - 1, n) if n < _MAX_SPREAD else _MAX_SPREAD + 1


def _unit(powers: set[Fraction]) -> Fraction:
    unit = Fraction(0)
    for power in powers:
        a, b = abs(power), unit
        while b:
            a, b = b, a % b
        unit = a
    return unit


class _Normal(Arithmetic):
    """Normal forms at one point, each subterm's computed once."""

    def __init__(self, point: Mapping[sp.Symbol, sp.Rational]) -> None:
        super().__init__()
        self.argument: dict[Any, Quotient] = {}  # of a generator that is a logarithm
        self.known = {s: Quotient(constant(Fraction(int(v.p), int(v.q)))) for s, v in point.items()}

    def of(self, e: sp.Basic) -> Quotient:
        if e not in self.known:
            self.known[e] = self._compute(e)
        return self.known[e]

    def _compute(self, e: sp.Basic) -> Quotient:
        if e.is_Rational:
            return Quotient(constant(Fraction(int(e.p), int(e.q))))
        if e in (sp.nan, sp.zoo, sp.oo, -sp.oo):
            raise NoNormalForm("not a number")
        if e in (sp.pi, sp.I, sp.E):
            return Quotient(single({sp.pi: PI, sp.I: IMAGINARY, sp.E: ("exp", ONE)}[e]))
        if e.is_Add:
            return self.add(*map(self.of, e.args))
        if e.is_Mul:
            return self.multiply(*map(self.of, e.args))
        if isinstance(e, sp.exp):
            return self.exp(self.of(e.args[0]))
        if e.is_Pow:
            return self.power(self.of(e.base), self.of(e.exp))
        if e.is_Symbol or e in (sp.EulerGamma, sp.Catalan, sp.GoldenRatio):
            return Quotient(single(e))
        return self._function(e)

    # Powers ----------------------------------------------------------------------------------------------------------

    def power(self, base: Quotient, exponent: Quotient) -> Quotient:
        if not exponent.under and set(exponent.over) <= {ONE}:
            return self.rational_power(base, exponent.over.get(ONE, Fraction(0)))
        if not exponent.under and len(base.over) == 1 and not base.under:
            ((monomial, value),) = base.over.items()
            if all(is_positive(g) for g, _ in monomial) and (
                value > 0 or all(is_integral(m, q) for m, q in exponent.over.items())
            ):
                parts = [self._split_power(g, self.scale(exponent, size)) for g, size in monomial]
                return self.multiply(self._number_power(value, exponent), *parts)
        return Quotient(single(("power", base.key, exponent.key)))

    def _number_power(self, value: Fraction, exponent: Quotient) -> Quotient:
        result = Quotient(constant(Fraction(1)))
        if value < 0:
            for monomial, q in exponent.over.items():
                if monomial == ONE:
                    result = self.scale(result, Fraction(-1) ** int(q))
                elif q % 2:
                    result = self.multiply(result, Quotient(single(("parity", monomial))))
        for prime, count in primes(abs(value)).items():
            result = self.multiply(result, self._split_power(("prime", prime), self.scale(exponent, Fraction(count))))
        return result

    def _split_power(self, generator: Any, exponent: Quotient) -> Quotient:
        """generator**(sum of q m) as the product of (generator**m)**q, for a positive generator."""
        if isinstance(generator, tuple) and generator[0] == "exp":
            return self.exp(self.multiply(exponent, Quotient({generator[1]: Fraction(1)})))
        result = Quotient(constant(Fraction(1)))
        for monomial, q in exponent.over.items():
            if monomial == ONE:
                part = self.generator_power(generator, q)
            else:
                part = Quotient(single(("raised", generator, monomial), q))
            result = self.multiply(result, part)
        return result

    def rational_power(self, base: Quotient, q: Fraction) -> Quotient:
        if q == 0:
            return Quotient(constant(Fraction(1)))
        if q.denominator == 1:
            part = base if q > 0 else self.invert(base)
            return self.whole_power(part, abs(int(q)))
        return self._root(base, q)

    def _root(self, base: Quotient, q: Fraction) -> Quotient:
        """base**q for a fraction q; the base is >= 0 where that has a value."""
        if not base.over:
            return Quotient({})
        content, value, rest = split_content(base.over)
        doubtful = [(g, p) for g, p in content if not is_nonnegative(g)]
        plain = Quotient(constant(Fraction(1)))
        if rest is None and not base.under and value > 0 and (not doubtful or is_one_base(doubtful)):
            taken, left = content, None
        else:
            taken = frozenset((g, p) for g, p in content if is_nonnegative(g))
            others = frozenset(doubtful)
            sign = Fraction(1 if value > 0 else -1)
            over = self.times({others: sign}, rest if rest is not None else constant(Fraction(1)))
            below = {factor: power for factor, power in base.under.items() if not is_positive_sum(dict(factor))}
            for factor in base.under.keys() - below.keys():
                plain = self.multiply(plain, self._root(Quotient(dict(factor)), -q * base.under[factor]))
            left = Quotient(over, below)
        for g, p in taken:
            plain = self.multiply(plain, self.generator_power(g, p * q))
        for prime, count in primes(abs(value)).items():
            plain = self.multiply(plain, self.generator_power(("prime", prime), count * q))
        if left is None or (left.over == {ONE: Fraction(1)} and not left.under):
            return plain
        if left.under:
            return self.multiply(plain, Quotient(single(("ratio", left.key), q)))
        key = ("root", left.key)
        self.meaning[key] = left.over
        return self.multiply(plain, self.generator_power(key, q))

    # Functions -------------------------------------------------------------------------------------------------------

    def exp(self, exponent: Quotient) -> Quotient:
        """exp of a sum as a product; a sum over a denominator is taken term by term."""
        result = Quotient(constant(Fraction(1)))
        for monomial, q in exponent.over.items():
            result = self.multiply(result, self._exp_of_term(monomial, q, exponent.under))
        return result

    def _exp_of_term(self, monomial: Monomial, q: Fraction, under: dict[frozenset, int]) -> Quotient:
        if under:
            return Quotient(single(("exp over", monomial, frozenset(under.items())), q))
        if len(monomial) == 1:
            ((generator, power),) = monomial
            if isinstance(generator, tuple) and generator[0] == "log" and power == 1:
                return self.rational_power(self.argument[generator], q)
        return Quotient(self.times(constant(Fraction(1)), single(("exp", monomial), q)))

    def log(self, x: Quotient) -> Quotient:
        """log of a product of positive parts, as a sum; what is left stands as a logarithm of its own."""
        if not x.over:
            raise NoNormalForm("log of zero")
        content, value, rest = split_content(x.over)
        parts, sign = [], Fraction(1 if value > 0 else -1)
        taken = frozenset((g, p) for g, p in content if is_positive(g))
        for prime, count in primes(abs(value)).items():
            parts.append(self.scale(self._log_of(Quotient(single(("prime", prime)))), Fraction(count)))
        for generator, power in taken:
            if isinstance(generator, tuple) and generator[0] == "exp":
                parts.append(Quotient({generator[1]: power}))
            else:
                parts.append(self.scale(self._log_of(Quotient(single(generator))), power))
        over = self.times({content - taken: sign}, rest if rest is not None else constant(Fraction(1)))
        under = {}
        for factor, power in x.under.items():
            if is_positive_sum(dict(factor)):
                parts.append(self.scale(self._log_of(Quotient(dict(factor))), Fraction(-power)))
            else:
                under[factor] = power
        if under or over != {ONE: Fraction(1)}:
            parts.append(self._log_of(Quotient(over, under)))
        return self.add(Quotient({}), *parts)

    def _log_of(self, x: Quotient) -> Quotient:
        key = ("log", x.key)
        self.argument[key] = x
        return Quotient(single(key))

    def _function(self, e: sp.Basic) -> Quotient:
        parts = [self.of(part) for part in e.args]
        if len(parts) == 1 and e.func in _IN_EXPONENTIALS:
            return self._in_exponentials(e.func, parts[0])
        if isinstance(e, sp.log):
            return self.log(parts[0])
        if isinstance(e, sp.acos):
            halved = Quotient({frozenset({(PI, Fraction(1))}): HALF})
            return self.add(halved, self.scale(Quotient(single(("asin", parts[0].key))), Fraction(-1)))
        if isinstance(e, sp.erfc):
            return self.add(
                Quotient(constant(Fraction(1))), self.scale(Quotient(single(("erf", parts[0].key))), Fraction(-1))
            )
        if isinstance(e, sp.Min) and len(parts) == 2:
            larger = Quotient(single(("Max", frozenset(part.key for part in parts))))
            return self.add(*parts, self.scale(larger, Fraction(-1)))
        if isinstance(e, sp.Max | sp.Min):
            # The order of the arguments does not matter.
            return Quotient(single((e.func.__name__, frozenset(part.key for part in parts))))
        if isinstance(e, sp.Abs) and not parts[0].under:
            key = ("Abs", parts[0].key)
            self.meaning[key] = self.times(parts[0].over, parts[0].over)
            return Quotient(single(key))
        if e.func not in _KNOWN:
            raise NoNormalForm(f"no rule for {e.func}")
        return Quotient(single((e.func.__name__, *(part.key for part in parts))))

    def _in_exponentials(self, kind: type, x: Quotient) -> Quotient:
        """Circular and hyperbolic functions as quotients of sums of exp(+-x) or exp(+-i x)."""
        is_circular = kind in _CIRCULAR
        turned = self.multiply(x, Quotient(single(IMAGINARY))) if is_circular else x
        up, down = self.exp(turned), self.exp(self.scale(turned, Fraction(-1)))
        unit = self.invert(Quotient(single(IMAGINARY))) if is_circular else Quotient(constant(Fraction(1)))
        cosine = self.scale(self.add(up, down), HALF)
        sine = self.multiply(self.scale(self.add(up, self.scale(down, Fraction(-1))), HALF), unit)
        over, under = _IN_EXPONENTIALS[kind]
        sides = {"s": sine, "c": cosine, "1": Quotient(constant(Fraction(1)))}
        return sides[over] if under == "1" else self.multiply(sides[over], self.invert(sides[under]))


_KNOWN = {sp.asin, sp.atan, sp.acot, sp.asinh, sp.acosh, sp.atanh, sp.erf, sp.erfi, sp.gamma, sp.loggamma}
_KNOWN |= {sp.factorial, sp.binomial, sp.zeta, sp.floor, sp.ceiling, sp.sign, sp.Heaviside, sp.Abs}
"""Functions that stand as generators of their own; equal arguments give equal values."""

_CIRCULAR = {sp.sin: ("s", "1"), sp.cos: ("c", "1"), sp.tan: ("s", "c"), sp.cot: ("c", "s")}
_CIRCULAR |= {sp.sec: ("1", "c"), sp.csc: ("1", "s")}
_IN_EXPONENTIALS: dict[type, tuple[str, str]] = {
    **_CIRCULAR,
    **{sp.sinh: ("s", "1"), sp.cosh: ("c", "1"), sp.tanh: ("s", "c"), sp.coth: ("c", "s")},
    **{sp.sech: ("1", "c"), sp.csch: ("1", "s")},
}
