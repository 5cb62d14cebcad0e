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
from math import floor
from typing import Any

import sympy as sp

Monomial = frozenset
"""{(generator, exponent)}; exponents are nonzero fractions of either sign."""

Terms = dict[Monomial, Fraction]

_ONE: Monomial = frozenset()
_I, _PI = ("i",), ("pi",)
_HALF = Fraction(1, 2)
_MOST_TERMS, _MOST_WORK, _MOST_BITS = 4000, 400_000, 100_000


class NoNormalForm(ArithmeticError):
    """The expression is too large, or divides by zero."""


class Quotient:
    """`over` divided by the product of `under`: {frozen sum: its power}."""

    def __init__(self, over: Terms, under: Mapping[frozenset, int] | None = None) -> None:
        self.over, self.under = over, dict(under or {})

    @property
    def key(self) -> tuple:
        """What equal quotients have in common."""
        return frozenset(self.over.items()), frozenset(self.under.items())


def is_zero(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational] | None = None) -> bool:
    """Whether the expression (at `point`, where given) is certainly zero wherever its subterms have values."""
    try:
        return not normal_form(expression, point).over
    except (NoNormalForm, RecursionError):
        return False


def normal_form(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational] | None = None) -> Quotient:
    """The quotient that an expression is. Raises NoNormalForm."""
    return _Normal(point or {}).of(expression)


def is_small(expression: sp.Expr, *, degree: int = 60, terms: int = 300) -> bool:
    """Whether sympy may safely factor an expression: few terms, and exponents that are small multiples of a unit."""
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
    if max(map(len, sums)) > terms or len(exponents) > 14 or max(form.under.values(), default=0) > 20:
        return False
    return all(max(map(abs, found)) / _unit(found) <= degree for found in exponents.values())


def _unit(powers: set[Fraction]) -> Fraction:
    unit = Fraction(0)
    for power in powers:
        a, b = abs(power), unit
        while b:
            a, b = b, a % b
        unit = a
    return unit


def _number(value: Fraction) -> Terms:
    if value.numerator.bit_length() > _MOST_BITS or value.denominator.bit_length() > _MOST_BITS:
        raise NoNormalForm("a number is too long")
    return {_ONE: value} if value else {}


def _generator(key: Any, power: Fraction | int = 1) -> Terms:
    return {frozenset({(key, Fraction(power))}): Fraction(1)}


