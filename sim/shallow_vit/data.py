"""Token data: every token is a noisy copy of a pattern, and a majority vote of two patterns is the label.

Patterns 0 and 1 are discriminative. In a sample of class +1 pattern 0 has the larger expected fraction
(label-relevant) and pattern 1 the smaller one (confusion); class -1 swaps them; the remaining tokens are spread evenly
over the other patterns. Patterns are the first `n_patterns` unit vectors, which loses no generality: the network's
initialisation is rotated at random. [li2023, §3.2 and §4.1]

Two choices that the paper leaves open decide whether the number of samples can matter at all:
- `counts="exact"`: every sample has the same fractions ("the same among all the data", §4.1). With a shared output
  layer and no token noise the whole data set then consists of two distinct points.
- `counts="fluctuating"`: every token draws its pattern by itself, the label is the majority that came out, ties are
  redrawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from scipy.special import chdtr

from sim.trials.validation import require, require_integer, require_non_negative, require_one_of, require_positive

LABEL_RELEVANT, CONFUSION, OTHER = 0, 1, 2
"""Roles of a token in its sample."""

_LEAST_KEPT_NOISE = 1e-3  # below this share, redrawing outliers takes for ever


@dataclass(frozen=True)
class TokenModel:
    """Distribution of samples.

    Attributes:
        token_noise: standard deviation c0 of each coordinate of the noise.
        noise_radius: with `noise="truncated"`, noise vectors longer than this are redrawn (the tau of §3.2).
    """

    n_tokens: int
    label_relevant_fraction: float
    confusion_fraction: float
    dimension: int = 10
    n_patterns: int = 5
    counts: str = "fluctuating"
    noise: str = "gaussian"
    token_noise: float = 0.01
    noise_radius: float = 0.05

    def __post_init__(self) -> None:
        alpha, confusion = self.label_relevant_fraction, self.confusion_fraction
        require_integer(least=1, n_tokens=self.n_tokens)
        require_integer(least=2, dimension=self.dimension, n_patterns=self.n_patterns)
        require_positive(label_relevant_fraction=alpha, noise_radius=self.noise_radius)
        require_non_negative(confusion_fraction=confusion, token_noise=self.token_noise)
        require(
            alpha + confusion <= 1 + 1e-12,
            "label_relevant_fraction + confusion_fraction",
            "be at most 1",
            round(alpha + confusion, 12),
        )
        require(alpha > confusion, "label_relevant_fraction", f"exceed confusion_fraction = {confusion}", alpha)
        require(
            self.n_patterns > 2 or alpha + confusion > 1 - 1e-12,
            "n_patterns",
            "exceed 2 when some tokens are non-discriminative",
            self.n_patterns,
        )
        require(self.dimension >= self.n_patterns, "dimension", "be at least n_patterns", self.dimension)
        require_one_of("counts", self.counts, ("exact", "fluctuating"))
        require_one_of("noise", self.noise, ("gaussian", "truncated"))
        if self.counts == "exact":
            for name, fraction in (("label_relevant_fraction", alpha), ("confusion_fraction", confusion)):
                count = fraction * self.n_tokens
                rule = f"make {name} * n_tokens a whole number for exact counts ({name} = {fraction})"
                require(abs(count - round(count)) < 1e-9, "n_tokens", rule, self.n_tokens)
        require(
            alpha * self.n_tokens >= 1 - 1e-9,
            "n_tokens",
            f"be at least 1 / label_relevant_fraction = {1 / alpha:.4g}",
            self.n_tokens,
        )
        require(
            self.noise == "gaussian" or self._kept_noise() >= _LEAST_KEPT_NOISE,
            "noise_radius",
            f"keep at least {_LEAST_KEPT_NOISE} of the noise vectors, "
            f"typically {self.token_noise * self.dimension**0.5:.3g} long",
            self.noise_radius,
        )

    def _kept_noise(self) -> float:
        """Probability that a noise vector is no longer than `noise_radius`; drawing until one is takes its inverse."""
        if self.token_noise == 0:
            return 1.0
        return float(chdtr(self.dimension, (self.noise_radius / self.token_noise) ** 2))

    def sample(self, n_samples: int, generator: torch.Generator) -> Samples:
        """Draw samples in float64."""
        if self.counts == "exact":
            patterns, labels = self._exact_patterns(n_samples, generator)
        else:
            patterns, labels = self._fluctuating_patterns(n_samples, generator)
        tokens = torch.eye(self.dimension, dtype=torch.float64)[patterns]
        if self.token_noise > 0:
            tokens = tokens + self._noise(patterns.shape, generator)
        return Samples(tokens=tokens, labels=labels, patterns=patterns)

    def _exact_patterns(self, n_samples: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        relevant = round(self.label_relevant_fraction * self.n_tokens)
        confusing = round(self.confusion_fraction * self.n_tokens)
        rest = self.n_tokens - relevant - confusing
        others = 2 + torch.arange(rest) % max(self.n_patterns - 2, 1)
        ordered = torch.cat([torch.zeros(relevant), torch.ones(confusing), others]).long()
        shuffle = torch.rand(n_samples, self.n_tokens, generator=generator).argsort(dim=1)
        positive = torch.rand(n_samples, generator=generator) < 0.5
        patterns = ordered[shuffle]
        return _swap_where(~positive, patterns), torch.where(positive, 1.0, -1.0).double()

    def _fluctuating_patterns(self, n_samples: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        spread = 1 - self.label_relevant_fraction - self.confusion_fraction
        probabilities = torch.full((self.n_patterns,), spread / max(self.n_patterns - 2, 1), dtype=torch.float64)
        probabilities[0], probabilities[1] = self.label_relevant_fraction, self.confusion_fraction
        edges = probabilities.cumsum(0)[:-1].contiguous()
        positive = torch.rand(n_samples, generator=generator) < 0.5
        patterns = torch.empty(n_samples, self.n_tokens, dtype=torch.long)
        vote = torch.zeros(n_samples, dtype=torch.long)
        while (tied := vote == 0).any():
            uniform = torch.rand(int(tied.sum()), self.n_tokens, generator=generator, dtype=torch.float64)
            patterns[tied] = _swap_where(~positive[tied], torch.bucketize(uniform, edges, right=True))
            vote = (patterns == 0).sum(1) - (patterns == 1).sum(1)
        return patterns, vote.sign().double()

    def _noise(self, shape: torch.Size, generator: torch.Generator) -> torch.Tensor:
        noise = torch.randn(*shape, self.dimension, generator=generator, dtype=torch.float64) * self.token_noise
        while self.noise == "truncated":
            outside = noise.norm(dim=-1) > self.noise_radius
            if not outside.any():
                break
            redrawn = torch.randn(int(outside.sum()), self.dimension, generator=generator, dtype=torch.float64)
            noise[outside] = redrawn * self.token_noise
        return noise


@dataclass(frozen=True)
class Samples:
    """A data set: `tokens` [n, L, d], `labels` [n] in {-1, +1}, `patterns` [n, L] (index of each token's pattern)."""

    tokens: torch.Tensor
    labels: torch.Tensor
    patterns: torch.Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: torch.Tensor | slice) -> Samples:
        return Samples(self.tokens[index], self.labels[index], self.patterns[index])

    def to(self, dtype: torch.dtype) -> Samples:
        """The same samples in another precision."""
        return Samples(self.tokens.to(dtype), self.labels.to(dtype), self.patterns)

    def on(self, device: str) -> Samples:
        """The same samples on another device."""
        return Samples(self.tokens.to(device), self.labels.to(device), self.patterns.to(device))

    @property
    def roles(self) -> torch.Tensor:
        """Role of each token [n, L]: LABEL_RELEVANT, CONFUSION or OTHER. [li2023, Definition 1.4]"""
        return _swap_where(self.labels < 0, self.patterns).clamp(max=OTHER)


def _swap_where(rows: torch.Tensor, patterns: torch.Tensor) -> torch.Tensor:
    """Exchange patterns 0 and 1 in the given rows."""
    swapped = torch.where(patterns == 0, 1, torch.where(patterns == 1, 0, patterns))
    return torch.where(rows[:, None], swapped, patterns)
