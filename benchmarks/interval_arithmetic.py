"""Random expressions against 200-bit Arb: does any enclosure miss a value it must contain?

`python -m benchmarks.interval_arithmetic` draws expressions and boxes from a fixed seed. Each is enclosed twice, by the
prover's arithmetic (`theory.intervals.arithmetic`) and by the checker's (`theory.checker.enclosure`), and then
evaluated at exact points of its box, corners included. The evaluation shares nothing with either: a tree is walked
directly in Arb, without sympy, so that what sympy simplifies on the way is under test as well. A value outside an
enclosure beyond both rounding errors is a violation; there must be none.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import sympy as sp
from flint import arb, fmpq

from theory.checker.enclosure import INFINITY, MINUS_INFINITY, SymbolRange, enclose
from theory.checker.parser import read_expression
from theory.checker.walks import normal
from theory.intervals import arithmetic as intervals
from theory.intervals import programs

SYMBOLS = sp.symbols("x y z", real=True)
RESULTS = Path(__file__).parent / "results" / "interval_arithmetic.json"
_BITS = 200

Tree = tuple[Any, ...]
"""("symbol", place) | ("number", Fraction) | ("power", tree, Fraction) | (name, tree, ...)."""


def _step(a: arb) -> arb:
    return arb(1) if a > 0 else arb(0) if a < 0 else arb(0.5) if a == 0 else arb("nan")


UNARY: dict[str, tuple[Any, Callable[[arb], arb]]] = {
    "exp": (sp.exp, arb.exp),
    "log": (sp.log, arb.log),
    "tanh": (sp.tanh, arb.tanh),
    "sinh": (sp.sinh, arb.sinh),
    "cosh": (sp.cosh, arb.cosh),
    "atan": (sp.atan, arb.atan),
    "erf": (sp.erf, arb.erf),
    "erfc": (sp.erfc, arb.erfc),
    "sin": (sp.sin, arb.sin),
    "cos": (sp.cos, arb.cos),
    "abs": (sp.Abs, abs),
    "sign": (sp.sign, arb.sgn),
    "step": (sp.Heaviside, _step),
}
BINARY: dict[str, tuple[Any, Callable[[arb, arb], arb]]] = {
    "add": (sp.Add, lambda a, b: a + b),
    "multiply": (sp.Mul, lambda a, b: a * b),
    "to the": (sp.Pow, lambda a, b: a**b),
    "max": (sp.Max, arb.max),
    "min": (sp.Min, arb.min),
}
_EXPONENTS = [Fraction(n) for n in (-3, -2, -1, 2, 3, 4)] + [
    Fraction(p, q) for p, q in ((1, 2), (3, 2), (-1, 2), (1, 3))
]


@dataclass(frozen=True)
class Case:
    """An expression over a box: (low, high) by symbol, Fractions or infinite floats."""

    tree: Tree
    box: tuple[tuple[Any, Any], ...]


@dataclass
class Tally:
    """What a run saw; `violations` holds a line for each value outside an enclosure."""

    seed: int
    expressions: int = 0
    values: int = 0
    undefined_values: int = 0
    finite_enclosures: int = 0
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0


def random_case(draw: random.Random) -> Case:
    """One expression of up to 15 operations over a box with finite, infinite and equal ends."""
    return Case(_random_tree(draw, draw.randint(1, 4)), tuple(_random_range(draw) for _ in SYMBOLS))


def _random_tree(draw: random.Random, depth: int) -> Tree:
    if depth == 0 or draw.random() < 0.1:
        if draw.random() < 0.7:
            return ("symbol", draw.randrange(len(SYMBOLS)))
        return ("number", _small(draw))
    kind = draw.random()
    if kind < 0.3:
        return (draw.choice(list(UNARY)), _random_tree(draw, depth - 1))
    if kind < 0.45:
        return ("power", _random_tree(draw, depth - 1), draw.choice(_EXPONENTS))
    name = draw.choice([*["add", "multiply"] * 4, "to the", "to the", "max", "min"])
    # An exponent is a leaf: towers of integers would be evaluated, digit by digit, as soon as they are built.
    return (name, _random_tree(draw, depth - 1), _random_tree(draw, 0 if name == "to the" else depth - 1))


def _small(draw: random.Random) -> Fraction:
    return Fraction(draw.randint(-6, 6), draw.choice((1, 1, 2, 3)))


def _random_range(draw: random.Random) -> tuple[Any, Any]:
    low, kind = _small(draw), draw.random()
    if kind < 0.15:
        return low, low
    if kind < 0.22:
        return low, float("inf")
    if kind < 0.29:
        return float("-inf"), low
    return low, low + Fraction(draw.randint(1, 40), draw.choice((1, 7, 50, 1000)))


def as_sympy(tree: Tree) -> sp.Expr:
    """The expression, as sympy builds (and simplifies) it."""
    match tree:
        case ("symbol", place):
            return SYMBOLS[place]
        case ("number", Fraction() as value):
            return sp.Rational(value.numerator, value.denominator)
        case ("power", base, exponent):
            return as_sympy(base) ** sp.Rational(exponent.numerator, exponent.denominator)
        case (name, *parts):
            return {**UNARY, **BINARY}[name][0](*map(as_sympy, parts))
    raise ValueError(f"tree must begin with a known name, got {tree!r}")


def in_arb(tree: Tree, point: tuple[Fraction, ...]) -> arb:
    """The value at an exact point, NaN where there is none."""
    match tree:
        case ("symbol", place):
            return _ball(point[place])
        case ("number", Fraction() as value):
            return _ball(value)
        case ("power", base, exponent):
            return in_arb(base, point) ** _ball(exponent)
        case (name, *parts):
            return {**UNARY, **BINARY}[name][1](*[in_arb(part, point) for part in parts])
    raise ValueError(f"tree must begin with a known name, got {tree!r}")


def _ball(value: Fraction) -> arb:
    return arb(flint.fmpq(value.numerator, value.denominator))


def points_of(box: tuple[tuple[Any, Any], ...], draw: random.Random) -> Iterator[tuple[Fraction, ...]]:
    """Two random points of a box and one of its corners (a random point on an infinite side)."""
    for share in (None, None, draw.random()):
        yield tuple(_point(low, high, draw, at_end=share is not None) for low, high in box)


def _point(low: Any, high: Any, draw: random.Random, *, at_end: bool) -> Fraction:
    ends = [end for end in (low, high) if isinstance(end, Fraction)]
    if at_end:
        return draw.choice(ends)
    if len(ends) == 2:
        return low + (high - low) * Fraction(draw.randint(0, 64), 64)
    reach = Fraction(draw.randint(0, 400), draw.choice((1, 30, 1000)))
    return low + reach if ends == [low] else high - reach


def enclosures(expression: sp.Expr, box: tuple[tuple[Any, Any], ...]) -> dict[str, tuple[arb, arb]]:
    """(low, high) by the prover's arithmetic and by the checker's."""
    with flint.ctx.workprec(64):
        cell = programs.Program([expression], SYMBOLS)([intervals.interval(low, high) for low, high in box])[0]
    ends = {read_expression(sp.srepr(s)): SymbolRange(*map(_exact, r)) for s, r in zip(SYMBOLS, box, strict=True)}
    with flint.ctx.workprec(128):
        found = enclose(normal(read_expression(sp.srepr(expression))), ends)
    return {"prover": (cell.lo, cell.hi), "checker": found[:2]}


def _exact(end: Any) -> Any:
    if isinstance(end, Fraction):
        return fmpq(end.numerator, end.denominator)
    return INFINITY if end > 0 else MINUS_INFINITY


def examine(case: Case, draw: random.Random, tally: Tally) -> None:
    """Enclose one case and compare it with its values; what sympy makes complex or infinite is not a case."""
    try:
        expression = as_sympy(case.tree)
        found = enclosures(expression, case.box)
    except (TypeError, ValueError):  # sympy refuses Max of a complex number; no enclosure of zoo is known
        return
    tally.expressions += 1
    tally.finite_enclosures += all(low.is_finite() and high.is_finite() for low, high in found.values())
    for point in points_of(case.box, draw):
        with flint.ctx.workprec(_BITS):
            value = in_arb(case.tree, point)
        if not value.is_finite():
            tally.undefined_values += 1
            continue
        tally.values += 1
        for who, (low, high) in found.items():
            if not (value.upper() >= low and value.lower() <= high):
                at = ", ".join(f"{s} = {v}" for s, v in zip(SYMBOLS, point, strict=True))
                tally.violations.append(f"{who}: {expression} at {at} is {value}, outside [{low}, {high}]")


def run(count: int, *, seed: int = 0) -> Tally:
    """Examine `count` expressions that have an enclosure."""
    draw, tally, started = random.Random(seed), Tally(seed), time.monotonic()
    while tally.expressions < count:
        examine(random_case(draw), draw, tally)
    tally.seconds = round(time.monotonic() - started, 1)
    return tally


def main() -> None:
    """Run, print, and write the figures beside this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="expressions (default 100000)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    tally = run(arguments.count, seed=arguments.seed)
    print(f"{tally.expressions} expressions, {tally.values} values, {len(tally.violations)} violations")
    print("\n".join(tally.violations[:20]))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(asdict(tally), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
