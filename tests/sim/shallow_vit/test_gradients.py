"""Closed-form gradients against autograd of eq. (1), their symmetries, and signs flipped on purpose."""

import inspect
import sys
import types
from dataclasses import replace
from unittest import mock

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.shallow_vit import gradients, probes
from sim.shallow_vit.data import TokenModel
from sim.shallow_vit.gradients import Backward, attend, hinge_gradient
from sim.shallow_vit.model import Weights, initialize, predict
from sim.shallow_vit.probes import MATRICES, autograd_gradient

TIGHT = 1e-10


def problem(
    *,
    n: int = 12,
    length: int = 9,
    dimension: int = 6,
    n_neurons: int = 15,
    output_layer: str = "shared",
    seed: int = 0,
) -> tuple[torch.Tensor, torch.Tensor, Weights]:
    """Tokens, labels and weights in general position; a typical output is 2, so hinges are active and inactive."""
    generator = torch.Generator().manual_seed(seed)
    weights = initialize(
        dimension=dimension, n_neurons=n_neurons, n_tokens=length, value_error=0.3, key_query_error=0.4,
        neuron_scale=1.0, output_layer=output_layer, initialization="orthonormal", generator=generator,
    )  # fmt: skip
    tokens = torch.randn(n, length, dimension, generator=generator, dtype=torch.float64)
    labels = 2.0 * torch.randint(2, (n,), generator=generator).double() - 1
    typical = float(predict(tokens, weights).abs().median())
    scale = 2 / typical if typical > 0 else 1.0  # a single neuron may be dead
    return tokens, labels, replace(weights, hidden=weights.hidden * scale)


def errors(found, expected) -> dict[str, float]:
    """Largest deviation of each matrix, relative to its largest entry."""
    pairs = {name: (getattr(found, name), getattr(expected, name)) for name in MATRICES}
    return {name: float((a - b).abs().max() / b.abs().max()) for name, (a, b) in pairs.items()}


def active(labels: torch.Tensor, backward: Backward) -> torch.Tensor:
    return labels * backward.outputs < 1


@settings(derandomize=True, deadline=None, max_examples=30)
@given(
    st.integers(1, 9), st.integers(2, 7), st.integers(2, 6), st.integers(1, 12),
    st.sampled_from(["shared", "per token"]), st.sampled_from([1, 50, 200, 1 << 17]), st.integers(0, 10**6),
)  # fmt: skip
def test_closed_form_equals_autograd(n, length, dimension, n_neurons, output_layer, chunk, seed):
    tokens, labels, weights = problem(
        n=n, length=length, dimension=dimension, n_neurons=n_neurons, output_layer=output_layer, seed=seed
    )
    labels[0] = -1.0 if predict(tokens, weights)[0] > 0 else 1.0  # at least one hinge is active
    with mock.patch.object(gradients, "_CHUNK_ENTRIES", chunk):
        found = hinge_gradient(tokens, labels, weights)
    assert found.gradient is not None
    expected = autograd_gradient(tokens, labels, weights)
    outputs = predict(tokens, weights)
    assert torch.allclose(found.outputs, outputs, rtol=1e-11, atol=1e-12)
    assert found.loss == pytest.approx(float((1 - labels * outputs).clamp(min=0).mean()), rel=1e-11)
    assert found.n_active == int((labels * outputs < 1).sum())
    for name in MATRICES:
        a, b = getattr(found.gradient, name), getattr(expected, name)
        assert (a - b).abs().max() <= TIGHT * max(float(b.abs().max()), 1e-3), name


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
@pytest.mark.parametrize("n", [1, 16])
def test_closed_form_equals_autograd_at_the_paper_s_sizes(n, output_layer):
    """d = 10, M = 5, m = 1000, L = 100, weights as they start. [li2023, §4.1]"""
    generator = torch.Generator().manual_seed(n)
    samples = TokenModel(n_tokens=100, label_relevant_fraction=0.4, confusion_fraction=0.1).sample(n, generator)
    weights = initialize(
        dimension=10, n_neurons=1000, n_tokens=100, value_error=0.1, key_query_error=0.2, neuron_scale=0.01,
        output_layer=output_layer, initialization="orthonormal", generator=generator,
    )  # fmt: skip
    found = hinge_gradient(samples.tokens, samples.labels, weights)
    assert max(errors(found.gradient, autograd_gradient(samples.tokens, samples.labels, weights)).values()) < TIGHT


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_chunks_do_not_change_the_result(monkeypatch, output_layer):
    tokens, labels, weights = problem(output_layer=output_layer)
    whole = hinge_gradient(tokens, labels, weights)
    assert 0 < whole.n_active < len(labels), "both kinds of hinge"
    for samples_at_once in (1, 5, 11, 12, 13):
        monkeypatch.setattr(gradients, "_CHUNK_ENTRIES", samples_at_once * 9 * 15)
        chunked = hinge_gradient(tokens, labels, weights)
        assert torch.allclose(chunked.outputs, whole.outputs, rtol=1e-13)
        assert max(errors(chunked.gradient, whole.gradient).values()) < 1e-12


