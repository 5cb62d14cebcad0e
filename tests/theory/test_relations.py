"""Relations as written, and sums whose index assumes what the sum says anyway."""

from __future__ import annotations

import sympy as sp

from theory.prover.prove import prove
from theory.relations import at_most, with_plain_indices

N = sp.Symbol("n", integer=True, positive=True)
POSITIVE, NONNEGATIVE, WHOLE = (
    sp.Symbol("k", integer=True, **assumed) for assumed in ({"positive": True}, {"nonnegative": True}, {})
)


def test_an_index_that_a_sum_bears_out_is_whole_alone() -> None:
    for index, first in ((POSITIVE, 1), (POSITIVE, 3), (NONNEGATIVE, 0), (NONNEGATIVE, 2), (POSITIVE, N)):
        plain = with_plain_indices(at_most(sp.Sum(1 / (index + 1), (index, first, N)) + 1, N))
        assert plain == at_most(sp.Sum(1 / (WHOLE + 1), (WHOLE, first, N)) + 1, N)


def test_an_index_that_a_sum_does_not_bear_out_stays() -> None:
    """From 0 on a positive index leaves a term out, or not: nobody knows what was meant."""
    for index, first in ((POSITIVE, 0), (NONNEGATIVE, -1), (POSITIVE, sp.Symbol("m", integer=True))):
        said = at_most(sp.Sum(1 / (index + 2), (index, first, N)), N)
        assert with_plain_indices(said) == said
    free = at_most(sp.Sum(POSITIVE * WHOLE, (POSITIVE, 1, N)), N)  # another letter of that name stands in the terms
    assert with_plain_indices(free) == free


def test_sums_in_sums_and_products_are_looked_into() -> None:
    inner, outer = sp.Symbol("i", integer=True, positive=True), POSITIVE
    plain = with_plain_indices(sp.Sum(sp.Product(inner, (inner, 1, outer)), (outer, 1, N)))
    assert not any(symbol.is_positive for symbol in plain.atoms(sp.Symbol) - {N})
    assert plain.subs(N, 3).doit() == 1 + 2 + 6


def test_a_sum_over_a_positive_index_is_proved_and_its_false_twin_refuted() -> None:
    total = sp.Sum(1 / POSITIVE**2, (POSITIVE, 1, N))
    assert prove(at_most(total, 2 - 1 / N), {N: (1, "oo")}).verdict == "proved"
    assert prove(at_most(total, sp.Rational(3, 2)), {N: (1, "oo")}).verdict == "refuted"
