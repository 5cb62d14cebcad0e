"""Data points one by one in plain Python: the second witness of exact laws."""

from __future__ import annotations

import itertools
from collections.abc import Iterator


def data_points(n_patches: int, set_size: int, rate: float) -> Iterator[tuple[list[int], float]]:
    """Set sums of every data point of label 1 whose signal set is the first, with its probability."""
    chance = {0: 1 - rate, 1: rate / 2, -1: rate / 2}
    for random in itertools.product((-1, 0, 1), repeat=n_patches - set_size):
        signs = (1,) * set_size + random
        probability = 1.0
        for sign in random:
            probability *= chance[sign]
        yield [sum(signs[i : i + set_size]) for i in range(0, n_patches, set_size)], probability


def labelled(sums: list[int], set_size: int) -> int:
    return sum(total for total in sums if 10 * abs(total) > 9 * set_size)
