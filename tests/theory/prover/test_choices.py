"""Choices: forms of |a| that sympy and the checker write otherwise, and cases that linear programs decide."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy as sp

from theory.checker.replay import replay
from theory.intervals.box import VariableRange
from theory.prover.expressions.evaluation import with_choices_as_read
from theory.prover.goal import Given, Goal
from theory.prover.prove import prove
from theory.prover.replaying import is_followed
from theory.prover.rungs import combinations
from theory.prover.rungs.choices import all_choices, is_affine, is_taken_off
from theory.prover.rungs.combinations import affine, multiplied
from theory.prover.search import Prover
from theory.timeout import cpu_clock

x, y = sp.symbols("x y", real=True)
HALF_LINE, LINE = VariableRange(Fraction(0), math.inf), VariableRange(-math.inf, math.inf)


def test_an_absolute_value_that_is_always_zero_is_seen_inside():
    relation = "abs(cos(x)*cos(y) - sin(x)*sin(y) - cos(x + y)) <= 1/10000"
    assert prove(relation, x=(0, 1), y=(0, 1), seconds=20).verdict == "proved"
    assert prove(relation.replace("1/10000", "-1/10000"), x=(0, 1), y=(0, 1), seconds=5).verdict == "refuted"


def test_a_form_that_the_checker_does_not_recognise_is_left_as_typed():
    typed = sp.Abs(-(1 - y**2) * (x - x**3) + sp.sin(x) * sp.cos(y), evaluate=False)
    form, is_restated = with_choices_as_read(1 - typed)
    assert not is_restated
    assert form.has(typed)
    form, is_restated = with_choices_as_read(1 - sp.Abs(1 - x, evaluate=False))
    assert form == 1 - sp.Abs(x - 1)


@pytest.mark.parametrize("rung", [Prover._cases, all_choices])
@pytest.mark.parametrize("inside", [lambda n: n, sp.sqrt])
def test_an_absolute_value_that_the_checker_reads_without_one_is_no_choice(rung, inside):
    """Written as typed, |n| of a whole n >= 0 is n there."""
    n = sp.Symbol("n", integer=True, nonnegative=True)
    goal = Goal(2 * sp.Abs(inside(n), evaluate=False) + sp.Abs(x) - inside(n), False, {n: HALF_LINE, x: LINE})
    proof = rung(Prover(cpu_clock() + 5), goal, 0)
    assert proof is None or is_followed(proof, goal)
    assert proof is not None or rung is all_choices


def test_no_case_shows_what_fails_once_an_absolute_value_is_read_without_one():
    n = sp.Symbol("n", integer=True, nonnegative=True)
    goal = Goal(sp.Abs(n, evaluate=False) + sp.Abs(x) - n - 1, False, {n: HALF_LINE, x: LINE})
    assert all_choices(Prover(math.inf), goal, 0) is None
    assert all_choices(Prover(math.inf), replace(goal, expression=goal.expression + 1), 0) is not None


def test_a_choice_that_is_taken_off_is_shown_for_each_of_its_values():
    """Given the sign of f(x) - f(y) as well, other steps were kept away: the sigmoid is 1/4-Lipschitz."""
    relation = "abs(1/(1 + exp(-x)) - 1/(1 + exp(-y))) <= {}*abs(x - y)"
    ranges = {"x": ("-oo", "oo"), "y": ("-oo", "oo")}
    found = prove(relation.format("1/4"), ranges, seconds=20)
    assert found.verdict == "proved"
    assert "'by': 'drop'" in str(found.record)
    assert prove(relation.format("6/25"), ranges, seconds=5).verdict == "refuted"


@pytest.mark.parametrize(
    ("e", "choice", "is_off"),
    [(x - 2 * sp.Abs(y), sp.Abs(y), True), (x + sp.Abs(y), sp.Abs(y), False), (x - y * sp.Abs(y), sp.Abs(y), False),
     (-sp.Abs(y) ** 2, sp.Abs(y), False),
     (x + sp.Min(x, y), sp.Min(x, y), True), (x - sp.Max(x, y), sp.Max(x, y), True)],
)  # fmt: skip
def test_which_choices_are_taken_off(e, choice, is_off):
    assert is_taken_off(e, choice) is is_off


def test_what_is_affine():
    assert is_affine((Given(x - 2 * y, False), Given(sp.Integer(1), False)))
    assert not is_affine((Given(x, False), Given(sp.exp(x) - y, True)))
    assert not is_affine((Given(x * y, False),))


SOFT = "abs(x - min(max(x, -l), l) - y + min(max(y, -l), l)) <= {}*abs(x - y)"


def test_choices_within_choices_are_cases_of_a_linear_program():
    """The soft threshold is 1-Lipschitz, and no less."""
    ranges = {"x": ("-oo", "oo"), "y": ("-oo", "oo"), "l": (0, "oo")}
    assert prove(SOFT.format(1), **ranges, seconds=9).verdict == "proved"
    assert prove(SOFT.format("99/100"), **ranges, seconds=9).verdict == "refuted"


def test_a_multiple_of_the_goal_is_a_sum_of_what_is_given():
    """The diamond lies in the disc: x + y - 1 times x + y + 1 is 2 x y on the circle."""
    ranges = {"x": ("-oo", "oo"), "y": ("-oo", "oo"), "given": "x^2 + y^2 = 1"}
    assert prove("abs(x) + abs(y) >= 1", **ranges, seconds=9).verdict == "proved"
    assert prove("abs(x) + abs(y) >= 101/100", **ranges, seconds=9).verdict == "refuted"


def test_no_multiple_of_a_false_goal_is_found():
    found = goal_of(x + y - sp.Rational(101, 100), [x**2 + y**2 - 1, 1 - x**2 - y**2], low=0)
    assert multiplied(Prover(math.inf), found, 0) is None
    assert multiplied(Prover(math.inf), replace(found, expression=x + y - 1), 0) is not None
    on_the_edge = replace(found, expression=x + y - 1, is_strict=True)  # reached at (1, 0)
    assert multiplied(Prover(math.inf), on_the_edge, 0) is None


def test_givens_that_contradict_each_other_show_anything():
    nothing = goal_of(sp.exp(x) - y, [x - y - 1, y - x])
    step = affine(Prover(math.inf), nothing, 0)
    assert step is not None
    assert is_followed(step, nothing)
    assert affine(Prover(math.inf), replace(nothing, given=(Given(x - y, False), Given(y - x, False))), 0) is None
    touching = replace(nothing, expression=x - y, given=(Given(x - y, False),), is_strict=True)
    assert affine(Prover(math.inf), touching, 0) is None


def goal_of(e, given, low=-math.inf):
    r = VariableRange(low if math.isinf(low) else Fraction(low), math.inf)
    return Goal(e, False, {x: r, y: r}, tuple(Given(g, False) for g in given))


@pytest.mark.parametrize("method", ["highs", "highs-ds"])
def test_a_linear_program_ends_after_so_many_steps(method, monkeypatch):
    """No limit of time interrupts it."""
    random = np.random.default_rng(0)
    matrix, gains = random.random((12, 30)), random.random(30)
    asked = partial(combinations.solved, gains, matrix, matrix @ random.random(30), high=None, method=method)
    assert asked() is not None
    monkeypatch.setattr(combinations, "_MAX_STEPS", 3)
    assert asked() is None


def test_even_powers_are_ordered_as_symbols():
    """Robinson's form is Schur's inequality in squares; with less of its middle term it fails at 1, 1, 1."""
    rest = "x^4*y^2 + x^4*z^2 + y^4*x^2 + y^4*z^2 + z^4*x^2 + z^4*y^2"
    ranges = dict.fromkeys("xyz", ("-oo", "oo"))
    assert prove(f"x^6 + y^6 + z^6 + 3*x^2*y^2*z^2 >= {rest}", **ranges, seconds=9).verdict == "proved"
    assert prove(f"x^6 + y^6 + z^6 + 2.99*x^2*y^2*z^2 >= {rest}", **ranges, seconds=9).verdict == "refuted"


@pytest.mark.parametrize("factor", ["n", "n^2", "sqrt(n)"])
def test_positive_factors_stand_before_the_absolute_value_that_is_taken_apart(factor: str) -> None:
    """The checker reads |n log n| as n |log n|: a proof by the cases of the former it refuses."""
    relation = f"4*abs({factor}*log(n)) >= 4*{factor}*log(n)"
    proved = prove(relation, n="4:oo", integers="n", seconds=20)
    assert (proved.verdict, replay(proved.record)) == ("proved", "proved")
    assert prove(relation.replace(">= 4", ">= 5"), n="4:oo", integers="n", seconds=5).verdict == "refuted"
