"""Polynomials that know how large they are: python-flint's, each operation counted and bounded before it is begun.

An operation of python-flint cannot be stopped once it runs, so that a limit on the work of a replay holds only if each
single operation is short. What one costs is estimated from terms, symbols and binary digits; what is beyond the limits
below is refused as `NoForm`, and the rest is counted.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mpoly_ctx

from theory.checker.limits import BITS, InvalidRecord, tick

MAX_ATOMS = 1000
"""Symbols of one ring."""
MAX_TERMS = 100_000
MAX_DEGREE = 100_000
_OPERATION = 250_000
"""Steps that one operation may count; it then takes about a second."""
_GCD_TERMS, _GCD_DEGREE, _GCD_BITS, _GCD_DENSE = 3000, 400, 2000, 1_000_000
_FACTOR_TERMS, _FACTOR_DEGREE, _FACTOR_BITS = 60, 24, 2000
_SHORT = 600
"""Binary digits up to which a bound serves; above it the digits themselves are counted."""


class NoForm(InvalidRecord):
    """There is no rational form: a division by zero, or a form too large."""


class Sized(NamedTuple):
    """A polynomial over a common denominator, and a bound on the binary digits of either."""

    p: Any
    bits: int

    @property
    def is_zero(self) -> bool:
        """Whether it is the zero polynomial."""
        return bool(self.p == 0)


class Ring:
    """Polynomials in so many symbols."""

    def __init__(self, count: int) -> None:
        if count > MAX_ATOMS:
            raise NoForm("an expression has too many atoms")
        tick(count)
        self.context = fmpq_mpoly_ctx.get([f"g{place}" for place in range(count)] or ["g"], "lex")
        self.width = count
        self.zero, self.one = self.constant(fmpq(0)), self.constant(fmpq(1))

    def charge(self, terms: int, bits: int = 0) -> None:
        """Count an operation on so many terms, or pairs of them. Raises NoForm where it is too large for one."""
        cost = terms * (8 + self.width // 8 + bits // 16) // 128 + 1
        if cost > _OPERATION:
            raise NoForm("an operation has too many terms")
        tick(cost)

    def constant(self, value: fmpq) -> Sized:
        """A number."""
        return Sized(self.context.constant(value), value.p.bit_length() + value.q.bit_length())

    def generator(self, place: int, power: int = 1) -> Sized:
        """A power of a symbol."""
        if power > MAX_DEGREE:
            raise NoForm("degree too large")
        self.charge(1)
        return Sized(self.context.from_dict({tuple(power * (i == place) for i in range(self.width)): 1}), 1)

    def of(self, terms: dict[tuple[int, ...], fmpq], bits: int) -> Sized:
        """The polynomial of coefficients by exponents."""
        self.charge(16 * len(terms), bits)
        return Sized(self.context.from_dict(terms), bits)

    def terms(self, a: Sized) -> dict[tuple[int, ...], fmpq]:
        """Coefficients by exponents."""
        self.charge(16 * len(a.p), a.bits)
        return a.p.to_dict()

    def degrees(self, a: Sized) -> tuple[int, ...]:
        """The degree in each symbol."""
        self.charge(len(a.p))
        return a.p.degrees()

    def plus(self, a: Sized, b: Sized) -> Sized:
        """A sum."""
        bits = a.bits + b.bits + 1
        self.charge(len(a.p) + len(b.p), bits)
        return self._counted(a.p + b.p, bits)

    def minus(self, a: Sized) -> Sized:
        """The negative."""
        return Sized(-a.p, a.bits)

    def times(self, a: Sized, b: Sized) -> Sized:
        """A product."""
        pairs = len(a.p) * len(b.p)
        if a.p.total_degree() + b.p.total_degree() > MAX_DEGREE:
            raise NoForm("degree too large")
        self.charge(pairs, a.bits + b.bits)
        return self._counted(a.p * b.p, a.bits + b.bits + min(len(a.p), len(b.p)).bit_length())

    def raised(self, a: Sized, n: int) -> Sized:
        """A power with n >= 0."""
        count = len(a.p)
        if n == 1:
            return a
        if count > 1 and n > 1 and (count >= 50 or n >= 10_000 or math.comb(n + count - 1, n) >= MAX_TERMS):
            raise NoForm("a power has too many terms")
        a = self._measured(a.p, a.bits)
        if n * max(a.p.total_degree(), 1) > MAX_DEGREE or n * a.bits > 2 * BITS:
            raise NoForm("a power has too high a degree, or too many digits")
        bits = n * (a.bits + (count - 1).bit_length())
        self.charge(2 * math.comb(n + count - 1, n) if count else 1, bits)
        return self._counted(a.p**n, bits)

    def cancelled(self, top: Sized, bottom: Sized) -> tuple[Sized, Sized]:
        """Both without a common factor, where it is quickly found and not longer than they are."""
        count = len(top.p) + len(bottom.p)
        if bottom.p.is_constant() or top.p.is_constant() or count > _GCD_TERMS:
            return top, bottom
        bits, degree = max(top.bits, bottom.bits), max(top.p.total_degree(), bottom.p.total_degree())
        if degree > _GCD_DEGREE or bits > _GCD_BITS or self._dense(top, bottom, degree) > _GCD_DENSE:
            return top, bottom
        self.charge(16 * count, bits)
        common = top.p.gcd(bottom.p)
        if common.is_constant() or len(common) > count:
            return top, bottom
        return self._measured(top.p / common, bits), self._measured(bottom.p / common, bits)

    def _dense(self, top: Sized, bottom: Sized, degree: int) -> int:
        """About how many terms a quotient of the two may have: that of x^80 - 1 by x - 1 has 80, of five such 80^5.

        Degrees up to 3 are left out, as few terms become few more by them.
        """
        degrees = map(max, self.degrees(top), self.degrees(bottom))
        box = math.prod(int(d) for d in degrees if d > 3)
        return min(box, math.comb(self.width + degree, degree))

    def factors(self, a: Sized) -> tuple[fmpq, list[tuple[Any, int]]]:
        """A number and factors with leading coefficient 1 and their powers: irreducible ones, if quickly found."""
        p, lead = a.p, fmpq(1) if a.is_zero else a.p.leading_coefficient()
        self.charge(16 * len(p), a.bits)
        is_large = len(p) > _FACTOR_TERMS or p.total_degree() > _FACTOR_DEGREE or a.bits > _FACTOR_BITS
        if a.is_zero or is_large:
            return lead, [(p / lead, 1)]
        tick(len(p) * 50)
        constant, factors = p.factor()
        found = []
        for piece, n in factors:
            content = piece.leading_coefficient()
            found.append((piece / content, int(n)))
            constant *= content ** int(n)
        return constant, found

    def _counted(self, p: Any, bits: int) -> Sized:
        return Sized(p, bits) if bits <= _SHORT else self._measured(p, bits)

    def _measured(self, p: Any, bits: int) -> Sized:
        """A polynomial with the digits that it has, which are at most `bits` if those are a bound."""
        self.charge(4 * len(p), bits)
        longest, below = 0, 1
        for c in p.coeffs():
            longest = max(longest, c.p.bit_length())
            if below % c.q != 0:
                below = math.lcm(below, int(c.q))
        if max(longest, below.bit_length()) > BITS:
            raise NoForm("a coefficient has too many digits")
        return Sized(p, max(longest + below.bit_length() - 1, 1))
