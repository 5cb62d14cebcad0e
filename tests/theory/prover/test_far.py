"""Boxes without ends: what bisection of charts at infinity shows, and that it shows nothing that fails there."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp

from theory.intervals.box import VariableRange
from theory.prover.certify import Proved, StatementSearch
from theory.prover.goal import Goal
from theory.prover.rungs.apart import apart
from theory.prover.rungs.far import far, leading
from theory.prover.search import Prover
from theory.prover.statement import stated
from theory.relations import above, at_most
from theory.timeout import cpu_clock

x, y = sp.symbols("x y", real=True)
p, q = sp.symbols("p q", positive=True)
oo, exp = sp.oo, sp.exp
PLANE, QUADRANT = {x: (-oo, oo), y: (-oo, oo)}, {p: (0, oo), q: (0, oo)}


def settled(rung, relation, box, given=(), *, seconds=20.0):
    """The answer by one rung alone, replayed by the checker; None where the rung finds nothing."""
    search = StatementSearch(*stated(relation, box, given), cpu_clock() + seconds)
    expression = relation.gts - relation.lts
    goal = Goal(expression, isinstance(relation, sp.Gt | sp.Lt), search.proved_on, search.hypotheses)
    proof = rung(Prover(search.deadline), goal, 0)
    return None if proof is None else search.proved({"proof": proof, "defined": []})


@pytest.mark.parametrize(
    ("relation", "box", "given"),
    [
        (above(x**4 - x**2 * q**2 + q**4 + 3, 3 * sp.sin(x * q)), {x: (-oo, oo), q: (0, oo)}, ()),
        (above(p**2 + y**4 + 1, p * y + p * sp.sin(y)), {p: (0, oo), y: (-oo, oo)}, ()),
        (above(exp(p) + exp(q), p * q), QUADRANT, ()),
        (at_most(sp.log(1 + x**2), 2 + sp.Abs(x)), {x: (-oo, oo)}, ()),
        (above(sp.sqrt(1 + p**2 + q**2), sp.Rational(7, 10) * (p + q)), QUADRANT, ()),
        (at_most(p * exp(-p) + exp(-(p**2)), 2), {p: (3, oo)}, ()),
        (above(x**4 + y**4 + 1, 2 * x * y), {x: (-oo, 3), y: (-2, oo)}, (x <= y,)),
    ],
    ids=["quartic", "parabola", "exponentials", "logarithm", "root", "decay", "given"],
)
def test_what_dominates_far_out_is_proved(relation, box, given):
    assert isinstance(settled(far, relation, box, given), Proved)


@pytest.mark.parametrize(
    ("relation", "box"),
    [
        (above(sp.expand((p - q) ** 4) + 1000, q), QUADRANT),
        (above(sp.expand((p - q**2) ** 2) + 1000, q), QUADRANT),
        (at_most(exp(p), 10**9 * (1 + p**4)), {p: (0, oo)}),
        (above(sp.sqrt(1 + x**2 + y**2), sp.Rational(71, 100) * (x + y)), PLANE),
        (above(x**2 + 1000, x * sp.log(1 + x**2) * 10**3), PLANE),
        (above(1 / (1 + x**2), sp.Rational(1, 10**9)), PLANE),
    ],
)
def test_what_fails_far_out_is_not(relation, box):
    assert settled(far, relation, box, seconds=0.15) is None


def test_parts_without_a_common_symbol_are_shown_apart():
    relation = at_most(p * exp(-p) + q / (1 + q**2), sp.Rational(7, 8))
    assert isinstance(settled(apart, relation, QUADRANT), Proved)
    assert settled(apart, at_most(p * exp(-p) + q / (1 + q**2), sp.Rational(86, 100)), QUADRANT, seconds=0.15) is None


def test_a_leading_power_is_taken_out():
    t = sp.Symbol("t", positive=True)
    power, rest = leading(sp.sqrt(1 + x**2) * (x**3 - y), t, {x: -1 / t})
    assert power == -4
    assert sp.expand(rest - sp.sqrt(t**2 + 1) * (-1 - y * t**3)) == 0


def test_a_bounded_box_and_a_whole_number_are_left_to_other_rungs():
    n = sp.Symbol("n", integer=True)
    closed = Goal(x**2 + 1, True, {x: VariableRange(Fraction(0), Fraction(1))})
    whole = Goal(n**2 + 1, True, {n: VariableRange(Fraction(0), math.inf)})
    assert far(Prover(cpu_clock() + 1), closed, 0) is None
    assert far(Prover(cpu_clock() + 1), whole, 0) is None
