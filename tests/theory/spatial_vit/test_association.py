"""Gram matrices among the A with three values: the conditions of B.association beside eigenvalues in floats."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from theory.spatial_vit.data_model import ASSOCIATED, ASSOCIATION, EIGENVALUES, THREE_VALUED
from theory.spatial_vit.notation import beta, gamma, rho

GRID = [Fraction(k, 2) for k in range(-8, 9, 2)]


def _smallest(values) -> float:
    point = dict(zip((beta, gamma, rho), map(sp.Rational, values), strict=True))
    return float(np.linalg.eigvalsh(np.array(THREE_VALUED.subs(point), dtype=float)).min())


def _meets(conditions, values) -> bool:
    point = dict(zip((beta, gamma, rho), map(sp.Rational, values), strict=True))
    return all(bool(condition.subs(point)) for condition in conditions)


def test_conditions_say_what_eigenvalues_say():
    for values in itertools.product(GRID, repeat=3):
        smallest = _smallest(values)
        if abs(smallest) > 1e-9:
            assert _meets(EIGENVALUES, values) == (smallest > 0), values


@pytest.mark.parametrize("left_out", range(3))
def test_one_eigenvalue_less_admits_an_associated_matrix_that_is_no_gram_matrix(left_out):
    rest = [condition for k, condition in enumerate(EIGENVALUES) if k != left_out]
    admitted = [v for v in itertools.product(GRID, repeat=3) if _meets((*ASSOCIATED, *rest), v)]
    assert any(_smallest(values) < -1e-9 for values in admitted) == (left_out in (0, 2))
    assert any(_smallest(values) > -1e-9 for values in admitted)


def test_the_claim_asks_for_all_of_them():
    lemma = next(one for one in ASSOCIATION.lemmas if one.name == "A associates patches and is a Gram matrix")
    assert set(EIGENVALUES) <= set(lemma.relations)
