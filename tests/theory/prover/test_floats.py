"""Faster ways to the same floats and the same points."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from scipy import special

from theory.intervals.box import VariableRange
from theory.prover.counterexamples.attack import CandidateCounterexamples
from theory.prover.expressions.floats import factorial

x, y, z = sp.symbols("x y z", real=True)


@pytest.mark.parametrize(
    "n",
    [
        np.array([-2.0, -1.0, -0.5, 0.0, 1.0, 2.5, 170.0, 171.0, np.nan, np.inf, -np.inf]),
        np.random.default_rng(1).normal(size=2000) * 50, 3, 2.5, np.float64(4), np.array(3.0), np.array([1, 2, 3]),
    ],
)  # fmt: skip
def test_factorials_are_those_of_scipy_to_the_bit(n) -> None:
    with np.errstate(all="ignore"):
        assert np.array_equal(factorial(n), special.factorial(n), equal_nan=True)


@pytest.mark.parametrize(("other", "found"), [(2, sp.Rational(3, 2)), (0, 0)])
def test_what_an_equation_says_of_a_symbol_is_put_in_though_it_has_a_pole(other: int, found: sp.Expr) -> None:
    box = {symbol: VariableRange(Fraction(-9), Fraction(9)) for symbol in (x, y, z)}
    attack = CandidateCounterexamples(sp.Ge(z, 0, evaluate=False), box, (sp.Eq(z, x / y, evaluate=False),))
    attack.solved = [(z, x / y)]
    point = {x: sp.Integer(3 if other else 0), y: sp.Integer(other), z: sp.Integer(1)}
    met = attack._on_equations(point)
    assert met is not None
    assert met[z] == found
