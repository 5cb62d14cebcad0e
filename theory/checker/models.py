"""Taylor models in several symbols: the step `model`.

A model of e over a bounded box is a polynomial in h, with x = middle + radius h and h in [-1, 1] for each symbol x, and
a ball: at each point of the box, e is the polynomial at h and a number of the ball. Products keep terms up to a total
degree; what is above it is enclosed and goes to the ball. A function of a model is its expansion around the constant
term, with Lagrange's remainder over all values that the model may have; its coefficients come from `series`. The least
value of the polynomial is at least its least Bernstein coefficient.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from flint import arb, fmpq

from theory.checker.domain import open_conditions
from theory.checker.enclosure import NOUGHT, UNIT, Box, SymbolRange
from theory.checker.goal import Check, ReplayGoal, Step
from theory.checker.limits import InvalidRecord, require, tick
from theory.checker.nodes import Node, call, mul, power
from theory.checker.series import coefficients
from theory.checker.walks import symbols

_MAX_ORDER, _MAX_MOVING = 8, 4
_EITHER_SIDE, _ONE_SIDE = NOUGHT.union(UNIT).union(-UNIT), NOUGHT.union(UNIT)

Powers = tuple[int, ...]


class Model(NamedTuple):
    """A polynomial, as coefficients by the powers of h, and the ball of what it misses."""

    terms: dict[Powers, arb]
    rest: arb

    def range(self) -> arb:
        """A ball that has all values."""
        return sum((c * _spread(powers) for powers, c in self.terms.items()), self.rest)

    def least(self) -> arb:
        """A number that is not above any value."""
        found = _bernstein(self.terms)
        require(all(c.is_finite() for c in (*found, self.rest)), "model: a coefficient is not finite")
        return min(c.lower() for c in found) + self.rest.lower()


def model(node: Step, goal: ReplayGoal, check: Check) -> None:
    """The least value of a model over the box is positive."""
    order = node["order"]
    require(type(order) is int and 0 < order <= _MAX_ORDER, "model: an order")
    require(all(r.is_bounded for r in goal.box.values()), "model: the box is not bounded")
    closed = {x: SymbolRange(r.low, r.high) for x, r in goal.box.items()}
    require(not open_conditions(goal.e, closed, smooth=True), "model: {} may jump", goal.e)
    low = least(goal.e, goal.box, order)
    require(low > 0 or (not goal.strict and low >= 0), "model: {} may be negative", goal.e)


def least(e: Node, box: Box, order: int) -> arb:
    """A number that e is not below on a bounded box. Raises InvalidRecord where it has no model."""
    return _Models(box, symbols(e), order).of(e).least().lower()


def _spread(powers: Powers) -> arb:
    """The range of a product of powers of h."""
    if not any(powers):
        return UNIT
    return _EITHER_SIDE if any(n % 2 for n in powers) else _ONE_SIDE


def _raised(x: arb, n: int) -> arb:
    """A power of a ball around 0, which Arb's own powers do not take."""
    size, most = UNIT, abs(x).upper()
    for _ in range(n):
        size *= most
    return size * (_EITHER_SIDE if n % 2 else _ONE_SIDE)


