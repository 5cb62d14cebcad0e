"""The network of eq. (1): against plain loops over samples, tokens and neurons, and by its symmetries."""

import math
from dataclasses import fields, replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.shallow_vit.gradients import evaluate
from sim.shallow_vit.model import Gradient, Weights, attention, hinge, initialize, predict
from sim.trials.validation import InvalidParameter

START = {
    "dimension": 6,
    "n_neurons": 8,
    "n_tokens": 5,
    "value_error": 0.3,
    "key_query_error": 0.4,
    "neuron_scale": 1.0,
    "output_layer": "shared",
    "initialization": "orthonormal",
}


def start(seed: int = 0, **arguments) -> Weights:
    return initialize(**{**START, **arguments}, generator=torch.Generator().manual_seed(seed))


def gaussian(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def product(matrix: list[list[float]], vector: list[float]) -> list[float]:
    return [sum(entry * other for entry, other in zip(row, vector, strict=True)) for row in matrix]


def predict_by_loops(tokens: torch.Tensor, weights: Weights) -> list[float]:
    """Eq. (1) in plain Python, one sample, token and neuron at a time."""
    hidden, value, key, query = (
        matrix.tolist() for matrix in (weights.hidden, weights.value, weights.key, weights.query)
    )
    outputs = []
    for sample in tokens.tolist():
        total = 0.0
        for position, token in enumerate(sample):
            asked = product(query, token)
            logits = [sum(a * b for a, b in zip(product(key, other), asked, strict=True)) for other in sample]
            norm = sum(math.exp(logit) for logit in logits)
            attended = [0.0] * len(token)
            for logit, other in zip(logits, sample, strict=True):
                attended = [a + math.exp(logit) / norm * x for a, x in zip(attended, other, strict=True)]
            features = product(value, attended)
            output = weights.output[position] if weights.output.dim() == 2 else weights.output
            for neuron, sign in zip(hidden, output.tolist(), strict=True):
                total += sign * max(0.0, sum(w * f for w, f in zip(neuron, features, strict=True)))
        outputs.append(total / len(sample))
    return outputs


@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    st.integers(1, 3), st.integers(1, 5), st.integers(2, 4), st.integers(1, 6),
    st.sampled_from(["shared", "per token"]), st.integers(0, 10**6),
)  # fmt: skip
def test_predict_and_evaluate_equal_plain_loops(n, length, dimension, n_neurons, output_layer, seed):
    weights = start(seed, dimension=dimension, n_neurons=n_neurons, n_tokens=length, output_layer=output_layer)
    tokens = gaussian(n, length, dimension, seed=seed)
    expected = predict_by_loops(tokens, weights)
    assert predict(tokens, weights).tolist() == pytest.approx(expected, rel=1e-12, abs=1e-13)
    assert evaluate(tokens, weights).tolist() == pytest.approx(expected, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("output_layer", ["shared", "per token"])
def test_evaluate_equals_predict_over_several_chunks(output_layer):
    weights = start(n_tokens=60, n_neurons=200, output_layer=output_layer)
    tokens = gaussian(230, 60, 6)  # three chunks of 87 samples
    assert torch.allclose(evaluate(tokens, weights), predict(tokens, weights), rtol=1e-12, atol=1e-13)


def test_attention_rows_are_probabilities():
    weight = attention(gaussian(4, 7, 6), start().scoring)
    assert weight.min() > 0
    assert torch.allclose(weight.sum(-1), torch.ones(4, 7, dtype=torch.float64), rtol=1e-14)


def test_attention_ignores_a_uniform_shift_of_all_logits_of_a_query():
    tokens = torch.cat([gaussian(3, 7, 5), torch.ones(3, 7, 1, dtype=torch.float64)], dim=2)
    scoring = gaussian(6, 6, seed=1)
    shifted = scoring.clone()
    shifted[-1] += gaussian(6, seed=2)  # the last coordinate of every key token is 1: all its logits move alike
    assert not torch.allclose(tokens @ shifted.T @ tokens.mT, tokens @ scoring.T @ tokens.mT)
    assert torch.allclose(attention(tokens, shifted), attention(tokens, scoring), rtol=1e-12)


def test_attention_scores_key_tokens_for_query_tokens_and_not_the_reverse():
    tokens, scoring = gaussian(1, 3, 4), gaussian(4, 4, seed=1)
    logits = [[float(key @ scoring @ query) for key in tokens[0]] for query in tokens[0]]
    expected = torch.tensor(logits, dtype=torch.float64).softmax(dim=1)
    assert torch.allclose(attention(tokens, scoring)[0], expected, rtol=1e-12)


def test_the_order_of_tokens_does_not_matter_with_a_shared_output_layer():
    tokens, order = gaussian(4, 5, 6), torch.tensor([3, 0, 4, 1, 2])
    shared, each = start(), start(output_layer="per token")
    assert torch.allclose(predict(tokens[:, order], shared), predict(tokens, shared), rtol=1e-12)
    assert not torch.allclose(predict(tokens[:, order], each), predict(tokens, each), rtol=1e-3)
    together = replace(each, output=each.output[order])
    assert torch.allclose(predict(tokens[:, order], together), predict(tokens, each), rtol=1e-12)


def test_the_output_is_odd_in_the_output_layer_and_homogeneous_in_neurons_and_values():
    tokens, weights = gaussian(4, 5, 6), start()
    outputs = predict(tokens, weights)
    assert torch.equal(predict(tokens, replace(weights, output=-weights.output)), -outputs)
    for name in ("hidden", "value", "output"):
        scaled = replace(weights, **{name: 3 * getattr(weights, name)})
        assert torch.allclose(predict(tokens, scaled), 3 * outputs, rtol=1e-12)
    balanced = replace(
        weights, hidden=4 * weights.hidden, value=weights.value / 4, key=weights.key / 2, query=weights.query * 2
    )
    assert torch.allclose(predict(tokens, balanced), outputs, rtol=1e-12)


def test_hinge_by_hand():
    outputs, labels = torch.tensor([2.0, 0.5, -1.0, 1.0]), torch.tensor([1.0, 1.0, 1.0, -1.0])
    assert hinge(outputs, labels).tolist() == [0.0, 0.5, 2.0, 2.0]


# ---------------------------------------------------------------------------------------------------------------- start


def test_features_start_at_the_stated_distance_from_orthonormal_ones():
    weights, exact = start(), start(value_error=0.0, key_query_error=0.0)
    identity = torch.eye(6, dtype=torch.float64)
    assert torch.allclose(exact.value.T @ exact.value, identity, atol=1e-14)
    assert torch.equal(exact.key, identity)
    assert torch.equal(exact.query, identity)
    assert torch.allclose(
        (weights.value - exact.value).norm(dim=0), torch.full((6,), 0.3, dtype=torch.float64), rtol=1e-12
    )
    for feature in (weights.key, weights.query):
        assert torch.allclose((feature - identity).norm(dim=0), torch.full((6,), 0.4, dtype=torch.float64), rtol=1e-12)
    assert not torch.equal(weights.key, weights.query)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.floats(0, 0.99), st.floats(0, 0.99), st.integers(1, 12))
