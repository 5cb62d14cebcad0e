"""Limits as one symbol goes to infinity, all others anywhere in a box: dominant terms, and limits of what has some.

`limit_of` encloses every number that e may approach, for each choice of the other symbols; the whole line says nothing.
A dominant term is c s^p log(s)^j with c of one certain sign: e over it tends to 1. Exponentials of what grows like a
power outweigh every such term.
"""

from __future__ import annotations

from typing import NamedTuple

from flint import fmpq

from theory.checker.enclosure import (
    INF,
    NOUGHT,
    UNIT,
    WHOLE,
    Box,
    Enclosure,
    Enclosures,
    function,
    hull,
    logarithm,
    rational_power,
    sums,
    times,
)
from theory.checker.limits import tick
from theory.checker.nodes import HALF, ONE, ZERO, Node, build, mul, number, split
from theory.checker.walks import symbols
from theory.checker.zero import ZeroTest

_THROUGH = {"exp", "tanh", "erf", "erfc", "atan", "sinh", "cosh", "Abs", "sin", "cos"}
"""Functions that are continuous, so that a limit of the argument gives one of the value."""
_AT_INFINITY = {"atan": mul(HALF, Node("constant", (), "pi")), "tanh": ONE, "erf": ONE}
"""Limits of odd functions as their argument goes to infinity."""
_EVERYWHERE = {"exp", "tanh", "erf", "atan", "sinh", "cosh", "sin", "cos"}
"""Functions that are continuous at every real number."""
_ZERO_POWER = fmpq(0)


class Dominant(NamedTuple):
    """c s^power log(s)^logs, with c of one sign for all choices of the other symbols."""

    c: Enclosure
    power: fmpq
    logs: int

    @property
    def is_constant(self) -> bool:
        """Whether neither a power nor a logarithm is there."""
        return self.power == 0 and self.logs == 0

    @property
    def grows(self) -> bool:
        """Whether it goes to infinity."""
        return self.power > 0 or (self.power == 0 and self.logs > 0)


def limit_of(e: Node, s: Node, others: Box) -> Enclosure:
    """Enclosure of all limits of e as s goes to infinity."""
    return _Germ(s, others).limit(e)


def vanishes(e: Node, s: Node, others: Box) -> bool:
    """Whether e goes to 0 as s goes to infinity, by limits of its parts that are expressions: pi/2 - atan(s).

    Sums and products of parts that have limits have those of the limits, and a continuous function has that of its
    argument, so that e has the limit that is built here; the zero test shows that it is 0. No number is evaluated,
    which could show only that the limit is small.
    """
    found = _Germ(s, others).exact(e)
    return found is not None and ZeroTest(others).is_zero(found)


def _sign(x: Enclosure) -> int:
    return 1 if x.is_positive else -1 if x.high < 0 or (x.high <= 0 and x.no_zero) else 0


def _infinite(sign: int) -> Enclosure:
    return Enclosure(INF * sign, INF * sign)