class _Normal:
    """Normal forms at one point, each subterm's computed once; `work` bounds the multiplications."""

    def __init__(self, point: Mapping[sp.Symbol, sp.Rational]) -> None:
        self.meaning: dict[Any, Terms] = {}  # of whole powers of a root, and of squares of an absolute value
        self.argument: dict[Any, Quotient] = {}  # of a generator that is a logarithm
        self.known = {s: Quotient(_number(Fraction(int(v.p), int(v.q)))) for s, v in point.items()}
        self.work = 0

    def of(self, e: sp.Basic) -> Quotient:
        if e not in self.known:
            self.known[e] = self._compute(e)
        return self.known[e]

    def _compute(self, e: sp.Basic) -> Quotient:
        if e.is_Rational:
            return Quotient(_number(Fraction(int(e.p), int(e.q))))
        if e in (sp.nan, sp.zoo, sp.oo, -sp.oo):
            raise NoNormalForm("not a number")
        if e in (sp.pi, sp.I, sp.E):
            return Quotient(_generator({sp.pi: _PI, sp.I: _I, sp.E: ("exp", _ONE)}[e]))
        if e.is_Add:
            return self.add(*map(self.of, e.args))
        if e.is_Mul:
            return self.multiply(*map(self.of, e.args))
        if isinstance(e, sp.exp):
            return self.exp(self.of(e.args[0]))
        if e.is_Pow:
            return self.power(self.of(e.base), self.of(e.exp))
        if e.is_Symbol or e in (sp.EulerGamma, sp.Catalan, sp.GoldenRatio):
            return Quotient(_generator(e))
        return self._function(e)

    # Arithmetic ------------------------------------------------------------------------------------------------------

    def add(self, *parts: Quotient) -> Quotient:
        under: dict[frozenset, int] = {}
        for part in parts:
            for factor, power in part.under.items():
                under[factor] = max(power, under.get(factor, 0))
        total: Terms = {}
        for part in parts:
            over = part.over
            for factor, power in under.items():
                for _ in range(power - part.under.get(factor, 0)):
                    over = self.times(over, dict(factor))
            for monomial, value in over.items():
                _increase(total, monomial, value)
        return Quotient(total, under)

    def multiply(self, *parts: Quotient) -> Quotient:
        over, under = _number(Fraction(1)), {}
        for part in parts:
            over = self.times(over, part.over)
            for factor, power in part.under.items():
                under[factor] = under.get(factor, 0) + power
        return Quotient(over, under)

    def scale(self, part: Quotient, by: Fraction) -> Quotient:
        return self.multiply(part, Quotient(_number(by)))

    def times(self, a: Terms, b: Terms) -> Terms:
        """Product of two sums."""
        self.work += len(a) * len(b)
        if self.work > _MOST_WORK:
            raise NoNormalForm("too many terms")
        total: Terms = {}
        for m, p in a.items():
            for n, q in b.items():
                for monomial, value in self._joined(m, n).items():
                    _increase(total, monomial, value * p * q)
        if len(total) > _MOST_TERMS:
            raise NoNormalForm("too many terms")
        return total

    def _joined(self, m: Monomial, n: Monomial) -> Terms:
        """Product of two monomials, with the relations among generators applied."""
        powers = dict(m)
        again: list[tuple[Any, int]] = []
        value = Fraction(1)
        for generator, power in n:
            power += powers.pop(generator, Fraction(0))
            kept, factor, expanded = _related(generator, power)
            value *= factor
            if expanded:
                again.append((generator, expanded))
            if kept:
                powers[generator] = kept
        total = {frozenset(powers.items()): value}
        for generator, count in again:
            total = self.times(total, self._raised(self.meaning[generator], count))
        return total

    def _raised(self, terms: Terms, count: int) -> Terms:
        if count > 200 and len(terms) > 1:
            raise NoNormalForm("too high a power")
        if len(terms) == 1:
            ((monomial, value),) = terms.items()
            if (value.numerator.bit_length() + value.denominator.bit_length()) * count > _MOST_BITS:
                raise NoNormalForm("a number is too long")
            if all(_is_free(g) for g, _ in monomial):
                return {frozenset((g, p * count) for g, p in monomial): value**count}
        if count > 200:
            raise NoNormalForm("too high a power")
        result = _number(Fraction(1))
        for _ in range(count):
            result = self.times(result, terms)
        return result

    def invert(self, part: Quotient) -> Quotient:
        """1 / part; single terms stay in the sum, as negative powers."""
        if not part.over:
            raise NoNormalForm("division by zero")
        over = _number(Fraction(1))
        for factor, power in part.under.items():
            over = self.times(over, self._raised(dict(factor), power))
        content, value, rest = _content(part.over)
        over = self.times(over, _number(1 / value))
        result = Quotient(over, {} if rest is None else {frozenset(rest.items()): 1})
        for generator, power in content:
            result = self.multiply(result, self.generator_power(generator, -power))
        return result

    def generator_power(self, generator: Any, power: Fraction) -> Quotient:
        """generator**power; below zero, what whole powers of a generator stand for goes under the line."""
        step = {"root": 1, "Abs": 2}.get(generator[0], 0) if isinstance(generator, tuple) else 0
        whole = floor(power / step) if step and power < 0 else 0
        if generator not in self.meaning:
            whole = 0
        rest = Quotient(self.times(_number(Fraction(1)), _generator(generator, power - step * whole)))
        if not whole:
            return rest
        return self.multiply(rest, self._whole_power(self.invert(Quotient(self.meaning[generator])), -whole))

    # Powers ----------------------------------------------------------------------------------------------------------

    def power(self, base: Quotient, exponent: Quotient) -> Quotient:
        if not exponent.under and set(exponent.over) <= {_ONE}:
            return self.rational_power(base, exponent.over.get(_ONE, Fraction(0)))
        if not exponent.under and len(base.over) == 1 and not base.under:
            ((monomial, value),) = base.over.items()
            if all(_is_positive(g) for g, _ in monomial) and (
                value > 0 or all(_is_integral(m, q) for m, q in exponent.over.items())
            ):
                parts = [self._split_power(g, self.scale(exponent, size)) for g, size in monomial]
                return self.multiply(self._number_power(value, exponent), *parts)
        return Quotient(_generator(("power", base.key, exponent.key)))

    def _number_power(self, value: Fraction, exponent: Quotient) -> Quotient:
        result = Quotient(_number(Fraction(1)))
        if value < 0:
            for monomial, q in exponent.over.items():
                if monomial == _ONE:
                    result = self.scale(result, Fraction(-1) ** int(q))
                elif q % 2:
                    result = self.multiply(result, Quotient(_generator(("parity", monomial))))
        for prime, count in _primes(abs(value)).items():
            result = self.multiply(result, self._split_power(("prime", prime), self.scale(exponent, Fraction(count))))
        return result

    def _split_power(self, generator: Any, exponent: Quotient) -> Quotient:
        """generator**(sum of q m) as the product of (generator**m)**q, for a positive generator."""
        if isinstance(generator, tuple) and generator[0] == "exp":
            return self.exp(self.multiply(exponent, Quotient({generator[1]: Fraction(1)})))
        result = Quotient(_number(Fraction(1)))
        for monomial, q in exponent.over.items():
            if monomial == _ONE:
                part = self.generator_power(generator, q)
            else:
                part = Quotient(_generator(("raised", generator, monomial), q))
            result = self.multiply(result, part)
        return result

    def rational_power(self, base: Quotient, q: Fraction) -> Quotient:
        if q == 0:
            return Quotient(_number(Fraction(1)))
        if q.denominator == 1:
            part = base if q > 0 else self.invert(base)
            return self._whole_power(part, abs(int(q)))
        return self._root(base, q)

    def _whole_power(self, base: Quotient, n: int) -> Quotient:
        return Quotient(self._raised(base.over, n), {factor: power * n for factor, power in base.under.items()})

    def _root(self, base: Quotient, q: Fraction) -> Quotient:
        """base**q for a fraction q; the base is >= 0 where that has a value."""
        if not base.over:
            return Quotient({})
        content, value, rest = _content(base.over)
        doubtful = [(g, p) for g, p in content if not _is_nonnegative(g)]
        plain = Quotient(_number(Fraction(1)))
        if rest is None and not base.under and value > 0 and (not doubtful or _is_one_base(doubtful)):
            taken, left = content, None
        else:
            taken = frozenset((g, p) for g, p in content if _is_nonnegative(g))
            others = frozenset(doubtful)
            sign = Fraction(1 if value > 0 else -1)
            over = self.times({others: sign}, rest if rest is not None else _number(Fraction(1)))
            below = {factor: power for factor, power in base.under.items() if not _is_positive_sum(dict(factor))}
            for factor in base.under.keys() - below.keys():
                plain = self.multiply(plain, self._root(Quotient(dict(factor)), -q * base.under[factor]))
            left = Quotient(over, below)
        for g, p in taken:
            plain = self.multiply(plain, self.generator_power(g, p * q))
        for prime, count in _primes(abs(value)).items():
            plain = self.multiply(plain, self.generator_power(("prime", prime), count * q))
        if left is None or (left.over == {_ONE: Fraction(1)} and not left.under):
            return plain
        if left.under:
            return self.multiply(plain, Quotient(_generator(("ratio", left.key), q)))
        key = ("root", left.key)
        self.meaning[key] = left.over
        return self.multiply(plain, self.generator_power(key, q))

    # Functions -------------------------------------------------------------------------------------------------------

    def exp(self, exponent: Quotient) -> Quotient:
        """exp of a sum as a product; a sum over a denominator is taken term by term."""
        result = Quotient(_number(Fraction(1)))
        for monomial, q in exponent.over.items():
            result = self.multiply(result, self._exp_of_term(monomial, q, exponent.under))
        return result

    def _exp_of_term(self, monomial: Monomial, q: Fraction, under: dict[frozenset, int]) -> Quotient:
        if under:
            return Quotient(_generator(("exp over", monomial, frozenset(under.items())), q))
        if len(monomial) == 1:
            ((generator, power),) = monomial
            if isinstance(generator, tuple) and generator[0] == "log" and power == 1:
                return self.rational_power(self.argument[generator], q)
        return Quotient(self.times(_number(Fraction(1)), _generator(("exp", monomial), q)))

    def log(self, x: Quotient) -> Quotient:
        """log of a product of positive parts, as a sum; what is left stands as a logarithm of its own."""
        if not x.over:
            raise NoNormalForm("log of zero")
        content, value, rest = _content(x.over)
        parts, sign = [], Fraction(1 if value > 0 else -1)
        taken = frozenset((g, p) for g, p in content if _is_positive(g))
        for prime, count in _primes(abs(value)).items():
            parts.append(self.scale(self._log_of(Quotient(_generator(("prime", prime)))), Fraction(count)))
        for generator, power in taken:
            if isinstance(generator, tuple) and generator[0] == "exp":
                parts.append(Quotient({generator[1]: power}))
            else:
                parts.append(self.scale(self._log_of(Quotient(_generator(generator))), power))
        over = self.times({content - taken: sign}, rest if rest is not None else _number(Fraction(1)))
        under = {}
        for factor, power in x.under.items():
            if _is_positive_sum(dict(factor)):
                parts.append(self.scale(self._log_of(Quotient(dict(factor))), Fraction(-power)))
            else:
                under[factor] = power
        if under or over != {_ONE: Fraction(1)}:
            parts.append(self._log_of(Quotient(over, under)))
        return self.add(Quotient({}), *parts)

    def _log_of(self, x: Quotient) -> Quotient:
        key = ("log", x.key)
        self.argument[key] = x
        return Quotient(_generator(key))

    def _function(self, e: sp.Basic) -> Quotient:
        parts = [self.of(part) for part in e.args]
        if len(parts) == 1 and e.func in _IN_EXPONENTIALS:
            return self._in_exponentials(e.func, parts[0])
        if isinstance(e, sp.log):
            return self.log(parts[0])
        if isinstance(e, sp.acos):
            halved = Quotient({frozenset({(_PI, Fraction(1))}): _HALF})
            return self.add(halved, self.scale(Quotient(_generator(("asin", parts[0].key))), Fraction(-1)))
        if isinstance(e, sp.erfc):
            return self.add(
                Quotient(_number(Fraction(1))), self.scale(Quotient(_generator(("erf", parts[0].key))), Fraction(-1))
            )
        if isinstance(e, sp.Min) and len(parts) == 2:
            larger = Quotient(_generator(("Max", frozenset(part.key for part in parts))))
            return self.add(*parts, self.scale(larger, Fraction(-1)))
        if isinstance(e, sp.Max | sp.Min):
            # The order of the arguments does not matter.
            return Quotient(_generator((e.func.__name__, frozenset(part.key for part in parts))))
        if isinstance(e, sp.Abs) and not parts[0].under:
            key = ("Abs", parts[0].key)
            self.meaning[key] = self.times(parts[0].over, parts[0].over)
            return Quotient(_generator(key))
        if e.func not in _KNOWN:
            raise NoNormalForm(f"no rule for {e.func}")
        return Quotient(_generator((e.func.__name__, *(part.key for part in parts))))

    def _in_exponentials(self, kind: type, x: Quotient) -> Quotient:
        """Circular and hyperbolic functions as quotients of sums of exp(+-x) or exp(+-i x)."""
        is_circular = kind in _CIRCULAR
        turned = self.multiply(x, Quotient(_generator(_I))) if is_circular else x
        up, down = self.exp(turned), self.exp(self.scale(turned, Fraction(-1)))
        unit = self.invert(Quotient(_generator(_I))) if is_circular else Quotient(_number(Fraction(1)))
        cosine = self.scale(self.add(up, down), _HALF)
        sine = self.multiply(self.scale(self.add(up, self.scale(down, Fraction(-1))), _HALF), unit)
        over, under = _IN_EXPONENTIALS[kind]
        sides = {"s": sine, "c": cosine, "1": Quotient(_number(Fraction(1)))}
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


