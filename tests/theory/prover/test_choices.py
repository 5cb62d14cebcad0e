"""Absolute values of waves: sympy and the checker write |a| and |-a| in forms of their own."""

import sympy as sp

from theory.prover.expressions.evaluation import with_choices_as_read
from theory.prover.prove import prove

x, y = sp.symbols("x y", real=True)


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