def test_without_an_active_hinge_there_is_no_gradient():
    tokens, _, weights = problem()
    right = predict(tokens, weights).sign()
    confident = replace(weights, hidden=weights.hidden * 1e3)
    result = hinge_gradient(tokens, right, confident)
    assert (result.loss, result.n_active, result.gradient) == (0.0, 0, None)


def test_inactive_hinges_add_nothing():
    tokens, labels, weights = problem()
    whole = hinge_gradient(tokens, labels, weights)
    kept = active(labels, whole)
    alone = hinge_gradient(tokens[kept], labels[kept], weights)
    share = whole.n_active / len(labels)
    for name in MATRICES:
        assert torch.allclose(
            getattr(whole.gradient, name), share * getattr(alone.gradient, name), rtol=1e-11, atol=1e-14
        )


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_the_gradient_of_a_batch_is_the_mean_over_its_samples(output_layer):
    tokens, labels, weights = problem(output_layer=output_layer)
    whole = hinge_gradient(tokens, labels, weights)
    single = [hinge_gradient(tokens[n : n + 1], labels[n : n + 1], weights) for n in range(len(labels))]
    assert torch.allclose(torch.cat([one.outputs for one in single]), whole.outputs, rtol=1e-12)
    assert sum(one.loss for one in single) / len(labels) == pytest.approx(whole.loss, rel=1e-12)
    for name in MATRICES:
        total = sum(getattr(one.gradient, name) for one in single if one.gradient is not None)
        assert torch.allclose(total / len(labels), getattr(whole.gradient, name), rtol=1e-11, atol=1e-14)


def test_frozen_attention_has_no_key_and_query_gradient_and_the_same_others():
    tokens, labels, weights = problem()
    trained = hinge_gradient(tokens, labels, weights).gradient
    frozen = hinge_gradient(tokens, labels, weights, frozen=attend(tokens, weights)).gradient
    assert torch.equal(frozen.hidden, trained.hidden)
    assert torch.equal(frozen.value, trained.value)
    assert frozen.key.shape == trained.key.shape
    assert not frozen.key.any()
    assert not frozen.query.any()


def test_flipping_labels_and_output_layer_leaves_loss_and_gradient():
    tokens, labels, weights = problem()
    plain, flipped = hinge_gradient(tokens, labels, weights), hinge_gradient(
        tokens, -labels, replace(weights, output=-weights.output)
    )  # fmt: skip
    assert torch.equal(flipped.outputs, -plain.outputs)
    assert flipped.loss == plain.loss
    assert max(errors(flipped.gradient, plain.gradient).values()) < 1e-14


def test_the_order_of_tokens_does_not_matter_with_a_shared_output_layer():
    tokens, labels, weights = problem()
    order = torch.randperm(9, generator=torch.Generator().manual_seed(1))
    plain, permuted = hinge_gradient(tokens, labels, weights), hinge_gradient(tokens[:, order], labels, weights)
    assert max(errors(permuted.gradient, plain.gradient).values()) < 1e-12


def test_the_order_of_tokens_matters_with_an_output_layer_per_token_unless_it_is_permuted_too():
    tokens, labels, weights = problem(output_layer="per token")
    order = torch.randperm(9, generator=torch.Generator().manual_seed(1))
    plain, permuted = hinge_gradient(tokens, labels, weights), hinge_gradient(tokens[:, order], labels, weights)
    both = hinge_gradient(tokens[:, order], labels, replace(weights, output=weights.output[order]))
    assert max(errors(permuted.gradient, plain.gradient).values()) > 1e-3
    assert max(errors(both.gradient, plain.gradient).values()) < 1e-12


def test_homogeneity_ties_the_gradients_together():
    """F is linear along W_O and along W_V, and blind to (c W_K, W_Q / c): Euler's identities."""
    tokens, labels, weights = problem()
    result = hinge_gradient(tokens, labels, weights)
    slope = -float((labels * result.outputs)[active(labels, result)].sum()) / len(labels)
    along = {name: float((getattr(weights, name) * getattr(result.gradient, name)).sum()) for name in MATRICES}
    assert along["hidden"] == pytest.approx(slope, rel=1e-12)
    assert along["value"] == pytest.approx(slope, rel=1e-12)
    assert along["key"] == pytest.approx(along["query"], rel=1e-11)


def test_scaling_one_factor_and_unscaling_the_other_scales_the_gradients():
    tokens, labels, weights = problem()
    factors = {"hidden": 4, "value": 1 / 4, "key": 1 / 2, "query": 2}
    scaled = replace(weights, **{name: factor * getattr(weights, name) for name, factor in factors.items()})
    plain, found = (hinge_gradient(tokens, labels, each).gradient for each in (weights, scaled))
    for name, factor in factors.items():
        assert torch.allclose(factor * getattr(found, name), getattr(plain, name), rtol=1e-11, atol=1e-14)


