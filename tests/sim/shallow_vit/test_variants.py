"""Training the network with its options: stopping, four classes, groups of neurons, and variances over heads."""

from __future__ import annotations

import pytest
import torch

from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.network import initialize_network, loss_of, margins, outputs_of
from sim.shallow_vit.skip import measure_skip_gradients
from sim.shallow_vit.stack_reading import growth_of_group
from sim.shallow_vit.systems import SHALLOW_VIT_HEADS, SHALLOW_VIT_NETWORK
from sim.shallow_vit.training import simulate
from sim.shallow_vit.variants import (
    CLASS_SIGNS,
    compare_heads,
    draw_batch,
    simulate_network,
    train_network,
)
from sim.trials.readouts import observed
from sim.trials.trial import Outcome

SMALL = {
    "n_tokens": 20, "label_relevant_fraction": 0.5, "confusion_fraction": 0.15, "n_samples": 16, "n_neurons": 20,
    "batch_size": 8, "learning_rate": 0.5, "max_steps": 400, "n_test": 20,
}  # fmt: skip


def generator(seed: int = 5) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_a_converged_network_has_no_hinge_left():
    data = TokenModel(n_tokens=20, label_relevant_fraction=0.5, confusion_fraction=0.1, counts="exact", token_noise=0.0)
    train = draw_batch(data, 2, 16, generator())
    network = initialize_network(
        dimension=10, n_neurons=20, n_tokens=20, n_heads=2, head_join="sum", skip=True, n_outputs=1, n_layers=2,
        value_error=0.1, key_query_error=0.2, neuron_scale=0.01, output_layer="shared", initialization="contraction",
        generator=generator(),
    )  # fmt: skip
    run = train_network(
        train, network, batch_size=8, learning_rate=0.3, max_steps=400, train_attention=True, class_hinge="joint",
        generator=generator(),
    )  # fmt: skip
    assert run.outcome is Outcome.CONVERGED
    assert run.last_move < run.looks[-1].step <= run.last_move + 4
    assert float(loss_of(outputs_of(train.tokens, run.network), train.labels, "joint").max()) == 0


def test_the_plain_network_takes_as_many_steps_as_the_engine_s():
    """The same law, other draws: medians over seeds are close."""
    plain = {**SMALL, "output_layer": "shared", "initialization": "contraction", "counts": "exact", "token_noise": 0.0}
    steps = [
        sorted(int(run(**plain, generator=generator(seed)).account["iterations"]) for seed in range(7))[3]
        for run in (simulate, simulate_network)
    ]
    assert 0.6 < steps[0] / steps[1] < 1.6


def test_four_classes_have_the_stated_counts():
    data = TokenModel(
        n_tokens=20, label_relevant_fraction=0.5, confusion_fraction=0.15, n_patterns=6, counts="exact", token_noise=0.0
    )
    batch = draw_batch(data, 4, 200, generator())
    counts = batch.tokens.sum(1)
    seen = set()
    for tokens, label, relevant in zip(counts, batch.labels, batch.is_relevant, strict=True):
        own = int((label == CLASS_SIGNS).all(1).nonzero())
        seen.add(own)
        assert tokens[own] == 10
        assert relevant.sum() == 10
        assert sorted(tokens[:4].tolist()) == [1, 1, 1, 10]
        assert tokens[4:6].sum() == 7
    assert seen == {0, 1, 2, 3}


def test_margins_by_hand():
    outputs, labels = torch.tensor([[2.0, -0.5]]), torch.tensor([[1.0, 1.0]])
    assert margins(outputs, labels, "joint").tolist() == [[1.5]]
    assert margins(outputs, labels, "per output").tolist() == [[2.0, -0.5]]
    assert loss_of(outputs, labels, "joint").tolist() == [0.0]
    assert loss_of(outputs, labels, "per output").tolist() == [1.5]


