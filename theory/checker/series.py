"""Taylor expansion of an expression in one symbol, with its remainder: the step `taylor`.

e(s) = c_0 + c_1 h + ... + c_(n-1) h^(n-1) + R h^n with h = s - at, where c_k are the coefficients at `at` and R is
enclosed by the n-th coefficient over the whole range (Lagrange). Where the first m coefficients vanish identically,
e = h^m (c_m + ... + R h^(n-m)), and the sum in parentheses decides: that is how an equality at an end is left behind.
Coefficients come from Arb's power series, other symbols as balls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flint import arb, arb_series, ctx, fmpq

from theory.checker.calculus import derivative
from theory.checker.domain import open_conditions
from theory.checker.enclosure import Box, Enclosure, SymbolRange, ball, enclose, hull, sums, times
from theory.checker.goal import Check, ReplayGoal, Step, keeps, read_part, shows, symbol_of, without
from theory.checker.limits import InvalidRecord, require, tick
from theory.checker.nodes import HALF, MINUS_ONE, Node, add, call, is_whole, mul, number, power, subtract
from theory.checker.parser import read_rational
from theory.checker.walks import substitute, symbols
from theory.checker.zero import ZeroTest

_MAX_ORDER = 40
_MAX_ZEROS = 8
_MAX_FACTORIALS = 20


def taylor(node: Step, goal: ReplayGoal, check: Check) -> None:
    """The bracket of the expansion is positive, and so is the power of h before it."""
    s, at, n, m = symbol_of(node["symbol"], goal.box), read_rational(node["at"]), node["order"], node["zeros"]
    r = goal.box[s]
    require(type(n) is int and type(m) is int and 0 <= m <= _MAX_ZEROS and m < n <= _MAX_ORDER, "taylor: an order")
    require(r.is_bounded and r.low <= at <= r.high, "taylor: {} does not lie in a bounded range", node["at"])
    closed = goal.box | {s: SymbolRange(r.low, r.high)}
    require(not open_conditions(goal.e, closed, smooth=True), "taylor: {} may jump", goal.e)
    _require_zeros(goal.e, s, at, m, goal.box)
    require(m % 2 == 0 or at == r.low or at == r.high, "taylor: the power changes its sign")
    # An excluded end at which e vanishes is no point of the goal; any other centre is one.
    is_apart = m == 0 or (at == r.low and r.is_open) or (at == r.high and r.is_open_above)
    require(is_apart or not goal.strict, "taylor: {} vanishes inside", goal.e)
    bracket = _bracket(goal.e, s, at, goal.box, n, m)
    if m % 2 and at == r.high and r.low < r.high:
        bracket = Enclosure(-bracket.high, -bracket.low)
    require(shows(bracket, goal.strict), "taylor: {} may be negative", goal.e)


def stirling(node: Step, goal: ReplayGoal, check: Check) -> None:
    """e is a sum of multiples of bounds of log x! for x > 0, which are > 0, and of a rest."""
    rows, rest, test = node["terms"], read_part(node["rest"], goal.box), ZeroTest(goal.box)
    require(isinstance(rows, list) and 0 < len(rows) <= _MAX_FACTORIALS, "stirling: no short list of terms")
    parts = [rest]
    for row in rows:
        require(isinstance(row, list) and len(row) == 2, "stirling: a term is no pair")
        x, factor = read_part(row[0], goal.box), read_rational(row[1])
        require(factor != 0, "stirling: a term without weight")
        require(enclose(x, goal.box).is_positive and not open_conditions(x, goal.box), "stirling: {} may not be > 0", x)
        parts.append(mul(number(abs(factor)), _stirling_bound(x, below=factor > 0)))
    require(keeps(rest, goal, test), "stirling: {} may have no value", rest)
    require(test.is_zero(subtract(add(*parts), goal.e)), "stirling: not the sum of the terms")
    check(node["proof"], replace(goal, e=rest, strict=False))


def _stirling_bound(x: Node, *, below: bool) -> Node:
    """What is > 0: log x! less the series up to -1/(360 x^3), or the series up to 1/(12 x) less log x!.

    The remainder of Stirling's series has the sign of the first term left out, and is less [DLMF, 5.11(ii)].
    """
    half_log = mul(HALF, call("log", mul(number(2), Node("constant", (), "pi"), x)))
    series = add(mul(x, call("log", x)), mul(MINUS_ONE, x), half_log, mul(number(fmpq(1, 12)), power(x, MINUS_ONE)))
    value = call("log", call("factorial", x))
    longer = subtract(series, mul(number(fmpq(1, 360)), power(x, number(-3))))
    return subtract(value, longer) if below else subtract(series, value)


def _require_zeros(e: Node, s: Node, at: fmpq, m: int, box: Box) -> None:
    """Raise InvalidRecord unless the first m derivatives vanish at `at`, whatever the other symbols are."""
    test = ZeroTest(without(box, s))
    for _ in range(m):
        require(test.is_zero(substitute(e, {s: number(at)})), "taylor: a coefficient may differ from 0")
        e = derivative(e, s)


def _bracket(e: Node, s: Node, at: fmpq, box: Box, n: int, m: int) -> Enclosure:
    r = box[s]
    others = {x: _as_ball(v) for x, v in without(box, s).items() if x in symbols(e)}
    near = coefficients(e, s, arb(at), others, n)
    far = coefficients(e, s, ball(r.low).union(ball(r.high)), others, n + 1)
    h = hull(arb(r.low - at), arb(r.high - at))
    total = hull(far[n])
    for k in reversed(range(m, n)):
        total = sums(times(total, h), hull(near[k]))
    return total


def _as_ball(r: SymbolRange) -> arb:
    require(r.is_bounded, "taylor: the box is not bounded")
    return ball(r.low).union(ball(r.high))


def coefficients(e: Node, s: Node, at: arb, others: dict[Node, arb], count: int) -> list[arb]:
    """The first Taylor coefficients of e at every point of a ball. Raises InvalidRecord where one is not finite."""
    before = ctx.cap
    ctx.cap = count
    try:
        known = {x: arb_series([value], prec=count) for x, value in others.items()}
        known[s] = arb_series([at, 1], prec=count)
        series = _series(e, known, count)
        require(series.prec >= count, "taylor: coefficients are missing")
        found = list(series.coeffs())[:count]
    finally:
        ctx.cap = before
    found += [arb(0)] * (count - len(found))
    require(all(c.is_finite() for c in found), "taylor: a coefficient is not finite")
    return found


def _series(e: Node, known: dict[Node, Any], count: int) -> Any:
    if e not in known:
        tick(count)
        known[e] = _value(e, known, count)
    return known[e]


def _value(e: Node, known: dict[Node, Any], count: int) -> Any:
    if e.kind == "number":
        return arb_series([arb(e.data)], prec=count)
    if e.kind == "constant":
        return arb_series([arb.pi() if e.data == "pi" else arb.const_euler()], prec=count)
    tick(len(e.args) * count)
    parts = [_series(a, known, count) for a in e.args]
    if e.kind == "add":
        return sum(parts[1:], parts[0])
    if e.kind == "mul":
        total = arb_series([arb(e.data)], prec=count)
        for part in parts:
            total = total * part
        return total
    if e.kind == "pow":
        return _power(e, parts)
    rule = _RULES.get(e.kind)
    if rule is None:
        raise InvalidRecord(f"taylor: {e.kind} has no expansion")
    return rule(parts[0])


def _power(e: Node, parts: list[Any]) -> Any:
    base, exponent = parts
    if is_whole(e.args[1]) and abs(int(e.args[1].data.p)) <= 200:
        n = int(e.args[1].data.p)
        total, square = arb_series([1], prec=ctx.cap), base if n > 0 else base.inv()
        n = abs(n)
        while n:
            total, square, n = total * square if n % 2 else total, square * square, n // 2
        return total
    return (base.log() * exponent).exp()


def _absolute(x: Any) -> Any:
    first = x.coeffs()[0] if x.length() else arb(0)
    require(first > 0 or first < 0, "taylor: an absolute value has no expansion where it bends")
    return x if first > 0 else -x


def _tanh(x: Any) -> Any:
    twice = (x + x).exp()
    return (twice - 1) * (twice + 1).inv()


_RULES: dict[str, Callable[[Any], Any]] = {
    "exp": lambda x: x.exp(), "log": lambda x: x.log(), "sin": lambda x: x.sin(), "cos": lambda x: x.cos(),
    "atan": lambda x: x.atan(), "asin": lambda x: x.asin(), "acos": lambda x: x.acos(), "erf": lambda x: x.erf(),
    "erfc": lambda x: x.erfc(), "tanh": _tanh, "sinh": lambda x: (x.exp() - (-x).exp()) / 2,
    "cosh": lambda x: (x.exp() + (-x).exp()) / 2, "Abs": _absolute,
}  # fmt: skip
