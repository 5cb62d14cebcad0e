"""The hinge of a trained network on all of its population, exactly, where tokens carry no noise.

Without noise a sample is its number of tokens of each pattern, its label and their arrangement. Equal tokens attend
equally, so every arrangement of the same counts has the same attended token u_k for each pattern k, and its output is
F = mean_l f(l, k_l) with f(l, k) = a_l . relu(W_O W_V u_k). With one output layer for all tokens the arrangement does
not matter. With a layer per token the least margin over all arrangements is an assignment of tokens to places, which
is solved exactly. The population hinge is zero if and only if the least margin over all counts that can occur is at
least 1.

With exact counts there is one vector of counts for each label; with counts that fluctuate every vector occurs that
has a majority, and there are few enough for a short sample only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import torch
from scipy.optimize import linear_sum_assignment

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.model import Weights, hinge
from sim.shallow_vit.setting import PerTokenSetting
from sim.shallow_vit.training import train_weights
from sim.trials.signature import flat
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer

MOST_COUNTS = 20_000
"""Vectors of counts that are gone through; 20 tokens of 5 patterns have 10 626."""

_CHUNK = 256
"""Vectors whose hidden layers are held at once."""


@flat
def measure_population_hinge(
    *,
    setting: PerTokenSetting,
    n_test: int = 300,
    generator: torch.Generator,
) -> TrialResult:
    """Train as `training.simulate` does, without token noise, and find the least margin of the whole population.

    Returns:
        Observables `least_margin`: of all samples that can occur; `population_hinge_zero`: 1 where it is at least 1,
        else 0; `fresh_hinge_zero`: 1 where none of `n_test` fresh samples has a hinge; `trainings`: 1, to count by;
        `test_hinge`, `iterations`, `train_hinge_zero`.
    """
    require_integer(least=1, n_test=n_test)
    data = setting.data_model()
    require_few_counts(data)
    weights = setting.initial_weights(generator)
    train = data.sample(setting.n_samples, generator)
    run = train_weights(train, weights, **setting.rule(train_attention=True), generator=generator)
    told = dict(run.account)
    if run.outcome == Outcome.DIVERGED:
        return TrialResult(run.outcome, {**told, "trainings": 1, "population_hinge_zero": 0, "fresh_hinge_zero": 0})
    test = data.sample(n_test, generator)
    fresh = hinge(run.engine.outputs(test), test.labels)
    least = least_margin(data, run.weights)
    found = {
        "least_margin": least,
        "population_hinge_zero": int(least >= 1),
        "fresh_hinge_zero": int((fresh == 0).all()),
        "trainings": 1,
        "test_hinge": float(fresh.mean()),
    }
    return TrialResult(run.outcome, {**told, **found})


def require_few_counts(data: TokenModel) -> None:
    """Refuse a population of more vectors of counts than can be gone through."""
    if data.counts == "exact":
        return
    total = math.comb(data.n_tokens + data.n_patterns - 1, data.n_patterns - 1)
    rule = f"leave at most {MOST_COUNTS} vectors of {data.n_patterns} fluctuating counts, not {total}"
    require(total <= MOST_COUNTS, "n_tokens", rule, data.n_tokens)


def least_margin(data: TokenModel, weights: Weights) -> float:
    """The least y F over all samples without noise that the model of the data can draw."""
    margins = (
        label * least_output(each, label, weights)
        for label in (1.0, -1.0)
        for each in torch.tensor(list(possible_counts(data, label))).split(_CHUNK)
    )
    return min(float(found.min()) for found in margins)


def possible_counts(data: TokenModel, label: float) -> Iterator[list[int]]:
    """Every vector of counts by pattern that occurs with this label."""
    if data.counts == "exact":
        yield _exact_counts(data, label)
        return
    has_others = data.label_relevant_fraction + data.confusion_fraction < 1 - 1e-12
    drawn = data.n_patterns if has_others else 2
    n_places = data.n_tokens + drawn - 1
    for bars in itertools.combinations(range(n_places), drawn - 1):
        counts = [high - low - 1 for low, high in itertools.pairwise((-1, *bars, n_places))]
        is_drawn = data.confusion_fraction > 0 or min(counts[0], counts[1]) == 0
        if is_drawn and (counts[0] - counts[1]) * label > 0:
            yield counts + [0] * (data.n_patterns - drawn)


def _exact_counts(data: TokenModel, label: float) -> list[int]:
    """The one vector of a label: what no discriminative pattern takes is shared out in turn."""
    fractions = (data.label_relevant_fraction, data.confusion_fraction)
    relevant, confusing = (round(fraction * data.n_tokens) for fraction in fractions)
    each, left = divmod(data.n_tokens - relevant - confusing, max(data.n_patterns - 2, 1))
    others = [each + (kind < left) for kind in range(data.n_patterns - 2)]
    return [relevant, confusing, *others] if label > 0 else [confusing, relevant, *others]


def least_output(counts: torch.Tensor, label: float, weights: Weights) -> torch.Tensor:
    """For vectors of counts [n, M] the output F [n] of the arrangement of least margin."""
    signals = pattern_signals(counts, weights)
    if weights.output.dim() == 1:
        return (signals[:, 0] * counts).sum(1) / counts.sum(1)
    found = torch.empty(len(counts), dtype=torch.float64)
    for i, each in enumerate(counts):
        placed = signals[i][:, torch.arange(len(each)).repeat_interleave(each)].numpy()  # [place, token]
        found[i] = float(placed[linear_sum_assignment(placed, maximize=label < 0)].mean())
    return found


def pattern_signals(counts: torch.Tensor, weights: Weights) -> torch.Tensor:
    """f(l, k) = a_l . relu(W_O W_V u_k) of pattern k at place l, [n, L or 1, M], for vectors of counts [n, M].

    Patterns are the first unit vectors: scores are entries of the scoring matrix, and u_k is k's attention by pattern.
    """
    n_patterns = counts.shape[1]
    by_query = weights.scoring[:n_patterns, :n_patterns].T
    share = torch.softmax(by_query + counts.double().log()[:, None, :], dim=-1)
    hidden = torch.relu(share @ weights.readout[:, :n_patterns].T)  # [n, M, m]
    output = weights.output if weights.output.dim() == 2 else weights.output[None]
    return output @ hidden.transpose(1, 2)
