"""Single faults that no other test told from the checker: each of these fails where one of them is planted."""

from __future__ import annotations

import pytest
from flint import ctx, fmpq

from tests.theory.checker.writing import A, F, M, N, P, p, x
from theory.checker.domain import value_at
from theory.checker.limits import DEPTH, InvalidRecord, metered
from theory.checker.nodes import Node, number
from theory.checker.polynomials import NoForm, Ring
from theory.checker.zero import ZeroTest


@pytest.fixture(autouse=True)
def _as_in_a_replay():
    with ctx.workprec(128), metered():
        yield


def test_a_relation_that_divides_is_multiplied_out_on_both_sides():
    """With s = sqrt(x/(x + 1)), (1 + s) (1 - s) is 1/(x + 1), and not 1."""
    s = P(M(x, P(A(x, 1), -1)), 1, 2)
    product = M(A(1, s), A(1, M(-1, s)))
    assert ZeroTest().is_zero(A(product, M(-1, P(A(x, 1), -1))))
    assert not ZeroTest().is_zero(A(product, -1))


def test_exponents_with_large_denominators_have_no_form():
    def square(k: int) -> Node:
        return A(P(A(P(p, 1, k), 1), 2), M(-1, P(p, 2, k)), M(-2, P(p, 1, k)), -1)

    assert ZeroTest().is_zero(square(7))
    assert not ZeroTest().is_zero(square(1009))


def test_factors_that_are_zero_together_have_no_quotient():
    """(|x| + x) (|x| - x) is zero everywhere, though neither factor is."""
    size = F("Abs", x)
    with pytest.raises(NoForm, match="division by zero"):
        ZeroTest().canonical(M(P(A(size, x), -1), P(A(size, M(-1, x)), -1)))


def test_forms_are_multiplied_out_unless_factors_are_asked_for():
    e = M(A(x, 1), A(x, -1))
    assert ZeroTest().canonical(e) == A(P(x, 2), -1)
    assert ZeroTest().canonical(e, factored=True).kind == "mul"


def test_zero_is_its_own_factor_once():
    ring = Ring(2)
    assert ring.factors(ring.zero) == (1, [(ring.zero.p, 1)])


@pytest.mark.parametrize("inside", [F("sin", N(1)), F("log", N(2)), F("cosh", N(1))])
def test_an_absolute_value_of_what_is_positive_at_the_point_is_that(inside):
    """Also where it is at most 1."""
    found = value_at(F("Abs", inside), {}, ZeroTest().is_zero)
    assert found.interval.low > 0
    assert found.form == inside


def test_a_whole_part_is_not_told_between_three():
    assert value_at(F("floor", F("exp", N(80))), {}, ZeroTest().is_zero).exact > fmpq(10) ** 34
    with pytest.raises(InvalidRecord, match="cannot be told"):  # its enclosure has three whole parts
        value_at(F("floor", F("exp", N(88))), {}, ZeroTest().is_zero)


def test_depth_counts_from_one_and_has_an_end():
    e = number(2)
    assert e.depth == 1
    for _ in range(2 * DEPTH - 1):
        e = Node("sin", (e,))
    assert e.depth == 2 * DEPTH
    with pytest.raises(InvalidRecord, match="nested deeper"):
        Node("sin", (e,))
