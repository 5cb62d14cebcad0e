"""The value of an expression at one exact point, found by walking its tree.

`subs` puts numbers into sympy's constructors, which do arithmetic of their own: at x = 0, 1/(1 + 1/x) becomes
1/(1 + zoo) and then 0. Here every subterm gets a value first: an exact fraction if there is one, else a ball of Arb.
A subterm without a real value ends the walk with `UndefinedValue`, which names it; a question that the balls leave open
(is this denominator zero?) ends it with `Undecided`. Nothing else comes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import flint
import sympy as sp
from flint import arb

from theory.prover.expressions.normal_form import is_zero
from theory.prover.expressions.sums import is_plain
from theory.prover.expressions.values import (
    CONSTANTS,
    FUNCTIONS,
    Undecided,
    UndefinedValue,
    Value,
    as_ball,
    certain_sign,
    checked,
    exponential,
    power,
    product,
    total,
    trigonometric,
)

Point = Mapping[sp.Symbol, sp.Rational]

_PRECISIONS = (128, 1024, 4096)
_WRITTEN_BITS = 4000
"""Longer fractions are written as decimals; Python refuses to write 4300 digits."""
_MAX_TERMS = 200
_HOLDS = {sp.Gt: (1,), sp.Ge: (1, 0), sp.Lt: (-1,), sp.Le: (-1, 0), sp.Eq: (0,), sp.Ne: (1, -1)}
"""The signs of left less right at which a relation holds."""


def evaluate(expression: sp.Expr, point: Point, *, bits: int = 128) -> Value:
    """The value at a point that gives every symbol a rational number.

    Raises:
        UndefinedValue: a subterm has no real value there.
        Undecided: not to be told at this precision, or a function that is not known here.
    """
    with flint.ctx.workprec(bits):
        return _Walk(point).value(expression)


def sign(left: sp.Expr, right: sp.Expr, point: Point) -> int | None:
    """-1, 0 or 1 as left is less than, equal to or greater than right; None where that stays open.

    Raises:
        UndefinedValue: a subterm of either side has no real value at the point.
    """
    for bits in _PRECISIONS:
        try:
            with flint.ctx.workprec(bits):
                walk = _Walk(point)
                gap = total([walk.value(left), -walk.value(right)])
        except Undecided:
            continue
        found = certain_sign(gap)
        if found is not None:
            return found
        if bits == _PRECISIONS[0] and is_zero(sp.Add(left, sp.Mul(-1, right, evaluate=False), evaluate=False), point):
            return 0
    return None


def displayed(left: sp.Expr, right: sp.Expr, point: Point) -> sp.Expr:
    """left - right at a point as a number for readers: exact if a short fraction, otherwise to some twenty digits."""
    for bits in _PRECISIONS:
        try:
            with flint.ctx.workprec(bits):
                walk = _Walk(point)
                gap = total([walk.value(left), -walk.value(right)])
                if isinstance(gap, Fraction):
                    if max(gap.numerator.bit_length(), gap.denominator.bit_length()) <= _WRITTEN_BITS:
                        return sp.Rational(gap.numerator, gap.denominator)
                    gap = as_ball(gap)
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
        if e in CONSTANTS:
            return CONSTANTS[e]()
        if e in (sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I):
            raise UndefinedValue(e)
        if not e.args:
            raise Undecided(f"{e} has no value")
        if isinstance(e, sp.Sum):
            return self._sum(e)
        if isinstance(e, sp.Piecewise):
            return self._piecewise(e)
        arguments = [self.value(part) for part in e.args]
        if e.is_Add:
            return total(arguments)
        if e.is_Mul:
            return product(arguments)
        if isinstance(e, sp.exp):
            return exponential(e, arguments[0])
        if e.is_Pow:
            return power(e, *arguments)
        if isinstance(e, sp.sin | sp.cos | sp.tan | sp.cot | sp.sec | sp.csc):
            return trigonometric(e, arguments[0], self._turns(e.args[0]))
        if e.func not in FUNCTIONS:
            raise Undecided(f"no value of {e.func} is known")
        return checked(e, FUNCTIONS[e.func](e, *arguments))

    def _sum(self, e: sp.Sum) -> Value:
        """A sum between whole numbers, term by term."""
        if not is_plain(e):
            raise Undecided("a sum of this kind has no value here")
        index, low, high = e.limits[0]
        last = self.value(high)
        count = last - int(low) + 1 if isinstance(last, Fraction) else Fraction(-1)
        if not (count.denominator == 1 and 0 <= count <= _MAX_TERMS):
            raise Undecided("a sum has no whole number of terms, or too many")
        at = [sp.Integer(int(low) + j) for j in range(int(count))]
        return total([Fraction(0), *[_Walk({index: k}).value(e.function) for k in at]])

    def _piecewise(self, e: sp.Piecewise) -> Value:
        """The first piece whose condition holds; the others need have no value."""
        for piece, condition in e.args:
            if self._holds(condition):
                return self.value(piece)
        raise UndefinedValue(e)

    def _holds(self, condition: sp.Basic) -> bool:
        """Whether a condition holds; each of its relations must have a value, even where another one decides."""
        if condition in (sp.true, sp.false):
            return condition == sp.true
        if isinstance(condition, sp.Not):
            return not self._holds(condition.args[0])
        if isinstance(condition, sp.And | sp.Or):
            parts = [self._holds(part) for part in condition.args]
            return all(parts) if isinstance(condition, sp.And) else any(parts)
        if type(condition) not in _HOLDS:
            raise Undecided(f"no value of {condition.func} is known")
        left, right = (self.value(side) for side in condition.args)
        found = certain_sign(total([left, -right]))
        if found is None:
            raise Undecided(f"whether {condition} holds is open")
        return found in _HOLDS[type(condition)]

    def _turns(self, e: sp.Basic) -> Fraction | None:
        """The exact multiple of pi that an expression is, or None."""
        if e == sp.pi:
            return Fraction(1)
        if e.is_Add:
            parts = [self._turns(part) for part in e.args]
            known = [part for part in parts if part is not None]
            return sum(known, Fraction(0)) if len(known) == len(parts) else None
        if e.is_Mul and e.args.count(sp.pi) == 1:
            rest = product([self.value(part) for part in e.args if part != sp.pi])
            return rest if isinstance(rest, Fraction) else None
        return Fraction(0) if self.value(e) == 0 and isinstance(self.value(e), Fraction) else None
