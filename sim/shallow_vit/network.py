"""The network of eq. (1) with the options of the paper's extensions: heads, a skip, more outputs, stacked layers.

One model, of which eq. (1) is the case of one layer, one head, no skip and one output:

    x^(j+1)_l = [x^(j)_l +] join over heads h of W_V^(jh) X^(j) softmax(X^(j)^T W_K^(jh)^T W_Q^(jh) x^(j)_l),
    F_k(X) = mean over tokens l of  a_kl . relu(W_O x^(J)_l).

Heads are summed, or concatenated, and then W_O has a block of columns for each. A batch has tokens [n, L, d]; weights
of the attention are [J, H, d, d]. Gradients are written out below, and have automatic differentiation as their witness.
[li2023, eq. (1), appendix G.1, G.3, eq. (250)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch

from sim.shallow_vit.model import initialize
from sim.trials.validation import require, require_integer, require_one_of

MATRICES = ("hidden", "value", "key", "query")
"""What is trained; the output layer is not."""


@dataclass(frozen=True)
class Stack:
    """Trained matrices, the fixed output layer, and how the parts are joined.

    Shapes: `hidden` [m, d], or [m, H d] where heads are concatenated; `value`, `key`, `query` [J, H, d, d]; `output`
    [K, 1, m] (shared by all tokens) or [K, L, m].
    """

    hidden: torch.Tensor
    value: torch.Tensor
    key: torch.Tensor
    query: torch.Tensor
    output: torch.Tensor
    head_join: str = "sum"
    skip: bool = False

    @property
    def n_layers(self) -> int:
        """Attention layers."""
        return len(self.value)

    @property
    def is_joined_by_sum(self) -> bool:
        """Whether heads are summed."""
        return self.head_join == "sum"


def initialize_network(
    *,
    dimension: int,
    n_neurons: int,
    n_tokens: int,
    n_heads: int,
    head_join: str,
    skip: bool,
    n_outputs: int,
    n_layers: int,
    value_error: float,
    key_query_error: float,
    neuron_scale: float,
    output_layer: str,
    initialization: str,
    generator: torch.Generator,
) -> Stack:
    """Draw initial weights, each head of each layer as the single head of eq. (1)."""
    require_integer(least=1, n_heads=n_heads, n_outputs=n_outputs, n_layers=n_layers)
    require_one_of("head_join", head_join, ("sum", "concatenated"))
    is_wide = head_join == "concatenated" and n_heads > 1
    require(not (is_wide and skip), "head_join", "be 'sum' with a skip connection, which needs m_a = d", head_join)
    require(not is_wide or n_layers == 1, "head_join", "be 'sum' where layers are stacked", head_join)
    heads = [
        [
            initialize(
                dimension=dimension, n_neurons=n_neurons, n_tokens=n_tokens, value_error=value_error,
                key_query_error=key_query_error, neuron_scale=neuron_scale, output_layer=output_layer,
                initialization=initialization, generator=generator,
            )
            for _ in range(n_heads)
        ]
        for _ in range(n_layers)
    ]  # fmt: skip
    first = heads[0][0]
    signs = [first.output] + [
        torch.where(torch.rand(first.output.shape, generator=generator) < 0.5, 1.0, -1.0).double() / n_neurons**0.5
        for _ in range(n_outputs - 1)
    ]
    wide = torch.cat([head.hidden for head in heads[0]], dim=1) if is_wide else first.hidden

    def stacked(name: str) -> torch.Tensor:
        return torch.stack([torch.stack([getattr(head, name) for head in layer]) for layer in heads])

    return Stack(
        hidden=wide,
        value=stacked("value"),
        key=stacked("key"),
        query=stacked("query"),
        output=torch.stack([sign.reshape(-1, n_neurons) for sign in signs]),
        head_join=head_join if is_wide else "sum",
        skip=skip,
    )


class Layer(NamedTuple):
    """What one attention layer made of its tokens."""

    tokens: torch.Tensor
    scoring: torch.Tensor
    attention: torch.Tensor
    attended: torch.Tensor


def run_layers(tokens: torch.Tensor, network: Stack) -> tuple[torch.Tensor, list[Layer]]:
    """The tokens that reach the ReLU layer, [n, L, d] or [n, L, H d], and all layers.

    `Layer.attention` [n, H, L, L] has at (n, h, l, s) the weight of token s for query token l.
    """
    layers = []
    for value, key, query in zip(network.value, network.key, network.query, strict=True):
        scoring = key.transpose(1, 2) @ query
        x = tokens[:, None]
        weight = torch.softmax(x @ scoring.transpose(1, 2) @ x.transpose(2, 3), dim=-1)
        attended = weight @ x
        layers.append(Layer(tokens, scoring, weight, attended))
        heads = attended @ value.transpose(1, 2)
        joined = heads.sum(1) if network.is_joined_by_sum else heads.transpose(1, 2).flatten(2)
        tokens = tokens + joined if network.skip else joined
    return tokens, layers


def outputs_of(tokens: torch.Tensor, network: Stack) -> torch.Tensor:
    """Outputs [n, K]."""
    hidden = torch.relu(run_layers(tokens, network)[0] @ network.hidden.T)
    return torch.einsum("nlm,klm->nk", hidden, network.output.expand(-1, tokens.shape[1], -1)) / tokens.shape[1]


def margins(outputs: torch.Tensor, labels: torch.Tensor, class_hinge: str) -> torch.Tensor:
    """Margins whose hinges make the loss: [n, 1] of y . F ("joint"), or [n, K] of y_k F_k ("per output")."""
    each = labels * outputs
    return each.sum(1, keepdim=True) if class_hinge == "joint" else each


def loss_of(outputs: torch.Tensor, labels: torch.Tensor, class_hinge: str) -> torch.Tensor:
    """Hinge of every sample [n], summed over the outputs where each has its own."""
    return (1 - margins(outputs, labels, class_hinge)).clamp(min=0).sum(1)


def gradient_of(
    tokens: torch.Tensor, labels: torch.Tensor, network: Stack, class_hinge: str = "joint"
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Outputs [n, K] and the gradient of the mean hinge by name of matrix; empty where no hinge is active."""
    n, length, _ = tokens.shape
    top, layers = run_layers(tokens, network)
    before = top @ network.hidden.T
    gates = before > 0
    output = network.output.expand(-1, length, -1)
    outputs = torch.einsum("nlm,klm->nk", before * gates, output) / length
    active = margins(outputs, labels, class_hinge) < 1
    if not bool(active.any()):
        return outputs, {}
    by_output = -(labels * active) / (n * length)
    by_neuron = torch.einsum("nk,klm->nlm", by_output, output) * gates
    found = {"hidden": by_neuron.flatten(0, 1).T @ top.flatten(0, 1)}
    back = by_neuron @ network.hidden
    grown: dict[str, list[torch.Tensor]] = {"value": [], "key": [], "query": []}
    for index in reversed(range(network.n_layers)):
        back, matrices = _through_layer(back, layers[index], network, index)
        for name, matrix in matrices.items():
            grown[name].insert(0, matrix)
    return outputs, found | {name: torch.stack(matrices) for name, matrices in grown.items()}


