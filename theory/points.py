"""The value of an expression at one exact point, found by walking its tree.

`subs` puts numbers into sympy's constructors, which do arithmetic of their own: at x = 0, 1/(1 + 1/x) becomes
1/(1 + zoo) and then 0. Here every subterm gets a value first: an exact fraction if there is one, else a ball of Arb.
A subterm without a real value ends the walk with `Undefined`, which names it; a question that the balls leave open
(is this denominator zero?) ends it with `Undecided`. Nothing else comes out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import flint
import sympy as sp
from flint import arb, fmpq

from theory.normal import is_zero

Value = Fraction | arb
Point = Mapping[sp.Symbol, sp.Rational]

_PRECISIONS = (128, 1024, 4096)
_MOST_BITS = 100_000
"""Exact powers and factorials longer than this are balls instead."""


class Undefined(ArithmeticError):
    """A subterm has no real value at the point; `subterm` is the innermost one."""

    def __init__(self, subterm: sp.Basic) -> None:
        super().__init__(f"{subterm} has no real value")
        self.subterm = subterm


class Undecided(ArithmeticError):
    """Balls do not tell whether a subterm has a value, or which one."""


def evaluate(expression: sp.Expr, point: Point, *, bits: int = 128) -> Value:
    """The value at a point that gives every symbol a rational number.

    Raises:
        Undefined: a subterm has no real value there.
        Undecided: not to be told at this precision, or a function that is not known here.
    """
    with flint.ctx.workprec(bits):
        return _Walk(point).value(expression)


def sign(left: sp.Expr, right: sp.Expr, point: Point) -> int | None:
    """-1, 0 or 1 as left is less than, equal to or greater than right; None where that stays open.

    Raises:
        Undefined: a subterm of either side has no real value at the point.
    """
    for bits in _PRECISIONS:
        try:
            with flint.ctx.workprec(bits):
                walk = _Walk(point)
                gap = _sum([walk.value(left), -walk.value(right)])
        except Undecided:
            continue
        found = _sign(gap)
        if found is not None:
            return found
        if bits == _PRECISIONS[0] and is_zero(sp.Add(left, sp.Mul(-1, right, evaluate=False), evaluate=False), point):
            return 0
    return None


def displayed(left: sp.Expr, right: sp.Expr, point: Point) -> sp.Expr:
    """left - right at a point as a number for readers: exact if rational, otherwise to some twenty digits."""
    for bits in _PRECISIONS:
        try:
            with flint.ctx.workprec(bits):
                walk = _Walk(point)
                gap = _sum([walk.value(left), -walk.value(right)])
                if isinstance(gap, Fraction):
                    return sp.Rational(gap.numerator, gap.denominator)
                if gap.rel_accuracy_bits() > 66 or bits == _PRECISIONS[-1]:
                    return _as_float(gap)
        except Undecided:
            continue
    return sp.S.Zero


def _as_float(ball: arb) -> sp.Expr:
    mantissa, _, exponent = ball.mid().str(20, radius=False).partition("e")
    if exponent and abs(int(exponent)) > 4000:  # sympy would write out all digits
        return sp.Mul(sp.Float(mantissa, 20), sp.Pow(10, int(exponent), evaluate=False), evaluate=False)
    return sp.Float(f"{mantissa}e{exponent or 0}", 20)


class _Walk:
    """Values of all subterms at one point, each computed once."""

    def __init__(self, point: Point) -> None:
        self.known: dict[sp.Basic, Value] = {s: Fraction(int(v.p), int(v.q)) for s, v in point.items()}

    def value(self, e: sp.Basic) -> Value:
        if e not in self.known:
            self.known[e] = self._compute(e)
        return self.known[e]

    def _compute(self, e: sp.Basic) -> Value:
        if e.is_Rational:
            return Fraction(int(e.p), int(e.q))
        if e in _CONSTANTS:
            return _CONSTANTS[e]()
        if e in (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
            raise Undefined(e)
        if not e.args:
            raise Undecided(f"{e} has no value")
        arguments = [self.value(part) for part in e.args]
        if e.is_Add:
            return _sum(arguments)
        if e.is_Mul:
            return _product(arguments)
        if isinstance(e, sp.exp):
            return _exp(e, arguments[0])
        if e.is_Pow:
            return _power(e, *arguments)
        if isinstance(e, sp.sin | sp.cos | sp.tan | sp.cot | sp.sec | sp.csc):
            return _trigonometric(e, arguments[0], self._turns(e.args[0]))
        if e.func not in _FUNCTIONS:
            raise Undecided(f"no value of {e.func} is known")
        return _checked(e, _FUNCTIONS[e.func](e, *arguments))

    def _turns(self, e: sp.Basic) -> Fraction | None:
        """The exact multiple of pi that an expression is, or None."""
        if e == sp.pi:
            return Fraction(1)
        if e.is_Add:
            parts = [self._turns(part) for part in e.args]
            return None if None in parts else sum(parts, Fraction(0))
        if e.is_Mul and e.args.count(sp.pi) == 1:
            rest = _product([self.value(part) for part in e.args if part != sp.pi])
            return rest if isinstance(rest, Fraction) else None
        return Fraction(0) if self.value(e) == 0 and isinstance(self.value(e), Fraction) else None


def _ball(value: Value) -> arb:
    return arb(fmpq(value.numerator, value.denominator)) if isinstance(value, Fraction) else value


def _checked(e: sp.Basic, value: Value) -> Value:
    """The value, unless it is a ball that says nothing."""
    if isinstance(value, arb) and not value.is_finite():
        raise Undecided(f"{e} is too large or too close to a pole")
    return value


def _sign(value: Value) -> int | None:
    """The certain sign of a value, or None."""
    if value > 0:
        return 1
    if value < 0:
        return -1
    return 0 if value == 0 else None


def _sum(values: list[Value]) -> Value:
    exact = sum((v for v in values if isinstance(v, Fraction)), Fraction(0))
    balls = [v for v in values if not isinstance(v, Fraction)]
    return sum(balls, _ball(exact)) if balls else exact


def _product(values: list[Value]) -> Value:
    exact = math.prod((v for v in values if isinstance(v, Fraction)), start=Fraction(1))
    balls = [v for v in values if not isinstance(v, Fraction)]
    return math.prod(balls, start=_ball(exact)) if balls and exact else exact


def _exp(e: sp.Basic, x: Value) -> Value:
    return Fraction(1) if x == 0 and isinstance(x, Fraction) else _checked(e, _ball(x).exp())


def _power(e: sp.Basic, base: Value, exponent: Value) -> Value:
    found, is_exact = _sign(base), isinstance(exponent, Fraction)
    if is_exact and exponent.denominator == 1:
        return _integer_power(e, base, int(exponent))
    if found is None:
        raise Undecided(f"the sign of {e.args[0]} is open")
    if found < 0:
        if is_exact or not exponent.contains_integer():
            raise Undefined(e)
        raise Undecided(f"the exponent of {e} may be an integer")
    if found == 0:
        rising = _sign(exponent)
        if rising is None:
            raise Undecided(f"the sign of {e.args[1]} is open")
        if rising < 0:
            raise Undefined(e)
        return Fraction(rising == 0)
    if is_exact and isinstance(base, Fraction):
        root = _exact_root(base, exponent.denominator)
        if root is not None:
            return _integer_power(e, root, exponent.numerator)
    return _checked(e, _ball(base) ** _ball(exponent))


def _integer_power(e: sp.Basic, base: Value, n: int) -> Value:
    if n < 0 and base == 0 and isinstance(base, Fraction):
        raise Undefined(e)
    if isinstance(base, Fraction):
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base in (0, 1) or size * abs(n) <= _MOST_BITS:
            return base**n
        return _checked(e, _ball(base) ** n)
    if n == 0:
        return Fraction(1)
    if n < 0 and base.contains(0):
        raise Undecided(f"{e.args[0]} may be zero")
    return _checked(e, base**n)


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational root of a positive fraction, if there is one."""
    if degree > 64:
        return Fraction(1) if value == 1 else None
    roots = [flint.fmpz(part).root(degree) for part in (value.numerator, value.denominator)]
    root = Fraction(int(roots[0]), int(roots[1]))
    return root if root**degree == value else None


