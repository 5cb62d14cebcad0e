"""What a data set repeats: tokens of a pattern that are one point, samples that are one sample."""

from __future__ import annotations

import torch

from sim.shallow_vit.data import Samples
from sim.shallow_vit.model import Weights

_MOST_SUMS_BYTES = 1 << 30


def pattern_points(samples: Samples, n_patterns: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Of every sample, its first token of each pattern [n, K, d] (zero where it has none) and their counts [n, K]."""
    belongs = samples.patterns[:, None, :] == torch.arange(n_patterns)[:, None]
    counts = belongs.sum(2)
    first = belongs.to(torch.uint8).argmax(2)
    points = samples.tokens.gather(1, first[:, :, None].expand(-1, -1, samples.tokens.shape[2]))
    return points * (counts > 0)[:, :, None], counts


def shared_points(points: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """The points [1, K, d] that all samples share, zero where none has the pattern; `points` where they differ."""
    present = counts > 0
    first = present.to(torch.uint8).argmax(0)
    shared = points.gather(0, first[None, :, None].expand(1, -1, points.shape[2]))
    return shared if bool(((points == shared) | ~present[:, :, None]).all()) else points


def same_tokens_by_pattern(samples: Samples) -> bool:
    """Whether all tokens of a pattern are the same point in each sample, as they are without token noise."""
    points, _ = pattern_points(samples, int(samples.patterns.max()) + 1)
    repeated = points.gather(1, samples.patterns[:, :, None].expand(-1, -1, samples.tokens.shape[2]))
    return bool((repeated == samples.tokens).all())


def distinct_samples(samples: Samples, n_patterns: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Index of one sample of each kind [n_kinds], and the kind of every sample [n].

    Samples are of one kind if they have the same label and the same points with the same counts, in any order.
    """
    points, counts = pattern_points(samples, n_patterns)
    traits = torch.cat([samples.labels[:, None], counts.to(points.dtype), points.flatten(1)], dim=1)
    distinct, kinds = torch.unique(traits, dim=0, return_inverse=True)
    first = torch.full((len(distinct),), len(samples))
    first = first.scatter_reduce(0, kinds, torch.arange(len(samples)), "amin")
    return first, kinds


def sums_fit(train: Samples, weights: Weights) -> bool:
    """Whether the sums of per-token output layers over groups, kept for every sample, fit memory."""
    if weights.output.dim() == 1:
        return True
    n_patterns = int(train.patterns.max()) + 1
    return len(train) * n_patterns * len(weights.hidden) * weights.output.element_size() <= _MOST_SUMS_BYTES
