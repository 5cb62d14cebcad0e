"""Expressions of the checker: immutable nodes, and constructors that normalise them.

A record is read into nodes exactly as written (`Node`); what is proved is a form of it in which like terms and powers
are collected (`normal`). Every rule here keeps the value wherever the written form has one. It may give a value where
the written form has none (x/x becomes 1), never the other way round: a proof for all points of the larger domain
serves the smaller one. Signs of symbols enter only as "not negative", so all rules hold at the end 0 of a box as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from flint import fmpq, fmpz

from theory.checker.limits import BITS, DEPTH, EXPONENT, MAX_FACTORIAL, WEIGHT, require, tick

PIECES = {"choice", "nowhere"}
"""What pieces are read as: `theory.checker.pieces`."""

ODD = {"sin", "tanh", "sinh", "atan", "asin", "erf", "sign"}


class Terms(NamedTuple):
    """What a sum adds up: an expression as written, in its index alone, which is bound by the sum."""

    body: Node
    index: Node

    def __str__(self) -> str:
        return f"{self.body} for {self.index}"


class Node:
    """One operation or leaf.

    Attributes:
        kind: "number" (data: fmpq), "symbol" (data: `Symbol`), "constant" (data: its name), "add", "mul" (data: a
            rational factor), "pow", "Sum" (args: first and last; data: `Terms`), a function, or one of PIECES.
    """

    __slots__ = ("args", "data", "depth", "key", "kind", "weight")

    def __init__(self, kind: str, args: tuple[Node, ...] = (), data: Any = None) -> None:
        tick(1 + len(args) // 16)
        self.kind, self.args, self.data = kind, args, data
        self.depth = 1 + max((a.depth for a in args), default=0)
        self.weight = 1 + sum(a.weight for a in args)
        require(self.depth <= 2 * DEPTH, "an expression is nested deeper than {}", 2 * DEPTH)
        require(self.weight <= WEIGHT, "an expression has more than {} parts", WEIGHT)
        own = (int(data.p), int(data.q)) if isinstance(data, fmpq) else _digest(str(data))
        self.key = hash((_digest(kind), own, *[a.key for a in args]))

    def __hash__(self) -> int:
        return self.key

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Node) or self.key != other.key:
            return False
        tick()  # two trees are walked, however much their parts share
        return self.kind == other.kind and self.data == other.data and self.args == other.args

    def __str__(self) -> str:
        if self.kind in ("number", "constant"):
            return str(self.data)
        if self.kind == "symbol":
            return self.data.name
        if self.weight > 200:
            return "a long expression"
        parts = [str(a) if a.weight == 1 else f"({a})" for a in self.args]
        sign = {"add": " + ", "mul": "*", "pow": "^"}.get(self.kind)
        if sign is None:
            return f"{self.kind}({', '.join(map(str, self.args))})"
        return sign.join([str(self.data), *parts] if self.kind == "mul" and self.data != 1 else parts)

    @property
    def is_number(self) -> bool:
        """Whether it is a rational number."""
        return self.kind == "number"


@lru_cache(maxsize=4096)
def _digest(text: str) -> int:
    """A hash that does not change from one process to the next, so that neither does the order of terms."""
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:7], "big")


def number(value: Any) -> Node:
    """A rational number."""
    return Node("number", (), bounded(fmpq(value) if isinstance(value, int) else value))


def bounded(value: Any) -> Any:
    """The number, unless it is too long to go on with."""
    require(max(value.p.bit_length(), value.q.bit_length()) <= BITS, "a number has more than {} bits", BITS)
    return value


ZERO, ONE, MINUS_ONE, HALF = number(0), number(1), number(-1), number(fmpq(1, 2))


def is_whole(e: Node) -> bool:
    """Whether it is an integer number."""
    return e.kind == "number" and e.data.q == 1


def is_nonnegative(e: Node) -> bool:
    """Whether a form can be seen not to be negative, wherever it has a value."""
    if e.kind == "number":
        return e.data >= 0
    if e.kind == "symbol":
        return e.data.is_nonnegative
    if e.kind in ("constant", "exp", "Abs", "cosh", "factorial"):
        return True
    if e.kind == "pow":
        even = is_whole(e.args[1]) and e.args[1].data.p % 2 == 0
        return even or is_nonnegative(e.args[0])
    return e.kind in ("add", "mul") and (e.data is None or e.data >= 0) and all(map(is_nonnegative, e.args))


def add(*terms: Node) -> Node:
    """A sum with like terms collected."""
    tick(1 + len(terms) // 16)
    constant, found, stack = fmpq(0), {}, list(reversed(terms))
    while stack:
        term = stack.pop()
        if term.kind == "add":
            tick(1 + len(term.args) // 16)
            stack.extend(reversed(term.args))
        elif term.kind == "number":
            constant = bounded(constant + term.data)
        else:
            factor, rest = split(term)
            found[rest] = bounded(found.get(rest, fmpq(0)) + factor)
    parts = [scaled(factor, rest) for rest, factor in found.items() if factor != 0]
    if constant != 0 or not parts:
        parts.append(number(constant))
    if len(parts) == 1:
        return parts[0]
    return Node("add", tuple(sorted(parts, key=hash)))


def split(term: Node) -> tuple[fmpq, Node]:
    """A term as a rational factor and the rest."""
    if term.kind != "mul" or term.data == 1:
        return fmpq(1), term
    return term.data, term.args[0] if len(term.args) == 1 else Node("mul", term.args, fmpq(1))


def scaled(factor: fmpq, rest: Node) -> Node:
    """A rational multiple of a form without a rational factor of its own."""
    if factor == 1:
        return rest
    return Node("mul", rest.args if rest.kind == "mul" else (rest,), factor)


def mul(*factors: Node) -> Node:
    """A product with powers of one base collected, and a rational factor drawn into a single sum."""
    tick(1 + len(factors) // 16)
    constant, powers, exponents, stack = fmpq(1), {}, [], list(reversed(factors))
    while stack:
        f = stack.pop()
        if f.kind == "mul":
            constant = bounded(constant * f.data)
            stack.extend(reversed(f.args))
        elif f.kind == "number":
            constant = bounded(constant * f.data)
        elif f.kind == "exp":
            exponents.append(f.args[0])
        else:
            base, exponent = f.args if f.kind == "pow" else (f, ONE)
            powers.setdefault(base, []).append(exponent)
    parts = [call("exp", add(*exponents))] if exponents else []
    for base, exponent in powers.items():
        parts.append(power(base, add(*exponent) if len(exponent) > 1 else exponent[0]))
    if any(p.kind in ("mul", "number") for p in parts):
        again = [q for p in parts for q in (p.args if p.kind == "mul" else (p,) if p.kind != "number" else ())]
        for p in parts:
            constant = bounded(constant * p.data) if p.kind in ("mul", "number") else constant
        return mul(number(constant), *again)
    if constant == 0 or not parts:
        return number(constant)
    if len(parts) == 1:
        if parts[0].kind == "add" and constant != 1:
            return add(*[mul(number(constant), term) for term in parts[0].args])
        return scaled(constant, parts[0])
    return Node("mul", tuple(sorted(parts, key=hash)), number(constant).data)


def power(base: Node, exponent: Node) -> Node:
    """A power; powers of powers and of products are joined or split where that holds for all real values."""
    if exponent.kind == "number":
        q = exponent.data
        require(max(abs(q.p), q.q) <= EXPONENT, "an exponent has a part beyond {}", EXPONENT)
        if q == 0 or q == 1:
            return ONE if q == 0 else base
        if base.kind == "number":
            return _number_power(base, q)
    if base == ONE:
        return ONE
    if base.kind == "exp":
        return call("exp", mul(base.args[0], exponent))
    if base.kind == "pow":
        inner, first = base.args
        rational = first.kind == "number" and exponent.kind == "number"
        if is_whole(exponent) or (rational and is_nonnegative(inner)):
            return power(inner, mul(first, exponent))
        if rational and is_whole(first) and first.data.p % 2 == 0:
            return power(call("Abs", inner), mul(first, exponent))
    if base.kind == "mul":
        parts = (*([number(base.data)] if base.data != 1 else []), *base.args)
        if is_whole(exponent) or (exponent.kind == "number" and all(map(is_nonnegative, parts))):
            return mul(*[power(part, exponent) for part in parts])
        if exponent.kind == "number" and base.data > 0 and base.data != 1:
            return mul(power(parts[0], exponent), power(mul(*base.args), exponent))
    return Node("pow", (base, exponent))


def _number_power(base: Node, q: fmpq) -> Node:
    """A rational power of a rational number: exact where it is rational."""
    value, whole = base.data, q.p // q.q
    if value == 1:
        return ONE
    if value == 0:
        return ZERO if q > 0 else Node("pow", (base, number(q)))
    if q.q == 1:
        bits = max(value.p.bit_length(), value.q.bit_length()) * abs(int(q.p))
        require(bits <= BITS, "a number has more than {} bits", BITS)
        return number(value ** int(q.p))
    if value < 0:
        return Node("pow", (base, number(q)))
    tops = [root(int(part), int(q.q)) for part in (value.p, value.q)]
    if None not in tops:
        return _number_power(number(fmpq(*tops)), fmpq(q.p))
    left = Node("pow", (base, number(q - whole)))
    return left if whole == 0 else Node("mul", (left,), _number_power(base, fmpq(whole)).data)


def root(value: int, degree: int) -> int | None:
    """The whole root of a whole number >= 0, or None."""
    if value < 2 or degree == 1:
        return value
    if degree >= value.bit_length():
        return None
    tick(1 + value.bit_length() // 64)
    found = fmpz(value).root(degree)
    return int(found) if found**degree == value else None


def call(name: str, *args: Node) -> Node:
    """A function of normal arguments, in normal form."""
    x = args[0]
    if name in ("Max", "Min"):
        return _choice(name, args)
    if name == "exp":
        return _exponential(x)
    if name == "log":
        return ZERO if x == ONE else x.args[0] if x.kind == "exp" else Node(name, (x,))
    if name in ("Abs", "floor"):
        return _absolute(x) if name == "Abs" else _floor(x)
    if name == "factorial" and is_whole(x) and 0 <= x.data <= MAX_FACTORIAL:
        return number(math.factorial(int(x.data.p)))
    if name in ("sign", "Heaviside") and x.kind == "number":
        sign = (x.data > 0) - (x.data < 0)
        at_zero = args[1] if len(args) == 2 else HALF
        return number(sign) if name == "sign" else at_zero if sign == 0 else number(max(sign, 0))
    if name == "Heaviside":
        return Node(name, args if len(args) == 2 else (x, HALF))
    if x == ZERO and name in ODD | {"cos", "cosh", "erfc"}:
        return ZERO if name in ODD else ONE
    if name in ODD | {"cos", "cosh"} and split(x)[0] < 0:
        return call(name, mul(MINUS_ONE, x)) if name not in ODD else mul(MINUS_ONE, call(name, mul(MINUS_ONE, x)))
    return Node(name, args)


def _exponential(x: Node) -> Node:
    """exp, with the logarithms in its argument undone."""
    if x == ZERO:
        return ONE
    rest, factors = [], []
    for term in x.args if x.kind == "add" else (x,):
        factor, base = split(term)
        if base.kind == "log":
            factors.append(power(base.args[0], number(factor)))
        else:
            rest.append(term)
    if not factors:
        return Node("exp", (x,))
    return mul(*factors, *([call("exp", add(*rest))] if rest else []))


def _absolute(x: Node) -> Node:
    if is_nonnegative(x):
        return x
    factor, rest = split(x) if x.kind != "number" else (x.data, ONE)
    outside = [part for part in (rest.args if rest.kind == "mul" else (rest,)) if is_nonnegative(part)]
    inside = [part for part in (rest.args if rest.kind == "mul" else (rest,)) if not is_nonnegative(part)]
    kept = [Node("Abs", (mul(*inside),))] if inside else []
    return mul(number(abs(factor)), *outside, *kept)


def _floor(x: Node) -> Node:
    """The greatest whole number up to x; a whole number in a sum is taken out of it, a whole symbol is not."""
    constant = next((a.data for a in (x.args if x.kind == "add" else (x,)) if a.kind == "number"), fmpq(0))
    whole = number(int(constant.p // constant.q))
    return whole if x.is_number else add(whole, Node("floor", (subtract(x, whole),)))


def _choice(name: str, args: Iterable[Node]) -> Node:
    """The greatest or least of several, each once, numbers joined."""
    flat = [part for a in args for part in (a.args if a.kind == name else (a,))]
    numbers = [a.data for a in flat if a.kind == "number"]
    parts = dict.fromkeys(a for a in flat if a.kind != "number")
    if numbers:
        parts[number((max if name == "Max" else min)(numbers))] = None
    if len(parts) == 1:
        return next(iter(parts))
    return Node(name, tuple(sorted(parts, key=hash)))


_BUILD = {"add": add, "mul": mul, "pow": power}


def build(kind: str, args: tuple[Node, ...], data: Any = None) -> Node:
    """The normal form of one operation on normal arguments."""
    if kind == "Sum" or kind in PIECES:
        return Node(kind, args, data)
    if kind in _BUILD:
        return mul(number(data), *args) if data is not None and data != 1 else _BUILD[kind](*args)
    return call(kind, *args)


def subtract(a: Node, b: Node) -> Node:
    """A difference."""
    return add(a, mul(MINUS_ONE, b))
