"""Statements whose truth is known by construction, drawn afresh from a seed, and what a prover may answer to each.

A statement (relation, box, given) speaks of the points of the box that meet every assumption of their symbols and at
which every given is defined and true. It holds if at all of them every subterm is real and the relation is true; it
fails if at one of them every subterm is real and the relation false. A family draws statements of one kind; it
registers itself under the truth that its statements have.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.facts import InconsistentAssumptions

Q = sp.Rational
ge, gt, le, lt, eq = (partial(kind, evaluate=False) for kind in (sp.Ge, sp.Gt, sp.Le, sp.Lt, sp.Eq))
product, total, power = (partial(kind, evaluate=False) for kind in (sp.Mul, sp.Add, sp.Pow))
x, y, z = sp.symbols("x y z", real=True)
p, q = sp.symbols("p q", positive=True)
k, m = sp.symbols("k m", integer=True)
n = sp.Symbol("n", integer=True, positive=True)
even, odd, prime = (sp.Symbol(f"k_{kind}", **{kind: True}) for kind in ("even", "odd", "prime"))
oo = sp.oo


class Truth(Enum):
    """What a statement is."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDEFINED = "undefined somewhere, true elsewhere"
    VACUOUS = "about no point"
    REFUSED = "about symbols that no box describes"


@dataclass(frozen=True)
class Statement:
    """A relation over a box under hypotheses, and its truth.

    Attributes:
        witness: for what fails or is undefined, a point of the range where it does.
        root: instead of a witness, an expression with a simple zero in the range, at which it does: a polynomial in
            one symbol, or one that changes its sign between two points of the range.
    """

    relation: sp.Basic
    box: Mapping[sp.Symbol, tuple[Any, Any]]
    given: tuple[sp.Basic, ...] = ()
    witness: Mapping[sp.Symbol, sp.Rational] | None = None
    root: sp.Expr | None = None
    truth: Truth = Truth.HOLDS
    family: str = ""
    index: int = 0

    def __str__(self) -> str:
        ends = ", ".join(f"{s} in [{low}, {high}]" for s, (low, high) in self.box.items())
        under = f" given {', '.join(map(str, self.given))}" if self.given else ""
        return f"{self.family} {self.index} ({self.truth.value}): {self.relation} for {ends}{under}"


class Draw(random.Random):
    """A source of numbers, with the kinds that statements need."""

    def rational(self, low: int = -9, high: int = 9, most: int = 30) -> sp.Rational:
        """A fraction between two integers."""
        denominator = self.randint(1, most)
        return Q(self.randint(low * denominator, high * denominator), denominator)

    def positive(self, high: int = 9, most: int = 30) -> sp.Rational:
        """A positive fraction."""
        denominator = self.randint(1, most)
        return Q(self.randint(1, high * denominator), denominator)

    def tiny(self, least: int = 3, most: int = 40) -> sp.Rational:
        """10^-j, or twice or three times as much."""
        return Q(self.choice((1, 1, 2, 3)), 10 ** self.randint(least, most))

    def around(self, *points: Any) -> tuple[sp.Rational, sp.Rational]:
        """Ends of a box with points strictly inside."""
        return min(map(sp.sympify, points)) - self.positive(), max(map(sp.sympify, points)) + self.positive()


Family = Callable[[Draw], Statement]
FAMILIES: dict[Truth, dict[str, Family]] = {truth: {} for truth in Truth}


def family(truth: Truth) -> Callable[[Family], Family]:
    """Register a function that draws statements of one truth."""

    def register(function: Family) -> Family:
        assert FAMILIES[truth].setdefault(function.__name__, function) is function, function.__name__
        return function

    return register


def draw(truth: Truth, name: str, index: int, seed: int) -> Statement:
    """The statement of a family with a number; it does not depend on what was drawn before."""
    for again in range(9):
        source = Draw(f"{seed} {truth.name} {name} {index} {again}")
        try:
            statement = disguised(FAMILIES[truth][name](source), source)
        except InconsistentAssumptions:  # sympy takes acos of a number near 1 for zero and for positive, in turn
            continue
        return replace(statement, truth=truth, family=name, index=index)
    raise AssertionError(f"sympy builds no statement of {name} {index}")


