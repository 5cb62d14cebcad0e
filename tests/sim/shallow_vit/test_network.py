"""The network with its options: gradients against autograd, outputs against loops, and eq. (1) as the plain case."""

from __future__ import annotations

import math

import pytest
import torch

from sim.shallow_vit.gradients import hinge_gradient
from sim.shallow_vit.model import Weights
from sim.shallow_vit.network import (
    MATRICES,
    Stack,
    gradient_of,
    initialize_network,
    loss_of,
    outputs_of,
    run_layers,
    stepped,
)

OPTIONS = [
    {},
    {"n_heads": 3},
    {"n_heads": 3, "head_join": "concatenated"},
    {"skip": True},
    {"n_heads": 2, "skip": True},
    {"n_outputs": 2},
    {"n_outputs": 2, "class_hinge": "per output"},
    {"n_layers": 2},
    {"n_layers": 3, "skip": True},
    {"n_layers": 2, "n_heads": 2, "n_outputs": 2, "skip": True, "class_hinge": "per output"},
]


def drawn(output_layer: str, **options) -> tuple[torch.Tensor, torch.Tensor, Stack]:
    generator = torch.Generator().manual_seed(3)
    chosen = {"n_heads": 1, "head_join": "sum", "skip": False, "n_outputs": 1, "n_layers": 1, **options}
    network = initialize_network(
        dimension=4, n_neurons=6, n_tokens=5, value_error=0.5, key_query_error=0.6, neuron_scale=3.0,
        output_layer=output_layer, initialization="orthonormal", generator=generator, **chosen,
    )  # fmt: skip
    tokens = torch.randn(7, 5, 4, generator=generator, dtype=torch.float64)
    labels = outputs_of(tokens, network).sign()
    labels[:4] *= -1  # active hinges, beside others that may not be
    return tokens, labels, network


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gradients_are_those_of_autograd(options, output_layer):
    options = dict(options)
    class_hinge = options.pop("class_hinge", "joint")
    tokens, labels, network = drawn(output_layer, **options)
    leaves = {name: getattr(network, name).clone().requires_grad_(True) for name in MATRICES}
    loss = loss_of(outputs_of(tokens, Stack(**{**vars(network), **leaves})), labels, class_hinge)
    assert int((loss > 0).sum()) > 0
    expected = torch.autograd.grad(loss.mean(), list(leaves.values()))
    outputs, found = gradient_of(tokens, labels, network, class_hinge)
    assert torch.allclose(outputs, outputs_of(tokens, network), rtol=1e-12)
    for name, right in zip(MATRICES, expected, strict=True):
        assert float((found[name] - right).abs().max() / right.abs().max()) < 1e-10, name


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_outputs_are_those_of_loops(options):
    options = {name: value for name, value in options.items() if name != "class_hinge"}
    tokens, _, network = drawn("per token", **options)
    found = outputs_of(tokens, network)
    for sample in range(2):
        expected = looped(tokens[sample].tolist(), network)
        assert found[sample].tolist() == pytest.approx(expected, rel=1e-10)


def looped(x: list[list[float]], network: Stack) -> list[float]:
    """Outputs of one sample, entry by entry."""

    def product(matrix: torch.Tensor, vector: list[float]) -> list[float]:
        return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix.tolist()]

    for value, key, query in zip(network.value, network.key, network.query, strict=True):
        passed = []
        for token in x:
            heads = []
            for v, k, q in zip(value, key, query, strict=True):
                asked = product(q, token)
                scores = [math.exp(sum(a * b for a, b in zip(product(k, s), asked, strict=True))) for s in x]
                attended = [
                    sum(w * s[i] for w, s in zip(scores, x, strict=True)) / sum(scores) for i in range(len(token))
                ]
                heads.append(product(v, attended))
            wide = [entry for head in heads for entry in head]
            joined = [sum(e) for e in zip(*heads, strict=True)] if network.is_joined_by_sum else wide
            passed.append([a + b for a, b in zip(token, joined, strict=True)] if network.skip else joined)
        x = passed
    return [
        sum(
            a * max(z, 0.0)
            for a_l, t in zip(out, x, strict=True)
            for a, z in zip(a_l, product(network.hidden, t), strict=True)
        )
        / len(x)
        for out in network.output.tolist()
    ]


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_the_plain_case_is_equation_1(output_layer):
    tokens, labels, network = drawn(output_layer)
    output = network.output[0] if output_layer == "per token" else network.output[0, 0]
    weights = Weights(network.hidden, network.value[0, 0], network.key[0, 0], network.query[0, 0], output)
    closed = hinge_gradient(tokens, labels[:, 0], weights)
    outputs, found = gradient_of(tokens, labels, network)
    assert torch.allclose(outputs[:, 0], closed.outputs, rtol=1e-12)
    for name in MATRICES:
        right = getattr(closed.gradient, name)
        assert torch.allclose(found[name].reshape(right.shape), right, rtol=1e-10, atol=1e-13), name


def test_one_head_twice_by_sum_is_the_head_with_twice_the_value():
    tokens, _, one = drawn("shared")
    two = Stack(**{**vars(one), **{n: getattr(one, n).repeat(1, 2, 1, 1) for n in ("value", "key", "query")}})
    twice = Stack(**{**vars(one), "value": 2 * one.value})
    assert torch.allclose(outputs_of(tokens, two), outputs_of(tokens, twice), rtol=1e-12)


def test_attention_rows_are_distributions_in_every_layer():
    tokens, _, network = drawn("shared", n_layers=3, n_heads=2, skip=True)
    layers = run_layers(tokens, network)[1]
    assert len(layers) == 3
    for layer in layers:
        assert torch.allclose(layer.attention.sum(-1), torch.ones(7, 2, 5, dtype=torch.float64))


def test_frozen_attention_moves_no_key_and_no_query():
    tokens, labels, network = drawn("shared")
    gradient = gradient_of(tokens, labels, network)[1]
    moved = stepped(network, gradient, 0.1, train_attention=False)
    assert torch.equal(moved.key, network.key)
    assert torch.equal(moved.query, network.query)
    assert not torch.equal(moved.hidden, network.hidden)


def test_wide_heads_do_not_go_with_a_skip_or_a_stack():
    for options in ({"skip": True}, {"n_layers": 2}):
        with pytest.raises(ValueError, match="head_join must be 'sum'"):
            drawn("shared", n_heads=2, head_join="concatenated", **options)
