"""Values of sums, powers and functions at one point: exact fractions where there are some, balls of Arb otherwise.

Each function takes the subterm that it evaluates, to name it, and the values of the arguments. `UndefinedValue` says
that there is no real value, `Undecided` that the balls do not tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import flint
import sympy as sp
from flint import arb, fmpq

Value = Fraction | arb

_MAX_BITS = 100_000
"""Exact powers and factorials longer than this are balls instead."""


class UndefinedValue(ArithmeticError):
    """A subterm has no real value at the point; `subterm` is the innermost one."""

    def __init__(self, subterm: sp.Basic) -> None:
        super().__init__(f"{subterm} has no real value")
        self.subterm = subterm


class Undecided(ArithmeticError):
    """Balls do not tell whether a subterm has a value, or which one."""


def as_ball(value: Value) -> arb:
    """The value as a ball."""
    return arb(fmpq(value.numerator, value.denominator)) if isinstance(value, Fraction) else value


def checked(e: sp.Basic, value: Value) -> Value:
    """The value, unless it is a ball that says nothing."""
    if isinstance(value, arb) and not value.is_finite():
        raise Undecided(f"{e} is too large or too close to a pole")
    return value


def certain_sign(value: Value) -> int | None:
    """The certain sign of a value, or None."""
    if value > 0:
        return 1
    if value < 0:
        return -1
    return 0 if value == 0 else None


def total(values: list[Value]) -> Value:
    """The sum of some values."""
    exact = sum((v for v in values if isinstance(v, Fraction)), Fraction(0))
    balls = [v for v in values if not isinstance(v, Fraction)]
    return sum(balls, as_ball(exact)) if balls else exact


def product(values: list[Value]) -> Value:
    """Their product; an exact zero makes it zero."""
    exact = math.prod((v for v in values if isinstance(v, Fraction)), start=Fraction(1))
    balls = [v for v in values if not isinstance(v, Fraction)]
    return math.prod(balls, start=as_ball(exact)) if balls and exact else exact


def exponential(e: sp.Basic, x: Value) -> Value:
    """exp at a value."""
    return Fraction(1) if x == 0 and isinstance(x, Fraction) else checked(e, as_ball(x).exp())


def power(e: sp.Basic, base: Value, exponent: Value) -> Value:
    """A power, of a base and an exponent that have values."""
    found, is_exact = certain_sign(base), isinstance(exponent, Fraction)
    if is_exact and exponent.denominator == 1:
        return _integer_power(e, base, int(exponent))
    if found is None:
        raise Undecided(f"the sign of {e.args[0]} is open")
    if found < 0:
        if is_exact or not exponent.contains_integer():
            raise UndefinedValue(e)
        raise Undecided(f"the exponent of {e} may be an integer")
    if found == 0:
        rising = certain_sign(exponent)
        if rising is None:
            raise Undecided(f"the sign of {e.args[1]} is open")
        if rising < 0:
            raise UndefinedValue(e)
        return Fraction(rising == 0)
    if is_exact and isinstance(base, Fraction):
        root = _exact_root(base, exponent.denominator)
        if root is not None:
            return _integer_power(e, root, exponent.numerator)
    return checked(e, as_ball(base) ** as_ball(exponent))


def _integer_power(e: sp.Basic, base: Value, n: int) -> Value:
    if n < 0 and base == 0 and isinstance(base, Fraction):
        raise UndefinedValue(e)
    if isinstance(base, Fraction):
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base in (0, 1) or size * abs(n) <= _MAX_BITS:
            return base**n
        return checked(e, as_ball(base) ** n)
    if n == 0:
        return Fraction(1)
    if n < 0 and base.contains(0):
        raise Undecided(f"{e.args[0]} may be zero")
    return checked(e, base**n)


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational root of a positive fraction, if there is one."""
    if degree > 64:
        return Fraction(1) if value == 1 else None
    roots = [flint.fmpz(part).root(degree) for part in (value.numerator, value.denominator)]
    root = Fraction(int(roots[0]), int(roots[1]))
    return root if root**degree == value else None


