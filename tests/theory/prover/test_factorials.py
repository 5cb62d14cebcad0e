"""Logarithms of factorials of expressions: bounded apart, shown to the checker, and not where they may be undefined."""

from __future__ import annotations

import pytest
import sympy as sp

from tests.theory.prover.test_far import settled
from theory.prover.expressions import rewriting
from theory.prover.prove import prove
from theory.prover.rungs.factorials import stirling, stirling_apart

c, t = sp.symbols("c t", positive=True)
x = sp.Add(sp.exp(2 * c + 2), t)
BOX = {c: (1, sp.oo), t: (0, 1)}
VALUE = sp.log(sp.factorial(x))


@pytest.mark.parametrize(
    "relation",
    [
        sp.Gt(VALUE, c * x, evaluate=False),
        sp.Gt(sp.Abs(VALUE), c * sp.Abs(x), evaluate=False),
        sp.Gt(2 * VALUE + sp.log(sp.factorial(t + 1)), 2 * c * x - 1, evaluate=False),
    ],
)
def test_what_stands_beside_x_log_x_is_apart(relation: sp.Basic) -> None:
    assert settled(stirling_apart, relation, BOX) is not None


@pytest.mark.parametrize(
    "relation",
    [
        sp.Gt(VALUE, (2 * c + 2) * x, evaluate=False),  # false: log x! < x log x
        sp.Gt(-VALUE, -c * x, evaluate=False),
        sp.Gt(c * VALUE, c * x, evaluate=False),  # true, but no rational number stands before the logarithm
        sp.Gt(c * sp.Abs(VALUE) ** 2, -1, evaluate=False),
    ],
)
def test_what_is_false_or_of_another_form_is_left(relation: sp.Basic) -> None:
    assert settled(stirling_apart, relation, BOX) is None


def test_an_argument_that_may_be_negative_is_left() -> None:
    relation = sp.Gt(sp.log(sp.factorial(t - sp.exp(-c))), -3, evaluate=False)
    assert settled(stirling_apart, relation, BOX) is None
    assert settled(stirling, relation, BOX) is None


def test_no_constants_serve_where_a_logarithm_outgrows_them() -> None:
    found = prove("log(n!) = O(n)", {"n": "[2, oo)"}, integers=["n"], seconds=30)
    assert found.verdict == "refuted"
    assert "exp(2*C + 2)" in found.reason


def test_a_number_too_long_to_be_factored_is_left_at_once(monkeypatch) -> None:
    monkeypatch.setattr(rewriting, "within", lambda *_: pytest.fail("it is factored"))
    for e in (t**3 - 2 ** (t + 1879), t**2 - sp.Integer(10) ** 400, t**2 - sp.Rational(1, 10**400)):
        assert rewriting.factors(e) is None
