"""Formulas whose leading order is known because of how they are built, for doubting `theory.asymptotics.exponents`.

Every piece carries its expression in n and its order as n -> oo: C n^a log(n)^b loglog(n)^c, with C a number. Rules
build larger pieces from smaller ones: what a function does to a small or a large argument is written down here from
tables, not computed. Run a longer search than the suite's by

    python -m tests.theory.asymptotics.orders 5000 [SEED]
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from theory.asymptotics.exponents import Undetermined, leading_order, limit
from theory.asymptotics.series import NoExpansion
from theory.timeout import TimedOut

n = sp.Symbol("n", positive=True)
m = sp.Symbol("m", real=True)
HALF = sp.Rational(1, 2)


@dataclass(frozen=True)
class Piece:
    """An expression in n and the order that it has by construction."""

    expression: sp.Expr
    coefficient: sp.Expr
    power: sp.Rational
    log: sp.Rational = sp.S.Zero
    loglog: sp.Rational = sp.S.Zero

    @property
    def orders(self) -> tuple[sp.Rational, sp.Rational, sp.Rational]:
        """The exponents, the dominating one first."""
        return self.power, self.log, self.loglog

    def mapped(self, expression: sp.Expr, factor: sp.Expr, k: sp.Rational) -> Piece:
        """A piece of the order factor * self^k."""
        return Piece(expression, factor * self.coefficient**k, k * self.power, k * self.log, k * self.loglog)


# ------------------------------------------------------------------ f(d) = factor * d^k + ... for a small d > 0

SMALL: list[tuple[Callable[[sp.Expr], sp.Expr], sp.Expr, sp.Expr]] = [
    (lambda d: sp.gamma(d), 1, -1),
    (lambda d: sp.gamma(-1 + d), -1, -1),
    (lambda d: sp.gamma(-2 - d), -HALF, -1),
    (lambda d: sp.gamma(3 + d), 2, 0),
    (lambda d: sp.gamma(1 + d) - 1, -sp.EulerGamma, 1),
    (lambda d: sp.digamma(d), -1, -1),
    (lambda d: sp.digamma(1 - d) + sp.EulerGamma, -(sp.pi**2) / 6, 1),
    (lambda d: sp.polygamma(1, d), 1, -2),
    (lambda d: sp.polygamma(2, -1 + d), -2, -3),
    (lambda d: sp.zeta(1 + d), 1, -1),
    (lambda d: sp.zeta(1 - d) + 1 / d, sp.EulerGamma, 0),
    (lambda d: sp.zeta(2 + d), sp.pi**2 / 6, 0),
    (lambda d: sp.factorial(-1 + d), 1, -1),
    (lambda d: sp.beta(d, sp.Integer(2)), 1, -1),
    (lambda d: sp.asin(1 - d) - sp.pi / 2, -sp.sqrt(2), HALF),
    (lambda d: sp.asin(-1 + d) + sp.pi / 2, sp.sqrt(2), HALF),
    (lambda d: sp.acos(1 - d), sp.sqrt(2), HALF),
    (lambda d: sp.acos(-1 + d) - sp.pi, -sp.sqrt(2), HALF),
    (lambda d: sp.acos(d) - sp.pi / 2, -1, 1),
    (lambda d: sp.acosh(1 + d), sp.sqrt(2), HALF),
    (lambda d: sp.asinh(d) - d, -sp.Rational(1, 6), 3),
    (lambda d: sp.atanh(d), 1, 1),
    (lambda d: sp.asec(1 + d), sp.sqrt(2), HALF),
    (lambda d: sp.acot(d) - sp.pi / 2, -1, 1),
    (lambda d: sp.LambertW(-sp.exp(-1) + d) + 1, sp.sqrt(2 * sp.E), HALF),
    (lambda d: sp.LambertW(d) - d, -1, 2),
    (lambda d: sp.floor(-d), -1, 0),
    (lambda d: sp.floor(2 - d), 1, 0),
    (lambda d: sp.floor(3 + d), 3, 0),
    (lambda d: sp.ceiling(d), 1, 0),
    (lambda d: sp.ceiling(1 - d), 1, 0),
    (lambda d: sp.frac(d), 1, 1),
    (lambda d: sp.frac(-d), 1, 0),
    (lambda d: sp.sign(-d), -1, 0),
    (lambda d: sp.Heaviside(d), 1, 0),
    (lambda d: sp.Heaviside(-d) + d, 1, 1),
    (lambda d: sp.Abs(-d), 1, 1),
    (lambda d: sp.Abs(1 - d) - 1, -1, 1),
    (lambda d: sp.Max(d, d**2), 1, 1),
    (lambda d: sp.Min(d, d**2), 1, 2),
    (lambda d: sp.Max(-d, -(d**2)), -1, 2),
    (lambda d: sp.Piecewise((d**3, d > 0), (1, True)), 1, 3),
    (lambda d: sp.Piecewise((7, d < 0), (d, d < 1), (d**2, True)), 1, 1),
    (lambda d: sp.tan(sp.pi / 2 - d), 1, -1),
    (lambda d: sp.tan(sp.pi / 2 + d), -1, -1),
    (lambda d: sp.tan(d) - d, sp.Rational(1, 3), 3),
    (lambda d: sp.cot(d), 1, -1),
    (lambda d: sp.csc(sp.pi - d), 1, -1),
    (lambda d: sp.sec(sp.pi / 2 - d), 1, -1),
    (lambda d: sp.coth(d), 1, -1),
    (lambda d: sp.sinh(d) - d, sp.Rational(1, 6), 3),
    (lambda d: 1 - sp.cos(d), HALF, 2),
    (lambda d: sp.sin(d), 1, 1),
    (lambda d: sp.sin(sp.pi - d), 1, 1),
    (lambda d: d - sp.sin(d), sp.Rational(1, 6), 3),
    (lambda d: sp.exp(d) - 1, 1, 1),
    (lambda d: sp.exp(d) - 1 - d, HALF, 2),
    (lambda d: sp.exp(d) - 1 - d - d**2 / 2, sp.Rational(1, 6), 3),
    (lambda d: sp.log(1 + d), 1, 1),
    (lambda d: sp.log(1 + d) - d, -HALF, 2),
    (lambda d: sp.log(1 + d) - d + d**2 / 2, sp.Rational(1, 3), 3),
    (lambda d: sp.sqrt(1 + d) - 1 - d / 2, -sp.Rational(1, 8), 2),
    (lambda d: 1 / (1 + d) - 1 + d - d**2, -1, 3),
    (lambda d: (1 + d) ** (1 / d) - sp.E, -sp.E / 2, 1),
    (lambda d: d**d, 1, 0),
    (lambda d: sp.erf(d), 2 / sp.sqrt(sp.pi), 1),
    (lambda d: sp.erfc(d) - 1, -2 / sp.sqrt(sp.pi), 1),
    (lambda d: sp.Si(d), 1, 1),
    (lambda d: sp.tanh(d) - d, -sp.Rational(1, 3), 3),
    (lambda d: sp.exp(-1 / d) + d, 1, 1),
]

# ------------------------------------------------------ f(d) = factor * log(d) + ... for a small d > 0 with power < 0

SMALL_LOGS: list[tuple[Callable[[sp.Expr], sp.Expr], sp.Expr]] = [
    (sp.log, 1),
    (sp.loggamma, -1),
    (sp.Ei, 1),
    (sp.Ci, 1),
    (lambda d: sp.li(1 + d), 1),
    (lambda d: sp.atanh(1 - d), -HALF),
    (lambda d: sp.atanh(-1 + d), HALF),
    (lambda d: sp.acoth(1 + d), -HALF),
    (lambda d: sp.asech(d), -1),
    (lambda d: sp.acsch(d), -1),
    (lambda d: sp.log(sp.sin(d)), 1),
    (lambda d: sp.log(sp.gamma(d)), -1),
]

# --------------------------------------------------------------------- f(v) = factor * v^k + ... for v -> oo

LARGE: list[tuple[Callable[[sp.Expr], sp.Expr], sp.Expr, sp.Expr]] = [
    (lambda v: sp.gamma(v + HALF) / sp.gamma(v), 1, HALF),
    (lambda v: sp.gamma(v) / sp.gamma(v - 2), 1, 2),
    (lambda v: sp.binomial(v, 3), sp.Rational(1, 6), 3),
    (lambda v: sp.binomial(v + 2, v), HALF, 2),
    (lambda v: sp.binomial(2 * v, v) * sp.Integer(4) ** -v, 1 / sp.sqrt(sp.pi), -HALF),
    (lambda v: sp.RisingFactorial(v, sp.Rational(3, 2)), 1, sp.Rational(3, 2)),
    (lambda v: sp.factorial(v + 1) / sp.factorial(v), 1, 1),
    (lambda v: sp.digamma(v) - sp.log(v), -HALF, -1),
    (lambda v: sp.harmonic(v) - sp.log(v) - sp.EulerGamma, HALF, -1),
    (lambda v: sp.polygamma(1, v), 1, -1),
    (lambda v: sp.polygamma(2, v), -1, -2),
    (lambda v: sp.atan(v) - sp.pi / 2, -1, -1),
    (lambda v: sp.atan(-v), -sp.pi / 2, 0),
    (lambda v: sp.acot(v), 1, -1),
    (lambda v: sp.tanh(v), 1, 0),
    (lambda v: sp.coth(-v), -1, 0),
    (lambda v: sp.erf(v), 1, 0),
    (lambda v: sp.erfc(-v), 2, 0),
    (lambda v: sp.erfc(v) * sp.exp(v**2), 1 / sp.sqrt(sp.pi), -1),
    (lambda v: sp.Ei(v) * sp.exp(-v), 1, -1),
    (lambda v: sp.Ei(-v) * sp.exp(v), -1, -1),
    (lambda v: sp.zeta(v), 1, 0),
    (lambda v: (sp.zeta(v) - 1) * sp.Integer(2) ** v, 1, 0),
    (lambda v: sp.floor(v), 1, 1),
    (lambda v: sp.ceiling(v) - v / 2, HALF, 1),
    (lambda v: v**2 + sp.frac(v), 1, 2),
    (lambda v: v + sp.sin(v), 1, 1),
    (lambda v: v**2 - v * sp.cos(v) ** 2, 1, 2),
    (lambda v: sp.log(sp.cosh(v)), 1, 1),
    (lambda v: sp.log(1 + sp.exp(v)), 1, 1),
    (lambda v: sp.log(sp.exp(v) + v) - v + 1 / v, 1, -1),
    (lambda v: sp.exp(v + sp.exp(-v)) - sp.exp(v), 1, 0),
    (lambda v: sp.exp(-v) + 1 / v, 1, -1),
    (lambda v: sp.sqrt(v**2 + 1) - v, HALF, -1),
    (lambda v: sp.sqrt(v**2 + v) - v, HALF, 0),
    (lambda v: sp.cbrt(v**3 + 1) - v, sp.Rational(1, 3), -2),
    (lambda v: (1 + 1 / v) ** v, sp.E, 0),
    (lambda v: v ** (1 / v), 1, 0),
    (lambda v: sp.Max(v, 3 * v), 3, 1),
    (lambda v: sp.Min(v, sp.sqrt(v)), 1, HALF),
    (lambda v: sp.Abs(1 - v), 1, 1),
    (lambda v: sp.sign(1 - v), -1, 0),
    (lambda v: sp.Piecewise((v, v < 10), (sp.sqrt(v), True)), 1, HALF),
    (lambda v: sp.exp(sp.LambertW(v)) * sp.LambertW(v), 1, 1),
    (lambda v: sp.asinh(v) - sp.log(2 * v), sp.Rational(1, 4), -2),
    (lambda v: sp.acosh(v) - sp.log(2 * v), -sp.Rational(1, 4), -2),
    (lambda v: sp.loggamma(v + 1) - sp.loggamma(v) - sp.log(v) + 1 / v, 1, -1),
]

# ------------------------------------------------- f(v) = factor * v^k log(v)^b + ... for v -> oo with power > 0

LARGE_LOGS: list[tuple[Callable[[sp.Expr], sp.Expr], sp.Expr, sp.Expr, sp.Expr]] = [
    (sp.log, 1, 0, 1),
    (sp.loggamma, 1, 1, 1),
    (lambda v: sp.log(sp.factorial(v)), 1, 1, 1),
    (sp.digamma, 1, 0, 1),
    (sp.harmonic, 1, 0, 1),
    (sp.asinh, 1, 0, 1),
    (lambda v: sp.asinh(-v), -1, 0, 1),
    (sp.acosh, 1, 0, 1),
    (sp.LambertW, 1, 0, 1),
    (sp.li, 1, 1, -1),
    (lambda v: sp.log(v + sp.log(v)) - sp.log(v), 1, -1, 1),
    (lambda v: v ** (1 + 1 / v) - v, 1, 0, 1),
]


class Builder:
    """Draws pieces from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def piece(self, depth: int) -> Piece:
        """A random piece of at most so many nested rules."""
        if depth == 0:
            return self.leaf()
        rules = (self.product, self.total, self.power_of, self.of_small, self.of_small, self.of_large, self.of_large)
        return self.random.choice(rules)(depth)

    def number(self, low: int, high: int) -> sp.Rational:
        """A rational that is not zero."""
        while True:
            value = sp.Rational(self.random.randint(low, high), self.random.choice((1, 1, 2, 3)))
            if value != 0:
                return value

    def leaf(self) -> Piece:
        """C n^a log(n)^b."""
        c, a = self.number(1, 6), self.number(-3, 3)
        b = sp.Integer(self.random.choice((0, 0, 0, 1, 2, -1)))
        return Piece(c * n**a * sp.log(n) ** b, c, a, b)

    def product(self, depth: int) -> Piece:
        """Coefficients multiply, exponents add."""
        a, b = self.piece(depth - 1), self.leaf()
        return Piece(
            a.expression * b.expression,
            a.coefficient * b.coefficient,
            *[s + t for s, t in zip(a.orders, b.orders, strict=True)],
        )

    def total(self, depth: int) -> Piece:
        """The larger term of a sum wins."""
        while True:
            a, b = self.piece(depth - 1), self.leaf()
            if a.orders != b.orders:
                larger = max((a, b), key=lambda piece: piece.orders)
                sign = self.random.choice((1, -1))
                larger_coefficient = larger.coefficient * (sign if larger is b else 1)
                return Piece(a.expression + sign * b.expression, larger_coefficient, *larger.orders)

    def power_of(self, depth: int) -> Piece:
        """A reciprocal, a square or a root."""
        a = self.piece(depth - 1)
        roots = (HALF, -HALF, sp.Rational(1, 3)) if a.coefficient.is_positive else ()
        k = self.random.choice((sp.Integer(-1), sp.Integer(2), sp.Integer(-2), *roots))
        return a.mapped(a.expression**k, sp.S.One, k)

    def tending(self, depth: int, direction: int) -> Piece:
        """A positive piece that tends to zero (-1) or to infinity (+1) like a power."""
        for _ in range(60):
            a = self.piece(depth - 1)
            if a.coefficient.is_positive and direction * a.power > 0:
                return a
        c, k = self.number(1, 4), abs(self.number(1, 3)) * direction
        return Piece(c * n**k, c, k)

    def of_small(self, depth: int) -> Piece:
        """A function of what tends to zero."""
        d = self.tending(depth, -1)
        if self.random.random() < 0.25:
            function, factor = self.random.choice(SMALL_LOGS)
            return Piece(function(d.expression), factor * d.power, sp.S.Zero, sp.S.One)
        function, factor, k = self.random.choice(SMALL)
        return d.mapped(function(d.expression), sp.sympify(factor), sp.sympify(k))

    def of_large(self, depth: int) -> Piece:
        """A function of what tends to infinity."""
        v = self.tending(depth, 1)
        if self.random.random() < 0.25:
            function, factor, k, b = self.random.choice(LARGE_LOGS)
            base = v.mapped(function(v.expression), sp.sympify(factor), sp.sympify(k))
            return Piece(base.expression, base.coefficient * v.power**b, base.power, base.log + b, base.loglog)
        function, factor, k = self.random.choice(LARGE)
        return v.mapped(function(v.expression), sp.sympify(factor), sp.sympify(k))


