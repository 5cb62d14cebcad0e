"""Norms on both sides, symbols under roots alone, sums of logarithms, chords: true ones are proved, twins refuted."""

from __future__ import annotations

import math

import pytest
import sympy as sp

from tests.theory.checker.replaying import accepts, refuses
from theory.intervals.box import VariableRange
from theory.problems.settle import settle
from theory.problems.statement_list import read_line
from theory.prover.goal import Goal
from theory.prover.rungs.forms import positive_root, squared
from theory.prover.search import Prover
from theory.timeout import cpu_clock

PAIRS = [
    ("abs(x) + abs(y) <= sqrt(2)*sqrt(x^2 + y^2)", "abs(x) + abs(y) <= 7/5*sqrt(x^2 + y^2)", ""),
    ("sqrt(x^2 + y^2) <= sqrt((x - 1)^2 + y^2) + 1", "sqrt(x^2 + y^2) < sqrt((x - 1)^2 + y^2) + 1", ""),
    ("b + sqrt(b^2 + 4*c) > 0", "b + sqrt(b^2 + 4*c) > 1/1000", "c in (0, oo)"),
    ("sqrt((1 - c)^2 + 4*c) > 0", "sqrt((1 - c)^2 + 4*c) > 1 + c", "c in (0, oo)"),
    ("abs(a*sin(x) + b*cos(x)) <= sqrt(a^2 + b^2)", "abs(a*sin(x) + 2*b*cos(x)) <= sqrt(a^2 + b^2)", ""),
    ("x^3 - 6*x + 4*sqrt(2) >= 0", "x^3 - 6*x + 565/100 >= 0", "x in [0, oo)"),
    ("a^2 + b^2 >= (a*s + b*c)^2", "a^2 + b^2 > (a*s + b*c)^2", "s^2 + c^2 == 1"),
    ("sqrt(k) - 1 <= (sqrt(k) + 1)*exp(-2/sqrt(k))", "sqrt(k) - 1 <= (sqrt(k) + 1)*exp(-3/sqrt(k))", "k in [1, oo)"),
    ("x*log(x) + y*log(y) <= (x + y)*log(x + y)", "x*log(x) + y*log(y) >= (x + y)*log(x + y)",
     "x in (0, oo); y in (0, oo)"),
    ("exp(t*x) <= (1 - x)/2*exp(-t) + (1 + x)/2*exp(t)", "exp(t*x) >= (1 - x)/2*exp(-t) + (1 + x)/2*exp(t)",
     "x in [-1, 1]; t in [-2, 2]"),
    ("factorial(n + 1) == (n + 1)*factorial(n)", "factorial(n + 1) == (n + 2)*factorial(n)", "n whole; n in [0, oo)"),
    ("x == 3", "x == 3", "x^2 == 9; x in [0, 9]"),
]  # fmt: skip


@pytest.mark.parametrize(("true", "false", "given"), PAIRS, ids=[true for true, *_ in PAIRS])
def test_the_true_one_is_proved_and_its_twin_refuted(true: str, false: str, given: str) -> None:
    assert settle(read_line(f"true: {true} | {given}"), seconds=10).verdict == "proved"
    wider = given.replace("; x in [0, 9]", "")
    assert settle(read_line(f"false: {false} | {wider}"), seconds=10).verdict == "refuted"


@pytest.mark.parametrize(
    ("expression", "is_strict", "rung"),
    [
        ("sqrt(2)*sqrt(x**2 + y**2) - x - y", False, squared),
        ("sqrt(x**2 + y**2 + 1) - x", True, squared),
        ("sqrt(x**2 + 1)", True, positive_root),
    ],
)
def test_both_halves_are_needed(expression: str, is_strict: bool, rung) -> None:
    """The step that a rung proposes serves its goal, not a false one, and not with the halves in each other's place."""
    x, y = sp.symbols("x y", real=True)
    e = sp.sympify(expression, {"x": x, "y": y})
    line, box = VariableRange(-math.inf, math.inf), dict.fromkeys((x, y), (-sp.oo, sp.oo))
    step = rung(Prover(cpu_clock() + 10), Goal(e, is_strict, dict.fromkeys(box, line)), 0)
    assert accepts(step, e, box, strict=is_strict)
    refuses(step, e - 1, box, strict=is_strict)
    assert _swapped(step) != step
    refuses(_swapped(step), e, box, strict=is_strict)


def _swapped(step: dict) -> dict:
    if step["by"] == "derive":
        return step | {"proof": _swapped(step["proof"])}
    return step | {"above": step["below"], "below": step["above"]}