def _trigonometric(e: sp.Basic, x: Value, turns: Fraction | None) -> Value:
    """A trigonometric function, exact at multiples of a right angle."""
    quarter = None if turns is None or (2 * turns).denominator != 1 else int(2 * turns) % 4
    if quarter is not None:
        sine, cosine = ((0, 1), (1, 0), (0, -1), (-1, 0))[quarter]
        sine, cosine = Fraction(sine), Fraction(cosine)
    else:
        sine, cosine = _ball(x).sin(), _ball(x).cos()
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
            raise Undefined(e)
        return over / under if isinstance(over, Fraction) else over / _ball(under)
    if under.contains(0):
        raise Undecided(f"{e} may have a pole")
    return _ball(over) / under


def _require_above(e: sp.Basic, value: Value, least: int, *, strict: bool) -> None:
    """Raise unless value > least (or >=)."""
    gap = _sign(value - least)
    if gap is None:
        raise Undecided(f"{e} is too close to the end of its domain")
    if gap < 0 or (strict and gap == 0):
        raise Undefined(e)


def _log(e: sp.Basic, x: Value) -> Value:
    _require_above(e, x, 0, strict=True)
    return Fraction(0) if x == 1 and isinstance(x, Fraction) else _ball(x).log()


def _arc(e: sp.Basic, x: Value) -> Value:
    for side in (x, -x):
        _require_above(e, side, -1, strict=False)
    if isinstance(e, sp.asin):
        return Fraction(0) if x == 0 else _ball(x).asin()
    return Fraction(0) if x == 1 else _ball(x).acos()