class _Germ:
    def __init__(self, s: Node, others: Box) -> None:
        self.s, self.enclosures = s, Enclosures(others)
        self.known: dict[Node, Dominant | None] = {}

    def dominant(self, e: Node) -> Dominant | None:
        """The dominant term of e, where there is one that can be told."""
        if e not in self.known:
            tick()
            self.known[e] = self._dominant(e)
        return self.known[e]

    def _dominant(self, e: Node) -> Dominant | None:
        if e == self.s:
            return Dominant(Enclosure(UNIT, UNIT), fmpq(1), 0)
        if self.s not in symbols(e):
            found = self.enclosures(e)
            return Dominant(found, _ZERO_POWER, 0) if _sign(found) and found.is_finite else None
        if e.kind == "add":
            return self._sum([self.dominant(a) for a in e.args])
        if e.kind == "mul":
            parts = [self.dominant(a) for a in e.args]
            total = Dominant(hull(UNIT * e.data), _ZERO_POWER, 0)
            for part in parts:
                if part is None:
                    return None
                total = Dominant(times(total.c, part.c), total.power + part.power, total.logs + part.logs)
            return total
        if e.kind == "pow" and e.args[1].kind == "number":
            base, q = self.dominant(e.args[0]), e.args[1].data
            if base is None or (q.q != 1 and _sign(base.c) < 0) or (base.logs and q.q != 1):
                return None
            return Dominant(rational_power(base.c, q), base.power * q, int(base.logs * q.p) // int(q.q))
        if e.kind == "log":
            inner = self.dominant(e.args[0])
            if inner is not None and _sign(inner.c) > 0 and inner.power != 0:
                return Dominant(hull(UNIT * inner.power), _ZERO_POWER, 1)
        return None

    def _sum(self, parts: list[Dominant | None]) -> Dominant | None:
        """The terms of the greatest power, and of the greatest power of the logarithm among those."""
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or not known:
            return None
        power, logs = max((part.power, part.logs) for part in known)
        total = Enclosure(NOUGHT, NOUGHT)
        for part in known:
            if (part.power, part.logs) == (power, logs):
                total = sums(total, part.c)
        return Dominant(total, power, logs) if _sign(total) else None

    def limit(self, e: Node) -> Enclosure:
        """Enclosure of the limits; that a function is never 0 does not keep its limit from being 0."""
        tick()
        if self.s not in symbols(e):
            return self.enclosures(e)
        low, high, _ = self._limit(e)
        return Enclosure(low, high)

    def _limit(self, e: Node) -> Enclosure:
        found = self.dominant(e)
        if found is not None:
            return found.c if found.is_constant else _infinite(_sign(found.c)) if found.grows else hull(NOUGHT)
        if e.kind == "add":
            logs = [a for a in e.args if split(a)[1].kind == "log"]
            joined = self._logarithms(logs) if len(logs) > 1 else None
            rest = [a for a in e.args if joined is None or a not in logs]
            return self._total([*([joined] if joined is not None else []), *[self.limit(a) for a in rest]])
        if e.kind == "mul":
            return times(hull(UNIT * e.data), self._product(list(e.args)))
        if e.kind == "pow" and e.args[1].kind == "number":
            base, q = self.limit(e.args[0]), e.args[1].data
            # Toward 0 from below, an inverse goes to minus infinity, wherever the limits themselves lie.
            return WHOLE if q < 0 and base.low <= 0 <= base.high else rational_power(base, q)
        if e.kind == "log":
            return self._log(e.args[0])
        return function(e.kind, [self.limit(e.args[0])]) if e.kind in _THROUGH else WHOLE

    def exact(self, e: Node) -> Node | None:
        """The limit of e as an expression in the other symbols, where the rules of `vanishes` give one."""
        tick()
        if self.s not in symbols(e):
            return e
        found = self.dominant(e)
        if found is not None and not found.grows and not found.is_constant:
            return ZERO
        if e.kind in _AT_INFINITY and (inner := self.dominant(e.args[0])) is not None and inner.grows:
            return mul(number(_sign(inner.c)), _AT_INFINITY[e.kind])
        if e.kind not in ("add", "mul", *_EVERYWHERE):
            return None
        parts = [part for a in e.args if (part := self.exact(a)) is not None]
        return build(e.kind, tuple(parts), e.data) if len(parts) == len(e.args) else None

    def _log(self, x: Node) -> Enclosure:
        found = self.limit(x)
        if found.low < 0:
            return WHOLE
        return hull(-INF) if found.high <= 0 else logarithm(found)

    def _logarithms(self, terms: list[Node]) -> Enclosure | None:
        """The limit of a sum of multiples of logarithms: the logarithm of what the powers of their arguments leave."""
        power, logs, total = fmpq(0), fmpq(0), Enclosure(NOUGHT, NOUGHT)
        for term in terms:
            factor, log = split(term)
            inner = self.dominant(log.args[0])
            if inner is None or _sign(inner.c) <= 0:
                return None
            power, logs = power + factor * inner.power, logs + factor * inner.logs
            total = sums(total, times(hull(UNIT * factor), logarithm(inner.c)))
        if power == 0 and logs == 0:
            return total
        leading = power if power != 0 else logs
        return _infinite(1 if leading > 0 else -1)

    def _total(self, parts: list[Enclosure]) -> Enclosure:
        low, high = NOUGHT, NOUGHT
        for part in parts:
            low, high = (low + part.low).lower(), (high + part.high).upper()
        return Enclosure(-INF if low.is_nan() else low, INF if high.is_nan() else high)

    def _product(self, factors: list[Node]) -> Enclosure:
        for place, f in enumerate(factors):
            inner = self.dominant(f.args[0]) if f.kind == "exp" else None
            if inner is not None and inner.power > 0:
                return self._outweighed(_sign(inner.c), [g for i, g in enumerate(factors) if i != place])
        total = Enclosure(UNIT, UNIT)
        for f in factors:
            part = self.limit(f)
            for one, other in ((total, part), (part, total)):
                if not one.is_finite and other.low <= 0 <= other.high:
                    return WHOLE
            total = times(total, part)
        return total

    def _outweighed(self, sign: int, rest: list[Node]) -> Enclosure:
        """The limit of the exponential of something that goes to infinity like a power, times the rest."""
        direction = 1
        for f in rest:
            found = self.dominant(f)
            if found is not None:
                direction *= _sign(found.c)
                continue
            bounded = self.limit(f)
            if not bounded.is_finite or (sign > 0 and not _sign(bounded)):
                return WHOLE
            direction *= _sign(bounded) or 1
        return hull(NOUGHT) if sign < 0 else _infinite(direction)
