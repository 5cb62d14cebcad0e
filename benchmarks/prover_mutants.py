"""Mutants of true statements against the prover: is anything false ever Proved, and how much of it is Refuted?

`python -m benchmarks.prover_mutants` takes textbook inequalities and random sums of squares, disguises them by random
transformations that keep them true (a nonnegative term, a positive factor, a monotone map, another parametrisation of
the box, a smaller box, a hypothesis), and plants falsehoods: a statement is lowered below its value at a point, turned
round, or made strict where it is an equality. Disguises of a falsehood keep its point, where it is evaluated again in
50 digits before it counts. Nothing false may be Proved and nothing true Refuted; what stays Unknown is reported.

Since nearly every falsehood falls to the attack, the rungs of proof would hardly see one. So each is also given to the
prover alone, without the attack before it and the checker behind it: there, too, nothing may be proved.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sympy as sp

from theory.intervals.box import VariableRange, number
from theory.prover.certify import certify
from theory.prover.goal import Found, Given, Goal
from theory.prover.search import Prover
from theory.relations import as_positive
from theory.timeout import TimedOut, cpu_clock, within

RESULTS = Path(__file__).parent / "results" / "prover_mutants.json"
x, y, z = sp.symbols("x y z", real=True)
k = sp.Symbol("k", integer=True)
_HALF = sp.Rational(1, 2)

Point = dict[sp.Symbol, sp.Rational]
Box = dict[sp.Symbol, tuple[Any, Any]]


@dataclass(frozen=True)
class Statement:
    """`expression` > 0 (strict) or >= 0 on `box` where `given` hold; false at `witness` if there is one."""

    expression: sp.Expr
    is_strict: bool
    box: Box
    given: tuple[sp.Basic, ...] = ()
    witness: Point | None = None
    history: tuple[str, ...] = ()

    @property
    def relation(self) -> sp.Basic:
        """The statement as `certify` takes it."""
        return (sp.Gt if self.is_strict else sp.Ge)(self.expression, 0, evaluate=False)

    def then(self, name: str, **changes: Any) -> Statement:
        """The statement after one more step of its history."""
        return replace(self, **changes, history=(*self.history, name))


TEXTBOOK: tuple[tuple[sp.Expr, bool, Box], ...] = (
    (sp.exp(x) - 1 - x, False, {x: (-3, 4)}),
    (x - sp.log(1 + x), False, {x: (0, 6)}),
    ((x + y) / 2 - sp.sqrt(x) * sp.sqrt(y), False, {x: (0, 4), y: (0, 4)}),
    (x**2 + y**2 + z**2 - x * y - y * z - z * x, False, {x: (-2, 2), y: (-2, 2), z: (-2, 2)}),
    (x - sp.tanh(x), False, {x: (0, 5)}),
    (x - sp.sin(x), False, {x: (0, 3)}),
    (sp.cosh(x) - 1 - x**2 / 2, False, {x: (-2, 2)}),
    ((1 + x) ** 3 - 1 - 3 * x, False, {x: (-1, 4)}),
    (1 + x / 2 - sp.sqrt(1 + x), False, {x: (0, 8)}),
    (1 / (1 + x) - 1 + x, False, {x: (0, 5)}),
    (sp.exp(x) / (sp.exp(x) + sp.exp(y)), True, {x: (-4, 4), y: (-4, 4)}),
    (1 - sp.exp(x) / (sp.exp(x) + sp.exp(y) + sp.exp(z)), True, {x: (-3, 3), y: (-3, 3), z: (-3, 3)}),
    (sp.exp(x) + sp.exp(y) - 2 * sp.exp((x + y) / 2), False, {x: (-2, 2), y: (-2, 2)}),
    (sp.Abs(x) + sp.Abs(y) - sp.Abs(x + y), False, {x: (-2, 2), y: (-2, 2)}),
    (sp.Max(x, y) - (x + y) / 2, False, {x: (-1, 3), y: (-2, 2)}),
    (x**2 / 2 + y**2 / 2 - sp.Abs(x * y), False, {x: (-2, 2), y: (-2, 2)}),
    (1 - sp.erf(x) ** 2, True, {x: (-2, 2)}),
    (k * (k - 1), False, {k: (-9, 9)}),
    ((-1) ** k + 1 + k * x**2, False, {k: (0, 7), x: (-1, 1)}),
    (1 - x * y - (1 - x) * (1 - y), False, {x: (0, 1), y: (0, 1)}),
)


def random_truth(draw: random.Random) -> Statement:
    """A textbook inequality or a random sum of squares."""
    if draw.random() < 0.7:
        return Statement(*draw.choice(TEXTBOOK))
    box = {s: (low := draw.randint(-3, 2), low + draw.randint(1, 4)) for s in (x, y)}
    rest = sp.Rational(draw.randint(0, 3), 8)
    return Statement(_polynomial(draw, box) ** 2 + sp.expand(_polynomial(draw, box) ** 2) + rest, rest > 0, box)


def _polynomial(draw: random.Random, box: Box) -> sp.Expr:
    """A random polynomial of degree at most two in the variables of a box, with small coefficients."""
    constant = sp.Rational(draw.randint(-4, 4), draw.choice((1, 2, 3)))
    return constant + sum(draw.randint(-2, 2) * draw.choice(list(box)) * draw.choice([1, *box]) for _ in range(2))


# ------------------------------------------------------------------------------- disguises that keep true and false


def positive_factor(statement: Statement, draw: random.Random) -> Statement:
    """Multiply by something positive everywhere."""
    p = _polynomial(draw, statement.box)
    factor = draw.choice([1 + p**2, sp.exp(p / 4), 1 / (1 + p**2), sp.Rational(draw.randint(1, 30), 7)])
    return statement.then("positive factor", expression=statement.expression * factor)


def monotone_map(statement: Statement, draw: random.Random) -> Statement:
    """From a > b to f(a) > f(b), with a strictly increasing f and a random b."""
    u = sp.Dummy("u", real=True)
    f = sp.Lambda(u, draw.choice([sp.exp(u / 4), sp.tanh(u / 4), sp.atan(u), u**3 + u, u + sp.tanh(u)]))
    other = _polynomial(draw, statement.box) / 4
    return statement.then("monotone map", expression=f(statement.expression + other) - f(other))


def other_parameter(statement: Statement, draw: random.Random) -> Statement:
    """Write one variable as low + (high - low) t, t in [0, 1], or as (low + high t)/(1 + t), t >= 0."""
    places = [s for s in statement.box if not s.is_integer and sp.oo not in statement.box[s]]
    if not places:
        return statement
    symbol = draw.choice(places)
    low, high = map(sp.Rational, statement.box[symbol])
    t = sp.Symbol(f"{symbol}_{len(statement.history)}", real=True)
    at = statement.witness[symbol] if statement.witness else low
    if low < at < high and draw.random() < 0.5:
        image, ends, place = (low + high * t) / (1 + t), (0, sp.oo), (at - low) / (high - at)
    elif low < high:
        image, ends, place = low + (high - low) * t, (0, 1), (at - low) / (high - low)
    else:
        return statement
    box = {s: r for s, r in statement.box.items() if s != symbol} | {t: ends}
    witness = statement.witness and {s: v for s, v in statement.witness.items() if s != symbol} | {t: place}
    given = tuple(g.subs(symbol, image) for g in statement.given)
    return statement.then(
        "other parameter", expression=statement.expression.subs(symbol, image), box=box, given=given, witness=witness
    )


def hypothesis(statement: Statement, draw: random.Random) -> Statement:
    """Add a linear hypothesis, one that holds at the witness of a falsehood."""
    linear = sum(draw.randint(-2, 2) * s for s in statement.box)
    if linear == 0:
        return statement
    least = linear.subs(statement.witness) if statement.witness else 0
    return statement.then("hypothesis", given=(*statement.given, sp.Ge(linear, least - draw.choice([0, 1]))))


# ----------------------------------------------------------------------------------------- disguises that keep true


def nonnegative_term(statement: Statement, draw: random.Random) -> Statement:
    """Add a square, an absolute value or an exponential."""
    p = _polynomial(draw, statement.box)
    return statement.then(
        "nonnegative term", expression=statement.expression + draw.choice([p**2, sp.Abs(p), sp.exp(p / 4)])
    )


def smaller_box(statement: Statement, draw: random.Random) -> Statement:
    """Cut a side in two."""
    symbol = draw.choice(list(statement.box))
    low, high = statement.box[symbol]
    middle = sp.Rational(low + high) / 2 if sp.oo not in (low, high) else sp.Integer(3)
    return statement.then("smaller box", box=statement.box | {symbol: draw.choice([(low, middle), (middle, high)])})


# ---------------------------------------------------------------------------------------------- planted falsehoods


def random_point(box: Box, draw: random.Random) -> Point:
    """A rational point of a finite box, often on a face."""
    point = {}
    for s, (low, high) in box.items():
        share = sp.Rational(draw.choice([0, 12, *range(13)]), 12)
        point[s] = sp.Integer(draw.randint(low, high)) if s.is_integer else low + share * (high - low)
    return point


def dip(statement: Statement, draw: random.Random) -> Statement:
    """Lower the statement below its value at a point, by 0.1 to 1e-9."""
    point = random_point(statement.box, draw)
    value, depth = _above(statement.expression.subs(point)), sp.Rational(1, 10 ** draw.choice([1, 3, 6, 9]))
    return statement.then(f"dip of {float(depth):.0e}", expression=statement.expression - value - depth, witness=point)


def tilted_dip(statement: Statement, draw: random.Random) -> Statement:
    """Subtract a positive polynomial that exceeds the statement at a point alone, perhaps."""
    point, p = random_point(statement.box, draw), 1 + _polynomial(draw, statement.box) ** 2
    ratio = _above(statement.expression.subs(point)) / p.subs(point) + sp.Rational(1, 1000)
    return statement.then("tilted dip", expression=statement.expression - ratio * p, witness=point)


def reversal(statement: Statement, draw: random.Random) -> Statement:
    """Turn the statement round."""
    point = random_point(statement.box, draw)
    lowered = -statement.expression - sp.Rational(1, 10 ** draw.choice([1, 6]))
    return statement.then("reversal", expression=lowered, witness=point)


def strictness(statement: Statement, draw: random.Random) -> Statement:
    """Make the statement strict, at a point where it is an equality if one is found; else a dip."""
    for _ in range(20):
        point = random_point(statement.box, draw)
        if statement.expression.subs(point) == 0:
            return statement.then("strict at equality", is_strict=True, witness=point)
    return dip(statement, draw)


def _above(value: sp.Expr) -> sp.Rational:
    """A rational number within 1e-30 of a real one."""
    return value if value.is_Rational else sp.Rational(str(sp.N(value, 45)))


def is_certainly_false(statement: Statement) -> bool:
    """Whether the witness, evaluated in 50 digits or exactly, lies in the box, meets `given` and fails."""
    point = statement.witness or {}
    inside = set(point) == set(statement.box) and all(
        low <= point[s] <= high for s, (low, high) in statement.box.items()
    )
    value = statement.expression.subs(point)
    fails = (statement.is_strict and value == 0) or bool(sp.N(value, 50) < -sp.Rational(1, 10**25))
    return inside and fails and all(g.subs(point) == sp.true for g in statement.given)


Step = Callable[[Statement, random.Random], Statement]
DISGUISES: tuple[Step, ...] = (positive_factor, monotone_map, other_parameter, hypothesis)
SOUND: tuple[Step, ...] = (*DISGUISES, nonnegative_term, smaller_box)
FALSEHOODS: tuple[Step, ...] = (dip, tilted_dip, reversal, strictness)


def true_mutant(draw: random.Random) -> Statement:
    """A truth in up to three disguises."""
    statement = random_truth(draw)
    for _ in range(draw.randint(1, 3)):
        statement = draw.choice(SOUND)(statement, draw)
    return statement


def false_mutant(draw: random.Random) -> Statement:
    """A falsehood in up to two disguises, certainly false."""
    while True:
        statement = draw.choice(FALSEHOODS)(random_truth(draw), draw)
        for _ in range(draw.randint(0, 2)):
            statement = draw.choice(DISGUISES)(statement, draw)
        if is_certainly_false(statement):
            return statement


@dataclass
class Outcome:
    """Answers by kind of mutant, and every answer that contradicts the truth."""

    by_kind: dict[str, Counter[str]]
    contradictions: list[str]

    def note(self, kinds: tuple[str, ...], answer: str, *, wrong: str, statement: Statement) -> None:
        """Count one answer under each of its kinds."""
        for kind in kinds:
            self.by_kind.setdefault(kind, Counter())[answer] += 1
        if answer == wrong:
            self.contradictions.append(f"{answer}: {statement}")


def run(n_false: int, n_true: int, *, seed: int = 0, budget_s: float = 1.0) -> dict[str, Any]:
    """Try the prover on planted falsehoods and on disguised truths; the figures as JSON takes them."""
    draw, started = random.Random(seed), time.monotonic()
    false, true, alone = Outcome({}, []), Outcome({}, []), Outcome({}, [])
    for _ in range(n_false):
        statement = false_mutant(draw)
        answer = _answer(statement, budget_s)
        kinds = ("all", statement.history[0])
        false.note(kinds, answer, wrong="Proved", statement=statement)
        alone.note(kinds, _without_attack(statement, budget_s / 4), wrong="Proved", statement=statement)
    for _ in range(n_true):
        statement = true_mutant(draw)
        answer = _answer(statement, budget_s)
        true.note(("all", *sorted(set(statement.history))), answer, wrong="Refuted", statement=statement)
    return {
        "seed": seed,
        "budget_s": budget_s,
        "seconds": round(time.monotonic() - started, 1),
        "false": {kind: dict(answers) for kind, answers in sorted(false.by_kind.items())},
        "true": {kind: dict(answers) for kind, answers in sorted(true.by_kind.items())},
        "false, prover alone": {kind: dict(answers) for kind, answers in sorted(alone.by_kind.items())},
        "contradictions": false.contradictions + true.contradictions + alone.contradictions,
    }


def _answer(statement: Statement, budget_s: float) -> str:
    return type(certify(statement.relation, statement.box, statement.given, budget_s=budget_s)).__name__


def _without_attack(statement: Statement, budget_s: float) -> str:
    """What the rungs of proof say by themselves; a node that the checker would refuse counts as Proved as well."""
    box = {
        s: VariableRange(number(sp.sympify(low)), number(sp.sympify(high))) for s, (low, high) in statement.box.items()
    }
    given = tuple(Given(*as_positive(g)) for g in statement.given if g != sp.true)
    goal = Goal(statement.expression, statement.is_strict, box, given)
    try:
        node = within(5 + budget_s, Prover(cpu_clock() + budget_s).prove, goal)
    except Found:
        return "Refuted"
    except TimedOut:
        return "Unknown"
    return "Unknown" if node is None else "Proved"


def table(figures: dict[str, Any]) -> str:
    """The figures as a Markdown table."""
    lines = ["| mutants | kind | tried | Refuted | Unknown | Proved |", "| --- | --- | --- | --- | --- | --- |"]
    for truth in ("false", "false, prover alone", "true"):
        for kind, answers in figures[truth].items():
            counts = [answers.get(name, 0) for name in ("Refuted", "Unknown", "Proved")]
            lines.append(f"| {truth} | {kind} | {sum(counts)} | {counts[0]} | {counts[1]} | {counts[2]} |")
    return "\n".join(lines)


def main() -> None:
    """Run, print, and write the figures beside this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--false", type=int, default=1000, help="planted falsehoods (default 1000)")
    parser.add_argument("--true", type=int, default=500, help="disguised truths (default 500)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    figures = run(arguments.false, arguments.true, seed=arguments.seed)
    print(table(figures))
    print("\n".join(figures["contradictions"]) or "no contradiction")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
