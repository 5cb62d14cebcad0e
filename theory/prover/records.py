"""What a screen or a rule needs to know of a record, beside whether it replays.

Texts are read by the checker's grammar. The way from its nodes to sympy is a closed table: nothing is called by a name
that a text holds.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

import sympy as sp
from flint import ctx, fmpq
from sympy.core.facts import InconsistentAssumptions

from theory import failures
from theory.checker.domain import Value, value_at
from theory.checker.enclosure import enclose
from theory.checker.limits import metered, require
from theory.checker.lists.convex_steps import second_derivative
from theory.checker.nodes import Node, subtract
from theory.checker.parser import read_end, read_expression, read_rational, read_relation, read_symbol
from theory.checker.replay import InvalidRecord, replay
from theory.checker.statement import read_box
from theory.checker.walks import normal, symbols
from theory.checker.zero import ZeroTest
from theory.dummies import renumbered

_SYMBOL = re.compile(r"Symbol\('[^']*'(?:, \w+=(?:True|False))*\)")
_ALONE = re.compile(rf'"({_SYMBOL.pattern})"')
_SAID = re.compile(r"(\w+)=(True|False)")
_BITS = 256
_TRIES = 40
_TOLD = 4
_SIMPLE = [fmpq(*pair) for pair in ((2, 1), (3, 1), (1, 2), (5, 1), (1, 7), (-2, 1), (-1, 3), (4, 1), (-3, 1), (0, 1))]

_SYMPY: dict[str, Callable[..., Any]] = {
    "add": sp.Add, "mul": sp.Mul, "pow": sp.Pow, "exp": sp.exp, "log": sp.log, "Abs": sp.Abs, "sign": sp.sign,
    "Heaviside": sp.Heaviside, "sin": sp.sin, "cos": sp.cos, "tanh": sp.tanh, "sinh": sp.sinh, "cosh": sp.cosh,
    "atan": sp.atan, "asin": sp.asin, "acos": sp.acos, "erf": sp.erf, "erfc": sp.erfc, "Max": sp.Max, "Min": sp.Min,
    "floor": partial(sp.floor, evaluate=False), "nowhere": lambda: sp.nan,
    "factorial": partial(sp.factorial, evaluate=False),  # a stranger's record may ask for that of a large number
}  # fmt: skip
_CONSTANTS = {"pi": sp.pi, "EulerGamma": sp.EulerGamma}


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    """The record with a digest of its content, so that any later change shows.

    Its new symbols are numbered in order, and those of the statement written as its ranges have them: sympy takes a
    symbol of the same name and facts for the same, however they were said, and keeps expressions of earlier statements.
    """
    record = json.loads(_spelled(renumbered(json.dumps(record))))
    return record | {"digest": hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()}


def _spelled(text: str) -> str:
    """A record's text with each symbol spelled as where it first stands by itself."""
    alone = dict.fromkeys(_ALONE.findall(text))
    strange = [other for other in dict.fromkeys(_SYMBOL.findall(text)) if other not in alone]
    symbols = {_symbol(one): one for one in reversed(alone)} if strange or len(alone) > 1 else {}
    forms = {other: symbols.get(_symbol(other), other) for other in (*strange, *alone)}
    return _SYMBOL.sub(lambda found: forms.get(found[0], found[0]), text)


def _symbol(text: str) -> sp.Symbol | str:
    """The symbol that a text spells; the text where no symbol can be so."""
    try:
        return sp.Symbol(text.split("'")[1], **{name: said == "True" for name, said in _SAID.findall(text)})
    except InconsistentAssumptions:
        return text


