"""Derivatives of the checker's own.

The slope of a choice is a step: of Max(x, 0) it is Heaviside(x), of |x| it is sign(x). Its enclosure over a kink
contains all slopes beside it, which is what faces and the mean-value form ask for.
"""

from __future__ import annotations

from collections.abc import Callable

from theory.checker.limits import InvalidRecord
from theory.checker.nodes import HALF, MINUS_ONE, ONE, ZERO, Node, add, call, mul, number, power, subtract

_TWO = number(2)
_PI = Node("constant", (), "pi")


def _gauss(x: Node, sign: int) -> Node:
    return mul(number(2 * sign), power(_PI, mul(HALF, MINUS_ONE)), call("exp", mul(MINUS_ONE, power(x, _TWO))))


def _over_root(x: Node, sign: int) -> Node:
    return mul(number(sign), power(subtract(ONE, power(x, _TWO)), mul(HALF, MINUS_ONE)))


_SLOPES: dict[str, Callable[[Node], Node]] = {
    "exp": lambda x: call("exp", x),
    "log": lambda x: power(x, MINUS_ONE),
    "Abs": lambda x: call("sign", x),
    "sin": lambda x: call("cos", x),
    "cos": lambda x: mul(MINUS_ONE, call("sin", x)),
    "tanh": lambda x: subtract(ONE, power(call("tanh", x), _TWO)),
    "sinh": lambda x: call("cosh", x),
    "cosh": lambda x: call("sinh", x),
    "atan": lambda x: power(add(power(x, _TWO), ONE), MINUS_ONE),
    "asin": lambda x: _over_root(x, 1),
    "acos": lambda x: _over_root(x, -1),
    "erf": lambda x: _gauss(x, 1),
    "erfc": lambda x: _gauss(x, -1),
}


def derivative(e: Node, symbol: Node, known: dict[Node, Node] | None = None) -> Node:
    """The derivative by one symbol. Raises InvalidRecord for a step, which has none."""
    known = {} if known is None else known
    if e not in known:
        known[e] = _derivative(e, symbol, known)
    return known[e]


def _derivative(e: Node, symbol: Node, known: dict[Node, Node]) -> Node:
    if not e.args:
        return ONE if e == symbol else ZERO
    slopes = [derivative(a, symbol, known) for a in e.args]
    if all(slope == ZERO for slope in slopes):
        return ZERO
    if e.kind == "add":
        return add(*slopes)
    if e.kind == "mul":
        rest = [[*e.args[:i], *e.args[i + 1 :]] for i in range(len(e.args))]
        parts = [mul(number(e.data), slope, *others) for slope, others in zip(slopes, rest, strict=True)]
        return add(*parts)
    if e.kind == "pow":
        base, exponent = e.args
        if slopes[1] == ZERO:
            return mul(exponent, power(base, subtract(exponent, ONE)), slopes[0])
        inner = add(mul(slopes[1], call("log", base)), mul(exponent, slopes[0], power(base, MINUS_ONE)))
        return mul(e, inner)
    if e.kind in ("Max", "Min"):
        return _choice(e, symbol, known)
    if e.kind not in _SLOPES:
        raise InvalidRecord(f"a step {e.kind} has no slope, only a jump (DiracDelta)")
    return mul(_SLOPES[e.kind](e.args[0]), slopes[0])


def _choice(e: Node, symbol: Node, known: dict[Node, Node]) -> Node:
    """The slope of the greater (or lesser) of the first argument and the choice among the others.

    Two at a time: the weights of both then add up to 1 even where all arguments are equal on a whole range.
    """
    first, rest = e.args[0], call(e.kind, *e.args[1:])
    gap = subtract(first, rest) if e.kind == "Max" else subtract(rest, first)
    parts = ((gap, first), (mul(MINUS_ONE, gap), rest))
    return add(*[mul(call("Heaviside", side, HALF), derivative(part, symbol, known)) for side, part in parts])
