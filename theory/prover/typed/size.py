"""How large the numbers of a formula may become when somebody simplifies it.

sympy computes every digit of a rational number raised to a whole power as soon as it rebuilds an expression, and no
timer stops one such multiplication. `2^(10^12)` is easily seen. It may also hide: `((2*x)^9999)^9999`, `exp(10^12*
log(2))`. `bits` is an upper bound, made without computing any of it, on the digits that simplification can bring out.
"""

from __future__ import annotations

import math

import sympy as sp
from flint import arb

from theory.prover.expressions.points import evaluate
from theory.prover.expressions.values import Undecided, UndefinedValue

MAX_BITS = 13_000
"""Binary digits of a number."""
MAX_EXPONENT = 10_000
"""Of an exponent that is a number: its size, and its denominator."""


class TooLarge(ValueError):
    """A number that is too large to be worked with; the message is a rule and what was got."""


def whole_power(base: sp.Rational, exponent: sp.Integer) -> sp.Rational:
    """A whole power of a rational number.

    Raises:
        TooLarge: the exponent or the result is.
    """
    _require_exponent(exponent)
    if base in (-1, 0, 1):
        return base**exponent
    _require_bits(_bits_of(base) * abs(int(exponent)))
    return base**exponent


def require_small(expression: sp.Expr) -> None:
    """Raise TooLarge where simplifying the expression could write out a number that is too large."""
    _require_bits(_Sizes().bits(expression))


def _require_bits(bits: float) -> None:
    if not bits <= MAX_BITS:
        raise TooLarge(f"must have numbers of at most {MAX_BITS} bits, got a power that could be larger")


def _require_exponent(exponent: sp.Rational) -> None:
    if abs(exponent) > MAX_EXPONENT or exponent.q > MAX_EXPONENT:
        raise TooLarge(f"must have exponents of at most {MAX_EXPONENT}, got a larger one")


def _bits_of(value: sp.Rational) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())


class _Sizes:
    """Bounds of all subterms, each computed once."""

    def __init__(self) -> None:
        self.known: dict[sp.Basic, float] = {}

    def bits(self, e: sp.Expr) -> float:
        """Binary digits of the largest number that can come out of an expression."""
        if e not in self.known:
            self.known[e] = self._bits(e)
        return self.known[e]

    def _bits(self, e: sp.Expr) -> float:
        if e.is_Rational:
            return max(1, _bits_of(e))
        if not e.args:
            return 1
        parts = [self.bits(part) for part in e.args]
        if e.is_Add:
            return max(parts) + len(parts).bit_length()
        if e.is_Mul:
            return sum(parts)
        if isinstance(e, sp.exp):
            return self._unlogged(e.exp) if e.exp.has(sp.log) else max(parts)
        if e.is_Pow:
            return self.bits(e.base) * self._times(e.exp)
        return max(parts)

    def _times(self, exponent: sp.Expr) -> float:
        """How often an exponent may repeat the digits of its base."""
        if exponent.is_Rational:
            _require_exponent(exponent)
            return max(1.0, abs(float(exponent)))
        if not exponent.free_symbols:
            return max(1.0, _magnitude(exponent))
        return max(1.0, self._unlogged(exponent))

    def _unlogged(self, e: sp.Expr) -> float:
        """Digits of exp(e): n*log(q) in an exponent becomes q^n."""
        if e.is_Rational:
            return max(1.0, abs(float(e)) if _bits_of(e) < 1000 else math.inf)
        if isinstance(e, sp.log):
            return self.bits(e.args[0])
        if e.is_Add:
            return sum(map(self._unlogged, e.args))
        if e.is_Mul:
            return math.prod(map(self._unlogged, e.args))
        if e.is_Pow and e.exp.is_Rational:
            return self._unlogged(e.base) ** min(abs(float(e.exp)), 100.0)
        return 1.0


def _magnitude(constant: sp.Expr) -> float:
    """The size of a number that has no short exact form; 1 where it has no value, which others find out."""
    try:
        value = evaluate(constant, {})
    except UndefinedValue:
        return 1.0
    except Undecided:
        raise TooLarge("must have exponents whose size can be told, got a number that is no rational") from None
    largest = abs(value)
    if not largest <= MAX_EXPONENT:
        raise TooLarge(f"must have exponents of at most {MAX_EXPONENT}, got a larger one")
    return float(largest.abs_upper()) if isinstance(largest, arb) else float(largest)
