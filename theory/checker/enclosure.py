"""What the checker knows of an expression over a box: interval arithmetic, written a second time on purpose.

`theory.intervals.arithmetic` serves the prover and is built for speed; the checker must not inherit its mistakes. Every
end is an exact Arb number, rounded outward. Where an operation may have no value the result is the whole line. Beside
its ends an interval says whether 0 itself is excluded: that is how the open end of a positive symbol reaches a sum or a
product.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from flint import arb, fmpq, fmpz

from theory.checker.limits import BITS, require, tick
from theory.checker.nodes import PIECES, Node

INF, NOUGHT, UNIT = arb("inf"), arb(0), arb(1)
_MONOTONE = {"tanh": (-1, 1), "erf": (-1, 1), "erfc": (2, 0), "sinh": (-INF, INF), "atan": None}
_SAME_ZERO = {"tanh", "erf", "sinh", "atan"}
"""Functions that vanish at 0 and nowhere else."""


class Enclosure(NamedTuple):
    """All reals from low to high; 0 is not among them where `no_zero`."""

    low: arb
    high: arb
    no_zero: bool = False

    @property
    def is_positive(self) -> bool:
        """Whether all are > 0."""
        return self.low > 0 or (self.low >= 0 and self.no_zero)

    @property
    def is_nonzero(self) -> bool:
        """Whether 0 is excluded."""
        return self.no_zero or self.low > 0 or self.high < 0

    @property
    def is_finite(self) -> bool:
        """Whether both ends are."""
        return bool(self.low.is_finite() and self.high.is_finite())


@functools.total_ordering
class Infinite:
    """An end beyond all numbers, comparable with them."""

    __slots__ = ("sign",)

    def __init__(self, sign: int) -> None:
        self.sign = sign

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Infinite) and other.sign == self.sign

    def __hash__(self) -> int:
        return hash(self.sign)

    def __lt__(self, other: object) -> bool:
        return self.sign < (other.sign if isinstance(other, Infinite) else 0)

    def __str__(self) -> str:
        return "oo" if self.sign > 0 else "-oo"


INFINITY, MINUS_INFINITY = Infinite(1), Infinite(-1)
End = Any
"""A rational number (fmpq) or an infinite end."""


class SymbolRange(NamedTuple):
    """The values of one symbol in a box; an end may be excluded, an infinite one always is.

    Whether only integers count is said here and not by the symbol: on the way to a face all reals between do.
    """

    low: End
    high: End
    is_open: bool = False
    is_open_above: bool = False
    is_integer: bool = False

    @property
    def is_point(self) -> bool:
        """Whether there is one value only."""
        return self.low == self.high

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are numbers."""
        return isinstance(self.low, fmpq) and isinstance(self.high, fmpq)


Box = dict[Node, SymbolRange]
WHOLE = Enclosure(-INF, INF)


def ball(q: End) -> arb:
    """A ball around an exact number, finite or not."""
    return arb(q) if isinstance(q, fmpq) else INF * q.sign


def hull(*balls: arb, no_zero: bool = False) -> Enclosure:
    """The least interval, with exact ends, around balls; the whole line if one is indeterminate."""
    if any(b.is_nan() for b in balls):
        return WHOLE
    low, high = balls[0].lower(), balls[0].upper()
    for b in balls[1:]:
        low, high = min(low, b.lower()), max(high, b.upper())
    return WHOLE if low.is_nan() or high.is_nan() else Enclosure(low, high, no_zero)


def whole_number(x: arb) -> fmpz | None:
    """The whole number that an exact number is, if it is one and not too long to be written down."""
    return x.unique_fmpz() if x.is_integer() and abs(x) < arb(2) ** BITS else None


def sums(a: Enclosure, b: Enclosure) -> Enclosure:
    """Sum of two intervals."""
    same_side = (a.low >= 0 and b.low >= 0) or (a.high <= 0 and b.high <= 0)
    low, high = (a.low + b.low).lower(), (a.high + b.high).upper()
    return Enclosure(
        -INF if low.is_nan() else low, INF if high.is_nan() else high, same_side and (a.is_nonzero or b.is_nonzero)
    )


