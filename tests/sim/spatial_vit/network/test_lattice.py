"""Exact laws against naive enumeration of every data point."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from sim.spatial_vit.network import lattice
from tests.sim.enumeration import data_points, labelled

SIZES = [(8, 2, 0.3), (6, 3, 0.5), (12, 4, 0.2), (4, 2, 0.0), (4, 2, 1.0)]


def as_law(counted: Counter[int], reach: int) -> np.ndarray:
    return np.array([counted[value] for value in range(-reach, reach + 1)])


@pytest.mark.parametrize(("n_patches", "set_size", "rate"), SIZES)
def test_laws_are_those_of_enumeration(n_patches: int, set_size: int, rate: float) -> None:
    joint: Counter[tuple[int, int]] = Counter()
    values: Counter[int] = Counter()
    for sums, probability in data_points(n_patches, set_size, rate):
        value = labelled(sums, set_size)
        joint[sum(sums), value] += probability
        values[value] += probability
    shape = {"n_patches": n_patches, "set_size": set_size, "spurious_rate": rate}
    np.testing.assert_allclose(lattice.labelling_law(**shape), as_law(values, n_patches), rtol=1e-12, atol=0)
    found = lattice.joint_law(**shape)
    for total, value in itertools.product(range(-n_patches, n_patches + 1), repeat=2):
        assert found[total + n_patches, value + n_patches] == pytest.approx(joint[total, value], rel=1e-12)
    wrong = sum(probability for value, probability in values.items() if value <= 0)
    assert lattice.not_positive(lattice.labelling_law(**shape)) == pytest.approx(wrong, rel=1e-12)


def test_tiny_probabilities_keep_their_relative_accuracy() -> None:
    """All but one of 24 sets cancel: only the thresholds of one matter, in closed form."""
    law = lattice.labelling_law(n_patches=2 * 20, set_size=20, spurious_rate=1e-6)
    # f* <= 0 asks for a random set of sum -20 (below -18 = 0.9 C are -19 and -20; f* = 20 - 19 > 0).
    assert lattice.not_positive(law) == pytest.approx((5e-7) ** 20, rel=1e-10)


def test_the_threshold_is_strict_and_at_nine_tenths() -> None:
    np.testing.assert_array_equal(lattice.thresholded(np.array([8, 9, 10, -9, -10]), 10), [0, 0, 10, 0, -10])
    np.testing.assert_array_equal(lattice.thresholded(np.array([3, 4, -4]), 4), [0, 4, -4])


def test_a_law_of_images_adds_up() -> None:
    law = lattice.sum_law(3, 0.4)
    cubes = lattice.pushed(law, lattice.support(law) ** 3)
    assert len(cubes) == 2 * 27 + 1
    assert cubes.sum() == pytest.approx(1)
    assert cubes[27 + 8] == law[3 + 2]
    twice = lattice.with_terms(cubes, cubes, 2)
    np.testing.assert_allclose(twice, np.convolve(np.convolve(cubes, cubes), cubes), rtol=1e-12, atol=1e-18)