def _increase(total: Terms, monomial: Monomial, value: Fraction) -> None:
    value += total.get(monomial, Fraction(0))
    if value:
        total[monomial] = value
    else:
        total.pop(monomial, None)


def _related(generator: Any, power: Fraction) -> tuple[Fraction, Fraction, int]:
    """(power that stays, rational factor, count of whole powers to expand) of generator**power."""
    if isinstance(generator, tuple):
        if generator == _I:
            return power % 2, Fraction(-1) ** int(power // 2), 0
        if generator[0] == "parity":
            return power % 2, Fraction(1), 0
        if generator[0] == "prime":
            return power - floor(power), _prime_power(generator[1], floor(power)), 0
        if generator == ("exp", _HALF_TURN):
            whole = floor(power)
            return power - whole, Fraction(-1) ** whole, 0
        if generator[0] == "root":
            return (power - floor(power), Fraction(1), floor(power)) if power >= 1 else (power, Fraction(1), 0)
        if generator[0] == "Abs" and power > 1 and power.denominator == 1:
            return power % 2, Fraction(1), int(power // 2)
    return power, Fraction(1), 0


_HALF_TURN: Monomial = frozenset({(_I, Fraction(1)), (_PI, Fraction(1))})


def _prime_power(prime: int, power: int) -> Fraction:
    if abs(power) * prime.bit_length() > _MOST_BITS:
        raise NoNormalForm("a number is too long")
    return Fraction(prime) ** power


def _is_free(generator: Any) -> bool:
    """Whether powers of a generator have no relation among themselves."""
    if not isinstance(generator, tuple):
        return True
    return generator[0] not in ("i", "parity", "prime", "root", "Abs") and generator != ("exp", _HALF_TURN)


def _is_positive(generator: Any) -> bool:
    """Whether a generator is positive for certain."""
    if not isinstance(generator, tuple):
        return bool(generator.is_positive)
    if generator[0] in ("exp", "raised"):
        return not any(_has_i(g) for g, _ in generator[-1])
    return generator[0] in ("prime", "pi")


def _has_i(generator: Any) -> bool:
    if generator == _I:
        return True
    if isinstance(generator, tuple | frozenset):
        return any(_has_i(part) for part in generator)
    return False


def _is_nonnegative(generator: Any) -> bool:
    if not isinstance(generator, tuple):
        return bool(generator.is_nonnegative)
    return _is_positive(generator) or generator[0] in ("Abs", "root")


def _is_positive_sum(terms: Terms) -> bool:
    return all(v > 0 and all(_is_positive(g) for g, _ in m) for m, v in terms.items())


def _is_one_base(doubtful: list[tuple[Any, Fraction]]) -> bool:
    """Whether the only generator that may be negative stands there alone, so that its root is taken of itself."""
    return len(doubtful) == 1 and doubtful[0][1] == 1 and not _has_i(doubtful[0][0])


def _is_integral(monomial: Monomial, q: Fraction) -> bool:
    """Whether a term is an integer: a whole number times whole powers of integer symbols."""
    return q.denominator == 1 and all(
        not isinstance(g, tuple) and bool(g.is_integer) and p > 0 and p.denominator == 1 for g, p in monomial
    )


def _content(terms: Terms) -> tuple[Monomial, Fraction, Terms | None]:
    """(monomial, value, rest) with terms = value * monomial * rest; rest is None for a single term."""
    if len(terms) == 1:
        ((monomial, value),) = terms.items()
        return monomial, value, None
    shared: dict[Any, Fraction] | None = None
    for monomial in terms:
        powers = {g: p for g, p in monomial if _is_free(g)}
        if shared is None:
            shared = powers
        else:
            names = set(shared) | set(powers)
            shared = {g: min(shared.get(g, Fraction(0)), powers.get(g, Fraction(0))) for g in names}
    content = {g: p for g, p in (shared or {}).items() if p}
    rest: Terms = {}
    for monomial, value in terms.items():
        powers = dict(monomial)
        for g, p in content.items():
            powers[g] = powers.get(g, Fraction(0)) - p
        rest[frozenset((g, p) for g, p in powers.items() if p)] = value
    leader = rest[min(rest, key=lambda m: sorted(map(_name, m)))]
    return frozenset(content.items()), leader, {m: v / leader for m, v in rest.items()}


def _name(part: Any) -> str:
    """Text by which generators are ordered, the same in every process."""
    if isinstance(part, frozenset):
        return "{" + ",".join(sorted(map(_name, part))) + "}"
    if isinstance(part, tuple):
        return "(" + ",".join(map(_name, part)) + ")"
    return str(part)


def _primes(value: Fraction) -> dict[int, int]:
    """Exponents of the prime factors of a positive fraction; what is too large to factor counts as prime."""
    found: dict[int, int] = {}
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        for p in _SMALL_PRIMES:
            while number % p == 0:
                number //= p
                found[p] = found.get(p, 0) + sign
        if number > 1:
            found[number] = found.get(number, 0) + sign
    return {p: n for p, n in found.items() if n}


_SMALL_PRIMES = [p for p in range(2, 1000) if all(p % d for d in range(2, int(p**0.5) + 1))]