def times(a: Enclosure, b: Enclosure) -> Enclosure:
    """Product of two intervals; an infinite end stands for arbitrarily large numbers, so 0 times it is 0."""
    return hull(*(_product(x, y) for x in a[:2] for y in b[:2]), no_zero=a.is_nonzero and b.is_nonzero)


def _product(x: arb, y: arb) -> arb:
    return NOUGHT if x == 0 or y == 0 else x * y


class Enclosures:
    """Enclosures of expressions over one box; each part is enclosed once."""

    def __init__(self, box: Box) -> None:
        self.known: dict[Node, Enclosure] = {}
        self.box = box
        for symbol, r in box.items():
            no_zero = (r.is_open and r.low == 0) or (r.is_open_above and r.high == 0)
            self.known[symbol] = hull(ball(r.low), ball(r.high), no_zero=no_zero)

    def __call__(self, e: Node) -> Enclosure:
        """The enclosure of e."""
        found = self.known.get(e)
        if found is None:
            tick(1 + len(e.args) // 4)
            found = self.known[e] = self._enclose(e)
        return found

    def _enclose(self, e: Node) -> Enclosure:
        if e.kind == "number":
            return hull(arb(e.data))
        if e.kind == "constant":
            return hull(arb.pi() if e.data == "pi" else arb.const_euler())
        require(e.kind != "symbol", "{} has no row in the box", e)
        if e.kind == "Sum" or e.kind in PIECES:
            return WHOLE
        parts = [self(a) for a in e.args]
        if e.kind == "add" or e.kind == "mul":
            total, join = parts[0], sums if e.kind == "add" else times
            for part in parts[1:]:
                total = join(total, part)
            if e.kind == "add" and self._avoids_zero(e):
                return total._replace(no_zero=True)
            return times(hull(arb(e.data)), total) if e.kind == "mul" else total
        if e.kind == "pow":
            return powers(e.args[1], *parts)
        return function(e.kind, parts)

    def _avoids_zero(self, e: Node) -> bool:
        """Whether a sum k s + d of one symbol would vanish at an end that its range excludes: 1 - s for s < 1."""
        numbers = [a for a in e.args if a.is_number]
        if len(e.args) != 2 or not numbers:
            return False
        (other,) = [a for a in e.args if not a.is_number]
        factor, s = (other.data, other.args[0]) if other.kind == "mul" and len(other.args) == 1 else (1, other)
        r = self.box.get(s)
        if r is None:
            return False
        end = -numbers[0].data / factor
        return (r.is_open and end == r.low) or (r.is_open_above and end == r.high)


def enclose(e: Node, box: Box) -> Enclosure:
    """The enclosure of one expression over a box."""
    return Enclosures(box)(e)


def powers(written: Node, base: Enclosure, exponent: Enclosure) -> Enclosure:
    """Enclosure of a power. Below zero only integer exponents give numbers."""
    q = written.data if written.kind == "number" else None
    if q is None and exponent.low == exponent.high and (n := whole_number(exponent.low)) is not None:
        q = fmpq(n)
    if q is not None:
        return rational_power(base, q)
    if base.low < 0:  # a negative number has powers of either sign
        return WHOLE
    # Of a base 0, its logarithm reaches down to -oo, so that 0 to a positive power, and 1 to the power 0, are there.
    return function("exp", [times(logarithm(base), exponent)])._replace(no_zero=base.is_positive)


def rational_power(base: Enclosure, q: fmpq) -> Enclosure:
    """Enclosure of a power with a number as exponent."""
    low, high, _ = base
    if q == 0:
        return Enclosure(UNIT, UNIT)
    if q.q != 1 and low < 0:
        return WHOLE
    size = abs(q)
    is_even = q.q == 1 and q.p % 2 == 0
    ends = [_end_power(x, size, is_even=is_even) for x in (low, high)]
    low, high, _ = hull(*ends, *([NOUGHT] if low < 0 < high else []))
    if q > 0:
        return Enclosure(low, high, base.is_nonzero)
    if (low < 0 < high) or low == high == 0:
        return WHOLE
    return hull(INF if low == 0 else 1 / low, -INF if high == 0 else 1 / high, no_zero=True)


def _end_power(x: arb, size: fmpq, *, is_even: bool) -> arb:
    if x == 0:
        return NOUGHT
    if not x.is_finite():
        return INF if is_even or x > 0 else -INF
    return x ** int(size.p) if size.q == 1 else x ** arb(size)


def logarithm(x: Enclosure) -> Enclosure:
    """Enclosure of a logarithm: the whole line where it may have no value, since Arb's is no number there."""
    low = -INF if x.low == 0 else x.low.log()
    return hull(low, x.high.log())


def function(name: str, parts: list[Enclosure]) -> Enclosure:
    """Enclosure of a function."""
    low, high, _ = x = parts[0]
    no_zero = x.is_nonzero
    if name in ("Max", "Min"):
        return _choice(name, parts)
    if name == "exp":
        ends = [(NOUGHT if e < 0 else INF) if not e.is_finite() else e.exp() for e in (low, high)]
        low, high, _ = hull(*ends)
        return Enclosure(max(low, NOUGHT), high, True)
    if name == "log":
        return logarithm(x)
    if name in ("Abs", "cosh"):
        low, high, _ = hull(abs(low), abs(high), *([NOUGHT] if low < 0 < high else []))
        if name == "Abs":
            return Enclosure(low, high, no_zero)
        return hull(low.cosh() if low.is_finite() else INF, high.cosh() if high.is_finite() else INF)
    if name in ("sin", "cos"):
        wave = getattr(low.union(high), name)() if x.is_finite else arb("nan")
        return Enclosure(-UNIT, UNIT) if wave.is_nan() else Enclosure(max(wave.lower(), -UNIT), min(wave.upper(), UNIT))
    if name in ("asin", "acos"):
        return _inverse(name, x)
    if name in ("sign", "Heaviside"):
        return _step(name, parts)
    if name == "floor":
        return hull(*[e.floor() if e.is_finite() else e for e in (low, high)])
    if name == "factorial":
        return _factorial(x)
    limits = _MONOTONE[name] or (-arb.pi() / 2, arb.pi() / 2)
    ends = [getattr(e, name)() if e.is_finite() else arb(limits[bool(e > 0)]) for e in (low, high)]
    return hull(*ends, no_zero=name in _SAME_ZERO and no_zero)


def _factorial(x: Enclosure) -> Enclosure:
    """Enclosure of x! = Gamma(x + 1), which is convex for x > -1, at least 0.885 there, and rises from x = 1 on."""
    if not x.low >= -1:
        return WHOLE
    low, high, _ = hull((x.low + 1).gamma(), (x.high + 1).gamma())  # the whole line at the pole -1
    return Enclosure(low if x.low >= 1 else (arb(885) / 1000).lower(), high, True)


def _choice(name: str, parts: list[Enclosure]) -> Enclosure:
    pick = max if name == "Max" else min
    low, high = pick(p.low for p in parts), pick(p.high for p in parts)
    some = any if name == "Max" else all
    no_zero = all(p.low >= 0 for p in parts) and some(p.is_nonzero for p in parts)
    return Enclosure(low, high, no_zero)


def _inverse(name: str, x: Enclosure) -> Enclosure:
    """Enclosure of asin or acos, over the part of the argument where it has a value."""
    half = arb.pi() / 2
    low, high = max(x.low, -UNIT), min(x.high, UNIT)
    if not low <= high:
        return WHOLE
    ends = hull(low.asin(), high.asin())
    ends = Enclosure(max(ends.low, (-half).lower()), min(ends.high, half.upper()), x.is_nonzero)
    return ends if name == "asin" else sums(hull(half), Enclosure(-ends.high, -ends.low))


def _step(name: str, parts: list[Enclosure]) -> Enclosure:
    x = parts[0]
    if name == "sign":
        positive, negative = x.is_positive, x.high < 0 or (x.high <= 0 and x.no_zero)
        return Enclosure(UNIT if positive else -UNIT, -UNIT if negative else UNIT, x.is_nonzero)
    ends = [UNIT] if x.high > 0 else []
    ends += [NOUGHT] if x.low < 0 else []
    ends += [] if x.is_nonzero else [parts[1].low, parts[1].high] if len(parts) == 2 else [UNIT / 2]
    return hull(*ends) if ends else WHOLE