def test_contractions_meet_all_of_assumption_1(seed, value_error, key_query_error, dimension):
    """Norms at most 1; the farthest feature is just as far from an orthonormal one as stated."""
    arguments = {"value_error": value_error, "key_query_error": key_query_error, "dimension": dimension}
    weights = start(seed, initialization="contraction", **arguments)
    exact = start(seed, initialization="contraction", **{**arguments, "value_error": 0.0, "key_query_error": 0.0})
    identity = torch.eye(dimension, dtype=torch.float64)
    assert torch.allclose(exact.value.T @ exact.value, identity, atol=1e-12)
    for feature, start_at, error in (
        (weights.value, exact.value, value_error),
        (weights.key, identity, key_query_error),
        (weights.query, identity, key_query_error),
    ):
        assert torch.linalg.matrix_norm(feature, ord=2) <= 1 + 1e-12
        assert float((feature - start_at).norm(dim=0).max()) == pytest.approx(error, abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.floats(0, 0.7), st.floats(0, 0.99), st.integers(2, 12))
def test_adversarial_errors_bring_the_first_two_features_as_close_as_errors_of_that_length_can(
    seed, value_error, key_query_error, dimension
):
    """By the triangle inequality no errors of this length leave less than sqrt(2) - 2 sigma between the two."""
    arguments = {"value_error": value_error, "key_query_error": key_query_error, "dimension": dimension}
    weights = start(seed, initialization="adversarial", **arguments)
    exact = start(seed, initialization="contraction", **{**arguments, "value_error": 0.0})
    assert torch.linalg.matrix_norm(weights.value, ord=2) <= 1 + 1e-12
    moved = (weights.value - exact.value).norm(dim=0)
    assert moved[:2].tolist() == pytest.approx([value_error] * 2, abs=1e-12)
    assert float(moved[2:].sum()) == pytest.approx(0, abs=1e-12)
    gap = float((weights.value[:, 0] - weights.value[:, 1]).norm())
    assert gap == pytest.approx(2**0.5 - 2 * value_error, abs=1e-12)
    for name in ("key", "query", "output", "hidden"):
        assert torch.equal(getattr(weights, name), getattr(exact, name))