def disguised(statement: Statement, source: Draw) -> Statement:
    """The statement in another form, neither truer nor defined elsewhere: most often as it is."""
    for change in source.sample(DISGUISES, source.choice((0, 0, 0, 1, 1, 2))):
        statement = change(statement, source)
    return statement


def is_relation(e: sp.Basic) -> bool:
    """Whether a relation still has sides."""
    return e not in (sp.true, sp.false)


def turned(statement: Statement, source: Draw) -> Statement:
    """a >= b as b <= a."""
    r = statement.relation
    others = {sp.Ge: le, sp.Gt: lt, sp.Le: ge, sp.Lt: gt, sp.Eq: eq}
    return replace(statement, relation=others[r.func](r.rhs, r.lhs)) if is_relation(r) else statement


def scaled(statement: Statement, source: Draw) -> Statement:
    """Both sides times a positive number."""
    r, c = statement.relation, source.positive(5)
    return (
        replace(statement, relation=r.func(times(c, r.lhs), times(c, r.rhs), evaluate=False))
        if is_relation(r)
        else statement
    )


def times(factor: sp.Expr, e: sp.Expr) -> sp.Expr:
    """A product, of numbers alone as one number."""
    return factor * e if e.is_number else product(factor, e)


def gathered(statement: Statement, source: Draw) -> Statement:
    """Everything on the left side, not simplified, so that nothing cancels on the way."""
    r = statement.relation
    if not is_relation(r):
        return statement
    return replace(statement, relation=r.func(total(r.lhs, times(-1, r.rhs)), 0, evaluate=False))


def added_to(statement: Statement, source: Draw) -> Statement:
    """A bounded function of another symbol on both sides."""
    r, other = statement.relation, sp.Symbol("v", real=True)
    if not is_relation(r) or other in statement.box or statement.root is not None:
        return statement
    more = source.choice((sp.sin(other), other**2, sp.exp(other), other))
    box = {**statement.box, other: source.choice(((-1, 1), (0, 3), (Q(-1, 7), 2)))}
    point = None if statement.witness is None else {**statement.witness, other: Q(1, 2)}
    relation = r.func(total(r.lhs, more), total(r.rhs, more), evaluate=False)
    return replace(statement, relation=relation, box=box, witness=point)


def mapped(statement: Statement, source: Draw) -> Statement:
    """An increasing function, defined everywhere and one to one, of both sides."""
    r = statement.relation
    if not is_relation(r):
        return statement
    functions = [
        lambda e: e**3 + e if e.is_number else total(power(e, 3), e),
        sp.atan,
        lambda e: total(e, sp.atan(e)),
        sp.asinh,
    ]
    # sympy writes atan(1) as pi/4, which is for the prover to see and not for the oracle.
    f = source.choice(functions[:1] if r.lhs.is_number or r.rhs.is_number else functions)
    return replace(statement, relation=r.func(f(r.lhs), f(r.rhs), evaluate=False))


def renamed(statement: Statement, source: Draw) -> Statement:
    """Each real symbol as an affine function of a new one."""
    moves, box, point = {}, {}, None if statement.witness is None else {}
    for symbol, (low, high) in statement.box.items():
        if symbol not in (x, y, z):
            box[symbol] = low, high
            if point is not None:
                point[symbol] = statement.witness[symbol]
            continue
        new, slope, start = sp.Symbol(f"{symbol}_1", real=True), source.positive(3, 5), source.rational(-2, 2, 5)
        moves[symbol] = slope * new + start
        box[new] = tuple((sp.sympify(end) - start) / slope for end in (low, high))
        if point is not None:
            point[new] = (statement.witness[symbol] - start) / slope
    if not moves or statement.root is not None:
        return statement
    given = tuple(rebuilt(g, moves) for g in statement.given)
    return replace(statement, relation=rebuilt(statement.relation, moves), box=box, given=given, witness=point)


def rebuilt(e: sp.Basic, moves: Mapping[sp.Symbol, sp.Expr]) -> sp.Basic:
    """A tree with other leaves; nothing is evaluated, so that x/x stays."""
    if e in moves:
        return moves[e]
    if isinstance(e, sp.functions.elementary.piecewise.ExprCondPair):
        return e.func(*[rebuilt(part, moves) for part in e.args])
    return e.func(*[rebuilt(part, moves) for part in e.args], evaluate=False) if e.args else e


DISGUISES = (turned, scaled, gathered, added_to, mapped, renamed)
