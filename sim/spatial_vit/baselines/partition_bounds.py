"""What nobody can beat without the partition: exact errors of the best classifiers that know w* but not the sets.

Knowing w*, a data point is its signs <w*, X_j>. Under a uniform prior over partitions the probability of the signs
given y is proportional to the number of places that the signal set can have, binomial(n_y, C), n_y the number of signs
equal to y, times a factor free of y. So the best guess is the more frequent sign, whatever the training set was, as
long as it says nothing of the partition; it errs where the random patches outvote C of the right sign.

A training sample can say one thing of the partition: which set was its signal set. The oracle here is told that set
outright, so after N samples it knows all sets seen, and errs on a new point only where its signal set was never seen;
there it still knows which patches belong to unseen sets and votes among those. Every learner knows less.
[jelassi2022, Assumption 1, Theorem 5.2]
"""

from __future__ import annotations

import math

import numpy as np

from sim.spatial_vit.network.lattice import sum_law
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer


def vote_error(set_size: int, n_random: int, spurious_rate: float) -> float:
    """Error of the more frequent sign among a signal set of `set_size` and `n_random` random patches; ties guess."""
    if n_random < set_size:
        return 0.0
    below = sum_law(n_random, spurious_rate)[: n_random - set_size + 1]
    return float(below[:-1].sum() + below[-1] / 2)


def least_error(set_size: int, n_patches: int, spurious_rate: float) -> float:
    """The least error of any classifier that knows w* and nothing of the partition, P[y guess <= 0]."""
    return vote_error(set_size, n_patches - set_size, spurious_rate)


def unseen_distribution(n_sets: int, n_samples: int) -> np.ndarray:
    """Probabilities that 0 .. n_sets sets are no sample's signal set, [n_sets + 1]."""
    unseen = np.zeros(n_sets + 1)
    unseen[n_sets] = 1.0
    share = np.arange(n_sets + 1) / n_sets
    for _ in range(n_samples):
        hit = unseen * share
        unseen -= hit
        unseen[:-1] += hit[1:]
    return unseen


def oracle_error(n_patches: int, set_size: int, spurious_rate: float, *, n_samples: int) -> float:
    """A lower bound on everybody's error after `n_samples`: that of the oracle told each sample's signal set."""
    n_sets = n_patches // set_size
    unseen = unseen_distribution(n_sets, n_samples)
    return sum(
        float(unseen[count]) * count / n_sets * vote_error(set_size, (count - 1) * set_size, spurious_rate)
        for count in range(1, n_sets + 1)
    )


def measure_oracle(
    *, n_patches: int, set_size: int, spurious_patches: float, level_share: float = 0.5, generator: object
) -> TrialResult:
    """Find the least number of samples at which the oracle's error is at most a share of the error without any.

    Args:
        spurious_patches: q D, the expected number of spurious patches were all patches random.
        level_share: the error to reach, over `least_error`.
        generator: unused; everything is exact.

    Raises:
        ValueError: on bad input.
    """
    require_integer(least=1, n_patches=n_patches, set_size=set_size)
    require(n_patches % set_size == 0, "set_size", "divide n_patches", set_size, n_patches)
    require(2 <= set_size <= n_patches // 2, "set_size", "be in [2, n_patches / 2]", set_size, n_patches)
    require(0 < spurious_patches <= n_patches, "spurious_patches", "be in (0, n_patches]", spurious_patches, n_patches)
    require(0 < level_share < 1, "level_share", "be in (0, 1)", level_share)
    rate = spurious_patches / n_patches
    level = level_share * least_error(set_size, n_patches, rate)

    def enough(n_samples: int) -> bool:
        return oracle_error(n_patches, set_size, rate, n_samples=n_samples) <= level

    high = 1
    while not enough(high):
        high *= 2
    low = high // 2  # never enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    seen = {
        "least_samples": high,
        "least_error_without_samples": level / level_share,
        "level": level,
        "oracle_error": oracle_error(n_patches, set_size, rate, n_samples=high),
    }
    return TrialResult(Outcome.CONVERGED, {name: value for name, value in seen.items() if math.isfinite(value)})