class _Models:
    """Models of expressions over one box; each part has one."""

    def __init__(self, box: Box, used: set[Node], order: int) -> None:
        moving = [x for x, r in box.items() if x in used and not r.is_point]
        require(len(moving) <= _MAX_MOVING, "model: more than {} symbols", _MAX_MOVING)
        self.order, self.zero = order, (0,) * len(moving)
        self.known = {x: self._constant(arb(r.low)) for x, r in box.items()}
        for place, x in enumerate(moving):
            r = box[x]
            unit = tuple(int(i == place) for i in range(len(moving)))
            terms = {self.zero: arb((r.low + r.high) / 2), unit: arb((r.high - r.low) / 2)}
            self.known[x] = Model(terms, NOUGHT)

    def of(self, e: Node) -> Model:
        """The model of an expression."""
        if e not in self.known:
            self.known[e] = self._of(e)
        return self.known[e]

    def _of(self, e: Node) -> Model:
        if e.kind == "number":
            return self._constant(arb(e.data))
        if e.kind == "constant":
            return self._constant(arb.pi() if e.data == "pi" else arb.const_euler())
        if e.kind == "add":
            return functools.reduce(self._sum, [self.of(a) for a in e.args])
        if e.kind == "mul":
            return functools.reduce(self._product, [self.of(a) for a in e.args], self._constant(arb(e.data)))
        if e.kind == "pow" and e.args[1].kind != "number":
            return self.of(call("exp", mul(e.args[1], call("log", e.args[0]))))
        require(e.args, "{} has no row in the box", e)
        return self._composed(e, self.of(e.args[0]))

    def _constant(self, value: arb) -> Model:
        return Model({self.zero: value}, NOUGHT)

    def _sum(self, a: Model, b: Model) -> Model:
        terms = dict(a.terms)
        for powers, c in b.terms.items():
            terms[powers] = terms[powers] + c if powers in terms else c
        return Model(terms, a.rest + b.rest)

    def _product(self, a: Model, b: Model) -> Model:
        tick(len(a.terms) * len(b.terms))
        terms: dict[Powers, arb] = {}
        above: dict[Powers, arb] = {}
        for m, c in a.terms.items():
            for n, d in b.terms.items():
                powers = tuple(i + j for i, j in zip(m, n, strict=True))
                kept = terms if sum(powers) <= self.order else above
                kept[powers] = kept[powers] + c * d if powers in kept else c * d
        rest = Model(above, NOUGHT).range()
        if not (a.rest.is_zero() and b.rest.is_zero()):
            first, second = Model(a.terms, NOUGHT).range(), Model(b.terms, NOUGHT).range()
            rest += first * b.rest + second * a.rest + a.rest * b.rest
        return Model(terms, rest)

    def _composed(self, e: Node, inner: Model) -> Model:
        """f(c + d) with c the middle of the constant term, expanded in d."""
        n, s = self.order, next(iter(self.known))
        c = inner.terms[self.zero].mid()
        d = Model(inner.terms | {self.zero: inner.terms[self.zero] - c}, inner.rest)
        # The line from c to any value of the model lies in this ball.
        gap = d.range().union(NOUGHT)
        f = power(s, e.args[1]) if e.kind == "pow" else Node(e.kind, (s, *e.args[1:]))
        near, far = coefficients(f, s, c, {}, n + 1), coefficients(f, s, c + gap, {}, n + 2)
        total = self._constant(near[n])
        for k in reversed(range(n)):
            total = self._sum(self._product(total, d), self._constant(near[k]))
        return Model(total.terms, total.rest + far[n + 1] * _raised(gap, n + 1))


def _bernstein(terms: dict[Powers, arb]) -> list[arb]:
    """The Bernstein coefficients of a polynomial on the box of all h."""
    degrees = [max(column) for column in zip(*terms, strict=True)]
    for place, degree in enumerate(degrees):
        found: dict[Powers, arb] = {}
        rows = _basis(degree)
        for powers, c in terms.items():
            tick(degree + 1)
            for j, factor in enumerate(rows[powers[place]]):
                key = (*powers[:place], j, *powers[place + 1 :])
                found[key] = found[key] + c * factor if key in found else c * factor
        terms = found
    return list(terms.values())


@functools.lru_cache(maxsize=64)
def _basis(degree: int) -> list[list[fmpq]]:
    """By the power k, the Bernstein coefficients of h^k = (2 u - 1)^k of this degree in u, for u from 0 to 1."""
    rows = []
    for k in range(degree + 1):
        shifted = [fmpq(math.comb(k, i) * 2**i * (-1) ** (k - i)) for i in range(k + 1)]
        row = []
        for j in range(degree + 1):
            parts = [a * math.comb(j, i) / math.comb(degree, i) for i, a in enumerate(shifted) if i <= j]
            row.append(sum(parts, fmpq(0)))
        rows.append(row)
    return rows


__all__ = ["InvalidRecord", "Model", "least", "model"]
