"""Products as parts: what is proposed to the checker, which multiplies them again."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.checker.nodes import Node, mul, number, power, subtract
from theory.checker.parser import read_expression
from theory.checker.statement import read_box
from theory.checker.walks import normal
from theory.checker.zero import ZeroTest
from theory.prover.expressions.rewriting import factors

g = sp.Symbol("g", nonnegative=True)


def multiplied(parts: list[tuple[sp.Expr, int]]) -> Node:
    """The product as the checker forms it."""
    return mul(*[power(normal(read_expression(sp.srepr(base))), number(n)) for base, n in parts])


@pytest.mark.parametrize(
    "e",
    [
        16 * g**3 / sp.sqrt(1 - 4 * g**2),
        16 * g**2 * (3 - 4 * g**2 - 16 * g**4) * sp.exp(2 * g**2) / (1 - 4 * g**2) ** sp.Rational(3, 2),
        g * (1 - 4 * g**2) ** sp.Rational(1, 3) - g**2 * (1 - 4 * g**2) ** sp.Rational(1, 3),
    ],
    ids=str,
)
def test_the_root_of_a_sum_stays_whole(e: sp.Expr) -> None:
    """sympy takes sqrt(1 - 4 g^2) apart, since 1 + 2 g is positive; the checker refuses such a product."""
    parts = factors(e)
    assert parts is not None
    assert len(parts) > 1
    test = ZeroTest(read_box([[sp.srepr(g), "0", "1/4"]]))
    assert test.is_zero(subtract(multiplied(parts), normal(read_expression(sp.srepr(e)))))


def test_other_roots_and_powers_are_taken_apart_as_before() -> None:
    assert dict(factors(g**3 - g) or []) == {g: 1, g - 1: 1, g + 1: 1}
    assert dict(factors((1 + g) ** 2 * sp.sqrt(g)) or []) == {1 + g: 2, sp.sqrt(g): 1}