def replayed_record(body: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """A record and what it has shown once the independent checker has replayed it; None and why where it refuses."""
    record = sealed(body)
    try:
        return record, replay(json.loads(json.dumps(record)))
    except InvalidRecord as refusal:
        failures.count(f"replay of what is {body['verdict']}", refusal)
        return None, str(refusal)


def is_replayed(body: dict[str, Any]) -> bool:
    """Whether the independent checker takes a record of which it is not known that it must."""
    try:
        replay(json.loads(json.dumps(sealed(body))))
    except InvalidRecord:
        return False
    return True


def has_two_derivatives(function: str, symbol: str, rows: list[list[str]]) -> bool:
    """Whether the checker finds two derivatives of a function in a symbol, at all points of a box."""
    with metered():
        try:
            second_derivative(read_expression(function), read_symbol(symbol), read_box(rows))
        except InvalidRecord:
            return False
    return True


def shown(text: str) -> str:
    """An expression as people write it. Raises InvalidRecord on what the grammar does not know."""
    with metered():
        return str(to_sympy(normal(read_expression(text))))


def shown_point(rows: Any) -> str:
    """A point as people write it: x = 1/2, y = 3."""
    require(isinstance(rows, list) and all(isinstance(row, list) and len(row) == 2 for row in rows), "not a point")
    return ", ".join(f"{read_symbol(symbol)} = {read_rational(value)}" for symbol, value in rows)


def shown_cover(record: dict[str, Any]) -> str:
    """Why no constants serve, from a refuted record with `exists`: each piece with its witness, the first few told."""
    ranges = {read_symbol(s): (read_end(low), read_end(high)) for s, low, high in record["exists"]}
    pieces = list(itertools.islice(_pieces(record["cover"], ranges), _TOLD + 1))
    more = "; and so on" if len(pieces) > _TOLD else ""
    return "; ".join(pieces[:_TOLD]) + more


def _pieces(node: dict[str, Any], ranges: dict[Node, tuple[Any, Any]]) -> Iterator[str]:
    if "cut" in node:
        s, at = read_symbol(node["cut"]), read_rational(node["at"])
        low, high = ranges[s]
        yield from _pieces(node["below"], ranges | {s: (low, at)})
        yield from _pieces(node["above"], ranges | {s: (at + 1 if s.data.is_integer else at, high)})
        return
    where = ", ".join(f"{s} in [{low}, {high}]" for s, (low, high) in ranges.items())
    at = ", ".join(f"{read_symbol(s)} = {shown(witness)}" for s, witness in node["at"])
    yield f"for {where} it fails{f' at {at}' if at else ''}"


def to_sympy(e: Node) -> sp.Expr:
    """A node as a sympy expression."""
    if e.kind == "number":
        return sp.Rational(int(e.data.p), int(e.data.q))
    if e.kind == "constant":
        return _CONSTANTS[e.data]
    if e.kind == "symbol":
        return sp.Symbol(e.data.name, **dict(e.data.assumptions))
    args = [to_sympy(a) for a in e.args]
    if e.kind == "choice":
        holds = {">": sp.Gt, ">=": sp.Ge, "==": sp.Eq}[e.data](*args[:2], evaluate=False)
        return sp.Piecewise((args[2], holds), (args[3], True), evaluate=False)
    if e.kind == "Sum":
        body, index = (to_sympy(part) for part in e.data)
        return sp.Sum(body, (index, *args))
    return _SYMPY[e.kind](*args) if e.kind != "mul" else sp.Rational(int(e.data.p), int(e.data.q)) * sp.Mul(*args)


@lru_cache(maxsize=512)
def read_as(e: sp.Expr, values: tuple[sp.Expr, ...]) -> sp.Expr | None:
    """Which of some other expressions the checker cannot tell from e, as it writes both alike; None where none is."""
    with metered():
        try:
            form = normal(read_expression(sp.srepr(e)))
            return next((v for v in values if v != e and normal(read_expression(sp.srepr(v))) == form), None)
        except InvalidRecord:
            return None


def difference_at(record: dict[str, Any]) -> str:
    """Left side minus right side at the point of a refuted record: exact, or to twenty digits."""
    relation = read_relation(record["relation"])
    if relation.sign in ("true", "false"):
        return "0"
    point = {read_symbol(symbol): read_rational(value) for symbol, value in record["point"]}
    with ctx.workprec(_BITS), metered():
        value = _difference(relation.left, relation.right, point)
    if value.exact is not None:
        return str(value.exact)
    return ((value.interval.low + value.interval.high) / 2).str(20, radius=False)


def agree(first: str, second: str) -> bool | None:
    """Whether two expressions are equal (a rigorous zero test), differ at a point for certain, or neither is known."""
    if first == second:
        return True
    with ctx.workprec(_BITS), metered():
        left, right = read_expression(first), read_expression(second)
        if ZeroTest().is_zero(subtract(normal(left), normal(right))):
            return True
        for point in _points(symbols(left) | symbols(right)):
            try:
                value = _difference(left, right, point)
            except InvalidRecord:
                continue
            apart = value.exact != 0 if value.exact is not None else value.interval.is_nonzero
            if apart:
                return False
    return None


def _difference(left: Node, right: Node, point: dict[Node, fmpq]) -> Value:
    is_zero = ZeroTest().is_zero
    known: dict[Node, Value] = {}
    a, b = (value_at(side, point, is_zero, known) for side in (left, right))
    form = subtract(a.form, b.form)
    if form.is_number:
        return Value(form.data, enclose(form, {}), form)
    return Value(None, enclose(form, {}), form)


def _points(names: set[Node]) -> Iterator[dict[Node, fmpq]]:
    """A few simple points that meet the assumptions."""
    ordered = sorted(names, key=lambda s: (s.data.name, s.data.index or 0))
    choices = [[q for q in (*_SIMPLE[i:], *_SIMPLE[:i]) if s.data.allows(q)] for i, s in enumerate(ordered)]
    yield from (dict(zip(ordered, at, strict=True)) for at in itertools.islice(itertools.product(*choices), _TRIES))
