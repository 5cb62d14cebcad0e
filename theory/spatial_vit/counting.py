"""Exact error probabilities over the data of Jelassi, Sander and Li (NeurIPS 2022), as polynomials in q.

A data point is, up to noise that no rule below reads, its signs: C in the signal set, and D - C that are +1, -1 with
probability q/2 each and 0 otherwise. An event therefore has probability sum_f n_f (q/2)^f (1 - q)^(D-C-f), with n_f the
number of sign patterns in it that have f non-zero random patches. The counts are integers; nothing is sampled. Labels
are symmetric, so y = 1 throughout.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable

import sympy as sp

from theory.spatial_vit.notation import q

SetCounts = Counter[tuple[int, int]]
"""(sum of signs, non-zero signs) -> number of sign patterns."""


@functools.cache
def sums(n_patches: int) -> SetCounts:
    """Patterns of `n_patches` random patches by their sum."""
    counts: SetCounts = Counter({(0, 0): 1})
    for _ in range(n_patches):
        longer: SetCounts = Counter()
        for (total, featured), number in counts.items():
            longer[total, featured] += number
            longer[total + 1, featured + 1] += number
            longer[total - 1, featured + 1] += number
        counts = longer
    return counts


def probability(counts: Iterable[tuple[int, int]], n_random: int) -> sp.Expr:
    """Probability of an event from its pairs (number of patterns, non-zero patches)."""
    by_featured: Counter[int] = Counter()
    for number, featured in counts:
        by_featured[featured] += number
    return sp.Add(*(number * (q / 2) ** f * (1 - q) ** (n_random - f) for f, number in sorted(by_featured.items())))


def threshold(total: int, set_size: int) -> int:
    """Threshold_{0.9 C} of a set's sum. [jelassi2022, below Assumption 1]"""
    return total if 10 * abs(total) > 9 * set_size else 0


def combine(first: SetCounts, second: SetCounts) -> SetCounts:
    """Patterns of two independent groups, by the sum of their values."""
    counts: SetCounts = Counter()
    for (value, featured), number in first.items():
        for (other, more), ways in second.items():
            counts[value + other, featured + more] += number * ways
    return counts


def mapped(counts: SetCounts, value: Callable[[int], int]) -> SetCounts:
    """The same patterns by a function of their sum."""
    images: SetCounts = Counter()
    for (total, featured), number in counts.items():
        images[value(total), featured] += number
    return images


def not_positive(counts: SetCounts, n_random: int) -> sp.Expr:
    """Probability that the value is zero or negative."""
    return probability(((number, featured) for (value, featured), number in counts.items() if value <= 0), n_random)


def labelling_error(n_patches: int, set_size: int) -> sp.Expr:
    """P[y f* <= 0], ties included."""
    counts: SetCounts = Counter({(set_size, 0): 1})
    for _ in range(n_patches // set_size - 1):
        counts = combine(counts, mapped(sums(set_size), lambda total: threshold(total, set_size)))
    return not_positive(counts, n_patches - set_size)


def paired_error(n_patches: int, set_size: int, power: int) -> sp.Expr:
    """P[y F <= 0] of a transformer whose patches attend evenly to their own set and a partner set, F odd of `power`.

    Sets are partners two by two: F is the sum over pairs of (sum of the pair's signs)^power, up to a factor.
    """
    counts = mapped(sums(set_size), lambda total: (set_size + total) ** power)
    for _ in range(n_patches // (2 * set_size) - 1):
        counts = combine(counts, mapped(sums(2 * set_size), lambda total: total**power))
    return not_positive(counts, n_patches - set_size)


def uneven_error(n_patches: int, set_size: int, power: int, weights: tuple[int, int, int]) -> sp.Expr:
    """The same where attention is uneven: `weights` of the patch itself, another of its set, one of the partner set."""
    own, within, partner = weights
    one: SetCounts = Counter()
    for plus, minus in itertools.product(range(set_size + 1), repeat=2):
        if plus + minus <= set_size:
            one[plus, minus] = math.comb(set_size, plus) * math.comb(set_size - plus, minus)

    def output(first: tuple[int, int], second: tuple[int, int]) -> int:
        total = 0
        for (plus, minus), (up, down) in ((first, second), (second, first)):
            heard = within * (plus - minus) + partner * (up - down)
            signs = ((plus, 1), (minus, -1), (set_size - plus - minus, 0))
            total += sum(number * (heard + (own - within) * sign) ** power for number, sign in signs)
        return total

    signal = (set_size, 0)
    counts: SetCounts = Counter()
    for random, ways in one.items():
        counts[output(signal, random), sum(random)] += ways
    pair: SetCounts = Counter()
    for (first, ways), (second, others) in itertools.product(one.items(), repeat=2):
        pair[output(first, second), sum(first) + sum(second)] += ways * others
    for _ in range(n_patches // (2 * set_size) - 1):
        counts = combine(counts, pair)
    return not_positive(counts, n_patches - set_size)


def sum_error(n_patches: int, set_size: int) -> sp.Expr:
    """P[y sum_j <w*, X_j> <= 0]: a generalized linear model with equal weights and increasing phi."""
    n_random = n_patches - set_size
    return not_positive(mapped(sums(n_random), lambda total: set_size + total), n_random)


def decoder_error(n_patches: int, set_size: int) -> sp.Expr:
    """P[f* g <= 0] of g = phi(sum_j <3^j w*, X_j>), phi a table from the sum's values to labels.

    The table holds the first label seen for a sum, so that two data points of equal sum and unlike label would count as
    an error. By symmetry only y = 1 is counted.
    """
    table: dict[int, int] = {}
    lost = []
    places = range(0, n_patches, set_size)
    for random_signs in itertools.product((-1, 0, 1), repeat=n_patches - set_size):
        for place in places:
            pattern = (*random_signs[:place], *(1,) * set_size, *random_signs[place:])
            code = sum(3**j * sign for j, sign in enumerate(pattern))
            value = sum(threshold(sum(pattern[i : i + set_size]), set_size) for i in places)
            guess = table.setdefault(code, value)
            table.setdefault(-code, -value)
            if value * guess <= 0:
                lost.append((1, sum(map(abs, random_signs))))
    return probability(lost, n_patches - set_size) / len(places)