def test_the_draws_of_every_other_start_are_as_they_were():
    """Sums of seeded draws, printed before there were adversarial starts: stored trials keep their meaning."""
    sums = {
        "orthonormal": (-3.7727861070749977, 5.780216248535158, 5.655066538334998, 3.6369107065691657),
        "contraction": (-3.1604251386281508, 4.381251178163537, 4.057442065413614, 3.6369107065691657),
        "literal": (-3888.415462627444, 9600.0, 9600.0, -2.9777610371421845),
    }
    for initialization, expected in sums.items():
        weights = start(initialization=initialization)
        found = [float(matrix.sum()) for matrix in (weights.value, weights.key, weights.query, weights.hidden)]
        assert found == pytest.approx(expected, rel=1e-9)


def test_orthonormal_features_with_errors_exceed_the_norm_that_contractions_keep():
    assert torch.linalg.matrix_norm(start().key, ord=2) > 1


def test_the_literal_start_takes_the_formulas_at_their_word():
    weights = start(initialization="literal", value_error=0.1, key_query_error=0.2)
    identity = torch.eye(6, dtype=torch.float64)
    assert torch.allclose(weights.key, 400 * identity)
    assert torch.allclose(weights.query, 400 * identity)
    assert torch.allclose(weights.value.T @ weights.value, 100**2 * identity, atol=1e-9)


def test_neurons_and_output_layer_have_the_stated_scale():
    weights = start(n_neurons=5000, neuron_scale=0.01)
    assert weights.hidden.std() == pytest.approx(0.01, rel=5 / (2 * weights.hidden.numel()) ** 0.5)
    assert weights.output.shape == (5000,)
    assert set(weights.output.tolist()) == {5000**-0.5, -(5000**-0.5)}
    assert abs(weights.output.sign().mean()) < 5 / 5000**0.5
    assert start(output_layer="per token").output.shape == (5, 8)


def test_a_step_moves_against_the_gradient_and_leaves_the_output_layer():
    weights = start()
    gradient = Gradient(*(torch.ones_like(getattr(weights, field.name)) for field in fields(Gradient)))
    moved = weights.step(gradient, 0.5, train_attention=True)
    for name in ("hidden", "value", "key", "query"):
        assert torch.equal(getattr(moved, name), getattr(weights, name) - 0.5)
    assert moved.output is weights.output
    frozen = weights.step(gradient, 0.5, train_attention=False)
    assert frozen.key is weights.key
    assert frozen.query is weights.query
    assert torch.equal(frozen.hidden, moved.hidden)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_neurons": 0}, "n_neurons must be >= 1, got 0"),
        ({"n_neurons": 8.0}, "n_neurons must be an integer, got 8.0"),
        ({"neuron_scale": 0.0}, "neuron_scale must be > 0, got 0.0"),
        ({"value_error": -0.1}, "value_error must be >= 0, got -0.1"),
        ({"key_query_error": 1.0}, "key_query_error must be < 1, got 1.0"),
        ({"output_layer": "both"}, "output_layer must be one of shared, per token, got 'both'"),
        (
            {"initialization": "zero"},
            "initialization must be one of orthonormal, contraction, adversarial, literal, got 'zero'",
        ),
        (
            {"initialization": "adversarial", "value_error": 1.0},
            "value_error must be < 1 for contractions, got 1.0",
        ),
        ({"initialization": "adversarial", "dimension": 1}, "dimension must be >= 2, got 1"),
        (
            {"initialization": "contraction", "value_error": 1.5},
            "value_error must be < 1 for contractions, got 1.5",
        ),
    ],
)
def test_bad_input_names_argument_rule_and_value(arguments, message):
    with pytest.raises(InvalidParameter) as caught:
        start(**arguments)
    assert str(caught.value) == message