def test_a_small_step_lowers_the_loss_at_the_rate_of_the_gradient():
    tokens, labels, weights = problem()
    before = hinge_gradient(tokens, labels, weights)
    rate = 1e-6
    after = hinge_gradient(tokens, labels, weights.step(before.gradient, rate, train_attention=True))
    squared = sum(float(getattr(before.gradient, name).square().sum()) for name in MATRICES)
    assert (before.loss - after.loss) / rate == pytest.approx(squared, rel=1e-3)


# --------------------------------------------------------------------------------------------------- planted falsehoods


def measured(seed: int = 0, **arguments) -> dict[str, float]:
    sizes = {"n_tokens": 12, "n_neurons": 20, "n_samples": 8, "output_layer": "shared"}
    generator = torch.Generator().manual_seed(seed)
    observables = probes.measure_gradients(**{**sizes, **arguments}, generator=generator).observables
    return {name: observables[f"error_{name}"] for name in MATRICES}


def assert_flipped_sign_is_caught(monkeypatch, matrix: str) -> None:
    def flipped(*arguments, **keywords):
        result = hinge_gradient(*arguments, **keywords)
        if result.gradient is None:
            return result
        return replace(result, gradient=replace(result.gradient, **{matrix: -getattr(result.gradient, matrix)}))

    monkeypatch.setattr(probes, "hinge_gradient", flipped)
    found = measured()
    assert found.pop(matrix) > 1e-3
    assert max(found.values()) < TIGHT


def test_a_flipped_sign_in_the_hidden_gradient_is_caught(monkeypatch):
    assert_flipped_sign_is_caught(monkeypatch, "hidden")


def test_a_flipped_sign_in_the_value_gradient_is_caught(monkeypatch):
    assert_flipped_sign_is_caught(monkeypatch, "value")


def test_a_flipped_sign_in_the_key_gradient_is_caught(monkeypatch):
    assert_flipped_sign_is_caught(monkeypatch, "key")


def test_a_flipped_sign_in_the_query_gradient_is_caught(monkeypatch):
    assert_flipped_sign_is_caught(monkeypatch, "query")


@pytest.mark.parametrize(
    ("right", "wrong", "matrices"),
    [
        ("scale = -1.0 /", "scale = 1.0 /", {"hidden", "value", "key", "query"}),
        ("d_readout @ weights.value.T", "-d_readout @ weights.value.T", {"hidden"}),
        ("weights.hidden.T @ d_readout", "weights.hidden.T @ -d_readout", {"value"}),
        ("weights.query @ d_scoring.T", "weights.query @ d_scoring", {"key"}),
        ("weights.key @ d_scoring", "weights.query @ d_scoring", {"query"}),
        ("along.sub_(mean)", "along.add_(mean)", {"key", "query"}),
        ("(p * along).sum(-1, keepdim=True)", "along.mean(-1, keepdim=True)", {"key", "query"}),
        ("scale * labels[active]", "scale * labels[active].abs()", {"key", "query"}),
        (".transpose(1, 2) @ x\n        d_scoring", " @ x\n        d_scoring", {"key", "query"}),
        ("rows * y[:, None, None])[active]", "rows)[active]", {"hidden", "value"}),
        ("if active.all():", "if True:", {"hidden", "value"}),
        ("whole = n_active == n", "whole = True", {"key", "query"}),
        ("-1.0 / (n * length)", "-1.0 / n", {"hidden", "value", "key", "query"}),
    ],
)
def test_a_mistake_in_one_term_is_caught(monkeypatch, right, wrong, matrices):
    source = inspect.getsource(gradients)
    assert source.count(right) == 1
    source = source.replace(right, wrong)
    if wrong == "whole = True":  # the batch as a whole, inactive hinges included
        source = source.replace("scale * labels[active]", "scale * labels")
    mistaken = types.ModuleType("mistaken_gradients")
    monkeypatch.setitem(sys.modules, mistaken.__name__, mistaken)
    exec(source, mistaken.__dict__)
    monkeypatch.setattr(probes, "hinge_gradient", mistaken.hinge_gradient)
    found = measured()
    assert all(found[name] > 1e-3 for name in matrices), found
    assert all(found[name] < TIGHT for name in set(MATRICES) - matrices), found


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
@pytest.mark.parametrize("n_samples", [1, 16])
def test_the_measure_of_agreement_is_small_without_mistakes(output_layer, n_samples):
    for seed in range(3):
        assert max(measured(seed, output_layer=output_layer, n_samples=n_samples).values()) < TIGHT


def test_the_key_gradient_as_printed_is_off_by_the_number_of_tokens():
    generator = torch.Generator().manual_seed(0)
    observables = probes.measure_gradients(
        n_tokens=12, n_neurons=20, n_samples=8, output_layer="shared", generator=generator
    ).observables
    assert observables["error_key_as_printed"] == pytest.approx(11)


def test_the_measure_sees_active_and_inactive_hinges():
    generator = torch.Generator().manual_seed(0)
    found = probes.measure_gradients(
        n_tokens=12, n_neurons=20, n_samples=64, output_layer="shared", generator=generator
    )
    assert 8 <= found.observables["n_active"] <= 56
