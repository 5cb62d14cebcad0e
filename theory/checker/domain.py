"""Where an expression has a value: its conditions, their enclosures, and its value at one exact point.

The rule of the whole project: a statement is proved only if every part of it is a real number at all points of its
range. Each operation that may have no value has one condition on its arguments, `Condition`; a proof discharges them
all. `value_at` walks the tree as it is written, so 1/(1 + 1/x) has no value at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from flint import arb, ctx, fmpq

from theory.checker.enclosure import (
    INFINITY,
    Box,
    Enclosure,
    Enclosures,
    SymbolRange,
    enclose,
    function,
    hull,
    powers,
    whole_number,
)
from theory.checker.limits import InvalidRecord, require, tick
from theory.checker.nodes import MINUS_ONE, ONE, PIECES, Node, add, is_whole, mul, number, power, subtract
from theory.checker.walks import MAX_SUM, normal, substitute


class Condition(NamedTuple):
    """What must hold of c for an operation to have a value; `sign` is ">", ">=" or "!="."""

    c: Node
    sign: str


class Undefined(InvalidRecord):
    """A part has no value at a point."""


def is_integral(e: Node, box: Box) -> bool:
    """Whether a form is an integer at all points of the box."""
    if e.kind == "number":
        return e.data.q == 1
    if e.kind == "symbol":
        return e in box and box[e].is_integer
    if e.kind == "pow":
        return is_integral(e.args[0], box) and is_whole(e.args[1]) and e.args[1].data > 0
    if e.kind == "floor":
        return True
    is_form = e.kind in ("add", "mul") and (e.data is None or e.data.q == 1)
    return is_form and all(is_integral(a, box) for a in e.args)


def own_conditions(e: Node, box: Box, enclosures: Enclosures, *, smooth: bool = False) -> list[Condition]:
    """What the outermost operation asks of its arguments.

    Args:
        e: the operation.
        box: where.
        enclosures: over the box; they decide which condition a symbolic exponent asks for.
        smooth: ask for a bounded slope as well, jumps excluded.
    """
    x = e.args[0] if e.args else e
    require(e.kind not in PIECES, "a choice among pieces is left")
    require(not (e.kind == "floor" and smooth), "a floor jumps from one whole number to the next")
    if e.kind == "Sum":
        _require_sum(e, box, enclosures, smooth=smooth)
    if e.kind == "log":
        return [Condition(x, ">")]
    if e.kind == "factorial":
        return [Condition(add(ONE, x), ">")]
    if e.kind in ("asin", "acos"):
        sign = ">" if smooth else ">="
        return [Condition(add(ONE, x), sign), Condition(subtract(ONE, x), sign)]
    if e.kind in ("sign", "Heaviside") and smooth:
        return [Condition(x, "!=")]
    if e.kind != "pow":
        return []
    exponent = e.args[1]
    if exponent.kind == "number":
        q = exponent.data
        if q.q == 1:
            return [Condition(x, "!=")] if q < 0 else []
        return [Condition(x, ">" if q < 0 or smooth else ">=")]
    if is_integral(exponent, box) and not smooth:
        return [] if enclosures(exponent).low >= 0 else [Condition(x, "!=")]
    return [Condition(x, ">=" if enclosures(exponent).is_positive and not smooth else ">")]


def _require_sum(e: Node, box: Box, enclosures: Enclosures, *, smooth: bool) -> None:
    """Raise InvalidRecord unless a sum has a whole number of terms, at least none, each with a value."""
    low, high = e.args
    require(not smooth, "a sum jumps from one number of terms to the next")
    require(is_integral(high, box) and enclosures(high).low >= low.data - 1, "a sum may have no number of terms")
    body, index = e.data
    terms = {index: SymbolRange(low.data, INFINITY, is_integer=True)}
    require(not open_conditions(body, terms), "a term of a sum may have no value")


def conditions(e: Node, box: Box, *, smooth: bool = False) -> list[Condition]:
    """All conditions of an expression, those of the whole before those of its parts."""
    enclosures, found, known = Enclosures(box), {}, {}
    stack, seen = [e], set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        form = _normal_arguments(node, known)
        for condition in own_conditions(form, box, enclosures, smooth=smooth):
            found[condition] = None
        stack.extend(reversed(node.args))
    return list(found)


def _normal_arguments(node: Node, known: dict[Node, Node]) -> Node:
    """An operation on the normal forms of its arguments; `known` has those of all parts met so far."""
    return Node(node.kind, tuple([substitute(a, {}, known) for a in node.args]), node.data) if node.args else node


def holds_by_enclosure(condition: Condition, enclosures: Callable[[Node], Enclosure]) -> bool:
    """Whether interval arithmetic discharges a condition."""
    x = enclosures(condition.c)
    if condition.sign == "!=":
        return x.is_nonzero
    return x.is_positive or (condition.sign == ">=" and x.low >= 0)


def open_conditions(e: Node, box: Box, *, smooth: bool = False) -> list[Condition]:
    """The conditions of an expression that interval arithmetic over the box leaves open."""
    enclosures = Enclosures(box)
    return [c for c in conditions(e, box, smooth=smooth) if not holds_by_enclosure(c, enclosures)]


def positive_forms(condition: Condition) -> list[Node]:
    """The expressions of which any one being positive (or not negative, for >=) gives the condition."""
    c = condition.c
    return [c] if condition.sign != "!=" else [c, mul(MINUS_ONE, c), power(c, number(2))]


class Value(NamedTuple):
    """A number: exact, or an enclosure and the symbol-free form that it encloses."""

    exact: fmpq | None
    interval: Enclosure
    form: Node


def value_at(e: Node, point: Mapping[Node, fmpq], is_zero: Callable[[Node], bool], known=None) -> Value:
    """The value of an expression as written. Raises Undefined where a part has none at the point."""
    known = {} if known is None else known
    if e not in known:
        tick()
        known[e] = _value(e, point, is_zero, known)
    return known[e]


def _value(e: Node, point: Mapping[Node, fmpq], is_zero: Callable[[Node], bool], known) -> Value:
    if e.kind == "number":
        return _rational(e.data)
    if e.kind == "symbol":
        require(e in point, "the point lacks {}", e)
        return _rational(point[e])
    if e.kind == "constant":
        return Value(None, enclose(e, {}), e)
    if e.kind in PIECES:
        return _chosen_at(e, point, is_zero, known)
    parts = [value_at(a, point, is_zero, known) for a in e.args]
    if e.kind == "Sum":
        return _sum_at(e, parts, is_zero)
    _require_defined(e, parts, is_zero)
    settled = _floor_at(parts[0], is_zero) if e.kind == "floor" else _settled(e.kind, parts)
    if settled is not None:
        return settled
    form = normal(Node(e.kind, tuple(p.form for p in parts), e.data))
    if form.kind == "number":
        return _rational(form.data)
    if e.kind == "pow":
        return Value(None, powers(parts[1].form, parts[0].interval, parts[1].interval), form)
    if e.kind in ("add", "mul"):
        return Value(None, enclose(form, {}), form)
    return Value(None, function(e.kind, [p.interval for p in parts]), form)


def _sum_at(e: Node, ends: list[Value], is_zero: Callable[[Node], bool]) -> Value:
    """The value of a sum: that of the sum of all its terms."""
    low, high = ends[0].exact, ends[1].exact
    if low is None or high is None or high.q != 1:
        raise InvalidRecord("a sum without a whole last index")
    require(-1 <= high - low < MAX_SUM, "a sum has more than {} terms", MAX_SUM)
    body, index = e.data
    found = [value_at(body, {index: low + j}, is_zero) for j in range(int((high - low).p) + 1)]
    form = add(*[part.form for part in found])
    return _rational(form.data) if form.is_number else Value(None, enclose(form, {}), form)


def _chosen_at(e: Node, point: Mapping[Node, fmpq], is_zero: Callable[[Node], bool], known) -> Value:
    """The value of the piece that a choice takes at a point; the other piece need have none."""
    _demand(e.kind == "choice", e)
    left, right = (value_at(side, point, is_zero, known) for side in e.args[:2])
    sign = compared(left, right, is_zero)
    is_taken = {">": sign > 0, ">=": sign >= 0, "==": sign == 0}[e.data]
    return value_at(e.args[2 if is_taken else 3], point, is_zero, known)


def compared(left: Value, right: Value, is_zero: Callable[[Node], bool]) -> int:
    """The certain sign of one number less another. Raises InvalidRecord where it cannot be told."""
    if left.exact is not None and right.exact is not None:
        return int(left.exact > right.exact) - int(left.exact < right.exact)
    form = subtract(left.form, right.form)
    return sign_of(Value(form.data if form.is_number else None, enclose(form, {}), form), is_zero)


def _floor_at(x: Value, is_zero: Callable[[Node], bool]) -> Value:
    """The greatest whole number up to a number; next to a whole one, the certain sign of the distance tells."""
    if x.exact is not None:
        return _rational(fmpq(x.exact.floor()))
    low, high = (whole_number(end.floor()) for end in x.interval[:2])
    is_near = low is not None and high is not None and high - low <= 1
    if not is_near:
        raise InvalidRecord("the whole part of a number at the point cannot be told")
    is_below = low < high and compared(x, _rational(fmpq(high)), is_zero) < 0
    return _rational(fmpq(low if is_below else high))


def _settled(kind: str, parts: list[Value]) -> Value | None:
    """The value of a choice or a step where enclosures show which: Min(1, cosh(1/2)) is 1, exactly."""
    x, first = parts[0], parts[0].interval
    if kind == "Max":
        return next((p for p in parts if all(p is q or p.interval.low >= q.interval.high for q in parts)), None)
    if kind == "Min":
        return next((p for p in parts if all(p is q or p.interval.high <= q.interval.low for q in parts)), None)
    if kind not in ("Abs", "sign", "Heaviside") or not (first.low > 0 or first.high < 0):
        return None
    if kind == "Abs":
        if first.low > 0:
            return x
        turned = Enclosure(-first.high, -first.low)
        return _rational(-x.exact) if x.exact is not None else Value(None, turned, mul(MINUS_ONE, x.form))
    low = 0 if kind == "Heaviside" else -1
    return _rational(fmpq(1 if first.low > 0 else low))


def _rational(q: fmpq) -> Value:
    return Value(q, hull(arb(q)), number(q))


def _require_defined(e: Node, parts: list[Value], is_zero: Callable[[Node], bool]) -> None:
    """Raise Undefined unless the operation certainly has a value at these arguments."""
    x = parts[0]
    if e.kind == "log":
        _demand(sign_of(x, is_zero) > 0, e)
    if e.kind == "factorial":
        side = add(ONE, x.form)
        _demand(sign_of(Value(None, enclose(side, {}), side), is_zero) > 0, e)
    if e.kind in ("asin", "acos"):
        for side in (add(ONE, x.form), subtract(ONE, x.form)):
            _demand(sign_of(Value(None, enclose(side, {}), side), is_zero) >= 0, e)
    if e.kind != "pow":
        return
    exponent = parts[1]
    if exponent.exact is not None and exponent.exact.q == 1:
        _demand(exponent.exact >= 0 or sign_of(x, is_zero) != 0, e)
        return
    sign = sign_of(x, is_zero)
    if exponent.exact is None and sign < 0:
        raise InvalidRecord(f"whether {e} has a value at the point cannot be told")
    _demand(sign > 0 or (sign == 0 and sign_of(exponent, is_zero) > 0), e)


def _demand(condition: bool, e: Node) -> None:
    if not condition:
        raise Undefined(f"undefined: {e if e.weight < 50 else e.kind} has no value at the point")


def sign_of(value: Value, is_zero: Callable[[Node], bool]) -> int:
    """The certain sign of a number. Raises InvalidRecord where it cannot be told."""
    if value.exact is not None:
        return int(value.exact > 0) - int(value.exact < 0)
    x = value.interval
    for bits in (None, 1024):
        if bits is not None:
            if is_zero(value.form):
                return 0
            with ctx.workprec(bits):
                x = enclose(value.form, {})
        if x.low > 0 or x.high < 0:
            return 1 if x.low > 0 else -1
    raise InvalidRecord("the sign of a number at the point cannot be told")
