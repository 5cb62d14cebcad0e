"""Proofs that the checker refuses: none is found first in what is here, and one that is ends no search."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from theory.checker.replay import InvalidRecord
from theory.failures import Failures
from theory.intervals.box import VariableRange
from theory.prover import search
from theory.prover.certify import NotDefined, Proved, certify
from theory.prover.existence.certify import Serves, certify_exists
from theory.prover.goal import Given, Goal
from theory.prover.prove import prove
from theory.prover.replaying import is_followed, known_conditions, unread
from theory.prover.rungs.forms import take_out
from theory.prover.rungs.valleys import _solve
from theory.timeout import cpu_clock

LINE, CIRCLE = ("-oo", "oo"), "x^2 + y^2 = 1"
x, c = sp.symbols("x c", real=True)


@pytest.mark.parametrize(
    ("statement", "ranges", "options", "verdict"),
    [
        ("abs(max(0,x)-max(0,y)) <= abs(x-y)", {"x": LINE, "y": LINE}, {}, "proved"),
        ("abs(max(0,x)-max(0,y)) <= 9/10*abs(x-y)", {"x": LINE, "y": LINE}, {}, "refuted"),
        ("abs(abs(x)-abs(y)) <= abs(x-y)", {"x": (-5, 5), "y": (-5, 5)}, {}, "proved"),
        ("abs(abs(x)-abs(y)) <= abs(x-y) - 1/100", {"x": (-5, 5), "y": (-5, 5)}, {}, "refuted"),
        ("4^n >= n^2+1", {"n": (0, "oo")}, {"integers": "n"}, "proved"),
        ("4^n >= n^2+5", {"n": (0, "oo")}, {"integers": "n"}, "refuted"),
        ("x = 2", {"x": (0, 5)}, {"given": "x^2 = 4"}, "proved"),
        ("x = 2", {"x": (-5, 5)}, {"given": "x^2 = 4"}, "refuted"),
        ("x + y <= sqrt(2)", {"x": LINE, "y": LINE}, {"given": CIRCLE}, "proved"),
        ("x + y <= sqrt(2)", {"x": LINE, "y": LINE}, {"given": "x^2 + y^2 <= 1"}, "proved"),
        ("x + y <= sqrt(2) - 1/1000", {"x": LINE, "y": LINE}, {"given": CIRCLE}, "refuted"),
        ("x + y <= sqrt(2)", {"x": LINE, "y": LINE}, {"given": "x^2 + y^2 >= 1"}, "refuted"),
        ("(1+1/n)^n <= 27/10", {"n": (1, "oo")}, {"integers": "n"}, "refuted"),
        ("(1+1/n)^n <= 28/10", {"n": (1, 40)}, {"integers": "n"}, "proved"),
    ],
)
def test_what_a_refused_proof_left_open_is_decided(statement, ranges, options, verdict):
    """A proof that the checker refuses would be raised here, as every failure is under test."""
    decision = prove(statement, ranges, seconds=20, **options)
    assert (decision.verdict, decision.failures) == (verdict, ())


@pytest.mark.parametrize("high", [math.inf, 7])
def test_ends_of_an_inverse_are_those_of_an_enclosure(high):
    """That 1/x is at most 1/3 for x >= 3 the checker sees up to rounding alone."""
    e, high = x * (sp.exp(1 / x) - 1) - 1, high if high == math.inf else Fraction(high)
    goal = Goal(sp.expand(e), False, {x: VariableRange(Fraction(3), high)})
    proof = take_out(search.Prover(cpu_clock() + 5), goal, 0)
    assert proof is not None
    assert is_followed(proof, goal)
    assert take_out(search.Prover(cpu_clock() + 1), replace(goal, expression=sp.expand(e - x / 4)), 0) is None


def test_what_sympy_cannot_solve_has_no_valleys():
    """Of the logarithms of this slope it compares exponents of which one has a symbol, as a TypeError."""
    log = sp.log(1 - 9 * sp.log(x) / x)
    assert _solve(-x * log + 9 * sp.log(x) * log - 9 * sp.log(x) + 9, x) == []


def boast(_, goal, __):
    """A rung that is sure of everything."""
    return {"by": "interval"}


@pytest.fixture
def boasting_rung(monkeypatch):
    monkeypatch.setattr(search, "zero", boast)


@pytest.fixture
def as_for_users(monkeypatch):
    monkeypatch.setattr(Failures, "are_raised", False)


NEEDS_MORE = sp.Ge(x**2 + sp.Rational(1, 4), x, evaluate=False)


def test_a_refused_proof_is_raised_under_test(boasting_rung):
    with pytest.raises(InvalidRecord, match="may be negative"):
        certify(NEEDS_MORE, {x: (0, 1)})


def test_the_search_goes_on_with_other_rungs(boasting_rung, as_for_users):
    answer = certify(NEEDS_MORE, {x: (0, 1)})
    assert isinstance(answer, Proved)
    assert [failure.step for failure in answer.failures] == ["replay of a proof"]


def test_it_goes_on_where_constants_may_be_chosen(boasting_rung, as_for_users):
    constants = {c: (sp.Rational(1, 4), sp.Rational(3, 10))}
    answer = certify_exists(sp.Ge(x**2 + c, x, evaluate=False), constants, {x: (0, 1)}, budget_s=30)
    assert isinstance(answer, Serves)
    assert [failure.step for failure in answer.failures] == ["replay of a proof"]


def test_what_is_false_stays_refuted_among_boasting_rungs(boasting_rung, as_for_users):
    assert prove("x^2 + 1/5 >= x", x=(0, 1)).verdict == "refuted"


@pytest.mark.parametrize(
    ("goal", "low", "to", "is_true"),
    [(2 - x, 0, 2, True), (2 - x, -5, 2, True), (-1 - x, 0, -2, False), (-1 - x, -5, -2, False), (2 - x, 0, 3, False)],
)
def test_an_equation_of_a_square_is_solved_by_the_root_that_is_not_negative(goal, low, to, is_true):
    """x^2 = 4 says x = 2 for x >= 0 alone, and never x = -2 or x = 3."""
    given = (Given(x**2 - 4, False), Given(4 - x**2, False))
    step = {"by": "eliminate", "givens": [0, 1], "symbol": sp.srepr(x), "to": sp.srepr(sp.Integer(to))}
    proof = step | {"proof": {"by": "interval"}}
    asked = Goal(goal, False, {x: VariableRange(Fraction(low), Fraction(5))}, given)
    assert is_followed(proof, asked) is (is_true and low >= 0)


def test_what_the_checker_does_not_read_is_unknown_and_nothing_refused():
    """It has no asinh. A search with time to ask it of every goal once ended in its words as a ValueError."""
    statement = sp.Ge(sp.asinh(x) ** 2, 0, evaluate=False)
    for_some = certify_exists(sp.Ge(sp.asinh(x), c, evaluate=False), {c: (-9, 0)}, {x: (0, 1)})
    for answer in (certify(statement, {x: (0, 1)}), for_some):
        assert answer.reason == "the checker does not read the statement: asinh is not in the list of names"
        assert answer.failures == ()
    answer = certify(sp.Ge(sp.acosh(x), 0, evaluate=False), {x: (0, 2)})
    assert isinstance(answer, NotDefined)
    assert 0 <= answer.point[x] < 1


def test_conditions_are_known_of_what_the_checker_reads_without_choices():
    """The checker is asked of goals with pieces left as well, and may then use no condition."""

    def rows(relation):
        return {"relation": sp.srepr(relation), "box": [[sp.srepr(x), "-1", "1"]], "given": []}

    pieces = rows(sp.Le(sp.Piecewise((x, x < 0), (1 / x, True)), 1, evaluate=False))
    assert (unread(pieces), known_conditions(pieces)) == ("", ())
    foreign = rows(sp.Le(sp.asinh(x), 1, evaluate=False))
    assert unread(foreign)
    assert known_conditions(foreign) == ()
    plain = rows(sp.Le(1 / x, 1, evaluate=False))
    assert unread(plain) == ""
    assert len(known_conditions(plain)) == 1