def _through_layer(
    back: torch.Tensor, layer: Layer, network: Stack, index: int
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The gradient in a layer's tokens from that in what it passed on, and those in its matrices [H, d, d]."""
    n, length, dimension = layer.tokens.shape
    value, n_heads = network.value[index], network.value.shape[1]
    x = layer.tokens[:, None]
    if network.is_joined_by_sum:
        by_head = back[:, None].expand(n, n_heads, length, dimension)
    else:
        by_head = back.reshape(n, length, n_heads, dimension).transpose(1, 2)
    by_attended = by_head @ value
    along = by_attended @ x.transpose(2, 3)
    by_logit = layer.attention * (along - (layer.attention * along).sum(-1, keepdim=True))
    by_query = by_logit.transpose(2, 3) @ x
    by_scoring = torch.einsum("nsd,nhse->hde", layer.tokens, by_query)
    matrices = {
        "value": torch.einsum("nhld,nhle->hde", by_head, layer.attended),
        "key": network.query[index] @ by_scoring.transpose(1, 2),
        "query": network.key[index] @ by_scoring,
    }
    if index == 0:  # the first layer's tokens are data
        return back, matrices
    by_token = layer.attention.transpose(2, 3) @ by_attended
    by_token = by_token + by_query @ layer.scoring.transpose(1, 2) + by_logit @ x @ layer.scoring
    below = by_token.sum(1)
    return (below + back if network.skip else below), matrices


def stepped(network: Stack, gradient: dict[str, torch.Tensor], learning_rate: float, *, train_attention: bool) -> Stack:
    """One step of gradient descent; key and query move only if the attention is trained."""
    names = MATRICES if train_attention else ("hidden", "value")
    return replace(network, **{name: getattr(network, name) - learning_rate * gradient[name] for name in names})


def masses(tokens: torch.Tensor, is_counted: torch.Tensor, network: Stack) -> Sequence[float]:
    """Attention mass on the counted tokens [n, L], averaged over queries, heads and samples, by layer."""
    counted = is_counted.to(tokens.dtype)[:, None, None, :]
    return [float((layer.attention * counted).sum(-1).mean()) for layer in run_layers(tokens, network)[1]]