def test_growth_is_that_of_the_group_of_plus_and_minus():
    start = initialize_network(
        dimension=10, n_neurons=12, n_tokens=8, n_heads=1, head_join="sum", skip=False, n_outputs=2, n_layers=1,
        value_error=0.0, key_query_error=0.0, neuron_scale=0.01, output_layer="shared", initialization="contraction",
        generator=generator(),
    )  # fmt: skip
    group = (start.output[0, 0] > 0) & (start.output[1, 0] < 0)
    assert 0 < int(group.sum()) < 12
    moved = start.hidden + 2.0 * group[:, None] * start.value[0, 0][:, 1] - 5.0 * ~group[:, None]
    told = growth_of_group(start, type(start)(**{**vars(start), "hidden": moved}))
    assert [told[f"growth_{k}"] for k in (1, 2, 3, 4)] == pytest.approx([0, 2, 0, 0], abs=1e-9)
    assert told["n_group"] == int(group.sum())


@pytest.mark.parametrize("class_hinge", ["joint", "per output"])
def test_four_classes_are_learned(class_hinge):
    done = simulate_network(
        **SMALL, n_classes=4, n_patterns=6, class_hinge=class_hinge, output_layer="shared", generator=generator()
    )
    told = observed(SHALLOW_VIT_NETWORK, done).observables
    assert told["train_hinge_zero"]
    assert told["test_error"] == 0
    assert told["growth_2"] > 3 * told["initial_spread"]


def test_variances_are_those_of_the_trainings():
    fixed = {
        "n_tokens": 20, "label_relevant_fraction": 0.5, "confusion_fraction": 0.15, "n_samples": 8, "n_neurons": 10,
        "batch_size": 8, "learning_rate": 0.5, "max_steps": 100,
    }  # fmt: skip
    done = compare_heads(**fixed, n_heads=2, n_seeds=3, generator=generator())
    told = observed(SHALLOW_VIT_HEADS, done).observables
    stream = generator()
    taken = [
        [
            int(
                simulate_network(**fixed, n_heads=heads, output_layer="shared", n_test=100, generator=stream).account[
                    "iterations"
                ]
            )
            for _ in range(3)
        ]
        for heads in (1, 2)
    ]
    for name, steps in zip(("one", "many"), taken, strict=True):
        mean = sum(steps) / 3
        assert told[f"mean_{name}"] == pytest.approx(mean)
        assert told[f"variance_{name}"] == pytest.approx(sum((step - mean) ** 2 for step in steps) / 2)


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_forms_at_the_gates_are_exact_and_the_skip_s_term_is_needed(output_layer):
    told = measure_skip_gradients(
        n_tokens=9, n_neurons=12, n_samples=6, output_layer=output_layer, generator=generator()
    ).observables
    assert all(told[f"error_{name}"] < 1e-10 for name in ("value", "key", "query", "hidden"))
    assert told["error_hidden_without"] > 0.1
    assert 0 < told["n_active"] <= 6
    elsewhere = measure_skip_gradients(
        n_tokens=9, n_neurons=12, n_samples=6, output_layer=output_layer, gates_of="without", generator=generator()
    ).observables
    assert all(elsewhere[f"error_{name}"] > 0.01 for name in ("value", "key", "query", "hidden"))


def test_each_layer_has_its_curve_of_attention_mass():
    done = simulate_network(**SMALL, n_layers=2, generator=generator())
    result = observed(SHALLOW_VIT_NETWORK, done)
    assert list(result.curves) == ["step", "mass_layer_1", "mass_layer_2"]
    assert result.observables["mass_end"] == result.curves["mass_layer_2"][-1]
    assert result.observables["mass_layer_1_start"] == result.curves["mass_layer_1"][0]


def test_divergence_is_an_outcome():
    done = simulate_network(**{**SMALL, "learning_rate": 1e6}, generator=generator())
    result = observed(SHALLOW_VIT_NETWORK, done)
    assert result.outcome is Outcome.DIVERGED
    assert result.observables["success"] is False


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_heads", 0),
        ("n_layers", 0),
        ("head_join", "mean"),
        ("n_classes", 3),
        ("class_hinge", "softmax"),
        ("batch_size", 17),
        ("learning_rate", -1.0),
        ("n_test", 0),
    ],
)
def test_bad_parameters_are_named(name, value):
    with pytest.raises(ValueError, match=f"{name} must"):
        simulate_network(**{**SMALL, name: value}, generator=generator())


def test_four_classes_need_patterns_for_all():
    with pytest.raises(ValueError, match="n_patterns must be at least 5"):
        simulate_network(**SMALL, n_classes=4, n_patterns=4, generator=generator())