def trigonometric(e: sp.Basic, x: Value, turns: Fraction | None) -> Value:
    """A trigonometric function, exact at multiples of a right angle."""
    quarter = None if turns is None or (2 * turns).denominator != 1 else int(2 * turns) % 4
    if quarter is not None:
        sine, cosine = ((0, 1), (1, 0), (0, -1), (-1, 0))[quarter]
        sine, cosine = Fraction(sine), Fraction(cosine)
    else:
        sine, cosine = as_ball(x).sin(), as_ball(x).cos()
    kinds: dict[type, tuple[Value, Value]] = {
        sp.sin: (sine, Fraction(1)),
        sp.cos: (cosine, Fraction(1)),
        sp.tan: (sine, cosine),
        sp.cot: (cosine, sine),
        sp.sec: (Fraction(1), cosine),
        sp.csc: (Fraction(1), sine),
    }
    over, under = kinds[e.func]
    if isinstance(under, Fraction):
        if under == 0:
            raise UndefinedValue(e)
        return over / under if isinstance(over, Fraction) else over / as_ball(under)
    if under.contains(0):
        raise Undecided(f"{e} may have a pole")
    return as_ball(over) / under


def _require_above(e: sp.Basic, value: Value, least: int, *, strict: bool) -> None:
    """Raise unless value > least (or >=)."""
    gap = certain_sign(value - least)
    if gap is None:
        raise Undecided(f"{e} is too close to the end of its domain")
    if gap < 0 or (strict and gap == 0):
        raise UndefinedValue(e)


def _log(e: sp.Basic, x: Value) -> Value:
    _require_above(e, x, 0, strict=True)
    return Fraction(0) if x == 1 and isinstance(x, Fraction) else as_ball(x).log()


def _arc(e: sp.Basic, x: Value) -> Value:
    for side in (x, -x):
        _require_above(e, side, -1, strict=False)
    if isinstance(e, sp.asin):
        return Fraction(0) if x == 0 else as_ball(x).asin()
    return Fraction(0) if x == 1 else as_ball(x).acos()


def _atanh(e: sp.Basic, x: Value) -> Value:
    for side in (x, -x):
        _require_above(e, side, -1, strict=True)
    return Fraction(0) if x == 0 else as_ball(x).atanh()


def _acosh(e: sp.Basic, x: Value) -> Value:
    _require_above(e, x, 1, strict=False)
    return Fraction(0) if x == 1 else as_ball(x).acosh()


def _odd(method: str) -> Callable[[sp.Basic, Value], Value]:
    """A function defined everywhere that is zero at zero, by its Arb method."""
    return lambda e, x: x if x == 0 and isinstance(x, Fraction) else getattr(as_ball(x), method)()


def _even(method: str) -> Callable[[sp.Basic, Value], Value]:
    """A function defined everywhere that is one at zero."""
    return lambda e, x: Fraction(1) if x == 0 and isinstance(x, Fraction) else getattr(as_ball(x), method)()


def _over_hyperbolic(e: sp.Basic, x: Value) -> Value:
    """coth and csch, which have a pole at zero, and sech."""
    if isinstance(e, sp.sech):
        return 1 / as_ball(x).cosh()
    if certain_sign(x) is None:
        raise Undecided(f"{e} may have a pole")
    if x == 0:
        raise UndefinedValue(e)
    return as_ball(x).coth() if isinstance(e, sp.coth) else 1 / as_ball(x).sinh()


def _gamma(e: sp.Basic, x: Value) -> Value:
    """gamma(x), and x! as gamma(x + 1)."""
    x = x + 1 if isinstance(e, sp.factorial) else x
    if isinstance(x, Fraction) and x.denominator == 1:
        if x <= 0:
            raise UndefinedValue(e)
        if x <= 1000:
            return Fraction(math.factorial(int(x) - 1))
    return as_ball(x).gamma()