def drawn(count: int, seed: int, depths: tuple[int, ...] = (1, 1, 2, 2, 3)) -> list[Piece]:
    """Random pieces, nested so many rules deep."""
    builder = Builder(seed)
    return [builder.piece(builder.random.choice(depths)) for _ in range(count)]


def judged(piece: Piece, *, way: str) -> str:
    """'exact', 'refused' by name, or what is wrong, of a piece seen toward infinity, zero or one."""
    try:
        found, orientation = _found(piece, way)
    except (Undetermined, NoExpansion, TimedOut) as refusal:
        return "refused" if str(refusal) else "a refusal without a word"
    except Exception as error:  # whatever else comes is what the test is for
        return f"{type(error).__name__}: {error}"
    orders = (orientation * found.power, found.log_degree, found.loglog_degree)
    if orders != piece.orders:
        return f"orders {orders} for {piece.orders}"
    difference = sp.N(found.coefficient - piece.coefficient, 30)
    return "exact" if abs(difference) < 1e-20 else f"coefficient {found.coefficient} for {piece.coefficient}"


def _found(piece: Piece, way: str):
    if way == "infinity":
        return leading_order(piece.expression, n), 1
    if way == "zero":
        return leading_order(piece.expression.subs(n, 1 / n), n, toward="zero"), -1
    moved = piece.expression.subs(n, 1 / (1 - m))
    return leading_order(moved, m, toward=1, side="below"), -1


