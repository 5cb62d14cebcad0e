"""Whether drawn data meet the data model: lengths of tokens, distances to patterns, majorities, balance. [li2023, 3.2]

Every token is compared with every pattern; what it is a copy of is the nearest one, and nothing that the generator
says of its own draws is believed.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from sim.shallow_vit.data import Samples, TokenModel
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer, require_one_of

LABELS = ("majority", "drawn by lot", "all of one class")


def measure_data(
    *,
    n_tokens: int,
    label_relevant_fraction: float,
    confusion_fraction: float,
    n_samples: int,
    dimension: int = 10,
    n_patterns: int = 5,
    counts: str = "exact",
    noise: str = "truncated",
    token_noise: float = 0.0,
    noise_radius: float = 0.05,
    labels: str = "majority",
    generator: torch.Generator,
) -> TrialResult:
    """Draw a data set and compare it with section 3.2.

    Args:
        labels: "majority" leaves them as the generator gives them; the others are wrong on purpose.

    Returns:
        Observables `farthest`: largest distance of a token from its nearest pattern; `share_within`: of the tokens,
        that are within `noise_radius`; `length_error`: largest | ||x|| - 1 |; `n_majority`: samples whose label is the
        majority of pattern 1 over pattern 2; `imbalance`: ||D+| - |D-||; `label_relevant`, `confusion`: mean fractions
        of tokens whose nearest pattern is the label's, and the other label's; `n_samples`.
    """
    require_integer(least=1, n_samples=n_samples)
    require_one_of("labels", labels, LABELS)
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, counts=counts, noise=noise, token_noise=token_noise,
        noise_radius=noise_radius,
    )  # fmt: skip
    samples = _relabelled(data.sample(n_samples, generator), labels, generator)
    patterns = torch.eye(dimension, dtype=torch.float64)[:n_patterns]
    distance, nearest = torch.cdist(samples.tokens, patterns).min(dim=-1)
    first, second = ((nearest == pattern).sum(1) for pattern in (0, 1))
    positive = samples.labels > 0
    return TrialResult(
        Outcome.CONVERGED,
        {
            "farthest": float(distance.max()),
            "share_within": float((distance <= noise_radius).double().mean()),
            "length_error": float((samples.tokens.norm(dim=-1) - 1).abs().max()),
            "n_majority": int(((first > second) == positive).logical_and(first != second).sum()),
            "imbalance": abs(int(samples.labels.sum())),
            "label_relevant": float(torch.where(positive, first, second).double().mean()) / n_tokens,
            "confusion": float(torch.where(positive, second, first).double().mean()) / n_tokens,
            "n_samples": n_samples,
        },
    )


def _relabelled(samples: Samples, labels: str, generator: torch.Generator) -> Samples:
    if labels == "majority":
        return samples
    if labels == "all of one class":
        return replace(samples, labels=torch.ones_like(samples.labels))
    drawn = torch.randint(2, (len(samples),), generator=generator) * 2 - 1
    return replace(samples, labels=drawn.to(samples.labels.dtype))
