"""Floors, remainders, signs and cases as people type them: true ones proved, false ones refuted beside the jump."""

import json
from fractions import Fraction

import pytest
import sympy as sp

from theory.checker.replay import replay
from theory.intervals.box import VariableRange
from theory.prover.counterexamples.jumps import near_jumps
from theory.prover.expressions.pieces import in_choices
from theory.prover.prove import prove
from theory.prover.typed.formula import FormulaError, read_expression

LINE = ("-oo", "oo")
TRUE = [
    ("floor(x) > x - 1", {"x": LINE}),
    ("ceil(x) < x + 1", {"x": (0, 5)}),
    ("mod(x, -3) > -3", {"x": LINE}),
    ("mod(x, y) < y", {"x": LINE, "y": "(0, oo)"}),
    ("mod(-7, 3) == 2", {}),
    ("mod(7, -3) == -2", {}),
    ("floor(n/2) >= (n - 1)/2", {"n": LINE, "integers": "n"}),
    ("mod(n^5 - n, 30) == 0", {"n": LINE, "integers": "n"}),
    ("n <= floor(x)", {"x": LINE, "n": LINE, "integers": "n", "given": "n <= x"}),
    ("abs(x) == -x", {"x": (-3, 0)}),
    ("x*sign(x) >= 0", {"x": (-1, 1)}),
    ("Piecewise((x^2, x < 1), (2*x - 1, True)) >= 2*x - 1", {"x": LINE}),
    ("Piecewise((1/x, x > 0), (0, not x > 0)) >= 0", {"x": (-1, 1)}),
]
FALSE = [
    ("floor(x) >= x - 0.999", {"x": (0, 5)}),
    ("frac(x) > 0", {"x": (0.5, 1.5)}),
    ("mod(x, -2) >= 0", {"x": (0, 1)}),
    ("mod(n^5 - n, 60) == 0", {"n": LINE, "integers": "n"}),
    ("ceiling(x) - floor(x) == 1", {"x": (0.5, 1.5)}),
    ("Piecewise((1, x != 1/7), (0, True)) == 1", {"x": (0, 10)}),
    ("Piecewise((x, x <= 1), (0, True)) < 1", {"x": (0, 2)}),
]
UNDEFINED = [
    ("1/floor(x) <= 1", {"x": (0, 2)}),
    ("mod(1, x) <= 9", {"x": (-1, 1)}),
    ("Piecewise((1, x < 0), (1, x > 0)) == 1", {"x": (-1, 1)}),
    ("Piecewise((1, x > 0 or log(x) < 9), (1, True)) == 1", {"x": (-1, 1)}),
]


@pytest.mark.parametrize(("statement", "more"), TRUE)
def test_what_is_true_is_proved(statement, more):
    decision = prove(statement, seconds=20, **more)
    assert decision.verdict == "proved", decision
    assert replay(json.loads(json.dumps(decision.record))) == "proved"


@pytest.mark.parametrize(("statement", "more"), FALSE)
def test_what_is_false_is_refuted(statement, more):
    assert prove(statement, seconds=20, **more).verdict == "refuted"


@pytest.mark.parametrize(("statement", "more"), UNDEFINED)
def test_what_has_no_value_somewhere_is_told_so(statement, more):
    assert prove(statement, seconds=20, **more).verdict == "undefined"


def test_a_constant_serves_for_all_cases():
    statement = "exists c in [0, 1]: forall x in [-1, 7]: Piecewise((frac(x), x < 5), (1/2, True)) <= c"
    assert prove(statement, seconds=20).constants == {"c": 1}
    assert prove(statement.replace("<= c", "< c"), seconds=20).verdict == "proved"
    assert prove(statement.replace("[0, 1]", "[0, 9/10]"), seconds=20).verdict == "refuted"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Piecewise((x, x), (0, True))", "must have a relation in a condition here, got ')' at column 16"),
        ("Piecewise(x, 0)", "must have '(' here, got 'x' at column 11"),
        ("Piecewise((x))", "must have ',' here"),
        ("Piecewise((x, x < 1)", "must have ')' here, got the end"),
        ("Piecewise((x, x < 1 and), (0, True))", "must have a number, a name or ( here"),
        ("Piecewise((x, (x < 1), (0, True))", "must have"),
        ("mod(x)", "must give mod 2 arguments, got 1"),
        ("floor(x, x)", "must give floor one argument, got 2"),
    ],
)
def test_what_is_no_formula_is_refused_in_a_line(text, message):
    with pytest.raises(FormulaError, match="formula") as caught:
        read_expression(text, {"x": sp.Symbol("x", real=True)})
    assert message in str(caught.value)


def test_conditions_are_read_as_they_stand():
    x = sp.Symbol("x", real=True)
    read = read_expression("Piecewise((1, (x + 1) > 2 and not (x < 3 or 5 <= x < 7)), (2, True))", {"x": x})
    (_, condition), (_, last) = read.args
    assert last == sp.true
    for value, holds in ((0, False), (2, False), (4, True), (6, False), (8, True)):
        assert bool(condition.subs(x, value)) is holds


def test_choices_have_the_value_of_the_pieces():
    x = sp.Symbol("x", real=True)
    cases = ((x, (x > 0) & (x < 2)), (x**2, (x <= -1) | sp.Ne(x, 0)), (7, sp.Not(x > 9)))
    whole = sp.Piecewise(*cases, evaluate=False)
    for value in (-2, -1, sp.Rational(-1, 2), 0, 1, 2, 10):
        assert in_choices(whole).subs(x, value) == whole.subs(x, value)


def test_points_are_proposed_on_both_sides_of_a_jump():
    x = sp.Symbol("x", real=True)
    box = {x: VariableRange(Fraction(0), Fraction(9))}
    found = [point[x] for point in near_jumps([sp.floor(3 * x + 1)], box, [{x: Fraction(1, 2)}])]
    assert Fraction(1, 3) in found
    assert any(0 < Fraction(2, 3) - at < Fraction(1, 10**30) for at in found)
    assert any(0 < at - Fraction(2, 3) < Fraction(1, 10**30) for at in found)