def limit_judged(piece: Piece) -> str:
    """The same for the limit of a piece."""
    nonzero = next((order for order in piece.orders if order != 0), sp.S.Zero)
    truth = piece.coefficient if nonzero == 0 else sp.S.Zero if nonzero < 0 else sp.sign(piece.coefficient) * sp.oo
    try:
        found = limit(piece.expression, n, sp.oo)
    except (Undetermined, TimedOut) as refusal:
        return "refused" if str(refusal) else "a refusal without a word"
    except Exception as error:  # whatever else comes is what the test is for
        return f"{type(error).__name__}: {error}"
    same = found == truth or (found.is_finite and truth.is_finite and abs(sp.N(found - truth, 30)) < 1e-20)
    return "exact" if same else f"limit {found} for {truth}"


def main(count: int, seed: int) -> None:
    """Print what comes of so many pieces, and every wrong answer."""
    started, tally = time.process_time(), Counter()
    for number, piece in enumerate(drawn(count, seed)):
        way = ("infinity", "zero", "one")[number % 3]
        for said in (judged(piece, way=way), limit_judged(piece)):
            tally[said if said in ("exact", "refused") else "wrong"] += 1
            if said not in ("exact", "refused"):
                print(number, way, piece.expression, said, flush=True)
    print(dict(tally), f"{time.process_time() - started:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
