"""The shallow ViT of eq. (1): one softmax attention head, a ReLU layer, a fixed random output layer.

    F(X) = mean over tokens l of  a_l . relu(W_O W_V X softmax(X^T W_K^T W_Q x_l))

Tokens are rows here (`tokens` [n, L, d]). Two products carry everything: `W_O W_V` [m, d] reads the attended token, and
`W_K^T W_Q` [d, d] scores pairs of tokens. [li2023, eq. 1]
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch

from sim.trials.validation import require, require_integer, require_non_negative, require_one_of, require_positive


@dataclass(frozen=True)
class Weights:
    """Trained matrices and the fixed output layer.

    Shapes: `hidden` W_O [m, m_a], `value` W_V [m_a, d], `key` W_K [m_b, d], `query` W_Q [m_b, d], `output` a [m]
    (shared by all tokens) or [L, m] (drawn per token).
    """

    hidden: torch.Tensor
    value: torch.Tensor
    key: torch.Tensor
    query: torch.Tensor
    output: torch.Tensor

    @property
    def readout(self) -> torch.Tensor:
        """W_O W_V [m, d]."""
        return self.hidden @ self.value

    @property
    def scoring(self) -> torch.Tensor:
        """W_K^T W_Q [d, d]: score of key token s for query token l is x_s^T scoring x_l."""
        return self.key.T @ self.query

    def to(self, dtype: torch.dtype) -> Weights:
        """The same weights in another precision."""
        return Weights(*(tensor.to(dtype) for tensor in (self.hidden, self.value, self.key, self.query, self.output)))

    def on(self, device: str) -> Weights:
        """A copy of the weights on another device."""
        tensors = (self.hidden, self.value, self.key, self.query, self.output)
        return Weights(*(tensor.to(device, copy=True) for tensor in tensors))

    def step(self, gradient: Gradient, learning_rate: float, *, train_attention: bool) -> Weights:
        """One step of gradient descent; the output layer never moves, the attention only if it is trained."""
        moved = replace(
            self,
            hidden=self.hidden - learning_rate * gradient.hidden,
            value=self.value - learning_rate * gradient.value,
        )
        if not train_attention:
            return moved
        return replace(
            moved,
            key=self.key - learning_rate * gradient.key,
            query=self.query - learning_rate * gradient.query,
        )


@dataclass(frozen=True)
class Gradient:
    """Gradient of a loss in the four trained matrices, shapes as in `Weights`."""

    hidden: torch.Tensor
    value: torch.Tensor
    key: torch.Tensor
    query: torch.Tensor


def initialize(
    *,
    dimension: int,
    n_neurons: int,
    n_tokens: int,
    value_error: float,
    key_query_error: float,
    neuron_scale: float,
    output_layer: str,
    initialization: str,
    generator: torch.Generator,
) -> Weights:
    """Draw initial weights in float64. [li2023, Assumption 1, §4.1, Algorithm 1]

    Args:
        value_error: sigma, length of the error of every value feature.
        key_query_error: delta, length of the error of every key and query feature.
        neuron_scale: xi, standard deviation of the entries of W_O.
        output_layer: "shared" draws one sign per neuron, "per token" one per neuron and token.
        initialization: "orthonormal" gives orthonormal features plus errors of the stated length, which takes the norms
            of the matrices above 1; "contraction" keeps them at most 1, as all of Assumption 1 asks, with the longest
            error of the stated length; "adversarial" is "contraction" with the value errors that are worst for telling
            patterns 0 and 1 apart: their features move toward each other by that length each, and meet at sqrt(1/2);
            "literal" takes §4.1's formulas at their word: (delta/c0)^2 I and (sigma/c0)^2 U with c0 = 0.01.
    """
    require_integer(least=1, dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens)
    require_positive(neuron_scale=neuron_scale)
    require_non_negative(value_error=value_error, key_query_error=key_query_error)
    require(key_query_error < 1, "key_query_error", "be < 1", key_query_error)
    require_one_of("output_layer", output_layer, ("shared", "per token"))
    require_one_of("initialization", initialization, ("orthonormal", "contraction", "adversarial", "literal"))
    is_contraction = initialization in ("contraction", "adversarial")
    require(not is_contraction or value_error < 1, "value_error", "be < 1 for contractions", value_error)
    if initialization == "adversarial":
        require_integer(least=2, dimension=dimension)

    value, key, query = _matrices(dimension, value_error, key_query_error, initialization, generator)
    shape = (n_neurons,) if output_layer == "shared" else (n_tokens, n_neurons)
    signs = 2.0 * torch.randint(2, shape, generator=generator).double() - 1
    hidden = neuron_scale * torch.randn(n_neurons, dimension, generator=generator, dtype=torch.float64)
    return Weights(hidden=hidden, value=value, key=key, query=query, output=signs / n_neurons**0.5)


def _matrices(
    dimension: int, value_error: float, key_query_error: float, initialization: str, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """W_V, W_K and W_Q at the start, [dimension, dimension] each."""

    def columns_of_length(length: float) -> torch.Tensor:
        columns = torch.randn(dimension, dimension, generator=generator, dtype=torch.float64)
        return length * columns / columns.norm(dim=0)

    rotation = draw_features(dimension, generator)
    identity = torch.eye(dimension, dtype=torch.float64)
    if initialization == "orthonormal":
        value = rotation + columns_of_length(value_error)
        key = identity + columns_of_length(key_query_error)
        return value, key, identity + columns_of_length(key_query_error)
    if initialization in ("contraction", "adversarial"):
        directions = columns_of_length(1.0)  # drawn in either case, so that what is drawn after them is the same
        is_adversarial = initialization == "adversarial"
        errors = _merging(dimension, value_error) if is_adversarial else near_identity(directions, value_error)
        value = rotation @ errors
        key = near_identity(columns_of_length(1.0), key_query_error)
        return value, key, near_identity(columns_of_length(1.0), key_query_error)
    scaled = (key_query_error / 0.01) ** 2 * identity
    return (value_error / 0.01) ** 2 * rotation, scaled, scaled


def draw_features(dimension: int, generator: torch.Generator) -> torch.Tensor:
    """Orthonormal value features as columns, [dimension, dimension]: the first that `initialize` draws."""
    rotation, _ = torch.linalg.qr(torch.randn(dimension, dimension, generator=generator, dtype=torch.float64))
    return rotation


def near_identity(directions: torch.Tensor, error: float) -> torch.Tensor:
    """A square matrix of norm at most 1 whose columns are within `error` of the unit vectors, the farthest just that.

    (I + e G) / (1 + e |G|) has norm at most 1 for every e. G has the given unit columns, turned away from the unit
    vectors so that every column's distance grows with e and reaches any error below 1.
    """
    away = directions * torch.where(directions.diagonal() > 0, -1.0, 1.0)
    norm = torch.linalg.matrix_norm(away, ord=2)
    identity = torch.eye(len(away), dtype=away.dtype)
    farthest = (away - norm * identity).norm(dim=0).max()
    reach = error / (farthest - error * norm)
    return (identity + reach * away) / (1 + reach * norm)


def _merging(dimension: int, error: float) -> torch.Tensor:
    """The identity with its first two columns moved toward each other, by `error` each: norm 1, no column elsewhere.

    Of all errors of that length this brings the two features closest: their distance falls from sqrt(2) by 2 `error`.
    """
    moved = torch.eye(dimension, dtype=torch.float64)
    share = error / 2**0.5
    moved[:2, :2] = torch.tensor([[1 - share, share], [share, 1 - share]], dtype=torch.float64)
    return moved


def attention(tokens: torch.Tensor, scoring: torch.Tensor) -> torch.Tensor:
    """Attention weights [n, L, L]: entry (n, l, s) is the weight of token s for query token l."""
    return torch.softmax(tokens @ scoring.T @ tokens.transpose(1, 2), dim=-1)


def predict(tokens: torch.Tensor, weights: Weights) -> torch.Tensor:
    """Outputs F [n], written as eq. (1) is: the plain witness that autograd differentiates."""
    attended = attention(tokens, weights.scoring) @ tokens
    hidden = torch.relu(attended @ weights.readout.T)
    return (hidden * weights.output).sum(-1).mean(-1)


def hinge(outputs: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Hinge loss of every sample [n]. [li2023, eq. 17]"""
    return (1 - labels * outputs).clamp(min=0)