def _atanh(e: sp.Basic, x: Value) -> Value:
    for side in (x, -x):
        _require_above(e, side, -1, strict=True)
    return Fraction(0) if x == 0 else _ball(x).atanh()


def _acosh(e: sp.Basic, x: Value) -> Value:
    _require_above(e, x, 1, strict=False)
    return Fraction(0) if x == 1 else _ball(x).acosh()


def _odd(method: str) -> Callable[[sp.Basic, Value], Value]:
    """A function defined everywhere that is zero at zero, by its Arb method."""
    return lambda e, x: x if x == 0 and isinstance(x, Fraction) else getattr(_ball(x), method)()


def _even(method: str) -> Callable[[sp.Basic, Value], Value]:
    """A function defined everywhere that is one at zero."""
    return lambda e, x: Fraction(1) if x == 0 and isinstance(x, Fraction) else getattr(_ball(x), method)()


def _over_hyperbolic(e: sp.Basic, x: Value) -> Value:
    """coth and csch, which have a pole at zero, and sech."""
    if isinstance(e, sp.sech):
        return 1 / _ball(x).cosh()
    if _sign(x) is None:
        raise Undecided(f"{e} may have a pole")
    if x == 0:
        raise Undefined(e)
    return _ball(x).coth() if isinstance(e, sp.coth) else 1 / _ball(x).sinh()


def _gamma(e: sp.Basic, x: Value) -> Value:
    """gamma(x), and x! as gamma(x + 1)."""
    x = x + 1 if isinstance(e, sp.factorial) else x
    if isinstance(x, Fraction) and x.denominator == 1:
        if x <= 0:
            raise Undefined(e)
        if x <= 1000:
            return Fraction(math.factorial(int(x) - 1))
    return _ball(x).gamma()


def _loggamma(e: sp.Basic, x: Value) -> Value:
    _require_above(e, x, 0, strict=True)
    return _ball(x).lgamma()


def _binomial(e: sp.Basic, n: Value, k: Value) -> Value:
    if not (isinstance(n, Fraction) and isinstance(k, Fraction) and k.denominator == 1 and k <= 1000):
        raise Undecided(f"{e} is evaluated at integers only")
    return math.prod(((n - j) / (j + 1) for j in range(int(k))), start=Fraction(1)) if k >= 0 else Fraction(0)


def _zeta(e: sp.Basic, s: Value) -> Value:
    if s == 1 and isinstance(s, Fraction):
        raise Undefined(e)
    return _ball(s).zeta()


def _floor(e: sp.Basic, x: Value) -> Value:
    step = math.floor if isinstance(e, sp.floor) else math.ceil
    if isinstance(x, Fraction):
        return Fraction(step(x))
    whole = (x.floor() if isinstance(e, sp.floor) else x.ceil()).unique_fmpz()
    if whole is None:
        raise Undecided(f"{e} may jump here")
    return Fraction(int(whole))


def _largest(e: sp.Basic, *values: Value) -> Value:
    is_max = isinstance(e, sp.Max)
    ends = [_ball(v) for v in values]
    for value, end in zip(values, ends, strict=True):
        if all(other is end or (end >= other if is_max else end <= other) for other in ends):
            return value
    low = (max if is_max else min)(b.lower() for b in ends)
    return low.union((max if is_max else min)(b.upper() for b in ends))


def _signum(e: sp.Basic, x: Value, *at_zero: Value) -> Value:
    found = _sign(x)
    if found is None:
        raise Undecided(f"{e} may jump here")
    if isinstance(e, sp.sign):
        return Fraction(found)
    return at_zero[0] if found == 0 else Fraction(found > 0)


def _golden_ratio() -> Value:
    return (1 + arb(5).sqrt()) / 2


_CONSTANTS: dict[sp.Basic, Callable[[], Value]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
    sp.GoldenRatio: _golden_ratio,
}

_FUNCTIONS: dict[type, Callable[..., Value]] = {
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
    **dict.fromkeys((sp.Max, sp.Min), _largest),
    sp.Abs: lambda e, x: abs(x),
    **dict.fromkeys((sp.sign, sp.Heaviside), _signum),
}
