"""Sums of products of generators, the material of `theory.prover.expressions.normal_form`.

A monomial is a set of (generator, exponent) pairs, a sum maps monomials to rational coefficients. A generator is a
symbol or a tuple that names a function and the keys of its arguments. Some have relations: i^2 = -1, a root to its
degree, the parity of an exponent of -1; `related` puts them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any

Monomial = frozenset
"""{(generator, exponent)}; exponents are nonzero fractions of either sign."""

Terms = dict[Monomial, Fraction]

ONE: Monomial = frozenset()
IMAGINARY, PI = ("i",), ("pi",)
HALF = Fraction(1, 2)
MAX_TERMS, MAX_WORK, MAX_BITS = 4000, 400_000, 100_000


class NoNormalForm(ArithmeticError):
    """The expression is too large, or divides by zero."""


def constant(value: Fraction) -> Terms:
    """A number as a sum. Raises NoNormalForm where it is too long."""
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise NoNormalForm("a number is too long")
    return {ONE: value} if value else {}


def single(key: Any, power: Fraction | int = 1) -> Terms:
    """One generator to a power, as a sum."""
    return {frozenset({(key, Fraction(power))}): Fraction(1)}


def increase(total: Terms, monomial: Monomial, value: Fraction) -> None:
    """Add to the coefficient of a monomial, in place."""
    value += total.get(monomial, Fraction(0))
    if value:
        total[monomial] = value
    else:
        total.pop(monomial, None)


def related(generator: Any, power: Fraction) -> tuple[Fraction, Fraction, int]:
    """(power that stays, rational factor, count of whole powers to expand) of generator**power."""
    if isinstance(generator, tuple):
        if generator == IMAGINARY:
            return power % 2, Fraction(-1) ** int(power // 2), 0
        if generator[0] == "parity":
            return power % 2, Fraction(1), 0
        if generator[0] == "prime":
            return power - floor(power), prime_power(generator[1], floor(power)), 0
        if generator == ("exp", HALF_TURN):
            whole = floor(power)
            return power - whole, Fraction(-1) ** whole, 0
        if generator[0] == "root":
            return (power - floor(power), Fraction(1), floor(power)) if power >= 1 else (power, Fraction(1), 0)
        if generator[0] == "Abs" and power > 1 and power.denominator == 1:
            return power % 2, Fraction(1), int(power // 2)
    return power, Fraction(1), 0


HALF_TURN: Monomial = frozenset({(IMAGINARY, Fraction(1)), (PI, Fraction(1))})


def prime_power(prime: int, power: int) -> Fraction:
    """A whole power of a prime. Raises NoNormalForm where it is too long."""
    if abs(power) * prime.bit_length() > MAX_BITS:
        raise NoNormalForm("a number is too long")
    return Fraction(prime) ** power


def is_free(generator: Any) -> bool:
    """Whether powers of a generator have no relation among themselves."""
    if not isinstance(generator, tuple):
        return True
    return generator[0] not in ("i", "parity", "prime", "root", "Abs") and generator != ("exp", HALF_TURN)


def is_positive(generator: Any) -> bool:
    """Whether a generator is positive for certain."""
    if not isinstance(generator, tuple):
        return bool(generator.is_positive)
    if generator[0] in ("exp", "raised"):
        return not any(has_i(g) for g, _ in generator[-1])
    return generator[0] in ("prime", "pi")


def has_i(generator: Any) -> bool:
    """Whether the imaginary unit occurs in a key."""
    if generator == IMAGINARY:
        return True
    if isinstance(generator, tuple | frozenset):
        return any(has_i(part) for part in generator)
    return False


def is_nonnegative(generator: Any) -> bool:
    """Whether a generator is >= 0 for certain, wherever it has a value."""
    if not isinstance(generator, tuple):
        return bool(generator.is_nonnegative)
    return is_positive(generator) or generator[0] in ("Abs", "root")


def is_positive_sum(terms: Terms) -> bool:
    """Whether a sum is positive because all its terms are."""
    return all(v > 0 and all(is_positive(g) for g, _ in m) for m, v in terms.items())


def is_one_base(doubtful: list[tuple[Any, Fraction]]) -> bool:
    """Whether the only generator that may be negative stands there alone, so that its root is taken of itself."""
    return len(doubtful) == 1 and doubtful[0][1] == 1 and not has_i(doubtful[0][0])


def is_integral(monomial: Monomial, q: Fraction) -> bool:
    """Whether a term is an integer: a whole number times whole powers of integer symbols."""
    return q.denominator == 1 and all(
        not isinstance(g, tuple) and bool(g.is_integer) and p > 0 and p.denominator == 1 for g, p in monomial
    )


def split_content(terms: Terms) -> tuple[Monomial, Fraction, Terms | None]:
    """(monomial, value, rest) with terms = value * monomial * rest; rest is None for a single term."""
    if len(terms) == 1:
        ((monomial, value),) = terms.items()
        return monomial, value, None
    shared: dict[Any, Fraction] | None = None
    for monomial in terms:
        powers = {g: p for g, p in monomial if is_free(g)}
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
    leader = rest[min(rest, key=lambda m: sorted(map(name, m)))]
    return frozenset(content.items()), leader, {m: v / leader for m, v in rest.items()}


def name(part: Any) -> str:
    """Text by which generators are ordered, the same in every process."""
    if isinstance(part, frozenset):
        return "{" + ",".join(sorted(map(name, part))) + "}"
    if isinstance(part, tuple):
        return "(" + ",".join(map(name, part)) + ")"
    return str(part)


def primes(value: Fraction) -> dict[int, int]:
    """Exponents of the prime factors of a positive fraction; what is too large to factor counts as prime."""
    found: dict[int, int] = {}
    for number, sign in ((value.numerator, 1), (value.denominator, -1)):
        for p in SMALL_PRIMES:
            while number % p == 0:
                number //= p
                found[p] = found.get(p, 0) + sign
        if number > 1:
            found[number] = found.get(number, 0) + sign
    return {p: n for p, n in found.items() if n}


SMALL_PRIMES = [p for p in range(2, 1000) if all(p % d for d in range(2, int(p**0.5) + 1))]


class Quotient:
    """`over` divided by the product of `under`: {frozen sum: its power}."""

    def __init__(self, over: Terms, under: Mapping[frozenset, int] | None = None) -> None:
        self.over, self.under = over, dict(under or {})

    @property
    def key(self) -> tuple:
        """What equal quotients have in common."""
        return frozenset(self.over.items()), frozenset(self.under.items())


class Arithmetic:
    """Sums, products and inverses of quotients; `work` bounds the multiplications."""

    def __init__(self) -> None:
        self.meaning: dict[Any, Terms] = {}  # of whole powers of a root, and of squares of an absolute value
        self.work = 0

    def add(self, *parts: Quotient) -> Quotient:
        """The sum, over the least common denominator."""
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
                increase(total, monomial, value)
        return Quotient(total, under)

    def multiply(self, *parts: Quotient) -> Quotient:
        """The product; common factors stay."""
        over, under = constant(Fraction(1)), {}
        for part in parts:
            over = self.times(over, part.over)
            for factor, power in part.under.items():
                under[factor] = under.get(factor, 0) + power
        return Quotient(over, under)

    def scale(self, part: Quotient, by: Fraction) -> Quotient:
        """The product with a number."""
        return self.multiply(part, Quotient(constant(by)))

    def times(self, a: Terms, b: Terms) -> Terms:
        """Product of two sums."""
        self.work += len(a) * len(b)
        if self.work > MAX_WORK:
            raise NoNormalForm("too many terms")
        total: Terms = {}
        for m, p in a.items():
            for n, q in b.items():
                for monomial, value in self._joined(m, n).items():
                    increase(total, monomial, value * p * q)
        if len(total) > MAX_TERMS:
            raise NoNormalForm("too many terms")
        return total

    def _joined(self, m: Monomial, n: Monomial) -> Terms:
        """Product of two monomials, with the relations among generators applied."""
        powers = dict(m)
        again: list[tuple[Any, int]] = []
        value = Fraction(1)
        for generator, power in n:
            power += powers.pop(generator, Fraction(0))
            kept, factor, expanded = related(generator, power)
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
            if (value.numerator.bit_length() + value.denominator.bit_length()) * count > MAX_BITS:
                raise NoNormalForm("a number is too long")
            if all(is_free(g) for g, _ in monomial):
                return {frozenset((g, p * count) for g, p in monomial): value**count}
        if count > 200:
            raise NoNormalForm("too high a power")
        result = constant(Fraction(1))
        for _ in range(count):
            result = self.times(result, terms)
        return result

    def invert(self, part: Quotient) -> Quotient:
        """1 / part; single terms stay in the sum, as negative powers."""
        if not part.over:
            raise NoNormalForm("division by zero")
        over = constant(Fraction(1))
        for factor, power in part.under.items():
            over = self.times(over, self._raised(dict(factor), power))
        content, value, rest = split_content(part.over)
        over = self.times(over, constant(1 / value))
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
        rest = Quotient(self.times(constant(Fraction(1)), single(generator, power - step * whole)))
        if not whole:
            return rest
        return self.multiply(rest, self.whole_power(self.invert(Quotient(self.meaning[generator])), -whole))

    def whole_power(self, base: Quotient, n: int) -> Quotient:
        """A power with a whole exponent >= 0."""
        return Quotient(self._raised(base.over, n), {factor: power * n for factor, power in base.under.items()})
