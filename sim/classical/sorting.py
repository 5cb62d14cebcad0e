"""Random permutations: quicksort, and the longest increasing subsequence."""

from __future__ import annotations

from bisect import bisect_left

import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer


def simulate_quicksort(*, n_items: int, n_draws: int, generator: torch.Generator) -> TrialResult:
    """Count the comparisons of quicksort with random pivots, in `n_draws` runs at once.

    A part of s items costs s - 1 comparisons with its pivot, whose rank is uniform; what the items are does not matter.

    Returns:
        Observable `expected_comparisons`: mean number of comparisons.
    """
    require_integer(least=1, n_items=n_items, n_draws=n_draws)
    sizes = torch.full((n_draws,), n_items)
    comparisons = 0
    while len(sizes):
        comparisons += int((sizes - 1).sum())
        below = (torch.rand(len(sizes), generator=generator, dtype=torch.float64) * sizes).long()
        parts = torch.cat([below, sizes - 1 - below])
        sizes = parts[parts > 1]
    return TrialResult(Outcome.CONVERGED, {"expected_comparisons": comparisons / n_draws})


def simulate_subsequence(*, n_items: int, n_draws: int, generator: torch.Generator) -> TrialResult:
    """Find the longest increasing subsequence of `n_draws` random permutations.

    Returns:
        Observable `expected_length`: mean length.
    """
    require_integer(least=1, n_items=n_items, n_draws=n_draws)
    lengths = [longest_increasing(torch.randperm(n_items, generator=generator).tolist()) for _ in range(n_draws)]
    return TrialResult(Outcome.CONVERGED, {"expected_length": sum(lengths) / n_draws})


def longest_increasing(values: list[int]) -> int:
    """Length of the longest increasing subsequence, by patience sorting."""
    tops: list[int] = []  # the least end of an increasing subsequence of each length
    for value in values:
        place = bisect_left(tops, value)
        if place == len(tops):
            tops.append(value)
        else:
            tops[place] = value
    return len(tops)
