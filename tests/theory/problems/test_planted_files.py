"""Files with a planted solution: whatever is asserted of it, no proof may say that there is none.

Each file is drawn so that all its assertions hold at one rational point, by an evaluation of its own in 40 digits, with
divisions by zero and roots of negative numbers in branches that the point does not take. `python -m
tests.theory.problems.test_planted_files COUNT SEED` draws more.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from fractions import Fraction

import mpmath

from theory.problems.formulas import ProblemError
from theory.problems.settle import settle
from theory.problems.sexpr import Word, read_expressions
from theory.problems.smtlib import read_smtlib

DIGITS = 40
NAMES = ("x", "y", "n")
HEAD = "(declare-fun x () Real)(declare-fun y () Real)(declare-fun n () Int)"


class NoValue(ArithmeticError):
    """A term without a real value; SMT-LIB would give it any."""


def term(draw: random.Random, depth: int) -> str:
    if depth == 0:
        return draw.choice([*NAMES, "0", "1", "0.5", "(- 2)", "(/ 5 3)", "pi"])
    name = draw.choice(["+", "-", "*", "*", "/", "^", "min", "max", "abs", "ite", "exp", "log", "sqrt", "sin", "atan"])
    if name in ("abs", "exp", "log", "sqrt", "sin", "atan"):
        return f"({name} {term(draw, depth - 1)})"
    if name == "^":
        return f"(^ {term(draw, depth - 1)} {draw.choice(['2', '3', '(- 1)', '0.5'])})"
    if name == "ite":
        return f"(ite (< {term(draw, 0)} {term(draw, 0)}) {term(draw, depth - 1)} {term(draw, depth - 1)})"
    return f"({name} {term(draw, depth - 1)} {term(draw, depth - 1)})"


def applied(name: str, a: mpmath.mpf, b: mpmath.mpf | None) -> mpmath.mpf:
    if (name == "/" and b == 0) or (name == "log" and a <= 0) or (name == "sqrt" and a < 0):
        raise NoValue
    if name == "^":
        if (a == 0 and b <= 0) or (a < 0 and b != int(b)):
            raise NoValue
        return a ** (int(b) if b == int(b) else b)
    simple: dict[str, Callable[[], mpmath.mpf]] = {
        "+": lambda: a + b, "-": lambda: -a if b is None else a - b, "*": lambda: a * b, "/": lambda: a / b,
        "min": lambda: min(a, b), "max": lambda: max(a, b), "abs": lambda: abs(a), "sqrt": lambda: mpmath.sqrt(a),
    }  # fmt: skip
    return simple[name]() if name in simple else getattr(mpmath, name)(a)


def value(e: Word | list, at: dict[str, Fraction]) -> mpmath.mpf:
    if isinstance(e, Word):
        if e.text == "pi":
            return +mpmath.pi
        found = at[e.text] if e.text in at else Fraction(e.text)
        return mpmath.mpf(found.numerator) / found.denominator
    if e[0].text == "ite":
        left, right = (value(part, at) for part in e[1][1:])
        return value(e[2] if left < right else e[3], at)
    parts = [value(part, at) for part in e[1:]]
    return applied(e[0].text, parts[0], parts[1] if len(parts) > 1 else None)


def planted(draw: random.Random) -> str:
    """A file all of whose assertions hold at a point."""
    at = {name: Fraction(draw.randrange(-9, 10), draw.choice([1, 2, 4])) for name in ("x", "y")}
    at["n"] = Fraction(draw.randrange(-4, 5))
    lines = []
    while len(lines) < draw.randrange(1, 4):
        left, right = term(draw, 2), term(draw, draw.randrange(2))
        try:
            gap = value(read_expressions(left)[0], at) - value(read_expressions(right)[0], at)
        except (NoValue, OverflowError):
            continue
        if abs(gap) > 1e12:
            continue
        if (exact := nearby(gap)) is not None and draw.random() < 0.6:  # it touches here, perhaps nowhere else
            lines.append(f"({draw.choice(['=', '<=', '>='])} (- {left} {right}) {number(exact)})")
            continue
        sign = "=" if abs(gap) < 1e-30 else draw.choice(["<", "<=", "distinct"] if gap < 0 else [">", ">=", "distinct"])
        other = f"({draw.choice('<>')} {term(draw, 1)} {term(draw, 0)})"
        told = f"({sign} {left} {right})"
        lines.append(draw.choice([told, f"(or {told} {other})", f"(=> (not {told}) {other})", f"(not (not {told}))"]))
    if draw.random() < 0.4:  # ends that touch the point
        lines.append(f"(and (<= x {number(at['x'])}) (<= {number(at['n'])} n))")
    return "".join(f"(assert {line})" for line in lines)


def nearby(gap: mpmath.mpf) -> Fraction | None:
    """The simple rational number that a value is, to 35 digits."""
    scaled = gap * 720
    whole = mpmath.nint(scaled)
    return Fraction(int(whole), 720) if abs(scaled - whole) < mpmath.mpf(10) ** -30 else None


def number(at: Fraction) -> str:
    shown = f"(/ {abs(at.numerator)} {at.denominator})"
    return shown if at >= 0 else f"(- {shown})"


def test_a_file_that_can_be_satisfied_is_never_proved() -> None:
    told = verdicts(8, 11)
    assert "proved" not in told


def verdicts(count: int, seed: int, seconds: float = 0.5) -> list[str]:
    """What is made of so many drawn files; all of them can be satisfied."""
    draw, told = random.Random(seed), []
    with mpmath.workdps(DIGITS):
        for _ in range(count):
            text = planted(draw)
            try:
                verdict = settle(read_smtlib(HEAD + text).problem, seconds=seconds, total=True).verdict
            except ProblemError:
                verdict = "refused"
            told.append(verdict)
            if verdict == "proved":
                print("PROVED", text)
    return told


if __name__ == "__main__":
    found = verdicts(int(sys.argv[1]), int(sys.argv[2]))
    print({verdict: found.count(verdict) for verdict in sorted(set(found))})
