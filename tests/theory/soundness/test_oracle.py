"""The oracle's own rules, at points where the answer is plain."""

from __future__ import annotations

import pytest
import sympy as sp

from tests.theory.soundness.oracle import Undecided, admits, in_range, judge
from tests.theory.soundness.statements import Q, eq, even, ge, gt, k, le, odd, p, power, prime, product, x, y


@pytest.mark.parametrize(
    ("relation", "value", "answer"),
    [
        (le(sp.cos(sp.sqrt(x)), 1), -4, None),
        (le(sp.cos(sp.sqrt(x)), 1), 0, True),
        (gt(1 / (1 + 1 / x), 0), 0, None),
        (gt(1 / (1 + 1 / x), 0), -2, True),
        (eq(product(x, 1 / x), 1), 0, None),
        (eq(product(0, sp.log(x)), 0), 0, None),
        (ge(sp.Max(sp.log(x), 1), 1), -1, None),
        (ge(x ** Q(1, 3), 0), -8, None),
        (eq(x ** Q(2, 3), 4), 8, True),
        (eq(sp.sqrt(x), Q(3, 2)), Q(9, 4), True),
        (gt(sp.exp(x), 1 + x), 0, False),
        (eq(sp.Heaviside(x), Q(1, 2)), 0, True),
        (eq(sp.sign(x), 0), 0, True),
        (eq(sp.floor(x), -2), Q(-3, 2), True),
        (eq(sp.ceiling(x), -1), Q(-3, 2), True),
        (eq(sp.floor(x + sp.pi), 4), 1, True),
        (eq(sp.Mod(x, 3), Q(3, 2)), Q(-3, 2), True),
        (ge(sp.asin(x), 0), Q(11, 10), None),
        (ge(sp.atanh(x), 0), 1, None),
        (ge(sp.acosh(x), 0), 1, True),
        (ge(sp.gamma(x), 0), -1, None),
        (gt(sp.gamma(x), 0), Q(-1, 2), False),
        (eq(sp.gamma(x), 24), 5, True),
        (eq(sp.log(sp.exp(x) + sp.exp(x)), x + sp.log(2)), Q(7, 3), True),
        (eq(x * sp.acos(Q(7823207, 7823209)), 0), 1, False),
        (eq(x * (640320**3 + 744 - sp.exp(sp.pi * sp.sqrt(163))), 0), 1, False),
        (gt(1 - sp.tanh(x), 0), 300, True),
        (gt(sp.exp(sp.I * x), 0), 1, None),
    ],
)
def test_a_relation_at_a_point(relation: sp.Basic, value: object, answer: bool | None) -> None:
    assert judge(relation, {x: sp.sympify(value)}) is answer


@pytest.mark.parametrize(("n", "j", "value"), [(5, 2, 10), (-3, -4, 0), (-3, 2, 6), (4, 5, 0), (0, 0, 1)])
def test_binomials_are_those_of_sympy(n: int, j: int, value: int) -> None:
    assert judge(eq(sp.binomial(k, j, evaluate=False), value), {k: sp.Integer(n)}) is True
    assert sp.binomial(n, j) == value


@pytest.mark.parametrize(
    "relation", [ge(power(x, x), 0), eq(sp.sqrt(x + 2) ** 2 + sp.sqrt(2), sp.sqrt(2) + sp.log(sp.exp(2)))]
)
def test_doubt_is_no_answer(relation: sp.Basic) -> None:
    """0**0 is a convention, and no more is known of an equality that no term shows."""
    doubtful = relation if relation.has(x**x) else eq(sp.sqrt(2) * sp.sqrt(x + 3), sp.sqrt(6))
    with pytest.raises(Undecided):
        judge(doubtful, {x: sp.S.Zero})


def test_assumptions_are_met_or_not() -> None:
    facts = {
        p: (1, 0),
        even: (4, 3),
        odd: (-3, 2),
        prime: (7, 9),
        k: (-2, Q(1, 2)),
        sp.Symbol("c", composite=True): (9, 7),
    }
    for symbol, (good, bad) in facts.items():
        assert admits(symbol, sp.sympify(good))
        assert not admits(symbol, sp.sympify(bad))


def test_a_point_of_the_range_satisfies_every_hypothesis() -> None:
    box = {x: (-1, 1), y: (0, 1)}
    assert in_range({x: sp.S.One, y: sp.S.Zero}, box, (ge(x, y),))
    assert not in_range({x: sp.S.Zero, y: sp.S.Zero}, box, (gt(x, y),))
    assert not in_range({x: -sp.S.One, y: sp.S.Zero}, box, (ge(sp.log(x), -5),))
    assert not in_range({x: sp.Integer(2), y: sp.S.Zero}, box, ())
