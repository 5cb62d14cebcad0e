"""Terms and factors of canonical forms, as the lowering of `theory.checker.lowering` takes them apart."""

from __future__ import annotations

import math

from flint import fmpq, fmpz

from theory.checker.limits import BITS, require
from theory.checker.nodes import MINUS_ONE, ONE, Node, is_nonnegative, mul, number, split

_FACTOR_BITS = 64


def terms_of(e: Node) -> list[Node]:
    """The terms of a canonical form; a numerator is taken apart over its denominator."""
    if e.kind == "add":
        return list(e.args)
    sums = [a for a in e.args if a.kind == "add"] if e.kind == "mul" else []
    if len(sums) != 1:
        return [e]
    rest = [number(e.data), *[a for a in e.args if a is not sums[0]]]
    return [mul(*rest, term) for term in sums[0].args]


def primitive(e: Node) -> tuple[Node, Node]:
    """A sum as a positive number times one whose coefficients are whole and have no common factor."""
    if e.kind != "add":
        return ONE, e
    factors = [a.data if a.kind == "number" else split(a)[0] for a in e.args]
    require(sum(f.q.bit_length() for f in set(factors)) <= 4 * BITS, "denominators have too many digits")
    content = fmpq(math.gcd(*[int(f.p) for f in factors]), math.lcm(*[int(f.q) for f in factors]))
    return number(content), mul(number(1 / content), e)


def separable(e: Node) -> list[Node]:
    """Factors of a form: those that are not negative by themselves, and what is left in one."""
    if e.kind != "mul":
        return [e]
    parts = [*([number(abs(e.data))] if abs(e.data) != 1 else []), *[a for a in e.args if is_nonnegative(a)]]
    rest = [*([MINUS_ONE] if e.data < 0 else []), *[a for a in e.args if not is_nonnegative(a)]]
    return [*parts, mul(*rest)] if rest else parts


def primes(e: Node) -> list[tuple[Node, fmpq]]:
    """A positive number as powers of primes, or the form itself."""
    if e.kind != "number" or e.data <= 0 or max(e.data.p.bit_length(), e.data.q.bit_length()) > _FACTOR_BITS:
        return [(e, fmpq(1))]
    factors = [(p, n) for p, n in fmpz(e.data.p).factor()] + [(p, -n) for p, n in fmpz(e.data.q).factor()]
    return [(number(fmpq(p)), fmpq(n)) for p, n in factors]


def signed(x: Node) -> tuple[int, Node]:
    """(sign, form) with x = sign times form, the same form for x and -x."""
    other = mul(MINUS_ONE, x)
    return (1, x) if (hash(x), str(x)) <= (hash(other), str(other)) else (-1, other)
