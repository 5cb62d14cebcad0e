"""The least margin of a population, against going through every sample that can occur."""

from __future__ import annotations

import itertools

import pytest
import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.model import Weights, initialize, predict
from sim.shallow_vit.population_hinge import least_margin, measure_population_hinge, possible_counts
from sim.trials.trial import Outcome
from sim.trials.validation import InvalidParameter

SMALL = {
    "n_tokens": 8, "label_relevant_fraction": 0.5, "confusion_fraction": 0.125, "n_samples": 32, "n_neurons": 20,
    "batch_size": 8, "learning_rate": 0.5, "max_steps": 3000, "n_test": 50,
}  # fmt: skip


def generator(seed: int = 3) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def measure(seed: int = 3, **arguments) -> dict:
    return dict(measure_population_hinge(**{**SMALL, **arguments}, generator=generator(seed)).observables)


def network(data: TokenModel, output_layer: str, seed: int = 0) -> Weights:
    """A network in general position: scores and outputs of order 1."""
    drawn = initialize(
        dimension=data.dimension, n_neurons=7, n_tokens=data.n_tokens, value_error=0.3, key_query_error=0.4,
        neuron_scale=2.0, output_layer=output_layer, initialization="orthonormal", generator=generator(seed),
    )  # fmt: skip
    return Weights(drawn.hidden, drawn.value, 2 * drawn.key, drawn.query, drawn.output)


def every_sample(data: TokenModel) -> tuple[torch.Tensor, torch.Tensor]:
    """Patterns and labels of all samples that can be drawn, by going through all sequences of patterns."""
    n_patterns, length = data.n_patterns, data.n_tokens
    sequences = torch.tensor(list(itertools.product(range(n_patterns), repeat=length)))
    counts = torch.nn.functional.one_hot(sequences, n_patterns).sum(1)
    vote = counts[:, 0] - counts[:, 1]
    possible = vote != 0
    if data.confusion_fraction == 0:
        possible &= counts[:, :2].min(1).values == 0
    if data.label_relevant_fraction + data.confusion_fraction > 1 - 1e-12:
        possible &= counts[:, :2].sum(1) == length
    if data.counts == "exact":
        drawn = data.sample(400, generator())
        seen = {tuple(row.tolist()) for row in torch.nn.functional.one_hot(drawn.patterns, n_patterns).sum(1)}
        assert len(seen) == 2
        possible &= torch.tensor([tuple(row.tolist()) in seen for row in counts])
    return sequences[possible], vote[possible].sign().double()


MODELS = [
    {"n_tokens": 5, "n_patterns": 4, "label_relevant_fraction": 0.4, "confusion_fraction": 0.2},
    {"n_tokens": 6, "n_patterns": 4, "label_relevant_fraction": 0.5, "confusion_fraction": 0.0},
    {"n_tokens": 6, "n_patterns": 3, "label_relevant_fraction": 0.5, "confusion_fraction": 1 / 3},
    {"n_tokens": 5, "n_patterns": 2, "label_relevant_fraction": 0.6, "confusion_fraction": 0.4},
    {"n_tokens": 4, "n_patterns": 5, "label_relevant_fraction": 0.25, "confusion_fraction": 0.0},
]


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
@pytest.mark.parametrize("counts", ["exact", "fluctuating"])
@pytest.mark.parametrize("model", MODELS)
def test_the_least_margin_is_that_of_all_samples_one_by_one(model, counts, output_layer):
    data = TokenModel(**model, counts=counts, token_noise=0.0)
    patterns, labels = every_sample(data)
    weights = network(data, output_layer)
    margins = labels * predict(torch.eye(data.dimension, dtype=torch.float64)[patterns], weights)
    assert margins.std() > 0.01
    assert least_margin(data, weights) == pytest.approx(float(margins.min()), abs=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_the_counts_are_those_that_are_drawn(model):
    data = TokenModel(**model, counts="fluctuating", token_noise=0.0)
    sample = data.sample(2000, generator())
    drawn = torch.nn.functional.one_hot(sample.patterns, data.n_patterns).sum(1)
    for label in (1.0, -1.0):
        listed = [tuple(each) for each in possible_counts(data, label)]
        assert len(listed) == len(set(listed))
        assert {tuple(row.tolist()) for row in drawn[sample.labels == label]} <= set(listed)


def test_with_one_layer_for_all_tokens_zero_training_hinge_is_zero_population_hinge():
    found = measure(output_layer="shared", n_neurons=40)
    assert found["train_hinge_zero"]
    assert (found["population_hinge_zero"], found["fresh_hinge_zero"], found["test_hinge"]) == (1, 1, 0)


def test_with_a_layer_per_token_few_samples_leave_a_hinge_and_many_do_not():
    few, many = measure(), measure(n_samples=1024)
    assert few["train_hinge_zero"]
    assert many["train_hinge_zero"]
    assert few["population_hinge_zero"] == 0
    assert few["least_margin"] < 1
    assert many["population_hinge_zero"] == 1
    assert many["least_margin"] >= 1


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_a_network_after_one_step_is_not_at_zero(output_layer):
    found = measure(output_layer=output_layer, max_steps=1)
    assert found["least_margin"] < 0.5
    assert (found["population_hinge_zero"], found["fresh_hinge_zero"]) == (0, 0)


def test_a_diverged_training_has_no_zero():
    result = measure_population_hinge(**{**SMALL, "learning_rate": 1e9, "max_steps": 50}, generator=generator())
    assert result.outcome is Outcome.DIVERGED
    assert result.observables["population_hinge_zero"] == 0


def test_too_many_vectors_of_counts_are_refused():
    with pytest.raises(InvalidParameter, match=r"n_tokens must leave at most 20000 vectors of 5 fluctuating counts"):
        measure(counts="fluctuating", n_tokens=40)


def test_a_batch_larger_than_the_data_is_refused():
    with pytest.raises(InvalidParameter, match="batch_size must be at most n_samples = 4, got 8"):
        measure(n_samples=4)
