"""Laws that a search found, measured again by code of its own from the paper's equations alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize

POWER_OF_C = (0.995, 1.019)
"""Interval, 95 % with that of L, in B.glm_fails's law, q = 0.878 C^1.006 L^-1.037, as printed by `repairs`."""
OFF = 1.0064
"""By which factor that law is typically off on held-out settings, q itself being read off between measured rates."""


def error(q: float, size: int, sets: int) -> float:
    """P[y S < 0] + P[S = 0] / 2 of S = sum_j <w*, X_j> [jelassi2022, Assumption 1], which any increasing phi errs.

    y S is C plus D - C independent signs that are 1 or -1 with probability q/2 each: their law by convolution.
    """
    law, signs = np.array([1.0]), size * sets - size
    for _ in range(signs):
        law = np.convolve(law, [q / 2, 1 - q, q / 2])
    below = signs - size  # the index at which C plus the signs is 0
    return float(law[:below].sum() + law[below] / 2)


def least_q(size: int, sets: int) -> float:
    """The rate of spurious signs at which the error is 1/8."""
    near = size / (sets - 1)
    return optimize.brentq(lambda q: error(q, size, sets) - 1 / 8, 0.3 * near, min(1.0, 1.6 * near), xtol=1e-6)


def settings(seed: int) -> np.ndarray:
    """C, L and least q at random settings of the search's population, drawn by a seed of this file. [40, 3]"""
    generator, rows = np.random.default_rng([20231124, seed]), []
    while len(rows) < 40:
        size, sets = (round(math.exp(generator.uniform(*np.log(ends)))) for ends in ((4, 16), (4, 60)))
        if size * sets <= 400 and 5 / 4 * size < sets - 1:
            rows.append((size, sets, least_q(size, sets)))
    return np.array(rows)


def typical(rows: np.ndarray, law: np.ndarray) -> float:
    """By which factor a law is typically off."""
    return math.exp(float(np.sqrt(np.mean(np.log(rows[:, 2] / law) ** 2))))


def powers(rows: np.ndarray, *letters: np.ndarray) -> np.ndarray:
    """Exponents of the letters by least squares."""
    design = np.column_stack([np.ones(len(rows)), *map(np.log, letters)])
    return np.linalg.lstsq(design, np.log(rows[:, 2]), rcond=None)[0][1:]


def test_the_error_of_the_sum_is_that_of_drawn_data() -> None:
    generator, size, sets, q = np.random.default_rng(0), 4, 10, 0.3
    signs = generator.choice([-1, 0, 1], p=[q / 2, 1 - q, q / 2], size=(100_000, size * (sets - 1))).sum(axis=1) + size
    drawn = np.mean(signs < 0) + np.mean(signs == 0) / 2
    assert error(q, size, sets) == pytest.approx(drawn, abs=0.004)


@pytest.mark.parametrize("seed", range(5))
def test_the_least_q_of_linear_models_follows_the_law_that_was_found(seed: int) -> None:
    """What was found is C / (L - 1) on this range: its power of L is -1.04 to -1.06, by which settings are drawn."""
    rows = settings(seed)
    size, sets = rows[:, 0], rows[:, 1]
    found = 0.878 * size**1.006 * sets**-1.037
    assert typical(rows, found) < 1 + 3 * (OFF - 1)
    assert powers(rows, size, sets - 1) == pytest.approx([1, -1], abs=0.02)
    assert POWER_OF_C[0] - 0.01 < powers(rows, size, sets - 1)[0] < POWER_OF_C[1] + 0.01
    assert typical(rows, 0.752 * size / (sets - 1)) < 1.004
    for planted in (found * size**0.1, found * sets**0.1, found * np.log(sets), 1.1 * found):
        assert typical(rows, planted) > 1 + 3 * (OFF - 1)
