"""What a sweep can show of a claim: certified slopes on a measured grid, constants included."""

from __future__ import annotations

import sympy as sp

from checks.evidence.comparison import constant_choices, shown_slopes
from theory.catalogue import discover


def grid_of(claim, values):
    """Points along the claim's first axis, every other symbol at 1/50."""
    axis = claim.axes[0].symbol
    known = {symbol: sp.Rational(1, 50) for symbol in claim.value.free_symbols - {c.symbol for c in claim.constants}}
    return [known | {axis: sp.Rational(value)} for value in values]


def test_slopes_of_a_claim_with_a_gap():
    claim = discover()["A.samples_frozen"]
    (clause,) = shown_slopes(claim, claim.axes[0], grid_of(claim, ("1/4", "1/2", "3/4")), {})
    assert clause.text == "any sweep over alpha_* in [0.25, 0.75] shows a slope of the claim in [-4.4, -4.08]"


def test_a_pure_power_says_nothing_that_its_exponent_does_not():
    claim = discover()["A.iterations"]
    for constants in constant_choices(claim):
        assert shown_slopes(claim, claim.axes[0], grid_of(claim, ("1/5", "4/5")), constants) == ()


def test_a_pole_inside_the_grid_leaves_slopes_unbounded():
    claim = discover()["A.samples_frozen"]
    assert shown_slopes(claim, claim.axes[0], grid_of(claim, ("1/100", "1/2")), {}) == ()
