"""Exact laws of sums over random sets, by convolution: what needs no enumeration of data points.

Feature coefficients are -1, 0 or 1, so that totals, set sums and the labelling function live on integers. Data of label
1 suffice, as the distribution is symmetric. Every term is positive: no cancellation, and probabilities of 1e-200 keep
their relative accuracy. A law of integers in [-n, n] is an array of 2 n + 1 entries, entry k standing for k - n.
[jelassi2022, Assumption 1]
"""

from __future__ import annotations

import functools

import numpy as np

from sim.spatial_vit.network.setting import LABEL_THRESHOLD


@functools.cache
def sum_law(n_patches: int, spurious_rate: float) -> np.ndarray:
    """Law of the sum of `n_patches` random patches, [2 n_patches + 1]; by binary powers, and kept."""
    power, law = np.array([spurious_rate / 2, 1 - spurious_rate, spurious_rate / 2]), np.ones(1)
    remaining = n_patches
    while remaining:
        if remaining % 2:
            law = np.convolve(law, power)
        power = np.convolve(power, power)
        remaining //= 2
    law.setflags(write=False)
    return law


def support(law: np.ndarray) -> np.ndarray:
    """The integers that a law's entries stand for."""
    return np.arange(len(law)) - len(law) // 2


def thresholded(sums: np.ndarray, set_size: int) -> np.ndarray:
    """Threshold_{0.9 C} of set sums. [jelassi2022, below Assumption 1]"""
    return np.where(np.abs(sums) > LABEL_THRESHOLD * set_size, sums, 0)


def pushed(law: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Law of an integer function of the sum, `values` [entries of law]."""
    reach = int(np.abs(values).max())
    return np.bincount(values + reach, weights=law, minlength=2 * reach + 1)


def with_terms(law: np.ndarray, term: np.ndarray, n_terms: int) -> np.ndarray:
    """Law of a sum with `n_terms` more independent terms; laws with few values are cheap, however far apart these."""
    values, probabilities = np.flatnonzero(term), term[term > 0]
    for _ in range(n_terms):
        longer = np.zeros(len(law) + len(term) - 1)
        for value, probability in zip(values.tolist(), probabilities.tolist(), strict=True):
            longer[value : value + len(law)] += probability * law
        law = longer
    return law


def labelling_law(*, n_patches: int, set_size: int, spurious_rate: float) -> np.ndarray:
    """Law of f* given label 1, [2 n_patches + 1]."""
    one = sum_law(set_size, spurious_rate)
    signal = np.zeros(2 * set_size + 1)
    signal[-1] = 1.0  # the signal set adds C
    return with_terms(signal, pushed(one, thresholded(support(one), set_size)), n_patches // set_size - 1)


def not_positive(law: np.ndarray) -> float:
    """Probability that the integer is zero or negative."""
    return float(law[: len(law) // 2 + 1].sum())


def joint_law(*, n_patches: int, set_size: int, spurious_rate: float) -> np.ndarray:
    """Joint law of the total of all coefficients and of f* given label 1, [2 n_patches + 1, 2 n_patches + 1]."""
    one = sum_law(set_size, spurious_rate)
    sums = support(one)
    steps = list(zip(sums.tolist(), thresholded(sums, set_size).tolist(), one.tolist(), strict=True))
    law = np.zeros((2 * n_patches + 1, 2 * n_patches + 1))
    law[n_patches + set_size, n_patches + set_size] = 1.0
    for done in range(1, n_patches // set_size):
        reach = done * set_size
        inner = slice(n_patches - reach, n_patches + reach + 1)
        longer = np.zeros_like(law)
        for total, value, probability in steps:
            there = slice(n_patches - reach + total, n_patches + reach + total + 1)
            across = slice(n_patches - reach + value, n_patches + reach + value + 1)
            longer[there, across] += probability * law[inner, inner]
        law = longer
    return law