def _loggamma(e: sp.Basic, x: Value) -> Value:
    _require_above(e, x, 0, strict=True)
    return as_ball(x).lgamma()


def _binomial(e: sp.Basic, n: Value, k: Value) -> Value:
    if not (isinstance(n, Fraction) and isinstance(k, Fraction) and k.denominator == 1 and k <= 1000):
        raise Undecided(f"{e} is evaluated at integers only")
    return math.prod(((n - j) / (j + 1) for j in range(int(k))), start=Fraction(1)) if k >= 0 else Fraction(0)


def _zeta(e: sp.Basic, s: Value) -> Value:
    if s == 1 and isinstance(s, Fraction):
        raise UndefinedValue(e)
    return as_ball(s).zeta()


def _floor(e: sp.Basic, x: Value) -> Value:
    step = math.floor if isinstance(e, sp.floor) else math.ceil
    if isinstance(x, Fraction):
        return Fraction(step(x))
    whole = (x.floor() if isinstance(e, sp.floor) else x.ceil()).unique_fmpz()
    if whole is None:
        raise Undecided(f"{e} may jump here")
    return Fraction(int(whole))


def _modulo(e: sp.Basic, x: Value, m: Value) -> Value:
    """x - m floor(x/m), of the sign of m; frac is the same for m = 1."""
    found = certain_sign(m)
    if found is None:
        raise Undecided(f"the sign of {e.args[-1]} is open")
    if found == 0:
        raise UndefinedValue(e)
    is_exact = isinstance(x, Fraction) and isinstance(m, Fraction)
    ratio = x / m if is_exact else as_ball(x) / as_ball(m)
    return total([x, product([Fraction(-1), m, _floor(sp.floor(e.args[0], evaluate=False), ratio)])])


def _largest(e: sp.Basic, *values: Value) -> Value:
    is_max = isinstance(e, sp.Max)
    ends = [as_ball(v) for v in values]
    for value, end in zip(values, ends, strict=True):
        if all(other is end or (end >= other if is_max else end <= other) for other in ends):
            return value
    low = (max if is_max else min)(b.lower() for b in ends)
    return low.union((max if is_max else min)(b.upper() for b in ends))


def _signum(e: sp.Basic, x: Value, *at_zero: Value) -> Value:
    found = certain_sign(x)
    if found is None:
        raise Undecided(f"{e} may jump here")
    if isinstance(e, sp.sign):
        return Fraction(found)
    return at_zero[0] if found == 0 else Fraction(found > 0)


def _golden_ratio() -> Value:
    return (1 + arb(5).sqrt()) / 2


CONSTANTS: dict[sp.Basic, Callable[[], Value]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
    sp.GoldenRatio: _golden_ratio,
}

FUNCTIONS: dict[type, Callable[..., Value]] = {
    sp.log: _log,
    sp.asin: _arc,
    sp.acos: _arc,
    sp.atanh: _atanh,
    sp.acosh: _acosh,
    **{kind: _odd(kind.__name__) for kind in (sp.atan, sp.sinh, sp.tanh, sp.asinh, sp.erf, sp.erfi)},
    **{kind: _even(kind.__name__) for kind in (sp.cosh, sp.erfc)},
    **dict.fromkeys((sp.coth, sp.csch, sp.sech), _over_hyperbolic),
    **dict.fromkeys((sp.gamma, sp.factorial), _gamma),
    sp.loggamma: _loggamma,
    sp.binomial: _binomial,
    sp.zeta: _zeta,
    **dict.fromkeys((sp.floor, sp.ceiling), _floor),
    sp.Mod: _modulo,
    sp.frac: lambda e, x: _modulo(e, x, Fraction(1)),
    **dict.fromkeys((sp.Max, sp.Min), _largest),
    sp.Abs: lambda e, x: abs(x),
    **dict.fromkeys((sp.sign, sp.Heaviside), _signum),
}
