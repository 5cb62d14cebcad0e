"""What sympy hands out in sets has one order, also where two members have one text."""

from __future__ import annotations

import itertools

import sympy as sp

from theory.ordering import in_order

a, b, c = sp.symbols("c b a", real=True)


def test_members_come_by_their_text() -> None:
    assert in_order({a, b, c}) == [c, b, a]
    assert in_order({a, b, c}, reverse=True) == [a, b, c]
    assert in_order([]) == []


def test_members_of_one_text_have_an_order_too() -> None:
    alike = [sp.Symbol("x", real=True), sp.Symbol("x", positive=True), sp.Dummy("x"), sp.Symbol("_x"), sp.Dummy("x")]
    orders = {tuple(in_order(turned)) for turned in itertools.permutations(alike)}
    assert len(orders) == 1
