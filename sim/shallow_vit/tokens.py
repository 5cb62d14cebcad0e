"""What may be done to the tokens of a data set: leaving some out, noise on a few, patterns that are sets, a background.

Each is a function of `Samples`, so each goes with every engine and every other. Places that are left out are closed up:
what is trained is the network of eq. (1) on |S| tokens, with attention and mean over the tokens that remain.
[li2023, section 3.2, Remark 2, appendix G.2]
"""

from __future__ import annotations

from dataclasses import replace

import torch

from sim.shallow_vit.data import OTHER, Samples
from sim.shallow_vit.model import Weights, attention
from sim.trials.validation import require, require_integer, require_non_negative, require_one_of

SCORES = ("discriminative", "quiet", "attention", "random", "harmful")
"""Ways to say which tokens to keep; see `scores_of`."""


def sparsify(tokens: torch.Tensor, scores: torch.Tensor, keep: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The `keep` tokens of each sample with the highest scores, in their order, and their places.

    Args:
        tokens: [n, L, d]. scores: [n, L], larger is kept; of equal ones the earlier token is.

    Returns:
        tokens [n, keep, d] and places [n, keep], ascending.

    Raises:
        InvalidParameter: shapes that do not fit, a score that is not a number, or `keep` outside 1..L.
    """
    require(tokens.dim() == 3, "tokens", "be of shape [n, L, d]", list(tokens.shape))
    n, length, dimension = tokens.shape
    require(scores.shape == (n, length), "scores", f"be of shape [{n}, {length}]", list(scores.shape))
    require(not bool(scores.isnan().any()), "scores", "be numbers", float("nan"))
    require_integer(least=1, keep=keep)
    require(keep <= length, "keep", f"be at most the number of tokens, {length}", keep)
    places = scores.argsort(dim=1, descending=True, stable=True)[:, :keep].sort(dim=1).values
    return tokens.gather(1, places[:, :, None].expand(n, keep, dimension)), places


def sparsified(samples: Samples, scores: torch.Tensor, keep: int) -> Samples:
    """The samples with the tokens of highest score alone."""
    tokens, places = sparsify(samples.tokens, scores, keep)
    return Samples(tokens=tokens, labels=samples.labels, patterns=samples.patterns.gather(1, places))


def scores_of(kept_by: str, samples: Samples, *, weights: Weights, generator: torch.Generator) -> torch.Tensor:
    """Scores [n, L]. Ties are broken at random, so that places tell nothing.

    Args:
        kept_by: "discriminative": tokens of patterns 1 and 2 first, whatever the label, of which it knows nothing;
            "harmful": those last; "quiet": the least noise first; "attention": the attention that a token receives
            from all queries under `weights`, as magnitude-based methods have it; "random": by lot.
    """
    require_one_of("kept_by", kept_by, SCORES)
    lot = torch.rand(samples.patterns.shape, generator=generator, dtype=torch.float64)
    if kept_by == "random":
        return lot
    if kept_by == "quiet":
        pattern = torch.eye(samples.tokens.shape[-1], dtype=samples.tokens.dtype)[samples.patterns]
        return -(samples.tokens - pattern).norm(dim=-1) + 1e-9 * lot
    if kept_by == "attention":
        received = [attention(part, weights.scoring).mean(1) for part in samples.tokens.split(64)]
        return torch.cat(received) + 1e-9 * lot
    is_discriminative = (samples.roles != OTHER).double()
    return lot + (is_discriminative if kept_by == "discriminative" else -is_discriminative)


def with_noisy_tokens(samples: Samples, share: float, size: float, generator: torch.Generator) -> Samples:
    """The samples with noise of length `size` on a `share` of the tokens of each, whatever their role."""
    require_non_negative(noisy_share=share, noisy_size=size)
    require(share <= 1, "noisy_share", "be at most 1", share)
    n, length, dimension = samples.tokens.shape
    count = round(share * length)
    if count == 0 or size == 0:
        return samples
    order = torch.rand(n, length, generator=generator).argsort(dim=1)
    noise = torch.randn(n, length, dimension, generator=generator, dtype=torch.float64)
    noise = size * noise / noise.norm(dim=-1, keepdim=True)
    return replace(samples, tokens=samples.tokens + noise * (order < count)[:, :, None])


def with_pattern_sets(samples: Samples, spread: float, n_patterns: int, generator: torch.Generator) -> Samples:
    """The samples with every pattern a set of two unit vectors at distance `spread`; each token takes one by lot.

    The two are cos(t) e_j +- sin(t) e_(M+j) with 2 sin(t) = spread: vectors of different sets stay orthogonal, so the
    least distance between sets is sqrt(2) whatever the spread.
    """
    dimension = samples.tokens.shape[-1]
    require_non_negative(pattern_spread=spread)
    require(spread <= 2, "pattern_spread", "be at most 2, the distance of opposite unit vectors", spread)
    require(dimension >= 2 * n_patterns, "dimension", "be at least 2 n_patterns for sets of two vectors", dimension)
    sine = spread / 2
    basis = torch.eye(dimension, dtype=torch.float64)
    side = torch.randint(0, 2, samples.patterns.shape, generator=generator) * 2.0 - 1
    centre, across = basis[samples.patterns], basis[samples.patterns + n_patterns]
    moved = ((1 - sine**2) ** 0.5 - 1) * centre + sine * side[:, :, None] * across
    return replace(samples, tokens=samples.tokens + moved)


def with_background(samples: Samples, correlation: float, generator: torch.Generator) -> Samples:
    """The samples with one background each: all their non-discriminative tokens become pattern 3, or all pattern 4.

    Pattern 3 is the background of a sample of class +1 with probability (1 + correlation) / 2 and of class -1 with
    (1 - correlation) / 2: Figure 6(c) has plants behind 90 % of the birds and 10 % of the airplanes, a correlation of
    0.8, and none in its test data.
    """
    require(-1 <= correlation <= 1, "spurious_correlation", "be between -1 and 1", correlation)
    n_patterns = int(samples.patterns.max()) + 1
    require(n_patterns >= 4, "n_patterns", "be at least 4, all in the data, for two backgrounds", n_patterns)
    agrees = torch.rand(len(samples), generator=generator, dtype=torch.float64) < (1 + correlation) / 2
    background = torch.where(agrees == (samples.labels > 0), 2, 3)
    is_other = samples.patterns >= 2
    patterns = torch.where(is_other, background[:, None], samples.patterns)
    basis = torch.eye(samples.tokens.shape[-1], dtype=torch.float64)
    return Samples(
        tokens=samples.tokens + basis[patterns] - basis[samples.patterns], labels=samples.labels, patterns=patterns
    )
