"""Expressions of the checker written by hand: nodes as a record would be read, not yet in normal form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flint import arb, fmpq

from theory.checker.enclosure import INFINITY, MINUS_INFINITY, SymbolRange
from theory.checker.nodes import Node
from theory.checker.parser import read_symbol

x, y, z = (read_symbol(f"Symbol('{name}', real=True)") for name in "xyz")
p, q = (read_symbol(f"Symbol('{name}', positive=True)") for name in "pq")
n, m = (read_symbol(f"Symbol('{name}', integer=True)") for name in "nm")
PI = Node("constant", (), "pi")


def N(top: int, bottom: int = 1) -> Node:
    return Node("number", (), fmpq(top, bottom))


def of(value: Any) -> Node:
    return value if isinstance(value, Node) else N(value.p, value.q) if isinstance(value, fmpq) else N(value)


def A(*terms: Any) -> Node:
    return Node("add", tuple(map(of, terms)))


def M(*factors: Any) -> Node:
    return Node("mul", tuple(map(of, factors)), fmpq(1))


def P(base: Any, exponent: Any, bottom: int = 1) -> Node:
    return Node("pow", (of(base), N(exponent, bottom) if isinstance(exponent, int) else exponent))


def F(name: str, *args: Any) -> Node:
    return Node(name, tuple(map(of, args)))


def R(low: Any = None, high: Any = None, opened: str = "", whole: bool = False) -> SymbolRange:
    """A range: None is an infinite end, `opened` has "<" for an excluded low end and ">" for a high one."""
    ends = [end if end is None or isinstance(end, fmpq) else fmpq(end) for end in (low, high)]
    return SymbolRange(
        MINUS_INFINITY if ends[0] is None else ends[0], INFINITY if ends[1] is None else ends[1],
        "<" in opened, ">" in opened, whole,
    )  # fmt: skip


_FUNCTIONS = {"exp", "log", "sin", "cos", "tanh", "sinh", "cosh", "atan", "asin", "acos", "erf", "erfc"}


def value(e: Node, at: Mapping[Node, Any]) -> arb:
    """What an expression is worth at a point, by definitions and by code that the checker does not share.

    NaN where it has no real value.
    """
    if e.kind == "number":
        return arb(e.data)
    if e.kind == "symbol":
        return arb(at[e])
    if e.kind == "constant":
        return arb.pi() if e.data == "pi" else arb.const_euler()
    parts = [value(a, at) for a in e.args]
    first = parts[0]
    if e.kind == "add":
        return sum(parts, arb(0))
    if e.kind == "mul":
        total = arb(e.data)
        for part in parts:
            total *= part
        return total
    if e.kind == "pow":
        return _power(first, parts[1], e.args[1])
    if e.kind in _FUNCTIONS:
        return getattr(first, e.kind)()
    if e.kind in ("Max", "Min"):
        best = first
        for part in parts[1:]:
            best = best.max(part) if e.kind == "Max" else best.min(part)
        return best
    if e.kind == "Abs":
        return abs(first)
    if e.kind == "floor":
        return first.floor()
    if e.kind == "factorial":
        return (first + 1).gamma()
    sign = int(first > 0) - int(first < 0)
    if e.kind == "sign":
        return arb(sign)
    if e.kind == "Heaviside":
        return arb(max(sign, 0)) if sign else parts[1] if len(parts) == 2 else arb(1) / 2
    raise ValueError(e.kind)


def _power(base: arb, exponent: arb, written: Node) -> arb:
    if written.kind == "number" and written.data.q == 1:
        return base ** int(written.data.p)
    if base == 0:
        return arb(0) if exponent > 0 else arb("nan")
    return (base.log() * exponent).exp()


def text(e: Node) -> str:
    """An expression as a record writes it."""
    if e.kind == "number":
        return f"Rational({e.data.p}, {e.data.q})"
    if e.kind == "symbol":
        said = "".join(f", {kind}={value}" for kind, value in e.data.assumptions)
        return f"Symbol('{e.data.name}'{said})"
    if e.kind == "constant":
        return str(e.data)
    if e.kind == "Sum":
        return f"Sum({text(e.data.body)}, Tuple({text(e.data.index)}, {text(e.args[0])}, {text(e.args[1])}))"
    name = {"add": "Add", "mul": "Mul", "pow": "Pow"}.get(e.kind, e.kind)
    parts = [text(a) for a in e.args]
    if e.kind == "mul" and e.data != 1:
        parts = [text(N(e.data.p, e.data.q)), *parts]
    return f"{name}({', '.join(parts)})"


def words(value: Any) -> str:
    """The name of a case: the same in every process, where a function would show its place in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))
