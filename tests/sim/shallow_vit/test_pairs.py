"""Pairs of trainings: each is a training of `simulate`, their draws are shared, and bad input is named."""

import pytest
import torch

from sim.shallow_vit import pairs
from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.model import initialize
from sim.shallow_vit.pairs import simulate_pair
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.shallow_vit.training import simulate
from sim.trials.readouts import observed
from sim.trials.trial import Outcome
from sim.trials.validation import InvalidParameter

SMALL = {
    "changed": "value_error",
    "better": 0.05,
    "value_error": 0.4,
    "n_tokens": 10,
    "label_relevant_fraction": 0.5,
    "confusion_fraction": 0.1,
    "n_samples": 32,
    "n_neurons": 20,
    "batch_size": 8,
    "learning_rate": 0.5,
    "max_steps": 400,
    "n_test": 20,
}


def pair(seed: int = 0, **arguments):
    return simulate_pair(**{**SMALL, **arguments}, generator=torch.Generator().manual_seed(seed))


def side(result, name: str) -> dict:
    return {key.removeprefix(f"{name}_"): value for key, value in result.observables.items() if key.startswith(name)}


@pytest.mark.parametrize(
    ("changed", "better", "errors"),
    [
        ("value_error", 0.05, {"value_error": 0.4}),
        ("key_query_error", 0.05, {"key_query_error": 0.45}),
        ("noise_radius", 0.1, {"noise_radius": 0.3}),
    ],
)
def test_each_training_of_a_pair_is_a_training_of_its_own(changed, better, errors):
    """Second witness: the same two trainings, asked of `simulate` one by one, from the seed that the pair drew."""
    result = pair(changed=changed, better=better, **errors)
    seed = int(torch.randint(2**62, (1,), generator=torch.Generator().manual_seed(0)))
    common = {name: value for name, value in SMALL.items() if name not in ("changed", "better", "value_error")}
    for name, value in (("better", better), ("worse", errors[changed])):
        own = {"value_error": SMALL["value_error"], "token_noise": 0.0, **errors, changed: value}
        if "noise_radius" in own:
            own |= {"noise": "truncated", "token_noise": own["noise_radius"] / 10**0.5}
        alone = simulate(
            **common, **own, counts="exact", output_layer="per token", initialization="contraction",
            generator=torch.Generator().manual_seed(seed),
        )  # fmt: skip
        told = observed(SHALLOW_VIT, alone).observables
        assert side(result, name) == {key: told[key] for key in side(result, name)}
        assert {"iterations", "success", "test_hinge", "weights"} <= set(side(result, name))
    assert side(result, "better") != side(result, "worse")


def test_a_pair_that_changes_nothing_trains_the_same_network_twice():
    result = pair(better=0.4)
    assert side(result, "better") == side(result, "worse")
    assert pair(seed=1, better=0.4).observables != result.observables


def test_both_trainings_have_the_same_draws_but_for_the_length_of_one_error(monkeypatch):
    starts, data = [], []

    def watched(**options):
        weights = initialize(**options)
        starts.append(weights)
        return weights

    draw = TokenModel.sample

    def drawn(model, n_samples, generator):
        found = draw(model, n_samples, generator)
        data.append(found)
        return found

    monkeypatch.setattr("sim.shallow_vit.setting.initialize", watched)
    monkeypatch.setattr(TokenModel, "sample", drawn)
    pair(changed="noise_radius", better=0.1, noise_radius=0.3)
    better, worse = starts
    for name in ("hidden", "value", "key", "query", "output"):
        assert torch.equal(getattr(better, name), getattr(worse, name))
    train = data[0], data[2]
    assert torch.equal(train[0].patterns, train[1].patterns)
    exact = torch.eye(10, dtype=torch.float64)[train[0].patterns]
    assert torch.allclose(3 * (train[0].tokens - exact), train[1].tokens - exact, atol=1e-14)


def test_a_pair_has_converged_where_both_have():
    joined = pairs._joint
    assert joined([Outcome.CONVERGED, Outcome.CONVERGED]) == Outcome.CONVERGED
    assert joined([Outcome.CONVERGED, Outcome.BUDGET]) == Outcome.BUDGET
    assert joined([Outcome.DIVERGED, Outcome.BUDGET]) == Outcome.DIVERGED


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"changed": "token_noise"},
            "changed must be one of value_error, key_query_error, noise_radius, got 'token_noise'",
        ),
        ({"better": 0.5}, "better must be at most value_error = 0.4, got 0.5"),
        ({"better": -0.1}, "better must be >= 0, got -0.1"),
        ({"noise_radius": -0.1}, "noise_radius must be >= 0, got -0.1"),
        (
            {"changed": "noise_radius", "better": 0.0, "noise_radius": 0.3},
            "better must be above 0, since no noise draws nothing to share, got 0.0",
        ),
        ({"n_neurons": 0}, "n_neurons must be >= 1, got 0"),
    ],
)
def test_bad_input_names_argument_rule_and_value(arguments, message):
    with pytest.raises(InvalidParameter) as caught:
        pair(**arguments)
    assert str(caught.value) == message
