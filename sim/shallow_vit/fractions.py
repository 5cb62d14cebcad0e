"""How far the mean of (66) over N samples is from its limit, where the counts of patterns fluctuate. [li2023, (66)]"""

from __future__ import annotations

import math

import torch
from scipy.special import gammaln, xlogy

from sim.shallow_vit.data import LABEL_RELEVANT, TokenModel
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer, require_non_negative, require_positive


def measure_mean_fraction(
    *,
    n_samples: int,
    n_tokens: int,
    label_relevant_fraction: float,
    confusion_fraction: float,
    value_error: float,
    key_query_error: float,
    token_noise: float = 0.0,
    query_length: float = 1.0,
    dimension: int = 10,
    n_patterns: int = 5,
    generator: torch.Generator,
) -> TrialResult:
    """Mean over samples of |S_*|/|S| p_n (p_n - sigma - tau), p_n by Definition 1 at ||q_1|| = `query_length`.

    Returns:
        Observables `mean`; `expected_fraction`: E |S_*|/|S|, exact; `deviation`: the distance of the two. [(66)]
    """
    require_integer(least=1, n_samples=n_samples)
    require_non_negative(value_error=value_error, key_query_error=key_query_error)
    require_positive(query_length=query_length)
    data = TokenModel(
        n_tokens=n_tokens, label_relevant_fraction=label_relevant_fraction, confusion_fraction=confusion_fraction,
        dimension=dimension, n_patterns=n_patterns, counts="fluctuating", token_noise=token_noise,
    )  # fmt: skip
    count = (data.sample(n_samples, generator).roles == LABEL_RELEVANT).sum(1).double()
    tau = token_noise * dimension**0.5
    high = math.exp(query_length**2 - (key_query_error + tau) * query_length)
    bound = count * high / (count * high + n_tokens - count)
    mean = float((count / n_tokens * bound * (bound - value_error - tau)).mean())
    expected = expected_fraction(n_tokens, label_relevant_fraction, confusion_fraction)
    return TrialResult(
        Outcome.CONVERGED,
        {"mean": mean, "expected_fraction": expected, "deviation": abs(mean - expected)},
    )


def expected_fraction(n_tokens: int, relevant: float, confusion: float) -> float:
    """E |S_*|/|S| of fluctuating counts: the larger of two trinomial counts, given that they differ.

    It exceeds alpha_*, since the label is the majority that came out.
    """
    first, second = torch.meshgrid(*2 * (torch.arange(n_tokens + 1, dtype=torch.float64),), indexing="ij")
    rest = n_tokens - first - second
    possible = (rest >= 0) & (first != second)
    i, j, k = first[possible].numpy(), second[possible].numpy(), rest[possible].numpy()
    choices = gammaln(n_tokens + 1) - gammaln(i + 1) - gammaln(j + 1) - gammaln(k + 1)
    log = choices + xlogy(i, relevant) + xlogy(j, confusion) + xlogy(k, max(1 - relevant - confusion, 0.0))
    probability = torch.exp(torch.as_tensor(log))
    largest = torch.maximum(first, second)[possible]
    return float((probability * largest).sum() / probability.sum()) / n_tokens
